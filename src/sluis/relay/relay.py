"""The relay: looks at every due row again, and hands over what still holds.

For each row, in this order: 1 nothing is paused; 2 the row is claimed, alone; 3 to 6 are those of
:mod:`sluis.relay.recheck`; 7 the transport, which verifies permit and claim once more. Whatever is not a clear yes
ends elsewhere: a definite no in ``review`` or ``failed``, anything that could not be told in ``deferred`` until the
permit ends, and what may have gone out without an answer in ``in_doubt``.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sluis.core import ActionKind, Clock, Manifest, RefusedError, SluisError, SourceGateway
from sluis.ledger import Claim, ClaimLostError, Ledger, OutboxRow, OutboxState, OutboxStep
from sluis.permits import Keyring, Permit

from .errors import WrongTransportError
from .recheck import (
    HOLDS,
    Answer,
    Refusal,
    Undecided,
    chunks_admissible,
    citations_live,
    day_for,
    manifest_allows,
    permit_of,
)
from .transport import Ending, Transport

_LOG = logging.getLogger(__name__)

FIRST_RETRY_S = 30.0
LAST_RETRY_S = 900.0
"""Bounds of the wait after a deferral; it doubles with each attempt."""

_STEPS = {
    Ending.SENT: OutboxStep.SENT,
    Ending.DEFERRED: OutboxStep.DEFER,
    Ending.FAILED: OutboxStep.REFUSE,
    Ending.IN_DOUBT: OutboxStep.DOUBT,
}


@dataclass(frozen=True, kw_only=True)
class Delivery:
    """What became of one row in one pass.

    Attributes:
        key: of the row.
        run_id: of its run.
        kind: of the action.
        recipient: of the action.
        state: of the row, now.
        reason: why, as a stable code; ``sent`` when it went out.
        attempts: how often it was claimed.
    """

    key: str
    run_id: str
    kind: ActionKind
    recipient: str
    state: OutboxState
    reason: str
    attempts: int

    @classmethod
    def of(cls, row: OutboxRow) -> Delivery:
        """Of a row as settled."""
        return cls(
            key=row.key,
            run_id=row.run_id,
            kind=row.kind,
            recipient=row.recipient,
            state=row.state,
            reason=row.reason,
            attempts=row.attempts,
        )

    def to_json(self) -> dict[str, Any]:
        """As the command line shows it."""
        return {
            "key": self.key,
            "run_id": self.run_id,
            "kind": self.kind.value,
            "recipient": self.recipient,
            "state": self.state.value,
            "reason": self.reason,
            "attempts": self.attempts,
        }


class Relay:
    """Passes over the outbox of one ledger. Several relays may share a ledger.

    Args:
        ledger: outbox, register, runs, pause.
        keyring: the relay's own public keys.
        transports: the way out for each kind of action.
        sources: the live sources.
        manifest: gives the deploy manifest in force; asked for each row.
        clock: the time.

    Raises:
        WrongTransportError: a transport stands under a kind that it does not serve.
    """

    def __init__(
        self,
        ledger: Ledger,
        keyring: Keyring,
        transports: Mapping[ActionKind, Transport],
        sources: SourceGateway,
        manifest: Callable[[], Manifest],
        clock: Clock,
    ) -> None:
        for kind, transport in transports.items():
            if transport.kind is not kind:
                raise WrongTransportError(f"A transport for {transport.kind.value} stands under {kind.value}.")
        self._ledger = ledger
        self._keyring = keyring
        self._transports = dict(transports)
        self._sources = sources
        self._manifest = manifest
        self._clock = clock

    def run_once(self, *, limit: int = 1000) -> tuple[Delivery, ...]:
        """One pass: every row that is due, each once.

        Args:
            limit: at most so many rows, so that a pass ends.

        Returns:
            What became of each row that was claimed, in that order; empty while paused.

        Raises:
            ClockWentBackwardsError, LedgerBusyError, LedgerUnavailableError: nothing can be judged; rows stay held.
            VaultDamagedError: a row's bytes are not what was admitted.
        """
        done: list[Delivery] = []
        while len(done) < limit:
            if self._ledger.control.paused() is not None:  # step 1
                break
            claim = self._ledger.outbox.claim()  # step 2
            if claim is None:
                break
            done.append(self._one(claim))
        return tuple(done)

    async def arun_once(self, *, limit: int = 1000) -> tuple[Delivery, ...]:
        """:meth:`run_once` in a thread of its own; once begun, a pass is not broken off by cancelling."""
        return await asyncio.to_thread(self.run_once, limit=limit)

    def _one(self, claim: Claim) -> Delivery:
        try:
            answer = self._rechecked(claim)
        except Exception as error:  # noqa: BLE001 - nothing went out yet, and the claim has to be given back
            answer = _undecided(error)
        if isinstance(answer, Refusal):
            step = OutboxStep.REFUSE if answer.final else OutboxStep.QUESTION
            return self._settle(claim, step, answer.reason)
        if isinstance(answer, Undecided):
            return self._settle(claim, OutboxStep.DEFER, answer.reason)
        return self._hand_over(claim)

    def _rechecked(self, claim: Claim) -> Answer:
        """Steps 3 to 6; the first that does not hold decides."""
        now = self._clock.now()
        permit = permit_of(claim, self._keyring, now)
        if not isinstance(permit, Permit):
            return permit
        manifest = self._manifest()
        request = self._ledger.runs.get(permit.run_id).request
        day = day_for(permit, manifest, now)
        steps: tuple[Callable[[], Answer], ...] = (
            lambda: manifest_allows(permit, manifest),
            lambda: chunks_admissible(permit, request, self._ledger.register, day=day),
            lambda: citations_live(permit, self._sources),
        )
        for step in steps:
            answer = step()
            if answer != HOLDS:
                return answer
        return HOLDS

    def _hand_over(self, claim: Claim) -> Delivery:
        """Step 7."""
        transport = self._transports.get(claim.row.kind)
        if transport is None:
            return self._settle(claim, OutboxStep.DEFER, "no_transport")
        try:
            handover = transport.deliver(claim, claim.envelope, claim.data)
        except ClaimLostError:
            paused = self._ledger.control.paused() is not None
            return self._settle(claim, OutboxStep.DEFER, "paused" if paused else "claim_lost")
        except SluisError as error:
            # The transport's guard said no; nothing was sent. What it is will be seen by the next pass's own steps.
            return self._settle(claim, OutboxStep.DEFER, _reason(error))
        return self._settle(claim, _STEPS[handover.ending], handover.reason)

    def _settle(self, claim: Claim, step: OutboxStep, reason: str) -> Delivery:
        retry = self._retry_in(claim) if step is OutboxStep.DEFER else None
        try:
            return Delivery.of(self._ledger.outbox.settle(claim, step, reason=reason, retry_in=retry))
        except ClaimLostError:
            # Another pass has found the lease ended and put the row in doubt; that stands.
            _LOG.warning("the claim on %s was lost before it could be settled as %s", claim.row.key, step.value)
            return Delivery.of(self._ledger.outbox.get(claim.row.key))

    def _retry_in(self, claim: Claim) -> float:
        """Seconds: doubled with each attempt, and never past the permit's end by more than a moment."""
        wait = min(FIRST_RETRY_S * 2.0 ** min(claim.row.attempts - 1, 10), LAST_RETRY_S)
        left = (claim.row.expires_at - self._clock.now()).total_seconds()
        return max(1.0, min(wait, left))


def _reason(error: SluisError) -> str:
    return error.code.split(".", 1)[-1].replace(".", "_")


def _undecided(error: Exception) -> Answer:
    """What an error of a re-check means: nothing was decided, unless the guarantee itself said no."""
    if isinstance(error, RefusedError):
        return Refusal(reason=_reason(error))
    if isinstance(error, SluisError):
        return Undecided(reason=_reason(error))
    _LOG.error("a re-check ended in %s", type(error).__name__)
    return Undecided(reason="recheck_error")
