"""The stock pilots give legal orders wherever they are put, the same ones again, and fight."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from guncamera.rules.dealt import DealtDice
from guncamera.rules.ruleset import Verb
from guncamera.rulesets.redstars.aircraft import (
    AltitudeCard,
    Condition,
    Maneuver,
    Pilot,
    Position,
    TweakSide,
    WeaponKind,
)
from guncamera.rulesets.redstars.book import load_book
from guncamera.rulesets.redstars.damage import rule_on_damage
from guncamera.rulesets.redstars.fire import rule_on_fire
from guncamera.rulesets.redstars.legal import legal_orders
from guncamera.rulesets.redstars.legality import choice_fault
from guncamera.rulesets.redstars.move import rule_on_move
from guncamera.rulesets.redstars.orders import (
    Card,
    Choose,
    DeclareRam,
    EndTurn,
    Entrant,
    HandOver,
    HoldFire,
    Phase,
    Ram,
    Setup,
    Shoot,
    Side,
)
from guncamera.rulesets.redstars.outcomes import End, Intent, Rising, Turning
from guncamera.rulesets.redstars.pilot import PILOTS
from guncamera.rulesets.redstars.pilot_flight import choose
from guncamera.rulesets.redstars.secrecy import view_for
from guncamera.rulesets.redstars.spot import rule_on_spot
from guncamera.rulesets.redstars.survey import survey
from guncamera.rulesets.redstars.turn import active_seats, apply, open_board, result
from guncamera.sessions.entropy import SeededDice, commitment_of, seed_from

BOOK = load_book()
RULES = {
    Verb.MOVE: rule_on_move,
    Verb.SPOT: rule_on_spot,
    Verb.FIRE: rule_on_fire,
    Verb.DAMAGE: rule_on_damage,
}
SOVIET, JAPANESE = Side.SOVIET, Side.JAPANESE
HARMLESS = (End.LEFT_TABLE, End.LANDED)


def play(setup, pilots, seed, *, book=BOOK, check=False, most=3_000):
    """A game to its end: every board of it. With `check` each order is asked for twice."""
    secret = seed_from(seed)
    commitment = commitment_of(secret)
    boards = [open_board(setup, book)]
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
    return {"soviet": pilot, "japanese": pilot}


def entrant(id_, side, type_, x, y, heading=0, altitude=6, rating=1):
    return Entrant(
        id_, side, type_, Position(x * 1000, y * 1000, heading, altitude), pilot=Pilot(rating)
    )


SIX = tuple(
    entrant(f"{side.value[0]}{nth}", side, type_, 48 + 12 * nth, y, heading, 5 + nth, nth)
    for side, y, heading, types in (
        (SOVIET, 40, 0, ("i16t17", "i153_rockets", "sb")),
        (JAPANESE, 90, 180, ("ki27", "a5m2", "ki30")),
    )
    for nth, type_ in enumerate(types)
)


# ---- Whole games


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("pilot", list(PILOTS))
def test_orders_are_legal_and_the_same_again_through_a_whole_fight(pilot, seed):
    boards = play(Setup(aircraft=SIX, turns=12), both(pilot), f"{pilot} {seed}", check=True)
    assert boards[-1].turn <= 12
    phases = {board.phase for board in boards}
    assert phases >= {Phase.CHOOSE, Phase.MOVE, Phase.FINISHED}
    assert pilot == "random" or Phase.FIRE in phases


@pytest.mark.parametrize("type_", list(BOOK.aircraft))
def test_every_type_is_flown(type_):
    pilots = {"soviet": "stock", "japanese": "random"}
    assert result(play(Setup(type_, turns=5), pilots, type_)[-1])


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
def test_pilots_fly_under_other_readings(pilot, at):
    setup = Setup(aircraft=SIX, turns=6)
    assert result(play(setup, both(pilot), f"{pilot} {at}", book=odd(at))[-1])


def test_the_stock_pilot_beats_the_one_at_random():
    won, downed = {"stock": 0, "random": 0}, {"stock": 0, "random": 0}
    for nth in range(6):
        for first, second in (("stock", "random"), ("random", "stock")):
            pilots = {"soviet": first, "japanese": second}
            setup = Setup(("ki27", "i16t10", "a5m2")[nth % 3], turns=20)
            last = play(setup, pilots, f"duel {nth}")[-1]
            if last.winner is not None:
                won[pilots[last.winner]] += 1
            for one in last.craft:
                downed[pilots[one.side]] += one.end is not None and one.end not in HARMLESS
    assert won["stock"] >= 8
    assert won["random"] <= 1
    assert downed["random"] > 3 * max(downed["stock"], 1)


def test_stock_pilots_neither_crash_nor_fly_off_unhurt():
    aircraft = (
        entrant("one", SOVIET, "i16t10", 4, 70, 270, 2),
        entrant("two", JAPANESE, "ki27", 140, 72, 90, 1),
    )
    for seed in range(3):
        boards = play(Setup(aircraft=aircraft, turns=8), both("stock"), f"low {seed}")
        for before, after in pairwise(boards):
            for was, one in zip(before.craft, after.craft):
                lost = was.end is None and one.end in (End.CRASHED, End.LEFT_TABLE)
                assert not lost or was.aircraft.condition


# ---- Single orders


def board_with(*aircraft, **changes):
    return replace(open_board(Setup(aircraft=aircraft), BOOK), **changes)


def changed(board, name, **changes):
    craft = tuple(
        replace(one, aircraft=replace(one.aircraft, **changes)) if one.aircraft.id == name else one
        for one in board.craft
    )
    return replace(board, craft=craft)


def ordered(board, seat="soviet", pilot="stock", nth=0):
    view = view_for(board, seat, BOOK)
    return PILOTS[pilot](view, seat, BOOK, nth).order.procedure


def apart(distance=10, heading=0, altitude=6, type_="i16t10", other="ki27"):
    """One flies north in the middle; the other is so many inches ahead."""
    return (
        entrant("one", SOVIET, type_, 70, 60),
        entrant("two", JAPANESE, other, 70, 60 + distance, heading, altitude),
    )


def test_it_follows_an_enemy_as_he_has_told():
    board = board_with(*apart(12))
    assert board.craft_of("one").tails == "two"
    assert board.choosing == ("two",)
    told = {}
    for turning in (Turning.LEFT, Turning.RIGHT):
        card = Card("two", made=True, intent=Intent(turning, Rising.LEVEL))
        known = replace(board, cards=(card,), choosing=("one",))
        (choice,) = ordered(known).choices
        told[turning] = choice.maneuver
    assert "left" in told[Turning.LEFT]
    assert "right" in told[Turning.RIGHT]


def test_it_never_sees_hidden_cards():
    board = board_with(*apart(60, 180))
    after = apply_choice(board, "japanese", Maneuver.STRAIGHT)
    other = apply_choice(board, "japanese", Maneuver.HARD_LEFT, slow=True)
    assert after.cards != other.cards
    for pilot in PILOTS:
        assert ordered(after, pilot=pilot) == ordered(other, pilot=pilot)


def apply_choice(board, seat, maneuver, *, slow=False):
    """The board once one side has chosen."""
    for legal in legal_orders(board, seat, BOOK):
        choice = legal.order.procedure.choices[0]
        if choice.maneuver == maneuver and (choice.speed_card is None) is not slow:
            facts = survey(board, seat, legal.verb, legal.order, BOOK)
            ruling = rule_on_move(facts, BOOK, None)
            return apply(board, legal.verb, legal.order, ruling, BOOK).board
    raise AssertionError(maneuver)


def test_it_dives_a_fire_out():
    calm = board_with(*apart(60))
    burning = changed(calm, "one", condition=Condition(fires_d6=1))
    chosen = [ordered(replace(b, choosing=("one",))).choices[0] for b in (calm, burning)]
    steep = (AltitudeCard.DIVE_3, AltitudeCard.DIVE_4)
    assert chosen[0].altitude_card not in steep
    assert chosen[1].altitude_card in steep


def test_it_spares_a_fragile_type_the_steepest_dive():
    for altitude in (2, 3, 4, 5):
        board = board_with(*apart(14, 0, altitude, type_="ki27"), choosing=("one",))
        (choice,) = ordered(board).choices
        assert choice.altitude_card != AltitudeCard.DIVE_4


def test_it_turns_from_the_edge_of_the_table():
    ahead = entrant("two", JAPANESE, "ki27", 100, 20)
    board = board_with(entrant("one", SOVIET, "i16t10", 70, 134), ahead, choosing=("one",))
    (choice,) = ordered(board).choices
    assert choice.maneuver != Maneuver.STRAIGHT


def moving(board, **changes):
    """A phase of moving, cards open, in which one moves straight on."""
    choice = next(
        legal.order.procedure.choices[0]
        for legal in legal_orders(replace(board, choosing=("one",)), "soviet", BOOK)
    )
    card = Card("one", made=True, choice=choice)
    return replace(board, phase=Phase.MOVE, cards=(card,), revealed=True, order=("one",), **changes)


@pytest.mark.parametrize(("x", "side"), [(62, TweakSide.LEFT), (78, TweakSide.RIGHT), (70, None)])
def test_it_tweaks_toward_the_target(x, side):
    one = entrant("one", SOVIET, "i16t10", 70, 40, rating=2)
    two = entrant("two", JAPANESE, "ki27", x, 74)
    found = {tweak.side for tweak in ordered(moving(board_with(one, two))).tweaks}
    assert found == ({side} if side else set())


def firing(*aircraft, **changes):
    return board_with(*aircraft, phase=Phase.FIRE, revealed=True, order=("one",), **changes)


def test_it_fires_what_is_fair_and_holds_what_is_not():
    assert ordered(firing(*apart(7))) == Shoot("one", "two", (0,))
    oily = Condition(oil_leak=True, engine_shot=True)
    poor = changed(firing(*apart(15, 180)), "one", condition=oily, pilot=Pilot(-1))
    assert ordered(poor) == HoldFire("one")


def test_it_saves_its_last_boxes():
    fair = changed(firing(*apart(15, 270)), "one", pilot=Pilot(0))
    assert ordered(fair) == Shoot("one", "two", (0,))
    assert ordered(changed(fair, "one", boxes=(2,))) == HoldFire("one")


def test_it_fires_rockets_from_afar():
    board = firing(*apart(30, type_="i153_rockets"))
    shot = ordered(board)
    (weapon,) = shot.weapons
    assert BOOK.aircraft["i153_rockets"].weapons[weapon].kind == WeaponKind.ROCKET


@pytest.mark.parametrize(
    ("rule", "y", "expected"), [("mount", 52, [(1,), (2,)]), ("forward", 68, [(0,), (1,), (2,)])]
)
@pytest.mark.parametrize("pilot", list(PILOTS))
def test_a_bomber_fires_no_gun_twice(pilot, rule, y, expected):
    book = BOOK.with_settings({"flexible_arc_rule": rule})
    one = entrant("one", SOVIET, "sb", 70, 60, rating=-1)
    board, found = firing(one, entrant("two", JAPANESE, "ki27", 70, y)), []
    for nth in range(40):
        order = PILOTS[pilot](view_for(board, "soviet", book), "soviet", book, nth)
        if isinstance(order.order.procedure, HoldFire):
            continue
        assert not set(order.order.procedure.weapons) & {at for shot in found for at in shot}
        found.append(order.order.procedure.weapons)
        facts = survey(board, "soviet", Verb.FIRE, order.order, book)
        ruling = rule_on_fire(facts, book, DealtDice((1, 2, 2, 10, 10, 10)))
        board = apply(board, Verb.FIRE, order.order, ruling, book).board
        if board.phase != Phase.FIRE:
            break
    assert sorted(found) == expected


def test_only_the_random_one_ever_rams():
    board = board_with(*apart(20, 180), phase=Phase.RAM, revealed=True)
    board = replace(board, possible_rams=(Ram("one", "two"), Ram("two", "one")))
    assert ordered(board) == DeclareRam()
    found = {ordered(board, pilot="random", nth=nth) for nth in range(20)}
    assert found == {DeclareRam(), DeclareRam("one", "two")}


def test_a_badly_wounded_pilot_hands_over():
    board = board_with(*apart(40, type_="sb"), phase=Phase.END)
    assert ordered(board) == EndTurn()
    scratched = changed(board, "one", condition=Condition(pilot_wounds=1))
    assert ordered(scratched) == EndTurn()
    hurt = changed(board, "one", condition=Condition(pilot_wounds=2))
    assert ordered(hurt) == HandOver("one")
    both_hurt = Condition(pilot_wounds=2, observer_wounds=2)
    assert ordered(changed(board, "one", condition=both_hurt)) == EndTurn()


def test_a_pilot_knows_that_the_ceiling_holds_him_where_it_is_no_bar():
    met = (
        entrant("one", SOVIET, "i153", 72, 40),
        entrant("two", JAPANESE, "a5m2", 72, 60, 180),
    )
    book = BOOK.with_settings({"above_ceiling": "held", "altitude_ceiling": 6})
    board = open_board(Setup(aircraft=met), book)
    choice = choose(board.craft_of("one"), board, book)
    assert choice.maneuver == Maneuver.IMMELMANN  # at the ceiling he stays level with his enemy
    one = board.craft_of("one").aircraft
    assert choice_fault(one, choice, book.aircraft["i153"], book) is None


# ---- At random


def test_random_orders_differ_from_one_to_the_next():
    board = board_with(*apart(60, 180))
    chosen = {ordered(board, pilot="random", nth=nth) for nth in range(40)}
    assert len(chosen) > 25
    assert all(isinstance(order, Choose) for order in chosen)
