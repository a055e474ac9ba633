"""What a number measures: currency, scale, unit, percent; and ranges of such quantities."""

from __future__ import annotations

from dataclasses import replace

from . import _vocabulary as words
from ._cursor import Quantity
from ._numbers import NumberReader
from ._numerals import SCALES


class QuantityReader(NumberReader):
    """Reads quantities."""

    def quantity(self, index: int) -> Quantity | None:
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
            return None if currency is None else self._spoiled(start, index)
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

    def _spoiled(self, start: int, index: int) -> Quantity | None:
        """``€ b.000,00``: a currency before something that has lost its first digits."""
        if self.at(index).kind != "word" or len(self.at(index).text) > 2 or not self._inside(index + 1):
            return None
        after = index + 1
        while self.glued(after) and self.at(after).text and (self.at(after).kind != "symbol" or self._inside(after)):
            after += 1
        return Quantity(None, start, after, unreliable=True)

    def _zegge(self, found: Quantity) -> Quantity:
        """``€ 250.000 (zegge: tweehonderdvijftigduizend euro)``."""
        paired = self._paired_money(found)
        return found if paired is None else paired

    def _paired_money(self, found: Quantity) -> Quantity | None:
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
        return replace(
            found, after=other.after + 2, conflict=found.conflict or other.amount != found.amount * found.scale
        )

    def _currency_before(self, index: int) -> tuple[str, int] | None:
        token, following = self.at(index), self.at(index + 1)
        close = self.gap(index + 1) <= 2
        figure = following.kind == "number" or following.text in ("-", "+") or following.text in words.CURRENCY_SYMBOLS
        if token.text in words.CURRENCY_SYMBOLS and close and following.text:
            return words.CURRENCY_SYMBOLS[token.text], index + 1
        if token.low == "fl" and following.text == "." and self.at(index + 2).kind == "number":
            return "NLG", index + 2
        if not figure or not close:
            return None
        if token.text in words.CURRENCY_CODES:
            return token.text, index + 1
        if token.low in ("euro", "eur") or (token.low == "f" and self.glued(index + 1)):
            return ("EUR" if token.low != "f" else "NLG"), index + 1
        return None

    def _money_after(self, index: int) -> bool:
        token = self.at(index)
        if token.text in words.CURRENCY_SYMBOLS or token.text in words.CURRENCY_CODES:
            # ``in 2024 \u20ac 688``: between a year and a number, or written onto the second alone, it is the second's.
            before = self.at(index - 1).text
            year = len(before) == 4 and before[:2] in ("17", "18", "19", "20")
            taken = self.at(index + 1).kind == "number" and not self.glued(index)
            if taken and self.gap(index + 1) <= 1 and (year or self.glued(index + 1)):
                return False
        if token.text in words.CURRENCY_SYMBOLS:
            return self.gap(index) <= 1
        return token.low in words.CURRENCY_WORDS or token.text in words.CURRENCY_CODES

    def _scaled(self, found: Quantity) -> Quantity:
        token = self.at(found.after)
        scale = found.scale
        after = found.after
        if token.text in ("K", "k") and self.gap(after) == 1 and self._ends(after + 1):
            return replace(found, scale=scale * 1000, after=after + 1)
        if token.low in ("ton", "tonnen") and self.gap(after) <= 2:
            # A hundred thousand, or a weight.
            return replace(found, after=after + 1, amount=None, unreliable=True)
        while token.low in SCALES and self.gap(after) <= 2 and after < found.after + 3:
            if self.language == "nl" and token.low in ("billion", "trillion"):
                break
            scale *= SCALES[token.low]
            after += 1
            if token.low in ("mln", "mrd", "mld", "bn") and self.at(after).text == "." and self.glued(after):
                after += 1
            token = self.at(after)
        return replace(found, scale=scale, after=after)

    def _unit_after(self, found: Quantity) -> Quantity:
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

    def _measures(self, index: int) -> bool:
        """Whether a unit stands right after a plain number."""
        token = self.at(index + 1)
        return token.low in words.UNITS or token.text == "%" or self._money_after(index + 1)
