"""What a transport is: the last hand before the outside, which trusts nobody who calls it.

:meth:`Transport.deliver` is the only way in, and cannot be overridden. It takes these steps:

1. The claim holds its row in the ledger now, and nothing is paused.
2. The row and the bytes are those that the ledger has, not those that the caller shows.
3. The permit is good for these bytes, this kind, this recipient and this run, now, and is the row's own.
4. What is left of the lease is longer than a delivery takes, so that nobody takes the row for lost meanwhile.
5. Only then is it sent.
"""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, final

from sluis.core import ActionKind, Clock
from sluis.ledger import Claim, Ledger
from sluis.permits import Keyring, Permit, verify_permit

from .errors import LeaseTooShortError, NotHandedOverError, RowMismatchError, WrongTransportError

_LOG = logging.getLogger(__name__)


class Ending(StrEnum):
    """How an attempt to hand over ended."""

    SENT = "sent"
    """The outside has taken it over."""
    DEFERRED = "deferred"
    """It has not, for certain; trying again may help."""
    FAILED = "failed"
    """It has not, for certain, and never will."""
    IN_DOUBT = "in_doubt"
    """Nobody can tell."""


@dataclass(frozen=True, kw_only=True)
class Handover:
    """The end of one attempt.

    Attributes:
        ending: how.
        reason: a stable code: ``sent``, ``name_taken``, ``smtp_421``, ...
    """

    ending: Ending
    reason: str


@dataclass(frozen=True, kw_only=True)
class Guard:
    """What every transport looks at before it sends: steps 1 to 4.

    Attributes:
        ledger: the claims.
        keyring: the public keys.
        clock: the time.
    """

    ledger: Ledger
    keyring: Keyring
    clock: Clock

    def require(self, claim: Claim, envelope: bytes, payload: bytes, *, kind: ActionKind, seconds: float) -> Permit:
        """Steps 1 to 4; the verified permit.

        Raises:
            ClaimLostError: step 1.
            RowMismatchError: step 2, or the permit is another row's.
            RefusedError: a leaf of it for each step of :func:`sluis.permits.verify_permit`.
            LeaseTooShortError: step 4.
            WrongTransportError: the row is of a kind that this transport does not serve.
        """
        self.ledger.outbox.require_claim(claim)
        row = self.ledger.outbox.get(claim.row.key)
        shown = (claim.row.run_id, claim.row.permit_id, claim.row.kind, claim.row.recipient, claim.row.payload)
        if shown != (row.run_id, row.permit_id, row.kind, row.recipient, row.payload):
            raise RowMismatchError("The claim shows another row than the ledger has.", key=row.key)
        if row.kind is not kind:
            raise WrongTransportError(f"This transport serves {kind.value}, not {row.kind.value}.", key=row.key)
        now = self.clock.now()
        permit = verify_permit(
            envelope, self.keyring, payload=payload, kind=kind, recipient=row.recipient, run_id=row.run_id, now=now
        )
        if permit.permit_id != row.permit_id or permit.payload != row.payload:
            raise RowMismatchError("The permit is good, and it is not this row's.", key=row.key)
        left = (claim.lease_until - now).total_seconds()
        if left < seconds:
            raise LeaseTooShortError(
                f"The claim ends in {left:.0f} s, and a delivery may take {seconds:.0f} s.",
                hint="It is tried again with a claim of its own.",
                key=row.key,
            )
        return permit


class Transport(ABC):
    """Hands one action over. Subclasses say ``kind`` and ``seconds`` and implement :meth:`_send`.

    Args:
        guard: what :meth:`deliver` checks with.
    """

    kind: ClassVar[ActionKind]
    """Which actions it serves."""
    seconds: float = 30.0
    """At most how long :meth:`_send` takes; well below the ledger's lease."""

    def __init__(self, *, guard: Guard) -> None:
        self._guard = guard

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "deliver" in vars(cls):
            raise TypeError(f"{cls.__name__} overrides deliver(), which is the guard of every transport")

    @final
    def deliver(self, claim: Claim, envelope: bytes, payload: bytes) -> Handover:
        """Hand over, if everything that the module's docstring lists holds.

        Args:
            claim: the relay's hold on the row.
            envelope: the permit.
            payload: the exact bytes.

        Returns:
            How it ended. An error of :meth:`_send` that is not :class:`NotHandedOverError` ends ``in_doubt``.

        Raises:
            RefusedError, UndecidedError, WrongTransportError: as :meth:`Guard.require`; nothing went out.
        """
        permit = self._guard.require(claim, envelope, payload, kind=self.kind, seconds=self.seconds)
        try:
            return self._send(permit, envelope, payload, key=claim.row.key)
        except NotHandedOverError as error:
            return Handover(ending=Ending.DEFERRED, reason=error.reason)
        except Exception as error:  # noqa: BLE001 - whatever it was, it may have come after the bytes went out
            # The type alone: what an error of the outside says may quote the message.
            _LOG.error("transport %s ended in %s", type(self).__name__, type(error).__name__)
            return Handover(ending=Ending.IN_DOUBT, reason="transport_error")

    @abstractmethod
    def _send(self, permit: Permit, envelope: bytes, payload: bytes, *, key: str) -> Handover:
        """Send the bytes; :meth:`deliver` has checked everything.

        Raises:
            NotHandedOverError: nothing went out, for certain.
        """
