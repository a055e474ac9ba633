"""filter: applies the policy again, in code, to what the store returned, and counts every exclusion by its reason.

Order of the rules:

1. The policy itself, on the stored payload. The store was asked the same; what it let through all the same is an
   *incident*.
2. The register, for what changed since the store was written: markers, validity, audience, content.
3. Supersession: of one document family only the version in force. Two versions that claim the same first day
   cannot be told apart, and neither is admissible.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from sluis.core import Candidate, Exclusion, Outcome, OutcomeStatus, RegisterView, Request

from ._runtime import Runtime, Selection
from ._step import Update, end, record, step
from .retrieve import STAGE as RETRIEVED
from .state import AnswerState, digest_in, run_id_of

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableLambda

    from sluis.policies import Policy

STAGE = "admissible"

_INCIDENTS = frozenset({"unknown_chunk", "content_changed"})
"""What a register says only of a store that holds something it was never given."""


def admissible(
    candidates: tuple[Candidate, ...], *, policy: Policy, register: RegisterView, request: Request, day: int
) -> tuple[tuple[Candidate, ...], tuple[Exclusion, ...]]:
    """Split candidates into those that may be shown and counted reasons for the others.

    Args:
        candidates: as the store returned them.
        policy: the hard filter.
        register: what stands in the ledger now.
        request: for whom.
        day: calendar date ``yyyymmdd`` on which the sources must be in force.

    Returns:
        The admissible ones in their order, and one exclusion for each reason, sorted by reason. A candidate is
        counted under its first reason.
    """
    excluded: dict[tuple[str, bool], list[str]] = defaultdict(list)
    kept: list[Candidate] = []
    for candidate in candidates:
        chunk = candidate.chunk
        reasons = policy.exclusion_reasons(chunk, request, day)
        if reasons:
            excluded[reasons[0], True].append(chunk.chunk_id)
            continue
        current = register.current_reasons(chunk.chunk_id, chunk.content_digest, request=request, day=day)
        if current:
            excluded[current[0], current[0] in _INCIDENTS].append(chunk.chunk_id)
            continue
        kept.append(candidate)
    in_force = _in_force(kept)
    last: list[Candidate] = []
    for candidate in kept:
        reason = in_force[candidate.chunk.family].get((candidate.chunk.valid_from, candidate.chunk.version))
        if reason is None:
            last.append(candidate)
        else:
            excluded[reason, False].append(candidate.chunk.chunk_id)
    exclusions = tuple(
        Exclusion(reason=reason, count=len(ids), chunk_ids=tuple(sorted(ids)), incident=incident)
        for (reason, incident), ids in sorted(excluded.items())
    )
    return tuple(last), exclusions


def _in_force(candidates: list[Candidate]) -> dict[str, dict[tuple[int, str], str | None]]:
    """For each family: version to the reason why it is not the one in force, or ``None``."""
    versions: dict[str, set[tuple[int, str]]] = defaultdict(set)
    for candidate in candidates:
        versions[candidate.chunk.family].add((candidate.chunk.valid_from, candidate.chunk.version))
    result: dict[str, dict[tuple[int, str], str | None]] = {}
    for family, known in versions.items():
        newest = max(first_day for first_day, _ in known)
        rivals = [version for first_day, version in known if first_day == newest]
        result[family] = {
            (first_day, version): "superseded_version"
            if first_day != newest
            else ("ambiguous_version" if len(rivals) > 1 else None)
            for first_day, version in known
        }
    return result


def filter_node(runtime: Runtime) -> RunnableLambda[Any, Any]:
    """The node. With nothing admissible the run ends as ``blocked``: there is no drafting without sources."""

    def body(state: AnswerState) -> Update:
        run = runtime.ledger.runs.get(run_id_of(state))
        selection = runtime.load(digest_in(state, "selection"), run_id=run.run_id, stage=RETRIEVED)
        kept, exclusions = admissible(
            selection.candidates,
            policy=runtime.policy,
            register=runtime.ledger.register,
            request=run.request,
            day=runtime.day(run.request, runtime.clock.now()),
        )
        counts = {"retrieved": len(selection.candidates), "admissible": len(kept)}
        counts |= {f"excluded.{item.reason}": item.count for item in exclusions}
        counts |= {"incidents": sum(item.count for item in exclusions if item.incident)}
        if not kept:
            outcome = Outcome(
                status=OutcomeStatus.BLOCKED, run_id=run.run_id, reason="no_admissible_source", counts=counts
            )
            return {"counts": counts} | end(record(runtime, outcome))
        narrowed = Selection(
            run_id=run.run_id, stage=STAGE, candidates=kept, stamp=selection.stamp, exclusions=exclusions
        )
        return {"selection": runtime.save(narrowed), "counts": counts, "route": "next"}

    return step("filter", runtime, body)
