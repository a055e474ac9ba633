"""The rule on being killed: a child process writes, is killed, and what it had acknowledged must be there."""

from __future__ import annotations

import importlib
import signal
import subprocess
import sys
import threading
from pathlib import Path

from ._conformance_samples import ANYTHING, DIMENSION, QUERY, NotConformingError, must, sample_record
from .store import Store, read_payload


def _opened(opener: str, folder: Path) -> Store:
    module, _, attribute = opener.partition(":")
    store: Store = getattr(importlib.import_module(module), attribute)(folder)
    return store


def kill_while_writing(opener: str, folder: Path, *, rounds: int = 3, timeout_s: float = 60.0) -> int:
    """Kill a process (SIGKILL) while it writes, and look that nothing it had acknowledged is lost.

    Args:
        opener: ``package.module:function``, a function that opens the store in a folder; the child imports it.
        folder: where.
        rounds: how often.
        timeout_s: for one child to write enough.

    Returns:
        How many acknowledged chunks were found again.

    Raises:
        NotConformingError: one was lost, or cannot be read, or the child did not write at all.
    """
    acknowledged: set[str] = set()
    for number in range(rounds):
        acknowledged |= _killed(opener, folder, number, timeout_s)
        store = _opened(opener, folder)
        try:
            found = {str(hit.payload.get("chunk_id")): read_payload(hit) for hit in store.scroll("conf-kill")}
            searched = store.search("conf-kill", QUERY, conditions=ANYTHING, limit=10)
        finally:
            store.close()
        must(acknowledged <= set(found), "what a write returned from survives a kill")
        must(all(chunk is not None for chunk in found.values()), "no half payload is left by a kill")
        must(len(searched) > 0, "a search works after a kill")
    return len(acknowledged)


def _killed(opener: str, folder: Path, number: int, timeout_s: float) -> set[str]:
    command = [sys.executable, "-m", "sluis.corpus._conformance_kill", opener, str(folder), str(number)]
    written: set[str] = set()
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603 - our own interpreter
    timer = threading.Timer(timeout_s, child.kill)
    timer.start()
    try:
        if child.stdout is None:
            raise NotConformingError("The writing process has no output.", hint="Try again.")
        for line in child.stdout:
            written.update(line.split())
            if len(written) >= 120 + 40 * number:
                break
        child.send_signal(signal.SIGKILL)
        # What it acknowledged before the signal counts as well, but for a line that was cut off.
        *whole, _ = child.stdout.read().split("\n")
        for line in whole:
            written.update(line.split())
    finally:
        timer.cancel()
        child.kill()
        if child.stdout is not None:
            child.stdout.close()
        child.wait(timeout=30)
    must(len(written) > 0, "the writing process wrote something before it was killed")
    return written


def _write_for_ever(opener: str, folder: Path, number: int) -> None:
    store = _opened(opener, folder)
    if "conf-kill" not in store.collections():
        store.create("conf-kill", dimension=DIMENSION)
    for batch in range(100_000):
        names = [f"r{number}b{batch}i{item}" for item in range(10)]
        store.upsert("conf-kill", [sample_record(name) for name in names])
        sys.stdout.write(" ".join(names) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    _write_for_ever(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
