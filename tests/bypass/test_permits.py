"""Attacks with permits: forged, replayed, for something else, too late."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from sluis.core import ActionKind, OutcomeStatus, SluisError, digest_bytes
from sluis.evals.world import SECRET, World
from sluis.ledger import (
    AlreadyActedError,
    OutboxEntry,
    PermitReplayedError,
    PermitUnfoundedError,
)
from sluis.permits import (
    Permit,
    PermitExpiredError,
    PermitForgedError,
    PermitPayloadMismatchError,
    PermitRecipientMismatchError,
    PermitRunMismatchError,
    PermitUnknownKeyError,
    Signer,
    generate_key,
    read_permit,
)


def _entry(world: World, *, envelope: bytes | None = None, payload: bytes | None = None, **over: str) -> OutboxEntry:
    """The entry of the one released row, changed."""
    key = world.ledger.outbox.list()[0].key
    row = world.ledger.outbox.get(key)
    return OutboxEntry(
        envelope=world.ledger.outbox.envelope(key) if envelope is None else envelope,
        payload=world.ledger.vault.get_payload(row.payload) if payload is None else payload,
        run_id=over.get("run_id", row.run_id),
        kind=row.kind,
        recipient=over.get("recipient", row.recipient),
        media_type=row.media_type,
    )


@pytest.fixture
def released(world: World) -> World:
    assert world.agent.run(world.request()).status is OutcomeStatus.RELEASED
    return world


def test_replayed_permit(released: World) -> None:
    with pytest.raises(PermitReplayedError):
        released.ledger.outbox.admit((_entry(released),))
    assert released.rows() == 1


def test_permit_for_other_bytes(released: World) -> None:
    with pytest.raises(PermitPayloadMismatchError):
        released.ledger.outbox.admit((_entry(released, payload=SECRET.encode()),))
    assert released.rows() == 1


def test_permit_for_another_recipient(released: World) -> None:
    with pytest.raises(PermitRecipientMismatchError):
        released.ledger.outbox.admit((_entry(released, recipient="attacker.md"),))
    assert released.rows() == 1


def test_permit_of_another_run(released: World) -> None:
    other = released.ledger.runs.open(released.request("other.md"))
    with pytest.raises(PermitRunMismatchError):
        released.ledger.outbox.admit((_entry(released, run_id=other.run_id),))
    assert released.rows() == 1


def test_permit_that_has_expired(released: World) -> None:
    released.clock.advance(10_000)
    with pytest.raises(PermitExpiredError):
        released.ledger.outbox.admit((_entry(released),))
    assert released.escaped() == {}


def _signed_by_a_stranger(world: World, tmp_path: Path, change: Callable[[Permit], Permit]) -> bytes:
    generate_key(tmp_path / "stranger" / "key.pem", tmp_path / "stranger" / "public")
    stranger = Signer.load(tmp_path / "stranger" / "key.pem")
    permit = change(read_permit(_entry(world).envelope))
    return stranger.sign(permit.model_copy(update={"key_id": stranger.key_id}))


def test_permit_signed_with_another_key(released: World, tmp_path: Path) -> None:
    payload = SECRET.encode()
    forged = _signed_by_a_stranger(
        released,
        tmp_path,
        lambda permit: permit.model_copy(
            update={"payload": digest_bytes(payload), "size": len(payload), "permit_id": "permit_forged"}
        ),
    )
    with pytest.raises(PermitUnknownKeyError):
        released.ledger.outbox.admit((_entry(released, envelope=forged, payload=payload),))
    assert released.rows() == 1


def test_permit_that_names_our_key_over_a_strangers_signature(released: World, tmp_path: Path) -> None:
    forged = _signed_by_a_stranger(released, tmp_path, lambda permit: permit)
    ours, theirs = read_permit(_entry(released).envelope).key_id, read_permit(forged).key_id
    with pytest.raises((PermitForgedError, PermitUnknownKeyError)):
        released.ledger.outbox.admit((_entry(released, envelope=forged.replace(theirs.encode(), ours.encode())),))
    assert released.rows() == 1


def test_second_permit_for_the_same_action_even_rightly_signed(released: World) -> None:
    permit = read_permit(_entry(released).envelope).model_copy(update={"permit_id": "permit_second"})
    with pytest.raises(AlreadyActedError):
        released.ledger.outbox.admit((_entry(released, envelope=released.runtime.signer.sign(permit)),))
    assert released.rows() == 1


def test_rightly_signed_permit_without_a_verdict(bad: World) -> None:
    """Not even the key is enough: the ledger wants the verdict."""
    request = bad.request()
    outcome = bad.agent.run(request)
    assert outcome.status is OutcomeStatus.BLOCKED
    payload, zero = SECRET.encode(), "sha256:" + "0" * 64
    now = bad.clock.now()
    permit = Permit(
        permit_id="permit_unfounded",
        run_id=outcome.run_id,
        request_id=request.request_id,
        request=digest_bytes(request.canonical()),
        tenant=request.tenant,
        audience=request.audience,
        as_of=None,
        kind=ActionKind.DOCUMENT,
        recipient="answer.md",
        media_type="text/markdown; charset=utf-8",
        payload=digest_bytes(payload),
        size=len(payload),
        verdict=outcome.verdict or zero,
        draft=zero,
        policy=zero,
        fingerprint=zero,
        pins=(),
        citations=(),
        chunks=(),
        waivers=(),
        issued_at=now,
        not_before=now,
        expires_at=now + timedelta(hours=1),
        key_id=bad.runtime.signer.key_id,
    )
    entry = OutboxEntry(
        envelope=bad.runtime.signer.sign(permit),
        payload=payload,
        run_id=outcome.run_id,
        kind=ActionKind.DOCUMENT,
        recipient="answer.md",
        media_type=permit.media_type,
    )
    with pytest.raises(PermitUnfoundedError):
        bad.ledger.outbox.admit((entry,))
    assert bad.escaped() == {}


@pytest.mark.parametrize("garbage", [b"", b"{}", b"null", b"[" * 100_000, b"\xff\xfe", b'{"payload": 1}'])
def test_envelope_that_is_none(released: World, garbage: bytes) -> None:
    with pytest.raises(SluisError) as caught:
        released.ledger.outbox.admit((_entry(released, envelope=garbage),))
    assert caught.value.code == "refused.permit.malformed"
