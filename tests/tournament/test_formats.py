"""Formats: everyone meets whom they should, sides come out even, and nothing is left to chance."""

from collections import Counter

import pytest
from guncamera_tournament.bouts import Pairing, bouts_of
from guncamera_tournament.event import Entry, Event
from guncamera_tournament.faults import TournamentError
from guncamera_tournament.formats import FORMATS
from guncamera_tournament.formats.knockout import first_round
from guncamera_tournament.formats.swiss import ranking, share
from hypothesis import given
from hypothesis import strategies as st

SIZES = st.integers(2, 12)


def event_of(size: int, name: str, **more) -> Event:
    pilots = tuple(Entry(f"p{at}", "stock:random") for at in range(size))
    return Event("circus", pilots, "seed", format=name, **more)


def play(event: Event, strength) -> list[tuple[Pairing, ...]]:
    """All rounds, each pairing won by who is stronger; at the same strength it is drawn."""
    rounds, before, points = [], [], {}
    while pairings := FORMATS[event.format].next_round(event, before, points):
        rounds.append(pairings)
        before += pairings
        for pairing in pairings:
            if not pairing.is_bye:
                one, other = strength(pairing.first), strength(pairing.second)
                won = 0.5 if one == other else float(one > other)
                points[pairing.round, pairing.number] = {
                    pairing.first: won,
                    pairing.second: 1 - won,
                }
    return rounds


def met(rounds) -> Counter:
    return Counter(
        frozenset((one.first, one.second)) for pairings in rounds for one in pairings
        if not one.is_bye
    )  # fmt: skip


def by_number(name: str) -> int:
    return -int(name[1:])


@given(SIZES)
def test_in_a_round_robin_everyone_meets_everyone_once(size):
    event = event_of(size, "round-robin")
    rounds = play(event, by_number)
    assert set(met(rounds).values()) == {1}
    assert len(met(rounds)) == size * (size - 1) // 2 == FORMATS["round-robin"].pairings(event)


@given(SIZES)
def test_in_a_round_everyone_plays_or_rests_once(size):
    for name in ("round-robin", "swiss"):
        event = event_of(size, name)
        for pairings in play(event, by_number):
            there = [one for pairing in pairings for one in (pairing.first, pairing.second) if one]
            assert sorted(there) == sorted(event.names)
            assert [one.number for one in pairings] == list(range(1, len(pairings) + 1))


@given(SIZES)
def test_in_a_round_robin_byes_are_fair(size):
    byes = Counter(
        one.first for pairings in play(event_of(size, "round-robin"), by_number)
        for one in pairings if one.is_bye
    )  # fmt: skip
    assert byes == (Counter(event_of(size, "round-robin").names) if size % 2 else Counter())


@given(SIZES)
def test_first_sides_of_a_round_robin_are_even(size):
    rounds = play(event_of(size, "round-robin"), by_number)
    firsts = Counter(one.first for pairings in rounds for one in pairings if not one.is_bye)
    seconds = Counter(one.second for pairings in rounds for one in pairings if not one.is_bye)
    for name in event_of(size, "round-robin").names:
        assert abs(firsts[name] - seconds[name]) <= 1


@given(st.integers(2, 14), st.randoms(use_true_random=False), st.data())
def test_a_swiss_has_no_rematch_and_nobody_rests_twice(size, chance, data):
    rounds = data.draw(st.integers(1, (size + 1) // 2))
    strengths = {f"p{at}": chance.randint(0, 3) for at in range(size)}
    played = play(event_of(size, "swiss", rounds=rounds), strengths.get)
    assert len(played) == rounds
    assert set(met(played).values()) <= {1}
    byes = Counter(one.first for pairings in played for one in pairings if one.is_bye)
    assert set(byes.values()) <= {1}
    assert sum(byes.values()) == (rounds if size % 2 else 0)


def test_a_swiss_of_many_is_paired_in_no_time_and_finds_the_best():
    event = event_of(64, "swiss")
    rounds = play(event, by_number)
    assert len(rounds) == 6
    points = {
        (one.round, one.number): {one.first: float(by_number(one.first) > by_number(one.second)),
                                  one.second: float(by_number(one.second) > by_number(one.first))}
        for pairings in rounds for one in pairings
    }  # fmt: skip
    before = [one for pairings in rounds for one in pairings]
    assert ranking(event.names, before, points)[0] == "p0"


def test_in_a_swiss_those_with_as_many_points_meet():
    rounds = play(event_of(8, "swiss"), by_number)
    won = Counter()
    for pairings in rounds[:2]:
        for one in pairings:
            won[max(one.first, one.second, key=by_number)] += 1
    assert all(won[one.first] == won[one.second] for one in rounds[2])


def test_the_lowest_rests_first():
    (bye,) = [one for one in play(event_of(5, "swiss"), by_number)[0] if one.is_bye]
    assert bye.first == "p4"


@given(st.integers(2, 20))
def test_a_knockout_is_won_by_the_best_and_byes_go_to_the_best(size):
    event = event_of(size, "knockout")
    rounds = play(event, by_number)
    (final,) = rounds[-1]
    assert "p0" in (final.first, final.second)
    if size > 3:
        assert {final.first, final.second} == {"p0", "p1"}
    byes = [one.first for one in rounds[0] if one.is_bye]
    assert sorted(byes, key=by_number, reverse=True) == list(event.names[: len(byes)])
    assert not [one for pairings in rounds[1:] for one in pairings if one.is_bye]
    assert sum(met(rounds).values()) == size - 1 == FORMATS["knockout"].pairings(event)


def test_at_level_points_the_better_entered_goes_on():
    rounds = play(event_of(4, "knockout"), lambda _name: 0)
    assert {rounds[1][0].first, rounds[1][0].second} == {"p0", "p1"}


def test_a_bracket_keeps_the_best_apart():
    assert first_round([f"p{at}" for at in range(6)]) == [
        ("p0", ""), ("p3", "p4"), ("p1", ""), ("p2", "p5"),
    ]  # fmt: skip


@given(SIZES)
def test_in_a_gauntlet_one_meets_all_others(size):
    (pairings,) = play(event_of(size, "gauntlet"), by_number)
    assert {frozenset((one.first, one.second)) for one in pairings} == {
        frozenset(("p0", f"p{at}")) for at in range(1, size)
    }
    firsts = sum(one.first == "p0" for one in pairings)
    assert abs(2 * firsts - len(pairings)) <= 1


def test_a_bye_counts_as_a_win_and_a_tie_as_half():
    assert share(Pairing(1, 1, "a"), "a", {}) == 1.0
    assert share(Pairing(1, 1, "a", "b"), "b", {(1, 1): {"a": 1.0, "b": 1.0}}) == 0.5
    assert share(Pairing(1, 1, "a", "b"), "b", {(1, 1): {"a": 1.0, "b": 0.0}}) == 0.0


@given(st.integers(1, 6), st.booleans())
def test_both_sides_of_a_game_have_the_same_dice_only_where_they_are_duplicate(games, duplicate):
    dice = "duplicate" if duplicate else "seeded"
    event = event_of(2, "single", games=games, dice=dice)
    bouts = list(bouts_of(event, Pairing(1, 1, "p0", "p1"), solo=False))
    assert [bout.id for bout in bouts] == sorted(bout.id for bout in bouts)
    assert len({bout.id for bout in bouts}) == len(bouts) == 2 * games
    sides = Counter(bout.pilots[0] for bout in bouts)
    assert sides == {"p0": games, "p1": games}
    groups = {bout.dice_seed(event) for bout in bouts}
    assert len(groups) == (games if duplicate else 2 * games)
    assert len({bout.seed(event, "pilot", "p0") for bout in bouts}) == len(bouts)


def test_without_swapping_games_are_played_from_either_side_in_turn():
    event = event_of(2, "single", games=4, swap_sides=False)
    bouts = list(bouts_of(event, Pairing(1, 1, "p0", "p1"), solo=False))
    assert [bout.pilots[0] for bout in bouts] == ["p0", "p1", "p0", "p1"]


def test_one_seat_is_played_once_by_each_with_the_same_dice():
    event = event_of(2, "single", games=2)
    bouts = list(bouts_of(event, Pairing(1, 1, "p0", "p1"), solo=True))
    assert [bout.id[-1] for bout in bouts] == ["a", "a"]


@pytest.mark.parametrize(
    ("size", "name", "more", "field"),
    [(3, "single", {}, "format"), (4, "swiss", {"rounds": 3}, "rounds")],
)
def test_what_a_format_cannot_do_is_refused(size, name, more, field):
    with pytest.raises(TournamentError, match="take round-robin") as refused:
        event_of(size, name, **more)
    assert refused.value.field == field
