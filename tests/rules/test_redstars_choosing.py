"""Choosing in Red Stars: who chooses when, who tails whom, and what nobody may hear."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import cos, radians, sin

import pytest
from guncamera.rules.refusal import Illegal
from guncamera.rulesets.redstars.aircraft import AltitudeCard, Flight, SpeedCard
from guncamera.rulesets.redstars.events import (
    CardsChosen,
    CardsRevealed,
    IntentTold,
    OrderSet,
    TailingFound,
)
from guncamera.rulesets.redstars.legal import default_order
from guncamera.rulesets.redstars.orders import (
    Choose,
    FireOrder,
    Measure,
    MoveOrder,
    Phase,
    SpotOrder,
)
from guncamera.rulesets.redstars.outcomes import Arc, Intent, Rising, Turning
from redstars_table import (
    APART,
    BEHIND,
    FAR,
    JAPANESE,
    LEFT,
    SOVIET,
    Table,
    choice,
    entrant,
)

# ---- Choosing


def test_all_cards_lie_open_once_all_have_chosen_and_not_before():  # RED-2.1
    table = Table(APART)
    table.choose(choice("a", "left"))
    assert table.view(JAPANESE).cards[0].choice is None
    assert not table.of(CardsRevealed)
    table.choose(choice("b", "right"))
    (revealed,) = table.of(CardsRevealed)
    assert (revealed.rule_id, revealed.choices) == (
        "RED-2.1",
        (choice("a", "left"), choice("b", "right")),
    )
    for seat in (None, SOVIET, JAPANESE):
        assert [card.choice for card in table.view(seat).cards] == list(revealed.choices)


@pytest.mark.parametrize("named", [[], ["a", "a"], ["a", "c"]])
def test_a_side_chooses_for_each_of_its_aircraft_once(named):
    table = Table((*BEHIND, entrant("a", SOVIET, 20, 20)))
    with pytest.raises(Illegal) as refused:
        table.give(SOVIET, MoveOrder(Choose(tuple(choice(one) for one in named))))
    assert (refused.value.rule_id, refused.value.field) == ("RED-2.2", "choose.choices")
    assert refused.value.facts["choosing"] == "a"


def test_a_side_does_not_choose_for_the_other():
    table = Table(APART)
    with pytest.raises(Illegal) as refused:
        table.give(SOVIET, MoveOrder(Choose((choice("b"),))))
    assert refused.value.field == "choose.choices[0].aircraft"


def test_who_is_late_flies_straight_and_level():
    table = Table(BEHIND)
    order = default_order(table.board, JAPANESE, table.book)
    assert order == MoveOrder(Choose((choice("t"),)))


# ---- Tailing


def test_the_worked_example_of_a_tailer_who_keeps_his_guns_on_his_target():  # RED-2.3, RED-2.4
    table = Table(BEHIND)
    assert table.craft("c").tails == "t"
    assert table.active == (JAPANESE,)  # the target chooses first (RED-2.2)
    table.choose(choice("t", "left"))
    told = IntentTold("RED-2.4", 1, "t", "c", Intent(Turning.LEFT, Rising.LEVEL))
    assert told in table.told
    assert table.active == (SOVIET,)
    card = table.view(SOVIET).cards[0]
    assert (card.choice, card.intent) == (None, Intent(Turning.LEFT, Rising.LEVEL))
    table.choose(choice("c", "shift_left"))
    table.declare(SOVIET)  # he tails, and so could ram
    table.fly("t")
    untouched = table.board
    table.fly("c")
    assert not [shot for shot in table.legal(SOVIET) if isinstance(shot.order, FireOrder)]
    assert table.board.phase == Phase.END
    table.board = untouched
    table.fly("c", (2, LEFT), (3, LEFT), (4, LEFT))
    assert table.at("t") == (57_010, 67_500, 300)
    assert table.at("c") == (62_670, 65_624, 315)
    assert table.board.phase == Phase.FIRE
    measured = table.give(SOVIET, SpotOrder(Measure("c", "t")))
    assert (measured.arc, measured.other_arc) == (Arc.FORWARD, Arc.REAR)
    fired = table.shoot("c", "t", 1, 1, 2, 3, 4, 1)
    assert fired.weapons_hit == (0,)  # two for his rating, one tailing, two from behind


def test_by_setting_the_target_tells_its_speed_as_well():
    table = Table(BEHIND, tail_reveals_speed=True)
    table.choose(choice("t", "left"))
    assert table.view(SOVIET).cards[0].intent == Intent(Turning.LEFT, Rising.LEVEL, 3)


def test_tailing_lasts_all_turn_and_is_looked_for_anew_in_the_next():
    table = Table(BEHIND)
    table.choose_rest(choice("t", "left"), choice("c", "right"))
    table.declare(SOVIET)
    table.fly("t")
    assert table.craft("c").tails == "t"
    table.fly("c")
    assert (table.craft("c").tails, table.board.phase) == ("t", Phase.END)
    table.end_turn()
    assert table.craft("c").tails == ""
    assert table.of(TailingFound) == []  # those of the first turn came with the board


@pytest.mark.parametrize(
    ("moved", "settings", "tails"),
    [
        ({}, {}, True),
        ({"x": 64}, {}, False),  # beside the rear arc
        ({"x": 64}, {"rear_half_arc": 45, "gun_half_arc": 45}, True),
        ({"y": 40}, {}, True),
        ({"y": 39}, {}, False),
        ({"y": 39}, {"tail_range_mils": 30_000}, True),
        ({"altitude": 8}, {}, True),
        ({"altitude": 9}, {}, False),
        ({"altitude": 9}, {"tail_altitude": 3}, True),
        ({"heading": 180}, {}, False),
        ({"heading": 180}, {"tail_needs_nose": False}, True),
    ],
)
def test_who_tails_lies_behind_near_and_nose_on(moved, settings, tails):  # RED-2.3
    at = {"x": 70, "y": 50, "heading": 0, "altitude": 6, **moved}
    chaser = entrant("c", SOVIET, at["x"], at["y"], at["heading"], at["altitude"])
    table = Table((BEHIND[0], chaser), **settings)
    assert table.craft("c").tails == ("t" if tails else "")


def test_of_several_targets_the_nearest_is_tailed_and_of_equals_the_first():
    further = entrant("r", JAPANESE, 70, 65, speed=3)
    assert Table((*BEHIND, further)).craft("c").tails == "t"
    beside = (entrant("u", JAPANESE, 69, 60), entrant("s", JAPANESE, 71, 60), BEHIND[1])
    assert Table(beside).craft("c").tails == "s"


def test_a_spinning_aircraft_tails_nobody_and_nobody_waits_for_it():
    for spinner, tailed in (("t", "t"), ("c", "")):
        table = Table((*BEHIND, FAR)).choose_rest(choice("c", speed=SpeedCard.DECELERATE_1))
        table.fly_all().hold_all()
        table.change(spinner, flight=Flight.SPINNING)
        table.end_turn(1, 1)
        assert table.craft("c").tails == tailed
        assert set(table.board.choosing) == {"far", "c", "t"} - {spinner}
        table.choose_rest()
        assert {card.aircraft for card in table.board.cards} == {"far", "c", "t"} - {spinner}
        while table.board.phase == Phase.RAM:
            table.declare(table.active[0])
        while table.board.order[0] != spinner:
            table.fly(table.board.order[0])
        table.fly(spinner, faces=(2, 12))  # two bands down, facing north
        assert table.aircraft(spinner).position.altitude == 4


CHAIN = (
    entrant("f", JAPANESE, 70, 75, speed=3),
    entrant("e", SOVIET, 70, 65, speed=3, rating=1),
    entrant("d", JAPANESE, 70, 55, speed=3, rating=2),
    entrant("a", SOVIET, 20, 20),
)


def test_a_chain_chooses_from_front_to_back():  # RED-2.2
    table = Table(CHAIN)
    assert table.board.choosing == ("a", "f")
    table.choose(choice("a"))
    table.choose(choice("f", "left"))
    assert table.board.choosing == ("e",)
    assert table.told[-1] == OrderSet("RED-2.2", Phase.CHOOSE, ("e",))
    # His own side hears nothing of what it did not tail.
    assert [card.intent for card in table.view(JAPANESE).cards] == [
        None,
        Intent(Turning.LEFT, Rising.LEVEL),
    ]
    table.choose(choice("e", "right"))
    assert table.board.choosing == ("d",)
    assert table.view(JAPANESE).cards[2].intent == Intent(Turning.RIGHT, Rising.LEVEL)
    table.choose(choice("d"))
    assert table.board.revealed
    assert [(one.aircraft, one.tailer) for one in table.of(IntentTold)] == [("f", "e"), ("e", "d")]


def ring(**ratings):
    """Six aircraft in a circle, each behind an enemy."""
    return tuple(
        entrant(
            f"{side[0]}{nth}",
            side,
            70 + 10 * sin(radians(60 * nth)),
            70 + 10 * cos(radians(60 * nth)),
            (60 * nth + 90) % 360,
            speed=3,
            rating=ratings.get(f"{side[0]}{nth}", 1),
        )
        for nth, side in enumerate((SOVIET, JAPANESE) * 3)
    )


@pytest.mark.parametrize(
    ("settings", "order"),
    [
        ({}, ["j3", "s2", "j1", "s0", "j5", "s4"]),
        ({"ring_break": "lowest-id"}, ["j1", "s0", "j5", "s4", "j3", "s2"]),
    ],
)
def test_in_a_ring_the_lowest_rating_chooses_first_and_then_tailer_after_tailer(settings, order):
    table = Table(ring(j3=0), **settings)  # RED-2.5
    chosen = []
    while table.board.phase == Phase.CHOOSE:
        (name,) = table.board.choosing
        table.choose(choice(name))
        chosen.append(name)
    assert chosen == order
    # The last has nobody to tell: the first, who tails him, has long chosen.
    assert [(one.aircraft, one.tailer) for one in table.of(IntentTold)] == [*pairwise(order)]


def test_in_a_ring_of_equals_the_first_who_chose_moves_first():
    table = Table(ring()).choose_rest()
    while table.board.phase == Phase.RAM:
        table.declare(table.active[0])
    assert table.board.order == ("j1", "s0", "j5", "s4", "j3", "s2")


# ---- Secrets


def hidden(cards, *, table=CHAIN):
    """A game in which one side has put down cards that are not open yet."""
    game = Table(table)
    game.choose(*cards)
    return game


def test_a_spectator_and_the_enemy_cannot_tell_hidden_cards_apart():
    one, two = (hidden([choice("a", cards)]) for cards in ("left", "hard_right"))
    for seat in (None, JAPANESE):
        assert one.seen(seat) == two.seen(seat)
        assert one.legal(JAPANESE) == two.legal(JAPANESE)
        (deed,) = one.seen(seat)[1]
        assert (deed.order, deed.outcome, deed.trace) == (None, None, ())
        assert not any(isinstance(event, CardsChosen) for event in deed.events)
        assert deed.summary == "The soviet side has chosen."
    assert one.seen(SOVIET) != two.seen(SOVIET)
    assert one.seen(SOVIET)[1] == one.deeds


def test_a_tailers_side_hears_the_intent_and_no_more():  # RED-2.4
    one, two = (hidden([choice("f", cards)]) for cards in ("left", "late_left"))
    assert one.seen(SOVIET) == two.seen(SOVIET)
    other = hidden([choice("f", "right")])
    assert one.seen(None) == other.seen(None)
    assert one.seen(SOVIET) != other.seen(SOVIET)
    (told,) = one.seen(SOVIET)[1][0].events
    assert (told.aircraft, told.tailer) == ("f", "e")
    assert one.seen(None)[1][0].events == ()


def test_cards_of_an_earlier_wave_stay_hidden_while_the_later_ones_choose():
    games = []
    for cards in ("left", "late_left"):
        game = hidden([choice("f", cards)])
        game.choose(choice("a"))
        game.choose(choice("e"))
        games.append(game)
    one, two = games
    for seat in (None, SOVIET):
        assert one.seen(seat) == two.seen(seat)
    assert one.legal(JAPANESE) == two.legal(JAPANESE)
    for game in games:
        game.choose(choice("d"))
        assert game.seen(None)[1] == game.deeds
        assert not game.seen(None)[3]


def test_cards_of_the_turn_before_stay_open_while_new_ones_are_hidden():
    table = Table(APART).turn()
    before = len(table.deeds)
    table.choose(choice("a", "left"))
    deeds = table.seen(JAPANESE)[1]
    assert deeds[:before] == table.deeds[:before]
    assert deeds[before].order is None


def test_a_refusal_tells_a_side_only_of_its_own_cards():
    messages = set()
    for cards in ("left", "hard_right"):
        table = hidden([choice("a", cards)])
        with pytest.raises(Illegal) as refused:
            table.choose(choice("f", "straight", AltitudeCard.CLIMB_3))
        messages.add((refused.value.message, str(refused.value.facts)))
    assert len(messages) == 1


def test_it_makes_no_difference_which_side_has_chosen_first():
    cards = {"a": choice("a", "right"), "f": choice("f", "left")}
    boards = []
    for order in ("af", "fa"):
        table = Table(CHAIN)
        for name in order:
            assert len(table.active) == 2 - order.index(name)
            table.choose(cards[name])
        table.choose(choice("e"))
        table.choose(choice("d"))
        table.fly_all().hold_all()
        cards_now = tuple(sorted(table.board.cards, key=lambda card: card.aircraft))
        boards.append(replace(table.board, cards=cards_now))
    assert boards[0] == boards[1]
