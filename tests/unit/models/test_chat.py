"""The chat drafter: nobody hears the draft, nothing raw comes out, one larger budget and no more."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, TypedDict

import pytest
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph

from sluis.core import Completion, ConfigurationError, Evidence, MissingExtraError, Request, finding
from sluis.models import ChatDrafter, ChatDrafterLimitsError, ExtractiveDrafter, ModelPin, make_drafter

SECRET = "Zilverreiger [c1]."
MakeEvidence = Callable[..., Evidence]


class FakeChat(BaseChatModel):
    """Streams words; ends as told."""

    words: tuple[str, ...] = ("Zilver", "reiger", " [c1].")
    reasons: tuple[str, ...] = ("stop",)
    reported: str = "m-1"
    max_tokens: int | None = None
    delay: float = 0.0
    error: Any = None
    calls: list[int | None] = []
    prompts: list[list[BaseMessage]] = []
    streaming: bool = True

    @property
    def _llm_type(self) -> str:
        return "fake"

    def _before(self, messages: list[BaseMessage]) -> str:
        self.calls.append(self.max_tokens)
        self.prompts.append(messages)
        time.sleep(self.delay)
        if self.error is not None:
            raise self.error
        return self.reasons[min(len(self.calls), len(self.reasons)) - 1]

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        reason = self._before(messages)
        message = AIMessage(
            content="".join(self.words), response_metadata={"finish_reason": reason, "model_name": self.reported}
        )
        return ChatResult(generations=[ChatGeneration(message=message)])

    def _stream(
        self, messages: list[BaseMessage], stop: Any = None, run_manager: Any = None, **_: Any
    ) -> Iterator[ChatGenerationChunk]:
        reason = self._before(messages)
        for word in self.words:
            chunk = ChatGenerationChunk(message=AIMessageChunk(content=word))
            if run_manager is not None:
                run_manager.on_llm_new_token(word, chunk=chunk)
            yield chunk
        yield ChatGenerationChunk(
            message=AIMessageChunk(content="", response_metadata={"finish_reason": reason, "model_name": self.reported})
        )


def _fake(**changes: Any) -> FakeChat:
    return FakeChat(calls=[], prompts=[], **changes)


@pytest.fixture
def given_(request_: Request, make_evidence: MakeEvidence) -> dict[str, Any]:
    evidence = make_evidence("De termijn is 30 dagen.")
    return {"question": "Hoe lang?", "evidence": evidence, "request": request_, "findings": (), "round": 0}


def test_an_answer_is_classified(given_: dict[str, Any]) -> None:
    completion = ChatDrafter(_fake()).draft(**given_)
    assert (completion.status.value, completion.text, completion.drafter, completion.model) == (
        "ok",
        SECRET,
        "chat",
        "m-1",
    )


async def test_the_asynchronous_way_gives_the_same(given_: dict[str, Any]) -> None:
    assert await ChatDrafter(_fake()).adraft(**given_) == ChatDrafter(_fake()).draft(**given_)


class _State(TypedDict, total=False):
    status: str


MODES = ["values", "updates", "messages", "custom", "debug", "tasks", "checkpoints"]


def _graph(model: BaseChatModel, given_: dict[str, Any], direct: bool = False) -> Any:
    drafter = ChatDrafter(model)

    def node(_: _State) -> _State:
        if direct:
            return {"status": str(len(model.invoke("x").text))}
        return {"status": drafter.draft(**given_).status.value}

    async def anode(_: _State) -> _State:
        return {"status": (await drafter.adraft(**given_)).status.value}

    graph = StateGraph(_State)
    from langchain_core.runnables import RunnableLambda

    graph.add_node("draft", RunnableLambda(node, afunc=anode))
    graph.add_edge(START, "draft")
    graph.add_edge("draft", END)
    return graph.compile(checkpointer=InMemorySaver())


CONFIG: Any = {"configurable": {"thread_id": "1"}}


def test_the_streaming_model_would_be_heard_without_the_drafter(given_: dict[str, Any]) -> None:
    heard = repr(list(_graph(_fake(), given_, direct=True).stream({}, CONFIG, stream_mode=["messages"])))
    assert "reiger" in heard


def test_no_stream_mode_of_a_graph_hears_the_draft(given_: dict[str, Any]) -> None:
    model = _fake()
    heard = repr(list(_graph(model, given_).stream({}, CONFIG, stream_mode=MODES)))
    assert model.calls == [None]
    assert "'status': 'ok'" in heard
    assert "eiger" not in heard
    assert "30 dagen" not in heard


async def test_no_stream_mode_hears_the_draft_asynchronously(given_: dict[str, Any]) -> None:
    model = _fake()
    heard = repr([item async for item in _graph(model, given_).astream({}, CONFIG, stream_mode=MODES)])
    assert model.calls == [None]
    assert "'status': 'ok'" in heard
    assert "eiger" not in heard


async def test_no_event_of_a_graph_tells_of_the_model_call(given_: dict[str, Any]) -> None:
    events: AsyncIterator[Any] = _graph(_fake(), given_).astream_events({}, CONFIG, version="v2")
    heard = [event async for event in events]
    assert not [event for event in heard if "chat_model" in event["event"]]
    assert "eiger" not in repr(heard)


class _Listener(BaseCallbackHandler):
    def __init__(self) -> None:
        self.heard: list[str] = []

    def on_llm_new_token(self, token: Any, **_: Any) -> None:
        self.heard.append(str(token))

    def on_chat_model_start(self, *_: Any, **__: Any) -> None:
        self.heard.append("start")


def test_callbacks_of_the_graph_and_of_the_model_hear_nothing(given_: dict[str, Any]) -> None:
    listener = _Listener()
    model = _fake(callbacks=[listener])
    _graph(model, given_).invoke({}, {**CONFIG, "callbacks": [listener]})
    assert len(model.calls) == 1
    assert listener.heard == []
    assert model.callbacks == [listener]


def test_a_tracer_set_by_environment_is_not_called(given_: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    from langchain_core.tracers import langchain as tracer_module
    from langsmith import utils

    seen: list[Any] = []
    monkeypatch.setattr(tracer_module.LangChainTracer, "on_chat_model_start", lambda *args, **kwargs: seen.append(args))
    monkeypatch.setattr(tracer_module.LangChainTracer, "on_llm_end", lambda *args, **kwargs: seen.append(args))
    monkeypatch.setenv("LANGSMITH_TRACING", "true")
    monkeypatch.setenv("LANGSMITH_API_KEY", "none")
    monkeypatch.setenv("LANGSMITH_ENDPOINT", "http://127.0.0.1:9")
    utils.get_env_var.cache_clear()  # type: ignore[attr-defined]
    try:
        assert utils.tracing_is_enabled()
        ChatDrafter(_fake()).draft(**given_)
        asyncio.run(ChatDrafter(_fake()).adraft(**given_))
    finally:
        monkeypatch.undo()
        utils.get_env_var.cache_clear()  # type: ignore[attr-defined]
    assert seen == []


def test_a_cache_neither_answers_nor_learns(given_: dict[str, Any]) -> None:
    from langchain_core.caches import InMemoryCache

    cache = InMemoryCache()
    model = _fake(cache=cache)
    ChatDrafter(model).draft(**given_)
    ChatDrafter(model).draft(**given_)
    assert len(model.calls) == 2
    assert cache._cache == {}


def test_a_late_answer_is_unavailable(given_: dict[str, Any]) -> None:
    drafter = ChatDrafter(_fake(delay=0.4), time_out_s=0.05)
    assert drafter.draft(**given_).status.value == "unavailable"
    assert asyncio.run(drafter.adraft(**given_)).status.value == "unavailable"


class _ProviderError(Exception):
    status_code = 429
    body = {"error": {"code": "insufficient_quota"}}


@pytest.mark.parametrize(
    ("error", "status"),
    [(_ProviderError("geheim"), "quota"), (ConnectionResetError(), "unavailable"), (KeyError("x"), "unavailable")],
)
def test_what_a_provider_raises_is_a_status(error: Exception, status: str, given_: dict[str, Any]) -> None:
    drafter = ChatDrafter(_fake(error=error))
    for completion in (drafter.draft(**given_), asyncio.run(drafter.adraft(**given_))):
        assert (completion.status.value, completion.text, completion.model) == (status, "", "FakeChat")


def test_a_signal_of_langgraph_is_raised_on(given_: dict[str, Any]) -> None:
    from langgraph.errors import GraphInterrupt

    with pytest.raises(GraphInterrupt):
        ChatDrafter(_fake(error=GraphInterrupt())).draft(**given_)
    with pytest.raises(GraphInterrupt):
        asyncio.run(ChatDrafter(_fake(error=GraphInterrupt())).adraft(**given_))


async def test_a_cancelled_run_is_cancelled(given_: dict[str, Any]) -> None:
    task = asyncio.create_task(ChatDrafter(_fake(delay=0.3)).adraft(**given_))
    await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


def test_an_answer_cut_off_is_asked_for_once_more_with_a_larger_budget(given_: dict[str, Any]) -> None:
    model = _fake(reasons=("length", "stop"), max_tokens=100)
    assert ChatDrafter(model, answer_tokens=100).draft(**given_).status.value == "ok"
    assert model.calls == [100, 400]


async def test_an_answer_cut_off_twice_is_truncated(given_: dict[str, Any]) -> None:
    model = _fake(reasons=("length", "length", "stop"), max_tokens=100)
    assert (await ChatDrafter(model, answer_tokens=100).adraft(**given_)).status.value == "truncated"
    assert model.calls == [100, 400]


def test_no_further_call_where_none_is_wanted(given_: dict[str, Any]) -> None:
    model = _fake(reasons=("length", "stop"))
    assert ChatDrafter(model, larger=1).draft(**given_).status.value == "truncated"
    assert len(model.calls) == 1


def test_another_model_is_a_pin_mismatch(given_: dict[str, Any]) -> None:
    assert ChatDrafter(_fake(), pin=ModelPin(model="m-2")).draft(**given_).status.value == "pin_mismatch"
    assert ChatDrafter(_fake(), pin=ModelPin(model="m-1")).draft(**given_).status.value == "ok"


def test_findings_of_the_former_round_are_in_the_prompt(given_: dict[str, Any]) -> None:
    model = _fake()
    ChatDrafter(model).draft(
        **(given_ | {"round": 1, "findings": (finding("a", "block", "x", "60 dagen staat er niet"),)})
    )
    assert "60 dagen staat er niet" in model.prompts[0][-1].text
    assert model.prompts[0][0].type == "system"


@pytest.mark.parametrize("limits", [{"time_out_s": 0.0}, {"answer_tokens": 0}, {"larger": 0}])
def test_limits_that_are_not_positive_are_refused(limits: dict[str, Any]) -> None:
    with pytest.raises(ChatDrafterLimitsError):
        ChatDrafter(_fake(), **limits)


def test_a_model_by_name(monkeypatch: pytest.MonkeyPatch, given_: dict[str, Any]) -> None:
    import langchain.chat_models as chat_models

    asked: dict[str, Any] = {}

    def load(name: str, **settings: Any) -> FakeChat:
        asked.update(settings, name=name)
        return _fake(reported="m-1")

    monkeypatch.setattr(chat_models, "init_chat_model", load)
    drafter = make_drafter("vendor:m-1", time_out_s=7, answer_tokens=99)
    assert drafter.draft(**given_).status.value == "ok"
    assert asked == {"name": "vendor:m-1", "timeout": 7, "max_tokens": 99, "max_retries": 0}
    assert make_drafter("vendor:m-2").draft(**given_).status.value == "pin_mismatch"


def test_a_name_without_its_package_says_what_is_missing() -> None:
    with pytest.raises(ConfigurationError) as caught:
        ChatDrafter("openai:gpt-x-2025-01-01")
    assert "install" in caught.value.hint.lower()


def test_a_name_nobody_knows_is_a_configuration_error() -> None:
    with pytest.raises(ConfigurationError):
        ChatDrafter("nobody-knows-this")


def test_without_langchain_a_name_asks_for_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "langchain.chat_models", None)
    with pytest.raises(MissingExtraError):
        ChatDrafter("openai:gpt-x-2025-01-01")


def test_the_default_needs_no_model(given_: dict[str, Any]) -> None:
    drafter = make_drafter("extractive")
    assert isinstance(drafter, ExtractiveDrafter)
    assert isinstance(drafter.draft(**given_), Completion)
