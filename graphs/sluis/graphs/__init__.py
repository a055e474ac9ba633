"""Graphs: the answer graph, the builder that proves a graph sound, and a project's parts put together."""

from __future__ import annotations

from ._guard import UndeclaredGotoError
from ._interrupts import SwallowedInterruptError, swallowing_lines
from .agent import Agent
from .answer import answer_builder, answer_graph
from .builder import LockGraphBuilder
from .checkpoints import SqliteCheckpoints, sqlite_checkpoints
from .project import Project, open_project
from .topology import BypassError, Role, Topology, TopologyError, prove

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
