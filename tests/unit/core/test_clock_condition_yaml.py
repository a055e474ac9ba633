"""Small parts of the core: time, chance, conditions, plain YAML, lazy names, errors."""

from __future__ import annotations

import threading
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from sluis.core import (
    CONDITION_FIELDS,
    AnyOf,
    Between,
    ClockWentBackwardsError,
    Condition,
    ConditionError,
    CountedIds,
    ManualClock,
    MissingExtraError,
    RandomIds,
    Retry,
    SluisError,
    SystemClock,
    checked,
    day_of,
    holds,
)
from sluis.core import clock as clock_module
from sluis.core.lazy import attribute
from sluis.core.plain_yaml import MAX_YAML, MalformedYamlError, read_yaml

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


class Wall:
    """Stands in for ``datetime`` in the clock's module."""

    min = datetime.min

    def __init__(self) -> None:
        self.reads = NOON

    def now(self, zone: Any) -> datetime:
        return self.reads.astimezone(zone)


def test_a_wall_clock_that_steps_back_too_far_is_refused_until_it_has_caught_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wall = Wall()
    monkeypatch.setattr(clock_module, "datetime", wall)
    clock = SystemClock()
    assert clock.now() == NOON
    wall.reads = NOON - timedelta(seconds=2)
    assert clock.now() == wall.reads
    wall.reads = NOON - timedelta(seconds=3)
    for _ in range(2):
        with pytest.raises(ClockWentBackwardsError) as refused:
            clock.now()
    assert refused.value.retry is Retry.LATER
    wall.reads = NOON + timedelta(seconds=1)
    assert clock.now() == wall.reads


def test_a_clock_gives_utc_and_a_monotonic_count() -> None:
    clock = SystemClock()
    assert clock.now().utcoffset() == timedelta(0)
    assert clock.monotonic() <= clock.monotonic()


def test_a_clock_moved_by_hand() -> None:
    clock = ManualClock(NOON)
    clock.advance(90)
    assert (clock.now(), clock.monotonic()) == (NOON + timedelta(seconds=90), 90)
    clock.step(-30)
    assert (clock.now(), clock.monotonic()) == (NOON + timedelta(seconds=60), 90)
    with pytest.raises(ValueError, match="aware"):
        ManualClock(datetime(2026, 3, 2))


def test_identifiers_are_fresh_for_every_thread() -> None:
    counted, given_out = CountedIds(), list[str]()

    def take() -> None:
        given_out.extend(counted.fresh("a") for _ in range(200))

    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(given_out)) == 800
    assert len({RandomIds().fresh("run") for _ in range(1000)}) == 1000
    assert len(RandomIds().fresh("run").removeprefix("run_")) == 32


def test_a_day_is_one_of_the_zone_that_the_time_is_in() -> None:
    assert day_of(NOON) == 20260302
    assert day_of(datetime(2026, 12, 31, 23, 59, tzinfo=UTC)) == 20261231


# A condition, a payload and whether it holds.
MEANINGS: dict[str, tuple[Condition, dict[str, Any], bool]] = {
    "a word that is among them": (AnyOf(field="marker", values=("current",)), {"marker": "current"}, True),
    "another word": (AnyOf(field="marker", values=("current",)), {"marker": "withdrawn"}, False),
    "a word in another case": (AnyOf(field="marker", values=("current",)), {"marker": "Current"}, False),
    "an absent field": (AnyOf(field="marker", values=("current",)), {}, False),
    "a null": (AnyOf(field="marker", values=("current",)), {"marker": None}, False),
    "a truth for a word": (AnyOf(field="marker", values=("True",)), {"marker": True}, False),
    "a number for a word": (AnyOf(field="version", values=("1",)), {"version": 1}, False),
    "one of a list": (AnyOf(field="audience", values=("client",)), {"audience": ["staff", "client"]}, True),
    "none of a list": (AnyOf(field="audience", values=("client",)), {"audience": ["staff"]}, False),
    "an empty list": (AnyOf(field="audience", values=("client",)), {"audience": []}, False),
    "a list of other things": (AnyOf(field="audience", values=("1",)), {"audience": [1, None]}, False),
    "at the lower bound": (Between(field="valid_from", low=5), {"valid_from": 5}, True),
    "below it": (Between(field="valid_from", low=5), {"valid_from": 4}, False),
    "at the upper bound": (Between(field="valid_to", high=5), {"valid_to": 5}, True),
    "above it": (Between(field="valid_to", high=5), {"valid_to": 6}, False),
    "a number as text": (Between(field="valid_to", low=1), {"valid_to": "5"}, False),
    "a truth for a number": (Between(field="valid_to", low=1), {"valid_to": True}, False),
    "a fraction for a number": (Between(field="valid_to", low=1), {"valid_to": 5.0}, False),
    "no number at all": (Between(field="valid_to", low=1), {"valid_to": None}, False),
}


@pytest.mark.parametrize("what", MEANINGS)
def test_what_a_condition_means(what: str) -> None:
    condition, payload, expected = MEANINGS[what]
    assert holds(condition, payload) is expected
    assert checked([condition]) == (condition,)


@pytest.mark.parametrize(
    "conditions",
    [
        [],
        [AnyOf(field="colour", values=("red",))],
        [Between(field="marker", low=1)],
        [AnyOf(field="valid_to", values=("99991231",))],
        [AnyOf(field="marker", values=("current",)), Between(field="audience", high=3)],
    ],
)
def test_a_condition_that_cannot_be_asked_is_refused(conditions: list[Condition]) -> None:
    with pytest.raises(ConditionError) as refused:
        checked(conditions)
    assert refused.value.hint


@given(st.sampled_from(sorted(CONDITION_FIELDS)), st.none() | st.booleans() | st.integers() | st.text() | st.floats())
def test_a_condition_holds_for_nothing_of_another_type(field: str, value: Any) -> None:
    kind = CONDITION_FIELDS[field]
    condition: Condition = (
        Between(field=field, low=-(10**9)) if kind == "integer" else AnyOf(field=field, values=("current",))
    )
    if holds(condition, {field: value}):
        assert type(value) is (int if kind == "integer" else str)


PLAIN = {
    "a mapping": ("a: 1\nb: [x, 2.5, true, null]\n", {"a": 1, "b": ["x", 2.5, True, None]}),
    "a date": ("on: 2026-01-31\n", {"on": date(2026, 1, 31)}),
    "words that are no truths": ("on: [no, off, yes, Off]\n", {"on": ["no", "off", "yes", "Off"]}),
    "signs that are no numbers": ("a: [12:30, 010, 0x1f, 1_000]\n", {"a": ["12:30", "010", "0x1f", "1_000"]}),
    "numbers": ("a: [0, -12, +3, 1.5e3]\n", {"a": [0, -12, 3, "1.5e3"]}),
    "nothing": ("", None),
    "a text": ('a: "1: # x"\n', {"a": "1: # x"}),
}


@pytest.mark.parametrize("what", PLAIN)
def test_plain_yaml_is_read(what: str) -> None:
    text, value = PLAIN[what]
    assert read_yaml(text) == value


NOT_PLAIN = {
    "a key twice": "a: 1\na: 2\n",
    "a key that is a number": "1: a\n",
    "a key that is a list": "? [a]\n: b\n",
    "an alias": "a: &x [1]\nb: *x\n",
    "a merge": "a: &x {b: 1}\nc:\n  <<: *x\n",
    "a tag of Python": "a: !!python/object/apply:os.system ['true']\n",
    "a set": "a: !!set {x, y}\n",
    "bytes": "a: !!binary aGFsbG8=\n",
    "a time of day": "a: 2026-01-31 12:00:00\n",
    "a date that is none": "a: 2024-13-01\n",
    "two documents": "a: 1\n---\nb: 2\n",
    "an open bracket": "a: [1\n",
    "a tab": "a:\n\t- 1\n",
    "a control character": "a: \x00\n",
    "a bomb of brackets": "[" * 5000,
    "too much": "a: " + "x" * MAX_YAML,
}


@pytest.mark.parametrize("what", NOT_PLAIN)
def test_what_is_not_plain_yaml_is_refused_without_quoting_it(what: str) -> None:
    with pytest.raises(MalformedYamlError) as refused:
        read_yaml(NOT_PLAIN[what])
    assert refused.value.exit_code == 2
    assert "aGFsbG8" not in str(refused.value)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(codec="ascii", categories=["L", "N"])),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(codec="ascii", categories=["L"]), min_size=1), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(values)
def test_what_was_written_as_yaml_reads_as_it_was(value: Any) -> None:
    assert read_yaml(yaml.safe_dump(value)) == value


@given(st.text(max_size=80))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(MalformedYamlError):
        read_yaml(text)


def test_a_lazy_name_is_loaded_or_said_to_be_missing() -> None:
    assert attribute("sluis.core", {"Clock": "clock"}, "Clock") is clock_module.Clock
    with pytest.raises(AttributeError, match="has no attribute 'Nothing'"):
        attribute("sluis.core", {"Clock": "clock"}, "Nothing")


def test_an_error_says_what_happened_to_what_and_what_to_do() -> None:
    error = SluisError("It broke.", hint="Mend it.", path="a", size=None, count=0)
    assert str(error) == "It broke. Mend it."
    assert error.diagnostics() == {
        "code": "sluis",
        "message": "It broke.",
        "hint": "Mend it.",
        "retry": "never",
        "subject": {"path": "a", "count": 0},
    }
    assert str(SluisError("It broke.")) == "It broke."


def test_a_missing_extra_is_named_with_its_command() -> None:
    error = MissingExtraError("cohere", purpose="Reranking at Cohere")
    assert "pip install 'sluis[cohere]'" in str(error)
    assert error.diagnostics()["subject"] == {"extra": "cohere"}
