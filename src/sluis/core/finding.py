"""Findings and the verdict: values, compared for equality, never by truthiness."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, JsonValue

from ._model import Digest, Moment, Value
from .canonical import digest_of

Status = Literal["pass", "review", "block"]

_SEVERITY: dict[Status, int] = {"pass": 0, "review": 1, "block": 2}


class Subject(Value):
    """The exact span a finding is about; offsets count code points of the draft's text.

    A finding about the whole draft or about the retrieval has an empty span ``0..0``.
    """

    text: str = ""
    start: Annotated[int, Field(ge=0)] = 0
    end: Annotated[int, Field(ge=0)] = 0


class Finding(Value):
    """What one check says of one subject."""

    check: str
    status: Status
    reason: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
    """A stable code, documented in ``docs/reasons.md``."""
    subject: Subject = Subject()
    message: str
    """For the person who decides; may quote draft and sources, so it never enters graph state."""
    evidence: dict[str, JsonValue] = Field(default_factory=dict)
    """Chunk id and span, or source URL, time and digest."""
    undecided: bool = False
    """True when the check could not tell (a source did not answer): hold rather than refuse."""
    waivable: bool = False
    """Whether an authorised person may let this subject pass; only ever true for ``review``."""

    def redacted(self) -> RedactedFinding:
        """The same without a word of draft or source, fit for graph state."""
        return RedactedFinding(
            check=self.check,
            status=self.status,
            reason=self.reason,
            start=self.subject.start,
            end=self.subject.end,
            undecided=self.undecided,
        )


class RedactedFinding(Value):
    """A finding as graph state and streams may carry it."""

    check: str
    status: Status
    reason: str
    start: int
    end: int
    undecided: bool


class Waiver(Value):
    """One review finding that a named person let pass. Travels in the permit, so the relay knows."""

    check: str
    reason: str
    subject_digest: Digest
    """Digest of the subject's text."""
    evidence_digest: Digest
    """Digest of the evidence the person saw; other evidence at release voids the waiver."""
    reviewer: str
    review_id: str


class Verdict(Value):
    """The outcome of all checks on one draft, for one action."""

    result: Status
    findings: tuple[Finding, ...]
    checks: Annotated[tuple[str, ...], Field(min_length=1)]
    """Names and versions (``values.supported@1``) of the checks that ran, sorted. Never empty."""
    run_id: str
    draft: Digest
    evidence: Digest
    payloads: tuple[Digest, ...]
    """Digests of the exact bytes that would go out, one an action, in the order of the actions."""
    policy: Digest
    waivers: tuple[Waiver, ...] = ()
    at: Moment

    @property
    def undecided(self) -> bool:
        """Whether nothing but undecided findings stands in the way of passing."""
        bad = [finding for finding in self.findings if finding.status == "block"]
        return bool(bad) and all(finding.undecided for finding in bad)


_VOLATILE = frozenset({"checked_at", "elapsed_ms"})


def evidence_digest(evidence: Mapping[str, Any]) -> str:
    """Digest of a finding's evidence without what differs each time one looks (time of the look, its duration).

    A waiver is bound to it: the same source must still say the same thing.
    """
    return digest_of({key: value for key, value in evidence.items() if key not in _VOLATILE})


def worst(findings: Iterable[Finding]) -> Status:
    """The worst status among findings; of none: ``pass``.

    Whether any check ran at all is for the caller to prove: :class:`Verdict` refuses an empty list of checks.
    """
    result: Status = "pass"
    for finding in findings:
        if _SEVERITY[finding.status] > _SEVERITY[result]:
            result = finding.status
    return result


def finding(
    check: str,
    status: Status,
    reason: str,
    message: str,
    *,
    subject: Subject | None = None,
    evidence: dict[str, Any] | None = None,
    undecided: bool = False,
    waivable: bool = False,
) -> Finding:
    """Build a :class:`Finding`; ``waivable`` with any status but ``review`` is a programming error.

    Raises:
        ValueError: a finding that blocks cannot be waived.
    """
    if waivable and status != "review":
        raise ValueError("only a review finding can be waivable")
    return Finding(
        check=check,
        status=status,
        reason=reason,
        message=message,
        subject=subject or Subject(),
        evidence=evidence or {},
        undecided=undecided,
        waivable=waivable,
    )
