"""Risk to the crew: who is hit, wounds, deaths, and who takes over. Rules RED-7.5 to RED-7.9."""

from __future__ import annotations

from dataclasses import dataclass

from guncamera.rules.dice import D6, Ask, AtLeast, Dice
from guncamera.rules.table import Table
from guncamera.rules.trace import Trace
from guncamera.rulesets.redstars.aircraft import Aircraft, DataBook
from guncamera.rulesets.redstars.book import RedstarsBook, figure
from guncamera.rulesets.redstars.condition import condition_of, has_observer
from guncamera.rulesets.redstars.harms import record
from guncamera.rulesets.redstars.outcomes import Effect, Harm, RiskResult
from guncamera.rulesets.redstars.specials import D10, after


@dataclass(frozen=True, slots=True)
class RiskReading:
    """The cell of the risk to pilot table, the row held to the table's ends (RED-7.6)."""

    table: Table
    column: str
    modifier: int
    by_total = True

    def __call__(self, faces: tuple[int, ...], /) -> str:
        """Who is hit."""
        return str(self.table.cell(min(max(sum(faces) + self.modifier, 1), D10), self.column))

    def describe(self) -> str:
        """How to read the die, for players."""
        modifier = f" {self.modifier:+d}, held to 1 to {D10}," if self.modifier else ""
        return f"a total{modifier} on table {self.table.id}, column {self.column}"


@dataclass(frozen=True, slots=True)
class Struck:
    """What a risk came to.

    Attributes:
        crew_lost: Nobody is left who can fly.
    """

    effects: tuple[Effect, ...]
    result: RiskResult
    crew_lost: bool


def risk_to_crew(
    aircraft: Aircraft,
    data_book: DataBook,
    trace: Trace,
    dice: Dice,
    book: RedstarsBook,
    *,
    sniper: bool,
) -> Struck:
    """Roll on the risk to pilot table and work it out (RED-7.6).

    An observer at the controls is struck as the pilot is, and there is no observer then.
    """
    observer = has_observer(aircraft, data_book)
    column = "with observer" if observer else "without"
    trace.finding("RED-7.6", "column", column)
    found = _look_up(column, trace, dice, book, sniper=sniper)
    flier, second = _who(found, trace, dice, book)
    effects = _wounds(aircraft, flier, second, book)
    record(trace, effects)
    result = _result(effects)
    trace.finding("RED-7.6", "struck", result.value)
    hurt = after(aircraft, effects)
    if not _flier_is_dead(hurt):
        return Struck(effects, result, crew_lost=False)
    taken = _taken_over(found, hurt, data_book, trace, dice, book)
    record(trace, taken)
    trace.finding("RED-7.8", "crew_lost", not taken)
    return Struck((*effects, *taken), result, crew_lost=not taken)


def _look_up(column: str, trace: Trace, dice: Dice, book: RedstarsBook, *, sniper: bool) -> str:
    """The cell of the table; a sniper's two points may be held to the table's ends."""
    modifier = 0
    if sniper:
        reading = book.settings.sniper_risk
        trace.setting("RED-7.6", "sniper_risk", reading)
        points = figure(book, "sniper_risk")
        modifier = -points if reading == "minus-two" else points
    read = RiskReading(book.tables["risk"], column, modifier)
    found = trace.roll(dice, Ask((D10,), read, "risk", "RED-7.6"))
    thrown = trace.thrown
    if thrown:
        if modifier:
            trace.modifier("RED-7.6", "sniper", modifier)
        score = trace.sum("RED-7.6", "risk", thrown, thrown + modifier)
        row = trace.clamp("RED-7.6", "risk", score, 1, D10)
        if row != score:
            trace.sum("RED-7.6", "row", row, row)
        trace.look_up(read.table, row, column)
    return found


# ---- Who is hit

WOUND, SEVERE, DEATH = "wound", "severe", "death"
_Hit = str  # "", wound, severe or death


def _who(found: str, trace: Trace, dice: Dice, book: RedstarsBook) -> tuple[_Hit, _Hit]:
    """What the result does to the man who flies and to the other one."""
    match found:
        case "both-killed":
            return DEATH, DEATH
        case "pilot-killed-observer-wounded":
            return DEATH, WOUND
        case "pilot-killed":
            return DEATH, ""
        case "pilot-wounded":
            return WOUND, ""
        case "pilot-severe":
            return SEVERE, ""
        case "either-wounded":
            return (WOUND, "") if _pilot_is_hit(trace, dice, book) else ("", WOUND)
        case "observer-wounded":
            return "", WOUND
        case "observer-wounded-pilot-perhaps":
            return (WOUND if _companion_is_hit(trace, dice, book) else ""), WOUND
        case "pilot-perhaps":
            return (WOUND if _companion_is_hit(trace, dice, book) else ""), ""
    return "", ""


@dataclass(frozen=True, slots=True)
class StrikesPilot:
    """Whether the die strikes the pilot and not the observer: no more than a number does."""

    number: int
    by_total = True

    def __call__(self, faces: tuple[int, ...], /) -> bool:
        """Whether it does."""
        return sum(faces) <= self.number

    def describe(self) -> str:
        """How to read the die, for players."""
        return f"{self.number} or less strikes the pilot, more the observer"


def _pilot_is_hit(trace: Trace, dice: Dice, book: RedstarsBook) -> bool:
    read = StrikesPilot(figure(book, "pilot_share"))
    return trace.roll(dice, Ask((D6,), read, "which-man", "RED-7.6"))


def _companion_is_hit(trace: Trace, dice: Dice, book: RedstarsBook) -> bool:
    number = figure(book, "companion_number")
    return trace.roll(dice, Ask((D10,), AtLeast(number), "pilot-too", "RED-7.6"))


def _wounds(
    aircraft: Aircraft, flier: _Hit, second: _Hit, book: RedstarsBook
) -> tuple[Effect, ...]:
    """The effects on the two men; a third wound kills (RED-7.7)."""
    condition = condition_of(aircraft)
    if condition.observer_flies:
        return _man(flier, condition.observer_wounds, book, observer=True)
    return (
        *_man(flier, condition.pilot_wounds, book, observer=False),
        *_man(second, condition.observer_wounds, book, observer=True),
    )


def _man(hit: _Hit, wounds: int, book: RedstarsBook, *, observer: bool) -> tuple[Effect, ...]:
    wounded = Harm.OBSERVER_WOUNDED if observer else Harm.PILOT_WOUNDED
    severe = Harm.OBSERVER_SEVERE if observer else Harm.PILOT_SEVERE
    killed = Harm.OBSERVER_KILLED if observer else Harm.PILOT_KILLED
    if not hit:
        return ()
    if hit == DEATH or wounds + 1 >= figure(book, "deadly_wound"):
        return (Effect(killed),)
    if hit == SEVERE:
        return (Effect(wounded), Effect(severe))
    return (Effect(wounded),)


def _flier_is_dead(aircraft: Aircraft) -> bool:
    condition = condition_of(aircraft)
    return condition.observer_killed if condition.observer_flies else condition.pilot_killed


def _taken_over(
    found: str,
    aircraft: Aircraft,
    data_book: DataBook,
    trace: Trace,
    dice: Dice,
    book: RedstarsBook,
) -> tuple[Effect, ...]:
    """Whether the other man takes the controls from a dead one; nothing if not (RED-7.8).

    The other man is the observer, or the pilot who gave him the controls and still lives.
    """
    condition = condition_of(aircraft)
    pilot_again = condition.observer_flies and not condition.pilot_killed
    if not pilot_again and not has_observer(aircraft, data_book):
        return ()
    if found == "pilot-killed":
        trace.setting("RED-7.8", "takeover", book.settings.takeover)
        if book.settings.takeover == "result-two-only":
            return ()
    number = figure(book, "takeover_number")
    if not trace.roll(dice, Ask((D10,), AtLeast(number), "take-over", "RED-7.8")):
        return ()
    return (Effect(Harm.PILOT_FLIES if pilot_again else Harm.OBSERVER_FLIES),)


_PILOT = (Harm.PILOT_WOUNDED, Harm.PILOT_KILLED)
_OBSERVER = (Harm.OBSERVER_WOUNDED, Harm.OBSERVER_KILLED)


def _result(effects: tuple[Effect, ...]) -> RiskResult:
    pilot = any(effect.harm in _PILOT for effect in effects)
    observer = any(effect.harm in _OBSERVER for effect in effects)
    if pilot and observer:
        return RiskResult.BOTH
    if pilot:
        return RiskResult.PILOT
    return RiskResult.OBSERVER if observer else RiskResult.NOBODY
