"""The special hits table, and what each result does. Rules RED-7.1 to RED-7.4 and RED-7.10."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from guncamera.rules.dice import Ask, Dice, LookUp, Total
from guncamera.rules.straight_line import changed
from guncamera.rules.table import Table
from guncamera.rules.trace import Trace
from guncamera.rulesets.redstars.aircraft import (
    Aircraft,
    AircraftTrait,
    Condition,
    DataBook,
    Flight,
    WeaponKind,
)
from guncamera.rulesets.redstars.book import RedstarsBook, figure, names_each_lost_gun
from guncamera.rulesets.redstars.condition import (
    condition_of,
    engines_gone,
    next_engine,
    with_effects,
)
from guncamera.rulesets.redstars.harms import lasting, record
from guncamera.rulesets.redstars.outcomes import Effect, Harm
from guncamera.rulesets.redstars.tests import engine_test

D10 = 10
NOTHING = "none"

_PLAIN = {
    "oil-leak": Harm.OIL_LEAK,
    "control-surfaces": Harm.EXTREME_BARRED,
    "camera": Harm.CAMERA_WRECKED,
    "landing-gear": Harm.GEAR_WRECKED,
}
_FIRES = {"fire-d6": (Harm.FIRE_D6, 6), "fire-d8": (Harm.FIRE_D8, 8)}
_ENGINES = {
    "engine": None,
    "engine-no-accelerate": Harm.ACCELERATE_BARRED,
    "engine-no-top-speed": Harm.TOP_SPEED_BARRED,
}


@dataclass(frozen=True, slots=True)
class FireOnly(LookUp):
    """A look-up on the special hits table of which only a fire counts (RED-7.3)."""

    def __call__(self, faces: tuple[int, ...], /) -> str:
        """The fire, or nothing."""
        found = str(self.table.cell(self.row(faces), self.column))
        return found if found in _FIRES else NOTHING

    def describe(self) -> str:
        """How to read the die, for players."""
        return f"a total on table {self.table.id}, where only a fire counts"


def special_hit(
    aircraft: Aircraft,
    data_book: DataBook,
    trace: Trace,
    dice: Dice,
    book: RedstarsBook,
    *,
    fire_only: bool = False,
) -> tuple[Effect, ...]:
    """Roll a special hit and work it out (RED-7.1); returns what it changes."""
    table = book.tables["special-hits"]
    rule, purpose = ("RED-7.3", "flammable") if fire_only else ("RED-7.1", "special-hit")
    read: LookUp = FireOnly(table, "effect") if fire_only else LookUp(table, "effect")
    found = trace.roll(dice, Ask((D10,), read, purpose, rule))
    effects = _worked_out(str(found), aircraft, data_book, trace, dice, book)
    if not effects:
        trace.finding(rule, "changes", value=False)
    record(trace, effects)
    return effects


def flames(
    aircraft: Aircraft, data_book: DataBook, trace: Trace, dice: Dice, book: RedstarsBook
) -> tuple[Effect, ...]:
    """What damage other than a shot's lights on a flammable type, by setting (RED-7.3)."""
    if AircraftTrait.FLAMMABLE not in data_book.traits:
        return ()
    trace.setting("RED-7.3", "flammable_damage", book.settings.flammable_damage)
    if book.settings.flammable_damage == "shots":
        return ()
    return special_hit(aircraft, data_book, trace, dice, book, fire_only=True)


def _worked_out(
    found: str,
    aircraft: Aircraft,
    data_book: DataBook,
    trace: Trace,
    dice: Dice,
    book: RedstarsBook,
) -> tuple[Effect, ...]:
    condition = condition_of(aircraft)
    if found == "oil-leak" and condition.oil_leak:
        trace.setting("RED-6.10", "oil_leak_again", book.settings.oil_leak_again)
        return (Effect(Harm.OIL_LEAK),) if book.settings.oil_leak_again == "adds" else ()
    if found in _PLAIN:
        return lasting(condition, (Effect(_PLAIN[found]),))
    if found in _FIRES:
        return _fire(*_FIRES[found], condition, trace, dice, book)
    if found in _ENGINES:
        return _engine(_ENGINES[found], aircraft, data_book, trace, dice, book)
    if found == "weapon":
        return _weapon(condition, data_book, trace, dice, book)
    return ()


def _fire(
    harm: Harm, sides: int, condition: Condition, trace: Trace, dice: Dice, book: RedstarsBook
) -> tuple[Effect, ...]:
    """A fire starts; by setting it does damage at once (RED-8.3)."""
    trace.setting("RED-8.3", "fire_timing", book.settings.fire_timing)
    if book.settings.fire_timing == "next-turn":
        return (Effect(harm),)
    if _is_drowned(sides, condition, book):
        trace.setting("RED-8.4", "fire_stacking", book.settings.fire_stacking)
        return (Effect(harm),)
    points = trace.roll(dice, Ask((sides,), Total(), "fire", "RED-8.3"))
    return (Effect(harm), Effect(Harm.DAMAGE, points))


def fires_out(condition: Condition, book: RedstarsBook, trace: Trace) -> Effect:
    """What a dive that blows out a fire does: of several it ends all, or by setting one (RED-8.4).

    The one is the worst; `which` names the die that it does damage by.
    """
    if condition.fires_d6 + condition.fires_d8 < 2:
        return Effect(Harm.FIRES_OUT)
    trace.setting("RED-8.4", "fires_out", book.settings.fires_out)
    if book.settings.fires_out == "all":
        return Effect(Harm.FIRES_OUT)
    return Effect(Harm.FIRES_OUT, which=8 if condition.fires_d8 else 6)


def _is_drowned(sides: int, condition: Condition, book: RedstarsBook) -> bool:
    """Whether a fire no smaller burns already, where only the worst one does damage (RED-8.4)."""
    burning = condition.fires_d8 > 0 or (sides == _FIRES["fire-d6"][1] and condition.fires_d6 > 0)
    return burning and book.settings.fire_stacking == "worst"


def _engine(
    more: Harm | None,
    aircraft: Aircraft,
    data_book: DataBook,
    trace: Trace,
    dice: Dice,
    book: RedstarsBook,
) -> tuple[Effect, ...]:
    """Engine damage by enemy fire, and what some results bar besides (RED-7.2)."""
    condition = condition_of(aircraft)
    barred = () if more is None else (Effect(more),)
    if more == Harm.TOP_SPEED_BARRED and condition.top_speed_barred:
        trace.setting("RED-7.2", "top_speed_again", book.settings.top_speed_again)
        barred = barred if book.settings.top_speed_again == "adds" else ()
    if engines_gone(condition, data_book):
        return lasting(condition, barred)
    trace.setting("RED-7.2", "engine_hit", book.settings.engine_hit)
    boxes = figure(book, "engine_boxes")
    if book.settings.engine_hit == "engine-test":
        boxes = engine_test(aircraft, data_book, trace, dice, book)
    marked = boxes_marked(boxes, condition, data_book, book)
    record_engines(marked, data_book, book, trace)
    shot = (Effect(Harm.ENGINE_SHOT),) if marked else ()
    return lasting(condition, (*marked, *shot, *barred))


def record_engines(
    marked: Sequence[Effect], data_book: DataBook, book: RedstarsBook, trace: Trace
) -> None:
    """Which engine each box marked belongs to, counted from 1, where there are several."""
    if len(data_book.engines) == 1 or not marked:
        return
    trace.setting("RED-7.2", "engine_marked", book.settings.engine_marked)
    for effect in marked:
        trace.finding("RED-7.2", "engine", effect.which + 1)


def boxes_marked(
    boxes: int, condition: Condition, data_book: DataBook, book: RedstarsBook
) -> tuple[Effect, ...]:
    """Engine boxes marked, by setting each on the engine with fewer marks; none beyond the last."""
    effects: list[Effect] = []
    for _ in range(boxes):
        engine = next_engine(with_effects(condition, effects), data_book, book)
        if engine is None:
            break
        effects.append(Effect(Harm.ENGINE_BOX, 1, engine))
    return tuple(effects)


def _weapon(
    condition: Condition,
    data_book: DataBook,
    trace: Trace,
    dice: Dice,
    book: RedstarsBook,
) -> tuple[Effect, ...]:
    """One gun, or one rocket of a salvo, is silenced (RED-7.4)."""
    guns = [
        at
        for at, weapon in enumerate(data_book.weapons)
        for _ in range(weapon.guns - condition.lost_dice.count(at))
    ]
    if not guns:
        return ()
    if len(set(guns)) > 1 or (len(guns) > 1 and names_each_lost_gun(book)):
        trace.setting("RED-7.4", "lost_die", book.settings.lost_die)
    weapon = guns[0]
    if len(guns) > 1 and book.settings.lost_die != "first-weapon":
        read = LostGun(tuple(guns))
        weapon = trace.roll(dice, Ask((len(guns),), read, "gun-lost", "RED-7.4"))
    lost, left = (Effect(Harm.DIE_LOST, 1, weapon),), guns.count(weapon)
    if data_book.weapons[weapon].kind != WeaponKind.ROCKET or left == 1:
        return lost
    trace.setting("RED-7.4", "lost_rocket", book.settings.lost_rocket)
    return lost * left if book.settings.lost_rocket == "salvo" else lost


@dataclass(frozen=True, slots=True)
class LostGun:
    """The weapon of the gun that a die numbers, counted in the order of the data book."""

    weapons: tuple[int, ...]
    by_total = True

    def __call__(self, faces: tuple[int, ...], /) -> int:
        """The weapon, from 0."""
        return self.weapons[sum(faces) - 1]

    def describe(self) -> str:
        """How to read the die, for players."""
        numbered = enumerate(self.weapons, start=1)
        return "a gun: " + ", ".join(f"{gun} of weapon {weapon}" for gun, weapon in numbered)


def guns_left(at: int, data_book: DataBook, condition: Condition) -> int:
    """Guns or rockets that a weapon still fires."""
    return max(0, data_book.weapons[at].guns - condition.lost_dice.count(at))


def dice_of(kind: WeaponKind, table: Table) -> tuple[int, ...]:
    """The damage dice of one gun or rocket (RED-6.2)."""
    return (table.number(kind.value, "sides"),) * table.number(kind.value, "dice")


def after(aircraft: Aircraft, effects: Sequence[Effect]) -> Aircraft:
    """The aircraft after some effects; it spins once nobody is at its controls."""
    aircraft = changed(aircraft, condition=with_effects(aircraft.condition, effects))
    free = any(effect.harm == Harm.CONTROLS_FREE for effect in effects)
    return changed(aircraft, flight=Flight.SPINNING) if free else aircraft
