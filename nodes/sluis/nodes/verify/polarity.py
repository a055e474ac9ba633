"""polarity: what a source denies, excepts, commands or merely allows is not turned round by the claim."""

from __future__ import annotations

from typing import Any

from sluis.core import Case, Chunk, Finding, finding
from sluis.core.reading import attributions
from sluis.core.reading.clauses import Clause, turns

from ._alignment import Match, aligned
from ._evidence import cited, claims_of, read_chunk, read_text, subject, within

NAME = "polarity"


class Polarity:
    """Each clause of a claim is laid beside the clauses of the cited chunks that hold most of its words and values.

    Counted as turning a clause round: negations (``niet``, ``geen``, ``zonder``; not ``niet alleen``, and not those
    that set a bound, which ``values.supported`` compares), opposites (``toegewezen``, ``afgewezen``) and prefixes
    (``bevoegd``, ``onbevoegd``). Two turns cancel out. When clauses that match equally well disagree, or the match
    is loose, a person decides.

    Reason codes that block: ``polarity_flipped``, ``modality_differs`` (a duty said as a permission, or the reverse).
    For a person: ``polarity_unclear``, ``exception_dropped`` and ``exception_added`` (``tenzij``, ``behoudens``,
    ``mits`` on one side only).
    """

    name = NAME
    version = 1

    async def run(self, case: Case) -> tuple[Finding, ...]:
        """All objections to the polarity of the draft."""
        draft = read_text(case)
        findings: list[Finding] = []
        for claim in claims_of(case):
            if not claim.needs_support:
                continue
            for start, end, labels in attributions(claim):
                chunks = cited(case, labels)
                sources = [read_chunk(chunk) for _, chunk in chunks]
                sources = [source for source in sources if source.language == draft.language]
                excepted: list[tuple[Clause, Match]] = []
                for clause in within(draft.clauses, start, end):
                    values = within(draft.values, clause.start, clause.end)
                    match = aligned(clause, values, sources)
                    if match is None:
                        continue
                    found = _judge(case.draft.text, clause, match, chunks)
                    if found is not None:
                        findings.append(found)
                    if match.sure:
                        excepted.append((clause, match))
                findings.extend(_exceptions(case.draft.text, excepted, chunks))
        return tuple(findings)


def _judge(text: str, clause: Clause, match: Match, chunks: tuple[tuple[str, Chunk], ...]) -> Finding | None:
    flipped = [turns(clause, other) % 2 == 1 for other in match.clauses]
    if any(flipped):
        if all(flipped) and match.sure:
            message = "The cited source says the contrary of this."
            return _found(text, clause, match, chunks, "block", "polarity_flipped", message)
        message = "Whether the cited source says this or its contrary cannot be told."
        return _found(text, clause, match, chunks, "review", "polarity_unclear", message)
    if match.sure and all(_other_modality(clause, other) for other in match.clauses):
        message = "The cited source commands what is only allowed here, or allows what is commanded here."
        return _found(text, clause, match, chunks, "block", "modality_differs", message)
    return None


def _other_modality(one: Clause, other: Clause) -> bool:
    if one.duty == one.permission or other.duty == other.permission:
        return False
    return one.duty != other.duty


def _exceptions(
    text: str, pairs: list[tuple[Clause, Match]], chunks: tuple[tuple[str, Chunk], ...]
) -> tuple[Finding, ...]:
    """An exception that stands on one side only; said once for a stretch of the claim."""
    if not pairs:
        return ()
    here = any(clause.excepts for clause, _ in pairs)
    there = [any(other.excepts for other in match.clauses) for _, match in pairs]
    clause, match = pairs[0]
    if not here and any(there):
        clause, match = next(pair for pair, excepts in zip(pairs, there, strict=True) if excepts)
        message = "The cited source makes an exception that is left out here."
        return (_found(text, clause, match, chunks, "review", "exception_dropped", message),)
    if here and not any(there):
        clause, match = next(pair for pair in pairs if pair[0].excepts)
        message = "An exception is made here that the cited source does not make."
        return (_found(text, clause, match, chunks, "review", "exception_added", message),)
    return ()


def _found(
    text: str,
    clause: Clause,
    match: Match,
    chunks: tuple[tuple[str, Chunk], ...],
    status: Any,
    reason: str,
    message: str,
) -> Finding:
    label, chunk = next((label, chunk) for label, chunk in chunks if read_chunk(chunk) is match.source)
    other = match.clauses[0]
    return finding(
        NAME,
        status,
        reason,
        message,
        subject=subject(text, clause.start, clause.end),
        evidence={
            "label": label,
            "chunk_id": chunk.chunk_id,
            "text": match.source.text[other.start : other.end].strip(),
            "start": other.start,
            "end": other.end,
        },
        waivable=status == "review",
    )
