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

import math
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from sluis.core import NO_END, AnyOf, Between, Condition, ConditionError, Marker, SluisError, holds

from ._conformance_kill import kill_while_writing
from ._conformance_samples import ADMISSIBLE, ANYTHING, DAY, DIMENSION, QUERY, NotConformingError, must, sample_record
from .errors import CollectionExistsError, CollectionNameError, DimensionError, UnknownCollectionError
from .store import HybridQuery, Record, SparseVector, Store, payload_of, read_payload

__all__ = ["RULES", "Harness", "NotConformingError", "Rule", "kill_while_writing", "sample_record"]

RawWriter = Callable[[Store, str, str, Mapping[str, Any]], None]


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


def _refuses(error: type[SluisError], call: Callable[[], object], what: str) -> None:
    try:
        call()
    except error:
        return
    raise NotConformingError(f"Expected: {what} raises {error.__name__}.", hint="See sluis.corpus.Store.")


def _ids(store: Store, collection: str, conditions: tuple[Condition, ...] | None) -> list[str]:
    return sorted(str(hit.payload.get("chunk_id")) for hit in store.scroll(collection, conditions))


def _found(store: Store, collection: str, conditions: tuple[Condition, ...], *, limit: int = 50) -> list[str]:
    hits = store.search(collection, QUERY, conditions=conditions, limit=limit)
    return [str(hit.payload.get("chunk_id")) for hit in hits]


def _collections(harness: Harness, store: Store, name: str) -> None:
    store.create(name, dimension=DIMENSION)
    must(name in store.collections(), "a new collection is listed")
    must(store.count(name) == 0, "a new collection is empty")
    _refuses(CollectionExistsError, lambda: store.create(name, dimension=DIMENSION), "creating a collection twice")
    for wrong in ("", "../up", "Upper", "a/b", "a" * 65, "-a"):
        _refuses(CollectionNameError, lambda wrong=wrong: store.create(wrong, dimension=DIMENSION), "a bad name")  # type: ignore[misc]
    store.drop(name)
    store.drop(name)
    must(name not in store.collections(), "a dropped collection is gone")
    store.create(name, dimension=DIMENSION)
    must(store.count(name) == 0, "a collection that was dropped and made again is empty")


def _unknown(harness: Harness, store: Store, name: str) -> None:
    record = sample_record("a")
    calls: dict[str, Callable[[], object]] = {
        "upsert": lambda: store.upsert(name, [record]),
        "delete": lambda: store.delete(name, ["a"]),
        "count": lambda: store.count(name),
        "search": lambda: store.search(name, QUERY, conditions=ANYTHING, limit=1),
        "scroll": lambda: list(store.scroll(name)),
    }
    for what, call in calls.items():
        _refuses(UnknownCollectionError, call, f"{what} in a collection that is not there")


def _round_trip(harness: Harness, store: Store, name: str) -> None:
    store.create(name, dimension=DIMENSION)
    first = sample_record("a", text="Artikel 3.10: € 1.250,00 — “quote”\n\u00e9\U0001f600", numbering=("3", "3.10"))
    store.upsert(name, [first, sample_record("b")])
    chunks = {str(hit.payload.get("chunk_id")): read_payload(hit) for hit in store.scroll(name)}
    must(chunks.get("a") == first.chunk, "a payload comes back exactly as it was written")
    second = sample_record("a", text="changed")
    store.upsert(name, [second])
    must(store.count(name) == 2, "a chunk with the id of a stored one replaces it")
    hits = store.search(name, QUERY, conditions=ANYTHING, limit=10)
    chunks = {str(hit.payload.get("chunk_id")): read_payload(hit) for hit in hits}
    must(chunks.get("a") == second.chunk, "a search gives the payload that was written last")
    store.delete(name, ["a", "never-there"])
    must(_ids(store, name, None) == ["b"], "delete takes out what is named and nothing else")
    store.delete(name, [])
    store.upsert(name, [])
    must(store.count(name) == 1, "nothing to write or delete changes nothing")


def _variants() -> list[Record]:
    changes: list[dict[str, Any]] = [
        {},
        *({"marker": marker} for marker in Marker if marker is not Marker.CURRENT),
        {"audience": ("internal",)},
        {"audience": ("internal", "client")},
        {"audience": ("clients",)},
        {"tenant": "other"},
        {"tenant": "Default"},
        {"valid_from": DAY},
        {"valid_from": DAY + 1},
        {"valid_to": DAY},
        {"valid_to": DAY - 1},
        {"doc_type": "internal memo"},
        {"language": "en", "source_kind": "ecli", "version": "2"},
        {"position": 7},
    ]
    return [sample_record(f"v{number:02d}", **change) for number, change in enumerate(changes)]


_ASKED: tuple[tuple[Condition, ...], ...] = (
    ADMISSIBLE,
    ANYTHING,
    (AnyOf(field="marker", values=("current", "unknown")),),
    (AnyOf(field="audience", values=("internal",)),),
    (AnyOf(field="audience", values=("client", "internal")), AnyOf(field="tenant", values=("default",))),
    (AnyOf(field="doc_type", values=("internal memo",)),),
    (AnyOf(field="source_kind", values=("ecli",)), AnyOf(field="language", values=("en",))),
    (AnyOf(field="chunk_id", values=("v03", "v05", "nobody")),),
    (AnyOf(field="source_id", values=("doc-v01",)),),
    (AnyOf(field="version", values=("2",)),),
    (AnyOf(field="tenant", values=("nobody",)),),
    (Between(field="valid_from", low=DAY, high=DAY),),
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
        must(_ids(store, name, conditions) == wanted, f"scroll agrees with the meaning of: {said}")
        must(store.count(name, conditions) == len(wanted), f"count agrees with the meaning of: {said}")
        for exact in (False, True):
            hits = store.search(name, QUERY, conditions=conditions, limit=50, exact=exact)
            got = sorted(str(hit.payload.get("chunk_id")) for hit in hits)
            must(got == wanted, f"search agrees with the meaning of: {said}")


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
    wanted = {key for key, value in payloads.items() if all(holds(item, value) for item in ADMISSIBLE)}
    for got in (_ids(store, name, ADMISSIBLE), _found(store, name, ADMISSIBLE)):
        must("sound" in got, "a sound chunk among damaged ones is found")
        must(set(got) <= wanted, "a field that is absent, empty or of another type satisfies no condition")


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
            lambda conditions=conditions: store.search(name, QUERY, conditions=conditions, limit=1),  # type: ignore[misc]
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
        query = HybridQuery(dense=dense, sparse=QUERY.sparse)
        _refuses(
            DimensionError,
            lambda query=query: store.search(name, query, conditions=ANYTHING, limit=1),  # type: ignore[misc]
            "a question's vector that does not fit",
        )
    must(store.count(name) == 0, "a refused write stores nothing of what came with it")


def _fusion(harness: Harness, store: Store, name: str) -> None:
    store.create(name, dimension=DIMENSION)
    filler = [
        sample_record(f"z{number:02d}", dense=(0.0, 1.0, 0.1 * number, 0.0), terms={9: 1.0}) for number in range(12)
    ]
    both = sample_record("both", dense=(0.95, 0.05, 0.0, 0.0), terms={1: 1.5, 2: 1.0})
    dense = sample_record("dense-only", dense=(1.0, 0.0, 0.0, 0.0), terms={9: 1.0})
    sparse = sample_record("sparse-only", dense=(-1.0, 0.0, 0.0, 0.1), terms={1: 2.0})
    store.upsert(name, [*filler, dense, sparse, both])
    found = _found(store, name, ANYTHING, limit=3)
    must(found[:1] == ["both"], "what both vectors find comes first")
    must(set(found) == {"both", "dense-only", "sparse-only"}, "what one vector alone finds best is found")
    again = [_found(store, name, ANYTHING, limit=15) for _ in range(3)]
    must(again[0] == again[1] == again[2], "one question has one order")
    must(len(_found(store, name, ANYTHING, limit=2)) == 2, "no more than the limit is given")
    words_alone = HybridQuery(dense=QUERY.dense, sparse=SparseVector(indices=(), values=()))
    hits = store.search(name, words_alone, conditions=ANYTHING, limit=1)
    must([hit.payload.get("chunk_id") for hit in hits] == ["dense-only"], "an empty sparse vector leaves the dense one")
    scores = [hit.score for hit in store.search(name, QUERY, conditions=ANYTHING, limit=15)]
    must(scores == sorted(scores, reverse=True) and all(map(math.isfinite, scores)), "finite scores, best first")


def _pushed_down(harness: Harness, store: Store, name: str) -> None:
    store.create(name, dimension=DIMENSION)
    store.upsert(name, [sample_record(f"old{number:03d}", marker=Marker.WITHDRAWN) for number in range(120)])
    store.upsert(name, [sample_record("kept", dense=(0.1, 0.9, 0.3, 0.1), terms={1: 0.1})])
    must(_found(store, name, ADMISSIBLE, limit=3) == ["kept"], "inadmissible chunks do not crowd out others")


def _ties(harness: Harness, store: Store, name: str) -> None:
    store.create(name, dimension=DIMENSION)
    # Of each pair, one is first by the dense vector and second by the sparse one, the other the reverse.
    pairs = [(f"m{number}", f"n{number}") for number in range(6)]
    for one, other in pairs:
        store.upsert(
            name,
            [
                sample_record(other, dense=(0.9, 0.1, 0.0, 0.0), terms={1: 2.0}),
                sample_record(one, dense=(1.0, 0.0, 0.0, 0.0), terms={1: 1.0}),
            ],
        )
    for pair in pairs:
        alone: tuple[Condition, ...] = (AnyOf(field="chunk_id", values=pair),)
        hits = store.search(name, QUERY, conditions=alone, limit=10)
        must(len(hits) == 2 and math.isclose(hits[0].score, hits[1].score), "equal ranks give equal scores")
        must(_found(store, name, alone) == list(pair), "equal scores are ordered by chunk id")


def _paging(harness: Harness, store: Store, name: str) -> None:
    store.create(name, dimension=DIMENSION)
    records = [sample_record(f"p{number:04d}", position=number) for number in range(700)]
    store.upsert(name, records)
    wanted = [record.chunk.chunk_id for record in records]
    must(store.count(name) == 700, "all of a large write is there")
    must(_ids(store, name, None) == wanted, "a scroll gives every point once, however many pages it takes")
    half: tuple[Condition, ...] = (Between(field="position", low=350),)
    must(_ids(store, name, half) == wanted[350:], "a scroll with conditions gives every point that satisfies them")


def _threads(harness: Harness, store: Store, name: str) -> None:
    store.create(name, dimension=DIMENSION)
    store.upsert(name, [sample_record("seed")])
    start = threading.Barrier(4)

    def work(number: int) -> int:
        start.wait(timeout=30)
        found = 0
        for step in range(8):
            store.upsert(name, [sample_record(f"t{number}-{step}")])
            found += len(store.search(name, QUERY, conditions=ANYTHING, limit=5))
        return found

    with ThreadPoolExecutor(4) as pool:
        counts = list(pool.map(work, range(4)))
    must(min(counts) >= 8, "searches beside writes find something")
    must(store.count(name) == 33, "no write of a thread is lost")


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
        must(name in again.collections(), "a collection is there after the store was opened again")
        wanted = [record.chunk.chunk_id for record in _variants()][1:]
        must(_ids(again, name, None) == wanted, "what was written and deleted stays so")
        must(_found(again, name, ANYTHING) != [], "vectors are there after the store was opened again")
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
