"""Movement: plots checked and costed, and plots flown. Chapters 2 to 6 of the rules.

The dice of a movement fall in this order: the stress of each flight along its path, flight by
flight; then over-speed; then the guns that are jammed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from guncamera.rules.dice import Dice
from guncamera.rules.refusal import Malformed
from guncamera.rules.ruling import Ruling
from guncamera.rules.trace import Trace
from guncamera.rulesets.circus import jams
from guncamera.rulesets.circus.aeroplanes import check_own
from guncamera.rulesets.circus.aircraft import UNHURT, Aeroplane, Aircraft, Condition, Mount, Pose
from guncamera.rulesets.circus.book import CircusBook, aeroplane_of
from guncamera.rulesets.circus.condition import with_effects
from guncamera.rulesets.circus.destruction import judge
from guncamera.rulesets.circus.events import AircraftLeft, AircraftMoved, Change
from guncamera.rulesets.circus.facts import Flight, Flying, MoveFacts, Plotting
from guncamera.rulesets.circus.flight import FlownPath
from guncamera.rulesets.circus.fly import flown_path
from guncamera.rulesets.circus.guns import loads_of
from guncamera.rulesets.circus.harms import harmed, in_words, record
from guncamera.rulesets.circus.move_trace import END_RULES, record_flown, record_plan
from guncamera.rulesets.circus.outcomes import (
    Effect,
    End,
    Flown,
    FlownFlight,
    Harm,
    MoveOutcome,
    Plotted,
    PlottedFlight,
)
from guncamera.rulesets.circus.over_speed import is_checked, roll_over_speed
from guncamera.rulesets.circus.straight_on import broken_off, straight_on
from guncamera.rulesets.circus.stress import strain
from guncamera.rulesets.circus.walk import StressAct


def rule_on_move(facts: MoveFacts, book: CircusBook, dice: Dice) -> Ruling[MoveOutcome]:
    """Rules on a movement of either kind; see the rule of each for what it refuses."""
    own = facts.own_aeroplanes
    if own:
        check_own(own, book, "own_aeroplanes")
    match facts.procedure:
        case Plotting() as plotting:
            return rule_on_plotting(plotting, own, book)
        case Flying() as flying:
            return rule_on_flying(flying, own, book, dice)


# ---- Plots


def rule_on_plotting(
    facts: Plotting, own: Sequence[Aeroplane], book: CircusBook
) -> Ruling[MoveOutcome]:
    """Rules on plots without flying them. No dice.

    Raises:
        Malformed: CIR-1.2, CIR-1.3, CIR-2.1 to CIR-2.3, CIR-4.6: facts or codes that are none.
        Illegal: A plot breaks a rule of chapters 2 to 6; the message names the code.

    Source: seed 002, simultaneous movement codes, diving, special manoeuvres; register sections 1,
        3 and 9.
    """
    trace = Trace()
    plans = _planned(facts.flights, own, book, "plotting.flights", trace)
    plotted = [_plotted(plan) for plan in plans]
    summary = "; ".join(
        f"{one.aircraft} would fly to {one.hex} facing {one.facing}, at {one.altitude_feet} feet"
        for one in plotted
    )
    return Ruling(MoveOutcome(Plotted(tuple(plotted))), tuple(trace.lines), (), f"{summary}.")


def _plotted(plan: _Plan) -> PlottedFlight:
    flown, last = plan.flown, plan.flown.last
    checks = sum(1 for act in flown.acts if act.first and act.checked)
    return PlottedFlight(
        aircraft=plan.aircraft.id,
        speed_mp=plan.speed_mp,
        mp_spent=flown.flown_mp,
        stress_checks=checks,
        hex=last.hex,
        facing=last.facing,
        altitude_feet=last.altitude_feet,
    )


# ---- Flights as they are meant


@dataclass(frozen=True, slots=True)
class _Plan:
    """A flight before its dice fall.

    Attributes:
        speed_mp: The speed it is flown at, without kinetic energy.
        scored_on: An enemy has scored on it.
        jams_anew: Its weapons that have jammed in this turn.
    """

    aircraft: Aircraft
    aeroplane: Aeroplane
    flown: FlownPath
    speed_mp: int
    scored_on: bool
    jams_anew: tuple[int, ...]


def _planned(
    flights: Sequence[Flight], own: Sequence[Aeroplane], book: CircusBook, field: str, trace: Trace
) -> tuple[_Plan, ...]:
    """All flights, checked before the first die."""
    _check_flights(flights, field)
    plans = tuple(_plan(flight, own, book, f"{field}[{at}]") for at, flight in enumerate(flights))
    for plan in plans:
        _record_plan(plan, book, trace)
    return plans


def _check_flights(flights: Sequence[Flight], field: str) -> None:
    """There are flights, each aircraft has one, and each plot is its aircraft's (CIR-2.1)."""
    if not flights:
        raise Malformed("There is no flight; give at least one.", rule_id="CIR-2.1", field=field)
    named = Counter(flight.aircraft.id for flight in flights)
    for at, flight in enumerate(flights):
        id_ = flight.aircraft.id
        if named[id_] > 1:
            raise Malformed(
                f"{id_} flies {named[id_]} times; give each aircraft one flight.",
                rule_id="CIR-2.1",
                field=f"{field}[{at}].aircraft.id",
                aircraft=id_,
            )
        if flight.plot is not None and flight.plot.aircraft != id_:
            raise Malformed(
                f"The flight of {id_} has the plot of {flight.plot.aircraft}; give it its own.",
                rule_id="CIR-2.1",
                field=f"{field}[{at}].plot.aircraft",
                aircraft=id_,
                plotted=flight.plot.aircraft,
            )


def _plan(flight: Flight, own: Sequence[Aeroplane], book: CircusBook, field: str) -> _Plan:
    aircraft = flight.aircraft
    aeroplane = aeroplane_of(aircraft.aeroplane, own, book, f"{field}.aircraft.aeroplane")
    loads_of(aeroplane, aircraft.loads, f"{field}.aircraft.loads")
    flown = flown_path(aircraft, aeroplane, flight.plot, book, field)
    speed = flown.speed_mp if flight.plot is None else flight.plot.speed_mp
    return _Plan(aircraft, aeroplane, flown, speed, flight.scored_on, flight.jams_anew)


def _record_plan(plan: _Plan, book: CircusBook, trace: Trace) -> None:
    record_plan(plan.aircraft, plan.flown, plan.speed_mp, book, trace)
    for act in plan.flown.acts:
        if act.first:
            trace.finding("CIR-6.1", "high_stress", act.what, f"stand {act.step} of the path")


# ---- Flying


@dataclass(slots=True)
class _Way:
    """A flight while its dice fall.

    Attributes:
        flown: As far as it is flown.
        from_stress, from_speed: What the dice did.
        condition: With what they did so far.
    """

    plan: _Plan
    flown: FlownPath
    condition: Condition
    from_stress: tuple[Effect, ...] = ()
    from_speed: tuple[Effect, ...] = ()
    cleared: tuple[int, ...] = ()

    @property
    def aircraft(self) -> Aircraft:
        return self.plan.aircraft

    @property
    def aeroplane(self) -> Aeroplane:
        return self.plan.aeroplane

    @property
    def end(self) -> End | None:
        return self.flown.end


def _set_out(plan: _Plan) -> _Way:
    return _Way(plan, plan.flown, plan.aircraft.condition or UNHURT)


def rule_on_flying(
    facts: Flying, own: Sequence[Aeroplane], book: CircusBook, dice: Dice
) -> Ruling[MoveOutcome]:
    """Rules on plots as they are flown.

    Raises:
        Malformed, Illegal: As `rule_on_plotting`.

    Source: seed 002, simultaneous movement codes to special manoeuvres, over-speed effects and
        high stress; register sections 1, 3, 5 and 9.
    """
    trace = Trace.of(dice)
    plans = trace.part(
        dice, lambda trace, _: _planned(facts.flights, own, book, "flying.flights", trace)
    )
    ways = [_set_out(plan) for plan in plans]
    for way in ways:
        _strain(way, book, trace, dice)
    for way in ways:
        _over_speed(way, book, trace, dice)
    for way in ways:
        _clear_jams(way, book, trace, dice)
    flown = tuple(_flown(way) for way in ways)
    for plan, one in zip(plans, flown):
        record_flown(one, trace)
        if one.end == End.LANDED and plan.scored_on:
            trace.setting("CIR-12.9", "landed_kill", book.settings.landed_kill)
    return Ruling.told(MoveOutcome(Flown(flown)), trace, lambda: _told(ways, flown, book))


@dataclass(frozen=True, slots=True)
class _Strained:
    """What the stress of a flight came to.

    Attributes:
        last: The last act that was flown, where the flight was not flown on as it was meant.
        end: How the aircraft left the game there; None where a spar has cracked.
    """

    effects: tuple[Effect, ...] = ()
    last: int | None = None
    end: End | None = None


def _strain(way: _Way, book: CircusBook, trace: Trace, dice: Dice) -> None:
    """The stress of a flight, and what is left of its move (CIR-6.1 to CIR-6.6)."""
    acts = way.flown.acts
    found = trace.part(dice, partial(_strained, way.plan, book))
    way.from_stress = found.effects
    way.condition = with_effects(way.condition, found.effects)
    if found.last is None:
        return
    if found.end is not None:
        way.flown = broken_off(way.flown, acts[found.last], found.end)
    else:
        _fly_straight_on(way, acts[found.last + 1], book, trace)


def _strained(plan: _Plan, book: CircusBook, trace: Trace, dice: Dice) -> _Strained:
    """The stress of a flight, act by act."""
    acts = plan.flown.acts
    condition = plan.aircraft.condition or UNHURT
    effects: tuple[Effect, ...] = ()
    for at, act in enumerate(acts):
        if not act.first or not (act.checked or condition.structure_marks):
            continue
        trace.finding("CIR-6.1", "aircraft", plan.aircraft.id)
        trace.finding("CIR-6.1", "high_stress", act.what)
        more = trace.part(
            dice, partial(strain, plan.aeroplane, condition, book, checked=act.checked)
        )
        record(trace, more)
        end = judge(plan.aeroplane, condition, more, book, trace)
        condition = with_effects(condition, more)
        effects += more
        if end is not None or (at + 1 < len(acts) and _breaks_off(more, book, trace)):
            return _Strained(effects, at, end)
    return _Strained(effects)


def _breaks_off(effects: Sequence[Effect], book: CircusBook, trace: Trace) -> bool:
    """Whether a spar has just cracked, so that no high stress is flown any more (CIR-6.6)."""
    if not any(effect.harm == Harm.SPAR_CRACKED for effect in effects):
        return False
    trace.setting("CIR-6.6", "cracked_midway", book.settings.cracked_midway)
    return book.settings.cracked_midway == "straight-on"


def _fly_straight_on(way: _Way, act: StressAct, book: CircusBook, trace: Trace) -> None:
    """A spar has cracked, and the next high-stress act is not flown (CIR-6.6)."""
    trace.finding("CIR-6.6", "not_flown", act.what, "a spar has cracked; it flies straight on")
    named = way.flown.readings
    way.flown = straight_on(way.flown, act, way.aircraft, way.plan.speed_mp, book)
    for rule_id, name in way.flown.readings[len(named) :]:
        trace.setting(rule_id, name, getattr(book.settings, name))


def _over_speed(way: _Way, book: CircusBook, trace: Trace, dice: Dice) -> None:
    """Above the safe speed at the end of the move (CIR-6.5)."""
    if way.end is not None:
        return
    points, dived = way.flown.points, way.flown.dive != Pose.LEVEL
    aeroplane, before = way.aeroplane, way.condition
    if not is_checked(points, aeroplane, before, book, trace, dived=dived):
        return
    trace.finding("CIR-6.5", "aircraft", way.aircraft.id)
    way.from_speed = roll_over_speed(points, aeroplane, before, book, trace, dice)
    record(trace, way.from_speed, damage="CIR-6.5")
    end = judge(aeroplane, before, way.from_speed, book, trace)
    way.condition = with_effects(before, way.from_speed)
    if end is not None:
        last = len(way.flown.path) - 1
        act = StressAct("over-speed", last, last, first=True, checked=True)
        way.flown = broken_off(way.flown, act, end)


def _clear_jams(way: _Way, book: CircusBook, trace: Trace, dice: Dice) -> None:
    """A turn flown straight and level gives jammed weapons a die (CIR-3.7, CIR-9.16)."""
    if way.end is not None or not way.flown.straight_and_level:
        return
    cleared: list[int] = []
    tried = jams.tried(way.aircraft.loads, way.plan.jams_anew, trace, book)
    for group in jams.groups(way.aeroplane, tried, trace, book):
        mount = way.aeroplane.weapons[group[0]].mount
        if mount != Mount.FRONT and way.condition.gunner_killed:
            continue
        trace.finding("CIR-9.16", "aircraft", way.aircraft.id)
        for at in group:
            trace.finding("CIR-9.16", "weapon", at)
        if jams.clears(trace, dice, book):
            cleared += group
    way.cleared = tuple(sorted(cleared))


# ---- What came of it


def _flown(way: _Way) -> FlownFlight:
    flown, gone = way.flown, way.end is not None
    return FlownFlight(
        aircraft=way.aircraft.id,
        path=flown.path,
        hang_mp=flown.hang_mp,
        speed_mp=flown.speed_mp,
        ke_spent=flown.ke_spent,
        ke_change=flown.ke_change,
        dive=flown.dive,
        straight_and_level=flown.straight_and_level,
        power_diving=flown.power_diving and not gone,
        hanging=flown.hanging and not gone,
        stalled=flown.stalled,
        manoeuvres=tuple(
            manoeuvre for start, manoeuvre in flown.manoeuvres if start < len(flown.path) - 1
        ),
        effects=way.from_stress + way.from_speed,
        weapons_cleared=way.cleared,
        end=way.end,
    )


def _told(
    ways: Sequence[_Way], flown: Sequence[FlownFlight], book: CircusBook
) -> tuple[tuple[Change, ...], str]:
    events = tuple(event for way, one in zip(ways, flown) for event in _events(way, one, book))
    return events, f"{'; '.join(_in_words(way, one) for way, one in zip(ways, flown))}."


def _events(way: _Way, one: FlownFlight, book: CircusBook) -> Iterator[Change]:
    """What a flight changes on the board, in the order in which it happened."""
    last = one.path[-1]
    yield AircraftMoved(
        rule_id="CIR-3.1",
        aircraft=one.aircraft,
        to_hex=last.hex,
        facing=last.facing,
        altitude_feet=last.altitude_feet,
        speed_mp=one.speed_mp,
        ke_spent=one.ke_spent,
        ke_change=one.ke_change,
        dive=one.dive,
        hang_mp=one.hang_mp,
        power_diving=one.power_diving,
        hanging=one.hanging,
        path=one.path,
        stalled=one.stalled,
    )
    yield from harmed(one.aircraft, way.from_stress)
    yield from harmed(one.aircraft, way.from_speed, damage="CIR-6.5")
    if one.weapons_cleared:
        loads = way.aircraft.loads
        yield from jams.cleared_events(
            one.aircraft, way.aeroplane, loads, one.weapons_cleared, book
        )
    if one.end is not None:
        yield AircraftLeft(END_RULES[one.end.value], one.aircraft, one.end)


_ENDS = {
    End.DESTROYED: "is destroyed at",
    End.BROKEN_UP: "breaks up at",
    End.CRASHED: "crashes at",
    End.LANDED: "lands at",
    End.LEFT_MAP: "leaves the map from",
}


def _in_words(way: _Way, one: FlownFlight) -> str:
    last = one.path[-1]
    if one.end is not None:
        return f"{one.aircraft} {_ENDS[one.end]} {last.hex}"
    effects = way.from_stress + way.from_speed
    harm = "".join(f", and {in_words(effect)}" for effect in effects)
    cleared = ", and its guns are cleared" if one.weapons_cleared else ""
    return (
        f"{one.aircraft} flies to {last.hex} facing {last.facing}, at {last.altitude_feet} feet "
        f"and speed {one.speed_mp}{harm}{cleared}"
    )
