"""Laws of fire in Rising Suns and Red Stars: pools, shots, their odds, limits and geometry."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from chance import examples
from guncamera.rules.dealt import DealtDice
from guncamera.rules.dice import KeepLowest, Pool
from guncamera.rules.odds import odds_of, ways
from guncamera.rules.refusal import Illegal, Malformed, RollRequired
from guncamera.rules.trace import FindingLine, RollLine
from guncamera.rulesets.redstars import aircraft as air
from guncamera.rulesets.redstars import facts as f
from guncamera.rulesets.redstars.aim import aim_of
from guncamera.rulesets.redstars.aloft import check_aloft
from guncamera.rulesets.redstars.condition import with_effects
from guncamera.rulesets.redstars.events import AircraftLeft, Harmed, ShotFired
from guncamera.rulesets.redstars.fire import rule_on_fire
from guncamera.rulesets.redstars.geometry import stepped
from guncamera.rulesets.redstars.outcomes import Effect, End, Fired, Harm, RiskResult
from hypothesis import given
from hypothesis import strategies as st
from redstars_shots import (
    ALTERNATIVES,
    BOOK,
    REACH,
    Tape,
    Twin,
    assert_playable,
    by_every_face,
    craft,
    few,
    fire,
    fired,
    firing,
    many,
    odds,
    refused_by,
    shots,
    tapes,
)

DICE_ALL = (4, 6, 8)

# ---- Pools


@st.composite
def pools(draw):
    dice = tuple(draw(st.lists(st.sampled_from(DICE_ALL), min_size=1, max_size=5)))
    keep = draw(st.sampled_from([len(dice), len(dice) - 1])) or 1
    return dice, KeepLowest(keep, draw(st.integers(0, len(dice))))


@given(pools())
@many
def test_the_odds_of_a_pool_are_those_of_every_face(drawn):
    dice, read = drawn
    counted = Counter()
    for faces in product(*(range(1, sides + 1) for sides in dice)):
        total = sum(faces) - (max(faces) if read.keep < len(dice) else 0)
        ones = sum(face == 1 for face in faces[: read.ones_among])
        counted[Pool(total, min(ones, 2))] += 1
    assert dict(ways(dice, read)) == counted
    assert read.weigh(dice) == counted


def test_a_great_pool_is_weighed_at_once():
    dice = (4,) * 4 + (8,) * 2 + (4, 4)
    spent = []
    for _ in range(20):
        begun = time.process_time()
        counted = KeepLowest(7, 8).weigh(dice)
        spent.append(time.process_time() - begun)
    assert sum(counted.values()) == 4**6 * 8**2
    assert min(spent) < 0.01, "less than a hundredth of what listing its faces takes"


def test_rockets_are_weighed_too_where_faces_cannot_be_listed():
    counted = KeepLowest(32, 33).weigh((6,) * 32 + (4,))
    assert sum(counted.values()) == 6**32 * 4, "more ways than fit into eight octets"
    no_ones = sum(ways for pool, ways in counted.items() if not pool.ones)
    assert no_ones == 5**32 * 3


# ---- Shots


@given(shots(), tapes)
@examples(200)
def test_a_shot_is_what_the_page_says(shot, tape):
    dice = Tape(tape)
    ruling = rule_on_fire(f.FireFacts(shot), BOOK, dice)
    outcome, twin = ruling.outcome.procedure, Twin(shot, dice.faces).resolve()
    harms = [(effect.harm.value, effect.amount, effect.which) for effect in outcome.effects]
    assert outcome.weapons_hit == tuple(twin.hit)
    assert (outcome.damage, outcome.special_hit) == (twin.points, twin.special)
    assert harms == twin.harms
    assert outcome.end == twin.end


@given(shots(), tapes)
@many
def test_a_shot_leaves_its_target_fit_to_be_ruled_on_again(shot, tape):
    outcome = rule_on_fire(f.FireFacts(shot), BOOK, Tape(tape)).outcome.procedure
    after = replace(shot.target, condition=with_effects(shot.target.condition, outcome.effects))
    book = BOOK.aircraft[after.type]
    if outcome.end is None:
        check_aloft(after, book, BOOK, "target")
        return
    with pytest.raises((Illegal, Malformed)) as refused:
        check_aloft(after, book, BOOK, "target")
    assert refused.value.rule_id == ("RED-8.1" if outcome.end == End.SHOT_DOWN else "RED-7.8")


@given(shots(), tapes)
@many
def test_the_events_of_a_shot_are_its_outcome(shot, tape):
    ruling = rule_on_fire(f.FireFacts(shot), BOOK, Tape(tape))
    outcome = ruling.outcome.procedure
    first, *rest = ruling.events
    assert isinstance(first, ShotFired)
    assert first.weapons == shot.weapons
    assert (first.hit, first.damage) == (bool(outcome.weapons_hit), outcome.damage)
    harms = [event for event in rest if isinstance(event, Harmed)]
    assert tuple(Effect(e.harm, e.amount, e.which) for e in harms) == outcome.effects
    left = [(e.aircraft, e.end, e.by) for e in rest if isinstance(e, AircraftLeft)]
    assert left == ([("B1", outcome.end, "A1")] if outcome.end else [])
    assert len(harms) + len(left) == len(rest)


# ---- The dice of a shot come in their order


def test_the_dice_of_a_shot_come_in_the_order_of_the_register():
    shooter = craft("A1", "i16t17", traits=["sniper"])
    target = craft("B1", "i16t17")
    ruling = fire(firing(shooter, target, (1, 0)), (4, 1, 8, 2, 2, 1, 4, 4, 2, 10, 5))
    rolls = [(r.purpose, r.sides) for r in ruling.trace if isinstance(r, RollLine)]
    assert rolls == [
        ("to-hit", (10,)),
        ("damage", (8, 8, 4, 4, 4, 4)),
        ("special-hit", (10,)),
        ("gun-lost", (4,)),
        ("risk", (10,)),
        ("pilot-too", (10,)),
    ]
    ruling = fire(firing(target=craft("B1", "sb")), (4, 1, 1, 6, 3, 6, 4))
    rolls = [r.purpose for r in ruling.trace if isinstance(r, RollLine)]
    assert rolls == ["to-hit", "damage", "special-hit", "flammable", "risk", "which-man"]
    outcome = ruling.outcome.procedure
    assert outcome == Fired(
        (0,),
        2,
        special_hit=True,
        effects=(
            Effect(Harm.DAMAGE, 2),
            Effect(Harm.CAMERA_WRECKED),
            Effect(Harm.FIRE_D6),
            Effect(Harm.OBSERVER_WOUNDED),
        ),
        risk=RiskResult.OBSERVER,
    )
    assert ruling.summary == (
        "A1 hits B1 for 2: its camera or bomb bay is wrecked, it burns, d6 a turn, "
        "its observer is wounded."
    )


def test_special_hits_count_on_what_came_before_them():
    # The special hit marks the last box but one, the next shot's the last, and no engine is left.
    shot = firing(
        craft("A1", "a5m2"), craft("B1", "i15", condition=air.Condition(engine_marks=(1,)))
    )
    condition = shot.target.condition
    for marks in ((2,), (3,), (3,)):
        shot = replace(shot, target=replace(shot.target, condition=condition))
        outcome = fired(shot, (4, 1, 1, 8, 10))
        condition = with_effects(condition, outcome.effects)
        assert condition.engine_marks == marks


# ---- Odds

SMALL = {
    "two LMG": (craft("A1", "a5m2"), craft()),
    "at a rugged target": (craft("A1", "a5m2"), craft("B1", "i16t5")),
    "one gun of a sniper": (craft("A1", "ki30", traits=["sniper"]), craft("B1", "ki30")),
    "at a flammable bomber": (craft("A1", "ki30"), craft("B1", "sb")),
}


@pytest.mark.parametrize("name", SMALL)
def test_the_odds_of_a_whole_shot_are_those_of_every_face(name):
    shot = firing(*SMALL[name])
    rule = lambda dice: rule_on_fire(f.FireFacts(shot), BOOK, dice)  # noqa: E731
    assert odds_of(lambda dice: rule(dice).outcome).outcomes == by_every_face(rule)


@pytest.mark.parametrize(
    "chosen",
    [
        {"special_count": "own-dice", "engine_hit": "engine-test", "risk_trigger": "never"},
        {"fire_timing": "at-once", "flammable": "one", "lost_die": "first-weapon"},
        {"oil_leak": "per-die", "sniper_risk": "plus-two", "takeover": "result-two-only"},
    ],
    ids=lambda chosen: next(iter(chosen)),
)
@pytest.mark.parametrize("target", ["ki30", "i16t5"])
def test_the_odds_are_those_of_every_face_by_setting_too(chosen, target):
    book = BOOK.with_settings(chosen)
    condition = air.Condition(oil_leak=True)
    shot = firing(craft("A1", "ki30", traits=["sniper"], condition=condition), craft("B1", target))
    rule = lambda dice: rule_on_fire(f.FireFacts(shot), book, dice)  # noqa: E731
    assert odds_of(lambda dice: rule(dice).outcome).outcomes == by_every_face(rule)


def test_the_odds_of_a_shot_branch_on_what_matters_and_on_nothing_else():
    plain = odds(firing())
    rich = odds(
        firing(craft("A1", "i16t17", rating=2, traits=["sniper"]), craft("B1", "i16t17"), (0, 1))
    )
    assert plain.runs <= 70
    assert rich.runs <= 750
    assert sum(rich.outcomes.values()) == 1
    # Eight d6 of rockets, a d4 of a sniper and one of the target: beyond listing.
    most = odds(firing(craft("A1", "i153_rockets", traits=["sniper"]), craft(), (0, 1)))
    assert most.of(lambda one: bool(one.weapons_hit)) == Fraction(7, 10)


def test_the_odds_of_special_hits_are_those_of_the_register():
    plain, rugged = (odds(firing(target=craft("B1", kind))) for kind in ("i15", "i16t5"))
    special = lambda one: one.special_hit  # noqa: E731
    assert plain.of(special) == Fraction(7, 10) * Fraction(1, 16)
    assert rugged.of(special) == Fraction(7, 10) * Fraction(5, 32)


# ---- What never makes a test or a shot worse


def reaching(shot, number, book=BOOK):
    found = odds(shot, book)
    return found.of(lambda one: one.damage >= number)


@given(shots(), st.sampled_from([1, 4, 7]))
@few
def test_a_better_rating_never_makes_a_shot_worse(shot, number):
    pilot = shot.shooter.pilot
    if pilot.rating == 4:
        return
    better = replace(shot.shooter, pilot=replace(pilot, rating=pilot.rating + 1))
    easy = replace(shot, target=craft("B1", "i15", shot.target.position.altitude))
    assert reaching(easy, number) <= reaching(replace(easy, shooter=better), number)


@given(shots())
@few
def test_nearer_is_never_worse(shot):
    easy = replace(shot, target=craft("B1", "i15", shot.target.position.altitude))
    near = replace(easy, aim=replace(easy.aim, range_mils=easy.aim.range_mils // 2))
    assert reaching(easy, 1) <= reaching(near, 1)


@given(shots(), tapes, st.lists(st.sampled_from(ALTERNATIVES), max_size=3))
@many
def test_a_shot_can_be_thrown_with_real_dice(shot, tape, chosen):
    book = BOOK.with_settings(dict(chosen))
    rule = lambda dice: rule_on_fire(f.FireFacts(shot), book, dice)  # noqa: E731
    if refused_by(dict(chosen), rule, tape) is None:
        assert_playable(rule, tape)


# ---- Limits


@pytest.mark.parametrize("kind", REACH)
def test_a_weapon_reaches_its_range_and_five_mils_of_roundings(kind):
    weapon = air.Weapon(air.WeaponKind(kind), 1, 5)
    own = replace(BOOK.aircraft["i15"], type="own", weapons=(weapon,))
    for mils, reaches in ((0, True), (REACH[kind] + 5, True), (REACH[kind] + 6, False)):
        facts = f.FireFacts(firing(craft("A1", "own"), mils=mils), (own,))
        with pytest.raises(RollRequired if reaches else Illegal) as raised:
            rule_on_fire(facts, BOOK, DealtDice(()))
        assert raised.value.rule_id == ("RED-6.4" if reaches else "RED-6.2")
        if mils == REACH[kind] + 5:
            facts = replace(facts, procedure=firing(craft("A1", "own"), mils=REACH[kind] // 2 + 5))
            assert needs(rule_on_fire(facts, BOOK, DealtDice((1,)))) == ["4"], "half is not over"
            facts = replace(facts, procedure=firing(craft("A1", "own"), mils=REACH[kind] // 2 + 6))
            assert needs(rule_on_fire(facts, BOOK, DealtDice((1,)))) == ["5"]


def needs(ruling):
    lines = (line for line in ruling.trace if isinstance(line, FindingLine))
    return [line.value for line in lines if line.name.endswith("_needs")]


@pytest.mark.parametrize("bands", range(-5, 6))
def test_guns_reach_two_bands_up_and_down(bands):
    shot = firing(craft("A1", "a5m2"), craft("B1", altitude=6 + bands))
    with pytest.raises(RollRequired if abs(bands) <= 2 else Illegal):
        fire(shot)


# ---- Where they are: turned and mirrored tables

DISC = 5000
HEX = st.sampled_from(range(0, 360, 60))


def walked(start, codes, turn):
    """A position walked to on hexes, from a start and a heading that may be turned."""
    x, y = start
    for heading in codes:
        x, y = stepped(x, y, (heading + turn) % 360, DISC)
    return x, y


@given(
    st.lists(HEX, max_size=3),
    st.lists(HEX, max_size=3),
    HEX,
    HEX,
    st.integers(-2, 2),
    st.sampled_from(range(0, 360, 5)),
    st.sampled_from(air.Mounting),
    tapes,
)
@many
def test_a_shot_is_the_same_on_a_turned_table(mine, theirs, nose, other, bands, turn, mount, tape):
    aims = []
    for by in (0, turn):
        here = air.Position(*walked((0, 0), mine, by), (nose + by) % 360, 6)
        there = air.Position(*walked((0, 0), theirs, by), (other + by) % 360, 6 + bands)
        aims.append(aim_of(here, there, mount, BOOK))
    straight, turned = aims
    assert abs(straight.range_mils - turned.range_mils) <= 6, "roundings only"
    assert replace(straight, range_mils=0) == replace(turned, range_mils=0)
    outcomes = []
    for aim in aims:
        shooter, target = craft("A1", "ki30"), craft("B1", altitude=6 + bands)
        weapon = 0 if mount == air.Mounting.FORWARD else 1
        facts = f.FireFacts(f.Firing(shooter, target, (weapon,), aim))
        try:
            outcomes.append(rule_on_fire(facts, BOOK, Tape(tape)).outcome)
        except Illegal as refused:
            outcomes.append(refused.rule_id)
    assert outcomes[0] == outcomes[1]


coordinates = st.integers(-30_000, 30_000)
headings = st.sampled_from(range(0, 360, 5))


@given(coordinates, coordinates, headings, headings, st.sampled_from(air.Mounting))
@many
def test_arcs_are_the_same_in_a_mirror_and_after_a_quarter_turn(x, y, nose, other, mount):
    here, there = air.Position(0, 0, nose, 6), air.Position(x, y, other, 6)
    plain = aim_of(here, there, mount, BOOK)
    mirrored = aim_of(
        replace(here, heading_degrees=-nose % 360),
        air.Position(-x, y, -other % 360, 6),
        mount,
        BOOK,
    )
    quarter = aim_of(
        replace(here, heading_degrees=(nose + 90) % 360),
        air.Position(y, -x, (other + 90) % 360, 6),
        mount,
        BOOK,
    )
    assert plain == mirrored == quarter
    assert not (plain.behind and plain.crossing)


@given(coordinates, coordinates, headings, headings)
@many
def test_a_beam_shot_is_a_crossing_shot(x, y, nose, other):
    here, there = air.Position(0, 0, nose, 6), air.Position(x, y, other, 6)
    beam = BOOK.with_settings({"crossing": "beam"})
    if aim_of(here, there, air.Mounting.FORWARD, beam).crossing:
        assert aim_of(here, there, air.Mounting.FORWARD, BOOK).crossing
