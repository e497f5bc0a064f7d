"""Laws of damage in Rising Suns and Red Stars: tests, hits, crews, fires, and every setting."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from guncamera.rules.dealt import DealtDice
from guncamera.rules.odds import odds_of
from guncamera.rules.plain import from_plain
from guncamera.rules.refusal import Refusal, RollRequired
from guncamera.rules.trace import RollLine, SettingLine, audit
from guncamera.rulesets.redstars import aircraft as air
from guncamera.rulesets.redstars import facts as f
from guncamera.rulesets.redstars.condition import current_rating, with_effects
from guncamera.rulesets.redstars.damage import rule_on_damage
from guncamera.rulesets.redstars.events import AircraftMoved
from guncamera.rulesets.redstars.fire import rule_on_fire
from guncamera.rulesets.redstars.move import rule_on_move
from guncamera.rulesets.redstars.outcomes import Effect, End, Harm, Worked
from guncamera.rulesets.redstars.spot import rule_on_spot
from hypothesis import given
from hypothesis import strategies as st
from redstars_shots import (
    ALTERNATIVES,
    BOOK,
    Tape,
    assert_playable,
    by_every_face,
    chance,
    craft,
    damage,
    few,
    many,
    planes,
    procedures,
    rating_by_the_page,
    refused_by,
    shots,
    tapes,
)
from shipped import shipped_cases

# ---- Tests


@given(planes("A1"), st.sampled_from(f.Test))
@many
def test_a_better_rating_never_makes_a_test_worse(plane, kind):
    plane = replace(plane, flight=air.Flight.SPINNING if kind == "spin_recovery" else plane.flight)
    if plane.pilot.rating == 4 or (kind == "engine" and not engines_left(plane)):
        return
    if kind == "blow_out":
        plane = replace(plane, condition=replace(plane.condition, fires_d6=1))
    for book in (BOOK, BOOK.with_settings({"engine_test_rating": True})):
        better = replace(plane, pilot=replace(plane.pilot, rating=plane.pilot.rating + 1))
        card = air.AltitudeCard.DIVE_3
        test, best = (f.Testing(one, kind, card) for one in (plane, better))
        assert chance(test, book) <= chance(best, book)


def engines_left(plane):
    boxes = BOOK.aircraft[plane.type].engines
    return any(mark < box for mark, box in zip(plane.condition.engine_marks, boxes))


@pytest.mark.parametrize("kind", ["skill", "airframe", "engine", "spin_recovery"])
def test_one_more_wound_or_half_its_damage_never_helps(kind):
    flight = air.Flight.SPINNING if kind == "spin_recovery" else air.Flight.NORMAL
    worse = [
        air.Condition(),
        air.Condition(pilot_wounds=1),
        air.Condition(pilot_wounds=1, pilot_severe=1),
        air.Condition(pilot_wounds=2, pilot_severe=1),
        air.Condition(pilot_wounds=2, pilot_severe=1, damage=8),
    ]
    found = [
        chance(f.Testing(craft("A1", rating=2, condition=c, flight=flight), f.Test(kind)))
        for c in worse
    ]
    assert found == sorted(found, reverse=True)
    assert found[0] > found[-1], "being DAMAGED weighs on all of them"


def test_ratings_after_wounds_are_those_of_the_page():
    for rating, wounds, severe, tough, spared in product(
        range(-1, 5), range(3), range(3), (False, True), (False, True)
    ):
        if severe > wounds or (spared and not severe):
            continue
        condition = air.Condition(
            pilot_wounds=wounds, pilot_severe=severe, pilot_tough_spared=spared
        )
        plane = craft(rating=rating, traits=["tough"] if tough else (), condition=condition)
        assert current_rating(plane, BOOK) == rating_by_the_page(plane)
        if wounds == 2:
            other = BOOK.with_settings({"second_wound": "four"})
            cost = 0 if tough else 1
            assert current_rating(plane, other) == rating_by_the_page(plane) - cost


def test_a_tough_man_is_spared_his_first_wound_as_it_comes():
    tough = craft(rating=2, traits=["tough"])
    for first, second, left in (("s", "w", -1), ("w", "s", -2), ("s", "s", -2), ("w", "w", -1)):
        condition = air.Condition()
        for wound in (first, second):
            effects = [Effect(Harm.PILOT_WOUNDED)]
            effects += [Effect(Harm.PILOT_SEVERE)] if wound == "s" else []
            condition = with_effects(condition, effects)
            if condition.pilot_wounds == 1:
                assert current_rating(replace(tough, condition=condition), BOOK) == 2
        assert current_rating(replace(tough, condition=condition), BOOK) == left


# ---- At the table: real dice, one throw at a time


@given(procedures(), tapes, st.lists(st.sampled_from(ALTERNATIVES), max_size=3))
@many
def test_each_test_hit_and_risk_can_be_thrown_with_real_dice(procedure, tape, chosen):
    book = BOOK.with_settings(dict(chosen))
    rule = lambda dice: rule_on_damage(f.DamageFacts(procedure), book, dice)  # noqa: E731
    if refused_by(dict(chosen), rule, tape) is None:
        assert_playable(rule, tape)


@given(planes("A1"), st.booleans(), st.booleans(), tapes)
@few
def test_a_spotting_test_can_be_thrown_with_real_dice(plane, up_sun, damaged, tape):
    looking = f.SpotFacts(f.Looking(plane.pilot, plane.condition, damaged, up_sun))
    assert_playable(lambda dice: rule_on_spot(looking, BOOK, dice), tape)


HURT = air.Condition(damage=8, fires_d6=1, fires_d8=1, engine_marks=(1,), pilot_wounds=1)
GIVEN_OVER = air.Condition(pilot_wounds=2, observer_flies=True, observer_wounds=1)
SKILLED = ["one_with_the_machine", "sniper"]
EVERY = [
    f.Testing(craft(rating=1, traits=SKILLED, condition=HURT), f.Test.SKILL),
    f.Testing(craft(rating=1, traits=SKILLED, condition=HURT), f.Test.AIRFRAME),
    f.Testing(craft(condition=HURT), f.Test.AIRFRAME, air.AltitudeCard.DIVE_4),
    f.Testing(craft(kind="sb", traits=SKILLED), f.Test.ENGINE),
    f.Testing(craft(condition=HURT), f.Test.BLOW_OUT, air.AltitudeCard.DIVE_3),
    f.Testing(craft(condition=HURT), f.Test.BLOW_OUT, air.AltitudeCard.DIVE_4),
    f.Testing(craft(rating=-1, flight=air.Flight.SPINNING), f.Test.SPIN_RECOVERY),
    f.SpecialHit(craft(kind="i16t17", condition=HURT)),
    f.SpecialHit(craft(kind="sb", condition=HURT)),
    f.SpecialHit(craft(kind="sb"), fire_only=True),
    f.RiskToPilot(craft(condition=HURT)),
    f.RiskToPilot(craft(kind="ki30"), sniper=True),
    f.RiskToPilot(craft(kind="ki30", condition=GIVEN_OVER)),
    f.TurnEnd((craft(flight=air.Flight.SPINNING, condition=HURT), craft("A1", condition=HURT))),
]


@pytest.mark.parametrize("procedure", EVERY, ids=lambda one: type(one).__name__)
@pytest.mark.parametrize(
    "chosen",
    [{}, {"engine_hit": "engine-test", "fire_timing": "at-once", "sniper_risk": "plus-two"}],
    ids=["default", "other"],
)
def test_the_odds_of_damage_are_those_of_every_face(procedure, chosen):
    book = BOOK.with_settings(chosen)
    if isinstance(procedure, f.TurnEnd):
        procedure = f.TurnEnd(procedure.aircraft[:1])
    rule = lambda dice: rule_on_damage(f.DamageFacts(procedure), book, dice)  # noqa: E731
    assert odds_of(lambda dice: rule(dice).outcome).outcomes == by_every_face(rule)


@pytest.mark.parametrize("procedure", EVERY, ids=lambda one: type(one).__name__)
@pytest.mark.parametrize("first", range(10))
def test_every_die_of_damage_can_be_thrown_with_real_dice(procedure, first):
    for second in range(6):
        tape = [first, second, 5, 3, 1, 4, 2]
        assert_playable(lambda dice: rule_on_damage(f.DamageFacts(procedure), BOOK, dice), tape)


# ---- Settings

LATER = frozenset({"ram_altitude"})


def same_or_named(rule, name, value, tape):
    """Under the same dice a setting either changes nothing, or is named both times, or refuses."""
    other = BOOK.with_settings({name: value})
    if refused_by([name], lambda dice: rule(other, dice), tape):
        return
    rulings = [rule(book, Tape(tape)) for book in (BOOK, other)]
    if rulings[0].outcome == rulings[1].outcome:
        return
    for ruling in rulings:
        assert name in {x.name for x in ruling.trace if isinstance(x, SettingLine)}


@pytest.mark.parametrize(("name", "value"), ALTERNATIVES)
@given(shots(), tapes)
@few
def test_a_setting_that_changes_a_shot_is_named(name, value, shot, tape):
    rule = lambda book, dice: rule_on_fire(f.FireFacts(shot), book, dice)  # noqa: E731
    same_or_named(rule, name, value, tape)


@pytest.mark.parametrize(("name", "value"), ALTERNATIVES)
@given(procedures(), tapes)
@few
def test_a_setting_that_changes_damage_is_named(name, value, procedure, tape):
    rule = lambda book, dice: rule_on_damage(f.DamageFacts(procedure), book, dice)  # noqa: E731
    same_or_named(rule, name, value, tape)


@given(shots(), procedures(), tapes, st.lists(st.sampled_from(ALTERNATIVES), max_size=4))
@many
def test_every_trace_adds_up_under_any_settings(shot, procedure, tape, chosen):
    book = BOOK.with_settings(dict(chosen))
    for rule in (
        lambda dice: rule_on_fire(f.FireFacts(shot), book, dice),
        lambda dice: rule_on_damage(f.DamageFacts(procedure), book, dice),
    ):
        if refused_by(dict(chosen), rule, tape):
            continue
        ruling = rule(Tape(tape))
        assert audit(ruling.trace, book.tables) == []
        assert ruling.summary.endswith(".")


REFUSED = [
    case
    for case in shipped_cases()
    if case.ruleset == "redstars" and case.refused and case.file.split("/")[1][:2] in "05060708"
]
RULES = {
    "fire": (f.FireFacts, rule_on_fire),
    "damage": (f.DamageFacts, rule_on_damage),
    "spot": (f.SpotFacts, rule_on_spot),
    "move": (f.MoveFacts, rule_on_move),
}


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.id)
def test_every_guard_comes_before_the_first_die(case):
    kind, rule = RULES[case.verb]
    facts, book = from_plain(kind, case.facts, "facts"), BOOK.with_settings(case.settings)
    with pytest.raises(Refusal) as refused:
        rule(facts, book, DealtDice(()))
    assert not isinstance(refused.value, RollRequired)
    assert refused.value.rule_id == case.refused["rule_id"]


# ---- The end of a turn


@given(st.permutations(["A1", "A2", "B1"]), tapes)
@few
def test_the_end_of_a_turn_goes_by_id_whatever_the_order_given(order, tape):
    burning = air.Condition(fires_d6=1, fires_d8=1)
    crafts = {
        "A1": craft("A1", flight=air.Flight.SPINNING),
        "A2": craft("A2", condition=burning),
        "B1": craft("B1", "ki10", flight=air.Flight.SPINNING, condition=burning),
    }
    rule = lambda names: rule_on_damage(  # noqa: E731
        f.DamageFacts(f.TurnEnd(tuple(crafts[name] for name in names))), BOOK, Tape(tape)
    )
    ruling = rule(order)
    assert ruling == rule(sorted(order))
    assert [one.aircraft for one in ruling.outcome.procedure.aircraft] == sorted(order)
    purposes = [line.purpose for line in ruling.trace if isinstance(line, RollLine)]
    assert purposes == ["spin-recovery", "spin-recovery", "fire", "fire"]


def test_a_recovered_aircraft_flies_on_and_then_burns():
    condition = air.Condition(fires_d8=1, damage=8)
    plane = craft("A1", flight=air.Flight.SPINNING, condition=condition)
    ruling = damage(f.TurnEnd((plane,)), (4, 3, 7))
    moved, harm, left = ruling.events
    assert isinstance(moved, AircraftMoved)
    assert (moved.speed, moved.flight, moved.position) == (1, air.Flight.NORMAL, plane.position)
    assert (harm.harm, harm.amount, harm.rule_id) == (Harm.DAMAGE, 7, "RED-8.3")
    assert (left.end, left.rule_id) == (End.SHOT_DOWN, "RED-8.1")
    assert ruling.summary == "A1 recovers; A1 burns: it takes 7 damage; A1 is lost."


def test_events_stand_under_the_rule_behind_them():
    hurt = air.Condition(pilot_wounds=1)
    cases = [
        (f.Testing(craft(), f.Test.AIRFRAME), (3, 3, 1), "RED-5.4"),
        (f.Testing(craft(), f.Test.ENGINE), (1, 1), "RED-5.5"),
        (f.SpecialHit(craft()), (8,), "RED-7.2"),
        (f.RiskToPilot(craft()), (4,), "RED-7.7"),
        (f.Handover(craft(kind="ki30", condition=hurt)), (), "RED-7.9"),
    ]
    for procedure, faces, rule_id in cases:
        events = damage(procedure, faces).events
        assert events
        assert {event.rule_id for event in events} == {rule_id}
    (left,) = damage(f.Testing(craft(), f.Test.AIRFRAME, air.AltitudeCard.DIVE_4), (1, 1)).events
    assert (left.end, left.rule_id) == (End.WINGS_OFF, "RED-5.4")
    _, left = damage(f.RiskToPilot(craft()), (1,)).events
    assert (left.end, left.rule_id) == (End.CREW_LOST, "RED-7.8")


def test_a_single_test_says_what_it_came_to():
    told = {
        (f.Test.SKILL, (3, 3)): "B1 passes the skill test.",
        (f.Test.AIRFRAME, (3, 3, 4)): "B1 fails the airframe test: it takes 4 damage.",
        (f.Test.ENGINE, (2, 2)): "B1 fails the engine test: 1 engine box is marked.",
    }
    for (kind, faces), text in told.items():
        assert damage(f.Testing(craft(), kind), faces).summary == text
    outcome = damage(f.SpecialHit(craft()), (2,)).outcome.procedure
    assert outcome == Worked("B1", effects=(Effect(Harm.OIL_LEAK),))


def test_a_game_of_before_keeps_its_trace_of_a_lost_gun():
    """The line for guns of one weapon came with `ram_altitude`; films of before do without."""
    lost = f.DamageFacts(f.SpecialHit(craft(kind="a5m2")))
    now, before = (
        rule_on_damage(lost, book, Tape([3, 1])) for book in (BOOK, replace(BOOK, later=LATER))
    )
    assert now.outcome == before.outcome
    assert [x for x in now.trace if x not in before.trace] == [
        SettingLine("RED-7.4", "lost_die", "random")
    ]
    mixed = f.DamageFacts(f.SpecialHit(craft(kind="i16t17")))
    assert "lost_die" in {
        x.name
        for x in rule_on_damage(mixed, replace(BOOK, later=LATER), Tape([3, 1])).trace
        if isinstance(x, SettingLine)
    }
