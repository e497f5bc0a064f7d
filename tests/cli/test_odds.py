"""`guncamera odds`: exact, and what a designer's changed cell does to them."""

from fractions import Fraction
from importlib import resources

import pytest

TABLES = resources.files("guncamera.rulesets.kettering").joinpath("tables.toml").read_text()
ROW = '  [9, "4*", "3*", 2, 1, 1, 1, 1, 2, 2, 1, 1, 1, 1, 1],'


def variant(tmp_path, text):
    file = tmp_path / "tables.toml"
    file.write_text(text)
    return file


def of(fields, value):
    return next(Fraction(one["fraction"]) for one in fields if one["value"] == value)


def test_odds_are_fractions_and_per_cent_with_a_bar(run, shot):
    ran = run("odds", "fire", "kettering", *shot)
    assert ran.code == 0
    lines = [" ".join(line.split()) for line in ran.out.splitlines()]
    assert lines[0] == "torpedo destroyed"
    assert lines[2].startswith("yes 2/9 22.22 % █")
    assert "guns jammed: always no" in lines
    assert "\x1b" not in ran.out
    assert max(map(len, ran.out.splitlines())) <= 80


def test_json_odds_sum_to_one(run, shot):
    odds = run("odds", "fire", "kettering", *shot, "--json").json
    assert of(odds["fields"]["torpedo_destroyed"], "yes") == Fraction(2, 9)
    for values in odds["fields"].values():
        assert sum(Fraction(one["fraction"]) for one in values) == 1
    assert odds["runs"] > 1


def test_a_setting_moves_the_odds(run, shot):
    plain = run("odds", "fire", "kettering", *shot, "--json").json
    jams = run("odds", "fire", "kettering", *shot, "--setting", "gun_jams=on-two", "--json").json
    assert of(plain["fields"]["guns_jammed"], "no") == 1
    assert of(jams["fields"]["guns_jammed"], "yes") == Fraction(1, 36)


def test_a_changed_cell_moves_the_odds_by_as_much_as_it_should(run, shot, tmp_path):
    file = variant(tmp_path, TABLES.replace(ROW, ROW.replace('"4*"', "4"), 1))
    odds = run("odds", "fire", "kettering", *shot, "--tables", file, "--json").json
    before = of(odds["fields"]["torpedo_destroyed"], "yes")
    after = of(odds["variant"]["fields"]["torpedo_destroyed"], "yes")
    assert before - after == Fraction(4, 36), "four ways to throw nine"
    assert odds["variant"]["rules_hash"] != odds["rules_hash"]
    assert odds["variant"]["changes"] == [
        {"where": "target-damage, row 9, column A-1", "shipped": "4*", "changed": "4"}
    ]


def test_the_difference_is_shown_in_points(run, shot, tmp_path):
    file = variant(tmp_path, TABLES.replace(ROW, ROW.replace('"4*"', "4"), 1))
    ran = run("odds", "fire", "kettering", *shot, "--tables", file)
    lines = [" ".join(line.split()) for line in ran.out.splitlines()]
    assert "1 changed cell" in lines
    assert "target-damage, row 9, column A-1 4* 4" in lines
    assert "yes 2/9 22.22 % 1/9 11.11 % -11.11" in lines


def test_one_table_alone_is_enough(run, shot, tmp_path):
    start = TABLES.index('[[table]]\nid = "penalties"')
    only = TABLES[start : TABLES.index("[[table]]", start + 1)]
    file = variant(tmp_path, only.replace("-1]", "-2]"))
    facts = ["speed_mp=6" if word == "speed_mp=4" else word for word in shot]
    odds = run("odds", "fire", "kettering", *facts, "--tables", file, "--json").json
    assert len(odds["variant"]["changes"]) == 1
    assert odds["variant"]["fields"] != odds["fields"]


def test_the_shipped_tables_change_nothing(run, shot, tmp_path):
    odds = run("odds", "fire", "kettering", *shot, "--tables", variant(tmp_path, TABLES), "--json")
    assert odds.json["variant"]["changes"] == []
    assert odds.json["variant"]["rules_hash"] == odds.json["rules_hash"]


def test_a_changed_aircraft_moves_the_odds(run, shot, tmp_path):
    aircraft = resources.files("guncamera.rulesets.kettering").joinpath("aircraft.toml").read_text()
    file = variant(tmp_path, aircraft.replace('gun = "A"', 'gun = "B"', 1))
    odds = run("odds", "fire", "kettering", *shot, "--tables", file, "--json").json
    assert odds["variant"]["changes"] == [
        {"where": "fokker-d7, gun", "shipped": "A", "changed": "B"}
    ]
    assert of(odds["variant"]["fields"]["torpedo_destroyed"], "yes") < Fraction(2, 9)


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        (ROW, ROW.replace("[9,", "[10,"), "do not meet"),
        (ROW, ROW.replace('"4*"', '"four"'), "no such cell"),
        ('id = "target-damage"', 'id = "target-damge"', "did you mean target-damage?"),
        ('["tail at two hexes", -3]', '["tail at 2 hexes", -3]', "tail at two hexes"),
        ('columns = ["modifier"]', 'columns = ["modifer"]', "modifier"),
        ('  ["..4", 0, 0', "  [4, 0, 0", "..12"),
        ("[[table]]", "[[tabel]]", "tabel"),
        ("rows = [", "rows = ", "line 14"),
    ],
)
def test_a_slip_in_the_tables_is_never_swallowed(run, shot, tmp_path, old, new, word):
    assert old in TABLES
    file = variant(tmp_path, TABLES.replace(old, new, 1))
    run("odds", "fire", "kettering", *shot, "--tables", file).refused(2, str(file), word)


def test_a_table_the_rule_cannot_use_is_one_line(run, tmp_path):
    text = TABLES.replace('[1, "21 SE"]', '[1, "22 SE"]')
    ran = run("odds", "move", "kettering", "entry", "--tables", variant(tmp_path, text))
    ran.refused(1, "the rule cannot use these tables")


def test_what_a_rule_forbids_has_no_odds(run, shot):
    facts = [word.replace("range_hexes=1", "range_hexes=3") for word in shot]
    run("odds", "fire", "kettering", *facts).refused(1, "KET-6.3")
