"""``sluis index``: what collections there are, what is in them, and whether store and register agree."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sluis.core import UndecidedError

from ._io import JsonFlag, ProjectOption, emit, out_console

if TYPE_CHECKING:
    from ._corpus import Corpus

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, add_completion=False, help="List, show, verify and clean up collections.")

NameArgument = Annotated[
    str | None, typer.Argument(metavar="[COLLECTION]", help="Default: the one that the project's alias serves.")
]


@app.callback()
def _group() -> None:
    """List, show, verify and clean up collections."""


def _names(corpus: Corpus) -> list[str]:
    return sorted({*corpus.ledger.register.collections(), *corpus.store.collections()})


def _served(corpus: Corpus, name: str | None) -> str:
    if name is not None:
        return name
    from sluis.corpus.errors import UnknownAliasError

    alias = corpus.config.store.alias
    served = corpus.ledger.register.alias(alias)
    if served is None:
        raise UnknownAliasError(f"The alias {alias!r} points to no collection.", hint="Run `sluis ingest`.")
    return served


def _summary(corpus: Corpus, name: str) -> dict[str, Any]:
    register = corpus.ledger.register
    registered = name in register.collections()
    about = register.describe(name) if registered else None
    return {
        "collection": name,
        "aliases": [] if about is None else list(about.aliases),
        "fingerprint": None if about is None else about.fingerprint,
        "registered_chunks": None if about is None else about.chunks,
        "stored_chunks": corpus.store.count(name) if name in corpus.store.collections() else None,
        "backend": corpus.store.backend,
        "on_manifest": about is not None and about.fingerprint in _allowed(corpus),
    }


def _allowed(corpus: Corpus) -> tuple[str, ...]:
    from sluis.corpus.errors import ManifestMissingError
    from sluis.corpus.manifest_file import read_manifest

    try:
        return read_manifest(corpus.config.manifest_path).fingerprints
    except ManifestMissingError:
        return ()


@app.command("list")
def list_(project: ProjectOption = None, json_: JsonFlag = False) -> int:
    """Every collection of store and register, a line each."""
    from ._corpus import open_corpus

    with open_corpus(project) as corpus:
        lines = [_summary(corpus, name) for name in _names(corpus)]
    if json_:
        for line in lines:
            emit(line)
        return 0
    from rich.table import Table

    table = Table("collection", "alias", "chunks", "in store", "on manifest")
    for line in lines:
        counts = [str(line[key]) if line[key] is not None else "-" for key in ("registered_chunks", "stored_chunks")]
        table.add_row(line["collection"], ", ".join(line["aliases"]), *counts, "yes" if line["on_manifest"] else "no")
    out_console().print(table if lines else "There is no collection. Run `sluis ingest`.")
    return 0


@app.command()
def show(collection: NameArgument = None, project: ProjectOption = None, json_: JsonFlag = False) -> int:
    """What is in a collection: documents, kinds, markers, pin sets."""
    from sluis.corpus.store import read_payload

    from ._corpus import open_corpus

    with open_corpus(project) as corpus:
        name = _served(corpus, collection)
        answer = _summary(corpus, name)
        counts: dict[str, Counter[str]] = {key: Counter() for key in ("documents", "doc_types", "markers", "pins")}
        unreadable = 0
        titles: dict[str, str] = {}
        for hit in corpus.store.scroll(name):
            chunk = read_payload(hit)
            if chunk is None:
                unreadable += 1
                continue
            titles[chunk.source_id] = chunk.title
            counts["documents"][chunk.source_id] += 1
            counts["doc_types"][chunk.doc_type] += 1
            counts["pins"][chunk.pins] += 1
        for source_id in titles:
            marker = corpus.ledger.register.marker(source_id)
            counts["markers"]["unregistered" if marker is None else marker.value] += 1
    answer |= {key: dict(sorted(counted.items())) for key, counted in counts.items()}
    answer["unreadable"] = unreadable
    if json_:
        emit(answer)
        return 0
    out = out_console()
    for key in ("collection", "aliases", "fingerprint", "registered_chunks", "stored_chunks", "on_manifest", "backend"):
        out.print(f"{key:<18} {answer[key]}", markup=False, soft_wrap=True)
    for key in ("doc_types", "markers", "pins"):
        for value, count in answer[key].items():
            out.print(f"{key:<18} {count:>6}  {value}", markup=False, soft_wrap=True)
    for source_id, count in answer["documents"].items():
        out.print(f"{'document':<18} {count:>6}  {source_id}  {titles[source_id]}", markup=False, soft_wrap=True)
    return 0


def _prove(corpus: Corpus, name: str) -> dict[str, Any]:
    """Recompute the fingerprint from the store, point by point, and compare."""
    from sluis.corpus.store import read_payload
    from sluis.ledger import fingerprint_of

    register = corpus.ledger.register
    in_register = dict(register.chunk_ids(name)) if name in register.collections() else {}
    in_store: dict[str, str] = {}
    unreadable: list[str] = []
    for hit in corpus.store.scroll(name):
        chunk = read_payload(hit)
        if chunk is None:
            unreadable.append(hit.point_id)
        else:
            in_store[chunk.chunk_id] = chunk.content_digest
    stored = fingerprint_of(in_store.items())
    registered = register.fingerprint(name) if name in register.collections() else None
    differ = sorted(key for key in in_store.keys() & in_register.keys() if in_store[key] != in_register[key])
    answer: dict[str, Any] = {
        "collection": name,
        "store_fingerprint": stored,
        "register_fingerprint": registered,
        "chunks": len(in_store),
        "only_in_store": sorted(in_store.keys() - in_register.keys()),
        "only_in_register": sorted(in_register.keys() - in_store.keys()),
        "differ": differ,
        "unreadable": sorted(unreadable),
        "on_manifest": stored in _allowed(corpus),
    }
    answer["ok"] = stored == registered and not unreadable
    return answer


@app.command()
def verify(collection: NameArgument = None, project: ProjectOption = None, json_: JsonFlag = False) -> int:
    """Prove that a collection is what the register says, from the store itself; exit code 1 when it is not.

    Every chunk's text is hashed again. Whether the deploy manifest allows it is shown, and decides nothing here.
    """
    from ._corpus import open_corpus

    with open_corpus(project) as corpus:
        answer = _prove(corpus, _served(corpus, collection))
    if json_:
        emit(answer)
    else:
        out = out_console()
        if answer["ok"]:
            out.print(f"[green]{answer['collection']}[/]: {answer['chunks']} chunks, store and register agree.")
        else:
            out.print(f"[red]{answer['collection']}[/]: store and register differ.")
            for key in ("only_in_store", "only_in_register", "differ", "unreadable"):
                out.print(f"  {key}: {len(answer[key])}")
        out.print(f"  {answer['store_fingerprint']}", soft_wrap=True)
        out.print(f"  on the deploy manifest: {'yes' if answer['on_manifest'] else 'no'}")
    return 0 if answer["ok"] else 1


@app.command()
def gc(
    delete: Annotated[bool, typer.Option("--delete", help="Delete them; without it they are only named.")] = False,
    project: ProjectOption = None,
    json_: JsonFlag = False,
) -> int:
    """Name the collections that no alias serves, or delete them.

    The register is asked which those are, and refuses by itself to give up one that serves.
    """
    from ._corpus import open_corpus

    with open_corpus(project) as corpus:
        register = corpus.ledger.register
        if not any(register.describe(name).aliases for name in register.collections()):
            # With no alias at all everything would go: that is a lost register, not a clean one.
            raise UndecidedError("No alias serves anything, so nothing is deleted.", hint="Run `sluis ingest`.")
        known = set(register.collections())
        # A server may be shared: what this register never knew is not ours to delete there.
        ours = known if corpus.store.backend == "server" else _names(corpus)
        unserved = sorted(name for name in ours if name not in known or not register.describe(name).aliases)
        if delete:
            for name in unserved:
                if name in known:
                    register.drop_collection(name)
                corpus.store.drop(name)
    if json_:
        emit({"unserved": unserved, "deleted": unserved if delete else []})
    else:
        out = out_console()
        for name in unserved:
            out.print(f"{'deleted ' if delete else ''}{name}", markup=False)
        if not unserved:
            out.print("Every collection serves under an alias.")
    return 0
