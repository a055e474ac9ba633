"""The content checks together on a sentence and its source: what passes, what a person sees, what is blocked."""

from __future__ import annotations

from typing import Any

import pytest

from sluis.cli.check import check_case, content_checks

CHECKS = content_checks()


async def judged(answer: str, chunk: Any, **case: Any) -> tuple[str, list[str]]:
    """The verdict and the reasons, sorted."""
    fields: dict[str, Any] = {"locale": "nl-NL", "question": "", "now": "2026-11-30T10:00:00Z", **case}
    chunks = chunk if isinstance(chunk, dict) else {"c1": chunk}
    said = await check_case({"answer": answer, "chunks": chunks, **fields}, CHECKS)
    for found in said["findings"]:
        at = found["subject"]
        assert answer[at["start"] : at["end"]] == at["text"]
        assert found["message"]
        assert found["waivable"] is False or found["status"] == "review"
    return said["verdict"], sorted({found["reason"] for found in said["findings"]})


BORG = (
    "De verhuurder moet de waarborgsom binnen 14 dagen na het einde van de huurovereenkomst aan de huurder "
    "terugbetalen, tenzij er nog een vordering op de huurder openstaat."
)
RISICO = "Het eigen risico bedraagt € 385. De maximale vergoeding bedraagt € 2.000 per jaar."
BOETE = "De boete bedraagt € 100 voor de eerste overtreding en € 200 voor de tweede overtreding."
LEGES = (
    "| Categorie | 2023 | 2024 |\n|---|---|---|\n"
    "| Natuurlijke persoon | € 87 | € 90 |\n| Rechtspersoon | € 688 | € 715 |"
)
NIET = "Een boete van € 500 is niet verschuldigd indien tijdig is gemeld."
ROKEN = "De huurder mag in de woning niet roken. De huurder moet de tuin onderhouden."
ZORG = "De zorgverzekeraar vergoedt fysiotherapie voor 80%. Voor de eerste negen behandelingen geldt geen vergoeding."

# The sentence, its source, the verdict and the reasons.
TABLE: dict[str, tuple[str, str, str, list[str]]] = {
    # What honest writing does to a source.
    "in other words": (
        "De verhuurder betaalt de borg terug binnen 14 dagen na afloop van de huur, tenzij er nog een vordering op de "
        "huurder openstaat. [c1]",
        BORG,
        "pass",
        [],
    ),
    "a compound taken apart": ("De vergoeding van schade is € 50. [c1]", "De schadevergoeding is € 50.", "pass", []),
    "a compound put together": ("De schadevergoeding is € 50. [c1]", "De vergoeding van schade is € 50.", "pass", []),
    "a verb taken apart": ("Hij betaalt € 50 terug. [c1]", "Hij moet € 50 terugbetalen.", "pass", []),
    "the head of a compound": ("De termijn is 14 dagen. [c1]", "De opzegtermijn is 14 dagen.", "pass", []),
    "two negations that cancel out": ("De opzegging is ongeldig. [c1]", "De opzegging is niet geldig.", "pass", []),
    "niet alleen": (
        "De koper heeft 30 dagen. [c1]",
        "Niet alleen de koper maar ook de verkoper heeft 30 dagen.",
        "pass",
        [],
    ),
    "geen for niet": ("Er is geen boete van € 500 verschuldigd indien tijdig is gemeld. [c1]", NIET, "pass", []),
    "one clause of two": ("De huurder moet de tuin onderhouden. [c1]", ROKEN, "pass", []),
    "a name in the genitive": (
        "De woning van Voorbeeld is verkocht. [c1]",
        "Voorbeelds woning is verkocht.",
        "pass",
        [],
    ),
    "a heading of the source's words": ("## Waarborgsom\n\nDe borg is € 5. [c1]", "De waarborgsom is € 5.", "pass", []),
    "a rate in other words": ("De premie is € 10 per maand. [c1]", "De maandelijkse premie is € 10.", "pass", []),
    # Values of something else.
    "the value of the next sentence": (
        "Het eigen risico bedraagt € 2.000. [c1]",
        RISICO,
        "block",
        ["value_of_another"],
    ),
    "both values in their places": (
        "Het eigen risico is € 385 en de maximale vergoeding € 2.000 per jaar. [c1]",
        RISICO,
        "pass",
        [],
    ),
    "the value of the other case": (
        "De boete voor de eerste overtreding bedraagt € 200. [c1]",
        BOETE,
        "review",
        ["value_of_another_maybe"],
    ),
    "the value of its own case": ("De boete voor de tweede overtreding bedraagt € 200. [c1]", BOETE, "pass", []),
    "values of subjects of their own": (
        "De huur is € 50. [c1]",
        "De huur bedraagt € 900 en de servicekosten bedragen € 50.",
        "block",
        ["value_of_another"],
    ),
    "values of one subject": (
        "De totale vergoeding voor rechtsbijstand van de griffier bedraagt € 200. [c1]",
        "De totale vergoeding voor rechtsbijstand van de advocaat bedraagt € 500 en voor de griffier € 200.",
        "pass",
        [],
    ),
    "a value under another heading": (
        "Het eigen risico voor de inboedel is € 250. [c1]",
        "## Inboedel\nHet eigen risico is € 100.\n\n## Opstal\nHet eigen risico is € 250.",
        "review",
        ["value_of_another_maybe"],
    ),
    "a value of a list": (
        "Bij schade is de boete € 100. [c1]",
        "Boetes:\n- te laat: € 25\n- schade: € 100",
        "pass",
        [],
    ),
    "a value of another item of a list": (
        "Bij schade is de boete € 25. [c1]",
        "Boetes:\n- te laat: € 25\n- schade: € 100",
        "review",
        ["value_of_another_maybe"],
    ),
    "the cell of its row and column": ("Een rechtspersoon betaalt in 2024 € 715. [c1]", LEGES, "pass", []),
    "the cell of another column": (
        "Een rechtspersoon betaalt in 2024 € 688. [c1]",
        LEGES,
        "block",
        ["value_of_another"],
    ),
    "the cell of another row": ("Een rechtspersoon betaalt in 2023 € 87. [c1]", LEGES, "block", ["value_of_another"]),
    "a cell without its column": ("Een rechtspersoon betaalt € 688. [c1]", LEGES, "review", ["table_cell_unclear"]),
    "a cell without its row": ("Het bedrag in 2024 is € 715. [c1]", LEGES, "review", ["table_cell_unclear"]),
    "a table that lost its heads": (
        "Een rechtspersoon betaalt € 688. [c1]",
        "| Rechtspersoon | € 688 | € 715 |",
        "review",
        ["table_without_header"],
    ),
    "a table of one column": ("Voor schade geldt € 5. [c1]", "| Soort | Bedrag |\n| Schade | € 5 |", "pass", []),
    # Turned round.
    "a negation dropped": ("U bent een boete van € 500 verschuldigd. [c1]", NIET, "block", ["polarity_flipped"]),
    "a negation added": ("De huurder moet de tuin niet onderhouden. [c1]", ROKEN, "block", ["polarity_flipped"]),
    "a prefix": ("De opzegging is geldig. [c1]", "De opzegging is ongeldig.", "block", ["polarity_flipped"]),
    "an opposite": ("De vordering is toegewezen. [c1]", "De vordering is afgewezen.", "block", ["polarity_flipped"]),
    "an allowance for a duty": (
        "De huurder mag de tuin onderhouden. [c1]",
        "De huurder moet de tuin onderhouden.",
        "block",
        ["modality_differs"],
    ),
    "an exception dropped": (
        "De verhuurder moet de waarborgsom binnen 14 dagen terugbetalen. [c1]",
        BORG,
        "review",
        ["exception_dropped"],
    ),
    "an exception added": (
        "De huur is € 900, tenzij de huurder verhuist. [c1]",
        "De huur is € 900 en de huurder verhuist.",
        "review",
        ["exception_added"],
    ),
    "sources that say both": (
        "De hond blijft. [c1]",
        "De hond blijft niet. De hond blijft.",
        "review",
        ["polarity_unclear"],
    ),
    # Other parties, names, marks.
    "the other party": (
        "De huurder betaalt de waarborgsom binnen 14 dagen terug, tenzij er nog een vordering op de huurder openstaat. "
        "[c1]",
        BORG,
        "block",
        ["role_swapped"],
    ),
    "a party that is not there": (
        "De koper betaalt € 385. [c1]",
        "Het eigen risico is € 385.",
        "block",
        ["role_not_in_source"],
    ),
    "a party of which the source says nothing": (
        "De huurder slaapt. [c1]",
        "Er is een huurder. Iets anders geldt hier.",
        "review",
        ["term_not_in_source"],
    ),
    "a party where the source names both": (
        "De huurder kookt zelden vis. [c1]",
        "De verhuurder kookt. De huurder is er.",
        "review",
        ["role_unclear", "term_not_in_source"],
    ),
    "two parties of two kinds": (
        "De huurder betaalt de bank € 5. [c1]",
        "De bank ontvangt € 5 van de huurder.",
        "block",
        ["polarity_flipped"],
    ),
    "the insurer for the insured": (
        "De verzekeraar betaalt € 5. [c1]",
        "De verzekerde betaalt € 5. De verzekeraar slaapt.",
        "block",
        ["role_swapped"],
    ),
    "a party in a sentence of nothing else": (
        "De koper slaapt. [c1]",
        "Zo.",
        "block",
        ["role_not_in_source", "term_not_in_source"],
    ),
    "a party in the passive": (
        "De huurder onderhoudt de tuin. [c1]",
        "De tuin wordt door de verhuurder onderhouden voor de huurder.",
        "block",
        ["role_swapped"],
    ),
    "another illness": (
        "De studie gaat over CAR-T bij Alzheimer. [c1]",
        "De studie gaat over CAR-T bij lymfoom.",
        "block",
        ["name_not_in_source"],
    ),
    "another noun": ("De hond is ziek. [c1]", "De kat is ziek.", "review", ["term_not_in_source"]),
    "another month": ("De cursus begint in april. [c1]", "De cursus begint in mei.", "review", ["term_not_in_source"]),
    "another ordinal": ("De tiende dag telt. [c1]", "De eerste dag telt.", "review", ["term_not_in_source"]),
    "another time": ("Kom om 14:30 uur. [c1]", "Kom om 13:30 uur.", "block", ["identifier_not_in_source"]),
    "the same time": ("Kom om 13:30 uur. [c1]", "Kom om 13:30 uur.", "pass", []),
    "another telephone": ("Bel 06 12345679. [c1]", "Bel 06-12345678.", "block", ["identifier_not_in_source"]),
    "a telephone written otherwise": ("Bel 0612345678. [c1]", "Bel 06-1234 5678.", "pass", []),
    "a part of a longer number": (
        "Zaak 123-45 loopt. [c1]",
        "Zaak 9123-456 loopt.",
        "block",
        ["identifier_not_in_source"],
    ),
    "another journal": (
        "Zie NJ 2012/55. [c1]",
        "Zie de bijlage.",
        "block",
        ["identifier_not_in_source", "name_not_in_source"],
    ),
    "a numbered list": (
        "1. De huur is € 5. [c1]\n2. De kat is ziek. [c1]",
        "De huur is € 5. De kat is ziek.",
        "pass",
        [],
    ),
    "another rate": ("De huur is € 10 per dag. [c1]", "De huur is € 10 per uur.", "block", ["rate_not_in_source"]),
    "a rate by mail": ("Meld dit per brief. [c1]", "Meld dit schriftelijk.", "pass", []),
    "a heading of nobody's words": (
        "## Ontruiming\n\nDe huur is € 5. [c1]",
        "De huur is € 5.",
        "review",
        ["term_not_in_source"],
    ),
    # Limits.
    "after for within": ("Betaal na 14 dagen. [c1]", "Betaal binnen 14 dagen.", "review", ["bound_added"]),
    "a limit as a fixed value": (
        "De kosten zijn € 250. [c1]",
        "De kosten zijn tot € 250.",
        "review",
        ["bound_dropped"],
    ),
    # Disguises.
    "a raised point in an amount": (
        "De huur is € 250\u00b7000. [c1]",
        "De huur is € 250.",
        "block",
        ["value_unreliable"],
    ),
    "a Roman numeral": ("Binnen \u2168 dagen. [c1]", "Binnen 9 dagen.", "block", ["value_unreliable"]),
    "mark-up in a number": (
        "Binnen 2**5** dagen. [c1]",
        "Binnen 25 dagen.",
        "block",
        ["markup_in_word", "value_unreliable"],
    ),
    "an entity": (
        "De huur is &euro; 5. [c1]",
        "De huur is € 5.",
        "block",
        ["character_entity", "value_not_in_cited_chunk"],
    ),
    "a quotation over two sentences": (
        "\u201cDe huur is € 5. [c1] De kat is ziek.\u201d [c1]",
        "De huur is € 5. De kat is ziek.",
        "block",
        ["quote_unpaired"],
    ),
    "an inch": ('Een scherm van 24" is ziek. [c1]', 'Een scherm van 24" is ziek.', "pass", []),
    "a heading that orders": (
        "## Huurder betaalt alles\n\nDe huur is € 5. [c1]",
        "De huurder betaalt alles. De huur is € 5.",
        "block",
        ["uncited_claim"],
    ),
    "a heading with an address": (
        "## Zie _evil.com/x\n\nDe huur is € 5. [c1]",
        "De huur is € 5.",
        "block",
        ["foreign_url", "uncited_claim"],
    ),
    "a greeting that orders": (
        "Beste huurder ga naar huis\n\nDe huur is € 5. [c1]",
        "De huur is € 5.",
        "block",
        ["uncited_claim"],
    ),
    "a greeting": ("Geachte heer De Vries,\n\nDe huur is € 5. [c1]", "De huur is € 5.", "pass", []),
    # References.
    "a suffix apart": (
        "Op grond van artikel 3 a: de huur is € 5. [c1]",
        "Artikel 3. De huur is € 5.",
        "block",
        ["reference_not_in_cited_chunk"],
    ),
    "an article named back": (
        "Dit volgt uit artikel 3. [c1] Dat artikel geldt. [c1]",
        "Artikel 3. De huur is € 5. Dit geldt.",
        "pass",
        [],
    ),
    "an article named back to nothing": (
        "Dat artikel geldt. [c1]",
        "Artikel 3 geldt.",
        "review",
        ["back_reference_unresolved"],
    ),
}


@pytest.mark.parametrize("what", TABLE)
async def test_a_sentence_and_its_source(what: str) -> None:
    answer, chunk, verdict, reasons = TABLE[what]
    assert await judged(answer, chunk) == (verdict, reasons)


ENGLISH: dict[str, tuple[str, str, str, list[str]]] = {
    "in other words": (
        "The tenant pays the deposit of \u20ac 500 within two weeks. [c1]",
        "The deposit of EUR 500 is payable by the tenant within 2 weeks.",
        "pass",
        [],
    ),
    "the other party": (
        "The landlord pays the deposit of \u20ac 500. [c1]",
        "The deposit of EUR 500 is paid by the tenant to the landlord.",
        "block",
        ["role_swapped"],
    ),
    "a contraction": ("The policy doesn't cover theft. [c1]", "The policy does not cover theft.", "pass", []),
    "a negation dropped": (
        "The policy covers theft. [c1]",
        "The policy does not cover theft.",
        "block",
        ["polarity_flipped"],
    ),
    "another illness": (
        "This study is about CAR-T in Alzheimer. [c1]",
        "This study evaluates CAR-T therapy in lymphoma.",
        "block",
        ["name_not_in_source"],
    ),
    "a rate": ("The fee is \u20ac 10 per month. [c1]", "The monthly fee is \u20ac 10.", "pass", []),
    "an exception dropped": (
        "The tenant may keep a dog. [c1]",
        "The tenant may keep a dog unless the landlord objects.",
        "review",
        ["exception_dropped"],
    ),
}


@pytest.mark.parametrize("what", ENGLISH)
async def test_a_sentence_and_its_source_in_english(what: str) -> None:
    answer, chunk, verdict, reasons = ENGLISH[what]
    assert await judged(answer, chunk, locale="en-GB") == (verdict, reasons)


LANGUAGES = {
    "English on a Dutch source": ("The rent is \u20ac 5. [c1]", "en-GB", {"language": "nl"}),
    "a language that is not read": ("Le loyer est de \u20ac 5. [c1]", "fr-FR", {}),
}


@pytest.mark.parametrize("what", LANGUAGES)
async def test_words_of_two_languages_are_for_a_person(what: str) -> None:
    answer, locale, meta = LANGUAGES[what]
    chunk = {"c1": {"text": "De huur is \u20ac 5.", "meta": meta}}
    assert await judged(answer, chunk, locale=locale) == ("review", ["other_language"])


@pytest.mark.parametrize(
    ("text", "source"),
    [("De huur is \u20ac 5. [c1]", "De huur is \u20ac 5."), ("The rent is \u20ac 5. [c1]", "The rent is \u20ac 5.")],
)
async def test_without_a_locale_the_language_is_told_from_the_words(text: str, source: str) -> None:
    assert await judged(text, source, locale=None) == ("pass", [])


async def test_a_name_of_the_question_is_for_a_person() -> None:
    said = await judged(
        "De studie gaat over Alzheimer. [c1]", "De studie gaat over slaap.", question="Hoe zit het met Alzheimer?"
    )
    assert said == ("review", ["name_of_question"])


SILENT = "De bronnen zeggen hier niets over."
# The question, the source, and whether it answers.
ASKED = {
    "an amount": ("Hoeveel bedraagt de boete?", "De boete bedraagt \u20ac 500.", True),
    "an amount of something else": ("Hoeveel bedraagt de boete?", "De huur bedraagt \u20ac 500.", False),
    "a term": ("Wanneer moet de waarborgsom terug?", BORG, True),
    "a term where an amount is asked": ("Hoe hoog is de waarborgsom?", BORG, False),
    "a number": ("Hoeveel honden zijn toegestaan?", "Er zijn 2 honden toegestaan.", True),
    "no kind of value": ("Waarom is dat zo?", BORG, False),
}


@pytest.mark.parametrize("what", ASKED)
@pytest.mark.parametrize("silent", [SILENT, "In de bronnen staat hierover geen enkel antwoord. [c1]"])
async def test_silence_is_contradicted_by_a_source_that_answers(what: str, silent: str) -> None:
    question, source, answers = ASKED[what]
    _, reasons = await judged(silent, source, question=question)
    assert ("absence_contradicted" in reasons) is answers


async def test_a_clear_answer_is_no_silence() -> None:
    _, reasons = await judged(
        "De boete bedraagt \u20ac 500. [c1]", "De boete bedraagt \u20ac 500.", question="Hoeveel?"
    )
    assert reasons == []


async def test_a_claim_on_two_sources_is_laid_beside_both() -> None:
    chunks = {"c1": "De boete is \u20ac 100.", "c2": "De rente is 4%."}
    assert await judged("De boete is \u20ac 100 en de rente 4% [c1][c2].", chunks) == ("pass", [])
    said = await judged("De boete is \u20ac 100 [c1] en de rente 4% [c1].", chunks)
    assert said == ("block", ["term_not_in_source", "value_not_in_cited_chunk"])
