"""Why a model stopped, per provider, as one table. A word that is not in it is unknown, and unknown never passes."""

from __future__ import annotations

from enum import Enum
from types import MappingProxyType

__all__ = ["TABLES", "Finish", "finish_of"]


class Finish(Enum):
    """The kinds of end."""

    DONE = "done"
    LENGTH = "length"
    REFUSED = "refused"
    TOOL = "tool"
    FAILED = "failed"
    UNKNOWN = "unknown"


_OPENAI = {
    "stop": Finish.DONE,
    "completed": Finish.DONE,  # Responses
    "eos": Finish.DONE,  # compatible servers
    "eos_token": Finish.DONE,
    "stop_sequence": Finish.DONE,
    "length": Finish.LENGTH,
    "max_tokens": Finish.LENGTH,
    "model_length": Finish.LENGTH,  # Mistral
    "max_output_tokens": Finish.LENGTH,  # Responses
    "content_filter": Finish.REFUSED,
    "tool_calls": Finish.TOOL,
    "function_call": Finish.TOOL,
    "insufficient_system_resource": Finish.FAILED,  # DeepSeek
    "error": Finish.FAILED,
    "failed": Finish.FAILED,
    "cancelled": Finish.FAILED,
}
_ANTHROPIC = {
    "end_turn": Finish.DONE,
    "stop_sequence": Finish.DONE,
    "max_tokens": Finish.LENGTH,
    "model_context_window_exceeded": Finish.LENGTH,
    "refusal": Finish.REFUSED,
    "tool_use": Finish.TOOL,
}
_COHERE = {
    "complete": Finish.DONE,
    "stop_sequence": Finish.DONE,
    "max_tokens": Finish.LENGTH,
    "error_limit": Finish.LENGTH,
    "error_toxic": Finish.REFUSED,
    "tool_call": Finish.TOOL,
    "error": Finish.FAILED,
    "timeout": Finish.FAILED,
    "user_cancel": Finish.FAILED,
}
_OTHERS = {  # seen in LangChain's response_metadata only
    "safety": Finish.REFUSED,  # Gemini
    "recitation": Finish.REFUSED,
    "blocklist": Finish.REFUSED,
    "prohibited_content": Finish.REFUSED,
    "spii": Finish.REFUSED,
    "guardrail_intervened": Finish.REFUSED,  # Bedrock
    "content_filtered": Finish.REFUSED,
}

TABLES = MappingProxyType(
    {
        "openai": _OPENAI,
        "anthropic": _ANTHROPIC,
        "cohere": _COHERE,
        "langchain": _OTHERS | _COHERE | _ANTHROPIC | _OPENAI,
    }
)
"""Provider to reason (lower case) to kind of end."""

_GRAVITY = (Finish.FAILED, Finish.REFUSED, Finish.LENGTH, Finish.TOOL, Finish.DONE)
_LONGEST = 256


def finish_of(provider: str, reason: object) -> tuple[Finish, int]:
    """The kind of end that a provider's word stands for.

    In a response that was merged from stream parts the words may stand joined: ``stopstop``, ``lengthstop``.

    Returns:
        The gravest kind among the words, and how many words there were; unknown unless the whole reads as words.
    """
    if not isinstance(reason, str) or len(reason) > _LONGEST:
        return Finish.UNKNOWN, 0
    table = TABLES[provider]
    text = reason.strip().lower()
    if text in table:
        return table[text], 1
    # reached[i]: the words of one way to read text[:i]
    reached: dict[int, tuple[str, ...]] = {0: ()}
    for index in range(len(text)):
        if index not in reached:
            continue
        for word in table:
            if text.startswith(word, index):
                reached.setdefault(index + len(word), (*reached[index], word))
    words = reached.get(len(text), ())
    kinds = {table[word] for word in words}
    return next((kind for kind in _GRAVITY if kind in kinds), Finish.UNKNOWN), len(words)
