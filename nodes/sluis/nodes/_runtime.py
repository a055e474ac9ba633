"""What the nodes work with: one frozen object, made once, held outside state and configuration."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from sluis.core import (
    ActionKind,
    Candidate,
    Check,
    Clock,
    ConfigurationError,
    Draft,
    Evidence,
    Exclusion,
    Ids,
    IntegrityError,
    Manifest,
    Payload,
    Request,
    RetrievalStamp,
    SourceGateway,
    Value,
    digest_bytes,
)

from .render import MailBuilder, render

if TYPE_CHECKING:
    from sluis.corpus import Retrieval
    from sluis.ledger import Ledger
    from sluis.ledger.runs import Run
    from sluis.models import Drafter
    from sluis.permits import Signer
    from sluis.policies import Policy


class Retriever(Protocol):
    """Finds candidates for a request, from one index, and says which."""

    def retrieve(self, request: Request, *, policy: Policy, day: int, limit: int) -> Retrieval:
        """Candidates, best first, and the stamp of the index they came from."""
        ...


class Reranker(Protocol):
    """Orders admissible candidates and cuts; never admits."""

    def order(self, question: str, candidates: tuple[Candidate, ...], *, keep: int) -> tuple[Candidate, ...]:
        """At most ``keep`` of the candidates, best first."""
        ...


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Bounds of a run.

    Attributes:
        retrieve: candidates asked of the store.
        keep: chunks shown to the drafter.
        redrafts: how often a draft that its own checks blocked is written again.
        checks_s: seconds for all checks together.
        verdict_s: seconds after which a verdict is too old to act on.
    """

    retrieve: int = 40
    keep: int = 6
    redrafts: int = 2
    checks_s: float = 5.0
    verdict_s: float = 300.0

    def __post_init__(self) -> None:
        if min(self.retrieve, self.keep) < 1 or self.redrafts < 0 or min(self.checks_s, self.verdict_s) <= 0:
            raise ConfigurationError("A limit is not positive.", hint="See sluis.nodes.Limits.")


class Selection(Value):
    """Candidates between two nodes, kept in the vault under their digest and bound to their run."""

    run_id: str
    stage: str
    candidates: tuple[Candidate, ...]
    stamp: RetrievalStamp
    exclusions: tuple[Exclusion, ...] = ()


class ForeignSelectionError(IntegrityError):
    """The candidates that the state points to belong to another run or another stage."""

    code = "integrity.foreign_selection"


@dataclass(frozen=True, kw_only=True)
class Runtime:
    """The parts an answer graph is made of.

    Attributes:
        ledger: runs, vault, reviews, register, outbox. The only thing that is trusted.
        signer: signs permits; its key is in no state and no configuration.
        retriever: finds candidates.
        policy: the hard filter.
        reranker: orders.
        drafter: writes.
        checks: the gate; an empty tuple lets nothing pass.
        sources: the live sources.
        manifest: gives the deploy manifest in force; asked at each verification.
        clock: the time.
        ids: fresh identifiers.
        limits: bounds.
        mail: builds messages for ``(run_id, recipient, ...)``; ``None`` when this agent sends no mail.
    """

    ledger: Ledger
    signer: Signer
    retriever: Retriever
    policy: Policy
    reranker: Reranker
    drafter: Drafter
    checks: tuple[Check, ...]
    sources: SourceGateway
    manifest: Callable[[], Manifest]
    clock: Clock
    ids: Ids
    limits: Limits = field(default_factory=Limits)
    mail: Callable[[str], MailBuilder] | None = None

    def save(self, selection: Selection) -> str:
        """Put candidates in the vault; returns their digest."""
        return self.ledger.vault.put_payload(selection.canonical())

    def load(self, digest: str, *, run_id: str, stage: str) -> Selection:
        """Take candidates from the vault.

        Raises:
            ForeignSelectionError: they belong to another run or stage.
        """
        data = self.ledger.vault.get_payload(digest)
        selection = Selection.from_json(data)
        if selection.run_id != run_id or selection.stage != stage or digest_bytes(data) != digest:
            raise ForeignSelectionError(
                "The state points to candidates that are not this run's.",
                hint="Start the request again.",
                run_id=run_id,
                digest=digest,
            )
        return selection

    def payloads(self, run: Run, draft: Draft, evidence: Evidence) -> tuple[tuple[Payload, bytes], ...]:
        """The exact bytes for each recipient of the run; the same each time it is called.

        Raises:
            ConfigurationError: the run asks for mail and this agent has no mail builder.
        """
        if run.request.kind is ActionKind.MAIL and self.mail is None:
            raise ConfigurationError(
                "The request asks for mail, and this agent has no sender.", hint="Fill in [smtp] of the project."
            )
        builder = None if self.mail is None else self.mail(run.run_id)
        return render(run.request, draft, evidence, date=run.opened_at, mail=builder)

    def day(self, request: Request, now: datetime) -> int:
        """The calendar date (``yyyymmdd``) on which this request's sources must be in force."""
        from sluis.policies import day_for

        return request.as_of if request.as_of is not None else day_for(now, self.manifest().time_zone)
