"""Exact odds against brute force, against dyce, and where they must refuse."""

from fractions import Fraction
from functools import partial
from itertools import product

import pytest
from dyce import H
from guncamera.rules.dealt import DealtDice
from guncamera.rules.dice import Ask, AtLeast, KeepLowest, Total
from guncamera.rules.odds import odds_of, ways
from guncamera.rules.refusal import TooLarge
from guncamera.rules.ruling import Ruling
from guncamera.rules.trace import Trace
from hypothesis import given
from hypothesis import strategies as st


def ask(dice, read, purpose="throw"):
    return Ask(tuple(dice), read, purpose, "TST-1")


@given(st.lists(st.sampled_from([2, 4, 6, 8]), min_size=1, max_size=4), st.integers(-3, 12))
def test_ways_equal_a_count_of_every_face(dice, number):
    counted = {True: 0, False: 0}
    for faces in product(*(range(1, sides + 1) for sides in dice)):
        counted[sum(faces) >= number] += 1
    found = dict(ways(tuple(dice), AtLeast(number)))
    assert {k: v for k, v in counted.items() if v} == found


@given(
    st.lists(st.sampled_from([2, 4, 6, 8]), min_size=2, max_size=5),
    st.booleans(),
    st.integers(0, 5),
)
def test_a_pool_that_keeps_the_lowest_equals_a_count_of_every_face(dice, drops, ones_among):
    read = KeepLowest(len(dice) - drops, ones_among)
    counted = {}
    for faces in product(*(range(1, sides + 1) for sides in dice)):
        counted[read(faces)] = counted.get(read(faces), 0) + 1
    assert counted == read.weigh(tuple(dice)) == dict(ways(tuple(dice), read))


def test_the_lowest_of_a_pool_and_its_ones():
    pool = KeepLowest(keep=2, ones_among=3)((1, 4, 2))
    assert (pool.total, pool.ones) == (3, 1)
    assert KeepLowest(2, 3)((1, 1, 1)).ones == 2  # more than two say no more than two
    assert KeepLowest(2, 2)((2, 1, 1)).ones == 1


def test_a_total_of_mixed_dice_agrees_with_dyce():
    oracle = H(6) + H(6) + H(4)
    ours = odds_of(lambda dice: dice.roll(ask((6, 6, 4), Total())).value).outcomes
    assert {t: Fraction(c, oracle.total) for t, c in oracle.items()} == dict(ours)


def attack(dice):
    """Hit on eight or more of 2d6, then 1d6 of damage, then a critical on a six."""
    if not dice.roll(ask((6, 6), AtLeast(8), "to-hit")).value:
        return 0
    damage = dice.roll(ask((6,), Total(), "damage")).value
    return damage + (3 if dice.roll(ask((6,), AtLeast(6), "critical")).value else 0)


def test_a_chain_of_asks_agrees_with_every_combination_of_faces():
    counted = {}
    for faces in product(range(1, 7), repeat=4):
        # Branches that throw fewer dice count for all the faces they did not throw.
        dice = DealtDice(faces)
        result = attack(dice)
        counted[result] = counted.get(result, 0) + 1
    odds = odds_of(attack)
    assert {k: Fraction(v, 6**4) for k, v in counted.items()} == dict(odds.outcomes)
    assert sum(odds.outcomes.values()) == 1
    assert odds.runs == 13  # one miss, and six damages by two criticals


def test_odds_by_property_and_mean():
    odds = odds_of(attack)
    assert odds.of(lambda hits: hits == 0) == Fraction(7, 12)
    assert odds.by(bool).outcomes == {False: Fraction(7, 12), True: Fraction(5, 12)}
    assert odds.mean(lambda hits: hits) == Fraction(5, 12) * (Fraction(7, 2) + Fraction(1, 2))


# ---- Parts


def burst(shots, trace, dice):
    """Hits of some shots, each on eight or more of 2d6; the shots before the last are a part."""
    if not shots:
        return 0
    before = trace.part(dice, partial(burst, shots - 1))
    return before + trace.roll(dice, ask((6, 6), AtLeast(8)))


def whole_burst(shots):
    def rule(dice):
        return sum(dice.roll(ask((6, 6), AtLeast(8))).value for _ in range(shots))

    return rule


def test_a_part_merges_equal_results_and_agrees_with_the_chain_that_has_none():
    merged = odds_of(partial(burst, 6, Trace()))
    assert merged.outcomes == odds_of(whole_burst(6)).outcomes
    assert merged.runs == 2 * 6  # nought to five hits before, and the last shot
    p = Fraction(15, 36)
    assert odds_of(partial(burst, 30, Trace())).outcomes[30] == p**30


def test_the_same_parts_play_a_game_from_dealt_faces():
    faces = [6, 6, 1, 1, 4, 4]
    trace, dice = Trace(), DealtDice(faces)
    assert burst(3, trace, dice) == 2
    assert [face for line in trace.lines for face in line.faces] == faces


def swallowed(seen, trace, dice):
    """A part that notes each time it is run."""
    seen()
    return trace.roll(dice, ask((6,), AtLeast(5)))


@pytest.mark.parametrize("before", [1, 2])
def test_a_part_of_the_same_things_is_worked_out_once_for_a_question(before):
    times = []
    part = partial(swallowed, lambda: times.append(1))

    def rule(dice):
        trace = Trace.of(dice)
        first = [dice.roll(ask((6,), Total())).value for _ in range(before)]
        return sum(first), trace.part(dice, part), trace.part(dice, part)

    odds = odds_of(rule)
    assert len(times) == 2, "one for each result"
    assert odds.by(lambda o: o[1:]).outcomes[True, True] == Fraction(1, 9)
    assert odds.runs == 6**before * 4


def tally(marks, trace, dice):
    return len(marks), trace.roll(dice, ask((6,), AtLeast(4)))


def test_a_part_of_something_that_changes_is_worked_out_anew():
    def rule(dice):
        trace, marks = Trace.of(dice), []
        first = trace.part(dice, partial(tally, marks))
        marks.append(first)
        return first, trace.part(dice, partial(tally, marks))

    assert {two[0] for _, two in odds_of(rule).outcomes} == {1}


def test_a_rule_that_remembers_its_last_run_is_found_out():
    runs = []

    def rule(dice):
        runs.append(1)
        return tuple(dice.roll(ask((6,), AtLeast(4))).value for _ in range(3 - len(runs)))

    with pytest.raises(AssertionError, match="other dice"):
        odds_of(rule)


def test_odds_read_no_lines_and_ask_for_no_story():
    def rule(dice):
        trace = Trace.of(dice)
        hit = trace.roll(dice, ask((6,), AtLeast(4)))
        trace.finding("TST-1", "hit", hit)
        told = lambda: (told_to.append(hit) or (), "A shot.")  # noqa: E731
        return Ruling.told(hit, trace, told)

    told_to = []
    assert odds_of(rule).outcomes == {
        Ruling(False, ()): Fraction(1, 2),
        Ruling(True, ()): Fraction(1, 2),
    }
    assert told_to == []
    ruling = rule(DealtDice([5]))
    assert (len(ruling.trace), ruling.summary, told_to) == (2, "A shot.", [True])


def test_odds_that_would_take_too_long_are_refused_and_never_cut_off():
    def flood(dice):
        return tuple(dice.roll(ask((6,), Total())).value for _ in range(8))

    with pytest.raises(TooLarge) as refused:
        odds_of(flood, limit=1000)
    assert refused.value.facts["runs_allowed"] == 1000
    parts = odds_of(partial(burst, 30, Trace()), limit=240)
    assert parts.runs == 60
    with pytest.raises(TooLarge, match="more than 800 runs of parts"):
        odds_of(partial(burst, 30, Trace()), limit=200)
