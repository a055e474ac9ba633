"""From a draft to the exact bytes that would go out. Pure: equal input gives equal bytes.

The draft's text stands as it was verified. Each cited source paragraph follows inline. What the reader could
mistake for the agent's own is neutralised in the source paragraphs: an image becomes a note, a URL other than
the source's canonical one becomes a note, and markup characters are escaped.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType

import re2

from sluis.core import ActionKind, Chunk, Draft, Evidence, Payload, Request, digest_bytes

MEDIA_TYPES = MappingProxyType({ActionKind.DOCUMENT: "text/markdown; charset=utf-8", ActionKind.MAIL: "message/rfc822"})

MailBuilder = Callable[[str, str, str, datetime], bytes]
"""``(recipient, subject, body, date) -> message``: the relay's own builder, bound to sender and run."""


@dataclass(frozen=True, kw_only=True)
class _Words:
    title: str
    question: str
    sources: str
    image: str
    link: str
    extractive: str
    model: str
    unnamed: str


_WORDS = MappingProxyType(
    {
        "nl": _Words(
            title="Antwoord",
            question="Vraag",
            sources="Bronnen",
            image="[afbeelding weggelaten]",
            link="[verwijzing weggelaten]",
            extractive="Samengesteld uit letterlijke zinnen van de bronnen hieronder; er is geen taalmodel gebruikt.",
            unnamed="naam onbekend",
            model="Opgesteld met een taalmodel ({model}) en door vaste regels getoetst aan de bronnen hieronder.",
        ),
        "en": _Words(
            title="Answer",
            question="Question",
            sources="Sources",
            image="[image left out]",
            link="[link left out]",
            extractive="Put together from literal sentences of the sources below; no language model was used.",
            unnamed="name unknown",
            model="Written with a language model ({model}) and checked by fixed rules against the sources below.",
        ),
    }
)

_IMAGE = re2.compile(r"!\[[^\]\n]*\](?:\([^)\n]*\)|\[[^\]\n]*\])")
_URL = re2.compile(r"(?i)(?:\b[a-z][a-z0-9+.-]{1,15}://|//|\bwww\.|\bmailto:|\bdata:|\bjavascript:)[^\s<>\"')\]]*")
_MODEL_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:@+/-]{0,79}")
_MARKUP = re.compile(r"([\\`*_<>\[\]#|&])")
_SPEAKS_MARKUP = re2.compile(r"(?i)[<>\[\]`|\\]|//|\bwww\.|\bmailto:|\bdata:|\bjavascript:")


def _words(locale: str) -> _Words:
    return _WORDS.get(locale.split("-", 1)[0].lower(), _WORDS["en"])


def neutralised(chunk: Chunk, words: _Words) -> str:
    """A source paragraph that shows its own words and can do nothing else."""
    text = _IMAGE.sub(lambda _: words.image, chunk.text)
    text = _URL.sub(lambda found: found.group(0) if found.group(0) == chunk.source_url else words.link, text)
    lines = [" ".join(line.split()) for line in text.splitlines()]
    return "\n".join(f"> {_escaped(line, words)}".rstrip() for line in lines)


def _escaped(line: str, words: _Words) -> str:
    kept = line
    for note in (words.image, words.link):
        kept = kept.replace(note, note.translate({91: "\x01", 93: "\x02"}))
    return _MARKUP.sub(r"\\\1", kept).replace("\x01", "\\[").replace("\x02", "\\]")


def _plain_line(text: str) -> str:
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))


def _source(label: str, chunk: Chunk, words: _Words) -> str:
    place = ", ".join(part for part in (chunk.title, chunk.source_id, " ".join(chunk.numbering[-1:])) if part)
    head = f"**[{label}]** {_plain_line(place)}"
    if chunk.source_url:
        head += f"  \n<{chunk.source_url}>"
    return f"{head}\n\n{neutralised(chunk, words)}"


def body(request: Request, draft: Draft, evidence: Evidence) -> str:
    """The document as Markdown text.

    Args:
        request: gives title, question and locale.
        draft: what was verified.
        evidence: what it cites; only cited chunks appear.
    """
    words = _words(request.locale)
    cited = {label for claim in draft.claims for label in claim.labels}
    parts = [f"# {_plain_line(request.subject) or words.title}"]
    # A question is the asker's text: one that holds links or markup is left out rather than rewritten.
    if _SPEAKS_MARKUP.search(request.question) is None:
        parts.append(f"**{words.question}:** {_plain_line(request.question)}")
    parts.append(draft.text.strip())
    said = words.extractive if draft.completion.drafter == "extractive" else words.model
    # What a provider calls its model is not checked, so it may only be a name.
    model = draft.completion.model if _MODEL_NAME.fullmatch(draft.completion.model) else words.unnamed
    parts.append(f"*{said.format(model=_plain_line(model))}*")
    sources = [_source(item.label, item.chunk, words) for item in evidence.items if item.label in cited]
    if sources:
        parts.append(f"## {words.sources}")
        parts.extend(sources)
    return "\n\n".join(parts) + "\n"


def render(
    request: Request, draft: Draft, evidence: Evidence, *, date: datetime, mail: MailBuilder | None
) -> tuple[tuple[Payload, bytes], ...]:
    """The exact bytes, one payload a recipient, in the order of the request.

    Args:
        request: kind, recipients, title.
        draft: what was verified.
        evidence: what it cites.
        date: the date that a mail bears; the run's own opening time, so that the bytes can be made again.
        mail: builds messages; needed for mail alone.

    Raises:
        ValueError: a mail is asked for and no builder is given.
    """
    text = body(request, draft, evidence)
    made: list[tuple[Payload, bytes]] = []
    for recipient in request.recipients:
        if request.kind is ActionKind.MAIL:
            if mail is None:
                raise ValueError("a mail needs a message builder")
            data = mail(recipient, request.subject or _words(request.locale).title, text, date)
        else:
            data = text.encode("utf-8")
        payload = Payload(
            kind=request.kind,
            recipient=recipient,
            media_type=MEDIA_TYPES[request.kind],
            digest=digest_bytes(data),
            size=len(data),
        )
        made.append((payload, data))
    return tuple(made)
