"""``sluis completion``: what a raw model response is worth."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from sluis.core import CompletionStatus, InputError, SluisError

from ._io import JsonFlag, emit, read_jsonl

__all__ = ["app", "run_classify"]

app = typer.Typer(add_completion=False, no_args_is_help=True, help="What a raw model response is worth.")

PROVIDERS = ("openai", "anthropic", "cohere")


class CaseMalformedError(InputError):
    """A case of ``completion classify`` does not have the shape it must have."""

    code = "usage.input.completion_case"


@app.callback()
def _group() -> None:
    """What a raw model response is worth."""


def _malformed(what: str) -> CaseMalformedError:
    return CaseMalformedError(
        f"The case {what}.",
        hint='Write {"id": ..., "provider": "openai|anthropic|cohere", "response": {...}}.',
    )


def _pin(case: dict[str, Any], default: str | None, aliases: list[str], allow_unreported: bool) -> Any:
    from sluis.models import ModelPin

    name = case.get("pin", default)
    own = case.get("aliases", [])
    if name is None:
        return None
    if not isinstance(name, str) or not isinstance(own, list) or not all(isinstance(item, str) for item in own):
        raise _malformed("holds a pin that is no text, or aliases that are no list of texts")
    return ModelPin(model=name, aliases=frozenset([*aliases, *own]), allow_unreported=allow_unreported)


def _answer(case: dict[str, Any], pin: str | None, aliases: list[str], allow_unreported: bool) -> dict[str, Any]:
    from sluis.models import assess

    provider, status, headers = case.get("provider"), case.get("status"), case.get("headers")
    if provider not in PROVIDERS:
        raise _malformed(f"names no known provider ({', '.join(PROVIDERS)})")
    if "response" not in case:
        raise _malformed("holds no response")
    if isinstance(status, bool) or not isinstance(status, int | None):
        raise _malformed("holds a status that is no whole number")
    if not isinstance(headers, dict | None):
        raise _malformed("holds headers that are no object")
    response = case["response"]
    if status is None and not isinstance(response, dict):
        raise _malformed("holds a response that is no object, and no status that says why")
    found = assess(
        response,
        provider=provider,
        status=status,
        headers=headers,
        pin=_pin(case, pin, aliases, allow_unreported),
    )
    completion = found.completion
    return {
        "status": completion.status.value,
        "text": completion.text,
        "retry": found.retry,
        "retry_after_s": found.retry_after_s,
        "detail": found.detail,
        "model": None if completion.model == "not reported" else completion.model,
        "usage": completion.usage.to_json(),
    }


def run_classify(source: str, *, pin: str | None, aliases: list[str], allow_unreported: bool) -> int:
    """Classify each case of a file.

    Returns:
        0: every response is ``ok``; 1: one is not; 2: a line was malformed (it gets an answer with ``error``).
    """
    bad_line = not_ok = False
    for number, case in read_jsonl(source):
        answer: dict[str, Any] = {"id": None if isinstance(case, InputError) else case.get("id")}
        try:
            if isinstance(case, InputError):
                raise case
            answer |= _answer(case, pin, aliases, allow_unreported)
            not_ok = not_ok or answer["status"] != CompletionStatus.OK.value
        except SluisError as error:
            bad_line = True
            answer |= {"line": number, "error": error.diagnostics()}
        emit(answer)
    return 2 if bad_line else int(not_ok)


@app.command("classify")
def classify_command(
    source: Annotated[str, typer.Argument(metavar="[FILE|-]", help="JSON lines; - or nothing: standard input.")] = "-",
    pin: Annotated[
        str | None, typer.Option("--pin", help="The model that may answer. A case may name its own.")
    ] = None,
    alias: Annotated[
        list[str] | None, typer.Option("--alias", help="Another spelling of the pinned model; may be repeated.")
    ] = None,
    allow_unreported: Annotated[
        bool, typer.Option("--allow-unreported", help="Let an answer that names no model count as the pinned one.")
    ] = False,
    json_: JsonFlag = False,
) -> int:
    """Say of each raw response what it is worth: ok, empty, truncated, refused, thought_leak and so on.

    Only text blocks count as text, and only the status ok may be used as an answer. The answer is JSON lines with or
    without --json. Exit 1 when a status is not ok.
    """
    return run_classify(source, pin=pin, aliases=alias or [], allow_unreported=allow_unreported)
