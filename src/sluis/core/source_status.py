"""What a canonical source says of a citation, now."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from ._model import Digest, Moment, Value


class SourceState(StrEnum):
    """Only ``live`` passes."""

    LIVE = "live"
    WITHDRAWN = "withdrawn"
    SUPERSEDED = "superseded"
    OVERTURNED = "overturned"
    NOT_FOUND = "not_found"
    UNVERIFIABLE = "unverifiable"


class Citation(Value):
    """A reference in normal form."""

    kind: str
    value: str


class SourceStatus(Value):
    """One answer of a source, fit to be kept as evidence."""

    kind: str
    value: str
    status: SourceState
    reason: str
    """A stable code: ``current``, ``void``, ``replaced``, ``later_outcome_unknown``, ``timeout``, ``http_404``, ..."""
    detail: str = ""
    """For a person; what in the record says so."""
    source: str
    """The URL that was asked."""
    checked_at: Moment
    elapsed_ms: int
    digest: Digest | None = None
    """Of the body that was read; ``None`` when there was none."""
    transient: bool = False
    """True when asking again may bring another answer (the network's fault, not the record's)."""

    def evidence(self) -> dict[str, Any]:
        """The status as the evidence of a finding: plain JSON, times included."""
        return {
            "kind": self.kind,
            "value": self.value,
            "status": self.status.value,
            "reason": self.reason,
            "source": self.source,
            "digest": self.digest,
            "checked_at": self.checked_at.isoformat(),
            "elapsed_ms": self.elapsed_ms,
        }
