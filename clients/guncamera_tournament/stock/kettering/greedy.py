"""Kettering, greedy: the shot with the best odds that can be flown to now; else straight on.

The odds are the rule on fire's own. Where no flight ends in a shot, all promise the same this turn,
and it goes as it went, at the torpedo's height. It repairs, sets up and fires as the rule set's own
pilot does.
"""

from __future__ import annotations

from guncamera.rules.hexes import Hex
from guncamera.rules.ruleset import LegalOrder, Verb
from guncamera.rulesets.kettering.board import Board
from guncamera.rulesets.kettering.book import KetteringBook
from guncamera.rulesets.kettering.courses import from_origin, seen_from
from guncamera.rulesets.kettering.facts import Plot, Torpedo
from guncamera.rulesets.kettering.limits import Limits
from guncamera.rulesets.kettering.map import hex_at
from guncamera.rulesets.kettering.orders import MoveOrder, Phase, View
from guncamera.rulesets.kettering.path import walk
from guncamera.rulesets.kettering.pilot import board_of, stock
from guncamera.rulesets.kettering.pilot_aim import abilities, aims, bare

AHEAD = "F"


def choose(view: View, seat: str, book: KetteringBook, nth: int) -> LegalOrder:
    """The order of the pilot, which sees so much."""
    if view.phase != Phase.AIRCRAFT or view.torpedo is None:
        return stock(view, seat, book, nth)
    board = board_of(view)
    plot = _shot(board, view.torpedo, book) or _onward(board, view.torpedo, book)
    if plot is None:
        return stock(view, seat, book, nth)
    return LegalOrder(Verb.MOVE, MoveOrder(plot), f"Fly at speed {plot.speed_mp}: {plot.path}.")


def _shot(board: Board, torpedo: Torpedo, book: KetteringBook) -> Plot | None:
    """The flight to the best shot; None where there is no shot to fly to."""
    aircraft = board.aircraft
    start = hex_at(aircraft.hex, book, "aircraft.hex")
    target = hex_at(torpedo.hex, book, "torpedo.hex")
    facing = aircraft.facing.facing
    q, r = seen_from(start, facing, target)
    toward = (torpedo.heading.facing - facing) % 6
    climb = torpedo.altitude_metres - aircraft.altitude_metres
    craft = bare(aircraft, book)
    found = [
        one
        for one in aims(craft, q, r, toward, climb, torpedo.speed_mp, book)
        if _stays(board, one.path, target, book)
    ]
    best = max(found, key=lambda one: one.chance, default=None)
    if best is None:
        return None
    return Plot(best.speed_mp, best.change_metres, best.bonus_hexes, best.path)


def _onward(board: Board, torpedo: Torpedo, book: KetteringBook) -> Plot | None:
    """The flight with the fewest turns, and of these the fastest; None: all leave the board."""
    aircraft = board.aircraft
    target = hex_at(torpedo.hex, book, "torpedo.hex")
    limits, able = abilities(bare(aircraft, book), book)
    change = _level(limits, torpedo.altitude_metres - aircraft.altitude_metres)
    bonus = limits.bonuses(change, book)[0]
    found = [
        (sum(1 for step in path.split() if step != AHEAD), -speed, path)
        for speed in range(limits.slowest, limits.fastest + 1)
        for path in from_origin(able, speed + bonus, speed if able.hexes_only else 0).values()
    ]
    for _, slow, path in sorted(found):
        if _stays(board, path, target, book):
            return Plot(-slow, change, bonus, path)
    return None


def _level(limits: Limits, wanted: int) -> int:
    """The change of altitude that comes nearest to what is wanted, without an overdive."""
    safe = [one for one in limits.changes() if one >= -limits.dive_limit_metres]
    return min(safe or limits.changes(), key=lambda one: abs(one - wanted))


def _stays(board: Board, path: str, target: Hex, book: KetteringBook) -> bool:
    """Whether a path stays on the board and ends off the torpedo's hex."""
    start = hex_at(board.aircraft.hex, book, "aircraft.hex")
    led = walk(start, board.aircraft.facing, path.split(), book)
    return not led.left_board and led.hex != target
