"""The task script: exact versions from the lock, and messages that say what to do."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parents[3]
SHA = "sha256:" + "0" * 64


@pytest.fixture
def tasks() -> ModuleType:
    spec = importlib.util.spec_from_file_location("tasks_under_test", ROOT / "tasks.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def tree(tasks: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of what the task script reads, in a path with a space."""
    root = tmp_path / "a tree"
    root.mkdir()
    for name in ("tasks.py", "pyproject.toml", "uv.lock"):
        (root / name).write_bytes((ROOT / name).read_bytes())
    monkeypatch.setattr(tasks, "ROOT", root)
    monkeypatch.setattr(tasks, "VENV", root / ".venv")
    monkeypatch.setattr(tasks, "STAMP", root / ".venv" / "sluis-environment.json")
    return root


def package(name: str, version: str = "1.0", **more: Any) -> dict[str, Any]:
    return {"name": name, "version": version, "wheels": [{"hash": SHA}], **more}


def lock(*packages: dict[str, Any], dependencies: list[dict[str, Any]], dev: list[dict[str, Any]]) -> dict[str, Any]:
    project = {"name": "sluis", "version": "0", "dependencies": dependencies, "dev-dependencies": {"dev": dev}}
    return {"version": 1, "package": [project, *packages]}


def lines(tasks: ModuleType, data: dict[str, Any], *, runtime: bool = False) -> list[str]:
    return [line.split(" \\\n")[0] for line in tasks.locked_requirements(data, runtime=runtime)]


def test_what_is_reached_twice_is_needed_always_if_one_way_is_unconditional(tasks: ModuleType) -> None:
    data = lock(
        package("a", dependencies=[{"name": "c", "marker": "os_name == 'nt'"}]),
        package("b", dependencies=[{"name": "c"}]),
        package("c"),
        dependencies=[{"name": "a"}, {"name": "b"}],
        dev=[],
    )
    assert lines(tasks, data) == ["a==1.0", "b==1.0", "c==1.0"]


def test_conditions_along_a_way_hold_together(tasks: ModuleType) -> None:
    data = lock(
        package("a", dependencies=[{"name": "b", "marker": "os_name == 'nt' or os_name == 'x'"}]),
        package("b"),
        dependencies=[{"name": "a", "marker": "python_full_version < '3.12'"}],
        dev=[],
    )
    wanted = "b==1.0 ; (python_full_version < '3.12' and (os_name == 'nt' or os_name == 'x'))"
    assert lines(tasks, data) == ["a==1.0 ; (python_full_version < '3.12')", wanted]


def test_extras_bring_their_packages_and_cycles_end(tasks: ModuleType) -> None:
    data = lock(
        package("a", dependencies=[{"name": "b", "extra": ["fast"]}]),
        {**package("b"), "optional-dependencies": {"fast": [{"name": "c"}]}},
        package("c", dependencies=[{"name": "a"}]),
        package("unreached"),
        dependencies=[{"name": "a"}],
        dev=[],
    )
    assert lines(tasks, data) == ["a==1.0", "b==1.0", "c==1.0"]


def test_of_two_versions_each_gets_its_own_condition(tasks: ModuleType) -> None:
    data = lock(
        package("n", "1.0"),
        package("n", "2.0"),
        dependencies=[
            {"name": "n", "version": "1.0", "marker": "python_full_version < '3.12'"},
            {"name": "n", "version": "2.0", "marker": "python_full_version >= '3.12'"},
        ],
        dev=[],
    )
    assert lines(tasks, data) == [
        "n==1.0 ; (python_full_version < '3.12')",
        "n==2.0 ; (python_full_version >= '3.12')",
    ]


def test_the_development_group_can_be_left_out(tasks: ModuleType) -> None:
    data = lock(package("a"), package("pytest"), dependencies=[{"name": "a"}], dev=[{"name": "pytest"}])
    assert lines(tasks, data) == ["a==1.0", "pytest==1.0"]
    assert lines(tasks, data, runtime=True) == ["a==1.0"]


@pytest.mark.parametrize(
    "data",
    [
        {"version": 2, "package": [{"name": "sluis"}]},
        {"version": 1, "package": []},
        lock({"name": "a", "version": "1"}, dependencies=[{"name": "a"}], dev=[]),
    ],
    ids=["a later format", "another project", "no hash"],
)
def test_a_lock_that_cannot_be_trusted_is_refused(tasks: ModuleType, data: dict[str, Any]) -> None:
    with pytest.raises(tasks.TaskError, match=r"uv\.lock"):
        tasks.locked_requirements(data)


def test_the_real_lock_gives_every_dependency_with_a_hash(tasks: ModuleType) -> None:
    data = tomllib.loads((ROOT / "uv.lock").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    written = tasks.locked_requirements(data)
    parsed = [Requirement(line.split(" \\\n")[0]) for line in written]
    names = {requirement.name for requirement in parsed if requirement.marker is None or requirement.marker.evaluate()}
    wanted = [*project["project"]["dependencies"], *project["dependency-groups"]["dev"]]
    assert {Requirement(line).name.lower() for line in wanted} - names == set()
    assert all("--hash=sha256:" in line for line in written)
    assert "sluis" not in names


def test_tools_settings_do_not_make_a_new_environment_but_a_dependency_does(tasks: ModuleType, tree: Path) -> None:
    before = tasks.environment_digest()
    text = (tree / "pyproject.toml").read_text(encoding="utf-8")
    (tree / "pyproject.toml").write_text(text + "\n[tool.other]\nx = 1\n", encoding="utf-8")
    assert tasks.environment_digest() == before
    (tree / "pyproject.toml").write_text(text.replace('"typer>=', '"typer>=0.0,>='), encoding="utf-8")
    assert tasks.environment_digest() != before


def test_a_changed_lock_makes_a_new_environment(tasks: ModuleType, tree: Path) -> None:
    before = tasks.environment_digest()
    (tree / "uv.lock").write_text((tree / "uv.lock").read_text() + "\n", encoding="utf-8")
    assert tasks.environment_digest() != before


def test_an_environment_without_its_stamp_is_not_ready(tasks: ModuleType, tree: Path) -> None:
    assert tasks.ready() is False
    (tree / ".venv").mkdir()
    tasks.STAMP.write_text("{", encoding="utf-8")
    assert tasks.ready() is False


def test_an_old_python_is_told_what_is_needed(tasks: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks.sys, "version_info", (3, 9, 1))
    monkeypatch.setattr(tasks, "other_python", lambda: None)
    with pytest.raises(tasks.TaskError, match=r"Python 3\.11 to 3\.13 is needed; this is 3\.9\.1"):
        tasks.with_supported_python(["test"])


def test_the_script_parses_on_pythons_that_it_refuses() -> None:
    """Else they would see a syntax error and not the message."""
    import ast

    ast.parse((ROOT / "tasks.py").read_text(encoding="utf-8"), feature_version=(3, 6))


def test_a_python_without_ensurepip_says_what_to_install(
    tasks: ModuleType, tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ensurepip", None)
    with pytest.raises(tasks.TaskError, match=r"apt install python3\.\d+-venv"):
        tasks._with_pip()


def fake_run(tasks: ModuleType, tree: Path, said: str) -> None:
    code = f"import sys; print({said!r}); sys.exit(7)"
    tasks._watched([sys.executable, "-c", code], dict(tasks.clean_environ()), what="pip install")


def test_an_index_out_of_reach_is_named_as_the_cause(tasks: ModuleType, tree: Path) -> None:
    with pytest.raises(tasks.TaskError, match="index seems out of reach") as raised:
        fake_run(tasks, tree, "WARNING: Retrying after connection broken by NewConnectionError")
    assert raised.value.code == 3


def test_another_failure_shows_what_the_installer_said(tasks: ModuleType, tree: Path) -> None:
    with pytest.raises(tasks.TaskError, match=r"no space left(.|\n)*exit code 7") as raised:
        fake_run(tasks, tree, "no space left")
    assert "out of reach" not in str(raised.value)


def test_uv_that_fails_is_followed_by_pip(tasks: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[str] = []

    def uv(_path: str) -> None:
        called.append("uv")
        raise tasks.TaskError("no")

    monkeypatch.setattr(tasks, "_with_uv", uv)
    monkeypatch.setattr(tasks, "_with_pip", lambda: called.append("pip"))
    tasks._install("/bin/uv")
    assert called == ["uv", "pip"]


def test_a_shim_that_does_not_run_is_not_uv(tasks: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shim = tmp_path / "uv"
    shim.write_text("#!/bin/sh\nexit 127\n", encoding="utf-8")
    shim.chmod(0o755)
    monkeypatch.delenv("SLUIS_NO_UV", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    assert tasks.usable_uv() is None


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        ([], ["-m", "pytest", "-q", "-m", "not slow"]),
        (["--slow"], ["-m", "pytest", "-q"]),
        (["--only-slow"], ["-m", "pytest", "-q", "-m", "slow"]),
        (["--coverage", "--slow"], ["-m", "coverage", "run", "-m", "pytest", "-q"]),
        (["--slow", "-k", "permit"], ["-m", "pytest", "-q", "-k", "permit"]),
    ],
    ids=["quick", "all", "slow alone", "with coverage", "with pytest's own"],
)
def test_the_test_task_calls_pytest(
    tasks: ModuleType, monkeypatch: pytest.MonkeyPatch, arguments: list[str], wanted: list[str]
) -> None:
    monkeypatch.delenv("SLUIS_TEST_COVERAGE", raising=False)
    called: list[tuple[str, ...]] = []

    def run(*command: str) -> int:
        called.append(command)
        return 0

    monkeypatch.setattr(tasks, "run", run)
    assert tasks.main(["test", *arguments]) == 0
    assert called == [tuple(wanted)]


def test_clean_leaves_what_is_not_its_own(tasks: ModuleType, tree: Path) -> None:
    for name in ("dist", "src/sluis/__pycache__", "mine"):
        (tree / name).mkdir(parents=True)
        (tree / name / "file").write_text("x", encoding="utf-8")
    (tree / ".coverage.1").write_text("x", encoding="utf-8")
    assert tasks.main(["clean"]) == 0
    left = {path.relative_to(tree).as_posix() for path in tree.rglob("*") if path.is_file()}
    assert left == {"tasks.py", "pyproject.toml", "uv.lock", "mine/file"}


def test_a_benchmark_that_is_not_there_is_wrong_use(tasks: ModuleType, tree: Path) -> None:
    with pytest.raises(tasks.TaskError, match="No benchmark nothing"):
        tasks.bench(SimpleNamespace(rest=["nothing"]))


def test_make_calls_the_task_script() -> None:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    for verb in ("demo", "test", "lint", "bench", "docs", "clean"):
        assert f"{verb}: ; @$(PYTHON) tasks.py {verb}\n" in text


def test_no_verb_is_wrong_use() -> None:
    done = subprocess.run([sys.executable, str(ROOT / "tasks.py")], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "demo" in done.stdout
