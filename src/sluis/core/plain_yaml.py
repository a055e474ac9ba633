"""YAML of plain values: mappings, lists, text, numbers, dates; each key once, no tags, no anchors.

Words are read as YAML 1.2 reads them: ``no``, ``on`` and ``off`` are text and no truths, ``12:30`` and ``010`` are text
and no numbers.
"""

from __future__ import annotations

import re
from datetime import date
from typing import Any

import yaml

from .errors import InputError

MAX_YAML = 64 * 1024
"""Characters; what is configured by hand is smaller."""


class MalformedYamlError(InputError):
    """Not YAML, or YAML with something else than plain values, or a key that stands twice."""

    code = "usage.input.malformed_yaml"


class _Refused(yaml.YAMLError):
    """Valid YAML that is not read here."""


class _Loader(yaml.SafeLoader):
    """The safe loader without aliases (they make a small text a huge value) and with unique text keys."""

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            raise _Refused("an alias")
        node: yaml.Node | None = super().compose_node(parent, index)
        return node

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        if not all(isinstance(key, str) for key in keys) or len(set(keys)) != len(keys):
            raise _Refused("a key that is no text or stands twice")
        return super().construct_mapping(node, deep=deep)


_TRUTH = "tag:yaml.org,2002:bool"
_INTEGER = "tag:yaml.org,2002:int"
_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag not in (_TRUTH, _INTEGER)]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver(_TRUTH, re.compile(r"(?:true|True|TRUE|false|False|FALSE)\Z"), list("tTfF"))
_Loader.add_implicit_resolver(_INTEGER, re.compile(r"[-+]?(?:0|[1-9][0-9]*)\Z"), list("-+0123456789"))


def read_yaml(text: str) -> Any:
    """The value of a YAML text. Dates are :class:`datetime.date`.

    Raises:
        MalformedYamlError: it is not plain YAML; the message says where, never what stands there.
    """
    if len(text) > MAX_YAML:
        raise MalformedYamlError(f"The YAML is longer than {MAX_YAML} characters.")
    try:
        value = yaml.load(text, Loader=_Loader)  # noqa: S506 - a subclass of the safe loader
    except yaml.MarkedYAMLError as error:
        line = None if error.problem_mark is None else error.problem_mark.line + 1
        where = "" if line is None else f" (line {line})"
        raise MalformedYamlError(f"Not plain YAML{where}.", hint="Quote values that hold ': ' or '#'.") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        # ValueError: a date like 2024-13-01.
        raise MalformedYamlError(
            "Not YAML with plain values.", hint="No anchors or tags, each key once, dates as 2026-01-31."
        ) from error
    if not _plain(value):
        raise MalformedYamlError("The YAML holds something else than plain values.", hint="No time stamps or sets.")
    return value


def _plain(value: Any) -> bool:
    if isinstance(value, dict):
        return all(_plain(item) for item in value.values())
    if isinstance(value, list):
        return all(_plain(item) for item in value)
    # A datetime is a date in Python; a time of day has no place in these files.
    return value is None or type(value) in (str, int, float, bool, date)
