"""``sluis check`` and ``sluis extract``: a case a line, an answer a line, and an exit code that says how it went."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sluis.cli.main import run

Answers = tuple[int, list[dict[str, Any]]]
Verb = Callable[..., Answers]
CHUNKS = {"c1": "De termijn is 60 dagen en volgt uit artikel 7:669 BW."}


@pytest.fixture
def verb(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Verb:
    def call(name: str, *cases: Any, more: tuple[str, ...] = ()) -> Answers:
        lines = [case if isinstance(case, str) else json.dumps(case) for case in cases]
        (tmp_path / "cases.jsonl").write_text("\n".join(lines), encoding="utf-8")
        capsys.readouterr()
        code = run([name, str(tmp_path / "cases.jsonl"), *more])
        return code, [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return call


def case(answer: str, **more: Any) -> dict[str, Any]:
    return {"id": "1", "answer": answer, "chunks": CHUNKS, "locale": "nl-NL"} | more


DRAFTS: dict[str, tuple[dict[str, Any], str, list[str]]] = {
    "an honest one": (case("De termijn is zestig dagen. [c1]"), "pass", []),
    "a wrong value": (case("De termijn is 90 dagen. [c1]"), "block", ["value_not_in_cited_chunk"]),
    "a wrong article": (case("Zie artikel 7:668 BW. [c1]"), "block", ["reference_not_in_cited_chunk"]),
    "a wrong quotation": (case('Er staat "de termijn is kort". [c1]'), "block", ["quote_not_in_cited_chunk"]),
    "no marker": (case("De huurder betaalt."), "block", ["uncited_claim"]),
    "a foreign address": (case("Zie https://vreemd.example/. [c1]"), "block", ["foreign_url"]),
    "half a character": (case("De termijn is \ud800 60 dagen. [c1]"), "block", ["unreadable_text"]),
    "a limit that the source lacks": (case("Het is hooguit 60 dagen. [c1]"), "review", ["bound_added"]),
    "nothing to say": ({"answer": "UNCLEAR"}, "pass", []),
    "a chunk with what is known of it": (
        case(
            "Dit volgt uit artikel 5 Awb. [c1]",
            chunks={
                "c1": {
                    "text": "Dit geldt.",
                    "meta": {
                        "title": "Algemene wet bestuursrecht",
                        "numbering": ["Artikel 5"],
                        "marker": "current",
                        "valid_from": "2020-01-01",
                        "valid_to": 20301231,
                    },
                }
            },
            now="2026-11-30T10:00:00Z",
            question="Waaruit volgt dit?",
        ),
        "pass",
        [],
    ),
    "a numbering in one text": (
        case("Zie artikel 14.1. [c1]", chunks={"c1": {"text": "Zo.", "meta": {"numbering": "14.1"}}}),
        "pass",
        [],
    ),
}


@pytest.mark.parametrize("name", DRAFTS)
def test_a_draft_is_checked(name: str, verb: Verb) -> None:
    given, verdict, reasons = DRAFTS[name]
    code, (answer,) = verb("check", given)
    assert (answer["verdict"], [found["reason"] for found in answer["findings"]]) == (verdict, reasons)
    assert code == (0 if verdict == "pass" else 1)
    assert answer.get("id") == given.get("id")


MALFORMED: dict[str, Any] = {
    "no JSON": "{",
    "no object": "[1]",
    "no answer": {"id": "1"},
    "an answer that is no text": {"answer": 5},
    "a locale that is no text": case("x", locale=5),
    "chunks that are a list": case("x", chunks=["a"]),
    "a label that is none": case("x", chunks={"C 1": "a"}),
    "a chunk that is a number": case("x", chunks={"c1": 5}),
    "a chunk without words": case("x", chunks={"c1": ""}),
    "metadata that are a text": case("x", chunks={"c1": {"text": "a", "meta": "b"}}),
    "a moment without a zone": case("x", now="2026-11-30T10:00:00"),
    "a moment that is none": case("x", now="nu"),
    "a day that is none": case("x", chunks={"c1": {"text": "a", "meta": {"valid_from": "gisteren"}}}),
    "a title that is a number": case("x", chunks={"c1": {"text": "a", "meta": {"title": 5}}}),
    "a numbering of numbers": case("x", chunks={"c1": {"text": "a", "meta": {"numbering": [5]}}}),
    "a marker that is unknown": case("x", chunks={"c1": {"text": "a", "meta": {"marker": "fresh"}}}),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_a_case_that_cannot_be_read_is_said_so_and_the_next_is_checked(name: str, verb: Verb) -> None:
    code, answers = verb("check", MALFORMED[name], case("De termijn is 60 dagen. [c1]"))
    assert code == 2
    assert answers[0]["error"]["code"].startswith("usage.input")
    assert "verdict" not in answers[0]
    assert answers[1]["verdict"] == "pass"


def test_what_stands_in_a_text_is_extracted(verb: Verb) -> None:
    text = "Zie art. 7:669 BW, ECLI:NL:HR:2024:1 en ECLI:NL:HR:2024:1x: \u200b14 dagen."
    code, (answer,) = verb("extract", {"id": 7, "text": text, "locale": "nl-NL"})
    assert code == 0
    assert answer["id"] == 7
    assert [item["value"] for item in answer["citations"]] == ["ECLI:NL:HR:2024:1"]
    assert [(item["law"], item["book"], item["article"]) for item in answer["references"]] == [("BW", "7", "669")]
    assert [(item["kind"], item["amount"]) for item in answer["values"]] == [("duration", "14")]
    assert [item["reason"] for item in answer["malformed"]] == ["ordinal"]
    assert [item["reason"] for item in answer["invisible"]] == ["invisible"]


@pytest.mark.parametrize("wrong", ["{", {"text": 5}, {"id": 1}])
def test_a_text_that_cannot_be_read_is_said_so_and_the_next_is_extracted(wrong: Any, verb: Verb) -> None:
    code, answers = verb("extract", wrong, {"text": "14 dagen"})
    assert (code, len(answers)) == (2, 2)
    assert answers[0]["error"]["code"].startswith("usage.input")
    assert answers[1]["values"][0]["amount"] == "14"


def test_a_file_that_is_not_there_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("check", "extract"):
        assert run([name, str(tmp_path / "absent.jsonl")]) == 2
        assert "absent.jsonl" in "".join(capsys.readouterr())
