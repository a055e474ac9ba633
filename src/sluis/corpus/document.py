"""A document as the chunker sees it: one text, blocks in it, and what its source says of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from sluis.core import NO_END, Day, Marker, Value
from sluis.core.chunk import Name
from sluis.core.reading import invisible

BlockKind = Literal["heading", "text", "item", "row"]

NO_BEGIN: Day = 1_01_01
"""First day of a validity whose source declares no beginning."""


@dataclass(frozen=True, kw_only=True)
class Block:
    """A stretch of the parsed text that is never mixed with another without a reason.

    Attributes:
        start, end: offsets in the parsed text, code points; without surrounding white space.
        kind: what it is.
        path: labels, outermost first.
        unit: how many of them name the unit (article, clause, consideration).
    """

    start: int
    end: int
    kind: BlockKind = "text"
    path: tuple[str, ...] = ()
    unit: int = 0


class DocumentMeta(Value):
    """What a policy and a reader need to know of a document."""

    source_id: Name
    source_kind: Name
    source_url: str = ""
    title: str
    family: Name
    version: Name = "1"
    doc_type: Name
    language: Name
    tenant: Name
    audience: Annotated[tuple[Name, ...], Field(min_length=1)]
    marker: Marker
    valid_from: Day = NO_BEGIN
    valid_to: Day = NO_END


@dataclass(frozen=True, kw_only=True)
class ParsedDocument:
    """A document, parsed.

    Attributes:
        meta: what its source says of it.
        text: the parsed text; chunks are stretches of it.
        blocks: in order, without overlap.
        raw_digest: of the bytes as they came.
        removed: invisible characters that were taken out.
        notices: what a person should know of it, as stable words.
    """

    meta: DocumentMeta
    text: str
    blocks: tuple[Block, ...]
    raw_digest: str
    removed: int = 0
    notices: tuple[str, ...] = ()


def visible(text: str) -> tuple[str, int]:
    """The text without characters that no reader sees, and how many were taken out.

    What stands beside a digit stays: a number with something hidden in it must remain suspect, not become another.
    """
    pieces: list[str] = []
    position = removed = 0
    for span in invisible(text):
        if span.start < position:
            continue
        around = text[max(0, span.start - 1) : span.start] + text[span.end : span.end + 1]
        if span.reason != "surrogate" and any(char.isdigit() for char in around):
            continue
        pieces.append(text[position : span.start])
        removed += span.end - span.start
        position = span.end
    pieces.append(text[position:])
    return "".join(pieces), removed


class TextBuilder:
    """Puts blocks together to one text, a blank line between them."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._blocks: list[Block] = []
        self._size = 0

    def add(self, text: str, *, kind: BlockKind, path: tuple[str, ...], unit: int) -> None:
        """Append a block; one without words is left out."""
        kept = text.strip()
        if not kept:
            return
        if self._parts:
            joint = "\n" if kind in ("item", "row") else "\n\n"
            self._parts.append(joint)
            self._size += len(joint)
        self._parts.append(kept)
        self._blocks.append(Block(start=self._size, end=self._size + len(kept), kind=kind, path=path, unit=unit))
        self._size += len(kept)

    def done(self) -> tuple[str, tuple[Block, ...]]:
        """The text and its blocks."""
        return "".join(self._parts), tuple(self._blocks)
