"""What the corpus needs of the register: the tables in the ledger that say what is true of a chunk and an index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from sluis.core import Chunk, Marker, RegisterView

__all__ = ["Register"]


class Register(RegisterView, Protocol):
    """Markers, validity, audience, fingerprints and aliases. ``ledger.register`` is one.

    The store is a cache; where the two differ, this is right.
    """

    def upsert_chunks(self, collection: str, chunks: Sequence[Chunk]) -> None:
        """Record chunks of a collection; one with the id of a recorded one replaces it."""
        ...

    def forget_chunks(self, collection: str, chunk_ids: Sequence[str]) -> None:
        """Take chunks out of a collection; ids that are not there are no error."""
        ...

    def chunk_ids(self, collection: str) -> tuple[tuple[str, str], ...]:
        """``(chunk_id, content_digest)`` of every chunk of a collection, sorted."""
        ...

    def fingerprint(self, collection: str) -> str:
        """SHA-256 over the sorted chunk ids and content digests."""
        ...

    def alias(self, name: str) -> str | None:
        """The collection that an alias points to; ``None``: there is no such alias."""
        ...

    def swap_alias(self, name: str, expected: str | None, new: str) -> None:
        """Point an alias elsewhere, if it still points where the caller thinks.

        Raises:
            AliasConflictError: it does not.
        """
        ...

    def set_marker(self, source_id: str, marker: Marker, reason: str) -> None:
        """Record what the source says of a document now."""
        ...

    def collections(self) -> tuple[str, ...]:
        """Names of all collections, sorted."""
        ...

    def drop_collection(self, collection: str) -> None:
        """Forget a collection and all in it."""
        ...
