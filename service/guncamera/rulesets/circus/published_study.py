"""How our side of the published figures is worked out: by the rules that play uses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import isqrt

from guncamera.rules.dealt import DealtDice
from guncamera.rules.dice import D6, Ask, Dice, Throw, V
from guncamera.rules.hexes import HexDirection
from guncamera.rules.odds import odds_of
from guncamera.rules.refusal import Illegal
from guncamera.rulesets.circus.aircraft import (
    Aeroplane,
    Aircraft,
    Build,
    Condition,
    Feed,
    Mount,
    Weapon,
)
from guncamera.rulesets.circus.book import CircusBook, figure
from guncamera.rulesets.circus.damage import rule_on_damage
from guncamera.rulesets.circus.facts import (
    Aim,
    CriticalTest,
    DamageFacts,
    FireFacts,
    Firing,
    Flight,
    MoveFacts,
    OilLeak,
    Plot,
    Plotting,
    StressTest,
    Target,
)
from guncamera.rulesets.circus.fire import rule_on_fire
from guncamera.rulesets.circus.map import hex_at, label, middle
from guncamera.rulesets.circus.move import rule_on_move
from guncamera.rulesets.circus.outcomes import Fired, Harm, Plotted, Worked

RANGES = range(1, 9)
FACES = range(1, D6 + 1)
SHOOTER, TARGET = "fokker_d_vii", "se5a"
GUNS: Mapping[int, Weapon] = {
    1: Weapon(Mount.FRONT, Feed.BELT, 2, 1, 10),
    2: Weapon(Mount.FRONT, Feed.DRUM, 2, 4, 2),
    3: Weapon(Mount.FRONT, Feed.BELT, 1, 1, 10),
    4: Weapon(Mount.FRONT, Feed.DRUM, 1, 4, 2),
}
"""Guns that fire on each combat table."""
BUILDS = (Build.FRAGILE, Build.NORMAL, Build.ROBUST)
NO_DICE = DealtDice(())
MOST_POINTS = 16


# ---- Shots


def _shot(
    table: int, hexes: int, feet: int, book: CircusBook, dice: Dice, *, vertical: bool = False
) -> Fired:
    """A shot of guns of a combat table, by the rule on fire; of the example's types otherwise.

    Raises:
        Illegal: The rule allows no such shot.
        RollRequired: It wants more dice than it was given.
    """
    armed = replace(book.aircraft[SHOOTER], type="own", weapons=(GUNS[table],))
    aim = Aim(10, 10, 10, 10, hexes, feet, vertical=vertical)
    firing = Firing("D.VII", "own", Mount.FRONT, aim, Target("S.E.5a", TARGET))
    fired = rule_on_fire(FireFacts(firing, (armed,)), book, dice).outcome.procedure
    if not isinstance(fired, Fired):
        raise AssertionError(f"a shot came to {fired!r}")
    return fired


def _hits(table: int, hexes: int, die: int, book: CircusBook) -> int:
    """What a die hits: a second die of 6 is critical after six hits only, and adds nothing."""
    return _shot(table, hexes, 0, book, DealtDice((die, D6, D6, D6, D6))).hits


def hits_of_die(table: int, die: int, *, book: CircusBook) -> str:
    """The hits of a die at each range."""
    return " ".join(str(_hits(table, hexes, die, book)) for hexes in RANGES)


def mean_hits(table: int, hexes: int, *, book: CircusBook) -> Fraction:
    """The mean hits of a shot."""
    return odds_of(lambda dice: _shot(table, hexes, 0, book, dice).hits).mean(int)


def critical_chance(table: int, hexes: int, *, book: CircusBook) -> Fraction:
    """The chance that a shot is critical."""
    odds = odds_of(lambda dice: _shot(table, hexes, 0, book, dice).critical is not None)
    return odds.of(bool)


def sums(table: int, *, book: CircusBook) -> str:
    """The least and the greatest sum of both dice that comes with a critical hit."""
    found = [
        first + second
        for hexes in RANGES
        for first in FACES
        for second in FACES
        if _is_critical(table, hexes, first, second, book)
    ]
    return f"{min(found)} to {max(found)}" if found else "none"


def _is_critical(table: int, hexes: int, first: int, second: int, book: CircusBook) -> bool:
    dice = DealtDice((first, second, *(1,) * 4))
    return _shot(table, hexes, 0, book, dice).critical is not None


def part_of_sum(total: int, *, book: CircusBook) -> str:
    """What a critical hit with a sum strikes, by a test with as many hits as there can be."""
    first = max(1, total - D6)
    test = CriticalTest(Target("S.E.5a", TARGET), hits=D6, first_die=first)
    worked = _worked(DamageFacts(test), book, DealtDice((total - first, *(1,) * 4)))
    return worked.critical.part.value if worked.critical else "none"


def example(book: CircusBook) -> dict[str, str]:
    """The worked example: hits, the resolution they leave, and the critical hit."""
    aim = Aim(10, 10, 10, 10, 3, 0)
    firing = Firing("D.VII", SHOOTER, Mount.FRONT, aim, Target("S.E.5a", TARGET))
    fired = rule_on_fire(FireFacts(firing), book, DealtDice((5, 2, 1))).outcome.procedure
    if not isinstance(fired, Fired):
        raise AssertionError(f"a shot came to {fired!r}")
    critical = fired.critical
    effects = [one.harm.replace("_", " ") for one in critical.effects] if critical else []
    return {
        "hits": str(fired.hits),
        "resolution of the S.E.5a pilot": str(fired.resolution),
        "critical hit": critical.part.value if critical else "none",
        "what it does": ", ".join(effects) or "nothing",
    }


# ---- Ranges


def range_row(feet: int, *, book: CircusBook) -> str:
    """The ranges of shots at a height; straight up in the shooter's own hex."""
    return " ".join(_range(hexes, feet, book) for hexes in range(9))


def _range(hexes: int, feet: int, book: CircusBook) -> str:
    dice = DealtDice((1, D6, D6, D6, D6))
    try:
        return str(_shot(1, hexes, feet, book, dice, vertical=not hexes).range_hexes)
    except Illegal:
        return "-"


def formula_cells(book: CircusBook) -> str:
    """How many cells of the range chart the root of the sum of squares gives."""
    hex_feet = figure(book, "hex_feet")
    cells = [(hexes, feet) for feet in range(0, 1001, hex_feet) for hexes in range(9)]
    longest = max(RANGES)
    alike = 0
    for hexes, feet in cells:
        # Halves go up: root + 1/2, with both doubled so that all is whole.
        twice = isqrt(4 * (hexes * hexes + (feet // hex_feet) ** 2))
        expected = (twice + 1) // 2
        shown = str(expected) if 1 <= expected <= longest else "-"
        alike += shown == _range(hexes, feet, book)
    return f"{alike} of {len(cells)}"


# ---- Damage


def _worked(facts: DamageFacts, book: CircusBook, dice: Dice) -> Worked:
    worked = rule_on_damage(facts, book, dice).outcome.procedure
    if not isinstance(worked, Worked):
        raise AssertionError(f"damage came to {worked!r}")
    return worked


class _Watched:
    """Dice that note what they were thrown for."""

    def __init__(self, dice: Dice) -> None:
        self._dice = dice
        self.purposes: set[str] = set()

    def roll(self, ask: Ask[V], /) -> Throw[V]:
        """As the dice watched."""
        self.purposes.add(ask.purpose)
        return self._dice.roll(ask)


def structural_chance(build: int, *, book: CircusBook) -> Fraction:
    """The chance that a high-stress act rolls on the structure chart."""
    own = replace(book.aircraft[SHOOTER], type="own", build=BUILDS[build])
    facts = DamageFacts(StressTest("one", "own"), (own,))

    def strikes(dice: Dice) -> bool:
        watched = _Watched(dice)
        rule_on_damage(facts, book, watched)
        return "structure" in watched.purposes

    return odds_of(strikes).of(bool)


def _seizes(facts: DamageFacts, book: CircusBook, dice: Dice) -> bool:
    effects = _worked(facts, book, dice).effects
    return any(one.harm == Harm.ENGINE_SEIZED for one in effects)


def leak_survival(turns: int, *, book: CircusBook) -> Fraction:
    """The chance that an engine that leaks oil still runs after some turns."""
    alive = Fraction(1)
    for tested in range(turns):
        facts = DamageFacts(OilLeak("one", Condition(oil_leak_turns=tested)))
        alive *= 1 - odds_of(partial(_seizes, facts, book)).of(bool)
    return alive


# ---- Loops


def loop(rate: int, *, book: CircusBook) -> str:
    """What a loop of a rate of climb costs, and how far behind its start it ends."""
    for ahead in range(MOST_POINTS):
        found = _looped(rate, ahead, book)
        if found is not None:
            behind, mp = found
            return f"{mp} MP, {behind} {'hex' if behind == 1 else 'hexes'}"
    return "none"


def _looped(rate: int, ahead: int, book: CircusBook) -> tuple[int, int] | None:
    """Hexes behind and points of a loop that is followed by some hexes; None if it is illegal."""
    able = replace(book.aircraft[SHOOTER], type="own", climb_feet=300, top_mp=MOST_POINTS)
    able = _strong(able)
    start = middle(book)
    aircraft = Aircraft("one", "own", label(start), HexDirection.EAST, 6000, MOST_POINTS)
    codes = f"O{rate} {ahead}" if ahead else f"O{rate}"
    flight = Flight(aircraft, Plot("one", MOST_POINTS, codes))
    try:
        ruling = rule_on_move(MoveFacts(Plotting((flight,)), (able,)), book, NO_DICE)
    except Illegal:
        return None
    plotted = ruling.outcome.procedure
    if not isinstance(plotted, Plotted):
        raise AssertionError(f"plotting came to {plotted!r}")
    one = plotted.flights[0]
    return ahead + start.q - hex_at(one.hex, book, "hex").q, one.mp_spent - ahead


def _strong(aeroplane: Aeroplane) -> Aeroplane:
    """The figures of a type that flies so fast, so that they hold together."""
    top = aeroplane.top_mp
    return replace(aeroplane, damage_limit=top, safe_dive_mp=top + 3, over_speed_mp=top + 6)
