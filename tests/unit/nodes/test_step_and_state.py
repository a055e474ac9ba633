"""How a node ends, whatever its body does; and what it reads from a state that anybody may have written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph.errors import GraphInterrupt

from sluis.core import (
    ConfigurationError,
    DeadlineError,
    DraftHandle,
    IntegrityError,
    MalformedValueError,
    Outcome,
    OutcomeStatus,
    RefusedError,
    Request,
    SluisError,
    UndecidedError,
    digest_text,
)
from sluis.nodes._runtime import Runtime
from sluis.nodes._step import end, record, step
from sluis.nodes.state import (
    AnswerState,
    NoRunError,
    StateMalformedError,
    digest_in,
    draft_in,
    redrafts_in,
    run_id_of,
)

# What the body raises, how the run ends and by which code.
ERRORS: dict[str, tuple[Exception, str, str]] = {
    "the guarantee says no": (RefusedError("no"), "blocked", "refused"),
    "it could not be told": (UndecidedError("x"), "held", "undecided"),
    "time ran out": (DeadlineError("x"), "held", "undecided.deadline"),
    "data is damaged": (IntegrityError("x"), "failed", "integrity"),
    "it is put together wrongly": (ConfigurationError("x"), "failed", "usage.configuration"),
    "anything else": (ValueError("de tekst van het concept"), "failed", "failed.unexpected"),
    "a wrong lookup": (KeyError("de tekst van het concept"), "failed", "failed.unexpected"),
}


@pytest.mark.parametrize("what", ERRORS)
@pytest.mark.parametrize("way", ["sync", "async", "async body"])
async def test_an_error_ends_the_run_and_is_recorded(
    what: str, way: str, a_runtime: Callable[..., Runtime], a_request: Request
) -> None:
    error, status, code = ERRORS[what]
    runtime = a_runtime()
    run_id = runtime.ledger.runs.open(a_request).run_id

    def body(state: AnswerState) -> dict[str, Any]:
        raise error

    async def abody(state: AnswerState) -> dict[str, Any]:
        raise error

    node = step("draft", runtime, body, abody if way == "async body" else None)
    state = {"run_id": run_id, "counts": {"retrieved": 3, "odd": "x"}}
    update = node.invoke(state) if way == "sync" else await node.ainvoke(state)
    outcome = Outcome.from_json(update["outcome"])
    assert update["route"] == "end"
    assert (outcome.status.value, outcome.reason, outcome.counts) == (status, code, {"retrieved": 3})
    assert outcome.error is not None
    assert outcome.error["node"] == "draft"
    assert "concept" not in str(update)
    assert runtime.ledger.runs.outcome(run_id) == outcome


@pytest.mark.parametrize("state", [{}, {"run_id": 3}, {"run_id": "run_unknown"}, {"run_id": "", "counts": 3}])
def test_an_error_without_a_run_still_reaches_the_caller(
    state: dict[str, Any], a_runtime: Callable[..., Runtime]
) -> None:
    def body(state: AnswerState) -> dict[str, Any]:
        raise RefusedError("no")

    update = step("draft", a_runtime(), body).invoke(state)
    assert update["outcome"]["status"] == "blocked"


async def test_the_signals_of_the_graph_pass(a_runtime: Callable[..., Runtime]) -> None:
    def body(state: AnswerState) -> dict[str, Any]:
        raise GraphInterrupt(())

    async def abody(state: AnswerState) -> dict[str, Any]:
        raise GraphInterrupt(())

    with pytest.raises(GraphInterrupt):
        step("review", a_runtime(), body).invoke({})
    for node in (step("review", a_runtime(), body), step("review", a_runtime(), body, abody)):
        with pytest.raises(GraphInterrupt):
            await node.ainvoke({})


def test_a_run_that_was_released_stays_so(a_runtime: Callable[..., Runtime], a_request: Request) -> None:
    runtime = a_runtime()
    run_id = runtime.ledger.runs.open(a_request).run_id
    released = Outcome(status=OutcomeStatus.RELEASED, run_id=run_id, reason="released")
    later = Outcome(status=OutcomeStatus.FAILED, run_id=run_id, reason="x")
    assert record(runtime, released) == released
    assert end(record(runtime, later)) == {"route": "end", "outcome": later.to_json()}
    assert runtime.ledger.runs.outcome(run_id) == released


HANDLE = DraftHandle(run_id="r", round=0, digest=digest_text("d"))


def test_what_a_state_holds_is_read() -> None:
    state = cast("AnswerState", {"run_id": "r", "evidence": digest_text("e"), "draft": HANDLE.to_json(), "redrafts": 2})
    assert run_id_of(state) == "r"
    assert digest_in(state, "evidence") == digest_text("e")
    assert draft_in(state) == HANDLE
    assert redrafts_in(state) == 2
    assert redrafts_in({}) == 0


READS: dict[str, tuple[Callable[[AnswerState], object], str, list[Any]]] = {
    "a run": (run_id_of, "run_id", [3, True, [], {}, b"r"]),
    "a digest": (lambda state: digest_in(state, "verdict"), "verdict", [None, "", "x", 3, True, []]),
    "a draft": (draft_in, "draft", [None, "", "x", 3, True, []]),
    "a count": (redrafts_in, "redrafts", [None, "1", -1, True, 1.0, []]),
}


@pytest.mark.parametrize("what", READS)
def test_what_a_state_should_not_hold_is_refused(what: str) -> None:
    read, channel, bad = READS[what]
    for value in bad:
        with pytest.raises(StateMalformedError) as refused:
            read(cast("AnswerState", {channel: value}))
        assert refused.value.subject == {"channel": channel}


def test_a_draft_handle_that_is_not_whole_is_refused() -> None:
    with pytest.raises(MalformedValueError):
        draft_in(cast("AnswerState", {"draft": {"run_id": "r"}}))


@pytest.mark.parametrize("state", [{}, {"run_id": ""}, {"run_id": None}])
def test_a_state_without_a_run_says_so(state: dict[str, Any]) -> None:
    with pytest.raises(NoRunError):
        run_id_of(cast("AnswerState", state))


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from(["run_id", "verdict", "draft", "redrafts", "evidence"]), anything))
def test_any_state_is_read_or_refused(state: dict[str, Any]) -> None:
    for read, _, _ in READS.values():
        try:
            read(cast("AnswerState", state))
        except SluisError:
            continue
