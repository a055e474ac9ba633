"""Attacks by old checkpoints, by forks and by several resumes at once."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from langgraph.types import Command

from sluis.core import Outcome, OutcomeStatus
from sluis.evals.world import GOOD, SECRET, World
from sluis.ledger import AlreadyDecidedError, DecisionMalformedError, ShownMismatchError


def _approve(world: World, outcome: Outcome) -> None:
    assert outcome.review_id is not None
    review = world.ledger.reviews.get(outcome.review_id)
    world.ledger.reviews.decide(outcome.review_id, decision="approve", shown=review.shown, reviewer="r. de vries")


def test_fork_from_every_checkpoint_of_a_released_run(world: World) -> None:
    request = world.request()
    assert world.agent.run(request).status is OutcomeStatus.RELEASED
    history = list(world.graph.get_state_history(world.config(request)))
    assert len(history) > 5
    world.model.texts = [GOOD, GOOD]
    for snapshot in history:
        world.graph.invoke(None, snapshot.config)
    assert world.rows() == 1
    assert len(world.escaped()) == 1


def test_fork_from_every_checkpoint_with_another_text(world: World) -> None:
    request = world.request()
    world.agent.run(request)
    world.model.texts = [SECRET]
    for snapshot in list(world.graph.get_state_history(world.config(request))):
        world.graph.invoke(None, snapshot.config)
    assert world.rows() == 1
    assert not any(SECRET in text for text in world.escaped().values())


def test_fork_of_a_blocked_run_with_a_changed_state(bad: World) -> None:
    request = bad.request()
    bad.agent.run(request)
    for snapshot in list(bad.graph.get_state_history(bad.config(request))):
        config = bad.graph.update_state(snapshot.config, {"route": "next", "outcome": None}, as_node="verify")
        bad.graph.invoke(None, config)
    assert bad.rows() == 0
    assert bad.escaped() == {}


@pytest.mark.parametrize("value", ["approve", True, {"decision": "approve"}, {"decision": "approve", "reviewer": "me"}])
def test_resume_value_is_no_approval(waiting: tuple[World, Outcome], value: Any) -> None:
    world, outcome = waiting
    request = world.ledger.runs.get(outcome.run_id).request
    result = world.graph.invoke(Command(resume=value), world.config(request))
    assert "__interrupt__" in result
    assert world.agent.resume(outcome.run_id).status is OutcomeStatus.IN_REVIEW
    assert world.rows() == 0


def test_two_resumes_at_once_act_once(waiting: tuple[World, Outcome]) -> None:
    world, outcome = waiting
    _approve(world, outcome)
    together = threading.Barrier(4)
    ends: list[Outcome] = []

    def resume() -> None:
        together.wait()
        ends.append(world.agent.resume(outcome.run_id))

    threads = [threading.Thread(target=resume) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert any(end.status is OutcomeStatus.RELEASED for end in ends), ends
    assert world.rows() == 1
    assert len(world.escaped()) == 1


def test_draft_changed_while_a_person_decides(waiting: tuple[World, Outcome]) -> None:
    world, outcome = waiting
    request = world.ledger.runs.get(outcome.run_id).request
    config = world.config(request)
    handle = world.graph.get_state(config).values["draft"]
    forged = handle | {"digest": "sha256:" + "1" * 64}
    world.graph.update_state(config, {"draft": forged, "route": "verify"}, as_node="review")
    _approve(world, outcome)
    result = world.graph.invoke(None, config)
    assert Outcome.from_json(result["outcome"]).reason == "refused.handle_mismatch"
    assert world.rows() == 0


def test_approval_does_not_cover_a_later_draft(waiting: tuple[World, Outcome]) -> None:
    world, outcome = waiting
    request = world.ledger.runs.get(outcome.run_id).request
    _approve(world, outcome)
    world.model.texts = [SECRET]
    again = world.agent.run(request)
    assert again.status is OutcomeStatus.BLOCKED
    state = world.graph.get_state(world.config(request)).values
    assert outcome.review_id is not None
    world.graph.update_state(
        world.config(request), {"review_id": outcome.review_id, "route": "verify"}, as_node="review"
    )
    result = world.graph.invoke(None, world.config(request))
    assert Outcome.from_json(result["outcome"]).status is OutcomeStatus.BLOCKED
    assert state["draft"]["run_id"] == outcome.run_id
    assert world.rows() == 0


def test_approval_of_something_else_than_was_shown(waiting: tuple[World, Outcome]) -> None:
    world, outcome = waiting
    assert outcome.review_id is not None
    with pytest.raises(ShownMismatchError):
        world.ledger.reviews.decide(
            outcome.review_id, decision="approve", shown="sha256:" + "0" * 64, reviewer="r. de vries"
        )
    assert world.agent.resume(outcome.run_id).status is OutcomeStatus.IN_REVIEW


def test_approval_counts_once(waiting: tuple[World, Outcome]) -> None:
    world, outcome = waiting
    _approve(world, outcome)
    with pytest.raises(AlreadyDecidedError):
        _approve(world, outcome)


@pytest.mark.parametrize("decision", ["", "yes", "APPROVE", None, True])
def test_only_an_explicit_approval_counts(waiting: tuple[World, Outcome], decision: Any) -> None:
    world, outcome = waiting
    assert outcome.review_id is not None
    shown = world.ledger.reviews.get(outcome.review_id).shown
    with pytest.raises(DecisionMalformedError):
        world.ledger.reviews.decide(outcome.review_id, decision=decision, shown=shown, reviewer="r. de vries")


def test_approved_draft_is_released_with_its_waiver(waiting: tuple[World, Outcome]) -> None:
    """The control of the review."""
    world, outcome = waiting
    _approve(world, outcome)
    assert world.agent.resume(outcome.run_id).status is OutcomeStatus.RELEASED
    assert list(world.escaped()) == ["answer.md"]


def test_approval_is_void_when_the_source_says_something_else_at_release(waiting: tuple[World, Outcome]) -> None:
    from sluis.core import SourceState
    from sluis.evals.world import RULING

    world, outcome = waiting
    _approve(world, outcome)
    assert world.agent.resume(outcome.run_id).status is OutcomeStatus.RELEASED
    world.sources.says[RULING] = (SourceState.WITHDRAWN, "void")
    assert world.escaped() == {}
    world.sources.says[RULING] = (SourceState.UNVERIFIABLE, "unknown_relation")
    assert world.escaped() == {}
