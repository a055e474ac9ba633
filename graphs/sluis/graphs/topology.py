"""The proof that no action can be reached without verification. Pure; knows nothing of LangGraph.

A graph is sound when all of this holds:

1. Every edge, whether drawn, chosen by a router, or taken by a declared ``Command`` destination, is known.
2. With the verification nodes taken out, no action can be reached from the start.
3. With the verification nodes taken out, no action can be reached from a node that writes or sees a draft
   (drafting, review), wherever that node stands. So a redraft after verification is verified again.
4. There is a verification node if there is an action.

This finds mistakes of the person who draws the graph. It is not the boundary: the permit, the ledger and
the relay are (see ``SECURITY.md``).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from sluis.core import ConfigurationError


class Role(StrEnum):
    """What a node does, as far as the proof is concerned."""

    PLAIN = "plain"
    DRAFT = "draft"
    """Writes or sees what a model wrote."""
    VERIFY = "verify"
    REVIEW = "review"
    """A person decides or rewrites; what comes out is verified again."""
    ACTION = "action"
    """Makes something leave, or hands it to what does."""


class TopologyError(ConfigurationError):
    """The graph cannot be shown to be sound; it is not compiled."""

    code = "usage.configuration.topology"


class BypassError(TopologyError):
    """An action can be reached without verification.

    Attributes:
        path: the nodes of a shortest offending path, first to last.
    """

    code = "usage.configuration.topology.bypass"

    def __init__(self, path: tuple[str, ...], *, why: str) -> None:
        drawn = " -> ".join(path)
        super().__init__(
            f"An action can be reached without verification: {drawn} ({why}).",
            hint="Lead every such path through a verification node.",
            path=drawn,
        )
        self.path = path


@dataclass(frozen=True, kw_only=True)
class Topology:
    """A graph as the proof sees it.

    Attributes:
        roles: every node but start and end.
        edges: ``(from, to, how)``; ``how`` is ``edge``, ``router`` or ``command``.
        start: name of the start node.
        end: name of the end node.
    """

    roles: Mapping[str, Role]
    edges: frozenset[tuple[str, str, str]]
    start: str
    end: str


def _require_known(topology: Topology) -> None:
    known = {*topology.roles, topology.start, topology.end}
    for origin, target, how in sorted(topology.edges):
        for name in (origin, target):
            if name not in known:
                raise TopologyError(
                    f"The {how} from {origin!r} to {target!r} names a node that does not exist: {name!r}.",
                    hint="Add the node or correct the name.",
                    node=name,
                )


def _shortest_path(topology: Topology, origin: str) -> tuple[str, ...] | None:
    """The shortest way from ``origin`` to an action that meets no verification node."""
    following: dict[str, list[str]] = {}
    for source, target, _ in sorted(topology.edges):
        following.setdefault(source, []).append(target)
    came_from: dict[str, str | None] = {origin: None}
    queue = deque([origin])
    while queue:
        node = queue.popleft()
        if topology.roles.get(node) is Role.ACTION:
            path = [node]
            while (before := came_from[path[-1]]) is not None:
                path.append(before)
            return tuple(reversed(path))
        for target in following.get(node, ()):
            if target not in came_from and topology.roles.get(target) is not Role.VERIFY:
                came_from[target] = node
                queue.append(target)
    return None


def prove(topology: Topology) -> None:
    """Check rules 1 to 4.

    Raises:
        BypassError: rule 2, 3 or 4 fails; carries the path.
        TopologyError: rule 1 fails.
    """
    _require_known(topology)
    origins = [(topology.start, "from the start")]
    origins += [
        (name, f"{name!r} writes or sees a draft")
        for name, role in sorted(topology.roles.items())
        if role in (Role.DRAFT, Role.REVIEW)
    ]
    for origin, why in origins:
        path = _shortest_path(topology, origin)
        if path is not None:
            raise BypassError(path, why=why)
