"""The switch that stops everything at the relay."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, insert, select

from .database import Database
from .events import Events, moment, stamp
from .schema import control as table

SUBJECT = "relay"


@dataclass(frozen=True, kw_only=True)
class Pause:
    """Everything is stopped: since when, by whom, why."""

    reason: str
    who: str
    at: datetime


def pause_in(connection: Connection) -> Pause | None:
    """The pause in force, within the caller's transaction."""
    row = connection.execute(select(table)).one_or_none()
    return None if row is None else Pause(reason=row.reason, who=row.who, at=moment(row.at))


class Control:
    """The control of a ledger."""

    def __init__(self, database: Database, events: Events) -> None:
        self._database = database
        self._events = events

    def pause(self, reason: str, who: str) -> Pause:
        """Stop everything, for all relays of this ledger; a pause in force stays as it is."""
        with self._database.write() as connection:
            known = pause_in(connection)
            if known is not None:
                return known
            at = self._events.append(connection, "relay.pause", SUBJECT, {"reason": reason, "who": who})
            connection.execute(insert(table).values(id=1, reason=reason, who=who, at=stamp(at)))
        return Pause(reason=reason, who=who, at=at)

    def resume(self, who: str) -> Pause | None:
        """Go on; returns the pause that ended, or ``None`` when there was none."""
        with self._database.write() as connection:
            known = pause_in(connection)
            if known is not None:
                self._events.append(connection, "relay.resume", SUBJECT, {"who": who})
                connection.execute(delete(table))
        return known

    def paused(self) -> Pause | None:
        """The pause in force."""
        with self._database.read() as connection:
            return pause_in(connection)
