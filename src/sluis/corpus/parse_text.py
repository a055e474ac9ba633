"""Markdown and plain text: front matter in, text and blocks out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

import re2

from sluis.core import MalformedValueError, Marker, digest_bytes
from sluis.core.plain_yaml import MalformedYamlError, read_yaml

from .document import BlockKind, DocumentMeta, ParsedDocument, TextBuilder, visible
from .errors import DocumentError
from .outline import Outline, Place, is_title

FRONT_MATTER = frozenset(
    {
        "source_id", "source_kind", "url", "title", "doc_type", "audience", "valid_from", "valid_to", "version",
        "family", "marker", "language", "tenant",
    }
)  # fmt: skip
"""Keys that the front matter of a document may have."""

NO_END_WORDS = frozenset({"none", "geen"})
"""How front matter says in so many words that a validity has no end."""

MAX_BYTES = 32 * 1024 * 1024

_IMAGE = re2.compile(r"!\[[^\]\n]*\]\([^)\n]*\)")
_LINK = re2.compile(r"\[([^\]\n]+)\]\([^)\n]*\)")
_COMMENT = re2.compile(r"(?s)<!--.*?-->")
_EMPHASIS = re2.compile(r"\*\*|__|`")
_HEADING = re2.compile(r"^(#{1,6})[ \t]+(.*?)[ \t]*#*$")
_RULE = re2.compile(r"^(?:[-*_=][ \t]*){3,}$")
_BULLET = re2.compile(r"^[-*+•][ \t]+(.*)$")
_TABLE_RULE = re2.compile(r"^\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)*\|?$")
_DANGLING = re2.compile(
    r"(?i)(?:^|[ (])(?:artikel(?:en)?|artt?\.|articles?|sections?|clauses?|lid|leden|paragraphs?|onder|sub|§{1,2}|jo\.?"
    r"|en|of|and|or|van|juncto|bedoeld in|r\.?o\.?|nr\.?|no\.?|€|eur|t/m|tot)$"
)
"""How a line ends that is not over: what opens the next line is a number of this sentence, not a label."""


@dataclass(frozen=True, kw_only=True)
class Defaults:
    """What is taken for a document that does not say.

    Attributes:
        tenant, audience, language, doc_type: as in the payload.
        marker: ``unknown`` unless whoever ingests vouches for the documents; unknown ones are never shown.
    """

    tenant: str = "default"
    audience: tuple[str, ...] = ("client",)
    language: str = "nl"
    doc_type: str = "document"
    marker: Marker = Marker.UNKNOWN


def decode(data: bytes) -> str:
    """UTF-8 with LF line ends.

    Raises:
        DocumentError: too large, not UTF-8, or holding NUL, as no text does.
    """
    if len(data) > MAX_BYTES:
        raise DocumentError(f"The document is larger than {MAX_BYTES} bytes.", hint="Split it.", reason="too_large")
    try:
        text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8")
    except UnicodeDecodeError as error:
        raise DocumentError("The document is not UTF-8.", hint="Convert it.", reason="not_utf8") from error
    if "\x00" in text:
        raise DocumentError("The document holds NUL characters.", hint="Is it a text?", reason="not_text")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def parse_markdown(data: bytes, *, name: str, defaults: Defaults) -> ParsedDocument:
    """A Markdown document with or without front matter.

    Args:
        data: its bytes.
        name: its path within the folder; the ``source_id`` when the front matter names none.
        defaults: for what it does not say.

    Raises:
        DocumentError: it cannot be read; ``subject["reason"]`` says why in one word.
    """
    declared, body = _front_matter(decode(data))
    plain = _LINK.sub(r"\1", _IMAGE.sub("", _COMMENT.sub("", body)))
    return _parsed(plain, data, _meta(declared, name, defaults, _first_title(plain)), markup=True)


def parse_plain(data: bytes, *, name: str, defaults: Defaults) -> ParsedDocument:
    """A plain text; front matter is allowed here as well.

    Raises:
        DocumentError: as above.
    """
    declared, body = _front_matter(decode(data))
    return _parsed(body, data, _meta(declared, name, defaults, ""), markup=False)


def _front_matter(text: str) -> tuple[dict[str, Any], str]:
    if not text.startswith("---\n"):
        return {}, text
    end = text.find("\n---\n", 3)
    if end < 0 and text.endswith("\n---"):
        end = len(text) - 4
    if end < 0:
        raise _bad("front_matter", "The front matter has no end.")
    try:
        declared = read_yaml(text[4 : end + 1])
    except MalformedYamlError as error:
        raise _bad("front_matter", f"The front matter cannot be read. {error.message}") from error
    if declared is None:
        declared = {}
    if not isinstance(declared, dict):
        raise _bad("front_matter", "The front matter is not a mapping.")
    unknown = sorted(set(declared) - FRONT_MATTER)
    if unknown:
        raise _bad("front_matter", f"The front matter has an unknown key {unknown[0]!r}.")
    return declared, text[end + 5 :]


def _bad(reason: str, message: str) -> DocumentError:
    return DocumentError(message, hint="See docs/payload.md for the keys of front matter.", reason=reason)


def _meta(declared: dict[str, Any], name: str, defaults: Defaults, title: str) -> DocumentMeta:
    source_id = _word(declared, "source_id", name)
    data: dict[str, Any] = {
        "source_id": source_id,
        "source_kind": _word(declared, "source_kind", "file"),
        "source_url": _word(declared, "url", ""),
        "title": _word(declared, "title", title or source_id),
        "family": _word(declared, "family", source_id),
        "version": _word(declared, "version", "1"),
        "doc_type": _word(declared, "doc_type", defaults.doc_type),
        "language": _word(declared, "language", defaults.language),
        "tenant": _word(declared, "tenant", defaults.tenant),
        "audience": _words(declared, "audience", defaults.audience),
        "marker": _marker(declared, defaults.marker),
    }
    for key in ("valid_from", "valid_to"):
        if key in declared and not (key == "valid_to" and declared[key] in NO_END_WORDS):
            data[key] = _day(declared, key)
    try:
        meta = DocumentMeta.from_json(data)
    except MalformedValueError as error:
        raise _bad("front_matter", f"The front matter does not fit. {error.message}") from error
    if meta.valid_from > meta.valid_to:
        raise _bad("validity", "The validity ends before it begins.")
    if meta.source_url and not meta.source_url.startswith(("https://", "http://")):
        raise _bad("url", "The url is not an http or https URL.")
    return meta


def _word(declared: dict[str, Any], key: str, default: str) -> str:
    if key not in declared:
        return default
    value = declared[key]
    # A number is a fair way to write a version; nothing else is turned into text.
    if key == "version" and isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str) or not value.strip():
        raise _bad("front_matter", f"The front matter key {key!r} is empty or no text; leave it out instead.")
    return value.strip()


def _words(declared: dict[str, Any], key: str, default: tuple[str, ...]) -> list[str]:
    if key not in declared:
        return list(default)
    value = declared[key]
    items = [value] if isinstance(value, str) else value
    if not isinstance(items, list) or not items or not all(isinstance(item, str) and item.strip() for item in items):
        raise _bad("front_matter", f"The front matter key {key!r} names nobody; list at least one.")
    return list(dict.fromkeys(item.strip() for item in items))


def _marker(declared: dict[str, Any], default: Marker) -> str:
    """Tri-state and one more: said, not said, and said in a way that cannot be read, which is an error."""
    if "marker" not in declared:
        return default.value
    try:
        return Marker(declared["marker"]).value
    except ValueError as error:
        known = ", ".join(marker.value for marker in Marker)
        raise _bad("marker", f"The marker is empty or unknown; one of: {known}.") from error


def _day(declared: dict[str, Any], key: str) -> int:
    """A calendar date; nothing that merely looks like one is guessed at."""
    value = declared[key]
    if isinstance(value, str):
        try:
            # fromisoformat takes 20240101 and 2024-W01 as well; only the form with dashes is unmistakable.
            value = date.fromisoformat(value) if len(value) == 10 and value[4] == value[7] == "-" else None
        except ValueError:
            value = None
    if not isinstance(value, date):
        raise _bad("validity", f"The front matter key {key!r} is no date; write it as 2026-01-31.")
    return value.year * 10_000 + value.month * 100 + value.day


def _first_title(text: str) -> str:
    for line in text.split("\n", 200)[:200]:
        found = _HEADING.match(line.strip())
        if found is not None and found.group(2):
            return str(_EMPHASIS.sub("", found.group(2)))[:500]
    return ""


class _Lines:
    """Groups lines into blocks."""

    def __init__(self) -> None:
        self.builder = TextBuilder()
        self.outline = Outline()
        self.pending: list[str] = []
        self.kind: BlockKind = "text"
        self.place = Place()
        self.titled = False

    def flush(self) -> None:
        if self.pending:
            text = "\n".join(self.pending)
            self.pending.clear()
            # A label whose first line read as a title and went on is no title.
            if self.kind == "heading" and not (self.titled or is_title(text)):
                self.kind = "text"
            self.builder.add(text, kind=self.kind, path=self.place.path, unit=self.place.unit)

    def open(self, line: str, kind: BlockKind, place: Place, *, titled: bool = False) -> None:
        """Begin a block; ``titled``: the markup itself says that it is a heading."""
        self.flush()
        self.pending, self.kind, self.place, self.titled = [line], kind, place, titled

    def take(self, line: str, *, bullet: bool) -> None:
        """A line of text: it opens a block, or goes on with the one before it."""
        dangling = bool(self.pending) and _DANGLING.search(self.pending[-1]) is not None
        if dangling:
            self.pending.append(line)
            return
        place = self.outline.place(line)
        if place.opens:
            titled = is_title(line) and place.unit == len(place.path)
            self.open(line, "heading" if titled else "item" if place.unit < len(place.path) else "text", place)
        elif bullet or not self.pending:
            self.open(line, "item" if bullet else "text", place)
        else:
            self.pending.append(line)


def _parsed(body: str, data: bytes, meta: DocumentMeta, *, markup: bool) -> ParsedDocument:
    text, removed = visible(body)
    lines = _Lines()
    fenced = False
    for raw in text.split("\n"):
        line = raw.strip()
        if markup and line.startswith(("```", "~~~")):
            fenced = not fenced
            lines.flush()
            continue
        if markup and not fenced:
            line = _EMPHASIS.sub("", line)
        if not line:
            # A sentence that breaks off before its number goes on after the gap.
            if not (lines.pending and _DANGLING.search(lines.pending[-1]) is not None):
                lines.flush()
        elif markup and not fenced and (found := _HEADING.match(line)) is not None:
            title = str(found.group(2))
            lines.flush()
            if title:
                lines.open(title, "heading", lines.outline.place(title, heading=True), titled=True)
                lines.flush()
        elif markup and not fenced and (_TABLE_RULE.match(line) or _RULE.match(line)):
            if "|" not in line:
                lines.flush()
        elif markup and not fenced and line.startswith("|"):
            lines.open(line, "row", lines.outline.place("") if lines.kind != "row" else lines.place)
        else:
            bullet = _BULLET.match(line) if markup and not fenced else None
            lines.take(line if bullet is None else str(bullet.group(1)), bullet=bullet is not None)
    lines.flush()
    whole, blocks = lines.builder.done()
    if not blocks:
        raise DocumentError("The document holds no text.", hint="Nothing was stored of it.", reason="empty")
    notices = ("marker_unknown",) if meta.marker is Marker.UNKNOWN else ()
    return ParsedDocument(
        meta=meta, text=whole, blocks=blocks, raw_digest=digest_bytes(data), removed=removed, notices=notices
    )
