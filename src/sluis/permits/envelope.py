"""Seals and opens permits: DSSE envelopes over canonical statements. Pure; the caller gives the time."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING, Any

from securesystemslib.dsse import Envelope
from securesystemslib.exceptions import UnverifiedSignatureError, VerificationError

from sluis.core import ActionKind, MalformedValueError, NotCanonicalError, canonical_bytes, digest_bytes

from .errors import (
    PermitExpiredError,
    PermitForgedError,
    PermitKindMismatchError,
    PermitMalformedError,
    PermitNotYetValidError,
    PermitPayloadMismatchError,
    PermitRecipientMismatchError,
    PermitRunMismatchError,
    PermitUnknownKeyError,
)
from .statement import PAYLOAD_TYPE, Permit

if TYPE_CHECKING:
    from securesystemslib.signer import CryptoSigner

    from .keys import Keyring

MAX_ENVELOPE = 1 << 20
"""Bytes; more is no permit."""


def sealed(permit: object, signer: CryptoSigner) -> bytes:
    """The envelope as canonical JSON bytes.

    Raises:
        PermitMalformedError: not a permit, or one that names another key than the signer's.
    """
    if not isinstance(permit, Permit) or permit.key_id != signer.public_key.keyid:
        raise PermitMalformedError("Only a permit that names the signer's own key can be signed.")
    envelope = Envelope(permit.canonical(), PAYLOAD_TYPE, {})
    envelope.sign(signer)
    return canonical_bytes(envelope.to_dict())


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ValueError("a key stands twice")
    return result


def _opened(data: bytes) -> tuple[Envelope, Permit]:
    """Step 1."""
    malformed = PermitMalformedError("This is not a permit of this program.", hint="Give the file as it was written.")
    if len(data) > MAX_ENVELOPE:
        raise malformed
    try:
        raw = json.loads(data, object_pairs_hook=_unique)
        if set(raw) != {"payload", "payloadType", "signatures"} or len(raw["signatures"]) != 1:
            raise malformed
        if set(raw["signatures"][0]) != {"sig", "keyid"}:
            raise malformed
        # One spelling: what reads as this envelope must be these bytes, so that nothing rides along.
        if canonical_bytes(raw) != data:
            raise malformed
        envelope = Envelope.from_dict(raw)
        if envelope.payload_type != PAYLOAD_TYPE or canonical_bytes(envelope.to_dict()) != data:
            raise malformed
        permit = Permit.from_json(envelope.payload)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise malformed from error
    except (MalformedValueError, NotCanonicalError) as error:
        raise malformed from error
    if permit.canonical() != envelope.payload:
        raise malformed
    return envelope, permit


def read_permit(data: bytes) -> Permit:
    """What an envelope says, **without** verifying it; for display alone.

    Raises:
        PermitMalformedError: it is no permit.
    """
    return _opened(data)[1]


def verify_signature(data: bytes, keyring: Keyring) -> Permit:
    """Steps 1 to 3: an authentic permit, whatever it permits.

    Raises:
        PermitMalformedError, PermitUnknownKeyError, PermitForgedError: as the step says.
    """
    envelope, permit = _opened(data)
    signature = next(iter(envelope.signatures.values()))
    key = keyring.get(signature.keyid)
    if key is None or permit.key_id != signature.keyid:
        raise PermitUnknownKeyError(
            "The permit is signed with a key that is not in the keyring.",
            hint="Add the public key to the keyring if you trust it.",
            permit_id=permit.permit_id,
        )
    try:
        key.verify_signature(signature, envelope.pae())
    except (UnverifiedSignatureError, VerificationError) as error:
        raise PermitForgedError("The permit's signature is not right.", permit_id=permit.permit_id) from error
    return permit


def verify_permit(
    envelope: bytes,
    keyring: Keyring,
    *,
    payload: bytes,
    kind: ActionKind,
    recipient: str,
    now: datetime,
    run_id: str | None = None,
) -> Permit:
    """Verify a permit against the action at hand.

    1. The envelope is well formed and canonical. 2. It names a key in the keyring. 3. The signature is right.
    4. The bytes are those. 5. The kind is that. 6. The recipient is that, compared exactly. 7. The run is that,
    when one is given. 8. Not before ``not_before``. 9. Before ``expires_at``.

    What the caller must do besides: consume the permit once (the ledger does, in ``outbox.admit``).

    Args:
        envelope: the DSSE envelope's bytes.
        keyring: the public keys.
        payload: the exact bytes in hand.
        kind: of the action.
        recipient: of the action.
        now: aware; read once by the caller.
        run_id: of the run, where there is one.

    Raises:
        RefusedError: a leaf of it for each step, see :mod:`sluis.permits.errors`.
    """
    permit = verify_signature(envelope, keyring)
    require_action(permit, payload=payload, kind=kind, recipient=recipient, run_id=run_id)
    require_time(permit, now)
    return permit


def require_action(permit: Permit, *, payload: bytes, kind: ActionKind, recipient: str, run_id: str | None) -> None:
    """Steps 4 to 7 on an authentic permit.

    Raises:
        RefusedError: a leaf of it for each step.
    """
    about = permit.permit_id
    if permit.payload != digest_bytes(payload) or permit.size != len(payload):
        raise PermitPayloadMismatchError("The permit is for other bytes.", permit_id=about)
    if permit.kind is not kind:
        raise PermitKindMismatchError(f"The permit is for {permit.kind.value}, not {kind.value}.", permit_id=about)
    if permit.recipient != recipient:
        raise PermitRecipientMismatchError("The permit is for another recipient.", permit_id=about)
    if run_id is not None and permit.run_id != run_id:
        raise PermitRunMismatchError("The permit is of another run.", permit_id=about, run_id=run_id)


def require_time(permit: Permit, now: datetime, *, early: bool = False) -> None:
    """Steps 8 and 9; ``early`` skips step 8, for a row that is admitted now and held until then.

    Raises:
        PermitNotYetValidError, PermitExpiredError: as the step says.
    """
    if not early and now < permit.not_before:
        raise PermitNotYetValidError(
            f"The permit is good from {permit.not_before.isoformat()}.", permit_id=permit.permit_id
        )
    if now >= permit.expires_at:
        raise PermitExpiredError(
            f"The permit was good until {permit.expires_at.isoformat()}.",
            hint="Ask again; a permit is not prolonged.",
            permit_id=permit.permit_id,
        )
