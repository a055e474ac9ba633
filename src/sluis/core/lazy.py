"""Names of a package that are loaded when they are asked for, so that a small verb does not pay for a large library."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any


def attribute(package: str, homes: Mapping[str, str], name: str) -> Any:
    """For a package's ``__getattr__`` (PEP 562).

    Args:
        package: its ``__name__``.
        homes: name to the submodule that defines it.
        name: what is asked for.

    Raises:
        AttributeError: the package has no such name.
    """
    home = homes.get(name)
    if home is None:
        raise AttributeError(f"module {package!r} has no attribute {name!r}")
    return getattr(import_module(f"{package}.{home}"), name)
