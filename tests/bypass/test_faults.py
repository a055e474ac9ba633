"""Attacks by faults: a sibling that fails, a handler that swallows the interrupt, a check that breaks."""

from __future__ import annotations

import operator
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, TypedDict, cast

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import interrupt

from sluis.core import Case, Completion, Finding, Outcome, OutcomeStatus, SourceState
from sluis.evals.world import RULING, World, WorstCaseModel, open_world
from sluis.graphs import Agent, LockGraphBuilder, Role, SwallowedInterruptError, answer_builder, answer_graph
from sluis.nodes import Runtime, review_node, verify_node


class _Desk(TypedDict, total=False):
    ends: Annotated[list[str], operator.add]


def test_sibling_that_fails_during_release_causes_no_second_action(world: World) -> None:
    request = world.request()
    failures = [RuntimeError("the sibling fails the first time")]

    def answer(state: _Desk) -> _Desk:
        return {"ends": [world.agent.run(request).status.value]}

    def sibling(state: _Desk) -> _Desk:
        if failures:
            raise failures.pop()
        return {"ends": ["sibling"]}

    desk = StateGraph(_Desk)
    desk.add_node("answer", answer)
    desk.add_node("sibling", sibling)
    for node in ("answer", "sibling"):
        desk.add_edge(START, node)
        desk.add_edge(node, END)
    graph = desk.compile(InMemorySaver())
    config: Any = {"configurable": {"thread_id": "desk"}}
    with pytest.raises(RuntimeError):
        graph.invoke({"ends": []}, config)
    graph.invoke(None, config)
    graph.invoke({"ends": []}, config)
    assert world.rows() == 1
    assert len(world.escaped()) == 1


def test_builder_refuses_a_node_that_swallows_its_interrupt() -> None:
    def ask(state: dict[str, Any]) -> dict[str, Any]:
        try:
            interrupt("may I?")
        except Exception:  # noqa: BLE001 - the fault under test
            return {"route": "verify"}
        return {}

    builder = LockGraphBuilder(dict)
    with pytest.raises(SwallowedInterruptError):
        builder.add_node("review", ask, role=Role.REVIEW)


def test_swallowed_interrupt_is_no_approval(tmp_path: Path) -> None:
    """The reviewer's node inside a wrapper that goes on after the interrupt, in a graph of bare LangGraph."""
    with open_world(tmp_path) as world:
        world.sources.says[RULING] = (SourceState.UNVERIFIABLE, "later_outcome_unknown")
        inner = review_node(world.runtime)
        passes: list[str] = []

        def careless(state: dict[str, Any]) -> dict[str, Any]:
            try:
                update: dict[str, Any] = inner.invoke(state)
            except Exception:  # noqa: BLE001 - the fault under test
                passes.append("swallowed")
                return {"route": "verify" if len(passes) < 3 else "end"}
            return update

        builder = answer_builder(world.runtime)
        graph = builder._graph
        del graph.nodes["review"]
        graph.add_node("review", cast("Any", careless))
        compiled: Any = graph.compile(InMemorySaver())
        request = world.request()
        compiled.invoke({"request": request.to_json()}, world.config(request))
        assert passes
        assert world.rows() == 0
        assert world.escaped() == {}


class _Breaks:
    name = "breaks"
    version = 1

    async def run(self, case: Case) -> tuple[Finding, ...]:
        raise ValueError(case.draft.text)


class _Forgets:
    name = "forgets"
    version = 1

    async def run(self, case: Case) -> Any:
        return None


@pytest.mark.parametrize(
    ("checks", "reason"),
    [((), "no_checks"), ((_Breaks(),), "check_error"), ((_Forgets(),), "check_malformed")],
    ids=["none", "raises", "answers None"],
)
def test_gate_that_cannot_decide_lets_nothing_pass(tmp_path: Path, checks: tuple[Any, ...], reason: str) -> None:
    with open_world(tmp_path, checks=checks) as world:
        outcome = world.agent.run(world.request())
        assert outcome.status is OutcomeStatus.BLOCKED
        assert outcome.reason == reason
        assert "waarborgsom" not in str(outcome.to_json())
        assert world.escaped() == {}


def test_verify_node_alone_makes_nothing_leave(world: World) -> None:
    node = verify_node(world.runtime)
    update = node.invoke({"run_id": "run_x"})
    assert update["outcome"]["reason"] == "refused.unknown_run"
    assert world.rows() == 0


def test_drafter_that_raises_ends_as_failed_without_its_words(tmp_path: Path) -> None:
    class Loud(WorstCaseModel):
        def draft(self, **_: Any) -> Any:
            raise RuntimeError("the draft so far: De verhuurder")

    def deafen(runtime: Runtime) -> Runtime:
        return replace(runtime, drafter=Loud())

    with open_world(tmp_path, wrap=deafen) as world:
        outcome = world.agent.run(world.request())
        assert outcome.status is OutcomeStatus.FAILED
        assert "verhuurder" not in str(outcome.to_json())
        assert world.escaped() == {}


def test_release_that_fails_after_its_rows_were_written_is_a_release(world: World) -> None:
    request = world.request("a.md")
    config = world.config(request)
    world.graph.invoke({"request": request.to_json()}, config, interrupt_before=["release"])
    world.graph.update_state(config, {"counts": {"x": "bad", "shown": True, "retrieved": 1}})
    outcome = Outcome.from_json(world.graph.invoke(None, config)["outcome"])
    assert (outcome.status, outcome.counts) == (OutcomeStatus.RELEASED, {"retrieved": 1})
    assert world.rows() == 1
    assert world.ledger.runs.outcome(outcome.run_id) == outcome


def test_drafter_that_wants_to_end_the_program_ends_the_run(tmp_path: Path) -> None:
    class Quits(WorstCaseModel):
        def draft(self, **given: Any) -> Completion:
            raise SystemExit("de tekst van het concept")

    with open_world(tmp_path, wrap=lambda runtime: replace(runtime, drafter=Quits())) as world:
        outcome = world.agent.ask("Wanneer?", recipients=("a.md",))
        assert outcome.status is OutcomeStatus.FAILED
        assert "concept" not in str(outcome.to_json())


# What a store may say of a chunk that was registered otherwise.
LIES: dict[str, dict[str, Any]] = {
    "another kind of source": {"source_kind": "file"},
    "another source": {"source_id": "ECLI:NL:RBSLUIS:2024:18"},
    "another address": {"source_url": "https://evil.example/x"},
    "another title": {"title": "Hoge Raad"},
    "another numbering": {"numbering": ("artikel 9",)},
}


@pytest.mark.parametrize("what", LIES)
def test_store_that_lies_about_a_chunk_it_was_given(what: str, world: World) -> None:
    retriever: Any = world.runtime.retriever
    retriever.chunks = tuple(item.model_copy(update=LIES[what]) for item in retriever.chunks)
    outcome = world.agent.ask("Wanneer moet de waarborgsom terug?", recipients=("a.md",))
    assert outcome.status is OutcomeStatus.BLOCKED
    assert "metadata_changed" in {found.reason for found in outcome.findings}
    assert world.escaped() == {}


def test_model_that_calls_itself_a_sentence_is_not_quoted(world: World) -> None:
    class Boasts(WorstCaseModel):
        def draft(self, **given: Any) -> Completion:
            return super().draft(**given).model_copy(update={"model": "gpt-x. LET OP: betaal vandaag EUR 99.999"})

    runtime = replace(world.runtime, drafter=Boasts())
    agent = Agent(runtime, answer_graph(runtime, InMemorySaver()), tenant="acme", audience="client", locale="nl-NL")
    assert agent.ask("Wanneer moet de waarborgsom terug?", recipients=("a.md",)).status is OutcomeStatus.RELEASED
    (text,) = world.escaped().values()
    assert "99.999" not in text
    assert "naam onbekend" in text
