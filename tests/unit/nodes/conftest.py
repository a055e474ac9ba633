from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import pytest

from sluis.core import (
    NO_END,
    Candidate,
    Case,
    Check,
    CheckContext,
    Chunk,
    Completion,
    CompletionStatus,
    CountedIds,
    Evidence,
    EvidenceItem,
    Finding,
    Manifest,
    ManualClock,
    Marker,
    Request,
    RetrievalStamp,
    digest_of,
    digest_text,
)
from sluis.core.reading import read_draft
from sluis.corpus import KeepOrder, Retrieval
from sluis.ledger import Ledger
from sluis.nodes._runtime import Limits, Runtime
from sluis.policies import load_policy

AT = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.fixture
def a_chunk() -> Callable[..., Chunk]:
    def make(name: str, **changes: Any) -> Chunk:
        text = str(changes.pop("text", f"De termijn in {name} is 30 dagen."))
        data: dict[str, Any] = {
            "chunk_id": name,
            "source_id": f"doc-{name}",
            "source_kind": "file",
            "source_url": "",
            "title": "Regeling",
            "family": f"doc-{name}",
            "version": "1",
            "doc_type": "regulation",
            "language": "nl",
            "tenant": "default",
            "audience": ("client",),
            "marker": Marker.CURRENT,
            "valid_from": 20200101,
            "valid_to": NO_END,
            "position": 0,
            "start": 0,
            "end": len(text),
            "text": text,
            "content_digest": digest_text(text),
            "pins": digest_of("pins"),
            "ingested_at": AT,
        }
        return Chunk(**(data | changes))

    return make


@pytest.fixture
def a_request() -> Request:
    return Request(
        request_id="req_00000001", question="Hoe lang?", recipients=("a.md",), audience="client", tenant="default"
    )


@pytest.fixture
def a_clock() -> ManualClock:
    return ManualClock(AT)


@pytest.fixture
def a_ledger(tmp_path: Path, a_clock: ManualClock) -> Iterator[Ledger]:
    with Ledger.open(tmp_path / "ledger.db", clock=a_clock, ids=CountedIds()) as opened:
        yield opened


@pytest.fixture
def judge(a_request: Request, a_ledger: Ledger) -> Callable[..., Any]:
    """Runs one check on a text over some chunks, labelled c1, c2 and so on; gives its findings."""

    async def run(
        check: Check,
        text: str,
        *chunks: Chunk,
        locale: str | None = "nl-NL",
        request: Request = a_request,
        **context: Any,
    ) -> tuple[Finding, ...]:
        given: dict[str, Any] = {
            "manifest": Manifest(fingerprints=(), pins=(), policies=()),
            "policy_digest": digest_of("policy"),
            "register": a_ledger.register,
        }
        items = tuple(EvidenceItem(label=f"c{number}", chunk=chunk) for number, chunk in enumerate(chunks, 1))
        stamp = RetrievalStamp(alias="live", collection="c", fingerprint=digest_of("i"), pins=(), backend="edge", at=AT)
        completion = Completion(status=CompletionStatus.OK, text=text, model="m", drafter="chat")
        case = Case(
            draft=read_draft(completion, locale=locale),
            evidence=Evidence(items=items, stamp=stamp),
            context=CheckContext(request=request, now=AT, **(given | context)),
        )
        findings = await check.run(case)
        for item in findings:
            assert item.check == check.name
            assert text[item.subject.start : item.subject.end] == item.subject.text
        return findings

    return run


class FixedRetriever:
    """Gives the candidates it was made with and notes what it was asked."""

    def __init__(self, candidates: tuple[Candidate, ...], stamp: RetrievalStamp) -> None:
        self.found = Retrieval(candidates=candidates, stamp=stamp)
        self.asked: list[tuple[Any, ...]] = []

    def retrieve(self, request: Request, *, policy: Any, day: int, limit: int) -> Retrieval:
        self.asked.append((request, policy, day, limit))
        return self.found


@pytest.fixture
def a_runtime(a_ledger: Ledger, a_clock: ManualClock) -> Callable[..., Runtime]:
    """A runtime of which only the parts that retrieval needs are real; using another part fails."""

    def make(*candidates: Candidate, reranker: Any = None, limits: Limits | None = None) -> Runtime:
        stamp = RetrievalStamp(
            alias="live",
            collection="c",
            fingerprint=digest_of("index"),
            pins=(digest_of("pins"),),
            backend="memory",
            at=AT,
        )
        absent = cast("Any", None)
        return Runtime(
            ledger=a_ledger,
            signer=absent,
            retriever=FixedRetriever(candidates, stamp),
            policy=load_policy("builtin:client_facing"),
            reranker=reranker or KeepOrder(),
            drafter=absent,
            checks=(),
            sources=absent,
            manifest=lambda: Manifest(fingerprints=(), pins=(), policies=()),
            clock=a_clock,
            ids=CountedIds(),
            limits=limits or Limits(),
        )

    return make
