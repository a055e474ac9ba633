"""verify: runs the gate on the exact bytes that would go out and records the verdict in the ledger.

Steps, in order:

1. The run is known to the ledger; recipients, audience and tenant come from there.
2. The draft is the one the handle names, and it is this run's.
3. The evidence is the last that this run recorded.
4. The bytes for each recipient are built; the checks see them.
5. All checks run (:mod:`sluis.nodes.verify.runner`); a review that a person has waived, for this draft and this
   evidence, counts as passed.
6. The verdict, with the digests of all of that, is written to the vault. State learns its digest and a route.

Nothing here lets anything out: release asks the ledger for the verdict, not the state.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sluis.core import (
    Case,
    CheckContext,
    DraftHandle,
    Finding,
    Outcome,
    OutcomeStatus,
    Payload,
    RefusedError,
    Verdict,
    Waiver,
    digest_of,
    digest_text,
    evidence_digest,
    worst,
)

from .._aio import blocking
from .._runtime import Runtime
from .._step import Update, end, record, step
from ..state import AnswerState, draft_in, redrafts_in, run_id_of
from .runner import GATE, check_names, run_checks

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableLambda

REDRAFTABLE = frozenset(
    {
        "citations.known",
        "citations.reference",
        "contradiction",
        "egress",
        "polarity",
        "quotes.verbatim",
        "terms.supported",
        "values.supported",
    }
)
"""Checks whose objections another wording can meet. What is wrong with a source, the index or the policy is not."""


class NoEvidenceError(RefusedError):
    """The run has recorded no evidence, so there is nothing to verify against."""

    code = "refused.no_evidence"


@dataclass(frozen=True, kw_only=True)
class _Prepared:
    case: Case
    handle: DraftHandle
    evidence: str
    payloads: tuple[tuple[Payload, bytes], ...]
    waivers: tuple[Waiver, ...]


def waivers_for(verdict: Verdict, *, review_id: str, reviewer: str) -> tuple[Waiver, ...]:
    """What an approval of a verdict lets pass: its waivable review findings, and nothing else."""
    return tuple(
        Waiver(
            check=item.check,
            reason=item.reason,
            subject_digest=digest_text(item.subject.text),
            evidence_digest=evidence_digest(item.evidence),
            reviewer=reviewer,
            review_id=review_id,
        )
        for item in verdict.findings
        if item.status == "review" and item.waivable
    )


def apply_waivers(findings: tuple[Finding, ...], waivers: tuple[Waiver, ...]) -> tuple[Finding, ...]:
    """The findings, those that a waiver covers exactly turned to ``pass`` with the reviewer's name in the evidence."""
    by_key = {(item.check, item.reason, item.subject_digest, item.evidence_digest): item for item in waivers}

    def settle(item: Finding) -> Finding:
        if item.status != "review" or not item.waivable:
            return item
        key = (item.check, item.reason, digest_text(item.subject.text), evidence_digest(item.evidence))
        waiver = by_key.get(key)
        if waiver is None:
            return item
        noted = {**item.evidence, "waived_by": waiver.reviewer, "review_id": waiver.review_id}
        return item.model_copy(update={"status": "pass", "waivable": False, "evidence": noted})

    return tuple(settle(item) for item in findings)


def _approved(runtime: Runtime, state: AnswerState, handle: DraftHandle) -> tuple[Waiver, ...]:
    """Waivers of the review that the state points to, if the ledger says it approved exactly this draft."""
    review_id: object = state.get("review_id")
    if not isinstance(review_id, str):
        return ()
    review = runtime.ledger.reviews.get(review_id)
    if review.run_id != handle.run_id or review.draft_digest != handle.digest or review.decision != "approve":
        return ()
    verdict = runtime.ledger.vault.get_verdict(review.verdict_digest)
    return waivers_for(verdict, review_id=review_id, reviewer=review.reviewer)


def _prepare(runtime: Runtime, state: AnswerState) -> _Prepared:
    run = runtime.ledger.runs.get(run_id_of(state))
    handle = draft_in(state)
    if handle.run_id != run.run_id:
        raise RefusedError("The draft is another run's.", hint="Start the request again.", run_id=run.run_id)
    draft = runtime.ledger.vault.get_draft(handle)
    evidence_id = runtime.ledger.vault.latest_evidence(run.run_id)
    if evidence_id is None:
        raise NoEvidenceError("The run has no evidence.", hint="Start the graph at its beginning.", run_id=run.run_id)
    evidence = runtime.ledger.vault.get_evidence(run.run_id, evidence_id)
    payloads = runtime.payloads(run, draft, evidence)
    now = runtime.clock.now()
    context = CheckContext(
        request=run.request,
        now=now,
        manifest=runtime.manifest(),
        policy_digest=runtime.policy.digest(),
        register=runtime.ledger.register,
        sources=runtime.sources,
        payloads=payloads,
    )
    return _Prepared(
        case=Case(draft=draft, evidence=evidence, context=context),
        handle=handle,
        evidence=evidence_id,
        payloads=payloads,
        waivers=_approved(runtime, state, handle),
    )


def _settle(runtime: Runtime, state: AnswerState, ready: _Prepared, raw: tuple[Finding, ...]) -> Update:
    findings = apply_waivers(raw, ready.waivers)
    verdict = Verdict(
        result=worst(findings),
        findings=findings,
        checks=check_names(runtime.checks) or (f"{GATE}@1",),
        run_id=ready.handle.run_id,
        draft=ready.handle.digest,
        evidence=ready.evidence,
        payloads=tuple(payload.digest for payload, _ in ready.payloads),
        policy=runtime.policy.digest(),
        waivers=ready.waivers,
        at=ready.case.context.now,
    )
    known: Update = {"verdict": runtime.ledger.vault.put_verdict(verdict)}
    if verdict.result == "pass":
        return known | {"route": "next"}
    blocking_checks = {item.check for item in findings if item.status == "block"}
    redrafts = redrafts_in(state)
    if verdict.result == "block" and blocking_checks <= REDRAFTABLE and redrafts < runtime.limits.redrafts:
        return known | {"route": "redraft", "redrafts": redrafts + 1}
    if verdict.result == "review" and not ready.waivers:
        return known | {"route": "review"}
    return known | end(record(runtime, refusal(verdict, known["verdict"])))


def refusal(verdict: Verdict, digest: str) -> Outcome:
    """The outcome of a verdict that did not pass: held when nothing but undecided findings stands in the way."""
    standing = [item for item in verdict.findings if item.status != "pass"]
    decisive = [item for item in standing if item.status == verdict.result]
    definite = [item for item in decisive if not item.undecided]
    return Outcome(
        status=OutcomeStatus.HELD if verdict.undecided else OutcomeStatus.BLOCKED,
        run_id=verdict.run_id,
        reason=(definite or decisive)[0].reason,
        findings=tuple(item.redacted() for item in standing),
        verdict=digest,
    )


def verify_node(runtime: Runtime) -> RunnableLambda[Any, Any]:
    """The node; steps 1 to 6 of the module's docstring.

    Raises at once:
        DuplicateCheckError: two of the runtime's checks share a name.
    """
    check_names(runtime.checks)
    deadline = runtime.limits.checks_s

    def body(state: AnswerState) -> Update:
        ready = _prepare(runtime, state)
        findings = blocking(run_checks(runtime.checks, ready.case, deadline_s=deadline))
        return _settle(runtime, state, ready, findings)

    async def abody(state: AnswerState) -> Update:
        ready = await asyncio.to_thread(_prepare, runtime, state)
        findings = await run_checks(runtime.checks, ready.case, deadline_s=deadline)
        return await asyncio.to_thread(_settle, runtime, state, ready, findings)

    return step("verify", runtime, body, abody)


def shown_digest(verdict: Verdict) -> str:
    """What a reviewer's approval is bound to: the findings, the draft, the evidence and the bytes together."""
    return digest_of(
        {
            "draft": verdict.draft,
            "evidence": verdict.evidence,
            "findings": [item.to_json() for item in verdict.findings],
            "payloads": list(verdict.payloads),
        }
    )
