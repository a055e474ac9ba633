"""Graphs: the answer graph, the builder that proves a graph sound, and a project's parts put together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sluis.core.lazy import attribute

from ._guard import UndeclaredGotoError
from ._interrupts import SwallowedInterruptError, swallowing_lines
from .agent import Agent
from .answer import answer_builder, answer_graph
from .builder import LockGraphBuilder
from .checkpoints import SqliteCheckpoints, sqlite_checkpoints
from .topology import BypassError, Role, Topology, TopologyError, prove

if TYPE_CHECKING:
    from .project import Project, open_project

_HOMES = {"Project": "project", "open_project": "project"}


def __getattr__(name: str) -> Any:
    # A project brings stores, encoders and transports; who only builds a graph does not wait for them.
    return attribute(__name__, _HOMES, name)


__all__ = [
    "Agent",
    "BypassError",
    "LockGraphBuilder",
    "Project",
    "Role",
    "SqliteCheckpoints",
    "SwallowedInterruptError",
    "Topology",
    "TopologyError",
    "UndeclaredGotoError",
    "answer_builder",
    "answer_graph",
    "open_project",
    "prove",
    "sqlite_checkpoints",
    "swallowing_lines",
]
