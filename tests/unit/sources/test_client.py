"""The client's life: opened once, shared, closed without a trace."""

from __future__ import annotations

import asyncio
import gc
import os
import threading

import pytest

from sluis.simulators import RegistrySimulator
from sluis.sources import ClientClosedError, EcliSource, Fetched, SourceClient, SourceFaultError


def url(simulator: RegistrySimulator) -> str:
    return EcliSource(simulator.url).url("ECLI:NL:RBAMS:2098:101")


def threads() -> list[str]:
    return [thread.name for thread in threading.enumerate() if thread.name == "sluis-sources"]


def test_an_answer_whole(simulator: RegistrySimulator) -> None:
    with SourceClient(private_hosts=frozenset({"127.0.0.1"})) as client:
        answer = client.submit(client.get(url(simulator), accept="application/xml")).result(timeout=5)
    assert (answer.status, answer.media_type, answer.mitigated) == (200, "application/xml", False)
    assert answer.digest is not None
    assert Fetched(status=200, media_type="", mitigated=False, body=b"").digest is None


def test_it_opens_when_first_used_and_closes_twice(simulator: RegistrySimulator) -> None:
    client = SourceClient(private_hosts=frozenset({"127.0.0.1"}))
    assert (client.is_open, threads()) == (False, [])
    client.close()
    client.close()
    with pytest.raises(ClientClosedError):
        client.submit(client.get(url(simulator), accept="application/xml"))
    other = SourceClient()
    loop = other.start()
    assert (other.is_open, other.start() is loop, len(threads())) == (True, True, 1)
    other.close()
    assert (other.is_open, threads()) == (False, [])


def test_a_request_that_comes_after_the_end_is_a_fault(simulator: RegistrySimulator) -> None:
    client = SourceClient()
    client.close()
    with pytest.raises(SourceFaultError) as caught:
        asyncio.run(client.get(url(simulator), accept="application/xml"))
    assert caught.value.reason == "connection"


def test_one_that_is_forgotten_ends_its_thread() -> None:
    client = SourceClient()
    client.start()
    assert len(threads()) == 1
    del client
    gc.collect()
    assert threads() == []


def test_one_that_is_collected_on_its_own_thread_ends_it_too() -> None:
    client = SourceClient()
    client.start()
    assert client._loop is not None
    assert client._client is not None
    held = client._loop
    held.loop.call_soon_threadsafe(held.stop, client._client)
    held.thread.join(timeout=5)
    assert threads() == []
    assert held.loop.is_closed()
    client.close()


def test_one_that_cannot_be_opened_leaves_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(**_: object) -> None:
        raise OSError("no certificates")

    monkeypatch.setattr("sluis.sources._transport.open_client", broken)
    client = SourceClient()
    with pytest.raises(OSError, match="no certificates"):
        client.start()
    for thread in threading.enumerate():
        if thread.name == "sluis-sources":
            thread.join(timeout=5)
    assert (client.is_open, threads()) == (False, [])
    client.close()


@pytest.mark.parametrize("bad", ["http://", "http://[::1", "gopher://127.0.0.1/"])
def test_what_is_no_url_is_a_fault_not_a_crash(bad: str) -> None:
    with SourceClient() as client, pytest.raises(SourceFaultError) as caught:
        client.submit(client.get(bad, accept="application/xml")).result(timeout=5)
    assert caught.value.reason == "connection"


def test_a_time_out_of_the_client_itself_is_a_fault(simulator: RegistrySimulator) -> None:
    import httpx

    simulator.set_fault("*", "stall")
    with SourceClient(private_hosts=frozenset({"127.0.0.1"})) as client:
        client.start()
        assert client._client is not None
        client._client.timeout = httpx.Timeout(0.1)
        with pytest.raises(SourceFaultError) as caught:
            client.submit(client.get(url(simulator), accept="application/xml")).result(timeout=5)
    assert caught.value.reason == "timeout"


def test_a_cookie_that_a_source_sets_is_not_kept() -> None:
    import httpx

    with SourceClient() as client:
        client.start()
        assert client._client is not None
        request = client._client.build_request("GET", "http://register.test/")
        answer = httpx.Response(200, headers={"Set-Cookie": "who=you; Path=/"}, request=request)
        client._client.cookies.extract_cookies(answer)
        assert list(client._client.cookies.jar) == []
        assert list(httpx.Cookies(answer.cookies).jar) != []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_fork_opens_a_client_of_its_own(simulator: RegistrySimulator) -> None:
    client = SourceClient(private_hosts=frozenset({"127.0.0.1"}))
    client.start()
    child = os.fork()
    if child == 0:  # pragma: no cover - runs in the child, where nothing counts lines
        code = 1
        try:
            answer = client.submit(client.get(url(simulator), accept="application/xml")).result(timeout=10)
            code = 0 if answer.status == 200 else 1
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    client.close()
    assert os.waitstatus_to_exitcode(status) == 0
