"""How the stock pilot flies: where he can shoot and is not shot at, on the enemy's tail and above.

He guesses what the enemy nearest to him may fly, weighs every option of his own against that
roughly, and the best of them again by the firing clock and against all enemies.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from zlib import crc32

from guncamera.rules.hexes import Hex
from guncamera.rules.refusal import Refusal
from guncamera.rulesets.circus.aircraft import UNHURT, Build, Condition, Mount, Pose, Side
from guncamera.rulesets.circus.board import Board
from guncamera.rulesets.circus.book import CircusBook
from guncamera.rulesets.circus.facts import Plot
from guncamera.rulesets.circus.fly import flown_path
from guncamera.rulesets.circus.homeward import check_homeward, plots_of
from guncamera.rulesets.circus.map import column_and_row
from guncamera.rulesets.circus.orders import Edge, TurnOrder, View
from guncamera.rulesets.circus.outcomes import End
from guncamera.rulesets.circus.pilot_aim import (
    EVERY,
    Fighter,
    Guess,
    Rough,
    exact,
    fighter,
    flown,
    standing_still,
)
from guncamera.rulesets.circus.pilot_guess import guesses, straight_on
from guncamera.rulesets.circus.pilot_options import Option, options_of

FINALISTS = 16
FACES = range(1, 7)
OTHERS_SHARE = 0.5
"""What enemies count that are not the nearest."""
STRIKES = {Build.FRAGILE: 4 / 36, Build.NORMAL: 3 / 36, Build.ROBUST: 2 / 36}
"""The chance that a check of high stress strikes the structure."""
LIFE, SPAR = 60.0, 3.0
"""What the loss of an aircraft costs, and that of a spar, in hits."""
OVER_SPEED = 3.0
LOST = {End.CRASHED: 60.0, End.LANDED: 20.0}
LEAVING = 25.0
LOW_FEET, PULL_OUT_FEET, LOW = 900, 900, 0.25
EDGE = 0.35
SPEED, ENERGY = 0.02, 0.08
FIRE_DIVE = {Pose.STEEP_DIVE: 1.5, Pose.POWER_DIVE: 3.0}
UNJAM = 0.8
HOME, HOME_OUT, HOME_ROOM = 1.0, 12.0, 6
DIVE_AWAY, MOST_DIVED_FEET, NEAR_HEXES = 0.6, 1_000, 14
"""What a hundred feet down are worth to who breaks off with an enemy so near."""
TASTE = 0.1
"""What the number of the order may add to an option, for variety."""
TOGETHER_HEXES = 5
"""How much further an enemy may be for whom no friend cares."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Everyone who flies, as one side sees them."""

    view: View
    board: Board
    side: Side
    mine: tuple[Fighter, ...]
    enemies: tuple[Fighter, ...]
    book: CircusBook
    nth: int


def scene(view: View, board: Board, side: Side, book: CircusBook, nth: int) -> Scene:
    """What a side has to fly, and against whom; who has no pilot counts no more."""
    steered = [
        fighter(craft, view, book)
        for craft in view.craft
        if craft.end is None and not (craft.aircraft.condition or UNHURT).pilot_killed
    ]
    mine = tuple(one for one in steered if one.craft.side == side)
    enemies = tuple(one for one in steered if one.craft.side != side)
    return Scene(view, board, side, mine, enemies, book, nth)


def plots(seen: Scene) -> tuple[Plot, ...]:
    """A plot for each aircraft of the side that can be steered."""
    cared_for: dict[str, int] = {}
    found = []
    for mine in seen.mine:
        target = _target(mine, seen, cared_for)
        if target is not None:
            id_ = target.craft.aircraft.id
            cared_for[id_] = cared_for.get(id_, 0) + 1
        found.append(_plot(mine, target, seen))
    return tuple(found)


def _target(mine: Fighter, seen: Scene, cared_for: dict[str, int]) -> Fighter | None:
    """The nearest enemy; one for whom a friend cares counts as further away."""
    here = Hex(mine.place.q, mine.place.r)

    def away(enemy: Fighter) -> tuple[int, str]:
        id_ = enemy.craft.aircraft.id
        hexes = here.distance(Hex(enemy.place.q, enemy.place.r))
        above = abs(enemy.place.feet - mine.place.feet) // 200
        return hexes + above + TOGETHER_HEXES * cared_for.get(id_, 0), id_

    return min(seen.enemies, key=away, default=None)


# ---- Choosing


def _plot(mine: Fighter, target: Fighter | None, seen: Scene) -> Plot:
    """The best option that is legal where the aircraft is."""
    for option in _ranked(mine, target, seen):
        plot = Plot(mine.craft.aircraft.id, option.speed_mp, option.codes)
        if is_legal(mine, plot, seen):
            return plot
    return next(plots_of(mine.craft, seen.board, seen.book))


def is_legal(mine: Fighter, plot: Plot, seen: Scene) -> bool:
    """Whether a plot is legal where the aircraft is, and homeward if its pilot is broken."""
    try:
        flown_path(mine.craft.aircraft, mine.aeroplane, plot, seen.book)
        if mine.craft.broken:
            check_homeward(mine.craft, plot, seen.board, seen.book)
    except Refusal:
        return False
    return True


def _ranked(mine: Fighter, target: Fighter | None, seen: Scene) -> Iterator[Option]:
    """The options, the best first: the finalists as they come out, then the rest."""
    options = options_of(mine.craft.aircraft, mine.aeroplane, seen.book)
    expected = _expected(mine, target, seen)
    rough = None if target is None else Rough(mine, target, expected, seen.book)
    weighed = []
    for nth, option in enumerate(options):
        moments = mine.place.samples(option.moments[EVERY - 1 :: EVERY])
        worth = _own(mine, option, moments[-1], seen)
        if rough is not None:
            worth += rough.worth(moments)
        weighed.append((-worth, nth))
    weighed.sort()
    most = FINALISTS // len(seen.mine)
    against = [] if target is None else [(target, guess) for guess in expected]
    against += _others(target, seen)
    final = []
    for _, nth in weighed[:most]:
        final.append((-_finally(mine, options[nth], against, seen), nth))
    yield from (options[nth] for _, nth in sorted(final))
    yield from (options[nth] for _, nth in weighed[most:])


def _finally(
    mine: Fighter, option: Option, against: Sequence[tuple[Fighter, Guess]], seen: Scene
) -> float:
    """What an option is worth by the firing clock, against all enemies."""
    flight = flown(mine, option)
    worth = _own(mine, option, flight.moments[-1], seen) + _taste(option, seen)
    if not mine.craft.broken and leaves(flight, seen):
        worth -= LEAVING
    for enemy, guess in against:
        worth += guess.share * exact(mine, flight, enemy, guess, seen.book)
    return worth


def _expected(mine: Fighter, target: Fighter | None, seen: Scene) -> tuple[Guess, ...]:
    """What the nearest enemy may fly; in alternate turns he does not."""
    if target is None:
        return ()
    if seen.view.turn_order == TurnOrder.ALTERNATE:
        return (standing_still(target, 1.0),)
    return guesses(target, mine, seen.book)


def _others(target: Fighter | None, seen: Scene) -> list[tuple[Fighter, Guess]]:
    """The other enemies, going straight on."""
    found = []
    for enemy in seen.enemies:
        if enemy is target:
            continue
        if seen.view.turn_order == TurnOrder.ALTERNATE:
            found.append((enemy, standing_still(enemy, OTHERS_SHARE)))
        else:
            found.append((enemy, straight_on(enemy, OTHERS_SHARE, seen.book)))
    return found


def _taste(option: Option, seen: Scene) -> float:
    """A little that only the number of the order decides."""
    text = f"{seen.nth} {seen.side} {option.speed_mp} {option.codes}"
    return TASTE * (crc32(text.encode()) % 1_000) / 1_000


# ---- What an option is worth by itself


def _own(mine: Fighter, option: Option, last: Sequence[int], seen: Scene) -> float:
    """Everything but the enemies: stress, ground, edge, energy, fire, jams, the way home."""
    condition = mine.craft.aircraft.condition or UNHURT
    q, r, facing, feet = last
    worth = SPEED * option.speed_mp + ENERGY * option.ke
    worth -= LOST.get(option.end, 0.0) if option.end else 0.0
    safe = LOW_FEET + (PULL_OUT_FEET if option.dive == Pose.POWER_DIVE else 0)
    if feet < safe:
        worth -= LOW * (safe - feet) / 100
    worth -= _strain(mine, option, condition)
    if condition.fire_points:
        worth += condition.fire_points * FIRE_DIVE.get(option.dive, 0.0)
    if option.straight_and_level and _is_jammed(mine):
        worth += UNJAM
    if not mine.hunts:
        worth += _homeward(q, r, mine, seen) + _away(mine, feet, seen)
    if mine.craft.broken:
        return worth
    return worth - _edge(q, r, facing, option.speed_mp + option.ke, seen)


def _strain(mine: Fighter, option: Option, condition: Condition) -> float:
    """What stress and over-speed may do to the airframe."""
    strain = 0.0
    if option.stress or option.dive == Pose.POWER_DIVE:
        aeroplane = mine.aeroplane
        left = aeroplane.damage_limit - aeroplane.stall_mp - condition.damage_points
        struck = option.stress * STRIKES[aeroplane.build] + condition.structure_marks
        strain += struck * (LIFE * _end_of_structure(left) + SPAR / 6)
    if option.dive != Pose.LEVEL:
        strain += OVER_SPEED * max(option.points - mine.aeroplane.safe_dive_mp, 0)
    return strain


@lru_cache(maxsize=64)
def _end_of_structure(left: int) -> float:
    """The chance that a roll on the structure chart ends an aircraft that bears so much damage."""
    one = sum(1 for die in FACES if die > left) / 6
    two = sum(1 for die in FACES for other in FACES if die + other > left) / 36
    return (1 + one + two) / 6


def _is_jammed(mine: Fighter) -> bool:
    loads = mine.craft.aircraft.loads
    weapons = mine.aeroplane.weapons
    return any(load.jammed for weapon, load in zip(weapons, loads) if weapon.mount == Mount.FRONT)


def _edge(q: int, r: int, facing: int, speed: int, seen: Scene) -> float:
    """The map may end before the next move does."""
    column, row = column_and_row(Hex(q, r))
    settings = seen.book.settings
    east, south = settings.map_columns - column, settings.map_rows - row
    west, north = column - 1, row - 1
    if min(east, south, west, north) < 0:
        return LEAVING
    room = {
        0: east,
        1: min(north, 2 * east + 1),
        2: min(north, 2 * west + 1),
        3: west,
        4: min(south, 2 * west + 1),
        5: min(south, 2 * east + 1),
    }[facing]
    return EDGE * max(speed - room, 0)


def _homeward(q: int, r: int, mine: Fighter, seen: Scene) -> float:
    """Near the friendly edge is good; who is broken flies over it, others keep some room."""
    column, row = column_and_row(Hex(q, r))
    settings = seen.book.settings
    edge = seen.view.first_edge if seen.side == Side.FIRST else seen.view.second_edge
    left = {
        Edge.NORTH: row - 1,
        Edge.WEST: column - 1,
        Edge.SOUTH: settings.map_rows - row,
        Edge.EAST: settings.map_columns - column,
    }[edge]
    if not mine.craft.broken:
        return -HOME * max(left, HOME_ROOM)
    return HOME_OUT if left < 0 else -HOME * left


def _away(mine: Fighter, feet: int, seen: Scene) -> float:
    """Down and away, while an enemy is near who fights."""
    lost = min(mine.place.feet - feet, MOST_DIVED_FEET)
    here = Hex(mine.place.q, mine.place.r)
    near = any(
        one.hunts and here.distance(Hex(one.place.q, one.place.r)) <= NEAR_HEXES
        for one in seen.enemies
    )
    return DIVE_AWAY * lost / 100 if near else 0.0


def leaves(flight: Guess, seen: Scene) -> bool:
    """Whether a move crosses the edge of the map."""
    settings = seen.book.settings
    for stand in flight.route.stands:
        column, row = column_and_row(Hex(stand.q, stand.r))
        if not (1 <= column <= settings.map_columns and 1 <= row <= settings.map_rows):
            return True
    return False
