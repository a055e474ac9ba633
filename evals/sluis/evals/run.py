"""Runs a dataset against an agent."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sluis.core import Clock, OutcomeStatus, SluisError, Value

from .answer import Answer, Asker
from .dataset import DatasetError, EvalCase
from .scorers import DEFAULT_SCORERS, Score, Scorer, score_case

__all__ = ["CaseResult", "EvalReport", "run_eval"]


class CaseResult(Value):
    """One case, asked and scored."""

    id: str
    question: str
    passed: bool
    status: OutcomeStatus | None
    """How the run ended; ``None``: asking raised."""
    reason: str
    scores: tuple[Score, ...]
    cites: tuple[str, ...] = ()
    elapsed_ms: int
    why: str = ""


class EvalReport(Value):
    """All cases of a dataset."""

    dataset: str
    results: tuple[CaseResult, ...]
    elapsed_ms: int

    @property
    def passed(self) -> bool:
        """Whether there were cases and every one passed."""
        return bool(self.results) and all(item.passed for item in self.results)

    def to_summary(self) -> dict[str, object]:
        """Counts and the ids of what failed, as plain JSON values."""
        failed = [item.id for item in self.results if not item.passed]
        return {
            "dataset": self.dataset,
            "passed": self.passed,
            "cases": len(self.results),
            "failed": failed,
            "elapsed_ms": self.elapsed_ms,
        }


def _ask(ask: Asker, question: str) -> Answer | str:
    try:
        said: object = ask(question)
    except Exception as error:  # noqa: BLE001 - an agent that breaks fails its case; the eval goes on
        return error.code if isinstance(error, SluisError) else type(error).__name__
    return said if isinstance(said, Answer) else "no answer"


def _result(case: EvalCase, said: Answer | str, scorers: Sequence[Scorer], elapsed_ms: int) -> CaseResult:
    if isinstance(said, str):
        scores: tuple[Score, ...] = (Score(scorer="ask", passed=False, detail=f"asking failed ({said})"),)
        return CaseResult(
            id=case.id,
            question=case.question,
            passed=False,
            status=None,
            reason=said,
            scores=scores,
            elapsed_ms=elapsed_ms,
            why=case.why,
        )
    scores = score_case(scorers, case, said)
    return CaseResult(
        id=case.id,
        question=case.question,
        passed=all(item.passed for item in scores),
        status=said.outcome.status,
        reason=said.outcome.reason,
        scores=scores,
        cites=said.cites,
        elapsed_ms=elapsed_ms,
        why=case.why,
    )


def run_eval(
    cases: Sequence[EvalCase],
    ask: Asker,
    *,
    clock: Clock,
    dataset: str = "dataset",
    scorers: Sequence[Scorer] = DEFAULT_SCORERS,
    progress: Callable[[CaseResult], None] | None = None,
) -> EvalReport:
    """Ask every case, one after the other, and score the answers.

    Args:
        cases: what to ask.
        ask: the agent; for a project, :func:`sluis.evals.project_asker`.
        clock: for the times of the report.
        dataset: the name of the dataset, for the report.
        scorers: all of them judge every case.
        progress: is told of each result as it comes.

    Raises:
        DatasetError: no cases; nothing asked proves nothing.
    """
    if not cases:
        raise DatasetError("There is no case to ask.", hint="An empty eval proves nothing.")
    begun = clock.monotonic()
    results: list[CaseResult] = []
    for case in cases:
        start = clock.monotonic()
        said = _ask(ask, case.question)
        results.append(_result(case, said, scorers, round((clock.monotonic() - start) * 1000)))
        if progress is not None:
            progress(results[-1])
    return EvalReport(dataset=dataset, results=tuple(results), elapsed_ms=round((clock.monotonic() - begun) * 1000))
