"""Reads a LangChain message by its attributes, so that judging one does not import LangChain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from sluis.core import Usage

from ._finish import Finish, finish_of
from ._raw import arguments_broken
from ._reading import Reading, text_of_blocks
from ._usage import langchain_usage

__all__ = ["Message", "read_message"]


@runtime_checkable
class Message(Protocol):
    """What a ``langchain_core.messages.AIMessage`` looks like from here."""

    content: Any
    response_metadata: dict[str, Any]
    additional_kwargs: dict[str, Any]


_REASONS = ("finish_reason", "stop_reason", "stopReason", "finishReason", "done_reason")
_MODELS = ("model_name", "model", "model_id", "model_provider_id")


def _reason(metadata: Mapping[str, Any]) -> object:
    for key in _REASONS:
        if metadata.get(key) is not None:
            return metadata[key]
    details = metadata.get("incomplete_details")  # OpenAI's Responses keeps status and cause apart
    if metadata.get("status") == "incomplete" and isinstance(details, Mapping):
        return details.get("reason")
    return metadata.get("status")


def _blocked_prompt(metadata: Mapping[str, Any]) -> bool:
    feedback = metadata.get("prompt_feedback")
    return isinstance(feedback, Mapping) and bool(feedback.get("block_reason"))


def _raw_calls_broken(extra: Mapping[str, Any]) -> bool:
    calls = extra.get("tool_calls")
    if not isinstance(calls, Sequence) or isinstance(calls, str):
        return False
    functions = [call.get("function") for call in calls if isinstance(call, Mapping)]
    return any(isinstance(item, Mapping) and arguments_broken(item.get("arguments")) for item in functions)


def read_message(message: Message) -> Reading:
    """A LangChain message in our shape.

    Words that merging stream parts has joined (``stopstop``, ``m-1m-1``) are read apart; usage of a message whose
    last part came several times has been added up and is taken as not reported.
    """
    metadata = message.response_metadata
    extra = message.additional_kwargs
    blocks = text_of_blocks(message.content)
    finish, parts = finish_of("langchain", _reason(metadata))
    tools = list(getattr(message, "tool_calls", ()) or ())
    invalid = list(getattr(message, "invalid_tool_calls", ()) or ())
    calls = len(tools) + len(invalid)
    if finish is Finish.DONE and metadata.get("status") == "completed" and calls:
        finish = Finish.TOOL
    model = next((metadata[key] for key in _MODELS if isinstance(metadata.get(key), str) and metadata[key]), None)
    usage = langchain_usage(getattr(message, "usage_metadata", None), metadata)
    thoughts = [extra[key] for key in ("reasoning_content", "reasoning") if isinstance(extra.get(key), str)]
    return Reading(
        text=blocks.text,
        thoughts=(*blocks.thoughts, *thoughts),
        finish=finish,
        model=model,
        merged=parts > 1 or type(message).__name__.endswith("Chunk"),
        refusal=blocks.refusal or bool(extra.get("refusal")) or _blocked_prompt(metadata),
        tools=max(calls, len(blocks.tools)),
        broken_tool=bool(invalid) or _raw_calls_broken(extra),
        usage=Usage() if parts > 1 else usage,
    )
