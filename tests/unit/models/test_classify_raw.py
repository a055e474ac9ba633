"""Raw responses of three providers, each defect by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluis.core import CompletionStatus
from sluis.models import ModelPin, UnknownProviderError, assess, classify

Body = Callable[..., dict[str, Any]]
HALF = [{"id": "t", "type": "function", "function": {"name": "look_up", "arguments": '{"ecli": "ECLI:N'}}]
WHOLE = [{"id": "t", "type": "function", "function": {"name": "look_up", "arguments": "{}"}}]


def test_a_whole_answer_is_ok_with_text_model_and_usage(openai_body: Body) -> None:
    found = assess(openai_body(), provider="openai")
    assert found.completion.status is CompletionStatus.OK
    assert found.completion.text == "De termijn is 30 dagen. [c1]"
    assert found.completion.model == "vendor-model-2025-05-14"
    assert (found.completion.usage.input, found.completion.usage.output) == (100, 20)
    assert found.completion.usage.reasoning is None
    assert (found.retry, found.detail) == ("never", "ok")


OPENAI: dict[str, tuple[tuple[Any, ...], dict[str, Any], str, str, str]] = {
    "the budget went into text": (("De termijn is", "length"), {}, "truncated", "larger_budget", "budget_spent"),
    "thoughts alone at the limit": (
        (None, "length"),
        {"reasoning_content": "Bron [c1] noemt 30 dagen, dus ik schrijf dat de termijn 30"},
        "truncated",
        "larger_budget",
        "budget_spent_on_reasoning",
    ),
    "thoughts alone, finished": ((None, "stop"), {"reasoning": "hm [c1]"}, "empty", "never", "only_thoughts"),
    "no text": (("", "stop"), {}, "empty", "never", "no_text"),
    "white space only": ((" \n\t\u00a0", "stop"), {}, "empty", "never", "no_text"),
    "invisible characters only": (("\u200b\u2060\ufeff", "stop"), {}, "empty", "never", "no_text"),
    "punctuation only": (("...", "stop"), {}, "empty", "never", "no_text"),
    "a refusal by its field": ((None, "stop"), {"refusal": "I can't help with that."}, "refused", "never", "refusal"),
    "a refusal beside text": (("Tekst [c1].", "stop"), {"refusal": "No."}, "refused", "never", "refusal"),
    "a content filter": (("De", "content_filter"), {}, "refused", "never", "content_filter"),
    "an unclosed thought": (("Hallo <think> ik twijfel [c2]", "stop"), {}, "thought_leak", "never", "thought_in_text"),
    "thoughts repeated as text": (
        ("Ik denk dat [c1] 30 dagen", "stop"),
        {"reasoning_content": "Ik denk dat  [c1] 30 dagen"},
        "thought_leak",
        "never",
        "thought_in_text",
    ),
    "half a tool call at the limit": (
        (None, "length"),
        {"tool_calls": HALF},
        "tool_truncated",
        "larger_budget",
        "half_tool_call",
    ),
    "half a tool call that claims to be whole": (
        (None, "tool_calls"),
        {"tool_calls": HALF},
        "tool_truncated",
        "never",
        "half_tool_call",
    ),
    "a half function of the old kind": (
        (None, "function_call"),
        {"function_call": {"name": "x", "arguments": "["}},
        "tool_truncated",
        "never",
        "half_tool_call",
    ),
    "arguments that are no object": (
        (None, "tool_calls"),
        {"tool_calls": [{"function": {"name": "x", "arguments": 7}}]},
        "tool_truncated",
        "never",
        "half_tool_call",
    ),
    "a call without parameters": (
        (None, "tool_calls"),
        {"tool_calls": [{"function": {"name": "x", "arguments": ""}}]},
        "empty",
        "never",
        "no_text",
    ),
    "a block that is no object": (([1, {"type": "text", "text": "Ja [c1]."}], "stop"), {}, "ok", "never", "ok"),
    "a tool call alone": ((None, "tool_calls"), {"tool_calls": WHOLE}, "empty", "never", "no_text"),
    "text before a tool call": (
        ("Ik zoek [c1].", "tool_calls"),
        {"tool_calls": WHOLE},
        "unknown_finish",
        "never",
        "tool_call_pending",
    ),
    "no reason given": (("Tekst [c1].", None), {}, "unknown_finish", "never", "unknown_reason"),
    "a reason nobody knows": (("Tekst [c1].", "vibes"), {}, "unknown_finish", "never", "unknown_reason"),
    "another provider's reason": (("Tekst [c1].", "end_turn"), {}, "unknown_finish", "never", "unknown_reason"),
    "a reason that only begins well": (("Tekst [c1].", "stop_soon"), {}, "unknown_finish", "never", "unknown_reason"),
    "the provider gave up": (
        ("Tekst", "insufficient_system_resource"),
        {},
        "unavailable",
        "after",
        "generation_failed",
    ),
    "content of a wrong type": (({"text": "De termijn"}, "stop"), {}, "empty", "never", "no_text"),
    "bytes as content": ((42, "stop"), {}, "empty", "never", "no_text"),
}


@pytest.mark.parametrize("name", OPENAI)
def test_openai(name: str, openai_body: Body) -> None:
    args, message, status, retry, detail = OPENAI[name]
    found = assess(openai_body(*args, **message), provider="openai")
    assert (found.completion.status.value, found.retry, found.detail) == (status, retry, detail)


def test_thoughts_never_reach_the_text(openai_body: Body) -> None:
    completion = classify(openai_body("plan: citeer [c9]\n</think>\n\nDe termijn is 30 dagen [c1]."), provider="openai")
    assert completion.text == "De termijn is 30 dagen [c1]."
    assert completion.status is CompletionStatus.THOUGHT_LEAK
    echoed = classify(openai_body("mijn plan [c9]", reasoning_content="mijn plan [c9]"), provider="openai")
    assert echoed.text == ""


def test_several_answers_are_no_answer(openai_body: Body) -> None:
    body = openai_body()
    body["choices"] *= 2
    assert assess(body, provider="openai").detail == "several_answers"
    body["choices"] = []
    assert classify(body, provider="openai").status is CompletionStatus.EMPTY


def test_a_legacy_text_completion_is_read() -> None:
    body = {"model": "m", "choices": [{"text": "De termijn is 30 dagen [c1].", "finish_reason": "stop"}]}
    assert classify(body, provider="openai").status is CompletionStatus.OK


def _responses(status: str = "completed", **changes: Any) -> dict[str, Any]:
    output = [
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "geheim [c9]"}]},
        {"type": "message", "content": [{"type": "output_text", "text": "Antwoord [c1]."}]},
    ]
    return {"object": "response", "model": "m", "status": status, "output": output} | changes


def test_arguments_that_came_parsed_are_whole(openai_body: Body) -> None:
    call = [{"function": {"name": "x", "arguments": {}}}]
    assert assess(openai_body(None, "tool_calls", tool_calls=call), provider="openai").detail == "no_text"


def test_openai_responses_api() -> None:
    found = classify(_responses(usage={"input_tokens": 10, "output_tokens": 4}), provider="openai")
    assert (found.status, found.text, found.usage.input) == (CompletionStatus.OK, "Antwoord [c1].", 10)
    cut = _responses("incomplete", incomplete_details={"reason": "max_output_tokens"})
    assert classify(cut, provider="openai").status is CompletionStatus.TRUNCATED
    filtered = _responses("incomplete", incomplete_details={"reason": "content_filter"})
    assert classify(filtered, provider="openai").status is CompletionStatus.REFUSED
    assert classify(_responses("in_progress"), provider="openai").status is CompletionStatus.UNKNOWN_FINISH
    assert classify(_responses("failed"), provider="openai").status is CompletionStatus.UNAVAILABLE
    refusal = _responses(output=[{"type": "message", "content": [{"type": "refusal", "refusal": "Nee."}]}])
    assert classify(refusal, provider="openai").status is CompletionStatus.REFUSED
    half = _responses(output=[{"type": "function_call", "name": "x", "arguments": "{}", "status": "incomplete"}])
    assert classify(half, provider="openai").status is CompletionStatus.TOOL_TRUNCATED


ANTHROPIC: dict[str, tuple[Any, str | None, str]] = {
    "text": (None, "end_turn", "ok"),
    "thought beside text": (
        [{"type": "thinking", "thinking": "t"}, {"type": "text", "text": "Antwoord [c1]"}],
        "end_turn",
        "ok",
    ),
    "thought alone": ([{"type": "thinking", "thinking": "alleen"}], "end_turn", "empty"),
    "nothing": ([], "end_turn", "empty"),
    "a cut text": ([{"type": "text", "text": "De"}], "max_tokens", "truncated"),
    "the window is full": ([{"type": "text", "text": "De"}], "model_context_window_exceeded", "truncated"),
    "a refusal": ([{"type": "text", "text": "Nee"}], "refusal", "refused"),
    "a call cut at the limit": (
        [{"type": "text", "text": "Ik zoek"}, {"type": "tool_use", "id": "t", "name": "x", "input": {}}],
        "max_tokens",
        "tool_truncated",
    ),
    "a call whose input is text": (
        [{"type": "tool_use", "id": "t", "name": "x", "input": '{"a'}],
        "tool_use",
        "tool_truncated",
    ),
    "a whole call alone": ([{"type": "tool_use", "id": "t", "name": "send_mail", "input": {}}], "tool_use", "empty"),
    "a pause": ([{"type": "text", "text": "Even"}], "pause_turn", "unknown_finish"),
    "no reason": ([{"type": "text", "text": "Even"}], None, "unknown_finish"),
}


@pytest.mark.parametrize("name", ANTHROPIC)
def test_anthropic(name: str, anthropic_body: Body) -> None:
    content, stop, status = ANTHROPIC[name]
    assert classify(anthropic_body(content, stop), provider="anthropic").status.value == status


COHERE: dict[str, tuple[Any, str, str]] = {
    "text": (None, "COMPLETE", "ok"),
    "thought beside text": (
        [{"type": "thinking", "thinking": "t"}, {"type": "text", "text": "Antwoord"}],
        "COMPLETE",
        "ok",
    ),
    "cut": ([{"type": "text", "text": "De"}], "MAX_TOKENS", "truncated"),
    "toxic": ([{"type": "text", "text": "De"}], "ERROR_TOXIC", "refused"),
    "an error": ([{"type": "text", "text": "De"}], "ERROR", "unavailable"),
    "a time-out": ([], "TIMEOUT", "unavailable"),
    "unknown": ([{"type": "text", "text": "De"}], "DONE", "unknown_finish"),
}


@pytest.mark.parametrize("name", COHERE)
def test_cohere(name: str, cohere_body: Body) -> None:
    content, finish, status = COHERE[name]
    assert classify(cohere_body(content, finish), provider="cohere").status.value == status


def test_cohere_of_the_first_version() -> None:
    body = {
        "text": "Antwoord [c1].",
        "finish_reason": "COMPLETE",
        "meta": {"tokens": {"input_tokens": 7, "output_tokens": 2}},
    }
    found = classify(body, provider="cohere")
    assert (found.status, found.usage.input) == (CompletionStatus.OK, 7)


def test_a_half_tool_call_of_cohere(cohere_body: Body) -> None:
    assert (
        classify(cohere_body([], "TOOL_CALL", tool_calls=HALF), provider="cohere").status
        is CompletionStatus.TOOL_TRUNCATED
    )


PINS: dict[str, tuple[str | None, ModelPin, bool]] = {
    "the pinned name": ("m-1", ModelPin(model="m-1"), True),
    "another name": ("m-2", ModelPin(model="m-1"), False),
    "a name that begins with the pin": ("m-1-preview", ModelPin(model="m-1"), False),
    "a name the pin begins with": ("m", ModelPin(model="m-1"), False),
    "the pin twice over": ("m-1m-1", ModelPin(model="m-1"), False),
    "another case": ("M-1", ModelPin(model="m-1"), False),
    "a listed alias": ("m-1-eu", ModelPin(model="m-1", aliases=frozenset({"m-1-eu"})), True),
    "no name": (None, ModelPin(model="m-1"), False),
    "no name, allowed": (None, ModelPin(model="m-1", allow_unreported=True), True),
}


@pytest.mark.parametrize("name", PINS)
def test_only_the_pinned_model_may_answer(name: str, openai_body: Body) -> None:
    reported, pin, fits = PINS[name]
    status = classify(openai_body() | {"model": reported}, provider="openai", pin=pin).status
    assert status is (CompletionStatus.OK if fits else CompletionStatus.PIN_MISMATCH)


def test_a_merged_stream_is_read_apart_and_its_usage_is_not_reported(openai_body: Body) -> None:
    body = openai_body(finish="stopstop") | {"model": "m-1m-1"}
    found = classify(body, provider="openai", pin=ModelPin(model="m-1"))
    assert (found.status, found.usage.input) == (CompletionStatus.OK, None)
    assert classify(body, provider="openai", pin=ModelPin(model="m")).status is CompletionStatus.PIN_MISMATCH
    assert classify(openai_body(finish="lengthstop"), provider="openai").status is CompletionStatus.TRUNCATED


def test_lone_surrogates_are_replaced_and_the_answer_can_be_stored(openai_body: Body) -> None:
    body = openai_body("Ja \ud800 [c1].") | {"model": "m\udfff"}
    found = classify(body, provider="openai")
    assert (found.status, found.text, found.model) == (CompletionStatus.OK, "Ja \ufffd [c1].", "m\ufffd")
    assert type(found).from_json(found.to_json()) == found
    assert assess({"error": {"message": "\ud800"}}, provider="openai", status=500).retry == "after"
    assert assess({}, provider="openai", status=429, headers={"retry-after": "\ud800"}).retry_after_s is None


def test_an_unknown_provider_is_an_error() -> None:
    with pytest.raises(UnknownProviderError):
        classify({}, provider="someone")


_TEXT = st.text() | st.text(st.characters(categories=["Cs", "Ll"]), max_size=6)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | _TEXT,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "choices",
                    "message",
                    "content",
                    "type",
                    "text",
                    "finish_reason",
                    "stop_reason",
                    "tool_calls",
                    "error",
                    "usage",
                    "output",
                    "status",
                    "model",
                    "code",
                    "function",
                    "arguments",
                    "thinking",
                ]
            )
            | st.text(max_size=3),
            inner,
            max_size=4,
        )
    ),
    max_leaves=25,
)


@given(body=_JSON, provider=st.sampled_from(["openai", "anthropic", "cohere"]), status=st.none() | st.integers(0, 999))
def test_any_body_is_classified_and_only_a_finished_text_is_ok(body: Any, provider: str, status: int | None) -> None:
    found = assess(body, provider=provider, status=status)
    assert found.retry in ("never", "larger_budget", "after")
    if found.completion.status is CompletionStatus.OK:
        assert any(character.isalnum() for character in found.completion.text)
        assert status is None or 200 <= status < 300
