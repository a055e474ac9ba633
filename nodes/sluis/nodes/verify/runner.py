"""Runs the checks of a gate. Fails closed: what goes wrong in a check is a finding that blocks.

The rules, in order:

1. No checks: one blocking finding (``no_checks``). An empty list proves nothing.
2. All checks start together and share one deadline. One that has not answered by then blocks (``check_timeout``).
3. A check that raises blocks (``check_error``); the finding names the error's type and code, never its text.
4. A check that answers anything but a tuple of its own findings blocks (``check_malformed``).
5. A LangGraph control-flow signal is never swallowed: it is raised on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from sluis.core import Case, Check, ConfigurationError, Finding, SluisError, finding

GATE = "gate"
"""The check name under which the runner itself speaks."""


class DuplicateCheckError(ConfigurationError):
    """Two checks of one gate share a name."""

    code = "usage.configuration.duplicate_check"


def check_names(checks: Sequence[Check]) -> tuple[str, ...]:
    """``name@version`` of each check, sorted.

    Raises:
        DuplicateCheckError: a name occurs twice.
    """
    names = [check.name for check in checks]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise DuplicateCheckError(f"The gate has more than one check named {twice[0]}.", hint="Remove one of them.")
    return tuple(sorted(f"{check.name}@{check.version}" for check in checks))


def is_control_flow(error: BaseException) -> bool:
    """Whether an exception is LangGraph's own signal (an interrupt, a command to the parent).

    Judged by name so that using the checks alone does not import LangGraph.
    """
    return any(
        kind.__module__ == "langgraph.errors" and kind.__name__ == "GraphBubbleUp" for kind in type(error).__mro__
    )


def _blocked(check: str, reason: str, message: str, *, undecided: bool = False, **evidence: str) -> Finding:
    return finding(check, "block", reason, message, evidence=dict(evidence), undecided=undecided)


def _read(check: Check, task: asyncio.Task[tuple[Finding, ...]]) -> tuple[Finding, ...]:
    name = check.name
    if task.cancelled():
        return (
            _blocked(name, "check_cancelled", f"The check {name} was cancelled before it answered.", undecided=True),
        )
    error = task.exception()
    if error is not None:
        if is_control_flow(error) or not isinstance(error, Exception):
            raise error
        code = error.code if isinstance(error, SluisError) else "unexpected"
        kind = type(error).__name__
        return (_blocked(name, "check_error", f"The check {name} failed ({kind}).", error=kind, code=code),)
    answer: object = task.result()
    if not isinstance(answer, tuple) or not all(isinstance(item, Finding) and item.check == name for item in answer):
        return (_blocked(name, "check_malformed", f"The check {name} did not answer with findings of its own."),)
    return answer


async def run_checks(checks: Sequence[Check], case: Case, *, deadline_s: float) -> tuple[Finding, ...]:
    """Run every check on a case.

    Args:
        checks: the gate; its order does not matter.
        case: draft, evidence, context.
        deadline_s: seconds for all checks together.

    Returns:
        All findings, by check name and then as each check gave them. Empty only if every check ran and objected
        to nothing.

    Raises:
        DuplicateCheckError: two checks share a name.
    """
    if not checks:
        return (_blocked(GATE, "no_checks", "No check is configured, so nothing can pass."),)
    check_names(checks)
    ordered = sorted(checks, key=lambda check: check.name)
    tasks = [asyncio.ensure_future(check.run(case)) for check in ordered]
    try:
        _, pending = await asyncio.wait(tasks, timeout=deadline_s)
        findings: list[Finding] = []
        for check, task in zip(ordered, tasks, strict=True):
            if task in pending:
                message = f"The check {check.name} did not answer within {deadline_s:g} s."
                findings.append(_blocked(check.name, "check_timeout", message, undecided=True))
            else:
                findings.extend(_read(check, task))
        return tuple(findings)
    finally:
        for task in tasks:
            task.cancel()
        # One turn of the loop lets the cancelled ones end; a check that resists is left behind, unheard.
        await asyncio.wait(tasks, timeout=0.05)
