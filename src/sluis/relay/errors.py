"""What keeps an action from going out, where it is not the permit's or the ledger's own error."""

from __future__ import annotations

from sluis.core import ConfigurationError, RefusedError, UndecidedError


class RowMismatchError(RefusedError):
    """A claim that is about another row than the ledger has under that key, or a permit of another row."""

    code = "refused.row_mismatch"


class LeaseTooShortError(UndecidedError):
    """What is left of the claim's lease is shorter than a delivery may take."""

    code = "undecided.lease_too_short"


class NotHandedOverError(UndecidedError):
    """A transport is certain that nothing went out, and that trying again later may help.

    Args:
        reason: a stable code, as :class:`sluis.relay.Handover` has.
    """

    code = "undecided.not_handed_over"

    def __init__(self, reason: str) -> None:
        super().__init__("The transport could not hand over; nothing went out.", hint="It is tried again.")
        self.reason = reason


class WrongTransportError(ConfigurationError):
    """A transport stands under a kind of action that it does not serve."""

    code = "usage.configuration.wrong_transport"


class PublishFolderError(ConfigurationError):
    """The publishing folder cannot be made or used."""

    code = "usage.configuration.publish_folder"


class SmtpSettingsError(ConfigurationError):
    """The mail server's settings cannot work: no password, a login in the clear, a sender that is no mailbox."""

    code = "usage.configuration.smtp"


class UnsafeNameError(RefusedError):
    """A document's name that could lead outside the publishing folder, or be mistaken for something else."""

    code = "refused.unsafe_name"
