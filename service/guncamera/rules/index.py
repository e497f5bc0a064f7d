"""The rule index of a rule set: ids, titles, sources, and how sure we are of each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from guncamera.rules.refusal import Malformed, Violation
from guncamera.rules.table import BASES, Basis

RULE_ID = re.compile(r"\b[A-Z]{3}-\d+(?:\.\d+)*\b")


@dataclass(frozen=True, slots=True)
class Rule:
    """One numbered provision."""

    id: str
    title: str
    summary: str
    source: str
    basis: Basis


@dataclass(frozen=True, slots=True)
class RuleIndex:
    """The rules of one rule set, in the order of their numbers."""

    rules: Mapping[str, Rule]

    def __contains__(self, rule_id: object) -> bool:
        return rule_id in self.rules

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules.values())

    def __getitem__(self, rule_id: str) -> Rule:
        return self.rules[rule_id]


def parse(rule_id: str) -> tuple[str, tuple[int, ...]]:
    """`KET-7.10` as `("KET", (7, 10))`, which sorts as a reader would."""
    if not RULE_ID.fullmatch(rule_id):
        raise ValueError(f"{rule_id!r} is not a rule id such as KET-7.1")
    prefix, _, numbers = rule_id.partition("-")
    return prefix, tuple(int(n) for n in numbers.split("."))


def index_from(document: Mapping[str, Any]) -> RuleIndex:
    """The index read from `rules.toml`: one `[[rule]]` each.

    Raises:
        Malformed: With every fault found.
    """
    faults: list[Violation] = []
    rules: dict[str, Rule] = {}
    for entry in document.get("rule", ()):
        where = f"rule[{entry.get('id', len(rules))}]"
        if set(entry) != {"id", "title", "summary", "source", "basis"}:
            faults.append(Violation(where, f"keys {sorted(entry)} are not those of a rule"))
        elif not RULE_ID.fullmatch(entry["id"]) or entry["id"] in rules:
            faults.append(Violation(f"{where}.id", "not a rule id, or used twice"))
        elif entry["basis"] not in BASES:
            faults.append(Violation(f"{where}.basis", f"not one of {', '.join(BASES)}"))
        else:
            rules[entry["id"]] = Rule(**entry)
    if faults:
        raise Malformed(f"{len(faults)} faults in the rule index.", violations=faults)
    return RuleIndex({id_: rules[id_] for id_ in sorted(rules, key=parse)})
