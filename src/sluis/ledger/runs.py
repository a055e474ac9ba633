"""Runs: what was asked, and how it ended."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Row, insert, select, update

from sluis.core import Ids, Outcome, Request, digest_of

from .database import Database
from .errors import RequestConflictError, UnknownRunError
from .events import Events, moment, stamp
from .schema import runs as table


@dataclass(frozen=True, kw_only=True)
class Run:
    """One request on its way.

    Attributes:
        run_id: the ledger's own.
        request: as recorded at the start; the only place from which recipients and audience are read.
        opened_at: when.
    """

    run_id: str
    request: Request
    opened_at: datetime


def _run(row: Row[tuple[str, ...]]) -> Run:
    return Run(run_id=row.run_id, request=Request.from_json(row.request), opened_at=moment(row.opened_at))


class Runs:
    """The runs of a ledger."""

    def __init__(self, database: Database, events: Events, ids: Ids) -> None:
        self._database = database
        self._events = events
        self._ids = ids

    def open(self, request: Request) -> Run:
        """Record a request; the same one again gives the same run.

        Raises:
            RequestConflictError: its id stands for another request.
        """
        digest = digest_of(request)
        with self._database.write() as connection:
            row = connection.execute(select(table).where(table.c.request_id == request.request_id)).one_or_none()
            if row is not None:
                if row.request_digest != digest:
                    raise RequestConflictError(
                        "This request id stands for another request.",
                        hint="Give each request an id of its own.",
                        request_id=request.request_id,
                    )
                return _run(row)
            run_id = self._ids.fresh("run")
            about = {"request": digest, "request_id": request.request_id, "tenant": request.tenant}
            at = self._events.append(connection, "run.open", run_id, about)
            connection.execute(
                insert(table).values(
                    run_id=run_id,
                    request_id=request.request_id,
                    request_digest=digest,
                    request=request.canonical().decode(),
                    opened_at=stamp(at),
                )
            )
        return Run(run_id=run_id, request=request, opened_at=at)

    def get(self, run_id: str) -> Run:
        """A run.

        Raises:
            UnknownRunError: there is none of that id.
        """
        with self._database.read() as connection:
            row = connection.execute(select(table).where(table.c.run_id == run_id)).one_or_none()
        if row is None:
            raise unknown_run(run_id)
        return _run(row)

    def of_request(self, request_id: str) -> Run | None:
        """The run of a request id, if there is one."""
        with self._database.read() as connection:
            row = connection.execute(select(table).where(table.c.request_id == request_id)).one_or_none()
        return None if row is None else _run(row)

    def close(self, run_id: str, outcome: Outcome) -> None:
        """Record how a run ended; a later end replaces an earlier one, and both stay in the events.

        Raises:
            UnknownRunError: there is none of that id.
        """
        with self._database.write() as connection:
            about = {"status": outcome.status.value, "reason": outcome.reason, "outcome": digest_of(outcome)}
            at = self._events.append(connection, "run.close", run_id, about)
            changed = connection.execute(
                update(table)
                .where(table.c.run_id == run_id)
                .values(status=outcome.status.value, outcome=outcome.canonical().decode(), closed_at=stamp(at))
            )
            if changed.rowcount != 1:
                raise unknown_run(run_id)

    def outcome(self, run_id: str) -> Outcome | None:
        """The last end of a run; ``None`` when it has none yet.

        Raises:
            UnknownRunError: there is none of that id.
        """
        with self._database.read() as connection:
            row = connection.execute(select(table.c.outcome).where(table.c.run_id == run_id)).one_or_none()
        if row is None:
            raise unknown_run(run_id)
        return None if row.outcome is None else Outcome.from_json(row.outcome)


def unknown_run(run_id: str) -> UnknownRunError:
    """The error, in the same words everywhere."""
    return UnknownRunError(
        "The ledger knows no such run.", hint="Start the request at the beginning of the graph.", run_id=run_id
    )
