"""``docs/payload.md`` says what the schema says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import yaml

from sluis.core import CONDITION_FIELDS, PAYLOAD_VERSION, Chunk, digest_text
from sluis.corpus.parse_text import FRONT_MATTER
from sluis.policies import Policy

PAGE = (Path(__file__).parents[3] / "docs" / "payload.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


def test_the_table_names_every_field_of_a_chunk_and_no_other() -> None:
    table = PAGE.split("| --- | --- | --- |", 2)[1].split("\n\n", 1)[0]
    named = [name for row in table.splitlines() for name in re.findall(r"`(\w+)`", row.split("|")[1] if row else "")]
    assert sorted(named) == sorted(Chunk.model_fields)


def test_the_example_reads_as_a_chunk_of_this_version() -> None:
    [text] = blocks("json")
    assert Chunk.from_json(text).payload_version == PAYLOAD_VERSION
    assert list(json.loads(text)) == list(Chunk.model_fields)


def test_the_conditions_table_names_every_field_that_can_be_asked() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith(("| any of", "| between"))]
    words, numbers = (set(re.findall(r"`(\w+)`", row)) for row in rows)
    assert words == {name for name, kind in CONDITION_FIELDS.items() if kind != "integer"}
    assert numbers == {name for name, kind in CONDITION_FIELDS.items() if kind == "integer"}


def test_the_policy_and_the_front_matter_on_the_page_are_read() -> None:
    policy, matter = (yaml.safe_load(text) for text in blocks("yaml"))
    assert Policy.from_json(policy).doc_types == ("ruling", "regulation")
    assert set(matter) == FRONT_MATTER


def test_the_example_is_true_of_itself() -> None:
    chunk = Chunk.from_json(blocks("json")[0])
    assert chunk.content_digest == digest_text(chunk.text)
    assert chunk.end - chunk.start == len(chunk.text)
