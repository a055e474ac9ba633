"""The wheel, built through the sdist, holds every file of every portion and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PORTIONS = ("src", "graphs", "nodes", "policies", "evals")

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist and the wheel made from it; ``SLUIS_DIST`` names one that is there already."""
    given = os.environ.get("SLUIS_DIST")
    if given:
        return Path(given)
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=500, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return folder


def wheel_names(dist: Path) -> set[str]:
    (wheel,) = dist.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def ignored(path: Path) -> bool:
    return "__pycache__" in path.parts or path.suffix == ".pyc"


def test_every_file_of_every_portion_is_in_the_wheel(dist: Path) -> None:
    wanted = {
        path.relative_to(ROOT / portion).as_posix()
        for portion in PORTIONS
        for path in (ROOT / portion / "sluis").rglob("*")
        if path.is_file() and not ignored(path)
    }
    assert len(wanted) > 50
    assert wanted - wheel_names(dist) == set()


def test_nothing_else_is_in_the_wheel(dist: Path) -> None:
    """No top-level module ``nodes`` or ``graphs``, no tests, no namespace ``__init__``."""
    names = wheel_names(dist)
    tops = {name.split("/", 1)[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"sluis"}
    assert "sluis/__init__.py" not in names
    inside = {name for name in names if name.startswith("sluis/")}
    sources = {
        path.relative_to(ROOT / portion).as_posix()
        for portion in PORTIONS
        for path in (ROOT / portion / "sluis").rglob("*")
    }
    assert inside - sources == set()


def test_the_wheel_carries_the_licence_and_the_program(dist: Path) -> None:
    (wheel,) = dist.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (entries,) = (name for name in names if name.endswith(".dist-info/entry_points.txt"))
        assert "sluis = sluis.cli.main:main" in archive.read(entries).decode()
        assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)


def test_the_sdist_can_be_tested_by_who_gets_it(dist: Path) -> None:
    (archive,) = dist.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        names = {name.split("/", 1)[1] for name in opened.getnames() if "/" in name}
    for wanted in (
        "tasks.py",
        "uv.lock",
        "LICENSE",
        "README.md",
        "tests/unit/packaging/test_wheel.py",
        "pyproject.toml",
    ):
        assert wanted in names
    assert not any(name.startswith((".venv", "dist")) for name in names)
