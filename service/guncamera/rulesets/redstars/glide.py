"""Flight without an engine: the test of every turn, and the landing. RED-4.10, RED-4.11."""

from __future__ import annotations

from guncamera.rulesets.redstars.aircraft import AltitudeCard, Flight
from guncamera.rulesets.redstars.cards import level_of
from guncamera.rulesets.redstars.condition import condition_of, glides_on
from guncamera.rulesets.redstars.facts import Test
from guncamera.rulesets.redstars.outcomes import End
from guncamera.rulesets.redstars.passage import Passage
from guncamera.rulesets.redstars.spin import spin
from guncamera.rulesets.redstars.tests import skill_test


def holds_glide(passage: Passage) -> bool:
    """The test of a glider's turn; failed, it takes the place of the move (RED-4.11).

    By setting whoever glides already is not tested again.
    """
    settings = passage.book.settings
    if passage.aircraft.flight == Flight.GLIDING:
        passage.trace.setting("RED-4.11", "glide_test", settings.glide_test)
        if settings.glide_test == "once":
            return True
    passed = skill_test(
        passage.aircraft, passage.data_book, passage.trace, passage.dice, passage.book, "glide"
    )
    if passage.tested(Test.SKILL, passed=passed):
        return True
    passage.trace.setting("RED-4.11", "glide_failure", settings.glide_failure)
    if settings.glide_failure == "spin":
        spin(passage)
        return False
    passage.flies(glides_on(passage.book, glided=False), passage.aircraft.speed)
    passage.drops("RED-4.11", "glide_failed", -level_of(AltitudeCard.DIVE_2))
    return False


def comes_down(passage: Passage, *, gliding: bool) -> None:
    """An aircraft is on the ground, and lost, but for a glider that held its glide (RED-4.10).

    Without landing gear the crew of a glider jumps.
    """
    settings, trace = passage.book.settings, passage.trace
    if gliding:
        trace.setting("RED-4.10", "glider_landing", settings.glider_landing)
    if not gliding or settings.glider_landing == "lost":
        passage.leaves("RED-4.10", End.CRASHED)
        return
    jumps = condition_of(passage.aircraft).gear_wrecked
    if jumps:
        trace.setting("RED-4.10", "glider_abandoned", settings.glider_abandoned)
    lost = jumps and settings.glider_abandoned == "lost"
    passage.leaves("RED-4.10", End.CRASHED if lost else End.LANDED)
    if jumps:
        trace.finding("RED-4.10", "crew_jumps", value=True, why="no landing gear")
