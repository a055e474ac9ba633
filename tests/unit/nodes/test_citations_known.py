"""Markers parse, name what was shown, and stand where something is stated."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from sluis.core import Case, Claim, Completion, CompletionStatus, Draft
from sluis.core.reading import read_draft
from sluis.nodes.verify import CitationsKnown

TEXTS: dict[str, list[str]] = {
    "Het is zo. [c1]": [],
    "Het is zo. [c1][c2]": [],
    "UNCLEAR": [],
    "De bronnen zeggen hier niets over.": [],
    "# Kop\n\nHet is zo. [c1]": [],
    "Geachte heer Jansen,\n\nHet is zo. [c1]": [],
    "Het is zo.": ["uncited_claim"],
    "Het is zo. [c1] En dit ook.": ["uncited_claim"],
    "Het is zo. [c3]": ["unknown_label"],
    "Het is zo. [c1][c3][d9]": ["unknown_label", "unknown_label"],
    "Het is zo. [C1]": ["marker_malformed", "uncited_claim"],
    "Het is zo [c1.": ["marker_unclosed", "uncited_claim"],
    "Het is zo [c1](https://example.org).": ["marker_is_link"],
    "---": ["no_claims"],
    "": ["no_claims"],
}


@pytest.mark.parametrize(("text", "reasons"), TEXTS.items())
async def test_a_text(text: str, reasons: list[str], judge: Any, a_chunk: Any) -> None:
    findings = await judge(CitationsKnown(), text, a_chunk("a"), a_chunk("b"))
    assert [item.reason for item in findings] == reasons
    assert {item.status for item in findings} <= {"block"}


class _Forged(CitationsKnown):
    """The check over a draft whose recorded claims say something else than its text."""

    async def run(self, case: Case) -> Any:
        claims = (Claim(text="Het is", start=0, end=6, labels=("c1",), needs_support=False),)
        forged = Draft(completion=case.draft.completion, claims=claims, locale=case.draft.locale)
        return await super().run(replace(case, draft=forged))


async def test_recorded_claims_that_are_not_those_of_the_text_block(judge: Any, a_chunk: Any) -> None:
    findings = await judge(_Forged(), "Het is zo.", a_chunk("a"))
    assert [item.reason for item in findings] == ["claims_differ", "uncited_claim"]


class _Refused(CitationsKnown):
    """The check over a draft without an answer."""

    async def run(self, case: Case) -> Any:
        completion = Completion(status=CompletionStatus.UNAVAILABLE, text="", model="m", drafter="chat")
        return await super().run(replace(case, draft=read_draft(completion, locale=None)))


async def test_without_an_answer_it_says_nothing(judge: Any, a_chunk: Any) -> None:
    assert await judge(_Refused(), "", a_chunk("a")) == ()
