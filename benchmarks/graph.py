"""The answer graph, against the same node bodies on a bare LangGraph ``StateGraph``.

What differs is what sluis adds around LangGraph: the guard around each node, the guarded routers and the proof of the
topology when the graph is compiled. Both run the same runnables over the same ledger (SQLite), retriever, gate and
fixed drafter, with LangGraph's in-memory checkpointer, in turns, so that the machine's mood meets both alike.

Run: ``python benchmarks/graph.py [--runs N] [--json]``. Prints milliseconds a run and the ratio.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Hashable
from pathlib import Path
from typing import Any

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph

from sluis.core import OutcomeStatus
from sluis.evals.world import World, open_world
from sluis.graphs import answer_graph
from sluis.nodes import (
    draft_node,
    filter_node,
    open_node,
    release_node,
    rerank_node,
    retrieve_node,
    review_node,
    verify_node,
)
from sluis.nodes.state import AnswerInput, AnswerOutput, AnswerState

WARM_UP = 5


def bare_graph(world: World) -> Any:
    """The same bodies, wired by hand."""
    bodies = {
        "open": open_node,
        "retrieve": retrieve_node,
        "filter": filter_node,
        "rerank": rerank_node,
        "draft": draft_node,
        "verify": verify_node,
        "review": review_node,
        "release": release_node,
    }
    routes: dict[str, dict[Hashable, str]] = {
        "open": {"next": "retrieve", "end": END},
        "retrieve": {"next": "filter", "end": END},
        "filter": {"next": "rerank", "end": END},
        "rerank": {"next": "draft", "end": END},
        "draft": {"verify": "verify", "end": END},
        "verify": {"next": "release", "redraft": "draft", "review": "review", "end": END},
        "review": {"verify": "verify", "review": "review", "end": END},
        "release": {"end": END},
    }
    graph = StateGraph(AnswerState, input_schema=AnswerInput, output_schema=AnswerOutput)
    for name, make in bodies.items():
        graph.add_node(name, make(world.runtime))
    graph.add_edge(START, "open")
    for name, ends in routes.items():
        graph.add_conditional_edges(name, lambda state: str(state.get("route")), ends)
    return graph.compile(checkpointer=InMemorySaver())


def one_run(world: World, graph: Any) -> float:
    """Seconds of one released answer."""
    request = world.request()
    start = time.perf_counter()
    result = graph.invoke({"request": request.to_json()}, world.config(request))
    taken = time.perf_counter() - start
    if result["outcome"]["status"] != OutcomeStatus.RELEASED.value:
        raise RuntimeError(f"the run was not released: {result['outcome']['reason']}")
    return taken


def measure(runs: int) -> dict[str, float | int]:
    """Medians over ``runs`` pairs of runs, after a warm-up."""
    with tempfile.TemporaryDirectory() as folder, open_world(Path(folder)) as world:
        ours, bare = answer_graph(world.runtime, InMemorySaver()), bare_graph(world)
        for _ in range(WARM_UP):
            one_run(world, ours)
            one_run(world, bare)
        pairs = []
        for number in range(runs):
            if number % 2:
                second, first = one_run(world, bare), one_run(world, ours)
            else:
                first, second = one_run(world, ours), one_run(world, bare)
            pairs.append((first, second))
    sluis, langgraph = (statistics.median(pair[place] for pair in pairs) * 1000 for place in (0, 1))
    return {
        "runs": runs,
        "sluis_ms": round(sluis, 3),
        "langgraph_ms": round(langgraph, 3),
        "overhead_ms": round(statistics.median((first - second) * 1000 for first, second in pairs), 3),
        "ratio": round(statistics.median(first / second for first, second in pairs), 3),
    }


def main() -> int:
    """Parse the command line, measure, print."""
    parser = argparse.ArgumentParser(description="The answer graph beside the same nodes on bare LangGraph.")
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--json", action="store_true", dest="as_json")
    arguments = parser.parse_args()
    result = measure(arguments.runs)
    if arguments.as_json:
        print(json.dumps(result))
    else:
        for name, value in result.items():
            print(f"{name:<14}{value:>10}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
