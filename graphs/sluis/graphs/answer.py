"""The answer graph: retrieve, filter, rerank, draft, verify, and then release, redraft, review or the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from langgraph.graph import END, START

from sluis.nodes import Runtime
from sluis.nodes.draft import draft_node
from sluis.nodes.filter import filter_node
from sluis.nodes.open import open_node
from sluis.nodes.release import release_node
from sluis.nodes.rerank import rerank_node
from sluis.nodes.retrieve import retrieve_node
from sluis.nodes.review import review_node
from sluis.nodes.state import AnswerInput, AnswerOutput, AnswerState
from sluis.nodes.verify import verify_node

from .builder import LockGraphBuilder
from .topology import Role

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph
    from langgraph.types import Checkpointer

NAME = "answer"


def _route(state: AnswerState) -> str:
    # A state without a route names no destination; the guard refuses it.
    return str(state.get("route"))


def answer_builder(runtime: Runtime) -> LockGraphBuilder:
    """The graph before it is compiled, so that nodes of your own can be added; the proof runs when it is compiled.

    Args:
        runtime: the parts.
    """
    builder = LockGraphBuilder(AnswerState, input_schema=AnswerInput, output_schema=AnswerOutput)
    builder.add_node("open", open_node(runtime))
    builder.add_node("retrieve", retrieve_node(runtime))
    builder.add_node("filter", filter_node(runtime))
    builder.add_node("rerank", rerank_node(runtime))
    builder.add_node("draft", draft_node(runtime), role=Role.DRAFT)
    builder.add_node("verify", verify_node(runtime), role=Role.VERIFY)
    builder.add_node("review", review_node(runtime), role=Role.REVIEW)
    builder.add_node("release", release_node(runtime), role=Role.ACTION)
    builder.add_edge(START, "open")
    for origin, following in (("open", "retrieve"), ("retrieve", "filter"), ("filter", "rerank"), ("rerank", "draft")):
        builder.add_router(origin, _route, {"next": following, "end": END})
    builder.add_router("draft", _route, {"verify": "verify", "end": END})
    builder.add_router("verify", _route, {"next": "release", "redraft": "draft", "review": "review", "end": END})
    builder.add_router("review", _route, {"verify": "verify", "review": "review", "end": END})
    builder.add_router("release", _route, {"end": END})
    return builder


def answer_graph(runtime: Runtime, checkpointer: Checkpointer = None) -> CompiledStateGraph[Any, Any, Any, Any]:
    """The compiled graph. Synchronous and asynchronous.

    Input is ``{"request": Request.new(...).to_json()}``; output holds ``run_id`` and ``outcome``
    (:class:`sluis.core.Outcome` as JSON), or an interrupt while a person has to decide. Neither holds draft text.

    Args:
        runtime: the parts.
        checkpointer: any of LangGraph's; needed for review.

    Raises:
        TopologyError: never for this graph; the proof runs all the same.
    """
    return answer_builder(runtime).compile(checkpointer, name=NAME)
