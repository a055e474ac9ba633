"""``sluis ask``: one question to the project's agent."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from ._answers import exit_code, read_outcome, tell
from ._io import JsonFlag, ProjectOption, console

__all__ = ["command", "run_ask"]


def run_ask(question: str, *, project: Path | None, to: str | None, deliver: bool, as_json: bool) -> int:
    """Ask and, when wanted, let the relay hand over what is due.

    Returns:
        0 released, 1 blocked, 3 otherwise.
    """
    from sluis.config import ProjectConfig
    from sluis.graphs import open_project

    config = ProjectConfig.load(project)
    begun = time.monotonic()
    with console().status("Opening the project") as status, open_project(config) as opened:
        status.update("Asking: retrieve, filter, rerank, draft, verify, release")
        outcome = opened.agent.ask(question, recipients=None if to is None else (to,))
        elapsed_ms = round((time.monotonic() - begun) * 1000)
        if deliver and outcome.outbox:
            status.update("Relay: checking again and handing over what is due")
            opened.relay.run_once()
        told = read_outcome(opened, question, outcome, elapsed_ms=elapsed_ms)
    tell(told, as_json=as_json)
    return exit_code(outcome)


def command(
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="What to ask.")],
    project: ProjectOption = None,
    to: Annotated[
        str | None,
        typer.Option("--to", metavar="NAME", help="File name of the document, within the publishing folder."),
    ] = None,
    deliver: Annotated[
        bool,
        typer.Option("--deliver/--no-deliver", help="Let the relay hand over what is due once the run has ended."),
    ] = True,
    json_: JsonFlag = False,
) -> int:
    """Ask the project's agent one question.

    The run ends in released, held, in_review, blocked or failed. Exit code: 0 released, 1 blocked, 3 otherwise.
    A released answer is in the outbox; the relay checks it again and hands it over once its hold is over.
    """
    return run_ask(question, project=project, to=to, deliver=deliver, as_json=json_)
