"""Handlers that would swallow an interrupt, found in source."""

from __future__ import annotations

import pytest

from sluis.graphs._interrupts import refuse_swallowed_interrupts, swallowing_lines

ASK = "try:\n    interrupt('?')\n"

# Source, and the lines of the handlers that swallow.
CASES = {
    "everything, by name": (f"{ASK}except Exception:\n    pass\n", (3,)),
    "everything, without a name": (f"{ASK}except:\n    pass\n", (3,)),
    "the base": (f"{ASK}except BaseException:\n    pass\n", (3,)),
    "the interrupt itself": (f"{ASK}except GraphInterrupt:\n    pass\n", (3,)),
    "by an attribute": (f"{ASK}except langgraph.errors.GraphBubbleUp:\n    pass\n", (3,)),
    "among others": (f"{ASK}except (ValueError, Exception):\n    pass\n", (3,)),
    "as a group": ("try:\n    interrupt('?')\nexcept* Exception:\n    pass\n", (3,)),
    "by a method": ("try:\n    types.interrupt('?')\nexcept Exception:\n    pass\n", (3,)),
    "a narrow one": (f"{ASK}except ValueError:\n    pass\n", ()),
    "after one that raises it on": (f"{ASK}except GraphBubbleUp:\n    raise\nexcept Exception:\n    pass\n", ()),
    "one that raises on": (f"{ASK}except Exception:\n    raise\n", ()),
    "a narrow one that raises on before a broad one": (
        f"{ASK}except ValueError:\n    raise\nexcept Exception:\n    pass\n",
        (5,),
    ),
    "one that raises something else": (f"{ASK}except Exception as e:\n    raise ValueError from e\n", (3,)),
    "around something else": ("try:\n    ask('?')\nexcept Exception:\n    pass\n", ()),
    "outside of the handler": ("interrupt('?')\ntry:\n    f()\nexcept Exception:\n    pass\n", ()),
}


@pytest.mark.parametrize("what", CASES)
def test_it_is_found_or_let_be(what: str) -> None:
    source, lines = CASES[what]
    assert swallowing_lines(source) == lines


def test_what_has_no_source_is_let_be() -> None:
    refuse_swallowed_interrupts("a", len)
    refuse_swallowed_interrupts("a", eval("lambda state: {}"))
