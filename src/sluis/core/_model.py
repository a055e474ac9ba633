"""The base of all values that cross a boundary."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any, Self

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from .canonical import DIGEST_PATTERN, canonical_bytes
from .errors import InputError

Digest = Annotated[str, Field(pattern=DIGEST_PATTERN)]
"""``sha256:<64 hex>``."""

Moment = Annotated[AwareDatetime, AfterValidator(lambda value: value.astimezone(UTC))]
"""An instant: aware, kept in UTC."""

Day = Annotated[int, Field(ge=1_01_01, le=9999_12_31)]
"""A calendar date as an integer ``yyyymmdd``; 99991231 is the explicit "no end date"."""

NO_END: Day = 9999_12_31


class MalformedValueError(InputError):
    """JSON or Python values do not fit the type they are read as."""

    code = "usage.input.malformed_value"


class Value(BaseModel):
    """A frozen, keyword-only value with an exact JSON round trip.

    Unknown fields are refused and nothing is coerced: ``"1"`` is not 1 and ``0`` is not ``False``.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, ser_json_inf_nan="constants")

    def to_json(self) -> dict[str, Any]:
        """The value as plain JSON types."""
        return self.model_dump(mode="json")

    def canonical(self) -> bytes:
        """Its RFC 8785 bytes."""
        return canonical_bytes(self)

    @classmethod
    def from_json(cls, data: Any) -> Self:
        """Read what :meth:`to_json` wrote (a mapping), or JSON text or bytes.

        Raises:
            MalformedValueError: it does not fit; the message names fields, never their contents.
        """
        try:
            if isinstance(data, str | bytes):
                return cls.model_validate_json(data)
            return cls.model_validate_json(canonical_bytes(data))
        except ValidationError as error:
            places = "; ".join(
                f"{'.'.join(str(part) for part in item['loc']) or 'value'}: {item['type']}"
                for item in error.errors(include_input=False, include_url=False)
            )
            raise MalformedValueError(
                f"Not a valid {cls.__name__}: {places}.",
                hint="Correct the fields that are named.",
            ) from None


def day_of(moment: datetime) -> int:
    """The calendar date of an aware datetime in its own zone, as ``yyyymmdd``."""
    return moment.year * 10_000 + moment.month * 100 + moment.day
