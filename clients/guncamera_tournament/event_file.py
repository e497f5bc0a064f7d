"""Events as TOML: written so that a person can read them, and write them."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from guncamera_tournament.event import Event
from guncamera_tournament.faults import TournamentError


def read_event(file: Path) -> Event:
    """An event from a file.

    Raises:
        TournamentError: It cannot be read, or is no event; the message names the field.
    """
    try:
        plain = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as fault:
        raise TournamentError(f"{file}: cannot be read: {fault.strerror}.") from None
    except ValueError as fault:  # of TOML and UTF-8
        raise TournamentError(f"{file}: no TOML: {fault}.") from None
    try:
        return Event.from_plain(plain)
    except TournamentError as fault:
        raise TournamentError(f"{file}: {fault}") from None


def written(event: Event) -> str:
    """An event as TOML."""
    return "\n".join(_lines(event.to_plain(), "")) + "\n"


def _lines(plain: Mapping[str, Any], path: str) -> Iterator[str]:
    tables: dict[str, Mapping[str, Any]] = {}
    lists: dict[str, Any] = {}
    for name, value in plain.items():
        if isinstance(value, Mapping):
            tables[name] = value
        elif isinstance(value, list | tuple):
            lists[name] = value
        else:
            yield f"{name} = {_scalar(value)}"
    for name, table in tables.items():
        if table:
            yield f"\n[{path}{name}]"
            yield from _lines(table, f"{path}{name}.")
    for name, rows in lists.items():
        for row in rows:
            yield f"\n[[{path}{name}]]"
            yield from _lines(row, f"{path}{name}.")


def _scalar(value: str | bool | float) -> str:
    # A basic string of TOML takes what a string of JSON may hold, but for a bare DEL.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
