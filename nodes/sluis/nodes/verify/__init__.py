"""The gate: its checks, the runner, and the verify node. Checks and runner need no LangGraph."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sluis.core.lazy import attribute

if TYPE_CHECKING:
    from sluis.core import Check

    from .citations_known import CitationsKnown
    from .citations_live import CitationsLive
    from .citations_reference import CitationsReference
    from .completion import CompletionContract
    from .contradiction import Contradiction
    from .egress import Egress
    from .node import verify_node
    from .polarity import Polarity
    from .policy_recheck import PolicyRecheck
    from .quotes_verbatim import QuotesVerbatim
    from .retrieval_fingerprint import RetrievalFingerprint
    from .runner import run_checks
    from .terms_supported import TermsSupported
    from .values_supported import ValuesSupported

_HOMES = {
    "CitationsKnown": "citations_known",
    "CitationsLive": "citations_live",
    "CitationsReference": "citations_reference",
    "CompletionContract": "completion",
    "Contradiction": "contradiction",
    "Egress": "egress",
    "Polarity": "polarity",
    "PolicyRecheck": "policy_recheck",
    "QuotesVerbatim": "quotes_verbatim",
    "RetrievalFingerprint": "retrieval_fingerprint",
    "TermsSupported": "terms_supported",
    "ValuesSupported": "values_supported",
    "run_checks": "runner",
    "verify_node": "node",
}


def all_checks() -> tuple[Check, ...]:
    """Every built-in check: the gate of the answer graph."""
    from .citations_known import CitationsKnown
    from .citations_live import CitationsLive
    from .citations_reference import CitationsReference
    from .completion import CompletionContract
    from .contradiction import Contradiction
    from .egress import Egress
    from .polarity import Polarity
    from .policy_recheck import PolicyRecheck
    from .quotes_verbatim import QuotesVerbatim
    from .retrieval_fingerprint import RetrievalFingerprint
    from .terms_supported import TermsSupported
    from .values_supported import ValuesSupported

    return (
        CompletionContract(),
        CitationsKnown(),
        CitationsReference(),
        ValuesSupported(),
        TermsSupported(),
        Polarity(),
        Contradiction(),
        QuotesVerbatim(),
        Egress(),
        RetrievalFingerprint(),
        PolicyRecheck(),
        CitationsLive(),
    )


def __getattr__(name: str) -> Any:
    return attribute(__name__, _HOMES, name)


__all__ = [
    "CitationsKnown",
    "CitationsLive",
    "CitationsReference",
    "CompletionContract",
    "Contradiction",
    "Egress",
    "Polarity",
    "PolicyRecheck",
    "QuotesVerbatim",
    "RetrievalFingerprint",
    "TermsSupported",
    "ValuesSupported",
    "all_checks",
    "run_checks",
    "verify_node",
]
