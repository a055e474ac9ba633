from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from sluis.core import ActionKind, Citation, digest_bytes, digest_text
from sluis.permits import Keyring, Permit, Signer, generate_key

NOW = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)
PAYLOAD = b"# Antwoord\n\nDe termijn is zes weken [c1].\n"


@pytest.fixture
def now() -> datetime:
    return NOW


@pytest.fixture
def payload() -> bytes:
    return PAYLOAD


@pytest.fixture
def keys(tmp_path: Path) -> tuple[Signer, Keyring]:
    private = tmp_path / "keys" / "signing.pem"
    generate_key(private, tmp_path / "keys" / "public")
    return Signer.load(private), Keyring.load(tmp_path / "keys" / "public")


@pytest.fixture
def signer(keys: tuple[Signer, Keyring]) -> Signer:
    return keys[0]


@pytest.fixture
def keyring(keys: tuple[Signer, Keyring]) -> Keyring:
    return keys[1]


@pytest.fixture
def make_permit(signer: Signer) -> Callable[..., Permit]:
    """A permit for the payload, with fields replaced as named."""

    def make(**changes: Any) -> Permit:
        fields: dict[str, Any] = {
            "permit_id": "permit_0001",
            "run_id": "run_0001",
            "request_id": "req_0001",
            "request": digest_text("request"),
            "tenant": "default",
            "audience": "client",
            "as_of": None,
            "kind": ActionKind.DOCUMENT,
            "recipient": "antwoord.md",
            "media_type": "text/markdown; charset=utf-8",
            "payload": digest_bytes(PAYLOAD),
            "size": len(PAYLOAD),
            "verdict": digest_text("verdict"),
            "draft": digest_text("draft"),
            "policy": digest_text("policy"),
            "fingerprint": digest_text("fingerprint"),
            "pins": (digest_text("pins"),),
            "citations": (Citation(kind="ecli", value="ECLI:NL:HR:2023:9001"),),
            "chunks": (("chunk_1", digest_text("chunk")),),
            "waivers": (),
            "issued_at": NOW,
            "not_before": NOW,
            "expires_at": NOW + timedelta(hours=1),
            "key_id": signer.key_id,
        }
        return Permit(**{**fields, **changes})

    return make
