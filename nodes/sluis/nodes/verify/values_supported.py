"""values.supported: every amount, percentage, date, duration and number of a claim stands in the chunk it cites."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sluis.core import Case, Chunk, Finding, finding
from sluis.core.reading import ReadValue, attributions, fold, measure, same_length, same_value

from ._binding import bound_to
from ._evidence import Reading, cited, claims_of, read_chunk, read_text, subject, within

NAME = "values.supported"

_ORDER = ("supported", "review", "block")


class ValuesSupported:
    """A value is supported by an equal one in a chunk that this part of the claim cites: equal in kind, amount,
    unit, currency and bound, never a part of another token, never from an instruction-like span.

    Reason codes that block: ``value_not_in_cited_chunk``, ``value_ambiguous`` (two readings, and no identical
    token), ``bound_differs``, ``source_value_unreliable``, ``value_unreliable``.

    Reason codes for a person: ``bound_dropped`` and ``bound_added`` (the limit stands on one side only),
    ``edge_unclear`` (``tot`` against ``tot en met``), ``source_conflict`` and ``claim_conflict`` (word and figure
    disagree), ``converted_unit`` (18 months for a year and a half), ``weak_value`` (``de twee partijen`` without
    a two in the source), ``impossible_date``, ``value_under_other_marker``, ``year_not_in_cited_chunk``.

    An equal value must also be the value of the same thing (:mod:`._binding`): ``value_of_another`` blocks,
    ``value_of_another_maybe``, ``table_cell_unclear`` and ``table_without_header`` are for a person.
    """

    name = NAME
    version = 2

    async def run(self, case: Case) -> tuple[Finding, ...]:
        """All objections to the values of the draft."""
        text = case.draft.text
        draft = read_text(case)
        findings: list[Finding] = []
        for claim in claims_of(case):
            for start, end, labels in attributions(claim):
                chunks = cited(case, labels)
                others = cited(case, tuple(label for label in claim.labels if label not in labels))
                for value in within(draft.values, start, end):
                    found = _judge(text, _Said(value, draft), chunks, others)
                    if found is not None:
                        findings.append(found)
                for year, first, last in draft.years:
                    if start <= first < end and not _has_year(year, (*chunks, *others)):
                        findings.append(_year(text, year, first, last, chunks))
        return tuple(findings)


@dataclass(frozen=True, slots=True)
class _Said:
    """A value of the draft, with where it stands."""

    value: ReadValue
    draft: Reading


def _judge(
    text: str, said: _Said, chunks: tuple[tuple[str, Chunk], ...], others: tuple[tuple[str, Chunk], ...]
) -> Finding | None:
    """The objection to one value, or ``None``: the best that any cited chunk gives it."""
    value = said.value
    verdict = _best(said, chunks)
    if verdict is None:
        return None
    status, reason = verdict
    if status == "block" and others:
        elsewhere = _best(said, others)
        if elsewhere is None:
            status, reason = "review", "value_under_other_marker"
    return finding(
        NAME,
        "review" if status == "review" else "block",
        reason,
        _MESSAGES[reason].format(text=value.text),
        subject=subject(text, value.start, value.end),
        evidence=_evidence(value, chunks),
        waivable=status == "review",
    )


_MESSAGES = {
    "value_not_in_cited_chunk": "{text} does not stand in the source cited for it.",
    "value_ambiguous": "{text} can be read in two ways, and the cited source does not hold exactly this.",
    "value_unreliable": "{text} cannot be read as a value.",
    "source_value_unreliable": "The cited source holds {text} only in a form that cannot be trusted.",
    "bound_differs": "The cited source sets another limit than {text} does here.",
    "bound_dropped": "In the cited source {text} is a limit; here it stands as a fixed value.",
    "bound_added": "Here {text} is a limit; in the cited source it stands as a fixed value.",
    "edge_unclear": "Whether {text} itself is within the limit is said differently in the cited source.",
    "source_conflict": "In the cited source the word and the figure of {text} disagree.",
    "claim_conflict": "The word and the figure of {text} disagree.",
    "converted_unit": "{text} is the cited source's value in another unit.",
    "weak_value": "{text} may be a number that the cited source does not hold.",
    "impossible_date": "{text} is a date that no calendar has.",
    "value_of_another": "In the cited source {text} is the value of something else than is said here.",
    "value_of_another_maybe": "In the cited source {text} may be the value of something else than is said here.",
    "table_cell_unclear": "{text} stands in a table, and the sentence does not name its row and column.",
    "table_without_header": "{text} stands in a table whose heads are not in the cited source.",
    "value_under_other_marker": "{text} stands in a source that this sentence cites elsewhere.",
}


def _best(said: _Said, chunks: tuple[tuple[str, Chunk], ...]) -> tuple[str, str] | None:
    """``None`` when supported; else the mildest objection over all values of the cited chunks."""
    value = said.value
    worst_case = ("review", "weak_value") if value.weak else ("block", "value_not_in_cited_chunk")
    if value.unreliable:
        worst_case = ("block", "value_unreliable")
    elif value.ambiguous:
        worst_case = ("block", "value_ambiguous")
    best: tuple[str, str] = worst_case
    for _, chunk in chunks:
        source = read_chunk(chunk)
        equal: list[int] = []
        for place, other in enumerate(source.values):
            verdict = _compare(value, other)
            if verdict == ("supported", ""):
                equal.append(place)
            elif verdict is not None:
                best = _milder(best, verdict, worst_case)
        if equal:
            # Words of two languages cannot be compared; that is for terms.supported to say.
            comparable = source.language == said.draft.language
            objection = bound_to(value, said.draft.context_of(value), source, equal) if comparable else None
            if objection is None:
                return None
            best = _milder(best, objection, worst_case)
    return best


def _milder(best: tuple[str, str], other: tuple[str, str], worst_case: tuple[str, str]) -> tuple[str, str]:
    return other if best[0] != "review" and (other[0] == "review" or best == worst_case) else best


def _compare(value: ReadValue, other: ReadValue) -> tuple[str, str] | None:
    """What one value of a source says of one value of a claim; ``None``: nothing."""
    identical = type(value) is type(other) and _token(value) == _token(other)
    if value.unreliable or other.unreliable:
        if not identical:
            return None
        return ("review", "impossible_date") if value.kind == "date" else ("block", "source_value_unreliable")
    if (value.ambiguous or other.ambiguous) and not identical:
        return None
    if measure(value) != measure(other) and not (identical and (value.ambiguous or other.ambiguous)):
        return ("review", "converted_unit") if same_length(value, other) else None
    if value.conflict:
        return "review", "claim_conflict"
    if other.conflict:
        return "review", "source_conflict"
    if other.weak and not value.weak and other.kind == "number":
        return "review", "weak_value"
    if same_value(value, other) or (identical and (value.bound, value.edge) == (other.bound, other.edge)):
        return "supported", ""
    return _bounds(value, other)


def _bounds(value: ReadValue, other: ReadValue) -> tuple[str, str]:
    if value.bound is None:
        return "review", "bound_dropped"
    if other.bound is None:
        return "review", "bound_added"
    if value.bound == other.bound and "unclear" in (value.edge, other.edge):
        return "review", "edge_unclear"
    return "block", "bound_differs"


def _token(value: ReadValue) -> str:
    return fold(value.text).text.strip()


def _evidence(value: ReadValue, chunks: tuple[tuple[str, Chunk], ...]) -> dict[str, Any]:
    """The value in normal form and where it was looked for."""
    return {
        "value": {key: item for key, item in value.to_json().items() if key not in ("text", "start", "end")},
        "chunks": [{"label": label, "chunk_id": chunk.chunk_id} for label, chunk in chunks],
        "near": _near(value, chunks),
    }


def _near(value: ReadValue, chunks: tuple[tuple[str, Chunk], ...]) -> list[dict[str, Any]]:
    """At most three values of the same kind in the cited chunks, for the person who looks."""
    near: list[dict[str, Any]] = []
    for label, chunk in chunks:
        for other in read_chunk(chunk).values:
            if other.kind == value.kind and len(near) < 3:
                near.append({"label": label, "text": other.text, "start": other.start, "end": other.end})
    return near


def _has_year(year: str, chunks: tuple[tuple[str, Chunk], ...]) -> bool:
    """Whether a chunk, its title or its validity names the year as a whole token."""
    for _, chunk in chunks:
        reading = read_chunk(chunk)
        if any(year == known for known, _, _ in reading.years) or any(
            other.kind == "date" and other.value[:4] == year for other in reading.values
        ):
            return True
        named = f"{chunk.title} {chunk.source_id} {chunk.version}"
        if any(year in (token, token[:4]) and token.isdigit() for token in _tokens(named)):
            return True
        if any(f":{year}:" in item.value for item in reading.citations.found):
            return True
        if year in _tokens(reading.text):
            return True
    return False


def _tokens(text: str) -> set[str]:
    return set("".join(char if char.isalnum() else " " for char in text).split())


def _year(text: str, year: str, first: int, last: int, chunks: tuple[tuple[str, Chunk], ...]) -> Finding:
    return finding(
        NAME,
        "review",
        "year_not_in_cited_chunk",
        f"The year {year} does not stand in the source cited for it.",
        subject=subject(text, first, last),
        evidence={"year": year, "chunks": [{"label": label, "chunk_id": chunk.chunk_id} for label, chunk in chunks]},
        waivable=True,
    )
