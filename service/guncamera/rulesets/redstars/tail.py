"""Who can tail whom, from where they are. Rule RED-2.3."""

from __future__ import annotations

from guncamera.rules.trace import Trace
from guncamera.rulesets.redstars.aircraft import Position
from guncamera.rulesets.redstars.book import RedstarsBook
from guncamera.rulesets.redstars.geometry import in_rear, within, within_bearing


def can_tail(tailer: Position, target: Position, book: RedstarsBook) -> bool:
    """Whether one aircraft tails another that is its enemy."""
    settings = book.settings
    return (
        in_rear(target, tailer, settings.rear_half_arc)
        and (not settings.tail_needs_nose or within_bearing(tailer, target, settings.gun_half_arc))
        and within(tailer, target, settings.tail_range_mils)
        and abs(tailer.altitude - target.altitude) <= settings.tail_altitude
    )


def record_limits(tailer: Position, target: Position, book: RedstarsBook, trace: Trace) -> None:
    """Name the settings that deny a tailing that the text would grant, or grant a far one."""
    settings, specs = book.settings, book.setting_specs
    if not in_rear(target, tailer, settings.rear_half_arc):
        return
    if not within_bearing(tailer, target, settings.gun_half_arc):
        trace.setting("RED-2.3", "tail_needs_nose", settings.tail_needs_nose)
    usual = int(specs["tail_range_mils"].default)
    if not within(tailer, target, min(usual, settings.tail_range_mils)):
        trace.setting("RED-2.3", "tail_range_mils", settings.tail_range_mils)
    usual = int(specs["tail_altitude"].default)
    if abs(tailer.altitude - target.altitude) > min(usual, settings.tail_altitude):
        trace.setting("RED-2.3", "tail_altitude", settings.tail_altitude)
