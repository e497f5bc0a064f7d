"""Our side of the published figures: the rules of play, asked with dealt dice or for odds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from guncamera.rules.dealt import DealtDice
from guncamera.rules.dice import Dice
from guncamera.rules.odds import odds_of
from guncamera.rules.refusal import Illegal
from guncamera.rulesets.carriers.book import CarriersBook, card_of
from guncamera.rulesets.carriers.cards import Key, Line, Ship, ShipClass, Side, Weapon
from guncamera.rulesets.carriers.damage import rule_on_damage
from guncamera.rulesets.carriers.facts import (
    BombHit,
    DamageFacts,
    FireFacts,
    Flyer,
    Reconnaissance,
    SpotFacts,
    Strike,
    TorpedoHit,
)
from guncamera.rulesets.carriers.fire import rule_on_fire
from guncamera.rulesets.carriers.outcomes import Harm, Reconnoitered, Struck
from guncamera.rulesets.carriers.readings import D6
from guncamera.rulesets.carriers.spot import rule_on_spot

NEVER = "-"
HARMLESS = (D6, D6, D6)
"""For whatever a hit may ask for besides; none of it is a figure."""
SCOUTS: Mapping[Side, str] = {Side.US: "pby", Side.JAPAN: "betty"}
"""A card of each side to be intercepted."""


def _reaching(type_: str, book: CarriersBook) -> tuple[Flyer, Line]:
    """A card as no setting keeps it from flying, and the line it reaches."""
    return Flyer(type_, at_carrier=True), card_of(type_, (), book, "type").range


def _scouted(type_: str, interceptor: str, book: CarriersBook, dice: Dice) -> Reconnoitered:
    flyer, line = _reaching(type_, book)
    facts = SpotFacts(Reconnaissance(flyer, line, interceptor=interceptor))
    found = rule_on_spot(facts, book, dice).outcome.procedure
    if not isinstance(found, Reconnoitered):
        raise AssertionError(f"a reconnaissance came to {found!r}")
    return found


def _struck(
    type_: str, weapon: Weapon, target: ShipClass, met: str, book: CarriersBook, dice: Dice
) -> Struck:
    flyer, line = _reaching(type_, book)
    ship = Ship(card_of(type_, (), book, "type").nation.other, target, line)
    facts = FireFacts(Strike(flyer, weapon, ship, revealed=True, interceptor=met))
    found = rule_on_fire(facts, book, dice).outcome.procedure
    if not isinstance(found, Struck):
        raise AssertionError(f"a strike came to {found!r}")
    return found


# ---- Cards


def number_told(type_: str, number: str, *, book: CarriersBook) -> str:
    """A number of a card as the page prints it, by trying every face: `1-4`, `1`, or `-`."""
    works: Mapping[str, Callable[[Dice], bool]] = {
        "combat": lambda dice: _turns_back(type_, book, dice),
        "bomb": lambda dice: _goes_through(type_, Weapon.BOMB, book, dice),
        "torpedo": lambda dice: _goes_through(type_, Weapon.TORPEDO, book, dice),
        "recon": lambda dice: _scouted(type_, "", book, dice).revealed,
    }
    try:
        faces = [face for face in range(1, D6 + 1) if works[number](DealtDice((face, *HARMLESS)))]
    except Illegal:
        return NEVER
    if faces != list(range(1, len(faces) + 1)):
        raise AssertionError(f"{type_} succeeds on {faces}")
    return f"1-{len(faces)}" if len(faces) > 1 else "1" if faces else NEVER


def _turns_back(type_: str, book: CarriersBook, dice: Dice) -> bool:
    scout = SCOUTS[book.aircraft[type_].nation.other]
    return _scouted(scout, type_, book, dice).turned_back


def _goes_through(type_: str, weapon: Weapon, book: CarriersBook, dice: Dice) -> bool:
    return _struck(type_, weapon, ShipClass.BATTLESHIP, "", book, dice).hit


# ---- Damage

_HARMS: Mapping[str, Callable[[Harm], bool]] = {
    "any": lambda harm: not harm.void,
    "void": lambda harm: harm.void,
    "nothing": lambda harm: harm.result == "nothing",
    "fire out": lambda harm: harm.result == "fire_out",
    "belt only": lambda harm: harm.belts > 0 and not harm.keys,
    "belt": lambda harm: harm.belts > 0,
}
_TURRETS = {Key.TURRET, Key.TURRET_LOST}


def _is(effect: str, harm: Harm) -> bool:
    if effect == "turret":
        return bool(_TURRETS.intersection(harm.keys))
    if effect in _HARMS:
        return _HARMS[effect](harm)
    return Key(effect) in harm.keys


def _harmed(procedure: Any, effect: str, book: CarriersBook) -> Fraction:
    odds = odds_of(lambda dice: rule_on_damage(DamageFacts(procedure), book, dice).outcome)
    return odds.of(
        lambda outcome: isinstance(outcome.procedure, Harm) and _is(effect, outcome.procedure)
    )


def bomb_chance(nation: str, ship_class: str, effect: str, *, book: CarriersBook) -> Fraction:
    """The chance that a bomb that hit has an effect."""
    target = Ship(Side(nation), ShipClass(ship_class), Line.MEDIUM)
    return _harmed(BombHit(target), effect, book)


def torpedo_chance(nation: str, effect: str, *, book: CarriersBook) -> Fraction:
    """The chance that a torpedo strike that went through has an effect."""
    target = Ship(Side(nation), ShipClass.BATTLESHIP, Line.MEDIUM)
    return _harmed(TorpedoHit(target), effect, book)


# ---- The whole chain


def strike_percent(
    type_: str,
    weapon: str,
    target: str,
    met: str,
    effect: str,
    kate: str = "",
    *,
    book: CarriersBook,
) -> str:
    """The chance that a strike has an effect, in percent, to a tenth.

    Args:
        met: The interceptor, or empty.
        kate: `swapped`: with Kate's numbers the other way round.
    """
    if kate:
        book = book.with_settings({"kate_swap": True})

    def asked(dice: Dice) -> bool:
        struck = _struck(type_, Weapon(weapon), ShipClass(target), met, book, dice)
        return struck.harm is not None and _is(effect, struck.harm)

    tenths = int(1000 * odds_of(asked).of(bool) + Fraction(1, 2))
    return f"{tenths // 10}.{tenths % 10} %"
