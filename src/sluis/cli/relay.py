"""``sluis relay``: the process that checks held rows again and hands them over."""

from __future__ import annotations

import signal
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sluis.core import RandomIds, SystemClock, UndecidedError

from ._io import JsonFlag, ProjectOption, console, emit, out_console, visible
from ._ledger import open_ledger

if TYPE_CHECKING:
    from sluis.ledger import Ledger
    from sluis.relay import Delivery, Relay

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Check held rows again and hand them over.")


@app.callback()
def _group() -> None:
    """Check held rows again and hand them over."""


@contextmanager
def _opened(project: Path | None) -> Iterator[tuple[Relay, Ledger]]:
    from sluis.config import ProjectConfig
    from sluis.corpus.manifest_file import read_manifest
    from sluis.ledger import Ledger
    from sluis.relay import open_project_relay
    from sluis.sources import open_gateway

    config = ProjectConfig.load(project)
    clock = SystemClock()
    urls = {kind: str(source.url) for kind, source in config.sources.items()}
    with Ledger.open(config.ledger_path, clock=clock, ids=RandomIds()) as ledger:
        sources = open_gateway(urls, clock=clock, budget_seconds=config.gate.budget_ms / 1000)
        try:
            yield (
                open_project_relay(
                    config,
                    ledger=ledger,
                    sources=sources,
                    manifest=partial(read_manifest, config.manifest_path),
                    clock=clock,
                ),
                ledger,
            )
        finally:
            sources.close()


@app.command()
def run(
    once: Annotated[bool, typer.Option("--once", help="One pass over what is due, then end.")] = False,
    interval: Annotated[
        float, typer.Option("--interval", metavar="SECONDS", min=0.1, max=3600, help="Between two passes.")
    ] = 5.0,
    project: ProjectOption = None,
    json_: JsonFlag = False,
) -> int:
    """Check every row that is due again and hand over what still holds; a line for each.

    Needs the public keys, the ledger, the manifest and the way out; no signing key, store, model or graph. Runs until
    it is told to stop (Ctrl-C or SIGTERM), and ends after the row in hand. With --once the exit code says what became
    of the pass: 0 all went out (or nothing was due), 1 one was refused, 3 one is deferred, in doubt, or all is paused.
    """
    with _opened(project) as (relay, ledger):
        if once:
            done = relay.run_once()
            _tell(done, as_json=json_)
            pause = ledger.control.paused()
            if pause is not None:
                console().print(visible(f"Everything is paused, by {pause.who}: {pause.reason}"), markup=False)
            return 3 if pause is not None else _code(done)
        _loop(relay, interval=interval, as_json=json_)
    return 0


def _loop(relay: Relay, *, interval: float, as_json: bool) -> None:
    """Pass after pass until a signal; what cannot be judged now is said, and tried again with the next pass."""
    stop = threading.Event()
    before = {number: signal.signal(number, lambda *_: stop.set()) for number in (signal.SIGTERM, signal.SIGINT)}
    said = ""
    try:
        console().print(f"The relay runs, a pass every {interval:g} s; Ctrl-C ends it.", markup=False)
        while not stop.is_set():
            try:
                # One row at a time, so that a signal is heard between two of them.
                done = relay.run_once(limit=1)
                trouble = ""
            except UndecidedError as error:
                done, trouble = (), f"{error.code}: {error.message}"
            _tell(done, as_json=as_json)
            if trouble != said:
                console().print(visible(trouble or "The relay goes on."), markup=False, soft_wrap=True)
                said = trouble
            if not done:
                stop.wait(interval)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@app.command()
def status(project: ProjectOption = None, json_: JsonFlag = False) -> int:
    """How many rows are in which state, and whether all is paused. Exit code 3 when a person is needed."""
    with open_ledger(project) as ledger:
        rows = ledger.outbox.list()
        pause = ledger.control.paused()
    counts = Counter(row.state.value for row in rows)
    waiting = [row.due_at for row in rows if row.state.value in ("held", "released", "deferred")]
    answer: dict[str, Any] = {
        "states": dict(sorted(counts.items())),
        "next_due": min(waiting).isoformat() if waiting else None,
        "paused": None if pause is None else {"reason": pause.reason, "who": pause.who, "at": pause.at.isoformat()},
        "needs_a_person": counts["in_doubt"] + counts["review"],
    }
    if json_:
        emit(answer)
    else:
        out = out_console()
        for state, count in answer["states"].items():
            out.print(f"{state:<10} {count:>6}", markup=False)
        if not rows:
            out.print("The outbox is empty.")
        if pause is not None:
            out.print(visible(f"Everything is paused, by {pause.who}: {pause.reason}"), style="yellow", markup=False)
        if answer["needs_a_person"]:
            out.print("A person is needed: `sluis outbox list --state in_doubt`, `--state review`.", markup=False)
    return 3 if pause is not None or answer["needs_a_person"] else 0


def _tell(done: tuple[Delivery, ...], *, as_json: bool) -> None:
    for delivery in done:
        if as_json:
            emit(delivery.to_json())
            continue
        line = f"{delivery.state.value:<9} {delivery.kind.value} {delivery.recipient} ({delivery.reason})"
        out_console().print(visible(f"{line} {delivery.key}"), markup=False, soft_wrap=True)


def _code(done: tuple[Delivery, ...]) -> int:
    states = {delivery.state.value for delivery in done}
    if states <= {"sent"}:
        return 0
    return 1 if states & {"failed", "review"} else 3
