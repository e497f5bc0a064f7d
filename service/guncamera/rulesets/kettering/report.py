"""The last lines of every trace: each part of the outcome by name, with the rule behind it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from guncamera.rules.shape import shape_of, snake
from guncamera.rules.straight_line import function
from guncamera.rules.trace import FindingLine, Trace, TraceLine, text_of

_MOST_REMEMBERED = 1024

_Writer = Callable[[Any, Callable[[TraceLine], None]], None]


class Report:
    """Records every scalar of an outcome as a finding.

    Args:
        rule_id: The rule of the fields that are not among `rules`.
        rules: Rule ids by the last name of a field.
    """

    def __init__(self, rule_id: str, rules: Mapping[str, str] | None = None) -> None:
        self._rules = rules or {}
        self._write = _Writers(self, rule_id, "")

    def __call__(self, trace: Trace, outcome: Any) -> None:
        """Record an outcome; its fields are named as in its plain form, joined by dots."""
        if trace.is_read:
            self._write[type(outcome)](outcome, trace.lines.append)

    def writer(self, cls: type, rule_id: str, path: str) -> _Writer:
        """What records the fields of a class, as straight-line code."""
        names: dict[str, Any] = {}
        lines = []
        for shape in shape_of(cls):
            if shape.repeated:
                continue
            rule, name = self._rules.get(shape.name, rule_id), path + shape.name
            at = f"of_{shape.name}"
            if shape.kind == "union":
                found: Any = _Writers(self, rule, f"{name}.", by_member=True)
                line = f"{at}[type(found)](found, append)"
            elif shape.kind == "record":
                found = self.writer(shape.type, rule, f"{name}.")
                line = f"{at}(found, append)"
            else:
                found = _Findings(rule, name)
                line = f"append({at}[found])"
            names[at] = found
            lines.append(f"found = value.{shape.name}")
            lines.append(f"if found is not None: {line}" if shape.optional else line)
        return function(f"report_{snake(cls.__name__)}", "value, append", lines, names)


class _Writers(dict[type, _Writer]):
    """What records the classes that may stand in one place, made when one first does."""

    def __init__(self, report: Report, rule_id: str, path: str, *, by_member: bool = False) -> None:
        super().__init__()
        self._report, self._rule_id, self._path = report, rule_id, path
        self._by_member = by_member

    def __missing__(self, cls: type) -> _Writer:
        path = f"{self._path}{snake(cls.__name__)}." if self._by_member else self._path
        made = self[cls] = self._report.writer(cls, self._rule_id, path)
        return made


class _Findings(dict[Any, FindingLine]):
    """The findings of one field by its value: few values come again and again."""

    def __init__(self, rule_id: str, name: str) -> None:
        super().__init__()
        self._rule_id, self._name = rule_id, name

    def __missing__(self, value: int | bool | str) -> FindingLine:
        line = FindingLine(self._rule_id, self._name, text_of(value))
        if len(self) < _MOST_REMEMBERED:
            self[value] = line
        return line
