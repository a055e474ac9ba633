"""Qdrant by URL, and the client library's own local mode (a folder or memory) behind the same protocol."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from sluis.core import CONDITION_FIELDS, AnyOf, Condition, checked

from .errors import (
    CollectionExistsError,
    StoreBusyError,
    StoreFailedError,
    StoreTooLargeError,
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
    from collections.abc import Callable

    from qdrant_client import QdrantClient
    from qdrant_client.http import models

T = TypeVar("T")

LOCAL_LIMIT = 20_000
"""Points above which the client's local mode is refused: it scans everything, in Python, for each search."""

_BATCH = 128
_PAGE = 256


class QdrantStore:
    """A :class:`~sluis.corpus.Store` over ``qdrant-client``.

    Args:
        url: of a server or cluster.
        folder: for the client's local mode on disk. It admits one process.
        api_key: for a server that asks for one.
        timeout_s: seconds for one call to a server.

    With neither ``url`` nor ``folder`` the points live in memory.
    """

    def __init__(
        self,
        *,
        url: str | None = None,
        folder: Path | None = None,
        api_key: str | None = None,
        timeout_s: int = 10,
    ) -> None:
        self._url = url
        self._folder = folder
        self._api_key = api_key
        self._timeout_s = timeout_s
        self._client: QdrantClient | None = None
        # The local mode keeps plain Python lists and is not made for threads.
        self._lock = threading.RLock()
        self._dimensions: dict[str, int] = {}

    @property
    def backend(self) -> str:
        """``server``, ``local`` or ``memory``."""
        if self._url is not None:
            return "server"
        return "memory" if self._folder is None else "local"

    def _open(self) -> QdrantClient:
        if self._client is None:
            from qdrant_client import QdrantClient

            if self._url is not None:
                self._client = QdrantClient(
                    url=self._url, api_key=self._api_key, timeout=self._timeout_s, check_compatibility=False
                )
            elif self._folder is None:
                self._client = QdrantClient(":memory:")
            else:
                try:
                    self._client = QdrantClient(path=str(self._folder), force_disable_check_same_thread=True)
                except RuntimeError as error:
                    raise StoreBusyError(
                        "Another process has this store open.",
                        hint="The local mode admits one process; stop the other one, or run a server.",
                        folder=str(self._folder),
                    ) from error
        return self._client

    def _ask(self, call: Callable[[QdrantClient], T]) -> T:
        from qdrant_client.common.client_exceptions import QdrantException
        from qdrant_client.http.exceptions import ApiException

        with self._lock:
            try:
                return call(self._open())
            except (ApiException, QdrantException, ValueError, OSError) as error:
                # The text of these errors repeats what was sent; only their kind goes on.
                raise StoreFailedError(
                    f"The store did not do what was asked ({type(error).__name__}).",
                    hint="Look at the log of the store, then try again.",
                    backend=self.backend,
                ) from error

    def _dimension(self, collection: str) -> int:
        collection_name(collection)
        known = self._dimensions.get(collection)
        if known is not None and self._ask(lambda client: client.collection_exists(collection)):
            return known
        if not self._ask(lambda client: client.collection_exists(collection)):
            raise UnknownCollectionError(
                f"The store has no collection {collection!r}.", hint="Run `sluis ingest`.", collection=collection
            )
        vectors: Any = self._ask(lambda client: client.get_collection(collection)).config.params.vectors
        dimension = int(vectors[DENSE].size)
        self._dimensions[collection] = dimension
        return dimension

    def create(self, collection: str, *, dimension: int) -> None:
        from qdrant_client import models

        collection_name(collection)
        if self._ask(lambda client: client.collection_exists(collection)):
            raise CollectionExistsError(
                f"The collection {collection!r} stands already.", hint="Choose another name, or drop it."
            )
        self._ask(
            lambda client: client.create_collection(
                collection,
                vectors_config={DENSE: models.VectorParams(size=dimension, distance=models.Distance.COSINE)},
                sparse_vectors_config={SPARSE: models.SparseVectorParams(modifier=models.Modifier.IDF)},
            )
        )
        if self._url is not None:
            kinds = {"integer": models.PayloadSchemaType.INTEGER}
            for field, kind in CONDITION_FIELDS.items():
                schema = kinds.get(kind, models.PayloadSchemaType.KEYWORD)
                self._ask(
                    lambda client, field=field, schema=schema: client.create_payload_index(  # type: ignore[misc]
                        collection, field, field_schema=schema, wait=True
                    )
                )
        self._dimensions[collection] = dimension

    def drop(self, collection: str) -> None:
        collection_name(collection)
        self._dimensions.pop(collection, None)
        self._ask(lambda client: client.delete_collection(collection))

    def collections(self) -> tuple[str, ...]:
        answer = self._ask(lambda client: client.get_collections())
        return tuple(sorted(item.name for item in answer.collections))

    def upsert(self, collection: str, records: Sequence[Record]) -> None:
        from qdrant_client import models

        dimension = self._dimension(collection)
        for record in records:
            check_vector(record.dense, dimension)
        if self._url is None and self.count(collection) + len(records) > LOCAL_LIMIT:
            raise StoreTooLargeError(
                f"The client's local mode is for at most {LOCAL_LIMIT} chunks.",
                hint="Use the backend 'edge', or a server.",
            )
        for start in range(0, len(records), _BATCH):
            points = [
                models.PointStruct(
                    id=point_id(record.chunk.chunk_id),
                    vector={
                        DENSE: list(record.dense),
                        SPARSE: models.SparseVector(
                            indices=list(record.sparse.indices), values=list(record.sparse.values)
                        ),
                    },
                    payload=payload_of(record.chunk),
                )
                for record in records[start : start + _BATCH]
            ]
            self._ask(lambda client, points=points: client.upsert(collection, points, wait=True))  # type: ignore[misc]

    def delete(self, collection: str, chunk_ids: Sequence[str]) -> None:
        from qdrant_client import models

        self._dimension(collection)
        if chunk_ids:
            selector = models.PointIdsList(points=[point_id(chunk_id) for chunk_id in chunk_ids])
            self._ask(lambda client: client.delete(collection, selector, wait=True))

    def count(self, collection: str, conditions: tuple[Condition, ...] | None = None) -> int:
        condition = None if conditions is None else qdrant_filter(conditions)
        self._dimension(collection)
        return self._ask(lambda client: client.count(collection, count_filter=condition, exact=True)).count

    def search(
        self,
        collection: str,
        query: HybridQuery,
        *,
        conditions: tuple[Condition, ...],
        limit: int,
        exact: bool = False,
    ) -> tuple[Hit, ...]:
        from qdrant_client import models

        condition = qdrant_filter(conditions)
        check_vector(query.dense, self._dimension(collection))
        # The local mode is exact by nature and warns when it is told to be.
        params = models.SearchParams(exact=exact) if self._url is not None else None
        prefetch = [
            models.Prefetch(query=list(query.dense), using=DENSE, filter=condition, limit=limit, params=params),
        ]
        if query.sparse.indices:
            sparse = models.SparseVector(indices=list(query.sparse.indices), values=list(query.sparse.values))
            prefetch.append(models.Prefetch(query=sparse, using=SPARSE, filter=condition, limit=limit, params=params))
        answer = self._ask(
            lambda client: client.query_points(
                collection,
                prefetch=prefetch,
                query=models.RrfQuery(rrf=models.Rrf(k=RRF_K)),
                query_filter=condition,
                limit=limit,
                with_payload=True,
            )
        )
        return ordered(
            [
                Hit(point_id=str(point.id), payload=point.payload or {}, score=float(point.score))
                for point in answer.points
            ]
        )

    def scroll(self, collection: str, conditions: tuple[Condition, ...] | None = None) -> Iterator[Hit]:
        condition = None if conditions is None else qdrant_filter(conditions)
        self._dimension(collection)
        offset: Any = None
        while True:
            points, offset = self._ask(
                lambda client, offset=offset: client.scroll(  # type: ignore[misc]
                    collection, scroll_filter=condition, limit=_PAGE, offset=offset, with_payload=True
                )
            )
            for point in points:
                yield Hit(point_id=str(point.id), payload=point.payload or {}, score=0.0)
            if offset is None:
                return

    def close(self) -> None:
        with self._lock:
            if self._client is not None:
                self._client.close()
                self._client = None


def open_local(folder: Path) -> QdrantStore:
    """The client's local mode in a folder."""
    return QdrantStore(folder=folder)


def qdrant_filter(conditions: tuple[Condition, ...]) -> models.Filter:
    """The conditions as a filter in which each one *must* hold.

    Raises:
        ConditionError: there is none, or one that cannot be asked.
    """
    from qdrant_client import models

    must: list[Any] = []
    for condition in checked(conditions):
        if isinstance(condition, AnyOf):
            must.append(models.FieldCondition(key=condition.field, match=models.MatchAny(any=list(condition.values))))
        else:
            bounds = models.Range(gte=condition.low, lte=condition.high)
            must.append(models.FieldCondition(key=condition.field, range=bounds))
    return models.Filter(must=must)
