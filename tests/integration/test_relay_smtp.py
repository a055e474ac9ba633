"""A mail on its whole way: graph, permit, outbox, relay, and a mail server that fails in every way it can."""

from __future__ import annotations

import email
import email.policy
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest

from sluis.core import ActionKind, OutcomeStatus, SourceState
from sluis.evals.world import RULING, World, open_world
from sluis.relay import Guard, Relay, SmtpServer, SmtpTransport, mail_builder
from sluis.simulators.smtp import SmtpSimulator

SENDER, KLANT = "balie@sluis.example", "jan@klant.example"


class Post:
    """A world that mails, and one question answered in it."""

    def __init__(self, world: World, simulator: SmtpSimulator) -> None:
        self.world, self.simulator = world, simulator
        guard = Guard(ledger=world.ledger, keyring=world.keyring, clock=world.clock)
        server = SmtpServer(host=simulator.host, port=simulator.port, sender=SENDER, starttls=False)
        self.transport = SmtpTransport(server, guard=guard, step_seconds=1.0, seconds=6.0)
        self.relay = Relay(
            ledger=world.ledger,
            keyring=world.keyring,
            transports={ActionKind.MAIL: self.transport},
            sources=world.sources,
            manifest=lambda: world.manifest[0],
            clock=world.clock,
        )
        outcome = world.agent.ask("Wanneer moet de waarborgsom terug?", recipients=(KLANT,), kind=ActionKind.MAIL)
        assert outcome.status is OutcomeStatus.RELEASED, outcome
        (self.key,) = outcome.outbox

    def run(self) -> tuple[str, str]:
        """Let the hold pass and the relay run once; the row's state and reason."""
        self.world.clock.advance(200)
        self.relay.run_once()
        row = self.world.ledger.outbox.get(self.key)
        return row.state.value, row.reason


@pytest.fixture
def post(tmp_path: Path) -> Iterator[Callable[[str | None], Post]]:
    with ExitStack() as stack:

        def make(fault: str | None) -> Post:
            simulator = stack.enter_context(SmtpSimulator(fault=fault))
            world = stack.enter_context(
                open_world(tmp_path, wrap=lambda runtime: replace(runtime, mail=mail_builder(SENDER)))
            )
            return Post(world, simulator)

        yield make


def test_a_mail_arrives_as_it_was_permitted(post: Callable[[str | None], Post]) -> None:
    sent = post(None)
    assert [*sent.simulator.received] == []
    assert sent.run()[0] == "sent"
    (mail,) = sent.simulator.received
    assert (mail.sender, mail.recipients) == (SENDER, (KLANT,))
    assert mail.data == sent.world.ledger.vault.get_payload(sent.world.ledger.outbox.get(sent.key).payload)
    body = email.message_from_bytes(mail.data, policy=email.policy.default).get_content()
    assert "14 dagen" in body
    assert sent.run()[0] == "sent"
    assert len(sent.simulator.received) == 1


# The fault, and the state and reason of the row after it; how many messages the server keeps.
FAULTS: dict[str, tuple[str, str, int]] = {
    "greeting_421": ("deferred", "smtp_421", 0),
    "greeting_554": ("deferred", "smtp_connect_refused", 0),
    "mail_451": ("deferred", "smtp_451", 0),
    "rcpt_450": ("deferred", "smtp_450", 0),
    "data_451": ("deferred", "smtp_451", 0),
    "dot_451": ("deferred", "smtp_451", 0),
    "mail_550": ("failed", "smtp_550", 0),
    "rcpt_550": ("failed", "smtp_550", 0),
    "data_554": ("failed", "smtp_554", 0),
    "dot_554": ("failed", "smtp_554", 0),
    "drop_at_data": ("deferred", "smtp_data_error", 0),
    "drop_after_dot": ("in_doubt", "smtp_no_answer_error", 1),
    "silence_after_dot": ("in_doubt", "smtp_no_answer_timeout", 1),
    "drop_at_quit": ("sent", "sent", 1),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_ends_in_its_state(fault: str, post: Callable[[str | None], Post]) -> None:
    state, reason, kept = FAULTS[fault]
    sent = post(fault)
    assert sent.run() == (state, reason)
    assert len(sent.simulator.received) == kept


@pytest.mark.parametrize("fault", ["mail_451", "dot_451", "drop_at_data"])
def test_what_was_put_off_goes_out_once_the_server_is_well(fault: str, post: Callable[[str | None], Post]) -> None:
    sent = post(fault)
    assert sent.run()[0] == "deferred"
    sent.simulator.set_fault(None)
    sent.world.clock.advance(100)
    assert sent.run()[0] == "sent"
    assert len(sent.simulator.received) == 1


@pytest.mark.parametrize("fault", ["drop_after_dot", "silence_after_dot", "rcpt_550"])
def test_what_may_have_gone_out_is_not_sent_again(fault: str, post: Callable[[str | None], Post]) -> None:
    sent = post(fault)
    before = sent.run()[0]
    kept = len(sent.simulator.received)
    sent.simulator.set_fault(None)
    sent.world.clock.advance(1000)
    assert sent.run()[0] == before
    assert len(sent.simulator.received) == kept


def test_a_citation_that_is_no_longer_good_keeps_the_mail_in(post: Callable[[str | None], Post]) -> None:
    sent = post(None)
    sent.world.sources.says[RULING] = (SourceState.WITHDRAWN, "withdrawn")
    assert sent.run() == ("review", "withdrawn")
    assert sent.simulator.received == ()
