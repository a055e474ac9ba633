"""The docs say what the code does: commands parse, data reads, generated parts are up to date, codes are explained."""

from __future__ import annotations

import ast
import importlib.util
import json
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import yaml

from sluis.cli.main import VERBS, _load, landed

ROOT = Path(__file__).resolve().parents[3]
FENCE = re.compile(r"^```(?P<language>[a-z]*)\n(?P<body>.*?)^```$", re.DOTALL | re.MULTILINE)


def pages() -> list[Path]:
    return sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def blocks(*languages: str) -> Iterator[tuple[str, str]]:
    """Fenced blocks of the languages, each with the place it stands."""
    for page in pages():
        text = page.read_text(encoding="utf-8")
        for found in FENCE.finditer(text):
            if found.group("language") in languages:
                line = text.count("\n", 0, found.start()) + 1
                yield f"{page.relative_to(ROOT)}:{line}", found.group("body")


def commands() -> list[tuple[str, list[str]]]:
    """Every command of a console block, split at pipes and ampersands, without its comment."""
    found = []
    for place, body in blocks("console"):
        for line in body.splitlines():
            if not line.startswith("$ "):
                continue
            lexer = shlex.shlex(line[2:], posix=True, punctuation_chars="|&")
            lexer.whitespace_split = True
            lexer.commenters = "#"
            part: list[str] = []
            for word in [*lexer, "|"]:
                if set(word) <= {"|", "&"}:
                    if part:
                        found.append((place, part))
                    part = []
                else:
                    part.append(word)
    return found


COMMANDS = commands()


def by_program(*names: str) -> list[Any]:
    return [pytest.param(words, id=f"{place} {' '.join(words)[:60]}") for place, words in COMMANDS if words[0] in names]


def _usage_error() -> type[Exception]:
    import typer

    return next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")


@pytest.mark.parametrize("words", by_program("sluis"))
def test_a_command_in_the_docs_is_one_that_sluis_takes(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "corpus").mkdir()
    monkeypatch.chdir(tmp_path)
    name, *arguments = words[1:]
    assert name in VERBS, f"no verb {name}"
    assert landed(VERBS[name]), f"{name} is not installed"
    command = _load(name, VERBS[name])
    while getattr(command, "commands", None):
        child, *arguments = arguments
        assert child in command.commands, f"no verb {child}"
        command = command.commands[child]
    if arguments == ["--help"]:
        return
    try:
        command.make_context(name, arguments)
    except _usage_error() as error:
        pytest.fail(f"{' '.join(words)}: {error}")


@pytest.fixture(scope="module")
def tasks() -> ModuleType:
    spec = importlib.util.spec_from_file_location("tasks_in_docs", ROOT / "tasks.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("words", by_program("python3"))
def test_a_task_in_the_docs_is_one_that_the_script_takes(words: list[str], tasks: ModuleType) -> None:
    assert words[1] == "tasks.py"
    options = tasks._parser().parse_args(words[2:])
    assert callable(options.task)


def test_commands_in_the_docs_call_nothing_unknown() -> None:
    known = {"sluis", "python3", "python", "echo", "cd", ".ci/run", "pip", "make", "."}
    assert {words[0] for _, words in COMMANDS} <= known


@pytest.mark.parametrize("language", ["json", "toml", "yaml"])
def test_data_in_the_docs_reads(language: str) -> None:
    readers: dict[str, Callable[[str], Any]] = {"json": json.loads, "toml": tomllib.loads, "yaml": yaml.safe_load}
    for place, body in blocks(language):
        try:
            readers[language](body)
        except ValueError as error:
            pytest.fail(f"{place}: {error}")


def test_cases_piped_into_check_in_the_docs_are_json() -> None:
    cases = [words[1] for _, words in COMMANDS if words[0] == "echo"]
    assert cases
    for case in cases:
        assert {"id", "answer", "chunks"} <= set(json.loads(case))


def test_generated_parts_are_up_to_date_and_links_lead_somewhere() -> None:
    done = subprocess.run(
        [sys.executable, str(ROOT / "docs" / "generate.py"), "--check"],
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr


def test_every_error_code_is_explained() -> None:
    """Read from the sources here, so that the generator is not its own judge."""
    text = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")
    codes = {
        statement.value.value
        for portion in ("src", "graphs", "nodes", "policies", "evals")
        for path in (ROOT / portion / "sluis").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef) and node.name.endswith("Error")
        for statement in node.body
        if isinstance(statement, ast.Assign | ast.AnnAssign)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
        and "code" in ast.unparse(statement).split("=")[0]
    }
    assert len(codes) > 20
    assert {code for code in codes if f"`{code}`" not in text} - {"sluis"} == set()
    rows = [line for line in text.splitlines() if line.startswith("| `")]
    assert [line for line in rows if re.search(r"\|\s*\|", line)] == [], "a code without words"


NO_REASONS = frozenset({"chunk_id", "line_break", "review_id", "soft_hyphen", "source_id", "waived_by"})
"""Words of the checks' code that look like reasons and are keys of evidence or of state."""


def test_every_reason_of_a_check_is_explained() -> None:
    explained = set(re.findall(r"`([a-z_]+)`", (ROOT / "docs" / "reasons.md").read_text(encoding="utf-8")))
    words = {
        node.value
        for path in (ROOT / "nodes" / "sluis" / "nodes" / "verify").glob("*.py")
        if path.name != "__init__.py"
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if re.fullmatch(r"[a-z]+(_[a-z]+)+", node.value)
    }
    assert len(words) > 20
    assert words - explained - NO_REASONS == set()


def test_every_status_of_a_completion_is_explained() -> None:
    from sluis.core import CompletionStatus

    text = (ROOT / "docs" / "reasons.md").read_text(encoding="utf-8")
    assert [status for status in CompletionStatus if status != "ok" and f"`{status.value}`" not in text] == []


def test_the_readme_opens_with_five_sentences_the_picture_and_the_two_commands() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    opening = text.split("\n\n")[1]
    assert len(re.findall(r"[.!?](?=\s|$)", opening)) == 5
    picture = text.index("question -> retrieve")
    first, second = text.index("$ python3 tasks.py demo"), text.index("$ python3 tasks.py test")
    assert text.index(opening) < picture < first < second < text.index("## What the demo shows")
    assert ".ci/run" not in text[:first]


def test_the_readme_s_test_command_is_what_ci_calls() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert '"$python" tasks.py test\n' in script


@pytest.mark.parametrize("path", sorted((ROOT / "docs" / "adr").glob("[0-9]*.md")), ids=lambda path: path.stem)
def test_a_decision_has_drivers_options_outcome_and_cost(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for part in ("Status: ", "## Drivers", "## Options", "## Outcome", "## What it costs"):
        assert part in text
    index = (path.parent / "README.md").read_text(encoding="utf-8")
    assert f"]({path.name})" in index


def test_decisions_are_numbered_without_a_gap() -> None:
    numbers = sorted(int(path.name[:4]) for path in (ROOT / "docs" / "adr").glob("[0-9]*.md"))
    assert numbers == list(range(1, len(numbers) + 1))
