"""What an aircraft may do in one turn's flight: speeds, altitudes, bonus hexes, turn costs.

Rules KET-5.1 to KET-5.10. The flight rule refuses by these limits, and whoever looks for a legal
plot reads the same ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from guncamera.rules.trace import Trace
from guncamera.rulesets.kettering.book import KetteringBook, figure, profile_of
from guncamera.rulesets.kettering.facts import Aircraft, Performance
from guncamera.rulesets.kettering.performance import STEP_METRES, assess

SIXTHS_OF_COLUMN = {"60": 1, "120": 2, "180": 3}


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one flight.

    Attributes:
        slowest, fastest: The speeds allowed; `slowest` never exceeds `fastest`.
        turns: Facing may change at all.
        lowest_change, highest_change: The altitude change the pilot may choose, in metres.
        dive_limit_metres: The deepest dive without an overdive.
        bonus_cap: The most bonus hexes of a dive within its limit.
        forced_loss_metres: Meters that must be lost.
        forced_on_top: They come on top of the chosen change.
        climb_again_metres: The climb allowed after a dive.
        costs: Movement points of a facing change by sixths of a circle, 1 to 3.
        schedule_row: The row of the schedule table the costs are from.
    """

    performance: Performance
    slowest: int
    fastest: int
    turns: bool
    lowest_change: int
    highest_change: int
    dive_limit_metres: int
    bonus_cap: int
    forced_loss_metres: int
    forced_on_top: bool
    climb_again_metres: int
    costs: Mapping[int, int]
    schedule_row: str

    def changes(self) -> range:
        """The altitude changes allowed, in steps of 50 metres, from the deepest dive up."""
        return range(self.lowest_change, self.highest_change + 1, STEP_METRES)

    def bonuses(self, change: int, book: KetteringBook) -> range:
        """The bonus hexes that a change of altitude allows (KET-5.7)."""
        most = max(-change // STEP_METRES - 1, 0)
        if -change <= self.dive_limit_metres or book.settings.overdive_bonus == "capped":
            most = min(most, self.bonus_cap)
        if book.settings.dive_bonus == "none":
            most = 0
        return range(most if book.settings.dive_bonus == "all" else 0, most + 1)

    def compared_bonus(self, change: int, flown: int, book: KetteringBook) -> int:
        """The bonus hexes that count in the speed of a shot after a flight (KET-7.2)."""
        return flown if book.settings.compared_bonus == "flown" else self.bonuses(change, book)[-1]

    def altitude_after(self, altitude: int, change: int) -> int:
        """The altitude a change leads to; the ground is 0."""
        loss = self.forced_loss_metres if self.forced_on_top else 0
        return max(altitude + change - loss, 0)


def flight_limits(aircraft: Aircraft, book: KetteringBook, trace: Trace | None = None) -> Limits:
    """The limits of an aircraft's next flight.

    Raises:
        Malformed, Illegal: Its type may not fly (KET-1.1).
    """
    profile = profile_of(aircraft.type, book, "flight.aircraft.type")
    able = assess(profile, aircraft.condition, book, trace or Trace())
    slowest, fastest = speed_limits(able, aircraft.speed_mp, book)
    lowest, highest = _change_limits(able, aircraft.altitude_metres, book)
    row = schedule_row(able.profile.schedule, book)
    table = book.tables["maneuver-schedules"]
    return Limits(
        performance=able,
        slowest=slowest,
        fastest=fastest,
        turns=able.steers and not able.stalls,
        lowest_change=lowest,
        highest_change=highest,
        dive_limit_metres=max(able.profile.dive_limit_metres, able.forced_loss_metres),
        bonus_cap=able.profile.dive_speed_hexes,
        forced_loss_metres=able.forced_loss_metres,
        forced_on_top=book.settings.forced_loss == "on-top",
        climb_again_metres=able.profile.climb_limit_metres
        if able.climbs and book.settings.climb_and_dive == "both"
        else 0,
        costs={sixths: table.number(row, column) for column, sixths in SIXTHS_OF_COLUMN.items()},
        schedule_row=row,
    )


def speed_limits(able: Performance, now: int, book: KetteringBook) -> tuple[int, int]:
    """The slowest and the fastest speed of the next flight (KET-5.1)."""
    highest, lowest = able.profile.max_speed_mp, able.profile.min_speed_mp
    slower = now - figure(book, "braking_mp")
    fastest = min(now + figure(book, "acceleration_mp"), highest)
    if book.settings.overspeed == "by-one":
        fastest = max(fastest, min(slower, now))
    if able.must_slow:
        by_lowest = book.settings.fuel_line_speed == "lowest"
        floor = max(figure(book, "fuel_line_speed_mp"), lowest if by_lowest else 0)
        fastest = min(fastest, max(floor, slower))
    return max(min(slower, fastest), min(lowest, fastest)), fastest


def overdive_limit(able: Performance, book: KetteringBook) -> int:
    """The deepest dive of all, in metres (KET-5.8)."""
    limit = able.profile.dive_limit_metres
    if not able.overdives:
        return limit
    deepest = limit * (100 + book.settings.overdive_percent)
    steps, rest = divmod(deepest, 100 * STEP_METRES)
    return STEP_METRES * (steps + (rest > 0 and book.settings.half_rounding == "up"))


def _change_limits(able: Performance, altitude: int, book: KetteringBook) -> tuple[int, int]:
    """The lowest and the highest change of altitude the pilot may choose (KET-5.5, 5.6, 5.13)."""
    forced = min(able.forced_loss_metres, altitude)
    on_top = book.settings.forced_loss == "on-top"
    owed = 0 if on_top else forced
    if not able.steers:
        return -owed, -owed
    room = altitude if book.settings.ground_dive == "allowed" else altitude - STEP_METRES
    deepest = min(overdive_limit(able, book), room - (forced if on_top else 0))
    if owed:
        return -max(deepest, owed), -owed
    climb = able.profile.climb_limit_metres if able.climbs else 0
    room_above = max(book.settings.ceiling_metres - altitude, 0)
    return -max(deepest, 0), min(climb, room_above)


def schedule_row(letter: str, book: KetteringBook) -> str:
    """The row of the schedule table for a letter, under the settings (KET-5.3)."""
    if book.settings.untested_schedules == "published-only":
        letter = {"A": "C", "B": "C", "F": "C", "E": "D"}.get(letter, letter)
    if letter == "D" and book.settings.schedule_d_60 == "paid":
        return "D, 60 paid"
    return letter
