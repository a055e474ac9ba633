"""What decides about a chunk, whatever a store returned."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluis.core import Chunk, Marker, RandomIds, Request, digest_text
from sluis.evals.desk import Desk
from sluis.evals.world import AUDIENCE, RULING, TENANT, chunk
from sluis.ledger import (
    AliasConflictError,
    Ledger,
    UnknownRegisterCollectionError,
    fingerprint_of,
    next_marker,
)

DAY = 20260302


def _request(**changes: object) -> Request:
    request = Request.new("Wat?", recipients=("a.md",), audience=AUDIENCE, tenant=TENANT, ids=RandomIds())
    return request.model_copy(update=changes)


def _serve(ledger: Ledger, *chunks: Chunk, collection: str = "world-1") -> None:
    ledger.register.upsert_chunks(collection, chunks)
    ledger.register.swap_alias("live", ledger.register.alias("live"), collection)


def _reasons(ledger: Ledger, item: Chunk, *, day: int = DAY, **changes: object) -> tuple[str, ...]:
    return ledger.register.current_reasons(item.chunk_id, item.content_digest, request=_request(**changes), day=day)


def test_a_chunk_that_serves_and_holds_has_no_reason(desk: Desk) -> None:
    _serve(desk.ledger, chunk())
    assert _reasons(desk.ledger, chunk()) == ()


# The chunk as registered, what is asked, and why not.
CASES: dict[str, tuple[dict[str, object], dict[str, object], int, tuple[str, ...]]] = {
    "not yet in force": ({"valid_from": 20260303}, {}, DAY, ("not_yet_valid",)),
    "in force from today": ({"valid_from": DAY}, {}, DAY, ()),
    "no longer in force": ({"valid_to": 20260301}, {}, DAY, ("no_longer_valid",)),
    "in force until today": ({"valid_to": DAY}, {}, DAY, ()),
    "for others": ({"audience": ("employee",)}, {}, DAY, ("audience",)),
    "for nobody": ({"audience": ()}, {}, DAY, ("audience",)),
    "of another tenant": ({"tenant": "other"}, {}, DAY, ("tenant",)),
    "asked for another audience": ({}, {"audience": "employee"}, DAY, ("audience",)),
    "asked by another tenant": ({}, {"tenant": "other"}, DAY, ("tenant",)),
    "withdrawn": ({"marker": Marker.WITHDRAWN}, {}, DAY, ("marker_withdrawn",)),
    "superseded": ({"marker": Marker.SUPERSEDED}, {}, DAY, ("marker_superseded",)),
    "not said": ({"marker": Marker.UNKNOWN}, {}, DAY, ("marker_unknown",)),
    "several reasons": (
        {"marker": Marker.WITHDRAWN, "valid_to": 20260301, "audience": ("employee",)},
        {},
        DAY,
        ("audience", "marker_withdrawn", "no_longer_valid"),
    ),
}


@pytest.mark.parametrize("what", CASES)
def test_why_a_chunk_is_not_admissible(what: str, desk: Desk) -> None:
    fields, asked, day, reasons = CASES[what]
    item = chunk().model_copy(update=fields)
    _serve(desk.ledger, item)
    assert _reasons(desk.ledger, item, day=day, **asked) == reasons


def test_a_chunk_counts_only_while_its_collection_serves(desk: Desk) -> None:
    desk.ledger.register.upsert_chunks("world-1", (chunk(),))
    assert _reasons(desk.ledger, chunk()) == ("unknown_chunk",)
    desk.ledger.register.swap_alias("live", None, "world-1")
    assert _reasons(desk.ledger, chunk()) == ()
    desk.ledger.register.upsert_chunks("world-2", (chunk("Andere tekst."),))
    desk.ledger.register.swap_alias("live", "world-1", "world-2")
    assert _reasons(desk.ledger, chunk()) == ("content_changed",)


def test_a_newer_version_that_is_in_force_supersedes_an_older_one(desk: Desk) -> None:
    old = chunk().model_copy(update={"chunk_id": "old#0", "family": "voorwaarden"})
    new = chunk().model_copy(
        update={"chunk_id": "new#0", "family": "voorwaarden", "version": "2", "valid_from": 20260101}
    )
    _serve(desk.ledger, old, new)
    assert _reasons(desk.ledger, old) == ("superseded_version",)
    assert _reasons(desk.ledger, new) == ()
    assert _reasons(desk.ledger, old, day=20251231) == ()


def test_a_newer_version_of_another_tenant_supersedes_nothing(desk: Desk) -> None:
    old = chunk().model_copy(update={"chunk_id": "old#0", "family": "voorwaarden"})
    new = old.model_copy(update={"chunk_id": "new#0", "tenant": "other", "valid_from": 20260101})
    _serve(desk.ledger, old, new)
    assert _reasons(desk.ledger, old) == ()


@pytest.mark.parametrize(("known", "told"), list(product([None, *Marker], Marker)))
def test_what_a_marker_becomes_when_a_document_is_read_again(known: Marker | None, told: Marker) -> None:
    after = next_marker(known, told)
    if known in (Marker.WITHDRAWN, Marker.SUPERSEDED):
        assert after is not Marker.CURRENT
    if told is Marker.UNKNOWN:
        assert after is (known or Marker.UNKNOWN)
    assert after in {known, told}


@given(st.lists(st.sampled_from(Marker), max_size=12))
def test_no_history_of_readings_makes_a_withdrawn_source_current(told: list[Marker]) -> None:
    known: Marker | None = Marker.WITHDRAWN
    for item in told:
        known = next_marker(known, item)
        assert known is not Marker.CURRENT


def test_a_withdrawn_source_stays_so_until_somebody_says_otherwise(desk: Desk) -> None:
    _serve(desk.ledger, chunk())
    desk.ledger.register.set_marker(RULING, Marker.WITHDRAWN, "ingetrokken")
    desk.ledger.register.upsert_chunks("world-1", (chunk(),))
    assert desk.ledger.register.marker(RULING) is Marker.WITHDRAWN
    assert desk.ledger.events.of(RULING)[-1].kind == "register.marker_kept"
    desk.ledger.register.set_marker(RULING, Marker.CURRENT, "hersteld")
    assert _reasons(desk.ledger, chunk()) == ()
    assert desk.ledger.verify().faults == ()


def test_an_alias_moves_only_from_where_the_caller_believes_it_is(desk: Desk) -> None:
    register = desk.ledger.register
    for name in ("world-1", "world-2"):
        register.upsert_chunks(name, (chunk(),))
    register.swap_alias("live", None, "world-1")
    refused: tuple[Callable[[], None], ...] = (
        lambda: register.swap_alias("live", None, "world-2"),
        lambda: register.swap_alias("live", "world-2", "world-2"),
    )
    for swap in refused:
        with pytest.raises(AliasConflictError):
            swap()
    with pytest.raises(UnknownRegisterCollectionError):
        register.swap_alias("live", "world-1", "world-9")
    assert register.alias("live") == "world-1"
    with pytest.raises(AliasConflictError):
        register.drop_collection("world-1")
    register.drop_collection("world-2")
    assert register.collections() == ("world-1",)
    assert register.describe("world-1").aliases == ("live",)


def test_a_fingerprint_follows_the_chunks_and_not_their_order(desk: Desk) -> None:
    register = desk.ledger.register
    first, second = chunk("Een.", position=0), chunk("Twee.", position=1)
    register.upsert_chunks("a", (first, second))
    register.upsert_chunks("b", (second,))
    register.upsert_chunks("b", (first,))
    assert register.fingerprint("a") == register.fingerprint("b")
    assert register.fingerprint("a") == fingerprint_of((item.chunk_id, item.content_digest) for item in (second, first))
    register.forget_chunks("b", (second.chunk_id,))
    assert register.fingerprint("b") == fingerprint_of([(first.chunk_id, digest_text("Een."))])
    assert register.chunk_ids("b") == ((first.chunk_id, digest_text("Een.")),)
    with pytest.raises(UnknownRegisterCollectionError):
        register.fingerprint("c")
    with pytest.raises(UnknownRegisterCollectionError):
        register.describe("c")


def test_a_thousand_chunks_are_replaced_and_forgotten_in_one_go(desk: Desk) -> None:
    register = desk.ledger.register
    many = tuple(chunk(f"Zin {number}.", position=number) for number in range(1000))
    register.upsert_chunks("a", many)
    register.upsert_chunks("a", many)
    assert register.describe("a").chunks == 1000
    register.forget_chunks("a", [item.chunk_id for item in many[1:]])
    assert register.describe("a").chunks == 1
    register.upsert_chunks("empty", ())
    assert register.describe("empty").chunks == 0
