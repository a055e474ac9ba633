"""The one HTTP client of all sources: pooled, guarded, capped, on a loop of its own.

The loop runs in a background thread, so that connections survive from run to run whichever event loop, or none,
the caller has. The thread starts with the first request and ends with :meth:`SourceClient.close`.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
import weakref
from collections.abc import Coroutine
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self, TypeVar

from sluis.core import ConfigurationError, digest_bytes

from ._address import ForbiddenAddressError
from ._decode import BoundedBody
from .fault import SourceFaultError

if TYPE_CHECKING:
    import httpx

__all__ = ["MAX_BODY_BYTES", "ClientClosedError", "Fetched", "SourceClient"]

T = TypeVar("T")

MAX_BODY_BYTES = 8 * 1024 * 1024
"""The largest ruling of the register has some two million bytes."""

_CHALLENGE_MARKS = (
    b"just a moment",
    b"cf-chl",
    b"challenge-platform",
    b"captcha",
    b"are you a robot",
    b"access denied",
)
_CHALLENGE_SCAN = 16 * 1024


class ClientClosedError(ConfigurationError):
    """The client was closed and is used again."""

    code = "usage.configuration.client_closed"


@dataclass(frozen=True, kw_only=True, slots=True)
class Fetched:
    """One answer, whole.

    Attributes:
        status: HTTP status.
        media_type: of ``Content-Type``, in lower case, without parameters; empty when absent.
        mitigated: whether a gatekeeper in front of the source says that it answered instead.
        body: decompressed bytes; empty for a redirect.
    """

    status: int
    media_type: str
    mitigated: bool
    body: bytes

    @property
    def digest(self) -> str | None:
        """Of the body; ``None`` when there is none."""
        return digest_bytes(self.body) if self.body else None

    @property
    def is_challenge(self) -> bool:
        """Whether this is a page that wants to see a person first."""
        if self.mitigated:
            return True
        start = self.body[:_CHALLENGE_SCAN].lower()
        return "html" in self.media_type and any(mark in start for mark in _CHALLENGE_MARKS)


class _Loop:
    """An event loop in a daemon thread."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.pid = os.getpid()
        self.thread = threading.Thread(target=self._run, name="sluis-sources", daemon=True)
        self.thread.start()

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        try:
            self.loop.run_forever()
        finally:
            self.loop.close()

    def stop(self, client: httpx.AsyncClient) -> None:
        """Close the client, end the tasks, the loop and the thread; safe to call twice."""
        if not self.thread.is_alive() or self.pid != os.getpid():  # a fork has the object, not the thread
            return
        if threading.current_thread() is self.thread:  # collected as garbage here, of all places
            self.loop.stop()
            return
        with contextlib.suppress(TimeoutError):
            asyncio.run_coroutine_threadsafe(self._wind_up(client), self.loop).result(timeout=5)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(timeout=5)

    async def _wind_up(self, client: httpx.AsyncClient) -> None:
        tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=1)
        await client.aclose()
        await self.loop.shutdown_asyncgens()
        await self.loop.shutdown_default_executor()


class SourceClient:
    """Fetches what sources ask for.

    Args:
        private_hosts: hosts that may be on loopback or a private address; see :class:`sluis.sources.EcliSource`.
        max_bytes: most bytes of a decompressed body.
        connections: most connections at a time.
        keep_alive_s: how long an idle connection is kept for the next run.
        user_agent: who asks; a register's operator wants to know.
    """

    def __init__(
        self,
        *,
        private_hosts: frozenset[str] = frozenset(),
        max_bytes: int = MAX_BODY_BYTES,
        connections: int = 64,
        keep_alive_s: float = 5.0,
        user_agent: str = "sluis (citation check)",
    ) -> None:
        self._private_hosts = private_hosts
        self._max_bytes = max_bytes
        self._connections = connections
        self._keep_alive_s = keep_alive_s
        self._user_agent = user_agent
        self._lock = threading.Lock()
        self._loop: _Loop | None = None
        self._client: httpx.AsyncClient | None = None
        self._closed = False
        self._stop: weakref.finalize[..., SourceClient] | None = None

    def submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Run a coroutine on the client's loop, from any thread.

        Raises:
            ClientClosedError: the client was closed.
        """
        try:
            loop = self.start()
        except ClientClosedError:
            work.close()
            raise
        return asyncio.run_coroutine_threadsafe(work, loop)

    @property
    def is_open(self) -> bool:
        """Whether :meth:`start` would return at once."""
        return self._loop is not None and self._loop.pid == os.getpid()

    def start(self) -> asyncio.AbstractEventLoop:
        """Open the client, if it is not open: load the libraries and the certificates, start the thread.

        That takes longer than a gate may, so it is done before a deadline starts to run.

        Raises:
            ClientClosedError: the client was closed.
        """
        with self._lock:
            if self._closed:
                raise ClientClosedError("The source client was closed.", hint="Make a new gateway.")
            if self._loop is None or self._loop.pid != os.getpid():  # a fork takes no thread along
                loop = _Loop()
                try:
                    client = asyncio.run_coroutine_threadsafe(self._open(), loop.loop).result()
                except BaseException:
                    loop.loop.call_soon_threadsafe(loop.loop.stop)
                    raise
                self._client, self._loop = client, loop
                self._stop = weakref.finalize(self, loop.stop, client)
            return self._loop.loop

    async def _open(self) -> httpx.AsyncClient:
        import anyio
        import lxml.etree  # noqa: F401 - the first record must not wait for it

        from ._transport import open_client

        client = open_client(
            private_hosts=self._private_hosts,
            connections=self._connections,
            keep_alive_s=self._keep_alive_s,
            user_agent=self._user_agent,
        )
        await anyio.lowlevel.checkpoint()  # has anyio load what it needs for this kind of loop
        return client

    async def get(self, url: str, *, accept: str) -> Fetched:
        """Fetch one document; on the client's loop only, see :meth:`submit`.

        Raises:
            SourceFaultError: ``timeout``, ``connection``, ``forbidden_address``, ``too_large`` or ``bad_encoding``.
        """
        import httpx

        client = self._client
        if client is None:
            raise SourceFaultError("connection", "The client was closed meanwhile.")
        try:
            async with client.stream("GET", url, headers={"Accept": accept}) as response:
                return await self._read(response)
        except httpx.TimeoutException:
            raise SourceFaultError("timeout") from None
        except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, OSError) as error:
            raise SourceFaultError("connection", type(error).__name__) from None
        except ForbiddenAddressError as error:
            raise SourceFaultError("forbidden_address", error.message) from None

    async def _read(self, response: httpx.Response) -> Fetched:
        headers = response.headers
        body = b""
        if not 300 <= response.status_code < 400:
            bounded = BoundedBody(headers.get("content-encoding", ""), limit=self._max_bytes)
            async for part in response.aiter_raw():
                bounded.feed(part)
            body = bounded.finish()
        return Fetched(
            status=response.status_code,
            media_type=headers.get("content-type", "").partition(";")[0].strip().lower(),
            mitigated="cf-mitigated" in headers,
            body=body,
        )

    def close(self) -> None:
        """Close connections and thread; what is still in flight ends. Safe to call twice and from any thread."""
        with self._lock:
            self._closed = True
            stop, self._stop = self._stop, None
            self._loop = self._client = None
        if stop is not None:
            stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
