"""What is particular to each backend: locks, damage, limits, faults of a server."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sluis.core import Between, Condition
from sluis.corpus import (
    EdgeStore,
    HybridQuery,
    QdrantStore,
    SparseVector,
    Store,
    StoreBusyError,
    StoreDamagedError,
    StoreFailedError,
    StoreTooLargeError,
    UnknownCollectionError,
)
from sluis.corpus.conformance import sample_record
from sluis.corpus.edge import _Engine
from sluis.corpus.store import read_payload

ANYTHING: tuple[Condition, ...] = (Between(field="position", low=0),)
QUERY = HybridQuery(dense=(1.0, 0.0, 0.0, 0.0), sparse=SparseVector(indices=(1,), values=(1.0,)))


def test_making_a_store_touches_nothing(tmp_path: Path) -> None:
    assert EdgeStore(tmp_path / "store").collections() == ()
    QdrantStore(folder=tmp_path / "store").close()
    QdrantStore(url="http://127.0.0.1:1").close()
    assert list(tmp_path.iterdir()) == []


HOLD = """
import sys
from pathlib import Path
from sluis.corpus import EdgeStore, QdrantStore
store = EdgeStore(Path(sys.argv[2])) if sys.argv[1] == "edge" else QdrantStore(folder=Path(sys.argv[2]))
store.count("held")
print("open", flush=True)
sys.stdin.readline()
store.close()
"""


# The client's local mode leaves its lock file open when it finds it taken.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("backend", ["edge", "local"])
def test_a_second_process_is_told_that_the_store_is_busy(backend: str, tmp_path: Path) -> None:
    def store() -> Store:
        return EdgeStore(tmp_path) if backend == "edge" else QdrantStore(folder=tmp_path)

    first = store()
    first.create("held", dimension=4)
    first.upsert("held", [sample_record("a")])
    first.close()
    command = [sys.executable, "-c", HOLD, backend, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdin is not None
        assert child.stdout.readline() == "open\n"
        second = store()
        with pytest.raises(StoreBusyError):
            second.count("held")
        with pytest.raises(StoreBusyError):
            second.drop("held")
        second.close()
        child.stdin.write("\n")
        child.stdin.flush()
        child.wait(timeout=60)
    again = store()
    assert again.count("held") == 1
    again.close()


DAMAGES: dict[str, str] = {
    "no JSON": "{",
    "another version": json.dumps({"payload_version": 2, "dimension": 4}),
    "no dimension": json.dumps({"payload_version": 1}),
    "a dimension in words": json.dumps({"payload_version": 1, "dimension": "4"}),
    "a list": "[]",
}


@pytest.mark.parametrize("case", DAMAGES, ids=str)
def test_a_folder_that_this_version_did_not_write_is_refused_and_can_be_dropped(case: str, tmp_path: Path) -> None:
    store = EdgeStore(tmp_path)
    store.create("c", dimension=4)
    store.close()
    (tmp_path / "c" / "sluis.json").write_text(DAMAGES[case], encoding="utf-8")
    with pytest.raises(StoreDamagedError):
        store.count("c")
    store.drop("c")
    assert store.collections() == ()
    store.create("c", dimension=4)
    assert store.count("c") == 0
    store.close()


def test_a_shard_whose_files_are_gone_fails_and_can_be_dropped(tmp_path: Path) -> None:
    import shutil

    store = EdgeStore(tmp_path)
    store.create("c", dimension=4)
    store.close()
    shutil.rmtree(tmp_path / "c" / "shard")
    with pytest.raises(StoreFailedError):
        store.count("c")
    store.drop("c")
    assert store.collections() == ()


def test_what_a_kill_left_while_a_collection_was_made_is_no_collection(tmp_path: Path) -> None:
    store = EdgeStore(tmp_path)
    (tmp_path / "c" / "shard").mkdir(parents=True)
    (tmp_path / "c" / "shard" / "half").write_bytes(b"x")
    assert store.collections() == ()
    with pytest.raises(UnknownCollectionError):
        store.count("c")
    store.create("c", dimension=4)
    store.upsert("c", [sample_record("a")])
    assert store.count("c") == 1
    store.close()


@pytest.mark.parametrize("error", [KeyboardInterrupt, AttributeError, ZeroDivisionError])
def test_what_is_not_the_engines_own_error_passes(error: type[BaseException]) -> None:
    class Signal(Exception):
        """As the graph's interrupt: a subclass of Exception that must not be swallowed."""

    for passing in (error, Signal):
        with pytest.raises(passing), _Engine():
            raise passing


def test_the_engines_error_does_not_repeat_what_it_was_given() -> None:
    with pytest.raises(StoreFailedError) as caught, _Engine():
        raise Exception("SECRET text in an engine's error")
    assert "SECRET" not in str(caught.value)


def test_the_local_mode_refuses_what_it_is_not_made_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sluis.corpus.qdrant.LOCAL_LIMIT", 2)
    store = QdrantStore()
    store.create("c", dimension=4)
    store.upsert("c", [sample_record("a"), sample_record("b")])
    with pytest.raises(StoreTooLargeError):
        store.upsert("c", [sample_record("d")])
    assert store.count("c") == 2


def test_a_server_that_is_not_there_or_fails_is_a_typed_error_without_its_text(
    qdrant_server: tuple[str, dict[str, Any]],
) -> None:
    absent = QdrantStore(url="http://127.0.0.1:9", timeout_s=2)
    with pytest.raises(StoreFailedError):
        absent.collections()
    absent.close()
    url, fault = qdrant_server
    store = QdrantStore(url=url)
    store.create("c", dimension=4)
    fault |= {"status": 500, "text": "SECRET of the server"}
    with pytest.raises(StoreFailedError) as caught:
        store.search("c", QUERY, conditions=ANYTHING, limit=3)
    assert "SECRET" not in str(caught.value)
    fault.clear()
    assert store.search("c", QUERY, conditions=ANYTHING, limit=3, exact=True) == ()
    store.close()


def test_all_backends_give_one_ranking(tmp_path: Path, qdrant_server: tuple[str, dict[str, Any]]) -> None:
    rankings = []
    for store in (EdgeStore(tmp_path / "e"), QdrantStore(folder=tmp_path / "l"), QdrantStore(url=qdrant_server[0])):
        store.create("c", dimension=4)
        store.upsert(
            "c",
            [
                sample_record(
                    f"k{number}", dense=(1.0, 0.17 * number, 0.05 * (number % 3), 0.0), terms={1: 2.0 / (number + 1)}
                )
                for number in range(9)
            ],
        )
        hits = store.search("c", QUERY, conditions=ANYTHING, limit=9)
        rankings.append([hit.payload["chunk_id"] for hit in hits])
        assert all(read_payload(hit) is not None for hit in hits)
        store.close()
    assert rankings[0] == rankings[1] == rankings[2]
    assert rankings[0][0] == "k0"
