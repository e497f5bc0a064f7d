"""The picture is well-formed, stands alone, never varies, and shows what the view says."""

import re
from dataclasses import replace
from math import hypot, sqrt
from xml.etree import ElementTree

import pytest
from guncamera.rules.hexes import HexDirection
from guncamera.rulesets.circus.aircraft import (
    UNHURT,
    Aircraft,
    Condition,
    Load,
    Mount,
    PathStep,
    Pose,
    Side,
)
from guncamera.rulesets.circus.book import load_book
from guncamera.rulesets.circus.facts import Cloud
from guncamera.rulesets.circus.map import hex_at, label
from guncamera.rulesets.circus.orders import (
    Craft,
    Edge,
    Kill,
    Opportunity,
    Phase,
    Shot,
    TurnOrder,
    View,
)
from guncamera.rulesets.circus.outcomes import End, SeenBy, Sighting
from guncamera.rulesets.circus.picture import picture

BOOK = load_book()
SVG = "{http://www.w3.org/2000/svg}"
EAST, WEST, NORTHEAST = HexDirection.EAST, HexDirection.WEST, HexDirection.NORTHEAST
SOUTHWEST = HexDirection.SOUTHWEST
FIRST, SECOND = Side.FIRST, Side.SECOND


def flown(start, facing, feet, steps):
    """A path straight ahead, each step's pose with the feet it gains."""
    at, path = hex_at(start, BOOK, ""), [PathStep(0, start, facing, feet, Pose.LEVEL)]
    for mp, (pose, change) in enumerate(steps, start=1):
        at, feet = at.step(facing), feet + change
        path.append(PathStep(mp, label(at), facing, feet, pose))
    return tuple(path)


def craft(side, id_, type_, start, facing, feet, steps=(), **changes):
    weapons = BOOK.aircraft[type_].weapons
    path = flown(start, facing, feet, steps) if steps else ()
    end = path[-1] if path else PathStep(0, start, facing, feet, Pose.LEVEL)
    condition, ke = changes.pop("condition", UNHURT), changes.pop("ke", 0)
    aircraft = Aircraft(
        id_,
        type_,
        end.hex,
        facing,
        end.altitude_feet,
        BOOK.aircraft[type_].top_mp,
        ke,
        resolution=changes.pop("resolution", 10),
        condition=condition,
        loads=tuple(Load(weapon.load_points, weapon.loads - 1) for weapon in weapons),
    )
    return Craft(side, aircraft, path, **changes)


def seen(**changes):
    given = {
        "seat": None,
        "phase": Phase.SPOT,
        "turn": 1,
        "turns": 30,
        "turn_order": TurnOrder.SIMULTANEOUS,
        "acting_side": None,
        "looking_side": None,
        "craft": (),
        "plots": (),
        "sightings": (),
        "opportunities": (),
        "shots": (),
        "holding": (),
        "kills": (),
        "clouds": (),
        "sun": None,
        "first_edge": Edge.SOUTH,
        "second_edge": Edge.NORTH,
        "own_aeroplanes": (),
        "winner": None,
        "draw": False,
    }
    return View(**{**given, **changes})


LEVEL, CLIMB, DIVE = (Pose.LEVEL, 0), (Pose.CLIMBING, 50), (Pose.STEEP_DIVE, -150)
DUEL = seen(
    craft=(
        craft(FIRST, "first-1", "fokker_d_vii", "1313", EAST, 6000),
        craft(SECOND, "second-1", "fokker_d_vii", "3313", WEST, 6000),
    )
)
HURT = Condition(damage_points=2, structure_marks=1, fire_points=1, left_barred=True)
SIX = (
    craft(FIRST, "Red 1", "fokker_d_vii", "1810", EAST, 6000, (LEVEL, LEVEL, CLIMB), kills=1),
    craft(FIRST, "Red 2", "albatros_d_iii", "1712", EAST, 5800, (LEVEL,) * 5, condition=HURT),
    craft(FIRST, "Red 3", "fokker_dr_i", "2515", WEST, 6200, (LEVEL, (Pose.HANGING, 0))),
    craft(SECOND, "Blue 1", "sopwith_camel", "2408", SOUTHWEST, 6600, (DIVE,) * 5, ke=3),
    craft(SECOND, "Blue 2", "se5a", "2013", WEST, 5900, (LEVEL,) * 4, broken=True, resolution=-1),
    craft(SECOND, "Blue 3", "bristol_f2b", "1915", NORTHEAST, 5700, (LEVEL,) * 3),
)
SHOTS = (
    Shot("Red 1", "Blue 2", Mount.FRONT, 3, critical=True),
    Shot("Blue 2", "Red 1", Mount.FRONT, 0, critical=False),
)
FIGHT = seen(
    seat=FIRST,
    phase=Phase.FIRE,
    turn=7,
    craft=SIX,
    clouds=tuple(Cloud(hex_, 4000, 6000) for hex_ in ("2210", "2310", "0101")),
    sun=NORTHEAST,
    shots=SHOTS,
    sightings=(
        Sighting("Red 1", "Blue 1", spotted=True, by=SeenBy.ROLL),
        Sighting("Red 1", "Blue 2", spotted=False, by=SeenBy.MISSED),
    ),
    opportunities=(Opportunity("Blue 1", "Red 3", Mount.FRONT, 10, 5, 0, 8, 4, 3, 200, 3),),
)
LOST = (
    replace(SIX[0], end=End.BROKEN_UP),
    replace(SIX[1], aircraft=replace(SIX[1].aircraft, hex="-3,12"), end=End.LEFT_MAP),
)
OVER = seen(
    phase=Phase.FINISHED,
    turn=18,
    winner=SECOND,
    craft=(*LOST, replace(SIX[2], end=End.DESTROYED), *SIX[3:]),
    kills=(Kill("Red 1", End.BROKEN_UP, "Blue 2"), Kill("Red 3", End.DESTROYED, "Blue 1")),
)
TOGETHER = replace(
    FIGHT,
    turn_order=TurnOrder.ALTERNATE,
    acting_side=SECOND,
    craft=tuple(replace(one, aircraft=replace(one.aircraft, hex="0101"), path=()) for one in SIX),
)
CORNERS = replace(
    FIGHT,
    craft=tuple(
        replace(one, aircraft=replace(one.aircraft, hex=hex_), path=())
        for one, hex_ in zip(SIX, ("0101", "0125", "4501", "4525", "2313", "4514"))
    ),
)
CROWDED = replace(
    CORNERS,
    craft=tuple(
        replace(one, aircraft=replace(one.aircraft, hex=hex_))
        for one, hex_ in zip(CORNERS.craft, ("0101", "0101", "0101", "4525", "4525", "4525"))
    ),
)
NOBODY = seen(
    phase=Phase.FINISHED,
    draw=True,
    craft=tuple(replace(one, end=End.CRASHED) for one in DUEL.craft),
)
VIEWS = {
    "duel": DUEL,
    "fight": FIGHT,
    "over": OVER,
    "together": TOGETHER,
    "corners": CORNERS,
    "crowded": CROWDED,
    "nobody": NOBODY,
}


def drawn(view, book=BOOK):
    return ElementTree.fromstring(picture(view, book))


def words(root):
    return ["".join(node.itertext()) for node in root.iter(f"{SVG}text")]


def box(root):
    return [float(part) for part in root.get("viewBox").split()]


@pytest.mark.parametrize("name", list(VIEWS))
def test_it_is_well_formed_small_and_the_same_every_time(name):
    first = picture(VIEWS[name], BOOK)
    assert ElementTree.fromstring(first).tag == f"{SVG}svg"
    assert first.encode() == picture(VIEWS[name], BOOK).encode()
    assert len(first.encode()) < 50_000


@pytest.mark.parametrize("name", list(VIEWS))
def test_it_refers_to_nothing_outside_itself(name):
    root = drawn(VIEWS[name])
    ids = [node.get("id") for node in root.iter() if node.get("id")]
    assert len(ids) == len(set(ids))
    for node in root.iter():
        assert not node.tag.endswith(("script", "image", "foreignObject", "a"))
        for attribute, value in node.attrib.items():
            assert not attribute.startswith("on")
            if attribute.endswith("href"):
                assert value.startswith("#")
                assert value[1:] in ids
    assert not re.search(r"url\(|@import|data:", picture(VIEWS[name], BOOK))


ROUGH_EMS = 0.53
"""A letter of a usual font, in sizes."""


def extent(node, style):
    """Left and right of some words, by a rough measure."""
    names = (node.get("class") or "").split()
    sizes = [re.search(rf"\.{name}{{[^}}]*font-size:(\d+)px", style) for name in names]
    size = next((int(found[1]) for found in sizes if found), 13)
    assert size >= 11
    wide = ROUGH_EMS * size * len("".join(node.itertext()))
    x = float(node.get("x"))
    back = {"end": wide, "middle": wide / 2}.get(node.get("text-anchor"), 0)
    return x - back, x - back + wide


@pytest.mark.parametrize("name", list(VIEWS))
def test_nothing_stands_outside_the_picture_and_words_are_large_enough_for_a_phone(name):
    root = drawn(VIEWS[name])
    _, _, width, height = box(root)
    assert width == 360
    assert 400 < height < 1_250
    style = root.find(f"{SVG}style").text
    assert "prefers-color-scheme:dark" in style
    for node in root.iter(f"{SVG}text"):
        left, right = extent(node, style)
        assert 0 <= left < right <= width, "".join(node.itertext())
        assert 8 <= float(node.get("y")) <= height - 2
    for node in root.iter(f"{SVG}rect"):
        if node.get("x"):
            assert 0 <= float(node.get("x")) <= width - float(node.get("width"))
            assert 0 <= float(node.get("y")) <= height - float(node.get("height"))
    for x, y, *_ in places(root, "aircraft"):
        assert 0 <= x <= width
        assert 0 <= y <= height


def places(root, name):
    """Where something is drawn outside the legend: x, y, turn and scale of each use."""
    pattern = r"translate\((\S+) (\S+)\)(?: rotate\((\S+)\))?(?: scale\((\S+)\))?"
    return [
        tuple(float(part or 0) for part in re.fullmatch(pattern, node.get("transform")).groups())
        for node in root.iter(f"{SVG}use")
        if node.get("href") == f"#cir-{name}" and "translate" in node.get("transform", "")
    ]


def in_the_panel(root, name):
    top, high = panel(root)
    return [place for place in places(root, name) if top <= place[1] <= top + high]


def panel(root):
    """Top and height of the panel."""
    inner = next(node for node in root.iter(f"{SVG}svg") if node is not root)
    return float(inner.get("y")), float(inner.get("height"))


def window(root):
    """From map units to the picture."""
    inner = next(node for node in root.iter(f"{SVG}svg") if node is not root)
    x, y, wide, _ = (float(part) for part in inner.get("viewBox").split())
    scale = float(inner.get("width")) / wide
    return lambda mx, my: (
        float(inner.get("x")) + (mx - x) * scale,
        float(inner.get("y")) + (my - y) * scale,
    )


def plain_middle(text):
    """The middle of a hex by plain geometry: even rows half a hex further east."""
    column, row = int(text[:2]), int(text[2:])
    return column - 0.5 + (0.5 if row % 2 == 0 else 0), (row - 1) * sqrt(3) / 2 + 1 / sqrt(3)


def test_aircraft_stand_on_the_middle_of_their_hexes_and_face_as_they_should():
    apart = replace(
        FIGHT, craft=tuple(c for c in SIX if c.aircraft.id in ("Red 1", "Blue 3", "Blue 1"))
    )
    root = drawn(apart)
    found = in_the_panel(root, "aircraft")
    place = window(root)
    expected = {
        (*place(*plain_middle(one.aircraft.hex)), -60 * one.aircraft.facing.facing)
        for one in apart.craft
    }
    assert len(found) == len(expected)
    for x, y, turn in expected:
        near = min(found, key=lambda at: hypot(at[0] - x, at[1] - y))
        assert near[:3] == (pytest.approx(x, abs=0.2), pytest.approx(y, abs=0.2), turn)


@pytest.mark.parametrize("name", ["duel", "fight", "together", "corners", "crowded"])
def test_every_aircraft_that_flies_is_shown_once_apart_from_the_others(name):
    view, root = VIEWS[name], drawn(VIEWS[name])
    found = in_the_panel(root, "aircraft")
    assert len(found) == len(view.craft)
    top, high = panel(root)
    for x, y, _, scale in found:
        half = 50 * scale
        assert 6 + half - 0.01 <= x <= 354 - half + 0.01
        assert top + half - 0.01 <= y <= top + high - half + 0.01
    for at, one in enumerate(found):
        for other in found[at + 1 :]:
            assert hypot(one[0] - other[0], one[1] - other[1]) > 6
    written = words(root)
    for one in view.craft:
        assert written.count(one.aircraft.id) >= 3, "in the panel, in the chart, in its row"
        energy = f"+{one.aircraft.ke}" if one.aircraft.ke else ""
        flight = f"{one.aircraft.altitude_feet:,} ft, {one.aircraft.speed_mp}{energy}"
        assert flight in written
        assert any(f"{one.aircraft.hex} {one.aircraft.facing}" in line for line in written)


def test_the_words_of_aircraft_do_not_cover_each_other():
    root = drawn(FIGHT)
    chips = [
        [float(node.get(side)) for side in ("x", "y", "width", "height")]
        for node in root.iter(f"{SVG}rect")
        if (node.get("class") or "").startswith("chip")
    ]
    assert len(chips) == 6
    for at, (x, y, wide, high) in enumerate(chips):
        for other_x, other_y, other_wide, other_high in chips[at + 1 :]:
            beside = x + wide <= other_x or other_x + other_wide <= x
            assert beside or y + high <= other_y or other_y + other_high <= y


def test_the_sides_differ_in_more_than_color():
    root = drawn(FIGHT)
    style = root.find(f"{SVG}style").text
    for rule in (".way.second{", ".rise.second{"):
        assert "stroke-dasharray" in style.partition(rule)[2].partition("}")[0]
    assert "stroke-dasharray" not in style.partition(".way.first{")[2].partition("}")[0]
    for side in ("first", "second"):
        for line in ("way", "rise"):
            rule = style.partition(f".{line}.{side}{{")[2].partition("}")[0]
            assert "fill:none" in rule, "or the dark style's fill of the side would win"
    first, second = (style.partition(f"\n.{side}{{fill:")[2][:7] for side in ("first", "second"))
    assert (first, second) == ("#a3211a", "")
    assert ".second{fill:#fffdf7;stroke:#0c4a86}" in style, "outlined"


def test_ways_are_drawn_with_a_sign_for_each_step_and_heights_at_their_start():
    root = drawn(FIGHT)
    ways = [node for node in root.iter(f"{SVG}path") if (node.get("class") or "").startswith("way")]
    assert len(ways) == 6
    blue = next(
        node for node in ways if node.get("d").count("L") == 5 and "second" in node.get("class")
    )
    start = [float(part) for part in re.match(r"M(\S+) (\S+?)L", blue.get("d")).groups()]
    expected = window(root)(*plain_middle("2408"))
    assert start == [pytest.approx(part, abs=0.05) for part in expected]
    assert len(in_the_panel(root, "steep_dive")) == 4, "of five, the last is under the aircraft"
    assert "6,600" in words(root)


@pytest.mark.parametrize("pose", list(Pose))
def test_every_pose_has_its_sign(pose):
    one = craft(FIRST, "one", "fokker_d_vii", "1313", EAST, 6000, (LEVEL, (pose, 0), LEVEL))
    root = drawn(replace(DUEL, craft=(one, DUEL.craft[1])))
    assert len(in_the_panel(root, pose.value)) == (3 if pose == Pose.LEVEL else 1)
    ids = {node.get("id") for node in root.iter()}
    assert {f"cir-{pose}"} <= ids
    assert pose.value.replace("_", " ").split()[0][:4] in " ".join(words(root))


def test_shots_are_arrows_with_their_hits_and_critical_ones_stars():
    root = drawn(FIGHT)
    classes = [node.get("class") for node in root.iter()]
    assert classes.count("dart") == 2
    assert classes.count("shot") == 2
    counts = [
        ("".join(node.itertext()), node.get("class"))
        for node in root.iter(f"{SVG}text")
        if (node.get("class") or "").startswith("count")
    ]
    assert sorted(counts) == [("0", "count"), ("3", "count critical")]
    assert classes.count("bears") == 3, "the shot that may be fired, its range, its sign explained"
    quiet = [node.get("class") for node in drawn(DUEL).iter()]
    assert not {"dart", "shot", "bears", "hit", "critical"} & set(quiet)


def test_signs_are_borne_by_those_concerned_and_explained():
    root = drawn(FIGHT)
    marks = {}
    for mark in ("fire", "broken", "damage", "hanging", "plunging", "leak"):
        marks[mark] = len(in_the_panel(root, f"{mark}-mark"))
    assert marks == {"fire": 2, "broken": 1, "damage": 1, "hanging": 0, "plunging": 0, "leak": 0}
    written = words(root)
    assert {"on fire", "broken", "damaged", "level", "climb", "steep dive"} <= set(written)
    assert "oil leak" not in written
    hanging = replace(SIX[2], aircraft=replace(SIX[2].aircraft, hanging=True))
    diving = replace(SIX[3], dive=Pose.POWER_DIVE)
    leaking = replace(
        SIX[0], aircraft=replace(SIX[0].aircraft, condition=Condition(oil_leak_turns=2))
    )
    root = drawn(replace(FIGHT, craft=(hanging, diving, leaking)))
    for mark in ("hanging", "plunging", "leak"):
        assert len(in_the_panel(root, f"{mark}-mark")) == 1


def test_everything_known_of_an_aircraft_is_written_in_words():
    written = " ".join(words(drawn(FIGHT)))
    for part in (
        "front guns 10",
        "ring gun 2, 6 spare drums",
        "on fire, 1 a turn",
        "damage 2, lost at 4",
        "structure hit",
        "no left turns",
        "pilot broken, flies home",
        "speed 9 + 3 KE",
        "sees Blue 1",
        "Fokker Dr.I",
        "home edge south · 1 kill · yours",
        "home edge north · 0 kills",
    ):
        assert part in written, part


EVERYTHING = Condition(
    damage_points=1,
    structure_marks=2,
    spar_cracked=True,
    wings_cracked=True,
    top_lost_mp=2,
    oil_leak_turns=3,
    fire_points=2,
    turn_code_steps=2,
    left_barred=True,
    right_barred=True,
    climb_steps=4,
    shallow_only=True,
    gentle_only=True,
    pilot_wounds=1,
    gunner_wounds=2,
)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (
            EVERYTHING,
            ("pilot wounded", "gunner wounded 2 times", "on fire, 2 a turn", "damage 1, lost at",
             "structure hit 2 times", "spar cracked", "wing spars cracked", "oil leak, turn 3",
             "top speed -2", "turns 2 codes worse", "no left turns", "no right turns",
             "climb 4 steps slower", "only shallow dives", "only gentle climbs"),
        ),
        (Condition(engine_seized=True, oil_leak_turns=6, pilot_killed=True, gunner_killed=True),
         ("engine seized", "pilot killed", "gunner killed")),
    ],
)  # fmt: skip
def test_every_hit_is_written_and_fits(condition, expected):
    hurt = tuple(replace(one, aircraft=replace(one.aircraft, condition=condition)) for one in SIX)
    root = drawn(replace(FIGHT, craft=hurt))
    written = " ".join(words(root))
    for part in expected:
        assert part in written
    calm = drawn(replace(FIGHT, craft=hurt, shots=(), opportunities=()))
    assert box(calm)[3] < 1_700
    assert box(root)[3] < box(calm)[3] + 300, "the drawn shots"
    read_out = root.find(f"{SVG}desc").text
    assert all(part in read_out for part in expected)


def test_guns_that_cannot_fire_say_why():
    loads = {
        "jammed": Load(7, jammed=True),
        "changing": Load(0, 3, reload_phases=1),
        "empty": Load(0, 0),
    }
    expected = {
        "jammed": "front guns jammed",
        "changing": "front guns changing belt, 3 spare belts",
        "empty": "front guns empty",
    }
    for name, load in loads.items():
        one = replace(DUEL.craft[0], aircraft=replace(DUEL.craft[0].aircraft, loads=(load,)))
        written = " ".join(words(drawn(replace(DUEL, craft=(one, DUEL.craft[1])))))
        assert expected[name] in written


def test_the_lost_have_crosses_and_are_named_with_what_became_of_them():
    root = drawn(OVER)
    written = " ".join(words(root))
    assert "broke up, by Blue 2" in written
    assert "left the map" in written
    assert "shot down, by Blue 1" in written
    assert len(in_the_panel(root, "cross")) == 2, "the one that left the map is outside"
    assert len(in_the_panel(root, "aircraft")) == 3
    assert "lost" in words(root)
    assert not in_the_panel(drawn(FIGHT), "cross")


@pytest.mark.parametrize(
    ("view", "expected"),
    [
        (DUEL, ("Turn 1 of 30", "Now: look for the enemy", "Sun hidden, no clouds",
                "simultaneous turns")),
        (FIGHT, ("Turn 7 of 30", "Now: fire (second side)",
                 "Sun in the northeast, clouds 4,000 to 6,000 ft")),
        (TOGETHER, ("alternate, the second side's half",)),
        (replace(TOGETHER, phase=Phase.MOVE), ("Now: plot and fly (second side)",)),
        (replace(DUEL, phase=Phase.PLOT), ("Now: both sides plot in secret",)),
        (OVER, ("Turn 18: game over", "The second side wins")),
        (NOBODY, ("A draw",)),
    ],
)  # fmt: skip
def test_the_heading_says_what_is_to_be_done(view, expected):
    written = words(drawn(view))
    for part in expected:
        assert part in written


def test_the_panel_shows_the_fight_larger_than_the_whole_map():
    def hex_width(view):
        inner = next(node for node in drawn(view).iter(f"{SVG}svg") if node.get("y"))
        return float(inner.get("width")) / float(inner.get("viewBox").split()[2])

    assert hex_width(TOGETHER) == pytest.approx(44, abs=0.01)
    assert 20 < hex_width(FIGHT) < 44
    assert 10 < hex_width(DUEL) < 20
    assert 7 < hex_width(CORNERS) < 8


def test_hexes_have_labels_where_they_are_large_and_rulers_where_they_are_small():
    assert {"0401", "0502"} <= set(words(drawn(TOGETHER)))
    small = words(drawn(DUEL))
    assert "1513" not in small
    assert {"15", "20", "25", "30"} <= set(small)


def test_the_friendly_edges_lie_where_they_are():
    def lines(view):
        homes = [n for n in drawn(view).iter(f"{SVG}path") if (n.get("class") or "")[:4] == "home"]
        return [(n.get("class"), n.get("d")) for n in homes]

    south = [d for name, d in lines(DUEL) if name == "home first"]
    north = [d for name, d in lines(DUEL) if name == "home second"]
    assert (len(south), len(north)) == (1, 2), "one line and two, on the whole map"
    height = [float(d.split()[-1]) for d in (south[0], north[0])]
    assert height[0] > height[1] + 60
    west = replace(DUEL, first_edge=Edge.WEST, second_edge=Edge.EAST)
    x = [float(re.match(r"M(\S+) ", d)[1]) for _, d in lines(west)]
    assert x[0] < x[1] - 100


def test_the_sun_is_at_its_side_of_the_panel():
    spots = {}
    for direction in HexDirection:
        root = drawn(replace(DUEL, sun=direction))
        (place,) = in_the_panel(root, "star")
        spots[direction] = place[:2]
    assert spots[EAST][0] > 320 > 40 > spots[WEST][0]
    assert spots[EAST][1] == spots[WEST][1]
    assert spots[NORTHEAST][1] < spots[EAST][1] < spots[SOUTHWEST][1]
    assert not in_the_panel(drawn(DUEL), "star")


def test_a_screen_reader_gets_a_title_and_a_description():
    root = drawn(FIGHT)
    assert root.get("role") == "img"
    title, desc = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert root.get("aria-labelledby").split() == [title.get("id"), desc.get("id")]
    assert title.text == "Flying Circus Plus: Turn 7 of 30"
    for part in (
        "Red 1, Fokker D.VII (Mercedes): 2110 east, 6,050 ft, speed 10, climbing, resolution 10",
        "Red 1 fired its front guns at Blue 2: 3 hits, one critical.",
        "Blue 2 fired its front guns at Red 1: no hits.",
        "Blue 1 may fire its front guns at Red 3 at range 3.",
        "Sun in the northeast",
    ):
        assert part in desc.text
    assert (
        "Red 1, Fokker D.VII (Mercedes): broke up, by Blue 2."
        in drawn(OVER).find(f"{SVG}desc").text
    )


def test_hostile_names_are_escaped_and_cut_to_fit():
    hostile = ('<script>alert("1")</scr&', "\u202eabc\x00" + "W" * 19, "'\"" * 12)
    own = replace(BOOK.aircraft["fokker_d_vii"], type="mine", title="</text><b>&\x07" * 4)
    named = tuple(
        replace(one, aircraft=replace(one.aircraft, id=id_, aeroplane="mine"))
        for one, id_ in zip(SIX, hostile)
    )
    unknown = replace(SIX[3], aircraft=replace(SIX[3].aircraft, aeroplane="<i>&"))
    view = replace(
        FIGHT, craft=(*named, unknown), own_aeroplanes=(own,), shots=(), opportunities=()
    )
    svg = picture(view, BOOK)
    assert "<script" not in svg
    assert "\u202e" not in svg
    root = ElementTree.fromstring(svg)
    assert hostile[0] in root.find(f"{SVG}desc").text
    assert any("<i>&" in line for line in words(root))
    style = root.find(f"{SVG}style").text
    for node in root.iter(f"{SVG}text"):
        left, right = extent(node, style)
        assert left >= 0
        assert right <= 360


@pytest.mark.parametrize(("columns", "rows"), [(30, 20), (30, 40), (60, 20), (60, 40)])
def test_maps_of_other_sizes_fit(columns, rows):
    book = BOOK.with_settings({"map_columns": columns, "map_rows": rows})
    far = label(hex_at(f"{columns:02d}{rows:02d}", book, ""))
    moved = replace(SIX[3], aircraft=replace(SIX[3].aircraft, hex=far), path=())
    view = replace(FIGHT, craft=(SIX[0], moved), shots=(), opportunities=(), clouds=())
    root = drawn(view, book)
    row = next(node for node in root.iter(f"{SVG}path") if node.get("id") == "cir-row")
    assert row.get("d").count("M") <= columns
    assert len(in_the_panel(root, "aircraft")) == 2
    assert box(root)[3] < 900


# ---- The range of a shot in three dimensions

CLIMBS = ((Pose.CLIMBING, 100),) * 4
HUNT = seen(
    phase=Phase.UPKEEP,
    craft=(
        craft(FIRST, "Red", "fokker_d_vii", "1813", EAST, 6000, (LEVEL,) * 8),
        craft(SECOND, "Blue", "sopwith_camel", "2213", EAST, 6000, (LEVEL,) * 4 + CLIMBS),
    ),
    shots=(Shot("Red", "Blue", Mount.FRONT, 2, critical=False),),
)
"""Red follows four hexes behind all the way, and Blue climbs 400 feet at the end."""


def lines(root, style):
    """Where each straight line of a style begins and ends."""
    found = [node.get("d") for node in root.iter(f"{SVG}path") if node.get("class") == style]
    return [tuple(map(float, re.findall(r"-?[\d.]+", one))) for one in found]


def frames(root):
    return [node for node in root.iter(f"{SVG}rect") if node.get("class") == "used"]


def test_the_range_of_a_shot_is_a_triangle_to_scale():
    root = drawn(HUNT)
    (left, base, corner, level), (_, foot, _, top) = lines(root, "leg")
    assert base == level == foot, "from the shooter along, and up from there"
    assert top < base, "the target is above"
    hexes, up = (corner - left) / 4, (base - top) / 2
    assert hexes == pytest.approx(up), "200 feet are as long as a hex"
    (shot,) = (line for line in lines(root, "shot") if line[:2] == (left, base))
    assert (shot[3] - base) / (shot[2] - left) == pytest.approx(
        (top - base) / (corner - left), abs=0.01
    )
    written = words(root)
    for part in ("Red fired at Blue", "front guns, 2 hits", "Range 4", "4 hexes", "400 ft",
                 "= 2 hexes", "own MP: 8 of 8, yes", "target's: 8 of 8, yes"):  # fmt: skip
        assert part in written
    assert "Range 4 from Red to Blue: 4 hexes, 400 ft above, in the arc for 8 of its own 8" in (
        root.find(f"{SVG}desc").text
    )


@pytest.mark.parametrize(("change", "feet", "row"), [(100, 400, "22344"), (50, 200, "11234")])
def test_the_row_of_the_range_chart_stands_below_with_its_cell_framed(change, feet, row):
    blue = craft(
        SECOND, "Blue", "sopwith_camel", "2213", EAST, 6000,
        (LEVEL,) * 4 + ((Pose.CLIMBING, change),) * 4,
    )  # fmt: skip
    root = drawn(replace(HUNT, craft=(HUNT.craft[0], blue)))
    (frame,) = frames(root)
    left, wide = float(frame.get("x")), float(frame.get("width"))
    below = float(frame.get("y")) + 28
    cells = {
        float(node.get("x")): "".join(node.itertext())
        for node in root.iter(f"{SVG}text")
        if float(node.get("y")) == pytest.approx(below) and node.get("text-anchor") == "middle"
    }
    assert "".join(cells[x] for x in sorted(cells)).startswith(row)
    framed = [text for x, text in cells.items() if left < x < left + wide]
    assert framed == [str(BOOK.tables["range"].cell(f"{feet} feet", "4"))]


def test_a_height_between_the_rows_of_the_chart_is_said_to_be_worked_out():
    dive = (LEVEL,) * 6 + ((Pose.SHALLOW_DIVE, -150),) * 2
    blue = craft(SECOND, "Blue", "sopwith_camel", "2213", EAST, 6000, dive)
    root = drawn(replace(HUNT, craft=(HUNT.craft[0], blue)))
    written = words(root)
    assert "300 ft*" in written
    assert "* between two rows of the chart: worked out" in written
    (_, base, _, _), (_, _, _, top) = lines(root, "leg")
    assert top > base, "the target is below"
    assert "* between two rows of the chart: worked out" not in words(drawn(HUNT))


def test_at_one_height_there_is_no_triangle():
    blue = craft(SECOND, "Blue", "sopwith_camel", "2213", EAST, 6000, (LEVEL,) * 8)
    root = drawn(replace(HUNT, craft=(HUNT.craft[0], blue)))
    assert len(lines(root, "leg")) == 1
    assert "4 hexes, at one height" in words(root)


def test_the_nearest_shot_that_may_be_fired_is_measured_without_an_arrow():
    far = Opportunity("Red", "Blue", Mount.FRONT, 8, 8, 0, 8, 3, 6, 0, 6)
    near = Opportunity("Blue", "Red", Mount.FRONT, 9, 7, 5, 8, 3, 0, 600, 3, vertical=True)
    fire = replace(HUNT, phase=Phase.FIRE, shots=(), opportunities=(far, near))
    root = drawn(fire)
    written = words(root)
    assert "Blue may fire at Red" in written
    assert "Red may fire at Blue" not in written
    assert lines(root, "shot") == []
    assert len(lines(root, "leg")) == 1, "straight up"
    assert "own MP: 5 of 9, yes" in written, "of five points in the hang three count"
    assert "target's: 3 of 8, no" in written
    assert frames(drawn(replace(fire, phase=Phase.UPKEEP))) == [], "the phase is over"


def test_a_shot_is_measured_until_somebody_moves():
    halves = {"turn_order": TurnOrder.ALTERNATE, "acting_side": FIRST, "phase": Phase.FIRE}
    fired = replace(HUNT, **halves)
    assert len(frames(drawn(fired))) == 1
    assert "target's: it stood still" in words(drawn(fired))
    after = {"acting_side": SECOND, "looking_side": SECOND}
    assert len(frames(drawn(replace(fired, phase=Phase.SPOT, **after)))) == 1
    assert len(frames(drawn(replace(fired, phase=Phase.MOVE, **after)))) == 1
    moved = replace(fired, phase=Phase.SPOT, acting_side=SECOND, looking_side=FIRST)
    assert frames(drawn(moved)) == []


def test_a_shot_that_ended_its_target_is_measured_still():
    gone = replace(HUNT.craft[1], end=End.DESTROYED)
    assert len(frames(drawn(replace(HUNT, craft=(HUNT.craft[0], gone))))) == 1


def test_a_shot_that_the_paths_do_not_bear_out_is_not_measured():
    away = craft(SECOND, "Blue", "sopwith_camel", "2213", NORTHEAST, 6000, (LEVEL,) * 8)
    assert frames(drawn(replace(HUNT, craft=(HUNT.craft[0], away)))) == []
