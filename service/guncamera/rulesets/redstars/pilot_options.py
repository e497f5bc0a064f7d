"""What an aircraft could choose next, remembered: as from the table's corner, heading north."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from guncamera.rulesets.redstars.aircraft import UNHURT, Aircraft, DataBook, Pilot, Position
from guncamera.rulesets.redstars.book import RedstarsBook
from guncamera.rulesets.redstars.cards import play
from guncamera.rulesets.redstars.condition import condition_of
from guncamera.rulesets.redstars.discs import EXTREME, laid, reversed_facing
from guncamera.rulesets.redstars.facts import Choice
from guncamera.rulesets.redstars.flown import effective_level, speed_after
from guncamera.rulesets.redstars.legal import legal_choices

HIGHEST_CLIMB = 3
"""So far below the ceiling all bands are alike."""


@dataclass(frozen=True, slots=True)
class Option:
    """Legal cards, and where they lead from the corner.

    Attributes:
        x, y: Mils to the right and ahead.
        turn: Degrees turned.
        level: Bands climbed.
        speed: After the move.
        stalls: It stalls first, or is too slow afterwards.
    """

    choice: Choice
    x: int
    y: int
    turn: int
    level: int
    speed: int
    stalls: bool


def options_of(aircraft: Aircraft, data_book: DataBook, book: RedstarsBook) -> tuple[Option, ...]:
    """The options of an aircraft that chooses; of those that end alike, the first."""
    condition, last = condition_of(aircraft), aircraft.last_maneuver
    lowest = book.settings.altitude_ceiling - HIGHEST_CLIMB
    bare = replace(
        aircraft,
        id="",
        position=Position(0, 0, 0, max(aircraft.position.altitude, lowest)),
        pilot=Pilot(),
        condition=replace(
            UNHURT,
            engine_marks=condition.engine_marks,
            accelerate_barred=condition.accelerate_barred,
            extreme_barred=condition.extreme_barred,
            top_speed_barred=condition.top_speed_barred,
            further_speeds_lost=condition.further_speeds_lost,
        ),
        boxes=(),
        last_maneuver=last if last in EXTREME else None,
    )
    return _options(bare, data_book, book)


@lru_cache(maxsize=512)
def _options(bare: Aircraft, data_book: DataBook, book: RedstarsBook) -> tuple[Option, ...]:
    found: dict[tuple[int, ...], Option] = {}
    ends: dict[str, Position] = {}
    for choice in legal_choices(bare, data_book, book):
        option = _option(bare, choice, ends, data_book, book)
        key = (option.x, option.y, option.turn, option.level, option.speed)
        found.setdefault(key, option)
    return tuple(found.values())


def _option(
    bare: Aircraft,
    choice: Choice,
    ends: dict[str, Position],
    data_book: DataBook,
    book: RedstarsBook,
) -> Option:
    """One option; where the same discs end is remembered."""
    played = play(bare, choice, data_book, book)
    level = effective_level(choice, 0, played, book)
    speed = speed_after(bare, choice, played, level, data_book, book)
    if played.codes not in ends:
        ends[played.codes] = laid(bare.position, played.codes, {}, book)[-1]
    at = ends[played.codes]
    if choice.maneuver in EXTREME and not played.recovering:
        at = reversed_facing(at)
    stalls = played.stalls or speed < data_book.min_speed
    return Option(choice, at.x_mils, at.y_mils, at.heading_degrees, level, speed, stalls)
