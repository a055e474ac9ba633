"""Qdrant's engine inside this process: the embedded default. One folder, one shard for each collection."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from sluis.core import CONDITION_FIELDS, PAYLOAD_VERSION, AnyOf, Condition, checked

from .errors import (
    CollectionExistsError,
    StoreBusyError,
    StoreDamagedError,
    StoreFailedError,
    UnknownCollectionError,
)
from .store import (
    DENSE,
    RRF_K,
    SPARSE,
    Hit,
    HybridQuery,
    Record,
    check_vector,
    collection_name,
    ordered,
    payload_of,
    point_id,
)

if TYPE_CHECKING:
    from qdrant_edge import EdgeShard, Filter

_ABOUT = "sluis.json"
_SHARD = "shard"
_BATCH = 256
_PAGE = 256


class _Engine(AbstractContextManager[None]):
    """Turns the engine's errors into ours.

    The engine raises plain ``Exception``, no subclass. Only that very class is translated: whatever else is on its
    way (an interrupt of the graph, a keyboard interrupt) passes.
    """

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None or kind not in {Exception, ValueError, OSError, RuntimeError}:
            return
        if "WouldBlock" in str(error):
            raise StoreBusyError(
                "Another process has this store open.",
                hint="The embedded store admits one process; stop the other one, or run a server.",
            ) from error
        raise StoreFailedError(
            "The embedded store did not do what was asked.", hint="Run `sluis index verify`; then ingest again."
        ) from error


class EdgeStore:
    """A :class:`~sluis.corpus.Store` over ``qdrant-edge-py``.

    Args:
        folder: where the shards live; made when needed. It admits one process.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._shards: dict[str, tuple[EdgeShard, int]] = {}
        self._lock = threading.RLock()

    @property
    def backend(self) -> str:
        """``edge``."""
        return "edge"

    def _place(self, collection: str) -> Path:
        return self._folder / collection_name(collection)

    def _shard(self, collection: str) -> tuple[EdgeShard, int]:
        known = self._shards.get(collection)
        if known is not None:
            return known
        place = self._place(collection)
        if not (place / _ABOUT).is_file():
            raise UnknownCollectionError(
                f"The store has no collection {collection!r}.", hint="Run `sluis ingest`.", collection=collection
            )
        try:
            about = json.loads((place / _ABOUT).read_bytes())
            dimension = about["dimension"]
            if about["payload_version"] != PAYLOAD_VERSION or not isinstance(dimension, int):
                raise KeyError
        except (ValueError, KeyError, TypeError) as error:
            raise StoreDamagedError(
                f"The collection {collection!r} was not written by this version.",
                hint="Ingest again into a new collection.",
                collection=collection,
            ) from error
        from qdrant_edge import EdgeShard

        with _Engine():
            shard = EdgeShard.load(str(place / _SHARD))
        self._shards[collection] = (shard, dimension)
        return shard, dimension

    def create(self, collection: str, *, dimension: int) -> None:
        from qdrant_edge import (
            Distance,
            EdgeConfig,
            EdgeShard,
            EdgeSparseVectorParams,
            EdgeVectorParams,
            Modifier,
            PayloadSchemaType,
            UpdateOperation,
        )

        with self._lock:
            place = self._place(collection)
            if (place / _ABOUT).is_file():
                raise CollectionExistsError(
                    f"The collection {collection!r} stands already.", hint="Choose another name, or drop it."
                )
            # Without its description a folder is what a killed process left: nobody has ever read from it.
            shutil.rmtree(place, ignore_errors=True)
            (place / _SHARD).mkdir(parents=True)
            config = EdgeConfig(
                vectors={DENSE: EdgeVectorParams(size=dimension, distance=Distance.Cosine)},
                sparse_vectors={SPARSE: EdgeSparseVectorParams(modifier=Modifier.Idf)},
            )
            with _Engine():
                shard = EdgeShard.create(str(place / _SHARD), config)
                for field, kind in CONDITION_FIELDS.items():
                    schema = PayloadSchemaType.Integer if kind == "integer" else PayloadSchemaType.Keyword
                    shard.update(UpdateOperation.create_field_index(field, schema))
                shard.flush()
            about = {"payload_version": PAYLOAD_VERSION, "dimension": dimension}
            draft = place / f"{_ABOUT}.new"
            draft.write_text(json.dumps(about), encoding="utf-8")
            draft.replace(place / _ABOUT)
            self._shards[collection] = (shard, dimension)

    def drop(self, collection: str) -> None:
        with self._lock:
            place = self._place(collection)
            # Opening it takes the engine's lock: what another process serves from is not deleted under its feet.
            # What cannot be opened for another reason is damaged, and can only be dropped.
            with suppress(UnknownCollectionError, StoreDamagedError, StoreFailedError):
                self._shard(collection)
            known = self._shards.pop(collection, None)
            if known is not None:
                with _Engine():
                    known[0].close()
            if place.is_dir():
                # The description goes first: what is left after a kill in between is no collection.
                (place / _ABOUT).unlink(missing_ok=True)
                shutil.rmtree(place)

    def collections(self) -> tuple[str, ...]:
        if not self._folder.is_dir():
            return ()
        return tuple(sorted(path.parent.name for path in self._folder.glob(f"*/{_ABOUT}")))

    def upsert(self, collection: str, records: Sequence[Record]) -> None:
        from qdrant_edge import Point, UpdateOperation
        from qdrant_edge import SparseVector as EdgeSparseVector

        with self._lock:
            shard, dimension = self._shard(collection)
            for record in records:
                check_vector(record.dense, dimension)
            for start in range(0, len(records), _BATCH):
                points = [
                    Point(
                        id=point_id(record.chunk.chunk_id),
                        vector={
                            DENSE: list(record.dense),
                            SPARSE: EdgeSparseVector(list(record.sparse.indices), list(record.sparse.values)),
                        },
                        payload=payload_of(record.chunk),
                    )
                    for record in records[start : start + _BATCH]
                ]
                with _Engine():
                    shard.update(UpdateOperation.upsert_points(points))
            with _Engine():
                shard.flush()

    def delete(self, collection: str, chunk_ids: Sequence[str]) -> None:
        from qdrant_edge import UpdateOperation

        with self._lock:
            shard, _ = self._shard(collection)
            if chunk_ids:
                with _Engine():
                    shard.update(UpdateOperation.delete_points([point_id(chunk_id) for chunk_id in chunk_ids]))
                    shard.flush()

    def count(self, collection: str, conditions: tuple[Condition, ...] | None = None) -> int:
        from qdrant_edge import CountRequest

        condition = None if conditions is None else edge_filter(conditions)
        with self._lock:
            shard, _ = self._shard(collection)
            with _Engine():
                return int(shard.count(CountRequest(exact=True, filter=condition)))

    def search(
        self,
        collection: str,
        query: HybridQuery,
        *,
        conditions: tuple[Condition, ...],
        limit: int,
        exact: bool = False,
    ) -> tuple[Hit, ...]:
        from qdrant_edge import Fusion, Prefetch, Query, QueryRequest, SearchParams
        from qdrant_edge import SparseVector as EdgeSparseVector

        condition = edge_filter(conditions)
        params = SearchParams(exact=exact)
        with self._lock:
            shard, dimension = self._shard(collection)
            check_vector(query.dense, dimension)
            dense = Query.Nearest(list(query.dense), using=DENSE)
            prefetches = [Prefetch(limit=limit, query=dense, filter=condition, params=params)]
            if query.sparse.indices:
                vector = EdgeSparseVector(list(query.sparse.indices), list(query.sparse.values))
                sparse = Query.Nearest(vector, using=SPARSE)
                prefetches.append(Prefetch(limit=limit, query=sparse, filter=condition, params=params))
            points: list[Any] = []
            with _Engine():
                points = shard.query(
                    QueryRequest(
                        limit=limit,
                        prefetches=prefetches,
                        query=Fusion.Rrf(k=RRF_K),  # type: ignore[arg-type]
                        filter=condition,
                        with_payload=True,
                    )
                )
        return ordered([Hit(point_id=str(p.id), payload=p.payload or {}, score=float(p.score)) for p in points])

    def scroll(self, collection: str, conditions: tuple[Condition, ...] | None = None) -> Iterator[Hit]:
        from qdrant_edge import ScrollRequest

        condition = None if conditions is None else edge_filter(conditions)
        offset: Any = None
        while True:
            points: list[Any] = []
            with self._lock:
                shard, _ = self._shard(collection)
                with _Engine():
                    points, offset = shard.scroll(
                        ScrollRequest(offset=offset, limit=_PAGE, filter=condition, with_payload=True)
                    )
            for point in points:
                yield Hit(point_id=str(point.id), payload=point.payload or {}, score=0.0)
            if offset is None:
                return

    def close(self) -> None:
        with self._lock:
            shards, self._shards = self._shards, {}
            for shard, _ in shards.values():
                with _Engine():
                    shard.close()


def edge_filter(conditions: tuple[Condition, ...]) -> Filter:
    """The conditions as a filter in which each one *must* hold.

    Raises:
        ConditionError: there is none, or one that cannot be asked.
    """
    from qdrant_edge import FieldCondition, MatchAny, RangeFloat
    from qdrant_edge import Filter as EdgeFilter

    must: list[Any] = []
    for condition in checked(conditions):
        if isinstance(condition, AnyOf):
            must.append(FieldCondition(key=condition.field, match=MatchAny(any=list(condition.values))))
        else:
            # Days (below 10**8) are exact in the engine's floating point.
            low = None if condition.low is None else float(condition.low)
            high = None if condition.high is None else float(condition.high)
            must.append(FieldCondition(key=condition.field, range=RangeFloat(gte=low, lte=high)))
    return EdgeFilter(must=must)
