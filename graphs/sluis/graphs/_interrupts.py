"""Finds handlers that would swallow LangGraph's interrupt, and so turn a hold into consent.

``interrupt()`` works by raising; ``except Exception`` around it makes the node go on with whatever the
handler says. Read from source, so it finds mistakes and proves nothing.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from typing import Any

from .topology import TopologyError

_BROAD = frozenset({"Exception", "BaseException", "GraphBubbleUp", "GraphInterrupt"})


class SwallowedInterruptError(TopologyError):
    """A node calls ``interrupt`` inside a handler that would swallow it."""

    code = "usage.configuration.topology.swallowed_interrupt"


def _names(handler: ast.ExceptHandler) -> set[str]:
    if handler.type is None:
        return {"BaseException"}
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return {
        kind.attr if isinstance(kind, ast.Attribute) else kind.id
        for kind in kinds
        if isinstance(kind, ast.Attribute | ast.Name)
    }


def _reraises_first(handler: ast.ExceptHandler) -> bool:
    first = handler.body[0]
    return isinstance(first, ast.Raise) and first.exc is None


def _calls_interrupt(statements: list[ast.stmt]) -> bool:
    for statement in statements:
        for node in ast.walk(statement):
            if isinstance(node, ast.Call):
                called = node.func
                name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", None)
                if name == "interrupt":
                    return True
    return False


def swallowing_lines(source: str) -> tuple[int, ...]:
    """Line numbers, from 1, of handlers in ``source`` that would swallow an interrupt.

    A handler listed after one that raises bubble-ups on again is fine.
    """
    lines: list[int] = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Try | ast.TryStar) or not _calls_interrupt(node.body):
            continue
        for handler in node.handlers:
            names = _names(handler)
            if _reraises_first(handler):
                if names & {"GraphBubbleUp", "BaseException", "Exception"}:
                    break
                continue
            if names & _BROAD:
                lines.append(handler.lineno)
    return tuple(sorted(lines))


def refuse_swallowed_interrupts(node: str, action: Any) -> None:
    """Refuse a node whose source swallows an interrupt; one without readable source is let be.

    Raises:
        SwallowedInterruptError: it would.
    """
    function = getattr(action, "func", action)
    try:
        source = textwrap.dedent(inspect.getsource(function))
        lines = swallowing_lines(source)
    except (OSError, TypeError, SyntaxError):
        return
    if lines:
        raise SwallowedInterruptError(
            f"The node {node!r} would swallow its own interrupt (line {lines[0]} of its source).",
            hint="Catch the errors you expect by name, or raise GraphBubbleUp on first.",
            node=node,
            line=lines[0],
        )
