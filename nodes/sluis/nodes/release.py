"""release: asks for permits and hands the exact bytes to the outbox. Trusts nothing but the ledger.

Steps, in order; each has its own refusal:

1. The run is known to the ledger.
2. The ledger holds a verdict on this draft of this run, the latest on it, and it equals ``"pass"``.
3. The verdict is not older than ``limits.verdict_s`` and not from the future.
4. The policy and the manifest are those the verdict was given under.
5. The bytes, built again from draft and evidence, have the digests that the verdict names.
6. A permit for each payload is signed.
7. The outbox admits all of them or none, verifying each permit itself, and consumes each once.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sluis.core import (
    Citation,
    Draft,
    Evidence,
    IntegrityError,
    Outcome,
    OutcomeStatus,
    Payload,
    RefusedError,
    SluisError,
    UndecidedError,
    Verdict,
    digest_of,
)
from sluis.core.reading import read_citations
from sluis.sources import LIVE_KINDS

from ._runtime import Runtime
from ._step import Update, counts_in, end, record, step
from .state import AnswerState, draft_in, run_id_of

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableLambda

    from sluis.ledger.runs import Run
    from sluis.permits import Permit


class NotVerifiedError(RefusedError):
    """The ledger holds no passing verdict on this draft, whatever the state says."""

    code = "refused.not_verified"


class StaleVerdictError(UndecidedError):
    """The verdict is too old to act on, or bears a time that is yet to come."""

    code = "undecided.stale_verdict"


class PolicyChangedError(UndecidedError):
    """The policy is no longer the one that the verdict was given under."""

    code = "undecided.policy_changed"


class BytesChangedError(IntegrityError):
    """The bytes built for release differ from those that were verified."""

    code = "integrity.bytes_changed"


def permits_for(
    runtime: Runtime,
    run: Run,
    verdict: Verdict,
    draft: Draft,
    evidence: Evidence,
    payloads: tuple[tuple[Payload, bytes], ...],
) -> tuple[Permit, ...]:
    """The statements to sign: one a payload."""
    from sluis.permits import Permit

    now = runtime.clock.now()
    manifest = runtime.manifest()
    request = run.request
    cited = {label for claim in draft.claims for label in claim.labels}
    chunks = [item.chunk for item in evidence.items if item.label in cited]
    return tuple(
        Permit(
            permit_id=runtime.ids.fresh("permit"),
            run_id=run.run_id,
            request_id=request.request_id,
            request=digest_of(request),
            tenant=request.tenant,
            audience=request.audience,
            as_of=request.as_of,
            kind=payload.kind,
            recipient=payload.recipient,
            media_type=payload.media_type,
            payload=payload.digest,
            size=payload.size,
            verdict=digest_of(verdict),
            draft=verdict.draft,
            policy=verdict.policy,
            fingerprint=evidence.stamp.fingerprint,
            pins=evidence.stamp.pins,
            citations=_citations(draft, evidence, cited),
            chunks=tuple(sorted((chunk.chunk_id, chunk.content_digest) for chunk in chunks)),
            waivers=verdict.waivers,
            issued_at=now,
            not_before=now + timedelta(seconds=manifest.hold_seconds),
            expires_at=now + timedelta(seconds=manifest.hold_seconds + manifest.permit_seconds),
            key_id=runtime.signer.key_id,
        )
        for payload, _ in payloads
    )


def _citations(draft: Draft, evidence: Evidence, cited: set[str]) -> tuple[Citation, ...]:
    """Every external citation that the relay asks about again: those in the text and the cited chunks themselves."""
    found = {Citation(kind=item.kind, value=item.value) for item in read_citations(draft.text).found}
    for item in evidence.items:
        if item.label in cited and item.chunk.source_kind in LIVE_KINDS:
            found.add(Citation(kind=item.chunk.source_kind, value=item.chunk.source_id))
    return tuple(sorted(found, key=lambda citation: (citation.kind, citation.value)))


def _require_fresh(runtime: Runtime, verdict: Verdict) -> None:
    age = (runtime.clock.now() - verdict.at).total_seconds()
    if not 0 <= age <= runtime.limits.verdict_s:
        raise StaleVerdictError(
            f"The verdict is {age:.0f} s old; at most {runtime.limits.verdict_s:g} s is allowed.",
            hint="Run the request again, so that it is verified again.",
            run_id=verdict.run_id,
        )


def release_node(runtime: Runtime) -> RunnableLambda[Any, Any]:
    """The node; steps 1 to 7 of the module's docstring.

    A run that has acted before ends as ``released`` with reason ``already_acted`` and the outbox rows of then.
    """
    from sluis.ledger.outbox import AlreadyActedError, OutboxEntry

    def body(state: AnswerState) -> Update:
        run = runtime.ledger.runs.get(run_id_of(state))
        handle = draft_in(state)
        verdict = runtime.ledger.vault.passing_verdict(run.run_id, handle.digest)
        if verdict is None or verdict.result != "pass":
            raise NotVerifiedError(
                "The ledger holds no passing verdict on this draft.",
                hint="Only verification can lead to release.",
                run_id=run.run_id,
                draft=handle.digest,
            )
        _require_fresh(runtime, verdict)
        if verdict.policy != runtime.policy.digest():
            raise PolicyChangedError("The policy changed after verification.", hint="Verify again.", run_id=run.run_id)
        draft = runtime.ledger.vault.get_draft(handle)
        evidence = runtime.ledger.vault.get_evidence(run.run_id, verdict.evidence)
        payloads = runtime.payloads(run, draft, evidence)
        if tuple(payload.digest for payload, _ in payloads) != verdict.payloads:
            raise BytesChangedError("The bytes are not those that were verified.", run_id=run.run_id)
        statements = permits_for(runtime, run, verdict, draft, evidence, payloads)
        entries = tuple(
            OutboxEntry(
                envelope=runtime.signer.sign(statement),
                payload=data,
                run_id=run.run_id,
                kind=payload.kind,
                recipient=payload.recipient,
                media_type=payload.media_type,
            )
            for statement, (payload, data) in zip(statements, payloads, strict=True)
        )
        # All that can go wrong with the words of the outcome goes wrong before the rows are written.
        outcome = Outcome(
            status=OutcomeStatus.RELEASED,
            run_id=run.run_id,
            reason="released",
            findings=tuple(item.redacted() for item in verdict.findings),
            verdict=digest_of(verdict),
            counts=counts_in(state),
        )
        reason = "released"
        try:
            keys = runtime.ledger.outbox.admit(entries)
        except AlreadyActedError:
            keys = runtime.ledger.outbox.keys_of(run.run_id)
            reason = "already_acted"
        outcome = outcome.model_copy(update={"reason": reason, "outbox": tuple(keys)})
        try:
            return end(record(runtime, outcome))
        except SluisError:
            # The rows are written, so it has been released, whether or not the ledger could note how the run ended.
            return end(outcome)

    return step("release", runtime, body)


__all__ = [
    "BytesChangedError",
    "NotVerifiedError",
    "PolicyChangedError",
    "StaleVerdictError",
    "permits_for",
    "release_node",
]
