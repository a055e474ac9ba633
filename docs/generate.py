"""Writes what the docs take from the code, and checks what they say of it.

A page marks what is generated::

    <!-- generated: NAME -->
    ...
    <!-- end -->

``python docs/generate.py`` writes those parts and ``sluis.schema.json`` anew; with ``--check`` it changes nothing and
ends with 1 when something is out of date or a link leads nowhere. ``python3 tasks.py docs`` calls it.
"""

from __future__ import annotations

import ast
import importlib
import io
import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

# Plain help texts of a fixed width, whatever terminal this runs in. Read when typer is imported.
os.environ.update(TYPER_USE_RICH="0", COLUMNS="100", NO_COLOR="1", TERM="dumb")

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PORTIONS = ("src", "graphs", "nodes", "policies", "evals")
BLOCK = re.compile(r"(<!-- generated: (?P<name>[a-z-]+) -->\n)(?P<body>.*?)(<!-- end -->)", re.DOTALL)
LINK = re.compile(r"(?<!!)\[[^\]\n]+\]\((?P<target>[^)\s]+)\)")
FENCE = re.compile(r"^(?:```|~~~).*?^(?:```|~~~)[ \t]*$", re.DOTALL | re.MULTILINE)


# --- what the code says --------------------------------------------------------------------------------------------


def modules() -> Iterator[tuple[str, Path]]:
    """Every module of the project by name, templates' own files left out."""
    for portion in PORTIONS:
        base = ROOT / portion
        for path in sorted((base / "sluis").rglob("*.py")):
            parts = path.relative_to(base).with_suffix("").parts
            if "case_law" not in parts and parts[-1] != "__main__":
                yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


def _words(node: ast.expr) -> str:
    """A message as it stands in the code; what is filled in at run time becomes an ellipsis."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(_words(part) if isinstance(part, ast.Constant) else "..." for part in node.values)
    if isinstance(node, ast.IfExp):
        return " / ".join(part for part in (_words(node.body), _words(node.orelse)) if part)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _words(node.left) + _words(node.right)
    return ""


def hints() -> dict[str, list[str]]:
    """The hints that are given with each error class, by class name."""
    found: dict[str, list[str]] = {}
    for _, path in modules():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            for keyword in node.keywords:
                if name.endswith("Error") and keyword.arg == "hint":
                    hint = " ".join(_words(keyword.value).split())
                    if hint and hint not in found.setdefault(name, []):
                        found[name].append(hint)
    return found


def error_classes() -> list[type[Any]]:
    """Every error class of the project, by code."""
    from sluis.core import SluisError

    for name, _ in modules():
        # Alembic runs its modules itself, within a migration.
        if ".migrations." not in name:
            importlib.import_module(name)

    def below(kind: type[SluisError]) -> Iterator[type[SluisError]]:
        for child in kind.__subclasses__():
            yield child
            yield from below(child)

    own = {kind for kind in below(SluisError) if kind.__module__.startswith("sluis.")}
    return sorted(own, key=lambda kind: kind.code)


def _cell(text: str) -> str:
    plain = re.sub(r":[a-z]+:`~?\.?([^`]+)`", r"`\1`", " ".join(text.split())).replace("``", "`")
    return plain.replace("|", "\\|")


def errors_block() -> str:
    """A section for each branch of the error tree, a row for each code."""
    by_class = hints()
    titles = {
        "usage": "`usage`: the input or the set-up is wrong (exit 2)",
        "refused": "`refused`: the guarantee says no (exit 1)",
        "undecided": "`undecided`: it could not be decided, so nothing passes (exit 3)",
        "integrity": "`integrity`: stored data is not what was written (exit 3)",
    }
    lines: list[str] = []
    for branch, title in titles.items():
        lines += [f"## {title}", "", "| code | what it is | what to do | again? |", "| --- | --- | --- | --- |"]
        for kind in error_classes():
            if kind.code.split(".", 1)[0] != branch:
                continue
            what = (kind.__doc__ or "").strip().split("\n\n", 1)[0]
            todo = by_class.get(kind.__name__) or inherited_hints(kind, by_class)
            again = kind.retry.value.replace("_", " ")
            code = f"`{kind.code}`" + ("" if kind.exit_code == _exit(branch) else f" (exit {kind.exit_code})")
            lines.append(f"| {code} | {_cell(what)} | {_cell(' · '.join(todo))} | {again} |")
        lines.append("")
    return "\n".join(lines)


def inherited_hints(kind: type[Any], by_class: dict[str, list[str]]) -> list[str]:
    """What to do about an error whose own raise gives no hint: what its children say, else its retry class."""
    below = [hint for child in kind.__subclasses__() for hint in by_class.get(child.__name__, ())]
    if kind.__subclasses__():
        return ["A branch of the tree: see the codes below it."] if below or kind.__subclasses__() else []
    words = {
        "never": "The same call can only end the same way: start anew.",
        "after_fix": "Mend what the message names, then repeat the call.",
        "later": "Repeat the call later; nothing was let through.",
    }
    return [words[kind.retry.value]]


def _exit(branch: str) -> int:
    return {"usage": 2, "refused": 1}.get(branch, 3)


def _kind(field: dict[str, Any]) -> str:
    if "enum" in field:
        return " or ".join(f"`{value}`" for value in field["enum"])
    if "anyOf" in field:
        return " or ".join(_kind(part) for part in field["anyOf"] if part.get("type") != "null")
    bounds = [
        f"{sign} {field[key]:_}" if isinstance(field[key], int) else f"{sign} {field[key]}"
        for key, sign in (
            ("minimum", "at least"),
            ("exclusiveMinimum", "above"),
            ("maximum", "at most"),
            ("exclusiveMaximum", "below"),
        )
        if key in field
    ]
    return ", ".join(
        [{"integer": "integer", "number": "number", "boolean": "true or false"}.get(field["type"], "text"), *bounds]
    )


def _section(schema: dict[str, Any], name: str, section: dict[str, Any]) -> list[str]:
    lines = [f"## [{name}]", "", _cell(section.get("description", "")), ""]
    lines += ["| setting | default | what | values |", "| --- | --- | --- | --- |"]
    for key, field in section["properties"].items():
        needed = key in section.get("required", ())
        default = (
            "needed" if needed else "none" if field.get("default") is None else f"`{json.dumps(field['default'])}`"
        )
        lines.append(f"| `{key}` | {default} | {_cell(field.get('description', ''))} | {_cell(_kind(field))} |")
    return [*lines, ""]


def settings_block() -> str:
    """A table for each section of ``sluis.toml``."""
    from sluis.config import config_schema

    schema = config_schema()
    lines: list[str] = []
    for name, field in schema["properties"].items():
        reference = field.get("$ref") or next((part["$ref"] for part in field.get("anyOf", ()) if "$ref" in part), None)
        title = name
        if reference is None:
            reference, title = next(iter(field["patternProperties"].values()))["$ref"], f"{name}.KIND"
        lines += _section(schema, title, schema["$defs"][reference.rpartition("/")[2]])
    return "\n".join(lines)


def _help(arguments: list[str]) -> str:
    from sluis.cli.main import run

    stream = io.StringIO()
    with redirect_stdout(stream):
        run([*arguments, "--help"])
    return "\n".join(line.rstrip() for line in stream.getvalue().strip().splitlines())


def cli_block() -> str:
    """The help of every verb that is installed."""
    from sluis.cli.main import VERBS, _load, landed

    lines = ["```text", _help([]), "```", ""]
    for name, verb in VERBS.items():
        if not landed(verb):
            continue
        lines += [f"## sluis {name}", "", "```text", _help([name]), "```", ""]
        for child in getattr(_load(name, verb), "commands", {}):
            lines += [f"### sluis {name} {child}", "", "```text", _help([name, child]), "```", ""]
    return "\n".join(lines)


def source_reasons_block() -> str:
    """A table of what live sources can say."""
    from sluis.sources import REASONS

    lines = ["| reason | status | what it means | may pass by itself | a person may weigh it |"]
    lines.append("| --- | --- | --- | --- | --- |")
    lines += [
        f"| `{code}` | `{entry.state}` | {_cell(entry.words)} | {_yes(entry.transient)} | {_yes(entry.reviewable)} |"
        for code, entry in REASONS.items()
    ]
    return "\n".join(lines)


def _yes(value: bool) -> str:
    return "yes" if value else ""


BLOCKS: dict[str, Callable[[], str]] = {
    "source-reasons": source_reasons_block,
    "errors": errors_block,
    "settings": settings_block,
    "cli": cli_block,
}


# --- pages ---------------------------------------------------------------------------------------------------------


def pages() -> list[Path]:
    """Every page of the project for people."""
    return sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])


def regenerated(text: str) -> str:
    """A page with its generated parts as the code has them now."""

    def fill(found: re.Match[str]) -> str:
        return f"{found.group(1)}\n{BLOCKS[found.group('name')]().strip()}\n\n{found.group(4)}"

    return BLOCK.sub(fill, text)


def wanted() -> Iterator[tuple[Path, str]]:
    """Each file with generated parts, and what it is to hold."""
    from sluis.config import config_schema

    yield DOCS / "sluis.schema.json", json.dumps(config_schema(), indent=2, ensure_ascii=False) + "\n"
    for page in pages():
        text = page.read_text(encoding="utf-8")
        if BLOCK.search(text):
            yield page, regenerated(text)


def anchors(text: str) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    found = re.findall(r"^#{1,6} +(.+?) *#* *$", FENCE.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in found}


def dead_links() -> Iterator[str]:
    """Links between pages that lead nowhere."""
    for page in pages():
        for found in LINK.finditer(FENCE.sub("", page.read_text(encoding="utf-8"))):
            target, _, anchor = found.group("target").partition("#")
            if "://" in target or target.startswith("mailto:"):
                continue
            path = (page.parent / target).resolve() if target else page
            if not path.exists():
                yield f"{page.relative_to(ROOT)}: {found.group('target')} is not there"
            elif anchor and path.suffix == ".md" and anchor not in anchors(path.read_text(encoding="utf-8")):
                yield f"{page.relative_to(ROOT)}: {found.group('target')} has no such heading"


def main(arguments: list[str]) -> int:
    """Write or check; the exit code."""
    check = arguments == ["--check"]
    wrong = list(dead_links())
    for path, text in wanted():
        name = path.relative_to(ROOT)
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        if check:
            wrong.append(f"{name} is out of date: python3 tasks.py docs")
        else:
            path.write_text(text, encoding="utf-8")
            print(f"wrote {name}")
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
