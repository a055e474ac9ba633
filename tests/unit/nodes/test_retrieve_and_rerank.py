from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from sluis.core import Candidate, Chunk, Marker, OutcomeStatus, Request
from sluis.ledger import Ledger
from sluis.nodes._runtime import ForeignSelectionError, Limits, Runtime
from sluis.nodes.filter import filter_node
from sluis.nodes.rerank import RerankerAdmittedError, only_ordered, rerank_node, strongest_at_both_ends
from sluis.nodes.retrieve import STAGE, retrieve_node

Make = Callable[..., Chunk]
MakeRuntime = Callable[..., Runtime]


def candidates(make: Make, *names: str, **changes: Any) -> tuple[Candidate, ...]:
    return tuple(Candidate(chunk=make(name, **changes), score=1.0 - 0.1 * place) for place, name in enumerate(names))


def registered(ledger: Ledger, found: tuple[Candidate, ...]) -> None:
    ledger.register.upsert_chunks("c", [candidate.chunk for candidate in found])
    if ledger.register.alias("live") is None:
        ledger.register.swap_alias("live", None, "c")


def test_candidates_pass_from_node_to_node_by_digest_and_become_evidence(
    a_chunk: Make, a_request: Request, a_ledger: Ledger, a_runtime: MakeRuntime
) -> None:
    found = candidates(a_chunk, "a", "b", "c")
    registered(a_ledger, found)
    runtime = a_runtime(*found, limits=Limits(retrieve=7, keep=2))
    run = a_ledger.runs.open(a_request)
    state: Any = {"run_id": run.run_id}
    state |= retrieve_node(runtime).invoke(state)
    request, policy, day, limit = runtime.retriever.asked[0]  # type: ignore[attr-defined]
    assert (request, policy.name, day, limit) == (a_request, "client_facing", 20261130, 7)
    assert "termijn" not in repr(state)
    state |= filter_node(runtime).invoke(state)
    assert state["counts"] == {"retrieved": 3, "admissible": 3, "incidents": 0}
    state |= rerank_node(runtime).invoke(state)
    assert state["counts"]["shown"] == 2
    assert "termijn" not in repr(state)
    evidence = a_ledger.vault.get_evidence(run.run_id, state["evidence"])
    assert [(item.label, item.chunk.chunk_id) for item in evidence.items] == [("c1", "a"), ("c2", "b")]


async def test_the_nodes_run_in_a_loop_as_well(
    a_chunk: Make, a_request: Request, a_ledger: Ledger, a_runtime: MakeRuntime
) -> None:
    found = candidates(a_chunk, "a")
    registered(a_ledger, found)
    runtime = a_runtime(*found)
    state: Any = {"run_id": a_ledger.runs.open(a_request).run_id}
    for node in (retrieve_node, filter_node, rerank_node):
        state |= await node(runtime).ainvoke(state)
    assert state["counts"]["shown"] == 1


def test_nothing_admissible_ends_the_run_with_its_counts_and_no_evidence(
    a_chunk: Make, a_request: Request, a_ledger: Ledger, a_runtime: MakeRuntime
) -> None:
    found = candidates(a_chunk, "a", "b", marker=Marker.WITHDRAWN)
    registered(a_ledger, found)
    runtime = a_runtime(*found)
    run = a_ledger.runs.open(a_request)
    state: Any = {"run_id": run.run_id}
    state |= retrieve_node(runtime).invoke(state)
    state |= filter_node(runtime).invoke(state)
    outcome = a_ledger.runs.outcome(run.run_id)
    assert state["route"] == "end"
    assert outcome is not None
    assert (outcome.status, outcome.reason) == (OutcomeStatus.BLOCKED, "no_admissible_source")
    assert outcome.counts["excluded.marker_withdrawn"] == 2
    assert a_ledger.vault.latest_evidence(run.run_id) is None


def test_a_state_that_points_to_another_runs_candidates_ends_in_an_error(
    a_chunk: Make, a_request: Request, a_ledger: Ledger, a_runtime: MakeRuntime
) -> None:
    runtime = a_runtime(*candidates(a_chunk, "a"))
    other = a_ledger.runs.open(a_request.model_copy(update={"request_id": "req_00000002"}))
    stolen = retrieve_node(runtime).invoke({"run_id": other.run_id})["selection"]
    run = a_ledger.runs.open(a_request)
    state = filter_node(runtime).invoke({"run_id": run.run_id, "selection": stolen})
    assert state["outcome"]["status"] == "failed"
    assert state["outcome"]["error"]["code"] == ForeignSelectionError.code


def test_candidates_that_were_not_filtered_cannot_be_reranked(
    a_chunk: Make, a_request: Request, a_ledger: Ledger, a_runtime: MakeRuntime
) -> None:
    runtime = a_runtime(*candidates(a_chunk, "a", audience=("internal",)))
    run = a_ledger.runs.open(a_request)
    state: Any = {"run_id": run.run_id}
    state |= retrieve_node(runtime).invoke(state)
    skipped = rerank_node(runtime).invoke(state)
    assert skipped["outcome"]["error"]["code"] == ForeignSelectionError.code
    assert runtime.load(state["selection"], run_id=run.run_id, stage=STAGE).candidates[0].chunk.chunk_id == "a"


ANSWERS: dict[str, Callable[[tuple[Candidate, ...], Candidate], tuple[Candidate, ...]]] = {
    "one it was not given": lambda given, foreign: (foreign,),
    "one twice": lambda given, foreign: (given[0], given[0]),
    "more than was asked": lambda given, foreign: given,
    "one with another text under a known id": lambda given, foreign: (
        Candidate(chunk=foreign.chunk.model_copy(update={"chunk_id": given[0].chunk.chunk_id}), score=1.0),
    ),
}


@pytest.mark.parametrize("case", ANSWERS, ids=str)
def test_a_reranker_cannot_admit(
    case: str, a_chunk: Make, a_request: Request, a_ledger: Ledger, a_runtime: MakeRuntime
) -> None:
    given = candidates(a_chunk, "a", "b", "c")
    [foreign] = candidates(a_chunk, "x")
    with pytest.raises(RerankerAdmittedError):
        only_ordered(given, ANSWERS[case](given, foreign), keep=2)

    class Eager:
        def order(self, question: str, candidates: tuple[Candidate, ...], *, keep: int) -> tuple[Candidate, ...]:
            return ANSWERS[case](candidates, foreign)

    registered(a_ledger, given)
    runtime = a_runtime(*given, reranker=Eager(), limits=Limits(keep=2))
    state: Any = {"run_id": a_ledger.runs.open(a_request).run_id}
    for node in (retrieve_node, filter_node, rerank_node):
        state |= node(runtime).invoke(state)
    assert state["outcome"]["status"] == "failed"
    assert state["outcome"]["error"]["code"] == RerankerAdmittedError.code


@pytest.mark.parametrize(
    ("ranked", "shown"), [("", ""), ("a", "a"), ("ab", "ab"), ("abc", "acb"), ("abcdef", "acefdb")]
)
def test_the_strongest_stand_at_both_ends(ranked: str, shown: str, a_chunk: Make) -> None:
    order = strongest_at_both_ends(candidates(a_chunk, *ranked))
    assert "".join(candidate.chunk.chunk_id for candidate in order) == shown


def test_cutting_and_ordering_is_what_a_reranker_may_do(a_chunk: Make) -> None:
    given = candidates(a_chunk, "a", "b", "c")
    assert only_ordered(given, (given[2], given[0]), keep=2) == (given[2], given[0])
    assert only_ordered(given, (), keep=2) == ()
