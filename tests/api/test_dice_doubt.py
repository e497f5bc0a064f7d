"""The doubt about dice: a fair game against fair dice, and loaded ones are found."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from math import factorial, log10, prod
from pathlib import Path

import pytest
from games import example_setup
from guncamera.api.dice_doubt import doubt
from guncamera.api.metrics import Metrics
from guncamera.rules.dice import Roll
from guncamera.rules.ruleset import Verb, rulesets
from guncamera.sessions import entropy
from guncamera.sessions.session import Action, DiceSource, Record, Seed, Session, state_of
from hypothesis import given
from hypothesis import strategies as st
from prometheus import Counts

PAGE = (Path(__file__).parents[2] / "docs/operations.md").read_text()
ALARM = 6
DICE = st.lists(st.integers(0, 60), min_size=2, max_size=12)


def exactly(counts: list[int]) -> Fraction:
    """The quotient of the module's first paragraph."""
    sides, thrown = len(counts), sum(counts)
    ways = factorial(sides - 1) * prod(map(factorial, counts))
    return Fraction(ways * sides**thrown, factorial(thrown + sides - 1))


@given(DICE)
def test_it_is_the_logarithm_of_the_quotient(counts: list[int]) -> None:
    told = exactly(counts)
    expected = log10(told.numerator) - log10(told.denominator)
    assert doubt(len(counts), counts) == pytest.approx(expected, abs=1e-9)
    assert doubt(len(counts), [n for n in counts if n]) == pytest.approx(expected, abs=1e-9)


@given(DICE)
def test_one_more_throw_of_a_fair_die_leaves_the_quotient_as_it_is_on_average(
    counts: list[int],
) -> None:
    """What the bound on false alarms rests on."""
    after = [
        exactly([n + (face == fallen) for face, n in enumerate(counts)])
        for fallen in range(len(counts))
    ]
    assert sum(after) / len(counts) == exactly(counts)


@pytest.mark.parametrize("sides", [2, 6, 8, 10])
def test_the_services_dice_never_come_near_the_alarm(sides: int) -> None:
    seed = entropy.seed_from("doubt")
    public = entropy.commitment_of(seed)
    fallen: Counter[int] = Counter()
    for revision in range(1, 1001):
        fallen.update(entropy.faces_from(seed, public, revision, "x", 0, (sides,) * 20))
        assert doubt(sides, fallen.values()) < ALARM / 2
    assert doubt(sides, fallen.values()) < -1


def throws_until_alarm(chances: list[Fraction]) -> int:
    """The throws after which faces that come as often as they should set the alarm off."""
    low, high = 0, 10**7
    while high - low > 1:
        middle = (low + high) // 2
        loud = doubt(len(chances), [float(middle * one) for one in chances]) > ALARM
        low, high = (low, middle) if loud else (middle, high)
    return high


def test_loaded_dice_are_found_as_soon_as_the_page_says() -> None:
    six = Fraction(11, 60)
    (a_tenth, never) = re.findall(r"found after some ([\d,]+) throws, .* after (\d+)\.", PAGE)[0]
    heavy = throws_until_alarm([(1 - six) / 5] * 5 + [six])
    missing = throws_until_alarm([Fraction(1, 5)] * 5 + [Fraction(0)])
    assert heavy == pytest.approx(int(a_tenth.replace(",", "")), rel=0.1)
    assert missing == pytest.approx(int(never), rel=0.1)


def test_a_remainder_of_a_byte_would_be_found() -> None:
    """The fault that is easiest to write: byte % 6, with nothing passed over."""
    often = Counter(byte % 6 for byte in range(256))
    throws = throws_until_alarm([Fraction(n, 256) for n in often.values()])
    assert 100_000 < throws < 1_000_000


def session_with(*, chosen: bool) -> Session:
    found = rulesets()["kettering"]
    setup, book = example_setup(found), found.book
    seed = entropy.seed_from("x")
    record = Record(
        "game", found, book, book.rules_version, book.digest, setup, found.seats(setup, book), 1,
        1000, (Seed(1, seed, entropy.commitment_of(seed), chosen),),
    )  # fmt: skip
    return Session(record, state_of(record, found.open_board(setup, book), 1), 0, {}, {}, 0)


def test_games_of_chosen_seeds_are_counted_apart() -> None:
    """They are played again and again: were they the service's own, the alarm would go off."""
    action = Action(
        revision=1, trace=(), rolls=(Roll("start-hex", (6,), (4,)),), rules_version=1,
        dice_source=DiceSource.SEEDED, create_micros=1, seat="pilot", verb=Verb.MOVE, order=None,
        outcome=None, events=(), summary="",
    )  # fmt: skip
    metrics = Metrics()
    for _ in range(20):
        metrics.landed(session_with(chosen=True), action)
    metrics.landed(session_with(chosen=False), action)
    metrics.landed(session_with(chosen=True), replace(action, dice_source=DiceSource.SUPPLIED))
    found = Counts.of(metrics.render()[0].decode())
    assert found.by("guncamera_dice_faces_total", "source") == {
        ("chosen",): 20, ("seeded",): 1, ("supplied",): 1,
    }  # fmt: skip
    doubts = found.by("guncamera_dice_doubt", "source", "sides")
    assert doubts["chosen", "6"] == pytest.approx(doubt(6, [20]))
    assert doubts["chosen", "6"] > ALARM
    assert doubts["seeded", "6"] == pytest.approx(0, abs=1e-9)
