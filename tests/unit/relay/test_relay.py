"""What the relay looks at again before it hands over, and what each answer does to the row."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from sluis.core import (
    ActionKind,
    Citation,
    Manifest,
    Marker,
    SourceState,
    SourceStatus,
    Waiver,
    digest_text,
    evidence_digest,
)
from sluis.evals.desk import LIFE_S, TEXT, Desk
from sluis.evals.world import PINS, RULING, FixedSources, chunk
from sluis.ledger import ClaimLostError, OutboxState, OutboxStep
from sluis.ledger.outbox import LEASE_SECONDS
from sluis.permits import Keyring, Permit, generate_key
from sluis.relay import (
    Ending,
    FileTransport,
    Guard,
    Handover,
    LeaseTooShortError,
    NotHandedOverError,
    Relay,
    RowMismatchError,
    Transport,
    WrongTransportError,
)

ECLI = Citation(kind="ecli", value=RULING)


class Hatch(Transport):
    """Notes what it would have handed over, or does what the test says."""

    kind = ActionKind.DOCUMENT

    def __init__(self, guard: Guard, does: Callable[[], Handover] | None = None) -> None:
        super().__init__(guard=guard)
        self.sent: list[bytes] = []
        self.does = does or (lambda: Handover(ending=Ending.SENT, reason="sent"))

    def _send(self, permit: Permit, envelope: bytes, payload: bytes, *, key: str) -> Handover:
        handover = self.does()
        self.sent.append(payload)
        return handover


@dataclass
class Office:
    """A desk whose chunk serves, a relay over it, and one admitted action."""

    desk: Desk
    sources: FixedSources
    manifest: list[Any]
    hatch: Hatch
    relay: Relay
    key: str = ""

    def admit(self, **changes: Any) -> str:
        run_id = self.desk.run("answer.md")
        fields = {
            "fingerprint": self.desk.ledger.register.fingerprint("world-1"),
            "pins": (PINS,),
            "chunks": ((chunk().chunk_id, chunk().content_digest),),
            "citations": (ECLI,),
        }
        permit = self.desk.permit(run_id, **{**fields, **changes})
        (self.key,) = self.desk.ledger.outbox.admit((self.desk.entry(permit),))
        return self.key

    def run(self, *, after: float = 91) -> tuple[str, str]:
        """One pass; the state and reason of the row after it."""
        self.desk.clock.advance(after)
        self.relay.run_once()
        row = self.desk.ledger.outbox.get(self.key)
        return row.state.value, row.reason


@pytest.fixture
def office(desk: Desk) -> Office:
    desk.ledger.register.upsert_chunks("world-1", (chunk(),))
    desk.ledger.register.swap_alias("live", None, "world-1")
    manifest = Manifest(
        fingerprints=(desk.ledger.register.fingerprint("world-1"),), pins=(PINS,), policies=(digest_text("policy"),)
    )
    hatch = Hatch(Guard(ledger=desk.ledger, keyring=desk.keyring, clock=desk.clock))
    sources = FixedSources(desk.clock)
    kept: list[Any] = [manifest]

    def in_force() -> Manifest:
        if isinstance(kept[0], Exception):
            raise kept[0]
        assert isinstance(kept[0], Manifest)
        return kept[0]

    relay = Relay(desk.ledger, desk.keyring, {ActionKind.DOCUMENT: hatch}, sources, in_force, desk.clock)
    return Office(desk=desk, sources=sources, manifest=kept, hatch=hatch, relay=relay)


def test_what_still_holds_goes_out_once(office: Office) -> None:
    office.admit()
    assert office.run(after=89) == ("held", "")
    assert office.run(after=2) == ("sent", "sent")
    assert office.run(after=5000) == ("sent", "sent")
    assert office.hatch.sent == [TEXT]
    assert office.sources.asked == [ECLI]


async def test_a_pass_in_an_asynchronous_program_is_the_same(office: Office) -> None:
    office.admit()
    office.desk.clock.advance(91)
    (delivery,) = await office.relay.arun_once()
    assert delivery.state is OutboxState.SENT
    assert delivery.to_json() == {
        "key": office.key,
        "run_id": delivery.run_id,
        "kind": "document",
        "recipient": "answer.md",
        "state": "sent",
        "reason": "sent",
        "attempts": 1,
    }


def _manifest(**changes: Any) -> Callable[[Office], None]:
    def change(office: Office) -> None:
        office.manifest[0] = office.manifest[0].model_copy(update=changes)

    return change


def _says(state: SourceState, reason: str) -> Callable[[Office], None]:
    return lambda office: office.sources.says.update({RULING: (state, reason)})


def _marker(marker: Marker) -> Callable[[Office], None]:
    return lambda office: office.desk.ledger.register.set_marker(RULING, marker, "x")


def _breaks(error: Exception) -> Callable[[Office], None]:
    def change(office: Office) -> None:
        office.manifest[0] = error

    return change


def _no_answer(office: Office) -> None:
    async def statuses(citations: tuple[Citation, ...]) -> Mapping[Citation, SourceStatus]:
        return {}

    office.sources.statuses = statuses  # type: ignore[method-assign]


def _wrong_answer(office: Office) -> None:
    right = office.sources.statuses

    async def statuses(citations: tuple[Citation, ...]) -> Mapping[Citation, SourceStatus]:
        answers = await right(citations)
        return {key: status.model_copy(update={"value": "ECLI:NL:HR:2024:1"}) for key, status in answers.items()}

    office.sources.statuses = statuses  # type: ignore[method-assign]


def _sources_break(office: Office) -> None:
    async def statuses(citations: tuple[Citation, ...]) -> Mapping[Citation, SourceStatus]:
        raise RuntimeError("de tekst van het concept")

    office.sources.statuses = statuses  # type: ignore[method-assign]


def _another_index_serves(office: Office) -> None:
    register = office.desk.ledger.register
    register.upsert_chunks("world-2", (chunk("Een andere tekst."),))
    register.swap_alias("live", "world-1", "world-2")


# What changed after the action was admitted, and the state and reason of its row. Nothing may go out.
CHANGES: dict[str, tuple[Callable[[Office], None], str, str]] = {
    "another index is allowed": (_manifest(fingerprints=()), "review", "unknown_fingerprint"),
    "another pin set is allowed": (_manifest(pins=()), "review", "unknown_pins"),
    "another policy is allowed": (_manifest(policies=()), "review", "unknown_policy"),
    "the manifest cannot be read": (_breaks(RuntimeError("x")), "deferred", "recheck_error"),
    "the chunk's text is another": (_another_index_serves, "review", "content_changed"),
    "the source was withdrawn": (_marker(Marker.WITHDRAWN), "review", "marker_withdrawn"),
    "the source is not known any more": (_marker(Marker.UNKNOWN), "review", "marker_unknown"),
    "the register says void": (_says(SourceState.WITHDRAWN, "void"), "review", "void"),
    "the register says replaced": (_says(SourceState.SUPERSEDED, "replaced"), "review", "replaced"),
    "the register does not know it": (_says(SourceState.NOT_FOUND, "http_404"), "review", "http_404"),
    "its appeal is unknown": (
        _says(SourceState.UNVERIFIABLE, "later_outcome_unknown"),
        "review",
        "later_outcome_unknown",
    ),
    "the register does not answer": (_says(SourceState.UNVERIFIABLE, "timeout"), "deferred", "timeout"),
    "nothing was said of it": (_no_answer, "deferred", "not_answered"),
    "something was said of another": (_wrong_answer, "deferred", "wrong_answer"),
    "the sources break": (_sources_break, "deferred", "recheck_error"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_changed_keeps_it_in(what: str, office: Office) -> None:
    change, state, reason = CHANGES[what]
    office.admit()
    change(office)
    assert office.run() == (state, reason)
    assert office.hatch.sent == []


# What a permit, rightly signed, may not say.
PERMITS: dict[str, tuple[dict[str, Any], str, str]] = {
    "no pin set": ({"pins": ()}, "review", "mixed_pins"),
    "two pin sets": ({"pins": (PINS, digest_text("other"))}, "review", "mixed_pins"),
    "no chunk": ({"chunks": ()}, "review", "no_chunks"),
    "a chunk that nobody knows": ({"chunks": (("c", digest_text("c")),)}, "review", "unknown_chunk"),
}


@pytest.mark.parametrize("what", PERMITS)
def test_what_a_permit_says_is_not_enough(what: str, office: Office) -> None:
    changes, state, reason = PERMITS[what]
    office.admit(**changes)
    assert office.run() == (state, reason)
    assert office.hatch.sent == []


def test_a_permit_past_its_end_is_refused_for_good(office: Office) -> None:
    office.admit()
    assert office.run(after=LIFE_S) == ("failed", "permit_expired")


def test_a_permit_that_is_good_later_waits(office: Office) -> None:
    office.admit()
    office.desk.clock.step(-50)
    office.desk.clock.advance(91)
    assert office.relay.run_once() == ()
    assert office.run(after=50)[0] == "sent"


def test_a_citation_without_a_live_source_was_settled_before(office: Office) -> None:
    office.admit(citations=(Citation(kind="file", value="voorwaarden.md"),))
    assert office.run() == ("sent", "sent")
    assert office.sources.asked == []


def _waived(office: Office, **changes: Any) -> Waiver:
    status = office.sources._status(ECLI)
    fields: dict[str, Any] = {
        "check": "citations.live",
        "reason": status.reason,
        "subject_digest": digest_text(RULING),
        "evidence_digest": evidence_digest(status.evidence()),
        "reviewer": "t.voorbeeld",
        "review_id": "review_1",
    }
    return Waiver(**{**fields, **changes})


def _admit_waived(office: Office, waiver: Waiver) -> None:
    run_id = office.desk.run("answer.md")
    verdict = office.desk.verdict(run_id, waivers=(waiver,))
    permit = office.desk.permit(
        run_id,
        verdict=verdict,
        waivers=(waiver,),
        fingerprint=office.manifest[0].fingerprints[0],
        pins=(PINS,),
        chunks=((chunk().chunk_id, chunk().content_digest),),
        citations=(ECLI,),
    )
    (office.key,) = office.desk.ledger.outbox.admit((office.desk.entry(permit),))


def test_what_a_person_weighed_goes_out_while_the_source_says_the_same(office: Office) -> None:
    _says(SourceState.UNVERIFIABLE, "later_outcome_unknown")(office)
    _admit_waived(office, _waived(office))
    assert office.run() == ("sent", "sent")


@pytest.mark.parametrize(
    "changes",
    [{"check": "values.supported"}, {"reason": "metadata_only"}, {"evidence_digest": digest_text("other")}],
)
def test_a_waiver_of_something_else_lets_nothing_pass(changes: dict[str, Any], office: Office) -> None:
    _says(SourceState.UNVERIFIABLE, "later_outcome_unknown")(office)
    _admit_waived(office, _waived(office, **changes))
    assert office.run() == ("review", "later_outcome_unknown")


def test_a_waiver_of_what_nobody_may_weigh_lets_nothing_pass(office: Office) -> None:
    _says(SourceState.UNVERIFIABLE, "wrong_record")(office)
    _admit_waived(office, _waived(office))
    assert office.run()[0] != "sent"
    assert office.hatch.sent == []


def test_a_definite_no_outweighs_what_could_not_be_told(office: Office) -> None:
    other = Citation(kind="ecli", value="ECLI:NL:RBSLUIS:2024:18")
    office.sources.says = {
        RULING: (SourceState.UNVERIFIABLE, "timeout"),
        other.value: (SourceState.WITHDRAWN, "void"),
    }
    office.admit(citations=(ECLI, other))
    assert office.run() == ("review", "void")


def test_after_approval_it_is_looked_at_again(office: Office) -> None:
    _says(SourceState.WITHDRAWN, "void")(office)
    office.admit()
    assert office.run() == ("review", "void")
    office.desk.ledger.outbox.decide(office.key, OutboxStep.APPROVE, who="t.voorbeeld", reason="x")
    assert office.run() == ("review", "void")
    _says(SourceState.LIVE, "current")(office)
    office.desk.ledger.outbox.decide(office.key, OutboxStep.APPROVE, who="t.voorbeeld", reason="x")
    assert office.run() == ("sent", "sent")


def test_the_wait_doubles_until_the_permit_ends(office: Office) -> None:
    _says(SourceState.UNVERIFIABLE, "timeout")(office)
    office.admit()
    office.run()
    waits = []
    for _ in range(6):
        row = office.desk.ledger.outbox.get(office.key)
        waits.append((row.due_at - office.desk.clock.now()).total_seconds())
        office.run(after=waits[-1])
    assert waits == [30, 60, 120, 240, 480, 900]
    while office.desk.ledger.outbox.get(office.key).state is OutboxState.DEFERRED:
        row = office.desk.ledger.outbox.get(office.key)
        assert row.due_at <= row.expires_at
        office.run(after=(row.due_at - office.desk.clock.now()).total_seconds())
    assert office.run(after=0) == ("failed", "permit_expired")


def test_a_pause_stops_a_pass_between_two_rows(office: Office) -> None:
    first, second = office.admit(), office.admit()

    def pause() -> Handover:
        office.desk.ledger.control.pause("stop", "t.voorbeeld")
        return Handover(ending=Ending.SENT, reason="sent")

    office.hatch.does = pause
    office.desk.clock.advance(91)
    assert len(office.relay.run_once()) == 1
    states = sorted(office.desk.ledger.outbox.get(key).state.value for key in (first, second))
    assert states == ["held", "sent"]


def test_a_pause_between_check_and_transport_puts_the_row_off(office: Office) -> None:
    office.admit()

    async def statuses(citations: tuple[Citation, ...]) -> Mapping[Citation, SourceStatus]:
        office.desk.ledger.control.pause("stop", "t.voorbeeld")
        return {item: office.sources._status(item) for item in citations}

    office.sources.statuses = statuses  # type: ignore[method-assign]
    assert office.run() == ("deferred", "paused")
    assert office.hatch.sent == []


def test_a_check_that_outlasts_the_lease_sends_nothing(office: Office) -> None:
    office.admit()

    async def statuses(citations: tuple[Citation, ...]) -> Mapping[Citation, SourceStatus]:
        office.desk.clock.advance(LEASE_SECONDS - 10)
        return {item: office.sources._status(item) for item in citations}

    office.sources.statuses = statuses  # type: ignore[method-assign]
    assert office.run() == ("deferred", "lease_too_short")
    assert office.hatch.sent == []


def test_a_pass_ends_at_its_limit(office: Office) -> None:
    for _ in range(3):
        office.admit()
    office.desk.clock.advance(91)
    assert len(office.relay.run_once(limit=2)) == 2
    assert len(office.relay.run_once(limit=0)) == 0
    assert len(office.relay.run_once()) == 1


# What a transport does, and the state and reason of the row.
TRANSPORTS: dict[str, tuple[Any, str, str]] = {
    "says it was taken": (Handover(ending=Ending.SENT, reason="sent"), "sent", "sent"),
    "says later": (Handover(ending=Ending.DEFERRED, reason="busy"), "deferred", "busy"),
    "says never": (Handover(ending=Ending.FAILED, reason="name_taken"), "failed", "name_taken"),
    "cannot tell": (Handover(ending=Ending.IN_DOUBT, reason="no_answer"), "in_doubt", "no_answer"),
    "knows that nothing went out": (NotHandedOverError("disk_full"), "deferred", "disk_full"),
    "breaks": (RuntimeError("geheim"), "in_doubt", "transport_error"),
    "breaks on a lookup": (KeyError("x"), "in_doubt", "transport_error"),
}


@pytest.mark.parametrize("what", TRANSPORTS)
def test_what_a_transport_does_ends_in_its_state(what: str, office: Office, caplog: pytest.LogCaptureFixture) -> None:
    does, state, reason = TRANSPORTS[what]

    def act() -> Handover:
        if isinstance(does, Exception):
            raise does
        assert isinstance(does, Handover)
        return does

    office.hatch.does = act
    office.admit()
    assert office.run() == (state, reason)
    assert "geheim" not in caplog.text


def test_a_kind_without_a_transport_waits(office: Office) -> None:
    office.admit()
    bare = Relay(
        office.desk.ledger, office.desk.keyring, {}, office.sources, lambda: office.manifest[0], office.desk.clock
    )
    office.desk.clock.advance(91)
    (delivery,) = bare.run_once()
    assert (delivery.state, delivery.reason) == (OutboxState.DEFERRED, "no_transport")


def test_a_relay_that_does_not_know_the_key_asks_a_person(office: Office, tmp_path: Path) -> None:
    office.admit()
    generate_key(tmp_path / "other" / "signing.pem", tmp_path / "other" / "public")
    stranger = Keyring.load(tmp_path / "other" / "public")
    relay = Relay(
        office.desk.ledger,
        stranger,
        {ActionKind.DOCUMENT: office.hatch},
        office.sources,
        lambda: office.manifest[0],
        office.desk.clock,
    )
    office.desk.clock.advance(91)
    (delivery,) = relay.run_once()
    assert (delivery.state, delivery.reason) == (OutboxState.REVIEW, "permit_unknown_key")


def test_a_transport_stands_under_its_own_kind(office: Office) -> None:
    with pytest.raises(WrongTransportError):
        Relay(
            office.desk.ledger,
            office.desk.keyring,
            {ActionKind.MAIL: office.hatch},
            office.sources,
            lambda: office.manifest[0],
            office.desk.clock,
        )


def test_a_transport_believes_no_claim_but_the_ledgers(office: Office) -> None:
    keys = {office.admit(), office.admit()}
    office.desk.clock.advance(91)
    claim = office.desk.ledger.outbox.claim()
    assert claim is not None
    hatch = office.hatch
    (other,) = keys - {claim.row.key}
    row = office.desk.ledger.outbox.get(other)
    with pytest.raises(ClaimLostError):
        hatch.deliver(replace(claim, token="claim_made_up"), claim.envelope, claim.data)
    with pytest.raises(ClaimLostError):
        hatch.deliver(replace(claim, row=row), claim.envelope, claim.data)
    with pytest.raises(RowMismatchError):
        hatch.deliver(replace(claim, row=replace(claim.row, recipient="eve.md")), claim.envelope, claim.data)
    with pytest.raises(LeaseTooShortError):
        hatch.deliver(replace(claim, lease_until=office.desk.clock.now()), claim.envelope, claim.data)
    assert hatch.sent == []


def test_a_transport_for_documents_sends_no_mail(office: Office, tmp_path: Path) -> None:
    office.desk.admit("jan@klant.example", kind=ActionKind.MAIL)
    office.desk.clock.advance(91)
    claim = office.desk.ledger.outbox.claim()
    assert claim is not None
    transport = FileTransport(tmp_path / "out", guard=office.hatch._guard)
    with pytest.raises(WrongTransportError):
        transport.deliver(claim, claim.envelope, claim.data)
