"""The conformance suite is worth something only if a store that breaks a rule is found out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from sluis.core import Between, Condition
from sluis.corpus import Hit, HybridQuery, QdrantStore, Record, SparseVector, Store
from sluis.corpus.conformance import RULES, Harness, NotConformingError

EVERYTHING: tuple[Condition, ...] = (Between(field="position", low=0),)


class IgnoresConditions(QdrantStore):
    def search(self, collection: str, query: HybridQuery, *, conditions: Any, limit: int, exact: bool = False) -> Any:
        wider = conditions and EVERYTHING
        return super().search(collection, query, conditions=wider, limit=limit, exact=exact)


class FiltersAfterwards(QdrantStore):
    """Takes the best and then drops what does not satisfy the conditions."""

    def search(self, collection: str, query: HybridQuery, *, conditions: Any, limit: int, exact: bool = False) -> Any:
        wider = super().search(collection, query, conditions=conditions and EVERYTHING, limit=limit, exact=exact)
        kept = {hit.point_id for hit in self.scroll(collection, conditions)}
        return tuple(hit for hit in wider if hit.point_id in kept)


class AcceptsNoConditions(QdrantStore):
    def count(self, collection: str, conditions: tuple[Condition, ...] | None = None) -> int:
        return super().count(collection, conditions or None)


class ForgetsWords(QdrantStore):
    def search(self, collection: str, query: HybridQuery, **options: Any) -> tuple[Hit, ...]:
        dense_alone = HybridQuery(dense=query.dense, sparse=SparseVector(indices=(), values=()))
        return super().search(collection, dense_alone, **options)


class UnstableTies(QdrantStore):
    def search(self, collection: str, query: HybridQuery, **options: Any) -> tuple[Hit, ...]:
        return tuple(sorted(super().search(collection, query, **options), key=lambda hit: (-hit.score, hit.point_id)))


class OnePage(QdrantStore):
    def scroll(self, collection: str, conditions: tuple[Condition, ...] | None = None) -> Iterator[Hit]:
        for number, hit in enumerate(super().scroll(collection, conditions)):
            if number < 256:
                yield hit


class LosesTheLast(QdrantStore):
    def upsert(self, collection: str, records: Sequence[Record]) -> None:
        super().upsert(collection, records[:-1] if len(records) > 100 else records)


class ChangesPayloads(QdrantStore):
    def scroll(self, collection: str, conditions: tuple[Condition, ...] | None = None) -> Iterator[Hit]:
        for hit in super().scroll(collection, conditions):
            yield Hit(point_id=hit.point_id, payload=dict(hit.payload) | {"text": "x"}, score=hit.score)


class DeletesTooMuch(QdrantStore):
    def delete(self, collection: str, chunk_ids: Sequence[str]) -> None:
        super().delete(collection, [*chunk_ids, "b"] if chunk_ids else [])


class MakesTwice(QdrantStore):
    def create(self, collection: str, *, dimension: int) -> None:
        if collection not in self.collections():
            super().create(collection, dimension=dimension)


class EmptyForUnknown(QdrantStore):
    def count(self, collection: str, conditions: tuple[Condition, ...] | None = None) -> int:
        if collection not in self.collections():
            return 0
        return super().count(collection, conditions)


class TakesAnyVector(QdrantStore):
    def upsert(self, collection: str, records: Sequence[Record]) -> None:
        super().upsert(collection, [record for record in records if len(record.dense) == 4 and record.dense[0] == 1.0])


FAULTS: dict[str, tuple[Callable[[], Store], str]] = {
    "conditions are ignored": (IgnoresConditions, "conditions"),
    "the filter comes after the cut": (FiltersAfterwards, "pushed_down"),
    "no conditions count as all": (AcceptsNoConditions, "no_conditions"),
    "the sparse vector is not used": (ForgetsWords, "fusion"),
    "ties are ordered by chance": (UnstableTies, "ties"),
    "a scroll gives one page": (OnePage, "paging"),
    "a large write loses one": (LosesTheLast, "paging"),
    "payloads are changed": (ChangesPayloads, "round_trip"),
    "delete takes more than it was told": (DeletesTooMuch, "round_trip"),
    "making a collection twice is silent": (MakesTwice, "collections"),
    "an unknown collection is an empty one": (EmptyForUnknown, "unknown"),
    "vectors that do not fit are taken": (TakesAnyVector, "vectors"),
    "what was written is gone after closing": (QdrantStore, "survives"),
}


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_store_that_breaks_a_rule_is_found_out(fault: str) -> None:
    opened, name = FAULTS[fault]
    rule = next(item for item in RULES if item.name == name)
    with pytest.raises(NotConformingError):
        rule.check(Harness(open=opened, persistent=True))
