"""A response's body, decompressed under a cap: a bomb is noticed at the cap, not after it went off."""

from __future__ import annotations

import zlib

from .fault import SourceFaultError

__all__ = ["BoundedBody"]

_GZIP_OR_ZLIB = 32 + zlib.MAX_WBITS


class BoundedBody:
    """Collects a body chunk by chunk.

    Args:
        encoding: the ``Content-Encoding`` header; empty or ``identity``, ``gzip``, ``x-gzip`` or ``deflate``. Chains of
            encodings are refused, for they have no use but bombs.
        limit: most bytes the decompressed body may have.

    Raises:
        SourceFaultError: ``bad_encoding``.
    """

    def __init__(self, encoding: str, *, limit: int) -> None:
        name = encoding.strip().lower()
        if name not in ("", "identity", "gzip", "x-gzip", "deflate"):
            raise SourceFaultError("bad_encoding", "The content encoding is not gzip or deflate.")
        self._inflate = None if name in ("", "identity") else zlib.decompressobj(_GZIP_OR_ZLIB)
        self._limit = limit
        self._size = 0
        self._parts: list[bytes] = []

    def feed(self, data: bytes) -> None:
        """Add what came over the wire.

        Raises:
            SourceFaultError: ``too_large`` or ``bad_encoding``.
        """
        if self._inflate is None:
            self._add(data)
            return
        try:
            self._add(self._inflate.decompress(data, self._limit - self._size + 1))
        except zlib.error:
            raise SourceFaultError("bad_encoding", "The compressed body is broken.") from None
        if self._inflate.eof and self._inflate.unused_data:
            raise SourceFaultError("bad_encoding", "The compressed body is followed by other bytes.")

    def _add(self, data: bytes) -> None:
        self._size += len(data)
        if self._size > self._limit:
            raise SourceFaultError("too_large", f"The answer has more than {self._limit} bytes.")
        self._parts.append(data)

    def finish(self) -> bytes:
        """The whole body.

        Raises:
            SourceFaultError: ``bad_encoding`` when the compressed data ends early.
        """
        if self._inflate is not None and self._size and not self._inflate.eof:
            raise SourceFaultError("bad_encoding", "The compressed body was cut off.")
        return b"".join(self._parts)
