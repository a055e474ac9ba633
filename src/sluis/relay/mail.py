"""Builds mail: one message, one recipient, plain text, and the same bytes each time for equal input.

A header can hold nothing that was not put there: what holds a line break or another control character is refused
before the message is built, and the message is read back after.
"""

from __future__ import annotations

import email
import hashlib
import re
import unicodedata
from collections.abc import Callable
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP

from sluis.core import ActionKind, RefusedError
from sluis.ledger import outbox_key

MAX_ADDRESS = 254
"""Characters of a mailbox; RFC 5321, 4.5.3.1 with erratum 1690."""
MAX_LOCAL = 64
"""Characters before the at sign; RFC 5321, 4.5.3.1.1."""
MAX_SUBJECT = 998
"""Characters; RFC 5322, 2.1.1."""

_ATOM = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+"
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_ADDRESS = re.compile(rf"(?P<local>{_ATOM}(?:\.{_ATOM})*)@(?P<domain>{_LABEL}(?:\.{_LABEL})*)")
# Controls, surrogates, line and paragraph separators; then what turns the direction of writing.
_UNSAFE_CATEGORIES = frozenset({"Cc", "Cs", "Zl", "Zp"})
_DIRECTION = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


class MailboxRefusedError(RefusedError):
    """Not one plain mailbox: controls, several addresses, a display name, quoting, letters beyond ASCII, too long."""

    code = "refused.mail.mailbox"


class SubjectRefusedError(RefusedError):
    """A subject with a line break, another control character or a change of direction, or a too long one."""

    code = "refused.mail.subject"


class BodyRefusedError(RefusedError):
    """A body that has no UTF-8 form, or holds NUL."""

    code = "refused.mail.body"


class MessageRefusedError(RefusedError):
    """Bytes that are not one plain message from this sender to this recipient alone."""

    code = "refused.mail.message"


def require_mailbox(text: str) -> str:
    """Make sure that a text is one plain mailbox such as ``name@example.org``; returns its domain.

    Raises:
        MailboxRefusedError: it is anything else. The message does not repeat it.
    """
    found = _ADDRESS.fullmatch(text) if len(text) <= MAX_ADDRESS else None
    if found is None or len(found["local"]) > MAX_LOCAL:
        raise MailboxRefusedError(
            "A mail address is not one plain mailbox.",
            hint="Give one address as name@example.org: no display name, no list, ASCII alone.",
        )
    return found["domain"]


def _require_subject(subject: str) -> None:
    unsafe = any(unicodedata.category(char) in _UNSAFE_CATEGORIES or char in _DIRECTION for char in subject)
    # An encoded word (RFC 2047) could hold in disguise what is refused in the open.
    if unsafe or "=?" in subject or len(subject) > MAX_SUBJECT:
        raise SubjectRefusedError(
            "A subject holds a line break or another character that no header may hold, or is too long.",
            hint="Give one line of plain text.",
        )


def message_id(key: str, sender: str) -> str:
    """``<sha256-of-key@sender-domain>``: one id an outbox row, so that a receiver can tell a second copy.

    Raises:
        MailboxRefusedError: the sender is not one mailbox.
    """
    return f"<{hashlib.sha256(key.encode('utf-8')).hexdigest()}@{require_mailbox(sender).lower()}>"


def build_message(*, sender: str, recipient: str, subject: str, body_text: str, key: str, date: datetime) -> bytes:
    """The message as bytes with CRLF, ASCII alone (the body in quoted-printable).

    Args:
        sender: one mailbox; also the domain of the Message-ID.
        recipient: one mailbox.
        subject: one line.
        body_text: plain text; line endings are normalised.
        key: of the outbox row, :func:`sluis.ledger.outbox_key`.
        date: aware; of the Date header.

    Raises:
        MailboxRefusedError, SubjectRefusedError, BodyRefusedError: that part could not be sent safely.
        ValueError: a naive date.
    """
    if date.tzinfo is None:
        raise ValueError("a mail needs an aware date")
    require_mailbox(recipient)
    _require_subject(subject)
    identity = message_id(key, sender)
    if "\0" in body_text:
        raise BodyRefusedError("The body of a mail holds NUL.", hint="Send text.")
    message = EmailMessage(policy=SMTP)
    message["From"] = Address(addr_spec=sender)
    message["To"] = Address(addr_spec=recipient)
    message["Subject"] = subject.strip()
    message["Date"] = date.astimezone(UTC)
    message["Message-ID"] = identity
    # RFC 3834: an answering machine must not answer this.
    message["Auto-Submitted"] = "auto-generated"
    try:
        message.set_content(body_text, subtype="plain", charset="utf-8", cte="quoted-printable")
    except UnicodeEncodeError as error:
        raise BodyRefusedError("The body of a mail has no UTF-8 form.", hint="Repair it at its source.") from error
    data = message.as_bytes()
    require_message(data, sender=sender, recipient=recipient)
    return data


def mail_builder(sender: str) -> Callable[[str], Callable[[str, str, str, datetime], bytes]]:
    """For the graph's runtime: from a run's id to what builds its messages (recipient, subject, text, date).

    Each message bears the id of the outbox row that it will have.
    """

    def of_run(run_id: str) -> Callable[[str, str, str, datetime], bytes]:
        def build(recipient: str, subject: str, body_text: str, date: datetime) -> bytes:
            key = outbox_key(run_id, ActionKind.MAIL, recipient)
            return build_message(
                sender=sender, recipient=recipient, subject=subject, body_text=body_text, key=key, date=date
            )

        return build

    return of_run


def require_message(data: bytes, *, sender: str, recipient: str) -> None:
    """Make sure that bytes are one message of plain text from ``sender`` to ``recipient`` and nobody else.

    Raises:
        MessageRefusedError: they are not; the message names what is wrong, never what stands there.
    """
    lines = data.replace(b"\r\n", b"")
    # Without a line end at the end, the dot that ends the message would be part of it.
    if not data.isascii() or not data.endswith(b"\r\n") or any(byte in lines for byte in (b"\0", b"\r", b"\n")):
        raise _refused("it is not ASCII in lines that end in CRLF")
    message = email.message_from_bytes(data, policy=SMTP)
    names = [name.lower() for name in message]
    for name in ("from", "to", "subject", "date", "message-id"):
        if names.count(name) != 1:
            raise _refused(f"it has {names.count(name)} headers {name}")
    if any(name in ("cc", "bcc", "sender", "reply-to") or name.startswith("resent-") for name in names):
        raise _refused("it names somebody else")
    if str(message["From"]) != sender or str(message["To"]) != recipient:
        raise _refused("it is from or to somebody else")
    if message.get_content_type() != "text/plain" or message.is_multipart() or message.defects:
        raise _refused("it is not one part of plain text")


def _refused(what: str) -> MessageRefusedError:
    return MessageRefusedError(f"The bytes are not a message that may go out: {what}.", hint="Build it anew.")
