"""Whole games of Flying Circus Plus: they end, and they do not know one side from the other."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from circus_table import BOOK, Game, Table, at_random, entrant, head_on, hunter
from guncamera.rules.dealt import DealtDice
from guncamera.rules.hexes import DIRECTIONS, Hex
from guncamera.rulesets.circus.aircraft import Side
from guncamera.rulesets.circus.board import Board, other
from guncamera.rulesets.circus.facts import Cloud
from guncamera.rulesets.circus.map import column_and_row, hex_at, hex_in, label
from guncamera.rulesets.circus.orders import Setup, TurnOrder

TYPES = sorted(BOOK.aircraft)


def any_setup(random, **changes) -> Setup:
    """Up to three aircraft a side of any type, near the middle of the map."""
    aircraft = []
    for side in Side:
        for nth in range(random.randint(1, 3)):
            type_ = random.choice(TYPES)
            figures = BOOK.aircraft[type_]
            aircraft.append(
                entrant(
                    f"{random.randint(10, 99)}-{side[0]}{nth}",
                    side,
                    label(hex_in(random.randint(17, 29), random.randint(9, 17))),
                    random.choice(DIRECTIONS),
                    aeroplane=type_,
                    altitude_feet=50 * random.randint(4, 100),
                    speed_mp=random.randint(figures.stall_mp, figures.top_mp),
                )
            )
    clouds = tuple(
        Cloud(label(hex_in(random.randint(10, 36), random.randint(5, 21))), 1000, 4000)
        for _ in range(random.randint(0, 6))
    )
    given = {
        "turn_order": random.choice(list(TurnOrder)),
        "turns": random.randint(3, 20),
        "sun": random.choice((None, *DIRECTIONS)),
        **changes,
    }
    return Setup(aircraft=tuple(aircraft), clouds=clouds, **given)


def any_settings(random):
    """Some settings other than the defaults; the map keeps its size."""
    chosen = {}
    for name, spec in BOOK.setting_specs.items():
        if random.random() < 0.4 and not name.startswith("map_"):
            values = [choice.value for choice in spec.choices]
            chosen[name] = random.choice(values or range(spec.low, spec.high + 1, spec.step))
    return chosen


def played(seed, policy, **changes):
    random = Random(seed)
    settings = any_settings(random) if seed % 3 else {}
    settings["map_edge"] = "barred" if seed % 2 else "out"
    game = Game(random, any_setup(random, **changes), policy, **settings).play()
    assert {craft.side for craft in game.board.flying} != set(Side) or (
        game.board.turn == game.board.turns
    )
    return game


@pytest.mark.parametrize("seed", range(20))
def test_every_random_game_ends_and_is_sound_at_every_step(seed):
    played(seed, at_random)


@pytest.mark.parametrize("turn_order", TurnOrder)
@pytest.mark.parametrize("seed", range(5))
def test_hunters_play_to_the_end_in_both_turn_orders(seed, turn_order):
    played(seed, hunter, turn_order=turn_order, turns=12)


@pytest.mark.parametrize("turn_order", TurnOrder)
def test_games_try_every_kind_of_order(turn_order):
    seen: set[str] = set()
    for seed in range(40):
        duel = head_on(aeroplane="airco_dh2", altitude_feet=3000)
        setup = Setup(aircraft=duel, turn_order=turn_order, turns=4)
        seen |= Game(Random(seed), setup, at_random).play().seen
        if len(seen) == (8 if turn_order == TurnOrder.SIMULTANEOUS else 7):
            return
    raise AssertionError(f"only {sorted(seen)}")


# ---- Sides changed over


MIDDLE = hex_in(23, 13)
MARGIN = 2


def turned(text: str) -> str:
    """The hex opposite about the middle of the map."""
    hex_ = hex_at(text, BOOK, "", anywhere=True)
    return label(Hex(2 * MIDDLE.q - hex_.q, 2 * MIDDLE.r - hex_.r))


def changed_over(board: Board) -> Board:
    """The board with the sides changed over and the map turned about its middle."""
    return replace(
        board,
        craft=tuple(turned_craft(craft) for craft in board.craft),
        holding=tuple(other(side) for side in board.holding),
        active=tuple(side for side in Side if other(side) in board.active),
        clouds=tuple(replace(cloud, hex=turned(cloud.hex)) for cloud in board.clouds),
        sun=None if board.sun is None else board.sun.opposite(),
        winner=None if board.winner is None else other(board.winner),
    )


def turned_craft(craft):
    aircraft = craft.aircraft
    path = tuple(
        replace(step, hex=turned(step.hex), facing=step.facing.opposite()) for step in craft.path
    )
    aircraft = replace(aircraft, hex=turned(aircraft.hex), facing=aircraft.facing.opposite())
    return replace(craft, side=other(craft.side), aircraft=aircraft, path=path)


def near_the_edge(board):
    """Whether anyone has been where the map is not the same when it is turned."""
    return any(
        not (MARGIN <= column <= 45 - MARGIN and MARGIN <= row <= 26 - MARGIN)
        for craft in board.craft
        for step in craft.path
        for column, row in [column_and_row(hex_at(step.hex, BOOK, "", anywhere=True))]
    )


@pytest.mark.parametrize("seed", range(10))
def test_a_game_with_the_sides_changed_over_goes_the_same_way_with_the_same_faces(seed):
    random = Random(f"changed over {seed}")
    setup = any_setup(random, turn_order=TurnOrder.SIMULTANEOUS, turns=8)
    game = Game(random, setup, hunter if seed % 2 else at_random)
    boards = [game.board]
    while game.board.active and len(boards) < 120:
        seat = random.choice(game.board.active)
        game.act(seat, game.policy(game, seat))
        boards.append(game.board)
    twin = Table(setup=opposite(setup))
    assert twin.board == changed_over(boards[0])
    compared = 0
    for (seat, order, faces), board in zip(game.orders, boards[1:]):
        if near_the_edge(board):
            break
        twin.give(other(Side(seat)), order, DealtDice(faces))
        assert twin.board == changed_over(board)
        compared += 1
    assert compared > 4


def opposite(setup: Setup) -> Setup:
    aircraft = tuple(
        replace(one, side=other(one.side), hex=turned(one.hex), facing=one.facing.opposite())
        for one in setup.aircraft
    )
    clouds = tuple(replace(cloud, hex=turned(cloud.hex)) for cloud in setup.clouds)
    sun = None if setup.sun is None else setup.sun.opposite()
    return replace(setup, aircraft=aircraft, clouds=clouds, sun=sun)
