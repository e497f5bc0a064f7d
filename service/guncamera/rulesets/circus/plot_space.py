"""Every plot that one aircraft may fly: how many there are, and the nth of them.

The plots are counted from the end backwards, states that are alike once, so that the number of any
plot leads to it at once. The set holds each legal plot in one spelling:

- hexes that follow each other in a leg are one number, and so are those of a yo-yo;
- `v` and `vv` without feet; `HT-B` for `HT`; `O200` for `O`, by its own rate of climb;
- `HYY3`, and brackets only where a hexside is turned in them;
- `=` only where a leg follows which would else be one with that before it;
- of zooms side by side the smaller first.

Left out are, and only there:

- where codes could outgrow a plot, as when turning costs nothing by setting: plots with more arrows
  and zooms than are sure to fit in its 160 signs, see `most_slopes`;
- where more than `MOST_STATES` states would have to be told apart, which takes a fast aircraft with
  kinetic energy near the ceiling, or near a barred edge, or with a broken pilot, or the two last
  near the ground: plots whose dives and losses add up to the aircraft's height, whatever they
  climb; if that is not enough, plots that zoom; and then those with special manoeuvres.

An aircraft with more than `MOST_POINTS` movement points is not counted at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import chain, pairwise

from guncamera.rules.refusal import Illegal
from guncamera.rulesets.circus.aircraft import UNHURT, Aeroplane, Aircraft
from guncamera.rulesets.circus.book import CircusBook
from guncamera.rulesets.circus.dives import halves, power_dive_hexes, pulls_out_steeply
from guncamera.rulesets.circus.facts import Plot
from guncamera.rulesets.circus.performance import (
    Able,
    assess,
    is_stalled,
    speeds,
    steep_hexes,
)
from guncamera.rulesets.circus.plot_frame import NOWHERE, Frame, Place
from guncamera.rulesets.circus.plot_means import Means, means_of
from guncamera.rulesets.circus.plot_notation import codes_of
from guncamera.rulesets.circus.plot_steps import (
    BETWEEN,
    FREE,
    HANG,
    PULL_OUT,
    STRAIGHT_DOWN,
    VERTICAL,
    At,
    Leg,
    Steps,
    Turns,
    most_slopes,
)

MOST_POINTS = 24
"""Movement points up to which plots are counted; no shipped type comes to more than 19."""
MOST_STATES = 60_000
"""States that are told apart for one aircraft where its place matters: seconds of work at most."""
_KEPT = 24


class TooMany(Exception):
    """More states would have to be told apart than are allowed."""


class Counter:
    """Counts how plots may go on, for aircraft that are alike in all that matters."""

    def __init__(self, steps: Steps, most: int | None) -> None:
        self.steps = steps
        self._most = most
        self._counts: dict[At, int] = {}

    def count(self, at: At) -> int:
        """How many whole plots begin so.

        Raises:
            TooMany: It has counted as much as it may.
        """
        known = self._counts.get(at)
        if known is None:
            if self._most is not None and len(self._counts) >= self._most:
                raise TooMany
            known = int(self.steps.may_end(at))
            known += sum(self.count(led) for _, led in self.steps.after(at))
            self._counts[at] = known
        return known

    def nth(self, at: At, number: int) -> Iterator[str]:
        """The symbols that a plot goes on with, each number to another one."""
        while True:
            if self.steps.may_end(at):
                if not number:
                    return
                number -= 1
            at, number, symbol = self._step(at, number)
            yield symbol

    def _step(self, at: At, number: int) -> tuple[At, int, str]:
        for symbol, led in self.steps.after(at):
            behind = self.count(led)
            if number < behind:
                return led, number, symbol
            number -= behind
        raise AssertionError(f"no plot has this number at {at}")


@lru_cache(maxsize=_KEPT)
def _anywhere(means: Means, frame: Frame) -> Counter:
    """For aircraft of which no place matters; whoever counts leaves something for the next."""
    return Counter(Steps(means, frame), None)


@lru_cache(maxsize=_KEPT)
def _counted(means: Means, frame: Frame, starts: tuple[At, ...]) -> Counter | None:
    """For one aircraft where it is, by itself, so that what is too much depends on nothing else."""
    counter = Counter(Steps(means, frame), MOST_STATES)
    try:
        for at in starts:
            counter.count(at)
    except TooMany:
        return None
    return counter


class PlotSpace:
    """Every plot that one aircraft may fly where it is.

    Attributes:
        size: How many there are.
        counter: Counts how they may go on.
        is_whole: It holds every legal plot.

    Raises:
        Illegal: CIR-2.1, it is too fast for its plots to be counted.
    """

    def __init__(
        self, aircraft: Aircraft, able: Able, frame: Frame, place: Place, book: CircusBook
    ) -> None:
        self.aircraft, self.speeds = aircraft, speeds(aircraft, able, book)
        points, means = self.speeds[-1] + aircraft.ke, means_of(able, book)
        slopes = most_slopes(means, points)
        _check_points(aircraft, points)
        if slopes is not None and slopes < 0:
            raise _too_many(aircraft)
        is_low = frame.is_bound and place.feet is not None
        for known, limits in _narrowed(means, frame, is_low=is_low):
            steps = Steps(known, limits)
            self._starts = {
                speed: tuple(
                    at._replace(place=steps.reduced(at))
                    for at in _starts(aircraft, able, speed, steps, place, book)
                )
                for speed in self.speeds
            }
            starts = tuple(chain.from_iterable(self._starts.values()))
            anywhere = slopes is None and all(at.place is NOWHERE for at in starts)
            counter = _anywhere(known, limits) if anywhere else _counted(known, limits, starts)
            if counter is not None:
                self.counter = counter
                self.size = sum(counter.count(at) for at in starts)
                self.is_whole = (known, limits) == (means, frame) and slopes is None
                return
        raise _too_many(aircraft)

    def starts(self, speed: int) -> tuple[At, ...]:
        """The ways in which a plot at a speed may begin: flight, and dives that fill a move.

        None at a speed that it cannot fly at.
        """
        return self._starts.get(speed, ())

    def nth(self, number: int) -> Plot:
        """One of the plots.

        Args:
            number: 0 to the size less one; each is another plot.
        """
        for speed, starts in self._starts.items():
            for at in starts:
                behind = self.counter.count(at)
                if number < behind:
                    codes = codes_of(list(self.counter.nth(at, number)))
                    return Plot(self.aircraft.id, speed, codes)
                number -= behind
        raise AssertionError(f"no plot of {self.aircraft.id} has this number")


def boundless_space(aircraft: Aircraft, aeroplane: Aeroplane, book: CircusBook) -> PlotSpace | None:
    """Every plot that an aircraft could fly far from ceiling, ground and edges, bound for nowhere.

    None if its plots are too many to count.
    """
    able = assess(aeroplane, aircraft.condition or UNHURT, book)
    frame = Frame(book.settings.map_columns, book.settings.map_rows)
    try:
        return PlotSpace(aircraft, able, frame, NOWHERE, book)
    except Illegal:
        return None


def _narrowed(means: Means, frame: Frame, *, is_low: bool) -> Iterator[tuple[Means, Frame]]:
    """What is counted: everything, or as much of it as is not too much.

    Args:
        is_low: The ground is within reach, and it matters which plots come to it.
    """
    yield means, frame
    if is_low:
        frame = replace(frame, off_the_ground=True)
        yield means, frame
    yield replace(means, zooms=False), frame
    yield replace(means, zooms=False, specials=(), yo_yo=None), frame


def _check_points(aircraft: Aircraft, points: int) -> None:
    if points > MOST_POINTS:
        raise Illegal(
            "CIR-2.1",
            f"{aircraft.id} may have {points} movement points; plots are counted up to "
            f"{MOST_POINTS}. Take one from the list of legal orders, or write your own.",
            aircraft=aircraft.id,
            points=points,
            most=MOST_POINTS,
        )


def _too_many(aircraft: Aircraft) -> Illegal:
    return Illegal(
        "CIR-2.1",
        f"{aircraft.id} has more plots than can be counted. Take one from the list of legal "
        "orders, or write your own.",
        aircraft=aircraft.id,
        most=MOST_STATES,
    )


# ---- How a plot begins


def _starts(
    aircraft: Aircraft, able: Able, speed: int, steps: Steps, place: Place, book: CircusBook
) -> Iterator[At]:
    points, means = speed + aircraft.ke, steps.means
    start = _start(points, steps, place)
    if is_stalled(aircraft, able):
        yield from _stalled(aircraft, speed, start, means, book)
        return
    if means.power_dive_feet is not None and not aircraft.hanging:
        yield start._replace(leg=Leg(VERTICAL, ahead=power_dive_hexes(aircraft, book)))
    if aircraft.power_diving:
        hexes, _, level = halves(points, book)
        yield _pulling_out(start, hexes, level, means, book)
        return
    hexes = len(steep_hexes(speed, aircraft.ke, book))
    if means.steep and hexes:
        yield _down(start, hexes, means)
    slows = speed <= aircraft.speed_mp or book.settings.climbing_acceleration == "allowed"
    climb = means.climb_feet if slows else 0
    ke = min(aircraft.ke, points - 1) if means.zooms else 0
    leg = Leg(BETWEEN, before=HANG) if aircraft.hanging else FREE
    if means.steep_legs:
        leg = leg._replace(feet=1)
    yield start._replace(ke=ke, climb=climb, leg=leg)


def _start(points: int, steps: Steps, place: Place) -> At:
    turns = Turns(0, turned=False, straight=steps.rested)
    return At(points, 0, 0, turns, FREE, most_slopes(steps.means, points), place)


def _down(start: At, hexes: int, means: Means, level: int = 0) -> At:
    """A steep dive, with points of a level half after it if it pulls out of a power dive."""
    gains = (-means.steep_feet,) * hexes
    leg = Leg(STRAIGHT_DOWN, ahead=gains, spent=level)
    return start._replace(mp=max(start.mp, hexes), leg=leg)


def _pulling_out(start: At, hexes: int, level: int, means: Means, book: CircusBook) -> At:
    if not hexes:
        return start._replace(leg=Leg(PULL_OUT))
    if pulls_out_steeply(book):
        return _down(start, hexes, means, level)
    gains = _shallow_gains(hexes, means)
    return start._replace(leg=Leg(STRAIGHT_DOWN, feet=1, ahead=gains, spent=level))


def _shallow_gains(hexes: int, means: Means) -> tuple[int, ...]:
    """What a shallow dive straight ahead does to the height, hex by hex."""
    lost = [spent // means.dive_mp * means.dive_feet for spent in range(hexes + 1)]
    return tuple(before - after for before, after in pairwise(lost))


def _stalled(
    aircraft: Aircraft, speed: int, start: At, means: Means, book: CircusBook
) -> Iterator[At]:
    hexes = max(len(steep_hexes(speed, aircraft.ke, book)), 1)
    yield _down(start, hexes, means)
    points = start.mp
    if book.settings.stall_recovery == "shallow-dive" and points >= means.dive_mp:
        gains = _shallow_gains(points, means)
        yield start._replace(leg=Leg(STRAIGHT_DOWN, feet=1, ahead=gains))
