"""How two values are compared, and how one is printed."""

from __future__ import annotations

import pytest

from sluis.core.reading import measure, read_values, same_length, same_value
from sluis.core.reading.values import ReadValue


def one(text: str) -> ReadValue:
    (value,) = read_values(text, locale="nl-NL")
    return value


EQUAL = {
    "a spelling": ("€ 1.250", "1250 euro"),
    "words": ("zestig dagen", "60 dagen"),
    "a date": ("1 februari 2024", "01-02-2024"),
    "a bound in other words": ("ten hoogste 5 dagen", "maximaal 5 dagen"),
    "basis points": ("50 bp", "0,5%"),
    "a bound after it": ("5 dagen of minder", "ten hoogste 5 dagen"),
}
DIFFERENT = {
    "kind": ("35 euro", "35%"),
    "unit": ("60 dagen", "60 werkdagen"),
    "scale": ("€ 890", "€ 890 miljoen"),
    "currency": ("€ 5", "$ 5"),
    "digit": ("14 dagen", "41 dagen"),
    "bound": ("ten hoogste 5 dagen", "ten minste 5 dagen"),
    "a bound dropped": ("ten hoogste 5 dagen", "5 dagen"),
    "the limit itself": ("minder dan 5 dagen", "ten hoogste 5 dagen"),
    "a day without a year": ("1 februari", "1 februari 2024"),
    "a sign": ("-5%", "5%"),
    "an end of a range": ("5 tot 10 dagen", "10 dagen"),
}


@pytest.mark.parametrize("name", EQUAL)
def test_equal_values(name: str) -> None:
    left, right = map(one, EQUAL[name])
    assert same_value(left, right)
    assert measure(left) == measure(right)


@pytest.mark.parametrize("name", DIFFERENT)
def test_values_that_differ(name: str) -> None:
    left, right = map(one, DIFFERENT[name])
    assert not same_value(left, right)
    assert not same_value(right, left)


LENGTHS = {
    ("anderhalf jaar", "18 maanden"): True,
    ("anderhalf jaar", "17 maanden"): False,
    ("2 dagen", "48 uur"): True,
    ("1 week", "7 dagen"): True,
    ("1 maand", "30 dagen"): False,
    ("5 werkdagen", "7 dagen"): False,
    ("5 tot 10 dagen", "1 week"): False,
    ("5 euro", "5 dagen"): False,
    ("1\u200b5 dagen", "15 dagen"): False,
}


@pytest.mark.parametrize(("pair", "same"), LENGTHS.items())
def test_one_length_in_two_units(pair: tuple[str, str], same: bool) -> None:
    assert same_length(*map(one, pair)) is same
    assert same_length(*map(one, reversed(pair))) is same


COMMON = {"bound": None, "ambiguous": False, "unreliable": False, "conflict": False}
PRINTED: dict[str, dict[str, object]] = {
    "€ 5": {"kind": "money", "amount": "5", "currency": "EUR"},
    "5%": {"kind": "percent", "amount": "5"},
    "5 dagen": {"kind": "duration", "amount": "5", "unit": "day"},
    "5": {"kind": "number", "amount": "5"},
    "1 mei 2024": {"kind": "date", "value": "2024-05-01"},
    "5 tot 10 dagen": {"kind": "duration", "low": "5", "high": "10", "unit": "day"},
}


@pytest.mark.parametrize(("text", "fields"), PRINTED.items())
def test_a_value_is_printed_in_normal_form(text: str, fields: dict[str, object]) -> None:
    assert one(text).to_json() == fields | COMMON | {"text": text, "start": 0, "end": len(text)}


def test_an_open_limit_is_printed_as_such() -> None:
    said = one("minder dan 5 dagen").to_json()
    assert (said["bound"], said["edge"]) == ("at_most", "exclusive")
