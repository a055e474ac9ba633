"""Claims and the markers that say what they rest on.

The grammar of a marker is one: ``[`` label ``]`` where a label is a lower-case ASCII letter, up to fourteen
lower-case letters and digits, and a digit at the end (``[c1]``). Several stand side by side: ``[c1][c2]``. What
looks like a marker and does not parse (``[C1]``, ``[c1, c2]``, ``[с1]`` with a Cyrillic letter) is reported, never
guessed at. A marker after the full stop belongs to the sentence before it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from sluis.core.draft import Claim, Completion, Draft

from ._chars import word_set
from ._roles import ROLES
from ._vocabulary import CURRENCY_WORDS, PERCENT_WORDS, UNITS
from .fold import Span, lexed
from .sentences import GREETING, split_sentences

MARKER = re.compile(r"\[([a-z][a-z0-9]{0,14}[0-9])\]")
LABEL = re.compile(r"[a-z][a-z0-9]{0,14}[0-9]")
"""What a label must be; the evidence's own labels are of this form."""

UNCLEAR = frozenset({"unclear", "unclear."})
"""The whole answer of a drafter that found nothing to say."""

ABSENCE = frozenset(
    {
        "de bronnen zeggen hier niets over.",
        "de bronnen geven hierop geen antwoord.",
        "de bronnen geven geen antwoord op deze vraag.",
        "hierover staat niets in de bronnen.",
        "in de bronnen staat hierover niets.",
        "dit staat niet in de bronnen.",
        "the sources do not say.",
        "the sources say nothing about this.",
        "the sources do not answer this question.",
        "the sources give no answer to this question.",
        "this is not in the sources.",
    }
)
"""The declared absence statements: whole sentences, compared without case. Any other wording needs support."""

_HEADING = re.compile(r"#{1,6}[ \t]+(.*)", re.DOTALL)
_HEADING_PLAIN = re.compile(r"(?:[^\W\d_]|[ ,:&()'/-])+")
"""Letters and spaces: what could be an address or a number states something."""
_AFTER_ROLE = word_set("en of and or / bij in van voor na tegen met over for of in with at by to")
"""What may follow a party in a heading; any other word may be what it does (``Huurder betaalt alles``)."""
_RULE = re.compile(r"[-*_=| :\t]+")
_HEADING_WORDS = 8
_STATES = word_set(
    """
    is zijn was waren wordt worden werd werden heeft hebben had hadden kan kunnen mag mogen moet moeten hoeft
    hoeven zal zullen geldt gelden bent niet geen nooit altijd verplicht are was were has have had can may must
    shall should will not no never always applies apply does do
    """
)
"""A heading that holds one of these states something."""

# Anything short in brackets whose shape is "letters, digits" or a list of those.
_BRACKETS = re.compile(r"[\[\u3010\uff3b]([^\[\]\u3010\u3011\uff3b\uff3d\n]{1,40})[\]\u3011\uff3d]")
_MARKER_LIKE = re.compile(
    r"\^?(?:(?:source|bron|chunk|doc|ref|passage|[a-z]{0,2})[ _.:#-]*[0-9]{1,3})"
    r"(?:(?: *[,;&+/-]+ *| +)(?:en |and )?(?:source|bron|chunk|doc|ref|passage|[a-z]{0,2})[ _.:#-]*[0-9]{1,3})*"
)
_UNCLOSED = re.compile(r"\[[a-z]{0,2}[0-9]{1,3}(?![0-9a-z\]])")
_LOOK_ALIKES = str.maketrans(
    {"\u0441": "c", "\u0421": "c", "\u03f2": "c", "\u0501": "d", "\u0455": "s", "\u0430": "a", "\u0435": "e"}
)


@dataclass(frozen=True, kw_only=True)
class ClaimReading:
    """A text read as claims.

    Attributes:
        claims: in order; together they hold all words of the text.
        malformed_markers: what looks like a marker and is none.
    """

    claims: tuple[Claim, ...]
    malformed_markers: tuple[Span, ...]


def _marker_spans(text: str) -> list[tuple[int, int, str]]:
    return [(found.start(), found.end(), found.group(1)) for found in MARKER.finditer(text)]


def attributions(claim: Claim) -> tuple[tuple[int, int, tuple[str, ...]], ...]:
    """Which stretch of a claim rests on which of its markers.

    Words up to a run of markers rest on that run; words after the last run rest on the last. A run that opens the
    claim goes with what follows it.

    Returns:
        ``(start, end, labels)`` in offsets of the draft, in order, covering the claim.
    """
    parts: list[tuple[int, int, tuple[str, ...]]] = []
    begin = 0
    run: list[str] = []
    end_of_run = 0
    spoken = False
    for start, end, label in _marker_spans(claim.text):
        between = claim.text[end_of_run:start]
        if run and spoken and between.strip(" ,;\n"):
            parts.append((claim.start + begin, claim.start + end_of_run, tuple(run)))
            begin, run, spoken = end_of_run, [], False
        spoken = spoken or bool(between.strip(" \n*#>-"))
        run.append(label)
        end_of_run = end
    parts.append((claim.start + begin, claim.end, tuple(run)))
    return tuple(parts)


def _digits_as_ascii(text: str) -> str:
    return "".join("0" if char.isdigit() or char.isnumeric() else char for char in text)


def _malformed(text: str) -> tuple[Span, ...]:
    spans: list[Span] = []
    good = {(start, end) for start, end, _ in _marker_spans(text)}
    for found in _BRACKETS.finditer(text):
        if (found.start(), found.end()) in good:
            if text[found.end() : found.end() + 1] in ("(", ":") and found.end() < len(text):
                # A Markdown link or its definition: the label would point elsewhere than at the evidence.
                spans.append(Span(text=found.group(), start=found.start(), end=found.end(), reason="marker_is_link"))
            continue
        plain = _digits_as_ascii(lexed(found.group(1)).text.lower().translate(_LOOK_ALIKES)).strip()
        plain = "".join(char for char in plain if char.isprintable())
        if _MARKER_LIKE.fullmatch(plain) is not None:
            spans.append(Span(text=found.group(), start=found.start(), end=found.end(), reason="marker_malformed"))
    for found in _UNCLOSED.finditer(text):
        if (
            text[found.end() : found.end() + 1] not in (",", ";", " ", "-", "&", "+")
            or "]" not in text[found.end() : found.end() + 30]
        ):
            spans.append(Span(text=found.group(), start=found.start(), end=found.end(), reason="marker_unclosed"))
    return tuple(sorted(spans, key=lambda span: span.start))


def _states_nothing(text: str) -> bool:
    """Whether a sentence states no fact, by the declared forms alone."""
    plain = " ".join(lexed(text).text.split()).strip("*_ ")
    low = plain.lower()
    if low in UNCLEAR or low in ABSENCE:
        return True
    if GREETING.fullmatch(plain) is not None:
        return not any(char.isdigit() for char in plain)
    heading = _HEADING.fullmatch(plain)
    if heading is None:
        return False
    if _HEADING_PLAIN.fullmatch(heading.group(1)) is None:
        return False
    words = [word.strip(",:&()'/") for word in heading.group(1).lower().split()]
    words = [word for word in words if word]
    measured = any(word in CURRENCY_WORDS or word in UNITS or word in PERCENT_WORDS for word in words)
    return (
        len(words) <= _HEADING_WORDS
        and not measured
        and not any(word in _STATES for word in words)
        and not any(
            _is_role(word) and not _is_role(following) and following not in _AFTER_ROLE
            for word, following in pairwise(words)
        )
    )


def _is_role(word: str) -> bool:
    return any(word in roles for roles in ROLES.values())


def read_claims(text: str) -> ClaimReading:
    """Read a draft's text as claims.

    Args:
        text: any text, also an ill-formed one.

    Returns:
        Claims whose ``text`` equals ``text[start:end]``, and the malformed markers.
    """
    claims: list[Claim] = []
    alone: list[tuple[Span, tuple[str, ...]]] = []
    for sentence in split_sentences(text):
        if _RULE.fullmatch(sentence.text) is not None:
            continue
        labels = tuple(dict.fromkeys(label for _, _, label in _marker_spans(sentence.text)))
        bare = MARKER.sub("", sentence.text).strip(" \t\n.;,")
        if not bare and claims and labels:
            alone.append((sentence, labels))
            continue
        _join(text, claims, alone)
        claims.append(
            Claim(
                text=sentence.text,
                start=sentence.start,
                end=sentence.end,
                labels=labels,
                needs_support=not _states_nothing(MARKER.sub("", sentence.text)),
            )
        )
    _join(text, claims, alone)
    return ClaimReading(claims=tuple(claims), malformed_markers=_malformed(text))


def _join(text: str, claims: list[Claim], alone: list[tuple[Span, tuple[str, ...]]]) -> None:
    """Markers that stand alone after a sentence are that sentence's."""
    if not alone:
        return
    claim, end = claims[-1], alone[-1][0].end
    more = (label for _, labels in alone for label in labels)
    claims[-1] = Claim(
        text=text[claim.start : end],
        start=claim.start,
        end=end,
        labels=tuple(dict.fromkeys((*claim.labels, *more))),
        needs_support=claim.needs_support,
    )
    alone.clear()


def read_draft(completion: Completion, *, locale: str | None) -> Draft:
    """A completion as a draft: its text read as claims.

    Args:
        completion: what the model wrote, classified.
        locale: BCP 47 tag of the text, or ``None`` when it is not declared.
    """
    return Draft(completion=completion, claims=read_claims(completion.text).claims, locale=locale)
