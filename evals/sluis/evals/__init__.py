"""Evals: questions with what must come of them, scorers that fail closed, and the run over both."""

from __future__ import annotations

from .answer import Answer, Asker, read_answer
from .dataset import DatasetError, EvalCase, Expectation, dataset_names, load_dataset, packaged_dataset
from .project import project_asker
from .run import CaseResult, EvalReport, run_eval
from .scorers import (
    DEFAULT_SCORERS,
    CitationScorer,
    FindingScorer,
    OutcomeScorer,
    Score,
    Scorer,
    TextScorer,
    score_case,
)

__all__ = [
    "DEFAULT_SCORERS",
    "Answer",
    "Asker",
    "CaseResult",
    "CitationScorer",
    "DatasetError",
    "EvalCase",
    "EvalReport",
    "Expectation",
    "FindingScorer",
    "OutcomeScorer",
    "Score",
    "Scorer",
    "TextScorer",
    "dataset_names",
    "load_dataset",
    "packaged_dataset",
    "project_asker",
    "read_answer",
    "run_eval",
    "score_case",
]
