"""The simulated register: faithful without faults, and broken in exactly the way that was ordered."""

from __future__ import annotations

import contextlib
import gzip
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from lxml import etree

from sluis.core import ConfigurationError
from sluis.simulators import FAULTS, NoRecordsError, RegistrySimulator, UnknownFaultError, UnknownRecordError
from sluis.simulators.registry_faults import Asked, Wire, wire_for
from sluis.sources import judge_ruling, parse_ruling

ECLI = "ECLI:NL:RBAMS:2098:101"


@pytest.fixture
def simulator(records: Path) -> Iterator[RegistrySimulator]:
    with RegistrySimulator(records) as running:
        yield running


@pytest.fixture
def ask(simulator: RegistrySimulator) -> Iterator[Any]:
    with httpx.Client(base_url=simulator.url, trust_env=False, timeout=5) as client:

        def get(query: str = f"id={ECLI}", path: str = "/uitspraken/content", method: str = "GET") -> httpx.Response:
            return client.request(method, f"{path}?{query}")

        yield get


def control(simulator: RegistrySimulator, order: object) -> httpx.Response:
    return httpx.post(f"{simulator.url}/_control", json=order, trust_env=False, timeout=5)


def raw(simulator: RegistrySimulator, data: bytes) -> bytes:
    parts = urlsplit(simulator.url)
    with socket.create_connection((parts.hostname, parts.port), timeout=5) as connection:
        connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)
        received = b""
        while piece := connection.recv(65536):
            received += piece
    return received


def test_a_record_is_served_byte_for_byte(ask: Any, records: Path, simulator: RegistrySimulator) -> None:
    answer = ask()
    assert answer.content == (records / "current.xml").read_bytes()
    assert answer.headers["content-type"] == "application/xml; charset=utf-8"
    assert ask(f"id={ECLI.lower()}").content == answer.content
    assert simulator.requests == {ECLI: 2}
    assert (simulator.connections, simulator.most_in_flight) == (1, 1)


def test_an_unknown_reference_is_404_in_json(ask: Any, simulator: RegistrySimulator) -> None:
    for answer in (ask("id=ECLI:NL:HR:2099:999"), ask(""), ask(path="/elders")):
        assert (answer.status_code, answer.json()) == (404, {"title": "Not Found"})
    assert simulator.requests == {"ECLI:NL:HR:2099:999": 1, "": 1}
    simulator.reset_counts()
    assert (simulator.requests, simulator.connections) == ({}, 0)


def test_metadata_alone(ask: Any) -> None:
    ruling = parse_ruling(ask(f"id={ECLI}&return=META").content)
    assert (ruling.ecli, ruling.has_text, ruling.abstract) == (ECLI, False, "")


def test_head_and_other_methods(ask: Any, records: Path) -> None:
    head = ask(method="HEAD")
    assert head.headers["content-length"] == str(len((records / "current.xml").read_bytes()))
    assert ask(method="DELETE").status_code == 405


def test_files_that_are_no_records_are_left_out(tmp_path: Path, records: Path) -> None:
    with pytest.raises(NoRecordsError):
        RegistrySimulator(tmp_path)
    (tmp_path / "list.xml").write_text("<Instanties/>")
    with pytest.raises(NoRecordsError):
        RegistrySimulator(tmp_path)
    (tmp_path / "a.xml").write_bytes((records / "current.xml").read_bytes())
    simulator = RegistrySimulator(tmp_path)
    assert (simulator.references, simulator.skipped) == ((ECLI,), ["list.xml"])


def test_it_has_a_url_only_while_it_runs(records: Path) -> None:
    simulator = RegistrySimulator(records)
    with pytest.raises(ConfigurationError):
        _ = simulator.url
    simulator.stop()
    with simulator:
        assert simulator.url.startswith("http://127.0.0.1:")
    simulator.stop()
    with pytest.raises(ConfigurationError):
        _ = simulator.url


def test_it_listens_on_ipv6_too(records: Path) -> None:
    try:
        running = RegistrySimulator(records, host="::1").start()
    except OSError:
        pytest.skip("this machine has no IPv6 loopback")
    try:
        assert running.url.startswith("http://[::1]:")
        assert httpx.get(f"{running.url}/uitspraken/content?id={ECLI}", trust_env=False).status_code == 200
    finally:
        running.stop()


def test_a_port_that_is_taken_is_said_and_leaves_no_thread(simulator: RegistrySimulator, records: Path) -> None:
    second = RegistrySimulator(records, port=urlsplit(simulator.url).port or 0)
    with pytest.raises(OSError, match="address already in use"):
        second.start()
    with pytest.raises(ConfigurationError):
        _ = second.url


def test_withdrawing_changes_the_relation_and_nothing_of_the_text(ask: Any, simulator: RegistrySimulator) -> None:
    before = parse_ruling(ask().content)
    simulator.withdraw(ECLI, by="ECLI:NL:RBAMS:2099:1")
    after = parse_ruling(ask().content)
    assert after.paragraphs == before.paragraphs
    assert [(item.type, item.direction, item.target) for item in after.relations] == [
        ("vervallenverklaring", "later", "ECLI:NL:RBAMS:2099:1")
    ]
    assert judge_ruling(after, ECLI).reason == "void"


def test_a_later_instance_can_be_added(ask: Any, simulator: RegistrySimulator) -> None:
    simulator.relate(ECLI, "hogerBeroep", outcome="(Gedeeltelijke) vernietiging")
    assert judge_ruling(parse_ruling(ask().content), ECLI).reason == "overturned"
    simulator.relate("ECLI:NL:HR:2099:502", "cassatie", to="ECLI:NL:GHAMS:2098:9", later=False)
    assert judge_ruling(parse_ruling(ask("id=ECLI:NL:HR:2099:502").content), "ECLI:NL:HR:2099:502").reason == "current"


def test_replacing_and_removing(ask: Any, simulator: RegistrySimulator) -> None:
    simulator.replace("ecli:nl:hr:2099:7", b"<x/>")
    assert ask("id=ECLI:NL:HR:2099:7").content == b"<x/>"
    simulator.remove("ECLI:NL:HR:2099:7")
    assert ask("id=ECLI:NL:HR:2099:7").status_code == 404
    for change in (simulator.remove, simulator.withdraw):
        with pytest.raises(UnknownRecordError):
            change("ECLI:NL:HR:2099:7")
    simulator.replace(ECLI, b"<x/>")
    with pytest.raises(UnknownRecordError):
        simulator.withdraw(ECLI)


def test_faults_by_reference_for_all_and_by_query(ask: Any, simulator: RegistrySimulator) -> None:
    simulator.set_fault("*", "http_500")
    simulator.set_fault(ECLI.lower(), "http_429", retry_after="1m30s")
    limited = ask()
    assert (limited.status_code, limited.headers["retry-after"]) == (429, "1m30s")
    assert ask("id=ECLI:NL:HR:2099:502").status_code == 500
    assert ask(f"id={ECLI}&fault=html").headers["content-type"].startswith("text/html")
    simulator.clear_faults()
    assert ask().status_code == 200


def test_a_fault_that_does_not_exist_is_refused_everywhere(ask: Any, simulator: RegistrySimulator) -> None:
    for name in ("htpp_500", "http_", "http_1000", "http_099", "http_x", ""):
        with pytest.raises(UnknownFaultError):
            simulator.set_fault(ECLI, name)
    for options in ({"pause_ms": "soon"}, {"pause_ms": "-1"}, {"pause_ms": "inf"}, {"pause_ms": "nan"}):
        with pytest.raises(UnknownFaultError):
            simulator.set_fault(ECLI, "slow_drip", **options)
    answer = ask(f"id={ECLI}&fault=nothing")
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == "usage.input.unknown_fault"


def test_the_control_endpoint(ask: Any, simulator: RegistrySimulator) -> None:
    order = {"set_fault": {"reference": ECLI, "fault": "slow_drip", "options": {"pause_ms": 1}}, "latency_ms": 2}
    state = control(simulator, order).json()
    assert (state["faults"], state["latency_ms"]) == ({ECLI: "slow_drip"}, 2)
    assert ask().status_code == 200
    assert ask(path="/_control").json()["requests"] == {ECLI: 1}
    assert control(simulator, {"clear_faults": True, "reset_counts": True}).json()["requests"] == {}
    control(simulator, {"withdraw": {"reference": ECLI}, "replace": {"reference": "X", "xml": "<x/>"}})
    assert judge_ruling(parse_ruling(ask().content), ECLI).reason == "void"
    assert ask("id=X").content == b"<x/>"
    control(simulator, {"remove": {"reference": "X"}})
    assert ask("id=X").status_code == 404


@pytest.mark.parametrize(
    "order", [[], "text", {"explode": 1}, {"set_fault": {}}, {"latency_ms": "x"}, {"set_fault": 1}]
)
def test_an_order_that_is_none_is_refused(order: object, simulator: RegistrySimulator) -> None:
    assert control(simulator, order).status_code == 400


def test_an_order_for_what_is_not_there_says_so(simulator: RegistrySimulator) -> None:
    answer = control(simulator, {"withdraw": {"reference": "X"}})
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "usage.input.unknown_record")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        b"GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 100\r\n\r\nshort",
        b"GET / HTTP/1.1\r\n" + b"X: " + b"y" * 200_000,
    ],
)
def test_noise_ends_the_connection_and_not_the_simulator(data: bytes, ask: Any, simulator: RegistrySimulator) -> None:
    with contextlib.suppress(OSError):  # it may have hung up before all was sent
        assert raw(simulator, data) == b""
    assert ask().status_code == 200


def test_a_connection_is_closed_when_the_client_asks_so(simulator: RegistrySimulator) -> None:
    for line in (b"GET /x HTTP/1.0\r\n\r\n", b"GET /x HTTP/1.1\r\nConnection: close\r\n\r\n"):
        assert raw(simulator, line * 2).count(b"HTTP/1.1 404 Not Found") == 1
    assert raw(simulator, b"GET /x HTTP/1.1\r\n\r\n" * 2).count(b"HTTP/1.1 404 Not Found") == 2


def test_stopping_in_the_middle_of_an_answer(records: Path) -> None:
    simulator = RegistrySimulator(records).start()
    simulator.set_fault(ECLI, "stall")
    parts = urlsplit(simulator.url)
    with socket.create_connection((parts.hostname, parts.port), timeout=5) as connection:
        connection.sendall(f"GET /uitspraken/content?id={ECLI} HTTP/1.1\r\n\r\n".encode())
        while not simulator.requests:
            pass
        simulator.stop()
        assert connection.recv(100) == b""


def test_latency_is_waited_before_the_answer(ask: Any, simulator: RegistrySimulator) -> None:
    ask()
    simulator.latency_ms = 60
    assert ask().elapsed.total_seconds() >= 0.06


@pytest.mark.parametrize("fault", ["reset", "reset_midway", "short_body", "garbage"])
def test_a_broken_connection_is_broken(fault: str, ask: Any, simulator: RegistrySimulator) -> None:
    simulator.set_fault(ECLI, fault)
    with pytest.raises(httpx.TransportError):
        ask()
    simulator.clear_faults()
    assert ask().status_code == 200


def test_a_drip_is_whole_in_the_end(ask: Any, simulator: RegistrySimulator, records: Path) -> None:
    simulator.set_fault(ECLI, "slow_drip", pause_ms=0.1)
    assert ask().content == (records / "current.xml").read_bytes()
    assert ask(f"id={ECLI}&fault=no_content").status_code == 204


FAULT_SHAPES: dict[str, Callable[[Wire], bool]] = {
    "redirect": lambda wire: wire.headers["Location"].startswith("http://169.254."),
    "slow_drip": lambda wire: wire.drip_s > 0 and len(wire.body) / wire.piece * wire.drip_s > 0.8,
    "stall": lambda wire: wire.delay_s > 0.8,
    "reset": lambda wire: wire.reset and wire.cut_at is None,
    "reset_midway": lambda wire: wire.reset and 0 < (wire.cut_at or 0) < len(wire.body),
    "short_body": lambda wire: not wire.reset and 0 < (wire.cut_at or 0) < len(wire.body),
    "oversize": lambda wire: len(wire.body) > 8 * 1024 * 1024,
    "gzip_bomb": lambda wire: len(wire.body) < 200_000 and len(gzip.decompress(wire.body)) > 8 * 1024 * 1024,
    "entity_bomb": lambda wire: wire.body.count(b"<!ENTITY") == 9,
    "external_entity": lambda wire: b'SYSTEM "file:' in wire.body,
    "wrong_record": lambda wire: parse_ruling(wire.body).ecli == "ECLI:NL:HR:1900:1",
    "metadata_only": lambda wire: not parse_ruling(wire.body).has_text,
    "utf16": lambda wire: etree.fromstring(wire.body.decode("utf-16").encode()).tag == "open-rechtspraak",
}


@pytest.mark.parametrize("name", FAULT_SHAPES)
def test_a_fault_is_what_it_says(name: str, records: Path) -> None:
    assert name in FAULTS
    record = (records / "current.xml").read_bytes()
    assert FAULT_SHAPES[name](wire_for(name, Asked(ecli=ECLI, record=record, options={})))


def test_a_wrong_status_comes_with_a_right_record(records: Path) -> None:
    record = (records / "current.xml").read_bytes()
    wire = wire_for("http_503", Asked(ecli=ECLI, record=record, options={}))
    assert (wire.status, wire.body) == (503, record)
