"""Readings that reach beyond one ruling: from the flight to the shot, the pilot and the types."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from guncamera.rules.dealt import DealtDice
from guncamera.rules.hexes import HexDirection
from guncamera.rules.refusal import Illegal
from guncamera.rules.ruleset import Verb
from guncamera.rules.trace import ModifierLine, SumLine, Trace
from guncamera.rulesets.kettering import RULESET
from guncamera.rulesets.kettering.facts import (
    Aircraft,
    Condition,
    Critical,
    Deployment,
    Flight,
    MoveFacts,
    Plot,
)
from guncamera.rulesets.kettering.move import deployment_speeds, rule_on_move
from guncamera.rulesets.kettering.orders import (
    Deploy,
    FireOrder,
    Launch,
    MoveOrder,
    Proceed,
    Setup,
)
from guncamera.rulesets.kettering.performance import assess
from guncamera.rulesets.kettering.pilot_aim import Aim, aims
from kettering_flying import BOOK
from kettering_variants import files_of, variant_of

DIVED = Plot(5, -200, 0, "F F F F F")  # three bonus hexes, none of them flown
NO_DICE = DealtDice(())


def shot_after_a_dive(compared: str) -> tuple[Any, ...]:
    """The trace of a head-on shot after `DIVED`, at a torpedo of speed 4 a hex ahead."""
    book = BOOK.with_settings({"compared_bonus": compared})
    board = RULESET.open_board(Setup("fokker-d7", 1), book)
    steps = (
        (Verb.MOVE, MoveOrder(Deploy("A-21", HexDirection.NORTHWEST, 1000, 4)), ()),
        (Verb.MOVE, MoveOrder(Launch()), (1, 1, 2)),
        (Verb.MOVE, MoveOrder(Proceed()), ()),
        (Verb.MOVE, MoveOrder(DIVED), ()),
        (Verb.FIRE, FireOrder(), (1, 1)),
    )
    for verb, order, faces in steps:
        if order == MoveOrder(Proceed()):
            torpedo = replace(board.torpedo, hex="K-21", altitude_metres=800)
            board = replace(board, torpedo=torpedo)
        facts = RULESET.survey(board, "pilot", verb, order, book)
        ruling = RULESET.procedure(verb).rule(facts, book, DealtDice(faces))
        board = RULESET.apply(board, verb, order, ruling, book).board
    return ruling.trace


@pytest.mark.parametrize(("compared", "bonus"), [("flown", []), ("given", [3])])
def test_the_shot_after_a_dive_counts_what_the_setting_says(compared, bonus):
    trace = shot_after_a_dive(compared)
    added = [line.amount for line in trace if getattr(line, "name", "") == "dive_bonus"]
    assert added == bonus
    (speed,) = (
        line.total
        for line in trace
        if isinstance(line, SumLine) and line.name == "compared_speed_mp"
    )
    assert speed == 5 + 4 + sum(bonus)
    penalties = [line for line in trace if isinstance(line, ModifierLine)]
    assert [line.amount for line in penalties if line.rule_id == "KET-7.4"] == [-3 if bonus else -2]


def test_the_pilot_reckons_with_bonus_hexes_that_he_leaves_unflown():
    craft = Aircraft("fokker-d7", "", HexDirection.EAST, 1500, 6)

    def shots(compared: str) -> dict[tuple[object, ...], Aim]:
        book = BOOK.with_settings({"compared_bonus": compared})
        # A torpedo six hexes ahead heads east as well, 300 metres below: five bonus hexes.
        found = aims(craft, 6, 0, HexDirection.EAST.facing, -300, 4, book)
        return {(one.speed_mp, one.end): one for one in found}

    flown, given = shots("flown"), shots("given")
    assert given
    assert given.keys() <= flown.keys()
    assert all(one.chance < flown[key].chance for key, one in given.items())


def book_with(**figures: int):
    """The book of a variant whose Albatros D.III has other figures."""
    (albatros,) = (one for one in files_of(RULESET)["aircraft"] if one["type"] == "albatros-d3")
    return variant_of({"aircraft": [{**albatros, **figures}]}).book


def test_a_type_of_a_higher_lowest_speed_flies_no_slower():
    book = book_with(min_speed_mp=6)
    able = assess(book.aircraft["albatros-d3"], None, book, Trace())
    assert list(deployment_speeds(able)) == [6, 7, 8, 9]
    craft = Aircraft("albatros-d3", "T-25", HexDirection.EAST, 1000, 6)
    slow = Plot(5, 0, 0, "F F F F F")
    flown = rule_on_move(MoveFacts(Flight(craft, slow)), BOOK, NO_DICE).outcome.procedure
    assert flown.speed_mp == 5
    with pytest.raises(Illegal) as refused:
        rule_on_move(MoveFacts(Flight(craft, slow)), book, NO_DICE)
    assert refused.value.rule_id == "KET-5.1"
    with pytest.raises(Illegal) as refused:
        rule_on_move(MoveFacts(Deployment(replace(craft, hex="A-21", speed_mp=5))), book, NO_DICE)
    assert refused.value.field == "deployment.aircraft.speed_mp"


def test_it_stalls_where_damage_holds_it_below_that():
    struts = Condition(criticals=(Critical.STRUTS_SHATTERED, Critical.ENGINE_DAMAGED))
    for book, stalls in ((BOOK, False), (book_with(min_speed_mp=6), True)):
        able = assess(book.aircraft["albatros-d3"], struts, book, Trace())
        assert (able.profile.max_speed_mp, able.stalls) == (5, stalls)


def test_which_lowest_speed_it_was_is_told():
    struts = Condition(criticals=(Critical.STRUTS_SHATTERED, Critical.ENGINE_DAMAGED))
    worse = replace(struts, damage_points=8)
    for figure, condition, told in (
        (6, struts, "lowest_speed_of_its_type"),
        (6, worse, "lowest_speed_of_its_type"),
        (3, worse, "lowest_speed_mp"),
        (4, worse, "lowest_speed_mp"),
    ):
        book, trace = book_with(min_speed_mp=figure), Trace()
        able = assess(book.aircraft["albatros-d3"], condition, book, trace)
        assert able.profile.min_speed_mp == max(figure, 4)
        assert [one.name for one in trace.lines if one.rule_id == "KET-5.1"] == [told]


def test_in_games_that_began_before_a_types_own_lowest_speed_counts_for_nothing():
    book = replace(book_with(min_speed_mp=6), later=frozenset({"compared_bonus"}))
    able = assess(book.aircraft["albatros-d3"], None, book, Trace())
    assert (able.profile.min_speed_mp, able.stalls) == (4, False)
