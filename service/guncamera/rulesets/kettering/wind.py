"""The wind step: direction, shifts, headwind and tailwind, and a crash. Chapter 3 of the rules."""

from __future__ import annotations

from dataclasses import dataclass

from guncamera.rules.dice import D6, Ask, AtLeast, Dice, LookUp
from guncamera.rules.hexes import Hex, HexDirection
from guncamera.rules.refusal import Illegal
from guncamera.rules.ruling import Ruling
from guncamera.rules.trace import Trace
from guncamera.rulesets.kettering.book import KetteringBook, figure
from guncamera.rulesets.kettering.events import (
    AltitudeChanged,
    Change,
    Cleared,
    Piece,
    PieceMoved,
    WindBlew,
)
from guncamera.rulesets.kettering.facts import (
    FLYING,
    Critical,
    End,
    Fate,
    Torpedo,
    WindFacts,
    WindOutcome,
)
from guncamera.rulesets.kettering.fate import crashed
from guncamera.rulesets.kettering.map import hex_at, label, on_board, row_of
from guncamera.rulesets.kettering.plot import check_step
from guncamera.rulesets.kettering.report import Report

HEADINGS = (HexDirection.SOUTHEAST, HexDirection.SOUTHWEST)
_REPORT = Report(
    "KET-3.2",
    {
        "wind_toward": "KET-3.1",
        "torpedo_altitude_metres": "KET-3.5",
        "torpedo_wind_mp": "KET-3.5",
        "fate": "KET-3.6",
        "jam_freed": "KET-8.12",
    },
)


@dataclass(frozen=True, slots=True)
class Shift:
    """Where the wind put a piece; `ignored` where the edge of the board held it."""

    hex: Hex
    hexes: int
    ignored: bool


def rule_on_wind(facts: WindFacts, book: KetteringBook, dice: Dice) -> Ruling[WindOutcome]:
    """Rules on the wind step of one turn.

    Raises:
        Malformed: A hex is no label, or an altitude is no multiple of 50.
        Illegal: KET-2.1, a hex is off the board; KET-4.1, the torpedo faces elsewhere.

    Source: seed 000, wind effects and climbing and diving; odds derived, register section 2.
    """
    trace = Trace()
    at = check_torpedo(facts.torpedo, book, "torpedo.")
    aircraft = None
    if facts.aircraft is not None:
        aircraft = hex_at(facts.aircraft.hex, book, "aircraft.hex")
        check_step(facts.aircraft.altitude_metres, "aircraft.altitude_metres")
    freed = facts.jammed and roll_jam(book, trace, dice)
    wind = _roll_wind(book, trace, dice)
    moved = _shift(Piece.TORPEDO, at, facts.torpedo.altitude_metres, wind, book, trace)
    altitude, wind_mp = _climb_or_dive(facts.torpedo, wind, moved, book, trace)
    fate = _fate(altitude, at, moved.hex, book, trace)
    drifted = None
    if aircraft is not None and facts.aircraft is not None:
        metres = facts.aircraft.altitude_metres
        drifted = _shift(Piece.AIRCRAFT, aircraft, metres, wind, book, trace)
    outcome = WindOutcome(
        wind_toward=wind,
        torpedo_shift_hexes=moved.hexes,
        torpedo_hex=label(moved.hex),
        torpedo_altitude_metres=altitude,
        torpedo_wind_mp=wind_mp,
        fate=fate,
        aircraft_shift_hexes=drifted.hexes if drifted else 0,
        aircraft_hex=label(drifted.hex) if drifted else "",
        jam_freed=freed,
    )
    _REPORT(trace, outcome)
    return Ruling(outcome, tuple(trace.lines), _events(facts, outcome), _summary(outcome))


def check_torpedo(torpedo: Torpedo, book: KetteringBook, prefix: str) -> Hex:
    """The hex of a torpedo that can be where it is said to be; `prefix` leads to its fields.

    Raises:
        Malformed: Its hex is no label, or its altitude no multiple of 50.
        Illegal: KET-2.1, KET-3.6 or KET-4.1: off the board, on the ground, or turned.
    """
    at = hex_at(torpedo.hex, book, f"{prefix}hex")
    check_step(torpedo.altitude_metres, f"{prefix}altitude_metres")
    if torpedo.altitude_metres == 0:
        raise Illegal(
            "KET-3.6",
            "The torpedo is on the ground; give an altitude of 50 metres or more.",
            field=f"{prefix}altitude_metres",
            altitude_metres=0,
        )
    if torpedo.heading not in HEADINGS:
        raise Illegal(
            "KET-4.1",
            f"The torpedo heads {torpedo.heading}; it heads southeast or southwest all its life.",
            field=f"{prefix}heading",
            heading=torpedo.heading.value,
        )
    return at


def roll_jam(book: KetteringBook, trace: Trace, dice: Dice) -> bool:
    """Whether jammed controls free themselves at the start of a turn (KET-8.12)."""
    number = book.settings.jam_freed_on
    freed = trace.roll(dice, Ask((D6,), AtLeast(number), "jam", "KET-8.12"))
    trace.setting("KET-8.12", "jam_freed_on", number)
    if freed:
        trace.setting("KET-8.12", "freed_jam", book.settings.freed_jam)
    return freed


def _roll_wind(book: KetteringBook, trace: Trace, dice: Dice) -> HexDirection:
    """The direction the wind pushes to (KET-3.1)."""
    column = book.settings.wind_faces
    cell = trace.roll(dice, Ask((D6,), LookUp(book.tables["wind"], column), "wind", "KET-3.1"))
    trace.setting("KET-3.1", "wind_faces", column)
    return HexDirection(str(cell))


def _shift(
    piece: Piece, at: Hex, altitude: int, wind: HexDirection, book: KetteringBook, trace: Trace
) -> Shift:
    """Push a piece by its altitude bracket, never off the board (KET-3.2 to KET-3.4)."""
    trace.sum("KET-3.3", f"{piece}_altitude_before_metres", altitude, altitude)
    hexes = int(trace.look_up(book.tables["wind-shifts"], altitude, piece))
    if on_board(at.step(wind, hexes), book):
        return Shift(at.step(wind, hexes), hexes, ignored=False)
    kept = 0
    if hexes > 1:
        trace.setting("KET-3.4", "partial_shift", book.settings.partial_shift)
        if book.settings.partial_shift == "cut":
            kept = max(n for n in range(hexes) if on_board(at.step(wind, n), book))
    kept = trace.clamp("KET-3.4", f"{piece}_shift_hexes", hexes, 0, kept)
    return Shift(at.step(wind, kept), kept, ignored=kept == 0)


def _climb_or_dive(
    torpedo: Torpedo, wind: HexDirection, moved: Shift, book: KetteringBook, trace: Trace
) -> tuple[int, int]:
    """The torpedo's altitude and the movement points the wind adds (KET-3.5)."""
    altitude = torpedo.altitude_metres
    if wind not in (torpedo.heading, torpedo.heading.opposite()):
        return altitude, 0
    if moved.ignored:
        trace.setting("KET-3.4", "ignored_shift_wind", book.settings.ignored_shift_wind)
        if book.settings.ignored_shift_wind == "dropped":
            return altitude, 0
    metres = figure(book, "tailwind_metres")
    if wind == torpedo.heading:
        change, points = trace.modifier("KET-3.5", "tailwind", -metres), 1
    else:
        change, points = trace.modifier("KET-3.5", "headwind", metres), -1
    after = trace.sum("KET-3.5", "torpedo_altitude_metres", altitude, altitude + change)
    return after, points


def _fate(altitude: int, before: Hex, after: Hex, book: KetteringBook, trace: Trace) -> Fate:
    """Whether it has sunk to the ground, and on whose (KET-3.6)."""
    if altitude > 0:
        return FLYING
    trace.setting("KET-3.6", "crash_hex", book.settings.crash_hex)
    hit = after if book.settings.crash_hex == "after-shift" else before
    trace.finding("KET-3.6", "hex_of_impact", label(hit))
    return crashed(row_of(hit), book, trace)


def _events(facts: WindFacts, outcome: WindOutcome) -> tuple[Change, ...]:
    torpedo = facts.torpedo
    events: list[Change] = []
    if outcome.jam_freed:
        events.append(Cleared("KET-8.12", Critical.CONTROLS_JAMMED, 0))
    events.append(WindBlew("KET-3.1", outcome.wind_toward, outcome.torpedo_wind_mp))
    if outcome.torpedo_hex != torpedo.hex:
        events.append(PieceMoved("KET-3.2", Piece.TORPEDO, torpedo.hex, outcome.torpedo_hex))
    if outcome.torpedo_altitude_metres != torpedo.altitude_metres:
        events.append(
            AltitudeChanged(
                "KET-3.5",
                Piece.TORPEDO,
                torpedo.altitude_metres,
                outcome.torpedo_altitude_metres,
            )
        )
    if facts.aircraft is not None and outcome.aircraft_hex != facts.aircraft.hex:
        events.append(
            PieceMoved("KET-3.2", Piece.AIRCRAFT, facts.aircraft.hex, outcome.aircraft_hex)
        )
    return tuple(events)


def _summary(outcome: WindOutcome) -> str:
    text = f"The wind blows toward the {outcome.wind_toward} and puts the torpedo on "
    text += f"{outcome.torpedo_hex} at {outcome.torpedo_altitude_metres} metres"
    if outcome.fate.end == End.CRASHED and outcome.fate.territory is not None:
        ground = outcome.fate.territory.replace("_", " ")
        return f"{text}: it has crashed ({ground} ground)."
    return f"{text}."
