"""Rows under the hands of relays and people."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sluis.core import ClockWentBackwardsError
from sluis.evals.desk import TEXT, Desk
from sluis.ledger import (
    Claim,
    ClaimLostError,
    OutboxState,
    OutboxStep,
    TransitionRefusedError,
    UnknownRowError,
    VaultDamagedError,
)
from sluis.ledger.outbox import LEASE_SECONDS


def _claimed(desk: Desk) -> Claim:
    """A row, admitted and claimed once its hold has ended."""
    desk.admit()
    desk.clock.advance(91)
    claim = desk.ledger.outbox.claim()
    assert claim is not None
    return claim


def test_nothing_is_claimed_before_its_hold_has_ended(desk: Desk) -> None:
    desk.admit()
    desk.clock.advance(89)
    assert desk.ledger.outbox.claim() is None
    desk.clock.advance(1)
    assert desk.ledger.outbox.claim() is not None


def test_a_claim_holds_permit_and_bytes_and_shows_neither(desk: Desk) -> None:
    claim = _claimed(desk)
    assert claim.data == TEXT
    assert claim.envelope == desk.ledger.outbox.envelope(claim.row.key)
    assert claim.row.state is OutboxState.SENDING
    assert repr(claim) == f"Claim(key={claim.row.key!r})"


def test_a_row_is_claimed_once(desk: Desk) -> None:
    _claimed(desk)
    assert desk.ledger.outbox.claim() is None


def test_the_row_that_is_due_longest_goes_first(desk: Desk) -> None:
    first = desk.admit("a.md")
    desk.clock.advance(1)
    desk.admit("b.md")
    desk.clock.advance(91)
    claim = desk.ledger.outbox.claim()
    assert claim is not None
    assert claim.row.key == first


def test_nothing_is_claimed_while_everything_is_paused(desk: Desk) -> None:
    key = desk.admit()
    desk.clock.advance(91)
    desk.ledger.control.pause("audit", "t.voorbeeld")
    assert desk.ledger.outbox.claim() is None
    assert desk.ledger.outbox.get(key).state is OutboxState.HELD
    desk.ledger.control.resume("t.voorbeeld")
    assert desk.ledger.outbox.claim() is not None


def test_a_row_whose_lease_has_ended_is_in_doubt_and_stays_there(desk: Desk) -> None:
    claim = _claimed(desk)
    desk.clock.advance(LEASE_SECONDS)
    assert desk.ledger.outbox.claim() is None
    row = desk.ledger.outbox.get(claim.row.key)
    assert (row.state, row.reason) == (OutboxState.IN_DOUBT, "lease_ended")
    with pytest.raises(ClaimLostError):
        desk.ledger.outbox.settle(claim, OutboxStep.SENT, reason="sent")
    desk.clock.advance(10_000)
    assert desk.ledger.outbox.claim() is None


def test_a_claim_past_its_lease_is_worth_nothing_before_anyone_has_looked(desk: Desk) -> None:
    claim = _claimed(desk)
    desk.ledger.outbox.require_claim(claim)
    desk.clock.advance(LEASE_SECONDS)
    with pytest.raises(ClaimLostError):
        desk.ledger.outbox.require_claim(claim)


def test_a_claim_is_worth_nothing_while_everything_is_paused(desk: Desk) -> None:
    claim = _claimed(desk)
    desk.ledger.control.pause("audit", "t.voorbeeld")
    with pytest.raises(ClaimLostError, match="paused"):
        desk.ledger.outbox.require_claim(claim)


def test_a_deferred_row_is_due_again_after_its_wait(desk: Desk) -> None:
    claim = _claimed(desk)
    desk.ledger.outbox.settle(claim, OutboxStep.DEFER, reason="smtp_421", retry_in=30)
    assert desk.ledger.outbox.claim() is None
    desk.clock.advance(30)
    again = desk.ledger.outbox.claim()
    assert again is not None
    assert (again.row.key, again.row.attempts) == (claim.row.key, 2)


def test_a_settled_claim_settles_nothing_more(desk: Desk) -> None:
    claim = _claimed(desk)
    desk.ledger.outbox.settle(claim, OutboxStep.SENT, reason="sent")
    with pytest.raises(ClaimLostError):
        desk.ledger.outbox.settle(claim, OutboxStep.DEFER, reason="again", retry_in=1)


@pytest.mark.parametrize("step", [OutboxStep.CLAIM, OutboxStep.APPROVE, OutboxStep.CANCEL, OutboxStep.RESOLVE_SENT])
def test_a_relay_cannot_take_a_step_that_is_not_its_own(step: OutboxStep, desk: Desk) -> None:
    claim = _claimed(desk)
    with pytest.raises(TransitionRefusedError):
        desk.ledger.outbox.settle(claim, step, reason="x")


# What a person does to a row in review, and where it ends.
WORDS = {
    "approve": (OutboxStep.APPROVE, OutboxState.RELEASED),
    "reject": (OutboxStep.REJECT, OutboxState.FAILED),
    "cancel": (OutboxStep.CANCEL, OutboxState.CANCELLED),
}


@pytest.mark.parametrize("word", WORDS)
def test_a_row_in_review_goes_where_a_person_says(word: str, desk: Desk) -> None:
    step, after = WORDS[word]
    claim = _claimed(desk)
    desk.ledger.outbox.settle(claim, OutboxStep.QUESTION, reason="withdrawn")
    row = desk.ledger.outbox.decide(claim.row.key, step, who="t.voorbeeld", reason="gezien")
    assert row.state is after
    said = desk.ledger.events.of(claim.row.key)[-1]
    assert (said.data["who"], said.data["reason"]) == ("t.voorbeeld", "gezien")
    with pytest.raises(TransitionRefusedError):
        desk.ledger.outbox.decide(claim.row.key, step, who="t.voorbeeld", reason="nog eens")


@pytest.mark.parametrize(("sent", "state"), [(True, OutboxState.SENT), (False, OutboxState.FAILED)])
def test_a_row_in_doubt_ends_by_the_word_of_a_person(sent: bool, state: OutboxState, desk: Desk) -> None:
    key = desk.admit()
    desk.clock.advance(91)
    desk.ledger.outbox.claim()
    desk.clock.advance(LEASE_SECONDS)
    desk.ledger.outbox.claim()
    assert desk.ledger.outbox.resolve(key, sent=sent, who="t.voorbeeld", reason="gebeld").state is state


def test_a_row_is_paused_alone_and_goes_on(desk: Desk) -> None:
    paused, other = desk.admit("a.md"), desk.admit("b.md")
    desk.ledger.outbox.decide(paused, OutboxStep.PAUSE, who="t.voorbeeld", reason="even wachten")
    desk.clock.advance(91)
    claim = desk.ledger.outbox.claim()
    assert claim is not None
    assert claim.row.key == other
    assert desk.ledger.outbox.claim() is None
    desk.ledger.outbox.decide(paused, OutboxStep.RESUME, who="t.voorbeeld", reason="verder")
    again = desk.ledger.outbox.claim()
    assert again is not None
    assert again.row.key == paused


def test_what_a_relay_has_claimed_cannot_be_taken_back(desk: Desk) -> None:
    key = desk.admit()
    desk.clock.advance(91)
    desk.ledger.outbox.claim()
    with pytest.raises(TransitionRefusedError):
        desk.ledger.outbox.cancel(key, who="t.voorbeeld", reason="te laat")


def test_rows_are_listed_by_state(desk: Desk) -> None:
    first, second = desk.admit("a.md"), desk.admit("b.md")
    desk.ledger.outbox.cancel(first, who="t.voorbeeld", reason="vergissing")
    assert [row.key for row in desk.ledger.outbox.list(state=OutboxState.HELD)] == [second]
    assert len(desk.ledger.outbox.list()) == 2
    assert desk.ledger.outbox.get(second).to_json()["state"] == "held"


def test_a_row_that_is_not_there_is_said_to_be_so(desk: Desk) -> None:
    for ask in (desk.ledger.outbox.get, desk.ledger.outbox.envelope):
        with pytest.raises(UnknownRowError) as refused:
            ask("out_x")
        assert refused.value.subject == {"key": "out_x"}


def test_a_clock_that_went_backwards_changes_nothing(desk: Desk) -> None:
    key = desk.admit()
    desk.clock.advance(91)
    desk.clock.step(-500)
    with pytest.raises(ClockWentBackwardsError):
        desk.ledger.outbox.decide(key, OutboxStep.PAUSE, who="t.voorbeeld", reason="x")
    assert desk.ledger.outbox.get(key).state is OutboxState.HELD


def test_damaged_bytes_are_not_handed_to_a_relay(desk: Desk, tamper: Callable[..., None]) -> None:
    key = desk.admit()
    desk.clock.advance(91)
    tamper("UPDATE objects SET data = ? WHERE digest = ?", (b"other", desk.ledger.outbox.get(key).payload))
    with pytest.raises(VaultDamagedError):
        desk.ledger.outbox.claim()
    assert desk.ledger.outbox.get(key).state is OutboxState.HELD
