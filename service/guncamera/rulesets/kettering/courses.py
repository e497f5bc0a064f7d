"""Where a flight can end: every hex and facing that some path reaches, with one path to each.

The path rules themselves stay in `path.py`; what they allow is found by asking them (`handling`).
A course is searched as if the aircraft stood on the hex of origin and faced east, so that one
search serves every place and facing; only near the edge of the board is it searched in place.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from guncamera.rules.hexes import DIRECTIONS, Hex, HexDirection
from guncamera.rules.refusal import Illegal
from guncamera.rulesets.kettering.book import KetteringBook
from guncamera.rulesets.kettering.limits import Limits
from guncamera.rulesets.kettering.map import ROWS, half_hexes_east, on_board, row_of
from guncamera.rulesets.kettering.path import AHEAD, TURNS, check_path, walk

Ending = tuple[int, int, int, int]
"""An end state: q and r of the hex, facing 0 to 5, hexes straight ahead at the end (capped)."""

_STEPS = tuple((d.q, d.r) for d in (Hex(0, 0).step(direction) for direction in DIRECTIONS))


@dataclass(frozen=True, slots=True)
class Handling:
    """What the path rules allow an aircraft now.

    Attributes:
        turns: Token, sixths of a circle and movement points of each facing change allowed.
        again_in_hex: Two changes may follow each other.
        at_once, at_end: A change may come before the first hex, or after the last.
        once: One change in a turn is all.
        hexes_only: Bonus hexes pay for no change.
        straight: Hexes straight ahead that sighting wants; more are not told apart.
    """

    turns: tuple[tuple[str, int, int], ...]
    again_in_hex: bool
    at_once: bool
    at_end: bool
    once: bool
    hexes_only: bool
    straight: int


@dataclass(frozen=True, slots=True)
class Courses:
    """The ends of every path of one length in points.

    Attributes:
        paths: A path to each end state: the fewest steps, then the first in the order
            F, L, R, LL, RR, U. The end states stand in that same order.
        leaving: Such a path off the board; None where no path leaves it.
    """

    paths: Mapping[Ending, str]
    leaving: str | None


def handling(limits: Limits, book: KetteringBook) -> Handling:
    """What the path rules allow under some limits, found by trying short paths on them."""

    def accepted(*tokens: str) -> bool:
        spent = sum(1 if t == AHEAD else limits.costs[abs(TURNS[t])] for t in tokens)
        try:
            check_path(tokens, spent, 0, limits, book)
        except Illegal:
            return False
        return True

    names = [token for token in TURNS if accepted(AHEAD, token, AHEAD)] if limits.turns else []
    turn = names[0] if names else AHEAD
    return Handling(
        turns=tuple((token, TURNS[token], limits.costs[abs(TURNS[token])]) for token in names),
        again_in_hex=bool(names) and accepted(AHEAD, turn, turn, AHEAD),
        at_once=bool(names) and accepted(turn, AHEAD),
        at_end=bool(names) and accepted(AHEAD, turn),
        once=not accepted(AHEAD, turn, AHEAD, turn, AHEAD),
        hexes_only=book.settings.bonus_spending == "hexes-only",
        straight=book.settings.sighting_hexes,
    )


def courses(
    able: Handling, speed: int, bonus: int, start: Hex, facing: HexDirection, book: KetteringBook
) -> Courses:
    """Every end state of a flight from a place on the board, on the board."""
    points = speed + bonus
    paid = speed if able.hexes_only else 0
    if edge_distance(start, book) < points:
        return _from_edge(able, points, paid, start, facing, book)
    found = from_origin(able, points, paid)
    turned = {placed(end, start, facing.facing): path for end, path in found.items()}
    return Courses(turned, None)


def path_to(
    able: Handling,
    speed: int,
    bonus: int,
    start: Hex,
    facing: HexDirection,
    end: Ending,
    book: KetteringBook,
) -> str | None:
    """The path that `courses` gives to one end state; None where there is none."""
    points, paid = speed + bonus, speed if able.hexes_only else 0
    q, r = seen_from(start, facing.facing, Hex(end[0], end[1]))
    turned = (end[2] - facing.facing) % 6
    path = from_origin(able, points, paid).get((q, r, turned, end[3]))
    if path is None or edge_distance(start, book) >= points:
        return path
    # The first path of all is the first on the board too, if it stays there.
    if not walk(start, facing, path.split(), book).left_board:
        return path
    return _from_edge(able, points, paid, start, facing, book).paths.get(end)


def edge_distance(hex_: Hex, book: KetteringBook) -> int:
    """The fewest hexes to the edge of the board, so that so many are safe in any direction."""
    row, x = row_of(hex_), half_hexes_east(hex_)
    return min(row - 1, ROWS - row, x // 2, (2 * book.settings.map_width_hexes - 1 - x) // 2)


def placed(end: Ending, start: Hex, facing: int) -> Ending:
    """An end state seen from the origin facing east, moved and turned to a start."""
    q, r, toward, straight = end
    (eq, er), (sq, sr) = _STEPS[facing], _STEPS[(facing + 5) % 6]
    return start.q + q * eq + r * sq, start.r + q * er + r * sr, (toward + facing) % 6, straight


def seen_from(start: Hex, facing: int, hex_: Hex) -> tuple[int, int]:
    """A hex as it lies from the origin for one who faces east; undoes `placed`."""
    (eq, er), (sq, sr) = _STEPS[-facing % 6], _STEPS[(5 - facing) % 6]
    q, r = hex_.q - start.q, hex_.r - start.r
    return q * eq + r * sq, q * er + r * sr


@lru_cache(maxsize=64)
def from_origin(able: Handling, points: int, paid: int) -> Mapping[Ending, str]:
    """Every end state on an endless map, from the origin facing east.

    Args:
        points: Movement points, all spent.
        paid: Of these, the points that may pay for facing changes; read if `hexes_only`.
    """
    return _search(able, points, paid, (0, 0, 0), None).paths


@lru_cache(maxsize=32)
def _from_edge(
    able: Handling, points: int, paid: int, start: Hex, facing: HexDirection, book: KetteringBook
) -> Courses:
    @cache
    def inside(q: int, r: int) -> bool:
        return on_board(Hex(q, r), book)

    return _search(able, points, paid, (start.q, start.r, facing.facing), inside)


State = tuple[int, int, int, int, int, int, bool, bool]
"""Along a path: q, r, facing; points left, and of these for changes; hexes straight; whether it
must fly on before it may turn, and whether it may turn no more."""


def _search(
    able: Handling,
    points: int,
    paid: int,
    start: tuple[int, int, int],
    inside: Callable[[int, int], bool] | None,
) -> Courses:
    """Breadth first over steps, so that the first path to a state is the shortest and first."""
    first = begin(able, points, paid, start)
    paths: dict[Ending, str] = {}
    leaving: str | None = None
    seen = {first}
    queue = deque([(first, "")])
    while queue:
        state, path = queue.popleft()
        q, r, facing, left, _, straight, _, _ = state
        if may_end(state, able):
            paths.setdefault((q, r, facing, straight), path)
        step = _STEPS[facing]
        blocked = inside is not None and left > 0 and not inside(q + step[0], r + step[1])
        if blocked and leaving is None:
            leaving = f"{path}{f' {AHEAD}' * left}".lstrip()
        for token, after in steps(state, able, blocked=blocked):
            if after not in seen:
                seen.add(after)
                queue.append((after, f"{path} {token}" if path else token))
    return Courses(paths, leaving)


def begin(able: Handling, points: int, paid: int, start: tuple[int, int, int]) -> State:
    """The state before the first step, from a hex (q and r) and a facing."""
    return (*start, points, paid, 0, not able.at_once, False)


def may_end(state: State, able: Handling) -> bool:
    """Whether a path may end here: all is spent, and the last step was no forbidden turn."""
    return state[3] == 0 and (state[5] > 0 or able.at_end)


def steps(state: State, able: Handling, *, blocked: bool) -> Iterator[tuple[str, State]]:
    """The steps from a state, in the order of the tokens; none ahead where that is blocked."""
    q, r, facing, left, paid, straight, must_fly, may_not_turn = state
    if left and not blocked:
        dq, dr = _STEPS[facing]
        ahead = min(straight + 1, able.straight)
        yield AHEAD, (q + dq, r + dr, facing, left - 1, paid, ahead, False, may_not_turn)
    if must_fly or may_not_turn:
        return
    for token, sixths, cost in able.turns:
        if cost <= left and (cost <= paid or not able.hexes_only):
            kept = paid - cost if able.hexes_only else paid
            turned = (facing + sixths) % 6
            yield token, (q, r, turned, left - cost, kept, 0, not able.again_in_hex, able.once)
