"""``sluis new``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sluis.cli.main import run


def test_a_project_is_made_and_the_next_steps_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["new", "my-agent", "--template", "case-law", "--into", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "sluis ingest" in said
    assert "sluis ask" in said
    assert (tmp_path / "my-agent" / "sluis.toml").is_file()


def test_json_names_the_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["new", "agent", "--into", str(tmp_path), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert set(said) == {"path", "package", "template", "files"}
    assert (said["package"], said["template"]) == ("agent", "case-law")
    assert all((Path(said["path"]) / name).is_file() for name in said["files"])


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["new", "a b"], "usage.input.project_name"),
        (["new", "agent", "--template", "support"], "usage.input.unknown_template"),
        (["new", "taken"], "usage.input.project_exists"),
        (["new"], "usage.command_line"),
    ],
    ids=["a name that cannot be", "a template that comes later", "a folder that is there", "no name"],
)
def test_wrong_use_ends_with_2(
    arguments: list[str], code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "taken" / "x").mkdir(parents=True)
    assert run([*arguments, "--into", str(tmp_path), "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["code"] == code
