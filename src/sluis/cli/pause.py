"""``sluis pause``: stop everything at the relay."""

from __future__ import annotations

from typing import Annotated

import typer

from ._io import JsonFlag, ProjectOption, emit, out_console, visible
from ._ledger import NameOption, open_ledger, who, words

__all__ = ["command"]


def command(
    reason: Annotated[str, typer.Argument(metavar="REASON", help="Why; stands in the ledger.")],
    name: NameOption = None,
    project: ProjectOption = None,
    json_: JsonFlag = False,
) -> int:
    """Stop everything at the relay, at once, for all relays of the ledger.

    Rows stay where they are; nothing is lost. A pause that is in force stays as it is, with its own reason.
    """
    why, by = words(reason, "reason"), who(name)
    with open_ledger(project, make=True) as ledger:
        already = ledger.control.paused() is not None
        pause = ledger.control.pause(why, by)
    said = {"reason": pause.reason, "who": pause.who, "at": pause.at.isoformat()}
    if json_:
        emit({"paused": True, "already": already} | said)
    else:
        state = "Was paused already" if already else "Paused"
        out_console().print(
            visible(f"{state}, by {pause.who}, at {said['at']}: {pause.reason}"), markup=False, soft_wrap=True
        )
        out_console().print("`sluis resume` lets the relay go on.", markup=False)
    return 0
