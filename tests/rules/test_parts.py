"""Rules in parts: their odds are those of the whole rule, and there is room for more dice."""

from fractions import Fraction
from unittest.mock import patch

import pytest
from guncamera.conformance.targets import read_case
from guncamera.rules.dealt import DealtDice
from guncamera.rules.hexes import HexDirection
from guncamera.rules.odds import odds_of
from guncamera.rules.trace import Trace
from guncamera.rulesets.circus.aircraft import Aircraft, Condition
from guncamera.rulesets.circus.book import load_book
from guncamera.rulesets.circus.damage import rule_on_damage
from guncamera.rulesets.circus.facts import (
    DamageFacts,
    Flight,
    Flying,
    MoveFacts,
    Plot,
    StressTest,
)
from guncamera.rulesets.circus.move import rule_on_move
from shipped import shipped_cases

BOOK = load_book()


def in_parts():
    """The cases whose rule is written in parts, as far as a case's own dice show."""
    with patch.object(Trace, "part", autospec=True, side_effect=Trace.part) as part:
        for case in shipped_cases():
            if case.expect is None:
                continue
            part.reset_mock()
            found, procedure, facts = read_case(case)
            book = found.book.with_settings(case.settings)
            procedure.rule(facts, book, DealtDice(case.faces))
            if part.called:
                yield case


IN_PARTS = list(in_parts())


class Undivided:
    """The dice of the odds, of which a rule does not know that it could ask them for a part."""

    def __init__(self, dice):
        self.roll = dice.roll


@pytest.mark.parametrize("case", IN_PARTS, ids=lambda case: case.id)
def test_the_odds_of_parts_are_those_of_the_whole_rule(case):
    found, procedure, facts = read_case(case)
    book = found.book.with_settings(case.settings)
    rule = lambda dice: procedure.rule(facts, book, dice).outcome  # noqa: E731
    parts, whole = odds_of(rule), odds_of(lambda dice: rule(Undivided(dice)))
    assert parts.outcomes == whole.outcomes
    assert parts.runs <= whole.runs


# ---- Circus: stress checks in one move


def flight(id_, aeroplane, speed, ke, codes, condition=None):
    aircraft = Aircraft(
        id_, aeroplane, "2014", HexDirection.EAST, 6000, speed, ke, condition=condition
    )
    return Flight(aircraft, Plot(id_, speed, codes))


def odds(*flights):
    facts = MoveFacts(Flying(flights))
    found = odds_of(lambda dice: rule_on_move(facts, BOOK, dice).outcome)
    assert sum(found.outcomes.values()) == 1
    return found.by(lambda outcome: tuple(one.effects for one in outcome.procedure.flights))


def holds(aeroplane):
    """The chance that one stress test does no harm, found by its own ruling."""
    facts = DamageFacts(StressTest("a", aeroplane))
    found = odds_of(lambda dice: rule_on_damage(facts, BOOK, dice).outcome)
    return found.of(lambda outcome: not outcome.procedure.effects)


def test_four_stress_checks_in_one_move():
    found = odds(flight("a", "hanriot_hd1", 9, 3, "R R 1 L L 1 R R 1 L L 1"))
    assert found.outcomes[((),)] == holds("hanriot_hd1") ** 4
    assert found.runs <= 700, "as many as there are outcomes"


def test_two_stress_checks_of_two_aircraft_at_once():
    found = odds(*(flight(id_, "fokker_d_vii", 10, 2, "PH RR") for id_ in "ab"))
    one = odds(flight("a", "fokker_d_vii", 10, 2, "PH RR"))
    assert found.by(lambda both: both[:1]).outcomes == one.outcomes
    assert found.runs == one.runs**2
    assert found.outcomes[(), ()] == holds("fokker_d_vii") ** 4


def test_marks_of_gunfire_are_tested_before_the_check():
    marked = Condition(structure_marks=2)
    found = odds(flight("a", "fokker_d_vii", 10, 0, "R 1 L 5", marked))
    spent = found.of(lambda one: [e.harm for e in one[0]].count("structure_mark_spent") == 2)
    assert 1 > spent > Fraction(5, 6) ** 2, "the others break up at the first"
