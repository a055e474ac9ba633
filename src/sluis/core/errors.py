"""Every way in which sluis can refuse or fail, as one tree.

::

    SluisError
    ├── UsageError            the caller's input or configuration is wrong      (exit 2)
    │   ├── InputError            one document, case, record or message is malformed
    │   └── ConfigurationError    the program is put together wrongly
    │       └── MissingExtraError     an optional dependency is not installed
    ├── RefusedError          the guarantee says no                              (exit 1)
    ├── UndecidedError        it could not be decided, so nothing passes         (exit 3)
    │   └── DeadlineError         the time for deciding ran out
    └── IntegrityError        stored data is not what was written                (exit 3)

A verdict is a value (:class:`sluis.core.Verdict`), never an exception. An exception here means
"could not decide" or "may not"; every caller treats both as a refusal.

Leaves live with the code that raises them. Each sets a stable ``code`` (dotted, lower case, unique:
a test holds that) and a :class:`Retry` class, so that programs can react without reading messages.
"""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar


class Retry(StrEnum):
    """What repeating the same call may bring."""

    NEVER = "never"
    """The same call can only end the same way."""
    AFTER_FIX = "after_fix"
    """Worth repeating once a person has changed the input or the set-up."""
    LATER = "later"
    """The cause lies outside and may pass by itself."""


class SluisError(Exception):
    """Base of all errors of this project.

    Args:
        message: what happened, to what; one sentence for a person. Never holds draft text, chunk
            text or a secret, for messages end up in logs, traces and streams.
        hint: what to do now; one sentence.
        **subject: what it happened to, as short printable facts (ids, digests, paths).
    """

    code: ClassVar[str] = "sluis"
    retry: ClassVar[Retry] = Retry.NEVER
    exit_code: ClassVar[int] = 3

    def __init__(self, message: str, *, hint: str = "", **subject: str | int | float | None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.subject = subject

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".rstrip() if self.hint else self.message

    def diagnostics(self) -> dict[str, object]:
        """The error as plain JSON values: ``code``, ``message``, ``hint``, ``retry``, ``subject``."""
        return {
            "code": self.code,
            "message": self.message,
            "hint": self.hint,
            "retry": self.retry.value,
            "subject": {key: value for key, value in self.subject.items() if value is not None},
        }


class UsageError(SluisError):
    """The caller's input or configuration is wrong; nothing was changed."""

    code = "usage"
    retry = Retry.AFTER_FIX
    exit_code = 2


class InputError(UsageError):
    """One piece of input (a document, a case, a record, a message) is malformed."""

    code = "usage.input"


class ConfigurationError(UsageError):
    """The program is put together wrongly: a graph, a policy, a setting."""

    code = "usage.configuration"


class MissingExtraError(ConfigurationError):
    """An optional dependency is needed and not installed.

    Args:
        extra: the extra of the ``sluis`` distribution that brings it.
        purpose: what needs it.
    """

    code = "usage.missing_extra"

    def __init__(self, extra: str, *, purpose: str) -> None:
        super().__init__(
            f"{purpose} needs the extra {extra!r}, which is not installed.",
            hint=f"Install it with: pip install 'sluis[{extra}]'",
            extra=extra,
        )


class RefusedError(SluisError):
    """The guarantee says no; nothing left the program."""

    code = "refused"
    exit_code = 1


class UndecidedError(SluisError):
    """It could not be decided, so nothing passes; the same call may succeed later."""

    code = "undecided"
    retry = Retry.LATER
    exit_code = 3


class DeadlineError(UndecidedError):
    """The time for deciding ran out."""

    code = "undecided.deadline"


class IntegrityError(SluisError):
    """Stored data is not what was written: a broken hash chain, an undecodable checkpoint."""

    code = "integrity"
    exit_code = 3
