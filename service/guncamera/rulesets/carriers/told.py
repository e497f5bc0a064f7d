"""Hits in words, for summaries."""

from __future__ import annotations

from collections.abc import Mapping

from guncamera.rulesets.carriers.book import CarriersBook, tells_what_decided
from guncamera.rulesets.carriers.cards import Key, Ship, Side, Weapon
from guncamera.rulesets.carriers.outcomes import Harm, Result

NATIONS: Mapping[Side, str] = {Side.US: "US", Side.JAPAN: "Japanese"}

_ROWS: Mapping[Result, str] = {
    Result.BRIDGE: "the bridge is hit",
    Result.DECK_AIRCRAFT: "aircraft on deck are hit",
    Result.FUEL_BURNS: "aviation fuel burns",
    Result.FIRE_OUT: "a fire is put out",
    Result.TURRET: "a gun turret is hit",
    Result.CONNING: "the conning tower director is hit",
    Result.GUNNERY: "the gunnery director is hit",
    Result.RUDDER: "the rudder is hit",
    Result.MAGAZINE: "the magazine is hit",
    Result.BELT: "the belt is pierced",
    Result.NOTHING: "no effect",
}
_EFFECTS: Mapping[Key, str] = {
    Key.OUT_OF_COMMISSION: "she is out of commission",
    Key.EXPLODED: "she explodes",
    Key.LISTING: "she lists",
    Key.DEAD_IN_WATER: "she is dead in the water",
    Key.SUNK: "she sinks",
}


def ship_told(ship: Ship) -> str:
    """A ship by class and, if it has one, name: `the cruiser Astoria`."""
    return f"the {ship.ship_class} {ship.name}".rstrip()


def harm_told(harm: Harm, ship: Ship, weapon: Weapon, book: CarriersBook) -> str:
    """What a hit does, as clauses."""
    if harm.void and harm.result == Result.NOTHING:
        return "the result is void"
    if harm.void:
        return _void_told(_ROWS[harm.result], NATIONS[ship.nation], book)
    clauses = [_ROWS[harm.result]]
    clauses += [_EFFECTS[key] for key in harm.keys if key in _EFFECTS]
    if weapon == Weapon.TORPEDO and Key.RUDDER in harm.keys and harm.result == Result.BELT:
        clauses.append(_ROWS[Result.RUDDER])
    if harm.cards_lost:
        clauses.append("a card at her is lost")
    return ", ".join(clauses)


def _void_told(row: str, nation: str, book: CarriersBook) -> str:
    if not tells_what_decided(book):
        return f"{row}, but not of a {nation} ship: void"
    what = row.removesuffix(" is hit").removesuffix(" is pierced")
    return f"a hit on {what}, but the die is not for a {nation} ship: void"
