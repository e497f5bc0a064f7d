"""The picture is well-formed, stands alone, never varies, and shows what the view says."""

import re
from dataclasses import replace
from math import sqrt
from xml.etree import ElementTree

import pytest
from guncamera.rules.hexes import HexDirection
from guncamera.rulesets.kettering.board import open_board, view_for
from guncamera.rulesets.kettering.book import load_book
from guncamera.rulesets.kettering.facts import (
    Aspect,
    Condition,
    Critical,
    End,
    Fate,
    Score,
    Torpedo,
    Winner,
)
from guncamera.rulesets.kettering.map import all_hexes, label
from guncamera.rulesets.kettering.orders import Encounter, Phase, Setup, Shot
from guncamera.rulesets.kettering.picture import picture

BOOK = load_book()
SVG = "{http://www.w3.org/2000/svg}"
NORTHWEST, SOUTHEAST = HexDirection.NORTHWEST, HexDirection.SOUTHEAST
EMPTY = view_for(open_board(Setup("fokker-d7"), BOOK), "pilot", BOOK)
SHOT_DOWN = Encounter(5, 3, Fate(End.SHOT_DOWN, None, Winner.GERMAN))


def in_flight(aircraft_hex="T-20", torpedo_hex="V-18", **changes):
    aircraft = replace(
        EMPTY.aircraft, hex=aircraft_hex, facing=NORTHWEST, altitude_metres=1150, speed_mp=9
    )
    torpedo = torpedo_hex and Torpedo(torpedo_hex, SOUTHEAST, 2050, 4)
    return replace(
        EMPTY,
        phase=Phase.FIRE,
        encounter=2,
        turn=3,
        aircraft=aircraft,
        torpedo=torpedo or None,
        torpedoes_left=10,
        encounters=(SHOT_DOWN,),
        wind_toward=SOUTHEAST,
        **changes,
    )


VIEWS = {
    "empty": EMPTY,
    "launch": replace(in_flight(torpedo_hex=""), phase=Phase.LAUNCH, turn=0, wind_toward=None),
    "near": in_flight(),
    "far": in_flight("A-36", "PP-28"),
    "same hex": in_flight("T-20", "T-20"),
    "corners": in_flight("A-52", "PP--1"),
    "other corners": in_flight("A-19", "PP-32"),
    "after a shot": in_flight(last_shot=Shot(3, "U-19", "V-18", Aspect.TAIL, False)),
    "after a kill": replace(
        EMPTY,
        encounter=1,
        encounters=(SHOT_DOWN,),
        last_shot=Shot(5, "U-19", "V-18", Aspect.HEAD_ON, True),
    ),
    "finished": replace(
        EMPTY,
        phase=Phase.FINISHED,
        encounter=12,
        encounters=(SHOT_DOWN,) * 12,
        torpedoes_left=0,
        score=Score(12, 1, 2, 9, "6.7", pleased=True),
    ),
}


def drawn(view, book=BOOK):
    return ElementTree.fromstring(picture(view, book))


def words(root):
    return " | ".join("".join(node.itertext()) for node in root.iter(f"{SVG}text"))


@pytest.mark.parametrize("name", list(VIEWS))
def test_it_is_well_formed_small_and_the_same_every_time(name):
    first = picture(VIEWS[name], BOOK)
    assert ElementTree.fromstring(first).tag == f"{SVG}svg"
    assert first.encode() == picture(VIEWS[name], BOOK).encode()
    assert len(first.encode()) < 40_000


@pytest.mark.parametrize("name", list(VIEWS))
def test_it_refers_to_nothing_outside_itself(name):
    root = drawn(VIEWS[name])
    ids = {node.get("id") for node in root.iter()} - {None}
    for node in root.iter():
        assert not node.tag.endswith(("script", "image", "foreignObject", "a"))
        for attribute, value in node.attrib.items():
            assert not attribute.startswith("on")
            if attribute.endswith("href"):
                assert value.startswith("#")
                assert value[1:] in ids
    assert not re.search(r"url\(|@import|data:", picture(VIEWS[name], BOOK))


@pytest.mark.parametrize("name", list(VIEWS))
def test_every_text_is_large_enough_for_a_phone_and_begins_on_the_picture(name):
    root = drawn(VIEWS[name])
    _, _, width, height = (float(part) for part in root.get("viewBox").split())
    assert (width, height < 800) == (360, True)
    style = root.find(f"{SVG}style").text
    assert min(int(size) for size in re.findall(r"font-size:(\d+)px", style)) >= 11
    assert "prefers-color-scheme:dark" in style
    for node in root.iter(f"{SVG}text"):
        assert 0 <= float(node.get("x")) <= width
        assert 0 <= float(node.get("y")) <= height


def places(root, name):
    """Where a piece is drawn: x, y and turn of each use, the key's small one left out."""
    found = []
    for node in root.iter(f"{SVG}use"):
        if node.get("href") == f"#ket-{name}":
            parts = re.fullmatch(
                r"translate\((\S+) (\S+)\) rotate\((\S+)\) scale\((\S+)\)", node.get("transform")
            ).groups()
            found.append(tuple(float(part) for part in parts))
    return [place[:3] for place in found if place[3] != 0.16]


def plain_centre(row, number, root):
    """The middle of a hex by plain geometry: 34 columns of width w, rows 1.5 sides apart."""
    first_row = next(node for node in root.iter(f"{SVG}use") if node.get("href") == "#ket-row")
    left, top = float(first_row.get("x")), float(first_row.get("y"))
    width = (360 - left - 6) / 34.5
    side = width / sqrt(3)
    east = 53 - number - row / 2
    return left + width * (east + 0.5), top + side * (1.5 * (42 - row) + 1)


@pytest.mark.parametrize(
    ("aircraft", "torpedo"),
    [
        (("T-20", 20, 20), ("V-18", 22, 18)),
        (("A-52", 1, 52), ("PP--1", 42, -1)),
        (("A-19", 1, 19), ("PP-32", 42, 32)),
        (("B-20", 2, 20), ("B-20", 2, 20)),
    ],
)
def test_the_pieces_stand_on_the_middle_of_their_hexes_and_face_as_they_should(aircraft, torpedo):
    root = drawn(in_flight(aircraft[0], torpedo[0]))
    for name, (_, row, number), turn in (
        ("aircraft", aircraft, -120),
        ("torpedo", torpedo, -300),
    ):
        x, y = plain_centre(row, number, root)
        found = places(root, name)
        assert len(found) >= 2, "in the close-up and on the whole board"
        for place in found:
            assert place == (pytest.approx(x, abs=0.01), pytest.approx(y, abs=0.01), turn)


def test_the_close_up_shows_both_pieces_and_their_words_inside_its_frame():
    for torpedo in ("T-20", "T-19", "U-20", "W-14", "S-26", "X-18", "P-20", "AA-12"):
        root = drawn(in_flight("T-20", torpedo))
        panels = list(root.iter(f"{SVG}svg"))[1:]
        shown = {"aircraft": 0, "torpedo": 0}
        for panel in panels:
            x, y, width, height = (float(part) for part in panel.get("viewBox").split())
            for name in shown:
                for at in places(panel, name):
                    inside = x < at[0] < x + width and y < at[1] < y + height
                    shown[name] += inside
        assert min(shown.values()) == 1
        assert max(shown.values()) == 1


@pytest.mark.parametrize("name", ["near", "far", "same hex", "corners", "other corners"])
def test_altitude_speed_hex_and_facing_are_written(name):
    view = VIEWS[name]
    written = words(drawn(view))
    for part in (
        "1,150 m, speed 9",
        "2,050 m, speed 4",
        f"{view.aircraft.hex}, northwest",
        f"{view.torpedo.hex}, southeast",
        "Fokker D.VII",
        "Torpedo 2 of 12, turn 3",
        "1 stopped, 0 through, 10 to come",
        "12 shots left, damage 0 of 14",
        "torpedo 900 m higher",
        "German ground",
    ):
        assert part in written


def test_the_edges_carry_row_letters_and_hex_numbers():
    written = words(drawn(EMPTY)).split(" | ")
    letters = [word for word in written if re.fullmatch(r"[A-Z]{1,2}", word)]
    assert letters == [label(h).split("-")[0] for h in all_hexes(BOOK)[:: 2 * 34]]
    numbers = [word for word in written if re.fullmatch(r"\d+", word)]
    assert numbers == [str(n) for n in (*range(0, 31, 5), *range(20, 51, 5))]


def test_each_ground_has_the_rows_that_the_settings_give_it():
    book = BOOK.with_settings({"no_mans_land_south_row": 15, "no_mans_land_north_row": 30})
    for of, expected in ((BOOK, (19, 4, 19)), (book, (14, 16, 12))):
        rows = [n.get("class") for n in drawn(EMPTY, of).iter(f"{SVG}use") if n.get("class")]
        counted = tuple(rows.count(f"hex {g}") for g in ("german", "no-mans-land", "allied"))
        assert counted == expected


def test_the_wind_points_where_the_pieces_are_pushed():
    for toward, turn in ((HexDirection.EAST, 0), (NORTHWEST, -120), (SOUTHEAST, -300)):
        root = drawn(replace(in_flight(), wind_toward=toward))
        arrow = next(n for n in root.iter(f"{SVG}path") if n.get("class") == "wind")
        assert f"rotate({turn})" in arrow.get("transform")
    still = drawn(replace(in_flight(), wind_toward=None))
    assert not [n for n in still.iter(f"{SVG}path") if n.get("class") == "wind"]


def test_a_shot_is_a_line_from_the_shooter_to_the_torpedo():
    root = drawn(VIEWS["after a shot"])
    line = next(n for n in root.iter(f"{SVG}path") if n.get("class") == "shot").get("d")
    ends = [float(part) for part in re.findall(r"[\d.]+", line)]
    expected = (*plain_centre(21, 19, root), *plain_centre(22, 18, root))
    assert ends == [pytest.approx(end, abs=0.01) for end in expected]
    assert "Shot of turn 3, from behind, U-19 at V-18: missed" in words(root)
    assert "burst" not in {n.get("class") for n in root.iter()}
    killed = drawn(VIEWS["after a kill"])
    assert "burst" in {n.get("class") for n in killed.iter()}
    assert "destroyed it" in words(killed)


def test_damage_and_critical_hits_are_written_and_counted_when_they_are_too_many():
    engine, fuel = Critical.ENGINE_DAMAGED, Critical.FUEL_LINE_SEVERED
    hurt = Condition(8, (engine, engine, fuel), jammed=True)
    view = in_flight()
    view = replace(view, aircraft=replace(view.aircraft, condition=hurt), fuel_turns=3)
    written = words(drawn(view))
    assert "damage 8 of 14" in written
    assert "engine damaged x2, fuel line severed, jammed now," in written
    assert "fuel for 3 turns" in written
    many = Condition(8, tuple(Critical)[:7] * 3)
    view = replace(view, aircraft=replace(view.aircraft, condition=many))
    assert "21 hits in all" in words(drawn(view))


def test_the_end_of_the_day_shows_the_score_and_how_it_came_about():
    written = words(drawn(VIEWS["finished"]))
    for part in (
        "The campaign is over",
        "Score 9: the commander is pleased",
        "12 stopped, 1 deleted for hits",
        "2 deleted for damage",
        "expected 6.7",
        "12. shot down, 3 shots",
    ):
        assert part in written


def test_a_screen_reader_gets_a_title_and_a_description():
    root = drawn(VIEWS["near"])
    assert root.get("role") == "img"
    title, desc = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert root.get("aria-labelledby").split() == [title.get("id"), desc.get("id")]
    assert title.text == "Kettering Aerial Torpedo: Torpedo 2 of 12, turn 3"
    for part in (
        "The Fokker D.VII is on T-20 facing northwest, 1,150 m, speed 9.",
        "The torpedo is on V-18 heading southeast, 2,050 m, speed 4.",
        "The wind blew toward the southeast.",
    ):
        assert part in desc.text


def test_hostile_names_are_escaped():
    hostile = '</text><script>alert("1")</script>&'
    profile = replace(BOOK.aircraft["fokker-d7"], title=hostile)
    book = replace(BOOK, aircraft={**BOOK.aircraft, "fokker-d7": profile})
    svg = picture(in_flight(), book)
    assert "<script" not in svg
    root = ElementTree.fromstring(svg)
    assert hostile in words(root)
    assert hostile in root.find(f"{SVG}desc").text
    unknown = in_flight()
    unknown = replace(unknown, aircraft=replace(unknown.aircraft, type="<b>&"))
    assert "<b>&" in words(drawn(unknown))


@pytest.mark.parametrize("width", [32, 33, 35])
def test_boards_of_other_widths_fit(width):
    book = BOOK.with_settings({"map_width_hexes": width})
    root = drawn(in_flight("A-45", "PP-20"), book)
    row = next(n for n in root.iter(f"{SVG}path") if n.get("id") == "ket-row")
    assert row.get("d").count("M") == width
