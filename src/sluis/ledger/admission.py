"""What an action must show before it gets a row in the outbox. Runs inside the transaction that writes the row.

1. There is at least one action, and the ledger has public keys to verify with.
2. The permit is authentic, for these bytes, this kind, this recipient and this run, and not past its end
   (steps 1 to 7 and 9 of :func:`sluis.permits.verify_permit`; that it is not good *yet* is what the hold is for).
3. The run is known, and the permit speaks of its recorded request: id, digest, tenant, audience, kind, recipient.
4. The verdict that it names is in the vault, passed, and covers this draft, policy and payload.
5. It was not consumed before, and the run has not acted for this recipient.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import Connection, select

from sluis.core import ActionKind, Request, Verdict, digest_of

from . import schema
from .errors import (
    AlreadyActedError,
    NoKeyringError,
    NothingToReleaseError,
    PermitReplayedError,
    PermitUnfoundedError,
)
from .runs import unknown_run
from .vault import fetch, holds_verdict

if TYPE_CHECKING:
    from sluis.permits import Keyring, Permit


@dataclass(frozen=True, kw_only=True)
class OutboxEntry:
    """One action that asks to be admitted.

    Attributes:
        envelope: the permit, as signed.
        payload: the exact bytes.
        run_id, kind, recipient, media_type: what the caller believes the action to be; the permit must agree.
    """

    envelope: bytes
    payload: bytes
    run_id: str
    kind: ActionKind
    recipient: str
    media_type: str


def outbox_key(run_id: str, kind: ActionKind, recipient: str) -> str:
    """The key of the one row that a run may have for a recipient."""
    digest = digest_of({"kind": kind.value, "recipient": recipient, "run_id": run_id})
    return f"out_{digest.removeprefix('sha256:')[:40]}"


def examine(
    connection: Connection, entries: tuple[OutboxEntry, ...], keyring: Keyring | None, now: datetime
) -> tuple[tuple[OutboxEntry, Permit], ...]:
    """Steps 1 to 5; each entry with its verified permit.

    Raises:
        SluisError: a leaf of it for each step; nothing is admitted then.
    """
    from sluis.permits import require_action, require_time, verify_signature

    if not entries:
        raise NothingToReleaseError("There is no action to admit.")
    if keyring is None:
        raise NoKeyringError(
            "This ledger was opened without public keys and can admit nothing.", hint="Open it with a keyring."
        )
    examined: list[tuple[OutboxEntry, Permit]] = []
    keys: set[str] = set()
    for entry in entries:
        permit = verify_signature(entry.envelope, keyring)
        require_action(permit, payload=entry.payload, kind=entry.kind, recipient=entry.recipient, run_id=entry.run_id)
        require_time(permit, now, early=True)
        _require_request(connection, entry, permit)
        _require_verdict(connection, permit)
        _require_unused(connection, entry, permit)
        keys.add(outbox_key(entry.run_id, entry.kind, entry.recipient))
        examined.append((entry, permit))
    if len(keys) != len(entries) or len({permit.permit_id for _, permit in examined}) != len(entries):
        raise AlreadyActedError("Two actions of one release are for the same recipient.", run_id=entries[0].run_id)
    return tuple(examined)


def _unfounded(permit: Permit, what: str) -> PermitUnfoundedError:
    return PermitUnfoundedError(
        f"The permit is rightly signed, and its {what} is not what the ledger knows.",
        hint="Look for who else holds the signing key.",
        permit_id=permit.permit_id,
        run_id=permit.run_id,
    )


def _require_request(connection: Connection, entry: OutboxEntry, permit: Permit) -> None:
    row = connection.execute(select(schema.runs.c.request).where(schema.runs.c.run_id == entry.run_id)).one_or_none()
    if row is None:
        raise unknown_run(entry.run_id)
    request = Request.from_json(row.request)
    said = (permit.request_id, permit.request, permit.tenant, permit.audience, permit.as_of, permit.kind)
    known = (request.request_id, digest_of(request), request.tenant, request.audience, request.as_of, request.kind)
    if said != known or permit.recipient not in request.recipients:
        raise _unfounded(permit, "request")
    if permit.media_type != entry.media_type:
        raise _unfounded(permit, "media type")


def _require_verdict(connection: Connection, permit: Permit) -> None:
    if not holds_verdict(connection, permit.run_id, permit.verdict):
        raise _unfounded(permit, "verdict")
    verdict = Verdict.from_json(fetch(connection, permit.verdict))
    said = (permit.run_id, permit.draft, permit.policy, permit.waivers)
    known = (verdict.run_id, verdict.draft, verdict.policy, verdict.waivers)
    if verdict.result != "pass" or said != known or permit.payload not in verdict.payloads:
        raise _unfounded(permit, "verdict")


def _require_unused(connection: Connection, entry: OutboxEntry, permit: Permit) -> None:
    consumed = select(schema.permits.c.key).where(schema.permits.c.permit_id == permit.permit_id)
    if connection.execute(consumed).one_or_none() is not None:
        raise PermitReplayedError("The permit has been used.", permit_id=permit.permit_id)
    key = outbox_key(entry.run_id, entry.kind, entry.recipient)
    if connection.execute(select(schema.outbox.c.key).where(schema.outbox.c.key == key)).one_or_none() is not None:
        raise AlreadyActedError("This run has acted for this recipient; it acts once.", run_id=entry.run_id, key=key)
