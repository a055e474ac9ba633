"""The text of a ruling as paragraphs: structure in, reading order out, nothing lost."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import re2

if TYPE_CHECKING:
    from lxml.etree import _Element

__all__ = ["Paragraph", "ParagraphKind", "has_words", "local_name", "plain_text", "read_body", "squeeze"]

ParagraphKind = Literal["heading", "text", "item", "row", "footnote"]

_HEADINGS = frozenset({"title", "subtitle", "bridgehead"})
_ITEMS = frozenset({"listitem"})
_BLOCKS = frozenset(
    {
        "uitspraak.info", "conclusie.info", "section", "parablock", "paragroup", "para", "itemizedlist",
        "orderedlist", "listitem", "informaltable", "table", "tgroup", "thead", "tbody", "tfoot", "blockquote",
    }
)  # fmt: skip
_BREAKS = frozenset({"linebreak", "br"})
_ASIDE = frozenset({"footnote"})
_SKIPPED = frozenset({"footnote-ref", "colspec", "spanspec"})
"""Marks without words of their own; a footnote's number glued to a word would break every quotation of it."""

_LEADING_NUMBER = re2.compile(r"^([0-9]{1,2}(?:\.[0-9]{1,2}){1,4})\.?[ \x{a0}]|^([0-9]{1,2})\.[ \x{a0}]")
_TO_SPACE = str.maketrans("\t\r\n", "   ")


@dataclass(frozen=True, kw_only=True, slots=True)
class Paragraph:
    """One paragraph, in document order.

    Attributes:
        position: its place, from 0.
        kind: what it is.
        numbering: labels from the outside in, without the trailing dot: ``("4", "4.2")``. Empty: not numbered.
        text: its words; runs of white space are one space. A label from a numbering element is not part of it.
        section: role of the innermost section that has one (``overwegingen``, ``beslissing``), or empty.
        heading: the words of the nearest heading above it, or empty.
    """

    position: int
    kind: ParagraphKind
    numbering: tuple[str, ...]
    text: str
    section: str
    heading: str


def squeeze(text: str) -> str:
    """Runs of XML white space as one space; a no-break space is a character of the text and stays."""
    return " ".join(filter(None, text.translate(_TO_SPACE).split(" ")))


def local_name(element: _Element) -> str:
    """The tag without its namespace."""
    return str(element.tag).rpartition("}")[2]


def plain_text(element: _Element) -> str:
    """All words under an element as one line."""
    return squeeze("".join(str(part) for part in element.itertext()))


def has_words(element: _Element) -> bool:
    """Whether there is any text under an element."""
    return any(str(part).strip() for part in element.itertext())


def _label(text: str) -> str:
    return text.rstrip(" .(") or text


@dataclass(kw_only=True)
class _Frame:
    """What a container gives to what stands in it."""

    base: tuple[str, ...]
    kind: ParagraphKind
    section: str
    label: str = ""
    item: int = 0

    def numbering(self) -> tuple[str, ...]:
        if not self.label or self.base[-1:] == (self.label,):
            return self.base
        return (*self.base, self.label)


@dataclass(kw_only=True)
class _Reader:
    paragraphs: list[Paragraph] = field(default_factory=list)
    buffer: list[str] = field(default_factory=list)
    notes: list[_Element] = field(default_factory=list)
    heading: str = ""

    def flush(self, frame: _Frame) -> None:
        text = squeeze("".join(self.buffer))
        self.buffer.clear()
        if text:
            self._add(text, frame)
        notes, self.notes = self.notes, []
        for note in notes:  # a footnote follows the paragraph that refers to it
            self._block(note, _Frame(base=frame.numbering(), kind="footnote", section=frame.section))

    def _add(self, text: str, frame: _Frame) -> None:
        numbering = frame.numbering()
        if frame.kind in ("text", "heading"):
            numbering = _with_leading_number(numbering, text)
        if frame.kind == "heading":
            self.heading = text
        self.paragraphs.append(
            Paragraph(
                position=len(self.paragraphs),
                kind=frame.kind,
                numbering=numbering,
                text=text,
                section=frame.section,
                heading="" if frame.kind == "heading" else self.heading,
            )
        )

    def read(self, element: _Element, frame: _Frame) -> None:
        """The content of a block or of an inline element within it; the caller flushes at a block's edges."""
        self.buffer.append(element.text or "")
        for child in element:
            self._child(child, frame)
            self.buffer.append(child.tail or "")

    def _child(self, child: _Element, frame: _Frame) -> None:
        name = local_name(child)
        if name == "nr":
            self.flush(frame)
            frame.label = _label(plain_text(child))
        elif name in _HEADINGS:
            self.flush(frame)
            inner = _Frame(base=frame.base, kind="heading", section=frame.section, label=frame.label)
            self._block(child, inner)
            # The number in a section's title is the section's.
            frame.label = inner.label
        elif name == "row":
            self.flush(frame)
            self._row(child, frame)
        elif name in _BLOCKS:
            self.flush(frame)
            self._block(child, self._inside(child, name, frame))
        elif name in _ASIDE:
            self.notes.append(child)
        elif name in _BREAKS:
            self.buffer.append(" ")
        elif name not in _SKIPPED:
            self.read(child, frame)

    def _block(self, element: _Element, frame: _Frame) -> None:
        self.read(element, frame)
        self.flush(frame)

    def _inside(self, child: _Element, name: str, frame: _Frame) -> _Frame:
        kind: ParagraphKind = "item" if name in _ITEMS else frame.kind
        role = str(child.get("role") or "") if name == "section" else ""
        inner = _Frame(base=frame.numbering(), kind=kind, section=role or frame.section)
        parent = child.getparent()
        if name in _ITEMS and parent is not None and local_name(parent) == "orderedlist":
            frame.item += 1
            inner.label = _ordinal(frame.item, str(parent.get("numeration") or "arabic"))
        return inner

    def _row(self, row: _Element, frame: _Frame) -> None:
        cells = [plain_text(cell) for cell in row]
        self.buffer.append(" | ".join(cells) if any(cells) else "")
        self.flush(_Frame(base=frame.numbering(), kind="row", section=frame.section))


def _with_leading_number(numbering: tuple[str, ...], text: str) -> tuple[str, ...]:
    """Add the number that a paragraph opens with, for records that write it in the text.

    It counts for that paragraph alone: a wrong number is worse than none, so nothing after it inherits it.
    """
    match = _LEADING_NUMBER.match(text)
    if match is None:
        return numbering
    label = str(match.group(1) or match.group(2))
    return numbering if label in numbering else (*numbering, label)


_ROMAN = (("x", 10), ("ix", 9), ("v", 5), ("iv", 4), ("i", 1))


def _ordinal(number: int, numeration: str) -> str:
    """The label of a list item by DocBook's ``numeration``: arabic, loweralpha, upperalpha, lowerroman, upperroman."""
    if numeration.endswith("alpha") and number <= 26:
        label = chr(ord("a") + number - 1)
    elif numeration.endswith("roman"):
        label, rest = "", number
        for letters, value in _ROMAN:
            label += letters * (rest // value)
            rest %= value
    else:
        label = str(number)
    return label.upper() if numeration.startswith("upper") else label


def read_body(element: _Element) -> tuple[Paragraph, ...]:
    """The paragraphs of ``<uitspraak>`` or ``<conclusie>``."""
    reader = _Reader()
    frame = _Frame(base=(), kind="text", section="")
    reader.read(element, frame)
    reader.flush(frame)
    return tuple(reader.paragraphs)
