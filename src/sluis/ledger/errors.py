"""What the ledger refuses, cannot decide, or finds broken."""

from __future__ import annotations

from sluis.core import ConfigurationError, IntegrityError, RefusedError, Retry, UndecidedError


class UnknownRunError(RefusedError):
    """The ledger knows no such run; a state that names it was not written by this agent, or not on this ledger."""

    code = "refused.unknown_run"


class RequestConflictError(RefusedError):
    """A request id that stands for another request already."""

    code = "refused.request_conflict"


class UnknownObjectError(RefusedError):
    """The vault holds no such draft, evidence, verdict or payload, or not of this run."""

    code = "refused.unknown_object"


class HandleMismatchError(RefusedError):
    """A draft handle whose run, round and digest do not belong together."""

    code = "refused.handle_mismatch"


class RoundTakenError(UndecidedError):
    """Two resumes of one run wrote different drafts for the same round."""

    code = "undecided.round_taken"


class VaultDamagedError(IntegrityError):
    """An object of the vault does not have the digest that it is kept under."""

    code = "integrity.vault_damaged"


class UnknownReviewError(RefusedError):
    """There is no such review."""

    code = "refused.unknown_review"


class AlreadyDecidedError(RefusedError):
    """The review has been decided; a decision counts once."""

    code = "refused.already_decided"


class ShownMismatchError(RefusedError):
    """The decision is about something else than what the review shows."""

    code = "refused.shown_mismatch"


class NoKeyringError(ConfigurationError):
    """The ledger was opened without public keys, so it can verify no permit and admits nothing."""

    code = "usage.configuration.no_keyring"


class NothingToReleaseError(RefusedError):
    """An empty list of actions."""

    code = "refused.nothing_to_release"


class PermitReplayedError(RefusedError):
    """The permit has been consumed."""

    code = "refused.permit.replayed"


class AlreadyActedError(RefusedError):
    """This run has acted for this recipient; it acts once."""

    code = "refused.already_acted"


class PermitUnfoundedError(RefusedError):
    """A permit, rightly signed, that does not follow from what the ledger knows of its run."""

    code = "refused.permit.unfounded"


class UnknownRowError(RefusedError):
    """The outbox has no such row."""

    code = "refused.unknown_row"


class TransitionRefusedError(RefusedError):
    """The outbox row is not in a state from which that step leads."""

    code = "refused.transition"


class ClaimLostError(RefusedError):
    """The claim is not, or no longer, the one that holds the row."""

    code = "refused.claim_lost"


class AliasConflictError(UndecidedError):
    """The alias points elsewhere than expected; somebody else moved it."""

    code = "undecided.alias_conflict"


class UnknownRegisterCollectionError(UndecidedError):
    """The register knows no such collection."""

    code = "undecided.unknown_register_collection"
    retry = Retry.AFTER_FIX


class LedgerBusyError(UndecidedError):
    """Another process held the ledger for too long."""

    code = "undecided.ledger_busy"


class LedgerUnavailableError(UndecidedError):
    """The ledger's database did not do what was asked."""

    code = "undecided.ledger_unavailable"
    retry = Retry.AFTER_FIX


class LedgerVersionError(ConfigurationError):
    """The database was written by a later version of this program."""

    code = "usage.configuration.ledger_version"
