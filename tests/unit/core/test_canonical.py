"""One spelling for equal data."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluis.core import NotCanonicalError, canonical_bytes, digest_bytes, digest_of, digest_text, is_digest

# Value and its bytes, by the rules of RFC 8785: keys in order of UTF-16 units, numbers as ECMAScript writes them.
TABLE: dict[str, tuple[Any, str]] = {
    "keys in order": ({"b": 1, "a": 2}, '{"a":2,"b":1}'),
    "keys beyond the basic plane come before the last of it": (
        {"\ufb33": 1, "\U0001f600": 2},
        '{"\U0001f600":2,"\ufb33":1}',
    ),
    "no spaces": ({"a": [1, 2]}, '{"a":[1,2]}'),
    "letters as they are": ("é€", '"é€"'),
    "controls escaped": ("\x0f\n", '"\\u000f\\n"'),
    "a whole number in a float": (1.0, "1"),
    "a small number": (1e-7, "1e-7"),
    "a large number": (1e21, "1e+21"),
    "no negative zero": (-0.0, "0"),
    "truths and nothing": ([True, False, None], "[true,false,null]"),
    "a tuple is a list": ((1, (2,)), "[1,[2]]"),
}


@pytest.mark.parametrize("what", TABLE)
def test_the_bytes_are_those_of_the_rfc(what: str) -> None:
    value, written = TABLE[what]
    assert canonical_bytes(value).decode("utf-8") == written


@pytest.mark.parametrize("value", [math.nan, math.inf, 2**53, -(2**53), "\ud800", {"a": b"x"}, {1: "a"}, {2}, object()])
def test_what_has_no_canonical_form_is_refused(value: Any) -> None:
    with pytest.raises(NotCanonicalError) as refused:
        canonical_bytes(value)
    assert refused.value.hint


values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(st.characters(codec="utf-8")),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(st.characters(codec="utf-8")), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(values)
def test_equal_data_has_equal_bytes_whatever_the_order(value: Any) -> None:
    data = canonical_bytes(value)
    assert json.loads(data) == value
    assert canonical_bytes(json.loads(data)) == data
    if isinstance(value, dict):
        assert canonical_bytes(dict(reversed(value.items()))) == data


@given(values, values)
def test_other_data_has_another_digest(one: Any, other: Any) -> None:
    same = json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
    assert (digest_of(one) == digest_of(other)) == same


def test_a_digest_says_its_algorithm() -> None:
    assert (
        digest_text("")
        == digest_bytes(b"")
        == "sha256:" + "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    )
    assert is_digest(digest_text("x"))


@pytest.mark.parametrize(
    "value",
    [None, 3, "", "sha256:", "sha1:" + "a" * 64, "sha256:" + "A" * 64, digest_text("x") + "\n", " " + digest_text("x")],
)
def test_what_is_no_digest_is_none(value: object) -> None:
    assert not is_digest(value)


def test_a_text_without_a_utf_8_form_has_no_digest() -> None:
    with pytest.raises(NotCanonicalError):
        digest_text("\ud800")
