"""Everything in a text that a reader's program might turn into a request: links, images, HTML, addresses.

Mail programs and chat clients make links of plain text, so plain text counts. The text is looked at twice: as it
stands, for Markdown and HTML; and undone (entities, Markdown escapes, invisible characters, compatibility
characters), for addresses, so that a disguise does not help.
"""

from __future__ import annotations

import html
import re
import unicodedata
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

import re2

from ._chars import BIDI, SOFT_HYPHEN, ZERO_WIDTH, word_set
from .citations import trimmed
from .fold import lexed

LinkKind = Literal["url", "domain", "mail_address", "image", "raw_html", "relative_link", "script"]


@dataclass(frozen=True, kw_only=True)
class Link:
    """One thing that could become a request; ``target`` is undone and trimmed."""

    kind: LinkKind
    target: str


_SCHEME = re2.compile(
    r"(?i)(?:(?:https?|h..ps?|ftps?|wss?|file)\s{0,2}:\s{0,2}[/\\]{1,4}|\b(?:https?|ftps?|wss?|file):|"
    r"[a-z][a-z0-9+.-]*://)[^\s<>\"`|]*"
)
_SCRIPT = re2.compile(
    r"(?i)(?:^|[^\p{L}\p{N}])((?:(?:javascript|vbscript|mailto)\s{0,2}:\s{0,2}|data:[a-z0-9.+-]+/|data:[^\s,]*,|"
    r"(?:tel|sms|about|blob|cid|intent|skype|callto|facetime|bitcoin|magnet|geo|whatsapp|tg|steam|spotify|zoommtg|"
    r"ms-[a-z]{2,20}|itms[a-z-]{0,12}|market|chrome|res|view-source|jar|ldap|news|nntp|irc|xmpp|sips?|urn):)[^\s<>\"`|]+)"
)
_WWW = re2.compile(r"(?i)(?:^|[^\p{L}\p{N}/.@-])(www[0-9]{0,2}\.[^\s<>\"`|]+)")
_BARE_PATH = re2.compile(r"(?:^|[\s(\[<>\"'=,;|\\])(//[\p{L}\p{N}][^\s<>\"`|]*)")
_DOMAIN = re2.compile(
    r"(?i)(?:^|[^\p{L}\p{N}/.@-])((?:[\p{L}\p{N}][\p{L}\p{N}-]*\.)+(xn--[a-z0-9-]+|\p{L}\p{L}+)(?::[0-9]{1,5})?([/?#][^\s<>\"`|]*)?)"
)
_MAIL = re2.compile(r"(?i)([\p{L}\p{N}._%+'-]+@[\p{L}\p{N}][\p{L}\p{N}.-]*\.\p{L}\p{L}+)")
_TOP_LEVEL = word_set(
    """
    com net org nl eu info io biz app dev online site xyz test example invalid local uk gov edu cc me co ai tk ml
    click link top shop store cloud tech live icu zip mov ru cn
    be de fr lu at ch es it pt pl se no dk fi ie cz hu ro gr bg hr sk si ee lv lt mt cy us ca au nz jp kr in br mx
    za tr ua il ae sg hk tw su ws tv fm to ly gg sh ag im je la st vc nu pw gq cf ga frl amsterdam brussels vlaanderen
    gent page web site website email news blog pro vip club fun space world life agency legal law insure finance bank
    money pay cash credit loan support help services solutions group team work works digital network systems software
    """
)

# Markdown and HTML on the text as it stands; an odd number of backslashes before a mark makes it inert.
_IMAGE = re.compile(r"!\[")
_TAG = re.compile(r"<(?=[A-Za-z/!?])")
_INLINE = re.compile(r"\]\([ \t\n]*<?([^\s)>]*)")
_DEFINITION = re.compile(r"^[ \t>*+0-9.)-]{0,24}\[[^\]\n]{1,200}\]:[ \t]*<?([^\s>]*)", re.MULTILINE)
_RUN = re.compile(r"\S+")
_AFTER = re.compile(r"[)\]>}.,;:!?'\"*_`|\u2019\u201d]*(?:\[[a-z][a-z0-9]{0,15}\][)\]>}.,;:!?'\"*_`|\u2019\u201d]*)*")
_AUTOLINK = re.compile(r"<(https?://[^\s<>]*)>", re.IGNORECASE)
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_DISGUISE: dict[int, str | None] = {ord(char): None for char in ZERO_WIDTH + BIDI + SOFT_HYPHEN}
_DISGUISE.update(
    {
        ord("\u3002"): ".",
        ord("\uff0e"): ".",
        ord("\uff61"): ".",
        ord("\u2044"): "/",
        ord("\u2215"): "/",
        ord("\ufe55"): ":",
        ord("\ua789"): ":",
        ord("\u2236"): ":",
    }
)


def undone(text: str) -> str:
    """The text as the last program in a row of programs might read it."""
    plain = lexed(text).text.translate(_DISGUISE)
    for _ in range(2):
        plain = html.unescape(_ESCAPE.sub(r"\1", plain))
    return unicodedata.normalize("NFKC", plain.translate(_DISGUISE)).translate(_DISGUISE)


def canonical_url(url: str) -> str | None:
    """A URL in the form in which two are compared, or ``None`` for one that nobody should follow.

    Scheme and host in lower case, the rest as written. Refused: other schemes than http and https, user
    information, a backslash, white space or control characters, a host that is not plain ASCII or ends in a dot or
    holds an escape.
    """
    if not url.isascii() or "\\" in url or any(ord(char) < 33 or ord(char) == 127 for char in url):
        return None
    try:
        split = urlsplit(url)
        port = split.port
    except ValueError:
        return None
    host = split.hostname
    if split.scheme.lower() not in ("http", "https") or not host or "@" in split.netloc:
        return None
    if "%" in split.netloc or host.endswith(".") or re.fullmatch(r"[a-z0-9.:-]+", host) is None:
        return None
    default = {"http": 80, "https": 443}[split.scheme.lower()]
    shown = f"[{host}]" if ":" in host else host
    place = shown if port is None or port == default else f"{shown}:{port}"
    rest = url.split("://", 1)[1][len(split.netloc) :]
    return f"{split.scheme.lower()}://{place}{rest or '/'}"


def _live(text: str, index: int) -> bool:
    """Whether the mark at ``index`` is not escaped."""
    slashes = 0
    while index - slashes > 0 and text[index - slashes - 1] == "\\":
        slashes += 1
    return slashes % 2 == 0


def _structures(text: str) -> list[Link]:
    links: list[Link] = []
    autolinks = {found.start() for found in _AUTOLINK.finditer(text)}
    for found in _IMAGE.finditer(text):
        if _live(text, found.start()):
            links.append(Link(kind="image", target=text[found.start() : found.start() + 80]))
    for found in _TAG.finditer(text):
        if found.start() not in autolinks and _live(text, found.start()):
            links.append(Link(kind="raw_html", target=text[found.start() : found.start() + 80]))
    for pattern in (_INLINE, _DEFINITION):
        for found in pattern.finditer(text):
            target = undone(found.group(1))
            if _live(text, found.start()) and canonical_url(trimmed(target)) is None:
                links.append(Link(kind="relative_link", target=target or text[found.start() : found.end()]))
    return links


def _cut_link(raw: str) -> str:
    """A link inside Markdown ends where its bracket closes."""
    depth = 0
    for index, char in enumerate(raw):
        if char in "([":
            depth += 1
        elif char in ")]":
            depth -= 1
            if depth < 0:
                return raw[:index]
    return raw


def _whole(plain: str, start: int, raw: str) -> str:
    """An address as the least careful program would take it: to the next space, where that makes it another one.

    After what Markdown and punctuation end, only marks and our markers may follow; ``]@evil.example`` may not.
    """
    kept = trimmed(_cut_link(raw))
    run = _RUN.match(plain, start)
    rest = "" if run is None else run.group()[len(kept) :]
    return kept if _AFTER.fullmatch(rest) is not None else f"{kept}{rest}"


def find_links(text: str) -> tuple[Link, ...]:
    """All that could become a request, most certain first. The same target may appear more than once."""
    links = _structures(text)
    plain = undone(text)
    for found in _SCHEME.finditer(plain):
        links.append(Link(kind="url", target=_whole(plain, found.start(), found.group(0))))
    for found in _SCRIPT.finditer(plain):
        links.append(Link(kind="script", target=trimmed(_cut_link(found.group(1)))))
    for pattern in (_WWW, _BARE_PATH):
        for found in pattern.finditer(plain):
            links.append(Link(kind="url", target=trimmed(_cut_link(found.group(1)))))
    for found in _DOMAIN.finditer(plain):
        if found.group(3) is not None:
            links.append(Link(kind="url", target=trimmed(_cut_link(found.group(1)))))
        elif found.group(2).lower() in _TOP_LEVEL or found.group(2).lower().startswith("xn--"):
            links.append(Link(kind="domain", target=found.group(1).lower()))
    for found in _MAIL.finditer(plain):
        links.append(Link(kind="mail_address", target=found.group(1).lower()))
    return tuple(links)
