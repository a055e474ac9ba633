"""``sluis review``: what waits for a person, and their decision."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from sluis.core import IntegrityError, UsageError

from ._io import JsonFlag, ProjectOption, console, emit, out_console, visible
from ._ledger import open_ledger, words

if TYPE_CHECKING:
    from sluis.core import Draft, Evidence, Verdict
    from sluis.ledger import Ledger, Review

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, add_completion=False, help="What waits for a person, and their decision.")

IdArgument = Annotated[str, typer.Argument(metavar="REVIEW", help="Its id, as `sluis review list` shows it.")]


class MalformedRewriteError(UsageError):
    """``--rewrite`` is not ``INDEX=TEXT``, or names a claim twice."""

    code = "usage.rewrite_option"


class ShownChangedError(IntegrityError):
    """What is kept of a review is not what it was opened with."""

    code = "integrity.shown_changed"


@app.callback()
def _group() -> None:
    """What waits for a person, and their decision."""


def _about(ledger: Ledger, review: Review) -> tuple[Verdict, Draft, Evidence]:
    """All that a person decides on; proved to be what the decision will be bound to."""
    from sluis.nodes.verify.node import shown_digest

    verdict = ledger.vault.get_verdict(review.verdict_digest)
    if shown_digest(verdict) != review.shown or verdict.draft != review.draft_digest:
        raise ShownChangedError(
            "What is kept of this review is not what it was opened with.",
            hint="Run `sluis ledger verify`.",
            review_id=review.review_id,
        )
    draft = ledger.vault.get_draft(ledger.vault.draft_handle(review.run_id, review.draft_digest))
    return verdict, draft, ledger.vault.get_evidence(review.run_id, verdict.evidence)


def _brief(review: Review, question: str) -> dict[str, Any]:
    return {
        "review_id": review.review_id,
        "run_id": review.run_id,
        "question": question,
        "state": review.state,
        "shown": review.shown,
        "decision": review.decision,
        "reviewer": review.reviewer or None,
        "note": review.note or None,
        "opened_at": review.opened_at.isoformat(),
        "decided_at": None if review.decided_at is None else review.decided_at.isoformat(),
    }


@app.command("list")
def list_(project: ProjectOption = None, json_: JsonFlag = False) -> int:
    """What waits for a decision, oldest first."""
    with open_ledger(project) as ledger:
        waiting = [_brief(item, ledger.runs.get(item.run_id).request.question) for item in ledger.reviews.pending()]
    if json_:
        for line in waiting:
            emit(line)
        return 0
    out = out_console()
    for line in waiting:
        out.print(visible(f"{line['review_id']}  {line['opened_at'][:19]}  {line['question']}"), markup=False)
    out.print("`sluis review show ID` shows one." if waiting else "Nothing waits for a person.", markup=False)
    return 0


@app.command()
def show(review_id: IdArgument, project: ProjectOption = None, json_: JsonFlag = False) -> int:
    """The findings, the draft claim by claim, and the paragraphs it cites."""
    with open_ledger(project) as ledger:
        review = ledger.reviews.get(review_id)
        verdict, draft, evidence = _about(ledger, review)
        request = ledger.runs.get(review.run_id).request
    cited = {label for claim in draft.claims for label in claim.labels}
    sources = [item for item in evidence.items if item.label in cited]
    findings = [item for item in verdict.findings if item.status != "pass"]
    if json_:
        emit(
            _brief(review, request.question)
            | {
                "recipients": list(request.recipients),
                "findings": [item.to_json() for item in findings],
                "draft": draft.text,
                "claims": [{"index": index} | claim.to_json() for index, claim in enumerate(draft.claims)],
                "sources": [item.to_json() for item in sources],
            }
        )
        return 0
    out = out_console()

    def line(text: str, style: str | None = None) -> None:
        out.print(visible(text), markup=False, soft_wrap=True, style=style)

    line(request.question, "bold")
    line(f"for {', '.join(request.recipients)}; written by {draft.completion.drafter} ({draft.completion.model})")
    for item in findings:
        waivable = "" if item.waivable else " - no one can let this pass"
        line(f"  {item.check} {item.status} ({item.reason}): {item.message}{waivable}", "yellow")
    line("Draft", "bold")
    for index, claim in enumerate(draft.claims):
        line(f"  [{index}] {claim.text}")
    line("Cited", "bold")
    for source in sources:
        numbering = " ".join(source.chunk.numbering)
        line(f"  {source.label}: {source.chunk.title} {numbering} {source.chunk.source_url}", "cyan")
        line(f"      {source.chunk.text}")
    if review.state == "pending":
        line("Decide, about exactly this:", "bold")
        line(f"  sluis review decide {review.review_id} approve --shown {review.shown} --as NAME")
        line("  or: reject; or: revise with --drop INDEX and --rewrite INDEX=TEXT. The result is verified again.")
    else:
        line(f"Decided: {review.decision} by {review.reviewer}. {review.note}", "bold")
    return 0


@app.command()
def decide(
    review_id: IdArgument,
    decision: Annotated[Literal["approve", "reject", "revise"], typer.Argument(help="There is no default.")],
    shown: Annotated[
        str, typer.Option("--shown", metavar="DIGEST", help="What you saw, as `sluis review show` names it.")
    ],
    name: Annotated[str, typer.Option("--as", metavar="NAME", help="Who decides; stands in ledger and permit.")],
    note: Annotated[str, typer.Option("--note", metavar="TEXT", help="In your own words.")] = "",
    drop: Annotated[
        list[int] | None, typer.Option("--drop", metavar="INDEX", help="Leave this claim out (revise).")
    ] = None,
    rewrite: Annotated[
        list[str] | None,
        typer.Option("--rewrite", metavar="INDEX=TEXT", help="This claim's new text, markers included (revise)."),
    ] = None,
    project: ProjectOption = None,
    json_: JsonFlag = False,
) -> int:
    """Decide, once, about exactly what was shown; then the run goes on, and is verified again.

    The decision is kept first, so a crash after it loses nothing: `sluis review continue` goes on from there.
    Exit code as of `sluis ask`: 0 released, 1 blocked, 3 otherwise.
    """
    changes = _rewrites(rewrite or [])
    reviewer = words(name, "name")
    with open_ledger(project) as ledger:
        review = ledger.reviews.get(review_id)
        _about(ledger, review)
        ledger.reviews.decide(
            review_id,
            decision=decision,
            shown=shown,
            reviewer=reviewer,
            note=note,
            drop=tuple(drop or ()),
            rewrite=changes,
        )
    return _go_on(review.run_id, project=project, as_json=json_)


@app.command("continue")
def continue_(review_id: IdArgument, project: ProjectOption = None, json_: JsonFlag = False) -> int:
    """Go on with the run of a review: after a crash, or to see what it came to. Without a decision it waits again."""
    with open_ledger(project) as ledger:
        review = ledger.reviews.get(review_id)
    return _go_on(review.run_id, project=project, as_json=json_)


def _rewrites(options: list[str]) -> dict[int, str]:
    changes: dict[int, str] = {}
    for option in options:
        index, equals, text = option.partition("=")
        if not equals or not index.isascii() or not index.isdigit() or int(index) in changes:
            raise MalformedRewriteError(
                f"--rewrite {option!r} is not INDEX=TEXT, or names a claim twice.",
                hint="The index stands before the claim in `sluis review show`.",
            )
        changes[int(index)] = text
    return changes


def _go_on(run_id: str, *, project: Path | None, as_json: bool) -> int:
    from sluis.config import ProjectConfig
    from sluis.graphs import open_project

    from ._answers import exit_code, read_outcome, tell

    config = ProjectConfig.load(project)
    begun = time.monotonic()
    with console().status("Going on: verify, release") as status, open_project(config) as opened:
        outcome = opened.agent.resume(run_id)
        question = opened.ledger.runs.get(run_id).request.question
        told = read_outcome(opened, question, outcome, elapsed_ms=round((time.monotonic() - begun) * 1000))
        status.stop()
    tell(told, as_json=as_json)
    return exit_code(outcome)
