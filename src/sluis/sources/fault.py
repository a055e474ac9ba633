"""How a source says that it could not be read."""

from __future__ import annotations

from sluis.core import UndecidedError

from .reasons import reason

__all__ = ["SourceFaultError"]


class SourceFaultError(UndecidedError):
    """A source could not be asked or its answer not be believed. The gateway turns it into ``unverifiable``.

    Args:
        code: a reason code of :mod:`sluis.sources.reasons`.
        detail: what happened, for a person; nothing of the answer's content.
        digest: of the body, when one was read.
    """

    code = "undecided.source_fault"

    def __init__(self, code: str, detail: str = "", *, digest: str | None = None) -> None:
        super().__init__(detail or reason(code).words, reason=code)
        self.reason = code
        self.detail = detail
        self.digest = digest
