"""Legal orders like one that was refused, the likest first.

The lists of deployments and flights are long, and begin elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator

from guncamera.rules.hexes import DIRECTIONS, Hex
from guncamera.rules.ruleset import LegalOrder
from guncamera.rulesets.kettering.board import Board
from guncamera.rulesets.kettering.book import KetteringBook
from guncamera.rulesets.kettering.facts import Plot
from guncamera.rulesets.kettering.flights import flights_near
from guncamera.rulesets.kettering.legal import (
    deployment_altitudes,
    legal_orders,
    set_ups,
    south_edge,
    speeds_to_set_up,
)
from guncamera.rulesets.kettering.map import hex_named
from guncamera.rulesets.kettering.orders import (
    DamageOrder,
    Deploy,
    FireOrder,
    MoveOrder,
    Phase,
    SpotOrder,
    WindOrder,
)
from guncamera.rulesets.kettering.performance import STEP_METRES

Order = MoveOrder | WindOrder | SpotOrder | FireOrder | DamageOrder


def orders_near(board: Board, seat: str, order: Order, book: KetteringBook) -> Iterator[LegalOrder]:
    """Deployments and flights like those that were asked for; else every order of the phase."""
    match order:
        case MoveOrder(Deploy() as wanted) if board.phase == Phase.DEPLOY:
            yield from _deployments(wanted, board, book)
        case MoveOrder(Plot() as wanted) if board.phase == Phase.AIRCRAFT and board.torpedo:
            yield from flights_near(wanted, board.aircraft, board.torpedo, book)
        case _:
            yield from legal_orders(board, seat, book)


def _deployments(wanted: Deploy, board: Board, book: KetteringBook) -> Iterator[LegalOrder]:
    """At the altitude asked for or the nearest there is, on hexes round the one asked for."""
    steps = (wanted.altitude_metres + STEP_METRES // 2) // STEP_METRES
    metres = min(max(steps, 1), book.settings.ceiling_metres // STEP_METRES) * STEP_METRES
    speeds = speeds_to_set_up(board, book)
    yield from set_ups(
        tuple(dict.fromkeys((metres, *deployment_altitudes(book)))),
        _hexes(wanted.hex, book),
        sorted(DIRECTIONS, key=lambda facing: facing != wanted.facing),
        sorted(speeds, key=lambda speed: abs(speed - wanted.speed_mp)),
    )


def _hexes(label: str, book: KetteringBook) -> tuple[Hex, ...]:
    """The south edge, the hexes nearest to one first."""
    edge, at = south_edge(book), hex_named(label)
    return edge if at is None else tuple(sorted(edge, key=at.distance))
