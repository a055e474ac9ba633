"""The deploy manifest on disk: read strictly, written atomically."""

from __future__ import annotations

import json
import os
from pathlib import Path

from sluis.core import Manifest, SluisError, UndecidedError

from .errors import ManifestDamagedError, ManifestMissingError

_MAX_BYTES = 4 * 1024 * 1024


def read_manifest(path: Path) -> Manifest:
    """The manifest in force.

    Raises:
        ManifestMissingError: there is none, so nothing is allowed.
        ManifestDamagedError: it is no manifest.
    """
    try:
        with path.open("rb") as stream:
            data = stream.read(_MAX_BYTES)
    except FileNotFoundError as error:
        raise ManifestMissingError(
            "There is no deploy manifest, so nothing is allowed to serve.", hint="Run `sluis ingest`.", path=str(path)
        ) from error
    except OSError as error:
        raise ManifestDamagedError(
            f"The deploy manifest cannot be read: {error.strerror}.", hint="Look at its rights.", path=str(path)
        ) from error
    try:
        return Manifest.from_json(data)
    except SluisError as error:
        raise ManifestDamagedError(
            f"The deploy manifest is not one. {error.message}",
            hint="Write it again with `sluis ingest`.",
            path=str(path),
        ) from error


def write_manifest(path: Path, manifest: Manifest) -> None:
    """Write a manifest so that a reader sees the old one or the new one, whole.

    Raises:
        ManifestDamagedError: it cannot be written.
    """
    text = json.dumps(manifest.to_json(), indent=2, sort_keys=True) + "\n"
    draft = path.with_name(f".{path.name}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with draft.open("w", encoding="utf-8") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(path)
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        raise ManifestDamagedError(
            f"The deploy manifest cannot be written: {error.strerror}.", hint="Look at the folder.", path=str(path)
        ) from error


def allow(
    path: Path,
    *,
    fingerprint: str,
    pins: str,
    policy: str,
    permit_seconds: int | None = None,
    hold_seconds: int | None = None,
    time_zone: str | None = None,
) -> Manifest:
    """Let one index under one policy serve, and nothing else; what served before no longer does.

    Args:
        path: of the manifest; made when it is not there.
        fingerprint, pins, policy: digests, as an ingest and a policy give them.
        permit_seconds, hold_seconds, time_zone: settings; ``None``: as they are, or the default.

    Returns:
        The manifest as written; an equal one is not written again.
    """
    try:
        known: Manifest | None = read_manifest(path)
    except UndecidedError:
        known = None
    base = known or Manifest(fingerprints=(), pins=(), policies=())
    given = {"permit_seconds": permit_seconds, "hold_seconds": hold_seconds, "time_zone": time_zone}
    data = base.to_json() | {key: value for key, value in given.items() if value is not None}
    data |= {"fingerprints": [fingerprint], "pins": [pins], "policies": [policy]}
    manifest = Manifest.from_json(data)
    if manifest != known:
        write_manifest(path, manifest)
    return manifest
