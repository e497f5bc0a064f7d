"""Following a torpedo: from which speeds a next shot can be reached, and how often.

A chase stands one hex behind the torpedo, or one hex ahead of it for a head-on shot, at its
altitude. The wind then shifts it one hex further than the aircraft wherever on the board they are,
so every turn is ruled on in the middle. Plots are searched with the search that lists legal
orders, and each one found is ruled on by the rules of flight and of sights.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

from guncamera.rules.dealt import DealtDice
from guncamera.rules.hexes import HexDirection
from guncamera.rules.refusal import Illegal
from guncamera.rules.trace import Trace
from guncamera.rulesets.kettering.book import KetteringBook, figure, profile_of
from guncamera.rulesets.kettering.courses import handling, path_to
from guncamera.rulesets.kettering.facts import (
    Aircraft,
    Aspect,
    Drifter,
    Flight,
    Flown,
    MoveFacts,
    Plot,
    SpotFacts,
    Torpedo,
)
from guncamera.rulesets.kettering.limits import flight_limits
from guncamera.rulesets.kettering.map import hex_at, label
from guncamera.rulesets.kettering.move import deployment_speeds, rule_on_move
from guncamera.rulesets.kettering.performance import assess
from guncamera.rulesets.kettering.published_turn import advance_odds, middle, wind_odds
from guncamera.rulesets.kettering.spot import rule_on_spot

ALTITUDE_METRES = 1_000
TURNS_TO_SETTLE = 200
NO_DICE = DealtDice(())


class Next(NamedTuple):
    """What a turn of the torpedo came to, before the aircraft flies."""

    wind: HexDirection
    torpedo: Torpedo
    aircraft_hex: str
    p: Fraction

    @property
    def change_metres(self) -> int:
        """How far it climbed or dived."""
        return self.torpedo.altitude_metres - ALTITUDE_METRES


Follow = list[tuple[Next, frozenset[int]]]
"""Each next turn, with the speeds at which a shot can then be had."""
Place = tuple[int, int]
"""The torpedo's speed and the aircraft's, one hex behind it."""
Pick = Callable[[Collection[int]], Mapping[int, float]]
"""How a pilot picks among the speeds that keep him behind it: each with its probability."""

PICKS: Mapping[str, Pick] = {
    "slowest": lambda speeds: {min(speeds): 1.0},
    "any": lambda speeds: dict.fromkeys(speeds, 1 / len(speeds)),
    "fastest": lambda speeds: {max(speeds): 1.0},
}


class Settled(NamedTuple):
    """A long chase: the share of turns that it goes on, and where it stands meanwhile."""

    share: float
    places: Mapping[Place, float]


class Chase:
    """Chases under one book."""

    def __init__(self, book: KetteringBook) -> None:
        self._book = book
        self._turns: dict[tuple[HexDirection, Aspect, int], list[Next]] = {}
        self._follow: dict[tuple[str, HexDirection, Aspect, Place], Follow] = {}

    @property
    def tracks(self) -> range:
        """The speeds of a torpedo."""
        return range(figure(self._book, "slow_speed"), figure(self._book, "fast_speed") + 1)

    def speeds(self, kind: str) -> range:
        """The speeds of an aircraft."""
        profile = profile_of(kind, self._book, "aircraft_type")
        return deployment_speeds(assess(profile, None, self._book, Trace()))

    def turns(self, heading: HexDirection, aspect: Aspect, track: int) -> list[Next]:
        """What the next turn of a torpedo at some speed may come to."""
        key = heading, aspect, track
        if key not in self._turns:
            self._turns[key] = list(self._blown_and_moved(heading, aspect, track))
        return self._turns[key]

    def follow(self, kind: str, heading: HexDirection, aspect: Aspect, place: Place) -> Follow:
        """Each next turn, with the speeds at which a tail shot at one hex can then be had."""
        key = kind, heading, aspect, place
        if key not in self._follow:
            facing = heading if aspect == Aspect.TAIL else heading.opposite()
            self._follow[key] = [
                (one, self._shots(kind, facing, place[1], one))
                for one in self.turns(heading, aspect, place[0])
            ]
        return self._follow[key]

    def share(self, kind: str, heading: HexDirection, aspect: Aspect, place: Place) -> Fraction:
        """The probability that the next turn brings a shot."""
        found = self.follow(kind, heading, aspect, place)
        return sum((one.p for one, speeds in found if speeds), Fraction(0))

    def head_on_share(self, kind: str, heading: HexDirection) -> float:
        """As `share`, after a head-on shot at full speed, over the torpedo's speeds in the end."""
        top = self.speeds(kind)[-1]
        tracks = dict.fromkeys(self.tracks, 1 / len(self.tracks))
        for _ in range(TURNS_TO_SETTLE):
            after: dict[int, float] = defaultdict(float)
            for track, p in tracks.items():
                for one in self.turns(heading, Aspect.HEAD_ON, track):
                    after[one.torpedo.speed_mp] += p * float(one.p)
            tracks = after
        return sum(
            p * float(self.share(kind, heading, Aspect.HEAD_ON, (track, top)))
            for track, p in tracks.items()
        )

    def settled(self, kind: str, heading: HexDirection, pick: Pick) -> Settled:
        """A chase from behind that has gone on for long, one hex off every turn."""
        places = [(track, speed) for track in self.tracks for speed in self.speeds(kind)]
        here = dict.fromkeys(places, 1 / len(places))
        share = 0.0
        for _ in range(TURNS_TO_SETTLE):
            after: dict[Place, float] = defaultdict(float)
            for place, p in here.items():
                for one, speeds in self.follow(kind, heading, Aspect.TAIL, place):
                    for speed, q in pick(speeds).items() if speeds else ():
                        after[one.torpedo.speed_mp, speed] += p * q * float(one.p)
            share = sum(after.values())
            if not share:
                return Settled(0.0, {})
            here = {place: p / share for place, p in after.items()}
        return Settled(share, here)

    def _blown_and_moved(self, heading: HexDirection, aspect: Aspect, track: int) -> Iterator[Next]:
        at = middle(self._book)
        behind = at.step(heading, -1 if aspect == Aspect.TAIL else 1)
        torpedo = Torpedo(label(at), heading, ALTITUDE_METRES, track)
        drifter = Drifter(label(behind), ALTITUDE_METRES)
        for wind, p in wind_odds(torpedo, self._book, drifter).outcomes.items():
            altitude = wind.torpedo_altitude_metres
            blown = Torpedo(wind.torpedo_hex, heading, altitude, track)
            moved = advance_odds(blown, self._book, wind_mp=wind.torpedo_wind_mp)
            for one, q in moved.outcomes.items():
                after = Torpedo(one.hex, heading, altitude, one.speed_mp)
                yield Next(wind.wind_toward, after, wind.aircraft_hex, p * q)

    def _shots(self, kind: str, facing: HexDirection, speed: int, one: Next) -> frozenset[int]:
        """The speeds at which the aircraft can fly to one hex behind the torpedo and sight it."""
        aircraft = Aircraft(kind, one.aircraft_hex, facing, ALTITUDE_METRES, speed)
        return frozenset(
            plot.speed_mp for plot in self._plots(aircraft, one) if self._hits(aircraft, plot, one)
        )

    def _plots(self, aircraft: Aircraft, one: Next) -> Iterator[Plot]:
        """A plot for each speed that leads there, if the course search knows one."""
        book, change = self._book, one.change_metres
        limits = flight_limits(aircraft, book)
        if change not in limits.changes():
            return
        able = handling(limits, book)
        heading = one.torpedo.heading
        start = hex_at(aircraft.hex, book, "hex")
        spot = hex_at(one.torpedo.hex, book, "hex").step(heading, -1)
        end = spot.q, spot.r, heading.facing, able.straight
        for speed in range(limits.slowest, limits.fastest + 1):
            for bonus in limits.bonuses(change, book):
                path = path_to(able, speed, bonus, start, aircraft.facing, end, book)
                if path is not None:
                    yield Plot(speed, change, bonus, path)

    def _hits(self, aircraft: Aircraft, plot: Plot, one: Next) -> bool:
        """Whether the rules let the plot be flown, and sight the torpedo at one hex after it."""
        torpedo = one.torpedo
        flight = MoveFacts(Flight(aircraft, plot, torpedo.hex))
        try:
            flown = rule_on_move(flight, self._book, NO_DICE).outcome.procedure
        except Illegal:
            return False
        if not isinstance(flown, Flown) or flown.left_board:
            return False
        facts = SpotFacts(
            flown.hex,
            flown.facing,
            flown.altitude_metres,
            flown.straight_hexes,
            torpedo.hex,
            torpedo.heading,
            torpedo.altitude_metres,
        )
        seen = rule_on_spot(facts, self._book, NO_DICE).outcome
        return seen.sighted and seen.aspect == Aspect.TAIL and seen.range_hexes == 1
