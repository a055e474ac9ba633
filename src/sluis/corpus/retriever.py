"""Hybrid retrieval with a stamp: which index, in which state, these candidates came from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import ConfigDict

from sluis.core import Candidate, Clock, Request, RetrievalStamp

from .bm25 import query_vector
from .embed import PinnedEmbeddings
from .errors import AliasMovedError, StoreDamagedError, UnknownAliasError
from .register import Register
from .store import Hit, HybridQuery, Store, read_payload

if TYPE_CHECKING:
    from langchain_core.callbacks import CallbackManagerForRetrieverRun

    from sluis.policies import Policy

__all__ = ["HybridRetriever", "LangChainRetriever", "Retrieval"]


@dataclass(frozen=True, kw_only=True)
class Retrieval:
    """What one retrieval gave.

    Attributes:
        candidates: best first; equal scores by chunk id.
        stamp: the index they came from. Its ``pins`` are those of the candidates, so none when there are none.
    """

    candidates: tuple[Candidate, ...]
    stamp: RetrievalStamp


class HybridRetriever:
    """Asks one collection, through its alias, by dense and sparse vector at once.

    Args:
        store: where the vectors are.
        register: says what the alias means and what the collection's fingerprint is.
        embeddings: the encoder the collection was made with.
        alias: the name that is asked.
        clock: the time of the stamp.
        exact: compare with every vector instead of asking the index; for audits.
    """

    def __init__(
        self,
        store: Store,
        register: Register,
        embeddings: PinnedEmbeddings,
        *,
        alias: str,
        clock: Clock,
        exact: bool = False,
    ) -> None:
        self._store = store
        self._register = register
        self._embeddings = embeddings
        self._alias = alias
        self._clock = clock
        self._exact = exact

    @property
    def register(self) -> Register:
        """What decides, beside the store."""
        return self._register

    def _state(self) -> tuple[str, str]:
        collection = self._register.alias(self._alias)
        if collection is None:
            raise UnknownAliasError(
                f"The alias {self._alias!r} points at no collection.", hint="Run `sluis ingest`.", alias=self._alias
            )
        return collection, self._register.fingerprint(collection)

    def retrieve(self, request: Request, *, policy: Policy, day: int, limit: int) -> Retrieval:
        """Candidates for a request.

        The policy goes to the store as conditions. What comes back is not yet admissible: the filter applies the
        same policy again, and the register, in code.

        Args:
            request: the question, and for whom.
            policy: the hard filter.
            day: calendar date ``yyyymmdd``.
            limit: at most so many candidates.

        Raises:
            UnknownAliasError: the alias points nowhere.
            AliasMovedError: alias or index changed meanwhile, so that no stamp would be true.
            StoreDamagedError: the store holds something that is no chunk.
        """
        before = self._state()
        query = HybridQuery(
            dense=tuple(self._embeddings.embed_query(request.question)),
            sparse=query_vector(request.question, request.locale),
        )
        hits = self._store.search(
            before[0], query, conditions=policy.conditions(request, day), limit=limit, exact=self._exact
        )
        candidates = tuple(self._candidate(before[0], hit) for hit in hits)
        if self._state() != before:
            raise AliasMovedError(
                f"The index behind {self._alias!r} changed while it was asked.",
                hint="Ask again.",
                alias=self._alias,
                collection=before[0],
            )
        stamp = RetrievalStamp(
            alias=self._alias,
            collection=before[0],
            fingerprint=before[1],
            pins=tuple(sorted({candidate.chunk.pins for candidate in candidates})),
            backend=self._store.backend,
            at=self._clock.now(),
        )
        return Retrieval(candidates=candidates, stamp=stamp)

    def _candidate(self, collection: str, hit: Hit) -> Candidate:
        chunk = read_payload(hit)
        if chunk is None:
            raise StoreDamagedError(
                "The store holds a point whose payload is no chunk.",
                hint="Run `sluis index verify`, then ingest into a new collection.",
                collection=collection,
                point_id=hit.point_id,
            )
        return Candidate(chunk=chunk, score=hit.score)


class LangChainRetriever(BaseRetriever):
    """A :class:`HybridRetriever` as LangChain's ``BaseRetriever``, for chains of your own.

    The policy is applied in code as well, and the register is asked: a document that is given back is admissible.
    Supersession within a family is the filter node's business. What a chain does with the documents is yours to
    verify.

    Attributes:
        retriever: the retriever.
        request: for whom; its question is replaced by the chain's query.
        policy: the hard filter.
        day: calendar date ``yyyymmdd``.
        limit: at most so many.
    """

    model_config = ConfigDict(arbitrary_types_allowed=True)

    retriever: Any
    request: Request
    policy: Any
    day: int
    limit: int = 10

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        request = Request.from_json(self.request.to_json() | {"question": query})
        retriever: HybridRetriever = self.retriever
        found = retriever.retrieve(request, policy=self.policy, day=self.day, limit=self.limit)
        documents: list[Document] = []
        for candidate in found.candidates:
            chunk = candidate.chunk
            if self.policy.exclusion_reasons(chunk, request, self.day):
                continue
            if retriever.register.current_reasons(chunk.chunk_id, chunk.content_digest, request=request, day=self.day):
                continue
            metadata = {key: value for key, value in chunk.to_json().items() if key != "text"}
            metadata |= {"score": candidate.score, "fingerprint": found.stamp.fingerprint}
            documents.append(Document(id=chunk.chunk_id, page_content=chunk.text, metadata=metadata))
        return documents
