"""The deploy manifest on disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from sluis.core import digest_text
from sluis.corpus.errors import ManifestDamagedError, ManifestMissingError
from sluis.corpus.manifest_file import allow, read_manifest, write_manifest

A, B, P = (digest_text(name) for name in "abp")


def test_what_is_allowed_replaces_what_was(tmp_path: Path) -> None:
    path = tmp_path / "state" / "manifest.json"
    first = allow(path, fingerprint=A, pins=P, policy=P, hold_seconds=5, time_zone="Europe/Brussels")
    assert read_manifest(path) == first
    second = allow(path, fingerprint=B, pins=P, policy=P)
    assert (second.fingerprints, second.hold_seconds, second.time_zone) == ((B,), 5, "Europe/Brussels")
    assert read_manifest(path) == second
    assert [item.name for item in path.parent.iterdir()] == ["manifest.json"]


def test_an_equal_manifest_is_not_written_again(tmp_path: Path) -> None:
    path = tmp_path / "manifest.json"
    allow(path, fingerprint=A, pins=P, policy=P)
    before = path.stat().st_mtime_ns
    path.touch()
    touched = path.stat().st_mtime_ns
    allow(path, fingerprint=A, pins=P, policy=P)
    assert path.stat().st_mtime_ns == touched >= before


def test_no_manifest_allows_nothing(tmp_path: Path) -> None:
    with pytest.raises(ManifestMissingError):
        read_manifest(tmp_path / "manifest.json")


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"fingerprints": ["x"], "pins": [], "policies": []}', "\ud800"])
def test_a_damaged_manifest_is_never_read_as_one(tmp_path: Path, text: str) -> None:
    path = tmp_path / "manifest.json"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(ManifestDamagedError):
        read_manifest(path)
    with pytest.raises(ManifestDamagedError):
        allow(path, fingerprint=A, pins=P, policy=P)


def test_a_place_that_cannot_be_read_or_written(tmp_path: Path) -> None:
    with pytest.raises(ManifestDamagedError):
        read_manifest(tmp_path)
    blocked = tmp_path / "file"
    blocked.write_text("x")
    manifest = allow(tmp_path / "manifest.json", fingerprint=A, pins=P, policy=P)
    with pytest.raises(ManifestDamagedError):
        write_manifest(blocked / "manifest.json", manifest)
