"""A drafter without a language model: it quotes the sentences of the sources that speak most of the question.

It reads nothing and infers nothing. A sentence is ranked by the stems it shares with the question (BM25 over the
sentences shown, Dutch and English, compounds by head and tail) and must cover enough of them; else the answer is
``UNCLEAR``. Equal input gives equal output.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType

import re2

from sluis.core import Completion, CompletionStatus, ConfigurationError, Evidence, Finding, Request

from ._passages import Passage, passages
from ._terms import asks_for_value, content_terms, match_weight
from ._wellformed import well_formed

__all__ = ["UNCLEAR", "ExtractiveDrafter", "ExtractiveLimitsError"]

UNCLEAR = "UNCLEAR"
"""The whole answer when no sentence fits."""

_K1 = 1.2
_B = 0.5
_CHUNK_SHARE = 0.25
_VALUE_BONUS = 1.3
_LEANING_MALUS = 0.8
_PARTY_MALUS = 0.5
_TWIN = 0.8
_DIGIT = re2.compile(r"[0-9]")
_LEANS = re2.compile(
    r"(?i)^(?:dit|deze|die|dat|hij|zij|ze|daarom|daarbij|daartoe|daarvan|dan|ook|evenmin|verder|this|that|these|those|"
    r"it|he|she|they|therefore|however|also|moreover)\b"
)
_PARTY = re2.compile(
    r"(?i)\b(?:vorder(?:t|en|de|den)|verzoek(?:t|en)|vraagt|vragen|betoogt|betogen|voert? aan|aangevoerd|meent|menen|"
    r"stel(?:t|len) zich|(?:heeft|hebben) gesteld|"
    r"claims|claimed|argues|argued|submits|submitted|contends|contended)\b"
)
"""What a party says or asks is not what the source holds."""


class ExtractiveLimitsError(ConfigurationError):
    """The drafter is built with limits that cannot be."""

    code = "usage.configuration.extractive_limits"


@dataclass(frozen=True, kw_only=True)
class _Scored:
    passage: Passage
    score: float
    coverage: float
    matched: int


class _Ranker:
    """BM25 of sentences for one question; document frequencies over the sentences shown."""

    def __init__(self, question: str, found: Sequence[Passage]) -> None:
        self._found = found
        self._average = sum(len(item.terms) for item in found) / len(found) if found else 1.0
        languages = {item.language for item in found}
        self._terms = {language: content_terms(question, language) for language in languages}
        self._value = asks_for_value(question)
        self._idf = {(language, term): self._rarity(term) for language, terms in self._terms.items() for term in terms}
        by_label: dict[str, set[str]] = {}
        for item in found:
            by_label.setdefault(item.label, set()).update(item.terms)
        self._by_label = MappingProxyType(by_label)

    def _rarity(self, term: str) -> float:
        count = sum(1 for item in self._found if any(match_weight(term, word) > 0 for word in item.terms))
        return math.log(1 + (len(self._found) - count + 0.5) / (count + 0.5))

    def _weight(self, rarity: float) -> float:
        """What a term counts for coverage: a word that all sentences share still counts half of the rarest."""
        rarest = math.log(1 + (len(self._found) + 0.5) / 0.5)
        return 0.5 + 0.5 * rarity / rarest

    def score(self, passage: Passage) -> _Scored:
        terms = self._terms[passage.language]
        weights_of = {term: self._weight(self._idf[passage.language, term]) for term in terms}
        total = sum(weights_of.values())
        length = 1 - _B + _B * len(passage.terms) / max(self._average, 1.0)
        around = self._by_label[passage.label]
        score = covered = 0.0
        matched = 0
        for term in terms:
            rarity = self._idf[passage.language, term]
            weights = [weight for word in passage.terms if (weight := match_weight(term, word)) > 0]
            if weights:
                frequency = sum(weights)
                score += rarity * frequency * (_K1 + 1) / (frequency + _K1 * length)
                covered += weights_of[term] * max(weights)
                matched += 1
            elif any(match_weight(term, word) > 0 for word in around):
                score += _CHUNK_SHARE * rarity
        if self._value and _DIGIT.search(passage.text):
            score *= _VALUE_BONUS
        if _LEANS.search(passage.text):
            score *= _LEANING_MALUS
        if _PARTY.search(passage.text):
            score *= _PARTY_MALUS
        coverage = covered / total if total > 0 else 0.0
        # A sentence that says much of one word of the question is worth less than one that speaks of all of them.
        return _Scored(passage=passage, score=score * coverage, coverage=coverage, matched=matched)

    def asked(self, passage: Passage) -> int:
        return len(self._terms[passage.language])


def _twins(one: Passage, other: Passage) -> bool:
    mine, theirs = set(one.terms), set(other.terms)
    union = mine | theirs
    return bool(union) and len(mine & theirs) / len(union) >= _TWIN


@dataclass(frozen=True, kw_only=True)
class _Quoted:
    passage: Passage
    start: int
    end: int


class ExtractiveDrafter:
    """Quotes sentences; see the module.

    Args:
        sentences: quoted at most.
        coverage: share of the question's weight that the best sentence must cover, 0 to 1.
        near: a further sentence needs this share of the best one's score.

    Raises:
        ExtractiveLimitsError: a limit is out of its range.
    """

    model = "sluis-extractive@1"

    def __init__(self, *, sentences: int = 3, coverage: float = 0.4, near: float = 0.6) -> None:
        if sentences < 1 or not 0 < coverage <= 1 or not 0 <= near <= 1:
            raise ExtractiveLimitsError(
                "A limit of the extractive drafter is out of range.", hint="See sluis.models.ExtractiveDrafter."
            )
        self._sentences = sentences
        self._coverage = coverage
        self._near = near

    def draft(
        self, *, question: str, evidence: Evidence, request: Request, findings: tuple[Finding, ...], round: int
    ) -> Completion:
        """Quote what fits.

        On a redraft (findings given) the sentences that blocking findings object to are left out. From the third
        draft on, all that the first one quoted is left out as well: what was said of those is not known any more,
        so none of them may come back.
        """
        question = well_formed(question)
        found = passages(evidence)
        barred: set[str] = set()
        objections = [item for item in findings if item.status == "block"]
        if objections:
            first = self._select(question, found)
            barred |= _objected(objections, found, self._lay_out(first) if round == 1 else ())
            if round > 1 or not barred:
                barred |= {passage.text for passage in first}
        chosen = self._select(question, tuple(item for item in found if item.text not in barred))
        text = "\n\n".join(_line(item) for item in chosen) or UNCLEAR
        return Completion(status=CompletionStatus.OK, text=text, model=self.model, drafter="extractive")

    async def adraft(
        self, *, question: str, evidence: Evidence, request: Request, findings: tuple[Finding, ...], round: int
    ) -> Completion:
        """The same; it is quick enough to run in the loop."""
        return self.draft(question=question, evidence=evidence, request=request, findings=findings, round=round)

    def _select(self, question: str, found: Sequence[Passage]) -> tuple[Passage, ...]:
        ranker = _Ranker(question, found)
        scored = sorted(
            (ranker.score(item) for item in found),
            key=lambda item: (-item.score, item.passage.label, item.passage.order),
        )
        chosen: list[Passage] = []
        best = 0.0
        for item in scored:
            needed = min(2, ranker.asked(item.passage))
            if needed == 0 or item.matched < needed or item.coverage < self._coverage:
                continue
            best = best or item.score
            if item.score < self._near * best or len(chosen) == self._sentences:
                break
            if not any(_twins(item.passage, other) for other in chosen):
                chosen.append(item.passage)
        # The best chunk first, and within a chunk its own order.
        labels = list(dict.fromkeys(item.label for item in chosen))
        return tuple(sorted(chosen, key=lambda item: (labels.index(item.label), item.order)))

    @staticmethod
    def _lay_out(chosen: Sequence[Passage]) -> tuple[_Quoted, ...]:
        quoted: list[_Quoted] = []
        position = 0
        for item in chosen:
            line = _line(item)
            quoted.append(_Quoted(passage=item, start=position, end=position + len(line)))
            position += len(line) + 2
        return tuple(quoted)


def _line(passage: Passage) -> str:
    return f"{passage.text} [{passage.label}]"


def _objected(objections: list[Finding], found: Sequence[Passage], quoted: Sequence[_Quoted]) -> set[str]:
    """The sentences that findings are about: by their span in the draft where that is known, else by their words."""
    barred: set[str] = set()
    for item in objections:
        span = item.subject
        by_place = {
            line.passage.text
            for line in quoted
            if span.start < line.end and line.start < span.end and span.start < span.end
        }
        if by_place:
            barred |= by_place
        elif span.text.strip():
            words = " ".join(span.text.split())
            barred |= {passage.text for passage in found if words in passage.text or passage.text in words}
    return barred
