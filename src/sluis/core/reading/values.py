"""Values: money, percentages, dates, durations and numbers, in normal form.

Two values support each other only if kind, amount (or date), unit, currency and bound are equal; see
:func:`same_value`. ``35 euro`` is not ``35%``, ``60 dagen`` is not ``60 werkdagen``, ``€ 890`` is not
``€ 890 miljoen``.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import ClassVar, Literal

Bound = Literal["at_most", "at_least"]
Edge = Literal["inclusive", "exclusive", "unclear"]
Unit = Literal["minute", "hour", "day", "working_day", "week", "month", "year"]


def decimal_text(amount: Decimal) -> str:
    """A decimal string without exponent and without trailing zeros."""
    text = format(amount, "f")
    if "." in text:
        text = text.rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


@dataclass(frozen=True, kw_only=True)
class _Read:
    """What all values share.

    Attributes:
        text: how it was written, at ``start..end`` of the original.
        bound: whether the text makes it an upper or lower limit.
        edge: whether the limit itself is within; ``unclear`` for ``tot``.
        ambiguous: another reading is as good; only an identical token counts as equal.
        unreliable: looks like a value and cannot be read as one, or cannot exist (30 February).
        conflict: word and figure disagree (``tien (15) dagen``); the figure is what is read.
        weak: rests on an article or a bare number word (``een maand``, ``de twee``), which may state nothing.
    """

    text: str
    start: int
    end: int
    bound: Bound | None = None
    edge: Edge = "inclusive"
    ambiguous: bool = False
    unreliable: bool = False
    conflict: bool = False
    weak: bool = False

    def _common(self) -> dict[str, object]:
        result: dict[str, object] = {"bound": self.bound}
        if self.bound is not None and self.edge != "inclusive":
            result["edge"] = self.edge
        for name in ("ambiguous", "unreliable", "conflict"):
            result[name] = getattr(self, name)
        return result | {"text": self.text, "start": self.start, "end": self.end}


@dataclass(frozen=True, kw_only=True)
class _Amount(_Read):
    """A value with one amount, or with ``low`` and ``high``."""

    amount: Decimal | None = None
    low: Decimal | None = None
    high: Decimal | None = None

    def _amounts(self) -> dict[str, object]:
        if self.low is not None and self.high is not None:
            return {"low": decimal_text(self.low), "high": decimal_text(self.high)}
        return {"amount": None if self.amount is None else decimal_text(self.amount)}


@dataclass(frozen=True, kw_only=True)
class Money(_Amount):
    """An amount of money; ``currency`` by ISO 4217."""

    kind: ClassVar[Literal["money"]] = "money"
    currency: str

    def to_json(self) -> dict[str, object]:
        """As ``sluis extract`` prints it."""
        return {"kind": self.kind, **self._amounts(), "currency": self.currency, **self._common()}


@dataclass(frozen=True, kw_only=True)
class Percent(_Amount):
    """A percentage; basis points and promille are converted."""

    kind: ClassVar[Literal["percent"]] = "percent"

    def to_json(self) -> dict[str, object]:
        """As ``sluis extract`` prints it."""
        return {"kind": self.kind, **self._amounts(), **self._common()}


@dataclass(frozen=True, kw_only=True)
class Duration(_Amount):
    """A length of time in the unit that was written; units are never converted."""

    kind: ClassVar[Literal["duration"]] = "duration"
    unit: Unit

    def to_json(self) -> dict[str, object]:
        """As ``sluis extract`` prints it."""
        return {"kind": self.kind, **self._amounts(), "unit": self.unit, **self._common()}


@dataclass(frozen=True, kw_only=True)
class Number(_Amount):
    """A number without a unit that is known here."""

    kind: ClassVar[Literal["number"]] = "number"

    def to_json(self) -> dict[str, object]:
        """As ``sluis extract`` prints it."""
        return {"kind": self.kind, **self._amounts(), **self._common()}


@dataclass(frozen=True, kw_only=True)
class Date(_Read):
    """A calendar date: ``2024-02-01``, a month ``2024-02``, or a day of any year ``--02-01``."""

    kind: ClassVar[Literal["date"]] = "date"
    value: str

    def to_json(self) -> dict[str, object]:
        """As ``sluis extract`` prints it."""
        return {"kind": self.kind, "value": self.value, **self._common()}


ReadValue = Money | Percent | Duration | Number | Date
"""One value that was read; a closed union by ``kind``."""


def measure(value: ReadValue) -> tuple[object, ...]:
    """What two equal values share, their bounds apart: kind, amount or date, unit, currency."""
    if isinstance(value, Date):
        return (value.kind, value.value)
    unit = value.currency if isinstance(value, Money) else value.unit if isinstance(value, Duration) else ""
    return (value.kind, value.amount, value.low, value.high, unit)


def limit(value: ReadValue) -> tuple[object, ...]:
    """The bound as it is compared: its direction and whether the limit is within."""
    return (None, None) if value.bound is None else (value.bound, value.edge)


def same_value(one: ReadValue, other: ReadValue) -> bool:
    """Whether two readings are the same value under the same bound."""
    return measure(one) == measure(other) and limit(one) == limit(other)


_MONTHS = {"month": 1, "year": 12}
_HOURS = {"hour": 1, "day": 24, "week": 168}


def same_length(one: ReadValue, other: ReadValue) -> bool:
    """Whether two durations differ in unit alone: ``anderhalf jaar`` and ``18 maanden``."""
    if not (isinstance(one, Duration) and isinstance(other, Duration)) or one.amount is None or other.amount is None:
        return False
    for table in (_MONTHS, _HOURS):
        if one.unit in table and other.unit in table:
            return one.amount * table[one.unit] == other.amount * table[other.unit]
    return False
