"""The picture is well-formed, stands alone, never varies, and shows what the view says."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations
from math import hypot
from xml.etree import ElementTree

import pytest
from guncamera.rulesets.redstars.aircraft import (
    AltitudeCard,
    Condition,
    Flight,
    Maneuver,
    Pilot,
    PilotTrait,
    Position,
    SpeedCard,
)
from guncamera.rulesets.redstars.book import load_book
from guncamera.rulesets.redstars.discs import laid
from guncamera.rulesets.redstars.facts import Choice
from guncamera.rulesets.redstars.orders import (
    Card,
    Entrant,
    Kill,
    Meeting,
    Phase,
    Ram,
    Setup,
    Shot,
    Side,
)
from guncamera.rulesets.redstars.outcomes import End, Intent, Rising, Turning
from guncamera.rulesets.redstars.picture import picture
from guncamera.rulesets.redstars.secrecy import view_for
from guncamera.rulesets.redstars.turn import open_board

BOOK = load_book()
SVG = "{http://www.w3.org/2000/svg}"
SOVIET, JAPANESE = Side.SOVIET, Side.JAPANESE
SIX = Setup(
    aircraft=tuple(
        Entrant(
            f"{name} {nth + 1}",
            side,
            type_,
            Position((50 + 14 * nth) * 1000, y * 1000, heading, 4 + nth),
            pilot=Pilot(nth, (PilotTrait.SNIPER,) if nth == 2 else ()),
        )
        for name, side, y, heading, types in (
            ("Red", SOVIET, 44, 0, ("i16t5", "i153_rockets", "sb")),
            ("Sun", JAPANESE, 88, 180, ("ki27", "a5m2", "ki30")),
        )
        for nth, type_ in enumerate(types)
    )
)
OPEN = view_for(open_board(SIX, BOOK), "soviet", BOOK)


def changed(view, name, **changes):
    """The view with something else of an aircraft, or of its craft."""
    of_craft = {
        key: changes.pop(key) for key in ("discs", "tails", "end", "kills") if key in changes
    }
    craft = tuple(
        replace(one, aircraft=replace(one.aircraft, **changes), **of_craft)
        if one.aircraft.id == name
        else one
        for one in view.craft
    )
    return replace(view, craft=craft)


def moved(view, name, codes, tweaks=None):
    """The view once an aircraft has laid discs."""
    one = next(one for one in view.craft if one.aircraft.id == name)
    discs = laid(one.aircraft.position, codes, tweaks or {}, BOOK)
    return changed(view, name, discs=discs, position=discs[-1])


CHOICE = Choice("Red 1", Maneuver.HARD_LEFT, AltitudeCard.DIVE_1, SpeedCard.ACCELERATE_2, True)
FIGHT = moved(moved(OPEN, "Red 1", "LFF", {2: -15, 3: 15}), "Sun 1", "FFFF")
FIGHT = changed(FIGHT, "Red 2", condition=Condition(damage=9, fires_d6=1, pilot_wounds=1))
FIGHT = changed(FIGHT, "Sun 2", flight=Flight.SPINNING, condition=Condition(engine_shot=True))
FIGHT = changed(FIGHT, "Sun 3", tails="Red 3", kills=1)
FIGHT = replace(
    changed(FIGHT, "Red 3", end=None),
    phase=Phase.FIRE,
    turn=7,
    choosing=(),
    order=("Sun 1", "Red 2"),
    cards=(Card("Red 1", made=True, choice=CHOICE),),
    shots=(
        Shot("Sun 1", "Red 2", (0,), hit=True, damage=5, special_hit=True),
        Shot("Red 2", "Sun 1", (0,), hit=False, damage=0, special_hit=False),
    ),
)
OVER = replace(
    changed(changed(FIGHT, "Sun 1", end=End.SHOT_DOWN), "Sun 2", end=End.LEFT_TABLE),
    phase=Phase.FINISHED,
    order=(),
    kills=(Kill("Sun 1", End.SHOT_DOWN, "Red 2"), Kill("Sun 2", End.LEFT_TABLE, "")),
    winner=SOVIET,
)
VIEWS = {"open": OPEN, "fight": FIGHT, "over": OVER}


def drawn(view):
    return ElementTree.fromstring(picture(view, BOOK))


def words(root):
    return ["".join(node.itertext()) for node in root.iter(f"{SVG}text")]


def styled(root, style):
    """The shapes of a style, in its first word."""
    return [node for node in root.iter() if (node.get("class") or "").split(" ")[0] == style]


def pieces(root):
    """Aircraft in the panel: x, y, heading."""
    inner = next(node for node in root.iter(f"{SVG}svg") if node is not root)
    found = []
    for node in inner.iter(f"{SVG}use"):
        place = re.match(r"translate\((\S+) (\S+)\) rotate\((\S+)\)", node.get("transform"))
        found.append((*map(float, place.groups()), node.get("class")))
    return found


@pytest.mark.parametrize("name", list(VIEWS))
def test_it_stands_alone_and_is_the_same_again(name):
    svg = picture(VIEWS[name], BOOK)
    assert svg == picture(replace(VIEWS[name]), BOOK)
    root = ElementTree.fromstring(svg)
    for word in ("<script", "http://www.w3.org/1999", "onload", "url(", "@import", "<image"):
        assert word not in svg
    assert root.get("viewBox").startswith("0 0 360 ")
    assert float(root.get("viewBox").split()[3]) < 1_200
    assert "prefers-color-scheme:dark" in svg
    assert len(svg) < 40_000


@pytest.mark.parametrize("name", list(VIEWS))
def test_no_letter_is_small_and_no_word_leaves_the_picture(name):
    root = drawn(VIEWS[name])
    style = root.find(f"{SVG}style").text
    assert min(map(int, re.findall(r"font-size:(\d+)px", style))) >= 11
    for node in root.iter(f"{SVG}text"):
        assert 0 <= float(node.get("x")) <= 360


def test_a_screen_reader_gets_a_title_and_a_description():
    root = drawn(FIGHT)
    title, desc = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert root.get("role") == "img"
    assert root.get("aria-labelledby").split() == [title.get("id"), desc.get("id")]
    assert title.text == "Rising Suns and Red Stars: Turn 7 of 30"
    for part in (
        "Red 2, Soviet Polikarpov I-153 with RS-82: altitude 5",
        "damage 9 of 16",
        "on fire, 1d6 a turn",
        "Sun 1 fired at Red 2: 5 damage, a special hit.",
        "Red 2 fired at Sun 1: missed.",
        "Cards of Red 1: hard left, dive -1, accel. +2, takes speed.",
        "tails Red 3",
    ):
        assert part in desc.text, part
    assert (
        "Sun 1, Japanese Nakajima Ki-27: shot down, by Red 2."
        in drawn(OVER).find(f"{SVG}desc").text
    )


@pytest.mark.parametrize(
    ("view", "expected"),
    [
        (OPEN, ("Turn 1 of 30", "phase: choose", "Now: choose cards in secret")),
        (FIGHT, ("Now: Sun 1 to fire, then Red 2", "phase: fire")),
        (replace(FIGHT, phase=Phase.MOVE, order=("Red 2",)), ("Now: Red 2 to move",)),
        (replace(FIGHT, phase=Phase.RAM), ("Now: declare a ram, or none",)),
        (replace(FIGHT, phase=Phase.ORDER), ("Now: roll off the ties",)),
        (
            replace(FIGHT, phase=Phase.COLLIDE, meetings=(Meeting("Red 1", "Sun 1", ram=False),)),
            ("Now: Red 1 may strike Sun 1",),
        ),
        (
            replace(FIGHT, phase=Phase.COLLIDE, meetings=(Meeting("Red 1", "Sun 1", ram=True),)),
            ("Now: Red 1 rams Sun 1",),
        ),
        (replace(FIGHT, phase=Phase.END), ("Now: end the turn",)),
        (OVER, ("The Soviet side wins",)),
        (replace(OVER, winner=None, draw=True), ("A draw",)),
    ],
)
def test_the_heading_says_what_is_to_be_done(view, expected):
    written = words(drawn(view))
    for part in expected:
        assert part in written


# ---- The table


def test_aircraft_lie_where_they_are_and_face_as_they_should():
    found = pieces(drawn(OPEN))
    assert len(found) == 6
    first = found[0]
    for at, one in zip(found, OPEN.craft):
        assert at[2] == one.aircraft.position.heading_degrees
    # Red 1 and Red 2 are 14 inches apart, and Sun 1 is 44 north of Red 1.
    scale = (found[1][0] - first[0]) / 14
    assert scale > 2
    sun = found[3]
    assert first[1] - sun[1] == pytest.approx(44 * scale, rel=0.02)
    assert sun[0] == pytest.approx(first[0], abs=0.5)


def test_aircraft_on_one_spot_are_drawn_apart():
    together = OPEN
    for one in OPEN.craft:
        together = changed(together, one.aircraft.id, position=Position(70_000, 70_000, 0, 5))
    for one, other in combinations(pieces(drawn(together)), 2):
        assert hypot(one[0] - other[0], one[1] - other[1]) > 10


def test_everyone_has_id_altitude_and_speed_beside_it():
    written = words(drawn(FIGHT))
    for one in FIGHT.craft:
        aircraft = one.aircraft
        assert written.count(aircraft.id) >= 2
        assert f"alt {aircraft.position.altitude} sp {aircraft.speed}" in written


@pytest.mark.parametrize("name", ["open", "fight"])
def test_the_words_of_aircraft_do_not_cover_each_other(name):
    chips = [
        [float(node.get(side)) for side in ("x", "y", "width", "height")]
        for node in styled(drawn(VIEWS[name]), "chip")
    ]
    assert len(chips) == 6
    for (x, y, wide, high), (other_x, other_y, other_wide, other_high) in combinations(chips, 2):
        beside = x + wide <= other_x or other_x + other_wide <= x
        assert beside or y + high <= other_y or other_y + other_high <= y


def test_the_sides_differ_in_more_than_color():
    root = drawn(FIGHT)
    style = root.find(f"{SVG}style").text
    for rule in (".arc.japanese{", ".disc.japanese{", ".face.japanese{"):
        assert "stroke-dasharray" in style.partition(rule)[2].partition("}")[0]
    for rule in (".arc.soviet{", ".disc.soviet{", ".face.soviet{"):
        assert "stroke-dasharray" not in style.partition(rule)[2].partition("}")[0]
    assert "\n.soviet{fill:#a3211a" in style
    assert ".japanese{fill:#fffdf7;stroke:#0c4a86}" in style, "outlined"


def test_the_last_move_lies_in_discs_with_signs_for_tweaks():
    root = drawn(FIGHT)
    assert len(styled(root, "disc")) == 7
    assert len(styled(root, "nose")) == 5, "under the aircraft itself there is none"
    assert len(styled(root, "tweak")) == 2
    plain = moved(OPEN, "Red 1", "LFF")
    assert not styled(drawn(plain), "tweak")
    assert not styled(drawn(OPEN), "disc")


@pytest.mark.parametrize("tweak", [-15, 15])
def test_a_tweak_is_marked_on_its_side(tweak):
    root = drawn(moved(OPEN, "Red 1", "FF", {2: tweak}))
    (sign,) = styled(root, "tweak")
    tip = float(re.match(r"M(\S+) ", sign.get("d"))[1])
    disc = float(styled(root, "disc")[1].get("cx"))
    assert (tip > disc) == (tweak > 0)


def test_arcs_reach_as_far_as_the_guns():
    root = drawn(OPEN)
    disc = float(styled(drawn(moved(OPEN, "Red 1", "F")), "disc")[0].get("r"))
    arcs = styled(root, "arc")
    assert len(arcs) == 6
    reach = float(re.search(r"A(\S+) ", arcs[0].get("d"))[1])
    assert reach / (2 * disc) == pytest.approx(16 / 5, rel=0.05)
    cannon = changed(OPEN, "Red 1", type="i16t17")
    longer = float(re.search(r"A(\S+) ", styled(drawn(cannon), "arc")[0].get("d"))[1])
    assert longer / reach == pytest.approx(24 / 16, rel=0.01)


def test_who_spins_or_is_gone_threatens_nobody():
    assert len(styled(drawn(FIGHT), "arc")) == 5
    assert len(styled(drawn(OVER), "arc")) == 4


def test_tailing_rams_and_shots_are_lines():
    root = drawn(FIGHT)
    assert (len(styled(root, "tail")), len(styled(root, "follow"))) == (1, 1)
    assert len(styled(root, "shot")) == 2
    assert (len(styled(root, "hit")), len(styled(root, "special"))) == (1, 1)
    counts = ["".join(node.itertext()) for node in styled(root, "count")]
    assert sorted(counts) == ["0", "5"]
    assert "Sun 1 fired at Red 2: 5 damage, a special hit." in words(root)
    ramming = replace(OPEN, rams=(Ram("Red 1", "Sun 1"),))
    assert len(styled(drawn(ramming), "ram")) == 1
    quiet = drawn(OPEN)
    for style in ("tail", "ram", "shot", "hit", "special", "dart"):
        assert not styled(quiet, style)


def test_signs_are_borne_by_those_concerned_and_explained():
    root = drawn(FIGHT)
    assert len(styled(root, "badge")) == 3
    assert {"on fire", "smoking", "spinning"} <= set(words(root))
    assert "gliding" not in words(root)
    gliding = changed(OPEN, "Red 1", flight=Flight.GLIDING)
    stalled = changed(gliding, "Red 2", flight=Flight.STALL_RECOVERY)
    root = drawn(stalled)
    assert len(styled(root, "badge")) == 2
    assert {"gliding", "stalled"} <= set(words(root))


def test_wrecks_are_crosses_and_named_with_what_became_of_them():
    root = drawn(OVER)
    written = words(root)
    assert any(line.startswith("shot down, by Red 2") for line in written)
    assert any(line.startswith("left table") for line in written)
    assert len(pieces(root)) == 4
    assert len(styled(root, "lost")) == 4, "two on the table, two in the rows"
    assert "3 flying · 1 enemy downed" in written
    assert not styled(drawn(FIGHT), "lost")


# ---- Cards


def cards_of(view):
    """What lies there, as a list of styles."""
    root = drawn(view)
    return [
        node.get("class")
        for node in root.iter(f"{SVG}rect")
        if (node.get("class") or "").split(" ")[0] in ("face", "back", "slot")
    ]


def test_cards_lie_as_the_seat_may_see_them():
    hidden = Card("Sun 1", made=True)
    own = Card("Red 1", made=True, choice=CHOICE)
    view = replace(OPEN, cards=(own, hidden), choosing=("Red 2",))
    styles = cards_of(view)
    assert styles == ["face soviet", "slot", "slot", "back japanese", "slot", "slot"]
    written = words(drawn(view))
    assert {"hard left", "dive -1", "accel. +2", "takes speed"} <= set(written)
    assert (written.count("chooses"), written.count("waits")) == (1, 3)


def test_the_last_line_of_a_full_card_is_clear_of_its_rim():
    root = drawn(replace(OPEN, cards=(Card("Red 1", made=True, choice=CHOICE),)))
    (face,) = styled(root, "face")
    (last,) = (one for one in root.iter(f"{SVG}text") if one.text == "takes speed")
    rim = float(face.get("y")) + float(face.get("height"))
    assert float(last.get("y")) + 4 < rim, "what hangs below the line touches it"


def test_a_hidden_card_is_a_back_to_the_byte():
    board = open_board(SIX, BOOK)
    drawings = set()
    for maneuver in Maneuver:
        card = Card("Sun 1", True, replace(CHOICE, aircraft="Sun 1", maneuver=maneuver),
                    Intent(Turning.LEFT, Rising.CLIMB))  # fmt: skip
        secret = replace(board, cards=(card,))
        for seat in ("soviet", None):
            drawings.add(picture(view_for(secret, seat, BOOK), BOOK))
        assert maneuver.value.replace("_", " ").lower() in picture(
            view_for(secret, "japanese", BOOK), BOOK
        ).lower().replace("split-s", "split s")
    assert len(drawings) == 1


def test_what_was_told_is_written_on_the_back():
    card = Card("Sun 1", made=True, intent=Intent(Turning.SHIFT_LEFT, Rising.DIVE, 4))
    view = replace(OPEN, cards=(card,), choosing=("Red 1",))
    assert "back japanese" in cards_of(view)
    assert {"told:", "shift left", "dive", "4 discs"} <= set(words(drawn(view)))
    assert "Cards of Sun 1: told shift left, dive, 4 discs." in drawn(view).find(f"{SVG}desc").text


@pytest.mark.parametrize("maneuver", list(Maneuver))
def test_every_maneuver_fits_on_its_card(maneuver):
    card = Card("Red 1", made=True, choice=Choice("Red 1", maneuver))
    written = words(drawn(replace(OPEN, cards=(card,))))
    names = {"immelmann": "Immelmann", "split_s": "split-S"}
    assert names.get(maneuver, maneuver.replace("_", " ")) in written


def test_who_spins_has_no_card():
    assert len(cards_of(changed(OPEN, "Red 1", flight=Flight.SPINNING))) == 5


# ---- Rows

EVERYTHING = Condition(
    damage=9,
    engine_marks=(2,),
    accelerate_barred=True,
    oil_leak=True,
    fires_d6=2,
    fires_d8=1,
    lost_dice=(0,),
    extreme_barred=True,
    camera_wrecked=True,
    gear_wrecked=True,
    top_speed_barred=True,
    pilot_wounds=2,
    pilot_severe=1,
    observer_wounds=1,
    observer_flies=True,
)


def test_everything_known_of_an_aircraft_is_written():
    hurt = changed(OPEN, "Red 1", condition=EVERYTHING, ram_missed=True, boxes=(3,))
    written = " · ".join(words(drawn(hurt)))
    for part in (
        "altitude 4", "heading 000°", "9/18", "1 LMG, 3 of 8 boxes", "engine 1 of 3", "damaged",
        "on fire, 2d6 + 1d8 a turn", "pilot wounded twice, severely", "observer wounded",
        "cannot accelerate", "oil leak", "no extreme maneuvers", "camera wrecked", "gear wrecked",
        "top speed -1", "observer flies", "missed a ram",
    ):  # fmt: skip
        assert part in written, part
    assert "pilot +2 (sniper)" in " ".join(words(drawn(OPEN)))
    assert "1 rear LMG, 10 of 10 boxes" in " · ".join(words(drawn(OPEN)))
    dead = Condition(pilot_killed=True, observer_killed=True, engine_marks=(3,))
    written = " · ".join(words(drawn(changed(OPEN, "Red 1", condition=dead))))
    for part in ("pilot killed", "observer killed", "no engine", "engine 0 of 3"):
        assert part in written


def test_the_bar_shows_what_is_left():
    def bar(view):
        rows = [n for n in drawn(view).iter(f"{SVG}rect") if n.get("class") == "pip"]
        return float(rows[0].get("width"))

    whole = bar(OPEN)
    assert bar(changed(OPEN, "Red 1", condition=Condition(damage=9))) == pytest.approx(whole / 2)
    assert bar(changed(OPEN, "Red 1", condition=Condition(damage=40))) == 0


# ---- What may be sent


def test_hostile_names_are_escaped_and_cut_to_fit():
    hostile = ("<script>alert(1)</scr&", "\u202eabc\x00" + "W" * 18, "'\"" * 12)
    view = replace(OPEN, choosing=())
    for name, other in zip(("Red 1", "Red 2", "Red 3"), hostile):
        view = changed(view, name, id=other)
    own = replace(BOOK.aircraft["ki27"], type="mine", title="</text><b>&\x07" * 4)
    view = replace(changed(view, "Sun 1", type="mine"), own_books=(own,))
    view = changed(view, "Sun 2", type="<i>&")
    svg = picture(view, BOOK)
    assert "<script" not in svg
    assert "\u202e" not in svg
    root = ElementTree.fromstring(svg)
    assert hostile[0] in root.find(f"{SVG}desc").text
    for node in styled(root, "chip"):
        x, wide = float(node.get("x")), float(node.get("width"))
        assert x >= 6
        assert x + wide <= 354


@pytest.mark.parametrize("inches", [36, 144, 600])
def test_tables_of_any_size_fit(inches):
    edge = inches * 1000
    view = changed(OPEN, "Red 1", position=Position(0, 0, 0, 5))
    view = changed(view, "Sun 1", position=Position(edge, edge, 180, 5))
    for name in ("Red 2", "Red 3", "Sun 2", "Sun 3"):
        view = changed(view, name, position=Position(edge // 2, edge // 2, 90, 5))
    root = drawn(replace(view, table_inches=inches))
    assert len(pieces(root)) == 6
    inner = next(node for node in root.iter(f"{SVG}svg") if node is not root)
    top, high = float(inner.get("y")), float(inner.get("height"))
    for x, y, *_ in pieces(root):
        assert 6 <= x <= 354
        assert top <= y <= top + high
