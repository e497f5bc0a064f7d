"""Whether the figures of a type can be flown: what a designer's is held to. Rule KET-1.1."""

from __future__ import annotations

from collections.abc import Iterator

from guncamera.rules.refusal import Violation
from guncamera.rulesets.kettering.book import KetteringBook
from guncamera.rulesets.kettering.facts import Profile

RULE = "KET-1.1"
LIMITS = {
    "max_speed_mp": (1, 30),
    "min_speed_mp": (1, 30),
    "dive_speed_hexes": (0, 12),
    "dive_limit_metres": (0, 5000),
    "climb_limit_metres": (0, 5000),
    "damage_capacity": (1, 100),
    "ammunition": (0, 100),
}


def faults_of(profile: Profile, book: KetteringBook, path: str) -> Iterator[Violation]:
    """What of a type's figures the rules could not fly."""
    for name, (low, high) in LIMITS.items():
        figure = getattr(profile, name)
        if not low <= figure <= high:
            yield Violation(f"{path}.{name}", f"{figure}; give {low} to {high}", RULE)
    if profile.min_speed_mp > profile.max_speed_mp:
        said = f"{profile.min_speed_mp} is above the highest speed of {profile.max_speed_mp}"
        yield Violation(f"{path}.min_speed_mp", said, RULE)
    schedules = {row.label.partition(",")[0] for row in book.tables["maneuver-schedules"].rows}
    if profile.schedule not in schedules:
        said = f"{profile.schedule!r} is no schedule; give one of {', '.join(sorted(schedules))}"
        yield Violation(f"{path}.schedule", said, RULE)
    guns = {column.partition("-")[0] for column in book.tables["target-damage"].columns}
    if profile.gun not in guns:
        said = f"{profile.gun!r} is no gun; give one of {', '.join(sorted(guns))}"
        yield Violation(f"{path}.gun", said, RULE)
