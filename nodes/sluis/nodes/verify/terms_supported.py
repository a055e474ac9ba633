"""terms.supported: names, parties and telling words of a claim stand in the source it cites, and in the same parts."""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import pairwise
from typing import Any

from sluis.core import Case, Chunk, Claim, Finding, finding
from sluis.core.reading import attributions, invisible
from sluis.core.reading.clauses import Clause, contrary
from sluis.core.reading.words import Language, Word, keys_of, language_for, read_words, vocabulary

from ._alignment import aligned
from ._evidence import Reading, cited, claims_of, read_chunk, read_text, subject, within

NAME = "terms.supported"

_IDENTIFIER = re.compile(r"[^\W_]*[0-9](?:[^\s\[\]()<>\"'\u201c\u201d,;!?*|]*[^\W_])?")
RATES = {
    "dagelijks": "dag", "dagelijkse": "dag", "wekelijks": "week", "wekelijkse": "week", "maandelijks": "maand",
    "maandelijkse": "maand", "jaarlijks": "jaar", "jaarlijkse": "jaar", "per dag": "dag", "per week": "week",
    "per maand": "maand", "per jaar": "jaar", "daily": "day", "weekly": "week", "monthly": "month", "annually": "year",
    "annual": "year", "yearly": "year", "per day": "day", "per month": "month", "per year": "year", "per annum": "year",
}  # fmt: skip
"""Words that say by what something is counted."""
_HEADINGS: dict[Language, str] = {
    "nl": "inleiding samenvatting toelichting advies rechten plichten verplichtingen bronnen vervolg stappen",
    "en": "introduction summary explanation advice rights duties obligations sources steps overview",
}
"""What a heading may say of the text it stands in."""
_PLAIN = re.compile(r"[\s./:()-]")


class TermsSupported:
    """Every telling word of a claim is looked for in the chunks that this part of the claim cites, by stem, compound
    and synonym (:mod:`sluis.core.reading.words`). What merely resembles a word does not support it.

    - A **name** (a capital within the sentence, or several) that no cited chunk holds blocks: ``name_not_in_source``;
      one that the question itself named is for a person: ``name_of_question``.
    - A **role** (the table of :mod:`sluis.core.reading._roles`) that no cited chunk holds blocks:
      ``role_not_in_source``. When the clause of the source that the claim speaks of names the opposite role as the
      one who acts, it blocks: ``role_swapped``.
    - An **identifier** (what holds a digit and is no value: telephone, docket, time, version, label) that does not
      stand there literally blocks: ``identifier_not_in_source``.
    - A **rate** (``per uur``, ``maandelijks``) that no cited chunk has blocks: ``rate_not_in_source``.
    - Any other **word** that is missing is for a person: ``term_not_in_source``; one finding a claim, with the words.
    - A claim in another language than its sources, or in one that is not read, cannot be compared, so a person looks:
      ``other_language``.
    """

    name = NAME
    version = 1

    async def run(self, case: Case) -> tuple[Finding, ...]:
        """All objections to the words of the draft."""
        draft = read_text(case)
        findings: list[Finding] = []
        for claim in claims_of(case):
            if not claim.needs_support:
                findings.extend(_heading(case, draft, claim))
                continue
            for start, end, labels in attributions(claim):
                chunks = cited(case, labels)
                if chunks:
                    findings.extend(_judge(case, draft, start, end, chunks))
        return tuple(findings)


def _judge(case: Case, draft: Reading, start: int, end: int, chunks: tuple[tuple[str, Chunk], ...]) -> list[Finding]:
    text = case.draft.text
    where = {"chunks": [{"label": label, "chunk_id": chunk.chunk_id} for label, chunk in chunks]}
    sources = [read_chunk(chunk) for _, chunk in chunks]
    named = [f"{chunk.title}\n{chunk.source_id}\n{chunk.version}\n{' '.join(chunk.numbering)}" for _, chunk in chunks]
    findings = _identifiers(text, draft, start, end, sources, named, where)
    alike = [source for source in sources if source.language == draft.language]
    if not alike or (case.draft.locale is not None and language_for(case.draft.locale) is None):
        message = "The sentence and its source are in different languages, so their words cannot be compared."
        findings.append(_review(text, start, end, "other_language", message, where))
        return findings
    titles = [vocabulary(read_words(title, draft.language), draft.language) for title in named]
    held = [source.vocabulary for source in alike] + titles
    asked = vocabulary(read_words(case.context.request.question, draft.language), draft.language)
    missing: list[Word] = []
    for word in read_words(text[start:end], draft.language, masks=_masks(draft, start, end)):
        if word.kind == "common" or any(one.holds(word) for one in held):
            continue
        at = {"start": start + word.start, "end": start + word.end}
        if word.kind == "name":
            if asked.holds(word):
                message = f"{word.text} stands in the question and not in the source cited here."
                findings.append(_review(text, at["start"], at["end"], "name_of_question", message, where))
            else:
                message = f"The source cited here does not name {word.text}."
                findings.append(_block(text, at["start"], at["end"], "name_not_in_source", message, where))
        elif word.kind == "role":
            message = f"The source cited here does not speak of {word.text}."
            findings.append(_block(text, at["start"], at["end"], "role_not_in_source", message, where))
        elif not any(contrary(word.low, one.lows) for one in held):
            # What a source says the contrary of is for polarity to judge.
            missing.append(word)
    findings.extend(_rates(text, draft, start, end, alike, where))
    if missing:
        words = list(dict.fromkeys(word.text for word in missing))
        message = f"The source cited here does not hold: {', '.join(words)}."
        findings.append(_review(text, start, end, "term_not_in_source", message, {**where, "words": words}))
    findings.extend(_roles(text, draft, start, end, alike, where))
    return findings


def _heading(case: Case, draft: Reading, claim: Claim) -> list[Finding]:
    """A heading cites nothing; its words are those of what was shown or asked."""
    if not claim.text.lstrip().startswith("#"):
        return []
    held = [read_chunk(item.chunk).vocabulary for item in case.evidence.items]
    held.append(vocabulary(read_words(case.context.request.question, draft.language), draft.language))
    held.append(vocabulary(read_words(_HEADINGS[draft.language], draft.language), draft.language))
    words = [
        word.text
        for word in read_words(claim.text, draft.language)
        if word.kind != "common" and not any(one.holds(word) for one in held)
    ]
    if not words:
        return []
    message = f"No source that was shown holds: {', '.join(words)}."
    return [_review(case.draft.text, claim.start, claim.end, "term_not_in_source", message, {"words": words})]


def _rates(
    text: str, draft: Reading, start: int, end: int, sources: list[Reading], where: dict[str, Any]
) -> list[Finding]:
    """Rates of the claim that no cited chunk has."""
    held = {rate for source in sources for rate, _ in _rates_in(source.text, source.language)}
    return [
        _block(
            text,
            start + word.start,
            start + word.end,
            "rate_not_in_source",
            f"The source cited here has no rate per {rate}.",
            where,
        )
        for rate, word in _rates_in(text[start:end], draft.language)
        if rate not in held
    ]


def _rates_in(text: str, language: Language) -> list[tuple[str, Word]]:
    """What something is counted by, each as the stem of its unit, and where."""
    words = read_words(text, language)
    found = [(RATES[word.low], word) for word in words if word.low in RATES]
    for before, word in pairwise(words):
        if before.low == "per" and word.low not in ("cent", "e-mail", "mail", "post", "brief"):
            found.append((RATES.get(f"per {word.low}", min(keys_of(word.low, language))), word))
    return found


def _masks(draft: Reading, start: int, end: int) -> list[tuple[int, int]]:
    """References, citations, markers and values, which other checks compare, in offsets of the stretch."""
    first = bisect_left(draft.masks, (start, start))
    spans = [*draft.masks[max(0, first - 1) : bisect_left(draft.masks, (end, end))]]
    spans += [(value.start, value.end) for value in within(draft.values, start, end)]
    return [(left - start, right - start) for left, right in spans if left < end and right > start]


def _identifiers(
    text: str,
    draft: Reading,
    start: int,
    end: int,
    sources: list[Reading],
    named: list[str],
    where: dict[str, Any],
) -> list[Finding]:
    """What holds a digit and nobody else compares."""
    masks = sorted(
        [
            *_masks(draft, start, end),
            *((first - start, last - start) for _, first, last in draft.years if start <= first < end),
        ]
    )
    findings: list[Finding] = []
    held: str | None = None
    for found in _IDENTIFIER.finditer(text[start:end]):
        if any(left < found.end() and found.start() < right for left, right in masks):
            continue
        if _opens_line(text, start + found.start()):
            continue
        if held is None:
            held = "\n".join(_flat(item) for item in (*(source.text for source in sources), *named))
        if not _stands(_flat(found.group()), held) or invisible(found.group()):
            message = f"{found.group()} does not stand in the source cited here."
            findings.append(
                _block(text, start + found.start(), start + found.end(), "identifier_not_in_source", message, where)
            )
    return findings


def _opens_line(text: str, at: int) -> bool:
    """Whether a number is the label of its line: ``1.`` of a list."""
    return not text[text.rfind("\n", 0, at) + 1 : at].strip(" \t#>*-(")


def _flat(text: str) -> str:
    """Digits and letters with one mark where others stood, so that ``06-1234 5678`` and ``0612345678`` are one."""
    return _PLAIN.sub("", text).lower()


def _stands(piece: str, held: str) -> bool:
    at = held.find(piece)
    while at >= 0:
        before, after = held[at - 1 : at], held[at + len(piece) : at + len(piece) + 1]
        if not (before.isdigit() and piece[0].isdigit()) and not (after.isdigit() and piece[-1].isdigit()):
            return True
        at = held.find(piece, at + 1)
    return False


def _roles(
    text: str, draft: Reading, start: int, end: int, sources: list[Reading], where: dict[str, Any]
) -> list[Finding]:
    findings: list[Finding] = []
    for clause in within(draft.clauses, start, end):
        if not clause.roles:
            continue
        values = within(draft.values, clause.start, clause.end)
        match = aligned(clause, values, sources)
        if match is None:
            continue
        verdicts = [_swapped(clause, other) for other in match.clauses]
        if all(verdict == "swapped" for verdict in verdicts) and match.sure:
            message = "The cited source says this of the other party."
            findings.append(_block(text, clause.start, clause.end, "role_swapped", message, where))
        elif "swapped" in verdicts:
            message = "The cited source may say this of the other party."
            findings.append(_review(text, clause.start, clause.end, "role_unclear", message, where))
    return findings


def _swapped(claim: Clause, source: Clause) -> str:
    """``same``, ``swapped`` or ``unknown``, by who acts."""
    if claim.agent is None or source.agent is None:
        opposed = {line for line, _ in claim.roles} & {line for line, _ in source.roles}
        return "swapped" if opposed and not claim.roles & source.roles else "unknown"
    if claim.agent == source.agent:
        return "same"
    if claim.agent[0] == source.agent[0]:
        return "swapped"
    return "unknown"


def _block(text: str, start: int, end: int, reason: str, message: str, evidence: dict[str, Any]) -> Finding:
    return finding(NAME, "block", reason, message, subject=subject(text, start, end), evidence=evidence)


def _review(text: str, start: int, end: int, reason: str, message: str, evidence: dict[str, Any]) -> Finding:
    return finding(NAME, "review", reason, message, subject=subject(text, start, end), evidence=evidence, waivable=True)
