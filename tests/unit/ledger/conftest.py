from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from sluis.evals.desk import Desk, open_desk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with open_desk(tmp_path) as opened:
        yield opened


@pytest.fixture
def tamper(desk: Desk) -> Callable[..., None]:
    """Changes the database behind the ledger's back, as who holds the file can: triggers do not stop them."""

    def change(*statements: str | tuple[object, ...]) -> None:
        with closing(sqlite3.connect(desk.folder / "ledger.db")) as connection:
            for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
                connection.execute(f"DROP TRIGGER {name}")
            pending: list[str] = []
            for item in statements:
                if isinstance(item, tuple):
                    connection.execute(pending.pop(), item)
                    continue
                for statement in pending:
                    connection.execute(statement)
                pending = [item]
            for statement in pending:
                connection.execute(statement)
            connection.commit()

    return change
