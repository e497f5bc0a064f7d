"""Stock pilots: always legal, pure, what they say they are, and each better than the one below."""

from dataclasses import replace

import pytest
from games import example_setup
from guncamera.rules.dealt import DealtDice
from guncamera.rules.odds import ways
from guncamera.rules.refusal import Refusal, RollRequired
from guncamera.rules.ruleset import Verb, ruleset, rulesets
from guncamera.rulesets.carriers.board import flyer_of
from guncamera.rulesets.carriers.cards import Side as CarriersSide
from guncamera.rulesets.carriers.orders import SendStrike
from guncamera.rulesets.carriers.pilot_worth import Judge, targets_of
from guncamera.rulesets.redstars.pilot_board import board_of
from guncamera.sessions.entropy import SeededDice, commitment_of, seed_from
from guncamera_tournament.stock import chooser, stock_names, stock_pilot
from guncamera_tournament.stock.redstars.ends import Fight, ends_of, goes_on

NAMES = ("greedy", "lookahead")
ACTIONS = {"carriers": 80, "circus": 30, "kettering": 60, "redstars": 60}


def replayed_boards(slug: str, name: str, most: int):
    """A game of a pilot against itself: each view, seat, number and order, with the board."""
    found = rulesets()[slug]
    book, secret = found.book, seed_from(f"stock {slug} {name}")
    board = found.open_board(example_setup(found), book)
    given: dict[str, int] = {}
    for at in range(most):
        if found.result(board) is not None:
            return
        seat = found.active_seats(board)[0]
        view, nth = found.view_for(board, seat, book), given.get(seat, 0)
        given[seat] = nth + 1
        order = chooser(slug, name)(view, seat, book, nth)
        yield board, view, seat, nth, order
        facts = found.survey(board, seat, order.verb, order.order, book)
        dice = SeededDice(secret, commitment_of(secret), at + 1)
        ruling = found.procedure(order.verb).rule(facts, book, dice)
        board = found.apply(board, order.verb, order.order, ruling, book).board


@pytest.mark.parametrize("slug", ACTIONS)
@pytest.mark.parametrize("name", NAMES)
def test_orders_are_legal_and_the_same_whenever_the_same_is_seen(slug, name):
    # An order that is not legal is refused by the rule that rules on it.
    steps = list(replayed_boards(slug, name, ACTIONS[slug]))
    assert len(steps) > 15
    for _, view, seat, nth, order in steps[:: max(len(steps) // 12, 1)]:
        assert chooser(slug, name)(view, seat, ruleset(slug).book, nth) == order


def test_stock_pilots_are_listed_and_others_refused():
    assert stock_names() == ("greedy", "house", "lookahead", "random")
    assert {stock_pilot(name).__module__.rpartition(".")[2] for name in stock_names()} == {
        "greedy", "house", "lookahead", "random",
    }  # fmt: skip
    with pytest.raises(LookupError, match="no stock pilot 'ace'; there are greedy"):
        stock_pilot("ace")
    with pytest.raises(LookupError, match="no greedy pilot for peregrine; take stock:random"):
        chooser("peregrine", "greedy")


def chance_after(found, board, seat, order) -> float:
    """The chance to destroy the torpedo by a shot, after an order to fly; 0 where there is none."""
    book = found.book
    facts = found.survey(board, seat, order.verb, order.order, book)
    try:
        ruling = found.procedure(order.verb).rule(facts, book, DealtDice(()))
    except RollRequired:
        return 0.0
    after = found.apply(board, order.verb, order.order, ruling, book).board
    shot = next(
        (one for one in found.legal_orders(after, seat, book) if one.verb == Verb.FIRE), None
    )
    if shot is None:
        return 0.0
    try:
        facts = found.survey(after, seat, Verb.FIRE, shot.order, book)
        found.procedure(Verb.FIRE).rule(facts, book, DealtDice(()))
    except RollRequired as wanted:
        odds = dict(ways(wanted.ask.dice, wanted.ask.read))
        return odds.get("destroyed", 0) / sum(odds.values())
    raise AssertionError("a shot was ruled on without dice")


def test_kettering_greedy_flies_to_the_shot_with_the_best_odds_of_all_legal_flights():
    found, seen = ruleset("kettering"), 0
    for board, _, seat, _, order in replayed_boards("kettering", "greedy", 150):
        if order.verb != Verb.MOVE or board.phase != "aircraft":
            continue
        listed = found.legal_orders(board, seat, found.book)
        shots = []
        for one in listed:  # those that end in a shot come first
            chance = chance_after(found, board, seat, one)
            if not chance:
                break
            shots.append(chance)
        if shots:
            seen += 1
            assert chance_after(found, board, seat, order) == max(shots)
    assert seen > 3


def promises(found, board, view, side, orders) -> list[float]:
    """The points that strikes promise; orders that send none, and those not allowed, left out."""
    navy = board.navy(side)
    judge = Judge.of(view, side, navy.flown, found.book)
    fleet = next(one for one in view.fleets if one.side != side)
    places = {target.place: target for target in targets_of(fleet, found.book)}
    worths = []
    for one in orders:
        sent = one.order.procedure if one.verb == Verb.FIRE else None
        if isinstance(sent, SendStrike):
            card = next(card for card in navy.cards if card.id == sent.card)
            worths.append(judge.worth(flyer_of(navy, card), sent.weapon, places[sent.target]))
    return [worth for worth in worths if worth is not None]


def test_carriers_greedy_sends_the_strike_that_promises_most():
    found, seen = ruleset("carriers"), 0
    for board, view, seat, _, order in replayed_boards("carriers", "greedy", 120):
        side = CarriersSide(seat)
        for worth in promises(found, board, view, side, [order]):
            legal = found.legal_orders(board, seat, found.book)
            assert worth == max(promises(found, board, view, side, legal))
            seen += 1
    assert seen > 5


def astern(inches: int):
    """A view of `redstars` before cards are chosen: the first of two, so far behind the other."""
    for _, view, _, _, _ in replayed_boards("redstars", "greedy", 5):
        if view.phase == "choose":
            one, other = view.craft
            ahead = replace(other.aircraft.position, heading_degrees=0)
            behind = replace(ahead, y_mils=ahead.y_mils - 1000 * inches)
            craft = tuple(
                replace(each, aircraft=replace(each.aircraft, position=at))
                for each, at in ((one, behind), (other, ahead))
            )
            return replace(view, craft=craft, choosing=(one.aircraft.id, other.aircraft.id))
    raise AssertionError("nobody chose cards")


def test_redstars_greedy_gains_most_of_all_safe_ends():
    view, book = astern(12), ruleset("redstars").book
    one, other = view.craft
    order = chooser("redstars", "greedy")(view, one.side.value, book, 0)
    (choice,) = order.order.procedure.choices
    fight, there = Fight(board_of(view), book), goes_on(other, book)
    gains = {
        end.choice: fight.gain(one, end.position, other, there)
        for end in ends_of(one, fight.board, book)
    }
    assert gains[choice] == max(gains.values()) > 0.2
    assert len(set(gains.values())) > 2


def test_an_illegal_order_would_be_seen():
    # What the first test rests on: rules refuse what is not legal.
    found = ruleset("kettering")
    for board, _, seat, _, order in replayed_boards("kettering", "greedy", 40):
        if board.phase == "aircraft":
            flown = order.order.procedure
            wrong = replace(order.order, procedure=replace(flown, speed_mp=flown.speed_mp + 20))
            facts = found.survey(board, seat, Verb.MOVE, wrong, found.book)
            with pytest.raises(Refusal):
                found.procedure(Verb.MOVE).rule(facts, found.book, DealtDice(()))
            return
    pytest.fail("no flight was ordered")
