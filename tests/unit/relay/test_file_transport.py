"""A document is published whole or not at all, never over anything else, inside one folder only."""

from __future__ import annotations

import errno
import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sluis.evals.desk import TEXT, Desk
from sluis.ledger import Claim
from sluis.relay import Ending, FileTransport, Guard, PublishFolderError, UnsafeNameError
from sluis.relay.file_transport import MAX_NAME_BYTES, require_name


def _transport(desk: Desk, folder: Path) -> FileTransport:
    return FileTransport(folder, guard=Guard(ledger=desk.ledger, keyring=desk.keyring, clock=desk.clock))


def _claim(desk: Desk, name: str = "answer.md", payload: bytes = TEXT) -> Claim:
    desk.admit(name, payload)
    desk.clock.advance(91)
    claim = desk.ledger.outbox.claim()
    assert claim is not None
    return claim


def _deliver(desk: Desk, folder: Path, claim: Claim) -> tuple[Ending, str]:
    handover = _transport(desk, folder).deliver(claim, claim.envelope, claim.data)
    return handover.ending, handover.reason


def _names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_a_document_stands_there_with_its_permit(desk: Desk, tmp_path: Path) -> None:
    out = tmp_path / "deep" / "out"
    claim = _claim(desk)
    assert _deliver(desk, out, claim) == (Ending.SENT, "sent")
    assert (out / "answer.md").read_bytes() == TEXT
    assert (out / "answer.md.permit.json").read_bytes() == claim.envelope
    assert _names(out) == {"answer.md", "answer.md.permit.json"}


def test_the_same_action_again_finds_its_own_document(desk: Desk, tmp_path: Path) -> None:
    claim = _claim(desk)
    for _ in range(2):
        assert _deliver(desk, tmp_path, claim) == (Ending.SENT, "sent")


# What stands in the way, and what it is.
TAKEN: dict[str, Callable[[Path], object]] = {
    "another document": lambda path: path.write_bytes(b"other"),
    "a longer one that begins alike": lambda path: path.write_bytes(TEXT + b"x"),
    "a folder": lambda path: path.mkdir(),
    "a link to elsewhere": lambda path: path.symlink_to("elsewhere"),
    "a pipe": lambda path: os.mkfifo(path),
}


@pytest.mark.parametrize("what", TAKEN)
@pytest.mark.parametrize("name", ["answer.md", "answer.md.permit.json"])
def test_nothing_is_replaced(what: str, name: str, desk: Desk, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    TAKEN[what](out / name)
    before = os.lstat(out / name)
    assert _deliver(desk, out, _claim(desk)) == (Ending.FAILED, "name_taken")
    assert _names(out) == {name}
    assert os.lstat(out / name) == before


def test_a_half_from_before_a_crash_is_completed(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out"
    claim = _claim(desk)
    linked: list[str] = []
    real = os.link

    def link(source: Any, target: Any, **options: Any) -> None:
        if linked:
            raise KeyboardInterrupt
        linked.append(str(target))
        real(source, target, **options)

    monkeypatch.setattr(os, "link", link)
    with pytest.raises(KeyboardInterrupt):
        _deliver(desk, out, claim)
    assert not (out / "answer.md").exists()
    monkeypatch.undo()
    assert _deliver(desk, out, claim) == (Ending.SENT, "sent")
    assert _names(out) == {"answer.md", "answer.md.permit.json"}


def test_a_hidden_leftover_is_cleared_away(desk: Desk, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    claim = _claim(desk)
    hidden = f".{hashlib.sha256(claim.row.key.encode()).hexdigest()[:32]}.part"
    (out / hidden).write_bytes(b"half")
    assert _deliver(desk, out, claim) == (Ending.SENT, "sent")
    assert hidden not in _names(out)


@pytest.mark.parametrize(
    ("number", "reason"),
    [
        (errno.ENOSPC, "file_enospc"),
        (errno.EACCES, "file_eacces"),
        (errno.EROFS, "file_erofs"),
        (errno.EPERM, "no_hard_links"),
        (errno.ENOTSUP, "no_hard_links"),
    ],
)
def test_a_disk_that_refuses_puts_the_action_off(
    number: int, reason: str, desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise OSError(number, "no")

    claim = _claim(desk)
    monkeypatch.setattr(os, "link", refuse)
    assert _deliver(desk, tmp_path / "out", claim) == (Ending.DEFERRED, reason)
    monkeypatch.undo()
    assert _names(tmp_path / "out") == set()
    assert _deliver(desk, tmp_path / "out", claim) == (Ending.SENT, "sent")


def test_a_folder_that_became_a_link_is_not_written_to(desk: Desk, tmp_path: Path) -> None:
    out, elsewhere = tmp_path / "out", tmp_path / "elsewhere"
    elsewhere.mkdir()
    transport = _transport(desk, out)
    claim = _claim(desk)
    out.rmdir()
    out.symlink_to(elsewhere, target_is_directory=True)
    handover = transport.deliver(claim, claim.envelope, claim.data)
    assert (handover.ending, handover.reason) == (Ending.FAILED, "folder_moved")
    assert _names(elsewhere) == set()


def test_a_folder_that_is_gone_puts_the_action_off(desk: Desk, tmp_path: Path) -> None:
    out = tmp_path / "out"
    transport = _transport(desk, out)
    claim = _claim(desk)
    out.rmdir()
    assert transport.deliver(claim, claim.envelope, claim.data).ending is Ending.DEFERRED


def test_a_folder_that_cannot_be_made_is_said_at_once(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(PublishFolderError) as refused:
        _transport(desk, tmp_path / "file" / "out")
    assert refused.value.subject == {"path": str(tmp_path / "file" / "out")}


NAMES = ["answer.md", "antwoord (2).md", "beëdigd.txt", "a", "a" * MAX_NAME_BYTES, "console.md", "com10", "..a"[2:]]
NO_NAMES = [
    "",
    ".",
    "..",
    ".hidden",
    "a.",
    "a ",
    " a",
    "a/b",
    "../a",
    "a\\b",
    "c:a",
    "a*",
    "a?",
    'a"',
    "a<b",
    "a>b",
    "a|b",
    "a\nb",
    "a\x00b",
    "a\u202eb",
    "a\u200bb",
    "a\ud800",
    "CON",
    "con.md",
    "Nul .md",
    "LPT1.txt",
    "com³",
    "a.permit.json",
    "a.PERMIT.JSON",
    "bee\u0308digd.txt",
    "a" * (MAX_NAME_BYTES + 1),
    "é" * MAX_NAME_BYTES,
]


@pytest.mark.parametrize("name", NAMES)
def test_a_plain_name_is_one(name: str) -> None:
    assert require_name(name) == name


@pytest.mark.parametrize("name", NO_NAMES)
def test_what_is_no_plain_name_is_refused(name: str) -> None:
    with pytest.raises(UnsafeNameError):
        require_name(name)


@given(st.text(max_size=300))
def test_any_name_that_passes_stays_in_its_folder(name: str) -> None:
    try:
        require_name(name)
    except UnsafeNameError:
        return
    assert Path("out", name).parent == Path("out")
    assert Path(name).name == name
    assert len(os.fsencode(name)) <= MAX_NAME_BYTES


def test_an_unsafe_name_that_was_permitted_all_the_same_is_not_published(desk: Desk, tmp_path: Path) -> None:
    claim = _claim(desk, "../answer.md")
    assert _deliver(desk, tmp_path / "out", claim) == (Ending.FAILED, "unsafe_name")
    assert not (tmp_path / "answer.md").exists()
