"""Reads the raw responses of OpenAI (Chat Completions, Responses), Anthropic (Messages) and Cohere (Chat v2 and v1)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from sluis.core import Usage

from ._finish import Finish, finish_of
from ._reading import Reading, text_of_blocks
from ._usage import anthropic_usage, cohere_usage, openai_usage

__all__ = ["READERS", "arguments_broken"]

Object = Mapping[str, Any]


def _mapping(value: object) -> Object:
    return value if isinstance(value, Mapping) else {}


def _list(value: object) -> list[Any]:
    return list(value) if isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray) else []


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def arguments_broken(arguments: object) -> bool:
    """Whether a tool call's arguments are anything but one JSON object, read to its end."""
    if isinstance(arguments, Mapping):
        return False
    if not isinstance(arguments, str):
        return True
    if arguments.strip() == "":  # a call without parameters
        return False
    try:
        return not isinstance(json.loads(arguments), dict)
    except (ValueError, RecursionError):
        return True


def _finished(provider: str, reason: object, usage: Usage) -> dict[str, Any]:
    """Why it ended, and usage; of a response merged from parts that repeat it, usage has been added up too."""
    finish, parts = finish_of(provider, reason)
    return {"finish": finish, "merged": parts > 1, "usage": Usage() if parts > 1 else usage}


def _openai_calls(message: Object) -> tuple[int, bool]:
    calls = _list(message.get("tool_calls"))
    functions = [_mapping(_mapping(call).get("function")) for call in calls]
    legacy = message.get("function_call")
    if isinstance(legacy, Mapping):
        functions.append(legacy)
    broken = any(_text(item.get("name")) is None or arguments_broken(item.get("arguments")) for item in functions)
    return len(functions), broken


def _openai(response: Object) -> Reading:
    if "output" in response or response.get("object") == "response":
        return _openai_responses(response)
    choices = _list(response.get("choices"))
    choice = _mapping(choices[0] if choices else None)
    message = _mapping(choice.get("message"))
    content = message.get("content") if message else choice.get("text")
    blocks = text_of_blocks(content)
    tools, broken = _openai_calls(message)
    thoughts = [message[key] for key in ("reasoning_content", "reasoning") if _text(message.get(key))]
    return Reading(
        text=blocks.text,
        thoughts=(*blocks.thoughts, *thoughts),
        model=_text(response.get("model")),
        refusal=blocks.refusal or _text(message.get("refusal")) is not None,
        tools=tools,
        broken_tool=broken,
        choices=len(choices),
        **_finished("openai", choice.get("finish_reason"), openai_usage(response.get("usage"))),
    )


def _openai_responses(response: Object) -> Reading:
    items = [_mapping(item) for item in _list(response.get("output"))]
    messages = [text_of_blocks(item.get("content")) for item in items if item.get("type") == "message"]
    thoughts = [text_of_blocks([item]).thoughts for item in items if item.get("type") == "reasoning"]
    calls = [item for item in items if item.get("type") == "function_call"]
    reason = response.get("status")
    if reason == "incomplete":
        reason = _mapping(response.get("incomplete_details")).get("reason")
    half = any(item.get("status") == "incomplete" for item in calls)
    return Reading(
        text="".join(blocks.text for blocks in messages),
        thoughts=tuple(thought for found in thoughts for thought in found),
        finish=Finish.TOOL if calls and reason == "completed" else finish_of("openai", reason)[0],
        model=_text(response.get("model")),
        refusal=any(blocks.refusal for blocks in messages),
        tools=len(calls),
        broken_tool=half or any(arguments_broken(item.get("arguments")) for item in calls),
        usage=openai_usage(response.get("usage")),
    )


def _anthropic(response: Object) -> Reading:
    blocks = text_of_blocks(response.get("content"))
    ended = _finished("anthropic", response.get("stop_reason"), anthropic_usage(response.get("usage")))
    broken = any(arguments_broken(call.get("input")) for call in blocks.tools)
    # At the limit the last block is the one that was cut.
    content = _list(response.get("content"))
    cut = ended["finish"] is Finish.LENGTH and bool(content) and _mapping(content[-1]).get("type") == "tool_use"
    return Reading(
        text=blocks.text,
        thoughts=blocks.thoughts,
        model=_text(response.get("model")),
        refusal=blocks.refusal,
        tools=len(blocks.tools),
        broken_tool=broken or cut,
        **ended,
    )


def _cohere(response: Object) -> Reading:
    message = _mapping(response.get("message"))
    blocks = text_of_blocks(message.get("content") if message else response.get("text"))
    tools, broken = _openai_calls(message)
    usage = response.get("usage") or _mapping(response.get("meta"))
    return Reading(
        text=blocks.text,
        thoughts=blocks.thoughts,
        model=_text(response.get("model")),
        refusal=blocks.refusal,
        tools=tools,
        broken_tool=broken,
        **_finished("cohere", response.get("finish_reason"), cohere_usage(usage)),
    )


READERS: Mapping[str, Callable[[Object], Reading]] = MappingProxyType(
    {"openai": _openai, "anthropic": _anthropic, "cohere": _cohere}
)
"""Provider to reader."""
