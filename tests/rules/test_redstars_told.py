"""Readings that a ruling names where they decide it, and games of before, which do without."""

from __future__ import annotations

from dataclasses import replace

import pytest
from guncamera.rules.dealt import DealtDice
from guncamera.rules.trace import FindingLine, SettingLine
from guncamera.rulesets.redstars import facts as f
from guncamera.rulesets.redstars.aim import aim_of
from guncamera.rulesets.redstars.aircraft import AltitudeCard, Condition, Maneuver, Position
from guncamera.rulesets.redstars.fire import rule_on_fire
from guncamera.rulesets.redstars.move import rule_on_move
from redstars_shots import BOOK, craft, firing

LATER = frozenset({"glide_test"})
FLOWN = {"traded_highest": "flown"}
BARRED = Condition(top_speed_barred=True)


def cards(altitude, maneuver=Maneuver.STRAIGHT, card=None):
    flier = replace(craft("A1", "i153", altitude), speed=4)
    choice = f.Choice("A1", maneuver, card)
    return rule_on_move, f.MoveFacts(f.Choosing(flier, choice))


def traded(altitude, trades, card=None, condition=None):
    flier = craft("A1", "i153", altitude, 2, condition=condition)
    choice = f.Choice("A1", Maneuver.STRAIGHT, card)
    return rule_on_move, f.MoveFacts(f.Moving(flier, choice, altitude_trades=trades))


def shot(*weapons, **more):
    return rule_on_fire, f.FireFacts(firing(craft("A1", "i16t17", **more), weapons=weapons))


HELD = {"above_ceiling": "held"}
NAMED = {
    "a weapon left out": (shot(1), {}, [("RED-6.16", "forward_fire", "together")]),
    "a weapon left out, apart": (
        shot(0),
        {"forward_fire": "apart"},
        [("RED-6.16", "forward_fire", "apart")],
    ),
    "all weapons": (shot(0, 1), {}, []),
    "all that have a box": (shot(1, boxes=(0, 5)), {}, []),
    "all that have a gun": (shot(1, condition=Condition(lost_dice=(0, 0))), {}, []),
    "a climb chosen above the ceiling": (
        cards(11, card=AltitudeCard.CLIMB_2),
        HELD,
        [("RED-4.1", "above_ceiling", "held")],
    ),
    "a climb to the ceiling": (cards(10, card=AltitudeCard.CLIMB_2), HELD, []),
    "an immelmann chosen above it": (
        cards(11, Maneuver.IMMELMANN),
        HELD,
        [("RED-4.1", "altitude_ceiling", "12"), ("RED-4.1", "above_ceiling", "held")],
    ),
    "an immelmann near it": (
        cards(5, Maneuver.IMMELMANN),
        {},
        [("RED-4.1", "altitude_ceiling", "12")],
    ),
    "an immelmann far below it": (cards(4, Maneuver.IMMELMANN), {}, []),
    "tweaks near it": (
        traded(5, 1, AltitudeCard.CLIMB_1),
        {},
        [("RED-4.1", "altitude_ceiling", "12")],
    ),
    "tweaks after a climb near it": (traded(6, 1, AltitudeCard.CLIMB_1), {}, []),
    "a dive made by tweaks": (
        traded(6, -1, condition=BARRED),
        FLOWN,
        [("RED-7.2", "top_speed_dives", "unchanged")],
    ),
    "a dive made by tweaks of who is whole": (traded(6, -1), FLOWN, []),
    "a dive made by tweaks under the cards' speed": (traded(6, -1, condition=BARRED), {}, []),
}


@pytest.mark.parametrize(("ruled", "settings", "named"), NAMED.values(), ids=list(NAMED))
def test_what_decides_is_named_once_and_games_of_before_keep_their_traces(ruled, settings, named):
    (rule, facts), book = ruled, BOOK.with_settings(settings)
    now, before = (rule(facts, b, DealtDice((1,))) for b in (book, replace(book, later=LATER)))
    assert now.outcome == before.outcome
    lines = [SettingLine(*line) for line in named]
    assert [line for line in now.trace if line not in before.trace] == lines
    assert len(now.trace) == len(before.trace) + len(lines)


# ---- Arcs

BEAM = {"crossing": "beam"}
AHEAD, AT_35 = (0, 6000), (3500, 5000)
"""Where a target lies in mils: dead ahead, 35 degrees off the nose."""


def aimed(there, heading, weapon=0, kind="a5m2", **settings):
    """A shot from the origin, with the aim that the positions give."""
    book = BOOK.with_settings(settings)
    shooter = replace(craft("A1", kind), position=Position(0, 0, 0, 6))
    target = replace(craft(), position=Position(*there, heading, 6))
    mounting = book.aircraft[kind].weapons[weapon].mounting
    aim = aim_of(shooter.position, target.position, mounting, book)
    return book, f.Firing(shooter, target, (weapon,), aim)


ARCS = {
    "from dead behind": (aimed(AHEAD, 0), set()),
    "from dead ahead": (aimed(AHEAD, 180), set()),
    "from 25 off its tail, in no narrower arc": (aimed(AHEAD, 25), set()),
    "from 40 off its tail, under a wider arc": (
        aimed(AHEAD, 40, rear_half_arc=45),
        {"rear_half_arc"},
    ),
    "from 40 off its tail": (aimed(AHEAD, 40), {"rear_half_arc", "crossing"}),
    "from 40 off its tail, abeam alone crossing": (
        aimed(AHEAD, 40, **BEAM),
        {"rear_half_arc", "crossing"},
    ),
    "from 70 off its tail, abeam": (aimed(AHEAD, 70, **BEAM), {"crossing", "beam_degrees"}),
    "from 50 off its tail, not abeam": (aimed(AHEAD, 50, **BEAM), {"crossing", "beam_degrees"}),
    "from 40 off its nose": (aimed(AHEAD, 220), {"gun_half_arc", "crossing"}),
    "35 off the nose": (aimed(AT_35, 35, gun_half_arc=45), {"gun_half_arc"}),
    "a gunner's, 50 off the tail": (
        aimed((3800, -3200), 130, 1, "ki30"),
        {"flexible_half_arc", "flexible_arc_rule"},
    ),
    "a gunner's, 20 off the tail": (
        aimed((1000, -5000), 170, 1, "ki30"),
        {"flexible_arc_rule"},
    ),
}


@pytest.mark.parametrize(("shot_of", "named"), ARCS.values(), ids=list(ARCS))
def test_a_shot_names_the_arcs_that_its_aim_turns_on(shot_of, named):
    """Those that the table of shots has named before, such as `crossing` of one, only once."""
    book, wanted = shot_of
    assert wanted.aim.in_arc
    ruling = rule_on_fire(f.FireFacts(wanted), book, DealtDice((1, 2)))
    names = [line.name for line in ruling.trace if isinstance(line, SettingLine)]
    of_arcs = [name for name in names if "arc" in name or name in ("crossing", "beam_degrees")]
    assert sorted(of_arcs) == sorted(named | ({"crossing"} if wanted.aim.crossing else set()))
    before = rule_on_fire(f.FireFacts(wanted), replace(book, later=LATER), DealtDice((1, 2)))
    assert before.outcome == ruling.outcome
    assert [line for line in ruling.trace if line in before.trace] == list(before.trace)
    named_before = {line.name for line in before.trace if isinstance(line, SettingLine)}
    assert not {name for name in named_before if name.endswith("half_arc")}


def test_an_aim_measured_elsewhere_turns_on_no_setting_of_arcs():
    """Facts may bring an aim that their positions do not give."""
    _, wanted = aimed(AHEAD, 40)
    other = replace(wanted, aim=replace(wanted.aim, crossing=False))
    ruling = rule_on_fire(f.FireFacts(other), BOOK, DealtDice((1,)))
    assert not [line for line in ruling.trace if isinstance(line, SettingLine)]


@pytest.mark.parametrize(
    ("there", "heading", "arc", "named"),
    [(AHEAD, 180, 30, False), (AT_35, 215, 45, True), (AHEAD, 140, 45, True)],
)
def test_a_ram_names_the_arc_without_which_it_would_not_be_head_on(there, heading, arc, named):
    book, wanted = aimed(there, heading, gun_half_arc=arc)
    facts = f.MoveFacts(f.Declaring(wanted.shooter, wanted.target))
    for of, count in ((book, named), (replace(book, later=LATER), False)):
        lines = rule_on_move(facts, of, DealtDice(())).trace
        names = [line.name for line in lines if isinstance(line, SettingLine)]
        assert names.count("gun_half_arc") == count


# ---- Engines


def test_a_climb_that_harms_one_of_two_engines_says_which():  # RED-4.6, RED-7.2
    twin = replace(BOOK.aircraft["i16t5"], type="twin", engines=(3, 2))
    flier = replace(craft("A1", "twin", condition=Condition(engine_marks=(1, 0))), speed=5)
    climbs = f.Choice("A1", Maneuver.STRAIGHT, AltitudeCard.CLIMB_3)
    facts = f.MoveFacts(f.Moving(flier, climbs), (twin,))
    now, before = (
        rule_on_move(facts, book, DealtDice((2, 3))) for book in (BOOK, replace(BOOK, later=LATER))
    )
    assert now.outcome == before.outcome
    assert [line for line in now.trace if line not in before.trace] == [
        SettingLine("RED-7.2", "engine_marked", "even"),
        FindingLine("RED-7.2", "engine", "2", ""),
    ]
