"""The fixed fold, and what a reader does not see."""

from __future__ import annotations

import pytest

from sluis.core.reading import fold, invisible, lexed

FOLDED: dict[str, tuple[str, tuple[int, ...] | None, str, tuple[int, ...] | None]] = {
    "a\xadb": ("ab", (0, 2, 3), "ab", (0, 2, 3)),
    "ﬁn": ("fin", (0, 0, 1, 2), "fin", (0, 0, 1, 2)),
    "a\u200bb": ("ab", (0, 2, 3), "a\u200bb", None),
    "1\u200b5": ("1\u200b5", (0, 1, 2, 3), "1\u200b5", None),
    "a  \n b": ("a b", (0, 1, 5, 6), "a  \n b", None),
    "− 5": ("-5", (0, 2, 3), "- 5", None),
    "−\u200a5": ("-5", (0, 2, 3), "- 5", None),
    "é": ("\xe9", (0, 2), "e\u0301", None),
    "é": ("é", (0, 1), "é", None),
    "x\ud800y": ("x�y", (0, 1, 2, 3), "x�y", None),
    "“q”": ('"q"', (0, 1, 2, 3), '"q"', None),
    "１２": ("12", (0, 1, 2), "12", None),
    "10²": ("10²", (0, 1, 2, 3), "10²", None),
    "  a ": (" a ", (0, 2, 3, 4), "  a ", None),
    "…": ("...", (0, 0, 0, 1), "...", (0, 0, 0, 1)),
    "ạ́": ("\u1ea1\u0301", (0, 1, 3), "a\u0301\u0323", None),
    "Å": ("Å", (0, 1), "Å", None),
    "~̃": ("~̃", (0, 1, 2), "~̃", None),
    "−  x": ("- x", (0, 1, 3, 4), "-  x", None),
    "1\xad5": ("15", (0, 2, 3), "15", (0, 2, 3)),
    "≮": ("≮", (0, 1), "≮", None),
    "-̸": ("-̸", (0, 1, 2), "-̸", None),
}

INVISIBLE: dict[str, list[tuple[str, int, int, str]]] = {
    "a\xadb": [("\xad", 1, 2, "soft_hyphen")],
    "ﬁn": [],
    "a\u200bb": [("\u200b", 1, 2, "invisible")],
    "1\u200b5": [("\u200b", 1, 2, "invisible")],
    "a  \n b": [],
    "− 5": [],
    "−\u200a5": [],
    "é": [],
    "é": [],
    "x\ud800y": [("\ud800", 1, 2, "surrogate")],
    "“q”": [],
    "１２": [],
    "10²": [],
    "  a ": [],
    "…": [],
    "ạ́": [],
    "Å": [],
    "~̃": [],
    "−  x": [],
    "1\xad5": [("\xad", 1, 2, "soft_hyphen")],
    "≮": [],
    "-̸": [],
    "a\u202eb": [("\u202e", 1, 2, "bidi")],
    "a\ufe0fb": [("\ufe0f", 1, 2, "invisible")],
    "\u260e\ufe0f": [],
    "\ufe0f": [("\ufe0f", 0, 1, "invisible")],
    "a\U000e0041": [("\U000e0041", 1, 2, "invisible")],
    "a\x00": [("\x00", 1, 2, "control")],
    "a\u200b\u202e": [("\u200b\u202e", 1, 3, "bidi")],
    "\ud800": [("\ud800", 0, 1, "surrogate")],
}


@pytest.mark.parametrize(("text", "both"), FOLDED.items())
def test_both_depths_of_the_fold_know_the_way_back(
    text: str, both: tuple[str, tuple[int, ...] | None, str, tuple[int, ...] | None]
) -> None:
    deep, shallow = fold(text), lexed(text)
    assert (deep.text, deep.offsets, shallow.text, shallow.offsets) == both
    assert deep.size == shallow.size == len(text)


@pytest.mark.parametrize(("text", "spans"), INVISIBLE.items())
def test_what_is_not_seen_is_reported(text: str, spans: list[tuple[str, int, int, str]]) -> None:
    assert [(span.text, span.start, span.end, span.reason) for span in invisible(text)] == spans


def test_an_empty_stretch_has_a_place() -> None:
    folded = fold("a\u00adb")
    assert folded.back(0, 0) == (0, 0)
    assert folded.back(1, 2) == (2, 3)
    assert lexed("abc").back(1, 1) == (1, 1)
