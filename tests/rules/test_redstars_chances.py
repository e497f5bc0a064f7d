"""Readings that give another try, another man or another score, as games show them."""

from __future__ import annotations

from random import Random

import pytest
from guncamera.rules.refusal import Illegal
from guncamera.rulesets.redstars.aircraft import Flight, SpeedCard
from guncamera.rulesets.redstars.events import Harmed, MeetingsFound, RamMissed
from guncamera.rulesets.redstars.legal import legal_tweaks
from guncamera.rulesets.redstars.orders import EndTurn, Meeting, Phase, Setup, Shoot, Side
from guncamera.rulesets.redstars.outcomes import End, Harm
from guncamera.rulesets.redstars.picture import picture
from guncamera.rulesets.redstars.pilot import PILOTS
from redstars_table import APART, BOOK, JAPANESE, SOVIET, Game, Table, at_random, choice, entrant

EACH = {"takeover_tries": "each-turn"}
WAITS = {"results": "end-of-fire"}

# ---- Controls that nobody holds

BOMBED = (
    entrant("a", SOVIET, 70, 50, speed=1, rating=3),
    entrant("k", JAPANESE, 70, 72, 180, type_="ki30", speed=2, rating=2),
    entrant("c", SOVIET, 73, 50, speed=1, rating=0),
)
DEAD = (5, 1, 1, 2, 2, 6, 3, 6)
"""A hit for 6, a special hit on the camera, the pilot dead, and the observer does not get there."""


def bombed(**settings):
    """The bomber has just been shot at by the first of the two fighters."""
    table = Table(BOMBED, **settings).choose_rest().fly_all()
    assert table.board.order == ("a", "k", "c")
    table.shoot("a", "k", *DEAD)
    return table


def test_who_does_not_get_to_the_controls_is_lost():  # RED-7.8
    assert bombed().craft("k").end == End.CREW_LOST


@pytest.mark.parametrize("spinning_fire", ["barred", "allowed"])
def test_by_setting_nobody_flies_and_it_spins_without_firing(spinning_fire):
    table = bombed(**EACH, spinning_fire=spinning_fire)
    one = table.craft("k")
    assert (one.end, one.aircraft.flight) == (None, Flight.SPINNING)
    assert one.aircraft.condition.nobody_flies
    assert table.board.order == ("c",), "it fires at nobody"
    assert "nobody flies" in picture(table.view(SOVIET), table.book)


def test_results_that_wait_let_go_of_the_controls_when_the_last_has_fired():
    table = bombed(**EACH, **WAITS, spinning_fire="allowed")
    assert table.aircraft("k").flight == Flight.NORMAL
    assert table.board.struck("k").flight == Flight.SPINNING
    while table.board.order and table.board.order[0] != "c":
        table.hold(table.board.order[0])
    table.shoot("c", "k", 1)
    assert table.board.phase == Phase.END
    assert table.aircraft("k").flight == Flight.SPINNING
    assert table.aircraft("k").condition.nobody_flies


def test_it_is_tried_for_at_the_end_of_every_turn_until_somebody_has_them():
    table = bombed(**EACH).hold_all()
    table.change("k", condition={"pilot_wounds": 1})
    offered = [one.order.procedure for one in table.legal(JAPANESE)]
    assert offered == [EndTurn()], "a dead man hands nothing over"
    table.end_turn(6)
    assert table.aircraft("k").condition.nobody_flies
    assert "k" not in table.board.choosing, "nobody chooses cards for it"
    table.choose_rest()
    while table.board.phase == Phase.RAM:
        table.declare(table.active[0])
    assert table.board.phase == Phase.ORDER, "nobody is of rating 0, as c is"
    table.roll_order(1, 2)
    while table.board.phase == Phase.MOVE:
        name = table.board.order[0]
        table.fly(name, faces=(2, 12) if name == "k" else ())
    assert table.aircraft("k").position.altitude == 4
    table.hold_all().end_turn(7, 5, 5)
    condition = table.aircraft("k").condition
    assert (condition.nobody_flies, condition.observer_flies) == (False, True)
    assert table.aircraft("k").flight == Flight.NORMAL
    assert "k" in table.board.choosing


# ---- A third man


@pytest.mark.parametrize(
    ("settings", "end"), [({}, End.CREW_LOST), ({"third_man": "replaces"}, None)]
)
def test_a_third_man_flies_a_bomber_home_by_setting(settings, end):  # RED-7.8
    bomber = entrant("k", JAPANESE, 70, 72, 180, type_="sb", speed=2, rating=2)
    table = Table((BOMBED[0], bomber), **settings).choose_rest().fly_all()
    fire = (5, 1, 1, 2, 2, 6, 5, 1)  # nothing burns, and both men are dead
    table.shoot("a", "k", *fire, *(() if end else (7,)))
    one = table.craft("k")
    assert one.end == end
    if end is None:
        condition = one.aircraft.condition
        assert (condition.third_man_serves, condition.observer_flies) == (True, True)
        assert not condition.observer_killed
        assert "third man for the observer" in picture(table.view(SOVIET), table.book)


# ---- After a missed ram

CROWD = (
    entrant("a", SOVIET, 70, 55, speed=1, rating=1),
    entrant("b", JAPANESE, 70, 65, 180, speed=1),
    entrant("c", JAPANESE, 70, 65, 180, speed=1, rating=-1),
)


def rammed(*faces, **settings):
    table = Table(CROWD, **settings).choose_rest()
    table.declare(SOVIET, "a", "b")
    table.declare(JAPANESE)
    for name in ("c", "b", "a"):
        table.fly(name)
    assert table.board.meetings[0] == Meeting("a", "b", ram=True)
    table.collide(*faces)
    return table


def test_a_pair_that_a_ram_missed_is_not_tested_again():  # RED-9.2
    table = rammed(1, 1)
    assert RamMissed("RED-9.6", "a") in table.told
    assert table.board.meetings == (
        Meeting("a", "c", ram=False),
        Meeting("b", "c", ram=False),
    )


def test_by_setting_it_is_in_its_place_among_the_others():
    table = rammed(1, 1, rammed_pair="tested")
    meetings = (
        Meeting("a", "b", ram=False),
        Meeting("a", "c", ram=False),
        Meeting("b", "c", ram=False),
    )
    assert table.board.meetings == meetings
    assert MeetingsFound("RED-9.2", meetings) in table.told
    table.collide(6, 6)
    assert not table.ruling.outcome.procedure.struck
    assert table.board.meetings == meetings[1:]


def test_a_pair_that_a_ram_struck_is_not_tested_however():
    table = rammed(6, 6, 1, 1, 1, 6, 6, 6, 6, 1, 1, 1, 6, 6, 6, 6, rammed_pair="tested")
    assert table.ruling.outcome.procedure.struck
    assert Meeting("a", "b", ram=False) not in table.board.meetings


# ---- Who has won

LEAVING = (APART[0], entrant("b", JAPANESE, 70, 6, 180, speed=2))


@pytest.mark.parametrize(
    ("counted", "winner"),
    [("downed", None), ("left-table", Side.SOVIET), ("all", Side.SOVIET)],
)
def test_whoever_leaves_the_table_counts_by_setting(counted, winner):  # RED-10.7
    table = Table(LEAVING, losses_counted=counted).choose_rest().fly_all()
    assert table.craft("b").end == End.LEFT_TABLE
    assert table.board.winner == winner
    told = "0 to 0 downed, 1 to 0 flying" if winner else "0 to 0 downed, Soviet"
    assert told in table.result


@pytest.mark.parametrize(
    ("counted", "winner"), [("downed", None), ("left-table", None), ("all", Side.SOVIET)]
)
def test_whoever_lands_counts_by_another(counted, winner):
    table = Table(APART, losses_counted=counted)
    low = table.aircraft("b").position
    table.change(
        "b", condition={"engine_marks": (3,)}, flight=Flight.GLIDING, speed=1,
        position=type(low)(low.x_mils, low.y_mils, low.heading_degrees, 2),
    )  # fmt: skip
    table.choose_rest()
    table.fly("b", faces=(6, 6))
    assert table.craft("b").end == End.LANDED
    assert table.board.winner == winner


# ---- What is offered


@pytest.mark.parametrize("tweaks", ["none", "discs"])
def test_a_glider_is_offered_tweaks_of_discs_by_setting(tweaks):  # RED-4.11
    table = Table(APART, glide_tweaks=tweaks)
    table.change("a", condition={"engine_marks": (3,)}, flight=Flight.GLIDING, speed=2)
    table.choose_rest()
    assert table.board.order[0] == "a", "gliders move first"
    offered = list(legal_tweaks(table.craft("a"), table.board, table.book))
    assert len(offered) == (1 if tweaks == "none" else 5), "two discs, to either side"
    assert not any(trades for _, trades in offered)


@pytest.mark.parametrize(("limit", "bands"), [("any", {-2, -1, 0, 1, 2}), ("one", {-1, 0, 1})])
def test_bands_for_tweaks_are_offered_up_to_the_limit(limit, bands):  # RED-3.7
    expert = entrant("a", SOVIET, 20, 20, rating=4)
    table = Table((expert, APART[1]), trades_a_move=limit).choose_rest()
    table.fly("b")
    offered = legal_tweaks(table.craft("a"), table.board, table.book)
    assert {trades for _, trades in offered} == bands


def test_an_accelerate_beyond_the_cap_is_not_offered_by_setting():  # RED-4.5
    fast = (entrant("a", SOVIET, 20, 20, speed=4), APART[1])
    for cap, offered in (("clamped", True), ("refused", False)):
        table = Table(fast, accelerate_cap=cap)
        cards = {
            (one.maneuver, one.altitude_card, one.speed_card)
            for order in table.legal(SOVIET)
            for one in order.order.procedure.choices
        }
        assert (("straight", None, "accelerate_1") in cards) == offered
    with pytest.raises(Illegal) as refused:
        table.choose(choice("a", speed=SpeedCard.ACCELERATE_1))
    assert (refused.value.rule_id, refused.value.facts["highest"]) == ("RED-4.5", 4)


# ---- Whole games

CLOSE = tuple(
    entrant(f"{side[0]}{nth}", side, 64 + 4 * nth, y, heading, 6, type_=type_, speed=3)
    for side, y, heading, types in (
        (SOVIET, 62, 0, ("sb", "i153_rockets", "i16t17")),
        (JAPANESE, 76, 180, ("sb", "ki30", "ki30")),
    )
    for nth, type_ in enumerate(types)
)
LATE = (
    "extreme_discs", "accelerate_cap", "glide_tweaks", "trades_a_move", "lost_rocket",
    "oil_leak_again", "top_speed_again", "takeover_tries", "third_man", "rammed_pair",
    "losses_counted", "end_order",
)  # fmt: skip
DEADLY = {"risk_trigger": "every-hit", "sniper_risk": "plus-two"}


@pytest.mark.parametrize("seed", range(3))
def test_deadly_games_under_all_of_them_are_well_formed_at_every_step(seed):
    settings = {name: BOOK.setting_specs[name].choices[-1].value for name in LATE}
    game = Game(Random(seed), Setup(aircraft=CLOSE, turns=10), shooting, **settings, **DEADLY)
    assert game.play().result


def shooting(game, seat):
    """At random, but every shot that is open is fired."""
    if game.board.phase == Phase.FIRE:
        first = next(game.every(seat)).order
        if isinstance(first.procedure, Shoot):
            return first
    return at_random(game, seat)


def stock(game, seat):
    """As the stock pilot plays."""
    return PILOTS["stock"](game.view(seat), seat, game.book, 1).order


@pytest.mark.parametrize("policy", [shooting, stock])
def test_such_games_let_go_of_controls_and_take_them_again(policy):
    settings = {"takeover_tries": "each-turn", **DEADLY}
    seen = set()
    for seed in range(6):
        game = Game(Random(seed), Setup(aircraft=CLOSE, turns=8), policy, **settings).play()
        seen |= {event.harm for event in game.of(Harmed)}
    assert {Harm.CONTROLS_FREE, Harm.OBSERVER_FLIES} <= seen
