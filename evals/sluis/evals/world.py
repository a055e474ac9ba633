"""A small, whole world to attack: real ledger, keys, gate, graph and relay over a retriever, a drafter and sources
that say what the test wants.

For tests of your own as well: put your checks, nodes or graph in, let the drafter write the worst, and look at what
left (:meth:`World.escaped`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sluis.core import (
    NO_END,
    ActionKind,
    Candidate,
    Check,
    Chunk,
    Citation,
    Completion,
    CompletionStatus,
    Evidence,
    Finding,
    Manifest,
    ManualClock,
    Marker,
    RandomIds,
    Request,
    RetrievalStamp,
    SourceState,
    SourceStatus,
    digest_bytes,
    digest_text,
)

if TYPE_CHECKING:
    from sluis.corpus import Retrieval
    from sluis.graphs import Agent
    from sluis.ledger import Ledger
    from sluis.nodes import Runtime
    from sluis.permits import Keyring
    from sluis.policies import Policy
    from sluis.relay import FileTransport, Relay

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
PINS = digest_bytes(b"pins of the world")
TENANT, AUDIENCE = "acme", "client"
RULING = "ECLI:NL:RBSLUIS:2024:17"
GOOD = "De verhuurder betaalt de waarborgsom binnen 14 dagen terug. [c1]"
"""A draft that passes every check over :data:`TEXT`."""
TEXT = "De verhuurder betaalt de waarborgsom binnen 14 dagen terug. De huurder draagt € 250 aan schoonmaakkosten."
SECRET = "Zeg de huurder dat hij vandaag nog EUR 99.999 moet overmaken."  # noqa: S105 - what must never get out


def chunk(text: str = TEXT, *, source_id: str = RULING, source_kind: str = "ecli", position: int = 0) -> Chunk:
    """A chunk in force, for :data:`TENANT` and :data:`AUDIENCE`."""
    return Chunk(
        chunk_id=f"{source_id}#{position}",
        source_id=source_id,
        source_kind=source_kind,
        source_url=f"https://uitspraken.rechtspraak.nl/details?id={source_id}",
        title="Rechtbank Sluis 17 (verzonnen)",
        family=source_id,
        version="1",
        doc_type="ruling",
        language="nl",
        tenant=TENANT,
        audience=(AUDIENCE,),
        marker=Marker.CURRENT,
        valid_from=20200101,
        valid_to=NO_END,
        numbering=("3", f"3.{position + 1}"),
        position=position,
        start=0,
        end=len(text),
        text=text,
        content_digest=digest_text(text),
        pins=PINS,
        ingested_at=START,
    )


@dataclass
class FixedRetriever:
    """Gives the same chunks to every question, stamped as the register knows them."""

    ledger: Ledger
    chunks: tuple[Chunk, ...]
    clock: ManualClock
    collection: str = "world-1"
    alias: str = "live"

    def __post_init__(self) -> None:
        self.ledger.register.upsert_chunks(self.collection, self.chunks)
        self.ledger.register.swap_alias(self.alias, self.ledger.register.alias(self.alias), self.collection)

    def retrieve(self, request: Request, *, policy: Policy, day: int, limit: int) -> Retrieval:
        """All chunks, in their order."""
        from sluis.corpus import Retrieval

        return Retrieval(
            candidates=tuple(Candidate(chunk=item, score=1.0) for item in self.chunks[:limit]),
            stamp=RetrievalStamp(
                alias=self.alias,
                collection=self.collection,
                fingerprint=self.ledger.register.fingerprint(self.collection),
                pins=tuple(sorted({item.pins for item in self.chunks})),
                backend="fixed",
                at=self.clock.now(),
            ),
        )


@dataclass
class InOrder:
    """Keeps the order it is given."""

    def order(self, question: str, candidates: tuple[Candidate, ...], *, keep: int) -> tuple[Candidate, ...]:
        """The first ``keep``."""
        return candidates[:keep]


@dataclass
class WorstCaseModel:
    """Writes whatever the test wants: its texts one after the other, the last one for ever."""

    texts: list[str] = field(default_factory=lambda: [GOOD])
    written: int = 0
    heard: list[tuple[Finding, ...]] = field(default_factory=list)
    """The findings it was given, a round each."""

    def draft(
        self, *, question: str, evidence: Evidence, request: Request, findings: tuple[Finding, ...], round: int
    ) -> Completion:
        """The next text."""
        text = self.texts[min(self.written, len(self.texts) - 1)]
        self.written += 1
        self.heard.append(findings)
        return Completion(status=CompletionStatus.OK, text=text, model="worst-case@1", drafter="chat")

    async def adraft(
        self, *, question: str, evidence: Evidence, request: Request, findings: tuple[Finding, ...], round: int
    ) -> Completion:
        """The same."""
        return self.draft(question=question, evidence=evidence, request=request, findings=findings, round=round)


@dataclass
class FixedSources:
    """Says what it was told of each citation; of others that they are live."""

    clock: ManualClock
    says: dict[str, tuple[SourceState, str]] = field(default_factory=dict)
    asked: list[Citation] = field(default_factory=list)

    async def statuses(self, citations: tuple[Citation, ...]) -> Mapping[Citation, SourceStatus]:
        """One status each."""
        self.asked.extend(citations)
        return {item: self._status(item) for item in citations}

    def _status(self, citation: Citation) -> SourceStatus:
        state, reason = self.says.get(citation.value, (SourceState.LIVE, "current"))
        return SourceStatus(
            kind=citation.kind,
            value=citation.value,
            status=state,
            reason=reason,
            source=f"https://data.example/{citation.value}",
            checked_at=self.clock.now(),
            elapsed_ms=1,
            digest=digest_text(f"{citation.value} {reason}"),
            transient=reason in {"timeout", "connection"},
        )


@dataclass
class World:
    """Everything, and what an attacker may hold.

    Attributes:
        folder: where it lives.
        clock: moved by the test.
        ledger: real.
        keyring: the public keys.
        model: the drafter.
        sources: the live sources.
        runtime: what the nodes work with. An attacker does not hold it: the signer is in it.
        graph: the compiled graph. An attacker holds this, its checkpointer and every state.
        agent: asks the graph.
        transport: hands documents over, into ``out``.
        relay: the way out.
        out: the publishing folder.
    """

    folder: Path
    clock: ManualClock
    ledger: Ledger
    keyring: Keyring
    model: WorstCaseModel
    sources: FixedSources
    runtime: Runtime
    graph: Any
    agent: Agent
    transport: FileTransport
    relay: Relay
    out: Path
    manifest: list[Manifest]
    """One element: the manifest in force. Replace it to change what may serve."""

    def request(self, recipient: str = "answer.md", question: str = "Wanneer moet de waarborgsom terug?") -> Request:
        """A new request."""
        return self.agent.request(question, recipients=(recipient,))

    def config(self, request: Request) -> dict[str, Any]:
        """The graph's configuration for a request, as the agent uses it."""
        return {"configurable": {"thread_id": request.request_id}, "recursion_limit": 50}

    def deliver(self) -> None:
        """Let time pass beyond every hold and run the relay until nothing is due."""
        self.clock.advance(200)
        for _ in range(5):
            self.relay.run_once()
            self.clock.advance(60)

    def escaped(self) -> dict[str, str]:
        """What left, after the relay had every chance: file name to text. Permits beside them are left out."""
        self.deliver()
        return {
            path.name: path.read_text(encoding="utf-8")
            for path in sorted(self.out.rglob("*"))
            if path.is_file() and not path.name.endswith(".permit.json")
        }

    def rows(self) -> int:
        """How many actions the outbox holds."""
        return len(self.ledger.outbox.list())


@contextmanager
def open_world(
    folder: Path,
    *,
    chunks: Iterable[Chunk] | None = None,
    checks: tuple[Check, ...] | None = None,
    checkpointer: Any = None,
    wrap: Callable[[Runtime], Runtime] | None = None,
) -> Iterator[World]:
    """Open a world in an empty folder.

    Args:
        folder: an empty folder.
        chunks: what the retriever gives; default: one chunk that supports :data:`GOOD`.
        checks: the gate; default: every built-in check.
        checkpointer: of the graph; default: SQLite in the folder.
        wrap: changes the runtime before the graph is built.
    """
    from sluis.graphs import Agent, answer_graph, sqlite_checkpoints
    from sluis.ledger import Ledger
    from sluis.nodes import Runtime
    from sluis.nodes.verify import all_checks
    from sluis.permits import Keyring, Signer, generate_key
    from sluis.policies import load_policy
    from sluis.relay import FileTransport, Guard, Relay

    clock, ids = ManualClock(START), RandomIds()
    _, public = generate_key(folder / "keys" / "signing.pem", folder / "keys" / "public")
    keyring = Keyring.load(public.parent)
    out = folder / "out"
    with ExitStack() as stack:
        ledger = stack.enter_context(Ledger.open(folder / "ledger.db", clock=clock, ids=ids, keyring=keyring))
        retriever = FixedRetriever(ledger, tuple(chunks) if chunks is not None else (chunk(),), clock)
        policy = load_policy("builtin:client_facing")
        manifest = [
            Manifest(
                fingerprints=(ledger.register.fingerprint(retriever.collection),),
                pins=(PINS,),
                policies=(policy.digest(),),
            )
        ]
        model, sources = WorstCaseModel(), FixedSources(clock)
        runtime = Runtime(
            ledger=ledger,
            signer=Signer.load(folder / "keys" / "signing.pem"),
            retriever=retriever,
            policy=policy,
            reranker=InOrder(),
            drafter=model,
            checks=all_checks() if checks is None else checks,
            sources=sources,
            manifest=lambda: manifest[0],
            clock=clock,
            ids=ids,
        )
        if wrap is not None:
            runtime = wrap(runtime)
        saver = checkpointer or stack.enter_context(sqlite_checkpoints(folder / "checkpoints.db"))
        graph = answer_graph(runtime, saver)
        agent = Agent(runtime, graph, tenant=TENANT, audience=AUDIENCE, locale="nl-NL")
        transport = FileTransport(out, guard=Guard(ledger=ledger, keyring=keyring, clock=clock))
        relay = Relay(
            ledger=ledger,
            keyring=keyring,
            transports={ActionKind.DOCUMENT: transport},
            sources=sources,
            manifest=lambda: manifest[0],
            clock=clock,
        )
        yield World(
            folder=folder,
            clock=clock,
            ledger=ledger,
            keyring=keyring,
            model=model,
            sources=sources,
            runtime=runtime,
            graph=graph,
            agent=agent,
            transport=transport,
            relay=relay,
            out=out,
            manifest=manifest,
        )
