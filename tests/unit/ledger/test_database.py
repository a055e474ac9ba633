"""The file, its schema, and who may write to it at once."""

from __future__ import annotations

import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, inspect

from sluis.core import RandomIds, SystemClock
from sluis.evals.desk import Desk
from sluis.ledger import Claim, Ledger, LedgerBusyError, LedgerUnavailableError, LedgerVersionError
from sluis.ledger import database as database_module
from sluis.ledger.schema import metadata


def _shape(path: Path) -> dict[str, Any]:
    """Tables with their columns, keys, constraints and indexes."""
    engine = create_engine(f"sqlite:///{path}")
    try:
        look = inspect(engine)
        return {
            table: {
                "columns": sorted(
                    (item["name"], str(item["type"]), item["nullable"]) for item in look.get_columns(table)
                ),
                "key": look.get_pk_constraint(table)["constrained_columns"],
                "unique": sorted(item["column_names"] for item in look.get_unique_constraints(table)),
                "indexes": sorted(
                    (str(item["name"]), item["column_names"], item["unique"]) for item in look.get_indexes(table)
                ),
            }
            for table in look.get_table_names()
            if table != "alembic_version"
        }
    finally:
        engine.dispose()


def test_the_migrations_lead_to_the_schema_of_the_code(tmp_path: Path) -> None:
    with Ledger.open(tmp_path / "migrated.db", clock=SystemClock(), ids=RandomIds()):
        pass
    engine = create_engine(f"sqlite:///{tmp_path / 'made.db'}")
    metadata.create_all(engine)
    engine.dispose()
    made = _shape(tmp_path / "made.db")
    assert made.keys() == metadata.tables.keys()
    assert _shape(tmp_path / "migrated.db") == made


def test_only_its_owner_may_read_a_ledger(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "ledger.db"
    with Ledger.open(path, clock=SystemClock(), ids=RandomIds()):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_name_with_percent_signs_and_spaces_is_a_name(tmp_path: Path) -> None:
    path = tmp_path / "100 % zeker" / "het ledger.db"
    with Ledger.open(path, clock=SystemClock(), ids=RandomIds()) as ledger:
        assert ledger.verify().faults == ()
    assert path.exists()


def test_a_ledger_is_opened_again_as_it_was(desk: Desk) -> None:
    key = desk.admit()
    before = desk.ledger.verify()
    with Ledger.open(desk.folder / "ledger.db", clock=desk.clock, ids=RandomIds(), keyring=desk.keyring) as again:
        assert again.outbox.get(key) == desk.ledger.outbox.get(key)
        assert again.verify() == before


def test_a_ledger_of_a_later_version_is_left_alone(desk: Desk, tamper: Callable[..., None]) -> None:
    tamper("UPDATE alembic_version SET version_num = '0999'")
    with pytest.raises(LedgerVersionError) as refused:
        Ledger.open(desk.folder / "ledger.db", clock=desk.clock, ids=RandomIds())
    assert "0999" in refused.value.message
    assert refused.value.exit_code == 2


# What stands where the ledger should be.
IN_THE_WAY: dict[str, Callable[[Path], object]] = {
    "a file that is no database": lambda path: path.write_bytes(b"not a database, and long enough to be looked at" * 9),
    "a folder": lambda path: path.mkdir(),
}


@pytest.mark.parametrize("what", IN_THE_WAY)
def test_what_cannot_be_opened_is_said_with_its_path(what: str, tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    IN_THE_WAY[what](path)
    with pytest.raises(LedgerUnavailableError) as refused:
        Ledger.open(path, clock=SystemClock(), ids=RandomIds())
    assert refused.value.subject == {"path": str(path)}


def test_a_folder_that_is_a_file_is_said_with_its_path(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(LedgerUnavailableError) as refused:
        Ledger.open(tmp_path / "file" / "ledger.db", clock=SystemClock(), ids=RandomIds())
    assert refused.value.hint


def test_a_ledger_that_another_holds_is_busy_and_not_broken(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_module, "_BUSY_MS", 50)
    with (
        Ledger.open(desk.folder / "ledger.db", clock=desk.clock, ids=RandomIds()) as impatient,
        closing(sqlite3.connect(desk.folder / "ledger.db", isolation_level=None)) as other,
    ):
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(LedgerBusyError) as refused:
            impatient.control.pause("x", "t.voorbeeld")
        assert refused.value.retry.value == "later"
        other.execute("ROLLBACK")
        assert impatient.control.paused() is None
        impatient.control.pause("x", "t.voorbeeld")


def test_many_threads_claim_each_row_once(desk: Desk) -> None:
    keys = {desk.admit(f"{number}.md") for number in range(12)}
    desk.clock.advance(91)
    claims: list[Claim] = []

    def work() -> None:
        while (claim := desk.ledger.outbox.claim()) is not None:
            claims.append(claim)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(claims) == 12
    assert {claim.row.key for claim in claims} == keys
    assert desk.ledger.verify().faults == ()


CLAIMS = """
import sys
from datetime import timedelta
from pathlib import Path
from sluis.core import ManualClock, RandomIds
from sluis.evals.desk import START
from sluis.ledger import Ledger
clock = ManualClock(START + timedelta(seconds=100))
with Ledger.open(Path(sys.argv[1]), clock=clock, ids=RandomIds()) as ledger:
    print("ready", flush=True)
    sys.stdin.readline()
    while (claim := ledger.outbox.claim()) is not None:
        print(claim.row.key, flush=True)
"""


def test_two_processes_claim_each_row_once(desk: Desk) -> None:
    keys = {desk.admit(f"{number}.md") for number in range(12)}
    command = [sys.executable, "-c", CLAIMS, str(desk.folder / "ledger.db")]
    workers = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    for worker in workers:
        assert worker.stdout is not None
        assert worker.stdout.readline() == "ready\n"
    for worker in workers:
        assert worker.stdin is not None
        worker.stdin.write("go\n")
        worker.stdin.flush()
    claimed = [line for worker in workers for line in worker.communicate(timeout=60)[0].split()]
    assert [worker.returncode for worker in workers] == [0, 0]
    assert len(claimed) == 12
    assert set(claimed) == keys
    assert desk.ledger.verify().faults == ()
