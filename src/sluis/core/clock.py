"""Time and chance, passed in. Nothing that decides calls ``now()`` or ``random`` by itself."""

from __future__ import annotations

import secrets
import threading
import time
from datetime import UTC, datetime, timedelta
from typing import Protocol

from .errors import UndecidedError


class ClockWentBackwardsError(UndecidedError):
    """The wall clock reads earlier than it did before; what expires cannot be judged, so everything holds."""

    code = "undecided.clock_went_backwards"


class Clock(Protocol):
    """Where the time comes from."""

    def now(self) -> datetime:
        """The wall clock, aware, in UTC."""
        ...

    def monotonic(self) -> float:
        """Seconds from an arbitrary start; never goes backwards. For deadlines and durations."""
        ...


class SystemClock:
    """The machine's clock.

    A step back of more than ``tolerance`` (default 2 s, above what NTP slews in one go) raises
    :class:`ClockWentBackwardsError` until the clock has caught up again.
    """

    def __init__(self, *, tolerance: timedelta = timedelta(seconds=2)) -> None:
        self._tolerance = tolerance
        self._latest = datetime.min.replace(tzinfo=UTC)
        self._lock = threading.Lock()

    def now(self) -> datetime:
        now = datetime.now(UTC)
        with self._lock:
            if now + self._tolerance < self._latest:
                raise ClockWentBackwardsError(
                    f"The clock reads {now.isoformat()}, earlier than {self._latest.isoformat()} read before.",
                    hint="Correct the machine's time; nothing is released until it has caught up.",
                )
            self._latest = max(self._latest, now)
        return now

    def monotonic(self) -> float:
        return time.monotonic()


class ManualClock:
    """A clock that stands still until moved; for tests and replays."""

    def __init__(self, start: datetime) -> None:
        if start.tzinfo is None:
            raise ValueError("a clock needs an aware datetime")
        self._now = start.astimezone(UTC)
        self._monotonic = 0.0

    def now(self) -> datetime:
        return self._now

    def monotonic(self) -> float:
        return self._monotonic

    def advance(self, seconds: float) -> None:
        """Move both clocks forward by ``seconds``."""
        self._now += timedelta(seconds=seconds)
        self._monotonic += seconds

    def step(self, seconds: float) -> None:
        """Move the wall clock alone, as an administrator or NTP might; negative goes back."""
        self._now += timedelta(seconds=seconds)


class Ids(Protocol):
    """Where fresh identifiers come from."""

    def fresh(self, prefix: str) -> str:
        """A new identifier ``<prefix>_<token>`` that no one can guess."""
        ...


class RandomIds:
    """Identifiers of 128 random bits from the operating system."""

    def fresh(self, prefix: str) -> str:
        return f"{prefix}_{secrets.token_hex(16)}"


class CountedIds:
    """Identifiers ``<prefix>_0001``, ``_0002``, ...; for tests and golden files."""

    def __init__(self) -> None:
        self._count = 0
        self._lock = threading.Lock()

    def fresh(self, prefix: str) -> str:
        with self._lock:
            self._count += 1
            return f"{prefix}_{self._count:04d}"
