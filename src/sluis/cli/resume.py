"""``sluis resume``: let the relay go on."""

from __future__ import annotations

from ._io import JsonFlag, ProjectOption, emit, out_console, visible
from ._ledger import NameOption, open_ledger, who

__all__ = ["command"]


def command(name: NameOption = None, project: ProjectOption = None, json_: JsonFlag = False) -> int:
    """Let the relay go on. Every row is checked again before it goes out, as always."""
    by = who(name)
    with open_ledger(project) as ledger:
        ended = ledger.control.resume(by)
    if json_:
        was = None if ended is None else {"reason": ended.reason, "who": ended.who, "at": ended.at.isoformat()}
        emit({"paused": False, "was": was})
    elif ended is None:
        out_console().print("Nothing was paused.")
    else:
        out_console().print(
            visible(f"Goes on. Was paused by {ended.who} at {ended.at.isoformat()}: {ended.reason}"),
            markup=False,
            soft_wrap=True,
        )
    return 0
