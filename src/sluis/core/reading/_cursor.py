"""A text as tokens with a cursor over them, and the quantity that is built from them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from . import _vocabulary as words
from ._chars import MINUS
from .fold import lexed
from .tokens import NONE, Token, tokenize
from .values import Unit

MAX_DIGITS = 30


@dataclass(frozen=True, slots=True)
class Quantity:
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


def language_of(locale: str | None) -> str | None:
    tag = (locale or "").split("-", 1)[0].lower()
    return tag if tag in ("nl", "en") else None


def day_first_in(locale: str | None) -> bool | None:
    low = (locale or "").lower()
    if low.startswith("nl") or low in ("en-gb", "en-ie", "en-au", "en-nz"):
        return True
    return False if low == "en-us" else None


class Cursor:
    """Tokens without line ends, and what stands next to what."""

    def __init__(self, text: str, locale: str | None, masks: Iterable[tuple[int, int]]) -> None:
        self.original = text
        self.folded = lexed(text)
        self.language = language_of(locale)
        self.day_first = day_first_in(locale)
        self.tokens: list[Token] = []
        self.opens_line: set[int] = {0}
        for token in tokenize(self.folded.text):
            if token.kind == "line":
                self.opens_line.add(len(self.tokens))
            else:
                self.tokens.append(token)
        self.masked = self._masked(masks)

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

    def _place(self, first: int, after: int) -> dict[str, Any]:
        start, end = self.folded.back(self.tokens[first].start, self.tokens[after - 1].end)
        return {"text": self.original[start:end], "start": start, "end": end}
