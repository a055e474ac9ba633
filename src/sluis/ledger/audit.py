"""Proves that the ledger is what was written: the chain, and the tables against it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select

from sluis.core import canonical_bytes, digest_bytes, digest_of

from .audit_tables import COMPARISONS, Told
from .database import Database
from .events import GENESIS, chained
from .schema import event_head, events, objects


@dataclass(frozen=True, kw_only=True)
class Fault:
    """One thing that is not as it was written.

    Attributes:
        kind: ``edited``, ``gap``, ``reordered``, ``truncated``, ``head``, ``noted_head``, ``object``, or one of
            :mod:`sluis.ledger.audit_tables`: ``row``, ``permit``, ``request``, ``outcome``, ``review``, ``marker``,
            ``alias``, ``pause``.
        where: event number, row key, run, review, source, alias or digest.
        message: for a person.
    """

    kind: str
    where: str
    message: str


@dataclass(frozen=True, kw_only=True)
class LedgerReport:
    """What was looked at and what was found.

    Attributes:
        events: how many.
        head: digest of the last one; note it elsewhere from time to time, for it proves what came before.
        objects: how many objects of the vault were hashed.
        faults: empty when the ledger is what was written.
    """

    events: int
    head: str
    objects: int
    faults: tuple[Fault, ...]

    def to_json(self) -> dict[str, Any]:
        """As the command line shows it."""
        return {
            "events": self.events,
            "head": self.head,
            "objects": self.objects,
            "faults": [{"kind": item.kind, "where": item.where, "message": item.message} for item in self.faults],
        }


class _Chain:
    """The walk along the chain."""

    def __init__(self) -> None:
        self.count = 0
        self.digest = GENESIS
        self.told = Told()
        self.digests = {GENESIS}
        self._time = ""

    def walk(self, connection: Connection) -> Iterator[Fault]:
        for row in connection.execute(select(events).order_by(events.c.seq)):
            if row.seq != self.count + 1:
                yield Fault(kind="gap", where=str(row.seq), message=f"After event {self.count} comes {row.seq}.")
            if row.prev != self.digest:
                yield Fault(
                    kind="reordered", where=str(row.seq), message="It does not follow from the event before it."
                )
            try:
                data = json.loads(row.data)
                made = digest_of(chained(row.seq, row.at, row.kind, row.subject, data, row.prev))
                edited = made != row.digest or canonical_bytes(data).decode() != row.data or row.at < self._time
            except ValueError:
                data, edited = {}, True
            if edited or not isinstance(data, dict):
                yield Fault(kind="edited", where=str(row.seq), message="Its content does not have its digest.")
            self.count, self.digest, self._time = row.seq, row.digest, row.at
            self.digests.add(row.digest)
            self.told.note(row.kind, row.subject, data if isinstance(data, dict) else {})


def audit(database: Database, *, noted_head: str | None = None) -> LedgerReport:
    """Walk the whole ledger; ``noted_head``, when given, must be the digest of one of its events."""
    with database.read() as connection:
        chain = _Chain()
        faults = list(chain.walk(connection))
        faults += _head(connection, chain)
        if noted_head is not None and noted_head not in chain.digests:
            message = "The head that was noted does not stand in the chain."
            faults.append(Fault(kind="noted_head", where=noted_head, message=message))
        for compare in COMPARISONS:
            faults += [
                Fault(kind=kind, where=where, message=message)
                for kind, where, message in compare(connection, chain.told)
            ]
        counted, damaged = _objects(connection)
    return LedgerReport(events=chain.count, head=chain.digest, objects=counted, faults=(*faults, *damaged))


def _head(connection: Connection, chain: _Chain) -> Iterator[Fault]:
    head = connection.execute(select(event_head)).one_or_none()
    if head is None:
        if chain.count:
            yield Fault(kind="head", where="0", message="The head of the chain is missing.")
    elif head.seq > chain.count:
        message = f"The chain should reach event {head.seq} and ends at {chain.count}."
        yield Fault(kind="truncated", where=str(chain.count), message=message)
    elif (head.seq, head.digest) != (chain.count, chain.digest):
        yield Fault(kind="head", where=str(head.seq), message="The head is not the digest of the last event.")


def _objects(connection: Connection) -> tuple[int, list[Fault]]:
    counted = 0
    damaged: list[Fault] = []
    for row in connection.execute(select(objects).order_by(objects.c.digest)):
        counted += 1
        if digest_bytes(bytes(row.data)) != row.digest:
            damaged.append(Fault(kind="object", where=row.digest, message="The object does not have its digest."))
    return counted, damaged
