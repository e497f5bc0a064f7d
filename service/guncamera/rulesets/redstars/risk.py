"""Risk to the crew: who is hit, wounds, deaths, and who takes over. Rules RED-7.5 to RED-7.9."""

from __future__ import annotations

from dataclasses import dataclass

from guncamera.rules.dice import D6, Ask, AtLeast, Dice
from guncamera.rules.table import Table
from guncamera.rules.trace import Trace
from guncamera.rulesets.redstars.aircraft import Aircraft, Condition, DataBook
from guncamera.rulesets.redstars.book import RedstarsBook, figure
from guncamera.rulesets.redstars.condition import condition_of, has_observer, wounds_counted
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

    An observer at the controls is struck as the pilot is. Behind him then sits the pilot who gave
    them to him, by setting out of harm's way, or nobody.
    """
    observer = _two_are_struck(aircraft, data_book, trace, book)
    column = "with observer" if observer else "without"
    trace.finding("RED-7.6", "column", column)
    found = _look_up(column, trace, dice, book, sniper=sniper)
    flier, second = _who(found, trace, dice, book)
    effects = _wounds(aircraft, flier, second, trace, book)
    record(trace, effects)
    result = _result(effects)
    trace.finding("RED-7.6", "struck", result.value)
    hurt = after(aircraft, effects)
    leaderless = condition_of(hurt).nobody_flies or _flier_is_dead(hurt)
    fresh = _replaced(hurt, data_book, trace, book)
    record(trace, fresh)
    effects = (*effects, *fresh)
    if not leaderless:
        return Struck(effects, result, crew_lost=False)
    who = next_man(after(hurt, fresh), data_book)
    if condition_of(hurt).nobody_flies:
        return Struck(effects, result, crew_lost=who is None)
    taken = _taken_over(found, who, trace, dice, book)
    record(trace, taken)
    trace.finding("RED-7.8", "crew_lost", not taken)
    return Struck((*effects, *taken), result, crew_lost=not taken)


def _two_are_struck(
    aircraft: Aircraft, data_book: DataBook, trace: Trace, book: RedstarsBook
) -> bool:
    """Whether a second man is aboard whom the table may strike (RED-7.6)."""
    if has_observer(aircraft, data_book):
        return True
    condition = condition_of(aircraft)
    if condition.pilot_killed or not condition.observer_flies:
        return False
    trace.setting("RED-7.6", "risk_after_handover", book.settings.risk_after_handover)
    return book.settings.risk_after_handover == "change-places"


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
    aircraft: Aircraft, flier: _Hit, second: _Hit, trace: Trace, book: RedstarsBook
) -> tuple[Effect, ...]:
    """The effects on the two men; a third wound kills, and a dead man feels none (RED-7.7)."""
    condition = condition_of(aircraft)
    swapped = condition.observer_flies
    of_pilot, of_observer = (second, flier) if swapped else (flier, second)
    pilot = () if condition.pilot_killed else _pilot(of_pilot, condition, trace, book)
    observer = _observer(of_observer, condition, trace, book)
    return (*observer, *pilot) if swapped else (*pilot, *observer)


def _pilot(hit: _Hit, condition: Condition, trace: Trace, book: RedstarsBook) -> tuple[Effect, ...]:
    kills = _kills(hit, condition.pilot_wounds, condition.pilot_severe, trace, book)
    harms = (Harm.PILOT_WOUNDED, Harm.PILOT_SEVERE, Harm.PILOT_KILLED)
    return _man(hit, harms, kills=kills)


def _observer(
    hit: _Hit, condition: Condition, trace: Trace, book: RedstarsBook
) -> tuple[Effect, ...]:
    kills = _kills(hit, condition.observer_wounds, condition.observer_severe, trace, book)
    harms = (Harm.OBSERVER_WOUNDED, Harm.OBSERVER_SEVERE, Harm.OBSERVER_KILLED)
    return _man(hit, harms, kills=kills)


def _kills(hit: _Hit, wounds: int, severe: int, trace: Trace, book: RedstarsBook) -> bool:
    """Whether a hit, if it is one, is a man's death, with the wounds that he has already."""
    if hit not in (WOUND, SEVERE):
        return hit == DEATH
    severe += hit == SEVERE
    if severe:
        trace.setting("RED-7.7", "severe_wound", book.settings.severe_wound)
    return wounds_counted(wounds + 1, severe, book) >= figure(book, "deadly_wound")


def _man(hit: _Hit, harms: tuple[Harm, Harm, Harm], *, kills: bool) -> tuple[Effect, ...]:
    """The effects on one man.

    Args:
        harms: A wound, that it is severe, and death.
    """
    wounded, severe, killed = harms
    if not hit:
        return ()
    if kills:
        return (Effect(killed),)
    return (Effect(wounded), Effect(severe)) if hit == SEVERE else (Effect(wounded),)


def _flier_is_dead(aircraft: Aircraft) -> bool:
    condition = condition_of(aircraft)
    return condition.observer_killed if condition.observer_flies else condition.pilot_killed


def _replaced(
    aircraft: Aircraft, data_book: DataBook, trace: Trace, book: RedstarsBook
) -> tuple[Effect, ...]:
    """By setting a third man takes the place of a dead observer, once (RED-7.8)."""
    condition = condition_of(aircraft)
    if not data_book.third_man or not condition.observer_killed or condition.third_man_serves:
        return ()
    trace.setting("RED-7.8", "third_man", book.settings.third_man)
    return (Effect(Harm.OBSERVER_REPLACED),) if book.settings.third_man == "replaces" else ()


def next_man(aircraft: Aircraft, data_book: DataBook) -> Harm | None:
    """Who may take the controls that nobody holds; None where nobody is left (RED-7.8).

    The pilot, where he gave them to the man now dead and still lives; else the observer.
    """
    if not condition_of(aircraft).pilot_killed:
        return Harm.PILOT_FLIES
    return Harm.OBSERVER_FLIES if has_observer(aircraft, data_book) else None


def _taken_over(
    found: str, who: Harm | None, trace: Trace, dice: Dice, book: RedstarsBook
) -> tuple[Effect, ...]:
    """What becomes of the controls of a dead man; nothing if the aircraft is lost (RED-7.8)."""
    if who is None:
        return ()
    if found != "pilot-killed-observer-wounded":
        trace.setting("RED-7.8", "takeover", book.settings.takeover)
        if book.settings.takeover == "result-two-only":
            return ()
    if takes_over(trace, dice, book):
        return (Effect(who),)
    trace.setting("RED-7.8", "takeover_tries", book.settings.takeover_tries)
    return () if book.settings.takeover_tries == "once" else (Effect(Harm.CONTROLS_FREE),)


def takes_over(trace: Trace, dice: Dice, book: RedstarsBook) -> bool:
    """Whether the other man reaches the controls (RED-7.8)."""
    number = figure(book, "takeover_number")
    return trace.roll(dice, Ask((D10,), AtLeast(number), "take-over", "RED-7.8"))


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
