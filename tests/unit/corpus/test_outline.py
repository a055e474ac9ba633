"""Numbering: which label opens a line, and where that puts it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluis.corpus.outline import Outline, is_title


def paths(*lines: str) -> list[tuple[str, ...]]:
    outline = Outline()
    return [outline.place(line).path for line in lines]


CASES: dict[str, tuple[tuple[str, ...], list[tuple[str, ...]]]] = {
    "english clauses with letters, romans and capitals": (
        (
            "7. Payment",
            "7.2 The Customer shall pay as follows",
            "7.2.3 Each invoice states:",
            "(a) the amount;",
            "(i) net;",
            "(ii) gross;",
            "(A) in euro;",
            "(B) in dollars;",
            "(b) the date;",
            "7.3 Late payment bears interest.",
        ),
        [
            ("7",),
            ("7", "7.2"),
            ("7", "7.2", "7.2.3"),
            ("7", "7.2", "7.2.3", "(a)"),
            ("7", "7.2", "7.2.3", "(a)", "(i)"),
            ("7", "7.2", "7.2.3", "(a)", "(ii)"),
            ("7", "7.2", "7.2.3", "(a)", "(ii)", "(A)"),
            ("7", "7.2", "7.2.3", "(a)", "(ii)", "(B)"),
            ("7", "7.2", "7.2.3", "(b)"),
            ("7", "7.3"),
        ],
    ),
    "dutch articles with paragraphs and letters": (
        (
            "Artikel 5a",
            "1. De huurder betaalt:",
            "a. de huur;",
            "b. de kosten.",
            "2. De verhuurder herstelt.",
            "Artikel 6",
        ),
        [("5a",), ("5a", "1"), ("5a", "1", "a"), ("5a", "1", "b"), ("5a", "2"), ("6",)],
    ),
    "chapters are kept with their word": (
        ("Hoofdstuk 2. Betaling", "Afdeling 1 Termijnen", "Artikel 4. Termijn", "Hoofdstuk 3", "Artikel 9"),
        [
            ("Hoofdstuk 2",),
            ("Hoofdstuk 2", "Afdeling 1"),
            ("Hoofdstuk 2", "Afdeling 1", "4"),
            ("Hoofdstuk 3",),
            ("Hoofdstuk 3", "9"),
        ],
    ),
    "an article of the civil code stays whole": (("Artikel 7:669. Redelijke grond",), [("7:669",)]),
    "letters from a to j": (
        ("Artikel 1", *(f"{letter}. iets;" for letter in "abcdefghij")),
        [("1",), *(("1", letter) for letter in "abcdefghij")],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_paths(name: str) -> None:
    lines, expected = CASES[name]
    assert paths(*lines) == expected


@pytest.mark.parametrize(
    "line",
    [
        "Artikel 7:669 BW bepaalt de redelijke grond.",
        "Artikel 3.1, tweede lid, is van toepassing.",
        "artikel 3.1 Van toepassing is dit.",
        "Artikel 12 van de Huisvestingswet geldt.",
        "1.250 euro is verschuldigd.",
        "12.5 procent van de huur.",
        "1.2.2024 Is de datum.",
        "2024. Dat jaar was nat.",
        "De huurder betaalt 12.4 Euro.",
        "",
    ],
)
def test_what_is_no_label_opens_nothing(line: str) -> None:
    place = Outline().place(line)
    assert place.path == ()
    assert not place.opens


def test_a_reference_inside_another_article_is_no_heading() -> None:
    assert paths(
        "Artikel 3.1 De boete bedraagt € 1.250,00.",
        "Artikel 3.10 In afwijking van artikel 3.1, tweede lid, is de termijn dertig dagen.",
    ) == [("3", "3.1"), ("3", "3.10")]


def test_an_unnumbered_heading_ends_what_was_numbered() -> None:
    outline = Outline()
    outline.place("Artikel 4. Termijn", heading=True)
    assert outline.place("Toelichting", heading=True).path == ()


def test_a_list_that_merely_counts_gets_no_unit() -> None:
    outline = Outline()
    place = outline.place("1. Vul het formulier in en onderteken het.")
    assert (place.path, place.unit) == (("1",), 0)


def test_a_label_that_does_not_follow_is_not_put_anywhere() -> None:
    assert paths("Artikel 1", "a. een;", "q. iets anders;") == [("1",), ("1", "a"), ("1", "a")]


@pytest.mark.parametrize(
    ("line", "title"), [("12. Termination", True), ("12. The term ends.", False), ("x" * 81, False)]
)
def test_titles(line: str, title: bool) -> None:
    assert is_title(line) is title


@given(st.lists(st.text(alphabet="Artikel 0123456789.:()abcivxABC§ \u00a0\n", max_size=40), max_size=12))
def test_any_lines_have_a_place(lines: list[str]) -> None:
    outline = Outline()
    for line in lines:
        place = outline.place(line)
        assert 0 <= place.unit <= len(place.path)
        assert all(place.path)
