"""Puts a relay together from plain paths and settings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from sluis.config import ProjectConfig
from sluis.core import ActionKind, Clock, Manifest, SourceGateway
from sluis.ledger import Ledger
from sluis.permits import Keyring

from .file_transport import FileTransport
from .relay import Relay
from .smtp_transport import SmtpServer, SmtpTransport
from .transport import Guard, Transport


def open_relay(
    ledger: Ledger,
    *,
    public_keys: Path,
    sources: SourceGateway,
    manifest: Callable[[], Manifest],
    clock: Clock,
    out: Path,
    smtp: SmtpServer | None = None,
) -> Relay:
    """A relay with its own keyring and the transports that are configured.

    Args:
        ledger: whose outbox it serves.
        public_keys: file or folder of keys that verify permits.
        sources: the live sources.
        manifest: gives the manifest in force, each time it is asked.
        clock: the time.
        out: the publishing folder.
        smtp: the mail server; ``None``: mail is deferred.

    Raises:
        KeyFileError, PublishFolderError, SmtpSettingsError: that part cannot be used.
    """
    keyring = Keyring.load(public_keys)
    guard = Guard(ledger=ledger, keyring=keyring, clock=clock)
    transports: dict[ActionKind, Transport] = {ActionKind.DOCUMENT: FileTransport(out, guard=guard)}
    if smtp is not None:
        transports[ActionKind.MAIL] = SmtpTransport(smtp, guard=guard)
    return Relay(ledger, keyring, transports, sources, manifest, clock)


def open_project_relay(
    config: ProjectConfig,
    *,
    ledger: Ledger,
    sources: SourceGateway,
    manifest: Callable[[], Manifest],
    clock: Clock,
) -> Relay:
    """The relay of a project's settings. Needs its public keys alone: no signing key, store, model or graph.

    Args:
        config: of the project.
        ledger: whose outbox it serves.
        sources: the live sources.
        manifest: gives the manifest in force, each time it is asked.
        clock: the time.

    Raises:
        KeyFileError, PublishFolderError, SmtpSettingsError: that part cannot be used.
    """
    return open_relay(
        ledger,
        public_keys=config.public_keys_path,
        sources=sources,
        manifest=manifest,
        clock=clock,
        out=config.out_path,
        smtp=None if config.smtp is None else SmtpServer(**config.smtp.model_dump()),
    )
