"""Token counts: what was not reported stays unknown."""

from __future__ import annotations

from typing import Any

import pytest
from langchain_core.messages import AIMessage

from sluis.models import classify
from sluis.models._usage import anthropic_usage, cohere_usage, openai_usage

OPENAI: dict[str, tuple[Any, int | None, int | None, float | None]] = {
    "cached tokens": (
        {"prompt_tokens": 100, "completion_tokens": 20, "prompt_tokens_details": {"cached_tokens": 64}},
        100,
        20,
        0.64,
    ),
    "hits and misses": ({"prompt_tokens": 100, "completion_tokens": 20, "prompt_cache_hit_tokens": 64}, 100, 20, 0.64),
    "no hit is a ratio": ({"prompt_tokens": 100, "prompt_tokens_details": {"cached_tokens": 0}}, 100, None, 0.0),
    "no cache field": ({"prompt_tokens": 100, "completion_tokens": 20}, 100, 20, None),
    "nulls": ({"prompt_tokens": None, "completion_tokens": None}, None, None, None),
    "more cached than sent": ({"prompt_tokens": 10, "prompt_tokens_details": {"cached_tokens": 64}}, 10, None, None),
    "nothing sent": ({"prompt_tokens": 0, "prompt_tokens_details": {"cached_tokens": 0}}, 0, None, None),
    "wrong types": ({"prompt_tokens": "100", "completion_tokens": True}, None, None, None),
    "negative": ({"prompt_tokens": -1}, None, None, None),
    "no object": (None, None, None, None),
}


@pytest.mark.parametrize("name", OPENAI)
def test_openai(name: str) -> None:
    raw, sent, got, ratio = OPENAI[name]
    usage = openai_usage(raw)
    assert (usage.input, usage.output, usage.cache_hit_ratio) == (sent, got, ratio)


def test_anthropic_counts_cached_input_apart() -> None:
    usage = anthropic_usage(
        {"input_tokens": 10, "output_tokens": 5, "cache_read_input_tokens": 2000, "cache_creation_input_tokens": 0}
    )
    assert usage.input == 2010
    assert usage.cache_hit_ratio == pytest.approx(2000 / 2010)
    assert anthropic_usage({"input_tokens": 10}).cache_hit_ratio is None
    assert anthropic_usage({}).input is None


def test_cohere_writes_floats_and_billed_units() -> None:
    assert cohere_usage({"billed_units": {"input_tokens": 3.0, "output_tokens": 1.0}}).input == 3
    assert cohere_usage({"tokens": {"input_tokens": 3.5}}).input is None


def _message(usage: Any = None, **metadata: Any) -> AIMessage:
    return AIMessage(content="x", usage_metadata=usage, response_metadata={"finish_reason": "stop", **metadata})


def test_langchain_drops_a_cache_field_that_the_raw_counts_have() -> None:
    raw = {"prompt_tokens": 100, "completion_tokens": 20, "prompt_cache_hit_tokens": 64}
    message = _message({"input_tokens": 100, "output_tokens": 20, "total_tokens": 120}, token_usage=raw)
    assert classify(message).usage.cache_hit_ratio == 0.64


def test_langchain_turns_nulls_into_zeros_and_they_are_read_as_unknown() -> None:
    usage = classify(_message({"input_tokens": 0, "output_tokens": 0, "total_tokens": 0})).usage
    assert (usage.input, usage.output, usage.cache_hit_ratio) == (None, None, None)


def test_langchain_usage_by_itself() -> None:
    given = {
        "input_tokens": 2010,
        "output_tokens": 5,
        "total_tokens": 2015,
        "input_token_details": {"cache_read": 2000},
        "output_token_details": {"reasoning": 3},
    }
    usage = classify(_message(given)).usage
    assert (usage.input, usage.output, usage.reasoning) == (2010, 5, 3)
    assert usage.cache_hit_ratio == pytest.approx(2000 / 2010)


def test_raw_usage_of_anthropic_in_a_message() -> None:
    metadata = {"stop_reason": "end_turn", "usage": {"input_tokens": 1, "cache_read_input_tokens": 1}}
    usage = classify(AIMessage(content="x", response_metadata=metadata)).usage
    assert (usage.input, usage.cache_hit_ratio) == (2, 0.5)
    plain = {"stop_reason": "end_turn", "usage": {"input_tokens": 4, "output_tokens": 1}}
    assert classify(AIMessage(content="x", response_metadata=plain)).usage.input == 4
