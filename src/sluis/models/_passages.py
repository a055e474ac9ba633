"""The sentences of the evidence that may be quoted, each with its place.

Left out: whatever overlaps an instruction-like span, holds a URL, markup, a marker or a thought tag (quoted, it
could do more than be read), headings, questions, and pieces too short or too long to stand alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import re2

from sluis.core import Chunk, Evidence
from sluis.core.reading import instruction_spans, split_sentences

from ._terms import language_of, stems
from ._thought import scan_thoughts

__all__ = ["Passage", "passages"]

_UNFIT = re2.compile(
    r"(?i)[<>`|{}\\]|://|\bwww\.|\bmailto:|\bdata:|\bjavascript:|\]\(|!\[|^#|"
    # What could be read as a marker: brackets around something with a digit, whole or not closed.
    r"[\[【［][^\[\]【】［］]{0,40}[0-9]"
)
_LABEL = re2.compile(r"^(?:(?:[0-9]{1,3}(?:\.[0-9]{1,3}){0,5}\.?|\(?[a-z]{1,2}\)|[a-z]\.|[-*•])\s+)+")
_SHORTEST = 25
_LONGEST = 700
_FEWEST_WORDS = 4


@dataclass(frozen=True, kw_only=True)
class Passage:
    """One sentence of a chunk, white space made single.

    Attributes:
        text: the sentence.
        label: of its chunk in the evidence.
        order: place of the chunk in its document, then of the sentence in the chunk.
        terms: its stems.
        language: ``nl``, ``en`` or ``None``.
    """

    text: str
    label: str
    order: tuple[int, int]
    terms: tuple[str, ...]
    language: str | None


def _without_label(text: str) -> str:
    """A sentence without the number of its paragraph; a number that a date or an amount begins with stays."""
    found = _LABEL.match(text)
    if found is None or not text[found.end() : found.end() + 1].isupper():
        return text
    return str(text[found.end() :])


def _of_chunk(label: str, chunk: Chunk) -> list[Passage]:
    barred = instruction_spans(chunk.text)
    language = language_of(chunk.language)
    found: list[Passage] = []
    for index, span in enumerate(split_sentences(chunk.text)):
        if any(span.start < other.end and other.start < span.end for other in barred):
            continue
        text = _without_label(" ".join(span.text.split()))
        if not _SHORTEST <= len(text) <= _LONGEST or text.endswith(("?", ":")) or len(text.split()) < _FEWEST_WORDS:
            continue
        # What begins small is the rest of something.
        if text[0].islower():
            continue
        # An ordinary sentence ends as one; a line without a full stop is a heading or a piece of a list.
        if not text.rstrip("\"'”’»)").endswith((".", "!", ";")):
            continue
        if _UNFIT.search(text) or scan_thoughts(text).leaked:
            continue
        found.append(
            Passage(
                text=text,
                label=label,
                order=(chunk.position, index),
                terms=tuple(stems(text, language)),
                language=language,
            )
        )
    return found


def passages(evidence: Evidence) -> tuple[Passage, ...]:
    """All quotable sentences, in the order of the evidence; of equal sentences only the first."""
    seen: dict[str, Passage] = {}
    for item in evidence.items:
        for passage in _of_chunk(item.label, item.chunk):
            seen.setdefault(passage.text, passage)
    return tuple(seen.values())
