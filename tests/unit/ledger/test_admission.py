"""Getting a row in the outbox: each thing that a permit must show, and that a refusal writes nothing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from sluis.core import ActionKind, RandomIds, SluisError, Waiver, digest_bytes, digest_text
from sluis.evals.desk import TEXT, Desk
from sluis.ledger import Ledger, OutboxEntry, OutboxState
from sluis.ledger.outbox import outbox_key

Entries = Callable[[Desk], tuple[OutboxEntry, ...]]


def _permit_with(**changes: Any) -> Entries:
    return lambda desk: (desk.entry(desk.permit(desk.run("a.md"), **changes)),)


def _entry_with(**changes: Any) -> Entries:
    return lambda desk: (desk.entry(desk.permit(desk.run("a.md")), **changes),)


def _verdict_with(**changes: Any) -> Entries:
    def make(desk: Desk) -> tuple[OutboxEntry, ...]:
        run_id = desk.run("a.md")
        return (desk.entry(desk.permit(run_id, verdict=desk.verdict(run_id, **changes))),)

    return make


def _twice(desk: Desk) -> tuple[OutboxEntry, ...]:
    entry = desk.entry(desk.permit(desk.run("a.md")))
    return (entry, entry)


def _two_permits_for_one_recipient(desk: Desk) -> tuple[OutboxEntry, ...]:
    run_id = desk.run("a.md")
    return (desk.entry(desk.permit(run_id)), desk.entry(desk.permit(run_id)))


def _verdict_of_another_run(desk: Desk) -> tuple[OutboxEntry, ...]:
    run_id, other = desk.run("a.md"), desk.run("b.md")
    return (desk.entry(desk.permit(run_id, verdict=desk.verdict(other))),)


def _the_second_is_bad(desk: Desk) -> tuple[OutboxEntry, ...]:
    run_id = desk.run("a.md", "b.md")
    good = desk.entry(desk.permit(run_id))
    return (good, desk.entry(desk.permit(run_id, recipient="b.md"), payload=TEXT + b"!"))


def _expired(desk: Desk) -> tuple[OutboxEntry, ...]:
    entry = desk.entry(desk.permit(desk.run("a.md")))
    desk.clock.advance(3600)
    return (entry,)


WAIVER = Waiver(
    check="citations.live",
    reason="age",
    subject_digest=digest_text("a"),
    evidence_digest=digest_text("b"),
    reviewer="mr. T. Voorbeeld",
    review_id="review_1",
)

REFUSED: dict[str, tuple[Entries, str]] = {
    "no action": (lambda desk: (), "refused.nothing_to_release"),
    "a run nobody opened": (_entry_with(run_id="run_x"), "refused.permit.run_mismatch"),
    "other bytes": (_entry_with(payload=TEXT + b" "), "refused.permit.payload_mismatch"),
    "another way": (_entry_with(kind=ActionKind.MAIL), "refused.permit.kind_mismatch"),
    "another recipient": (_entry_with(recipient="b.md"), "refused.permit.recipient_mismatch"),
    "another media type": (_entry_with(media_type="text/html"), "refused.permit.unfounded"),
    "no permit at all": (_entry_with(envelope=b"{}"), "refused.permit.malformed"),
    "a recipient that was not asked for": (_permit_with(recipient="b.md"), "refused.permit.unfounded"),
    "another request": (_permit_with(request=digest_text("another")), "refused.permit.unfounded"),
    "another request id": (_permit_with(request_id="req_another"), "refused.permit.unfounded"),
    "another tenant": (_permit_with(tenant="other"), "refused.permit.unfounded"),
    "another audience": (_permit_with(audience="partner"), "refused.permit.unfounded"),
    "another day": (_permit_with(as_of=20200101), "refused.permit.unfounded"),
    "a verdict that nobody gave": (_permit_with(verdict=digest_text("verdict")), "refused.permit.unfounded"),
    "another draft": (_permit_with(draft=digest_text("another")), "refused.permit.unfounded"),
    "another policy": (_permit_with(policy=digest_text("another")), "refused.permit.unfounded"),
    "a waiver that the verdict lacks": (_permit_with(waivers=(WAIVER,)), "refused.permit.unfounded"),
    "a verdict of another run": (_verdict_of_another_run, "refused.permit.unfounded"),
    "a verdict that asks for a person": (_verdict_with(result="review"), "refused.permit.unfounded"),
    "a verdict that blocks": (_verdict_with(result="block"), "refused.permit.unfounded"),
    "a verdict on other bytes": (_verdict_with(payloads=(digest_bytes(b"x"),)), "refused.permit.unfounded"),
    "a verdict on no bytes": (_verdict_with(payloads=()), "refused.permit.unfounded"),
    "past its end": (_expired, "refused.permit.expired"),
    "the same permit twice": (_twice, "refused.already_acted"),
    "two permits for one recipient": (_two_permits_for_one_recipient, "refused.already_acted"),
    "a good one with a bad one": (_the_second_is_bad, "refused.permit.payload_mismatch"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_it_is_refused_and_nothing_is_written(what: str, desk: Desk) -> None:
    make, code = REFUSED[what]
    entries = make(desk)
    before = desk.ledger.verify()
    with pytest.raises(SluisError) as refused:
        desk.ledger.outbox.admit(entries)
    assert refused.value.code == code
    assert desk.ledger.outbox.list() == ()
    after = desk.ledger.verify()
    assert (after.events, after.head, after.faults) == (before.events, before.head, ())


def test_an_admitted_action_waits_for_its_hold(desk: Desk) -> None:
    row = desk.ledger.outbox.get(desk.admit("a.md"))
    assert (row.state, row.recipient, row.attempts) == (OutboxState.HELD, "a.md", 0)
    assert row.due_at - row.created_at == timedelta(seconds=90)
    assert desk.ledger.vault.get_payload(row.payload) == TEXT


def test_several_recipients_are_admitted_together(desk: Desk) -> None:
    run_id = desk.run("a.md", "b.md")
    entries = tuple(desk.entry(desk.permit(run_id, recipient=name)) for name in ("a.md", "b.md"))
    keys = desk.ledger.outbox.admit(entries)
    assert keys == tuple(outbox_key(run_id, ActionKind.DOCUMENT, name) for name in ("a.md", "b.md"))
    assert set(desk.ledger.outbox.keys_of(run_id)) == set(keys)


def test_a_permit_is_good_once(desk: Desk) -> None:
    entry = desk.entry(desk.permit(desk.run("a.md")))
    desk.ledger.outbox.admit((entry,))
    with pytest.raises(SluisError) as refused:
        desk.ledger.outbox.admit((entry,))
    assert refused.value.code == "refused.permit.replayed"


def test_a_run_acts_once_for_a_recipient_even_with_a_new_permit(desk: Desk) -> None:
    run_id = desk.run("a.md")
    desk.ledger.outbox.admit((desk.entry(desk.permit(run_id)),))
    with pytest.raises(SluisError) as refused:
        desk.ledger.outbox.admit((desk.entry(desk.permit(run_id)),))
    assert refused.value.code == "refused.already_acted"


def test_a_ledger_without_public_keys_admits_nothing(desk: Desk) -> None:
    entry = desk.entry(desk.permit(desk.run("a.md")))
    with (
        Ledger.open(desk.folder / "ledger.db", clock=desk.clock, ids=RandomIds()) as blind,
        pytest.raises(SluisError) as refused,
    ):
        blind.outbox.admit((entry,))
    assert refused.value.code == "usage.configuration.no_keyring"
