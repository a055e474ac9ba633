from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluis.policies import PolicyFileError, UnknownPolicyError, UnknownZoneError, day_for, load_policy
from sluis.policies.load import _read

GOOD = "name: mine\nversion: 3\ndoc_types: [regulation, ruling]\n"


def test_a_file_of_the_project_is_read_from_its_folder(tmp_path: Path) -> None:
    (tmp_path / "policies").mkdir()
    (tmp_path / "policies" / "mine.yaml").write_text(GOOD, encoding="utf-8")
    policy = load_policy("policies/mine.yaml", root=tmp_path)
    assert (policy.name, policy.version, policy.doc_types) == ("mine", 3, ("regulation", "ruling"))
    assert load_policy(tmp_path / "policies" / "mine.yaml") == policy


@pytest.mark.parametrize("spec", ["builtin:other", "builtin:", "nowhere.yaml", "builtin:../client_facing"])
def test_what_is_not_there_is_named(spec: str, tmp_path: Path) -> None:
    with pytest.raises(UnknownPolicyError):
        load_policy(spec, root=tmp_path)


WRONG = {
    "nothing": "",
    "a list": "- a\n",
    "a text": "just words",
    "not YAML": "name: [",
    "a key twice": GOOD + "version: 4\n",
    "an unknown field": GOOD + "audiences: [client]\n",
    "a list that names nobody": "name: mine\nversion: 1\ndoc_types: []\n",
    "a version in words": "name: mine\nversion: one\n",
    "a version that is true": "name: mine\nversion: true\n",
    "no name": "version: 1\n",
    "a tag": "name: !!python/object/apply:os.getcwd []\nversion: 1\n",
    "a key that is a number": GOOD + "1: x\n",
    "a date for a word": "name: mine\nversion: 1\ndoc_types: [2026-01-01]\n",
    "deep nesting": "name: " + "[" * 2000,
}


@pytest.mark.parametrize("case", WRONG, ids=str)
def test_a_file_that_is_no_policy_is_refused(case: str, tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    path.write_text(WRONG[case], encoding="utf-8")
    with pytest.raises(PolicyFileError):
        load_policy(path)


def test_bytes_that_are_no_text_and_files_that_are_too_large_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    for data in (b"name: \xff", GOOD.encode() + b"# " + b"x" * 70_000):
        path.write_bytes(data)
        with pytest.raises(PolicyFileError):
            load_policy(path)


def test_an_error_names_fields_and_not_what_they_hold(tmp_path: Path) -> None:
    path = tmp_path / "p.yaml"
    path.write_text("name: SECRET WORDS\nversion: 1\n", encoding="utf-8")
    with pytest.raises(PolicyFileError) as caught:
        load_policy(path)
    assert "SECRET" not in str(caught.value)
    assert "name" in str(caught.value)


@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes_are_a_policy_or_refused(data: bytes) -> None:
    try:
        policy = _read(data, "p")
    except PolicyFileError:
        return
    assert policy.digest().startswith("sha256:")


DAYS = {
    "summer, an hour before midnight in UTC": (datetime(2026, 6, 30, 23, 0, tzinfo=UTC), 20260701),
    "winter, an hour before midnight in UTC": (datetime(2026, 11, 30, 23, 0, tzinfo=UTC), 20261201),
    "noon": (datetime(2026, 11, 30, 12, 0, tzinfo=UTC), 20261130),
    "the last instant of a year": (datetime(2026, 12, 31, 22, 59, 59, tzinfo=UTC), 20261231),
}


@pytest.mark.parametrize("case", DAYS, ids=str)
def test_the_day_is_that_of_the_declared_zone(case: str) -> None:
    moment, day = DAYS[case]
    assert day_for(moment, "Europe/Amsterdam") == day


@pytest.mark.parametrize("zone", ["", "Europe/Atlantis", "../etc/passwd", "/etc/localtime", "\x00"])
def test_a_zone_that_is_none_is_refused(zone: str) -> None:
    with pytest.raises(UnknownZoneError):
        day_for(datetime(2026, 11, 30, tzinfo=UTC), zone)


def test_a_moment_without_a_zone_falls_on_no_day() -> None:
    with pytest.raises(UnknownZoneError):
        day_for(datetime(2026, 11, 30, 12), "Europe/Amsterdam")
