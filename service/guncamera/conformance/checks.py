"""Holding an answer to its case: what differs, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from guncamera.conformance.cases import Case
from guncamera.conformance.targets import Answer, OddsByField
from guncamera.rules.trace import text_of


def faults_of(case: Case, answer: Answer) -> list[str]:
    """Where an answer departs from its case; empty when it agrees."""
    if case.refused is not None:
        return _refusal_faults(case.refused, answer)
    if answer.refused is not None or answer.outcome is None:
        refused = answer.refused
        return [f"refused: {refused.reason} {refused.rule_id} {refused.message}" if refused else ""]
    faults = _differences(case.expect or {}, answer.outcome, "")
    if case.modifiers is not None:
        found: Counter[str] = Counter()
        for line in answer.trace:
            if "modifier_line" in line:  # one that is counted twice weighs twice
                found[line["modifier_line"]["name"]] += line["modifier_line"]["amount"]
        if found != dict(case.modifiers):
            faults.append(f"modifiers: expected {dict(case.modifiers)}, found {dict(found)}")
    named = {line["setting_line"]["name"] for line in answer.trace if "setting_line" in line}
    missing = set(case.setting_named) - named
    if missing:
        faults.append(f"settings not named in the trace: {sorted(missing)}")
    return faults


def odds_faults(case: Case, odds: OddsByField) -> list[str]:
    """Where the odds depart from the case's."""
    faults = []
    for key, wanted in case.odds.items():
        field, _, value = key.partition("=")
        found = odds.get(field, {}).get(value or "yes", Fraction(0))
        if found != Fraction(wanted):
            faults.append(f"odds of {key}: expected {wanted}, found {found}")
    for field, values in odds.items():
        if sum(values.values()) != 1:
            faults.append(f"odds of {field} sum to {sum(values.values())}")
    return faults


def _refusal_faults(expected: Mapping[str, str], answer: Answer) -> list[str]:
    if answer.refused is None:
        return [f"expected a refusal {dict(expected)}; ruled: {answer.summary or answer.outcome}"]
    found = answer.refused
    faults = []
    if found.reason != expected["reason"]:
        faults.append(f"reason: expected {expected['reason']}, found {found.reason}")
    if "rule_id" in expected and found.rule_id != expected["rule_id"]:
        faults.append(f"rule: expected {expected['rule_id']}, found {found.rule_id}")
    if "field" in expected and not any(f.endswith(expected["field"]) for f in found.fields):
        faults.append(f"field: expected {expected['field']}, found {found.fields}")
    return faults


def _differences(expected: Mapping[str, Any], found: Mapping[str, Any], path: str) -> list[str]:
    faults: list[str] = []
    for name, value in expected.items():
        here = f"{path}{name}"
        if isinstance(value, Mapping):
            inner = found.get(name)
            if isinstance(inner, Mapping):
                faults += _differences(value, inner, f"{here}.")
            else:
                faults.append(f"{here}: expected {dict(value)}, found {inner}")
        elif name not in found and value == "":
            continue
        elif found.get(name) != value:
            faults.append(f"{here}: expected {_text(value)}, found {_text(found.get(name))}")
    return faults


def _text(value: Any) -> str:
    return text_of(value) if isinstance(value, bool | int | str) else str(value)
