"""``sluis check``: the content checks on drafts, a case a line. Issues no permit."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sluis.core import (
    NO_END,
    Case,
    Check,
    CheckContext,
    Chunk,
    Completion,
    CompletionStatus,
    Evidence,
    EvidenceItem,
    Finding,
    InputError,
    Marker,
    Request,
    RetrievalStamp,
    SourceGateway,
    SystemClock,
    digest_text,
    worst,
)
from sluis.core.reading import LABEL, read_draft

from ._io import JsonFlag, emit, read_jsonl
from .extract import CaseMalformedError, error_line, text_field

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["check_case", "command", "content_checks"]


class NoCasesError(InputError):
    """An empty file, where an answer must not look like consent."""

    code = "usage.input.no_cases"


DEADLINE_S = 30.0
_SURROGATE = re.compile("[\ud800-\udfff]")
_NEUTRAL = digest_text("")


def content_checks(*, live: bool = False) -> tuple[Check, ...]:
    """The checks that need nothing but the draft and its chunks; with ``live`` also the one that asks the sources."""
    from sluis.nodes.verify.citations_known import CitationsKnown
    from sluis.nodes.verify.citations_reference import CitationsReference
    from sluis.nodes.verify.contradiction import Contradiction
    from sluis.nodes.verify.egress import Egress
    from sluis.nodes.verify.polarity import Polarity
    from sluis.nodes.verify.quotes_verbatim import QuotesVerbatim
    from sluis.nodes.verify.terms_supported import TermsSupported
    from sluis.nodes.verify.values_supported import ValuesSupported

    checks: list[Check] = [
        CitationsKnown(),
        CitationsReference(),
        Contradiction(),
        Egress(require_payloads=False),
        Polarity(),
        QuotesVerbatim(),
        TermsSupported(),
        ValuesSupported(),
    ]
    if live:
        from sluis.nodes.verify.citations_live import CitationsLive

        checks.append(CitationsLive())
    return tuple(checks)


def _whole(text: str) -> str:
    """The text with half characters replaced one for one, so that offsets stay; ``egress`` reports them."""
    return _SURROGATE.sub("\ufffd", text)


def _moment(case: dict[str, Any]) -> datetime:
    raw = text_field(case, "now", required=False)
    if raw is None:
        return SystemClock().now()
    try:
        moment = datetime.fromisoformat(raw)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        raise CaseMalformedError("The field 'now' must be a moment with its zone.", hint="2026-11-30T10:00:00Z")
    return moment


def _day(meta: Mapping[str, Any], name: str, default: int) -> int:
    """A calendar day of a chunk's metadata, ``yyyymmdd`` or ISO."""
    value = meta.get(name)
    if value is None:
        return default
    if isinstance(value, str) and re.fullmatch(r"[0-9]{4}-?[0-9]{2}-?[0-9]{2}", value) is not None:
        return int(value.replace("-", ""))
    if isinstance(value, int) and not isinstance(value, bool) and 1_01_01 <= value <= NO_END:
        return value
    raise CaseMalformedError(f"A chunk's {name!r} must be a date.", hint="2026-11-30", field=name)


def _name(meta: Mapping[str, Any], name: str, default: str) -> str:
    value = meta.get(name)
    if value is None:
        return default
    if not isinstance(value, str) or len(value) > 512:
        raise CaseMalformedError(f"A chunk's {name!r} must be a text of at most 512 characters.", field=name)
    return _whole(value) or default


def _path(meta: Mapping[str, Any]) -> tuple[str, ...]:
    """The numbering path: a list, or one label in a text (``14.1``), whose outer steps it names itself."""
    value = meta.get("numbering")
    if value is None or value == "":
        return ()
    steps = value if isinstance(value, list) else [value]
    if not all(isinstance(step, str) and 0 < len(step) <= 512 for step in steps):
        raise CaseMalformedError("A chunk's 'numbering' must be a text or a list of texts.", field="numbering")
    return tuple(_whole(step) for step in steps)


def _marker(meta: Mapping[str, Any]) -> Marker:
    value = _name(meta, "marker", Marker.CURRENT.value)
    if value not in {item.value for item in Marker}:
        raise CaseMalformedError("A chunk's 'marker' is unknown.", field="marker")
    return Marker(value)


def _chunk(label: str, raw: object, position: int, now: datetime, language: str) -> Chunk:
    """A chunk of a case; what its metadata does not say is neutral."""
    meta: object = {}
    if isinstance(raw, dict):
        meta = raw.get("meta", {})
        raw = raw.get("text")
    if not isinstance(raw, str) or not raw or not isinstance(meta, dict):
        raise CaseMalformedError(
            "A chunk must be a text, or an object with 'text' and 'meta'.", hint="See docs/cli.md.", field=label[:16]
        )
    text = _whole(raw)
    source_id = _name(meta, "source_id", f"case:{label}")
    return Chunk(
        chunk_id=_name(meta, "chunk_id", label),
        source_id=source_id,
        source_kind=_name(meta, "source_kind", "ecli" if source_id.upper().startswith("ECLI:") else "case"),
        source_url=_name(meta, "source_url", ""),
        title=_name(meta, "title", ""),
        family=_name(meta, "family", source_id),
        version=_name(meta, "version", "1"),
        doc_type=_name(meta, "doc_type", "text"),
        language=_name(meta, "language", language),
        tenant=_name(meta, "tenant", "default"),
        audience=("client",),
        marker=_marker(meta),
        valid_from=_day(meta, "valid_from", 1_01_01),
        valid_to=_day(meta, "valid_to", NO_END),
        numbering=_path(meta),
        position=position,
        start=0,
        end=len(text),
        text=text,
        content_digest=digest_text(text),
        pins=_NEUTRAL,
        ingested_at=now,
    )


def read_case(case: dict[str, Any], *, sources: SourceGateway | None = None) -> Case:
    """A line of input as a case for the checks.

    Raises:
        CaseMalformedError: a field is missing or of the wrong type.
    """
    answer = text_field(case, "answer") or ""
    locale = text_field(case, "locale", required=False)
    question = text_field(case, "question", required=False)
    now = _moment(case)
    chunks = case.get("chunks", {})
    if not isinstance(chunks, dict):
        raise CaseMalformedError("The field 'chunks' must be an object of label to chunk.", field="chunks")
    language = (locale or "und").split("-", 1)[0].lower() or "und"
    items = []
    for position, (label, raw) in enumerate(chunks.items()):
        if LABEL.fullmatch(label) is None:
            raise CaseMalformedError(
                "A chunk's label must be lower-case letters and digits with a digit at the end.", hint="c1, c2, ..."
            )
        items.append(EvidenceItem(label=label, chunk=_chunk(label, raw, position, now, language)))
    completion = Completion(status=CompletionStatus.OK, text=_whole(answer), model="unknown", drafter="chat")
    request = Request(
        request_id="check-case",
        question=_whole(question or "").strip()[:8000] or "-",
        recipients=("check",),
        audience="client",
        tenant="default",
        locale=locale if locale is not None and len(locale) >= 2 else "und",
    )
    stamp = RetrievalStamp(
        alias="case", collection="case", fingerprint=_NEUTRAL, pins=(_NEUTRAL,), backend="case", at=now
    )
    return Case(
        draft=read_draft(completion, locale=locale),
        evidence=Evidence(items=tuple(items), stamp=stamp),
        context=CheckContext(request=request, now=now, sources=sources),
    )


def _finding_json(found: Finding) -> dict[str, Any]:
    result = found.to_json()
    return {
        key: result[key]
        for key in ("check", "status", "reason", "subject", "message", "evidence", "undecided", "waivable")
    }


async def check_case(
    case: dict[str, Any], checks: tuple[Check, ...], *, sources: SourceGateway | None = None
) -> dict[str, Any]:
    """The verdict on one case.

    Args:
        case: ``answer``, ``chunks``, and optionally ``id``, ``question``, ``locale``, ``now``.
        checks: what to run.
        sources: the live sources, for the check that asks them.

    Returns:
        ``id``, ``verdict`` (``pass``, ``review`` or ``block``) and ``findings``.

    Raises:
        CaseMalformedError: a field is missing or of the wrong type.
    """
    from sluis.nodes.verify.runner import run_checks

    findings = await run_checks(checks, read_case(case, sources=sources), deadline_s=DEADLINE_S)
    answer: dict[str, Any] = {"id": case["id"]} if "id" in case else {}
    answer["verdict"] = worst(findings)
    answer["findings"] = [_finding_json(found) for found in findings]
    return answer


@contextmanager
def _gateway(*, live: bool) -> Iterator[SourceGateway | None]:
    """The live sources of the project around here, or those of the world; none when they are not asked."""
    if not live:
        yield None
        return
    from sluis.config import NoProjectError, ProjectConfig
    from sluis.sources import open_gateway

    try:
        urls = {kind: source.url for kind, source in ProjectConfig.load().sources.items()}
    except NoProjectError:
        urls = {}
    with open_gateway(urls, clock=SystemClock()) as gateway:
        yield gateway


async def _run(source: str, *, live: bool) -> int:
    checks = content_checks(live=live)
    wrong, cases = False, 0
    codes = {0}
    with _gateway(live=live) as gateway:
        for _, case in read_jsonl(source):
            cases += 1
            if isinstance(case, InputError):
                emit(error_line(None, case))
                wrong = True
                continue
            try:
                answer = await check_case(case, checks, sources=gateway)
            except InputError as error:
                emit(error_line(case, error))
                wrong = True
                continue
            emit(answer)
            codes.add(_code(answer))
    if not cases:
        raise NoCasesError("There is no case to check.", hint="Write one JSON object a line; see docs/cli.md.")
    return 2 if wrong else next(code for code in (1, 3, 0) if code in codes)


def _code(answer: dict[str, Any]) -> int:
    """0 pass, 1 a definite objection, 3 when nothing but what could not be told stands in the way."""
    standing = [found for found in answer["findings"] if found["status"] != "pass"]
    decisive = [found for found in standing if found["status"] == answer["verdict"]]
    if not decisive:
        return 0
    return 3 if all(found["undecided"] for found in decisive) else 1


def command(
    source: Annotated[str, typer.Argument(metavar="[FILE|-]", help="JSON lines; - for standard input.")] = "-",
    live: Annotated[bool, typer.Option("--live", help="Also ask the canonical sources of citations.")] = False,
    json_: JsonFlag = False,
) -> int:
    """The content checks on drafts, a case a line.

    In: {"id": "1", "question": "...", "answer": "De termijn is 60 dagen [c1].", "chunks": {"c1": "tekst"},
    "locale": "nl-NL"}. The answer is JSON lines with or without --json. Exit 1 when a verdict is not pass, 3 when that
    is only because a source could not be asked.
    """
    return asyncio.run(_run(source, live=live))
