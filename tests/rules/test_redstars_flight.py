"""Laws of flight in Rising Suns and Red Stars: discs, cards, tweaks, tests, and what follows."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import atan2, cos, degrees, dist, radians, sin
from random import Random

import pytest
from chance import examples
from guncamera.rules.dealt import DealtDice
from guncamera.rules.dice import Ask, Throw
from guncamera.rules.odds import odds_of
from guncamera.rules.plain import from_plain, to_plain
from guncamera.rules.refusal import Refusal
from guncamera.rules.trace import Trace, audit
from guncamera.rulesets.redstars.aircraft import (
    Aircraft,
    AltitudeCard,
    Condition,
    Flight,
    Maneuver,
    Pilot,
    Position,
    SpeedCard,
    TweakSide,
)
from guncamera.rulesets.redstars.book import load_book
from guncamera.rulesets.redstars.cards import play
from guncamera.rulesets.redstars.condition import current_rating, is_gliding
from guncamera.rulesets.redstars.contact import covers, is_head_on, overlap, paths_meet
from guncamera.rulesets.redstars.discs import EXTREME, codes_of, fewest_discs, laid
from guncamera.rulesets.redstars.events import AircraftLeft, AircraftMoved, Harmed, RamMissed
from guncamera.rulesets.redstars.facts import (
    Choice,
    Choosing,
    ChoosingAll,
    Colliding,
    MoveFacts,
    Moving,
    Pair,
    Ramming,
    Tweak,
)
from guncamera.rulesets.redstars.flown import flown
from guncamera.rulesets.redstars.geometry import (
    STEP_DEGREES,
    arc_of,
    bearing_degrees,
    cosine,
    in_rear,
    range_mils,
    sine,
    stepped,
    within,
    within_bearing,
)
from guncamera.rulesets.redstars.legality import choice_fault
from guncamera.rulesets.redstars.move import rule_on_move
from guncamera.rulesets.redstars.outcomes import Arc, End, Harm, MoveOutcome
from guncamera.rulesets.redstars.tests import (
    airframe_test,
    engine_test,
    skill_test,
    spin_recovery_test,
)
from guncamera.rulesets.redstars.tweaks import tweaks_of
from hypothesis import assume, event, given
from hypothesis import strategies as st

BOOK = load_book()
MINE = ("RED-3", "RED-4", "RED-5.4", "RED-9", "RED-8.2")
FEW = examples(60)
ORDER = ("ring_break", "move_ties", "tie_break", "tail_move_order")

headings = st.integers(0, 71).map(lambda n: 5 * n)
places = st.builds(
    Position,
    x_mils=st.integers(-100_000, 100_000),
    y_mils=st.integers(-100_000, 100_000),
    heading_degrees=headings,
    altitude=st.integers(1, 12),
)
types = st.sampled_from(sorted(BOOK.aircraft))
codes = st.text("FLRlr", min_size=1, max_size=7)
speeds = st.integers(1, 7)


@st.composite
def readings(draw):
    """Settings of chance, of the chapters that are about flight."""
    chosen = {}
    for name, spec in BOOK.setting_specs.items():
        if spec.rule_id.startswith(MINE) and name not in ORDER and draw(st.booleans()):
            chosen[name] = (
                draw(st.sampled_from([choice.value for choice in spec.choices]))
                if spec.choices
                else draw(st.sampled_from(range(spec.low, spec.high + 1, spec.step)))
            )
    return chosen


@st.composite
def crafts(draw, name="A1"):
    """An aircraft as a game may have it, which is in the air and steered."""
    data_book = BOOK.aircraft[draw(types)]
    marks = tuple(draw(st.integers(0, boxes)) for boxes in data_book.engines)
    condition = Condition(
        damage=draw(st.integers(0, data_book.damage_points - 1)),
        engine_marks=marks if draw(st.booleans()) else (),
        accelerate_barred=draw(st.booleans()),
        extreme_barred=draw(st.booleans()),
        top_speed_barred=draw(st.booleans()),
        gear_wrecked=draw(st.booleans()),
        fires_d6=draw(st.integers(0, 2)),
        pilot_wounds=draw(st.integers(0, 2)),
    )
    flight = draw(st.sampled_from([Flight.NORMAL, Flight.STALL_RECOVERY, Flight.SPINNING]))
    return Aircraft(
        id=name,
        type=data_book.type,
        position=draw(places),
        speed=draw(st.integers(1, data_book.dive_speed)),
        pilot=Pilot(draw(st.integers(-1, 4))),
        condition=condition,
        flight=flight,
        last_maneuver=draw(st.none() | st.sampled_from(list(Maneuver))),
        ram_missed=draw(st.booleans()),
    )


def hands(aircraft, data_book, book):
    """Every legal choice for an aircraft, in a fixed order."""
    for maneuver in Maneuver:
        for climb in (None, *AltitudeCard):
            for card in (None, *SpeedCard):
                for take in (False, True):
                    choice = Choice(aircraft.id, maneuver, climb, card, take)
                    if choice_fault(aircraft, choice, data_book, book) is None:
                        yield choice


class RandomDice:
    """Dice from a seeded generator; remembers the faces."""

    def __init__(self, seed):
        self.random = Random(seed)
        self.faces = []

    def roll(self, ask: Ask) -> Throw:
        faces = tuple(self.random.randint(1, sides) for sides in ask.dice)
        self.faces += faces
        return Throw(ask.read(faces), faces)


# ---- Geometry


def test_the_sines_are_the_sines():
    for angle in range(-360, 721, STEP_DEGREES):
        assert sine(angle) == round(sin(radians(angle)) * 10**9)
        assert cosine(angle) == round(cos(radians(angle)) * 10**9)


@given(codes, headings, st.sampled_from([30, 60, 90, 120, 180, 300]), st.data())
def test_a_path_that_starts_turned_is_turned_as_a_whole(path, heading, turn, data):
    tweaks = data.draw(tweakings(path))
    plain = laid(Position(0, 0, heading, 6), path, tweaks, BOOK)
    turned = laid(Position(0, 0, (heading + turn) % 360, 6), path, tweaks, BOOK)
    s, c = sin(radians(turn)), cos(radians(turn))
    for number, (a, b) in enumerate(zip(plain, turned), start=1):
        expected = a.x_mils * c + a.y_mils * s, a.y_mils * c - a.x_mils * s
        # Each disc is rounded to a whole mil, in both paths.
        assert dist(expected, (b.x_mils, b.y_mils)) <= max(2, 1.5 * number)
        assert (a.heading_degrees + turn) % 360 == b.heading_degrees


@pytest.mark.parametrize("turn", [60, 120, 180, 240, 300])
@pytest.mark.parametrize("maneuver", list(Maneuver))
@pytest.mark.parametrize("discs", [2, 3, 4, 5])
def test_a_maneuver_that_starts_turned_is_turned_within_two_mils(turn, maneuver, discs):
    path = codes_of(maneuver, discs, BOOK)
    plain = laid(Position(0, 0, 0, 6), path, {}, BOOK)
    turned = laid(Position(0, 0, turn, 6), path, {}, BOOK)
    s, c = sin(radians(turn)), cos(radians(turn))
    for a, b in zip(plain, turned):
        expected = a.x_mils * c + a.y_mils * s, a.y_mils * c - a.x_mils * s
        assert dist(expected, (b.x_mils, b.y_mils)) <= 2


def tweakings(path):
    """Degrees by disc, on some of the discs of a path."""
    return st.dictionaries(st.integers(1, len(path)), st.sampled_from([-15, 15]), max_size=4)


@given(codes, headings, st.sampled_from([6, 8]), st.data())
def test_mirroring_exchanges_left_and_right(path, heading, points, data):
    book = BOOK.with_settings({"points": points})
    tweaks = data.draw(tweakings(path))
    plain = laid(Position(700, -300, heading, 6), path, tweaks, book)
    swapped = path.translate(str.maketrans("LRlr", "RLrl"))
    mirrored = laid(
        Position(-700, -300, -heading % 360, 6), swapped, {k: -v for k, v in tweaks.items()}, book
    )
    for a, b in zip(plain, mirrored):
        assert (-a.x_mils, a.y_mils, -a.heading_degrees % 360) == (
            b.x_mils, b.y_mils, b.heading_degrees,
        )  # fmt: skip


LEFT_RIGHT = [
    (Maneuver.LEFT, Maneuver.RIGHT),
    (Maneuver.LATE_LEFT, Maneuver.LATE_RIGHT),
    (Maneuver.SHIFT_LEFT, Maneuver.SHIFT_RIGHT),
    (Maneuver.HARD_LEFT, Maneuver.HARD_RIGHT),
]


@pytest.mark.parametrize(("left", "right"), LEFT_RIGHT)
@given(discs=st.integers(2, 7))
def test_a_maneuver_to_the_right_is_one_to_the_left_in_a_mirror(left, right, discs):
    lefts, rights = codes_of(left, discs, BOOK), codes_of(right, discs, BOOK)
    assert lefts.translate(str.maketrans("LRlr", "RLrl")) == rights
    assert len(lefts) == discs


@pytest.mark.parametrize(
    ("path", "tweaks", "x", "y", "heading"),
    [
        ("FF", {}, 0, 10, 0),
        ("FF", {1: -15}, -1.294, 9.830, 345),
        ("FF", {2: -15}, 0, 10, 345),
        ("RFFF", {}, 17.321, 10.000, 60),
        ("LLF", {}, -12.990, -2.500, 240),
        ("FrF", {}, 4.330, 12.500, 0),
        ("FFL", {}, -4.330, 12.500, 300),
    ],
)
def test_the_paths_of_the_register(path, tweaks, x, y, heading):
    last = laid(Position(0, 0, 0, 6), path, tweaks, BOOK)[-1]
    assert (last.x_mils / 1000, last.y_mils / 1000) == pytest.approx((x, y), abs=0.01)
    assert last.heading_degrees == heading


CHASE = [
    ((), -90.0, 8.66, False),
    ((2,), -63.7, 7.00, False),
    ((2, 3), -41.7, 5.96, False),
    ((2, 3, 4), -26.7, 5.96, True),
]


@pytest.mark.parametrize(("tweaked", "bearing", "inches", "in_arc"), CHASE)
def test_the_worked_example_of_tailing(tweaked, bearing, inches, in_arc):
    target = laid(Position(0, 0, 0, 6), codes_of(Maneuver.LEFT, 3, BOOK), {}, BOOK)[-1]
    path = codes_of(Maneuver.SHIFT_LEFT, 4, BOOK)
    chaser = laid(Position(0, -10_000, 0, 6), path, dict.fromkeys(tweaked, -15), BOOK)[-1]
    assert bearing_of(chaser, target) == pytest.approx(bearing, abs=0.1)
    assert range_mils(chaser, target) / 1000 == pytest.approx(inches, abs=0.01)
    assert (arc_of(chaser, target, BOOK.settings) == Arc.FORWARD) == in_arc
    if in_arc:
        assert bearing_of(target, chaser) == pytest.approx(168.3, abs=0.1)
        assert arc_of(target, chaser, BOOK.settings) == Arc.REAR


def test_the_worked_example_comes_out_at_four_inches_too():
    book = BOOK.with_settings({"disc_mils": 4000})
    target = laid(Position(0, 0, 0, 6), "LFF", {}, book)[-1]
    chaser = laid(Position(0, -8000, 0, 6), "FFlF", dict.fromkeys((2, 3, 4), -15), book)[-1]
    assert range_mils(chaser, target) / 1000 == pytest.approx(4.77, abs=0.01)
    assert bearing_of(chaser, target) == pytest.approx(-26.7, abs=0.1)


EIGHT_POINTS = [((), -73.7), ((2,), -41.7), ((2, 3), -15.0), ((2, 3, 4), 0.0)]


@pytest.mark.parametrize(("tweaked", "bearing"), EIGHT_POINTS)
def test_the_worked_example_works_with_eight_points_too(tweaked, bearing):
    book = BOOK.with_settings({"points": 8})
    target = laid(Position(0, 0, 0, 6), "LFF", {}, book)[-1]
    chaser = laid(Position(0, -10_000, 0, 6), "FFlF", dict.fromkeys(tweaked, -15), book)[-1]
    assert bearing_of(chaser, target) == pytest.approx(bearing, abs=0.1)


def bearing_of(of, other):
    """The bearing off the nose, by floating point."""
    dx, dy = other.x_mils - of.x_mils, other.y_mils - of.y_mils
    return (degrees(atan2(dx, dy)) - of.heading_degrees + 180) % 360 - 180


@given(places, places, st.sampled_from([15, 30, 45, 60, 90]))
def test_an_arc_is_what_the_bearing_says_away_from_its_edges(of, other, half):
    off = abs(bearing_of(of, other))
    assume(range_mils(of, other) > 100)
    edge = range_mils(of, other) * abs(sin(radians(off - half)))
    assume(edge > 10)
    assert within_bearing(of, other, half) == (off < half)
    astern = range_mils(of, other) * abs(sin(radians(180 - off - half)))
    assume(astern > 10)
    assert in_rear(of, other, half) == (180 - off < half)


@given(places, st.integers(1, 8), st.sampled_from([-30, 30]))
def test_the_edge_of_an_arc_belongs_to_it(of, discs, off):
    x, y = of.x_mils, of.y_mils
    for _ in range(discs):
        x, y = stepped(x, y, of.heading_degrees + off, 5000)
    other = Position(x, y, 0, 6)
    assert arc_of(of, other, BOOK.settings) == Arc.FORWARD
    behind = replace(of, heading_degrees=(of.heading_degrees + 180) % 360)
    assert arc_of(behind, other, BOOK.settings) == Arc.REAR


@given(places, headings, headings, st.integers(-2, 2))
def test_one_place_lies_ahead_of_the_other_both_ways(at, one, two, off):
    a = replace(at, heading_degrees=one)
    b = replace(at, heading_degrees=two, x_mils=at.x_mils + off)
    for of, other in ((a, b), (b, a)):
        assert arc_of(of, other, BOOK.settings) == Arc.FORWARD
        assert not in_rear(of, other, 90)
        assert bearing_degrees(of, other) == 0


@given(places, places)
def test_ranges_and_bearings_are_those_of_a_ruler(of, other):
    flat = dist((of.x_mils, of.y_mils), (other.x_mils, other.y_mils))
    assert range_mils(of, other) == pytest.approx(flat, abs=0.5001)
    assert within(of, other, range_mils(of, other))
    assume(flat > 1000)
    assert not within(of, other, range_mils(of, other) - 10)
    off = (bearing_degrees(of, other) - bearing_of(of, other) + 180) % 360 - 180
    assert abs(off) <= 2.51


@given(places, places, readings())
def test_touching_and_meeting_head_on_are_mutual(a, b, chosen):
    book = BOOK.with_settings(chosen)
    assert covers(a, b, book.settings) == covers(b, a, book.settings)
    assert is_head_on(a, b, book.settings) == is_head_on(b, a, book.settings)
    if overlap(a, b, book.settings):
        assert a.altitude == b.altitude


@given(codes, codes, places, places, readings())
def test_paths_that_meet_meet_both_ways(mine, theirs, a, b, chosen):
    book = BOOK.with_settings(chosen)
    b = replace(b, x_mils=a.x_mils + b.x_mils // 10, y_mils=a.y_mils + b.y_mils // 10)
    one, two = laid(a, mine, {}, book), laid(b, theirs, {}, book)
    met = paths_meet(one, two, book.settings)
    event(f"they meet: {met}")
    assert met == paths_meet(two, one, book.settings)
    if met and book.settings.ram_slots == "overlapping":
        touching = replace(book.settings, ram_slots="touching")
        assert paths_meet(one, two, touching), "what overlaps touches"


# ---- Cards


@given(crafts(), readings())
def test_there_is_always_a_legal_choice_but_for_a_spin(aircraft, chosen):
    book = BOOK.with_settings(chosen)
    data_book = BOOK.aircraft[aircraft.type]
    found = next(hands(aircraft, data_book, book), None)
    assert (found is None) == (aircraft.flight == Flight.SPINNING)


@FEW
@given(crafts(), readings(), st.randoms(use_true_random=False), st.booleans())
def test_what_may_be_chosen_may_be_flown(aircraft, chosen, random, tailing):
    book = BOOK.with_settings(chosen)
    data_book = BOOK.aircraft[aircraft.type]
    legal = list(hands(aircraft, data_book, book))
    for choice in random.sample(legal, min(len(legal), 8)):
        chosen = rule_on_move(MoveFacts(Choosing(aircraft, choice)), book, DealtDice(()))
        move = Moving(aircraft, choice, tailing)
        ruling = rule_on_move(MoveFacts(move), book, RandomDice(random.random()))
        check_moved(aircraft, data_book, ruling, book)
        moved = ruling.outcome.procedure
        if moved.discs:
            assert len(moved.discs) == chosen.outcome.procedure.discs
        again = ChoosingAll((Choosing(aircraft, choice),))
        many = rule_on_move(MoveFacts(again), book, DealtDice(()))
        assert many.outcome.procedure.hands == (chosen.outcome.procedure,)


def check_moved(aircraft, data_book, ruling, book):
    """What holds of every move."""
    moved = ruling.outcome.procedure
    assert from_plain(MoveOutcome, to_plain(ruling.outcome)) == ruling.outcome
    assert audit(ruling.trace, book.tables) == []
    assert ruling.summary.endswith(".")
    assert (moved.position.altitude == 0) == (moved.end in (End.CRASHED, End.LANDED))
    assert not moved.discs or moved.discs[-1] == moved.position
    assert moved.flight != Flight.GLIDING or is_gliding(aircraft, data_book) or any(
        effect.harm == Harm.ENGINE_BOX for effect in moved.effects
    )  # fmt: skip
    if moved.end is None and moved.flight == Flight.NORMAL:
        waits = book.settings.stall_check == "next-turn"
        assert waits or moved.speed >= data_book.min_speed, "or it has stalled"
        assert moved.speed <= max(data_book.dive_speed, aircraft.speed)
    first, *rest = ruling.events
    assert first == AircraftMoved(
        first.rule_id, aircraft.id, moved.position, moved.speed, moved.flight, moved.maneuver,
        moved.discs,
    )  # fmt: skip
    harms = [change for change in rest if isinstance(change, Harmed)]
    assert [(x.harm, x.amount, x.which) for x in harms] == [
        (x.harm, x.amount, x.which) for x in moved.effects
    ]
    left = [change.end for change in rest if isinstance(change, AircraftLeft)]
    assert left == ([moved.end] if moved.end is not None else [])
    assert len(rest) == len(harms) + len(left)


WHYS = [
    ("RED-3.3", {}, Maneuver.LEFT, None, ()),
    ("RED-3.10", {}, Maneuver.SPLIT_S, None, ()),
    ("RED-4.8", {"flight": Flight.STALL_RECOVERY}, Maneuver.STRAIGHT, None, ()),
    ("RED-4.9", {"flight": Flight.SPINNING}, None, None, (1, 1)),
    ("RED-4.9", {"speed": 2}, Maneuver.HARD_LEFT, None, (1, 1, 1, 1)),
    ("RED-4.11", {"condition": Condition(engine_marks=(3,))}, Maneuver.LEFT, "dive_2", (6, 6)),
]


@pytest.mark.parametrize(("rule_id", "facts", "maneuver", "card", "faces"), WHYS)
def test_a_move_names_the_rule_it_was_made_by(rule_id, facts, maneuver, card, faces):
    aircraft = replace(Aircraft("A1", "i153", Position(0, 0, 0, 6), 3), **facts)
    choice = None
    if maneuver is not None:
        dive = AltitudeCard(card) if card else None
        choice = Choice("A1", maneuver, dive, take_speed=dive is not None)
    ruling = rule_on_move(MoveFacts(Moving(aircraft, choice)), BOOK, DealtDice(faces))
    assert ruling.events[0].rule_id == rule_id


@given(crafts(), readings(), st.integers())
def test_the_same_faces_rule_alike(aircraft, chosen, seed):
    book = BOOK.with_settings(chosen)
    data_book = BOOK.aircraft[aircraft.type]
    choice = next(hands(aircraft, data_book, book), None)
    dice = RandomDice(seed)
    facts = MoveFacts(Moving(aircraft, choice))
    ruling = rule_on_move(facts, book, dice)
    dealt = DealtDice(dice.faces)
    assert rule_on_move(facts, book, dealt) == ruling
    dealt.close()


@given(crafts(), readings(), st.randoms(use_true_random=False))
def test_a_move_without_tests_is_flown_as_foreseen(aircraft, chosen, random):
    book = BOOK.with_settings(chosen)
    aircraft = replace(aircraft, flight=Flight.NORMAL)
    data_book = BOOK.aircraft[aircraft.type]
    choice = random.choice(list(hands(aircraft, data_book, book)))
    moved = rule_on_move(MoveFacts(Moving(aircraft, choice)), book, RandomDice(1))
    moved = moved.outcome.procedure
    assume(not moved.passed_tests and not moved.failed_tests and moved.end is None)
    foreseen = flown(aircraft, choice, (), 0, data_book, book)
    assert (moved.discs, moved.position, moved.speed, moved.dived) == (
        foreseen.discs, foreseen.position, foreseen.speed, max(-foreseen.level, 0),
    )  # fmt: skip


@given(crafts(), readings())
def test_no_other_card_goes_with_an_extreme_maneuver(aircraft, chosen):
    book = BOOK.with_settings(chosen)
    data_book = BOOK.aircraft[aircraft.type]
    for choice in hands(aircraft, data_book, book):
        played = play(aircraft, choice, data_book, book)
        if choice.maneuver not in EXTREME or played.stalls:
            continue
        assert choice == Choice(aircraft.id, choice.maneuver)
        assert not (aircraft.condition or Condition()).extreme_barred
        follows = (aircraft.last_maneuver, choice.maneuver)
        assert aircraft.last_maneuver not in EXTREME or follows == (
            Maneuver.IMMELMANN, Maneuver.SPLIT_S,
        )  # fmt: skip
        assert flown(aircraft, choice, (), 0, data_book, book).speed >= data_book.min_speed


@given(crafts(), readings())
def test_a_legal_choice_has_its_discs_and_keeps_within_the_type(aircraft, chosen):
    book = BOOK.with_settings(chosen)
    data_book = BOOK.aircraft[aircraft.type]
    for choice in hands(aircraft, data_book, book):
        played = play(aircraft, choice, data_book, book)
        assert 1 <= len(played.codes) <= max(data_book.dive_speed, aircraft.speed, 3)
        if not played.recovering and choice.maneuver not in EXTREME:
            assert len(played.codes) == played.speed >= fewest_discs(choice.maneuver, book)
        if not played.stalls:
            end = flown(aircraft, choice, (), 0, data_book, book)
            ceiling = max(book.settings.altitude_ceiling, aircraft.position.altitude)
            assert end.position.altitude <= ceiling
            if book.settings.above_ceiling == "refused":
                assert aircraft.position.altitude + end.level <= ceiling


# ---- Tweaks


@given(
    crafts(),
    st.lists(st.builds(Tweak, st.integers(1, 8), st.sampled_from(list(TweakSide))), max_size=6),
    st.integers(-2, 2),
    st.booleans(),
    st.sampled_from(list(Maneuver)),
    readings(),
)
def test_tweaks_never_outnumber_the_discs_or_the_pilots_own(
    aircraft, tweaks, trades, tailing, maneuver, chosen
):
    book = BOOK.with_settings(chosen)
    aircraft = replace(aircraft, flight=Flight.NORMAL)
    data_book = BOOK.aircraft[aircraft.type]
    glides = is_gliding(aircraft, data_book)
    dive = AltitudeCard.DIVE_2 if glides else None
    choice = Choice(aircraft.id, maneuver, dive, take_speed=glides)
    move = Moving(aircraft, choice, tailing, tuple(tweaks), trades)
    try:
        moved = rule_on_move(MoveFacts(move), book, RandomDice(0)).outcome.procedure
    except Refusal:
        return
    event(f"tweaks: {len(tweaks)}, trades: {trades}")
    has = max(current_rating(aircraft, book), 0) + tailing
    assert len(tweaks) + 2 * abs(trades) <= has
    assert tweaks_of(aircraft, choice, data_book, book, tailing=tailing) in (has, 0)
    if moved.discs:
        assert len(tweaks) <= len(moved.discs)
        assert len({tweak.disc for tweak in tweaks}) == len(tweaks)
    if maneuver in EXTREME or glides:
        assert not tweaks or (maneuver not in EXTREME and book.settings.glide_tweaks == "discs")
        assert not trades
    if book.settings.trades_a_move == "one":
        assert abs(trades) <= 1


# ---- Tests


def chances(rule):
    """The exact odds that a rule comes out true."""
    return odds_of(rule).outcomes.get(True, Fraction(0))


@given(crafts(), readings())
def test_a_better_rating_never_worsens_a_test(aircraft, chosen):
    book = BOOK.with_settings(chosen)
    data_book = BOOK.aircraft[aircraft.type]
    for test in (skill_test, airframe_test, spin_recovery_test):
        before = Fraction(0)
        for rating in range(-1, 5):
            one = replace(aircraft, pilot=Pilot(rating))
            now = chances(lambda dice, t=test, a=one: t(a, data_book, Trace(), dice, book))
            assert now >= before
            before = now


@given(crafts(), readings())
def test_a_better_rating_never_marks_more_engine_boxes(aircraft, chosen):
    book = BOOK.with_settings(chosen)
    data_book = BOOK.aircraft[aircraft.type]
    before = Fraction(2)
    for rating in range(-1, 5):
        one = replace(aircraft, pilot=Pilot(rating))
        odds = odds_of(lambda dice, a=one: engine_test(a, data_book, Trace(), dice, book))
        assert odds.mean(int) <= before
        before = odds.mean(int)


def struck(facts, book):
    """The exact odds that two aircraft strike each other."""
    book = book.with_settings({"crash_outcome": "both-lost"})
    odds = odds_of(lambda dice: rule_on_move(MoveFacts(facts), book, dice).outcome)
    return odds.of(lambda outcome: outcome.procedure.struck)


@given(crafts("A1"), crafts("B1"), st.booleans(), st.booleans())
def test_better_pilots_collide_less_and_ram_more(one, two, extreme, tailing):
    two = replace(two, position=one.position)
    collided, rammed = Fraction(1), Fraction(0)
    for rating in range(-1, 5):
        pilot = replace(one, pilot=Pilot(rating))
        chance = struck(Colliding(Pair(pilot, extreme), Pair(two)), BOOK)
        assert chance <= collided
        assert not extreme or rating == -1 or chance == collided, "his rating does not count"
        collided = chance
        chance = struck(Ramming(Pair(pilot, tailing=tailing), Pair(two)), BOOK)
        assert chance >= rammed
        rammed = chance


@FEW
@given(crafts("A1"), crafts("B1"), readings(), st.integers())
def test_what_a_meeting_did_is_told_once_and_in_full(one, two, chosen, seed):
    book = BOOK.with_settings(chosen)
    two = replace(two, position=one.position)
    for facts in (Colliding(Pair(one), Pair(two)), Ramming(Pair(one), Pair(two))):
        ruling = rule_on_move(MoveFacts(facts), book, RandomDice(seed))
        met = ruling.outcome.procedure
        assert audit(ruling.trace, book.tables) == []
        missed = [change for change in ruling.events if isinstance(change, RamMissed)]
        assert bool(missed) == (isinstance(facts, Ramming) and not met.struck)
        assert bool(met.fates) == met.struck
        for fate in met.fates:
            told = [change for change in ruling.events if change.aircraft == fate.aircraft]
            left = [change.end for change in told if isinstance(change, AircraftLeft)]
            assert left == ([fate.end] if fate.end else [])
            harms = [x for x in told if isinstance(x, Harmed)]
            assert len(harms) == len(fate.effects)
            moves = [x for x in told if isinstance(x, AircraftMoved)]
            assert len(moves) == (fate.position is not None)
        assert from_plain(MoveOutcome, to_plain(ruling.outcome)) == ruling.outcome
