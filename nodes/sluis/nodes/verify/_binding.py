"""Whether a value of a source is the value *of* what a claim says it is of.

An equal value in the chunk is not enough: ``€ 2.000`` may stand there as the maximum cover and not as the excess. Each
value has a context (:mod:`sluis.core.reading.contexts`). The claim's words are looked for in the context of each equal
value and in that of each rival: a value of the same kind with another amount. A rival whose context holds more of them
is what the claim speaks of. Of two that hold as many, the words of the value's own piece decide.
"""

from __future__ import annotations

from collections.abc import Iterable

from sluis.core.reading import ReadValue, measure
from sluis.core.reading.clauses import telling
from sluis.core.reading.contexts import Context

from ._evidence import Reading

CLEAR = 2
"""By how many words a rival must lead for the value to be certainly another's."""

Objection = tuple[str, str]


def bound_to(value: ReadValue, said: Context, source: Reading, equal: Iterable[int]) -> Objection | None:
    """The objection to taking a source's equal values as the claim's; ``None``: one of them is it.

    Args:
        value: of the claim.
        said: its context in the claim.
        source: the chunk's reading.
        equal: indexes into the source's values of those that equal it.
    """
    contexts = source.contexts
    mine = [contexts[index] for index in equal]
    rivals = [
        contexts[index]
        for index, other in enumerate(source.values)
        if other.kind == value.kind and measure(other) != measure(value)
    ]
    best = max(_score(said, context) for context in mine)
    rival = max((_score(said, context) for context in rivals), default=(0, 0))
    if rival > best:
        certain = best[0] == 0 or rival[0] - best[0] >= CLEAR or any(context.table for context in mine)
        return ("block", "value_of_another") if certain else ("review", "value_of_another_maybe")
    objections = [_cell(said, context) for context in mine]
    return None if None in objections else objections[0]


def _score(said: Context, source: Context) -> tuple[int, int]:
    """How many of the claim's words the context holds; and of its own piece."""
    words = telling((*said.own, *said.shared))
    return sum(source.held.holds(word) for word in words), sum(source.held_own.holds(word) for word in words)


def _cell(said: Context, source: Context) -> Objection | None:
    """A value of a table needs a claim that names its row, and its column when several hold values."""
    if not source.table:
        return None
    words = telling((*said.own, *said.shared))
    if source.row is None or not any(source.row.holds(word) for word in words):
        return "review", "table_cell_unclear"
    if source.columns > 1:
        if source.column is None:
            return "review", "table_without_header"
        if not any(source.column.holds(word) for word in words):
            return "review", "table_cell_unclear"
    return None
