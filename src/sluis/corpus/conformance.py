"""What every store must do, as rules that a plug-in's author runs on their own.

::

    import pytest
    from sluis.corpus.conformance import RULES, Harness

    @pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
    def test_my_store(rule, tmp_path):
        rule.check(Harness(open=lambda: MyStore(tmp_path), persistent=True))

A rule that does not hold raises :class:`NotConformingError`, which says what was expected. Rules use collections of
their own and drop them. :func:`kill_while_writing` needs a process of its own and is called apart.
"""

from __future__ import annotations

import importlib
import math
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sluis.core import (
    NO_END,
    AnyOf,
    Between,
    Chunk,
    Condition,
    ConditionError,
    IntegrityError,
    Marker,
    SluisError,
    digest_of,
    digest_text,
    holds,
)

from .errors import CollectionExistsError, CollectionNameError, DimensionError, UnknownCollectionError
from .store import HybridQuery, Record, SparseVector, Store, payload_of, read_payload

__all__ = ["RULES", "Harness", "NotConformingError", "Rule", "kill_while_writing", "sample_record"]

DIMENSION = 4
_AT = datetime(2026, 11, 30, 12, tzinfo=UTC)
_DAY = 20261130

RawWriter = Callable[[Store, str, str, Mapping[str, Any]], None]


class NotConformingError(IntegrityError):
    """A store does not keep a rule of the protocol."""

    code = "integrity.not_conforming"


@dataclass(frozen=True, kw_only=True)
class Harness:
    """How the rules get at a store.

    Attributes:
        open: opens it; called again after ``close`` by the rules on persistence.
        persistent: whether what was written is there again after closing and opening.
        write_raw: puts a point with any payload at all under ``(store, collection, point id)``, past the protocol.
            Without it the rules on damaged fields are skipped: they look at what no well-behaved writer stores.
    """

    open: Callable[[], Store]
    persistent: bool = True
    write_raw: RawWriter | None = None


@dataclass(frozen=True, kw_only=True)
class Rule:
    """One rule: a name and what tries it."""

    name: str
    check: Callable[[Harness], None] = field(repr=False)


def _must(true: bool, expected: str, **subject: str | int | float | None) -> None:
    if not true:
        raise NotConformingError(f"Expected: {expected}.", hint="See sluis.corpus.Store.", **subject)


def _refuses(error: type[SluisError], call: Callable[[], object], what: str) -> None:
    try:
        call()
    except error:
        return
    raise NotConformingError(f"Expected: {what} raises {error.__name__}.", hint="See sluis.corpus.Store.")


def sample_record(
    name: str,
    *,
    dense: Sequence[float] = (1.0, 0.0, 0.0, 0.0),
    terms: Mapping[int, float] | None = None,
    **changes: Any,
) -> Record:
    """A chunk with vectors, for rules and tests; ``changes`` are fields of the chunk."""
    text = str(changes.pop("text", f"text of {name}"))
    data: dict[str, Any] = {
        "chunk_id": name,
        "source_id": f"doc-{name}",
        "source_kind": "file",
        "source_url": "",
        "title": "Sample",
        "family": f"doc-{name}",
        "version": "1",
        "doc_type": "regulation",
        "language": "nl",
        "tenant": "default",
        "audience": ("client",),
        "marker": Marker.CURRENT,
        "valid_from": 20200101,
        "valid_to": NO_END,
        "position": 0,
        "start": 0,
        "end": len(text),
        "text": text,
        "content_digest": digest_text(text),
        "pins": digest_of("conformance"),
        "ingested_at": _AT,
    }
    weights = {1: 1.0} if terms is None else dict(terms)
    indices = tuple(sorted(weights))
    return Record(
        chunk=Chunk(**(data | changes)),
        dense=tuple(dense),
        sparse=SparseVector(indices=indices, values=tuple(weights[index] for index in indices)),
    )


_ADMISSIBLE: tuple[Condition, ...] = (
    AnyOf(field="marker", values=("current",)),
    AnyOf(field="tenant", values=("default",)),
    AnyOf(field="audience", values=("client",)),
    Between(field="valid_from", high=_DAY),
    Between(field="valid_to", low=_DAY),
)
_ANYTHING: tuple[Condition, ...] = (Between(field="position", low=0),)
_QUERY = HybridQuery(dense=(1.0, 0.0, 0.0, 0.0), sparse=SparseVector(indices=(1,), values=(1.0,)))


def _ids(store: Store, collection: str, conditions: tuple[Condition, ...] | None) -> list[str]:
    return sorted(str(hit.payload.get("chunk_id")) for hit in store.scroll(collection, conditions))


def _found(store: Store, collection: str, conditions: tuple[Condition, ...], *, limit: int = 50) -> list[str]:
    hits = store.search(collection, _QUERY, conditions=conditions, limit=limit)
    return [str(hit.payload.get("chunk_id")) for hit in hits]


def _collections(harness: Harness, store: Store, name: str) -> None:
    store.create(name, dimension=DIMENSION)
    _must(name in store.collections(), "a new collection is listed")
    _must(store.count(name) == 0, "a new collection is empty")
    _refuses(CollectionExistsError, lambda: store.create(name, dimension=DIMENSION), "creating a collection twice")
    for wrong in ("", "../up", "Upper", "a/b", "a" * 65, "-a"):
        _refuses(CollectionNameError, lambda wrong=wrong: store.create(wrong, dimension=DIMENSION), "a bad name")  # type: ignore[misc]
    store.drop(name)
    store.drop(name)
    _must(name not in store.collections(), "a dropped collection is gone")
    store.create(name, dimension=DIMENSION)
    _must(store.count(name) == 0, "a collection that was dropped and made again is empty")


def _unknown(harness: Harness, store: Store, name: str) -> None:
    record = sample_record("a")
    calls: dict[str, Callable[[], object]] = {
        "upsert": lambda: store.upsert(name, [record]),
        "delete": lambda: store.delete(name, ["a"]),
        "count": lambda: store.count(name),
        "search": lambda: store.search(name, _QUERY, conditions=_ANYTHING, limit=1),
        "scroll": lambda: list(store.scroll(name)),
    }
    for what, call in calls.items():
        _refuses(UnknownCollectionError, call, f"{what} in a collection that is not there")


def _round_trip(harness: Harness, store: Store, name: str) -> None:
    store.create(name, dimension=DIMENSION)
    first = sample_record("a", text="Artikel 3.10: € 1.250,00 — “quote”\n\u00e9\U0001f600", numbering=("3", "3.10"))
    store.upsert(name, [first, sample_record("b")])
    chunks = {str(hit.payload.get("chunk_id")): read_payload(hit) for hit in store.scroll(name)}
    _must(chunks.get("a") == first.chunk, "a payload comes back exactly as it was written")
    second = sample_record("a", text="changed")
    store.upsert(name, [second])
    _must(store.count(name) == 2, "a chunk with the id of a stored one replaces it")
    hits = store.search(name, _QUERY, conditions=_ANYTHING, limit=10)
    chunks = {str(hit.payload.get("chunk_id")): read_payload(hit) for hit in hits}
    _must(chunks.get("a") == second.chunk, "a search gives the payload that was written last")
    store.delete(name, ["a", "never-there"])
    _must(_ids(store, name, None) == ["b"], "delete takes out what is named and nothing else")
    store.delete(name, [])
    store.upsert(name, [])
    _must(store.count(name) == 1, "nothing to write or delete changes nothing")


def _variants() -> list[Record]:
    changes: list[dict[str, Any]] = [
        {},
        *({"marker": marker} for marker in Marker if marker is not Marker.CURRENT),
        {"audience": ("internal",)},
        {"audience": ("internal", "client")},
        {"audience": ("clients",)},
        {"tenant": "other"},
        {"tenant": "Default"},
        {"valid_from": _DAY},
        {"valid_from": _DAY + 1},
        {"valid_to": _DAY},
        {"valid_to": _DAY - 1},
        {"doc_type": "internal memo"},
        {"language": "en", "source_kind": "ecli", "version": "2"},
        {"position": 7},
    ]
    return [sample_record(f"v{number:02d}", **change) for number, change in enumerate(changes)]


_ASKED: tuple[tuple[Condition, ...], ...] = (
    _ADMISSIBLE,
    _ANYTHING,
    (AnyOf(field="marker", values=("current", "unknown")),),
    (AnyOf(field="audience", values=("internal",)),),
    (AnyOf(field="audience", values=("client", "internal")), AnyOf(field="tenant", values=("default",))),
    (AnyOf(field="doc_type", values=("internal memo",)),),
    (AnyOf(field="source_kind", values=("ecli",)), AnyOf(field="language", values=("en",))),
    (AnyOf(field="chunk_id", values=("v03", "v05", "nobody")),),
    (AnyOf(field="source_id", values=("doc-v01",)),),
    (AnyOf(field="version", values=("2",)),),
    (AnyOf(field="tenant", values=("nobody",)),),
    (Between(field="valid_from", low=_DAY, high=_DAY),),
    (Between(field="valid_to", low=NO_END),),
    (Between(field="position", low=1),),
    (Between(field="position", low=7, high=7), AnyOf(field="family", values=("doc-v13",))),
)


def _conditions(harness: Harness, store: Store, name: str) -> None:
    store.create(name, dimension=DIMENSION)
    records = _variants()
    store.upsert(name, records)
    payloads = {record.chunk.chunk_id: payload_of(record.chunk) for record in records}
    _agree(store, name, payloads, _ASKED)


def _agree(
    store: Store,
    name: str,
    payloads: Mapping[str, Mapping[str, Any]],
    asked: Sequence[tuple[Condition, ...]],
) -> None:
    for conditions in asked:
        wanted = sorted(key for key, value in payloads.items() if all(holds(item, value) for item in conditions))
        said = "; ".join(f"{item.op} {item.field}" for item in conditions)
        _must(_ids(store, name, conditions) == wanted, f"scroll agrees with the meaning of: {said}")
        _must(store.count(name, conditions) == len(wanted), f"count agrees with the meaning of: {said}")
        for exact in (False, True):
            hits = store.search(name, _QUERY, conditions=conditions, limit=50, exact=exact)
            got = sorted(str(hit.payload.get("chunk_id")) for hit in hits)
            _must(got == wanted, f"search agrees with the meaning of: {said}")


_DAMAGES: tuple[dict[str, Any], ...] = (
    {"marker": None},
    {"marker": ""},
    {"marker": []},
    {"marker": True},
    {"marker": 0},
    {"marker": ["current"]},
    {"marker": "Current"},
    {"valid_from": None},
    {"valid_from": "20200101"},
    {"valid_from": True},
    {"valid_to": "99991231"},
    {"valid_to": None},
    {"valid_to": []},
    {"audience": []},
    {"audience": None},
    {"audience": "client"},
    {"audience": [None, 1]},
    {"tenant": None},
    {"tenant": False},
)
_ABSENT = ("marker", "valid_from", "valid_to", "audience", "tenant")


def _damaged_fields(harness: Harness, store: Store, name: str) -> None:
    if harness.write_raw is None:
        return
    store.create(name, dimension=DIMENSION)
    whole = payload_of(sample_record("x").chunk)
    payloads: dict[str, dict[str, Any]] = {}
    for number, damage in enumerate(_DAMAGES):
        payloads[f"d{number:02d}"] = whole | damage
    for field_name in _ABSENT:
        payloads[f"without-{field_name}"] = {key: value for key, value in whole.items() if key != field_name}
    payloads["sound"] = dict(whole)
    for key, payload in payloads.items():
        payload["chunk_id"] = key
        harness.write_raw(store, name, key, payload)
    # What a store makes of true for a string or of a lone string for a list may be stricter than the meaning,
    # never laxer; of the policy's own conditions nothing but the sound ones may come back.
    wanted = {key for key, value in payloads.items() if all(holds(item, value) for item in _ADMISSIBLE)}
    for got in (_ids(store, name, _ADMISSIBLE), _found(store, name, _ADMISSIBLE)):
        _must("sound" in got, "a sound chunk among damaged ones is found")
        _must(set(got) <= wanted, "a field that is absent, empty or of another type satisfies no condition")


def _no_conditions(harness: Harness, store: Store, name: str) -> None:
    store.create(name, dimension=DIMENSION)
    store.upsert(name, [sample_record("a")])
    wrong: dict[str, tuple[Condition, ...]] = {
        "no condition at all": (),
        "a field that no payload has": (AnyOf(field="deprecated", values=("false",)),),
        "a range over words": (Between(field="marker", low=1),),
        "words for a number": (AnyOf(field="valid_from", values=("20200101",)),),
    }
    for what, conditions in wrong.items():
        _refuses(
            ConditionError,
            lambda conditions=conditions: store.search(name, _QUERY, conditions=conditions, limit=1),  # type: ignore[misc]
            f"a search with {what}",
        )
        _refuses(ConditionError, lambda conditions=conditions: store.count(name, conditions), f"a count with {what}")  # type: ignore[misc]
        _refuses(
            ConditionError,
            lambda conditions=conditions: list(store.scroll(name, conditions)),  # type: ignore[misc]
            f"a scroll with {what}",
        )


def _vectors(harness: Harness, store: Store, name: str) -> None:
    store.create(name, dimension=DIMENSION)
    for dense in ((1.0, 0.0), (1.0,) * 5, (math.nan, 0.0, 0.0, 1.0), (math.inf, 0.0, 0.0, 1.0)):
        _refuses(
            DimensionError,
            lambda dense=dense: store.upsert(name, [sample_record("good"), sample_record("a", dense=dense)]),  # type: ignore[misc]
            "a vector that does not fit",
        )
        query = HybridQuery(dense=dense, sparse=_QUERY.sparse)
        _refuses(
            DimensionError,
            lambda query=query: store.search(name, query, conditions=_ANYTHING, limit=1),  # type: ignore[misc]
            "a question's vector that does not fit",
        )
    _must(store.count(name) == 0, "a refused write stores nothing of what came with it")


def _fusion(harness: Harness, store: Store, name: str) -> None:
    store.create(name, dimension=DIMENSION)
    filler = [
        sample_record(f"z{number:02d}", dense=(0.0, 1.0, 0.1 * number, 0.0), terms={9: 1.0}) for number in range(12)
    ]
    both = sample_record("both", dense=(0.95, 0.05, 0.0, 0.0), terms={1: 1.5, 2: 1.0})
    dense = sample_record("dense-only", dense=(1.0, 0.0, 0.0, 0.0), terms={9: 1.0})
    sparse = sample_record("sparse-only", dense=(-1.0, 0.0, 0.0, 0.1), terms={1: 2.0})
    store.upsert(name, [*filler, dense, sparse, both])
    found = _found(store, name, _ANYTHING, limit=3)
    _must(found[:1] == ["both"], "what both vectors find comes first")
    _must(set(found) == {"both", "dense-only", "sparse-only"}, "what one vector alone finds best is found")
    again = [_found(store, name, _ANYTHING, limit=15) for _ in range(3)]
    _must(again[0] == again[1] == again[2], "one question has one order")
    _must(len(_found(store, name, _ANYTHING, limit=2)) == 2, "no more than the limit is given")
    words_alone = HybridQuery(dense=_QUERY.dense, sparse=SparseVector(indices=(), values=()))
    hits = store.search(name, words_alone, conditions=_ANYTHING, limit=1)
    _must(
        [hit.payload.get("chunk_id") for hit in hits] == ["dense-only"], "an empty sparse vector leaves the dense one"
    )
    scores = [hit.score for hit in store.search(name, _QUERY, conditions=_ANYTHING, limit=15)]
    _must(scores == sorted(scores, reverse=True) and all(map(math.isfinite, scores)), "finite scores, best first")


def _pushed_down(harness: Harness, store: Store, name: str) -> None:
    store.create(name, dimension=DIMENSION)
    store.upsert(name, [sample_record(f"old{number:03d}", marker=Marker.WITHDRAWN) for number in range(120)])
    store.upsert(name, [sample_record("kept", dense=(0.1, 0.9, 0.3, 0.1), terms={1: 0.1})])
    _must(_found(store, name, _ADMISSIBLE, limit=3) == ["kept"], "inadmissible chunks do not crowd out others")


def _ties(harness: Harness, store: Store, name: str) -> None:
    store.create(name, dimension=DIMENSION)
    store.upsert(name, [sample_record(key, text="equal") for key in ("c", "a", "d", "b")])
    hits = store.search(name, _QUERY, conditions=_ANYTHING, limit=10)
    order = [(-hit.score, str(hit.payload.get("chunk_id"))) for hit in hits]
    _must(len(order) == 4 and order == sorted(order), "equal scores are ordered by chunk id")


def _paging(harness: Harness, store: Store, name: str) -> None:
    store.create(name, dimension=DIMENSION)
    records = [sample_record(f"p{number:04d}", position=number) for number in range(700)]
    store.upsert(name, records)
    wanted = [record.chunk.chunk_id for record in records]
    _must(store.count(name) == 700, "all of a large write is there")
    _must(_ids(store, name, None) == wanted, "a scroll gives every point once, however many pages it takes")
    half: tuple[Condition, ...] = (Between(field="position", low=350),)
    _must(_ids(store, name, half) == wanted[350:], "a scroll with conditions gives every point that satisfies them")


def _threads(harness: Harness, store: Store, name: str) -> None:
    store.create(name, dimension=DIMENSION)
    store.upsert(name, [sample_record("seed")])
    start = threading.Barrier(4)

    def work(number: int) -> int:
        start.wait(timeout=30)
        found = 0
        for step in range(8):
            store.upsert(name, [sample_record(f"t{number}-{step}")])
            found += len(store.search(name, _QUERY, conditions=_ANYTHING, limit=5))
        return found

    with ThreadPoolExecutor(4) as pool:
        counts = list(pool.map(work, range(4)))
    _must(min(counts) >= 8, "searches beside writes find something")
    _must(store.count(name) == 33, "no write of a thread is lost")


def _with_store(rule: Callable[[Harness, Store, str], None]) -> Callable[[Harness], None]:
    name = f"conf-{rule.__name__.strip('_').replace('_', '-')}"

    def check(harness: Harness) -> None:
        store = harness.open()
        try:
            store.drop(name)
            rule(harness, store, name)
            store.drop(name)
        finally:
            store.close()
            store.close()

    return check


def _survives(harness: Harness) -> None:
    name = "conf-survives"
    store = harness.open()
    try:
        store.drop(name)
        store.create(name, dimension=DIMENSION)
        store.upsert(name, _variants())
        store.delete(name, ["v00"])
    finally:
        store.close()
    if not harness.persistent:
        return
    again = harness.open()
    try:
        _must(name in again.collections(), "a collection is there after the store was opened again")
        wanted = [record.chunk.chunk_id for record in _variants()][1:]
        _must(_ids(again, name, None) == wanted, "what was written and deleted stays so")
        _must(_found(again, name, _ANYTHING) != [], "vectors are there after the store was opened again")
        _refuses(CollectionExistsError, lambda: again.create(name, dimension=DIMENSION), "creating it once more")
        again.drop(name)
    finally:
        again.close()


_IN_ONE_STORE = (
    _collections, _unknown, _round_trip, _conditions, _damaged_fields, _no_conditions, _vectors, _fusion,
    _pushed_down, _ties, _paging, _threads,
)  # fmt: skip

RULES: tuple[Rule, ...] = (
    *(Rule(name=rule.__name__.strip("_"), check=_with_store(rule)) for rule in _IN_ONE_STORE),
    Rule(name="survives", check=_survives),
)
"""Every rule that needs no process of its own."""


def _opened(opener: str, folder: Path) -> Store:
    module, _, attribute = opener.partition(":")
    store: Store = getattr(importlib.import_module(module), attribute)(folder)
    return store


def kill_while_writing(opener: str, folder: Path, *, rounds: int = 3, timeout_s: float = 60.0) -> int:
    """Kill a process (SIGKILL) while it writes, and look that nothing it had acknowledged is lost.

    Args:
        opener: ``package.module:function``, a function that opens the store in a folder; the child imports it.
        folder: where.
        rounds: how often.
        timeout_s: for one child to write enough.

    Returns:
        How many acknowledged chunks were found again.

    Raises:
        NotConformingError: one was lost, or cannot be read, or the child did not write at all.
    """
    acknowledged: set[str] = set()
    for number in range(rounds):
        acknowledged |= _killed(opener, folder, number, timeout_s)
        store = _opened(opener, folder)
        try:
            found = {str(hit.payload.get("chunk_id")): read_payload(hit) for hit in store.scroll("conf-kill")}
            searched = store.search("conf-kill", _QUERY, conditions=_ANYTHING, limit=10)
        finally:
            store.close()
        _must(acknowledged <= set(found), "what a write returned from survives a kill")
        _must(all(chunk is not None for chunk in found.values()), "no half payload is left by a kill")
        _must(len(searched) > 0, "a search works after a kill")
    return len(acknowledged)


def _killed(opener: str, folder: Path, number: int, timeout_s: float) -> set[str]:
    command = [sys.executable, "-m", "sluis.corpus.conformance", opener, str(folder), str(number)]
    written: set[str] = set()
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603 - our own interpreter
    timer = threading.Timer(timeout_s, child.kill)
    timer.start()
    try:
        if child.stdout is None:
            raise NotConformingError("The writing process has no output.", hint="Try again.")
        for line in child.stdout:
            written.update(line.split())
            if len(written) >= 120 + 40 * number:
                break
        child.send_signal(signal.SIGKILL)
        # What it acknowledged before the signal counts as well, but for a line that was cut off.
        *whole, _ = child.stdout.read().split("\n")
        for line in whole:
            written.update(line.split())
    finally:
        timer.cancel()
        child.kill()
        if child.stdout is not None:
            child.stdout.close()
        child.wait(timeout=30)
    _must(len(written) > 0, "the writing process wrote something before it was killed")
    return written


def _write_for_ever(opener: str, folder: Path, number: int) -> None:
    store = _opened(opener, folder)
    if "conf-kill" not in store.collections():
        store.create("conf-kill", dimension=DIMENSION)
    for batch in range(100_000):
        names = [f"r{number}b{batch}i{item}" for item in range(10)]
        store.upsert("conf-kill", [sample_record(name) for name in names])
        sys.stdout.write(" ".join(names) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    _write_for_ever(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
