"""The picture is well-formed, stands alone, never varies, and shows what the view says."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random
from xml.etree import ElementTree

import pytest
from carriers_table import ADJACENT, BOOK, FRONT, JAPAN, LONG, MEDIUM, SHORT, US, Game, Table
from guncamera.rules.words import LEAST, width_of
from guncamera.rulesets.carriers.cards import AircraftCard, Key, Role, ShipClass, Weapon
from guncamera.rulesets.carriers.orders import (
    CardSeen,
    Entrant,
    Fate,
    Flight,
    Force,
    Phase,
    Place,
    Report,
    Setup,
)
from guncamera.rulesets.carriers.picture import picture
from guncamera.rulesets.carriers.picture_flights import slot_now
from guncamera.rulesets.carriers.picture_words import KEY_WORDS, LETTERS

SVG = "{http://www.w3.org/2000/svg}"
SEATS = (US, JAPAN, None, "referee")
TEN_AND_TWO = {"fleet_rule": "ten-and-two"}
ZEKE, ZEKE_2, VAL, KATE, BETTY = (f"japan-card-{at}" for at in range(1, 6))
F4F, F4F_2, SBD, SBD_2, TBM, PBY = (f"us-card-{at}" for at in range(1, 7))


def fight():
    """In the middle of it: guards, cards at ships, damage, a ship that is gone, flights."""
    table = Table().go_to(Phase.CAP_2)
    table.place(US, (F4F, "us-ship-3", FRONT), (SBD, "us-ship-3", ADJACENT))
    table.place(JAPAN, (ZEKE, "japan-ship-3", FRONT), (ZEKE_2, "japan-ship-3", FRONT))
    table.hurt(JAPAN, 4, Key.RUDDER, Key.CONNING, belts=2)
    table.send(US, TBM, Weapon.BOMB, MEDIUM, 0)
    table.answer(JAPAN, ZEKE, 1)
    table.strike(JAPAN, VAL, Weapon.BOMB, SHORT, 1, 6)
    table.strike(US, PBY, Weapon.BOMB, MEDIUM, 2, 1, 1, 1)
    table.send(JAPAN, KATE, Weapon.BOMB, MEDIUM, 0)
    return table


FIGHT = fight()
OPEN = Table(Setup(), **TEN_AND_TWO)


def over():
    """A game that was played out."""
    return Game(Random(3), max_turns=3).play(policy=Game.eager)


VIEWS = {
    **{f"open {seat}": OPEN.view(seat) for seat in SEATS},
    **{f"fight {seat}": FIGHT.view(seat) for seat in SEATS},
    "over": over().view(),
}


def drawn(view, book=BOOK):
    return ElementTree.fromstring(picture(view, book))


def words(root):
    return ["".join(node.itertext()) for node in root.iter(f"{SVG}text")]


def styled(root, style):
    """The shapes of a style, in its first word."""
    return [node for node in root.iter() if (node.get("class") or "").split(" ")[0] == style]


def at(root, text):
    """Where words stand."""
    node = next(n for n in root.iter(f"{SVG}text") if "".join(n.itertext()) == text)
    return float(node.get("x")), float(node.get("y"))


def places_of(root, text):
    """Everywhere that words stand."""
    found = (node for node in root.iter(f"{SVG}text") if "".join(node.itertext()) == text)
    return [(float(node.get("x")), float(node.get("y"))) for node in found]


def described(view):
    return drawn(view).find(f"{SVG}desc").text


# ---- As a document


@pytest.mark.parametrize("name", list(VIEWS))
def test_it_stands_alone_and_is_the_same_again(name):
    svg = picture(VIEWS[name], BOOK)
    assert svg == picture(replace(VIEWS[name]), BOOK)
    root = ElementTree.fromstring(svg)
    for word in ("<script", "http://www.w3.org/1999", "onload", "url(", "@import", "<image"):
        assert word not in svg
    assert root.get("viewBox").startswith("0 0 360 ")
    assert float(root.get("viewBox").split()[3]) < 1_600
    assert "prefers-color-scheme:dark" in svg
    assert len(svg) < 50_000


@pytest.mark.parametrize("name", list(VIEWS))
def test_no_letter_is_small_and_no_word_leaves_the_picture(name):
    root = drawn(VIEWS[name])
    style = root.find(f"{SVG}style").text
    assert min(map(int, re.findall(r"font-size:(\d+)px", style))) >= 11
    high = float(root.get("viewBox").split()[3])
    for node in root.iter(f"{SVG}text"):
        assert 0 <= float(node.get("x")) <= 360
        assert 0 <= float(node.get("y")) <= high


def test_every_class_of_a_shape_has_a_style():
    svg = "".join(picture(view, BOOK) for view in VIEWS.values())
    style = drawn(FIGHT.view(US)).find(f"{SVG}style").text
    for names in set(re.findall(r'class="([^"]+)"', svg)) - {"car"}:
        assert any(f".{name}" in style for name in names.split(" ")), names


def test_the_sides_differ_in_more_than_color():
    style = drawn(FIGHT.view(US)).find(f"{SVG}style").text
    assert ".ship.us{fill:#0c4a86;stroke:#fffdf7}" in style, "solid"
    assert ".ship.japan{fill:#fffdf7;stroke:#a3211a" in style, "outlined"
    assert "stroke-dasharray" in style.partition(".face.japan{")[2].partition("}")[0]


def test_a_screen_reader_gets_a_title_and_a_description():
    root = drawn(FIGHT.view(US))
    title, desc = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert root.get("role") == "img"
    assert root.get("aria-labelledby").split() == [title.get("id"), desc.get("id")]
    assert title.text == "Aviation Cards: Turn 1 of 12"
    for part in (
        "Turn 1 of 12, strikes. Now: US to answer the flight. US acts first.",
        "US side, 0 points.",
        "0 us-carrier-3, carrier, in front F4F, adjacent SBD",
        "In hand: F4F, SBD, TBM (used), PBY (used).",
        "Medium line: 0 a hidden ship, in front Zeke, a card's back, 1 used; 1 a hidden ship.",
        "japan-battleship-4, battleship: rudder, conning tower, belt pierced 2 times.",
        "japan-destroyer-5, destroyer: exploded.",
        "US: TBM bombs Medium 0: turned back by Zeke.",
        "Japan: Val bombs Short 1: missed.",
        "US: PBY bombs Medium 2: exploded.",
        "Japan: Kate bombs Medium 0: inbound.",
    ):
        assert part in desc.text, part


# ---- Who sees what


def test_a_hidden_ship_and_a_hidden_card_are_a_back_to_the_byte():
    pictures, own = set(), set()
    for change in range(4):
        table = fight()
        cards = table.navy(JAPAN).cards
        ships = table.navy(JAPAN).ships
        if change == 1:
            cards = tuple(replace(c, type="betty" if c.id == ZEKE_2 else c.type) for c in cards)
        if change == 2:
            named = {"japan-ship-3": "Kaga", "japan-ship-2": "Tone"}
            ships = tuple(replace(s, name=named.get(s.id, s.name)) for s in ships)
        if change == 3:
            kinds = {"japan-ship-1": ShipClass.DESTROYER, "japan-ship-3": ShipClass.CRUISER}
            ships = tuple(replace(s, ship_class=kinds.get(s.id, s.ship_class)) for s in ships)
        navy = replace(table.navy(JAPAN), cards=cards, ships=ships)
        table.board = replace(table.board, japan=navy)
        pictures |= {(seat, picture(table.view(seat), BOOK)) for seat in (US, None)}
        own |= {(seat, picture(table.view(seat), BOOK)) for seat in (JAPAN, "referee")}
    assert len(pictures) == 2
    assert len(own) == 8, "its owner sees every change"


@pytest.mark.parametrize("seat", SEATS)
def test_ships_are_silhouettes_or_hidden(seat):
    root = drawn(FIGHT.view(seat))
    ids = 4 * [JAPAN] + 5 * [US]
    hidden = [side for side in ids if seat not in (side, "referee")]
    veils = [node.get("class").split()[1] for node in styled(root, "veil")]
    assert sorted(veils) == sorted(map(str, hidden))
    assert words(root).count("?") == len(hidden)
    if seat == "referee":
        assert {"us-carrier…", "japan-crui…"} <= {text[:10] + "…" for text in words(root)}


def test_each_class_has_a_silhouette_of_its_own():
    shapes = {}
    for kind in ShipClass:
        force = Force((Entrant("One", kind, SHORT), Entrant("Two", ShipClass.CARRIER, LONG)), ())
        view = Table(Setup(us=force)).view(US)
        shapes[kind] = styled(drawn(view), "ship")[0].get("d")
    assert len(set(shapes.values())) == len(ShipClass)


@pytest.mark.parametrize(
    ("seat", "lower"), [(US, "US"), (JAPAN, "Japanese"), (None, "US"), ("referee", "US")]
)
def test_the_side_that_looks_has_the_lower_edge(seat, lower):
    root = drawn(FIGHT.view(seat))
    edges = {text: at(root, text)[1] for text in words(root) if text.endswith(" edge")}
    assert max(edges, key=edges.get) == f"{lower} edge"
    assert len(edges) == 2


def test_what_is_not_shown_is_said():
    assert "Japanese edge · deploys unseen" in words(drawn(OPEN.view(US)))
    assert "12 ships afloat · 0 points" in words(drawn(OPEN.view(US)))
    assert words(drawn(OPEN.view(None))).count("0 points") == 2
    moving = Table().go_to(Phase.MOVE)
    assert "Japanese edge · as before its moves" in words(drawn(moving.view(US)))
    assert "Japanese edge" in words(drawn(moving.view("referee")))
    assert "Its hand is hidden." in words(drawn(OPEN.view(US)))


# ---- The table


def test_lines_lie_as_on_the_table_and_say_how_far():
    root = drawn(FIGHT.view(US))
    lines = [
        float(node.get("y"))
        for node in root.iter(f"{SVG}text")
        if re.match(r"(long|medium|short) · ", "".join(node.itertext()))
    ]
    names = [text for text in words(root) if re.match(r"(long|medium|short) · ", text)]
    in_order = [name for _, name in sorted(zip(lines, names))]
    upper = ["long · 6 in · no ship", "medium · 12 in", "short · 18 in"]
    assert in_order == [*upper, "short · 18 in", "medium · 12 in", "long · 6 in"]
    assert "12 in of open sea" in words(root)
    book = BOOK.with_settings({"table_depth_inches": 60})
    assert "24 in of open sea" in words(drawn(OPEN.view(US), book))


def test_slots_count_from_their_owners_left():
    root = drawn(OPEN.view("referee"))
    lower = [at(root, name)[0] for name in ("Hammann", "Astoria", "Hughes", "Portland", "Morris")]
    upper = [at(root, name)[0] for name in ("Nowaki", "Tone", "Arashi", "Chikuma", "Hagikaze")]
    assert lower == sorted(lower)
    assert upper == lower[::-1]


def test_cards_in_front_lie_toward_the_middle_and_adjacent_ones_toward_the_edge():
    root = drawn(FIGHT.view(US))
    heights = [at(root, text)[1] for text in ("12 in of open sea", "F4F 5", "SBD", "US edge")]
    assert heights == sorted(heights)
    assert at(root, "F4F 5")[0] == at(root, "SBD")[0]
    for seat, order in ((US, 1), (JAPAN, -1)):
        root = drawn(FIGHT.view(seat))
        heights = [at(root, text)[1] for text in ("Japanese edge", "Zeke 5", "12 in of open sea")]
        assert heights == sorted(heights)[::order]


def test_backs_lie_beside_each_other_and_many_are_counted():
    table = Table(Setup(us=replace(OPEN_FORCE, cards=("f4f",) * 9))).go_to(Phase.CAP_1)
    table.place(
        US,
        *((f"us-card-{n}", "us-ship-1", FRONT) for n in range(1, 4)),
        *((f"us-card-{n}", "us-ship-1", ADJACENT) for n in range(4, 10)),
    )
    root = drawn(table.view(JAPAN))
    assert len(styled(root, "back")) == 3 + 1
    assert "×6" in words(root)
    own = drawn(table.view(US))
    assert {"F4F 5 ×3", "F4F ×6"} <= set(words(own))
    assert not styled(own, "back")


OPEN_FORCE = Force(
    (Entrant("One", ShipClass.CARRIER, SHORT), Entrant("Two", ShipClass.CRUISER, LONG)), ()
)


def test_a_card_that_has_intercepted_shows_it():
    assert "1 used" in words(drawn(FIGHT.view(US)))
    assert len(styled(drawn(FIGHT.view(US)), "back")) == 1
    own = drawn(FIGHT.view(JAPAN))
    chips = [node.get("class") for node in styled(own, "chip")]
    assert sorted(chips) == ["chip fast", "chip fast used"]


def test_the_number_of_a_slot_stands_beside_what_hides_its_ship():
    ships = tuple(Entrant(f"Ship {n}", ShipClass.DESTROYER, SHORT) for n in range(12))
    root = drawn(Table(Setup(us=Force(ships, ()))).go_to(Phase.CAP_1).view(JAPAN))
    backs = [
        (float(one.get("x")), float(one.get("y")))
        for one in styled(root, "veil")
        if one.get("class") == "veil us"
    ]
    assert len(backs) == 12
    for slot in range(12):
        places = places_of(root, str(slot))
        assert any(
            abs(y + 14 - (top + 21)) < 0.2 and 0 <= left - x - width_of(str(slot), LEAST) < 8
            for x, y in places
            for left, top in backs
        ), slot


def test_long_lines_go_over_and_many_ships_fit():
    ships = tuple(Entrant(f"Ship {n}", ShipClass.DESTROYER, SHORT) for n in range(40))
    root = drawn(Table(Setup(us=Force(ships, ()))).view(US))
    places = {at(root, f"Ship {n}") for n in range(40)}
    assert len(places) == 40
    assert all(6 <= x <= 354 for x, _ in places)


# ---- Damage


@pytest.mark.parametrize("key", list(Key))
def test_every_effect_has_a_sign_on_the_ship_and_words_below(key):
    view = FIGHT.view(US)
    fleet = view.fleets[0]
    line = fleet.lines[1]
    slot = line.slots[0]
    hurt = replace(slot, ship=replace(slot.ship, keys=(key,)))
    line = replace(line, slots=(hurt, *line.slots[1:]))
    report = Report(slot.ship.name, ShipClass.CARRIER, (key,), 0)
    view = replace(view, fleets=(view.fleets[0], replace(view.fleets[1], reports=())))
    fleet = replace(fleet, lines=(fleet.lines[0], line, fleet.lines[2]), reports=(report,))
    root = drawn(replace(view, fleets=(fleet, view.fleets[1])))
    signs = ["".join(node.itertext()) for node in styled(root, "letter")]
    assert signs.count(LETTERS[key]) >= 2, "on the ship and in the legend"
    assert words(root).count(KEY_WORDS[key]) == 2, "in the legend and below"
    assert KEY_WORDS[key] in root.find(f"{SVG}desc").text


def test_signs_differ_and_all_fit_on_one_ship():
    assert len(set(LETTERS.values())) == len(Key) == len(LETTERS)
    view = FIGHT.view(US)
    fleet = view.fleets[0]
    slot = fleet.lines[1].slots[0]
    hurt = replace(slot, ship=replace(slot.ship, keys=tuple(Key), belts=12))
    line = replace(fleet.lines[1], slots=(hurt,))
    report = Report("x" * 40, ShipClass.CARRIER, tuple(Key), 12)
    fleet = replace(fleet, lines=(line,), reports=(report,))
    root = drawn(replace(view, fleets=(fleet, view.fleets[1])))
    signs = styled(root, "harm")
    assert len(signs) >= 2 * (len(Key) + 1)
    for node in signs:
        assert float(node.get("x")) >= 6
        assert float(node.get("x")) + float(node.get("width")) <= 354
    told = " · ".join(words(root))
    for key in Key:
        assert KEY_WORDS[key] in told
    assert "belt pierced 12 times" in told


def test_lost_ships_and_carriers_out_of_commission_are_crossed_out():
    before = len(styled(drawn(FIGHT.view(US)), "cross"))
    table = fight()
    table.hurt(US, 3, Key.OUT_OF_COMMISSION)
    assert before == 1, "the destroyer, below"
    assert len(styled(drawn(table.view(US)), "cross")) == 2
    assert len(styled(drawn(table.view(JAPAN)), "cross")) == 1, "to Japan the carrier is hidden"


def test_what_lies_open_to_all_has_an_eye():
    table = Table().go_to(Phase.RECON)
    table.scout(US, PBY, MEDIUM, 1, 1)
    for seat in SEATS:
        root = drawn(table.view(seat))
        assert len(styled(root, "eye")) == 1
        assert any(text.startswith("japan-ba") for text in words(root))
    assert not styled(drawn(OPEN.view("referee")), "eye")


# ---- Flights


def flown(*fates, weapon=Weapon.BOMB, **changes):
    """The fight with other flights."""
    flights = tuple(
        Flight(US, "sbd", weapon, Place(MEDIUM, 0), fate, "", (), **changes) for fate in fates
    )
    return replace(FIGHT.view(US), flights=flights)


@pytest.mark.parametrize("fate", list(Fate))
def test_the_last_flight_is_an_arrow_with_what_came_of_it(fate):
    root = drawn(flown(fate))
    assert len(styled(root, "way")) == 1
    assert len(styled(root, "dart")) == (fate != Fate.TURNED_BACK)
    assert len(styled(root, "bar")) == (fate == Fate.TURNED_BACK)
    assert len(styled(root, "burst")) == (fate == Fate.HIT)
    assert len(styled(root, "ring")) == (fate not in (Fate.HIT, Fate.INBOUND))
    said = {"inbound": "inbound", "hit": "hit, nothing lasting", "void": "hit, void"}
    expected = said.get(fate, fate.value.replace("_", " ").replace("revealed", "ship found"))
    assert expected in words(root), "on the open sea"
    assert f"1 US: SBD bombs Medium 0: {expected}" in words(root)


def test_an_arrow_goes_from_the_open_sea_to_its_target():
    starts, wide = [], 348 / 5
    for slot in (0, 1):
        view = flown(Fate.MISSED)
        flight = replace(view.flights[0], target=Place(MEDIUM, slot))
        root = drawn(replace(view, flights=(flight,)))
        path = styled(root, "way")[0].get("d")
        start_x, start_y, end_y = (
            float(found) for found in re.match(r"M(\S+) (\S+)V.* (\S+)$", path).groups()
        )
        starts.append(start_x)
        sea = styled(root, "band")[0]
        assert start_y == pytest.approx(float(sea.get("y")), abs=2)
        rows = {
            float(node.get("y")) for node in styled(root, "veil") if "japan" in node.get("class")
        }
        assert min(rows) <= end_y <= min(rows) + 21, (
            "the medium line is the upper one that has ships"
        )
    assert starts[0] - starts[1] == pytest.approx(wide, abs=0.1)
    assert starts[0] == pytest.approx(6 + 4 * wide + 1, abs=0.1), "slot 0 is on the right"


def test_looks_are_dashed_and_only_the_last_three_are_drawn():
    root = drawn(flown(*[Fate.MISSED] * 12))
    assert len(styled(root, "way")) == 3
    assert "and 4 before" in words(root)
    (look,) = styled(drawn(flown(Fate.NOTHING_SEEN, weapon=None)), "way")
    assert "look" in look.get("class")
    assert "1 US: SBD scouts Medium 0: nothing seen" in words(
        drawn(flown(Fate.NOTHING_SEEN, weapon=None))
    )


def test_arrows_follow_ships_as_lines_close_up():
    flights = flown(Fate.MISSED, Fate.MISSED, Fate.HIT).flights
    gone = replace(flights[2], keys=(Key.EXPLODED,), target=Place(MEDIUM, 1))
    for slot, now in ((0, 0), (1, None), (2, 1)):
        first = replace(flights[0], target=Place(MEDIUM, slot))
        assert slot_now(1, (first, flights[1], gone)) == now
        elsewhere = replace(gone, target=Place(SHORT, 0))
        assert slot_now(1, (first, flights[1], elsewhere)) == slot
        assert slot_now(1, (first, flights[1], replace(gone, side=JAPAN))) == slot
    assert slot_now(3, (*flights[:2], gone)) is None
    view = replace(FIGHT.view(US), flights=(flights[0], gone))
    assert len(styled(drawn(view), "way")) == 1, "nothing is left to point at"
    assert "2 US: SBD bombs Medium 1: exploded" in words(drawn(view))
    nothing = replace(flights[0], target=Place(LONG, 0))
    assert not styled(drawn(replace(view, flights=(nothing,))), "way")


# ---- Cards


def test_the_owner_sees_its_cards_with_all_their_numbers():
    root = drawn(OPEN.view(US))
    written = words(root)
    for name in ("F4F", "SBD", "TBM", "PBY"):
        assert name in written
    assert written.count("combat") == 4
    assert {"1–5", "1–3", "1–4", "1–2", "–", "to short", "to medium"} <= set(written)
    assert written.count("4 in hand") == 3
    assert {"Zeke", "Kate", "Val", "Betty"} & set(written) == set()
    assert {"Zeke", "Kate", "Val", "Betty"} <= set(words(drawn(OPEN.view("referee"))))


def test_cards_are_counted_by_where_they_are():
    written = words(drawn(FIGHT.view(US)))
    assert "1 hand, 1 out" in written
    assert written.count("1 used") == 3, "two cards, and the Zeke"


def test_of_an_enemy_the_types_that_were_seen_are_shown():
    written = words(drawn(FIGHT.view(US)))
    assert {"Zeke", "Val", "Kate"} <= set(written)
    assert "Betty" not in written
    assert written.count("seen") == 3


# ---- Turn and phase


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"phase": Phase.MOVE, "flights": ()}, "Now: US to move ships"),
        ({"phase": Phase.CAP_1, "flights": ()}, "Now: US to place cards"),
        ({"phase": Phase.RECON, "flights": ()}, "Now: US to reconnoiter or pass"),
        ({"phase": Phase.STRIKE, "flights": ()}, "Now: US to strike or pass"),
        (
            {"phase": Phase.ASSESS, "acting": (US, JAPAN), "flights": ()},
            "Now: US or Japan to assess damage",
        ),
        (
            {"phase": Phase.INITIATIVE, "acting": (US, JAPAN), "flights": ()},
            "Now: US or Japan to roll for who is first",
        ),
        ({}, "Now: US to answer the flight"),
        ({"phase": Phase.FINISHED, "winner": JAPAN}, "The Japanese side wins"),
        ({"phase": Phase.FINISHED, "draw": True}, "A draw"),
    ],
)
def test_the_heading_says_who_is_to_do_what(change, expected):
    assert expected in words(drawn(replace(FIGHT.view(US), **change)))


def test_the_points_stand_at_the_top():
    view = FIGHT.view(US)
    fleets = (replace(view.fleets[0], points=12), replace(view.fleets[1], points=1))
    root = drawn(replace(view, fleets=fleets))
    assert {"US 12", "Japan 1"} <= set(words(root))
    assert any(text.endswith("1 point") for text in words(root))


# ---- What may be sent


def test_hostile_names_are_escaped_and_cut_to_fit():
    hostile = ("<script>alert(1)</scr&", "\u202eabc\x00" + "W" * 34, "'\"" * 20)
    ships = tuple(Entrant(name, ShipClass.CARRIER, SHORT) for name in hostile)
    own = AircraftCard("x" * 40, "</text><b>&", US, Role.FIGHTER, 6, 6, 6, LONG, 6)
    setup = Setup(us=Force(ships, (own.type, own.type)), own_cards=(own,))
    table = Table(setup).go_to(Phase.CAP_1)
    table.place(US, ("us-card-1", "us-ship-1", FRONT))
    for number in (1, 2, 3):
        table.hurt(US, number, Key.BRIDGE)
    svg = picture(table.view(US), BOOK)
    assert "<script" not in svg
    assert "\u202e" not in svg
    root = ElementTree.fromstring(svg)
    assert hostile[0] in root.find(f"{SVG}desc").text
    for text in words(root):
        assert len(text) < 60


def test_types_that_nobody_knows_are_drawn_all_the_same():
    view = FIGHT.view(US)
    strange = CardSeen("strange", face_up=True)
    fleet = view.fleets[1]
    line = fleet.lines[1]
    slot = replace(line.slots[0], front=(strange,))
    line = replace(line, slots=(slot, *line.slots[1:]))
    fleet = replace(fleet, lines=(fleet.lines[0], line, fleet.lines[2]))
    assert "Strange" in words(drawn(replace(view, fleets=(view.fleets[0], fleet))))
