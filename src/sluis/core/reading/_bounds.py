"""The bound that governs a value: ``ten hoogste``, ``niet later dan``, ``or less``."""

from __future__ import annotations

from . import _vocabulary as words
from ._cursor import Cursor
from .values import Bound, Edge


class BoundReader(Cursor):
    """Reads bounds."""

    def bound(self, first: int, after: int, *, dated: bool) -> tuple[Bound | None, Edge]:
        """The bound that governs a value, before or after it."""
        for size in (3, 2, 1):
            phrase = tuple(self.at(after + place).low for place in range(size))
            if phrase in words.LATER_BOUNDS and not self._leads(after + size):
                return words.LATER_BOUNDS[phrase]
        opening = (self.at(first - 1).low,)
        before = self.at(first - 2)
        if not dated and opening in words.OPEN_BOUNDS and before.low not in words.NO_OPEN_BOUND:
            return words.OPEN_BOUNDS[opening]
        place = first - 1
        for _ in range(6):
            found = self._bound_ending(place, dated=dated)
            if found is not None:
                return found
            low = self.at(place).low
            if low not in words.FILLERS and low not in ("\u20ac", "eur"):
                break
            place -= 1
        return None, "inclusive"

    def _leads(self, index: int) -> bool:
        """Whether what stands before ``index`` belongs to a value that begins there."""
        token = self.at(index)
        return token.kind == "number" or token.text in words.CURRENCY_SYMBOLS or token.text in words.CURRENCY_CODES

    def _bound_ending(self, place: int, *, dated: bool) -> tuple[Bound, Edge] | None:
        if self.at(place).text == "." and self.at(place - 1).low in ("max", "min"):
            place -= 1
        before = [self.at(place - back).low for back in range(words.LONGEST_BOUND + 1)]
        # ``niet hoger zijn dan``: the verb inside the phrase is no part of it.
        if before[0] == "dan" and before[1] in ("zijn", "worden", "bedragen"):
            before = [before[0], *before[2:], ""]
        for size in range(words.LONGEST_BOUND, 0, -1):
            phrase = tuple(reversed(before[:size]))
            if phrase in words.BOUNDS:
                return words.BOUNDS[phrase]
            if dated and phrase in words.DATE_BOUNDS:
                return words.DATE_BOUNDS[phrase]
        return None
