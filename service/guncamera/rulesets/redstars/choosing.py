"""The rule on cards chosen, before anything moves. No dice. Chapters 2 to 4 of the rules."""

from __future__ import annotations

from collections.abc import Sequence

from guncamera.rules.refusal import Malformed
from guncamera.rules.ruling import Ruling
from guncamera.rules.trace import Trace
from guncamera.rulesets.redstars.aircraft import Aircraft, DataBook
from guncamera.rulesets.redstars.aloft import check_aloft
from guncamera.rulesets.redstars.book import RedstarsBook, data_book_of, names_what_decided
from guncamera.rulesets.redstars.cards import (
    Played,
    extreme_level,
    intent_of,
    level_of,
    play,
    record_play,
)
from guncamera.rulesets.redstars.facts import Choice, Choosing, ChoosingAll
from guncamera.rulesets.redstars.legality import choice_fault
from guncamera.rulesets.redstars.outcomes import AllChosen, Chosen, MoveOutcome


def rule_on_choosing(
    facts: Choosing, own: Sequence[DataBook], book: RedstarsBook
) -> Ruling[MoveOutcome]:
    """Rules on the cards for one aircraft.

    Raises:
        Malformed: RED-1.2, there is no such type; the cards are another's; see `check_aloft`.
        Illegal: RED-3.3 to RED-4.11, RED-7.1, RED-9.6: the cards break a rule; see
            `choice_fault`.

    Source: seed 004, movement and status generally; register sections 2.2, 3 and 10.
    """
    trace = Trace()
    chosen = _chosen(facts, own, book, trace, "choosing")
    return Ruling(MoveOutcome(chosen), tuple(trace.lines), (), _summary((chosen,)))


def rule_on_choosing_all(
    facts: ChoosingAll, own: Sequence[DataBook], book: RedstarsBook
) -> Ruling[MoveOutcome]:
    """Rules on the cards for several aircraft of one seat; see `rule_on_choosing`.

    Raises:
        Malformed: An aircraft is there twice.
    """
    trace = Trace()
    seen: list[str] = []
    chosen = []
    for at, hand in enumerate(facts.hands):
        field = f"choosing_all.hands[{at}]"
        if hand.aircraft.id in seen:
            raise Malformed(
                f"{hand.aircraft.id} is there twice; choose once for each aircraft.",
                field=f"{field}.aircraft.id",
                aircraft=hand.aircraft.id,
            )
        seen.append(hand.aircraft.id)
        chosen.append(_chosen(hand, own, book, trace, field))
    outcome = MoveOutcome(AllChosen(tuple(chosen)))
    return Ruling(outcome, tuple(trace.lines), (), _summary(chosen))


def _chosen(
    hand: Choosing, own: Sequence[DataBook], book: RedstarsBook, trace: Trace, field: str
) -> Chosen:
    """One aircraft's cards, if they are legal."""
    aircraft, choice = hand.aircraft, hand.choice
    data_book = data_book_of(aircraft.type, own, book, f"{field}.aircraft.type")
    check_aloft(aircraft, data_book, book, f"{field}.aircraft")
    played = checked_play(aircraft, choice, data_book, book, f"{field}.choice")
    trace.finding("RED-3.3", "aircraft", aircraft.id)
    record_choice(aircraft, choice, played, data_book, book, trace)
    if not played.recovering:
        _record_climb(aircraft, choice, book, trace)
    intent = intent_of(choice, played, book)
    trace.setting("RED-2.4", "tail_reveals_speed", book.settings.tail_reveals_speed)
    trace.finding("RED-2.4", "turning", intent.turning.value)
    trace.finding("RED-2.4", "rising", intent.rising.value)
    if intent.discs:
        trace.finding("RED-2.4", "discs", intent.discs)
    trace.finding("RED-3.3", "discs", len(played.codes))
    return Chosen(aircraft.id, len(played.codes), played.codes, intent)


def checked_play(
    aircraft: Aircraft, choice: Choice, data_book: DataBook, book: RedstarsBook, field: str
) -> Played:
    """What a choice comes to.

    Raises:
        Malformed: The choice is another aircraft's.
        Illegal: It breaks a rule.
    """
    if choice.aircraft != aircraft.id:
        raise Malformed(
            f"The cards are for {choice.aircraft!r} and the aircraft is {aircraft.id!r}; name "
            "one aircraft.",
            field=f"{field}.aircraft",
            aircraft=aircraft.id,
        )
    fault = choice_fault(aircraft, choice, data_book, book, field)
    if fault is not None:
        raise fault
    return play(aircraft, choice, data_book, book)


def record_choice(
    aircraft: Aircraft,
    choice: Choice,
    played: Played,
    data_book: DataBook,
    book: RedstarsBook,
    trace: Trace,
) -> None:
    """A legal choice, with the settings that let it be so."""
    record_play(aircraft, choice, played, data_book, book, trace)
    if aircraft.ram_missed and not played.recovering:
        trace.setting("RED-9.6", "missed_ram", book.settings.missed_ram)
    climb = level_of(choice.altitude_card)
    if climb > 0:
        record_ceiling(aircraft.position.altitude + climb, book, trace)


def _record_climb(aircraft: Aircraft, choice: Choice, book: RedstarsBook, trace: Trace) -> None:
    """The ceiling that an immelmann comes near, and whether one may choose to climb above it."""
    if not names_what_decided(book):
        return
    extreme = extreme_level(choice.maneuver, book)
    after = aircraft.position.altitude + (extreme or level_of(choice.altitude_card))
    if extreme > 0:
        record_ceiling(after, book, trace)
    if after > max(aircraft.position.altitude, book.settings.altitude_ceiling):
        trace.setting("RED-4.1", "above_ceiling", book.settings.above_ceiling)


def record_ceiling(altitude: int, book: RedstarsBook, trace: Trace) -> None:
    """The ceiling, for a climb to where the lowest one that can be set would bar it."""
    if is_near_ceiling(altitude, book):
        trace.setting("RED-4.1", "altitude_ceiling", book.settings.altitude_ceiling)


def is_near_ceiling(altitude: int, book: RedstarsBook) -> bool:
    """Whether the lowest ceiling that can be set would bar an altitude."""
    return altitude > book.setting_specs["altitude_ceiling"].low


def _summary(chosen: Sequence[Chosen]) -> str:
    """Which cards were chosen is no secret kept by the rules' own facts; a session hides it."""
    told = "; ".join(f"{one.aircraft} lays {one.codes}" for one in chosen)
    return f"The cards are legal: {told}." if told else "There are no cards to choose."
