"""Puts a relay together from plain paths and settings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from sluis.core import ActionKind, Clock, Ids, InputError, Manifest, SourceGateway
from sluis.ledger import Ledger
from sluis.permits import Keyring

from .errors import ManifestUnreadableError
from .file_transport import FileTransport
from .relay import Relay
from .smtp_transport import SmtpServer, SmtpTransport
from .transport import Guard, Transport


def load_manifest(path: Path) -> Manifest:
    """Read the deploy manifest.

    Raises:
        ManifestUnreadableError: absent or malformed; nothing is allowed then.
    """
    try:
        return Manifest.from_json(path.read_bytes())
    except (OSError, InputError) as error:
        what = error.strerror if isinstance(error, OSError) else "it is malformed"
        raise ManifestUnreadableError(
            f"Cannot read the manifest {path}: {what}.", hint="`sluis ingest` writes one.", path=str(path)
        ) from error


def open_ledger(path: Path, *, clock: Clock, ids: Ids, public_keys: Path | None = None) -> Ledger:
    """The ledger of a project.

    Args:
        path: of its database.
        clock: the time.
        ids: fresh identifiers.
        public_keys: file or folder of keys that verify permits; ``None``: it can admit nothing.

    Raises:
        KeyFileError: there are no such keys.
        LedgerUnavailableError, LedgerBusyError, LedgerVersionError: it cannot be opened.
    """
    return Ledger.open(path, clock=clock, ids=ids, keyring=None if public_keys is None else Keyring.load(public_keys))


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
        manifest: gives the manifest in force; as in ``lambda: load_manifest(path)``.
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
