"""What was asked and written, by digest, bound to its run."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sluis.core import (
    ActionKind,
    Claim,
    Completion,
    CompletionStatus,
    Draft,
    DraftHandle,
    Evidence,
    EvidenceItem,
    Outcome,
    OutcomeStatus,
    RandomIds,
    Request,
    RetrievalStamp,
    digest_bytes,
    digest_text,
)
from sluis.evals.desk import Desk
from sluis.evals.world import chunk
from sluis.ledger import (
    HandleMismatchError,
    RequestConflictError,
    RoundTakenError,
    UnknownObjectError,
    UnknownRunError,
    VaultDamagedError,
)


def _draft(text: str) -> Draft:
    completion = Completion(status=CompletionStatus.OK, text=text, model="m@1", drafter="chat")
    claim = Claim(text=text, start=0, end=len(text), labels=(), needs_support=True)
    return Draft(completion=completion, claims=(claim,), locale="nl-NL")


def test_the_same_request_is_the_same_run(desk: Desk) -> None:
    request = Request.new("Wat?", recipients=("a.md",), audience="client", tenant="acme", ids=RandomIds())
    run = desk.ledger.runs.open(request)
    assert desk.ledger.runs.open(request) == run
    assert desk.ledger.runs.get(run.run_id) == run
    assert desk.ledger.runs.of_request(request.request_id) == run
    assert desk.ledger.runs.of_request("req_unknown") is None


def test_a_request_id_stands_for_one_request(desk: Desk) -> None:
    request = Request.new("Wat?", recipients=("a.md",), audience="client", tenant="acme", ids=RandomIds())
    run = desk.ledger.runs.open(request)
    for changed in ({"recipients": ("eve.md",)}, {"question": "Wie?"}, {"kind": ActionKind.MAIL}):
        with pytest.raises(RequestConflictError):
            desk.ledger.runs.open(request.model_copy(update=changed))
    assert desk.ledger.runs.get(run.run_id).request == request


def test_a_later_end_replaces_an_earlier_one_and_both_stay_in_the_chain(desk: Desk) -> None:
    run_id = desk.run("a.md")
    assert desk.ledger.runs.outcome(run_id) is None
    for status in (OutcomeStatus.IN_REVIEW, OutcomeStatus.RELEASED):
        outcome = Outcome(status=status, run_id=run_id, reason=status.value)
        desk.ledger.runs.close(run_id, outcome)
        assert desk.ledger.runs.outcome(run_id) == outcome
    ends = [event.data["status"] for event in desk.ledger.events.of(run_id) if event.kind == "run.close"]
    assert ends == ["in_review", "released"]


def test_a_run_nobody_opened_is_unknown_everywhere(desk: Desk) -> None:
    outcome = Outcome(status=OutcomeStatus.FAILED, run_id="run_x", reason="x")
    asks: tuple[Callable[[], object], ...] = (
        lambda: desk.ledger.runs.get("run_x"),
        lambda: desk.ledger.runs.outcome("run_x"),
        lambda: desk.ledger.runs.close("run_x", outcome),
    )
    before = desk.ledger.verify().events
    for ask in asks:
        with pytest.raises(UnknownRunError):
            ask()
    assert desk.ledger.verify().events == before


def test_a_round_has_one_draft(desk: Desk) -> None:
    run_id = desk.run("a.md")
    assert desk.ledger.vault.latest_draft(run_id) is None
    handle = desk.ledger.vault.put_draft(run_id, 0, _draft("Een."))
    assert desk.ledger.vault.put_draft(run_id, 0, _draft("Een.")) == handle
    with pytest.raises(RoundTakenError):
        desk.ledger.vault.put_draft(run_id, 0, _draft("Twee."))
    second = desk.ledger.vault.put_draft(run_id, 1, _draft("Twee."))
    assert desk.ledger.vault.latest_draft(run_id) == second
    assert desk.ledger.vault.get_draft(handle) == _draft("Een.")
    assert desk.ledger.vault.draft_handle(run_id, handle.digest) == handle


def test_a_handle_that_was_put_together_opens_nothing(desk: Desk) -> None:
    run_id, other = desk.run("a.md"), desk.run("b.md")
    handle = desk.ledger.vault.put_draft(run_id, 0, _draft("Een."))
    made_up = (
        DraftHandle(run_id=other, round=0, digest=handle.digest),
        DraftHandle(run_id=run_id, round=1, digest=handle.digest),
        DraftHandle(run_id=run_id, round=0, digest=digest_text("x")),
    )
    for bad in made_up:
        with pytest.raises(HandleMismatchError):
            desk.ledger.vault.get_draft(bad)
    with pytest.raises(UnknownObjectError):
        desk.ledger.vault.draft_handle(other, handle.digest)


def test_evidence_belongs_to_its_run(desk: Desk) -> None:
    run_id, other = desk.run("a.md"), desk.run("b.md")
    stamp = RetrievalStamp(
        alias="live",
        collection="world-1",
        fingerprint=digest_text("fingerprint"),
        pins=(digest_text("pins"),),
        backend="fixed",
        at=desk.clock.now(),
    )
    evidence = Evidence(items=(EvidenceItem(label="c1", chunk=chunk()),), stamp=stamp)
    assert desk.ledger.vault.latest_evidence(run_id) is None
    digest = desk.ledger.vault.put_evidence(run_id, evidence)
    assert desk.ledger.vault.latest_evidence(run_id) == digest
    assert desk.ledger.vault.get_evidence(run_id, digest) == evidence
    with pytest.raises(UnknownObjectError):
        desk.ledger.vault.get_evidence(other, digest)


def test_only_the_latest_verdict_on_a_draft_counts(desk: Desk) -> None:
    run_id, draft = desk.run("a.md"), digest_text("draft")
    assert desk.ledger.vault.passing_verdict(run_id, draft) is None
    passed = desk.verdict(run_id)
    verdict = desk.ledger.vault.passing_verdict(run_id, draft)
    assert verdict == desk.ledger.vault.get_verdict(passed)
    assert desk.ledger.vault.passing_verdict(desk.run("b.md"), draft) is None
    assert desk.ledger.vault.passing_verdict(run_id, digest_text("other")) is None
    desk.verdict(run_id, result="review")
    assert desk.ledger.vault.passing_verdict(run_id, draft) is None


def test_an_object_of_one_kind_is_not_read_as_another(desk: Desk) -> None:
    payload = desk.ledger.vault.put_payload(b"{}")
    assert desk.ledger.vault.get_payload(payload) == b"{}"
    with pytest.raises(UnknownObjectError):
        desk.ledger.vault.get_verdict(payload)
    with pytest.raises(UnknownObjectError):
        desk.ledger.vault.get_evidence(desk.run("a.md"), payload)
    with pytest.raises(UnknownObjectError):
        desk.ledger.vault.get_payload(digest_bytes(b"other"))


def test_a_damaged_object_is_not_given_out(desk: Desk, tamper: Callable[..., None]) -> None:
    run_id = desk.run("a.md")
    handle = desk.ledger.vault.put_draft(run_id, 0, _draft("Een."))
    verdict = desk.verdict(run_id)
    payload = desk.ledger.vault.put_payload(b"bytes")
    tamper("UPDATE objects SET data = x'7b7d'")
    for ask in (
        lambda: desk.ledger.vault.get_draft(handle),
        lambda: desk.ledger.vault.get_verdict(verdict),
        lambda: desk.ledger.vault.get_payload(payload),
        lambda: desk.ledger.vault.passing_verdict(run_id, digest_text("draft")),
    ):
        with pytest.raises(VaultDamagedError):
            ask()
