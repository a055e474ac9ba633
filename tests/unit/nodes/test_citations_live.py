"""citations.live: only what its source shows as current passes; everything else blocks, holds or goes to a person."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from sluis.core import (
    NO_END,
    Case,
    CheckContext,
    Chunk,
    Citation,
    Claim,
    Completion,
    CompletionStatus,
    Draft,
    Evidence,
    EvidenceItem,
    Finding,
    ManualClock,
    Marker,
    Request,
    RetrievalStamp,
    SourceGateway,
    SourceState,
    SourceStatus,
    digest_text,
    evidence_digest,
)
from sluis.nodes.verify.citations_live import CitationsLive
from sluis.simulators import RegistrySimulator
from sluis.sources import REASONS, Gateway, open_gateway

NOW = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
DIGEST = "sha256:" + "0" * 64
CURRENT, VOID = "ECLI:NL:RBAMS:2098:101", "ECLI:NL:CRVB:2098:201"
URL = f"https://deeplink.rechtspraak.nl/uitspraak?id={CURRENT}"


def chunk(source_id: str, *, kind: str = "ecli", url: str = "", chunk_id: str = "chunk-1") -> Chunk:
    text = "De boete is € 250 per dag."
    return Chunk(
        chunk_id=chunk_id,
        source_id=source_id,
        source_kind=kind,
        source_url=url,
        title="Een uitspraak",
        family=source_id,
        version="1",
        doc_type="ruling",
        language="nl",
        tenant="t",
        audience=("client",),
        marker=Marker.CURRENT,
        valid_from=2000_01_01,
        valid_to=NO_END,
        position=0,
        start=0,
        end=len(text),
        text=text,
        content_digest=digest_text(text),
        pins=DIGEST,
        ingested_at=NOW,
    )


def case(
    text: str, *, sources: SourceGateway | None, chunks: Mapping[str, Chunk] | None = None, labels: tuple[str, ...] = ()
) -> Case:
    """A draft of one claim that cites ``labels``."""
    claim = Claim(text=text, start=0, end=len(text), labels=labels, needs_support=True)
    completion = Completion(status=CompletionStatus.OK, text=text, model="m", drafter="chat")
    stamp = RetrievalStamp(alias="live", collection="c", fingerprint=DIGEST, pins=(DIGEST,), backend="fake", at=NOW)
    return Case(
        draft=Draft(completion=completion, claims=(claim,), locale="nl-NL"),
        evidence=Evidence(
            items=tuple(EvidenceItem(label=label, chunk=item) for label, item in (chunks or {}).items()), stamp=stamp
        ),
        context=CheckContext(
            request=Request(
                request_id="request-1", question="Hoe hoog?", recipients=("a.md",), audience="client", tenant="t"
            ),
            now=NOW,
            sources=sources,
        ),
    )


class FakeGateway:
    """Answers as scripted; what is not scripted is live."""

    def __init__(self, **fields: object) -> None:
        self.fields = fields
        self.asked: list[tuple[Citation, ...]] = []

    async def statuses(self, citations: tuple[Citation, ...]) -> Mapping[Citation, SourceStatus]:
        self.asked.append(citations)
        return {citation: self.status(citation) for citation in citations}

    def status(self, citation: Citation) -> SourceStatus:
        values: dict[str, object] = {
            "kind": citation.kind,
            "value": citation.value,
            "status": SourceState.LIVE,
            "reason": "current",
            "source": "https://register.test/x",
            "checked_at": NOW,
            "elapsed_ms": 12,
            "digest": DIGEST,
        }
        return SourceStatus(**(values | self.fields))  # type: ignore[arg-type]


async def run(case: Case) -> tuple[Finding, ...]:
    return await CitationsLive().run(case)


@pytest.fixture
def simulator() -> Iterator[RegistrySimulator]:
    with RegistrySimulator(Path(__file__).parents[2] / "fixtures" / "rechtspraak") as running:
        yield running


@pytest.fixture
def gateway(simulator: RegistrySimulator) -> Iterator[Gateway]:
    with open_gateway({"ecli": simulator.url}, clock=ManualClock(NOW)) as opened:
        yield opened


async def test_a_live_citation_in_the_text_passes() -> None:
    gateway = FakeGateway()
    assert await run(case(f"Zie {CURRENT}.", sources=gateway)) == ()
    assert gateway.asked == [(Citation(kind="ecli", value=CURRENT),)]


async def test_a_void_ruling_blocks_at_the_place_that_cites_it(gateway: Gateway) -> None:
    text = f"Zie {CURRENT} en {VOID}."
    (found,) = await run(case(text, sources=gateway))
    assert (found.status, found.reason, found.undecided, found.waivable) == ("block", "void", False, False)
    assert text[found.subject.start : found.subject.end] == found.subject.text == VOID
    assert "is withdrawn" in found.message
    assert found.evidence["digest"] is not None
    assert found.evidence["status"] == "withdrawn"


async def test_a_cited_chunk_is_asked_about_itself(gateway: Gateway) -> None:
    text = "De toeslag is terecht teruggevorderd [c1]."
    (found,) = await run(case(text, sources=gateway, chunks={"c1": chunk(VOID)}, labels=("c1",)))
    assert (found.status, found.reason, found.subject.text) == ("block", "void", text)


async def test_a_ruling_withdrawn_after_ingestion_blocks(simulator: RegistrySimulator, gateway: Gateway) -> None:
    asked = case("De boete is € 250 [c1].", sources=gateway, chunks={"c1": chunk(CURRENT)}, labels=("c1",))
    assert await run(asked) == ()
    simulator.withdraw(CURRENT)
    (found,) = await run(asked)
    assert (found.status, found.reason) == ("block", "void")


async def test_a_chunk_that_is_shown_and_not_cited_is_not_asked_about() -> None:
    gateway = FakeGateway()
    assert await run(case("Niets [c2].", sources=gateway, chunks={"c1": chunk(VOID)}, labels=("c2",))) == ()
    assert gateway.asked == []


async def test_a_chunk_of_a_kind_without_a_live_source_is_not_asked_about() -> None:
    gateway = FakeGateway()
    files = {"c1": chunk("handboek.md", kind="file")}
    assert await run(case("Ja [c1].", sources=gateway, chunks=files, labels=("c1",))) == ()
    assert gateway.asked == []
    check = CitationsLive(live_kinds=("file",))
    assert await check.run(case("Ja [c1].", sources=gateway, chunks=files, labels=("c1",))) == ()
    assert gateway.asked == [(Citation(kind="file", value="handboek.md"),)]


async def test_one_question_and_a_finding_for_each_place() -> None:
    gateway = FakeGateway(status=SourceState.OVERTURNED, reason="overturned", detail="Cassatie")
    chunks = {"c1": chunk(VOID), "c2": chunk(VOID, chunk_id="chunk-2")}
    text = f"{VOID} en nogmaals {VOID} [c1][c2]."
    found = await run(case(text, sources=gateway, chunks=chunks, labels=("c1", "c1", "c2")))
    assert gateway.asked == [(Citation(kind="ecli", value=VOID),)]
    assert [item.subject.text for item in found] == [VOID, text, text, VOID]
    assert all(item.message.endswith("(Cassatie)") for item in found)


DECISIONS = {
    "withdrawn": (SourceState.WITHDRAWN, "void", False, ("block", False, False)),
    "superseded": (SourceState.SUPERSEDED, "replaced", False, ("block", False, False)),
    "overturned": (SourceState.OVERTURNED, "overturned", False, ("block", False, False)),
    "not found": (SourceState.NOT_FOUND, "not_found", False, ("block", False, False)),
    "a time-out holds": (SourceState.UNVERIFIABLE, "timeout", True, ("block", True, False)),
    "a server error holds": (SourceState.UNVERIFIABLE, "http_503", True, ("block", True, False)),
    "an unknown later outcome is for a person": (
        SourceState.UNVERIFIABLE,
        "later_outcome_unknown",
        False,
        ("review", False, True),
    ),
    "a correction chain is for a person": (
        SourceState.UNVERIFIABLE,
        "correction_chain",
        False,
        ("review", False, True),
    ),
    "a text that is not published is for a person": (
        SourceState.UNVERIFIABLE,
        "no_text",
        False,
        ("review", False, True),
    ),
    "a malformed reference blocks": (SourceState.UNVERIFIABLE, "malformed_reference", False, ("block", False, False)),
    "a reason that is not known blocks": (SourceState.UNVERIFIABLE, "because", False, ("block", False, False)),
    "a definite state is never for a person, whatever its reason": (
        SourceState.WITHDRAWN,
        "no_text",
        False,
        ("block", False, False),
    ),
    "a definite state is never undecided": (SourceState.WITHDRAWN, "timeout", True, ("block", False, False)),
    "a passing fault is not for a person": (SourceState.UNVERIFIABLE, "no_text", True, ("block", True, False)),
}


@pytest.mark.parametrize("name", DECISIONS)
async def test_what_follows_from_a_status(name: str) -> None:
    state, reason, transient, expected = DECISIONS[name]
    gateway = FakeGateway(status=state, reason=reason, transient=transient)
    (found,) = await run(case(f"Zie {CURRENT}.", sources=gateway))
    assert (found.status, found.undecided, found.waivable) == expected
    assert found.reason == reason
    assert found.check == "citations.live"
    status = gateway.status(Citation(kind="ecli", value=CURRENT))
    assert evidence_digest(found.evidence) == evidence_digest(status.evidence())


@pytest.mark.parametrize("code", sorted(REASONS))
async def test_no_reason_but_current_passes_and_each_has_words(code: str) -> None:
    entry = REASONS[code]
    gateway = FakeGateway(status=entry.state, reason=code, transient=entry.transient)
    found = await run(case(f"Zie {CURRENT}.", sources=gateway))
    assert (found == ()) is (code == "current")
    assert all(entry.words in item.message for item in found)


@pytest.mark.parametrize("text", ["ECLI:NL:\u041dR:2019:1", "ECLI:NL:HR:2019:l", "ECLI:NL:HR"])
async def test_what_looks_like_a_citation_and_cannot_be_read_blocks(text: str) -> None:
    found = await run(case(f"Zie {text} daarover.", sources=FakeGateway()))
    assert [(item.status, item.reason, item.undecided) for item in found] == [("block", "citation_malformed", False)]
    assert found[0].evidence["kind"] == "ecli"


async def test_without_a_gateway_nothing_is_live() -> None:
    (found,) = await run(case(f"Zie {CURRENT}.", sources=None))
    assert (found.status, found.reason, found.undecided) == ("block", "no_gateway", False)
    assert found.evidence == {"kind": "ecli", "value": CURRENT}
    assert await run(case("Niets te citeren.", sources=None)) == ()


async def test_a_gateway_that_leaves_a_citation_out_holds() -> None:
    class Silent(FakeGateway):
        async def statuses(self, citations: tuple[Citation, ...]) -> Mapping[Citation, SourceStatus]:
            return {}

    (found,) = await run(case(f"Zie {CURRENT}.", sources=Silent()))
    assert (found.status, found.reason, found.undecided) == ("block", "not_answered", True)


@pytest.mark.parametrize("fields", [{"value": VOID}, {"kind": "doi"}])
async def test_a_live_answer_about_something_else_blocks(fields: dict[str, object]) -> None:
    (found,) = await run(case(f"Zie {CURRENT}.", sources=FakeGateway(**fields)))
    assert (found.status, found.reason, found.undecided) == ("block", "wrong_answer", False)


async def test_the_address_of_a_cited_chunk_is_not_a_citation_of_its_own() -> None:
    gateway = FakeGateway()
    address = "https://register.test/handboek"
    chunks = {"c1": chunk("handboek.md", kind="file", url=address)}
    assert await run(case(f"Zie {address} [c1].", sources=gateway, chunks=chunks, labels=("c1",))) == ()
    assert gateway.asked == []
    assert await run(case(f"Zie {address} [c1].", sources=gateway, chunks=chunks)) == ()
    assert gateway.asked == [(Citation(kind="url", value=address),)]


async def test_another_kind_of_citation_needs_a_source_too(gateway: Gateway) -> None:
    (found,) = await run(case("Zie CVE-2021-44228.", sources=gateway))
    assert (found.status, found.reason, found.waivable) == ("review", "no_source_for_kind", True)


async def test_findings_come_in_the_order_of_the_text(gateway: Gateway) -> None:
    text = f"Eerst {VOID}, dan ECLI:NL:HR, dan ECLI:NL:GHAMS:2098:501."
    found = await run(case(text, sources=gateway))
    assert [item.reason for item in found] == ["void", "citation_malformed", "overturned"]
