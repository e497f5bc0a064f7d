"""Luck against odds that are counted face by face."""

from itertools import product

import pytest
from guncamera.rules import ruleset as registry
from guncamera.rules.dealt import DealtDice
from guncamera.rules.refusal import RollRequired
from guncamera_tournament.event import Setup
from guncamera_tournament.luck import luck_of
from guncamera_tournament.rules_at_hand import replayed
from guncamera_tournament.stock import figure_of


@pytest.fixture
def played(play, event_of):
    """A short event: its folder, records and names."""

    def played(ruleset: str, *specs: str, **more):
        event = event_of(ruleset, *specs, **more)
        records = play(event)
        return records, play.folder, event.names

    return played


def counted(ruled) -> float:
    """The chance that a shot at the torpedo destroys it: of 36 throws, the share of those."""
    rule = registry.ruleset("kettering").procedure(ruled.verb).rule
    explodes = 0
    for faces in product(range(1, 7), repeat=2):
        try:
            explodes += rule(ruled.facts, ruled.book, DealtDice(faces)).outcome.torpedo_destroyed
        except RollRequired:
            explodes += 1
    return explodes / 36


def test_expected_and_rolled_are_those_of_every_shot(played):
    records, folder, names = played(
        "kettering", "stock:greedy", "stock:random", setups=(Setup(json='{"torpedoes": 2}'),)
    )
    found = {one.pilot: one for one in luck_of(folder, names, records).pilots}
    for pilot, board in zip(records[0].pilots, records[0].boards):
        actions = list(replayed((folder / board.film).read_bytes()))
        shots = [one for one in actions if one.verb == "fire"]
        chances = [counted(one) for one in shots]
        one = found[pilot]
        assert one.rulings == len(shots)
        assert one.expected == pytest.approx(sum(chances))
        assert one.deviation**2 == pytest.approx(sum(p * (1 - p) for p in chances))
        assert one.rolled == sum(shot.outcome.torpedo_destroyed for shot in shots)
        assert one.z * one.deviation == pytest.approx(one.rolled - one.expected)
    assert found[names[0]].rulings > 2


def test_dice_of_a_strike_are_the_strikers_whoever_gives_the_order(played):
    records, folder, names = played(
        "carriers", "stock:greedy", "stock:lookahead", settings={"max_turns": 1}, swap_sides=False
    )
    luck = luck_of(folder, names, records)
    (board,) = records[0].boards
    strikes = [
        one
        for one in replayed((folder / board.film).read_bytes())
        if hasattr(one.outcome, "procedure") and hasattr(one.outcome.procedure, "hit") and one.dice
    ]
    assert strikes
    for one in strikes:
        assert figure_of("carriers").whose(one.facts, one.seat) != one.seat
    assert sum(one.rulings for one in luck.pilots) == len(strikes)
    assert sum(one.rolled for one in luck.pilots) == sum(
        one.outcome.procedure.hit for one in strikes
    )
    assert 0 < sum(one.expected for one in luck.pilots) < len(strikes)
    assert luck.unit == "strikes that hit"


@pytest.mark.parametrize("ruleset", ["circus", "redstars"])
def test_of_many_films_some_are_looked_at_and_it_says_so(played, ruleset):
    records, folder, names = played(ruleset, "stock:greedy", "stock:random", most_actions=60)
    whole, part = (luck_of(folder, names, records, most) for most in (100, 1))
    assert (whole.films, whole.of) == (2, 2)
    assert (part.films, part.of) == (1, 2)
    assert part.pilots == luck_of(folder, names, records[:1]).pilots
    assert luck_of(folder, names, records, 0) is None


def test_without_films_there_is_none(played):
    records, folder, names = played(
        "redstars", "stock:random", "stock:random", keep_films=False, most_actions=5
    )
    assert luck_of(folder, names, records) is None
