"""retrieve: asks the index for candidates and notes which index it was, in what state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._runtime import Runtime, Selection
from ._step import Update, step
from .state import AnswerState, run_id_of

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableLambda

STAGE = "retrieved"


def retrieve_node(runtime: Runtime) -> RunnableLambda[Any, Any]:
    """The node. Candidates go to the vault, bound to the run; state gains their digest and their number."""

    def body(state: AnswerState) -> Update:
        run = runtime.ledger.runs.get(run_id_of(state))
        day = runtime.day(run.request, runtime.clock.now())
        found = runtime.retriever.retrieve(run.request, policy=runtime.policy, day=day, limit=runtime.limits.retrieve)
        selection = Selection(run_id=run.run_id, stage=STAGE, candidates=found.candidates, stamp=found.stamp)
        return {
            "selection": runtime.save(selection),
            "counts": {"retrieved": len(found.candidates)},
            "route": "next",
        }

    return step("retrieve", runtime, body)
