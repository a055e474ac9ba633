"""A payload is a chunk of schema 1, whole and true, or it is nothing."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluis.core import Chunk, digest_text
from sluis.corpus import CollectionNameError, Hit
from sluis.corpus.conformance import sample_record
from sluis.corpus.store import collection_name, payload_of, point_id, read_payload

CHUNK = sample_record("k1", text="De termijn is 30 dagen.", numbering=("4", "4.2")).chunk


def hit(payload: dict[str, Any], name: str = "k1") -> Hit:
    return Hit(point_id=point_id(name), payload=payload, score=0.0)


def test_what_was_written_reads_back() -> None:
    assert read_payload(hit(payload_of(CHUNK))) == CHUNK


@pytest.mark.parametrize("field", list(Chunk.model_fields))
def test_a_payload_without_any_one_field_is_no_chunk(field: str) -> None:
    payload = payload_of(CHUNK)
    del payload[field]
    assert read_payload(hit(payload)) is None


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(field=st.sampled_from(list(Chunk.model_fields)) | st.text(max_size=10), value=values)
def test_any_change_of_a_payload_gives_a_sound_chunk_or_nothing(field: str, value: Any) -> None:
    read = read_payload(hit(payload_of(CHUNK) | {field: value}))
    if read is not None:
        assert digest_text(read.text) == read.content_digest
        assert read.chunk_id == "k1"
        assert field in Chunk.model_fields


@given(payload=st.dictionaries(st.text(max_size=10), values, max_size=5))
def test_any_payload_is_read_without_an_error(payload: dict[str, Any]) -> None:
    assert read_payload(hit(payload)) is None


def test_a_chunk_under_another_points_id_is_nothing() -> None:
    assert read_payload(hit(payload_of(CHUNK), name="k2")) is None


@pytest.mark.parametrize("name", ["a", "live-1", "0", "a_b", "a" * 64])
def test_names_of_collections(name: str) -> None:
    assert collection_name(name) == name


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "A", "a" * 65, "-a", "a\n", "é"])
def test_what_could_leave_the_folder_is_no_name(name: str) -> None:
    with pytest.raises(CollectionNameError):
        collection_name(name)
