from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def records() -> Path:
    """The folder of made-up records."""
    return Path(__file__).parents[2] / "fixtures" / "rechtspraak"
