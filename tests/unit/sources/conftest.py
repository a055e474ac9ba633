from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sluis.simulators import RegistrySimulator
from sluis.sources import Gateway, open_gateway

FOLDER = Path(__file__).parents[2] / "fixtures" / "rechtspraak"


@pytest.fixture(scope="session")
def records() -> Path:
    """The folder of made-up records."""
    return FOLDER


@pytest.fixture(scope="session")
def record() -> Callable[[str], bytes]:
    """The bytes of a made-up record by name."""
    return lambda name: (FOLDER / f"{name}.xml").read_bytes()


@pytest.fixture
def simulator(records: Path) -> Iterator[RegistrySimulator]:
    with RegistrySimulator(records) as running:
        yield running


@pytest.fixture
def gateway(simulator: RegistrySimulator) -> Iterator[Gateway]:
    with open_gateway({"ecli": simulator.url}) as opened:
        yield opened
