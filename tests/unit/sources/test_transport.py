"""The guard sits on the connection itself, so no name, redirect or answer of DNS gets around it."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import httpcore
import httpx
import pytest

from sluis.sources import ForbiddenAddressError
from sluis.sources._transport import GuardedBackend, open_client


class FakeStream(httpcore.AsyncMockStream):
    def __init__(self, peer: object) -> None:
        super().__init__([])
        self.peer = peer
        self.closed = False

    def get_extra_info(self, info: str) -> Any:
        return self.peer if info == "server_addr" else None

    async def aclose(self) -> None:
        self.closed = True


class FakeNetwork(httpcore.AsyncMockBackend):
    """Connects to whatever it is told and remembers it."""

    def __init__(self, *, peer: str | None = None, dead: tuple[str, ...] = ()) -> None:
        super().__init__([])
        self.asked: list[str] = []
        self.peer = peer
        self.dead = dead
        self.streams: list[FakeStream] = []

    async def connect_tcp(self, host: str, port: int, *_: Any, **__: Any) -> Any:
        self.asked.append(host)
        if host in self.dead:
            raise httpcore.ConnectError("refused")
        stream = FakeStream((self.peer or host, port))
        self.streams.append(stream)
        return stream


LOOK_UPS: list[str] = []


def answer_dns(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> None:
    async def getaddrinfo(self: Any, host: str, port: object, **_: Any) -> list[Any]:
        LOOK_UPS.append(host)
        await asyncio.sleep(0)
        return [
            (
                socket.AF_INET6 if ":" in address else socket.AF_INET,
                socket.SOCK_STREAM,
                6,
                "",
                (address, port),
            )
            for address in addresses
        ]

    monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", getaddrinfo)


async def test_a_name_that_leads_inside_is_refused_before_connecting(monkeypatch: pytest.MonkeyPatch) -> None:
    network = FakeNetwork()
    answer_dns(monkeypatch, "127.0.0.1")
    with pytest.raises(ForbiddenAddressError):
        await GuardedBackend(frozenset(), network).connect_tcp("data.register.test", 443)
    assert network.asked == []


async def test_dns_rebinding_with_two_answers_is_refused_altogether(monkeypatch: pytest.MonkeyPatch) -> None:
    network = FakeNetwork()
    answer_dns(monkeypatch, "93.184.215.14", "127.0.0.1")
    with pytest.raises(ForbiddenAddressError):
        await GuardedBackend(frozenset(), network).connect_tcp("data.register.test", 443)
    assert network.asked == []


async def test_the_name_is_resolved_once_and_the_address_is_what_is_connected_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    network = FakeNetwork()
    answer_dns(monkeypatch, "2a00:1450:400e:80d::200e", "93.184.215.14", "93.184.215.14")
    await GuardedBackend(frozenset(), network).connect_tcp("data.register.test", 443)
    assert network.asked == ["93.184.215.14"]


async def test_a_burst_shares_one_look_up_and_the_next_burst_makes_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    network = FakeNetwork()
    answer_dns(monkeypatch, "93.184.215.14")
    LOOK_UPS.clear()
    backend = GuardedBackend(frozenset(), network)
    given_up = asyncio.ensure_future(backend.connect_tcp("data.register.test", 443))
    burst = [asyncio.ensure_future(backend.connect_tcp("data.register.test", 443)) for _ in range(5)]
    await asyncio.sleep(0)
    given_up.cancel()
    await asyncio.gather(*burst)
    assert (LOOK_UPS, len(network.asked)) == (["data.register.test"], 5)
    answer_dns(monkeypatch, "127.0.0.1")
    with pytest.raises(ForbiddenAddressError):
        await backend.connect_tcp("data.register.test", 443)
    assert len(LOOK_UPS) == 2


async def test_a_look_up_that_nobody_waits_for_any_more_is_no_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(self: Any, host: str, port: object, **_: Any) -> list[Any]:
        await asyncio.sleep(0.01)
        raise OSError("no such name")

    monkeypatch.setattr(asyncio.BaseEventLoop, "getaddrinfo", fail)
    backend = GuardedBackend(frozenset(), FakeNetwork())
    task = asyncio.ensure_future(backend.connect_tcp("data.register.test", 443))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.sleep(0.05)
    assert backend._look_ups == {}
    task = asyncio.ensure_future(backend.connect_tcp("data.register.test", 443))
    await asyncio.sleep(0)
    backend._look_ups["data.register.test"].cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert backend._look_ups == {}


async def test_without_tls_a_public_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    network = FakeNetwork()
    answer_dns(monkeypatch, "93.184.215.14")
    backend = GuardedBackend(frozenset({"data.register.test"}), network, public=False)
    with pytest.raises(ForbiddenAddressError):
        await backend.connect_tcp("data.register.test", 80)
    assert network.asked == []


async def test_the_next_address_is_tried_when_one_is_dead(monkeypatch: pytest.MonkeyPatch) -> None:
    network = FakeNetwork(dead=("93.184.215.14",))
    answer_dns(monkeypatch, "93.184.215.14", "93.184.215.15")
    await GuardedBackend(frozenset(), network).connect_tcp("data.register.test", 443)
    assert network.asked == ["93.184.215.14", "93.184.215.15"]


async def test_no_address_that_answers_is_a_connection_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    network = FakeNetwork(dead=("93.184.215.14",))
    answer_dns(monkeypatch, "93.184.215.14")
    with pytest.raises(httpcore.ConnectError):
        await GuardedBackend(frozenset(), network).connect_tcp("data.register.test", 443)
    answer_dns(monkeypatch)
    with pytest.raises(httpcore.ConnectError):
        await GuardedBackend(frozenset(), network).connect_tcp("data.register.test", 443)


@pytest.mark.parametrize("peer", ["169.254.169.254", "127.0.0.1"])
async def test_a_connection_that_ended_up_elsewhere_is_closed(peer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    network = FakeNetwork(peer=peer)
    answer_dns(monkeypatch, "93.184.215.14")
    with pytest.raises(ForbiddenAddressError):
        await GuardedBackend(frozenset(), network).connect_tcp("data.register.test", 443)
    assert network.streams[0].closed


async def test_a_connection_that_does_not_say_where_it_ended_up_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    network = FakeNetwork()
    answer_dns(monkeypatch, "93.184.215.14")
    monkeypatch.setattr(FakeStream, "get_extra_info", lambda self, info: None)
    with pytest.raises(ForbiddenAddressError):
        await GuardedBackend(frozenset(), network).connect_tcp("data.register.test", 443)
    assert network.streams[0].closed


@pytest.mark.parametrize("host", ["2130706433", "0x7f.1", "0177.0.0.1", "127.1", "localhost"])
async def test_every_spelling_of_loopback_is_the_same_address(host: str) -> None:
    network = FakeNetwork()
    with pytest.raises(ForbiddenAddressError):
        await GuardedBackend(frozenset(), network).connect_tcp(host, 80)
    assert network.asked == []


async def test_only_the_named_host_may_be_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    network = FakeNetwork()
    answer_dns(monkeypatch, "10.0.0.7")
    backend = GuardedBackend(frozenset({"register.intern"}), network)
    await backend.connect_tcp("Register.Intern", 80)
    with pytest.raises(ForbiddenAddressError):
        await backend.connect_tcp("other.intern", 80)
    assert network.asked == ["10.0.0.7"]


async def test_a_name_that_does_not_resolve_is_a_connection_fault() -> None:
    for host in ("no-such-host.invalid", "a" * 300):
        with pytest.raises(httpcore.ConnectError):
            await GuardedBackend(frozenset(), FakeNetwork()).connect_tcp(host, 80)


async def test_no_socket_files_and_sleep_sleeps() -> None:
    backend = GuardedBackend(frozenset())
    with pytest.raises(httpcore.ConnectError):
        await backend.connect_unix_socket("/run/register.sock")
    await backend.sleep(0)


async def test_faults_of_the_wire_come_out_as_those_of_httpx(monkeypatch: pytest.MonkeyPatch) -> None:
    async with open_client(private_hosts=frozenset(), connections=2, keep_alive_s=1, user_agent="t") as client:
        for raised, expected in (
            (httpcore.ReadTimeout("slow"), httpx.TimeoutException),
            (httpcore.ReadError("reset"), httpx.TransportError),
            (httpcore.RemoteProtocolError("noise"), httpx.TransportError),
        ):

            async def fail(self: Any, request: Any, error: Exception = raised) -> Any:
                raise error

            monkeypatch.setattr(httpcore.AsyncHTTPConnection, "handle_async_request", fail)
            with pytest.raises(expected):
                await client.get("http://register.test/")
