"""The shape of a check: what it is given and what it gives back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from .action import Payload, Request
from .chunk import Chunk, Evidence
from .draft import Draft
from .finding import Finding
from .manifest import Manifest
from .source_status import Citation, SourceStatus


class SourceGateway(Protocol):
    """Asks the canonical sources; one deadline for the whole call."""

    async def statuses(self, citations: tuple[Citation, ...]) -> Mapping[Citation, SourceStatus]:
        """The status of every citation asked, each exactly once; what could not be settled is ``unverifiable``."""
        ...


class RegisterView(Protocol):
    """What the register says *now* of a chunk, whatever the store returned."""

    def current_reasons(self, chunk_id: str, content_digest: str, *, request: Request, day: int) -> tuple[str, ...]:
        """Why the chunk is not admissible for this request on this day (``yyyymmdd``); empty: it is."""
        ...

    def vouches_for(self, chunk: Chunk) -> bool:
        """Whether the chunk, with all that is said of it, is one that was registered and serves."""
        ...


@dataclass(frozen=True, kw_only=True)
class CheckContext:
    """The facts around a draft; none of them comes from graph state or from the model."""

    request: Request
    now: datetime
    manifest: Manifest | None = None
    policy_digest: str | None = None
    register: RegisterView | None = None
    sources: SourceGateway | None = None
    payloads: tuple[tuple[Payload, bytes], ...] = ()
    """The exact bytes that would go out, one an action."""


@dataclass(frozen=True, kw_only=True)
class Case:
    """One draft with what it rests on."""

    draft: Draft
    evidence: Evidence
    context: CheckContext


class Check(Protocol):
    """A named, versioned, deterministic function of a case.

    A check returns a finding for everything it objects to. Returning nothing means: I looked, and it
    holds. Whatever it raises is taken as a finding that blocks.
    """

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> int: ...

    async def run(self, case: Case) -> tuple[Finding, ...]: ...
