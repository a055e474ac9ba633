"""The ledger: what was asked, written, decided and done. The only thing that is trusted."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from sluis.core import Clock, Ids

from .audit import Fault, LedgerReport, audit
from .control import Control, Pause
from .database import Database
from .errors import (
    AliasConflictError,
    AlreadyActedError,
    AlreadyDecidedError,
    ClaimLostError,
    HandleMismatchError,
    LedgerBusyError,
    LedgerUnavailableError,
    LedgerVersionError,
    NoKeyringError,
    NothingToReleaseError,
    PermitReplayedError,
    PermitUnfoundedError,
    RequestConflictError,
    RoundTakenError,
    ShownMismatchError,
    TransitionRefusedError,
    UnknownObjectError,
    UnknownRegisterCollectionError,
    UnknownReviewError,
    UnknownRowError,
    UnknownRunError,
    VaultDamagedError,
)
from .events import Event, Events
from .outbox import Claim, Outbox, OutboxEntry, OutboxRow, outbox_key
from .register import Register, RegisteredCollection, fingerprint_of, next_marker
from .reviews import DecisionMalformedError, Review, Reviews
from .runs import Run, Runs
from .transitions import TRANSITIONS, OutboxState, OutboxStep
from .vault import Vault

if TYPE_CHECKING:
    from sluis.permits import Keyring


class Ledger:
    """One ledger database. Safe to use from several threads, and from several processes at once.

    Attributes:
        runs: requests and how they ended.
        vault: drafts, evidence, verdicts, payloads.
        reviews: what people decide.
        register: markers, validity, audience, fingerprints, aliases.
        control: pause and resume.
        outbox: what goes out.
        events: the chain.
    """

    def __init__(self, database: Database, *, clock: Clock, ids: Ids, keyring: Keyring | None = None) -> None:
        self._database = database
        self.events = Events(database, clock)
        self.runs = Runs(database, self.events, ids)
        self.vault = Vault(database, self.events)
        self.reviews = Reviews(database, self.events, ids)
        self.register = Register(database, self.events)
        self.control = Control(database, self.events)
        self.outbox = Outbox(database, self.events, clock, ids, keyring)

    @classmethod
    def open(cls, path: Path, *, clock: Clock, ids: Ids, keyring: Keyring | None = None) -> Self:
        """Open a ledger, making or migrating its database when needed.

        Args:
            path: of the database file.
            clock: where the time comes from.
            ids: where fresh identifiers come from.
            keyring: public keys that verify permits; without them nothing is admitted to the outbox.

        Raises:
            LedgerUnavailableError, LedgerBusyError, LedgerVersionError: it cannot be opened.
        """
        return cls(Database(path), clock=clock, ids=ids, keyring=keyring)

    def verify(self, *, noted_head: str | None = None) -> LedgerReport:
        """Prove that the ledger is what was written.

        Args:
            noted_head: a head that was noted elsewhere before; it must stand in the chain.
        """
        return audit(self._database, noted_head=noted_head)

    def close(self) -> None:
        """Give the connections back."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


__all__ = [
    "TRANSITIONS",
    "AliasConflictError",
    "AlreadyActedError",
    "AlreadyDecidedError",
    "Claim",
    "ClaimLostError",
    "Control",
    "DecisionMalformedError",
    "Event",
    "Events",
    "Fault",
    "HandleMismatchError",
    "Ledger",
    "LedgerBusyError",
    "LedgerReport",
    "LedgerUnavailableError",
    "LedgerVersionError",
    "NoKeyringError",
    "NothingToReleaseError",
    "Outbox",
    "OutboxEntry",
    "OutboxRow",
    "OutboxState",
    "OutboxStep",
    "Pause",
    "PermitReplayedError",
    "PermitUnfoundedError",
    "Register",
    "RegisteredCollection",
    "RequestConflictError",
    "Review",
    "Reviews",
    "RoundTakenError",
    "Run",
    "Runs",
    "ShownMismatchError",
    "TransitionRefusedError",
    "UnknownObjectError",
    "UnknownRegisterCollectionError",
    "UnknownReviewError",
    "UnknownRowError",
    "UnknownRunError",
    "Vault",
    "VaultDamagedError",
    "fingerprint_of",
    "next_marker",
    "outbox_key",
]
