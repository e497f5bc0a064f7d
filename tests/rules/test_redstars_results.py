"""When shots take effect, at whom they may be fired, and what a view tells of them. R26, R29."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from guncamera.rules.refusal import Illegal
from guncamera.rulesets.redstars.aircraft import Flight
from guncamera.rulesets.redstars.board import Board
from guncamera.rulesets.redstars.events import AircraftLeft, Harmed, ResultsHeld, TurnTaken
from guncamera.rulesets.redstars.orders import HoldFire, Pending, Phase, Setup, Shoot, Shot
from guncamera.rulesets.redstars.outcomes import Effect, End, Harm
from guncamera.rulesets.redstars.pilot import PILOTS
from guncamera.rulesets.redstars.pilot_board import board_of
from redstars_table import (
    APART,
    HEAD_ON,
    JAPANESE,
    SOVIET,
    Game,
    Table,
    at_random,
    bold,
    entrant,
)

LATE = {"results": "end-of-fire"}
WITNESS = (entrant("y", SOVIET, 20, 20), entrant("z", JAPANESE, 20, 100))
"""Somebody of each side, so that a game goes on."""


def frail(*entrants, damage=14, **settings):
    """All have flown, and one hit more ends each of `a` and `b`."""
    table = Table(entrants, **settings)
    for name in ("a", "b"):
        table.change(name, condition={"damage": damage})
    return table.choose_rest().fly_all()


# ---- When shots take effect


def test_by_setting_who_is_shot_down_fires_back_before_he_is():  # RED-6.18
    table = frail(*HEAD_ON, *WITNESS, **LATE)
    table.shoot("a", "b", 5, 4, 4, 4, 4)
    assert (table.craft("b").end, table.board.order) == (None, ("b",))
    assert table.aircraft("b").condition.damage == 14
    held = Pending("b", (Effect(Harm.DAMAGE, 16),), End.SHOT_DOWN, "a")
    assert table.board.pending == (held,) == table.view().pending_results
    assert ResultsHeld("RED-6.18", "b", held.effects, held.end, "a") in table.told
    table.shoot("b", "a", 5, 4, 4, 4, 4)
    assert table.phases() == [Phase.END]
    told = [event for event in table.told if isinstance(event, Harmed | AircraftLeft)]
    assert [(type(event), event.aircraft, event.rule_id) for event in told] == [
        (Harmed, "b", "RED-8.1"),
        (AircraftLeft, "b", "RED-8.1"),
        (Harmed, "a", "RED-8.1"),
        (AircraftLeft, "a", "RED-8.1"),
    ]
    assert [table.craft(name).end for name in "ab"] == [End.SHOT_DOWN] * 2
    assert [(one.aircraft, one.by) for one in table.board.kills] == [("b", "a"), ("a", "b")]
    assert (table.craft("a").kills, table.craft("b").kills, table.board.pending) == (1, 1, ())


def test_two_who_down_each_other_end_a_game_in_a_draw():
    table = frail(*HEAD_ON, **LATE)
    table.shoot("a", "b", 5, 4, 4, 4, 4)
    assert table.active == (JAPANESE,), "nobody has won yet"
    table.shoot("b", "a", 5, 4, 4, 4, 4)
    assert (table.board.phase, table.board.draw) == (Phase.FINISHED, True)


THREE = (*HEAD_ON, entrant("c", SOVIET, 72.6, 50, speed=1, rating=2), *WITNESS)


def test_a_later_shot_counts_what_the_earlier_ones_did():
    table = frail(*THREE, damage=0, **LATE)
    assert table.board.order == ("c", "a", "b")
    table.shoot("c", "b", 5, 2, 2, 2, 2)
    table.shoot("a", "b", 5, 2, 2, 2, 2)
    assert [one.end for one in table.board.pending] == [None, End.SHOT_DOWN]
    assert table.craft("b").end is None
    table.hold("b")
    assert table.aircraft("b").condition.damage == 16
    assert table.board.kills[0].by == "a"


def test_nobody_fires_at_one_who_is_as_good_as_down():
    table = frail(*THREE, **LATE)
    table.shoot("c", "b", 5, 4, 4, 4, 4)
    assert TurnTaken("RED-10.4", "a") in table.told, "he has no other target"
    assert table.board.order == ("b",)
    table.board = replace(table.board, order=("a", "b"))
    with pytest.raises(Illegal) as refused:
        table.shoot("a", "b", 5, 4, 4, 4, 4)
    assert refused.value.rule_id == "RED-8.1"


def test_a_dead_pilots_aircraft_still_fires_where_results_wait():  # RED-6.17
    target = entrant("b", JAPANESE, 70, 68, 180, speed=2, type_="ki30")
    table = Table((HEAD_ON[0], target), **LATE).choose_rest().fly_all()
    table.shoot("a", "b", 5, 1, 1, 2, 2, 6, 2, 8)
    assert (table.board.phase, table.board.order) == (Phase.FIRE, ("b",))
    assert table.aircraft("b").condition is None
    table.shoot("b", "a", 1)
    condition = table.aircraft("b").condition
    assert (condition.pilot_killed, condition.observer_flies) == (True, True)


def test_ammunition_is_gone_at_once():
    table = frail(*HEAD_ON, *WITNESS, **LATE)
    table.shoot("a", "b", 5, 4, 4, 4, 4)
    assert table.aircraft("a").boxes == (9,)


def test_whole_games_end_where_results_wait():
    held = 0
    for seed in range(4):
        setup = Setup(aircraft=THREE, turns=15)
        played = Game(Random(seed), setup, bold, own_side="allowed", **LATE).play()
        assert played.result
        assert len(played.board.kills) == sum(one.end is not None for one in played.board.craft)
        held += len(played.of(ResultsHeld))
    assert held > 4


# ---- At whom


def test_by_setting_a_friend_is_a_target_and_no_kill():  # RED-6.17
    friend = entrant("c", SOVIET, 70, 64, speed=1)
    table = Table((*HEAD_ON, friend), own_side="allowed")
    table.change("c", condition={"damage": 14})
    table.choose_rest().fly_all()
    targets = {one.order.procedure.target for one in table.legal(SOVIET)[:-1]}
    assert targets == {"b", "c"}
    stock = PILOTS["stock"](table.view(SOVIET), SOVIET, table.book, 1).order.procedure
    assert stock.target == "b", "the stock pilot spares his friends"
    table.shoot("a", "c", 5, 4, 4, 4, 4)
    assert (table.craft("c").end, table.board.kills[0].by) == (End.SHOT_DOWN, "a")
    assert table.craft("a").kills == 0


def test_by_setting_a_spinning_aircraft_may_fire():  # RED-6.17
    for setting, fires in (("barred", False), ("allowed", True)):
        table = Table(HEAD_ON, spinning_fire=setting)
        table.choose_rest()
        table.declare(SOVIET)
        table.declare(JAPANESE)
        table.fly("b")
        table.change("b", flight=Flight.SPINNING)
        table.fly("a")
        assert ("b" in table.board.order) == fires
        if fires:
            table.hold("a")
            assert [one.order.procedure for one in table.legal(JAPANESE)] == [
                Shoot("b", "a", (0,)),
                HoldFire("b"),
            ]


def test_a_weapon_that_keeps_its_box_has_not_fired():  # RED-6.13
    guns = entrant("a", SOVIET, 70, 50, type_="i16t17", speed=2, rating=1)
    far = entrant("b", JAPANESE, 70, 88, 180, speed=2)
    for setting, boxes, weapons in (("marked", (7, 4), (0, 1)), ("kept", (8, 4), (1,))):
        table = Table((guns, far), boxes_out_of_range=setting).choose_rest().fly_all()
        table.shoot("a", "b", 1, weapons=(0, 1))
        assert table.aircraft("a").boxes == boxes
        assert table.board.shots[0].weapons == weapons


def test_a_duel_begins_as_it_is_set():  # RED-10.3
    for settings, apart, altitude in (({}, 60_000, 6), ({"duel_inches": 90}, 90_000, 6),
                                      ({"duel_altitude": 3}, 60_000, 3)):  # fmt: skip
        table = Table(setup=Setup("ki27"), **settings)
        one, other = (craft.aircraft.position for craft in table.board.craft)
        assert abs(one.y_mils - other.y_mils) == apart
        assert (one.altitude, other.altitude) == (altitude, altitude)


# ---- What a view tells


def test_a_view_tells_what_was_fired_and_whose_order_is_rolled_for():
    equal = (HEAD_ON[0], replace(HEAD_ON[1], pilot=replace(HEAD_ON[1].pilot, rating=1)))
    table = Table(equal).choose_rest()
    assert {(one.rammer, one.target) for one in table.view().possible_rams} == {
        ("a", "b"), ("b", "a"),
    }  # fmt: skip
    table.declare(SOVIET)
    assert table.view().ready_sides == ("soviet",)
    table.declare(JAPANESE)
    assert (table.view().phase, table.view().firing) == (Phase.ORDER, False)
    table.roll_order(3, 4)
    begun = {name: table.aircraft(name).position for name in "ab"}
    table.fly("a")
    table.fly("b")
    assert (table.view().phase, table.view().firing) == (Phase.ORDER, True)
    assert {one.aircraft.id: one.start for one in table.view().craft} == begun
    table.roll_order(3, 4)
    table.shoot("b", "a", 1)
    assert table.view().shots == (Shot("b", "a", (0,), hit=False, damage=0, special_hit=False),)


def test_a_start_is_that_of_the_last_move_and_no_spin_or_collision_moves_it():
    table = Table(APART)
    assert [one.start for one in table.view().craft] == [None, None]
    first = table.aircraft("a").position
    table.turn()
    assert table.craft("a").start == first
    second = table.aircraft("a").position
    table.turn()
    assert table.craft("a").start == second != first


@pytest.mark.parametrize("settings", [{}, LATE])
@pytest.mark.parametrize("policy", [at_random, bold])
def test_a_board_is_what_its_view_says_but_for_hidden_cards(settings, policy):
    """So that a pilot has nothing to infer; each board of a game, for each seat."""
    boards: list[Board] = []

    def noted(game, seat):
        boards.append(game.board)
        return policy(game, seat)

    played = Game(Random(7), Setup(aircraft=THREE, turns=8), noted, **settings).play()
    boards.append(played.board)
    assert {board.phase for board in boards} >= {Phase.CHOOSE, Phase.MOVE, Phase.FIRE}
    for board in boards:
        for seat in (SOVIET, JAPANESE):
            table = Table(THREE)
            table.board = board
            view = table.view(seat)
            assert board_of(view) == replace(board, cards=view.cards)
            hidden = [card for card in view.cards if card.choice is None]
            assert not hidden or board.phase == Phase.CHOOSE
