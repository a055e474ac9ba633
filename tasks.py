#!/usr/bin/env python3
"""One command a verb: ``python3 tasks.py demo|test|lint|bench|docs|clean``.

Standard library only. Makes the environment ``.venv`` beside this file when it is missing or out of date, with uv when
uv is there, else with venv and pip; both take the exact versions and hashes of ``uv.lock``. Says what it does on
stderr. A second call starts at once.

This file must parse on old Pythons, so that they get a message and not a syntax error: no syntax newer than 3.6.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
STAMP = VENV / "sluis-environment.json"
OLDEST, NEWEST = (3, 11), (3, 13)
PORTIONS = ("src", "graphs", "nodes", "policies", "evals")
LEFTOVERS = (".venv", "dist", "build", "sluis-demo", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".hypothesis")
UNREACHABLE = re.compile(
    r"connection (?:error|refused|reset|broken)|new ?connection ?error|name resolution|dns error|timed? ?out|"
    r"failed to (?:fetch|connect|resolve)|network is unreachable|error sending request|no matching distribution",
    re.IGNORECASE,
)


class TaskError(Exception):
    """What stops a task, in words for a person; ends the program with exit code ``code``."""

    def __init__(self, message, code=2):
        super().__init__(message)
        self.code = code


def say(text):
    """Tell what is being done, on stderr, so that stdout belongs to the task."""
    end = "\x1b[K\n" if sys.stderr.isatty() else "\n"
    print(f"[tasks] {text}", end=end, file=sys.stderr, flush=True)


# --- the interpreter ------------------------------------------------------------------------------------------------


def supported(version):
    """Whether a Python version (major, minor) is one that sluis runs on."""
    return OLDEST <= tuple(version) <= NEWEST


def other_python():
    """A supported interpreter on the search path, when this one is not supported."""
    for minor in range(NEWEST[1], OLDEST[1] - 1, -1):
        found = shutil.which(f"python3.{minor}")
        # A version manager's shim may be there and still refuse to run.
        if found and _answers([found, "-c", f"import sys, venv; sys.exit(sys.version_info[:2] != (3, {minor}))"]):
            return found
    return None


def _answers(command):
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0


def with_supported_python(arguments):
    """Run this file again under a supported Python when this one is not; its exit code, or ``None`` to go on here."""
    if supported(sys.version_info[:2]):
        return None
    have = ".".join(str(part) for part in sys.version_info[:3])
    found = other_python()
    if found is None or os.environ.get("SLUIS_TASKS_PYTHON"):
        raise TaskError(
            f"Python {OLDEST[0]}.{OLDEST[1]} to {NEWEST[0]}.{NEWEST[1]} is needed; this is {have} ({sys.executable}).\n"
            "Install one of them, then name it: python3.12 tasks.py ..."
        )
    say(f"Python {have} is not supported; going on with {found}.")
    return subprocess.call([found, str(ROOT / "tasks.py"), *arguments], env=dict(os.environ, SLUIS_TASKS_PYTHON="1"))


# --- exact versions -------------------------------------------------------------------------------------------------


def _toml(path):
    import tomllib

    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise TaskError(f"Cannot read {path.name}: {error}") from error


def _edges(package, extras):
    edges = list(package.get("dependencies", ()))
    for extra in extras:
        edges += package.get("optional-dependencies", {}).get(extra, ())
    return edges


def locked_requirements(lock, runtime=False):
    """The packages of a ``uv.lock`` as lines of a pip requirements file, with hashes and markers.

    Args:
        lock: the parsed lock.
        runtime: without the development group.

    Raises:
        TaskError: the lock is not of the shape that this reads; then uv itself is needed.
    """
    packages = {}
    for package in lock.get("package", ()):
        packages.setdefault(package["name"], []).append(package)
    (project,) = packages.get("sluis") or [None]
    if lock.get("version") != 1 or project is None:
        raise TaskError("uv.lock has a format that this script does not read. Install uv and try again.")
    start = list(project.get("dependencies", ()))
    if not runtime:
        start += project.get("dev-dependencies", {}).get("dev", ())
    conditions = {}  # (name, version) -> markers under which it is reached; "" is: always
    todo = [(edge, "") for edge in start]
    seen = set()
    while todo:
        edge, above = todo.pop()
        own = edge.get("marker", "")
        marker = " and ".join(f"({part})" if " or " in part else part for part in (above, own) if part)
        for package in packages[edge["name"]]:
            if "version" in edge and edge["version"] != package["version"]:
                continue
            key = (package["name"], package["version"])
            visit = (key, marker, tuple(edge.get("extra", ())))
            if visit in seen:
                continue
            seen.add(visit)
            conditions.setdefault(key, set()).add(marker)
            todo += [(below, marker) for below in _edges(package, edge.get("extra", ()))]
    lines = []
    for name, version in sorted(conditions):
        markers = conditions[name, version]
        package = next(item for item in packages[name] if item["version"] == version)
        files = list(package.get("wheels", ())) + ([package["sdist"]] if "sdist" in package else [])
        hashes = sorted({item["hash"] for item in files})
        if not hashes:
            raise TaskError(f"uv.lock has no hash for {name}. Install uv and try again.")
        line = f"{name}=={version}"
        if "" not in markers:
            line += " ; " + " or ".join(f"({marker})" for marker in sorted(markers))
        lines.append(" \\\n    --hash=".join([line, *hashes]))
    return lines


def environment_digest():
    """Digest of all that shapes the environment; another digest means: make it anew."""
    project = _toml(ROOT / "pyproject.toml")
    shaping = {
        "project": project.get("project"),
        "build": project.get("build-system"),
        "groups": project.get("dependency-groups"),
        "hatch": project.get("tool", {}).get("hatch"),
        "lock": hashlib.sha256((ROOT / "uv.lock").read_bytes()).hexdigest(),
        "python": list(sys.version_info[:3]),
        "root": str(ROOT),  # an environment cannot be moved
    }
    return hashlib.sha256(json.dumps(shaping, sort_keys=True).encode()).hexdigest()


# --- the environment ------------------------------------------------------------------------------------------------


def python_in(venv):
    """The interpreter of an environment."""
    return venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def clean_environ():
    """The process environment without what would let another Python's packages in."""
    unwanted = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
    environ = {key: value for key, value in os.environ.items() if key not in unwanted}
    environ["PYTHONNOUSERSITE"] = "1"
    return environ


def usable_uv():
    """uv's path, when uv is there and answers; ``None`` otherwise or when ``SLUIS_NO_UV`` is set."""
    found = None if os.environ.get("SLUIS_NO_UV") else shutil.which("uv")
    return found if found and _answers([found, "--version"]) else None


def ready():
    """Whether the environment is there and is the one that is wanted."""
    try:
        stamp = json.loads(STAMP.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return stamp == {"digest": environment_digest()} and _answers([str(python_in(VENV)), "-c", ""])


@contextmanager
def only_one():
    """Hold others off while the environment is made; where the system has no file locks: do nothing."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    VENV.mkdir(exist_ok=True)
    with (VENV / "sluis-environment.lock").open("w") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            say("Another call is making the environment; waiting for it.")
            fcntl.flock(stream, fcntl.LOCK_EX)
        yield


def make_environment():
    """Make or mend ``.venv``; does nothing when it is as wanted."""
    if ready():
        return
    if VENV.is_symlink() or (VENV.exists() and not VENV.is_dir()):
        raise TaskError(f"{VENV} is not a folder of its own; move it away.")
    with only_one():
        if ready():
            return
        begin = time.monotonic()
        uv = usable_uv()
        say(f"Making the environment in .venv with {'uv' if uv else 'venv and pip'}; the first time takes minutes.")
        try:
            _install(uv)
        except OSError as error:
            raise TaskError(f"Could not make the environment: {error}") from error
        STAMP.write_text(json.dumps({"digest": environment_digest()}), encoding="utf-8")
        say(f"The environment is ready ({time.monotonic() - begin:.0f} s).")


def _install(uv):
    if uv is not None:
        try:
            _with_uv(uv)
        except TaskError as error:  # its own certificates, a read-only cache: pip may still get through
            say(f"{error}\n[tasks] Going on with venv and pip.")
        else:
            return
    _with_pip()


def _with_uv(uv):
    environ = clean_environ()
    environ["UV_PROJECT_ENVIRONMENT"] = str(VENV)
    # As pip does: without it the first demo would spend its time compiling.
    environ["UV_COMPILE_BYTECODE"] = "1"
    if not environ.get("HOME") and os.name != "nt":
        environ["UV_CACHE_DIR"] = str(VENV / "cache")
    command = [uv, "sync", "--frozen", "--python", sys.executable]
    # uv refuses a folder that is not yet an environment, and the lock file made it one that is not.
    if not (VENV / "pyvenv.cfg").is_file():
        _watched([uv, "venv", "--allow-existing", "--python", sys.executable, str(VENV)], environ, what="uv venv")
    _watched(command, environ, what="uv sync")


def _with_pip():
    python = python_in(VENV)
    same = f"import sys, pip; sys.exit(sys.version_info[:3] != {sys.version_info[:3]!r})"
    if not _answers([str(python), "-c", same]):
        try:
            import ensurepip  # noqa: F401
            import venv
        except ImportError as error:
            version = f"{sys.version_info[0]}.{sys.version_info[1]}"
            raise TaskError(
                f"This Python ({sys.executable}) comes without {error.name}, which makes environments.\n"
                f"On Debian or Ubuntu: apt install python{version}-venv. Or install uv, and this script uses it."
            ) from error
        say(f"An empty environment with Python {'.'.join(map(str, sys.version_info[:3]))} ...")
        _emptied(VENV)
        try:
            venv.EnvBuilder(with_pip=True, symlinks=os.name != "nt").create(VENV)
        except subprocess.CalledProcessError as error:
            raise TaskError(f"venv could not put pip into {VENV}: exit code {error.returncode}.") from error
    lines = locked_requirements(_toml(ROOT / "uv.lock"))
    requirements = VENV / "sluis-requirements.txt"
    requirements.write_text("\n".join(lines) + "\n", encoding="utf-8")
    pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--no-input", "install"]
    environ = clean_environ()
    say(f"{len(lines)} packages at the versions and hashes of uv.lock ...")
    locked = [*pip, "--no-deps", "--require-hashes", "--requirement", str(requirements)]
    _watched(locked, environ, what="pip install", count=len(lines))
    say("sluis itself, editable ...")
    _watched([*pip, "--no-deps", "--editable", str(ROOT)], environ, what="pip install --editable")


def _emptied(folder):
    for item in folder.iterdir():
        if item.name == "sluis-environment.lock":
            continue
        if item.is_dir() and not item.is_symlink():
            shutil.rmtree(item)
        else:
            item.unlink()


def _watched(command, environ, what, count=0):
    """Run an installer; show how far it is, and all it said when it fails."""
    said = []
    seen = 0
    with subprocess.Popen(
        command,
        cwd=str(ROOT),
        env=environ,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
    ) as process:
        try:
            for line in process.stdout:
                said.append(line.rstrip())
                if count and line.startswith(("Collecting ", "Requirement already satisfied: ")):
                    seen += 1
                    name = line.split(": ")[-1].replace("Collecting ", "").split()[0]
                    _progress(f"{seen}/{count} {name}", shown=seen % 20 == 0)
                elif line.startswith("Installing collected packages"):
                    say(f"unpacking {line.count(',') + 1} package(s) ...")
                elif not count and line.strip() and not line.startswith((" ", "Looking")):
                    _progress(line.strip(), shown=True)
            code = process.wait()
        except BaseException:
            process.terminate()
            raise
    if code != 0:
        text = "\n".join(said[-30:])
        hint = "What is done so far is kept; the same command goes on from there."
        if UNREACHABLE.search(text):
            hint = (
                "The package index seems out of reach. Check the network (a mirror is named with PIP_INDEX_URL, or\n"
                "UV_DEFAULT_INDEX for uv) and give the same command again; it goes on from there."
            )
        raise TaskError(f"{text}\n\n{what} ended with exit code {code}.\n{hint}", code=3)


def _progress(text, shown):
    """A line that the next one replaces on a terminal; elsewhere only those that are to be shown."""
    if sys.stderr.isatty():
        print(f"\r[tasks]   {text:<78.78}\r", end="", file=sys.stderr, flush=True)
    elif shown:
        say(f"  {text}")


def run(*arguments, **extra_environ):
    """Run a module of the environment's Python in this folder; its exit code."""
    make_environment()
    environ = dict(clean_environ(), **extra_environ)
    return subprocess.call([str(python_in(VENV)), *arguments], cwd=str(ROOT), env=environ)


# --- the tasks ------------------------------------------------------------------------------------------------------


def demo(options):
    """The main job on bundled documents: ``sluis demo``; more arguments go to it."""
    return run("-m", "sluis.cli", "demo", *options.rest)


def test(options):
    """The tests; more arguments go to pytest."""
    arguments = ["-m", "pytest", "-q"]
    if options.coverage:
        arguments = ["-m", "coverage", "run", *arguments]
    if options.only_slow:
        arguments += ["-m", "slow"]
    elif not options.slow:
        arguments += ["-m", "not slow"]
        say("Slow tests are left out; --slow runs them too.")
    return run(*arguments, *options.rest)


def lint(_options):
    """ruff, strict mypy and the import contracts; all of them, also when one fails."""
    worst = 0
    for title, command in (
        ("ruff check", ("-m", "ruff", "check", ".")),
        ("ruff format --check", ("-m", "ruff", "format", "--check", ".")),
        ("mypy --strict", ("-m", "mypy")),
        ("import contracts", ("-c", "from importlinter.cli import lint_imports_command as main; main()")),
    ):
        say(title)
        worst = max(worst, run(*command))
    return worst


def bench(options):
    """The benchmarks, or those that are named."""
    known = {path.stem: path for path in sorted((ROOT / "benchmarks").glob("[!_]*.py"))}
    unknown = [name for name in options.rest if name not in known]
    if unknown or not known:
        raise TaskError(f"No benchmark {', '.join(unknown)}. There are: {', '.join(known) or 'none'}.")
    worst = 0
    for name in options.rest or known:
        say(f"benchmark {name}")
        worst = max(worst, run(str(known[name])))
    return worst


def docs(options):
    """Write the generated pages anew and check links; with --check: only say what would change."""
    return run(str(ROOT / "docs" / "generate.py"), *(["--check"] if options.check else []))


def setup(_options):
    """Make the environment and do nothing else."""
    make_environment()
    return 0


def requirements(options):
    """The exact versions and hashes of uv.lock on stdout, for pip."""
    print("\n".join(locked_requirements(_toml(ROOT / "uv.lock"), runtime=options.runtime)))
    return 0


def clean(_options):
    """Remove the environment, caches and build results; nothing else."""
    paths = [ROOT / name for name in LEFTOVERS]
    for name in (*PORTIONS, "tests", "docs", "benchmarks"):
        paths += (ROOT / name).rglob("__pycache__")
    paths += [path for path in ROOT.glob(".coverage*") if path.is_file()]
    for path in paths:
        if path.is_symlink() or path.is_file():
            path.unlink()
        elif path.is_dir():
            shutil.rmtree(path)
        else:
            continue
        say(f"removed {path.relative_to(ROOT)}")
    return 0


def _parser():
    parser = argparse.ArgumentParser(prog="tasks.py", description=__doc__.splitlines()[0])
    verbs = parser.add_subparsers(dest="verb", metavar="VERB")
    for task in (demo, test, lint, bench, docs, setup, requirements, clean):
        verb = verbs.add_parser(
            task.__name__, help=task.__doc__.splitlines()[0], description=task.__doc__, allow_abbrev=False
        )
        verb.set_defaults(task=task)
        if task is test:
            verb.add_argument("--slow", action="store_true", help="the slow tests as well")
            verb.add_argument("--only-slow", action="store_true", help="the slow tests alone")
            verb.add_argument(
                "--coverage",
                action="store_true",
                default=bool(os.environ.get("SLUIS_TEST_COVERAGE")),
                help="measure coverage too (also: SLUIS_TEST_COVERAGE=1)",
            )
        if task is docs:
            verb.add_argument("--check", action="store_true", help="change nothing")
        if task is requirements:
            verb.add_argument("--runtime", action="store_true", help="without what development needs")
    return parser


def main(arguments):
    """Run one task; its exit code."""
    parser = _parser()
    options, rest = parser.parse_known_args(arguments)
    if options.verb is None:
        parser.print_help()
        return 2
    options.rest = [item for item in rest if item != "--"]
    if options.rest and options.verb not in ("demo", "test", "bench"):
        parser.error(f"{options.verb} takes no argument {options.rest[0]}")
    if options.verb != "clean":
        code = with_supported_python(arguments)
        if code is not None:
            return code
    return options.task(options)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except TaskError as error:
        print(f"\n[tasks] {error}", file=sys.stderr)
        sys.exit(error.code)
    except KeyboardInterrupt:
        print("\n[tasks] interrupted; the same command goes on from here", file=sys.stderr)
        sys.exit(130)
