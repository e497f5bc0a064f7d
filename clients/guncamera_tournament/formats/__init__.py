"""The formats an event may have, by name."""

from __future__ import annotations

from collections.abc import Mapping

from guncamera_tournament.formats import fixed, knockout, swiss
from guncamera_tournament.formats.format import Format

FORMATS: Mapping[str, Format] = {
    "single": fixed.Single(),
    "round-robin": fixed.RoundRobin(),
    "gauntlet": fixed.Gauntlet(),
    "swiss": swiss.Swiss(),
    "knockout": knockout.Knockout(),
}
"""Each format by the name it is asked by."""

__all__ = ["FORMATS", "Format"]
