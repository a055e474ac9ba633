from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from sluis.permits import KeyExistsError, KeyFileError, Keyring, Signer, generate_key


def _private(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    path.chmod(0o600)
    return path


def test_a_made_key_is_its_owners_alone_and_named_after_itself(tmp_path: Path) -> None:
    private, public = tmp_path / "deep" / "signing.pem", tmp_path / "public"
    key_id, file = generate_key(private, public)
    assert stat.S_IMODE(private.stat().st_mode) == 0o600
    assert stat.S_IMODE(private.parent.stat().st_mode) == 0o700
    assert file == public / f"{key_id[:16]}.pem"
    assert Signer.load(private).key_id == key_id
    assert Keyring.load(public).key_ids == Keyring.load(file).key_ids == (key_id,)


def test_a_key_is_never_overwritten(tmp_path: Path) -> None:
    generate_key(tmp_path / "signing.pem", tmp_path / "public")
    before = (tmp_path / "signing.pem").read_bytes()
    with pytest.raises(KeyExistsError):
        generate_key(tmp_path / "signing.pem", tmp_path / "public")
    assert (tmp_path / "signing.pem").read_bytes() == before


def test_a_folder_that_cannot_be_made_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(KeyFileError):
        generate_key(tmp_path / "file" / "signing.pem", tmp_path / "public")


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o660, 0o601])
def test_a_private_key_that_others_may_touch_is_refused(tmp_path: Path, mode: int) -> None:
    generate_key(tmp_path / "signing.pem", tmp_path / "public")
    (tmp_path / "signing.pem").chmod(mode)
    with pytest.raises(KeyFileError, match="Others"):
        Signer.load(tmp_path / "signing.pem")


def test_where_there_are_no_modes_they_are_not_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    generate_key(tmp_path / "signing.pem", tmp_path / "public")
    (tmp_path / "signing.pem").chmod(0o644)
    monkeypatch.setattr("sluis.permits.keys.os.name", "nt")
    assert Signer.load(tmp_path / "signing.pem").key_id


NO_PRIVATE_KEYS: dict[str, Callable[[], bytes]] = {
    "text": lambda: b"not a key",
    "encrypted": lambda: ed25519.Ed25519PrivateKey.generate().private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"secret")
    ),
    "another algorithm": lambda: ec.generate_private_key(ec.SECP256R1()).private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()
    ),
}


@pytest.mark.parametrize("what", NO_PRIVATE_KEYS)
def test_what_is_no_plain_ed25519_key_signs_nothing(tmp_path: Path, what: str) -> None:
    with pytest.raises(KeyFileError):
        Signer.load(_private(tmp_path / "signing.pem", NO_PRIVATE_KEYS[what]()))


def test_an_absent_key_is_reported(tmp_path: Path) -> None:
    with pytest.raises(KeyFileError, match="keygen"):
        Signer.load(tmp_path / "absent.pem")


def test_a_keyring_with_one_bad_file_is_refused_whole(tmp_path: Path) -> None:
    generate_key(tmp_path / "signing.pem", tmp_path / "public")
    (tmp_path / "public" / "other.pem").write_text("not a key")
    with pytest.raises(KeyFileError):
        Keyring.load(tmp_path / "public")


def test_a_public_key_of_another_algorithm_is_refused(tmp_path: Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1()).public_key()
    (tmp_path / "key.pem").write_bytes(key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    with pytest.raises(KeyFileError, match="Ed25519"):
        Keyring.load(tmp_path / "key.pem")


def test_an_empty_folder_is_no_keyring(tmp_path: Path) -> None:
    with pytest.raises(KeyFileError):
        Keyring.load(tmp_path)


def test_a_private_key_in_the_folder_of_public_ones_is_refused(tmp_path: Path) -> None:
    generate_key(tmp_path / "signing.pem", tmp_path / "public")
    (tmp_path / "public" / "oops.pem").write_bytes((tmp_path / "signing.pem").read_bytes())
    with pytest.raises(KeyFileError):
        Keyring.load(tmp_path / "public")


def test_neither_signer_nor_keyring_shows_a_key(tmp_path: Path) -> None:
    key_id, _ = generate_key(tmp_path / "signing.pem", tmp_path / "public")
    secret = (tmp_path / "signing.pem").read_text().splitlines()[1]
    assert repr(Signer.load(tmp_path / "signing.pem")) == f"Signer(key_id={key_id!r})"
    assert repr(Keyring.load(tmp_path / "public")) == f"Keyring({key_id})"
    assert secret not in repr(Signer.load(tmp_path / "signing.pem"))
