"""The demo, as a stranger runs it: one answer out, one blocked, one with a person; and the evals over its records."""

from __future__ import annotations

import ipaddress
import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import pytest

from sluis.core import SystemClock

WITHDRAWN = "ECLI:NL:RBSLUIS:2023:9007"


def _sluis(*arguments: str | Path, cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "sluis.cli", *map(str, arguments)]
    known = {key: value for key, value in os.environ.items() if not key.startswith("SLUIS_")} | environment
    return subprocess.run(
        command, cwd=cwd, env=known, capture_output=True, text=True, encoding="utf-8", timeout=110, check=False
    )


@dataclass(frozen=True, kw_only=True)
class Said:
    """What a verb answered, run in this process."""

    code: int
    out: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Verb = Callable[..., Said]


@pytest.fixture
def verb(capsys: pytest.CaptureFixture[str]) -> Verb:
    from sluis.cli.main import run

    def call(*arguments: str | Path) -> Said:
        code = run([str(argument) for argument in arguments])
        return Said(code=code, out=capsys.readouterr().out)

    return call


@dataclass(frozen=True, kw_only=True)
class Ran:
    """One run of the demo."""

    folder: Path
    report: dict[str, Any]
    code: int
    stderr: str

    def answer(self, scene: str) -> dict[str, Any]:
        found: dict[str, Any] = next(item for item in self.report["answers"] if item["scene"] == scene)
        return found


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    away = tmp_path_factory.mktemp("elsewhere")
    folder = away / "a demo"
    done = _sluis("demo", "--keep", folder, "--json", cwd=away)
    assert done.stdout.count("\n") == 1, done.stderr
    return Ran(folder=folder, report=json.loads(done.stdout), code=done.returncode, stderr=done.stderr)


def test_all_three_end_as_they_should(ran: Ran) -> None:
    ends = {item["scene"]: (item["status"], item["ok"]) for item in ran.report["answers"]}
    assert ends == {"released": ("released", True), "blocked": ("blocked", True), "in_review": ("in_review", True)}
    assert (ran.code, ran.report["ok"]) == (0, True)


def test_the_released_document_holds_the_source_paragraph_and_says_who_wrote_it(ran: Ran) -> None:
    (row,) = ran.answer("released")["published"]
    text = Path(row["path"]).read_text(encoding="utf-8")
    assert row["state"] == "sent"
    assert "14 dagen" in text
    assert "ECLI:NL:RBSLUIS:2024:9002" in text
    assert "> De verhuurder moet de waarborgsom binnen 14 dagen" in text
    assert "geen taalmodel" in text
    assert text == ran.answer("released")["text"]


def test_nothing_else_was_published(ran: Ran) -> None:
    names = sorted(path.name for path in (ran.folder / "out").iterdir())
    assert names == ["waarborgsom.md", "waarborgsom.md.permit.json"]
    for scene in ("blocked", "in_review"):
        answer = ran.answer(scene)
        assert (answer["published"], answer["outbox"], answer["text"], answer["permit_verified"]) == (
            [],
            [],
            None,
            None,
        )


def test_the_blocked_one_names_the_ruling_and_where_it_was_asked(ran: Ran) -> None:
    answer = ran.answer("blocked")
    (found,) = [item for item in answer["findings"] if item["check"] == "citations.live"]
    assert found["evidence"]["value"] == WITHDRAWN
    assert found["evidence"]["status"] == "withdrawn"
    assert found["evidence"]["source"].startswith("http://127.0.0.1:")


@pytest.fixture
def ledger(ran: Ran) -> Iterator[Any]:
    from sluis.core import RandomIds
    from sluis.ledger import Ledger

    with Ledger.open(ran.folder / ".sluis" / "ledger.db", clock=SystemClock(), ids=RandomIds()) as opened:
        yield opened


def test_the_one_with_a_person_waits_in_the_ledger(ran: Ran, ledger: Any) -> None:
    (review,) = ledger.reviews.pending()
    assert review.review_id == ran.answer("in_review")["review_id"]


def test_the_ledger_is_what_was_written(ledger: Any) -> None:
    report = ledger.verify()
    assert report.faults == ()
    assert report.events > 10


def test_the_permit_verifies_offline_and_over_other_bytes_it_does_not(ran: Ran) -> None:
    from sluis.core import ActionKind
    from sluis.permits import Keyring, PermitPayloadMismatchError, verify_permit

    (row,) = ran.answer("released")["published"]
    keyring = Keyring.load(Path(ran.report["public_keys"]))
    data = Path(row["path"]).read_bytes()
    known: Any = {"kind": ActionKind.DOCUMENT, "recipient": "waarborgsom.md", "now": SystemClock().now()}
    permit = verify_permit(Path(row["permit"]).read_bytes(), keyring, payload=data, **known)
    assert permit.run_id == ran.answer("released")["run_id"]
    with pytest.raises(PermitPayloadMismatchError):
        verify_permit(
            Path(row["permit"]).read_bytes(), keyring, payload=data.replace(b"14 dagen", b"41 dagen"), **known
        )


NEXT = ["permit", "review", "ledger"]


@pytest.mark.parametrize("name", NEXT)
def test_what_the_demo_says_to_try_next_works(name: str, ran: Ran, verb: Verb) -> None:
    from sluis.cli.main import VERBS, landed

    if not landed(VERBS[name]):
        pytest.skip(f"sluis {name} is not part of this installation")
    (row,) = ran.answer("released")["published"]
    (key,) = Path(ran.report["public_keys"]).glob("*.pem")
    commands: dict[str, list[str | Path]] = {
        "permit": ["permit", "verify", row["permit"], "--payload", row["path"], "--key", key],
        "review": ["review", "show", ran.answer("in_review")["review_id"], "--project", ran.folder],
        "ledger": ["ledger", "verify", "--project", ran.folder],
    }
    done = verb(*commands[name])
    assert done.code == 0, done.out


def test_it_says_what_it_set_aside_and_how_long_it_took(ran: Ran) -> None:
    assert ran.report["hold_seconds"] == 0
    assert ran.report["drafter"] == "extractive"
    assert ran.report["timings_ms"]["total"] >= sum(item["elapsed_ms"] for item in ran.report["answers"])
    assert "withdraws" in ran.stderr


@pytest.mark.slow
def test_it_takes_less_than_fifteen_seconds_once_installed(tmp_path: Path) -> None:
    # An installation brings compiled modules; where the tests' environment forbids them, the first run makes them.
    compiled = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(tmp_path / "compiled")}
    totals = []
    for name in ("first", "second"):
        done = _sluis("demo", "--keep", tmp_path / name, "--json", cwd=tmp_path, **compiled)
        assert done.returncode == 0, done.stderr
        totals.append(json.loads(done.stdout)["timings_ms"])
    assert totals[-1]["total"] < 15_000, totals


def test_a_folder_with_something_in_it_is_refused_and_left_alone(tmp_path: Path, verb: Verb) -> None:
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    done = verb("demo", "--keep", tmp_path, "--json")
    assert (done.code, done.json["error"]["code"]) == (2, "usage.configuration.demo_folder")
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


@pytest.fixture
def addresses(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The hosts that this process connects or sends to, while the test runs."""
    asked: list[str] = []

    def watched(name: str) -> Callable[..., Any]:
        original = getattr(socket.socket, name)

        def call(self: socket.socket, *arguments: Any) -> Any:
            if self.family in (socket.AF_INET, socket.AF_INET6):
                asked.append(arguments[-1][0])
            return original(self, *arguments)

        return call

    for name in ("connect", "connect_ex", "sendto"):
        monkeypatch.setattr(socket.socket, name, watched(name))
    return asked


def test_people_are_told_the_same_and_what_to_try_next_and_nothing_is_asked_but_loopback(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], addresses: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from sluis.cli.main import run

    monkeypatch.setenv("COLUMNS", "200")
    assert run(["demo", "--keep", str(tmp_path / "demo")]) == 0
    shown = capsys.readouterr()
    for text in ("released", "blocked", "in review", "14 dagen", WITHDRAWN, "sluis permit verify", "sluis new"):
        assert text in shown.out
    assert "no language model was used" in shown.out
    assert "the demo sets that to 0" in shown.out
    assert addresses
    assert all(ipaddress.ip_address(address).is_loopback for address in addresses)


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The demo's records in a project of their own, with a registry that answers for them."""
    from sluis.config import GateConfig, ProjectConfig, SourceConfig
    from sluis.graphs import open_project
    from sluis.simulators import RegistrySimulator

    folder = tmp_path_factory.mktemp("bench")
    with as_file(files("sluis.cli") / "_demo_data") as records, RegistrySimulator(records / "rulings") as registry:
        config = ProjectConfig(
            root=folder,
            sources={"ecli": SourceConfig(url=registry.url)},
            gate=GateConfig(hold_seconds=0, budget_ms=5000),
        )
        with open_project(config) as project:
            project.ingest(records)
            yield project


def test_the_evals_over_the_records_pass(bench: Any) -> None:
    from sluis.evals import packaged_dataset, project_asker, run_eval

    report = run_eval(packaged_dataset("case_law"), project_asker(bench), clock=SystemClock(), dataset="case_law")
    failed = {
        item.id: (item.reason, item.cites, [score.detail for score in item.scores if not score.passed])
        for item in report.results
        if not item.passed
    }
    assert failed == {}
    assert report.passed


def test_an_eval_sends_nothing(bench: Any) -> None:
    out = bench.config.out_path
    assert not out.exists() or list(out.iterdir()) == []


@pytest.mark.slow
def test_ask_prints_the_outcome_and_its_exit_code_says_how_it_ended(ran: Ran, verb: Verb, tmp_path: Path) -> None:
    from sluis.simulators import RegistrySimulator

    folder = tmp_path / "copy"
    shutil.copytree(ran.folder, folder)
    project = ("--project", folder)
    with RegistrySimulator(folder / "corpus" / "rulings") as registry:
        (folder / "sluis.toml").write_text(
            f'[gate]\nhold_seconds = 0\nbudget_ms = 5000\n[sources.ecli]\nurl = "{registry.url}"\n', encoding="utf-8"
        )
        question = "Wat is de termijn voor het indienen van een bezwaarschrift?"
        done = verb("ask", question, *project, "--to", "bezwaar.md", "--json")
        assert (done.code, done.json["status"], done.json["published"][0]["state"]) == (0, "released", "sent")
        assert "6 weken" in (folder / "out" / "bezwaar.md").read_text(encoding="utf-8")
        question = "Welke boete is de aannemer verschuldigd bij te late oplevering van de woning?"
        waits = verb("ask", question, *project, "--to", "boete.md")
        assert waits.code == 3
        assert "later_outcome_unknown" in waits.out
        assert not (folder / "out" / "boete.md").exists()
        registry.withdraw("ECLI:NL:GHSLUIS:2024:9003")
        question = "Hoe lang mag de proeftijd ten hoogste duren bij een arbeidsovereenkomst van 7 maanden?"
        no = verb("ask", question, *project, "--json")
        assert (no.code, no.json["status"], no.json["published"], no.json["text"]) == (1, "blocked", [], None)
        question = "Welke hoogte heeft de waarborgsom ten hoogste?"
        kept = verb("ask", question, *project, "--to", "hoogte.md", "--no-deliver")
        assert kept.code == 0, kept.out
        assert "hoogte.md: held" in kept.out
        assert "sluis relay run" in kept.out
        assert not (folder / "out" / "hoogte.md").exists()


def test_ask_outside_a_project_is_wrong_use(tmp_path: Path, verb: Verb) -> None:
    done = verb("ask", "Hoe lang?", "--project", tmp_path, "--json")
    assert (done.code, done.json["error"]["code"]) == (2, "usage.configuration.no_project")
