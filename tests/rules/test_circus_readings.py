"""What a trace of Flying Circus Plus tells of the settings that decided on the board."""

from __future__ import annotations

from dataclasses import replace

import pytest
from circus_table import (
    BOOK,
    D_VII,
    EAST,
    FIRST,
    RULESET,
    SECOND,
    Sixes,
    Table,
    entrant,
    facing_off,
    head_on,
)
from guncamera.rules.ruleset import Verb
from guncamera.rules.trace import SettingLine
from guncamera.rulesets.circus.aim import CLOCK_READINGS
from guncamera.rulesets.circus.aircraft import Mount
from guncamera.rulesets.circus.changes import fold
from guncamera.rulesets.circus.facts import Cloud
from guncamera.rulesets.circus.orders import FireOrder, Phase, Search, Shoot, SpotOrder

FALLING = (
    entrant("a", "second", "1413", EAST, aeroplane="bristol_f2b", speed_mp=5),
    entrant("c", "first", "0913", EAST, speed_mp=5),
)
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
