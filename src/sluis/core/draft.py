"""What a model wrote, before anyone may read it."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from ._model import Digest, Value

Offset = Annotated[int, Field(ge=0)]


class CompletionStatus(StrEnum):
    """What a model's response is worth. Only ``ok`` may be verified."""

    OK = "ok"
    EMPTY = "empty"
    TRUNCATED = "truncated"
    REFUSED = "refused"
    THOUGHT_LEAK = "thought_leak"
    TOOL_TRUNCATED = "tool_truncated"
    UNKNOWN_FINISH = "unknown_finish"
    MODEL_RETIRED = "model_retired"
    PIN_MISMATCH = "pin_mismatch"
    QUOTA = "quota"
    RATE_LIMITED = "rate_limited"
    UNAVAILABLE = "unavailable"


class Usage(Value):
    """Tokens of a call; what the provider did not report is ``None``, never zero."""

    input: int | None = None
    output: int | None = None
    reasoning: int | None = None
    cache_hit_ratio: float | None = None


class Completion(Value):
    """A model's response, classified."""

    status: CompletionStatus
    text: str
    """The answer text alone; never thoughts. May be non-empty with a bad status."""
    model: str
    """Who wrote it, as the provider or drafter names itself."""
    drafter: str
    """``chat`` for a language model, ``extractive`` for quoted sentences: said in every output."""
    usage: Usage = Usage()


class Claim(Value):
    """One sentence or list item of a draft and the labels it cites.

    ``text == draft.text[start:end]``, markers included.
    """

    text: str
    start: Offset
    end: Offset
    labels: tuple[str, ...]
    needs_support: bool
    """False only for what states no fact: headings, salutations, declared absence statements."""


class Draft(Value):
    """A completion read as claims."""

    completion: Completion
    claims: tuple[Claim, ...]
    locale: str | None
    """BCP 47, of the draft's own text; ``None``: not declared, so ambiguous values stay ambiguous."""

    @property
    def text(self) -> str:
        """The whole text."""
        return self.completion.text


class DraftHandle(Value):
    """What graph state may know of a draft: nothing of its text."""

    run_id: str
    round: Annotated[int, Field(ge=0)]
    digest: Digest
