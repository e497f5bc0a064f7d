"""The last lines of every trace: each part of the outcome by name, with the rule behind it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from guncamera.rules.shape import shape_of, snake
from guncamera.rules.trace import Trace


def report(trace: Trace, outcome: Any, rules: Mapping[str, str], rule_id: str) -> None:
    """Record every scalar of an outcome as a finding.

    Args:
        outcome: The outcome; its fields are named as in its plain form, joined by dots.
        rules: Rule ids by the last name of a field.
        rule_id: The rule of the fields that are not among them.
    """
    _record(trace, outcome, rules, rule_id, "")


def _record(trace: Trace, value: Any, rules: Mapping[str, str], rule_id: str, path: str) -> None:
    for shape in shape_of(type(value)):
        found = getattr(value, shape.name)
        if found is None or shape.repeated:
            continue
        name = path + shape.name
        rule = rules.get(shape.name, rule_id)
        if shape.kind == "record":
            _record(trace, found, rules, rule, f"{name}.")
        elif shape.kind == "union":
            _record(trace, found, rules, rule, f"{name}.{snake(type(found).__name__)}.")
        else:
            trace.finding(rule, name, found)
