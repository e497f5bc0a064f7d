"""Setting up a game: who flies what, from where, and whether that can be. Rule CIR-12.3."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from guncamera.rules.hexes import HexDirection
from guncamera.rules.refusal import Refusal, Violation, refuse_faults
from guncamera.rulesets.circus.aeroplanes import faults_of_own
from guncamera.rulesets.circus.aircraft import MAX_AIRCRAFT, Aeroplane, Side
from guncamera.rulesets.circus.book import CircusBook, aeroplane_of, figure
from guncamera.rulesets.circus.facts import Cloud
from guncamera.rulesets.circus.map import hex_at, label, middle
from guncamera.rulesets.circus.orders import Edge, Entrant, Setup, TurnOrder

MOST_A_SIDE = MAX_AIRCRAFT // 2
DUEL_HEXES_APART = 20
DUEL_FEET = 6_000
DEFAULT_TURNS = 30


def chosen(setup: Setup, book: CircusBook) -> Setup:
    """The set-up with everything decided that was left out, and checked.

    Raises:
        Malformed: With every fault, by path.
    """
    faults = list(_faults_of_choice(setup, book))
    if not faults:
        setup = _filled(setup, book)
        faults = [*_faults_of_setup(setup), *_faults_of_clouds(setup, book)]
        for at, entrant in enumerate(setup.aircraft):
            faults += _faults_of_entrant(entrant, f"setup.aircraft[{at}]", setup, book)
    refuse_faults(faults, "CIR-12.3")
    return setup


def _faults_of_choice(setup: Setup, book: CircusBook) -> Iterator[Violation]:
    """Types that cannot be, and a choice of both a duel and aircraft."""
    yield from faults_of_own(setup.own_aeroplanes, book, "setup.own_aeroplanes")
    if setup.aircraft and setup.aeroplane:
        yield _fault(
            "setup.aeroplane",
            "names the type of a duel; leave it out where aircraft are given, or leave them out",
        )
    if not setup.aircraft:
        yield from _faults_of_type(_type_of_duel(setup, book), "setup.aeroplane", setup, book)


def _faults_of_type(slug: str, field: str, setup: Setup, book: CircusBook) -> Iterator[Violation]:
    try:
        aeroplane_of(slug, setup.own_aeroplanes, book, field)
    except Refusal as refusal:
        yield Violation(field, refusal.message.rstrip("."), refusal.rule_id)


def _filled(setup: Setup, book: CircusBook) -> Setup:
    aircraft = setup.aircraft or _duel(setup, book)
    first, second = setup.first_edge, setup.second_edge
    return replace(
        setup,
        aeroplane="",
        aircraft=tuple(_decided(entrant, setup, book) for entrant in aircraft),
        turn_order=setup.turn_order or TurnOrder.SIMULTANEOUS,
        turns=DEFAULT_TURNS if setup.turns is None else setup.turns,
        first_edge=first or (Edge.NORTH if second == Edge.SOUTH else Edge.SOUTH),
        second_edge=second or (Edge.SOUTH if first == Edge.NORTH else Edge.NORTH),
    )


def _type_of_duel(setup: Setup, book: CircusBook) -> str:
    """The type that both sides of a duel fly; left out, the first of the book."""
    return setup.aeroplane or next(iter(book.aircraft))


def _duel(setup: Setup, book: CircusBook) -> tuple[Entrant, ...]:
    """One aircraft a side, head on across the middle of the map."""
    slug = _type_of_duel(setup, book)
    ceiling = aeroplane_of(slug, setup.own_aeroplanes, book, "setup.aeroplane").ceiling_feet
    feet = min(DUEL_FEET, ceiling - ceiling % figure(book, "height_step_feet"))
    half = DUEL_HEXES_APART // 2
    ends = ((Side.FIRST, HexDirection.EAST), (Side.SECOND, HexDirection.WEST))
    return tuple(
        Entrant(
            id=f"{side}-1",
            side=side,
            aeroplane=slug,
            hex=label(middle(book).step(facing.opposite(), half)),
            facing=facing,
            altitude_feet=feet,
        )
        for side, facing in ends
    )


def _decided(entrant: Entrant, setup: Setup, book: CircusBook) -> Entrant:
    """The speed and the resolution of an entrant; a type that is not there is a fault later."""
    resolution = entrant.resolution
    if resolution is None:
        resolution = book.settings.standard_resolution
    speed = entrant.speed_mp
    if speed is None:
        known = _known(entrant.aeroplane, setup, book)
        speed = None if known is None else known.top_mp
    return replace(entrant, speed_mp=speed, resolution=resolution)


def _known(slug: str, setup: Setup, book: CircusBook) -> Aeroplane | None:
    if any(_faults_of_type(slug, "", setup, book)):
        return None
    return aeroplane_of(slug, setup.own_aeroplanes, book, "")


def _faults_of_setup(setup: Setup) -> Iterator[Violation]:
    ids = Counter(entrant.id for entrant in setup.aircraft)
    for at, entrant in enumerate(setup.aircraft):
        here = f"setup.aircraft[{at}].id"
        if not entrant.id or entrant.id != entrant.id.strip() or not entrant.id.isprintable():
            yield _fault(here, "an id has at least one character, and no space about it")
        elif ids[entrant.id] > 1:
            yield _fault(here, f"{entrant.id!r} is given to {ids[entrant.id]} aircraft")
    for side in Side:
        number = sum(1 for entrant in setup.aircraft if entrant.side == side)
        if not 1 <= number <= MOST_A_SIDE:
            yield _fault(
                "setup.aircraft",
                f"the {side} side has {number} aircraft; each side has 1 to {MOST_A_SIDE}",
            )
    if setup.first_edge == setup.second_edge:
        yield _fault("setup.second_edge", f"both sides have the {setup.first_edge} edge")


def _faults_of_clouds(setup: Setup, book: CircusBook) -> Iterator[Violation]:
    for at, cloud in enumerate(setup.clouds):
        here = f"setup.clouds[{at}]"
        yield from _faults_of_hex(cloud.hex, f"{here}.hex", book)
        yield from _faults_of_heights(cloud, here)


def _faults_of_heights(cloud: Cloud, here: str) -> Iterator[Violation]:
    if cloud.top_feet <= cloud.base_feet:
        yield _fault(
            f"{here}.top_feet",
            f"{cloud.top_feet} feet is not above the base of {cloud.base_feet}",
        )


def _faults_of_hex(text: str, field: str, book: CircusBook) -> Iterator[Violation]:
    try:
        hex_at(text, book, field)
    except Refusal as refusal:
        yield Violation(field, refusal.message.rstrip("."), refusal.rule_id)


def _faults_of_entrant(
    entrant: Entrant, here: str, setup: Setup, book: CircusBook
) -> Iterator[Violation]:
    yield from _faults_of_hex(entrant.hex, f"{here}.hex", book)
    if entrant.resolution is not None and entrant.resolution < 1:
        yield _fault(
            f"{here}.resolution",
            f"{entrant.resolution} is no resolution to enter with; give 1 or more",
        )
    step = figure(book, "height_step_feet")
    if entrant.altitude_feet % step or entrant.altitude_feet <= 0:
        yield _fault(
            f"{here}.altitude_feet",
            f"{entrant.altitude_feet} is not a height in steps of {step} feet above the ground",
        )
    known = _known(entrant.aeroplane, setup, book)
    if known is None:
        yield from _faults_of_type(entrant.aeroplane, f"{here}.aeroplane", setup, book)
    else:
        yield from _faults_of_flight(entrant, known, here)


def _faults_of_flight(entrant: Entrant, known: Aeroplane, here: str) -> Iterator[Violation]:
    """Above its ceiling, or at a speed it has not."""
    if entrant.altitude_feet > known.ceiling_feet:
        yield _fault(
            f"{here}.altitude_feet",
            f"{entrant.altitude_feet} feet is above the ceiling of {known.title}, "
            f"{known.ceiling_feet}",
        )
    speed = known.top_mp if entrant.speed_mp is None else entrant.speed_mp
    if not known.stall_mp <= speed <= known.top_mp:
        yield _fault(
            f"{here}.speed_mp",
            f"{speed} is no level speed of {known.title}; give {known.stall_mp} to {known.top_mp}",
        )


def _fault(field: str, description: str) -> Violation:
    return Violation(field, description, "CIR-12.3")
