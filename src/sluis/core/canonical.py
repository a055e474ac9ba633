"""Canonical bytes and digests: one spelling for equal data.

JSON is canonicalised by RFC 8785 (JCS). A digest is written ``sha256:<64 hex>``; its algorithm is
part of the value, so that another one can be told apart later.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from typing import Any

import rfc8785
from pydantic import BaseModel

from .errors import InputError

DIGEST_PATTERN = r"^sha256:[0-9a-f]{64}$"
_DIGEST = re.compile(DIGEST_PATTERN)


class NotCanonicalError(InputError):
    """A value has no canonical form: NaN, infinity, an integer above 2**53, a lone surrogate, a non-JSON type."""

    code = "usage.input.not_canonical"


def _plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str | bytes | bytearray):
        return [_plain(item) for item in value]
    return value


def canonical_bytes(value: Any) -> bytes:
    """The RFC 8785 bytes of a JSON value or of one of our models.

    Raises:
        NotCanonicalError: the value has no canonical form.
    """
    try:
        return rfc8785.dumps(_plain(value))
    except (rfc8785.CanonicalizationError, UnicodeEncodeError) as error:
        raise NotCanonicalError(
            f"A value has no canonical JSON form: {type(error).__name__}.",
            hint="Use plain JSON values: finite numbers, integers within 2**53, well-formed text.",
        ) from error


def digest_bytes(data: bytes) -> str:
    """``sha256:<hex>`` of bytes."""
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def digest_text(text: str) -> str:
    """``sha256:<hex>`` of the UTF-8 bytes of a text.

    Raises:
        NotCanonicalError: the text holds a lone surrogate, so it has no UTF-8 form.
    """
    try:
        return digest_bytes(text.encode("utf-8"))
    except UnicodeEncodeError as error:
        raise NotCanonicalError(
            "A text holds a lone surrogate and has no UTF-8 form.", hint="Repair the text at its source."
        ) from error


def digest_of(value: Any) -> str:
    """``sha256:<hex>`` of the canonical bytes of a JSON value or model.

    Raises:
        NotCanonicalError: the value has no canonical form.
    """
    return digest_bytes(canonical_bytes(value))


def is_digest(value: object) -> bool:
    """Whether a value is a digest as this module writes them."""
    return isinstance(value, str) and _DIGEST.fullmatch(value) is not None
