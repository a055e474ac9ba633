"""One response, whoever gave it, in one shape; what the judgement reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sluis.core import Usage

from ._finish import Finish
from ._wellformed import well_formed

__all__ = ["Failure", "Reading", "text_of_blocks"]


@dataclass(frozen=True, kw_only=True)
class Failure:
    """What a provider said instead of an answer.

    Attributes:
        status: HTTP status, if one is known.
        codes: the error's codes and types, lower case.
        message: the error's words, lower case; judged by fixed phrases, never shown.
        retry_after_s: seconds the provider asked to wait.
        body: whether the body was an object that tells of an error.
    """

    status: int | None = None
    codes: frozenset[str] = frozenset()
    message: str = ""
    retry_after_s: float | None = None
    body: bool = True


@dataclass(frozen=True, kw_only=True)
class Reading:
    """A response as far as it matters.

    Attributes:
        text: the text blocks, joined.
        thoughts: what the response itself marks as thought; only compared with, never given out.
        finish: why the model stopped.
        model: who answered, as reported.
        merged: put together from stream parts.
        refusal: a field or block says it is a refusal.
        tools: how many tool calls it holds.
        broken_tool: one of them cannot be read to its end.
        choices: how many answers it holds.
        usage: tokens.
    """

    text: str = ""
    thoughts: tuple[str, ...] = ()
    finish: Finish = Finish.UNKNOWN
    model: str | None = None
    merged: bool = False
    refusal: bool = False
    tools: int = 0
    broken_tool: bool = False
    choices: int = 1
    usage: Usage = field(default_factory=Usage)


_TEXT_TYPES = ("text", "output_text")
_THOUGHT_KEYS = ("thinking", "reasoning", "reasoning_content", "text", "content")
_THOUGHT_TYPES = ("thinking", "redacted_thinking", "reasoning", "reasoning_content", "thought")


@dataclass(frozen=True, kw_only=True)
class Blocks:
    """Content split by kind of block."""

    text: str = ""
    thoughts: tuple[str, ...] = ()
    refusal: bool = False
    tools: tuple[Mapping[str, Any], ...] = ()


def _thought_of(block: Mapping[str, Any]) -> list[str]:
    found = [block[key] for key in _THOUGHT_KEYS if isinstance(block.get(key), str)]
    summary = block.get("summary")
    if isinstance(summary, Sequence) and not isinstance(summary, str):
        found += [item["text"] for item in summary if isinstance(item, Mapping) and isinstance(item.get("text"), str)]
    return found


def text_of_blocks(content: object) -> Blocks:
    """Split a message's content: only strings and blocks of a text type are the answer, joined as they are.

    A block of any other type adds nothing to the text: no representation of it may ever be read as an answer.
    """
    if isinstance(content, str):
        return Blocks(text=well_formed(content))
    if not isinstance(content, Sequence) or isinstance(content, bytes | bytearray):
        return Blocks()
    texts: list[str] = []
    thoughts: list[str] = []
    tools: list[Mapping[str, Any]] = []
    refusal = False
    for block in content:
        if isinstance(block, str):
            texts.append(block)
            continue
        if not isinstance(block, Mapping):
            continue
        kind = block.get("type")
        text = block.get("text")
        if kind in _TEXT_TYPES and isinstance(text, str):
            (thoughts if block.get("thought") is True else texts).append(text)
        elif kind in _THOUGHT_TYPES:
            thoughts += _thought_of(block)
        elif kind == "refusal":
            refusal = True
        elif kind == "non_standard" and isinstance(block.get("value"), Mapping):
            refusal = refusal or block["value"].get("type") == "refusal"
        elif isinstance(kind, str) and ("tool" in kind or kind == "function_call") and "result" not in kind:
            tools.append(block)
    return Blocks(text=well_formed("".join(texts)), thoughts=tuple(thoughts), refusal=refusal, tools=tuple(tools))
