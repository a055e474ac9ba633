from __future__ import annotations

import base64
import json
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sluis.core import ActionKind, canonical_bytes, digest_bytes
from sluis.permits import (
    Keyring,
    Permit,
    PermitExpiredError,
    PermitForgedError,
    PermitKindMismatchError,
    PermitMalformedError,
    PermitNotYetValidError,
    PermitPayloadMismatchError,
    PermitRecipientMismatchError,
    PermitRunMismatchError,
    PermitUnknownKeyError,
    Signer,
    generate_key,
    read_permit,
    require_time,
    verify_permit,
)
from sluis.permits.envelope import MAX_ENVELOPE

Make = Callable[..., Permit]


def check(envelope: bytes, keyring: Keyring, now: datetime, payload: bytes, **changes: Any) -> Permit:
    action: dict[str, Any] = {"kind": ActionKind.DOCUMENT, "recipient": "antwoord.md", "run_id": "run_0001"}
    return verify_permit(envelope, keyring, payload=payload, now=now, **{**action, **changes})


def test_a_permit_holds_for_its_own_action(
    signer: Signer, keyring: Keyring, make_permit: Make, now: datetime, payload: bytes
) -> None:
    permit = make_permit()
    assert check(signer.sign(permit), keyring, now, payload) == permit
    assert check(signer.sign(permit), keyring, now, payload, run_id=None) == permit
    assert read_permit(signer.sign(permit)) == permit


def test_equal_permits_give_equal_envelopes(signer: Signer, make_permit: Make) -> None:
    assert signer.sign(make_permit()) == signer.sign(make_permit())


def test_permit_for_other_bytes_is_refused(
    signer: Signer, keyring: Keyring, make_permit: Make, now: datetime, payload: bytes
) -> None:
    with pytest.raises(PermitPayloadMismatchError):
        check(signer.sign(make_permit()), keyring, now, payload + b" ")


def test_permit_that_lies_about_the_size_is_refused(
    signer: Signer, keyring: Keyring, make_permit: Make, now: datetime, payload: bytes
) -> None:
    with pytest.raises(PermitPayloadMismatchError):
        check(signer.sign(make_permit(size=len(payload) + 1)), keyring, now, payload)


def test_permit_for_another_kind_is_refused(
    signer: Signer, keyring: Keyring, make_permit: Make, now: datetime, payload: bytes
) -> None:
    with pytest.raises(PermitKindMismatchError):
        check(signer.sign(make_permit()), keyring, now, payload, kind=ActionKind.MAIL)


@pytest.mark.parametrize("recipient", ["antwoord.MD", "antwoord.md ", "./antwoord.md", "", "ander.md"])
def test_permit_for_another_recipient_is_refused(
    signer: Signer, keyring: Keyring, make_permit: Make, now: datetime, payload: bytes, recipient: str
) -> None:
    with pytest.raises(PermitRecipientMismatchError):
        check(signer.sign(make_permit()), keyring, now, payload, recipient=recipient)


def test_permit_of_another_run_is_refused(
    signer: Signer, keyring: Keyring, make_permit: Make, now: datetime, payload: bytes
) -> None:
    with pytest.raises(PermitRunMismatchError):
        check(signer.sign(make_permit()), keyring, now, payload, run_id="run_0002")


def test_permit_is_refused_at_the_moment_it_ends_and_good_just_before(
    signer: Signer, keyring: Keyring, make_permit: Make, now: datetime, payload: bytes
) -> None:
    permit = make_permit()
    check(signer.sign(permit), keyring, permit.expires_at - timedelta(microseconds=1), payload)
    with pytest.raises(PermitExpiredError):
        check(signer.sign(permit), keyring, permit.expires_at, payload)


def test_permit_is_refused_before_its_time_unless_it_is_only_admitted(
    signer: Signer, keyring: Keyring, make_permit: Make, now: datetime, payload: bytes
) -> None:
    permit = make_permit(not_before=now + timedelta(seconds=1))
    with pytest.raises(PermitNotYetValidError):
        check(signer.sign(permit), keyring, now, payload)
    require_time(permit, now, early=True)


def test_permit_signed_with_an_unlisted_key_is_refused(
    signer: Signer, make_permit: Make, now: datetime, payload: bytes, tmp_path: Path
) -> None:
    generate_key(tmp_path / "other.pem", tmp_path / "others")
    with pytest.raises(PermitUnknownKeyError):
        check(signer.sign(make_permit()), Keyring.load(tmp_path / "others"), now, payload)
    with pytest.raises(PermitUnknownKeyError):
        check(signer.sign(make_permit()), Keyring({}), now, payload)


def test_permit_whose_signature_names_another_listed_key_is_refused(
    signer: Signer, make_permit: Make, now: datetime, payload: bytes, tmp_path: Path, keyring: Keyring
) -> None:
    generate_key(tmp_path / "second.pem", tmp_path / "keys" / "public")
    second = Signer.load(tmp_path / "second.pem")
    both = Keyring.load(tmp_path / "keys" / "public")
    assert len(both.key_ids) == 2
    forged = json.loads(signer.sign(make_permit()))
    forged["signatures"][0]["keyid"] = second.key_id
    with pytest.raises(PermitUnknownKeyError):
        check(canonical_bytes(forged), both, now, payload)


def test_rotation_keeps_what_the_old_key_signed_until_it_is_taken_out(
    signer: Signer, make_permit: Make, now: datetime, payload: bytes, tmp_path: Path
) -> None:
    public = tmp_path / "keys" / "public"
    generate_key(tmp_path / "new.pem", public)
    envelope = signer.sign(make_permit())
    check(envelope, Keyring.load(public), now, payload)
    new = Signer.load(tmp_path / "new.pem")
    check(new.sign(make_permit(key_id=new.key_id)), Keyring.load(public), now, payload)
    (public / f"{signer.key_id[:16]}.pem").unlink()
    with pytest.raises(PermitUnknownKeyError):
        check(envelope, Keyring.load(public), now, payload)


def _flip(envelope: bytes, **changes: Any) -> bytes:
    """The envelope with other facts inside, and the old signature."""
    raw = json.loads(envelope)
    statement = {**json.loads(base64.b64decode(raw["payload"])), **changes}
    raw["payload"] = base64.b64encode(canonical_bytes(statement)).decode()
    return canonical_bytes(raw)


@pytest.mark.parametrize(
    "changes",
    [
        {"recipient": "ander.md"},
        {"run_id": "run_0002"},
        {"expires_at": "2030-01-01T00:00:00Z"},
        {"payload": "sha256:" + "0" * 64},
        {"citations": []},
        {"chunks": []},
    ],
)
def test_permit_with_a_changed_statement_is_forged(
    signer: Signer, keyring: Keyring, make_permit: Make, now: datetime, payload: bytes, changes: dict[str, Any]
) -> None:
    with pytest.raises(PermitForgedError):
        check(_flip(signer.sign(make_permit()), **changes), keyring, now, payload)


def test_permit_with_the_signature_of_another_permit_is_forged(
    signer: Signer, keyring: Keyring, make_permit: Make, now: datetime, payload: bytes
) -> None:
    mine = json.loads(signer.sign(make_permit()))
    other = json.loads(signer.sign(make_permit(permit_id="permit_0002")))
    mine["signatures"] = other["signatures"]
    with pytest.raises(PermitForgedError):
        check(canonical_bytes(mine), keyring, now, payload)


def _raw(envelope: bytes, change: Callable[[dict[str, Any]], None]) -> bytes:
    raw = json.loads(envelope)
    change(raw)
    return canonical_bytes(raw)


def _statement(envelope: bytes, text: bytes) -> bytes:
    return _raw(envelope, lambda raw: raw.update(payload=base64.b64encode(text).decode()))


def _same_key_twice(envelope: bytes) -> bytes:
    return envelope.replace(b'{"payload":', b'{"payload":"","payload":', 1)


def _drop(raw: dict[str, Any], key: str) -> None:
    del raw[key]


MALFORMED: dict[str, Callable[[bytes], bytes]] = {
    "nothing": lambda _: b"",
    "no JSON": lambda _: b"{",
    "a list": lambda _: b"[]",
    "a number": lambda _: b"7",
    "not UTF-8": lambda _: b"\xff\xfe",
    "very deep": lambda _: b"[" * 100_000,
    "too long": lambda envelope: envelope + b" " * MAX_ENVELOPE,
    "space after it": lambda envelope: envelope + b"\n",
    "space within it": lambda envelope: envelope.replace(b",", b", ", 1),
    "a key twice": _same_key_twice,
    "a field too many": lambda envelope: _raw(envelope, lambda raw: raw.update(extra=1)),
    "no payload": lambda envelope: _raw(envelope, lambda raw: _drop(raw, "payload")),
    "no signature": lambda envelope: _raw(envelope, lambda raw: raw.update(signatures=[])),
    "two signatures": lambda envelope: _raw(envelope, lambda raw: raw["signatures"].append(raw["signatures"][0])),
    "signatures that are none": lambda envelope: _raw(envelope, lambda raw: raw.update(signatures=["x"])),
    "a signature with a field too many": lambda envelope: _raw(
        envelope, lambda raw: raw["signatures"][0].update(extra="x")
    ),
    "another payload type": lambda envelope: _raw(envelope, lambda raw: raw.update(payloadType="text/plain")),
    "a payload that is no base64": lambda envelope: _raw(envelope, lambda raw: raw.update(payload="%")),
    "a payload in another base64": lambda envelope: _raw(
        envelope, lambda raw: raw.update(payload="\n" + raw["payload"])
    ),
    "a statement that is no permit": lambda envelope: _statement(envelope, b"{}"),
    "a statement that is no JSON": lambda envelope: _statement(envelope, b"\x00"),
    "a statement of another version": lambda envelope: _flip(envelope, version=2),
    "a statement with a field too many": lambda envelope: _flip(envelope, extra=1),
    "a statement that is not canonical": lambda envelope: _statement(
        envelope, base64.b64decode(json.loads(envelope)["payload"]) + b" "
    ),
}


@pytest.mark.parametrize("how", MALFORMED)
def test_what_is_not_exactly_a_permit_is_refused(
    signer: Signer, keyring: Keyring, make_permit: Make, now: datetime, payload: bytes, how: str
) -> None:
    broken = MALFORMED[how](signer.sign(make_permit()))
    with pytest.raises(PermitMalformedError):
        check(broken, keyring, now, payload)
    with pytest.raises(PermitMalformedError):
        read_permit(broken)


def test_only_a_permit_that_names_the_signers_key_is_signed(signer: Signer, make_permit: Make) -> None:
    with pytest.raises(PermitMalformedError):
        signer.sign(make_permit(key_id="0" * 64))
    with pytest.raises(PermitMalformedError):
        signer.sign({"permit_id": "permit_0001"})


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_no_single_changed_byte_survives(data: st.DataObject) -> None:
    envelope, keyring, payload, now = _sealed()
    place = data.draw(st.integers(0, len(envelope) - 1))
    value = data.draw(st.integers(0, 255).filter(lambda byte: byte != envelope[place]))
    changed = envelope[:place] + bytes([value]) + envelope[place + 1 :]
    with pytest.raises((PermitMalformedError, PermitUnknownKeyError, PermitForgedError)):
        check(changed, keyring, now, payload)


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=300))
def test_no_noise_is_a_permit(noise: bytes) -> None:
    with pytest.raises(PermitMalformedError):
        read_permit(noise)


_CACHE: list[tuple[bytes, Keyring, bytes, datetime]] = []


@pytest.fixture(autouse=True)
def _fill(signer: Signer, keyring: Keyring, make_permit: Make, payload: bytes, now: datetime) -> None:
    """For the property test, which cannot take fixtures of a function's scope."""
    _CACHE[:] = [(signer.sign(make_permit()), keyring, payload, now)]


def _sealed() -> tuple[bytes, Keyring, bytes, datetime]:
    return _CACHE[0]


def test_the_digest_in_a_permit_is_that_of_the_bytes(make_permit: Make, payload: bytes) -> None:
    assert make_permit().payload == digest_bytes(payload)
