"""How a text is cut into sentences, and its sentences read as claims with their markers."""

from __future__ import annotations

import pytest

from sluis.core import Completion, CompletionStatus
from sluis.core.reading import ABSENCE, attributions, read_claims, read_draft, split_sentences

SENTENCES: dict[str, list[str]] = {
    "De huurder betaalt. De verhuurder ook.": ["De huurder betaalt.", "De verhuurder ook."],
    "Zie art. 5 van de wet. Dat is zo.": ["Zie art. 5 van de wet.", "Dat is zo."],
    "Zie art. De wet.": ["Zie art. De wet."],
    "Op 1 jan. De huurder.": ["Op 1 jan.", "De huurder."],
    "Op 1 jan. de huurder.": ["Op 1 jan. de huurder."],
    "dhr. J. de Vries betaalt. Klaar.": ["dhr. J. de Vries betaalt.", "Klaar."],
    "onder a. De rest.": ["onder a.", "De rest."],
    "A. De huurder": ["A. De huurder"],
    "a. De huurder": ["a. De huurder"],
    "1. De huurder betaalt.": ["1. De huurder betaalt."],
    "Zie o.a. De wet.": ["Zie o.a. De wet."],
    "Zie p.o. de wet.": ["Zie p.o. de wet."],
    "Zie e.a. De wet.": ["Zie e.a.", "De wet."],
    "Zie e.a. de wet.": ["Zie e.a. de wet."],
    "Zie no. 5 nu.": ["Zie no. 5 nu."],
    "Zie no. De wet.": ["Zie no.", "De wet."],
    "Dit is zo! ja.": ["Dit is zo!", "ja."],
    "Dit is zo? Ja.": ["Dit is zo?", "Ja."],
    "Dit is zo?! Ja.": ["Dit is zo?!", "Ja."],
    "Dit is ... zo. Ja.": ["Dit is ... zo.", "Ja."],
    "Dit is zo... Ja.": ["Dit is zo...", "Ja."],
    "Dit is zo... ja.": ["Dit is zo... ja."],
    "Dit is zo… Ja.": ["Dit is zo…", "Ja."],
    "... Ja.": ["... Ja."],
    'Hij zei "ja." Toen nee.': ['Hij zei "ja."', "Toen nee."],
    'Hij zei "ja." "Nee."': ['Hij zei "ja."', '"Nee."'],
    "Dat is zo. [c1] De rest. [c2][c3]": ["Dat is zo. [c1]", "De rest. [c2][c3]"],
    "Dat is zo.[c1] de rest.": ["Dat is zo.[c1]", "de rest."],
    "example.org is er. Ja.": ["example.org is er.", "Ja."],
    "3.5 is er. Ja.": ["3.5 is er.", "Ja."],
    "A.b.c. De": ["A.b.c.", "De"],
    "en/of. De": ["en/of.", "De"],
    "x. De": ["x. De"],
    "Dit loopt\\\ndoor. Klaar.": ["Dit loopt\\\ndoor.", "Klaar."],
    "# Kop\\\nTekst hier.": ["# Kop\\", "Tekst hier."],
    "- een\\\n- twee": ["- een\\", "- twee"],
    "| a | b |\\\n| - | - |": ["| a | b |\\", "| - | - |"],
    "Geachte heer,\\\nTekst.": ["Geachte heer,\\\nTekst."],
    "UNCLEAR": ["UNCLEAR"],
    "***": ["***"],
    "> citaat\\\nverder": ["> citaat\\\nverder"],
    "\\\n\\\n": ["\\\n\\"],
    "a\\\n\\\nb": ["a\\\n\\\nb"],
    "  ruimte  ": ["ruimte"],
    "(Zie hier.) Dan.": ["(Zie hier.)", "Dan."],
    "Zie hier (p. 5). Dan.": ["Zie hier (p. 5).", "Dan."],
    "1. ": ["1."],
    ". . .": [".", ".", "."],
    "Stop.Geen spatie. Ja.": ["Stop.Geen spatie.", "Ja."],
    " . x": [". x"],
    "Vanaf 12. De huurder.": ["Vanaf 12.", "De huurder."],
    "lid 5. De huurder.": ["lid 5.", "De huurder."],
    "Ja.[a.b] Nee.": ["Ja.[a.b]", "Nee."],
}

CLAIMS: dict[str, list[tuple[str, tuple[str, ...], bool]]] = {
    "De huurder betaalt. [c1]": [("De huurder betaalt. [c1]", ("c1",), True)],
    "[c1] De huurder betaalt.": [("[c1] De huurder betaalt.", ("c1",), True)],
    "De huurder betaalt [c1] en de verhuurder niet [c2].": [
        ("De huurder betaalt [c1] en de verhuurder niet [c2].", ("c1", "c2"), True)
    ],
    "De huurder betaalt [c1], en de verhuurder niet.": [
        ("De huurder betaalt [c1], en de verhuurder niet.", ("c1",), True)
    ],
    "De huurder [C1] betaalt.": [("De huurder [C1] betaalt.", (), True)],
    "De huurder [c1, c2] betaalt.": [("De huurder [c1, c2] betaalt.", (), True)],
    "De huurder [с1] betaalt.": [("De huurder [с1] betaalt.", (), True)],
    "De huurder [bron 1] betaalt.": [("De huurder [bron 1] betaalt.", (), True)],
    "De huurder [1] betaalt.": [("De huurder [1] betaalt.", (), True)],
    "De huurder [c1 betaalt.": [("De huurder [c1 betaalt.", (), True)],
    "De huurder [c1, c2 betaalt.": [("De huurder [c1, c2 betaalt.", (), True)],
    "De huurder [c1](https://x.nl).": [("De huurder [c1](https://x.nl).", ("c1",), True)],
    "[c1]: https://x.nl": [("[c1]: https://x.nl", ("c1",), True)],
    "[c1]: ": [("[c1]:", ("c1",), True)],
    "De huurder 【1】 betaalt.": [("De huurder 【1】 betaalt.", (), True)],
    "De huurder [sic] betaalt.": [("De huurder [sic] betaalt.", (), True)],
    "De huurder [...] betaalt.": [("De huurder [...] betaalt.", (), True)],
    "UNCLEAR": [("UNCLEAR", (), False)],
    "Unclear.": [("Unclear.", (), False)],
    "De bronnen zeggen hier niets over.": [("De bronnen zeggen hier niets over.", (), False)],
    "The sources do not say.": [("The sources do not say.", (), False)],
    "Geachte heer Jansen,": [("Geachte heer Jansen,", (), False)],
    "Geachte heer 5,": [("Geachte heer 5,", (), True)],
    "# Kop": [("# Kop", (), False)],
    "# De huurder betaalt niet": [("# De huurder betaalt niet", (), True)],
    "# Een heel lange kop van meer dan acht woorden hier": [
        ("# Een heel lange kop van meer dan acht woorden hier", (), True)
    ],
    "# Kop 5": [("# Kop 5", (), True)],
    "# Kop %": [("# Kop %", (), True)],
    "# De kop is zo": [("# De kop is zo", (), True)],
    "---": [],
    "De huurder betaalt.\\\n[c1]": [("De huurder betaalt.\\\n[c1]", ("c1",), True)],
    "[c1]": [("[c1]", ("c1",), True)],
    "[c1][c2]": [("[c1][c2]", ("c1", "c2"), True)],
    "Dat is zo. [c1]\\\n\\\nEn dit. [c2]": [("Dat is zo. [c1]\\\n\\\nEn dit. [c2]", ("c1", "c2"), True)],
    "[c1]\\\n\\\nTekst.": [("[c1]\\\n\\\nTekst.", ("c1",), True)],
    "[c1] [c2] Tekst [c3].": [("[c1] [c2] Tekst [c3].", ("c1", "c2", "c3"), True)],
    "Dat is zo.\n\n[c1]": [("Dat is zo.\n\n[c1]", ("c1",), True)],
    "[c\\١] x": [("[c\\١] x", (), True)],
    "[\\\u200bc1] x": [("[\\\u200bc1] x", (), True)],
}

MALFORMED: dict[str, list[tuple[str, str]]] = {
    "De huurder [C1] betaalt.": [("[C1]", "marker_malformed")],
    "De huurder [c1, c2] betaalt.": [("[c1, c2]", "marker_malformed")],
    "De huurder [с1] betaalt.": [("[с1]", "marker_malformed")],
    "De huurder [bron 1] betaalt.": [("[bron 1]", "marker_malformed")],
    "De huurder [1] betaalt.": [("[1]", "marker_malformed")],
    "De huurder [c1 betaalt.": [("[c1", "marker_unclosed")],
    "De huurder [c1, c2 betaalt.": [("[c1", "marker_unclosed")],
    "De huurder [c1](https://x.nl).": [("[c1]", "marker_is_link")],
    "[c1]: https://x.nl": [("[c1]", "marker_is_link")],
    "[c1]: ": [("[c1]", "marker_is_link")],
    "De huurder 【1】 betaalt.": [("【1】", "marker_malformed")],
}

ATTRIBUTIONS: dict[str, list[list[tuple[str, tuple[str, ...]]]]] = {
    "De huurder betaalt. [c1]": [[("De huurder betaalt. [c1]", ("c1",))]],
    "[c1] De huurder betaalt.": [[("[c1] De huurder betaalt.", ("c1",))]],
    "De huurder betaalt [c1] en de verhuurder niet [c2].": [
        [("De huurder betaalt [c1]", ("c1",)), (" en de verhuurder niet [c2].", ("c2",))]
    ],
    "De huurder betaalt [c1], en de verhuurder niet.": [[("De huurder betaalt [c1], en de verhuurder niet.", ("c1",))]],
    "De huurder [c1](https://x.nl).": [[("De huurder [c1](https://x.nl).", ("c1",))]],
    "[c1]: https://x.nl": [[("[c1]: https://x.nl", ("c1",))]],
    "[c1]: ": [[("[c1]:", ("c1",))]],
    "De huurder betaalt.\\\n[c1]": [[("De huurder betaalt.\\\n[c1]", ("c1",))]],
    "[c1]": [[("[c1]", ("c1",))]],
    "[c1][c2]": [[("[c1][c2]", ("c1", "c2"))]],
    "Dat is zo. [c1]\\\n\\\nEn dit. [c2]": [[("Dat is zo. [c1]", ("c1",)), ("\\\n\\\nEn dit. [c2]", ("c2",))]],
    "[c1]\\\n\\\nTekst.": [[("[c1]\\\n\\\nTekst.", ("c1",))]],
    "[c1] [c2] Tekst [c3].": [[("[c1] [c2] Tekst [c3].", ("c1", "c2", "c3"))]],
    "Dat is zo.\n\n[c1]": [[("Dat is zo.\n\n[c1]", ("c1",))]],
}


@pytest.mark.parametrize(("text", "sentences"), SENTENCES.items())
def test_a_text_is_cut_into_sentences(text: str, sentences: list[str]) -> None:
    assert [span.text for span in split_sentences(text)] == sentences


@pytest.mark.parametrize(("text", "claims"), CLAIMS.items())
def test_sentences_are_claims(text: str, claims: list[tuple[str, tuple[str, ...], bool]]) -> None:
    assert [(claim.text, claim.labels, claim.needs_support) for claim in read_claims(text).claims] == claims


@pytest.mark.parametrize("text", CLAIMS)
def test_what_looks_like_a_marker_and_is_none_is_reported(text: str) -> None:
    reported = [(span.text, span.reason) for span in read_claims(text).malformed_markers]
    assert reported == MALFORMED.get(text, [])


@pytest.mark.parametrize(("text", "parts"), ATTRIBUTIONS.items())
def test_each_stretch_of_a_claim_rests_on_its_own_markers(
    text: str, parts: list[list[tuple[str, tuple[str, ...]]]]
) -> None:
    read = [[(text[start:end], labels) for start, end, labels in attributions(c)] for c in read_claims(text).claims]
    assert read == parts


@pytest.mark.parametrize("text", sorted(ABSENCE))
def test_a_declared_absence_needs_no_support(text: str) -> None:
    (claim,) = read_claims(text.capitalize()).claims
    assert not claim.needs_support


def test_a_draft_carries_the_claims_of_its_own_text() -> None:
    completion = Completion(status=CompletionStatus.OK, text="Het is zo. [c1]", model="m", drafter="d")
    draft = read_draft(completion, locale="nl")
    assert (draft.claims, draft.locale) == (read_claims("Het is zo. [c1]").claims, "nl")
