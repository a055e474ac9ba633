"""Canonical sources: what they say of a citation now, and how their records read."""

from __future__ import annotations

from .rechtspraak import NotARulingError, Paragraph, Relation, RulingRecord, parse_ruling

__all__ = ["NotARulingError", "Paragraph", "Relation", "RulingRecord", "parse_ruling"]
