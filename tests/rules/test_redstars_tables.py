"""The printed tables of Rising Suns and Red Stars, against figures from the register of rules.

Chances, sums, the formulas that a table follows: a slip in a single cell breaks one of them.
"""

import itertools
from collections import Counter, defaultdict
from fractions import Fraction

import pytest
from guncamera.rules.table import BASES
from guncamera.rulesets.redstars.aircraft import (
    Agility,
    AltitudeCard,
    DataBook,
    Maneuver,
    SpeedCard,
    WeaponKind,
)
from guncamera.rulesets.redstars.book import figure, load_book
from guncamera.rulesets.redstars.cards import level_of
from guncamera.rulesets.redstars.discs import fewest_discs

BOOK = load_book()
D10 = range(1, 11)
PAIRS = list(itertools.product(range(1, 7), repeat=2))


def cells(table, column):
    return {
        row.label: BOOK.tables[table].cell(row.label, column) for row in BOOK.tables[table].rows
    }


def chances(number):
    """In how many of 36 throws two dice reach a number."""
    return sum(a + b >= number for a, b in PAIRS)


# ---- Shooting


def test_ranges_are_whole_discs_of_four_inches_and_halve():
    ranges = cells("weapons", "range")
    assert list(ranges) == [kind.value for kind in WeaponKind]
    assert [inches // 4 for inches in ranges.values()] == [4, 5, 6, 10]
    assert all(inches % 4 == 0 for inches in ranges.values())
    assert [inches // 2 for inches in ranges.values()] == [8, 10, 12, 20]


def test_mean_damage_of_a_gun_or_rocket():
    weapons = BOOK.tables["weapons"]
    mean = [
        Fraction(weapons.number(kind, "dice") * (weapons.number(kind, "sides") + 1), 2)
        for kind in WeaponKind
    ]
    assert mean == [Fraction(5, 2), Fraction(7, 2), Fraction(9, 2), 14]
    assert list(cells("weapons", "dice").values()) == [1, 1, 1, 4]


@pytest.mark.parametrize(
    ("vector", "rating", "conditions", "needs"),
    [
        ("V17", 2, ("tailing", "behind, above or below"), -1),
        ("V18", 0, ("crossing", "over half range"), 7),
        ("V19", 1, ("behind, above or below", "more than one band"), 2),
        ("V21 LMG", 1, ("over half range",), 4),
        ("V21 cannon", 1, (), 3),
        ("a gunner", 0, ("flexible mount",), 2),
        ("out of a loop, in flames", 0, ("extreme maneuver", "smoking or burning"), 8),
    ],
)
def test_what_a_shot_needs(vector, rating, conditions, needs):
    added = rating + sum(BOOK.tables["shooting"].number(one, "modifier") for one in conditions)
    assert figure(BOOK, "to_hit") - added == needs, vector


def test_there_are_eight_shooting_modifiers_that_add_to_minus_three():
    added = cells("shooting", "modifier")
    assert len(added) == 8
    assert sum(n for n in added.values() if n > 0) == 5
    assert sum(n for n in added.values() if n < 0) == -8


# ---- Hits and crews


def test_what_a_special_hit_strikes():
    found = cells("special-hits", "effect")
    assert list(found) == [str(face) for face in D10]
    assert {face for face, effect in found.items() if effect.startswith("engine")} == {
        "1", "8", "10",
    }  # fmt: skip
    assert (found["1"], found["8"], found["10"]) == (
        "engine-no-accelerate", "engine", "engine-no-top-speed",
    )  # fmt: skip
    assert (found["3"], found["9"]) == ("fire-d6", "fire-d8")
    assert [found[str(face)] for face in (2, 4, 5, 6, 7)] == [
        "oil-leak", "weapon", "control-surfaces", "camera", "landing-gear",
    ]  # fmt: skip


def fates(column):
    """For each man, the chances in a hundred of being killed and of being wounded."""
    found = Counter()
    d10, d6 = Fraction(1, 10), Fraction(1, 6)
    perhaps = Fraction(11 - figure(BOOK, "companion_number"), 10)
    for face in D10:
        match BOOK.tables["risk"].cell(face, column):
            case "both-killed":
                found["pilot killed"] += d10
                found["observer killed"] += d10
            case "pilot-killed-observer-wounded":
                found["pilot killed"] += d10
                found["observer wounded"] += d10
            case "pilot-killed":
                found["pilot killed"] += d10
            case "pilot-wounded":
                found["pilot wounded"] += d10
            case "pilot-severe":
                found["pilot severe"] += d10
            case "either-wounded":
                found["pilot wounded"] += d10 * 3 * d6
                found["observer wounded"] += d10 * 3 * d6
            case "observer-wounded-pilot-perhaps":
                found["observer wounded"] += d10
                found["pilot wounded"] += d10 * perhaps
            case "pilot-perhaps":
                found["pilot wounded"] += d10 * perhaps
            case "observer-wounded":
                found["observer wounded"] += d10
            case "none":
                found["nobody"] += d10
    return {who: int(chance * 100) for who, chance in found.items()}


def test_chances_of_the_risk_to_pilot_table():
    assert fates("with observer") == {
        "pilot killed": 30,
        "observer killed": 10,
        "observer wounded": 45,
        "pilot wounded": 30,
        "pilot severe": 10,
    }
    assert fates("without") == {
        "pilot killed": 30,
        "pilot wounded": 40,
        "pilot severe": 10,
        "nobody": 10,
    }


def test_the_rows_of_the_risk_to_pilot_table():
    risk = BOOK.tables["risk"]
    two, one = ([risk.cell(face, column) for face in D10] for column in risk.columns)
    assert risk.columns == ("with observer", "without")
    assert two[2:5] == one[2:5] == ["pilot-killed", "pilot-wounded", "pilot-wounded"]
    assert two[6] == one[6] == "pilot-severe"
    assert [two[at] for at in (0, 1, 5, 7, 8, 9)] == [
        "both-killed", "pilot-killed-observer-wounded", "either-wounded",
        "observer-wounded-pilot-perhaps", "observer-wounded", "observer-wounded",
    ]  # fmt: skip
    assert [one[at] for at in (0, 1, 5, 7, 8, 9)] == [
        "pilot-killed", "pilot-killed", "pilot-wounded", "pilot-perhaps", "pilot-perhaps", "none",
    ]  # fmt: skip


def test_an_observer_takes_over_in_four_of_ten():
    assert sum(face >= figure(BOOK, "takeover_number") for face in D10) == 4


def test_a_pilot_of_two_after_one_wound_and_after_two():
    assert [2 + n for n in cells("wounds", "total-three").values()] == [2, 1, -1]
    assert [2 + n for n in cells("wounds", "four").values()] == [2, 1, -2]


# ---- Tests


@pytest.mark.parametrize(
    ("test", "of_36"),
    [
        ("skill", 26),
        ("airframe", 21),
        ("engine", 26),
        ("spotting", 21),
        ("blow-out dive 3", 6),
        ("blow-out dive 4", 15),
        ("collision", 26),
        ("ram", 26),
    ],
)
def test_chances_of_a_plain_test(test, of_36):
    assert chances(BOOK.tables["tests"].number(test, "number")) == of_36
    assert len(BOOK.tables["tests"].rows) == 8


def test_needs_of_modified_tests():
    number, added = cells("tests", "number"), cells("test-modifiers", "modifier")
    assert number["ram"] - 1 + 3 == 8  # V3
    assert number["ram"] - 1 + 3 - added["rammer burning"] == 10  # V4
    assert number["ram"] - added["rammer tailing"] == 5
    assert number["airframe"] - 2 - added["damaged"] == 6  # V13
    assert number["spotting"] - added["up-sun"] == 10  # V16
    assert number["spotting"] - 1 - added["alert"] == 4  # V16, who ignores the sun
    assert number["engine"] - added["one with the machine"] == 5
    assert len(added) == 6


# ---- Cards


def test_altitude_cards_are_named_by_their_bands():
    found = cells("altitude-cards", "altitude")
    assert list(found) == [card.value for card in AltitudeCard]
    for card in AltitudeCard:
        kind, _, bands = card.value.partition("_")
        assert found[card.value] == (int(bands) if kind == "climb" else -int(bands))
        assert found[card.value] == level_of(card)


def test_speeds_of_climbs_and_dives():
    assert list(cells("altitude-cards", "speed").values()) == [0, -1, -3, 0, 0, 1, 2]
    assert list(cells("altitude-cards", "offered").values()) == [0, 0, 0, 1, 1, 0, 0]
    # What is a setting as well stands there with its default.
    settings = BOOK.settings
    speed = cells("altitude-cards", "speed")
    assert (-speed["climb_1"], speed["dive_3"], speed["dive_4"]) == (
        settings.climb_1_speed, settings.dive_3_speed, settings.dive_4_speed,
    )  # fmt: skip


def test_an_accelerate_of_two_gives_back_one():
    plain, softened = cells("altitude-cards", "speed"), cells("softened-climbs", "speed")
    assert {card: softened[card] - plain[card] for card in softened} == {
        "climb_2": 1,
        "climb_3": 1,
    }
    assert (4 + plain["climb_2"], 4 + softened["climb_2"]) == (3, 4)  # V9
    assert (5 + plain["climb_3"], 5 + softened["climb_3"]) == (2, 3)  # V10


def test_speed_cards_are_named_by_their_speed():
    found = cells("speed-cards", "speed")
    assert list(found) == [card.value for card in SpeedCard]
    assert list(found.values()) == [1, 2, -1, -2]


def test_agility():
    turn, hard = cells("agility", "turn"), cells("agility", "hard")
    assert list(turn) == [one.value for one in Agility]
    fastest = max(one.dive_speed for one in BOOK.aircraft.values())
    assert all(turn[one] == 12 >= fastest for one in "abc")
    assert turn["d"] == 3
    assert list(hard.values()) == [4, 3, 0, 0]
    assert list(cells("agility", "accelerate").values()) == [2, 2, 2, 1]


def test_the_discs_of_every_action():
    found = cells("maneuvers", "discs")
    assert list(found) == [one.value for one in Maneuver]
    assert found == {
        "straight": "*", "left": "L*", "right": "R*", "late_left": "*L", "late_right": "*R",
        "shift_left": "*lF", "shift_right": "*rF", "hard_left": "LL*", "hard_right": "RR*",
        "immelmann": "*", "split_s": "*",
    }  # fmt: skip
    assert all(discs.count("*") == 1 for discs in found.values())
    two = {"shift_left", "shift_right", "hard_left", "hard_right"}
    assert {one.value for one in Maneuver if fewest_discs(one, BOOK) == 2} == two
    assert {fewest_discs(one, BOOK) for one in Maneuver} == {1, 2}


def test_ratings_are_those_a_pilot_may_have():
    found = cells("ratings", "means")
    assert list(found) == ["-1", "0", "1", "2", "3", "4"]
    words = ("crewman", "no combat", "no kill", "shot down", "expert", "legend")
    assert all(word in means for word, means in zip(words, found.values()))


def test_the_single_figures():
    assert cells("figures", "value") == {
        "to_hit": 4,
        "altitude_reach": 2,
        "tailing_tweaks": 1,
        "tailing_rating": 1,
        "trade_tweaks": 2,
        "level_reach": 1,
        "stall_bands": 1,
        "recovery_speed": 1,
        "engine_boxes": 1,
        "engine_boxes_two_ones": 2,
        "top_speed_lost": 1,
        "oil_leak": -1,
        "sniper_die": 4,
        "rugged_die": 4,
        "special_ones": 2,
        "sniper_risk": 2,
        "pilot_share": 3,
        "companion_number": 6,
        "takeover_number": 7,
        "severe_wound": -1,
        "deadly_wound": 3,
    }


# ---- Where they are from


def test_every_table_says_where_it_is_from_and_house_tables_are_marked():
    for table in BOOK.tables.values():
        assert table.basis in BASES
        assert table.rule_id in BOOK.index
        assert table.basis != "stated" or "seed 004" in table.source
        assert not table.setting or table.setting in BOOK.setting_specs
    assert {table.id for table in BOOK.tables.values() if table.basis == "house"} == {
        "speed-cards",
        "agility",
        "maneuvers",
    }


def test_columns_that_a_setting_chooses_are_its_values():
    wounds = BOOK.setting_specs["second_wound"]
    assert BOOK.tables["wounds"].columns == tuple(choice.value for choice in wounds.choices)


READINGS = {
    "R1": {"altitude_cards": "status"},
    "R2": {"behind_bonus": "any"},
    "R3": {"vertical_bonus": True},
    "R4": {"tailing_bonus": "once"},
    "R5": {"extreme_penalty": "shooter"},
    "R6": {"flexible_arc_rule": "mount"},
    "R7": {"mixed_weapons": "per-weapon"},
    "R8": {"flammable": "both"},
    "R9": {"sniper_risk": "minus-two"},
    "R10": {"risk_trigger": "special"},
    "R11": {"special_count": "all"},
    "R12": {"second_wound": "total-three"},
    "R13": {"oil_leak": "to-hit"},
    "R14": {"engine_hit": "mark-box"},
    "R15": {"fire_stacking": "all", "fires_out": "all"},
    "R16": {"fire_timing": "next-turn"},
    "R17": {"smoke": "fire-or-shot-engine"},
    "R18": {"damaged_tests": "all-2d6"},
    "R19": {"half_damage": "at-half"},
    "R20": {"engine_test_rating": False},
    "R21": {"airframe_tests": "stressed", "engine_tests": "asked-for"},
    "R22": {"lost_die": "random"},
    "R23": {"crossing": "side"},
    "R24": {"shot_down": "at-points"},
    "R25": {"takeover": "both"},
    "R26": {"results": "at-once"},
    "R27": {"tail_move_order": "follows"},
    "R28": {"rocket_salvo": "one-roll"},
    "R29": {"own_side": "refused"},
    "R30": {"missed_ram": "forward-only"},
}


def test_each_reading_of_the_register_is_a_setting_with_its_default():
    found = defaultdict(dict)
    for spec in BOOK.setting_specs.values():
        if spec.note.startswith("R"):
            found[spec.note][spec.name] = spec.default
    assert found == READINGS
    assert list(READINGS) == [f"R{number}" for number in range(1, 31)]
    for spec in BOOK.setting_specs.values():
        assert not spec.choices or spec.choices[0].value == spec.default, spec.name


def test_figures_of_the_register_are_the_defaults():
    settings = BOOK.settings
    assert (settings.disc_mils, settings.points, settings.tweak_degrees) == (5_000, 6, 15)
    assert (settings.gun_half_arc, settings.rear_half_arc, settings.flexible_half_arc) == (
        30, 30, 60,
    )  # fmt: skip
    assert (settings.tail_range_mils, settings.tail_altitude) == (20_000, 2)
    assert (settings.split_s_speed, settings.hard_turn_speed) == (1, 1)
    assert (settings.split_s_bands, settings.immelmann_bands, settings.immelmann_speed) == (2, 2, 2)
    assert (settings.dive_1_speed, settings.climb_1_speed) == (1, 0)
    assert (settings.beam_degrees, settings.nose_to_nose_degrees) == (60, 15)
    assert (settings.observer_rating, settings.duel_altitude) == (-1, 6)
    assert (settings.altitude_ceiling, settings.spin_scatter) == (12, 12)
    assert settings.collision_damage_dice == 3


def test_stated_fields_are_fields_of_a_data_book():
    for one in BOOK.aircraft.values():
        named = (*one.stated_fields, *one.derived_fields)
        assert set(named) <= set(DataBook.__dataclass_fields__)
        assert bool(one.stated_fields) == ("seed 004" in one.source)
