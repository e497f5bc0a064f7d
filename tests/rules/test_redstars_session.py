"""Games of Red Stars on a board: phases, order, rams, endings, whole games."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from random import Random

import pytest
from guncamera.rules.dice import Throw
from guncamera.rules.refusal import Illegal, Malformed, PhaseClosed
from guncamera.rulesets.redstars.aircraft import AltitudeCard, Flight, Pilot
from guncamera.rulesets.redstars.events import (
    AircraftLeft,
    MeetingOver,
    OrderSet,
    PhaseChanged,
    RamMissed,
    SideReady,
    TurnTaken,
)
from guncamera.rulesets.redstars.orders import (
    Choose,
    Collide,
    DamageOrder,
    DeclareRam,
    EndTurn,
    FireOrder,
    Fly,
    HoldFire,
    Look,
    Measure,
    Meeting,
    MoveOrder,
    Phase,
    Ram,
    RollOrder,
    Setup,
    Shoot,
    Side,
    SpotOrder,
)
from guncamera.rulesets.redstars.outcomes import End
from redstars_table import (
    APART,
    BEHIND,
    BOOK,
    FAR,
    HEAD_ON,
    JAPANESE,
    SOVIET,
    VERBS,
    Game,
    Table,
    at_random,
    bold,
    choice,
    entrant,
    survey,
    timid,
)

# ---- Phases


def test_a_turn_goes_from_choosing_to_the_next_turn():  # RED-10.4
    table = Table(HEAD_ON)
    assert (table.board.phase, table.board.turn) == (Phase.CHOOSE, 1)
    assert table.active == (SOVIET, JAPANESE)
    table.choose(choice("b"))
    assert (table.board.phase, table.active) == (Phase.CHOOSE, (SOVIET,))
    table.choose(choice("a"))
    assert (table.board.phase, table.active) == (Phase.RAM, (SOVIET,))
    table.declare(SOVIET)
    assert (table.board.phase, table.active) == (Phase.RAM, (JAPANESE,))
    table.declare(JAPANESE)
    assert (table.board.phase, table.active) == (Phase.MOVE, (JAPANESE,))
    assert table.board.order == ("b", "a")
    table.fly("b")
    table.fly("a")
    assert table.phases() == [Phase.COLLIDE, Phase.FIRE]
    assert (table.board.order, table.active) == (("a", "b"), (SOVIET,))
    table.hold("a")
    table.hold("b")
    assert (table.board.phase, table.active) == (Phase.END, (SOVIET, JAPANESE))
    table.end_turn()
    assert (table.board.phase, table.board.turn) == (Phase.CHOOSE, 2)
    changes = table.of(PhaseChanged)
    assert {event.rule_id for event in changes} == {"RED-10.4"}
    assert [event.phase for event in changes] == [
        Phase.RAM, Phase.MOVE, Phase.COLLIDE, Phase.FIRE, Phase.END, Phase.CHOOSE,
    ]  # fmt: skip


ORDERS = {
    "choose": MoveOrder(Choose((choice("a"),))),
    "declare": MoveOrder(DeclareRam()),
    "roll": MoveOrder(RollOrder()),
    "fly": MoveOrder(Fly("a")),
    "collide": MoveOrder(Collide()),
    "measure": SpotOrder(Measure("a", "b")),
    "look": SpotOrder(Look("a")),
    "shoot": FireOrder(Shoot("a", "b", (0,))),
    "hold": FireOrder(HoldFire("a")),
    "end": DamageOrder(EndTurn()),
}
LOOKS = {"measure", "look"}
OPEN = {
    Phase.CHOOSE: {"choose"},
    Phase.RAM: {"declare", *LOOKS},
    Phase.ORDER: {"roll", *LOOKS},
    Phase.MOVE: {"fly", *LOOKS},
    Phase.COLLIDE: {"collide", *LOOKS},
    Phase.FIRE: {"shoot", "hold", *LOOKS},
    Phase.END: {"end", *LOOKS},
    Phase.FINISHED: set(),
}


def boards():
    table = Table(HEAD_ON)
    yield table.board
    table.choose_rest()
    yield table.board
    yield replace(table.board, phase=Phase.ORDER)
    table.declare(SOVIET)
    table.declare(JAPANESE)
    table.fly("b")
    yield table.board
    yield replace(table.board, phase=Phase.COLLIDE, meetings=(Meeting("a", "b", ram=False),))
    table.fly("a")
    yield table.board
    table.hold_all()
    yield table.board
    yield replace(table.board, phase=Phase.FINISHED)


@pytest.mark.parametrize("board", list(boards()), ids=lambda board: board.phase.value)
@pytest.mark.parametrize("name", ORDERS)
def test_an_order_belongs_to_its_phase(board, name):
    order = ORDERS[name]
    if name in OPEN[board.phase]:
        survey(board, SOVIET, VERBS[type(order)], order, BOOK)
        return
    with pytest.raises(PhaseClosed) as closed:
        survey(board, SOVIET, VERBS[type(order)], order, BOOK)
    assert closed.value.rule_id == "RED-10.4"
    assert closed.value.facts["phase"] == board.phase.value
    assert str(closed.value.facts["may"]) in closed.value.message


@pytest.mark.parametrize(
    ("order", "rule", "field", "kind"),
    [
        (Fly("b"), "RED-10.4", "fly.aircraft", Illegal),
        (Fly("c"), "RED-10.4", "fly.aircraft", Illegal),
        (Fly("x"), "RED-10.4", "fly.aircraft", Malformed),
    ],
)
def test_each_aircraft_moves_in_its_turn_and_by_its_own_side(order, rule, field, kind):
    table = Table((*APART, entrant("c", SOVIET, 30, 20, 0, rating=2)))
    table.choose_rest()
    table.fly("b")
    with pytest.raises(kind) as refused:
        table.give(SOVIET, MoveOrder(order))
    assert (refused.value.rule_id, refused.value.field) == (rule, field)


def test_an_aircraft_that_is_gone_takes_no_order():
    table = Table((*HEAD_ON, entrant("d", JAPANESE, 20, 20)))
    table.change("b", condition={"damage": 14})
    table.choose_rest().fly_all()
    table.shoot("a", "b", 5, 4, 4, 4, 4)
    for order in (Measure("b", "a"), Look("b")):
        with pytest.raises(Illegal) as refused:
            table.give(JAPANESE, SpotOrder(order))
        assert "has left the game" in refused.value.message


def test_a_pilot_looks_out_for_his_own_side():
    table = Table(APART).choose_rest()
    with pytest.raises(Illegal) as refused:
        table.give(SOVIET, SpotOrder(Look("b")))
    assert refused.value.field == "look.aircraft"


# ---- The order of moving and firing


def test_gliders_move_first_and_rammers_last():  # RED-3.8
    table = Table(
        (*HEAD_ON, entrant("g", JAPANESE, 20, 20, rating=3), entrant("h", SOVIET, 20, 100))
    )
    table.change("g", condition={"engine_marks": (3,)}, flight=Flight.GLIDING)
    table.choose_rest()
    table.declare(SOVIET, "a", "b")
    table.declare(JAPANESE)
    assert (table.board.phase, table.active) == (Phase.ORDER, (SOVIET, JAPANESE))
    table.roll_order(5, 2)
    assert table.board.order == ("g", "h", "b", "a")
    assert OrderSet("RED-3.8", Phase.ORDER, table.board.order) in table.told


def test_a_tailer_who_is_little_worse_moves_directly_after_his_target():
    worse = (replace(BEHIND[0], pilot=replace(BEHIND[0].pilot, rating=3)), *BEHIND[1:], *APART[1:])
    for settings, order in (({}, "btc"), ({"tail_move_order": "plain"}, "bct")):
        table = Table(worse, **settings).choose_rest()
        table.declare(SOVIET)
        assert "".join(table.board.order) == order


def test_only_those_who_have_a_shot_roll_for_the_order_of_fire():  # RED-6.18
    three = (*HEAD_ON, entrant("d", JAPANESE, 20, 20, rating=1))
    table = Table(three).choose_rest().fly_all()
    assert table.board.order == ("a", "b")
    equal = (HEAD_ON[0], replace(HEAD_ON[1], pilot=replace(HEAD_ON[1].pilot, rating=1)))
    table = Table(equal).choose_rest()
    table.declare(SOVIET)
    table.declare(JAPANESE)
    table.roll_order(3, 4)
    assert table.board.order == ("a", "b")
    table.fly("a")
    table.fly("b")
    assert (table.board.phase, table.board.firing) == (Phase.ORDER, True)
    table.roll_order(3, 4)
    assert (table.board.phase, table.board.order) == (Phase.FIRE, ("b", "a"))
    assert OrderSet("RED-6.18", Phase.ORDER, ("b", "a")) in table.told


def test_who_shoots_his_enemy_down_is_not_fired_at_by_him():  # RED-6.18, RED-10.5
    table = Table((*HEAD_ON, entrant("d", JAPANESE, 20, 20)))
    table.change("b", condition={"damage": 14})
    table.choose_rest().fly_all()
    assert table.board.order == ("a", "b")
    table.shoot("a", "b", 5, 4, 4, 4, 4)
    assert table.craft("b").end == End.SHOT_DOWN
    assert table.phases() == [Phase.END]
    assert not any(event.shooter == "b" for event in table.board.shots)
    assert (table.craft("a").kills, table.board.kills[0].by) == (1, "a")


def test_who_takes_the_controls_from_a_dead_pilot_does_not_fire_yet():  # RED-6.17
    target = entrant("b", JAPANESE, 70, 68, 180, speed=2, type_="ki30")
    table = Table((HEAD_ON[0], target)).choose_rest().fly_all()
    assert table.board.order == ("a", "b")
    table.shoot("a", "b", 5, 1, 1, 2, 2, 6, 2, 8)
    condition = table.aircraft("b").condition
    assert (condition.pilot_killed, condition.observer_flies) == (True, True)
    assert TurnTaken("RED-6.17", "b") in table.told
    assert table.board.phase == Phase.END


@pytest.mark.parametrize(
    ("tail_holds", "faces", "hit"), [("turn", (6, 2, 3, 2, 3), (0,)), ("behind", (6,), ())]
)
def test_a_tailer_shoots_as_one_all_turn_or_by_setting_while_he_is_behind(tail_holds, faces, hit):
    tailer = entrant("a", SOVIET, 70, 50, speed=1)
    table = Table((tailer, entrant("b", JAPANESE, 70, 65, speed=1)), tail_holds=tail_holds)
    assert table.craft("a").tails == "b"
    table.choose_rest(choice("b", "right")).fly_all()
    assert table.shoot("a", "b", *faces).weapons_hit == hit


def test_by_setting_forward_weapons_fire_apart_at_one_target_or_several():  # RED-6.16
    guns = entrant("a", SOVIET, 70, 50, type_="i16t17", speed=2, rating=1)
    others = (entrant(name, JAPANESE, x, 65, speed=2) for name, x in (("b", 70), ("c", 75)))
    table = Table((guns, *others), forward_fire="apart")
    table.choose_rest().fly_all()
    table.shoot("a", "b", 1, 3, 4, weapons=(1,))
    orders = [one.order.procedure for one in table.legal(SOVIET)]
    assert orders == [Shoot("a", "b", (0,)), Shoot("a", "c", (0,)), HoldFire("a")]
    with pytest.raises(Illegal) as refused:
        table.shoot("a", "c", 1, weapons=(0, 1))
    assert (refused.value.rule_id, refused.value.field) == ("RED-6.16", "shoot.weapons")
    table.shoot("a", "c", 1, weapons=(0,))
    assert table.board.phase == Phase.END


def test_forward_weapons_fire_together_and_once():  # RED-6.16
    guns = entrant("a", SOVIET, 70, 50, type_="i16t17", speed=2, rating=1)
    table = Table((guns, entrant("b", JAPANESE, 70, 69, 180, speed=1)))
    table.choose_rest().fly_all()
    shots = [one.order.procedure for one in table.legal(SOVIET)]
    assert shots == [*(Shoot("a", "b", w) for w in ((0, 1), (0,), (1,))), HoldFire("a")]
    whole = table.board
    table.shoot("a", "b", 1)
    assert table.board.order == ("b",)
    rear = entrant("a", SOVIET, 70, 50, type_="sb", speed=2)
    table = Table((rear, entrant("b", JAPANESE, 70, 45, speed=2, rating=1)))
    table.choose_rest().fly_all().hold("b")
    table.shoot("a", "b", 1, weapons=(1,))
    with pytest.raises(Illegal) as refused:
        table.shoot("a", "b", 1, weapons=(1,))
    assert (refused.value.rule_id, refused.value.field) == ("RED-6.16", "shoot.weapons")
    table.shoot("a", "b", 1, weapons=(2,))
    assert table.board.phase == Phase.END
    assert whole.order == ("a", "b")


def test_nobody_fires_at_his_own_side():
    table = Table((*HEAD_ON, entrant("c", SOVIET, 70, 64))).choose_rest().fly_all()
    with pytest.raises(Illegal) as refused:
        table.shoot("a", "c")
    assert (refused.value.rule_id, refused.value.field) == ("RED-6.17", "firing.target.id")


# ---- Rams and collisions


def test_a_side_declares_as_many_rams_as_it_has_rammers():
    four = (
        *HEAD_ON,
        entrant("c", SOVIET, 40, 50, speed=1, rating=2),
        entrant("d", JAPANESE, 40, 65, 180, speed=1, rating=-1),
    )
    table = Table(four).choose_rest()
    assert table.board.possible_rams == (Ram("a", "b"), Ram("b", "a"), Ram("c", "d"), Ram("d", "c"))
    table.declare(SOVIET, "a", "b")
    with pytest.raises(Illegal) as refused:
        table.declare(SOVIET, "a", "b")
    assert (refused.value.rule_id, refused.value.field) == ("RED-9.3", "declare_ram.rammer")
    table.declare(SOVIET, "c", "d")
    assert table.active == (JAPANESE,)
    table.declare(JAPANESE)
    assert table.told[0] == SideReady("RED-9.3", Side.JAPANESE)
    assert table.board.order == ("d", "b", "a", "c")


def test_nobody_is_asked_for_a_ram_that_is_out_of_reach():
    for y_mils, phase in ((65_005, Phase.RAM), (65_006, Phase.MOVE)):
        table = Table(HEAD_ON)
        table.change("b", position=replace(table.aircraft("b").position, y_mils=y_mils))
        assert table.choose_rest().board.phase == phase


def test_the_ram_is_worked_out_before_any_accident_and_the_pair_has_none():
    crowd = (
        entrant("a", SOVIET, 70, 55, speed=1, rating=1),
        entrant("b", JAPANESE, 70, 65, 180, speed=1),
        entrant("c", JAPANESE, 70, 65, 180, speed=1, rating=-1),
    )
    table = Table(crowd).choose_rest()
    table.declare(SOVIET, "a", "b")
    table.declare(JAPANESE)
    for name in ("c", "b", "a"):
        table.fly(name)
    assert table.board.meetings == (
        Meeting("a", "b", ram=True),
        Meeting("a", "c", ram=False),
        Meeting("b", "c", ram=False),
    )
    table.collide(1, 1)
    assert RamMissed("RED-9.6", "a") in table.told
    assert table.aircraft("a").ram_missed


def test_after_a_missed_ram_one_turn_goes_forward_and_the_next_where_it_will():  # RED-9.6
    table = Table(APART)
    table.change("a", ram_missed=True)
    with pytest.raises(Illegal) as refused:
        table.choose(choice("a", "left"))
    assert refused.value.rule_id == "RED-9.6"
    table.turn()
    table.choose(choice("a", "left"))


def test_a_ram_misses_whose_target_is_lost_before():
    low = (
        entrant("a", SOVIET, 70, 50, altitude=2, speed=1, rating=1),
        entrant("b", JAPANESE, 70, 60, 180, altitude=2, speed=1),
        entrant("c", JAPANESE, 20, 20),
    )
    table = Table(low).choose_rest(choice("b", "straight", AltitudeCard.DIVE_2))
    table.declare(SOVIET, "a", "b")
    table.declare(JAPANESE)
    table.roll_order(1, 2)
    for name in table.board.order:
        table.fly(name)
    assert table.craft("b").end == End.CRASHED
    assert RamMissed("RED-9.6", "a") in table.told
    assert table.board.meetings == ()


def test_a_ram_misses_whose_target_is_lost_in_another():
    three = (
        entrant("a", SOVIET, 70, 55, speed=1, rating=1),
        entrant("c", SOVIET, 70, 55, speed=1, rating=2),
        entrant("b", JAPANESE, 70, 65, 180, speed=1),
        entrant("d", JAPANESE, 20, 20),
    )
    table = Table(three, crash_outcome="both-lost").choose_rest()
    table.declare(SOVIET, "a", "b")
    table.declare(SOVIET, "c", "b")
    table.declare(JAPANESE)
    table.roll_order(1, 2)
    for name in table.board.order:
        table.fly(name)
    table.collide(6, 6)
    assert {table.craft(one).end for one in "ab"} == {End.COLLIDED}
    assert RamMissed("RED-9.6", "c") in table.told


def test_a_spin_parts_those_who_would_have_collided_next():  # RED-9.1
    three = tuple(
        entrant(name, side, 70, 50, speed=3, rating=nth - 1)
        for nth, (name, side) in enumerate(zip("abc", (SOVIET, JAPANESE, JAPANESE)))
    )
    table = Table(three).choose_rest().fly_all()
    assert [(one.first, one.second) for one in table.board.meetings] == [
        ("a", "b"),
        ("a", "c"),
        ("b", "c"),
    ]
    unhurt = (1, 1, 1, 6, 6, 6, 6)
    table.collide(1, 1, 1, 1, 1, 6, 6, 1, 1, 2, 3, *unhurt)
    assert table.aircraft("a").flight == Flight.SPINNING
    assert [event for event in table.told if isinstance(event, MeetingOver)] == [
        MeetingOver("RED-9.2", "a", "b"),
        MeetingOver("RED-9.1", "a", "c"),
    ]
    assert table.board.meetings == (Meeting("b", "c", ram=False),)


# ---- Handing over


def test_a_wounded_pilot_hands_over_in_his_turn_to_move_or_at_the_end():  # RED-7.9
    bomber = entrant("b", SOVIET, 20, 20, type_="sb", speed=3)
    table = Table((bomber, replace(bomber, id="c", pilot=Pilot(3)), FAR))
    for name in ("b", "c"):
        table.change(name, condition={"pilot_wounds": 1})
    table.choose_rest()
    assert table.board.phase == Phase.MOVE
    assert table.board.order == ("b", "far", "c")
    assert [one.summary for one in table.legal(SOVIET)][-1] == "The observer of b takes over."
    order = table.board.order
    table.hand_over("b")
    assert table.aircraft("b").condition.observer_flies
    assert table.board.order == order
    with pytest.raises(Illegal) as refused:
        table.hand_over("c")
    assert "It is the turn of b" in refused.value.message


def test_at_the_end_a_side_hands_over_only_its_own():
    table = Table((entrant("b", SOVIET, 20, 20, type_="sb", speed=3), FAR))
    table.change("b", condition={"pilot_wounds": 1})
    table.choose_rest().fly_all()
    assert table.board.phase == Phase.END
    with pytest.raises(Illegal) as refused:
        table.hand_over("b", seat=JAPANESE)
    assert refused.value.field == "hand_over.aircraft"
    assert len(table.legal(SOVIET)) == 2
    assert len(table.legal(JAPANESE)) == 1
    table.hand_over("b")
    assert table.board.phase == Phase.END


# ---- The end


def test_the_end_of_a_turn_works_out_spins_and_fires():  # RED-10.5
    table = Table(APART).choose_rest().fly_all()
    table.change("a", condition={"fires_d6": 1})
    table.change("b", flight=Flight.SPINNING, speed=1)
    table.end_turn(6, 6, 3)
    assert table.aircraft("a").condition.damage == 3
    assert table.aircraft("b").flight == Flight.NORMAL
    assert table.board.turn == 2


@pytest.mark.parametrize("edge", ["out", "endless"])
def test_who_flies_over_the_edge_of_the_table_is_out(edge):  # RED-10.6
    leaving = entrant("b", JAPANESE, 70, 6, 180, speed=2)
    table = Table((APART[0], leaving, entrant("c", JAPANESE, 100, 100)), table_edge=edge)
    table.choose_rest().fly_all()
    gone = AircraftLeft("RED-10.6", "b", End.LEFT_TABLE) in table.events
    assert gone == (edge == "out")
    assert (table.craft("b").end is None) == (edge == "endless")
    table.end_turn()
    assert ("b" in table.board.choosing) == (edge == "endless")


def test_a_disc_on_the_edge_is_still_on_the_table():
    leaving = entrant("b", JAPANESE, 70, 10, 180, speed=2)
    table = Table((APART[0], leaving)).choose_rest().fly_all()
    assert table.at("b")[1] == 0
    assert table.craft("b").end is None


@pytest.mark.parametrize(("victory", "winner"), [("kills", Side.SOVIET), ("survivors", None)])
def test_who_downed_more_wins_when_the_turns_are_over(victory, winner):  # RED-10.7
    three = (*HEAD_ON, entrant("d", JAPANESE, 20, 20))
    table = Table(three, setup=Setup(turns=1), victory=victory)
    table.change("b", condition={"damage": 14})
    table.choose_rest().fly_all()
    table.shoot("a", "b", 5, 4, 4, 4, 4)
    assert table.result is None
    table.end_turn()
    assert (table.board.phase, table.active) == (Phase.FINISHED, ())
    assert (table.board.winner, table.board.draw) == (winner, winner is None)
    assert table.told[-1].rule_id == "RED-10.7"
    assert "1 to 0 downed" in table.result


def test_the_game_ends_at_once_when_a_side_has_no_aircraft_left():
    table = Table(HEAD_ON)
    table.change("b", condition={"damage": 14})
    table.choose_rest().fly_all()
    table.shoot("a", "b", 5, 4, 4, 4, 4)
    assert table.result == "The soviet side wins in turn 1: 1 to 0 downed, Soviet side first."


def test_who_flees_over_the_edge_or_lands_is_not_downed():
    table = Table((APART[0], entrant("b", JAPANESE, 70, 6, 180, speed=2)))
    table.choose_rest().fly_all()
    assert table.result == "A draw after turn 1: 0 to 0 downed, Soviet side first."
    survivors = Table((APART[0], entrant("b", JAPANESE, 70, 6, 180, speed=2)), victory="survivors")
    survivors.choose_rest().fly_all()
    assert survivors.board.winner == Side.SOVIET


# ---- Setting up


def test_a_type_alone_is_a_duel_head_on():  # RED-10.3
    table = Table(setup=Setup("ki27"))
    assert [one.aircraft.id for one in table.board.craft] == ["japanese-1", "soviet-1"]
    assert table.at("soviet-1") == (72_000, 42_000, 0)
    assert table.at("japanese-1") == (72_000, 102_000, 180)
    assert (table.board.turns, table.board.table_inches) == (30, 144)
    assert table.aircraft("soviet-1").speed == BOOK.aircraft["ki27"].max_speed
    assert Table().aircraft("soviet-1").type == next(iter(BOOK.aircraft))
    small = Table(setup=Setup("ki27", table_inches=36))
    assert small.at("soviet-1") == (18_000, 0, 0)


@pytest.mark.parametrize(
    ("setup", "rule", "field"),
    [
        (Setup("i180"), "RED-1.2", "setup.type"),
        (Setup(aircraft=APART[:1]), "RED-10.1", "setup.aircraft"),
        (Setup(aircraft=(*APART, APART[0])), "RED-10.1", "setup.aircraft[0].id"),
        (
            Setup(aircraft=(*(replace(APART[0], id=f"a{n}") for n in range(7)), APART[1])),
            "RED-10.1",
            "setup.aircraft",
        ),
        (
            Setup(aircraft=(APART[0], replace(APART[1], type="i180"))),
            "RED-1.2",
            "setup.aircraft[1].type",
        ),
        (
            Setup(aircraft=(APART[0], replace(APART[1], speed=5))),
            "RED-10.2",
            "setup.aircraft[1].speed",
        ),
        (
            Setup(aircraft=APART, table_inches=100),
            "RED-10.2",
            "setup.aircraft[1].position.x_mils",
        ),
        (
            Setup(aircraft=(entrant("a", SOVIET, 20, 20, 7), APART[1])),
            "RED-3.2",
            "setup.aircraft[0].position.heading_degrees",
        ),
        (
            Setup(aircraft=(entrant("a", SOVIET, 20, 20, altitude=0), APART[1])),
            "RED-10.2",
            "setup.aircraft[0].position.altitude",
        ),
        (
            Setup(aircraft=(entrant("a", SOVIET, 20, 20, altitude=13), APART[1])),
            "RED-10.2",
            "setup.aircraft[0].position.altitude",
        ),
    ],
)
def test_a_setup_that_cannot_be_is_refused(setup, rule, field):  # RED-10.1, RED-10.2
    with pytest.raises(Malformed) as refused:
        Table(setup=setup)
    violations = refused.value.violations
    where = {(one.rule_id, one.field) for one in violations}
    assert (rule, field) in where or (rule, field) == (refused.value.rule_id, refused.value.field)


# ---- Whole games

CLOSE = tuple(
    entrant(f"{side[0]}{nth}", side, 60 + 5 * nth, y, heading, 5 + nth % 2, type_=type_,
            speed=3, rating=nth - 1)
    for side, y, heading, types in (
        (SOVIET, 60, 0, ("i16t17", "i153", "sb", "i16t10")),
        (JAPANESE, 75, 90, ("ki27", "a5m2", "ki30", "ki10")),
    )
    for nth, type_ in enumerate(types)
)  # fmt: skip


@pytest.mark.parametrize("policy", [at_random, bold, timid])
@pytest.mark.parametrize("seed", range(4))
def test_whole_games_end_and_are_well_formed_at_every_step(policy, seed):
    game = Game(Random(seed), Setup(aircraft=CLOSE, turns=20), policy).play()
    assert game.result
    assert game.kinds >= {"Choose", "Fly", "EndTurn"}


def test_bold_games_show_every_kind_of_order():
    kinds = set()
    for seed in range(8):
        kinds |= Game(Random(seed), Setup(aircraft=CLOSE, turns=20), bold).play().kinds
        kinds |= Game(Random(seed), Setup(aircraft=CLOSE, turns=20), at_random).play().kinds
    assert kinds >= {"Choose", "DeclareRam", "RollOrder", "Fly", "Collide", "Shoot", "HoldFire"}


@pytest.mark.parametrize("at", [0, -1])
def test_whole_games_end_under_other_readings(at):
    settings = {}
    for name, spec in BOOK.setting_specs.items():
        others = [one.value for one in spec.choices if one.value != spec.default]
        settings |= {name: others[at]} if others else {}
    for seed in range(2):
        assert Game(Random(seed), Setup(aircraft=CLOSE, turns=12), at_random, **settings).play()


def test_a_long_flight_on_an_endless_table_stays_in_bounds():
    game = Game(Random(1), Setup(aircraft=APART, turns=200), timid, table_edge="endless").play()
    assert game.board.turn == 200
    assert abs(game.at("a")[1]) > 1_000_000


def test_a_game_is_the_same_when_it_is_played_again():
    one, two = (Game(Random(9), Setup(aircraft=CLOSE, turns=8), bold).play() for _ in range(2))
    assert (one.board, one.orders, one.events) == (two.board, two.orders, two.events)


def test_whatever_is_offered_is_legal():
    class Tried(Game):
        def checked(self, before):
            super().checked(before)
            for seat in self.active:
                for one in islice(self.every(seat), 40):
                    copy = Table(APART)
                    copy.board, copy.book = self.board, self.book
                    copy.give(seat, one.order, AllSixes())

    Tried(Random(5), Setup(aircraft=CLOSE, turns=6), bold).play()


class AllSixes:
    """Dice that show their highest face."""

    def roll(self, ask):
        return Throw(ask.read(ask.dice), ask.dice)
