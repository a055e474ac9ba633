"""LangChain messages, as providers' packages and merged streams make them."""

from __future__ import annotations

from typing import Any

import pytest
from langchain_core.messages import AIMessage, AIMessageChunk

from sluis.core import CompletionStatus
from sluis.models import ModelPin, assess, classify

STOP = {"finish_reason": "stop"}
CONTENT: dict[str, tuple[Any, str, str]] = {
    "thinking beside text": (
        [{"type": "thinking", "thinking": "t"}, {"type": "text", "text": "Antwoord [c1]"}],
        "Antwoord [c1]",
        "ok",
    ),
    "thinking alone": ([{"type": "thinking", "thinking": "alleen"}], "", "empty"),
    "two texts": ([{"type": "text", "text": "deel 1 "}, {"type": "text", "text": "[c1]"}], "deel 1 [c1]", "ok"),
    "strings": (["a", "b"], "ab", "ok"),
    "nothing": ([], "", "empty"),
    "a refusal": ([{"type": "refusal", "refusal": "nee"}], "", "refused"),
    "a refusal in a wrapper": (
        [{"type": "non_standard", "value": {"type": "refusal", "refusal": "nee"}}],
        "",
        "refused",
    ),
    "a tool": ([{"type": "tool_use", "id": "t", "name": "send_mail", "input": {}}], "", "empty"),
    "a thought that calls itself text": (
        [{"type": "text", "text": "stil [c9]", "thought": True}, {"type": "text", "text": "Ja."}],
        "Ja.",
        "ok",
    ),
    "blocks without a type": ([{"text": "De termijn"}], "", "empty"),
    "a picture": ([{"type": "image_url", "image_url": {"url": "https://example.org"}}], "", "empty"),
    "text that is no text": ([{"type": "text", "text": {"a": 1}}], "", "empty"),
}


@pytest.mark.parametrize("name", CONTENT)
def test_only_text_blocks_are_text(name: str) -> None:
    content, text, status = CONTENT[name]
    found = classify(AIMessage(content=content, response_metadata=STOP))
    assert (found.text, found.status.value) == (text, status)


def _merged(*metadata: dict[str, Any], text: str = "Antwoord [c1].") -> AIMessageChunk:
    whole = AIMessageChunk(content=text)
    for item in metadata:
        whole = whole + AIMessageChunk(content="", response_metadata=item)
    return whole


def test_a_reason_and_a_name_that_merging_has_doubled_are_read_apart() -> None:
    message = _merged({"finish_reason": "stop", "model_name": "m-1"}, {"finish_reason": "stop", "model_name": "m-1"})
    assert message.response_metadata["finish_reason"] == "stopstop"
    assert classify(message, pin=ModelPin(model="m-1")).status is CompletionStatus.OK
    assert classify(message, pin=ModelPin(model="m-2")).status is CompletionStatus.PIN_MISMATCH


@pytest.mark.parametrize("pin", ["m", "m-1m-", "m-1m", "-1"])
def test_a_doubled_name_does_not_fit_a_part_of_it(pin: str) -> None:
    message = _merged({"finish_reason": "stop", "model_name": "m-1"}, {"finish_reason": "stop", "model_name": "m-1"})
    assert classify(message, pin=ModelPin(model=pin)).status is CompletionStatus.PIN_MISMATCH


def test_of_two_reasons_the_graver_counts() -> None:
    assert (
        classify(_merged({"finish_reason": "length"}, {"finish_reason": "stop"})).status is CompletionStatus.TRUNCATED
    )
    assert (
        classify(_merged({"finish_reason": "stop"}, {"finish_reason": "content_filter"})).status
        is CompletionStatus.REFUSED
    )
    assert (
        classify(_merged({"finish_reason": "stop"}, {"finish_reason": "oddly"})).status
        is CompletionStatus.UNKNOWN_FINISH
    )


def test_usage_that_merging_has_added_up_is_not_reported() -> None:
    one = AIMessageChunk(
        content="Ja.",
        response_metadata=STOP,
        usage_metadata={"input_tokens": 100, "output_tokens": 2, "total_tokens": 102},
    )
    assert classify(one).usage.input == 100
    assert classify(one + one).usage.input is None


METADATA: dict[str, tuple[dict[str, Any], str]] = {
    "anthropic": ({"stop_reason": "end_turn"}, "ok"),
    "bedrock": ({"stopReason": "guardrail_intervened"}, "refused"),
    "gemini": ({"finish_reason": "SAFETY"}, "refused"),
    "a gemini prompt that was blocked": (
        {"finish_reason": "STOP", "prompt_feedback": {"block_reason": "OTHER"}},
        "refused",
    ),
    "ollama": ({"done_reason": "length"}, "truncated"),
    "responses, whole": ({"status": "completed"}, "ok"),
    "responses, cut": ({"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}, "truncated"),
    "nothing said": ({}, "unknown_finish"),
    "a number": ({"finish_reason": 1}, "unknown_finish"),
    "an endless reason": ({"finish_reason": "stop" * 1000}, "unknown_finish"),
}


@pytest.mark.parametrize("name", METADATA)
def test_where_providers_say_why_they_stopped(name: str) -> None:
    metadata, status = METADATA[name]
    assert classify(AIMessage(content="Tekst [c1].", response_metadata=metadata)).status.value == status


def test_a_refusal_in_the_extra_fields() -> None:
    message = AIMessage(content="", additional_kwargs={"refusal": "Nee."}, response_metadata=STOP)
    assert classify(message).status is CompletionStatus.REFUSED


def test_reasoning_in_the_extra_fields_is_no_text() -> None:
    message = AIMessage(content="", additional_kwargs={"reasoning_content": "30 dagen [c1]"}, response_metadata=STOP)
    found = assess(message)
    assert (found.completion.text, found.detail) == ("", "only_thoughts")


def test_tool_calls() -> None:
    call = {"name": "x", "args": {}, "id": "t", "type": "tool_call"}
    bad = {"name": "x", "args": '{"a', "id": "t", "error": "e", "type": "invalid_tool_call"}
    pending = AIMessage(content="Ik zoek.", tool_calls=[call], response_metadata={"finish_reason": "tool_calls"})
    assert assess(pending).detail == "tool_call_pending"
    responses = AIMessage(content="Ik zoek.", tool_calls=[call], response_metadata={"status": "completed"})
    assert assess(responses).detail == "tool_call_pending"
    broken = AIMessage(content="Ik zoek.", invalid_tool_calls=[bad], response_metadata=STOP)
    assert classify(broken).status is CompletionStatus.TOOL_TRUNCATED
    raw = {"tool_calls": [{"function": {"name": "x", "arguments": '{"a'}}]}
    assert (
        classify(AIMessage(content="", additional_kwargs=raw, response_metadata=STOP)).status
        is CompletionStatus.TOOL_TRUNCATED
    )
    odd = {"tool_calls": "none"}
    assert (
        classify(AIMessage(content="Ja.", additional_kwargs=odd, response_metadata=STOP)).status is CompletionStatus.OK
    )


def test_raw_calls_beside_parsed_ones_are_looked_at_too() -> None:
    message = AIMessage(content="Ja.", response_metadata=STOP)
    message.additional_kwargs["tool_calls"] = [{"function": {"name": "x", "arguments": '{"a'}}, "odd", {"function": 1}]
    assert classify(message).status is CompletionStatus.TOOL_TRUNCATED
