from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sluis.evals.desk import Desk, open_desk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    (tmp_path / "desk").mkdir()
    with open_desk(tmp_path / "desk") as opened:
        yield opened
