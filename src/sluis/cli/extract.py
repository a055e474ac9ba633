"""``sluis extract``: citations, references and values in texts, a case a line."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from sluis.core import InputError
from sluis.core.reading import invisible, read_citations, read_references, read_values

from ._io import JsonFlag, emit, read_jsonl

__all__ = ["command", "extract_case"]


class CaseMalformedError(InputError):
    """A case lacks a field or holds one of the wrong type."""

    code = "usage.input.case"


def text_field(case: dict[str, Any], name: str, *, required: bool = True) -> str | None:
    """A text field of a case.

    Raises:
        CaseMalformedError: it is missing or no text.
    """
    value = case.get(name)
    if value is None and not required:
        return None
    if not isinstance(value, str):
        raise CaseMalformedError(f"The field {name!r} must be a text.", hint="See docs/cli.md.", field=name)
    return value


def extract_case(case: dict[str, Any]) -> dict[str, Any]:
    """What stands in one text.

    Args:
        case: ``text``, and optionally ``id`` and ``locale``.

    Returns:
        ``citations``, ``references``, ``values``, ``malformed``, ``invisible``; offsets count code points of ``text``.

    Raises:
        CaseMalformedError: a field is missing or of the wrong type.
    """
    text = text_field(case, "text")
    locale = text_field(case, "locale", required=False)
    if text is None:  # pragma: no cover - a required field is never None
        raise CaseMalformedError("The field 'text' must be a text.")
    citations = read_citations(text)
    answer: dict[str, Any] = {"id": case["id"]} if "id" in case else {}
    answer["citations"] = [item.to_json() for item in citations.found]
    answer["references"] = [item.to_json() for item in read_references(text)]
    answer["values"] = [item.to_json() for item in read_values(text, locale=locale)]
    answer["malformed"] = [item.to_json() for item in citations.malformed]
    answer["invisible"] = [{"reason": span.reason, "start": span.start, "end": span.end} for span in invisible(text)]
    return answer


def error_line(case: dict[str, Any] | None, error: InputError) -> dict[str, Any]:
    """The answer to a case that cannot be read: its id when it has one, and the error's diagnostics."""
    answer: dict[str, Any] = {"id": case["id"]} if case is not None and "id" in case else {}
    answer["error"] = error.diagnostics()
    return answer


def command(
    source: Annotated[str, typer.Argument(metavar="[FILE|-]", help="JSON lines; - for standard input.")] = "-",
    json_: JsonFlag = False,
) -> int:
    """Citations, references and values in a text, a case a line.

    In: {"id": "1", "text": "...", "locale": "nl-NL"}. Without a locale, a value with two readings says so.
    The answer is JSON lines with or without --json.
    """
    code = 0
    for _, case in read_jsonl(source):
        if isinstance(case, InputError):
            emit(error_line(None, case))
            code = 2
            continue
        try:
            emit(extract_case(case))
        except InputError as error:
            emit(error_line(case, error))
            code = 2
    return code
