"""Unintentional stalls: when they happen, and what comes of them. RED-4.7, RED-4.8."""

from __future__ import annotations

from guncamera.rulesets.redstars.aircraft import Flight
from guncamera.rulesets.redstars.book import figure
from guncamera.rulesets.redstars.facts import Test
from guncamera.rulesets.redstars.passage import Passage
from guncamera.rulesets.redstars.spin import spin
from guncamera.rulesets.redstars.tests import skill_test


def stall(passage: Passage) -> bool:
    """An aircraft stalls: it drops, and spins if its pilot fails a test.

    Returns:
        Whether it still flies, and now has to recover.
    """
    settings = passage.book.settings
    passage.trace.setting("RED-4.7", "stall_check", settings.stall_check)
    passage.drops("RED-4.7", "stall", figure(passage.book, "stall_bands"))
    if passage.end is not None:
        return False
    passed = skill_test(
        passage.aircraft, passage.data_book, passage.trace, passage.dice, passage.book, "stall"
    )
    if passage.tested(Test.SKILL, passed=passed):
        passage.flies(Flight.STALL_RECOVERY, passage.aircraft.speed)
        return True
    spin(passage)
    return False


def is_too_slow(passage: Passage) -> bool:
    """Whether a move has left it below its minimum speed, where that is looked for now."""
    slow = passage.aircraft.speed < passage.data_book.min_speed
    if slow:
        passage.trace.finding("RED-4.7", "minimum_speed", passage.data_book.min_speed)
    if slow and passage.book.settings.stall_check == "next-turn":
        passage.trace.setting("RED-4.7", "stall_check", passage.book.settings.stall_check)
        return False
    return slow
