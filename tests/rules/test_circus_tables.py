"""The printed tables of Flying Circus Plus, against figures from the register of rules.

Mean hits, counts over all pairs of dice, formulas that a whole table follows: a slip in a single
cell breaks one of them.
"""

import itertools
import math
from collections import Counter
from fractions import Fraction

import pytest
from guncamera.rules.table import BASES
from guncamera.rulesets.circus.aircraft import TurnCode
from guncamera.rulesets.circus.book import figure, load_book

BOOK = load_book()
DICE = range(1, 7)
RANGES = range(1, 9)
CRTS = range(1, 5)


def hits(crt, die, hexes):
    return BOOK.tables[f"crt-{crt}"].number(die, str(hexes))


def cells(table, column):
    return {
        row.label: BOOK.tables[table].cell(row.label, column) for row in BOOK.tables[table].rows
    }


# ---- Combat


@pytest.mark.parametrize(
    ("crt", "sixths"),
    [
        (1, (22, 15, 9, 6, 5, 4, 3, 1)),
        (2, (19, 12, 7, 5, 4, 3, 2, 1)),
        (3, (12, 9, 6, 4, 3, 2, 2, 1)),
        (4, (8, 5, 4, 2, 2, 2, 1, 1)),
    ],
)
def test_mean_hits_at_each_range(crt, sixths):
    assert tuple(sum(hits(crt, die, r) for die in DICE) for r in RANGES) == sixths


@pytest.mark.parametrize("crt", CRTS)
def test_hits_never_fall_with_the_die_nor_rise_with_the_range(crt):
    for die, hexes in itertools.product(DICE, RANGES):
        if die < 6:
            assert hits(crt, die, hexes) <= hits(crt, die + 1, hexes)
        if hexes < 8:
            assert hits(crt, die, hexes) >= hits(crt, die, hexes + 1)


def test_twin_guns_and_belts_are_never_worse():
    for die, hexes in itertools.product(DICE, RANGES):
        found = [hits(crt, die, hexes) for crt in CRTS]
        assert found == sorted(found, reverse=True)


@pytest.mark.parametrize(
    ("crt", "hexes", "die", "scored"),
    [
        (1, 3, 5, 2),
        (1, 8, 5, 0),
        (1, 8, 6, 1),
        (1, 1, 6, 6),
        (1, 3, 2, 1),
        (2, 3, 2, 0),
        (2, 1, 1, 1),
        (3, 2, 6, 3),
        (3, 3, 6, 2),
        (3, 3, 5, 2),
        (3, 1, 6, 3),
        (4, 1, 1, 0),
        (4, 8, 6, 1),
    ],
)
def test_cells_that_the_examples_of_the_register_name(crt, hexes, die, scored):
    assert hits(crt, die, hexes) == scored


@pytest.mark.parametrize(
    ("crt", "sums"),
    [(1, range(2, 13)), (2, range(2, 12)), (3, range(2, 10)), (4, range(3, 10))],
)
def test_sums_of_the_critical_chart_that_a_table_can_reach(crt, sums):
    reached = {
        first + second
        for first, second, r in itertools.product(DICE, DICE, RANGES)
        if second <= hits(crt, first, r)
    }
    assert reached == set(sums)


def test_what_two_dice_strike():
    chart = BOOK.tables["critical"]
    struck = Counter(chart.cell(a + b, "part") for a, b in itertools.product(DICE, DICE))
    assert struck == {"control": 16, "structure": 14, "engine": 4, "crew": 2}
    for total in range(2, 13):
        assert chart.cell(total, "part") == chart.cell(14 - total, "part")


def test_a_gunner_is_one_worse_and_below_him_two():
    assert cells("gunner", "instead") == {"level": -1, "below": -2}
    assert cells("gunner", "added") == {"level": -1, "below": -3}
    assert set(cells("gunner", "added")) == {"level", "below"}
    assert cells("die-modifiers", "modifier") == {
        "long burst": 1,
        "target hanging": 1,
        "gunner wounded": -1,
    }


# ---- Range, arcs, spotting


def test_the_range_chart_is_the_rounded_distance_in_all_54_cells():
    chart = BOOK.tables["range"]
    seen = 0
    for row, column in itertools.product(chart.rows, chart.columns):
        up, flat = int(row.label.removesuffix(" feet")) // 200, int(column)
        squared = flat * flat + up * up
        # The least whole number r with distance < r + 1/2.
        near = next(r for r in range(99) if 4 * squared < (2 * r + 1) ** 2)
        assert chart.number(row.label, column) == (near if 1 <= near <= 8 else 0)
        seen += 1
    assert seen == 54


def test_the_wedge_holds_every_hex_within_fifteen_degrees_of_the_nose():
    def off_the_nose(hexes, sideways):
        return math.degrees(math.atan2(sideways * math.sqrt(3) / 2, hexes - sideways / 2))

    arcs = BOOK.tables["front-arcs"]
    for hexes in RANGES:
        within = [k for k in range(hexes + 1) if off_the_nose(hexes, k) <= 15]
        assert arcs.number(hexes, "wedge") == max(within)
        assert arcs.number(hexes, "row") == 0
        assert arcs.number(hexes, "row-and-yaw") == (1 if hexes >= 6 else 0)


def test_spotting():
    added = cells("spotting", "modifier")
    assert added["target firing"] + added["within 8 hexes"] == 2
    assert added["target below"] + added["up-sun"] + added["over 20 hexes"] == -5
    assert figure(BOOK, "spotted_on") == 7
    assert [added[name] for name in ("target firing", "target below", "up-sun")] == [1, -1, -2]
    assert len(added) == 5


# ---- Movement


def test_a_circle_takes_twelve_to_thirty_seconds_by_turn_code():
    cost = cells("turn-codes", "mp")
    assert [6 * (1 + cost[code]) for code in TurnCode] == [12, 18, 24, 30, 36]
    assert list(cells("turn-spacing", "hexes").values()) == [0, 0, 1, 2, 3]
    assert list(cells("turn-spacing", "hexsides").values()) == [2, 1, 1, 1, 1]


def test_a_loop_costs_and_falls_back_by_the_rate_of_climb():
    loop = BOOK.tables["loop"]
    for rate in range(50, 301, 50):
        assert loop.number(f"{rate} feet", "mp") == rate // 25
        assert loop.number(f"{rate} feet", "behind") == rate // 50 - 1
    assert len(loop.rows) == 6


def test_heights_of_yo_yos_and_side_slips():
    feet, mp = cells("manoeuvres", "feet"), cells("manoeuvres", "mp")
    up, down = feet["yo_yo_climb"], feet["yo_yo_dive"]
    assert down + up + down == -150  # LYY3
    assert up + down + up == 0  # HYY3
    assert 2 * (up + down) == -100  # HYY4
    assert mp["yo_yo_climb"] == mp["yo_yo_dive"] == 2
    assert (2 * mp["side_slip"], 2 * feet["side_slip"]) == (4, -100)
    assert (mp["hammerhead"], mp["propeller_hang"], mp["displacement_roll"]) == (6, 6, 4)
    assert (feet["hammerhead"], feet["propeller_hang"], feet["displacement_roll"]) == (0, 0, 0)
    assert cells("manoeuvres", "hexes") == dict.fromkeys(mp, 1) | {"displacement_roll": 2}


def test_ten_points_of_diving():
    shallow = 10 // figure(BOOK, "shallow_dive_mp") * figure(BOOK, "shallow_dive_feet")
    steep = 10 // figure(BOOK, "steep_dive_mp") * figure(BOOK, "steep_dive_feet")
    assert (shallow, steep) == (500, 750)
    assert 3 * figure(BOOK, "steep_dive_ke") * figure(BOOK, "zoom_feet") == 600
    assert figure(BOOK, "power_dive_ke") == 2 * figure(BOOK, "steep_dive_ke")


# ---- Damage


@pytest.mark.parametrize(
    ("build", "equal_or_lower", "lower"), [("fragile", 4, 2), ("normal", 3, 1), ("robust", 2, 0)]
)
def test_structural_results_of_a_stress_check(build, equal_or_lower, lower):
    column = BOOK.tables["stress-columns"].number(build, "by-build")
    pairs = [
        (second, hits(3, first, column))
        for first, second in itertools.product(DICE, DICE)
        if BOOK.tables["critical"].cell(first + second, "part") == "structure"
    ]
    assert sum(second <= scored for second, scored in pairs) == equal_or_lower
    assert sum(second < scored for second, scored in pairs) == lower
    assert BOOK.tables["stress-columns"].number(build, "normal") == 2


def test_the_structure_die():
    assert list(cells("structure", "result").values()) == [
        "none",
        "none",
        "damage",
        "damage",
        "spar_cracked",
        "broken_up",
    ]
    assert list(cells("structure", "dice").values()) == [0, 0, 1, 2, 0, 0]


def test_over_speed_reaches_its_last_score_at_the_over_speed_limit():
    table = BOOK.tables["over-speed"]
    scores = {die + 2 * excess - 1 for die, excess in itertools.product(DICE, range(1, 4))}
    assert scores == set(range(2, 12))
    assert [table.number(score, "damage") for score in range(1, 8)] == [0, 0, 1, 2, 3, 4, 0]
    found = [table.cell(score, "result") for score in range(1, 12)]
    assert found == ["none"] * 4 + ["structure_mark", "wings_cracked"] + ["broken_up"] * 5


def test_crew_engine_and_control_dice():
    assert Counter(cells("crew", "result").values()) == {"killed": 2, "wounded": 4}
    assert Counter(cells("crew-member", "who").values()) == {"pilot": 3, "gunner": 3}
    assert list(cells("crew", "result").values())[:2] == ["killed", "killed"]
    engine = BOOK.tables["engine"]
    assert [(engine.cell(die, "result"), engine.cell(die, "points")) for die in DICE] == [
        ("engine_seized", 0),
        ("oil_leak", 0),
        ("top_speed_lost", 1),
        ("top_speed_lost", 2),
        ("fire", 1),
        ("fire", 2),
    ]
    assert list(cells("control", "result").values()) == [
        "turn_code_worse",
        "left_barred",
        "right_barred",
        "climb_steps",
        "shallow_only",
        "gentle_only",
    ]


def test_a_leaking_engine_seizes_within_six_turns():
    alive, left = [], Fraction(1)
    for seizes_on in cells("oil-leak", "seizes_on").values():
        left *= Fraction(6 - seizes_on, 6)
        alive.append(left)
    assert alive[2] == Fraction(60, 216)
    assert alive[3:] == [alive[2] * 2 / 6, alive[2] * 2 / 36, 0]


def test_a_fire_goes_out_on_a_six_and_in_a_power_dive_on_a_five_too():
    assert cells("fire-out", "out_on") == {"steep_dive": 6, "power_dive": 5}


def test_every_table_says_where_it_is_from_and_house_tables_are_marked():
    for table in BOOK.tables.values():
        assert table.basis in BASES
        assert table.rule_id in BOOK.index
        assert table.basis != "stated" or "seed 002" in table.source
        assert not table.setting or table.setting in BOOK.setting_specs
