"""A ledger and keys, without a graph: actions permitted by hand, to test a transport or what reads the outbox."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sluis.core import ActionKind, ManualClock, RandomIds, Request, Verdict, digest_bytes, digest_of, digest_text

if TYPE_CHECKING:
    from sluis.ledger import Ledger, OutboxEntry
    from sluis.permits import Keyring, Permit, Signer

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
HOLD_S, LIFE_S = 90, 3600
"""From when, and until when, a permit of the desk is good; seconds after it was issued."""
TEXT = b"De termijn is zes weken.\n"


@dataclass
class Desk:
    """A ledger, its keys and its clock.

    Attributes:
        folder: where it lives.
        clock: moved by the test.
        ledger: real; the caller may open further ones on ``folder / "ledger.db"``.
        signer, keyring: the two halves of the key.
    """

    folder: Path
    clock: ManualClock
    ledger: Ledger
    signer: Signer
    keyring: Keyring

    def run(self, *recipients: str, kind: ActionKind = ActionKind.DOCUMENT) -> str:
        """Open a run for a new question; returns its id."""
        request = Request.new(
            "Wat is de termijn?", recipients=recipients, audience="client", tenant="acme", ids=RandomIds(), kind=kind
        )
        return self.ledger.runs.open(request).run_id

    def verdict(self, run_id: str, payload: bytes = TEXT, **changes: Any) -> str:
        """Record a verdict that lets a payload pass, with fields replaced as named; returns its digest."""
        fields: dict[str, Any] = {
            "result": "pass",
            "findings": (),
            "checks": ("values.supported@1",),
            "run_id": run_id,
            "draft": digest_text("draft"),
            "evidence": digest_text("evidence"),
            "payloads": (digest_bytes(payload),),
            "policy": digest_text("policy"),
            "at": self.clock.now(),
        }
        return self.ledger.vault.put_verdict(Verdict(**{**fields, **changes}))

    def permit(self, run_id: str, payload: bytes = TEXT, *, verdict: str | None = None, **changes: Any) -> Permit:
        """A permit as the release node would issue it, with fields replaced as named."""
        from sluis.permits import Permit

        request = self.ledger.runs.get(run_id).request
        now = self.clock.now()
        fields: dict[str, Any] = {
            "permit_id": RandomIds().fresh("permit"),
            "run_id": run_id,
            "request_id": request.request_id,
            "request": digest_of(request),
            "tenant": request.tenant,
            "audience": request.audience,
            "as_of": request.as_of,
            "kind": request.kind,
            "recipient": request.recipients[0],
            "media_type": "text/plain; charset=utf-8",
            "payload": digest_bytes(payload),
            "size": len(payload),
            "verdict": verdict if verdict is not None else self.verdict(run_id, payload),
            "draft": digest_text("draft"),
            "policy": digest_text("policy"),
            "fingerprint": digest_text("fingerprint"),
            "pins": (digest_text("pins"),),
            "citations": (),
            "chunks": (("chunk_1", digest_text("chunk")),),
            "waivers": (),
            "issued_at": now,
            "not_before": now + timedelta(seconds=HOLD_S),
            "expires_at": now + timedelta(seconds=LIFE_S),
            "key_id": self.signer.key_id,
        }
        return Permit(**{**fields, **changes})

    def entry(self, permit: Permit, payload: bytes = TEXT, **changes: Any) -> OutboxEntry:
        """The action of a permit, signed, as it asks to be admitted."""
        from sluis.ledger import OutboxEntry

        fields: dict[str, Any] = {
            "envelope": self.signer.sign(permit),
            "payload": payload,
            "run_id": permit.run_id,
            "kind": permit.kind,
            "recipient": permit.recipient,
            "media_type": permit.media_type,
        }
        return OutboxEntry(**{**fields, **changes})

    def admit(
        self, recipient: str = "answer.md", payload: bytes = TEXT, *, kind: ActionKind = ActionKind.DOCUMENT
    ) -> str:
        """A new run with one admitted action; returns its row's key."""
        run_id = self.run(recipient, kind=kind)
        return self.ledger.outbox.admit((self.entry(self.permit(run_id, payload), payload),))[0]


@contextmanager
def open_desk(folder: Path) -> Iterator[Desk]:
    """Open a desk in an empty folder."""
    from sluis.ledger import Ledger
    from sluis.permits import Keyring, Signer, generate_key

    private = folder / "keys" / "signing.pem"
    _, public = generate_key(private, folder / "keys" / "public")
    keyring, clock = Keyring.load(public.parent), ManualClock(START)
    with Ledger.open(folder / "ledger.db", clock=clock, ids=RandomIds(), keyring=keyring) as ledger:
        yield Desk(folder=folder, clock=clock, ledger=ledger, signer=Signer.load(private), keyring=keyring)
