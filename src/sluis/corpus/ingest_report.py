"""What an ingest says of itself: where it is, what it did, what it could not take in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Malformed:
    """A document that was not taken in.

    Attributes:
        path: as it was named. reason: one stable word. message: for a person.
    """

    path: str
    reason: str
    message: str

    def to_json(self) -> dict[str, str]:
        """Plain JSON values."""
        return {"path": self.path, "reason": self.reason, "message": self.message}


@dataclass(frozen=True, kw_only=True)
class Progress:
    """Where an ingest is; given to the callback after each document."""

    done: int
    total: int
    path: str
    chunks: int


@dataclass(frozen=True, kw_only=True)
class IngestReport:
    """What an ingest did.

    Attributes:
        collection: what it wrote to.
        alias: what now serves it.
        fingerprint: of the collection; what the manifest must allow.
        pins: digest of the pin set; what the manifest must allow.
        documents: taken in, new, changed or not.
        unchanged: of these, those that were known already.
        chunks: in the collection, in all.
        written, removed: chunks written and taken out by this run.
        malformed: documents that were not taken in.
        missing: source ids in the collection of which no document was seen; nothing was deleted.
        skipped: files of a kind that is not read.
        notices: how often each thing that a person should know occurred.
        invisible: characters without a glyph that were taken out.
    """

    collection: str
    alias: str
    fingerprint: str
    pins: str
    documents: int
    unchanged: int
    chunks: int
    written: int
    removed: int
    malformed: tuple[Malformed, ...] = ()
    missing: tuple[str, ...] = ()
    skipped: int = 0
    notices: dict[str, int] = field(default_factory=dict)
    invisible: int = 0

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {
            "collection": self.collection,
            "alias": self.alias,
            "fingerprint": self.fingerprint,
            "pins": self.pins,
            "documents": self.documents,
            "unchanged": self.unchanged,
            "chunks": self.chunks,
            "written": self.written,
            "removed": self.removed,
            "malformed": [item.to_json() for item in self.malformed],
            "missing": list(self.missing),
            "skipped": self.skipped,
            "notices": dict(sorted(self.notices.items())),
            "invisible": self.invisible,
        }
