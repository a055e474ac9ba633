"""Texts without lone surrogates, which JSON escapes can bring in and no UTF-8 can hold."""

from __future__ import annotations

__all__ = ["well_formed"]

_REPLACEMENT = "�"


def well_formed(text: str) -> str:
    """The text with each lone surrogate replaced by U+FFFD; its length stays."""
    if text.isascii():
        return text
    return "".join(_REPLACEMENT if "\ud800" <= character <= "\udfff" else character for character in text)
