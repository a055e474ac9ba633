"""Compares the tables with what the events say of them. A row that no event accounts for was not written by sluis.

Not compared are the register's chunks and the vault's holdings: the first are proven by the collection's fingerprint,
the second are named by digest in permits and verdicts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from sqlalchemy import Connection, Row, Table, select

from sluis.core import ActionKind, digest_bytes, digest_of, digest_text

from .admission import outbox_key
from .schema import control, outbox, permits, register_aliases, register_markers, reviews, runs

_KINDS = {kind.value: kind for kind in ActionKind}

Mismatch: TypeAlias = tuple[str, str, str]
"""Kind, where and message of a :class:`sluis.ledger.Fault`."""


class Told:
    """What the events say the tables hold: subject to what was said last."""

    def __init__(self) -> None:
        self.states: dict[str, str] = {}
        self.payloads: dict[str, str] = {}
        self.permits: dict[str, str] = {}
        self.requests: dict[str, str] = {}
        self.outcomes: dict[str, str] = {}
        self.reviews: dict[str, dict[str, Any]] = {}
        self.decisions: dict[str, dict[str, Any]] = {}
        self.markers: dict[str, str] = {}
        self.aliases: dict[str, str] = {}
        self.paused = False

    def note(self, kind: str, subject: str, data: dict[str, Any]) -> None:
        """Take one event in."""
        if kind == "run.open":
            self.requests[subject] = str(data.get("request"))
        elif kind == "run.close":
            self.outcomes[subject] = str(data.get("outcome"))
        elif kind == "review.open":
            self.reviews[subject] = data
        elif kind == "review.decide":
            self.decisions[subject] = data
        elif kind == "register.marker":
            self.markers[subject] = str(data.get("to"))
        elif kind == "register.alias":
            self.aliases[subject] = str(data.get("to"))
        elif kind in ("relay.pause", "relay.resume"):
            self.paused = kind == "relay.pause"
        elif kind == "outbox.admit":
            self.payloads[subject] = str(data.get("payload"))
            self.permits[subject] = str(data.get("permit_id"))
        if kind.startswith("outbox."):
            self.states[subject] = str(data.get("to"))


def _rows(connection: Connection, told: Told) -> Iterator[Mismatch]:
    seen: set[str] = set()
    for row in connection.execute(select(outbox).order_by(outbox.c.key)):
        seen.add(row.key)
        if told.states.get(row.key) != row.state:
            yield "row", row.key, f"The row is {row.state}; by its events it is {told.states.get(row.key)}."
        if told.payloads.get(row.key) != row.payload:
            yield "row", row.key, "The row has other bytes than were admitted."
        kind = _KINDS.get(row.kind)
        if kind is None or outbox_key(row.run_id, kind, row.recipient) != row.key:
            yield "row", row.key, "The row is for another run, kind or recipient than was admitted."
        if told.permits.get(row.key) != row.permit_id:
            yield "permit", row.key, "The row has another permit than was consumed."
    for key in sorted(told.states.keys() - seen):
        yield "row", key, "The row was admitted and is gone."


def _permits(connection: Connection, told: Told) -> Iterator[Mismatch]:
    kept = {row.key: row.permit_id for row in connection.execute(select(permits.c.key, permits.c.permit_id))}
    yield from _differences("permit", told.permits, kept, "The permit that was consumed")


def _requests(connection: Connection, told: Told) -> Iterator[Mismatch]:
    for row in connection.execute(select(runs).order_by(runs.c.run_id)):
        known = told.requests.get(row.run_id)
        if known != row.request_digest or digest_bytes(row.request.encode()) != known:
            yield "request", row.run_id, "The request is not the one that was opened."
        ended = None if row.outcome is None else digest_bytes(row.outcome.encode())
        if told.outcomes.get(row.run_id) != ended:
            yield "outcome", row.run_id, "The outcome is not the one that was recorded."
    opened = connection.execute(select(runs.c.run_id)).scalars()
    for run_id in sorted(told.requests.keys() - set(opened)):
        yield "request", run_id, "The run was opened and is gone."


def _reviews(connection: Connection, told: Told) -> Iterator[Mismatch]:
    seen: set[str] = set()
    for row in connection.execute(select(reviews).order_by(reviews.c.review_id)):
        seen.add(row.review_id)
        asked = {"run_id": row.run_id, "verdict": row.verdict_digest, "draft": row.draft_digest, "shown": row.shown}
        if told.reviews.get(row.review_id) != asked:
            yield "review", row.review_id, "The review is about something else than was asked."
        if told.decisions.get(row.review_id) != (None if row.state == "pending" else _decided(row)):
            yield "review", row.review_id, "The decision is not the one that was recorded."
    for review_id in sorted(told.reviews.keys() - seen):
        yield "review", review_id, "The review was opened and is gone."


def _decided(row: Row[Any]) -> dict[str, Any]:
    try:
        drop, rewrite = json.loads(row.drop), json.loads(row.rewrite)
    except ValueError:
        return {}
    return decision_event(row.decision, row.reviewer, row.shown, drop, rewrite, row.note or "")


def decision_event(
    decision: str, reviewer: str, shown: str, drop: list[int], rewrite: dict[str, str], note: str
) -> dict[str, Any]:
    """What the event of a decision holds: its words by digest only."""
    return {
        "decision": decision,
        "reviewer": reviewer,
        "shown": shown,
        "drop": drop,
        "rewrite": digest_of(rewrite),
        "note": digest_text(note),
    }


def _register(connection: Connection, told: Told) -> Iterator[Mismatch]:
    yield from _differences("marker", told.markers, _pairs(connection, register_markers, "marker"), "The marker")
    yield from _differences("alias", told.aliases, _pairs(connection, register_aliases, "collection"), "The alias")


def _pairs(connection: Connection, table: Table, column: str) -> dict[str, str]:
    (key,) = table.primary_key.columns
    return {row[0]: row[1] for row in connection.execute(select(key, table.c[column]))}


def _differences(kind: str, told: dict[str, str], kept: dict[str, str], what: str) -> Iterator[Mismatch]:
    for key in sorted(told.keys() | kept.keys()):
        if told.get(key) != kept.get(key):
            yield kind, key, f"{what} was {told.get(key)} by the events; the table has {kept.get(key)}."


def _pause(connection: Connection, told: Told) -> Iterator[Mismatch]:
    paused = connection.execute(select(control)).one_or_none() is not None
    if paused != told.paused:
        was = "paused" if told.paused else "not paused"
        yield "pause", "relay", f"By the events the relay is {was}; the table says otherwise."


COMPARISONS: tuple[Callable[[Connection, Told], Iterator[Mismatch]], ...] = (
    _rows,
    _permits,
    _requests,
    _reviews,
    _register,
    _pause,
)
"""One for each table that decides something."""
