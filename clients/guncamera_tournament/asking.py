"""What a command line asks for, as an event."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from guncamera_tournament.event import Event, Setup
from guncamera_tournament.event_file import read_event
from guncamera_tournament.faults import TournamentError
from guncamera_tournament.journal import EVENT

_TRUTHS = {"yes": True, "true": True, "no": False, "false": False}


def asked_event(
    folder: Path,
    *,
    pilots: Sequence[str],
    setups: Sequence[Path],
    settings: Sequence[str],
    clock: Mapping[str, Any],
    limits: Mapping[str, Any],
    given: Mapping[str, Any],
) -> Event | None:
    """The event that options ask for; None where they ask for none.

    Args:
        folder: Of the event: a seed that is not given is the one there, or a new one.
        pilots: `SPEC` or `NAME=SPEC`.
        setups: Files, named by their stems.
        settings: `NAME=VALUE`.
        clock, limits, given: Fields of an event, None where not given.

    Raises:
        TournamentError: They are none; it names the field.
    """
    plain: dict[str, Any] = _given(given)
    if pilots:
        plain["pilots"] = [_pilot(text) for text in pilots]
    if setups:
        plain["setups"] = [asdict(setup_of(file)) for file in setups]
    if settings:
        plain["settings"] = dict(_setting(text) for text in settings)
    for name, part in (("clock", clock), ("limits", limits)):
        if _given(part):
            plain[name] = _given(part)
    if not plain:
        return None
    if "seed" not in plain:
        file = folder / EVENT
        # Nobody may guess it, for all dice follow from it.
        plain["seed"] = read_event(file).seed if file.exists() else secrets.token_hex(16)
    return Event.from_plain(plain)


def setup_of(file: Path) -> Setup:
    """A setup from a file, named by its stem.

    Raises:
        TournamentError: It cannot be read.
    """
    try:
        return Setup(file.stem.lower(), file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as fault:
        raise TournamentError(f"{file}: cannot be read: {fault}.", field="setups") from None


def _given(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _pilot(text: str) -> dict[str, str]:
    """A pilot, named by what comes last in it unless it is named."""
    name, equals, spec = text.partition("=")
    if equals and ":" not in name:
        return {"name": name, "spec": spec}
    words = text.rpartition(":")[2].split()
    last = Path(words[-1]).stem if words else ""
    return {"name": last.lower(), "spec": text}


def _setting(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise TournamentError(f"{text!r} is no setting; write NAME=VALUE.", field="settings")
    if value.lower() in _TRUTHS:
        return name, _TRUTHS[value.lower()]
    return name, int(value) if value.removeprefix("-").isdecimal() else value
