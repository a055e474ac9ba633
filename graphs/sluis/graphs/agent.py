"""Asks an answer graph and gives its outcome as a value, whatever happens."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from langgraph.types import Command

from sluis.core import (
    ActionKind,
    InputError,
    MalformedValueError,
    Outcome,
    OutcomeStatus,
    RefusedError,
    Request,
    SluisError,
)
from sluis.nodes import Runtime
from sluis.relay.file_transport import require_name
from sluis.relay.mail import require_mailbox

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph

_STEPS = 100
"""Steps of the graph in one go; far above what bounded redrafts and one review need."""


class RecipientMalformedError(InputError):
    """A recipient that its transport could never serve."""

    code = "usage.input.recipient"


class Agent:
    """An answer graph and for whom it answers.

    Every method ends in an :class:`~sluis.core.Outcome`: an error becomes ``failed`` (or what its kind says) with its
    diagnostics. A run is a graph of its own, also when it is asked from within a node of another graph: no interrupt,
    stream or callback of one reaches the other.

    Args:
        runtime: the parts; its ledger knows what became of a run.
        graph: compiled by :func:`~sluis.graphs.answer_graph` over the same runtime, with a checkpointer.
        tenant: whose documents may be used.
        audience: for whom answers are meant.
        locale: of the answers.
    """

    def __init__(
        self,
        runtime: Runtime,
        graph: CompiledStateGraph[Any, Any, Any, Any],
        *,
        tenant: str,
        audience: str,
        locale: str,
    ) -> None:
        self._runtime = runtime
        self._graph = graph
        self._tenant = tenant
        self._audience = audience
        self._locale = locale

    def request(
        self,
        question: str,
        *,
        recipients: tuple[str, ...] | None = None,
        kind: ActionKind = ActionKind.DOCUMENT,
        subject: str = "",
        as_of: int | None = None,
    ) -> Request:
        """A new request of this agent.

        Args:
            question: what to answer.
            recipients: file names within the publishing folder, or mailboxes; left out, a document is named after
                the request.
            kind: the way out.
            subject: title of the document or subject of the mail.
            as_of: calendar date ``yyyymmdd`` on which the sources must be in force; left out: the day of the run.

        Raises:
            MalformedValueError: a field does not fit; its name is in the message.
            RecipientMalformedError: a recipient is no plain file name, or no plain mailbox.
        """
        for recipient in recipients or ():
            _require_recipient(kind, recipient)
        request_id = self._runtime.ids.fresh("req")
        data = {
            "request_id": request_id,
            "question": question,
            "kind": kind.value,
            "recipients": list(recipients) if recipients is not None else _default_recipients(kind, request_id),
            "subject": subject,
            "audience": self._audience,
            "tenant": self._tenant,
            "locale": self._locale,
            "as_of": as_of,
        }
        return Request.from_json(data)

    def ask(
        self,
        question: str,
        *,
        recipients: tuple[str, ...] | None = None,
        kind: ActionKind = ActionKind.DOCUMENT,
        subject: str = "",
        as_of: int | None = None,
    ) -> Outcome:
        """Make a request (arguments as in :meth:`request`) and run it.

        Raises:
            MalformedValueError: the arguments make no request; nothing was run.
        """
        return self.run(self.request(question, recipients=recipients, kind=kind, subject=subject, as_of=as_of))

    async def aask(
        self,
        question: str,
        *,
        recipients: tuple[str, ...] | None = None,
        kind: ActionKind = ActionKind.DOCUMENT,
        subject: str = "",
        as_of: int | None = None,
    ) -> Outcome:
        """:meth:`ask`, asynchronously."""
        return await self.arun(self.request(question, recipients=recipients, kind=kind, subject=subject, as_of=as_of))

    def run(self, request: Request) -> Outcome:
        """Run a request. The same one again is idempotent: it is answered anew until it has been released."""
        return self._invoke({"request": request.to_json()}, request.request_id)

    async def arun(self, request: Request) -> Outcome:
        """:meth:`run`, asynchronously."""
        return await self._ainvoke({"request": request.to_json()}, request.request_id)

    def resume(self, run_id: str) -> Outcome:
        """Go on with a run that waited for a person. What counts is the decision in the ledger."""
        try:
            thread = self._runtime.ledger.runs.get(run_id).request.request_id
        except SluisError as error:
            return _failed(error, run_id)
        return self._invoke(Command(resume=True), thread)

    async def aresume(self, run_id: str) -> Outcome:
        """:meth:`resume`, asynchronously."""
        try:
            run = await asyncio.to_thread(self._runtime.ledger.runs.get, run_id)
        except SluisError as error:
            return _failed(error, run_id)
        return await self._ainvoke(Command(resume=True), run.request.request_id)

    def _invoke(self, given: Any, thread: str) -> Outcome:
        try:
            # An empty context: inside another graph's node this is still a graph of its own.
            result = contextvars.Context().run(self._graph.invoke, given, _config(thread))
        except Exception as error:  # noqa: BLE001 - becomes the value `failed`; no interrupt leaves a graph of its own
            return self._broken(error, thread)
        return self._outcome(result, thread)

    async def _ainvoke(self, given: Any, thread: str) -> Outcome:
        work = self._graph.ainvoke(given, _config(thread))
        try:
            result = await asyncio.create_task(work, context=contextvars.Context())
        except Exception as error:  # noqa: BLE001 - as in _invoke
            return await asyncio.to_thread(self._broken, error, thread)
        return await asyncio.to_thread(self._outcome, result, thread)

    def _outcome(self, result: Any, thread: str) -> Outcome:
        waits = result.get("__interrupt__") if isinstance(result, dict) else None
        value = waits[0].value if waits else result
        said = value.get("outcome") if isinstance(value, Mapping) else None
        if isinstance(said, dict):
            try:
                return Outcome.from_json(said)
            except MalformedValueError as error:
                return self._broken(error, thread)
        return self._keep(
            Outcome(
                status=OutcomeStatus.FAILED,
                run_id=self._run_id(thread),
                reason="no_outcome",
                error={"code": "failed.no_outcome", "message": "The run ended without an outcome.", "retry": "never"},
            )
        )

    def _broken(self, error: Exception, thread: str) -> Outcome:
        return self._keep(_failed(error, self._run_id(thread)))

    def _run_id(self, thread: str) -> str:
        try:
            run = self._runtime.ledger.runs.of_request(thread)
        except SluisError:
            return ""
        return "" if run is None else run.run_id

    def _keep(self, outcome: Outcome) -> Outcome:
        """Into the ledger as well, unless the run is unknown there or has been released."""
        try:
            known = self._runtime.ledger.runs.outcome(outcome.run_id)
            if known is None or known.status is not OutcomeStatus.RELEASED:
                self._runtime.ledger.runs.close(outcome.run_id, outcome)
        except SluisError:
            return outcome
        return outcome


def _require_recipient(kind: ActionKind, recipient: str) -> None:
    """What the transport would refuse for good is refused before a word is written."""
    try:
        if kind is ActionKind.MAIL:
            require_mailbox(recipient)
        else:
            require_name(recipient)
    except RefusedError as error:
        raise RecipientMalformedError(error.message, hint=error.hint) from error


def _default_recipients(kind: ActionKind, request_id: str) -> list[str]:
    return [f"{request_id}.md"] if kind is ActionKind.DOCUMENT else []


def _config(thread: str) -> Any:
    return {"configurable": {"thread_id": thread}, "recursion_limit": _STEPS}


def _failed(error: Exception, run_id: str) -> Outcome:
    if isinstance(error, SluisError):
        said: dict[str, Any] = error.diagnostics()
    else:
        # Its text may quote a draft; its type cannot.
        said = {"code": "failed.unexpected", "message": f"{type(error).__name__} outside the nodes.", "retry": "never"}
    return Outcome(status=OutcomeStatus.FAILED, run_id=run_id, reason=str(said["code"]), error=said)
