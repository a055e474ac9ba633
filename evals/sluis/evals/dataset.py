"""Questions with what must come of them: JSON lines, one case a line."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Annotated

from pydantic import Field, model_validator

from sluis.core import InputError, OutcomeStatus, SluisError, Value

__all__ = ["DatasetError", "EvalCase", "Expectation", "dataset_names", "load_dataset", "packaged_dataset"]

Text = Annotated[str, Field(min_length=1)]


class DatasetError(InputError):
    """A dataset is missing, empty, malformed, or names a case twice."""

    code = "usage.input.dataset"


class Expectation(Value):
    """What must hold of the answer. At least one field is filled in; an empty expectation would pass anything."""

    status: Annotated[tuple[OutcomeStatus, ...], Field(max_length=5)] = ()
    """The ends that are right."""
    reason: Annotated[str, Field(pattern=r"^([a-z][a-z0-9_.]*)?$")] = ""
    """The outcome's reason code."""
    cites: tuple[Text, ...] = ()
    """Sources (ids) that the draft must cite, all of them."""
    cites_none_of: tuple[Text, ...] = ()
    """Sources that it must not cite."""
    contains: tuple[Text, ...] = ()
    """Texts that must stand in the draft, letter for letter."""
    contains_none_of: tuple[Text, ...] = ()
    """Texts that must not."""
    findings: tuple[Text, ...] = ()
    """``check/reason`` of findings that must have been made."""

    @model_validator(mode="after")
    def _says_something(self) -> Expectation:
        if not any(getattr(self, name) for name in type(self).model_fields):
            raise ValueError("an expectation that expects nothing")
        return self


class EvalCase(Value):
    """One question."""

    id: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$")]
    question: Annotated[str, Field(min_length=1, max_length=8000)]
    expect: Expectation
    why: str = ""
    """For the reader of a failed case."""


def dataset_names() -> tuple[str, ...]:
    """The packaged datasets."""
    folder = files("sluis.evals") / "datasets"
    return tuple(sorted(item.name.removesuffix(".jsonl") for item in folder.iterdir() if item.name.endswith(".jsonl")))


def packaged_dataset(name: str) -> tuple[EvalCase, ...]:
    """A packaged dataset by name.

    Raises:
        DatasetError: there is none of that name.
    """
    if name not in dataset_names():
        raise DatasetError(f"There is no dataset {name!r}.", hint=f"Packaged are: {', '.join(dataset_names())}.")
    return _read((files("sluis.evals") / "datasets" / f"{name}.jsonl").read_text(encoding="utf-8"), name)


def load_dataset(path: Path) -> tuple[EvalCase, ...]:
    """A dataset from a file.

    Raises:
        DatasetError: it cannot be read, holds no case, holds one that is malformed or one id twice. A dataset is
            read whole or not at all: a case lost would be a case passed.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DatasetError(
            f"The dataset {path} cannot be read.", hint="Name a file of JSON lines, in UTF-8."
        ) from error
    return _read(text, str(path))


def _read(text: str, name: str) -> tuple[EvalCase, ...]:
    cases: list[EvalCase] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            cases.append(EvalCase.from_json(json.loads(line)))
        except (ValueError, RecursionError, SluisError) as error:
            what = error.message if isinstance(error, SluisError) else "it is not JSON"
            raise DatasetError(f"Line {number} of {name}: {what}", hint="Mend the line.", line=number) from error
    if not cases:
        raise DatasetError(f"The dataset {name} holds no case.", hint="An empty eval proves nothing.")
    seen: set[str] = set()
    for case in cases:
        if case.id in seen:
            raise DatasetError(f"The dataset {name} holds the case {case.id!r} twice.", hint="Give each its own id.")
        seen.add(case.id)
    return tuple(cases)
