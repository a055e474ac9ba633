"""Attacks by calling the last steps directly."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from sluis.core import Completion, CompletionStatus, Outcome, OutcomeStatus, SluisError
from sluis.core.reading import read_draft
from sluis.evals.world import GOOD, SECRET, World
from sluis.ledger import Claim


def _release(world: World, state: dict[str, Any]) -> Outcome:
    result = world.graph.nodes["release"].bound.invoke(state)
    return Outcome.from_json(result["outcome"])


def test_release_node_called_with_a_made_up_state(bad: World) -> None:
    made_up = {"run_id": "run_x", "draft": {"run_id": "run_x", "round": 0, "digest": "sha256:" + "0" * 64}}
    outcome = _release(bad, made_up)
    assert (outcome.status, outcome.reason) == (OutcomeStatus.BLOCKED, "refused.unknown_run")
    assert bad.rows() == 0


def test_release_node_called_with_the_state_of_a_blocked_run(bad: World) -> None:
    request = bad.request()
    bad.agent.run(request)
    state = dict(bad.graph.get_state(bad.config(request)).values)
    outcome = _release(bad, state | {"route": "next", "verdict": "pass", "outcome": None})
    assert (outcome.status, outcome.reason) == (OutcomeStatus.BLOCKED, "refused.not_verified")
    assert bad.rows() == 0


def test_release_node_called_twice_acts_once(world: World) -> None:
    request = world.request()
    first = world.agent.run(request)
    state = dict(world.graph.get_state(world.config(request)).values)
    again = _release(world, state)
    assert again.reason == "already_acted"
    assert again.outbox == first.outbox
    assert world.rows() == 1


def test_release_node_called_long_after_the_verdict(world: World) -> None:
    request = world.request()
    config = world.config(request)
    for step in world.graph.stream({"request": request.to_json()}, config, stream_mode="updates"):
        if "verify" in step:
            break
    state = dict(world.graph.get_state(config).values)
    world.clock.advance(301)
    outcome = _release(world, state)
    assert (outcome.status, outcome.reason) == (OutcomeStatus.HELD, "undecided.stale_verdict")
    world.clock.step(-1000)
    assert _release(world, state).status is OutcomeStatus.HELD
    assert world.rows() == 0


def test_transport_called_with_a_made_up_claim(world: World) -> None:
    outcome = world.agent.run(world.request())
    row = world.ledger.outbox.get(outcome.outbox[0])
    envelope = world.ledger.outbox.envelope(row.key)
    claim = Claim(
        row=row,
        token="claim_made_up",
        lease_until=world.clock.now() + timedelta(hours=1),
        envelope=envelope,
        data=SECRET.encode(),
    )
    with pytest.raises(SluisError) as caught:
        world.transport.deliver(claim, envelope, SECRET.encode())
    assert caught.value.code == "refused.claim_lost"
    assert list(world.out.iterdir()) == []


def test_transport_called_with_a_real_claim_and_other_bytes(world: World) -> None:
    world.agent.run(world.request())
    world.clock.advance(100)
    claim = world.ledger.outbox.claim()
    assert claim is not None
    with pytest.raises(SluisError) as caught:
        world.transport.deliver(claim, claim.envelope, SECRET.encode())
    assert caught.value.code == "refused.permit.payload_mismatch"
    assert list(world.out.iterdir()) == []


def test_transport_cannot_be_given_a_deliver_of_its_own() -> None:
    from sluis.relay import FileTransport

    with pytest.raises(TypeError):
        type("Careless", (FileTransport,), {"deliver": lambda self, claim, envelope, payload: None})


def _verify(world: World, state: dict[str, Any]) -> Outcome:
    result = world.graph.nodes["verify"].bound.invoke(state)
    return Outcome.from_json(result["outcome"])


def test_verify_node_called_with_the_draft_of_another_run(world: World) -> None:
    one, other = world.request(), world.request()
    world.agent.run(one)
    world.agent.run(other)
    state = dict(world.graph.get_state(world.config(one)).values)
    foreign = dict(world.graph.get_state(world.config(other)).values)["draft"]
    outcome = _verify(world, state | {"draft": foreign, "outcome": None})
    assert outcome.status is OutcomeStatus.BLOCKED
    assert outcome.reason.startswith("refused")
    assert world.rows() == 2


def test_verify_node_called_before_anything_was_retrieved(world: World) -> None:
    run = world.ledger.runs.open(world.request())
    completion = Completion(status=CompletionStatus.OK, text=GOOD, model="m", drafter="chat")
    draft = world.ledger.vault.put_draft(run.run_id, 0, read_draft(completion, locale="nl-NL"))
    outcome = _verify(world, {"run_id": run.run_id, "draft": draft.to_json()})
    assert outcome.status in (OutcomeStatus.BLOCKED, OutcomeStatus.FAILED)
    assert "evidence" in outcome.reason
    assert world.rows() == 0
