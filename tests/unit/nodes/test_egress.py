"""What would go out goes to whom it was asked for, and holds nothing that calls elsewhere."""

from __future__ import annotations

from typing import Any

import pytest

from sluis.core import ActionKind, Payload, Request, digest_bytes
from sluis.nodes.verify import Egress

URL = "https://wetten.example/zaak/17"
SOURCE = "Het is zo. Meer op https://elders.example/pad en bij griffie@rechtbank.example of www.loket.example."


def payload(data: bytes, *, recipient: str = "a.md", kind: ActionKind = ActionKind.DOCUMENT) -> tuple[Payload, bytes]:
    media = "message/rfc822" if kind is ActionKind.MAIL else "text/markdown"
    return Payload(kind=kind, recipient=recipient, media_type=media, digest=digest_bytes(data), size=len(data)), data


@pytest.fixture
def asked() -> Request:
    return Request(
        request_id="req_00000001", question="Hoe zit het?", recipients=("a.md",), audience="client", tenant="default"
    )


DRAFTS: dict[str, list[str]] = {
    "Het is zo. [c1]": [],
    f"Zie {URL} voor meer. [c1]": [],
    "Zie HTTPS://WETTEN.example:443/zaak/17 voor meer. [c1]": [],
    "Zie wetten.example/zaak/17 voor meer. [c1]": ["foreign_url"],
    f"Zie {URL} voor meer.": ["foreign_url"],
    "Zie https://elders.example/pad voor meer. [c1]": ["foreign_url"],
    "Zie https://wetten.example/zaak/18 voor meer. [c1]": ["foreign_url"],
    "Zie vreemd.com voor meer. [c1]": ["foreign_url"],
    "Zie rechtbank.example voor meer. [c1]": [],
    "Zie wetten.example voor meer. [c1]": [],
    "Mail griffie@rechtbank.example. [c1]": ["mail_address"],
    "Mail ander@rechtbank.example. [c1]": ["foreign_mail_address"],
    "![x](https://wetten.example/zaak/17) [c1]": ["image"],
    "Het is <b>zo</b>. [c1]": ["raw_html", "raw_html"],
    "Het is javascript:alert(1). [c1]": ["active_link"],
    "Het is [zo](/pad). [c1]": ["relative_link"],
    "Het is [zo](/pad) en [zo](/pad). [c1]": ["relative_link"],
    "Het is\u200b zo. [c1]": ["invisible_text"],
    "Het is \u202ezo. [c1]": ["invisible_text"],
    "Het is\u00ad zo. [c1]": [],
    "Het is \ufffd zo. [c1]": ["unreadable_text"],
}


@pytest.mark.parametrize(("text", "reasons"), DRAFTS.items())
async def test_a_draft(text: str, reasons: list[str], judge: Any, a_chunk: Any, asked: Request) -> None:
    chunk = a_chunk("a", text=SOURCE, source_url=URL)
    findings = await judge(Egress(require_payloads=False), text, chunk, request=asked)
    assert [item.reason for item in findings] == reasons
    assert all(item.status == ("review" if item.reason == "mail_address" else "block") for item in findings)


async def test_a_gate_without_payloads_blocks(judge: Any, a_chunk: Any, asked: Request) -> None:
    (found,) = await judge(Egress(), "Het is zo. [c1]", a_chunk("a"), request=asked)
    assert (found.status, found.reason) == ("block", "no_payload")


DOCUMENTS: dict[str, tuple[tuple[Payload, bytes], list[str]]] = {
    "as asked": (payload(b"Het is zo."), []),
    "with the address of a source": (payload(f"Bron: <{URL}>".encode()), []),
    "with an address in a source's text": (payload(b"Mail griffie@rechtbank.example"), []),
    "for another": (payload(b"Het is zo.", recipient="b.md"), ["recipients_differ"]),
    "of another kind": (payload(b"To: a.md\nFrom: x@y.nl\nSubject: s\n\nHet", kind=ActionKind.MAIL), ["kind_differs"]),
    "other bytes": ((payload(b"Het is zo.")[0], b"Het is niet zo."), ["payload_digest"]),
    "other bytes of one length": ((payload(b"Het is zo.")[0], b"Het is nu."), ["payload_digest"]),
    "no text": (payload(b"\xff"), ["not_text"]),
    "a control character": (payload(b"Het is\x07 zo."), ["invisible_text"]),
    "a direction character": (payload("Het is \u202ezo.".encode()), ["invisible_text"]),
    "a foreign address": (payload(b"Zie https://vreemd.example/."), ["foreign_url"]),
    "raw HTML": (payload(b"<script>x</script>"), ["raw_html", "raw_html"]),
    "line ends of another system": (payload(b"Het is\r\nzo."), []),
}


@pytest.mark.parametrize("name", DOCUMENTS)
async def test_a_document(name: str, judge: Any, a_chunk: Any, asked: Request) -> None:
    given, reasons = DOCUMENTS[name]
    chunk = a_chunk("a", text=SOURCE, source_url=URL)
    findings = await judge(Egress(), "Het is zo. [c1]", chunk, request=asked, payloads=(given,))
    assert [item.reason for item in findings if item.reason != "mail_recipient"] == reasons
    assert {item.status for item in findings} <= {"block"}


async def test_a_recipient_twice_is_not_a_recipient_once(judge: Any, a_chunk: Any, asked: Request) -> None:
    both = (payload(b"Het is zo."), payload(b"Het is zo."))
    (found,) = await judge(Egress(), "Het is zo. [c1]", a_chunk("a"), request=asked, payloads=both)
    assert found.reason == "recipients_differ"


HEAD = b"From: Sluis <a@sluis.example>\r\nTo: jan@klant.example\r\nSubject: Antwoord\r\n"
TEXT = b"Content-Type: text/plain; charset=utf-8\r\n"
MAILS: dict[str, tuple[bytes, list[str]]] = {
    "as it should be": (HEAD + TEXT + b"\r\nHet is zo.", []),
    "without a type": (HEAD + b"\r\nHet is zo.", []),
    "a folded header": (HEAD + b"Message-ID:\r\n <a@b>\r\n" + TEXT + b"\r\nHet is zo.", []),
    "blind copies": (HEAD + b"Bcc: x@y.example\r\n" + TEXT + b"\r\nHet is zo.", ["mail_header"]),
    "an answer elsewhere": (HEAD + b"Reply-To: x@y.example\r\n\r\nHet is zo.", ["mail_header"]),
    "two subjects": (HEAD + b"Subject: nog een\r\n\r\nHet is zo.", ["mail_header"]),
    "no sender": (b"To: jan@klant.example\r\nSubject: x\r\n\r\nHet is zo.", ["mail_header"]),
    "a header that is none": (HEAD + b"geen kop\r\n\r\nHet is zo.", ["mail_header", "mail_body"]),
    "a bare carriage return": (HEAD + b"Date: x\rBcc: y@z.nl\r\n\r\nHet is zo.", ["mail_header", "mail_header"]),
    "another recipient": (HEAD.replace(b"jan@", b"piet@") + b"\r\nHet is zo.", ["mail_recipient"]),
    "two recipients": (HEAD.replace(b"To: ", b"To: x@y.example, ") + b"\r\nHet is zo.", ["mail_recipient"]),
    "no recipient": (
        HEAD.replace(b"To: jan@klant.example\r\n", b"") + b"\r\nHet is zo.",
        ["mail_header", "mail_recipient"],
    ),
    "HTML": (HEAD + b"Content-Type: text/html\r\n\r\n<p>Het is zo.", ["mail_body"]),
    "two parts": (
        HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nx\r\n--b--\r\n",
        ["mail_body"],
    ),
    "an attachment": (HEAD + b"Content-Disposition: attachment\r\n\r\nHet", ["mail_header", "mail_body"]),
    "an unknown character set": (HEAD + b"Content-Type: text/plain; charset=x-none\r\n\r\nHet is zo.", ["not_text"]),
    "bytes that are no text": (
        HEAD + TEXT + b"Content-Transfer-Encoding: 8bit\r\n\r\n\xff\xfe",
        ["not_text"],
    ),
    "a foreign address": (HEAD + TEXT + b"\r\nZie https://vreemd.example/.", ["foreign_url"]),
    "a direction character": (HEAD + TEXT + "\r\nHet is \u202ezo.".encode(), ["invisible_text"]),
}


@pytest.mark.parametrize("name", MAILS)
async def test_a_mail(name: str, judge: Any, a_chunk: Any) -> None:
    data, reasons = MAILS[name]
    asked = Request(
        request_id="req_00000001",
        question="Hoe zit het?",
        recipients=("jan@klant.example",),
        kind=ActionKind.MAIL,
        audience="client",
        tenant="default",
    )
    given = payload(data, recipient="jan@klant.example", kind=ActionKind.MAIL)
    findings = await judge(Egress(), "Het is zo. [c1]", a_chunk("a"), request=asked, payloads=(given,))
    assert [item.reason for item in findings] == reasons
