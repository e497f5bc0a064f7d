"""How a torpedo's flight ends, on whose ground, and who scores. Rules KET-3.6, 4.4, 10.2, 10.3."""

from __future__ import annotations

from guncamera.rules.trace import Trace
from guncamera.rulesets.kettering.book import KetteringBook
from guncamera.rulesets.kettering.facts import End, Fate, Territory, Winner
from guncamera.rulesets.kettering.map import territory

SHOT_DOWN = Fate(End.SHOT_DOWN, None, Winner.GERMAN)
PASSED = Fate(End.PASSED, None, Winner.ALLIED)
AIRCRAFT_LOST = Fate(End.AIRCRAFT_LOST, None, Winner.ALLIED)


def crashed(row: int, book: KetteringBook, trace: Trace) -> Fate:
    """A crash in a row: on German ground it is a success of the torpedo, elsewhere not."""
    ground = _ground(row, book, trace)
    if ground == Territory.GERMAN:
        return Fate(End.CRASHED, ground, Winner.ALLIED)
    trace.setting("KET-10.3", "crash_credit", book.settings.crash_credit)
    return Fate(End.CRASHED, ground, Winner(book.settings.crash_credit))


def exited(row: int, book: KetteringBook, trace: Trace) -> Fate:
    """An exit over a row: over Allied ground it is no success of the torpedo."""
    ground = _ground(row, book, trace)
    if ground != Territory.ALLIED:
        return Fate(End.EXITED, ground, Winner.ALLIED)
    trace.setting("KET-10.3", "allied_exit_credit", book.settings.allied_exit_credit)
    return Fate(End.EXITED, ground, Winner(book.settings.allied_exit_credit))


def _ground(row: int, book: KetteringBook, trace: Trace) -> Territory:
    ground = territory(row, book)
    low = int(book.setting_specs["no_mans_land_south_row"].low)
    high = int(book.setting_specs["no_mans_land_north_row"].high)
    if low <= row <= high:
        trace.setting("KET-2.2", "no_mans_land_south_row", book.settings.no_mans_land_south_row)
        trace.setting("KET-2.2", "no_mans_land_north_row", book.settings.no_mans_land_north_row)
    return ground
