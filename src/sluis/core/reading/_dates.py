"""Dates: Dutch and English month names, numeric by locale, ISO; never guessed."""

from __future__ import annotations

from datetime import date

from . import _vocabulary as words
from ._cursor import Cursor


class DateReader(Cursor):
    """Reads dates."""

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
        if (
            mark.text not in ("-", "/", ".")
            or again.text != mark.text
            or two.kind != "number"
            or three.kind != "number"
        ):
            return None
        if not all(self.glued(index + place) for place in (1, 2, 3, 4)):
            return None
        if (
            self.glued(index + 5)
            and self.at(index + 5).text in ("-", "/", ".")
            and self.glued(index + 6)
            and self.at(index + 6).kind != "symbol"
        ):
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
        if month is None or (
            token.low in words.MONTH_IS_ALSO_A_WORD and not beside_number and not token.text[0].isupper()
        ):
            return None
        after = index + 1
        if (
            self.at(after).text == "."
            and self.glued(after)
            and len(token.low) <= 4
            and token.low not in ("mei", "may", "juni", "juli", "june", "july")
        ):
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
