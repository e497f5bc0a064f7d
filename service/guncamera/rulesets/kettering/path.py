"""The path of a flight: its tokens, what they cost, and where they lead. KET-5.2 to KET-5.4."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from guncamera.rules.hexes import Hex, HexDirection
from guncamera.rules.refusal import Illegal, Malformed
from guncamera.rulesets.kettering.book import KetteringBook
from guncamera.rulesets.kettering.limits import Limits
from guncamera.rulesets.kettering.map import on_board

AHEAD = "F"
TURNS: Mapping[str, int] = {"L": 1, "R": -1, "LL": 2, "RR": -2, "U": 3}
CODES: Mapping[str, str] = {
    AHEAD: "Enters the hex ahead.",
    "L": "Turns 60 degrees to the left.",
    "R": "Turns 60 degrees to the right.",
    "LL": "Turns 120 degrees to the left.",
    "RR": "Turns 120 degrees to the right.",
    "U": "Turns 180 degrees.",
}
MAX_TOKENS = 60
FIELD = "flight.plot.path"


@dataclass(frozen=True, slots=True)
class Walk:
    """Where a path leads: the last hex on the board, and the facing there."""

    hex: Hex
    facing: HexDirection
    left_board: bool


def tokens_of(text: str) -> tuple[str, ...]:
    """The tokens of a path.

    Raises:
        Malformed: A token is unknown, or there are too many or none.
    """
    tokens = tuple(text.split())
    unknown = next((t for t in tokens if t != AHEAD and t not in TURNS), None)
    if unknown is not None:
        raise Malformed(
            f"{unknown[:12]!r} is not a step; write F, L, R, LL, RR or U, separated by spaces.",
            rule_id="KET-5.2",
            field=FIELD,
            token=unknown[:12],
        )
    if not 1 <= len(tokens) <= MAX_TOKENS:
        raise Malformed(
            f"The path has {len(tokens)} steps; give 1 to {MAX_TOKENS}.",
            rule_id="KET-5.2",
            field=FIELD,
            steps=len(tokens),
        )
    return tokens


def turns_in(tokens: Sequence[str]) -> dict[int, int]:
    """How many facing changes of 1, 2 and 3 sixths a path makes."""
    counts = {1: 0, 2: 0, 3: 0}
    for token in tokens:
        if token in TURNS:
            counts[abs(TURNS[token])] += 1
    return counts


def straight_end(tokens: Sequence[str]) -> int:
    """Hexes entered straight ahead at the end, with no facing change after (KET-6.4)."""
    straight = 0
    for token in reversed(tokens):
        if token != AHEAD:
            break
        straight += 1
    return straight


def check_path(
    tokens: Sequence[str], speed: int, bonus: int, limits: Limits, book: KetteringBook
) -> None:
    """Hold a path to the turn rules and to the movement points.

    Raises:
        Illegal: KET-8.12, KET-5.9, KET-8.11, KET-5.4 or KET-5.2.
    """
    turns = turns_in(tokens)
    if sum(turns.values()):
        _check_turns(turns, limits)
        _check_places(tokens, book)
    spent = tokens.count(AHEAD) + sum(limits.costs[s] * n for s, n in turns.items())
    allowance = speed + bonus
    if spent != allowance:
        raise Illegal(
            "KET-5.2",
            f"The path spends {spent} movement points; {allowance} must be spent, "
            f"{speed} of speed and {bonus} bonus hexes. "
            f"{'Fly further.' if spent < allowance else 'Fly a shorter path.'}",
            field=FIELD,
            spent_mp=spent,
            allowance_mp=allowance,
            speed_mp=speed,
            bonus_hexes=bonus,
        )
    if book.settings.bonus_spending == "hexes-only" and spent - tokens.count(AHEAD) > speed:
        raise Illegal(
            "KET-5.7",
            "Bonus hexes pay for hexes only; pay for facing changes out of the speed.",
            field=FIELD,
            speed_mp=speed,
        )


def _check_turns(turns: Mapping[int, int], limits: Limits) -> None:
    if not limits.performance.steers:
        raise Illegal("KET-8.12", "The controls are jammed; fly straight ahead.", field=FIELD)
    if limits.performance.stalls:
        raise Illegal(
            "KET-5.9", "The aircraft stalls and cannot turn; fly straight ahead.", field=FIELD
        )
    if not limits.performance.sharp_turns and turns[2] + turns[3]:
        raise Illegal(
            "KET-8.11",
            "The aileron cables are fouled; turn 60 degrees at most.",
            field=FIELD,
        )
    if limits.performance.profile.schedule == "F" and sum(turns.values()) > 1:
        raise Illegal(
            "KET-5.4",
            f"The path turns {sum(turns.values())} times; schedule F allows one a turn.",
            field=FIELD,
            turns=sum(turns.values()),
        )


def _check_places(tokens: Sequence[str], book: KetteringBook) -> None:
    """One change in a hex; at the ends only where the settings allow it (KET-5.4)."""
    settings = book.settings
    if settings.facing_changes_in_hex == "one":
        for at, (before, here) in enumerate(pairwise(tokens), start=2):
            if before != AHEAD and here != AHEAD:
                raise Illegal(
                    "KET-5.4",
                    f"Step {at} turns again in the same hex; enter a hex between two turns, "
                    "or make one larger turn.",
                    field=FIELD,
                    step=at,
                )
    if settings.first_hex_turn == "after-one-hex" and tokens[0] != AHEAD:
        raise Illegal("KET-5.4", "The path turns at once; enter a hex first.", field=FIELD)
    if settings.end_on_facing_change == "forbidden" and tokens[-1] != AHEAD:
        raise Illegal("KET-5.4", "The path ends on a turn; end it on a hex ahead.", field=FIELD)


def walk(start: Hex, facing: HexDirection, tokens: Sequence[str], book: KetteringBook) -> Walk:
    """Follow a path until it ends or leaves the board."""
    here = start
    for token in tokens:
        if token != AHEAD:
            facing = facing.turned(TURNS[token])
            continue
        ahead = here.step(facing)
        if not on_board(ahead, book):
            return Walk(here, facing, left_board=True)
        here = ahead
    return Walk(here, facing, left_board=False)


def another_way(
    start: Hex, facing: HexDirection, torpedo: Hex, limits: Limits, book: KetteringBook
) -> bool:
    """Whether some legal plot ends elsewhere than on the torpedo's hex (KET-5.11)."""
    allowances = {
        (speed, bonus)
        for speed in range(limits.slowest, limits.fastest + 1)
        for change in limits.changes()
        for bonus in limits.bonuses(change, book)
    }
    for speed, bonus in sorted(allowances):
        for tokens in _simple_paths(speed + bonus, limits):
            try:
                check_path(tokens, speed, bonus, limits, book)
            except Illegal:
                continue
            led = walk(start, facing, tokens, book)
            if led.left_board or led.hex != torpedo:
                return True
    return False


def _simple_paths(allowance: int, limits: Limits) -> list[tuple[str, ...]]:
    """Straight ahead, and every path with one facing change."""
    paths = [(AHEAD,) * allowance]
    for turn, sixths in TURNS.items():
        hexes = allowance - limits.costs[abs(sixths)]
        paths += [
            (*(AHEAD,) * before, turn, *(AHEAD,) * (hexes - before)) for before in range(hexes + 1)
        ]
    return paths
