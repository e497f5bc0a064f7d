"""Laws that every test and every move keeps: better pilots fare no worse, and no side is favored.

A table that is turned or mirrored changes nothing but where things lie.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from chance import examples
from guncamera.rules.odds import odds_of
from guncamera.rules.refusal import Illegal
from guncamera.rulesets.redstars import facts as f
from guncamera.rulesets.redstars.aircraft import (
    Aircraft,
    AltitudeCard,
    Condition,
    Flight,
    Maneuver,
    Pilot,
    PilotTrait,
    Position,
    TweakSide,
)
from guncamera.rulesets.redstars.damage import rule_on_damage
from guncamera.rulesets.redstars.facts import Choice, MoveFacts, Moving, Pair, Tweak
from guncamera.rulesets.redstars.move import rule_on_move
from guncamera.rulesets.redstars.outcomes import Met, Moved
from guncamera.rulesets.redstars.spot import rule_on_spot
from hypothesis import assume, event, given
from hypothesis import strategies as st
from redstars_shots import ALTERNATIVES, BOOK, Tape, tapes

many = examples(80)
few = examples(40)
RATINGS = range(-1, 5)
HERE = Position(0, 0, 0, 6)

# ---- A better rating never worsens a test


def flown(rating, condition=None, flight=Flight.NORMAL, kind="i153", **more):
    return Aircraft("A1", kind, HERE, 3, Pilot(rating, **more), condition, flight=flight)


def passing(test, **more):
    """The chance to pass a single test, by rating."""
    flight = Flight.SPINNING if test == f.Test.SPIN_RECOVERY else Flight.NORMAL

    def chance(rating, condition, book):
        testing = f.Testing(flown(rating, condition, flight), test, **more)
        return of_damage(f.DamageFacts(testing), book)

    return chance


def of_damage(facts, book):
    odds = odds_of(lambda dice: rule_on_damage(facts, book, dice).outcome)
    return odds.of(lambda outcome: outcome.procedure.passed)


def spotted(rating, condition, book):
    return seen(f.Looking(Pilot(rating), condition, up_sun=True), book)


def seen(looking, book):
    odds = odds_of(lambda dice: rule_on_spot(f.SpotFacts(looking), book, dice).outcome)
    return odds.of(lambda outcome: outcome.procedure.spotted)


def struck(facts, book):
    book = book.with_settings({"crash_outcome": "both-lost"})
    odds = odds_of(lambda dice: rule_on_move(MoveFacts(facts), book, dice).outcome)
    return odds.of(lambda outcome: outcome.procedure.struck)


OTHER = Aircraft("B1", "ki27", HERE, 3, Pilot(1))


def avoided(rating, condition, book):
    facts = f.Colliding(Pair(flown(rating, condition)), Pair(OTHER))
    return 1 - struck(facts, book)


def rammed(rating, condition, book):
    return struck(f.Ramming(Pair(flown(rating, condition)), Pair(OTHER)), book)


def spared(rating, condition, book):
    """The target's rating counts against a ram."""
    return 1 - struck(f.Ramming(Pair(OTHER), Pair(flown(rating, condition))), book)


def kept(choice, **more):
    """The chance that a move passes every test that it asks for."""

    def chance(rating, condition, book):
        aircraft = flown(rating, condition, **more)
        facts = MoveFacts(Moving(aircraft, choice))
        odds = odds_of(lambda dice: rule_on_move(facts, book, dice).outcome)
        return odds.of(lambda outcome: not outcome.procedure.failed_tests)

    return chance


def straight(card, *, take=False):
    return Choice("A1", Maneuver.STRAIGHT, card, take_speed=take)


GONE = Condition(engine_marks=(3,))
ALERT = (PilotTrait.ALERT,)
CHANCES = {
    "skill": [passing(f.Test.SKILL)],
    "airframe": [
        passing(f.Test.AIRFRAME),
        kept(Choice("A1", Maneuver.STRAIGHT, AltitudeCard.DIVE_4)),
    ],
    "engine": [passing(f.Test.ENGINE)],
    "spotting": [spotted],
    "blow-out dive 3": [passing(f.Test.BLOW_OUT, altitude_card=AltitudeCard.DIVE_3)],
    "blow-out dive 4": [passing(f.Test.BLOW_OUT, altitude_card=AltitudeCard.DIVE_4)],
    "collision": [avoided],
    "ram": [rammed, spared],
    "spin number": [passing(f.Test.SPIN_RECOVERY)],
    "stall": [kept(straight(AltitudeCard.CLIMB_3))],
    "climb": [kept(straight(AltitudeCard.CLIMB_3), kind="i16t5")],
    "glide": [kept(straight(AltitudeCard.DIVE_2, take=True))],
}
UNMOVED = {"blow-out dive 3", "blow-out dive 4", "engine"}
"""No rating counts, or by setting only."""


def test_every_test_of_the_table_is_held_to_the_law():
    rows = {row.label for row in BOOK.tables["tests"].rows}
    assert rows <= set(CHANCES)
    assert set(f.Test) == {
        test for test in f.Test if any(test.value.split("_")[0] in name for name in CHANCES)
    }


@pytest.mark.parametrize("name", CHANCES)
@given(
    st.integers(0, 2),
    st.booleans(),
    st.lists(st.sampled_from(ALTERNATIVES), max_size=3),
)
@few
def test_a_better_rating_never_worsens_a_test(name, wounds, damaged, chosen):
    book = BOOK.with_settings(dict(chosen))
    condition = Condition(damage=8 if damaged else 0, pilot_wounds=wounds)
    if name.startswith("blow-out"):
        condition = replace(condition, fires_d6=1)
    if name == "glide":
        condition = replace(condition, engine_marks=GONE.engine_marks)
    for chance in CHANCES[name]:
        found = [chance(rating, condition, book) for rating in RATINGS]
        assert found == sorted(found)
        assert (found[0] < found[-1]) == (
            name not in UNMOVED or (name == "engine" and book.settings.engine_test_rating)
        )


@pytest.mark.parametrize("rating", RATINGS)
@pytest.mark.parametrize("wounds", [0, 1, 2])
def test_a_trait_never_worsens_the_test_that_it_is_for(rating, wounds):
    condition = Condition(pilot_wounds=wounds)
    skilled = (PilotTrait.ONE_WITH_THE_MACHINE,)
    for test in (f.Test.AIRFRAME, f.Test.ENGINE):
        plain, better = (
            of_damage(f.DamageFacts(f.Testing(flown(rating, condition, traits=t), test)), BOOK)
            for t in ((), skilled)
        )
        assert better > plain
    for up_sun in (False, True):
        looks = [f.Looking(Pilot(rating, t), condition, up_sun=up_sun) for t in ((), ALERT)]
        plain, alert = (seen(looking, BOOK) for looking in looks)
        assert alert > plain


# ---- Rotation and reflection change nothing

mils = st.integers(-30_000, 30_000)
headings = st.sampled_from(range(0, 360, 5))
places = st.builds(Position, mils, mils, headings, st.integers(4, 8))
GEOMETRY = ("RED-2.3", "RED-3", "RED-4", "RED-6.1", "RED-6.6", "RED-6.8", "RED-9")
SETTINGS = [
    (spec.name, value)
    for spec in BOOK.setting_specs.values()
    if spec.rule_id.startswith(GEOMETRY)
    for value in [choice.value for choice in spec.choices] or (spec.low, spec.high)
]
chosen_settings = st.lists(st.sampled_from(SETTINGS), max_size=4)


def mirrored(at):
    return replace(at, x_mils=-at.x_mils, heading_degrees=-at.heading_degrees % 360)


def quarter(at):
    return replace(
        at, x_mils=at.y_mils, y_mils=-at.x_mils, heading_degrees=(at.heading_degrees + 90) % 360
    )


def moved_off(at):
    return replace(at, x_mils=at.x_mils + 1_234, y_mils=at.y_mils - 777)


WAYS = {"a mirror": mirrored, "a quarter turn": quarter, "another place": moved_off}


@pytest.mark.parametrize("way", WAYS)
@given(places, places, chosen_settings)
@many
def test_a_measurement_is_the_same_in_a_mirror_and_on_a_turned_table(way, here, there, chosen):
    book = BOOK.with_settings(dict(chosen))
    turn = WAYS[way]

    def measured(one, other):
        facts = f.SpotFacts(f.Measuring(one, other))
        return rule_on_spot(facts, book, None).outcome.procedure

    plain, other = measured(here, there), measured(turn(here), turn(there))
    assert replace(plain, bearing_degrees=0) == replace(other, bearing_degrees=0)
    bearing = -plain.bearing_degrees if way == "a mirror" else plain.bearing_degrees
    # Dead astern is 180 both ways, and what lies between two steps may fall to either.
    assert (other.bearing_degrees - bearing + 180) % 360 - 180 in (-5, 0, 5)


LEFT_RIGHT = {"left": "right", "right": "left"}


def swapped(name):
    """A maneuver to the other side."""
    *head, last = name.split("_")
    return "_".join([*head, LEFT_RIGHT.get(last, last)])


def seen_so(aircraft, choice, tweaks, way):
    """A move as it looks in a mirror or on a turned table."""
    turned = replace(aircraft, position=WAYS[way](aircraft.position))
    if way != "a mirror":
        return turned, choice, tweaks
    return (
        turned,
        replace(choice, maneuver=Maneuver(swapped(choice.maneuver))),
        tuple(replace(one, side=TweakSide(swapped(one.side))) for one in tweaks),
    )


@pytest.mark.parametrize("way", WAYS)
@given(
    st.sampled_from(sorted(BOOK.aircraft)),
    places,
    st.integers(2, 5),
    st.sampled_from(Maneuver),
    st.none() | st.sampled_from(AltitudeCard),
    st.lists(st.builds(Tweak, st.integers(1, 5), st.sampled_from(TweakSide)), max_size=3),
    st.booleans(),
    chosen_settings,
    tapes,
)
@many
def test_a_move_is_the_same_in_a_mirror_and_on_a_turned_table(
    way, kind, at, speed, maneuver, card, tweaks, burning, chosen, tape
):
    book = BOOK.with_settings(dict(chosen))
    condition = Condition(damage=8, fires_d6=int(burning))
    aircraft = Aircraft("A1", kind, at, speed, Pilot(2), condition)
    choice = Choice("A1", maneuver, card)

    def ruled(one, what, turned):
        try:
            facts = MoveFacts(Moving(one, what, tailing=True, tweaks=turned))
            return rule_on_move(facts, book, Tape(tape)).outcome.procedure
        except Illegal as refused:
            return refused.rule_id, refused.field

    plain = ruled(aircraft, choice, tuple(tweaks))
    other = ruled(*seen_so(aircraft, choice, tuple(tweaks), way))
    event(f"flown: {isinstance(plain, Moved)}")
    if not isinstance(plain, Moved):
        assert plain == other
        return
    assume(plain.flight != Flight.SPINNING)  # a scatter die points to a side of the table
    turn = WAYS[way]
    expected = replace(
        plain,
        position=turn(plain.position),
        discs=tuple(turn(disc) for disc in plain.discs),
        maneuver=seen_so(aircraft, choice, (), way)[1].maneuver,
    )
    assert other == expected


@pytest.mark.parametrize("way", WAYS)
@given(places, places, mils, mils, chosen_settings, tapes)
@many
def test_meetings_are_the_same_in_a_mirror_and_on_a_turned_table(
    way, here, there, x, y, chosen, tape
):
    book = BOOK.with_settings(dict(chosen))
    there = replace(there, x_mils=here.x_mils + x // 10, y_mils=here.y_mils + y // 10)
    turn = WAYS[way]

    def ruled(kind, at, other):
        one, two = (
            Aircraft(name, "i153", place, 3, Pilot(1))
            for name, place in (("A1", at), ("B1", other))
        )
        facts = f.Declaring(one, two) if kind is f.Declaring else kind(Pair(one), Pair(two))
        try:
            found = rule_on_move(MoveFacts(facts), book, Tape(tape)).outcome.procedure
        except Illegal as refused:
            return refused.rule_id
        # A scatter die points to a side of the table, and a drift goes there.
        if isinstance(found, Met):
            fates = tuple(replace(one, position=None) for one in found.fates)
            found = replace(found, fates=fates)
        return found

    for kind in (f.Declaring, f.Colliding, f.Ramming):
        assert ruled(kind, here, there) == ruled(kind, turn(here), turn(there))
