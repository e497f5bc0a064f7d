"""Laws of damage with carriers: hits, what stands, what fades, points and the end."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from carriers_strikes import (
    ALTERNATIVES,
    BOOK,
    ON_CARRIER,
    ON_OTHERS,
    Tape,
    by_every_face,
    chosen,
    damage,
    few,
    hits,
    many,
    odds,
    rule_of,
    ship,
    ships,
    tapes,
)
from guncamera.rules.trace import FindingLine, ModifierLine, SettingLine, audit, text_of
from guncamera.rulesets.carriers import cards as c
from guncamera.rulesets.carriers import facts as f
from guncamera.rulesets.carriers.hits import CardsThere, cards_there
from guncamera.rulesets.carriers.outcomes import Ending, Harm
from guncamera.rulesets.carriers.standing import (
    MOST_ALIKE,
    at_turn_end,
    fading,
    faults_of,
    parts,
    subtraction,
    with_harm,
)
from hypothesis import given
from hypothesis import strategies as st

ON_A_HIT = [
    one
    for one in ALTERNATIVES
    if one[0]
    in {
        "stacking",
        "die_floor",
        "void_rows",
        "carrier_five_six",
        "deck_hit_card",
        "turret_six",
        "class_change",
        "torpedo_six",
        "flooding",
    }
]
"""Readings that show in the outcome of a hit."""

# ---- Hits


@given(hits(), chosen)
@few
def test_the_odds_of_a_hit_are_those_of_every_face(procedure, settings):
    book = BOOK.with_settings(dict(settings))
    assert odds(procedure, book).outcomes == by_every_face(procedure, book)


TARGETS = [
    ship(nation, kind, keys=keys, belts=2)
    for nation in c.Side
    for kind in c.ShipClass
    for keys in ([], ON_CARRIER if kind == "carrier" else ON_OTHERS)
]


@pytest.mark.parametrize(("name", "value"), ON_A_HIT)
def test_a_setting_that_changes_a_hit_is_named(name, value):
    other = BOOK.with_settings({name: value})
    changes = 0
    for kind, target in product((f.BombHit, f.TorpedoHit), TARGETS):
        rule = rule_of(kind(target))
        for faces in product(range(1, 7), repeat=3):
            found = [rule(book, Tape(faces)) for book in (BOOK, other)]
            if found[0].outcome == found[1].outcome:
                continue
            changes += 1
            for ruling in found:
                assert name in {x.name for x in ruling.trace if isinstance(x, SettingLine)}
    assert changes, "it changes nothing"


@given(hits(), tapes, chosen)
@many
def test_every_trace_of_a_hit_adds_up_and_tells_the_outcome(procedure, tape, settings):
    book = BOOK.with_settings(dict(settings))
    ruling = rule_of(procedure)(book, Tape(tape))
    harm = ruling.outcome.procedure
    assert audit(ruling.trace, book.tables) == []
    findings = [(x.name, x.value) for x in ruling.trace if isinstance(x, FindingLine)]
    assert [value for name, value in findings if name == "effect"] == list(harm.keys)
    assert ("result", harm.result) in findings
    assert (("void", "yes") in findings) == harm.void
    assert (("belts_pierced", "1") in findings) == (harm.belts == 1)
    assert not (harm.void and (harm.keys or harm.belts or harm.cards_lost))
    assert ruling.summary.endswith(".")
    assert ("void" in ruling.summary) == harm.void


@given(st.data(), chosen)
@few
def test_a_ship_can_be_hit_for_as_long_as_she_is_afloat(data, settings):
    book = BOOK.with_settings({**dict(settings), "stacking": "add"})
    target = data.draw(ships(data.draw(st.sampled_from(c.Side)), c.Line.LONG, hurt=False))
    for _ in range(60):
        if not target.afloat:
            break
        kind = data.draw(st.sampled_from([f.BombHit, f.TorpedoHit]))
        ruling = rule_of(kind(target))(book, Tape(data.draw(tapes)))
        target = with_harm(target, ruling.outcome.procedure)
        assert not list(faults_of(target, book, "target"))
        assert len(target.keys) <= c.MAX_KEYS


def test_beyond_six_alike_no_die_could_tell():
    book = BOOK.with_settings({"stacking": "add"})
    worn = ship(keys=["bridge"] * MOST_ALIKE)
    assert subtraction(worn, c.Weapon.TORPEDO, book) == MOST_ALIKE
    assert damage(f.BombHit(worn), (1,), book).outcome.procedure.keys == ()


@pytest.mark.parametrize(
    ("key", "torpedo", "bomb"),
    [
        ("bridge", 1, 0),
        ("deck_aircraft", 1, 1),
        ("out_of_commission", 0, 0),
        ("conning", 1, 0),
        ("gunnery", 0, 1),
        ("rudder", 0, 0),
        ("listing", 1, 1),
        ("turret", 0, 0),
        ("turret_lost", 0, 0),
        ("dead_in_water", 0, 0),
    ],
)
def test_what_stands_takes_off_what_section_5_says(key, torpedo, bomb):
    hurt = ship("japan", "carrier" if key in ("bridge", "deck_aircraft") else "battleship")
    hurt = replace(hurt, keys=(c.Key(key),))
    assert subtraction(hurt, c.Weapon.TORPEDO, BOOK) == torpedo
    assert subtraction(hurt, c.Weapon.BOMB, BOOK) == bomb
    assert parts(hurt, c.Weapon.BOMB, BOOK) == (((c.Key(key), -1),) if bomb else ())


def test_cards_stay_but_where_a_carrier_burns_or_a_ship_goes():
    keys = {
        (): None,
        (c.Key.BRIDGE,): None,
        (c.Key.OUT_OF_COMMISSION,): CardsThere.LOST,
        (c.Key.EXPLODED,): CardsThere.RETURNED,
        (c.Key.LISTING, c.Key.SUNK): CardsThere.RETURNED,
    }
    for some, fate in keys.items():
        harm = Harm("bridge", void=False, keys=some, belts=0, cards_lost=0)
        assert cards_there(harm, BOOK) == fate
    lost = BOOK.with_settings({"lost_ship_cards": "lost"})
    assert cards_there(replace(harm, keys=(c.Key.EXPLODED,)), lost) == CardsThere.LOST


# ---- The end of a turn


def assess(us, japan, turn=1, book=BOOK):
    return damage(f.Assessing(turn, tuple(us), tuple(japan)), (), book)


@st.composite
def fleets(draw, side):
    count = draw(st.integers(1, 5))
    found = [draw(ships(side, c.Line.SHORT)) for _ in range(count)]
    return tuple(replace(one, id=f"secret-{side}-{at}") for at, one in enumerate(found))


@given(fleets("us"), fleets("japan"), st.integers(1, 12), chosen, st.data())
@many
def test_assessment_does_not_depend_on_where_ships_stand(us, japan, turn, settings, data):
    book = BOOK.with_settings(dict(settings))
    ruling = assess(us, japan, turn, book)
    found = ruling.outcome.procedure
    mixed = data.draw(st.permutations(us)), data.draw(st.permutations(japan))
    again = assess(*mixed, turn, book).outcome.procedure
    assert replace(again, cleared=()) == replace(found, cleared=())
    assert set(again.cleared) == set(found.cleared)
    assert audit(ruling.trace, book.tables) == []
    assert not any("secret" in str(line) for line in ruling.trace)


@given(fleets("us"), fleets("japan"), st.sampled_from(["game", "turn"]))
@many
def test_what_is_cleared_is_clear_and_scores_the_same_again(us, japan, lasts):
    book = BOOK.with_settings({"carrier_damage_lasts": lasts})
    found = assess(us, japan, 1, book).outcome.procedure
    rested = [[at_turn_end(one, book) for one in fleet] for fleet in (us, japan)]
    changed = [one.id for one in (*us, *japan) if at_turn_end(one, book) != one]
    assert list(found.cleared) == changed
    assert not any(fading(one, book) for fleet in rested for one in fleet)
    again = assess(*rested, 1, book).outcome.procedure
    assert again == replace(found, cleared=())


@given(fleets("us"), fleets("japan"), st.integers(1, 12))
@many
def test_sides_are_alike(us, japan, turn):
    def turned(fleet, nation):
        return [replace(one, nation=c.Side(nation)) for one in fleet]

    one = assess(us, japan, turn).outcome.procedure
    two = assess(turned(japan, "us"), turned(us, "japan"), turn).outcome.procedure
    assert (one.us_points, one.japan_points) == (two.japan_points, two.us_points)
    assert one.ending == two.ending
    assert one.winner == (two.winner.other if two.winner else None)


def test_the_reason_told_is_the_weightiest():
    gone = [ship("us", "carrier", keys=["sunk"])]
    burnt = [ship("us", "carrier", keys=["out_of_commission"])]
    whole = [ship("japan", "carrier")]
    assert assess(gone, whole, 12).outcome.procedure.ending == Ending.NO_SHIPS
    assert assess(burnt, whole, 12).outcome.procedure.ending == Ending.NO_CARRIER
    assert assess(whole_us(), whole, 12).outcome.procedure.ending == Ending.TURNS
    assert assess(whole_us(), whole, 11).outcome.procedure.ending is None


def whole_us():
    return [ship("us", "carrier")]


@pytest.mark.parametrize("value", [0, 50])
def test_points_are_what_the_settings_say(value):
    names = {name for name in BOOK.setting_specs if name.startswith("points_")}
    book = BOOK.with_settings(dict.fromkeys(names, value))
    japan = [
        ship("japan", "carrier", keys=["out_of_commission"]),
        ship("japan", "battleship", keys=["exploded"]),
        ship("japan", "cruiser", keys=["dead_in_water", "exploded"], belts=2),
        ship("japan", "destroyer", keys=["exploded", "rudder", "turret"]),
    ]
    ruling = assess(whole_us(), japan, 1, book)
    assert ruling.outcome.procedure.us_points == (5 + 1 + 2) * value
    named = {line.name: line.value for line in ruling.trace if isinstance(line, SettingLine)}
    assert {name: named[name] for name in names} == dict.fromkeys(names, text_of(value))


def test_points_say_what_they_are_for():
    japan = [
        ship("japan", "carrier", keys=["bridge", "out_of_commission"], name="Kaga"),
        ship("japan", "cruiser", keys=["exploded"], name="Tone"),
        ship("japan", "destroyer", keys=["listing", "sunk"]),
    ]
    told = [line.name for line in assess(whole_us(), japan).trace if isinstance(line, ModifierLine)]
    assert told == [
        "Kaga: out_of_commission",
        "Kaga: bridge",
        "Tone: exploded",
        "a Japanese destroyer: sunk",
        "a Japanese destroyer: listing",
    ]


# ---- In words


def test_a_hit_is_told_in_one_sentence():
    told = {
        "Bombs hit the carrier Akagi: aviation fuel burns, she is out of commission.": (
            f.BombHit(ship(name="Akagi")),
            (3, 5, 1),
        ),
        "Bombs hit the destroyer: a hit on the magazine, but the die is not for a US ship: void.": (
            f.BombHit(ship("us", "destroyer")),
            (1, 6),
        ),
        "A torpedo hits the cruiser: a hit on the belt, but the die is not for a US ship: void.": (
            f.TorpedoHit(ship("us", "cruiser")),
            (1,),
        ),
        "A torpedo hits the cruiser: the belt is pierced, she lists.": (
            f.TorpedoHit(ship("us", "cruiser")),
            (3, 1),
        ),
    }
    for summary, (hit, faces) in told.items():
        assert damage(hit, faces).summary == summary


def test_a_game_of_before_is_told_in_the_words_it_had():
    before = replace(BOOK, later=frozenset({"damage_reports", "distance"}))
    told = damage(f.BombHit(ship("us", "destroyer")), (1, 6), before).summary
    assert told == "Bombs hit the destroyer: the magazine is hit, but not of a US ship: void."
