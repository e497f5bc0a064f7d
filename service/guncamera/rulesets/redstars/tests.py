"""Tests on two dice, with every modifier a line of the trace. Chapter 5 of the rules.

A test's bonus is what is added to the two dice; the number to reach stands in the table of tests,
or in the data book for a spin.
"""

from __future__ import annotations

from dataclasses import dataclass

from guncamera.rules.dice import D6, Ask, AtLeast, Dice, Total
from guncamera.rules.trace import Trace
from guncamera.rulesets.redstars.aircraft import (
    Aircraft,
    AircraftTrait,
    AltitudeCard,
    DataBook,
    Maneuver,
    PilotTrait,
)
from guncamera.rulesets.redstars.book import RedstarsBook, figure
from guncamera.rulesets.redstars.condition import (
    condition_of,
    current_rating,
    is_damaged,
    pilot_flies,
    wounds_counted,
)

TWO_DICE = (D6, D6)
_BLOW_OUT_ROWS = {
    AltitudeCard.DIVE_3: "blow-out dive 3",
    AltitudeCard.DIVE_4: "blow-out dive 4",
}


# ---- Modifiers


def rating_bonus(
    aircraft: Aircraft,
    trace: Trace,
    book: RedstarsBook,
    rule_id: str,
    *,
    name: str = "rating",
    against: bool = False,
) -> int:
    """The rating of whoever flies, after wounds, as a modifier (RED-7.7).

    Args:
        name: Of its line, where a test has two.
        against: It counts against the test.
    """
    condition = condition_of(aircraft)
    rating = current_rating(aircraft, book)
    wounds, severe = condition.pilot_wounds, condition.pilot_severe
    tough = PilotTrait.TOUGH in aircraft.pilot.traits and not condition.observer_flies
    if condition.nobody_flies:
        return 0
    if condition.observer_flies:
        trace.setting("RED-7.8", "observer_rating", book.settings.observer_rating)
        wounds, severe = condition.observer_wounds, condition.observer_severe
    if severe:
        trace.setting("RED-7.7", "severe_wound", book.settings.severe_wound)
    if wounds_counted(wounds, severe, book) >= 2 and not tough:
        trace.setting("RED-7.7", "second_wound", book.settings.second_wound)
    if not rating:
        return 0
    flies = "the observer flies" if condition.observer_flies else ""
    return trace.modifier(rule_id, name, -rating if against else rating, flies)


def damaged_bonus(
    aircraft: Aircraft,
    data_book: DataBook,
    trace: Trace,
    book: RedstarsBook,
    *,
    skill: bool,
    name: str = "damaged",
) -> int:
    """What being DAMAGED takes from a test (RED-5.2).

    Args:
        skill: It is a pilot skill test.
        name: Of its line, where a test has two.
    """
    if not damaged(aircraft, data_book, trace, book):
        return 0
    if not skill:
        trace.setting("RED-5.2", "damaged_tests", book.settings.damaged_tests)
        if book.settings.damaged_tests == "skill-only":
            return 0
    return modifier("damaged", trace, book, name=name)


def damaged(aircraft: Aircraft, data_book: DataBook, trace: Trace, book: RedstarsBook) -> bool:
    """Whether an aircraft is DAMAGED; named in the trace where half its points are the edge."""
    condition = condition_of(aircraft)
    if 2 * condition.damage == data_book.damage_points:
        trace.setting("RED-8.2", "half_damage", book.settings.half_damage)
    return is_damaged(condition, data_book, book)


def _machine_bonus(aircraft: Aircraft, trace: Trace, book: RedstarsBook) -> int:
    """A pilot who is one with the machine, while he flies it himself."""
    if pilot_flies(aircraft) and PilotTrait.ONE_WITH_THE_MACHINE in aircraft.pilot.traits:
        return modifier("one with the machine", trace, book)
    return 0


def modifier(
    row: str, trace: Trace, book: RedstarsBook, *, rule_id: str = "RED-5.2", name: str = ""
) -> int:
    """A modifier of the table of modifiers, as a line."""
    amount = book.tables["test-modifiers"].number(row, "modifier")
    return trace.modifier(rule_id, name or row.replace(" ", "_").replace("-", "_"), amount)


# ---- The throw


def throw(rule_id: str, purpose: str, number: int, bonus: int, trace: Trace, dice: Dice) -> bool:
    """Two dice and a bonus against a number; the bonus' modifiers stand in the trace already."""
    trace.sum(rule_id, f"{purpose} bonus", 0, bonus)
    passed = trace.roll(dice, Ask(TWO_DICE, AtLeast(number - bonus), purpose, rule_id))
    trace.finding(rule_id, f"{purpose} passed", passed)
    return passed


def number_of(row: str, trace: Trace, book: RedstarsBook) -> int:
    """The number to reach, from the table of tests (RED-5.1)."""
    table = book.tables["tests"]
    trace.look_up(table, row, "number")
    return table.number(row, "number")


# ---- The tests


def skill_test(
    aircraft: Aircraft,
    data_book: DataBook,
    trace: Trace,
    dice: Dice,
    book: RedstarsBook,
    purpose: str = "skill",
) -> bool:
    """A pilot skill test (RED-5.3); what a failure means is for the one who asks to say."""
    bonus = rating_bonus(aircraft, trace, book, "RED-5.3")
    bonus += damaged_bonus(aircraft, data_book, trace, book, skill=True)
    return throw("RED-5.3", purpose, number_of("skill", trace, book), bonus, trace, dice)


def airframe_test(
    aircraft: Aircraft, data_book: DataBook, trace: Trace, dice: Dice, book: RedstarsBook
) -> bool:
    """An airframe test (RED-5.4); failed, `airframe_damage` follows, or the wings come off."""
    bonus = rating_bonus(aircraft, trace, book, "RED-5.4")
    bonus += _machine_bonus(aircraft, trace, book)
    bonus += damaged_bonus(aircraft, data_book, trace, book, skill=False)
    return throw("RED-5.4", "airframe", number_of("airframe", trace, book), bonus, trace, dice)


def airframe_damage(trace: Trace, dice: Dice) -> int:
    """The damage of a failed airframe test, which no rating changes (RED-5.4)."""
    return trace.roll(dice, Ask((D6,), Total(), "airframe-damage", "RED-5.4"))


def airframe_is_tested(
    aircraft: Aircraft,
    data_book: DataBook,
    dive: AltitudeCard | None,
    maneuver: Maneuver,
    trace: Trace,
    book: RedstarsBook,
) -> bool:
    """Whether a move strains the airframe enough for a test (RED-5.4).

    Args:
        dive: The dive that the move came to, tweaks included; None if it is none.
    """
    if dive == AltitudeCard.DIVE_4:
        trace.finding("RED-5.4", "strained", value=True, why="DIVE -4")
        return True
    if dive == AltitudeCard.DIVE_3 and AircraftTrait.FRAGILE_DIVE in data_book.traits:
        trace.finding("RED-5.4", "strained", value=True, why="DIVE -3 of a fragile type")
        return True
    extreme = maneuver in (Maneuver.IMMELMANN, Maneuver.SPLIT_S)
    if not extreme and dive != AltitudeCard.DIVE_3:
        return False
    if not damaged(aircraft, data_book, trace, book):
        return False
    trace.setting("RED-5.4", "airframe_tests", book.settings.airframe_tests)
    return book.settings.airframe_tests == "stressed"


@dataclass(frozen=True, slots=True)
class BoxesMarked:
    """Engine boxes that an engine test marks: none, one, or two for a pair of ones (RED-5.5).

    Attributes:
        number: To reach for none.
        boxes, of_two_ones: How many are marked.
    """

    number: int
    boxes: int
    of_two_ones: int
    by_total = True

    def __call__(self, faces: tuple[int, ...], /) -> int:
        """How many."""
        thrown = sum(faces)
        if thrown >= self.number:
            return 0
        return self.of_two_ones if thrown == len(TWO_DICE) else self.boxes

    def describe(self) -> str:
        """How to read the dice, for players."""
        return (
            f"{self.number} or more passes; less marks {self.boxes} engine box, a pair of ones "
            f"{self.of_two_ones}"
        )


def engine_test(
    aircraft: Aircraft, data_book: DataBook, trace: Trace, dice: Dice, book: RedstarsBook
) -> int:
    """An engine test; returns the boxes it marks, 0 if it is passed (RED-5.5)."""
    bonus = 0
    if current_rating(aircraft, book):
        trace.setting("RED-5.5", "engine_test_rating", book.settings.engine_test_rating)
    if book.settings.engine_test_rating:
        bonus += rating_bonus(aircraft, trace, book, "RED-5.5")
    bonus += _machine_bonus(aircraft, trace, book)
    bonus += damaged_bonus(aircraft, data_book, trace, book, skill=False)
    trace.sum("RED-5.5", "engine bonus", 0, bonus)
    marked = figure(book, "engine_boxes"), figure(book, "engine_boxes_two_ones")
    read = BoxesMarked(number_of("engine", trace, book) - bonus, *marked)
    boxes = trace.roll(dice, Ask(TWO_DICE, read, "engine", "RED-5.5"))
    trace.finding("RED-5.5", "engine boxes marked", boxes)
    return boxes


def blow_out_test(
    dive: AltitudeCard,
    aircraft: Aircraft,
    data_book: DataBook,
    trace: Trace,
    dice: Dice,
    book: RedstarsBook,
) -> bool:
    """Whether a steep dive blows a fire out; nothing modifies the dice but by setting (RED-5.7)."""
    bonus = 0
    if damaged(aircraft, data_book, trace, book):
        trace.setting("RED-5.2", "damaged_tests", book.settings.damaged_tests)
        if book.settings.damaged_tests == "every-2d6":
            bonus = modifier("damaged", trace, book)
    number = number_of(_BLOW_OUT_ROWS[dive], trace, book)
    return throw("RED-5.7", "blow-out", number, bonus, trace, dice)


def spin_recovery_test(
    aircraft: Aircraft, data_book: DataBook, trace: Trace, dice: Dice, book: RedstarsBook
) -> bool:
    """Whether a spinning aircraft recovers at the end of a turn (RED-5.8)."""
    trace.finding("RED-5.8", "spin_number", data_book.spin_number)
    bonus = rating_bonus(aircraft, trace, book, "RED-5.8")
    bonus += damaged_bonus(aircraft, data_book, trace, book, skill=False)
    return throw("RED-5.8", "spin-recovery", data_book.spin_number, bonus, trace, dice)
