"""JSON lines in and out."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluis.cli import _io
from sluis.cli._io import MalformedLineError, UnreadableInputError, console, emit, out_console, read_jsonl
from sluis.core import InputError


def cases(data: bytes, monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, Any]]:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    return list(read_jsonl("-"))


def test_lines_keep_their_numbers_and_blank_ones_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    assert cases(b'{"a":1}\n\n  \n{"b":2}', monkeypatch) == [(1, {"a": 1}), (4, {"b": 2})]


def test_a_byte_order_mark_at_the_start_is_no_part_of_the_case(monkeypatch: pytest.MonkeyPatch) -> None:
    assert cases(b'\xef\xbb\xbf{"a":1}\n', monkeypatch) == [(1, {"a": 1})]


BAD = {
    "not JSON": b"{a:1}",
    "two objects": b'{"a":1}{"b":2}',
    "an array": b"[1]",
    "a number": b"7",
    "not UTF-8": b'{"a":"\xff"}',
    "a key twice": b'{"a":1,"a":2}',
    "a key twice, deeper": b'{"a":{"b":1,"b":2}}',
    "NaN": b'{"a":NaN}',
    "infinity": b'{"a":-Infinity}',
    "nested without end": b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
}


@pytest.mark.parametrize("line", BAD.values(), ids=BAD.keys())
def test_a_bad_line_gets_an_error_and_the_next_one_is_read(line: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    (first, second) = cases(line + b'\n{"ok":true}\n', monkeypatch)
    assert isinstance(first[1], MalformedLineError)
    assert first[1].subject["line"] == 1
    assert second == (2, {"ok": True})


def test_an_error_does_not_repeat_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    ((_, error),) = cases(b'{"iban": NL00SECRET}\n', monkeypatch)
    assert isinstance(error, InputError)
    assert "SECRET" not in str(error)


def test_a_line_without_end_is_not_read_into_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_io, "MAX_LINE_BYTES", 20)
    found = cases(b'{"a":"' + b"x" * 500 + b'"}\n{"b":2}\n', monkeypatch)
    assert isinstance(found[0][1], MalformedLineError)
    assert "longer than 20 bytes" in found[0][1].message
    assert found[1] == (2, {"b": 2})


def test_a_too_long_last_line_without_a_newline_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_io, "MAX_LINE_BYTES", 20)
    ((number, error),) = cases(b"x" * 100, monkeypatch)
    assert (number, type(error)) == (1, MalformedLineError)


def test_a_file_is_read_and_one_that_is_not_there_is_named(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text('{"a":1}\n', encoding="utf-8")
    assert list(read_jsonl(path)) == [(1, {"a": 1})]
    with pytest.raises(UnreadableInputError, match="nothing"):
        list(read_jsonl(tmp_path / "nothing"))
    with pytest.raises(UnreadableInputError):
        list(read_jsonl(tmp_path))


@given(st.dictionaries(st.text(), st.none() | st.booleans() | st.integers() | st.text() | st.lists(st.text())))
def test_what_is_emitted_is_one_line_that_reads_back(value: dict[str, Any]) -> None:
    stream = io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdout", stream)
        emit(value)
    written = stream.getvalue()
    assert written.endswith("\n")
    assert written.count("\n") == 1
    assert json.loads(written) == value


def test_a_lone_surrogate_goes_out_as_an_escape(capsys: pytest.CaptureFixture[str]) -> None:
    emit({"a": "\ud800é"})
    assert capsys.readouterr().out == '{"a":"\\ud800\\u00e9"}\n'


def test_what_json_lacks_is_not_written(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError, match="JSON"):
        emit({"a": float("nan")})
    assert capsys.readouterr().out == ""


def test_progress_goes_to_stderr_and_answers_to_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    console().print("busy")
    out_console().print("answer")
    said = capsys.readouterr()
    assert (said.err.strip(), said.out.strip()) == ("busy", "answer")
