"""Guns: which of a mount fire, on which table, and what is left in them. Rules CIR-9.1 to CIR-9.8,
CIR-9.14, CIR-9.17.

Everything here is without dice. A belt, a drum and a box differ by the table only: whatever has a
spare is changed when it is empty, so a belt gun with one belt never is.

When a fire phase ends, `reloaded` gives the loads for the next one. In simultaneous turns that is a
part of the turn's end (`turn_end`), in alternate turns of each fire phase.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from guncamera.rules.refusal import Illegal, Malformed
from guncamera.rules.straight_line import changed as with_
from guncamera.rules.trace import Trace
from guncamera.rulesets.circus.aircraft import (
    UNHURT,
    Aeroplane,
    Condition,
    Feed,
    Load,
    Mount,
    Weapon,
)
from guncamera.rulesets.circus.book import CircusBook, figure

Loads = tuple[Load, ...]

GUNNERS = (Mount.RING, Mount.PIN, Mount.PILLAR)
"""The mounts that a gunner mans."""


# ---- What there is


def full_load(weapon: Weapon) -> Load:
    """A weapon as it leaves the ground."""
    return Load(weapon.load_points, weapon.loads - 1)


def loads_of(aeroplane: Aeroplane, loads: Loads, field: str) -> Loads:
    """What is left for each weapon of the type; none given: all full.

    Raises:
        Malformed: CIR-1.4, the loads are not those of the type's weapons.
    """
    weapons = aeroplane.weapons
    if not loads:
        return tuple(full_load(weapon) for weapon in weapons)
    if len(loads) != len(weapons):
        raise Malformed(
            f"The loads given are {len(loads)} and the weapons of the {aeroplane.title} are "
            f"{len(weapons)}; give one for each, in their order, or none for full ones.",
            rule_id="CIR-1.4",
            field=field,
            loads=len(loads),
            weapons=len(weapons),
        )
    for at, (weapon, load) in enumerate(zip(weapons, loads)):
        if load.points > weapon.load_points or load.spare > weapon.loads - 1:
            raise Malformed(
                f"{load.points} firing turns and {load.spare} spare are more than weapon {at} of "
                f"the {aeroplane.title} can have: {weapon.load_points} and {weapon.loads - 1}.",
                rule_id="CIR-1.4",
                field=f"{field}[{at}]",
                points=load.points,
                spare=load.spare,
            )
    return loads


def check_weapon(aeroplane: Aeroplane, weapon: int, field: str) -> None:
    """Hold a weapon's number to those of the type.

    Raises:
        Malformed: CIR-1.4, there is no such weapon.
    """
    weapons = len(aeroplane.weapons)
    if weapon >= weapons:
        raise Malformed(
            f"There is no weapon {weapon} on the {aeroplane.title}; give 0 to {weapons - 1}.",
            rule_id="CIR-1.4",
            field=field,
            weapon=weapon,
            weapons=weapons,
        )


def weapons_on(aeroplane: Aeroplane, mount: Mount) -> tuple[int, ...]:
    """The weapons of a mount, by their place in the type's list."""
    return tuple(at for at, weapon in enumerate(aeroplane.weapons) if weapon.mount == mount)


def main_mount(aeroplane: Aeroplane) -> Mount | None:
    """The mount of the main guns: the front one, or the first of a type that has none."""
    mounts = [weapon.mount for weapon in aeroplane.weapons]
    if not mounts or Mount.FRONT in mounts:
        return Mount.FRONT if mounts else None
    return mounts[0]


def is_ready(load: Load) -> bool:
    """Whether a gun is clear and loaded, and has not fired in this phase."""
    return bool(load.points and not (load.jammed or load.reload_phases or load.fired_this_phase))


def ready_on(aeroplane: Aeroplane, loads: Loads, mount: Mount) -> tuple[int, ...]:
    """The weapons of a mount that fire when it fires."""
    return tuple(at for at in weapons_on(aeroplane, mount) if is_ready(loads[at]))


def combat_table(weapons: Iterable[Weapon]) -> int:
    """The combat table of guns that fire together: 1 to 4 (CIR-9.3, CIR-9.4)."""
    barrels, belted = 0, False
    for weapon in weapons:
        barrels += weapon.barrels
        belted = belted or weapon.feed != Feed.DRUM
    return (1 if belted else 2) if barrels > 1 else 3 if belted else 4


# ---- What may be done


def can_fire(
    aeroplane: Aeroplane,
    loads: Loads,
    mount: Mount,
    condition: Condition | None,
    book: CircusBook,
    *,
    long_burst: bool = False,
) -> bool:
    """Whether the guns of a mount may fire, as far as guns and crew are concerned."""
    loads = loads or loads_of(aeroplane, loads, "loads")
    return why_silent(aeroplane, loads, mount, condition, book, long_burst=long_burst) is None


def why_silent(
    aeroplane: Aeroplane,
    loads: Loads,
    mount: Mount,
    condition: Condition | None,
    book: CircusBook,
    *,
    long_burst: bool = False,
) -> Illegal | None:
    """Why the guns of a mount may not fire; None if they may.

    Args:
        loads: One for each weapon.
    """
    mounted = weapons_on(aeroplane, mount)
    if not mounted:
        return _no_guns(aeroplane, mount)
    found = _why_unmanned(aeroplane, loads, mount, condition or UNHURT, book)
    if found is not None:
        return found
    ready = [at for at in mounted if is_ready(loads[at])]
    if not ready:
        return _why_not_ready([loads[at] for at in mounted], mount)
    needs = figure(book, "long_burst_points")
    if long_burst and any(loads[at].points < needs for at in ready):
        return _short_of_burst(min(loads[at].points for at in ready), needs)
    return None


def _no_guns(aeroplane: Aeroplane, mount: Mount) -> Illegal:
    mounts = ", ".join(dict.fromkeys(weapon.mount.value for weapon in aeroplane.weapons))
    has = f"has {mounts} guns; fire one of these" if mounts else "is unarmed and cannot fire"
    return Illegal(
        "CIR-9.1",
        f"The {aeroplane.title} has no gun on a {mount} mount. It {has}.",
        field="firing.mount",
        mount=mount.value,
    )


def _why_unmanned(
    aeroplane: Aeroplane, loads: Loads, mount: Mount, condition: Condition, book: CircusBook
) -> Illegal | None:
    """Why nobody works the guns of a mount (CIR-9.17)."""
    if mount == Mount.FRONT:
        return _dead("pilot", mount) if condition.pilot_killed else None
    if condition.gunner_killed:
        return _dead("gunner", mount)
    if condition.pilot_killed and book.settings.falling_gunner == "silent":
        return _falling(mount)
    for weapon, load in zip(aeroplane.weapons, loads):
        if load.fired_this_phase and weapon.mount in GUNNERS and weapon.mount != mount:
            return Illegal(
                "CIR-9.17",
                f"The gunner has fired the {weapon.mount} gun in this phase. He fires one gun in "
                "a phase; wait for the next.",
                field="firing.mount",
                mount=mount.value,
                fired=weapon.mount.value,
            )
    return None


def _dead(who: str, mount: Mount) -> Illegal:
    return Illegal(
        "CIR-9.17",
        f"The {who} is dead, and nobody else fires {mount} guns. Leave them silent.",
        field="firing.mount",
        mount=mount.value,
        dead=who,
    )


def _falling(mount: Mount) -> Illegal:
    return Illegal(
        "CIR-9.17",
        f"The pilot is dead, and by the setting falling_gunner nobody fires {mount} guns while the "
        "aircraft falls. Leave them silent.",
        field="firing.mount",
        mount=mount.value,
        dead="pilot",
    )


def _why_not_ready(loads: Sequence[Load], mount: Mount) -> Illegal:
    """Why none of the guns of a mount can fire, by the one that is nearest to it."""
    points, spare = (sum(getattr(load, name) for load in loads) for name in ("points", "spare"))
    clear = [load for load in loads if not load.jammed]
    if any(load.fired_this_phase for load in loads):
        rule, text = "CIR-9.1", "have fired in this phase; wait for the next"
    elif not clear:
        rule, text = "CIR-9.15", "are jammed; fly straight and level to clear them"
    elif any(load.reload_phases and load.points for load in clear):
        rule, text = "CIR-9.8", "fired in the last phase and rest in this one; wait for the next"
    elif any(load.spare for load in clear):
        rule, text = "CIR-9.6", "are being changed; wait until the next drum or box is on"
    else:
        rule, text = "CIR-9.5", "are out of ammunition; break off"
    return Illegal(
        rule,
        f"The {mount} guns {text}.",
        field="firing.loads",
        mount=mount.value,
        points=points,
        spare=spare,
    )


def _short_of_burst(points: int, needs: int) -> Illegal:
    return Illegal(
        "CIR-9.14",
        f"A long burst uses {needs} firing turns, and one of the guns has {points} left before it "
        "is empty or changed. Fire a short burst.",
        field="firing.long_burst",
        points=points,
        needs=needs,
    )


# ---- What is left afterwards


def change_phases(*, simultaneous: bool, book: CircusBook) -> int:
    """Fire phases that a gun misses while its drum or box is changed (CIR-9.6)."""
    settings = book.settings
    if simultaneous:
        return settings.drum_change_phases
    return settings.drum_change_phases_alternate


def fired(
    loads: Loads, weapons: Iterable[int], book: CircusBook, *, long_burst: bool, simultaneous: bool
) -> Loads:
    """The loads once some weapons have fired; what ran empty and has a spare is being changed."""
    used = figure(book, "long_burst_points") if long_burst else 1
    rests = 1 if book.settings.gun_rest == "one-phase" else 0
    after = list(loads)
    for at in weapons:
        load = loads[at]
        left = load.points - used
        missed = rests
        if not left and load.spare:
            missed = max(rests, change_phases(simultaneous=simultaneous, book=book))
        after[at] = with_(load, points=left, reload_phases=missed, fired_this_phase=True)
    return tuple(after)


def jammed(loads: Loads, weapons: Iterable[int]) -> Loads:
    """The loads once some weapons have jammed."""
    after = list(loads)
    for at in weapons:
        after[at] = with_(loads[at], jammed=True, jammed_before=True)
    return tuple(after)


def reloaded(aeroplane: Aeroplane, loads: Loads) -> Loads:
    """The loads once a fire phase is over (CIR-9.6, CIR-9.8).

    A gun that fired in it begins to miss phases with the next one; a gun that did not has missed
    this one, and is ready when it has missed all it had to.
    """
    return tuple(_reloaded(weapon, load) for weapon, load in zip(aeroplane.weapons, loads))


def _reloaded(weapon: Weapon, load: Load) -> Load:
    if load.fired_this_phase:
        return with_(load, fired_this_phase=False)
    left = max(load.reload_phases - 1, 0)
    if not left and not load.points and load.spare:
        return with_(load, points=weapon.load_points, spare=load.spare - 1, reload_phases=0)
    return load if left == load.reload_phases else with_(load, reload_phases=left)


# ---- Changing a drum early


def can_change(
    aeroplane: Aeroplane,
    loads: Loads,
    weapon: int,
    condition: Condition | None,
    book: CircusBook,
) -> bool:
    """Whether a drum or box may be changed now, instead of firing the gun."""
    loads = loads or loads_of(aeroplane, loads, "loads")
    return why_not_changed(aeroplane, loads, weapon, condition, book) is None


def why_not_changed(
    aeroplane: Aeroplane,
    loads: Loads,
    weapon: int,
    condition: Condition | None,
    book: CircusBook,
) -> Illegal | None:
    """Why a drum or box may not be changed now; None if it may.

    Args:
        weapon: One that the type has.
    """
    load = loads[weapon]
    carried = aeroplane.weapons[weapon]
    unmanned = _why_unmanned(aeroplane, loads, carried.mount, condition or UNHURT, book)
    if unmanned is not None:
        unmanned.field = "drum_change.weapon"
        return unmanned
    if load.fired_this_phase:
        text = "has fired in this phase; change it in the next"
    elif load.reload_phases:
        text = "is being changed or rests; wait for it"
    elif not load.spare:
        text = "has no spare drum or box; fire what is left"
    elif not load.points:
        text = "is empty and is changed by itself; wait for it"
    elif load.points == carried.load_points:
        text = "is full; fire it"
    elif book.settings.early_change == "barred":
        text = "is not empty, and by the setting early_change only empty ones are changed; fire it"
    else:
        return None
    return Illegal(
        "CIR-9.7",
        f"Weapon {weapon} {text}.",
        field="drum_change.weapon",
        weapon=weapon,
        points=load.points,
        spare=load.spare,
    )


def changed(loads: Loads, weapon: int, book: CircusBook, *, simultaneous: bool) -> Loads:
    """The loads once a drum or box has been taken off; this phase is the first that is missed."""
    missed = change_phases(simultaneous=simultaneous, book=book)
    after = list(loads)
    after[weapon] = with_(loads[weapon], points=0, reload_phases=missed)
    return tuple(after)


def name_falling(trace: Trace, mount: Mount, condition: Condition | None, book: CircusBook) -> None:
    """Name the setting that lets a gunner work his guns behind a dead pilot (CIR-9.17)."""
    if mount in GUNNERS and (condition or UNHURT).pilot_killed:
        trace.setting("CIR-9.17", "falling_gunner", book.settings.falling_gunner)


def name_change_setting(trace: Trace, book: CircusBook, *, simultaneous: bool) -> None:
    """Name the setting that says how long a change takes."""
    name = "drum_change_phases" if simultaneous else "drum_change_phases_alternate"
    missed = change_phases(simultaneous=simultaneous, book=book)
    trace.setting("CIR-9.6", name, missed)
