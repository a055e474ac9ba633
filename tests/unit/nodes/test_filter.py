from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sluis.core import Candidate, Chunk, Exclusion, Marker, Request
from sluis.ledger import Ledger
from sluis.nodes.filter import admissible
from sluis.policies import load_policy

Make = Callable[..., Chunk]
DAY = 20261130
POLICY = load_policy("builtin:client_facing")


class Silent:
    """A register that objects to nothing, or to what it is told."""

    def __init__(self, **reasons: tuple[str, ...]) -> None:
        self.reasons = reasons

    def current_reasons(self, chunk_id: str, content_digest: str, *, request: Request, day: int) -> tuple[str, ...]:
        return self.reasons.get(chunk_id, ())

    def vouches_for(self, chunk: Chunk) -> bool:
        return True


def run(
    chunks: Iterable[Chunk], request: Request, register: Any = None
) -> tuple[list[str], dict[str, tuple[int, bool]], tuple[Exclusion, ...]]:
    candidates = tuple(Candidate(chunk=chunk, score=1.0 - 0.01 * place) for place, chunk in enumerate(chunks))
    kept, exclusions = admissible(candidates, policy=POLICY, register=register or Silent(), request=request, day=DAY)
    counted = {item.reason: (item.count, item.incident) for item in exclusions}
    assert len(kept) + sum(item.count for item in exclusions) == len(candidates)
    assert set(kept) <= set(candidates)
    return [candidate.chunk.chunk_id for candidate in kept], counted, exclusions


def test_an_inadmissible_candidate_that_the_store_let_through_is_an_incident(a_chunk: Make, a_request: Request) -> None:
    chunks = [
        a_chunk("a"),
        a_chunk("b", marker=Marker.WITHDRAWN),
        a_chunk("c", audience=("internal",)),
        a_chunk("d", audience=("internal",)),
        a_chunk("e", valid_to=DAY - 1),
    ]
    kept, counted, exclusions = run(chunks, a_request)
    assert kept == ["a"]
    assert counted == {"audience": (2, True), "marker_withdrawn": (1, True), "no_longer_valid": (1, True)}
    assert [item.reason for item in exclusions] == sorted(counted)
    assert next(item for item in exclusions if item.reason == "audience").chunk_ids == ("c", "d")


def test_what_the_register_learned_since_is_no_incident_but_an_unknown_chunk_is(
    a_chunk: Make, a_request: Request
) -> None:
    register = Silent(a=("marker_withdrawn",), b=("unknown_chunk",), c=("content_changed", "audience"))
    kept, counted, _ = run([a_chunk(name) for name in "abcd"], a_request, register)
    assert kept == ["d"]
    assert counted == {"content_changed": (1, True), "marker_withdrawn": (1, False), "unknown_chunk": (1, True)}


def test_the_real_register_is_asked(a_chunk: Make, a_request: Request, a_ledger: Ledger) -> None:
    chunks = [a_chunk("a"), a_chunk("b"), a_chunk("c")]
    a_ledger.register.upsert_chunks("c", chunks[:2])
    a_ledger.register.swap_alias("live", None, "c")
    a_ledger.register.set_marker("doc-b", Marker.WITHDRAWN, "told today")
    kept, counted, _ = run(chunks, a_request, a_ledger.register)
    assert kept == ["a"]
    assert counted == {"marker_withdrawn": (1, False), "unknown_chunk": (1, True)}


def test_of_a_family_only_the_version_in_force_stays_however_well_the_old_one_scores(
    a_chunk: Make, a_request: Request
) -> None:
    old = [a_chunk(f"old{n}", family="f", version="2019", valid_from=20190101) for n in range(3)]
    new = a_chunk("new", family="f", version="2024", valid_from=20240101)
    other = a_chunk("other", family="g", version="2019", valid_from=20190101)
    kept, counted, _ = run([*old, new, other], a_request)
    assert kept == ["new", "other"]
    assert counted == {"superseded_version": (3, False)}


def test_a_later_version_that_is_not_yet_in_force_supersedes_nothing(a_chunk: Make, a_request: Request) -> None:
    chunks = [
        a_chunk("now", family="f", version="1", valid_from=20200101),
        a_chunk("later", family="f", version="2", valid_from=DAY + 1),
    ]
    kept, counted, _ = run(chunks, a_request)
    assert kept == ["now"]
    assert counted == {"not_yet_valid": (1, True)}


def test_two_versions_that_begin_on_one_day_cannot_be_told_apart(a_chunk: Make, a_request: Request) -> None:
    chunks = [
        a_chunk("a", family="f", version="1"),
        a_chunk("b", family="f", version="2"),
        a_chunk("z", family="f", version="0", valid_from=20190101),
    ]
    kept, counted, _ = run(chunks, a_request)
    assert kept == []
    assert counted == {"ambiguous_version": (2, False), "superseded_version": (1, False)}


def test_nothing_in_gives_nothing_out(a_request: Request) -> None:
    assert run([], a_request) == ([], {}, ())


names = st.sampled_from(("f", "g"))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(
        st.tuples(names, st.sampled_from(("1", "2")), st.sampled_from((20190101, 20200101)), st.booleans()), max_size=8
    )
)
def test_no_family_ever_shows_two_versions_and_every_candidate_is_counted_once(
    rows: list[tuple[str, str, int, bool]], a_chunk: Make, a_request: Request
) -> None:
    chunks = {
        f"k{place}": a_chunk(
            f"k{place}",
            family=family,
            version=version,
            valid_from=day,
            marker=Marker.CURRENT if current else Marker.UNKNOWN,
        )
        for place, (family, version, day, current) in enumerate(rows)
    }
    kept, _, _ = run(chunks.values(), a_request)
    for family in ("f", "g"):
        shown = {(chunks[name].version, chunks[name].valid_from) for name in kept if chunks[name].family == family}
        assert len(shown) <= 1
    assert all(chunks[name].marker is Marker.CURRENT for name in kept)
