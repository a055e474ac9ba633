"""Why a permit is refused. One error a numbered step of :func:`sluis.permits.verify_permit`."""

from __future__ import annotations

from sluis.core import ConfigurationError, RefusedError


class PermitMalformedError(RefusedError):
    """Step 1: not a permit: broken JSON, another payload type, a field too many, not canonical."""

    code = "refused.permit.malformed"


class PermitUnknownKeyError(RefusedError):
    """Step 2: signed with a key that is not in the keyring."""

    code = "refused.permit.unknown_key"


class PermitForgedError(RefusedError):
    """Step 3: the signature is not right over what stands in the envelope."""

    code = "refused.permit.forged"


class PermitPayloadMismatchError(RefusedError):
    """Step 4: a permit for other bytes."""

    code = "refused.permit.payload_mismatch"


class PermitKindMismatchError(RefusedError):
    """Step 5: a permit for another kind of action."""

    code = "refused.permit.kind_mismatch"


class PermitRecipientMismatchError(RefusedError):
    """Step 6: a permit for another recipient."""

    code = "refused.permit.recipient_mismatch"


class PermitRunMismatchError(RefusedError):
    """Step 7: a permit of another run."""

    code = "refused.permit.run_mismatch"


class PermitNotYetValidError(RefusedError):
    """Step 8: not yet valid."""

    code = "refused.permit.not_yet_valid"


class PermitExpiredError(RefusedError):
    """Step 9: no longer valid."""

    code = "refused.permit.expired"


class KeyFileError(ConfigurationError):
    """A key file is absent, unreadable, open to others, or no Ed25519 key."""

    code = "usage.configuration.key_file"


class KeyExistsError(ConfigurationError):
    """A key file stands already; keys are never overwritten."""

    code = "usage.configuration.key_exists"
