"""What a trace of Flying Circus Plus tells of the settings that decided on the board."""

from __future__ import annotations

from copy import copy
from dataclasses import replace

import pytest
from circus_table import (
    ALTERNATE,
    BOOK,
    D_VII,
    EAST,
    FIRST,
    RULESET,
    SECOND,
    WEST,
    Sixes,
    Table,
    entrant,
    facing_off,
    head_on,
)
from guncamera.rules.dealt import DealtDice
from guncamera.rules.ruleset import Verb
from guncamera.rules.trace import SettingLine
from guncamera.rulesets.circus.aim import CLOCK_READINGS
from guncamera.rulesets.circus.aircraft import Aircraft, Mount, PathStep, Pose
from guncamera.rulesets.circus.changes import fold
from guncamera.rulesets.circus.facts import (
    Aiming,
    Cloud,
    Flight,
    Flying,
    MoveFacts,
    Plot,
    SpotFacts,
    Track,
)
from guncamera.rulesets.circus.move import rule_on_move
from guncamera.rulesets.circus.orders import FireOrder, Phase, Search, Shoot, SpotOrder
from guncamera.rulesets.circus.outcomes import Effect, End, Harm
from guncamera.rulesets.circus.spot import rule_on_spot

FALLING = (
    entrant("a", "second", "1413", EAST, aeroplane="bristol_f2b", speed_mp=5),
    entrant("c", "first", "0913", EAST, speed_mp=5),
)
LEVEL = Pose.LEVEL
HARMLESS = (1, 6)
"""At range 1, twin belt: one hit, and nothing critical."""


def named(table):
    return {line.name for line in table.ruling.trace if isinstance(line, SettingLine)}


def unseen_by(table, spotter):
    """The same table, where one has spotted nobody."""
    seen = tuple(one for one in table.board.sightings if one.spotter != spotter)
    table.board = fold(replace(table.board, sightings=seen), (), table.book)
    return table


def older(table):
    """The same game, begun before there was the setting `cloud_heights`."""
    table.book = replace(table.book, later=frozenset({"cloud_heights"}))
    return table


def begun_before(table):
    """The same game, begun before there was the setting `glide_ends_mp`."""
    table.book = replace(table.book, later=frozenset({"glide_ends_mp", "energy_limit"}))
    return table


def surveyed(table, seat, verb, order):
    return RULESET.survey(table.board, str(seat), verb, order, table.book).procedure


# ---- Who is seen


def test_a_shot_back_says_why_its_target_is_seen():  # CIR-7.7
    table = unseen_by(facing_off(), "b")
    table.shoot("a", "b", *HARMLESS)
    assert "shooter_seen" not in named(table)
    table.shoot("b", "a", *HARMLESS)
    assert "shooter_seen" in named(table)


def test_a_shot_at_one_who_was_spotted_does_not_turn_on_it():
    table = facing_off()
    table.shoot("a", "b", *HARMLESS)
    table.shoot("b", "a", *HARMLESS)
    assert "shooter_seen" not in named(table)


@pytest.mark.parametrize("reading", ["fires", "looks-too", "silent"])
def test_a_look_says_what_a_gunner_does_behind_a_dead_pilot(reading):  # CIR-9.17
    table = Table(FALLING, falling_gunner=reading)
    table.search()
    assert "falling_gunner" not in named(table)
    table = Table(FALLING, falling_gunner=reading)
    table.change("a", condition={"pilot_killed": True})
    table.search()
    assert "falling_gunner" in named(table)
    told = [line.value for line in table.ruling.trace if getattr(line, "name", "") == "a.looks"]
    assert told == ["yes" if reading == "looks-too" else "no"]


def test_a_dead_gunner_falls_without_a_word():
    table = Table(FALLING)
    table.change("a", condition={"pilot_killed": True, "gunner_killed": True})
    table.search()
    assert "falling_gunner" not in named(table)


CLOUD = Cloud("1413", 5500, 6500)
WING = entrant("c", "first", "1113", EAST)


@pytest.mark.parametrize(
    ("second", "more", "board", "told"),
    [
        ({}, (), {}, set()),
        ({}, (), {"clouds": (replace(CLOUD, base_feet=9000, top_feet=9500),)}, {"cloud_heights"}),
        ({}, (), {"clouds": (CLOUD,)}, set()),  # it hides by every reading
        ({"altitude_feet": 5000}, (), {}, {"blind_spots"}),
        ({"altitude_feet": 7000}, (), {}, set()),
        ({}, (), {"sun": WEST}, {"up_sun"}),
        ({"altitude_feet": 7000}, (), {"sun": WEST}, set()),
        ({}, (WING,), {}, {"formation"}),
    ],
)
def test_a_look_says_what_its_facts_turn_on(second, more, board, told):  # CIR-7.1
    """Somebody ahead of him looks back at an enemy behind: he is hidden, or not, by these."""
    pair = (entrant("a", "first", "1013", EAST, **second), entrant("b", "second", "1813", EAST))
    table = Table((*pair, *more))
    table.board = fold(replace(table.board, **board), (), table.book)
    looks = surveyed(table, FIRST, Verb.SPOT, SpotOrder(Search())).looks
    assert {name for look in looks if look.spotter == "b" for name in look.readings} == told
    older = begun_before(copy(table))
    before = surveyed(older, FIRST, Verb.SPOT, SpotOrder(Search())).looks
    assert before == tuple(replace(look, readings=()) for look in looks)
    table.search()
    assert told <= named(table)


def test_a_line_along_the_side_of_a_cloud_says_so():
    table = Table((entrant("a", "first", "1013", EAST), entrant("b", "second", "1112", EAST)))
    table.board = fold(replace(table.board, clouds=(Cloud("1113", 5500, 6500),)), (), table.book)
    looks = surveyed(table, FIRST, Verb.SPOT, SpotOrder(Search())).looks
    assert {look.readings for look in looks} == {("cloud_sides",)}


@pytest.mark.parametrize(("reading", "speed"), [("falls-one", 8), ("at-once", 5)])
def test_the_fall_of_a_dead_pilot_without_power_says_how_fast_it_is(reading, speed):  # CIR-3.9
    def fallen(table):
        table.change("a", condition={"pilot_killed": True, "engine_seized": True}, speed_mp=9)
        table.search()
        table.plot(SECOND, b="4")
        table.fly()
        assert table.aircraft("a").speed_mp == speed
        return named(table)

    table = Table(head_on(20), power_off=reading)
    assert {"glide_ends_mp", "power_off"} <= fallen(table)
    assert "power_off" not in fallen(begun_before(Table(head_on(20), power_off=reading)))


# ---- What the firing clock turned on


@pytest.mark.parametrize(
    ("shooter", "hex_", "flown", "faces", "mount", "reading"),
    [
        (D_VII, "1312", (4, "4"), (), Mount.FRONT, "front_arc"),
        (D_VII, "1113", (4, "4"), (), Mount.FRONT, "firing_clock"),
        (D_VII, "1313", (8, "PH 2"), (1,), Mount.FRONT, "hanging_target"),
        ("fe2b", "1211", (4, "2 SSL"), (), Mount.PIN, "shot_moment"),
        ("fe2b", "1010", (4, "4"), (), Mount.PIN, "front_pin_arc"),
    ],
)
def test_a_shot_names_what_a_look_through_the_sights_names(
    shooter, hex_, flown, faces, mount, reading
):
    pair = (
        entrant("a", "first", "1013", EAST, aeroplane=shooter),
        entrant("b", "second", hex_, EAST, speed_mp=flown[0]),
    )
    table = Table(pair)
    table.search()
    table.plot(FIRST, a="4")
    table.plot(SECOND, b=flown)
    table.fly(*faces)
    table.check(FIRST, "a", "b", mount)
    checked = named(table) & set(CLOCK_READINGS)
    assert reading in checked
    order = FireOrder(Shoot("a", "b", mount))
    facts = surveyed(table, FIRST, Verb.FIRE, order)
    table.give(FIRST, order, Sixes())
    assert named(table) & set(CLOCK_READINGS) == set(facts.aim.readings) == checked


@pytest.mark.parametrize(("later", "told"), [((), True), (("glide_ends_mp",), False)])
def test_a_game_that_began_before_knows_no_arc_that_is_touched(later, told):  # CIR-8.1
    """Beside the nose at range 2: out of every arc but one, which came later."""
    ahead = (PathStep(0, "1913", EAST, 5000, LEVEL), PathStep(1, "2013", EAST, 5000, LEVEL))
    beside = (PathStep(0, "2012", EAST, 5000, LEVEL), PathStep(1, "2112", EAST, 5000, LEVEL))
    facts = Aiming(D_VII, Mount.FRONT, Track(ahead), Track(beside), simultaneous=True)
    book = replace(BOOK, later=frozenset(later))
    ruling = rule_on_spot(SpotFacts(facts), book, DealtDice(()))
    assert ("front_arc" in {getattr(line, "name", "") for line in ruling.trace}) is told


# ---- Whose kill a landing is


@pytest.mark.parametrize("reading", ["kill", "none"])
@pytest.mark.parametrize("scorer", ["b", ""])
def test_a_landing_says_whose_it_is_where_somebody_scored(reading, scorer):  # CIR-12.9
    table = Table(head_on(20), landed_kill=reading, landing="any-shallow-dive")
    table.change("a", craft={"last_hit_by": scorer}, altitude_feet=100)
    table.search()
    table.plot(FIRST, a="4 v")
    table.plot(SECOND, b="4")
    table.fly()
    assert ("landed_kill" in named(table)) is bool(scorer)
    assert [kill.by for kill in table.board.kills] == [scorer if reading == "kill" else ""]


# ---- Games that began before


def test_a_game_that_began_before_is_told_what_it_always_was():
    table = older(unseen_by(facing_off(), "b"))
    table.shoot("a", "b", *HARMLESS)
    facts = surveyed(table, SECOND, Verb.FIRE, FireOrder(Shoot("b", "a", Mount.FRONT)))
    assert (facts.spotted, facts.fired_at_shooter, facts.aim.readings) == (True, False, ())
    falling = older(Table(FALLING))
    falling.change("a", condition={"pilot_killed": True})
    assert surveyed(falling, FIRST, Verb.SPOT, SpotOrder(Search())).falling_aircraft == ()


@pytest.mark.parametrize(
    ("codes", "then", "now"),
    [
        ("R R 1 v HT", -1, 0),  # the plot ends in a hammerhead; what is flown is a shallow dive
        ("R R 1 R Z2 2", -1, -1),  # it does not come to its zoom
    ],
)
def test_a_game_that_began_before_keeps_the_energy_of_the_plot_where_a_spar_cracks(
    codes, then, now
):  # CIR-6.6
    craft = Aircraft("a", D_VII, "2014", EAST, 6000, 9, ke=2)
    facts = MoveFacts(Flying((Flight(craft, Plot("a", 9, codes)),)))
    for later, change in ((frozenset(), now), (frozenset({"cloud_heights"}), then)):
        book = replace(BOOK, later=later)
        flown = rule_on_move(facts, book, DealtDice((3, 1, 5))).outcome.procedure.flights[0]
        assert flown.effects == (Effect(Harm.SPAR_CRACKED),)
        assert (flown.ke_spent, flown.ke_change, flown.speed_mp) == (0, change, 9)


@pytest.mark.parametrize(("later", "times"), [((), 1), (("cloud_heights",), 2)])
def test_a_game_that_began_before_names_an_edge_twice_that_comes_up_twice(later, times):  # CIR-6.6
    """The plot leads over the edge, and so does what is flown of it after a spar has cracked."""
    craft = Aircraft("a", D_VII, "1822", EAST, 6000, 9, ke=2)
    facts = MoveFacts(Flying((Flight(craft, Plot("a", 9, "R R 1 L 4")),)))
    book = replace(BOOK, later=frozenset(later))
    ruling = rule_on_move(facts, book, DealtDice((3, 1, 5)))
    assert ruling.outcome.procedure.flights[0].end == End.LEFT_MAP
    names = [getattr(line, "name", "") for line in ruling.trace]
    assert (names.count("map_edge"), names.count("map_rows")) == (times, times)


@pytest.mark.parametrize(("began", "gains"), [("now", 0), ("before", 1)])
def test_a_move_of_a_game_that_began_before_leaves_the_limit_to_the_end_of_the_turn(
    began, gains
):  # CIR-4.6
    table = Table(head_on(20))
    if began == "before":
        begun_before(table)
    table.change("a", ke=8, speed_mp=8)
    table.search()
    table.plot(FIRST, a=(8, "8 vv"))
    table.plot(SECOND, b="4")
    table.fly(1, 1)
    assert table.craft("a").ke_change == gains
    table.end_turn()
    assert table.aircraft("a").ke == 8


@pytest.mark.parametrize(("began", "stalled"), [("now", False), ("before", True)])
def test_a_stall_is_over_with_its_turn(began, stalled):  # CIR-3.8
    """In alternate turns the second side shoots again before it moves again."""
    table = Table(head_on(20), setup=ALTERNATE)
    if began == "before":
        begun_before(table)
    table.change("b", craft={"stalled": True})
    table.board = replace(table.board, phase=Phase.UPKEEP, acting_side=None, active=(FIRST, SECOND))
    table.end_turn()
    assert table.board.turn == 2
    assert table.craft("b").stalled is stalled


@pytest.mark.parametrize(("reading", "faces"), [("next-move", (6,)), ("next-turn", ())])
def test_a_gun_that_jams_in_the_first_half_of_a_turn_is_tried_by_setting(reading, faces):
    """CIR-9.16: the second side fires in both halves, and moves in the second."""
    table = Table(head_on(), setup=ALTERNATE, jam_tried=reading)
    table.search()
    table.plot(FIRST, a="4")
    table.search(SECOND)
    table.shoot("b", "a", 1, 1, long_burst=True)
    assert (table.craft("b").jams_anew, table.craft("a").jams_anew) == ((0,), ())
    table.hold(FIRST)
    table.search(SECOND)
    table.plot(SECOND, *faces, b="4")
    assert "jam_tried" in named(table)
    assert table.aircraft("b").loads[0].jammed is (reading == "next-turn")
    table.board = replace(table.board, phase=Phase.UPKEEP, acting_side=None, active=(FIRST, SECOND))
    table.end_turn()
    assert table.craft("b").jams_anew == ()


# ---- Stalls, clouds, fires and leaks


@pytest.mark.parametrize(
    ("reading", "active"), [("barred", {SECOND}), ("allowed", {FIRST, SECOND})]
)
def test_an_aircraft_that_stalled_fires_by_setting(reading, active):  # CIR-3.8
    table = facing_off(stall_fire=reading)
    table.change("a", craft={"stalled": True})
    assert set(table.board.active) == active
    if FIRST in active:
        table.shoot("a", "b", *HARMLESS)
        assert "stall_fire" in named(table)


@pytest.mark.parametrize(("reading", "spotted"), [("base-to-top", True), ("all", False)])
def test_a_cloud_far_above_hides_what_is_behind_it_by_setting(reading, spotted):  # CIR-7.2
    table = Table(head_on(), cloud_heights=reading)
    cloud = Cloud("1413", 9000, 10000)
    table.board = fold(replace(table.board, clouds=(cloud,)), (), table.book)
    table.search()
    assert {one.spotted for one in table.board.sightings} == {spotted}


ENGINE = (6, 5)
"""At range 1, twin belt: six hits; 5 is critical; 6 and 5 are the engine."""


@pytest.mark.parametrize(("reading", "damage"), [("same-turn", (1, 2)), ("next-turn", (0, 1))])
def test_a_fire_does_its_first_damage_in_its_turn(reading, damage):  # CIR-10.8
    table = facing_off(fire_begins=reading)
    table.shoot("a", "b", *ENGINE, 5)
    table.hold(SECOND)
    assert table.board.phase == Phase.UPKEEP
    assert table.craft("b").lit_points == 1
    found = []
    for _ in damage:
        table.end_turn()
        assert table.craft("b").lit_points == 0
        found.append(table.aircraft("b").condition.damage_points)
        table.board = replace(table.board, phase=Phase.UPKEEP, active=(FIRST, SECOND))
    assert tuple(found) == damage


@pytest.mark.parametrize(("reading", "tests"), [("turn-begins", (1, 2)), ("turn-ends", (0, 1))])
def test_an_oil_leak_is_tested_in_its_turns(reading, tests):  # CIR-10.13
    table = facing_off(leak_tested=reading)
    table.shoot("a", "b", *ENGINE, 2)
    table.hold(SECOND)
    assert table.craft("b").leaks_anew
    before, found = 0, []
    for expected in tests:
        table.end_turn(*([6] * (expected - before)))
        assert not table.craft("b").leaks_anew
        before = table.aircraft("b").condition.oil_leak_turns
        found.append(before)
        table.board = replace(table.board, phase=Phase.UPKEEP, active=(FIRST, SECOND))
    assert tuple(found) == tests


def test_the_settings_of_the_clock_are_settings():
    assert set(CLOCK_READINGS) <= set(BOOK.setting_specs)
