"""What shots are worth to the stock pilot, and which he fires."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from guncamera.rules.dice import D6
from guncamera.rules.ruleset import LegalOrder, Verb
from guncamera.rulesets.circus import guns
from guncamera.rulesets.circus.aircraft import UNHURT, Aeroplane, Feed, Mount, Side
from guncamera.rulesets.circus.book import CircusBook, aeroplane_of
from guncamera.rulesets.circus.map import hex_at
from guncamera.rulesets.circus.orders import (
    ChangeDrum,
    Craft,
    FireOrder,
    HoldFire,
    Opportunity,
    Shoot,
    View,
)
from guncamera.rulesets.circus.volley import is_barred

LONGEST = 8
CRITICAL_WORTH = 2.5
"""A critical hit, in hits."""
LEAST_WORTH, LEAST_WORTH_OF_FEW = 0.12, 0.4
FEW_POINTS = 3
LONG_BURST_RANGE, LONG_BURST_POINTS = 2, 4
LONG_BURST_RESOLUTION, LONG_BURST_TURNS = 5, 6
"""A jam mostly lasts for the rest of the game: long bursts are for what they may decide."""
IDLE_HEXES = 9
"""So far away no enemy is shot at in the next turn but one that comes straight on."""


@lru_cache(maxsize=256)
def worths(table: int, modifier: int, book: CircusBook) -> tuple[float, ...]:
    """What a shot on a combat table is worth at each range, in hits; at 0 nothing."""
    chart = book.tables[f"crt-{table}"]
    found = [0.0]
    for range_hexes in range(1, LONGEST + 1):
        dice = (min(max(face + modifier, 1), D6) for face in range(1, D6 + 1))
        hits = [chart.number(die, str(range_hexes)) for die in dice]
        found.append(sum(hits) / D6 * (1 + CRITICAL_WORTH / D6))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Battery:
    """The guns of a mount that can fire, and what they are worth at each range."""

    mount: Mount
    worths: tuple[float, ...]


def batteries(craft: Craft, aeroplane: Aeroplane, book: CircusBook) -> tuple[Battery, ...]:
    """The guns that an aircraft could fire in the next fire phase."""
    aircraft = craft.aircraft
    loads = guns.loads_of(aeroplane, aircraft.loads, "loads")
    found = []
    for mount in dict.fromkeys(weapon.mount for weapon in aeroplane.weapons):
        if is_barred(craft, mount, book) or not guns.can_fire(
            aeroplane, loads, mount, aircraft.condition, book
        ):
            continue
        ready = [aeroplane.weapons[at] for at in guns.ready_on(aeroplane, loads, mount)]
        modifier = _modifier(craft, mount, book)
        found.append(Battery(mount, worths(guns.combat_table(ready), modifier, book)))
    return tuple(found)


def has_ammunition(craft: Craft, aeroplane: Aeroplane) -> bool:
    """Whether some gun can fire again in this game: it has rounds, and is not jammed for good."""
    loads = guns.loads_of(aeroplane, craft.aircraft.loads, "loads")
    return any(load.points or load.spare for load in loads)


def _modifier(craft: Craft, mount: Mount, book: CircusBook) -> int:
    """What a gunner adds to the die, for a target that is not below."""
    if mount not in guns.GUNNERS:
        return 0
    wounded = (craft.aircraft.condition or UNHURT).gunner_wounds > 0
    return book.tables["gunner"].number("level", "instead") - wounded


# ---- Which shot to fire


def fire(view: View, side: Side, book: CircusBook) -> LegalOrder:
    """The best shot that is worth its ammunition; then drums to change; then no more."""
    mine = {craft.aircraft.id: craft for craft in view.craft if craft.side == side}
    shots = [
        (_worth(one, mine[one.shooter], view, book), -nth, one)
        for nth, one in enumerate(view.opportunities)
        if one.shooter in mine
    ]
    for worth, _, one in sorted(shots, key=lambda shot: shot[:2], reverse=True):
        points = _points(mine[one.shooter], one.mount, view, book)
        if worth >= (LEAST_WORTH if points > FEW_POINTS else LEAST_WORTH_OF_FEW):
            return _shoot(one, mine[one.shooter], points, view, book)
    return _change(view, side, book) or LegalOrder(
        Verb.FIRE, FireOrder(HoldFire()), "Fire no more in this phase."
    )


def _figures(craft: Craft, view: View, book: CircusBook) -> Aeroplane:
    return aeroplane_of(craft.aircraft.aeroplane, view.own_aeroplanes, book, "aeroplane")


def _worth(one: Opportunity, shooter: Craft, view: View, book: CircusBook) -> float:
    """What a shot is worth; more where it may break the target's pilot."""
    aeroplane = _figures(shooter, view, book)
    loads = guns.loads_of(aeroplane, shooter.aircraft.loads, "loads")
    ready = [aeroplane.weapons[at] for at in guns.ready_on(aeroplane, loads, one.mount)]
    modifier = _modifier(shooter, one.mount, book) + one.target_hanging
    modifier -= one.mount in guns.GUNNERS and one.height_difference_feet < 0
    return worths(guns.combat_table(ready), modifier, book)[one.range_hexes]


def _points(shooter: Craft, mount: Mount, view: View, book: CircusBook) -> int:
    """Firing turns that are left for the guns of a mount, spare drums counted."""
    aeroplane = _figures(shooter, view, book)
    loads = guns.loads_of(aeroplane, shooter.aircraft.loads, "loads")
    return max(
        loads[at].points + loads[at].spare * aeroplane.weapons[at].load_points
        for at in guns.weapons_on(aeroplane, mount)
    )


def _shoot(
    one: Opportunity, shooter: Craft, points: int, view: View, book: CircusBook
) -> LegalOrder:
    aircraft = shooter.aircraft
    target = next(craft.aircraft for craft in view.craft if craft.aircraft.id == one.target)
    decides = (
        target.resolution <= LONG_BURST_RESOLUTION or view.turns - view.turn < LONG_BURST_TURNS
    )
    long_burst = (
        one.range_hexes <= LONG_BURST_RANGE
        and points >= LONG_BURST_POINTS
        and decides
        and guns.can_fire(
            _figures(shooter, view, book),
            aircraft.loads,
            one.mount,
            aircraft.condition,
            book,
            long_burst=True,
        )
    )
    order = Shoot(one.shooter, one.target, one.mount, long_burst)
    burst = "a long burst" if long_burst else "a burst"
    words = f"{one.shooter} fires {burst} at {one.target}, {one.mount} guns."
    return LegalOrder(Verb.FIRE, FireOrder(order), words)


def _change(view: View, side: Side, book: CircusBook) -> LegalOrder | None:
    """A drum or box that is half used, while no enemy is near."""
    for craft in view.craft:
        if craft.side != side or craft.end is not None or _is_near_enemies(craft, view, book):
            continue
        aircraft, aeroplane = craft.aircraft, _figures(craft, view, book)
        for at, weapon in enumerate(aeroplane.weapons):
            if weapon.feed == Feed.BELT:
                continue
            if guns.can_change(aeroplane, aircraft.loads, at, aircraft.condition, book):
                words = f"{aircraft.id} changes the {weapon.feed} of weapon {at}."
                return LegalOrder(Verb.FIRE, FireOrder(ChangeDrum(aircraft.id, at)), words)
    return None


def _is_near_enemies(craft: Craft, view: View, book: CircusBook) -> bool:
    here = hex_at(craft.aircraft.hex, book, "hex", anywhere=True)
    return any(
        here.distance(hex_at(other.aircraft.hex, book, "hex", anywhere=True)) < IDLE_HEXES
        for other in view.craft
        if other.side != craft.side and other.end is None
    )
