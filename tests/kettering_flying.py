"""Flying for the Kettering tests: every end a plot can reach, and a pilot that hunts."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

from guncamera.rules.dice import Ask, Throw
from guncamera.rules.hexes import Hex, HexDirection
from guncamera.rulesets.kettering import RULESET
from guncamera.rulesets.kettering.board import Board
from guncamera.rulesets.kettering.book import KetteringBook
from guncamera.rulesets.kettering.facts import Aircraft, Plot
from guncamera.rulesets.kettering.limits import Limits, flight_limits
from guncamera.rulesets.kettering.map import hex_at, on_board

BOOK: KetteringBook = RULESET.book
TURNS = {"L": 1, "R": -1, "LL": 2, "RR": -2, "U": 3}


class RandomDice:
    """Dice from a seeded generator; remembers the faces."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.faces: list[int] = []

    def roll(self, ask: Ask) -> Throw:
        faces = tuple(self.random.randint(1, sides) for sides in ask.dice)
        self.faces += faces
        return Throw(ask.read(faces), faces)


def paths(allowance: int, costs: dict[int, int]) -> Iterator[tuple[str, ...]]:
    """Every path of one turn per hex that spends exactly the allowance and ends on a hex."""
    if allowance == 0:
        return
    for rest in _after(allowance - 1, costs):
        yield ("F", *rest)
    for turn, sixths in TURNS.items():
        left = allowance - costs[abs(sixths)] - 1
        if left >= 0:
            for rest in _after(left, costs):
                yield (turn, "F", *rest)


def _after(left: int, costs: dict[int, int]) -> Iterator[tuple[str, ...]]:
    if left == 0:
        yield ()
    else:
        yield from paths(left, costs)


@cache
def shortest_ends(
    allowance: int, costs: tuple[int, int, int], *, turns: bool
) -> dict[tuple[int, int, int], tuple[str, ...]]:
    """Ends of paths, relative to a start facing east: (q, r, facing) to one path each."""
    ends: dict[tuple[int, int, int], tuple[str, ...]] = {}
    priced = dict(zip((1, 2, 3), costs))
    layer: dict[tuple[int, int, int, int, bool], tuple[str, ...]] = {(0, 0, 0, 0, True): ()}
    while layer:
        after: dict[tuple[int, int, int, int, bool], tuple[str, ...]] = {}
        for (q, r, facing, spent, may), path in layer.items():
            if spent == allowance and path and path[-1] == "F":
                ends.setdefault((q, r, facing), path)
            if spent < allowance:
                ahead = Hex(q, r).step(list(HexDirection)[facing])
                after.setdefault((ahead.q, ahead.r, facing, spent + 1, True), (*path, "F"))
            if not (may and turns):
                continue
            for turn, sixths in TURNS.items():
                if spent + priced[abs(sixths)] <= allowance:
                    key = (q, r, (facing + sixths) % 6, spent + priced[abs(sixths)], False)
                    after.setdefault(key, (*path, turn))
        layer = after
    return ends


def random_plot(aircraft: Aircraft, book: KetteringBook, random: Random) -> Plot:
    """A plot within the limits, though its path may break a rule."""
    limits = flight_limits(aircraft, book)
    speed = random.randint(limits.slowest, limits.fastest)
    change = random.choice(list(limits.changes()))
    bonus = random.choice(list(limits.bonuses(change, book)))
    left, tokens, may = speed + bonus, [], True
    while left > 0:
        options = ["F"] * 4
        if limits.turns and may:
            options += [t for t, sixths in TURNS.items() if limits.costs[abs(sixths)] <= left]
        token = random.choice(options)
        may = token == "F"
        left -= 1 if may else limits.costs[abs(TURNS[token])]
        tokens.append(token)
    return Plot(speed, change, bonus, " ".join(tokens))


def hunting_plots(board: Board, book: KetteringBook) -> list[tuple[int, Plot]]:
    """Plots with the distance they leave to a firing place, the best first."""
    assert board.torpedo is not None
    limits = flight_limits(board.aircraft, book)
    start = hex_at(board.aircraft.hex, book, "")
    target = hex_at(board.torpedo.hex, book, "")
    heading = board.torpedo.heading
    change = board.torpedo.altitude_metres - board.aircraft.altitude_metres
    if change % 50 or not limits.lowest_change <= change <= limits.highest_change:
        change = min(max(change, limits.lowest_change), limits.highest_change)
    tail, nose = target.step(heading, -1), target.step(heading)
    found = []
    for speed in range(limits.slowest, limits.fastest + 1):
        bonus = limits.bonuses(change, book)[0]
        for (q, r, turned), path in _ends(speed + bonus, limits).items():
            facing = board.aircraft.facing.turned(turned)
            offset = Hex(q, r).rotated(board.aircraft.facing.facing)
            end = Hex(start.q + offset.q, start.r + offset.r)
            if end == target or not on_board(end, book):
                continue
            wrong = min(
                end.distance(tail) + 3 * (facing != heading),
                end.distance(nose) + 3 * (facing != heading.opposite()),
            )
            found.append((10 * wrong + speed, Plot(speed, change, bonus, " ".join(path))))
    return sorted(found, key=lambda item: item[0])


def _ends(allowance: int, limits: Limits) -> dict[tuple[int, int, int], tuple[str, ...]]:
    costs = (limits.costs[1], limits.costs[2], limits.costs[3])
    if not limits.performance.sharp_turns:
        costs = (costs[0], 99, 99)
    return shortest_ends(allowance, costs, turns=limits.turns)
