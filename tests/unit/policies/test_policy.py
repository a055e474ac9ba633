from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluis.core import NO_END, Chunk, MalformedValueError, Marker, Request, checked, digest_of, digest_text, holds
from sluis.policies import Policy, load_policy

AT = datetime(2026, 11, 30, 12, tzinfo=UTC)
DAY = 20261130


def chunk(**changes: Any) -> Chunk:
    data: dict[str, Any] = {
        "chunk_id": "k1",
        "source_id": "s1",
        "source_kind": "file",
        "source_url": "",
        "title": "t",
        "family": "f",
        "version": "1",
        "doc_type": "regulation",
        "language": "nl",
        "tenant": "default",
        "audience": ("client",),
        "marker": Marker.CURRENT,
        "valid_from": 20200101,
        "valid_to": NO_END,
        "position": 0,
        "start": 0,
        "end": 1,
        "text": "x",
        "content_digest": digest_text("x"),
        "pins": digest_of("p"),
        "ingested_at": AT,
    }
    return Chunk(**(data | changes))


def request(**changes: Any) -> Request:
    data: dict[str, Any] = {
        "request_id": "req_00000001",
        "question": "Hoe lang?",
        "recipients": ("a.md",),
        "audience": "client",
        "tenant": "default",
    }
    return Request(**(data | changes))


OPEN = Policy(name="open", version=1)
NARROW = Policy(
    name="narrow", version=1, doc_types=("regulation", "ruling"), source_kinds=("file",), languages=("nl", "en")
)

REASONS: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "a current chunk for this audience passes": ({}, ()),
    "another tenant's": ({"tenant": "other"}, ("tenant",)),
    "an internal one": ({"audience": ("internal",)}, ("audience",)),
    "one for both": ({"audience": ("internal", "client")}, ()),
    "a withdrawn one": ({"marker": Marker.WITHDRAWN}, ("marker_withdrawn",)),
    "a superseded one": ({"marker": Marker.SUPERSEDED}, ("marker_superseded",)),
    "one whose source did not say": ({"marker": Marker.UNKNOWN}, ("marker_unknown",)),
    "on its first day": ({"valid_from": DAY}, ()),
    "a day before its first": ({"valid_from": DAY + 1}, ("not_yet_valid",)),
    "on its last day, which counts": ({"valid_to": DAY}, ()),
    "a day after its last": ({"valid_to": DAY - 1}, ("no_longer_valid",)),
    "another type of document": ({"doc_type": "memo"}, ("doc_type",)),
    "another kind of source": ({"source_kind": "mail"}, ("source_kind",)),
    "another language": ({"language": "fr"}, ("language",)),
    "all at once, in one order": (
        {"tenant": "x", "audience": ("y",), "marker": Marker.UNKNOWN, "valid_to": 20200102, "doc_type": "memo"},
        ("tenant", "audience", "marker_unknown", "no_longer_valid", "doc_type"),
    ),
}


@pytest.mark.parametrize("case", REASONS, ids=str)
def test_each_exclusion_has_its_reason(case: str) -> None:
    changes, reasons = REASONS[case]
    assert NARROW.exclusion_reasons(chunk(**changes), request(), DAY) == reasons


words = st.sampled_from(("client", "clients", "internal", "Client", "regulation", "ruling", "nl", "en", "file"))
days = st.sampled_from((20200101, DAY - 1, DAY, DAY + 1, NO_END))
chunks = st.builds(
    chunk,
    tenant=words,
    audience=st.lists(words, min_size=1, max_size=3).map(tuple),
    marker=st.sampled_from(tuple(Marker)),
    valid_from=days,
    valid_to=days,
    doc_type=words,
    language=words,
    source_kind=words,
)
lists = st.none() | st.lists(words, min_size=1, max_size=3, unique=True).map(tuple)
policies: st.SearchStrategy[Policy] = st.builds(
    Policy, name=st.just("p"), version=st.just(1), doc_types=lists, source_kinds=lists, languages=lists
)


@given(chunk=chunks, policy=policies, tenant=words, audience=words, day=days)
def test_what_the_store_is_asked_and_what_the_code_says_agree(
    chunk: Chunk, policy: Policy, tenant: str, audience: str, day: int
) -> None:
    asked = request(tenant=tenant, audience=audience)
    conditions = checked(policy.conditions(asked, day))
    payload = chunk.to_json()
    assert all(holds(item, payload) for item in conditions) == (policy.exclusion_reasons(chunk, asked, day) == ())


ESSENTIAL = ("marker", "tenant", "audience", "valid_from", "valid_to")


@pytest.mark.parametrize("field", ESSENTIAL)
@pytest.mark.parametrize("damage", [None, "", [], True, False, 0, "true", {}, [None]], ids=repr)
def test_a_field_that_is_absent_or_of_another_type_is_never_admissible(field: str, damage: object) -> None:
    conditions = OPEN.conditions(request(), DAY)
    payload = chunk().to_json()
    assert all(holds(item, payload) for item in conditions)
    assert not all(holds(item, payload | {field: damage}) for item in conditions)
    del payload[field]
    assert not all(holds(item, payload) for item in conditions)


def test_no_policy_can_switch_off_marker_validity_audience_or_tenant() -> None:
    fields = [item.field for item in OPEN.conditions(request(), DAY)]
    assert fields == ["marker", "tenant", "audience", "valid_from", "valid_to"]
    with pytest.raises(MalformedValueError):
        Policy.from_json({"name": "p", "version": 1, "marker": "any"})


@pytest.mark.parametrize("field", ["doc_types", "source_kinds", "languages"])
@pytest.mark.parametrize("words", [[], [""], ["a", "a"], "a", [1]], ids=repr)
def test_an_empty_or_doubled_list_is_refused(field: str, words: object) -> None:
    with pytest.raises(MalformedValueError):
        Policy.from_json({"name": "p", "version": 1, field: words})


CHANGES: dict[str, Callable[[Policy], Policy]] = {
    "another name": lambda policy: policy.model_copy(update={"name": "other"}),
    "another version": lambda policy: policy.model_copy(update={"version": 2}),
    "a wider list": lambda policy: policy.model_copy(update={"doc_types": ("regulation", "ruling", "memo")}),
    "no list": lambda policy: policy.model_copy(update={"languages": None}),
}


@pytest.mark.parametrize("case", CHANGES, ids=str)
def test_every_change_of_a_policy_changes_its_digest(case: str) -> None:
    assert CHANGES[case](NARROW).digest() != NARROW.digest()
    assert Policy.from_json(NARROW.to_json()).digest() == NARROW.digest()


def test_the_built_in_policy_is_the_open_one() -> None:
    policy = load_policy("builtin:client_facing")
    assert (policy.name, policy.doc_types, policy.source_kinds, policy.languages) == (
        "client_facing",
        None,
        None,
        None,
    )
