"""What an aircraft must be to fly, fire or be shot at: in the air, whole, and steered."""

from __future__ import annotations

from guncamera.rules.refusal import Illegal, Malformed
from guncamera.rulesets.redstars.aircraft import Aircraft, Condition, DataBook, Flight, Position
from guncamera.rulesets.redstars.book import RedstarsBook, figure
from guncamera.rulesets.redstars.condition import (
    condition_of,
    is_gliding,
    is_shot_down,
    wounds_counted,
)
from guncamera.rulesets.redstars.geometry import STEP_DEGREES


def check_aloft(aircraft: Aircraft, data_book: DataBook, book: RedstarsBook, field: str) -> None:
    """Refuse an aircraft that cannot be in the air as it is described.

    Args:
        field: Its path, for the refusal.

    Raises:
        Malformed: RED-3.2, its heading; RED-1.2, its engine boxes; RED-4.11, how it flies;
            RED-7.4, guns lost; RED-7.7, wounds; RED-7.8, a crew that cannot be; RED-6.10 and
            RED-7.2, what by setting does not add up.
        Illegal: RED-4.10, it is on the ground; RED-8.1, it is shot down; RED-7.8, nobody flies it.
    """
    check_heading(aircraft.position, f"{field}.position")
    if aircraft.position.altitude == 0:
        raise Illegal(
            "RED-4.10",
            f"{aircraft.id} is on the ground; give its altitude, 1 or more.",
            field=f"{field}.position.altitude",
            altitude=0,
        )
    _check_engines(aircraft, data_book, field)
    _check_guns(aircraft, data_book, field)
    check_wounds(condition_of(aircraft), f"{field}.condition", book)
    _check_further(condition_of(aircraft), field, book)
    _check_crew(aircraft, data_book, book, field)
    if is_shot_down(condition_of(aircraft), data_book, book):
        raise Illegal(
            "RED-8.1",
            f"{aircraft.id} has taken {condition_of(aircraft).damage} damage of "
            f"{data_book.damage_points} and is out of the game; take one that still flies.",
            field=f"{field}.condition.damage",
            damage=condition_of(aircraft).damage,
            damage_points=data_book.damage_points,
        )


def check_heading(position: Position, field: str) -> None:
    """Refuse a heading that is not among those that discs and tweaks can give.

    Raises:
        Malformed: RED-3.2.
    """
    if position.heading_degrees % STEP_DEGREES:
        raise Malformed(
            f"Heading {position.heading_degrees} is not a multiple of {STEP_DEGREES} degrees; "
            "give the nearest one.",
            rule_id="RED-3.2",
            field=f"{field}.heading_degrees",
            heading_degrees=position.heading_degrees,
        )


def _check_engines(aircraft: Aircraft, data_book: DataBook, field: str) -> None:
    marks, engines = condition_of(aircraft).engine_marks, data_book.engines
    if len(marks) > len(engines) or any(m > boxes for m, boxes in zip(marks, engines)):
        raise Malformed(
            f"{aircraft.id} has engine boxes {list(engines)}, of which {list(marks)} cannot be "
            "marked; give one number for each engine, no higher than its boxes.",
            rule_id="RED-1.2",
            field=f"{field}.condition.engine_marks",
            type=data_book.type,
        )
    if aircraft.flight == Flight.GLIDING and not is_gliding(aircraft, data_book):
        raise Malformed(
            f"{aircraft.id} has an engine box left and does not glide; mark every box, or have "
            "it fly as normal.",
            rule_id="RED-4.11",
            field=f"{field}.flight",
            flight=aircraft.flight.value,
        )


def _check_guns(aircraft: Aircraft, data_book: DataBook, field: str) -> None:
    lost, weapons = condition_of(aircraft).lost_dice, data_book.weapons
    for at in set(lost):
        guns = weapons[at].guns if at < len(weapons) else 0
        if lost.count(at) > guns:
            raise Malformed(
                f"Weapon {at} of {aircraft.id} has {guns} guns and cannot have lost "
                f"{lost.count(at)}; give each gun lost once.",
                rule_id="RED-7.4",
                field=f"{field}.condition.lost_dice",
                weapon=at,
                guns=guns,
            )


def check_wounds(condition: Condition, field: str, book: RedstarsBook) -> None:
    """Refuse wounds that no living man has.

    Raises:
        Malformed: RED-7.7, a third wound, which kills; more severe wounds than wounds; a severe
            first wound without a severe one.
    """
    men = (
        ("pilot", condition.pilot_wounds, condition.pilot_severe, condition.pilot_killed),
        (
            "observer",
            condition.observer_wounds,
            condition.observer_severe,
            condition.observer_killed,
        ),
    )
    for man, wounds, severe, killed in men:
        counted = wounds_counted(wounds, severe, book)
        if (counted >= figure(book, "deadly_wound") and not killed) or severe > wounds:
            raise Malformed(
                f"The {man} cannot fly with {wounds} wounds, {severe} of them severe; the third "
                "wound kills, and a severe wound counts among his wounds, or by setting twice.",
                rule_id="RED-7.7",
                field=f"{field}.{man}_wounds",
                wounds=wounds,
                severe=severe,
            )
    if condition.pilot_tough_spared and not condition.pilot_severe:
        raise Malformed(
            "The pilot's first wound cannot have been severe where none was; give his severe "
            "wounds.",
            rule_id="RED-7.7",
            field=f"{field}.pilot_tough_spared",
        )


def _check_further(condition: Condition, field: str, book: RedstarsBook) -> None:
    """Refuse what by setting does not add up, or adds up to nothing."""
    counts = (
        ("RED-6.10", "further_oil_leaks", condition.oil_leak, book.settings.oil_leak_again),
        ("RED-7.2", "further_speeds_lost", condition.top_speed_barred,
         book.settings.top_speed_again),
    )  # fmt: skip
    for rule_id, name, first, reading in counts:
        if getattr(condition, name) and (not first or reading == "once"):
            raise Malformed(
                "There is none without a first one, and in a game in which a second one changes "
                "nothing; leave it out.",
                rule_id=rule_id,
                field=f"{field}.condition.{name}",
                setting=reading,
            )


def _check_free(aircraft: Aircraft, data_book: DataBook, book: RedstarsBook, field: str) -> None:
    """Controls are free by setting alone, in a spin, and with a man left for them (RED-7.8)."""
    condition = condition_of(aircraft)
    waits = book.settings.takeover_tries == "each-turn" and data_book.observer
    held = condition.observer_flies or (condition.pilot_killed and condition.observer_killed)
    if waits and not held and aircraft.flight == Flight.SPINNING:
        return
    raise Malformed(
        f"Nobody flies {aircraft.id}: that is so only where the other man tries each turn, while "
        "it spins and one of the two lives. Name who is at the controls.",
        rule_id="RED-7.8",
        field=f"{field}.condition.nobody_flies",
        takeover_tries=book.settings.takeover_tries,
        flight=aircraft.flight.value,
    )


def _check_crew(aircraft: Aircraft, data_book: DataBook, book: RedstarsBook, field: str) -> None:
    condition = condition_of(aircraft)
    third = data_book.third_man and book.settings.third_man == "replaces"
    if condition.third_man_serves and not third:
        raise Malformed(
            f"{aircraft.id} has no third man who could take the observer's place, by its data "
            "book or in this game; leave him out.",
            rule_id="RED-7.8",
            field=f"{field}.condition.third_man_serves",
            third_man=book.settings.third_man,
        )
    if condition.observer_flies and (condition.observer_killed or not data_book.observer):
        raise Malformed(
            f"{aircraft.id} has no living observer who could fly it; name who is at the controls.",
            rule_id="RED-7.8",
            field=f"{field}.condition.observer_flies",
            observer=data_book.observer,
        )
    if condition.nobody_flies:
        _check_free(aircraft, data_book, book, field)
    elif condition.pilot_killed and not condition.observer_flies:
        raise Illegal(
            "RED-7.8",
            f"The pilot of {aircraft.id} is dead and nobody is at its controls; it is out of the "
            "game.",
            field=f"{field}.condition.pilot_killed",
            pilot_killed=True,
        )
