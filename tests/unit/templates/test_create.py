"""A project is made whole or not at all, and never over something else."""

from __future__ import annotations

import os
import stat
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluis.config import ProjectConfig
from sluis.sources import parse_ruling
from sluis.templates import (
    ProjectExistsError,
    ProjectNameError,
    TemplateFailedError,
    UnknownTemplateError,
    _create,
    create_project,
    package_name,
    templates,
)


def everything(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*")}


def test_the_case_law_template_is_there() -> None:
    assert "case-law" in [template.name for template in templates()]


def test_a_project_has_the_folders_of_this_repository(tmp_path: Path) -> None:
    project = create_project("my-agent", template="case-law", into=tmp_path)
    assert project.path == tmp_path.resolve() / "my-agent"
    assert project.package == "my_agent"
    tops = {path.name for path in project.path.iterdir()}
    assert {
        "pyproject.toml",
        "sluis.toml",
        "README.md",
        "graphs",
        "nodes",
        "policies",
        "evals",
        "tests",
        "corpus",
    } <= tops
    assert set(project.files) == {name for name in everything(project.path) if (project.path / name).is_file()}
    assert everything(tmp_path) == {"my-agent", *(f"my-agent/{name}" for name in everything(project.path))}


def test_no_placeholder_is_left_in_any_file(tmp_path: Path) -> None:
    project = create_project("my-agent", template="case-law", into=tmp_path)
    for name in project.files:
        text = (project.path / name).read_text(encoding="utf-8")
        assert "{{" not in name + text, name
        assert "{%" not in text, name
        assert not name.endswith(".jinja")


def test_its_python_files_compile_and_it_has_no_package_file_at_the_top(tmp_path: Path) -> None:
    project = create_project("my-agent", template="case-law", into=tmp_path)
    sources = [name for name in project.files if name.endswith(".py")]
    assert sources
    for name in sources:
        compile((project.path / name).read_text(encoding="utf-8"), name, "exec", dont_inherit=True)
    assert not list(project.path.glob("*/my_agent/__init__.py"))


def test_its_settings_are_valid_and_bear_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith("SLUIS_"):
            monkeypatch.delenv(name)
    project = create_project("My_Agent2", template="case-law", into=tmp_path)
    config = ProjectConfig.load(project.path)
    assert config.project.name == "My_Agent2"
    assert config.policy_path is not None
    assert config.policy_path.is_file()
    table = tomllib.loads((project.path / "pyproject.toml").read_text(encoding="utf-8"))
    assert table["project"]["name"] == "my-agent2"


def test_its_rulings_read_and_say_that_they_are_made_up(tmp_path: Path) -> None:
    project = create_project("my-agent", template="case-law", into=tmp_path)
    records = sorted((project.path / "corpus").glob("*.xml"))
    assert len(records) == 4
    for path in records:
        data = path.read_bytes()
        assert parse_ruling(data).ecli.replace(":", "_") == path.stem
        assert b"Made up" in data


BAD_NAMES = {
    "nothing": "",
    "a path": "a/b",
    "a way up": "..",
    "absolute": "/x",
    "a leading hyphen": "-x",
    "a leading digit": "1x",
    "a space": "my agent",
    "a letter outside ASCII": "één",
    "a line end": "agent\n",
    "a null": "a\0b",
    "too long": "a" * 65,
    "a keyword": "lambda",
    "a module of Python": "Email",
    "this library": "sluis",
    "a folder of every project": "tests",
}


@pytest.mark.parametrize("name", BAD_NAMES.values(), ids=BAD_NAMES.keys())
def test_a_name_that_cannot_be_is_refused_before_anything_is_written(name: str, tmp_path: Path) -> None:
    with pytest.raises(ProjectNameError):
        create_project(name, template="case-law", into=tmp_path)
    assert everything(tmp_path) == set()


@given(st.text(max_size=80))
def test_any_name_is_refused_or_gives_an_identifier(name: str) -> None:
    try:
        package = package_name(name)
    except ProjectNameError:
        return
    assert package.isidentifier()
    assert package.isascii()


def test_an_unknown_template_lists_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(UnknownTemplateError) as raised:
        create_project("x", template="insurance-mail", into=tmp_path)
    assert "case-law" in raised.value.hint
    assert everything(tmp_path) == set()


@pytest.mark.parametrize("name", ["../templates", "case_law", ".", ""])
def test_a_template_is_a_name_and_no_path(name: str, tmp_path: Path) -> None:
    with pytest.raises(UnknownTemplateError):
        create_project("x", template=name, into=tmp_path)


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "agent").mkdir()
    (tmp_path / "agent" / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(ProjectExistsError):
        create_project("agent", template="case-law", into=tmp_path)
    assert everything(tmp_path) == {"agent", "agent/mine.txt"}


def test_a_file_or_a_link_of_that_name_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    for name in ("file", "dangling"):
        with pytest.raises(ProjectExistsError):
            create_project(name, template="case-law", into=tmp_path)
    assert (tmp_path / "file").read_text(encoding="utf-8") == "mine"


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    (tmp_path / "agent").mkdir()
    assert (create_project("agent", template="case-law", into=tmp_path).path / "sluis.toml").is_file()


def test_others_may_read_a_project_as_far_as_the_umask_says(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        project = create_project("agent", template="case-law", into=tmp_path)
    finally:
        os.umask(before)
    assert stat.S_IMODE(project.path.stat().st_mode) == 0o755


def test_a_place_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(TemplateFailedError, match="--into"):
        create_project("agent", template="case-law", into=tmp_path / "nowhere")


def test_a_template_that_fails_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise TemplateFailedError("no")

    monkeypatch.setattr(_create, "_render", fail)
    with pytest.raises(TemplateFailedError):
        create_project("agent", template="case-law", into=tmp_path)
    assert everything(tmp_path) == set()


def test_a_disk_that_is_full_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(_create, "_render", fail)
    with pytest.raises(TemplateFailedError, match="No space left"):
        create_project("agent", template="case-law", into=tmp_path)
    assert everything(tmp_path) == set()


def test_copiers_own_complaint_is_a_fault_of_the_template(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import copier
    from copier.errors import InvalidConfigFileError

    def fail(*_: Any, **__: Any) -> None:
        raise InvalidConfigFileError(Path("copier.yml"), False)

    monkeypatch.setattr(copier, "run_copy", fail)
    with pytest.raises(TemplateFailedError, match="case-law"):
        create_project("agent", template="case-law", into=tmp_path)


def test_it_needs_no_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    assert (create_project("agent", template="case-law", into=tmp_path).path / "sluis.toml").is_file()


def test_a_template_runs_no_code() -> None:
    """Nothing in a template's settings may start a program or load an extension."""
    import yaml

    for template in templates():
        settings = yaml.safe_load((Path(_create.__file__).parent / template.folder / "copier.yml").read_text("utf-8"))
        assert not {"_tasks", "_migrations", "_jinja_extensions", "_external_data"} & set(settings)
