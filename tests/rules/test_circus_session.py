"""Games of Flying Circus Plus on a board: phases, simultaneous fire, endings, play to the end."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import pytest
from circus_table import (
    ALTERNATE,
    AT_ONCE,
    BOOK,
    BREAKS_UP,
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
    looks,
    view,
)
from guncamera.rules.dealt import DealtDice
from guncamera.rules.dice import Throw
from guncamera.rules.hexes import HexDirection
from guncamera.rules.refusal import Illegal, Malformed, PhaseClosed
from guncamera.rules.ruleset import Verb
from guncamera.rulesets.circus.aircraft import Mount
from guncamera.rulesets.circus.changes import fold
from guncamera.rulesets.circus.events import (
    Harmed,
    PhaseChanged,
    PilotBroken,
    PlotRevealed,
    ResolutionChanged,
    ShotFired,
)
from guncamera.rulesets.circus.facts import Cloud, Flying, Plot, Plotting
from guncamera.rulesets.circus.orders import (
    DamageOrder,
    EndTurn,
    FireOrder,
    Fly,
    HoldFire,
    Kill,
    MoveOrder,
    Phase,
    Plots,
    Search,
    Setup,
    Shoot,
    SpotOrder,
)
from guncamera.rulesets.circus.outcomes import End, Harm, SeenBy

# ---- Phases


def test_a_simultaneous_turn_goes_from_looking_to_the_next_turn():  # CIR-12.1
    table = Table(head_on())
    assert (table.board.phase, table.board.active) == (Phase.SPOT, (FIRST, SECOND))
    table.search("second")
    assert (table.board.phase, table.board.active) == (Phase.PLOT, (FIRST, SECOND))
    table.plot("second", b="4")
    assert (table.board.phase, table.board.active) == (Phase.PLOT, (FIRST,))
    table.plot("first", a="4")
    assert (table.board.phase, table.board.active) == (Phase.FLY, (FIRST, SECOND))
    table.fly(seat="second")
    assert (table.board.phase, table.board.active) == (Phase.FIRE, (FIRST, SECOND))
    assert [(one.shooter, one.range_hexes) for one in table.board.opportunities] == [
        ("a", 1),
        ("b", 1),
    ]
    table.shoot("a", "b", 1, 6)
    assert (table.board.phase, table.board.active) == (Phase.FIRE, (SECOND,))
    table.hold("second")
    assert (table.board.phase, table.board.turn) == (Phase.UPKEEP, 1)
    table.end_turn()
    assert (table.board.phase, table.board.turn) == (Phase.SPOT, 2)
    assert {event.rule_id for event in table.events if isinstance(event, PhaseChanged)} == {
        "CIR-12.1"
    }


def test_in_alternate_turns_each_side_looks_and_moves_and_the_other_looks_and_both_fire():
    table = Table(head_on(13), setup=ALTERNATE)  # CIR-12.2
    board = table.board
    assert (board.phase, board.acting_side, board.looking_side) == (Phase.SPOT, FIRST, FIRST)
    assert board.active == (FIRST,)
    seen = table.search("first").sightings
    assert [(one.spotter, one.target) for one in seen] == [("a", "b")]
    assert (table.board.phase, table.board.active) == (Phase.MOVE, (FIRST,))
    table.plot("first", a="4")
    board = table.board
    assert (board.phase, board.acting_side, board.looking_side) == (Phase.SPOT, FIRST, SECOND)
    assert board.active == (SECOND,)
    seen = table.search("second").sightings
    assert [(one.spotter, one.target) for one in seen] == [("b", "a")]
    # Nine hexes apart: too far, so both fire phases of this turn are passed over.
    assert table.phases() == [Phase.FIRE, Phase.SPOT]
    board = table.board
    assert (board.phase, board.acting_side, board.looking_side) == (Phase.SPOT, SECOND, SECOND)
    table.search("second")
    table.plot("second", b="4")
    table.search("first")
    board = table.board
    assert (board.phase, board.acting_side, board.looking_side) == (Phase.FIRE, SECOND, None)
    assert board.active == (FIRST, SECOND)
    table.hold("second", "first")
    assert (table.board.phase, table.board.acting_side) == (Phase.UPKEEP, None)
    table.end_turn()
    board = table.board
    assert (board.turn, board.phase, board.acting_side) == (2, Phase.SPOT, FIRST)


def test_in_alternate_turns_only_the_movers_points_count():
    table = Table(head_on(13), setup=ALTERNATE)
    table.search("first")
    table.plot("first", a="4")
    table.search("second")
    table.search("second")
    table.plot("second", b="4")
    table.search("first")
    by_shooter = {one.shooter: one for one in table.board.opportunities}
    assert (by_shooter["b"].own_mp, by_shooter["b"].target_mp) == (4, 0)
    assert (by_shooter["a"].own_mp, by_shooter["a"].target_mp) == (0, 4)
    assert table.check("first", "a", "b").may_fire


ORDERS = {
    "search": SpotOrder(Search()),
    "plots": MoveOrder(Plots((Plot("a", 4, "4"),))),
    "fly": MoveOrder(Fly()),
    "shoot": FireOrder(Shoot("a", "b", Mount.FRONT)),
    "hold": FireOrder(HoldFire()),
    "end": DamageOrder(EndTurn()),
}
OPEN = {
    Phase.SPOT: {"search"},
    Phase.PLOT: {"plots"},
    Phase.FLY: {"fly"},
    Phase.FIRE: {"shoot", "hold"},
    Phase.UPKEEP: {"end"},
    Phase.MOVE: {"plots"},
    Phase.FINISHED: set(),
}
VERBS = {SpotOrder: Verb.SPOT, MoveOrder: Verb.MOVE, FireOrder: Verb.FIRE, DamageOrder: Verb.DAMAGE}


def boards():
    table = Table(head_on())
    yield table.board
    table.search()
    yield table.board
    table.plot("first", a="4")
    table.plot("second", b="4")
    yield table.board
    table.fly()
    yield table.board
    table.hold("first", "second")
    yield table.board
    table = Table(head_on(), setup=ALTERNATE)
    table.search("first")
    yield table.board
    table = Table(head_on(), setup=Setup(turns=1)).until_fire()
    table.hold("first", "second")
    table.end_turn()
    yield table.board


@pytest.mark.parametrize("board", list(boards()), ids=lambda board: board.phase.value)
@pytest.mark.parametrize("name", ORDERS)
def test_an_order_belongs_to_its_phase(board, name):
    order = ORDERS[name]
    if name in OPEN[board.phase]:
        RULESET.survey(board, "first", VERBS[type(order)], order, BOOK)
        return
    with pytest.raises(PhaseClosed) as closed:
        RULESET.survey(board, "first", VERBS[type(order)], order, BOOK)
    assert closed.value.facts["phase"] == board.phase.value
    assert str(closed.value.facts["may"]) in closed.value.message


def test_a_side_that_is_done_waits_for_the_other():
    table = Table(head_on())
    table.search()
    table.plot("first", a="4")
    with pytest.raises(PhaseClosed) as closed:
        table.plot("first", a="4")
    assert closed.value.facts["active"] == "second"


def test_a_fire_phase_without_a_shot_is_passed_over():
    table = Table(head_on(20))
    table.until_fire()
    assert table.phases() == [Phase.FIRE, Phase.UPKEEP]


def test_a_fire_phase_stays_open_for_a_drum_that_can_be_changed():
    airco = entrant("a", "first", "1013", EAST, aeroplane="airco_dh2")
    table = Table([airco, entrant("b", "second", "4013", WEST)])
    table.until_fire()
    assert table.board.phase == Phase.UPKEEP
    table.end_turn()
    load = table.aircraft("a").loads[0]
    table.change("a", loads=(replace(load, points=load.points - 1),))
    table.until_fire()
    assert (table.board.phase, table.board.active) == (Phase.FIRE, (FIRST,))
    table.change_drum("a", 0)
    assert table.board.phase == Phase.UPKEEP
    table.end_turn()
    assert table.aircraft("a").loads[0].points == load.points
    assert table.aircraft("a").loads[0].spare == load.spare - 1


# ---- Plots


def test_plots_are_sealed_in_simultaneous_turns_and_open_in_alternate_ones():  # CIR-12.4
    table = Table(head_on())
    assert RULESET.sealed_verb(table.board) is None
    table.search()
    assert RULESET.sealed_verb(table.board) is Verb.MOVE
    order = MoveOrder(Plots((Plot("a", 4, "4"),)))
    facts = RULESET.survey(table.board, "first", Verb.MOVE, order, BOOK)
    assert isinstance(facts.procedure, Plotting)
    assert RULESET.reveal_order(table.board, ("second", "first"), BOOK) == ("first", "second")
    table.plot("second", b="4")
    assert table.told == (PlotRevealed("CIR-12.4", SECOND, (Plot("b", 4, "4"),)),)
    table = Table(head_on(), setup=ALTERNATE)
    table.search("first")
    assert RULESET.sealed_verb(table.board) is None
    facts = RULESET.survey(table.board, "first", Verb.MOVE, order, BOOK)
    assert isinstance(facts.procedure, Flying)


@pytest.mark.parametrize(
    ("plots", "rule", "field", "kind"),
    [
        (["a"], "CIR-12.4", "plots.plots", Illegal),
        (["a", "b", "a"], "CIR-12.4", "plots.plots[2].aircraft", Illegal),
        (["a", "c"], "CIR-12.4", "plots.plots[1].aircraft", Illegal),
        (["a", "x"], "CIR-12.4", "plots.plots[1].aircraft", Malformed),
    ],
)
def test_a_side_plots_all_its_own_aircraft_and_each_once(plots, rule, field, kind):
    table = Table(PAIR)
    table.search()
    order = MoveOrder(Plots(tuple(Plot(id_, 4, "4") for id_ in plots)))
    with pytest.raises(kind) as refused:
        table.give("first", order, DealtDice(()))
    assert (refused.value.rule_id, refused.value.field) == (rule, field)


def test_plots_are_flown_in_order_of_ids_whatever_order_they_came_in():
    table = Table(PAIR)
    table.search()
    table.plot("second", c="4")
    table.plot("first", b="4", a="4")
    flown = table.fly()
    assert [one.aircraft for one in flown.flights] == ["a", "b", "c"]


def test_an_aircraft_without_a_pilot_takes_no_plot_and_falls_by_itself():  # CIR-12.5
    table = Table(PAIR)
    table.change("b", condition={"pilot_killed": True})
    table.search()
    with pytest.raises(Illegal) as refused:
        table.plot("first", a="4", b="4")
    assert refused.value.rule_id == "CIR-12.5"
    table.plot("first", a="4")
    table.plot("second", c="4")
    table.fly()
    assert table.aircraft("b").altitude_feet < 6000


def test_a_side_without_pilots_needs_no_plot():
    table = Table(PAIR)
    table.change("c", condition={"pilot_killed": True})
    table.search()
    assert table.board.active == (FIRST,)
    table.plot("first", a="4", b="4")
    assert table.board.phase == Phase.FLY


def test_in_alternate_turns_a_side_without_pilots_lets_its_aircraft_fall():
    table = Table(head_on(), setup=ALTERNATE)
    table.change("a", condition={"pilot_killed": True})
    table.change("b", condition={"pilot_killed": True})
    # Nobody looks for anybody.
    table = restarted(table)
    assert (table.board.phase, table.board.active) == (Phase.MOVE, (FIRST,))
    table.plot("first")
    assert table.aircraft("a").altitude_feet < 6000
    assert table.board.acting_side == SECOND


def restarted(table):
    """The same board at the end of its turn, and the next one begun."""
    board = replace(table.board, phase=Phase.UPKEEP, acting_side=None, looking_side=None)
    table.board = replace(board, active=(FIRST, SECOND))
    table.end_turn()
    return table


def test_who_plots_nothing_flies_straight_and_level():
    table = Table(PAIR)
    table.search()
    order = RULESET.default_order(table.board, "first", BOOK)
    assert order == MoveOrder(Plots((Plot("a", 4, "4"), Plot("b", 4, "4"))))
    table.give("first", order, DealtDice(()))
    table.change("c", condition={"engine_seized": True})
    order = RULESET.default_order(table.board, "second", BOOK)
    table.give("second", order, DealtDice(()))
    table.fly()
    assert table.craft("a").path[-1].altitude_feet == 6000
    assert table.craft("c").path[-1].altitude_feet < 6000


def test_energy_is_spent_at_once_in_a_zoom_and_bled_at_the_end_of_the_turn():
    table = Table(head_on(20))
    table.change("a", ke=2)
    table.change("b", ke=2)
    table.until_fire(a="Z1 5", b="6")
    assert (table.aircraft("a").ke, table.aircraft("b").ke) == (1, 2)
    assert table.aircraft("a").altitude_feet == 6200
    table.end_turn()
    assert (table.aircraft("a").ke, table.aircraft("b").ke) == (1, 1)


# ---- Fire together


def test_two_aircraft_can_bring_each_other_down_in_one_phase():  # CIR-12.6
    table = facing_off(**AT_ONCE)
    table.shoot("a", "b", *BREAKS_UP)
    assert table.craft("b").end is None
    table.shoot("b", "a", *BREAKS_UP)
    assert (table.craft("a").end, table.craft("b").end) == (End.BROKEN_UP, End.BROKEN_UP)
    assert table.board.kills == (
        Kill("a", End.BROKEN_UP, "b"),
        Kill("b", End.BROKEN_UP, "a"),
    )
    assert (table.board.winner, table.board.draw) == (None, True)
    assert RULESET.result(table.board).startswith("A draw: kills 1 to 1")


def test_what_a_shot_does_waits_for_the_end_of_the_phase():
    table = facing_off()
    fired = table.shoot("a", "b", 6, 6, 1)
    assert [effect.harm for effect in fired.critical.effects] == [Harm.PILOT_KILLED]
    assert {type(event) for event in table.told} == {ShotFired, type(table.told[1])}
    assert not any(isinstance(e, Harmed | ResolutionChanged | PilotBroken) for e in table.told)
    victim = table.aircraft("b")
    assert (victim.resolution, victim.condition.pilot_killed) == (10, False)
    assert RULESET.view_for(table.board, "first", BOOK).craft[1].aircraft == victim
    table.shoot("b", "a", 1, 6)
    assert table.aircraft("b").condition.pilot_killed
    assert (table.aircraft("a").resolution, table.aircraft("b").resolution) == (9, 4)
    assert table.board.pending == ()
    kinds = [type(event) for event in table.told]
    assert kinds.index(Harmed) > kinds.index(ShotFired)
    assert kinds.index(Harmed) < kinds.index(PhaseChanged)


def test_a_dead_pilots_aircraft_still_fires_in_the_phase_in_which_he_died_and_no_more():
    table = facing_off()
    table.shoot("a", "b", 6, 6, 1)
    assert table.board.active == (SECOND,)
    table.shoot("b", "a", 1, 6)
    table.end_turn()
    assert {pair.spotter for pair in looks(table)} == {"a"}


FALLING = (
    entrant("a", "second", "1413", EAST, aeroplane="bristol_f2b", speed_mp=5),
    entrant("c", "first", "0913", EAST, speed_mp=5),
)


@pytest.mark.parametrize(
    ("reading", "looking", "unprovoked", "shot_at"),
    [
        ("fires", {"c"}, False, True),
        ("looks-too", {"a", "c"}, True, True),
        ("silent", {"c"}, False, False),
    ],
)
def test_what_a_gunner_does_behind_a_dead_pilot(reading, looking, unprovoked, shot_at):  # CIR-9.17
    def may_fire():
        return any(one.shooter == "a" for one in view(table).opportunities)

    table = Table(FALLING, falling_gunner=reading)
    table.change("a", condition={"pilot_killed": True})
    assert {pair.spotter for pair in looks(table)} == looking
    table.until_fire()
    assert may_fire() is unprovoked
    table.shoot("c", "a", 1)
    assert may_fire() is shot_at


@pytest.mark.parametrize(
    ("reading", "phase"), [("at-once", Phase.FIRE), ("next-look", Phase.UPKEEP)]
)
def test_who_is_shot_at_sees_the_shooter_at_once_or_when_he_looks_next(reading, phase):  # CIR-7.7
    table = facing_off(shooter_seen=reading)
    unseen = tuple(one for one in table.board.sightings if one.spotter == "a")
    table.board = fold(replace(table.board, sightings=unseen), (), table.book)
    assert table.board.active == (FIRST,)
    table.shoot("a", "b", 1, 6)
    assert table.board.phase == phase
    table.hold(*(() if phase == Phase.UPKEEP else (SECOND,)))
    table.end_turn()
    seen = table.search(dice=DealtDice((1, 1)))
    assert [(one.spotter, one.by) for one in seen.sightings if one.spotted] == [
        ("b", SeenBy.FIRING_AT_SPOTTER)
    ]


def test_a_dead_gunner_looks_for_nobody():
    table = Table(FALLING, falling_gunner="looks-too")
    table.change("a", condition={"pilot_killed": True, "gunner_killed": True})
    assert {pair.spotter for pair in looks(table)} == {"c"}


def test_a_pilot_who_is_dead_breaks_no_more():
    table = facing_off()
    table.change("b", resolution=5)
    table.shoot("a", "b", 6, 6, 1)
    table.hold("second")
    assert (table.aircraft("b").resolution, table.craft("b").broken) == (-1, False)
    assert not any(isinstance(event, PilotBroken) for event in table.told)


def test_two_shots_at_one_pilot_add_up_and_break_him_once():
    table = Table(TRIO).until_fire()
    table.change("b", resolution=8)
    assert not table.shoot("a", "b", 5, 6).broken
    fired = table.shoot("c", "b", 5, 6)
    assert (fired.hits, fired.resolution, fired.broken) == (5, -2, True)
    table.hold("second")
    assert table.aircraft("b").resolution == -2
    assert [event for event in table.told if isinstance(event, PilotBroken)] == [
        PilotBroken("CIR-11.2", "b")
    ]
    assert table.craft("b").broken


def test_a_mount_fires_once_in_a_phase():
    table = Table(TRIO).until_fire()
    table.shoot("a", "b", 1, 6)
    with pytest.raises(Illegal) as refused:
        table.shoot("a", "b", 1, 6)
    assert refused.value.rule_id == "CIR-9.1"
    assert [order.order.procedure for order in islice(legal(table, "first"), 2)] == [
        Shoot("c", "b", Mount.FRONT),
        Shoot("c", "b", Mount.FRONT, long_burst=True),
    ]


def test_a_pilot_and_his_gunner_fire_each_and_a_gunner_one_gun():
    between = (
        entrant("a", "second", "1413", EAST, aeroplane="bristol_f2b", speed_mp=5),
        entrant("b", "first", "1813", EAST, speed_mp=5),
        entrant("c", "first", "1213", EAST, speed_mp=5),
    )
    table = Table(between).until_fire()
    mounts = {(one.target, one.mount) for one in table.board.opportunities if one.shooter == "a"}
    assert {("b", Mount.FRONT), ("c", Mount.RING)} <= mounts
    table.shoot("a", "c", 3, mount=Mount.RING)
    with pytest.raises(Illegal) as refused:
        table.shoot("a", "c", 3, mount=Mount.RING)
    assert refused.value.rule_id == "CIR-9.1"
    assert SECOND in table.board.active


def test_a_jam_that_takes_the_last_resolution_breaks_the_shooter_too():
    table = facing_off()
    table.change("a", resolution=1)
    table.shoot("a", "b", 1, 6, 1, long_burst=True)
    assert not table.craft("a").broken
    table.hold("second")
    assert table.craft("a").broken
    assert PilotBroken("CIR-12.8", "a") in table.told


@pytest.mark.parametrize(
    ("shooter", "target", "kind", "field"),
    [
        ("b", "a", Illegal, "shoot.shooter"),
        ("x", "a", Malformed, "shoot.shooter"),
        ("a", "c", Illegal, "shoot.target"),
        ("a", "x", Malformed, "shoot.target"),
        ("a", "d", Illegal, "shoot.target"),
    ],
)
def test_a_shot_names_an_own_aircraft_and_an_enemy_that_flies(shooter, target, kind, field):
    table = Table((*TRIO, entrant("d", "second", "4013", EAST))).until_fire()
    table.change("d", craft={"end": End.LEFT_MAP})
    with pytest.raises(kind) as refused:
        table.give("first", FireOrder(Shoot(shooter, target, Mount.FRONT)), DealtDice(()))
    assert (refused.value.field, refused.value.rule_id) == (field, "CIR-12.6")


def test_a_shot_that_does_not_bear_is_refused_with_what_was_counted():
    table = Table((*TRIO, entrant("d", "second", "4013", EAST))).until_fire()
    with pytest.raises(Illegal) as refused:
        table.shoot("a", "d", 6)
    assert refused.value.rule_id == "CIR-9.2" or refused.value.rule_id == "CIR-8.4"
    with pytest.raises(Illegal) as refused:
        table.shoot("a", "b", 6, mount=Mount.RING)
    assert refused.value.rule_id == "CIR-9.1"
    assert table.board.phase == Phase.FIRE


def test_an_aircraft_that_stalled_does_not_fire():
    table = Table(TRIO)
    table.change("a", speed_mp=3)
    table.search()
    plots = RULESET.default_order(table.board, "first", BOOK)
    table.give("first", plots, DealtDice(()))
    table.plot("second", b="4")
    table.fly()
    assert table.craft("a").stalled
    assert {one.shooter for one in view(table).opportunities} == {"c", "b"}
    with pytest.raises(Illegal) as refused:
        table.shoot("a", "b", 6)
    assert refused.value.rule_id == "CIR-3.8"


# ---- Seen and not seen


class Ones:
    """Dice that show their lowest face: nobody is spotted who need not be."""

    def roll(self, ask):
        faces = (1,) * len(ask.dice)
        return Throw(ask.read(faces), faces)


def unseen(*seers, memory="each-turn", **settings):
    """The two face each other; only these have spotted the other one."""
    table = Table(head_on(), spotting_memory=memory, **settings).until_fire()
    seen = tuple(one for one in table.board.sightings if one.spotter in seers)
    table.board = replace(table.board, sightings=seen)
    table.change("a")
    return table


def test_only_what_is_spotted_is_fired_at():
    table = unseen("a")
    assert [one.shooter for one in view(table).opportunities] == ["a"]
    assert table.board.active == (FIRST,)
    table.hold("first")
    assert table.board.phase == Phase.UPKEEP


def test_who_is_fired_at_has_spotted_the_shooter_at_once_and_may_fire_back():
    table = unseen("a")
    table.shoot("a", "b", 1, 6)
    assert (table.board.phase, table.board.active) == (Phase.FIRE, (SECOND,))
    table.shoot("b", "a", 1, 6)
    assert table.aircraft("a").resolution == 9


def test_by_setting_nobody_need_be_spotted():
    table = unseen(spotted_to_fire="free")
    assert table.board.active == (FIRST, SECOND)
    table.shoot("b", "a", 1, 6)


def test_a_shooter_is_easier_to_spot_in_the_next_turn_and_his_target_sees_him_anyway():
    table = Table((*TRIO, entrant("d", "second", "2013", WEST))).until_fire()
    table.shoot("a", "b", 1, 6)
    table.hold("first", "second")
    table.end_turn()
    by_pair = {(one.spotter, one.target): one for one in looks(table)}
    assert {pair for pair, one in by_pair.items() if one.target_fired} == {("b", "a"), ("d", "a")}
    assert {pair for pair, one in by_pair.items() if one.fired_at_spotter} == {("b", "a")}
    seen = {(one.spotter, one.target): one.by for one in table.search(dice=Ones()).sightings}
    assert seen["b", "a"] == SeenBy.FIRING_AT_SPOTTER
    assert seen["a", "b"] in (SeenBy.MISSED, SeenBy.BLIND_SPOT)


def test_shots_are_forgotten_when_a_fire_phase_is_passed_over():
    table = facing_off()
    table.shoot("a", "b", 1, 6)
    table.hold("second")
    table.end_turn()
    table.change("b", hex="4513")
    table.until_fire()
    assert table.board.shots == ()


def test_sightings_are_made_anew_each_turn_or_by_setting_kept():  # CIR-12.11
    for memory, kept in (("each-turn", []), ("kept", [("a", "b")])):
        table = unseen("a", memory=memory)
        table.hold("first")
        table.end_turn()
        assert [(one.spotter, one.target) for one in table.board.sightings] == kept
        assert [(one.spotter, one.target) for one in looks(table)] == [
            pair for pair in (("a", "b"), ("b", "a")) if pair not in kept
        ]
        table.search(dice=Ones())
        seen = {(one.spotter, one.target) for one in table.board.sightings if one.spotted}
        assert seen == set(kept)


def test_where_all_have_been_spotted_for_good_nobody_looks():
    table = Table(head_on(20), spotting_memory="kept").until_fire()
    table.end_turn()
    assert table.phases() == [Phase.SPOT, Phase.PLOT]


def test_clouds_sun_and_formation_come_from_the_board():
    setup = Setup(
        aircraft=(*TRIO, entrant("d", "second", "3013", WEST)),
        clouds=(Cloud("2513", 5000, 7000),),
        sun=HexDirection.EAST,
    )
    table = Table(setup=setup)
    by_pair = {(one.spotter, one.target): one for one in looks(table)}
    assert {pair for pair, one in by_pair.items() if not one.line_of_sight} == {
        ("a", "d"), ("c", "d"), ("d", "a"), ("d", "c"),
    }  # fmt: skip
    assert {pair for pair, one in by_pair.items() if one.up_sun} == {("a", "b"), ("a", "d")}
    assert not any(one.in_blind_spot for one in by_pair.values())
    assert by_pair["b", "a"].formation == ("c",)
    assert by_pair["a", "b"].formation == ()


def test_who_is_below_and_behind_is_in_a_blind_spot_unless_a_gunner_looks():
    behind = entrant("b", "second", "0513", EAST, altitude_feet=5800)
    for type_, blind in ((D_VII, {("a", "b")}), ("bristol_f2b", set())):
        table = Table([entrant("a", "first", "1013", EAST, aeroplane=type_), behind])
        assert {(one.spotter, one.target) for one in looks(table) if one.in_blind_spot} == blind
    table.change("a", condition={"gunner_killed": True})
    assert looks(table)[0].in_blind_spot


def test_looking_through_the_sights_changes_nothing():
    table = facing_off()
    before = table.board
    aimed = table.check("second", "b", "a")
    assert (aimed.may_fire, aimed.range_hexes) == (True, 1)
    assert (table.board, table.told) == (before, ())
    with pytest.raises(Illegal) as refused:
        table.check("second", "a", "b")
    assert refused.value.field == "check.shooter"


# ---- Guns from phase to phase


def drums_of(setup):
    """Fire phases in which the Airco's gun is silent after it has emptied a drum, counted."""
    airco = entrant("a", "first", "1013", EAST, aeroplane="airco_dh2")
    table = Table([airco, entrant("b", "second", "1913", WEST)], setup=setup)
    load = table.aircraft("a").loads[0]
    table.change("a", loads=(replace(load, points=1),))
    return table


def test_an_empty_drum_misses_the_next_fire_phase_in_simultaneous_turns():
    table = drums_of(Setup())
    table.until_fire()
    table.shoot("a", "b", 1)
    assert table.aircraft("a").loads[0].reload_phases == 1
    table.hold("second")
    table.end_turn()
    load = table.aircraft("a").loads[0]
    assert (load.points, load.reload_phases, load.fired_this_phase) == (0, 1, False)
    table.until_fire()
    assert table.board.active in ((), (SECOND,), (FIRST, SECOND))
    if table.board.phase == Phase.FIRE:
        table.hold(*table.board.active)
    table.end_turn()
    assert table.aircraft("a").loads[0].points == 2


def test_an_empty_drum_misses_the_next_two_fire_phases_in_alternate_turns():
    table = drums_of(ALTERNATE)
    counts = []

    def half(mover, own):
        table.search(mover)
        table.plot(mover, **own)
        table.search("second" if mover == "first" else "first")
        if table.board.phase == Phase.FIRE and not counts and mover == "second":
            table.shoot("a", "b", 1)
        while table.board.phase == Phase.FIRE:
            table.hold(table.board.active[0])
        load = table.aircraft("a").loads[0]
        counts.append((load.points, load.reload_phases, load.fired_this_phase))

    half("first", {"a": "4"})
    counts.clear()
    half("second", {"b": "4"})
    table.end_turn()
    half("first", {"a": "4"})
    half("second", {"b": "4"})
    assert counts == [(0, 2, False), (0, 1, False), (2, 0, False)]
