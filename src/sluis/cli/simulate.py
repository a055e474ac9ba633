"""``sluis simulate``: the outside world, on loopback, with faults."""

from __future__ import annotations

import signal
import threading
from pathlib import Path
from typing import Annotated

import typer

from sluis.core import ConfigurationError

from ._io import JsonFlag, console, emit

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, add_completion=False, help="The outside world, on loopback, with faults.")


class PortTakenError(ConfigurationError):
    """Something else listens there already."""

    code = "usage.configuration.port_taken"


@app.callback()
def _group() -> None:
    """The outside world, on loopback, with faults."""


@app.command()
def registry(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", exists=True, file_okay=False, help="Folder of Rechtspraak XML files.")
    ],
    port: Annotated[int, typer.Option("--port", min=0, max=65_535, help="0 picks a free one.")] = 0,
    latency_ms: Annotated[float, typer.Option("--latency-ms", min=0, help="Waited before each answer.")] = 0.0,
    fault: Annotated[
        list[str] | None,
        typer.Option("--fault", metavar="REF=FAULT", help="Answer a reference, or * for all, with a fault."),
    ] = None,
    as_json: JsonFlag = False,
) -> int:
    """Serve a folder of records as Rechtspraak's open data, until Ctrl-C.

    The base URL is printed on stdout. Faults: --fault, or &fault=NAME in a request's query, or POST /_control with
    {"set_fault": {"reference": "ECLI:...", "fault": "slow_drip"}}.
    """
    from sluis.simulators import FAULTS, RegistrySimulator, UnknownFaultError

    simulator = RegistrySimulator(folder, latency_ms=latency_ms, port=port)
    for order in fault or []:
        reference, equals, name = order.partition("=")
        if not equals:
            raise UnknownFaultError("A --fault is not REF=FAULT.", hint=f"Faults: {', '.join(FAULTS)}, http_<status>.")
        simulator.set_fault(reference, name)
    try:
        simulator.start()
    except OSError as error:
        raise PortTakenError(f"Cannot listen on port {port}: {error.strerror}.", hint="Leave --port out.") from error
    try:
        _announce(simulator.url, len(simulator.references), simulator.skipped, as_json=as_json)
        _until_stopped()
    finally:
        simulator.stop()
    return 0


def _announce(url: str, records: int, skipped: list[str], *, as_json: bool) -> None:
    if as_json:
        emit({"url": url, "records": records, "skipped": skipped})
        return
    typer.echo(url)
    progress = console()
    progress.print(f"Serving {records} records; {len(skipped)} files are none. Ctrl-C stops.", markup=False)
    progress.print(f"Try: sluis source check --source ecli={url} ECLI:...", markup=False, soft_wrap=True)


def _until_stopped() -> None:
    """Wait for Ctrl-C or a request to terminate; either is the wished-for end, so the exit code is 0."""
    stopped = threading.Event()
    previous = {number: signal.signal(number, lambda *_: stopped.set()) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        stopped.wait()
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
