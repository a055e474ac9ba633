"""contradiction: a draft does not say that the sources are silent while one of them holds what was asked."""

from __future__ import annotations

import re2

from sluis.core import Case, Finding, finding
from sluis.core.reading import ABSENCE, lexed
from sluis.core.reading.clauses import telling
from sluis.core.reading.words import read_words

from ._evidence import claims_of, read_chunk, read_text, subject

NAME = "contradiction"

_SILENT = re2.compile(
    r"(?i)\b(?:bron(?:nen)?|sources?|documenten?|documents?|tekst(?:en)?|context|stukken|passages?)\b[^.!?\n]{0,80}"
    r"\b(?:niets|geen|niet|nothing|no|not|silent|zwijgen|zwijgt)\b"
    r"|\b(?:niets|geen|niet|nothing|no|not)\b[^.!?\n]{0,80}"
    r"\b(?:in|uit|from|by) (?:de|het|the|deze|these) "
    r"(?:bron(?:nen)?|sources?|documenten?|documents?|tekst(?:en)?|context|stukken|passages?)\b"
)
_ASKS = (
    (
        ("money", "percent"),
        re2.compile(
            r"(?i)\b(?:hoeveel|wat kost|welk bedrag|hoe hoog|hoe duur|how much|what does .{0,40} cost|how high)\b"
        ),
    ),
    (
        ("duration", "date"),
        re2.compile(
            r"(?i)\b(?:hoe lang|wanneer|welke termijn|binnen welke|tot wanneer|vanaf wanneer|"
            r"hoeveel (?:dagen|weken|maanden|jaren|tijd)|how long|when|which term|what period|by when|deadline|"
            r"how many (?:days|weeks|months|years))\b"
        ),
    ),
    (("number", "percent", "money"), re2.compile(r"(?i)\b(?:hoeveel|welk aantal|how many)\b")),
)


class Contradiction:
    """What was asked is told from the question: an amount (``hoeveel``, ``hoe hoog``), a term or date (``hoe lang``,
    ``wanneer``), a number (``hoe veel``). A clause of a shown chunk answers it when it holds a value of that kind and a
    telling word of the question.

    Reason code for a person: ``absence_contradicted``.
    """

    name = NAME
    version = 1

    async def run(self, case: Case) -> tuple[Finding, ...]:
        """An objection to each absence statement that a shown chunk contradicts."""
        silent = [
            claim
            for claim in claims_of(case)
            if " ".join(lexed(claim.text).text.lower().split()) in ABSENCE or _SILENT.search(claim.text) is not None
        ]
        if not silent:
            return ()
        answer = _answering(case)
        if answer is None:
            return ()
        text = case.draft.text
        message = "The draft says that the sources are silent, and one of them seems to hold the answer."
        return tuple(
            finding(
                NAME,
                "review",
                "absence_contradicted",
                message,
                subject=subject(text, claim.start, claim.end),
                evidence=answer,
                waivable=True,
            )
            for claim in silent
        )


def _answering(case: Case) -> dict[str, object] | None:
    """Where a shown chunk holds a value of the asked kind beside a word of the question."""
    question = case.context.request.question
    kinds = {kind for wanted, pattern in _ASKS if pattern.search(question) is not None for kind in wanted}
    if not kinds:
        return None
    language = read_text(case).language
    words = [word for word in telling(read_words(question, language)) if word.kind != "number"]
    for item in case.evidence.items:
        source = read_chunk(item.chunk)
        for clause in source.clauses:
            values = [value for value in source.values if clause.start <= value.start < clause.end]
            if any(value.kind in kinds for value in values) and any(clause.held.holds(word) for word in words):
                return {
                    "label": item.label,
                    "chunk_id": item.chunk.chunk_id,
                    "text": source.text[clause.start : clause.end].strip(),
                    "start": clause.start,
                    "end": clause.end,
                }
    return None
