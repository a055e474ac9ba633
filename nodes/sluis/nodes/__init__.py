"""Nodes: each usable alone in any LangGraph graph, made by a factory from a :class:`Runtime`.

Names are loaded when they are asked for: the checks under :mod:`sluis.nodes.verify` need no LangGraph.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sluis.core.lazy import attribute

if TYPE_CHECKING:
    from ._runtime import Limits, Reranker, Retriever, Runtime, Selection
    from .draft import draft_node
    from .filter import admissible, filter_node
    from .open import open_node
    from .release import release_node
    from .rerank import rerank_node
    from .retrieve import retrieve_node
    from .review import review_node
    from .state import AnswerInput, AnswerOutput, AnswerState
    from .verify.node import verify_node

_HOMES = {
    "AnswerInput": "state",
    "AnswerOutput": "state",
    "AnswerState": "state",
    "Limits": "_runtime",
    "Reranker": "_runtime",
    "Retriever": "_runtime",
    "Runtime": "_runtime",
    "Selection": "_runtime",
    "admissible": "filter",
    "draft_node": "draft",
    "filter_node": "filter",
    "open_node": "open",
    "release_node": "release",
    "rerank_node": "rerank",
    "retrieve_node": "retrieve",
    "review_node": "review",
    "verify_node": "verify.node",
}


def __getattr__(name: str) -> Any:
    return attribute(__name__, _HOMES, name)


__all__ = [
    "AnswerInput",
    "AnswerOutput",
    "AnswerState",
    "Limits",
    "Reranker",
    "Retriever",
    "Runtime",
    "Selection",
    "admissible",
    "draft_node",
    "filter_node",
    "open_node",
    "release_node",
    "rerank_node",
    "retrieve_node",
    "review_node",
    "verify_node",
]
