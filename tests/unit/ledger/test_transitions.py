"""The table of an outbox row's states, against the words that describe it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sluis.ledger import TRANSITIONS, OutboxState, OutboxStep, TransitionRefusedError
from sluis.ledger.transitions import CLAIMABLE, FINAL, follow

DOCS = Path(__file__).parents[3] / "docs" / "ledger-and-relay.md"
PEOPLE = {
    OutboxStep.APPROVE,
    OutboxStep.REJECT,
    OutboxStep.CANCEL,
    OutboxStep.PAUSE,
    OutboxStep.RESUME,
    OutboxStep.RESOLVE_SENT,
    OutboxStep.RESOLVE_FAILED,
}


@pytest.mark.parametrize("state", OutboxState)
@pytest.mark.parametrize("step", OutboxStep)
def test_a_step_leads_where_the_table_says_or_is_refused(state: OutboxState, step: OutboxStep) -> None:
    after = TRANSITIONS.get((state, step))
    if after is not None:
        assert follow(state, step, key="out_1") is after
        return
    with pytest.raises(TransitionRefusedError) as refused:
        follow(state, step, key="out_1")
    assert refused.value.subject == {"key": "out_1", "state": state.value, "step": step.value}


def test_nothing_leads_out_of_a_final_state() -> None:
    assert {OutboxState.SENT, OutboxState.FAILED, OutboxState.CANCELLED} == FINAL


def test_sent_is_reached_only_by_a_claim_or_by_the_word_of_a_person() -> None:
    ways = {(state, step) for (state, step), after in TRANSITIONS.items() if after is OutboxState.SENT}
    assert ways == {
        (OutboxState.SENDING, OutboxStep.SENT),
        (OutboxState.IN_DOUBT, OutboxStep.RESOLVE_SENT),
    }


def test_what_may_have_gone_out_never_comes_back_to_a_state_that_a_relay_takes_rows_from() -> None:
    reached, todo = set[OutboxState](), [OutboxState.IN_DOUBT]
    while todo:
        state = todo.pop()
        reached.add(state)
        todo += [after for (before, _), after in TRANSITIONS.items() if before is state and after not in reached]
    assert reached.isdisjoint(CLAIMABLE)


def test_from_review_only_a_person_leads_on() -> None:
    assert {step for state, step in TRANSITIONS if state is OutboxState.REVIEW} <= PEOPLE


def test_a_row_that_a_relay_sends_is_in_nobody_elses_hands() -> None:
    assert {step for state, step in TRANSITIONS if state is OutboxState.SENDING}.isdisjoint(PEOPLE)


def test_every_state_stands_in_the_docs() -> None:
    told = set(re.findall(r"^\| `([a-z_]+)` \|", DOCS.read_text(encoding="utf-8"), re.MULTILINE))
    assert {state.value for state in OutboxState} <= told
