"""The pilots of the carriers give legal orders wherever they are put, and know what they do."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from carriers_table import (
    ADJACENT,
    BOMB,
    BOOK,
    FRONT,
    JAPAN,
    LONG,
    MEDIUM,
    SHORT,
    SMALL,
    TORPEDO,
    US,
    RandomDice,
    Table,
)
from guncamera.rulesets.carriers.cards import AircraftCard, Key, Line, Role, ShipClass, Side
from guncamera.rulesets.carriers.facts import Flyer
from guncamera.rulesets.carriers.fleets import berths_of, in_commission, with_berths
from guncamera.rulesets.carriers.legal import legal_orders
from guncamera.rulesets.carriers.orders import (
    Intercept,
    MoveShips,
    PassFlight,
    Phase,
    Place,
    PlaceCards,
    Reconnoiter,
    SendStrike,
    Setup,
)
from guncamera.rulesets.carriers.pilot import PILOTS
from guncamera.rulesets.carriers.pilot_board import board_of
from guncamera.rulesets.carriers.pilot_worth import (
    Judge,
    Target,
    danger_to,
    fleet_of,
    roster_of,
    targets_of,
)

TEN_AND_TWO = {"fleet_rule": "ten-and-two", "first_player": "roll"}
NO_READINGS = {"fleet_rule", "max_turns"}
"""What a game of so few ships and turns has decided."""
SCHOOLED = ("cautious", "striking")
F4F, F4F_2, SBD, SBD_2, TBM, PBY = (f"us-card-{at}" for at in range(1, 7))
ZEKE, ZEKE_2, VAL, KATE, BETTY = (f"japan-card-{at}" for at in range(1, 6))


def ordered(table, seat, pilot="cautious", nth=0):
    return PILOTS[pilot](table.view(seat), str(seat), table.book, nth)


def play(pilots, seed, setup=SMALL, *, check=None, most=3_000, **settings):
    """A game to its end; `check` is asked before each order."""
    table, random, given = Table(setup, **settings), Random(seed), 0
    while table.active:
        seat = table.active[0]
        order = ordered(table, seat, pilots[seat], given)
        if check:
            check(table, seat, order, given)
        table.give(seat, order.order, RandomDice(random))
        given += 1
        assert given < most, "the game does not end"
    return table


def both(pilot):
    return {"us": pilot, "japan": pilot}


# ---- Whole games


@pytest.mark.parametrize("pilot", ["random", *SCHOOLED])
def test_orders_are_legal_and_the_same_again_through_a_whole_game(pilot):
    kinds = set()

    def check(table, seat, order, nth):
        assert ordered(table, seat, pilot, nth) == order
        kinds.add(type(order.order.procedure))

    table = play(both(pilot), 1, Setup(), check=check, **TEN_AND_TWO)
    assert table.board.turn > 3
    assert kinds >= {MoveShips, PlaceCards, SendStrike, Intercept, PassFlight}
    assert pilot == "striking" or Reconnoiter in kinds


@pytest.mark.parametrize(
    "settings",
    [
        {"adjacent_cap": True, "strike_base": "carrier"},
        {"strike_needs_recon": True, "reveal_length": "game", "range_rule": "at-most"},
    ],
)
def test_a_board_made_of_a_view_has_the_same_orders_open(settings):
    """Which shows too that what is listed tells nothing of what is hidden."""

    def check(table, seat, _order, nth):
        if nth % 3 == 0:
            made = list(legal_orders(board_of(table.view(seat)), seat, table.book))
            assert made == table.legal(seat)

    play(both("random"), 2, check=check, **settings)


def odd(at):
    """Every setting at another choice than its default, but for those that end a game early."""
    changed = {}
    for name, spec in BOOK.setting_specs.items():
        others = [one.value for one in spec.choices if one.value != spec.default]
        if others:
            changed[name] = others[at]
    return changed


@pytest.mark.parametrize("pilot", ["random", *SCHOOLED])
@pytest.mark.parametrize("at", [0, -1])
def test_pilots_play_under_other_readings(pilot, at):
    assert play(both(pilot), 3, max_turns=5, **odd(at)).result


@pytest.mark.parametrize("name", sorted(set(BOOK.setting_specs) - NO_READINGS))
def test_pilots_play_under_each_other_reading(name):
    for choice in BOOK.setting_specs[name].choices:
        pilots = {"us": "cautious", "japan": "striking"}
        assert play(pilots, 4, max_turns=2, **{name: choice.value}).result


@pytest.mark.parametrize("pilot", SCHOOLED)
@pytest.mark.parametrize("side", list(Side))
def test_they_beat_the_one_at_random_from_either_side(pilot, side):
    pilots = {str(side): pilot, str(side.other): "random"}
    tables = [play(pilots, seed, Setup(), **TEN_AND_TWO, max_turns=5) for seed in range(3)]
    assert sum(table.board.winner == side for table in tables) >= 2
    mine = sum(table.navy(side).points for table in tables)
    assert mine > 2 * sum(table.navy(side.other).points for table in tables)


def test_the_stock_pilot_is_the_cautious_one():
    assert PILOTS["stock"] is PILOTS["cautious"]
    assert set(PILOTS) == {"stock", "random", *SCHOOLED}


def test_random_orders_differ_from_one_to_the_next():
    table = Table(Setup(), **TEN_AND_TWO).go_to(Phase.CAP_1)
    seat = table.active[0]
    found = {ordered(table, seat, "random", nth).summary for nth in range(40)}
    assert len(found) > 25


# ---- What strikes are worth


def judge(table, side=US):
    return Judge.of(table.view(side), side, (), table.book)


def known(table, line, slot, side=JAPAN):
    """A target as if it lay open."""
    found = targets_of(fleet_of(table.view(side), side), table.book)
    target = next(one for one in found if one.place == Place(line, slot))
    return replace(target, revealed=True)


@pytest.mark.parametrize(
    ("type_", "weapon", "slot", "expected"),
    [
        ("sbd", BOMB, 0, 4 / 6 * (12 + 6 + 4 * 10) / 36),  # a carrier: bridge, deck, fuel
        ("tbm", BOMB, 0, 3 / 6 * (12 + 6 + 4 * 10) / 36),
        ("sbd", TORPEDO, 0, 2 / 6 * (4 + 6) / 36),  # list, rudder
        ("sbd", BOMB, 2, 4 / 6 * (6 * 2 + 4 + 2 + 2) / 36),  # a destroyer
    ],
)
def test_the_worth_of_a_strike_is_the_mean_of_its_points(type_, weapon, slot, expected):
    table = Table()
    found = judge(table).worth(Flyer(type_), weapon, known(table, MEDIUM, slot))
    assert found == pytest.approx(expected)


def test_a_guard_takes_five_sixths_of_it_and_damage_does_not_score_twice():
    table = Table()
    open_carrier = known(table, MEDIUM, 0)
    whole = judge(table).worth(Flyer("sbd"), BOMB, open_carrier)
    guarded = judge(table).worth(Flyer("sbd"), BOMB, replace(open_carrier, guards=1))
    assert guarded == pytest.approx(whole / 6)
    table.hurt(JAPAN, 3, Key.BRIDGE)
    hurt = judge(table).worth(Flyer("sbd"), BOMB, known(table, MEDIUM, 0))
    assert whole - hurt == pytest.approx(4 / 6 * 12 / 36)
    table.hurt(JAPAN, 3, Key.LISTING)
    eased = judge(table).worth(Flyer("sbd"), BOMB, known(table, MEDIUM, 0))
    assert eased == pytest.approx(5 / 4 * hurt)


@pytest.mark.parametrize("type_", ["val", "betty"])
def test_what_does_not_reach_is_worth_nothing(type_):
    table = Table()
    target = known(table, MEDIUM, 0, US)
    assert judge(table, JAPAN).worth(Flyer(type_), BOMB, target) is None
    assert judge(table, JAPAN).best_load(Flyer(type_), target) is None


def test_a_hidden_ship_may_be_any_of_the_fleet_that_does_not_lie_open():
    table = Table(Setup(), **TEN_AND_TWO)
    fleet = fleet_of(table.view(US), JAPAN)
    classes = Counter()
    for ship, times in roster_of(fleet, BOOK):
        classes[ship.ship_class] += times
    assert classes == {"carrier": 2, "battleship": 2, "cruiser": 3, "destroyer": 5}
    # Akagi lies open, Kaga was seen hit, Nowaki is gone.
    table = Table(Setup(), first_player="us", fleet_rule="ten-and-two").go_to(Phase.STRIKE)
    for number, key in ((9, Key.BRIDGE), (1, Key.EXPLODED)):
        table.hurt(JAPAN, number, key)
    table.board = replace(table.board, japan=replace(table.board.japan, revealed=("japan-ship-7",)))
    roster = roster_of(fleet_of(table.view(US), JAPAN), BOOK)
    carriers = [(ship.keys, n) for ship, n in roster if ship.ship_class == ShipClass.CARRIER]
    assert carriers == [((Key.BRIDGE,), 1)]
    assert sum(n for ship, n in roster if ship.ship_class == ShipClass.DESTROYER) == 4


def test_ships_of_other_names_take_the_places_of_their_class():
    table = Table().go_to(Phase.STRIKE)
    table.hurt(JAPAN, 3, Key.BRIDGE)
    roster = roster_of(fleet_of(table.view(US), JAPAN), BOOK)
    carriers = {ship.keys: n for ship, n in roster if ship.ship_class == ShipClass.CARRIER}
    assert carriers == {(): 1, (Key.BRIDGE,): 1}


def test_danger_is_what_reaches_a_line():
    carrier = Table().ship(JAPAN, 3)
    by_line = {line: danger_to(replace(carrier, line=line), (), BOOK) for line in Line}
    assert by_line[LONG] == 0, "no US card reaches it"
    assert by_line[MEDIUM] > 3 * by_line[SHORT] > 0


# ---- Ships


def test_the_cautious_one_deploys_its_carriers_where_the_enemy_can_do_least():
    for side in Side:
        table = Table(Setup(), **TEN_AND_TWO)
        before = Counter(ship.line for ship in table.navy(side).ships)
        table.give(side, ordered(table, side).order)
        ships = table.navy(side).ships
        assert {ship.line for ship in ships if in_commission(ship)} == {LONG}
        assert Counter(ship.line for ship in ships) == before, "others take their places"


def test_the_striking_one_keeps_its_lines_and_shuffles_them():
    table = Table(Setup(), **TEN_AND_TWO)
    berths = berths_of(table.navy(US).ships)
    order = ordered(table, US, "striking").order.procedure
    assert {(one.ship, one.line) for one in order.berths} == {(b.ship, b.line) for b in berths}
    others = {ordered(table, US, "striking", nth).order.procedure for nth in range(5)}
    assert len(others) == 5


def test_a_carrier_that_is_not_safe_goes_back_a_line_a_turn():
    table = Table().go_to(Phase.MOVE)
    table.give(US, ordered(table, US).order)
    assert (table.ship(US, 1).line, table.ship(US, 3).line) == (MEDIUM, LONG)
    assert not any(
        move.line
        for nth in range(10)
        for move in ordered(Table().go_to(Phase.MOVE), US, "striking", nth).order.procedure.moves
    )


def test_ships_that_cannot_move_are_left_where_they_are():
    table = Table().go_to(Phase.MOVE)
    for number in range(1, 5):
        table.hurt(US, number, Key.DEAD_IN_WATER)
    for pilot in SCHOOLED:
        for nth in range(5):
            assert ordered(table, US, pilot, nth).order.procedure == MoveShips()


# ---- Cards


def guards_of(table, side):
    """How many cards lie in front of each ship."""
    cards = [card for card in table.navy(side).cards if card.station == FRONT]
    return Counter(card.ship for card in cards)


def test_all_fighters_guard_or_one_for_each_carrier_in_danger():
    found = {}
    for pilot in SCHOOLED:
        table = Table(Setup(), **{**TEN_AND_TWO, "first_player": "us"}).go_to(Phase.CAP_1)
        table.give(US, ordered(table, US, pilot).order)
        found[pilot] = guards_of(table, US)
        assert {card.type for card in table.navy(US).cards if card.ship} == {"f4f"}
    carriers = {"us-ship-7", "us-ship-9"}
    assert found["striking"] == dict.fromkeys(carriers, 1)
    assert found["cautious"].total() == 4
    assert all(found["cautious"][ship] for ship in carriers)


def test_no_guard_is_wasted_on_what_nothing_reaches():
    table = Table(first_player="japan").go_to(Phase.CAP_1)
    fleet = table.navy(JAPAN).ships
    berths = tuple(replace(one, line=LONG) for one in berths_of(fleet))
    navy = replace(table.navy(JAPAN), ships=with_berths(fleet, berths))
    table.board = replace(table.board, japan=navy)
    for pilot in SCHOOLED:
        assert ordered(table, JAPAN, pilot).order.procedure == PlaceCards()


def test_a_carrier_out_of_commission_is_not_guarded():
    table = Table().go_to(Phase.CAP_2)
    table.hurt(US, 3, Key.OUT_OF_COMMISSION).hurt(US, 1, Key.OUT_OF_COMMISSION)
    table.give(US, ordered(table, US).order)
    assert guards_of(table, US) == {"us-ship-2": 1, "us-ship-4": 1}


def test_a_guard_goes_to_a_ship_that_was_found():
    for revealed, guarded in (((), "us-ship-2"), (("us-ship-4",), "us-ship-4")):
        table = Table().go_to(Phase.CAP_2)
        table.hurt(US, 3, Key.OUT_OF_COMMISSION).hurt(US, 1, Key.OUT_OF_COMMISSION)
        navy = table.navy(US)
        cards = tuple(replace(card, spent=card.id == F4F_2) for card in navy.cards)
        table.board = replace(table.board, us=replace(navy, cards=cards, revealed=revealed))
        table.give(US, ordered(table, US).order)
        assert guards_of(table, US) == {guarded: 1}


def test_guards_that_are_where_they_should_be_stay_and_used_ones_take_room():
    table = Table().go_to(Phase.CAP_1)
    order = ordered(table, US)
    table.give(US, order.order)
    table.go_to(Phase.CAP_2)
    assert ordered(table, US).order.procedure == PlaceCards()
    cards = tuple(
        replace(card, ship="us-ship-3", station=FRONT, spent=True)
        if card.type in ("sbd", "tbm")
        else replace(card, ship="", station=None)
        for card in table.navy(US).cards
    )
    table.board = replace(table.board, us=replace(table.navy(US), cards=cards))
    table.give(US, ordered(table, US).order)
    assert guards_of(table, US)["us-ship-3"] == 3


def test_strikers_are_placed_at_carriers_where_they_must_be_and_fly_from_there():
    table = Table(strike_base="carrier").go_to(Phase.CAP_2)
    table.give(US, ordered(table, US).order)
    lying = {card.id: card.station for card in table.navy(US).cards}
    assert (lying[SBD], lying[TBM], lying[F4F]) == (ADJACENT, ADJACENT, FRONT)
    table.go_to(Phase.STRIKE)
    assert isinstance(ordered(table, US).order.procedure, SendStrike)


# ---- Strikes


def at_strikes(*guards, revealed=(), **settings):
    """The US side about to strike; guards as numbers of ships, a Zeke for each."""
    table = Table(**settings).go_to(Phase.CAP_2)
    table.place(US)
    cards = zip((ZEKE, ZEKE_2), guards)
    table.place(JAPAN, *((card, f"japan-ship-{ship}", FRONT) for card, ship in cards))
    names = tuple(f"japan-ship-{number}" for number in revealed)
    table.board = replace(table.board, japan=replace(table.board.japan, revealed=names))
    return table


@pytest.mark.parametrize("pilot", SCHOOLED)
def test_the_best_target_that_lies_open_is_struck_with_the_best_card(pilot):
    order = ordered(at_strikes(revealed=(3, 4, 5)), US, pilot).order.procedure
    assert order.target == Place(MEDIUM, 0), "the carrier"
    assert order.weapon == BOMB
    assert order.card in (SBD, PBY)


@pytest.mark.parametrize("pilot", SCHOOLED)
def test_a_guarded_ship_is_left_for_one_that_is_not(pilot):
    order = ordered(at_strikes(3, revealed=(3, 4)), US, pilot).order.procedure
    assert order.target == Place(MEDIUM, 1), "the battleship"
    used = at_strikes(3, revealed=(3, 4))
    used.strike(US, TBM, BOMB, MEDIUM, 0, 1)
    used.passes(JAPAN)
    assert ordered(used, US, pilot).order.procedure.target == Place(MEDIUM, 0), "its guard is used"


def test_of_hidden_ships_it_takes_any_and_what_promises_nothing_is_not_flown():
    table = at_strikes(revealed=(5,))
    found = {ordered(table, US, nth=nth).order.procedure.target.slot for nth in range(20)}
    assert found == {0, 1}, "a destroyer is worth less than what may be a carrier"
    spent = tuple(replace(card, spent=card.type != "f4f") for card in table.navy(US).cards)
    table.board = replace(table.board, us=replace(table.navy(US), cards=spent))
    assert ordered(table, US).order.procedure.card == F4F, "a fighter in hand"
    guards = tuple(
        replace(card, ship="us-ship-1", station=FRONT) if card.type == "f4f" else card
        for card in spent
    )
    table.board = replace(table.board, us=replace(table.navy(US), cards=guards))
    for pilot in SCHOOLED:
        assert ordered(table, US, pilot).order.procedure == PassFlight()


def test_a_torpedo_is_taken_where_it_is_the_better():
    table = at_strikes(revealed=(4,))
    table.hurt(JAPAN, 4, Key.CONNING, Key.GUNNERY)
    only = tuple(replace(card, spent=card.type != "tbm") for card in table.navy(US).cards)
    table.board = replace(table.board, us=replace(table.navy(US), cards=only))
    best = judge(table).best_load(Flyer("tbm"), known(table, MEDIUM, 1))
    bomb = judge(table).worth(Flyer("tbm"), BOMB, known(table, MEDIUM, 1))
    torpedo = judge(table).worth(Flyer("tbm"), TORPEDO, known(table, MEDIUM, 1))
    assert best == max((bomb, BOMB), (torpedo, TORPEDO))


# ---- Looks


def at_recon(*guards, **settings):
    table = Table(Setup(), first_player="us", fleet_rule="ten-and-two", **settings)
    table.go_to(Phase.CAP_1)
    table.place(US)
    table.place(JAPAN, *((f"japan-card-{n}", ship, FRONT) for n, ship in enumerate(guards, 1)))
    return table


def test_the_cautious_one_looks_twice_and_not_at_what_lies_open():
    table = at_recon()
    for look in range(2):
        order = ordered(table, US, nth=look).order.procedure
        assert isinstance(order, Reconnoiter)
        table.scout(US, order.card, order.target.line, order.target.slot, 6)
        table.passes(JAPAN)
    assert ordered(table, US).order.procedure == PassFlight()
    table = at_recon()
    everything = tuple(ship.id for ship in table.navy(JAPAN).ships)
    table.board = replace(table.board, japan=replace(table.board.japan, revealed=everything))
    assert ordered(table, US).order.procedure == PassFlight()


def test_the_card_whose_strike_is_worth_least_looks():
    order = ordered(at_recon(), US).order.procedure
    assert at_recon().card(order.card).type == "tbm"
    assert order.target.line == MEDIUM


# ---- Answers


def test_a_strike_is_met_by_the_poorest_card_if_it_is_feeble_else_by_the_best():
    for zeke, value, best in ((ZEKE, 1, False), (ZEKE, 2, True)):
        table = Table(first_player="japan").go_to(Phase.CAP_2)
        table.place(JAPAN)
        line, ship = (SHORT, "us-ship-1")
        table.place(US, (F4F, ship, FRONT), (SBD, ship, FRONT))
        flyer = zeke if value == 1 else VAL
        table.send(JAPAN, flyer, BOMB, line, 0)
        for pilot in SCHOOLED:
            assert ordered(table, US, pilot).order.procedure == Intercept(F4F if best else SBD)


@pytest.mark.parametrize("pilot", SCHOOLED)
@pytest.mark.parametrize(
    ("settings", "flyer", "ship", "expected"),
    [
        ({}, VAL, 1, Intercept(F4F)),
        ({"interceptors": "together"}, VAL, 1, Intercept(F4F, (SBD,))),
        ({"interceptors": "together"}, VAL, 2, Intercept(F4F)),
        ({"interceptors": "together"}, ZEKE, 1, Intercept(SBD)),
        ({"interceptors": "together", "cap_use": "unlimited"}, VAL, 2, Intercept(F4F, (SBD,))),
    ],
)
def test_cards_meet_a_strike_together_for_a_carrier_or_where_it_costs_nothing(
    pilot, settings, flyer, ship, expected
):
    table = Table(first_player="japan", **settings).go_to(Phase.CAP_2)
    table.place(JAPAN)
    name = f"us-ship-{ship}"
    table.place(US, (SBD, name, FRONT), (F4F, name, FRONT))
    table.send(JAPAN, flyer, BOMB, SHORT, ship - 1)
    order = ordered(table, US, pilot)
    assert order.order.procedure == expected
    assert order in table.legal(US) or expected.further_cards
    table.give(US, order.order, RandomDice(Random(1)))


def test_a_card_adjacent_that_has_flown_is_no_guard_less():
    table = Table(flown_cards="place").go_to(Phase.CAP_2)
    table.place(US, (F4F, "us-ship-3", FRONT), (SBD, "us-ship-3", ADJACENT))
    table.place(JAPAN)
    table.strike(US, SBD, BOMB, MEDIUM, 0, 6)
    slot = table.slot(US, MEDIUM, 0, JAPAN)
    assert (slot.intercepted, slot.intercepted_front) == (1, 0)
    found = {one.place: one for one in targets_of(fleet_of(table.view(JAPAN), US), table.book)}
    assert found[Place(MEDIUM, 0)].guards == 1
    both_meet = BOOK.with_settings({"adjacent_cap": True})
    found = {one.place: one for one in targets_of(fleet_of(table.view(JAPAN), US), both_meet)}
    assert found[Place(MEDIUM, 0)].guards == 1, "of two, one is used"


def test_nobody_meets_what_flies_at_an_unguarded_ship():
    table = Table(first_player="japan").go_to(Phase.STRIKE)
    table.send(JAPAN, VAL, BOMB, SHORT, 0)
    for pilot in SCHOOLED:
        assert ordered(table, US, pilot).order.procedure == Intercept()


@pytest.mark.parametrize(
    ("pilot", "guards", "ship", "expected"),
    [
        ("cautious", (F4F,), 3, Intercept()),
        ("cautious", (F4F, F4F_2), 3, Intercept(F4F_2)),
        ("cautious", (F4F, F4F_2), 4, Intercept()),
        ("striking", (F4F,), 3, Intercept(F4F)),
        ("striking", (F4F,), 4, Intercept()),
    ],
)
def test_looks_at_hidden_carriers_are_met_if_a_card_can_be_spared(pilot, guards, ship, expected):
    table = Table(first_player="japan").go_to(Phase.CAP_1)
    table.place(JAPAN)
    table.place(US, *((card, f"us-ship-{ship}", FRONT) for card in guards))
    table.recon(JAPAN, KATE, MEDIUM, ship - 3)
    assert ordered(table, US, pilot).order.procedure == expected


# ---- A game's own cards


def test_cards_that_a_game_brings_are_flown_and_feared():
    super_plane = AircraftCard("super", "Super", US, Role.DIVE_BOMBER, 6, 6, 6, MEDIUM, 6)
    force = replace(SMALL.us, cards=("sbd", "super"))
    setup = replace(SMALL, us=force, own_cards=(super_plane,))
    table = Table(setup).go_to(Phase.STRIKE)
    for pilot in SCHOOLED:
        assert ordered(table, US, pilot).order.procedure.card == "us-card-2"
    carrier = table.ship(JAPAN, 3)
    assert danger_to(carrier, (super_plane,), BOOK) > danger_to(carrier, (), BOOK)


def test_a_target_is_what_its_place_shows():
    table = at_strikes(3, 3)
    found = {one.place: one for one in targets_of(fleet_of(table.view(US), JAPAN), table.book)}
    assert found[Place(MEDIUM, 0)] == Target(Place(MEDIUM, 0), None, revealed=False, guards=2)
    assert found[Place(MEDIUM, 1)].guards == 0
    table.send(US, TBM, BOMB, MEDIUM, 0)
    table.answer(JAPAN, ZEKE, 1)
    found = {one.place: one for one in targets_of(fleet_of(table.view(US), JAPAN), table.book)}
    assert found[Place(MEDIUM, 0)].guards == 1
