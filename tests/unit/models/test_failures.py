"""Errors of providers: what is for ever, what passes, how long to wait."""

from __future__ import annotations

from typing import Any

import pytest

from sluis.core import CompletionStatus
from sluis.models import assess, assess_error

CASES: dict[str, tuple[int | None, Any, str, str]] = {
    "402": (402, {"error": {"message": "Insufficient Balance"}}, "quota", "never"),
    "429 for quota": (429, {"error": {"code": "insufficient_quota", "type": "insufficient_quota"}}, "quota", "never"),
    "429 for rate": (429, {"error": {"code": "rate_limit_exceeded"}}, "rate_limited", "after"),
    "429 without a body": (429, None, "rate_limited", "after"),
    "a trial key's month": (
        429,
        {"message": "You are using a trial key, limited to 1000 API calls / month."},
        "quota",
        "never",
    ),
    "a trial key's minute": (
        429,
        {"message": "You are using a trial key, limited to 10 API calls / minute."},
        "rate_limited",
        "after",
    ),
    "credit too low, said with 400": (
        400,
        {"type": "error", "error": {"type": "invalid_request_error", "message": "Your credit balance is too low"}},
        "quota",
        "never",
    ),
    "a rate limit without status": (
        None,
        {"type": "error", "error": {"type": "rate_limit_error"}},
        "rate_limited",
        "after",
    ),
    "overloaded": (529, {}, "unavailable", "after"),
    "overloaded without status": (
        None,
        {"type": "error", "error": {"type": "overloaded_error"}},
        "unavailable",
        "after",
    ),
    "a gateway's page": (502, "<html>Bad gateway</html>", "unavailable", "after"),
    "a page that answers 200": (200, "<html>Just a moment</html>", "unavailable", "never"),
    "a redirect": (302, "", "unavailable", "never"),
    "model not found": (404, {"error": {"code": "model_not_found"}}, "model_retired", "never"),
    "model removed, by words": (
        404,
        {"message": "model 'c-plus' was removed on September 15"},
        "model_retired",
        "never",
    ),
    "model deprecated, said with 400": (400, {"error": {"code": "model_decommissioned"}}, "model_retired", "never"),
    "a model named in a 404": (
        404,
        {"type": "error", "error": {"type": "not_found_error", "message": "model: m-1"}},
        "model_retired",
        "never",
    ),
    "a 404 of a proxy": (404, "<html>Not found</html>", "unavailable", "never"),
    "content filter": (400, {"error": {"code": "content_filter"}}, "refused", "never"),
    "content filter, inner": (
        400,
        {"error": {"code": "x", "innererror": {"code": "ResponsibleAIPolicyViolation"}}},
        "refused",
        "never",
    ),
    "no key": (401, {"error": {"message": "Incorrect API key"}}, "unavailable", "never"),
    "an error with status 200": (200, {"error": {"message": "oops"}}, "unavailable", "never"),
    "an error that is a text": (500, {"error": "boom"}, "unavailable", "after"),
    "a list": (200, [1], "unavailable", "never"),
}


@pytest.mark.parametrize("name", CASES)
def test_error(name: str) -> None:
    status, body, expected, retry = CASES[name]
    found = assess(body, provider="openai", status=status)
    assert (found.completion.status.value, found.retry) == (expected, retry)
    assert found.completion.text == ""


def test_a_400_on_replay_names_the_turn() -> None:
    body = {"error": {"message": "messages.3: text content blocks must be non-empty"}}
    found = assess(body, provider="anthropic", status=400)
    assert (found.retry, found.detail) == ("never", "http_400_turn_3")


WAITS: dict[str, tuple[dict[str, Any], float | None]] = {
    "seconds": ({"Retry-After": "2"}, 2.0),
    "milliseconds": ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
    "a date": ({"retry-after": "Mon, 30 Nov 2026 10:00:30 GMT", "Date": "Mon, 30 Nov 2026 10:00:00 GMT"}, 30.0),
    "a date gone by": ({"retry-after": "Mon, 30 Nov 2026 09:00:00 GMT", "date": "Mon, 30 Nov 2026 10:00:00 GMT"}, 0.0),
    "a date without the sender's": ({"retry-after": "Mon, 30 Nov 2026 10:00:30 GMT"}, None),
    "nonsense": ({"retry-after": "soon"}, None),
    "a negative number": ({"retry-after": "-1"}, None),
    "none": ({}, None),
}


@pytest.mark.parametrize("name", WAITS)
def test_how_long_to_wait(name: str) -> None:
    headers, seconds = WAITS[name]
    assert assess({"error": {}}, provider="openai", status=429, headers=headers).retry_after_s == seconds


def test_quota_does_not_ask_to_wait() -> None:
    found = assess({}, provider="openai", status=402, headers={"retry-after": "2"})
    assert found.retry_after_s is None


class _Response:
    status_code = 429
    headers = {"retry-after": "4"}


class _StatusError(Exception):
    def __init__(self, status: int | None, body: object, response: object = None) -> None:
        super().__init__("geheim [c1]")
        self.status_code = status
        self.body = body
        self.response = response


class APITimeoutError(Exception):
    """Named as a client names it."""


class LengthFinishReasonError(Exception):
    """Named as a client names it."""


class ContentFilterFinishReasonError(Exception):
    """Named as a client names it."""


ERRORS: dict[str, tuple[Exception, str, str]] = {
    "a status and an inner body": (_StatusError(429, {"code": "insufficient_quota"}), "quota", "never"),
    "a status and an outer body": (_StatusError(404, {"error": {"code": "model_not_found"}}), "model_retired", "never"),
    "a status and no body": (_StatusError(503, None), "unavailable", "after"),
    "the response alone": (_StatusError(None, None, _Response()), "rate_limited", "after"),
    "a time-out by name": (APITimeoutError(), "unavailable", "after"),
    "a built-in time-out": (TimeoutError(), "unavailable", "after"),
    "a reset": (ConnectionResetError(), "unavailable", "after"),
    "a programming error": (TypeError("geheim"), "unavailable", "never"),
    "length, raised": (LengthFinishReasonError(), "truncated", "larger_budget"),
    "filter, raised": (ContentFilterFinishReasonError(), "refused", "never"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_what_a_client_raises_is_classified(name: str) -> None:
    error, status, retry = ERRORS[name]
    found = assess_error(error, model="m-1")
    assert (found.completion.status.value, found.retry) == (status, retry)
    assert (found.completion.text, found.completion.model) == ("", "m-1")


def test_the_wait_of_a_raised_error_is_read() -> None:
    assert assess_error(_StatusError(None, None, _Response()), model="m").retry_after_s == 4.0


def test_a_200_raised_as_error_is_no_answer() -> None:
    assert assess_error(_StatusError(200, {}), model="m").completion.status is CompletionStatus.UNAVAILABLE
