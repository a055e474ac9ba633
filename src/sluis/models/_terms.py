"""Words of a question and of a sentence, brought to their stems, in Dutch and English."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import re2

__all__ = ["LANGUAGES", "asks_for_value", "content_terms", "language_of", "match_weight", "stems"]

LANGUAGES = ("nl", "en")

_WORD = re2.compile(r"[\p{L}\p{N}]+")
_SNOWBALL = {"nl": "dutch", "en": "english"}


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_STOP = {
    "nl": _set(
        """aan al alle als altijd andere ben bij daar dan dat de der den des deze die dit doch doen door dus een
        eens en er ge geen geweest haar had heb hebben heeft hem het hier hij hoe hoelang hoeveel hun iemand iets ik
        in is ja je kan kon kunnen maar me meer men met mij mijn moet moeten mag mogen na naar niet niets nog nu of
        om omdat onder ons ook op over reeds te tegen toch toen tot u uit uw van veel voor want waren was wat
        waarom wanneer waar welk welke werd wezen wie wil worden wordt zal ze zelf zich zij zijn zo zonder zou
        zult zullen ingevolge volgens krachtens bedraagt geldt gelden artikel lid staat komt gaat lang binnen ten"""
    ),
    "en": _set(
        """a about above after again all am an and any are as at be because been before being below between both
        but by can could did do does doing down during each few for from had has have having he her here his how i
        if in into is it its just may me might more most must my no nor not now of off on once only or other our
        out over own same shall she should so some such than that the their them then there these they this those
        through to too under until up very was we were what when where which while who whom why will with would
        you your article section long much many under within"""
    ),
}
_VALUE = re2.compile(
    r"(?i)\b(?:hoe ?lang|hoe ?veel|hoe hoog|hoe groot|hoe vaak|hoe oud|wanneer|termijn|"
    r"welke? (?:termijn|bedrag|percentage|datum|periode)|"
    r"how (?:long|many|much|high|often|old|large)|when|what (?:percentage|amount|period|date)|within what)\b"
)
_COMPOUND = 5
"""Letters that a part of a compound must have at least."""


@lru_cache(maxsize=4)
def _stemmer(language: str) -> Any:
    import snowballstemmer

    return snowballstemmer.stemmer(_SNOWBALL[language])


@lru_cache(maxsize=50_000)
def _stem(word: str, language: str) -> str:
    return str(_stemmer(language).stemWord(word))


def language_of(tag: str) -> str | None:
    """``nl`` or ``en`` of a language tag; ``None``: another one, and words stay as they are."""
    primary = tag.replace("_", "-").split("-", 1)[0].lower()
    return {"nl": "nl", "nld": "nl", "dut": "nl", "en": "en", "eng": "en"}.get(primary)


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def stems(text: str, language: str | None) -> list[str]:
    """The stems of all words of a text but stop words, in order."""
    if language is None:
        return _words(text)
    stop = _STOP[language]
    return [_stem(word, language) for word in _words(text) if word not in stop]


def content_terms(question: str, language: str | None) -> tuple[str, ...]:
    """The distinct stems that a question is about, in order of appearance."""
    return tuple(dict.fromkeys(term for term in stems(question, language) if len(term) > 1 or term.isdigit()))


def asks_for_value(question: str) -> bool:
    """Whether a question wants a number, an amount, a term or a date."""
    return _VALUE.search(question) is not None


def match_weight(term: str, word: str) -> float:
    """How far a word speaks of a term: 1 for the same stem, 0.6 where one is head or tail of the other's compound."""
    if term == word:
        return 1.0
    short, long = sorted((term, word), key=len)
    if len(short) < _COMPOUND or len(long) - len(short) < 2 or not short.isalpha():
        return 0.0
    return 0.6 if long.startswith(short) or long.endswith(short) else 0.0
