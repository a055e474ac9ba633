"""review: waits for a person. What counts is the decision in the ledger, never the value a run is resumed with.

``Command(resume=...)`` only wakes the node; it then reads the review's row. A row that is still pending leads
back to this node, which waits again and says why. So nobody who merely holds the graph, its checkpointer or its
state can approve, and no wrapper that swallows the interrupt can turn waiting into consent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from langgraph.types import interrupt

from sluis.core import Claim, Draft, Outcome, OutcomeStatus, RefusedError
from sluis.core.reading import read_draft

from ._runtime import Runtime
from ._step import Update, end, record, step
from .state import AnswerState, digest_in, run_id_of
from .verify.node import shown_digest

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableLambda

    from sluis.ledger.reviews import Review


class ForeignReviewError(RefusedError):
    """The state points to a verdict that is another run's."""

    code = "refused.foreign_review"


def revised(draft: Draft, *, drop: tuple[int, ...], rewrite: dict[int, str], locale: str) -> Draft:
    """The draft without the dropped claims and with the rewritten ones, read anew.

    Args:
        draft: what was reviewed.
        drop: indexes of claims to leave out.
        rewrite: index of a claim to its new text, markers included.
        locale: of the draft's text.
    """
    text = draft.text

    def piece(index: int, claim: Claim) -> str:
        return "" if index in drop else rewrite.get(index, claim.text)

    parts: list[str] = []
    at = 0
    for index, claim in enumerate(draft.claims):
        parts += [text[at : claim.start], piece(index, claim)]
        at = claim.end
    parts.append(text[at:])
    changed = draft.completion.model_copy(update={"text": "".join(parts).strip()})
    return read_draft(changed, locale=locale)


def review_node(runtime: Runtime) -> RunnableLambda[Any, Any]:
    """The node. Routes: ``review`` (still waiting), ``verify`` (approved or rewritten), ``end`` (rejected)."""

    def body(state: AnswerState) -> Update:
        run = runtime.ledger.runs.get(run_id_of(state))
        digest = digest_in(state, "verdict")
        verdict = runtime.ledger.vault.get_verdict(digest)
        if verdict.run_id != run.run_id or verdict.result != "review":
            raise ForeignReviewError(
                "The verdict is not one of this run that a person may decide on.", run_id=run.run_id, verdict=digest
            )
        review = runtime.ledger.reviews.open(run.run_id, digest, verdict.draft, shown_digest(verdict))
        waiting = Outcome(
            status=OutcomeStatus.IN_REVIEW,
            run_id=run.run_id,
            reason=next(item.reason for item in verdict.findings if item.status == "review"),
            findings=tuple(item.redacted() for item in verdict.findings if item.status != "pass"),
            verdict=digest,
            review_id=review.review_id,
        )
        if review.state == "pending":
            record(runtime, waiting)
            interrupt({"review_id": review.review_id, "shown": review.shown, "outcome": waiting.to_json()})
            review = runtime.ledger.reviews.get(review.review_id)
            if review.state == "pending":
                # Woken without a decision: an edge leads back here, so that one run of the node waits once.
                return {"route": "review", "review_id": review.review_id}
        return _decided(runtime, waiting, review)

    return step("review", runtime, body)


def _decided(runtime: Runtime, waiting: Outcome, review: Review) -> Update:
    if review.decision == "approve":
        return {"route": "verify", "review_id": review.review_id}
    if review.decision == "revise":
        run = runtime.ledger.runs.get(review.run_id)
        handle = runtime.ledger.vault.draft_handle(review.run_id, review.draft_digest)
        draft = revised(
            runtime.ledger.vault.get_draft(handle),
            drop=review.drop,
            rewrite=dict(review.rewrite),
            locale=run.request.locale,
        )
        latest = runtime.ledger.vault.latest_draft(review.run_id)
        following = handle.round + 1 if latest is None else latest.round + 1
        again = runtime.ledger.vault.put_draft(review.run_id, following, draft)
        return {"route": "verify", "draft": again.to_json(), "review_id": None, "verdict": None}
    refused = waiting.model_copy(update={"status": OutcomeStatus.BLOCKED, "reason": "rejected_by_reviewer"})
    return end(record(runtime, refused))
