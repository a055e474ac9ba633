"""Markdown and text: front matter that is believed only when it can be read, and text without what cannot be seen."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluis.core import NO_END, Marker
from sluis.corpus.document import NO_BEGIN, visible
from sluis.corpus.errors import DocumentError
from sluis.corpus.parse_text import MAX_BYTES, Defaults, parse_markdown, parse_plain

BODY = "\n# Titel\n\nDe termijn is 14 dagen.\n"


def markdown(front: str, body: str = BODY, defaults: Defaults | None = None):  # type: ignore[no-untyped-def]
    text = f"---\n{front}\n---\n{body}" if front else body
    return parse_markdown(text.encode(), name="map/stuk.md", defaults=defaults or Defaults())


def reason_of(front: str) -> str:
    with pytest.raises(DocumentError) as caught:
        markdown(front)
    return str(caught.value.subject["reason"])


def test_front_matter_in_full() -> None:
    meta = markdown(
        "source_id: regels-2026\nsource_kind: file\nurl: https://example.org/regels\ntitle: Regels\n"
        "doc_type: regulation\naudience: [client, staff]\nvalid_from: 2026-01-01\nvalid_to: 2026-12-31\n"
        'version: "3"\nfamily: regels\nmarker: current\nlanguage: nl\ntenant: acme'
    ).meta
    assert (meta.source_id, meta.source_url, meta.title) == ("regels-2026", "https://example.org/regels", "Regels")
    assert (meta.audience, meta.valid_from, meta.valid_to) == (("client", "staff"), 20260101, 20261231)
    assert (meta.version, meta.family, meta.marker, meta.tenant) == ("3", "regels", Marker.CURRENT, "acme")


def test_a_document_that_says_nothing_is_not_known_to_be_in_force() -> None:
    document = markdown("")
    assert document.meta.marker is Marker.UNKNOWN
    assert document.notices == ("marker_unknown",)
    assert (document.meta.valid_from, document.meta.valid_to) == (NO_BEGIN, NO_END)
    assert (document.meta.source_id, document.meta.title) == ("map/stuk.md", "Titel")


def test_who_ingests_may_vouch_for_documents_that_say_nothing() -> None:
    document = markdown("", defaults=Defaults(marker=Marker.CURRENT, audience=("staff",), tenant="t"))
    assert document.meta.marker is Marker.CURRENT
    assert (document.meta.audience, document.notices) == (("staff",), ())


@pytest.mark.parametrize("value", ["", '""', "ja", "true", "Current", "[current]", "0", "null"])
def test_an_empty_or_unknown_marker_is_an_error_and_never_a_default(value: str) -> None:
    assert reason_of(f"marker: {value}") == "marker"


@pytest.mark.parametrize(
    "value",
    ["", '""', "01-01-2024", "onbepaald", "1704067200", '"20240101"', "20240101", "2024-W01", '"2024-W01-1"', "null",
     '"2024-02-30"', "2024-01-01T00:00:00", "true"],
)  # fmt: skip
def test_an_expiry_that_cannot_be_read_does_not_mean_for_ever(value: str) -> None:
    assert reason_of(f"valid_to: {value}") in {"validity", "front_matter"}


def test_a_date_that_does_not_exist_is_an_error() -> None:
    assert reason_of("valid_to: 2024-13-01") == "front_matter"


@pytest.mark.parametrize("word", ["none", "geen"])
def test_no_end_can_be_said_in_so_many_words(word: str) -> None:
    assert markdown(f"valid_to: {word}").meta.valid_to == NO_END


def test_a_validity_that_ends_before_it_begins_is_an_error() -> None:
    assert reason_of("valid_from: 2026-02-01\nvalid_to: 2026-01-31") == "validity"


@pytest.mark.parametrize(
    "front",
    [
        "audience: []",
        "audience:",
        'audience: [""]',
        "audience: [1]",
        "tenant: 7",
        "title: ''",
        "unknown: x",
        "marker: current\nmarker: withdrawn",
        "- a list",
        "a: &x [1]\nb: *x",
        "title: !!python/object:os.system x",
        "version: true",
        "source_id: {a: b}",
        "doc_type: " + "x" * 600,
    ],
)
def test_front_matter_that_is_not_plain_is_refused(front: str) -> None:
    assert reason_of(front) == "front_matter"


def test_the_message_of_an_error_does_not_quote_the_document() -> None:
    with pytest.raises(DocumentError) as caught:
        markdown("marker: geheim-woord")
    assert "geheim-woord" not in str(caught.value)


@pytest.mark.parametrize("url", ["javascript:alert(1)", "ftp://x", "/pad", "example.org"])
def test_a_url_that_is_none_is_refused(url: str) -> None:
    assert reason_of(f"url: {url}") == "url"


def test_front_matter_without_end() -> None:
    with pytest.raises(DocumentError) as caught:
        parse_markdown(b"---\ntitle: x\n\ntekst", name="x.md", defaults=Defaults())
    assert caught.value.subject["reason"] == "front_matter"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\xff\xfe", "not_utf8"),
        (b"a\x00b", "not_text"),
        (b" \n\n", "empty"),
        (b"x" * (MAX_BYTES + 1), "too_large"),
        (b"---\n---\n", "empty"),
    ],
)
def test_what_is_no_text_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(DocumentError) as caught:
        parse_plain(data, name="x.txt", defaults=Defaults())
    assert caught.value.subject["reason"] == reason


def test_front_matter_at_the_very_end_of_a_file() -> None:
    with pytest.raises(DocumentError) as caught:
        parse_markdown(b"---\ntitle: x\n---", name="x.md", defaults=Defaults())
    assert caught.value.subject["reason"] == "empty"


def test_markup_becomes_words() -> None:
    document = markdown(
        "",
        "# **Kop**\n\nZie [de regels](https://example.org/x) en ![plaatje](a.png)`code`.\n\n"
        "<!-- niet\nzichtbaar -->\n- punt een\n- punt twee\n\n| A | B |\n|---|---|\n| 1 | 2 |\n\n---\n\n"
        "```\n# geen kop\n```\n",
    )
    assert document.text == ("Kop\n\nZie de regels en code.\npunt een\npunt twee\n| A | B |\n| 1 | 2 |\n\n# geen kop")


def test_plain_text_keeps_its_marks() -> None:
    document = parse_plain(b"# geen kop\r\n\r\n**x**\r", name="x.txt", defaults=Defaults())
    assert document.text == "# geen kop\n\n**x**"


def test_a_number_that_ends_a_sentence_over_two_lines_opens_nothing() -> None:
    document = parse_plain(
        b"Artikel 9. Slot\n1. Dit volgt uit artikel\n7.2.3 Bepaald in deze regeling.\n\n"
        b"2. Zie ook lid\n\n3 Van dit artikel.\n",
        name="x.txt",
        defaults=Defaults(),
    )
    assert [block.path for block in document.blocks] == [("9",), ("9", "1"), ("9", "2")]


def test_invisible_characters_are_taken_out_and_counted() -> None:
    assert visible("de\u200bur \u202eom\u00ad") == ("deur om", 3)


def test_what_hides_in_a_number_stays_so_that_the_number_remains_suspect() -> None:
    assert visible("€ 1\u200b250") == ("€ 1\u200b250", 0)


@given(st.text(max_size=300), st.booleans())
def test_blocks_lie_in_the_text_in_order(text: str, markup: bool) -> None:
    parse = parse_markdown if markup else parse_plain
    try:
        document = parse(text.encode("utf-8", "surrogatepass"), name="x", defaults=Defaults())
    except DocumentError:
        return
    position = 0
    for block in document.blocks:
        assert position <= block.start < block.end <= len(document.text)
        piece = document.text[block.start : block.end]
        assert piece == piece.strip()
        position = block.end
    assert not document.text[position:].strip()
