"""Spans of a source that speak to the machine instead of to the reader. They are never evidence.

A source may legitimately speak of instructions ("de verhuurder volgt de instructies van de huurder"); so a span is
recognised by what it orders: to ignore what was said before, to treat the answer as verified, to send something
somewhere, to take another role; or by a role label that opens a line (``SYSTEM:``). The patterns run on the text
as it stands and again without invisible characters, so that neither hides the other.

The span reaches from the start of the line or sentence to its end, and after a role label to the end of the
paragraph: what follows an order belongs to it.
"""

from __future__ import annotations

import re2

from ._chars import BIDI, ZERO_WIDTH
from .fold import Span, lexed
from .sentences import split_sentences

_NEAR = r"(?:[^\n.!?]{0,60}?)"
_ORDERS = re2.compile(
    r"(?i)"
    r"(?:ignor|disregard|forget|overrid)\p{L}*"
    + _NEAR
    + r"(?:previous|prior|earlier|above|preceding|system|all|your)\b"
    + _NEAR
    + r"(?:instruct|prompt|rule|direct|context|message|guideline)"
    r"|(?:negeer|vergeet|sla)\b"
    + _NEAR
    + r"(?:eerdere|vorige|voorgaande|bovenstaande|alle|je|uw)\b"
    + _NEAR
    + r"(?:instruct|opdracht|aanwijzing|regel|prompt|bericht)"
    r"|(?:mark|treat|consider|regard|report)\b"
    + _NEAR
    + r"(?:answer|response|output|draft|claim|this)\b"
    + _NEAR
    + r"(?:verified|approved|passed|valid|correct)\b"
    r"|(?:markeer|beschouw|behandel|meld)\b"
    + _NEAR
    + r"(?:antwoord|uitvoer|concept|dit)\b"
    + _NEAR
    + r"(?:geverifieerd|goedgekeurd|gecontroleerd|juist|correct)"
    r"|(?:verificatie|verification)\b" + _NEAR + r"(?:is al|already|completed|uitgevoerd|voltooid|skip|overslaan)"
    r"|status\s*[=:]\s*[\"']?(?:pass|passed|approved|verified|geverifieerd)"
    r"|\"?verification\"?\s*:\s*\{?"
    r"|(?:stuur|mail|verzend|send|forward|email|e-mail|bcc|cc)\b"
    + _NEAR
    + r"(?:[a-z0-9._%+-]{1,64}@[a-z0-9.-]{1,253}\.[a-z]{2,24}|https?://)"
    r"|(?:noem|vermeld|antwoord met|schrijf|answer with|respond with|reply with|say that|cite|citeer)\b"
    + _NEAR
    + r"\[[a-z]{1,3}[0-9]{1,4}\]"
    r"|(?:you are now|je bent nu|u bent nu|act as|gedraag je als|doe alsof)\b"
    + _NEAR
    + r"(?:assistant|assistent|model|system|systeem|developer|admin|mode|modus|ai\b)"
    r"|(?:reveal|print|show|toon|onthul)\b"
    + _NEAR
    + r"(?:system prompt|systeemprompt|system message|hidden instructions)"
    r"|<\|?/?(?:system|im_start|im_end|assistant|user|instructions?|endoftext)\b[^>\n]{0,40}\|?>"
    r"|\[/?(?:INST|SYS|SYSTEM)\]"
)
_ROLE = re2.compile(
    r"(?im)^[\s>#*_-]{0,8}(?:systeem|system|assistant|assistent|developer|instructie aan (?:het model|de assistent)|"
    r"note to (?:the )?(?:ai|model|assistant)|ai instructions?)[*_]{0,2}\s{0,3}:"
)


def _without_invisible(text: str) -> tuple[str, list[int]]:
    kept: list[str] = []
    offsets: list[int] = []
    for index, char in enumerate(text):
        if char not in ZERO_WIDTH and char not in BIDI:
            kept.append(char)
            offsets.append(index)
    return "".join(kept), offsets


def _hits(text: str) -> list[tuple[int, int, str]]:
    hits = [(found.start(), found.end(), "order") for found in _ORDERS.finditer(text)]
    hits.extend((found.start(), found.end(), "role") for found in _ROLE.finditer(text))
    return hits


def instruction_spans(text: str) -> tuple[Span, ...]:
    """The instruction-like spans of a text, in order, merged where they touch.

    Args:
        text: a chunk's text.

    Returns:
        Spans with ``reason`` ``order`` or ``role``; offsets count code points of ``text``.
    """
    folded = lexed(text)
    hits = [(*folded.back(start, end), kind) for start, end, kind in _hits(folded.text)]
    clean, offsets = _without_invisible(folded.text)
    if len(clean) != len(folded.text):
        hits.extend(
            (*folded.back(offsets[start], offsets[end - 1] + 1), kind)
            for start, end, kind in _hits(clean)
            if end > start
        )
    if not hits:
        return ()
    return _merged(text, [_widened(text, *hit) for hit in _with_sentences(text, hits)])


def _with_sentences(text: str, hits: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Each hit grown to the sentences it touches."""
    sentences = split_sentences(text)
    grown: list[tuple[int, int, str]] = []
    place = 0
    for start, end, kind in sorted(hits):
        while place < len(sentences) and sentences[place].end <= start:
            place += 1
        look = place
        left, right = start, end
        while look < len(sentences) and sentences[look].start < end:
            left, right = min(left, sentences[look].start), max(right, sentences[look].end)
            look += 1
        grown.append((left, right, kind) if kind == "order" else (start, right, kind))
    return grown


def _widened(text: str, start: int, end: int, kind: str) -> tuple[int, int, str]:
    """An order ends with its line; what a role label opens ends with its paragraph."""
    line = text.rfind("\n", 0, start) + 1
    if kind == "order":
        stop = text.find("\n", end)
        return (max(line, start), len(text) if stop < 0 else max(end, stop), kind)
    stop = text.find("\n\n", end)
    return (line, len(text) if stop < 0 else stop, kind)


def _merged(text: str, spans: list[tuple[int, int, str]]) -> tuple[Span, ...]:
    merged: list[tuple[int, int, str]] = []
    for start, end, kind in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end), merged[-1][2])
        else:
            merged.append((start, end, kind))
    return tuple(Span(text=text[start:end], start=start, end=end, reason=kind) for start, end, kind in merged)
