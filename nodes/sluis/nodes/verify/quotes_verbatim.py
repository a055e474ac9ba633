"""quotes.verbatim: quoted text stands in one piece in a chunk that the claim cites."""

from __future__ import annotations

from sluis.core import Case, Chunk, Claim, Finding, finding
from sluis.core.reading import attributions, elisions, find_quote, read_quotes, unpaired
from sluis.core.reading.quotes import MIN_WORDS

from ._evidence import cited, claims_of, read_chunk, subject

NAME = "quotes.verbatim"


class QuotesVerbatim:
    """Quotations of three words and more are compared with the cited chunks, after the fold, whole words.

    Reason codes that block: ``quote_not_in_cited_chunk``; ``quote_altered`` (something telling was left out, or the
    parts stand in another order or far apart); ``quote_unpaired`` (a quotation mark without its other half, as when a
    quotation runs over two sentences). For a person: ``quote_elided`` (an ellipsis inside a quotation),
    ``elision`` (an ellipsis in the sentence itself).
    """

    name = NAME
    version = 1

    async def run(self, case: Case) -> tuple[Finding, ...]:
        """All objections to the quotations of the draft."""
        text = case.draft.text
        findings: list[Finding] = []
        for claim in claims_of(case):
            quoted = False
            for quote in read_quotes(claim.text):
                quoted = quoted or quote.elided
                if quote.words >= MIN_WORDS or quote.elided:
                    start = claim.start + quote.start
                    found = _judge(text, start, claim.start + quote.end, quote.text, _sources(case, claim, start))
                    findings.extend(found)
            alone = unpaired(claim.text)
            if alone is not None:
                findings.append(_alone(text, claim.start + alone))
            if not quoted and elisions(claim.text):
                findings.extend(_unquoted(text, claim, cited(case, claim.labels)))
        return tuple(findings)


def _alone(text: str, start: int) -> Finding:
    message = "A quotation mark stands alone, so nobody can tell what is quoted."
    return finding(NAME, "block", "quote_unpaired", message, subject=subject(text, start, start + 1))


def _sources(case: Case, claim: Claim, start: int) -> tuple[tuple[str, Chunk], ...]:
    """The chunks that the part of the claim around ``start`` cites."""
    labels = next(
        (part for first, last, part in attributions(claim) if first <= start < last),
        claim.labels,
    )
    return cited(case, labels)


def _judge(text: str, start: int, end: int, quote: str, chunks: tuple[tuple[str, Chunk], ...]) -> tuple[Finding, ...]:
    outcomes = {find_quote(quote, read_chunk(chunk).text) for _, chunk in chunks}
    if "verbatim" in outcomes:
        return ()
    where = subject(text, start, end)
    evidence = {"chunks": [{"label": label, "chunk_id": chunk.chunk_id} for label, chunk in chunks]}
    if "elided" in outcomes:
        message = "This quotation leaves something out; a person has to see what."
        return (
            finding(NAME, "review", "quote_elided", message, subject=where, evidence=dict(evidence), waivable=True),
        )
    if "altered" in outcomes:
        message = "This quotation leaves out words that change what the source says, or puts its parts together anew."
        return (finding(NAME, "block", "quote_altered", message, subject=where, evidence=dict(evidence)),)
    message = "This quotation does not stand in the source cited for it."
    return (finding(NAME, "block", "quote_not_in_cited_chunk", message, subject=where, evidence=dict(evidence)),)


def _unquoted(text: str, claim: Claim, chunks: tuple[tuple[str, Chunk], ...]) -> tuple[Finding, ...]:
    """An ellipsis in a sentence that is not quoted: what it leaves out may turn the meaning all the same."""
    outcomes = {find_quote(claim.text, read_chunk(chunk).text) for _, chunk in chunks}
    where = subject(text, claim.start, claim.end)
    evidence = {"chunks": [{"label": label, "chunk_id": chunk.chunk_id} for label, chunk in chunks]}
    if "altered" in outcomes and "elided" not in outcomes:
        message = "This sentence follows the source and leaves out words that change what it says."
        return (finding(NAME, "block", "quote_altered", message, subject=where, evidence=dict(evidence)),)
    message = "This sentence leaves something out by an ellipsis; a person has to see what."
    return (finding(NAME, "review", "elision", message, subject=where, evidence=dict(evidence), waivable=True),)
