"""``sluis new``: a new agent project from a template."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ._io import JsonFlag, emit, out_console

__all__ = ["command", "run_new"]

DEFAULT_TEMPLATE = "case-law"


def command(
    name: Annotated[str, typer.Argument(help="The project's name and its folder's.", metavar="NAME")],
    template: Annotated[str, typer.Option("--template", help="Which template.", metavar="NAME")] = DEFAULT_TEMPLATE,
    into: Annotated[Path, typer.Option("--into", help="The folder to make it in.", metavar="DIR")] = Path(),
    as_json: JsonFlag = False,
) -> int:
    """Make a new agent project from a template.

    The project has its own corpus, policy, evals and tests, and runs at once. Nothing is overwritten.
    """
    return run_new(name, template=template, into=into, as_json=as_json)


def run_new(name: str, *, template: str, into: Path, as_json: bool) -> int:
    """Make the project and say what to do next.

    Raises:
        SluisError: see :func:`sluis.templates.create_project`.
    """
    from sluis.templates import create_project

    project = create_project(name, template=template, into=into)
    if as_json:
        emit(
            {
                "path": str(project.path),
                "package": project.package,
                "template": project.template,
                "files": list(project.files),
            }
        )
        return 0
    console = out_console()
    console.print(f"Made [bold]{project.path}[/bold]: {len(project.files)} files from the template {project.template}.")
    console.print()
    console.print("Its rulings are made up, so a registry of its own answers for them. Next:")
    console.print(f"  cd {into / name}", markup=False)
    console.print("  sluis simulate registry corpus --port 8750 &")
    console.print("  sluis ingest")
    console.print('  sluis ask "Welke opzegtermijn geldt voor de verhuurder?"')
    console.print('  python -m pip install -e ".[test]"', markup=False)
    console.print("  python -m pytest")
    return 0
