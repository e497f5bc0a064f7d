"""Critical hits: what is struck, and what becomes of it. Rules CIR-10.3 to CIR-10.6, CIR-10.10,
CIR-10.11."""

from __future__ import annotations

from dataclasses import dataclass

from guncamera.rules.dice import D6, Ask, Dice, LookUp, Total
from guncamera.rules.trace import Trace
from guncamera.rulesets.circus.aboard import leak_begins, lit
from guncamera.rulesets.circus.aircraft import UNHURT, Aeroplane, Condition
from guncamera.rulesets.circus.book import CircusBook, figure
from guncamera.rulesets.circus.facts import Part, Target
from guncamera.rulesets.circus.harms import lasting, record
from guncamera.rulesets.circus.outcomes import Critical, Effect, Harm
from guncamera.rulesets.circus.stress import roll_structure

_CREW = {
    ("pilot", "killed"): Harm.PILOT_KILLED,
    ("pilot", "wounded"): Harm.PILOT_WOUNDED,
    ("gunner", "killed"): Harm.GUNNER_KILLED,
    ("gunner", "wounded"): Harm.GUNNER_WOUNDED,
}


def strike(
    part: Part, target: Target, aeroplane: Aeroplane, book: CircusBook, trace: Trace, dice: Dice
) -> Critical:
    """Works out a critical hit on a part, with the dice of its chart."""
    condition = target.condition or UNHURT
    loss = 0
    trace.finding("CIR-10.2", "part", part.value)
    match part:
        case Part.CREW:
            found, loss = _crew(condition, aeroplane, book, trace, dice)
        case Part.ENGINE:
            found = _engine(condition, book, trace, dice)
        case Part.STRUCTURE:
            found = _structure(book, trace, dice)
        case Part.CONTROL:
            found = _control(book, trace, dice)
    effects = lasting(condition, found)
    if found and not effects:
        trace.finding("CIR-10.2", "effect", "none", "it makes nothing worse than it is")
    record(trace, effects)
    if loss:
        trace.finding("CIR-10.4", "resolution_loss", loss)
    return Critical(part, effects, loss)


def _crew(
    condition: Condition, aeroplane: Aeroplane, book: CircusBook, trace: Trace, dice: Dice
) -> tuple[tuple[Effect, ...], int]:
    """Who is hit, and how badly (CIR-10.3 to CIR-10.5); the resolution that it costs."""
    who = "pilot"
    if aeroplane.crew > 1:
        who = _who(book, trace, dice)
    alive = _alive(who, condition, aeroplane, book, trace)
    if alive is None:
        trace.finding("CIR-10.3", "effect", "none", f"the {who} is dead already")
        return (), 0
    result = LookUp(book.tables["crew"], "result")
    fate = str(trace.roll(dice, Ask((D6,), result, "crew", "CIR-10.3")))
    loss = figure(book, "wound_resolution") if fate == "wounded" else 0
    return (Effect(_CREW[alive, fate]),), loss


@dataclass(frozen=True, slots=True)
class OddOrEven:
    """Who of two is hit, where an odd die is the pilot (CIR-10.3)."""

    by_total = True

    def __call__(self, faces: tuple[int, ...], /) -> str:
        """Whom it hits."""
        return "pilot" if sum(faces) % 2 else "gunner"

    def describe(self) -> str:
        """How to read the die, for players."""
        return "odd: the pilot, even: the gunner"


def _who(book: CircusBook, trace: Trace, dice: Dice) -> str:
    """Who of a crew of two is hit (CIR-10.3)."""
    trace.setting("CIR-10.3", "crew_die", book.settings.crew_die)
    if book.settings.crew_die == "low-high":
        read = LookUp(book.tables["crew-member"], "who")
        return str(trace.roll(dice, Ask((D6,), read, "crew-member", "CIR-10.3")))
    who = trace.roll(dice, Ask((D6,), OddOrEven(), "crew-member", "CIR-10.3"))
    trace.finding("CIR-10.3", "who", who)
    return who


def _alive(
    who: str, condition: Condition, aeroplane: Aeroplane, book: CircusBook, trace: Trace
) -> str | None:
    """The man whom a hit on one of the crew strikes; None if it strikes a dead one (CIR-10.3)."""
    dead = {"pilot": condition.pilot_killed, "gunner": condition.gunner_killed}
    if not dead[who]:
        return who
    other = "gunner" if who == "pilot" else "pilot"
    if aeroplane.crew == 1 or dead[other]:
        return None
    trace.setting("CIR-10.3", "dead_crew_hit", book.settings.dead_crew_hit)
    if book.settings.dead_crew_hit == "nothing":
        return None
    trace.finding("CIR-10.3", "struck_instead", other, f"the {who} is dead already")
    return other


def _engine(condition: Condition, book: CircusBook, trace: Trace, dice: Dice) -> tuple[Effect, ...]:
    """A roll on the engine chart (CIR-10.6)."""
    table = book.tables["engine"]
    die = trace.roll(dice, Ask((D6,), Total(), "engine", "CIR-10.6"))
    harm = Harm(str(trace.look_up(table, die, "result")))
    points = table.number(die, "points")
    if points:
        trace.look_up(table, die, "points")
    if harm == Harm.FIRE:
        return lit(condition, points, book, trace)
    if condition.engine_seized:
        trace.finding("CIR-10.6", "effect", "none", "the engine has seized already")
        return ()
    if harm == Harm.OIL_LEAK:
        return leak_begins(condition, book, trace, dice)
    return (Effect(harm, points or 1),)


def _structure(book: CircusBook, trace: Trace, dice: Dice) -> tuple[Effect, ...]:
    """A mark for the next high-stress manoeuvre, or the chart at once (CIR-10.10)."""
    reading = book.settings.gunfire_structure
    trace.setting("CIR-10.10", "gunfire_structure", reading)
    if reading == "next-stress":
        return (Effect(Harm.STRUCTURE_MARK),)
    return roll_structure(book, trace, dice)


def _control(book: CircusBook, trace: Trace, dice: Dice) -> tuple[Effect, ...]:
    """A roll on the control chart (CIR-10.11)."""
    read = LookUp(book.tables["control"], "result")
    harm = Harm(str(trace.roll(dice, Ask((D6,), read, "control", "CIR-10.11"))))
    if harm != Harm.CLIMB_STEPS:
        return (Effect(harm),)
    steps = trace.roll(dice, Ask((D6,), Total(), "climb-steps", "CIR-10.11"))
    return (Effect(harm, steps),)
