"""Ship moves: changes of place and of line, one after another. Chapter 3.

Source: seed 003, move ships; register sections 4.1 and 12.6.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from guncamera.rules.refusal import Illegal, Malformed
from guncamera.rules.ruling import Ruling
from guncamera.rules.trace import Trace
from guncamera.rulesets.carriers.book import CarriersBook, figure
from guncamera.rulesets.carriers.cards import Key, Line, Ship, ShipClass
from guncamera.rulesets.carriers.facts import Fleet, Sailing, ShipMove
from guncamera.rulesets.carriers.fleets import (
    berths_of,
    check_fleet,
    line_of,
    neighbors,
    ship_by_id,
)
from guncamera.rulesets.carriers.outcomes import MoveOutcome, Sailed


def rule_on_sailing(facts: Sailing, book: CarriersBook) -> Ruling[MoveOutcome]:
    """Rules on a side's ship moves: all of them, or none.

    Raises:
        Malformed: CAR-1.4, a fleet that cannot be, or a ship that is not in it; CAR-3.1, a move
            that is neither a change of places nor one of lines.
        Illegal: CAR-3.1, the ship has moved; CAR-3.2, it is no neighbor; CAR-3.3, two lines at
            once or no such slot; CAR-3.5, a rudder hit; CAR-3.6, dead in the water; CAR-3.7, out
            of commission, under a setting; CAR-3.8, the line is full.
    """
    check_fleet(facts.fleet, "sailing.fleet")
    trace = Trace()
    fleet = sailed(facts.fleet, facts.moves, book, trace, "sailing.moves")
    record_lines(fleet, trace, "CAR-3.4")
    count = len(facts.moves)
    moves = "1 move" if count == 1 else f"{count or 'no'} moves"
    outcome = MoveOutcome(Sailed(berths_of(fleet)))
    return Ruling(outcome, tuple(trace.lines), (), f"The fleet makes {moves}.")


def record_lines(fleet: Fleet, trace: Trace, rule_id: str) -> None:
    """Record who stands on each line, by slot."""
    for line in Line:
        ships = ", ".join(ship.id for ship in line_of(fleet, line))
        trace.finding(rule_id, line.value, ships or "none")


def sailed(
    fleet: Fleet, moves: Sequence[ShipMove], book: CarriersBook, trace: Trace, path: str
) -> Fleet:
    """The fleet after its moves, each legal as the fleet stood when it was made."""
    used: set[str] = set()
    for at, move in enumerate(moves):
        here = f"{path}[{at}]"
        ship = _mover(fleet, move, used, book, here)
        _record_carrier(ship, book, trace)
        if move.line is None:
            partner = _partner(fleet, ship, move, used, book, here)
            fleet = _swapped(fleet, ship, partner)
            _record_swap(ship, partner, book, trace)
            used |= {ship.id, partner.id} if book.settings.swap_cost == "both" else {ship.id}
        else:
            _check_line(fleet, ship, move.line, move.slot, book, here)
            _record_entry(fleet, move.line, book, trace)
            fleet = _shifted(fleet, ship, move.line, move.slot)
            _record_change(ship, move.line, move.slot, book, trace)
            used.add(ship.id)
    return fleet


# ---- Who may move


def _mover(fleet: Fleet, move: ShipMove, used: set[str], book: CarriersBook, here: str) -> Ship:
    """The ship that a move names, if it may move at all."""
    if bool(move.swap_with) == (move.line is not None):
        raise Malformed(
            "A ship changes places with a neighbor or goes to another line; give swap_with or "
            "line, one of the two.",
            rule_id="CAR-3.1",
            field=here,
        )
    ship = _known(fleet, move.ship, f"{here}.ship")
    _check_free(ship, used, f"{here}.ship", "take this move out")
    _check_able(ship, book, f"{here}.ship")
    return ship


def _known(fleet: Fleet, name: str, field: str) -> Ship:
    ship = ship_by_id(fleet, name)
    if ship is None:
        raise Malformed(
            f"There is no ship {name!r} in this fleet; name one of "
            f"{', '.join(one.id for one in fleet) or 'none: it is empty'}.",
            rule_id="CAR-1.4",
            field=field,
            ship=name,
        )
    return ship


def _check_free(ship: Ship, used: set[str], field: str, way_out: str) -> None:
    if ship.id in used:
        raise Illegal(
            "CAR-3.1",
            f"{ship.id} has made its move of this turn, and a ship makes one; {way_out}.",
            field=field,
            ship=ship.id,
        )


def _check_able(ship: Ship, book: CarriersBook, field: str) -> None:
    """Hold a ship to what bars it from any move."""
    if not ship.afloat:
        raise Illegal(
            "CAR-3.1",
            f"{ship.id} is gone; only ships afloat move. Name another.",
            field=field,
            ship=ship.id,
        )
    if Key.DEAD_IN_WATER in ship.keys:
        raise Illegal(
            "CAR-3.6",
            f"{ship.id} lies dead in the water, and such a ship keeps its place. Name another.",
            field=field,
            ship=ship.id,
        )
    if _is_out(ship) and book.settings.out_of_commission_ship == "still":
        raise Illegal(
            "CAR-3.7",
            f"{ship.id} is out of commission, and by the setting out_of_commission_ship such a "
            "carrier keeps its place. Name another ship.",
            field=field,
            ship=ship.id,
        )


def _is_out(ship: Ship) -> bool:
    return ship.ship_class == ShipClass.CARRIER and Key.OUT_OF_COMMISSION in ship.keys


# ---- Changes of place


def _partner(
    fleet: Fleet, ship: Ship, move: ShipMove, used: set[str], book: CarriersBook, here: str
) -> Ship:
    """The neighbor that a ship changes places with."""
    field = f"{here}.swap_with"
    if move.slot:
        raise Malformed(
            "A change of places names no slot; leave it out, or give a line.",
            rule_id="CAR-3.1",
            field=f"{here}.slot",
        )
    partner = _known(fleet, move.swap_with, field)
    _check_rudder(ship, f"{here}.ship")
    _check_able(partner, book, field)
    _check_rudder(partner, field)
    beside = [one.id for one in neighbors(fleet, ship)]
    if partner.id not in beside:
        raise Illegal(
            "CAR-3.2",
            f"{partner.id} does not stand beside {ship.id}, and ships change places with a "
            f"neighbor on their line; beside it: {', '.join(beside) or 'nobody'}.",
            field=field,
            ship=ship.id,
        )
    if book.settings.swap_cost == "both":
        _check_free(partner, used, field, "choose another neighbor, or take this move out")
    return partner


def _check_rudder(ship: Ship, field: str) -> None:
    if Key.RUDDER in ship.keys:
        raise Illegal(
            "CAR-3.5",
            f"{ship.id} has a rudder hit, and such a ship changes lines only. Give it a line, or "
            "swap others.",
            field=field,
            ship=ship.id,
        )


def _swapped(fleet: Fleet, one: Ship, other: Ship) -> Fleet:
    places = {one.id: other, other.id: one}
    return tuple(places.get(ship.id, ship) for ship in fleet)


# ---- Changes of line


def _check_line(
    fleet: Fleet, ship: Ship, line: Line, slot: int, book: CarriersBook, here: str
) -> None:
    """Hold a change of line to where the ship can go."""
    ranks = book.tables["lines"]
    apart = abs(ranks.number(line.value, "rank") - ranks.number(ship.line.value, "rank"))
    most = figure(book, "lines_a_move")
    if not 1 <= apart <= most:
        raise Illegal(
            "CAR-3.3",
            f"{ship.id} stands on the {ship.line} line, {apart} lines from the {line} line, and a "
            f"ship goes {most} line up or down; give it a line beside its own.",
            field=f"{here}.line",
            ship=ship.id,
            lines=apart,
        )
    there = len(line_of(fleet, line))
    check_capacity(there + 1, line, book, f"{here}.line")
    if slot > there:
        raise Illegal(
            "CAR-3.3",
            f"The {line} line has {there} ships, so a ship comes in at slot 0 to {there}; slot "
            f"{slot} leaves a gap.",
            field=f"{here}.slot",
            slot=slot,
            ships=there,
        )
    if slot < there and book.settings.line_entry == "end":
        raise Illegal(
            "CAR-3.3",
            f"By the setting line_entry a ship comes in at the end of a line, and the {line} line "
            f"has {there} ships; give slot {there}.",
            field=f"{here}.slot",
            slot=slot,
            ships=there,
        )


def check_capacity(ships: int, line: Line, book: CarriersBook, field: str) -> None:
    """Hold a line to the setting `line_capacity`.

    Raises:
        Illegal: CAR-3.8, there would be too many ships on it.
    """
    most = book.settings.line_capacity
    if most and ships > most:
        raise Illegal(
            "CAR-3.8",
            f"There would be {ships} ships on the {line} line, and by the setting line_capacity a "
            f"line holds {most}; leave one on another line.",
            field=field,
            ships=ships,
            line_capacity=most,
        )


def _shifted(fleet: Fleet, ship: Ship, line: Line, slot: int) -> Fleet:
    """The fleet with a ship put in at a slot of another line; lines close up by themselves."""
    rest = tuple(one for one in fleet if one.id != ship.id)
    there = line_of(rest, line)
    at = rest.index(there[slot]) if slot < len(there) else len(rest)
    return (*rest[:at], replace(ship, line=line), *rest[at:])


# ---- What led to it


def _record_carrier(ship: Ship, book: CarriersBook, trace: Trace) -> None:
    if _is_out(ship):
        setting = book.settings.out_of_commission_ship
        trace.setting("CAR-3.7", "out_of_commission_ship", setting)


def _record_swap(ship: Ship, partner: Ship, book: CarriersBook, trace: Trace) -> None:
    _record_carrier(partner, book, trace)
    trace.setting("CAR-3.2", "swap_cost", book.settings.swap_cost)
    trace.finding("CAR-3.2", ship.id, f"changes places with {partner.id}")


def _record_entry(fleet: Fleet, line: Line, book: CarriersBook, trace: Trace) -> None:
    if line_of(fleet, line):
        trace.setting("CAR-3.3", "line_entry", book.settings.line_entry)


def _record_change(ship: Ship, line: Line, slot: int, book: CarriersBook, trace: Trace) -> None:
    if Key.RUDDER in ship.keys:
        trace.finding("CAR-3.5", "rudder", ship.id, "a rudder hit leaves changes of line")
    if book.settings.line_capacity:
        trace.setting("CAR-3.8", "line_capacity", book.settings.line_capacity)
    trace.finding("CAR-3.3", ship.id, f"from {ship.line} to {line}, slot {slot}")
