"""Every order a seat may give now, made lazily and in a fixed order.

What may be done follows the phases of KET-1.7. Nothing here decides a rule: limits, courses,
repairs and shots are those of the rules themselves, asked or tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from guncamera.rules.dealt import DealtDice
from guncamera.rules.dice import Ask
from guncamera.rules.hexes import Hex, HexDirection
from guncamera.rules.refusal import Illegal, RollRequired
from guncamera.rules.ruleset import LegalOrder, Verb
from guncamera.rules.trace import Trace
from guncamera.rulesets.kettering.board import Board
from guncamera.rulesets.kettering.book import KetteringBook, profile_of
from guncamera.rulesets.kettering.damage import rule_on_repair
from guncamera.rulesets.kettering.facts import Critical, FireFacts, Repair, Repaired
from guncamera.rulesets.kettering.fire import rule_on_fire
from guncamera.rulesets.kettering.flights import flights
from guncamera.rulesets.kettering.map import east_edge, label
from guncamera.rulesets.kettering.move import SOUTH_ROW, deployment_speeds
from guncamera.rulesets.kettering.orders import (
    DamageOrder,
    Deploy,
    FireOrder,
    Inspect,
    Launch,
    Mend,
    MoveOrder,
    Phase,
    Proceed,
    SpotOrder,
    WindOrder,
)
from guncamera.rulesets.kettering.performance import assess
from guncamera.rulesets.kettering.survey import survey

ANALYSIS_METRES = (2_200, 1_900)
"""The altitudes of the published analysis: the Fokker D.VII's and the Albatros D.III's."""
NORTH_FIRST = (
    HexDirection.NORTHEAST,
    HexDirection.NORTHWEST,
    HexDirection.EAST,
    HexDirection.WEST,
    HexDirection.SOUTHEAST,
    HexDirection.SOUTHWEST,
)


def legal_orders(board: Board, seat: str, book: KetteringBook) -> Iterator[LegalOrder]:
    """Every order of the phase; last, in every phase but the end, reading the aircraft's state.

    Complete but for two things without end or use. Deployments are those at the altitudes that
    torpedoes enter at and at those of the published analysis, on every hex, facing and speed.
    Flights are one path to each end state for each speed, change of altitude and bonus: see
    `flights`.
    """
    match board.phase:
        case Phase.DEPLOY:
            yield from (order for _, order in repairs(board, book))
            yield from _deployments(board, book)
        case Phase.LAUNCH:
            yield _move(Launch(), "Roll the torpedo's entry.")
        case Phase.TORPEDO:
            yield _move(Proceed(), "Move the torpedo.")
        case Phase.AIRCRAFT:
            if board.torpedo is None:
                raise AssertionError(f"no torpedo in phase {board.phase}")
            yield from flights(board.aircraft, board.torpedo, book)
        case Phase.FIRE:
            yield LegalOrder(Verb.SPOT, SpotOrder(), "Look whether the torpedo is in the sights.")
            if shot_ask(board, seat, book) is not None:
                yield LegalOrder(Verb.FIRE, FireOrder(), "Fire at the torpedo.")
            yield _wind()
        case Phase.WIND:
            yield _wind()
        case Phase.FINISHED:
            return
    summary = "Read what the aircraft can still do."
    yield LegalOrder(Verb.DAMAGE, DamageOrder(Inspect()), summary)


def shot_ask(board: Board, seat: str, book: KetteringBook) -> Ask[str] | None:
    """The dice that the rule on fire would throw for a shot now; None where it refuses one."""
    facts = survey(board, seat, Verb.FIRE, FireOrder(), book)
    if not isinstance(facts, FireFacts):
        raise AssertionError(f"a shot surveyed to {facts!r}")
    try:
        rule_on_fire(facts, book, DealtDice(()))
    except RollRequired as wanted:
        return wanted.ask
    except Illegal:
        return None
    raise AssertionError("a shot was ruled on without dice")


def repairs(board: Board, book: KetteringBook) -> Iterator[tuple[Repaired, LegalOrder]]:
    """Every repair that the rule grants, in the order of the critical hits."""
    condition = board.condition
    for critical in Critical:
        if critical not in condition.criticals:
            continue
        try:
            ruling = rule_on_repair(Repair(condition, critical, board.torpedoes_left), book)
        except Illegal:
            continue
        repaired = ruling.outcome.procedure
        if not isinstance(repaired, Repaired):
            raise AssertionError(f"a repair came to {repaired!r}")
        order = DamageOrder(Mend(critical))
        yield repaired, LegalOrder(Verb.DAMAGE, order, ruling.summary)


def deployment_altitudes(book: KetteringBook) -> tuple[int, ...]:
    """The altitudes worth a place in the list: the analysis's, then the entry chart's."""
    chart = book.tables["start-altitudes"]
    entered = sorted({chart.number(row.label, "altitude") for row in chart.rows}, reverse=True)
    every = dict.fromkeys((*ANALYSIS_METRES, *entered))
    return tuple(metres for metres in every if metres <= book.settings.ceiling_metres)


def south_edge(book: KetteringBook) -> tuple[Hex, ...]:
    """The hexes of row A, from the middle outward, the western of two first."""
    width = book.settings.map_width_hexes
    east = east_edge(SOUTH_ROW, book)
    row = [east.step(HexDirection.WEST, back) for back in reversed(range(width))]
    order = sorted(range(width), key=lambda at: (abs(2 * at - width + 1), at))
    return tuple(row[at] for at in order)


def _deployments(board: Board, book: KetteringBook) -> Iterator[LegalOrder]:
    """By altitude, then by hex from the middle outward, by facing, and the fastest first."""
    speeds = tuple(reversed(speeds_to_set_up(board, book)))
    yield from set_ups(deployment_altitudes(book), south_edge(book), NORTH_FIRST, speeds)


def speeds_to_set_up(board: Board, book: KetteringBook) -> range:
    """The speeds that the aircraft of a board may be set up with."""
    profile = profile_of(board.aircraft.type, book, "setup.aircraft_type")
    return deployment_speeds(assess(profile, board.aircraft.condition, book, Trace()))


def set_ups(
    altitudes: Sequence[int],
    hexes: Sequence[Hex],
    facings: Sequence[HexDirection],
    speeds: Sequence[int],
) -> Iterator[LegalOrder]:
    """Every deployment of some choices, the last of them varied first."""
    for metres in altitudes:
        for hex_ in hexes:
            for facing in facings:
                for speed in speeds:
                    where = label(hex_)
                    yield _move(
                        Deploy(where, facing, metres, speed),
                        f"Set up on {where} facing {facing}, at {metres} metres and speed {speed}.",
                    )


def _move(procedure: Deploy | Launch | Proceed, summary: str) -> LegalOrder:
    return LegalOrder(Verb.MOVE, MoveOrder(procedure), summary)


def _wind() -> LegalOrder:
    return LegalOrder(Verb.WIND, WindOrder(), "Roll the wind; the next turn begins.")
