"""What a permit says."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from sluis.core import ActionKind, Citation, Day, Digest, Moment, Value, Waiver

PAYLOAD_TYPE = "application/vnd.sluis.permit+json"
"""DSSE payload type of a permit; part of what is signed."""


class Permit(Value):
    """Leave for one action: these bytes, this way, to this recipient, once, within this time.

    The statement inside the envelope is the RFC 8785 form of this value.
    """

    version: Literal[1] = 1
    permit_id: Annotated[str, Field(min_length=8, max_length=128)]
    """Consumed once, in the ledger."""
    run_id: str
    request_id: str
    request: Digest
    """Of the request as recorded when the run was opened."""
    tenant: str
    audience: str
    as_of: Day | None
    """Calendar date on which the sources must be in force; ``None``: the day on which one looks."""
    kind: ActionKind
    recipient: str
    media_type: str
    payload: Digest
    size: Annotated[int, Field(ge=1)]
    """Of the payload, in bytes."""
    verdict: Digest
    draft: Digest
    policy: Digest
    fingerprint: Digest
    """Of the index that the evidence came from."""
    pins: tuple[Digest, ...]
    citations: tuple[Citation, ...]
    """Asked again at release; each must be live, or waived."""
    chunks: tuple[tuple[str, Digest], ...]
    """Cited chunks, each with the digest of its text; admissible again at release."""
    waivers: tuple[Waiver, ...]
    issued_at: Moment
    not_before: Moment
    expires_at: Moment
    """First moment at which the permit is no longer good."""
    key_id: str
