from __future__ import annotations

import smtplib
import socket
import sys

import pytest

from sluis.core import MissingExtraError
from sluis.simulators import UnknownFaultError
from sluis.simulators.smtp import SMTP_FAULTS, SmtpSimulator

MESSAGE = b"From: a@example.org\r\nTo: b@example.org\r\nSubject: x\r\n\r\n.dot first\r\nbody\r\n"


def send(port: int) -> None:
    with smtplib.SMTP("127.0.0.1", port, local_hostname="client.invalid", timeout=2) as client:
        client.sendmail("a@example.org", ["b@example.org"], MESSAGE)


def test_a_message_is_kept_as_it_was_sent() -> None:
    with SmtpSimulator() as simulator:
        send(simulator.port)
        (mail,) = simulator.received
    assert mail.data == MESSAGE
    assert (mail.sender, mail.recipients, mail.tls, mail.user) == ("a@example.org", ("b@example.org",), False, "")
    assert simulator.commands == ("MAIL", "RCPT", "DATA", "QUIT")


@pytest.mark.parametrize(
    ("fault", "kept"),
    [
        ("greeting_554", 0),
        ("greeting_421", 0),
        ("mail_451", 0),
        ("mail_550", 0),
        ("rcpt_450", 0),
        ("rcpt_550", 0),
        ("data_451", 0),
        ("data_554", 0),
        ("drop_at_data", 0),
        ("drop_before_dot", 0),
        ("drop_after_dot", 1),
        ("silence_after_dot", 1),
        ("dot_451", 0),
        ("dot_554", 0),
        ("drop_at_quit", 1),
    ],
)
def test_each_fault_shows_and_keeps_only_what_was_taken_in(fault: str, kept: int) -> None:
    with SmtpSimulator(fault=fault) as simulator:
        try:
            send(simulator.port)
            failed = False
        except (smtplib.SMTPException, OSError):
            failed = True
        assert len(simulator.received) == kept
    assert failed or fault == "drop_at_quit"


def test_every_listed_fault_can_be_ordered_and_taken_back() -> None:
    simulator = SmtpSimulator()
    for fault in SMTP_FAULTS:
        simulator.set_fault(fault)
        assert simulator.fault == fault
    simulator.set_fault(None)
    assert simulator.fault is None


@pytest.mark.parametrize("fault", ["dot", "dot_99", "dot_999", "quit_250", "drop", ""])
def test_an_unknown_fault_is_refused(fault: str) -> None:
    with pytest.raises(UnknownFaultError):
        SmtpSimulator(fault=fault)


def test_a_port_in_use_is_reported_at_the_start() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(OSError, match=r"(?i)in use"):
            SmtpSimulator(port=taken.getsockname()[1]).start()


def test_stopping_what_never_started_is_no_error() -> None:
    SmtpSimulator().stop()


def test_without_the_extra_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "aiosmtpd.smtp", None)
    with pytest.raises(MissingExtraError, match="smtp-simulator"):
        SmtpSimulator()
