"""Calendar days: validity is a date in one declared zone, never an instant."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from sluis.core import ConfigurationError, day_of


class UnknownZoneError(ConfigurationError):
    """Not the name of a time zone, or a moment without one."""

    code = "usage.configuration.unknown_zone"


def day_for(now: datetime, zone: str) -> int:
    """The calendar date (``yyyymmdd``) that an instant falls on in a zone.

    Args:
        now: an aware datetime.
        zone: IANA name, as ``Europe/Amsterdam``.

    Raises:
        UnknownZoneError: no such zone, or ``now`` is naive, so that it is no instant at all.
    """
    if now.utcoffset() is None:
        raise UnknownZoneError("A moment without a time zone falls on no day.", hint="Pass an aware datetime.")
    try:
        return day_of(now.astimezone(ZoneInfo(zone)))
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise UnknownZoneError("That is no known time zone.", hint="Use an IANA name: Europe/Amsterdam.") from error
