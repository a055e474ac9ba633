"""What a chunk can be evidence of, read once per chunk and shared by the checks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from sluis.core import Case, Chunk, Claim, Subject
from sluis.core.reading import (
    Citations,
    ReadValue,
    Reference,
    instruction_spans,
    read_citations,
    read_claims,
    read_references,
    read_values,
    read_years,
)


@dataclass(frozen=True, kw_only=True)
class Reading:
    """A chunk's text as the checks see it.

    Attributes:
        text: the text with every instruction-like span blanked out, so that nothing in it can support a claim;
            offsets are those of the chunk.
        values, references, citations, years: what was read in ``text``.
    """

    text: str
    values: tuple[ReadValue, ...]
    references: tuple[Reference, ...]
    citations: Citations
    years: frozenset[str]


def evidence_text(text: str) -> str:
    """A chunk's text without its instruction-like spans, at equal offsets."""
    pieces: list[str] = []
    position = 0
    for span in instruction_spans(text):
        pieces.append(text[position : span.start])
        pieces.append("\n" * (span.end - span.start))
        position = span.end
    pieces.append(text[position:])
    return "".join(pieces)


@lru_cache(maxsize=512)
def _read(text: str, locale: str | None) -> Reading:
    kept = evidence_text(text)
    return Reading(
        text=kept,
        values=read_values(kept, locale=locale),
        references=read_references(kept),
        citations=read_citations(kept),
        years=frozenset(year for year, _, _ in read_years(kept)),
    )


def read_chunk(chunk: Chunk) -> Reading:
    """The reading of a chunk; pure, so it is kept by its text and language."""
    return _read(chunk.text, None if chunk.language == "und" else chunk.language)


@lru_cache(maxsize=64)
def _claims(text: str) -> tuple[Claim, ...]:
    return read_claims(text).claims


def claims_of(case: Case) -> tuple[Claim, ...]:
    """The claims of a draft, read from its text and not taken from whoever made the draft."""
    return _claims(case.draft.text)


def cited(case: Case, labels: tuple[str, ...]) -> tuple[tuple[str, Chunk], ...]:
    """The chunks under some labels; a label without a chunk is left out (``citations.known`` blocks it)."""
    by_label = case.evidence.by_label()
    return tuple((label, by_label[label]) for label in labels if label in by_label)


def subject(text: str, start: int, end: int) -> Subject:
    """A span of the draft as the subject of a finding."""
    return Subject(text=text[start:end], start=start, end=end)
