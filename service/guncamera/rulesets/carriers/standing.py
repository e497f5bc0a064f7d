"""Standing effects: what damage done to a ship means for the next attack on it. Chapter 8.

Lines about the subtraction stand under CAR-8.1 and nothing else does, so that they can be kept
back from those who may not know the ship.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from guncamera.rules.refusal import Illegal, Violation, refuse_faults
from guncamera.rules.trace import Trace
from guncamera.rulesets.carriers.book import CarriersBook
from guncamera.rulesets.carriers.cards import Key, Role, Ship, ShipClass, Weapon
from guncamera.rulesets.carriers.outcomes import Harm

SUBTRACTION = "CAR-8.1"
MOST_ALIKE = 6
"""How often one effect can add up: more could not be told from it on a d6."""
MOST_BELTS = 99

_OF_ALL = frozenset({Key.RUDDER, Key.LISTING, Key.DEAD_IN_WATER, Key.SUNK})
CARRIER_KEYS = frozenset({Key.BRIDGE, Key.DECK_AIRCRAFT, Key.OUT_OF_COMMISSION})
"""Effects that a bomb has on a carrier."""
_OF_OTHERS = frozenset({Key.CONNING, Key.GUNNERY, Key.TURRET, Key.TURRET_LOST, Key.EXPLODED})

_DIRECTORS: Mapping[Key, Weapon] = {Key.CONNING: Weapon.TORPEDO, Key.GUNNERY: Weapon.BOMB}


# ---- What effects take off a die


def subtraction(ship: Ship, weapon: Weapon, book: CarriersBook, role: Role | None = None) -> int:
    """What the ship's standing effects take off the die of an attack on it; 0 or more (CAR-8.1).

    Args:
        role: Of the card that attacks; none given: of any that carries such a weapon by trade.

    Source: seed 003, damage tables; register section 5.
    """
    return -sum(amount for _, amount in parts(ship, weapon, book, role))


def parts(
    ship: Ship, weapon: Weapon, book: CarriersBook, role: Role | None = None
) -> tuple[tuple[Key, int], ...]:
    """What each standing effect that counts against an attack adds to the die, in their order.

    Args:
        role: See `subtraction`.
    """
    found = ((key, _amount(key, ship.ship_class, weapon, role, book)) for key in ship.keys)
    return tuple((key, amount) for key, amount in found if amount)


def _amount(
    key: Key, ship_class: ShipClass, weapon: Weapon, role: Role | None, book: CarriersBook
) -> int:
    settings, table = book.settings, book.tables["standing-effects"]
    if key == Key.BRIDGE and settings.bridge_effect == "torpedo-planes" and role is not None:
        weapon = Weapon.TORPEDO if role == Role.TORPEDO else Weapon.BOMB
    if key == Key.GUNNERY and settings.gunnery_effect == "dive-bombers" and role is not None:
        weapon = Weapon.BOMB if role == Role.DIVE_BOMBER else Weapon.TORPEDO
    amount = table.number(key.value, weapon.value)
    if key in _DIRECTORS and settings.director_effect == "both":
        amount = table.number(key.value, _DIRECTORS[key].value)
    if key == Key.GUNNERY and weapon == Weapon.BOMB and settings.class_change == "row-three":
        amount += book.tables["class-change"].number(ship_class.value, "change")
    return amount


def record_settings(
    ship: Ship, weapon: Weapon, role: Role, book: CarriersBook, trace: Trace
) -> None:
    """Name the settings without which the subtraction could be another."""
    settings = book.settings
    if Key.BRIDGE in ship.keys and (weapon == Weapon.TORPEDO) != (role == Role.TORPEDO):
        trace.setting(SUBTRACTION, "bridge_effect", settings.bridge_effect)
    if Key.GUNNERY in ship.keys and (weapon == Weapon.BOMB) != (role == Role.DIVE_BOMBER):
        trace.setting(SUBTRACTION, "gunnery_effect", settings.gunnery_effect)
    if any(key in _DIRECTORS and _DIRECTORS[key] != weapon for key in ship.keys):
        trace.setting(SUBTRACTION, "director_effect", settings.director_effect)
    if Key.GUNNERY in ship.keys and weapon == Weapon.BOMB and is_smaller(ship, book):
        trace.setting(SUBTRACTION, "class_change", settings.class_change)
    if parts(ship, weapon, book, role):
        trace.setting(SUBTRACTION, "minus_one", settings.minus_one)
    if any(times > 1 for times in Counter(ship.keys).values()):
        trace.setting(SUBTRACTION, "stacking", settings.stacking)


def is_smaller(ship: Ship, book: CarriersBook) -> bool:
    """Whether the class of the ship changes magazine and gunnery hits (CAR-8.6)."""
    if ship.ship_class == ShipClass.CARRIER:
        return False
    return book.tables["class-change"].number(ship.ship_class.value, "change") != 0


# ---- What a hit leaves


def new_key(ship: Ship, key: Key, book: CarriersBook, trace: Trace) -> tuple[Key, ...]:
    """The effect, if a hit leaves it on the ship anew; none if it stands already (CAR-8.10)."""
    if key not in ship.keys:
        return (key,)
    trace.finding("CAR-8.10", "stands_already", key.value)
    if not any(book.tables["standing-effects"].number(key.value, one.value) for one in Weapon):
        return ()
    trace.setting("CAR-8.10", "stacking", book.settings.stacking)
    if book.settings.stacking == "once" or ship.keys.count(key) >= MOST_ALIKE:
        return ()
    return (key,)


def with_harm(ship: Ship, harm: Harm) -> Ship:
    """The ship after a hit."""
    belts = min(ship.belts + harm.belts, MOST_BELTS)
    return replace(ship, keys=(*ship.keys, *harm.keys), belts=belts)


def fading(ship: Ship, book: CarriersBook) -> tuple[Key, ...]:
    """The effects that end with the turn (CAR-9.1)."""
    return tuple(key for key in ship.keys if _fades(key, book))


def _fades(key: Key, book: CarriersBook) -> bool:
    if key in CARRIER_KEYS and book.settings.carrier_damage_lasts == "turn":
        return True
    return book.tables["standing-effects"].cell(key.value, "lasts") == "turn"


def at_turn_end(ship: Ship, book: CarriersBook) -> Ship:
    """The ship without the effects that end with the turn (CAR-9.1)."""
    fades = fading(ship, book)
    return replace(ship, keys=tuple(key for key in ship.keys if key not in fades))


# ---- Guards


def check_target(ship: Ship, book: CarriersBook, field: str) -> None:
    """That a ship can be hit at all (CAR-8.13).

    Raises:
        Malformed: CAR-8.13, it has effects that it cannot have.
        Illegal: CAR-8.13, it is gone.
    """
    refuse_faults(faults_of(ship, book, field))
    if not ship.afloat:
        raise Illegal(
            "CAR-8.13",
            f"This {ship.ship_class} has left its line; a target is afloat. Name another.",
            field=f"{field}.keys",
            ship_class=ship.ship_class.value,
        )


def faults_of(ship: Ship, book: CarriersBook, field: str) -> Iterator[Violation]:
    """Effects that a ship of its class cannot have, or not so often."""
    can = _OF_ALL | (CARRIER_KEYS if ship.ship_class == ShipClass.CARRIER else _OF_OTHERS)
    for key, times in Counter(ship.keys).items():
        if key not in can:
            text = f"a {ship.ship_class} is never {key.value!r}; leave it out"
            yield Violation(f"{field}.keys", text, "CAR-8.13")
        elif times > _most(key, book):
            text = f"{key.value!r} is listed {times} times, and stands {_most(key, book)} at most"
            yield Violation(f"{field}.keys", text, "CAR-8.10")


def _most(key: Key, book: CarriersBook) -> int:
    if book.settings.stacking == "once":
        return 1
    table = book.tables["standing-effects"]
    return MOST_ALIKE if any(table.number(key.value, one.value) for one in Weapon) else 1
