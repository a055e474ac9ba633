"""The reader of values: one pass over the tokens, left to right.

What it passes over: numbers inside citations, references and markers; telephone, docket, list, page and version
numbers; times of day; bare years (:func:`read_years` gives those).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from . import _vocabulary as words
from ._bounds import BoundReader
from ._cursor import Quantity
from ._dates import DateReader
from ._labels import LabelReader
from ._numerals import FRACTIONS
from ._reference import Reference
from .citations import Citations, read_citations
from .claims import MARKER
from .references import read_references
from .values import Date, Duration, Money, Number, Percent, ReadValue


class _Reader(LabelReader, DateReader, BoundReader):
    """Reads all values of a text."""

    def __init__(self, text: str, locale: str | None, masks: Iterable[tuple[int, int]]) -> None:
        super().__init__(text, locale, masks)
        self.values: list[ReadValue] = []
        self.years: list[tuple[str, int, int]] = []

    def run(self) -> None:
        index = 0
        while index < len(self.tokens):
            index = max(index + 1, self.step(index))

    def step(self, index: int) -> int:
        token = self.at(index)
        if not token.text:
            return index + 1
        if token.kind == "number" or token.low in words.MONTHS:
            dates = self.date_at(index) if not (self.glued(index) and self.at(index - 1).kind == "word") else None
            if dates is not None:
                for value, ambiguous, unreliable, first, after in dates[0]:
                    self.keep_date(value, ambiguous, unreliable, first, after)
                return dates[1]
        skipped = self.passed_over(index)
        if skipped is not None:
            return skipped
        if token.text in "\u00b2\u00b3" and self.glued(index) and self.at(index - 1).low in words.METRES:
            return index + 1
        if token.kind == "symbol" and token.text.isnumeric() and token.text not in FRACTIONS:
            return self.foreign_digits(index)
        found = self.quantity(index)
        if found is None:
            return index + 1
        return self.keep(self.ranged(found))

    def foreign_digits(self, index: int) -> int:
        """Digits of another script, or raised: said to be unreliable, never converted."""
        after = index + 1
        while self.at(after).text.isnumeric() and self.glued(after):
            after += 1
        self.keep(Quantity(None, index, after, unreliable=True))
        return after

    def ranged(self, found: Quantity) -> Quantity:
        """A value that is the lower end of a range, joined with its upper end."""
        if found.amount is None or found.unreliable or found.kind == "identifier" or (found.written and found.article):
            return found
        between = self.at(found.first - 1).low in ("tussen", "between")
        after = found.after
        token = self.at(after)
        if token.low in ("en", "and"):
            if not between:
                return found
            start = after + 1
        elif token.text == "-" or token.low in ("tot", "\u00e0", "to"):
            start = after + 1
            if token.low == "tot" and self.at(start).low == "en" and self.at(start + 1).low == "met":
                start += 2
        elif token.low == "t" and self.at(after + 1).text == "/" and self.at(after + 2).low == "m":
            start = after + 3
        else:
            return found
        if self.at(start).kind == "number" and (self.date_at(start) is not None or self.passed_over(start) is not None):
            return found
        other = self.quantity(start)
        if other is None or other.amount is None or other.unreliable or other.low is not None:
            return found
        return self._joined(found, other)

    @staticmethod
    def _joined(found: Quantity, other: Quantity) -> Quantity:
        low_scale = found.scale if found.scale != 1 else other.scale
        if found.kind == "number":
            kind, currency, unit = other.kind, other.currency, other.unit
        elif other.kind == "number" and found.kind == "money":
            kind, currency, unit = found.kind, found.currency, found.unit
        elif (found.kind, found.currency, found.unit) == (other.kind, other.currency, other.unit):
            kind, currency, unit = found.kind, found.currency, found.unit
            low_scale = found.scale
        else:
            return found
        if found.amount is None or other.amount is None or found.amount * low_scale >= other.amount * other.scale:
            return found
        return replace(
            other,
            first=found.first,
            kind=kind,
            currency=currency,
            unit=unit,
            low=found.amount * low_scale,
            ambiguous=found.ambiguous or other.ambiguous,
            conflict=found.conflict or other.conflict,
            written=found.written and other.written,
            article=False,
        )

    def keep_date(self, value: str, ambiguous: bool, unreliable: bool, first: int, after: int) -> None:
        bound, edge = self.bound(first, after, dated=True)
        self.values.append(
            Date(
                value=value,
                ambiguous=ambiguous,
                unreliable=unreliable,
                bound=bound,
                edge=edge,
                **self._place(first, after),
            )
        )

    def keep(self, found: Quantity) -> int:
        """Turn a quantity into a value, if it is one; returns the index after it."""
        if found.kind == "identifier":
            return found.after
        if found.kind == "number":
            if found.written and found.article and self.at(found.first).low not in ("\u00e9\u00e9n", "e\u00e9n"):
                return found.after
            if found.written and found.scale == 1 and self.at(found.first).low in ("half", "halve"):
                return found.after
            if self._is_year(found):
                place = self._place(found.first, found.after)
                self.years.append((place["text"], place["start"], place["end"]))
                return found.after
        bound, edge = self.bound(found.first, found.after, dated=False)
        amount = None if found.amount is None else found.amount * found.scale
        common: dict[str, Any] = {
            "amount": None if found.low is not None else amount,
            "low": found.low,
            "high": amount if found.low is not None else None,
            "bound": bound,
            "edge": edge,
            "ambiguous": found.ambiguous,
            "unreliable": found.unreliable,
            "conflict": found.conflict,
            "weak": found.article or (found.written and found.kind == "number"),
            **self._place(found.first, found.after),
        }
        if found.kind == "money":
            self.values.append(Money(currency=found.currency, **common))
        elif found.kind == "percent":
            self.values.append(Percent(**common))
        elif found.kind == "duration":
            self.values.append(Duration(unit=found.unit, **common))
        else:
            self.values.append(Number(**common))
        return found.after

    def _is_year(self, found: Quantity) -> bool:
        token = self.at(found.first)
        if found.after != found.first + 1 or len(token.text) != 4 or token.kind != "number":
            return False
        if token.text[:2] not in ("17", "18", "19", "20"):
            return False
        before, after = self.at(found.first - 1), self.at(found.after)
        named = before.low in words.YEAR_AFTER or before.text in ("(", ",", "'") or before.text[:1].isupper()
        return named or after.kind != "word" or after.text[0].isupper()


def _masks(text: str, citations: Citations, references: Iterable[Reference]) -> list[tuple[int, int]]:
    spans = [(item.start, item.end) for item in citations.found]
    spans.extend((bad.start, bad.end) for bad in citations.malformed)
    spans.extend((item.start, item.end) for item in references)
    spans.extend(found.span() for found in MARKER.finditer(text))
    return spans


def read_numbers(
    text: str,
    *,
    locale: str | None,
    citations: Citations | None = None,
    references: Iterable[Reference] | None = None,
) -> tuple[tuple[ReadValue, ...], tuple[tuple[str, int, int], ...]]:
    """All values and all bare years of a text, each in order.

    Args:
        text: any text, also an ill-formed one.
        locale: BCP 47 tag of the text, or ``None`` when it declares none: then a value with two readings says so.
        citations, references: of the same text, when they are at hand; numbers in them are no values.

    Returns:
        Values whose ``text`` equals ``text[start:end]``; and years, which are no values by themselves, as
        ``(year, start, end)``.
    """
    cited = read_citations(text) if citations is None else citations
    referred = read_references(text) if references is None else references
    reader = _Reader(text, locale, _masks(text, cited, referred))
    reader.run()
    return tuple(reader.values), tuple(reader.years)


def read_values(text: str, *, locale: str | None) -> tuple[ReadValue, ...]:
    """The values of :func:`read_numbers`."""
    return read_numbers(text, locale=locale)[0]


def read_years(text: str) -> tuple[tuple[str, int, int], ...]:
    """The bare years of :func:`read_numbers` (``in 2019``)."""
    return read_numbers(text, locale=None)[1]
