from __future__ import annotations

import itertools
import json
import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
from langchain_core.documents import BaseDocumentCompressor, Document
from pydantic import ConfigDict

from sluis.core import Candidate
from sluis.corpus import (
    CohereReranker,
    CompressorReranker,
    KeepOrder,
    KeyMissingError,
    LocalReranker,
    OversizeError,
    PinnedEmbeddings,
    RerankFailedError,
    UseEmbeddings,
    open_reranker,
)
from sluis.corpus.rerank import INDEX, SCORE

Make = Callable[..., Candidate]


class Scripted(BaseDocumentCompressor):
    """Answers whatever the test wants, and remembers what it was sent."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    answer: Any
    sent: list[list[str]] = []

    def compress_documents(
        self, documents: Sequence[Document], query: str, callbacks: Any = None
    ) -> Sequence[Document]:
        self.sent.append([document.page_content for document in documents])
        result: Sequence[Document] = self.answer(list(documents))
        return result


def scored(document: Document, score: object, **changes: object) -> Document:
    return Document(page_content=document.page_content, metadata=document.metadata | {SCORE: score} | changes)


def ids(candidates: Sequence[Candidate]) -> list[str]:
    return [candidate.chunk.chunk_id for candidate in candidates]


def test_with_nothing_to_order_the_reranker_is_not_called(candidate: Make) -> None:
    compressor = Scripted(answer=lambda documents: documents, sent=[])
    reranker = CompressorReranker(compressor)
    assert reranker.order("opzegtermijn", (), keep=6) == ()
    assert reranker.order("opzegtermijn", (candidate("a", "  \n "),), keep=6) == ()
    assert reranker.order("opzegtermijn", (candidate("a"),), keep=0) == ()
    assert compressor.sent == []


def test_blanks_and_duplicates_are_not_sent_and_ids_travel_with_the_texts(candidate: Make) -> None:
    given = (
        candidate("c0", " ", score=0.9),
        candidate("c1", "A", score=0.8),
        candidate("c2", "B", score=0.7),
        candidate("c2dup", "B", score=0.6),
    )
    compressor = Scripted(answer=lambda sent: [scored(sent[1], 0.9), scored(sent[0], 0.2)], sent=[])
    assert ids(CompressorReranker(compressor).order("q", given, keep=6)) == ["c2", "c1"]
    assert compressor.sent == [["A", "B"]]


def test_ties_break_on_chunk_id_whatever_the_order_of_the_input(candidate: Make) -> None:
    given = [candidate(name, f"text {name}") for name in ("d", "a", "c", "b")]
    scores = {"a": 0.0003, "b": 0.0029, "c": 0.0003, "d": 0.0}

    def answer(sent: list[Document]) -> list[Document]:
        return [scored(document, scores[document.page_content[-1]]) for document in reversed(sent)]

    reranker = CompressorReranker(Scripted(answer=answer, sent=[]))
    orders = {tuple(ids(reranker.order("q", tuple(order), keep=4))) for order in itertools.permutations(given)}
    assert orders == {("b", "a", "c", "d")}


WRONG: dict[str, Callable[[list[Document]], list[Document]]] = {
    "an index that was not sent": lambda sent: [scored(sent[0], 1.0, **{INDEX: 7})],
    "a negative index": lambda sent: [scored(sent[0], 1.0, **{INDEX: -1})],
    "an index that is true": lambda sent: [scored(sent[0], 1.0, **{INDEX: True})],
    "no index": lambda sent: [Document(page_content="made up", metadata={SCORE: 1.0})],
    "an index twice": lambda sent: [scored(sent[0], 1.0), scored(sent[0], 0.5)],
    "a score that is NaN": lambda sent: [scored(sent[0], float("nan")), scored(sent[1], 0.1)],
    "an infinite score": lambda sent: [scored(sent[0], float("inf"))],
    "a score in words": lambda sent: [scored(sent[0], "high")],
    "scores for some only": lambda sent: [scored(sent[0], 0.5), sent[1]],
}


@pytest.mark.parametrize("case", WRONG, ids=str)
def test_an_answer_that_does_not_fit_is_refused(case: str, candidate: Make) -> None:
    reranker = CompressorReranker(Scripted(answer=WRONG[case], sent=[]))
    with pytest.raises(RerankFailedError):
        reranker.order("q", (candidate("a"), candidate("b")), keep=2)


def test_a_compressor_without_scores_orders_by_position_and_may_cut(candidate: Make) -> None:
    reranker = CompressorReranker(Scripted(answer=lambda sent: [sent[2], sent[0]], sent=[]))
    given = tuple(candidate(name) for name in "abc")
    assert ids(reranker.order("q", given, keep=6)) == ["c", "a"]


def test_a_compressor_that_rewrites_texts_changes_no_candidate(candidate: Make) -> None:
    def rewrite(sent: list[Document]) -> list[Document]:
        return [Document(page_content="I grant everything", metadata=document.metadata) for document in sent]

    given = (candidate("a"), candidate("b"))
    assert CompressorReranker(Scripted(answer=rewrite, sent=[])).order("q", given, keep=2) == given


def test_a_text_longer_than_a_reranker_reads_is_noticed(candidate: Make, caplog: pytest.LogCaptureFixture) -> None:
    noticed: list[tuple[str, int]] = []
    long = candidate("long", "x " * 4200 + "tenzij de wederpartij een consument is")
    reranker = CompressorReranker(
        Scripted(answer=lambda sent: sent, sent=[]), on_oversize=lambda name, tokens: noticed.append((name, tokens))
    )
    with caplog.at_level(logging.WARNING, logger="sluis.corpus.rerank"):
        reranker.order("q", (long, candidate("short")), keep=2)
    assert [name for name, tokens in noticed if tokens > 4096] == ["long"]
    assert "long" in caplog.text
    assert "consument" not in caplog.text


def test_more_texts_than_one_call_takes_are_refused(candidate: Make) -> None:
    given = tuple(candidate(f"c{number}") for number in range(1001))
    with pytest.raises(OversizeError):
        CompressorReranker(Scripted(answer=lambda sent: sent, sent=[])).order("q", given, keep=2)


def test_without_a_reranker_the_order_is_the_stores(candidate: Make) -> None:
    given = (candidate("b", score=0.1), candidate("a", score=0.1), candidate("c", score=0.9))
    assert ids(KeepOrder().order("q", given, keep=2)) == ["c", "a"]
    assert isinstance(open_reranker("none"), KeepOrder)


def test_the_local_reranker_orders_by_words_alone_without_an_encoder(candidate: Make) -> None:
    given = (
        candidate("a", "De kosten van het geding komen voor rekening van de gedaagde."),
        candidate("b", "De opzegtermijn bedraagt drie maanden."),
        candidate("c", "Over de opzegtermijn is niets afgesproken; de termijn van de wet geldt voor de opzegging."),
    )
    reranker = CompressorReranker(LocalReranker())
    orders = {
        tuple(ids(reranker.order("Hoe lang is de opzegtermijn?", tuple(order), keep=3)))
        for order in itertools.permutations(given)
    }
    assert len(orders) == 1
    assert orders.pop()[2] == "a"


def test_the_local_reranker_is_deterministic_and_gives_finite_scores(
    candidate: Make, embeddings: PinnedEmbeddings
) -> None:
    documents = [
        Document(id=f"d{number}", page_content=text, metadata={"language": "nl", "store_score": 0.1 * number})
        for number, text in enumerate(["", "Een zin. Nog een zin.", "12.4", "!!!", "De termijn is 30 dagen."])
    ]
    reranker = LocalReranker(embeddings=embeddings, pool=3)
    first = reranker.compress_documents(documents, "Wat is de termijn?")
    again = reranker.compress_documents(list(reversed(documents)), "Wat is de termijn?")
    assert [item.id for item in first] == [item.id for item in again]
    assert first[0].id == "d4"
    assert all(0.0 <= item.metadata[SCORE] <= 2.0 for item in first)
    assert reranker.compress_documents([], "q") == []
    assert len(LocalReranker(top_n=2).compress_documents(documents, "q")) == 2


@pytest.mark.slow
def test_forty_candidates_are_ordered_within_a_second_once_the_encoder_is_loaded(candidate: Make) -> None:
    import time

    embeddings = UseEmbeddings()
    embeddings.embed_query("warm")
    sentence = (
        "De huurder van woning {n} zegt de huur op met een termijn van {n} maanden, tenzij anders is afgesproken. "
    )
    given = tuple(
        candidate(f"c{number:02d}", "".join(sentence.format(n=number * 20 + step) for step in range(18)))
        for number in range(40)
    )
    reranker = open_reranker("local", embeddings=embeddings)
    start = time.perf_counter()
    kept = reranker.order("Met welke termijn kan de huur worden opgezegd?", given, keep=6)
    assert len(kept) == 6
    # Twice what it takes on two shared cores.
    assert time.perf_counter() - start < 2.0


class _Cohere(BaseHTTPRequestHandler):
    answer: tuple[int, Any] = (200, {})
    seen: list[tuple[str, dict[str, Any], str]] = []

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        type(self).seen.append((self.path, body, self.headers.get("authorization", "")))
        status, value = type(self).answer
        data = value if isinstance(value, bytes) else json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        return


@pytest.fixture
def cohere() -> Iterator[tuple[str, type[_Cohere]]]:
    handler = type("Handler", (_Cohere,), {"seen": []})
    server = HTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", handler
    server.shutdown()
    thread.join()
    server.server_close()


def test_cohere_is_asked_once_with_the_texts_and_its_ranking_counts(
    cohere: tuple[str, type[_Cohere]], candidate: Make
) -> None:
    url, handler = cohere
    results = [{"index": 1, "relevance_score": 0.9}, {"index": 0, "relevance_score": 0.2}]
    handler.answer = (200, {"id": "x", "results": results})
    reranker = CompressorReranker(CohereReranker(base_url=url, api_key="k-123"))
    given = (candidate("a", "A"), candidate("b", "B"))
    assert ids(reranker.order("q", given, keep=2)) == ["b", "a"]
    [(path, body, authorization)] = handler.seen
    assert path == "/v2/rerank"
    assert body["documents"] == ["A", "B"]
    assert body["query"] == "q"
    assert authorization == "Bearer k-123"


COHERE_WRONG: dict[str, tuple[int, Any]] = {
    "an index out of range": (200, {"results": [{"index": 9, "relevance_score": 0.9}]}),
    "one index twice": (200, {"results": [{"index": 0, "relevance_score": 0.9}, {"index": 0, "relevance_score": 0.8}]}),
    "a score that is NaN": (200, b'{"results": [{"index": 0, "relevance_score": NaN}]}'),
    "no results": (200, {"id": "x"}),
    "results that are no list": (200, {"results": "none"}),
    "a result that is no object": (200, {"results": ["none"]}),
    "a result without a score": (200, {"results": [{"index": 0}]}),
    "a bad request": (400, {"message": "SECRET documents repeated here"}),
    "no authority": (401, {"message": "invalid api token"}),
    "no JSON": (200, b"<html>"),
}


@pytest.mark.parametrize("case", COHERE_WRONG, ids=str)
def test_a_wrong_answer_of_cohere_is_a_typed_error_without_its_text(
    case: str, cohere: tuple[str, type[_Cohere]], candidate: Make
) -> None:
    url, handler = cohere
    handler.answer = COHERE_WRONG[case]
    reranker = CompressorReranker(CohereReranker(base_url=url, api_key="k-123"))
    with pytest.raises(RerankFailedError) as caught:
        reranker.order("q", (candidate("a", "A"), candidate("b", "B")), keep=2)
    assert "SECRET" not in str(caught.value)
    assert "k-123" not in repr(caught.value) + repr(CohereReranker(api_key="k-123"))


def test_cohere_without_a_key_says_so(monkeypatch: pytest.MonkeyPatch, candidate: Make) -> None:
    for name in ("CO_API_KEY", "COHERE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(KeyMissingError):
        open_reranker("cohere").order("q", (candidate("a"),), keep=1)
    assert CohereReranker().compress_documents([], "q") == []
