"""Plots that are too many to list: drawn by number, and written code by code.

What is counted is held to what the rules of flight let pass: whole sets for slow aircraft, where
all codes in all orders can be tried, and drawn plots for fast ones.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from random import Random

import pytest
from circus_plots import every_plot
from circus_table import (
    ALTERNATE,
    BOOK,
    EAST,
    PAIR,
    RULESET,
    WEST,
    Game,
    Table,
    at_random,
    entrant,
)
from guncamera.rules.dealt import DealtDice
from guncamera.rules.hexes import HexDirection
from guncamera.rules.refusal import Illegal, Malformed, Refusal
from guncamera.rules.ruleset import Verb
from guncamera.rulesets.circus.aircraft import Aircraft, Condition, Manoeuvre, TurnCode
from guncamera.rulesets.circus.book import aeroplane_of
from guncamera.rulesets.circus.facts import Plot
from guncamera.rulesets.circus.flight import flight_of
from guncamera.rulesets.circus.orders import MoveOrder, Plots, Setup, TurnOrder
from guncamera.rulesets.circus.plot_space import MOST_POINTS, PlotSpace, boundless_space
from guncamera.rulesets.circus.plots import flown_plots

SLOW = replace(
    BOOK.aircraft["fokker_d_vii"],
    type="slow",
    stall_mp=2,
    top_mp=3,
    manoeuvres=tuple(Manoeuvre),
    safe_dive_mp=10,
    over_speed_mp=12,
)
CRAWLING = replace(SLOW, stall_mp=1, top_mp=1, turn_code=TurnCode.D)
NIMBLE = replace(SLOW, top_mp=2, turn_code=TurnCode.A)
PLAIN = replace(CRAWLING, manoeuvres=(), climb_feet=50, turn_code=TurnCode.A)

REAL = BOOK.aircraft["fokker_d_vii"]
STEADY = replace(PLAIN, stall_mp=2, top_mp=4, climb_feet=0, turn_code=TurnCode.D)
SWINGING = replace(
    STEADY, stall_mp=5, top_mp=6, turn_code=TurnCode.B, manoeuvres=(Manoeuvre.YO_YO,)
)


def flying(speed_mp, aeroplane=SLOW, **changes):
    return Aircraft("a", aeroplane.type, "2014", EAST, 6000, speed_mp, **changes)


def plots_of(space: PlotSpace):
    return [space.nth(number) for number in range(space.size)]


def text_of(codes):
    return " ".join(codes).replace("( ", "(").replace(" )", ")")


CASES = {
    "a slow fighter": (flying(3), SLOW, {}),
    "a real one": (flying(4), BOOK.aircraft["re8"], {}),
    "a nimble one": (flying(2, NIMBLE), replace(NIMBLE, top_mp=3), {}),
    "kinetic energy": (flying(1, CRAWLING, ke=2), CRAWLING, {}),
    "more of it": (flying(1, PLAIN, ke=3), replace(PLAIN, turn_code=TurnCode.D), {}),
    "kinetic energy in a turn": (flying(2, ke=1), replace(SLOW, top_mp=2), {}),
    "energy by itself": (
        flying(1, CRAWLING, ke=2),
        CRAWLING,
        {"steep_dive_cost": "two-and-energy-one"},
    ),
    "a stall": (flying(1), SLOW, {}),
    "a stall, shallow": (flying(1, ke=1), replace(SLOW, stall_mp=3), {}),
    "a shallow way out of a stall": (
        flying(1, ke=1),
        replace(SLOW, stall_mp=3),
        {"stall_recovery": "shallow-dive"},
    ),
    "out of a power dive": (flying(3, power_diving=True), SLOW, {}),
    "out of one, rounded down": (
        flying(3, power_diving=True),
        SLOW,
        {"pull_out_half": "down"},
    ),
    "out of one, shallowly": (flying(4, power_diving=True), SLOW, {"pull_out_dive": "shallow"}),
    "after a hang": (flying(3, hanging=True), SLOW, {}),
    "turns for nothing": (flying(1, CRAWLING), CRAWLING, {"turn_cost": "straight-hexes"}),
    "turns for nothing, at once": (
        flying(1, PLAIN),
        PLAIN,
        {"turn_cost": "straight-hexes", "turn_loss": "once-a-hex"},
    ),
    "turns for nothing, far apart": (
        flying(2),
        replace(PLAIN, turn_code=TurnCode.C, stall_mp=2, top_mp=2),
        {"turn_cost": "straight-hexes"},
    ),
    "a cracked spar": (flying(2, NIMBLE, condition=Condition(spar_cracked=True)), NIMBLE, {}),
    "cracked wings": (flying(3, condition=Condition(wings_cracked=True)), SLOW, {}),
    "cracked wings that climb gently": (
        flying(1, PLAIN, ke=3, condition=Condition(wings_cracked=True)),
        PLAIN,
        {"cracked_wings": "steep-climbs", "gentle_zoom": "allowed"},
    ),
    "cracked wings that do not zoom": (
        flying(3, ke=1, condition=Condition(wings_cracked=True)),
        SLOW,
        {"cracked_wings": "steep-climbs"},
    ),
    "no engine": (flying(3, condition=Condition(engine_seized=True)), SLOW, {}),
    "no engine, and a slow glide": (
        flying(3, condition=Condition(engine_seized=True)),
        SLOW,
        {"glide_ends_mp": 0},
    ),
    "gentle climbs": (
        flying(3, condition=Condition(left_barred=True, gentle_only=True)),
        SLOW,
        {},
    ),
    "shallow dives": (
        flying(3, condition=Condition(right_barred=True, shallow_only=True)),
        SLOW,
        {},
    ),
    "speed in a climb": (flying(1), SLOW, {"climbing_acceleration": "allowed"}),
    "loops of one size": (flying(3), SLOW, {"loop_size": "own-rate"}),
    "zooms with gentle controls": (
        flying(1, PLAIN, ke=3, condition=Condition(gentle_only=True)),
        PLAIN,
        {"gentle_zoom": "allowed"},
    ),
    "zooms like climbs": (flying(1, PLAIN, ke=2), PLAIN, {"zoom_climb": "as-climbs"}),
    "zooms like climbs, one after another": (
        flying(3, STEADY, ke=2),
        replace(STEADY, stall_mp=3, top_mp=3),
        {"zoom_climb": "as-climbs", "climb_per_hex_feet": 150},
    ),
    "steep dives in legs": (flying(4, STEADY), STEADY, {"steep_dive_moves": "legs"}),
    "steep dives in legs, with energy": (
        flying(2, STEADY, ke=1),
        STEADY,
        {"steep_dive_moves": "legs", "steep_dive_cost": "two-and-energy-one"},
    ),
    "steep dives in legs, with manoeuvres": (flying(3), SLOW, {"steep_dive_moves": "legs"}),
    "steep dives in legs, with cracked wings": (
        flying(3, condition=Condition(wings_cracked=True)),
        SLOW,
        {"steep_dive_moves": "legs"},
    ),
    "no loops in shallow dives": (
        flying(3, condition=Condition(shallow_only=True)),
        SLOW,
        {"loop_dive": "steep"},
    ),
    "dives by their hexes": (
        flying(2, NIMBLE),
        replace(NIMBLE, top_mp=3),
        {"shallow_dive_points": "hexes"},
    ),
    "yo-yos in a row": (flying(6), SWINGING, {"yo_yo_after_yo_yo": "allowed"}),
    "a lost side": (
        flying(3, condition=Condition(right_barred=True)),
        SLOW,
        {"barred_side": "manoeuvres-too"},
    ),
    "reversals on the spot": (
        flying(4, CRAWLING),
        replace(CRAWLING, stall_mp=4, top_mp=4, manoeuvres=(Manoeuvre.ROLLING_REVERSAL,)),
        {"reversal_mp": 4, "reversal_hexes": 0},
    ),
}


@pytest.mark.parametrize(("aircraft", "aeroplane", "settings"), CASES.values(), ids=CASES)
def test_the_plots_counted_are_those_the_rules_let_pass(aircraft, aeroplane, settings):
    book = BOOK.with_settings(settings)
    space = boundless_space(aircraft, aeroplane, book)
    plots = plots_of(space)
    counted = {(plot.speed_mp, plot.codes) for plot in plots}
    assert len(counted) == len(plots) == space.size
    legal = every_plot(aircraft, aeroplane, book, one_spelling=True)
    assert counted == {(speed, text_of(codes)) for speed, codes in legal}


@pytest.mark.parametrize(
    ("aircraft", "aeroplane", "settings", "codes"),
    [
        (flying(10, REAL), REAL, {"steep_dive_moves": "legs"}, {"5 vv", "2 vv 6", "6 = 2 vv"}),
        (flying(4, REAL, power_diving=True), REAL, {"pull_out_dive": "shallow"}, {"2 v 2", "PD"}),
        (flying(1, CRAWLING, power_diving=True), CRAWLING, {"pull_out_dive": "shallow"}, {"1"}),
        (flying(4, REAL, power_diving=True), REAL, {}, {"1 vv 2", "PD"}),
    ],
)  # fmt: skip
def test_the_selection_dives_by_every_reading(aircraft, aeroplane, settings, codes):
    found = flown_plots(aircraft, aeroplane, (), BOOK.with_settings(settings))
    assert codes <= {plot.codes for plot, _ in found}


def test_a_steep_dive_needs_the_points_for_a_hex():
    with pytest.raises(Illegal, match="too few for it") as refused:
        flight_of(flying(1, PLAIN), PLAIN, Plot("a", 1, "vv"), BOOK)
    assert refused.value.rule_id == "CIR-4.2"


FAST = {
    "ten points": ("fokker_d_vii", 10, 0),
    "with energy": ("fokker_d_vii", 10, 3),
    "a triplane": ("fokker_dr_i", 8, 1),
    "the fastest": ("se5a", 11, 4),
    "a two-seater": ("bristol_f2b", 10, 0),
}


@pytest.mark.parametrize(("type_", "speed_mp", "ke"), FAST.values(), ids=FAST)
@pytest.mark.parametrize("turn_cost", ["points", "straight-hexes"])
def test_plots_drawn_for_fast_aircraft_can_be_flown(type_, speed_mp, ke, turn_cost):
    book = BOOK.with_settings({"turn_cost": turn_cost})
    aeroplane = book.aircraft[type_]
    aircraft = replace(flying(speed_mp, ke=ke), aeroplane=type_)
    space = boundless_space(aircraft, aeroplane, book)
    assert space.size > 100_000
    random = Random(type_)
    drawn = [space.nth(random.randrange(space.size)) for _ in range(60)]
    drawn += [space.nth(0), space.nth(space.size - 1)]
    for plot in drawn:
        flight_of(aircraft, aeroplane, plot, book)
    assert len(set(drawn)) > 50


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"barred_side": "hexsides"}, {"SSL", "HT-FL", "HT-BL"}),
        ({"barred_side": "manoeuvres-too"}, set()),
    ],
)
def test_what_a_lost_side_bars_is_in_no_plot(settings, named):
    both = (Manoeuvre.SIDE_SLIP, Manoeuvre.HAMMERHEAD)
    aeroplane = replace(PLAIN, stall_mp=6, top_mp=6, turn_code=TurnCode.D, manoeuvres=both)
    hurt = flying(6, aeroplane, condition=Condition(left_barred=True))
    book = BOOK.with_settings(settings)
    drawn = plots_of(boundless_space(hurt, aeroplane, book))
    for plot in drawn:
        flight_of(hurt, aeroplane, plot, book)
    codes = {code for plot in drawn for code in plot.codes.split()}
    assert codes & {"SSL", "HT-FL", "HT-BL"} == named
    assert codes >= {"SSR", "HT-FR", "HT-BR"}


def test_an_aircraft_of_too_many_points_is_refused_by_name():
    fast = replace(SLOW, type="fast", top_mp=20, over_speed_mp=40, safe_dive_mp=30)
    table = Table(
        setup=Setup(
            aircraft=(
                replace(entrant("a", "first", "1013", EAST, speed_mp=20), aeroplane="fast"),
                entrant("b", "second", "3013", WEST),
            ),
            own_aeroplanes=(fast,),
        )
    )
    table.search()
    assert RULESET.order_space(table.board, "first", table.book).size > 10**9
    table.change("a", ke=MOST_POINTS - 19)
    space = RULESET.order_space(table.board, "first", table.book)
    for asked in (lambda: space.size, lambda: space.begun("a 20 1")):
        with pytest.raises(Illegal, match="counted up to 24") as refused:
            asked()
        assert refused.value.rule_id == "CIR-2.1"
    assert next(RULESET.legal_orders(table.board, "first", table.book))


# ---- Where an aircraft is

BARRED = {"map_edge": "barred"}
BROKEN = {"craft": {"broken": True}, "resolution": 0}
PLACES = {
    "under the ceiling": ({"altitude_feet": 18_400}, {}, {}),
    "at the ceiling": ({"altitude_feet": 18_500}, {}, {}),
    "under it with yo-yos in a row": (
        {"altitude_feet": 18_400},
        {"yo_yo_after_yo_yo": "allowed"},
        {},
    ),
    "under it with hangs that climb": ({"altitude_feet": 18_400}, {"hang_feet": 150}, {}),
    "under it with energy": ({"aeroplane": "re8", "altitude_feet": 12_800}, {}, {"ke": 1}),
    "under it with energy that climbs as climbs do": (
        {"aeroplane": "re8", "altitude_feet": 12_750},
        {"zoom_climb": "as-climbs"},
        {"ke": 1},
    ),
    "low, with steep dives in legs": (
        {"hex_": "0313", "facing": WEST, "altitude_feet": 250},
        {**BARRED, "steep_dive_moves": "legs"},
        {},
    ),
    "at a barred edge": ({"hex_": "0313", "facing": WEST}, BARRED, {}),
    "at one and low": ({"hex_": "0313", "facing": WEST, "altitude_feet": 200}, BARRED, {}),
    "at one and very low": ({"hex_": "2025", "altitude_feet": 50}, BARRED, {}),
    "in a barred corner": (
        {"hex_": "0102", "facing": HexDirection.NORTHWEST, "altitude_feet": 200},
        BARRED,
        {},
    ),
    "broken": ({"facing": HexDirection.NORTHWEST}, {}, BROKEN),
    "broken, at his edge": ({"hex_": "2024", "facing": WEST}, {}, BROKEN),
    "broken, at another": ({"hex_": "0103", "facing": HexDirection.NORTHEAST}, {}, BROKEN),
    "broken and low": ({"facing": HexDirection.NORTHEAST, "altitude_feet": 250}, {}, BROKEN),
    "broken at a closed edge": (
        {"hex_": "2024", "altitude_feet": 250},
        {"map_edge": "closed"},
        BROKEN,
    ),
    "broken in a power dive": (
        {"facing": HexDirection.NORTHEAST, "altitude_feet": 500},
        {},
        {**BROKEN, "power_diving": True},
    ),
    "straight down in a power dive at a barred edge": (
        {"hex_": "0113", "facing": WEST},
        {**BARRED, "power_dive_goes_on": "straight-down"},
        {"power_diving": True},
    ),
}


def placed(place, settings, changes):
    given = {"hex_": "2013", "facing": EAST, "altitude_feet": 6000, "speed_mp": 4, **place}
    mine = entrant("a", "first", **given)
    table = Table((mine, entrant("b", "second", "3013", WEST)), **settings)
    table.search()
    if changes:
        table.change("a", **changes)
    return table


def is_accepted(table, order) -> bool:
    """Whether Move takes an order."""
    try:
        facts = RULESET.survey(table.board, "first", Verb.MOVE, order, table.book)
        RULESET.procedure(Verb.MOVE).rule(facts, table.book, DealtDice(()))
    except Refusal:
        return False
    return True


@pytest.mark.parametrize(("place", "settings", "changes"), PLACES.values(), ids=PLACES)
def test_the_orders_counted_are_those_that_move_takes(place, settings, changes):
    table = placed(place, settings, changes)
    aircraft = table.aircraft("a")
    aeroplane = aeroplane_of(aircraft.aeroplane, (), table.book, "")
    anywhere = boundless_space(aircraft, aeroplane, table.book)
    legal = {plot for plot in plots_of(anywhere) if is_accepted(table, MoveOrder(Plots((plot,))))}
    space = RULESET.order_space(table.board, "first", table.book)
    orders = [space.nth(number).order for number in range(space.size)]
    counted = {order.procedure.plots[0] for order in orders}
    assert len(counted) == len(orders)
    assert counted == legal
    if changes != {**BROKEN, "power_diving": True}:
        assert 0 < len(legal) < anywhere.size


def test_a_ceiling_that_bounds_nothing_in_the_air_bars_no_plot():
    sizes = {}
    for reading in ("all", "entry"):
        table = placed({"altitude_feet": 18_500}, {"ceiling": reading}, {})
        space = RULESET.order_space(table.board, "first", table.book)
        sizes[reading] = space.size
        random = Random(1)
        for _ in range(40):
            assert is_accepted(table, space.nth(random.randrange(space.size)).order)
    anywhere = boundless_space(table.aircraft("a"), BOOK.aircraft["fokker_d_vii"], table.book)
    assert sizes["all"] < sizes["entry"] == anywhere.size


NARROW = {
    "energy under the ceiling": ({"altitude_feet": 18_000, "speed_mp": 10}, {}, {"ke": 3}),
    "energy and a broken pilot": ({"speed_mp": 10}, {}, {**BROKEN, "ke": 3}),
    "a barred edge near the ground": (
        {"hex_": "0413", "facing": WEST, "altitude_feet": 500, "speed_mp": 10},
        BARRED,
        {},
    ),
}


@pytest.mark.parametrize(("place", "settings", "changes"), NARROW.values(), ids=NARROW)
def test_where_all_are_too_many_a_part_is_counted_and_taken(place, settings, changes):
    table = placed(place, settings, changes)
    space = RULESET.order_space(table.board, "first", table.book)
    random = Random(1)
    size = space.size
    assert size > 10**6
    for _ in range(60):
        assert is_accepted(table, space.nth(random.randrange(size)).order)
    with pytest.raises(Illegal, match="of those that can be counted here"):
        space.begun("a 10 9 9")


def test_an_order_has_a_plot_for_each_aircraft_and_each_number_another_order():
    table = Table(PAIR)
    table.search()
    space = RULESET.order_space(table.board, "first", table.book)
    one, two = (
        boundless_space(table.aircraft(id_), BOOK.aircraft["fokker_d_vii"], BOOK)
        for id_ in ("a", "b")
    )
    assert space.size == one.size * two.size
    order = space.nth(5 + 7 * one.size).order
    assert order.procedure.plots == (one.nth(5), two.nth(7))
    assert is_accepted(table, order)


@pytest.mark.parametrize("setup", [None, ALTERNATE])
def test_only_plots_are_too_many_to_list(setup):
    table = Table(setup=setup)
    assert RULESET.order_space(table.board, "first", table.book) is None
    table.search()
    assert RULESET.order_space(table.board, "first", table.book) is not None
    if setup is not None:
        assert RULESET.order_space(table.board, "second", table.book) is None


def any_order(game, seat):
    """One of all orders: drawn where they are too many to list."""
    space = RULESET.order_space(game.board, seat, game.book)
    if space is None:
        return at_random(game, seat)
    return space.nth(game.random.randrange(space.size)).order


@pytest.mark.parametrize("turn_order", TurnOrder)
@pytest.mark.parametrize(
    ("type_", "settings"),
    [
        ("fokker_dr_i", {}),
        ("sopwith_camel", {"map_edge": "barred"}),
        ("albatros_d_iii", {"turn_cost": "straight-hexes", "gunfire_structure": "at-once"}),
        ("bristol_f2b", {"map_edge": "closed", "standard_resolution": 6}),
    ],
)
def test_whole_games_of_drawn_orders_are_played(turn_order, type_, settings):
    setup = Setup(aeroplane=type_, turn_order=turn_order, turns=12)
    game = Game(Random(f"{type_} {turn_order}"), setup, any_order, **settings).play()
    plotted = [order for _, order, _ in game.orders if isinstance(order.procedure, Plots)]
    assert len(plotted) > 3


# ---- Code by code

WRITTEN = {
    "a fighter": (flying(3), replace(SLOW, climb_feet=100), {}),
    "with energy": (flying(1, ke=2), replace(CRAWLING, top_mp=2), {}),
    "with energy that climbs as climbs do": (
        flying(1, ke=2),
        replace(STEADY, stall_mp=1, top_mp=2),
        {"zoom_climb": "as-climbs"},
    ),
    "with steep dives in legs": (flying(4), STEADY, {"steep_dive_moves": "legs"}),
    "out of a power dive": (flying(3, power_diving=True), SLOW, {}),
    "out of a power dive, shallowly": (
        flying(4, power_diving=True),
        STEADY,
        {"pull_out_dive": "shallow"},
    ),
    "after a hang": (flying(3, hanging=True), SLOW, {}),
    "a cracked spar": (
        flying(3, condition=Condition(spar_cracked=True)),
        replace(SLOW, climb_feet=50, turn_code=TurnCode.A),
        {},
    ),
}


def on_a_table(aircraft, aeroplane, settings):
    """A game in which an aircraft of one's own flies."""
    mine = replace(entrant("a", "first", "2014", EAST), aeroplane=aeroplane.type, speed_mp=2)
    setup = Setup(
        aircraft=(mine, entrant("b", "second", "3013", WEST)), own_aeroplanes=(aeroplane,)
    )
    table = Table(setup=setup, **settings)
    table.search()
    given = ("speed_mp", "ke", "power_diving", "hanging")
    condition = aircraft.condition
    changes = {name: getattr(aircraft, name) for name in given}
    if condition is not None:
        changes["condition"] = {
            name: True for name in Condition.__slots__ if getattr(condition, name) is True
        }
    table.change("a", **changes)
    return table


@pytest.mark.parametrize(("aircraft", "aeroplane", "settings"), WRITTEN.values(), ids=WRITTEN)
def test_the_codes_offered_are_those_that_some_legal_plot_goes_on_with(
    aircraft, aeroplane, settings
):
    table = on_a_table(aircraft, aeroplane, settings)
    space = RULESET.order_space(table.board, "first", table.book)
    legal = every_plot(table.aircraft("a"), aeroplane, table.book, one_spelling=False)
    goes_on = defaultdict(set)
    for speed, codes in legal:
        for at, code in enumerate(codes):
            goes_on[speed, codes[:at]].add(code)
    assert goes_on
    for speed, codes in {*goes_on, *legal}:
        text = f"a {speed} {' '.join(codes)}"
        begun = space.begun(text)
        assert {one.code for one in begun.next} == goes_on[speed, codes], text
        assert (begun.order is not None) == ((speed, codes) in legal), text
        for one in begun.next:
            assert one.may_end == ((speed, (*codes, one.code)) in legal), (text, one)
            assert one.points + one.points_left == begun.points_left


def test_what_is_written_leads_from_nothing_to_a_whole_order():
    table = Table(PAIR)
    table.search()
    space = RULESET.order_space(table.board, "first", table.book)
    assert [one.code for one in space.begun("").next] == ["a", "b"]
    assert [one.code for one in space.begun(" a ").next] == ["4", "5"]
    text = ""
    for code in ("b", "5", "HYY(", "1", "R", ")", "1"):
        begun = space.begun(text)
        assert code in [one.code for one in begun.next], text
        assert begun.order is None
        text = f"{begun.so_far} {code}".lstrip()
    begun = space.begun(text)
    assert begun.so_far == "b 5 HYY(1 R) 1"
    assert begun.points_left == 0
    order = begun.order.order
    assert is_accepted(table, order)
    assert order.procedure.plots == (Plot("a", 4, "4"), Plot("b", 5, "HYY(1 R) 1"))


def test_codes_are_read_in_any_spelling_and_told_in_ours():
    table = Table()
    table.search()
    space = RULESET.order_space(table.board, "first", table.book)
    speed = table.aircraft("first-1").speed_mp
    spellings = {"1 1 V100 3": "2 v 3", "hyy(2)": "HYY2", "2 = = ": "", "1 = 1": "1 = 1"}
    spellings |= {"ht": "HT-B", "lyy( 1 l 1": "LYY(1 L 1", "hyy(": "HYY("}
    for written, told in spellings.items():
        text = f"first-1 {speed} {written}"
        if told:
            assert space.begun(text).so_far == f"first-1 {speed} {told}"
        else:
            with pytest.raises(Illegal, match="Token 3, =, at character 5"):
                space.begun(text)


FAULTS = {
    "nobody": ("nobody 4 1", Malformed, "CIR-2.1", "a, b"),
    "the enemy's": ("c 4 1", Malformed, "CIR-2.1", "a, b"),
    "no speed": ("a fast", Malformed, "CIR-3.4", "where the speed belongs"),
    "a speed out of reach": ("a 9", Illegal, "CIR-3.4", "4 to 5"),
    "a speed out of reach, and codes": ("a 9 1", Illegal, "CIR-3.4", "4 to 5"),
    "no code": ("a 4 1 X", Malformed, "CIR-2.1", "Token 2, 'X', at character 3"),
    "no yo-yo": ("a 4 1 (1", Malformed, "CIR-2.1", "Token 2"),
    "a yo-yo that turns first": ("a 4 HYY(R", Malformed, "CIR-5.2", "begins with a hex"),
    "too many points": ("a 4 3 3", Illegal, "CIR-3.1", "Token 2, 3, at character 3"),
    "what costs too much": ("a 4 HT", Illegal, "CIR-3.1", "Here may stand 1, 2, 3, 4"),
    "a rule broken": ("a 5 R L v 1 2", Illegal, "CIR-3.1", "Token 5"),
    "a dive that loses something else": ("a 4 2 v200", Illegal, "CIR-4.1", "not 200"),
    "a steep dive too short": ("a 4 1 vv", Illegal, "CIR-4.2", "Write 2 vv"),
    "something after the end": ("a 4 PD 1", Illegal, "CIR-5.8", "Write PD alone"),
}


@pytest.mark.parametrize(("text", "kind", "rule_id", "words"), FAULTS.values(), ids=FAULTS)
def test_what_cannot_be_begun_is_refused_with_its_place(text, kind, rule_id, words):
    table = Table(PAIR)
    table.search()
    space = RULESET.order_space(table.board, "first", table.book)
    with pytest.raises(kind) as refused:
        space.begun(text)
    assert refused.value.rule_id == rule_id
    assert refused.value.field == "so_far"
    assert words in refused.value.message
