"""What is read as a reference or a citation, and what is not. A line each: the text, and what it holds in short."""

from __future__ import annotations

import pytest

from sluis.core.reading import Reference, law_key, read_citations, read_references


def referred(text: str) -> list[str]:
    """``law book:article lid paragraph path (unit)`` for each reference; ``? text`` for one that cannot be read."""
    lines: list[str] = []
    for found in read_references(text):
        assert text[found.start : found.end] == found.text
        lines.append(f"? {found.text}" if found.unreliable else _line(found))
    return lines


def _line(found: Reference) -> str:
    book = f"{found.book}:" if found.book else ""
    line = f"{found.law or '-'} {book}{found.article or '-'}"
    line += f"..{found.to}" if found.to else ""
    line += f" lid {found.paragraph}" if found.paragraph else ""
    line += " " + "/".join(found.path) if found.path else ""
    return line if found.unit == "article" else f"{line} ({found.unit})"


def cited(text: str) -> list[str]:
    """``kind value`` for each citation; ``! kind reason: text (value)`` for what looks like one and is none."""
    read = read_citations(text)
    assert all(text[item.start : item.end] == item.text for item in read.found)
    assert all(text[item.start : item.end] == item.text for item in read.malformed)
    return [f"{item.kind} {item.value}" for item in read.found] + [
        f"! {item.kind} {item.reason}: {item.text}" + (f" ({item.value})" if item.value else "")
        for item in read.malformed
    ]


REFERENCES: dict[str, list[str]] = {
    "art. 7:669 lid 3, aanhef en onder g BW": ["BW 7:669 lid 3 g"],
    "artikel 6:162 BW": ["BW 6:162"],
    "artikel 162 van boek 6 van het Burgerlijk Wetboek": ["BW 6:162"],
    "artikel 162 van Boek 6 BW": ["BW 6:162"],
    "article 162 of book 6 of the Dutch Civil Code": ["BW 6:162"],
    "artikel 162 boek 6": ["- 6:162"],
    "artikel 8:75 Awb": ["Awb 8:75"],
    "artikel 8:75 van de Algemene wet bestuursrecht": ["Awb 8:75"],
    "artikelen 3, 4 en 5 Awb": ["Awb 3", "Awb 4", "Awb 5"],
    "artikel 3 en 4 Awb": ["Awb 3", "Awb 4"],
    "artikel 3 en 4 dagen": ["- 3"],
    "artikel 3 en 20%": ["- 3"],
    "artikel 3 en € 20": ["- 3"],
    "artikelen 3 tot en met 5 Awb": ["Awb 3..5"],
    "artikelen 3 t/m 5": ["- 3..5"],
    "artikelen 3-5 Awb": ["Awb 3..5"],
    "articles 3 through 5 GDPR": ["GDPR 3..5"],
    "articles 7:1 tot 7:9 BW": ["- 7:1", "BW 7:9"],
    "artikelen 6:1 t/m 6:4 BW": ["BW 6:1..4"],
    "artikel 3 lid 1 en 2": ["- 3 lid 1", "- 3 lid 2"],
    "artikel 3 lid 1, 2 en 3 Awb": ["Awb 3 lid 1", "Awb 3 lid 2", "Awb 3 lid 3"],
    "artikel 3 lid 1 tot en met 3": ["- 3 lid 1", "- 3 lid 2", "- 3 lid 3"],
    "artikel 3 lid 3 tot en met 1": ["- 3 lid 3", "- 3 lid 3..1"],
    "artikel 3 lid 1 tot en met 900": ["- 3 lid 1", "- 3 lid 1..900"],
    "artikel 3 lid 1a": ["- 3 lid 1a"],
    "artikel 3 lid 1abc": ["? artikel 3 lid 1abc"],
    "artikel 3 lid (2)": ["- 3 lid 2"],
    "artikel 3 lid (a)": ["- 3 a"],
    "artikel 3 lid. 2": ["- 3 lid 2"],
    "artikel 3 lid twee": ["- 3 lid 2"],
    "artikel 3(1)": ["- 3 lid 1"],
    "artikel 3(1)(b)": ["- 3 lid 1 b"],
    "artikel 3(1),(2)": ["- 3 lid 1", "- 3 lid 2"],
    "artikel 3(b)": ["- 3 b"],
    "artikel 3(zie hierna)": ["- 3"],
    "article 6(1)(f) GDPR": ["GDPR 6 lid 1 f"],
    "artikel 3 onder a en b": ["- 3 a", "- 3 b"],
    "artikel 3 onder a tot en met c": ["- 3 a", "- 3 b", "- 3 c"],
    "artikel 3 onder a t/m c": ["- 3 a", "- 3 b", "- 3 c"],
    "artikel 3 onder c tot a": ["- 3 c"],
    "artikel 3 sub a sub 2": ["- 3 a/2"],
    "artikel 3 onder a en b sub 2": ["- 3 a", "- 3 b/2"],
    "artikel 3 onder a(i)": ["- 3 a/i"],
    "artikel 3 onder a, b en c": ["- 3 a", "- 3 b", "- 3 c"],
    "artikel 3 onder a, de huurder": ["- 3 a"],
    "artikel 3 onder 1°": ["- 3 1"],
    "artikel 3 onder (a)": ["- 3 a"],
    "artikel 3 onder (a": ["- 3"],
    "artikel 3 onder iii": ["- 3 iii"],
    "artikel 3 onder de": ["- 3"],
    "artikel 3 onder a1": ["? artikel 3 onder a1"],
    "artikel 3 onder water": ["- 3"],
    "artikel 3 aanhef": ["- 3"],
    "artikel 3 aanhef en onder b": ["- 3 b"],
    "artikel 3, aanhef, onder b": ["- 3 b"],
    "artikel 3 eerste lid": ["- 3 lid 1"],
    "artikel 3, eerste en tweede lid": ["- 3 lid 1", "- 3 lid 2"],
    "artikel 3, eerste tot en met derde lid": ["- 3 lid 1", "- 3 lid 2", "- 3 lid 3"],
    "artikel 3, 2e lid": ["- 3 lid 2"],
    "artikel 3, 2e en 3e lid": ["- 3 lid 2", "- 3 lid 3"],
    "artikel 3 eerste huurder": ["- 3"],
    "artikel 3 eerste en laatste lid": ["- 3"],
    "artikel 3, eerste, tweede en derde lid, Awb": ["Awb 3 lid 1", "Awb 3 lid 2", "Awb 3 lid 3"],
    "het tweede lid van artikel 5 Awb": ["Awb 5 lid 2"],
    "lid 3 van art. 5 Awb": ["Awb 5 lid 3"],
    "lid 3 van art. vijf": ["- 5 lid 3"],
    "tweede lid, onder b, van artikel 5": ["- 5 lid 2 b"],
    "tweede lid, onder b": ["- - lid 2 b (paragraph)"],
    "lid 2": ["- - lid 2 (paragraph)"],
    "lid 2 en 3": ["- - lid 2 (paragraph)", "- - lid 3 (paragraph)"],
    "lid van de familie": [],
    "paragraph 2": ["- - lid 2 (paragraph)"],
    "§ 3.2": ["- 3.2"],
    "§§ 3 en 4": ["- 3", "- 4"],
    "r.o. 4.5": ["- 4.5 (consideration)"],
    "rov. 4.5": ["- 4.5 (consideration)"],
    "rechtsoverweging 4.5 en 4.6": ["- 4.5 (consideration)", "- 4.6 (consideration)"],
    "r.o. 4.1-4.3": ["- 4.1..4.3 (consideration)"],
    "overweging 12": ["- 12 (consideration)"],
    "art. l2": ["? art. l2"],
    "art. 12l4": ["? art. 12l4"],
    "art. twaalf": ["- 12"],
    "art. x-1/2": ["? art. x-1/2"],
    "artikel 12bis": ["- 12bis"],
    "artikel 12-bis": ["- 12-bis"],
    "artikel 12abcd": ["? artikel 12abcd"],
    "artikel 12\u200b": ["? artikel 12\u200b"],
    "artikel 10a": ["- 10a"],
    "artikel 10a.2": ["- 10a.2"],
    "artikel 12.4": ["- 12.4"],
    "artikel 12.4.1": ["- 12.4.1"],
    "artikel A 5": ["- A 5"],
    "artikel A5": ["- A 5"],
    "artikel a 5": [],
    "artikel nr. 5": ["- 5"],
    "art. no. 5": ["- 5"],
    "art 5": ["- 5"],
    "art.5": ["- 5"],
    "5:3": [],
    "5:3 BW": ["BW 5:3"],
    "6:162 BW": ["BW 6:162"],
    "6:162 en 6:163 BW": ["BW 6:162", "BW 6:163"],
    "12:30 uur": [],
    "x:6:162 BW": [],
    "2e lid": ["- - lid 2 (paragraph)"],
    "2e huurder": [],
    "artikel 5 jo. artikel 6 Awb": ["Awb 5", "Awb 6"],
    "artikel 5 juncto 6 Awb": ["Awb 5", "Awb 6"],
    "artikel 5 jo 6 Awb": ["Awb 5", "Awb 6"],
    "artikel 5 & 6": ["- 5", "- 6"],
    "artikel 5, en 6 Awb": ["Awb 5", "Awb 6"],
    "artikel 5 of art. 6": ["- 5", "- 6"],
    "artikel 5 en artikel zes": ["- 5", "- 6"],
    "artikel 5 en de wet": ["- 5"],
    "artikel 5 Wet op de ondernemingsraden": ["WOR 5"],
    "artikel 5 van de Wet op de huurtoeslag 2020 geldt": ["Wet op de huurtoeslag 2020 5"],
    "artikel 5 Wet verbetering poortwachter": ["Wet verbetering 5"],
    "artikel 5 Wet en regel": ["Wet 5"],
    "artikel 5 Wet": ["Wet 5"],
    "artikel 5 Wet van 1 juli": ["Wet 5"],
    "artikel 5 Wet inkomstenbelasting voor ondernemers": ["Wet inkomstenbelasting voor ondernemers 5"],
    "artikel 5 Huurwet 2020": ["Huurwet 2020 5"],
    "artikel 5 Huurwet 3": ["Huurwet 5"],
    "artikel 5 van de Algemene voorwaarden": ["- 5"],
    "artikel 5 Wft": ["Wft 5"],
    "artikel 5 IVRK": ["IVRK 5"],
    "artikel 5 EUR 20": ["- 5"],
    "artikel 5 EUR": ["- 5"],
    "artikel 5 AbCdEfGhIjKl": ["- 5"],
    "artikel 5, van de Opiumwet": ["Opiumwet 5"],
    "artikel 5 van dit reglement": ["- 5"],
    "artikel 5 Boek": ["- 5"],
    "artikel 5 grondwet": ["Gw 5"],
    "artikel 5Awb": ["- 5Awb"],
    "artikel 5/6": ["- 5", "- 6"],
    "artikel 5 tot artikel 9": ["- 5", "- 9"],
    "artikel 5 - 9": ["- 5..9"],
    "artikel 5 huurwet": ["- 5"],
    "article 5 of the General Data Protection Regulation": ["GDPR 5"],
    "section 2 and 3": ["- 2", "- 3"],
    "section 2, 3 and 4": ["- 2", "- 3", "- 4"],
    "clause 14.1": ["- 14.1"],
    "subclause 3": ["- - lid 3 (paragraph)"],
    "paragraph (2)": ["- - lid 2 (paragraph)"],
    "para. 2": ["- - lid 2 (paragraph)"],
    "artikel 5 lid 2 dagen": ["- 5 lid 2"],
    "artikel 5 lid 2 en 14 dagen": ["- 5 lid 2"],
    "artikel 5 lid 2, 3 huurders": ["- 5 lid 2"],
    "artikel 5 lid 2, 3 en 4": ["- 5 lid 2", "- 5 lid 3", "- 5 lid 4"],
    "artikel 5 onder a, b huurders": ["- 5 a"],
    "artikel 5 lid 2 t/m x": ["- 5 lid 2"],
    "artikel 5\n\nlid 2": ["- 5 lid 2"],
    "7artikel 5": [],
    "artikel": [],
    "art.": [],
    "artikel 5 van": ["- 5"],
    "de eerste": [],
    "eerste lid": ["- - lid 1 (paragraph)"],
    "eerste": [],
    "artikelen 1, 2, 3, 4": ["- 1", "- 2", "- 3", "- 4"],
    "artikel 5 lid 1 onder a en lid 2 onder b": ["- 5 lid 1 a", "- 5 lid 2 b"],
    "artikel 5 lid 1, onder a, lid 2": ["- 5 lid 1 a", "- 5 lid 2"],
    "artikel 5 onder a en onder b": ["- 5 a", "- 5 b"],
    "hoofdstuk 3 artikel 5": ["- 5"],
    "artikel 5 t / x": ["- 5"],
    "artikel 5 tot en vandaag": ["- 5"],
    "artikel 5 lid 1 b": ["- 5 lid 1 b"],
    "Artikel 5 lid 2 sub (b)(ii)": ["- 5 lid 2 b/ii"],
    "artikel 162 van boek 6 van BW": ["BW 6:162"],
    "artikel 3 onder aa tot en met cc": ["- 3 aa", "- 3 aa..cc"],
    "artikel 5 Wet op de op de op de op de op de op de geldt": ["Wet op de op de op de op de op de op 5"],
    "artikel 5 lid 1 f AVG": ["AVG 5 lid 1 f"],
    "artikel 5 lid 1 u wordt": ["- 5 lid 1"],
    "artikel 7 lid 1 en 2 en lid 4 onder c BW": ["BW 7 lid 1", "BW 7 lid 2", "BW 7 lid 4 c"],
    "artikel 3, paragraph (b)": ["- 3 b"],
    "artikel 5 lid 1 en artikel 6 lid 2 Awb": ["Awb 5 lid 1", "Awb 6 lid 2"],
    "artikel 5 lid 1 onder a en lid 2 onder b Awb": ["Awb 5 lid 1 a", "Awb 5 lid 2 b"],
    "artikel 5 eerste lid en derde lid": ["- 5 lid 1", "- 5 lid 3"],
    "artikel twaalf lid drie": ["- 12 lid 3"],
    "6:162, 6:163 en 6:170": [],
    "6:162 BW en 12:30 uur": ["BW 6:162"],
    "artikel 5 sub 1bis2": ["? artikel 5 sub 1bis2"],
    "artikel 5 lid van": ["- 5"],
    "artikel 5 onder meer": ["- 5"],
    "artikel 5 en lid 2 van artikel 6": ["- 5", "- 6 lid 2"],
    "artikel 5 lid 1 onder a en onder b": ["- 5 lid 1 a", "- 5 lid 1 b"],
    "artikel 5 onder a en onder de huurder": ["- 5 a"],
    "artikel 10a.2 lid 3": ["- 10a.2 lid 3"],
    "artikel 10a.2x": ["? artikel 10a.2x"],
    "artikel 3 onder (?)": ["- 3"],
    "artikel 3, onder - dus": ["- 3"],
    "6 en 7 BW": [],
    "6: dit BW": [],
    "tweede lid van artikel -": ["- - lid 2 (paragraph)"],
    "6.1 BW": [],
    "tweede lid van artikel. 7": ["- 7 lid 2"],
    "art. 5/6 Awb": ["Awb 5", "Awb 6"],
    "artikel 5 lid 1 f-grond": ["- 5 lid 1"],
    "Artikel 5 lid 2 Awb. Dat artikel lid 3 geldt.": ["Awb 5 lid 2", "Awb 5 lid 3"],
    "Dat artikel geldt.": ["- - (back)"],
    "dit artikel geldt": [],
    "Artikel 6 BW. Id. lid 2": ["BW 6", "BW 6 lid 2"],
    "Ibid.": ["- - (back)"],
    "het id. nummer": [],
    "genoemd artikel 7 geldt": ["- 7"],
    "tweede lid, onder b, van artikel 7": ["- 7 lid 2 b"],
    "that section applies": ["- - (back)"],
}

CITATIONS: dict[str, list[str]] = {
    "ECLI:NL:HR:2024:123": ["ecli ECLI:NL:HR:2024:123"],
    "zie ECLI:NL:RBSLUIS:2024:17.": ["ecli ECLI:NL:RBSLUIS:2024:17"],
    "ECLI: NL: HR: 2024: 123": ["ecli ECLI:NL:HR:2024:123"],
    "ecli:nl:hr:2024:123": ["ecli ECLI:NL:HR:2024:123"],
    "ECLI_NL_HR_2024_123": ["ecli ECLI:NL:HR:2024:123"],
    "ECLI%3ANL%3AHR%3A2024%3A123": ["ecli ECLI:NL:HR:2024:123"],
    "ECLI-NL-HR-2024-123": ["ecli ECLI:NL:HR:2024:123"],
    "NL:HR:2024:123": ["ecli ECLI:NL:HR:2024:123"],
    "nl-hr-2024-47": [],
    "BNL:HR:2024:123": [],
    "ECLI:NL:HR:2024:BB1234": ["ecli ECLI:NL:HR:2024:BB1234"],
    "ECLI:NL:HR:2024:BB 1234": ["ecli ECLI:NL:HR:2024:BB1234"],
    "ECLI:NL:HR:2024:123a": ["! ecli ordinal: ECLI:NL:HR:2024:123a"],
    "ECLI:NL:HR:2024:1234567": ["! ecli ordinal: ECLI:NL:HR:2024:1234567"],
    "ECLI:NL:HR:2024:ABC": ["! ecli ordinal: ECLI:NL:HR:2024:ABC"],
    "ECLI:NL:HR:2024": ["! ecli leftover: ECLI:NL:HR:2024"],
    "ECLI:NL:HR:2024:\n123": ["! ecli line_break: ECLI:NL:HR:2024:\n123 (ECLI:NL:HR:2024:123)"],
    "ECLI:NL:HR:\n2024:123": ["! ecli line_break: ECLI:NL:HR:\n2024:123 (ECLI:NL:HR:2024:123)"],
    "ECLI:NL:НR:2024:123": ["! ecli mixed_script: ECLI:NL:НR:2024:123"],
    "ЕCLI:NL:HR:2024:123": ["! ecli mixed_script: ЕCLI:NL:HR:2024:123"],
    "ECL1:NL:HR:2024:123": ["! ecli leftover: ECL1:NL:HR:2024:123"],
    "ECLI:NL:HR:2024:12\u200b3": ["! ecli invisible: ECLI:NL:HR:2024:12\u200b3"],
    "ECLI:NL:HR:2024:123:DOC": ["ecli ECLI:NL:HR:2024:123"],
    "ECLI:NL:HR:2024:123:INH nl": ["ecli ECLI:NL:HR:2024:123"],
    "ECLI:NL:HR:2024:123_doc": ["ecli ECLI:NL:HR:2024:123"],
    "XECLI:NL:HR:2024:123": ["! ecli leftover: XECLI:NL:HR:2024:123"],
    "a:ECLI:NL:HR:2024:123": ["! ecli leftover: a:ECLI:NL:HR:2024:123"],
    "a:NL:HR:2024:123": ["! ecli leftover: a:NL:HR:2024:123"],
    "EU:C:2014:317": ["ecli ECLI:EU:C:2014:317"],
    "ECLI:EU:C:2014:317": ["ecli ECLI:EU:C:2014:317"],
    "ECLI:EU:C:2014:317a": ["! ecli ordinal: ECLI:EU:C:2014:317a"],
    "ECLI:EU:X:2014:317": ["! ecli ordinal: ECLI:EU:X:2014:317"],
    "ECLI:DE:BGH:2015:120115UIXZR1.13.0": ["ecli ECLI:DE:BGH:2015:120115UIXZR1.13.0"],
    "ECLI:DE:BGH:2015:120115UIXZR1.13.0.": ["ecli ECLI:DE:BGH:2015:120115UIXZR1.13.0"],
    "ECLI:FR:CCASS:2015:C100": ["ecli ECLI:FR:CCASS:2015:C100"],
    "ECLI:NL:HR:1750:1": ["! ecli leftover: ECLI:NL:HR:1750:1"],
    "ECLI:NL:HR:2024:123²": ["! ecli mixed_script: ECLI:NL:HR:2024:123²"],
    "het ECLI-nummer is bekend": [],
    "het ECLI-nummer 2024:123": ["! ecli leftover: ECLI-nummer"],
    "de ECLI codes": [],
    "ECLI": ["! ecli leftover: ECLI"],
    "ECLI:": ["! ecli leftover: ECLI"],
    "declination": [],
    "decline": [],
    "ecli1": ["! ecli leftover: ecli1"],
    "ECLIPSE": [],
    "(ECLI:NL:HR:2024:123)": ["ecli ECLI:NL:HR:2024:123"],
    "ECLI:NL:HR:2024:123, ECLI:NL:HR:2024:124": ["ecli ECLI:NL:HR:2024:123", "ecli ECLI:NL:HR:2024:124"],
    "ECLI:NL;HR;2024;5": ["ecli ECLI:NL:HR:2024:5"],
    "LJN BB1234": ["! ecli ljn: LJN BB1234"],
    "LJN: BB 1234": ["! ecli ljn: LJN: BB 1234"],
    "LJN BB1234, ECLI:NL:HR:2008:BB1234": ["ecli ECLI:NL:HR:2008:BB1234"],
    "xLJN BB1234": [],
    "https://example.org/a": ["url https://example.org/a"],
    "https://example.org/a.": ["url https://example.org/a"],
    "(https://example.org/a)": ["url https://example.org/a"],
    "[x](https://example.org/a)": ["url https://example.org/a"],
    "https://example.org/a_(b)": ["url https://example.org/a_(b)"],
    "https://example.org/a-\nb": ["! url truncated: https://example.org/a-"],
    "https://doi.org/10.1000/Abc.": ["doi 10.1000/abc"],
    "https://exаmple.org/a": ["! url mixed_script: https://exаmple.org/a (https://exаmple.org/a)"],
    "www.example.org/a": ["url www.example.org/a"],
    "xhttps://example.org": [],
    "https://example.org/a`b": ["url https://example.org/a"],
    "https://example.org/a\\\\b": ["url https://example.org/a"],
    "https://": [],
    "https://...": ["url https://"],
    "https://example.org/é": ["url https://example.org/é"],
    "ftp://example.org/a": ["url ftp://example.org/a"],
    "10.1000/abc": ["doi 10.1000/abc"],
    "doi:10.1000/ABC.": ["doi 10.1000/abc"],
    "x10.1000/abc": [],
    "1.10.1000/abc": [],
    "10.1000/abc-\ndef": ["! doi truncated: 10.1000/abc-"],
    "10.1000/a(b)c)": ["doi 10.1000/a(b)c"],
    "BWBR0005537": ["bwb BWBR0005537"],
    "BWBR00055371": ["! bwb leftover: BWBR00055371"],
    "BWBR0005537é": ["! bwb mixed_script: BWBR0005537é"],
    "BWBR0005537́": ["! bwb mixed_script: BWBR0005537́"],
    "jci1.3:c:BWBR0005537&artikel=8:75": ["bwb jci1.3:c:BWBR0005537&artikel=8:75"],
    "jci1.3:c:BWBR0005537&amp;artikel=8:75.": ["bwb jci1.3:c:BWBR0005537&artikel=8:75"],
    "32016R0679": ["celex 32016R0679"],
    "CELEX: 32016R0679": ["celex 32016R0679"],
    "Verordening (EU) 2016/679": ["celex 32016R0679"],
    "Verordening (EG) nr. 44/2001": ["celex 32001R0044"],
    "Regulation (EU) No 1215/2012": ["celex 32012R1215"],
    "Richtlijn (EU) 2019/1": ["celex 32019L0001"],
    "Directive 93/13/EEC": ["celex 31993L0013"],
    "Richtlijn 2001/29/EG": ["celex 32001L0029"],
    "Richtlijn van de Raad (EEG) 85/374": ["celex 31985L0374"],
    "Besluit (EU) 3000/1": [],
    "Verordening (EU) 1/1": ["celex 32001R0001"],
    "Verordening (EG) 1/99": ["celex 31999R0001"],
    "Verordening (EG) 1/49": ["celex 32049R0001"],
    "Richtlijn 3/3/EG": [],
    "CVE-2024-12345": ["cve CVE-2024-12345"],
    "cve 2024 12345": ["cve CVE-2024-12345"],
    "CVE-2024-12345x": ["! cve leftover: CVE-2024-12345x"],
    "RFC 9110": ["rfc RFC9110"],
    "RFC9110": ["rfc RFC9110"],
    "RFC 9110a": [],
    "ECLI:NL:HR:2024:123 en CVE-2024-12345": ["ecli ECLI:NL:HR:2024:123", "cve CVE-2024-12345"],
    '"ECLI:NL:HR:2024:123"': ["ecli ECLI:NL:HR:2024:123"],
    "https://uitspraken.rechtspraak.nl/details?id=ECLI:NL:HR:2024:123": ["ecli ECLI:NL:HR:2024:123"],
    "ECLI:NL": ["! ecli leftover: ECLI:NL"],
    "ECLI;x": ["! ecli leftover: ECLI;x"],
    "DECLI;x": ["! ecli leftover: ECLI;x"],
    "ecli-x": ["! ecli leftover: ecli-x"],
    "de ECLI, die": ["! ecli leftover: ECLI"],
    "ECLI.NL": ["! ecli leftover: ECLI.NL"],
    "aEU:C:2014:317": [],
    "ecl1": [],
    "https://wetten.example/jci1.3:c:BWBR0005537&artikel=1": [
        "url https://wetten.example/jci1.3:c:BWBR0005537&artikel=1"
    ],
}


@pytest.mark.parametrize(("text", "references"), REFERENCES.items())
def test_references(text: str, references: list[str]) -> None:
    assert referred(text) == references


@pytest.mark.parametrize(("text", "citations"), CITATIONS.items())
def test_citations(text: str, citations: list[str]) -> None:
    assert cited(text) == citations


def test_a_long_list_is_read_to_its_end() -> None:
    numbers = [str(number) for number in range(1, 201)]
    assert [found.article for found in read_references(f"artikelen {', '.join(numbers)} Awb")] == numbers
    assert [found.paragraph for found in read_references(f"artikel 1 lid {', '.join(numbers)}")] == numbers


def test_a_row_of_ordinals_without_an_end_is_none() -> None:
    assert referred("eerste, " * 70 + "lid") == []


def test_both_kinds_of_citation_are_printed_with_their_place() -> None:
    read = read_citations("zie ECLI:NL:HR:2024:1 en ECLI:NL:HR:2024:1x")
    assert [item.to_json() for item in read.found] == [
        {"kind": "ecli", "value": "ECLI:NL:HR:2024:1", "text": "ECLI:NL:HR:2024:1", "start": 4, "end": 21}
    ]
    assert [item.to_json() for item in read.malformed] == [
        {"kind": "ecli", "text": "ECLI:NL:HR:2024:1x", "reason": "ordinal", "start": 25, "end": 43}
    ]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [("GDPR", "AVG", True), ("Wet  op x", "wet op X", True), ("BW", "Awb", False), (None, None, True)],
)
def test_two_names_of_one_law(one: str | None, other: str | None, same: bool) -> None:
    assert (law_key(one) == law_key(other)) is same


def test_a_reference_is_printed_with_all_its_fields() -> None:
    (found,) = read_references("zie art. 7:669 lid 3 onder g BW")
    assert found.to_json() == {
        "law": "BW",
        "book": "7",
        "article": "669",
        "paragraph": "3",
        "path": ["g"],
        "to": None,
        "unit": "article",
        "unreliable": False,
        "text": "art. 7:669 lid 3 onder g BW",
        "start": 4,
        "end": 31,
    }
