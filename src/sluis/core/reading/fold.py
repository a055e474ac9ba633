"""The fixed fold: what two spellings may differ in and still be the same text.

Two depths, both with a way back to the original:

- :func:`lexed` is what the readers work on. Quotes, dashes, spaces and full-width ASCII become plain, soft
  hyphens vanish, ligatures are spelled out; line ends, case, signs and zero-width characters stay.
- :func:`fold` is what quotations are compared in. It is :func:`lexed` plus composed accents (NFC), one space for
  any run of white space, and no zero-width characters except beside a digit, where they make a number suspect.

Neither ever applies NFKC: ``10²`` is not ``102``.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from ._chars import BIDI, FULL_WIDTH, LIGATURES, MINUS, ONE_TO_ONE, SOFT_HYPHEN, ZERO_WIDTH


@dataclass(frozen=True, kw_only=True)
class Span:
    """A stretch of a text, in code points, and what it is."""

    text: str
    start: int
    end: int
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class Folded:
    """A folded text that knows where each of its characters came from.

    Attributes:
        text: the folded text.
        offsets: for each of its characters the offset in the original; one more for the end of the original.
            ``None`` when both are the same throughout.
        size: length of the original.
    """

    text: str
    offsets: tuple[int, ...] | None
    size: int

    def start(self, index: int) -> int:
        """The original offset at which the folded offset ``index`` begins."""
        return index if self.offsets is None else self.offsets[index]

    def end(self, index: int) -> int:
        """The original offset at which a folded stretch that ends before ``index`` ends."""
        if self.offsets is None:
            return index
        return 0 if index == 0 else self.offsets[index - 1] + 1

    def back(self, start: int, end: int) -> tuple[int, int]:
        """A folded stretch as a stretch of the original."""
        return self.start(start), max(self.start(start), self.end(end))


# Single character classes: linear by construction, so the standard engine may run them on untrusted text.
_LENGTHENS = re.compile(f"[{SOFT_HYPHEN}{''.join(LIGATURES)}]")
_INVISIBLE = re.compile(
    f"[{ZERO_WIDTH}{BIDI}\\U000e0000-\\U000e007f\\U000e0100-\\U000e01ef\\ufe00-\\ufe0f\\ufff9-\\ufffb]+"
)
_SOFT = re.compile(f"{SOFT_HYPHEN}+")
_SURROGATE = re.compile("[\ud800-\udfff]+")
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]+")
_PLAIN = re.compile(r"[\x20-\x7e]*")


def lexed(text: str) -> Folded:
    """The text as the readers see it; see the module's docstring."""
    if text.isascii():
        return Folded(text=text.translate(ONE_TO_ONE), offsets=None, size=len(text))
    if _LENGTHENS.search(text) is None:
        return Folded(text=text.translate(ONE_TO_ONE), offsets=None, size=len(text))
    out: list[str] = []
    offsets: list[int] = []
    for index, char in enumerate(text):
        if char == SOFT_HYPHEN:
            continue
        spelled = LIGATURES.get(char) or ONE_TO_ONE.get(ord(char), char)
        out.append(spelled)
        offsets.extend([index] * len(spelled))
    return Folded(text="".join(out), offsets=(*offsets, len(text)), size=len(text))


def _beside_digit(text: str, index: int) -> bool:
    before = text[index - 1] if index else ""
    after = text[index + 1 : index + 2]
    return (before + after).strip() != "" and any("0" <= FULL_WIDTH.get(char, char) <= "9" for char in before + after)


def fold(text: str) -> Folded:
    """The text as quotations are compared: :func:`lexed`, composed, white space collapsed.

    Idempotent: ``fold(fold(t).text).text == fold(t).text``. A minus sign (U+2212) is joined to the digit that
    follows it.
    """
    out: list[str] = []
    offsets: list[int] = []
    after_minus = False
    for index, char in enumerate(text):
        if char == SOFT_HYPHEN or (char in ZERO_WIDTH and not _beside_digit(text, index)):
            continue
        spelled = LIGATURES.get(char) or ONE_TO_ONE.get(ord(char), char)
        if spelled in (" ", "\n"):
            if out and out[-1] == " ":
                continue
            spelled = " "
        elif after_minus and "0" <= spelled[0] <= "9" and out[-1] == " ":
            out.pop()
            offsets.pop()
        out.extend(spelled)
        offsets.extend([index] * len(spelled))
        after_minus = char == MINUS or (after_minus and spelled == " ")
    composed, kept = _composed(out, offsets)
    return Folded(text=composed, offsets=(*kept, len(text)), size=len(text))


_MOST_MARKS = 32
"""Marks on one letter that are composed together (UAX 15, stream-safe text)."""


def _composed(chars: list[str], offsets: list[int]) -> tuple[str, list[int]]:
    """NFC of each base character with the combining marks after it."""
    text = "".join(chars)
    if _PLAIN.fullmatch(text) is not None:
        return text, offsets
    out: list[str] = []
    kept: list[int] = []
    index = 0
    while index < len(chars):
        end = index + 1
        while end < len(chars) and unicodedata.combining(chars[end]) and end < index + _MOST_MARKS:
            end += 1
        cluster = unicodedata.normalize("NFC", "".join(chars[index:end])).translate(ONE_TO_ONE)
        out.append(cluster)
        kept.extend(offsets[min(index + place, end - 1)] for place in range(len(cluster)))
        index = end
    return "".join(out), kept


def invisible(text: str) -> tuple[Span, ...]:
    """What a reader of the text would not see, with the reason.

    Reasons: ``invisible`` (zero-width, tags, variation selectors), ``bidi`` (direction controls), ``soft_hyphen``,
    ``surrogate`` (half a character) and ``control``. One presentation selector after a symbol is not reported.
    """
    spans: list[Span] = []
    for pattern, reason in ((_INVISIBLE, ""), (_SOFT, "soft_hyphen"), (_SURROGATE, "surrogate"), (_CONTROL, "control")):
        for found in pattern.finditer(text):
            piece = found.group()
            if (
                piece in ("\ufe0e", "\ufe0f")
                and unicodedata.category(text[found.start() - 1 : found.start()] or "x") == "So"
            ):
                continue
            said = reason or ("bidi" if any(char in BIDI for char in piece) else "invisible")
            spans.append(Span(text=piece, start=found.start(), end=found.end(), reason=said))
    return tuple(sorted(spans, key=lambda span: span.start))
