"""Wraps nodes and routers so that they can only go where they said they would."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import wraps
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

from langchain_core.runnables import Runnable, RunnableConfig
from langgraph.errors import ParentCommand
from langgraph.types import Command, Send

from sluis.core import RefusedError

from .topology import TopologyError


class UndeclaredGotoError(RefusedError):
    """A node or router chose a destination that it had not declared, or that does not exist."""

    code = "refused.undeclared_goto"

    def __init__(self, node: str, target: str) -> None:
        super().__init__(
            f"The node {node!r} wants to go to {target!r}, which it has not declared.",
            hint="Declare the destination when adding the node, or correct the name.",
            node=node,
            target=target,
        )


def _targets(goto: Any) -> Iterable[str]:
    for item in goto if isinstance(goto, Sequence) and not isinstance(goto, str) else (goto,):
        yield item.node if isinstance(item, Send) else str(item)


def declared_destinations(node: str, function: Any) -> tuple[str, ...] | None:
    """The destinations in a return annotation ``Command[Literal[...]]``; ``None`` when no ``Command`` is annotated.

    Raises:
        TopologyError: a ``Command`` is annotated without its destinations.
    """
    try:
        annotation = typing.get_type_hints(function).get("return")
    except (NameError, TypeError):
        return None
    kinds = get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)
    for kind in kinds:
        if kind is Command or get_origin(kind) is Command:
            inner = get_args(kind)
            if inner and get_origin(inner[0]) is Literal:
                return tuple(str(value) for value in get_args(inner[0]))
            raise TopologyError(
                f"The node {node!r} returns a Command without saying where it may go.",
                hint="Annotate it as Command[Literal['a', 'b']] or pass destinations=('a', 'b').",
                node=node,
            )
    return None


class Guard:
    """What one node may do.

    Args:
        node: its name.
        destinations: nodes it may go to by ``Command`` or ``Send``.
        parent_destinations: nodes of the parent graph it may go to by ``Command.PARENT``.
    """

    def __init__(self, node: str, destinations: tuple[str, ...], parent_destinations: tuple[str, ...]) -> None:
        self._node = node
        self._here = frozenset(destinations)
        self._parent = frozenset(parent_destinations)

    def check(self, result: Any) -> Any:
        """The result itself, when all its destinations are declared.

        Raises:
            UndeclaredGotoError: one is not.
        """
        for item in result if isinstance(result, list | tuple) else (result,):
            if isinstance(item, Command):
                allowed = self._parent if item.graph == Command.PARENT else self._here
                self._require(allowed, _targets(item.goto))
            elif isinstance(item, Send):
                self._require(self._here, (item.node,))
        return result

    def check_parent(self, command: Command[Any]) -> None:
        """A command that a subgraph sends to this graph: its destinations are this node's.

        Raises:
            UndeclaredGotoError: one is not declared.
        """
        self._require(self._here, _targets(command.goto))

    def _require(self, allowed: frozenset[str], targets: Iterable[str]) -> None:
        for target in targets:
            if target not in allowed:
                raise UndeclaredGotoError(self._node, target)


class _GuardedRunnable(Runnable[Any, Any]):
    """A runnable node (a subgraph, a pair of sync and async functions) under a guard."""

    def __init__(self, inner: Runnable[Any, Any], guard: Guard, name: str) -> None:
        self._inner = inner
        self._guard = guard
        self.name = name

    def invoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:
        try:
            return self._guard.check(self._inner.invoke(input, config, **kwargs))
        except ParentCommand as signal:
            self._guard.check_parent(signal.args[0])
            raise

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:
        try:
            return self._guard.check(await self._inner.ainvoke(input, config, **kwargs))
        except ParentCommand as signal:
            self._guard.check_parent(signal.args[0])
            raise


def guarded(name: str, action: Any, guard: Guard) -> Any:
    """The node under its guard; a function keeps its signature, so LangGraph injects what it asks for.

    Raises:
        TopologyError: the node is neither a function nor a runnable.
    """
    if isinstance(action, Runnable):
        return _GuardedRunnable(action, guard, name)
    if inspect.iscoroutinefunction(action):
        awaited: Callable[..., Awaitable[Any]] = action

        @wraps(action)
        async def run_async(*args: Any, **kwargs: Any) -> Any:
            return guard.check(await awaited(*args, **kwargs))

        return run_async
    if inspect.isfunction(action) or inspect.ismethod(action):

        @wraps(action)
        def run(*args: Any, **kwargs: Any) -> Any:
            return guard.check(action(*args, **kwargs))

        return run
    raise TopologyError(
        f"The node {name!r} is neither a function nor a runnable.",
        hint="Wrap it in a function, or in RunnableLambda(sync, async).",
        node=name,
    )


def guarded_router(node: str, router: Callable[..., Any], guard: Guard, mapping: dict[str, str]) -> Callable[..., Any]:
    """The router, held to the keys of its mapping and to the destinations behind them."""

    def settle(answer: Any) -> Any:
        chosen = answer if isinstance(answer, list | tuple) else [answer]
        for item in chosen:
            if isinstance(item, Send):
                guard.check(item)
            elif item not in mapping:
                raise UndeclaredGotoError(node, str(item))
        return answer

    if inspect.iscoroutinefunction(router):

        @wraps(router)
        async def route_async(*args: Any, **kwargs: Any) -> Any:
            return settle(await router(*args, **kwargs))

        return route_async

    @wraps(router)
    def route(*args: Any, **kwargs: Any) -> Any:
        return settle(router(*args, **kwargs))

    return route
