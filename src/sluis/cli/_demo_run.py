"""What ``sluis demo`` does, without a word to anybody: it prepares a folder, runs three questions and reports."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from importlib.resources import as_file, files
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit

from sluis.core import ActionKind, ConfigurationError, OutcomeStatus, SluisError

from ._answers import Told, read_outcome

if TYPE_CHECKING:
    from sluis.config import ProjectConfig
    from sluis.graphs import Project

__all__ = ["SCENES", "STEPS", "DemoFolderError", "DemoReport", "Scene", "SceneResult", "Teller", "run_demo"]

STEPS = 7
"""How many steps :func:`run_demo` tells of."""

WITHDRAWN = "ECLI:NL:RBSLUIS:2023:9007"
WITHDRAWN_BY = "ECLI:NL:RBSLUIS:2026:9017"

_TOML = """\
# The project of `sluis demo`. Everything in it is made up.
[project]
name = "sluis-demo"

[sources.ecli]
# The registry simulator; it runs only while the demo does. Start it again with:
#   sluis simulate registry corpus/rulings --port {port}
url = "{url}"

[gate]
# In production an answer waits 90 s in the outbox, so that it can still be stopped; here it does not.
hold_seconds = 0
# The simulator shares the machine with all the rest.
budget_ms = 2000
"""


class DemoFolderError(ConfigurationError):
    """The folder for the demo is not empty."""

    code = "usage.configuration.demo_folder"


@dataclass(frozen=True, kw_only=True)
class Scene:
    """One question and how it has to end."""

    name: str
    question: str
    document: str
    expected: OutcomeStatus
    reasons: frozenset[str]
    """One of these must be the reason, or a finding's."""
    withdraw: str | None = None
    """A ruling that the registry withdraws before the question, after the records were ingested."""
    story: str


SCENES = (
    Scene(
        name="released",
        question="Binnen hoeveel dagen moet de verhuurder de waarborgsom terugbetalen?",
        document="waarborgsom.md",
        expected=OutcomeStatus.RELEASED,
        reasons=frozenset({"released"}),
        story="Sources in force, every value in the cited paragraph, every ruling live.",
    ),
    Scene(
        name="blocked",
        question="Hoeveel procent van de huurprijs mogen de annuleringskosten van een feestzaal bedragen?",
        document="annulering.md",
        expected=OutcomeStatus.BLOCKED,
        reasons=frozenset({"void"}),
        withdraw=WITHDRAWN,
        story=f"{WITHDRAWN} was live when it was ingested; the registry has withdrawn it since.",
    ),
    Scene(
        name="in_review",
        question="Welke boete is de aannemer verschuldigd bij te late oplevering van de woning?",
        document="boete.md",
        expected=OutcomeStatus.IN_REVIEW,
        reasons=frozenset({"later_outcome_unknown"}),
        story="An appeal is registered and its outcome is not: a person decides.",
    ),
)
"""The three questions of the demo."""


@dataclass(frozen=True, kw_only=True)
class SceneResult:
    """One question, asked.

    Attributes:
        scene: what was to happen.
        told: what happened.
        verified: whether the permit on disk was verified again over the document on disk, with the public key
            alone; ``None``: nothing was published, so there was nothing to verify.
    """

    scene: Scene
    told: Told
    verified: bool | None

    @property
    def ok(self) -> bool:
        """Whether it ended as it should, with a document and its permit only if it was to be released."""
        outcome = self.told.outcome
        if outcome.status is not self.scene.expected:
            return False
        if not self.scene.reasons & {outcome.reason, *(item.reason for item in self.told.findings)}:
            return False
        if self.scene.expected is OutcomeStatus.RELEASED:
            return self.verified is True and bool(self.told.text)
        return self.verified is None and not self.told.published

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        return self.told.to_json() | {
            "scene": self.scene.name,
            "expected": self.scene.expected.value,
            "ok": self.ok,
            "permit_verified": self.verified,
        }


@dataclass(frozen=True, kw_only=True)
class DemoReport:
    """All of it.

    Attributes:
        folder: the demo's project; stays there.
        results: the three questions.
        timings_ms: milliseconds by step, ``total`` among them.
        counts: what was ingested.
        public_keys: folder of the keys that verify the permit.
        registry: the command that starts the registry again, for it ran only while the demo did.
    """

    folder: Path
    results: tuple[SceneResult, ...]
    timings_ms: dict[str, int]
    counts: dict[str, int]
    public_keys: Path
    registry: str

    @property
    def ok(self) -> bool:
        """Whether all three ended as they should."""
        return len(self.results) == len(SCENES) and all(item.ok for item in self.results)

    def to_json(self) -> dict[str, Any]:
        """One object."""
        return {
            "ok": self.ok,
            "folder": str(self.folder),
            "hold_seconds": 0,
            "drafter": "extractive",
            "ingested": self.counts,
            "answers": [item.to_json() for item in self.results],
            "public_keys": str(self.public_keys),
            "timings_ms": self.timings_ms,
        }


@dataclass
class _Stopwatch:
    """Milliseconds by step."""

    begun: float = field(default_factory=time.monotonic)
    steps: dict[str, int] = field(default_factory=dict)

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        start = time.monotonic()
        try:
            yield
        finally:
            self.steps[name] = round((time.monotonic() - start) * 1000)

    def total(self) -> dict[str, int]:
        return self.steps | {"total": round((time.monotonic() - self.begun) * 1000)}


def _folder(keep: Path | None) -> Path:
    if keep is None:
        return Path(tempfile.mkdtemp(prefix="sluis-demo-"))
    folder = keep.resolve()
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise DemoFolderError(
            f"{folder} is not an empty folder.",
            hint="Name a new folder; the demo overwrites nothing.",
            path=str(folder),
        )
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _copy_records(folder: Path) -> Path:
    corpus = folder / "corpus"
    with as_file(files("sluis.cli") / "_demo_data") as source:
        shutil.copytree(source, corpus, ignore=shutil.ignore_patterns("README.md", "__pycache__"))
    return corpus


def _verify_again(project: Project, told: Told) -> bool | None:
    from sluis.permits import Keyring, verify_permit

    row = next((item for item in told.published if item.path is not None), None)
    if row is None or row.path is None:
        return None
    if row.permit is None:
        return False
    try:
        verify_permit(
            row.permit.read_bytes(),
            Keyring.load(project.config.public_keys_path),
            payload=row.path.read_bytes(),
            kind=ActionKind.DOCUMENT,
            recipient=row.recipient,
            now=project.runtime.clock.now(),
        )
    except SluisError:
        return False
    return True


def _play(project: Project, scene: Scene) -> SceneResult:
    start = time.monotonic()
    outcome = project.agent.ask(scene.question, recipients=(scene.document,))
    elapsed_ms = round((time.monotonic() - start) * 1000)
    project.relay.run_once()
    told = read_outcome(project, scene.question, outcome, elapsed_ms=elapsed_ms)
    return SceneResult(scene=scene, told=told, verified=_verify_again(project, told))


def _configured(folder: Path, url: str) -> ProjectConfig:
    from sluis.config import GateConfig, ProjectConfig, ProjectSection, SourceConfig

    text = _TOML.format(url=url, port=urlsplit(url).port)
    (folder / "sluis.toml").write_text(text, encoding="utf-8")
    # Built by hand: what SLUIS_ variables say is for the user's own projects.
    return ProjectConfig(
        root=folder,
        project=ProjectSection(name="sluis-demo"),
        sources={"ecli": SourceConfig(url=url)},
        gate=GateConfig(hold_seconds=0, budget_ms=2000),
    )


class Teller(Protocol):
    """Is told how far the demo is."""

    def step(self, text: str) -> None:
        """A step begins; there are :data:`STEPS`."""
        ...

    def part(self, done: int, total: int | None) -> None:
        """How far the present step is."""
        ...

    def note(self, text: str) -> None:
        """Something happened outside the agent."""
        ...


def run_demo(keep: Path | None, teller: Teller) -> DemoReport:
    """Run the demo.

    Args:
        keep: the folder to work in; ``None``: a new one among the temporary files. It stays in either case.
        teller: is told of each step before it begins.

    Raises:
        DemoFolderError: the folder is not empty.
    """
    watch = _Stopwatch()
    folder = _folder(keep)
    teller.step("Copying the bundled records")
    corpus = _copy_records(folder)
    teller.step("Loading the engines")
    with watch.step("load"):
        from sluis.graphs import open_project
        from sluis.simulators import RegistrySimulator
    results: list[SceneResult] = []
    port: int | None = None
    with ExitStack() as stack:
        registry = stack.enter_context(RegistrySimulator(corpus / "rulings"))
        config, port = _configured(folder, registry.url), urlsplit(registry.url).port
        teller.step("Opening the project: ledger, keys, store")
        with watch.step("open"):
            project = stack.enter_context(open_project(config))
        teller.step("Ingesting rulings and regulations")
        with watch.step("ingest"):
            report = project.ingest(corpus, progress=lambda told: teller.part(told.done, told.total))
        for number, scene in enumerate(SCENES, 1):
            if scene.withdraw is not None:
                teller.note(f"The registry withdraws {scene.withdraw}")
                registry.withdraw(scene.withdraw, by=WITHDRAWN_BY)
            teller.step(f"Question {number} of {len(SCENES)}: {scene.question}")
            with watch.step(scene.name):
                results.append(_play(project, scene))
    return DemoReport(
        folder=folder,
        results=tuple(results),
        timings_ms=watch.total(),
        counts={"documents": report.documents, "chunks": report.chunks, "malformed": len(report.malformed)},
        public_keys=config.public_keys_path,
        registry=f"sluis simulate registry {quote(str(corpus / 'rulings'))} --port {port}",
    )
