"""The figures printed with Kettering Aerial Torpedo: all there, all met, and able to fail."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from guncamera.rules.hexes import HexDirection
from guncamera.rules.ruleset import Figure
from guncamera.rulesets.kettering import published_chase, published_turn
from guncamera.rulesets.kettering.facts import Aspect, SpotOutcome, Torpedo
from guncamera.rulesets.kettering.published import figures_of, published, sheets
from guncamera.rulesets.kettering.published_board import Crossing
from guncamera.rulesets.kettering.published_chase import Chase
from guncamera.rulesets.kettering.published_drift import Drift
from kettering_flying import BOOK

TITLES = {sheet.id: sheet.title for sheet in sheets()}
CHAIN = "turns-by-edges"  # the one that takes seconds
QUICK = [name for name in TITLES if name != CHAIN]

TURNS = "9.16 8.94 8.08 7.90 8.80 7.92 8.77 8.57 7.75 7.20 8.40 7.60"
SHOTS = "6.9 6.7 5.8 5.9 6.8 5.9 6.5 6.3 5.5 5.2 6.4 5.6"
PRINTED = {
    "displacement": "4.90 4.66 5.15 4.89",
    "drop": "17",
    "turns": TURNS,
    "turns-by-edges": TURNS,
    "follow-up": "100 95 67 75to80",
    "shots": SHOTS,
    "shots-followed-up": SHOTS,
    "chance": "0.125",
    "split": "15 50 20 15",
    "kill": "0.33 0.41 0.49 0.55 0.61 0.66",
    "mean-shots": "6.1 4.5",
    "expectation": "56 45",
    "of-twelve": "6.7 5.4",
    "sample-probability": "1/12 1/12 1/6 1/6 1/6 1/6 1/12 1/12",
    "sample-altitude": "-50 -50 0 0 0 0 50 50",
    "sample-speeds": "6orless 8,anend 6ormore 5,anend ANY 6orless NO 6ormore "
    "NO NO 7ormore 6ormore 5ormore 5ormore NO 7ormore",
}
NOT_JUDGED = {"turns-by-edges", "shots-followed-up", "split"}


@pytest.fixture(scope="module")
def figures() -> list[Figure]:
    return list(published(BOOK))


def of(figures: list[Figure], sheet: str) -> list[Figure]:
    return [figure for figure in figures if figure.table == TITLES[sheet]]


def wrong(book, wanted=QUICK) -> dict[str, list[str]]:
    """The cells that disagree, by sheet."""
    ids = {title: name for name, title in TITLES.items()}
    found: dict[str, list[str]] = {}
    for figure in figures_of(book, wanted):
        if figure.agrees is False:
            found.setdefault(ids[figure.table], []).append(figure.cell)
    return found


def with_cell(table: str, row: object, column: str, value: int | str):
    """The book with one cell of one table altered."""
    found = BOOK.tables[table]
    at = found.columns.index(column)
    rows = tuple(
        replace(one, cells=(*one.cells[:at], value, *one.cells[at + 1 :]))
        if one.label == str(row)
        else one
        for one in found.rows
    )
    assert rows != found.rows
    return BOOK.with_tables({table: replace(found, rows=rows)})


# ---- What is printed


@pytest.mark.parametrize("sheet", PRINTED)
def test_every_printed_figure_appears_once(figures, sheet):
    found = of(figures, sheet)
    assert [figure.published.replace(" ", "") for figure in found] == PRINTED[sheet].split()
    assert len({figure.cell for figure in found}) == len(found)


def test_there_are_no_other_figures(figures):
    assert list(PRINTED) == list(TITLES)
    assert Counter(figure.table for figure in figures).keys() == set(TITLES.values())


def test_every_judged_figure_agrees(figures):
    assert [figure for figure in figures if figure.agrees is False] == []


def test_estimates_and_second_readings_are_shown_without_a_verdict(figures):
    unjudged = {figure.table for figure in figures if figure.agrees is None}
    estimates = {"mean-shots", "expectation", "of-twelve"}
    assert unjudged == {TITLES[name] for name in NOT_JUDGED | estimates}
    for name in estimates:
        assert [figure.agrees for figure in of(figures, name)] == [True, None]
    assert all(figure.agrees is None for name in NOT_JUDGED for figure in of(figures, name))
    assert all((figure.tolerance == "") == (figure.agrees is None) for figure in figures)


def test_every_tolerance_has_its_reason_and_every_sheet_its_source():
    for sheet in sheets():
        assert bool(sheet.tolerance) == bool(sheet.reason), sheet.id
        assert sheet.source, sheet.id


# ---- What ours are


def test_ours_are_those_of_the_register(figures):
    """Sections 3 and 4: the mean course to the hundredth, and a Monte Carlo with real edges."""
    assert [figure.ours for figure in of(figures, "displacement")] == [
        "4.897",
        "4.667",
        "5.152",
        "4.889",
    ]
    course = "9.20 8.98 8.12 7.89 8.74 7.91 8.79 8.58 7.76 7.24 8.42 7.63"
    assert [figure.ours for figure in of(figures, "turns")] == course.split()
    sampled = (9.29, 9.08, 8.21, 7.74, 8.65, 7.96, 8.89, 8.70, 7.88, 7.11, 8.17, 7.66)
    for figure, mean in zip(of(figures, CHAIN), sampled):
        assert float(figure.ours) == pytest.approx(mean, abs=0.02)


def test_fourteen_sample_entries_exactly_and_two_as_an_end_of_a_range(figures):
    entries = of(figures, "sample-speeds")
    ends = [figure for figure in entries if "an end" in figure.published]
    assert [(figure.published, figure.ours) for figure in ends] == [
        ("8, an end", "5 to 8"),
        ("5, an end", "5 to 8"),
    ]
    for figure in entries:
        if figure not in ends and figure.published not in ("ANY", "NO"):
            number, _, way = figure.published.partition(" or ")
            ours = f"4 to {number}" if way == "less" else f"{number} to 9"
            assert figure.ours == ours


WINDS = ("southwest", "southeast", "southeast", "east", "east", "northeast")  # by die face
SOUTH = {"southwest": 1, "southeast": 1, "east": 0, "northeast": -1}
EAST = {"southwest": -0.5, "southeast": 0.5, "east": 1, "northeast": 0.5}  # hexes of one step


def by_hand(heading: str, altitude: int, speed: int, faces) -> tuple[int, int, float, float]:
    """One turn in plain arithmetic, without the rules: altitude, speed, rows south, hexes east."""
    wind = WINDS[faces[0] - 1]
    shift = 1 if altitude < 850 else 2 if altitude <= 2000 else 3
    speed = min(max(speed + (1 if faces[1] % 2 == 0 else -1), 3), 5)
    tail, head = wind == heading, (wind, heading) == ("northeast", "southwest")
    flown = speed + tail - head
    return (
        altitude - 50 * tail + 50 * head,
        speed,
        shift * SOUTH[wind] + flown,
        shift * EAST[wind] + flown * EAST[heading],
    )


@pytest.mark.parametrize("heading", ["southeast", "southwest"])
@pytest.mark.parametrize("altitudes", [(850, 950, 1000), (2000, 2050, 2100)])
def test_the_chain_equals_every_fall_of_the_dice_of_two_turns(heading, altitudes):
    south, east, drop = [Fraction(0)] * 2, [0.0, 0.0], [Fraction(0)] * 2
    faces = list(product(range(1, 7), range(1, 7)))
    for start, first, (speed, weight) in product(altitudes, faces, ((4, 2), (3, 1), (5, 1))):
        p = Fraction(weight, 4 * 36 * len(altitudes))
        altitude, track, rows, hexes = by_hand(heading, start, speed, first)
        south[0] += p * rows
        east[0] += float(p) * hexes
        drop[0] += p * (start - altitude)
        for second in faces:
            sunk, _, rows, hexes = by_hand(heading, altitude, track, second)
            south[1] += p / 36 * rows
            east[1] += float(p) / 36 * hexes
            drop[1] += p / 36 * (altitude - sunk)
    drift = Drift(BOOK)
    group = "low" if altitudes[0] < 1500 else "high"
    for number in (2, 3):
        turn = drift.turn(heading, group, number)
        assert (turn.south, turn.drop) == (south[number - 2], drop[number - 2])
        assert float(turn.east) == pytest.approx(east[number - 2])


def test_the_first_turn_has_no_wind_and_no_speed_die():
    turn = Drift(BOOK).turn("southwest", "high", 1)
    assert turn == (4, -2, 0)


def test_the_chain_with_edges_equals_a_flight_worked_out_by_hand():
    """From row F at speed 5 it stands on row A after a turn, and every wind lets it leave then."""
    crossing = Crossing(HexDirection.SOUTHWEST, BOOK)
    found = crossing.mean_turns({Torpedo("F-26", HexDirection.SOUTHWEST, 1000, 5): Fraction(1)})
    tail = Fraction(1, 2) * (Fraction(1, 5) + Fraction(1, 6))  # the shift is off the board
    side = Fraction(1, 2) * (Fraction(1, 4) + Fraction(1, 5))
    head = Fraction(1, 2) * (Fraction(3, 3) + Fraction(3, 4))  # blown back to row C
    assert found == pytest.approx(float(1 + tail / 6 + side * 2 / 3 + head / 6))


def test_a_torpedo_that_crashes_is_counted_until_its_crash():
    """One that flies at 50 metres crashes in a tailwind, after the first turn."""
    crossing = Crossing(HexDirection.SOUTHEAST, BOOK)
    low = crossing.mean_turns({Torpedo("Z-26", HexDirection.SOUTHEAST, 50, 4): Fraction(1)})
    high = crossing.mean_turns({Torpedo("Z-26", HexDirection.SOUTHEAST, 700, 4): Fraction(1)})
    assert low < 4 < high


def test_slow_chases_last_longer_than_fast_ones():
    """The Albatros picks the slowest, any, or the fastest of its speeds: register section 5."""
    chase = Chase(BOOK)
    shares = [
        chase.settled("albatros-d3", HexDirection.SOUTHWEST, pick).share
        for pick in published_chase.PICKS.values()
    ]
    assert shares == sorted(shares, reverse=True)
    assert shares == pytest.approx([0.8235, 0.7939, 0.7579], abs=0.0001)


# ---- A broken rule shows


BROKEN = [
    (with_cell("wind", 6, "southwest-first", "west"), {"displacement", "turns", "shots"}),
    (with_cell("wind", 6, "southwest-first", "west"), {"sample-probability", "sample-speeds"}),
    (with_cell("wind-shifts", "850..2000", "torpedo", 1), {"displacement", "sample-speeds"}),
    (with_cell("figures", "tailwind_metres", "value", 100), {"drop", "sample-altitude"}),
    (with_cell("figures", "acceleration_mp", "value", 3), {"sample-speeds"}),
    (with_cell("figures", "braking_mp", "value", 2), {"sample-speeds"}),
    (with_cell("maneuver-schedules", "C", "60", 2), {"sample-speeds", "follow-up"}),
    (with_cell("maneuver-schedules", "C", "120", 3), {"sample-speeds"}),
    (with_cell("maneuver-schedules", "C", "180", 7), {"sample-speeds"}),
    (with_cell("target-damage", 9, "A-1", 4), {"chance", "kill", "expectation", "of-twelve"}),
    (with_cell("target-damage", 11, "A-1", "6*"), {"chance", "kill", "expectation"}),
    (with_cell("penalties", "twice as fast", "modifier", -4), {"chance", "kill"}),
    (with_cell("start-altitudes", 1, "altitude", 900), {"displacement"}),
    (with_cell("start-hexes", 6, "notation", "OO SW"), {"turns", "shots", "mean-shots"}),
    (with_cell("entry-hexes", "34 SE", "row", "KK"), {"turns"}),
    (BOOK.with_settings({"map_width_hexes": 33}), {"turns", "shots"}),
    (BOOK.with_settings({"target_damage": "plain-nine"}), {"chance", "kill"}),
    (BOOK.with_settings({"schedule_d_60": "paid"}), {"follow-up"}),
    (BOOK.with_settings({"sighting_hexes": 2}), {"sample-speeds"}),
]


@pytest.mark.parametrize(("book", "sheets_wrong"), BROKEN, ids=range(len(BROKEN)))
def test_an_altered_table_or_setting_makes_a_figure_disagree(book, sheets_wrong):
    found = wrong(book)
    assert sheets_wrong <= found.keys()


def test_an_altered_rule_moves_the_chain_with_edges_too(figures):
    book = with_cell("wind-shifts", "850..2000", "torpedo", 1)
    moved = list(figures_of(book, [CHAIN]))
    pairs = list(zip(of(figures, CHAIN), moved))
    assert all(float(after.ours) > float(before.ours) + 0.1 for before, after in pairs)
    assert all(after.agrees is None for _, after in pairs)


def test_what_is_no_longer_on_the_chart_has_no_figure():
    book = with_cell("start-hexes", 6, "notation", "OO SW")
    ours = {figure.cell: figure for figure in figures_of(book, ["turns"])}
    assert (ours["5, low"].ours, ours["5, low"].difference) == ("none", "")
    assert ours["5, low"].agrees is False
    assert ours["OO, low"].agrees is True


def test_the_order_of_the_wind_die_changes_nothing():
    book = BOOK.with_settings({"wind_faces": "southeast-first"})
    assert list(figures_of(book, QUICK)) == list(figures_of(BOOK, QUICK))


def test_a_blind_rule_of_sights_leaves_no_next_shot(monkeypatch):
    live = published_chase.rule_on_spot

    def blind(facts, book, dice):
        return replace(live(facts, book, dice), outcome=SpotOutcome(False, Aspect.NONE, 1))

    monkeypatch.setattr(published_chase, "rule_on_spot", blind)
    found = wrong(BOOK, ["sample-speeds", "follow-up"])
    assert len(found["sample-speeds"]) == 12  # all but the four that say NO
    assert len(found["follow-up"]) == 4


def test_a_rule_of_wind_that_forgets_to_shift_moves_the_course(monkeypatch):
    live = published_turn.rule_on_wind

    def still(facts, book, dice):
        ruling = live(facts, book, dice)
        return replace(ruling, outcome=replace(ruling.outcome, torpedo_hex=facts.torpedo.hex))

    monkeypatch.setattr(published_turn, "rule_on_wind", still)
    found = wrong(BOOK, ["displacement", "turns"])
    assert len(found["displacement"]) == 4
    assert len(found["turns"]) == 12
