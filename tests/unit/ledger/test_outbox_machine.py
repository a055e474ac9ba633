"""An outbox under relays, people, clocks and crashes at random, beside a model of it that is a dictionary."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from sluis.core import RandomIds
from sluis.evals.desk import HOLD_S, open_desk
from sluis.ledger import (
    TRANSITIONS,
    AlreadyActedError,
    Claim,
    ClaimLostError,
    Ledger,
    OutboxState,
    OutboxStep,
    TransitionRefusedError,
)
from sluis.ledger.outbox import LEASE_SECONDS

S, E = OutboxState, OutboxStep
picks = st.integers(0, 1_000)
ENDINGS = (E.SENT, E.DEFER, E.QUESTION, E.REFUSE, E.DOUBT)
WORDS = (E.APPROVE, E.REJECT, E.CANCEL, E.PAUSE, E.RESUME, E.RESOLVE_SENT, E.RESOLVE_FAILED)
WAIT_S = 30.0


class OutboxMachine(RuleBasedStateMachine):
    """The states and due times of all rows are known beforehand at each step."""

    def __init__(self) -> None:
        super().__init__()
        self.stack = ExitStack()
        folder = Path(self.stack.enter_context(tempfile.TemporaryDirectory()))
        self.desk = self.stack.enter_context(open_desk(folder))
        self.states: dict[str, OutboxState] = {}
        self.due: dict[str, float] = {}
        self.claims: dict[str, tuple[Claim, float]] = {}
        self.settled: list[Claim] = []
        self.sent_by_claim: list[str] = []
        self.paused = False
        self.head = self.desk.ledger.verify().head

    def teardown(self) -> None:
        try:
            assert self.desk.ledger.verify(noted_head=self.head).faults == ()
            assert len(set(self.sent_by_claim)) == len(self.sent_by_claim)
        finally:
            self.stack.close()

    @property
    def now(self) -> float:
        return self.desk.clock.monotonic()

    def _doubt_what_is_over(self) -> None:
        for key, (claim, until) in list(self.claims.items()):
            if until <= self.now:
                self.states[key] = S.IN_DOUBT
                self.settled.append(claim)
                del self.claims[key]

    @rule()
    def admit(self) -> None:
        key = self.desk.admit(f"{len(self.states)}.md")
        self.states[key], self.due[key] = S.HELD, self.now + HOLD_S

    @rule(seconds=st.sampled_from([1, 29, 31, 91, 119, 121]))
    def time_passes(self, seconds: int) -> None:
        self.desk.clock.advance(seconds)

    @rule()
    def claim(self) -> None:
        claim = self.desk.ledger.outbox.claim()
        self._doubt_what_is_over()
        claimable = {S.HELD, S.RELEASED, S.DEFERRED}
        due = {key for key, state in self.states.items() if state in claimable and self.due[key] <= self.now}
        if self.paused or not due:
            assert claim is None
            return
        assert claim is not None
        assert claim.row.key in due
        assert self.due[claim.row.key] == min(self.due[key] for key in due)
        self.states[claim.row.key] = S.SENDING
        self.claims[claim.row.key] = (claim, self.now + LEASE_SECONDS)

    @precondition(lambda self: self.claims)
    @rule(pick=picks, step=st.sampled_from(ENDINGS))
    def settle(self, pick: int, step: OutboxStep) -> None:
        key = sorted(self.claims)[pick % len(self.claims)]
        claim, _ = self.claims.pop(key)
        retry = WAIT_S if step is E.DEFER else None
        row = self.desk.ledger.outbox.settle(claim, step, reason="x", retry_in=retry)
        assert row.state is TRANSITIONS[S.SENDING, step]
        self.states[key] = row.state
        self.settled.append(claim)
        if step is E.DEFER:
            self.due[key] = self.now + WAIT_S
        if step is E.SENT:
            self.sent_by_claim.append(key)

    @precondition(lambda self: self.settled)
    @rule(pick=picks, step=st.sampled_from(ENDINGS))
    def settle_with_a_claim_that_is_over(self, pick: int, step: OutboxStep) -> None:
        claim = self.settled[pick % len(self.settled)]
        with pytest.raises(ClaimLostError):
            self.desk.ledger.outbox.settle(claim, step, reason="x")

    @precondition(lambda self: self.claims)
    @rule(pick=picks)
    def ask_whether_a_claim_holds(self, pick: int) -> None:
        claim, until = self.claims[sorted(self.claims)[pick % len(self.claims)]]
        try:
            self.desk.ledger.outbox.require_claim(claim)
        except ClaimLostError:
            assert self.paused or until <= self.now
        else:
            assert not self.paused
            assert until > self.now

    @precondition(lambda self: self.states)
    @rule(pick=picks, step=st.sampled_from(WORDS))
    def a_person_decides(self, pick: int, step: OutboxStep) -> None:
        key = sorted(self.states)[pick % len(self.states)]
        after = TRANSITIONS.get((self.states[key], step))
        try:
            row = self.desk.ledger.outbox.decide(key, step, who="t.voorbeeld", reason="x")
        except TransitionRefusedError:
            assert after is None
        else:
            assert row.state is after
            self.states[key] = row.state

    @precondition(lambda self: self.states)
    @rule(pick=picks)
    def act_again_for_the_same_run(self, pick: int) -> None:
        row = self.desk.ledger.outbox.get(sorted(self.states)[pick % len(self.states)])
        entry = self.desk.entry(self.desk.permit(row.run_id))
        with pytest.raises(AlreadyActedError):
            self.desk.ledger.outbox.admit((entry,))

    @rule(on=st.booleans())
    def everything_is_paused_or_goes_on(self, on: bool) -> None:
        if on:
            self.desk.ledger.control.pause("x", "t.voorbeeld")
        else:
            self.desk.ledger.control.resume("t.voorbeeld")
        self.paused = on

    @rule()
    def the_process_dies_and_another_opens_the_ledger(self) -> None:
        self.desk.ledger.close()
        self.desk.ledger = self.stack.enter_context(
            Ledger.open(
                self.desk.folder / "ledger.db", clock=self.desk.clock, ids=RandomIds(), keyring=self.desk.keyring
            )
        )

    @invariant()
    def the_ledger_says_what_the_model_says(self) -> None:
        assert {row.key: row.state for row in self.desk.ledger.outbox.list()} == self.states
        for row in self.desk.ledger.outbox.list(state=S.SENT):
            steps = [event.kind for event in self.desk.ledger.events.of(row.key)]
            assert steps.count("outbox.sent") + steps.count("outbox.resolve_sent") == 1


TestOutboxMachine = OutboxMachine.TestCase
TestOutboxMachine.settings = settings(max_examples=20, stateful_step_count=25, deadline=None)
