"""``sluis ingest``, ``sluis chunk``, ``sluis index``: what machines and people get, and with which exit code."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from sluis.cli.main import run

Out = pytest.CaptureFixture[str]

REGULATION = """---
source_id: reglement
title: Reglement
doc_type: regulation
marker: current
valid_from: 2024-01-01
---
# Reglement

## Artikel 4. Bezwaar

1. De termijn bedraagt 6 weken.
2. Artikel 3, eerste lid, blijft buiten toepassing.
"""


class Hashes:
    """An encoder without weights."""

    dimension = 8

    def __init__(self, pin: str = "hashes/1") -> None:
        self.pin = pin

    def embed_query(self, text: str) -> list[float]:
        return [0.1 + byte / 255 for byte in hashlib.sha256(text.encode()).digest()[:8]]

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self.embed_query(text) for text in texts]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "sluis.toml").write_text('[project]\nname = "p"\n', encoding="utf-8")
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "reglement.md").write_text(REGULATION, encoding="utf-8")
    monkeypatch.setattr("sluis.corpus.factory.open_embeddings", lambda name: Hashes())
    monkeypatch.chdir(tmp_path)
    return tmp_path


def lines(capsys: Out) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_ingest_reports_once_writes_the_manifest_and_costs_nothing_again(project: Path, capsys: Out) -> None:
    assert run(["ingest", "--json"]) == 0
    [report] = lines(capsys)
    assert (report["documents"], report["chunks"], report["written"]) == (1, 1, 1)
    manifest = json.loads((project / ".sluis" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["fingerprints"] == [report["fingerprint"]]
    assert manifest["pins"] == [report["pins"]]
    assert len(manifest["policies"]) == 1
    assert run(["ingest", str(project / "corpus"), "--json"]) == 0
    [again] = lines(capsys)
    assert (again["unchanged"], again["written"], again["fingerprint"]) == (1, 0, report["fingerprint"])


def test_ingest_says_in_words_what_was_not_taken_in_and_ends_with_1(project: Path, capsys: Out) -> None:
    (project / "corpus" / "broken.md").write_text("---\nmarker: perhaps\n---\nText.\n", encoding="utf-8")
    (project / "corpus" / "silent.txt").write_text("Een tekst zonder voorblad.\n", encoding="utf-8")
    (project / "corpus" / "picture.png").write_bytes(b"\x89PNG")
    assert run(["ingest"]) == 1
    said = capsys.readouterr()
    assert "broken.md" in said.out
    assert "never shown" in said.out
    assert "1 files of another kind" in said.out
    assert "perhaps" not in said.out + said.err


def test_a_person_may_vouch_for_documents_that_do_not_say(project: Path, capsys: Out) -> None:
    (project / "corpus" / "silent.txt").write_text("Een tekst.\n", encoding="utf-8")
    assert run(["ingest", "--marker", "current", "--audience", "client", "--json"]) == 0
    [report] = lines(capsys)
    assert report["notices"] == {}


def test_a_change_of_encoder_with_part_of_the_documents_is_refused(
    project: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "corpus" / "b.txt").write_text("Een tekst.\n", encoding="utf-8")
    assert run(["ingest", "--json"]) == 0
    [before] = lines(capsys)
    monkeypatch.setattr("sluis.corpus.factory.open_embeddings", lambda name: Hashes("hashes/2"))
    part = str(project / "corpus" / "reglement.md")
    assert run(["ingest", part, "--json"]) == 1
    [refused] = lines(capsys)
    assert refused["error"]["code"] == "refused.left_behind"
    manifest = json.loads((project / ".sluis" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["fingerprints"] == [before["fingerprint"]]
    assert run(["ingest", part, "--leave-behind", "--json"]) == 0
    [after] = lines(capsys)
    assert after["collection"] != before["collection"]
    assert run(["index", "gc", "--delete", "--json"]) == 0
    assert lines(capsys) == [{"unserved": [before["collection"]], "deleted": [before["collection"]]}]
    assert run(["index", "list", "--json"]) == 0
    assert [line["collection"] for line in lines(capsys)] == [after["collection"]]


@pytest.mark.parametrize(
    ("arguments", "code", "exit_code"),
    [
        (["ingest", "nowhere"], "usage.input.document", 2),
        (["index", "show"], "undecided.unknown_alias", 3),
        (["index", "verify"], "undecided.unknown_alias", 3),
        (["index", "gc"], "undecided", 3),
    ],
    ids=str,
)
def test_what_cannot_be_done_has_its_code(
    arguments: list[str], code: str, exit_code: int, project: Path, capsys: Out
) -> None:
    assert run([*arguments, "--json"]) == exit_code
    [answer] = lines(capsys)
    assert answer["error"]["code"] == code


def test_outside_a_project_the_verbs_say_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Out) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["ingest", "--json"]) == 2
    assert lines(capsys)[0]["error"]["code"] == "usage.configuration.no_project"


def test_index_lists_shows_and_proves(project: Path, capsys: Out) -> None:
    assert run(["ingest", "--json"]) == 0
    [report] = lines(capsys)
    assert run(["index", "list", "--json"]) == 0
    [listed] = lines(capsys)
    assert (listed["collection"], listed["aliases"], listed["on_manifest"]) == (report["collection"], ["live"], True)
    assert run(["index", "show", "--json"]) == 0
    [shown] = lines(capsys)
    assert (shown["documents"], shown["markers"]) == ({"reglement": 1}, {"current": 1})
    assert run(["index", "verify", "--json"]) == 0
    [proved] = lines(capsys)
    assert proved["ok"] is True
    assert proved["store_fingerprint"] == proved["register_fingerprint"] == report["fingerprint"]
    for verb in ("list", "show", "verify", "gc"):
        assert run(["index", verb]) == 0
    assert report["collection"] in capsys.readouterr().out


def test_index_verify_finds_a_store_that_lost_a_chunk(project: Path, capsys: Out) -> None:
    from sluis.corpus import EdgeStore

    assert run(["ingest", "--json"]) == 0
    [report] = lines(capsys)
    store = EdgeStore(project / ".sluis" / "store")
    [hit] = store.scroll(report["collection"])
    store.delete(report["collection"], [str(hit.payload["chunk_id"])])
    store.close()
    assert run(["index", "verify", "--json"]) == 1
    [proved] = lines(capsys)
    assert (proved["ok"], proved["only_in_register"]) == (False, [hit.payload["chunk_id"]])
    assert run(["index", "verify"]) == 1
    assert "differ" in capsys.readouterr().out
    # The next ingest brings it back.
    assert run(["ingest", "--json"]) == 0
    assert run(["index", "verify"]) == 0


def test_chunks_are_stretches_of_the_parsed_text(project: Path, capsys: Out) -> None:
    source = project / "corpus" / "reglement.md"
    assert run(["chunk", str(source), "--parsed", str(project / "parsed.txt")]) == 0
    found = lines(capsys)
    parsed = (project / "parsed.txt").read_bytes().decode("utf-8")
    for line in found:
        assert set(line) == {
            "id", "source", "text", "start", "end", "page", "numbering", "references", "tokens", "pins",
        }  # fmt: skip
        assert line["text"] == parsed[line["start"] : line["end"]]
        assert line["source"] == str(source)
    assert found[-1]["numbering"] == ["4"]
    assert found[-1]["references"][0] == "4"
    assert "3(1)" in found[-1]["references"]
    assert run(["chunk", str(source)]) == 0
    assert lines(capsys) == found


def test_a_file_that_cannot_be_read_gets_a_line_and_the_others_go_on(project: Path, capsys: Out) -> None:
    good = str(project / "corpus" / "reglement.md")
    assert run(["chunk", "nowhere.md", good, "--json"]) == 2
    first, *rest = lines(capsys)
    assert first["error"]["code"] == "usage.input.document"
    assert len(rest) >= 1
    assert run(["chunk", good, good, "--parsed", str(project / "parsed")]) == 0
    assert (project / "parsed" / "reglement.md.parsed.txt").is_file()
    capsys.readouterr()
    assert run(["chunk", good, "--parsed", str(project / "no" / "such" / "file"), "--json"]) == 2
    assert lines(capsys)[-1]["error"]["code"] == "usage.parsed_target"


def test_budget_and_overlap_are_checked(project: Path, capsys: Out) -> None:
    good = str(project / "corpus" / "reglement.md")
    assert run(["chunk", good, "--budget", "10", "--overlap", "10", "--json"]) == 2
    assert lines(capsys)[-1]["error"]["code"].startswith("usage")
    assert run(["chunk", good, "--budget", "12", "--overlap", "4", "--json"]) == 0
    assert len(lines(capsys)) > 1
