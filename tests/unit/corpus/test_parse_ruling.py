"""Rulings as documents: the court's words, the register's facts."""

from __future__ import annotations

import pytest

from sluis.core import NO_END, Marker
from sluis.corpus.errors import DocumentError
from sluis.corpus.parse_ruling import parse_ruling_document
from sluis.corpus.parse_text import Defaults

RECORD = """<?xml version="1.0" encoding="utf-8"?>
<open-rechtspraak>
  <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dcterms="http://purl.org/dc/terms/"
      xmlns:psi="http://psi.rechtspraak.nl/" xmlns:ecli="https://e-justice.europa.eu/ecli">
    <rdf:Description>
      <dcterms:identifier>ECLI:NL:RBSLUIS:2024:1</dcterms:identifier>
      <dcterms:accessRights>{access}</dcterms:accessRights>
      <dcterms:modified>2024-04-01T12:00:00</dcterms:modified>
      {dates}
      <dcterms:creator>Rechtbank Sluisdam</dcterms:creator>
      <dcterms:type>Uitspraak</dcterms:type>
      <dcterms:language>nl</dcterms:language>
      {relations}
    </rdf:Description>
  </rdf:RDF>
  <inhoudsindicatie id="ECLI:NL:RBSLUIS:2024:1:INH" xmlns="http://www.rechtspraak.nl/schema/rechtspraak-1.0">
    <para>Woorden van de redactie.</para>
  </inhoudsindicatie>
  {body}
</open-rechtspraak>
"""
DATES = "<dcterms:issued>2024-04-02</dcterms:issued><dcterms:date>2024-03-12</dcterms:date>"
BODY = """<uitspraak id="{doc}:DOC" xmlns="http://www.rechtspraak.nl/schema/rechtspraak-1.0">
  <section role="overwegingen"><title><nr>4</nr>Beoordeling</title>
    <paragroup><nr>4.1.</nr><para>De termijn is veer\u00adtien dagen.</para></paragroup>
    <paragroup><nr>4.2.</nr><para>De vordering wordt toegewezen.</para></paragroup>
  </section>
</uitspraak>"""


def record(
    *,
    relations: str = "",
    dates: str = DATES,
    doc: str = "ECLI:NL:RBSLUIS:2024:1",
    body: str | None = None,
    access: str = "public",
) -> bytes:
    text = BODY.replace("{doc}", doc) if body is None else body
    return RECORD.format(relations=relations, dates=dates, body=text, access=access).encode()


def parse(data: bytes):  # type: ignore[no-untyped-def]
    return parse_ruling_document(data, name="x.xml", defaults=Defaults(audience=("client",), tenant="t"))


def test_what_the_register_says_and_what_the_court_said() -> None:
    document = parse(record())
    meta = document.meta
    assert (meta.source_id, meta.source_kind) == ("ECLI:NL:RBSLUIS:2024:1", "ecli")
    assert meta.family == meta.source_id
    assert (meta.valid_from, meta.valid_to, meta.version) == (20240312, NO_END, "2024-04-01T12:00:00")
    assert (meta.marker, meta.doc_type, meta.language) == (Marker.CURRENT, "ruling", "nl")
    assert meta.source_url.startswith("https://")
    assert meta.source_url.endswith("ECLI:NL:RBSLUIS:2024:1")
    assert document.text == "Beoordeling\n\nDe termijn is veertien dagen.\n\nDe vordering wordt toegewezen."
    assert [(block.path, block.unit) for block in document.blocks][1:] == [(("4", "4.1"), 2), (("4", "4.2"), 2)]
    assert document.removed == 1
    assert "redactie" not in document.text


def relation(kind: str, direction: str, outcome: str = "") -> str:
    return (
        f'<dcterms:relation ecli:resourceIdentifier="ECLI:NL:GHSLUIS:2025:2" '
        f'psi:type="http://psi.rechtspraak.nl/{kind}" psi:aanleg="http://psi.rechtspraak.nl/{direction}" '
        f'psi:gevolg="http://psi.rechtspraak.nl/gevolg#{outcome}">x</dcterms:relation>'
    )


@pytest.mark.parametrize(
    ("relations", "marker"),
    [
        (relation("vervallenverklaring", "latereAanleg"), Marker.WITHDRAWN),
        (relation("hogerberoep", "latereAanleg", "(Gedeeltelijke) vernietiging"), Marker.SUPERSEDED),
        ("<dcterms:isReplacedBy>ECLI:NL:RBSLUIS:2025:3</dcterms:isReplacedBy>", Marker.SUPERSEDED),
        ("<dcterms:isReplacedBy/>", Marker.UNKNOWN),
        # An appeal without outcome is for the live check and a person, not for the filter.
        (relation("hogerberoep", "latereAanleg"), Marker.CURRENT),
    ],
)
def test_the_marker_follows_from_the_record(relations: str, marker: Marker) -> None:
    document = parse(record(relations=relations))
    assert document.meta.marker is marker
    assert document.notices == (() if marker is Marker.CURRENT else (f"marker_{marker.value}",))


def test_a_record_that_is_not_public_is_not_known_to_be_in_force() -> None:
    assert parse(record(access="restricted")).meta.marker is Marker.UNKNOWN


def test_the_date_of_publication_stands_in_for_that_of_the_ruling() -> None:
    assert parse(record(dates="<dcterms:issued>2024-04-02</dcterms:issued>")).meta.valid_from == 20240402


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (record(body=""), "no_text"),
        (record(dates=""), "no_date"),
        (record(doc="ECLI:NL:RBSLUIS:2024:99"), "wrong_record"),
        (record()[:-40], "malformed"),
        (b"<html/>", "not_a_ruling"),
        (b'<!DOCTYPE x [<!ENTITY a "b">]><open-rechtspraak/>', "doctype"),
    ],
)
def test_what_is_no_ruling_with_a_text_is_refused_with_a_word(data: bytes, reason: str) -> None:
    with pytest.raises(DocumentError) as caught:
        parse(data)
    assert caught.value.subject["reason"] == reason
