"""draft: lets the drafter write and puts the text where only our nodes read it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from sluis.core import Completion, Evidence, Finding, Request
from sluis.core.reading import read_draft

from ._runtime import Runtime
from ._step import Update, step
from .state import AnswerState, StateMalformedError, digest_in, redrafts_in, run_id_of

if TYPE_CHECKING:
    from langchain_core.runnables import RunnableLambda


def draft_node(runtime: Runtime) -> RunnableLambda[Any, Any]:
    """The node.

    State gains a handle (run, round, digest). The findings of the former round, when this is a redraft, are
    given to the drafter; how often that may happen is bounded by ``runtime.limits.redrafts``.
    """

    def prepare(state: AnswerState) -> tuple[str, Request, Evidence, tuple[Finding, ...], int]:
        run = runtime.ledger.runs.get(run_id_of(state))
        evidence = runtime.ledger.vault.get_evidence(run.run_id, digest_in(state, "evidence"))
        redrafts = redrafts_in(state)
        findings: tuple[Finding, ...] = ()
        if redrafts > 0:
            verdict = runtime.ledger.vault.get_verdict(digest_in(state, "verdict"))
            if verdict.run_id != run.run_id:
                raise StateMalformedError("The verdict is another run's.", hint="Start again.", channel="verdict")
            findings = verdict.findings
        latest = runtime.ledger.vault.latest_draft(run.run_id)
        return run.run_id, run.request, evidence, findings, 0 if latest is None else latest.round + 1

    def keep(run_id: str, request: Request, round_: int, completion: Completion) -> Update:
        draft = read_draft(completion, locale=request.locale)
        handle = runtime.ledger.vault.put_draft(run_id, round_, draft)
        return {"draft": handle.to_json(), "verdict": None, "review_id": None, "route": "verify"}

    def body(state: AnswerState) -> Update:
        run_id, request, evidence, findings, round_ = prepare(state)
        completion = runtime.drafter.draft(
            question=request.question, evidence=evidence, request=request, findings=findings, round=round_
        )
        return keep(run_id, request, round_, completion)

    async def abody(state: AnswerState) -> Update:
        run_id, request, evidence, findings, round_ = await asyncio.to_thread(prepare, state)
        completion = await runtime.drafter.adraft(
            question=request.question, evidence=evidence, request=request, findings=findings, round=round_
        )
        return await asyncio.to_thread(keep, run_id, request, round_, completion)

    return step("draft", runtime, body, abody)
