"""Guns that jam after a long burst, and how they are cleared. Rules CIR-9.15 and CIR-9.16."""

from __future__ import annotations

from collections.abc import Iterable

from guncamera.rules.dice import D6, Ask, AtLeast, Dice
from guncamera.rules.straight_line import changed
from guncamera.rules.trace import Trace
from guncamera.rulesets.circus.aircraft import Aeroplane, Load, Mount
from guncamera.rulesets.circus.book import CircusBook, figure
from guncamera.rulesets.circus.events import Change, GunChanged, ResolutionChanged
from guncamera.rulesets.circus.guns import Loads, main_mount


def jams(trace: Trace, dice: Dice, book: CircusBook) -> bool:
    """The die after a long burst."""
    clear = AtLeast(figure(book, "jams_on") + 1)
    jammed = not trace.roll(dice, Ask((D6,), clear, "jam", "CIR-9.15"))
    trace.finding("CIR-9.15", "jammed", jammed)
    return jammed


def jam_loss(
    aeroplane: Aeroplane, loads: Loads, mount: Mount, trace: Trace, book: CircusBook
) -> int:
    """What a jam takes from the shooter's resolution.

    Args:
        loads: Before the jam.
    """
    if mount != main_mount(aeroplane):
        return 0
    trace.setting("CIR-9.15", "jam_penalty", book.settings.jam_penalty)
    main = [load for load, on in zip(loads, aeroplane.weapons) if on.mount == mount]
    if any(_costs_already(load, book.settings.jam_penalty) for load in main):
        trace.finding("CIR-9.15", "resolution_loss", 0, "a jam of the main guns has cost it before")
        return 0
    loss = figure(book, "jam_resolution")
    trace.finding("CIR-9.15", "resolution_loss", loss, "the main guns have jammed")
    return loss


def _costs_already(load: Load, reading: str) -> bool:
    """Whether a main gun's jam has cost what another one would."""
    if reading == "each-jam":
        return False
    return load.jammed if reading == "until-cleared" else load.jammed_before


def jammed_weapons(loads: Loads) -> tuple[int, ...]:
    """The weapons that are jammed."""
    return tuple(at for at, load in enumerate(loads) if load.jammed)


def tried(loads: Loads, anew: Iterable[int], trace: Trace, book: CircusBook) -> Loads:
    """The loads, without jams that are not tried yet (CIR-9.16).

    Args:
        anew: Weapons that have jammed in this turn.
    """
    new = {at for at in anew if at < len(loads) and loads[at].jammed}
    if not new:
        return loads
    trace.setting("CIR-9.16", "jam_tried", book.settings.jam_tried)
    return cleared(loads, new) if book.settings.jam_tried == "next-turn" else loads


def groups(
    aeroplane: Aeroplane, loads: Loads, trace: Trace, book: CircusBook
) -> tuple[tuple[int, ...], ...]:
    """The weapons that are jammed, in groups that a die clears: those of a mount, or each."""
    jammed = jammed_weapons(loads)
    by_mount: dict[Mount, tuple[int, ...]] = {}
    for at in jammed:
        mount = aeroplane.weapons[at].mount
        by_mount[mount] = (*by_mount.get(mount, ()), at)
    if len(by_mount) < len(jammed):
        trace.setting("CIR-9.16", "jam_clearing", book.settings.jam_clearing)
    if book.settings.jam_clearing == "each-gun":
        return tuple((at,) for at in jammed)
    return tuple(by_mount.values())


def clears(trace: Trace, dice: Dice, book: CircusBook) -> bool:
    """The die of a turn flown straight and level, for the jammed weapons that it clears."""
    read = AtLeast(figure(book, "clears_on"))
    cleared = trace.roll(dice, Ask((D6,), read, "clear-jam", "CIR-9.16"))
    trace.finding("CIR-9.16", "cleared", cleared)
    return cleared


def cleared(loads: Loads, weapons: Iterable[int]) -> Loads:
    """The loads once some weapons have been cleared."""
    after = list(loads)
    for at in weapons:
        after[at] = changed(loads[at], jammed=False)
    return tuple(after)


def regained(aeroplane: Aeroplane, loads: Loads, after: Loads, book: CircusBook) -> int:
    """The resolution that comes back with the last of the main guns that were jammed.

    Args:
        loads: Before weapons were cleared.
        after: And afterwards.
    """
    if book.settings.jam_penalty != "until-cleared":
        return 0
    main = main_mount(aeroplane)
    were, are = (
        any(load.jammed for weapon, load in zip(aeroplane.weapons, some) if weapon.mount == main)
        for some in (loads, after)
    )
    return figure(book, "jam_resolution") if were and not are else 0


def cleared_events(
    aircraft: str, aeroplane: Aeroplane, loads: Loads, weapons: Iterable[int], book: CircusBook
) -> tuple[Change, ...]:
    """What clearing some weapons changes on the board: the guns, and perhaps the pilot's mind."""
    weapons = tuple(weapons)
    after = cleared(loads, weapons)
    events: tuple[Change, ...] = tuple(
        GunChanged("CIR-9.16", aircraft, at, after[at]) for at in weapons
    )
    gain = regained(aeroplane, loads, after, book)
    return (*events, ResolutionChanged("CIR-9.15", aircraft, gain)) if gain else events
