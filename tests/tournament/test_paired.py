"""Paired statistics, by hand-made numbers."""

import math

import pytest
from guncamera_tournament.canonical import canonical
from guncamera_tournament.paired import compare, estimate, students_t
from guncamera_tournament.record import BoardRecord, GameRecord, digest_of
from guncamera_tournament.standings import standings


def game(group: str, letter: str, pilots, won: float, reason="finished", losers=()) -> GameRecord:
    """A bout in which the first of the pilots has so many points."""
    return GameRecord(
        bout=f"{group}-{letter}", round=1, pairing=1, game=1, ruleset="circus", rules_version=1,
        setup="default", settings={}, dice="duplicate", dice_group=group, pilots=pilots,
        points={pilots[0]: won, pilots[1]: 1 - won}, scores={}, winner="", reason=reason,
        losers=losers, detail="",
        boards=(BoardRecord({"first": "a"}, 3, 10, 4, "", "films/x.json", "0" * 64),),
    )  # fmt: skip


def pair(group: str, as_first: float, as_second: float) -> list[GameRecord]:
    """What `a` made of both sides of a game against `b`."""
    return [
        game(group, "a", ("a", "b"), as_first),
        game(group, "b", ("b", "a"), 1 - as_second),
    ]


def test_where_the_dice_decide_pairs_tell_that_nobody_is_better():
    # Whoever has the first side wins the odd games, and loses the even ones.
    records = [one for n in range(8) for one in pair(f"g{n}", float(n % 2), float(1 - n % 2))]
    (found,) = compare(records)
    assert (found.pilot, found.other) == ("a", "b")
    assert found.paired.mean == found.unpaired.mean == 0.0
    assert found.paired.standard_error == 0.0
    assert found.unpaired.standard_error == pytest.approx(math.sqrt(16 / 15 / 16))
    assert found.unpaired.low < 0 < found.unpaired.high


def test_the_mean_is_that_of_the_bouts_and_the_interval_is_students():
    records = [*pair("g1", 1, 1), *pair("g2", 1, 0.5), *pair("g3", 0, 1)]
    (found,) = compare(records)
    # Points less the other's, a bout: (1, 1), (1, 0), (-1, 1).
    assert found.paired.count, found.unpaired.count == (3, 6)
    assert found.paired.mean == found.unpaired.mean == pytest.approx(0.5)
    assert found.paired.standard_error == pytest.approx(0.5 / math.sqrt(3))
    reach = found.paired.high - found.paired.mean
    assert reach == pytest.approx(4.303 * 0.5 / math.sqrt(3), rel=0.01)
    assert found.paired.low == pytest.approx(found.paired.mean - reach)


def test_bouts_without_their_other_side_are_left_out():
    assert compare([game("g1", "a", ("a", "b"), 1.0)]) == []
    (found,) = compare([*pair("g1", 1, 0), game("g2", "a", ("a", "b"), 1.0)])
    assert (found.paired.count, found.paired.standard_error) == (1, None)


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [(1, 12.706), (2, 4.303), (3, 3.182), (5, 2.571), (10, 2.228), (30, 2.042), (1000, 1.962)],
)
def test_students_t_is_that_of_the_tables(freedom, quantile):
    assert students_t(freedom) == pytest.approx(quantile, rel=0.01)


def test_the_interval_covers_as_often_as_it_says():
    import random

    chance = random.Random(7)
    covered = 0
    for _ in range(2000):
        found = estimate([chance.gauss(1.0, 2.0) for _ in range(6)])
        covered += found.low <= 1.0 <= found.high
    assert 0.935 < covered / 2000 < 0.965


def test_a_table_counts_what_there_was():
    records = [
        *pair("g1", 1, 0.5),
        game("g2", "a", ("c", "a"), 0.0, reason="forfeit: crash", losers=("c",)),
    ]
    rows = {row.name: row for row in standings(["a", "b", "c"], records)}
    assert [row.name for row in standings(["a", "b", "c"], records)] == ["a", "b", "c"]
    assert (rows["a"].bouts, rows["a"].won, rows["a"].drawn, rows["a"].points) == (3, 2, 1, 2.5)
    assert (rows["b"].lost, rows["b"].drawn, rows["b"].points) == (1, 1, 0.5)
    assert (rows["c"].lost, rows["c"].forfeits) == (1, 1)


def test_a_record_is_read_as_it_was_written():
    import json

    record = game("g1", "a", ("a", "b"), 0.5, reason="forfeit: flood", losers=("a",))
    line = canonical(record.to_plain())
    assert GameRecord.from_plain(json.loads(line)) == record
    assert canonical(GameRecord.from_plain(json.loads(line)).to_plain()) == line
    assert record.is_forfeit
    assert (record.turns, record.actions, record.rolls) == (3, 10, 4)


def test_labels_do_not_run_into_each_other():
    assert digest_of("ab", "c") != digest_of("a", "bc")
    assert digest_of("a", 1) == digest_of("a", "1")
