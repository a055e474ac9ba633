"""Token counts in one shape. What a provider did not report is ``None``, never zero."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sluis.core import Usage

__all__ = ["anthropic_usage", "cohere_usage", "langchain_usage", "openai_usage"]


def _count(data: object, *path: str) -> int | None:
    value = data
    for key in path:
        if not isinstance(value, Mapping):
            return None
        value = value.get(key)
    if isinstance(value, float) and value.is_integer():  # Cohere writes counts as floats
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _first(*values: int | None) -> int | None:
    return next((value for value in values if value is not None), None)


def _ratio(hit: int | None, total: int | None) -> float | None:
    """Cached over all input; ``None`` when either is unknown or they cannot both be right."""
    if hit is None or total is None or total == 0 or hit > total:
        return None
    return hit / total


def openai_usage(usage: object) -> Usage:
    """Of Chat Completions, Responses and the servers that speak like them (DeepSeek's cache fields included)."""
    total = _first(_count(usage, "prompt_tokens"), _count(usage, "input_tokens"))
    hit = _first(
        _count(usage, "prompt_tokens_details", "cached_tokens"),
        _count(usage, "input_tokens_details", "cached_tokens"),
        _count(usage, "prompt_cache_hit_tokens"),
    )
    return Usage(
        input=total,
        output=_first(_count(usage, "completion_tokens"), _count(usage, "output_tokens")),
        reasoning=_first(
            _count(usage, "completion_tokens_details", "reasoning_tokens"),
            _count(usage, "output_tokens_details", "reasoning_tokens"),
        ),
        cache_hit_ratio=_ratio(hit, total),
    )


def anthropic_usage(usage: object) -> Usage:
    """Of Messages, where ``input_tokens`` counts only what came from no cache and went into none."""
    fresh = _count(usage, "input_tokens")
    read = _count(usage, "cache_read_input_tokens")
    written = _count(usage, "cache_creation_input_tokens")
    total = None if fresh is None else fresh + (read or 0) + (written or 0)
    return Usage(input=total, output=_count(usage, "output_tokens"), cache_hit_ratio=_ratio(read, total))


def cohere_usage(usage: object) -> Usage:
    """Of Chat v2 (``usage.tokens``) and v1 (``meta.tokens``); no cache is reported by either of old."""
    total = _first(_count(usage, "tokens", "input_tokens"), _count(usage, "billed_units", "input_tokens"))
    return Usage(
        input=total,
        output=_first(_count(usage, "tokens", "output_tokens"), _count(usage, "billed_units", "output_tokens")),
        cache_hit_ratio=_ratio(_count(usage, "cached_tokens"), total),
    )


def langchain_usage(message_usage: object, metadata: Mapping[str, Any]) -> Usage:
    """Of a LangChain message: the provider's own counts where it kept them, else LangChain's.

    LangChain turns a null into 0 and drops cache fields it does not know, so its mapping comes second; input and
    output that are both 0 are taken as not reported.
    """
    raw = metadata.get("token_usage")
    if isinstance(raw, Mapping) and raw:
        return openai_usage(raw)
    raw = metadata.get("usage")
    if isinstance(raw, Mapping) and raw:
        cached = "cache_read_input_tokens" in raw or "cache_creation_input_tokens" in raw
        return anthropic_usage(raw) if cached else openai_usage(raw)
    total = _count(message_usage, "input_tokens")
    output = _count(message_usage, "output_tokens")
    if not total and not output:
        return Usage()
    return Usage(
        input=total,
        output=output,
        reasoning=_count(message_usage, "output_token_details", "reasoning"),
        cache_hit_ratio=_ratio(_count(message_usage, "input_token_details", "cache_read"), total),
    )
