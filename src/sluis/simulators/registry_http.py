"""Just enough HTTP/1.1 to serve a register, and to break it in every way."""

from __future__ import annotations

import asyncio
import socket
import struct
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit

from .registry_faults import REASONS, Wire

__all__ = ["HEAD_LIMIT", "WireRequest", "read_request", "send_wire"]

HEAD_LIMIT = 64 * 1024
_BODY_LIMIT = 16 * 1024 * 1024


@dataclass(frozen=True, kw_only=True)
class WireRequest:
    """One request."""

    method: str
    path: str
    query: dict[str, str]
    body: bytes
    keep_alive: bool


async def read_request(reader: asyncio.StreamReader) -> WireRequest | None:
    """The next request of a connection; ``None`` at its end."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    first, *lines = head.decode("latin-1").split("\r\n")
    method, target, version = first.split(" ")
    headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    size = int(headers.get("content-length", "0"))
    if not 0 <= size <= _BODY_LIMIT:
        return None
    parts = urlsplit(target)
    return WireRequest(
        method=method,
        path=parts.path,
        query=dict(parse_qsl(parts.query, keep_blank_values=True)),
        body=await reader.readexactly(size),
        keep_alive=version == "HTTP/1.1" and headers.get("connection", "").lower() != "close",
    )


async def send_wire(writer: asyncio.StreamWriter, wire: Wire, *, head_only: bool) -> bool:
    """Put an answer on the wire; whether the connection can go on."""
    if wire.delay_s:
        await asyncio.sleep(wire.delay_s)
    if wire.raw is not None:
        writer.write(wire.raw)
        await writer.drain()
        return False
    if wire.reset and wire.cut_at is None:
        _reset(writer)
        return False
    lines = [f"HTTP/1.1 {wire.status} {REASONS.get(wire.status, 'Status')}"]
    lines += [f"{name}: {value}" for name, value in wire.headers.items()]
    if wire.status != 204:
        lines.append(f"Content-Length: {len(wire.body)}")
    head = "\r\n".join([*lines, "", ""]).encode("latin-1")
    body = b"" if head_only or wire.status in (204, 304) else wire.body[: wire.cut_at]
    if wire.drip_s:
        writer.write(head)
        for start in range(0, len(body), wire.piece):
            writer.write(body[start : start + wire.piece])
            await writer.drain()
            await asyncio.sleep(wire.drip_s)
    else:
        writer.write(head + body)
        await writer.drain()
    if wire.reset:
        _reset(writer)
    return wire.cut_at is None


def _reset(writer: asyncio.StreamWriter) -> None:
    """Close so that the other side sees a reset, not an end."""
    connection = writer.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()
