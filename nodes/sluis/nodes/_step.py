"""Turns the body of a node into a LangGraph node that always ends in words of :mod:`sluis.nodes.state`.

An error of ours becomes an outcome of its kind; any other error becomes ``failed`` with its type alone, for its
text may quote a draft. LangGraph's own signals pass untouched.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from langchain_core.runnables import RunnableLambda

from sluis.core import Outcome, OutcomeStatus, RefusedError, SluisError, UndecidedError

from ._runtime import Runtime
from .state import AnswerState
from .verify.runner import is_control_flow

Update = dict[str, Any]
Body = Callable[[AnswerState], Update]
AsyncBody = Callable[[AnswerState], Awaitable[Update]]


def end(outcome: Outcome) -> Update:
    """The update that ends a run."""
    return {"route": "end", "outcome": outcome.to_json()}


def record(runtime: Runtime, outcome: Outcome) -> Outcome:
    """Write the end of a run into the ledger; a run that has been released stays released there."""
    known = runtime.ledger.runs.outcome(outcome.run_id)
    if known is None or known.status is not OutcomeStatus.RELEASED:
        runtime.ledger.runs.close(outcome.run_id, outcome)
    return outcome


def _status(error: BaseException) -> OutcomeStatus:
    if isinstance(error, RefusedError):
        return OutcomeStatus.BLOCKED
    if isinstance(error, UndecidedError):
        return OutcomeStatus.HELD
    return OutcomeStatus.FAILED


def _ended_by(runtime: Runtime, name: str, state: AnswerState, error: BaseException) -> Update:
    said: dict[str, Any] = {
        "code": "failed.unexpected",
        "message": f"{type(error).__name__} in the node {name}.",
        "retry": "never",
    }
    if isinstance(error, SluisError):
        said = {**error.diagnostics()}
    run_id = state.get("run_id")
    outcome = Outcome(
        status=_status(error),
        run_id=run_id if isinstance(run_id, str) else "",
        reason=str(said["code"]),
        error={**said, "node": name},
        counts=counts_in(state),
    )
    try:
        return end(record(runtime, outcome))
    except SluisError:
        # The ledger does not know the run, or does not answer: the caller still learns the first error.
        return end(outcome)


def counts_in(state: AnswerState) -> dict[str, int]:
    """The counts of a state that are counts; anything else is left out, for they are only told."""
    counts: object = state.get("counts")
    if not isinstance(counts, dict):
        return {}
    return {str(key): value for key, value in counts.items() if type(value) is int}


def step(name: str, runtime: Runtime, body: Body, abody: AsyncBody | None = None) -> RunnableLambda[Any, Any]:
    """A node with a synchronous and an asynchronous way in.

    Args:
        name: the node's name.
        runtime: for the record of how the run ended.
        body: the synchronous body.
        abody: the asynchronous one; left out, the synchronous one runs in a thread.
    """

    def run(state: AnswerState) -> Update:
        try:
            return body(state)
        except (Exception, SystemExit) as error:
            # A library that wants to end the program ends the run.
            if is_control_flow(error):
                raise
            return _ended_by(runtime, name, state, error)

    async def arun(state: AnswerState) -> Update:
        if abody is None:
            return await asyncio.to_thread(run, state)
        try:
            return await abody(state)
        except (Exception, SystemExit) as error:
            if is_control_flow(error):
                raise
            return await asyncio.to_thread(_ended_by, runtime, name, state, error)

    return RunnableLambda(run, afunc=arun, name=name)
