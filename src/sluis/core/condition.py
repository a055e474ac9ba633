"""The condition language that policies compile to: positive conditions, pushed down and applied in code.

Every condition says what must *hold*. A field that is absent, empty or of the wrong type does not
hold. There is no negation, so there is nothing that an absent field could satisfy.

:func:`holds` is the meaning of a condition; every store must agree with it (the conformance suite compares them).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from ._model import Value
from .errors import ConfigurationError

Text = Annotated[str, Field(min_length=1)]

FieldKind = Literal["text", "texts", "integer"]

CONDITION_FIELDS: Mapping[str, FieldKind] = {
    "marker": "text",
    "tenant": "text",
    "audience": "texts",
    "doc_type": "text",
    "language": "text",
    "source_id": "text",
    "source_kind": "text",
    "family": "text",
    "version": "text",
    "chunk_id": "text",
    "valid_from": "integer",
    "valid_to": "integer",
    "position": "integer",
}
"""Payload fields that a condition may speak of, with the type that their values have. Stores index these."""


class ConditionError(ConfigurationError):
    """A condition speaks of a field that no payload has, or bounds it by the wrong type; or there is no condition."""

    code = "usage.configuration.condition"


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


def checked(conditions: Iterable[Condition]) -> tuple[Condition, ...]:
    """The conditions, once it is certain that each can be asked of a payload.

    A range over text or a list of words over a day would silently match nothing in some engines and something
    else in others; here it is an error, so that "no source found" never stands for a wrong question.

    Raises:
        ConditionError: none at all, an unknown field, or a field of the other type.
    """
    result = tuple(conditions)
    if not result:
        raise ConditionError("An empty list of conditions admits everything.", hint="Name what must hold.")
    for condition in result:
        kind = CONDITION_FIELDS.get(condition.field)
        if kind is None:
            raise ConditionError(
                f"No payload field is called {condition.field!r}.",
                hint=f"One of: {', '.join(sorted(CONDITION_FIELDS))}.",
                field=condition.field,
            )
        if isinstance(condition, Between) != (kind == "integer"):
            raise ConditionError(
                f"The field {condition.field!r} holds {kind}, which {condition.op!r} cannot compare.",
                hint="Use any_of for text and between for integers.",
                field=condition.field,
            )
    return result


def holds(condition: Condition, payload: Mapping[str, Any]) -> bool:
    """Whether a payload satisfies a condition. Absent, null, empty or wrongly typed values never do."""
    value = payload.get(condition.field)
    if isinstance(condition, AnyOf):
        if isinstance(value, str):
            return value in condition.values
        if isinstance(value, list | tuple):
            return any(isinstance(item, str) and item in condition.values for item in value)
        return False
    # bool is an int in Python and not in a payload.
    if not isinstance(value, int) or isinstance(value, bool):
        return False
    return (condition.low is None or condition.low <= value) and (condition.high is None or value <= condition.high)
