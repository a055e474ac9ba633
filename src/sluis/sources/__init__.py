"""Canonical sources: what they say of a citation now, and how their records read.

A :class:`Gateway` asks all sources at once under one deadline; :class:`EcliSource` is the register of Dutch rulings;
:data:`REASONS` explains every reason code; :func:`parse_ruling` reads a record of that register.
"""

from __future__ import annotations

from ._address import ForbiddenAddressError
from .client import ClientClosedError, Fetched, SourceClient
from .ecli import RECHTSPRAAK_URL, BadSourceUrlError, EcliSource
from .fault import SourceFaultError
from .gateway import LIVE_KINDS, DuplicateSourceError, Gateway, UnknownSourceKindError, open_gateway
from .reasons import REASONS, Reason, reason
from .rechtspraak import (
    ForbiddenDoctypeError,
    MalformedXmlError,
    NotARulingError,
    Paragraph,
    Relation,
    RulingRecord,
    parse_ruling,
)
from .ruling_status import judge_ruling
from .source import Judgement, Source

__all__ = [
    "LIVE_KINDS",
    "REASONS",
    "RECHTSPRAAK_URL",
    "BadSourceUrlError",
    "ClientClosedError",
    "DuplicateSourceError",
    "EcliSource",
    "Fetched",
    "ForbiddenAddressError",
    "ForbiddenDoctypeError",
    "Gateway",
    "Judgement",
    "MalformedXmlError",
    "NotARulingError",
    "Paragraph",
    "Reason",
    "Relation",
    "RulingRecord",
    "Source",
    "SourceClient",
    "SourceFaultError",
    "UnknownSourceKindError",
    "judge_ruling",
    "open_gateway",
    "parse_ruling",
    "reason",
]
