"""The policy: one frozen value with two faces that agree.

:meth:`Policy.conditions` is what the store is asked; :meth:`Policy.exclusion_reasons` is the same in code, with a
reason for each thing that does not hold. For every chunk, request and day: all conditions hold exactly when there
is no reason (a property test says so).
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from sluis.core import NO_END, AnyOf, Between, Chunk, Condition, Day, Marker, Request, Value, digest_of

FIRST_DAY: Day = 1_01_01
"""The first calendar date there is, as an integer ``yyyymmdd``."""

Word = Annotated[str, Field(min_length=1, max_length=512)]
Words = Annotated[tuple[Word, ...], Field(min_length=1)]


class Policy(Value):
    """What a chunk must satisfy to be shown.

    Four things always must hold and cannot be switched off: the marker is ``current``; the day lies within the
    validity, both ends included; the audience names the request's; the tenant is the request's. The lists narrow
    that further. A list that is left out does not narrow; one that is empty is refused, for "nobody" and
    "everybody" must not look alike.
    """

    name: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,63}$")]
    version: Annotated[int, Field(ge=1)]
    doc_types: Words | None = None
    """Kinds of document that may be shown."""
    source_kinds: Words | None = None
    """Kinds of source they may come from."""
    languages: Words | None = None
    """Languages they may be in."""

    @model_validator(mode="after")
    def _distinct(self) -> Policy:
        for words in (self.doc_types, self.source_kinds, self.languages):
            if words is not None and len(set(words)) != len(words):
                raise ValueError("a list names something twice")
        return self

    def conditions(self, request: Request, day: int) -> tuple[Condition, ...]:
        """What the store is asked: positive conditions, all of which must hold.

        Args:
            request: gives audience and tenant.
            day: calendar date ``yyyymmdd``.
        """
        asked: list[Condition] = [
            AnyOf(field="marker", values=(Marker.CURRENT.value,)),
            AnyOf(field="tenant", values=(request.tenant,)),
            AnyOf(field="audience", values=(request.audience,)),
            # Bounded on both sides, so that a number that is no day (0) satisfies neither.
            Between(field="valid_from", low=FIRST_DAY, high=day),
            Between(field="valid_to", low=day, high=NO_END),
        ]
        for field, words in (
            ("doc_type", self.doc_types),
            ("source_kind", self.source_kinds),
            ("language", self.languages),
        ):
            if words is not None:
                asked.append(AnyOf(field=field, values=words))
        return tuple(asked)

    def exclusion_reasons(self, chunk: Chunk, request: Request, day: int) -> tuple[str, ...]:
        """Why a chunk may not be shown, in a fixed order; empty: it may.

        Reasons: ``tenant``, ``audience``, ``marker_withdrawn``, ``marker_superseded``, ``marker_unknown``,
        ``not_yet_valid``, ``no_longer_valid``, ``doc_type``, ``source_kind``, ``language``.
        """
        reasons: list[str] = []
        if chunk.tenant != request.tenant:
            reasons.append("tenant")
        if request.audience not in chunk.audience:
            reasons.append("audience")
        if chunk.marker is not Marker.CURRENT:
            reasons.append(f"marker_{chunk.marker.value}")
        if chunk.valid_from > day:
            reasons.append("not_yet_valid")
        if chunk.valid_to < day:
            reasons.append("no_longer_valid")
        if self.doc_types is not None and chunk.doc_type not in self.doc_types:
            reasons.append("doc_type")
        if self.source_kinds is not None and chunk.source_kind not in self.source_kinds:
            reasons.append("source_kind")
        if self.languages is not None and chunk.language not in self.languages:
            reasons.append("language")
        return tuple(reasons)

    def digest(self) -> str:
        """What the manifest allows and a verdict names; any change of the policy changes it."""
        return digest_of(self)
