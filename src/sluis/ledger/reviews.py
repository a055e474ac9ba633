"""Reviews: what was shown to a person, and the one decision about it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Row, insert, select, update

from sluis.core import Ids, InputError, canonical_bytes

from .audit_tables import decision_event
from .database import Database
from .errors import AlreadyDecidedError, ShownMismatchError, UnknownReviewError
from .events import Events, moment, stamp
from .schema import reviews as table

Decision = Literal["approve", "reject", "revise"]


class DecisionMalformedError(InputError):
    """Not an explicit decision: another word, no reviewer, a revision that changes nothing or a negative claim."""

    code = "usage.input.decision_malformed"


@dataclass(frozen=True, kw_only=True)
class Review:
    """A question to a person.

    Attributes:
        review_id: its own.
        run_id: of which run.
        verdict_digest: the verdict that asks for it.
        draft_digest: the draft it is about.
        shown: digest of everything that the person sees; a decision names it.
        state: ``pending`` or ``decided``.
        decision: what was decided; ``None`` while pending.
        reviewer: by whom; empty while pending.
        note: the reviewer's words.
        drop: indexes of claims to leave out, for ``revise``.
        rewrite: index of a claim to its new text, for ``revise``.
        opened_at, decided_at: when.
    """

    review_id: str
    run_id: str
    verdict_digest: str
    draft_digest: str
    shown: str
    state: Literal["pending", "decided"]
    decision: Decision | None
    reviewer: str
    note: str
    drop: tuple[int, ...]
    rewrite: Mapping[int, str]
    opened_at: datetime
    decided_at: datetime | None


def _review(row: Row[Any]) -> Review:
    return Review(
        review_id=row.review_id,
        run_id=row.run_id,
        verdict_digest=row.verdict_digest,
        draft_digest=row.draft_digest,
        shown=row.shown,
        state=row.state,
        decision=row.decision,
        reviewer=row.reviewer or "",
        note=row.note or "",
        drop=tuple(json.loads(row.drop)),
        rewrite={int(index): text for index, text in json.loads(row.rewrite).items()},
        opened_at=moment(row.opened_at),
        decided_at=None if row.decided_at is None else moment(row.decided_at),
    )


class Reviews:
    """The reviews of a ledger."""

    def __init__(self, database: Database, events: Events, ids: Ids) -> None:
        self._database = database
        self._events = events
        self._ids = ids

    def open(self, run_id: str, verdict_digest: str, draft_digest: str, shown: str) -> Review:
        """Ask for a decision; for the same verdict of a run it is asked once."""
        query = select(table).where(table.c.run_id == run_id, table.c.verdict_digest == verdict_digest)
        with self._database.write() as connection:
            row = connection.execute(query).one_or_none()
            if row is None:
                review_id = self._ids.fresh("review")
                about = {"run_id": run_id, "verdict": verdict_digest, "draft": draft_digest, "shown": shown}
                at = self._events.append(connection, "review.open", review_id, about)
                connection.execute(
                    insert(table).values(
                        review_id=review_id,
                        run_id=run_id,
                        verdict_digest=verdict_digest,
                        draft_digest=draft_digest,
                        shown=shown,
                        state="pending",
                        drop="[]",
                        rewrite="{}",
                        opened_at=stamp(at),
                    )
                )
                row = connection.execute(query).one()
            return _review(row)

    def get(self, review_id: str) -> Review:
        """A review.

        Raises:
            UnknownReviewError: there is none of that id.
        """
        with self._database.read() as connection:
            row = connection.execute(select(table).where(table.c.review_id == review_id)).one_or_none()
        if row is None:
            raise UnknownReviewError("There is no such review.", hint="See `sluis review list`.", review_id=review_id)
        return _review(row)

    def pending(self) -> tuple[Review, ...]:
        """What waits for a decision, oldest first."""
        query = select(table).where(table.c.state == "pending").order_by(table.c.opened_at, table.c.review_id)
        with self._database.read() as connection:
            return tuple(_review(row) for row in connection.execute(query))

    def decide(
        self,
        review_id: str,
        *,
        decision: Decision,
        shown: str,
        reviewer: str,
        note: str = "",
        drop: tuple[int, ...] = (),
        rewrite: Mapping[int, str] | None = None,
    ) -> Review:
        """Record the one decision.

        Args:
            review_id: which.
            decision: ``approve``, ``reject``, or ``revise`` (with ``drop`` or ``rewrite``; verified again).
            shown: the digest that the reviewer was shown; any other is refused.
            reviewer: a person's name or account.
            note: their words.
            drop: indexes of claims to leave out.
            rewrite: index of a claim to its new text.

        Raises:
            DecisionMalformedError: not an explicit, complete decision.
            UnknownReviewError: there is no such review.
            ShownMismatchError: the decision is about something else.
            AlreadyDecidedError: it has been decided.
        """
        changes = dict(rewrite or {})
        _require_explicit(decision, reviewer, drop, changes)
        with self._database.write() as connection:
            row = connection.execute(select(table).where(table.c.review_id == review_id)).one_or_none()
            if row is None:
                raise UnknownReviewError(
                    "There is no such review.", hint="See `sluis review list`.", review_id=review_id
                )
            if row.state != "pending":
                raise AlreadyDecidedError("The review has been decided.", review_id=review_id)
            if row.shown != shown:
                raise ShownMismatchError(
                    "The decision is about something else than this review shows.",
                    hint="Look at it again with `sluis review show`.",
                    review_id=review_id,
                )
            rewritten = {str(index): text for index, text in changes.items()}
            about = decision_event(decision, reviewer, shown, list(drop), rewritten, note)
            at = self._events.append(connection, "review.decide", review_id, about)
            connection.execute(
                update(table)
                .where(table.c.review_id == review_id, table.c.state == "pending")
                .values(
                    state="decided",
                    decision=decision,
                    reviewer=reviewer,
                    note=note,
                    drop=canonical_bytes(list(drop)).decode(),
                    rewrite=canonical_bytes(rewritten).decode(),
                    decided_at=stamp(at),
                )
            )
        return self.get(review_id)


def _require_explicit(decision: object, reviewer: str, drop: tuple[int, ...], rewrite: dict[int, str]) -> None:
    if decision not in ("approve", "reject", "revise"):
        raise DecisionMalformedError("A decision is approve, reject or revise.")
    if not reviewer.strip():
        raise DecisionMalformedError("A decision needs the name of who decides.")
    changes = bool(drop or rewrite)
    if changes != (decision == "revise"):
        raise DecisionMalformedError("Only revise names claims, and it names at least one.")
    if any(index < 0 for index in (*drop, *rewrite)) or set(drop) & set(rewrite):
        raise DecisionMalformedError("A claim is named by an index from 0, once.")
