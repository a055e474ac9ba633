"""Which model may answer: a name, compared for equality with what the provider says answered."""

from __future__ import annotations

from dataclasses import dataclass

from sluis.core import ConfigurationError

__all__ = ["ModelPin", "PinMalformedError"]


class PinMalformedError(ConfigurationError):
    """A model pin names no model."""

    code = "usage.configuration.pin_malformed"


@dataclass(frozen=True, kw_only=True)
class ModelPin:
    """The model a call site is pinned to.

    Attributes:
        model: the full name, as the provider reports it.
        aliases: other spellings that are known to be the same model; each is compared whole.
        allow_unreported: whether an answer that names no model counts as the pinned one.
    """

    model: str
    aliases: frozenset[str] = frozenset()
    allow_unreported: bool = False

    def __post_init__(self) -> None:
        if not self.model.strip() or any(not alias.strip() for alias in self.aliases):
            raise PinMalformedError("A model pin is empty.", hint="Name the model with its full revision.")

    def allows(self, reported: str | None, *, merged: bool = False) -> bool:
        """Whether an answer by ``reported`` is an answer by the pinned model.

        Args:
            reported: the name in the response; ``None`` or empty: not reported.
            merged: the response was put together from stream parts, so the name may stand there several times
                over (``m-1m-1``); only whole repetitions of an allowed name count.
        """
        if not reported:
            return self.allow_unreported
        names = {self.model, *self.aliases}
        if reported in names:
            return True
        return merged and any(
            len(reported) % len(name) == 0 and reported == name * (len(reported) // len(name)) for name in names
        )
