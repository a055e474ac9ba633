"""The proof that no action can be reached without verification."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluis.graphs import BypassError, TopologyError
from sluis.graphs.topology import Role, Topology, prove

ROLES = {
    "draft": Role.DRAFT,
    "redraft": Role.DRAFT,
    "verify": Role.VERIFY,
    "review": Role.REVIEW,
    "release": Role.ACTION,
    "log": Role.PLAIN,
}
SOUND = "start>draft draft>verify verify>release release>end"


def _topology(edges: str) -> Topology:
    drawn = [edge.split(">") for edge in edges.split()]
    return Topology(
        roles=ROLES, edges=frozenset((origin, target, "edge") for origin, target in drawn), start="start", end="end"
    )


BYPASSES = {
    "from the start": (f"{SOUND} start>release", ("start", "release")),
    "from the draft": (f"{SOUND} draft>release", ("start", "draft", "release")),
    "by a detour": (f"{SOUND} draft>log log>release", ("start", "draft", "log", "release")),
    "after review, whose rewriting nobody verified": (
        f"{SOUND} verify>review review>release",
        ("review", "release"),
    ),
    "by a redraft after verification": (
        "start>verify verify>redraft redraft>log log>release",
        ("redraft", "log", "release"),
    ),
    "from a draft that nothing leads to yet": (
        "start>verify verify>release draft>release",
        ("draft", "release"),
    ),
    "without any verification": ("start>log log>release", ("start", "log", "release")),
}


@pytest.mark.parametrize("what", BYPASSES)
def test_a_way_around_verification_is_refused_and_shown(what: str) -> None:
    edges, path = BYPASSES[what]
    with pytest.raises(BypassError) as refused:
        prove(_topology(edges))
    assert refused.value.path == path
    assert " -> ".join(path) in refused.value.message


SOUND_GRAPHS = {
    "the straight way": SOUND,
    "a redraft that is verified again": f"{SOUND} verify>draft",
    "a review that is verified again": f"{SOUND} verify>review review>verify",
    "a plain node between": "start>draft draft>log log>verify verify>release",
    "after the action": f"{SOUND} release>log log>end",
    "a second action after the first": f"{SOUND} release>log",
    "no action at all": "start>draft draft>end",
}


@pytest.mark.parametrize("what", SOUND_GRAPHS)
def test_a_sound_graph_is_let_be(what: str) -> None:
    prove(_topology(SOUND_GRAPHS[what]))


@pytest.mark.parametrize("edges", ["start>nowhere", "nowhere>release", "verify>nowhere"])
def test_an_edge_to_or_from_nothing_is_refused(edges: str) -> None:
    with pytest.raises(TopologyError, match="nowhere") as refused:
        prove(_topology(edges))
    assert refused.value.subject == {"node": "nowhere"}


names = st.sampled_from([*ROLES, "start", "end"])
graphs = st.frozensets(st.tuples(names, names, st.just("edge")), max_size=14)


def _bypasses(topology: Topology) -> bool:
    """By walking every way, step by step, as far as there are nodes."""
    origins = {"start"} | {name for name, role in ROLES.items() if role in (Role.DRAFT, Role.REVIEW)}
    reached = set(origins)
    for _ in range(len(ROLES) + 2):
        reached |= {
            target
            for origin, target, _ in topology.edges
            if origin in reached and topology.roles.get(target) is not Role.VERIFY
        }
    return any(topology.roles.get(name) is Role.ACTION for name in reached)


@given(graphs)
def test_the_proof_agrees_with_walking_every_way(edges: frozenset[tuple[str, str, str]]) -> None:
    topology = Topology(roles=ROLES, edges=edges, start="start", end="end")
    if not _bypasses(topology):
        prove(topology)
        return
    with pytest.raises(BypassError) as refused:
        prove(topology)
    path = refused.value.path
    assert all((origin, target, "edge") in edges for origin, target in pairwise(path))
    assert topology.roles[path[-1]] is Role.ACTION
    assert all(topology.roles.get(name) is not Role.VERIFY for name in path)
