"""Chunks: structure first, budget second, no boundary in a reference or a number."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sluis.core import ConfigurationError, digest_text
from sluis.core.reading import read_references, read_values
from sluis.corpus.chunker import chunk_document, chunk_pieces
from sluis.corpus.document import ParsedDocument
from sluis.corpus.errors import DocumentError
from sluis.corpus.parse_text import Defaults, parse_markdown, parse_plain
from sluis.corpus.tokens import count_tokens

PINS = digest_text("pins")
NOW = datetime(2026, 1, 1, tzinfo=UTC)


def parsed(text: str, *, markup: bool = False) -> ParsedDocument:
    parse = parse_markdown if markup else parse_plain
    return parse(text.encode(), name="x", defaults=Defaults())


def cut(text: str, *, budget: int = 500, overlap: int = 120, markup: bool = False) -> list[tuple[tuple[str, ...], str]]:
    document = parsed(text, markup=markup)
    pieces = chunk_pieces(document, budget=budget, overlap=overlap)
    return [(piece.numbering, document.text[piece.start : piece.end]) for piece in pieces]


def test_one_unit_is_one_chunk_with_its_number() -> None:
    found = cut(
        "# Regeling\n\n## Artikel 1. Begrippen\n\n1. De huurder huurt.\n2. De verhuurder verhuurt.\n\n"
        "## Artikel 2\n\nSlot.\n",
        markup=True,
    )
    assert [numbering for numbering, _ in found] == [("1",), ("2",)]
    assert found[0][1].startswith("Regeling\n\nArtikel 1. Begrippen\n1. De huurder")


def test_articles_that_share_a_prefix_stay_apart_whatever_the_budget() -> None:
    text = (
        "Artikel 3.1 De boete bedraagt ten hoogste € 1.250,00 per overtreding, met een maximum van € 25.000,-.\n"
        "Artikel 3.10 In afwijking van artikel 3.1, tweede lid, is de termijn dertig (30) dagen, tenzij niet anders is "
        "overeengekomen."
    )
    for budget in (8, 20, 60, 500):
        found = cut(text, budget=budget, overlap=0)
        assert {numbering for numbering, _ in found} == {("3", "3.1"), ("3", "3.10")}
        whole = " ".join(piece for _, piece in found)
        for kept in ("€ 1.250,00", "€ 25.000,-", "artikel 3.1, tweede lid", "dertig (30) dagen"):
            assert any(kept in piece for _, piece in found), (budget, kept)
        assert whole.split() == text.split()


def test_a_reference_broken_over_lines_is_not_cut() -> None:
    found = cut("12. Termination\n12.1 This ends as meant in article\n12.4(b) of this agreement and nowhere else.\n")
    assert [numbering for numbering, _ in found] == [("12", "12.1")]
    assert "article\n12.4(b)" in found[0][1]


def test_a_unit_that_does_not_fit_is_packed_by_its_items_with_overlap() -> None:
    items = "\n".join(f"{letter}. de huurder betaalt post {letter} van de rekening;" for letter in "abcdefgh")
    found = cut(f"Artikel 4. Kosten\n{items}\n", budget=60, overlap=20)
    assert len(found) > 2
    assert all(count_tokens(text) <= 60 for _, text in found)
    assert all(numbering[0] == "4" for numbering, _ in found)
    for (_, before), (_, after) in itertools.pairwise(found):
        assert after.split("\n")[0] in before.split("\n")


def test_an_item_that_stands_alone_gives_its_own_number() -> None:
    long_item = " ".join(["woorden"] * 40)
    found = cut(f"Artikel 4\na. {long_item};\nb. {long_item};\n", budget=90, overlap=0)
    assert [numbering for numbering, _ in found] == [("4", "a"), ("4", "b")]


def test_a_heading_goes_with_what_follows_it() -> None:
    found = cut("# Een\n\n# Twee\n\nTekst.\n\n# Drie\n\nMeer.\n\n# Los\n", markup=True)
    assert [text for _, text in found] == ["Een\n\nTwee\n\nTekst.", "Drie\n\nMeer.", "Los"]


def test_a_sentence_that_does_not_fit_is_cut_between_words() -> None:
    found = cut(" ".join(f"woord{number}" for number in range(80)), budget=25, overlap=0)
    assert len(found) > 5
    assert all(count_tokens(text) <= 25 for _, text in found)


def test_what_cannot_be_cut_stays_whole() -> None:
    assert cut("x" * 4000, budget=50, overlap=10) == [((), "x" * 4000)]


@pytest.mark.parametrize(("budget", "overlap"), [(0, 0), (10, 10), (10, -1)])
def test_an_overlap_as_large_as_the_budget_is_refused(budget: int, overlap: int) -> None:
    with pytest.raises(ConfigurationError):
        cut("tekst", budget=budget, overlap=overlap)


def test_equal_input_gives_equal_ids_and_twins_are_told_apart() -> None:
    document = parsed("# Kop\n\nGelijk.\n\n# Kop\n\nGelijk.\n", markup=True)
    first = chunk_document(document, pins=PINS, ingested_at=NOW)
    again = chunk_document(document, pins=PINS, ingested_at=NOW)
    assert first == again
    assert first[0].text == first[1].text
    assert first[0].chunk_id != first[1].chunk_id


def test_an_id_depends_on_document_number_and_content_only() -> None:
    one, two = (parsed(f"# A\n\n{text}.\n\n# B\n\nBlijft.\n", markup=True) for text in ("Eerst", "Anders dan eerst"))
    first = chunk_document(one, pins=PINS, ingested_at=NOW)
    second = chunk_document(two, pins=digest_text("other"), ingested_at=NOW)
    assert first[0].chunk_id != second[0].chunk_id
    assert first[1].chunk_id == second[1].chunk_id


WORDS = st.lists(
    st.sampled_from(
        [
            "De huurder", "betaalt", "€ 1.250,00", "op 1 februari 2024.", "Zie artikel 7:669 lid 3, onder g BW.",
            "binnen zestig (60) dagen", "tenzij", "art. 3 jo. art. 4 lid 2 Rv", "ECLI:NL:HR:2019:1278", "10%",
            "12.4(b)", "\n\n", "\n", "Artikel 12. Termijn", "a. een;", "1. Een lid.", "3.10", "ten hoogste",
            "de artikelen 3, 4 en 5", "twee weken.",
        ]
    ),
    min_size=1,
    max_size=60,
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(WORDS, st.integers(min_value=5, max_value=80))
def test_no_boundary_cuts_a_reference_or_a_value(words: list[str], budget: int) -> None:
    try:
        document = parsed(" ".join(words))
    except DocumentError:
        return
    text = document.text
    chunks = chunk_document(document, pins=PINS, ingested_at=NOW, budget=budget, overlap=budget // 4)
    spans = [(item.start, item.end) for item in (*read_references(text), *read_values(text, locale="nl"))]
    covered = [False] * len(text)
    for chunk in chunks:
        assert chunk.text == text[chunk.start : chunk.end]
        for boundary in (chunk.start, chunk.end):
            for start, end in spans:
                assert not start < boundary < end, (text[start:end], boundary)
        covered[chunk.start : chunk.end] = [True] * (chunk.end - chunk.start)
    # Nothing is lost: what no chunk holds is white space.
    assert not "".join(char for char, held in zip(text, covered, strict=True) if not held).strip()
    assert len({chunk.chunk_id for chunk in chunks}) == len(chunks)
    assert [chunk.position for chunk in chunks] == list(range(len(chunks)))
