"""Builders of evidence, requests and raw responses; made up, in the providers' real shapes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from sluis.core import Chunk, Evidence, EvidenceItem, Marker, Request, RetrievalStamp, digest_text

MakeChunk = Callable[..., Chunk]
MakeEvidence = Callable[..., Evidence]
Body = Callable[..., dict[str, Any]]

_AT = datetime(2026, 11, 30, 10, 0, tzinfo=UTC)
_PINS = digest_text("pins")


@pytest.fixture
def make_chunk() -> MakeChunk:
    def make(text: str, **changes: Any) -> Chunk:
        fields: dict[str, Any] = {
            "chunk_id": f"chunk-{digest_text(text)[7:15]}",
            "source_id": "ECLI:NL:RBSLUIS:2024:1",
            "source_kind": "ecli",
            "source_url": "",
            "title": "Een uitspraak",
            "family": "family",
            "version": "1",
            "doc_type": "ruling",
            "language": "nl",
            "tenant": "default",
            "audience": ("client",),
            "marker": Marker.CURRENT,
            "valid_from": 20240101,
            "valid_to": 99991231,
            "numbering": ("3.1",),
            "position": 0,
            "start": 0,
            "end": len(text),
            "text": text,
            "content_digest": digest_text(text),
            "pins": _PINS,
            "ingested_at": _AT,
        }
        return Chunk(**(fields | changes))

    return make


@pytest.fixture
def make_evidence(make_chunk: MakeChunk) -> MakeEvidence:
    def make(*chunks: str | Chunk) -> Evidence:
        items = tuple(
            EvidenceItem(
                label=f"c{number}", chunk=chunk if isinstance(chunk, Chunk) else make_chunk(chunk, position=number)
            )
            for number, chunk in enumerate(chunks, 1)
        )
        stamp = RetrievalStamp(
            alias="live", collection="one", fingerprint=digest_text("f"), pins=(_PINS,), backend="test", at=_AT
        )
        return Evidence(items=items, stamp=stamp)

    return make


@pytest.fixture
def request_() -> Request:
    return Request(
        request_id="req_00000001", question="Vraag?", recipients=("answer.md",), audience="client", tenant="default"
    )


@pytest.fixture
def openai_body() -> Body:
    def make(content: Any = "De termijn is 30 dagen. [c1]", finish: Any = "stop", **message: Any) -> dict[str, Any]:
        return {
            "object": "chat.completion",
            "model": "vendor-model-2025-05-14",
            "choices": [
                {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": content, **message}}
            ],
            "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120},
        }

    return make


@pytest.fixture
def anthropic_body() -> Body:
    def make(content: Any = None, stop: Any = "end_turn", usage: Mapping[str, Any] | None = None) -> dict[str, Any]:
        return {
            "type": "message",
            "role": "assistant",
            "model": "vendor-model-2025-05-14",
            "content": [{"type": "text", "text": "De termijn is 30 dagen. [c1]"}] if content is None else content,
            "stop_reason": stop,
            "usage": usage or {"input_tokens": 10, "output_tokens": 5},
        }

    return make


@pytest.fixture
def cohere_body() -> Body:
    def make(content: Any = None, finish: Any = "COMPLETE", **message: Any) -> dict[str, Any]:
        return {
            "id": "1",
            "finish_reason": finish,
            "message": {
                "role": "assistant",
                "content": [{"type": "text", "text": "De termijn is 30 dagen. [c1]"}] if content is None else content,
                **message,
            },
            "usage": {"tokens": {"input_tokens": 40.0, "output_tokens": 9.0}},
        }

    return make
