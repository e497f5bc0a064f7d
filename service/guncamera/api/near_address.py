"""Which call's address is probably meant by one that no call has."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from functools import cache

from guncamera.api.routes import rpcs

_LONGEST = 100  # characters; comparing takes its time, and nobody mistypes more
_NEAR = 0.8
_VARIABLE = re.compile(r"\{\w+\}")
_NAME = re.compile(r"^[^:]*")


def nearest_address(path: str) -> str:
    """`/v1/sessions/{session}:sealOrder` for `/v1/sessions/x:seal`; empty where none is near.

    What stands where a name belongs counts for nothing, and neither does the case of letters.
    An address that was cut short, or a verb that goes on, is nearer than what differs.
    """
    if len(path) > _LONGEST:
        return ""
    asked = path.lower().rstrip("/").split("/")
    likeness, nearest = max((_likeness(asked, parts), address) for parts, address in _addresses())
    return nearest if likeness >= _NEAR else ""


@cache
def _addresses() -> tuple[tuple[tuple[str, ...], str], ...]:
    """The path of each call, once in lower case and parted."""
    paths = sorted({route.path for rpc in rpcs() for route in rpc.routes})
    return tuple((tuple(path.lower().split("/")), path) for path in paths)


def _likeness(asked: list[str], parts: tuple[str, ...]) -> float:
    given = "/".join(
        _NAME.sub("*", part) if at < len(parts) and _VARIABLE.search(parts[at]) else part
        for at, part in enumerate(asked)
    )
    wanted = _VARIABLE.sub("*", "/".join(parts))
    match = SequenceMatcher(None, given, wanted, autojunk=False)
    if match.real_quick_ratio() < _NEAR:
        return 0.0
    ratio = match.ratio()
    continues = wanted.startswith(given) or (":" in wanted and given.startswith(wanted))
    return ratio + 1 if continues and ratio >= _NEAR else ratio
