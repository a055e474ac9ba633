"""What the draft node calls."""

from __future__ import annotations

from typing import Protocol

from sluis.core import Completion, Evidence, Finding, Request

__all__ = ["Drafter"]


class Drafter(Protocol):
    """Writes an answer from evidence, and nothing else.

    A drafter answers with a classified completion whatever happens: what its provider raised is a status, never
    an exception. Its text cites by the labels of the evidence: ``Sentence. [c1]``.
    """

    def draft(
        self, *, question: str, evidence: Evidence, request: Request, findings: tuple[Finding, ...], round: int
    ) -> Completion:
        """Write.

        Args:
            question: what is asked.
            evidence: the chunks that may be used, under their labels.
            request: locale and audience of the answer.
            findings: what the checks said of the former round; empty in the first.
            round: 0 for the first draft of a run.
        """
        ...

    async def adraft(
        self, *, question: str, evidence: Evidence, request: Request, findings: tuple[Finding, ...], round: int
    ) -> Completion:
        """The same, without blocking the loop."""
        ...
