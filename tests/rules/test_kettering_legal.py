"""Every legal order listed is accepted by the rules, none is missing, and there is always one."""

import random
from dataclasses import replace
from itertools import islice, pairwise, product

import pytest
from chance import examples
from guncamera.rules.dealt import DealtDice
from guncamera.rules.hexes import DIRECTIONS, Hex, HexDirection
from guncamera.rules.refusal import Illegal, RollRequired
from guncamera.rules.ruleset import Verb
from guncamera.rulesets.kettering.board import Board, open_board
from guncamera.rulesets.kettering.book import load_book
from guncamera.rulesets.kettering.campaign import apply
from guncamera.rulesets.kettering.courses import courses, handling, path_to, placed, seen_from
from guncamera.rulesets.kettering.damage import rule_on_damage
from guncamera.rulesets.kettering.facts import (
    UNDAMAGED,
    Aircraft,
    Condition,
    Critical,
    SpotFacts,
    Torpedo,
)
from guncamera.rulesets.kettering.fire import rule_on_fire
from guncamera.rulesets.kettering.legal import legal_orders
from guncamera.rulesets.kettering.limits import flight_limits
from guncamera.rulesets.kettering.map import all_hexes, hex_at, label, on_board
from guncamera.rulesets.kettering.move import rule_on_move
from guncamera.rulesets.kettering.orders import (
    DamageOrder,
    Deploy,
    Inspect,
    Mend,
    Phase,
    Setup,
)
from guncamera.rulesets.kettering.path import TURNS, check_path, straight_end, walk
from guncamera.rulesets.kettering.performance import is_lost
from guncamera.rulesets.kettering.spot import rule_on_spot
from guncamera.rulesets.kettering.survey import survey
from guncamera.rulesets.kettering.wind import rule_on_wind
from hypothesis import given
from hypothesis import strategies as st

BOOK = load_book()
RULES = {
    Verb.MOVE: rule_on_move,
    Verb.WIND: rule_on_wind,
    Verb.SPOT: rule_on_spot,
    Verb.FIRE: rule_on_fire,
    Verb.DAMAGE: rule_on_damage,
}
NORTHEAST, SOUTHEAST, SOUTHWEST = (
    HexDirection.NORTHEAST,
    HexDirection.SOUTHEAST,
    HexDirection.SOUTHWEST,
)
ODD_READINGS = {
    "facing_changes_in_hex": "several",
    "first_hex_turn": "after-one-hex",
    "end_on_facing_change": "forbidden",
    "bonus_spending": "hexes-only",
    "climb_and_dive": "both",
    "dive_bonus": "all",
    "forced_loss": "on-top",
    "ground_dive": "allowed",
    "boxed_in": "fly-on",
    "sighting_hexes": 2,
    "worse_than_a": "becomes-f",
    "lowest_speed_mp": 5,
    "schedule_d_60": "paid",
    "map_width_hexes": 32,
}


def in_flight(aircraft, torpedo, phase=Phase.AIRCRAFT, **changes):
    opened = open_board(Setup(aircraft.type), BOOK)
    return replace(
        opened, phase=phase, encounter=1, turn=2, aircraft=aircraft, torpedo=torpedo, **changes
    )


def ruled(board, order, book, faces):
    """The ruling; dice beyond the faces given show a one each."""
    facts = survey(board, "pilot", order.verb, order.order, book)
    faces = list(faces)
    while True:
        try:
            return RULES[order.verb](facts, book, DealtDice(faces))
        except RollRequired as wanted:
            faces += [1] * len(wanted.ask.dice)


HEXES = all_hexes(BOOK)
PLACES = st.sampled_from([hex_ for hex_ in HEXES if on_board(hex_, BOOK)])
CONDITIONS = st.builds(
    Condition,
    damage_points=st.integers(0, 13),
    criticals=st.lists(st.sampled_from(list(Critical)[:7]), max_size=4).map(tuple),
    jammed=st.booleans(),
    climbed_last_turn=st.booleans(),
)
AIRCRAFT = st.builds(
    Aircraft,
    type=st.sampled_from(list(BOOK.aircraft)),
    hex=PLACES.map(label),
    facing=st.sampled_from(DIRECTIONS),
    altitude_metres=st.integers(1, 100).map(lambda n: 50 * n),
    speed_mp=st.integers(1, 10),
    condition=CONDITIONS,
).filter(lambda one: not is_lost(BOOK.aircraft[one.type], one.condition.damage_points))


@st.composite
def boards(draw, reach=12):
    """An aircraft anywhere in any state, and a torpedo near it as often as not."""
    aircraft = draw(AIRCRAFT)
    at = draw(PLACES)
    if draw(st.booleans()):
        here = hex_at(aircraft.hex, BOOK, "")
        near = [h for h in HEXES if h.distance(here) <= reach]
        at = draw(st.sampled_from(near))
    level = max(aircraft.altitude_metres + 50 * draw(st.integers(-9, 1)), 50)
    torpedo = Torpedo(
        label(at), draw(st.sampled_from((SOUTHEAST, SOUTHWEST))), level, draw(st.integers(3, 5))
    )
    return in_flight(aircraft, torpedo)


@st.composite
def books(draw):
    names = draw(st.sets(st.sampled_from(sorted(ODD_READINGS)), max_size=3))
    return BOOK.with_settings({name: ODD_READINGS[name] for name in names})


def sampled(board, book, most=4_000):
    """The first orders, and then every so many."""
    return [
        order
        for at, order in enumerate(islice(legal_orders(board, "pilot", book), most))
        if at < 60 or at % 97 == 0
    ]


@examples(60)
@given(boards(), books())
def test_every_flight_listed_is_accepted_by_the_rules(board, book):
    if not on_board(hex_at_any(board.aircraft.hex), book):
        return
    if not on_board(hex_at_any(board.torpedo.hex), book):
        return
    orders = sampled(board, book)
    assert any(order.verb == Verb.MOVE for order in orders)
    for order in orders:
        ruled(board, order, book, ())


def hex_at_any(text):
    return hex_at(text, BOOK, "")


@examples(40)
@given(boards(reach=3))
def test_flights_that_end_in_the_sights_come_first_and_no_other_does(board):
    seen = []
    for order in sampled(board, BOOK):
        if order.verb != Verb.MOVE:
            continue
        flown = ruled(board, order, BOOK, ()).outcome.procedure
        if flown.left_board or flown.aircraft_lost:
            assert "sights" not in order.summary
            continue
        facts = SpotFacts(
            flown.hex,
            flown.facing,
            flown.altitude_metres,
            flown.straight_hexes,
            board.torpedo.hex,
            board.torpedo.heading,
            board.torpedo.altitude_metres,
        )
        sighted = rule_on_spot(facts, BOOK, DealtDice(())).outcome.sighted
        assert sighted == ("the torpedo" in order.summary)
        seen.append(sighted)
    assert seen == sorted(seen, reverse=True)


@pytest.mark.parametrize("type_", ["fokker-d7", "albatros-d3", "fokker-dr1", "fokker-e3"])
@pytest.mark.parametrize(
    "readings",
    [
        {},
        {"first_hex_turn": "after-one-hex"},
        {"end_on_facing_change": "forbidden"},
        {"facing_changes_in_hex": "several"},
        {"bonus_spending": "hexes-only"},
        {"sighting_hexes": 2},
    ],
    ids=lambda readings: ",".join(readings) or "default",
)
def test_no_end_state_is_missing(type_, readings):
    """A brute-force twin: every sequence of steps that the path rules accept."""
    book = BOOK.with_settings(readings)
    limits = flight_limits(Aircraft(type_, "V-20", NORTHEAST, 1000, 4), book)
    able = handling(limits, book)
    for corner in ("B-30", "OO-20"):
        no_end_state_is_missing(hex_at(corner, book, ""), able, limits, book)


def no_end_state_is_missing(start, able, limits, book):
    several = book.settings.facing_changes_in_hex == "several"
    for speed, bonus in ((2, 0),) if several else ((4, 0), (2, 2)):
        found = courses(able, speed, bonus, start, NORTHEAST, book)
        expected, leaves = brute_force(speed, bonus, start, limits, book)
        assert expected == set(found.paths)
        assert leaves == (found.leaving is not None)
        around = (range(start.q - 7, start.q + 8), range(start.r - 7, start.r + 8))
        for end in product(*around, range(6), range(3)):
            path = path_to(able, speed, bonus, start, NORTHEAST, end, book)
            assert path == found.paths.get(end)


def brute_force(speed, bonus, start, limits, book):
    """Every end state found by trying all paths of up to so many steps."""
    ends, leaves = set(), False
    longest = 11 if book.settings.facing_changes_in_hex == "several" else 9
    tokens = ("F", *TURNS)
    frontier = [()]
    for _ in range(longest):
        frontier = [
            (*path, token)
            for path in frontier
            for token in tokens
            if possible((*path, token), speed, bonus, limits, book)
        ]
        for path in frontier:
            try:
                check_path(path, speed, bonus, limits, book)
            except Illegal:
                continue
            led = walk(start, NORTHEAST, path, book)
            leaves |= led.left_board
            if not led.left_board:
                straight = min(straight_end(path), book.settings.sighting_hexes)
                ends.add((led.hex.q, led.hex.r, led.facing.facing, straight))
    return ends, leaves


def possible(path, speed, bonus, limits, book):
    """Whether a path may still become legal: it spends too little yet, and breaks no other rule."""
    spent = sum(1 if token == "F" else limits.costs[abs(TURNS[token])] for token in path)
    if spent > speed + bonus:
        return False
    turned = any(a != "F" != b for a, b in pairwise(path))
    return not turned or book.settings.facing_changes_in_hex == "several"


@given(PLACES, PLACES, st.integers(0, 5))
def test_seeing_a_hex_from_a_start_and_placing_it_there_again_are_inverse(start, hex_, facing):
    q, r = seen_from(start, facing, hex_)
    assert placed((q, r, 0, 1), start, facing) == (hex_.q, hex_.r, facing, 1)
    assert Hex(q, r).distance(Hex(0, 0)) == start.distance(hex_)
    ahead = start.step(DIRECTIONS[facing])
    assert seen_from(start, facing, ahead) == (1, 0)


def test_a_plan_lists_one_path_to_each_end_state():
    board = in_flight(
        Aircraft("albatros-d3", "C-40", NORTHEAST, 1000, 5, UNDAMAGED),
        Torpedo("D-41", SOUTHWEST, 1000, 4),
    )
    seen = set()
    for order in islice(legal_orders(board, "pilot", BOOK), 1_500):
        flown = ruled(board, order, BOOK, ()).outcome.procedure
        key = (flown.speed_mp, flown.altitude_metres, flown.bonus_hexes, flown.left_board)
        if not flown.left_board:
            key += (flown.hex, flown.facing, min(flown.straight_hexes, 1))
        assert key not in seen
        seen.add(key)


def test_every_end_state_of_every_plan_is_listed():
    """With severed elevator cables there are few plans; all end states of each are in the list."""
    severed = Condition(criticals=(Critical.ELEVATOR_CABLES_SEVERED,))
    aircraft = Aircraft("albatros-d3", "C-40", NORTHEAST, 1000, 5, severed)
    board = in_flight(aircraft, Torpedo("I-34", SOUTHWEST, 950, 4))
    listed = set()
    for order in legal_orders(board, "pilot", BOOK):
        if order.verb == Verb.MOVE:
            plot = order.order.procedure
            led = walk(hex_at("C-40", BOOK, ""), NORTHEAST, plot.path.split(), BOOK)
            if not led.left_board:
                end = (led.hex.q, led.hex.r, led.facing.facing)
                straight = min(straight_end(plot.path.split()), 1)
                choice = (plot.speed_mp, plot.altitude_change_metres, plot.bonus_hexes)
                listed.add((*choice, *end, straight))
    limits = flight_limits(aircraft, BOOK)
    able, start = handling(limits, BOOK), hex_at("C-40", BOOK, "")
    torpedo = hex_at("I-34", BOOK, "")
    expected = {
        (speed, change, bonus, *end)
        for speed in range(4, 8)
        for change in (-100, -50, 0)
        for bonus in limits.bonuses(change, BOOK)
        for end in courses(able, speed, bonus, start, NORTHEAST, BOOK).paths
        if end[:2] != (torpedo.q, torpedo.r)
    }
    assert expected == listed


def test_an_aircraft_boxed_in_may_still_fly():
    """Jammed at its only speed, four hexes behind the torpedo: the move is cut short."""
    jammed = Condition(
        criticals=(Critical.CONTROLS_JAMMED, Critical.FUEL_LINE_SEVERED), jammed=True
    )
    aircraft = Aircraft("albatros-d3", "T-20", NORTHEAST, 1000, 5, jammed)
    at = hex_at("T-20", BOOK, "").step(NORTHEAST, 4)
    board = in_flight(aircraft, Torpedo(label(at), SOUTHWEST, 1000, 4))
    orders = list(legal_orders(board, "pilot", BOOK))
    assert [order.verb for order in orders] == [Verb.MOVE, Verb.DAMAGE]
    flown = ruled(board, orders[0], BOOK, ()).outcome.procedure
    assert flown.hex == label(at.step(SOUTHWEST))


def test_a_jammed_aircraft_that_faces_the_edge_may_only_leave_the_board():
    jammed = Condition(criticals=(Critical.CONTROLS_JAMMED,), jammed=True)
    aircraft = Aircraft("fokker-d7", "A-19", HexDirection.EAST, 1000, 8, jammed)
    board = in_flight(aircraft, Torpedo("T-20", SOUTHWEST, 1000, 4))
    *orders, last = legal_orders(board, "pilot", BOOK)
    assert [order.order.procedure.speed_mp for order in orders] == [7, 8, 9, 10]
    for order in orders:
        assert ruled(board, order, BOOK, ()).outcome.procedure.left_board
        assert "off the board" in order.summary
    assert last.verb == Verb.DAMAGE


def test_a_fuel_line_at_fifty_metres_leaves_only_the_ground():
    condition = Condition(criticals=(Critical.FUEL_LINE_SEVERED,))
    board = in_flight(
        Aircraft("fokker-d7", "T-20", NORTHEAST, 50, 4, condition),
        Torpedo("Z-20", SOUTHWEST, 1000, 4),
    )
    orders = list(islice(legal_orders(board, "pilot", BOOK), 50))
    assert all("into the ground" in order.summary for order in orders)
    assert ruled(board, orders[0], BOOK, ()).outcome.procedure.aircraft_lost


def test_deployments_are_listed_on_every_hex_facing_and_speed_and_are_accepted():
    board = open_board(Setup("fokker-d7"), BOOK)
    orders = list(legal_orders(board, "pilot", BOOK))
    deployed = [order.order.procedure for order in orders[:-1]]
    altitudes = {2200, 1900, 2100, 2050, 2000, 1000, 950, 850}
    south = [label(hex_) for hex_ in HEXES if hex_.r == -1]
    every = set(product(south, DIRECTIONS, altitudes, range(4, 11)))
    assert every == {(d.hex, d.facing, d.altitude_metres, d.speed_mp) for d in deployed}
    assert len(every) == len(deployed)
    assert deployed[0] == Deploy("A-36", NORTHEAST, 2200, 10)
    for order in orders[::101]:
        ruled(board, order, BOOK, ())
    assert orders[-1].order == DamageOrder(Inspect())


def test_repairs_that_can_be_paid_come_before_deployments():
    criticals = (
        Critical.ELEVATOR_CABLES_SEVERED,
        Critical.CONTROLS_JAMMED,
        Critical.ENGINE_DAMAGED,
        Critical.CONTROLS_JAMMED,
    )
    opened = open_board(Setup("fokker-d7"), BOOK)
    aircraft = replace(opened.aircraft, condition=Condition(criticals=criticals))
    board = replace(opened, aircraft=aircraft)

    def mended(board):
        found = (order.order for order in islice(legal_orders(board, "pilot", BOOK), 9))
        return [o.procedure.critical for o in found if isinstance(o, DamageOrder)]

    jam, elevator = Critical.CONTROLS_JAMMED, Critical.ELEVATOR_CABLES_SEVERED
    assert mended(board) == [jam, elevator]
    assert mended(replace(board, torpedoes=1)) == [jam]
    first = next(legal_orders(board, "pilot", BOOK))
    assert first.order == DamageOrder(Mend(jam))
    ruled(board, first, BOOK, ())


TAIL = Aircraft("fokker-d7", "U-20", SOUTHWEST, 1000, 5, UNDAMAGED)
AHEAD_OF_IT = Torpedo("T-20", SOUTHWEST, 1000, 4)


@pytest.mark.parametrize(
    ("changes", "fires"),
    [
        ({"straight_hexes": 1}, True),
        ({"straight_hexes": 0}, False),
        ({"straight_hexes": 1, "ammunition": 0}, False),
        ({"straight_hexes": 1, "guns_jammed": True}, False),
        ({"straight_hexes": 1, "aircraft": replace(TAIL, altitude_metres=1050)}, False),
    ],
)
def test_fire_is_listed_only_when_the_rule_would_throw_dice(changes, fires):
    at = hex_at("T-20", BOOK, "").step(NORTHEAST)
    aircraft = replace(changes.pop("aircraft", TAIL), hex=label(at))
    board = in_flight(aircraft, AHEAD_OF_IT, Phase.FIRE, **changes)
    verbs = [order.verb for order in legal_orders(board, "pilot", BOOK)]
    shot = [Verb.FIRE] if fires else []
    assert verbs == [Verb.SPOT, *shot, Verb.WIND, Verb.DAMAGE]


@pytest.mark.parametrize(
    ("phase", "verbs"),
    [
        (Phase.LAUNCH, [Verb.MOVE, Verb.DAMAGE]),
        (Phase.TORPEDO, [Verb.MOVE, Verb.DAMAGE]),
        (Phase.WIND, [Verb.WIND, Verb.DAMAGE]),
        (Phase.FINISHED, []),
    ],
)
def test_the_other_phases_have_one_way_on(phase, verbs):
    board = in_flight(TAIL, AHEAD_OF_IT, phase)
    assert [order.verb for order in legal_orders(board, "pilot", BOOK)] == verbs


def test_the_order_is_the_same_every_time():
    board = in_flight(TAIL, AHEAD_OF_IT)
    first = list(islice(legal_orders(board, "pilot", BOOK), 300))
    assert first == list(islice(legal_orders(board, "pilot", BOOK), 300))


@pytest.mark.parametrize("type_", list(BOOK.aircraft))
def test_a_campaign_of_any_legal_orders_comes_to_its_end(type_):
    chance = random.Random(type_)
    board = open_board(Setup(type_, 3), BOOK)
    for _ in range(1_500):
        if board.phase == Phase.FINISHED:
            assert board.score is not None
            return
        orders = list(islice(legal_orders(board, "pilot", BOOK), 40))
        assert orders, "no dead end"
        board = played(board, chance.choice(orders), chance)
    raise AssertionError("the campaign did not end")


def played(board: Board, order, chance):
    facts = survey(board, "pilot", order.verb, order.order, BOOK)
    faces = []
    while True:
        try:
            ruling = RULES[order.verb](facts, BOOK, DealtDice(faces))
            return apply(board, order.verb, order.order, ruling, BOOK).board
        except RollRequired as wanted:
            faces += [chance.randint(1, sides) for sides in wanted.ask.dice]
