"""``sluis outbox``: what waits, went out or is in doubt, and a person's word on it."""

from __future__ import annotations

import email
import email.policy
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sluis.core import UsageError

from ._io import JsonFlag, ProjectOption, emit, out_console, visible
from ._ledger import NameOption, open_ledger, who, words

if TYPE_CHECKING:
    from pathlib import Path

    from sluis.ledger import OutboxRow, OutboxStep

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, add_completion=False, help="What waits, went out or is in doubt.")

KeyArgument = Annotated[str, typer.Argument(metavar="KEY", help="Of the row, as `sluis outbox list` shows it.")]
ReasonOption = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why; stands in the ledger.")]


class UnknownStateError(UsageError):
    """``--state`` is no state of the outbox."""

    code = "usage.outbox_state"


@app.callback()
def _group() -> None:
    """What waits, went out or is in doubt."""


@app.command("list")
def list_(
    state: Annotated[str | None, typer.Option("--state", help="Only rows in this state, such as in_doubt.")] = None,
    project: ProjectOption = None,
    json_: JsonFlag = False,
) -> int:
    """Every row, oldest first, a line each."""
    from sluis.ledger import OutboxState

    if state is not None and state not in set(OutboxState):
        raise UnknownStateError(f"{state!r} is no state.", hint=f"The states: {', '.join(sorted(OutboxState))}.")
    with open_ledger(project) as ledger:
        rows = ledger.outbox.list(state=None if state is None else OutboxState(state))
        pause = ledger.control.paused()
    if json_:
        for row in rows:
            emit(row.to_json())
        return 0
    from rich.table import Table
    from rich.text import Text

    table = Table("state", "kind", "recipient", "due", "reason", "key")
    for row in rows:
        cells = (row.state.value, row.kind.value, row.recipient, _short(row.due_at.isoformat()), row.reason, row.key)
        table.add_row(*(Text(visible(cell), overflow="fold") for cell in cells))
    out = out_console()
    if pause is not None:
        out.print(visible(f"Everything is paused, by {pause.who}: {pause.reason}"), style="yellow", markup=False)
    out.print(table if rows else "There is no such row." if state else "The outbox is empty.")
    return 0


@app.command()
def show(key: KeyArgument, project: ProjectOption = None, json_: JsonFlag = False) -> int:
    """One row with its permit, all that happened to it, and the text that goes out."""
    from sluis.permits import read_permit

    with open_ledger(project) as ledger:
        row = ledger.outbox.get(key)
        permit = read_permit(ledger.outbox.envelope(key))
        events = ledger.events.of(key)
        text = _text(row, ledger.vault.get_payload(row.payload))
    if json_:
        emit(
            row.to_json() | {"text": text, "permit": permit.to_json(), "events": [event.to_json() for event in events]}
        )
        return 0
    _print_row(row)
    out = out_console()
    for citation in permit.citations:
        out.print(visible(f"{'citation':<11} {citation.value}"), markup=False, soft_wrap=True)
    for event in events:
        about = " ".join(f"{name}={value}" for name, value in sorted(event.data.items()) if value)
        out.print(visible(f"{_short(event.at.isoformat())}  {event.kind:<22} {about}"), markup=False, soft_wrap=True)
    for line in ("", *text.splitlines()):
        out.print(visible(line), markup=False, soft_wrap=True)
    return 0


def _text(row: OutboxRow, data: bytes) -> str:
    """What would go out, or went out, for the person who decides: of a mail its subject and body."""
    from sluis.core import ActionKind

    if row.kind is not ActionKind.MAIL:
        return data.decode("utf-8", "replace")
    message = email.message_from_bytes(data, policy=email.policy.default)
    return f"{message['subject']}\n\n{message.get_content()}"


@app.command()
def resolve(
    key: KeyArgument,
    sent: Annotated[bool, typer.Option("--sent/--not-sent", help="Whether it did go out.")],
    reason: ReasonOption,
    name: NameOption = None,
    project: ProjectOption = None,
    json_: JsonFlag = False,
) -> int:
    """Say what became of a row in doubt: it did go out, or it did not. Final; it is not sent again either way."""
    from sluis.ledger import OutboxStep

    return _decide(key, OutboxStep.RESOLVE_SENT if sent else OutboxStep.RESOLVE_FAILED, reason, name, project, json_)


@app.command()
def cancel(
    key: KeyArgument,
    reason: ReasonOption,
    name: NameOption = None,
    project: ProjectOption = None,
    json_: JsonFlag = False,
) -> int:
    """Take a row back before it goes out. Final. A row that a relay is sending cannot be taken back."""
    from sluis.ledger import OutboxStep

    return _decide(key, OutboxStep.CANCEL, reason, name, project, json_)


@app.command()
def approve(
    key: KeyArgument,
    reason: ReasonOption,
    name: NameOption = None,
    project: ProjectOption = None,
    json_: JsonFlag = False,
) -> int:
    """Let a row in ``review`` go to the relay once more, which checks it again as any other."""
    from sluis.ledger import OutboxStep

    return _decide(key, OutboxStep.APPROVE, reason, name, project, json_)


@app.command()
def reject(
    key: KeyArgument,
    reason: ReasonOption,
    name: NameOption = None,
    project: ProjectOption = None,
    json_: JsonFlag = False,
) -> int:
    """Refuse a row in ``review`` for good."""
    from sluis.ledger import OutboxStep

    return _decide(key, OutboxStep.REJECT, reason, name, project, json_)


def _decide(key: str, step: OutboxStep, reason: str, name: str | None, project: Path | None, as_json: bool) -> int:
    why, by = words(reason, "reason"), who(name)
    with open_ledger(project) as ledger:
        row = ledger.outbox.decide(key, step, who=by, reason=why)
    if as_json:
        emit(row.to_json())
    else:
        _print_row(row)
    return 0


def _short(moment: str) -> str:
    return moment[:19].replace("T", " ")


def _print_row(row: OutboxRow) -> None:
    out = out_console()
    shown: dict[str, Any] = row.to_json()
    for name, value in shown.items():
        out.print(visible(f"{name:<11} {value}"), markup=False, soft_wrap=True)
