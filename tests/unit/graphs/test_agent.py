"""The agent gives an outcome whatever happens; checkpoints serve both ways of asking."""

from __future__ import annotations

import asyncio
import stat
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from sluis.core import MalformedValueError, OutcomeStatus, SourceState
from sluis.evals.world import GOOD, RULING, SECRET, World, open_world
from sluis.graphs import Agent, sqlite_checkpoints
from sluis.ledger import OutboxStep, TransitionRefusedError

QUESTION = "Wanneer moet de waarborgsom terug?"


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with open_world(tmp_path) as opened:
        yield opened


def test_a_request_of_the_agent_is_for_its_own_tenant_and_audience(world: World) -> None:
    request = world.agent.request(QUESTION)
    assert (request.tenant, request.audience, request.locale) == ("acme", "client", "nl-NL")
    assert request.recipients == (f"{request.request_id}.md",)


@pytest.mark.parametrize("question", ["", "x" * 8001])
async def test_what_is_no_question_is_not_run(question: str, world: World) -> None:
    with pytest.raises(MalformedValueError, match="question"):
        world.agent.ask(question)
    with pytest.raises(MalformedValueError, match="question"):
        await world.agent.aask(question)


async def test_both_ways_of_asking_end_alike(world: World) -> None:
    one = world.agent.ask(QUESTION, recipients=("a.md",))
    other = await world.agent.aask(QUESTION, recipients=("b.md",))
    for outcome in (one, other):
        assert outcome.status is OutcomeStatus.RELEASED
        assert outcome.counts["shown"] == 1
    world.model.texts = [SECRET]
    assert (await world.agent.aask(QUESTION, recipients=("c.md",))).status is OutcomeStatus.BLOCKED


async def test_both_ways_of_going_on_end_alike(world: World) -> None:
    world.sources.says[RULING] = (SourceState.UNVERIFIABLE, "later_outcome_unknown")
    for name in ("a.md", "b.md"):
        waiting = world.agent.ask(QUESTION, recipients=(name,))
        assert waiting.review_id is not None
        review = world.ledger.reviews.get(waiting.review_id)
        world.ledger.reviews.decide(review.review_id, decision="approve", shown=review.shown, reviewer="t.voorbeeld")
        ended = world.agent.resume(waiting.run_id) if name == "a.md" else await world.agent.aresume(waiting.run_id)
        assert ended.status is OutcomeStatus.RELEASED


async def test_a_run_that_nobody_opened_cannot_go_on(world: World) -> None:
    for outcome in (world.agent.resume("run_x"), await world.agent.aresume("run_x")):
        assert outcome.status is not OutcomeStatus.RELEASED
        assert outcome.reason == "refused.unknown_run"


def test_the_same_request_again_acts_once(world: World) -> None:
    request = world.request("a.md")
    first, again = world.agent.run(request), world.agent.run(request)
    assert (first.status, again.status) == (OutcomeStatus.RELEASED, OutcomeStatus.RELEASED)
    assert first.outbox == again.outbox
    assert world.rows() == 1


def test_a_request_that_was_blocked_may_be_asked_again(world: World) -> None:
    request = world.request("a.md")
    world.model.texts = [SECRET]
    assert world.agent.run(request).status is OutcomeStatus.BLOCKED
    world.model.texts = [GOOD]
    assert world.agent.run(request).status is OutcomeStatus.RELEASED


class Broken:
    """A graph that ends in something that is no outcome, or not at all."""

    def __init__(self, result: Any) -> None:
        self.result = result

    def invoke(self, given: Any, config: Any, **_: Any) -> Any:
        if isinstance(self.result, Exception):
            raise self.result
        return self.result

    async def ainvoke(self, given: Any, config: Any, **_: Any) -> Any:
        return self.invoke(given, config)


NO_OUTCOMES: list[Any] = [None, {}, {"outcome": None}, {"outcome": {"status": "released"}}, {"outcome": "ok"}]


@pytest.mark.parametrize("result", [*NO_OUTCOMES, ValueError("geheim")])
async def test_a_graph_that_gives_no_outcome_has_failed(result: Any, world: World) -> None:
    graph = cast("Any", Broken(result))
    agent = Agent(world.runtime, graph, tenant="acme", audience="client", locale="nl-NL")
    for outcome in (agent.ask(QUESTION), await agent.aask(QUESTION)):
        assert outcome.status is OutcomeStatus.FAILED
        assert outcome.error is not None
        assert "geheim" not in str(outcome.to_json())


async def test_a_caller_who_gave_up_waiting_asks_again_and_it_is_sent_once(world: World) -> None:
    begun = threading.Event()
    real = world.model.draft

    def slow(**given: Any) -> Any:
        begun.set()
        time.sleep(0.3)
        return real(**given)

    world.model.draft = slow  # type: ignore[method-assign]
    world.model.adraft = lambda **given: asyncio.to_thread(slow, **given)  # type: ignore[method-assign]
    request = world.request("a.md")
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(world.agent.arun(request), 0.1)
    assert begun.is_set()
    await asyncio.sleep(0.5)
    assert (await world.agent.arun(request)).status is OutcomeStatus.RELEASED
    assert world.rows() == 1
    assert len(world.escaped()) == 1


def test_of_a_cancellation_and_a_dispatch_one_wins_and_the_other_is_told(world: World) -> None:
    keys = [world.agent.ask(QUESTION, recipients=(f"{number}.md",)).outbox[0] for number in range(8)]
    world.clock.advance(200)
    cancelled: list[str] = []

    def cancel() -> None:
        for key in keys:
            try:
                world.ledger.outbox.decide(key, OutboxStep.CANCEL, who="t.voorbeeld", reason="x")
            except TransitionRefusedError:
                continue
            cancelled.append(key)

    thread = threading.Thread(target=cancel)
    thread.start()
    sent = [delivery.key for delivery in world.relay.run_once()]
    thread.join()
    assert sorted([*cancelled, *sent]) == sorted(keys)
    assert len(list(world.out.glob("*.md"))) == len(sent)


async def test_checkpoints_serve_both_ways(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "checkpoints.db"
    with sqlite_checkpoints(path) as saver:
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        with open_world(tmp_path, checkpointer=saver) as world:
            request = world.request("a.md")
            assert (await world.agent.arun(request)).status is OutcomeStatus.RELEASED
            config: Any = world.config(request)
            listed = [item async for item in saver.alist(config)]
            assert listed == list(saver.list(config))
            assert await saver.aget_tuple(config) == listed[0]
            assert len([item async for item in saver.alist(config, limit=1)]) == 1
            await saver.adelete_thread(request.request_id)
            assert await saver.aget_tuple(config) is None
