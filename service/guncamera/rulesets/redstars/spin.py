"""Loss of control: how far a spinning aircraft falls, and where it then faces. RED-4.9, RED-4.10.

Recovery belongs to the end of the turn (RED-5.8).
"""

from __future__ import annotations

from dataclasses import dataclass

from guncamera.rules.dice import D6, Ask
from guncamera.rules.straight_line import changed
from guncamera.rulesets.redstars.aircraft import Flight
from guncamera.rulesets.redstars.geometry import stepped
from guncamera.rulesets.redstars.passage import Passage


@dataclass(frozen=True, slots=True)
class FallsTo:
    """The altitude left after a die of bands; below the ground is the ground."""

    altitude: int
    by_total = True

    def __call__(self, faces: tuple[int, ...], /) -> int:
        """The altitude."""
        return max(self.altitude - sum(faces), 0)

    def describe(self) -> str:
        """How to read the die, for players."""
        return f"bands lost from altitude {self.altitude}"


@dataclass(frozen=True, slots=True)
class Scatter:
    """The heading that a scatter die shows; its highest face is north."""

    sides: int
    by_total = True

    def __call__(self, faces: tuple[int, ...], /) -> int:
        """The heading in degrees."""
        return sum(faces) * (360 // self.sides) % 360

    def describe(self) -> str:
        """How to read the die, for players."""
        return f"{360 // self.sides} degrees clockwise from north for each pip"


def spin(passage: Passage) -> None:
    """An aircraft spins: it falls, is perhaps lost, and faces where the scatter die points."""
    trace, dice, settings = passage.trace, passage.dice, passage.book.settings
    before = passage.position.altitude
    after = trace.roll(dice, Ask((D6,), FallsTo(before), "spin-altitude", "RED-4.9"))
    trace.finding("RED-4.9", "altitude", after, f"spinning from {before}")
    passage.rule_id = "RED-4.9"
    passage.flies(Flight.SPINNING, passage.data_book.min_speed)
    passage.comes_down_to(after)
    if passage.end is not None:
        return
    trace.setting("RED-4.9", "spin_scatter", settings.spin_scatter)
    sides = settings.spin_scatter
    heading = trace.roll(dice, Ask((sides,), Scatter(sides), "spin-heading", "RED-4.9"))
    trace.finding("RED-4.9", "heading_degrees", heading)
    passage.goes_to(changed(passage.position, heading_degrees=heading))
    trace.setting("RED-4.9", "spin_drift", settings.spin_drift)
    if settings.spin_drift == "one-disc":
        _drift(passage)


def _drift(passage: Passage) -> None:
    """By setting it comes down a disc away, where it now faces."""
    here = passage.position
    x, y = stepped(here.x_mils, here.y_mils, here.heading_degrees, passage.book.settings.disc_mils)
    passage.goes_to(changed(here, x_mils=x, y_mils=y))
