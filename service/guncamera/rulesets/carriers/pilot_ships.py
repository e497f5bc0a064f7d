"""Where pilots put their ships, and how they move them about unseen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from guncamera.rules.refusal import Refusal
from guncamera.rules.ruleset import LegalOrder, Verb
from guncamera.rules.trace import Trace
from guncamera.rulesets.carriers.cards import Line, Ship, ShipClass
from guncamera.rulesets.carriers.facts import Berth, Fleet, ShipMove
from guncamera.rulesets.carriers.fleets import in_commission, line_of
from guncamera.rulesets.carriers.orders import Deploy, MoveOrder, MoveShips
from guncamera.rulesets.carriers.pilot_manner import Scene
from guncamera.rulesets.carriers.pilot_worth import danger_to
from guncamera.rulesets.carriers.sailing import sailed


def _safest(scene: Scene) -> Line:
    """The line where the enemy's cards can do a carrier least."""
    carrier = Ship(scene.side, ShipClass.CARRIER, Line.LONG)
    lines = reversed(Line)
    return min(lines, key=lambda line: _danger(replace(carrier, line=line), scene))


def _danger(ship: Ship, scene: Scene) -> float:
    return danger_to(ship, scene.view.own_cards, scene.book)


# ---- Deploying


def deployed(scene: Scene) -> LegalOrder:
    """As set up, but shuffled; carriers on the safest line, in exchange for others of it."""
    ships = {line: list(line_of(scene.navy.ships, line)) for line in Line}
    if scene.manner.keeps_back:
        _exchange(ships, _safest(scene))
    berths = tuple(
        Berth(ship.id, line) for line in Line for ship in scene.chance.shuffled(ships[line])
    )
    return LegalOrder(Verb.MOVE, MoveOrder(Deploy(berths)), "Deploy.")


def _exchange(ships: dict[Line, list[Ship]], safe: Line) -> None:
    """Carriers of other lines against ships of the safe one that are none, as far as it has any."""
    for line in Line:
        for carrier in [ship for ship in ships[line] if in_commission(ship) and line != safe]:
            other = next((ship for ship in ships[safe] if not in_commission(ship)), None)
            if other is None:
                return
            ships[line][ships[line].index(carrier)] = other
            ships[safe][ships[safe].index(other)] = carrier


# ---- Moving


def moved(scene: Scene) -> LegalOrder:
    """Carriers toward safety, and neighbors changed about; what would be refused is left out."""
    fleet = scene.navy.ships
    moves: list[ShipMove] = []
    for move in _wished(scene):
        if _passes(fleet, (*moves, move), scene):
            moves.append(move)
    told = f"Move {len(moves)} ships." if moves else "Move no ship."
    return LegalOrder(Verb.MOVE, MoveOrder(MoveShips(tuple(moves))), told)


def _passes(fleet: Fleet, moves: tuple[ShipMove, ...], scene: Scene) -> bool:
    try:
        sailed(fleet, moves, scene.book, Trace(), "moves")
    except Refusal:
        return False
    return True


def _wished(scene: Scene) -> Iterator[ShipMove]:
    if scene.manner.keeps_back:
        yield from _withdrawals(scene)
    for line in Line:
        for one, other in pairwise(line_of(scene.navy.ships, line)):
            if scene.chance.pick(range(10)) < scene.manner.shuffles:
                yield ShipMove(one.id, swap_with=other.id)


def _withdrawals(scene: Scene) -> Iterator[ShipMove]:
    """Carriers one line toward the safest."""
    safe, lines = _safest(scene), list(Line)
    for ship in scene.navy.ships:
        here, there = lines.index(ship.line), lines.index(safe)
        if in_commission(ship) and here != there:
            line = lines[here + (1 if there > here else -1)]
            room = len(line_of(scene.navy.ships, line)) + 1
            yield ShipMove(ship.id, line=line, slot=scene.chance.pick(range(room)))
