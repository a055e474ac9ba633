"""Reading text: values, references, citations, claims. Pure, linear in the length of the text, no I/O.

Every reader takes any text, also an ill-formed one, and gives spans whose offsets count code points of exactly
that text, so that ``span.text == text[span.start:span.end]``.
"""

from __future__ import annotations

from ._laws import law_key
from ._reference import Reference
from ._value_reader import read_numbers, read_values, read_years
from .citations import Citations, FoundCitation, Malformed, read_citations
from .claims import ABSENCE, LABEL, MARKER, ClaimReading, attributions, read_claims, read_draft
from .fold import Folded, Span, fold, invisible, lexed
from .instructions import instruction_spans
from .quotes import Quote, elisions, find_quote, read_quotes, unpaired
from .references import read_references
from .sentences import split_sentences
from .values import Date, Duration, Money, Number, Percent, ReadValue, measure, same_length, same_value

__all__ = [
    "ABSENCE",
    "LABEL",
    "MARKER",
    "Citations",
    "ClaimReading",
    "Date",
    "Duration",
    "Folded",
    "FoundCitation",
    "Malformed",
    "Money",
    "Number",
    "Percent",
    "Quote",
    "ReadValue",
    "Reference",
    "Span",
    "attributions",
    "elisions",
    "find_quote",
    "fold",
    "instruction_spans",
    "invisible",
    "law_key",
    "lexed",
    "measure",
    "read_citations",
    "read_claims",
    "read_draft",
    "read_numbers",
    "read_quotes",
    "read_references",
    "read_values",
    "read_years",
    "same_length",
    "same_value",
    "split_sentences",
    "unpaired",
]
