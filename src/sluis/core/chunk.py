"""Chunks, candidates and the stamp of a retrieval.

The payload schema of a stored chunk is :class:`Chunk` itself, version 1, described in
``docs/payload.md``. Fields that a policy reads are strings and integers, never Booleans: one of the
embedded engines turns a Boolean match into an integer one and then matches nothing.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from ._model import Day, Digest, Moment, Value

PAYLOAD_VERSION = 1

Name = Annotated[str, Field(min_length=1, max_length=512)]


class Marker(StrEnum):
    """What the source says of a document. Only ``current`` is admissible.

    ``unknown`` stands for "the source did not say" and for "what it said could not be read".
    """

    CURRENT = "current"
    WITHDRAWN = "withdrawn"
    SUPERSEDED = "superseded"
    UNKNOWN = "unknown"


class Chunk(Value):
    """One piece of a document, with all that a policy, a check and a reader need.

    ``text == parsed[start:end]`` of the parsed document, in code points.
    """

    payload_version: Literal[1] = 1
    chunk_id: Name
    """Stable: derives from document, numbering path and content, so equal input gives equal ids."""
    source_id: Name
    """The document in its own system: an ECLI, a path, a row key."""
    source_kind: Name
    """``ecli``, ``file``, ...: the kind of live source that can be asked about it."""
    source_url: str
    """Canonical URL; the only URL that an output citing this chunk may hold. Empty: none."""
    title: str
    family: Name
    """What versions of one document share; of a family only the version in force is admissible."""
    version: Name
    doc_type: Name
    language: Name
    tenant: Name
    audience: Annotated[tuple[Name, ...], Field(min_length=1)]
    marker: Marker
    valid_from: Day
    valid_to: Day
    """Last day of validity, inclusive; 99991231 is the explicit "no end"."""
    numbering: tuple[Name, ...] = ()
    """Path of labels, outermost first: ``("12", "12.4", "(b)")``."""
    position: Annotated[int, Field(ge=0)]
    """Order within the document."""
    start: Annotated[int, Field(ge=0)]
    end: Annotated[int, Field(ge=0)]
    text: Annotated[str, Field(min_length=1)]
    content_digest: Digest
    """Of the UTF-8 bytes of ``text``."""
    pins: Digest
    """The pin set that shaped the chunk: parser, tokenizer, embedder."""
    ingested_at: Moment


class RetrievalStamp(Value):
    """From which index, in what state, a set of candidates came."""

    alias: Name
    collection: Name
    fingerprint: Digest
    """Of the index as registered: SHA-256 over sorted (chunk id, content digest)."""
    pins: tuple[Digest, ...]
    """The distinct pin sets of the candidates, sorted; exactly one when all is well."""
    backend: Name
    at: Moment


class Candidate(Value):
    """A chunk that the store returned, with its score there."""

    chunk: Chunk
    score: float
    """As the store gave it; comparable within one retrieval only."""


class Exclusion(Value):
    """How many candidates a filter refused for one reason."""

    reason: Name
    count: Annotated[int, Field(ge=1)]
    chunk_ids: tuple[Name, ...]
    incident: bool = False
    """True when the store should never have returned them: a finding for operations."""


class EvidenceItem(Value):
    """A chunk under the label the model saw it by."""

    label: Annotated[str, Field(pattern=r"^[a-z][a-z0-9]{0,15}$")]
    chunk: Chunk


class Evidence(Value):
    """All that was shown to the model, in the order it was shown, and how it was found."""

    items: tuple[EvidenceItem, ...]
    stamp: RetrievalStamp
    exclusions: tuple[Exclusion, ...] = ()

    def by_label(self) -> dict[str, Chunk]:
        """Label to chunk."""
        return {item.label: item.chunk for item in self.items}
