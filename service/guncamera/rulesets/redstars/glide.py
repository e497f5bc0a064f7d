"""Flight without an engine: the test of every turn, and the landing. RED-4.10, RED-4.11."""

from __future__ import annotations

from guncamera.rulesets.redstars.aircraft import AltitudeCard, Flight
from guncamera.rulesets.redstars.cards import level_of
from guncamera.rulesets.redstars.condition import condition_of
from guncamera.rulesets.redstars.facts import Test
from guncamera.rulesets.redstars.outcomes import End
from guncamera.rulesets.redstars.passage import Passage
from guncamera.rulesets.redstars.spin import spin
from guncamera.rulesets.redstars.tests import skill_test


def holds_glide(passage: Passage) -> bool:
    """The test of a glider's turn; failed, it takes the place of the move (RED-4.11)."""
    passed = skill_test(
        passage.aircraft, passage.data_book, passage.trace, passage.dice, passage.book, "glide"
    )
    if passage.tested(Test.SKILL, passed=passed):
        return True
    failure = passage.book.settings.glide_failure
    passage.trace.setting("RED-4.11", "glide_failure", failure)
    if failure == "spin":
        spin(passage)
        return False
    passage.flies(Flight.GLIDING, passage.aircraft.speed)
    passage.drops("RED-4.11", "glide_failed", -level_of(AltitudeCard.DIVE_2))
    return False


def land(passage: Passage) -> None:
    """A glider is down, and not lost; without landing gear its crew jumps (RED-4.10)."""
    passage.leaves("RED-4.10", End.LANDED)
    if condition_of(passage.aircraft).gear_wrecked:
        passage.trace.finding("RED-4.10", "crew_jumps", value=True, why="no landing gear")
