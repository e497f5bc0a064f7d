"""Where in a TOML file an entry or a field of it stands: tomllib does not say."""

from __future__ import annotations

import re

_HEADER = re.compile(r"^\s*\[\[\s*([A-Za-z0-9_-]+)\s*\]\]\s*(?:#.*)?$")
_TABLE = re.compile(r"^\s*\[\[?\s*([A-Za-z0-9_-]+)\s*\]\]?\s*(?:#.*)?$")
_ITEM = re.compile(r"^\s*\[")
_PART = re.compile(r"^(?P<name>[A-Za-z0-9_-]+)(?:\[(?P<at>\d+)\])?")


def line_of(text: str, kind: str, nth: int, field: str = "") -> int:
    """The line of a field of the nth `[[kind]]` entry, from 1; of the entry where that is unclear.

    Args:
        nth: From 0.
        field: `basis`, or `rows[3]` for an item of a list that is laid out one a line.
    """
    lines = text.splitlines()
    start, end = _entry(lines, kind, nth)
    part = _PART.match(field)
    if part is None:
        return start + 1
    opening = re.compile(rf"^\s*{re.escape(part['name'])}\s*[.=]")
    for number in range(start + 1, end):
        if opening.match(lines[number]):
            if part["at"] is None:
                return number + 1
            return _item(lines, number, end, int(part["at"])) + 1
    return start + 1


def _entry(lines: list[str], kind: str, nth: int) -> tuple[int, int]:
    """First line of an entry, and the line behind its last, both from 0."""
    headers = [
        (number, found[1]) for number, line in enumerate(lines) if (found := _HEADER.match(line))
    ]
    of_kind = [place for place, (_, name) in enumerate(headers) if name == kind]
    if nth >= len(of_kind):
        return 0, len(lines)
    place = of_kind[nth]
    end = headers[place + 1][0] if place + 1 < len(headers) else len(lines)
    return headers[place][0], end


def _item(lines: list[str], opening: int, end: int, at: int) -> int:
    """The line of an item of a list whose items each start a line; else that of the list."""
    items = [number for number in range(opening + 1, end) if _ITEM.match(lines[number])]
    return items[at] if at < len(items) else opening


def line_of_key(text: str, table: str, key: str) -> int:
    """The line of a key of `[table]`, from 1; of the table where there is no such key, else 0."""
    start = 0
    for number, line in enumerate(text.splitlines(), start=1):
        header = _TABLE.match(line)
        if header:
            if start:
                break
            start = number if header[1] == table else 0
        elif start and re.match(rf"\s*{re.escape(key)}\s*=", line):
            return number
    return start
