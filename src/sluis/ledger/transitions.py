"""The states of an outbox row, and the only steps between them. A table; nothing else writes a state."""

from __future__ import annotations

from enum import StrEnum
from types import MappingProxyType

from .errors import TransitionRefusedError


class OutboxState(StrEnum):
    """Where a row is."""

    HELD = "held"
    """Admitted; waits for its hold to end."""
    REVIEW = "review"
    """Something changed since verification; a person must look."""
    RELEASED = "released"
    """A person let it pass from review; checked again before it goes."""
    SENDING = "sending"
    """One relay has claimed it."""
    SENT = "sent"
    """Handed over. Final."""
    DEFERRED = "deferred"
    """Could not be decided or delivered now; tried again."""
    FAILED = "failed"
    """Refused for good. Final."""
    IN_DOUBT = "in_doubt"
    """It may have gone out, or not. Never sent again by itself."""
    CANCELLED = "cancelled"
    """Taken back in time. Final."""
    PAUSED = "paused"
    """Stopped by a person, this row alone."""


class OutboxStep(StrEnum):
    """What can happen to a row."""

    CLAIM = "claim"
    SENT = "sent"
    DEFER = "defer"
    QUESTION = "question"
    REFUSE = "refuse"
    DOUBT = "doubt"
    APPROVE = "approve"
    REJECT = "reject"
    CANCEL = "cancel"
    PAUSE = "pause"
    RESUME = "resume"
    RESOLVE_SENT = "resolve_sent"
    RESOLVE_FAILED = "resolve_failed"


_S, _E = OutboxState, OutboxStep

TRANSITIONS = MappingProxyType(
    {
        (_S.HELD, _E.CLAIM): _S.SENDING,
        (_S.RELEASED, _E.CLAIM): _S.SENDING,
        (_S.DEFERRED, _E.CLAIM): _S.SENDING,
        (_S.SENDING, _E.SENT): _S.SENT,
        (_S.SENDING, _E.DEFER): _S.DEFERRED,
        (_S.SENDING, _E.QUESTION): _S.REVIEW,
        (_S.SENDING, _E.REFUSE): _S.FAILED,
        (_S.SENDING, _E.DOUBT): _S.IN_DOUBT,
        (_S.REVIEW, _E.APPROVE): _S.RELEASED,
        (_S.REVIEW, _E.REJECT): _S.FAILED,
        (_S.HELD, _E.PAUSE): _S.PAUSED,
        (_S.RELEASED, _E.PAUSE): _S.PAUSED,
        (_S.DEFERRED, _E.PAUSE): _S.PAUSED,
        (_S.PAUSED, _E.RESUME): _S.HELD,
        (_S.HELD, _E.CANCEL): _S.CANCELLED,
        (_S.REVIEW, _E.CANCEL): _S.CANCELLED,
        (_S.RELEASED, _E.CANCEL): _S.CANCELLED,
        (_S.DEFERRED, _E.CANCEL): _S.CANCELLED,
        (_S.PAUSED, _E.CANCEL): _S.CANCELLED,
        (_S.IN_DOUBT, _E.RESOLVE_SENT): _S.SENT,
        (_S.IN_DOUBT, _E.RESOLVE_FAILED): _S.FAILED,
    }
)
"""(state, step) to the state it leads to. What is not here cannot happen."""

FINAL = frozenset(_S) - {state for state, _ in TRANSITIONS}
"""States that nothing leads out of."""

CLAIMABLE = frozenset(state for state, step in TRANSITIONS if step is _E.CLAIM)
"""States from which a relay takes rows."""


def follow(state: OutboxState, step: OutboxStep, *, key: str) -> OutboxState:
    """The state after a step.

    Raises:
        TransitionRefusedError: no such step leads out of that state.
    """
    after = TRANSITIONS.get((state, step))
    if after is None:
        raise TransitionRefusedError(
            f"The outbox row is {state.value}; {step.value} does not lead from there.",
            hint="See the table in docs/ledger-and-relay.md.",
            key=key,
            state=state.value,
            step=step.value,
        )
    return after
