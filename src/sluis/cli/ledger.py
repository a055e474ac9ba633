"""``sluis ledger``: prove that the ledger is what was written."""

from __future__ import annotations

from typing import Annotated

import typer

from ._io import JsonFlag, ProjectOption, emit, out_console, visible
from ._ledger import open_ledger

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Prove that the ledger is what was written.")


@app.callback()
def _group() -> None:
    """Prove that the ledger is what was written."""


@app.command()
def verify(
    head: Annotated[
        str | None,
        typer.Option("--head", metavar="DIGEST", help="A head that was noted earlier: it must stand in the chain."),
    ] = None,
    project: ProjectOption = None,
    json_: JsonFlag = False,
) -> int:
    """Walk the chain of events, compare it with the tables, and hash every stored object again.

    Exit code 1 when something is not as it was written. Note the head it prints elsewhere from time to time and give it
    back with --head: then not even who holds the whole database can rewrite what came before unseen.
    """
    with open_ledger(project) as ledger:
        report = ledger.verify(noted_head=head)
    if json_:
        emit({"ok": not report.faults} | report.to_json())
        return 1 if report.faults else 0
    out = out_console()
    for fault in report.faults:
        line = f"{fault.kind:<10} {fault.where}: {fault.message}"
        out.print(visible(line), markup=False, style="red", soft_wrap=True)
    if report.faults:
        out.print(f"The ledger is not what was written: {len(report.faults)} fault(s).", style="red", markup=False)
    else:
        out.print(f"[green]The ledger is what was written[/]: {report.events} events, {report.objects} objects.")
    out.print(f"head {report.head}", markup=False, soft_wrap=True)
    return 1 if report.faults else 0
