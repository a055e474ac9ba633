"""What the builder refuses before a graph exists, and what its guards refuse while it runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypedDict

import pytest
from langchain_core.runnables import RunnableLambda
from langgraph.graph import END, START
from langgraph.types import Command, RetryPolicy, Send, interrupt

from sluis.graphs import BypassError, LockGraphBuilder, Role, TopologyError, UndeclaredGotoError


class State(TypedDict, total=False):
    seen: list[str]


def go_on(state: State) -> State:
    return {}


def jumps(target: str) -> Callable[[State], Command[Any]]:
    def node(state: State) -> Any:
        return Command(goto=target)

    return node


def _builder(*names: str) -> LockGraphBuilder:
    builder = LockGraphBuilder(State)
    for name in names:
        builder.add_node(name, go_on)
    return builder


def test_a_sound_graph_is_compiled_and_runs() -> None:
    builder = LockGraphBuilder(State)
    builder.add_node("draft", go_on, role=Role.DRAFT)
    builder.add_node("verify", go_on, role=Role.VERIFY)
    builder.add_node("release", lambda state: {"seen": ["released"]}, role=Role.ACTION)
    builder.add_edge(START, "draft").add_edge("draft", "verify").add_edge("verify", "release").add_edge("release", END)
    assert builder.compile(name="way").invoke({}) == {"seen": ["released"]}


def test_a_bypass_is_not_compiled_whichever_kind_of_edge_it_takes() -> None:
    def by_edge(builder: LockGraphBuilder) -> None:
        builder.add_node("draft", go_on, role=Role.DRAFT).add_edge("draft", "release")

    def by_router(builder: LockGraphBuilder) -> None:
        builder.add_node("draft", go_on, role=Role.DRAFT).add_router("draft", lambda state: "go", {"go": "release"})

    def by_command(builder: LockGraphBuilder) -> None:
        builder.add_node("draft", jumps("release"), role=Role.DRAFT, destinations=("verify", "release"))

    for draw in (by_edge, by_router, by_command):
        builder = LockGraphBuilder(State)
        builder.add_node("verify", go_on, role=Role.VERIFY).add_node("release", go_on, role=Role.ACTION)
        draw(builder)
        builder.add_edge(START, "draft").add_edge("verify", "release")
        with pytest.raises(BypassError) as refused:
            builder.compile()
        assert refused.value.path == (START, "draft", "release")


def test_a_node_that_returns_command_and_has_edges_is_refused() -> None:
    builder = _builder("a", "b")
    builder.add_node("c", jumps("a"), destinations=("a",)).add_edge("c", "b").add_edge(START, "c")
    with pytest.raises(TopologyError, match="would follow both"):
        builder.compile()


def test_destinations_are_read_from_the_annotation() -> None:
    def node(state: State) -> Command[Literal["a", "b"]]:
        return Command(goto="a")

    builder = _builder("a", "b")
    builder.add_node("c", node).add_edge(START, "c")
    assert {edge for edge in builder.topology.edges if edge[0] == "c"} == {
        ("c", "a", "command"),
        ("c", "b", "command"),
    }
    builder.compile().invoke({})


def test_an_annotation_in_a_union_counts() -> None:
    def node(state: State) -> Command[Literal["a"]] | State:
        return Command(goto="a")

    builder = _builder("a")
    builder.add_node("c", node)
    assert ("c", "a", "command") in builder.topology.edges


def test_a_command_without_destinations_is_refused() -> None:
    def bare(state: State) -> Command:  # type: ignore[type-arg]
        return Command(goto="a")

    def loose(state: State) -> Command[str]:
        return Command(goto="a")

    for node in (bare, loose):
        with pytest.raises(TopologyError, match="without saying where"):
            _builder("a").add_node("c", node)


def test_two_declarations_that_differ_are_refused() -> None:
    def node(state: State) -> Command[Literal["a"]]:
        return Command(goto="a")

    with pytest.raises(TopologyError, match="other destinations"):
        _builder("a", "b").add_node("c", node, destinations=("b",))


@pytest.mark.parametrize("role", [Role.VERIFY, Role.REVIEW, Role.ACTION])
def test_what_decides_or_acts_is_not_retried(role: Role) -> None:
    with pytest.raises(TopologyError, match="may not be retried"):
        LockGraphBuilder(State).add_node("a", go_on, role=role, retry_policy=RetryPolicy())


def test_what_only_reads_may_be_retried() -> None:
    LockGraphBuilder(State).add_node("a", go_on, retry_policy=RetryPolicy())


def test_a_router_without_destinations_is_refused() -> None:
    with pytest.raises(TopologyError, match="has no destinations"):
        _builder("a").add_router("a", lambda state: "x", {})


def test_what_is_no_function_is_no_node() -> None:
    with pytest.raises(TopologyError, match="neither a function nor a runnable"):
        LockGraphBuilder(State).add_node("a", "release")


# A node that goes where it did not say, in each way that LangGraph knows.
STRAYS: dict[str, Callable[[State], Any]] = {
    "by a command": lambda state: Command(goto="release"),
    "by a send in a command": lambda state: Command(goto=Send("release", {})),
    "by a list of destinations": lambda state: Command(goto=["a", "release"]),
    "by a list of commands": lambda state: [Command(goto="a"), Command(goto="release")],
    "by a command to the parent": lambda state: Command(goto="release", graph=Command.PARENT),
    "to a node that is not there": lambda state: Command(goto="nowhere"),
}


@pytest.mark.parametrize("what", STRAYS)
@pytest.mark.parametrize("form", ["function", "runnable"])
def test_a_node_that_strays_is_stopped(what: str, form: str) -> None:
    acted: list[str] = []
    builder = _builder("a")
    builder.add_node("release", lambda state: acted.append("x"))
    action = STRAYS[what] if form == "function" else RunnableLambda(STRAYS[what])
    builder.add_node("c", action, destinations=("a",)).add_edge(START, "c")
    with pytest.raises(UndeclaredGotoError) as refused:
        builder.compile().invoke({})
    assert refused.value.subject["node"] == "c"
    assert acted == []


@pytest.mark.parametrize("what", STRAYS)
async def test_an_asynchronous_node_that_strays_is_stopped(what: str) -> None:
    async def node(state: State) -> Any:
        return STRAYS[what](state)

    builder = _builder("a", "release")
    builder.add_node("c", node, destinations=("a",)).add_edge(START, "c")
    with pytest.raises(UndeclaredGotoError):
        await builder.compile().ainvoke({})


@pytest.mark.parametrize("answer", ["release", None, 0, ["x", "release"], Send("release", {}), [Send("release", {})]])
async def test_a_router_that_strays_is_stopped(answer: Any) -> None:
    def route(state: State) -> Any:
        return answer

    async def aroute(state: State) -> Any:
        return answer

    for router in (route, aroute):
        builder = _builder("a", "b", "release")
        builder.add_edge(START, "a").add_router("a", router, {"x": "b"})
        with pytest.raises(UndeclaredGotoError):
            await builder.compile().ainvoke({})


async def test_a_router_may_send_where_it_said() -> None:
    seen: list[str] = []
    builder = _builder("a")
    builder.add_node("b", lambda state: seen.append("b"))
    builder.add_edge(START, "a").add_router("a", lambda state: [Send("b", {}), "x"], {"x": "b"})
    await builder.compile().ainvoke({})
    assert seen


def _parent_of(inner: Any, destinations: tuple[str, ...]) -> Any:
    builder = _builder("a", "release")
    builder.add_node("sub", inner, destinations=destinations).add_edge(START, "sub")
    return builder.compile()


def _sub(target: str, parents: tuple[str, ...]) -> Any:
    inner = LockGraphBuilder(State)
    inner.add_node(
        "jump", lambda state: Command(goto=target, graph=Command.PARENT), parent_destinations=parents
    ).add_edge(START, "jump")
    return inner.compile()


async def test_a_subgraph_goes_in_its_parent_only_where_both_said() -> None:
    allowed = _parent_of(_sub("a", ("a",)), ("a",))
    allowed.invoke({})
    await allowed.ainvoke({})
    for graph in (_parent_of(_sub("release", ("release",)), ("a",)), _parent_of(_sub("release", ("a",)), ("release",))):
        with pytest.raises(UndeclaredGotoError):
            graph.invoke({})
        with pytest.raises(UndeclaredGotoError):
            await graph.ainvoke({})


def test_a_node_whose_handler_swallows_its_interrupt_is_refused() -> None:
    def node(state: State) -> State:
        try:
            interrupt("?")
        except Exception:  # noqa: BLE001 - what the builder must find
            return {}
        return {}

    with pytest.raises(TopologyError) as refused:
        LockGraphBuilder(State).add_node("a", node)
    assert refused.value.code == "usage.configuration.topology.swallowed_interrupt"
