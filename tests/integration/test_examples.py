"""The Python examples of README and docs run, page by page, in a project as ``sluis new`` makes it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sluis.simulators import RegistrySimulator
from sluis.templates import create_project

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = re.compile(r"^```python\n(?P<code>.*?)^```$", re.DOTALL | re.MULTILINE)

pytestmark = [pytest.mark.slow, pytest.mark.timeout(200)]


def examples() -> list[Any]:
    pages = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
    found = [(page, EXAMPLE.findall(page.read_text(encoding="utf-8"))) for page in pages]
    return [pytest.param(codes, id=str(page.relative_to(ROOT))) for page, codes in found if codes]


@pytest.fixture
def in_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    project = create_project("my-agent", template="case-law", into=tmp_path)
    monkeypatch.chdir(project.path)
    with RegistrySimulator(project.path / "corpus") as registry:
        monkeypatch.setenv("SLUIS_SOURCES__ECLI__URL", registry.url)
        monkeypatch.setenv("SLUIS_GATE__HOLD_SECONDS", "0")
        monkeypatch.setenv("SLUIS_GATE__BUDGET_MS", "5000")
        yield project.path


@pytest.mark.parametrize("codes", examples())
def test_the_examples_of_a_page_run_one_after_the_other(codes: list[str], in_project: Path) -> None:
    names: dict[str, Any] = {"__name__": "example"}
    for number, code in enumerate(codes, 1):
        exec(compile(code, f"example {number}", "exec", dont_inherit=True), names)


def test_the_readme_and_the_page_on_embedding_have_examples() -> None:
    pages = {parameter.id for parameter in examples()}
    assert {"README.md", "docs/embedding-a-graph.md"} <= pages


async def test_the_check_of_the_page_on_embedding_objects_and_does_not() -> None:
    """The example is no decoration: it stops what it says and lets the rest pass."""
    from datetime import UTC, datetime

    from sluis.core import (
        Case,
        CheckContext,
        Completion,
        CompletionStatus,
        Evidence,
        Request,
        RetrievalStamp,
    )
    from sluis.core.reading import read_draft

    text = (ROOT / "docs" / "embedding-a-graph.md").read_text(encoding="utf-8")
    (code,) = (code for code in EXAMPLE.findall(text) if "class NoAdvice" in code)
    names: dict[str, Any] = {}
    exec(code, names)
    now = datetime(2026, 11, 30, tzinfo=UTC)
    digest = "sha256:" + "0" * 64
    stamp = RetrievalStamp(alias="live", collection="c", fingerprint=digest, pins=(digest,), backend="test", at=now)
    request = Request(request_id="req_0001", question="?", recipients=("a.md",), audience="client", tenant="default")

    async def findings(said: str) -> int:
        completion = Completion(status=CompletionStatus.OK, text=said, model="m", drafter="chat")
        case = Case(
            draft=read_draft(completion, locale="nl-NL"),
            evidence=Evidence(items=(), stamp=stamp),
            context=CheckContext(request=request, now=now),
        )
        return len(await names["NoAdvice"]().run(case))

    counted = await asyncio.gather(findings("Wij adviseren beroep."), findings("De termijn is zes maanden."))
    assert tuple(counted) == (1, 0)
