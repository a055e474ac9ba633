"""``sluis permit``: make keys, look into a permit, and verify one offline with the public key alone."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sluis.core import ActionKind, InputError, RefusedError, UsageError

from ._io import JsonFlag, ProjectOption, emit, out_console, read_file, visible

if TYPE_CHECKING:
    from sluis.permits import Permit

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Make keys; verify a permit offline.")

PermitArgument = Annotated[Path, typer.Argument(metavar="PERMIT", help="File of the permit (a DSSE envelope).")]


class MalformedTimeError(InputError):
    """``--at`` is neither ``now`` nor a time with an offset."""

    code = "usage.input.malformed_time"


class HalfAKeyPairError(UsageError):
    """Only one of the two places of a key pair is named."""

    code = "usage.key_pair"


@app.callback()
def _group() -> None:
    """Make keys; verify a permit offline."""


@app.command()
def keygen(
    private: Annotated[
        Path | None, typer.Option("--private", metavar="FILE", help="The private key. Default: the project's.")
    ] = None,
    public: Annotated[
        Path | None, typer.Option("--public", metavar="DIR", help="Folder of public keys. Default: the project's.")
    ] = None,
    project: ProjectOption = None,
    json_: JsonFlag = False,
) -> int:
    """Make an Ed25519 key pair: a private file of mode 0600, and a public one named after the key's id.

    Nothing is overwritten. Outside a project name both places.
    """
    from sluis.permits import generate_key

    if (private is None) != (public is None):
        raise HalfAKeyPairError("A key pair has two places.", hint="Name both --private and --public, or neither.")
    if private is None or public is None:
        from sluis.config import ProjectConfig

        config = ProjectConfig.load(project)
        private, public = config.signing_key_path, config.public_keys_path
    key_id, public_file = generate_key(private, public)
    if json_:
        emit({"key_id": key_id, "private": str(private), "public": str(public_file)})
        return 0
    out = out_console()
    out.print(f"key     {key_id}", markup=False, soft_wrap=True)
    out.print(f"private {private} (for the process that runs the graph, and no one else)", markup=False, soft_wrap=True)
    out.print(f"public  {public_file} (for the relay and anyone who verifies)", markup=False, soft_wrap=True)
    return 0


@app.command()
def show(permit: PermitArgument, json_: JsonFlag = False) -> int:
    """What a permit says, **without** verifying it."""
    from sluis.permits import read_permit

    said = read_permit(read_file(permit))
    if json_:
        emit({"verified": False, "permit": said.to_json()})
        return 0
    _print(said)
    out_console().print("Not verified: `sluis permit verify` does that.", markup=False)
    return 0


@app.command()
def verify(
    permit: PermitArgument,
    payload: Annotated[Path, typer.Option("--payload", metavar="FILE", help="The bytes that it should be for.")],
    key: Annotated[Path, typer.Option("--key", metavar="PUB", help="A public key, or a folder of them (*.pem).")],
    recipient: Annotated[
        str | None, typer.Option("--recipient", metavar="NAME", help="Must be the permit's, exactly.")
    ] = None,
    kind: Annotated[ActionKind | None, typer.Option("--kind", help="Must be the permit's.")] = None,
    run: Annotated[str | None, typer.Option("--run", metavar="ID", help="Must be the permit's.")] = None,
    at: Annotated[
        str | None,
        typer.Option("--at", metavar="TIME", help="`now`, or a time such as 2026-11-30T10:00:00Z: was it good then?"),
    ] = None,
    json_: JsonFlag = False,
) -> int:
    """Verify a permit over the bytes it is for, with the public key alone: no network, no ledger, no project.

    Signature and bytes are always verified; recipient, kind, run and time when they are named. A permit ends soon after
    its answer went out and stays beside it as proof, so that it has ended by now says nothing against it: the times it
    names are shown. That it was used only once is the ledger's to tell. Exit code 1: refused, with the reason.
    """
    from sluis.permits import Keyring, require_action, require_time, verify_signature

    envelope, data, keyring = read_file(permit), read_file(payload), Keyring.load(key)
    moment = None if at is None else _moment(at)
    try:
        said = verify_signature(envelope, keyring)
        require_action(said, payload=data, kind=kind or said.kind, recipient=recipient or said.recipient, run_id=run)
        if moment is not None:
            require_time(said, moment)
    except RefusedError as error:
        if not json_:
            raise
        emit({"valid": False, "reason": error.code, "error": error.diagnostics()})
        return error.exit_code
    if json_:
        when = None if moment is None else moment.isoformat()
        emit({"valid": True, "reason": None, "at": when, "permit": said.to_json()})
        return 0
    _print(said)
    good = "its time was not asked about (--at)" if moment is None else f"good at {moment.isoformat()}"
    out_console().print(f"Valid: signed by this key, for exactly these {said.size} bytes; {good}.", markup=False)
    return 0


def _moment(text: str) -> datetime:
    if text == "now":
        return datetime.now(UTC)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        raise MalformedTimeError(
            f"{text!r} is no time with an offset.", hint="Write `now`, or a time such as 2026-11-30T10:00:00Z."
        )
    return moment.astimezone(UTC)


def _print(said: Permit) -> None:
    out = out_console()
    shown = said.to_json()
    for name in (
        "permit_id", "run_id", "tenant", "audience", "kind", "recipient", "media_type", "payload", "size",
        "verdict", "policy", "fingerprint", "issued_at", "not_before", "expires_at", "key_id",
    ):  # fmt: skip
        out.print(f"{name:<11} {visible(str(shown[name]))}", markup=False, soft_wrap=True)
    for citation in said.citations:
        out.print(f"{'citation':<11} {visible(citation.value)}", markup=False, soft_wrap=True)
    for waiver in said.waivers:
        text = f"{waiver.check} ({waiver.reason}) let pass by {waiver.reviewer}"
        out.print(f"{'waiver':<11} {visible(text)}", markup=False, soft_wrap=True)
