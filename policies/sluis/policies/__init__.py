"""Hard policies: what may be retrieved and shown, as positive conditions and as counted reasons."""

from __future__ import annotations

from .day import UnknownZoneError, day_for
from .load import BUILTIN_POLICIES, PolicyFileError, UnknownPolicyError, load_policy
from .policy import Policy

__all__ = [
    "BUILTIN_POLICIES",
    "Policy",
    "PolicyFileError",
    "UnknownPolicyError",
    "UnknownZoneError",
    "day_for",
    "load_policy",
]
