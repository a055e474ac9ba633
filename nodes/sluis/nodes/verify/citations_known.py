"""citations.known: every marker parses and names a chunk that was shown; every claim that needs one has one."""

from __future__ import annotations

from sluis.core import Case, CompletionStatus, Finding, Subject, finding
from sluis.core.reading import read_claims

from ._evidence import subject

NAME = "citations.known"


class CitationsKnown:
    """Reason codes, all of which block:

    - ``marker_malformed``, ``marker_unclosed``, ``marker_is_link``: looks like a marker and is none;
    - ``unknown_label``: names no chunk that was shown to the drafter;
    - ``uncited_claim``: states something and cites nothing;
    - ``claims_differ``: the draft's claims are not what its text says;
    - ``no_claims``: a whole answer, and it holds nothing that could be checked.
    """

    name = NAME
    version = 1

    async def run(self, case: Case) -> tuple[Finding, ...]:
        """All objections to the markers of the draft."""
        text = case.draft.text
        reading = read_claims(text)
        findings: list[Finding] = []
        if reading.claims != case.draft.claims:
            findings.append(
                finding(NAME, "block", "claims_differ", "The recorded claims are not those of the draft's text.")
            )
        # Without an answer there is nothing to check; the completion check says why there is none.
        if not reading.claims and case.draft.completion.status is CompletionStatus.OK:
            findings.append(finding(NAME, "block", "no_claims", "The draft holds no sentence that could be checked."))
        for span in reading.malformed_markers:
            findings.append(
                finding(
                    NAME,
                    "block",
                    span.reason,
                    f"{span.text} looks like a marker and is none; a marker is written [c1].",
                    subject=Subject(text=span.text, start=span.start, end=span.end),
                )
            )
        known = case.evidence.by_label()
        for claim in reading.claims:
            where = subject(text, claim.start, claim.end)
            for label in claim.labels:
                if label not in known:
                    message = f"The marker [{label}] names no source that was shown."
                    findings.append(
                        finding(NAME, "block", "unknown_label", message, subject=where, evidence={"label": label})
                    )
            if claim.needs_support and not claim.labels:
                message = "This sentence states something and cites no source."
                findings.append(finding(NAME, "block", "uncited_claim", message, subject=where))
        return tuple(findings)
