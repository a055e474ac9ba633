"""Builds LangGraph state graphs that are proved sound before they are compiled."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import TYPE_CHECKING, Any

from langgraph.graph import END, START, StateGraph

from ._guard import Guard, declared_destinations, guarded, guarded_router
from ._interrupts import refuse_swallowed_interrupts
from .topology import Role, Topology, TopologyError, prove

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph
    from langgraph.types import Checkpointer, RetryPolicy

_NEVER_REPEATED = frozenset({Role.VERIFY, Role.ACTION, Role.REVIEW})


class LockGraphBuilder:
    """A state graph in the making.

    It offers less than :class:`langgraph.graph.StateGraph`, on purpose: every destination is declared, a
    node either returns ``Command`` or has edges, and neither verification, review nor action is retried or cached
    (a cached verdict is an old verdict; a retried action is a second action).

    Args:
        state_schema: the ``TypedDict`` of the channels.
        input_schema: what a caller may set; defaults to the state schema.
        output_schema: what a caller gets back; defaults to the state schema.
    """

    def __init__(
        self, state_schema: type[Any], *, input_schema: type[Any] | None = None, output_schema: type[Any] | None = None
    ) -> None:
        self._graph: StateGraph[Any, Any, Any, Any] = StateGraph(
            state_schema, input_schema=input_schema, output_schema=output_schema
        )
        self._roles: dict[str, Role] = {}
        self._edges: set[tuple[str, str, str]] = set()
        self._commands: dict[str, tuple[str, ...]] = {}

    def add_node(
        self,
        name: str,
        action: Any,
        *,
        role: Role = Role.PLAIN,
        destinations: tuple[str, ...] = (),
        parent_destinations: tuple[str, ...] = (),
        retry_policy: RetryPolicy | None = None,
    ) -> LockGraphBuilder:
        """Add a node.

        Args:
            name: its name.
            action: a function (sync or async) or a runnable, a subgraph among them.
            role: what it does, for the proof.
            destinations: where it may go by ``Command(goto=...)`` or ``Send``; for a subgraph, where it may
                go in this graph by ``Command.PARENT``. Taken from ``-> Command[Literal[...]]`` when left out.
            parent_destinations: where it may go in a parent graph.
            retry_policy: of LangGraph; not for verification, review and action.

        Raises:
            TopologyError: the declaration is incomplete or contradicts itself.
        """
        if retry_policy is not None and role in _NEVER_REPEATED:
            raise TopologyError(
                f"The node {name!r} is a {role.value} node and may not be retried.",
                hint="Leave the retry policy out; run the graph again instead.",
                node=name,
            )
        annotated = declared_destinations(name, action)
        if annotated is not None and destinations and set(annotated) != set(destinations):
            raise TopologyError(
                f"The node {name!r} is annotated with other destinations than it is added with.",
                hint="Give them once.",
                node=name,
            )
        ends = destinations or annotated or ()
        refuse_swallowed_interrupts(name, action)
        wrapped = guarded(name, action, Guard(name, ends, parent_destinations))
        self._graph.add_node(name, wrapped, destinations=ends, retry_policy=retry_policy)
        self._roles[name] = role
        if ends:
            self._commands[name] = ends
            self._edges |= {(name, end, "command") for end in ends}
        return self

    def add_edge(self, origin: str, target: str) -> LockGraphBuilder:
        """Draw a fixed edge."""
        self._graph.add_edge(origin, target)
        self._edges.add((origin, target, "edge"))
        return self

    def add_router(self, origin: str, router: Callable[..., Any], destinations: Mapping[str, str]) -> LockGraphBuilder:
        """Let a function of the state choose among declared destinations.

        Args:
            origin: after which node.
            router: gives one key of ``destinations``, or a list of them.
            destinations: key to node. An answer that is not a key raises
                :class:`~sluis.graphs.UndeclaredGotoError` at run time.

        Raises:
            TopologyError: no destination is given.
        """
        if not destinations:
            raise TopologyError(f"The router after {origin!r} has no destinations.", hint="Declare them.", node=origin)
        mapping = dict(destinations)
        guard = Guard(origin, tuple(mapping.values()), ())
        paths: dict[Hashable, str] = dict(mapping.items())
        self._graph.add_conditional_edges(origin, guarded_router(origin, router, guard, mapping), paths)
        self._edges |= {(origin, target, "router") for target in mapping.values()}
        return self

    @property
    def topology(self) -> Topology:
        """The graph as the proof sees it."""
        return Topology(roles=dict(self._roles), edges=frozenset(self._edges), start=START, end=END)

    def compile(
        self, checkpointer: Checkpointer = None, *, name: str | None = None
    ) -> CompiledStateGraph[Any, Any, Any, Any]:
        """Prove the graph sound and compile it.

        Raises:
            BypassError: an action can be reached without verification; carries the path.
            TopologyError: a node mixes ``Command`` with edges, a destination does not exist, a name is missing.
        """
        for node, ends in sorted(self._commands.items()):
            drawn = sorted(target for origin, target, how in self._edges if origin == node and how != "command")
            if drawn:
                raise TopologyError(
                    f"The node {node!r} returns Command (to {', '.join(ends)}) and also has edges "
                    f"(to {', '.join(drawn)}); LangGraph would follow both.",
                    hint="Use one or the other.",
                    node=node,
                )
        prove(self.topology)
        return self._graph.compile(checkpointer=checkpointer, name=name)
