"""Flying Circus, greedy: the plot whose shots promise most hits in this very turn.

What it hits, less what hits it, if its nearest enemy goes straight on or turns a little; by the
firing clock and the mean of the combat tables. It takes no risk with ground, edge or airframe, and
where there is no shot it goes for the enemy's tail. Shots and all else are those of the rule set's
own pilot.
"""

from __future__ import annotations

from collections.abc import Sequence

from guncamera.rules.hexes import Hex
from guncamera.rules.ruleset import LegalOrder, Verb
from guncamera.rulesets.circus.aircraft import Side
from guncamera.rulesets.circus.book import CircusBook
from guncamera.rulesets.circus.clock import aim
from guncamera.rulesets.circus.facts import Plot
from guncamera.rulesets.circus.homeward import plots_of
from guncamera.rulesets.circus.orders import MoveOrder, Phase, Plots, TurnOrder, View
from guncamera.rulesets.circus.pilot import stock
from guncamera.rulesets.circus.pilot_aim import (
    EVERY,
    Fighter,
    Guess,
    Rough,
    flown,
    stance,
    standing_still,
)
from guncamera.rulesets.circus.pilot_flight import Scene, is_legal, leaves, scene
from guncamera.rulesets.circus.pilot_guess import straight_on
from guncamera.rulesets.circus.pilot_options import Option, plain_options_of
from guncamera.rulesets.circus.view import board_of

FINALISTS = 8
"""Plots that are looked at by the firing clock; the others roughly."""
SAFE_FEET = 900
STRAIGHT, SIDES = 0.5, (1, 5)
"""How surely the enemy goes straight on; else he turns by so many hexsides."""
NEARER = 0.05
"""What it is worth to come to the enemy's tail, against a hit: it tells plots apart."""


def choose(view: View, seat: str, book: CircusBook, nth: int) -> LegalOrder:
    """The order of a seat that sees so much."""
    if view.phase not in (Phase.PLOT, Phase.MOVE):
        return stock(view, seat, book, nth)
    seen = scene(view, board_of(view, book), Side(seat), book, nth)
    found = tuple(_plot(mine, seen) for mine in seen.mine)
    told = "; ".join(f"{one.aircraft} {one.codes} at speed {one.speed_mp}" for one in found)
    words = f"Plot {told}." if found else "Let the aircraft without pilots fall."
    return LegalOrder(Verb.MOVE, MoveOrder(Plots(found)), words)


def _plot(mine: Fighter, seen: Scene) -> Plot:
    """The best plot that is legal where the aircraft is."""
    for option in _ranked(mine, seen):
        plot = Plot(mine.craft.aircraft.id, option.speed_mp, option.codes)
        if is_legal(mine, plot, seen):
            return plot
    return next(plots_of(mine.craft, seen.board, seen.book))


def _ranked(mine: Fighter, seen: Scene) -> Sequence[Option]:
    """The safe options, the best first."""
    options = plain_options_of(mine.craft.aircraft, mine.aeroplane, seen.book)
    safe = [one for one in options if _is_safe(mine, one, seen)]
    enemy = min(seen.enemies, key=lambda other: _away(mine, other), default=None)
    if enemy is None:
        return safe
    expected = _expected(enemy, seen)
    rough = Rough(mine, enemy, expected, seen.book)
    safe.sort(key=lambda one: -rough.worth(mine.place.samples(one.moments[EVERY - 1 :: EVERY])))
    final = sorted(safe[:FINALISTS], key=lambda one: -_worth(mine, one, enemy, expected, seen))
    return [*final, *safe[FINALISTS:]]


def _is_safe(mine: Fighter, option: Option, seen: Scene) -> bool:
    high = mine.place.feet + option.moments[-1][3] >= SAFE_FEET
    return high and (mine.craft.broken or not leaves(flown(mine, option), seen))


def _away(mine: Fighter, other: Fighter) -> tuple[int, str]:
    here, there = Hex(mine.place.q, mine.place.r), Hex(other.place.q, other.place.r)
    return here.distance(there), other.craft.aircraft.id


def _expected(enemy: Fighter, seen: Scene) -> tuple[Guess, ...]:
    """Straight on, or as fast a hexside to either side; in alternate turns he stands still."""
    if seen.view.turn_order == TurnOrder.ALTERNATE:
        return (standing_still(enemy, 1.0),)
    straight = straight_on(enemy, STRAIGHT, seen.book)
    options = plain_options_of(enemy.craft.aircraft, enemy.aeroplane, seen.book)
    turned = []
    for facing in SIDES:
        for one in options:
            if one.moments[-1][2] == facing and one.speed_mp == straight.speed_mp:
                turned.append(flown(enemy, one, (1 - STRAIGHT) / len(SIDES)))
                break
    return (straight, *turned)


def _worth(
    mine: Fighter, option: Option, enemy: Fighter, expected: Sequence[Guess], seen: Scene
) -> float:
    """Hits to hope for, less those to fear."""
    flight, found = flown(mine, option), 0.0
    for guess in expected:
        worth = NEARER * stance(flight.moments[-1], guess.moments[-1])
        worth += _hits(mine, flight, guess, seen)
        worth -= mine.threat * _hits(enemy, guess, flight, seen)
        found += guess.share * worth
    return found


def _hits(one: Fighter, flight: Guess, other: Guess, seen: Scene) -> float:
    total = 0.0
    for gun in one.guns:
        found = aim(flight.route, other.route, gun.sights, seen.book, gunner=one.gunner)
        if found.may_fire:
            total += gun.worths[found.range_hexes]
    return total
