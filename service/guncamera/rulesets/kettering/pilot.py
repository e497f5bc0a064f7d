"""The stock pilots: one that flies like the hotshot of the published analysis, and one at random.

Both are pure functions of what they see, so that equal games are flown alike.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from guncamera.rules.hexes import DIRECTIONS, Hex, HexDirection
from guncamera.rules.ruleset import LegalOrder, Pilot, Verb
from guncamera.rules.trace import Trace
from guncamera.rulesets.kettering.board import Board
from guncamera.rulesets.kettering.book import KetteringBook, profile_of
from guncamera.rulesets.kettering.courses import Handling, begin, handling, may_end, steps
from guncamera.rulesets.kettering.facts import Critical, Performance, Torpedo
from guncamera.rulesets.kettering.flights import Plan, fly, plans
from guncamera.rulesets.kettering.legal import (
    NORTH_FIRST,
    deployment_altitudes,
    legal_orders,
    repairs,
    shot_ask,
    south_edge,
)
from guncamera.rulesets.kettering.limits import flight_limits
from guncamera.rulesets.kettering.map import hex_at, label, on_board
from guncamera.rulesets.kettering.move import deployment_speeds
from guncamera.rulesets.kettering.orders import (
    Deploy,
    FireOrder,
    MoveOrder,
    Phase,
    View,
    WindOrder,
)
from guncamera.rulesets.kettering.path import walk
from guncamera.rulesets.kettering.performance import assess
from guncamera.rulesets.kettering.pilot_aim import chance_of
from guncamera.rulesets.kettering.pilot_flight import choose_flight

LEFT_OF_IT: Mapping[Critical, float] = {
    Critical.FUEL_LINE_SEVERED: 0.1,
    Critical.CONTROLS_JAMMED: 0.2,
    Critical.ELEVATOR_CABLES_SEVERED: 0.4,
    Critical.GAS_TANK_PUNCTURED: 0.5,
    Critical.AILERON_CABLES_FOULED: 0.8,
}
"""What is left of a torpedo's chance to be stopped by an aircraft with such a hit, roughly."""
HIGHEST_START, LOWEST_START, LOWEST_TORPEDO = 2_200, 1_900, 850
SEAT = "pilot"
TRIES = 8

T = TypeVar("T")


def board_of(view: View) -> Board:
    """The board that shows this view, for rules that read boards."""
    met = max(view.encounter, len(view.encounters))
    return Board(
        torpedoes=view.torpedoes_left + met + view.passed,
        phase=view.phase,
        encounter=view.encounter,
        turn=view.turn,
        aircraft=view.aircraft,
        ammunition=view.ammunition,
        guns_jammed=view.guns_jammed,
        fuel_turns=view.fuel_turns,
        bonus_hexes=view.bonus_hexes,
        straight_hexes=view.straight_hexes,
        torpedo=view.torpedo,
        wind_toward=view.wind_toward,
        wind_mp=view.wind_mp,
        shots=0,
        last_shot=view.last_shot,
        encounters=view.encounters,
        passed=view.passed,
        lost=False,
        score=view.score,
    )


def stock(view: View, _seat: str, book: KetteringBook, _nth: int) -> LegalOrder:
    """Repairs what pays, deploys high and fast, keeps on the torpedo's tail, and fires."""
    board = board_of(view)
    match view.phase:
        case Phase.DEPLOY:
            return _repair(board, book) or _deploy(board, book)
        case Phase.AIRCRAFT:
            return _fly(board, book)
        case Phase.FIRE:
            shot = shot_ask(board, SEAT, book)
            if shot is not None and chance_of(shot):
                return LegalOrder(Verb.FIRE, FireOrder(), "Fire at the torpedo.")
            return LegalOrder(Verb.WIND, WindOrder(), "Roll the wind; the next turn begins.")
    return next(legal_orders(board, SEAT, book))


def _repair(board: Board, book: KetteringBook) -> LegalOrder | None:
    """The first repair that stops more torpedoes than it lets pass, by a rough reckoning."""
    left = board.torpedoes_left
    for repaired, order in repairs(board, book):
        worth = left * LEFT_OF_IT.get(repaired.critical, 1)
        if left - repaired.torpedoes_passed > worth:
            return order
    return None


def _deploy(board: Board, book: KetteringBook) -> LegalOrder:
    """In the middle of the south edge, facing north, at full speed; see `_start_altitude`."""
    able = _able(board, book)
    where = label(south_edge(book)[0])
    speed = deployment_speeds(able)[-1]
    altitude = min(_start_altitude(able), book.settings.ceiling_metres)
    order = Deploy(where, HexDirection.NORTHEAST, altitude, speed)
    return LegalOrder(Verb.MOVE, MoveOrder(order), f"Set up on {where} at {altitude} metres.")


def _able(board: Board, book: KetteringBook) -> Performance:
    """What the aircraft can still do."""
    profile = profile_of(board.aircraft.type, book, "setup.aircraft_type")
    return assess(profile, board.aircraft.condition, book, Trace())


def _torpedo(board: Board) -> Torpedo:
    if board.torpedo is None:
        raise AssertionError(f"no torpedo in phase {board.phase}")
    return board.torpedo


def _start_altitude(able: Performance) -> int:
    """High enough for the highest torpedo, low enough for three dives to reach the lowest.

    The analysis starts the Fokker D.VII at about 2,200 metres and the Albatros D.III at 1,900.
    """
    if not able.climbs:
        return HIGHEST_START
    three_dives = LOWEST_TORPEDO + 3 * able.profile.dive_limit_metres
    return min(max(three_dives, LOWEST_START), HIGHEST_START)


def _fly(board: Board, book: KetteringBook) -> LegalOrder:
    plot = choose_flight(board.aircraft, _torpedo(board), book)
    if plot is None:
        return next(legal_orders(board, SEAT, book))
    summary = f"Fly at speed {plot.speed_mp}: {plot.path}."
    return LegalOrder(Verb.MOVE, MoveOrder(plot), summary)


# ---- At random


@dataclass(slots=True)
class Chance:
    """Numbers that follow from a text, one after another."""

    text: str
    drawn: int = 0

    def pick(self, options: Sequence[T]) -> T:
        """One of some options."""
        self.drawn += 1
        digest = hashlib.sha256(f"{self.drawn} {self.text}".encode()).digest()
        return options[int.from_bytes(digest[:8]) % len(options)]


def at_random(view: View, _seat: str, book: KetteringBook, nth: int) -> LegalOrder:
    """A legal order picked by hashing the view and the number of the order.

    It never reads the aircraft's state, and looks for the torpedo at even numbers only, so that
    every campaign goes on.
    """
    board = board_of(view)
    chance = Chance(f"{nth} {view!r}")
    match view.phase:
        case Phase.DEPLOY:
            mends = [order for _, order in repairs(board, book)]
            return chance.pick([*mends, _deployed_anyhow(board, book, chance)])
        case Phase.AIRCRAFT:
            return _flown_anyhow(board, book, chance)
        case Phase.FIRE:
            listed = legal_orders(board, SEAT, book)
            kept = (Verb.FIRE, Verb.WIND, Verb.SPOT)[: 2 + (nth % 2 == 0)]
            return chance.pick([order for order in listed if order.verb in kept])
    return next(legal_orders(board, SEAT, book))


def _deployed_anyhow(board: Board, book: KetteringBook, chance: Chance) -> LegalOrder:
    where = label(chance.pick(south_edge(book)))
    altitude = chance.pick(deployment_altitudes(book))
    speed = chance.pick(deployment_speeds(_able(board, book)))
    order = Deploy(where, chance.pick(NORTH_FIRST), altitude, speed)
    return LegalOrder(Verb.MOVE, MoveOrder(order), f"Set up on {where} at {altitude} metres.")


def _flown_anyhow(board: Board, book: KetteringBook, chance: Chance) -> LegalOrder:
    """A plan and a path picked step by step; the first legal order where all tries fail."""
    aircraft, torpedo = board.aircraft, _torpedo(board)
    limits = flight_limits(aircraft, book)
    able = handling(limits, book)
    listed = plans(aircraft, limits, book)
    safe = [plan for plan in listed if plan.altitude_metres > 0]
    start = hex_at(aircraft.hex, book, "flight.aircraft.hex")
    for _ in range(TRIES):
        plan = chance.pick(safe or listed)
        tokens = _path_anyhow(plan, able, start, aircraft.facing, book, chance)
        if tokens is None:
            continue
        led = walk(start, aircraft.facing, tokens, book)
        if label(led.hex) != torpedo.hex:
            path = " ".join(tokens)
            return fly(plan, path, f"Fly at speed {plan.speed_mp}: {path}.")
    return next(legal_orders(board, SEAT, book))


def _path_anyhow(
    plan: Plan,
    able: Handling,
    start: Hex,
    facing: HexDirection,
    book: KetteringBook,
    chance: Chance,
) -> list[str] | None:
    """A path on the board, as often ahead as not; None where it runs into the edge."""
    points = plan.speed_mp + plan.bonus_hexes
    state = begin(able, points, plan.speed_mp, (start.q, start.r, facing.facing))
    tokens: list[str] = []
    while not may_end(state, able):
        ahead = Hex(state[0], state[1]).step(DIRECTIONS[state[2]])
        options = list(steps(state, able, blocked=not on_board(ahead, book)))
        if not options:
            return None
        token, state = chance.pick([*options[:1] * len(options), *options[1:]])
        tokens.append(token)
    return tokens


PILOTS: Mapping[str, Pilot] = {"stock": stock, "random": at_random}
