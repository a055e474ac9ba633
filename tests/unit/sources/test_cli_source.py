"""``sluis source check``: lines, order, exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sluis.cli.main import run
from sluis.simulators import RegistrySimulator

CURRENT, VOID, UNKNOWN = "ECLI:NL:RBAMS:2098:101", "ECLI:NL:CRVB:2098:201", "ECLI:NL:GHAMS:2098:601"


@pytest.fixture(autouse=True)
def _no_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    captured = capsys.readouterr()
    assert captured.err == ""
    return [json.loads(line) for line in captured.out.splitlines()]


CASES = {
    "all live": ((CURRENT, CURRENT.lower()), 0),
    "one withdrawn": ((CURRENT, VOID, UNKNOWN), 1),
    "one unknown": (("ECLI:NL:HR:2099:404",), 1),
    "one for a person": ((CURRENT, UNKNOWN), 3),
    "of a kind without a source": (("CVE-2021-44228", CURRENT), 3),
}


@pytest.mark.parametrize("case", CASES)
def test_exit_code_and_order(case: str, simulator: RegistrySimulator, capsys: pytest.CaptureFixture[str]) -> None:
    references, code = CASES[case]
    assert run(["source", "check", "--json", "--source", f"ecli={simulator.url}", *references]) == code
    assert [line["value"].casefold() for line in lines(capsys)] == [text.casefold() for text in references]


def test_a_bad_reference_gets_a_line_and_the_others_are_answered(
    simulator: RegistrySimulator, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = ("HR 2019/1", f"{CURRENT} en {VOID}", f"zie {CURRENT}", "ECLI:NL:\u041dR:2019:1", "")
    assert run(["source", "check", "--json", "--source", f"ecli={simulator.url}", *bad, VOID]) == 2
    *errors, last = lines(capsys)
    assert [line["error"]["code"] for line in errors] == ["usage.input.unreadable_reference"] * len(bad)
    assert (last["value"], last["status"]) == (VOID, "withdrawn")


def test_nothing_but_bad_references_asks_nobody(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["source", "check", "--json", "--source", "ecli=http://127.0.0.1:1", "onzin"]) == 2
    assert "error" in lines(capsys)[0]


@pytest.mark.parametrize(
    ("option", "code"),
    [
        ("ecli", "usage.source_option"),
        ("=http://127.0.0.1", "usage.source_option"),
        ("ecli=", "usage.source_option"),
        ("ecli=gopher://x", "usage.configuration.source_url"),
        ("doi=https://doi.test", "usage.configuration.unknown_source_kind"),
    ],
)
def test_a_source_option_that_is_none(option: str, code: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["source", "check", "--json", "--source", option, CURRENT]) == 2
    assert lines(capsys)[0]["error"]["code"] == code


def test_words_for_a_person(simulator: RegistrySimulator, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["source", "check", "--source", f"ecli={simulator.url}", CURRENT, VOID, "CVE-2021-44228", "onzin"]
    assert run(arguments) == 2
    captured = capsys.readouterr()
    assert "live" in captured.out
    assert "declared it void" in " ".join(captured.out.split())
    assert "no source" in captured.out
    assert "not one citation" in captured.err


def test_the_project_names_the_source_and_the_budget(
    simulator: RegistrySimulator, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    settings = f'[sources.ecli]\nurl = "{simulator.url}"\n[gate]\nbudget_ms = 100\n'
    (tmp_path / "sluis.toml").write_text(settings, encoding="utf-8")
    assert run(["source", "check", "--json", CURRENT]) == 0
    simulator.latency_ms = 400
    assert run(["source", "check", "--json", "--project", str(tmp_path), CURRENT]) == 3
    assert run(["source", "check", "--json", "--budget-ms", "2000", CURRENT]) == 0
    assert [line["reason"] for line in lines(capsys)] == ["current", "timeout", "current"]


def test_a_project_that_was_named_has_to_be_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["source", "check", "--json", "--project", str(tmp_path), CURRENT]) == 2
    assert lines(capsys)[0]["error"]["code"] == "usage.configuration.no_project"
