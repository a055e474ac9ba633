"""Puts store, register, encoder and policy of a project together, for the verbs of the corpus."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sluis.core import Clock, RandomIds, SystemClock

if TYPE_CHECKING:
    from sluis.config import ProjectConfig
    from sluis.corpus import Store
    from sluis.ledger import Ledger

__all__ = ["Corpus", "open_corpus"]


@dataclass(frozen=True, kw_only=True)
class Corpus:
    """What the verbs of the corpus work on.

    Attributes:
        config: the project's settings.
        store: opened at first use.
        ledger: its register is what counts.
        clock: the time.
    """

    config: ProjectConfig
    store: Store
    ledger: Ledger
    clock: Clock


@contextmanager
def open_corpus(project: Path | None) -> Iterator[Corpus]:
    """The corpus of the project around, closed again at the end.

    Args:
        project: folder of the project; ``None``: the nearest one upwards.

    Raises:
        NoProjectError, InvalidSettingsError, UndecidedError
    """
    from sluis.config import ProjectConfig
    from sluis.corpus.factory import open_store
    from sluis.ledger import Ledger

    config = ProjectConfig.load(project)
    clock = SystemClock()
    config.state_path.mkdir(parents=True, exist_ok=True)
    store = open_store(config.store.backend, path=config.store_path, url=config.store.url)
    try:
        with Ledger.open(config.ledger_path, clock=clock, ids=RandomIds()) as ledger:
            yield Corpus(config=config, store=store, ledger=ledger, clock=clock)
    finally:
        store.close()
