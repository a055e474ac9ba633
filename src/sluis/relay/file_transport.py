"""Publishes a document as a file: whole or not at all, never over anything else, inside one folder only.

The permit is published first, under ``NAME.permit.json``, then the document: so no document ever stands without its
permit. Each is written under a hidden name derived from the outbox key, flushed to disk, and linked to its name; a
link never replaces what stands there. After a crash in between, the same key finds its own half and completes it.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING

from sluis.core import ActionKind

from .errors import NotHandedOverError, PublishFolderError, UnsafeNameError
from .transport import Ending, Handover, Transport

if TYPE_CHECKING:
    from sluis.permits import Permit

    from .transport import Guard

PERMIT_SUFFIX = ".permit.json"
MAX_NAME_BYTES = 255 - len(PERMIT_SUFFIX)
"""Bytes of a name in UTF-8; with the permit's suffix it must still be a file name."""

_SEPARATORS = frozenset('/\\:*?"<>|')
_HIDDEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
_DEVICES = frozenset({"con", "prn", "aux", "nul", "conin$", "conout$", "clock$"}) | {
    f"{port}{number}" for port in ("com", "lpt") for number in "0123456789¹²³"
}
_NO_LINKS = frozenset({errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK})
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
_BINARY = getattr(os, "O_BINARY", 0)


def require_name(name: str) -> str:
    """The name, if it is one plain file name that means the same everywhere.

    Raises:
        UnsafeNameError: a separator, a drive, a leading or trailing dot or space, a control or invisible character,
            a device name, a name kept for permits, one not in composed form (NFC), an empty or too long one.
    """
    wrong = (
        not name
        or name != name.strip(" .")
        or any(char in _SEPARATORS or unicodedata.category(char) in _HIDDEN for char in name)
        or name.split(".", 1)[0].rstrip().lower() in _DEVICES
        or name.lower().endswith(PERMIT_SUFFIX)
        or unicodedata.normalize("NFC", name) != name
        or len(name.encode("utf-8")) > MAX_NAME_BYTES
    )
    if wrong:
        raise UnsafeNameError(
            "A document's name is not one plain file name.", hint="Name it as in answer.md, without a folder."
        )
    return name


class FileTransport(Transport):
    """Publishes into one folder.

    Args:
        folder: made when needed; where a link leads is settled now, once.
        guard: see :class:`Transport`.

    Raises:
        PublishFolderError: it cannot be made.
    """

    kind = ActionKind.DOCUMENT
    seconds = 20.0

    def __init__(self, folder: Path, *, guard: Guard) -> None:
        super().__init__(guard=guard)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._folder = folder.resolve(strict=True)
        except OSError as error:
            raise PublishFolderError(
                f"Cannot use the publishing folder {folder}: {error.strerror}.", path=str(folder)
            ) from error

    def _send(self, permit: Permit, envelope: bytes, payload: bytes, *, key: str) -> Handover:
        try:
            name = require_name(permit.recipient)
        except UnsafeNameError:
            return Handover(ending=Ending.FAILED, reason="unsafe_name")
        hidden = f".{hashlib.sha256(key.encode('utf-8')).hexdigest()[:32]}.part"
        document, beside = self._folder / name, self._folder / f"{name}{PERMIT_SUFFIX}"
        try:
            if self._folder.resolve(strict=True) != self._folder:
                # Somebody put a link where the folder was.
                return Handover(ending=Ending.FAILED, reason="folder_moved")
            if os.path.lexists(document) and not _holds(document, payload):
                return Handover(ending=Ending.FAILED, reason="name_taken")
            free = self._place(hidden, beside, envelope)
            if free:
                _flush_folder(self._folder)
                free = self._place(hidden, document, payload)
        except OSError as error:
            raise NotHandedOverError(_reason(error)) from error
        if not free:
            return Handover(ending=Ending.FAILED, reason="name_taken")
        # From here on the document can be read. That its name is not on disk yet leaves the row in doubt.
        _flush_folder(self._folder)
        return Handover(ending=Ending.SENT, reason="sent")

    def _place(self, hidden: str, target: Path, data: bytes) -> bool:
        """Whether ``target`` now holds exactly ``data``; false: something else stands there, untouched.

        Raises:
            OSError: ``target`` is as it was.
        """
        part = self._folder / hidden
        part.unlink(missing_ok=True)  # a half of this same row, from before a crash
        _write(part, data)
        try:
            # link(2) fails where something stands; rename(2) would replace it.
            os.link(part, target, follow_symlinks=False)
        except FileExistsError:
            return _holds(target, data)
        finally:
            with contextlib.suppress(OSError):  # a hidden leftover, which the next attempt removes
                part.unlink()
        return True


def _reason(error: OSError) -> str:
    if error.errno in _NO_LINKS:
        return "no_hard_links"
    return f"file_{errno.errorcode.get(error.errno or 0, 'error').lower()}"


def _write(path: Path, data: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_FOLLOW | _BINARY, 0o644)
    with os.fdopen(descriptor, "wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())


def _holds(path: Path, data: bytes) -> bool:
    """Whether a plain file, not a link, holds exactly these bytes."""
    if path.is_symlink() or not path.is_file():
        return False
    with os.fdopen(os.open(path, os.O_RDONLY | _NO_FOLLOW | _BINARY), "rb") as stream:
        return stream.read(len(data) + 1) == data


def _flush_folder(folder: Path) -> None:
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
