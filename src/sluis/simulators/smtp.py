"""A mail server on loopback that keeps what it accepts, with faults to order.

A fault is named after the moment it strikes. ``reply_<code>`` answers that command with the code, ``drop`` closes the
connection, ``silence`` answers nothing:

======================  ==============================================================================
``greeting_<code>``     instead of 220
``no_starttls``         STARTTLS is neither offered nor known
``mail_<code>``         to MAIL
``rcpt_<code>``         to RCPT
``data_<code>``         to DATA, instead of 354
``drop_at_data``        the connection goes at DATA
``drop_before_dot``     the connection goes while the message comes in, after its first line
``drop_after_dot``      the whole message was taken in and is **kept**; the connection goes without an answer
``silence_after_dot``   the same, and the connection stays open without an answer
``dot_<code>``          to the dot, instead of 250
``drop_at_quit``        250 to the dot; the connection goes at QUIT
======================  ==============================================================================
"""

from __future__ import annotations

import asyncio
import re
import ssl
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from sluis.core import MissingExtraError

from .registry_faults import UnknownFaultError

if TYPE_CHECKING:
    from aiosmtpd.smtp import SMTP

__all__ = ["SMTP_FAULTS", "ReceivedMail", "SmtpSimulator"]

SMTP_FAULTS = (
    "greeting_554",
    "greeting_421",
    "no_starttls",
    "mail_451",
    "mail_550",
    "rcpt_450",
    "rcpt_550",
    "data_451",
    "data_554",
    "drop_at_data",
    "drop_before_dot",
    "drop_after_dot",
    "silence_after_dot",
    "dot_451",
    "dot_554",
    "drop_at_quit",
)
"""The usual ones; any other code works as well."""

_FAULT = re.compile(
    r"no_starttls|drop_(?:at_data|before_dot)|(?:drop|silence)_after_dot|drop_at_quit|(?:greeting|mail|rcpt|data|dot)_[2-5][0-9]{2}"
)


@dataclass(frozen=True, kw_only=True)
class ReceivedMail:
    """One message as it came in.

    Attributes:
        sender: of the envelope.
        recipients: of the envelope.
        data: the message's bytes, dots undone.
        tls: whether it came over an upgraded connection.
        user: who had logged in; empty: nobody.
    """

    sender: str
    recipients: tuple[str, ...]
    data: bytes
    tls: bool
    user: str


class SmtpSimulator:
    """A context manager that serves while it is open.

    Args:
        port: 0 picks a free one.
        tls: a server context; with it STARTTLS is offered.
        users: name to password; with it a login over TLS is demanded.
        fault: strikes every connection from the start.

    Raises:
        MissingExtraError: aiosmtpd is not installed (extra ``smtp-simulator``).
        UnknownFaultError: there is no such fault.
    """

    host = "127.0.0.1"

    def __init__(
        self,
        *,
        port: int = 0,
        tls: ssl.SSLContext | None = None,
        users: dict[str, str] | None = None,
        fault: str | None = None,
    ) -> None:
        self._kind = _server_type()
        self._wanted_port = port
        self._tls = tls
        self._users = dict(users or {})
        self._fault: str | None = None
        self.set_fault(fault)
        self._received: list[ReceivedMail] = []
        self._commands: list[str] = []
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._ready = threading.Event()
        self._stop: asyncio.Event | None = None
        self._error: OSError | None = None
        self._open: set[Any] = set()
        self.port = port

    def set_fault(self, fault: str | None) -> None:
        """Order a fault for the commands to come; ``None``: none.

        Raises:
            UnknownFaultError: there is no such fault.
        """
        if fault is not None and _FAULT.fullmatch(fault) is None:
            raise UnknownFaultError(f"There is no fault {fault!r}.", hint=f"Faults: {', '.join(SMTP_FAULTS)}.")
        self._fault = fault

    @property
    def fault(self) -> str | None:
        """The fault in force."""
        return self._fault

    @property
    def received(self) -> tuple[ReceivedMail, ...]:
        """What was taken in, whether or not it was answered."""
        with self._lock:
            return tuple(self._received)

    @property
    def commands(self) -> tuple[str, ...]:
        """First words of the commands that came, in order, over all connections."""
        with self._lock:
            return tuple(self._commands)

    def start(self) -> None:
        """Begin to serve.

        Raises:
            OSError: the port is taken.
        """
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), name="smtp-simulator", daemon=True)
        self._thread.start()
        self._ready.wait()
        if self._error is not None:
            self._thread.join()
            raise self._error

    def stop(self) -> None:
        """Serve no more; what was received stays readable."""
        if self._loop is not None and self._stop is not None and self._thread is not None:
            self._loop.call_soon_threadsafe(self._stop.set)
            self._thread.join()
            self._thread = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        try:
            server = await self._loop.create_server(lambda: self._kind(self), self.host, self._wanted_port)
        except OSError as error:
            self._error = error
            self._ready.set()
            return
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stop.wait()
        server.close()
        for protocol in tuple(self._open):
            protocol.cut()
        await server.wait_closed()
        # One turn for the connections to say goodbye to their tasks.
        await asyncio.sleep(0.01)

    # -- called by the protocol, in the server's thread ----------------------------------------------------------------

    def _note(self, command: str) -> None:
        with self._lock:
            self._commands.append(command)

    def _keep(self, mail: ReceivedMail) -> None:
        with self._lock:
            self._received.append(mail)


def _server_type() -> type[Any]:
    """The protocol; made here, for its base comes with an extra."""
    try:
        from aiosmtpd.smtp import SMTP as _SMTP
        from aiosmtpd.smtp import AuthResult, LoginPassword
    except ModuleNotFoundError as error:
        raise MissingExtraError("smtp-simulator", purpose="The mail simulator") from error

    class Protocol(_SMTP):
        def __init__(self, simulator: SmtpSimulator) -> None:
            self._simulator = simulator
            offered = None if simulator.fault == "no_starttls" else simulator._tls
            super().__init__(
                _Handler(simulator),
                hostname="smtp.simulator.invalid",
                ident="simulator",
                tls_context=offered,
                timeout=30,
                auth_required=bool(simulator._users),
                authenticator=self._known if simulator._users else None,
                loop=asyncio.get_running_loop(),
            )

        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            self._simulator._open.add(self)
            super().connection_made(transport)

        def connection_lost(self, error: Exception | None) -> None:
            self._simulator._open.discard(self)
            super().connection_lost(error)

        def cut(self) -> None:
            """Close at once, whatever was to be said."""
            if isinstance(self.transport, asyncio.WriteTransport):
                self.transport.abort()

        def _known(self, server: SMTP, session: Any, envelope: Any, mechanism: str, data: Any) -> Any:
            if not isinstance(data, LoginPassword):
                return AuthResult(success=False, handled=False)
            name = data.login.decode("utf-8", "replace")
            known = self._simulator._users.get(name)
            good = known is not None and data.password == known.encode("utf-8")
            return AuthResult(success=good, handled=False, auth_data=name)

        async def push(self, status: Any) -> None:
            text = status if isinstance(status, str) else status.decode("utf-8", "replace")
            fault = self._simulator.fault or ""
            if text.startswith("220 ") and "simulator" in text and fault.startswith("greeting_"):
                await super().push(f"{fault.removeprefix('greeting_')} not now")
                self._writer.close()
                return
            await super().push(status)
            if text.startswith("354 ") and fault == "drop_before_dot":
                await self._reader.readline()
                self.cut()
                await asyncio.sleep(30)  # the cut connection cancels this task

        async def smtp_DATA(self, arg: str) -> None:  # noqa: N802 - aiosmtpd's name
            self._simulator._note("DATA")
            if self._simulator.fault == "drop_at_data":
                self.cut()
                return
            code = _code(self._simulator.fault, "data")
            if code is not None:
                await self.push(f"{code} no data")
                return
            await super().smtp_DATA(arg)

        async def smtp_QUIT(self, arg: str) -> None:  # noqa: N802 - aiosmtpd's name
            self._simulator._note("QUIT")
            if self._simulator.fault == "drop_at_quit":
                self.cut()
                return
            await super().smtp_QUIT(arg)

    return Protocol


def _code(fault: str | None, moment: str) -> str | None:
    """The code that a fault orders for a moment."""
    start, _, code = (fault or "").rpartition("_")
    return code if start == moment else None


class _Handler:
    """aiosmtpd's hooks, in its naming."""

    def __init__(self, simulator: SmtpSimulator) -> None:
        self._simulator = simulator

    async def handle_MAIL(self, server: Any, session: Any, envelope: Any, address: str, options: list[str]) -> str:  # noqa: N802 - aiosmtpd's name
        self._simulator._note("MAIL")
        code = _code(self._simulator.fault, "mail")
        if code is not None:
            return f"{code} sender"
        envelope.mail_from = address
        return "250 OK"

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: list[str]) -> str:  # noqa: N802 - aiosmtpd's name
        self._simulator._note("RCPT")
        code = _code(self._simulator.fault, "rcpt")
        if code is not None:
            return f"{code} recipient"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802 - aiosmtpd's name
        fault = self._simulator.fault
        code = _code(fault, "dot")
        if code is not None and not code.startswith("2"):
            return f"{code} message"
        self._simulator._keep(
            ReceivedMail(
                sender=envelope.mail_from,
                recipients=tuple(envelope.rcpt_tos),
                data=envelope.content,
                tls=session.ssl is not None,
                user=str(session.auth_data or ""),
            )
        )
        if fault == "drop_after_dot":
            server.cut()
            await asyncio.sleep(30)  # the cut connection cancels this task
        if fault == "silence_after_dot":
            await asyncio.sleep(30)
        return "250 OK" if code is None else f"{code} odd"
