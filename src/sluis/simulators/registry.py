"""Rechtspraak's open data on loopback, served from a folder of records, with faults to order.

Paths are the register's: ``/uitspraken/content?id=ECLI``, and ``&return=META`` for the metadata alone. A fault is set
by :meth:`RegistrySimulator.set_fault`, by the query (``&fault=slow_drip&pause_ms=20``), or by ``POST /_control``.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from sluis.core import ConfigurationError, InputError
from sluis.sources import parse_ruling

from .registry_faults import Asked, Wire, json_wire, not_found, record, wire_for
from .registry_http import HEAD_LIMIT, WireRequest, read_request, send_wire
from .registry_records import UnknownRecordError, metadata_only, with_relation

__all__ = ["NoRecordsError", "RegistrySimulator", "UnknownRecordError"]


class NoRecordsError(ConfigurationError):
    """The folder holds no record that could be served."""

    code = "usage.configuration.no_records"


@dataclass(frozen=True, kw_only=True)
class _Fault:
    name: str
    options: dict[str, str]


class RegistrySimulator:
    """A context manager that serves while it is open.

    Args:
        folder: ``*.xml`` files; those that are no ruling records are left out and listed in :attr:`skipped`.
        latency_ms: waited before every answer.
        host: an address to listen on; a loopback one unless you know why not.
        port: 0 picks a free one.

    Raises:
        NoRecordsError: the folder holds none.
    """

    def __init__(self, folder: Path | str, *, latency_ms: float = 0.0, host: str = "127.0.0.1", port: int = 0) -> None:
        self.skipped: list[str] = []
        self.latency_ms = latency_ms
        self._records: dict[str, bytes] = {}
        for path in sorted(Path(folder).glob("*.xml")):
            data = path.read_bytes()
            try:
                self._records[parse_ruling(data, body=False).ecli] = data
            except InputError:
                self.skipped.append(path.name)
        if not self._records:
            raise NoRecordsError(f"{folder} holds no records.", hint="Give a folder of Rechtspraak XML files.")
        self._host = host
        self._port = port
        self._faults: dict[str, _Fault] = {}
        self._lock = threading.Lock()
        self._requests: Counter[str] = Counter()
        self._connections = 0
        self._in_flight = 0
        self._most_in_flight = 0
        self._handlers: set[asyncio.Task[None]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._server: asyncio.Server | None = None

    # -- what is served ------------------------------------------------------------------------------------------

    @property
    def references(self) -> tuple[str, ...]:
        """The identifiers that are served, sorted."""
        with self._lock:
            return tuple(sorted(self._records))

    def set_fault(self, reference: str, fault: str, **options: object) -> None:
        """Answer a reference, or every one with ``"*"``, with a fault from now on.

        Raises:
            UnknownFaultError: there is no such fault.
        """
        given = {key: str(value) for key, value in options.items()}
        wire_for(fault, Asked(ecli="ECLI:NL:HR:1900:1", record=b"<r/>", options=given | _SMALL))
        with self._lock:
            self._faults[reference.upper()] = _Fault(name=fault, options=given)

    def clear_faults(self) -> None:
        """Answer everything as it should be."""
        with self._lock:
            self._faults.clear()

    def replace(self, reference: str, data: bytes) -> None:
        """Serve other bytes under a reference, whatever they are; also adds a new one."""
        with self._lock:
            self._records[reference.upper()] = data

    def remove(self, reference: str) -> None:
        """Serve a reference no more: 404.

        Raises:
            UnknownRecordError: it is not served.
        """
        self._known(reference)
        with self._lock:
            del self._records[reference.upper()]

    def withdraw(self, reference: str, *, by: str | None = None) -> None:
        """Have the register say that a later ruling declared this one void, as it does: a relation, text unchanged.

        Raises:
            UnknownRecordError: it is not served.
        """
        self.relate(reference, "vervallenverklaring", to=by)

    def relate(
        self, reference: str, kind: str, *, to: str | None = None, later: bool = True, outcome: str = ""
    ) -> None:
        """Add a formal relation to a record: ``kind`` and ``outcome`` as in the register (``cassatie``).

        Raises:
            UnknownRecordError: it is not served.
        """
        data = self._known(reference)
        target = to or f"{reference.upper().rpartition(':')[0]}:999999"
        self.replace(reference, with_relation(data, kind=kind, target=target, later=later, outcome=outcome))

    def _known(self, reference: str) -> bytes:
        with self._lock:
            data = self._records.get(reference.upper())
        if data is None:
            raise UnknownRecordError(f"There is no record {reference[:60]!r} here.", hint="See `references`.")
        return data

    # -- what was asked ------------------------------------------------------------------------------------------

    @property
    def requests(self) -> Counter[str]:
        """How often each reference was asked since the start or :meth:`reset_counts`."""
        with self._lock:
            return Counter(self._requests)

    @property
    def connections(self) -> int:
        """How many connections were opened."""
        with self._lock:
            return self._connections

    @property
    def most_in_flight(self) -> int:
        """The most requests that were being answered at one moment."""
        with self._lock:
            return self._most_in_flight

    def reset_counts(self) -> None:
        """Count from zero."""
        with self._lock:
            self._requests.clear()
            self._connections = self._most_in_flight = 0

    # -- running -------------------------------------------------------------------------------------------------

    @property
    def url(self) -> str:
        """Base URL while it is open."""
        if self._server is None:
            raise ConfigurationError("The simulator is not running.", hint="Use it as a context manager.")
        host, port = self._server.sockets[0].getsockname()[:2]
        return f"http://{f'[{host}]' if ':' in host else host}:{port}"

    def start(self) -> Self:
        """Listen, in a thread of its own.

        Raises:
            OSError: the port is taken.
        """
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="sluis-registry", daemon=True)
        self._thread.start()
        listening = asyncio.run_coroutine_threadsafe(
            asyncio.start_server(self._serve, self._host, self._port, limit=HEAD_LIMIT), self._loop
        )
        try:
            self._server = listening.result(timeout=10)
        except BaseException:
            self.stop()
            raise
        return self

    def stop(self) -> None:
        """Close every connection and end the thread; safe to call twice."""
        loop, thread = self._loop, self._thread
        if loop is None or thread is None:
            return
        asyncio.run_coroutine_threadsafe(self._wind_up(), loop).result(timeout=10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(timeout=10)
        loop.close()
        self._loop = self._thread = self._server = None

    async def _wind_up(self) -> None:
        if self._server is not None:
            self._server.close()
        tasks = list(self._handlers)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=2)
        await asyncio.sleep(0)  # lets aborted transports close their sockets

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is not None:
            self._handlers.add(task)
        with self._lock:
            self._connections += 1
        try:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
                while await self._exchange(reader, writer):
                    pass
        except asyncio.CancelledError:
            writer.transport.abort()
        finally:
            writer.close()
            if task is not None:
                self._handlers.discard(task)

    async def _exchange(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """One request and its answer; whether the connection goes on."""
        request = await read_request(reader)
        if request is None:
            return False
        with self._lock:
            self._in_flight += 1
            self._most_in_flight = max(self._most_in_flight, self._in_flight)
        try:
            wire = self._answer(request)
            return await send_wire(writer, wire, head_only=request.method == "HEAD") and request.keep_alive
        finally:
            with self._lock:
                self._in_flight -= 1

    def _answer(self, request: WireRequest) -> Wire:
        try:
            if request.path == "/_control":
                return self._control(request)
            if request.method not in ("GET", "HEAD"):
                return json_wire(405, {"title": "Method Not Allowed"})
            if request.path != "/uitspraken/content":
                return not_found()
            wire = self._content(request.query)
        except InputError as error:
            return json_wire(400, {"error": error.diagnostics()})
        return _delayed(wire, self.latency_ms / 1000)

    def _content(self, query: dict[str, str]) -> Wire:
        reference = query.get("id", "").upper()
        with self._lock:
            self._requests[reference] += 1
            data = self._records.get(reference)
            fault = self._faults.get(reference) or self._faults.get("*")
        if "fault" in query:
            fault = _Fault(name=query["fault"], options=query)
        if data is None:
            return not_found()
        if fault is not None:
            return wire_for(fault.name, Asked(ecli=reference, record=data, options=fault.options))
        return record(metadata_only(data) if query.get("return") == "META" else data)

    def _control(self, request: WireRequest) -> Wire:
        """``GET``: state and counts. ``POST`` of one JSON object: ``set_fault``, ``clear_faults``, ``withdraw``, ..."""
        if request.method == "POST":
            try:
                order = json.loads(request.body)
                self._obey(order)
            except (ValueError, TypeError, KeyError, AttributeError):
                return json_wire(400, {"error": {"message": "Not an order; see the documentation of the simulator."}})
        with self._lock:
            state = {
                "records": len(self._records),
                "faults": {key: fault.name for key, fault in self._faults.items()},
                "requests": dict(self._requests),
                "connections": self._connections,
                "latency_ms": self.latency_ms,
            }
        return json_wire(200, state)

    def _obey(self, order: dict[str, Any]) -> None:
        for name, value in order.items():
            if name == "set_fault":
                self.set_fault(value["reference"], value["fault"], **value.get("options", {}))
            elif name == "clear_faults":
                self.clear_faults()
            elif name == "withdraw":
                self.withdraw(value["reference"], by=value.get("by"))
            elif name == "remove":
                self.remove(value["reference"])
            elif name == "replace":
                self.replace(value["reference"], value["xml"].encode())
            elif name == "latency_ms":
                self.latency_ms = float(value)
            elif name == "reset_counts":
                self.reset_counts()
            else:
                raise KeyError(name)


_SMALL = {"bytes": "1"}
"""Options under which a fault is tried when it is set: a bomb is not built for that."""


def _delayed(wire: Wire, seconds: float) -> Wire:
    return replace(wire, delay_s=wire.delay_s + seconds) if seconds else wire
