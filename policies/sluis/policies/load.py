"""Policies by name: built in, or a YAML file of the project."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from sluis.core import ConfigurationError, InputError
from sluis.core.plain_yaml import MAX_YAML, read_yaml

from .policy import Policy

BUILTIN_POLICIES = ("client_facing",)
"""Names of the packaged policies."""

_PREFIX = "builtin:"


class UnknownPolicyError(ConfigurationError):
    """No built-in policy of that name, or no such file."""

    code = "usage.configuration.unknown_policy"


class PolicyFileError(ConfigurationError):
    """A policy file is not one policy."""

    code = "usage.configuration.policy_file"


def load_policy(spec: str | Path, *, root: Path | None = None) -> Policy:
    """The policy that a project names.

    Args:
        spec: ``builtin:NAME``, or the path of a YAML file.
        root: where a relative path starts; default: the current folder.

    Raises:
        UnknownPolicyError: there is none of that name.
        PolicyFileError: the file is no policy; the message names fields, never what they hold.
    """
    text = str(spec)
    if text.startswith(_PREFIX):
        name = text.removeprefix(_PREFIX)
        if name not in BUILTIN_POLICIES:
            raise UnknownPolicyError(
                f"There is no built-in policy {name!r}.", hint=f"One of: {', '.join(BUILTIN_POLICIES)}."
            )
        return _read((files("sluis.policies") / "builtin" / f"{name}.yaml").read_bytes(), text)
    path = (root or Path()) / spec
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_YAML * 4 + 1)
    except OSError as error:
        raise UnknownPolicyError(
            f"Cannot read the policy {path}: {error.strerror}.", hint="Name a YAML file, or builtin:client_facing."
        ) from error
    return _read(data, str(path))


def _read(data: bytes, name: str) -> Policy:
    hint = "See docs/payload.md for the fields of a policy."
    try:
        value = read_yaml(data.decode("utf-8"))
        if not isinstance(value, dict):
            raise PolicyFileError(f"{name} is not a mapping.", hint=hint)
        return Policy.from_json(value)
    except UnicodeDecodeError as error:
        raise PolicyFileError(f"{name} is not UTF-8.", hint=hint) from error
    except InputError as error:
        raise PolicyFileError(f"{name} is no policy. {error.message}", hint=hint) from error
