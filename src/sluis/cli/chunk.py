"""``sluis chunk``: the chunks of documents, without storing them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sluis.core import InputError, UsageError
from sluis.core.reading import Reference, read_references

from ._io import JsonFlag, emit

if TYPE_CHECKING:
    from sluis.core import Chunk
    from sluis.corpus.document import ParsedDocument

__all__ = ["chunk_file", "command", "reference_text"]

_NEVER = datetime(1970, 1, 1, tzinfo=UTC)
"""What is only shown bears no time of ingest."""


class ParsedTargetError(UsageError):
    """``--parsed`` names a place that cannot be written, or one file for several documents."""

    code = "usage.parsed_target"


def reference_text(reference: Reference) -> str | None:
    """A reference as ``12.4(b)``, ``7:669(3)(g) BW``; ``None`` for one that names no article."""
    if reference.article is None:
        return None
    book = f"{reference.book}:" if reference.book is not None else ""
    below = [step for step in (reference.paragraph, *reference.path) if step is not None]
    tail = "".join(f"({step})" for step in below)
    law = f" {reference.law}" if reference.law is not None else ""
    return f"{book}{reference.article}{tail}{law}"


def _own(numbering: tuple[str, ...]) -> str | None:
    """What a numbering path amounts to: ``("12", "12.4", "(b)")`` is ``12.4(b)``."""
    labels = [label for label in numbering if label[0].isdigit() or len(label) <= 6]
    if not labels:
        return None
    unit = 0
    for index in range(1, len(labels)):
        if not labels[index].startswith(f"{labels[index - 1]}."):
            break
        unit = index
    return labels[unit] + "".join(f"({label.strip('().')})" for label in labels[unit + 1 :])


def _line(chunk: Chunk, source: str) -> dict[str, Any]:
    from sluis.corpus.tokens import count_tokens

    named = [_own(chunk.numbering), *(reference_text(item) for item in read_references(chunk.text))]
    return {
        "id": chunk.chunk_id,
        "source": source,
        "text": chunk.text,
        "start": chunk.start,
        "end": chunk.end,
        "page": None,
        "numbering": list(chunk.numbering),
        "references": list(dict.fromkeys(name for name in named if name is not None)),
        "tokens": count_tokens(chunk.text),
        "pins": chunk.pins,
    }


def chunk_file(path: Path, *, budget: int, overlap: int) -> tuple[ParsedDocument, Iterator[dict[str, Any]]]:
    """A parsed document and its chunks as this verb prints them.

    Raises:
        DocumentError: it cannot be read.
    """
    from sluis.corpus.chunker import chunk_document
    from sluis.corpus.ingest import read_document
    from sluis.corpus.pins import PinSet

    document = read_document(path)
    pins = PinSet(budget=budget, overlap=overlap, embedder=None).digest()
    chunks = chunk_document(document, pins=pins, ingested_at=_NEVER, budget=budget, overlap=overlap)
    return document, (_line(chunk, str(path)) for chunk in chunks)


def _write_parsed(document: ParsedDocument, path: Path, target: Path, *, several: bool) -> None:
    place = target / f"{path.name}.parsed.txt" if several or target.is_dir() else target
    try:
        if several:
            target.mkdir(parents=True, exist_ok=True)
        # As bytes: the offsets count these very characters, so no line end may be translated.
        place.write_bytes(document.text.encode("utf-8", "surrogatepass"))
    except OSError as error:
        raise ParsedTargetError(
            f"Cannot write {place}: {error.strerror}.", hint="Name a file, or a folder for several documents."
        ) from error


def command(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Rechtspraak XML, Markdown or text.")],
    parsed: Annotated[
        Path | None,
        typer.Option("--parsed", metavar="PATH", help="Write the parsed text here; a folder for several documents."),
    ] = None,
    budget: Annotated[int, typer.Option("--budget", min=1, max=4096, help="Tokens of a chunk.")] = 500,
    overlap: Annotated[int, typer.Option("--overlap", min=0, help="Tokens repeated from the chunk before.")] = 120,
    json_: JsonFlag = False,
) -> int:
    """Show how documents are cut: a line a chunk, with numbering path, span, references and pins.

    The answer is JSON lines with or without --json. start and end count code points of the parsed text, which
    --parsed writes. A file that cannot be read gets a line with "error", and exit code 2 follows at the end.
    """
    code = 0
    for path in files:
        try:
            document, lines = chunk_file(path, budget=budget, overlap=overlap)
        except InputError as error:
            emit({"source": str(path), "error": error.diagnostics()})
            code = 2
            continue
        if parsed is not None:
            _write_parsed(document, path, parsed, several=len(files) > 1)
        for line in lines:
            emit(line)
    return code
