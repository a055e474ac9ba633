"""Attacks by LangGraph commands."""

from __future__ import annotations

from typing import Any, TypedDict

import pytest
from langgraph.errors import InvalidUpdateError
from langgraph.graph import END, START
from langgraph.types import Command, Send

from sluis.core import Outcome, OutcomeStatus, Request
from sluis.evals.world import World
from sluis.graphs import LockGraphBuilder, Role, TopologyError, UndeclaredGotoError

NODES = ("open", "retrieve", "filter", "rerank", "draft", "verify", "review", "release")


def outcome_of(result: dict[str, Any]) -> Outcome:
    return Outcome.from_json(result["outcome"])


def attack(world: World, command: Command[Any], request: Request) -> str:
    """Why the command led to nothing: the reason of the outcome, or LangGraph's own code.

    A ``goto`` as input starts the target *beside* what would have run; where both write the route, LangGraph refuses.
    """
    try:
        result = world.graph.invoke(command, world.config(request))
    except InvalidUpdateError:
        return "two_at_once"
    outcome = outcome_of(result)
    assert outcome.status is not OutcomeStatus.RELEASED
    return outcome.reason


def test_good_draft_is_released_once_and_nothing_else(world: World) -> None:
    """The control: the suite would prove nothing about a world that can release nothing."""
    outcome = world.agent.run(world.request())
    assert outcome.status is OutcomeStatus.RELEASED, outcome
    assert [text for text in world.escaped().values() if "14 dagen" in text]
    assert world.rows() == 1


@pytest.mark.parametrize("target", NODES)
def test_command_goto_as_the_first_input(bad: World, target: str) -> None:
    request = bad.request()
    reason = attack(bad, Command(goto=target), request)
    assert reason in {"refused.no_run", "usage.input.state_malformed", "two_at_once"}
    assert bad.rows() == 0
    assert bad.escaped() == {}


@pytest.mark.parametrize("target", NODES)
def test_command_goto_after_a_blocked_run(bad: World, target: str) -> None:
    request = bad.request()
    assert bad.agent.run(request).status is OutcomeStatus.BLOCKED
    assert attack(bad, Command(goto=target), request)
    assert bad.rows() == 0
    assert bad.escaped() == {}


def test_command_goto_release_with_a_forged_update(bad: World) -> None:
    request = bad.request()
    bad.agent.run(request)
    state = bad.graph.get_state(bad.config(request)).values
    forged = {"route": "next", "verdict": "sha256:" + "0" * 64, "draft": state["draft"]}
    result = bad.graph.invoke(Command(goto="release", update=forged), bad.config(request))
    assert outcome_of(result).reason == "refused.not_verified"
    assert bad.rows() == 0


def test_send_to_release_as_input(bad: World) -> None:
    request = bad.request()
    bad.agent.run(request)
    state = dict(bad.graph.get_state(bad.config(request)).values)
    result = bad.graph.invoke(Command(goto=Send("release", state | {"route": "next"})), bad.config(request))
    assert outcome_of(result).reason == "refused.not_verified"
    assert bad.rows() == 0


def test_resume_with_goto_release_while_a_person_decides(waiting: tuple[World, Outcome]) -> None:
    world, outcome = waiting
    request = world.ledger.runs.get(outcome.run_id).request
    assert attack(world, Command(resume="approve", goto="release"), request) in {"two_at_once", "later_outcome_unknown"}
    assert world.rows() == 0
    assert world.escaped() == {}


class _State(TypedDict, total=False):
    text: str


def test_node_that_returns_a_command_beside_its_edge_is_not_built() -> None:
    def draft(state: _State) -> Any:
        return Command(goto="send")

    builder = LockGraphBuilder(_State)
    builder.add_node("draft", draft, role=Role.DRAFT, destinations=("verify",))
    builder.add_node("verify", lambda state: {}, role=Role.VERIFY)
    builder.add_node("send", lambda state: {}, role=Role.ACTION)
    builder.add_edge(START, "draft").add_edge("draft", "verify").add_edge("verify", "send").add_edge("send", END)
    with pytest.raises(TopologyError, match="also has edges"):
        builder.compile()


def test_node_whose_command_jumps_over_verification_raises_at_run_time() -> None:
    sent: list[str] = []

    def draft(state: _State) -> Any:
        return Command(goto="send", update={"text": "unchecked"})

    def send(state: _State) -> Any:
        sent.append(state["text"])
        return {}

    builder = LockGraphBuilder(_State)
    builder.add_node("draft", draft, role=Role.DRAFT, destinations=("verify",))
    builder.add_node("verify", lambda state: {}, role=Role.VERIFY)
    builder.add_node("send", send, role=Role.ACTION)
    builder.add_edge(START, "draft").add_edge("verify", "send").add_edge("send", END)
    with pytest.raises(UndeclaredGotoError) as caught:
        builder.compile().invoke({"text": ""})
    assert caught.value.code == "refused.undeclared_goto"
    assert sent == []
