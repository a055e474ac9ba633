"""Models: what a response is worth, and who drafts."""

from __future__ import annotations

from ._thought import ThoughtScan, scan_thoughts
from .classify import TRANSIENT, Assessment, UnknownProviderError, assess, assess_error, classify
from .pin import ModelPin, PinMalformedError

__all__ = [
    "TRANSIENT",
    "Assessment",
    "ModelPin",
    "PinMalformedError",
    "ThoughtScan",
    "UnknownProviderError",
    "assess",
    "assess_error",
    "classify",
    "scan_thoughts",
]
