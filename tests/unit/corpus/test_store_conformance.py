"""The conformance suite on every backend; the server's runs where ``SLUIS_QDRANT_URL`` names one."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from sluis.corpus import EdgeStore, QdrantStore, Store
from sluis.corpus.conformance import RULES, Harness, Rule, kill_while_writing
from sluis.corpus.store import DENSE, SPARSE, point_id

BACKENDS = ["edge", "local", "memory", "wire", "server"]
"""``wire``: the server's client against a stand-in on loopback, for what is sent and read."""


def raw_edge(store: Store, collection: str, name: str, payload: Mapping[str, Any]) -> None:
    from qdrant_edge import Point, SparseVector, UpdateOperation

    assert isinstance(store, EdgeStore)
    shard, _ = store._shard(collection)
    vector: Any = {DENSE: [1.0, 0.0, 0.0, 0.0], SPARSE: SparseVector([1], [1.0])}
    shard.update(UpdateOperation.upsert_points([Point(id=point_id(name), vector=vector, payload=dict(payload))]))
    shard.flush()


def raw_qdrant(store: Store, collection: str, name: str, payload: Mapping[str, Any]) -> None:
    from qdrant_client import models

    assert isinstance(store, QdrantStore)
    vector: Any = {DENSE: [1.0, 0.0, 0.0, 0.0], SPARSE: models.SparseVector(indices=[1], values=[1.0])}
    point = models.PointStruct(id=point_id(name), vector=vector, payload=dict(payload))
    store._ask(lambda client: client.upsert(collection, [point], wait=True))


@pytest.fixture(params=BACKENDS)
def harness(request: pytest.FixtureRequest, tmp_path: Path) -> Harness:
    backend = request.param
    if backend == "edge":
        return Harness(open=lambda: EdgeStore(tmp_path / "store"), write_raw=raw_edge)
    if backend == "local":
        return Harness(open=lambda: QdrantStore(folder=tmp_path / "store"), write_raw=raw_qdrant)
    if backend == "memory":
        return Harness(open=QdrantStore, persistent=False, write_raw=raw_qdrant)
    if backend == "wire":
        stand_in, _ = request.getfixturevalue("qdrant_server")
        return Harness(open=lambda: QdrantStore(url=stand_in), write_raw=raw_qdrant)
    url = os.environ.get("SLUIS_QDRANT_URL")
    if url is None:
        pytest.skip("SLUIS_QDRANT_URL names no server")
    return Harness(open=lambda: QdrantStore(url=url), write_raw=raw_qdrant)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_every_backend_keeps_every_rule(rule: Rule, harness: Harness) -> None:
    rule.check(harness)


@pytest.mark.slow
@pytest.mark.parametrize("opener", ["sluis.corpus.edge:EdgeStore", "sluis.corpus.qdrant:open_local"])
def test_a_process_killed_while_writing_loses_nothing_it_acknowledged(opener: str, tmp_path: Path) -> None:
    assert kill_while_writing(opener, tmp_path / "store", rounds=3) >= 300
