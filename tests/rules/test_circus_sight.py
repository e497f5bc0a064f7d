"""Range, arcs, sight and spotting of Flying Circus Plus, against plain geometry.

What the rules do in whole numbers is done here in another way: by angles, and lines piece by piece.
"""

from __future__ import annotations

import ast
import inspect
from collections import deque
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from chance import examples
from circus_plain import (
    MIDDLE,
    angle_off,
    around,
    at_most,
    crosses_slowly,
    moved_cloud,
    plus,
    touches,
    true_range,
)
from guncamera.rules.dealt import DealtDice
from guncamera.rules.hexes import DIRECTIONS, Hex, HexDirection
from guncamera.rules.odds import odds_of
from guncamera.rules.trace import audit
from guncamera.rulesets.circus import arcs, clock, ranges, sight
from guncamera.rulesets.circus.aircraft import Mount
from guncamera.rulesets.circus.arcs import Arc, arc_of, in_arc, sideways
from guncamera.rulesets.circus.book import load_book
from guncamera.rulesets.circus.facts import Cloud, Look, Looking, SpotFacts
from guncamera.rulesets.circus.map import label
from guncamera.rulesets.circus.outcomes import SeenBy
from guncamera.rulesets.circus.ranges import distance_hexes, range_hexes
from guncamera.rulesets.circus.sight import in_blind_spot, in_formation, is_up_sun, line_blocked
from guncamera.rulesets.circus.spot import SPOTTED, rule_on_spot
from hex_laws import mirror_image, mirrored, neighbours
from hypothesis import event, given
from hypothesis import strategies as st

BOOK = load_book()
NEAR = [Hex(q, r) for q, r in product(range(-9, 10), repeat=2) if abs(q + r) <= 9]
ARCS = {
    name: Arc(name, "CIR-8.1", "front_arc")
    for name in (
        "row", "row-and-yaw", "wedge", "wedge-touched", "not-ahead", "all-round", "front-half",
        "front-sector", "rear-half", "rear-sector",
    )
}  # fmt: skip
facings = st.sampled_from(DIRECTIONS)
offsets = st.sampled_from(NEAR)
heights = st.integers(-24, 24).map(lambda steps: 50 * steps)
small_heights = st.integers(-6, 6).map(lambda steps: 50 * steps)
near_offsets = st.sampled_from([h for h in NEAR if Hex(0, 0).distance(h) <= 3])


def under(**chosen):
    return BOOK.with_settings(chosen)


@pytest.mark.parametrize("module", [ranges, arcs, sight, clock], ids=lambda one: one.__name__)
def test_all_geometry_is_in_whole_numbers(module):
    """So that a replay is equal on any machine."""
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        assert not isinstance(node, ast.Div), "true division"
        assert not (isinstance(node, ast.Constant) and isinstance(node.value, float))
        names = {alias.name for alias in getattr(node, "names", ()) if hasattr(alias, "name")}
        assert not names & {"sqrt", "hypot", "atan2", "cos", "sin", "fsum"}


# ---- Range


def test_all_54_cells_of_the_chart_are_the_rounded_distance():
    for row, flat in product(range(6), range(9)):
        feet = 200 * row
        wanted = true_range(flat, feet)
        assert range_hexes(flat, feet, BOOK) == (wanted if 1 <= wanted <= 8 else None)


def test_between_the_rows_and_below_the_range_is_the_rounded_distance_too():
    for flat, feet in product(range(11), range(1101)):
        wanted = true_range(flat, feet)
        found = wanted if 1 <= wanted <= 8 and flat <= 8 and feet <= 1000 else None
        assert range_hexes(flat, feet, BOOK) == range_hexes(flat, -feet, BOOK) == found


def test_by_setting_a_height_between_two_rows_reads_the_next():
    book = under(between_rows="next-row")
    for flat, feet in product(range(11), range(1101)):
        row = -(-feet // 200) * 200
        found = range_hexes(flat, row, BOOK)
        assert range_hexes(flat, feet, book) == range_hexes(flat, -feet, book) == found
        assert distance_hexes(flat, feet, book) == distance_hexes(flat, feet, BOOK)


@pytest.mark.parametrize(
    ("flat", "feet", "rounded"),
    [
        (0, 100, 1), (0, 300, 2), (0, 500, 3), (0, 700, 4), (0, 900, 5), (2, 300, 3), (6, 500, 7),
        (6, 900, 8), (12, 700, 13), (20, 900, 21),
    ],
)  # fmt: skip
def test_halves_go_up(flat, feet, rounded):
    assert 4 * (flat * flat + Fraction(feet, 200) ** 2) == (2 * rounded - 1) ** 2, "a half"
    assert distance_hexes(flat, feet, BOOK) == distance_hexes(flat, -feet, BOOK) == rounded


@given(st.integers(0, 100), st.integers(-40_000, 40_000))
def test_distances_for_spotting_are_rounded_like_ranges_without_an_end(flat, feet):
    assert distance_hexes(flat, feet, BOOK) == true_range(flat, feet)


@given(st.integers(0, 9), st.integers(0, 1_000), st.integers(0, 1_000))
def test_a_range_never_falls_with_flat_distance_or_height(flat, feet, more):
    here = range_hexes(flat, feet, BOOK)
    for further in (range_hexes(flat + 1, feet, BOOK), range_hexes(flat, feet + more, BOOK)):
        if further is None or here is None:
            assert further is None or flat == 0
        else:
            assert further >= here


# ---- Arcs


@pytest.mark.parametrize("facing", DIRECTIONS)
def test_arcs_are_those_of_plain_angles(facing):
    for offset in NEAR:
        target = plus(MIDDLE, offset)
        hexes = MIDDLE.distance(target)
        found = {name: in_arc(arc, facing, MIDDLE, target, BOOK) for name, arc in ARCS.items()}
        if not 1 <= hexes <= 8:
            assert not any(found.values())
            continue
        off = angle_off(facing, MIDDLE, target)
        assert found["row"] == at_most(off, 0)
        assert found["wedge"] == at_most(off, 15)
        assert found["wedge-touched"] == touches(facing, MIDDLE, target, 15)
        assert found["not-ahead"] == (not at_most(off, 45))
        assert found["all-round"]
        assert found["front-half"] == (not at_most(180 - off, 90))
        assert found["front-sector"] == at_most(off, 60)
        assert found["rear-half"] == (not at_most(off, 90))
        assert found["rear-sector"] == at_most(180 - off, 60)


def test_sideways_is_the_way_along_the_ring_from_straight_ahead():
    for hexes in range(1, 9):
        ahead = MIDDLE.step(HexDirection.EAST, hexes)
        steps, queue = {ahead: 0}, deque([ahead])
        while queue:
            here = queue.popleft()
            for there in neighbours(here):
                if MIDDLE.distance(there) == hexes and there not in steps:
                    steps[there] = steps[here] + 1
                    queue.append(there)
        assert len(steps) == 6 * hexes
        for hex_, found in steps.items():
            assert sideways(Hex(hex_.q - MIDDLE.q, hex_.r - MIDDLE.r)) == found


def test_the_front_arcs_are_those_of_the_register():
    wanted = {
        "row": "00000000",
        "row-and-yaw": "00000111",
        "wedge": "00011112",
        "wedge-touched": "01111222",
    }
    for name, reach in wanted.items():
        for hexes, most in enumerate(map(int, reach), start=1):
            aside = HexDirection.NORTHWEST
            row = [MIDDLE.step(HexDirection.EAST, hexes).step(aside, k) for k in range(hexes + 1)]
            found = [in_arc(ARCS[name], HexDirection.EAST, MIDDLE, one, BOOK) for one in row]
            assert found == [k <= most for k in range(hexes + 1)]


@given(st.sampled_from(sorted(ARCS)), facings, offsets, st.integers(0, 5))
def test_an_arc_turns_with_the_aircraft_and_is_alike_on_both_sides(name, facing, offset, sixths):
    arc, here = ARCS[name], Hex(0, 0)
    found = in_arc(arc, facing, here, offset, BOOK)
    assert in_arc(arc, facing.turned(sixths), here, offset.rotated(sixths), BOOK) == found
    assert in_arc(arc, mirrored(facing), here, mirror_image(offset), BOOK) == found
    assert in_arc(arc, facing, MIDDLE, plus(MIDDLE, offset), BOOK) == found


@pytest.mark.parametrize(
    ("narrow", "wide"),
    [
        ("row", "row-and-yaw"), ("row-and-yaw", "wedge"), ("not-ahead", "all-round"),
        ("rear-sector", "rear-half"), ("rear-half", "not-ahead"), ("wedge", "wedge-touched"),
        ("wedge-touched", "front-sector"), ("front-sector", "front-half"),
    ],
)  # fmt: skip
def test_a_wider_arc_has_all_of_a_narrower_one(narrow, wide):
    inside = [h for h in NEAR if in_arc(ARCS[narrow], DIRECTIONS[1], Hex(0, 0), h, BOOK)]
    assert all(in_arc(ARCS[wide], DIRECTIONS[1], Hex(0, 0), h, BOOK) for h in inside)
    assert any(
        in_arc(ARCS[wide], DIRECTIONS[1], Hex(0, 0), h, BOOK) for h in set(NEAR) - set(inside)
    )


@pytest.mark.parametrize(
    ("type_", "mount", "together", "by_turns"),
    [
        ("fokker_d_vii", Mount.FRONT, "wedge", "row"),
        ("bristol_f2b", Mount.FRONT, "wedge", "row"),
        ("bristol_f2b", Mount.RING, "not-ahead", "not-ahead"),
        ("fe2b", Mount.PIN, "front-half", "front-half"),
        ("fe2b", Mount.PILLAR, "rear-half", "rear-half"),
    ],
)
def test_each_mount_has_its_arc(type_, mount, together, by_turns):
    aeroplane = BOOK.aircraft[type_]
    assert arc_of(aeroplane, mount, BOOK, simultaneous=True).name == together
    assert arc_of(aeroplane, mount, BOOK, simultaneous=False).name == by_turns


# ---- Line of sight


places = st.tuples(st.integers(-4, 4), st.integers(-4, 4)).map(lambda at: plus(MIDDLE, Hex(*at)))
flights = st.tuples(places, st.integers(0, 12).map(lambda steps: 50 * steps))
clouds = st.builds(
    lambda where, base, deep: Cloud(label(where), 50 * base, 50 * (base + deep)),
    places,
    st.integers(0, 10),
    st.integers(1, 8),
)
layers = st.lists(clouds, max_size=4).map(tuple)


@given(flights, flights, clouds)
@examples(150)
def test_a_line_is_blocked_where_some_piece_of_it_is_in_the_cloud(one, other, cloud):
    found = line_blocked(*one, *other, (cloud,), BOOK)
    event(f"blocked: {found}")
    assert found == crosses_slowly(*one, *other, cloud)


@given(flights, flights, layers, clouds)
def test_a_line_of_sight_goes_both_ways_and_more_cloud_never_clears_it(one, other, layer, more):
    found = line_blocked(*one, *other, layer, BOOK)
    assert line_blocked(*other, *one, layer, BOOK) == found
    assert line_blocked(*one, *other, (more, *layer), BOOK) >= found
    deeper = tuple(replace(c, base_feet=0, top_feet=c.top_feet + 50) for c in layer)
    assert line_blocked(*one, *other, deeper, BOOK) >= found
    assert not line_blocked(*one, *other, (), BOOK)


turns = st.builds(
    lambda sixths, mirror: around(sixths, mirror=mirror), st.integers(0, 5), st.booleans()
)


@given(flights, flights, layers, turns)
def test_turning_the_map_changes_no_line_of_sight(one, other, layer, turn):
    moved, _ = turn
    turned = tuple(moved_cloud(cloud, moved) for cloud in layer)
    (here, feet), (there, other_feet) = one, other
    assert line_blocked(moved(here), feet, moved(there), other_feet, turned, BOOK) == line_blocked(
        *one, *other, layer, BOOK
    )


# ---- Blind spots, sun, formation


@given(facings, near_offsets | offsets, small_heights, st.booleans(), turns)
@examples(100)
def test_blind_spots_are_those_of_plain_angles_and_turn_with_the_map(
    facing, offset, higher, gunner, turn
):
    there = plus(MIDDLE, offset)
    found = in_blind_spot(MIDDLE, facing, there, higher, BOOK, gunner=gunner)
    hexes, behind = MIDDLE.distance(there), 180 - angle_off(facing, MIDDLE, there)
    reach = at_most(behind, 0) and hexes <= 3 if gunner else at_most(behind, 30)
    assert found == (higher < 0 and (hexes == 0 or reach))
    moved, faced = turn
    turned = in_blind_spot(moved(MIDDLE), faced(facing), moved(there), higher, BOOK, gunner=gunner)
    assert turned == found
    alone = in_blind_spot(MIDDLE, facing, there, higher, BOOK, gunner=False)
    assert alone >= found, "a gunner sees more"
    none = under(blind_spots="none")
    assert not in_blind_spot(MIDDLE, facing, there, higher, none, gunner=gunner)


@given(facings, near_offsets | offsets, small_heights, turns)
@examples(100)
def test_up_sun_is_the_sector_toward_the_sun_and_turns_with_the_map(sun, offset, higher, turn):
    there = plus(MIDDLE, offset)
    found = is_up_sun(MIDDLE, there, higher, sun, BOOK)
    toward = there != MIDDLE and at_most(angle_off(sun, MIDDLE, there), 30)
    assert found == (toward and higher >= 0)
    above = under(up_sun="sector-above")
    assert is_up_sun(MIDDLE, there, higher, sun, above) == (toward and higher > 0)
    moved, faced = turn
    assert is_up_sun(moved(MIDDLE), moved(there), higher, faced(sun), BOOK) == found
    assert not is_up_sun(MIDDLE, there, higher, None, BOOK)
    if found:
        assert not is_up_sun(there, MIDDLE, -higher, sun, BOOK), "who has the sun behind him sees"


@given(near_offsets, small_heights, turns)
@examples(100)
def test_close_formation_is_mutual_and_turns_with_the_map(offset, higher, turn):
    there, moved = plus(MIDDLE, offset), turn[0]
    found = in_formation(MIDDLE, there, higher, BOOK)
    assert found == (MIDDLE.distance(there) <= 1 and abs(higher) <= 200)
    assert in_formation(there, MIDDLE, -higher, BOOK) == found
    assert in_formation(moved(MIDDLE), moved(there), higher, BOOK) == found
    close = under(formation="same-hex")
    assert in_formation(MIDDLE, there, higher, close) == (found and there == MIDDLE)


# ---- Looking


def needed(look):
    """The total that spots, by the page."""
    squares = look.hexes**2 + Fraction(look.height_difference_feet, 200) ** 2
    near, far = squares < Fraction(17, 2) ** 2, squares >= Fraction(41, 2) ** 2
    below = look.height_difference_feet < 0
    return 7 - look.target_fired - near + below + 2 * look.up_sun + 2 * far


looks = st.builds(
    Look,
    spotter=st.just("a1"),
    target=st.just("b1"),
    hexes=st.integers(0, 30),
    height_difference_feet=heights,
    up_sun=st.booleans(),
    target_fired=st.booleans(),
)


def looking(*given_looks):
    return SpotFacts(Looking(given_looks))


@given(looks)
def test_the_odds_of_a_look_are_those_of_two_dice(look):
    odds = odds_of(lambda dice: rule_on_spot(looking(look), BOOK, dice).outcome)
    faces = [one + other for one, other in product(range(1, 7), repeat=2)]
    wanted = Fraction(sum(total >= needed(look) for total in faces), 36)
    assert odds.of(lambda outcome: outcome.procedure.sightings[0].spotted) == wanted
    assert odds.runs <= 2, "only what decides is told apart"


@pytest.mark.parametrize(
    ("look", "total", "odds"),
    [
        (Look("a1", "b1", 6, 0, target_fired=True), 5, Fraction(5, 6)),
        (Look("a1", "b1", 21, -50, up_sun=True), 12, Fraction(1, 36)),
        (Look("a1", "b1", 20, 0), 7, Fraction(7, 12)),
    ],
)
def test_the_looks_of_the_register(look, total, odds):
    """T11."""
    assert needed(look) == total
    found = odds_of(lambda dice: rule_on_spot(looking(look), BOOK, dice).outcome)
    assert found.of(lambda outcome: outcome.procedure.sightings[0].spotted) == odds


pairs_seen = st.fixed_dictionaries(
    {
        "line_of_sight": st.booleans(),
        "in_blind_spot": st.booleans(),
        "fired_at_spotter": st.booleans(),
    }
)
EDGES = ((0, 1), (1, 2), (0, 2))
formations = st.sets(st.sampled_from(EDGES))
six_faces = st.lists(st.integers(1, 6), min_size=6, max_size=6)
three_seen = st.lists(pairs_seen, min_size=3, max_size=3)


def looks_at(names, seen, edges, spotter="a1"):
    """Three looks, at aircraft of which some fly together."""
    return [
        Look(
            spotter,
            names[i],
            12,
            0,
            target_fired=how["fired_at_spotter"],
            formation=tuple(names[b if a == i else a] for a, b in sorted(edges) if i in (a, b)),
            **how,
        )
        for i, how in enumerate(seen)
    ]


@given(three_seen, formations, six_faces)
def test_who_spots_one_of_a_formation_spots_all_of_it_that_is_not_hidden(seen, edges, faces):
    dice = DealtDice(faces)
    ruling = rule_on_spot(looking(*looks_at(("b1", "b2", "b3"), seen, edges)), BOOK, dice)
    assert audit(ruling.trace, BOOK.tables) == []
    found = ruling.outcome.procedure.sightings
    assert ruling.events[0].sightings == found
    hidden = [one.by in (SeenBy.BLIND_SPOT, SeenBy.NO_LINE_OF_SIGHT) for one in found]
    for a, b in edges:
        if not hidden[a] and not hidden[b]:
            assert found[a].spotted == found[b].spotted
    for one, how, lies_hidden in zip(found, seen, hidden):
        assert one.spotted == (one.by in SPOTTED)
        if how["fired_at_spotter"]:
            assert one.by == SeenBy.FIRING_AT_SPOTTER
        else:
            assert lies_hidden == (how["in_blind_spot"] or not how["line_of_sight"])
    rolled = [one.by in (SeenBy.ROLL, SeenBy.MISSED) for one in found]
    assert len(dice.rolls) >= sum(rolled)
    assert len(dice.rolls) <= 3 - sum(hidden), "nobody rolls for what is hidden"


@given(
    three_seen,
    formations,
    six_faces,
    st.permutations(("b1", "b2", "b3")),
    st.text("xyz", min_size=1),
)
def test_names_decide_nothing(seen, edges, faces, names, spotter):
    first = looks_at(("b1", "b2", "b3"), seen, edges)
    second = looks_at(tuple(names), seen, edges, spotter)
    one, other = (
        rule_on_spot(looking(*some), BOOK, DealtDice(faces)).outcome.procedure.sightings
        for some in (first, second)
    )
    assert [found.by for found in one] == [found.by for found in other]
    assert [found.target for found in other] == list(names)
    assert {found.spotter for found in other} == {spotter}
