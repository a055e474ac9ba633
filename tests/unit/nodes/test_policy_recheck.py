"""What may be shown is asked again at the end: of the register, of the policy, of the manifest."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from sluis.core import (
    Case,
    CheckContext,
    Chunk,
    Completion,
    CompletionStatus,
    Evidence,
    EvidenceItem,
    Finding,
    Manifest,
    Marker,
    Request,
    RetrievalStamp,
    digest_of,
    digest_text,
)
from sluis.core.reading import read_draft
from sluis.ledger import Ledger
from sluis.nodes.verify.policy_recheck import PolicyRecheck
from sluis.policies import Policy, load_policy

AT = datetime(2026, 11, 30, 12, tzinfo=UTC)
POLICY = load_policy("builtin:client_facing")
ALLOWED = Manifest(fingerprints=(), pins=(), policies=(POLICY.digest(),))
Run = Callable[..., Any]


@pytest.fixture
def run(a_request: Request, a_ledger: Ledger) -> Run:
    async def check(
        *chunks: Chunk,
        text: str = "De termijn is 30 dagen [c1].",
        policy: Policy | None = POLICY,
        request: Request = a_request,
        now: datetime = AT,
        **context: Any,
    ) -> list[tuple[str, str]]:
        given: dict[str, Any] = {
            "manifest": ALLOWED,
            "policy_digest": POLICY.digest(),
            "register": a_ledger.register,
        } | context
        items = tuple(EvidenceItem(label=f"c{number}", chunk=chunk) for number, chunk in enumerate(chunks, 1))
        stamp = RetrievalStamp(alias="live", collection="c", fingerprint=digest_of("i"), pins=(), backend="edge", at=AT)
        completion = Completion(status=CompletionStatus.OK, text=text, model="m", drafter="chat")
        case = Case(
            draft=read_draft(completion, locale="nl-NL"),
            evidence=Evidence(items=items, stamp=stamp),
            context=CheckContext(request=request, now=now, **given),
        )
        findings: tuple[Finding, ...] = await PolicyRecheck(policy).run(case)
        assert all(item.status == "block" and not item.waivable for item in findings)
        return [(item.reason, str(item.evidence.get("label", ""))) for item in findings]

    return check


@pytest.fixture
def known(a_ledger: Ledger) -> Callable[[Chunk], Chunk]:
    def register(chunk: Chunk) -> Chunk:
        a_ledger.register.upsert_chunks("c", [chunk])
        if a_ledger.register.alias("live") is None:
            a_ledger.register.swap_alias("live", None, "c")
        return chunk

    return register


Make = Callable[..., Chunk]
Known = Callable[[Chunk], Chunk]


async def test_a_chunk_that_the_register_still_holds_current_passes(run: Run, a_chunk: Make, known: Known) -> None:
    assert await run(known(a_chunk("k1"))) == []
    assert await run(known(a_chunk("k1")), policy=None) == []


async def test_without_manifest_register_or_policy_nothing_is_shown(run: Run, a_chunk: Make, known: Known) -> None:
    chunk = known(a_chunk("k1"))
    assert await run(chunk, manifest=None) == [("no_manifest", "")]
    assert await run(chunk, register=None) == [("no_register", "")]
    assert await run(chunk, policy_digest=None) == [("no_policy", "")]


async def test_a_policy_that_was_not_deployed_blocks(run: Run, a_chunk: Make, known: Known) -> None:
    chunk = known(a_chunk("k1"))
    other = Policy(name="other", version=1)
    assert await run(chunk, manifest=Manifest(fingerprints=(), pins=(), policies=())) == [
        ("policy_not_on_manifest", "")
    ]
    assert await run(chunk, policy=other) == [("policy_differs", "")]


async def test_a_document_withdrawn_after_it_was_retrieved_blocks(
    run: Run, a_chunk: Make, known: Known, a_ledger: Ledger
) -> None:
    chunk = known(a_chunk("k1"))
    a_ledger.register.set_marker(chunk.source_id, Marker.WITHDRAWN, "told today")
    assert await run(chunk) == [("marker_withdrawn", "c1")]


async def test_a_chunk_that_the_register_never_saw_or_no_longer_holds_blocks(
    run: Run, a_chunk: Make, known: Known, a_ledger: Ledger
) -> None:
    chunk = known(a_chunk("k1"))
    assert await run(a_chunk("k2")) == [("unknown_chunk", "c1")]
    a_ledger.register.forget_chunks("c", ["k1"])
    assert await run(chunk) == [("unknown_chunk", "c1")]


async def test_a_text_that_is_not_what_its_digest_says_blocks(run: Run, a_chunk: Make, known: Known) -> None:
    chunk = known(a_chunk("k1"))
    forged = chunk.model_copy(update={"text": "De termijn is 90 dagen."})
    assert await run(forged) == [("content_changed", "c1")]
    relabelled = forged.model_copy(update={"content_digest": digest_text(forged.text)})
    assert ("content_changed", "c1") in await run(relabelled)


async def test_validity_is_judged_on_the_day_in_the_manifests_zone(run: Run, a_chunk: Make, known: Known) -> None:
    chunk = known(a_chunk("k1", valid_to=20261130))
    # 22:59 in UTC is still the 30th in Amsterdam, 23:00 is the 1st.
    assert await run(chunk, now=datetime(2026, 11, 30, 22, 59, tzinfo=UTC)) == []
    assert await run(chunk, now=datetime(2026, 11, 30, 23, 0, tzinfo=UTC)) == [("no_longer_valid", "c1")]


async def test_a_request_as_of_a_day_is_judged_on_that_day(
    run: Run, a_chunk: Make, known: Known, a_request: Request
) -> None:
    chunk = known(a_chunk("k1", valid_from=20200101, valid_to=20221231))
    then = Request.from_json(a_request.to_json() | {"as_of": 20220601})
    assert await run(chunk, request=then) == []
    assert ("no_longer_valid", "c1") in await run(chunk)


@pytest.mark.parametrize(
    ("changes", "reason"), [({"audience": ("internal",)}, "audience"), ({"tenant": "other"}, "tenant")]
)
async def test_another_audience_or_tenant_blocks(
    changes: dict[str, Any], reason: str, run: Run, a_chunk: Make, known: Known
) -> None:
    assert (reason, "c1") in await run(known(a_chunk("k1", **changes)))


async def test_a_narrower_policy_blocks_what_the_register_knows_nothing_of(
    run: Run, a_chunk: Make, known: Known
) -> None:
    narrow = Policy(name="narrow", version=1, doc_types=("ruling",))
    allowed = Manifest(fingerprints=(), pins=(), policies=(narrow.digest(),))
    found = await run(known(a_chunk("k1")), policy=narrow, policy_digest=narrow.digest(), manifest=allowed)
    assert found == [("doc_type", "c1")]


async def test_only_cited_chunks_are_asked_about(run: Run, a_chunk: Make, known: Known) -> None:
    cited = known(a_chunk("k1"))
    assert await run(cited, a_chunk("k2", marker=Marker.WITHDRAWN)) == []
    both = "De termijn is 30 dagen [c1][c2]."
    assert ("unknown_chunk", "c2") in await run(cited, a_chunk("k2"), text=both)
