"""Laws of flights and strikes with carriers: the whole chain, secrets before a hit, settings."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from carriers_strikes import (
    ALTERNATIVES,
    BOOK,
    BY_NATION,
    NUMBERS,
    ON_CARRIER,
    ON_OTHERS,
    Tape,
    by_every_face,
    chosen,
    few,
    fire,
    many,
    named,
    odds,
    rule_of,
    scoutings,
    ship,
    strike,
    strike_by_page,
    strikes,
    tapes,
)
from guncamera.rules.dealt import DealtDice
from guncamera.rules.odds import odds_of
from guncamera.rules.plain import from_plain
from guncamera.rules.refusal import Illegal, Refusal, RollRequired
from guncamera.rules.trace import FindingLine, RollLine, SettingLine, audit
from guncamera.rulesets.carriers import cards as c
from guncamera.rulesets.carriers import facts as f
from guncamera.rulesets.carriers.damage import rule_on_damage
from guncamera.rulesets.carriers.fire import rule_on_fire
from guncamera.rulesets.carriers.spot import rule_on_spot
from guncamera.rulesets.carriers.standing import SUBTRACTION
from hypothesis import given
from hypothesis import strategies as st
from shipped import shipped_cases

# ---- The chances of the whole chain


def targets(nation, line):
    """A ship of each class, whole and with everything that can be wrong with her."""
    for kind in c.ShipClass:
        can = ON_CARRIER if kind == "carrier" else ON_OTHERS
        yield ship(nation, kind, line)
        yield ship(nation, kind, line, [key for key in can if key != "listing"])
        yield ship(nation, kind, line, ["listing"])


@pytest.mark.parametrize("type_", NUMBERS)
@pytest.mark.parametrize("guarded", [False, True])
def test_a_strike_has_the_chances_of_the_page(type_, guarded):
    card = BOOK.aircraft[type_]
    met = ("zeke" if card.nation == "us" else "f4f") if guarded else ""
    for target, weapon in product(targets(card.nation.other, card.range), c.Weapon):
        if weapon == "torpedo" and not card.torpedo:
            continue
        struck = strike(type_, weapon, target, met)
        ours = odds(struck).by(lambda one, target=target: named(one, target)).outcomes
        assert ours == strike_by_page(struck), (type_, weapon, target)


@given(strikes(), chosen)
@few
def test_the_odds_of_a_strike_are_those_of_every_face(procedure, settings):
    book = BOOK.with_settings({**dict(settings), "bomb_number_for_dive": True})
    assert odds(procedure, book).outcomes == by_every_face(procedure, book)


@given(scoutings(), chosen)
@few
def test_the_odds_of_reconnaissance_are_those_of_every_face(procedure, settings):
    book = BOOK.with_settings({**dict(settings), "recon_cards": "any", "any_card_cap": True})
    assert odds(procedure, book).outcomes == by_every_face(procedure, book)


def test_the_odds_of_the_longest_chain_take_few_runs():
    rule = rule_of(strike("tbm", "bomb", ship("japan", "battleship"), "zeke"))
    assert odds_of(lambda dice: rule(BOOK, dice).outcome).runs <= 14


@given(strikes())
@few
def test_one_more_thing_wrong_never_protects_a_ship_nor_by_setting_helps_against_it(procedure):
    target = procedure.target
    can = ON_CARRIER if target.ship_class == "carrier" else ON_OTHERS
    for key in set(can) - set(target.keys):
        worse = replace(procedure, target=replace(target, keys=(*target.keys, key)))
        for reading, sign in (("roll", 1), ("number", -1)):
            book = BOOK.with_settings({"minus_one": reading})
            before, after = (odds(one, book).of(lambda x: x.hit) for one in (procedure, worse))
            assert sign * (after - before) >= 0


# ---- Nothing is told of a ship that nobody has seen


def told(ruling):
    """What a ruling on a miss tells, but for the lines that are kept back."""
    kept = tuple(line for line in ruling.trace if line.rule_id != SUBTRACTION)
    return ruling.outcome, kept, ruling.events, ruling.summary


def hidden(procedure):
    """The same strike, at each ship that might stand there."""
    target = procedure.target
    return [
        replace(procedure, target=one, revealed=False)
        for one in targets(target.nation, target.line)
    ]


@pytest.mark.parametrize(
    "settings",
    [{}, {"minus_one": "number"}, {"director_effect": "both", "class_change": "row-three"}],
    ids=["default", "number", "both"],
)
@given(strikes(), tapes)
@many
def test_a_miss_tells_nothing_of_the_ship(settings, procedure, tape):
    book = BOOK.with_settings(settings)
    found = [rule_of(one)(book, Tape(tape)) for one in hidden(procedure)]
    missed = {told(one) for one in found if not one.outcome.procedure.hit}
    assert len(missed) <= 1
    for ruling in found:
        if not ruling.outcome.procedure.hit:
            left = [line for line in ruling.trace if line.rule_id != SUBTRACTION]
            assert audit(left, book.tables) == []


@given(strikes(), st.sampled_from(ALTERNATIVES))
@many
def test_until_a_hit_every_ship_asks_for_the_same_dice(procedure, alternative):
    book = BOOK.with_settings(dict([alternative]))
    faces = (6,) if procedure.interceptor else ()
    for thrown in ((), faces):
        asks = set()
        for one in hidden(procedure):
            try:
                rule_of(one)(book, DealtDice(thrown))
            except RollRequired as required:
                ask = required.ask
                asks.add((ask.dice, ask.purpose, ask.rule_id, ask.read.describe()))
            except Illegal as refused:
                asks.add((refused.rule_id, refused.message))
        assert len(asks) == 1


def test_the_die_stands_before_what_is_taken_off_and_that_before_the_verdict():
    target = ship("japan", "battleship", keys=["listing", "conning"])
    lines = fire(strike("tbm", "torpedo", target), (6, 6)).trace
    at = next(i for i, line in enumerate(lines) if getattr(line, "purpose", "") == "to-hit")
    after = [(line.rule_id, line.name) for line in lines[at + 1 : at + 6]]
    assert after == [
        (SUBTRACTION, "minus_one"),
        (SUBTRACTION, "listing"),
        (SUBTRACTION, "conning"),
        (SUBTRACTION, "die"),
        ("CAR-7.3", "hit"),
    ]


# ---- At the table


@given(strikes(), tapes)
@many
def test_a_strike_can_be_thrown_one_die_at_a_time(procedure, tape):
    whole = Tape(tape)
    ruling = rule_of(procedure)(BOOK, whole)
    thrown = [line for line in ruling.trace if isinstance(line, RollLine)]
    assert [line.purpose for line in thrown] == [ask.purpose for ask in whole.asks]
    faces = ()
    for ask, line in zip(whole.asks, thrown):
        with pytest.raises(RollRequired) as required:
            rule_of(procedure)(BOOK, DealtDice(faces))
        assert required.value.ask == ask
        faces += line.faces
    assert rule_of(procedure)(BOOK, DealtDice(faces)) == ruling


REFUSED = [
    case
    for case in shipped_cases()
    if case.ruleset == "carriers" and case.refused and case.file.split("/")[1][:2] in "05060708"
]
RULES = {
    "fire": (f.FireFacts, rule_on_fire),
    "damage": (f.DamageFacts, rule_on_damage),
    "spot": (f.SpotFacts, rule_on_spot),
}


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.id)
def test_every_guard_comes_before_the_first_die(case):
    kind, rule = RULES[case.verb]
    book = BOOK.with_settings(case.settings)
    with pytest.raises(Refusal) as refused:
        rule(from_plain(kind, case.facts, "facts"), book, DealtDice(()))
    assert not isinstance(refused.value, RollRequired)
    assert refused.value.rule_id == case.refused["rule_id"]
    assert "<" not in refused.value.message


# ---- Settings

TELLTALE = {"strike_base"}
"""Under its default it is not named: that would tell that a card lay at no carrier."""


def ruled(procedure, book, tape):
    try:
        return rule_of(procedure)(book, Tape(tape))
    except Illegal:
        return None


@pytest.mark.parametrize(("name", "value"), [one for one in ALTERNATIVES if one[0] not in TELLTALE])
@given(st.one_of(strikes(), scoutings()), st.sampled_from((None, *c.Line)), tapes)
@few
def test_a_setting_that_changes_a_flight_is_named(name, value, procedure, front, tape):
    station = c.Station.FRONT if front else None
    flyer = replace(procedure.flyer, station=station, line=front)
    procedure = replace(procedure, flyer=flyer)
    found = [ruled(procedure, book, tape) for book in (BOOK, BOOK.with_settings({name: value}))]
    if found[0] and found[1] and found[0].outcome == found[1].outcome:
        return
    for ruling in found:
        if ruling is not None:
            assert name in {x.name for x in ruling.trace if isinstance(x, SettingLine)}


@given(st.one_of(strikes(), scoutings()), tapes, chosen)
@many
def test_every_trace_of_a_flight_adds_up_under_any_settings(procedure, tape, settings):
    book = BOOK.with_settings(dict(settings))
    ruling = ruled(procedure, book, tape)
    if ruling is not None:
        assert audit(ruling.trace, book.tables) == []
        assert ruling.summary.endswith(".")


# ---- Reach


@pytest.mark.parametrize("type_", NUMBERS)
@pytest.mark.parametrize("line", c.Line)
def test_a_card_reaches_its_own_line_and_by_setting_the_nearer_ones(type_, line):
    order = ["short", "medium", "long"]
    range_ = BOOK.aircraft[type_].range
    approach = f.Approach(f.Flyer(type_), line, c.Weapon.BOMB)
    for rule, reaches in (
        ("exact", line == range_),
        ("at-most", order.index(line) <= order.index(range_)),
    ):
        book = BOOK.with_settings({"range_rule": rule})
        if reaches:
            assert fire(approach, book=book).outcome.procedure.line == line
        else:
            with pytest.raises(Illegal, match=f"on the {line} line") as refused:
                fire(approach, book=book)
            assert refused.value.rule_id == "CAR-5.2"


def test_announced_and_flown_are_refused_alike():
    for nation, type_ in ((n, t) for n, types in BY_NATION.items() for t in types):
        for line, weapon in product(c.Line, c.Weapon):
            approach = f.Approach(f.Flyer(type_), line, weapon)
            struck = f.Strike(f.Flyer(type_), weapon, ship(nation.other, "cruiser", line))
            assert refusal(approach) == refusal(struck)


def refusal(procedure):
    try:
        fire(procedure, (6, 6, 6, 6))
    except Refusal as refused:
        return refused.rule_id, refused.message
    return None


@pytest.mark.parametrize("announced", [True, False])
def test_a_trace_goes_by_the_order_of_the_page(announced):
    """Which card, whether it reaches, what it carries and needs; then who meets it."""
    approach = f.Approach(f.Flyer("sbd"), c.Line.MEDIUM, c.Weapon.BOMB)
    ruling = fire(approach) if announced else fire(strike(interceptor="zeke"), (6, 4, 1))
    found = [(line.name, line.value) for line in ruling.trace if isinstance(line, FindingLine)]
    assert found[:5] == [
        ("card", "sbd"),
        ("range", "medium"),
        ("target_line", "medium"),
        ("weapon", "bomb"),
        ("bomb_number", "4"),
    ]
    assert found[5][0] == ("defender_may_refuse" if announced else "interceptor")


def test_a_card_that_does_not_reach_is_told_which_line_it_reaches():
    target = ship("us", line="medium")
    for value, told in (("exact", "the short line only"), ("at-most", "the short line and nearer")):
        with pytest.raises(Illegal, match=told):
            fire(strike("val", target=target), (1,), BOOK.with_settings({"range_rule": value}))
