"""The reader of values: one pass over the tokens, left to right.

What it passes over: numbers inside citations, references and markers; telephone, docket, list, page and version
numbers; times of day; bare years (:func:`read_years` gives those).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import Any

from . import _vocabulary as words
from ._chars import BIDI, MINUS, ZERO_WIDTH
from ._numerals import (
    FRACTIONS,
    GLUED_SCALES,
    SCALES,
    dutch_word,
    english_word,
    figures,
    is_english_tens,
    is_english_unit,
)
from .citations import read_citations
from .claims import MARKER
from .fold import lexed
from .references import read_references
from .tokens import NONE, Token, tokenize
from .values import Bound, Date, Duration, Edge, Money, Number, Percent, ReadValue, Unit

MAX_DIGITS = 30


@dataclass(frozen=True, slots=True)
class _Quantity:
    """A number with what stands around it, before it is called a value."""

    amount: Decimal | None
    first: int
    after: int
    written: bool = False
    article: bool = False
    ambiguous: bool = False
    unreliable: bool = False
    conflict: bool = False
    scale: Decimal = Decimal(1)
    kind: str = "number"
    currency: str = ""
    unit: Unit = "day"
    low: Decimal | None = None


def _language(locale: str | None) -> str | None:
    tag = (locale or "").split("-", 1)[0].lower()
    return tag if tag in ("nl", "en") else None


def _day_first(locale: str | None) -> bool | None:
    low = (locale or "").lower()
    if low.startswith("nl") or low in ("en-gb", "en-ie", "en-au", "en-nz"):
        return True
    return False if low == "en-us" else None


class _Reader:
    def __init__(self, text: str, locale: str | None, masks: Iterable[tuple[int, int]]) -> None:
        self.original = text
        self.folded = lexed(text)
        self.language = _language(locale)
        self.day_first = _day_first(locale)
        self.tokens: list[Token] = []
        self.opens_line: set[int] = {0}
        for token in tokenize(self.folded.text):
            if token.kind == "line":
                self.opens_line.add(len(self.tokens))
            else:
                self.tokens.append(token)
        self.masked = self._masked(masks)
        self.values: list[ReadValue] = []
        self.years: list[tuple[str, int, int]] = []

    def _masked(self, masks: Iterable[tuple[int, int]]) -> bytearray:
        """Which tokens lie in a stretch of the original that is not read."""
        flags = bytearray(len(self.tokens))
        spans = sorted(masks)
        place = 0
        reach = 0
        for index, token in enumerate(self.tokens):
            start = self.folded.start(token.start)
            while place < len(spans) and spans[place][0] <= start:
                reach = max(reach, spans[place][1])
                place += 1
            flags[index] = start < reach
        return flags

    # -- looking around ----------------------------------------------------------------------------------

    def at(self, index: int) -> Token:
        return self.tokens[index] if 0 <= index < len(self.tokens) and not self.masked[index] else NONE

    def glued(self, index: int) -> bool:
        """Whether token ``index`` is written onto the one before it, on the same line."""
        return 0 < index < len(self.tokens) and self.tokens[index].start == self.tokens[index - 1].end

    def gap(self, index: int) -> int:
        """Characters between a token and the one before it."""
        if not 0 < index < len(self.tokens):
            return 1 << 20
        return self.tokens[index].start - self.tokens[index - 1].end

    def is_minus(self, index: int) -> bool:
        """A sign: U+2212, or a hyphen written onto the digit with nothing before it."""
        if self.at(index).text != "-":
            return False
        if self.original[self.folded.start(self.at(index).start)] == MINUS:
            return not (self.glued(index) and self.at(index - 1).kind == "number")
        before = self.at(index - 1)
        return self.glued(index + 1) and (
            not self.glued(index) or before.text in "(" or before.text in words.CURRENCY_SYMBOLS
        )

    # -- numbers -----------------------------------------------------------------------------------------

    def number(self, index: int, *, money: bool) -> _Quantity | None:
        """Figures or words at ``index``, with a repetition in brackets (``zestig (60)``)."""
        token = self.at(index)
        if token.kind == "number":
            return self._paired(self.figure(index, money=money))
        if token.kind == "word":
            spelled = self.spelled(index)
            return None if spelled is None else self._paired(spelled)
        if token.text in FRACTIONS and not self.glued(index):
            return _Quantity(FRACTIONS[token.text], index, index + 1)
        return None

    def figure(self, index: int, *, money: bool) -> _Quantity:
        """Digit groups, their scale suffix, and whether anything is glued on that makes them doubtful."""
        groups = [self.at(index).text]
        marks: list[str] = []
        after = index + 1
        while len(groups) < 12:
            mark, following = self.at(after), self.at(after + 1)
            if mark.text in (".", ",", "'") and self.glued(after) and following.kind == "number":
                broken = after + 1 in self.opens_line and mark.text == "," and len(following.text) == 2
                if not (self.glued(after + 1) or broken):
                    break
                marks.append(mark.text)
                groups.append(following.text)
                after += 2
            elif (
                mark.kind == "number"
                and self.gap(after) == 1
                and after not in self.opens_line
                and len(mark.text) == 3
                and len(groups[0]) <= 3
                and set(marks) <= {" "}
            ):
                marks.append(" ")
                groups.append(mark.text)
                after += 1
            else:
                break
        amount, ambiguous = figures(groups, marks, language=self.language, money=money)
        if sum(map(len, groups)) > MAX_DIGITS:
            amount = None
        quantity = _Quantity(amount, index, after, ambiguous=ambiguous, unreliable=amount is None)
        return self._glued_on(quantity, money=money)

    def _glued_on(self, quantity: _Quantity, *, money: bool) -> _Quantity:
        after = quantity.after
        if self.at(after).text in (",", ".") and self.glued(after) and self.at(after + 1).text == "-" and self.glued(after + 1):
            after += 2
            while self.at(after).text == "-" and self.glued(after):
                after += 1
            return replace(quantity, after=after)
        follower = self.at(after)
        if follower.text in FRACTIONS and self.gap(after) <= 1 and quantity.amount is not None:
            return replace(quantity, amount=quantity.amount + FRACTIONS[follower.text], after=after + 1)
        if not self.glued(after) or not follower.text:
            return quantity
        if follower.text in GLUED_SCALES and (money or follower.text != "m") and self._ends(after + 1):
            return replace(quantity, scale=Decimal(GLUED_SCALES[follower.text]), after=after + 1)
        if follower.kind == "word" and (
            follower.low in words.UNITS or follower.low in words.CURRENCY_WORDS or follower.text in words.CURRENCY_CODES
            or follower.low in words.BASIS_POINTS or follower.low in SCALES or follower.low in words.PERCENT_WORDS
        ) and self._ends(after + 1):  # fmt: skip
            return quantity
        doubtful = follower.text[0] in ZERO_WIDTH + BIDI or (follower.kind == "symbol" and follower.text.isnumeric())
        if follower.kind == "word" or doubtful:
            while self.glued(after) and self.at(after).text and (self.at(after).kind != "symbol" or self._inside(after)):
                after += 1
            return replace(quantity, amount=None, after=after, unreliable=True, kind="number" if doubtful or money else "identifier")
        return quantity

    def _ends(self, index: int) -> bool:
        return not self.glued(index) or self.at(index).kind == "symbol"

    def _inside(self, index: int) -> bool:
        """Whether a symbol lies inside a run of digits and letters rather than at its end."""
        char = self.at(index).text
        if char[0] in ZERO_WIDTH + BIDI or char.isnumeric():
            return True
        return char in ".," and self.glued(index + 1) and self.at(index + 1).kind != "symbol"

    def spelled(self, index: int) -> _Quantity | None:
        """A number in words, over as many tokens as it takes."""
        total = Decimal(0)
        current: Decimal | None = None
        after = index
        first = self.at(index).low
        while after < index + 16:
            token = self.at(after)
            if token.text == "-" and self.glued(after) and self.glued(after + 1) and current is not None:
                if is_english_tens(self.at(after - 1).low) and is_english_unit(self.at(after + 1).low):
                    after += 1
                    continue
                break
            if token.kind != "word":
                break
            if current is not None and token.low in SCALES and token.low not in ("mln", "mrd", "mld", "bn"):
                scale = SCALES[token.low]
                if scale >= 1000:
                    total, current = total + current * scale, Decimal(0)
                else:
                    current *= scale
                after += 1
                continue
            value = self._word(after)
            if value is None:
                step = self._half_or_and(after, current)
                if step is None:
                    break
                after, current = step
                continue
            if current is None:
                current = value
            elif current == 0 and total:
                current = value
            elif current >= 100 and current % 100 == 0 and value < 100:
                current += value
            elif is_english_tens(self.at(after - 1).low) and is_english_unit(token.low):
                current += value
            else:
                break
            after += 1
        if current is None:
            return None
        article = after == index + 1 and first in ("een", "\u00e9\u00e9n", "e\u00e9n", "one", "a", "an")
        return _Quantity(total + current, index, after, written=True, article=article)

    def _word(self, index: int) -> Decimal | None:
        low = self.at(index).low
        if self.language != "en":
            dutch = dutch_word(low)
            if dutch is not None:
                return dutch
            if self.language == "nl":
                return None
            if low == "ten" and self.at(index + 1).low not in words.UNITS and self.at(index + 1).text != "(":
                return None
        if low in ("a", "an"):
            return Decimal(1) if self.at(index + 1).low in words.UNITS else None
        return english_word(low)

    def _half_or_and(self, index: int, current: Decimal | None) -> tuple[int, Decimal] | None:
        """``en een half``, ``and a half``, ``and fifty``."""
        if current is None or self.at(index).low not in ("en", "and"):
            return None
        if self.at(index + 1).low in ("een", "a") and self.at(index + 2).low in ("half", "halve"):
            return index + 3, current + Decimal("0.5")
        if current >= 100 and current % 100 == 0:
            value = self._word(index + 1)
            if value is not None and 0 < value < 100 and self.at(index + 1).low not in ("een", "a", "an", "half", "halve"):
                return index + 2, current + value
        return None

    def _paired(self, quantity: _Quantity) -> _Quantity:
        """A number and its repetition in brackets, one in words and one in figures."""
        after = quantity.after
        if self.at(after).text != "(" or quantity.amount is None:
            return quantity
        inner = after + 1
        if self.at(inner).low in ("zegge", "say"):
            inner += 2 if self.at(inner + 1).text == ":" else 1
        token = self.at(inner)
        if quantity.written and token.kind == "number":
            other: _Quantity | None = self.figure(inner, money=False)
        elif not quantity.written and token.kind == "word":
            other = self.spelled(inner)
        else:
            return quantity
        if other is None or other.amount is None or self.at(other.after).text != ")":
            return quantity
        figure = other if quantity.written else quantity
        return replace(
            quantity,
            amount=figure.amount,
            ambiguous=figure.ambiguous,
            after=other.after + 1,
            conflict=other.amount * other.scale != quantity.amount * quantity.scale,
            written=False,
            article=False,
        )

    # -- what the number measures ------------------------------------------------------------------------

    def quantity(self, index: int) -> _Quantity | None:
        """A number at ``index`` with its sign, currency, scale and unit."""
        start = index
        currency = self._currency_before(index)
        if currency is not None:
            index = currency[1]
        negative = self.is_minus(index)
        plus = self.at(index).text == "+" and self.glued(index + 1)
        if negative or plus:
            index += 1
            if currency is None and (again := self._currency_before(index)) is not None:
                currency, index = again, again[1]
        found = self.number(index, money=currency is not None)
        if found is None:
            return None
        if currency is None and found.kind != "identifier" and self._money_after(found.after):
            found = self.number(index, money=True) or found
        found = replace(found, first=start)
        if found.kind == "identifier":
            return found
        found = self._scaled(found)
        if negative and found.amount is not None:
            found = replace(found, amount=-found.amount)
        if currency is not None:
            return self._zegge(replace(found, kind="money", currency=currency[0]))
        return self._unit_after(found)

    def _zegge(self, found: _Quantity) -> _Quantity:
        """``€ 250.000 (zegge: tweehonderdvijftigduizend euro)``."""
        paired = self._paired_money(found)
        return found if paired is None else paired

    def _paired_money(self, found: _Quantity) -> _Quantity | None:
        inner = found.after + 1
        if self.at(found.after).text != "(" or found.amount is None or found.written:
            return None
        if self.at(inner).low in ("zegge", "say"):
            inner += 2 if self.at(inner + 1).text == ":" else 1
        other = self.spelled(inner) if self.at(inner).kind == "word" else None
        if other is None or other.amount is None or self.at(other.after).low not in words.CURRENCY_WORDS:
            return None
        if self.at(other.after + 1).text != ")":
            return None
        return replace(found, after=other.after + 2, conflict=found.conflict or other.amount != found.amount * found.scale)

    def _currency_before(self, index: int) -> tuple[str, int] | None:
        token, following = self.at(index), self.at(index + 1)
        close = self.gap(index + 1) <= 2
        figure = following.kind == "number" or following.text in ("-", "+") or following.text in words.CURRENCY_SYMBOLS
        if token.text in words.CURRENCY_SYMBOLS and close and following.text:
            return words.CURRENCY_SYMBOLS[token.text], index + 1
        if not figure or not close:
            return None
        if token.text in words.CURRENCY_CODES:
            return token.text, index + 1
        if token.low in ("euro", "eur") or (token.low == "f" and self.glued(index + 1)):
            return ("EUR" if token.low != "f" else "NLG"), index + 1
        return None

    def _money_after(self, index: int) -> bool:
        token = self.at(index)
        if token.text in words.CURRENCY_SYMBOLS:
            return self.gap(index) <= 1 and not (self.glued(index + 1) and self.at(index + 1).kind == "number" and not self.glued(index))
        return token.low in words.CURRENCY_WORDS or token.text in words.CURRENCY_CODES

    def _scaled(self, found: _Quantity) -> _Quantity:
        token = self.at(found.after)
        scale = found.scale
        after = found.after
        while token.low in SCALES and self.gap(after) <= 2 and after < found.after + 3:
            if self.language == "nl" and token.low in ("billion", "trillion"):
                break
            scale *= SCALES[token.low]
            after += 1
            if token.low in ("mln", "mrd", "mld", "bn") and self.at(after).text == "." and self.glued(after):
                after += 1
            token = self.at(after)
        return replace(found, scale=scale, after=after)

    def _unit_after(self, found: _Quantity) -> _Quantity:
        after = found.after
        token = self.at(after)
        if token.text == "-" and self.glued(after) and self.glued(after + 1) and self.at(after + 1).low in words.UNITS:
            return replace(found, kind="duration", unit=words.UNITS[self.at(after + 1).low], after=after + 2)
        if self.gap(after) > 2 or not token.text:
            return found
        if self._money_after(after):
            code = words.CURRENCY_SYMBOLS.get(token.text) or words.CURRENCY_WORDS.get(token.low) or token.text
            end = after + 1
            if self.at(end).text == "'" and self.at(end + 1).low == "s":
                end += 2
            return replace(found, kind="money", currency=code, after=end)
        if token.low in words.CENTS:
            return replace(found, kind="money", currency="EUR", scale=found.scale / 100, after=after + 1)
        if token.text == "%" or token.low in words.PERCENT_WORDS:
            return replace(found, kind="percent", after=after + 1)
        if token.low == "per" and self.at(after + 1).low == "cent":
            return replace(found, kind="percent", after=after + 2)
        if token.text == "\u2030" or token.low == "promille":
            return replace(found, kind="percent", scale=found.scale / 10, after=after + 1)
        if token.low in words.BASIS_POINTS:
            return replace(found, kind="percent", scale=found.scale / 100, after=after + 1)
        if token.low == "basis" and self.at(after + 1).low in ("points", "point"):
            return replace(found, kind="percent", scale=found.scale / 100, after=after + 2)
        pair = (token.low, self.at(after + 1).low)
        if pair in words.TWO_WORD_UNITS:
            return replace(found, kind="duration", unit=words.TWO_WORD_UNITS[pair], after=after + 2)
        if token.low in words.UNITS:
            return replace(found, kind="duration", unit=words.UNITS[token.low], after=after + 1)
        return found

    # -- dates -------------------------------------------------------------------------------------------

    def date_at(self, index: int) -> tuple[list[tuple[str, bool, bool, int, int]], int] | None:
        """Dates at ``index``: ``(value, ambiguous, unreliable, first, after)`` each, and the index after all."""
        token = self.at(index)
        if token.kind == "number":
            numeric = self._numeric_date(index)
            if numeric is not None:
                return [numeric], numeric[4]
            return self._day_month(index)
        return self._month_first(index)

    def _numeric_date(self, index: int) -> tuple[str, bool, bool, int, int] | None:
        one, mark, two, again, three = (self.at(index + place) for place in range(5))
        if mark.text not in ("-", "/", ".") or again.text != mark.text or two.kind != "number" or three.kind != "number":
            return None
        if not all(self.glued(index + place) for place in (1, 2, 3, 4)):
            return None
        if self.glued(index + 5) and self.at(index + 5).text in ("-", "/", ".") and self.glued(index + 6) and self.at(index + 6).kind != "symbol":
            return None
        if self.glued(index + 5) and self.at(index + 5).kind == "word" and self.at(index + 5).low != "t":
            return None
        after = index + 5
        if len(one.text) == 4 and len(two.text) == 2 and len(three.text) == 2 and mark.text != ".":
            return *self._iso(one.text, two.text, three.text), index, after
        if len(three.text) not in (2, 4) or max(len(one.text), len(two.text)) > 2:
            return None
        first, second = int(one.text), int(two.text)
        if not 1 <= first <= 31 or not 1 <= second <= 31 or (mark.text == "." and len(three.text) == 2):
            return None
        short = len(three.text) == 2
        year = f"20{three.text}" if short else three.text
        if first == second or first > 12 or second > 12:
            day_first = second <= 12 and (first > 12 or first == second)
            ambiguous = short
        else:
            day_first = True if mark.text == "." else self.day_first is not False
            ambiguous = short or (self.day_first is None and mark.text != ".")
        day, month = (one.text, two.text) if day_first else (two.text, one.text)
        value, _, unreliable = self._iso(year, month, day)
        return value, ambiguous, unreliable, index, after

    @staticmethod
    def _iso(year: str, month: str, day: str) -> tuple[str, bool, bool]:
        """The ISO form; whether it is ambiguous (never); whether no calendar has it."""
        value = f"{int(year):04d}-{int(month):02d}-{int(day):02d}"
        try:
            date.fromisoformat(value)
        except ValueError:
            return value, False, True
        return value, False, False

    def _month(self, index: int, *, beside_number: bool) -> tuple[int, int] | None:
        """A month's name and the index after it, with the full stop of an abbreviation."""
        token = self.at(index)
        month = words.MONTHS.get(token.low)
        if month is None or (token.low in words.MONTH_IS_ALSO_A_WORD and not beside_number and not token.text[0].isupper()):
            return None
        after = index + 1
        if self.at(after).text == "." and self.glued(after) and len(token.low) <= 4 and token.low not in ("mei", "may", "juni", "juli", "june", "july"):
            after += 1
        return month, after

    def _year(self, index: int) -> tuple[str, int] | None:
        token = self.at(index)
        if token.text == "," and self.at(index + 1).kind == "number":
            token, index = self.at(index + 1), index + 1
        if token.kind == "number" and len(token.text) == 4 and token.text[:2] in ("17", "18", "19", "20", "21"):
            return token.text, index + 1
        return None

    def _day(self, index: int) -> tuple[str, int] | None:
        token = self.at(index)
        if token.kind != "number" or len(token.text) > 2 or not 1 <= int(token.text) <= 31:
            return None
        after = index + 1
        if self.glued(after) and self.at(after).low in ("st", "nd", "rd", "th", "e"):
            after += 1
        return token.text, after

    def _day_month(self, index: int) -> tuple[list[tuple[str, bool, bool, int, int]], int] | None:
        days = [(index, *found)] if (found := self._day(index)) is not None else []
        if not days:
            return None
        after = days[0][2]
        joint = self._date_joint(after)
        if joint is not None and (second := self._day(joint)) is not None:
            days.append((joint, *second))
            after = second[1]
        if self.at(after).low == "of":
            after += 1
        month = self._month(after, beside_number=True)
        if month is None or (self.glued(after) and self.at(after - 1).kind == "number" and len(self.at(after).low) < 3):
            return None
        year = self._year(month[1])
        end = month[1] if year is None else year[1]
        if self.at(month[1] - 1).text == "." and end == month[1] and self._closes(end):
            end -= 1  # the full stop of the sentence
        made = []
        for place, day, stop in days:
            if year is None:
                impossible = int(day) > (30 if month[0] in (4, 6, 9, 11) else 29 if month[0] == 2 else 31)
                value, unreliable = f"--{month[0]:02d}-{int(day):02d}", impossible
            else:
                value, _, unreliable = self._iso(year[0], str(month[0]), day)
            made.append((value, False, unreliable, place, end if place == days[-1][0] else stop))
        return made, end

    def _closes(self, index: int) -> bool:
        token = self.at(index)
        return not token.text or index in self.opens_line or token.text[0].isupper()

    def _date_joint(self, index: int) -> int | None:
        token = self.at(index)
        if token.low in ("en", "and", "tot", "to", "of", "or") or token.text == "-":
            if token.low == "tot" and self.at(index + 1).low == "en" and self.at(index + 2).low == "met":
                return index + 3
            return index + 1
        if token.low == "t" and self.at(index + 1).text == "/" and self.at(index + 2).low == "m":
            return index + 3
        return None

    def _month_first(self, index: int) -> tuple[list[tuple[str, bool, bool, int, int]], int] | None:
        month = self._month(index, beside_number=self.at(index + 1).kind == "number")
        if month is None:
            return None
        year = self._year(month[1])
        if year is not None and self.at(month[1]).text != ",":
            return [(f"{year[0]}-{month[0]:02d}", False, False, index, year[1])], year[1]
        day = self._day(month[1])
        if day is None or self.language == "nl":
            return None
        year = self._year(day[1])
        if year is None:
            return [(f"--{month[0]:02d}-{int(day[0]):02d}", False, False, index, day[1])], day[1]
        value, _, unreliable = self._iso(year[0], str(month[0]), day[0])
        return [(value, False, unreliable, index, year[1])], year[1]

    # -- what is no value --------------------------------------------------------------------------------

    def passed_over(self, index: int) -> int | None:
        """The index after a number that names rather than measures, or ``None``."""
        token = self.at(index)
        if token.kind != "number":
            return None
        before = self.at(index - 1)
        if self.glued(index) and before.kind == "word" and before.text not in words.CURRENCY_CODES and before.low not in ("f", "eur", "euro"):
            return self._run(index)
        if self.at(index + 1).text == ":" and self.glued(index + 1) and self.glued(index + 2) and self.at(index + 2).kind == "number":
            return self._run(index)
        if self._is_clock(index):
            return index + 4
        if token.text.startswith("0") and len(token.text) > 1 and not self._decimal_follows(index):
            return self._phone(index)
        if before.text == "+" and len(token.text) <= 3 and self.at(index + 1).kind == "number" and self.gap(index + 1) <= 1:
            return self._phone(index)
        if self.at(index + 1).text == "/" and self.glued(index + 1) and self.glued(index + 2) and self.at(index + 2).kind == "number":
            return self._run(index)
        if self._is_label(index):
            return self._run(index)
        if index in self.opens_line and self._is_list_label(index):
            return self._run(index)
        if self._dotted_run(index):
            return self._run(index)
        postcode = self.at(index + 1)
        if len(token.text) == 4 and postcode.kind == "word" and len(postcode.text) == 2 and postcode.text.isupper() and self.gap(index + 1) <= 1:
            return index + 2
        return None

    def _is_clock(self, index: int) -> bool:
        """``9.30 uur``."""
        mark, minutes = self.at(index + 1), self.at(index + 2)
        return (
            mark.text in (".", ":")
            and self.glued(index + 1)
            and self.glued(index + 2)
            and len(minutes.text) == 2
            and minutes.kind == "number"
            and self.at(index + 3).low in ("uur", "h", "am", "pm")
            and len(self.at(index).text) <= 2
        )

    def _decimal_follows(self, index: int) -> bool:
        return self.at(index).text == "0" or (self.at(index + 1).text in (",", ".") and self.glued(index + 2))

    def _phone(self, index: int) -> int:
        after = index + 1
        while self.at(after).kind == "number" or (self.at(after).text == "-" and self.at(after + 1).kind == "number"):
            if self.gap(after) > 1:
                break
            after += 1
        return after

    def _is_label(self, index: int) -> bool:
        place = index - 1
        while self.at(place).text in (".", ":", "#"):
            place -= 1
        before = self.at(place)
        if self.at(index - 1).text == "#":
            return True
        if before.low in ("p", "v", "no", "part", "case", "min", "line", "note", "table", "zaak", "deel", "regel", "bel") and place == index - 1:
            return before.low not in ("min",) and not self._measures(index)
        return before.kind == "word" and before.low in words.LABELS and self.gap(place + 1) <= 1

    def _measures(self, index: int) -> bool:
        """Whether a unit stands right after a plain number."""
        token = self.at(index + 1)
        return token.low in words.UNITS or token.text == "%" or self._money_after(index + 1)

    def _is_list_label(self, index: int) -> bool:
        after = index + 1
        while self.at(after).text == "." and self.glued(after) and self.at(after + 1).kind == "number" and self.glued(after + 1):
            after += 2
        closing = self.at(after)
        if closing.text in (".", ")") and self.glued(after) and not self.glued(after + 1):
            return True
        return after > index + 1 and not self.glued(after) and closing.kind == "word" and closing.text[0].isupper()

    def _dotted_run(self, index: int) -> bool:
        """``7.2.3`` without a reading as thousands: a version, a section."""
        groups = [self.at(index).text]
        after = index + 1
        while self.at(after).text == "." and self.glued(after) and self.at(after + 1).kind == "number" and self.glued(after + 1):
            groups.append(self.at(after + 1).text)
            after += 2
        if len(groups) < 3 or self.at(after).text == ",":
            return False
        return not all(len(group) == 3 for group in groups[1:]) and not self._money_after(after) and self._currency_behind(index) is None

    def _currency_behind(self, index: int) -> str | None:
        before = self.at(index - 1)
        if before.text in words.CURRENCY_SYMBOLS or before.text in words.CURRENCY_CODES:
            return before.text
        return None

    def _run(self, index: int) -> int:
        """The index after a run of digits, letters and the marks between them."""
        after = index + 1
        while self.glued(after) and self.at(after).text:
            if self.at(after).kind == "symbol" and (
                self.at(after).text not in "/-.:_" or not self.glued(after + 1) or self.at(after + 1).kind == "symbol"
            ):
                break
            after += 1
        return after

    # -- bounds ------------------------------------------------------------------------------------------

    def bound(self, first: int, after: int, *, dated: bool) -> tuple[Bound | None, Edge]:
        """The bound that governs a value, before or after it."""
        for size in (3, 2):
            phrase = tuple(self.at(after + place).low for place in range(size))
            if phrase in words.LATER_BOUNDS:
                return words.LATER_BOUNDS[phrase]
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

    # -- the pass ----------------------------------------------------------------------------------------

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
        if token.kind == "symbol" and token.text.isnumeric() and token.text not in FRACTIONS:
            return self.foreign_digits(index)
        found = self.quantity(index)
        if found is None:
            return index + 1
        return self.keep(self.ranged(found))

    def foreign_digits(self, index: int) -> int:
        """Digits of another script, or raised: said to be unreliable, never converted."""
        if self.glued(index) and self.at(index - 1).kind == "word":
            return index + 1
        after = index + 1
        while self.at(after).text.isnumeric() and self.glued(after):
            after += 1
        self.keep(_Quantity(None, index, after, unreliable=True))
        return after

    def ranged(self, found: _Quantity) -> _Quantity:
        """A value that is the lower end of a range, joined with its upper end."""
        if found.amount is None or found.unreliable or found.kind == "identifier" or found.written and found.article:
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
    def _joined(found: _Quantity, other: _Quantity) -> _Quantity:
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

    def _place(self, first: int, after: int) -> dict[str, Any]:
        start, end = self.folded.back(self.tokens[first].start, self.tokens[after - 1].end)
        return {"text": self.original[start:end], "start": start, "end": end}

    def keep_date(self, value: str, ambiguous: bool, unreliable: bool, first: int, after: int) -> None:
        bound, edge = self.bound(first, after, dated=True)
        self.values.append(
            Date(value=value, ambiguous=ambiguous, unreliable=unreliable, bound=bound, edge=edge, **self._place(first, after))
        )

    def keep(self, found: _Quantity) -> int:
        """Turn a quantity into a value, if it is one; returns the index after it."""
        if found.kind == "identifier":
            return found.after
        if found.kind == "number":
            if found.written and found.article and self.at(found.first).low not in ("\u00e9\u00e9n", "e\u00e9n"):
                return found.after
            if found.written and self.at(found.first).low in ("half", "halve"):
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

    def _is_year(self, found: _Quantity) -> bool:
        token = self.at(found.first)
        if found.after != found.first + 1 or len(token.text) != 4 or token.kind != "number":
            return False
        if token.text[:2] not in ("17", "18", "19", "20"):
            return False
        before, after = self.at(found.first - 1), self.at(found.after)
        named = before.low in words.YEAR_AFTER or before.text in ("(", ",", "'") or before.text[:1].isupper()
        return named or after.kind != "word" or after.text[0].isupper()


def _masks(text: str) -> list[tuple[int, int]]:
    citations = read_citations(text)
    spans = [(item.start, item.end) for item in (*citations.found, *citations.malformed)]
    spans.extend((item.start, item.end) for item in read_references(text))
    spans.extend(found.span() for found in MARKER.finditer(text))
    return spans


def _read(text: str, locale: str | None) -> _Reader:
    reader = _Reader(text, locale, _masks(text))
    reader.run()
    return reader


def read_values(text: str, *, locale: str | None) -> tuple[ReadValue, ...]:
    """All values in a text, in order.

    Args:
        text: any text, also an ill-formed one.
        locale: BCP 47 tag of the text, or ``None`` when it declares none: then a value with two readings says so.

    Returns:
        Values whose ``text`` equals ``text[start:end]``.
    """
    return tuple(_read(text, locale).values)


def read_years(text: str) -> tuple[tuple[str, int, int], ...]:
    """Bare years (``in 2019``), which are no values by themselves: ``(year, start, end)`` each."""
    return tuple(_read(text, None).years)
