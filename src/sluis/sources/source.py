"""What a live source is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from sluis.core import SourceState

from .reasons import reason

if TYPE_CHECKING:
    from .client import SourceClient

__all__ = ["Judgement", "Source"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Judgement:
    """What a source says of one reference.

    Attributes:
        reason: a code of :mod:`sluis.sources.reasons`; the state follows from it and from nothing else.
        detail: what in the record says so, for a person.
        digest: of the body that was read; ``None`` when there was none.
    """

    reason: str
    detail: str = ""
    digest: str | None = None

    @property
    def state(self) -> SourceState:
        """The state that the reason stands for."""
        return reason(self.reason).state

    @property
    def transient(self) -> bool:
        """Whether asking again may bring another answer."""
        return reason(self.reason).transient


class Source(Protocol):
    """One kind of citation and where it is settled.

    A source keeps no state between calls and makes one request for a reference. It gets no deadline of its own: the
    gateway cancels :meth:`status` when the time for the whole gate is over.
    """

    @property
    def kind(self) -> str:
        """The kind of :class:`sluis.core.Citation` that it settles."""
        ...

    @property
    def private_hosts(self) -> frozenset[str]:
        """Hosts, in lower case, that the configuration named and that may be on loopback or a private address."""
        ...

    def normalise(self, value: str) -> str | None:
        """The one spelling of a reference, or ``None`` when it is none of this kind."""
        ...

    def url(self, value: str) -> str:
        """Where a reference in normal form is asked."""
        ...

    async def status(self, value: str, *, client: SourceClient) -> Judgement:
        """Ask about a reference in normal form.

        Raises:
            SourceFaultError: the source could not be asked, or its answer not be believed.
        """
        ...
