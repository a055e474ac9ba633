"""Records as values: metadata, paragraphs, and everything that is no record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from sluis.core import InputError
from sluis.sources import (
    ForbiddenDoctypeError,
    MalformedXmlError,
    NotARulingError,
    Relation,
    parse_ruling,
)
from sluis.sources._ruling_body import read_body

FOLDER = Path(__file__).parents[2] / "fixtures" / "rechtspraak"
CURRENT = (FOLDER / "current.xml").read_bytes()
RS = 'xmlns="http://www.rechtspraak.nl/schema/rechtspraak-1.0"'


def body(text: str) -> list[tuple[str, tuple[str, ...], str]]:
    element = etree.fromstring(f"<uitspraak {RS}>{text}</uitspraak>")
    return [(item.kind, item.numbering, item.text) for item in read_body(element)]


def test_metadata_of_a_record() -> None:
    ruling = parse_ruling(CURRENT)
    assert ruling.ecli == "ECLI:NL:RBAMS:2098:101"
    assert ruling.court == "Rechtbank Amsterdam"
    assert ruling.court_uri.endswith("/Rechtbank_Amsterdam")
    assert (ruling.decided, ruling.issued) == (date(2098, 3, 4), date(2098, 5, 6))
    assert ruling.modified == "2098-05-06T07:08:09"
    assert ruling.document_type == "uitspraak"
    assert ruling.title.startswith("ECLI:NL:RBAMS:2098:101 Rechtbank Amsterdam")
    assert ruling.abstract == "Huur van een loods. Boete van € 250 per dag is verschuldigd."
    assert ruling.subjects == ("Civiel recht",)
    assert ruling.procedures == ("Eerste aanleg - enkelvoudig",)
    assert ruling.case_numbers == ("C/13/000001 / HA ZA 98-1",)
    assert (ruling.access, ruling.language) == ("public", "nl")
    assert ruling.url == "https://deeplink.rechtspraak.nl/uitspraak?id=ECLI:NL:RBAMS:2098:101"
    assert (ruling.relations, ruling.replaces, ruling.replaced_by) == ((), (), ())
    assert ruling.has_text
    assert ruling.body_ids == ("ECLI:NL:RBAMS:2098:101:DOC", "ECLI:NL:RBAMS:2098:101:INH")


def test_relations_carry_direction_and_outcome(record: Callable[[str], bytes]) -> None:
    assert parse_ruling(record("overturned")).relations == (
        Relation(
            target="ECLI:NL:HR:2099:502",
            type="cassatie",
            direction="later",
            outcome="(Gedeeltelijke) vernietiging met verwijzen",
            label="cassatie: ECLI:NL:HR:2099:502",
        ),
    )
    assert parse_ruling(record("quashing")).relations[0].direction == "earlier"


def test_a_byte_order_mark_is_read_over(record: Callable[[str], bytes]) -> None:
    data = record("successor")
    assert data.startswith(b"\xef\xbb\xbf")
    assert parse_ruling(data).replaces == ("ECLI:NL:RBAMS:2098:301", "ZZ9999")


def test_an_opinion_is_a_document_of_its_own_kind(record: Callable[[str], bytes]) -> None:
    ruling = parse_ruling(record("opinion"))
    assert (ruling.document_type, ruling.body_kind) == ("conclusie", "conclusie")
    assert ruling.paragraphs[-1].text == "De conclusie strekt tot verwerping."


def test_a_record_without_text_has_no_paragraphs(record: Callable[[str], bytes]) -> None:
    ruling = parse_ruling(record("no_text"))
    assert (ruling.has_text, ruling.paragraphs, ruling.abstract, ruling.title) == (False, (), "", "")


def test_an_empty_text_element_publishes_nothing() -> None:
    start, end = CURRENT.index(b"<uitspraak "), CURRENT.index(b"</uitspraak>")
    opening = CURRENT[start : CURRENT.index(b">", start) + 1]
    emptied = CURRENT[:start] + opening + b"<para> </para>\n" + CURRENT[end:]
    assert parse_ruling(emptied).has_text is False


def test_paragraphs_know_number_section_and_heading() -> None:
    ruling = parse_ruling(CURRENT)
    rows = [(item.kind, item.numbering, item.text) for item in ruling.paragraphs]
    assert rows[4:] == [
        ("heading", ("1",), "Het verloop"),
        ("text", ("1",), "Partijen hebben stukken gewisseld. Een verzoek is ingetrokken."),
        ("heading", ("2",), "De beoordeling"),
        ("text", ("2", "2.1"), "De loods is verhuurd voor € 1.200 per maand."),
        ("text", ("2", "2.1"), "De opzegtermijn is drie maanden."),
        ("footnote", ("2", "2.1"), "Artikel 3 van de huurovereenkomst."),
        ("item", ("2", "2.1"), "de sleutels zijn teruggegeven;"),
        ("item", ("2", "2.1"), "de loods was leeg."),
        ("text", ("2", "2.2"), "Verdeeld wordt:"),
        ("item", ("2", "2.2", "a"), "de waarborgsom;"),
        ("item", ("2", "2.2", "b"), "de servicekosten."),
        ("row", ("2", "2.2"), "waarborgsom | € 2.400"),
        ("row", ("2", "2.2"), "rente | 4%"),
        ("text", ("2", "2.2", "2.2.1"), "De rente loopt vanaf 1 mei 2098."),
        ("text", ("2", "2.3"), "2.3. De boete is € 250 per dag."),
        ("heading", ("3",), "De beslissing"),
        ("text", ("3",), "De rechtbank wijst de vordering toe."),
    ]
    assert [item.position for item in ruling.paragraphs] == list(range(len(ruling.paragraphs)))
    assert {item.section for item in ruling.paragraphs} == {"", "procesverloop", "overwegingen", "beslissing"}
    assert ruling.paragraphs[-1].heading == "De beslissing"
    assert ruling.paragraphs[-2].heading == ""


def test_the_body_can_be_left_out() -> None:
    ruling = parse_ruling(CURRENT, body=False)
    assert (ruling.has_text, ruling.paragraphs) == (True, ())


NUMBERS = {
    "two levels in the text": ("4.1. Vaststaat dat", ("4.1",)),
    "two levels without a final dot": ("4.1 Vaststaat dat", ("4.1",)),
    "one level needs its dot": ("4. Vaststaat dat", ("4",)),
    "a count is no number": ("4 stoelen", ()),
    "a year is no number": ("2014. Het jaar", ()),
    "an amount is no number": ("1.200 euro", ()),
    "a date is no number": ("12-10-2098 is de datum", ()),
    "a number alone is no label of anything": ("4.1", ()),
}


@pytest.mark.parametrize("case", NUMBERS)
def test_a_number_that_opens_a_paragraph(case: str) -> None:
    text, numbering = NUMBERS[case]
    assert body(f"<para>{text}</para><para>Vervolg.</para>") == [("text", numbering, text), ("text", (), "Vervolg.")]


def test_a_repeated_number_is_said_once() -> None:
    assert body(
        "<section><title><nr>5</nr>X</title><paragroup><nr>5.</nr><para>5. Ja.</para></paragroup></section>"
    ) == [
        ("heading", ("5",), "X"),
        ("text", ("5",), "5. Ja."),
    ]


def test_a_number_element_of_dots_alone_stays_as_it_is() -> None:
    assert body("<paragroup><nr>...</nr><para>Ja.</para></paragroup>") == [("text", ("...",), "Ja.")]


@pytest.mark.parametrize(
    ("numeration", "labels"),
    [
        ("arabic", ["1", "2", "3", "4"]),
        ("upperalpha", ["A", "B", "C", "D"]),
        ("lowerroman", ["i", "ii", "iii", "iv"]),
        ("upperroman", ["I", "II", "III", "IV"]),
        ("strange", ["1", "2", "3", "4"]),
    ],
)
def test_list_labels(numeration: str, labels: list[str]) -> None:
    items = "".join(f"<listitem><para>{word}</para></listitem>" for word in ("een", "twee", "drie", "vier"))
    rows = body(f'<orderedlist numeration="{numeration}">{items}</orderedlist>')
    assert [numbering[-1] for _, numbering, _ in rows] == labels


def test_a_long_alphabetical_list_goes_on_in_numbers() -> None:
    items = "".join(f"<listitem><para>x{index}</para></listitem>" for index in range(27))
    rows = body(f'<orderedlist numeration="loweralpha">{items}</orderedlist>')
    assert [rows[index][1] for index in (25, 26)] == [("z",), ("27",)]


def test_text_outside_paragraphs_and_unknown_elements_are_kept() -> None:
    assert body("los<parablock>ook los<para>a <nieuw>b</nieuw> c</para>d</parablock>e") == [
        ("text", (), "los"),
        ("text", (), "ook los"),
        ("text", (), "a b c"),
        ("text", (), "d"),
        ("text", (), "e"),
    ]


def test_a_list_inside_a_paragraph_splits_it() -> None:
    assert body("<para>Te weten:<itemizedlist><listitem><para>a</para></listitem></itemizedlist>en b.</para>") == [
        ("text", (), "Te weten:"),
        ("item", (), "a"),
        ("text", (), "en b."),
    ]


def test_a_footnote_mark_does_not_stick_to_a_word_and_an_empty_row_is_nothing() -> None:
    assert body("<para>woord<footnote-ref>1</footnote-ref> verder</para><table><row><entry/></row></table>") == [
        ("text", (), "woord verder")
    ]


def test_an_unreadable_date_is_absent() -> None:
    assert parse_ruling(CURRENT.replace(b"2098-03-04", b"4 maart 98", 1)).decided is None


def test_a_record_without_a_court_has_none() -> None:
    ruling = parse_ruling(CURRENT.replace(b"dcterms:creator", b"dcterms:maker"))
    assert (ruling.court, ruling.court_uri) == ("", "")


def test_a_type_that_lacks_the_top_level_domain_is_the_same_type(record: Callable[[str], bytes]) -> None:
    data = record("overturned").replace(b"http://psi.rechtspraak.nl/gevolg", b"http://psi.rechtspraak/gevolg")
    assert parse_ruling(data).relations[0].outcome == "(Gedeeltelijke) vernietiging met verwijzen"
    encoded = record("overturned").replace(b"vernietiging met verwijzen", b"vernietiging%20met%20verwijzen")
    assert parse_ruling(encoded).relations[0].outcome == "(Gedeeltelijke) vernietiging met verwijzen"
    foreign = record("overturned").replace(b"http://psi.rechtspraak.nl/cassatie", b"http://elders.test/cassatie")
    assert parse_ruling(foreign).relations[0].type == "http://elders.test/cassatie"


def test_a_relation_without_attributes_is_kept() -> None:
    data = CURRENT.replace(b"<dcterms:coverage>", b"<dcterms:relation>Iets</dcterms:relation><dcterms:coverage>")
    assert parse_ruling(data).relations == (Relation(target="", type="", direction=None, outcome="", label="Iets"),)


def test_a_replacement_in_the_second_description_counts() -> None:
    mark = b"<dcterms:abstract "
    data = CURRENT.replace(mark, b"<dcterms:isReplacedBy>ECLI:NL:HR:2099:1</dcterms:isReplacedBy>" + mark)
    assert parse_ruling(data).replaced_by == ("ECLI:NL:HR:2099:1",)


def test_a_relation_that_stands_elsewhere_in_the_metadata_counts(record: Callable[[str], bytes]) -> None:
    data = record("void")
    start = data.index(b"<dcterms:relation")
    end = data.index(b"</dcterms:relation>") + len(b"</dcterms:relation>")
    moved = data[:start] + data[end:].replace(b"</rdf:RDF>", b"<rdf:Bag>" + data[start:end] + b"</rdf:Bag></rdf:RDF>")
    assert parse_ruling(moved).relations == parse_ruling(data).relations != ()


def test_an_attribute_of_another_namespace_does_not_stand_for_the_type(record: Callable[[str], bytes]) -> None:
    data = record("void").replace(b' psi:type="', b' rdf:type="tussenuitspraak" psi:type="')
    assert parse_ruling(data).relations[0].type == "vervallenverklaring"
    bare = record("void").replace(b" psi:type=", b" rdf:type=")
    assert parse_ruling(bare).relations[0].type == ""


BAD: dict[str, tuple[bytes, type[InputError]]] = {
    "nothing": (b"", MalformedXmlError),
    "text": (b"hallo", MalformedXmlError),
    "html": (b"<html><body><br></body></html>", MalformedXmlError),
    "a feed": (b"<rss version='2.0'><channel/></rss>", NotARulingError),
    "the root alone": (b"<open-rechtspraak/>", NotARulingError),
    "the root in a namespace": (b"<open-rechtspraak xmlns='urn:x'/>", NotARulingError),
    "no identifier": (CURRENT.replace(b"dcterms:identifier", b"dcterms:naam"), NotARulingError),
    "an empty identifier": (CURRENT.replace(b">ECLI:NL:RBAMS:2098:101</dcterms", b"></dcterms", 1), NotARulingError),
    "two identifiers": (
        CURRENT.replace(
            b"<dcterms:format>", b"<dcterms:identifier>ECLI:NL:HR:2099:1</dcterms:identifier><dcterms:format>", 1
        ),
        NotARulingError,
    ),
    "two texts": (
        CURRENT.replace(b"</open-rechtspraak>", f"<conclusie {RS}>x</conclusie></open-rechtspraak>".encode()),
        NotARulingError,
    ),
    "two summaries": (
        CURRENT.replace(
            b"</open-rechtspraak>", f"<inhoudsindicatie {RS}>x</inhoudsindicatie></open-rechtspraak>".encode()
        ),
        NotARulingError,
    ),
    "utf-16": (CURRENT.decode().replace("utf-8", "utf-16").encode("utf-16"), MalformedXmlError),
    "latin-1": (CURRENT.decode().encode("latin-1", "replace").replace(b"Huur", b"H\xfcur"), MalformedXmlError),
    "a document type": (b"<!DOCTYPE open-rechtspraak>" + b"<open-rechtspraak/>", ForbiddenDoctypeError),
    "an entity bomb": (
        b'<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><open-rechtspraak>&b;</open-rechtspraak>',
        ForbiddenDoctypeError,
    ),
    "a file read by an entity": (
        b'<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><open-rechtspraak>&x;</open-rechtspraak>',
        ForbiddenDoctypeError,
    ),
    "an undeclared entity": (b"<open-rechtspraak>&x;</open-rechtspraak>", MalformedXmlError),
    "nested without end": (
        b"<open-rechtspraak>" + b"<a>" * 5000 + b"</a>" * 5000 + b"</open-rechtspraak>",
        MalformedXmlError,
    ),
    "two roots": (CURRENT + b"<open-rechtspraak/>", MalformedXmlError),
}


@pytest.mark.parametrize("case", BAD)
def test_what_is_no_record_is_refused_by_name(case: str) -> None:
    data, error = BAD[case]
    with pytest.raises(error):
        parse_ruling(data)


def test_a_declared_encoding_does_not_change_what_is_read() -> None:
    data = CURRENT.replace(b'encoding="utf-8"', b'encoding="utf-7"')
    assert parse_ruling(data).abstract == parse_ruling(CURRENT).abstract


@given(cut=st.integers(min_value=0, max_value=len(CURRENT) - 2))
@settings(max_examples=60)
def test_a_record_cut_anywhere_is_no_record(cut: int) -> None:
    with pytest.raises(MalformedXmlError):
        parse_ruling(CURRENT[:cut].rstrip())


@given(data=st.binary(max_size=200), at=st.integers(min_value=0, max_value=len(CURRENT)))
@settings(max_examples=60)
def test_whatever_bytes_come_only_declared_errors_are_raised(data: bytes, at: int) -> None:
    for attempt in (data, CURRENT[:at] + data + CURRENT[at:]):
        try:
            ruling = parse_ruling(attempt)
        except InputError:
            continue
        assert ruling.ecli


INLINE = st.sampled_from(["emphasis", "text", "nieuw"])
BLOCK = st.sampled_from(["para", "parablock", "paragroup", "section", "itemizedlist", "listitem", "table", "title"])
WORDS = st.text(alphabet="abc éß 12.\u00a0", min_size=1, max_size=8)


@st.composite
def markup(draw: st.DrawFn, depth: int = 0) -> str:
    parts = [draw(WORDS)]
    for _ in range(draw(st.integers(0, 3 if depth < 3 else 0))):
        tag = draw(BLOCK | INLINE | st.just("nr") | st.just("footnote"))
        parts.append(f"<{tag}>{draw(markup(depth=depth + 1))}</{tag}>{draw(WORDS)}")
    return "".join(parts)


@given(text=markup())
@settings(max_examples=150)
def test_no_letter_of_a_ruling_is_lost_or_doubled(text: str) -> None:
    element = etree.fromstring(f"<uitspraak {RS}>{text}</uitspraak>")
    paragraphs = read_body(element)
    in_text: Counter[str] = Counter("".join(item.text for item in paragraphs))
    labels = "".join("".join(str(part) for part in nr.itertext()) for nr in element.iter(f"{{{RS[7:-1]}}}nr"))
    source = Counter("".join(str(part) for part in element.itertext()))
    for letter in set(source) - set(" "):
        # A nested number element is part of the outer one's label, so its letters are counted there more than once.
        assert source[letter] - Counter(labels)[letter] <= in_text[letter] <= source[letter]
