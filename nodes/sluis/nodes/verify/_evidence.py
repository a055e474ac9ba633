"""What a chunk can be evidence of, read once per chunk and shared by the checks."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Protocol, TypeVar

from sluis.core import Case, Chunk, Claim, Subject
from sluis.core.reading import (
    MARKER,
    Citations,
    ReadValue,
    Reference,
    instruction_spans,
    read_citations,
    read_claims,
    read_numbers,
    read_references,
)
from sluis.core.reading.clauses import Clause, read_clauses
from sluis.core.reading.contexts import Context, value_contexts
from sluis.core.reading.words import Language, Vocabulary, guessed_language, language_for, read_words, vocabulary


class Reading:
    """A text as the checks see it; each part is read when it is first asked for, and once.

    Attributes:
        text: of a chunk: with every instruction-like span blanked out, so that nothing in it can support a claim;
            offsets are those of the original.
        language: whose words count.
    """

    def __init__(self, text: str, locale: str | None, language: Language) -> None:
        self.text = text
        self.language = language
        self._locale = locale

    @cached_property
    def references(self) -> tuple[Reference, ...]:
        """Its references."""
        return read_references(self.text)

    @cached_property
    def citations(self) -> Citations:
        """Its citations."""
        return read_citations(self.text)

    @cached_property
    def _numbers(self) -> tuple[tuple[ReadValue, ...], tuple[tuple[str, int, int], ...]]:
        return read_numbers(self.text, locale=self._locale, citations=self.citations, references=self.references)

    @property
    def values(self) -> tuple[ReadValue, ...]:
        """Its values."""
        return self._numbers[0]

    @property
    def years(self) -> tuple[tuple[str, int, int], ...]:
        """Its bare years: ``(year, start, end)``."""
        return self._numbers[1]

    @cached_property
    def masks(self) -> tuple[tuple[int, int], ...]:
        """What is no word: citations, references, markers."""
        spans = [(item.start, item.end) for item in self.citations.found]
        spans += [(bad.start, bad.end) for bad in self.citations.malformed]
        spans += [(item.start, item.end) for item in self.references]
        spans += [found.span() for found in MARKER.finditer(self.text)]
        return tuple(sorted(spans))

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        """Its clauses."""
        return read_clauses(self.text, self.language, masks=self.masks)

    @cached_property
    def contexts(self) -> tuple[Context, ...]:
        """The context of each of its values."""
        return value_contexts(self.text, self.language, self.values, masks=self.masks)

    @cached_property
    def _context_by_start(self) -> dict[int, Context]:
        return {value.start: context for value, context in zip(self.values, self.contexts, strict=True)}

    def context_of(self, value: ReadValue) -> Context:
        """The context of one of its values."""
        return self._context_by_start[value.start]

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """All its words."""
        return vocabulary(read_words(self.text, self.language), self.language)


class _Placed(Protocol):
    @property
    def start(self) -> int: ...


P = TypeVar("P", bound=_Placed)


def within(items: Sequence[P], start: int, end: int) -> Sequence[P]:
    """Those of a sorted list that begin in a stretch; found by bisection, for a draft may hold thousands."""
    return items[bisect_left(items, start, key=_start) : bisect_left(items, end, key=_start)]


def _start(item: _Placed) -> int:
    return item.start


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
    return Reading(evidence_text(text), locale, language_for(locale) or guessed_language(text))


def read_chunk(chunk: Chunk) -> Reading:
    """The reading of a chunk; pure, so it is kept by its text and language."""
    return _read(chunk.text, None if chunk.language == "und" else chunk.language)


@lru_cache(maxsize=64)
def _drafted(text: str, locale: str | None) -> Reading:
    return Reading(text, locale, language_for(locale) or guessed_language(text))


def read_text(case: Case) -> Reading:
    """The reading of the draft's text, shared by the checks of one case."""
    return _drafted(case.draft.text, case.draft.locale)


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
