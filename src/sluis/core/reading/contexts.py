"""What a value is the value of: the words that stand around it and not around the next one.

In a sentence with several values of one kind each has the piece around it: ``€ 100 voor de eerste overtreding en
€ 200 voor de tweede``. A piece that opens with a preposition or with the value itself goes on with the subject that
stands before the first value; one that opens with a noun has a subject of its own. In a table a value has the label
of its row and the head of its column. Above that stands the heading, or the line that ends in a colon.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from ._chars import word_set
from .fold import Span
from .sentences import split_sentences
from .values import ReadValue
from .words import Language, Vocabulary, Word, read_words, vocabulary

_CUT = re.compile(r"[,;(]\s|;|\)")
_JOINT = re.compile(
    r"\s(?:en|of|maar|doch|terwijl|respectievelijk|dan wel|and|or|but|while|respectively)\s", re.IGNORECASE
)
_GOES_ON = word_set(
    """
    voor bij na binnen in op tot van over met per aan om door vanaf wegens ingeval indien als wanneer uiterlijk
    maximaal minimaal minstens hoogstens telkens daarna vervolgens ten
    for on after within in at until of over with per to by from if when upon before then up
    """
)
_FIGURE = re.compile(r"(?<![\w.,])[0-9]{1,6}(?![\w]|[.,][0-9])")
_HEADING = re.compile(r"#{1,6}[ \t]+")
_ITEM = re.compile(r"[ \t]*(?:[-*+\u2022]|[0-9]{1,3}[.)]|\(?[a-z][.)])[ \t]")
_HEADING_WORDS = 8
_LONGEST_SUBJECT = 400
"""Characters before the first value of a sentence that can be the subject of the others."""
_MOST_COLUMNS = 60
_JOINTS = word_set("en of and or maar but")


@dataclass(frozen=True, slots=True)
class Context:
    """Around one value.

    Attributes:
        own: the words of its piece of the sentence, or of its row and column.
        shared: those of the subject and of the heading, when its piece goes on with them.
        held, held_own: the vocabularies of both together, and of ``own``.
        row, column: in a table the vocabularies of its row's label and of its column's head; ``None`` for a column
            whose head is not there.
        table: whether it stands in a table.
        columns: how many columns of its row hold values.
    """

    own: tuple[Word, ...]
    shared: tuple[Word, ...]
    held: Vocabulary
    held_own: Vocabulary
    table: bool = False
    row: Vocabulary | None = None
    column: Vocabulary | None = None
    columns: int = 0


class _Contexts:
    """Reads the contexts of one text; every list is sorted by place, so that looking up costs a bisection."""

    def __init__(
        self, text: str, language: Language, values: Sequence[ReadValue], masks: list[tuple[int, int]]
    ) -> None:
        self.text, self.language = text, language
        blocked = sorted([*masks, *((value.start, value.end) for value in values)])
        self.words = sorted(
            (*read_words(text, language, masks=blocked), *_figures(text, blocked)), key=lambda word: word.start
        )
        self.starts = [word.start for word in self.words]
        self.values = values
        self.sentences = split_sentences(text)
        self.ends = [sentence.end for sentence in self.sentences]
        self.lines = _lines(text)
        self.line_starts = [line.start for line in self.lines]
        self.headings = self._headings()
        self.tables = self._tables()
        self.kin: dict[tuple[int, str], list[ReadValue]] = {}
        for value in values:
            self.kin.setdefault((bisect_right(self.ends, value.start), value.kind), []).append(value)
        self.heads: dict[tuple[int, str], int] = {}

    def within(self, start: int, end: int) -> tuple[Word, ...]:
        return tuple(self.words[bisect_left(self.starts, start) : bisect_left(self.starts, end)])

    def made(self, own: tuple[Word, ...], shared: tuple[Word, ...], **table: object) -> Context:
        return Context(
            own=own,
            shared=shared,
            held=vocabulary((*own, *shared), self.language),
            held_own=vocabulary(own, self.language),
            **table,  # type: ignore[arg-type]
        )

    def run(self) -> tuple[Context, ...]:
        made: list[Context] = []
        for value in self.values:
            number = bisect_right(self.line_starts, value.start) - 1
            if self.lines[number].text.lstrip().startswith("|"):
                made.append(self.cell(value, number))
            else:
                made.append(self.piece(value))
        return tuple(made)

    def piece(self, value: ReadValue) -> Context:
        """The piece of the sentence around a value, and the subject that it goes on with."""
        number = bisect_right(self.ends, value.start)
        sentence = self.sentences[number]
        kin = self.kin[number, value.kind]
        place = self.heads.get((number, value.kind), 0)
        self.heads[number, value.kind] = place + 1
        shared = self.heading(sentence.start)
        start = sentence.start if place == 0 else self.cut(kin[place - 1].end, value.start)
        end = sentence.end if place + 1 == len(kin) else self.cut(value.end, kin[place + 1].start)
        if place > 0 and self.goes_on(start, value.start):
            shared = (*shared, *self.within(sentence.start, min(kin[0].start, sentence.start + _LONGEST_SUBJECT)))
        return self.made(self.within(start, end), shared)

    def cut(self, start: int, end: int) -> int:
        """Where between two values the piece of the second begins."""
        between = self.text[start:end]
        found = _CUT.search(between)
        if found is not None:
            return start + found.end()
        joints = list(_JOINT.finditer(between))
        return start + joints[-1].end() if joints else start

    def goes_on(self, start: int, end: int) -> bool:
        for word in self.within(start, end):
            if word.low not in _JOINTS:
                return word.kind == "number" or word.low in _GOES_ON
        return True

    def cell(self, value: ReadValue, number: int) -> Context:
        """The label of the row and the head of the column."""
        line = self.lines[number]
        cells = _cells(line)[:_MOST_COLUMNS]
        holding = [any(item.kind == value.kind for item in self.inside(cell)) for cell in cells]
        labels: list[Word] = []
        column = -1
        for place, (cell, holds) in enumerate(zip(cells, holding, strict=True)):
            if not holds:
                labels += self.within(cell.start, cell.end)
            if cell.start <= value.start < cell.end:
                column = place
        first = self.tables.get(number, number)
        head = _cells(self.lines[first]) if first != number else []
        heads: tuple[Word, ...] = ()
        if 0 <= column < len(head) and not any(item.kind == value.kind for item in self.inside(self.lines[first])):
            heads = self.within(head[column].start, head[column].end)
        within = self.within(cells[column].start, cells[column].end) if column >= 0 else ()
        return self.made(
            (*labels, *heads, *within),
            self.heading(self.lines[first].start),
            table=True,
            row=vocabulary(labels, self.language),
            column=vocabulary((*heads, *within), self.language) if heads or within else None,
            columns=sum(holding),
        )

    def inside(self, span: Span) -> Sequence[ReadValue]:
        """The values within a span."""
        starts = self.value_starts
        return self.values[bisect_left(starts, span.start) : bisect_left(starts, span.end)]

    @cached_property
    def value_starts(self) -> list[int]:
        """Where the values begin."""
        return [value.start for value in self.values]

    def _tables(self) -> dict[int, int]:
        """For each line of a table the number of its first line."""
        found: dict[int, int] = {}
        first: int | None = None
        for number, line in enumerate(self.lines):
            if not line.text.lstrip().startswith("|"):
                first = None
                continue
            first = number if first is None else first
            found[number] = first
        return found

    def _headings(self) -> list[int]:
        """For each line the number of the nearest heading above it, or of the line that ends in a colon; -1: none."""
        found: list[int] = []
        last = -1
        for number, line in enumerate(self.lines):
            found.append(last)
            plain = line.text.strip()
            if plain and (_HEADING.match(plain) or plain.endswith(":") or _is_title(plain)):
                last = number
        return found

    def heading(self, start: int) -> tuple[Word, ...]:
        """The words of the heading above a place."""
        number = self.headings[bisect_right(self.line_starts, start) - 1]
        if number < 0:
            return ()
        return self.within(self.lines[number].start, self.lines[number].end)


def _is_title(plain: str) -> bool:
    if _ITEM.match(plain) or plain.startswith("|") or plain[-1] in ".;,!?":
        return False
    return len(plain.split()) <= _HEADING_WORDS and plain[:1].isupper()


def _lines(text: str) -> list[Span]:
    made: list[Span] = []
    start = 0
    for line in text.splitlines(keepends=True):
        made.append(Span(text=line, start=start, end=start + len(line)))
        start += len(line)
    return made


def _cells(line: Span) -> list[Span]:
    marks = [line.start + place for place, char in enumerate(line.text) if char == "|"]
    return [
        Span(text=line.text[left + 1 - line.start : right - line.start], start=left + 1, end=right)
        for left, right in pairwise(marks)
    ]


def _figures(text: str, blocked: list[tuple[int, int]]) -> list[Word]:
    """Figures that are no values (years, versions): they tell a column or a line from the next."""
    found: list[Word] = []
    place = 0
    for match in _FIGURE.finditer(text):
        while place < len(blocked) and blocked[place][1] <= match.start():
            place += 1
        if place == len(blocked) or blocked[place][0] >= match.end():
            found.append(
                Word(text=match.group(), low=match.group(), start=match.start(), end=match.end(), kind="number")
            )
    return found


def value_contexts(
    text: str, language: Language, values: Sequence[ReadValue], *, masks: Iterable[tuple[int, int]] = ()
) -> tuple[Context, ...]:
    """The context of each value, in the order of the values.

    Args:
        text: the text that they were read in.
        language: whose words count.
        values: all values of the text.
        masks: stretches whose words are left out (markers, citations, references).
    """
    return _Contexts(text, language, values, list(masks)).run()
