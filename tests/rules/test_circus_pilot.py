"""The stock pilots give legal orders wherever they are put, the same ones again, and fight."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from guncamera.rules.hexes import HexDirection
from guncamera.rules.ruleset import Verb
from guncamera.rulesets.circus.aircraft import UNHURT, Condition, Load, Mount, Side
from guncamera.rulesets.circus.board import active_seats, condition_of, open_board, result
from guncamera.rulesets.circus.book import load_book
from guncamera.rulesets.circus.damage import rule_on_damage
from guncamera.rulesets.circus.facts import Cloud
from guncamera.rulesets.circus.fire import rule_on_fire
from guncamera.rulesets.circus.fly import flown_path
from guncamera.rulesets.circus.homeward import hexes_to
from guncamera.rulesets.circus.map import hex_at, on_map
from guncamera.rulesets.circus.move import rule_on_move
from guncamera.rulesets.circus.orders import (
    ChangeDrum,
    Edge,
    Entrant,
    HoldFire,
    Opportunity,
    Phase,
    Setup,
    Shoot,
    TurnOrder,
)
from guncamera.rulesets.circus.outcomes import End
from guncamera.rulesets.circus.pilot import PILOTS
from guncamera.rulesets.circus.pilot_aim import fighter
from guncamera.rulesets.circus.pilot_guess import guesses
from guncamera.rulesets.circus.spot import rule_on_spot
from guncamera.rulesets.circus.survey import survey
from guncamera.rulesets.circus.turn import apply
from guncamera.rulesets.circus.view import view_for
from guncamera.sessions.entropy import SeededDice, commitment_of, seed_from

BOOK = load_book()
RULES = {
    Verb.MOVE: rule_on_move,
    Verb.SPOT: rule_on_spot,
    Verb.FIRE: rule_on_fire,
    Verb.DAMAGE: rule_on_damage,
}
EAST, WEST = HexDirection.EAST, HexDirection.WEST
FIRST, SECOND = Side.FIRST, Side.SECOND


def play(setup, pilots, seed, *, book=BOOK, check=False, most=3_000):
    """A game to its end: every board of it. With `check` each order is asked for twice."""
    return play_on(open_board(setup, book), pilots, seed, book=book, check=check, most=most)


def play_on(board, pilots, seed, *, book=BOOK, check=False, most=3_000):
    """As `play`, from a board."""
    secret = seed_from(seed)
    commitment = commitment_of(secret)
    boards = [board]
    while result(boards[-1]) is None:
        board, nth = boards[-1], len(boards) - 1
        assert nth < most, "the game does not end"
        seat = active_seats(board)[0]
        view = view_for(board, seat, book)
        order = PILOTS[pilots[seat]](view, seat, book, nth)
        if check:
            assert PILOTS[pilots[seat]](view, seat, book, nth) == order
        facts = survey(board, seat, order.verb, order.order, book)
        ruling = RULES[order.verb](facts, book, SeededDice(secret, commitment, nth + 1))
        boards.append(apply(board, order.verb, order.order, ruling, book).board)
    return boards


def both(pilot):
    return {"first": pilot, "second": pilot}


def hits(boards, side):
    """Hits that a side scored in a game."""
    scored, before = 0, ()
    for board in boards:
        if board.shots != before:
            kept = len(before) if board.shots[: len(before)] == before else 0
            new = board.shots[kept:]
            scored += sum(shot.hits for shot in new if board.craft_of(shot.shooter).side == side)
        before = board.shots
    return scored


# ---- Whole games

SIX = tuple(
    Entrant(id_, side, type_, hex_, facing, feet)
    for id_, side, type_, hex_, facing, feet in (
        ("Red 1", FIRST, "fokker_d_vii", "1511", EAST, 6000),
        ("Red 2", FIRST, "albatros_d_va", "1413", EAST, 6200),
        ("Red 3", FIRST, "halberstadt_cl_ii", "1415", EAST, 6400),
        ("Blue 1", SECOND, "sopwith_camel", "3111", WEST, 6000),
        ("Blue 2", SECOND, "se5a", "3213", WEST, 6200),
        ("Blue 3", SECOND, "bristol_f2b", "3215", WEST, 6400),
    )
)


@pytest.mark.parametrize("order", list(TurnOrder))
@pytest.mark.parametrize("pilot", list(PILOTS))
def test_orders_are_legal_and_the_same_again_through_a_whole_fight(pilot, order):
    clouds = (Cloud("2211", 5000, 7000), Cloud("2312", 5000, 7000))
    setup = Setup(aircraft=SIX, turn_order=order, clouds=clouds, sun=EAST, turns=12)
    boards = play(setup, both(pilot), f"{pilot} {order}", check=True)
    assert boards[-1].turn <= 12
    assert {board.phase for board in boards} >= {Phase.SPOT, Phase.FIRE, Phase.UPKEEP}


@pytest.mark.parametrize("type_", list(BOOK.aircraft))
def test_every_type_is_flown(type_):
    aircraft = (
        Entrant("one", FIRST, type_, "1213", EAST, 5000),
        Entrant("two", SECOND, type_, "2213", WEST, 5000),
    )
    pilots = {"first": "stock", "second": "random"}
    boards = play(Setup(aircraft=aircraft, turns=4), pilots, type_)
    assert result(boards[-1])


def odd(at):
    """The book with every setting at another choice than its default."""
    changed = {}
    for name, spec in BOOK.setting_specs.items():
        others = [one.value for one in spec.choices if one.value != spec.default]
        if others:
            changed[name] = others[at]
    return BOOK.with_settings(changed)


@pytest.mark.parametrize("pilot", list(PILOTS))
@pytest.mark.parametrize("at", [0, -1])
@pytest.mark.parametrize("order", list(TurnOrder))
def test_pilots_fly_under_other_readings(pilot, at, order):
    setup = Setup("fokker_d_vii", turn_order=order, turns=6)
    boards = play(setup, both(pilot), f"{pilot} {at}", book=odd(at))
    assert result(boards[-1])


PAIRS = (
    ("fokker_d_vii", "sopwith_camel"),
    ("fokker_dr_i", "se5a"),
    ("albatros_d_iii", "sopwith_snipe"),
)


def duel(first, second, order, turns=30):
    """A set-up head on across the middle of the map."""
    aircraft = (
        Entrant("one", FIRST, first, "1313", EAST, 6000),
        Entrant("two", SECOND, second, "3313", WEST, 6000),
    )
    return Setup(aircraft=aircraft, turn_order=order, turns=turns)


def beaten(board, side):
    """Aircraft of a side that are lost or out of the fight; one that went home whole is neither."""
    own = [one for one in board.craft if one.side == side]
    lost = [one for one in own if one.end not in (None, End.LEFT_MAP, End.LANDED)]
    return len(lost) + sum(one.broken for one in own)


@pytest.mark.parametrize("order", list(TurnOrder))
def test_the_stock_pilot_beats_the_one_at_random(order):
    """Measured: 3 of 4 are won in simultaneous turns, 86 of 100 in alternate ones, 1 to 3 lost."""
    scored = {"stock": 0, "random": 0}
    gone = {"stock": 0, "random": 0}
    won = {"stock": 0, "random": 0}
    for nth, pair in enumerate(PAIRS * 2):
        pilots = ("stock", "random") if nth % 2 else ("random", "stock")
        pilots = dict(zip(Side, pilots))
        boards = play(duel(*pair, order), pilots, f"duel {nth}")
        for side in Side:
            scored[pilots[side]] += hits(boards, side)
            gone[pilots[side]] += bool(beaten(boards[-1], side))
        if boards[-1].winner is not None:
            won[pilots[boards[-1].winner]] += 1
    assert scored["stock"] > 5 * scored["random"]
    assert gone["random"] > 2 * gone["stock"]
    assert won["stock"] >= 3 > 1 >= won["random"]


@pytest.mark.parametrize("order", list(TurnOrder))
def test_stock_pilots_fight_until_somebody_is_beaten(order):
    """Measured over 100 games an order: 4 of 5 are won by one side, in 14 turns."""
    decided = turns = scored = 0
    for nth, pair in enumerate(PAIRS * 2):
        boards = play(duel(*pair[:: 1 if nth % 2 else -1], order), both("stock"), f"fight {nth}")
        decided += boards[-1].winner is not None
        turns += boards[-1].turn
        scored += hits(boards, FIRST) + hits(boards, SECOND)
    assert decided >= 3
    assert scored > 30
    assert turns < 6 * 26


def test_fit_stock_pilots_neither_crash_nor_fly_off():
    aircraft = (
        Entrant("one", FIRST, "sopwith_camel", "0312", WEST, 500),
        Entrant("two", SECOND, "fokker_d_vii", "0511", WEST, 500),
    )
    for seed in range(4):
        boards = play(Setup(aircraft=aircraft, turns=8), both("stock"), f"low {seed}")
        for board, after in pairwise(boards):
            for before, one in zip(board.craft, after.craft):
                gone = before.end is None and one.end in (End.CRASHED, End.LEFT_MAP)
                hurt = before.broken or condition_of(before.aircraft) != UNHURT
                assert not gone or hurt or one.broken


# ---- Single orders


def board_in(phase, *, one="fokker_d_vii", other="fokker_d_vii", apart=6, feet=5000, **changes):
    """Two aircraft, the second so many hexes ahead of the first and flying the same way."""
    aircraft = (
        Entrant("one", FIRST, one, "1513", EAST, feet),
        Entrant("two", SECOND, other, f"{15 + apart}13", EAST, feet),
    )
    board = open_board(Setup(aircraft=aircraft), BOOK)
    craft = list(board.craft)
    craft[0] = replace(
        craft[0],
        broken=changes.pop("broken", False),
        aircraft=replace(craft[0].aircraft, **changes),
    )
    return replace(board, phase=phase, active=tuple(Side), craft=tuple(craft))


def ordered(board, pilot="stock", nth=0, seat="first"):
    return PILOTS[pilot](view_for(board, seat, BOOK), seat, BOOK, nth).order.procedure


def flown(board, pilot="stock", nth=0):
    """What the first aircraft is to fly, followed to its end."""
    plot = ordered(board, pilot, nth).plots[0]
    aircraft = board.craft_of("one").aircraft
    return flown_path(aircraft, BOOK.aircraft[aircraft.aeroplane], plot, BOOK)


def sighted(range_hexes, mount=Mount.FRONT, **changes):
    return replace(
        Opportunity("one", "two", mount, 10, 9, 0, 10, 9, range_hexes, 0, range_hexes), **changes
    )


def firing(*opportunities, target_resolution=10, turn=1, **changes):
    """A fire phase with the enemy seen."""
    board = board_in(Phase.FIRE, **changes)
    book = BOOK.with_settings({"spotted_to_fire": "free"})
    two = replace(board.craft[1].aircraft, resolution=target_resolution)
    craft = (board.craft[0], replace(board.craft[1], aircraft=two))
    board = replace(board, opportunities=opportunities, craft=craft, turn=turn)
    return PILOTS["stock"](view_for(board, "first", book), "first", book, 0).order.procedure


@pytest.mark.parametrize(
    ("range_hexes", "resolution", "turn", "long_burst"),
    [
        (1, 5, 1, True),
        (2, 5, 1, True),
        (2, 6, 1, False),
        (3, 5, 1, False),
        (1, 10, 24, False),
        (1, 10, 25, True),
        (7, 10, 30, False),
    ],
)
def test_it_fires_long_bursts_near_by_where_they_may_decide(
    range_hexes, resolution, turn, long_burst
):
    fired = firing(sighted(range_hexes), target_resolution=resolution, turn=turn)
    assert fired == Shoot("one", "two", Mount.FRONT, long_burst)


def test_it_saves_its_last_rounds():
    few = (Load(2),)
    assert firing(sighted(8), loads=few) == HoldFire()
    assert firing(sighted(1), loads=few) == Shoot("one", "two", Mount.FRONT)


def test_it_takes_the_better_shot():
    two_seater = {"one": "bristol_f2b"}
    near, far = sighted(2, Mount.RING), sighted(6)
    assert firing(far, near, **two_seater).mount == Mount.RING
    assert firing(sighted(2), sighted(2, Mount.RING), **two_seater).mount == Mount.FRONT


def test_it_changes_a_drum_while_nobody_is_near():
    half_used = (Load(1, 3),)
    changed = firing(one="nieuport_11", loads=half_used, apart=12)
    assert changed == ChangeDrum("one", 0)
    assert firing(one="nieuport_11", loads=half_used, apart=3) == HoldFire()
    assert firing(one="nieuport_11", loads=(Load(2, 3),), apart=12) == HoldFire()


def test_it_follows_an_enemy_who_is_ahead_and_comes_into_range():
    led = flown(board_in(Phase.PLOT, apart=9))
    there = hex_at(led.last.hex, BOOK, "")
    assert there.distance(hex_at("2413", BOOK, "")) < 9
    assert led.last.facing in (EAST, HexDirection.NORTHEAST, HexDirection.SOUTHEAST)


def test_it_turns_upon_an_enemy_behind_it():
    board = board_in(Phase.PLOT)
    enemy = replace(board.craft[1], aircraft=replace(board.craft[1].aircraft, hex="0913"))
    led = flown(replace(board, craft=(board.craft[0], enemy)))
    assert led.last.facing != EAST or led.manoeuvres


def test_it_dives_a_fire_out():
    calm = flown(board_in(Phase.PLOT, apart=25))
    burning = flown(board_in(Phase.PLOT, apart=25, condition=Condition(fire_points=2)))
    assert calm.dive not in ("steep_dive", "power_dive")
    assert burning.dive in ("steep_dive", "power_dive")


@pytest.mark.parametrize("nth", range(5))
def test_it_spares_an_airframe_that_is_marked(nth):
    marked = board_in(Phase.PLOT, condition=Condition(structure_marks=2), apart=3)
    assert flown(marked, nth=nth).acts == ()


@pytest.mark.parametrize("edge", list(Edge))
def test_a_broken_pilot_flies_home_and_fires_no_more(edge):
    board = replace(board_in(Phase.PLOT, broken=True, resolution=0), first_edge=edge, turns=6)
    last = play_on(board, both("stock"), f"home {edge}")[-1]
    gone = last.craft_of("one")
    assert gone.end == End.LEFT_MAP
    assert hexes_to(edge, hex_at(gone.aircraft.hex, BOOK, "", anywhere=True), BOOK) <= 1
    assert gone.aircraft.loads[0].points == 10


@pytest.mark.parametrize("nth", range(3))
def test_a_broken_pilot_dives_away_from_an_enemy_who_is_near(nth):
    chased = board_in(Phase.PLOT, broken=True, resolution=0, apart=-5)
    led = flown(replace(chased, first_edge=Edge.EAST), nth=nth)
    assert led.last.altitude_feet <= 5_000 - 500
    alone = board_in(Phase.PLOT, broken=True, resolution=0, apart=25)
    led = flown(replace(alone, first_edge=Edge.WEST), nth=nth)
    assert led.last.altitude_feet > 5_000 - 500, "nobody is there to dive away from"


@pytest.mark.parametrize("nth", range(3))
def test_a_broken_pilot_does_not_dive_into_the_ground(nth):
    low = board_in(Phase.PLOT, broken=True, resolution=0, apart=-5, feet=500)
    assert flown(replace(low, first_edge=Edge.EAST), nth=nth).last.altitude_feet >= 300


SPENT = {
    "no rounds": {"loads": (Load(0),)},
    "no engine": {"condition": Condition(engine_seized=True)},
    "airframe": {"condition": Condition(damage_points=7)},
}


@pytest.mark.parametrize("why", SPENT)
def test_who_can_fight_no_longer_breaks_off_and_stays_on_the_map(why):
    board = replace(board_in(Phase.PLOT, apart=4, **SPENT[why]), first_edge=Edge.WEST, turns=12)
    assert flown(board).last.altitude_feet <= 5_000 - 500, "down and away"
    last = play_on(board, {"first": "stock", "second": "random"}, f"spent {why}")[-1]
    gone = last.craft_of("one")
    assert gone.broken or gone.end != End.LEFT_MAP


def test_it_speeds_up_to_catch_an_enemy_who_is_far_ahead():
    board = board_in(Phase.PLOT, apart=14, speed_mp=7)
    assert flown(board).speed_mp == 8


def test_it_expects_an_enemy_to_turn_upon_it():
    """The enemy of whom one has the tail is not thought to fly straight on only."""
    board = board_in(Phase.PLOT, apart=3)
    view = view_for(board, "first", BOOK)
    one, two = (fighter(craft, view, BOOK) for craft in view.craft)
    found = guesses(two, one, BOOK)
    ends = {guess.moments[-1][2] for guess in found}
    assert len(found) > 4
    assert {0, 1, 5} < ends
    far = replace(two, place=replace(two.place, q=two.place.q + 40))
    assert len(guesses(far, one, BOOK)) == 1


def test_without_an_engine_it_lands():
    led = flown(board_in(Phase.PLOT, feet=200, condition=Condition(engine_seized=True)))
    assert led.end == End.LANDED


@pytest.mark.parametrize("nth", range(6))
def test_it_turns_away_from_the_edge_in_time(nth):
    board = board_in(Phase.PLOT, one="re8", hex="4213")
    dead = replace(
        board.craft[1],
        aircraft=replace(board.craft[1].aircraft, condition=Condition(pilot_killed=True)),
    )
    led = flown(replace(board, craft=(board.craft[0], dead)), nth=nth)
    ahead = hex_at(led.last.hex, BOOK, "").step(led.last.facing, led.speed_mp - 2)
    assert on_map(ahead, BOOK), "nearly all of the next move may go straight on"


def test_it_unjams_its_guns_where_it_can_afford_to():
    led = flown(board_in(Phase.PLOT, apart=28, loads=(Load(5, jammed=True),)))
    assert led.straight_and_level


def test_who_has_no_living_pilot_gets_no_plot():
    board = board_in(Phase.PLOT, condition=Condition(pilot_killed=True))
    assert ordered(board).plots == ()
    assert ordered(board, "random").plots == ()
    (plot,) = ordered(board, seat="second").plots
    assert plot.aircraft == "two"


def test_it_does_as_well_with_nobody_left_to_fight():
    board = board_in(Phase.PLOT)
    dead = replace(
        board.craft[1],
        aircraft=replace(board.craft[1].aircraft, condition=Condition(pilot_killed=True)),
    )
    assert flown(replace(board, craft=(board.craft[0], dead))).end is None


# ---- At random


def test_random_orders_differ_from_one_to_the_next():
    board = board_in(Phase.PLOT)
    plots = {ordered(board, "random", nth).plots for nth in range(40)}
    assert len(plots) > 25
    for nth in range(40):
        assert flown(board, "random", nth).end is None


def test_random_shots_are_fired_and_held():
    board = replace(board_in(Phase.FIRE), opportunities=(sighted(3),))
    book = BOOK.with_settings({"spotted_to_fire": "free"})
    view = view_for(board, "first", book)
    found = {PILOTS["random"](view, "first", book, nth).order.procedure for nth in range(20)}
    assert found == {Shoot("one", "two", Mount.FRONT), HoldFire()}
