"""What a bomb or a torpedo does to the ship it hits. Chapter 8.

The dice come in the order of the page: on a carrier what is hit, then the deck, then the fuel; on
other ships what is hit, then whose ship; of a torpedo whose belt, then what is behind it.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from guncamera.rules.dice import Ask, Dice
from guncamera.rules.table import Table
from guncamera.rules.trace import Trace
from guncamera.rulesets.carriers.book import CarriersBook
from guncamera.rulesets.carriers.cards import Key, Ship, ShipClass, Weapon
from guncamera.rulesets.carriers.outcomes import Harm, Result
from guncamera.rulesets.carriers.readings import D6, NationDie, OnTable
from guncamera.rulesets.carriers.standing import is_smaller, new_key

RESULT_RULES: Mapping[Result, str] = {
    Result.BRIDGE: "CAR-8.2",
    Result.DECK_AIRCRAFT: "CAR-8.3",
    Result.FUEL_BURNS: "CAR-8.3",
    Result.FIRE_OUT: "CAR-8.3",
    Result.TURRET: "CAR-8.4",
    Result.CONNING: "CAR-8.4",
    Result.GUNNERY: "CAR-8.4",
    Result.RUDDER: "CAR-8.4",
    Result.MAGAZINE: "CAR-8.4",
    Result.BELT: "CAR-8.7",
    Result.NOTHING: "CAR-8.2",
}
"""The rule behind a row; a torpedo's rudder and its nothing are CAR-8.7 (`rule_behind`)."""

_SHIP_KEYS: Mapping[Result, Key] = {
    Result.MAGAZINE: Key.EXPLODED,
    Result.RUDDER: Key.RUDDER,
    Result.GUNNERY: Key.GUNNERY,
    Result.CONNING: Key.CONNING,
    Result.TURRET: Key.TURRET,
}
CHANGED_BY_CLASS = (Result.MAGAZINE, Result.GUNNERY)
ALWAYS_VOIDABLE = (Result.MAGAZINE, Result.RUDDER)
NOTHING = "nothing"
_SIX = 6


def hit_by(weapon: Weapon, target: Ship, book: CarriersBook, dice: Dice, trace: Trace) -> Harm:
    """What a strike that went through does."""
    if weapon == Weapon.BOMB:
        return bomb_hit(target, book, dice, trace)
    return torpedo_hit(target, book, dice, trace)


def rule_behind(weapon: Weapon, result: Result) -> str:
    """The rule whose table a row stands in."""
    return "CAR-8.7" if weapon == Weapon.TORPEDO else RESULT_RULES[result]


def _harm(
    result: Result,
    *,
    void: bool = False,
    keys: tuple[Key, ...] = (),
    belts: int = 0,
    cards_lost: int = 0,
) -> Harm:
    return Harm(result, void, keys, belts, cards_lost)


# ---- Bombs


def bomb_hit(target: Ship, book: CarriersBook, dice: Dice, trace: Trace) -> Harm:
    """Roll on the tables for a bomb: one for carriers, one for all others.

    Source: seed 003, dive bombing attacks; register 4.6 and 4.7.
    """
    if target.ship_class == ShipClass.CARRIER:
        harm = _on_carrier(target, book, dice, trace)
    else:
        harm = _on_ship(target, book, dice, trace)
    _record(harm, Weapon.BOMB, book, trace)
    return harm


def _on_carrier(target: Ship, book: CarriersBook, dice: Dice, trace: Trace) -> Harm:
    """CAR-8.2."""
    reading = "carrier_five_six"
    found = _roll("carrier-bomb", "carrier-hit", reading, book, dice, trace)
    if found == "deck":
        return _on_deck(target, book, dice, trace)
    if found != Result.BRIDGE:
        return _harm(Result(found))
    return _harm(Result.BRIDGE, keys=new_key(target, Key.BRIDGE, book, trace))


def _on_deck(target: Ship, book: CarriersBook, dice: Dice, trace: Trace) -> Harm:
    """CAR-8.3."""
    if _roll("deck", "flight-deck", "", book, dice, trace) == "fuel":
        return _burning(target, book, dice, trace)
    lost = book.settings.deck_hit_card
    trace.setting("CAR-8.3", "deck_hit_card", lost)
    keys = new_key(target, Key.DECK_AIRCRAFT, book, trace)
    return _harm(Result.DECK_AIRCRAFT, keys=keys, cards_lost=1 if lost else 0)


def _burning(target: Ship, book: CarriersBook, dice: Dice, trace: Trace) -> Harm:
    result = Result(_roll("fuel", "aviation-fuel", "", book, dice, trace))
    if result == Result.FIRE_OUT:
        return _harm(result)
    return _harm(result, keys=new_key(target, Key.OUT_OF_COMMISSION, book, trace))


def _on_ship(target: Ship, book: CarriersBook, dice: Dice, trace: Trace) -> Harm:
    """CAR-8.4."""
    table = book.tables["ship-bomb"]
    die = trace.roll(dice, Ask((D6,), OnTable(table), "ship-hit", table.rule_id))
    result = Result(str(trace.look_up(table, die, "result")))
    if not _is_for(target, result, book, dice, trace):
        return _harm(result, void=True)
    key = _SHIP_KEYS[result]
    if result == Result.TURRET and die == _SIX:
        trace.setting("CAR-8.4", "turret_six", book.settings.turret_six)
        key = Key.TURRET_LOST if book.settings.turret_six == "game" else key
    return _harm(result, keys=new_key(target, key, book, trace))


def _is_for(target: Ship, result: Result, book: CarriersBook, dice: Dice, trace: Trace) -> bool:
    """Whether the row harms the target (CAR-8.5); where nothing could be void no die is thrown."""
    settings = book.settings
    voidable = result in ALWAYS_VOIDABLE or settings.void_rows == "all"
    strikes = not voidable or _nation(target, result, book, dice, trace) == target.nation
    if result not in ALWAYS_VOIDABLE and not (voidable and strikes):
        trace.setting("CAR-8.5", "void_rows", settings.void_rows)
    return strikes


def _nation(target: Ship, result: Result, book: CarriersBook, dice: Dice, trace: Trace) -> str:
    """The nation that the second die names (CAR-8.5), the target's class counted (CAR-8.6)."""
    settings, table = book.settings, book.tables["nation"]
    change = _change(target, result, book)
    lowest = 1 if settings.die_floor else 1 - D6
    read = NationDie(table, result.value, change, lowest)
    nation = trace.roll(dice, Ask((D6,), read, "nation", table.rule_id))
    thrown = trace.thrown
    if not thrown:
        return nation
    if result in CHANGED_BY_CLASS and is_smaller(target, book):
        trace.setting("CAR-8.6", "class_change", settings.class_change)
    _record_nation_die(read, thrown, target, book, trace)
    trace.finding("CAR-8.5", "nation", nation)
    return nation


def _change(target: Ship, result: Result, book: CarriersBook) -> int:
    """What the class of the target adds to the second die (CAR-8.6)."""
    if result not in CHANGED_BY_CLASS or book.settings.class_change != "nation-die":
        return 0
    return book.tables["class-change"].number(target.ship_class.value, "change")


def _record_nation_die(
    read: NationDie, thrown: int, target: Ship, book: CarriersBook, trace: Trace
) -> None:
    """The second die from the face thrown to its row."""
    row = thrown
    if read.change:
        trace.modifier("CAR-8.6", target.ship_class.value, read.change)
        row = trace.sum("CAR-8.6", "nation_die", thrown, thrown + read.change)
    if row < 1:
        trace.setting("CAR-8.6", "die_floor", book.settings.die_floor)
        held = trace.clamp("CAR-8.6", "nation_die", row, read.lowest, D6)
        row = row if held == row else trace.sum("CAR-8.6", "nation_row", held, held)
    trace.look_up(read.table, row, read.column)


# ---- Torpedoes


def torpedo_hit(target: Ship, book: CarriersBook, dice: Dice, trace: Trace) -> Harm:
    """Roll on the tables for a torpedo, of any class of ship.

    Source: seed 003, torpedo strikes; register 4.8.
    """
    harm = _torpedoed(target, book, dice, trace)
    _record(harm, Weapon.TORPEDO, book, trace)
    return harm


def _torpedoed(target: Ship, book: CarriersBook, dice: Dice, trace: Trace) -> Harm:
    """CAR-8.7."""
    found = _roll("torpedo", "belt", "torpedo_six", book, dice, trace, either="first")
    if found == Result.RUDDER:
        return _harm(Result.RUDDER, keys=new_key(target, Key.RUDDER, book, trace))
    if found == "none":
        trace.setting("CAR-8.7", "first_six", book.settings.first_six)
        if book.settings.first_six == "fails":
            return _harm(Result.NOTHING, void=True)
    elif found != target.nation:
        return _harm(Result.BELT, void=True)
    behind = _roll("belt", "behind-the-belt", "torpedo_six", book, dice, trace, either="second")
    keys = () if behind == NOTHING else new_key(target, Key(behind), book, trace)
    return _harm(Result.BELT, keys=(*keys, *_flooded(target, book, trace)), belts=1)


def _flooded(target: Ship, book: CarriersBook, trace: Trace) -> tuple[Key, ...]:
    """What one more pierced belt does by itself (CAR-8.9)."""
    table = book.tables["flooding"]
    if table.cell(target.belts + 1, "effect") == NOTHING:
        return ()
    trace.setting("CAR-8.9", "flooding", book.settings.flooding)
    if not book.settings.flooding:
        return ()
    trace.modifier("CAR-8.9", "pierced", 1)
    belts = trace.sum("CAR-8.9", "belts", target.belts, target.belts + 1)
    return new_key(target, Key(str(trace.look_up(table, belts, "effect"))), book, trace)


# ---- What both have in common


def _roll(
    table_id: str,
    purpose: str,
    setting: str,
    book: CarriersBook,
    dice: Dice,
    trace: Trace,
    *,
    either: str = "",
) -> str:
    """Throw for a row of a table.

    Args:
        setting: It chooses the column, and is named where the columns differ; or empty.
        either: The column of this table where the setting is for those of both.
    """
    table = book.tables[table_id]
    chosen = str(getattr(book.settings, setting)) if setting else "result"
    die = trace.roll(dice, Ask((D6,), OnTable(table), purpose, table.rule_id))
    if setting and _differ(table, die):
        trace.setting(table.rule_id, setting, chosen)
    return str(trace.look_up(table, die, either if chosen == "either" else chosen))


def _differ(table: Table, die: int) -> bool:
    return len({table.cell(die, column) for column in table.columns}) > 1


class CardsThere(StrEnum):
    """What becomes of the cards at a ship that was hit."""

    LOST = "lost"
    RETURNED = "returned"


def cards_there(harm: Harm, book: CarriersBook) -> CardsThere | None:
    """What becomes of all cards at the ship (CAR-8.11, CAR-8.12); None: they stay."""
    if Key.OUT_OF_COMMISSION in harm.keys:
        return CardsThere.LOST
    if Key.EXPLODED in harm.keys or Key.SUNK in harm.keys:
        return CardsThere(book.settings.lost_ship_cards)
    return None


def _record(harm: Harm, weapon: Weapon, book: CarriersBook, trace: Trace) -> None:
    """The hit as findings: the row, what it leaves, and what becomes of cards."""
    rule_id = rule_behind(weapon, harm.result)
    trace.finding(rule_id, "result", harm.result.value)
    if harm.void:
        trace.finding("CAR-8.5" if weapon == Weapon.BOMB else "CAR-8.7", "void", value=True)
    if harm.belts:
        trace.finding("CAR-8.8", "belts_pierced", harm.belts)
    for key in harm.keys:
        trace.finding(_KEY_RULES.get(key, rule_id), "effect", key.value)
    if harm.cards_lost:
        trace.finding("CAR-8.3", "cards_lost", harm.cards_lost, "adjacent ones first")
    fate = cards_there(harm, book)
    if fate is None:
        return
    if Key.OUT_OF_COMMISSION not in harm.keys:
        trace.setting("CAR-8.12", "lost_ship_cards", book.settings.lost_ship_cards)
    rule_id = "CAR-8.11" if Key.OUT_OF_COMMISSION in harm.keys else "CAR-8.12"
    trace.finding(rule_id, "cards_there", fate.value)


_KEY_RULES: Mapping[Key, str] = {
    Key.OUT_OF_COMMISSION: "CAR-8.11",
    Key.EXPLODED: "CAR-8.12",
    Key.SUNK: "CAR-8.12",
    Key.DEAD_IN_WATER: "CAR-8.9",
    Key.LISTING: "CAR-8.8",
}
