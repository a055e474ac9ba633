"""Makes a project: checks the name and the place, renders a packaged template beside it, moves it in whole.

A template is a folder of this package with a ``copier.yml``; nothing else registers it. A template runs no code when
a project is made from it: copier's tasks, migrations and extensions stay off.
"""

from __future__ import annotations

import keyword
import os
import re
import shutil
import sys
import tempfile
from dataclasses import dataclass
from importlib.metadata import version
from importlib.resources import as_file, files
from pathlib import Path

from sluis.core import ConfigurationError, InputError

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")
_RESERVED = frozenset({"sluis", "test", "tests", "graphs", "nodes", "policies", "evals", "corpus", "out", "src"})


class ProjectNameError(InputError):
    """A project cannot have this name."""

    code = "usage.input.project_name"


class UnknownTemplateError(InputError):
    """No template has this name."""

    code = "usage.input.unknown_template"


class ProjectExistsError(InputError):
    """There is something where the project would go; nothing was changed."""

    code = "usage.input.project_exists"


class TemplateFailedError(ConfigurationError):
    """The template or the place for the project is unusable; nothing was left behind."""

    code = "usage.configuration.template_failed"


@dataclass(frozen=True, kw_only=True)
class Template:
    """One template.

    Attributes:
        name: as it is written on the command line, ``case-law``.
        folder: its folder within this package.
    """

    name: str
    folder: str


@dataclass(frozen=True, kw_only=True)
class CreatedProject:
    """What was made.

    Attributes:
        path: the project's folder, absolute.
        package: the name under which its modules are imported.
        template: the template's name.
        files: the files, as paths relative to ``path``, sorted.
    """

    path: Path
    package: str
    template: str
    files: tuple[str, ...]


def templates() -> tuple[Template, ...]:
    """The templates of this installation, by name."""
    found = [
        Template(name=entry.name.replace("_", "-"), folder=entry.name)
        for entry in files(__package__).iterdir()
        if entry.is_dir() and (entry / "copier.yml").is_file()
    ]
    return tuple(sorted(found, key=lambda template: template.name))


def package_name(name: str) -> str:
    """The import name of a project: lower case, hyphens as underscores.

    Raises:
        ProjectNameError: the name is no name, or another module is called so.
    """
    if _NAME.fullmatch(name) is None:
        raise ProjectNameError(
            f"{name[:80]!r} cannot be a project's name.",
            hint="Use letters, digits, - and _, a letter first, at most 64; choose the folder with --into.",
        )
    package = name.lower().replace("-", "_")
    if keyword.iskeyword(package) or package in sys.stdlib_module_names or package in _RESERVED:
        raise ProjectNameError(
            f"A project called {name!r} would hide the module {package!r}.", hint="Choose a name of its own."
        )
    return package


def _chosen(name: str) -> Template:
    known = {template.name: template for template in templates()}
    if name not in known:
        raise UnknownTemplateError(
            f"There is no template {name[:80]!r}.", hint=f"There are: {', '.join(known)}.", template=name[:80]
        )
    return known[name]


def _free(target: Path) -> None:
    """Refuse a place where something is; an empty folder is nothing."""
    if not target.exists() and not target.is_symlink():
        return
    if target.is_symlink() or not target.is_dir() or any(target.iterdir()):
        raise ProjectExistsError(
            f"{target} is there already and is not an empty folder.",
            hint="Choose another name, or move it away.",
            path=str(target),
        )


def _render(template: Template, target: Path, data: dict[str, str]) -> None:
    from copier import run_copy
    from copier.errors import CopierError

    try:
        with as_file(files(__package__) / template.folder) as source:
            run_copy(str(source), target, data=data, defaults=True, quiet=True, unsafe=False, skip_tasks=True)
    except CopierError as error:
        raise TemplateFailedError(
            f"The template {template.name!r} could not be rendered: {type(error).__name__}.",
            hint="This is a mistake in the template; please report it.",
            template=template.name,
        ) from error


def create_project(name: str, *, template: str, into: Path) -> CreatedProject:
    """Make a project ``into/name``, whole or not at all.

    Args:
        name: the project's name and its folder's.
        template: a template's name.
        into: the folder to make it in; it must be there.

    Raises:
        ProjectNameError: the name cannot be used.
        UnknownTemplateError: no such template; the hint lists those there are.
        ProjectExistsError: the folder is there and holds something.
        TemplateFailedError: the place cannot be written to, or the template is broken.
    """
    package = package_name(name)
    chosen = _chosen(template)
    place = into.resolve()
    target = place / name
    _free(target)
    try:
        # Beside the target, so that moving it in is one step on one file system.
        workshop = Path(tempfile.mkdtemp(prefix=f".{name}-", dir=place))
    except OSError as error:
        raise TemplateFailedError(
            f"Cannot make a folder in {place}: {error.strerror}.", hint="Choose another folder with --into."
        ) from error
    try:
        made = workshop / name
        _render(chosen, made, {"name": name, "package": package, "sluis_version": version("sluis")})
        inside = sorted(path.relative_to(made).as_posix() for path in made.rglob("*") if path.is_file())
        _free(target)
        os.replace(made, target)
    except OSError as error:
        raise TemplateFailedError(
            f"Cannot write {target}: {error.strerror}.", hint="Look at the folder's rights and the disk's space."
        ) from error
    finally:
        shutil.rmtree(workshop, ignore_errors=True)
    return CreatedProject(path=target, package=package, template=chosen.name, files=tuple(inside))
