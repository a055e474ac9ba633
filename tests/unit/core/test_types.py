"""Values that cross a boundary: an exact JSON round trip, nothing coerced, nothing unknown."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sluis.core import (
    NO_END,
    ActionKind,
    AnyOf,
    Between,
    Candidate,
    Chunk,
    Citation,
    Claim,
    Completion,
    CompletionStatus,
    Draft,
    DraftHandle,
    Evidence,
    EvidenceItem,
    Exclusion,
    Finding,
    MalformedValueError,
    Manifest,
    Marker,
    Outcome,
    OutcomeStatus,
    Payload,
    RedactedFinding,
    Request,
    RetrievalStamp,
    SourceState,
    SourceStatus,
    Subject,
    Usage,
    Value,
    Verdict,
    Waiver,
    canonical_bytes,
    digest_of,
    digest_text,
    evidence_digest,
    finding,
    worst,
)
from sluis.permits import Permit

texts = st.text(st.characters(codec="utf-8"), max_size=40)
names = st.text(st.characters(codec="utf-8"), min_size=1, max_size=20)
codes = st.from_regex(r"[a-z][a-z0-9_]{0,12}", fullmatch=True)
ids = st.from_regex(r"[A-Za-z0-9_.-]{8,20}", fullmatch=True)
digests = texts.map(digest_text)
offsets = st.integers(0, 2**31)
numbers = st.integers(-(2**53) + 1, 2**53 - 1)
days = st.integers(10101, NO_END)
flags = st.booleans()
moments = st.datetimes(min_value=datetime(1970, 1, 1), max_value=datetime(2200, 1, 1), timezones=st.just(UTC))
plain = st.recursive(
    st.none() | flags | numbers | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
statuses = st.sampled_from(["pass", "review", "block"])


def few(items: st.SearchStrategy[Any], least: int = 0) -> st.SearchStrategy[Any]:
    return st.lists(items, min_size=least, max_size=3).map(tuple)


chunks = st.builds(
    Chunk,
    chunk_id=names,
    source_id=names,
    source_kind=names,
    source_url=texts,
    title=texts,
    family=names,
    version=names,
    doc_type=names,
    language=names,
    tenant=names,
    audience=few(names, 1),
    marker=st.sampled_from(Marker),
    valid_from=days,
    valid_to=days,
    numbering=few(names),
    position=offsets,
    start=offsets,
    end=offsets,
    text=names,
    content_digest=digests,
    pins=digests,
    ingested_at=moments,
)
stamps = st.builds(
    RetrievalStamp, alias=names, collection=names, fingerprint=digests, pins=few(digests), backend=names, at=moments
)
exclusions = st.builds(Exclusion, reason=names, count=st.integers(1, 1000), chunk_ids=few(names), incident=flags)
usages = st.builds(
    Usage,
    input=st.none() | offsets,
    output=st.none() | offsets,
    reasoning=st.none() | offsets,
    cache_hit_ratio=st.none() | st.floats(0, 1),
)
completions = st.builds(
    Completion, status=st.sampled_from(CompletionStatus), text=texts, model=texts, drafter=texts, usage=usages
)
claims = st.builds(Claim, text=texts, start=offsets, end=offsets, labels=few(texts), needs_support=flags)
findings = st.builds(
    Finding,
    check=names,
    status=statuses,
    reason=codes,
    subject=st.builds(Subject, text=texts, start=offsets, end=offsets),
    message=texts,
    evidence=st.dictionaries(texts, plain, max_size=3),
    undecided=flags,
    waivable=flags,
)
waivers = st.builds(
    Waiver,
    check=names,
    reason=codes,
    subject_digest=digests,
    evidence_digest=digests,
    reviewer=names,
    review_id=names,
)
citations = st.builds(Citation, kind=texts, value=texts)
VALUES: dict[type[Value], st.SearchStrategy[Any]] = {
    Chunk: chunks,
    Candidate: st.builds(Candidate, chunk=chunks, score=st.floats(allow_nan=False, allow_infinity=False)),
    RetrievalStamp: stamps,
    Exclusion: exclusions,
    Evidence: st.builds(
        Evidence,
        items=few(st.builds(EvidenceItem, label=st.from_regex(r"[a-z][a-z0-9]{0,5}", fullmatch=True), chunk=chunks)),
        stamp=stamps,
        exclusions=few(exclusions),
    ),
    Completion: completions,
    Draft: st.builds(Draft, completion=completions, claims=few(claims), locale=st.none() | texts),
    DraftHandle: st.builds(DraftHandle, run_id=names, round=offsets, digest=digests),
    Finding: findings,
    RedactedFinding: findings.map(lambda item: item.redacted()),
    Waiver: waivers,
    Verdict: st.builds(
        Verdict,
        result=statuses,
        findings=few(findings),
        checks=few(names, 1),
        run_id=names,
        draft=digests,
        evidence=digests,
        payloads=few(digests),
        policy=digests,
        waivers=few(waivers),
        at=moments,
    ),
    Request: st.builds(
        Request,
        request_id=ids,
        question=names,
        kind=st.sampled_from(ActionKind),
        recipients=few(names, 1),
        subject=texts,
        audience=names,
        tenant=names,
        locale=st.sampled_from(["nl-NL", "en-GB", "nl"]),
        as_of=st.none() | days,
    ),
    Payload: st.builds(
        Payload,
        kind=st.sampled_from(ActionKind),
        recipient=names,
        media_type=names,
        digest=digests,
        size=st.integers(1, 10**9),
    ),
    Outcome: st.builds(
        Outcome,
        status=st.sampled_from(OutcomeStatus),
        run_id=names,
        reason=names,
        findings=few(findings.map(lambda item: item.redacted())),
        verdict=st.none() | digests,
        outbox=few(names),
        review_id=st.none() | names,
        error=st.none() | st.dictionaries(texts, plain, max_size=3),
        counts=st.dictionaries(names, offsets, max_size=3),
    ),
    SourceStatus: st.builds(
        SourceStatus,
        kind=names,
        value=names,
        status=st.sampled_from(SourceState),
        reason=names,
        detail=texts,
        source=names,
        checked_at=moments,
        elapsed_ms=offsets,
        digest=st.none() | digests,
        transient=flags,
    ),
    Manifest: st.builds(
        Manifest,
        fingerprints=few(digests),
        pins=few(digests),
        policies=few(digests),
        permit_seconds=st.integers(1, 30 * 86_400),
        hold_seconds=st.integers(0, 86_400),
    ),
    AnyOf: st.builds(AnyOf, field=names, values=few(names, 1)),
    Between: st.builds(Between, field=names, low=st.integers(0, 9), high=st.none() | st.integers(0, 9)),
    Permit: st.builds(
        Permit,
        permit_id=ids,
        run_id=names,
        request_id=ids,
        request=digests,
        tenant=names,
        audience=names,
        as_of=st.none() | days,
        kind=st.sampled_from(ActionKind),
        recipient=names,
        media_type=names,
        payload=digests,
        size=st.integers(1, 10**9),
        verdict=digests,
        draft=digests,
        policy=digests,
        fingerprint=digests,
        pins=few(digests),
        citations=few(citations),
        chunks=few(st.tuples(names, digests)),
        waivers=few(waivers),
        issued_at=moments,
        not_before=moments,
        expires_at=moments,
        key_id=names,
    ),
}


@pytest.mark.parametrize("kind", VALUES, ids=lambda kind: kind.__name__)
@settings(max_examples=25)
@given(data=st.data())
def test_a_value_comes_back_from_json_as_it_was(kind: type[Value], data: st.DataObject) -> None:
    value = data.draw(VALUES[kind])
    for form in (value.to_json(), json.dumps(value.to_json()), value.canonical()):
        again = kind.from_json(form)
        assert again == value
        assert again.canonical() == value.canonical()
    assert digest_of(value) == digest_of(value.to_json())


@pytest.mark.parametrize("kind", VALUES, ids=lambda kind: kind.__name__)
@settings(max_examples=25)
@given(data=st.data())
def test_a_field_that_nobody_knows_is_refused(kind: type[Value], data: st.DataObject) -> None:
    value = data.draw(VALUES[kind])
    with pytest.raises(MalformedValueError, match="extra_forbidden"):
        kind.from_json({**value.to_json(), "approved": True})


@pytest.mark.parametrize("kind", VALUES, ids=lambda kind: kind.__name__)
@settings(max_examples=25)
@given(data=st.data())
def test_a_value_cannot_be_changed(kind: type[Value], data: st.DataObject) -> None:
    value = data.draw(VALUES[kind])
    for field in kind.model_fields:
        with pytest.raises(ValueError, match="frozen"):
            setattr(value, field, None)


@given(data=st.data(), kind=st.sampled_from(list(VALUES)), junk=plain)
def test_a_field_of_any_other_kind_is_refused_or_reads_as_itself(
    data: st.DataObject, kind: type[Value], junk: Any
) -> None:
    form = data.draw(VALUES[kind]).to_json()
    field = data.draw(st.sampled_from(sorted(kind.model_fields)))
    try:
        value = kind.from_json({**form, field: junk})
    except MalformedValueError:
        return
    assert canonical_bytes(value.to_json()[field]) == canonical_bytes(junk)


# What looks alike and is not.
ALIKE: dict[str, tuple[type[Value], dict[str, Any]]] = {
    "a number as text": (DraftHandle, {"run_id": "r", "round": "1", "digest": digest_text("x")}),
    "a truth as a number": (DraftHandle, {"run_id": "r", "round": True, "digest": digest_text("x")}),
    "a negative round": (DraftHandle, {"run_id": "r", "round": -1, "digest": digest_text("x")}),
    "a digest of another length": (DraftHandle, {"run_id": "r", "round": 0, "digest": "sha256:abc"}),
    "a digest in capitals": (DraftHandle, {"run_id": "r", "round": 0, "digest": "sha256:" + "A" * 64}),
    "a digest and a line break": (DraftHandle, {"run_id": "r", "round": 0, "digest": digest_text("x") + "\n"}),
    "a range without bounds": (Between, {"field": "valid_to"}),
    "a list of nothing": (AnyOf, {"field": "marker", "values": []}),
    "a word that is empty": (AnyOf, {"field": "marker", "values": [""]}),
    "a manifest that never ends": (
        Manifest,
        {"fingerprints": [], "pins": [], "policies": [], "permit_seconds": 10**9},
    ),
}


@pytest.mark.parametrize("what", ALIKE)
def test_what_looks_alike_is_refused(what: str) -> None:
    kind, form = ALIKE[what]
    with pytest.raises(MalformedValueError):
        kind.from_json(form)


@pytest.mark.parametrize("form", ["", "{", "[]", "null", b"\xff", 3, None])
def test_what_is_no_object_is_refused(form: Any) -> None:
    with pytest.raises(MalformedValueError):
        Request.from_json(form)


def test_the_error_names_fields_and_never_what_stands_in_them() -> None:
    form = {"run_id": "geheim-1", "round": "geheim-2", "digest": "geheim-3", "geheim-veld": 1}
    with pytest.raises(MalformedValueError) as refused:
        DraftHandle.from_json(form)
    assert "round" in str(refused.value)
    for number in (1, 2, 3):
        assert f"geheim-{number}" not in str(refused.value.diagnostics())


def test_times_are_kept_in_utc_and_a_naive_one_is_refused() -> None:
    amsterdam = timezone(timedelta(hours=2))
    fields: dict[str, Any] = {
        "alias": "a",
        "collection": "c",
        "fingerprint": digest_text("x"),
        "pins": (),
        "backend": "b",
    }
    stamp = RetrievalStamp(**fields, at=datetime(2026, 7, 1, 12, 0, tzinfo=amsterdam))
    assert stamp.at == datetime(2026, 7, 1, 10, 0, tzinfo=UTC)
    assert stamp.to_json()["at"] == "2026-07-01T10:00:00Z"
    with pytest.raises(ValueError, match="timezone"):
        RetrievalStamp(**fields, at=datetime(2026, 7, 1, 12, 0))


def test_the_worst_finding_decides() -> None:
    said = {status: finding("c@1", status, "r", "m") for status in ("pass", "review", "block")}
    assert worst(()) == "pass"
    assert worst([said["pass"], said["review"]]) == "review"
    assert worst([said["block"], said["review"], said["pass"]]) == "block"


@pytest.mark.parametrize("status", ["pass", "block"])
def test_only_what_a_person_may_weigh_can_be_waived(status: Any) -> None:
    with pytest.raises(ValueError, match="waivable"):
        finding("c@1", status, "r", "m", waivable=True)


def _verdict(*items: Finding) -> Verdict:
    return Verdict(
        result=worst(items),
        findings=items,
        checks=("c@1",),
        run_id="r",
        draft=digest_text("d"),
        evidence=digest_text("e"),
        payloads=(),
        policy=digest_text("p"),
        at=datetime(2026, 1, 1, tzinfo=UTC),
    )


def test_a_verdict_is_undecided_only_when_nothing_was_decided_against_it() -> None:
    no, unknown = finding("c@1", "block", "no", "m"), finding("c@1", "block", "timeout", "m", undecided=True)
    assert not _verdict().undecided
    assert _verdict(unknown).undecided
    assert not _verdict(no, unknown).undecided
    assert not _verdict(finding("c@1", "review", "age", "m")).undecided


def test_a_verdict_without_checks_cannot_be_made() -> None:
    with pytest.raises(ValueError, match="checks"):
        _verdict().model_validate({**dict(_verdict()), "checks": ()})


def test_a_waiver_is_bound_to_what_was_said_and_not_to_when() -> None:
    said = {"status": "unverifiable", "digest": None, "checked_at": "now", "elapsed_ms": 12}
    assert evidence_digest(said) == evidence_digest({**said, "checked_at": "later", "elapsed_ms": 99})
    assert evidence_digest(said) != evidence_digest({**said, "status": "withdrawn"})
    assert evidence_digest(said) != evidence_digest({**said, "digest": digest_text("x")})
