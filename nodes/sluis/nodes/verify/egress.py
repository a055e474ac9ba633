"""egress: what would go out goes to whom it was asked for, and holds nothing that calls elsewhere.

Looks at the draft's text and at the exact bytes of every payload, numbered as in the class below.
"""

from __future__ import annotations

import email
import email.policy
import re
from collections import Counter
from dataclasses import dataclass
from email.message import EmailMessage, Message
from typing import cast

from sluis.core import ActionKind, Case, Finding, Payload, Subject, digest_bytes, finding
from sluis.core.reading import invisible
from sluis.core.reading.links import Link, canonical_url, find_links

from ._evidence import claims_of, read_chunk

NAME = "egress"

# What a message may say in its header; anything else could be read as an order by a mail server.
_HEADERS = frozenset(
    [
        "from",
        "to",
        "subject",
        "date",
        "message-id",
        "mime-version",
        "content-type",
        "content-transfer-encoding",
        "content-language",
        "auto-submitted",
        "x-auto-response-suppress",
    ]
)
_HEADER_LINE = re.compile(rb"[!-9;-~]{1,70}:[ \t]?[^\x00\r\n]*")
# ``2**5``, ``250**.000``, ``EC**LI``: gone once it is shown.
_INSIDE = re.compile(r"(?<=\w)[*~`]+(?=\w)|(?<=[0-9])[*_~`]+(?=[.,]?[0-9])|(?<=[0-9][.,])[*_~`]+(?=[0-9])")
_ENTITY = re.compile(r"&(?!amp;)(?:#[0-9]{1,8}|#[xX][0-9a-fA-F]{1,8}|[a-zA-Z][a-zA-Z0-9]{1,31});")
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_REPLACEMENT = "\ufffd"


@dataclass(frozen=True, kw_only=True)
class _Allowed:
    """What the output may hold."""

    urls: frozenset[str]
    """URLs as they were given."""
    canonical: frozenset[str]
    """The same in the form in which they are compared."""
    domains: frozenset[str]
    mail: frozenset[str]


class Egress:
    """The rules, in order, each with its reason code; all block but the one marked.

    1. Payloads: one for each recipient of the request, no more (``recipients_differ``); of the request's kind
       (``kind_differs``); bytes and digest agree (``payload_digest``); there are some (``no_payload``).
    2. Text: UTF-8 (``not_text``), without control, invisible or direction characters (``invisible_text``) and
       unreadable ones (``unreadable_text``).
    3. No mark-up inside a word or number (``markup_in_word``) and no character entity (``character_entity``): both show
       a reader something else than was checked. No image (``image``), no raw HTML (``raw_html``), no active scheme
       (``active_link``), no link without an address of its own (``relative_link``).
    4. Every URL, also one that only some mail program makes a link of, is the canonical URL of a source: in the
       draft of one it cites, in a payload of one that was shown (``foreign_url``).
    5. A mail address in the draft stands in a cited source: for a person (``mail_address``); else it blocks
       (``foreign_mail_address``).
    6. A mail has exactly one ``To``, equal to its recipient, one ``From``, no ``Cc``, ``Bcc``, ``Reply-To`` or other
       header of weight, one part of plain text, and no defect (``mail_header``, ``mail_recipient``, ``mail_body``).

    Args:
        require_payloads: whether a case without payloads blocks; only the check of a bare text says no.
    """

    name = NAME
    version = 1

    def __init__(self, *, require_payloads: bool = True) -> None:
        self._require_payloads = require_payloads

    async def run(self, case: Case) -> tuple[Finding, ...]:
        """All objections to where the text would go and what it would call."""
        findings = [*_recipients(case, required=self._require_payloads)]
        text = case.draft.text
        labels = {label for claim in claims_of(case) for label in claim.labels}
        cited = tuple(item.chunk for item in case.evidence.items if item.label in labels)
        shown = tuple(item.chunk for item in case.evidence.items)
        in_draft = _allowed(tuple((chunk.source_url, read_chunk(chunk).text) for chunk in cited))
        findings.extend(_unseen(text))
        findings.extend(_disguised(text))
        findings.extend(_links(text, in_draft, draft=True))
        request = case.context.request
        in_payload = _allowed(
            (
                *((chunk.source_url, f"{chunk.text}\n{chunk.title}\n{chunk.source_id}") for chunk in shown),
                *((url, text) for url in in_draft.urls),
                ("", f"{text}\n{request.question}\n{request.subject}\n{' '.join(request.recipients)}"),
            )
        )
        for payload, data in case.context.payloads:
            findings.extend(_payload(payload, data, in_payload))
        return tuple(findings)


def _allowed(sources: tuple[tuple[str, str], ...]) -> _Allowed:
    urls = frozenset(url for url, _ in sources if canonical_url(url) is not None)
    links = [link for _, text in sources for link in find_links(text)]
    return _Allowed(
        urls=urls,
        canonical=frozenset(shown for url in urls if (shown := canonical_url(url)) is not None),
        domains=frozenset(link.target for link in links if link.kind == "domain"),
        mail=frozenset(link.target for link in links if link.kind == "mail_address"),
    )


def _block(reason: str, message: str, *, text: str = "", start: int = 0, **evidence: str) -> Finding:
    where = Subject(text=text, start=start, end=start + len(text)) if text else Subject()
    return finding(NAME, "block", reason, message, subject=where, evidence=dict(evidence))


def _recipients(case: Case, *, required: bool) -> list[Finding]:
    """Rule 1."""
    request = case.context.request
    payloads = case.context.payloads
    if not payloads:
        return [_block("no_payload", "There are no bytes that could go out.")] if required else []
    findings: list[Finding] = []
    if Counter(payload.recipient for payload, _ in payloads) != Counter(request.recipients):
        findings.append(_block("recipients_differ", "The recipients are not those of the request."))
    for payload, data in payloads:
        if payload.kind is not request.kind:
            findings.append(_block("kind_differs", "The action is of another kind than was asked for."))
        if digest_bytes(data) != payload.digest or len(data) != payload.size:
            findings.append(_block("payload_digest", "The bytes are not those that the payload names."))
    return findings


def _unseen(text: str) -> list[Finding]:
    """Rule 2, in the draft."""
    findings = [
        _block(
            "invisible_text",
            "The text holds characters that a reader does not see.",
            text=text[span.start : span.end],
            start=span.start,
            why=span.reason,
        )
        for span in invisible(text)
        if span.reason != "soft_hyphen"
    ]
    place = text.find(_REPLACEMENT)
    if place >= 0:
        message = "The text holds a character that could not be decoded."
        findings.append(_block("unreadable_text", message, text=_REPLACEMENT, start=place))
    return findings


def _disguised(text: str) -> list[Finding]:
    """Rule 3, of what is shown otherwise than it stands here."""
    findings: list[Finding] = []
    for pattern, reason, message in (
        (_INSIDE, "markup_in_word", "Mark-up stands inside a word or a number."),
        (_ENTITY, "character_entity", "A character is written as an entity."),
    ):
        findings.extend(
            _block(reason, message, text=found.group(), start=found.start()) for found in pattern.finditer(text)
        )
    return findings


_STRUCTURES = {
    "image": ("image", "The text holds an image."),
    "raw_html": ("raw_html", "The text holds raw HTML."),
    "script": ("active_link", "The text holds a link that does something else than open a page."),
    "relative_link": ("relative_link", "The text holds a link without a full address."),
}


def _links(text: str, allowed: _Allowed, *, draft: bool) -> list[Finding]:
    """Rules 3 to 5."""
    findings: list[Finding] = []
    seen: set[tuple[str, str]] = set()
    for link in find_links(text):
        if (link.kind, link.target) in seen:
            continue
        seen.add((link.kind, link.target))
        found = _link(link, allowed, text=text, draft=draft)
        if found is not None:
            findings.append(found)
    return findings


def _link(link: Link, allowed: _Allowed, *, text: str, draft: bool) -> Finding | None:
    place = text.find(link.target)
    shown = link.target if draft and place >= 0 else ""
    start = max(place, 0)
    if link.kind in _STRUCTURES:
        reason, message = _STRUCTURES[link.kind]
        return _block(reason, message, text=shown, start=start)
    if link.kind == "url":
        if link.target in allowed.urls or canonical_url(link.target) in allowed.canonical:
            return None
        message = "The text holds an address that is not the canonical one of a source it rests on."
        return _block("foreign_url", message, text=shown, start=start)
    if link.kind == "domain":
        if link.target in allowed.domains or _inside(link.target, allowed):
            return None
        message = "The text names a site that no source it rests on names."
        return _block("foreign_url", message, text=shown, start=start)
    if link.target not in allowed.mail:
        message = "The text holds a mail address that no source it rests on holds."
        return _block("foreign_mail_address", message, text=shown, start=start)
    if not draft:
        return None
    where = Subject(text=shown, start=start, end=start + len(shown))
    message = "The text passes on a mail address of a source."
    return finding(NAME, "review", "mail_address", message, subject=where, waivable=True)


def _inside(domain: str, allowed: _Allowed) -> bool:
    """Whether a bare name is the host of an allowed URL or of an allowed mail address."""
    hosts = {url.split("://", 1)[1].split("/", 1)[0] for url in allowed.canonical}
    return domain in hosts or any(address.endswith(f"@{domain}") for address in allowed.mail)


def _payload(payload: Payload, data: bytes, allowed: _Allowed) -> list[Finding]:
    """Rules 2 to 6, on the bytes that would go out."""
    if payload.kind is ActionKind.MAIL:
        findings, text = _mail(payload, data)
    else:
        findings, text = _document(data)
    if text is None:
        return findings
    if _CONTROL.search(text.replace("\r\n", "\n")) is not None or any(
        span.reason in ("bidi", "surrogate") for span in invisible(text)
    ):
        findings.append(_block("invisible_text", "The bytes hold characters that a reader does not see."))
    findings.extend(_links(text, allowed, draft=False))
    return findings


def _document(data: bytes) -> tuple[list[Finding], str | None]:
    try:
        return [], data.decode("utf-8")
    except UnicodeDecodeError:
        return [_block("not_text", "The document is not UTF-8 text.")], None


def _mail(payload: Payload, data: bytes) -> tuple[list[Finding], str | None]:
    """Rule 6."""
    findings: list[Finding] = []
    header = re.split(rb"\r?\n\r?\n", data, maxsplit=1)[0]
    for line in header.replace(b"\r\n", b"\n").split(b"\n"):
        folded = line[:1] in (b" ", b"\t") and b"\r" not in line and b"\x00" not in line
        if not folded and _HEADER_LINE.fullmatch(line) is None:
            findings.append(_block("mail_header", "The message's header is malformed."))
            break
    message = email.message_from_bytes(data, policy=email.policy.default)
    names = Counter(name.lower() for name in message)
    extra = sorted(name for name in names if name not in _HEADERS)
    if extra:
        findings.append(_block("mail_header", "The message has a header that it may not have.", header=extra[0][:70]))
    for name in ("to", "from", "subject"):
        if names[name] != 1:
            findings.append(_block("mail_header", f"The message has {names[name]} headers {name.title()}, not one."))
    findings.extend(_address(message, payload))
    body, objections = _body(message)
    return [*findings, *objections], body


def _address(message: EmailMessage | Message, payload: Payload) -> list[Finding]:
    header = message["To"]
    addresses = tuple(getattr(header, "addresses", ()))
    defects = tuple(getattr(header, "defects", ("no header",)))
    if len(addresses) == 1 and addresses[0].addr_spec == payload.recipient and not defects:
        return []
    return [_block("mail_recipient", "The message is not addressed to its recipient alone.")]


def _body(message: EmailMessage | Message) -> tuple[str | None, list[Finding]]:
    if message.is_multipart() or message.get_content_type() not in ("text/plain", "text/markdown"):
        return None, [_block("mail_body", "The message is not one part of plain text.")]
    if message.get_content_disposition() is not None or message.defects:
        return None, [_block("mail_body", "The message is defective.")]
    raw = cast("bytes", message.get_payload(decode=True))  # one part, so it is no list
    try:
        return raw.decode(message.get_content_charset("utf-8")), []
    except (LookupError, UnicodeDecodeError):
        return None, [_block("not_text", "The message's text cannot be decoded.")]
