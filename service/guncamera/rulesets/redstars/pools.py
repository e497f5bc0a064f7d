"""Which weapons hit, and the damage dice they throw. RED-6.2 to 6.4, 6.9, 6.11, 6.14, 6.15."""

from __future__ import annotations

from dataclasses import dataclass

from guncamera.rules.dice import Ask, Dice, KeepLowest
from guncamera.rules.trace import Trace
from guncamera.rulesets.redstars.aircraft import (
    AircraftTrait,
    DataBook,
    Mounting,
    PilotTrait,
    WeaponKind,
)
from guncamera.rulesets.redstars.book import RedstarsBook, figure
from guncamera.rulesets.redstars.condition import condition_of, oil_price, pilot_flies
from guncamera.rulesets.redstars.facts import Firing
from guncamera.rulesets.redstars.specials import D10, dice_of, guns_left
from guncamera.rulesets.redstars.to_hit import Needed


@dataclass(frozen=True, slots=True)
class HitReading:
    """Which weapons hit on one die: for each the plain number it needs."""

    needed: Needed
    by_total = True

    def __call__(self, faces: tuple[int, ...], /) -> tuple[bool, ...]:
        """For each weapon, whether it hits."""
        thrown = sum(faces)
        return tuple(thrown >= number for _, number in self.needed)

    def describe(self) -> str:
        """How to read the die, for players."""
        numbers = {number for _, number in self.needed}
        if len(numbers) == 1:
            return f"{numbers.pop()} or more"
        return "; ".join(f"{number} or more for weapon {at}" for at, number in self.needed)


@dataclass(frozen=True, slots=True)
class Volley:
    """Guns of one weapon that hit."""

    weapon: int
    guns: int


@dataclass(frozen=True, slots=True)
class Damage:
    """What a pool came to.

    Attributes:
        special: It showed two ones or more.
    """

    points: int
    special: bool


# ---- To hit


def roll_hits(
    needed: Needed,
    facts: Firing,
    shooter: DataBook,
    book: RedstarsBook,
    trace: Trace,
    dice: Dice,
) -> tuple[Volley, ...]:
    """Roll to hit: one die for all weapons, compared for each (RED-6.4, RED-6.9).

    By setting each rocket has a die of its own, after that of the guns (RED-6.3).
    """
    condition = condition_of(facts.shooter)
    guns = {at: guns_left(at, shooter, condition) for at, _ in needed}
    rockets = tuple(one for one in needed if shooter.weapons[one[0]].kind == WeaponKind.ROCKET)
    if rockets and (len(needed) > 1 or guns[rockets[0][0]] > 1):
        trace.setting("RED-6.3", "rocket_salvo", book.settings.rocket_salvo)
    if book.settings.rocket_salvo != "each-rocket":
        rockets = ()
    together = tuple(one for one in needed if one not in rockets)
    hits = _together(together, guns, trace, dice) if together else {}
    for one in rockets:
        hits[one[0]] = _each_rocket(one, guns[one[0]], trace, dice)
    return tuple(Volley(at, hits[at]) for at, _ in needed if hits[at])


def _together(needed: Needed, guns: dict[int, int], trace: Trace, dice: Dice) -> dict[int, int]:
    """The guns of each weapon that hit, on one die for all."""
    hits = trace.roll(dice, Ask((D10,), HitReading(needed), "to-hit", "RED-6.4"))
    for (weapon, _), hit in zip(needed, hits):
        trace.finding("RED-6.4", f"weapon_{weapon}_hits", hit)
    return {at: guns[at] if hit else 0 for (at, _), hit in zip(needed, hits)}


def _each_rocket(needed: tuple[int, int], rockets: int, trace: Trace, dice: Dice) -> int:
    """The rockets of a salvo that hit, on a die each (RED-6.3)."""
    read, count = HitReading((needed,)), 0
    for rocket in range(1, rockets + 1):
        (hit,) = trace.roll(dice, Ask((D10,), read, f"to-hit-rocket-{rocket}", "RED-6.3"))
        count += hit
    trace.finding("RED-6.3", f"weapon_{needed[0]}_rockets_hit", count)
    return count


# ---- Damage


def roll_damage(
    volleys: tuple[Volley, ...],
    facts: Firing,
    shooter: DataBook,
    target: DataBook,
    book: RedstarsBook,
    trace: Trace,
    dice: Dice,
) -> Damage:
    """Roll the pool of all weapons that hit (RED-6.11, RED-6.14, RED-6.15)."""
    own = _own_dice(volleys, shooter, book)
    pool = own
    if is_sniper(facts, shooter, book, trace):
        pool += (figure(book, "sniper_die"),)
        trace.finding("RED-6.15", "sniper_die", f"d{pool[-1]}")
    keep = len(pool)
    if AircraftTrait.RUGGED in target.traits:
        pool += (figure(book, "rugged_die"),)
        trace.finding("RED-6.14", "rugged_die", f"d{pool[-1]}", f"the lowest {keep} count")
    if len(pool) > len(own):
        trace.setting("RED-6.11", "special_count", book.settings.special_count)
    among = len(pool) if book.settings.special_count == "all" else len(own)
    found = trace.roll(dice, Ask(pool, KeepLowest(keep, among), "damage", "RED-6.11"))
    points = found.total
    if condition_of(facts.shooter).oil_leak and book.settings.oil_leak != "to-hit":
        price = keep * oil_price(condition_of(facts.shooter), book)
        trace.modifier("RED-6.10", "oil_leak", price)
        points = trace.sum("RED-6.10", "damage", found.total, found.total + price)
        points = trace.clamp("RED-6.10", "damage", points, 0, max(points, 0))
    special = found.ones >= figure(book, "special_ones")
    trace.finding("RED-6.11", "damage", points)
    trace.finding("RED-6.11", "special_hit", special)
    return Damage(points, special)


def _own_dice(
    volleys: tuple[Volley, ...], shooter: DataBook, book: RedstarsBook
) -> tuple[int, ...]:
    """The dice of the guns that hit, weapon by weapon (RED-6.2)."""
    table = book.tables["weapons"]
    dice: tuple[int, ...] = ()
    for volley in volleys:
        dice += dice_of(shooter.weapons[volley.weapon].kind, table) * volley.guns
    return dice


def is_sniper(facts: Firing, shooter: DataBook, book: RedstarsBook, trace: Trace) -> bool:
    """Whether a shot is a sniper's: the pilot's, while he flies, with his own guns (RED-6.15).

    A gunner behind him is another man, but by setting.
    """
    if PilotTrait.SNIPER not in facts.shooter.pilot.traits or not pilot_flies(facts.shooter):
        return False
    if shooter.weapons[facts.weapons[0]].mounting == Mounting.FORWARD:
        return True
    trace.setting("RED-6.15", "sniper_mounts", book.settings.sniper_mounts)
    return book.settings.sniper_mounts
