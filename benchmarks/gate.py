"""The gate to the live sources, against the ways one would write it first.

Fourteen references at a register that takes 200 ms for each answer (the simulator, in a process of its own, on
loopback). Every contender fetches all of them and judges every record with the same code; only the way of asking
differs:

- ``sluis``: one gateway, opened once and used for every gate.
- ``gather``: ``asyncio.gather`` over a new ``httpx.AsyncClient`` for each gate.
- ``loop``: a new ``httpx.Client`` for each gate, one reference after the other.

All run in each round, in turns, so that the machine's mood meets all alike. The measure is the time of a whole gate
divided by that of the slowest single lookup, once the slowest within that gate and once the slowest of a few
lookups made alone in the same round.

Run: ``python benchmarks/gate.py [--rounds N] [--references N] [--latency-ms MS] [--json]``. Exit code 1 when the
median ratio of ``sluis`` to a lookup made alone is above 1.15.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from sluis.core import Citation, SourceState
from sluis.sources import EcliSource, Gateway, open_gateway
from sluis.sources.ecli import read_answer

LIMIT = 1.15
ALONE = 3

RECORD = """<?xml version="1.0" encoding="utf-8"?>
<open-rechtspraak><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dcterms="http://purl.org/dc/terms/">
<rdf:Description><dcterms:identifier>{ecli}</dcterms:identifier><dcterms:accessRights>public</dcterms:accessRights>
<dcterms:date>2098-01-02</dcterms:date></rdf:Description></rdf:RDF>
<uitspraak xmlns="http://www.rechtspraak.nl/schema/rechtspraak-1.0" id="{ecli}:DOC">{body}</uitspraak>
</open-rechtspraak>
"""


@contextmanager
def register(references: list[str], latency_ms: float) -> Iterator[str]:
    """The simulator in its own process, serving one made-up record of some 20 kB for each reference."""
    body = "<para>Deze overweging is verzonnen en dient om de tijd te meten.</para>" * 300
    with tempfile.TemporaryDirectory() as folder:
        for index, ecli in enumerate(references):
            Path(folder, f"{index}.xml").write_text(RECORD.format(ecli=ecli, body=body), encoding="utf-8")
        command = [sys.executable, "-m", "sluis.cli", "simulate", "registry", folder, "--json"]
        command += ["--latency-ms", str(latency_ms)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
            if program.stdout is None:
                raise RuntimeError("the simulator has no output")
            try:
                yield json.loads(program.stdout.readline())["url"]
            finally:
                program.terminate()


def by_sluis(gateway: Gateway, references: list[str]) -> tuple[float, float]:
    """Seconds of a gate, and of the slowest lookup within it."""
    start = time.perf_counter()
    statuses = gateway.statuses_sync(tuple(Citation(kind="ecli", value=ecli) for ecli in references))
    taken = time.perf_counter() - start
    if {status.status for status in statuses.values()} != {SourceState.LIVE}:
        raise RuntimeError("a record was not live; the measurement means nothing")
    return taken, max(status.elapsed_ms for status in statuses.values()) / 1000


def by_gather(source: EcliSource, references: list[str]) -> tuple[float, float]:
    """The same with a new client and ``asyncio.gather``."""

    async def one(client: httpx.AsyncClient, ecli: str) -> float:
        start = time.perf_counter()
        answer = await client.get(source.url(ecli))
        read_answer(answer.content, ecli)
        return time.perf_counter() - start

    async def gate() -> list[float]:
        async with httpx.AsyncClient(trust_env=False) as client:
            return await asyncio.gather(*(one(client, ecli) for ecli in references))

    start = time.perf_counter()
    times = asyncio.run(gate())
    return time.perf_counter() - start, max(times)


def by_loop(source: EcliSource, references: list[str]) -> tuple[float, float]:
    """The same with a new client and one reference after the other."""
    times = []
    start = time.perf_counter()
    with httpx.Client(trust_env=False) as client:
        for ecli in references:
            before = time.perf_counter()
            read_answer(client.get(source.url(ecli)).content, ecli)
            times.append(time.perf_counter() - before)
    return time.perf_counter() - start, max(times)


def measure(references: list[str], latency_ms: float, rounds: int) -> dict[str, object]:
    """Run all contenders and sum up."""
    gates: dict[str, list[float]] = {}
    within: dict[str, list[float]] = {}
    alone: dict[str, list[float]] = {}
    slowest_alone: list[float] = []
    with register(references, latency_ms) as url, open_gateway({"ecli": url}, budget_seconds=30) as gateway:
        source = EcliSource(url)
        contenders: dict[str, Callable[[], tuple[float, float]]] = {
            "sluis": lambda: by_sluis(gateway, references),
            "gather": lambda: by_gather(source, references),
            "loop": lambda: by_loop(source, references),
        }
        for number in range(rounds + 1):
            lone = max(by_sluis(gateway, [ecli])[0] for ecli in references[:ALONE])
            for name, run in contenders.items():
                whole, slowest = run()
                if number == 0:  # warm-up: libraries loaded, connections open
                    continue
                gates.setdefault(name, []).append(whole)
                within.setdefault(name, []).append(whole / slowest)
                alone.setdefault(name, []).append(whole / lone)
            if number:
                slowest_alone.append(lone)
    return {
        "references": len(references),
        "latency_ms": latency_ms,
        "rounds": rounds,
        "slowest_alone_ms": round(statistics.median(slowest_alone) * 1000, 1),
        "contenders": {
            name: {
                "gate_ms": round(statistics.median(times) * 1000, 1),
                "gate_ms_worst": round(max(times) * 1000, 1),
                "to_slowest_within": round(statistics.median(within[name]), 3),
                "to_slowest_alone": round(statistics.median(alone[name]), 3),
                "times_sluis": round(statistics.median(a / b for a, b in zip(times, gates["sluis"], strict=True)), 2),
            }
            for name, times in gates.items()
        },
        "limit": LIMIT,
        "holds": statistics.median(alone["sluis"]) <= LIMIT and statistics.median(within["sluis"]) <= LIMIT,
    }


def show(result: dict[str, object]) -> None:
    """The result as a table."""
    print(
        f"{result['references']} references, {result['latency_ms']:g} ms each, median of {result['rounds']} rounds; "
        f"slowest lookup alone: {result['slowest_alone_ms']} ms"
    )
    columns = ("gate_ms", "gate_ms_worst", "to_slowest_within", "to_slowest_alone", "times_sluis")
    print(f"{'':<8}" + "".join(f"{name:>20}" for name in columns))
    contenders = result["contenders"]
    if not isinstance(contenders, dict):
        raise TypeError("contenders")
    for name, row in contenders.items():
        print(f"{name:<8}" + "".join(f"{row[column]:>20}" for column in columns))
    print(f"whole gate at most {LIMIT} times the slowest lookup: {'holds' if result['holds'] else 'DOES NOT HOLD'}")


def main() -> int:
    """Parse the command line, measure, print."""
    parser = argparse.ArgumentParser(description="The gate to the live sources, side by side.")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--references", type=int, default=14)
    parser.add_argument("--latency-ms", type=float, default=200.0)
    parser.add_argument("--json", action="store_true", dest="as_json")
    arguments = parser.parse_args()
    references = [f"ECLI:NL:RBAMS:2098:{1000 + index}" for index in range(arguments.references)]
    result = measure(references, arguments.latency_ms, arguments.rounds)
    if arguments.as_json:
        print(json.dumps(result))
    else:
        show(result)
    return 0 if result["holds"] else 1


if __name__ == "__main__":
    sys.exit(main())
