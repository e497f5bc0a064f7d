"""Plots: what is written in them can be read."""

import re
from itertools import combinations, pairwise

import pytest
from guncamera_tournament.event import Entry, Event
from guncamera_tournament.journal import Kept, write_results
from guncamera_tournament.record import BoardRecord, GameRecord
from guncamera_tournament.report import report_on
from guncamera_tournament.report_page import to_html
from guncamera_tournament.report_plots import RACE, columns, plots, spread
from hypothesis import given
from hypothesis import strategies as st

NAMES = ("anton", "berta", "caesar", "dora", "emil", "friedrich", "gustav", "heinrich")
TEXT = re.compile(r'font-size: ([\d.]+)px[^>]* x="([-\d.]+)" y="([-\d.]+)"[^>]*>([^<]+)<')


def record(at: int, one: str, other: str, points: float) -> GameRecord:
    return GameRecord(
        bout=f"r001-p{at:04}-g0001-a", round=1, pairing=at, game=1, ruleset="circus",
        rules_version=1, setup="default", settings={}, dice="seeded", dice_group=f"g{at}",
        pilots=(one, other), points={one: points, other: 1 - points}, scores={}, winner="",
        reason="finished", losers=(), detail="",
        boards=(BoardRecord({"first": one, "second": other}, 3, 10, 4, "", "", "0" * 64),),
    )  # fmt: skip


def report(folder, names, points):
    """All against all, each bout with so many points for the first."""
    event = Event("circus", tuple(Entry(name, "stock:random") for name in names), "s")
    records = [record(at, *pair, points) for at, pair in enumerate(combinations(names, 2), start=1)]
    write_results(folder, event, {one.bout: Kept(one, {}) for one in records})
    return report_on(folder, most_films=0)


def labels(folder, names, points) -> dict[str, tuple[float, float, float]]:
    """Where each pilot's name stands in the race: left, baseline, size."""
    return {
        text: (float(left), float(base), float(size))
        for size, left, base, text in TEXT.findall(plots(report(folder, names, points))[RACE])
        if text in names
    }


@pytest.mark.parametrize("count", [2, 3, 8])
@pytest.mark.parametrize("points", [0.5, 1.0])
def test_no_two_names_in_the_race_lie_over_each_other(tmp_path, count, points):
    found = labels(tmp_path, NAMES[:count], points)
    assert set(found) == set(NAMES[:count])
    lines = sorted((base, left, size) for left, base, size in found.values())
    for (above, one, size), (below, other, _) in pairwise(lines):
        assert one == pytest.approx(other), "all have as many bouts"
        assert below - above >= size


def test_of_equal_pilots_the_first_in_the_table_stands_uppermost(tmp_path):
    found = labels(tmp_path, NAMES, 0.5)
    assert sorted(NAMES, key=lambda name: found[name][1]) == list(NAMES)


@pytest.mark.parametrize(
    ("points", "says"),
    [
        (0.5, "3 pilots lead with 1 points of 2 bouts"),
        (1.0, "<b>anton</b> leads with 2 points of 2 bouts"),
    ],
)
def test_the_page_says_who_leads_or_how_many(tmp_path, points, says):
    assert says in to_html(report(tmp_path, NAMES[:3], points), tmp_path, tmp_path / "page.html")


def test_names_that_share_no_width_are_let_be():
    assert columns([(0, 10), (30, 40), (5, 20), (19, 25)]) == [[0, 2, 3], [1]]
    assert columns([(0, 100), (3, 5), (90, 99)]) == [[0, 1, 2]]
    assert columns([]) == []


@given(st.lists(st.floats(-50, 50), min_size=1, max_size=9), st.floats(0.5, 20))
def test_heights_are_spread_as_little_as_can_be(heights, least):
    heights.sort()
    found = spread(heights, least)
    assert all(above - below >= least - 1e-6 for below, above in pairwise(found))
    if all(above - below >= least for below, above in pairwise(heights)):
        assert found == pytest.approx(heights)
    # What touches is pushed up as much as down.
    heap = [0]
    for at in range(1, len(found) + 1):
        if at < len(found) and found[at] - found[at - 1] <= least + 1e-6:
            heap.append(at)
            continue
        assert sum(found[one] - heights[one] for one in heap) == pytest.approx(0, abs=1e-6)
        heap = [at]
