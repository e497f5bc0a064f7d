"""Whether the guns of a mount were held on a target for long enough. Chapter 8 of the rules.

The paths of a call are checked and counted; `clock` counts, here it is explained. No dice.
"""

from __future__ import annotations

from collections.abc import Sequence

from guncamera.rules.refusal import Illegal, Malformed
from guncamera.rules.ruling import Ruling
from guncamera.rules.trace import Trace
from guncamera.rulesets.circus import clock
from guncamera.rulesets.circus.aircraft import Aeroplane, Mount, Path
from guncamera.rulesets.circus.arcs import arc_of
from guncamera.rulesets.circus.book import CircusBook, aeroplane_of, figure
from guncamera.rulesets.circus.decisive import decisive
from guncamera.rulesets.circus.facts import Aiming
from guncamera.rulesets.circus.map import hex_at
from guncamera.rulesets.circus.outcomes import Aimed, SpotOutcome
from guncamera.rulesets.circus.ranges import printed_row

_RULES = {
    "own_mp": "CIR-8.4",
    "own_mp_in_arc": "CIR-8.4",
    "own_hang_mp_in_arc": "CIR-8.6",
    "target_mp": "CIR-8.4",
    "target_mp_in_arc": "CIR-8.4",
    "hexes": "CIR-8.7",
    "height_difference_feet": "CIR-8.7",
    "range_hexes": "CIR-8.3",
    "vertical": "CIR-8.5",
    "target_hanging": "CIR-8.6",
    "target_in_blind_spot": "CIR-7.3",
    "may_fire": "CIR-8.4",
}


def rule_on_aiming(
    facts: Aiming, own: Sequence[Aeroplane], book: CircusBook
) -> Ruling[SpotOutcome]:
    """Rules on whether a target may be fired at, as far as paths and arcs go.

    Raises:
        Malformed: CIR-1.1, CIR-1.2: hexes or types that are none; CIR-7.2, a cloud that is none;
            CIR-8.4, paths that cannot be.
        Illegal: CIR-9.1, the type has no such gun.

    Source: seed 002, base game; register HR-8, HR-9, HR-11 and section 9, Firing clock.
    """
    aeroplane = aeroplane_of(facts.aeroplane, own, book, "aiming.aeroplane")
    _check_mount(facts.mount, aeroplane)
    _check_path(facts.shooter.path, book, "aiming.shooter.path")
    _check_path(facts.target.path, book, "aiming.target.path")
    _check_order(facts)
    _check_clouds(facts, book)
    trace = Trace()
    aimed = clock.aimed(facts, own, book)
    _name_settings(facts, aimed, own, book, trace)
    most = figure(book, "hang_own_mp")
    trace.clamp("CIR-8.6", "own_hang_mp_counted", aimed.own_hang_mp_in_arc, 0, most)
    row = printed_row(aimed.height_difference_feet, book)
    if aimed.range_hexes and row is not None:
        trace.look_up(book.tables["range"], row, str(aimed.hexes))
    for name, rule_id in _RULES.items():
        trace.finding(rule_id, name, getattr(aimed, name))
    return Ruling(SpotOutcome(aimed), tuple(trace.lines), (), _summary(aimed))


# ---- Guards


def _check_mount(mount: Mount, aeroplane: Aeroplane) -> None:
    mounts = dict.fromkeys(weapon.mount for weapon in aeroplane.weapons)
    if mount in mounts:
        return
    has = ", ".join(mounts) or "no"
    raise Illegal(
        "CIR-9.1",
        f"The {aeroplane.title} has {has} guns and none on a {mount} mount. Aim those it has.",
        field="aiming.mount",
        mount=mount.value,
    )


def _check_path(path: Path, book: CircusBook, field: str) -> None:
    """A path begins at no points spent and goes on from hex to hex."""
    if not path:
        raise Malformed(
            "The path is empty; give at least where the aircraft stands, at 0 points spent.",
            rule_id="CIR-8.4",
            field=field,
        )
    before = 0
    for at, step in enumerate(path):
        hex_at(step.hex, book, f"{field}[{at}].hex", anywhere=True)
        if step.mp < before or (at == 0 and step.mp):
            raise Malformed(
                f"Step {at} of the path comes at {step.mp} points spent, after {before}; a path "
                "begins at 0 and never goes back.",
                rule_id="CIR-8.4",
                field=f"{field}[{at}].mp",
                mp=step.mp,
                before=before,
            )
        before = step.mp


def _check_order(facts: Aiming) -> None:
    if facts.simultaneous or not (facts.shooter.path[-1].mp and facts.target.path[-1].mp):
        return
    raise Malformed(
        "In alternate turns one of the two stands still while the other moves; give of that one "
        "only where it stands, at 0 points spent.",
        rule_id="CIR-8.4",
        field="aiming.target.path",
    )


def _check_clouds(facts: Aiming, book: CircusBook) -> None:
    for at, cloud in enumerate(facts.clouds):
        hex_at(cloud.hex, book, f"aiming.clouds[{at}].hex", anywhere=True)
        if cloud.top_feet <= cloud.base_feet:
            raise Malformed(
                f"The cloud over {cloud.hex} ends at {cloud.top_feet} feet and begins at "
                f"{cloud.base_feet}; its top is above its base.",
                rule_id="CIR-7.2",
                field=f"aiming.clouds[{at}].top_feet",
                base_feet=cloud.base_feet,
                top_feet=cloud.top_feet,
            )


# ---- What is said about it


def _name_settings(
    facts: Aiming, aimed: Aimed, own: Sequence[Aeroplane], book: CircusBook, trace: Trace
) -> None:
    """The settings under whose other choices the outcome would have been another."""
    aeroplane = aeroplane_of(facts.aeroplane, own, book, "aiming.aeroplane")
    arc = arc_of(aeroplane, facts.mount, book, simultaneous=facts.simultaneous)
    trace.finding(arc.rule_id, "arc", arc.name)
    for name in decisive(facts, aimed, tuple(own), book):
        trace.setting(book.setting_specs[name].rule_id, name, getattr(book.settings, name))


def _summary(aimed: Aimed) -> str:
    held = (
        f"{aimed.own_mp_in_arc} of {aimed.own_mp} points of the shooter and "
        f"{aimed.target_mp_in_arc} of {aimed.target_mp} of the target"
    )
    if aimed.may_fire:
        return f"The target is held for {held}; the range is {aimed.range_hexes}."
    if aimed.target_in_blind_spot:
        return f"The target is in a blind spot; it is held for {held}."
    return f"The target is not held for long enough: for {held}."
