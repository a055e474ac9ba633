"""Rerankers behind LangChain's ``BaseDocumentCompressor``, and the one adapter through which all of them answer.

A reranker orders and cuts; it never admits. The adapter sends neither blanks nor duplicates, checks the answer
(indices that were sent, each once, finite scores), breaks ties by chunk id, and hands back candidates it was given.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from langchain_core.documents import BaseDocumentCompressor, Document
from pydantic import ConfigDict, PrivateAttr

from sluis.core import Candidate

from .bm25 import terms
from .embed import PinnedEmbeddings, ask_cohere, cohere_client
from .errors import OversizeError, RerankFailedError
from .tokens import count_tokens

if TYPE_CHECKING:
    from langchain_core.callbacks import Callbacks

__all__ = ["CohereReranker", "CompressorReranker", "KeepOrder", "LocalReranker"]

INDEX = "sluis_index"
"""Metadata key by which a document finds its way back to its candidate."""

SCORE = "relevance_score"
"""Metadata key of a score, as LangChain's compressors write it."""

MAX_DOCUMENTS = 1000
MAX_TOKENS = 4096
"""Limits of one rerank call (Cohere's)."""

_log = logging.getLogger(__name__)


class KeepOrder:
    """No reranking: the store's own order, cut."""

    def order(self, question: str, candidates: tuple[Candidate, ...], *, keep: int) -> tuple[Candidate, ...]:
        """The first ``keep`` by score; equal scores by chunk id."""
        return _by_score(candidates)[:keep]


class CompressorReranker:
    """Any LangChain document compressor as a reranker of this project.

    Args:
        compressor: it may set ``relevance_score`` on the documents it gives back; without, their order counts.
        on_oversize: told the chunk id and tokens of each text that is longer than a reranker reads. It is also
            logged. Chunks made by ``sluis ingest`` never are.
    """

    def __init__(
        self, compressor: BaseDocumentCompressor, *, on_oversize: Callable[[str, int], None] | None = None
    ) -> None:
        self._compressor = compressor
        self._on_oversize = on_oversize

    def order(self, question: str, candidates: tuple[Candidate, ...], *, keep: int) -> tuple[Candidate, ...]:
        """At most ``keep`` of the candidates, best first.

        Blank texts and texts that stood before are left out. With nothing to order the compressor is not called.

        Raises:
            RerankFailedError: the answer does not fit what was sent.
            OversizeError: more texts than one call takes.
        """
        sent = _distinct(candidates)
        if not sent or keep < 1:
            return ()
        if len(sent) > MAX_DOCUMENTS:
            raise OversizeError(
                f"{len(sent)} texts are more than one rerank call takes.", hint=f"At most {MAX_DOCUMENTS}."
            )
        for candidate in sent:
            tokens = count_tokens(candidate.chunk.text)
            if tokens > MAX_TOKENS:
                _log.warning("chunk %s has %d tokens; a reranker reads its beginning", candidate.chunk.chunk_id, tokens)
                if self._on_oversize is not None:
                    self._on_oversize(candidate.chunk.chunk_id, tokens)
        documents = [
            Document(
                id=candidate.chunk.chunk_id,
                page_content=candidate.chunk.text,
                metadata={INDEX: index, "language": candidate.chunk.language, "store_score": candidate.score},
            )
            for index, candidate in enumerate(sent)
        ]
        answered = self._compressor.compress_documents(documents, question)
        return tuple(sent[index] for index in _ranking(answered, sent))[:keep]


def _by_score(candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
    return tuple(sorted(candidates, key=lambda item: (-item.score, item.chunk.chunk_id)))


def _distinct(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Candidates in an order that does not depend on the caller's, without blank and repeated texts."""
    seen: set[str] = set()
    result: list[Candidate] = []
    for candidate in _by_score(candidates):
        text = candidate.chunk.text.strip()
        if text and text not in seen:
            seen.add(text)
            result.append(candidate)
    return result


def _fail(what: str) -> RerankFailedError:
    return RerankFailedError(f"The reranker answered with {what}.", hint="Try again, or use the local one.")


def checked_index(value: object, *, sent: int, seen: set[int]) -> int:
    """An index of the answer, once it is certain that it names something sent, and for the first time.

    Raises:
        RerankFailedError: it does not.
    """
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < sent:
        raise _fail("an index that was not sent")
    if value in seen:
        raise _fail("one index twice")
    seen.add(value)
    return value


def checked_score(value: object) -> float:
    """A score of the answer, once it is certain that it is a finite number; never squashed.

    Raises:
        RerankFailedError: it is not.
    """
    try:
        score = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise _fail("a score that is no number") from None
    if not math.isfinite(score):
        raise _fail("a score that is not finite")
    return score


def _ranking(answered: Sequence[Document], sent: Sequence[Candidate]) -> list[int]:
    seen: set[int] = set()
    indices = [checked_index(document.metadata.get(INDEX), sent=len(sent), seen=seen) for document in answered]
    scores = [document.metadata.get(SCORE) for document in answered]
    if all(score is None for score in scores):
        return indices
    checked = {index: checked_score(score) for index, score in zip(indices, scores, strict=True)}
    return sorted(indices, key=lambda index: (-checked[index], sent[index].chunk.chunk_id))


class CohereReranker(BaseDocumentCompressor):
    """Cohere's reranker. The question and the texts go to that service.

    Attributes:
        model: its name there.
        top_n: at most so many are given back; ``None``: all.
        api_key: default: the environment variable ``CO_API_KEY`` or ``COHERE_API_KEY``.
        base_url: default: the service's own; for a proxy or a test.
        timeout_s: for one call.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, frozen=True, hide_input_in_errors=True)

    model: str = "rerank-v3.5"
    top_n: int | None = None
    api_key: str | None = None
    base_url: str | None = None
    timeout_s: float = 10.0
    _client: Any = PrivateAttr(default=None)

    def __repr_args__(self) -> Any:
        return [(name, value) for name, value in super().__repr_args__() if name != "api_key"]

    def compress_documents(
        self, documents: Sequence[Document], query: str, callbacks: Callbacks | None = None
    ) -> Sequence[Document]:
        """The documents with their ``relevance_score``, best first.

        Raises:
            KeyMissingError: no key.
            RerankFailedError: no answer, or one that does not fit what was sent.
        """
        if not documents:
            return []
        if self._client is None:
            self._client = cohere_client(api_key=self.api_key, base_url=self.base_url, timeout_s=self.timeout_s)
        answer = ask_cohere(
            lambda: self._client.rerank(
                model=self.model,
                query=query,
                documents=[document.page_content for document in documents],
                top_n=min(self.top_n or len(documents), len(documents)),
                max_tokens_per_doc=MAX_TOKENS,
            ),
            RerankFailedError,
            what="rerank",
        )
        # The library builds its answers without checking them: anything may be missing or of another type.
        results = getattr(answer, "results", None)
        if not isinstance(results, list):
            raise _fail("no results")
        seen: set[int] = set()
        result: list[Document] = []
        for item in results:
            index = checked_index(getattr(item, "index", None), sent=len(documents), seen=seen)
            document = documents[index]
            metadata = document.metadata | {SCORE: checked_score(getattr(item, "relevance_score", None))}
            result.append(Document(id=document.id, page_content=document.page_content, metadata=metadata))
        return result


class LocalReranker(BaseDocumentCompressor):
    """Orders without a service: BM25 among the candidates, plus the best likeness of one of their sentences.

    Deterministic. All candidates get the first score; the second is computed for the best ``pool`` alone, and of
    each for the ``sentences`` that share most words with the question, for encoding is what takes time.

    Attributes:
        embeddings: the encoder; ``None``: BM25 alone.
        pool: how many candidates get the second score.
        sentences: how many sentences of each are encoded.
        top_n: at most so many are given back; ``None``: all.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True, frozen=True)

    embeddings: Any = None
    pool: int = 12
    sentences: int = 4
    top_n: int | None = None

    def compress_documents(
        self, documents: Sequence[Document], query: str, callbacks: Callbacks | None = None
    ) -> Sequence[Document]:
        """The documents with their ``relevance_score`` (0 to 2), best first; equal scores by id."""
        if not documents:
            return []
        lexical = _bm25(documents, query)
        first = sorted(range(len(documents)), key=lambda index: (-lexical[index], str(documents[index].id)))
        # The store's order knows paraphrases that share no word with the question; it chooses half of the pool.
        by_store = sorted(
            range(len(documents)),
            key=lambda index: (-float(documents[index].metadata.get("store_score", 0.0)), str(documents[index].id)),
        )
        pool: dict[int, None] = {}
        for pair in zip(by_store, first, strict=True):
            for index in pair:
                if len(pool) < self.pool:
                    pool[index] = None
        scores = dict(enumerate(lexical))
        if self.embeddings is not None:
            for index, likeness in self._likeness(documents, query, list(pool)).items():
                scores[index] += likeness
        ranked = sorted(scores, key=lambda index: (-scores[index], str(documents[index].id)))
        return [
            Document(
                id=documents[index].id,
                page_content=documents[index].page_content,
                metadata=documents[index].metadata | {SCORE: scores[index]},
            )
            for index in ranked[: self.top_n]
        ]

    def _likeness(self, documents: Sequence[Document], query: str, pool: list[int]) -> dict[int, float]:
        embeddings: PinnedEmbeddings = self.embeddings
        texts = {index: _best_sentences(documents[index], query, self.sentences) for index in pool}
        flat = [text for index in pool for text in texts[index]]
        vectors = dict(zip(flat, embeddings.embed_documents(flat), strict=True))
        question = embeddings.embed_query(query)
        return {index: max((_cosine(question, vectors[text]) for text in texts[index]), default=0.0) for index in pool}


def _language(document: Document) -> str:
    return str(document.metadata.get("language", "und"))


def _best_sentences(document: Document, query: str, count: int) -> list[str]:
    from sluis.core.reading import split_sentences

    language = _language(document)
    asked = set(terms(query, language))
    spans = [span.text.strip() for span in split_sentences(document.page_content)]
    spans = [text for text in dict.fromkeys(spans) if any(character.isalpha() for character in text)]
    ranked = sorted(range(len(spans)), key=lambda index: (-len(asked & set(terms(spans[index], language))), index))
    return [spans[index][:500] for index in sorted(ranked[:count])]


def _bm25(documents: Sequence[Document], query: str) -> list[float]:
    """BM25 of each document among these documents, scaled so that the best is 1."""
    counted: list[dict[str, int]] = []
    lengths: list[int] = []
    for document in documents:
        counts: dict[str, int] = {}
        found = terms(document.page_content, _language(document))
        for term in found:
            counts[term] = counts.get(term, 0) + 1
        counted.append(counts)
        lengths.append(len(found))
    average = max(1.0, sum(lengths) / len(lengths))
    holders: dict[str, int] = {}
    for counts in counted:
        for term in counts:
            holders[term] = holders.get(term, 0) + 1
    scores: list[float] = []
    for document, counts, length in zip(documents, counted, lengths, strict=True):
        score = 0.0
        for term in dict.fromkeys(terms(query, _language(document))):
            count = counts.get(term, 0)
            if count:
                rarity = math.log(1 + (len(documents) - holders[term] + 0.5) / (holders[term] + 0.5))
                score += rarity * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * length / average))
        scores.append(score)
    best = max(scores)
    return [score / best if best > 0 else 0.0 for score in scores]


def _cosine(one: Sequence[float], other: Sequence[float]) -> float:
    size = math.sqrt(sum(number * number for number in one)) * math.sqrt(sum(number * number for number in other))
    return sum(a * b for a, b in zip(one, other, strict=True)) / size if size > 0 else 0.0
