"""The relay: re-checks every permit at release and hands over. The only part with credentials for the outside.

:class:`Relay` makes passes over the outbox; :class:`Transport` is what a way out is built on; :func:`open_relay` puts
one together; :mod:`sluis.relay.mail` builds messages.
"""

from __future__ import annotations

from .errors import (
    LeaseTooShortError,
    NotHandedOverError,
    PublishFolderError,
    RowMismatchError,
    SmtpSettingsError,
    UnsafeNameError,
    WrongTransportError,
)
from .file_transport import FileTransport
from .mail import build_message, mail_builder
from .open import open_project_relay, open_relay
from .relay import Delivery, Relay
from .smtp_transport import SmtpServer, SmtpTransport
from .transport import Ending, Guard, Handover, Transport

__all__ = [
    "Delivery",
    "Ending",
    "FileTransport",
    "Guard",
    "Handover",
    "LeaseTooShortError",
    "NotHandedOverError",
    "PublishFolderError",
    "Relay",
    "RowMismatchError",
    "SmtpServer",
    "SmtpSettingsError",
    "SmtpTransport",
    "Transport",
    "UnsafeNameError",
    "WrongTransportError",
    "build_message",
    "mail_builder",
    "open_project_relay",
    "open_relay",
]
