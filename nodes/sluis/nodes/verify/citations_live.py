"""citations.live: every external citation is live at its canonical source, now.

What is asked: every citation found in the draft's text, and every chunk that a claim cites and that is itself a
document of such a source. The store is a cache; what the chunk's markers say is not asked here. Each distinct
reference is asked once, whatever the number of places that cite it, and every place gets its own finding.

The reason of a finding is that of the source (:data:`sluis.sources.REASONS`), or:

- ``citation_malformed``: it looks like a citation and cannot be read as one, so nobody can check it.
- ``no_gateway``: no live source is configured.
- ``not_answered``: the gateway left it out.
- ``wrong_answer``: the gateway answered for something else.

The evidence of a finding is exactly :meth:`sluis.core.SourceStatus.evidence`, so that the relay, which asks again, can
tell whether a waiver was given on what the source still says.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sluis.core import Case, Citation, Finding, SourceGateway, SourceState, SourceStatus, Subject, finding
from sluis.core.reading import FoundCitation, Malformed, read_citations
from sluis.sources import LIVE_KINDS, REASONS

__all__ = ["CitationsLive"]

_STATES = {
    SourceState.WITHDRAWN: "is withdrawn",
    SourceState.SUPERSEDED: "is superseded",
    SourceState.OVERTURNED: "is overturned",
    SourceState.NOT_FOUND: "is not known to its source",
    SourceState.UNVERIFIABLE: "cannot be verified",
}


@dataclass(frozen=True, kw_only=True)
class _Use:
    """One place that rests on a citation."""

    citation: Citation
    subject: Subject


class CitationsLive:
    """Holds when every external citation is ``live``, and nothing else than that.

    Withdrawn, superseded, overturned and unknown ones block. One that could not be asked blocks as undecided, so that
    the run is held. One whose record was read and leaves the question to a person goes to review and may be waived.

    Args:
        live_kinds: kinds of source whose documents are checked when a chunk of them is cited.
    """

    name = "citations.live"
    version = 1

    def __init__(self, *, live_kinds: Iterable[str] = LIVE_KINDS) -> None:
        self._live_kinds = frozenset(live_kinds)

    async def run(self, case: Case) -> tuple[Finding, ...]:
        """Ask the gateway once, for everything."""
        reading = read_citations(case.draft.text)
        findings = [_malformed(item) for item in reading.malformed]
        uses = [*_in_text(reading.found, case), *self._cited_chunks(case)]
        if uses:
            findings += await _ask(case.context.sources, uses)
        return tuple(sorted(findings, key=lambda item: (item.subject.start, item.subject.end, item.reason)))

    def _cited_chunks(self, case: Case) -> list[_Use]:
        """One use a chunk, at the first claim that cites it."""
        chunks = case.evidence.by_label()
        uses: dict[str, _Use] = {}
        for claim in case.draft.claims:
            for label in claim.labels:
                chunk = chunks.get(label)  # a label that names nothing is the business of citations.known
                if chunk is not None and chunk.source_kind in self._live_kinds and label not in uses:
                    uses[label] = _Use(
                        citation=Citation(kind=chunk.source_kind, value=chunk.source_id),
                        subject=Subject(text=claim.text, start=claim.start, end=claim.end),
                    )
        return list(uses.values())


def _in_text(found: Iterable[FoundCitation], case: Case) -> list[_Use]:
    cited = {label for claim in case.draft.claims for label in claim.labels}
    # The canonical address of a cited chunk says nothing that the chunk's own citation does not; any other address
    # is a citation like all others.
    own = {item.chunk.source_url for item in case.evidence.items if item.label in cited}
    return [
        _Use(
            citation=Citation(kind=item.kind, value=item.value),
            subject=Subject(text=item.text, start=item.start, end=item.end),
        )
        for item in found
        if item.kind != "url" or item.value not in own
    ]


async def _ask(sources: SourceGateway | None, uses: list[_Use]) -> list[Finding]:
    if sources is None:
        message = "No live source is configured, so this citation cannot be checked."
        return [_block(use, "no_gateway", message) for use in uses]
    statuses = await sources.statuses(tuple(dict.fromkeys(use.citation for use in uses)))
    findings = (_judge(use, statuses.get(use.citation)) for use in uses)
    return [item for item in findings if item is not None]


def _judge(use: _Use, status: SourceStatus | None) -> Finding | None:
    if status is None:
        return _block(use, "not_answered", "The sources gave no answer for this citation.", undecided=True)
    if status.kind != use.citation.kind or status.value.casefold() != use.citation.value.casefold():
        return _block(use, "wrong_answer", "The answer of the sources is about something else.", status=status)
    if status.status is SourceState.LIVE:
        return None
    meaning = REASONS.get(status.reason)
    words = meaning.words if meaning is not None else f"{status.reason.replace('_', ' ')}."
    message = f"{status.value} {_STATES[status.status]}. {words}"
    if status.detail:
        message = f"{message} ({status.detail})"
    open_question = status.status is SourceState.UNVERIFIABLE and not status.transient
    if open_question and meaning is not None and meaning.reviewable:
        return finding(
            CitationsLive.name,
            "review",
            status.reason,
            message,
            subject=use.subject,
            evidence=status.evidence(),
            waivable=True,
        )
    undecided = status.status is SourceState.UNVERIFIABLE and status.transient
    return _block(use, status.reason, message, status=status, undecided=undecided)


def _block(
    use: _Use, code: str, message: str, *, status: SourceStatus | None = None, undecided: bool = False
) -> Finding:
    return finding(
        CitationsLive.name,
        "block",
        code,
        message,
        subject=use.subject,
        evidence=use.citation.to_json() if status is None else status.evidence(),
        undecided=undecided,
    )


def _malformed(item: Malformed) -> Finding:
    return finding(
        CitationsLive.name,
        "block",
        "citation_malformed",
        f"This looks like a citation ({item.kind}) and cannot be read as one: {item.reason.replace('_', ' ')}.",
        subject=Subject(text=item.text, start=item.start, end=item.end),
        evidence={"kind": item.kind, "malformed": item.reason},
    )
