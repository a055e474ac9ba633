"""Ingest: documents in, a served index out. Idempotent, and it goes on where it was killed.

The rules, in order:

1. The collection is named for the pin set, so a changed pin set fills a new one beside the one that serves. A
   half-filled one of an earlier run is gone on with.
2. Each document stands alone: one that cannot be read is counted with its reason and changes nothing of what is known
   about it; the others go on.
3. A document whose chunks the store and the register hold already costs its parsing and nothing more.
4. Else its chunks are encoded and written: the register first, for it is the truth, then the store; then what the
   document no longer holds is taken out of the store, then of the register. A kill anywhere in between leaves
   something that the next run sees and completes.
5. Nothing is deleted because a file is not there: that is counted as ``missing``.
6. At the end store and register are compared chunk by chunk. Only when they agree does the alias move, by
   compare-and-set, and only then is the fingerprint given that the manifest must allow.
7. An alias never moves to a collection that lacks a document of the one it serves from, nor to an empty one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from sluis.core import AnyOf, Chunk, Clock

from .bm25 import document_vector
from .chunker import BUDGET, OVERLAP, chunk_document
from .document import ParsedDocument
from .errors import DocumentError, LeftBehindError, RegisterIncompleteError
from .ingest_report import IngestReport, Malformed, Progress
from .parse_text import MAX_BYTES, Defaults, parse_markdown, parse_plain
from .pins import PinSet
from .store import Record, Store, read_payload

if TYPE_CHECKING:
    from .embed import PinnedEmbeddings
    from .register import Register

__all__ = [
    "PARSERS",
    "IngestReport",
    "Malformed",
    "Progress",
    "document_files",
    "ingest_paths",
    "read_document",
    "searched_words",
]

PARSERS = {".xml": "ruling", ".md": "markdown", ".markdown": "markdown", ".txt": "text"}
"""What is read, by the end of a file's name."""

_TOO_LONG = 4096
"""Tokens of a chunk above which a reranker would not read all of it; such a chunk is refused with its document."""


def document_files(paths: Iterable[Path]) -> tuple[tuple[Path, str], ...]:
    """Every file under the paths with the name it is known by: relative to the folder it was found through.

    Hidden files and folders are left out. Sorted, so that a run is the same wherever it is made.

    Raises:
        DocumentError: a path is not there.
    """
    found: dict[Path, str] = {}
    for path in paths:
        if path.is_file():
            found.setdefault(path.resolve(), path.name)
        elif path.is_dir():
            for file in path.rglob("*"):
                relative = file.relative_to(path)
                if file.is_file() and not any(part.startswith(".") for part in relative.parts):
                    found.setdefault(file.resolve(), relative.as_posix())
        else:
            raise DocumentError(f"There is no {path}.", hint="Name files or folders.", reason="not_found")
    return tuple(sorted(found.items(), key=lambda item: (item[1], str(item[0]))))


def read_document(path: Path, *, name: str | None = None, defaults: Defaults | None = None) -> ParsedDocument:
    """Parse one file by the end of its name.

    Args:
        path: the file: ``.xml`` (a record of Rechtspraak), ``.md``, ``.txt``.
        name: what it is known by; default: its own name.
        defaults: for what it does not say.

    Raises:
        DocumentError: it cannot be read; ``subject["reason"]`` says why in one word.
    """
    kind = PARSERS.get(path.suffix.lower())
    if kind is None:
        raise DocumentError(
            f"Files that end in {path.suffix or 'nothing'!r} are not read.",
            hint=f"One of: {', '.join(PARSERS)}.",
            reason="unknown_kind",
        )
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise DocumentError(f"Cannot read {path.name}: {error.strerror}.", reason="unreadable") from error
    known = name or path.name
    given = defaults or Defaults()
    if kind == "ruling":
        from .parse_ruling import parse_ruling_document

        return parse_ruling_document(data, name=known, defaults=given)
    parse = parse_markdown if kind == "markdown" else parse_plain
    return parse(data, name=known, defaults=given)


def ingest_paths(
    paths: Iterable[Path],
    *,
    store: Store,
    register: Register,
    embeddings: PinnedEmbeddings,
    alias: str,
    clock: Clock,
    defaults: Defaults | None = None,
    budget: int = BUDGET,
    overlap: int = OVERLAP,
    leave_behind: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> IngestReport:
    """Take in documents and serve them under an alias; see the module for the rules.

    Args:
        paths: files and folders.
        store: where vectors go.
        register: where the truth goes; ``ledger.register``.
        embeddings: the encoder, with its pin.
        alias: the name under which the collection is served.
        clock: the time of ingest.
        defaults: tenant, audience, marker and so on for documents that do not say.
        budget, overlap: tokens of a chunk, and repeated from the one before.
        leave_behind: let the alias move although documents of the collection that serves now are not in the new one.
        progress: called after each document.

    Raises:
        DocumentError: a path is not there, or not one document could be read.
        RegisterIncompleteError: store and register differ at the end; the alias was not moved.
        LeftBehindError: the new collection lacks documents that are served now; the alias was not moved.
        SluisError: the store, the encoder or the register did not do what was asked; what was written stays and the
            next run goes on from it.
    """
    pins = PinSet(budget=budget, overlap=overlap, embedder=embeddings.pin).digest()
    before = register.alias(alias)
    collection = _collection(store, pins, dimension=embeddings.dimension)
    run = _Run(store=store, register=register, embeddings=embeddings, collection=collection, pins=pins, clock=clock)
    files = document_files(paths)
    readable = [item for item in files if item[0].suffix.lower() in PARSERS]
    for number, (path, name) in enumerate(readable, 1):
        written = run.take(path, name, defaults or Defaults(), budget=budget, overlap=overlap)
        if progress is not None:
            progress(Progress(done=number, total=len(readable), path=name, chunks=written))
    if not run.sources and before is None:
        first = run.malformed[0].message if run.malformed else "No file of a kind that is read was found."
        raise DocumentError(
            f"Not one document could be taken in. {first}", hint="Nothing is served.", reason="no_document"
        )
    present = run.compare()
    if before != collection:
        if not leave_behind:
            _leave_nothing_behind(store, before, present)
        register.swap_alias(alias, before, collection)
    return IngestReport(
        collection=collection,
        alias=alias,
        fingerprint=register.fingerprint(collection),
        pins=pins,
        documents=len(run.sources),
        unchanged=run.unchanged,
        chunks=sum(present.values()),
        written=run.written,
        removed=run.removed,
        malformed=tuple(run.malformed),
        missing=tuple(sorted(set(present) - set(run.sources))),
        skipped=len(files) - len(readable),
        notices=dict(run.notices),
        invisible=run.invisible,
    )


def _leave_nothing_behind(store: Store, before: str | None, present: Counter[str]) -> None:
    """Refuse to move an alias away from documents.

    A collection that the store has lost serves nothing any more, so it holds nothing that could be left behind.
    """
    served: set[str] = set()
    if before is not None and before in store.collections():
        served = {str(hit.payload.get("source_id")) for hit in store.scroll(before)}
    left = served - set(present)
    if left or not present:
        raise LeftBehindError(
            f"The new collection lacks {len(left)} documents that are served now, so the alias stays where it is.",
            hint="Ingest all documents in one run; or say that these may be left behind.",
            left=len(left),
            serves=before,
        )


def _collection(store: Store, pins: str, *, dimension: int) -> str:
    """The collection to write to; made when it is not there."""
    name = f"c-{pins.removeprefix('sha256:')[:16]}"
    if name not in store.collections():
        # The alias may name it all the same, when the store was lost: it is filled again.
        store.create(name, dimension=dimension)
    return name


@dataclass
class _Run:
    """One ingest at work."""

    store: Store
    register: Register
    embeddings: PinnedEmbeddings
    collection: str
    pins: str
    clock: Clock
    sources: dict[str, str] = field(default_factory=dict)
    malformed: list[Malformed] = field(default_factory=list)
    notices: Counter[str] = field(default_factory=Counter)
    unchanged: int = 0
    written: int = 0
    removed: int = 0
    invisible: int = 0
    registered: dict[str, str] | None = None

    def take(self, path: Path, name: str, defaults: Defaults, *, budget: int, overlap: int) -> int:
        """Take in one document; gives the number of chunks written."""
        try:
            document = read_document(path, name=name, defaults=defaults)
            source_id = document.meta.source_id
            if source_id in self.sources:
                raise DocumentError(
                    f"{self.sources[source_id]} and this file say they are the same document.",
                    hint="Give each its own source_id.",
                    reason="duplicate_source",
                )
            chunks = chunk_document(
                document, pins=self.pins, ingested_at=self.clock.now(), budget=budget, overlap=overlap
            )
            _refuse_too_long(chunks)
        except DocumentError as error:
            reason = error.subject.get("reason")
            self.malformed.append(Malformed(path=name, reason=str(reason or "malformed"), message=error.message))
            return 0
        self.sources[source_id] = name
        self.notices.update(document.notices)
        self.invisible += document.removed
        return self._write(source_id, chunks)

    def _write(self, source_id: str, chunks: Sequence[Chunk]) -> int:
        stored = self._stored(source_id)
        wanted = {chunk.chunk_id: chunk for chunk in chunks}
        changed = [chunk for chunk in chunks if not _same(stored.get(chunk.chunk_id), chunk)]
        stale = sorted(set(stored) - set(wanted))
        unknown = [chunk for chunk in chunks if self._known().get(chunk.chunk_id) != chunk.content_digest]
        if not changed and not stale and not unknown:
            self.unchanged += 1
            return 0
        records = self._records(changed)
        # The whole document: a marker or a validity is the document's, not one chunk's.
        self.register.upsert_chunks(self.collection, chunks)
        self._known().update({chunk.chunk_id: chunk.content_digest for chunk in chunks})
        if records:
            self.store.upsert(self.collection, records)
        if stale:
            self.store.delete(self.collection, stale)
            self.register.forget_chunks(self.collection, stale)
            for chunk_id in stale:
                self._known().pop(chunk_id, None)
        self.written += len(changed)
        self.removed += len(stale)
        return len(changed)

    def _known(self) -> dict[str, str]:
        """What the register holds of the collection; asked once, then kept up."""
        if self.registered is None:
            known = self.collection in self.register.collections()
            self.registered = dict(self.register.chunk_ids(self.collection)) if known else {}
        return self.registered

    def _stored(self, source_id: str) -> dict[str, Chunk | None]:
        conditions = (AnyOf(field="source_id", values=(source_id,)),)
        found: dict[str, Chunk | None] = {}
        for hit in self.store.scroll(self.collection, conditions):
            chunk_id = hit.payload.get("chunk_id")
            if isinstance(chunk_id, str):
                found[chunk_id] = read_payload(hit)
        return found

    def _records(self, chunks: Sequence[Chunk]) -> list[Record]:
        if not chunks:
            return []
        vectors = self.embeddings.embed_documents([chunk.text for chunk in chunks])
        return [
            Record(chunk=chunk, dense=tuple(vector), sparse=document_vector(searched_words(chunk), chunk.language))
            for chunk, vector in zip(chunks, vectors, strict=True)
        ]

    def compare(self) -> Counter[str]:
        """Chunks by document, once it is certain that store and register hold the same ones.

        What only the register holds comes from a store that was lost or a run that was killed; what only the store
        holds from one killed between the two writes. Both are repaired for documents that were seen, so a rest is an
        error.
        """
        present: Counter[str] = Counter()
        in_store: dict[str, str] = {}
        for hit in self.store.scroll(self.collection):
            chunk = read_payload(hit)
            if chunk is None or chunk.pins != self.pins:
                raise RegisterIncompleteError(
                    "The store holds a point that is no chunk of this index.",
                    hint="Drop the collection and ingest again.",
                    collection=self.collection,
                    point_id=hit.point_id,
                )
            in_store[chunk.chunk_id] = chunk.content_digest
            present[chunk.source_id] += 1
        in_register = self._known()
        ghosts = sorted(set(in_register) - set(in_store))
        if ghosts:
            self.register.forget_chunks(self.collection, ghosts)
            for chunk_id in ghosts:
                in_register.pop(chunk_id)
            self.notices["forgotten_ghosts"] += len(ghosts)
        if in_store != in_register or dict(self.register.chunk_ids(self.collection)) != in_store:
            raise RegisterIncompleteError(
                f"The store holds {len(in_store)} chunks and the register {len(in_register)}, and they differ.",
                hint="Ingest all documents again; if that does not help, into a new collection.",
                collection=self.collection,
            )
        return present


def searched_words(chunk: Chunk) -> str:
    """What the sparse vector is made of: the text, and what people search it by (identifier, title, number)."""
    return "\n".join((chunk.source_id, chunk.title, " ".join(chunk.numbering), chunk.text))


def _same(stored: Chunk | None, chunk: Chunk) -> bool:
    """Whether the stored chunk says the same in everything but the time it was taken in."""
    return stored is not None and stored.model_copy(update={"ingested_at": chunk.ingested_at}) == chunk


def _refuse_too_long(chunks: Sequence[Chunk]) -> None:
    from .tokens import count_tokens

    for chunk in chunks:
        if count_tokens(chunk.text) > _TOO_LONG:
            raise DocumentError(
                f"A piece of more than {_TOO_LONG} tokens cannot be cut without cutting a word or a reference.",
                hint="Break it into lines or sentences.",
                reason="too_long",
            )
