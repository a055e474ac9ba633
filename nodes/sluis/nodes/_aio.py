"""Runs a coroutine to its end from synchronous code, whether or not a loop is running in this thread."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


def blocking(work: Coroutine[Any, Any, T]) -> T:
    """The result of ``work``; where this thread runs a loop already, another thread runs it."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    result: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            result.append(asyncio.run(work))
        except BaseException as error:  # noqa: BLE001 - carried to the caller's thread and raised there
            errors.append(error)

    thread = threading.Thread(target=run, name="sluis-checks")
    thread.start()
    thread.join()
    if errors:
        raise errors[0]
    return result[0]
