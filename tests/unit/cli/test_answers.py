"""What ask and demo say of an outcome, and when the demo may call itself a success."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace as Plain
from typing import Any

import pytest
from rich.console import Console

from sluis.cli._answers import Published, Told, exit_code, read_outcome, show
from sluis.cli._demo_run import SCENES, DemoFolderError, DemoReport, Scene, SceneResult, _folder
from sluis.core import ActionKind, Finding, Outcome, OutcomeStatus, digest_text, finding

DUE = datetime(2026, 3, 2, 9, 1, 30, tzinfo=UTC)
FINDING = finding("citations.live", "block", "void", "De uitspraak [red]is[/red] vervallen.")


def _told(status: OutcomeStatus = OutcomeStatus.RELEASED, reason: str = "released", **changes: Any) -> Told:
    fields: dict[str, Any] = {"question": "Hoe lang?", "findings": (), "published": (), "text": "", "elapsed_ms": 5}
    extra = {key: changes.pop(key) for key in ("error", "review_id") if key in changes}
    return Told(outcome=Outcome(status=status, run_id="run_1", reason=reason, **extra), **(fields | changes))


def _shown(told: Told) -> str:
    out = io.StringIO()
    show(told, Console(file=out, width=200, color_system=None))
    return out.getvalue()


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (OutcomeStatus.RELEASED, 0),
        (OutcomeStatus.BLOCKED, 1),
        (OutcomeStatus.HELD, 3),
        (OutcomeStatus.IN_REVIEW, 3),
        (OutcomeStatus.FAILED, 3),
    ],
)
def test_exit_codes(status: OutcomeStatus, code: int) -> None:
    assert exit_code(Outcome(status=status, run_id="r", reason="x")) == code


def test_words_of_sources_are_never_markup() -> None:
    shown = _shown(_told(OutcomeStatus.BLOCKED, "void", findings=(FINDING,)))
    assert "[red]is[/red]" in shown
    assert "citations.live block (void)" in shown


def test_an_error_is_told_with_its_hint() -> None:
    error = {"code": "x", "message": "De index is leeg.", "hint": "Lees eerst documenten in."}
    shown = _shown(_told(OutcomeStatus.FAILED, "x", error=error))
    assert "De index is leeg." in shown
    assert "Lees eerst documenten in." in shown


def test_an_end_without_findings_is_told_by_its_reason() -> None:
    assert "no_admissible_evidence" in _shown(_told(OutcomeStatus.BLOCKED, "no_admissible_evidence"))


def test_a_review_is_told_with_the_command_for_it() -> None:
    assert "sluis review show rev_1" in _shown(_told(OutcomeStatus.IN_REVIEW, "x", review_id="rev_1"))


class _Vault:
    def __init__(self, *findings: Finding) -> None:
        self._verdict = Plain(findings=findings)

    def get_verdict(self, digest: str) -> Any:
        return self._verdict


def _project(folder: Path, kind: ActionKind = ActionKind.DOCUMENT, state: str = "sent") -> Any:
    row = Plain(recipient="a.md", kind=kind, state=Plain(value=state), payload=digest_text("Tekst."), due_at=DUE)
    passing = FINDING.model_copy(update={"status": "pass"})
    ledger = Plain(vault=_Vault(FINDING, passing), outbox=Plain(get=lambda key: row))
    return Plain(ledger=ledger, config=Plain(out_path=folder))


def _outcome() -> Outcome:
    return Outcome(
        status=OutcomeStatus.RELEASED, run_id="r", reason="released", verdict=digest_text("v"), outbox=("key",)
    )


def test_a_published_document_is_read_with_its_permit_beside_it(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("Tekst.", encoding="utf-8")
    (tmp_path / "a.md.permit.json").write_text("{}", encoding="utf-8")
    told = read_outcome(_project(tmp_path), "Hoe?", _outcome(), elapsed_ms=1)
    assert (told.text, told.findings) == ("Tekst.", (FINDING,))
    (row,) = told.published
    assert (row.path, row.permit, row.state) == (tmp_path / "a.md", tmp_path / "a.md.permit.json", "sent")
    assert told.to_json()["published"][0]["path"] == str(tmp_path / "a.md")
    assert "Tekst." in _shown(told)


def test_a_row_that_is_not_on_disk_has_no_path(tmp_path: Path) -> None:
    told = read_outcome(_project(tmp_path), "Hoe?", _outcome(), elapsed_ms=1)
    assert (told.text, told.published[0].path, told.published[0].permit) == ("", None, None)
    assert told.to_json()["text"] is None


def test_a_document_of_another_run_under_that_name_is_not_shown(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("Een ander antwoord.", encoding="utf-8")
    told = read_outcome(_project(tmp_path), "Hoe?", _outcome(), elapsed_ms=1)
    assert (told.text, told.published[0].path) == ("", None)


def test_a_row_that_waits_has_no_path_whatever_lies_in_the_folder(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("Tekst.", encoding="utf-8")
    told = read_outcome(_project(tmp_path, state="held"), "Hoe?", _outcome(), elapsed_ms=1)
    assert (told.text, told.published[0].path) == ("", None)
    assert told.to_json()["published"][0]["due_at"] == DUE.isoformat()


def test_a_mail_has_no_path_whatever_lies_in_the_folder(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("Tekst.", encoding="utf-8")
    told = read_outcome(_project(tmp_path, ActionKind.MAIL), "Hoe?", _outcome(), elapsed_ms=1)
    assert told.published[0].path is None


def test_a_run_without_a_verdict_has_no_findings(tmp_path: Path) -> None:
    outcome = Outcome(status=OutcomeStatus.FAILED, run_id="r", reason="x")
    assert read_outcome(_project(tmp_path), "Hoe?", outcome, elapsed_ms=1).findings == ()


RELEASED, BLOCKED, REVIEW = SCENES
ROW = Published(key="k", recipient="a.md", state="sent", due_at=DUE, path=Path("a.md"), permit=Path("a.md.permit.json"))
VOID = _told(OutcomeStatus.BLOCKED, "void")
OUT = _told(published=(ROW,), text="Tekst.")

ENDS: dict[str, tuple[Scene, Told, bool | None, bool]] = {
    "released, with a permit that verifies": (RELEASED, OUT, True, True),
    "released, with a permit that does not": (RELEASED, OUT, False, False),
    "released, and nothing on disk": (RELEASED, _told(), None, False),
    "held in place of released": (RELEASED, _told(OutcomeStatus.HELD, "timeout"), None, False),
    "blocked, for the withdrawal": (BLOCKED, VOID, None, True),
    "blocked, for the withdrawal by a finding": (
        BLOCKED,
        _told(OutcomeStatus.BLOCKED, "x", findings=(FINDING,)),
        None,
        True,
    ),
    "blocked, for another reason": (BLOCKED, _told(OutcomeStatus.BLOCKED, "timeout"), None, False),
    "blocked, and yet something went out": (
        BLOCKED,
        _told(OutcomeStatus.BLOCKED, "void", published=(ROW,)),
        None,
        False,
    ),
    "released in place of blocked": (BLOCKED, OUT, True, False),
    "with a person": (REVIEW, _told(OutcomeStatus.IN_REVIEW, "later_outcome_unknown"), None, True),
    "failed in place of with a person": (REVIEW, _told(OutcomeStatus.FAILED, "later_outcome_unknown"), None, False),
}


@pytest.mark.parametrize("name", ENDS)
def test_a_scene_is_fine_only_as_it_should_be(name: str) -> None:
    scene, told, verified, fine = ENDS[name]
    result = SceneResult(scene=scene, told=told, verified=verified)
    assert result.ok is fine
    assert result.to_json()["ok"] is fine


def test_the_demo_is_fine_only_with_all_its_scenes(tmp_path: Path) -> None:
    good = SceneResult(scene=RELEASED, told=OUT, verified=True)
    void = SceneResult(scene=BLOCKED, told=VOID, verified=None)

    def report(*results: SceneResult) -> DemoReport:
        return DemoReport(
            folder=tmp_path, results=results, timings_ms={"total": 1}, counts={}, public_keys=tmp_path, registry=""
        )

    review = SceneResult(scene=REVIEW, told=_told(OutcomeStatus.IN_REVIEW, "later_outcome_unknown"), verified=None)
    assert report(good, void, review).ok is True
    assert report(good, void).ok is False
    assert report().ok is False


def test_the_demo_works_in_new_and_empty_folders_alone(tmp_path: Path) -> None:
    assert _folder(tmp_path / "new" / "one") == tmp_path / "new" / "one"
    assert _folder(tmp_path / "new" / "one") == tmp_path / "new" / "one"
    (tmp_path / "file").write_text("x", encoding="utf-8")
    for taken in (tmp_path, tmp_path / "file"):
        with pytest.raises(DemoFolderError):
            _folder(taken)
    fresh = _folder(None)
    assert list(fresh.iterdir()) == []
    fresh.rmdir()
