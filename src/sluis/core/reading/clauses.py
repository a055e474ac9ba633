"""Clauses: the smallest stretches that state something, with what turns them round and who acts in them.

A sentence is cut at commas, semicolons and conjunctions where what follows has a finite verb of its own; so
``de huurder mag niet roken en moet het pand schoonhouden`` is two clauses, of which one is negated.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from ._chars import word_set
from ._polar_words import (
    DUTIES,
    EXCEPTIONS,
    NEGATION_ENDINGS,
    NEGATIONS,
    NOT_NEGATIONS,
    OPPOSITES,
    PERMISSIONS,
    PREFIXES,
)
from .fold import lexed
from .sentences import split_sentences
from .words import Language, Vocabulary, Word, read_words, vocabulary

_CUT = re.compile(
    r"[,;:](?=\s)|\((?=[^)]{12})|\s(?=(?:en|maar|doch|terwijl|want|and|but|while|whereas)\s)", re.IGNORECASE
)
_FINITE = word_set(
    """
    is zijn was waren wordt worden werd werden heeft hebben had hadden kan kunnen kon konden mag mogen mocht moet
    moeten moest zal zullen zou zouden dient dienen hoeft hoeven behoeft geldt gelden gold bedraagt bedragen
    bepaalt komt gaat doet blijft vervalt eindigt begint betaalt ontvangt krijgt vergoedt draagt staat stelt
    are were has have can could may might must shall should will would does do did applies apply amounts pays pay
    receives receive remains ends begins
    """
)
_SHORTEST = 4
"""Letters of a word that a prefix turns round."""
_FEWEST_WORDS = 3
"""Of a clause of its own."""
_PREPOSITIONS = word_set(
    """
    aan van voor met tegen jegens namens bij op onder tussen door over naar uit zonder volgens tegenover ten
    to of for from with against on behalf by between towards under
    """
)
_PASSIVE = word_set("wordt worden werd werden is zijn was waren geworden are were been being be")
_ARTICLES = word_set("de het een deze die dat elke iedere the a an this that each every any")


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause at ``start..end`` of its text.

    Attributes:
        words: all its words.
        lows: the same in lower case.
        held: its vocabulary.
        negations: how many of its words negate.
        excepts: whether its sentence opens an exception.
        duty, permission: whether it says that something must, or may.
        agent: the role that acts, when that can be told.
        sentence: number of its sentence.
    """

    start: int
    end: int
    words: tuple[Word, ...]
    lows: frozenset[str]
    held: Vocabulary
    negations: int
    excepts: bool
    duty: bool
    permission: bool
    agent: tuple[int, int] | None
    sentence: int

    @property
    def roles(self) -> frozenset[tuple[int, int]]:
        """The roles that it names."""
        return self.held.roles


def telling(words: Iterable[Word]) -> tuple[Word, ...]:
    """The distinct words that tell a statement from another: all but the common ones."""
    found: dict[str, Word] = {}
    for word in words:
        if word.kind != "common":
            found.setdefault(word.low, word)
    return tuple(found.values())


def read_clauses(text: str, language: Language, *, masks: Iterable[tuple[int, int]] = ()) -> tuple[Clause, ...]:
    """The clauses of a text, in order.

    Args:
        text: any text.
        language: whose words count.
        masks: stretches whose words are left out (markers, citations, references).
    """
    words = read_words(text, language, masks=masks)
    made: list[Clause] = []
    place = 0
    for number, sentence in enumerate(split_sentences(text)):
        own: list[Word] = []
        while place < len(words) and words[place].start < sentence.end:
            own.append(words[place])
            place += 1
        excepts = any(word.low in EXCEPTIONS for word in own)
        begin = 0
        for start, end in _cuts(text, sentence.start, sentence.end, own):
            stop = begin
            while stop < len(own) and own[stop].start < end:
                stop += 1
            inside, begin = tuple(own[begin:stop]), stop
            if inside:
                made.append(_clause(inside, start, end, language, number, excepts=excepts))
    return tuple(made)


def _cuts(text: str, start: int, end: int, words: list[Word]) -> list[tuple[int, int]]:
    """The clauses of a sentence; a piece without a verb of its own stays with the piece before it."""
    # Offsets of the lexed piece are those of the original unless a soft hyphen or a ligature shifted them.
    edges = [min(start + found.end(), end) for found in _CUT.finditer(lexed(text[start:end]).text)]
    pieces: list[tuple[int, int]] = []
    finite = False
    place = 0
    for left, right in pairwise([start, *edges, end]):
        if right <= left:
            continue
        count, verbs = 0, False
        while place < len(words) and words[place].start < right:
            count += 1
            verbs = verbs or words[place].low in _FINITE
            place += 1
        states = count >= _FEWEST_WORDS and verbs
        if pieces and not (states and finite):
            pieces[-1] = (pieces[-1][0], right)
            finite = finite or states
        else:
            pieces.append((left, right))
            finite = states
    return pieces


def _clause(
    words: tuple[Word, ...], start: int, end: int, language: Language, sentence: int, *, excepts: bool
) -> Clause:
    lows = [word.low for word in words]
    return Clause(
        start=start,
        end=end,
        words=words,
        lows=frozenset(lows),
        held=vocabulary(words, language),
        negations=_negations(lows),
        excepts=excepts,
        duty=any(low in DUTIES for low in lows),
        permission=any(low in PERMISSIONS for low in lows),
        agent=_agent(words),
        sentence=sentence,
    )


def _negations(lows: list[str]) -> int:
    count = 0
    for place, low in enumerate(lows):
        if low not in NEGATIONS and not low.endswith(NEGATION_ENDINGS):
            continue
        if not any(_stands(lows, place, phrase) for phrase in NOT_NEGATIONS):
            count += 1
    return count


def _stands(lows: list[str], place: int, phrase: tuple[str, ...]) -> bool:
    """Whether a phrase stands around a place."""
    for offset in range(len(phrase)):
        start = place - offset
        if start >= 0 and tuple(lows[start : start + len(phrase)]) == phrase:
            return True
    return False


def _agent(words: tuple[Word, ...]) -> tuple[int, int] | None:
    """Who acts: in the passive what follows ``door`` or ``by``, else the first role without a preposition."""
    lows = [word.low for word in words]
    passive = any(low in _PASSIVE for low in lows)
    first: tuple[int, int] | None = None
    for place, word in enumerate(words):
        if word.role is None:
            continue
        before = place - 1
        while before >= 0 and (lows[before] in _ARTICLES or (words[before].kind == "term" and before < place - 1)):
            before -= 1
        preposition = lows[before] if before >= 0 else ""
        if passive and preposition in ("door", "by"):
            return word.role
        if first is None and preposition not in _PREPOSITIONS:
            first = word.role
    return first


def turns(one: Clause, other: Clause) -> int:
    """How often two clauses contradict each other, word by word: negations, opposites, prefixes. Odd: they do."""
    count = abs(one.negations - other.negations)
    return count + sum(contrary(low, other.lows, besides=one.lows) for low in one.lows if low not in other.lows)


def contrary(low: str, lows: frozenset[str], *, besides: frozenset[str] = frozenset()) -> bool:
    """Whether some words hold the contrary of a word: an opposite, or the word with or without a denying prefix.

    Args:
        low: the word, in lower case.
        lows: the words to look among, in lower case.
        besides: an opposite that stands among these as well is none.
    """
    if any(item in lows and item not in besides for item in OPPOSITES.get(low, ())):
        return True
    if len(low) < _SHORTEST:
        return False
    denied = any(f"{prefix}{low}" in lows for prefix in PREFIXES)
    return denied or any(
        low.startswith(prefix) and low[len(prefix) :] in lows and len(low) - len(prefix) >= _SHORTEST
        for prefix in PREFIXES
    )


__all__ = ["Clause", "contrary", "read_clauses", "telling", "turns"]
