"""Damage assessment: effects of one turn end, points are counted, the game may be over. Chapter 9.

No dice. All of it is about damage that was announced, so lines name ships by name, never by id.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from guncamera.rules.refusal import Violation, refuse_faults
from guncamera.rules.ruling import Ruling
from guncamera.rules.trace import Trace
from guncamera.rulesets.carriers.book import CarriersBook
from guncamera.rulesets.carriers.cards import Key, Ship, ShipClass, Side
from guncamera.rulesets.carriers.facts import Assessing, Fleet
from guncamera.rulesets.carriers.outcomes import Assessed, DamageOutcome, Ending
from guncamera.rulesets.carriers.standing import CARRIER_KEYS, at_turn_end, fading, faults_of
from guncamera.rulesets.carriers.told import NATIONS

REPORTS = "CAR-10.6"
POINTS = "CAR-9.2"
_LOST = (Key.OUT_OF_COMMISSION, Key.EXPLODED, Key.SUNK)
"""Effects that are the loss of a ship."""

WITHOUT_POINTS = frozenset({Key.TURRET, Key.TURRET_LOST, Key.DEAD_IN_WATER, *_LOST})
"""Effects that do not score as lasting ones do: not at all, as losses, or by a setting."""

_LOSSES: Mapping[ShipClass, str] = {
    ShipClass.CARRIER: "points_out_of_commission",
    ShipClass.BATTLESHIP: "points_battleship",
    ShipClass.CRUISER: "points_cruiser",
    ShipClass.DESTROYER: "points_destroyer",
}


def rule_on_assessing(facts: Assessing, book: CarriersBook) -> Ruling[DamageOutcome]:
    """Rules on damage assessment at the end of a turn. No dice.

    Raises:
        Malformed: CAR-9.5, a fleet that is none; CAR-8.10, CAR-8.13, effects that a ship
            cannot have.

    Source: seed 003, damage assessment; register 8, 12.5 and 12.9.
    """
    check_fleets(facts, book)
    trace = Trace()
    if any(ship.keys or ship.belts for ship in (*facts.us, *facts.japan)):
        trace.setting(REPORTS, "damage_reports", book.settings.damage_reports)
    cleared = _cleared((*facts.us, *facts.japan), book, trace)
    fleets = {
        Side.US: tuple(at_turn_end(ship, book) for ship in facts.us),
        Side.JAPAN: tuple(at_turn_end(ship, book) for ship in facts.japan),
    }
    us, japan = (_points(side, fleets[side.other], book, trace) for side in Side)
    ending = _ending(facts.turn, fleets, book, trace)
    winner = _winner((us, japan), fleets, book, trace) if ending else None
    if ending:
        trace.finding("CAR-9.3", "ending", ending.value)
        trace.finding("CAR-9.4", "winner", winner.value if winner else "draw")
    outcome = Assessed(cleared, us, japan, ending, winner)
    return Ruling(DamageOutcome(outcome), tuple(trace.lines), (), _summary(facts.turn, outcome))


# ---- Effects of one turn


def _cleared(ships: Fleet, book: CarriersBook, trace: Trace) -> tuple[str, ...]:
    """The ships whose effects of one turn end (CAR-9.1)."""
    if any(CARRIER_KEYS.intersection(ship.keys) for ship in ships):
        trace.setting("CAR-9.1", "carrier_damage_lasts", book.settings.carrier_damage_lasts)
    found = []
    for ship in ships:
        for key in fading(ship, book):
            trace.finding("CAR-9.1", "ends", key.value, called(ship))
        if fading(ship, book):
            found.append(ship.id)
    return tuple(found)


# ---- Points


def _points(side: Side, enemy: Fleet, book: CarriersBook, trace: Trace) -> int:
    """What a side has scored by the state of the enemy's ships (CAR-9.2)."""
    scored = [found for ship in enemy for found in _scored(ship)]
    for setting in dict.fromkeys(setting for _, setting in scored):
        trace.setting(POINTS, setting, _worth(setting, book))
    worth = [(name, _worth(setting, book)) for name, setting in scored]
    total = sum(trace.modifier(POINTS, name, points) for name, points in worth if points)
    return trace.sum(POINTS, f"{side.value}_points", 0, total)


def _worth(setting: str, book: CarriersBook) -> int:
    return int(getattr(book.settings, setting))


def _scored(ship: Ship) -> Iterator[tuple[str, str]]:
    """What scores on a ship: a name for it, and the setting that says how much."""
    if Key.DEAD_IN_WATER in ship.keys:
        yield f"{called(ship)}: {Key.DEAD_IN_WATER.value}", "points_dead_in_water"
    yield from ((f"{called(ship)}: belt", "points_belt") for _ in range(ship.belts))
    if is_lost(ship):
        why = next(key for key in _LOST if key in ship.keys)
        yield f"{called(ship)}: {why.value}", _LOSSES[ship.ship_class]
    for key in dict.fromkeys(ship.keys):
        if key not in WITHOUT_POINTS:
            yield f"{called(ship)}: {key.value}", "points_key"


def points_on(ship: Ship, book: CarriersBook) -> int:
    """What the state of a ship scores for its enemy (CAR-9.2)."""
    return sum(_worth(setting, book) for _, setting in _scored(ship))


def is_lost(ship: Ship) -> bool:
    """Whether a ship scores as lost: gone, or a carrier out of commission."""
    return not ship.afloat or Key.OUT_OF_COMMISSION in ship.keys


def called(ship: Ship) -> str:
    """What lines call a ship: by its name, if it has one."""
    return ship.name or f"a {NATIONS[ship.nation]} {ship.ship_class}"


# ---- The end


def _ending(
    turn: int, fleets: Mapping[Side, Fleet], book: CarriersBook, trace: Trace
) -> Ending | None:
    """Why the game is over, if it is (CAR-9.3)."""
    settings = book.settings
    if not all(_afloat(fleet) for fleet in fleets.values()):
        trace.setting("CAR-9.3", "no_ships_end", settings.no_ships_end)
        if settings.no_ships_end:
            return Ending.NO_SHIPS
    if any(_has_lost_its_carriers(fleet) for fleet in fleets.values()):
        trace.setting("CAR-9.3", "no_carrier_end", settings.no_carrier_end)
        if settings.no_carrier_end:
            return Ending.NO_CARRIER
    if turn < settings.max_turns:
        return None
    trace.setting("CAR-9.3", "max_turns", settings.max_turns)
    return Ending.TURNS


def _afloat(fleet: Fleet) -> int:
    return sum(ship.afloat for ship in fleet)


def _has_lost_its_carriers(fleet: Fleet) -> bool:
    """Whether a side that had carriers has none in commission."""
    carriers = [ship for ship in fleet if ship.ship_class == ShipClass.CARRIER]
    return bool(carriers) and all(is_lost(ship) for ship in carriers)


def _winner(
    points: tuple[int, int], fleets: Mapping[Side, Fleet], book: CarriersBook, trace: Trace
) -> Side | None:
    """Who has more points, the US side's first (CAR-9.4)."""
    us, japan = points
    if us == japan:
        trace.setting("CAR-9.4", "equal_points", book.settings.equal_points)
        if book.settings.equal_points == "ships":
            us, japan = (_afloat(fleets[side]) for side in Side)
    if us == japan:
        return None
    return Side.US if us > japan else Side.JAPAN


ENDINGS: Mapping[Ending, str] = {
    Ending.TURNS: "the last turn is over",
    Ending.NO_CARRIER: "a side has no carrier in commission",
    Ending.NO_SHIPS: "a side has no ship left",
}


def _summary(turn: int, outcome: Assessed) -> str:
    points = f"US {outcome.us_points}, Japan {outcome.japan_points}"
    if outcome.ending is None:
        return f"Turn {turn} is assessed: {points}."
    won = f"{NATIONS[outcome.winner]} side wins" if outcome.winner else "draw"
    return f"{ENDINGS[outcome.ending].capitalize()}: {won}, {points}."


# ---- Guards


def check_fleets(facts: Assessing, book: CarriersBook) -> None:
    """That both fleets can be (CAR-9.5).

    Raises:
        Malformed: Every fault, by path.
    """
    refuse_faults(
        [
            *_fleet_faults(facts.us, Side.US, book),
            *_fleet_faults(facts.japan, Side.JAPAN, book),
        ]
    )


def _fleet_faults(fleet: Fleet, side: Side, book: CarriersBook) -> Iterator[Violation]:
    path = f"assessing.{side.value}"
    if not fleet:
        yield Violation(path, "no ships; list all of the side, gone or not", "CAR-9.5")
    seen: set[str] = set()
    for at, ship in enumerate(fleet):
        here = f"{path}[{at}]"
        if not ship.id or ship.id in seen:
            yield Violation(f"{here}.id", "each ship of a side needs an id of its own", "CAR-9.5")
        if ship.nation != side:
            text = f"a {NATIONS[ship.nation]} ship is in the other fleet; put it there"
            yield Violation(f"{here}.nation", text, "CAR-9.5")
        seen.add(ship.id)
        yield from faults_of(ship, book, here)
