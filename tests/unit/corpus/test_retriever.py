from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from sluis.core import Chunk, Condition, ManualClock, Marker, Request, digest_of
from sluis.corpus import (
    AliasMovedError,
    HybridQuery,
    HybridRetriever,
    LangChainRetriever,
    PinnedEmbeddings,
    QdrantStore,
    Record,
    Register,
    StoreDamagedError,
    UnknownAliasError,
    UnknownCollectionError,
)
from sluis.corpus.bm25 import document_vector
from sluis.corpus.conformance import sample_record
from sluis.corpus.store import DENSE, SPARSE, point_id
from sluis.ledger import Ledger
from sluis.policies import Policy, load_policy

Ask = Callable[..., Request]
DAY = 20261130
POLICY = load_policy("builtin:client_facing")


@pytest.fixture
def store() -> QdrantStore:
    return QdrantStore()


@pytest.fixture
def register(ledger: Ledger) -> Register:
    return ledger.register


@pytest.fixture
def fill(store: QdrantStore, register: Register, embeddings: PinnedEmbeddings) -> Callable[..., list[Chunk]]:
    def put(texts: dict[str, str], *, collection: str = "live-1", **changes: Any) -> list[Chunk]:
        if collection not in store.collections():
            store.create(collection, dimension=embeddings.dimension)
        records = []
        for name, text in texts.items():
            chunk = sample_record(name, text=text, **changes).chunk
            dense = tuple(embeddings.embed_documents([text])[0])
            records.append(Record(chunk=chunk, dense=dense, sparse=document_vector(text, "nl")))
        chunks = [record.chunk for record in records]
        register.upsert_chunks(collection, chunks)
        store.upsert(collection, records)
        if register.alias("live") is None:
            register.swap_alias("live", None, collection)
        return chunks

    return put


@pytest.fixture
def retriever(
    store: QdrantStore, register: Register, embeddings: PinnedEmbeddings, clock: ManualClock
) -> HybridRetriever:
    return HybridRetriever(store, register, embeddings, alias="live", clock=clock)


TEXTS = {
    "k1": "De verhuurder betaalt de waarborgsom terug binnen veertien dagen.",
    "k2": "De opzegtermijn bedraagt drie maanden.",
    "k3": "Artikel 3.10 gaat over parkeren.",
}


def test_candidates_come_with_the_stamp_of_their_index(
    fill: Callable[..., list[Chunk]], retriever: HybridRetriever, register: Register, ask: Ask, clock: ManualClock
) -> None:
    chunks = fill(TEXTS)
    found = retriever.retrieve(ask("Wat is de opzegtermijn?"), policy=POLICY, day=DAY, limit=10)
    assert found.candidates[0].chunk == chunks[1]
    assert {candidate.chunk.chunk_id for candidate in found.candidates} == set(TEXTS)
    stamp = found.stamp
    assert (stamp.alias, stamp.collection, stamp.backend, stamp.at) == ("live", "live-1", "memory", clock.now())
    assert stamp.fingerprint == register.fingerprint("live-1")
    assert stamp.pins == (digest_of("conformance"),)
    assert len(retriever.retrieve(ask(), policy=POLICY, day=DAY, limit=1).candidates) == 1


def test_an_identifier_is_found_by_its_letters(
    fill: Callable[..., list[Chunk]], retriever: HybridRetriever, ask: Ask
) -> None:
    fill({"k9": "Artikel 3.1 gaat over fietsen.", **TEXTS})
    found = retriever.retrieve(ask("artikel 3.10"), policy=POLICY, day=DAY, limit=1)
    assert found.candidates[0].chunk.chunk_id == "k3"


def test_what_the_policy_refuses_does_not_come_back(
    fill: Callable[..., list[Chunk]], retriever: HybridRetriever, ask: Ask
) -> None:
    fill({"old": "De opzegtermijn bedraagt een maand."}, marker=Marker.SUPERSEDED)
    fill({"in": "De opzegtermijn is intern besproken."}, audience=("internal",))
    fill({"late": "De opzegtermijn wordt twee weken."}, valid_from=DAY + 1)
    fill({"k2": TEXTS["k2"]})
    found = retriever.retrieve(ask("opzegtermijn"), policy=POLICY, day=DAY, limit=10)
    assert [candidate.chunk.chunk_id for candidate in found.candidates] == ["k2"]


def test_nothing_admissible_gives_no_candidates_and_a_stamp_without_pins(
    fill: Callable[..., list[Chunk]], retriever: HybridRetriever, ask: Ask
) -> None:
    fill(TEXTS)
    found = retriever.retrieve(ask(tenant="other"), policy=POLICY, day=DAY, limit=10)
    assert (found.candidates, found.stamp.pins) == ((), ())


def test_a_lost_alias_serves_nothing(retriever: HybridRetriever, ask: Ask) -> None:
    with pytest.raises(UnknownAliasError):
        retriever.retrieve(ask(), policy=POLICY, day=DAY, limit=10)


def test_an_alias_to_a_collection_that_the_store_lost_is_not_an_empty_answer(
    fill: Callable[..., list[Chunk]], retriever: HybridRetriever, store: QdrantStore, ask: Ask
) -> None:
    fill(TEXTS)
    store.drop("live-1")
    with pytest.raises(UnknownCollectionError):
        retriever.retrieve(ask(), policy=POLICY, day=DAY, limit=10)


class Interrupted(QdrantStore):
    """Something else happens while a search runs."""

    meanwhile: Callable[[], None] = staticmethod(lambda: None)

    def search(
        self,
        collection: str,
        query: HybridQuery,
        *,
        conditions: tuple[Condition, ...],
        limit: int,
        exact: bool = False,
    ) -> Any:
        found = super().search(collection, query, conditions=conditions, limit=limit, exact=exact)
        self.meanwhile()
        return found


@pytest.mark.parametrize("what", ["the alias is swapped", "a chunk is added", "a chunk is taken out"])
def test_an_index_that_changes_while_it_is_asked_gives_no_stamp(
    what: str, register: Register, embeddings: PinnedEmbeddings, clock: ManualClock, ask: Ask
) -> None:
    store = Interrupted()
    store.create("live-1", dimension=embeddings.dimension)
    chunk = sample_record("k1", text="De termijn.").chunk
    record = Record(
        chunk=chunk,
        dense=tuple(embeddings.embed_documents([chunk.text])[0]),
        sparse=document_vector(chunk.text, "nl"),
    )
    store.upsert("live-1", [record])
    register.upsert_chunks("live-1", [chunk])
    register.upsert_chunks("live-2", [chunk])
    register.swap_alias("live", None, "live-1")
    happening: dict[str, Callable[[], None]] = {
        "the alias is swapped": lambda: register.swap_alias("live", "live-1", "live-2"),
        "a chunk is added": lambda: register.upsert_chunks("live-1", [sample_record("k2").chunk]),
        "a chunk is taken out": lambda: register.forget_chunks("live-1", ["k1"]),
    }
    store.meanwhile = happening[what]
    retriever = HybridRetriever(store, register, embeddings, alias="live", clock=clock)
    with pytest.raises(AliasMovedError):
        retriever.retrieve(ask(), policy=POLICY, day=DAY, limit=10)


DAMAGES: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "a changed text": lambda payload: payload | {"text": "De termijn is 90 dagen."},
    "another chunk's id": lambda payload: payload | {"chunk_id": "k7"},
    "a field too many": lambda payload: payload | {"deprecated": False},
    "a field too few": lambda payload: {key: value for key, value in payload.items() if key != "pins"},
    "a later version of the schema": lambda payload: payload | {"payload_version": 2},
    "a number for a text": lambda payload: payload | {"text": 5},
}


@pytest.mark.parametrize("case", DAMAGES, ids=str)
def test_a_payload_that_is_no_chunk_stops_the_retrieval_and_is_named(
    case: str, fill: Callable[..., list[Chunk]], retriever: HybridRetriever, store: QdrantStore, ask: Ask
) -> None:
    from qdrant_client import models

    chunks = fill(TEXTS)
    payload = DAMAGES[case](chunks[0].to_json())
    vector: Any = {DENSE: [0.5] * 8, SPARSE: models.SparseVector(indices=[1], values=[1.0])}
    point = models.PointStruct(id=point_id("k1"), vector=vector, payload=payload)
    store._ask(lambda client: client.upsert("live-1", [point], wait=True))
    with pytest.raises(StoreDamagedError) as caught:
        retriever.retrieve(ask(), policy=POLICY, day=DAY, limit=10)
    assert caught.value.subject["point_id"] == point_id("k1")
    assert "termijn" not in str(caught.value)


def test_langchain_gets_admissible_documents_alone(
    fill: Callable[..., list[Chunk]], retriever: HybridRetriever, register: Register, ask: Ask
) -> None:
    fill(TEXTS)
    register.set_marker("doc-k1", Marker.WITHDRAWN, "withdrawn today")
    chain = LangChainRetriever(retriever=retriever, request=ask(), policy=POLICY, day=DAY, limit=10)
    documents = chain.invoke("Wat is de opzegtermijn?")
    assert documents[0].id == "k2"
    assert sorted(str(document.id) for document in documents) == ["k2", "k3"]
    assert documents[0].page_content == TEXTS["k2"]
    assert "text" not in documents[0].metadata
    assert documents[0].metadata["fingerprint"] == register.fingerprint("live-1")


class Lying(QdrantStore):
    """A store that ignores the conditions it was asked."""

    def search(self, collection: str, query: HybridQuery, **_: Any) -> Any:
        from sluis.core import Between

        everything: Sequence[Condition] = (Between(field="position", low=0),)
        return super().search(collection, query, conditions=tuple(everything), limit=10)


def test_langchain_gets_nothing_inadmissible_from_a_store_that_lies(
    register: Register, embeddings: PinnedEmbeddings, clock: ManualClock, ask: Ask
) -> None:
    store = Lying()
    store.create("live-1", dimension=embeddings.dimension)
    chunk = sample_record("k1", audience=("internal",)).chunk
    record = Record(
        chunk=chunk,
        dense=tuple(embeddings.embed_documents([chunk.text])[0]),
        sparse=document_vector(chunk.text, "nl"),
    )
    store.upsert("live-1", [record])
    register.upsert_chunks("live-1", [chunk])
    register.swap_alias("live", None, "live-1")
    retriever = HybridRetriever(store, register, embeddings, alias="live", clock=clock)
    policy: Policy = POLICY
    assert len(retriever.retrieve(ask(), policy=policy, day=DAY, limit=10).candidates) == 1
    chain = LangChainRetriever(retriever=retriever, request=ask(), policy=policy, day=DAY)
    assert chain.invoke("text") == []
