"""``sluis demo``: the main job on bundled records."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from ._io import JsonFlag, console, emit, out_console

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

    from ._demo_run import DemoReport

__all__ = ["command", "run_demo_verb"]


def _show(report: DemoReport, out: Console) -> None:
    from rich.rule import Rule
    from rich.text import Text

    from ._answers import show

    for number, result in enumerate(report.results, 1):
        out.print(Rule(f"{number}. {result.scene.name}", align="left"))
        show(result.told, out)
        out.print(Text(f"  {result.scene.story}", style="italic"))
        if result.verified is not None:
            out.print(Text(f"  The permit beside it verifies over its bytes: {'yes' if result.verified else 'NO'}"))
        if not result.ok:
            out.print(Text(f"  This should have ended in {result.scene.expected.value}.", style="bold red"))
    out.print(Rule("What next", align="left"))
    for line in _next(report):
        out.print(Text(line), soft_wrap=True)


def _next(report: DemoReport) -> list[str]:
    folder = report.folder
    lines = [
        f"Everything is in {folder}. Records, courts and cases are made up.",
        "The answers quote the sources; no language model was used. Name one under [model] in sluis.toml.",
        "An answer waits 90 s in the outbox before the relay sends it; the demo sets that to 0.",
        "",
    ]
    row = next((item for result in report.results for item in result.told.published if item.permit is not None), None)
    keys = sorted(report.public_keys.glob("*")) if report.public_keys.is_dir() else []
    if row is not None and keys:
        lines.append("Check the permit with the public key alone:")
        permit, path, key = quote(str(row.permit)), quote(str(row.path)), quote(str(keys[0]))
        lines.append(f"  sluis permit verify {permit} --payload {path} --key {key}")
    review = next((item.told.outcome.review_id for item in report.results if item.told.outcome.review_id), None)
    if review is not None:
        lines.append(
            "Decide what waits for a person. The registry must answer then: start it again in another terminal."
        )
        lines.append(f"  {report.registry}")
        lines.append(f"  sluis review show {review} --project {quote(str(folder))}")
    lines += [
        "Prove that the ledger is what was written:",
        f"  sluis ledger verify --project {quote(str(folder))}",
        *_where(),
        "Make an agent of your own:",
        "  sluis new my-agent --template case-law",
    ]
    return lines


def _where() -> list[str]:
    """Where the command is, for who has not taken its environment into use."""
    if shutil.which("sluis") is not None:
        return []
    return [f"The command `sluis` is {quote(str(Path(sys.executable).with_name('sluis')))}."]


class _Bar:
    """Shows the steps on a bar, and each, once begun, as a line that stays."""

    def __init__(self, bar: Progress, steps: int) -> None:
        self._bar = bar
        self._task = bar.add_task("Starting", total=steps)
        self._begun = 0
        self._text = ""

    def step(self, text: str) -> None:
        self._text = text
        self._bar.update(self._task, completed=self._begun, description=text)
        self._begun += 1
        self._line(f"· {text}")

    def part(self, done: int, total: int | None) -> None:
        share = done / total if total else 0.0
        text = f"{self._text}: {done}" + (f" of {total}" if total else "")
        self._bar.update(self._task, completed=self._begun - 1 + share, description=text)

    def note(self, text: str) -> None:
        self._line(f"! {text}")

    def _line(self, text: str) -> None:
        self._bar.console.print(text, markup=False, style="dim", soft_wrap=True)


def run_demo_verb(*, keep: Path | None, as_json: bool) -> int:
    """Run and show the demo.

    Returns:
        0 when all three questions ended as they should, 1 otherwise.
    """
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    from ._demo_run import STEPS, run_demo

    err = console()
    columns = (SpinnerColumn(), BarColumn(bar_width=24), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=err, transient=True) as bar:
        report = run_demo(keep, _Bar(bar, STEPS))
    if as_json:
        emit(report.to_json())
    else:
        _show(report, out_console())
        err.print(f"Took {report.timings_ms['total'] / 1000:.1f} s.", style="dim")
    return 0 if report.ok else 1


def command(
    keep: Annotated[
        Path | None,
        typer.Option("--keep", metavar="DIR", help="Work in this new or empty folder. Default: a temporary one."),
    ] = None,
    json_: JsonFlag = False,
) -> int:
    """Run the main job on bundled records, with nothing to configure and no network but loopback.

    Three questions: one answer is released as a document with its permit beside it, one is blocked because a ruling
    was withdrawn after it was ingested, one is held for a person. Exit code 0 only if all three ended so.
    """
    return run_demo_verb(keep=keep, as_json=json_)
