"""Connections kept from gate to gate, one request at a time on each.

httpcore's own pool looks at every connection for every request, several times; with the burst of a gate that costs as
much as the requests themselves. Here a request takes the connection that was given back last, or opens one: constant
work, whatever the number of connections.
"""

from __future__ import annotations

import asyncio
import ssl
import time
from collections.abc import AsyncIterator, Mapping
from typing import Any

import httpcore

__all__ = ["ConnectionPool", "Lease"]

_Key = tuple[bytes, bytes, int]
"""Scheme, host and port: what a connection is for."""


class Lease:
    """A response and the connection it is read from; closing it gives the connection back."""

    def __init__(
        self, pool: ConnectionPool, key: _Key, connection: httpcore.AsyncHTTPConnection, response: Any
    ) -> None:
        self.status: int = response.status
        self.headers: list[tuple[bytes, bytes]] = response.headers
        self.extensions: Any = response.extensions
        self._stream = response.stream
        self._pool = pool
        self._key = key
        self._connection: httpcore.AsyncHTTPConnection | None = connection

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for part in self._stream:
            yield part

    async def aclose(self) -> None:
        """End the response; safe to call twice."""
        connection, self._connection = self._connection, None
        if connection is None:
            return
        try:
            await self._stream.aclose()
        finally:
            await self._pool.give_back(self._key, connection)


class ConnectionPool:
    """Connections by origin.

    Args:
        ssl_context: for https.
        backends: what makes the connections, by scheme.
        connections: most requests at a time; further ones wait.
        keep_alive_s: how long an idle connection is kept.
    """

    def __init__(
        self,
        *,
        ssl_context: ssl.SSLContext,
        backends: Mapping[bytes, httpcore.AsyncNetworkBackend],
        connections: int,
        keep_alive_s: float,
    ) -> None:
        self._ssl_context = ssl_context
        self._backends = dict(backends)
        self._keep_alive_s = keep_alive_s
        self._slots = asyncio.Semaphore(connections)
        self._idle: dict[_Key, list[httpcore.AsyncHTTPConnection]] = {}
        self._pruned = time.monotonic()
        self._closed = False

    async def request(self, request: httpcore.Request) -> Lease:
        """Send a request and read the head of its answer.

        Raises:
            httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException: as of httpcore.
        """
        if request.url.scheme not in self._backends or not request.url.host:
            raise httpcore.UnsupportedProtocol("the URL is not an http or https URL of a host")
        origin = request.url.origin
        key = (origin.scheme, origin.host, origin.port)
        await self._slots.acquire()
        connection: httpcore.AsyncHTTPConnection | None = None
        try:
            connection = await self._take(key) or httpcore.AsyncHTTPConnection(
                origin,
                ssl_context=self._ssl_context,
                keepalive_expiry=self._keep_alive_s,
                network_backend=self._backends[origin.scheme],
            )
            response = await connection.handle_async_request(request)
        except BaseException:
            if connection is None:
                self._slots.release()
            else:
                await self.give_back(key, connection)
            raise
        return Lease(self, key, connection, response)

    async def _take(self, key: _Key) -> httpcore.AsyncHTTPConnection | None:
        """The idle connection that was given back last, if one is still good."""
        await self._prune()
        idle = self._idle.setdefault(key, [])
        while idle:
            connection = idle.pop()
            if not connection.has_expired():
                return connection
            await connection.aclose()
        return None

    async def give_back(self, key: _Key, connection: httpcore.AsyncHTTPConnection) -> None:
        """Keep a connection whose response was read to its end; close any other."""
        self._slots.release()
        if connection.is_available() and not self._closed:
            self._idle.setdefault(key, []).append(connection)
        else:
            await connection.aclose()

    async def _prune(self) -> None:
        """Close what has been idle for too long; looked at no more often than something can have expired."""
        now = time.monotonic()
        if now - self._pruned < self._keep_alive_s:
            return
        self._pruned = now
        expired = []
        for idle in self._idle.values():
            dead = [connection for connection in idle if connection.has_expired()]
            # In place, for a request that is about to take from the same list.
            idle[:] = [connection for connection in idle if connection not in dead]
            expired += dead
        for connection in expired:
            await connection.aclose()

    async def aclose(self) -> None:
        """Close the idle connections; one that is in use closes when it is given back."""
        self._closed = True
        for idle in self._idle.values():
            while idle:
                await idle.pop().aclose()
