"""Text as tokens: runs of ASCII digits, runs of letters, and single other characters.

Everything that reads values and references works on these, left to right, without going back.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

from ._chars import NUMERALS

TokenKind = Literal["number", "word", "symbol", "line"]

# Disjoint character classes without nesting: each character is looked at once, whatever the text.
_TOKEN = re.compile(
    rf"(?P<number>[0-9]+)|(?P<word>(?:(?![{NUMERALS}])[^\W\d_]|[\u0300-\u036f])+)|(?P<line>\n)|(?P<symbol>[^ ])"
)


_LONGEST = 256
"""Of a word that is composed; composing takes time quadratic in the marks on one letter."""


@dataclass(frozen=True, slots=True)
class Token:
    """One token; offsets count characters of the lexed text."""

    kind: TokenKind
    text: str
    low: str
    start: int
    end: int


NONE = Token("line", "", "", -1, -1)
"""What stands before the first and after the last token."""


def tokenize(text: str) -> list[Token]:
    """The tokens of a lexed text, in order. Spaces are left out; the gap shows in the offsets."""
    tokens: list[Token] = []
    for found in _TOKEN.finditer(text):
        kind: TokenKind = found.lastgroup  # type: ignore[assignment]
        piece = found.group()
        low = piece if kind != "word" else piece.lower()
        if not low.isascii() and len(low) <= _LONGEST:
            low = unicodedata.normalize("NFC", low)
        tokens.append(Token(kind, piece, low, found.start(), found.end()))
    return tokens
