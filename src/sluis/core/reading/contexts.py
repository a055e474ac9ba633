"""What a value is the value of: the words that stand around it and not around the next one.

In a sentence with several values of one kind each has the piece around it: ``€ 100 voor de eerste overtreding en
€ 200 voor de tweede``. A piece that opens with a preposition or with the value itself goes on with the subject that
stands before the first value; one that opens with a noun has a subject of its own. In a table a value has the label
of its row and the head of its column. Above that stands the heading, or the line that ends in a colon.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
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
_RULE = re.compile(r"[\s|:=-]+")
_HEADING = re.compile(r"#{1,6}[ \t]+")
_ITEM = re.compile(r"[ \t]*(?:[-*+\u2022]|[0-9]{1,3}[.)]|\(?[a-z][.)])[ \t]")
_HEADING_WORDS = 8


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
    def __init__(
        self, text: str, language: Language, values: Sequence[ReadValue], masks: list[tuple[int, int]]
    ) -> None:
        self.text, self.language = text, language
        blocked = sorted([*masks, *((value.start, value.end) for value in values)])
        self.words = sorted(
            (*read_words(text, language, masks=blocked), *_figures(text, blocked)), key=lambda word: word.start
        )
        self.values = values
        self.sentences = split_sentences(text)
        self.lines = _lines(text)

    def within(self, start: int, end: int) -> tuple[Word, ...]:
        return tuple(word for word in self.words if start <= word.start < end)

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
        place = 0
        for value in self.values:
            while place < len(self.sentences) and self.sentences[place].end <= value.start:
                place += 1
            sentence = self.sentences[place] if place < len(self.sentences) else _whole(self.text)
            line = next((item for item in self.lines if item.start <= value.start < item.end), _whole(self.text))
            if line.text.lstrip().startswith("|"):
                made.append(self.cell(value, line))
            else:
                made.append(self.piece(value, sentence))
        return tuple(made)

    def piece(self, value: ReadValue, sentence: Span) -> Context:
        kin = [
            item
            for item in self.values
            if item.kind == value.kind and sentence.start <= item.start and item.end <= sentence.end
        ]
        heading = self.heading(sentence.start)
        place = kin.index(value)
        start, begun = sentence.start, True
        if place > 0:
            start = self.cut(kin[place - 1].end, value.start)
            begun = False
        end = sentence.end if place + 1 == len(kin) else self.cut(value.end, kin[place + 1].start)
        own = self.within(start, end)
        shared = heading
        if not begun and self.goes_on(start, value.start):
            shared = (*heading, *self.within(sentence.start, kin[0].start))
        return self.made(own, shared)

    def cut(self, start: int, end: int) -> int:
        """Where between two values the piece of the second begins."""
        between = self.text[start:end]
        found = _CUT.search(between)
        if found is not None:
            return start + found.end()
        joints = list(_JOINT.finditer(between))
        return start + joints[-1].end() if joints else start

    def goes_on(self, start: int, end: int) -> bool:
        opening = next((word for word in self.words if start <= word.start < end), None)
        while opening is not None and opening.low in ("en", "of", "and", "or", "maar", "but"):
            following = opening.end
            opening = next((word for word in self.words if following <= word.start < end), None)
        return opening is None or opening.kind == "number" or opening.low in _GOES_ON

    def cell(self, value: ReadValue, line: Span) -> Context:
        """The label of the row and the head of the column."""
        table = self.table(line)
        column = self.text.count("|", line.start, value.start)
        cells = _cells(line)
        holding = [any(c.start <= item.start < c.end for item in self.values) for c in cells]
        labels = tuple(
            word
            for cell, holds in zip(cells, holding, strict=True)
            if not holds
            for word in self.within(cell.start, cell.end)
        )
        own_cell = next((cell for cell in cells if cell.start <= value.start < cell.end), line)
        within = self.within(own_cell.start, own_cell.end)
        head = table[0] if table and table[0] is not line else None
        heads: tuple[Word, ...] = ()
        if head is not None and not any(
            head.start <= item.start < head.end and item.kind != "date" for item in self.values
        ):
            head_cells = _cells(head)
            if column - 1 < len(head_cells):
                heads = self.within(head_cells[column - 1].start, head_cells[column - 1].end)
        return self.made(
            (*labels, *heads, *within),
            self.heading(table[0].start if table else line.start),
            table=True,
            row=vocabulary(labels, self.language),
            column=vocabulary((*heads, *within), self.language) if heads or within else None,
            columns=sum(holding),
        )

    def table(self, line: Span) -> list[Span]:
        """The lines of the table that a line stands in."""
        place = self.lines.index(line)
        first = place
        while first > 0 and self.lines[first - 1].text.lstrip().startswith("|"):
            first -= 1
        rows = []
        for item in self.lines[first:]:
            if not item.text.lstrip().startswith("|"):
                break
            if _RULE.fullmatch(item.text) is None:
                rows.append(item)
        return rows

    def heading(self, start: int) -> tuple[Word, ...]:
        """The words of the nearest heading, or line that ends in a colon, above a place."""
        words: tuple[Word, ...] = ()
        for line in self.lines:
            if line.end > start:
                break
            plain = line.text.strip()
            if not plain:
                continue
            if _HEADING.match(plain) or _is_title(plain) or plain.endswith(":"):
                words = self.within(line.start, line.end)
        return words


def _is_title(plain: str) -> bool:
    if _ITEM.match(plain) or plain.startswith("|") or plain[-1] in ".;,!?":
        return False
    return len(plain.split()) <= _HEADING_WORDS and plain[:1].isupper()


def _whole(text: str) -> Span:
    return Span(text=text, start=0, end=len(text))


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
    for match in _FIGURE.finditer(text):
        if not any(start < match.end() and match.start() < end for start, end in blocked):
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
