"""``sluis simulate registry``: says where it is, serves, and ends when asked to."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from sluis.cli.main import run
from sluis.simulators import RegistrySimulator

ECLI = "ECLI:NL:RBAMS:2098:101"


class Visitor:
    """Waits for the simulator to listen, asks it once, and sends the signal that ends it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
        self.answers: list[httpx.Response] = []
        started = threading.Event()
        start = RegistrySimulator.start
        urls: list[str] = []

        def watched(simulator: RegistrySimulator) -> RegistrySimulator:
            start(simulator)
            urls.append(simulator.url)
            started.set()
            return simulator

        def visit() -> None:
            started.wait(10)
            self.answers.append(httpx.get(f"{urls[0]}/uitspraken/content?id={ECLI}", trust_env=False))
            while signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
                time.sleep(0.01)
            os.kill(os.getpid(), number)

        monkeypatch.setattr(RegistrySimulator, "start", watched)
        self.thread = threading.Thread(target=visit)
        self.thread.start()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_serves_until_it_is_told_to_stop(
    number: int, records: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = signal.getsignal(signal.SIGINT)
    visitor = Visitor(monkeypatch, number)
    assert run(["simulate", "registry", str(records), "--json", "--fault", f"{ECLI}=http_503"]) == 0
    visitor.thread.join()
    captured = capsys.readouterr()
    said: dict[str, Any] = json.loads(captured.out)
    assert said["url"].startswith("http://127.0.0.1:")
    assert (said["records"], said["skipped"]) == (len(list(records.glob("*.xml"))), [])
    assert captured.err == ""
    assert visitor.answers[0].status_code == 503
    assert signal.getsignal(signal.SIGINT) is before


def test_words_for_a_person(records: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    visitor = Visitor(monkeypatch, signal.SIGINT)
    assert run(["simulate", "registry", str(records), "--latency-ms", "1"]) == 0
    visitor.thread.join()
    captured = capsys.readouterr()
    assert captured.out.strip().startswith("http://127.0.0.1:")
    assert "sluis source check" in captured.err
    assert visitor.answers[0].status_code == 200


def test_wrong_use(records: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with RegistrySimulator(records) as taken:
        port = str(urlsplit(taken.url).port)
        codes = {
            "usage.configuration.no_records": [str(tmp_path)],
            "usage.configuration.port_taken": [str(records), "--port", port],
            "usage.input.unknown_fault": [str(records), "--fault", f"{ECLI}=smoke"],
            "usage.command_line": [str(tmp_path / "elders")],
        }
        for code, arguments in codes.items():
            assert run(["simulate", "registry", "--json", *arguments]) == 2
            assert json.loads(capsys.readouterr().out)["error"]["code"] == code
    assert run(["simulate", "registry", str(records), "--fault", "smoke"]) == 2
    assert "REF=FAULT" in capsys.readouterr().err
