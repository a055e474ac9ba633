"""Ingest: idempotent, resumable, nothing lost, nothing served before store and register agree."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from sluis.core import AnyOf, ConfigurationError, CountedIds, ManualClock, Marker, Request, UndecidedError
from sluis.corpus.edge import EdgeStore
from sluis.corpus.errors import DocumentError, LeftBehindError, RegisterIncompleteError
from sluis.corpus.ingest import IngestReport, Progress, document_files, ingest_paths, read_document
from sluis.corpus.parse_text import Defaults
from sluis.corpus.store import Record
from sluis.ledger import Ledger, fingerprint_of


class HashedWords:
    """An encoder of eight numbers, by the words of a text."""

    def __init__(self, pin: str = "hashed@1") -> None:
        self.pin = pin
        self.dimension = 8
        self.encoded: list[str] = []
        self.fails = False

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        if self.fails:
            raise UndecidedError("no encoder")
        self.encoded.extend(texts)
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        digest = hashlib.sha256(text.encode()).digest()
        return [0.1 + byte / 255 for byte in digest[:8]]


@dataclass
class World:
    folder: Path
    store: EdgeStore
    ledger: Ledger
    encoder: HashedWords
    clock: ManualClock

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def ingest(self, *paths: Path, **options: object) -> IngestReport:
        return ingest_paths(
            list(paths) or [self.folder],
            store=self.store,
            register=self.ledger.register,
            embeddings=self.encoder,
            alias="live",
            clock=self.clock,
            **options,  # type: ignore[arg-type]
        )

    def stored(self, report: IngestReport) -> dict[str, str]:
        return {
            str(hit.payload["chunk_id"]): str(hit.payload["content_digest"])
            for hit in self.store.scroll(report.collection)
        }


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    clock = ManualClock(datetime(2026, 11, 30, tzinfo=UTC))
    folder = tmp_path / "corpus"
    folder.mkdir()
    store = EdgeStore(tmp_path / "store")
    with Ledger.open(tmp_path / "ledger.db", clock=clock, ids=CountedIds()) as ledger:
        yield World(folder=folder, store=store, ledger=ledger, encoder=HashedWords(), clock=clock)
    store.close()


def regulation(article: int = 1, days: int = 14, front: str = "marker: current") -> str:
    return f"---\n{front}\n---\n# Regeling\n\n## Artikel {article}. Termijn\n\nDe termijn is {days} dagen.\n"


def test_an_ingest_serves_what_it_took_in(world: World) -> None:
    world.write("a.md", regulation())
    world.write("sub/b.txt", "Een tekst.\n")
    steps: list[Progress] = []
    report = world.ingest(progress=steps.append)
    assert (report.documents, report.chunks, report.written, report.malformed) == (2, 2, 2, ())
    told = [(step.done, step.total, step.path, step.chunks) for step in steps]
    assert told == [(1, 2, "a.md", 1), (2, 2, "sub/b.txt", 1)]
    assert world.ledger.register.alias("live") == report.collection
    assert world.ledger.register.fingerprint(report.collection) == report.fingerprint
    assert fingerprint_of(world.stored(report).items()) == report.fingerprint
    assert report.notices == {"marker_unknown": 1}
    assert report.to_json()["collection"] == report.collection


def test_a_second_ingest_encodes_nothing_and_changes_nothing(world: World) -> None:
    world.write("a.md", regulation())
    first = world.ingest()
    world.encoder.encoded.clear()
    world.clock.advance(3600)
    second = world.ingest()
    assert world.encoder.encoded == []
    assert (second.unchanged, second.written, second.fingerprint) == (1, 0, first.fingerprint)


def test_a_changed_document_loses_its_old_chunks_in_store_and_register(world: World) -> None:
    world.write("a.md", regulation(days=14))
    old = world.ingest()
    before = world.stored(old)
    world.write("a.md", regulation(days=30))
    new = world.ingest()
    assert new.collection == old.collection
    assert (new.written, new.removed, new.chunks) == (1, 1, 1)
    assert world.stored(new).keys().isdisjoint(before)
    assert new.fingerprint != old.fingerprint
    request = Request.new("x", recipients=("r",), audience="client", tenant="default", ids=CountedIds())
    ((chunk_id, digest),) = before.items()
    assert world.ledger.register.current_reasons(chunk_id, digest, request=request, day=20261130) == ("unknown_chunk",)


def test_a_document_that_is_gone_is_told_and_not_deleted(world: World) -> None:
    path = world.write("a.md", regulation())
    world.write("b.md", regulation(article=2))
    world.ingest()
    path.unlink()
    report = world.ingest()
    assert (report.documents, report.chunks, report.missing) == (1, 2, ("a.md",))


def test_an_empty_folder_after_a_full_one_deletes_nothing(world: World) -> None:
    path = world.write("a.md", regulation())
    first = world.ingest()
    path.unlink()
    report = world.ingest()
    assert (report.documents, report.chunks, report.fingerprint) == (0, 1, first.fingerprint)


def test_an_empty_folder_at_first_serves_nothing(world: World) -> None:
    with pytest.raises(DocumentError) as caught:
        world.ingest()
    assert caught.value.subject["reason"] == "no_document"
    assert world.ledger.register.alias("live") is None


def test_a_malformed_document_keeps_what_was_known_and_the_others_go_on(world: World) -> None:
    world.write("a.md", regulation())
    first = world.ingest()
    world.write("a.md", regulation(front="marker:"))
    world.write("b.md", regulation(article=2))
    report = world.ingest()
    assert [(item.path, item.reason) for item in report.malformed] == [("a.md", "marker")]
    assert world.stored(first).keys() < world.stored(report).keys() or report.chunks == 2
    assert report.missing == ("a.md",)


def test_two_files_that_say_they_are_one_document(world: World) -> None:
    world.write("a.md", regulation(front="marker: current\nsource_id: zelfde"))
    world.write("b.md", regulation(article=2, front="marker: current\nsource_id: zelfde"))
    report = world.ingest()
    assert [(item.path, item.reason) for item in report.malformed] == [("b.md", "duplicate_source")]
    assert report.chunks == 1


def test_a_withdrawal_reaches_the_register(world: World) -> None:
    world.write("a.md", regulation())
    world.ingest()
    world.write("a.md", regulation(front="marker: withdrawn"))
    report = world.ingest()
    assert world.ledger.register.marker("a.md") is Marker.WITHDRAWN
    assert world.store.count(report.collection, (AnyOf(field="marker", values=("current",)),)) == 0


def test_a_withdrawn_document_does_not_become_current_by_being_read_again(world: World) -> None:
    world.write("a.md", regulation(front="marker: withdrawn"))
    world.ingest()
    world.write("a.md", regulation())
    world.ingest()
    assert world.ledger.register.marker("a.md") is Marker.WITHDRAWN


def test_another_encoder_fills_another_collection_and_the_alias_moves(world: World) -> None:
    world.write("a.md", regulation())
    old = world.ingest()
    world.encoder = HashedWords("hashed@2")
    new = world.ingest()
    assert new.collection != old.collection
    assert new.pins != old.pins
    assert world.ledger.register.alias("live") == new.collection
    assert set(world.store.collections()) == {old.collection, new.collection}


def test_an_alias_never_moves_away_from_documents(world: World) -> None:
    world.write("a.md", regulation())
    world.write("b.md", regulation(article=2))
    first = world.ingest()
    world.encoder = HashedWords("hashed@2")
    with pytest.raises(LeftBehindError) as caught:
        world.ingest(world.folder / "a.md")
    assert caught.value.subject["left"] == 1
    assert world.ledger.register.alias("live") == first.collection
    # The rest brings it home; what was written before costs nothing again.
    second = world.ingest()
    assert (second.written, second.unchanged) == (1, 1)
    assert world.ledger.register.alias("live") == second.collection != first.collection


def test_a_document_that_became_malformed_is_not_left_behind_silently(world: World) -> None:
    world.write("a.md", regulation())
    world.write("b.md", regulation(article=2))
    first = world.ingest()
    world.write("b.md", regulation(front="marker: perhaps"))
    world.encoder = HashedWords("hashed@2")
    with pytest.raises(LeftBehindError):
        world.ingest()
    assert world.ledger.register.alias("live") == first.collection
    report = world.ingest(leave_behind=True)
    assert world.ledger.register.alias("live") == report.collection
    assert [item.path for item in report.malformed] == ["b.md"]


def test_an_alias_never_moves_to_an_empty_collection(world: World) -> None:
    path = world.write("a.md", regulation())
    first = world.ingest()
    path.write_text(regulation(front="marker: perhaps"), encoding="utf-8")
    world.encoder = HashedWords("hashed@2")
    with pytest.raises(LeftBehindError):
        world.ingest()
    assert world.ledger.register.alias("live") == first.collection


def test_an_encoder_that_fails_moves_no_alias(world: World) -> None:
    world.write("a.md", regulation())
    old = world.ingest()
    world.encoder = HashedWords("hashed@2")
    world.encoder.fails = True
    with pytest.raises(UndecidedError):
        world.ingest()
    assert world.ledger.register.alias("live") == old.collection


class DiesBefore(EdgeStore):
    """A store whose process dies at a chosen write."""

    def __init__(self, folder: Path, method: str) -> None:
        super().__init__(folder)
        self.method = method

    def upsert(self, collection: str, records: Sequence[Record]) -> None:
        if self.method == "upsert":
            raise KeyboardInterrupt
        super().upsert(collection, records)

    def delete(self, collection: str, chunk_ids: Sequence[str]) -> None:
        if self.method == "delete":
            raise KeyboardInterrupt
        super().delete(collection, chunk_ids)
        if self.method == "deleted":
            raise KeyboardInterrupt


@pytest.mark.parametrize("method", ["upsert", "delete", "deleted"])
def test_a_run_that_dies_between_two_writes_is_completed_by_the_next(world: World, tmp_path: Path, method: str) -> None:
    world.write("a.md", regulation(days=14))
    world.write("b.md", regulation(article=2, front="marker: current"))
    world.ingest()
    world.write("a.md", regulation(days=30, front="marker: withdrawn"))
    world.store.close()
    dying = DiesBefore(tmp_path / "store", method)
    world.store = dying
    with pytest.raises(KeyboardInterrupt):
        world.ingest()
    dying.method = ""
    report = world.ingest()
    assert (report.chunks, report.missing) == (2, ())
    assert fingerprint_of(world.stored(report).items()) == report.fingerprint
    assert world.ledger.register.marker("a.md") is Marker.WITHDRAWN


def test_a_lost_store_is_filled_again(world: World, tmp_path: Path) -> None:
    world.write("a.md", regulation())
    world.write("b.md", regulation(article=2))
    first = world.ingest()
    world.store.close()
    world.store = EdgeStore(tmp_path / "other")
    report = world.ingest(world.folder / "a.md", world.folder / "b.md")
    assert (report.written, report.fingerprint) == (2, first.fingerprint)


def test_chunks_that_only_the_register_knew_are_forgotten(world: World, tmp_path: Path) -> None:
    world.write("a.md", regulation())
    world.write("b.md", regulation(article=2))
    world.ingest()
    world.store.close()
    world.store = EdgeStore(tmp_path / "other")
    report = world.ingest(world.folder / "a.md")
    assert report.notices["forgotten_ghosts"] == 1
    assert fingerprint_of(world.stored(report).items()) == report.fingerprint


def test_a_point_that_the_register_does_not_know_stops_the_alias(world: World) -> None:
    world.write("a.md", regulation())
    world.write("b.md", regulation(article=2))
    report = world.ingest()
    known = [chunk_id for chunk_id, _ in world.ledger.register.chunk_ids(report.collection)]
    world.ledger.register.forget_chunks(report.collection, known)
    with pytest.raises(RegisterIncompleteError):
        world.ingest(world.folder / "a.md")


def test_a_point_that_is_no_chunk_stops_the_alias(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world.write("a.md", regulation())
    world.ingest()
    monkeypatch.setattr("sluis.corpus.ingest.read_payload", lambda hit: None)
    with pytest.raises(RegisterIncompleteError):
        world.ingest()


def test_a_piece_that_no_reranker_reads_whole_is_refused(world: World) -> None:
    world.write("a.md", regulation())
    world.write("b.txt", "x" * 40_000)
    report = world.ingest()
    assert [(item.path, item.reason) for item in report.malformed] == [("b.txt", "too_long")]


def test_files_of_another_kind_and_hidden_ones_are_left_alone(world: World) -> None:
    world.write("a.md", regulation())
    world.write("b.pdf", "x")
    world.write(".hidden/c.md", regulation(article=3))
    report = world.ingest(defaults=Defaults(tenant="acme"))
    assert (report.documents, report.skipped) == (1, 1)


def test_a_path_that_is_not_there(world: World) -> None:
    with pytest.raises(DocumentError):
        document_files([world.folder / "nergens"])


def test_one_file_named_twice_is_read_once(world: World) -> None:
    path = world.write("a.md", regulation())
    assert document_files([path, world.folder]) == ((path.resolve(), "a.md"),)


@pytest.mark.parametrize(("name", "reason"), [("a.pdf", "unknown_kind"), ("a", "unknown_kind"), ("a.md", "unreadable")])
def test_what_cannot_be_read_says_why(tmp_path: Path, name: str, reason: str) -> None:
    with pytest.raises(DocumentError) as caught:
        read_document(tmp_path / name)
    assert caught.value.subject["reason"] == reason


def test_a_wrong_budget_is_no_malformed_document(world: World) -> None:
    world.write("a.md", regulation())
    with pytest.raises(ConfigurationError):
        world.ingest(budget=10, overlap=10)
