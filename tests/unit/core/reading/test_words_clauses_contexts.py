"""Words, clauses and contexts: what they are compared by, and that any text can be read, in place and in time."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluis.core import Claim
from sluis.core.reading import attributions, elisions, fold, read_claims, read_references, read_values, split_sentences
from sluis.core.reading import unpaired as unpaired_mark
from sluis.core.reading._polar_words import OPPOSITES
from sluis.core.reading._roles import ROLES
from sluis.core.reading._synonyms import SYNONYMS
from sluis.core.reading.clauses import Clause, contrary, read_clauses, telling, turns
from sluis.core.reading.contexts import value_contexts
from sluis.core.reading.words import (
    Language,
    Vocabulary,
    Word,
    guessed_language,
    keys_of,
    language_for,
    read_words,
    vocabulary,
)


def held(text: str, language: Language = "nl") -> Vocabulary:
    return vocabulary(read_words(text, language), language)


def missing(claim: str, source: str, language: Language = "nl") -> list[str]:
    """The telling words of a claim that a source does not hold."""
    source_words = held(source, language)
    return [word.text for word in telling(read_words(claim, language)) if not source_words.holds(word)]


# Claim, source, and the words that are missing.
HELD: dict[str, tuple[str, str, list[str]]] = {
    "forms of a verb": ("betaalde levert verrekent", "betalen leveren verrekening", []),
    "forms of a strong verb": ("afgewezen ontbonden", "afwijzen ontbinden", []),
    "forms of a noun": ("woningen huizen brieven", "woning huis brief", []),
    "a compound in parts": ("schadevergoeding", "vergoeding van schade", []),
    "a compound with a link": ("bedrijfswagen", "wagen van het bedrijf", []),
    "half of a compound": ("schadevergoeding", "vergoeding van kosten", ["schadevergoeding"]),
    "a compound with a hyphen": ("btw-tarief", "tarief voor de btw", []),
    "half of a compound with a hyphen": ("btw-tarief", "tarief", ["btw-tarief"]),
    "the head of a compound": ("vergoeding", "schadevergoeding", []),
    "the front of a compound": ("schade", "schadevergoeding", []),
    "the plural of its head": ("vergoedingen", "schadevergoeding", []),
    "a synonym": ("borg contract", "waarborgsom overeenkomst", []),
    "a role": ("huurder", "verhuurder", ["huurder"]),
    "a role in the plural": ("huurders", "huurder", []),
    "a role and what it does": ("huur", "huurder", ["huur"]),
    "a name": ("het huis van Voorbeeld", "Voorbeeld", ["huis"]),
    "a name with its s": ("het huis van Voorbeelds", "Voorbeeld huis", []),
    "a name of two": ("het huis van Jansen-Voorbeeld", "Jansen Voorbeeld huis", []),
    "another name": ("het huis van Verzonnen", "Voorbeeld huis", ["Verzonnen"]),
    "a very long word": ("ver" + "zonnen" * 20, "zonnen", ["ver" + "zonnen" * 20]),
    "a word with figures": ("covid-19", "covid-19", []),
    "common words": ("de het een volgens artikel bedraagt", "niets", []),
    "number words": ("tiende", "eerste", ["tiende"]),
}


@pytest.mark.parametrize("what", HELD)
def test_what_a_source_holds(what: str) -> None:
    claim, source, words = HELD[what]
    assert missing(claim, source) == words


def test_a_capital_makes_a_name_only_where_the_sentence_gives_none() -> None:
    kinds = {
        word.text: word.kind for word in read_words("Voorbeeld woont in Verzonnen. Zij heet: Anders. De ABN.", "nl")
    }
    assert {name for name, kind in kinds.items() if kind == "name"} == {"Verzonnen", "ABN"}


def test_masked_words_are_left_out() -> None:
    text = "de kat en de hond"
    assert [word.text for word in read_words(text, "nl", masks=[(3, 6)])] == ["de", "en", "de", "hond"]


@pytest.mark.parametrize("text", ["De huur is vijf.", "", "1234"])
def test_dutch_is_told_from_its_words_and_is_what_nothing_tells(text: str) -> None:
    assert guessed_language(text) == "nl"


def test_english_is_told_from_its_words() -> None:
    assert guessed_language("The rent is due on the first of each month.") == "en"
    assert [language_for(tag) for tag in ("nl-NL", "en-GB", "fr-FR", None)] == ["nl", "en", None, None]


def test_the_tables_say_nothing_twice() -> None:
    for language in get_args(Language):
        for word, group in SYNONYMS[language].items():
            assert word in group
            roles = {ROLES[language][other] for other in group if other in ROLES[language]}
            assert len(roles) <= 1, f"{word} stands for two parties"
    for word, others in OPPOSITES.items():
        assert word not in others
        assert all(word in OPPOSITES[other] for other in others)


@given(st.text(max_size=200), st.sampled_from(get_args(Language)))
def test_any_text_is_read_as_words_and_clauses_in_place(text: str, language: Language) -> None:
    for word in read_words(text, language):
        assert text[word.start : word.end] == word.text
        assert keys_of(word.low, language)
    for clause in read_clauses(text, language):
        assert 0 <= clause.start < clause.end <= len(text)
        assert all(clause.start <= word.start < clause.end for word in clause.words)
    values = read_values(text, locale=f"{language}-XX")
    assert len(value_contexts(text, language, values)) == len(values)


def clauses(text: str, language: Language = "nl") -> list[Clause]:
    return list(read_clauses(text, language))


CUTS: dict[str, tuple[str, list[str]]] = {
    "two verbs": (
        "De huurder mag niet roken, en de huurder moet de tuin onderhouden.",
        ["De huurder mag niet roken,", "en de huurder moet de tuin onderhouden."],
    ),
    "one verb": ("De huurder mag niet roken, drinken of dansen.", ["De huurder mag niet roken, drinken of dansen."]),
    "a ligature that shifts": ("\ufb03\ufb03\ufb03, is het zo, a", ["\ufb03\ufb03\ufb03, is het zo, a"]),
    "two sentences": ("Het is zo. Het was zo.", ["Het is zo.", "Het was zo."]),
    "nothing to say": ("...", []),
}


@pytest.mark.parametrize("what", CUTS)
def test_a_sentence_is_cut_where_what_follows_has_a_verb(what: str) -> None:
    text, pieces = CUTS[what]
    assert [text[clause.start : clause.end].strip() for clause in clauses(text)] == pieces


NEGATIONS = {
    "De kat is niet ziek": 1,
    "De kat is niet zonder reden ziek": 0,
    "Niet alleen de kat is ziek": 0,
    "al dan niet": 0,
    "niet meer dan vijf": 0,
    "geen kat en geen hond": 2,
    "niet-ontvankelijk": 0,
    "De kat": 0,
}


@pytest.mark.parametrize("text", NEGATIONS)
def test_negations_are_counted(text: str) -> None:
    assert sum(clause.negations for clause in clauses(text)) == NEGATIONS[text]


AGENTS: dict[str, tuple[str, str | None]] = {
    "the subject": ("De huurder betaalt aan de verhuurder", "huurder"),
    "after the verb": ("Morgen betaalt de verhuurder aan de huurder", "verhuurder"),
    "behind a preposition": ("Aan de huurder betaalt de verhuurder", "verhuurder"),
    "in the passive": ("De huur wordt door de huurder betaald aan de verhuurder", "huurder"),
    "with an adjective": ("Door de goede huurder wordt betaald", "huurder"),
    "nobody": ("De huur wordt betaald", None),
    "only behind prepositions": ("Er is contact met de huurder", None),
}


@pytest.mark.parametrize("what", AGENTS)
def test_who_acts(what: str) -> None:
    text, role = AGENTS[what]
    assert clauses(text)[0].agent == (None if role is None else ROLES["nl"][role])


def test_a_duty_and_a_permission_are_told_apart() -> None:
    must, may = clauses("De huurder moet betalen")[0], clauses("De huurder mag betalen")[0]
    assert (must.duty, must.permission, may.duty, may.permission) == (True, False, False, True)
    assert must.roles == may.roles == {ROLES["nl"]["huurder"]}


TURNS = {
    "the same": ("De kat is ziek", "De kat is ziek", 0),
    "a negation": ("De kat is ziek", "De kat is niet ziek", 1),
    "two": ("De eis is geldig", "De eis is niet ongeldig", 2),
    "an opposite": ("De eis is toegewezen", "De eis is afgewezen", 1),
    "an opposite that stands on both sides": ("hoger of lager", "lager", 0),
    "a prefix on the other side": ("De eis is ongeldig", "De eis is geldig", 1),
}


@pytest.mark.parametrize("what", TURNS)
def test_how_often_two_clauses_contradict_each_other(what: str) -> None:
    one, other, count = TURNS[what]
    assert turns(clauses(one)[0], clauses(other)[0]) == count
    assert turns(clauses(other)[0], clauses(one)[0]) % 2 == count % 2


def test_a_short_word_has_no_contrary_by_prefix() -> None:
    assert not contrary("der", frozenset({"onder"}))
    assert not contrary("onder", frozenset({"der"}))


def around(text: str, language: Language = "nl") -> list[tuple[str, str]]:
    """The words of each value's own piece, and those it shares."""
    values = read_values(text, locale=f"{language}-XX")
    return [
        (" ".join(word.low for word in context.own), " ".join(word.low for word in context.shared))
        for context in value_contexts(text, language, values)
    ]


AROUND: dict[str, tuple[str, list[tuple[str, str]]]] = {
    "one value": ("De huur is € 5.", [("de huur is", "")]),
    "two subjects": (
        "De huur is € 5 en de borg is € 9.",
        [("de huur is en", ""), ("de borg is", "")],
    ),
    "one subject": (
        "De boete is € 5 voor katten en € 9 voor honden.",
        [("de boete is voor katten en", ""), ("voor honden", "de boete is")],
    ),
    "one subject, a comma": (
        "De boete is € 5, en voor honden € 9.",
        [("de boete is", ""), ("en voor honden", "de boete is")],
    ),
    "no joint": ("van € 9 naar € 5", [("van", ""), ("naar", "")]),
    "values of two kinds": ("De rente is 5% over € 9.", [("de rente is over", "")] * 2),
    "a year beside it": ("In 2024 is de huur € 5.", [("in 2024 is de huur", "")]),
    "under a heading": ("## Borg\nHet is € 5.", [("het is", "borg")]),
    "under a title": ("Borg\n\nHet is € 5.", [("het is", "borg")]),
    "under a line that opens a list": ("Boetes:\n- te laat: € 5", [("te laat", "boetes")]),
    "a cell": ("| Soort | 2023 |\n|---|---|\n| Borg | € 5 |", [("borg 2023", "")]),
    "a cell of a table under a heading": ("# Borg\n| Soort | A |\n| Huur | € 5 |", [("huur a", "borg")]),
    "a cell without heads": ("| Borg | € 5 |", [("borg", "")]),
    "a cell with more beside it": ("| Soort | A |\n| Borg | € 5 netto |", [("borg a netto", "")]),
    "a cell beyond the heads": ("| Soort |\n| Borg | € 5 |", [("borg", "")]),
    "a row that is not closed": ("| Borg | € 5", [("borg", "")]),
}


@pytest.mark.parametrize("what", AROUND)
def test_what_stands_around_a_value(what: str) -> None:
    text, pieces = AROUND[what]
    assert around(text) == pieces


def test_a_title_is_short_and_ends_in_nothing() -> None:
    assert around("Dit is een hele lange regel die niemand ooit een titel noemt\n\nHet is € 5.")[0][1] == ""
    assert around("- Borg\n\nHet is € 5.")[0][1] == ""


# Texts made to be looked at again and again; each is read in a time that grows with its length alone.
HEAVY = {
    "stops and marks": (split_sentences, "a" + "[.]" * 3000 + "x"),
    "markers": (
        lambda text: attributions(Claim(text=text, start=0, end=len(text), labels=(), needs_support=True)),
        "a " + "[c1]" * 3000,
    ),
    "markers alone": (read_claims, "a.\n\n" + "[c1]\n\n" * 2000),
    "groups of digits": (lambda text: read_values(text, locale="nl-NL"), "1" + ".111" * 3000),
    "marks on a letter": (fold, "a" + "\u0301\u0323" * 5000),
    "a word of marks": (read_references, "a" + "\u0301\u0323" * 5000),
    "ellipses": (elisions, "... " * 5000),
    "a list of paragraphs": (read_references, "lid " + "1, " * 3000),
    "a list of paragraphs of an article": (read_references, "artikel 1 lid " + "1, " * 3000),
    "quotation marks": (unpaired_mark, '"a ' * 3001),
    "clauses": (lambda text: read_clauses(text, "nl"), "de huurder is zo, " * 1000),
    "values": (lambda text: value_contexts(text, "nl", read_values(text, locale="nl-NL")), "€ 5 huur, " * 1000),
}


@pytest.mark.timeout(20)
@pytest.mark.parametrize("what", HEAVY)
def test_a_text_made_to_be_slow_is_read_all_the_same(what: str) -> None:
    read, text = HEAVY[what]
    read(text)


def test_a_list_that_is_too_long_is_no_list() -> None:
    for text in ("lid " + "1, " * 300, "artikel 1 lid " + "1, " * 300):
        (found,) = read_references(text)
        assert found.unreliable


def test_markers_without_end_do_not_end_a_sentence() -> None:
    assert len(split_sentences("Een zin." + "[c1]" * 60 + " Nog een.")) == 1
    assert len(split_sentences("Een zin." + "[c1]" * 30 + " Nog een.")) == 2


def test_a_word_knows_its_place_beyond_a_ligature() -> None:
    (word,) = [item for item in read_words("\ufb01\ufb01 kat", "nl") if item.low == "kat"]
    assert word == Word(text="kat", low="kat", start=3, end=6, kind="term")
