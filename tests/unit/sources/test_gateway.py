"""The gate: all at once, one deadline, and nothing that is not live ever passes as live."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from sluis.core import Citation, ClockWentBackwardsError, ConfigurationError, ManualClock, SourceState, SourceStatus
from sluis.simulators import FAULTS, RegistrySimulator
from sluis.sources import (
    LIVE_KINDS,
    ClientClosedError,
    DuplicateSourceError,
    EcliSource,
    Gateway,
    Judgement,
    SourceClient,
    SourceFaultError,
    UnknownSourceKindError,
    open_gateway,
)

NOW = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
CURRENT = "ECLI:NL:RBAMS:2098:101"


def ecli(value: str = CURRENT) -> Citation:
    return Citation(kind="ecli", value=value)


def only(statuses: Any) -> SourceStatus:
    (status,) = statuses.values()
    assert isinstance(status, SourceStatus)
    return status


MATRIX: dict[str, tuple[str, str]] = {
    "not_found": ("not_found", "not_found"),
    "html": ("unverifiable", "not_xml"),
    "challenge": ("unverifiable", "challenge_page"),
    "challenge_403": ("unverifiable", "challenge_page"),
    "login": ("unverifiable", "redirect"),
    "redirect": ("unverifiable", "redirect"),
    "no_content": ("unverifiable", "http_204"),
    "empty": ("unverifiable", "empty_body"),
    "json": ("unverifiable", "not_xml"),
    "no_type": ("unverifiable", "not_xml"),
    "slow_drip": ("unverifiable", "timeout"),
    "stall": ("unverifiable", "timeout"),
    "reset": ("unverifiable", "connection"),
    "reset_midway": ("unverifiable", "connection"),
    "short_body": ("unverifiable", "connection"),
    "garbage": ("unverifiable", "connection"),
    "truncated_xml": ("unverifiable", "malformed_xml"),
    "entity_bomb": ("unverifiable", "forbidden_doctype"),
    "external_entity": ("unverifiable", "forbidden_doctype"),
    "utf16": ("unverifiable", "malformed_xml"),
    "other_xml": ("unverifiable", "not_a_record"),
    "wrong_record": ("unverifiable", "wrong_record"),
    "metadata_only": ("unverifiable", "no_text"),
    "oversize": ("unverifiable", "too_large"),
    "gzip_bomb": ("unverifiable", "too_large"),
    "bad_gzip": ("unverifiable", "bad_encoding"),
    "cut_gzip": ("unverifiable", "bad_encoding"),
    "strange_encoding": ("unverifiable", "bad_encoding"),
    "http_301": ("unverifiable", "redirect"),
    "http_304": ("unverifiable", "http_304"),
    "http_403": ("unverifiable", "http_403"),
    "http_410": ("unverifiable", "http_410"),
    "http_429": ("unverifiable", "http_429"),
    "http_500": ("unverifiable", "http_500"),
    "http_503": ("unverifiable", "http_503"),
}
OPTIONS: dict[str, dict[str, object]] = {
    "oversize": {"bytes": 40_000},
    "gzip_bomb": {"bytes": 5_000_000},
    "http_429": {"retry_after": "1m30s"},
    "http_301": {},
}


def test_the_matrix_holds_every_fault_of_the_simulator() -> None:
    assert set(FAULTS) <= set(MATRIX)


@pytest.fixture(scope="module")
def faulty(records: Path) -> Iterator[tuple[RegistrySimulator, Gateway]]:
    """A register with a small cap, so that the bombs of the test are small as well."""
    with RegistrySimulator(records) as simulator:
        source = EcliSource(simulator.url)
        client = SourceClient(private_hosts=source.private_hosts, max_bytes=32_000)
        with Gateway((source,), client, ManualClock(NOW)) as gateway:
            yield simulator, gateway


@pytest.mark.parametrize("fault", MATRIX)
async def test_no_fault_of_the_wire_is_ever_live(fault: str, faulty: tuple[RegistrySimulator, Gateway]) -> None:
    simulator, gateway = faulty
    simulator.clear_faults()
    simulator.set_fault(CURRENT, fault, **OPTIONS.get(fault, {}))
    started = time.monotonic()
    statuses = await gateway.statuses((ecli("ECLI:NL:HR:2099:502"), ecli(), ecli("ECLI:NL:RBAMS:2098:600")))
    assert time.monotonic() - started < 1.1
    status = statuses[ecli()]
    assert (status.status.value, status.reason) == MATRIX[fault]
    assert status.transient is (status.reason not in ("not_found", "no_text"))
    # A fault of one is no fault of its neighbours.
    assert [item.status for key, item in statuses.items() if key != ecli()] == [SourceState.LIVE] * 2


def test_the_same_register_without_faults_is_live(faulty: tuple[RegistrySimulator, Gateway]) -> None:
    simulator, gateway = faulty
    simulator.clear_faults()
    status = only(gateway.statuses_sync((ecli(),)))
    assert (status.status, status.reason, status.transient) == (SourceState.LIVE, "current", False)
    assert status.source == f"{simulator.url}/uitspraken/content?id={CURRENT}"
    assert status.checked_at == NOW
    assert status.digest is not None


def test_a_record_that_becomes_void_is_seen_at_once(simulator: RegistrySimulator, gateway: Gateway) -> None:
    before = only(gateway.statuses_sync((ecli(),)))
    simulator.withdraw(CURRENT)
    after = only(gateway.statuses_sync((ecli(),)))
    assert (before.status, after.status) == (SourceState.LIVE, SourceState.WITHDRAWN)
    assert before.digest != after.digest
    simulator.remove(CURRENT)
    assert only(gateway.statuses_sync((ecli(),))).status is SourceState.NOT_FOUND


def test_one_request_for_a_reference_however_often_it_is_asked(simulator: RegistrySimulator, gateway: Gateway) -> None:
    spellings = (ecli(), ecli(CURRENT.lower()), ecli("Ecli:nl:RBAMS:2098:101"), ecli())
    statuses = gateway.statuses_sync(spellings)
    assert simulator.requests == {CURRENT: 1}
    assert set(statuses) == set(spellings)
    assert {status.value for status in statuses.values()} == {CURRENT}


def test_references_are_asked_in_parallel_under_one_deadline(simulator: RegistrySimulator, gateway: Gateway) -> None:
    simulator.latency_ms = 150
    references = simulator.references
    gateway.statuses_sync((ecli(),))
    started = time.monotonic()
    statuses = gateway.statuses_sync(tuple(map(ecli, references)))
    assert time.monotonic() - started < 0.6
    assert len(references) > 14
    assert simulator.most_in_flight == len(references)
    assert all(status.reason != "timeout" for status in statuses.values())
    assert all(status.elapsed_ms >= 150 for status in statuses.values())


def test_a_slow_drip_does_not_outlive_the_deadline_of_the_gate(simulator: RegistrySimulator) -> None:
    simulator.set_fault(CURRENT, "slow_drip", pause_ms=20)
    with open_gateway({"ecli": simulator.url}, budget_seconds=0.25) as gateway:
        gateway.statuses_sync((ecli("ECLI:NL:RBAMS:2098:600"),))
        started = time.monotonic()
        statuses = gateway.statuses_sync((ecli(), ecli("ECLI:NL:RBAMS:2098:600")))
        assert 0.25 <= time.monotonic() - started < 0.7
    assert statuses[ecli()].reason == "timeout"
    assert statuses[ecli()].elapsed_ms >= 250
    assert statuses[ecli("ECLI:NL:RBAMS:2098:600")].status is SourceState.LIVE


def test_connections_are_used_again_from_every_loop_and_thread(simulator: RegistrySimulator, gateway: Gateway) -> None:
    results: list[SourceStatus] = []

    def run() -> None:
        results.append(only(asyncio.run(gateway.statuses((ecli(),)))))

    for _ in range(3):
        run()
        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
        results.append(only(gateway.statuses_sync((ecli(),))))
    assert [status.status for status in results] == [SourceState.LIVE] * 9
    assert simulator.requests == {CURRENT: 9}
    assert simulator.connections == 1


async def test_many_gates_at_once(simulator: RegistrySimulator, gateway: Gateway) -> None:
    asked = (ecli(), ecli("ECLI:NL:CRVB:2098:201"))
    answers = await asyncio.gather(*(gateway.statuses(asked) for _ in range(20)))
    assert {tuple(status.reason for status in answer.values()) for answer in answers} == {("current", "void")}


def test_a_kind_without_a_source_and_a_malformed_reference_are_not_asked(
    simulator: RegistrySimulator, gateway: Gateway
) -> None:
    asked = (Citation(kind="doi", value="10.1/x"), ecli("ECLI:NL:HR:2099:1/../x"), ecli("ECLI:CE:ECHR:2026:1JUD"))
    reasons = [status.reason for status in gateway.statuses_sync(asked).values()]
    assert reasons == ["no_source_for_kind", "malformed_reference", "outside_register"]
    assert simulator.requests == {}


async def test_nothing_asked_opens_nothing() -> None:
    threads = threading.active_count()
    with open_gateway() as gateway:
        assert dict(await gateway.statuses(())) == {}
        assert dict(gateway.statuses_sync((Citation(kind="doi", value="x"),)))
        assert threading.active_count() == threads


class Scripted:
    """A source that does what it is told."""

    kind = "ecli"
    private_hosts: frozenset[str] = frozenset()

    def __init__(self, act: Callable[[], Any]) -> None:
        self.act = act

    def normalise(self, value: str) -> str | None:
        return value

    def url(self, value: str) -> str:
        return f"https://register.test/{value}"

    async def status(self, value: str, *, client: SourceClient) -> Judgement:
        result = self.act()
        if hasattr(result, "__await__"):
            result = await result
        assert isinstance(result, Judgement)
        return result


def failing(error: BaseException) -> Callable[[], Any]:
    def act() -> Any:
        raise error

    return act


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (ZeroDivisionError("secret"), "source_error"),
        (asyncio.CancelledError(), "source_error"),
        (SourceFaultError("too_large", digest="sha256:" + "1" * 64), "too_large"),
    ],
)
async def test_an_adapter_that_fails_is_unverifiable(error: BaseException, expected: str) -> None:
    with Gateway((Scripted(failing(error)),)) as gateway:
        status = only(await gateway.statuses((ecli(),)))
    assert (status.status, status.reason, status.transient) == (SourceState.UNVERIFIABLE, expected, True)
    assert "secret" not in status.detail


async def test_an_adapter_that_blocks_the_loop_does_not_block_the_gate() -> None:
    def block() -> Judgement:
        time.sleep(0.6)
        return Judgement(reason="current")

    with Gateway((Scripted(block),), budget_seconds=0.1) as gateway:
        await asyncio.to_thread(gateway._client.start)
        for answer in (gateway.statuses, lambda asked: asyncio.to_thread(gateway.statuses_sync, asked)):
            started = time.monotonic()
            status = only(await answer((ecli(),)))
            assert time.monotonic() - started < 0.4
            assert (status.status, status.reason) == (SourceState.UNVERIFIABLE, "timeout")


async def test_an_adapter_that_swallows_cancellation_does_not_hold_the_gate() -> None:
    async def stubborn() -> Judgement:
        for _ in range(3):
            try:
                await asyncio.sleep(0.3)
            except asyncio.CancelledError:
                continue
        return Judgement(reason="current")

    with Gateway((Scripted(stubborn),), budget_seconds=0.1) as gateway:
        status = only(await gateway.statuses((ecli(),)))
        assert status.reason == "timeout"


async def test_closing_while_a_gate_waits_is_no_answer() -> None:
    async def wait() -> Judgement:
        await asyncio.sleep(10)
        return Judgement(reason="current")

    gateway = Gateway((Scripted(wait),), budget_seconds=5)
    await asyncio.to_thread(gateway._client.start)
    asking = asyncio.ensure_future(gateway.statuses((ecli(),)))
    await asyncio.sleep(0.2)
    started = time.monotonic()
    await asyncio.to_thread(gateway.close)
    status = only(await asking)
    assert time.monotonic() - started < 2
    assert (status.status, status.reason) == (SourceState.UNVERIFIABLE, "timeout")


async def test_a_caller_that_gives_up_stops_the_questions(simulator: RegistrySimulator) -> None:
    simulator.set_fault("*", "stall")
    with open_gateway({"ecli": simulator.url}, budget_seconds=5) as gateway:
        asking = asyncio.ensure_future(gateway.statuses((ecli(),)))
        while not simulator.requests:
            await asyncio.sleep(0.01)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        assert only(await gateway.statuses((Citation(kind="x", value="y"),))).reason == "no_source_for_kind"


async def test_after_closing_nothing_is_asked(simulator: RegistrySimulator) -> None:
    gateway = open_gateway({"ecli": simulator.url})
    gateway.statuses_sync((ecli(),))
    gateway.close()
    gateway.close()
    with pytest.raises(ClientClosedError):
        await gateway.statuses((ecli(),))
    with pytest.raises(ClientClosedError):
        gateway.statuses_sync((ecli(),))


def test_no_thread_is_left_behind(simulator: RegistrySimulator) -> None:
    before = set(threading.enumerate())
    for _ in range(3):
        with open_gateway({"ecli": simulator.url}) as gateway:
            gateway.statuses_sync((ecli(), ecli("ECLI:NL:CRVB:2098:201")))
    assert set(threading.enumerate()) - before == set()


def test_a_clock_that_went_backwards_is_not_papered_over(simulator: RegistrySimulator) -> None:
    class Backwards(ManualClock):
        def now(self) -> datetime:
            raise ClockWentBackwardsError("The clock went backwards.")

    with open_gateway({"ecli": simulator.url}, clock=Backwards(NOW)) as gateway, pytest.raises(ClockWentBackwardsError):
        gateway.statuses_sync((ecli(),))


def test_a_large_record_is_judged_in_a_thread(simulator: RegistrySimulator, gateway: Gateway, record: Any) -> None:
    data = record("current")
    filler = b"<para>" + b"woord " * 60_000 + b"</para>"
    simulator.replace(CURRENT, data.replace(b"<para/>", filler, 1))
    assert only(gateway.statuses_sync((ecli(),))).status is SourceState.LIVE
    simulator.replace(CURRENT, data.replace(b"<para/>", filler, 1)[:-30])
    assert only(gateway.statuses_sync((ecli(),))).reason == "malformed_xml"


def test_a_private_host_that_was_not_named_is_refused(simulator: RegistrySimulator) -> None:
    source = EcliSource(simulator.url)
    with Gateway((source,), SourceClient()) as gateway:
        status = only(gateway.statuses_sync((ecli(),)))
    assert (status.status, status.reason) == (SourceState.UNVERIFIABLE, "forbidden_address")
    assert simulator.requests == {}


def test_a_register_that_is_not_there_is_unverifiable() -> None:
    with open_gateway({"ecli": "http://127.0.0.1:1"}) as gateway:
        assert only(gateway.statuses_sync((ecli(),))).reason == "connection"


def test_a_reference_as_a_person_types_it() -> None:
    with open_gateway() as gateway:
        assert gateway.read(" ecli:nl:hr:2019:1278 ") == ecli("ECLI:NL:HR:2019:1278")
        assert gateway.read("HR 2019") is None
        assert gateway.kinds == LIVE_KINDS


@pytest.mark.parametrize("budget", [0, -1, float("inf"), float("nan")])
def test_a_budget_that_is_none_is_refused(budget: float) -> None:
    with pytest.raises(ConfigurationError):
        Gateway((), budget_seconds=budget)


def test_two_sources_for_a_kind_and_a_url_for_an_unknown_kind_are_refused() -> None:
    with pytest.raises(DuplicateSourceError):
        Gateway((EcliSource(), EcliSource()))
    with pytest.raises(UnknownSourceKindError):
        open_gateway({"doi": "https://doi.test"})
