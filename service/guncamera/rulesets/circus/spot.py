"""Looking for the enemy, with dice, and aiming at him, without. Chapters 7 and 8 of the rules."""

from __future__ import annotations

from collections.abc import Sequence

from guncamera.rules.dice import D6, Ask, AtLeast, Dice
from guncamera.rules.refusal import Illegal, Malformed
from guncamera.rules.ruling import Ruling
from guncamera.rules.trace import Trace
from guncamera.rulesets.circus.aeroplanes import check_own
from guncamera.rulesets.circus.aiming import rule_on_aiming
from guncamera.rulesets.circus.book import CircusBook, figure
from guncamera.rulesets.circus.events import Sighted
from guncamera.rulesets.circus.facts import Aiming, Look, Looking, SpotFacts
from guncamera.rulesets.circus.outcomes import SeenBy, Sighting, Sightings, SpotOutcome
from guncamera.rulesets.circus.ranges import distance_hexes

LOOK_READINGS = ("cloud_heights", "cloud_sides", "blind_spots", "up_sun", "formation")
"""The settings that decide on what hides or shows a target: a look shows but what came of them."""

SPOTTED = (SeenBy.ROLL, SeenBy.FIRING_AT_SPOTTER, SeenBy.FORMATION)
_RULES = {
    SeenBy.ROLL: "CIR-7.1",
    SeenBy.MISSED: "CIR-7.1",
    SeenBy.FIRING_AT_SPOTTER: "CIR-7.7",
    SeenBy.FORMATION: "CIR-7.5",
    SeenBy.BLIND_SPOT: "CIR-7.3",
    SeenBy.NO_LINE_OF_SIGHT: "CIR-7.2",
}
Found = dict[tuple[str, str], SeenBy]
"""What came of each look, by spotter and target."""


def rule_on_spot(facts: SpotFacts, book: CircusBook, dice: Dice) -> Ruling[SpotOutcome]:
    """Rules on looking or aiming; see the rule of each for what it refuses.

    Raises:
        Malformed: CIR-1.5, an aeroplane of the caller's own that cannot be.
    """
    if facts.own_aeroplanes:
        check_own(facts.own_aeroplanes, book, "own_aeroplanes")
    match facts.procedure:
        case Looking() as looking:
            return rule_on_looking(looking, book, dice)
        case Aiming() as aiming:
            return rule_on_aiming(aiming, facts.own_aeroplanes, book)


def rule_on_looking(facts: Looking, book: CircusBook, dice: Dice) -> Ruling[SpotOutcome]:
    """Rules on the looks of one spotting phase, in their order.

    What a spotter sees without dice comes first, so that nobody rolls for what is seen anyway.

    Raises:
        Malformed: CIR-7.1 or CIR-7.7, looks that cannot be.
        Illegal: CIR-9.17, a gunner looks behind a dead pilot.

    Source: seed 002, spotting; register 2.3 and section 9, Spotting.
    """
    _check(facts)
    _check_readings(facts)
    trace = Trace.of(dice)
    found: Found = {}
    _check_falling(facts, book, trace)
    for look in facts.looks:
        seen = _without_dice(look, book, trace)
        if seen is not None:
            found[look.spotter, look.target] = seen
    _spread(facts.looks, found)
    for look in facts.looks:
        if (look.spotter, look.target) not in found:
            found[look.spotter, look.target] = _rolled(look, book, trace, dice)
            _spread(facts.looks, found)
    sightings = tuple(_sighting(look, found, trace) for look in facts.looks)
    _name_settings(facts.looks, sightings, book, trace)
    outcome = SpotOutcome(Sightings(sightings))
    events = (Sighted("CIR-7.1", sightings),)
    return Ruling(outcome, tuple(trace.lines), events, _summary(sightings))


def _check(facts: Looking) -> None:
    if not facts.looks:
        raise Malformed(
            "Nobody looks for anybody; give at least one look.",
            rule_id="CIR-7.1",
            field="looking.looks",
        )
    pairs: set[tuple[str, str]] = set()
    for at, look in enumerate(facts.looks):
        field = f"looking.looks[{at}]"
        if look.spotter == look.target:
            text = f"{look.spotter} looks for itself; name an enemy as the target."
            raise Malformed(text, rule_id="CIR-7.1", field=f"{field}.target", target=look.target)
        if (look.spotter, look.target) in pairs:
            text = f"{look.spotter} looks for {look.target} twice; give each look once."
            raise Malformed(text, rule_id="CIR-7.1", field=field, target=look.target)
        if look.fired_at_spotter and not look.target_fired:
            text = f"{look.target} fired at {look.spotter}, so it fired; set target_fired too."
            raise Malformed(
                text, rule_id="CIR-7.7", field=f"{field}.target_fired", target=look.target
            )
        pairs.add((look.spotter, look.target))


def _check_readings(facts: Looking) -> None:
    for at, look in enumerate(facts.looks):
        for place, name in enumerate(look.readings):
            if name not in LOOK_READINGS:
                raise Malformed(
                    f"{name!r} is no setting that a look turns on; take some of "
                    f"{', '.join(LOOK_READINGS)}, or none.",
                    rule_id="CIR-7.1",
                    field=f"looking.looks[{at}].readings[{place}]",
                    reading=name,
                )


def _check_falling(facts: Looking, book: CircusBook, trace: Trace) -> None:
    """Whether the gunner of a dead pilot looks out (CIR-9.17)."""
    if not facts.falling_aircraft:
        return
    trace.setting("CIR-9.17", "falling_gunner", book.settings.falling_gunner)
    look_too = book.settings.falling_gunner == "looks-too"
    for id_ in facts.falling_aircraft:
        trace.finding("CIR-9.17", f"{id_}.looks", look_too, "its pilot is dead")
    for at, look in enumerate(facts.looks):
        if look.spotter in facts.falling_aircraft and not look_too:
            raise Illegal(
                "CIR-9.17",
                f"The pilot of {look.spotter} is dead, and by the setting falling_gunner its "
                "gunner looks for nobody. Leave the look out.",
                field=f"looking.looks[{at}].spotter",
                spotter=look.spotter,
            )


def _without_dice(look: Look, book: CircusBook, trace: Trace) -> SeenBy | None:
    """Why a target is spotted, or cannot be; None where dice are to say it."""
    for name in look.readings:
        _name_setting(name, book, trace)
    if look.fired_at_spotter and not _stays_hidden(look, book, trace):
        return SeenBy.FIRING_AT_SPOTTER
    if look.in_blind_spot:
        _name_setting("blind_spots", book, trace, look)
        if book.settings.blind_spots != "none":
            return SeenBy.BLIND_SPOT
    if look.line_of_sight:
        return None
    _name_setting("cloud_heights", book, trace, look)
    _name_setting("cloud_sides", book, trace, look)
    return SeenBy.NO_LINE_OF_SIGHT


def _name_setting(name: str, book: CircusBook, trace: Trace, look: Look | None = None) -> None:
    """Name a setting, unless a look has said already that it turns on it."""
    if look is None or name not in look.readings:
        trace.setting(book.setting_specs[name].rule_id, name, getattr(book.settings, name))


def _stays_hidden(look: Look, book: CircusBook, trace: Trace) -> bool:
    """Whether a target that fired at the spotter is out of his sight, and so by setting unseen."""
    blind = look.in_blind_spot and book.settings.blind_spots != "none"
    if look.line_of_sight and not blind:
        return False
    trace.setting("CIR-7.7", "hidden_shooter", book.settings.hidden_shooter)
    return book.settings.hidden_shooter == "hidden"


def _spread(looks: Sequence[Look], found: Found) -> None:
    """Who spots an aircraft spots all that fly with it, if nothing hides them (CIR-7.5)."""
    spread = True
    while spread:
        spread = False
        for look in looks:
            pair = (look.spotter, look.target)
            if found.get(pair, SeenBy.MISSED) == SeenBy.MISSED and _flies_with_seen(
                look, looks, found
            ):
                found[pair] = SeenBy.FORMATION
                spread = True


def _flies_with_seen(look: Look, looks: Sequence[Look], found: Found) -> bool:
    """Whether the spotter has spotted another aircraft of the target's formation."""
    return any(
        found.get((other.spotter, other.target)) in SPOTTED
        for other in looks
        if other.spotter == look.spotter
        and (other.target in look.formation or look.target in other.formation)
    )


def _rolled(look: Look, book: CircusBook, trace: Trace, dice: Dice) -> SeenBy:
    """Two dice against 7, less what is added to them."""
    modifier = _modifiers(look, book, trace)
    read = AtLeast(figure(book, "spotted_on") - modifier)
    purpose = f"spotting, {look.spotter} for {look.target}"
    spotted = trace.roll(dice, Ask((D6, D6), read, purpose, "CIR-7.1"))
    return SeenBy.ROLL if spotted else SeenBy.MISSED


def _modifiers(look: Look, book: CircusBook, trace: Trace) -> int:
    """What is added to the dice of a look; all of it adds up."""
    table = book.tables["spotting"]
    distance = distance_hexes(look.hexes, look.height_difference_feet, book)
    where = f"{look.hexes} hexes and {abs(look.height_difference_feet)} feet of height"
    if _distance_decides(look, book):
        trace.setting("CIR-7.6", "spotting_distance", book.settings.spotting_distance)
    trace.finding("CIR-7.6", f"{look.spotter}>{look.target}.distance_hexes", distance, where)
    if look.up_sun:
        _name_setting("up_sun", book, trace, look)
    cases = (
        ("CIR-7.1", "target_firing", "target firing", look.target_fired),
        ("CIR-7.6", "within_8_hexes", "within 8 hexes", distance <= figure(book, "near_hexes")),
        ("CIR-7.1", "target_below", "target below", look.height_difference_feet < 0),
        ("CIR-7.4", "up_sun", "up-sun", look.up_sun),
        ("CIR-7.6", "over_20_hexes", "over 20 hexes", distance > figure(book, "far_hexes")),
    )
    total = sum(
        trace.modifier(rule_id, name, table.number(row, "modifier"), row)
        for rule_id, name, row, holds in cases
        if holds
    )
    return trace.sum("CIR-7.1", "modifiers", 0, total)


def _distance_decides(look: Look, book: CircusBook) -> bool:
    """Whether near or far turns on how height counts for the distance."""
    readings = (choice.value for choice in book.setting_specs["spotting_distance"].choices)
    near, far = figure(book, "near_hexes"), figure(book, "far_hexes")
    found = {
        (distance <= near, distance > far)
        for distance in (
            distance_hexes(look.hexes, look.height_difference_feet, book, str(reading))
            for reading in readings
        )
    }
    return len(found) > 1


def _sighting(look: Look, found: Found, trace: Trace) -> Sighting:
    by = found[look.spotter, look.target]
    name = f"{look.spotter}>{look.target}.spotted"
    trace.finding(_RULES[by], name, by in SPOTTED, by.replace("_", " "))
    return Sighting(look.spotter, look.target, by in SPOTTED, by)


def _name_settings(
    looks: Sequence[Look], sightings: Sequence[Sighting], book: CircusBook, trace: Trace
) -> None:
    """The settings that the sightings turn on: who flew together, and how long they last."""
    named = any("formation" in look.readings for look in looks)
    if not named and any(sighting.by == SeenBy.FORMATION for sighting in sightings):
        _name_setting("formation", book, trace)
    if any(sighting.spotted for sighting in sightings):
        _name_setting("spotting_memory", book, trace)


def _summary(sightings: Sequence[Sighting]) -> str:
    by_spotter: dict[str, list[str]] = {}
    for sighting in sightings:
        if sighting.spotted:
            by_spotter.setdefault(sighting.spotter, []).append(sighting.target)
    if not by_spotter:
        return "Nobody is spotted."
    spots = (f"{spotter} spots {', '.join(targets)}" for spotter, targets in by_spotter.items())
    return f"{'; '.join(spots)}."
