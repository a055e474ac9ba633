"""``sluis completion classify``: a line a case, an answer a line."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sluis.cli.main import run

Body = Callable[..., dict[str, Any]]
Classify = Callable[..., tuple[int, list[dict[str, Any]]]]


@pytest.fixture
def classify(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Classify:
    def call(*cases: object, options: tuple[str, ...] = ()) -> tuple[int, list[dict[str, Any]]]:
        path = tmp_path / "cases.jsonl"
        lines = [case if isinstance(case, str) else json.dumps(case) for case in cases]
        path.write_text("\n".join(lines), encoding="utf-8")
        code = run(["completion", "classify", str(path), "--json", *options])
        return code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return call


def test_a_good_response(classify: Classify, openai_body: Body) -> None:
    code, (answer,) = classify({"id": "1", "provider": "openai", "response": openai_body()})
    assert code == 0
    assert answer["usage"] == {"input": 100, "output": 20, "reasoning": None, "cache_hit_ratio": None}
    assert {key: answer[key] for key in ("id", "status", "text", "retry")} == {
        "id": "1",
        "status": "ok",
        "text": "De termijn is 30 dagen. [c1]",
        "retry": "never",
    }


def test_one_that_is_not_ok_makes_it_1(classify: Classify, openai_body: Body, anthropic_body: Body) -> None:
    code, answers = classify(
        {"id": 1, "provider": "anthropic", "response": anthropic_body()},
        {"id": 2, "provider": "openai", "response": openai_body("", "length")},
        {"id": 3, "provider": "cohere", "status": 429, "headers": {"Retry-After": "3"}, "response": {}},
    )
    assert code == 1
    assert [(item["id"], item["status"], item["retry"]) for item in answers] == [
        (1, "ok", "never"),
        (2, "truncated", "larger_budget"),
        (3, "rate_limited", "after"),
    ]
    assert answers[2]["retry_after_s"] == 3.0


BAD: dict[str, object] = {
    "not JSON": "nope",
    "a list": "[]",
    "no provider": {"id": "x", "response": {}},
    "another provider": {"id": "x", "provider": "someone", "response": {}},
    "a provider of a wrong type": {"id": "x", "provider": ["openai"], "response": {}},
    "no response": {"id": "x", "provider": "openai"},
    "a response that is no object": {"id": "x", "provider": "openai", "response": "hm"},
    "a status that is no number": {"id": "x", "provider": "openai", "response": {}, "status": "429"},
    "a status that is a Boolean": {"id": "x", "provider": "openai", "response": {}, "status": True},
    "headers that are no object": {"id": "x", "provider": "openai", "response": {}, "status": 429, "headers": []},
    "a pin that is no text": {"id": "x", "provider": "openai", "response": {}, "pin": 1},
    "an empty pin": {"id": "x", "provider": "openai", "response": {}, "pin": " "},
    "aliases that are no list": {"id": "x", "provider": "openai", "response": {}, "pin": "m", "aliases": "m"},
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_line_gets_an_answer_and_the_rest_goes_on(name: str, classify: Classify, openai_body: Body) -> None:
    code, answers = classify(BAD[name], {"id": "2", "provider": "openai", "response": openai_body()})
    assert code == 2
    assert answers[0]["error"]["code"].startswith("usage.")
    assert answers[0]["line"] == 1
    assert answers[1]["status"] == "ok"


def test_pins_come_from_the_option_or_from_the_case(classify: Classify, openai_body: Body) -> None:
    case = {"id": "1", "provider": "openai", "response": openai_body()}
    assert classify(case, options=("--pin", "other"))[1][0]["status"] == "pin_mismatch"
    assert classify(case, options=("--pin", "other", "--alias", "vendor-model-2025-05-14"))[0] == 0
    assert classify(case | {"pin": "vendor-model-2025-05-14"}, options=("--pin", "other"))[0] == 0
    nameless = {"id": "1", "provider": "openai", "response": openai_body() | {"model": None}, "pin": "m"}
    assert classify(nameless)[1][0]["status"] == "pin_mismatch"
    assert classify(nameless, options=("--allow-unreported",))[0] == 0


def test_a_page_in_place_of_a_response(classify: Classify) -> None:
    code, (answer,) = classify({"id": "1", "provider": "openai", "status": 502, "response": "<html>"})
    assert (code, answer["status"], answer["retry"], answer["model"]) == (1, "unavailable", "after", None)


def test_standard_input_is_read_and_the_answer_is_lines_without_the_flag_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], openai_body: Body
) -> None:
    case = json.dumps({"id": "1", "provider": "openai", "response": openai_body()})
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(f"{case}\n".encode())))
    assert run(["completion", "classify", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["status"] == "ok"
