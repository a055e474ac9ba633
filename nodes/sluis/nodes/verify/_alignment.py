"""Which clauses of the cited sources a clause of a claim speaks of.

Used to *object* alone: a claim is never supported because its words resemble a source's.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sluis.core.reading import ReadValue, measure
from sluis.core.reading.clauses import Clause, contrary, telling

from ._evidence import Reading, within

_VALUE_WEIGHT = 2


@dataclass(frozen=True, slots=True)
class Match:
    """The clauses of a source that hold most of what a claim's clause says.

    Attributes:
        source: the chunk's reading.
        clauses: the best ones, in order of the text.
        score: words held, a value counting double.
        wanted: the most that it could be.
    """

    source: Reading
    clauses: tuple[Clause, ...]
    score: int
    wanted: int

    @property
    def sure(self) -> bool:
        """Whether it is plain that these clauses are meant: two things in common, and half of all at least."""
        return self.score >= 2 and 2 * self.score >= self.wanted


def aligned(clause: Clause, values: Iterable[ReadValue], sources: Iterable[Reading]) -> Match | None:
    """The best match of a clause over several sources; ``None``: nothing in common.

    Args:
        clause: of the claim.
        values: those that stand in it.
        sources: readings of the cited chunks.
    """
    words = telling(clause.words)
    measures = [measure(value) for value in values]
    wanted = len(words) + _VALUE_WEIGHT * len(measures)
    best: Match | None = None
    for source in sources:
        scored: list[tuple[int, Clause]] = []
        for other in source.clauses:
            held = {measure(item) for item in within(source.values, other.start, other.end)}
            # A word and its contrary speak of the same thing.
            score = sum(other.held.holds(word) or contrary(word.low, other.lows) for word in words)
            score += _VALUE_WEIGHT * sum(item in held for item in measures)
            if score:
                scored.append((score, other))
        top = max((score for score, _ in scored), default=0)
        if top and (best is None or top > best.score):
            kept = tuple(other for score, other in scored if score == top)
            best = Match(source=source, clauses=kept, score=top, wanted=wanted)
    return best
