"""Everything that happened, append-only. Each event holds the digest of the one before."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, insert, select, update

from sluis.core import Clock, ClockWentBackwardsError, canonical_bytes, digest_of

from .database import Database
from .schema import event_head
from .schema import events as table

GENESIS = "sha256:" + "0" * 64
"""``prev`` of the first event."""

TOLERANCE = timedelta(seconds=2)
"""How far behind the last event a clock may read before it counts as gone backwards."""


def stamp(moment: datetime) -> str:
    """A time as the tables hold it."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def moment(text: str) -> datetime:
    """The inverse of :func:`stamp`."""
    return datetime.fromisoformat(text)


@dataclass(frozen=True, kw_only=True)
class Event:
    """One event.

    Attributes:
        seq: from 1, without gaps.
        at: when.
        kind: dotted, ``outbox.claim``.
        subject: what it happened to: a run, a row's key, a source.
        data: plain JSON, digests and ids; never draft text.
        prev: digest of the event before.
        digest: of all of the above.
    """

    seq: int
    at: datetime
    kind: str
    subject: str
    data: dict[str, Any]
    prev: str
    digest: str

    def to_json(self) -> dict[str, Any]:
        """As the command line shows it."""
        return {
            **chained(self.seq, stamp(self.at), self.kind, self.subject, self.data, self.prev),
            "digest": self.digest,
        }


def chained(seq: int, at: str, kind: str, subject: str, data: dict[str, Any], prev: str) -> dict[str, Any]:
    """What an event's digest is taken of."""
    return {"seq": seq, "at": at, "kind": kind, "subject": subject, "data": data, "prev": prev}


class Events:
    """The chain."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def append(self, connection: Connection, kind: str, subject: str, data: dict[str, Any]) -> datetime:
        """Write an event within the caller's transaction; returns its time.

        Raises:
            ClockWentBackwardsError: the clock reads earlier than the last event.
        """
        head = connection.execute(select(event_head)).one_or_none()
        now = self._clock.now()
        seq, prev = 1, GENESIS
        if head is not None:
            last = moment(head.at)
            if now + TOLERANCE < last:
                raise ClockWentBackwardsError(
                    f"The clock reads {now.isoformat()}; the ledger's last event is of {last.isoformat()}.",
                    hint="Correct the machine's time; nothing is changed until it has caught up.",
                )
            now, seq, prev = max(now, last), head.seq + 1, head.digest
        at = stamp(now)
        digest = digest_of(chained(seq, at, kind, subject, data, prev))
        connection.execute(
            insert(table).values(
                seq=seq,
                at=at,
                kind=kind,
                subject=subject,
                data=canonical_bytes(data).decode(),
                prev=prev,
                digest=digest,
            )
        )
        values = {"seq": seq, "at": at, "digest": digest}
        connection.execute(
            insert(event_head).values(id=1, **values) if head is None else update(event_head).values(**values)
        )
        return now

    def of(self, subject: str) -> tuple[Event, ...]:
        """All events of a subject, oldest first."""
        with self._database.read() as connection:
            rows = connection.execute(select(table).where(table.c.subject == subject).order_by(table.c.seq)).all()
        return tuple(
            Event(
                seq=row.seq,
                at=moment(row.at),
                kind=row.kind,
                subject=row.subject,
                data=json.loads(row.data),
                prev=row.prev,
                digest=row.digest,
            )
            for row in rows
        )
