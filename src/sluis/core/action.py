"""What is asked and what would go out."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from ._model import Day, Digest, Value
from .clock import Ids


class ActionKind(StrEnum):
    """The ways out. Each has one transport."""

    DOCUMENT = "document"
    """A file, published atomically; the recipient is its name within the publishing folder."""
    MAIL = "mail"
    """One message to one mailbox."""


class Request(Value):
    """One question and where its answer may go. Recorded at the start of a run; never taken from state again.

    ``request_id`` is the idempotency key: a run, its replays and its forks act at most once for it.
    """

    request_id: Annotated[str, Field(min_length=8, max_length=128, pattern=r"^[A-Za-z0-9_.-]+$")]
    question: Annotated[str, Field(min_length=1, max_length=8000)]
    kind: ActionKind = ActionKind.DOCUMENT
    recipients: Annotated[tuple[str, ...], Field(min_length=1, max_length=100)]
    subject: Annotated[str, Field(max_length=200)] = ""
    """Of a mail, or the title of a document; empty: derived from nothing the model wrote."""
    audience: Annotated[str, Field(min_length=1)]
    """The group the recipients belong to; a chunk is admissible only if its audience names it."""
    tenant: Annotated[str, Field(min_length=1)]
    locale: Annotated[str, Field(min_length=2)] = "nl-NL"
    as_of: Day | None = None
    """Calendar date on which the sources must be in force; ``None``: the day the run starts."""

    @classmethod
    def new(
        cls,
        question: str,
        *,
        recipients: tuple[str, ...],
        audience: str,
        tenant: str,
        ids: Ids,
        kind: ActionKind = ActionKind.DOCUMENT,
        subject: str = "",
        locale: str = "nl-NL",
        as_of: int | None = None,
    ) -> Request:
        """A request with a fresh id."""
        return cls(
            request_id=ids.fresh("req"),
            question=question,
            kind=kind,
            recipients=recipients,
            subject=subject,
            audience=audience,
            tenant=tenant,
            locale=locale,
            as_of=as_of,
        )


class Payload(Value):
    """The exact bytes for one recipient, by digest; the bytes themselves are kept beside it."""

    kind: ActionKind
    recipient: str
    media_type: str
    digest: Digest
    size: Annotated[int, Field(ge=1)]
