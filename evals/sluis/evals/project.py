"""Evals of a project's own agent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .answer import Answer, Asker, read_answer

if TYPE_CHECKING:
    from sluis.graphs import Project

__all__ = ["project_asker"]


def project_asker(project: Project) -> Asker:
    """Asks the project's agent; nothing is handed to the relay, so an eval sends nothing."""

    def ask(question: str) -> Answer:
        return read_answer(project.ledger, project.agent.ask(question))

    return ask
