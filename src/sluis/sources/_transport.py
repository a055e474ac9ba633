"""httpx's transport over a guarded connection: every address is judged before the first byte is sent."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import contextmanager
from http.cookiejar import CookieJar, DefaultCookiePolicy
from ipaddress import ip_address
from typing import Any

import httpcore
import httpx

from ._address import require_allowed
from ._pool import ConnectionPool, Lease

__all__ = ["GuardedBackend", "open_client"]


class GuardedBackend(httpcore.AsyncNetworkBackend):
    """Resolves a name once, judges every address it has, and connects to one of those; never to the name.

    A name with one forbidden address is refused altogether: a public and a private answer together are what DNS
    rebinding looks like. The connections of one burst share one look-up.

    Args:
        private_hosts: names, in lower case, that may be on loopback or a private address.
        inner: makes the connections.
        public: whether other addresses are allowed; not for connections without TLS.
    """

    def __init__(
        self,
        private_hosts: frozenset[str],
        inner: httpcore.AsyncNetworkBackend | None = None,
        *,
        public: bool = True,
    ) -> None:
        self._private_hosts = private_hosts
        self._inner = inner or httpcore.AnyIOBackend()
        self._public = public
        self._look_ups: dict[str, asyncio.Future[list[str]]] = {}

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore's signature
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Connect to an allowed address of ``host``.

        Raises:
            ForbiddenAddressError: the host has an address that is not allowed.
            httpcore.ConnectError: it has none, or none answers.
        """
        name = host.lower().strip("[]")
        private = name in self._private_hosts
        addresses = await self._addresses(name)
        for address in addresses:
            require_allowed(address, host=host, private=private, public=self._public)
        failure: Exception = httpcore.ConnectError("the name has no address")
        for address in addresses:
            try:
                stream = await self._inner.connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
                continue
            try:
                peer = stream.get_extra_info("server_addr")
                where = str(peer[0]) if peer else "nowhere"
                require_allowed(where, host=host, private=private, public=self._public)
            except BaseException:
                await stream.aclose()
                raise
            return stream
        raise failure

    async def _addresses(self, name: str) -> list[str]:
        try:
            return [str(ip_address(name))]
        except ValueError:
            pass  # a name, or one of the spellings of an address that only the resolver reads
        look_up = self._look_ups.get(name)
        if look_up is None:
            look_up = asyncio.ensure_future(_resolve(name))
            self._look_ups[name] = look_up
            look_up.add_done_callback(lambda done: self._forget(name, done))
        # One request that is given up does not end the look-up of the others.
        return await asyncio.shield(look_up)

    def _forget(self, name: str, done: asyncio.Future[list[str]]) -> None:
        del self._look_ups[name]
        if not done.cancelled():
            done.exception()  # heard, even when nobody waits any more

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore's signature
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Refused: no source is at a socket file."""
        raise httpcore.ConnectError("sources are reached over TCP only")

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)


async def _resolve(name: str) -> list[str]:
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(name, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise httpcore.ConnectError("the name cannot be resolved") from None
    # IPv4 first: a machine without an IPv6 route must not spend the gate's time on finding that out.
    ordered = sorted(found, key=lambda entry: entry[0] is not socket.AF_INET)
    return list(dict.fromkeys(str(entry[4][0]) for entry in ordered))


@contextmanager
def _as_httpx(request: httpx.Request | None) -> Iterator[None]:
    try:
        yield
    except httpcore.TimeoutException as error:
        raise httpx.TimeoutException(str(error), request=request) from error
    except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.UnsupportedProtocol) as error:
        raise httpx.TransportError(str(error), request=request) from error


class _Stream(httpx.AsyncByteStream):
    def __init__(self, inner: Lease, request: httpx.Request) -> None:
        self._inner = inner
        self._request = request

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with _as_httpx(self._request):
            async for part in self._inner:
                yield part

    async def aclose(self) -> None:
        await self._inner.aclose()


class _Transport(httpx.AsyncBaseTransport):
    def __init__(self, pool: ConnectionPool) -> None:
        self._pool = pool

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        url = httpcore.URL(
            scheme=request.url.raw_scheme,
            host=request.url.raw_host,
            port=request.url.port,
            target=request.url.raw_path,
        )
        asked = httpcore.Request(
            request.method, url, headers=request.headers.raw, content=request.stream, extensions=request.extensions
        )
        with _as_httpx(request):
            lease = await self._pool.request(asked)
        return httpx.Response(
            lease.status, headers=lease.headers, stream=_Stream(lease, request), extensions=lease.extensions
        )

    async def aclose(self) -> None:
        await self._pool.aclose()


def open_client(
    *, private_hosts: frozenset[str], connections: int, keep_alive_s: float, user_agent: str
) -> httpx.AsyncClient:
    """A pooled client that follows no redirect, keeps no cookie and reads no proxy from the environment.

    Certificates are those of certifi, or of ``SSL_CERT_FILE`` or ``SSL_CERT_DIR`` where those are set.

    Args:
        private_hosts: names, in lower case, that may be on loopback or a private address.
        connections: most requests at a time, all hosts together.
        keep_alive_s: how long an idle connection is kept.
        user_agent: who asks.
    """
    pool = ConnectionPool(
        ssl_context=httpx.create_ssl_context(),
        backends={
            b"https": GuardedBackend(private_hosts),
            b"http": GuardedBackend(private_hosts, public=False),
        },
        connections=connections,
        keep_alive_s=keep_alive_s,
    )
    return httpx.AsyncClient(
        transport=_Transport(pool),
        # What a cache on the way still has is not what the register says now.
        headers={"User-Agent": user_agent, "Accept-Encoding": "gzip", "Cache-Control": "no-cache"},
        # A backstop for adapters used outside a gate; the gate's deadline comes long before.
        timeout=httpx.Timeout(10.0),
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
        follow_redirects=False,
        trust_env=False,
    )
