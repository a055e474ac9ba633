"""Numbers, labels, qualifiers and law names of which a reference is made."""

from __future__ import annotations

from ._chars import ZERO_WIDTH, word_set
from ._laws import ABBREVIATIONS, CONNECTORS, ENDINGS, NAMES
from ._numerals import dutch_word, english_word
from .fold import lexed
from .tokens import NONE, Token, tokenize

ARTICLE = word_set(
    """
    artikel artikelen art artt article articles arts section sections sec clause clauses
    """
)
PLURAL = word_set("artikelen artt articles arts sections clauses")
CONSIDERATION = word_set("rechtsoverweging rechtsoverwegingen overweging overwegingen ro rov")
PARAGRAPH = word_set("lid leden paragraph paragraphs para paras subsection subsections subclause")
BELOW = word_set("onder onderdeel onderdelen sub letter point points punt subonderdeel item")
BACK = word_set("dat datzelfde genoemd genoemde voornoemd voornoemde voormeld voormelde that said aforementioned")
"""Words before ``artikel`` that point back to an article named before; ``dit artikel`` may be the text's own."""
AND = word_set("en of and or jo juncto")
UNITS = word_set(
    """
    dag dagen werkdag werkdagen week weken maand maanden jaar jaren uur uren euro eur procent dagdelen
    kalenderdagen day days week weeks month months year years hour hours percent minuten januari februari maart
    april mei juni juli augustus september oktober november december
    """
)
ORDINALS = {
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
ORDINAL_ENDINGS = word_set("e de ste st nd rd th")
SUFFIX = word_set("bis ter quater quinquies")
MAX_EXPANSION = 50
MAX_ORDINALS = 60
MAX_LISTED = 200
"""Paragraphs and letters of one article; a longer list is no list."""
CURRENCIES = word_set("EUR USD GBP CHF NLG")


class Labels:
    """Reads the numbers, labels and qualifiers of which a reference is made."""

    def __init__(self, text: str) -> None:
        folded = lexed(text)
        self.original = text
        self.folded = folded
        self.tokens = [token for token in tokenize(folded.text) if token.kind != "line"]

    def at(self, index: int) -> Token:
        return self.tokens[index] if 0 <= index < len(self.tokens) else NONE

    def glued(self, index: int) -> bool:
        """Whether token ``index`` is written onto the one before it."""
        return self.at(index).start == self.at(index - 1).end and index > 0

    def near(self, index: int) -> bool:
        """Whether a token stands close to the one before it: no blank line between."""
        return self.at(index).start - self.at(index - 1).end <= 2

    def article_number(self, index: int) -> tuple[str, int] | None:
        """An article number at ``index`` and the index after it."""
        prefix = ""
        token = self.at(index)
        if (
            token.kind == "word"
            and len(token.text) == 1
            and token.text.isupper()
            and self.at(index + 1).kind == "number"
        ):
            prefix = f"{token.text} "
            index += 1
            token = self.at(index)
        if token.kind != "number":
            spelled = None if prefix else self.spelled(index)
            return None if spelled is None else (spelled, index + 1)
        number, index = self._dotted(token.text, index + 1)
        follower = self.at(index)
        if follower.kind == "word" and self.glued(index):
            if not self._is_suffix(follower.text):
                return None
            number, index = self._dotted(number + follower.text, index + 1)
            if self.glued(index) and self.at(index).kind in ("word", "number"):
                return None
        elif (
            follower.text == "-"
            and self.glued(index)
            and self.glued(index + 1)
            and self._is_suffix(self.at(index + 1).text)
        ):
            number += f"-{self.at(index + 1).text}"
            index += 2
        elif follower.text and follower.text[0] in ZERO_WIDTH + "'" and self.glued(index):
            return None
        elif follower.low in SUFFIX or self._apart(index):
            number += follower.text
            index += 1
        return prefix + number, index

    def _apart(self, index: int) -> bool:
        """Whether a letter by itself is the suffix of the number before it: ``artikel 3 a:``."""
        token, following = self.at(index), self.at(index + 1)
        alone = token.kind == "word" and len(token.text) == 1 and token.text.isascii() and token.text.islower()
        ends = following.text in (":", ",", ";", ")", "") or following.low in AND or self._law_at(index + 1) is not None
        return alone and token.text != "u" and ends and not self.glued(index)

    def _dotted(self, number: str, index: int) -> tuple[str, int]:
        """A number grown by the parts that dots and colons join to it."""
        while (
            self.at(index).text in (".", ":")
            and self.glued(index)
            and self.at(index + 1).kind == "number"
            and self.glued(index + 1)
        ):
            number += self.at(index).text + self.at(index + 1).text
            index += 2
        return number, index

    def spelled(self, index: int) -> str | None:
        """A whole number in words as figures: ``twaalf``, ``four``; ``een`` and ``one`` are articles here."""
        token = self.at(index)
        if token.kind != "word" or token.low in ("een", "one", "half", "halve"):
            return None
        amount = dutch_word(token.low)
        if amount is None:
            amount = english_word(token.low)
        return str(amount) if amount is not None and amount == int(amount) and amount > 0 else None

    @staticmethod
    def _is_suffix(text: str) -> bool:
        return text.isascii() and text.isalpha() and (len(text) <= 3 or text in SUFFIX)

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
        if token.low in AND:
            after = index + 1
            if token.low == "jo" and self.at(after).text == "." and self.glued(after):
                after += 1
            return "and", after
        slash = token.text == "/" and self.glued(index) and self.glued(index + 1) and following.kind == "number"
        if token.text in (",", "&") or slash:
            after = index + 1
            if self.at(after).low in AND:
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
        while True:
            joint = self.conjunction(index)
            if joint is None:
                break
            kind, after = joint
            one = self._one(after, read)
            if one is None or self.at(one[1]).low in UNITS or (self.at(index).text == "," and self._loose(one[1])):
                break
            values.extend(self._expanded(values[-1], one[0]) if kind == "range" else [one[0]])
            index = one[1]
        return values, index

    def _loose(self, index: int) -> bool:
        """After a comma a single label only counts when the list goes on or ends there."""
        token = self.at(index)
        return token.kind == "word" and token.low not in AND and token.low not in BELOW and not self._law_at(index)

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
            spelled = self.spelled(index)
            return None if spelled is None else (spelled, index + 1)
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
            if low < high <= low + MAX_EXPANSION:
                return [str(number) for number in range(low + 1, high + 1)]
        elif len(first) == 1 and len(last) == 1 and first < last:
            return [chr(point) for point in range(ord(first) + 1, ord(last) + 1)]
        return [f"{first}..{last}"]

    def ordinals(self, index: int) -> tuple[list[str], int] | None:
        """``eerste lid``, ``eerste, tweede en derde lid``, ``2e lid``: the numbers and the index after ``lid``."""
        values: list[str] = []
        kind = "and"
        while len(values) < MAX_ORDINALS:
            token = self.at(index)
            if token.low in ORDINALS:
                value = ORDINALS[token.low]
                index += 1
            elif token.kind == "number" and self.at(index + 1).low in ORDINAL_ENDINGS and self.glued(index + 1):
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
        if token.low in PARAGRAPH and not paragraphs:
            skip = index + 1
            if self.at(skip).text == ".":
                skip += 1
            values, after = self.labels(skip, "number")
            if values:
                letter = self._letter(after) if token.low in ("lid", "leden") and not paths else None
                return (values, paths, after) if letter is None else (values, [(letter,)], after + 1)
            if self.at(skip).text == "(" and not paths and (one := self.label(skip)) is not None:
                return paragraphs, [(one[0],)], one[1]
            return None
        if not paragraphs and (ordinal := self.ordinals(index)) is not None:
            return ordinal[0], paths, ordinal[1]
        if token.low == "aanhef":
            after = index + 1
            if self.at(after).low == "en" or self.at(after).text == ",":
                after += 1
            return paragraphs, paths, after
        if token.low in BELOW:
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

    def _letter(self, index: int) -> str | None:
        """The letter in ``lid 1 f``; ``u`` is a pronoun."""
        token, following = self.at(index), self.at(index + 1)
        alone = token.kind == "word" and len(token.text) == 1 and token.text.isascii() and token.text.islower()
        if not alone or token.text == "u" or self.glued(index) or (self.glued(index + 1) and following.text in "-/'."):
            return None
        return token.text

    def unread(self, index: int) -> int | None:
        """The index after a qualifier that says something which cannot be read: ``lid 1abc``, ``onder a1``."""
        start = index + 1 if self.at(index).text == "," else index
        if self.at(start).low not in PARAGRAPH | BELOW:
            return None
        after = start + 1
        if self.at(after).text in (".", "("):
            after += 1
        first, last = after, after
        if self.at(first).kind not in ("word", "number"):
            return None
        while self.glued(last + 1) and self.at(last + 1).kind in ("word", "number"):
            last += 1
        pieces = self.tokens[first : last + 1]
        return last + 1 if any(piece.kind == "number" for piece in pieces) else None

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
            and token.text not in CURRENCIES
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
        start = after_book = index
        if self.at(index).text == ",":
            index += 1
        if self.at(index).low in ("van", "of", "uit", "in"):
            index += 1
            if self.at(index).low in ("de", "het", "the", "deze", "dit"):
                index += 1
        if self.at(index).low in ("boek", "book") and self.at(index + 1).kind == "number":
            book = self.at(index + 1).text
            index += 2
            after_book = index
            if self.at(index).low in ("van", "of"):
                index += 1
                if self.at(index).low in ("het", "the"):
                    index += 1
        found = self._law_at(index)
        if found is None:
            return (None, None, start) if book is None else (None, book, after_book)
        return found[0], book if found[0] == "BW" else None, found[1]
