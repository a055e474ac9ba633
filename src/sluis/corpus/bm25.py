"""Sparse vectors: BM25 with stems, built in this one place so that every store holds the same ones.

A document's vector carries the saturated term frequencies; a question's vector the terms it names. The inverse
document frequency is the store's part (its ``idf`` modifier), for it alone knows the collection. The average length
is a constant, not a statistic: the vector of a chunk depends on that chunk alone.
"""

from __future__ import annotations

import hashlib
import threading
import unicodedata
from collections import Counter
from functools import lru_cache
from typing import Any

import re2

from .store import SparseVector

__all__ = ["BM25_NAME", "document_vector", "query_vector", "term_id", "terms"]

BM25_NAME = "sluis-bm25/1"
"""Part of the pin set; another number whenever one text gives another vector."""

K1 = 1.2
B = 0.75
_AVERAGE = 160.0

_SNOWBALL = {"nl": "dutch", "en": "english"}
_WORD = re2.compile(r"[\p{L}\p{N}]+")
_IDENTIFIER = re2.compile(r"[\p{L}\p{N}]+(?:[.:/_-][\p{L}\p{N}]+)+")
_DIGIT = re2.compile(r"[0-9]")
_LONGEST = 64
"""Letters of a term that count; longer ones are no words, and would let one term fill memory."""

_local = threading.local()


def _stemmer(language: str) -> Any:
    # A snowball stemmer keeps the word it works on in itself, so each thread has its own.
    known: dict[str, Any] | None = getattr(_local, "stemmers", None)
    if known is None:
        known = {}
        _local.stemmers = known
    if language not in known:
        import snowballstemmer

        known[language] = snowballstemmer.stemmer(_SNOWBALL[language])
    return known[language]


@lru_cache(maxsize=100_000)
def _stem(word: str, language: str) -> str:
    return str(_stemmer(language).stemWord(word))


def terms(text: str, language: str) -> list[str]:
    """The terms of a text, in order and with repeats: stems, and identifiers whole beside their parts.

    Args:
        text: any text.
        language: BCP 47; of ``nl`` and ``en`` words are stemmed, of others they are only folded to lower case.
    """
    folded = unicodedata.normalize("NFC", text).casefold().replace("\u00ad", "")
    primary = language.split("-", 1)[0].lower()
    found: list[str] = []
    for match in _WORD.finditer(folded):
        word = match.group()[:_LONGEST]
        stemmed = primary in _SNOWBALL and _DIGIT.search(word) is None
        found.append(_stem(word, primary) if stemmed else word)
    # "3.10" must not be found by "3.1", nor a docket number by its year: what holds a digit counts whole as well.
    found.extend(
        match.group()[:_LONGEST] for match in _IDENTIFIER.finditer(folded) if _DIGIT.search(match.group()) is not None
    )
    return found


def term_id(term: str) -> int:
    """The index of a term: 32 bits of a hash, so it is the same for ever and on every machine."""
    return int.from_bytes(hashlib.blake2b(term.encode("utf-8", "replace"), digest_size=4).digest(), "big")


def _vector(weights: dict[int, float]) -> SparseVector:
    indices = tuple(sorted(weights))
    return SparseVector(indices=indices, values=tuple(weights[index] for index in indices))


def document_vector(text: str, language: str) -> SparseVector:
    """The vector of a chunk's text: term frequencies, saturated and corrected for length.

    Two terms that share an index (one pair in a collection of 90,000 terms, roughly) share its weight.
    """
    counts = Counter(term_id(term) for term in terms(text, language))
    length = sum(counts.values())
    norm = K1 * (1 - B + B * length / _AVERAGE)
    return _vector({index: count * (K1 + 1) / (count + norm) for index, count in counts.items()})


def query_vector(text: str, language: str) -> SparseVector:
    """The vector of a question: weight 1 for each distinct term."""
    return _vector({term_id(term): 1.0 for term in terms(text, language)})
