"""No stream, checkpoint, state or trace shows a draft before it was released."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from langchain_core.callbacks import BaseCallbackHandler

from sluis.evals.world import GOOD, SECRET, World

MODES = ["values", "updates", "messages", "custom", "debug", "tasks", "checkpoints"]
WORDS = ("99.999", "vandaag nog", "binnen 14 dagen", "schoonmaakkosten")
"""Pieces of the drafts and of the source."""


def _shown(things: Any) -> None:
    text = repr(things)
    assert not [word for word in WORDS if word in text]


@pytest.fixture(params=[SECRET, GOOD], ids=["blocked", "released"])
def spoken(world: World, request: pytest.FixtureRequest) -> World:
    world.model.texts = [request.param]
    return world


@pytest.mark.parametrize("mode", [*MODES, MODES])
def test_stream_shows_no_draft(spoken: World, mode: Any) -> None:
    request = spoken.request()
    shown = list(
        spoken.graph.stream({"request": request.to_json()}, spoken.config(request), stream_mode=mode, subgraphs=True)
    )
    if mode not in ("messages", "custom"):
        assert shown
    _shown(shown)


@pytest.mark.parametrize("mode", [*MODES, MODES])
async def test_asynchronous_stream_shows_no_draft(spoken: World, mode: Any) -> None:
    request = spoken.request()
    given = {"request": request.to_json()}
    _shown([item async for item in spoken.graph.astream(given, spoken.config(request), stream_mode=mode)])


async def test_event_stream_shows_no_draft(spoken: World) -> None:
    request = spoken.request()
    given = {"request": request.to_json()}
    _shown([item async for item in spoken.graph.astream_events(given, spoken.config(request), version="v2")])


def test_callbacks_hear_no_draft(spoken: World) -> None:
    class Ear(BaseCallbackHandler):
        def __init__(self) -> None:
            self.heard: list[Any] = []

        def on_chain_start(self, *args: Any, **kwargs: Any) -> None:
            self.heard.append((args, kwargs))

        def on_chain_end(self, *args: Any, **kwargs: Any) -> None:
            self.heard.append((args, kwargs))

    ear = Ear()
    request = spoken.request()
    spoken.graph.invoke({"request": request.to_json()}, spoken.config(request) | {"callbacks": [ear]})
    assert ear.heard
    _shown(ear.heard)


def test_states_and_checkpoint_file_hold_no_draft(spoken: World, tmp_path: Path) -> None:
    request = spoken.request()
    outcome = spoken.agent.run(request)
    _shown(outcome.to_json())
    _shown(list(spoken.graph.get_state_history(spoken.config(request))))
    for path in tmp_path.glob("checkpoints.db*"):
        data = path.read_bytes()
        assert not [word for word in WORDS if word.encode() in data]
