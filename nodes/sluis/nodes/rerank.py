"""rerank: orders what is admissible, cuts, labels it, and fixes it as the evidence of the run.

A reranker may order and cut, never admit: what it gives back must be among what it was given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sluis.core import Candidate, Evidence, EvidenceItem, IntegrityError

from ._runtime import Runtime
from ._step import Update, step
from .filter import STAGE as ADMISSIBLE
from .state import AnswerState, digest_in, run_id_of

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableLambda


class RerankerAdmittedError(IntegrityError):
    """A reranker gave back a candidate that it was not given, or one twice, or more than it was asked to keep."""

    code = "integrity.reranker_admitted"


def only_ordered(given: tuple[Candidate, ...], answered: tuple[Candidate, ...], *, keep: int) -> tuple[Candidate, ...]:
    """The answer of a reranker, when it did no more than order and cut.

    Raises:
        RerankerAdmittedError: it did.
    """
    known = {candidate.chunk.chunk_id: candidate.chunk for candidate in given}
    ids = [candidate.chunk.chunk_id for candidate in answered]
    foreign = [candidate for candidate in answered if known.get(candidate.chunk.chunk_id) != candidate.chunk]
    if foreign or len(set(ids)) != len(ids) or len(ids) > keep:
        raise RerankerAdmittedError(
            "The reranker did more than order and cut.", hint="Use another reranker.", given=len(given), got=len(ids)
        )
    return answered


def strongest_at_both_ends(ranked: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
    """Best first, second best last, and so on inwards: models read the middle of a long prompt worst.

    Source: Liu et al., *Lost in the Middle* (2023).
    """
    return ranked[::2] + ranked[1::2][::-1]


def rerank_node(runtime: Runtime) -> RunnableLambda[Any, Any]:
    """The node. Labels ``c1``, ``c2``, ... follow the order in which chunks are shown."""

    def body(state: AnswerState) -> Update:
        run = runtime.ledger.runs.get(run_id_of(state))
        selection = runtime.load(digest_in(state, "selection"), run_id=run.run_id, stage=ADMISSIBLE)
        keep = runtime.limits.keep
        answered = runtime.reranker.order(run.request.question, selection.candidates, keep=keep)
        ranked = only_ordered(selection.candidates, answered, keep=keep)
        shown = strongest_at_both_ends(ranked)
        evidence = Evidence(
            items=tuple(
                EvidenceItem(label=f"c{number}", chunk=candidate.chunk) for number, candidate in enumerate(shown, 1)
            ),
            stamp=selection.stamp,
            exclusions=selection.exclusions,
        )
        digest = runtime.ledger.vault.put_evidence(run.run_id, evidence)
        counts = dict(state.get("counts") or {}) | {"shown": len(shown)}
        return {"evidence": digest, "counts": counts, "route": "next"}

    return step("rerank", runtime, body)
