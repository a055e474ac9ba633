"""One question put to a project's agent, and what came of it, for people and for programs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sluis.core import ActionKind, Finding, Outcome, OutcomeStatus, digest_bytes

from ._io import emit, out_console, visible

if TYPE_CHECKING:
    from rich.console import Console

    from sluis.graphs import Project
    from sluis.ledger import OutboxRow

__all__ = ["Published", "Told", "exit_code", "read_outcome", "show", "tell"]

_LOOKS = {
    OutcomeStatus.RELEASED: ("green", "released"),
    OutcomeStatus.HELD: ("yellow", "held"),
    OutcomeStatus.IN_REVIEW: ("yellow", "in review"),
    OutcomeStatus.BLOCKED: ("red", "blocked"),
    OutcomeStatus.FAILED: ("red", "failed"),
}


@dataclass(frozen=True, kw_only=True)
class Published:
    """One row of the outbox and, for a document that went out, where it is.

    Attributes:
        key: of the row.
        recipient: mailbox, or name within the publishing folder.
        state: of the row, now.
        due_at: from when the relay may take it.
        path: of the document, once it was sent and while it is what was sent.
        permit: of the permit beside it.
    """

    key: str
    recipient: str
    state: str
    due_at: datetime
    path: Path | None
    permit: Path | None

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {
            "key": self.key,
            "recipient": self.recipient,
            "state": self.state,
            "due_at": self.due_at.isoformat(),
            "path": None if self.path is None else str(self.path),
            "permit": None if self.permit is None else str(self.permit),
        }


@dataclass(frozen=True, kw_only=True)
class Told:
    """An outcome with what the ledger knows behind it.

    Attributes:
        question: what was asked.
        outcome: how the run ended.
        findings: the full findings, with their words; those that pass left out.
        published: the rows of the outbox.
        text: of the first document that went out; empty: none did. A draft that did not go out is not shown.
        elapsed_ms: of the run.
    """

    question: str
    outcome: Outcome
    findings: tuple[Finding, ...]
    published: tuple[Published, ...]
    text: str
    elapsed_ms: int

    def to_json(self) -> dict[str, Any]:
        """The outcome's own fields, its findings in full, and the rows."""
        return self.outcome.to_json() | {
            "question": self.question,
            "findings": [item.to_json() for item in self.findings],
            "published": [item.to_json() for item in self.published],
            "text": self.text or None,
            "elapsed_ms": self.elapsed_ms,
        }


def exit_code(outcome: Outcome) -> int:
    """0 released, 1 blocked, 3 otherwise: nothing was decided, or not yet."""
    return {OutcomeStatus.RELEASED: 0, OutcomeStatus.BLOCKED: 1}.get(outcome.status, 3)


def _published(project: Project, outcome: Outcome) -> tuple[Published, ...]:
    rows: list[Published] = []
    for key in outcome.outbox:
        row = project.ledger.outbox.get(key)
        path = _document(project, row)
        permit = None if path is None else path.with_name(f"{path.name}.permit.json")
        rows.append(
            Published(
                key=key,
                recipient=row.recipient,
                state=row.state.value,
                due_at=row.due_at,
                path=path,
                permit=permit if permit is not None and permit.is_file() else None,
            )
        )
    return tuple(rows)


def _document(project: Project, row: OutboxRow) -> Path | None:
    """Where a document that this row sent is. What merely bears its name is not it."""
    if row.kind is not ActionKind.DOCUMENT or row.state.value != "sent":
        return None
    path = project.config.out_path / row.recipient
    try:
        return path if digest_bytes(path.read_bytes()) == row.payload else None
    except OSError:
        return None


def read_outcome(project: Project, question: str, outcome: Outcome, *, elapsed_ms: int) -> Told:
    """Read what stands behind an outcome from the ledger and the publishing folder."""
    findings: tuple[Finding, ...] = ()
    if outcome.verdict is not None:
        verdict = project.ledger.vault.get_verdict(outcome.verdict)
        findings = tuple(item for item in verdict.findings if item.status != "pass")
    published = _published(project, outcome)
    first = next((item.path for item in published if item.path is not None), None)
    return Told(
        question=question,
        outcome=outcome,
        findings=findings,
        published=published,
        text="" if first is None else first.read_text(encoding="utf-8"),
        elapsed_ms=elapsed_ms,
    )


def tell(told: Told, *, as_json: bool) -> None:
    """The answer of a verb that ran the graph, on stdout."""
    if as_json:
        emit(told.to_json())
        return
    out = out_console()
    show(told, out)
    waiting = [row.due_at for row in told.published if row.state == "held"]
    if waiting:
        out.print(f"Waits until {max(waiting):%H:%M:%S} UTC; then: sluis relay run", markup=False)


def show(told: Told, console: Console) -> None:
    """For a person. What sources and drafts say is printed as text, never read as markup."""
    from rich.markdown import Markdown
    from rich.panel import Panel
    from rich.text import Text

    color, word = _LOOKS[told.outcome.status]
    console.print(Text.assemble((word, f"bold {color}"), "  ", told.question))
    if told.text:
        console.print(Panel(Markdown(told.text), border_style=color))
    for item in told.findings:
        line = Text.assemble("  ", (item.check, "bold"), visible(f" {item.status} ({item.reason}): {item.message}"))
        console.print(line)
    if told.outcome.error is not None:
        console.print(Text(f"  {told.outcome.error.get('message', told.outcome.reason)}"))
        hint = told.outcome.error.get("hint")
        if hint:
            console.print(Text(f"  {hint}"))
    if not told.findings and told.outcome.error is None and told.outcome.status is not OutcomeStatus.RELEASED:
        console.print(Text(f"  {told.outcome.reason}"))
    for row in told.published:
        where = f" -> {row.path}" if row.path is not None else ""
        console.print(Text(f"  {row.recipient}: {row.state}{where}"), soft_wrap=True)
    if not told.published:
        console.print(Text("  Nothing left the program."))
    if told.outcome.review_id is not None:
        console.print(Text(f"  Waits for a person: sluis review show {told.outcome.review_id}"))
