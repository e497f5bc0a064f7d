"""What the cards of a turn come to: discs, speed, and the intent they show. Chapters 3 and 4.

Whether cards may be played together is for `legality` to say; this module only reads them.
"""

from __future__ import annotations

from dataclasses import dataclass

from guncamera.rules.straight_line import quick
from guncamera.rules.trace import Trace
from guncamera.rulesets.redstars.aircraft import (
    Aircraft,
    AltitudeCard,
    DataBook,
    Flight,
    Maneuver,
    SpeedCard,
)
from guncamera.rulesets.redstars.book import RedstarsBook, figure
from guncamera.rulesets.redstars.condition import condition_of, is_gliding
from guncamera.rulesets.redstars.discs import EXTREME, HARD, TIGHT, codes_of, fewest_discs
from guncamera.rulesets.redstars.facts import Choice
from guncamera.rulesets.redstars.outcomes import Intent, Rising, Turning

OFFERING = (AltitudeCard.DIVE_1, AltitudeCard.DIVE_2)
"""The dives that offer a speed."""

UNNAMED: tuple[AltitudeCard | SpeedCard, ...] = (
    AltitudeCard.CLIMB_1,
    AltitudeCard.DIVE_1,
    SpeedCard.ACCELERATE_1,
    SpeedCard.DECELERATE_1,
    SpeedCard.DECELERATE_2,
)
"""Cards that the text does not name; the pictures of all are lost."""

_CARDS = {
    1: AltitudeCard.CLIMB_1,
    2: AltitudeCard.CLIMB_2,
    3: AltitudeCard.CLIMB_3,
    -1: AltitudeCard.DIVE_1,
    -2: AltitudeCard.DIVE_2,
    -3: AltitudeCard.DIVE_3,
    -4: AltitudeCard.DIVE_4,
}
_LEVELS = {card: level for level, card in _CARDS.items()}
DEEPEST = min(_CARDS)
_TURNINGS = {
    Maneuver.STRAIGHT: Turning.STRAIGHT,
    Maneuver.SHIFT_LEFT: Turning.SHIFT_LEFT,
    Maneuver.SHIFT_RIGHT: Turning.SHIFT_RIGHT,
    Maneuver.IMMELMANN: Turning.EXTREME,
    Maneuver.SPLIT_S: Turning.EXTREME,
}
_LEFT = (Maneuver.LEFT, Maneuver.LATE_LEFT, Maneuver.HARD_LEFT)


@quick
@dataclass(frozen=True, slots=True)
class Played:
    """What a choice comes to when its discs are laid.

    Attributes:
        codes: A letter for each disc.
        wanted: The speed of this turn before it is held to what the type reaches.
        speed: The speed of this turn.
        highest: The speed that nothing gained in this turn may exceed.
        diving: The cards are those of a dive, or of a split-S.
        softened: An ACCELERATE +2 is spent on a climb, and gives no speed.
        late: What a speed card changes after the move only, by setting.
        recovering: It flies straight out of a stall.
        stalls: It is too slow for its cards and stalls before it moves, by setting.
    """

    codes: str
    wanted: int
    speed: int
    highest: int
    diving: bool = False
    softened: bool = False
    recovering: bool = False
    stalls: bool = False
    late: int = 0


def card_of(level: int) -> AltitudeCard | None:
    """The card of so many bands, of more than it has the steepest dive; None for level flight."""
    return _CARDS.get(max(level, DEEPEST))


def level_of(card: AltitudeCard | None) -> int:
    """The bands of a card, up positive; none given is level flight."""
    return 0 if card is None else _LEVELS[card]


def level_maximum(aircraft: Aircraft, data_book: DataBook, book: RedstarsBook) -> int:
    """The highest speed in level flight (RED-4.5), one less after some hits (RED-7.1)."""
    condition = condition_of(aircraft)
    if not condition.top_speed_barred:
        return data_book.max_speed
    lost = figure(book, "top_speed_lost") * (1 + condition.further_speeds_lost)
    return max(data_book.max_speed - lost, data_book.min_speed)


def dive_maximum(aircraft: Aircraft, data_book: DataBook, book: RedstarsBook) -> int:
    """The highest speed in a dive (RED-4.5), by setting less after some hits too (RED-7.2)."""
    if book.settings.top_speed_dives == "unchanged":
        return data_book.dive_speed
    return data_book.dive_speed - data_book.max_speed + level_maximum(aircraft, data_book, book)


def highest_speed(
    aircraft: Aircraft, data_book: DataBook, book: RedstarsBook, *, diving: bool
) -> int:
    """The speed that nothing gained in a move may exceed (RED-4.5)."""
    of = dive_maximum if diving else level_maximum
    return of(aircraft, data_book, book)


def recovery_speed(data_book: DataBook, book: RedstarsBook) -> int:
    """The speed that a stalled aircraft dives to (RED-4.8)."""
    return data_book.min_speed + figure(book, "recovery_speed")


def is_softened(choice: Choice, book: RedstarsBook) -> bool:
    """Whether an ACCELERATE +2 is spent on softening a climb (RED-4.4)."""
    climbs = [row.label for row in book.tables["softened-climbs"].rows]
    return choice.speed_card == SpeedCard.ACCELERATE_2 and choice.altitude_card in climbs


def play(aircraft: Aircraft, choice: Choice, data_book: DataBook, book: RedstarsBook) -> Played:
    """What a choice comes to; the choice may be illegal, if it is tried so."""
    if aircraft.flight == Flight.STALL_RECOVERY:
        return _recovery(data_book, book, stalls=False)
    softened = is_softened(choice, book)
    gained = 0
    if choice.speed_card is not None and not softened:
        gained = book.tables["speed-cards"].number(choice.speed_card.value, "speed")
    late = gained if book.settings.speed_timing == "next-turn" else 0
    gained -= late
    wanted = aircraft.speed + gained
    if is_gliding(aircraft, data_book):
        wanted = max(wanted, data_book.min_speed)
    if book.settings.stall_check == "next-turn" and wanted < data_book.min_speed:
        return _recovery(data_book, book, stalls=True)
    diving = level_of(choice.altitude_card) < 0 or choice.maneuver == Maneuver.SPLIT_S
    highest = highest_speed(aircraft, data_book, book, diving=diving)
    speed = min(wanted, max(highest, aircraft.speed)) if gained > 0 else wanted
    if _is_held(aircraft, book, diving=diving):
        speed = min(speed, highest)
    return Played(
        _codes(choice.maneuver, speed, book),
        wanted,
        speed,
        highest,
        diving,
        softened,
        late=late,
    )


def _is_held(aircraft: Aircraft, book: RedstarsBook, *, diving: bool) -> bool:
    """Whether the highest speed holds for a move already (RED-4.5, RED-7.2)."""
    settings = book.settings
    barred = condition_of(aircraft).top_speed_barred and settings.top_speed_held == "at-once"
    if diving:
        return barred and settings.top_speed_dives == "lowered"
    return barred or settings.overspeed == "to-maximum"


def _codes(maneuver: Maneuver, speed: int, book: RedstarsBook) -> str:
    return codes_of(maneuver, speed, book) if speed >= fewest_discs(maneuver, book) else ""


def _recovery(data_book: DataBook, book: RedstarsBook, *, stalls: bool) -> Played:
    """The straight dive out of a stall."""
    speed = recovery_speed(data_book, book)
    codes = codes_of(Maneuver.STRAIGHT, speed, book)
    return Played(
        codes, speed, speed, data_book.dive_speed, diving=True, recovering=True, stalls=stalls
    )


def extreme_level(maneuver: Maneuver, book: RedstarsBook) -> int:
    """The bands of an extreme maneuver; 0 for any other (RED-3.10)."""
    if maneuver == Maneuver.IMMELMANN:
        return book.settings.immelmann_bands
    return -book.settings.split_s_bands if maneuver == Maneuver.SPLIT_S else 0


def intent_of(choice: Choice, played: Played, book: RedstarsBook) -> Intent:
    """What a tailed pilot tells: direction and altitude in general terms (RED-2.4)."""
    discs = len(played.codes) if book.settings.tail_reveals_speed else 0
    if played.recovering:
        return Intent(Turning.STRAIGHT, Rising.DIVE, discs)
    turning = _TURNINGS.get(choice.maneuver)
    if turning is None:
        turning = Turning.LEFT if choice.maneuver in _LEFT else Turning.RIGHT
    level = extreme_level(choice.maneuver, book) or level_of(choice.altitude_card)
    rising = Rising.LEVEL
    if level:
        rising = Rising.CLIMB if level > 0 else Rising.DIVE
    return Intent(turning, rising, discs)


def agility_limit(maneuver: Maneuver, data_book: DataBook, book: RedstarsBook) -> int | None:
    """The highest speed for a turn, by the type's agility; None where it limits nothing."""
    table = book.tables["agility"]
    if maneuver in HARD:
        return table.number(data_book.agility.value, "hard")
    return table.number(data_book.agility.value, "turn") if maneuver in TIGHT else None


def is_capped(aircraft: Aircraft, played: Played) -> bool:
    """Whether an ACCELERATE would gain more than the type reaches (RED-4.5)."""
    return played.wanted + played.late > max(played.highest, aircraft.speed)


# ---- In the trace


def record_play(
    aircraft: Aircraft,
    choice: Choice,
    played: Played,
    data_book: DataBook,
    book: RedstarsBook,
    trace: Trace,
) -> None:
    """The discs of a legal choice, line by line."""
    if played.recovering:
        trace.finding("RED-4.8", "recovery_speed", played.speed, "the minimum and one more")
    else:
        _record_cards(choice, data_book, book, trace)
        _record_speed(aircraft, choice, played, book, trace)
    limit = agility_limit(choice.maneuver, data_book, book)
    if limit is not None:
        column = "hard" if choice.maneuver in HARD else "turn"
        trace.look_up(book.tables["agility"], data_book.agility.value, column)
        if played.speed > limit:
            trace.setting("RED-3.4", "agility_limits", book.settings.agility_limits)
    if condition_of(aircraft).top_speed_barred and played.speed >= played.highest:
        trace.finding("RED-7.1", "top_speed_barred", value=True)
        if condition_of(aircraft).further_speeds_lost:
            trace.setting("RED-7.2", "top_speed_again", book.settings.top_speed_again)
    if condition_of(aircraft).top_speed_barred and played.diving:
        trace.setting("RED-7.2", "top_speed_dives", book.settings.top_speed_dives)
    if is_gliding(aircraft, data_book):
        trace.finding("RED-4.11", "gliding", value=True)
        if choice.maneuver != Maneuver.STRAIGHT:
            trace.setting("RED-4.11", "glide_actions", book.settings.glide_actions)
    if choice.maneuver in EXTREME and played.speed > 1:
        trace.setting("RED-3.10", "extreme_discs", book.settings.extreme_discs)
    rule_id = "RED-3.10" if choice.maneuver in EXTREME else "RED-3.3"
    trace.finding(rule_id, "codes", played.codes)


def _record_cards(choice: Choice, data_book: DataBook, book: RedstarsBook, trace: Trace) -> None:
    """The settings without which the status cards could not have been played so."""
    settings = book.settings
    if choice.altitude_card is not None and choice.maneuver != Maneuver.STRAIGHT:
        trace.setting("RED-4.3", "altitude_cards", settings.altitude_cards)
    if is_two(choice, book):
        trace.setting("RED-4.2", "status_cards", settings.status_cards)
    if choice.altitude_card in UNNAMED or choice.speed_card in UNNAMED:
        trace.setting("RED-4.2", "unnamed_cards", settings.unnamed_cards)
    if accelerates_too_much(choice, data_book, book):
        trace.setting("RED-3.4", "agility_limits", settings.agility_limits)


def is_two(choice: Choice, book: RedstarsBook) -> bool:
    """Whether two status cards are played that do not belong together (RED-4.2)."""
    if choice.altitude_card is None or choice.speed_card is None:
        return False
    return not is_softened(choice, book)


def accelerates_too_much(choice: Choice, data_book: DataBook, book: RedstarsBook) -> bool:
    """Whether a speed card gains more than the type's agility allows (RED-4.2)."""
    if choice.speed_card is None:
        return False
    gain = book.tables["speed-cards"].number(choice.speed_card.value, "speed")
    return gain > book.tables["agility"].number(data_book.agility.value, "accelerate")


def _record_speed(
    aircraft: Aircraft, choice: Choice, played: Played, book: RedstarsBook, trace: Trace
) -> None:
    """The speed of this turn (RED-4.2, RED-4.4, RED-4.5)."""
    if played.softened:
        trace.finding("RED-4.4", "softened", value=True, why="ACCELERATE +2 gives no speed")
    elif choice.speed_card is not None and not played.late:
        trace.setting("RED-4.2", "speed_timing", book.settings.speed_timing)
        trace.look_up(book.tables["speed-cards"], choice.speed_card.value, "speed")
        gained = book.tables["speed-cards"].number(choice.speed_card.value, "speed")
        trace.modifier("RED-4.2", choice.speed_card.value, gained)
    elif played.wanted != aircraft.speed:
        trace.modifier("RED-4.11", "gliding", played.wanted - aircraft.speed, "the minimum")
    trace.sum("RED-4.2", "speed_this_turn", aircraft.speed, played.wanted)
    _record_held(aircraft, played, book, trace)
    if is_capped(aircraft, played):
        trace.setting("RED-4.5", "accelerate_cap", book.settings.accelerate_cap)
    if played.speed == played.wanted:
        return
    trace.clamp("RED-4.5", "speed_this_turn", played.wanted, 0, played.speed)


def _record_held(aircraft: Aircraft, played: Played, book: RedstarsBook, trace: Trace) -> None:
    """The readings that slow an aircraft down that is above its level maximum, or do not yet."""
    lowered = book.settings.top_speed_dives == "lowered"
    if played.diving and not lowered:
        return
    if min(aircraft.speed, played.wanted) <= played.highest:
        return
    settings, barred = book.settings, condition_of(aircraft).top_speed_barred
    if barred and settings.overspeed == "lose-one":
        trace.setting("RED-7.2", "top_speed_held", settings.top_speed_held)
    elif played.speed != played.wanted:
        trace.setting("RED-4.5", "overspeed", settings.overspeed)
