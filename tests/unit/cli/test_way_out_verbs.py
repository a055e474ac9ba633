"""``sluis permit|ledger|relay|outbox|review|pause|resume`` on a real ledger with a released and a waiting run."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from sluis.cli.main import run
from sluis.core import OutcomeStatus, SourceState
from sluis.evals.world import GOOD, RULING, World, open_world

Out = pytest.CaptureFixture[str]
CONTROLS = "\x1b[2J\u202e"


@dataclass(frozen=True, kw_only=True)
class Places:
    """A project in the current folder.

    Attributes:
        root: the project.
        row: key of the row of its released run.
        review: id of the review of its waiting run.
        permit, payload, key: the released document, its permit, the public key.
    """

    root: Path
    row: str
    review: str
    permit: Path
    payload: Path
    key: Path


def _released(world: World, name: str) -> str:
    outcome = world.agent.ask("Wanneer moet de waarborgsom terug?", recipients=(name,))
    assert outcome.status is OutcomeStatus.RELEASED
    return outcome.outbox[0]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Places:
    (tmp_path / "sluis.toml").write_text('[project]\nname = "p"\n', encoding="utf-8")
    state = tmp_path / ".sluis"
    state.mkdir()
    with open_world(state) as world:
        _released(world, "first.md")
        world.deliver()
        row = _released(world, "held.md")
        world.sources.says[RULING] = (SourceState.UNVERIFIABLE, "later_outcome_unknown")
        waiting = world.agent.ask(f"Wanneer moet de waarborgsom terug?{CONTROLS}", recipients=("waits.md",))
        assert waiting.review_id is not None
        out = world.out
    monkeypatch.chdir(tmp_path)
    return Places(
        root=tmp_path,
        row=row,
        review=waiting.review_id,
        permit=out / "first.md.permit.json",
        payload=out / "first.md",
        key=next((state / "keys" / "public").glob("*.pem")),
    )


@pytest.fixture
def ask(project: Places, capsys: Out) -> Callable[..., tuple[int, list[dict[str, Any]]]]:
    """Runs a verb with ``--json``: its exit code and what it wrote."""

    def call(*words: object) -> tuple[int, list[dict[str, Any]]]:
        capsys.readouterr()
        code = run([*map(str, words), "--json"])
        return code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return call


Ask = Callable[..., tuple[int, list[dict[str, Any]]]]


# --- permit ---------------------------------------------------------------------------------------------------------


def test_a_permit_verifies_offline_with_the_public_key_alone(
    project: Places, ask: Ask, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    code, [said] = ask("permit", "verify", project.permit, "--payload", project.payload, "--key", project.key)
    assert (code, said["valid"], said["permit"]["recipient"]) == (0, True, "first.md")


REFUSED: dict[str, tuple[Callable[[Places], list[object]], str]] = {
    "other bytes": (lambda p: [p.permit, "--payload", p.key, "--key", p.key], "refused.permit.payload_mismatch"),
    "another recipient": (
        lambda p: [p.permit, "--payload", p.payload, "--key", p.key, "--recipient", "second.md"],
        "refused.permit.recipient_mismatch",
    ),
    "another kind": (
        lambda p: [p.permit, "--payload", p.payload, "--key", p.key, "--kind", "mail"],
        "refused.permit.kind_mismatch",
    ),
    "another run": (
        lambda p: [p.permit, "--payload", p.payload, "--key", p.key, "--run", "run_other"],
        "refused.permit.run_mismatch",
    ),
    "a time after it ended": (
        lambda p: [p.permit, "--payload", p.payload, "--key", p.key, "--at", "now"],
        "refused.permit.expired",
    ),
    "a time before it": (
        lambda p: [p.permit, "--payload", p.payload, "--key", p.key, "--at", "2020-01-01T00:00:00Z"],
        "refused.permit.not_yet_valid",
    ),
    "no permit at all": (
        lambda p: [p.payload, "--payload", p.payload, "--key", p.key],
        "refused.permit.malformed",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_permit_is_refused_for(what: str, project: Places, ask: Ask) -> None:
    arguments, reason = REFUSED[what]
    code, [said] = ask("permit", "verify", *arguments(project))
    assert (code, said["valid"], said["reason"]) == (1, False, reason)


def test_a_permit_of_another_key_is_refused(project: Places, ask: Ask, tmp_path: Path) -> None:
    code, [made] = ask(
        "permit", "keygen", "--private", tmp_path / "new" / "a.pem", "--public", tmp_path / "new" / "pub"
    )
    assert (code, Path(made["private"]).stat().st_mode & 0o777) == (0, 0o600)
    code, [said] = ask("permit", "verify", project.permit, "--payload", project.payload, "--key", made["public"])
    assert (code, said["reason"]) == (1, "refused.permit.unknown_key")


def test_a_permit_shown_is_said_to_be_unverified(project: Places, ask: Ask, capsys: Out) -> None:
    _, [said] = ask("permit", "show", project.permit)
    assert said["verified"] is False
    assert run(["permit", "show", str(project.permit)]) == 0
    assert "Not verified" in capsys.readouterr().out


def test_a_refusal_in_words_goes_to_stderr(project: Places, capsys: Out) -> None:
    words = ["permit", "verify", str(project.permit), "--payload", str(project.key), "--key", str(project.key)]
    assert run(words) == 1
    said = capsys.readouterr()
    assert "other bytes" in said.err
    assert "Valid" not in said.out


WRONG_USE: dict[str, list[str]] = {
    "half a key pair": ["permit", "keygen", "--private", "a.pem"],
    "a time without an offset": ["permit", "verify", "p", "--payload", "p", "--key", "p", "--at", "2026-01-01"],
    "a time that is none": ["permit", "verify", "p", "--payload", "p", "--key", "p", "--at", "soon"],
    "a permit that is not there": ["permit", "show", "nowhere.json"],
    "a pause without a reason": ["pause", "  "],
    "a pause by nobody": ["pause", "why", "--as", ""],
    "a state that is none": ["outbox", "list", "--state", "gone"],
    "a resolution without a side": ["outbox", "resolve", "KEY", "--reason", "why"],
    "a decision of another word": ["review", "decide", "R", "yes", "--shown", "x", "--as", "A. Vos"],
    "a decision about nothing": ["review", "decide", "R", "approve", "--as", "A. Vos"],
    "a decision by nobody": ["review", "decide", "R", "approve", "--shown", "x"],
    "a rewrite without a text": ["review", "decide", "R", "revise", "--shown", "x", "--as", "A", "--rewrite", "1"],
    "a claim rewritten twice": [
        *["review", "decide", "R", "revise", "--shown", "x", "--as", "A"],
        *["--rewrite", "1=a", "--rewrite", "1=b"],
    ],
}


@pytest.mark.parametrize("what", WRONG_USE)
def test_wrong_use_is_refused_with_2(what: str, project: Places, ask: Ask) -> None:
    words = [str(project.permit) if word == "p" else word for word in WRONG_USE[what]]
    code, [said] = ask(*words)
    assert code == 2
    assert said["error"]["code"].startswith("usage.")


# --- ledger ---------------------------------------------------------------------------------------------------------


def test_the_ledger_verifies_and_its_head_can_be_given_back(project: Places, ask: Ask, capsys: Out) -> None:
    code, [said] = ask("ledger", "verify")
    assert (code, said["ok"], said["faults"]) == (0, True, [])
    ask("pause", "something happens after the head")
    assert ask("ledger", "verify", "--head", said["head"])[0] == 0
    code, [other] = ask("ledger", "verify", "--head", f"sha256:{1:064x}")
    assert (code, [fault["kind"] for fault in other["faults"]]) == (1, ["noted_head"])
    assert run(["ledger", "verify"]) == 0
    assert "is what was written" in capsys.readouterr().out


def test_an_edited_row_is_found(project: Places, ask: Ask, capsys: Out) -> None:
    with sqlite3.connect(project.root / ".sluis" / "ledger.db") as connection:
        connection.execute("UPDATE outbox SET state = 'sent' WHERE key = ?", (project.row,))
    connection.close()
    code, [said] = ask("ledger", "verify")
    assert (code, said["ok"], [fault["where"] for fault in said["faults"]]) == (1, False, [project.row])
    assert run(["ledger", "verify"]) == 1
    assert "is not what was written" in capsys.readouterr().out


def test_a_ledger_that_is_not_there_is_no_ledger_without_faults(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    (tmp_path / "sluis.toml").write_text('[project]\nname = "p"\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for words in (["ledger", "verify"], ["outbox", "list"], ["review", "list"], ["relay", "status"], ["resume"]):
        assert run([*words, "--json"]) == 2
        assert json.loads(capsys.readouterr().out)["error"]["code"] == "usage.configuration.no_ledger"
    assert not (tmp_path / ".sluis").exists()


def test_a_project_can_be_paused_before_its_first_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out
) -> None:
    (tmp_path / "sluis.toml").write_text('[project]\nname = "p"\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert run(["pause", "not yet", "--as", "A. Vos"]) == 0
    assert run(["relay", "status"]) == 3
    assert "A. Vos: not yet" in capsys.readouterr().out


# --- pause, resume, relay, outbox -----------------------------------------------------------------------------------


def test_a_pause_stops_the_relay_and_keeps_its_own_reason(project: Places, ask: Ask, capsys: Out) -> None:
    assert ask("pause", "a ruling looks wrong", "--as", "A. Vos")[0] == 0
    code, [again] = ask("pause", "another reason", "--as", "B. Vos")
    assert (code, again["already"], again["reason"], again["who"]) == (0, True, "a ruling looks wrong", "A. Vos")
    assert ask("relay", "run", "--once") == (3, [])
    code, [status] = ask("relay", "status")
    assert (code, status["states"], status["paused"]["who"]) == (3, {"held": 1, "sent": 1}, "A. Vos")
    assert run(["outbox", "list"]) == 0
    assert "Everything is paused" in capsys.readouterr().out
    code, [ended] = ask("resume")
    assert (code, ended["was"]["reason"]) == (0, "a ruling looks wrong")
    assert ask("resume") == (0, [{"paused": False, "was": None}])


def test_the_relay_refuses_a_row_whose_permit_has_ended_and_says_so_with_1(project: Places, ask: Ask) -> None:
    code, [said] = ask("relay", "run", "--once")
    assert (code, said["key"], said["state"], said["reason"]) == (1, project.row, "failed", "permit_expired")
    assert ask("relay", "run", "--once") == (0, [])


def test_the_relay_runs_without_the_signing_key(project: Places, ask: Ask) -> None:
    (project.root / ".sluis" / "keys" / "signing.pem").unlink()
    assert ask("relay", "run", "--once")[0] == 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_the_relay_runs_until_it_is_told_to_stop(number: signal.Signals, project: Places) -> None:
    words = [sys.executable, "-m", "sluis.cli", "relay", "run", "--interval", "0.1", "--json"]
    with subprocess.Popen(
        words, cwd=project.root, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=dict(os.environ)
    ) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        process.send_signal(number)
        rest, _ = process.communicate(timeout=30)
    assert (json.loads(line)["key"], rest, process.returncode) == (project.row, b"", 0)


def test_a_row_is_listed_shown_and_taken_back(project: Places, ask: Ask) -> None:
    code, rows = ask("outbox", "list")
    assert (code, [(row["recipient"], row["state"]) for row in rows]) == (
        0,
        [("first.md", "sent"), ("held.md", "held")],
    )
    assert [row["key"] for row in ask("outbox", "list", "--state", "held")[1]] == [project.row]
    _, [shown] = ask("outbox", "show", project.row)
    assert shown["permit"]["recipient"] == "held.md"
    assert [event["kind"] for event in shown["events"]] == ["outbox.admit"]
    code, [row] = ask("outbox", "cancel", project.row, "--reason", "no longer needed", "--as", "A. Vos")
    assert (code, row["state"]) == (0, "cancelled")
    code, [said] = ask("outbox", "cancel", project.row, "--reason", "again")
    assert (code, said["error"]["code"]) == (1, "refused.transition")
    assert ask("relay", "run", "--once") == (0, [])


@pytest.mark.parametrize(
    ("step", "state"),
    [
        (("resolve", "--sent"), "sent"),
        (("resolve", "--not-sent"), "failed"),
        (("approve",), "released"),
        (("reject",), "failed"),
    ],
)
def test_a_person_s_word_settles_what_waits_for_it(
    step: tuple[str, ...], state: str, project: Places, ask: Ask
) -> None:
    before = "in_doubt" if step[0] == "resolve" else "review"
    _put(project, before)
    code, [said] = ask("relay", "status")
    assert (code, said["needs_a_person"]) == (3, 1)
    verb, *side = step
    code, [row] = ask("outbox", verb, project.row, *side, "--reason", "asked the receiver", "--as", "A. Vos")
    assert (code, row["state"]) == (0, state)
    _, [shown] = ask("outbox", "show", project.row)
    assert shown["events"][-1]["data"]["who"] == "A. Vos"


def _put(project: Places, state: str) -> None:
    """Bring the held row there as a relay would."""
    from sluis.core import RandomIds, SystemClock
    from sluis.ledger import Ledger, OutboxStep

    step = {"in_doubt": OutboxStep.DOUBT, "review": OutboxStep.QUESTION}[state]
    with Ledger.open(project.root / ".sluis" / "ledger.db", clock=SystemClock(), ids=RandomIds()) as ledger:
        claim = ledger.outbox.claim()
        assert claim is not None
        ledger.outbox.settle(claim, step, reason="as_the_test_says")


def test_an_unknown_row_is_refused_by_name(ask: Ask) -> None:
    code, [said] = ask("outbox", "show", "out_none")
    assert (code, said["error"]["code"]) == (1, "refused.unknown_row")


def test_people_read_tables_and_lines(project: Places, capsys: Out) -> None:
    assert run(["outbox", "list"]) == 0
    assert run(["outbox", "show", project.row]) == 0
    assert run(["relay", "status"]) == 0
    assert run(["outbox", "cancel", project.row, "--reason", "why"]) == 0
    said = capsys.readouterr().out
    assert "held.md" in said
    assert "outbox.admit" in said
    assert "cancelled" in said


# --- review ---------------------------------------------------------------------------------------------------------


def test_a_review_shows_findings_claims_and_the_cited_paragraph(project: Places, ask: Ask, capsys: Out) -> None:
    code, [waiting] = ask("review", "list")
    assert (code, waiting["review_id"]) == (0, project.review)
    _, [shown] = ask("review", "show", project.review)
    assert shown["shown"] == waiting["shown"]
    assert [claim["text"] for claim in shown["claims"]] == [GOOD]
    assert [item["reason"] for item in shown["findings"]] == ["later_outcome_unknown"]
    assert shown["sources"][0]["label"] == "c1"
    assert run(["review", "show", project.review]) == 0
    said = capsys.readouterr().out
    assert GOOD in said
    assert f"--shown {shown['shown']}" in said


def test_what_could_repaint_the_reviewer_s_screen_is_shown_as_what_it_is(project: Places, capsys: Out) -> None:
    assert run(["review", "list"]) == 0
    assert run(["review", "show", project.review]) == 0
    said = capsys.readouterr().out
    assert "\x1b" not in said
    assert "\u202e" not in said
    assert "\\x1b[2J\\u202e" in said


def test_a_decision_about_something_else_changes_nothing(project: Places, ask: Ask) -> None:
    words = ("review", "decide", project.review, "approve", "--shown", f"sha256:{0:064x}", "--as", "A. Vos")
    code, [said] = ask(*words)
    assert (code, said["error"]["code"]) == (1, "refused.shown_mismatch")
    assert ask("review", "list")[1][0]["state"] == "pending"


def test_a_review_whose_verdict_was_exchanged_is_not_shown_and_not_decided(project: Places, ask: Ask) -> None:
    with sqlite3.connect(project.root / ".sluis" / "ledger.db") as connection:
        connection.execute("UPDATE reviews SET shown = ?", (f"sha256:{7:064x}",))
    connection.close()
    code, [said] = ask("review", "show", project.review)
    assert (code, said["error"]["code"]) == (3, "integrity.shown_changed")
    words = ("review", "decide", project.review, "approve", "--shown", f"sha256:{7:064x}", "--as", "A. Vos")
    assert ask(*words)[1][0]["error"]["code"] == "integrity.shown_changed"


def test_a_rejection_ends_the_run_as_blocked_and_stands(project: Places, ask: Ask) -> None:
    _, [shown] = ask("review", "show", project.review)
    words = ("review", "decide", project.review, "reject", "--shown", shown["shown"], "--as", "A. Vos")
    code, [said] = ask(*words)
    assert (code, said["status"], said["reason"]) == (1, "blocked", "rejected_by_reviewer")
    assert ask("review", "list") == (0, [])
    code, [again] = ask("review", "continue", project.review)
    assert (code, again["reason"]) == (1, "rejected_by_reviewer")
    code, [second] = ask(*words)
    assert (code, second["error"]["code"]) == (1, "refused.already_decided")
    assert run(["review", "show", project.review]) == 0


def test_a_run_without_a_decision_goes_on_waiting(project: Places, ask: Ask) -> None:
    code, [said] = ask("review", "continue", project.review)
    assert (code, said["status"], said["review_id"]) == (3, "in_review", project.review)
