from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluis.corpus.bm25 import document_vector, query_vector, term_id, terms
from sluis.corpus.store import SparseVector


def weight(query: SparseVector, document: SparseVector) -> float:
    held = dict(zip(document.indices, document.values, strict=True))
    return sum(value * held.get(index, 0.0) for index, value in zip(query.indices, query.values, strict=True))


@pytest.mark.parametrize(
    ("question", "text", "language"),
    [
        ("huurders", "De huurder betaalt.", "nl"),
        ("opzeggingen", "De opzegging van de huur.", "nl-NL"),
        ("terminating", "The contract terminated.", "en"),
        ("ECLI:NL:HR:2019:1278", "Zie ECLI:NL:HR:2019:1278, r.o. 3.", "nl"),
        ("CAFÉ", "cafe\u0301 en terras", "nl"),
        ("waarborgsom", "waar\u00adborg\u00adsom", "nl"),
    ],
)
def test_words_meet_by_their_stems_and_identifiers_as_written(question: str, text: str, language: str) -> None:
    assert weight(query_vector(question, language), document_vector(text, language)) > 0


def test_a_number_with_points_is_not_found_better_by_its_beginning() -> None:
    exact = document_vector("artikel 3.10", "nl")
    other = document_vector("artikel 3.1", "nl")
    asked = query_vector("artikel 3.10", "nl")
    assert weight(asked, exact) > weight(asked, other)


def test_a_language_without_a_stemmer_is_folded_alone() -> None:
    assert terms("Les Maisons", "fr") == ["les", "maisons"]
    assert terms("Les Maisons", "und") == ["les", "maisons"]


def test_term_ids_never_change() -> None:
    assert term_id("huur") == 2958012900
    assert term_id("3.10") == 1413204301


@given(st.text(max_size=300), st.sampled_from(("nl", "en", "fr", "und", "nl-NL")))
def test_every_text_has_one_sound_vector(text: str, language: str) -> None:
    vector = document_vector(text, language)
    assert vector == document_vector(text, language)
    assert list(vector.indices) == sorted(set(vector.indices))
    assert all(0 <= index < 2**32 for index in vector.indices)
    assert all(math.isfinite(value) and 0 < value < 2.2 for value in vector.values)
    assert set(query_vector(text, language).values) <= {1.0}


def test_threads_do_not_mix_up_stems() -> None:
    words = [f"opzegging{number}en huurder{number}s" for number in range(200)]
    alone = [terms(word, "nl") for word in words]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda word: terms(word, "nl"), words)) == alone
