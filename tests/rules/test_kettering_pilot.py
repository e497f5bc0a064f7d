"""The stock pilots give legal orders in any position, the same ones again, and shoot as published.

The measured figures stand beside those of the analysis in seed 000: about 6.1 shots at a torpedo
for the Fokker D.VII and 4.5 for the Albatros D.III, first shots on turn 3 or 4, kills about half.
"""

import hashlib
from dataclasses import replace

import pytest
from chance import examples
from guncamera.rules.dealt import DealtDice
from guncamera.rules.dice import Throw
from guncamera.rules.hexes import DIRECTIONS, HexDirection
from guncamera.rules.refusal import RollRequired
from guncamera.rules.ruleset import Verb
from guncamera.rulesets.kettering.board import open_board, view_for
from guncamera.rulesets.kettering.book import load_book
from guncamera.rulesets.kettering.campaign import apply
from guncamera.rulesets.kettering.damage import rule_on_damage
from guncamera.rulesets.kettering.facts import Aircraft, Condition, Critical, End, Torpedo
from guncamera.rulesets.kettering.fire import rule_on_fire
from guncamera.rulesets.kettering.map import all_hexes, hex_at, label, on_board
from guncamera.rulesets.kettering.move import rule_on_move
from guncamera.rulesets.kettering.orders import Deploy, Mend, Phase, Setup
from guncamera.rulesets.kettering.path import walk
from guncamera.rulesets.kettering.performance import is_lost
from guncamera.rulesets.kettering.pilot import PILOTS, board_of
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
ODD_READINGS = {
    "facing_changes_in_hex": "several",
    "first_hex_turn": "after-one-hex",
    "end_on_facing_change": "forbidden",
    "bonus_spending": "hexes-only",
    "dive_bonus": "all",
    "compared_bonus": "given",
    "forced_loss": "on-top",
    "ground_dive": "allowed",
    "sighting_hexes": 2,
    "worse_than_a": "becomes-f",
    "aircraft_gone": "flies-on",
    "repair_short": "allowed",
}


class SeededDice:
    """Faces from a hash; `misses` lets every shot at the torpedo fail."""

    def __init__(self, seed, misses=False):
        self.seed, self.misses, self.thrown = seed, misses, 0

    def roll(self, ask):
        faces = tuple(self._face(sides) for sides in ask.dice)
        if self.misses and ask.purpose == "to-hit":
            faces = (1,) * len(ask.dice)
        return Throw(ask.read(faces), faces)

    def _face(self, sides):
        self.thrown += 1
        digest = hashlib.sha256(f"{self.seed}|{self.thrown}".encode()).digest()
        return 1 + int.from_bytes(digest[:8]) % sides


def played(pilot, type_, torpedoes, dice, book=BOOK, most=2_000):
    """The board at the end of a campaign, and the turns of the first shots."""
    board, first_shots = open_board(Setup(type_, torpedoes), book), []
    for nth in range(most):
        if board.phase == Phase.FINISHED:
            return board, first_shots
        order = PILOTS[pilot](view_for(board, "pilot", book), "pilot", book, nth)
        facts = survey(board, "pilot", order.verb, order.order, book)
        if order.verb == Verb.FIRE and not board.shots:
            first_shots.append(board.turn)
        ruling = RULES[order.verb](facts, book, dice)
        board = apply(board, order.verb, order.order, ruling, book).board
    raise AssertionError("the campaign did not end")


def encounters(type_, count, misses):
    found, first = [], []
    for n in range(count):
        board, shots = played("stock", type_, 1, SeededDice(f"{type_} {n}", misses))
        found += board.encounters
        first += shots
    return found, first


@pytest.mark.parametrize(
    ("type_", "shots", "first_turn", "kills"),
    [("fokker-d7", (5.2, 6.2), 3.2, (0.42, 0.62)), ("albatros-d3", (3.7, 4.6), 4.0, (0.28, 0.48))],
)
def test_the_stock_pilot_shoots_about_as_often_as_the_analysis_says(
    type_, shots, first_turn, kills
):
    watched, first = encounters(type_, 120, misses=True)
    mean = sum(e.shots for e in watched) / len(watched)
    assert shots[0] <= mean <= shots[1]
    assert len(first) == len(watched), "every torpedo is shot at"
    assert sum(first) / len(first) <= first_turn
    assert {e.fate.end for e in watched} <= {End.EXITED, End.CRASHED}, "it stays on the board"
    fought, _ = encounters(type_, 120, misses=False)
    killed = sum(e.fate.end == End.SHOT_DOWN for e in fought) / len(fought)
    assert kills[0] <= killed <= kills[1]


@pytest.mark.parametrize("type_", list(BOOK.aircraft))
@pytest.mark.parametrize("pilot", list(PILOTS))
def test_every_pilot_flies_every_type_to_the_end_of_a_campaign(pilot, type_):
    board, _ = played(pilot, type_, 3, SeededDice(type_))
    assert board.score is not None


@pytest.mark.parametrize("name", list(ODD_READINGS))
@pytest.mark.parametrize("pilot", list(PILOTS))
def test_pilots_fly_under_every_reading(pilot, name):
    book = BOOK.with_settings({name: ODD_READINGS[name]})
    board, _ = played(pilot, "fokker-d7", 3, SeededDice(name), book)
    assert board.score is not None


HEXES = st.sampled_from(all_hexes(BOOK))
AIRCRAFT = st.builds(
    Aircraft,
    type=st.sampled_from(list(BOOK.aircraft)),
    hex=HEXES.map(label),
    facing=st.sampled_from(DIRECTIONS),
    altitude_metres=st.integers(1, 100).map(lambda n: 50 * n),
    speed_mp=st.integers(1, 10),
    condition=st.builds(
        Condition,
        damage_points=st.integers(0, 13),
        criticals=st.lists(st.sampled_from(list(Critical)[:7]), max_size=4).map(tuple),
        jammed=st.booleans(),
        climbed_last_turn=st.booleans(),
    ),
).filter(lambda one: not is_lost(BOOK.aircraft[one.type], one.condition.damage_points))
TORPEDOES = st.builds(
    Torpedo,
    hex=HEXES.map(label),
    heading=st.sampled_from((HexDirection.SOUTHEAST, HexDirection.SOUTHWEST)),
    altitude_metres=st.integers(1, 45).map(lambda n: 50 * n),
    speed_mp=st.integers(3, 5),
)
PHASES = st.sampled_from([phase for phase in Phase if phase != Phase.FINISHED])


@st.composite
def boards(draw):
    aircraft, torpedo, phase = draw(AIRCRAFT), draw(TORPEDOES), draw(PHASES)
    if draw(st.booleans()):
        steps = draw(st.lists(st.sampled_from(DIRECTIONS), max_size=8))
        at = hex_at(aircraft.hex, BOOK, "")
        for step in steps:
            at = at.step(step) if on_board(at.step(step), BOOK) else at
        torpedo = replace(torpedo, hex=label(at), altitude_metres=aircraft.altitude_metres)
    opened = open_board(Setup(aircraft.type), BOOK)
    straight = draw(st.integers(0, 2))
    return replace(
        opened,
        phase=phase,
        encounter=draw(st.integers(1, 12)),
        turn=2,
        aircraft=aircraft,
        torpedo=torpedo,
        straight_hexes=straight,
    )


@examples(80)
@given(boards(), st.sampled_from(sorted(PILOTS)), st.integers(0, 9))
def test_an_order_is_legal_wherever_a_pilot_is_put_and_the_same_again(board, pilot, nth):
    view = view_for(board, "pilot", BOOK)
    order = PILOTS[pilot](view, "pilot", BOOK, nth)
    assert order == PILOTS[pilot](view, "pilot", BOOK, nth)
    facts = survey(board, "pilot", order.verb, order.order, BOOK)
    faces = []
    while True:
        try:
            ruling = RULES[order.verb](facts, BOOK, DealtDice(faces))
            break
        except RollRequired as wanted:
            faces += [3] * len(wanted.ask.dice)
    applied = apply(board, order.verb, order.order, ruling, BOOK)
    assert order.verb == Verb.SPOT or applied.board != board, "the game goes on"


def test_a_view_gives_back_its_board():
    board, _ = played("stock", "fokker-d7", 12, SeededDice("view"))
    board = replace(board, passed=2, torpedoes=board.torpedoes + 2, fuel_turns=4)
    again = board_of(view_for(board, "pilot", BOOK))
    assert again == replace(board, shots=again.shots, lost=again.lost)


def at_deployment(type_, **condition):
    board = open_board(Setup(type_), BOOK)
    return replace(board, aircraft=replace(board.aircraft, condition=Condition(**condition)))


def ordered(board, pilot="stock"):
    return PILOTS[pilot](view_for(board, "pilot", BOOK), "pilot", BOOK, 0).order.procedure


@pytest.mark.parametrize(("type_", "altitude", "speed"), [("fokker-d7", 2200, 10),
                                                          ("albatros-d3", 1900, 9)])  # fmt: skip
def test_it_deploys_as_in_the_analysis(type_, altitude, speed):
    expected = Deploy("A-36", HexDirection.NORTHEAST, altitude, speed)
    assert ordered(at_deployment(type_)) == expected


@pytest.mark.parametrize(
    ("hits", "left", "mended"),
    [
        ((Critical.FUEL_LINE_SEVERED,), 12, Critical.FUEL_LINE_SEVERED),
        ((Critical.AILERON_CABLES_FOULED,), 12, Critical.AILERON_CABLES_FOULED),
        ((Critical.AILERON_CABLES_FOULED,), 4, None),
        ((Critical.ELEVATOR_CABLES_SEVERED,), 4, Critical.ELEVATOR_CABLES_SEVERED),
        ((Critical.ELEVATOR_CABLES_SEVERED,), 3, None),
        ((Critical.CONTROLS_JAMMED,), 1, None),
        ((Critical.ENGINE_DAMAGED,), 12, None),
    ],
)
def test_it_repairs_what_pays(hits, left, mended):
    board = replace(at_deployment("fokker-d7", criticals=hits), torpedoes=left)
    order = ordered(board)
    assert order == Mend(mended) if mended else isinstance(order, Deploy)


def test_it_does_not_fire_where_nothing_can_be_hit():
    """A single gun at two hexes and speed: the rule allows the shot, no total destroys."""
    at = hex_at("T-20", BOOK, "")
    behind = label(at.step(HexDirection.NORTHEAST, 2))
    aircraft = Aircraft("halberstadt-d2", behind, HexDirection.SOUTHWEST, 1000, 8)
    board = replace(
        open_board(Setup("halberstadt-d2"), BOOK),
        phase=Phase.FIRE,
        encounter=1,
        turn=2,
        aircraft=aircraft,
        torpedo=Torpedo("T-20", HexDirection.SOUTHWEST, 1000, 4),
        straight_hexes=1,
    )
    pilot = PILOTS["stock"]
    assert pilot(view_for(board, "pilot", BOOK), "pilot", BOOK, 0).verb == Verb.WIND
    closer = label(at.step(HexDirection.NORTHEAST, 1))
    board = replace(board, aircraft=replace(aircraft, hex=closer, speed_mp=5))
    assert pilot(view_for(board, "pilot", BOOK), "pilot", BOOK, 0).verb == Verb.FIRE


def test_random_orders_differ_from_one_to_the_next():
    board = open_board(Setup("fokker-d7"), BOOK)
    view = view_for(board, "pilot", BOOK)
    orders = {PILOTS["random"](view, "pilot", BOOK, nth).order for nth in range(30)}
    assert len(orders) > 25


def test_random_flights_stay_on_the_board_where_they_can():
    aircraft = Aircraft("fokker-d7", "A-19", HexDirection.EAST, 1000, 8)
    board = replace(
        open_board(Setup("fokker-d7"), BOOK),
        phase=Phase.AIRCRAFT,
        encounter=1,
        turn=2,
        aircraft=aircraft,
        torpedo=Torpedo("T-20", HexDirection.SOUTHWEST, 1000, 4),
    )
    view, start = view_for(board, "pilot", BOOK), hex_at("A-19", BOOK, "")
    for nth in range(60):
        path = PILOTS["random"](view, "pilot", BOOK, nth).order.procedure.path.split()
        assert not walk(start, HexDirection.EAST, path, BOOK).left_board
