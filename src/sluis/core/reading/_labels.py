"""Numbers that name instead of measuring: dockets, telephones, pages, versions, list labels, clock times."""

from __future__ import annotations

from . import _vocabulary as words
from ._quantities import QuantityReader

_MOST_GROUPS = 24
"""More groups of digits than any number has."""


class LabelReader(QuantityReader):
    """Recognises what is no value."""

    def passed_over(self, index: int) -> int | None:
        """The index after a number that names rather than measures, or ``None``."""
        token = self.at(index)
        if token.text == "+" and self.at(index + 1).kind == "number" and len(self.at(index + 1).text) <= 3:
            follows = self.at(index + 2).kind == "number" and self.gap(index + 2) <= 1
            return self._phone(index + 1) if follows and self.glued(index + 1) else None
        if token.kind != "number":
            return None
        before = self.at(index - 1)
        if (
            self.glued(index)
            and before.kind == "word"
            and before.text not in words.CURRENCY_CODES
            and before.low not in ("f", "eur", "euro")
        ):
            return self._run(index)
        if (
            self.at(index + 1).text == ":"
            and self.glued(index + 1)
            and self.glued(index + 2)
            and self.at(index + 2).kind == "number"
        ):
            return self._run(index)
        if self._is_clock(index):
            return index + 4
        if token.text.startswith("0") and len(token.text) > 1 and not self._decimal_follows(index):
            return None if self._measures(index) else self._phone(index)
        if self._is_docket(index):
            return self._run(index)
        if (
            self.at(index + 1).text == "/"
            and self.glued(index + 1)
            and self.glued(index + 2)
            and self.at(index + 2).kind == "number"
        ):
            return None if self._measures(index + 2) else self._run(index)
        if self._is_label(index):
            return self._run(index)
        if index in self.opens_line and self._is_list_label(index):
            return self._run(index)
        if self._dotted_run(index):
            return self._run(index)
        postcode = self.at(index + 1)
        if (
            len(token.text) == 4
            and postcode.kind == "word"
            and len(postcode.text) == 2
            and postcode.text.isupper()
            and self.gap(index + 1) <= 1
        ):
            return index + 2
        return None

    def _is_docket(self, index: int) -> bool:
        """``HA ZA 19-123``: figures and hyphens after capitals."""
        before = self.at(index - 1)
        return (
            before.kind == "word"
            and before.text.isupper()
            and len(before.text) <= 5
            and before.text not in words.CURRENCY_CODES
            and self.at(index + 1).text == "-"
            and self.glued(index + 1)
            and self.glued(index + 2)
            and self.at(index + 2).kind == "number"
        )

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
        if (
            before.low
            in ("p", "v", "no", "part", "case", "min", "line", "note", "table", "zaak", "deel", "regel", "bel")
            and place == index - 1
        ):
            return before.low not in ("min",) and not self._measures(index)
        labelled = before.kind == "word" and before.low in words.LABELS and self.gap(place + 1) <= 1
        return labelled and not self._measures(index)

    def _is_list_label(self, index: int) -> bool:
        after = index + 1
        while (
            self.at(after).text == "."
            and self.glued(after)
            and self.at(after + 1).kind == "number"
            and self.glued(after + 1)
        ):
            after += 2
        closing = self.at(after)
        if closing.text in (".", ")") and self.glued(after) and not self.glued(after + 1):
            return True
        opens = after > index + 1 and not self.glued(after) and closing.kind == "word" and closing.text[0].isupper()
        return opens and not self._measures(after - 1)

    def _dotted_run(self, index: int) -> bool:
        """``7.2.3`` without a reading as thousands: a version, a section."""
        groups = [self.at(index).text]
        after = index + 1
        while (
            self.at(after).text == "."
            and self.glued(after)
            and self.at(after + 1).kind == "number"
            and self.glued(after + 1)
        ):
            groups.append(self.at(after + 1).text)
            after += 2
            if len(groups) > _MOST_GROUPS:
                return True
        if len(groups) < 3 or self.at(after).text == ",":
            return False
        return (
            not all(len(group) == 3 for group in groups[1:])
            and not self._money_after(after)
            and self._currency_behind(index) is None
        )

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
