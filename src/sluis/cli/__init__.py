"""The command line: one module a verb, loaded when that verb is called."""

from __future__ import annotations

__all__: list[str] = []
