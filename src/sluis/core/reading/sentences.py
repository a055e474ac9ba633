"""Sentences: where one statement ends and the next begins.

Two mistakes are possible and both matter: a wrong split tears a number from its marker; a missed split lets one
marker cover two statements. So the rules are few and stand here:

1. Lines that speak for themselves (headings, list items, table rows) and blank lines end a sentence. A single
   line end inside a paragraph does not.
2. ``.``, ``!`` and ``?`` end one when white space or the end follows, and then no lower-case letter.
3. A full stop after an abbreviation that always wants something after it (``art.``, ``nr.``, ``mr.``), after a
   single letter, or after the number that opens a line (``1. De huurder``) does not.
4. An ellipsis with space before it stands for something left out, so it never ends a sentence.
5. Closing quotes and brackets, and markers such as ``[c1]``, belong to the sentence before them.
"""

from __future__ import annotations

import re

from ._chars import word_set
from .fold import Span

# Always followed by what they introduce.
LEADING = word_set(
    """
    aant adv afd art artt bijv blz bv ca cf cons dhr dr drs fig gr hfst hoofdst ibid ing ir jo jr mej mevr mgr mr
    mrs ms mw nr nrs overw p par pp prof r red resp ro rov sec sect sr stb stcrt sub trb vgl vs zgn zie eg viz
    approx para paras reg regs hon
    """
)
"""Abbreviations after which a sentence goes on, whatever follows."""

NUMBERED = word_set("lid no nos punt cl al tel vol tit titel bijl onderd o t")
"""Words and abbreviations after which a sentence goes on if a digit follows."""

TRAILING = word_set(
    """
    ao as cq cs ea ed enz etc ev inc jan feb mrt apr jun jul aug sep sept okt oct nov dec ltd mln mrd mm nv st tm
    wo zoz co corp bn
    """
)
"""Abbreviations that may also end a sentence: it goes on unless a capital follows."""

DOTTED_LEADING = word_set(
    """
    o.a m.b.t i.v.m t.a.v d.w.z m.a.w m.n r.o i.c t.o.v e.g i.e t.m a.d.h.v i.p.v n.a.v o.g.v o.b.v m.i.v p.o
    t.b.v i.g.v b.v.b
    """
)
"""Dotted ones of the first sort."""

_CLOSING = "\"'\u201d\u2019\u00bb)]*_"
_LINE_ITEM = re.compile(r"[ \t]*(?:#{1,6}[ \t]|[-*+\u2022][ \t]|[0-9]{1,3}[.)][ \t]|\(?[a-z]\)[ \t]|\||>)")
_ALONE = re.compile(r"[ \t]*(?:#{1,6}[ \t].*|\|.*|[-*_=]{3,}[ \t]*|UNCLEAR\.?[ \t]*)\r?\n?")
_NAMED = (
    r"(?:heer|mevrouw|meneer|dhr\.?|mevr\.?|mw\.?|mr\.?|mrs\.?|ms\.?|drs?\.?|ir\.?|ing\.?|prof\.?|sir|madam|familie|klant|"
    r"klanten|lezer|relatie|collega|collega's|cli\u00ebnt|verzekerde|huurder|bewoner|customer|client|tenant|reader|"
    r"colleagues?|of|or|en|and|de|den|der|van|ten|ter|te|von|la|le|"
    r"(?-i:[A-Z\u00c0-\u00de]\.(?:[A-Z\u00c0-\u00de]\.)*|[A-Z\u00c0-\u00de][a-z\u00df-\u00ff]{1,20}(?:[-'][A-Z\u00c0-\u00de]?[a-z\u00df-\u00ff]{1,20})?))"
)
GREETING = re.compile(
    rf"(?i)(?:geachte|beste|dear|hallo|hello)(?: {_NAMED}){{1,6}},?"
    r"|(?:met vriendelijke groet(?:en)?|hoogachtend|kind regards|best regards|yours (?:sincerely|faithfully)),?"
)
"""Salutations and closings; a line that is one stands alone."""
_STOP = re.compile(r"[.!?\u2026\u3002]+")
_MARKERS = re.compile(r"[ \t]*(?:\[[^\[\]\s]{1,20}\])")
_MOST_MARKERS = 40
"""After one sentence; without a bound a text of nothing but markers would be looked at again from each of them."""
_LABEL = re.compile(r"(?:[ \t]|[-*+\u2022>#|(])*[0-9]{1,3}")
_WORD_BEFORE = re.compile(r"[^\W\d_]+(?:[./][^\W\d_]+)*\.?$")


def _blocks(text: str) -> list[tuple[int, int]]:
    """Paragraphs, and the lines that stand alone."""
    blocks: list[tuple[int, int]] = []
    start: int | None = None
    position = 0
    for line in text.splitlines(keepends=True):
        end = position + len(line)
        whole = _ALONE.fullmatch(line) is not None or GREETING.fullmatch(line.strip()) is not None
        alone = whole or _LINE_ITEM.match(line) is not None
        blank = not line.strip()
        if (blank or alone) and start is not None:
            blocks.append((start, position))
            start = None
        if not blank and start is None:
            start = position
        if start is not None and whole:
            blocks.append((start, end))
            start = None
        position = end
    if start is not None:
        blocks.append((start, position))
    return blocks


def _abbreviated(text: str, begin: int, stop: int, follower: str) -> bool:
    """Whether the full stop at ``stop`` belongs to an abbreviation, or to a number or letter that goes on."""
    window = text[max(begin, stop - 24) : stop]
    found = _WORD_BEFORE.search(window)
    if found is None:
        return _LABEL.fullmatch(text, begin, stop) is not None
    word = found.group().lower().rstrip(".")
    if word in DOTTED_LEADING:
        return True
    plain = word.replace(".", "")
    if "." in word or "/" in word:
        return not follower.isupper()
    if word in LEADING or (word in NUMBERED and follower.isdigit()):
        return True
    if word in TRAILING:
        return not follower.isupper()
    if len(plain) != 1:
        return False
    # One letter: an initial (``J. de Vries``) or a list label, unless it closes a reference (``onder a.``).
    return found.group().isupper() or (stop - begin <= 4 and text[begin:stop].strip(" (*") == found.group())


def _cut(text: str, begin: int, end: int) -> list[tuple[int, int]]:
    cuts: list[tuple[int, int]] = []
    start = begin
    for found in _STOP.finditer(text, begin, end):
        stop, after = found.start(), found.end()
        if stop < start:
            continue
        run = found.group()
        while after < end and text[after] in _CLOSING:
            after += 1
        cursor = after
        for _ in range(_MOST_MARKERS):
            marker = _MARKERS.match(text, cursor, end)
            if marker is None:
                break
            cursor = marker.end()
        if cursor < end and not text[cursor].isspace():
            continue
        rest = cursor
        while rest < end and text[rest].isspace():
            rest += 1
        follower = text[rest] if rest < end else ""
        opened = text[rest + 1] if follower in "\"'\u201c\u2018\u201e(\u00ab*_" and rest + 1 < end else follower
        elided = len(run) > 1 or "\u2026" in run
        if elided and set(run) <= {".", "\u2026"} and (stop == begin or text[stop - 1].isspace()):
            continue
        if opened.islower() and cursor == after and (run == "." or elided):
            continue
        if run == "." and cursor == after and rest < end and _abbreviated(text, start, stop, opened):
            continue
        cuts.append((start, cursor))
        start = rest
    if text[start:end].strip():
        cuts.append((start, end))
    return cuts


def split_sentences(text: str) -> tuple[Span, ...]:
    """The sentences of a text, in order, without the white space around them.

    ``span.text == text[span.start:span.end]``; what lies between two spans is white space.
    """
    spans: list[Span] = []
    for begin, end in _blocks(text):
        for start, stop in _cut(text, begin, end):
            piece = text[start:stop]
            left = len(piece) - len(piece.lstrip())
            kept = piece.strip()
            spans.append(Span(text=kept, start=start + left, end=start + left + len(kept)))
    return tuple(spans)
