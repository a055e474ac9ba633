"""The ECLI source: its grammar, its URLs, and which answers can be records at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluis.sources import RECHTSPRAAK_URL, BadSourceUrlError, EcliSource, Fetched, SourceFaultError
from sluis.sources.ecli import require_record

GRAMMAR = {
    "ECLI:NL:HR:2019:1278": "ECLI:NL:HR:2019:1278",
    "ecli:nl:hr:2019:1278": "ECLI:NL:HR:2019:1278",
    "ECLI:Nl:RVS:2013:2558": "ECLI:NL:RVS:2013:2558",
    "ECLI:NL:RBAMS:2007:YB0083": "ECLI:NL:RBAMS:2007:YB0083",
    "ECLI:NL:TGZRAMS:2014:94": "ECLI:NL:TGZRAMS:2014:94",
    "ECLI:CE:ECHR:2026:0723JUD002446523": "ECLI:CE:ECHR:2026:0723JUD002446523",
    "ECLI:NL:HR:2019:1278.": None,
    "ECLI:NL:HR:2019:": None,
    "ECLI:NL:HR:19:1278": None,
    "ECLI:NL:HR:2019:1278\n": None,
    " ECLI:NL:HR:2019:1278": None,
    "ECLI:NL:HR:2019:1278&return=META": None,
    "ECLI:NL:HR:2019:1278#x": None,
    "ECLI:NL:\u041dR:2019:1278": None,
    "ECLI:NL:H\u200bR:2019:1": None,
    "ECLI:NL:HR:\u0662019:1": None,
    "ECLI:NL:ABCDEFGH:2019:1": None,
    "ECLI:NL:HR:2019:" + "1" * 26: None,
    "NL:HR:2019:1278": None,
    "LJN: BD5828": None,
    "": None,
}


@pytest.mark.parametrize("text", GRAMMAR)
def test_the_grammar(text: str) -> None:
    assert EcliSource().normalise(text) == GRAMMAR[text]


@given(text=st.text(max_size=40) | st.from_regex(r"ECLI:[A-Za-z:.0-9]{0,40}", fullmatch=True))
def test_a_normal_form_is_ascii_and_its_own_normal_form(text: str) -> None:
    value = EcliSource().normalise(text)
    if value is not None:
        assert value.isascii()
        assert EcliSource().normalise(value) == value
        assert not set(value) - set("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:.")


def test_where_a_record_is() -> None:
    assert EcliSource().url("ECLI:NL:HR:2019:1") == f"{RECHTSPRAAK_URL}/uitspraken/content?id=ECLI:NL:HR:2019:1"
    assert EcliSource("http://10.0.0.1:99/mirror/").url("A").startswith("http://10.0.0.1:99/mirror/uitspraken/")


def test_a_host_is_named_only_when_it_is_not_the_register_itself() -> None:
    assert EcliSource().private_hosts == frozenset()
    assert EcliSource(f"{RECHTSPRAAK_URL}/").private_hosts == frozenset()
    assert EcliSource("http://LocalHost:99").private_hosts == {"localhost"}
    assert EcliSource("http://[::1]:99").private_hosts == {"::1"}


@pytest.mark.parametrize(
    "url",
    [
        "",
        "data.rechtspraak.nl",
        "ftp://data.rechtspraak.nl",
        "file:///etc/passwd",
        "https://",
        "https://data.rechtspraak.nl@evil.test",
        "https://user:secret@data.rechtspraak.nl",
        "https://data.rechtspraak.nl\\@evil.test/",
        "https://data.rechtspraak.nl:port",
        "https://data.rechtspraak.nl:99999",
        "https://data.rechtspraak.nl/?id=",
        "https://data.rechtspraak.nl/#x",
    ],
)
def test_what_is_no_base_url_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(BadSourceUrlError) as caught:
        EcliSource(url)
    assert "secret" not in str(caught.value)


def fetched(
    status: int = 200, media: str = "application/xml", body: bytes = b"<x/>", *, mitigated: bool = False
) -> Fetched:
    return Fetched(status=status, media_type=media, mitigated=mitigated, body=body)


@pytest.mark.parametrize("media", ["application/xml", "text/xml", "application/rdf+xml"])
def test_an_answer_that_may_be_a_record(media: str) -> None:
    require_record(fetched(media=media))


ANSWERS: dict[str, tuple[Fetched, str]] = {
    "moved": (fetched(301), "redirect"),
    "not modified, though nothing was asked conditionally": (fetched(304, body=b""), "http_304"),
    "partial": (fetched(206), "http_206"),
    "gone": (fetched(410), "http_410"),
    "server error with a record": (fetched(500), "http_500"),
    "a page": (fetched(media="text/html", body=b"<p>Even geduld</p>"), "not_xml"),
    "a page that calls itself XML": (fetched(media="application/xhtml+xml", body=b"<html/>"), "not_xml"),
    "no type": (fetched(media=""), "not_xml"),
    "a challenge": (fetched(media="text/html", body=b"<title>JUST A MOMENT...</title>"), "challenge_page"),
    "a challenge that says so in a header": (fetched(403, "text/plain", b"no", mitigated=True), "challenge_page"),
    "a challenge without a body": (fetched(503, "", b"", mitigated=True), "challenge_page"),
    "nothing": (fetched(body=b""), "empty_body"),
    "white space": (fetched(body=b" \n"), "empty_body"),
}


@pytest.mark.parametrize("case", ANSWERS)
def test_an_answer_that_cannot_be_a_record(case: str) -> None:
    answer, expected = ANSWERS[case]
    with pytest.raises(SourceFaultError) as caught:
        require_record(answer)
    assert caught.value.reason == expected
    assert caught.value.diagnostics()["subject"] == {"reason": expected}
