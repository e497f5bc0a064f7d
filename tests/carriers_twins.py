"""Twin games of the carriers in which a strike misses a hidden ship that is hurt in one of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice, pairwise
from typing import Any

from games import example_setup
from guncamera.rules.ruleset import LegalOrder, Ruleset, Verb
from guncamera.rulesets.carriers.cards import Line, Weapon
from guncamera.rulesets.carriers.facts import ShipMove
from guncamera.rulesets.carriers.fleets import line_of
from guncamera.rulesets.carriers.orders import (
    MoveOrder,
    MoveShips,
    Phase,
    Place,
    SendStrike,
)
from guncamera.rulesets.carriers.standing import parts
from hidden import Ruled, Search, Step, Twins
from secrecy import Start

MOST_GAMES = 40
MOST_STEPS = 250


def twins_with_a_miss(found: Ruleset) -> Twins:
    """Two games that differ in a change of places with a ship that is hurt, and a miss at it.

    The attacker's dice and his card are the same; what is taken off the die is not.
    """
    start = Start(example_setup(found), {"first_player": "us"})
    for number in islice(count(), MOST_GAMES):
        search = Search(found, start, number)
        for twins in _of_game(search):
            return twins
    raise AssertionError("no game has such a miss")


def _of_game(search: Search) -> Iterator[Twins]:
    board = search.found.open_board(search.start.setup, search.found.book)
    before: tuple[Step, ...] = ()
    while search.found.active_seats(board) and len(before) < MOST_STEPS:
        if board.phase is Phase.MOVE:
            for places, moves in _exchanges(board, search):
                yield from _missed(search, board, before, places, moves)
        step = search.open_to(board, search.found.active_seats(board)[0])[0]
        ruled = search.rule(board, step, len(before) + 1)
        if ruled is None:
            return
        board, before = ruled.board, (*before, step)


def _exchanges(board: Any, search: Search) -> Iterator[tuple[set[Place], MoveShips]]:
    """Changes of places of a hurt ship and one that is not, where no cards lie."""
    navy = board.navy(board.acting[0])
    for line in Line:
        ships = line_of(navy.ships, line)
        for slot, (one, other) in enumerate(pairwise(ships)):
            hurt = [
                any(parts(ship, weapon, search.found.book) for weapon in Weapon)
                for ship in (one, other)
            ]
            if hurt[0] != hurt[1] and not navy.at(one.id) and not navy.at(other.id):
                places = {Place(line, slot), Place(line, slot + 1)}
                yield places, MoveShips((ShipMove(one.id, swap_with=other.id),))


def _missed(
    search: Search, board: Any, before: tuple[Step, ...], places: set[Place], moves: MoveShips
) -> Iterator[Twins]:
    holder = str(board.acting[0])
    secrets = tuple(
        Step(holder, LegalOrder(Verb.MOVE, MoveOrder(moved), "")) for moved in (MoveShips(), moves)
    )
    revision = len(before) + 1
    first, second = (search.rule(board, step, revision) for step in secrets)
    after: list[Step] = []
    while first and second and first.board.phase is not Phase.ASSESS:
        seat = search.found.active_seats(first.board)[0]
        step = _next(search, first.board, seat, places if seat != holder else set())
        revision += 1
        first, second = (search.rule(each.board, step, revision) for each in (first, second))
        if not first or not second or _differ(search, first, second, holder):
            return
        after.append(step)
        if search.rests(first, second) and first.deed.trace != second.deed.trace:
            kinds = frozenset({step.kind})
            yield Twins(search.start, before, secrets, tuple(after), kinds)
            return


def _differ(search: Search, first: Ruled, second: Ruled, holder: str) -> bool:
    return search.seen(first.board, holder) != search.seen(second.board, holder)


def _next(search: Search, board: Any, seat: str, places: set[Place]) -> Step:
    """A strike at one of the places, if one is open; else as little as possible."""
    orders = list(search.found.legal_orders(board, seat, search.found.book))
    for order in orders:
        wanted = order.order.procedure
        if isinstance(wanted, SendStrike) and wanted.target in places:
            return Step(seat, order)
    return Step(seat, orders[0])
