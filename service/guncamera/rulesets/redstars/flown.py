"""Where a move leads, without dice: discs, altitude and speed. Chapters 3 and 4.

The rule on a move works with these same functions, and whoever looks ahead may ask them as well.
What dice may add (a stall, a spin, wings that come off) is not in them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from guncamera.rules.straight_line import changed, quick
from guncamera.rules.trace import Trace
from guncamera.rulesets.redstars.aircraft import (
    Aircraft,
    AltitudeCard,
    DataBook,
    Maneuver,
    Position,
    TweakSide,
)
from guncamera.rulesets.redstars.book import RedstarsBook, names_what_decided
from guncamera.rulesets.redstars.cards import (
    OFFERING,
    Played,
    card_of,
    extreme_level,
    highest_speed,
    level_of,
    play,
)
from guncamera.rulesets.redstars.condition import condition_of, is_gliding
from guncamera.rulesets.redstars.discs import EXTREME, HARD, laid, reversed_facing
from guncamera.rulesets.redstars.facts import Choice, Tweak

_DIVE_SPEEDS = {AltitudeCard.DIVE_3: "dive_3_speed", AltitudeCard.DIVE_4: "dive_4_speed"}


@quick
@dataclass(frozen=True, slots=True)
class Flown:
    """A move, as far as no dice change it.

    Attributes:
        discs: Where each lies; the last is the position.
        level: Bands climbed or dived, tweaks included; not those of a stall.
        speed: After the move, before a stall is looked for.
    """

    discs: tuple[Position, ...]
    position: Position
    level: int
    speed: int


def flown(
    aircraft: Aircraft,
    choice: Choice,
    tweaks: Sequence[Tweak],
    trades: int,
    data_book: DataBook,
    book: RedstarsBook,
    played: Played | None = None,
) -> Flown:
    """Where a legal choice and legal tweaks lead.

    Args:
        trades: Bands of altitude bought with tweaks, up positive.
        played: What the choice comes to, if that is known already.
    """
    if played is None:
        played = play(aircraft, choice, data_book, book)
    level = effective_level(choice, trades, played, book)
    discs = laid(aircraft.position, played.codes, _degrees(tweaks, book), book)
    last = discs[-1] if discs else aircraft.position
    if choice.maneuver in EXTREME and not played.recovering:
        last = reversed_facing(last)
    position = changed(last, altitude=altitude_after(aircraft.position.altitude, level, book))
    speed = speed_after(aircraft, choice, played, level, data_book, book)
    return Flown((*discs[:-1], position) if discs else (), position, level, speed)


def altitude_after(altitude: int, level: int, book: RedstarsBook) -> int:
    """The band that so many bands up or down lead to: the ground, and by setting the ceiling, hold.

    Source: RED-4.1, RED-4.10.
    """
    after = max(altitude + level, 0)
    if level > 0 and book.settings.above_ceiling == "held":
        return min(after, max(book.settings.altitude_ceiling, altitude))
    return after


def _degrees(tweaks: Sequence[Tweak], book: RedstarsBook) -> dict[int, int]:
    """Degrees by disc; left is negative (RED-3.6)."""
    one = book.settings.tweak_degrees
    return {t.disc: -one if t.side == TweakSide.LEFT else one for t in tweaks}


def effective_level(choice: Choice, trades: int, played: Played, book: RedstarsBook) -> int:
    """Bands climbed or dived: of the card or maneuver, and of tweaks (RED-3.7)."""
    if played.recovering:
        lost = played.speed if book.settings.stall_recovery == "altitude" else 0
        return level_of(choice.altitude_card if not played.stalls else None) - lost
    return extreme_level(choice.maneuver, book) or level_of(choice.altitude_card) + trades


# ---- Speed


@quick
@dataclass(frozen=True, slots=True)
class SpeedStep:
    """One thing that changes the speed after a move.

    Attributes:
        setting: The setting that says how much; empty for none.
    """

    rule_id: str
    name: str
    amount: int
    setting: str = ""


def speed_after(
    aircraft: Aircraft,
    choice: Choice,
    played: Played,
    level: int,
    data_book: DataBook,
    book: RedstarsBook,
    trace: Trace | None = None,
) -> int:
    """The speed after a move, before a stall is looked for (RED-4.3 to RED-4.5).

    Args:
        level: The bands it comes to, tweaks included.
    """
    trace = trace or Trace()
    if played.recovering:
        return played.speed
    speed = played.speed
    for step in _steps(aircraft, choice, played, level, data_book, book):
        if step.setting:
            trace.setting(step.rule_id, step.setting, getattr(book.settings, step.setting))
        if step.amount:
            speed += trace.modifier(step.rule_id, step.name, step.amount)
    trace.sum("RED-4.3", "speed_after", played.speed, speed)
    diving = _dives(played, level, book, trace)
    by_tweaks = diving and not played.diving and names_what_decided(book)
    if by_tweaks and condition_of(aircraft).top_speed_barred:
        trace.setting("RED-7.2", "top_speed_dives", book.settings.top_speed_dives)
    highest = highest_speed(aircraft, data_book, book, diving=diving)
    speed = trace.clamp("RED-4.5", "speed_after", speed, 0, max(highest, played.speed))
    return speed if diving else _slowed(speed, highest, book, trace)


def _dives(played: Played, level: int, book: RedstarsBook, trace: Trace) -> bool:
    """Whether the highest speed is that of a dive: by the card, or by what was flown (RED-4.5)."""
    dived = level < 0
    if dived == played.diving:
        return dived
    trace.setting("RED-4.5", "traded_highest", book.settings.traded_highest)
    return dived if book.settings.traded_highest == "flown" else played.diving


def _steps(
    aircraft: Aircraft,
    choice: Choice,
    played: Played,
    level: int,
    data_book: DataBook,
    book: RedstarsBook,
) -> list[SpeedStep]:
    """What changes the speed after a move, in order."""
    if choice.maneuver == Maneuver.IMMELMANN:
        lost = -book.settings.immelmann_speed
        return [SpeedStep("RED-3.10", "immelmann_speed", lost, "immelmann_speed")]
    if choice.maneuver == Maneuver.SPLIT_S:
        gain = book.settings.split_s_speed
        return [SpeedStep("RED-3.10", "split_s_speed", gain, "split_s_speed")]
    steps = []
    if played.late and choice.speed_card is not None:
        steps.append(SpeedStep("RED-4.2", choice.speed_card.value, played.late, "speed_timing"))
    if not is_gliding(aircraft, data_book):
        steps += _level_steps(choice, played, card_of(level), book)
    if choice.maneuver in HARD:
        lost = -book.settings.hard_turn_speed
        steps.append(SpeedStep("RED-3.5", "hard_turn", lost, "hard_turn_speed"))
    return steps


def _level_steps(
    choice: Choice, played: Played, card: AltitudeCard | None, book: RedstarsBook
) -> list[SpeedStep]:
    """What the climb or dive changes that the move came to."""
    if card is None:
        return []
    table, settings = book.tables["altitude-cards"], book.settings
    line = f"{card.value}_speed"
    if card in OFFERING and choice.altitude_card not in OFFERING:
        return [_traded_step(card, line, book)]
    if card == AltitudeCard.CLIMB_1:
        return [SpeedStep("RED-4.3", line, -settings.climb_1_speed, "climb_1_speed")]
    if card == AltitudeCard.DIVE_1:
        offered = settings.dive_1_speed if choice.take_speed else 0
        return [SpeedStep("RED-4.3", line, offered, "dive_1_speed" if choice.take_speed else "")]
    if card in OFFERING:
        offered = table.number(card.value, "offered") if choice.take_speed else 0
        return [SpeedStep("RED-4.3", line, offered)]
    if card in _DIVE_SPEEDS:
        name = _DIVE_SPEEDS[card]
        return [SpeedStep("RED-4.3", line, getattr(settings, name), name)]
    lost = SpeedStep("RED-4.3", line, table.number(card.value, "speed"))
    if not played.softened or choice.altitude_card is None:
        return [lost]
    chosen = choice.altitude_card.value
    softened = book.tables["softened-climbs"].number(chosen, "speed")
    return [lost, SpeedStep("RED-4.4", "softened", softened - table.number(chosen, "speed"))]


def _traded_step(card: AltitudeCard, line: str, book: RedstarsBook) -> SpeedStep:
    """The speed of a gentle dive that tweaks made of another card, or of none (RED-3.7)."""
    offered = book.tables["altitude-cards"].number(card.value, "offered")
    if card == AltitudeCard.DIVE_1:
        offered = book.settings.dive_1_speed
    gained = offered if book.settings.traded_dive_speed == "gained" else 0
    return SpeedStep("RED-3.7", line, gained, "traded_dive_speed")


def _slowed(speed: int, maximum: int, book: RedstarsBook, trace: Trace) -> int:
    """What is above the maximum in level flight is lost, one a turn or all at once (RED-4.5)."""
    if speed <= maximum:
        return speed
    trace.setting("RED-4.5", "overspeed", book.settings.overspeed)
    lost = 1 if book.settings.overspeed == "lose-one" else speed - maximum
    after = speed + trace.modifier("RED-4.5", "overspeed", -lost)
    return trace.sum("RED-4.5", "speed_after", speed, after)
