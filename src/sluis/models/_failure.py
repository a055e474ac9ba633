"""What an error of a provider means. Judged by status and codes first, by fixed phrases of the message last."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Any

import re2

from sluis.core import CompletionStatus

from ._reading import Failure
from ._wellformed import well_formed

__all__ = ["RetryAdvice", "failure_of", "judge_failure", "retry_after"]

RetryAdvice = str
"""``never``, ``larger_budget`` or ``after``."""

_QUOTA_CODES = frozenset(
    {"insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "billing_error", "insufficient_balance"}
)
_RETIRED_CODES = frozenset(
    {
        "model_not_found",
        "model_deprecated",
        "model_decommissioned",
        "model_retired",
        "deploymentnotfound",
        "unknown_model",
        "model_not_available",
    }
)
_RATE_CODES = frozenset(
    {"rate_limit_exceeded", "rate_limit_error", "rate_limited", "too_many_requests", "throttlingexception"}
)
_DOWN_CODES = frozenset(
    {
        "overloaded_error",
        "api_error",
        "server_error",
        "timeout_error",
        "internal_server_error",
        "service_unavailable",
        "overloaded",
    }
)
_FILTER_CODES = frozenset({"content_filter", "content_policy_violation", "responsibleaipolicyviolation", "safety"})

_QUOTA_WORDS = re2.compile(
    r"insufficient balance|insufficient credit|insufficient quota|credit balance is too low|out of credits|"
    r"exceeded your current quota|billing details|calls / month|per month|"
    r"monthly (?:limit|quota|spend)|payment required"
)
_RETIRED_WORDS = re2.compile(
    r"model\b.{0,200}?\b(?:does not exist|not found|not exist|was removed|has been removed|has been deprecated|"
    r"is deprecated|been decommissioned|is decommissioned|been retired|is retired|was retired|"
    r"no longer (?:available|supported)|is not available|been shut down|been sunset)|"
    r"unknown model|no such model|^model: \S+$"
)
_TURN = re2.compile(r"messages[.\[]([0-9]{1,6})")
_LONGEST = 4000


def retry_after(headers: Mapping[str, Any] | None) -> float | None:
    """The seconds a response asks to wait: ``retry-after-ms``, ``retry-after``, or its date less ``date``."""
    if not headers:
        return None
    lowered = {str(key).lower(): well_formed(str(value).strip()) for key, value in headers.items()}
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        value = lowered.get(name, "")
        if re2.fullmatch(r"[0-9]{1,9}(?:\.[0-9]{1,9})?", value):
            return float(value) / unit
    try:
        until = parsedate_to_datetime(lowered["retry-after"])
        sent = parsedate_to_datetime(lowered["date"])
        seconds = (until.astimezone(UTC) - sent.astimezone(UTC)).total_seconds()
    except (KeyError, ValueError, TypeError, OverflowError):
        return None
    return max(0.0, seconds)


def _words(value: object) -> list[str]:
    return [well_formed(value.strip().lower())] if isinstance(value, str) and value.strip() else []


def _texts(value: object) -> tuple[list[str], list[str]]:
    """Codes and messages of an error object, one level down."""
    if isinstance(value, str):
        return [], _words(value)
    if not isinstance(value, Mapping):
        return [], []
    codes: list[str] = []
    for key in ("code", "type", "status", "error_code", "reason"):
        codes += _words(value.get(key))
    messages = _words(value.get("message")) + _words(value.get("detail"))
    inner = value.get("innererror")
    if isinstance(inner, Mapping):
        codes += _words(inner.get("code"))
    return codes, messages


def failure_of(response: object, *, status: int | None, headers: Mapping[str, Any] | None) -> Failure | None:
    """The error a response tells of; ``None`` when it reads as an answer.

    Args:
        response: the body, parsed; any type.
        status: HTTP status, if known; outside 200 to 299 it is an error whatever the body says.
        headers: for the time to wait.
    """
    wait = retry_after(headers)
    bad = status is not None and not 200 <= status < 300
    if not isinstance(response, Mapping):
        message = well_formed(response.lower()[:_LONGEST]) if isinstance(response, str) else ""
        return Failure(status=status, message=message, retry_after_s=wait, body=False)
    error = response.get("error")
    told = isinstance(error, Mapping | str) and bool(error)
    if not bad and not told and response.get("type") != "error":
        return None
    codes, messages = _texts(error)
    outer_codes, outer_messages = _texts({key: value for key, value in response.items() if key != "error"})
    message = "\n".join(messages + outer_messages)[:_LONGEST]
    known = frozenset(codes + outer_codes) - {"error"}
    return Failure(status=status, codes=known, message=message, retry_after_s=wait)


def judge_failure(failure: Failure) -> tuple[CompletionStatus, RetryAdvice, str]:
    """Status, retry advice and detail of an error.

    Quota goes before rate limit, for both come as 429; a retired model before "not found".
    """
    status, codes, message = failure.status, failure.codes, failure.message
    if codes & _FILTER_CODES:
        return CompletionStatus.REFUSED, "never", "content_filter"
    if status == 402 or codes & _QUOTA_CODES or _QUOTA_WORDS.search(message):
        return CompletionStatus.QUOTA, "never", "quota"
    if codes & _RETIRED_CODES or (status in (None, 400, 403, 404, 410, 422) and _RETIRED_WORDS.search(message)):
        return CompletionStatus.MODEL_RETIRED, "never", "model_not_found"
    if status in (404, 410) and failure.body:
        return CompletionStatus.MODEL_RETIRED, "never", "not_found"
    if status == 429 or codes & _RATE_CODES:
        return CompletionStatus.RATE_LIMITED, "after", "rate_limit"
    return _unavailable(failure)


def _unavailable(failure: Failure) -> tuple[CompletionStatus, RetryAdvice, str]:
    status, codes = failure.status, failure.codes
    down = CompletionStatus.UNAVAILABLE
    if status in (408, 425) or (status is not None and status >= 500) or codes & _DOWN_CODES:
        return down, "after", "server_error" if status is None else f"http_{status}"
    if status is None or 200 <= status < 300:
        return down, "never", "not_an_answer" if not failure.body else "error"
    turn = _TURN.search(failure.message)
    if turn is not None:
        return down, "never", f"http_{status}_turn_{turn.group(1)}"
    return down, "never", f"http_{status}"
