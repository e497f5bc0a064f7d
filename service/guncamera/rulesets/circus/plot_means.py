"""What an aircraft's plots can be made of: costs, heights and bars, in a form that can be counted.

The rules of flight stay the authority: tests hold every plot made of these to them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from guncamera.rulesets.circus.aircraft import Manoeuvre
from guncamera.rulesets.circus.book import CircusBook
from guncamera.rulesets.circus.codes import EXITS
from guncamera.rulesets.circus.performance import (
    Able,
    figures_of,
    is_side_barred,
    largest_loop,
    loops,
    why_barred,
)


@dataclass(frozen=True, slots=True)
class Stop:
    """One stand of a move: hexes entered on the way, and what turning and height go with it.

    Attributes:
        moves: Sixths to the left of the facing, and how many hexes are passed in one step.
        turn: Sixths to the left, once it is there.
    """

    moves: tuple[tuple[int, int], ...] = ((0, 1),)
    turn: int = 0
    feet: int = 0


AHEAD = Stop()


@dataclass(frozen=True, slots=True)
class Special:
    """A special manoeuvre of one code.

    Attributes:
        follows_a_hang: It may come directly after a propeller hang.
        hangs: It is one.
        enters: Hexes entered, one after another.
    """

    symbol: str
    mp: int
    stops: tuple[Stop, ...]
    follows_a_hang: bool = False
    hangs: bool = False

    @property
    def enters(self) -> int:
        """Hexes entered, one after another."""
        return sum(len(stop.moves) for stop in self.stops)


@dataclass(frozen=True, slots=True)
class YoYo:
    """Points and feet of the hexes of a yo-yo."""

    climb_mp: int
    climb_feet: int
    dive_mp: int
    dive_feet: int


def _per_point(feet: int, mp: int) -> int:
    """Feet for each movement point, rounded up."""
    return -(-feet // max(mp, 1))


@dataclass(frozen=True, slots=True)
class Means:
    """What plots are made of, for an aircraft in its condition.

    Attributes:
        side_mp: Movement points of a hexside.
        sides: Hexsides that may be turned in a hex.
        straight_hexes: Hexes without a turn between two with one.
        left, right: It turns to that side.
        gentle_turns: Only turns without stress are left (CIR-6.6).
        powered: It may fly level.
        zooms: It may zoom.
        pull_feet: The most that zooms climb in a hex; 0 where they climb as they like.
        climb_feet, hex_feet: Of climb by engine, in a turn and in a hex.
        dive_mp, dive_feet: A shallow dive loses so many feet for so many points.
        turns_dive: The points of turns are among them.
        side_feet: Lost by each hexside after the first in a hex.
        side_feet_once: Only by the second.
        steep: It may dive steeply.
        steep_legs: And with a part of its move.
        power_dive_feet: Of a power dive, a point; None if it may not.
    """

    side_mp: int
    sides: int
    straight_hexes: int
    left: bool
    right: bool
    gentle_turns: bool
    powered: bool
    zooms: bool
    pull_feet: int
    climb_feet: int
    hex_feet: int
    step_feet: int
    zoom_feet: int
    dive_mp: int
    dive_feet: int
    turns_dive: bool
    side_feet: int
    side_feet_once: bool
    steep: bool
    steep_legs: bool
    steep_mp: int
    steep_feet: int
    power_dive_feet: int | None
    yo_yo: YoYo | None
    yo_yos_repeat: bool
    specials: tuple[Special, ...]

    @property
    def rise_feet(self) -> int:
        """The most that a movement point of a special manoeuvre climbs."""
        return max((_per_point(feet, mp) for feet, mp in self._changes()), default=0)

    @property
    def fall_feet(self) -> int:
        """The most that a movement point costs of height in any but a dive that fills a move."""
        special = max((_per_point(-feet, mp) for feet, mp in self._changes()), default=0)
        turns = _per_point(self.side_feet * (1 if self.side_mp else self.sides), self.side_mp)
        steep = self.steep_feet if self.steep_legs else 0
        return max(special, steep, _per_point(self.dive_feet, self.dive_mp)) + turns

    def _changes(self) -> Iterator[tuple[int, int]]:
        """Feet and movement points of the special manoeuvres."""
        yield from ((stop.feet, one.mp) for one in self.specials for stop in one.stops)
        if self.yo_yo is not None:
            yield self.yo_yo.climb_feet, self.yo_yo.climb_mp
            yield self.yo_yo.dive_feet, self.yo_yo.dive_mp


def means_of(able: Able, book: CircusBook) -> Means:
    """What an aircraft's plots are made of."""
    figures, settings, condition = figures_of(book), book.settings, able.condition
    by_points = settings.turn_cost == "points"
    cracked = condition.spar_cracked or condition.wings_cracked
    steep = not (cracked or condition.shallow_only)
    dives = why_barred(able, Manoeuvre.POWER_DIVE) is None
    return Means(
        side_mp=able.side_mp,
        sides=min(figures.most_hexsides, able.sides_at_once),
        straight_hexes=0 if by_points else able.straight_hexes,
        left=not condition.left_barred,
        right=not condition.right_barred,
        gentle_turns=condition.spar_cracked,
        powered=not able.power_off,
        zooms=_zooms(able, book),
        pull_feet=able.hex_feet if settings.zoom_climb == "as-climbs" else 0,
        climb_feet=able.climb_feet,
        hex_feet=able.hex_feet,
        step_feet=figures.height_step_feet,
        zoom_feet=figures.zoom_feet,
        dive_mp=figures.shallow_dive_mp,
        dive_feet=figures.shallow_dive_feet,
        turns_dive=settings.shallow_dive_points == "all",
        side_feet=figures.hexside_loss_feet,
        side_feet_once=settings.turn_loss == "once-a-hex",
        steep=steep,
        steep_legs=steep and settings.steep_dive_moves == "legs",
        steep_mp=figures.steep_dive_mp,
        steep_feet=figures.steep_dive_feet,
        power_dive_feet=settings.power_dive_feet if dives else None,
        yo_yo=_yo_yo(able, book),
        yo_yos_repeat=settings.yo_yo_after_yo_yo == "allowed",
        specials=tuple(_specials(able, book)),
    )


def _zooms(able: Able, book: CircusBook) -> bool:
    """Whether it may zoom, if it has the energy."""
    gentle = able.climbs_gently and book.settings.gentle_zoom == "barred"
    return not (able.power_off or able.climbs_not or gentle)


def _yo_yo(able: Able, book: CircusBook) -> YoYo | None:
    if why_barred(able, Manoeuvre.YO_YO) is not None:
        return None
    table = book.tables["manoeuvres"]
    return YoYo(
        table.number("yo_yo_climb", "mp"),
        table.number("yo_yo_climb", "feet"),
        table.number("yo_yo_dive", "mp"),
        table.number("yo_yo_dive", "feet"),
    )


def _specials(able: Able, book: CircusBook) -> Iterator[Special]:
    """Every manoeuvre that it may do, a code each; power dives fill a move and are not here."""
    settings, table = book.settings, book.tables["manoeuvres"]
    may = {one for one in Manoeuvre if why_barred(able, one) is None}
    if Manoeuvre.SIDE_SLIP in may:
        feet = table.number("side_slip", "feet")
        for symbol, sixths in (("SSL", 1), ("SSR", -1)):
            if is_side_barred(able, sixths, book):
                continue
            yield Special(symbol, table.number("side_slip", "mp"), (Stop(((sixths, 1),), 0, feet),))
    if Manoeuvre.HAMMERHEAD in may:
        yield from _hammerheads(able, book)
    if Manoeuvre.ROLLING_REVERSAL in may:
        ahead = ((0, 1),) * settings.reversal_hexes
        over = Stop(ahead, turn=3, feet=settings.reversal_feet)
        yield Special("RR", settings.reversal_mp, (over,), follows_a_hang=True)
    if Manoeuvre.LOOP in may:
        for rate in _loops(able, book):
            mp, behind = loops(book)[rate]
            moves = ((3, behind),) if behind else ()
            yield Special(f"O{rate}", mp, (Stop(moves, 0, -settings.loop_loss_feet),))
    if Manoeuvre.DISPLACEMENT_ROLL in may:
        feet = table.number("displacement_roll", "feet") - settings.displacement_loss_feet
        stop = Stop(((0, 1), (0, 1)), 0, feet)
        yield Special("DR", table.number("displacement_roll", "mp"), (stop,))
    if Manoeuvre.PROPELLER_HANG in may:
        mp = table.number("propeller_hang", "mp")
        up = Stop(feet=settings.hang_feet)
        yield Special("PH", mp, (up,), follows_a_hang=True, hangs=True)


def _hammerheads(able: Able, book: CircusBook) -> Iterator[Special]:
    settings, table = book.settings, book.tables["manoeuvres"]
    mp = table.number("hammerhead", "mp") + settings.hammerhead_exit_mp
    feet = table.number("hammerhead", "feet") - settings.hammerhead_loss_feet
    for name, sixths in EXITS.items():
        if is_side_barred(able, sixths, book):
            continue
        turn = sixths if settings.hammerhead_exit == "turned" else 0
        out = Stop(((sixths, 1),), turn, feet)
        yield Special(f"HT-{name}", mp, (AHEAD, out), follows_a_hang=True)


def _loops(able: Able, book: CircusBook) -> Iterator[int]:
    largest = largest_loop(able, book)
    for rate in loops(book):
        if rate == largest or (rate < largest and book.settings.loop_size == "chosen"):
            yield rate
