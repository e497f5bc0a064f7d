"""Ratings and win rates, against figures worked out in other ways."""

import math
import random

import pytest
from chance import examples
from guncamera_tournament.ratings import MIDDLE, elo, skills, wilson
from guncamera_tournament.record import GameRecord
from hypothesis import given
from hypothesis import strategies as st


def games(*made: tuple[str, str, float]) -> list[GameRecord]:
    """Bouts of two pilots, and the points of the first."""
    return [
        GameRecord(
            bout=f"b{at:04}", round=1, pairing=1, game=at, ruleset="circus", rules_version=1,
            setup="default", settings={}, dice="seeded", dice_group="", pilots=(one, other),
            points={one: points, other: 1 - points}, scores={}, winner="", reason="finished",
            losers=(), detail="", boards=(),
        )
        for at, (one, other, points) in enumerate(made)
    ]  # fmt: skip


def test_elo_is_the_likeliest_by_a_search():
    records = games(*[("a", "b", 1.0)] * 7, *[("a", "b", 0.5)] * 2, *[("a", "b", 0.0)] * 3)
    rated = elo(["a", "b"], records)

    def likelihood(apart: float) -> float:
        # The two lie to either side of the middle, by half of what they are apart.
        chance, even = (1 / (1 + 10 ** (-gap / 400)) for gap in (apart, apart / 2))
        return 8 * math.log(chance) + 4 * math.log(1 - chance) + math.log(even * (1 - even))

    best = max((step / 10 for step in range(-8000, 8001)), key=likelihood)
    assert rated["a"].value - rated["b"].value == pytest.approx(best, abs=0.1)
    assert rated["a"].value + rated["b"].value == pytest.approx(2 * MIDDLE)
    assert rated["a"].low < rated["a"].value < rated["a"].high


def test_who_has_won_everything_has_a_rating_and_the_more_games_the_higher():
    few = elo(["a", "b"], games(*[("a", "b", 1.0)] * 3))["a"]
    many = elo(["a", "b"], games(*[("a", "b", 1.0)] * 300))["a"]
    assert 1550 < few.value < many.value < 2500
    assert many.low > few.value


def test_level_games_are_1500_and_the_interval_shrinks_with_the_root_of_their_number():
    narrow, wide = (
        elo(["a", "b"], games(*[("a", "b", 0.5)] * count))["a"] for count in (1600, 400)
    )
    assert narrow.value == wide.value == pytest.approx(MIDDLE)
    assert (wide.high - MIDDLE) / (narrow.high - MIDDLE) == pytest.approx(2, rel=0.01)


@examples(25)
@given(
    st.lists(
        st.tuples(st.sampled_from("abc"), st.sampled_from("def"), st.sampled_from([0, 0.5, 1.0])),
        min_size=1, max_size=30,
    ),
    st.randoms(use_true_random=False),
)  # fmt: skip
def test_ratings_do_not_depend_on_the_order_in_which_games_come(made, chance: random.Random):
    records = games(*made)
    shuffled = list(records)
    chance.shuffle(shuffled)
    names = list("abcdef")
    assert skills(names, records) == skills(names, shuffled)
    before, after = elo(names, records), elo(names, shuffled)
    for name in names:
        assert after[name].value == pytest.approx(before[name].value, abs=1e-6)
    mean = sum(rating.value for rating in before.values()) / len(names)
    assert mean == pytest.approx(MIDDLE)


def test_skill_rises_with_wins_and_is_surer_with_games():
    rated = skills(["a", "b", "c"], games(*[("a", "b", 1.0)] * 10))
    assert rated["a"].mu > rated["c"].mu > rated["b"].mu
    assert rated["a"].sigma < rated["c"].sigma
    assert rated["c"].surely == pytest.approx(0)


@pytest.mark.parametrize(
    ("points", "count", "low", "high"),
    [
        (8, 10, 0.4902, 0.9433),
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (50, 100, 0.4038, 0.5962),
    ],
)
def test_wilson_as_tables_have_it(points, count, low, high):
    assert wilson(points, count) == (pytest.approx(low, abs=1e-4), pytest.approx(high, abs=1e-4))
    assert wilson(0, 0) == (0.0, 1.0)
