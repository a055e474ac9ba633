"""Chunks, conditions and the error that the conformance rules share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from sluis.core import NO_END, AnyOf, Between, Chunk, Condition, IntegrityError, Marker, digest_of, digest_text

from .store import HybridQuery, Record, SparseVector

DIMENSION = 4
DAY = 20261130
_AT = datetime(2026, 11, 30, 12, tzinfo=UTC)


class NotConformingError(IntegrityError):
    """A store does not keep a rule of the protocol."""

    code = "integrity.not_conforming"


def must(true: bool, expected: str, **subject: str | int | float | None) -> None:
    if not true:
        raise NotConformingError(f"Expected: {expected}.", hint="See sluis.corpus.Store.", **subject)


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


ADMISSIBLE: tuple[Condition, ...] = (
    AnyOf(field="marker", values=("current",)),
    AnyOf(field="tenant", values=("default",)),
    AnyOf(field="audience", values=("client",)),
    Between(field="valid_from", high=DAY),
    Between(field="valid_to", low=DAY),
)
ANYTHING: tuple[Condition, ...] = (Between(field="position", low=0),)
QUERY = HybridQuery(dense=(1.0, 0.0, 0.0, 0.0), sparse=SparseVector(indices=(1,), values=(1.0,)))
