"""Opens a project's ledger, for the verbs of people who operate it."""

from __future__ import annotations

import getpass
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sluis.core import ConfigurationError, RandomIds, SystemClock, UsageError

if TYPE_CHECKING:
    from sluis.ledger import Ledger

__all__ = ["NameOption", "NoLedgerError", "WordsMissingError", "open_ledger", "who", "words"]

NameOption = Annotated[
    str | None, typer.Option("--as", metavar="NAME", help="Who does this; stands in the ledger. Default: your login.")
]


class NoLedgerError(ConfigurationError):
    """The project has no ledger yet."""

    code = "usage.configuration.no_ledger"


class WordsMissingError(UsageError):
    """A name or a reason that the ledger needs is empty."""

    code = "usage.words_missing"


@contextmanager
def open_ledger(project: Path | None, *, make: bool = False) -> Iterator[Ledger]:
    """The ledger of the project around, closed again at the end.

    Args:
        project: folder of the project; ``None``: the nearest one upwards.
        make: whether one that is missing is made; else it is an error, for an empty ledger says "all is well".

    Raises:
        NoProjectError, InvalidSettingsError, NoLedgerError, and those of ``Ledger.open``.
    """
    from sluis.config import ProjectConfig
    from sluis.ledger import Ledger

    config = ProjectConfig.load(project)
    if not make and not config.ledger_path.is_file():
        raise NoLedgerError(
            f"The project {config.root} has no ledger yet.",
            hint="`sluis ingest` or `sluis ask` makes it; is this the right project?",
            path=str(config.ledger_path),
        )
    with Ledger.open(config.ledger_path, clock=SystemClock(), ids=RandomIds()) as ledger:
        yield ledger


def words(text: str, what: str) -> str:
    """Text that must say something.

    Raises:
        WordsMissingError: it is empty.
    """
    if not text.strip():
        raise WordsMissingError(f"The {what} is empty.", hint="Say it in a few words; it stands in the ledger.")
    return text.strip()


def who(name: str | None) -> str:
    """The name that was given, or the login.

    Raises:
        WordsMissingError: neither says anything.
    """
    if name is not None:
        return words(name, "name")
    try:
        return words(getpass.getuser(), "login name")
    except (KeyError, OSError, ImportError) as error:
        raise WordsMissingError("This login has no name.", hint="Name who does this with --as.") from error
