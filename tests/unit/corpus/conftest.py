from __future__ import annotations

import importlib.util
import math
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from langchain_core.embeddings import Embeddings

from sluis.core import Candidate, CountedIds, ManualClock, Request, digest_text
from sluis.corpus import PinnedEmbeddings, pinned
from sluis.corpus.conformance import sample_record
from sluis.ledger import Ledger

DIMENSION = 8


class WordHashes(Embeddings):
    """Vectors from the letters of a text: equal texts lie together, and no weights are needed."""

    def __init__(self) -> None:
        self.calls: list[list[str]] = []

    def _vector(self, text: str) -> list[float]:
        vector = [0.01] * DIMENSION
        for word in text.lower().split():
            vector[int(digest_text(word)[7:15], 16) % DIMENSION] += 1.0
        size = math.sqrt(sum(number * number for number in vector))
        return [number / size for number in vector]

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.calls.append(list(texts))
        return [self._vector(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return self._vector(text)


def _stand_in() -> ModuleType:
    # Beside the tests and no package of its own: it is loaded by its path.
    spec = importlib.util.spec_from_file_location("qdrant_stand_in", Path(__file__).with_name("qdrant_stand_in.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def qdrant_server() -> Iterator[tuple[str, dict[str, Any]]]:
    """URL of a stand-in for a server, and a dict that makes it fail."""
    with _stand_in().qdrant_stand_in() as running:
        yield running


@pytest.fixture
def word_hashes() -> WordHashes:
    return WordHashes()


@pytest.fixture
def embeddings(word_hashes: WordHashes) -> PinnedEmbeddings:
    return pinned(word_hashes, pin="word-hashes/1", dimension=DIMENSION)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(datetime(2026, 11, 30, 12, tzinfo=UTC))


@pytest.fixture
def ledger(tmp_path: Path, clock: ManualClock) -> Iterator[Ledger]:
    with Ledger.open(tmp_path / "ledger.db", clock=clock, ids=CountedIds()) as opened:
        yield opened


@pytest.fixture
def ask() -> Callable[..., Request]:
    def make(question: str = "Hoe lang is de termijn?", **changes: Any) -> Request:
        data: dict[str, Any] = {
            "request_id": "req_00000001",
            "question": question,
            "recipients": ("a.md",),
            "audience": "client",
            "tenant": "default",
        }
        return Request(**(data | changes))

    return make


@pytest.fixture
def candidate() -> Callable[..., Candidate]:
    def make(name: str, text: str | None = None, *, score: float = 0.5, **changes: Any) -> Candidate:
        record = sample_record(name, text=f"text of {name}" if text is None else text, **changes)
        return Candidate(chunk=record.chunk, score=score)

    return make
