"""Connections: kept, shared by turns, never by two at once, and none left open."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpcore
import httpx
import pytest

from sluis.simulators import RegistrySimulator
from sluis.sources._pool import ConnectionPool
from sluis.sources._transport import GuardedBackend

ECLI = "ECLI:NL:RBAMS:2098:101"


def make(*, connections: int = 3, keep_alive_s: float = 5.0) -> ConnectionPool:
    return ConnectionPool(
        ssl_context=httpx.create_ssl_context(),
        backends={b"http": GuardedBackend(frozenset({"127.0.0.1"}))},
        connections=connections,
        keep_alive_s=keep_alive_s,
    )


@pytest.fixture
async def pool() -> AsyncIterator[ConnectionPool]:
    opened = make()
    yield opened
    await opened.aclose()


def request(simulator: RegistrySimulator, *, host: str = "", reference: str = ECLI) -> httpcore.Request:
    base = simulator.url.replace("127.0.0.1", host) if host else simulator.url
    return httpcore.Request("GET", f"{base}/uitspraken/content?id={reference}", headers=[("Host", "x")])


async def fetch(pool: ConnectionPool, asked: httpcore.Request) -> int:
    lease = await pool.request(asked)
    try:
        _ = [part async for part in lease]
    finally:
        await lease.aclose()
        await lease.aclose()
    return lease.status


async def test_one_connection_serves_one_request_after_the_other(
    pool: ConnectionPool, simulator: RegistrySimulator
) -> None:
    assert [await fetch(pool, request(simulator)) for _ in range(5)] == [200] * 5
    assert simulator.connections == 1


async def test_no_connection_serves_two_at_once(pool: ConnectionPool, simulator: RegistrySimulator) -> None:
    simulator.latency_ms = 30
    for _ in range(3):
        assert await asyncio.gather(*(fetch(pool, request(simulator)) for _ in range(3))) == [200] * 3
    assert (simulator.connections, simulator.most_in_flight) == (3, 3)


async def test_more_than_the_limit_wait_their_turn(pool: ConnectionPool, simulator: RegistrySimulator) -> None:
    simulator.latency_ms = 10
    assert await asyncio.gather(*(fetch(pool, request(simulator)) for _ in range(12))) == [200] * 12
    assert simulator.most_in_flight == 3


async def test_a_fault_does_not_use_up_a_place(pool: ConnectionPool, simulator: RegistrySimulator) -> None:
    simulator.set_fault("*", "reset")
    for _ in range(7):
        with pytest.raises((httpcore.NetworkError, httpcore.ProtocolError)):
            await fetch(pool, request(simulator))
    nowhere = httpcore.Request("GET", "http://127.0.0.1:1/", headers=[("Host", "x")])
    for _ in range(7):
        with pytest.raises(httpcore.ConnectError):
            await fetch(pool, nowhere)
    simulator.clear_faults()
    assert await fetch(pool, request(simulator)) == 200


async def test_a_cancelled_request_does_not_use_up_a_place_or_a_connection(
    pool: ConnectionPool, simulator: RegistrySimulator
) -> None:
    simulator.set_fault("*", "stall")
    for _ in range(2):
        tasks = [asyncio.ensure_future(fetch(pool, request(simulator))) for _ in range(5)]
        await asyncio.sleep(0.05)
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
    simulator.clear_faults()
    assert await asyncio.gather(*(fetch(pool, request(simulator)) for _ in range(6))) == [200] * 6


async def test_an_answer_that_was_not_read_to_its_end_ends_its_connection(
    pool: ConnectionPool, simulator: RegistrySimulator
) -> None:
    simulator.set_fault("*", "slow_drip")
    lease = await pool.request(request(simulator))
    async for _ in lease:
        break
    await lease.aclose()
    simulator.clear_faults()
    assert await fetch(pool, request(simulator)) == 200
    assert simulator.connections == 2


async def test_a_connection_that_the_other_side_closed_is_not_used_again(
    pool: ConnectionPool, simulator: RegistrySimulator
) -> None:
    assert await fetch(pool, request(simulator)) == 200
    port = int(simulator.url.rpartition(":")[2])
    simulator.stop()
    simulator._port = port
    simulator.start()
    assert await fetch(pool, request(simulator)) == 200


async def test_what_is_idle_for_too_long_is_closed(simulator: RegistrySimulator) -> None:
    pool = make(keep_alive_s=0.05)
    for _ in range(2):
        await asyncio.gather(*(fetch(pool, request(simulator)) for _ in range(3)))
        await asyncio.sleep(0.1)
    assert await fetch(pool, request(simulator)) == 200
    assert [len(idle) for idle in pool._idle.values()] == [1]
    pool._pruned += 60  # as if just looked at: the one that is taken is looked at all the same
    await asyncio.sleep(0.1)
    before = simulator.connections
    assert await fetch(pool, request(simulator)) == 200
    assert simulator.connections == before + 1
    await pool.aclose()


async def test_one_that_is_in_use_when_the_pool_closes_closes_afterwards(simulator: RegistrySimulator) -> None:
    pool = make()
    lease = await pool.request(request(simulator))
    await pool.aclose()
    _ = [part async for part in lease]
    await lease.aclose()
    assert not any(pool._idle.values())


@pytest.mark.parametrize("url", ["ftp://127.0.0.1/", "http:///x", "/x"])
async def test_what_is_no_http_url_takes_no_place(url: str, pool: ConnectionPool) -> None:
    for _ in range(5):
        with pytest.raises(httpcore.UnsupportedProtocol):
            await pool.request(httpcore.Request("GET", url))


async def test_a_place_is_free_again_when_taking_fails(
    pool: ConnectionPool, simulator: RegistrySimulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(self: Any) -> None:
        raise OSError

    with monkeypatch.context() as patch:
        patch.setattr(ConnectionPool, "_prune", broken)
        for _ in range(5):
            with pytest.raises(OSError):  # noqa: PT011 - a bare one is raised
                await pool.request(request(simulator))
    assert await fetch(pool, request(simulator)) == 200
