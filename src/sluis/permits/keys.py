"""Ed25519 keys: made, kept and loaded. A key's id derives from the key itself, so it cannot be claimed by another."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Self

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)
from securesystemslib.signer import CryptoSigner, SSlibKey

from .envelope import sealed
from .errors import KeyExistsError, KeyFileError

_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise KeyFileError(
            f"Cannot read the key {path}: {error.strerror}.",
            hint="Make keys with: sluis permit keygen",
            path=str(path),
        ) from error


def _public(path: Path) -> SSlibKey:

    data = _read(path)
    try:
        key = load_pem_public_key(data)
    except (ValueError, UnsupportedAlgorithm) as error:
        raise KeyFileError(f"{path} holds no public key in PEM form.", path=str(path)) from error
    if not isinstance(key, Ed25519PublicKey):
        raise KeyFileError(f"{path} holds a public key, but no Ed25519 one.", path=str(path))
    return SSlibKey.from_crypto(key)


class Signer:
    """Signs permits. Held by the process that runs the graph; the relay needs none."""

    def __init__(self, inner: CryptoSigner) -> None:
        self._inner = inner

    def __repr__(self) -> str:
        return f"Signer(key_id={self.key_id!r})"

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a private key.

        Raises:
            KeyFileError: absent, readable by others, or no unencrypted Ed25519 key in PEM form.
        """
        data = _read(path)
        if os.name == "posix" and path.stat().st_mode & _OTHERS:
            raise KeyFileError(
                f"Others than its owner may read the private key {path}.", hint=f"chmod 600 {path}", path=str(path)
            )
        try:
            key = load_pem_private_key(data, password=None)
        except (ValueError, TypeError, UnsupportedAlgorithm) as error:
            raise KeyFileError(f"{path} holds no unencrypted private key in PEM form.", path=str(path)) from error
        if not isinstance(key, Ed25519PrivateKey):
            raise KeyFileError(f"{path} holds a private key, but no Ed25519 one.", path=str(path))
        return cls(CryptoSigner(key))

    @property
    def key_id(self) -> str:
        """Of the key it signs with."""
        return str(self._inner.public_key.keyid)

    def sign(self, permit: object) -> bytes:
        """The DSSE envelope of a permit, as canonical JSON bytes.

        Raises:
            PermitMalformedError: not a permit, or one that names another key than this one.
        """
        return sealed(permit, self._inner)


class Keyring:
    """The public keys that verify permits, by key id. An empty one verifies nothing."""

    def __init__(self, keys: Mapping[str, SSlibKey]) -> None:
        self._keys = MappingProxyType(dict(keys))

    def __repr__(self) -> str:
        return f"Keyring({', '.join(sorted(self._keys))})"

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read one public key, or every ``*.pem`` of a folder.

        Raises:
            KeyFileError: the path is absent, a file in it is no public Ed25519 key, or the folder holds none.
        """
        if path.is_dir():
            files = sorted(path.glob("*.pem"))
            if not files:
                raise KeyFileError(f"The folder {path} holds no public key (*.pem).", path=str(path))
        else:
            files = [path]
        keys = [_public(file) for file in files]
        return cls({key.keyid: key for key in keys})

    @property
    def key_ids(self) -> tuple[str, ...]:
        """Sorted."""
        return tuple(sorted(self._keys))

    def get(self, key_id: str) -> SSlibKey | None:
        """The key of that id, if it is listed."""
        return self._keys.get(key_id)


def generate_key(private: Path, public_folder: Path) -> tuple[str, Path]:
    """Make a key pair.

    Args:
        private: file for the private key, mode 0600; its folder is made with mode 0700.
        public_folder: folder for the public key; the file is named after the key id.

    Returns:
        The key id and the public key's file.

    Raises:
        KeyExistsError: the private key's file stands already.
        KeyFileError: a folder or file cannot be written.
    """
    key = Ed25519PrivateKey.generate()
    key_id = str(SSlibKey.from_crypto(key.public_key()).keyid)
    public = public_folder / f"{key_id[:16]}.pem"
    try:
        _make_folder(private.parent, mode=0o700)
        _make_folder(public_folder)
        descriptor = os.open(private, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        public.write_bytes(_public_pem(key.public_key()))
    except FileExistsError as error:
        raise KeyExistsError(
            f"The key {private} stands already.",
            hint="Keys are never overwritten: name another file, or move the old one away.",
            path=str(private),
        ) from error
    except OSError as error:
        raise KeyFileError(f"Cannot write the key {private}: {error.strerror}.", path=str(private)) from error
    return key_id, public


def _make_folder(folder: Path, mode: int = 0o777) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=mode)
    except FileExistsError as error:
        raise NotADirectoryError(error.errno, "a file stands where a folder should be", str(folder)) from error


def _public_pem(key: Ed25519PublicKey) -> bytes:
    return key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
