"""One's own aeroplanes: whether the figures that a caller brings hold together. Rule CIR-1.5.

Limits of single figures stand at the fields of `Aeroplane`; here is what one figure asks of
another. The aeroplanes of the book meet all of it too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from guncamera.rules.own_types import faults_of_own_types
from guncamera.rules.refusal import Violation, refuse_faults
from guncamera.rulesets.circus.aircraft import Aeroplane, Feed, Mount, TurnCode, Weapon
from guncamera.rulesets.circus.book import CircusBook, figure

RULE = "CIR-1.5"
MOST_BARRELS = 2
"""Guns of one mount that the combat tables have a column for."""


def check_own(aeroplanes: Sequence[Aeroplane], book: CircusBook, field: str) -> None:
    """Hold a caller's own aeroplanes to what they need to fly under these rules.

    Args:
        field: Where they stand: `setup.own_aeroplanes`.

    Raises:
        Malformed: CIR-1.5, with every fault by its path.
    """
    refuse_faults(faults_of_own(aeroplanes, book, field))


def faults_of_own(
    aeroplanes: Sequence[Aeroplane], book: CircusBook, field: str
) -> Iterator[Violation]:
    """Every fault of a caller's own aeroplanes, in their order."""
    return faults_of_own_types(
        aeroplanes,
        book,
        field,
        rule_id=RULE,
        faults_of=lambda aeroplane, here: faults_of(aeroplane, book, here),
    )


def faults_of(aeroplane: Aeroplane, book: CircusBook, here: str) -> Iterator[Violation]:
    """What of an aeroplane's figures does not hold together."""
    yield from _faults_of_speeds(aeroplane, here)
    yield from _faults_of_heights(aeroplane, book, here)
    yield from _faults_of_guns(aeroplane, here)
    yield from _faults_of_manoeuvres(aeroplane, here)


def _fault(field: str, description: str) -> Violation:
    return Violation(field, description, RULE)


# ---- Figures


def _faults_of_speeds(aeroplane: Aeroplane, here: str) -> Iterator[Violation]:
    top, stall, safe = aeroplane.top_mp, aeroplane.stall_mp, aeroplane.safe_dive_mp
    if stall >= top:
        yield _fault(f"{here}.stall_mp", f"{stall} is not below the top speed of {top}")
    if safe < top:
        yield _fault(f"{here}.safe_dive_mp", f"{safe} is below the top speed of {top}")
    if aeroplane.over_speed_mp <= safe:
        yield _fault(
            f"{here}.over_speed_mp",
            f"{aeroplane.over_speed_mp} is not above the safe dive speed of {safe}",
        )
    if aeroplane.damage_limit < stall:
        yield _fault(
            f"{here}.damage_limit",
            f"{aeroplane.damage_limit} is below the stalling speed of {stall}; it would be "
            "destroyed unhurt",
        )
    if aeroplane.turn_code == TurnCode.E:
        yield _fault(f"{here}.turn_code", "e is reached by damage only; give a to d")


def _faults_of_heights(aeroplane: Aeroplane, book: CircusBook, here: str) -> Iterator[Violation]:
    step = figure(book, "height_step_feet")
    for name in ("climb_feet", "ceiling_feet"):
        feet = getattr(aeroplane, name)
        if feet % step:
            yield _fault(f"{here}.{name}", f"{feet} is not a height in steps of {step} feet")
    if aeroplane.ceiling_feet < step:
        yield _fault(
            f"{here}.ceiling_feet",
            f"{aeroplane.ceiling_feet} feet leaves no height to fly at; give {step} or more",
        )


# ---- Guns


def _faults_of_guns(aeroplane: Aeroplane, here: str) -> Iterator[Violation]:
    if not aeroplane.weapons:
        yield _fault(f"{here}.weapons", "there is none; give at least one")
    for at, weapon in enumerate(aeroplane.weapons):
        yield from _faults_of_weapon(weapon, aeroplane, f"{here}.weapons[{at}]")
    for mount in Mount:
        barrels = sum(w.barrels for w in aeroplane.weapons if w.mount == mount)
        if barrels > MOST_BARRELS:
            yield _fault(
                f"{here}.weapons",
                f"{barrels} guns fire from the {mount} mount; the combat tables know one and two",
            )


def _faults_of_weapon(weapon: Weapon, aeroplane: Aeroplane, here: str) -> Iterator[Violation]:
    if weapon.mount != Mount.FRONT and aeroplane.crew < 2:
        yield _fault(
            f"{here}.mount",
            f"a {weapon.mount} gun wants a gunner and the crew is {aeroplane.crew}; give a crew "
            "of 2, or mount it front",
        )
    if weapon.feed == Feed.BELT and weapon.loads > 1:
        yield _fault(
            f"{here}.loads",
            f"{weapon.loads} belts; a gun has one, since a belt is not changed in the air: give "
            "all its firing turns as load_points",
        )


# ---- Manoeuvres


def _faults_of_manoeuvres(aeroplane: Aeroplane, here: str) -> Iterator[Violation]:
    for name in ("manoeuvres", "high_stress"):
        listed = Counter(getattr(aeroplane, name))
        for manoeuvre, times in listed.items():
            if times > 1:
                yield _fault(f"{here}.{name}", f"{manoeuvre} is listed {times} times")
    for manoeuvre in dict.fromkeys(aeroplane.high_stress):
        if manoeuvre not in aeroplane.manoeuvres:
            yield _fault(f"{here}.high_stress", f"{manoeuvre} is not among its manoeuvres")
