"""The completion contract: what a model's response is worth.

The steps, in order; the first that applies decides:

1. An error (HTTP status, error object, no object at all): ``quota``, ``model_retired``, ``rate_limited``,
   ``refused`` or ``unavailable``.
2. Another model than the pinned one answered: ``pin_mismatch``.
3. A field, a block or the reason of the end says refusal: ``refused``.
4. A tool call is half there: ``tool_truncated``.
5. The budget ran out: ``truncated``.
6. The provider gave up: ``unavailable``.
7. The text holds thoughts: ``thought_leak``.
8. The text has no letter and no digit: ``empty``.
9. More than one answer, a tool call that waits to be made, an unknown reason of the end: ``unknown_finish``.
10. Else ``ok``.

Only text blocks are text. What the response itself marks as thought is never text, whatever else it lacks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sluis.core import Completion, CompletionStatus, InputError, Usage

from ._failure import failure_of, judge_failure
from ._finish import Finish
from ._message import Message, read_message
from ._raw import READERS
from ._reading import Reading
from ._thought import scan_thoughts
from ._wellformed import well_formed
from .pin import ModelPin

__all__ = ["TRANSIENT", "Assessment", "UnknownProviderError", "assess", "assess_error", "classify"]

TRANSIENT = frozenset({CompletionStatus.UNAVAILABLE, CompletionStatus.RATE_LIMITED, CompletionStatus.QUOTA})
"""Statuses that say nothing of an answer, only that there was none: held rather than refused."""

_SHORTEST_ECHO = 40


class UnknownProviderError(InputError):
    """A raw response of a provider that has no reader."""

    code = "usage.input.unknown_provider"


@dataclass(frozen=True, kw_only=True)
class Assessment:
    """A completion and what to do about it.

    Attributes:
        completion: the response, classified.
        retry: ``never``; ``larger_budget``: once, with more tokens; ``after``: the same call, later.
        retry_after_s: seconds to wait at least, as far as the provider said.
        detail: why, as a stable code; finer than the status.
    """

    completion: Completion
    retry: str
    retry_after_s: float | None = None
    detail: str = ""


def _echoes(text: str, thoughts: tuple[str, ...]) -> bool:
    """Whether the text repeats what the response marks as thought."""
    said = " ".join(text.split())
    for thought in thoughts:
        kept = " ".join(thought.split())
        if kept and (said == kept or (len(kept) >= _SHORTEST_ECHO and kept in said)):
            return True
    return False


def _wordless(text: str) -> bool:
    return not any(character.isalnum() for character in text)


def _over_budget(reading: Reading, text: str) -> str:
    usage = reading.usage
    thought = bool(reading.thoughts) or (usage.reasoning or 0) > 0
    return "budget_spent_on_reasoning" if thought and _wordless(text) else "budget_spent"


def _judge(reading: Reading, text: str, leaked: bool, pin: ModelPin | None) -> tuple[CompletionStatus, str, str]:
    if pin is not None and not pin.allows(reading.model, merged=reading.merged):
        return CompletionStatus.PIN_MISMATCH, "never", "not_reported" if reading.model is None else "other_model"
    if reading.refusal or reading.finish is Finish.REFUSED:
        return CompletionStatus.REFUSED, "never", "refusal" if reading.refusal else "content_filter"
    if reading.broken_tool:
        retry = "larger_budget" if reading.finish is Finish.LENGTH else "never"
        return CompletionStatus.TOOL_TRUNCATED, retry, "half_tool_call"
    if reading.finish is Finish.LENGTH:
        return CompletionStatus.TRUNCATED, "larger_budget", _over_budget(reading, text)
    if reading.finish is Finish.FAILED:
        return CompletionStatus.UNAVAILABLE, "after", "generation_failed"
    if leaked:
        return CompletionStatus.THOUGHT_LEAK, "never", "thought_in_text"
    if _wordless(text):
        return CompletionStatus.EMPTY, "never", "only_thoughts" if reading.thoughts else "no_text"
    if reading.choices != 1:
        return CompletionStatus.UNKNOWN_FINISH, "never", "several_answers"
    if reading.tools or reading.finish is Finish.TOOL:
        return CompletionStatus.UNKNOWN_FINISH, "never", "tool_call_pending"
    if reading.finish is Finish.UNKNOWN:
        return CompletionStatus.UNKNOWN_FINISH, "never", "unknown_reason"
    return CompletionStatus.OK, "never", "ok"


def _assess_reading(reading: Reading, *, pin: ModelPin | None, drafter: str) -> Assessment:
    scan = scan_thoughts(reading.text)
    echo = _echoes(reading.text, reading.thoughts)
    text = "" if echo else scan.text
    status, retry, detail = _judge(reading, text, scan.leaked or echo, pin)
    completion = Completion(
        status=status,
        text=text,
        model=well_formed(reading.model or "not reported"),
        drafter=drafter,
        usage=reading.usage,
    )
    return Assessment(completion=completion, retry=retry, detail=detail)


def _failed(
    response: object, *, status: int | None, headers: Mapping[str, Any] | None, model: str, drafter: str
) -> Assessment | None:
    failure = failure_of(response, status=status, headers=headers)
    if failure is None:
        return None
    said, retry, detail = judge_failure(failure)
    completion = Completion(status=said, text="", model=model, drafter=drafter, usage=Usage())
    wait = failure.retry_after_s if retry == "after" else None
    return Assessment(completion=completion, retry=retry, retry_after_s=wait, detail=detail)


def assess(
    response: object,
    *,
    provider: str | None = None,
    status: int | None = None,
    headers: Mapping[str, Any] | None = None,
    pin: ModelPin | None = None,
    drafter: str = "chat",
) -> Assessment:
    """Classify a response and say whether repeating the call can help.

    Args:
        response: a LangChain ``AIMessage`` (or chunk), or the parsed body of a provider's response.
        provider: ``openai``, ``anthropic`` or ``cohere`` for a body; left out for a message.
        status: HTTP status of the response, if known.
        headers: HTTP headers of the response, for the time to wait.
        pin: the model that may answer; ``None``: any.
        drafter: how the completion names its kind of author.

    Raises:
        UnknownProviderError: a body of a provider that has no reader.
    """
    if not isinstance(response, Mapping) and isinstance(response, Message):
        return _assess_reading(read_message(response), pin=pin, drafter=drafter)
    reader = READERS.get(provider or "")
    if reader is None:
        raise UnknownProviderError(
            "The provider has no reader.", hint=f"Known are: {', '.join(sorted(READERS))}.", provider=provider
        )
    model = response.get("model") if isinstance(response, Mapping) else None
    named = well_formed(model) if isinstance(model, str) and model else "not reported"
    failed = _failed(response, status=status, headers=headers, model=named, drafter=drafter)
    if failed is not None:
        return failed
    if not isinstance(response, Mapping):  # pragma: no cover - failure_of answers for everything but objects
        raise UnknownProviderError("The response is no object.", hint="Give the parsed body.")
    return _assess_reading(reader(response), pin=pin, drafter=drafter)


def classify(
    response: object,
    *,
    provider: str | None = None,
    status: int | None = None,
    headers: Mapping[str, Any] | None = None,
    pin: ModelPin | None = None,
    drafter: str = "chat",
) -> Completion:
    """The completion alone; see :func:`assess` for arguments and errors."""
    return assess(response, provider=provider, status=status, headers=headers, pin=pin, drafter=drafter).completion


_BY_NAME = {
    "LengthFinishReasonError": (CompletionStatus.TRUNCATED, "larger_budget", "budget_spent"),
    "ContentFilterFinishReasonError": (CompletionStatus.REFUSED, "never", "content_filter"),
}
_NETWORK = ("Timeout", "ConnectError", "ConnectionError", "TransportError")
"""Parts of the class names by which clients call a network that failed; httpx derives all of its own from one."""


def assess_error(error: Exception, *, model: str, drafter: str = "chat") -> Assessment:
    """Classify what a provider's client raised. Read by attributes, so no client need be installed.

    Args:
        error: the exception; its text is matched with fixed phrases and never given out.
        model: the name of the model that was asked.
        drafter: as for :func:`assess`.
    """
    names = [kind.__name__ for kind in type(error).__mro__]
    for name, (said, retry, detail) in _BY_NAME.items():
        if name in names:
            completion = Completion(status=said, text="", model=model, drafter=drafter)
            return Assessment(completion=completion, retry=retry, detail=detail)
    response: Any = getattr(error, "response", None)
    status: Any = getattr(error, "status_code", None) or getattr(response, "status_code", None)
    headers: Any = getattr(response, "headers", None) or getattr(error, "headers", None)
    body: Any = getattr(error, "body", None)
    if isinstance(status, int) and not isinstance(status, bool):
        if not isinstance(body, Mapping):
            body = {"message": str(body or error)}
        known = headers if isinstance(headers, Mapping) else None
        failed = _failed(
            {"error": body} if "error" not in body else body, status=status, headers=known, model=model, drafter=drafter
        )
        if failed is not None:
            return failed
    network = isinstance(error, OSError | TimeoutError) or any(part in name for name in names for part in _NETWORK)
    completion = Completion(status=CompletionStatus.UNAVAILABLE, text="", model=model, drafter=drafter)
    retry = "after" if network else "never"
    return Assessment(completion=completion, retry=retry, detail="network" if network else "client_error")
