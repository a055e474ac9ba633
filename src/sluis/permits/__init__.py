"""Permits: signed leave for one action on exact bytes. Needs no ledger, no network and no graph."""

from __future__ import annotations

from .envelope import read_permit, require_action, require_time, verify_permit, verify_signature
from .errors import (
    KeyExistsError,
    KeyFileError,
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
from .keys import Keyring, Signer, generate_key
from .statement import PAYLOAD_TYPE, Permit

__all__ = [
    "PAYLOAD_TYPE",
    "KeyExistsError",
    "KeyFileError",
    "Keyring",
    "Permit",
    "PermitExpiredError",
    "PermitForgedError",
    "PermitKindMismatchError",
    "PermitMalformedError",
    "PermitNotYetValidError",
    "PermitPayloadMismatchError",
    "PermitRecipientMismatchError",
    "PermitRunMismatchError",
    "PermitUnknownKeyError",
    "Signer",
    "generate_key",
    "read_permit",
    "require_action",
    "require_time",
    "verify_permit",
    "verify_signature",
]
