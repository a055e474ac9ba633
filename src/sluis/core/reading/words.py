"""The words of a text that tell it from another, and whether a source holds them.

A word is compared by its keys: the Snowball stem (Kraaij-Pohlmann for Dutch, Porter 2 for English) with double vowels
made single, and forms without the endings that the stemmer leaves (``betaalt``, ``betalen`` and ``betaald`` share
one). A compound is held when both of its parts are; the head of a compound in the source stands for it
(``vergoeding`` where the source has ``schadevergoeding``), and never the other way round.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from ._chars import word_set
from ._common_words import COMMON
from ._numerals import dutch_word, english_word
from ._polar_words import DUTIES, EXCEPTIONS, NEGATIONS, PERMISSIONS
from ._reference_labels import ORDINALS
from ._roles import ROLES
from ._synonyms import SYNONYMS
from ._vocabulary import BOUNDS, DATE_BOUNDS, LATER_BOUNDS, MONTH_IS_ALSO_A_WORD, MONTHS
from .fold import lexed
from .sentences import split_sentences

WordKind = Literal["common", "number", "role", "name", "term"]
Language = Literal["nl", "en"]

_WORD = re.compile(r"[^\W\d_][^\W_]*(?:[-'][^\W_]+)*")
_STEMMERS = {"nl": "dutch", "en": "english"}
_SHORTEST_PART = 4
_LONGEST = 64
_LINKS = ("", "s", "e", "en")
_ENDINGS = {
    "nl": ("ingen", "ing", "den", "ten", "de", "te", "en", "t", "d", "e", "s"),
    "en": ("ing", "ed", "es", "s", "d", "e"),
}
# Strong verbs: how the stem of a past form ends, and the stem of its infinitive.
_STRONG = {
    "wes": "wijs", "bond": "bind", "sprok": "sprek", "sprak": "sprek", "kreg": "krijg", "schrev": "schrijf",
    "schref": "schrijf", "blek": "blijk", "blev": "blijf", "hiel": "houd", "trad": "tred", "nom": "nem", "nam": "nem",
    "gav": "gev", "gaf": "gef", "zond": "zend", "brach": "breng", "koch": "kop", "zoch": "zoek", "lod": "lad",
    "sloot": "sluit", "slot": "sluit", "bod": "bied", "verlor": "verlies", "genot": "geniet", "gekozen": "kies",
}  # fmt: skip
_COUNTED = frozenset(MONTHS) - MONTH_IS_ALSO_A_WORD | word_set(
    """
    maandag dinsdag woensdag donderdag vrijdag zaterdag zondag
    monday tuesday wednesday thursday friday saturday sunday
    """
)
_BOUND_WORDS = frozenset(
    word for phrases in (BOUNDS, DATE_BOUNDS, LATER_BOUNDS) for phrase in phrases for word in phrase
)
_POLAR = NEGATIONS | EXCEPTIONS | DUTIES | PERMISSIONS
"""Compared by :mod:`.polarity`."""
_PARTICLES = ("terug", "af", "op", "uit", "aan", "over", "toe", "mee", "door", "bij", "vast", "weg")
"""What stands before a separable verb: ``terugbetalen``, ``betaalt ... terug``."""
_local = threading.local()


@dataclass(frozen=True, slots=True)
class Word:
    """One word at ``start..end`` of the original.

    Attributes:
        text: as written.
        low: in lower case, plain.
        kind: ``common`` (tells nothing by itself), ``number`` (in words, an ordinal, a month or a day of the week),
            ``role``, ``name`` or ``term``.
        role: line and side of the role table.
    """

    text: str
    low: str
    start: int
    end: int
    kind: WordKind
    role: tuple[int, int] | None = None


def _stemmer(language: str) -> Any:
    # A snowball stemmer keeps the word it works on in itself, so each thread has its own.
    known: dict[str, Any] | None = getattr(_local, "stemmers", None)
    if known is None:
        known = {}
        _local.stemmers = known
    if language not in known:
        import snowballstemmer

        known[language] = snowballstemmer.stemmer(_STEMMERS[language])
    return known[language]


def _single(word: str) -> str:
    """With double letters made single: ``betaal`` and ``betal``, ``opzegg`` and ``opzeg``."""
    kept = [char for place, char in enumerate(word) if place == 0 or char != word[place - 1]]
    return "".join(kept).replace("v", "f").replace("z", "s") if kept else word


@lru_cache(maxsize=200_000)
def keys_of(low: str, language: Language) -> frozenset[str]:
    """What a word is compared by; see the module's docstring.

    Args:
        low: in lower case.
        language: of the text that it stands in.
    """
    low = low[:_LONGEST]
    if len(low) <= 3 or any(char.isdigit() for char in low):
        return frozenset({low})
    stem = _single(str(_stemmer(language).stemWord(low)))
    found = {stem}
    if language == "nl":
        for past, infinitive in _STRONG.items():
            if stem.endswith(past):
                found.add(_single(stem[: -len(past)] + infinitive))
        if stem.endswith(("t", "d")) and len(stem) > 4:
            found.add(stem[:-1])
    for ending in _ENDINGS[language]:
        if low.endswith(ending) and len(low) - len(ending) >= 4:
            found.add(_single(low[: -len(ending)]))
            break
    return frozenset(found)


@lru_cache(maxsize=200_000)
def _kind(low: str, language: Language) -> tuple[WordKind, tuple[int, int] | None]:
    role = ROLES[language].get(low)
    if role is not None:
        return "role", role
    if low in _COUNTED or low in ORDINALS:
        return "number", None
    if low.endswith(("n't", "'s")) and len(low) <= 9:
        return "common", None
    if low in COMMON[language] or low in _POLAR or low in _BOUND_WORDS or len(low) == 1:
        return "common", None
    number = dutch_word(low) if language == "nl" else english_word(low)
    return ("term" if number is None else "number"), None


def read_words(text: str, language: Language, *, masks: Iterable[tuple[int, int]] = ()) -> tuple[Word, ...]:
    """The words of a text, in order.

    Args:
        text: any text.
        language: whose stems and lists count.
        masks: stretches that are read by others (references, citations, markers) and left out here.
    """
    folded = lexed(text)
    openings = _openings(text)
    blocked = sorted(masks)
    place = 0
    words: list[Word] = []
    for found in _WORD.finditer(folded.text):
        start, end = folded.back(found.start(), found.end())
        while place < len(blocked) and blocked[place][1] <= start:
            place += 1
        if place < len(blocked) and blocked[place][0] < end:
            continue
        piece = found.group()
        low = piece.lower()
        kind, role = _kind(low, language)
        if kind == "term" and _is_name(piece, opening=start in openings):
            kind = "name"
        words.append(Word(text=text[start:end], low=low, start=start, end=end, kind=kind, role=role))
    return tuple(words)


def _is_name(piece: str, *, opening: bool) -> bool:
    """A capital where the sentence gives none, or several of them."""
    capitals = sum(char.isupper() for char in piece)
    return capitals >= 2 or (capitals == 1 and piece[0].isupper() and not opening)


def _openings(text: str) -> frozenset[int]:
    """Where a capital may stand for the sentence's sake: the first word of each sentence, line and quotation."""
    found: set[int] = set()
    for sentence in split_sentences(text):
        first = _WORD.search(text, sentence.start, sentence.end)
        if first is not None:
            found.add(first.start())
    for mark in re.finditer(r"[:\n\"\u201c\u201e\u2018*|(;]\s*(?:[-*>]\s+)?", text):
        first = _WORD.match(text, mark.end())
        if first is not None:
            found.add(first.start())
    return frozenset(found)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """What a source holds, ready to be asked.

    Attributes:
        keys: of all its words.
        lows: all its words in lower case.
        ends: beginnings and endings of its long words.
        roles: the roles that it names.
        language: of the source.
    """

    keys: frozenset[str]
    lows: frozenset[str]
    ends: frozenset[str]
    roles: frozenset[tuple[int, int]]
    language: Language

    def holds(self, word: Word) -> bool:
        """Whether the source says a word: itself, a form of it, a synonym, its compound, or both of its parts."""
        if word.role is not None:
            return word.role in self.roles
        if word.low in self.lows:
            return True
        if word.kind == "name":
            return self._names(word.low)
        keys = keys_of(word.low, self.language)
        if not keys.isdisjoint(self.keys):
            return True
        others = SYNONYMS[self.language].get(word.low, frozenset())
        if any(not keys_of(other, self.language).isdisjoint(self.keys) for other in others):
            return True
        return self._in_compound(word.low) or self._parts(word.low)

    def _in_compound(self, low: str) -> bool:
        """Whether a long word of the source begins or ends in a form of the word."""
        if low in self.ends:
            return True
        return any(
            low.endswith(ending) and len(low) - len(ending) >= _SHORTEST_PART and low[: -len(ending)] in self.ends
            for ending in ("en", "s", "e")
        )

    def _names(self, low: str) -> bool:
        bare = low.removesuffix("'s").removesuffix("s")
        if bare in self.lows or f"{low}s" in self.lows or f"{low}'s" in self.lows:
            return True
        pieces = low.split("-")
        return len(pieces) > 1 and all(piece in self.lows for piece in pieces)

    def _parts(self, low: str) -> bool:
        """Whether both parts of a compound stand in the source."""
        if "-" in low:
            pieces = [piece for piece in low.split("-") if piece]
            return len(pieces) > 1 and all(self._part(piece) for piece in pieces)
        if len(low) > _LONGEST:
            return False
        for cut in range(_SHORTEST_PART, len(low) - _SHORTEST_PART + 1):
            if not self._part(low[cut:]):
                continue
            front = low[:cut]
            if any(front.endswith(link) and self._part(front[: len(front) - len(link)]) for link in _LINKS):
                return True
        return False

    def _part(self, piece: str) -> bool:
        return len(piece) >= 3 and (piece in self.lows or not keys_of(piece, self.language).isdisjoint(self.keys))


def vocabulary(words: Iterable[Word], language: Language) -> Vocabulary:
    """The vocabulary of some words."""
    keys: set[str] = set()
    lows: set[str] = set()
    ends: set[str] = set()
    roles: set[tuple[int, int]] = set()
    for word in words:
        if word.role is not None:
            roles.add(word.role)
            continue
        if word.low in lows:
            continue
        lows.add(word.low)
        lows.update(word.low.split("-"))
        keys |= keys_of(word.low, language)
        if language == "nl":
            for particle in _PARTICLES:
                if word.low.startswith(particle) and len(word.low) - len(particle) >= _SHORTEST_PART:
                    keys |= keys_of(word.low[len(particle) :], language)
        if language == "nl" and 2 * _SHORTEST_PART <= len(word.low) <= _LONGEST:
            for cut in range(_SHORTEST_PART, len(word.low) - _SHORTEST_PART + 1):
                ends.add(word.low[:cut])
                ends.add(word.low[cut:])
    return Vocabulary(
        keys=frozenset(keys), lows=frozenset(lows), ends=frozenset(ends), roles=frozenset(roles), language=language
    )


def language_for(tag: str | None) -> Language | None:
    """``nl`` or ``en`` of a BCP 47 tag; ``None`` for another or none."""
    primary = (tag or "").split("-", 1)[0].lower()
    return "nl" if primary == "nl" else "en" if primary == "en" else None


def guessed_language(text: str) -> Language:
    """The language whose common words a text holds more of; a tie is Dutch."""
    lows = [found.group().lower() for found in _WORD.finditer(text)]
    dutch = sum(low in COMMON["nl"] and low not in COMMON["en"] for low in lows)
    english = sum(low in COMMON["en"] and low not in COMMON["nl"] for low in lows)
    return "en" if english > dutch else "nl"
