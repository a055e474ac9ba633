"""What the tree as a whole must be."""

from __future__ import annotations

import ast
import importlib
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from sluis.core import SluisError

ROOT = Path(__file__).resolve().parents[3]
PORTIONS = ("src", "graphs", "nodes", "policies", "evals")
SKIPPED_FOLDERS = {
    ".hypothesis",
    ".venv",
    ".git",
    "__pycache__",
    "node_modules",
    "dist",
    "build",
    "sluis-demo",
}
TEMPLATE_FOLDER = "case_law"


def portion_files(suffix: str = ".py") -> list[Path]:
    found = [path for portion in PORTIONS for path in (ROOT / portion / "sluis").rglob(f"*{suffix}")]
    return sorted(path for path in found if TEMPLATE_FOLDER not in path.parts and "__pycache__" not in path.parts)


def packages() -> list[Path]:
    """Every package folder directly below the namespace, of every portion."""
    folders = [folder for portion in PORTIONS for folder in (ROOT / portion / "sluis").iterdir() if folder.is_dir()]
    return sorted(folder for folder in folders if folder.name != "__pycache__")


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts[1:]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def public_modules() -> list[str]:
    return [module_name(path) for path in portion_files() if path.name == "__init__.py"]


def own_text_files() -> Iterator[Path]:
    def walk(folder: Path) -> Iterator[Path]:
        for path in sorted(folder.iterdir()):
            if (
                path.name in SKIPPED_FOLDERS
                or path.name.startswith(".coverage")
                or path.name.endswith("_cache")
                or path.is_symlink()
            ):
                continue
            if path.is_dir():
                yield from walk(path)
            elif path.suffix in {
                ".py",
                ".md",
                ".toml",
                ".yaml",
                ".yml",
                ".json",
                ".xml",
                ".txt",
                ".jinja",
                ".jsonl",
                "",
            }:
                yield path

    yield from walk(ROOT)


def test_no_package_file_hides_the_other_portions() -> None:
    stray = [path for portion in PORTIONS for path in (ROOT / portion / "sluis").glob("__init__.py*")]
    assert stray == []


@pytest.mark.parametrize("portion", PORTIONS)
def test_each_portion_holds_one_namespace_and_nothing_beside_it(portion: str) -> None:
    inside = {path.name for path in (ROOT / portion).iterdir()} - {"__pycache__"}
    assert inside == {"sluis"}


def test_every_package_is_typed() -> None:
    assert [str(folder) for folder in packages() if not (folder / "py.typed").is_file()] == []


def test_every_package_can_be_imported_and_says_what_is_public() -> None:
    for name in public_modules():
        module = importlib.import_module(name)
        exported = getattr(module, "__all__", None)
        assert isinstance(exported, list | tuple), f"{name} has no __all__"
        assert len(set(exported)) == len(exported), f"{name} exports a name twice"
        missing = [item for item in exported if not hasattr(module, item)]
        assert missing == [], f"{name} exports what it does not have"


def test_every_public_module_says_what_it_is_for() -> None:
    silent = [
        str(path.relative_to(ROOT)) for path in portion_files() if not ast.get_docstring(ast.parse(path.read_text()))
    ]
    assert silent == []


def test_no_module_is_longer_than_six_hundred_lines() -> None:
    long = {str(path.relative_to(ROOT)): len(path.read_text().splitlines()) for path in portion_files()}
    assert {name: lines for name, lines in long.items() if lines > 600} == {}


def leaves(kind: type[SluisError] = SluisError) -> list[type[SluisError]]:
    found: list[type[SluisError]] = []
    for child in kind.__subclasses__():
        found += [child, *leaves(child)]
    return found


def test_every_error_has_a_code_of_its_own() -> None:
    for path in portion_files():
        # Alembic runs its modules itself, within a migration.
        if path.name != "__main__.py" and "migrations" not in path.parts:
            importlib.import_module(module_name(path))
    own = [kind for kind in leaves() if kind.__module__.startswith("sluis.")]
    codes: dict[str, str] = {}
    for kind in own:
        assert "code" in vars(kind), f"{kind.__name__} has no code of its own"
        assert re.fullmatch(r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*", kind.code), kind.code
        other = codes.setdefault(kind.code, kind.__qualname__)
        assert other == kind.__qualname__, f"{kind.code} is the code of {other} and {kind.__qualname__}"
        assert kind.__name__.endswith("Error"), kind.__name__


def _broad(handler: ast.ExceptHandler) -> bool:
    if handler.type is None:
        return True
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(isinstance(kind, ast.Name) and kind.id in ("Exception", "BaseException") for kind in kinds)


BROAD_HANDLERS = {
    "evals/sluis/evals/run.py": "an agent that breaks fails its case; it answers with values, no graph is around it",
    "evals/sluis/evals/scorers.py": "a scorer that breaks fails the case; no graph runs in one",
    "graphs/sluis/graphs/agent.py": "a run is a graph of its own: no interrupt leaves it; an error becomes `failed`",
    "nodes/sluis/nodes/_aio.py": "carries what a thread raised to the caller's thread and raises it there",
    "nodes/sluis/nodes/_step.py": "raises LangGraph's control flow again, first; all else ends the run as failed",
    "src/sluis/models/chat.py": "what a provider's client raises becomes a status; the call runs in an empty context",
    "src/sluis/relay/relay.py": "no graph runs in the relay; the claim is given back and the row deferred",
    "src/sluis/relay/transport.py": "no graph runs in a transport; the row is in doubt",
    "src/sluis/cli/main.py": "the process's edge: a bug ends as exit code 3, could not decide",
}
"""Where a broad handler may stand, and what it turns everything into."""


def test_nothing_swallows_an_interrupt_of_the_graph() -> None:
    """A handler of ``Exception`` would also take LangGraph's interrupt, and the human gate with it."""
    found: dict[str, list[int]] = {}
    for path in portion_files():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ExceptHandler) and _broad(node):
                ends_in_raise = isinstance(node.body[-1], ast.Raise) and node.body[-1].exc is None
                name = str(path.relative_to(ROOT))
                if not ends_in_raise and name not in BROAD_HANDLERS:
                    found.setdefault(name, []).append(node.lineno)
    assert found == {}


def test_no_invariant_rests_on_assert() -> None:
    """``python -O`` deletes them."""
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in portion_files()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Assert)
    ]
    assert found == []


def test_no_path_of_somebodys_machine_stands_in_the_tree() -> None:
    places = re.compile(r"/(?:home|Users|work|root)/[a-z]|/tmp/[a-z]" + r"|file://" + r"/(?!etc/)[a-z]")
    allowed = {Path(__file__).resolve(), ROOT / "uv.lock"}
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in own_text_files()
        if path not in allowed
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1)
        if places.search(line)
    ]
    assert found == []


def project() -> dict[str, object]:
    table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert isinstance(table, dict)
    return table


def test_the_pythons_promised_are_the_ones_the_task_script_takes() -> None:
    tasks = ast.parse((ROOT / "tasks.py").read_text(encoding="utf-8"))
    (bounds,) = (
        ast.literal_eval(node.value)
        for node in tasks.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "(OLDEST, NEWEST)"
    )
    (oldest, newest) = bounds
    assert project()["requires-python"] == f">={oldest[0]}.{oldest[1]},<{newest[0]}.{newest[1] + 1}"
    classifiers = project()["classifiers"]
    assert isinstance(classifiers, list)
    for minor in range(oldest[1], newest[1] + 1):
        assert f"Programming Language :: Python :: 3.{minor}" in classifiers


def test_every_portion_is_built_typed_measured_and_linted() -> None:
    tool = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    wheel = tool["hatch"]["build"]["targets"]["wheel"]
    assert sorted(wheel["only-include"]) == sorted(f"{portion}/sluis" for portion in PORTIONS)
    for setting in (wheel["sources"], wheel["dev-mode-dirs"], tool["ruff"]["src"], tool["coverage"]["run"]["source"]):
        assert sorted(setting) == sorted(PORTIONS)
    assert set(PORTIONS) <= set(tool["mypy"]["files"])
    assert set(PORTIONS) <= set(tool["hatch"]["build"]["targets"]["sdist"]["include"])
