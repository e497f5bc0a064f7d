"""Laws of flight in Flying Circus Plus: for any aircraft, plot, damage and settings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise
from random import Random
from time import process_time

import pytest
from chance import examples
from guncamera.rules.dealt import DealtDice
from guncamera.rules.dice import Ask, Throw
from guncamera.rules.hexes import Hex, HexDirection
from guncamera.rules.plain import from_plain, to_plain
from guncamera.rules.refusal import Illegal, Malformed, Refusal
from guncamera.rules.trace import SettingLine, audit
from guncamera.rulesets.circus.aircraft import Aircraft, Condition, Load, Manoeuvre, Pose
from guncamera.rulesets.circus.book import CircusBook, load_book
from guncamera.rulesets.circus.codes import MAX_CODES, parse
from guncamera.rulesets.circus.condition import with_effects
from guncamera.rulesets.circus.facts import Flight, Flying, MoveFacts, Plot, Plotting
from guncamera.rulesets.circus.fly import flown_path
from guncamera.rulesets.circus.map import hex_at
from guncamera.rulesets.circus.move import rule_on_move
from guncamera.rulesets.circus.outcomes import Effect, End, Harm, MoveOutcome
from guncamera.rulesets.circus.performance import (
    assess,
    climb_rate,
    current_top,
    is_destroyed,
    speeds,
    turn_code,
    why_barred,
)
from guncamera.rulesets.circus.plots import MOST_PLOTS, flown_plots
from hex_laws import mirror_image, mirrored
from hypothesis import assume, event, given
from hypothesis import strategies as st

BOOK: CircusBook = load_book()
DIRECTIONS = list(HexDirection)
MIDDLE = "2313"
MOST_SECONDS = 0.0003


@cache
def book_of(seed: int) -> CircusBook:
    """The book under settings drawn at random; 0 is the default."""
    random = Random(seed)
    chosen = {}
    for name, spec in BOOK.setting_specs.items() if seed else ():
        values = [choice.value for choice in spec.choices] or [spec.low, spec.default, spec.high]
        if name not in ("map_columns", "map_rows"):
            chosen[name] = random.choice(values)
    return BOOK.with_settings(chosen)


books = st.integers(0, 12)
many = examples(80)
types = st.sampled_from(sorted(BOOK.aircraft))
conditions = st.one_of(
    st.just(Condition()),
    st.builds(
        Condition,
        damage_points=st.integers(0, 4),
        structure_marks=st.integers(0, 2),
        spar_cracked=st.booleans(),
        wings_cracked=st.booleans(),
        top_lost_mp=st.integers(0, 8),
        engine_seized=st.booleans(),
        turn_code_steps=st.integers(0, 5),
        left_barred=st.booleans(),
        right_barred=st.booleans(),
        climb_steps=st.integers(0, 12),
        shallow_only=st.booleans(),
        gentle_only=st.booleans(),
    ),
)


NOWHERE = st.just("")


@st.composite
def aircraft(draw, hexes=NOWHERE, conditions=conditions):
    """An aircraft that can be steered, in any state that a game may bring it to."""
    kind = draw(types)
    aeroplane = BOOK.aircraft[kind]
    speed = draw(st.integers(max(aeroplane.stall_mp - 2, 0), aeroplane.top_mp))
    return Aircraft(
        id="a",
        aeroplane=kind,
        hex=draw(hexes),
        facing=draw(st.sampled_from(DIRECTIONS)),
        altitude_feet=50 * draw(st.integers(1, aeroplane.ceiling_feet // 50)),
        speed_mp=speed,
        ke=draw(st.integers(0, aeroplane.over_speed_mp - speed)),
        power_diving=draw(st.integers(0, 4)) == 0,
        hanging=draw(st.integers(0, 4)) == 0,
        condition=draw(conditions),
    )


TOKENS = (
    *(str(n) for n in range(1, 8)),
    *("L", "R", "=", "^50", "^100", "^150", "v", "vv", "Z1", "Z2", "SSL", "SSR", "HYY2", "LYY3"),
    *("HYY(1 R 1)", "LYY(1 L 2)", "HT", "HT-FR", "HT-BL", "RR", "O", "O50", "DR", "PH", "PD"),
)


def plots_of(craft, aeroplane, own, book):
    return [plot for plot, _ in flown_plots(craft, aeroplane, own, book)]


def may_do(aeroplane, condition, manoeuvre, book):
    return why_barred(assess(aeroplane, condition, book), manoeuvre) is None


def filled(codes: list[str], points: int) -> str:
    """Codes with hexes added, so that their points come near to what is to be spent."""
    return " ".join([*codes, str(points)] if points > 0 else codes)


def offset(step, start: Hex) -> Hex:
    there = hex_at(step.hex, BOOK, "", anywhere=True)
    return Hex(there.q - start.q, there.r - start.r)


def picked(craft: Aircraft, book: CircusBook, nth: int):
    """One of the plots of an aircraft that has any, and where it leads."""
    aeroplane = BOOK.aircraft[craft.aeroplane]
    assume(not is_destroyed(aeroplane, craft.condition, book))
    plots = list(flown_plots(craft, aeroplane, (), book))
    return plots[nth % len(plots)]


# ---- Reading plots


def read(text: str):
    """The tokens of a text, or why it is none."""
    try:
        return parse(text), None
    except Malformed as refused:
        return (), refused


@given(st.one_of(st.text(), st.text("0123456789LRSHYTODPZv^↑↓()-= ", max_size=200)))
def test_any_text_is_read_or_is_malformed(text):
    tokens, refused = read(text)
    event("read" if refused is None else "malformed")
    if refused is not None:
        assert refused.rule_id.startswith("CIR-")
        assert refused.field == "plot.codes"
        assert len(refused.message) < 500
    assert refused or len(text) <= MAX_CODES
    assert [token.place for token in tokens] == list(range(1, len(tokens) + 1))
    assert all(text[token.character - 1].strip() for token in tokens)


@given(st.lists(st.sampled_from(TOKENS), min_size=1, max_size=20))
def test_what_is_read_does_not_depend_on_capitals_or_spaces(codes):
    plain = [(t.code, t.number, t.place) for t in parse(" ".join(codes))]
    assert [(t.code, t.number, t.place) for t in parse("  ".join(codes).lower() + " ")] == plain


@pytest.mark.parametrize(
    "text", ["HYY" * 50, "(" * 160, "HYY(" * 40, "9" * 160, "1 " * 80, ")" * 9]
)
def test_hostile_texts_are_refused_quickly(text):
    start = process_time()
    with pytest.raises(Malformed):
        parse(text)
    assert process_time() - start < 0.05


def flown_or_not(craft: Aircraft, plot: Plot, book: CircusBook):
    """Where a plot leads, or why it cannot be flown."""
    try:
        return flown_path(craft, BOOK.aircraft[craft.aeroplane], plot, book), None
    except Refusal as refused:
        return None, refused


@examples(100)
@given(aircraft(), books, st.lists(st.sampled_from(TOKENS), min_size=1, max_size=6), st.data())
def test_any_codes_are_flown_or_refused(craft, seed, codes, data):
    book = book_of(seed)
    text = filled(codes, data.draw(st.integers(0, 12)))
    flown, refused = flown_or_not(craft, Plot("a", data.draw(st.integers(0, 11)), text), book)
    if refused is None:
        event("flown")
        check_flown(craft, flown, book)
        return
    event(refused.rule_id)
    assert isinstance(refused, Malformed | Illegal)
    assert refused.rule_id in REFUSING
    assert refused.field.startswith(("flight.plot", "flight.aircraft"))


REFUSING = {
    *("CIR-2.1", "CIR-2.2", "CIR-2.3", "CIR-3.1", "CIR-3.2", "CIR-3.4", "CIR-3.5", "CIR-3.6"),
    *("CIR-3.8", "CIR-3.9", "CIR-4.1", "CIR-4.2", "CIR-4.5", "CIR-5.1", "CIR-5.2", "CIR-5.5"),
    *("CIR-5.7", "CIR-5.8", "CIR-5.10", "CIR-6.6", "CIR-6.7", "CIR-10.11", "CIR-10.12"),
}


# ---- Flying them


def check_flown(craft: Aircraft, flown, book: CircusBook) -> None:
    """What holds for every flight."""
    path = flown.path
    aeroplane = BOOK.aircraft[craft.aeroplane]
    assert path[0].mp == 0
    assert path[0].altitude_feet == craft.altitude_feet
    assert all(before.mp <= after.mp for before, after in pairwise(path))
    assert len(path) <= 60
    assert flown.flown_mp == path[-1].mp <= flown.points
    assert all(step.altitude_feet > 0 for step in path[:-1])
    assert (path[-1].altitude_feet == 0) == (flown.end in (End.CRASHED, End.LANDED))
    highest = craft.altitude_feet + flown.able.climb_feet + 200 * craft.ke + 50 * flown.points
    if book.settings.ceiling == "all":
        highest = min(highest, max(aeroplane.ceiling_feet, craft.altitude_feet))
    assert all(step.altitude_feet <= highest for step in path)
    assert all(step.altitude_feet % 50 == 0 for step in path)
    if flown.end is None:
        lost = flown.points - flown.flown_mp
        assert lost <= (1 if flown.dive == Pose.STEEP_DIVE else 0)
    left = craft.ke - flown.ke_spent
    assert 0 <= flown.ke_spent <= craft.ke
    assert left + flown.ke_change >= 0
    assert flown.speed_mp + left + flown.ke_change <= aeroplane.over_speed_mp
    assert flown.hang_mp % 6 == 0 or flown.end is not None


@many
@given(aircraft(), books, st.integers(0, 10**6), st.integers(1, 5))
def test_a_turned_start_turns_the_path(craft, seed, nth, sixths):
    book = book_of(seed)
    plot, flown = picked(craft, book, nth)
    turned = replace(craft, facing=craft.facing.turned(sixths))
    other = flown_path(turned, BOOK.aircraft[craft.aeroplane], plot, book)
    start = hex_at(flown.path[0].hex, BOOK, "")
    assert len(other.path) == len(flown.path)
    for one, two in zip(flown.path, other.path):
        assert offset(two, start) == offset(one, start).rotated(sixths)
        assert two.facing == one.facing.turned(sixths)
        assert (two.mp, two.altitude_feet, two.pose) == (one.mp, one.altitude_feet, one.pose)
    assert (other.acts, other.ke_change, other.end) == (flown.acts, flown.ke_change, flown.end)


_SIDES = re.compile(r"(?<![A-Z])[LR](?![A-Z])|(?<=SS)[LR]|(?<=HT-[FB])[LR]")


def swapped(codes: str) -> str:
    """The same codes with left and right exchanged."""
    return _SIDES.sub(lambda found: "R" if found.group() == "L" else "L", codes)


@many
@given(aircraft(), books, st.integers(0, 10**6))
def test_a_mirrored_start_and_plot_mirror_the_path(craft, seed, nth):
    book = book_of(seed)
    plot, flown = picked(craft, book, nth)
    hurt = replace(
        craft.condition,
        left_barred=craft.condition.right_barred,
        right_barred=craft.condition.left_barred,
    )
    other = flown_path(
        replace(craft, facing=mirrored(craft.facing), condition=hurt),
        BOOK.aircraft[craft.aeroplane],
        replace(plot, codes=swapped(plot.codes)),
        book,
    )
    start = hex_at(flown.path[0].hex, BOOK, "")
    for one, two in zip(flown.path, other.path, strict=True):
        assert offset(two, start) == mirror_image(offset(one, start))
        assert two.facing == mirrored(one.facing)
        assert (two.mp, two.altitude_feet, two.pose) == (one.mp, one.altitude_feet, one.pose)


def plainly_flown(craft: Aircraft, codes: str, cost: int) -> tuple[Hex, int, int, int]:
    """A twin for hexes, hexsides and one shallow dive: place, facing, height and points."""
    here, facing, feet, spent, sides = Hex(0, 0), craft.facing.facing, craft.altitude_feet, 0, 0
    for code in codes.split():
        if code == "v":
            feet -= spent // 2 * 100
        elif code in "LR":
            facing += 1 if code == "L" else -1
            sides += 1
            feet -= 50 if sides > 1 else 0
            spent += cost
        else:
            sides = 0
            spent += int(code)
            here = here.step(DIRECTIONS[facing % 6], int(code))
    return here, facing % 6, feet, spent


PLAIN = re.compile(r"([0-9]+|[LR])( ([0-9]+|[LR]))*( v)?")


@given(aircraft(conditions=st.just(Condition())), st.integers(0, 10**6))
def test_plain_flight_agrees_with_a_plain_twin(craft, nth):
    craft = replace(craft, altitude_feet=5000, power_diving=False)
    aeroplane = BOOK.aircraft[craft.aeroplane]
    flown = flown_plots(craft, aeroplane, (), BOOK)
    plain = [(plot, one) for plot, one in flown if PLAIN.fullmatch(plot.codes)]
    assume(plain)
    plot, one = plain[nth % len(plain)]
    cost = {"a": 1, "b": 2, "c": 3, "d": 4}[aeroplane.turn_code]
    start, last = hex_at(one.path[0].hex, BOOK, ""), one.last
    found = offset(last, start), last.facing.facing, last.altitude_feet, last.mp
    assert found == plainly_flown(craft, plot.codes, cost)


def test_a_thousand_plots_take_no_time():
    craft = Aircraft("a", "fokker_d_vii", MIDDLE, HexDirection.EAST, 6000, 10)
    plot = Plot("a", 10, "3 R 2 R 1 ^100")
    aeroplane = BOOK.aircraft["fokker_d_vii"]
    best = 1.0
    for _ in range(10):
        start = process_time()
        for _ in range(100):
            flown_path(craft, aeroplane, plot, BOOK)
        best = min(best, (process_time() - start) / 100)
    assert best < MOST_SECONDS


# ---- The selection of plots


EDGES = st.sampled_from(["0101", "4501", "0125", "4525", "2301", "4513", MIDDLE])


@many
@given(aircraft(hexes=EDGES), books)
def test_an_aircraft_that_can_be_steered_always_has_a_legal_plot(craft, seed):
    book = book_of(seed)
    aeroplane = BOOK.aircraft[craft.aeroplane]
    assume(not is_destroyed(aeroplane, craft.condition, book))
    plots = plots_of(craft, aeroplane, (), book)
    assert 1 <= len(plots) <= MOST_PLOTS
    assert len(set(plots)) == len(plots)
    for plot in plots[:: max(1, len(plots) // 10)]:
        facts = MoveFacts(Plotting((Flight(craft, plot),)))
        assert rule_on_move(facts, book, DealtDice(())).outcome.procedure.flights
        flown = flown_path(craft, aeroplane, plot, book)
        check_flown(craft, flown, book)


def test_the_first_plot_goes_straight_on_and_all_come_alike_each_time():
    for kind, aeroplane in BOOK.aircraft.items():
        craft = Aircraft("a", kind, MIDDLE, HexDirection.WEST, 6000, aeroplane.top_mp - 1)
        plots = plots_of(craft, aeroplane, (), BOOK)
        assert plots[0] == Plot("a", craft.speed_mp, str(craft.speed_mp))
        assert plots == plots_of(craft, aeroplane, (), BOOK)
        assert {plot.speed_mp for plot in plots} == set(
            speeds(craft, assess(aeroplane, Condition(), BOOK), BOOK)
        )


def test_the_selection_has_every_manoeuvre_that_a_type_may_do():
    for kind, aeroplane in BOOK.aircraft.items():
        craft = Aircraft("a", kind, MIDDLE, HexDirection.WEST, 6000, aeroplane.top_mp)
        flown = [one for _, one in flown_plots(craft, aeroplane, (), BOOK)]
        done = {manoeuvre for one in flown for _, manoeuvre in one.manoeuvres}
        assert done == {m for m in Manoeuvre if may_do(aeroplane, Condition(), m, BOOK)}
        dives = (Pose.LEVEL, Pose.SHALLOW_DIVE, Pose.STEEP_DIVE)
        assert set(dives) <= {one.dive for one in flown}
        assert any(one.last.altitude_feet > 6000 for one in flown)


def test_nobody_is_offered_the_ground_while_there_is_air():
    craft = Aircraft("a", "se5a", MIDDLE, HexDirection.WEST, 100, 8)
    flown = [one for _, one in flown_plots(craft, BOOK.aircraft["se5a"], (), BOOK)]
    assert flown
    assert all(one.last.altitude_feet > 0 for one in flown)


# ---- With dice


class RandomDice:
    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.faces: list[int] = []

    def roll(self, ask: Ask) -> Throw:
        faces = tuple(self.random.choice((1, 3, 5, 6)) for _ in ask.dice)
        self.faces += faces
        return Throw(ask.read(faces), faces)


def rulings(craft: Aircraft, plot: Plot, book: CircusBook) -> Iterator[tuple]:
    for seed in range(6):
        dice = RandomDice(seed)
        facts = MoveFacts(Flying((Flight(craft, plot),)))
        ruling = rule_on_move(facts, book, dice)
        again = rule_on_move(facts, book, DealtDice(dice.faces))
        assert again == ruling, "equal faces rule alike"
        yield ruling, ruling.outcome.procedure.flights[0]


@many
@given(aircraft(hexes=EDGES), books, st.integers(0, 10**6))
def test_flights_end_somewhere_on_their_plots(craft, seed, nth):
    book = book_of(seed)
    plot, planned = picked(craft, book, nth)
    assume(planned.acts or nth % 5 == 0)
    for ruling, flown in rulings(craft, plot, book):
        assert audit(ruling.trace, book.tables) == []
        assert ruling.summary.endswith(".")
        assert from_plain(MoveOutcome, to_plain(ruling.outcome)) == ruling.outcome
        harms = {effect.harm for effect in flown.effects}
        event(f"end {flown.end}, cracked {Harm.SPAR_CRACKED in harms}")
        if Harm.SPAR_CRACKED not in harms:
            assert flown.path == planned.path[: len(flown.path)]
        assert (flown.end == End.BROKEN_UP) == (Harm.BROKEN_UP in harms)
        condition = with_effects(craft.condition, flown.effects)
        destroyed = is_destroyed(BOOK.aircraft[craft.aeroplane], condition, book)
        assert destroyed == (flown.end == End.DESTROYED) or flown.end == End.BROKEN_UP
        if flown.end is None and Harm.SPAR_CRACKED in harms:
            assert planned.points - flown.path[-1].mp <= (flown.dive == Pose.STEEP_DIVE)
        for line in ruling.trace:
            if isinstance(line, SettingLine):
                assert line.value == str(getattr(book.settings, line.name))


def test_a_spar_that_cracks_leaves_the_zoom_and_the_turn_that_follow_unflown():
    """R R strains; then a zoom and another tight turn are plotted, of which neither comes."""
    craft = Aircraft("a", "sopwith_camel", MIDDLE, HexDirection.EAST, 6000, 9, ke=2)
    plot = Plot("a", 9, "R R 1 R Z2 5")
    facts = MoveFacts(Flying((Flight(craft, plot),)))
    ruling = rule_on_move(facts, BOOK, DealtDice((3, 1, 5)))
    flown = ruling.outcome.procedure.flights[0]
    assert flown.effects == (Effect(Harm.SPAR_CRACKED),)
    assert (flown.ke_spent, flown.path[-1].mp) == (0, 9)
    assert flown.path[-1].facing == HexDirection.SOUTHWEST
    assert flown.path[-1].altitude_feet == 5950
    assert flown.manoeuvres == ()


def test_what_is_left_of_a_move_with_a_cracked_spar_may_lead_over_the_edge():
    """The plot turns past the edge; after two of its hexsides the nose is toward it."""
    craft = Aircraft("a", "sopwith_camel", "4513", HexDirection.NORTHWEST, 6000, 9)
    plot = Plot("a", 9, "R R R 1 R R 3")
    assert flown_path(craft, BOOK.aircraft["sopwith_camel"], plot, BOOK).end is None
    facts = MoveFacts(Flying((Flight(craft, plot),)))
    flown = rule_on_move(facts, BOOK, DealtDice((3, 1, 5))).outcome.procedure.flights[0]
    assert flown.end == End.LEFT_MAP
    assert (flown.path[-1].hex, flown.path[-1].facing) == ("4513", HexDirection.EAST)


# ---- Performance


@given(types, conditions, conditions, books)
def test_more_damage_never_makes_an_aircraft_better(kind, one, two, seed):
    book = book_of(seed)
    aeroplane = BOOK.aircraft[kind]
    worse = with_effects(
        one,
        (
            Effect(Harm.DAMAGE, two.damage_points),
            Effect(Harm.CLIMB_STEPS, two.climb_steps),
            Effect(Harm.TURN_CODE_WORSE, two.turn_code_steps),
            *((Effect(Harm.SHALLOW_ONLY),) if two.shallow_only else ()),
            *((Effect(Harm.GENTLE_ONLY),) if two.gentle_only else ()),
            *((Effect(Harm.SPAR_CRACKED),) if two.spar_cracked else ()),
            *((Effect(Harm.WINGS_CRACKED),) if two.wings_cracked else ()),
        ),
    )
    assert is_destroyed(aeroplane, one, book) <= is_destroyed(aeroplane, worse, book)
    assume(not is_destroyed(aeroplane, worse, book))
    assert aeroplane.stall_mp <= current_top(aeroplane, worse, book) <= aeroplane.top_mp
    assert turn_code(aeroplane, one, book) <= turn_code(aeroplane, worse, book)
    assert climb_rate(aeroplane, worse, book) <= climb_rate(aeroplane, one, book)
    for manoeuvre in Manoeuvre:
        before, after = (may_do(aeroplane, c, manoeuvre, book) for c in (one, worse))
        assert after <= before


@given(conditions, st.lists(st.sampled_from(list(Harm)), max_size=8), st.integers(1, 120))
def test_any_effects_leave_a_condition_within_its_limits(condition, harms, amount):
    after = with_effects(condition, (Effect(harm, amount) for harm in harms))
    assert from_plain(Condition, to_plain(after)) == after


def test_a_gun_is_cleared_only_by_a_whole_move_straight_and_level():
    jammed = (Load(5, jammed=True),)
    craft = Aircraft("a", "fokker_d_vii", MIDDLE, HexDirection.EAST, 6000, 10, loads=jammed)
    for plot, planned in flown_plots(craft, BOOK.aircraft["fokker_d_vii"], (), BOOK):
        assert planned.straight_and_level == plot.codes.isdigit()
