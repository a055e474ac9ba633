"""Runs a coroutine to its end from synchronous code, whether or not a loop is running in this thread."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def blocking(work: Coroutine[Any, Any, T]) -> T:
    """The result of ``work``; where this thread runs a loop already, another thread runs it."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="sluis-relay") as pool:
        return pool.submit(asyncio.run, work).result()
