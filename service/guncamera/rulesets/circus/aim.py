"""Whether a target may be fired at from where it was: seen, held in the arc, and in range.

The counts come from the firing clock (CIR-8.4) or from the players; here they are judged, for the
shot itself. Rules CIR-8.3 to CIR-8.5 and CIR-9.2.
"""

from __future__ import annotations

from guncamera.rules.refusal import Illegal, Malformed
from guncamera.rules.trace import Trace
from guncamera.rulesets.circus.book import CircusBook, figure
from guncamera.rulesets.circus.facts import Aim, Firing
from guncamera.rulesets.circus.guns import GUNNERS
from guncamera.rulesets.circus.ranges import printed_row, range_hexes, rows_decide

CLOCK_READINGS = (
    "front_arc",
    "front_arc_alternate",
    "ring_arc",
    "pin_arc",
    "front_pin_arc",
    "firing_clock",
    "cloud_heights",
    "cloud_sides",
    "vertical_nose",
    "shot_moment",
    "hanging_target",
)
"""The settings that decide on the firing clock, and of which a shot's own facts show nothing."""


def range_of(facts: Firing, book: CircusBook, trace: Trace) -> int:
    """The range of a shot that the target's place allows.

    Raises:
        Malformed: CIR-8.4 or CIR-8.5, counts, settings or places that cannot be.
        Illegal: CIR-9.2, the target is not seen; CIR-8.4, it was not in the arc for long enough;
            CIR-8.5, it is straight above or below; CIR-8.3, it is too far off.
    """
    _check_counts(facts.aim)
    _check_seen(facts, book, trace)
    _name_readings(facts, book, trace)
    _check_half(facts.aim, book, trace)
    _check_vertical(facts, book, trace)
    return _charted(facts.aim, book, trace)


def _check_counts(aim: Aim) -> None:
    """No count exceeds what it is a part of."""
    pairs = (
        ("own_mp_in_arc", aim.own_mp_in_arc, "own_mp", aim.own_mp),
        ("own_hang_mp_in_arc", aim.own_hang_mp_in_arc, "own_mp_in_arc", aim.own_mp_in_arc),
        ("target_mp_in_arc", aim.target_mp_in_arc, "target_mp", aim.target_mp),
    )
    for part, counted, whole, spent in pairs:
        if counted > spent:
            raise Malformed(
                f"{part} is {counted} and {whole} is {spent}; count no more points than there are.",
                rule_id="CIR-8.4",
                field=f"firing.aim.{part}",
                counted=counted,
                spent=spent,
            )
    if aim.vertical and aim.hexes:
        raise Malformed(
            f"A shot straight up or down is at 0 hexes, not {aim.hexes}; correct one of the two.",
            rule_id="CIR-8.5",
            field="firing.aim.vertical",
            hexes=aim.hexes,
        )


def _check_seen(facts: Firing, book: CircusBook, trace: Trace) -> None:
    """The target is spotted, and in no blind spot (CIR-9.2)."""
    if not facts.spotted and not _shows_itself(facts, book, trace):
        trace.setting("CIR-9.2", "spotted_to_fire", book.settings.spotted_to_fire)
        if book.settings.spotted_to_fire == "required":
            raise Illegal(
                "CIR-9.2",
                f"{facts.target.id} has not been spotted, and only what is spotted may be fired "
                "at. Spot it first.",
                field="firing.spotted",
                target=facts.target.id,
            )
    if not facts.in_blind_spot or facts.aim.vertical:
        return
    trace.setting("CIR-7.3", "blind_spots", book.settings.blind_spots)
    if book.settings.blind_spots != "none":
        raise Illegal(
            "CIR-9.2",
            f"{facts.target.id} is in a blind spot, and cannot be fired at there. Get it out of "
            "the blind spot.",
            field="firing.in_blind_spot",
            target=facts.target.id,
        )


def _shows_itself(facts: Firing, book: CircusBook, trace: Trace) -> bool:
    """Whether a target that nobody had spotted is, for it fires at the shooter (CIR-7.7)."""
    if not facts.fired_at_shooter:
        return False
    trace.setting("CIR-7.7", "shooter_seen", book.settings.shooter_seen)
    return book.settings.shooter_seen == "at-once"


def _name_readings(facts: Firing, book: CircusBook, trace: Trace) -> None:
    """The settings that the firing clock turned on."""
    for at, name in enumerate(facts.aim.readings):
        if name not in CLOCK_READINGS:
            raise Malformed(
                f"{name!r} is no setting that the firing clock turns on; take some of "
                f"{', '.join(CLOCK_READINGS)}, or none.",
                rule_id="CIR-8.4",
                field=f"firing.aim.readings[{at}]",
                reading=name,
            )
        trace.setting(book.setting_specs[name].rule_id, name, getattr(book.settings, name))


def _check_half(aim: Aim, book: CircusBook, trace: Trace) -> None:
    """It was in the arc for half of the points of one of the two (CIR-8.4)."""
    hanging = aim.own_hang_mp_in_arc
    counted = aim.own_mp_in_arc - hanging
    counted += trace.clamp("CIR-8.4", "own_hang_mp_in_arc", hanging, 0, figure(book, "hang_own_mp"))
    of_own = f"{counted} of {aim.own_mp} of the shooter's points"
    of_target = f"{aim.target_mp_in_arc} of {aim.target_mp} of the target's"
    own = aim.own_mp > 0 and 2 * counted >= aim.own_mp
    other = aim.target_mp > 0 and 2 * aim.target_mp_in_arc >= aim.target_mp
    trace.finding("CIR-8.4", "half_in_arc", own or other, f"{of_own}, {of_target}")
    if not own and not other:
        raise Illegal(
            "CIR-8.4",
            f"The target was in the arc for {of_own} and for {of_target} points; half of either "
            "is needed. Hold it in the sights for longer.",
            field="firing.aim",
            own_mp=aim.own_mp,
            own_counted=counted,
            target_mp=aim.target_mp,
            target_counted=aim.target_mp_in_arc,
        )


def _check_vertical(facts: Firing, book: CircusBook, trace: Trace) -> None:
    """Straight up and down fire only those who hang or dive so (CIR-8.5)."""
    aim = facts.aim
    if aim.hexes or not aim.height_difference_feet:
        return
    if aim.vertical:
        trace.finding("CIR-8.5", "vertical", value=True)
        return
    if facts.mount in GUNNERS:
        trace.setting("CIR-8.5", "flexible_gun_vertical", book.settings.flexible_gun_vertical)
        if book.settings.flexible_gun_vertical == "yes":
            return
    raise Illegal(
        "CIR-8.5",
        "The target is straight above or below. Only a propeller hang fires straight up and only "
        "a power dive straight down, with the move that made the shot; get off its hex.",
        field="firing.aim.hexes",
        hexes=0,
        height_difference_feet=aim.height_difference_feet,
    )


def _charted(aim: Aim, book: CircusBook, trace: Trace) -> int:
    """The range on the chart (CIR-8.3)."""
    found = range_hexes(aim.hexes, aim.height_difference_feet, book)
    feet = abs(aim.height_difference_feet)
    if found is None:
        raise Illegal("CIR-8.3", _out_of_range(aim, book), field="firing.aim", **_place(aim))
    if rows_decide(aim.hexes, feet, book):
        trace.setting("CIR-8.3", "between_rows", book.settings.between_rows)
    row = printed_row(feet, book)
    if row is not None:
        trace.look_up(book.tables["range"], row, str(aim.hexes))
    trace.finding("CIR-8.3", "range_hexes", found, f"hexes {aim.hexes}, height {feet} feet")
    return found


def _place(aim: Aim) -> dict[str, int]:
    return {"hexes": aim.hexes, "height_difference_feet": aim.height_difference_feet}


def _out_of_range(aim: Aim, book: CircusBook) -> str:
    """Why there is no range."""
    feet, highest = abs(aim.height_difference_feet), figure(book, "highest_difference_feet")
    if feet > highest:
        way = "Climb" if aim.height_difference_feet > 0 else "Dive"
        return f"The target is {feet} feet off in height; fire reaches {highest}. {way} first."
    if not aim.hexes:
        return "The target is in the same hex at the same height, where nobody can fire. Get clear."
    longest = figure(book, "longest_range_hexes")
    return (
        f"Hexes {aim.hexes} and height {feet} feet are out of range; the tables reach "
        f"{longest} hexes. Close in."
    )
