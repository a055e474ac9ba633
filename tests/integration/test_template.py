"""A project of each template runs at once: ingest, ask, its own tests, its evals."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from sluis.simulators import RegistrySimulator
from sluis.templates import CreatedProject, create_project, templates

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


@pytest.fixture(scope="module", params=[template.name for template in templates()])
def project(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> CreatedProject:
    """A project in a path with a space."""
    place = tmp_path_factory.mktemp("a place")
    return create_project("my-agent", template=request.param, into=place)


@pytest.fixture(scope="module")
def registry(project: CreatedProject) -> Iterator[RegistrySimulator]:
    with RegistrySimulator(project.path / "corpus") as simulator:
        yield simulator


def environ(registry: RegistrySimulator | None, **more: str) -> dict[str, str]:
    """The process's environment without settings of sluis; the registry in the place of the template's port."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("SLUIS_", "PYTEST_", "COV"))}
    if registry is not None:
        kept["SLUIS_SOURCES__ECLI__URL"] = registry.url
    return kept | {"SLUIS_GATE__HOLD_SECONDS": "0", "SLUIS_GATE__BUDGET_MS": "5000"} | more


def program(
    project: CreatedProject, registry: RegistrySimulator | None, *arguments: str, **more: str
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=project.path,
        env=environ(registry, **more),
        capture_output=True,
        text=True,
        check=False,
        timeout=200,
    )


def sluis(project: CreatedProject, registry: RegistrySimulator | None, *arguments: str) -> tuple[int, dict[str, Any]]:
    done = program(project, registry, "-m", "sluis.cli", *arguments, "--json")
    assert done.stdout.strip(), done.stderr
    return done.returncode, json.loads(done.stdout.splitlines()[-1])


def test_ingest_then_ask_releases_a_document_with_its_permit(
    project: CreatedProject, registry: RegistrySimulator
) -> None:
    code, report = sluis(project, registry, "ingest")
    assert code == 0, report
    code, answer = sluis(project, registry, "ask", "Welke opzegtermijn geldt voor de verhuurder?", "--to", "notice.md")
    assert (code, answer["status"]) == (0, "released"), answer
    document = (project.path / "out" / "notice.md").read_text(encoding="utf-8")
    assert "ten minste drie maanden" in document
    assert "ECLI:NL:RBDHA:2023:90101" in document
    assert (project.path / "out" / "notice.md.permit.json").is_file()
    assert "ECLI:NL:RBROT:2021:90404" not in document


def test_without_its_registry_nothing_leaves(project: CreatedProject, registry: RegistrySimulator) -> None:
    """Port 9 answers nobody."""
    sluis(project, registry, "ingest")
    done = program(
        project,
        None,
        *("-m", "sluis.cli", "ask", "Moet de huurder de winst uit onderhuur afdragen?", "--to", "late.md", "--json"),
        SLUIS_SOURCES__ECLI__URL="http://127.0.0.1:9",
    )
    answer = json.loads(done.stdout.splitlines()[-1])
    assert (done.returncode, answer["status"]) == (3, "held")
    assert not (project.path / "out" / "late.md").exists()


def test_its_own_tests_pass(project: CreatedProject) -> None:
    done = program(project, None, "-m", "pytest", "-q", "-p", "no:randomly", "-p", "no:cacheprovider")
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]


def test_its_evals_end_as_they_must(project: CreatedProject) -> None:
    folders = os.pathsep.join(str(project.path / name) for name in ("graphs", "nodes", "evals"))
    done = program(project, None, "-m", f"{project.package}.evals", PYTHONPATH=folders)
    assert done.returncode == 0, done.stdout + done.stderr[-1000:]


def test_its_wheel_installs_no_module_called_graphs_or_nodes(project: CreatedProject) -> None:
    """What its build settings name is there, and below the project's own package."""
    import tomllib

    table = tomllib.loads((project.path / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = table["tool"]["hatch"]["build"]["targets"]["wheel"]
    for folder in wheel["only-include"]:
        assert (project.path / folder).is_dir()
        assert folder.endswith(f"/{project.package}")
