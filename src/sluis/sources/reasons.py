"""Every reason a live source can give, in one table: what state it means and what may follow from it."""

from __future__ import annotations

from dataclasses import dataclass

from sluis.core import SourceState

__all__ = ["REASONS", "Reason", "reason"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Reason:
    """What a reason code stands for.

    Attributes:
        state: the state it always comes with.
        words: one sentence for the person who decides.
        transient: asking again may bring another answer: the fault lies with network or source, not the record.
        reviewable: the record was read, and what it says is for a person to weigh. Only then may one let it pass.
    """

    state: SourceState
    words: str
    transient: bool = False
    reviewable: bool = False


def _bad(words: str) -> Reason:
    return Reason(state=SourceState.UNVERIFIABLE, words=words, transient=True)


def _weigh(words: str) -> Reason:
    return Reason(state=SourceState.UNVERIFIABLE, words=words, reviewable=True)


REASONS: dict[str, Reason] = {
    # What the register says for certain.
    "current": Reason(state=SourceState.LIVE, words="The register shows it as current."),
    "void": Reason(state=SourceState.WITHDRAWN, words="A later ruling declared it void."),
    "replaced": Reason(state=SourceState.SUPERSEDED, words="The register points to the record that replaced it."),
    "no_longer_valid_text": Reason(
        state=SourceState.SUPERSEDED, words="Its own summary says that its text is no longer valid."
    ),
    "overturned": Reason(state=SourceState.OVERTURNED, words="A later instance quashed it, at least in part."),
    "not_found": Reason(state=SourceState.NOT_FOUND, words="The register does not know it."),
    # What the register says, and a person has to weigh.
    "later_outcome_unknown": _weigh("A later instance dealt with it, and the record does not say how that ended."),
    "later_outcome_unclear": _weigh("A later instance dealt with it, with an outcome that may or may not undo it."),
    "opinion_not_followed": _weigh("The court did not follow this opinion, or only in part."),
    "correction_chain": _weigh("It belongs to a chain of corrections, and another link may be the text that counts."),
    "unknown_relation": _weigh("It stands in a relation that is not understood."),
    "no_text": _weigh("It exists, and its text is not published, so nobody can read what is cited."),
    "not_public": _weigh("The register does not mark it as public."),
    "empty_marker": _weigh("It has a marker without a value, so whether it was replaced cannot be told."),
    "outside_register": _weigh("It belongs to another country's register, which is not asked."),
    "no_source_for_kind": _weigh("No source is configured that could say anything of it."),
    # The reference itself.
    "malformed_reference": Reason(
        state=SourceState.UNVERIFIABLE, words="It is not a reference in the form that its kind demands."
    ),
    # Nothing that could be believed came back in time.
    "timeout": _bad("The source did not answer within the time for the whole gate."),
    "connection": _bad("The connection to the source failed or broke off."),
    "forbidden_address": _bad("The source's name leads to an address that may not be connected to."),
    "redirect": _bad("The source sent the request elsewhere, and redirects are not followed."),
    "not_xml": _bad("The source answered with something else than a record."),
    "challenge_page": _bad("The source answered with a page that wants to see a person."),
    "empty_body": _bad("The source answered with nothing."),
    "too_large": _bad("The answer is larger than any record."),
    "bad_encoding": _bad("The answer's compression is unknown or broken."),
    "malformed_xml": _bad("The answer is no well-formed XML, or was cut off."),
    "forbidden_doctype": _bad("The answer declares a document type or entities, which no record does."),
    "not_a_record": _bad("The answer is XML, but no record of this register."),
    "wrong_record": _bad("The answer is the record of something else."),
    "source_error": _bad("The source's adapter failed."),
}
"""Reason codes by name. Beside these there is ``http_<status>`` for every other status of HTTP."""


def reason(code: str) -> Reason:
    """Look a reason up.

    Raises:
        KeyError: neither in :data:`REASONS` nor ``http_<three digits>``.
    """
    known = REASONS.get(code)
    if known is not None:
        return known
    prefix, _, status = code.partition("_")
    if prefix == "http" and len(status) == 3 and status.isascii() and status.isdigit():
        return _bad(f"The source answered with HTTP status {status}.")
    raise KeyError(code)
