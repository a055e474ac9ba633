"""citations.reference: every article reference and every citation in a claim is carried by a chunk it cites."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import Any

from sluis.core import Case, Chunk, Finding, finding
from sluis.core.reading import Reference, attributions, law_key, read_citations, read_references

from ._evidence import cited, claims_of, read_chunk, read_text, subject, within

NAME = "citations.reference"

_LABEL = re.compile(
    r"(?:artikel|art\.?|article|section|clause|\u00a7|lid|paragraph|onder|sub)?\s*\(?([0-9A-Za-z.:-]{1,24}?)\)?[.)]?\s*",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"[0-9]+(?:[.:][0-9]+)*[a-z]{0,3}", re.IGNORECASE)
_OTHER = re.compile(
    r"(?:hoofdstuk|chapter|afdeling|titel|title|deel|part|boek|book|bijlage|annex|paragraaf)\b", re.IGNORECASE
)
_LINE_LABEL = re.compile(
    r"^[ \t]*(?:([0-9]{1,3}[a-z]?)[.)]?|\(([0-9]{1,3})\)|\(?([a-z]{1,2})[.)])[ \t]+\S", re.MULTILINE
)


class CitationsReference:
    """References are compared field by field: law, book, article with its suffix, paragraph, path.

    A claim may say less than the source (``artikel 7:669`` where the source has ``artikel 7:669 lid 3``), never
    more and never otherwise. A reference of the claim that names no law is met by any law; one that names a law
    is met only by that law, in the source's reference or as the law that the source itself is.

    A chunk carries the references in its text (instruction-like spans apart), its numbering path, and the
    paragraph and letter labels that open its lines.

    Reason codes that block: ``reference_not_in_cited_chunk``, ``reference_unreliable``, ``range_not_expandable``,
    ``citation_not_in_cited_chunk``, ``citation_malformed``. For a person: ``citation_line_break`` (broken over two
    lines, so its end is a guess), ``paragraph_not_found`` (a paragraph named without its article),
    ``back_reference_unresolved`` (``dat artikel`` where none was named before).
    """

    name = NAME
    version = 1

    async def run(self, case: Case) -> tuple[Finding, ...]:
        """All objections to the references and citations of the draft."""
        text = case.draft.text
        references = sorted(read_text(case).references, key=lambda item: item.start)
        citations = read_text(case).citations
        findings: list[Finding] = []
        for claim in claims_of(case):
            chunks = cited(case, claim.labels)
            for start, end, labels in attributions(claim):
                own = cited(case, labels)
                for reference in within(references, start, end):
                    findings.extend(_judge(text, reference, own, chunks))
            for citation in within(citations.found, claim.start, claim.end):
                if citation.kind != "url":
                    findings.extend(_citation(text, citation.value, citation.start, citation.end, chunks))
        for bad in citations.malformed:
            findings.append(_malformed(text, bad.kind, bad.reason, bad.start, bad.end))
        return tuple(findings)


def _where(chunks: tuple[tuple[str, Chunk], ...]) -> list[dict[str, Any]]:
    return [{"label": label, "chunk_id": chunk.chunk_id, "numbering": list(chunk.numbering)} for label, chunk in chunks]


def _judge(
    text: str,
    reference: Reference,
    own: tuple[tuple[str, Chunk], ...],
    chunks: tuple[tuple[str, Chunk], ...],
) -> tuple[Finding, ...]:
    where = subject(text, reference.start, reference.end)
    evidence = {
        "reference": {key: item for key, item in reference.to_json().items() if key not in ("text", "start", "end")},
        "chunks": _where(own),
    }
    if reference.unreliable:
        message = f"{reference.text} looks like a reference whose number cannot be read."
        return (finding(NAME, "block", "reference_unreliable", message, subject=where, evidence=evidence),)
    if reference.unit == "back":
        message = f"{reference.text} points back to an article, and none was named before."
        unresolved = finding(
            NAME, "review", "back_reference_unresolved", message, subject=where, evidence=evidence, waivable=True
        )
        return (unresolved,)
    # A law may be named by one source and quoted by another, so all markers of the sentence count for references.
    if any(_carries(chunk, reference) for _, chunk in (*own, *chunks)):
        return ()
    if reference.unit == "paragraph":
        message = f"{reference.text} names a paragraph that the cited source does not show."
        return (
            finding(NAME, "review", "paragraph_not_found", message, subject=where, evidence=evidence, waivable=True),
        )
    if reference.to is not None:
        message = f"{reference.text} is a range of articles that the cited source does not hold as such."
        return (finding(NAME, "block", "range_not_expandable", message, subject=where, evidence=evidence),)
    message = f"{reference.text} does not stand in the source cited for it."
    return (finding(NAME, "block", "reference_not_in_cited_chunk", message, subject=where, evidence=evidence),)


def _citation(
    text: str, value: str, start: int, end: int, chunks: tuple[tuple[str, Chunk], ...]
) -> tuple[Finding, ...]:
    if any(value in _carried_citations(chunk) for _, chunk in chunks):
        return ()
    message = f"{value} is neither the source cited for it nor named in it."
    return (
        finding(
            NAME,
            "block",
            "citation_not_in_cited_chunk",
            message,
            subject=subject(text, start, end),
            evidence={"citation": value, "chunks": _where(chunks)},
        ),
    )


def _malformed(text: str, kind: str, reason: str, start: int, end: int) -> Finding:
    where = subject(text, start, end)
    if reason == "line_break":
        message = "This citation is broken over two lines, so its end is a guess."
        return finding(
            NAME, "review", "citation_line_break", message, subject=where, evidence={"kind": kind, "why": reason}
        )
    message = f"This looks like a citation ({kind}) and cannot be read as one."
    return finding(NAME, "block", "citation_malformed", message, subject=where, evidence={"kind": kind, "why": reason})


def _carried_citations(chunk: Chunk) -> frozenset[str]:
    """Citations that a chunk stands for: its own, those in its text, and those that a line break cuts in its text."""
    reading = read_chunk(chunk)
    own = read_citations(f"{chunk.source_id}\n{chunk.source_url}")
    values = {item.value for item in (*reading.citations.found, *own.found)}
    values.update(item.value for item in reading.citations.malformed if item.value is not None)
    values.add(chunk.source_id)
    return frozenset(values)


def _carries(chunk: Chunk, reference: Reference) -> bool:
    numbered, text_references = _carried(chunk.numbering, chunk.source_kind, read_chunk(chunk).text)
    laws = _laws(f"{chunk.title} {chunk.family} {chunk.source_id}")
    if any(_covers(reference, other, laws=laws) for other in (*text_references, *numbered)):
        return True
    return reference.law is None and any(
        _covers(reference, other, laws=laws) for other in read_references(f"{chunk.title}\n{chunk.source_id}")
    )


@lru_cache(maxsize=512)
def _laws(title: str) -> frozenset[str]:
    """The laws that a document's own name names."""
    words = [word.strip(".,;:()[]\"'") for word in title.split()]
    laws = {key for reference in read_references(f"artikel 1 {title}") if (key := law_key(reference.law)) is not None}
    for size in range(1, 6):
        for start in range(len(words) - size + 1):
            for reference in read_references(f"artikel 1 {' '.join(words[start : start + size])}"):
                key = law_key(reference.law)
                if key is not None:
                    laws.add(key)
    return frozenset(laws)


@lru_cache(maxsize=512)
def _carried(
    numbering: tuple[str, ...], source_kind: str, text: str
) -> tuple[tuple[Reference, ...], tuple[Reference, ...]]:
    """References by number and label, and those in the text."""
    ruling = source_kind == "ecli"
    base = _from_numbering(numbering, ruling=ruling)
    own = [base] if base is not None else []
    numbered = [*_along(numbering, ruling=ruling), *own]
    written = read_references(text)
    heading = next((item for item in written if not text[: item.start].strip(" \t\n#*>-")), None)
    holder = base if base is not None and base.article is not None and not ruling else heading
    if holder is not None:
        numbered.extend(_line_labels(text, holder))
    return tuple(numbered), written


def _line_labels(text: str, holder: Reference) -> list[Reference]:
    """Paragraphs and letters that open the lines of an article's text."""
    made: list[Reference] = []
    paragraph = holder.paragraph
    for found in _LINE_LABEL.finditer(text):
        number = found.group(1) or found.group(2)
        if number is not None:
            paragraph = number
            made.append(replace(holder, paragraph=number, path=(), to=None))
        else:
            made.append(replace(holder, paragraph=paragraph, path=(found.group(3),), to=None))
    return made


def _along(numbering: tuple[str, ...], *, ruling: bool) -> list[Reference]:
    """A reference for each step of a numbering path: ``("14", "14.1")`` carries 14 and 14.1."""
    return [
        made
        for depth in range(1, len(numbering))
        if (made := _from_numbering(numbering[:depth], ruling=ruling)) is not None
    ]


def _from_numbering(numbering: tuple[str, ...], *, ruling: bool) -> Reference | None:
    """The reference that a numbering path amounts to."""
    article: str | None = None
    paragraph: str | None = None
    path: list[str] = []
    for raw in numbering:
        if _OTHER.match(raw) is not None:
            continue
        found = _LABEL.fullmatch(raw)
        if found is None:
            continue
        label = found.group(1).strip(".")
        named = raw.strip().lower()
        if _NUMBER.fullmatch(label) is not None and not raw.strip().startswith("("):
            grows = (
                article is None
                or label.startswith((f"{article}.", f"{article}:"))
                or named.startswith(("art", "\u00a7"))
            )
            if grows:
                article, paragraph, path = label, None, []
            elif paragraph is None:
                paragraph = label
            else:
                path.append(label)
        elif article is not None and label.isdigit() and paragraph is None and not path:
            paragraph = label
        elif label:
            path.append(label.lower())
    if article is None:
        return None
    return Reference(
        article=article, paragraph=paragraph, path=tuple(path), unit="consideration" if ruling else "article"
    )


def _full(reference: Reference, article: str | None) -> str | None:
    """The article with its book, so that ``7:669`` and book 7, article 669 compare equal."""
    if article is None:
        return None
    return (f"{reference.book}:{article}" if reference.book is not None else article).lower()


def _covers(claim: Reference, source: Reference, *, laws: frozenset[str]) -> bool:
    """Whether a reference of a source meets one of a claim; see :class:`CitationsReference`."""
    if source.unreliable or (claim.unit != "paragraph" and claim.unit != source.unit):
        return False
    wanted = law_key(claim.law)
    if wanted is not None:
        held = law_key(source.law)
        if held is None:
            if wanted not in laws:
                return False
        elif held != wanted:
            return False
    if claim.unit != "paragraph" and not _same_article(claim, source, laws):
        return False
    if claim.paragraph is not None and claim.paragraph != source.paragraph:
        return False
    steps = tuple(step.lower() for step in claim.path)
    return steps == tuple(step.lower() for step in source.path[: len(steps)])


def _same_article(claim: Reference, source: Reference, laws: frozenset[str]) -> bool:
    wanted = _full(claim, claim.article)
    held = _full(source, source.article)
    if claim.to is not None:
        return wanted == held and _full(claim, claim.to) == _full(source, source.to)
    return wanted is not None and wanted in (held, _full(source, source.to))
