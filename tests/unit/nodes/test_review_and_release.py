"""A person's decision and the step that asks for permits, as the graph takes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sluis.core import Completion, CompletionStatus, Draft, Outcome, OutcomeStatus, SourceState
from sluis.core.reading import read_draft
from sluis.evals.world import GOOD, RULING, SECRET, World, open_world
from sluis.nodes import Runtime
from sluis.nodes.draft import draft_node
from sluis.nodes.release import release_node
from sluis.nodes.review import review_node, revised
from sluis.permits import read_permit

TWO = "De verhuurder betaalt de waarborgsom binnen 14 dagen terug. [c1]\n\nDe huurder draagt € 250. [c1]"


def _draft(text: str) -> Draft:
    return read_draft(Completion(status=CompletionStatus.OK, text=text, model="m", drafter="chat"), locale="nl-NL")


# What is dropped and rewritten, and what stands there then.
REVISIONS: dict[str, tuple[tuple[int, ...], dict[int, str], str]] = {
    "the first is dropped": ((0,), {}, "De huurder draagt € 250. [c1]"),
    "the second is dropped": ((1,), {}, "De verhuurder betaalt de waarborgsom binnen 14 dagen terug. [c1]"),
    "both are dropped": ((0, 1), {}, ""),
    "the second is rewritten": (
        (),
        {1: "De huurder draagt € 250 aan schoonmaak. [c1]"},
        TWO.replace("€ 250.", "€ 250 aan schoonmaak."),
    ),
    "one of each": ((0,), {1: "Kort."}, "Kort."),
    "a claim that is not there": ((7,), {8: "x"}, TWO),
}


@pytest.mark.parametrize("what", REVISIONS)
def test_a_draft_is_revised_claim_by_claim(what: str) -> None:
    drop, rewrite, text = REVISIONS[what]
    draft = revised(_draft(TWO), drop=drop, rewrite=rewrite, locale="nl-NL")
    assert draft.text == text
    assert all(claim.text == draft.text[claim.start : claim.end] for claim in draft.claims)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with open_world(tmp_path) as opened:
        yield opened


@pytest.fixture
def waiting(world: World) -> tuple[World, Outcome]:
    world.model.texts = [TWO]
    world.sources.says[RULING] = (SourceState.UNVERIFIABLE, "later_outcome_unknown")
    outcome = world.agent.ask("Wanneer moet de waarborgsom terug?", recipients=("answer.md",))
    assert outcome.status is OutcomeStatus.IN_REVIEW
    return world, outcome


def _decide(world: World, outcome: Outcome, decision: Any, **changes: Any) -> Outcome:
    assert outcome.review_id is not None
    review = world.ledger.reviews.get(outcome.review_id)
    world.ledger.reviews.decide(
        review.review_id, decision=decision, shown=review.shown, reviewer="t.voorbeeld", **changes
    )
    return world.agent.resume(outcome.run_id)


def test_a_rejection_ends_the_run(waiting: tuple[World, Outcome]) -> None:
    world, outcome = waiting
    ended = _decide(world, outcome, "reject")
    assert (ended.status, ended.reason) == (OutcomeStatus.BLOCKED, "rejected_by_reviewer")
    assert world.rows() == 0


def test_an_approval_names_its_person_in_the_permit(waiting: tuple[World, Outcome]) -> None:
    world, outcome = waiting
    ended = _decide(world, outcome, "approve")
    assert ended.status is OutcomeStatus.RELEASED
    permit = read_permit(world.ledger.outbox.envelope(ended.outbox[0]))
    assert {waiver.reviewer for waiver in permit.waivers} == {"t.voorbeeld"}
    assert {waiver.reason for waiver in permit.waivers} == {"later_outcome_unknown"}


def test_a_revision_is_verified_again_and_waits_again(waiting: tuple[World, Outcome]) -> None:
    world, outcome = waiting
    again = _decide(world, outcome, "revise", drop=(1,))
    assert again.status is OutcomeStatus.IN_REVIEW
    assert again.review_id != outcome.review_id
    latest = world.ledger.vault.latest_draft(outcome.run_id)
    assert latest is not None
    assert world.ledger.vault.get_draft(latest).text == GOOD
    ended = _decide(world, again, "approve")
    assert ended.status is OutcomeStatus.RELEASED
    assert "250" not in next(iter(world.escaped().values())).split("## Bronnen")[0]


def test_a_rewriting_into_something_wrong_is_blocked(waiting: tuple[World, Outcome]) -> None:
    world, outcome = waiting
    ended = _decide(world, outcome, "revise", rewrite={0: "De verhuurder betaalt binnen 30 dagen terug. [c1]"})
    assert ended.status is OutcomeStatus.BLOCKED
    assert world.escaped() == {}


def test_a_review_of_another_runs_verdict_is_refused(waiting: tuple[World, Outcome]) -> None:
    world, outcome = waiting
    other = world.ledger.runs.open(world.request("b.md")).run_id
    update = review_node(world.runtime).invoke({"run_id": other, "verdict": outcome.verdict})
    assert update["outcome"]["reason"] == "refused.foreign_review"


def test_a_verdict_that_no_person_may_decide_on_opens_no_review(world: World) -> None:
    outcome = world.agent.ask("Wanneer?", recipients=("answer.md",))
    update = review_node(world.runtime).invoke({"run_id": outcome.run_id, "verdict": outcome.verdict})
    assert update["outcome"]["reason"] == "refused.foreign_review"
    assert world.ledger.reviews.pending() == ()


def test_a_redraft_hears_no_findings_of_another_run(world: World) -> None:
    world.model.texts = [SECRET]
    bad = world.agent.ask("Wanneer?", recipients=("a.md",))
    request = world.request("b.md")
    world.model.texts = [GOOD]
    world.agent.run(request)
    run = world.ledger.runs.of_request(request.request_id)
    assert run is not None
    state = {
        "run_id": run.run_id,
        "evidence": world.ledger.vault.latest_evidence(run.run_id),
        "redrafts": 1,
        "verdict": bad.verdict,
    }
    update = draft_node(world.runtime).invoke(state)
    assert update["outcome"]["reason"] == "usage.input.state_malformed"


def _ready(world: World) -> dict[str, Any]:
    """The state before release, of a run that passed and has not acted."""
    released = world.agent.ask("Wanneer?", recipients=("first.md",))
    assert released.status is OutcomeStatus.RELEASED
    request = world.request("second.md")
    graph_state = world.graph.invoke(
        {"request": request.to_json()}, world.config(request), interrupt_before=["release"]
    )
    state = world.graph.get_state(world.config(request)).values
    assert graph_state is not None
    return dict(state)


def _later(world: World) -> Runtime:
    world.clock.advance(10_000)
    return world.runtime


# What changes between verification and release, and how the run ends.
LATE: dict[str, tuple[Callable[[World], Runtime], str, str]] = {
    "the verdict grows old": (
        _later,
        "held",
        "undecided.stale_verdict",
    ),
    "the clock goes back before it": (
        lambda world: replace(world.runtime, clock=type(world.clock)(world.clock.now().replace(year=2020))),
        "held",
        "undecided.stale_verdict",
    ),
    "the policy is another": (
        lambda world: replace(world.runtime, policy=world.runtime.policy.model_copy(update={"version": 2})),
        "held",
        "undecided.policy_changed",
    ),
}


@pytest.mark.parametrize("what", LATE)
def test_a_verdict_that_no_longer_fits_releases_nothing(what: str, world: World) -> None:
    change, status, reason = LATE[what]
    state = _ready(world)
    before = world.rows()
    update = release_node(change(world)).invoke(state)
    assert (update["outcome"]["status"], update["outcome"]["reason"]) == (status, reason)
    assert world.rows() == before


def test_a_ready_state_releases_once_and_then_says_so(world: World) -> None:
    state = _ready(world)
    first = Outcome.from_json(release_node(world.runtime).invoke(state)["outcome"])
    again = Outcome.from_json(release_node(world.runtime).invoke(state)["outcome"])
    assert (first.status, first.reason) == (OutcomeStatus.RELEASED, "released")
    assert (again.status, again.reason) == (OutcomeStatus.RELEASED, "already_acted")
    assert first.outbox == again.outbox
