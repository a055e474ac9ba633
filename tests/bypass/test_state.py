"""Attacks by writing the graph's state."""

from __future__ import annotations

from typing import Any

import pytest

from sluis.core import Outcome, OutcomeStatus
from sluis.evals.world import SECRET, World
from sluis.graphs import UndeclaredGotoError

ZERO = "sha256:" + "0" * 64


def _go_on(world: World, request: Any) -> Outcome | None:
    result = world.graph.invoke(None, world.config(request))
    said = (result or {}).get("outcome")
    return None if said is None else Outcome.from_json(said)


@pytest.mark.parametrize("as_node", ["open", "retrieve", "filter", "rerank", "draft", "verify", "review", "release"])
@pytest.mark.parametrize("route", ["next", "verify", "review", "redraft", "end"])
def test_state_written_in_the_name_of_a_node(bad: World, as_node: str, route: str) -> None:
    request = bad.request()
    bad.agent.run(request)
    refused = False
    outcome = None
    try:
        bad.graph.update_state(bad.config(request), {"route": route, "verdict": ZERO, "outcome": None}, as_node=as_node)
        outcome = _go_on(bad, request)
    except UndeclaredGotoError:
        # The router's guard: that node has no such way out.
        refused = True
    assert refused or outcome is None or outcome.reason
    assert outcome is None or outcome.status is not OutcomeStatus.RELEASED
    assert bad.rows() == 0
    assert bad.escaped() == {}


def test_state_that_says_released_makes_nothing_leave(bad: World) -> None:
    request = bad.request()
    blocked = bad.agent.run(request)
    lie = blocked.model_copy(update={"status": OutcomeStatus.RELEASED, "outbox": ("out_x",), "reason": "released"})
    bad.graph.update_state(bad.config(request), {"outcome": lie.to_json(), "route": "end"}, as_node="release")
    assert bad.ledger.runs.outcome(blocked.run_id) == blocked
    assert bad.escaped() == {}


def test_verdict_and_draft_of_another_run_that_passed(world: World) -> None:
    good = world.request("good.md")
    assert world.agent.run(good).status is OutcomeStatus.RELEASED
    passed = world.graph.get_state(world.config(good)).values
    world.model.texts = [SECRET]
    request = world.request("bad.md")
    assert world.agent.run(request).status is OutcomeStatus.BLOCKED
    own = world.graph.get_state(world.config(request)).values
    thefts: list[dict[str, Any]] = [
        {"draft": passed["draft"], "verdict": passed["verdict"]},
        {"draft": passed["draft"] | {"run_id": own["run_id"]}, "verdict": passed["verdict"]},
        {"draft": own["draft"], "verdict": passed["verdict"], "evidence": passed["evidence"]},
        {"draft": own["draft"] | {"run_id": passed["run_id"]}, "run_id": passed["run_id"]},
        {"run_id": passed["run_id"]},
    ]
    for theft in thefts:
        world.graph.update_state(world.config(request), theft | {"route": "next"}, as_node="verify")
        outcome = _go_on(world, request)
        assert outcome is not None
        assert outcome.status is not OutcomeStatus.RELEASED
    assert world.rows() == 1
    assert list(world.escaped()) == ["good.md"]


def test_run_of_another_request_is_acted_for_once_only(world: World) -> None:
    good = world.request("good.md")
    first = world.agent.run(good)
    state = world.graph.get_state(world.config(good)).values
    request = world.request("other.md")
    world.graph.update_state(world.config(request), dict(state) | {"route": "next"}, as_node="verify")
    again = _go_on(world, request)
    assert again is not None
    assert again.reason == "already_acted"
    assert again.outbox == first.outbox
    assert world.rows() == 1


@pytest.mark.parametrize(
    "channel",
    [
        {"run_id": 7},
        {"run_id": None},
        {"draft": None},
        {"draft": "x"},
        {"draft": {"run_id": "run", "round": -1, "digest": ZERO}},
        {"draft": {"run_id": "run", "round": True, "digest": ZERO}},
        {"verdict": True, "draft": {}},
    ],
    ids=str,
)
def test_malformed_channels_before_release(bad: World, channel: dict[str, Any]) -> None:
    request = bad.request()
    bad.agent.run(request)
    bad.graph.update_state(bad.config(request), channel | {"route": "next"}, as_node="verify")
    outcome = _go_on(bad, request)
    assert outcome is not None
    assert outcome.status in {OutcomeStatus.BLOCKED, OutcomeStatus.FAILED}
    assert outcome.reason
    assert bad.rows() == 0


def test_seeded_channels_in_the_input_are_cleared(bad: World) -> None:
    request = bad.request()
    seeded = {"request": request.to_json(), "route": "next", "verdict": ZERO, "outcome": {"status": "released"}}
    result = bad.graph.invoke(seeded, bad.config(request))
    assert Outcome.from_json(result["outcome"]).status is OutcomeStatus.BLOCKED
    assert bad.rows() == 0


def test_recipient_changed_in_the_state_changes_nothing(world: World) -> None:
    request = world.request("answer.md")
    config = world.config(request)
    for step in world.graph.stream({"request": request.to_json()}, config, stream_mode="updates"):
        if "verify" in step:
            break
    forged = request.to_json() | {"recipients": ["attacker.md"]}
    world.graph.update_state(config, {"request": forged}, as_node="verify")
    world.graph.update_state(config, {"route": "next"}, as_node="verify")
    _go_on(world, request)
    assert set(world.escaped()) <= {"answer.md"}
