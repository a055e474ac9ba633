"""What a store is: collections of chunks, searched by dense and sparse vector together.

The store is a cache. Markers, validity, audience, fingerprints and aliases stand in the register; a store that
lies is caught there. Still every condition is pushed down, so that inadmissible chunks do not crowd out others.
"""

from __future__ import annotations

import math
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import re2

from sluis.core import Chunk, Condition, MalformedValueError, NotCanonicalError, digest_text

from .errors import CollectionNameError, DimensionError

DENSE = "dense"
SPARSE = "bm25"
"""Names of the two vectors of a point."""

RRF_K = 60
"""Constant of reciprocal rank fusion, the same in every backend."""

_NAMESPACE = uuid.UUID("6f0f1c1e-6a0b-5e0c-9b55-0d6b1a2f7a10")
_NAME = re2.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


@dataclass(frozen=True, kw_only=True)
class SparseVector:
    """Term indices (unsigned 32 bit, ascending, distinct) and their weights (finite, positive)."""

    indices: tuple[int, ...]
    values: tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class Record:
    """A chunk with its vectors, ready to be stored."""

    chunk: Chunk
    dense: tuple[float, ...]
    sparse: SparseVector


@dataclass(frozen=True, kw_only=True)
class HybridQuery:
    """One question in both forms. An empty sparse vector leaves the search to the dense one."""

    dense: tuple[float, ...]
    sparse: SparseVector


@dataclass(frozen=True, kw_only=True)
class Hit:
    """A point as the store gave it back; its payload is not yet believed to be a chunk."""

    point_id: str
    payload: Mapping[str, Any]
    score: float


class Store(Protocol):
    """A place for vectors and payloads. Every method raises subclasses of :class:`sluis.core.SluisError` only.

    Thread-safe. What a write method returned from survives the death of the process.
    """

    @property
    def backend(self) -> str:
        """``edge``, ``local``, ``memory``, ``server``, or a plug-in's own word."""
        ...

    def create(self, collection: str, *, dimension: int) -> None:
        """Make an empty collection for dense vectors of ``dimension`` numbers (cosine).

        Raises:
            CollectionExistsError: it is there already.
            CollectionNameError: not a name for one.
        """
        ...

    def drop(self, collection: str) -> None:
        """Delete a collection and all in it; one that is not there is no error."""
        ...

    def collections(self) -> tuple[str, ...]:
        """Names of all collections, sorted."""
        ...

    def upsert(self, collection: str, records: Sequence[Record]) -> None:
        """Write chunks; one with the id of a stored one replaces it.

        Raises:
            UnknownCollectionError, DimensionError
        """
        ...

    def delete(self, collection: str, chunk_ids: Sequence[str]) -> None:
        """Delete chunks by id; ids that are not there are no error."""
        ...

    def count(self, collection: str, conditions: tuple[Condition, ...] | None = None) -> int:
        """How many points satisfy all conditions, counted exactly; ``None``: how many there are.

        Raises:
            ConditionError: an empty tuple, or a condition that cannot be asked.
        """
        ...

    def search(
        self,
        collection: str,
        query: HybridQuery,
        *,
        conditions: tuple[Condition, ...],
        limit: int,
        exact: bool = False,
    ) -> tuple[Hit, ...]:
        """The best points that satisfy all conditions, fused by reciprocal rank, best first, ties by chunk id.

        Args:
            collection: where.
            query: dense and sparse form of the question.
            conditions: what must hold; never empty.
            limit: at most so many.
            exact: compare with every point instead of asking the index; for audits.

        Raises:
            ConditionError, UnknownCollectionError, DimensionError
        """
        ...

    def scroll(self, collection: str, conditions: tuple[Condition, ...] | None = None) -> Iterator[Hit]:
        """All points (score 0) that satisfy all conditions, in the store's order; ``None``: every point."""
        ...

    def close(self) -> None:
        """Release files and connections; calling it twice is no error."""
        ...


def point_id(chunk_id: str) -> str:
    """The UUID under which a chunk is stored, derived from its id."""
    return str(uuid.uuid5(_NAMESPACE, chunk_id))


def payload_of(chunk: Chunk) -> dict[str, Any]:
    """The payload of a chunk: its JSON."""
    return chunk.to_json()


def read_payload(hit: Hit) -> Chunk | None:
    """The chunk in a payload; ``None`` when it is not one of schema 1, or its text is not what its digest says.

    A field that is absent is not filled in: what wrote it was not this schema.
    """
    if hit.payload.keys() != Chunk.model_fields.keys():
        return None
    try:
        chunk = Chunk.from_json(dict(hit.payload))
        sound = digest_text(chunk.text) == chunk.content_digest and point_id(chunk.chunk_id) == hit.point_id
    except (MalformedValueError, NotCanonicalError):
        return None
    return chunk if sound else None


def collection_name(name: str) -> str:
    """The name, once it is certain that it is one.

    Raises:
        CollectionNameError: it is not.
    """
    if _NAME.fullmatch(name) is None:
        raise CollectionNameError(
            "That is no name for a collection.", hint="Lower case letters, digits, '-' and '_', at most 64."
        )
    return name


def check_vector(vector: Sequence[float], dimension: int) -> None:
    """Refuse a dense vector of another length, or one with NaN or infinity in it.

    Raises:
        DimensionError: it is one.
    """
    if len(vector) != dimension or not all(math.isfinite(value) for value in vector):
        raise DimensionError(
            f"A vector of {len(vector)} numbers does not fit a collection of {dimension} dimensions.",
            hint="Index and query with the same embedder; one index holds one embedder's vectors.",
        )


def ordered(hits: Sequence[Hit]) -> tuple[Hit, ...]:
    """Hits by score, best first; equal scores by chunk id, so that one question has one order."""
    return tuple(sorted(hits, key=lambda hit: (-hit.score, str(hit.payload.get("chunk_id", "")), hit.point_id)))
