"""The status table: every row, every trap."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluis.core import SourceState
from sluis.sources import REASONS, Relation, judge_ruling, parse_ruling, reason
from sluis.sources.ruling_status import GRAVITY, relation_reason

RECORDS = {
    "current": ("current", SourceState.LIVE),
    "void": ("void", SourceState.WITHDRAWN),
    "voiding": ("current", SourceState.LIVE),
    "replaced": ("replaced", SourceState.SUPERSEDED),
    "successor": ("current", SourceState.LIVE),
    "no_longer_valid_text": ("no_longer_valid_text", SourceState.SUPERSEDED),
    "correcting": ("current", SourceState.LIVE),
    "corrected": ("correction_chain", SourceState.UNVERIFIABLE),
    "overturned": ("overturned", SourceState.OVERTURNED),
    "quashing": ("current", SourceState.LIVE),
    "opinion": ("opinion_not_followed", SourceState.UNVERIFIABLE),
    "later_outcome_unknown": ("later_outcome_unknown", SourceState.UNVERIFIABLE),
    "upheld": ("current", SourceState.LIVE),
    "interlocutory": ("current", SourceState.LIVE),
    "no_text": ("no_text", SourceState.UNVERIFIABLE),
    "unknown_relation": ("unknown_relation", SourceState.UNVERIFIABLE),
}


@pytest.mark.parametrize("name", RECORDS)
def test_each_made_up_record_has_its_status(name: str, record: Callable[[str], bytes]) -> None:
    parsed = parse_ruling(record(name), body=False)
    judgement = judge_ruling(parsed, parsed.ecli, digest="sha256:" + "0" * 64)
    assert (judgement.reason, judgement.state) == RECORDS[name]
    assert judgement.digest == "sha256:" + "0" * 64
    assert judgement.transient is False


def test_every_made_up_record_is_in_the_table(records: Any) -> None:
    assert {path.stem for path in records.glob("*.xml")} == set(RECORDS)


LATER = {
    "an appeal without an outcome is unknown": ("hogerBeroep", "", "later_outcome_unknown"),
    "cassation that quashed": ("cassatie", "(Gedeeltelijke) vernietiging", "overturned"),
    "cassation that quashed and decided itself": (
        "sprongcassatie",
        "(Gedeeltelijke) vernietiging en zelf afgedaan",
        "overturned",
    ),
    "cassation that sent it back": ("cassatie", "(Gedeeltelijke) vernietiging met terugwijzen", "overturned"),
    "an outcome in other letters": ("CASSATIE", "(GEDEELTELIJKE)  VERNIETIGING", "overturned"),
    "an outcome nobody lists but that speaks of quashing": ("verzet", "algehele vernietiging", "overturned"),
    "quashed by a relation of a type that is not known": ("heropening", "vernietiging", "overturned"),
    "quashed by a relation without a type": ("", "vernietiging", "overturned"),
    "upheld": ("hogerBeroep", "bekrachtiging/bevestiging", None),
    "an objection without ground": ("verzet", "verzet ongegrond", None),
    "an objection that was granted": ("verzet", "verzet toegewezen", "later_outcome_unclear"),
    "an inadmissible appeal may concern the appeal or the claim": (
        "cassatie",
        "niet ontvankelijk",
        "later_outcome_unclear",
    ),
    "several outcomes": ("herziening", "meerdere afhandelingswijzen", "later_outcome_unclear"),
    "an outcome that is not known": ("cassatie", "aangehouden", "unknown_relation"),
    "a type that is not known": ("heropening", "", "unknown_relation"),
    "no type": ("", "", "unknown_relation"),
    "a final ruling beside an interlocutory one": ("tussenuitspraak", "", None),
    "a final ruling after an administrative loop": ("tussenuitspraakBestuurlijkeLus", "", None),
    "an interlocutory ruling that was quashed": ("tussenuitspraak", "vernietiging", "overturned"),
    "an interlocutory ruling with another outcome": ("tussenuitspraak", "overig", "later_outcome_unclear"),
    "an opinion that was followed": ("conclusie", "gevolgd", None),
    "an opinion that was followed in part": ("conclusieVoorCassatie", "gedeeltelijk contrair", "opinion_not_followed"),
    "an opinion that advises to quash has not quashed": (
        "conclusie",
        "strekt tot vernietiging",
        "later_outcome_unclear",
    ),
    "an opinion without an outcome": ("nadereConclusie", "", "later_outcome_unknown"),
    "a declaration of voidness": ("vervallenverklaring", "", "void"),
    "a referral without an outcome": ("terugverwijzing", "", "later_outcome_unknown"),
}


@pytest.mark.parametrize("case", LATER)
def test_what_a_later_ruling_does_to_this_one(case: str) -> None:
    kind, outcome, expected = LATER[case]
    relation = Relation(target="ECLI:NL:HR:2099:1", type=kind, direction="later", outcome=outcome, label="")
    assert relation_reason(relation, abstract="") == expected


EARLIER = {
    "this one quashed the other": ("cassatie", "(Gedeeltelijke) vernietiging en zelf afgedaan", None),
    "this one upheld the other": ("hogerBeroep", "bekrachtiging/bevestiging", None),
    "this one followed no opinion": ("conclusie", "contrair", None),
    "this one came after an interlocutory one": ("tussenuitspraak", "", None),
    "this one declared the other void": ("vervallenverklaring", "", None),
    "an outcome that is not known": ("cassatie", "aangehouden", "unknown_relation"),
    "a type that is not known": ("heropening", "", "unknown_relation"),
    "no type": ("", "vernietiging", "unknown_relation"),
}


@pytest.mark.parametrize("case", EARLIER)
def test_what_this_ruling_did_to_an_earlier_one(case: str) -> None:
    kind, outcome, expected = EARLIER[case]
    relation = Relation(target="ECLI:NL:HR:2098:1", type=kind, direction="earlier", outcome=outcome, label="")
    assert relation_reason(relation, abstract="") == expected


@pytest.mark.parametrize("kind", ["cassatie", "vervallenverklaring", "tussenuitspraak", "conclusie", ""])
def test_a_relation_without_direction_holds(kind: str) -> None:
    relation = Relation(target="", type=kind, direction=None, outcome="vernietiging", label="")
    assert relation_reason(relation, abstract="") == "unknown_relation"


CORRECTING = "uitspraak tot rectificatie van een andere"


@pytest.mark.parametrize("direction", ["earlier", "later", None])
@pytest.mark.parametrize("abstract", ["", CORRECTING])
@pytest.mark.parametrize(
    "kind",
    ["rectificatieBesluit", "definitiefNaRectificatie", "oorspronkelijkBesluitDefinitiefBesluit", "herstel"],
)
def test_a_correction_holds_unless_it_is_the_correcting_ruling_and_says_so(
    kind: str, direction: Any, abstract: str
) -> None:
    relation = Relation(target="", type=kind, direction=direction, outcome="", label="")
    correcting = abstract == CORRECTING and (kind, direction) in {
        ("rectificatieBesluit", "earlier"),
        ("definitiefNaRectificatie", "later"),
    }
    assert relation_reason(relation, abstract=abstract) == (None if correcting else "correction_chain")


def test_a_correction_that_quashes_is_still_a_correction() -> None:
    relation = Relation(target="", type="herstel", direction="later", outcome="vernietiging", label="")
    assert relation_reason(relation, abstract="") == "correction_chain"


def test_another_ruling_in_the_body_is_a_wrong_record(record: Callable[[str], bytes]) -> None:
    parsed = parse_ruling(record("current"), body=False)
    assert judge_ruling(parsed, "ECLI:NL:RBAMS:2098:10").reason == "wrong_record"
    other = replace(parsed, body_ids=("ECLI:NL:RBAMS:2098:1011:DOC",))
    assert judge_ruling(other, parsed.ecli).reason == "wrong_record"
    bare = replace(parsed, body_ids=(parsed.ecli.lower(),))
    assert judge_ruling(bare, parsed.ecli).reason == "current"


def test_an_empty_marker_is_not_read_as_absent(record: Callable[[str], bytes]) -> None:
    parsed = parse_ruling(record("current"), body=False)
    assert judge_ruling(replace(parsed, replaced_by=("",)), parsed.ecli).reason == "empty_marker"
    both = replace(parsed, replaced_by=("", "ECLI:NL:HR:2099:9"))
    assert judge_ruling(both, parsed.ecli).reason == "replaced"


@pytest.mark.parametrize(("access", "expected"), [("", "current"), ("public", "current"), ("closed", "not_public")])
def test_what_is_not_public_holds(access: str, expected: str, record: Callable[[str], bytes]) -> None:
    parsed = parse_ruling(record("current"), body=False)
    assert judge_ruling(replace(parsed, access=access), parsed.ecli).reason == expected


def test_a_soft_hyphen_does_not_hide_that_a_text_is_no_longer_valid(record: Callable[[str], bytes]) -> None:
    parsed = parse_ruling(record("current"), body=False)
    hidden = replace(parsed, abstract="Onderstaande TEKST is\u00a0niet meer gel\u00addig.")
    assert judge_ruling(hidden, parsed.ecli).reason == "no_longer_valid_text"


def test_the_gravest_reason_counts_whatever_the_order(record: Callable[[str], bytes]) -> None:
    parsed = parse_ruling(record("overturned"), body=False)
    void = parse_ruling(record("void"), body=False).relations
    for relations in (parsed.relations + void, void + parsed.relations):
        assert judge_ruling(replace(parsed, relations=relations), parsed.ecli).reason == "void"


def test_every_reason_is_in_the_table_with_its_state() -> None:
    assert set(GRAVITY) <= set(REASONS)
    assert [code for code in GRAVITY if reason(code).state is SourceState.LIVE] == []
    assert [code for code, entry in REASONS.items() if entry.state is SourceState.LIVE] == ["current"]
    assert [code for code, entry in REASONS.items() if entry.reviewable and entry.transient] == []
    for entry in REASONS.values():
        assert entry.state is SourceState.UNVERIFIABLE or not (entry.reviewable or entry.transient)
        assert entry.words.endswith(".")


def test_a_status_of_http_is_a_reason_and_nothing_like_it_is() -> None:
    assert reason("http_503").transient is True
    assert reason("http_503").state is SourceState.UNVERIFIABLE
    for code in ("http_", "http_50", "http_5000", "http_5x3", "ftp_503", "http_٥٠٣", "live"):
        with pytest.raises(KeyError):
            reason(code)


KNOWN = st.sampled_from(
    ["cassatie", "hogerBeroep", "vervallenverklaring", "herstel", "tussenuitspraak", "conclusie", "rectificatieBesluit"]
)
OUTCOMES = st.sampled_from(["", "vernietiging", "bekrachtiging/bevestiging", "contrair", "overig"])


@given(
    kind=KNOWN | st.text(max_size=12),
    direction=st.sampled_from(["earlier", "later", None]),
    outcome=OUTCOMES | st.text(max_size=12),
    abstract=st.text(max_size=12),
)
def test_whatever_is_not_understood_never_passes(kind: str, direction: Any, outcome: str, abstract: str) -> None:
    relation = Relation(target="", type=kind, direction=direction, outcome=outcome, label="")
    why = relation_reason(relation, abstract=abstract)
    assert why is None or reason(why).state is not SourceState.LIVE
    if direction is None or (direction == "later" and "vernietiging" in outcome.casefold() and kind != "conclusie"):
        assert why is not None or kind in ("vervallenverklaring", "rectificatieBesluit")
    if direction is None:
        assert why is not None
