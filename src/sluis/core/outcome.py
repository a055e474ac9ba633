"""How a run ends: exactly one of five ways."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field, JsonValue

from ._model import Digest, Value
from .finding import RedactedFinding


class OutcomeStatus(StrEnum):
    """The five ends. A run that reaches none of them is reported as ``failed``."""

    RELEASED = "released"
    """Checked, permitted, and in the outbox; the relay checks again before it goes out."""
    HELD = "held"
    """Could not be decided (a source did not answer); nothing left; may be run again."""
    IN_REVIEW = "in_review"
    """Waits for a person; nothing left."""
    BLOCKED = "blocked"
    """A check said no; final for this request."""
    FAILED = "failed"
    """An error; nothing left; ``error`` holds its diagnostics."""


class Outcome(Value):
    """The end of a run, without a word of the draft. Full findings are read from the ledger by ``verdict``."""

    status: OutcomeStatus
    run_id: str
    reason: str
    """Why, as a stable code: the worst finding's reason, or the error's code, or ``released``."""
    findings: tuple[RedactedFinding, ...] = ()
    verdict: Digest | None = None
    outbox: tuple[str, ...] = ()
    """Keys of the outbox rows, when released."""
    review_id: str | None = None
    error: dict[str, JsonValue] | None = None
    counts: dict[str, int] = Field(default_factory=dict)
    """How many candidates were retrieved, excluded by reason, and shown."""
