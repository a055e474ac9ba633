"""open: records the request. From here on recipients, audience and question come from the ledger."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sluis.core import OutcomeStatus, Request

from ._runtime import Runtime
from ._step import Update, end, step
from .state import AnswerState, StateMalformedError

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableLambda


def open_node(runtime: Runtime) -> RunnableLambda[Any, Any]:
    """The node.

    Whatever the caller seeded in other channels is cleared. A request whose answer has been released is not
    answered again: the outcome says so and names the outbox rows.
    """

    def body(state: AnswerState) -> Update:
        given: object = state.get("request")
        if not isinstance(given, dict):
            raise StateMalformedError(
                "The input holds no request.", hint="Give {'request': Request.new(...).to_json()}.", channel="request"
            )
        run = runtime.ledger.runs.open(Request.from_json(given))
        cleared: Update = {
            "run_id": run.run_id,
            "route": "next",
            "selection": None,
            "evidence": None,
            "draft": None,
            "redrafts": 0,
            "verdict": None,
            "review_id": None,
            "outcome": None,
            "counts": {},
        }
        before = runtime.ledger.runs.outcome(run.run_id)
        if before is not None and before.status is OutcomeStatus.RELEASED:
            return cleared | end(before.model_copy(update={"reason": "already_acted"}))
        return cleared

    return step("open", runtime, body)
