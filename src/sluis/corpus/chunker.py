"""From a parsed document to chunks: structure first, the token budget second.

The rules, in order:

1. A unit (an article, a clause, a consideration, or what stands between two headings) is one chunk when it fits.
2. A heading belongs to what follows it.
3. A unit that does not fit is packed block by block; a block that does not fit is cut between sentences; a sentence
   that does not fit is cut between words. Each next chunk begins with the last whole pieces of the one before, up to
   ``overlap`` tokens.
4. No boundary lies inside a reference, a citation, a value or a number. A boundary that would is left out, even if the
   chunk grows over its budget.
5. Every chunk bears the numbering path of its unit, and of the item in it when it holds one alone.

``text == parsed[start:end]`` for every chunk. Equal input gives equal chunks and equal ids.
"""

from __future__ import annotations

import bisect
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import re2

from sluis.core import Chunk, ConfigurationError, digest_of, digest_text
from sluis.core.reading import read_citations, read_references, read_values, split_sentences

from .document import Block, ParsedDocument
from .tokens import count_tokens

BUDGET = 500
OVERLAP = 120

_GAP = re2.compile(r"\s+")
_NUMBER = re2.compile(r"[0-9][0-9.,:/-]*[0-9]")


@dataclass(frozen=True, kw_only=True)
class Piece:
    """A stretch of the parsed text with its numbering path."""

    start: int
    end: int
    numbering: tuple[str, ...]


@dataclass(frozen=True)
class _Atom:
    start: int
    end: int
    path: tuple[str, ...]
    heading: bool
    tokens: int


class _Protected:
    """Stretches that no boundary may cut."""

    def __init__(self, text: str, language: str) -> None:
        locale = None if language == "und" else language
        citations = read_citations(text)
        spans = [(item.start, item.end) for item in read_references(text)]
        spans += [(item.start, item.end) for item in read_values(text, locale=locale)]
        spans += [(item.start, item.end) for item in citations.found]
        spans += [(item.start, item.end) for item in citations.malformed]
        spans += [(found.start(), found.end()) for found in _NUMBER.finditer(text)]
        spans.sort()
        self._starts: list[int] = []
        self._ends: list[int] = []
        for start, end in spans:
            if self._ends and start < self._ends[-1]:
                self._ends[-1] = max(self._ends[-1], end)
            else:
                self._starts.append(start)
                self._ends.append(end)

    def cuts(self, gap_start: int, gap_end: int) -> bool:
        """Whether a boundary in this gap (a stretch of white space, or one place) lies inside a protected stretch."""
        index = bisect.bisect_right(self._starts, gap_start) - 1
        return index >= 0 and self._starts[index] < gap_end + 1 and self._ends[index] > gap_end > self._starts[index]


def chunk_pieces(document: ParsedDocument, *, budget: int = BUDGET, overlap: int = OVERLAP) -> tuple[Piece, ...]:
    """Where a document is cut.

    Args:
        document: parsed.
        budget: tokens of a chunk, by :func:`sluis.corpus.count_tokens`.
        overlap: tokens that a chunk repeats of the one before, within one unit.

    Raises:
        ConfigurationError: the budget is not positive, or the overlap not smaller than it.
    """
    if budget < 1 or not 0 <= overlap < budget:
        raise ConfigurationError("The overlap must be smaller than the budget.", hint="500 and 120 are the defaults.")
    protected = _Protected(document.text, document.meta.language)
    pieces: list[Piece] = []
    for section in _sections(document.blocks, protected):
        pieces.extend(_pack(document.text, section, protected, budget, overlap))
    return tuple(pieces)


def chunk_document(
    document: ParsedDocument, *, pins: str, ingested_at: datetime, budget: int = BUDGET, overlap: int = OVERLAP
) -> tuple[Chunk, ...]:
    """The chunks of a document, in order.

    Args:
        document: parsed.
        pins: digest of the pin set they are made under.
        ingested_at: now.
        budget, overlap: as in :func:`chunk_pieces`.
    """
    meta = document.meta
    seen: Counter[tuple[tuple[str, ...], str]] = Counter()
    chunks: list[Chunk] = []
    for position, piece in enumerate(chunk_pieces(document, budget=budget, overlap=overlap)):
        text = document.text[piece.start : piece.end]
        digest = digest_text(text)
        key = (piece.numbering, digest)
        chunk_id = _chunk_id(meta.source_id, piece.numbering, digest, seen[key])
        seen[key] += 1
        chunks.append(
            Chunk(
                chunk_id=chunk_id,
                source_id=meta.source_id,
                source_kind=meta.source_kind,
                source_url=meta.source_url,
                title=meta.title,
                family=meta.family,
                version=meta.version,
                doc_type=meta.doc_type,
                language=meta.language,
                tenant=meta.tenant,
                audience=meta.audience,
                marker=meta.marker,
                valid_from=meta.valid_from,
                valid_to=meta.valid_to,
                numbering=piece.numbering,
                position=position,
                start=piece.start,
                end=piece.end,
                text=text,
                content_digest=digest,
                pins=pins,
                ingested_at=ingested_at,
            )
        )
    return tuple(chunks)


def _chunk_id(source_id: str, numbering: tuple[str, ...], digest: str, twin: int) -> str:
    """From document, numbering path and content; ``twin`` tells equal pieces under one number apart."""
    whole = digest_of([source_id, list(numbering), digest, twin])
    return f"ch_{whole.removeprefix('sha256:')[:32]}"


def _sections(blocks: Sequence[Block], protected: _Protected) -> list[list[Block]]:
    """Blocks by unit; a heading goes with what follows it, and what a reference spans stays together."""
    sections: list[list[Block]] = []
    for block in blocks:
        last = sections[-1] if sections else None
        if last is not None and (
            protected.cuts(last[-1].end, block.start)
            or all(item.kind == "heading" for item in last)
            or (block.kind != "heading" and _key(block) == _key(_first_body(last)))
        ):
            last.append(block)
        else:
            sections.append([block])
    return sections


def _first_body(section: list[Block]) -> Block:
    return next((block for block in section if block.kind != "heading"), section[-1])


def _key(block: Block) -> tuple[str, ...]:
    return block.path[: block.unit]


def _pack(text: str, section: list[Block], protected: _Protected, budget: int, overlap: int) -> list[Piece]:
    atoms = [
        _Atom(block.start, block.end, block.path, block.kind == "heading", count_tokens(text[block.start : block.end]))
        for block in section
    ]
    if sum(atom.tokens for atom in atoms) <= budget:
        return [_piece(atoms, section)]
    small: list[_Atom] = []
    for atom in atoms:
        small.extend([atom] if atom.tokens <= budget else _cut(text, atom, protected, budget))
    packed: list[list[_Atom]] = []
    current: list[_Atom] = []
    size = 0
    fresh = 0
    for atom in small:
        # What only headings precede stays with them.
        if current and fresh and size + atom.tokens > budget and not all(item.heading for item in current):
            if protected.cuts(current[-1].end, atom.start):
                current.append(atom)
                size += atom.tokens
                continue
            packed.append(current)
            current = _tail(current, overlap, budget - atom.tokens, protected)
            size = sum(item.tokens for item in current)
            fresh = 0
        current.append(atom)
        size += atom.tokens
        fresh += 1
    packed.append(current)
    return [_piece(group, section) for group in packed]


def _tail(atoms: list[_Atom], overlap: int, room: int, protected: _Protected) -> list[_Atom]:
    """The last whole atoms that fit into the overlap and leave room for what comes; never all of them."""
    taken: list[_Atom] = []
    size = 0
    for index in range(len(atoms) - 1, 0, -1):
        size += atoms[index].tokens
        if size > min(overlap, room):
            break
        taken.insert(0, atoms[index])
    while taken and protected.cuts(_before(atoms, taken[0]).end, taken[0].start):
        taken.pop(0)
    return taken


def _before(atoms: list[_Atom], atom: _Atom) -> _Atom:
    return atoms[atoms.index(atom) - 1]


def _piece(atoms: list[_Atom], section: list[Block]) -> Piece:
    body = [atom.path for atom in atoms if not atom.heading] or [atoms[-1].path]
    common = body[0]
    for path in body[1:]:
        depth = 0
        while depth < min(len(common), len(path)) and common[depth] == path[depth]:
            depth += 1
        common = common[:depth]
    return Piece(start=atoms[0].start, end=atoms[-1].end, numbering=common)


def _cut(text: str, atom: _Atom, protected: _Protected, budget: int) -> list[_Atom]:
    """A block as whole sentences, and a sentence that is too long as groups of words."""
    bounds = [(atom.start + span.start, atom.start + span.end) for span in split_sentences(text[atom.start : atom.end])]
    joined: list[tuple[int, int]] = []
    for start, end in bounds:
        if joined and protected.cuts(joined[-1][1], start):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    # Nothing may fall between two sentences; what the splitter leaves out is white space alone.
    result: list[_Atom] = []
    for start, end in joined:
        for first, last in _words(text, start, end, protected, budget):
            result.append(_Atom(first, last, atom.path, atom.heading, count_tokens(text[first:last])))
    return result or [atom]


def _words(text: str, start: int, end: int, protected: _Protected, budget: int) -> list[tuple[int, int]]:
    if count_tokens(text[start:end]) <= budget:
        return [(start, end)]
    gaps = [
        (start + found.start(), start + found.end())
        for found in _GAP.finditer(text[start:end])
        if not protected.cuts(start + found.start(), start + found.end())
    ]
    result: list[tuple[int, int]] = []
    begin = start
    stop = start
    size = 0
    for gap_start, gap_end in [*gaps, (end, end)]:
        word = count_tokens(text[stop:gap_start])
        if size and size + word > budget:
            cut = stop
            while cut > begin and text[cut - 1].isspace():
                cut -= 1
            result.append((begin, cut))
            begin = stop
            size = 0
        size += word
        stop = gap_end
    result.append((begin, end))
    return result
