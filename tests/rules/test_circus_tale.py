"""A fight is told turn by turn: who saw whom, who flew where, who fired and what came of it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from circus_table import BOOK
from guncamera.rules.dice import Roll
from guncamera.rules.hexes import HexDirection
from guncamera.rules.ruleset import Deed, Verb
from guncamera.rules.trace import RollLine
from guncamera.rulesets.circus import RULESET
from guncamera.rulesets.circus.aircraft import Manoeuvre, Mount, PathStep, Pose, Side
from guncamera.rulesets.circus.board import open_board
from guncamera.rulesets.circus.facts import Part, Plot
from guncamera.rulesets.circus.orders import (
    ChangeDrum,
    Entrant,
    FireOrder,
    Fly,
    HoldFire,
    MoveOrder,
    Opportunity,
    Phase,
    Search,
    Setup,
    Shoot,
    SpotOrder,
    TurnOrder,
)
from guncamera.rulesets.circus.outcomes import (
    Critical,
    DamageOutcome,
    DrumChanged,
    Effect,
    End,
    EndedAircraft,
    Fired,
    FireOutcome,
    Flown,
    FlownFlight,
    Harm,
    Held,
    MoveOutcome,
    SeenBy,
    Sighting,
    Sightings,
    SpotOutcome,
    TurnEnded,
)
from guncamera.rulesets.circus.tale import tell
from guncamera.rulesets.circus.view import view_for
from guncamera.sessions.entropy import SeededDice, commitment_of, seed_from

EAST, WEST = HexDirection.EAST, HexDirection.WEST
START = view_for(
    open_board(
        Setup(
            aircraft=(
                Entrant("Red", Side.FIRST, "fokker_d_vii", "1513", EAST, 6000),
                Entrant("Blue", Side.SECOND, "sopwith_camel", "1913", EAST, 5800),
            )
        ),
        BOOK,
    ),
    None,
    BOOK,
)


def deed(verb, order, outcome, *rolls):
    return Deed("first", verb, order, outcome, (), (), "A summary.", rolls)


def told(given, before=START, after=None, book=BOOK):
    return [line.strip() for line in tell(given, before, after or before, book)]


def moved(view, id_, **changes):
    """The view with one aircraft changed."""
    craft = tuple(
        replace(one, aircraft=replace(one.aircraft, **changes)) if one.aircraft.id == id_ else one
        for one in view.craft
    )
    return replace(view, craft=craft)


def test_it_begins_with_where_everybody_is():
    assert told(None) == [
        "",
        "Turn 1 of 30, simultaneous turns",
        "Blue, Sopwith Camel: hex 1913 facing east; 5,800 ft, speed 9; resolution 10; "
        "front guns 10",
        "Red, Fokker D.VII (Mercedes): hex 1513 facing east; 6,000 ft, speed 10; resolution 10; "
        "front guns 10",
    ]


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        (SeenBy.ROLL, "Look   Red sees Blue."),
        (SeenBy.MISSED, "Look   Red looks for Blue in vain."),
        (SeenBy.BLIND_SPOT, "Look   Blue is in the blind spot of Red."),
        (SeenBy.NO_LINE_OF_SIGHT, "Look   A cloud hides Blue from Red."),
        (SeenBy.FIRING_AT_SPOTTER, "Look   Red sees Blue, who has fired at it."),
        (SeenBy.FORMATION, "Look   Red sees Blue, who flies with one it sees."),
    ],
)
def test_who_saw_whom_and_why(by, expected):
    looks = SpotOutcome(Sightings((Sighting("Red", "Blue", spotted=True, by=by),)))
    assert told(deed(Verb.SPOT, SpotOrder(Search()), looks)) == [expected]


def flight(**changes):
    path = (
        PathStep(0, "1513", EAST, 6000, Pose.LEVEL),
        PathStep(3, "1713", HexDirection.SOUTHEAST, 5850, Pose.SHALLOW_DIVE),
    )
    given = {"aircraft": "Red", "path": path, "hang_mp": 0, "speed_mp": 9, "ke_spent": 0,
             "ke_change": 0, "dive": Pose.SHALLOW_DIVE, "straight_and_level": False}  # fmt: skip
    return MoveOutcome(Flown((FlownFlight(**{**given, **changes}),)))


def test_who_flew_how_from_where_to_where():
    before = replace(START, phase=Phase.FLY, plots=(Plot("Red", 9, "2 R v"),))
    there = {"hex": "1713", "facing": HexDirection.SOUTHEAST, "altitude_feet": 5850}
    after = replace(moved(START, "Red", **there), phase=Phase.FIRE)
    assert told(deed(Verb.MOVE, MoveOrder(Fly()), flight()), before, after) == [
        "Move   Red flies from 1513 to 1713, turns from east to southeast, drops 150 to 5,850 ft, "
        "at speed 9 (2 R v).",
        "Blue and Red are 2 hexes apart, Blue 50 ft lower.",
    ]


def flies(before, after, book=BOOK, **changes):
    return told(deed(Verb.MOVE, MoveOrder(Fly()), flight(**changes)), before, after, book)


@pytest.mark.parametrize(
    ("facing", "where", "expected"),
    [
        (EAST, "1713", "Red is on the tail of Blue, 2 hexes behind, 200 ft higher."),
        (WEST, "2113", "Blue and Red come head on, 2 hexes apart, Blue 200 ft lower."),
        (EAST, "2113", "Blue is on the tail of Red, 2 hexes behind, 200 ft lower."),
        (EAST, "1913", "Blue and Red are in one hex, Blue 200 ft lower."),
    ],
)
def test_how_two_lie_to_each_other_after_a_move(facing, where, expected):
    after = replace(moved(START, "Red", hex=where, facing=facing), phase=Phase.FIRE)
    before = replace(START, phase=Phase.FLY)
    assert flies(before, after)[-1] == expected


def test_manoeuvres_effects_and_a_stall_are_told():
    changes = {
        "dive": Pose.POWER_DIVE,
        "manoeuvres": (Manoeuvre.SIDE_SLIP, Manoeuvre.SIDE_SLIP, Manoeuvre.POWER_DIVE),
        "effects": (Effect(Harm.DAMAGE, 2),),
        "stalled": True,
        "weapons_cleared": (0,),
    }
    words = flies(START, replace(START, phase=Phase.FIRE), **changes)[0]
    assert ", in a power dive, slips aside twice, at speed 9." in words
    assert words.endswith(
        "It takes 2 damage. Its jam is cleared. It has stalled, and may not fire."
    )


def test_of_a_stall_that_bars_no_fire_none_is_told():
    book = BOOK.with_settings({"stall_fire": "allowed"})
    words = flies(START, replace(START, phase=Phase.FIRE), book, stalled=True)[0]
    assert words.endswith("It has stalled.")


def test_that_nobody_has_a_shot_is_told():
    before = replace(START, phase=Phase.FLY)
    assert flies(before, replace(START, phase=Phase.UPKEEP))[-1] == "Fire   Nobody has a shot."
    assert not flies(before, replace(START, phase=Phase.FIRE))[-1].startswith("Fire")


LAY = Opportunity("Red", "Blue", Mount.FRONT, 10, 6, 0, 9, 3, 4, -200, 4)
AIMING = replace(START, phase=Phase.FIRE, opportunities=(LAY,))
CRITICAL = Critical(Part.ENGINE, (Effect(Harm.FIRE, 1),))


def shot(fired, *rolls, long_burst=False, before=AIMING):
    order = FireOrder(Shoot("Red", "Blue", Mount.FRONT, long_burst))
    thrown = [Roll(purpose, (6,), (face,)) for purpose, face in rolls]
    return told(deed(Verb.FIRE, order, FireOutcome(fired), *thrown), before)


def test_a_shot_is_told_with_its_range_arc_dice_and_harm():
    assert shot(Fired(1, 4, 0, 10, broken=False), ("to-hit", 2)) == [
        "Fire   Red fires a burst of its front guns at Blue, 4 hexes away, 200 ft lower, in the "
        "arc for 6 of its own 10 points: range 4.",
        "Die 2 on combat table 1: a miss.",
    ]
    hit = Fired(1, 4, 2, 8, broken=False)
    assert shot(hit, ("to-hit", 6), ("critical-test", 5))[1:] == [
        "Die 6 on combat table 1: 2 hits. Second die 5: no critical hit.",
        "The resolution of Blue is 8.",
    ]
    worse = replace(hit, critical=CRITICAL, weapons_jammed=(0,))
    dice = (("to-hit", 6), ("critical-test", 2), ("engine", 5), ("jam", 1))
    first, second, _ = shot(worse, *dice, long_burst=True)
    assert first.startswith("Fire   Red fires a long burst of")
    assert second == (
        "Die 6 on combat table 1: 2 hits. Second die 2: a critical hit on the engine. "
        "Engine 5: it burns, 1 a turn. Jam die 1: the guns jam."
    )


def test_who_stands_still_is_held_by_the_other_ones_points():
    still = replace(LAY, own_mp=0, own_mp_in_arc=0)
    first = shot(
        Fired(1, 4, 0, 10, broken=False),
        ("to-hit", 2),
        before=replace(AIMING, opportunities=(still,)),
    )[0]
    assert "in the arc for 3 of the target's 9 points" in first


def test_the_end_of_a_turn_tells_what_burns_and_the_next_begins():
    outcome = DamageOutcome(TurnEnded((EndedAircraft("Blue", 0, (Effect(Harm.DAMAGE, 1),), 1),)))
    before = replace(START, phase=Phase.UPKEEP)
    lines = told(deed(Verb.DAMAGE, None, outcome), before, replace(START, turn=2))
    assert lines[:4] == [
        "End    Blue: it takes 1 damage.",
        "Blue: its pilot loses 1 of his resolution.",
        "",
        "Turn 2 of 30, simultaneous turns",
    ]
    over = replace(START, turn=2, phase=Phase.FINISHED)
    assert "" not in told(deed(Verb.DAMAGE, None, outcome), before, over)


def test_a_drum_that_is_changed_is_told_and_fire_that_is_held_is_not():
    changed = FireOutcome(DrumChanged("Red", 0, 1))
    assert told(deed(Verb.FIRE, FireOrder(ChangeDrum("Red", 0)), changed)) == ["Fire   A summary."]
    assert told(deed(Verb.FIRE, FireOrder(HoldFire()), FireOutcome(Held(Side.FIRST)))) == []


def test_who_breaks_off_and_who_is_gone_is_told():
    broken = replace(START, craft=tuple(replace(one, broken=True) for one in START.craft))
    gone = replace(START, craft=tuple(replace(one, end=End.CRASHED) for one in START.craft))
    search = deed(Verb.SPOT, SpotOrder(Search()), SpotOutcome(Sightings(())))
    assert "The pilot of Red breaks off, and makes for home." in told(search, START, broken)
    assert "Red is out of the game: crashed." in told(search, START, gone)
    assert told(search, broken, broken) == []


@pytest.mark.parametrize("turn_order", TurnOrder)
def test_a_whole_fight_is_told_and_sealed_plots_are_not(turn_order):
    setup = Setup("fokker_d_vii", turn_order=turn_order, turns=14)
    board = RULESET.open_board(setup, BOOK)
    secret, lines, nth = seed_from("tale"), [], 0
    while RULESET.result(board) is None:
        seat = RULESET.active_seats(board)[0]
        before = view_for(board, seat, BOOK)
        order = RULESET.pilots["stock"](before, seat, BOOK, nth)
        facts = RULESET.survey(board, seat, order.verb, order.order, BOOK)
        dice = SeededDice(secret, commitment_of(secret), nth + 1)
        ruling = RULESET.procedure(order.verb).rule(facts, BOOK, dice)
        sealed = RULESET.sealed_verb(board) is not None
        board = RULESET.apply(board, order.verb, order.order, ruling, BOOK).board
        rolls = tuple(
            Roll(line.purpose, line.sides, line.faces)
            for line in ruling.trace
            if isinstance(line, RollLine)
        )
        given = Deed(seat, order.verb, order.order, ruling.outcome, (), (), ruling.summary, rolls)
        found = tell(given, before, view_for(board, seat, BOOK), BOOK)
        assert not (sealed and found), "a plot under seal is told when it is flown"
        lines += found
        nth += 1
    assert all(line == line.rstrip() and "\n" not in line for line in lines)
    turns = [line for line in lines if line.startswith("Turn ")]
    assert len(turns) == board.turn - 1, "the first is told at the beginning"
    for label in ("  Look   ", "  Move   ", "  Fire   "):
        assert any(line.startswith(label) for line in lines)
    assert "?" not in "".join(lines)
