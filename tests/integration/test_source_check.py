"""``sluis source check`` against ``sluis simulate registry``, as two programs, on real records.

The real records are not part of this repository. They are looked for in ``$SLUIS_SHARED_DATA/rechtspraak`` and in
``../shared/data/rechtspraak`` beside the repository; its ``SOURCES.txt`` says what each must come out as.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from sluis.core import Citation, SourceState
from sluis.simulators import FAULTS, RegistrySimulator
from sluis.sources import Gateway, open_gateway

ROOT = Path(__file__).parents[2]
SHARED = Path(os.environ.get("SLUIS_SHARED_DATA") or ROOT.parent / "shared" / "data") / "rechtspraak"
MADE_UP = ROOT / "tests" / "fixtures" / "rechtspraak"

needs_real_records = pytest.mark.skipif(
    not (SHARED / "SOURCES.txt").is_file(),
    reason=f"the real records are not at {SHARED}; set SLUIS_SHARED_DATA to the folder that holds rechtspraak/",
)

VERDICTS = (
    ("=> SUPERSEDED", ("superseded",)),
    ("=> WITHDRAWN", ("withdrawn",)),
    ("=> OVERTURNED", ("overturned",)),
    ("=> VALID", ("live",)),
    ("=> EXISTS, no text", ("unverifiable", "no_text")),
    ("=> outcome unknown", ("unverifiable", "later_outcome_unknown")),
)


def expected() -> dict[str, tuple[str, ...]]:
    """What SOURCES.txt says of each record."""
    result: dict[str, tuple[str, ...]] = {}
    for line in (SHARED / "SOURCES.txt").read_text(encoding="utf-8").splitlines():
        name = re.match(r"ECLI_([A-Z]+)_([A-Z]+)_([0-9]+)_([A-Z0-9]+)\.", line)
        if name is None:
            continue
        (verdict,) = [outcome for words, outcome in VERDICTS if words in line]
        result[f"ECLI:{':'.join(name.groups())}"] = verdict
    return result


@contextmanager
def register(folder: Path, *options: str) -> Iterator[str]:
    """The simulator as a program of its own; gives its base URL."""
    command = [sys.executable, "-m", "sluis.cli", "simulate", "registry", str(folder), "--json", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        assert program.stdout is not None
        try:
            yield json.loads(program.stdout.readline())["url"]
        finally:
            program.send_signal(signal.SIGINT)
            _, errors = program.communicate(timeout=20)
        assert (program.returncode, errors) == (0, b"")


def check(*arguments: str) -> tuple[int, list[dict[str, Any]]]:
    """Exit code and lines of ``sluis source check --json``."""
    command = [sys.executable, "-m", "sluis.cli", "source", "check", "--json", *arguments]
    done = subprocess.run(command, capture_output=True, timeout=60, check=False, cwd=ROOT)
    assert done.stderr == b""
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


@needs_real_records
def test_every_real_record_comes_out_as_its_source_list_says() -> None:
    wanted = expected()
    assert len(wanted) == 14
    with register(SHARED) as url:
        code, lines = check("--source", f"ecli={url}", *wanted)
    assert code == 1
    assert [line["value"] for line in lines] == list(wanted)
    found = {line["value"]: (line["status"], line["reason"])[: len(wanted[line["value"]])] for line in lines}
    assert found == wanted
    for line in lines:
        assert list(line) == ["kind", "value", "status", "reason", "source", "checked_at", "elapsed_ms", "digest"]
        assert line["source"] == f"{url}/uitspraken/content?id={line['value']}"
        assert line["elapsed_ms"] < 800


@needs_real_records
def test_no_real_record_is_live_when_the_register_fails() -> None:
    with register(SHARED, "--fault", "*=truncated_xml") as url:
        code, lines = check("--source", f"ecli={url}", *expected())
    assert code == 3
    assert {line["status"] for line in lines} == {"unverifiable"}


@pytest.fixture(scope="module")
def real() -> Iterator[tuple[RegistrySimulator, Gateway]]:
    """The real records behind a register in this process, under the deadline of production."""
    with RegistrySimulator(SHARED) as simulator, open_gateway({"ecli": simulator.url}) as gateway:
        yield simulator, gateway


@needs_real_records
@pytest.mark.parametrize("fault", [*FAULTS, "http_404", "http_410", "http_429", "http_500", "http_503"])
def test_a_fault_at_the_first_middle_and_last_of_fourteen_is_never_live(
    fault: str, real: tuple[RegistrySimulator, Gateway]
) -> None:
    simulator, gateway = real
    wanted = expected()
    references = list(wanted)
    broken = {references[0], references[7], references[13]}
    simulator.clear_faults()
    for reference in broken:
        simulator.set_fault(reference, fault)
    statuses = gateway.statuses_sync(tuple(Citation(kind="ecli", value=reference) for reference in references))
    for citation, status in statuses.items():
        if citation.value in broken:
            assert status.status is not SourceState.LIVE
            if fault != "metadata_only":  # what is left of the record still tells of a successor
                assert status.status.value == ("not_found" if fault in ("not_found", "http_404") else "unverifiable")
        elif fault not in ("gzip_bomb", "oversize"):  # three bombs at once may cost the others their time
            assert (status.status.value, status.reason)[: len(wanted[citation.value])] == wanted[citation.value]
        else:
            assert status.status is not SourceState.LIVE or wanted[citation.value] == ("live",)


def test_a_slow_register_is_held_at_the_deadline() -> None:
    with register(MADE_UP, "--latency-ms", "600") as url:
        code, lines = check("--source", f"ecli={url}", "--budget-ms", "200", "ECLI:NL:RBAMS:2098:101")
        assert (code, [line["reason"] for line in lines]) == (3, ["timeout"])
        code, lines = check("--source", f"ecli={url}", "ECLI:NL:RBAMS:2098:101")
        assert (code, [line["status"] for line in lines]) == (0, ["live"])
