"""Rulings of Rechtspraak as documents. The court's own words alone: the editor's summary is not among them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sluis.core import InputError, Marker, digest_bytes

from .document import BlockKind, DocumentMeta, ParsedDocument, TextBuilder, visible
from .errors import DocumentError
from .parse_text import Defaults

if TYPE_CHECKING:
    from sluis.sources._ruling_body import ParagraphKind

SOURCE_KIND = "ecli"
DOC_TYPE = "ruling"

_DETAILS = "https://uitspraken.rechtspraak.nl/details?id="
"""Where a person reads a ruling; the only address an answer that cites it may hold."""

_MARKERS = {
    "void": Marker.WITHDRAWN,
    "no_longer_valid_text": Marker.WITHDRAWN,
    "replaced": Marker.SUPERSEDED,
    "overturned": Marker.SUPERSEDED,
    "empty_marker": Marker.UNKNOWN,
    "not_public": Marker.UNKNOWN,
}
"""What the record says, as a marker. What it leaves open (an appeal without outcome) is for the live check."""


def parse_ruling_document(data: bytes, *, name: str, defaults: Defaults) -> ParsedDocument:
    """One record of the register.

    Args:
        data: its bytes.
        name: its path within the folder; for messages alone, since a ruling is known by its ECLI.
        defaults: audience and tenant, which no record speaks of.

    Raises:
        DocumentError: it is no record, has no date or publishes no text; ``subject["reason"]`` says which.
    """
    # Late: this brings lxml.
    from sluis.sources.rechtspraak import parse_ruling
    from sluis.sources.ruling_status import judge_ruling

    try:
        record = parse_ruling(data)
    except InputError as error:
        reason = error.code.rpartition(".")[2]
        raise DocumentError(f"{error.message}", hint=error.hint, reason=reason) from error
    if not record.paragraphs:
        raise DocumentError("The register does not publish the text of this ruling.", reason="no_text")
    decided = record.decided or record.issued
    if decided is None:
        raise DocumentError("The record bears no date.", reason="no_date")
    builder = TextBuilder()
    removed = 0
    for paragraph in record.paragraphs:
        text, gone = visible(paragraph.text)
        removed += gone
        builder.add(text, kind=_kind(paragraph.kind), path=paragraph.numbering, unit=_unit(paragraph.numbering))
    whole, blocks = builder.done()
    if not blocks:
        raise DocumentError("The register does not publish the text of this ruling.", reason="no_text")
    verdict = judge_ruling(record, record.ecli)
    if verdict.reason == "wrong_record":
        raise DocumentError("The texts in the record belong to another ruling.", reason="wrong_record")
    marker = _MARKERS.get(verdict.reason, Marker.CURRENT)
    day = decided.year * 10_000 + decided.month * 100 + decided.day
    try:
        meta = DocumentMeta(
            source_id=record.ecli,
            source_kind=SOURCE_KIND,
            source_url=f"{_DETAILS}{record.ecli}",
            title=f"{record.court}, {decided.isoformat()}" if record.court else record.ecli,
            family=record.ecli,
            version=record.modified or "1",
            doc_type=DOC_TYPE,
            language=(record.language or defaults.language).lower()[:35],
            tenant=defaults.tenant,
            audience=defaults.audience,
            marker=marker,
            valid_from=day,
        )
    except ValueError as error:
        raise DocumentError("The record holds a field that is too long.", reason="malformed") from error
    return ParsedDocument(
        meta=meta,
        text=whole,
        blocks=blocks,
        raw_digest=digest_bytes(data),
        removed=removed,
        notices=() if marker is Marker.CURRENT else (f"marker_{marker.value}",),
    )


def _kind(kind: ParagraphKind) -> BlockKind:
    return "text" if kind == "footnote" else kind


def _unit(numbering: tuple[str, ...]) -> int:
    """How many labels name the consideration: ``("4", "4.2", "a")`` is 4.2 with an item below it."""
    depth = 0
    for index, label in enumerate(numbering):
        grows = index == 0 or label.startswith(f"{numbering[index - 1]}.")
        if not grows:
            break
        depth = index + 1
    return depth
