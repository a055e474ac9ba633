"""The outbox: one row an action. A row is written together with the consumption of its permit, or not at all.

States and steps are the table of :mod:`sluis.ledger.transitions`. A relay claims a row, alone, for the time of a
lease; a row whose lease ended is in doubt, for nobody knows whether it went out, and is never sent again by itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Row, insert, select, update

from sluis.core import ActionKind, Clock, Ids

from . import schema
from .admission import OutboxEntry, examine, outbox_key
from .control import pause_in
from .database import Database
from .errors import AlreadyActedError, ClaimLostError, PermitReplayedError, UnknownRowError
from .events import Events, moment, stamp
from .schema import outbox as table
from .transitions import CLAIMABLE, OutboxState, OutboxStep, follow
from .vault import fetch, keep

if TYPE_CHECKING:
    from sluis.permits import Keyring

LEASE_SECONDS = 120.0
"""How long a claim holds; a transport's own time-outs are shorter."""


@dataclass(frozen=True, kw_only=True)
class OutboxRow:
    """A row, without its bytes."""

    key: str
    run_id: str
    permit_id: str
    kind: ActionKind
    recipient: str
    media_type: str
    payload: str
    state: OutboxState
    reason: str
    due_at: datetime
    expires_at: datetime
    attempts: int
    created_at: datetime
    updated_at: datetime

    def to_json(self) -> dict[str, Any]:
        """As the command line shows it."""
        return {
            "key": self.key,
            "run_id": self.run_id,
            "permit_id": self.permit_id,
            "kind": self.kind.value,
            "recipient": self.recipient,
            "media_type": self.media_type,
            "payload": self.payload,
            "state": self.state.value,
            "reason": self.reason,
            "due_at": self.due_at.isoformat(),
            "expires_at": self.expires_at.isoformat(),
            "attempts": self.attempts,
            "created_at": self.created_at.isoformat(),
            "updated_at": self.updated_at.isoformat(),
        }


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One relay's sole hold on a row, with what it needs to hand it over.

    Attributes:
        row: as claimed.
        token: what the ledger knows the claim by; worth nothing without the ledger.
        lease_until: when it ends.
        envelope: the permit.
        data: the exact bytes.
    """

    row: OutboxRow
    token: str
    lease_until: datetime
    envelope: bytes
    data: bytes

    def __repr__(self) -> str:
        return f"Claim(key={self.row.key!r})"


def _row(row: Row[Any]) -> OutboxRow:
    return OutboxRow(
        key=row.key,
        run_id=row.run_id,
        permit_id=row.permit_id,
        kind=ActionKind(row.kind),
        recipient=row.recipient,
        media_type=row.media_type,
        payload=row.payload,
        state=OutboxState(row.state),
        reason=row.reason,
        due_at=moment(row.due_at),
        expires_at=moment(row.expires_at),
        attempts=row.attempts,
        created_at=moment(row.created_at),
        updated_at=moment(row.updated_at),
    )


class Outbox:
    """The outbox of a ledger."""

    def __init__(self, database: Database, events: Events, clock: Clock, ids: Ids, keyring: Keyring | None) -> None:
        self._database = database
        self._events = events
        self._clock = clock
        self._ids = ids
        self._keyring = keyring

    def admit(self, entries: tuple[OutboxEntry, ...]) -> tuple[str, ...]:
        """Verify and consume the permits and write the rows, all of them or none; returns the rows' keys.

        The steps are those of :mod:`sluis.ledger.admission`.

        Raises:
            NothingToReleaseError, NoKeyringError, UnknownRunError, PermitUnfoundedError, PermitReplayedError,
            AlreadyActedError, and the errors of :mod:`sluis.permits`: nothing was written.
        """
        with self._database.write() as connection:
            examined = examine(connection, entries, self._keyring, self._clock.now())
            keys: list[str] = []
            for entry, permit in examined:
                key = outbox_key(entry.run_id, entry.kind, entry.recipient)
                about = {"permit_id": permit.permit_id, "payload": permit.payload, "to": OutboxState.HELD.value}
                at = stamp(self._events.append(connection, "outbox.admit", key, {**about, "run_id": entry.run_id}))
                keep(connection, entry.payload, at=at)
                connection.execute(
                    insert(schema.permits).values(
                        permit_id=permit.permit_id, key=key, envelope=entry.envelope, consumed_at=at
                    )
                )
                connection.execute(
                    insert(table).values(
                        key=key,
                        run_id=entry.run_id,
                        permit_id=permit.permit_id,
                        kind=entry.kind.value,
                        recipient=entry.recipient,
                        media_type=entry.media_type,
                        payload=permit.payload,
                        state=OutboxState.HELD.value,
                        reason="",
                        due_at=stamp(permit.not_before),
                        expires_at=stamp(permit.expires_at),
                        attempts=0,
                        created_at=at,
                        updated_at=at,
                    )
                )
                keys.append(key)
        return tuple(keys)

    def keys_of(self, run_id: str) -> tuple[str, ...]:
        """Keys of a run's rows, in the order they were written."""
        query = select(table.c.key).where(table.c.run_id == run_id).order_by(table.c.created_at, table.c.key)
        with self._database.read() as connection:
            return tuple(connection.execute(query).scalars())

    def get(self, key: str) -> OutboxRow:
        """A row.

        Raises:
            UnknownRowError: there is none of that key.
        """
        with self._database.read() as connection:
            return _row(_find(connection, key))

    def list(self, *, state: OutboxState | None = None) -> tuple[OutboxRow, ...]:
        """All rows, or those in a state, oldest first."""
        query = select(table).order_by(table.c.created_at, table.c.key)
        if state is not None:
            query = query.where(table.c.state == state.value)
        with self._database.read() as connection:
            return tuple(_row(row) for row in connection.execute(query))

    def envelope(self, key: str) -> bytes:
        """The permit of a row.

        Raises:
            UnknownRowError: there is none of that key.
        """
        with self._database.read() as connection:
            _find(connection, key)
            return _envelope(connection, key)

    def claim(self) -> Claim | None:
        """Take the row that has been due longest, alone; ``None``: nothing is due, or everything is paused.

        Rows whose lease has ended become ``in_doubt`` first.

        Raises:
            ClockWentBackwardsError: due times cannot be judged.
            VaultDamagedError: the bytes are not what was admitted; the row stays where it was.
        """
        with self._database.write() as connection:
            now = self._clock.now()
            self._doubt(connection, now)
            if pause_in(connection) is not None:
                return None
            due = (
                select(table)
                .where(table.c.state.in_(sorted(CLAIMABLE)), table.c.due_at <= stamp(now))
                .order_by(table.c.due_at, table.c.key)
                .limit(1)
            )
            found = connection.execute(due).one_or_none()
            if found is None:
                return None
            token = self._ids.fresh("claim")
            until = now + timedelta(seconds=LEASE_SECONDS)
            row = self._step(
                connection,
                found,
                OutboxStep.CLAIM,
                reason="",
                claim=token,
                lease_until=stamp(until),
                attempts=found.attempts + 1,
            )
            return Claim(
                row=row,
                token=token,
                lease_until=until,
                envelope=_envelope(connection, row.key),
                data=fetch(connection, row.payload),
            )

    def require_claim(self, claim: Claim) -> None:
        """Make sure that a claim holds its row now.

        Raises:
            ClaimLostError: it does not: made up, settled, its lease over, or everything is paused.
        """
        with self._database.read() as connection:
            row = connection.execute(select(table).where(table.c.key == claim.row.key)).one_or_none()
            paused = pause_in(connection)
        if row is None or not _holds(row, claim) or moment(row.lease_until) <= self._clock.now():
            raise _lost(claim)
        if paused is not None:
            raise ClaimLostError("Everything is paused.", hint="`sluis resume` goes on.", key=claim.row.key)

    def settle(self, claim: Claim, step: OutboxStep, *, reason: str, retry_in: float | None = None) -> OutboxRow:
        """Say how a claimed row ended.

        Args:
            claim: the hold on it.
            step: ``sent``, ``defer``, ``question``, ``refuse`` or ``doubt``.
            reason: a stable code.
            retry_in: seconds until it is due again, for ``defer``.

        Raises:
            ClaimLostError: the claim holds the row no longer.
            TransitionRefusedError: not a step out of ``sending``.
        """
        with self._database.write() as connection:
            found = _find(connection, claim.row.key)
            if not _holds(found, claim):
                raise _lost(claim)
            due = {} if retry_in is None else {"due_at": stamp(self._clock.now() + timedelta(seconds=retry_in))}
            return self._step(connection, found, step, reason=reason, claim=None, lease_until=None, **due)

    def decide(self, key: str, step: OutboxStep, *, who: str, reason: str) -> OutboxRow:
        """A person's step on a row: ``approve``, ``reject``, ``cancel``, ``pause``, ``resume``, ``resolve_*``.

        Raises:
            UnknownRowError: there is none of that key.
            TransitionRefusedError: the row is not in a state from which that leads; a claimed row is the relay's.
        """
        with self._database.write() as connection:
            found = _find(connection, key)
            return self._step(connection, found, step, reason=reason, who=who)

    def cancel(self, key: str, *, who: str, reason: str) -> OutboxRow:
        """Take a row back, in time."""
        return self.decide(key, OutboxStep.CANCEL, who=who, reason=reason)

    def resolve(self, key: str, *, sent: bool, who: str, reason: str) -> OutboxRow:
        """A person's word on a row in doubt: it did go out, or it did not."""
        step = OutboxStep.RESOLVE_SENT if sent else OutboxStep.RESOLVE_FAILED
        return self.decide(key, step, who=who, reason=reason)

    def _doubt(self, connection: Connection, now: datetime) -> None:
        over = select(table).where(table.c.state == OutboxState.SENDING.value, table.c.lease_until <= stamp(now))
        for found in connection.execute(over).all():
            self._step(connection, found, OutboxStep.DOUBT, reason="lease_ended", claim=None, lease_until=None)

    def _step(
        self, connection: Connection, found: Row[Any], step: OutboxStep, *, reason: str, who: str = "", **values: Any
    ) -> OutboxRow:
        before = OutboxState(found.state)
        after = follow(before, step, key=found.key)
        about = {"from": before.value, "to": after.value, "reason": reason, "who": who}
        at = self._events.append(connection, f"outbox.{step.value}", found.key, about)
        changed = {"state": after.value, "reason": reason, "updated_at": stamp(at), **values}
        connection.execute(update(table).where(table.c.key == found.key).values(**changed))
        return _row(_find(connection, found.key))


def _find(connection: Connection, key: str) -> Row[Any]:
    row = connection.execute(select(table).where(table.c.key == key)).one_or_none()
    if row is None:
        raise UnknownRowError("The outbox has no such row.", hint="See `sluis outbox list`.", key=key)
    return row


def _envelope(connection: Connection, key: str) -> bytes:
    return bytes(connection.execute(select(schema.permits.c.envelope).where(schema.permits.c.key == key)).scalar_one())


def _holds(row: Row[Any], claim: Claim) -> bool:
    return bool(row.state == OutboxState.SENDING.value and row.claim == claim.token)


def _lost(claim: Claim) -> ClaimLostError:
    return ClaimLostError(
        "This claim does not hold its row.", hint="Only the relay's own, current claim does.", key=claim.row.key
    )


__all__ = [
    "LEASE_SECONDS",
    "AlreadyActedError",
    "Claim",
    "Outbox",
    "OutboxEntry",
    "OutboxRow",
    "PermitReplayedError",
    "outbox_key",
]
