"""The index behind an answer: allowed by the manifest, of one pin set, or nothing passes."""

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
    Draft,
    Evidence,
    EvidenceItem,
    Finding,
    Manifest,
    Request,
    RetrievalStamp,
    digest_of,
)
from sluis.nodes.verify.retrieval_fingerprint import RetrievalFingerprint

AT = datetime(2026, 11, 30, 12, tzinfo=UTC)
INDEX, PINS, OTHER = digest_of("index"), digest_of("pins"), digest_of("other")
ALLOWED = Manifest(fingerprints=(INDEX,), pins=(PINS,), policies=())


@pytest.fixture
def run(a_chunk: Callable[..., Chunk], a_request: Request) -> Callable[..., Any]:
    async def check(
        manifest: Manifest | None = ALLOWED,
        *,
        chunks: tuple[str, ...] = (PINS, PINS),
        stamp: tuple[str, ...] = (PINS,),
        fingerprint: str = INDEX,
    ) -> tuple[Finding, ...]:
        items = tuple(
            EvidenceItem(label=f"c{number}", chunk=a_chunk(f"k{number}", pins=pins))
            for number, pins in enumerate(chunks, 1)
        )
        completion = Completion(status=CompletionStatus.OK, text="x", model="m", drafter="chat")
        case = Case(
            draft=Draft(completion=completion, claims=(), locale=None),
            evidence=Evidence(
                items=items,
                stamp=RetrievalStamp(
                    alias="live", collection="c", fingerprint=fingerprint, pins=stamp, backend="edge", at=AT
                ),
            ),
            context=CheckContext(request=a_request, now=AT, manifest=manifest),
        )
        return await RetrievalFingerprint().run(case)

    return check


async def test_an_index_and_a_pin_set_on_the_manifest_pass(run: Callable[..., Any]) -> None:
    assert await run() == ()


CASES: dict[str, tuple[dict[str, Any], list[str]]] = {
    "no manifest": ({"manifest": None}, ["no_manifest"]),
    "a manifest that allows nothing": (
        {"manifest": Manifest(fingerprints=(), pins=(), policies=())},
        ["unknown_fingerprint", "unknown_pins"],
    ),
    "last year's index": ({"fingerprint": OTHER}, ["unknown_fingerprint"]),
    "two pin sets, both allowed": (
        {
            "chunks": (PINS, OTHER),
            "stamp": tuple(sorted((PINS, OTHER))),
            "manifest": ALLOWED.model_copy(update={"pins": (PINS, OTHER)}),
        },
        ["mixed_pins"],
    ),
    "chunks of another pin set than the stamp says": ({"chunks": (OTHER,)}, ["mixed_pins", "unknown_pins"]),
    "one pin set that is not allowed": ({"chunks": (OTHER,), "stamp": (OTHER,)}, ["unknown_pins"]),
    "no chunk at all": ({"chunks": ()}, ["no_pins"]),
    "neither chunk nor pins": ({"chunks": (), "stamp": ()}, ["no_pins"]),
}


@pytest.mark.parametrize("case", CASES, ids=str)
async def test_everything_else_blocks_and_no_one_can_wave_it_through(case: str, run: Callable[..., Any]) -> None:
    changes, reasons = CASES[case]
    findings = await run(**changes)
    assert [item.reason for item in findings] == reasons
    assert all(item.status == "block" and not item.waivable and not item.undecided for item in findings)
