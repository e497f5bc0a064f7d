"""Plots letter by letter: what may come next, and what it leaves to be spent.

A plot is spelled in symbols: `H` is one hex and the others are codes. The hexes of a yo-yo are `h`,
its hexsides `l` and `r`, and `HYY` and `LYY` stand for its first hex. Which arrow will close a leg
is chosen where the leg begins as far as costs and heights depend on it, so that they are known at
every symbol; each plot is spelled in one way only.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from guncamera.rulesets.circus.plot_frame import NOWHERE, Frame, Place
from guncamera.rulesets.circus.plot_means import AHEAD, Means, Stop
from guncamera.rulesets.circus.walk import spread

# What an aircraft is about. Plain numbers, for states are hashed by the hundred thousand.
BETWEEN, FLAT, LEVEL, CLIMB, SHALLOW, STEEP, YO_YO = range(7)
PULL_OUT, STRAIGHT_DOWN, VERTICAL, OVER = range(7, 11)
# What stands before, between two legs: anything; a propeller hang; a yo-yo; a level leg closed by
# `=`, after which a leg must follow, and one that is not level if nothing zoomed.
ANYTHING, HANG, AFTER_YO_YO, LEG_NEXT, SLOPE_NEXT = range(5)

STEEPEST_FEET = 300
"""The most that a movement point of a dive straight down costs, by any setting."""
SLACK_FEET = 200
"""What turns that cost no points, and half points of a dive, may cost of height besides."""
MOST_SIGNS, YO_YO_SIGNS, SLOPE_SIGNS = 161, 8, 5
SLOPES = frozenset("=^vZ")
"""How arrows and zooms begin."""

Step = tuple[str, "At"]


class Turns(NamedTuple):
    """What bars a turn.

    Attributes:
        sides: Hexsides turned in the present hex.
        turned: There was a turn in the hex before. False where that bars nothing.
        straight: Hexes entered since the last turn, up to what the turn code asks and one.
    """

    sides: int
    turned: bool
    straight: int


class Leg(NamedTuple):
    """What an aircraft is about.

    Attributes:
        feet: Of the climb that the leg will be closed by. Of a leg that may be level or climb: 1
            if it must climb. Straight down: 1 for `v`, else `vv`. Between two legs and in a steep
            one: 1 if nothing stands before, where that matters.
        ahead: Hexes that the leg must have yet, at the least; or, where heights matter, what each
            of them climbs. Of a power dive: 1 if it goes a hex ahead first.
        spent: Movement points of a shallow dive, hexes of a leg that may climb, as far as either
            matters; of a yo-yo, 1 if the next hex climbs; straight down, points of the level half;
            hexes of a steep leg, which count one point until their arrow.
        zoom: Points of the zoom that is the last symbol; -1 if the leg has one before.
        before: What stands before, between two legs.
        pull: Feet of zooms that are to be climbed yet, where a hex takes only so many.
    """

    kind: int
    feet: int = 0
    ahead: int | tuple[int, ...] = 0
    spent: int = 0
    zoom: int = 0
    before: int = ANYTHING
    pull: int = 0

    @property
    def may_be_level(self) -> bool:
        """Whether it may be over here without an arrow."""
        done = not (self.ahead or self.pull)
        return done and (self.kind == LEVEL or (self.kind == FLAT and not self.feet))

    @property
    def is_free(self) -> bool:
        """Whether it is between two legs, and need not fly another."""
        return self.kind == BETWEEN and self.before not in (LEG_NEXT, SLOPE_NEXT)


FREE = Leg(BETWEEN)
DONE = Leg(OVER)


class At(NamedTuple):
    """How far a plot has come, as far as it matters for the rest.

    Attributes:
        mp: Movement points left; hexes straight down count one until their arrow.
        ke: Of these, points that may be spent on zooms.
        climb: Feet of climb by engine that are left.
        slopes: Arrows and zooms that may come yet; None where no plot can grow too long.
        place: Where it is.
    """

    mp: int
    ke: int
    climb: int
    turns: Turns
    leg: Leg
    slopes: int | None
    place: Place


class Steps:
    """What may come next in the plots of an aircraft."""

    def __init__(self, means: Means, frame: Frame) -> None:
        self.means, self.frame = means, frame
        self.rested = means.straight_hexes + 1 if means.straight_hexes else 0
        self._rise_feet, self._fall_feet = means.rise_feet, means.fall_feet
        self._needs_heights = frame.needs_heights

    def after(self, at: At) -> list[Step]:
        """The symbols that may come next, in a fixed order, and what each leads to.

        A symbol comes more than once where the rest of its leg can be told apart.
        """
        kind = at.leg.kind
        if kind == STRAIGHT_DOWN:
            return list(self._straight_down(at))
        if kind == VERTICAL:
            return list(self._power_dive(at))
        if kind == PULL_OUT:
            return [*self._hex(at, at.leg), *self._turns(at, at.leg, "LR")]
        return [] if kind == OVER else list(self._ordinary(at))

    def may_end(self, at: At) -> bool:
        """Whether the plot is whole."""
        if at.mp or not self.frame.is_homeward(at.place):
            return False
        leg = at.leg
        return leg.kind in (YO_YO, PULL_OUT, OVER) or leg.may_be_level or leg.is_free

    # ---- Ordinary moves

    def _ordinary(self, at: At) -> Iterator[Step]:
        leg = at.leg
        if leg.kind in (BETWEEN, YO_YO):
            for begun, climb in self._legs(at):
                yield from self._flight(at._replace(climb=climb), begun)
        else:
            yield from self._flight(at, leg)
            yield from self._arrow(at)
        if leg.kind == YO_YO:
            yield from self._in_a_yo_yo(at)
        if leg.kind == YO_YO or leg.may_be_level or leg.is_free:
            yield from self._specials(at)

    def _legs(self, at: At) -> Iterator[tuple[Leg, int]]:
        """The legs that may begin here, and the feet of climb that each leaves."""
        means, must_slope = self.means, at.leg.before == SLOPE_NEXT
        yield Leg(SHALLOW), at.climb
        if means.steep_legs:
            first = at.leg.feet if at.leg.kind == BETWEEN else 0
            yield Leg(STEEP, first, ahead=1), at.climb
        if not means.powered:
            return
        if not self._climbs_count(at):
            yield Leg(FLAT, int(must_slope)), at.climb
            return
        if not must_slope:
            yield Leg(LEVEL), at.climb
        for feet in range(means.step_feet, at.climb + 1, means.step_feet):
            for hexes in range(-(-feet // means.hex_feet), at.mp + 1):
                gains = tuple(spread(feet, hexes, means.step_feet))
                yield Leg(CLIMB, feet, gains), at.climb - feet

    def _climbs_count(self, at: At) -> bool:
        """Whether it matters where in a leg height is gained."""
        return self._needs_heights and at.place.feet is not None

    def _flight(self, at: At, leg: Leg) -> Iterator[Step]:
        if leg.kind == STEEP:
            yield from self._steep_hex(at, leg)
            return
        yield from self._hex(at, leg)
        yield from self._turns(at, leg, "LR")
        if self.means.zooms and at.ke and leg.kind != SHALLOW:
            yield from self._zooms(at, leg)

    def _hex(self, at: At, leg: Leg) -> Iterator[Step]:
        if not at.mp:
            return
        gain, ahead = 0, leg.ahead
        if isinstance(ahead, tuple):
            if not ahead:
                return
            gain, ahead = ahead[0], ahead[1:]
        elif ahead:
            ahead -= 1
        spent, lost = self._spent(at, leg, 1, 1)
        pulled = min(leg.pull, self.means.pull_feet)
        gain += pulled
        zoom, pull = -1 if leg.zoom else 0, leg.pull - pulled
        led = Leg(leg.kind, leg.feet, ahead, spent, zoom, pull=pull)
        stops = (Stop(feet=gain - lost),) if gain != lost else _ONE_HEX
        yield from self._led(at, "H", 1, self._entered(at, 1), led, stops)

    def _steep_hex(self, at: At, leg: Leg) -> Iterator[Step]:
        led = leg._replace(ahead=0, spent=leg.spent + 1)
        stops = (Stop(feet=-self.means.steep_feet),)
        yield from self._led(at, "H", 1, self._entered(at, 1), led, stops)

    def _turns(self, at: At, leg: Leg, symbols: str) -> Iterator[Step]:
        means, turns = self.means, at.turns
        sides = turns.sides + 1
        if sides > means.sides or at.mp < means.side_mp:
            return
        if means.gentle_turns and (turns.sides or turns.turned):
            return
        if sides == 1 and turns.straight <= means.straight_hexes and means.straight_hexes:
            return
        spent, lost = self._spent(at, leg, means.side_mp if means.turns_dive else 0, 0)
        if sides == 2 or (sides > 2 and not means.side_feet_once):
            lost += means.side_feet
        zoom = -1 if leg.zoom else 0
        led = Leg(leg.kind, leg.feet, leg.ahead, spent, zoom, pull=leg.pull)
        turned = Turns(sides, turns.turned, 0)
        for symbol, sixths, may in ((symbols[0], 1, means.left), (symbols[1], -1, means.right)):
            if may:
                stops = (Stop((), sixths, -lost),)
                yield from self._led(at, symbol, means.side_mp, turned, led, stops)

    def _spent(self, at: At, leg: Leg, mp: int, hexes: int) -> tuple[int, int]:
        """What counts of a leg after an act, and the height that a dive loses by it."""
        means = self.means
        if leg.kind == FLAT:
            return min(leg.spent + hexes, -(-at.climb // means.hex_feet)), 0
        if leg.kind != SHALLOW:
            return leg.spent, 0
        spent = leg.spent + mp
        lost = (spent // means.dive_mp - leg.spent // means.dive_mp) * means.dive_feet
        if spent >= means.dive_mp:
            spent = means.dive_mp + (0 if at.place.feet is None else spent % means.dive_mp)
        return spent, lost

    def _zooms(self, at: At, leg: Leg) -> Iterator[Step]:
        """Of zooms side by side the smaller come first, for they are the same the other way."""
        for points in range(max(leg.zoom, 1), min(at.ke, at.mp - 1) + 1):
            symbol = f"Z{points}"
            left = at._replace(ke=at.ke - points)
            for ahead, pull in self._zoomed(at, leg, points):
                led = Leg(leg.kind, leg.feet, ahead, leg.spent, points, pull=pull)
                yield from self._led(left, symbol, points, at.turns, led, ())

    def _zoomed(self, at: At, leg: Leg, points: int) -> Iterator[tuple[int | tuple[int, ...], int]]:
        """What a zoom makes of the hexes ahead in its leg, of which there must be one, and of the
        feet that are to be climbed yet."""
        means, ahead = self.means, leg.ahead
        feet = points * means.zoom_feet
        if means.pull_feet:
            pull = leg.pull + feet
            if pull <= means.pull_feet * self._hexes_ahead(at, leg, points):
                yield ahead, pull
        elif isinstance(ahead, tuple):
            if ahead:
                gains = spread(feet, len(ahead), means.step_feet)
                yield tuple(one + more for one, more in zip(ahead, gains)), 0
        elif not self._climbs_count(at):
            yield max(ahead, 1), 0
        else:
            for hexes in range(1, at.mp - points + 1):
                yield tuple(spread(feet, hexes, means.step_feet)), 0

    @staticmethod
    def _hexes_ahead(at: At, leg: Leg, points: int) -> int:
        """The most hexes that a leg may have after a zoom."""
        return len(leg.ahead) if isinstance(leg.ahead, tuple) else at.mp - points

    def _arrow(self, at: At) -> Iterator[Step]:
        """The arrows that may close the leg."""
        means, leg = self.means, at.leg
        if leg.ahead or leg.pull:
            return
        if leg.kind == SHALLOW:
            if leg.spent >= means.dive_mp:
                yield from self._closed(at, "v", FREE)
        elif leg.kind == STEEP:
            owed = leg.spent * (means.steep_mp - 1)
            if at.mp > owed or not leg.feet:  # by itself it is a dive that fills the move
                yield from self._led(at, "vv", owed, at.turns, FREE, ())
        elif leg.kind == CLIMB:
            yield from self._closed(at, f"^{leg.feet}", FREE)
        else:
            if leg.may_be_level:
                before = LEG_NEXT if leg.zoom else SLOPE_NEXT
                yield from self._closed(at, "=", Leg(BETWEEN, before=before))
            if leg.kind == FLAT:
                most = min(at.climb, means.hex_feet * leg.spent)
                for feet in range(means.step_feet, most + 1, means.step_feet):
                    yield from self._closed(at._replace(climb=at.climb - feet), f"^{feet}", FREE)

    def _closed(self, at: At, symbol: str, leg: Leg) -> Iterator[Step]:
        yield from self._led(at, symbol, 0, at.turns, leg, ())

    # ---- Special manoeuvres

    def _specials(self, at: At) -> Iterator[Step]:
        before = at.leg.before if at.leg.kind == BETWEEN else ANYTHING
        for special in self.means.specials:
            if special.mp <= at.mp and (before != HANG or special.follows_a_hang):
                leg = Leg(BETWEEN, before=HANG) if special.hangs else FREE
                turns = self._entered(at, special.enters)
                symbol, stops = special.symbol, special.stops
                yield from self._led(at, symbol, special.mp, turns, leg, stops)
        for symbol, rises in (("HYY", True), ("LYY", False)):
            if self._may_begin_yo_yo(at.leg, before, rises=rises):
                yield from self._yo_yo_hex(at, symbol, rises=rises)

    def _may_begin_yo_yo(self, leg: Leg, before: int, *, rises: bool) -> bool:
        """Whether a yo-yo may begin: in one, only where it does not merely go on alternating."""
        if leg.kind == YO_YO:
            return self.means.yo_yos_repeat and rises != (leg.spent > 0)
        return before != HANG and (before != AFTER_YO_YO or self.means.yo_yos_repeat)

    def _in_a_yo_yo(self, at: At) -> Iterator[Step]:
        yield from self._yo_yo_hex(at, "h", rises=at.leg.spent > 0)
        yield from self._turns(at, at.leg, "lr")

    def _yo_yo_hex(self, at: At, symbol: str, *, rises: bool) -> Iterator[Step]:
        yo_yo = self.means.yo_yo
        if yo_yo is None:
            return
        mp = yo_yo.climb_mp if rises else yo_yo.dive_mp
        stop = Stop(feet=yo_yo.climb_feet if rises else yo_yo.dive_feet)
        alike = at.place.feet is None and yo_yo.climb_mp == yo_yo.dive_mp
        alike = alike and not self.means.yo_yos_repeat
        leg = Leg(YO_YO, spent=0 if alike or rises else 1)
        yield from self._led(at, symbol, mp, self._entered(at, 1), leg, (stop,))

    # ---- Dives that fill a move

    def _straight_down(self, at: At) -> Iterator[Step]:
        """Hexes of a dive straight ahead, and the arrow after the last of them."""
        leg = at.leg
        if isinstance(leg.ahead, tuple) and leg.ahead:
            led = leg._replace(ahead=leg.ahead[1:])
            stops = (Stop(feet=leg.ahead[0]),)
            yield from self._led(at, "H", 1, self._entered(at, 1), led, stops)
            return
        symbol, led = "v" if leg.feet else "vv", Leg(PULL_OUT) if leg.spent else DONE
        yield from self._led(at, symbol, at.mp - leg.spent, at.turns, led, ())

    def _power_dive(self, at: At) -> Iterator[Step]:
        feet = self.means.power_dive_feet
        if feet is not None:
            ahead = 1 if at.leg.ahead else 0
            down = (*(AHEAD,) * ahead, *(Stop((), 0, -feet) for _ in range(at.mp - ahead)))
            yield from self._led(at, "PD", at.mp, at.turns, DONE, down)

    # ---- What a symbol leads to

    def _entered(self, at: At, hexes: int) -> Turns:
        """What entering so many hexes does to turns."""
        turns = at.turns
        if not hexes:
            return turns
        turned = self.means.gentle_turns and hexes == 1 and turns.sides > 0
        return Turns(0, turned, min(turns.straight + hexes, self.rested))

    def _led(
        self,
        at: At,
        symbol: str,
        mp: int,
        turns: Turns,
        leg: Leg,
        stops: tuple[Stop, ...],
    ) -> Iterator[Step]:
        """A state after a symbol and its stops, if it can be paid for and leads nowhere barred."""
        left, slopes, place = at.mp - mp, at.slopes, at.place
        if left < 0:
            return
        if slopes is not None:
            slopes = min(slopes - (symbol[0] in SLOPES), 2 * left + 2)
            if slopes < 0:
                return
        ke = at.ke if at.ke < left else max(left - 1, 0)  # more can no longer be spent
        if not self.rested:
            turns = Turns(turns.sides, turns.turned, 0)
        if place is NOWHERE:
            yield symbol, At(left, ke, at.climb, turns, leg, slopes, NOWHERE)
            return
        there: Place | None = place
        for stop in stops:
            there = None if there is None else self.frame.stood(there, stop)
        if there is not None:
            led = At(left, ke, at.climb, turns, leg, slopes, there)
            yield symbol, led._replace(place=self.reduced(led))

    def reduced(self, at: At) -> Place:
        """Where it is, as far as that matters for the rest of the plot."""
        if at.place is NOWHERE:
            return NOWHERE
        rise = fall = 0
        if at.place.feet is not None:
            ahead = at.leg.ahead if isinstance(at.leg.ahead, tuple) else ()
            zooms = self.means.zoom_feet * at.ke
            rise = at.climb + max(sum(ahead), 0) + at.leg.pull + zooms + self._rise_feet * at.mp
            straight = at.leg.kind in (STRAIGHT_DOWN, VERTICAL)
            fall = (STEEPEST_FEET if straight else self._fall_feet) * at.mp + SLACK_FEET
        place = self.frame.reduced(at.place, at.mp, rise, fall)
        return NOWHERE if place == NOWHERE else place


_ONE_HEX = (AHEAD,)


def most_slopes(means: Means, mp: int) -> int | None:
    """Arrows and zooms that a plot of so many points may have, for its codes to fit in 160 signs.

    Each code and the space after it are counted as 3 signs, an arrow or a zoom as 5, a yo-yo as 8.

    Returns:
        None if every plot fits. Less than 0 if one may be too long without any.
    """
    if means.side_mp:
        # With the arrows among them, codes take 5 signs a point, and those of climbs 5 more.
        climbs = SLOPE_SIGNS * (means.climb_feet // means.step_feet)
        if 5 * mp + climbs + YO_YO_SIGNS <= MOST_SIGNS:
            return None
        fixed = 4 * mp
    else:
        fixed = 3 * (1 + means.sides) * mp + 3 * means.sides
    left = (MOST_SIGNS - YO_YO_SIGNS - fixed) // SLOPE_SIGNS
    # A leg that climbs, or zooms, spends a point at least, and one between two such none.
    return None if left >= 2 * mp + 2 else left
