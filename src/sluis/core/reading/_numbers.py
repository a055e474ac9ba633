"""Numbers in figures and in words, with their repetition in brackets (``zestig (60)``)."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from . import _vocabulary as words
from ._chars import BIDI, ZERO_WIDTH
from ._cursor import MAX_DIGITS, Cursor, Quantity
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


class NumberReader(Cursor):
    """Reads numbers."""

    def number(self, index: int, *, money: bool) -> Quantity | None:
        """Figures or words at ``index``, with a repetition in brackets (``zestig (60)``)."""
        token = self.at(index)
        if token.kind == "number":
            return self._paired(self.figure(index, money=money))
        if token.text in FRACTIONS:
            return Quantity(FRACTIONS[token.text], index, index + 1)
        spelled = self.spelled(index)
        return None if spelled is None else self._paired(spelled)

    def figure(self, index: int, *, money: bool) -> Quantity:
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
        quantity = Quantity(amount, index, after, ambiguous=ambiguous, unreliable=amount is None)
        return self._glued_on(quantity, money=money)

    def _glued_on(self, quantity: Quantity, *, money: bool) -> Quantity:
        after = quantity.after
        if (
            self.at(after).text in (",", ".")
            and self.glued(after)
            and self.at(after + 1).text == "-"
            and self.glued(after + 1)
        ):
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
        doubtful = (
            follower.text[0] in ZERO_WIDTH + BIDI
            or "\u0300" <= follower.text[0] <= "\u036f"
            or any(char.isnumeric() for char in follower.text)
            or self._odd_joint(after)
        )
        if follower.kind == "word" or doubtful:
            while (
                self.glued(after) and self.at(after).text and (self.at(after).kind != "symbol" or self._inside(after))
            ):
                after += 1
            return replace(
                quantity,
                amount=None,
                after=after,
                unreliable=True,
                kind="number" if doubtful or money else "identifier",
            )
        return quantity

    def _odd_joint(self, index: int) -> bool:
        """Whether a sign that joins no digits stands between two: ``250\u00b7000``, ``2**5``."""
        place = index
        while self.at(place).kind == "symbol" and self.glued(place) and place < index + 4:
            if self.at(place).text in "-/:.,'+()[]%\u20ac$\u00a3\u00d7=&;!?\"":
                return False
            place += 1
        return place > index and self.at(place).kind == "number" and self.glued(place)

    def _ends(self, index: int) -> bool:
        return not self.glued(index) or self.at(index).kind == "symbol"

    def _inside(self, index: int) -> bool:
        """Whether a symbol lies inside a run of digits and letters rather than at its end."""
        char = self.at(index).text
        if not char:
            return False
        if char in ZERO_WIDTH + BIDI or char.isnumeric() or self._odd_joint(index):
            return True
        return char in ".," and self.glued(index + 1) and self.at(index + 1).kind != "symbol"

    def spelled(self, index: int) -> Quantity | None:
        """A number in words, over as many tokens as it takes."""
        if self.at(index).low == "half" and self.at(index + 1).low in ("a", "an"):
            return Quantity(Decimal("0.5"), index, index + 2, written=True)
        total = Decimal(0)
        current: Decimal | None = None
        after = index
        first = self.at(index).low
        while after < index + 16:
            token = self.at(after)
            if token.text == "-" and self.glued(after) and self.glued(after + 1) and current is not None:
                unit = english_word(self.at(after + 1).low)
                if (
                    not is_english_tens(self.at(after - 1).low)
                    or not is_english_unit(self.at(after + 1).low)
                    or unit is None
                ):
                    break
                current += unit
                after += 2
                continue
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
            if current is None or (current == 0 and total):
                current = value
            elif any(current % step == 0 and value < step <= current for step in (100, 1000)) or (
                is_english_tens(self.at(after - 1).low) and is_english_unit(token.low)
            ):
                current += value
            else:
                break
            after += 1
        if current is None:
            return None
        article = after == index + 1 and first in ("een", "\u00e9\u00e9n", "e\u00e9n", "one", "a", "an")
        return Quantity(total + current, index, after, written=True, article=article)

    def _word(self, index: int) -> Decimal | None:
        low = self.at(index).low
        if self.language != "en":
            dutch = dutch_word(low)
            if dutch is not None:
                return dutch
            if self.language == "nl":
                return None
            if low == "ten" and not self._counts(index + 1):
                return None
        if low in ("a", "an"):
            following = self.at(index + 1).low
            return Decimal(1) if following in words.UNITS or following in SCALES else None
        return english_word(low)

    def _counts(self, index: int) -> bool:
        """Whether what stands at ``index`` makes the English *ten* of the word before it (Dutch *ten* is none)."""
        token = self.at(index)
        pair = (token.low, self.at(index + 1).low)
        return (
            token.text in ("(", "%") or token.low in words.UNITS or pair in words.TWO_WORD_UNITS or token.low in SCALES
        )

    def _half_or_and(self, index: int, current: Decimal | None) -> tuple[int, Decimal] | None:
        """``en een half``, ``and a half``, ``and fifty``."""
        if current is None or self.at(index).low not in ("en", "and"):
            return None
        if self.at(index + 1).low in ("een", "a") and self.at(index + 2).low in ("half", "halve"):
            return index + 3, current + Decimal("0.5")
        if current >= 100 and current % 100 == 0:
            value = self._word(index + 1)
            if (
                value is not None
                and 0 < value < 100
                and self.at(index + 1).low not in ("een", "a", "an", "half", "halve")
            ):
                return index + 2, current + value
        return None

    def _paired(self, quantity: Quantity) -> Quantity:
        """A number and its repetition in brackets, one in words and one in figures."""
        after = quantity.after
        if self.at(after).text != "(" or quantity.amount is None:
            return quantity
        inner = after + 1
        if self.at(inner).low in ("zegge", "say"):
            inner += 2 if self.at(inner + 1).text == ":" else 1
        token = self.at(inner)
        if quantity.written and token.kind == "number":
            other: Quantity | None = self.figure(inner, money=False)
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
