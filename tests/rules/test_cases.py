"""Every case through the core; after each: equal replay, a sound trace, odds summing to one."""

import pytest
from guncamera.conformance.checks import faults_of, odds_faults
from guncamera.conformance.targets import CoreTarget, read_case
from guncamera.rules.dealt import DealtDice
from guncamera.rules.plain import from_plain, to_plain
from guncamera.rules.trace import audit
from shipped import shipped_cases

CASES = shipped_cases()
CORE = CoreTarget()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_case(case):
    answer = CORE.resolve(case)
    assert faults_of(case, answer) == []
    if case.odds:
        assert odds_faults(case, CORE.odds(case)) == []
    if case.expect is None:
        return
    found, procedure, facts = read_case(case)
    book = found.book.with_settings(case.settings)
    again = procedure.rule(facts, book, DealtDice(case.faces))
    assert answer.outcome == to_plain(again.outcome), "the same faces rule alike"
    assert audit(again.trace, book.tables) == [], "the trace adds up"
    assert from_plain(procedure.outcome, to_plain(again.outcome)) == again.outcome
    assert from_plain(procedure.facts, to_plain(facts)) == facts
    assert again.summary.endswith("."), "one sentence"


def test_there_are_cases():
    assert len(CASES) > 50
