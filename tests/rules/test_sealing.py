"""What every rule set that seals orders must hold to, in each phase that random games reach."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

import duel
import pytest
from duel import DUEL
from games import play_out
from guncamera.rules.dealt import DealtDice
from guncamera.rules.refusal import Illegal, RollRequired
from guncamera.rules.ruleset import LegalOrder, Ruleset, Verb, rulesets
from paired import PAIRED
from secrecy import sealing_start

GAMES = 4
MOST = 400
ORDERS = 12
SEALING = {
    "a duel": DUEL,
    "a stand-in": PAIRED,
    **{slug: found for slug, found in rulesets().items() if sealing_start(found)},
}


def scenes(found: Ruleset) -> Iterator[tuple[Ruleset, Any]]:
    """The rule set under the settings in which it seals, and boards where it does."""
    if found.slug == DUEL.slug:
        yield found, found.open_board(duel.Setup(seats=3), found.book)
        return
    start = sealing_start(found)
    assert start is not None
    found = replace(found, book=found.book.with_settings(start.settings))
    for number in range(GAMES):
        played = play_out(found, "random", f"seal {number}", most=MOST, setup=start.setup)
        sealed = [board for board in played.boards if found.sealed_verb(board) is not None]
        for board in sealed[:: max(1, len(sealed) // 6)]:
            yield found, board


def orders_of(found: Ruleset, board: Any, seat: str) -> list[LegalOrder]:
    verb = found.sealed_verb(board)
    listed = islice(found.legal_orders(board, seat, found.book), 200)
    return [order for order in listed if order.verb is verb][:ORDERS]


def rule(found: Ruleset, board: Any, seat: str, verb: Verb, order: Any) -> Any:
    """Rule without dice; the board after it."""
    facts = found.survey(board, seat, verb, order, found.book)
    ruling = found.procedure(verb).rule(facts, found.book, DealtDice(()))
    return found.apply(board, verb, order, ruling, found.book).board


def check(found: Ruleset) -> int:
    """Hold a rule set to its contract; returns how many scenes there were."""
    count = 0
    for one, board in scenes(found):
        count += 1
        verb, seats = one.sealed_verb(board), one.active_seats(board)
        assert verb is not None
        assert seats, "a phase of seals waits for somebody"
        assert one.result(board) is None
        order_of_seats = one.reveal_order(board, seats, one.book)
        assert sorted(order_of_seats) == sorted(seats)
        assert order_of_seats == one.reveal_order(board, seats, one.book)
        choices = {seat: [order.order for order in orders_of(one, board, seat)] for seat in seats}
        for seat in seats:
            assert choices[seat], f"{seat} has nothing to seal"
            if one.default_order is not None:
                choices[seat].append(one.default_order(board, seat, one.book))
            for order in choices[seat]:
                rule(one, board, seat, verb, order)
        # Whatever the others choose, each order is still ruled on after theirs, without dice.
        for combination in itertools.islice(itertools.product(*choices.values()), 40):
            chosen, after = dict(zip(choices, combination)), board
            for seat in order_of_seats:
                after = rule(one, after, seat, verb, chosen[seat])
    return count


@pytest.mark.parametrize("name", SEALING)
def test_sealed_orders_are_free_of_dice_and_of_each_other(name: str) -> None:
    assert check(SEALING[name]) > 0


def test_a_rule_set_that_seals_nothing_has_no_need_to_say_so() -> None:
    found = rulesets()["kettering"]
    board = play_out(found, "random", "open", most=5).boards[-1]
    assert found.sealed_verb(board) is None
    assert found.default_order is None
    assert found.reveal_order(board, ("b", "a"), found.book) == ("b", "a")


@pytest.mark.parametrize(
    ("aim", "fault"),
    [
        (duel.ASKS_FOR_DICE, RollRequired),
        (duel.REFUSES_LATER, Illegal),
        (duel.BREAKS_LATER, ValueError),
    ],
)
def test_the_check_finds_what_breaks_the_contract(aim: int, fault: type[Exception]) -> None:
    def with_a_trap(board: Any, seat: str, book: Any) -> Iterator[LegalOrder]:
        yield from islice(DUEL.legal_orders(board, seat, book), 1)
        yield LegalOrder(Verb.MOVE, duel.Aim(aim), "A trap.")

    with pytest.raises(fault):
        check(replace(DUEL, legal_orders=with_a_trap))


def test_the_check_finds_an_order_of_the_reveal_that_loses_a_seat() -> None:
    with pytest.raises(AssertionError):
        check(replace(DUEL, reveal_order=lambda _board, seats, _book: seats[1:]))
