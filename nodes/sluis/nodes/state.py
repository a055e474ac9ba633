"""The graph's state: plain JSON values, handles and digests; never a word of a draft or a source.

Nothing in it is trusted. What a node acts on it reads from the ledger, by ``run_id``; a handle that does not
belong to the run is refused there.
"""

from __future__ import annotations

from typing import Any, Literal, TypedDict

from sluis.core import DraftHandle, InputError, RefusedError

Route = Literal["next", "redraft", "review", "verify", "end"]
"""Where a node wants the graph to go; routers compare it for equality and refuse any other word."""


class AnswerInput(TypedDict):
    """What a caller gives: one request, as :meth:`sluis.core.Request.to_json` writes it."""

    request: dict[str, Any]


class AnswerOutput(TypedDict):
    """What a caller gets: the outcome, as :meth:`sluis.core.Outcome.to_json` writes it."""

    run_id: str
    outcome: dict[str, Any] | None


class AnswerState(TypedDict, total=False):
    """All channels."""

    request: dict[str, Any]
    run_id: str
    route: Route
    selection: str | None
    """Digest of the candidates in the vault."""
    evidence: str | None
    """Digest of the evidence in the vault."""
    draft: dict[str, Any] | None
    """A :class:`~sluis.core.DraftHandle`."""
    redrafts: int
    verdict: str | None
    """Digest of the verdict in the vault."""
    review_id: str | None
    outcome: dict[str, Any] | None
    counts: dict[str, int]


class StateMalformedError(InputError):
    """A channel holds something other than its type says: a checkpoint that was edited, or of another version."""

    code = "usage.input.state_malformed"


class NoRunError(RefusedError):
    """A node was reached without a run: by a command as input, or called directly."""

    code = "refused.no_run"


def _malformed(channel: str) -> StateMalformedError:
    return StateMalformedError(
        f"The state's channel {channel!r} does not hold what it should.",
        hint="Start the request again; state is not repaired.",
        channel=channel,
    )


def run_id_of(state: AnswerState) -> str:
    """The run the state speaks of.

    Raises:
        NoRunError: none.
        StateMalformedError: the channel does not hold text.
    """
    value: object = state.get("run_id")
    if value is None or value == "":
        raise NoRunError(
            "This node needs a run, and the state names none.", hint="Start at the beginning of the graph."
        )
    if not isinstance(value, str):
        raise _malformed("run_id")
    return value


def digest_in(state: AnswerState, channel: Literal["selection", "evidence", "verdict"]) -> str:
    """A digest channel.

    Raises:
        StateMalformedError: it is empty or no digest.
    """
    value: object = state.get(channel)
    if not isinstance(value, str) or not value.startswith("sha256:"):
        raise _malformed(channel)
    return value


def draft_in(state: AnswerState) -> DraftHandle:
    """The draft handle.

    Raises:
        StateMalformedError: there is none, or it does not read as one.
    """
    value: object = state.get("draft")
    if not isinstance(value, dict):
        raise _malformed("draft")
    return DraftHandle.from_json(value)


def redrafts_in(state: AnswerState) -> int:
    """How often this pass has redrafted.

    Raises:
        StateMalformedError: no count.
    """
    value: object = state.get("redrafts", 0)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise _malformed("redrafts")
    return value
