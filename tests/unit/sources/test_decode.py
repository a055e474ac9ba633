"""Bodies under a cap."""

from __future__ import annotations

import gzip
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluis.sources import SourceFaultError
from sluis.sources._decode import BoundedBody


def collect(data: bytes, *, encoding: str = "", limit: int = 1000, piece: int = 7) -> bytes:
    body = BoundedBody(encoding, limit=limit)
    for start in range(0, len(data), piece):
        body.feed(data[start : start + piece])
    return body.finish()


@given(data=st.binary(max_size=1000), piece=st.integers(1, 400))
def test_a_body_comes_out_as_it_went_in(data: bytes, piece: int) -> None:
    assert collect(data, piece=piece) == data
    assert collect(data, encoding=" Identity ", piece=piece) == data
    assert collect(gzip.compress(data), encoding="GZIP", piece=piece) == data
    assert collect(gzip.compress(data), encoding="x-gzip", piece=piece) == data
    assert collect(zlib.compress(data), encoding="deflate", piece=piece) == data


@pytest.mark.parametrize("encoding", ["", "gzip"])
def test_one_byte_above_the_limit_is_too_large(encoding: str) -> None:
    whole = bytes(1000)
    wrap = gzip.compress if encoding else bytes
    assert collect(wrap(whole), encoding=encoding) == whole
    with pytest.raises(SourceFaultError) as caught:
        collect(wrap(whole + b"\0"), encoding=encoding)
    assert caught.value.reason == "too_large"


def test_a_bomb_is_noticed_at_the_cap_not_after_it_went_off() -> None:
    bomb = gzip.compress(bytes(200_000_000), compresslevel=1)
    body = BoundedBody("gzip", limit=1000)
    with pytest.raises(SourceFaultError):
        body.feed(bomb)
    assert sum(map(len, body._parts)) <= 1000


BROKEN = {
    "not compressed at all": b"<open-rechtspraak/>",
    "cut off": gzip.compress(b"abc" * 100)[:-9],
    "something behind it": gzip.compress(b"abc") + b"more",
    "a second member behind it": gzip.compress(b"abc") + gzip.compress(b"def"),
    "a wrong checksum": gzip.compress(b"abc")[:-8] + b"\0" * 8,
}


@pytest.mark.parametrize("piece", [5, 10_000])
@pytest.mark.parametrize("case", BROKEN)
def test_broken_compression_is_no_body(case: str, piece: int) -> None:
    with pytest.raises(SourceFaultError) as caught:
        collect(BROKEN[case], encoding="gzip", piece=piece)
    assert caught.value.reason == "bad_encoding"


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip, gzip", "compress", "gzip;q=1"])
def test_other_encodings_are_refused(encoding: str) -> None:
    with pytest.raises(SourceFaultError) as caught:
        BoundedBody(encoding, limit=10)
    assert caught.value.reason == "bad_encoding"


def test_no_bytes_under_any_encoding_are_an_empty_body() -> None:
    assert collect(b"", encoding="gzip") == b""
