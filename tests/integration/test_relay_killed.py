"""A relay that is killed while it hands a mail over: nobody knows whether it went out, so nobody sends it again."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path

from sluis.core import ActionKind, OutcomeStatus
from sluis.evals.world import World, open_world
from sluis.relay import mail_builder
from sluis.simulators.smtp import SmtpSimulator

SENDER, KLANT = "balie@sluis.example", "jan@klant.example"
RELAY = """
import json, sys
from datetime import timedelta
from pathlib import Path
from sluis.core import ActionKind, Manifest, ManualClock, RandomIds
from sluis.evals.world import START, FixedSources
from sluis.ledger import Ledger
from sluis.permits import Keyring
from sluis.relay import Guard, Relay, SmtpServer, SmtpTransport
folder, port, seconds, manifest = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
clock = ManualClock(START + timedelta(seconds=seconds))
keyring = Keyring.load(folder / "keys" / "public")
with Ledger.open(folder / "ledger.db", clock=clock, ids=RandomIds(), keyring=keyring) as ledger:
    server = SmtpServer(host="127.0.0.1", port=port, sender="balie@sluis.example", starttls=False)
    relay = Relay(
        ledger=ledger,
        keyring=keyring,
        transports={ActionKind.MAIL: SmtpTransport(server, guard=Guard(ledger=ledger, keyring=keyring, clock=clock))},
        sources=FixedSources(clock),
        manifest=lambda: Manifest.from_json(manifest),
        clock=clock,
    )
    print(json.dumps([item.to_json() for item in relay.run_once()]))
"""


def _relay(world: World, port: int, *, seconds: int) -> subprocess.Popen[str]:
    manifest = world.manifest[0].canonical().decode()
    command = [sys.executable, "-c", RELAY, str(world.folder), str(port), str(seconds), manifest]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def _asked(world: World) -> str:
    outcome = world.agent.ask("Wanneer moet de waarborgsom terug?", recipients=(KLANT,), kind=ActionKind.MAIL)
    assert outcome.status is OutcomeStatus.RELEASED
    return outcome.outbox[0]


def _wait(until: Callable[[], bool]) -> None:
    for _ in range(600):
        if until():
            return
        time.sleep(0.05)
    raise AssertionError("it did not happen within 30 s")


def _kill(relay: subprocess.Popen[str]) -> None:
    relay.send_signal(signal.SIGKILL)
    relay.communicate(timeout=30)
    assert relay.returncode == -signal.SIGKILL


def _afterwards(world: World, port: int, key: str, *, seconds: int) -> str:
    """What a second relay does, and the state of the row then."""
    relay = _relay(world, port, seconds=seconds)
    said, _ = relay.communicate(timeout=60)
    assert relay.returncode == 0
    assert json.loads(said) == []
    assert world.ledger.verify().faults == ()
    return world.ledger.outbox.get(key).state.value


def _open(folder: Path) -> AbstractContextManager[World]:
    return open_world(folder, wrap=lambda runtime: replace(runtime, mail=mail_builder(SENDER)))


def test_killed_when_the_server_has_the_mail_and_has_not_answered(tmp_path: Path) -> None:
    with SmtpSimulator(fault="silence_after_dot") as server, _open(tmp_path) as world:
        key = _asked(world)
        relay = _relay(world, server.port, seconds=200)
        _wait(lambda: len(server.received) == 1)
        _kill(relay)
        assert world.ledger.outbox.get(key).state.value == "sending"
        server.set_fault(None)
        assert _afterwards(world, server.port, key, seconds=210) == "sending"
        assert _afterwards(world, server.port, key, seconds=400) == "in_doubt"
        assert _afterwards(world, server.port, key, seconds=3000) == "in_doubt"
        assert len(server.received) == 1


def test_killed_before_the_server_has_said_a_word(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute, _open(tmp_path) as world:
        key = _asked(world)
        relay = _relay(world, mute.getsockname()[1], seconds=200)
        met: list[socket.socket] = []
        threading.Thread(target=lambda: met.append(mute.accept()[0]), daemon=True).start()
        _wait(lambda: bool(met))
        _kill(relay)
        met[0].close()
        with SmtpSimulator() as server:
            assert _afterwards(world, server.port, key, seconds=400) == "in_doubt"
            assert server.received == ()
