"""The words of the picture: what stands in its strip, and what a screen reader reads out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from guncamera.rulesets.kettering.book import KetteringBook
from guncamera.rulesets.kettering.facts import (
    UNDAMAGED,
    Aircraft,
    Aspect,
    End,
    Score,
    Torpedo,
    Winner,
)
from guncamera.rulesets.kettering.map import hex_at
from guncamera.rulesets.kettering.orders import Encounter, Phase, Shot, View

LINE_CHARACTERS = 56
MAX_HIT_LINES = 2

_NOW: Mapping[Phase, str] = {
    Phase.DEPLOY: "repair, or set up the aircraft",
    Phase.LAUNCH: "roll the torpedo's entry",
    Phase.WIND: "roll the wind",
    Phase.TORPEDO: "move the torpedo",
    Phase.AIRCRAFT: "fly the aircraft",
    Phase.FIRE: "look, fire, or roll the wind",
}
_ENDS: Mapping[End, str] = {
    End.FLYING: "flying",
    End.CRASHED: "crashed",
    End.EXITED: "flew off",
    End.SHOT_DOWN: "shot down",
    End.PASSED: "passed",
    End.AIRCRAFT_LOST: "aircraft lost",
}


@dataclass(frozen=True, slots=True)
class Tally:
    """How the torpedoes of the day stand, counting those let pass for repairs."""

    total: int
    stopped: int
    through: int
    flying: bool

    @property
    def to_come(self) -> int:
        """Torpedoes that have not entered."""
        return self.total - self.stopped - self.through - self.flying


def tally(view: View) -> Tally:
    """Count the torpedoes of a view."""
    over = len(view.encounters)
    stopped = sum(1 for e in view.encounters if e.fate.winner == Winner.GERMAN)
    total = view.torpedoes_left + max(view.encounter, over) + view.passed
    return Tally(total, stopped, over - stopped + view.passed, flying=view.encounter > over)


def heading(view: View) -> str:
    """Which torpedo and which turn."""
    counted = tally(view)
    if view.phase == Phase.FINISHED:
        return "The campaign is over"
    if not counted.flying:
        return f"Before torpedo {counted.stopped + counted.through + 1} of {counted.total}"
    turn = f", turn {view.turn}" if view.turn else ""
    return f"Torpedo {view.encounter + view.passed} of {counted.total}{turn}"


def now(view: View) -> str:
    """What may be done, or how it ended."""
    if view.score is not None:
        mood = "is pleased" if view.score.pleased else "is not pleased"
        return f"Score {view.score.score}: the commander {mood}"
    may = _NOW.get(view.phase)
    return f"Now: {may}" if may else "The day is done"


def counts(view: View) -> str:
    """The torpedoes by how they ended."""
    counted = tally(view)
    return f"{counted.stopped} stopped, {counted.through} through, {counted.to_come} to come"


def state(view: View, book: KetteringBook) -> str:
    """Ammunition and damage."""
    guns = "guns jammed" if view.guns_jammed else f"{view.ammunition} shots left"
    points = (view.aircraft.condition or UNDAMAGED).damage_points
    profile = book.aircraft.get(view.aircraft.type)
    damage = f"damage {points} of {profile.damage_capacity}" if profile else f"damage {points}"
    return f"{guns[0].upper()}{guns[1:]}, {damage}"


def hits(view: View) -> list[str]:
    """The critical hits and their effects now, as lines that fit; what does not fit is counted."""
    condition = view.aircraft.condition or UNDAMAGED
    names = [
        critical.replace("_", " ") + (f" x{count}" if count > 1 else "")
        for critical, count in Counter(condition.criticals).items()
    ]
    if condition.jammed:
        names.append("jammed now")
    if view.fuel_turns is not None:
        names.append(f"fuel for {view.fuel_turns} turns")
    if not names:
        return ["No critical hits"]
    lines, line = [], "Hits: "
    for at, name in enumerate(names):
        piece = name if at == len(names) - 1 else f"{name}, "
        if len(line) + len(piece) > LINE_CHARACTERS:
            lines.append(line.rstrip())
            line = ""
        line += piece
    lines.append(line)
    if len(lines) > MAX_HIT_LINES:
        lines = [*lines[: MAX_HIT_LINES - 1], f"and more: {len(condition.criticals)} hits in all"]
    return lines


def title_of(aircraft: Aircraft, book: KetteringBook) -> str:
    """The name of an aircraft's type."""
    profile = book.aircraft.get(aircraft.type)
    return profile.title if profile else aircraft.type


def height(piece: Aircraft | Torpedo) -> str:
    """A piece's altitude and speed."""
    return f"{piece.altitude_metres:,} m, speed {piece.speed_mp}"


def ended(encounter: Encounter) -> str:
    """How an encounter ended, in a few words."""
    shots = "1 shot" if encounter.shots == 1 else f"{encounter.shots} shots"
    return f"{_ENDS[encounter.fate.end]}, {shots}"


def last_shot(shot: Shot) -> str:
    """The last shot, in a few words."""
    side = {Aspect.TAIL: "from behind", Aspect.HEAD_ON: "head-on"}.get(shot.aspect, "fired")
    came = "destroyed it" if shot.torpedo_destroyed else "missed"
    return f"Shot of turn {shot.turn}, {side}, {shot.from_hex} at {shot.at_hex}: {came}"


def reckoning(score: Score) -> list[str]:
    """How the score came about, and what was expected."""
    return [
        f"{score.stopped} stopped, {score.deleted_for_criticals} deleted for hits,",
        f"{score.deleted_for_damage} deleted for damage.",
        f"The commander expected {score.expectation}.",
    ]


def description(view: View, book: KetteringBook) -> str:
    """The whole picture in sentences."""
    aircraft, torpedo = view.aircraft, view.torpedo
    name = title_of(aircraft, book)
    parts = [heading(view), now(view), counts(view), state(view, book), " ".join(hits(view))]
    if aircraft.hex:
        parts.append(
            f"The {name} is on {aircraft.hex} facing {aircraft.facing}, {height(aircraft)}"
        )
    else:
        parts.append(f"The {name} is not on the board")
    if torpedo is not None:
        parts.append(
            f"The torpedo is on {torpedo.hex} heading {torpedo.heading}, {height(torpedo)}"
        )
    if torpedo is not None and aircraft.hex:
        parts.append(apart(aircraft, torpedo, book))
    if view.wind_toward is not None:
        parts.append(f"The wind blew toward the {view.wind_toward}")
    if view.last_shot is not None:
        parts.append(last_shot(view.last_shot))
    if view.score is not None:
        parts.append(" ".join(reckoning(view.score)).rstrip("."))
    return ". ".join(parts) + "."


def apart(aircraft: Aircraft, torpedo: Torpedo, book: KetteringBook) -> str:
    """How far the pieces are from each other."""
    hexes = hex_at(aircraft.hex, book, "").distance(hex_at(torpedo.hex, book, ""))
    climb = torpedo.altitude_metres - aircraft.altitude_metres
    level = f"torpedo {abs(climb):,} m {'higher' if climb > 0 else 'lower'}" if climb else "level"
    away = {0: "Same hex", 1: "1 hex apart"}.get(hexes, f"{hexes} hexes apart")
    return f"{away}, {level}"
