"""``sluis source``: what a canonical source says of a citation, now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from sluis.core import InputError, UsageError

from ._io import JsonFlag, ProjectOption, console, emit, out_console

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sluis.config import ProjectConfig
    from sluis.core import Citation, SourceStatus
    from sluis.sources import Gateway

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, add_completion=False, help="What a canonical source says of a citation, now.")

_DEFAULT_BUDGET_MS = 800


class UnreadableReferenceError(InputError):
    """An argument is no citation of a kind that is known."""

    code = "usage.input.unreadable_reference"


class MalformedSourceOptionError(UsageError):
    """``--source`` is not ``KIND=URL``."""

    code = "usage.source_option"


@app.callback()
def _group() -> None:
    """What a canonical source says of a citation, now."""


def _project(folder: Path | None) -> ProjectConfig | None:
    """The project around the current folder, if there is one; one that was named has to be there."""
    from sluis.config import NoProjectError, ProjectConfig

    try:
        return ProjectConfig.load(folder)
    except NoProjectError:
        if folder is not None:
            raise
        return None


def _urls(project: ProjectConfig | None, options: list[str]) -> dict[str, str]:
    urls = {} if project is None else {kind: source.url for kind, source in project.sources.items()}
    for option in options:
        kind, equals, url = option.partition("=")
        if not (kind and equals and url):
            raise MalformedSourceOptionError("A --source is not KIND=URL.", hint="As in ecli=http://127.0.0.1:8700.")
        urls[kind.strip().lower()] = url.strip()
    return urls


def _read(gateway: Gateway, text: str) -> Citation | UnreadableReferenceError:
    """A reference as typed: in a form that a source knows, or one that stands alone in the text."""
    known = gateway.read(text)
    if known is not None:
        return known
    from sluis.core import Citation
    from sluis.core.reading import read_citations

    reading = read_citations(text)
    if len(reading.found) != 1 or reading.malformed or reading.found[0].text != text.strip():
        return UnreadableReferenceError(
            "This is not one citation of a known kind.", hint="Write it as ECLI:NL:HR:2019:1278.", reference=text[:80]
        )
    return Citation(kind=reading.found[0].kind, value=reading.found[0].value)


def _line(status: SourceStatus) -> dict[str, Any]:
    """One line of the answer; field names as in the project's interfaces."""
    evidence = status.evidence()
    names = ("kind", "value", "status", "reason", "source", "checked_at", "elapsed_ms", "digest")
    return {name: evidence[name] for name in names}


def _print(status: SourceStatus) -> None:
    from sluis.sources import reason

    colour = {"live": "green", "unverifiable": "yellow"}.get(status.status.value, "red")
    out = out_console()
    out.print(
        f"[{colour}]{status.status.value:<13}[/] [bold]{status.value}[/]  {status.elapsed_ms} ms", highlight=False
    )
    if status.status.value != "live":
        detail = f" ({status.detail})" if status.detail else ""
        out.print(f"{'':<14}{reason(status.reason).words}{detail}", markup=False, highlight=False)
    out.print(f"{'':<14}{status.source or 'no source'}", markup=False, highlight=False, soft_wrap=True)


def _exit_code(statuses: Mapping[Citation, SourceStatus], *, wrong: bool) -> int:
    from sluis.core import SourceState

    states = {status.status for status in statuses.values()}
    if wrong:
        return 2
    if states <= {SourceState.LIVE}:
        return 0
    return 3 if states <= {SourceState.LIVE, SourceState.UNVERIFIABLE} else 1


@app.command()
def check(
    references: Annotated[list[str], typer.Argument(metavar="REF...", help="Citations, as ECLI:NL:HR:2019:1278.")],
    source: Annotated[
        list[str] | None,
        typer.Option("--source", metavar="KIND=URL", help="Ask a kind elsewhere; that host may be on loopback."),
    ] = None,
    budget_ms: Annotated[
        int | None,
        typer.Option("--budget-ms", min=1, max=60_000, help="Milliseconds for all together. Default: 800."),
    ] = None,
    project: ProjectOption = None,
    as_json: JsonFlag = False,
) -> int:
    """Ask the canonical sources about citations, all at once.

    Exit code 0 only if all are live; 1 if one is withdrawn, superseded, overturned or not found; 3 if one could not
    be verified; 2 if one is no citation.
    """
    from sluis.core import Citation, SystemClock
    from sluis.sources import open_gateway

    config = _project(project)
    if budget_ms is None:
        budget_ms = _DEFAULT_BUDGET_MS if config is None else config.gate.budget_ms
    with open_gateway(_urls(config, source or []), clock=SystemClock(), budget_seconds=budget_ms / 1000) as gateway:
        read = [_read(gateway, text) for text in references]
        asked = tuple(item for item in read if isinstance(item, Citation))
        statuses = gateway.statuses_sync(asked) if asked else {}
    for item in read:
        if isinstance(item, UnreadableReferenceError):
            if as_json:
                emit({"error": item.diagnostics()})
            else:
                console().print(str(item), markup=False)
        elif as_json:
            emit(_line(statuses[item]))
        else:
            _print(statuses[item])
    return _exit_code(statuses, wrong=len(asked) < len(read))
