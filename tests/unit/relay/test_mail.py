"""One message, one recipient, plain text; a header holds nothing that was not put there."""

from __future__ import annotations

import email
from datetime import UTC, datetime
from email.policy import SMTP

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluis.core import ActionKind, RefusedError
from sluis.ledger import outbox_key
from sluis.relay import build_message, mail_builder
from sluis.relay.mail import (
    MAX_ADDRESS,
    MAX_LOCAL,
    BodyRefusedError,
    MailboxRefusedError,
    MessageRefusedError,
    SubjectRefusedError,
    message_id,
    require_mailbox,
    require_message,
)

FROM, TO = "balie@sluis.example", "jan@klant.example"
DATE = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


def _build(**changes: object) -> bytes:
    fields: dict[str, object] = {
        "sender": FROM,
        "recipient": TO,
        "subject": "Uw vraag",
        "body_text": "Zes weken.",
        "key": "out_1",
        "date": DATE,
    }
    return build_message(**{**fields, **changes})  # type: ignore[arg-type]


def test_the_same_input_gives_the_same_bytes() -> None:
    assert _build() == _build()
    assert _build() != _build(key="out_2")


def test_a_message_reads_back_as_it_was_meant() -> None:
    data = _build(subject="Vraag over € 250", body_text="Regel één.\nRegel twee: € 250.\n")
    message = email.message_from_bytes(data, policy=SMTP)
    assert message["Subject"] == "Vraag over € 250"
    assert message.get_content().replace("\r\n", "\n") == "Regel één.\nRegel twee: € 250.\n"
    assert message["Message-ID"] == message_id("out_1", FROM)
    assert message["Auto-Submitted"] == "auto-generated"
    assert data.isascii()
    assert max(len(line) for line in data.split(b"\r\n")) <= 998


def test_a_builder_makes_the_messages_of_a_run() -> None:
    data = mail_builder(FROM)("run_1")(TO, "Uw vraag", "Zes weken.", DATE)
    assert data == _build(key=outbox_key("run_1", ActionKind.MAIL, TO))


MAILBOXES = [TO, "a@b", "jan.de-vries+x@sub.klant.example", "a" * MAX_LOCAL + "@b.example"]
NO_MAILBOXES = [
    "",
    "jan",
    "@klant.example",
    "jan@",
    "jan@@klant.example",
    "Jan <jan@klant.example>",
    "jan@klant.example, eve@x.example",
    "jan@klant.example;eve@x.example",
    "jan@klant.example\nBcc: eve@x.example",
    "jan@klant.example ",
    '"jan"@klant.example',
    "jan@[127.0.0.1]",
    "jan@klant..example",
    "jan@-klant.example",
    ".jan@klant.example",
    "jan@klánt.example",
    "jàn@klant.example",
    "jan\u200b@klant.example",
    "a" * (MAX_LOCAL + 1) + "@b.example",
    "a@" + ".".join(["b" * 60] * 5),
]


@pytest.mark.parametrize("text", MAILBOXES)
def test_a_plain_mailbox_is_one(text: str) -> None:
    assert require_mailbox(text) == text.rpartition("@")[2]


@pytest.mark.parametrize("text", NO_MAILBOXES)
def test_what_is_no_plain_mailbox_is_refused_without_being_repeated(text: str) -> None:
    for build in (lambda: _build(recipient=text), lambda: _build(sender=text), lambda: require_mailbox(text)):
        with pytest.raises(MailboxRefusedError) as refused:
            build()
        assert text == "" or text not in str(refused.value)
    assert len(text) <= MAX_ADDRESS or text.startswith("a@")


@pytest.mark.parametrize(
    "subject",
    [
        "a\nBcc: eve@x.example",
        "a\r\nX: y",
        "a\rb",
        "a\x00b",
        "a\u2028b",
        "a\x85b",
        "a\u202eb",
        "=?utf-8?q?a?=",
        "a" * 999,
    ],
)
def test_a_subject_that_could_be_more_than_one_line_is_refused(subject: str) -> None:
    with pytest.raises(SubjectRefusedError):
        _build(subject=subject)


@pytest.mark.parametrize("text", ["a\0b", "a\ud800b"])
def test_a_body_that_cannot_be_sent_is_refused(text: str) -> None:
    with pytest.raises(BodyRefusedError):
        _build(body_text=text)


def test_a_date_without_a_zone_is_a_mistake_of_the_caller() -> None:
    with pytest.raises(ValueError, match="aware"):
        _build(date=datetime(2026, 3, 2, 9, 0))


GOOD = _build()
NO_MESSAGES = {
    "nothing": b"",
    "no line end at its end": GOOD.rstrip(b"\r\n"),
    "a bare line feed": GOOD.replace(b"Zes", b"Z\nes"),
    "a bare carriage return": GOOD.replace(b"Zes", b"Z\res"),
    "NUL": GOOD.replace(b"Zes", b"Z\0es"),
    "beyond ASCII": GOOD.replace(b"Zes", "Zës".encode()),
    "a blind copy": b"Bcc: eve@x.example\r\n" + GOOD,
    "a copy": b"Cc: eve@x.example\r\n" + GOOD,
    "another reply address": b"Reply-To: eve@x.example\r\n" + GOOD,
    "sent on": b"Resent-To: eve@x.example\r\n" + GOOD,
    "two recipients": GOOD.replace(b"To: " + TO.encode(), b"To: " + TO.encode() + b", eve@x.example"),
    "another recipient": GOOD.replace(TO.encode(), b"eve@x.example"),
    "another sender": GOOD.replace(FROM.encode(), b"eve@x.example", 1),
    "two subjects": b"Subject: x\r\n" + GOOD,
    "no date": GOOD.replace(b"Date:", b"X-Date:"),
    "HTML": GOOD.replace(b"text/plain", b"text/html"),
    "parts": GOOD.replace(b'text/plain; charset="utf-8"', b'multipart/mixed; boundary="x"'),
}


def test_the_good_message_of_this_table_is_one() -> None:
    require_message(GOOD, sender=FROM, recipient=TO)


@pytest.mark.parametrize("what", NO_MESSAGES)
def test_what_is_not_that_one_message_is_refused(what: str) -> None:
    assert NO_MESSAGES[what] != GOOD
    with pytest.raises(MessageRefusedError):
        require_message(NO_MESSAGES[what], sender=FROM, recipient=TO)


@given(st.text(max_size=60), st.text(max_size=300))
def test_whatever_the_words_the_message_has_one_recipient_and_one_part(subject: str, text: str) -> None:
    try:
        data = _build(subject=subject, body_text=text)
    except RefusedError:
        return
    message = email.message_from_bytes(data, policy=SMTP)
    assert message.get_all("To") == [TO]
    assert message.get_all("Bcc") is None
    assert message.get_all("Subject") == [message["Subject"]]
    assert b"\r\n.\r\n" not in data or message.get_content()
