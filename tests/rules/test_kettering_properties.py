"""Laws of Kettering Aerial Torpedo: what must hold whatever the board, and what was published."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from math import dist, sqrt
from random import Random

import pytest
from chance import examples
from guncamera.rules.dealt import DealtDice
from guncamera.rules.dice import Throw
from guncamera.rules.hexes import Hex, HexDirection
from guncamera.rules.odds import odds_of
from guncamera.rules.plain import from_plain, to_plain
from guncamera.rules.refusal import Illegal, Malformed, RollRequired
from guncamera.rules.trace import FindingLine, Trace, audit
from guncamera.rulesets.kettering.damage import points_of, rule_on_explosion
from guncamera.rulesets.kettering.facts import (
    Advance,
    Aircraft,
    Aspect,
    Condition,
    Critical,
    Drifter,
    Explosion,
    FireFacts,
    Flight,
    MoveFacts,
    Plot,
    SpotFacts,
    Torpedo,
    WindFacts,
)
from guncamera.rulesets.kettering.fire import rule_on_fire
from guncamera.rulesets.kettering.flight import rule_on_flight
from guncamera.rulesets.kettering.limits import flight_limits
from guncamera.rulesets.kettering.map import (
    all_hexes,
    half_hexes_east,
    hex_at,
    label,
    on_board,
    row_name,
    row_of,
)
from guncamera.rulesets.kettering.move import rule_on_move
from guncamera.rulesets.kettering.performance import assess, is_lost
from guncamera.rulesets.kettering.spot import rule_on_spot
from guncamera.rulesets.kettering.wind import rule_on_wind
from hex_laws import neighbours
from hypothesis import event, given
from hypothesis import strategies as st
from kettering_flying import BOOK, TURNS, RandomDice, paths, random_plot

NO_DICE = DealtDice(())
HEADINGS = (HexDirection.SOUTHEAST, HexDirection.SOUTHWEST)
INSIDE = [
    label(h) for h in all_hexes(BOOK) if 8 <= row_of(h) <= 35 and 16 <= half_hexes_east(h) <= 50
]
altitudes = st.integers(1, 60).map(lambda step: 50 * step)
hexes = st.sampled_from(INSIDE)
headings = st.sampled_from(HEADINGS)
conditions = st.builds(
    Condition,
    damage_points=st.integers(0, 20),
    criticals=st.lists(st.sampled_from(list(Critical)[:7]), max_size=6).map(tuple),
    jammed=st.booleans(),
    climbed_last_turn=st.booleans(),
)
types = st.sampled_from(sorted(BOOK.aircraft))


# ---- The map


def plain_centre(hex_: Hex) -> tuple[float, float]:
    """Where a hex lies, without axial coordinates: rows sqrt(3)/2 apart, odd rows half a hex on."""
    return half_hexes_east(hex_) / 2, row_of(hex_) * sqrt(3) / 2


@pytest.mark.parametrize("width", [32, 33, 34, 35])
def test_every_hex_has_one_label_and_the_label_leads_back(width):
    book = BOOK.with_settings({"map_width_hexes": width})
    found = all_hexes(book)
    labels = {label(h) for h in found}
    assert len(labels) == len(found) == 42 * width
    assert all(hex_at(label(h), book, "hex") == h for h in found)


@pytest.mark.parametrize("width", [32, 35])
def test_neighbours_are_the_hexes_one_hex_away_in_plain_geometry(width):
    book = BOOK.with_settings({"map_width_hexes": width})
    by_centre = {h: plain_centre(h) for h in all_hexes(book)}
    rows = {}
    for h, centre in by_centre.items():
        rows.setdefault(row_of(h), []).append((h, centre))
    for h, here in by_centre.items():
        close = {
            other
            for row in (row_of(h) - 1, row_of(h), row_of(h) + 1)
            for other, there in rows.get(row, ())
            if abs(dist(here, there) - 1) < 1e-6
        }
        assert {n for n in neighbours(h) if on_board(n, book)} == close


def test_the_label_formula_of_the_register():
    for h in all_hexes(BOOK):
        name, _, number = label(h).partition("-")
        row = [row_name(r) for r in range(1, 43)].index(name) + 1
        assert 2 * int(number) == 106 - half_hexes_east(h) - row


@pytest.mark.parametrize(
    "text", ["", "A", "A-", "-21", "a-21", "A21", "A-021", "A--0", "AB-3", "QQ-3", "A-٣", "A- 3"]
)
def test_text_that_is_no_hex_is_malformed(text):
    with pytest.raises(Malformed):
        hex_at(text, BOOK, "hex")


# ---- Wind


@given(hexes, headings, altitudes, altitudes)
def test_wind_odds_are_exact_wherever_the_pieces_are(where, heading, high, low):
    facts = WindFacts(Torpedo(where, heading, high, 4), Drifter("T-25", low))
    odds = odds_of(lambda dice: rule_on_wind(facts, BOOK, dice).outcome).by(lambda o: o.wind_toward)
    assert {d.value: p for d, p in odds.outcomes.items()} == {
        "southwest": Fraction(1, 6),
        "southeast": Fraction(1, 3),
        "east": Fraction(1, 3),
        "northeast": Fraction(1, 6),
    }


@given(hexes, headings, altitudes, st.integers(1, 6))
def test_at_equal_altitude_the_torpedo_is_shifted_one_hex_more(where, heading, altitude, face):
    facts = WindFacts(Torpedo(where, heading, altitude, 4), Drifter(where, altitude))
    outcome = rule_on_wind(facts, BOOK, DealtDice([face])).outcome
    assert outcome.torpedo_shift_hexes == outcome.aircraft_shift_hexes + 1
    after = hex_at(outcome.aircraft_hex, BOOK, "")
    assert outcome.torpedo_hex == label(after.step(outcome.wind_toward))


@given(st.sampled_from([label(h) for h in all_hexes(BOOK)]), altitudes, st.integers(1, 6))
def test_no_wind_ever_leaves_the_board(where, altitude, face):
    facts = WindFacts(Torpedo(where, HEADINGS[0], altitude, 4), Drifter(where, altitude))
    outcome = rule_on_wind(facts, BOOK, DealtDice([face])).outcome
    assert on_board(hex_at(outcome.torpedo_hex, BOOK, ""), BOOK)
    assert on_board(hex_at(outcome.aircraft_hex, BOOK, ""), BOOK)


@pytest.mark.parametrize("heading", HEADINGS)
@pytest.mark.parametrize(("altitude", "shift"), [(500, 1), (1500, 2), (2500, 3)])
def test_drift_per_turn_follows_the_closed_form(heading, altitude, shift):
    """Register section 3: mean rows south and columns east in a turn, the track long settled."""
    start = hex_at("Z-22", BOOK, "")
    south = east = Fraction(0)
    facts = WindFacts(Torpedo(label(start), heading, altitude, 4))
    blown = odds_of(lambda dice: rule_on_wind(facts, BOOK, dice).outcome)
    for outcome, p in blown.outcomes.items():
        for track in (3, 4, 5):
            torpedo = Torpedo(outcome.torpedo_hex, heading, altitude, track)
            move = MoveFacts(Advance(torpedo, wind_mp=outcome.torpedo_wind_mp))
            moved = odds_of(lambda dice, m=move: rule_on_move(m, BOOK, dice).outcome.procedure)
            for end, q in moved.outcomes.items():
                here = hex_at(end.hex, BOOK, "")
                south += p * q / 3 * (row_of(start) - row_of(here))
                east += p * q / 3 * Fraction(half_hexes_east(here) - half_hexes_east(start), 2)
    if heading == HexDirection.SOUTHEAST:
        assert (south, east) == (4 + Fraction(1 + shift, 3), Fraction(13, 6) + Fraction(shift, 2))
    else:
        assert (south, east) == (4 + Fraction(shift, 3), -2 + Fraction(shift, 2))


def test_the_speed_track_settles_to_a_third_each():
    settled = dict.fromkeys((3, 4, 5), Fraction(0))
    for track in (3, 4, 5):
        facts = MoveFacts(Advance(Torpedo("Z-22", HEADINGS[0], 1000, track)))
        moved = odds_of(lambda dice, f=facts: rule_on_move(f, BOOK, dice).outcome.procedure)
        for end, p in moved.outcomes.items():
            settled[end.speed_mp] += p / 3
    assert settled == dict.fromkeys((3, 4, 5), Fraction(1, 3))


# ---- Fire and damage


def kill_chance(facts, book=BOOK):
    return odds_of(lambda dice: rule_on_fire(facts, book, dice).outcome).of(
        lambda outcome: outcome.torpedo_destroyed
    )


@pytest.mark.parametrize("target_damage", ["gapped", "plain-nine"])
@pytest.mark.parametrize("kind", ["fokker-d7", "halberstadt-d2"])
@pytest.mark.parametrize(("aspect", "range_hexes"), [("tail", 1), ("tail", 2), ("head_on", 1)])
@pytest.mark.parametrize("track", [3, 4, 5])
def test_more_speed_never_makes_a_kill_likelier(target_damage, kind, aspect, range_hexes, track):
    book = BOOK.with_settings({"target_damage": target_damage})
    shot = FireFacts(kind, Aspect(aspect), range_hexes, 4, track)
    chances = [kill_chance(replace(shot, speed_mp=speed), book) for speed in range(4, 19)]
    assert chances == sorted(chances, reverse=True)
    assert all(
        kill_chance(replace(shot, speed_mp=4, bonus_hexes=bonus), book) == chances[bonus]
        for bonus in range(9)
    )


def test_two_hexes_are_never_better_than_one():
    for kind, speed, track in product(("fokker-d7", "dfw-c5"), range(4, 11), (3, 4, 5)):
        near = kill_chance(FireFacts(kind, Aspect.TAIL, 1, speed, track))
        assert kill_chance(FireFacts(kind, Aspect.TAIL, 2, speed, track)) <= near


def test_the_published_mean_chance_of_an_eighth():
    """15, 50, 20 and 15 percent of shots at 0, -1, -2 and -3: the stand-in meets 0.125."""
    chances = [
        kill_chance(FireFacts("fokker-d7", Aspect.TAIL, 1, speed, track))
        for speed, track in ((4, 4), (6, 4), (8, 4), (9, 3))
    ]
    weights = [Fraction(n, 100) for n in (15, 50, 20, 15)]
    mean = sum(w * c for w, c in zip(weights, chances))
    assert chances == [Fraction(2, 9), Fraction(5, 36), Fraction(1, 12), Fraction(1, 36)]
    assert round(float(mean), 4) == 0.1236


def test_exact_odds_of_a_shot_agree_with_every_face_counted():
    facts = FireFacts("fokker-d7", Aspect.HEAD_ON, 1, 4, 4, condition=Condition(damage_points=8))
    odds = odds_of(lambda dice: rule_on_fire(facts, BOOK, dice).outcome)
    counted = {}
    pairs = list(product(range(1, 7), repeat=2))
    for first in pairs:
        outcome = _rule_if_enough(facts, first)
        if outcome is not None:
            counted[outcome] = counted.get(outcome, 0) + Fraction(1, 36)
            continue
        for second in pairs:
            outcome = _rule_if_enough(facts, first + second)
            if outcome is not None:
                counted[outcome] = counted.get(outcome, 0) + Fraction(1, 36**2)
                continue
            for third in pairs:
                outcome = rule_on_fire(facts, BOOK, DealtDice(first + second + third)).outcome
                counted[outcome] = counted.get(outcome, 0) + Fraction(1, 36**3)
    assert counted == odds.outcomes


def _rule_if_enough(facts, faces):
    try:
        return rule_on_fire(facts, BOOK, DealtDice(faces)).outcome
    except RollRequired:
        return None


@given(conditions, types, st.sampled_from([Aspect.TAIL, Aspect.HEAD_ON]), st.integers(0, 2**20))
def test_damage_is_never_negative_and_never_heals(condition, kind, aspect, seed):
    faces = [1 + (seed >> (3 * at)) % 6 for at in range(4)]
    facts = Explosion(aspect, 1, kind, condition)
    ruling = rule_on_explosion(facts, BOOK, _Cycle(faces))
    done = ruling.outcome.procedure
    assert done.damage_points >= 0
    assert all(event.total_points >= condition.damage_points for event in ruling.events)
    assert done.lost == (
        done.critical in (Critical.PILOT_KILLED, Critical.PILOT_WOUNDED)
        or condition.damage_points + done.damage_points >= BOOK.aircraft[kind].damage_capacity
    )


class _Cycle:
    def __init__(self, faces):
        self.faces = faces

    def roll(self, ask):
        faces = tuple(self.faces[: len(ask.dice)])
        self.faces = self.faces[1:] + self.faces[:1]
        return Throw(ask.read(faces), faces)


@given(conditions, types, st.lists(st.sampled_from(list(Critical)[:7]), max_size=3))
def test_more_damage_never_makes_an_aircraft_better(condition, kind, more):
    profile = BOOK.aircraft[kind]
    worse = replace(
        condition,
        damage_points=condition.damage_points + len(more),
        criticals=(*condition.criticals, *more),
    )
    before = assess(profile, condition, BOOK, Trace())
    after = assess(profile, worse, BOOK, Trace())
    for name in ("max_speed_mp", "dive_speed_hexes", "dive_limit_metres", "climb_limit_metres"):
        assert 0 <= getattr(after.profile, name) <= getattr(before.profile, name)
    assert after.profile.schedule <= before.profile.schedule
    assert after.profile.max_speed_mp >= 1
    assert after.forced_loss_metres >= before.forced_loss_metres
    for name in ("sharp_turns", "steers", "overdives", "climbs"):
        assert getattr(after, name) <= getattr(before, name)


def test_the_target_damage_tables_are_the_registers():
    """HR-10, column by column: points from 5 up, starred totals apart."""
    printed = {
        "A-1": ([1, 1, 2, 3, 4, 5, 6, 8], {9, 10, 12}),
        "A-2": ([0, 1, 1, 2, 3, 4, 5, 6], {9, 10, 12}),
        "A-3": ([0, 0, 1, 1, 2, 3, 4, 5], {10, 11, 12}),
        **{f"A-{r}": ([0, 0, 0, 1, 1, 2, 3, 4], {12}) for r in (4, 5, 6, 7)},
        "B-1": ([0, 1, 1, 2, 2, 3, 4, 5], {10, 11, 12}),
        "B-2": ([0, 0, 1, 1, 2, 2, 3, 4], {10, 11, 12}),
        "B-3": ([0, 0, 0, 1, 1, 2, 2, 3], {11, 12}),
        **{f"B-{r}": ([0, 0, 0, 0, 1, 1, 2, 3], {12}) for r in (4, 5, 6, 7)},
    }
    table, plain = BOOK.tables["target-damage"], BOOK.tables["target-damage-plain"]
    assert set(table.columns) == set(plain.columns) == set(printed)
    for column, (points, starred) in printed.items():
        for total in range(-7, 13):
            wanted = (points[total - 5] if total >= 5 else 0, total in starred)
            assert points_of(table.cell(total, column)) == wanted
            also = column in ("A-1", "A-2") and total == 11
            assert points_of(plain.cell(total, column)) == (wanted[0], wanted[1] or also)


def test_explosions_are_read_in_the_columns_that_the_variant_names():
    cells = {
        (row.label, c): BOOK.tables["explosions"].cell(row.label, c)
        for row in BOOK.tables["explosions"].rows
        for c in ("1", "2")
    }
    assert cells == {
        ("tail", "1"): "B-6",
        ("tail", "2"): "none",
        ("head_on", "1"): "A-1",
        ("head_on", "2"): "none",
    }


def test_expectations_follow_from_shots_and_chance():
    table = BOOK.tables["expectations"]
    assert {row.label for row in table.rows} == set(BOOK.aircraft)
    for row in table.rows:
        tenths, shots, chance = row.cells
        assert tenths == round(120 * (1 - (1 - chance / 1000) ** (shots / 10)))


# ---- Flight


plots = st.builds(
    Plot,
    speed_mp=st.integers(3, 11),
    altitude_change_metres=st.sampled_from([0, 50, -50, -350]),
    bonus_hexes=st.integers(0, 2),
    path=st.lists(st.sampled_from(["F", "L", "RR", "U"]), max_size=11).map(" ".join),
)
books = st.fixed_dictionaries(
    {},
    optional={
        name: st.sampled_from([choice.value for choice in spec.choices])
        for name, spec in BOOK.setting_specs.items()
        if spec.choices and name != "unpublished_aircraft"
    },
).map(BOOK.with_settings)


@given(types, conditions, st.integers(4, 10), books, st.integers(0, 10**6))
@examples(100)
def test_no_flight_ends_on_the_torpedos_hex(kind, condition, speed, book, seed):
    random = Random(seed)
    aircraft = Aircraft(kind, "T-25", HexDirection.EAST, 1000, speed, condition)
    plot = random_plot(aircraft, book, random)
    try:
        free = rule_on_flight(Flight(aircraft, plot), book, RandomDice(random)).outcome.procedure
    except Illegal as refused:
        event(f"refused {refused.rule_id}")
        return
    facts = Flight(aircraft, plot, torpedo_hex=free.hex)
    try:
        ruling = rule_on_flight(facts, book, RandomDice(random))
    except Illegal as refused:
        event("refused on the torpedo")
        if refused.rule_id != "KET-5.11":
            raise
    else:
        event("boxed in, or off the board")
        assert ruling.outcome.procedure.hex != free.hex or free.left_board
        assert audit(ruling.trace, book.tables) == []


@given(types, conditions, st.integers(1, 10), altitudes, books, st.sampled_from(list(HexDirection)))
@examples(100)
def test_some_plot_is_always_legal_even_with_the_torpedo_in_the_way(
    kind, condition, speed, altitude, book, facing
):
    """There are no dead ends: straight ahead, or around, or one hex short."""
    aircraft = Aircraft(kind, "T-25", facing, altitude, speed, condition)
    limits = flight_limits(aircraft, book)
    assert limits.slowest <= limits.fastest
    assert limits.lowest_change <= limits.highest_change
    change = min(limits.highest_change, 0)
    ahead = limits.slowest + limits.bonuses(change, book)[0]
    torpedo = label(hex_at("T-25", BOOK, "").step(facing, ahead))
    if is_lost(BOOK.aircraft[kind], condition.damage_points):
        plot = next(iter(_simple_plots(limits, book)))
        with pytest.raises(Illegal) as refused:
            rule_on_flight(Flight(aircraft, plot, torpedo), book, RandomDice(Random(1)))
        assert refused.value.rule_id == "KET-8.5"
        return
    for plot in _simple_plots(limits, book):
        try:
            rule_on_flight(Flight(aircraft, plot, torpedo), book, RandomDice(Random(1)))
        except Illegal:
            continue
        return
    raise AssertionError("a dead end")


def _simple_plots(limits, book):
    for speed in range(limits.slowest, limits.fastest + 1):
        for change in reversed(limits.changes()):
            for bonus in limits.bonuses(change, book):
                allowance = speed + bonus
                yield Plot(speed, change, bonus, " ".join("F" * allowance))
                for turn, sixths in TURNS.items():
                    ahead = allowance - limits.costs[abs(sixths)]
                    for first in range(ahead + 1):
                        path = ["F"] * first + [turn] + ["F"] * (ahead - first)
                        yield Plot(speed, change, bonus, " ".join(path))


# ---- The sample table of the analysis


SAMPLE = {
    # wind face, speed face: (wind, new speed, tail speeds, head-on speeds); current speeds 4 to 9
    (1, 1): ("southwest", 3, {4, 5, 6}, set()),
    (1, 2): ("southwest", 5, {5, 6, 7, 8}, set()),
    (2, 2): ("southeast", 5, {6, 7, 8, 9}, {7, 8, 9}),
    (4, 2): ("east", 5, {5, 6, 7, 8}, {6, 7, 8, 9}),
    (2, 1): ("southeast", 3, {4, 5, 6, 7, 8, 9}, {5, 6, 7, 8, 9}),
    (4, 1): ("east", 3, {4, 5, 6}, {5, 6, 7, 8, 9}),
    (6, 1): ("northeast", 3, set(), set()),
    (6, 2): ("northeast", 5, {6, 7, 8, 9}, {7, 8, 9}),
}


@cache
def _flights(
    facing: HexDirection, change: int
) -> dict[int, list[tuple[int, Hex, HexDirection, int]]]:
    """By current speed 4 to 9: every way the rule lets an Albatros D.III end, as offsets."""
    start = hex_at("T-25", BOOK, "")
    found: dict[int, list[tuple[int, Hex, HexDirection, int]]] = {}
    for now in range(4, 10):
        aircraft = Aircraft("albatros-d3", "T-25", facing, 1000, now)
        limits = flight_limits(aircraft, BOOK)
        ends = []
        for speed in range(1, 13):
            for path in paths(speed, dict(limits.costs)):
                plot = Plot(speed, change, 0, " ".join(path))
                try:
                    flown = rule_on_flight(Flight(aircraft, plot), BOOK, NO_DICE).outcome.procedure
                except Illegal:
                    break
                end = hex_at(flown.hex, BOOK, "")
                offset = Hex(end.q - start.q, end.r - start.r)
                ends.append((speed, offset, flown.facing, flown.straight_hexes))
        found[now] = ends
    return found


@pytest.mark.parametrize("faces", sorted(SAMPLE))
@pytest.mark.parametrize("shot", ["tail", "head_on"])
def test_the_sixteen_entries_of_the_sample_table(faces, shot):
    """A next tail shot at one hex can be reached from just the speeds the analysis names."""
    wind, new_speed, from_tail, from_head = SAMPLE[faces]
    heading = HexDirection.SOUTHWEST
    torpedo = hex_at("Z-22", BOOK, "")
    if shot == "tail":
        aircraft, facing = torpedo.step(heading, -1), heading
    else:
        aircraft, facing = torpedo.step(heading), heading.opposite()
    facts = WindFacts(Torpedo("Z-22", heading, 1000, 4), Drifter(label(aircraft), 1000))
    blown = rule_on_wind(facts, BOOK, DealtDice(faces[:1])).outcome
    assert blown.wind_toward == wind
    moved = Torpedo(blown.torpedo_hex, heading, blown.torpedo_altitude_metres, 4)
    advance = MoveFacts(Advance(moved, wind_mp=blown.torpedo_wind_mp))
    end = rule_on_move(advance, BOOK, DealtDice(faces[1:])).outcome.procedure
    assert end.speed_mp == new_speed
    start = hex_at(blown.aircraft_hex, BOOK, "")
    change = blown.torpedo_altitude_metres - 1000
    reached = {
        now
        for now, flights in _flights(facing, change).items()
        if any(_tail_shot(start, flight, end.hex, 1000 + change, heading) for flight in flights)
    }
    assert (from_tail if shot == "tail" else from_head) == reached


def _tail_shot(start, flight, torpedo_hex, altitude, heading):
    _, offset, facing, straight = flight
    if facing != heading:
        return False
    here = Hex(start.q + offset.q, start.r + offset.r)
    if here.distance(hex_at(torpedo_hex, BOOK, "")) != 1:
        return False
    facts = SpotFacts(label(here), facing, altitude, straight, torpedo_hex, heading, altitude)
    seen = rule_on_spot(facts, BOOK, NO_DICE).outcome
    return seen.sighted and seen.aspect == Aspect.TAIL


def test_the_torpedos_own_hex_is_not_in_range():
    east = HexDirection.SOUTHEAST
    ruling = rule_on_spot(SpotFacts("T-25", east, 1000, 2, "T-25", east, 1000), BOOK, NO_DICE)
    found = {line.name: line.value for line in ruling.trace if isinstance(line, FindingLine)}
    assert (found["on_its_line"], found["in_range"], found["lined_up"]) == ("no", "no", "yes")
    assert ruling.summary == "The torpedo is not sighted; it wants: on its line, in range."


# ---- Plain form


@given(types, hexes, conditions, plots)
def test_facts_survive_their_plain_form(kind, where, condition, plot):
    aircraft = Aircraft(kind, where, HexDirection.WEST, 1000, 5, condition)
    facts = MoveFacts(Flight(aircraft, plot, "T-25"))
    assert from_plain(MoveFacts, to_plain(facts)) == facts
