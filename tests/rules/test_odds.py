"""Exact odds against brute force, against dyce, and where they must refuse."""

from fractions import Fraction
from itertools import product

import pytest
from dyce import H
from guncamera.rules.dealt import DealtDice
from guncamera.rules.dice import Ask, AtLeast, KeepLowest, Total
from guncamera.rules.odds import odds_of, odds_of_steps, play_steps, ways
from guncamera.rules.refusal import TooLarge
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


def burst(state, dice):
    left, hits = state
    return left - 1, hits + dice.roll(ask((6, 6), AtLeast(8))).value


def test_steps_merge_equal_states_and_agree_with_the_unmerged_chain():
    def whole(dice):
        return play_steps((3, 0), burst, lambda s: s[0] == 0, dice)

    merged = odds_of_steps((3, 0), burst, lambda s: s[0] == 0)
    assert merged.outcomes == odds_of(whole).outcomes
    assert merged.runs == 2 + 4 + 6
    assert merged.runs < odds_of_steps((12, 0), burst, lambda s: s[0] == 0).runs == 2 * 78


def test_the_same_steps_play_a_game_from_dealt_faces():
    dice = DealtDice([6, 6, 1, 1, 4, 4])
    assert play_steps((3, 0), burst, lambda s: s[0] == 0, dice) == (0, 2)


def test_odds_that_would_take_too_long_are_refused_and_never_cut_off():
    def flood(dice):
        return tuple(dice.roll(ask((6,), Total())).value for _ in range(8))

    with pytest.raises(TooLarge) as refused:
        odds_of(flood, limit=1000)
    assert refused.value.facts["runs_allowed"] == 1000
    with pytest.raises(TooLarge):
        odds_of_steps((30, 0), burst, lambda s: s[0] == 0, limit=100)
