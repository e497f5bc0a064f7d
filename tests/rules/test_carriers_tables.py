"""The printed tables of the carriers, against figures from the register of rules.

Chances out of 36, sums, the shape of a die: a slip in a single cell breaks one of them.
"""

import itertools
from collections import Counter

import pytest
from guncamera.rules.table import BASES
from guncamera.rulesets.carriers.book import figure, load_book
from guncamera.rulesets.carriers.cards import Key, Line, ShipClass, Side
from guncamera.rulesets.carriers.outcomes import Result

BOOK = load_book()
TABLES = BOOK.tables
D6 = range(1, 7)
PAIRS = list(itertools.product(D6, repeat=2))


def cells(table, column):
    return {row.label: TABLES[table].cell(row.label, column) for row in TABLES[table].rows}


# ---- Set-up


def test_a_fleet_has_two_carriers_and_ten_others_and_three_cards_in_front():
    assert cells("figures", "value") == {
        "carriers": 2,
        "other_ships": 10,
        "cards_in_front": 3,
        "lines_a_move": 1,
    }
    assert figure(BOOK, "cards_in_front") == 3


def test_lines_are_six_inches_apart_and_the_shortest_range_is_furthest_forward():
    inches = cells("lines", "inches")
    assert list(inches) == [line.value for line in Line]
    assert [inches[line] // 6 for line in Line] == [3, 2, 1]
    assert not any(n % 6 for n in inches.values())
    assert list(cells("lines", "rank").values()) == [1, 2, 3]
    # On the shallowest table the two Short lines just meet.
    assert 2 * inches["short"] == BOOK.setting_specs["table_depth_inches"].low


@pytest.mark.parametrize("side", Side)
def test_a_fleet_as_shipped_is_one_that_may_be_brought(side):
    classes = Counter(cells(f"{side}-fleet", "class").values())
    assert classes == {"carrier": 2, "battleship": 2, "cruiser": 3, "destroyer": 5}
    assert classes["carrier"] == figure(BOOK, "carriers")
    assert classes.total() - classes["carrier"] == figure(BOOK, "other_ships")
    lines = cells(f"{side}-fleet", "line")
    assert Counter(lines.values()) == {"short": 5, "medium": 5, "long": 2}
    carriers = [ship for ship, kind in cells(f"{side}-fleet", "class").items() if kind == "carrier"]
    assert {lines[ship] for ship in carriers} == {"medium"}


def test_ships_of_the_two_sides_have_names_of_their_own():
    names = [row.label for side in Side for row in TABLES[f"{side}-fleet"].rows]
    assert len(set(names)) == len(names) == 24


def test_the_default_cards_are_the_eight_as_shipped():
    for side in Side:
        types = list(cells("default-cards", side.value).values())
        assert {BOOK.aircraft[one].nation for one in types} == {side}
        assert [BOOK.aircraft[one].role for one in types][:3] == [
            "fighter", "dive_bomber", "torpedo",
        ]  # fmt: skip
    every = {one for side in Side for one in cells("default-cards", side.value).values()}
    assert every == set(BOOK.aircraft)


# ---- Damage


def on_a_carrier(column):
    """Ends of a bomb on a carrier, out of 216 throws of the three dice it may take."""
    found = Counter()
    for first, second, third in itertools.product(D6, repeat=3):
        end = TABLES["carrier-bomb"].cell(first, column)
        if end == "deck":
            end = TABLES["deck"].cell(second, "result")
        if end == "fuel":
            end = TABLES["fuel"].cell(third, "result")
        found[end] += 1
    assert not any(count % 6 for count in found.values())
    return {Result(end): count // 6 for end, count in found.items()}


def test_chances_of_a_bomb_on_a_carrier():
    assert on_a_carrier("nothing") == {
        Result.BRIDGE: 12,
        Result.DECK_AIRCRAFT: 6,
        Result.FUEL_BURNS: 4,
        Result.FIRE_OUT: 2,
        Result.NOTHING: 12,
    }


def test_with_a_fire_put_out_on_five_and_six():
    assert on_a_carrier("fire-out") == {
        Result.BRIDGE: 12,
        Result.DECK_AIRCRAFT: 6,
        Result.FUEL_BURNS: 4,
        Result.FIRE_OUT: 14,
    }


def on_a_ship(nation, ship_class):
    """Harms of a bomb on another ship, out of 36: by what was hit, void ones left out."""
    found = Counter()
    for first, second in PAIRS:
        result = TABLES["ship-bomb"].cell(first, "result")
        if result in ("magazine", "gunnery"):
            second = max(1, second + TABLES["class-change"].number(ship_class, "change"))
        found[result] += TABLES["nation"].cell(second, result) == nation
    rows = ("magazine", "rudder", "gunnery", "conning", "turret")
    assert {Result(row) for row in rows} >= {Result(row) for row in found}
    return [found[row] for row in rows]


@pytest.mark.parametrize(
    ("nation", "ship_class", "of_36"),
    [
        ("us", "battleship", [2, 2, 2, 4, 8]),
        ("us", "cruiser", [1, 2, 3, 4, 8]),
        ("us", "destroyer", [0, 2, 4, 4, 8]),
        ("japan", "battleship", [4, 4, 4, 2, 4]),
        ("japan", "cruiser", [5, 4, 3, 2, 4]),
        ("japan", "destroyer", [6, 4, 2, 2, 4]),
    ],
)
def test_chances_of_a_bomb_on_another_ship(nation, ship_class, of_36):
    assert on_a_ship(nation, ship_class) == of_36
    assert sum(of_36) == 18


def test_below_one_a_bomb_names_no_nation():
    for row in ("magazine", "rudder", "gunnery", "conning", "turret"):
        assert {TABLES["nation"].cell(face, row) for face in (-1, 0)} == {"none"}
        assert {TABLES["nation"].cell(face, row) for face in D6} == {"us", "japan"}
    assert list(cells("class-change", "change")) == [one.value for one in ShipClass][1:]


def of_a_torpedo(nation, column):
    """Out of 36: listing, belt only, rudder, void."""
    found = Counter()
    for first, second in PAIRS:
        struck = TABLES["torpedo"].cell(first, column)
        effect = TABLES["belt"].cell(second, column)
        found[effect if struck == nation else "rudder alone" if struck == "rudder" else "void"] += 1
    names = ("listing", "nothing", "rudder alone", "rudder", "void")
    assert set(found) <= set(names)
    return [found[name] for name in names]


def test_chances_of_a_torpedo():
    assert of_a_torpedo("japan", "first") == [4, 8, 6, 0, 18]
    assert of_a_torpedo("us", "first") == [6, 12, 6, 0, 12]


def test_chances_of_a_torpedo_with_the_rudder_on_the_second_die():
    assert of_a_torpedo("japan", "second") == [4, 6, 0, 2, 24]
    assert of_a_torpedo("us", "second") == [6, 9, 0, 3, 18]


def test_flooding_takes_two_piercings_to_stop_a_ship_and_three_to_sink_it():
    effects = [TABLES["flooding"].cell(belts, "effect") for belts in range(5)]
    assert effects == ["nothing", "nothing", "dead_in_water", "sunk", "sunk"]
    assert {Key(effect) for effect in effects[2:]} == {Key.DEAD_IN_WATER, Key.SUNK}


def test_standing_effects():
    effects = TABLES["standing-effects"]
    assert [row.label for row in effects.rows] == [key.value for key in Key]
    torpedo, bomb = cells("standing-effects", "torpedo"), cells("standing-effects", "bomb")
    assert {key for key, n in torpedo.items() if n} == {
        "bridge", "deck_aircraft", "conning", "listing",
    }  # fmt: skip
    assert {key for key, n in bomb.items() if n} == {"deck_aircraft", "gunnery", "listing"}
    assert set(torpedo.values()) | set(bomb.values()) == {0, -1}
    lasts = cells("standing-effects", "lasts")
    assert {key for key, how_long in lasts.items() if how_long == "turn"} == {"turret"}
    assert set(lasts.values()) == {"turn", "game"}


# ---- Where they are from


def test_every_table_says_where_it_is_from():
    for table in TABLES.values():
        assert table.basis in BASES
        assert table.rule_id in BOOK.index, table.id
        assert table.basis != "stated" or "seed 003" in table.source
        assert not table.setting or table.setting in BOOK.setting_specs
    assert {table.id for table in TABLES.values() if table.basis == "house"} == {
        "us-fleet",
        "japan-fleet",
        "flooding",
    }


def test_columns_that_a_setting_chooses_are_its_values():
    for name in ("carrier-bomb", "torpedo", "belt"):
        table = TABLES[name]
        values = [choice.value for choice in BOOK.setting_specs[table.setting].choices]
        # "either" is the first column of the one table and the second of the other (CAR-8.7).
        assert list(table.columns) == [value for value in values if value != "either"]


READINGS = {
    "C1": {"bomb_number_for_dive": True},
    "C2": {"torpedo_six": "first", "first_six": "fails"},
    "C3": {"flooding": False},
    "C4": {"kate_swap": False},
    "C5": {"minus_one": "roll"},
    "C6": {"carrier_five_six": "nothing"},
    "C7": {"director_effect": "by-kind", "gunnery_effect": "bombs"},
    "C8": {"turret_six": "turn"},
    "C9": {"class_change": "nation-die"},
    "C10": {"fourth_number": "reconnaissance"},
    "C11": {"strike_order": "owner"},
    "C12": {"cap_use": "once-per-turn", "interceptors": "one"},
    "C13": {"cap_strikes": True},
    "C14": {"strike_interception": "automatic"},
    "C15": {"intercepted_cards": "spent"},
    "C16": {"lost_ship_cards": "returned"},
    "C17": {"strike_base": "any"},
    "C18": {"deck_hit_card": False},
    "C19": {"out_of_commission_ship": "acts"},
    "C20": {"fleet_rule": "ten-and-two"},
    "C21": {"us_torpedo_plane": "tbm"},
    "C22": {"table_depth_inches": 48},
    "C23": {"minus_one": "roll"},
}


def test_each_reading_of_the_register_is_a_setting_with_its_default():
    found = {}
    for spec in BOOK.setting_specs.values():
        for note in spec.note.split(", "):
            if note.startswith("C"):
                found.setdefault(note, {})[spec.name] = spec.default
    assert found == READINGS
    for spec in BOOK.setting_specs.values():
        assert not spec.choices or spec.choices[0].value == spec.default, spec.name
        assert spec.rule_id in BOOK.index, spec.name


def test_figures_of_the_register_are_the_defaults():
    settings = BOOK.settings
    assert settings.max_turns == 12
    assert (settings.points_out_of_commission, settings.points_battleship) == (10, 6)
    assert (settings.points_cruiser, settings.points_destroyer, settings.points_key) == (4, 2, 1)
    assert (settings.first_player, settings.range_rule, settings.no_carrier_end) == (
        "roll", "exact", True,
    )  # fmt: skip
