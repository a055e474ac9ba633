"""References to articles: law, book, article, paragraph and path, field by field.

``art. 7:669 lid 3, aanhef en onder g BW`` is law ``BW``, book ``7``, article ``669``, paragraph ``3``, path ``("g",)``.
Lists expand (``artikelen 3, 4 en 5``; ``eerste en tweede lid``); ranges of paragraphs and letters expand; a range
of articles cannot (nobody here knows whether there is a 3a), so it keeps its end in ``to``. A law that closes a
list counts for the whole list.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from ._chars import ZERO_WIDTH
from ._laws import ABBREVIATIONS, CONNECTORS, ENDINGS, NAMES, law_key
from .fold import lexed
from .tokens import NONE, Token, tokenize

Unit = Literal["article", "paragraph", "consideration"]


@dataclass(frozen=True, kw_only=True)
class Reference:
    """One reference; ``text`` is how it (or the list it stands in) was written, at ``start..end``.

    Attributes:
        law: short name, or the name as written; ``None`` when the text names none.
        book: of the Dutch Civil Code only.
        article: number with its suffix and its dots, as written (``12.4``, ``10a``, ``8:75``); ``None`` for a
            paragraph that is named alone.
        paragraph: the *lid*, as a number.
        path: letters, romans and subs below the paragraph, outermost first.
        to: last article of a range, which is not expanded.
        unit: ``consideration`` for a numbered consideration of a ruling, ``paragraph`` for one named alone.
        unreliable: looks like a reference and its number cannot be read (``art. l2``).
    """

    law: str | None = None
    book: str | None = None
    article: str | None = None
    paragraph: str | None = None
    path: tuple[str, ...] = ()
    to: str | None = None
    unit: Unit = "article"
    unreliable: bool = False
    text: str = ""
    start: int = 0
    end: int = 0

    def fields(self) -> tuple[str | None, str | None, str | None, str | None, tuple[str, ...], str | None, str]:
        """What is compared: equal fields, equal reference."""
        return (
            law_key(self.law),
            self.book,
            None if self.article is None else self.article.lower(),
            self.paragraph,
            tuple(step.lower() for step in self.path),
            None if self.to is None else self.to.lower(),
            self.unit,
        )

    def to_json(self) -> dict[str, object]:
        """As ``sluis extract`` prints it."""
        return {
            "law": self.law,
            "book": self.book,
            "article": self.article,
            "paragraph": self.paragraph,
            "path": list(self.path),
            "to": self.to,
            "unit": self.unit,
            "unreliable": self.unreliable,
            "text": self.text,
            "start": self.start,
            "end": self.end,
        }


_ARTICLE = frozenset("artikel artikelen art artt article articles arts section sections sec clause clauses".split())
_PLURAL = frozenset("artikelen artt articles arts sections clauses".split())
_CONSIDERATION = frozenset("rechtsoverweging rechtsoverwegingen overweging overwegingen ro rov".split())
_PARAGRAPH = frozenset("lid leden paragraph paragraphs para paras subsection subsections subclause".split())
_BELOW = frozenset("onder onderdeel onderdelen sub letter point points punt subonderdeel item".split())
_AND = frozenset("en of and or jo juncto".split())
_UNITS = frozenset(
    """dag dagen werkdag werkdagen week weken maand maanden jaar jaren uur uren euro eur procent dagdelen kalenderdagen
    day days week weeks month months year years hour hours percent minuten januari februari maart april mei juni juli
    augustus september oktober november december""".split()
)
_ORDINALS = {
    word: str(number)
    for number, words in enumerate(
        (
            "eerste first", "tweede second", "derde third", "vierde fourth", "vijfde fifth", "zesde sixth",
            "zevende seventh", "achtste eighth", "negende ninth", "tiende tenth", "elfde eleventh", "twaalfde twelfth",
            "dertiende thirteenth", "veertiende fourteenth", "vijftiende fifteenth", "zestiende sixteenth",
        ),
        start=1,
    )
    for word in words.split()
}  # fmt: skip
_ORDINAL_ENDINGS = frozenset("e de ste st nd rd th".split())
_SUFFIX = frozenset("bis ter quater quinquies".split())
_MAX_EXPANSION = 50
_MAX_LIST = 60
_CURRENCIES = frozenset("EUR USD GBP CHF NLG".split())


@dataclass(frozen=True, slots=True)
class _Part:
    """A reference under construction, with the tokens it covers."""

    ref: Reference
    first: int
    last: int


class _Parser:
    def __init__(self, text: str) -> None:
        folded = lexed(text)
        self.original = text
        self.folded = folded
        self.tokens = [token for token in tokenize(folded.text) if token.kind != "line"]
        self.out: list[Reference] = []

    def at(self, index: int) -> Token:
        return self.tokens[index] if 0 <= index < len(self.tokens) else NONE

    def glued(self, index: int) -> bool:
        """Whether token ``index`` is written onto the one before it."""
        return self.at(index).start == self.at(index - 1).end and index > 0

    def near(self, index: int) -> bool:
        """Whether a token stands close to the one before it: no blank line between."""
        return self.at(index).start - self.at(index - 1).end <= 2

    # -- numbers and labels ------------------------------------------------------------------------------

    def article_number(self, index: int) -> tuple[str, int] | None:
        """An article number at ``index`` and the index after it."""
        prefix = ""
        token = self.at(index)
        if token.kind == "word" and len(token.text) == 1 and token.text.isupper() and self.at(index + 1).kind == "number":
            prefix = f"{token.text} "
            index += 1
            token = self.at(index)
        if token.kind != "number":
            return None
        number = token.text
        index += 1
        while (
            self.at(index).text in (".", ":")
            and self.glued(index)
            and self.at(index + 1).kind == "number"
            and self.glued(index + 1)
        ):
            number += self.at(index).text + self.at(index + 1).text
            index += 2
        follower = self.at(index)
        if follower.kind == "word" and self.glued(index):
            if not self._is_suffix(follower.text):
                return None
            number += follower.text
            index += 1
        elif follower.text == "-" and self.glued(index) and self.glued(index + 1) and self._is_suffix(self.at(index + 1).text):
            number += f"-{self.at(index + 1).text}"
            index += 2
        elif follower.text and follower.text[0] in ZERO_WIDTH and self.glued(index):
            return None
        return prefix + number, index

    @staticmethod
    def _is_suffix(text: str) -> bool:
        return text.isascii() and text.isalpha() and (len(text) <= 3 or text in _SUFFIX)

    def label(self, index: int) -> tuple[str, int] | None:
        """A letter, roman or number below a paragraph, bare or in brackets, and the index after it."""
        opened = self.at(index).text == "("
        if opened:
            index += 1
        token = self.at(index)
        if token.kind == "number":
            value = token.text
        elif token.kind == "word" and token.text.isascii() and (len(token.text) <= 2 or self._roman(token.low)):
            if token.low in ("de", "en", "of", "is", "in", "or", "to", "op", "te", "er"):
                return None
            value = token.low
        else:
            return None
        index += 1
        if self.at(index).text in ("\u00b0", "\u00ba") and self.glued(index):
            index += 1
        if opened:
            if self.at(index).text != ")":
                return None
            index += 1
        elif self.glued(index) and self.at(index).kind in ("word", "number"):
            return None
        return value, index

    @staticmethod
    def _roman(text: str) -> bool:
        return 0 < len(text) <= 6 and set(text) <= set("ivx")

    def conjunction(self, index: int) -> tuple[str, int] | None:
        """``and`` or ``range`` at ``index``, and the index after it."""
        token, following = self.at(index), self.at(index + 1)
        if token.low == "tot" and following.low == "en" and self.at(index + 2).low == "met":
            return "range", index + 3
        if token.low == "t" and following.text == "/" and self.at(index + 2).low == "m":
            return "range", index + 3
        if token.low in ("through", "t/m") or token.text == "-":
            return "range", index + 1
        if token.low in _AND:
            after = index + 1
            if token.low == "jo" and self.at(after).text == "." and self.glued(after):
                after += 1
            return "and", after
        if token.text in (",", "&"):
            after = index + 1
            if self.at(after).low in _AND:
                return self.conjunction(after)
            return "and", after
        return None

    def labels(self, index: int, read: str) -> tuple[list[str], int]:
        """A list or range of labels (``read="label"``) or paragraph numbers (``read="number"``)."""
        first = self._one(index, read)
        if first is None:
            return [], index
        values = [first[0]]
        index = first[1]
        while len(values) < _MAX_LIST:
            joint = self.conjunction(index)
            if joint is None:
                break
            kind, after = joint
            one = self._one(after, read)
            if one is None or self.at(one[1]).low in _UNITS or (self.at(index).text == "," and self._loose(one[1])):
                break
            values.extend(self._expanded(values[-1], one[0]) if kind == "range" else [one[0]])
            index = one[1]
        return values, index

    def _loose(self, index: int) -> bool:
        """After a comma a single label only counts when the list goes on or ends there."""
        token = self.at(index)
        return token.kind == "word" and token.low not in _AND and token.low not in _BELOW and not self._law_at(index)

    def _one(self, index: int, read: str) -> tuple[str, int] | None:
        if read == "label":
            return self.label(index)
        token = self.at(index)
        opened = token.text == "("
        if opened:
            token = self.at(index + 1)
            if token.kind == "number" and self.at(index + 2).text == ")":
                return token.text, index + 3
            return None
        if token.kind != "number":
            return None
        following = self.at(index + 1)
        if following.kind == "word" and self.glued(index + 1):
            if len(following.text) == 1 and following.text.islower():
                return token.text + following.text, index + 2
            return None
        return token.text, index + 1

    @staticmethod
    def _expanded(first: str, last: str) -> list[str]:
        if first.isdigit() and last.isdigit() and len(first) < 9 and len(last) < 9:
            low, high = int(first), int(last)
            if low < high <= low + _MAX_EXPANSION:
                return [str(number) for number in range(low + 1, high + 1)]
        elif len(first) == 1 and len(last) == 1 and first < last:
            return [chr(point) for point in range(ord(first) + 1, ord(last) + 1)]
        return [f"{first}..{last}"]

    # -- qualifiers --------------------------------------------------------------------------------------

    def ordinals(self, index: int) -> tuple[list[str], int] | None:
        """``eerste lid``, ``eerste, tweede en derde lid``, ``2e lid``: the numbers and the index after ``lid``."""
        values: list[str] = []
        kind = "and"
        while len(values) < _MAX_LIST:
            token = self.at(index)
            if token.low in _ORDINALS:
                value = _ORDINALS[token.low]
                index += 1
            elif token.kind == "number" and self.at(index + 1).low in _ORDINAL_ENDINGS and self.glued(index + 1):
                value = token.text
                index += 2
            else:
                return None
            values.extend(self._expanded(values[-1], value) if kind == "range" else [value])
            if self.at(index).low in ("lid", "leden", "paragraph", "paragraphs", "subparagraph"):
                return values, index + 1
            joint = self.conjunction(index)
            if joint is None:
                return None
            kind, index = joint
        return None

    def qualifiers(self, index: int) -> tuple[list[str], list[tuple[str, ...]], int]:
        """Paragraphs and paths after an article number, and the index after them."""
        paragraphs: list[str] = []
        paths: list[tuple[str, ...]] = []
        steps: list[str] = []
        while self.at(index).text == "(" and self.glued(index):
            one = self.label(index)
            if one is None:
                break
            if one[0].isdigit() and not paragraphs and not steps:
                paragraphs, index = self.labels(index, "number")
            else:
                steps.append(one[0])
                index = one[1]
        if steps:
            paths = [tuple(steps)]
        while True:
            start = index
            if self.at(index).text == ",":
                index += 1
            found = self._qualifier(index, paragraphs, paths)
            if found is None:
                return paragraphs, paths, start
            paragraphs, paths, index = found

    def _qualifier(
        self, index: int, paragraphs: list[str], paths: list[tuple[str, ...]]
    ) -> tuple[list[str], list[tuple[str, ...]], int] | None:
        token = self.at(index)
        if token.low in _PARAGRAPH and not paragraphs:
            skip = index + 1
            if self.at(skip).text == ".":
                skip += 1
            values, after = self.labels(skip, "number")
            if values:
                return values, paths, after
            return None
        if not paragraphs and (ordinal := self.ordinals(index)) is not None:
            return ordinal[0], paths, ordinal[1]
        if token.low == "aanhef":
            after = index + 1
            if self.at(after).low == "en" or self.at(after).text == ",":
                after += 1
            return paragraphs, paths, after
        if token.low in _BELOW:
            values, after = self.labels(index + 1, "label")
            if not values:
                return None
            base = paths or [()]
            if len(base) > 1:
                base = [base[-1]]
                grown = [*paths[:-1], *((*base[0], value) for value in values)]
            else:
                grown = [(*base[0], value) for value in values]
            while self.at(after).text == "(" and self.glued(after) and (one := self.label(after)) is not None:
                grown[-1] = (*grown[-1], one[0])
                after = one[1]
            return paragraphs, grown, after
        return None

    # -- laws --------------------------------------------------------------------------------------------

    def _law_at(self, index: int) -> tuple[str, int] | None:
        """A law's name at ``index`` and the index after it."""
        token = self.at(index)
        if token.kind != "word":
            return None
        for words, short in NAMES.items():
            if token.low == words[0] and all(self.at(index + place).low == word for place, word in enumerate(words)):
                return short, index + len(words)
        if token.low == "boek":
            return None
        capitals = sum(char.isupper() for char in token.text)
        if token.text in ABBREVIATIONS:
            return token.text, self._year(index + 1)
        if token.text == "Wet":
            return self._long_name(index)
        if (
            token.text.isascii()
            and 2 <= len(token.text) <= 10
            and capitals >= 2
            and token.text not in _CURRENCIES
            and not self.glued(index)
        ):
            return token.text, self._year(index + 1)
        if token.text[0].isupper() and token.low.endswith(ENDINGS) and len(token.text) > 4:
            after = self._year(index + 1)
            return " ".join([token.text, *(item.text for item in self.tokens[index + 1 : after])]), after
        return None

    def _year(self, index: int) -> int:
        token = self.at(index)
        is_year = token.kind == "number" and len(token.text) == 4 and token.text[:2] in ("18", "19", "20")
        return index + 1 if is_year and self.near(index) else index

    def _long_name(self, index: int) -> tuple[str, int]:
        words = ["Wet"]
        index += 1
        content = 0
        while len(words) < 12:
            token = self.at(index)
            if token.kind != "word" or not self.near(index):
                break
            if token.low in CONNECTORS:
                if token.low == "en" or self.at(index + 1).kind != "word":
                    break
            elif content:
                break
            else:
                content += 1
            words.append(token.text)
            index += 1
            if content and self.at(index).low in ("op", "van", "voor", "inzake"):
                content = 0
        after = self._year(index)
        words.extend(item.text for item in self.tokens[index:after])
        return " ".join(words), after

    def law(self, index: int) -> tuple[str | None, str | None, int]:
        """Law and book that close a reference, and the index after them."""
        book: str | None = None
        start = index
        if self.at(index).text == ",":
            index += 1
        if self.at(index).low in ("van", "of", "uit", "in"):
            index += 1
            if self.at(index).low in ("de", "het", "the", "deze", "dit"):
                index += 1
        if self.at(index).low in ("boek", "book") and self.at(index + 1).kind == "number":
            book = self.at(index + 1).text
            index += 2
            if self.at(index).low in ("van", "of"):
                index += 1
                if self.at(index).low in ("het", "the"):
                    index += 1
        found = self._law_at(index)
        if found is None:
            return None, None, start
        return found[0], book if found[0] == "BW" else None, found[1]

    # -- references --------------------------------------------------------------------------------------

    def reference(self, index: int, *, first: int, unit: Unit, bare: bool = False) -> tuple[list[_Part], int] | None:
        """One article with what hangs on it."""
        number = self.article_number(index)
        if number is None:
            return None
        paragraphs, paths, after = self.qualifiers(number[1])
        law, book, end = self.law(after)
        if bare and (law is None or ":" not in number[0]):
            return None
        base = Reference(law=law, book=book, article=number[0], unit=unit)
        parts = [
            _Part(replace(base, paragraph=paragraph, path=path), first, end - 1)
            for paragraph in (paragraphs or [None])
            for path in (paths or [()])
        ]
        return parts, end

    def chain(self, index: int, *, first: int, unit: Unit, plural: bool, bare: bool = False) -> int:
        """A list of references; emits them and returns the index after."""
        one = self.reference(index, first=first, unit=unit, bare=bare)
        if one is None:
            return index
        parts, index = one
        count = 1
        while count < _MAX_LIST:
            joint = self.conjunction(index)
            if joint is None:
                break
            kind, after = joint
            begin = after
            named = self.at(after).low in _ARTICLE
            if named:
                after += 1
                if self.at(after).text == ".":
                    after += 1
            following = self.reference(after, first=begin, unit=unit)
            if following is None or not self._goes_on(following[1], after, named=named, plural=plural):
                break
            if kind == "range":
                last = parts[-1]
                parts[-1] = _Part(
                    replace(last.ref, to=following[0][-1].ref.article, law=following[0][-1].ref.law or last.ref.law),
                    last.first,
                    following[0][-1].last,
                )
            else:
                parts.extend(following[0])
            index = following[1]
            count += 1
        self.emit(parts)
        return index

    def _goes_on(self, after: int, at: int, *, named: bool, plural: bool) -> bool:
        """Whether what follows a conjunction is a further article and not the next thing in the sentence."""
        if self.at(after).low in _UNITS or self.at(after).text in ("%", "\u20ac"):
            return False
        if named or plural or any(char in self.at(at + 1).text for char in ".:"):
            return True
        token = self.at(after)
        return token.kind != "word" or token.low in _AND or self._law_at(after - 1) is not None

    def emit(self, parts: list[_Part]) -> None:
        """Give a law that closes the list to all before it, split off the book, and keep the result."""
        law: str | None = None
        book: str | None = None
        done: list[Reference] = []
        for part in reversed(parts):
            ref = part.ref
            if ref.law is not None:
                law, book = ref.law, ref.book
            ref = replace(ref, law=law, book=ref.book or book)
            if ref.law == "BW" and ref.article is not None and ":" in ref.article:
                own, article = ref.article.split(":", 1)
                to = ref.to.split(":", 1)[-1] if ref.to is not None else None
                ref = replace(ref, book=own, article=article, to=to)
            done.append(self.placed(ref, part.first, part.last))
        self.out.extend(reversed(done))

    def placed(self, ref: Reference, first: int, last: int) -> Reference:
        start, end = self.folded.back(self.at(first).start, self.at(last).end)
        return replace(ref, text=self.original[start:end], start=start, end=end)

    def run(self) -> tuple[Reference, ...]:
        index = 0
        while index < len(self.tokens):
            index = max(index + 1, self.step(index))
        return tuple(self.out)

    def step(self, index: int) -> int:
        token = self.at(index)
        if token.kind == "word" and not (self.glued(index) and self.at(index - 1).kind == "number"):
            if token.low in _ARTICLE:
                return self.keyword(index, "article", plural=token.low in _PLURAL)
            if token.low in _CONSIDERATION:
                return self.keyword(index, "consideration", plural=True)
            if token.low == "r" and [self.at(index + place).low for place in (1, 2)] == [".", "o"]:
                return self.keyword(index + 2, "consideration", plural=True, first=index)
            if token.low in _PARAGRAPH or token.low in _ORDINALS:
                return self.alone(index)
        elif token.text == "\u00a7":
            return self.keyword(index, "article", plural=self.at(index + 1).text == "\u00a7")
        elif token.kind == "number":
            if self.at(index + 1).text == ":" and not (self.glued(index) and self.at(index - 1).text in ".:,/"):
                return self.chain(index, first=index, unit="article", plural=False, bare=True)
            if self.at(index + 1).low in _ORDINAL_ENDINGS:
                return self.alone(index)
        return index

    def keyword(self, index: int, unit: Unit, *, plural: bool, first: int | None = None) -> int:
        first = index if first is None else first
        after = index + 1
        if self.at(after).text in (".", "\u00a7"):
            after += 1
        if self.at(after).low in ("nr", "no") and self.at(after + 1).text == ".":
            after += 2
        end = self.chain(after, first=first, unit=unit, plural=plural)
        if end == after:
            self.suspect(first, after)
        return end

    def suspect(self, first: int, after: int) -> None:
        """``art. l2``: a number that cannot be read as one is said so, not passed over."""
        last = after
        token = self.at(after)
        if token.kind not in ("word", "number"):
            return
        while self.glued(last + 1) and self.at(last + 1).kind in ("word", "number", "symbol") and last < after + 12:
            last += 1
        pieces = self.tokens[after : last + 1]
        if any(piece.kind == "number" for piece in pieces):
            self.out.append(self.placed(Reference(unreliable=True), first, last))

    def alone(self, index: int) -> int:
        """A paragraph without its article: ``het tweede lid``, ``lid 3``."""
        found = self._qualifier(index, [], [])
        if found is None or not found[0]:
            return index
        paragraphs, paths, end = found
        while True:
            after = end + 1 if self.at(end).text == "," else end
            more = self._qualifier(after, paragraphs, paths)
            if more is None:
                break
            paragraphs, paths, end = more
        start = end
        if self.at(end).low in ("van", "of") and self.at(end + 1).low in _ARTICLE:
            after = end + 2
            if self.at(after).text == ".":
                after += 1
            number = self.article_number(after)
            if number is not None:
                law, book, start = self.law(number[1])
                parts = [
                    _Part(Reference(law=law, book=book, article=number[0], paragraph=one, path=path), index, start - 1)
                    for one in paragraphs
                    for path in (paths or [()])
                ]
                self.emit(parts)
                return start
        for one in paragraphs:
            for path in paths or [()]:
                self.out.append(self.placed(Reference(paragraph=one, path=path, unit="paragraph"), index, end - 1))
        return start


def read_references(text: str) -> tuple[Reference, ...]:
    """All references in a text, in order, lists expanded.

    Args:
        text: any text, also an ill-formed one.
    """
    return _Parser(text).run()
