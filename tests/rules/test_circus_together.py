"""Shots of one fire phase that do the same to one aircraft, and a broken pilot at a barred edge."""

from __future__ import annotations

import pytest
from circus_table import EAST, TRIO, WEST, Table, entrant, facing_off
from guncamera.rules.refusal import Illegal
from guncamera.rules.trace import SettingLine
from guncamera.rulesets.circus.aircraft import Condition
from guncamera.rulesets.circus.events import Harmed
from guncamera.rulesets.circus.orders import Edge, Setup
from guncamera.rulesets.circus.outcomes import End, Harm

ENGINE = (2, 1)
"""A first die that hits, and a second that is critical: their sum is the engine."""
LEAK = 2
FIRES = {1: 5, 2: 6}
"""The die of the engine chart by the points of the fire."""


# ---- Two fires, two leaks (CIR-10.7, CIR-10.8, CIR-12.6)


def hit_twice(one, two, condition=None, **settings):
    """Two aircraft strike the engine of a third in one phase; the dice are those of the chart."""
    table = Table(TRIO, **settings).until_fire()
    table.change("b", condition=condition)
    table.shoot("a", "b", *ENGINE, *one)
    table.shoot("c", "b", *ENGINE, *two)
    assert table.aircraft("b").condition == Condition(**(condition or {})), "it waits"
    table.hold("second")
    return table


def told(table):
    return [(event.harm, event.amount) for event in table.told if isinstance(event, Harmed)]


@pytest.mark.parametrize(
    ("second_fire", "burning", "fires", "after"),
    [
        ("added", 0, (1, 2), 3),
        ("added", 1, (2, 2), 5),
        ("worst", 0, (1, 2), 2),
        ("worst", 0, (2, 1), 2),
        ("worst", 0, (2, 2), 2),
        ("worst", 1, (2, 2), 2),
        ("worst", 1, (1, 2), 2),
        ("worst", 3, (2, 2), 3),
    ],
)
def test_two_fires_of_one_phase_are_as_two_of_several(second_fire, burning, fires, after):
    one, two = ((FIRES[points],) for points in fires)
    table = hit_twice(one, two, {"fire_points": burning}, second_fire=second_fire)
    assert table.aircraft("b").condition.fire_points == after
    assert burning + sum(amount for _, amount in told(table)) == after


def test_each_aircraft_has_the_fire_of_its_own_hit():
    table = facing_off(second_fire="worst")
    table.shoot("a", "b", *ENGINE, FIRES[2])
    table.shoot("b", "a", *ENGINE, FIRES[1])
    assert [table.aircraft(id_).condition.fire_points for id_ in "ab"] == [1, 2]


@pytest.mark.parametrize(
    ("oil_leak", "turn", "tested"),
    [("rising", (), 0), ("one-die", (2,), 4), ("one-die", (5,), 1), ("one-die", (6,), 0)],
)
def test_a_second_leak_of_one_phase_throws_no_die_and_adds_nothing(oil_leak, turn, tested):
    table = hit_twice((LEAK, *turn), (LEAK,), oil_leak=oil_leak)
    behind = [(Harm.OIL_LEAK_TESTED, tested)] if tested else []
    assert told(table) == [(Harm.OIL_LEAK, 1), *behind]
    assert table.aircraft("b").condition.oil_leak_turns == tested


# ---- Home over a barred edge (CIR-3.10, CIR-12.8)


def at_the_edge(resolution, **settings):
    """An aircraft that faces its own edge, three hexes from it."""
    aircraft = (entrant("a", "first", "0313", WEST), entrant("b", "second", "3013", EAST))
    edges = {"first_edge": Edge.WEST, "second_edge": Edge.EAST}
    table = Table(setup=Setup(aircraft=aircraft, **edges), **settings)
    table.change("a", resolution=resolution, craft={"broken": resolution <= 0})
    table.search()
    return table


@pytest.mark.parametrize("broken_pilot", ["flies-home", "free"])
@pytest.mark.parametrize("map_edge", ["out", "barred"])
def test_a_broken_pilot_gets_home_where_the_edge_is_barred_to_others(map_edge, broken_pilot):
    table = at_the_edge(0, map_edge=map_edge, broken_pilot=broken_pilot)
    table.plot("first", a="4")
    table.plot("second", b="4")
    table.fly()
    assert table.craft("a").end == End.LEFT_MAP


@pytest.mark.parametrize(("map_edge", "resolution"), [("barred", 1), ("closed", 1), ("closed", 0)])
def test_nobody_else_does_and_he_not_where_it_is_closed(map_edge, resolution):
    table = at_the_edge(resolution, map_edge=map_edge)
    with pytest.raises(Illegal, match="edge of the map") as refused:
        table.plot("first", a="4")
    assert refused.value.rule_id == "CIR-3.10"


# ---- Whose kill it is (CIR-12.9)

CREW = (1, 1)
"""At range 1 or 2 a first die that hits, and a second that is critical: their sum is the crew."""
KILLED = (1,)


@pytest.mark.parametrize(("reading", "victor"), [("last-hit", "c"), ("fatal", "a")])
@pytest.mark.parametrize("phases", [1, 2])
def test_hits_on_one_who_falls_count_for_nobody_by_setting(reading, victor, phases):
    """One kills the pilot; another scores on him in the same phase, or while he falls."""
    table = Table(TRIO, kill_shot=reading).until_fire()
    if phases == 2:
        table.change("b", craft={"last_hit_by": "a"}, condition={"pilot_killed": True})
    else:
        table.shoot("a", "b", *CREW, *KILLED)
    table.shoot("c", "b", 2, 6)
    named = {line.name for line in table.ruling.trace if isinstance(line, SettingLine)}
    assert "kill_shot" in named
    assert table.craft("b").last_hit_by == victor


@pytest.mark.parametrize("reading", ["last-hit", "fatal"])
def test_hits_on_one_who_flies_count_for_the_last(reading):
    table = Table(TRIO, kill_shot=reading).until_fire()
    table.shoot("a", "b", 2, 6)
    table.shoot("c", "b", 2, 6)
    assert "kill_shot" not in {getattr(line, "name", "") for line in table.ruling.trace}
    assert table.craft("b").last_hit_by == "c"


def test_whoever_first_scores_on_one_who_falls_has_his_kill():
    """Nobody had hit him before: he was put in the air with a dead pilot."""
    table = Table(TRIO, kill_shot="fatal").until_fire()
    table.change("b", condition={"pilot_killed": True})
    table.shoot("c", "b", 2, 6)
    assert table.craft("b").last_hit_by == "c"
