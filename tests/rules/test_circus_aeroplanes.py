"""The aeroplanes of Flying Circus Plus, one's own, and what the rule set's page says of both."""

import re
from collections import Counter
from dataclasses import replace
from importlib import resources

import pytest
from guncamera.rules.dealt import DealtDice
from guncamera.rules.hexes import HexDirection
from guncamera.rules.refusal import Malformed
from guncamera.rulesets.circus.aeroplanes import check_own, faults_of
from guncamera.rulesets.circus.aircraft import (
    HIGH_STRESS,
    Aircraft,
    Build,
    Feed,
    Manoeuvre,
    Mount,
    Nation,
    TurnCode,
    Weapon,
)
from guncamera.rulesets.circus.book import PACKAGE, load_book
from guncamera.rulesets.circus.facts import Flight, MoveFacts, Plot, Plotting
from guncamera.rulesets.circus.move import rule_on_move

BOOK = load_book()
README = resources.files(PACKAGE).joinpath("README.md").read_text(encoding="utf-8")


def rounded(number, step=1):
    """To the nearest step, halves up, in whole numbers."""
    return (2 * number + step) // (2 * step) * step


DRAGGING = {
    "fokker_dr_i", "siemens_schuckert_d_iv", "airco_dh2", "sopwith_pup", "sopwith_triplane",
    "sopwith_camel", "sopwith_snipe", "nieuport_11", "nieuport_17", "nieuport_28", "hanriot_hd1",
}  # fmt: skip


def test_there_are_35_aeroplanes_and_the_examples_have_the_first():
    nations = Counter(aeroplane.nation for aeroplane in BOOK.aircraft.values())
    assert nations == {Nation.GERMAN: 15, Nation.BRITISH: 12, Nation.FRENCH: 8}
    assert next(iter(BOOK.aircraft)) == "fokker_d_vii"


@pytest.mark.parametrize("aeroplane", BOOK.aircraft.values(), ids=lambda one: one.type)
def test_an_aeroplane_follows_the_method_of_the_register(aeroplane):
    kmh = int(re.search(r"(\d+) km/h", aeroplane.source)[1])
    climbed = int(re.search(r"(\d+) feet climbed", aeroplane.source)[1])
    assert aeroplane.top_mp == rounded(kmh, 20) // 20
    assert aeroplane.climb_feet == rounded(climbed, 50)
    assert aeroplane.ceiling_feet % 500 == 0
    builds = BOOK.tables["builds"]
    for name in builds.columns:
        above = builds.number(aeroplane.build.value, name)
        assert getattr(aeroplane, name) == aeroplane.top_mp + above
    assert aeroplane.drag == (aeroplane.crew == 2 or aeroplane.type in DRAGGING)
    assert 50 <= aeroplane.climb_feet <= 300
    assert aeroplane.stressing == HIGH_STRESS
    assert aeroplane.derived_fields == (
        "top_mp", "stall_mp", "climb_feet", "ceiling_feet", "weapons",
    )  # fmt: skip
    assert list(faults_of(aeroplane, BOOK, "aeroplane")) == []


@pytest.mark.parametrize("aeroplane", BOOK.aircraft.values(), ids=lambda one: one.type)
def test_its_guns_are_fed_and_manned(aeroplane):
    for weapon in aeroplane.weapons:
        if weapon.feed == Feed.BELT:
            assert weapon.loads == 1
            assert weapon.load_points <= 10
        points = {Feed.DRUM: 2, Feed.BOX: 5}
        assert weapon.load_points == points.get(weapon.feed, weapon.load_points)
    assert (aeroplane.crew == 2) == any(w.mount != Mount.FRONT for w in aeroplane.weapons)


def test_guns_of_the_types_that_are_not_plain():
    def guns(slug):
        return [
            (w.mount.value, w.feed.value, w.barrels, w.loads, w.load_points)
            for w in BOOK.aircraft[slug].weapons
        ]

    assert guns("fokker_d_vii") == [("front", "belt", 2, 1, 10)]
    assert guns("se5a") == [("front", "belt", 1, 1, 8), ("front", "drum", 1, 4, 2)]
    assert guns("fe2b") == [("pin", "drum", 1, 6, 2), ("pillar", "drum", 1, 6, 2)]
    assert guns("bristol_f2b") == [("front", "belt", 1, 1, 10), ("ring", "drum", 1, 7, 2)]
    assert guns("breguet_14") == [("front", "belt", 1, 1, 10), ("ring", "drum", 2, 4, 2)]
    assert guns("roland_c_iia") == [("front", "belt", 1, 1, 10), ("ring", "box", 1, 4, 5)]
    assert guns("airco_dh2") == [("front", "drum", 1, 4, 2)]


def test_who_flies_what():
    hangs = {a.type for a in BOOK.aircraft.values() if Manoeuvre.PROPELLER_HANG in a.manoeuvres}
    assert hangs == {
        "fokker_dr_i", "fokker_d_vii", "fokker_d_viif", "fokker_d_viii", "siemens_schuckert_d_iv",
    }  # fmt: skip
    for aeroplane in BOOK.aircraft.values():
        assert {Manoeuvre.SIDE_SLIP, Manoeuvre.YO_YO} <= set(aeroplane.manoeuvres)
        assert aeroplane.crew == 1 or Manoeuvre.ROLLING_REVERSAL not in aeroplane.manoeuvres
    assert {a.type for a in BOOK.aircraft.values() if a.build == Build.ROBUST} == {
        "pfalz_d_iiia", "fokker_d_vii", "fokker_d_viif", "dfw_c_v", "se5a", "bristol_f2b",
        "spad_vii_150hp", "spad_vii_180hp", "spad_xiii", "breguet_14",
    }  # fmt: skip


# ---- One's own aeroplanes

OWN = replace(BOOK.aircraft["bristol_f2b"], type="rumpler_c_iv", title="Rumpler C.IV")
FRONT = Weapon(Mount.FRONT, Feed.BELT, 1, 1, 10)
RING = Weapon(Mount.RING, Feed.DRUM, 1, 6, 2)


def faults(*aeroplanes):
    with pytest.raises(Malformed) as refused:
        check_own(aeroplanes, BOOK, "setup.own_aeroplanes")
    assert refused.value.rule_id == "CIR-1.5"
    assert {violation.rule_id for violation in refused.value.violations} == {"CIR-1.5"}
    prefix = "setup.own_aeroplanes"
    return [violation.field.removeprefix(prefix) for violation in refused.value.violations]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"type": "Rumpler C.IV"}, "type"),
        ({"type": ""}, "type"),
        ({"type": "4_winds"}, "type"),
        ({"type": "rumpler__c"}, "type"),
        ({"type": "se5a"}, "type"),
        ({"title": "  "}, "title"),
        ({"stall_mp": 10}, "stall_mp"),
        ({"safe_dive_mp": 9}, "safe_dive_mp"),
        ({"over_speed_mp": 15}, "over_speed_mp"),
        ({"damage_limit": 3}, "damage_limit"),
        ({"turn_code": TurnCode.E}, "turn_code"),
        ({"climb_feet": 120}, "climb_feet"),
        ({"ceiling_feet": 19510}, "ceiling_feet"),
        ({"ceiling_feet": 0}, "ceiling_feet"),
        ({"weapons": ()}, "weapons"),
        ({"weapons": (FRONT, replace(FRONT, barrels=2))}, "weapons"),
        ({"weapons": (RING, RING, RING)}, "weapons"),
        ({"weapons": (replace(FRONT, loads=2), RING)}, "weapons[0].loads"),
        ({"crew": 1}, "weapons[1].mount"),
        ({"manoeuvres": (Manoeuvre.LOOP, Manoeuvre.LOOP)}, "manoeuvres"),
        ({"high_stress": (Manoeuvre.LOOP, Manoeuvre.LOOP)}, "high_stress"),
        ({"high_stress": (Manoeuvre.PROPELLER_HANG,)}, "high_stress"),
    ],
)
def test_each_fault_of_an_own_aeroplane_is_found_at_its_place(changes, field):
    assert faults(replace(OWN, **changes)) == [f"[0].{field}"]


def test_an_own_aeroplane_may_be_at_the_bounds():
    check_own((), BOOK, "own_aeroplanes")
    check_own((OWN,), BOOK, "own_aeroplanes")
    bound = replace(
        OWN,
        type="a1-b",
        stall_mp=9,
        safe_dive_mp=10,
        over_speed_mp=11,
        damage_limit=9,
        climb_feet=0,
        ceiling_feet=50,
        weapons=(replace(FRONT, barrels=2), RING, RING),
        manoeuvres=(),
    )
    check_own((OWN, bound), BOOK, "own_aeroplanes")


def test_two_own_aeroplanes_may_not_share_a_slug():
    assert faults(OWN, replace(OWN, title="Another")) == ["[0].type", "[1].type"]


def test_all_faults_are_listed_at_once_and_counted():
    broken = replace(OWN, stall_mp=11, safe_dive_mp=1, turn_code=TurnCode.E, weapons=())
    assert faults(OWN, broken) == [
        "[0].type",
        "[1].type",
        "[1].stall_mp",
        "[1].safe_dive_mp",
        "[1].turn_code",
        "[1].weapons",
    ]
    with pytest.raises(Malformed, match=r"4 faults in all"):
        check_own((replace(broken, type="other"),), BOOK, "own_aeroplanes")


# ---- The page of the rule set


def cells_of_page(after, before):
    """The rows of the first table between two phrases of the page, cell by cell."""
    part = README.partition(after)[2].partition(before)[0]
    rows = [line for line in part.splitlines() if line.startswith("| `")]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def test_the_page_lists_the_aeroplanes_as_they_are():
    listed = cells_of_page("## Aeroplanes", "## Bringing")
    assert [row[0].strip("`") for row in listed] == list(BOOK.aircraft)
    for row, one in zip(listed, BOOK.aircraft.values()):
        speeds = f"{one.top_mp}, {one.stall_mp}, {one.safe_dive_mp}, {one.over_speed_mp}"
        build = f"{one.build}, drag" if one.drag else one.build
        assert row[1:9] == [
            one.title, str(one.crew), speeds, one.turn_code.upper(), str(one.climb_feet),
            f"{one.ceiling_feet:,}", build, str(one.damage_limit),
        ]  # fmt: skip
        more = len(row[10].split(",")) if row[10] != "none" else 0
        assert more + 2 == len(one.manoeuvres)


def test_the_plots_on_the_page_can_be_flown():
    plots = [row[0].strip("`") for row in cells_of_page("Examples, for", "Which plots")]
    assert len(plots) > 8
    for codes in plots:
        aircraft = Aircraft(
            id="one",
            aeroplane="fokker_d_vii",
            hex="2013",
            facing=HexDirection.EAST,
            altitude_feet=6_000,
            speed_mp=10,
            ke=2 if "Z2" in codes else 0,
            power_diving=codes.startswith("2 vv"),
        )
        facts = MoveFacts(Plotting((Flight(aircraft, Plot("one", 10, codes)),)))
        assert rule_on_move(facts, BOOK, DealtDice(())).outcome.procedure.flights
