"""The switch that stops everything, and the chain."""

from __future__ import annotations

from sluis.core import digest_of
from sluis.evals.desk import Desk
from sluis.ledger.events import GENESIS, chained, stamp


def test_a_pause_in_force_stays_as_it_is(desk: Desk) -> None:
    assert desk.ledger.control.resume("t.voorbeeld") is None
    first = desk.ledger.control.pause("audit", "t.voorbeeld")
    desk.clock.advance(10)
    assert desk.ledger.control.pause("iets anders", "a.ander") == first
    assert desk.ledger.control.paused() == first
    assert desk.ledger.control.resume("a.ander") == first
    assert desk.ledger.control.paused() is None
    assert [event.kind for event in desk.ledger.events.of("relay")] == ["relay.pause", "relay.resume"]


def test_each_event_holds_the_digest_of_the_one_before(desk: Desk) -> None:
    for who in ("a", "b", "c"):
        desk.ledger.control.pause("x", who)
        desk.ledger.control.resume(who)
    events = desk.ledger.events.of("relay")
    assert [event.seq for event in events] == list(range(1, 7))
    prev = GENESIS
    for event in events:
        assert event.prev == prev
        about = chained(event.seq, stamp(event.at), event.kind, event.subject, event.data, event.prev)
        assert event.digest == digest_of(about)
        assert event.to_json() == {**about, "digest": event.digest}
        prev = event.digest
    assert desk.ledger.verify().head == prev


def test_a_small_step_back_of_the_clock_keeps_the_order_of_times(desk: Desk) -> None:
    desk.ledger.control.pause("x", "a")
    desk.clock.step(-1)
    desk.ledger.control.resume("a")
    first, second = desk.ledger.events.of("relay")
    assert second.at == first.at
    assert desk.ledger.verify().faults == ()
