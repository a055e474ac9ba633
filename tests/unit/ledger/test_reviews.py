"""The one decision about what was shown."""

from __future__ import annotations

from typing import Any

import pytest

from sluis.core import digest_text
from sluis.evals.desk import Desk
from sluis.ledger import (
    AlreadyDecidedError,
    DecisionMalformedError,
    Review,
    ShownMismatchError,
    UnknownReviewError,
)

SHOWN = digest_text("shown")


@pytest.fixture
def review(desk: Desk) -> Review:
    return desk.ledger.reviews.open(desk.run("a.md"), digest_text("verdict"), digest_text("draft"), SHOWN)


def test_a_review_waits_until_it_is_decided(desk: Desk, review: Review) -> None:
    assert desk.ledger.reviews.pending() == (review,)
    decided = desk.ledger.reviews.decide(
        review.review_id,
        decision="revise",
        shown=SHOWN,
        reviewer="t.voorbeeld",
        note="te stellig",
        rewrite={1: "Mogelijk."},
    )
    assert desk.ledger.reviews.pending() == ()
    assert (decided.state, decided.decision, decided.reviewer, decided.note) == (
        "decided",
        "revise",
        "t.voorbeeld",
        "te stellig",
    )
    assert (decided.drop, dict(decided.rewrite), decided.decided_at) == ((), {1: "Mogelijk."}, desk.clock.now())


def test_the_same_question_is_asked_once(desk: Desk, review: Review) -> None:
    again = desk.ledger.reviews.open(review.run_id, review.verdict_digest, review.draft_digest, SHOWN)
    assert again == review
    other = desk.ledger.reviews.open(review.run_id, digest_text("other verdict"), review.draft_digest, SHOWN)
    assert other.review_id != review.review_id


MALFORMED: dict[str, dict[str, Any]] = {
    "another word": {"decision": "ok"},
    "a truth": {"decision": True},
    "no word": {"decision": ""},
    "nobody": {"reviewer": " "},
    "an approval that drops a claim": {"drop": (0,)},
    "a rejection that rewrites one": {"decision": "reject", "rewrite": {0: "x"}},
    "a revision of nothing": {"decision": "revise"},
    "a negative claim": {"decision": "revise", "drop": (-1,)},
    "a claim both dropped and rewritten": {"decision": "revise", "drop": (0,), "rewrite": {0: "x"}},
}


@pytest.mark.parametrize("what", MALFORMED)
def test_what_is_no_explicit_decision_decides_nothing(what: str, desk: Desk, review: Review) -> None:
    decision: dict[str, Any] = {"decision": "approve", "shown": SHOWN, "reviewer": "t.voorbeeld", **MALFORMED[what]}
    with pytest.raises(DecisionMalformedError):
        desk.ledger.reviews.decide(review.review_id, **decision)
    assert desk.ledger.reviews.get(review.review_id) == review


def test_a_decision_about_something_else_decides_nothing(desk: Desk, review: Review) -> None:
    with pytest.raises(ShownMismatchError):
        desk.ledger.reviews.decide(
            review.review_id, decision="approve", shown=digest_text("other"), reviewer="t.voorbeeld"
        )
    assert desk.ledger.reviews.get(review.review_id) == review


def test_a_decision_counts_once(desk: Desk, review: Review) -> None:
    desk.ledger.reviews.decide(review.review_id, decision="reject", shown=SHOWN, reviewer="t.voorbeeld")
    with pytest.raises(AlreadyDecidedError):
        desk.ledger.reviews.decide(review.review_id, decision="approve", shown=SHOWN, reviewer="a.ander")
    assert desk.ledger.reviews.get(review.review_id).decision == "reject"


def test_a_review_that_is_not_there_is_said_to_be_so(desk: Desk) -> None:
    with pytest.raises(UnknownReviewError):
        desk.ledger.reviews.get("review_x")
    with pytest.raises(UnknownReviewError):
        desk.ledger.reviews.decide("review_x", decision="approve", shown=SHOWN, reviewer="t.voorbeeld")


def test_the_chain_holds_no_word_of_a_decision(desk: Desk, review: Review) -> None:
    desk.ledger.reviews.decide(
        review.review_id, decision="revise", shown=SHOWN, reviewer="t.voorbeeld", note="geheim", rewrite={0: "tekst"}
    )
    said = str([event.to_json() for event in desk.ledger.events.of(review.review_id)])
    assert "geheim" not in said
    assert "tekst" not in said
