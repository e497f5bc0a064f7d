"""The stock pilots: one who fights, and one at random.

Both are pure functions of what they see and of the number of the order, so that equal games are
flown alike.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from guncamera.rules.ruleset import LegalOrder, Pilot, Verb
from guncamera.rulesets.circus.aircraft import Side
from guncamera.rulesets.circus.book import CircusBook
from guncamera.rulesets.circus.facts import Plot
from guncamera.rulesets.circus.flight import flight_of
from guncamera.rulesets.circus.homeward import plots_of
from guncamera.rulesets.circus.orders import (
    DamageOrder,
    EndTurn,
    FireOrder,
    Fly,
    HoldFire,
    MoveOrder,
    Phase,
    Plots,
    Search,
    Shoot,
    SpotOrder,
    View,
)
from guncamera.rulesets.circus.pilot_aim import Fighter
from guncamera.rulesets.circus.pilot_flight import Scene, is_legal, plots, scene
from guncamera.rulesets.circus.pilot_guns import fire
from guncamera.rulesets.circus.pilot_options import options_of
from guncamera.rulesets.circus.plot_space import boundless_space
from guncamera.rulesets.circus.view import board_of

T = TypeVar("T")
TRIES = 12


def stock(view: View, seat: str, book: CircusBook, nth: int) -> LegalOrder:
    """Flies for a shot and against being shot at, fires what pays, and goes home when broken."""
    side = Side(seat)
    match view.phase:
        case Phase.PLOT | Phase.MOVE:
            return _plotted(plots(_scene(view, side, book, nth)))
        case Phase.FIRE:
            return fire(view, side, book)
    return _routine(view)


def _scene(view: View, side: Side, book: CircusBook, nth: int) -> Scene:
    return scene(view, board_of(view, book), side, book, nth)


def _plotted(found: tuple[Plot, ...]) -> LegalOrder:
    told = "; ".join(f"{plot.aircraft} {plot.codes} at speed {plot.speed_mp}" for plot in found)
    words = f"Plot {told}." if found else "Let the aircraft without pilots fall."
    return LegalOrder(Verb.MOVE, MoveOrder(Plots(found)), words)


def _routine(view: View) -> LegalOrder:
    """What a phase needs of whoever comes first."""
    match view.phase:
        case Phase.SPOT:
            return LegalOrder(Verb.SPOT, SpotOrder(Search()), "Look for the enemy.")
        case Phase.FLY:
            return LegalOrder(Verb.MOVE, MoveOrder(Fly()), "Fly all plots.")
        case Phase.UPKEEP:
            return LegalOrder(Verb.DAMAGE, DamageOrder(EndTurn()), "End the turn.")
    raise AssertionError(f"nobody may act in phase {view.phase}")


# ---- At random


@dataclass(slots=True)
class Chance:
    """Numbers that follow from a text, one after another."""

    text: str
    drawn: int = 0

    def number(self, below: int) -> int:
        """A number from 0 to less than some other."""
        self.drawn += 1
        digest = hashlib.sha256(f"{self.drawn} {self.text}".encode()).digest()
        return int.from_bytes(digest) % below

    def pick(self, options: Sequence[T]) -> T:
        """One of some options."""
        return options[self.number(len(options))]


def at_random(view: View, seat: str, book: CircusBook, nth: int) -> LegalOrder:
    """A legal order drawn by hashing the seat, the turn and the number of the order.

    A plot that leads to the ground or off the map is taken only where several picks find no other.
    """
    side = Side(seat)
    chance = Chance(f"{nth} {seat} {view.turn} {view.phase}")
    match view.phase:
        case Phase.PLOT | Phase.MOVE:
            seen = _scene(view, side, book, nth)
            return _plotted(tuple(_flown_anyhow(mine, seen, chance) for mine in seen.mine))
        case Phase.FIRE:
            return _fired_anyhow(view, side, chance)
    return _routine(view)


def _flown_anyhow(mine: Fighter, seen: Scene, chance: Chance) -> Plot:
    """A plot drawn until one stays in the game; else one that is legal; else the first."""
    aircraft = mine.craft.aircraft
    legal = []
    for _ in range(TRIES):
        plot = _drawn(mine, seen, chance)
        if is_legal(mine, plot, seen):
            legal.append(plot)
            if flight_of(aircraft, mine.aeroplane, plot, seen.book).end is None:
                return plot
    if legal:
        return legal[0]
    return next(plots_of(mine.craft, seen.board, seen.book))


def _drawn(mine: Fighter, seen: Scene, chance: Chance) -> Plot:
    """One of all plots there are, or as often one of those that the stock pilot weighs.

    Of all plots few bear on anyone; with the others there is something to shoot at.
    """
    aircraft, book = mine.craft.aircraft, seen.book
    if chance.number(2):
        space = boundless_space(aircraft, mine.aeroplane, book)
        if space is not None:
            return space.nth(chance.number(space.size))
    option = chance.pick(options_of(aircraft, mine.aeroplane, book))
    return Plot(aircraft.id, option.speed_mp, option.codes)


def _fired_anyhow(view: View, side: Side, chance: Chance) -> LegalOrder:
    mine = {craft.aircraft.id for craft in view.craft if craft.side == side}
    hold = LegalOrder(Verb.FIRE, FireOrder(HoldFire()), "Fire no more in this phase.")
    shots = [
        LegalOrder(
            Verb.FIRE,
            FireOrder(Shoot(one.shooter, one.target, one.mount)),
            f"{one.shooter} fires at {one.target}, {one.mount} guns.",
        )
        for one in view.opportunities
        if one.shooter in mine
    ]
    return chance.pick([*shots, hold])


PILOTS: Mapping[str, Pilot] = {"stock": stock, "random": at_random}
