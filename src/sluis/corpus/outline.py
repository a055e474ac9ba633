"""Numbering: which label opens a line, and where in the document's outline that puts it.

Labels of three sorts make the path of a line, outermost first:

- *articles* (``Artikel 7:669``, ``Article 12``, ``Section 4``, ``§ 3``) and dotted or plain clause numbers (``12``,
  ``12.4``, ``7.2.3``): these name a **unit**, what a reference is to;
- *items* below a unit: paragraphs of an article (``1.``), letters (``a.``, ``(b)``), romans (``(ii)``), capitals;
- *containers* above (``Hoofdstuk 2``, ``Chapter 3``), kept with their word.

A wrong number is worse than none: what may be a date, an amount, a sentence that begins with a reference or a list
that merely counts is given no unit of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import re2

from sluis.core.reading import read_references

_ARTICLE = re2.compile(
    r"^(?:(?:Artikel|ARTIKEL|Article|ARTICLE|Section|SECTION|Clause|CLAUSE|Art\.)[ \x{a0}]+|§[ \x{a0}]?)"
    r"([0-9]{1,4}(?:[.:][0-9]{1,4}){0,5}[a-z]{0,2})\b[.:]?"
)
_CONTAINER = re2.compile(
    r"^(Hoofdstuk|HOOFDSTUK|Chapter|CHAPTER|Afdeling|AFDELING|Titel|TITEL|Title|TITLE|Deel|DEEL|Part|PART|Boek|BOEK"
    r"|Bijlage|BIJLAGE|Annex|ANNEX|Paragraaf|PARAGRAAF)[ \x{a0}]+([0-9]{1,3}[a-z]?|[IVXLC]{1,6}|[A-Z])\b[.:]?"
)
_DOTTED = re2.compile(r"^([0-9]{1,3}(?:\.[0-9]{1,2}){1,5}[a-z]?)\.?[ \t\x{a0}]+(\S)")
_PLAIN = re2.compile(r"^([0-9]{1,3}[a-z]?)([.)])[ \t\x{a0}]+(\S)")
_ITEM = re2.compile(r"^(\(?)([a-z]{1,4}|[A-Z]{1,4}|[0-9]{1,3})(\)|\.)[ \t\x{a0}]+\S")
_ROMAN = re2.compile(r"^[ivxlc]+$")
_MONTH = re2.compile(r"^[0-9]{1,2}\.[0-9]{1,2}\.[0-9]{2,4}\b")

_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where a line stands.

    Attributes:
        path: labels, outermost first; empty: not numbered.
        unit: how many of them name the unit; what follows are items below it.
        opens: whether the line opens a new label, and does not merely continue.
    """

    path: tuple[str, ...] = ()
    unit: int = 0
    opens: bool = False


@dataclass(frozen=True)
class _Level:
    style: str
    label: str
    rank: int


@dataclass
class Outline:
    """Follows a document line by line. One object a document; not thread-safe."""

    containers: list[tuple[str, str]] = field(default_factory=list)
    unit: tuple[str, ...] = ()
    items: list[_Level] = field(default_factory=list)
    has_articles: bool = False

    def place(self, line: str, *, heading: bool = False) -> Place:
        """The place of the next line.

        Args:
            line: its words, without leading white space or markup.
            heading: whether the document marks it as a heading.
        """
        container = _CONTAINER.match(line)
        if container is not None and (heading or len(line) <= 120):
            return self._container(container.group(1).capitalize(), str(container.group(2)))
        article = _ARTICLE.match(line)
        if article is not None and (heading or _opens_article(line, article.end())):
            self.has_articles = True
            return self._unit(_steps(str(article.group(1))))
        dotted = _DOTTED.match(line)
        if dotted is not None and _starts_clause(str(dotted.group(2)), heading) and _MONTH.match(line) is None:
            return self._unit(_steps(str(dotted.group(1))))
        plain = _PLAIN.match(line)
        if plain is not None and self._is_clause(line, str(plain.group(1)), str(plain.group(2)), heading=heading):
            return self._unit((str(plain.group(1)),))
        item = _ITEM.match(line)
        if item is not None:
            return self._item(str(item.group(1)), str(item.group(2)), str(item.group(3)))
        if heading:
            # A heading without a number ends what was numbered before it.
            self.unit, self.items = (), []
        return self._here(opens=False)

    def _here(self, *, opens: bool) -> Place:
        above = tuple(f"{word} {label}" for word, label in self.containers)
        unit = (*above, *self.unit)
        return Place(path=(*unit, *(level.label for level in self.items)), unit=len(unit), opens=opens)

    def _container(self, word: str, label: str) -> Place:
        words = [known for known, _ in self.containers]
        depth = words.index(word) if word in words else len(words)
        self.containers = [*self.containers[:depth], (word, label)]
        self.unit, self.items = (), []
        return self._here(opens=True)

    def _unit(self, steps: tuple[str, ...]) -> Place:
        self.unit, self.items = steps, []
        return self._here(opens=True)

    def _is_clause(self, line: str, label: str, closing: str, *, heading: bool) -> bool:
        """Whether ``12. Termination`` opens a clause: it reads as a title, and follows the clause before it."""
        if heading:
            return True
        if self.has_articles or closing != "." or not label.isdigit() or not is_title(line):
            return False
        if not self.unit:
            return not self.items
        root = self.unit[0]
        return root.isdigit() and int(label) == int(root) + 1

    def _item(self, opening: str, label: str, closing: str) -> Place:
        shown = f"({label})" if opening else label
        bracket = "()" if opening else closing
        candidates = [(f"{kind}{bracket}", rank) for kind, rank in _readings(label)]
        # The level that this label continues, innermost first; else a new level if it begins one.
        for depth in range(len(self.items) - 1, -1, -1):
            for style, rank in candidates:
                if self.items[depth].style == style and self.items[depth].rank < rank <= self.items[depth].rank + 3:
                    self.items = [*self.items[:depth], _Level(style, shown, rank)]
                    return self._here(opens=True)
        for style, rank in candidates:
            if rank == 1:
                used = [index for index, level in enumerate(self.items) if level.style == style]
                kept = self.items[: used[0]] if used else self.items
                self.items = [*kept, _Level(style, shown, rank)]
                return self._here(opens=True)
        return self._here(opens=False)


def is_title(line: str) -> bool:
    """Whether a line reads as a title: short, and it does not end as a sentence does."""
    return len(line) <= 80 and not line.rstrip().endswith((".", ";", ":", ",", "!", "?"))


def _opens_article(line: str, end: int) -> bool:
    """Whether ``Artikel 3.1 ...`` at the start of a line is its heading and not the first words of a sentence."""
    rest = line[end:].strip()
    if not rest:
        return True
    if line[end : end + 1] not in (" ", "\u00a0", "\t", "") and line[end - 1] not in ".:":
        return False
    if not (rest[0].isupper() or rest[0] in "(\u201c\"'\u2018\u2013-"):
        return False
    first = next((item for item in read_references(line) if item.start == 0), None)
    return first is None or (first.law is None and first.paragraph is None)


def _starts_clause(first: str, heading: bool) -> bool:
    return heading or first.isupper() or first in "(\u201c\"'\u2018"


def _steps(number: str) -> tuple[str, ...]:
    """``7.2.3`` as ``("7", "7.2", "7.2.3")``; ``7:669`` names one article of a book and stays whole."""
    if ":" in number:
        return (number,)
    parts = number.split(".")
    return tuple(".".join(parts[: depth + 1]) for depth in range(len(parts)))


def _readings(label: str) -> list[tuple[str, int]]:
    """The sorts of list that a label can stand in, with its place there; romans and letters may both fit."""
    if label.isdigit():
        return [("number", int(label))]
    upper = label[0].isupper()
    low = label.lower()
    found: list[tuple[str, int]] = []
    if len(low) == 1:
        found.append(("upper" if upper else "letter", ord(low) - ord("a") + 1))
    if _ROMAN.match(low) is not None and (rank := _roman(low)) is not None:
        found.append(("upper roman" if upper else "roman", rank))
    return found


def _roman(label: str) -> int | None:
    total = 0
    for index, char in enumerate(label):
        value = _VALUES[char]
        following = _VALUES[label[index + 1]] if index + 1 < len(label) else 0
        total += -value if value < following else value
    # Only the ordinary spelling counts: ``iiii`` is no label.
    return total if 0 < total < 100 and _spelled(total) == label else None


def _spelled(number: int) -> str:
    out = ""
    for letters, value in (
        ("xc", 90), ("l", 50), ("xl", 40), ("x", 10), ("ix", 9), ("v", 5), ("iv", 4), ("i", 1),
    ):  # fmt: skip
        out += letters * (number // value)
        number %= value
    return out
