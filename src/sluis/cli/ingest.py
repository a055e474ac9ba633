"""``sluis ingest``: documents into the store and the register, and onto the deploy manifest."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sluis.core import Marker

from ._io import JsonFlag, ProjectOption, console, emit, out_console

if TYPE_CHECKING:
    from sluis.corpus.ingest import IngestReport
    from sluis.corpus.parse_text import Defaults

    from ._corpus import Corpus

__all__ = ["command", "run_ingest"]

_SHOWN = 10
"""Malformed documents named to a person; --json names all."""


def run_ingest(
    corpus: Corpus, paths: list[Path], defaults: Defaults, *, quiet: bool, leave_behind: bool = False
) -> IngestReport:
    """Ingest, with a progress bar on stderr, and let the result serve.

    Args:
        corpus: the project's parts.
        paths: files and folders.
        defaults: for documents that do not say.
        quiet: no progress bar.
        leave_behind: serve a new collection although it lacks documents of the one before.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    from sluis.corpus.factory import open_embeddings
    from sluis.corpus.ingest import Progress, ingest_paths
    from sluis.corpus.manifest_file import allow
    from sluis.policies import load_policy

    config = corpus.config
    # A policy that cannot be read is better known before an hour of encoding.
    policy = load_policy(config.policy.file, root=config.root)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Bar(*columns, console=console(), disable=quiet, transient=True) as bar:
        task = bar.add_task("Ingesting", total=None)

        def told(step: Progress) -> None:
            bar.update(task, completed=step.done, total=step.total, description=_short(step.path))

        report = ingest_paths(
            paths,
            store=corpus.store,
            register=corpus.ledger.register,
            embeddings=open_embeddings(config.embedding.name),
            alias=config.store.alias,
            clock=corpus.clock,
            defaults=defaults,
            leave_behind=leave_behind,
            progress=told,
        )
    allow(
        config.manifest_path,
        fingerprint=report.fingerprint,
        pins=report.pins,
        policy=policy.digest(),
        permit_seconds=config.gate.permit_seconds,
        hold_seconds=config.gate.hold_seconds,
        time_zone=config.project.time_zone,
    )
    return report


def _short(path: str) -> str:
    name = path if len(path) <= 40 else f"…{path[-39:]}"
    return f"{name:<40}"


def _show(report: IngestReport) -> None:
    from rich.markup import escape

    out = out_console()
    out.print(
        f"[bold]{report.documents}[/] documents, [bold]{report.chunks}[/] chunks: "
        f"{report.unchanged} documents unchanged, {report.written} chunks written, {report.removed} removed."
    )
    for notice, count in sorted(report.notices.items()):
        out.print(f"  {count} x {escape(_NOTICES.get(notice, notice))}", soft_wrap=True)
    if report.invisible:
        out.print(f"  {report.invisible} invisible characters taken out")
    if report.missing:
        out.print(f"  {len(report.missing)} documents of the index were not among these; nothing was deleted")
    if report.skipped:
        out.print(f"  {report.skipped} files of another kind left alone")
    if report.malformed:
        out.print(f"[red]{len(report.malformed)} documents were not taken in:[/]")
        for item in report.malformed[:_SHOWN]:
            out.print(f"  {escape(item.path)}: {escape(item.message)} ({item.reason})", soft_wrap=True)
        if len(report.malformed) > _SHOWN:
            out.print(f"  ... and {len(report.malformed) - _SHOWN} more; --json names all")
    out.print(f"The alias {escape(report.alias)!r} serves {report.collection}, {report.fingerprint}", soft_wrap=True)


_NOTICES = {
    "marker_unknown": "no marker says that the document is in force: it is never shown. Front matter or "
    "--marker current says so",
    "marker_withdrawn": "withdrawn by its source: it is never shown",
    "marker_superseded": "superseded by its source: it is never shown",
    "forgotten_ghosts": "chunk that only the register knew, forgotten",
}


def command(
    paths: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[PATH...]", help="Files and folders. Default: the project's documents."),
    ] = None,
    marker: Annotated[
        Marker,
        typer.Option("--marker", help="For documents that do not say whether they are in force: you vouch for them."),
    ] = Marker.UNKNOWN,
    audience: Annotated[
        list[str] | None,
        typer.Option(
            "--audience", help="For documents that do not name one; may be given again. Default: the project's."
        ),
    ] = None,
    doc_type: Annotated[str, typer.Option("--doc-type", help="For documents that do not say.")] = "document",
    leave_behind: Annotated[
        bool,
        typer.Option(
            "--leave-behind",
            help="After a change of encoder or chunker: serve the new collection although documents of the old one "
            "are not among these.",
        ),
    ] = False,
    project: ProjectOption = None,
    json_: JsonFlag = False,
) -> int:
    """Read rulings (Rechtspraak XML), Markdown and text into the project's index, and let it serve.

    What is there already costs nothing again; a run that was stopped goes on where it was. A document that cannot be
    read is reported and changes nothing; exit code 1 then. At the end the deploy manifest allows the new state of the
    index, and no longer the one before.
    """
    from sluis.corpus.parse_text import Defaults

    from ._corpus import open_corpus

    with open_corpus(project) as corpus:
        settings = corpus.config.project
        defaults = Defaults(
            tenant=settings.tenant,
            audience=tuple(audience) if audience else (settings.audience,),
            language=settings.locale.split("-", 1)[0],
            doc_type=doc_type,
            marker=marker,
        )
        chosen = paths or [corpus.config.documents_path]
        report = run_ingest(corpus, chosen, defaults, quiet=json_, leave_behind=leave_behind)
    if json_:
        answer: dict[str, Any] = report.to_json()
        emit(answer)
    else:
        _show(report)
    return 1 if report.malformed else 0
