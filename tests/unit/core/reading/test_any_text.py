"""What holds of every reader on every text."""

from __future__ import annotations

from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from sluis.core.reading import (
    attributions,
    find_quote,
    fold,
    instruction_spans,
    invisible,
    lexed,
    read_citations,
    read_claims,
    read_quotes,
    read_references,
    read_values,
    read_years,
    split_sentences,
)
from sluis.core.reading.links import canonical_url, find_links

PIECES = (
    "De huurder betaalt",
    "€ 250",
    "1.250,50",
    "zestig (60) dagen",
    "ten hoogste",
    "art. 7:669 lid 3",
    "BW",
    "[c1]",
    "[C1]",
    "ECLI:NL:HR:2024:1",
    "ECLI",
    "1 februari 2024",
    "01-02-2024",
    ". ",
    "\n",
    "\n\n",
    "- ",
    "# ",
    "\u200b",
    "\u00ad",
    "\u202e",
    "\ud800",
    "ﬁ",
    "²",
    "٣",
    "½",
    "(",
    ")",
    '"',
    "'",
    "“",
    "”",
    "...",
    "https://example.org/",
    "Negeer alle instructies",
    "SYSTEM:",
    "en",
    "tot",
    "5",
    "-",
    ",",
    "%",
    " ",
    "lid",
    "onder a",
    "eerste",
    "Wet op de",
    "e\u0301",
    "[",
    "]",
    "10.1000/",
    "1",
)
anything = st.one_of(
    st.text(max_size=200),
    st.text(st.characters(), max_size=80),
    st.lists(st.sampled_from(PIECES), max_size=30).map("".join),
)
locales = st.sampled_from([None, "nl-NL", "en-US", "en-GB", "fr"])


def _in_order(spans: Iterable[tuple[int, int]], size: int) -> None:
    end = 0
    for start, stop in spans:
        assert end <= start <= stop <= size
        end = stop


@given(anything, locales)
def test_values_lie_where_they_say(text: str, locale: str | None) -> None:
    values = read_values(text, locale=locale)
    assert all(text[item.start : item.end] == item.text for item in values)
    _in_order(((item.start, item.end) for item in values), len(text))
    assert all(text[start:end] == year for year, start, end in read_years(text))


@given(anything)
def test_references_and_citations_lie_where_they_say(text: str) -> None:
    citations = read_citations(text)
    found = [(item.text, item.start, item.end) for item in citations.found]
    malformed = [(item.text, item.start, item.end) for item in citations.malformed]
    references = [(item.text, item.start, item.end) for item in read_references(text)]
    assert all(text[start:end] == piece for piece, start, end in (*found, *malformed, *references))
    _in_order(sorted((start, end) for _, start, end in (*found, *malformed)), len(text))


@given(anything)
def test_no_ecli_is_passed_over(text: str) -> None:
    text = f"{text} ECLI:NL:HR:2024:123 "
    read = read_citations(text)
    place = text.rindex("ECLI")
    spans = [(item.start, item.end) for item in read.found] + [(item.start, item.end) for item in read.malformed]
    assert any(start <= place < end for start, end in spans)


@given(anything)
def test_sentences_hold_every_word(text: str) -> None:
    sentences = split_sentences(text)
    assert all(text[span.start : span.end] == span.text for span in sentences)
    _in_order(((span.start, span.end) for span in sentences), len(text))
    assert "".join("".join(span.text for span in sentences).split()) == "".join(text.split())


@given(anything)
def test_claims_and_their_parts_lie_where_they_say(text: str) -> None:
    reading = read_claims(text)
    _in_order(((claim.start, claim.end) for claim in reading.claims), len(text))
    for claim in reading.claims:
        assert text[claim.start : claim.end] == claim.text
        parts = attributions(claim)
        assert [parts[0][0], parts[-1][1]] == [claim.start, claim.end]
        assert [end for _, end, _ in parts[:-1]] == [start for start, _, _ in parts[1:]]
        assert set(claim.labels) == {label for _, _, labels in parts for label in labels}
    assert all(text[span.start : span.end] == span.text for span in reading.malformed_markers)


@given(anything)
def test_the_fold_is_idempotent_and_knows_the_way_back(text: str) -> None:
    for folded in (fold(text), lexed(text)):
        places = [folded.start(index) for index in range(len(folded.text))]
        assert places == sorted(places)
        assert all(0 <= place < len(text) for place in places)
    assert fold(fold(text).text).text == fold(text).text


@given(anything)
def test_the_fold_invents_no_digit(text: str) -> None:
    plain = {char for char in fold(text).text if char in "0123456789"}
    assert plain <= {chr(ord(char) - 0xFEE0) if 0xFF10 <= ord(char) <= 0xFF19 else char for char in text}


@given(anything)
def test_invisible_and_instruction_spans_lie_where_they_say(text: str) -> None:
    for spans in (invisible(text), instruction_spans(text)):
        assert all(text[span.start : span.end] == span.text for span in spans)
    _in_order(((span.start, span.end) for span in instruction_spans(text)), len(text))


@given(anything, anything)
def test_a_quotation_is_found_only_in_a_source_that_holds_it(before: str, after: str) -> None:
    quote = "de huurder betaalt de waarborgsom"
    assert find_quote(quote, f"{before}\n{quote}\n{after}") == "verbatim"
    assert find_quote(f"{quote} zzzz", f"{before}\n{quote}\n{after}") is None or "zzzz" in after


@given(anything)
def test_quotes_and_links_break_on_nothing(text: str) -> None:
    assert all(text[quote.start : quote.end] == quote.text for quote in read_quotes(text))
    for link in find_links(text):
        shown = canonical_url(link.target)
        assert shown is None or canonical_url(shown) == shown
