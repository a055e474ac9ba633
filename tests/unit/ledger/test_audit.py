"""What `sluis ledger verify` finds, when somebody has changed the database behind the ledger's back."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sluis.core import Marker, Outcome, OutcomeStatus, digest_text
from sluis.evals.desk import Desk

# What was done, and the kinds of fault that must be found. KEY, RUN, REVIEW and MAX are filled in.
DONE: dict[str, tuple[tuple[str, ...], set[str]]] = {
    "an event's words": (("UPDATE events SET data = '{}' WHERE seq = 2",), {"edited"}),
    "an event's words, as no object": (("UPDATE events SET data = '[]' WHERE seq = 2",), {"edited"}),
    "an event's words, as no JSON": (("UPDATE events SET data = 'x' WHERE seq = 2",), {"edited"}),
    "an event's words, with other spaces": (("UPDATE events SET data = data || ' ' WHERE seq = 2",), {"edited"}),
    "an event's kind": (("UPDATE events SET kind = 'run.other' WHERE seq = 2",), {"edited"}),
    "an event's time": (("UPDATE events SET at = '2020-01-01T00:00:00.000000+00:00' WHERE seq = 3",), {"edited"}),
    "an event is gone": (("DELETE FROM events WHERE seq = 2",), {"gap", "reordered"}),
    "two events have changed places": (
        (
            "UPDATE events SET seq = 900 WHERE seq = 2",
            "UPDATE events SET seq = 2 WHERE seq = 3",
            "UPDATE events SET seq = 3 WHERE seq = 900",
        ),
        {"edited", "reordered"},
    ),
    "the last event is gone": (("DELETE FROM events WHERE seq = MAX",), {"truncated"}),
    "all events are gone": (("DELETE FROM events",), {"truncated"}),
    "the head is another": (("UPDATE event_head SET digest = 'sha256:0'",), {"head"}),
    "the head is gone": (("DELETE FROM event_head",), {"head"}),
    "a row's state": (("UPDATE outbox SET state = 'released' WHERE key = 'KEY'",), {"row"}),
    "a row's bytes": (("UPDATE outbox SET payload = 'sha256:0' WHERE key = 'KEY'",), {"row"}),
    "a row's recipient": (("UPDATE outbox SET recipient = 'eve.md' WHERE key = 'KEY'",), {"row"}),
    "a row's kind": (("UPDATE outbox SET kind = 'mail' WHERE key = 'KEY'",), {"row"}),
    "a row's kind, as none": (("UPDATE outbox SET kind = 'pigeon' WHERE key = 'KEY'",), {"row"}),
    "a row's permit": (("UPDATE outbox SET permit_id = 'permit_eve' WHERE key = 'KEY'",), {"permit"}),
    "a row is gone": (("DELETE FROM outbox WHERE key = 'KEY'",), {"row"}),
    "a permit can be used again": (("DELETE FROM permits WHERE key = 'KEY'",), {"permit"}),
    "a permit is another": (("UPDATE permits SET permit_id = 'permit_eve' WHERE key = 'KEY'",), {"permit"}),
    "a request's recipients": (
        ("UPDATE runs SET request = replace(request, 'answer.md', 'eve.md') WHERE run_id = 'RUN'",),
        {"request"},
    ),
    "a run is gone": (("DELETE FROM runs WHERE run_id = 'RUN'",), {"request"}),
    "an outcome": (("UPDATE runs SET outcome = replace(outcome, 'blocked', 'released')",), {"outcome"}),
    "an outcome is gone": (("UPDATE runs SET outcome = NULL",), {"outcome"}),
    "a decision": (("UPDATE reviews SET decision = 'approve' WHERE review_id = 'REVIEW'",), {"review"}),
    "a decision's words": (("UPDATE reviews SET note = 'akkoord' WHERE review_id = 'REVIEW'",), {"review"}),
    "a decision's list": (("UPDATE reviews SET \"drop\" = 'x' WHERE review_id = 'REVIEW'",), {"review"}),
    "what was shown": (("UPDATE reviews SET shown = 'sha256:0' WHERE review_id = 'REVIEW'",), {"review"}),
    "a decision undone": (("UPDATE reviews SET state = 'pending' WHERE review_id = 'REVIEW'",), {"review"}),
    "a review is gone": (("DELETE FROM reviews WHERE review_id = 'REVIEW'",), {"review"}),
    "a marker": (("UPDATE register_markers SET marker = 'current'",), {"marker"}),
    "a marker is gone": (("DELETE FROM register_markers",), {"marker"}),
    "an alias from nowhere": (("INSERT INTO register_aliases VALUES ('live', 'world-2', '')",), {"alias"}),
    "a pause that nobody made": (("INSERT INTO control VALUES (1, 'x', 'eve', '')",), {"pause"}),
    "an object": (("UPDATE objects SET data = x'00' WHERE digest = (SELECT payload FROM outbox)",), {"object"}),
}


@pytest.fixture
def lived(desk: Desk) -> dict[str, str]:
    """A ledger with some life behind it; the names of what happened."""
    key = desk.admit()
    run_id = desk.ledger.outbox.get(key).run_id
    review = desk.ledger.reviews.open(run_id, digest_text("v"), digest_text("d"), digest_text("s"))
    desk.ledger.reviews.decide(
        review.review_id, decision="reject", shown=digest_text("s"), reviewer="t.voorbeeld", note="onjuist"
    )
    desk.ledger.register.set_marker("ECLI:NL:RBSLUIS:2024:17", Marker.WITHDRAWN, "ingetrokken")
    desk.ledger.control.pause("audit", "t.voorbeeld")
    desk.ledger.control.resume("t.voorbeeld")
    desk.ledger.runs.close(run_id, Outcome(status=OutcomeStatus.BLOCKED, run_id=run_id, reason="withdrawn"))
    return {"KEY": key, "RUN": run_id, "REVIEW": review.review_id, "MAX": str(desk.ledger.verify().events)}


def test_a_ledger_as_it_was_written_has_no_fault(desk: Desk, lived: dict[str, str]) -> None:
    report = desk.ledger.verify()
    assert report.faults == ()
    assert report.to_json() == {"events": report.events, "head": report.head, "objects": report.objects, "faults": []}
    assert report.objects == 2


@pytest.mark.parametrize("what", DONE)
def test_a_change_behind_its_back_is_found(
    what: str, desk: Desk, lived: dict[str, str], tamper: Callable[..., None]
) -> None:
    statements, kinds = DONE[what]
    for name, value in lived.items():
        statements = tuple(statement.replace(name, value) for statement in statements)
    tamper(*statements)
    faults = desk.ledger.verify().faults
    assert kinds <= {fault.kind for fault in faults}
    assert all(fault.where and fault.message for fault in faults)


def test_a_history_that_was_rewritten_as_a_whole_is_found_by_a_head_noted_elsewhere(
    desk: Desk, lived: dict[str, str], tamper: Callable[..., None]
) -> None:
    noted = desk.ledger.verify().head
    assert desk.ledger.verify(noted_head=noted).faults == ()
    desk.ledger.control.pause("later", "t.voorbeeld")
    assert desk.ledger.verify(noted_head=noted).faults == ()
    tables = ("events", "event_head", "runs", "reviews", "outbox", "permits", "objects", "control", "register_markers")
    tamper(*(f"DELETE FROM {table}" for table in tables))
    assert desk.ledger.verify().faults == ()
    assert [fault.kind for fault in desk.ledger.verify(noted_head=noted).faults] == ["noted_head"]


@pytest.mark.parametrize("statement", ["UPDATE events SET kind = 'x'", "DELETE FROM events"])
def test_the_database_itself_refuses_to_change_an_event(statement: str, desk: Desk, lived: dict[str, str]) -> None:
    import sqlite3
    from contextlib import closing

    with (
        closing(sqlite3.connect(desk.folder / "ledger.db")) as connection,
        pytest.raises(sqlite3.IntegrityError, match="append"),
    ):
        connection.execute(statement)
