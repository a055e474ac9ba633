"""TLS: the address is pinned, the name is still what the certificate has to be for."""

from __future__ import annotations

import asyncio
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import trustme

from sluis.core import Citation, SourceState
from sluis.sources import open_gateway

ECLI = "ECLI:NL:RBAMS:2098:101"


@contextmanager
def register(certificate: trustme.LeafCert, body: bytes) -> Iterator[int]:
    """A server on loopback that answers everything with one record; gives its port."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    certificate.configure_cert(context)
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/xml\r\nContent-Length: {len(body)}\r\n\r\n".encode()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await reader.readuntil(b"\r\n\r\n"):
                writer.write(head + body)
                await writer.drain()
        except (asyncio.IncompleteReadError, OSError):
            pass
        finally:
            writer.close()

    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    starting = asyncio.run_coroutine_threadsafe(asyncio.start_server(serve, "127.0.0.1", 0, ssl=context), loop)
    server = starting.result(timeout=5)

    async def end() -> None:
        server.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        if others:
            await asyncio.wait(others, timeout=2)

    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        asyncio.run_coroutine_threadsafe(end(), loop).result(timeout=5)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(timeout=5)
        loop.close()


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.fixture
def trusted(authority: trustme.CA, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "ca.pem"
    authority.cert_pem.write_to_path(str(file))
    monkeypatch.setenv("SSL_CERT_FILE", str(file))


def ask(port: int) -> tuple[SourceState, str]:
    with open_gateway({"ecli": f"https://localhost:{port}"}, budget_seconds=5) as gateway:
        (status,) = gateway.statuses_sync((Citation(kind="ecli", value=ECLI),)).values()
    return status.status, status.reason


@pytest.mark.usefixtures("trusted")
def test_a_certificate_for_the_name_is_accepted(authority: trustme.CA, record: Callable[[str], bytes]) -> None:
    with register(authority.issue_cert("localhost"), record("current")) as port:
        assert ask(port) == (SourceState.LIVE, "current")


@pytest.mark.usefixtures("trusted")
@pytest.mark.parametrize("name", ["data.rechtspraak.nl", "127.0.0.1"])
def test_a_certificate_for_another_name_is_not(
    name: str, authority: trustme.CA, record: Callable[[str], bytes]
) -> None:
    with register(authority.issue_cert(name), record("current")) as port:
        assert ask(port) == (SourceState.UNVERIFIABLE, "connection")


def test_a_certificate_that_nobody_vouches_for_is_not(authority: trustme.CA, record: Callable[[str], bytes]) -> None:
    with register(authority.issue_cert("localhost"), record("current")) as port:
        assert ask(port) == (SourceState.UNVERIFIABLE, "connection")
