"""Hands one mail to a mail server.

The line that decides is the final dot of the message: before it has been written, the server cannot have taken the
message, whatever happens; after it, only the server's answer says so. So the dot is sent by itself:

- an error before the dot: ``deferred``; a server that says 5xx to sender, recipient or message: ``failed``;
- 250 to the dot: ``sent``, whatever becomes of QUIT; 4xx: ``deferred``; 5xx: ``failed``;
- no answer to the dot, or another one: ``in_doubt``.

5xx to the greeting, to STARTTLS or to the login says something of the set-up and nothing of the message: ``deferred``.
"""

from __future__ import annotations

import asyncio
import os
import re
import ssl
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from aiosmtplib import SMTP, SMTPException, SMTPResponseException, SMTPServerDisconnected

from sluis.core import ActionKind, RefusedError

from ._blocking import blocking
from .errors import SmtpSettingsError
from .mail import MailboxRefusedError, require_mailbox, require_message
from .transport import Ending, Handover, Transport

if TYPE_CHECKING:
    from sluis.permits import Permit

    from .transport import Guard

_DOTS = re.compile(rb"(?m)^\.")
_ACCEPTED = 250
_GO_AHEAD = 354
_QUIT_SECONDS = 2.0


@dataclass(frozen=True, kw_only=True)
class SmtpServer:
    """A mail server and how to speak to it.

    Attributes:
        host: name or address; the name that its certificate must bear.
        port: its port.
        sender: envelope and From address of every message.
        starttls: whether the connection must be upgraded; there is no falling back.
        user: login name; ``None``: no login.
        password_env: the environment variable that holds the password.
    """

    host: str
    port: int
    sender: str
    starttls: bool = True
    user: str | None = None
    password_env: str | None = None


class _Session:
    """How far one attempt has come."""

    def __init__(self) -> None:
        self.step = "connect"
        self.dotted = False
        """Whether the final dot may have reached the server."""


class SmtpTransport(Transport):
    """Sends mail, one message a connection.

    Args:
        server: where to.
        guard: see :class:`Transport`.
        tls: context for STARTTLS; ``None``: the system's certificate authorities.
        environment: where the password is read, once, now.
        step_seconds: for each command; what is longer is a time-out.
        seconds: for the whole attempt.

    Raises:
        SmtpSettingsError: the sender is no mailbox, a login would go in the clear, or there is no password.
    """

    kind = ActionKind.MAIL

    def __init__(
        self,
        server: SmtpServer,
        *,
        guard: Guard,
        tls: ssl.SSLContext | None = None,
        environment: Mapping[str, str] | None = None,
        step_seconds: float = 15.0,
        seconds: float = 60.0,
    ) -> None:
        super().__init__(guard=guard)
        self.seconds = seconds
        self._server = server
        self._tls = tls
        self._step_seconds = step_seconds
        try:
            self._domain = require_mailbox(server.sender)
        except MailboxRefusedError as error:
            raise SmtpSettingsError("The sender of [smtp] is no mailbox.", hint=error.hint) from error
        self._password = _password(server, os.environ if environment is None else environment)

    def __repr__(self) -> str:
        return f"SmtpTransport(host={self._server.host!r}, port={self._server.port})"

    def _send(self, permit: Permit, envelope: bytes, payload: bytes, *, key: str) -> Handover:
        try:
            require_message(payload, sender=self._server.sender, recipient=permit.recipient)
        except RefusedError:
            return Handover(ending=Ending.FAILED, reason="not_a_message")
        return blocking(self._attempt(permit.recipient, payload))

    async def _attempt(self, recipient: str, payload: bytes) -> Handover:
        client = SMTP(
            hostname=self._server.host,
            port=self._server.port,
            local_hostname=self._domain,
            timeout=self._step_seconds,
            start_tls=False,
            tls_context=self._tls,
        )
        session = _Session()
        try:
            async with asyncio.timeout(self.seconds - _QUIT_SECONDS):
                await self._converse(client, session, recipient, payload)
            return Handover(ending=Ending.SENT, reason="sent")
        except SMTPResponseException as error:
            return _answered(session, error.code)
        except TimeoutError:
            return _broken(session, "timeout")
        except (SMTPException, OSError, ValueError):
            # ValueError: a reply or name that cannot be decoded.
            return _broken(session, "error")
        finally:
            await _leave(client)

    async def _converse(self, client: SMTP, session: _Session, recipient: str, payload: bytes) -> None:
        await client.connect()
        session.step = "ehlo"
        await client.ehlo()
        if self._server.starttls:
            session.step = "starttls"
            await client.starttls()
            await client.ehlo()
        if self._server.user is not None:
            session.step = "login"
            await client.login(self._server.user, self._password)
        session.step = "mail"
        await client.mail(self._server.sender)
        session.step = "rcpt"
        await client.rcpt(recipient)
        session.step = "data"
        await _data(client, session, payload)


def _password(server: SmtpServer, environment: Mapping[str, str]) -> str:
    if server.user is None:
        return ""
    if not server.starttls:
        raise SmtpSettingsError("A login would go in the clear.", hint="Set starttls = true in [smtp].")
    password = environment.get(server.password_env or "", "")
    if not password:
        raise SmtpSettingsError(
            f"There is no password for the mail server: {server.password_env or 'password_env'} is not set.",
            hint="Name a variable as password_env in [smtp], and set it for the relay alone.",
        )
    return password


async def _data(client: SMTP, session: _Session, payload: bytes) -> None:
    """DATA, the message, and the dot by itself.

    Raises:
        SMTPResponseException: the server said something else than yes.
        SMTPException, TimeoutError: the connection did not hold; ``session.dotted`` says when.
    """
    opened = await client.execute_command(b"DATA")
    if opened.code != _GO_AHEAD:
        raise SMTPResponseException(opened.code, "")
    protocol, wire = client.protocol, client.transport
    if protocol is None or not isinstance(wire, asyncio.WriteTransport):
        raise SMTPServerDisconnected("Connection lost")
    protocol.write(_DOTS.sub(b"..", payload))
    # A bare protocol has no drain() to wait for; the caller's time-out bounds the loop.
    while wire.get_write_buffer_size() and protocol.is_connected:  # noqa: ASYNC110
        await asyncio.sleep(0.002)
    await asyncio.sleep(0)
    if not protocol.is_connected:
        raise SMTPServerDisconnected("Connection lost")
    session.step, session.dotted = "dot", True
    answer = await client.execute_command(b".")
    if answer.code != _ACCEPTED:
        raise SMTPResponseException(answer.code, "")


def _answered(session: _Session, code: int) -> Handover:
    if 400 <= code < 500:
        return Handover(ending=Ending.DEFERRED, reason=f"smtp_{code}")
    if 500 <= code < 600:
        about_message = session.step in ("mail", "rcpt", "data", "dot")
        if about_message:
            return Handover(ending=Ending.FAILED, reason=f"smtp_{code}")
        return Handover(ending=Ending.DEFERRED, reason=f"smtp_{session.step}_refused")
    return _broken(session, "protocol")


def _broken(session: _Session, how: str) -> Handover:
    if session.dotted:
        return Handover(ending=Ending.IN_DOUBT, reason=f"smtp_no_answer_{how}")
    return Handover(ending=Ending.DEFERRED, reason=f"smtp_{session.step}_{how}")


async def _leave(client: SMTP) -> None:
    """QUIT, and away; what comes of it changes nothing."""
    if client.is_connected:
        with suppress(SMTPException, OSError, ValueError):
            await client.quit(timeout=_QUIT_SECONDS)
    client.close()
