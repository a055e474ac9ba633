"""The gate to the live sources: every distinct reference at once, one deadline, fail closed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Mapping
from concurrent.futures import Future, wait
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from sluis.core import Citation, Clock, ConfigurationError, SourceStatus, SystemClock

from .client import SourceClient
from .ecli import EcliSource
from .fault import SourceFaultError
from .reasons import reason
from .source import Judgement, Source

__all__ = ["LIVE_KINDS", "DuplicateSourceError", "Gateway", "UnknownSourceKindError", "open_gateway"]

LIVE_KINDS = frozenset({"ecli"})
"""Kinds of citation that have a live source, and so the ``source_kind`` of chunks that must be live to be cited."""

_GRACE_S = 0.05
"""How much later than the deadline the caller stops waiting for the client's own thread."""


class DuplicateSourceError(ConfigurationError):
    """Two sources for one kind of citation."""

    code = "usage.configuration.duplicate_source"


class UnknownSourceKindError(ConfigurationError):
    """A URL is configured for a kind that no source is known for."""

    code = "usage.configuration.unknown_source_kind"


@dataclass(frozen=True, kw_only=True, slots=True)
class _Answer:
    judgement: Judgement
    elapsed_s: float


@dataclass(frozen=True, kw_only=True, slots=True)
class _Question:
    """One distinct reference in normal form."""

    kind: str
    value: str


class Gateway:
    """Asks the sources; implements :class:`sluis.core.SourceGateway`.

    Usable from any thread and any event loop, by many runs at a time; the connections are shared and kept.

    Args:
        sources: one a kind of citation.
        client: the client to use; closed together with the gateway. ``None``: one for the hosts of ``sources``.
        clock: when things were checked. The deadline itself runs on the event loop's timer.
        budget_seconds: for the whole gate, from the call to the answer. The first call opens the client before that.

    Raises:
        DuplicateSourceError: two sources for one kind.
        ConfigurationError: the budget is not positive.
    """

    def __init__(
        self,
        sources: Iterable[Source],
        client: SourceClient | None = None,
        clock: Clock | None = None,
        budget_seconds: float = 0.8,
    ) -> None:
        if not 0 < budget_seconds < float("inf"):
            raise ConfigurationError("The gate's budget is not positive.", hint="Set [gate] budget_ms.")
        self._sources: dict[str, Source] = {}
        for source in sources:
            if source.kind in self._sources:
                raise DuplicateSourceError(f"There are two sources for {source.kind}.", hint="Keep one.")
            self._sources[source.kind] = source
        hosts = frozenset[str]().union(*(source.private_hosts for source in self._sources.values()))
        self._client = client or SourceClient(private_hosts=hosts)
        self._clock: Clock = clock or SystemClock()
        self._budget = budget_seconds

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds that have a source here."""
        return frozenset(self._sources)

    def read(self, text: str) -> Citation | None:
        """A reference as a person types it, if one of the sources knows its form."""
        for kind, source in self._sources.items():
            value = source.normalise(text.strip())
            if value is not None:
                return Citation(kind=kind, value=value)
        return None

    async def statuses(self, citations: tuple[Citation, ...]) -> Mapping[Citation, SourceStatus]:
        """The status of every citation asked; what is not settled at the deadline is ``unverifiable``.

        References that are equal in normal form are asked once. No fault of a source raises.

        Raises:
            ClientClosedError: the gateway was closed.
            ClockWentBackwardsError: the time of the check cannot be told.
        """
        questions = self._questions(citations)
        if questions and not self._client.is_open:
            await asyncio.to_thread(self._client.start)
        now, start = self._clock.now(), self._clock.monotonic()
        answers: dict[_Question, _Answer] = {}
        if questions:
            future = self._submit(questions)
            waiting = asyncio.wrap_future(future)
            try:
                await asyncio.wait({waiting}, timeout=self._budget + _GRACE_S)
            finally:
                waiting.cancel()
            answers = _answers(future)
        return self._report(citations, answers, now=now, start=start)

    def statuses_sync(self, citations: tuple[Citation, ...]) -> Mapping[Citation, SourceStatus]:
        """The same for callers without an event loop; blocks no longer than the budget."""
        questions = self._questions(citations)
        if questions:
            self._client.start()
        now, start = self._clock.now(), self._clock.monotonic()
        answers: dict[_Question, _Answer] = {}
        if questions:
            future = self._submit(questions)
            wait((future,), timeout=self._budget + _GRACE_S)
            future.cancel()
            answers = _answers(future)
        return self._report(citations, answers, now=now, start=start)

    def close(self) -> None:
        """Close the client; further questions are refused."""
        self._client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _question(self, citation: Citation) -> _Question | str:
        """What to ask for a citation, or the reason why nothing can be asked."""
        source = self._sources.get(citation.kind)
        if source is None:
            return "no_source_for_kind"
        value = source.normalise(citation.value)
        return "malformed_reference" if value is None else _Question(kind=citation.kind, value=value)

    def _questions(self, citations: tuple[Citation, ...]) -> tuple[_Question, ...]:
        asked = (self._question(citation) for citation in citations)
        return tuple(dict.fromkeys(item for item in asked if isinstance(item, _Question)))

    def _submit(self, questions: tuple[_Question, ...]) -> Future[dict[_Question, _Answer]]:
        return self._client.submit(self._gate(questions, deadline=time.monotonic() + self._budget))

    async def _gate(self, questions: tuple[_Question, ...], *, deadline: float) -> dict[_Question, _Answer]:
        """All questions at once, on the client's loop; those without an answer at the deadline are left out."""
        tasks = {asyncio.ensure_future(self._ask(question)): question for question in questions}
        try:
            # The loop's own time is time.monotonic(), so that waiting for a busy loop counts as well.
            done, _ = await asyncio.wait(tasks, timeout=max(0.0, deadline - time.monotonic()))
            return {tasks[task]: _settled(task) for task in done}
        finally:
            for task in tasks:
                task.cancel()
                task.add_done_callback(_settled)

    async def _ask(self, question: _Question) -> _Answer:
        start = self._clock.monotonic()
        try:
            source = self._sources[question.kind]
            judgement = await source.status(question.value, client=self._client)
        except SourceFaultError as fault:
            judgement = Judgement(reason=fault.reason, detail=fault.detail, digest=fault.digest)
        return _Answer(judgement=judgement, elapsed_s=self._clock.monotonic() - start)

    def _report(
        self, citations: tuple[Citation, ...], answers: dict[_Question, _Answer], *, now: datetime, start: float
    ) -> dict[Citation, SourceStatus]:
        waited = self._clock.monotonic() - start
        unanswered = _Answer(judgement=Judgement(reason="timeout"), elapsed_s=waited)
        report: dict[Citation, SourceStatus] = {}
        for citation in citations:
            question = self._question(citation)
            if isinstance(question, _Question):
                value, url = question.value, self._sources[question.kind].url(question.value)
                answer = answers.get(question, unanswered)
            else:
                value, url = citation.value, ""
                answer = _Answer(judgement=Judgement(reason=question), elapsed_s=0.0)
            judgement = answer.judgement
            report[citation] = SourceStatus(
                kind=citation.kind,
                value=value,
                status=judgement.state,
                reason=judgement.reason,
                detail=judgement.detail,
                source=url,
                checked_at=now,
                elapsed_ms=round(answer.elapsed_s * 1000),
                digest=judgement.digest,
                transient=reason(judgement.reason).transient,
            )
        return report


def _answers(future: Future[dict[_Question, _Answer]]) -> dict[_Question, _Answer]:
    """What the gate found; nothing when it was cut off, so that every question counts as unanswered."""
    if not future.done() or future.cancelled() or future.exception() is not None:
        return {}
    return future.result()


def _settled(task: asyncio.Future[_Answer]) -> _Answer:
    """The result of a question; whatever an adapter raised counts as no answer, not as a crash of the gate."""
    error = asyncio.CancelledError() if task.cancelled() else task.exception()
    if error is None:
        return task.result()
    return _Answer(judgement=Judgement(reason="source_error", detail=type(error).__name__), elapsed_s=0.0)


def open_gateway(
    urls: Mapping[str, str] | None = None, *, clock: Clock | None = None, budget_seconds: float = 0.8
) -> Gateway:
    """A gateway over the built-in sources.

    Args:
        urls: kind to base URL, for those that are not asked at their own place.
        clock: the time.
        budget_seconds: for the whole gate.

    Raises:
        UnknownSourceKindError: a URL for a kind without a source.
        BadSourceUrlError: a URL that is none.
    """
    given = dict(urls or {})
    unknown = sorted(set(given) - LIVE_KINDS)
    if unknown:
        raise UnknownSourceKindError(
            f"There is no live source for {', '.join(unknown)}.", hint=f"Known: {', '.join(sorted(LIVE_KINDS))}."
        )
    source = EcliSource(given["ecli"]) if "ecli" in given else EcliSource()
    return Gateway((source,), clock=clock, budget_seconds=budget_seconds)
