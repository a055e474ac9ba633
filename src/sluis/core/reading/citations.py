"""Citations of documents that have a canonical source: ECLI, BWB, CELEX, CVE, DOI, RFC, URL.

Found ones are in normal form. What looks like a citation and does not parse is *malformed*, with a reason; it is
never dropped, for a missed citation is one that nobody checks. The rule for ECLI (leftovers rule): every token
``ECLI`` in the text must lie in something found or something malformed.

Reasons of :class:`Malformed`: ``mixed_script`` (a letter of another script, or a look-alike digit), ``invisible``
(a zero-width character inside), ``line_break`` (broken over two lines, so its end is a guess; ``value`` holds the
guess), ``ordinal`` (the last part is none of the forms this country uses), ``leftover``, ``ljn`` (the old number
alone), ``truncated`` (ends at a line end with a hyphen, or unbalanced).
"""

from __future__ import annotations

import html
import re
import unicodedata
from dataclasses import dataclass

import re2

from ._chars import ZERO_WIDTH
from .fold import Folded, lexed


@dataclass(frozen=True, kw_only=True)
class FoundCitation:
    """A citation in normal form; ``text`` is how it was written, at ``start..end``."""

    kind: str
    value: str
    text: str
    start: int
    end: int

    def to_json(self) -> dict[str, object]:
        """As ``sluis extract`` prints it."""
        return {"kind": self.kind, "value": self.value, "text": self.text, "start": self.start, "end": self.end}


@dataclass(frozen=True, kw_only=True)
class Malformed:
    """Something that looks like a citation of a kind and is none; see the module for the reasons."""

    kind: str
    reason: str
    text: str
    start: int
    end: int
    value: str | None = None

    def to_json(self) -> dict[str, object]:
        """As ``sluis extract`` prints it."""
        return {"kind": self.kind, "text": self.text, "reason": self.reason, "start": self.start, "end": self.end}


@dataclass(frozen=True, kw_only=True)
class Citations:
    """All citations of a text, each list in order of the text, without overlaps."""

    found: tuple[FoundCitation, ...]
    malformed: tuple[Malformed, ...]


_SEP = r"(?:[ \n]{0,4}(?:[:;_]|%3[aA])[ \n]{0,4}|-)"
_ECLI_NL = re2.compile(
    rf"(?i)(?:ECLI{_SEP})?NL{_SEP}([A-Z][A-Z0-9]{{0,6}}){_SEP}((?:18|19|20)[0-9][0-9]){_SEP}"
    r"([A-Z]{2} ?[0-9]{4}|[0-9]{1,6})"
)
_ECLI_ANY = re2.compile(
    rf"(?i)ECLI{_SEP}([A-Z]{{2}}){_SEP}([A-Z][A-Z0-9]{{0,6}}){_SEP}((?:1[89]|20)[0-9][0-9]){_SEP}([A-Z0-9][A-Z0-9.]{{0,24}})"
)
_ECLI_EU = re2.compile(rf"(?:ECLI{_SEP})?EU{_SEP}([CTF]){_SEP}((?:19|20)[0-9][0-9]){_SEP}([0-9]{{1,6}})")
_ECLI_WORD = re.compile(r"[E\u0415\u0395][C\u0421\u03f9][L\u053c\u216c][I\u0406\u0399\u04c0l1]", re.IGNORECASE)
_LJN = re2.compile(r"(?i)LJN(?:[ :-]|nr\.?|nummer){0,4}([A-Z]{2} ?[0-9]{4})")
_NAMED = re.compile(r"-? ?(?:nummers?|numbers?|codes?|identifiers?|register|verwijzing(?:en)?)\b", re.IGNORECASE)

_BWB = re2.compile(r"BWB[RV][0-9]{7}")
_JCI = re2.compile(
    r"(?i)jci1(?:\.[0-9]{1,2})?:[cv]:BWB[RV][0-9]{7}(?:&(?:amp;)?[a-z]{1,12}=[0-9A-Za-z.:-]{1,40}){0,12}"
)
_CELEX = re2.compile(r"(?:CELEX[: ]{0,3})?([1-9](?:19|20)[0-9]{2}[A-Z]{1,2}[0-9]{4}(?:\([0-9]{2}\))?)")
_EU_ACT = re2.compile(
    r"(?i)(verordening|regulation|richtlijn|directive|besluit|decision)(?: +van +[a-z ]{1,40})? *"
    r"\((?:EU|EG|EC|EEG|EEC)(?:, ?Euratom)?\) *(?:nr\.?|no\.?)? *([0-9]{1,4})/([0-9]{1,4})"
)
_EU_OLD = re2.compile(r"(?i)(richtlijn|directive) *([0-9]{2,4})/([0-9]{1,4})/(?:EG|EC|EEG|EEC|EU)")
_CVE = re2.compile(r"(?i)CVE[ _-]([0-9]{4})[ _-]([0-9]{4,19})")
_DOI = re2.compile(r"10\.[0-9]{4,9}/[^\s\"\x{FFFD}]+")
_RFC = re2.compile(r"RFC[ -]?([0-9]{1,5})")
_URL = re2.compile(r"(?i)(?:https?|ftp)://[^\s<>\"\x{FFFD}]+|www\.[^\s<>\"\x{FFFD}]+")

_ACT_LETTER = {
    "verordening": "R",
    "regulation": "R",
    "richtlijn": "L",
    "directive": "L",
    "besluit": "D",
    "decision": "D",
}
_TRAILING = ".,;:!?'\u3002*_"
_OPENERS = {")": "(", "]": "[", "}": "{", ">": "<"}


def trimmed(candidate: str) -> str:
    """An identifier in running text without the punctuation that ends the sentence or closes a bracket opened
    before it; a bracket that it opened itself stays."""
    counts = {char: candidate.count(char) for char in "()[]{}<>"}
    end = len(candidate)
    while end:
        last = candidate[end - 1]
        opener = _OPENERS.get(last)
        if opener is not None and counts[last] > counts[opener]:
            counts[last] -= 1
        elif last not in _TRAILING:
            break
        end -= 1
    return candidate[:end]


def _foreign(text: str) -> str | None:
    """Why a stretch that should be ASCII is not, or ``None``."""
    for char in text:
        if char in ZERO_WIDTH:
            return "invisible"
        if ord(char) > 127 and (char.isalnum() or unicodedata.combining(char)):
            return "mixed_script"
    return None


class _Reader:
    """Collects matches of one text, first come first served."""

    def __init__(self, text: str, folded: Folded) -> None:
        self.original = text
        self.folded = folded
        self.text = folded.text
        self.taken = bytearray(len(self.text))
        self.found: list[FoundCitation] = []
        self.malformed: list[Malformed] = []

    def free(self, start: int, end: int) -> bool:
        return not any(self.taken[start:end])

    def _take(self, start: int, end: int) -> tuple[int, int]:
        self.taken[start:end] = b"\x01" * (end - start)
        return self.folded.back(start, end)

    def accept(self, kind: str, value: str, start: int, end: int) -> None:
        begin, stop = self._take(start, end)
        piece = self.original[begin:stop]
        self.found.append(FoundCitation(kind=kind, value=value, text=piece, start=begin, end=stop))

    def refuse(self, kind: str, reason: str, start: int, end: int, value: str | None = None) -> None:
        begin, stop = self._take(start, end)
        piece = self.original[begin:stop]
        self.malformed.append(Malformed(kind=kind, reason=reason, text=piece, start=begin, end=stop, value=value))

    def around(self, start: int, end: int, *, glue: str = "") -> tuple[int, int]:
        """The stretch with what is written onto it without a space, at most 40 characters on each side."""
        left, right = start, end
        while left > max(0, start - 40) and self._glued(left - 1, glue):
            left -= 1
        while right < min(len(self.text), end + 40) and self._glued(right, glue):
            right += 1
        return left, right

    def _glued(self, index: int, glue: str) -> bool:
        char = self.text[index]
        return char.isalnum() or char in glue or char in ZERO_WIDTH or unicodedata.combining(char) > 0


def _ecli(reader: _Reader, start: int, end: int, value: str, ordinal: str) -> None:
    """Accept an ECLI, or say what is wrong around it."""
    text = reader.text
    left, right = reader.around(start, end)
    if end < len(text) and text[end : end + 1] in (":", "_") and text[end + 1 : end + 4].upper() in ("DOC", "INH"):
        right = max(right, end + 4)
        end = right if right == end + 4 else end
        right = end
    if left == start and start > 1 and text[start - 1] in ":;_" and (text[start - 2].isalnum()):
        left, _ = reader.around(start, end, glue=":;_")
    if (left, right) != (start, end):
        reason = _foreign(text[left:right]) or ("ordinal" if right > end else "leftover")
        reader.refuse("ecli", reason, left, right)
    elif "\n" in text[start:end]:
        reader.refuse("ecli", "line_break", start, end, value)
    elif not ordinal:
        reader.refuse("ecli", "ordinal", start, end)
    else:
        reader.accept("ecli", value, start, end)


def _eclis(reader: _Reader) -> None:
    for found in _ECLI_NL.finditer(reader.text):
        court, year, ordinal = (found.group(number).upper().replace(" ", "") for number in (1, 2, 3))
        if _bounded(reader.text, found.start()) and _distinct(found.group(0)):
            _ecli(reader, found.start(), found.end(), f"ECLI:NL:{court}:{year}:{ordinal}", ordinal)
    for found in _ECLI_EU.finditer(reader.text):
        if reader.free(*found.span()) and _bounded(reader.text, found.start()):
            court, year, ordinal = found.group(1), found.group(2), found.group(3)
            _ecli(reader, found.start(), found.end(), f"ECLI:EU:{court}:{year}:{ordinal}", ordinal)
    for found in _ECLI_ANY.finditer(reader.text):
        if not reader.free(*found.span()):
            continue
        country, court, year, raw = (found.group(number).upper() for number in (1, 2, 3, 4))
        ordinal = raw.rstrip(".")
        end = found.end() - (len(raw) - len(ordinal))
        known = ordinal if country not in ("NL", "EU") else ""
        _ecli(reader, found.start(), end, f"ECLI:{country}:{court}:{year}:{ordinal}", known)


def _bounded(text: str, start: int) -> bool:
    """Whether a match that may lack its ``ECLI`` begins at a word's beginning (``BNL:`` does not)."""
    return start == 0 or not (text[start - 1].isascii() and text[start - 1].isalnum())


def _distinct(matched: str) -> bool:
    """Without ``ECLI`` in front, only colons separate: ``nl-hr-2015-47`` is a file name."""
    return matched[:4].upper() == "ECLI" or matched.count(":") + matched.count(";") >= 3


def _leftovers(reader: _Reader) -> None:
    """What still says ``ECLI`` and was not read; and the old LJN numbers."""
    text = reader.text
    for found in _ECLI_WORD.finditer(text):
        start, end = found.span()
        if not reader.free(start, end):
            continue
        before = text[start - 1] if start else " "
        if before.isalpha() and text[end : end + 1].isalpha():
            continue  # inside a longer word: "declination"
        if (before.isalpha() or text[end : end + 1].isalpha()) and text[end : end + 1] not in (":", ";", "_", "-"):
            continue
        stop = end
        while (
            stop < min(len(text), end + 60)
            and not text[stop].isspace()
            and text[stop] not in ",)]\"'"
            and not reader.taken[stop]
        ):
            stop += 1
        word = text[start:end]
        tail = text[end:stop].rstrip(".;:?!")
        if word.upper() != "ECLI" and not tail.startswith((":", ";", "_", "%3", "-")):
            continue  # another word that merely looks like it ("ecl1")
        named = _NAMED.match(text, end)
        if named is not None and not any(
            char.isdigit() for char in text[named.end() : named.end() + 24].split("ECLI")[0]
        ):
            continue  # the word, not a citation: "het ECLI-nummer"
        reader.refuse("ecli", _foreign(text[start:stop]) or "leftover", start, max(end, end + len(tail)))
    known = {item.value.rsplit(":", 1)[1] for item in reader.found if item.kind == "ecli"}
    for found in _LJN.finditer(text):
        number = found.group(1).upper().replace(" ", "")
        if reader.free(*found.span()) and _bounded(text, found.start()) and number not in known:
            reader.refuse("ecli", "ljn", *found.span())


def _urls(reader: _Reader) -> None:
    for found in _URL.finditer(reader.text):
        start = found.start()
        raw = trimmed(_link_end(found.group(0)))
        end = start + len(raw)
        if not raw or not reader.free(start, end) or (start and reader.text[start - 1].isalnum()):
            continue
        value = html.unescape(raw)
        if raw.endswith("-") and reader.text[end : end + 1] == "\n":
            reader.refuse("url", "truncated", start, end)
            continue
        doi = _DOI.search(value)
        if doi is not None and "doi.org" in value.lower():
            reader.accept("doi", trimmed(doi.group(0)).lower(), start, end)
            continue
        if any(ord(char) > 127 for char in value.split("/", 3)[min(2, value.count("/"))]):
            reader.refuse("url", "mixed_script", start, end, value)
            continue
        reader.accept("url", value, start, end)


def _link_end(raw: str) -> str:
    """A URL in a Markdown link ends at the bracket that closes the link, and at a full-width full stop anywhere."""
    depth = 0
    for index, char in enumerate(raw):
        if char == "(":
            depth += 1
        elif char == ")":
            depth -= 1
            if depth < 0:
                return raw[:index]
        elif char in "\u3002`|" or (char == "\\" and index > 8):
            return raw[:index]
    return raw


def _others(reader: _Reader) -> None:
    text = reader.text
    for found in _DOI.finditer(text):
        start = found.start()
        raw = trimmed(found.group(0))
        end = start + len(raw)
        if not reader.free(start, end) or (start and (text[start - 1].isalnum() or text[start - 1] == ".")):
            continue
        if raw.endswith("-") and text[end : end + 1] == "\n":
            reader.refuse("doi", "truncated", start, end)
        else:
            reader.accept("doi", html.unescape(raw).lower(), start, end)
    for found in _JCI.finditer(text):
        raw = trimmed(found.group(0))
        if reader.free(found.start(), found.start() + len(raw)):
            reader.accept("bwb", html.unescape(raw), found.start(), found.start() + len(raw))
    for found in _BWB.finditer(text):
        _strict(reader, "bwb", found.group(0), *found.span())
    for found in (*_EU_ACT.finditer(text), *_EU_OLD.finditer(text)):
        value = _celex_of(found.group(1).lower(), found.group(2), found.group(3))
        if value is not None:
            _strict(reader, "celex", value, *found.span())
    for found in _CELEX.finditer(text):
        _strict(reader, "celex", found.group(1), *found.span())
    for found in _CVE.finditer(text):
        _strict(reader, "cve", f"CVE-{found.group(1)}-{found.group(2)}", *found.span())
    for found in _RFC.finditer(text):
        _strict(reader, "rfc", f"RFC{int(found.group(1))}", *found.span())


def _strict(reader: _Reader, kind: str, value: str, start: int, end: int) -> None:
    """Accept what stands alone; what runs on in letters or digits is malformed or something else."""
    if not reader.free(start, end):
        return
    left, right = reader.around(start, end)
    if (left, right) == (start, end):
        reader.accept(kind, value, start, end)
        return
    reason = _foreign(reader.text[left:right])
    if reason is not None:
        reader.refuse(kind, reason, left, right)
    elif kind in ("bwb", "cve"):
        reader.refuse(kind, "leftover", left, right)


def _celex_of(act: str, first: str, second: str) -> str | None:
    """Since 2015 the year comes first; before, a regulation has number/year and the others year/number."""
    a, b = int(first), int(second)
    if len(first) == 4 and 2015 <= a <= 2099:
        year, number = a, b
    elif act in ("verordening", "regulation") or (len(second) == 4 and not 1950 <= a <= 2099):
        year, number = b, a
    else:
        year, number = a, b
    if year < 100:
        year += 1900 if year >= 50 else 2000
    if not 1950 <= year <= 2099:
        return None
    return f"3{year}{_ACT_LETTER[act]}{number:04d}"


def read_citations(text: str) -> Citations:
    """All citations in a text, found and malformed.

    Args:
        text: any text, also an ill-formed one.

    Returns:
        Both lists in order; offsets count code points of ``text``.
    """
    reader = _Reader(text, lexed(text))
    _eclis(reader)
    _urls(reader)
    _others(reader)
    _leftovers(reader)
    return Citations(
        found=tuple(sorted(reader.found, key=lambda item: item.start)),
        malformed=tuple(sorted(reader.malformed, key=lambda item: item.start)),
    )
