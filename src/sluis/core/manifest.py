"""What may serve: the deploy manifest, read by verification and again by the relay."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from ._model import Digest, Value


class Manifest(Value):
    """Allowed index fingerprints, pin sets and policies. Empty lists allow nothing."""

    fingerprints: tuple[Digest, ...]
    pins: tuple[Digest, ...]
    policies: tuple[Digest, ...]
    permit_seconds: Annotated[int, Field(ge=1, le=30 * 86_400)] = 3600
    """How long a permit lives after it was issued."""
    hold_seconds: Annotated[int, Field(ge=0, le=86_400)] = 90
    """How long the relay holds a row before it may go out."""
    time_zone: str = "Europe/Amsterdam"
    """The zone in which validity is a calendar date."""
