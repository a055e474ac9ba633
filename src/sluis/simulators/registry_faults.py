"""What can go wrong between a register and the one who asks: each fault as the bytes it puts on the wire."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from sluis.core import InputError

from .registry_records import metadata_only

__all__ = ["FAULTS", "Asked", "UnknownFaultError", "Wire", "wire_for"]

XML = "application/xml; charset=utf-8"
HTML = "text/html; charset=utf-8"

REASONS = {
    200: "OK", 204: "No Content", 301: "Moved Permanently", 302: "Found", 400: "Bad Request", 403: "Forbidden",
    404: "Not Found", 405: "Method Not Allowed", 429: "Too Many Requests", 500: "Internal Server Error",
    503: "Service Unavailable",
}  # fmt: skip


class UnknownFaultError(InputError):
    """The simulator knows no fault of that name, or an option of it has no sense."""

    code = "usage.input.unknown_fault"


@dataclass(frozen=True, kw_only=True)
class Wire:
    """An answer as it goes over the wire.

    Attributes:
        status: HTTP status.
        headers: besides Content-Length.
        body: the bytes.
        delay_s: waits before the first byte.
        drip_s: pause after each piece of ``piece`` bytes; 0: all at once.
        piece: bytes a piece when dripping.
        cut_at: sends so many bytes of the body, announces all of them, and closes.
        reset: ends the connection with a reset, after ``cut_at`` bytes or at once.
        raw: sent instead of an HTTP answer.
    """

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    delay_s: float = 0.0
    drip_s: float = 0.0
    piece: int = 16
    cut_at: int | None = None
    reset: bool = False
    raw: bytes | None = None


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What was asked: the record that would be the right answer, and the fault's options."""

    ecli: str
    record: bytes
    options: Mapping[str, str]

    def number(self, name: str, default: float) -> float:
        """A numeric option.

        Raises:
            UnknownFaultError: it is no number, or negative.
        """
        try:
            value = float(self.options.get(name, default))
        except ValueError:
            value = -1.0
        if not 0 <= value < float("inf"):
            raise UnknownFaultError(
                f"The option {name} is not a number from 0.", hint="Milliseconds, bytes or a count."
            )
        return value


def json_wire(status: int, value: object) -> Wire:
    """A JSON answer."""
    return Wire(status=status, headers={"Content-Type": "application/json"}, body=json.dumps(value).encode())


def not_found() -> Wire:
    """What the register answers for an identifier that it does not know."""
    return json_wire(404, {"title": "Not Found"})


def record(data: bytes) -> Wire:
    """A record, served as it should be."""
    return Wire(headers={"Content-Type": XML}, body=data)


def _page(text: str, status: int = 200, headers: Mapping[str, str] | None = None) -> Wire:
    return Wire(status=status, headers={"Content-Type": HTML, **(headers or {})}, body=text.encode())


_CHALLENGE = (
    "<!doctype html><title>Just a moment...</title><script src='/cdn-cgi/challenge-platform/x.js'></script>"
    "<p>Checking that you are a person.</p>"
)

_BOMB = (
    b'<?xml version="1.0"?><!DOCTYPE open-rechtspraak [<!ENTITY a "aaaaaaaaaa">'
    + b"".join(b'<!ENTITY %c "%s">' % (98 + i, b"&%c;" % (97 + i) * 10) for i in range(8))
    + b"]><open-rechtspraak>&i;</open-rechtspraak>"
)


def _slow_drip(asked: Asked) -> Wire:
    """Each read succeeds; the whole takes for ever."""
    size = max(1, len(asked.record) // 64)
    pause = asked.number("pause_ms", 50) / 1000
    return Wire(headers={"Content-Type": XML}, body=asked.record, drip_s=pause, piece=size)


def _oversize(asked: Asked) -> Wire:
    filler = b"<!--" + b"x" * int(asked.number("bytes", 9 * 1024 * 1024)) + b"-->"
    return Wire(headers={"Content-Type": XML}, body=asked.record + filler)


def _gzip_bomb(asked: Asked) -> Wire:
    body = gzip.compress(asked.record + b" " * int(asked.number("bytes", 64 * 1024 * 1024)), compresslevel=9)
    return Wire(headers={"Content-Type": XML, "Content-Encoding": "gzip"}, body=body)


def _renamed(asked: Asked) -> bytes:
    return asked.record.replace(asked.ecli.encode(), b"ECLI:NL:HR:1900:1")


def _external_entity(asked: Asked) -> bytes:
    text = asked.options.get("url", "file:///etc/hostname")
    head = f'<?xml version="1.0"?><!DOCTYPE r [<!ENTITY x SYSTEM "{text}">]><open-rechtspraak>&x;</open-rechtspraak>'
    return head.encode()


FAULTS: dict[str, Callable[[Asked], Wire]] = {
    "not_found": lambda _: not_found(),
    "html": lambda _: _page("<!doctype html><title>Onderhoud</title><p>Even geduld.</p>"),
    "challenge": lambda _: _page(_CHALLENGE),
    "challenge_403": lambda _: _page(_CHALLENGE, 403, {"cf-mitigated": "challenge"}),
    "login": lambda _: _page("", 302, {"Location": "/login?next=/"}),
    "redirect": lambda asked: _page("", 302, {"Location": asked.options.get("to", "http://169.254.169.254/latest/")}),
    "no_content": lambda _: Wire(status=204),
    "empty": lambda _: Wire(headers={"Content-Type": XML}),
    "json": lambda _: json_wire(200, {"items": []}),
    "no_type": lambda asked: Wire(body=asked.record),
    "slow_drip": _slow_drip,
    "stall": lambda asked: Wire(
        headers={"Content-Type": XML}, body=asked.record, delay_s=asked.number("delay_ms", 30_000) / 1000
    ),
    "reset": lambda _: Wire(reset=True),
    "reset_midway": lambda asked: Wire(
        headers={"Content-Type": XML}, body=asked.record, cut_at=len(asked.record) // 2, reset=True
    ),
    "short_body": lambda asked: Wire(headers={"Content-Type": XML}, body=asked.record, cut_at=len(asked.record) // 2),
    "garbage": lambda _: Wire(raw=b"\x00\x01 this is not HTTP\r\n\r\n"),
    "truncated_xml": lambda asked: record(asked.record[: len(asked.record) * 2 // 3]),
    "entity_bomb": lambda _: record(_BOMB),
    "external_entity": lambda asked: record(_external_entity(asked)),
    "utf16": lambda asked: record(asked.record.decode("utf-8-sig").encode("utf-16")),
    "other_xml": lambda _: record(b'<?xml version="1.0"?><rss version="2.0"><channel/></rss>'),
    "wrong_record": lambda asked: record(_renamed(asked)),
    "metadata_only": lambda asked: record(metadata_only(asked.record)),
    "oversize": _oversize,
    "gzip_bomb": _gzip_bomb,
    "bad_gzip": lambda asked: Wire(headers={"Content-Type": XML, "Content-Encoding": "gzip"}, body=asked.record),
    "cut_gzip": lambda asked: Wire(
        headers={"Content-Type": XML, "Content-Encoding": "gzip"}, body=gzip.compress(asked.record)[:-12]
    ),
    "strange_encoding": lambda asked: Wire(
        headers={"Content-Type": XML, "Content-Encoding": "gzip, gzip"}, body=gzip.compress(gzip.compress(asked.record))
    ),
}
"""Faults by name. Beside these there is ``http_<status>``, with the option ``retry_after`` for a header."""


def wire_for(fault: str, asked: Asked) -> Wire:
    """The wire of a fault.

    Raises:
        UnknownFaultError: there is no such fault, or an option makes no sense.
    """
    make = FAULTS.get(fault)
    if make is not None:
        return make(asked)
    prefix, _, status = fault.partition("_")
    if prefix != "http" or not (status.isascii() and status.isdigit() and 200 <= int(status) <= 599):
        raise UnknownFaultError(
            f"The simulator knows no fault {fault[:40]!r}.", hint=f"Known: {', '.join(FAULTS)} and http_<status>."
        )
    headers = {"Retry-After": asked.options["retry_after"]} if "retry_after" in asked.options else {}
    # A body that would be right with another status: the status alone has to decide.
    return Wire(status=int(status), headers={"Content-Type": XML, **headers}, body=asked.record)
