"""Quotations in a claim, and whether they stand in a source.

A quotation is text between ``“ ”``, ``„ ”``, ``« »``, ``" "`` or ``‘ ’``/``' '`` used as quotes; an apostrophe is
none (``'s-Gravenhage``, ``auto's``). It is compared after :func:`sluis.core.reading.fold`, whole words, in one
piece. An ellipsis cuts it into parts: what was left out is then for a person to judge.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from .claims import MARKER
from .fold import fold

MIN_WORDS = 3
"""A shorter quotation is a term, not a statement."""
_MAX_ATTEMPTS = 64
MAX_GAP = 400
"""Characters that a quotation may leave out; more is a patchwork."""

_PAIRS = {
    "\u201c": "\u201d\u201c",
    "\u201e": "\u201d\u201c\u201f",
    "\u00ab": "\u00bb",
    "\u00bb": "\u00ab",
    '"': '"',
    "\u201f": "\u201d",
    "\u2039": "\u203a",
    "\u203a": "\u2039",
    "\u275d": "\u275e",
    "\u276e": "\u276f",
    "\u300c": "\u300d",
    "\u300e": "\u300f",
    "\u301d": "\u301e\u301f",
}
_DOUBLE_MARKS = frozenset(
    '\u201c\u201d\u201e\u201f\u00ab\u00bb\u2039\u203a\u275d\u275e\u276e\u276f\u300c\u300d\u300e\u300f\u301d\u301e\u301f"'
)
_SINGLE = {"\u2018": "\u2019", "'": "'", "\u201a": "\u2018\u2019", "\u201b": "\u2019"}
_CLITIC = re.compile(r"['\u2018\u2019](?:s|t|n|m|k|r|d|er|em)(?:[ -]|$)", re.IGNORECASE)
_ELLIPSIS = re.compile(r"[\[(]? ?(?:\.\.\.+|(?:\. ){2,}\.) ?[\])]?")
_WORD = re.compile(r"\w+")
_NEGATION = re.compile(
    r"(?i)\b(?:niet|geen|nooit|noch|tenzij|behoudens|uitgezonderd|behalve|mits|zonder|ten hoogste|ten minste|slechts|"
    r"alleen|not|no|never|nor|unless|except|without|only|at most|at least|provided)\b"
)

Match = Literal["verbatim", "elided", "altered"]


@dataclass(frozen=True, kw_only=True)
class Quote:
    """A quotation; ``text`` is what stands between the marks, at ``start..end``."""

    text: str
    start: int
    end: int

    @property
    def elided(self) -> bool:
        """Whether it leaves something out."""
        return _ELLIPSIS.search(fold(self.text).text) is not None

    @property
    def words(self) -> int:
        """How many words it holds."""
        return len(_WORD.findall(self.text))


def read_quotes(text: str) -> tuple[Quote, ...]:
    """The quotations in a text, outermost only, in order. An opening mark without its closing one is none."""
    quotes: list[Quote] = []
    closings = _closings(text)
    index = 0
    while index < len(text):
        closing = _PAIRS.get(text[index]) or (_SINGLE.get(text[index]) if _opens(text, index) else None)
        end = None if closing is None else closings.after(index, closing, single=text[index] in _SINGLE)
        if end is None:
            index += 1
            continue
        quotes.append(Quote(text=text[index + 1 : end], start=index + 1, end=end))
        index = end + 1
    return tuple(quotes)


def unpaired(text: str) -> int | None:
    """Offset of a double quotation mark that no quotation of the text uses; ``None``: there is none.

    A mark right after a digit is an inch or a second.
    """
    quotes = read_quotes(text)
    number = 0
    for place, char in enumerate(text):
        while number < len(quotes) and quotes[number].end < place:
            number += 1
        used = number < len(quotes) and quotes[number].start - 1 <= place
        if char in _DOUBLE_MARKS and not used and not (char == '"' and text[place - 1 : place].isdigit()):
            return place
    return None


class _Closings:
    """Where quotations may close, found in one pass; asking costs a step forward only."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.places: dict[str, list[int]] = {}
        self.cursor: dict[str, int] = {}
        for index, char in enumerate(text):
            if char in _DOUBLE_MARKS or (char in "\u2019'\u2018" and self._closes(index)):
                self.places.setdefault(char, []).append(index)

    def _closes(self, index: int) -> bool:
        before = self.text[index - 1 : index]
        after = self.text[index + 1 : index + 2]
        return bool(before) and not before.isspace() and not after.isalnum()

    def after(self, index: int, marks: str, *, single: bool) -> int | None:
        best: int | None = None
        for mark in marks:
            places = self.places.get(mark, [])
            cursor = self.cursor.get(mark, 0)
            while cursor < len(places) and places[cursor] <= index:
                cursor += 1
            self.cursor[mark] = cursor
            if cursor < len(places) and (best is None or places[cursor] < best):
                best = places[cursor]
        return best


def _closings(text: str) -> _Closings:
    return _Closings(text)


def _opens(text: str, index: int) -> bool:
    before = text[index - 1 : index]
    after = text[index + 1 : index + 2]
    if before and not before.isspace() and before not in '([{-\u2013\u2014/:"\u201c':
        return False
    return bool(after) and not after.isspace() and _CLITIC.match(text, index) is None


def _comparable(text: str) -> str:
    return fold(text).text.strip(" ")


def elisions(text: str) -> bool:
    """Whether a text leaves something out by an ellipsis between words."""
    plain = _comparable(MARKER.sub("", text))
    first, last = len(plain) - len(plain.lstrip()), len(plain.rstrip(" .,;"))
    return any(first < found.start() and found.end() < last for found in _ELLIPSIS.finditer(plain))


def parts(text: str) -> tuple[str, ...]:
    """A quotation cut at its ellipses, without the punctuation at its ends; an empty part means: cut at that edge."""
    plain = MARKER.sub("", _comparable(text))
    return tuple(piece.strip(" .,;:") for piece in _ELLIPSIS.split(plain))


def find_quote(quote: str, source: str) -> Match | None:
    """Whether a quotation stands in a source.

    Args:
        quote: what stands between the quotation marks.
        source: one source's text.

    Returns:
        ``verbatim``: contiguous, whole words. ``elided``: all parts in order, close together in one paragraph, and
        nothing left out that turns the meaning. ``altered``: the parts stand there, but what was left out holds a
        negation or a bound, or they lie on different lines, in another order or too far apart. ``None``: it does not
        stand there.
    """
    pieces = parts(quote)
    if not any(pieces):
        return None
    if len(pieces) == 1:
        return "verbatim" if _find(pieces[0], _comparable(source), 0) is not None else None
    return _elided(pieces, source)


def _elided(pieces: tuple[str, ...], source: str) -> Match | None:
    kept = [piece for piece in pieces if piece]
    tried = 0
    for line in source.splitlines():
        text = _comparable(line)
        spot = _find(kept[0], text, 0)
        while spot is not None and tried < _MAX_ATTEMPTS:
            tried += 1
            if _follow(kept, text, spot, cut_before=not pieces[0], cut_after=not pieces[-1]):
                return "elided"
            spot = _find(kept[0], text, spot[0] + 1)
    return "altered" if _scattered(kept, source) else None


def _scattered(kept: list[str], source: str) -> bool:
    text = _comparable(source)
    return all(_find(piece, text, 0) is not None for piece in kept)


def _follow(kept: list[str], text: str, first: tuple[int, int], *, cut_before: bool, cut_after: bool) -> bool:
    """Whether the parts follow each other from one place of the first, with nothing telling left out."""
    start, end = first
    left_out: list[str] = []
    if cut_before:
        left_out.append(text[_sentence_start(text, start) : start])
    for piece in kept[1:]:
        spot = _find(piece, text, end)
        if spot is None:
            return False
        left_out.append(text[end : spot[0]])
        end = spot[1]
    if cut_after:
        left_out.append(text[end : _sentence_end(text, end)])
    return all(_NEGATION.search(piece) is None and len(piece) <= MAX_GAP for piece in left_out)


def _sentence_start(text: str, index: int) -> int:
    return max(text.rfind(mark, 0, index) + 2 if text.rfind(mark, 0, index) >= 0 else 0 for mark in (". ", "! ", "? "))


def _sentence_end(text: str, index: int) -> int:
    ends = [place for mark in (". ", "! ", "? ") if (place := text.find(mark, index)) >= 0]
    return min(ends, default=len(text))


def _find(piece: str, text: str, start: int) -> tuple[int, int] | None:
    """A part as whole words; its first letter may be a capital where the source has none, or the reverse."""
    best: tuple[int, int] | None = None
    swapped = piece[0].swapcase() + piece[1:]
    for form in (piece, swapped) if len(swapped) == len(piece) and swapped != piece else (piece,):
        spot = text.find(form, start)
        while spot >= 0:
            end = spot + len(form)
            if _bounded(text, spot, end):
                if best is None or spot < best[0]:
                    best = (spot, end)
                break
            spot = text.find(form, spot + 1)
    return best


def _bounded(text: str, start: int, end: int) -> bool:
    """Whether neither end cuts a word or a number."""
    if start and text[start].isalnum() and (text[start - 1].isalnum() or _number_goes_on(text, start - 1, start)):
        return False
    return not (
        end < len(text) and text[end - 1].isalnum() and (text[end].isalnum() or _number_goes_on(text, end, end - 1))
    )


def _number_goes_on(text: str, mark: int, inner: int) -> bool:
    """Whether a mark between two digits makes them one number (``1.250``)."""
    outer = mark + (mark - inner)
    return text[mark] in ".,:" and text[inner].isdigit() and 0 <= outer < len(text) and text[outer].isdigit()
