"""Setting a game up: two sides, one to six aircraft each. Rules RED-10.1 to RED-10.3."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from guncamera.rules.refusal import Malformed, Violation, refuse_faults
from guncamera.rules.ruleset import Seat
from guncamera.rulesets.redstars.aircraft import Aircraft, DataBook, Pilot, Position
from guncamera.rulesets.redstars.board import Board
from guncamera.rulesets.redstars.book import RedstarsBook
from guncamera.rulesets.redstars.books import check_own
from guncamera.rulesets.redstars.geometry import MILS, STEP_DEGREES
from guncamera.rulesets.redstars.orders import Craft, Entrant, Phase, Setup, Side

TURNS = 30
"""Of a game whose set-up names none: house, RED-10.7; the text has no end."""
TABLE_INCHES = 144
"""Of a game whose set-up names none: house, RED-10.2; room for some turns of closing in."""
MOST_A_SIDE = 6
"""A bound of the service, no rule of the game (RED-10.1)."""
_TITLES = {Side.SOVIET: "The Soviet side", Side.JAPANESE: "The Japanese side"}


def seats(_setup: Setup, _book: RedstarsBook) -> tuple[Seat, ...]:
    """One seat a side."""
    return tuple(Seat(side.value, side.value, _TITLES[side]) for side in Side)


def set_up(setup: Setup, book: RedstarsBook) -> Board:
    """The board before the first turn.

    Raises:
        Malformed: Everything about the set-up that cannot be, by path.
    """
    if setup.own_books:
        check_own(setup.own_books, book, "setup.own_books")
    known = {**book.aircraft, **{own.type: own for own in setup.own_books}}
    inches = TABLE_INCHES if setup.table_inches is None else setup.table_inches
    entrants, path = setup.aircraft, "setup.aircraft"
    if not entrants:
        entrants, path = _duel(setup, inches, known, book), "setup.type"
    refuse_faults(_faults(entrants, known, inches, path, book))
    craft = tuple(
        Craft(entrant.side, _entered(entrant, known)) for entrant in sorted(entrants, key=_id_of)
    )
    return Board(
        phase=Phase.END,
        turn=0,
        turns=TURNS if setup.turns is None else setup.turns,
        table_inches=inches,
        craft=craft,
        firing=False,
        choosing=(),
        cards=(),
        revealed=False,
        possible_rams=(),
        ready=(),
        rams=(),
        order=(),
        meetings=(),
        shots=(),
        pending=(),
        kills=(),
        own_books=setup.own_books,
        winner=None,
        draw=False,
    )


def _id_of(entrant: Entrant) -> str:
    return entrant.id


def _entered(entrant: Entrant, known: dict[str, DataBook]) -> Aircraft:
    data_book = known[entrant.type]
    return Aircraft(
        id=entrant.id,
        type=entrant.type,
        position=entrant.position,
        speed=data_book.max_speed if entrant.speed is None else entrant.speed,
        pilot=entrant.pilot or Pilot(),
        boxes=tuple(weapon.boxes for weapon in data_book.weapons),
    )


def _duel(
    setup: Setup, inches: int, known: dict[str, DataBook], book: RedstarsBook
) -> tuple[Entrant, ...]:
    """One aircraft a side, of one type, meeting in the middle of the table."""
    kind = setup.type or next(iter(known))
    if kind not in known:
        raise Malformed(
            f"There is no type {kind!r} for both to fly; the types are {', '.join(known)}.",
            rule_id="RED-1.2",
            field="setup.type",
            type=kind,
        )
    middle = inches * MILS // 2
    half = min(book.settings.duel_inches * MILS // 2, middle)
    altitude = book.settings.duel_altitude
    south = Position(middle, middle - half, 0, altitude)
    north = Position(middle, middle + half, 180, altitude)
    first = Entrant("soviet-1", Side.SOVIET, kind, south)
    return (
        first,
        replace(first, id="japanese-1", side=Side.JAPANESE, position=north),
    )


def _faults(
    entrants: tuple[Entrant, ...],
    known: dict[str, DataBook],
    inches: int,
    path: str,
    book: RedstarsBook,
) -> Iterator[Violation]:
    ids = [entrant.id for entrant in entrants]
    for side in Side:
        flown = sum(entrant.side == side for entrant in entrants)
        if not 1 <= flown <= MOST_A_SIDE:
            text = f"the {side} side has {flown} aircraft; give it 1 to {MOST_A_SIDE}"
            yield Violation(path, text, "RED-10.1")
    for at, entrant in enumerate(entrants):
        here = f"{path}[{at}]"
        if not entrant.id or ids.count(entrant.id) > 1:
            yield Violation(f"{here}.id", "give each aircraft an id of its own", "RED-10.1")
        if entrant.type not in known:
            text = f"there is no type {entrant.type!r}; take one of {', '.join(known)}"
            yield Violation(f"{here}.type", text, "RED-1.2")
        else:
            yield from _speed_faults(entrant, known[entrant.type], here)
        yield from _position_faults(entrant.position, inches, f"{here}.position", book)
        yield from _trait_faults(entrant, here)


def _speed_faults(entrant: Entrant, data_book: DataBook, here: str) -> Iterator[Violation]:
    low, high = data_book.min_speed, data_book.max_speed
    if entrant.speed is not None and not low <= entrant.speed <= high:
        text = f"{entrant.speed} is no speed of this type; give {low} to {high}"
        yield Violation(f"{here}.speed", text, "RED-10.2")


def _position_faults(
    position: Position, inches: int, here: str, book: RedstarsBook
) -> Iterator[Violation]:
    edge = inches * MILS
    for name, mils in (("x_mils", position.x_mils), ("y_mils", position.y_mils)):
        if not 0 <= mils <= edge:
            text = f"{mils} is off the table; give 0 to {edge}"
            yield Violation(f"{here}.{name}", text, "RED-10.2")
    if position.heading_degrees % STEP_DEGREES:
        text = f"{position.heading_degrees} is no heading of a disc; give a multiple of 5"
        yield Violation(f"{here}.heading_degrees", text, "RED-3.2")
    ceiling = book.settings.altitude_ceiling
    if not 1 <= position.altitude <= ceiling:
        text = f"{position.altitude} is no altitude to start at; give 1 to {ceiling}"
        yield Violation(f"{here}.altitude", text, "RED-10.2")


def _trait_faults(entrant: Entrant, here: str) -> Iterator[Violation]:
    traits = entrant.pilot.traits if entrant.pilot else ()
    if len(set(traits)) < len(traits):
        yield Violation(f"{here}.pilot.traits", "a trait is named twice", "RED-1.3")
