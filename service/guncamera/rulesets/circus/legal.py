"""Every order a seat may give now, made lazily and in a fixed order.

Nothing here decides a rule: plots are those that the rules of flight let pass, and shots those that
are open on the board.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from guncamera.rules.ruleset import LegalOrder, Verb
from guncamera.rulesets.circus import guns
from guncamera.rulesets.circus.aircraft import Side
from guncamera.rulesets.circus.board import Board, unplotted
from guncamera.rulesets.circus.book import CircusBook
from guncamera.rulesets.circus.facts import Plot
from guncamera.rulesets.circus.homeward import default_plot, plots_of
from guncamera.rulesets.circus.orders import (
    ChangeDrum,
    Check,
    Craft,
    DamageOrder,
    EndTurn,
    FireOrder,
    Fly,
    HoldFire,
    MoveOrder,
    Opportunity,
    Phase,
    Plots,
    Search,
    Shoot,
    SpotOrder,
)
from guncamera.rulesets.circus.volley import figures_of, open_drums, open_shots

MOST_PLOTS = 300
"""Orders of a phase of plots: shared among a side's aircraft."""


def legal_orders(board: Board, seat: str, book: CircusBook) -> Iterator[LegalOrder]:
    """The orders of the phase.

    All of them but for plots: of these a selection for each aircraft, with the others straight and
    level, or as nearly so as can be. Sights that may be looked through come last.
    """
    side = Side(seat)
    if side not in board.active:
        return
    match board.phase:
        case Phase.SPOT:
            yield LegalOrder(Verb.SPOT, SpotOrder(Search()), "Look for the enemy.")
        case Phase.PLOT | Phase.MOVE:
            yield from _plots(board, side, book)
        case Phase.FLY:
            yield LegalOrder(Verb.MOVE, MoveOrder(Fly()), "Fly all plots.")
        case Phase.FIRE:
            yield from _fire(board, side, book)
        case Phase.UPKEEP:
            yield LegalOrder(Verb.DAMAGE, DamageOrder(EndTurn()), "End the turn.")
        case Phase.FINISHED:
            return


# ---- Plots


def _plots(board: Board, side: Side, book: CircusBook) -> Iterator[LegalOrder]:
    """All at their default first; then one aircraft's second choice, the next one's, and so on."""
    crafts = unplotted(board, side)
    if not crafts:
        yield LegalOrder(Verb.MOVE, MoveOrder(Plots(())), "Let the aircraft without pilots fall.")
        return
    default = [default_plot(craft, board, book) for craft in crafts]
    yield plotted(default)
    choices = [islice(plots_of(craft, board, book), 1, None) for craft in crafts]
    yield from islice(varied(default, choices), MOST_PLOTS - 1)


def varied(default: list[Plot], choices: Sequence[Iterator[Plot]]) -> Iterator[LegalOrder]:
    """The default with another plot for one aircraft, for each of them in turn."""
    left = dict(enumerate(choices))
    while left:
        for at, plots in tuple(left.items()):
            plot = next(plots, None)
            if plot is None:
                del left[at]
            else:
                yield plotted([*default[:at], plot, *default[at + 1 :]])


def plotted(plots: Sequence[Plot]) -> LegalOrder:
    """The order that gives some plots."""
    told = "; ".join(f"{plot.aircraft} {plot.codes} at speed {plot.speed_mp}" for plot in plots)
    return LegalOrder(Verb.MOVE, MoveOrder(Plots(tuple(plots))), f"Plot {told}.")


# ---- Fire


def _fire(board: Board, side: Side, book: CircusBook) -> Iterator[LegalOrder]:
    for opportunity in open_shots(board, side, book):
        yield from _shots(opportunity, board, book)
    for craft, weapon in open_drums(board, side, book):
        id_ = craft.aircraft.id
        summary = f"{id_} changes weapon {weapon}."
        yield LegalOrder(Verb.FIRE, FireOrder(ChangeDrum(id_, weapon)), summary)
    yield LegalOrder(Verb.FIRE, FireOrder(HoldFire()), "Fire no more in this phase.")
    for craft in board.flying:
        if craft.side == side:
            yield from _checks(craft, board, book)


def _shots(opportunity: Opportunity, board: Board, book: CircusBook) -> Iterator[LegalOrder]:
    """A short burst, and a long one where there is ammunition for it."""
    one = opportunity
    aircraft = board.craft_of(one.shooter).aircraft
    aeroplane = figures_of(aircraft, board, book)
    told = f"{one.shooter} fires its {one.mount} guns at {one.target}, at range {one.range_hexes}"
    short = Shoot(one.shooter, one.target, one.mount)
    yield LegalOrder(Verb.FIRE, FireOrder(short), f"{told}.")
    if guns.can_fire(
        aeroplane, aircraft.loads, one.mount, aircraft.condition, book, long_burst=True
    ):
        long_ = Shoot(one.shooter, one.target, one.mount, long_burst=True)
        yield LegalOrder(Verb.FIRE, FireOrder(long_), f"{told}: a long burst.")


def _checks(shooter: Craft, board: Board, book: CircusBook) -> Iterator[LegalOrder]:
    """A look through the sights of each mount at each enemy."""
    aircraft = shooter.aircraft
    aeroplane = figures_of(aircraft, board, book)
    for mount in dict.fromkeys(weapon.mount for weapon in aeroplane.weapons):
        for target in board.flying:
            if target.side == shooter.side:
                continue
            id_ = target.aircraft.id
            summary = f"See whether the {mount} guns of {aircraft.id} bear on {id_}."
            yield LegalOrder(Verb.SPOT, SpotOrder(Check(aircraft.id, id_, mount)), summary)
