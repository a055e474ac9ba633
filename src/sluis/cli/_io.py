"""Reading cases and writing answers, the same for every verb."""

from __future__ import annotations

import json
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any

import typer

from sluis.core import InputError

if TYPE_CHECKING:
    from rich.console import Console

__all__ = [
    "MAX_LINE_BYTES",
    "JsonFlag",
    "MalformedLineError",
    "ProjectOption",
    "UnreadableInputError",
    "console",
    "emit",
    "out_console",
    "read_file",
    "read_jsonl",
    "visible",
]

MAX_LINE_BYTES = 64 * 1024 * 1024
"""A longer line is not read; it gets an error of its own."""

JsonFlag = Annotated[bool, typer.Option("--json", help="Machine output: JSON on stdout, nothing else there.")]
"""The flag that every verb has."""

ProjectOption = Annotated[
    Path | None,
    typer.Option("--project", help="Folder of the project. Default: the nearest sluis.toml upwards.", metavar="DIR"),
]
"""The option of verbs that work on a project."""


class UnreadableInputError(InputError):
    """A file that was named cannot be read."""

    code = "usage.input.unreadable"


class MalformedLineError(InputError):
    """A line of JSON lines is not one JSON object."""

    code = "usage.input.malformed_line"


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ValueError("duplicate key")
    return result


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _parse(line: bytes, number: int) -> dict[str, Any] | InputError:
    hint = "Write one JSON object a line, in UTF-8, each key once."
    try:
        value = json.loads(line.decode("utf-8"), object_pairs_hook=_unique_keys, parse_constant=_no_constant)
    except UnicodeDecodeError:
        return MalformedLineError(f"Line {number} is not UTF-8.", hint=hint, line=number)
    except RecursionError:
        return MalformedLineError(f"Line {number} is nested too deeply.", hint=hint, line=number)
    except ValueError as error:  # JSONDecodeError is one; its message may quote the line, ours does not
        what = error.msg if isinstance(error, json.JSONDecodeError) else "a duplicate key or a value that JSON lacks"
        return MalformedLineError(f"Line {number} is not JSON: {what}.", hint=hint, line=number)
    if not isinstance(value, dict):
        return MalformedLineError(f"Line {number} is not a JSON object.", hint=hint, line=number)
    return value


def _lines(stream: IO[bytes]) -> Iterator[tuple[int, bytes | None]]:
    """Number and bytes of each line; ``None`` for one that is too long."""
    number = 0
    while line := stream.readline(MAX_LINE_BYTES + 1):
        number += 1
        if len(line) <= MAX_LINE_BYTES or line.endswith(b"\n"):
            yield number, line
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(MAX_LINE_BYTES)
        yield number, None


def read_jsonl(source: Path | str) -> Iterator[tuple[int, dict[str, Any] | InputError]]:
    """The cases of a file of JSON lines, lazily, in order.

    Args:
        source: a path, or ``-`` for standard input.

    Yields:
        The line number (from 1) and the object, or what is wrong with that line. Blank lines are skipped.

    Raises:
        UnreadableInputError: the file cannot be opened.
    """
    if str(source) == "-":
        yield from _cases(sys.stdin.buffer)
        return
    try:
        stream = Path(source).open("rb")  # noqa: SIM115 - closed by the with below
    except OSError as error:
        raise UnreadableInputError(
            f"Cannot read {source}: {error.strerror}.", hint="Name a file, or - for standard input."
        ) from error
    with stream:
        yield from _cases(stream)


def _cases(stream: IO[bytes]) -> Iterator[tuple[int, dict[str, Any] | InputError]]:
    for number, line in _lines(stream):
        if line is None:
            yield number, MalformedLineError(f"Line {number} is longer than {MAX_LINE_BYTES} bytes.", line=number)
            continue
        if number == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")
        if line.strip():
            yield number, _parse(line, number)


def read_file(path: Path) -> bytes:
    """The bytes of a file.

    Raises:
        UnreadableInputError: it cannot be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise UnreadableInputError(f"Cannot read {path}: {error.strerror}.", path=str(path)) from error


_UNSEEN = {"Cc", "Cf", "Co", "Cs", "Zl", "Zp"}


def visible(text: str) -> str:
    """Text of a model, a source or a permit, fit for a terminal that a person decides by.

    Control characters (an escape sequence could repaint the screen), invisible ones and those that change the direction
    of writing are shown as ``\\u202e``; line ends and tabs stay.
    """
    return "".join(
        character
        if character in "\n\t" or unicodedata.category(character) not in _UNSEEN
        else character.encode("ascii", "backslashreplace").decode()
        if ord(character) > 0x7F
        else f"\\x{ord(character):02x}"
        for character in text
    )


def emit(value: Any) -> None:
    """Write a value as one line of compact JSON on stdout, at once, so that a pipe's reader sees it.

    Raises:
        ValueError: the value holds NaN or infinity, which JSON lacks.
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:  # a lone surrogate came in through an escape; it goes out as one
        text = json.dumps(value, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def console() -> Console:
    """Where progress and words for a person go while a verb works: stderr."""
    from rich.console import Console

    return Console(stderr=True, highlight=False)


def out_console() -> Console:
    """Where a verb's answer for a person goes when ``--json`` is off: stdout."""
    from rich.console import Console

    return Console(highlight=False)
