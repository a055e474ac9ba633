"""Scorers: each compares one part of an expectation with an answer. Deterministic; they fail closed.

A scorer that raises, or that says anything but a :class:`Score` or ``None`` ("nothing of this is expected"), fails
the case. A case to which no scorer applies fails as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from sluis.core import SluisError, Value

from .answer import Answer
from .dataset import EvalCase

__all__ = [
    "DEFAULT_SCORERS",
    "CitationScorer",
    "FindingScorer",
    "OutcomeScorer",
    "Score",
    "Scorer",
    "TextScorer",
    "score_case",
]


class Score(Value):
    """What one scorer says of one case."""

    scorer: str
    passed: bool
    detail: str = ""
    """What was missing or too much; empty when it passed."""


class Scorer(Protocol):
    """Judges one aspect."""

    @property
    def name(self) -> str: ...

    def score(self, case: EvalCase, answer: Answer) -> Score | None:
        """The score, or ``None`` when the case expects nothing of this kind."""
        ...


def _score(name: str, problems: Sequence[str]) -> Score:
    return Score(scorer=name, passed=not problems, detail="; ".join(problems))


class OutcomeScorer:
    """The run ended as it should, for the reason it should."""

    name = "outcome"

    def score(self, case: EvalCase, answer: Answer) -> Score | None:
        expected, outcome = case.expect, answer.outcome
        if not expected.status and not expected.reason:
            return None
        problems = []
        if expected.status and outcome.status not in expected.status:
            problems.append(f"ended in {outcome.status.value}, not in {'|'.join(expected.status)}")
        if expected.reason and outcome.reason != expected.reason:
            problems.append(f"because of {outcome.reason}, not of {expected.reason}")
        return _score(self.name, problems)


class CitationScorer:
    """The draft cites the sources it should and none it should not."""

    name = "citations"

    def score(self, case: EvalCase, answer: Answer) -> Score | None:
        expected = case.expect
        if not expected.cites and not expected.cites_none_of:
            return None
        problems = [f"does not cite {item}" for item in expected.cites if item not in answer.cites]
        problems += [f"cites {item}" for item in expected.cites_none_of if item in answer.cites]
        return _score(self.name, problems)


class TextScorer:
    """The draft holds the texts it should and none it should not."""

    name = "text"

    def score(self, case: EvalCase, answer: Answer) -> Score | None:
        expected = case.expect
        if not expected.contains and not expected.contains_none_of:
            return None
        problems = [f"does not hold {item!r}" for item in expected.contains if item not in answer.text]
        problems += [f"holds {item!r}" for item in expected.contains_none_of if item in answer.text]
        return _score(self.name, problems)


class FindingScorer:
    """The checks made the findings they should."""

    name = "findings"

    def score(self, case: EvalCase, answer: Answer) -> Score | None:
        if not case.expect.findings:
            return None
        return _score(self.name, [f"no finding {item}" for item in case.expect.findings if item not in answer.findings])


DEFAULT_SCORERS: tuple[Scorer, ...] = (OutcomeScorer(), CitationScorer(), TextScorer(), FindingScorer())
"""All of the above."""


def score_case(scorers: Sequence[Scorer], case: EvalCase, answer: Answer) -> tuple[Score, ...]:
    """All scores of a case; never empty, so that a case nobody judged cannot pass."""
    scores: list[Score] = []
    for scorer in scorers:
        name = scorer.name
        try:
            said: object = scorer.score(case, answer)
        except Exception as error:  # noqa: BLE001 - a scorer that breaks fails the case; no graph runs in here
            code = error.code if isinstance(error, SluisError) else type(error).__name__
            scores.append(Score(scorer=name, passed=False, detail=f"the scorer failed ({code})"))
            continue
        if isinstance(said, Score):
            scores.append(said)
        elif said is not None:
            scores.append(Score(scorer=name, passed=False, detail="the scorer gave no score"))
    return tuple(scores) or (Score(scorer="none", passed=False, detail="no scorer applies to this case"),)
