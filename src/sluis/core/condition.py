"""The condition language that policies compile to: positive conditions, pushed down and applied in code.

Every condition says what must *hold*. A field that is absent, empty or of the wrong type does not
hold. There is no negation, so there is nothing that an absent field could satisfy.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from ._model import Value

Text = Annotated[str, Field(min_length=1)]


class AnyOf(Value):
    """A string field equals one of the values; for a list field: one of its members does."""

    op: Literal["any_of"] = "any_of"
    field: Text
    values: Annotated[tuple[Text, ...], Field(min_length=1)]


class Between(Value):
    """An integer field lies within bounds, both inclusive; at least one bound is given."""

    op: Literal["between"] = "between"
    field: Text
    low: int | None = None
    high: int | None = None

    @model_validator(mode="after")
    def _bounded(self) -> Between:
        if self.low is None and self.high is None:
            raise ValueError("a range without bounds admits everything")
        return self


Condition = AnyOf | Between
Conditions = Annotated[tuple[Condition, ...], Field(min_length=1)]
