"""The check of the completion: only a whole answer passes, and what can pass by itself is held."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from sluis.core import (
    Case,
    CheckContext,
    Completion,
    CompletionStatus,
    Draft,
    Evidence,
    Finding,
    Request,
    RetrievalStamp,
    digest_text,
)
from sluis.nodes.verify.completion import CompletionContract

_AT = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)


async def _run(status: CompletionStatus, text: str) -> tuple[Finding, ...]:
    digest = digest_text("x")
    stamp = RetrievalStamp(alias="a", collection="c", fingerprint=digest, pins=(digest,), backend="t", at=_AT)
    request = Request(request_id="req_00000001", question="q", recipients=("a.md",), audience="a", tenant="t")
    completion = Completion(status=status, text=text, model="m-1", drafter="chat")
    case = Case(
        draft=Draft(completion=completion, claims=(), locale=None),
        evidence=Evidence(items=(), stamp=stamp),
        context=CheckContext(request=request, now=_AT),
    )
    return await CompletionContract().run(case)


async def test_a_whole_answer_passes() -> None:
    assert await _run(CompletionStatus.OK, "De termijn is 30 dagen. [c1]") == ()


TRANSIENT = {CompletionStatus.UNAVAILABLE, CompletionStatus.RATE_LIMITED, CompletionStatus.QUOTA}


@pytest.mark.parametrize("status", [status for status in CompletionStatus if status is not CompletionStatus.OK])
async def test_every_other_status_blocks_with_its_name_even_beside_a_good_text(status: CompletionStatus) -> None:
    (found,) = await _run(status, "De termijn is 30 dagen. [c1]")
    assert (found.check, found.status, found.reason) == ("completion", "block", status.value)
    assert found.undecided is (status in TRANSIENT)
    assert found.waivable is False
    assert "30 dagen" not in found.message


@pytest.mark.parametrize("text", ["", "  \n", "\u200b", "...", "[]"])
async def test_an_answer_that_calls_itself_ok_and_says_nothing_is_empty(text: str) -> None:
    (found,) = await _run(CompletionStatus.OK, text)
    assert (found.reason, found.undecided) == ("empty", False)


@pytest.mark.parametrize("text", ["<think>plan [c9]", "plan [c9]</think> De termijn is 30 dagen. [c1]"])
async def test_an_answer_that_calls_itself_ok_and_holds_a_thought_is_a_leak(text: str) -> None:
    (found,) = await _run(CompletionStatus.OK, text)
    assert found.reason == "thought_leak"


def test_name_and_version() -> None:
    check = CompletionContract()
    assert (check.name, check.version) == ("completion", 1)
