"""What an agent made of a question, read from the ledger, not from what it says of itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from sluis.core import Outcome, Value

if TYPE_CHECKING:
    from sluis.ledger import Ledger

__all__ = ["Answer", "Asker", "read_answer"]


class Answer(Value):
    """One answer, whether it went out or not."""

    outcome: Outcome
    text: str = ""
    """The draft that was verified last; empty: none was."""
    cites: tuple[str, ...] = ()
    """Source ids that the draft cites, in order of first use."""
    findings: tuple[str, ...] = ()
    """``check/reason`` of each finding, those that pass left out."""


class Asker(Protocol):
    """Asks an agent one question."""

    def __call__(self, question: str) -> Answer:
        """Whatever it raises fails the case."""
        ...


def read_answer(ledger: Ledger, outcome: Outcome) -> Answer:
    """The answer behind an outcome: its last verdict, and draft and evidence that the verdict is about."""
    findings = tuple(f"{item.check}/{item.reason}" for item in outcome.findings if item.status != "pass")
    if outcome.verdict is None:
        return Answer(outcome=outcome, findings=findings)
    verdict = ledger.vault.get_verdict(outcome.verdict)
    draft = ledger.vault.get_draft(ledger.vault.draft_handle(outcome.run_id, verdict.draft))
    chunks = ledger.vault.get_evidence(outcome.run_id, verdict.evidence).by_label()
    labels = dict.fromkeys(label for claim in draft.claims for label in claim.labels)
    cites = dict.fromkeys(chunks[label].source_id for label in labels if label in chunks)
    return Answer(outcome=outcome, text=draft.text, cites=tuple(cites), findings=findings)
