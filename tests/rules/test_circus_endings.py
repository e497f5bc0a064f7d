"""How games of Flying Circus Plus are set up and end: broken pilots, kills, victory, views."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import pytest
from circus_table import (
    AT_ONCE,
    BOOK,
    BREAKS_UP,
    CLOSE,
    D_VII,
    EAST,
    FIRST,
    PAIR,
    RULESET,
    SECOND,
    TRIO,
    WEST,
    Table,
    entrant,
    facing_off,
    head_on,
    legal,
    view,
)
from guncamera.rules.hexes import HexDirection
from guncamera.rules.refusal import Illegal, Malformed
from guncamera.rules.ruleset import Verb
from guncamera.rulesets.circus.aircraft import Mount
from guncamera.rulesets.circus.events import (
    GameEnded,
    PhaseChanged,
)
from guncamera.rulesets.circus.facts import Cloud, Plot
from guncamera.rulesets.circus.homeward import degrees_from, hexes_to
from guncamera.rulesets.circus.map import hex_in
from guncamera.rulesets.circus.orders import (
    Edge,
    Kill,
    MoveOrder,
    Phase,
    Plots,
    Setup,
    TurnOrder,
)
from guncamera.rulesets.circus.outcomes import End
from guncamera.rulesets.circus.view import board_of

# ---- Broken pilots


def broken(*aircraft, **settings):
    """A game in which the pilot of `a` has had enough; his edge is in the south."""
    table = Table(aircraft or head_on(), **settings)
    table.change("a", craft={"broken": True})
    return table


def test_a_broken_pilot_flies_nearer_to_his_edge_or_turns_toward_it():  # CIR-12.8
    table = broken()
    table.search()
    with pytest.raises(Illegal) as refused:
        table.plot("first", a="4")
    assert refused.value.rule_id == "CIR-12.8"
    better = Plot("a", refused.value.facts["speed_mp"], refused.value.facts["codes"])
    orders = [order.order for order in legal(table, "first")]
    assert len(orders) > 10
    assert orders[0] == MoveOrder(Plots((better,)))
    assert RULESET.default_order(table.board, "first", BOOK) == orders[0]
    for order in orders:
        RULESET.survey(table.board, "first", Verb.MOVE, order, BOOK)
    table.plot("first", a="1 R 1")
    assert table.board.active == (SECOND,)


def test_by_setting_a_broken_pilot_flies_as_he_likes():
    table = broken(broken_pilot="free")
    table.search()
    table.plot("first", a="4")


def test_a_broken_pilot_flies_as_he_likes_where_there_is_no_way_home():
    plain = replace(CLOSE, type="plain", manoeuvres=())
    aircraft = (replace(head_on()[0], aeroplane="plain"), head_on()[1])
    table = Table(setup=Setup(aircraft=aircraft, own_aeroplanes=(plain,)))
    stuck = {"left_barred": True, "right_barred": True}
    table.change("a", craft={"broken": True}, condition=stuck)
    table.search()
    order = next(legal(table, "first")).order
    assert order == RULESET.default_order(table.board, "first", BOOK)
    table.plot("first", a="4")


@pytest.mark.parametrize(
    ("edge", "codes", "allowed"),
    [
        (Edge.SOUTH, "4", False),
        (Edge.SOUTH, "1 R 1", True),
        (Edge.SOUTH, "SSR 2", True),
        (Edge.SOUTH, "1 L 1", False),
        (Edge.NORTH, "1 L 1", True),
        (Edge.NORTH, "1 R 1", False),
        (Edge.EAST, "4", True),
        (Edge.WEST, "4", False),
        (Edge.WEST, "1 R 1", True),
    ],
)
def test_the_way_home_is_to_the_friendly_edge(edge, codes, allowed):
    table = Table(setup=Setup(aircraft=head_on(), first_edge=edge))
    table.change("a", craft={"broken": True})
    table.search()
    if allowed:
        table.plot("first", a=codes)
        return
    with pytest.raises(Illegal) as refused:
        table.plot("first", a=codes)
    assert refused.value.facts["edge"] == edge


@pytest.mark.parametrize(
    ("edge", "facing", "degrees"),
    [
        (Edge.EAST, EAST, 0),
        (Edge.EAST, WEST, 180),
        (Edge.WEST, HexDirection.SOUTHEAST, 120),
        (Edge.NORTH, HexDirection.NORTHEAST, 30),
        (Edge.NORTH, HexDirection.SOUTHWEST, 150),
        (Edge.SOUTH, HexDirection.SOUTHEAST, 30),
    ],
)
def test_how_far_a_facing_is_off_the_way_to_an_edge(edge, facing, degrees):
    assert degrees_from(edge, facing) == degrees


def test_how_many_columns_or_rows_it_is_to_an_edge():
    at = hex_in(40, 3)
    assert {edge: hexes_to(edge, at, BOOK) for edge in Edge} == {
        Edge.NORTH: 3, Edge.EAST: 6, Edge.SOUTH: 23, Edge.WEST: 40,
    }  # fmt: skip
    assert hexes_to(Edge.EAST, hex_in(46, 3), BOOK) == 0


def test_a_broken_pilot_fires_no_front_guns_but_his_gunner_fires():
    between = (
        entrant("a", "first", "1413", EAST, aeroplane="bristol_f2b", speed_mp=5),
        entrant("b", "second", "1813", EAST, speed_mp=5),
        entrant("c", "second", "1013", EAST, speed_mp=5),
    )
    for setting, mounts in (("flies-home", {Mount.RING}), ("free", {Mount.RING, Mount.FRONT})):
        table = Table(between, broken_pilot=setting).until_fire()
        table.change("a", craft={"broken": True})
        found = {one.mount for one in view(table).opportunities if one.shooter == "a"}
        assert found == mounts
    table = Table(between).until_fire()
    table.change("a", craft={"broken": True})
    with pytest.raises(Illegal) as refused:
        table.shoot("a", "b", 6)
    assert refused.value.rule_id == "CIR-12.8"
    table.shoot("a", "c", 1, mount=Mount.RING)


# ---- Collisions, kills, and the end


TOGETHER = (
    entrant("a", "first", "1013", EAST),
    entrant("c", "first", "0913", EAST, speed_mp=5),
    entrant("d", "first", "0913", EAST, speed_mp=5, altitude_feet=6050),
    entrant("b", "second", "4013", WEST),
)


@pytest.mark.parametrize(("stacking", "lost"), [("ignored", []), ("collide", ["a", "c"])])
def test_aircraft_in_one_place_pass_each_other_or_by_setting_collide(stacking, lost):
    table = Table(TOGETHER, stacking=stacking).until_fire()  # CIR-12.7
    assert [kill.aircraft for kill in table.board.kills] == lost
    assert [kill for kill in table.board.kills if kill.by or kill.end != End.COLLIDED] == []
    assert {table.aircraft(id_).hex for id_ in "acd"} == {"1413"}


def test_a_kill_is_his_who_scored_last():  # CIR-12.9
    table = Table(TRIO, **AT_ONCE).until_fire()
    table.shoot("a", "b", *BREAKS_UP)
    table.shoot("c", "b", 1, 6)
    table.hold("second")
    assert table.board.kills == (Kill("b", End.BROKEN_UP, "c"),)
    assert (table.craft("a").kills, table.craft("c").kills) == (0, 1)
    assert table.board.winner == FIRST


def test_a_miss_is_no_claim():
    table = Table((*TRIO, entrant("d", "second", "4013", WEST)), **AT_ONCE).until_fire()
    table.shoot("a", "b", *BREAKS_UP)
    table.change("c", hex="1113")
    board = table.board
    far = [replace(one, hexes=8, range_hexes=8) for one in board.opportunities]
    table.board = replace(board, opportunities=tuple(far))
    table.shoot("c", "b", 1)
    table.hold("second")
    assert table.board.kills == (Kill("b", End.BROKEN_UP, "a"),)


def test_who_burns_or_falls_later_is_the_kill_of_who_scored_last():
    table = Table(head_on(20)).until_fire()
    table.change("b", craft={"last_hit_by": "a"}, condition={"fire_points": 1, "damage_points": 8})
    table.end_turn()
    assert table.board.kills == (Kill("b", End.DESTROYED, "a"),)
    table = Table((*TRIO, entrant("d", "second", "4013", WEST)))
    table.change(
        "b", craft={"last_hit_by": "c"}, condition={"pilot_killed": True}, altitude_feet=150
    )
    table.until_fire()
    assert table.board.kills == (Kill("b", End.CRASHED, "c"),)
    assert table.craft("c").kills == 1


@pytest.mark.parametrize(("reading", "by"), [("kill", "a"), ("none", "")])
@pytest.mark.parametrize("hit_by", ["a", ""])
def test_an_aircraft_that_lands_is_the_kill_of_who_hit_it_by_setting(reading, by, hit_by):
    table = Table(head_on(20), landed_kill=reading)
    condition = {"engine_seized": True}
    table.change("b", craft={"last_hit_by": hit_by}, condition=condition, altitude_feet=50)
    table.until_fire(b=(5, "5 v"))
    assert table.board.kills == (Kill("b", End.LANDED, by if hit_by else ""),)


def test_who_leaves_the_map_is_nobodys_kill_and_the_game_is_over_when_a_side_is_gone():
    table = Table(  # CIR-12.10
        [entrant("a", "first", "4313", EAST), entrant("b", "second", "1013", WEST)]
    )
    table.change("a", craft={"last_hit_by": "b"})
    table.until_fire()
    assert table.board.kills == (Kill("a", End.LEFT_MAP, ""),)
    assert table.board.winner == SECOND
    assert RULESET.result(table.board) == (
        "The second side wins: kills 0 to 0, aircraft lost 0 and 0, "
        "out of the fight 1 and 0, in turn 1."
    )
    assert RULESET.active_seats(table.board) == ()
    assert isinstance(table.told[-2], GameEnded)
    assert table.told[-1] == PhaseChanged("CIR-12.10", Phase.FINISHED, 1)


@pytest.mark.parametrize(
    ("victory", "winner"), [("driven-off", SECOND), ("kills", None), ("survivors", SECOND)]
)
def test_an_aircraft_lost_by_its_own_doing_is_no_kill(victory, winner):
    table = Table(head_on(20), victory=victory)
    table.change("a", altitude_feet=50)
    table.search()
    table.plot("first", a="4 v")
    table.plot("second", b="4")
    table.fly()
    assert table.craft("a").end == End.CRASHED
    assert (table.board.winner, table.board.draw) == (winner, winner is None)


@pytest.mark.parametrize(
    ("victory", "winner"), [("driven-off", FIRST), ("kills", None), ("survivors", None)]
)
def test_a_pilot_who_is_broken_is_driven_off(victory, winner):
    table = Table(setup=Setup(aircraft=head_on(20), turns=1), victory=victory)
    table.until_fire()
    table.change("b", craft={"broken": True}, resolution=0)
    table.end_turn()
    assert (table.board.winner, table.board.draw) == (winner, winner is None)


def test_a_kill_weighs_more_than_any_who_are_driven_off():
    table = Table(setup=Setup(aircraft=head_on(20), turns=1))
    table.until_fire()
    table.change("b", craft={"broken": True, "kills": 1}, resolution=0)
    table.end_turn()
    assert table.board.winner == SECOND


def test_the_game_ends_after_the_turns_agreed_and_falling_aircraft_are_lost():
    setup = Setup(aircraft=head_on(20), turns=2)
    table = Table(setup=setup).until_fire()
    table.end_turn()
    assert table.board.turn == 2
    table.until_fire()
    table.hold("first", "second")
    table.change("b", craft={"last_hit_by": "a"}, condition={"pilot_killed": True})
    table.end_turn()
    assert table.board.turn == 2
    assert table.board.kills == (Kill("b", End.CRASHED, "a"),)
    assert table.board.winner == FIRST
    assert RULESET.result(table.board) == (
        "The first side wins: kills 1 to 0, aircraft lost 0 and 1, "
        "out of the fight 0 and 1, in turn 2."
    )


# ---- Setting up


def test_a_duel_is_flown_head_on_across_the_middle_at_top_speed():  # CIR-12.3
    board = RULESET.open_board(Setup("sopwith_camel"), BOOK)
    first, second = (craft.aircraft for craft in board.craft)
    assert (first.hex, second.hex) == ("1313", "3313")
    assert (first.facing, second.facing) == (EAST, WEST)
    assert {one.aeroplane for one in (first, second)} == {"sopwith_camel"}
    assert {(one.altitude_feet, one.speed_mp, one.resolution) for one in (first, second)} == {
        (6000, 9, 10)
    }
    assert (board.turns, board.turn_order) == (30, TurnOrder.SIMULTANEOUS)
    assert (board.first_edge, board.second_edge) == (Edge.SOUTH, Edge.NORTH)
    assert [seat.id for seat in RULESET.seats(Setup(), BOOK)] == ["first", "second"]
    assert RULESET.open_board(Setup(), BOOK).craft[0].aircraft.aeroplane == D_VII


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({}, (Edge.SOUTH, Edge.NORTH)),
        ({"first_edge": Edge.NORTH}, (Edge.NORTH, Edge.SOUTH)),
        ({"second_edge": Edge.SOUTH}, (Edge.NORTH, Edge.SOUTH)),
        ({"first_edge": Edge.WEST}, (Edge.WEST, Edge.NORTH)),
    ],
)
def test_a_friendly_edge_that_is_left_out_is_another_one(given, found):
    board = RULESET.open_board(Setup(**given), BOOK)
    assert (board.first_edge, board.second_edge) == found


def test_aircraft_stand_in_order_of_their_ids_and_carry_full_loads():
    board = RULESET.open_board(Setup(aircraft=(*reversed(TRIO),)), BOOK)
    assert [craft.aircraft.id for craft in board.craft] == ["a", "b", "c"]
    assert {craft.aircraft.loads[0].points for craft in board.craft} == {10}
    board = RULESET.open_board(
        Setup(aircraft=head_on()), BOOK.with_settings({"standard_resolution": 12})
    )
    assert {craft.aircraft.resolution for craft in board.craft} == {12}


@pytest.mark.parametrize(
    ("setup", "fields"),
    [
        (Setup("sopwith_gnat"), ["setup.aeroplane"]),
        (Setup(D_VII, aircraft=head_on()), ["setup.aeroplane"]),
        (Setup(aircraft=(head_on()[0],)), ["setup.aircraft"]),
        (
            Setup(aircraft=(*head_on(), *(replace(PAIR[1], id=i) for i in "xyz"))),
            ["setup.aircraft"],
        ),
        (
            Setup(
                aircraft=(
                    replace(head_on()[0], id="b", hex="4613", altitude_feet=6025, speed_mp=11),
                    replace(head_on()[1], aeroplane="gnat", resolution=0, altitude_feet=0),
                ),
                first_edge=Edge.WEST,
                second_edge=Edge.WEST,
                clouds=(Cloud("0001", 2000, 3000), Cloud("1010", 3000, 3000)),
            ),
            [
                "setup.aircraft[0].id",
                "setup.aircraft[1].id",
                "setup.second_edge",
                "setup.clouds[0].hex",
                "setup.clouds[1].top_feet",
                "setup.aircraft[0].hex",
                "setup.aircraft[0].altitude_feet",
                "setup.aircraft[0].speed_mp",
                "setup.aircraft[1].resolution",
                "setup.aircraft[1].altitude_feet",
                "setup.aircraft[1].aeroplane",
            ],
        ),
        (
            Setup(aircraft=(replace(head_on()[0], altitude_feet=18550, speed_mp=3), head_on()[1])),
            ["setup.aircraft[0].altitude_feet", "setup.aircraft[0].speed_mp"],
        ),
        (Setup(aircraft=(replace(head_on()[0], id=""), head_on()[1])), ["setup.aircraft[0].id"]),
        (
            Setup(own_aeroplanes=(replace(CLOSE, type="own", stall_mp=12),), aeroplane="own"),
            ["setup.own_aeroplanes[0].stall_mp"],
        ),
    ],
)
def test_a_set_up_that_cannot_be_lists_every_fault(setup, fields):
    with pytest.raises(Malformed) as refused:
        RULESET.open_board(setup, BOOK)
    assert [fault.field for fault in refused.value.violations] == fields
    assert refused.value.rule_id == "CIR-12.3"


def test_own_aeroplanes_fly_and_fight():
    own = replace(CLOSE, type="own", title="Own")
    aircraft = tuple(replace(one, aeroplane="own") for one in head_on())
    table = Table(setup=Setup(aircraft=aircraft, own_aeroplanes=(own,))).until_fire()
    table.shoot("a", "b", 1, 6)
    table.shoot("b", "a", 1, 6)
    table.end_turn()
    assert table.board.turn == 2


# ---- Views and legal orders


def test_a_view_shows_the_shots_that_are_still_open_and_whose_it_is():
    table = facing_off()
    assert view(table, "second").seat == SECOND
    assert [one.shooter for one in view(table).opportunities] == ["a", "b"]
    table.shoot("a", "b", 1, 6)
    assert [one.shooter for one in view(table).opportunities] == ["b"]
    table = facing_off()
    table.hold("first")
    assert [one.shooter for one in view(table).opportunities] == ["b"]


def test_who_sees_only_a_view_has_the_same_orders():
    table = Table(TRIO)
    for step in (table.search, lambda: None):
        for seat in table.board.active:
            board = board_of(view(table, seat), BOOK)
            same = list(islice(RULESET.legal_orders(board, seat, BOOK), 60))
            assert same == list(islice(legal(table, seat), 60))
        step()
    table = Table(TRIO).until_fire()
    table.shoot("a", "b", 1, 6)
    for seat in ("first", "second"):
        board = board_of(view(table, seat), BOOK)
        assert list(RULESET.legal_orders(board, seat, BOOK)) == list(legal(table, seat))


def plots_listed(table):
    return [order.order.procedure.plots for order in legal(table, "first")]


def test_legal_plots_vary_one_aircraft_at_a_time():
    table = Table(PAIR)
    table.search()
    orders = plots_listed(table)
    assert len(orders) > 100
    assert len(set(orders)) == len(orders)
    default = orders[0]
    assert default == (Plot("a", 4, "4"), Plot("b", 4, "4"))
    for plots in orders[1:]:
        assert sum(one != other for one, other in zip(plots, default)) == 1
    assert {at for plots in orders[1:9] for at in (0, 1) if plots[at] != default[at]} == {0, 1}
    assert orders == plots_listed(table)


def test_an_aircraft_with_few_plots_does_not_keep_the_others_from_theirs():
    table = Table(PAIR)
    table.search()
    every = {plots[1] for plots in plots_listed(table)}
    stuck = {"left_barred": True, "right_barred": True, "engine_seized": True}
    table.change("a", condition=stuck)
    orders = plots_listed(table)
    assert {plots[1] for plots in orders} == every
    assert len({plots[0] for plots in orders}) < len(every) / 2


def test_legal_plots_are_bounded():
    table = Table([replace(one, speed_mp=10) for one in PAIR])
    table.search()
    assert len(plots_listed(table)) == 300


def test_who_has_nothing_to_do_has_no_orders():
    table = facing_off()
    table.hold("first")
    assert list(legal(table, "first")) == []
    assert list(legal(table, "second")) != []
