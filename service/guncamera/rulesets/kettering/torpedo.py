"""The torpedo's entry and its move. Rules KET-1.3 to KET-1.6; chapter 4."""

from __future__ import annotations

from guncamera.rules.dice import D6, Ask, Dice, LookUp, Odd
from guncamera.rules.hexes import HexDirection
from guncamera.rules.refusal import Illegal
from guncamera.rules.ruling import Ruling
from guncamera.rules.trace import Trace
from guncamera.rulesets.kettering.book import KetteringBook, figure
from guncamera.rulesets.kettering.events import (
    Change,
    Cleared,
    Piece,
    PieceMoved,
    SpeedChanged,
    TorpedoEntered,
)
from guncamera.rulesets.kettering.facts import (
    FLYING,
    Advance,
    Advanced,
    Critical,
    End,
    Entered,
    Entry,
    MoveOutcome,
    Torpedo,
)
from guncamera.rulesets.kettering.fate import exited
from guncamera.rulesets.kettering.map import east_edge, label, on_board, row_number, row_of
from guncamera.rulesets.kettering.report import Report
from guncamera.rulesets.kettering.wind import check_torpedo, roll_jam

_ENTRY_REPORT = Report("KET-1.3", {"altitude_metres": "KET-1.4", "speed_mp": "KET-1.5"})
_ADVANCE_REPORT = Report(
    "KET-4.3", {"speed_mp": "KET-4.2", "fate": "KET-4.4", "jam_freed": "KET-8.12"}
)


def rule_on_entry(_facts: Entry, book: KetteringBook, dice: Dice) -> Ruling[MoveOutcome]:
    """Rules on a torpedo's entry: hex and heading, altitude, speed.

    Source: seed 000, set-up 2 to 4.
    """
    trace = Trace()
    notation = str(
        trace.roll(
            dice,
            Ask((D6,), LookUp(book.tables["start-hexes"], "notation"), "start-hex", "KET-1.3"),
        )
    )
    altitude = int(
        trace.roll(
            dice,
            Ask(
                (D6,),
                LookUp(book.tables["start-altitudes"], "altitude"),
                "start-altitude",
                "KET-1.4",
            ),
        )
    )
    where, heading = _entry_hex(notation, book, trace)
    torpedo = Torpedo(where, heading, altitude, _starting_speed(book, trace, dice))
    outcome = MoveOutcome(Entered(torpedo))
    _ENTRY_REPORT(trace, outcome)
    summary = (
        f"A torpedo enters on {torpedo.hex}, heading {torpedo.heading}, at "
        f"{torpedo.altitude_metres} metres and speed {torpedo.speed_mp}."
    )
    return Ruling(outcome, tuple(trace.lines), (TorpedoEntered("KET-1.3", torpedo),), summary)


def _entry_hex(notation: str, book: KetteringBook, trace: Trace) -> tuple[str, HexDirection]:
    """The hex and the heading that stand behind a notation of the chart."""
    table = book.tables["entry-hexes"]
    row = str(trace.look_up(table, notation, "row"))
    number = str(trace.look_up(table, notation, "number"))
    heading = HexDirection(str(trace.look_up(table, notation, "heading")))
    if number != "east edge":
        return f"{row}-{number}", heading
    trace.setting("KET-2.1", "map_width_hexes", book.settings.map_width_hexes)
    return label(east_edge(row_number(row), book)), heading


def _starting_speed(book: KetteringBook, trace: Trace, dice: Dice) -> int:
    """The average, or after an odd die slow or fast (KET-1.5)."""
    if not trace.roll(dice, Ask((D6,), Odd(), "speed", "KET-1.5")):
        return figure(book, "average_speed")
    slow = trace.roll(dice, Ask((D6,), Odd(), "speed-again", "KET-1.5"))
    return figure(book, "slow_speed" if slow else "fast_speed")


def rule_on_advance(facts: Advance, book: KetteringBook, dice: Dice) -> Ruling[MoveOutcome]:
    """Rules on the torpedo's speed and move.

    Raises:
        Malformed: Its hex is no label, or its altitude no multiple of 50.
        Illegal: KET-2.1, KET-3.6, KET-4.1: it cannot be where it is said to be; KET-1.6, wind on
            the first turn.

    Source: seed 000, sequence 2 and 3, local winds.
    """
    trace = Trace()
    torpedo = facts.torpedo
    start = check_torpedo(torpedo, book, "advance.torpedo.")
    if facts.first_turn and facts.wind_mp:
        raise Illegal(
            "KET-1.6",
            "The first turn has no wind; leave out the movement points it would add.",
            field="advance.wind_mp",
            wind_mp=facts.wind_mp,
        )
    freed = facts.first_turn and facts.jammed and roll_jam(book, trace, dice)
    speed = torpedo.speed_mp if facts.first_turn else _local_wind(torpedo, book, trace, dice)
    if facts.wind_mp:
        trace.modifier("KET-3.5", "tailwind" if facts.wind_mp > 0 else "headwind", facts.wind_mp)
    spent = trace.sum("KET-4.3", "movement_points", speed, speed + facts.wind_mp)
    at, fate = start, FLYING
    for _ in range(spent):
        ahead = at.step(torpedo.heading)
        if not on_board(ahead, book):
            last = book.settings.exit_row == "last-hex"
            trace.setting("KET-4.4", "exit_row", book.settings.exit_row)
            fate = exited(row_of(at if last else ahead), book, trace)
            break
        at = ahead
    outcome = Advanced(speed, spent, label(at), fate, freed)
    _ADVANCE_REPORT(trace, MoveOutcome(outcome))
    return Ruling(
        MoveOutcome(outcome), tuple(trace.lines), _events(torpedo, outcome), _summary(outcome)
    )


def _local_wind(torpedo: Torpedo, book: KetteringBook, trace: Trace, dice: Dice) -> int:
    """The speed track after its die, held to its ends (KET-4.2)."""
    odd = trace.roll(dice, Ask((D6,), Odd(), "speed", "KET-4.2"))
    step = figure(book, "local_wind_mp")
    change = trace.modifier("KET-4.2", "local_wind", -step if odd else step)
    moved = trace.sum("KET-4.2", "speed_track", torpedo.speed_mp, torpedo.speed_mp + change)
    slow, fast = figure(book, "slow_speed"), figure(book, "fast_speed")
    return trace.clamp("KET-4.2", "speed_track", moved, slow, fast)


def _events(torpedo: Torpedo, outcome: Advanced) -> tuple[Change, ...]:
    events: list[Change] = []
    if outcome.jam_freed:
        events.append(Cleared("KET-8.12", Critical.CONTROLS_JAMMED, 0))
    if outcome.speed_mp != torpedo.speed_mp:
        events.append(SpeedChanged("KET-4.2", Piece.TORPEDO, torpedo.speed_mp, outcome.speed_mp))
    gone = outcome.fate.end != End.FLYING
    rule, to_hex = ("KET-4.4", "") if gone else ("KET-4.3", outcome.hex)
    events.append(PieceMoved(rule, Piece.TORPEDO, torpedo.hex, to_hex))
    return tuple(events)


def _summary(outcome: Advanced) -> str:
    if outcome.fate.territory is None:
        return f"The torpedo flies {outcome.spent_mp} hexes to {outcome.hex}."
    ground = outcome.fate.territory.replace("_", " ")
    return f"The torpedo leaves the board from {outcome.hex} ({ground} ground)."
