"""Evals: datasets read whole or not at all, scorers that fail closed, nothing that passes by being empty."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluis.core import MalformedValueError, ManualClock, Outcome, OutcomeStatus, RedactedFinding, RefusedError
from sluis.evals import (
    DEFAULT_SCORERS,
    Answer,
    DatasetError,
    EvalCase,
    EvalReport,
    Expectation,
    Score,
    dataset_names,
    load_dataset,
    packaged_dataset,
    run_eval,
    score_case,
)


def _answer(status: OutcomeStatus = OutcomeStatus.RELEASED, reason: str = "released", **changes: Any) -> Answer:
    fields: dict[str, Any] = {"text": "De termijn is 14 dagen. [c1]", "cites": ("ECLI:A",), "findings": ("egress/url",)}
    return Answer(outcome=Outcome(status=status, run_id="run_1", reason=reason), **(fields | changes))


def _case(**expect: Any) -> EvalCase:
    return EvalCase(id="one", question="Hoe lang?", expect=Expectation(**expect))


JUDGED: dict[str, tuple[dict[str, Any], Answer, bool]] = {
    "the right end": ({"status": (OutcomeStatus.RELEASED,)}, _answer(), True),
    "one of two right ends": ({"status": (OutcomeStatus.HELD, OutcomeStatus.RELEASED)}, _answer(), True),
    "another end": ({"status": (OutcomeStatus.BLOCKED,)}, _answer(), False),
    "the right reason": ({"reason": "released"}, _answer(), True),
    "another reason": ({"reason": "void"}, _answer(), False),
    "the right source": ({"cites": ("ECLI:A",)}, _answer(), True),
    "a source missing": ({"cites": ("ECLI:A", "ECLI:B")}, _answer(), False),
    "no source at all": ({"cites": ("ECLI:A",)}, _answer(cites=()), False),
    "a source too much": ({"cites_none_of": ("ECLI:A",)}, _answer(), False),
    "a source kept out": ({"cites_none_of": ("ECLI:B",)}, _answer(), True),
    "the right words": ({"contains": ("14 dagen",)}, _answer(), True),
    "words missing": ({"contains": ("41 dagen",)}, _answer(), False),
    "no draft": ({"contains": ("14 dagen",)}, _answer(text=""), False),
    "words too much": ({"contains_none_of": ("14 dagen",)}, _answer(), False),
    "words kept out": ({"contains_none_of": ("90 dagen",)}, _answer(), True),
    "a finding made": ({"findings": ("egress/url",)}, _answer(), True),
    "a finding missing": ({"findings": ("egress/image",)}, _answer(), False),
    "one of two parts wrong": ({"status": (OutcomeStatus.RELEASED,), "contains": ("x",)}, _answer(), False),
}


@pytest.mark.parametrize("name", JUDGED)
def test_judged(name: str) -> None:
    expect, answer, passes = JUDGED[name]
    scores = score_case(DEFAULT_SCORERS, _case(**expect), answer)
    assert all(item.passed for item in scores) is passes
    assert all(bool(item.detail) is not item.passed for item in scores)


class _Broken:
    name = "broken"

    def score(self, case: EvalCase, answer: Answer) -> Score | None:
        raise KeyError("x")


class _Odd:
    name = "odd"

    def score(self, case: EvalCase, answer: Answer) -> Score | None:
        return True  # type: ignore[return-value]


class _Silent:
    name = "silent"

    def score(self, case: EvalCase, answer: Answer) -> Score | None:
        return None


@pytest.mark.parametrize("scorers", [(), (_Silent(),), (_Broken(),), (_Odd(),), (*DEFAULT_SCORERS, _Broken())])
def test_a_case_that_was_not_judged_fails(scorers: tuple[Any, ...]) -> None:
    scores = score_case(scorers, _case(contains=("14 dagen",)), _answer())
    assert scores
    assert not all(item.passed for item in scores)


@pytest.fixture
def clock() -> ManualClock:
    from datetime import UTC, datetime

    return ManualClock(datetime(2026, 11, 30, tzinfo=UTC))


def test_a_report_names_what_failed_and_how_long_it_took(clock: ManualClock) -> None:
    def ask(question: str) -> Answer:
        clock.advance(0.25)
        return _answer()

    good = _case(contains=("14 dagen",))
    bad = EvalCase(id="two", question="Hoe?", expect=Expectation(contains=("x",)), why="Omdat.")
    told: list[str] = []
    report = run_eval((good, bad), ask, clock=clock, dataset="d", progress=lambda item: told.append(item.id))
    assert report.passed is False
    assert told == ["one", "two"]
    assert report.to_summary() == {"dataset": "d", "passed": False, "cases": 2, "failed": ["two"], "elapsed_ms": 500}
    assert (report.results[1].why, report.results[1].elapsed_ms) == ("Omdat.", 250)
    assert EvalReport.from_json(report.to_json()) == report
    assert run_eval((good,), ask, clock=clock).passed is True


@pytest.mark.parametrize(
    ("error", "code"), [(RuntimeError("geheim"), "RuntimeError"), (RefusedError("geheim"), "refused")]
)
def test_an_agent_that_raises_fails_its_case_and_the_rest_goes_on(
    error: Exception, code: str, clock: ManualClock
) -> None:
    def ask(question: str) -> Answer:
        if question == "Hoe lang?":
            raise error
        return _answer()

    other = EvalCase(id="two", question="Hoe?", expect=Expectation(contains=("14 dagen",)))
    report = run_eval((_case(contains=("14 dagen",)), other), ask, clock=clock)
    assert [item.passed for item in report.results] == [False, True]
    assert (report.results[0].status, report.results[0].reason) == (None, code)
    assert "geheim" not in str(report.to_json())


def test_an_agent_that_gives_no_answer_fails(clock: ManualClock) -> None:
    ask: Any = lambda question: None  # noqa: E731
    assert run_eval((_case(contains=("x",)),), ask, clock=clock).passed is False


def test_no_cases_is_an_error_and_no_results_is_no_pass(clock: ManualClock) -> None:
    with pytest.raises(DatasetError):
        run_eval((), lambda question: _answer(), clock=clock)
    assert EvalReport(dataset="d", results=(), elapsed_ms=0).passed is False


def test_an_expectation_that_expects_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="expects nothing"):
        Expectation()
    with pytest.raises(MalformedValueError):
        EvalCase.from_json({"id": "a", "question": "q", "expect": {}})


GOOD = '{"id":"a","question":"q","expect":{"contains":["x"]}}'
BAD_FILES: dict[str, str] = {
    "empty": "",
    "blank lines": "\n \n",
    "no JSON": f"{GOOD}\nnope",
    "a list": "[]",
    "an unknown field": '{"id":"a","question":"q","expect":{"contians":["x"]}}',
    "a misspelt status": '{"id":"a","question":"q","expect":{"status":["relased"]}}',
    "a text where a list belongs": '{"id":"a","question":"q","expect":{"contains":"x"}}',
    "an empty text, which every draft holds": '{"id":"a","question":"q","expect":{"contains":[""]}}',
    "the same id twice": f"{GOOD}\n{GOOD}",
    "nested without end": "[" * 100_000,
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_bad_dataset_is_refused_whole(name: str, tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    path.write_text(BAD_FILES[name], encoding="utf-8")
    with pytest.raises(DatasetError):
        load_dataset(path)


def test_a_missing_or_unreadable_dataset_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DatasetError):
        load_dataset(tmp_path / "none.jsonl")
    (tmp_path / "d.jsonl").write_bytes(b"\xff")
    with pytest.raises(DatasetError):
        load_dataset(tmp_path / "d.jsonl")


def test_a_dataset_is_read_in_order(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    other = GOOD.replace('"a"', '"b"')
    path.write_text(f"{GOOD}\n\n{other}\n", encoding="utf-8")
    assert [case.id for case in load_dataset(path)] == ["a", "b"]


@given(st.text(max_size=60))
def test_any_text_is_a_dataset_or_a_typed_error(text: str) -> None:
    from sluis.evals.dataset import _read

    with suppress(DatasetError):
        assert _read(text, "d")


def test_the_packaged_datasets_are_read() -> None:
    assert "case_law" in dataset_names()
    assert all(packaged_dataset(name) for name in dataset_names())
    with pytest.raises(DatasetError):
        packaged_dataset("../secrets")


class _Vault:
    """The four calls that reading an answer needs, over values made by hand."""

    def __init__(self, verdict: Any, draft: Any, evidence: Any) -> None:
        self._verdict, self._draft, self._evidence = verdict, draft, evidence

    def get_verdict(self, digest: str) -> Any:
        return self._verdict

    def draft_handle(self, run_id: str, digest: str) -> tuple[str, str]:
        return run_id, digest

    def get_draft(self, handle: tuple[str, str]) -> Any:
        assert handle == ("run_1", self._verdict.draft)
        return self._draft

    def get_evidence(self, run_id: str, digest: str) -> Any:
        assert digest == self._verdict.evidence
        return self._evidence


def _ledger(vault: _Vault) -> Any:
    class Ledger:
        pass

    ledger: Any = Ledger()
    ledger.vault = vault
    return ledger


@pytest.fixture
def make_ledger() -> Callable[..., Any]:
    from types import SimpleNamespace as Plain

    def make(labels: tuple[tuple[str, ...], ...]) -> Any:
        verdict = Plain(draft="sha256:d", evidence="sha256:e")
        draft = Plain(text="Tekst. [c2]", claims=tuple(Plain(labels=item) for item in labels))
        evidence = Plain(by_label=lambda: {"c1": Plain(source_id="A"), "c2": Plain(source_id="B")})
        return _ledger(_Vault(verdict, draft, evidence))

    return make


def test_an_answer_is_read_from_the_ledger(make_ledger: Callable[..., Any]) -> None:
    from sluis.core import digest_text
    from sluis.evals import project_asker, read_answer

    found = RedactedFinding(check="egress", status="block", reason="url", start=0, end=1, undecided=False)
    fine = found.model_copy(update={"status": "pass"})
    outcome = Outcome(
        status=OutcomeStatus.BLOCKED, run_id="run_1", reason="url", findings=(found, fine), verdict=digest_text("v")
    )
    ledger = make_ledger((("c2", "c1"), ("c2", "c9"), ()))
    answer = read_answer(ledger, outcome)
    assert (answer.text, answer.cites, answer.findings) == ("Tekst. [c2]", ("B", "A"), ("egress/url",))

    class Agent:
        def ask(self, question: str) -> Outcome:
            return outcome

    project: Any = type("Project", (), {})()
    project.ledger, project.agent = ledger, Agent()
    assert project_asker(project)("Hoe?") == answer


def test_a_run_without_a_verdict_has_no_text(make_ledger: Callable[..., Any]) -> None:
    from sluis.evals import read_answer

    answer = read_answer(make_ledger(()), Outcome(status=OutcomeStatus.FAILED, run_id="run_1", reason="x"))
    assert (answer.text, answer.cites) == ("", ())
