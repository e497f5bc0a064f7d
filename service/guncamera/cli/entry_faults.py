"""What is wrong with one `[[rule]]` or one `[[setting]]` of a designer's file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from guncamera.rules.index import Rule, index_from
from guncamera.rules.overlay import MISSHAPEN
from guncamera.rules.refusal import Malformed, Violation
from guncamera.rules.settings import Setting, settings_from
from guncamera.rules.spelling import meant

_RULE_KEYS = ("id", "title", "summary", "source", "basis")
_SETTING_KEYS = ("name", "rule", "note", "title", "default", "reason")
_SETTING_MORE = ("was", "choices", "low", "high", "step")


def add_rule(entry: Any, rules: dict[str, Rule]) -> Iterable[Violation]:
    """Add a rule to those known; returns why not."""
    faults = _key_faults(entry, _RULE_KEYS, ())
    if faults:
        return faults
    if entry["id"] in rules:
        return [Violation("id", "this id is used twice")]
    try:
        rules.update(index_from({"rule": [entry]}).rules)
    except Malformed as refusal:
        return _inside(refusal)
    except MISSHAPEN as fault:
        return [Violation("", f"not shaped as a rule: {fault}")]
    return ()


def add_setting(
    entry: Any, settings: dict[str, Setting], shipped: Mapping[str, Setting] | None
) -> Iterable[Violation]:
    """Add a setting to those known; returns what is wrong with it.

    Args:
        shipped: The settings that the rules read; None where that is not known.
    """
    faults = _key_faults(entry, _SETTING_KEYS, _SETTING_MORE)
    if faults:
        return faults
    try:
        found = settings_from({"setting": [entry]})
    except Malformed as refusal:
        return _inside(refusal)
    except MISSHAPEN as fault:
        return [Violation("", f"not shaped as a setting: {fault}")]
    for name in found:
        if name in settings:
            faults.append(Violation("name", "this name is used twice"))
        if shipped is not None and name not in shipped:
            text = f"no rule reads a setting of this name{meant(name, shipped)}"
            faults.append(Violation("name", text))
    settings.update(found)
    return faults


def _key_faults(entry: Any, required: tuple[str, ...], more: tuple[str, ...]) -> list[Violation]:
    if not isinstance(entry, dict):
        return [Violation("", "a table of keys and values is wanted")]
    absent = [key for key in required if key not in entry]
    unknown = [key for key in entry if key not in required + more]
    return [Violation(key, "missing") for key in absent] + [
        Violation(key, f"unknown key{meant(key, required + more)}") for key in unknown
    ]


def _inside(refusal: Malformed) -> list[Violation]:
    """The violations of a document's only entry, by their place in that entry."""
    return [
        Violation(v.field.partition("].")[2], v.description, v.rule_id) for v in refusal.violations
    ]
