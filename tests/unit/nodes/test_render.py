"""The exact bytes of a document: what a source says can be read and can do nothing."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluis.core import (
    ActionKind,
    Chunk,
    Completion,
    CompletionStatus,
    Draft,
    Evidence,
    EvidenceItem,
    Request,
    RetrievalStamp,
    digest_bytes,
    digest_text,
)
from sluis.core.reading import read_draft
from sluis.evals.world import chunk
from sluis.nodes.render import body, render

DATE = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
STAMP = RetrievalStamp(alias="live", collection="c", fingerprint=digest_text("f"), pins=(), backend="fixed", at=DATE)


def _request(**changes: object) -> Request:
    fields: dict[str, object] = {
        "request_id": "req_00000001",
        "question": "Hoe lang?",
        "recipients": ("a.md",),
        "audience": "client",
        "tenant": "acme",
    }
    return Request(**{**fields, **changes})  # type: ignore[arg-type]


def _draft(text: str, drafter: str = "chat") -> Draft:
    completion = Completion(status=CompletionStatus.OK, text=text, model="m@1", drafter=drafter)
    return read_draft(completion, locale="nl-NL")


def _evidence(*chunks: Chunk) -> Evidence:
    items = tuple(EvidenceItem(label=f"c{number}", chunk=item) for number, item in enumerate(chunks, 1))
    return Evidence(items=items, stamp=STAMP)


def test_a_document_shows_answer_and_cited_sources_and_who_wrote_it() -> None:
    text = body(_request(), _draft("Dertig dagen. [c1]"), _evidence(chunk("Dertig dagen."), chunk("Niet genoemd.")))
    assert text == (
        "# Antwoord\n\n**Vraag:** Hoe lang?\n\nDertig dagen. [c1]\n\n"
        "*Opgesteld met een taalmodel (m@1) en door vaste regels getoetst aan de bronnen hieronder.*\n\n"
        "## Bronnen\n\n"
        "**[c1]** Rechtbank Sluis 17 (verzonnen), ECLI:NL:RBSLUIS:2024:17, 3.1  \n"
        "<https://uitspraken.rechtspraak.nl/details?id=ECLI:NL:RBSLUIS:2024:17>\n\n"
        "> Dertig dagen.\n"
    )


def test_a_document_in_english_says_the_same() -> None:
    text = body(_request(locale="en-GB"), _draft("Thirty days. [c1]", "extractive"), _evidence(chunk("Thirty days.")))
    assert text.startswith("# Answer\n\n**Question:** Hoe lang?")
    assert "no language model was used" in text
    assert "## Sources" in text
    assert body(_request(locale="fy-NL"), _draft("x"), _evidence()).startswith("# Answer")


def test_without_a_cited_source_there_is_no_list_of_sources() -> None:
    assert "Bronnen\n" not in body(_request(), _draft("Niets gevonden."), _evidence(chunk()))


@pytest.mark.parametrize(
    "question", ["Zie https://x.example", "<b>", "[a](b)", "`x`", "www.x.example", "a|b", "//x.example"]
)
def test_a_question_that_speaks_markup_is_left_out(question: str) -> None:
    assert "Vraag" not in body(_request(question=question), _draft("x"), _evidence())


@pytest.mark.parametrize("subject", ["# *Titel*", "[a](https://x.example)", "<script>"])
def test_a_title_shows_its_signs_and_means_nothing_by_them(subject: str) -> None:
    first = body(_request(subject=subject), _draft("x"), _evidence()).split("\n")[0]
    assert first.startswith("# ")
    assert not re.search(r"(?<!\\)[<>\[\]*`]", first[2:])


# The text of a source, and how its paragraph is shown.
SHOWN = {
    "plain": ("Dertig dagen.", "> Dertig dagen."),
    "lines": ("Een.\nTwee.", "> Een.\n> Twee."),
    "an empty line": ("Een.\n\nTwee.", "> Een.\n>\n> Twee."),
    "an image": ("A ![x](https://e.example/a.png) b", "> A \\[afbeelding weggelaten\\] b"),
    "an image by reference": ("A ![x][y] b", "> A \\[afbeelding weggelaten\\] b"),
    "a link": ("Zie [hier](https://e.example/?q=1).", "> Zie \\[hier\\](\\[verwijzing weggelaten\\])."),
    "a bare address": ("Zie https://e.example/?q=1 nu", "> Zie \\[verwijzing weggelaten\\] nu"),
    "an address without a scheme": ("Zie //e.example nu", "> Zie \\[verwijzing weggelaten\\] nu"),
    "a mailto": ("mailto:eve@e.example", "> \\[verwijzing weggelaten\\]"),
    "a script": ("javascript:alert(1)", "> \\[verwijzing weggelaten\\])"),
    "HTML": ("<img src=x>", "> \\<img src=x\\>"),
    "a heading": ("# Kop", "> \\# Kop"),
    "a quotation out of the quotation": ("> diep", "> \\> diep"),
    "a table": ("a | b", "> a \\| b"),
    "code": ("`rm`", "> \\`rm\\`"),
    "an entity": ("&lt;b&gt;", "> \\&lt;b\\&gt;"),
    "a backslash": ("a\\b", "> a\\\\b"),
    "tabs and spaces": ("a \t  b", "> a b"),
}


@pytest.mark.parametrize("what", SHOWN)
def test_a_source_shows_its_words_and_does_nothing(what: str) -> None:
    text, shown = SHOWN[what]
    document = body(_request(), _draft("Zo. [c1]"), _evidence(chunk(text)))
    assert document.endswith(f"\n\n{shown}\n")


def test_the_canonical_address_of_the_source_may_stand_in_it() -> None:
    url = chunk().source_url
    assert url in body(_request(), _draft("Zo. [c1]"), _evidence(chunk(f"Zie {url} verder"))).split("> Zie")[1]


@given(st.text(st.characters(codec="utf-8"), min_size=1, max_size=120))
def test_no_text_of_a_source_leaves_its_quotation(text: str) -> None:
    document = body(_request(), _draft("Zo. [c1]"), _evidence(chunk(text)))
    quoted = document.split("RBSLUIS:2024:17>\n\n", 1)[1].rstrip("\n")
    for line in quoted.split("\n"):
        assert line.startswith(">")
        assert not re.search(r"(?<!\\)(?:\\\\)*[<>\[\]`|#&]", line[1:])


def test_each_recipient_has_bytes_of_its_own() -> None:
    def mail(recipient: str, subject: str, text: str, date: datetime) -> bytes:
        return f"{recipient}|{subject}|{date:%Y}|{len(text)}".encode()

    request = _request(kind=ActionKind.MAIL, recipients=("a@x.example", "b@x.example"))
    made = render(request, _draft("Zo."), _evidence(), date=DATE, mail=mail)
    assert [payload.recipient for payload, _ in made] == ["a@x.example", "b@x.example"]
    for payload, data in made:
        assert (payload.digest, payload.size) == (digest_bytes(data), len(data))
        assert data.startswith(f"{payload.recipient}|Antwoord|2026|".encode())


def test_the_same_run_renders_to_the_same_bytes() -> None:
    request, draft, evidence = _request(recipients=("a.md", "b.md")), _draft("Zo. [c1]"), _evidence(chunk())
    first = render(request, draft, evidence, date=DATE, mail=None)
    assert first == render(request, draft, evidence, date=DATE, mail=None)
    assert {data for _, data in first} == {body(request, draft, evidence).encode()}


def test_a_mail_without_a_builder_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(ValueError, match="builder"):
        render(_request(kind=ActionKind.MAIL), _draft("Zo."), _evidence(), date=DATE, mail=None)
