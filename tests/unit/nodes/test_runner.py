"""The runner fails closed: whatever goes wrong in a check is a finding that blocks."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, cast

import pytest
from langgraph.errors import GraphInterrupt

from sluis.core import Case, Finding, SluisError, finding
from sluis.nodes import verify
from sluis.nodes.verify.runner import DuplicateCheckError, check_names, is_control_flow, run_checks

CASE = cast("Case", None)


class Says:
    """A check that does what the test wants."""

    version = 1

    def __init__(self, name: str, body: Callable[[], Awaitable[Any]]) -> None:
        self.name = name
        self._body = body

    async def run(self, case: Case) -> tuple[Finding, ...]:
        return cast("tuple[Finding, ...]", await self._body())


def answering(name: str, answer: Any) -> Says:
    async def body() -> Any:
        return answer

    return Says(name, body)


def raising(name: str, error: BaseException) -> Says:
    async def body() -> Any:
        raise error

    return Says(name, body)


def objection(name: str) -> Finding:
    return finding(name, "block", "wrong", "It is wrong.")


class _Typed(SluisError):
    code = "test.typed"


async def test_no_checks_prove_nothing() -> None:
    (found,) = await run_checks([], CASE, deadline_s=1)
    assert (found.check, found.status, found.reason) == ("gate", "block", "no_checks")


async def test_checks_that_object_to_nothing_give_nothing() -> None:
    assert await run_checks([answering("a", ()), answering("b", ())], CASE, deadline_s=1) == ()


async def test_findings_come_by_name_whatever_the_order() -> None:
    checks = [answering("b", (objection("b"),)), answering("a", (objection("a"), objection("a")))]
    assert [item.check for item in await run_checks(checks, CASE, deadline_s=1)] == ["a", "a", "b"]
    assert check_names(checks) == ("a@1", "b@1")


MALFORMED = {
    "nothing": None,
    "a truth": True,
    "a list": [objection("a")],
    "a finding alone": objection("a"),
    "a word": ("pass",),
    "another's finding": (objection("b"),),
}


@pytest.mark.parametrize("name", MALFORMED)
async def test_an_answer_that_is_none_blocks(name: str) -> None:
    (found,) = await run_checks([answering("a", MALFORMED[name])], CASE, deadline_s=1)
    assert (found.check, found.status, found.reason) == ("a", "block", "check_malformed")


ERRORS = {
    "unexpected": (ValueError("secret"), "unexpected"),
    "typed": (_Typed("secret"), "test.typed"),
}


@pytest.mark.parametrize("name", ERRORS)
async def test_an_error_blocks_and_its_text_is_not_told(name: str) -> None:
    error, code = ERRORS[name]
    (found,) = await run_checks([raising("a", error)], CASE, deadline_s=1)
    assert (found.status, found.reason, found.evidence["code"]) == ("block", "check_error", code)
    assert "secret" not in repr(found)


async def test_a_check_that_is_late_blocks_and_the_others_are_heard() -> None:
    late = Says("late", lambda: asyncio.sleep(30))
    found = await run_checks([late, answering("a", (objection("a"),))], CASE, deadline_s=0.05)
    assert [(item.check, item.reason, item.undecided) for item in found] == [
        ("a", "wrong", False),
        ("late", "check_timeout", True),
    ]


async def test_a_check_that_resists_its_cancellation_is_left_behind() -> None:
    async def stubborn() -> Any:
        try:
            await asyncio.sleep(30)
        except asyncio.CancelledError:
            await asyncio.sleep(0.3)
        return ()

    (found,) = await run_checks([Says("a", stubborn)], CASE, deadline_s=0.05)
    assert found.reason == "check_timeout"
    await asyncio.sleep(0.4)


async def test_a_check_that_cancels_itself_blocks() -> None:
    (found,) = await run_checks([raising("a", asyncio.CancelledError())], CASE, deadline_s=1)
    assert (found.reason, found.undecided) == ("check_cancelled", True)


async def test_a_signal_of_the_graph_is_raised_on() -> None:
    assert is_control_flow(GraphInterrupt())
    with pytest.raises(GraphInterrupt):
        await run_checks([raising("a", GraphInterrupt())], CASE, deadline_s=1)


async def test_two_checks_of_one_name_are_refused() -> None:
    with pytest.raises(DuplicateCheckError, match="named a"):
        await run_checks([answering("a", ()), answering("a", ())], CASE, deadline_s=1)


def test_the_gate_of_the_answer_graph_holds_every_check_once() -> None:
    names = check_names(verify.all_checks())
    assert [name.split("@")[0] for name in names] == [
        "citations.known",
        "citations.live",
        "citations.reference",
        "completion",
        "contradiction",
        "egress",
        "polarity",
        "policy.recheck",
        "quotes.verbatim",
        "retrieval.fingerprint",
        "terms.supported",
        "values.supported",
    ]


def test_every_name_of_the_gate_is_there() -> None:
    assert all(hasattr(verify, name) for name in verify.__all__)
    with pytest.raises(AttributeError):
        _ = verify.nothing
