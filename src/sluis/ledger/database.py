"""Connections and transactions. The only module that knows which database it is.

Every write runs in one transaction that takes the write lock at its start: what it read is what it changes.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, create_engine, event, exc, inspect, text

from .errors import LedgerBusyError, LedgerUnavailableError, LedgerVersionError

HEAD = "0001"
"""Revision of the schema that this version writes."""

_WRITES = "sluis_writes"
_BUSY_MS = 10_000


class Database:
    """A database file.

    Args:
        path: made when needed, with its folder; only its owner may read it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            path.touch(mode=0o600, exist_ok=True)
        except OSError as error:
            raise LedgerUnavailableError(
                f"Cannot make the ledger {path}: {error.strerror}.", hint="Check the folder's rights.", path=str(path)
            ) from error
        self._engine = create_engine(f"sqlite:///{path}", connect_args={"timeout": _BUSY_MS / 1000})
        event.listen(self._engine, "connect", _configure)
        event.listen(self._engine, "begin", _begin)
        self._migrate()

    def close(self) -> None:
        """Give the connections back."""
        self._engine.dispose()

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A consistent view.

        Raises:
            LedgerUnavailableError: the database does not answer.
        """
        with self._translated(), self._engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """One transaction that holds the write lock; an exception undoes all of it.

        Raises:
            LedgerBusyError: another process holds the lock for more than ten seconds.
            LedgerUnavailableError: the database does not answer.
        """
        with self._translated(), self._engine.connect() as connection:
            marked = connection.execution_options(**{_WRITES: True})
            with marked.begin():
                yield marked

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except exc.IntegrityError:
            raise
        except exc.DBAPIError as error:
            if "locked" in str(error.orig):
                raise LedgerBusyError(
                    "Another process holds the ledger.",
                    hint="Try again; look for a hanging process.",
                    path=str(self._path),
                ) from error
            raise LedgerUnavailableError(
                f"The ledger {self._path} did not do what was asked ({type(error.orig).__name__}).",
                hint="Look at the file and its disk; nothing was changed.",
                path=str(self._path),
            ) from error

    def _migrate(self) -> None:
        with self.read() as connection:
            if _revision(connection) == HEAD:
                return
        with self.write() as connection:
            found = _revision(connection)
            if found == HEAD:
                return
            if found is not None:
                raise LedgerVersionError(
                    f"The ledger {self._path} has the schema {found}; this version knows {HEAD}.",
                    hint="Use the version of sluis that wrote it, or a later one.",
                    path=str(self._path),
                )
            upgrade(connection)


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def upgrade(connection: Connection) -> None:
    """Bring the schema to :data:`HEAD` within the connection's own transaction."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, HEAD)


def _configure(connection: sqlite3.Connection, _: Any) -> None:
    # SQLAlchemy, not the driver, says where a transaction begins.
    connection.isolation_level = None
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", f"busy_timeout={_BUSY_MS}"):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get(_WRITES) is True
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
