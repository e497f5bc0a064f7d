"""Where the facts that a survey made hold a part of the order that they were made from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import is_dataclass
from typing import Any

from guncamera.rules.shape import shape_of, snake

_PART = re.compile(r"([a-z0-9_]+)(?:\[(\d+)\])?")


def copied_fields(field: str, order: Any, facts: Any) -> Iterator[str]:
    """The paths into an order that a path into facts leads through, on the wire.

    A survey hands on what an order holds, and makes no copies: `flights[2].plot.codes` of the
    facts is `plots[0].codes` of the order, if the same plot stands in both.
    """
    ordered = {id(record): path for path, record in _records(order)}
    parts = field.split(".")
    at = facts
    for number, part in enumerate(parts, 1):
        at = _below(at, part)
        if at is None:
            return
        if id(at) in ordered:
            yield ".".join((ordered[id(at)], *parts[number:]))


def _records(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every dataclass within another, by its path; a member of a union stands in its place."""
    for shape in shape_of(type(value)):
        found = getattr(value, shape.name)
        name = snake(type(found).__name__) if shape.kind == "union" else shape.name
        here = f"{path}.{name}" if path else name
        items = enumerate(found) if shape.repeated else ((None, found),)
        for at, item in items:
            if is_dataclass(item):
                place = here if at is None else f"{here}[{at}]"
                yield place, item
                yield from _records(item, place)


def _below(value: Any, part: str) -> Any:
    """What one part of a path leads to; None if it leads nowhere."""
    read = _PART.fullmatch(part)
    if read is None or not is_dataclass(value):
        return None
    for shape in shape_of(type(value)):
        found = getattr(value, shape.name)
        name = snake(type(found).__name__) if shape.kind == "union" else shape.name
        if name == read[1]:
            if read[2] is None:
                return found
            return found[int(read[2])] if shape.repeated and int(read[2]) < len(found) else None
    return None
