"""Setting the carriers up, orders that are open, and whole games."""

from contextlib import suppress
from dataclasses import replace
from random import Random

import pytest
from carriers_table import (
    BOOK,
    FREE,
    FRONT,
    JAPAN,
    LONG,
    SHORT,
    SMALL,
    US,
    US_SHIPS,
    Game,
    Table,
)
from guncamera.rules.dealt import DealtDice
from guncamera.rules.refusal import Illegal, Malformed, RollInvalid, RollRequired
from guncamera.rulesets.carriers.cards import AircraftCard, Key, Line, Role, ShipClass, Side
from guncamera.rulesets.carriers.events import (
    CardIntercepted,
    FlightBegun,
    ShipRevealed,
)
from guncamera.rulesets.carriers.facts import Berth
from guncamera.rulesets.carriers.legal import MOST
from guncamera.rulesets.carriers.orders import (
    Deploy,
    Intercept,
    MoveShips,
    Phase,
    PlaceCards,
    Reconnoiter,
    SendStrike,
    Setup,
)
from guncamera.rulesets.carriers.setup import seats
from guncamera.rulesets.carriers.turn import open_board

# ---- Setting up (CAR-1.2 to CAR-1.6, CAR-10.7)


def faults_of(setup, **settings):
    with pytest.raises(Malformed) as refused:
        open_board(setup, BOOK.with_settings(settings))
    return {fault.field: fault for fault in refused.value.violations}


def us_force(**changes):
    return replace(SMALL, us=replace(SMALL.us, **changes))


def test_the_forces_as_shipped_are_ten_and_two_a_side():
    board = open_board(Setup(), BOOK)
    for side in Side:
        navy = board.navy(side)
        classes = [ship.ship_class for ship in navy.ships]
        assert (len(classes), classes.count(ShipClass.CARRIER)) == (12, 2)
        assert len(navy.cards) == 14
        assert len({ship.name for ship in navy.ships}) == 12
        assert all(ship.nation == side for ship in navy.ships)
        assert not any(card.ship for card in navy.cards)


def test_settings_count_the_cards_of_forces_as_shipped():
    counts = {
        "fighters_per_carrier": 1,
        "dive_bombers_per_carrier": 3,
        "torpedo_planes_per_carrier": 0,
        "patrol_cards": 4,
    }
    board = open_board(Setup(), BOOK.with_settings(counts))
    types = [card.type for card in board.japan.cards]
    assert types == ["zeke"] * 2 + ["val"] * 6 + ["betty"] * 4


def test_there_is_a_referee_where_the_game_has_one():
    assert [seat.id for seat in seats(Setup(), BOOK)] == ["us", "japan"]
    third = seats(Setup(referee=True), BOOK)[2]
    assert (third.id, third.side) == ("referee", "")


def test_a_fleet_is_ten_and_two_or_free():
    found = faults_of(SMALL)
    assert {"setup.us.ships", "setup.japan.ships"} == set(found)
    assert found["setup.us.ships"].rule_id == "CAR-1.5"
    assert open_board(SMALL, BOOK.with_settings(FREE)).us.ships
    assert "setup.us.ships" in faults_of(us_force(ships=()), **FREE)


def test_every_fault_of_a_set_up_is_told_by_path():
    ships = (replace(US_SHIPS[0], name=" "), US_SHIPS[1], replace(US_SHIPS[2], name="twice"))
    ships = (*ships, replace(US_SHIPS[3], name="twice"))
    found = faults_of(us_force(ships=ships, cards=("sbd", "zeke", "biplane")), **FREE)
    assert {path: fault.rule_id for path, fault in found.items()} == {
        "setup.us.ships[0].name": "CAR-1.5",
        "setup.us.ships[2].name": "CAR-1.5",
        "setup.us.ships[3].name": "CAR-1.5",
        "setup.us.cards[1]": "CAR-1.6",
        "setup.us.cards[2]": "CAR-1.2",
    }


def test_a_line_holds_what_a_setting_says():
    found = faults_of(SMALL, **FREE, line_capacity=2)
    assert (found["setup.japan.ships"].rule_id, len(found)) == ("CAR-3.8", 1)
    table = Table(us_force(), line_capacity=3)
    crowded = tuple((f"us-ship-{at}", Line.LONG) for at in range(1, 6))
    with pytest.raises(Illegal) as refused:
        table.deploy(US, *crowded)
    assert refused.value.rule_id == "CAR-3.8"


def test_a_game_may_bring_cards_of_its_own():
    own = AircraftCard("a7m", "Sam", JAPAN, Role.FIGHTER, 5, 2, 0, SHORT, 1)
    japan = replace(SMALL.japan, cards=("a7m", "val"))
    table = Table(replace(SMALL, japan=japan, own_cards=(own,))).go_to(Phase.STRIKE)
    assert table.view().own_cards == (own,)
    table.passes(US)
    assert any(
        one.order.procedure.card == "japan-card-1"
        for one in table.legal(JAPAN)
        if isinstance(one.order.procedure, SendStrike)
    )
    wrong = replace(own, type="zeke")
    assert "setup.own_cards[0].type" in faults_of(replace(SMALL, own_cards=(wrong,)), **FREE)


# ---- Orders that are open


@pytest.mark.parametrize("setup", [SMALL, Setup()], ids=["small", "as shipped"])
def test_open_orders_are_legal_bounded_and_come_alike_each_time(setup):
    settings = {} if setup is SMALL else {"fleet_rule": "ten-and-two"}
    game, seen = Game(Random("open"), setup, first_player="roll", **settings), set()
    while game.board.turn < 3:
        for seat in game.active:
            orders = game.legal(seat)
            assert 1 <= len(orders) <= MOST
            assert orders == game.legal(seat)
            assert len({order.order for order in orders}) == len(orders)
            seen |= {type(order.order.procedure).__name__ for order in orders}
            for order in orders[:: max(1, len(orders) // 25)]:
                trial = Table.trial(game)
                with suppress(RollRequired):
                    trial.give(seat, order.order)
        seat = game.active[0]
        game.give(seat, game.brisk(seat), game.dice())
    assert len(seen) == 9


def test_a_seat_that_may_not_act_has_no_orders():
    table = Table().go_to(Phase.MOVE)
    assert table.legal(JAPAN) == []
    assert table.legal("referee") == []


def test_open_orders_show_the_range_of_cards():
    def lines(**settings):
        table = Table(**settings).go_to(Phase.STRIKE)
        orders = [one.order.procedure for one in table.legal(US)]
        return {(one.card, one.target.line) for one in orders if isinstance(one, SendStrike)}

    exact, nearer = lines(), lines(range_rule="at-most")
    assert ("us-card-1", SHORT) in exact
    assert ("us-card-3", SHORT) not in exact
    assert nearer >= exact | {("us-card-3", SHORT)}


def test_open_placings_offer_guards_for_carriers_first():
    table = Table().go_to(Phase.CAP_1)
    first, second, *_ = (one.order.procedure.placements for one in table.legal(US))
    assert first == ()
    assert [(one.card, one.ship, one.station) for one in second] == [
        ("us-card-1", "us-ship-1", FRONT),
        ("us-card-2", "us-ship-3", FRONT),
    ]


def test_open_moves_leave_out_what_damage_forbids():
    table = Table().go_to(Phase.MOVE)
    table.hurt(US, 1, Key.DEAD_IN_WATER).hurt(US, 3, Key.RUDDER)
    moves = [move for one in table.legal(US) for move in one.order.procedure.moves]
    assert not any("us-ship-1" in (move.ship, move.swap_with) for move in moves)
    assert {move.line for move in moves if move.ship == "us-ship-3"} == {SHORT, LONG}
    still = Table(out_of_commission_ship="still").go_to(Phase.MOVE)
    still.hurt(US, 1, Key.OUT_OF_COMMISSION)
    moves = [move for one in still.legal(US) for move in one.order.procedure.moves]
    assert not any("us-ship-1" in (move.ship, move.swap_with) for move in moves)


# ---- Whole games


@pytest.mark.parametrize("number", range(6))
def test_games_of_random_orders_end(number):
    setup, settings = (
        (Setup(), {"fleet_rule": "ten-and-two", "max_turns": 4}) if number == 0 else (SMALL, {})
    )
    game = Game(Random(f"random {number}"), setup, first_player="roll", **settings)
    game.play(policy=Game.eager if number % 2 else None)
    assert {"RollOff", "MoveShips", "PlaceCards", "Reconnoiter", "Intercept"} <= game.kinds
    assert game.board.turn <= 12


ALTERNATIVES = [
    (name, choice.value)
    for name, spec in BOOK.setting_specs.items()
    for choice in spec.choices
    if choice.value != spec.default and name not in ("fleet_rule", "us_torpedo_plane")
]


@pytest.mark.parametrize(("name", "value"), ALTERNATIVES, ids=str)
def test_a_game_is_played_under_every_alternative(name, value):
    game = Game(Random(name), **{"max_turns": 4, name: value})
    game.play(policy=Game.eager)
    assert game.result


def test_a_game_is_the_same_when_it_is_played_again():
    one = Game(Random("again"), first_player="roll", max_turns=4).play(policy=Game.eager)
    table = Table(first_player="roll", max_turns=4)
    for seat, order, rolls in one.orders:
        table.give(seat, order, DealtDice(face for roll in rolls for face in roll.faces))
    assert table.board == one.board
    assert table.events == one.events


# ---- Two games that differ only in what one side hides


class Mirrored(Game):
    """A game given the same orders as another, but for which ship, and which card, is which.

    Where the other names a ship or a card of the Japanese side, this one names its partner.
    """

    def __init__(self, partners, random, **settings):
        super().__init__(random, **settings)
        self.partners = partners

    def of(self, name):
        return self.partners.get(name, name)

    def follow(self, seat, order):
        wanted = order.procedure
        if seat == "us":
            return order
        match wanted:
            case Deploy():
                berths = wanted.berths or Table().all_berths(JAPAN)
                berths = tuple(Berth(self.of(one.ship), one.line) for one in berths)
                wanted = Deploy(berths)
            case MoveShips():
                moves = (
                    replace(one, ship=self.of(one.ship), swap_with=self.of(one.swap_with))
                    for one in wanted.moves
                )
                wanted = MoveShips(tuple(moves))
            case PlaceCards():
                placed = (
                    replace(one, card=self.of(one.card), ship=self.of(one.ship))
                    for one in wanted.placements
                )
                wanted = PlaceCards(tuple(placed))
            case Reconnoiter() | SendStrike() | Intercept():
                wanted = replace(wanted, card=self.of(wanted.card))
            case _:
                return order
        return replace(order, procedure=wanted)


def tells(game, partners):
    """Whether the rules have just shown something in which the two games differ."""
    for event in game.told:
        match event:
            case ShipRevealed(side=Side.JAPAN) if event.ship in partners:
                return True
            case CardIntercepted(side=Side.JAPAN) if event.card in partners:
                return True
            case FlightBegun(side=Side.JAPAN) if event.card in partners:
                return True
    return False


SWAPS = [
    {"japan-ship-3": "japan-ship-4"},
    {"japan-ship-4": "japan-ship-5"},
    {"japan-ship-1": "japan-ship-5"},
    {"japan-card-2": "japan-card-3"},
    {"japan-card-1": "japan-card-5", "japan-ship-1": "japan-ship-2"},
]


@pytest.mark.parametrize("swap", SWAPS, ids=str)
def test_an_enemy_cannot_tell_two_games_apart_before_the_rules_show_it(swap):
    partners = {**swap, **{other: one for one, other in swap.items()}}
    hidden = sum(steps_alike(partners, Random(f"mirrored {number}")) for number in range(4))
    assert hidden > 40, "the games differ for a while in something hidden"


def follows(two, seat, order, faces):
    """Gives the other game its order; False: what the side hides makes it illegal there."""
    if seat == "us":
        two.give(seat, order, DealtDice(faces))
        return True
    with suppress(Illegal, RollRequired, RollInvalid):
        two.give(seat, two.follow(seat, order), DealtDice(faces))
        return True
    return False


def steps_alike(partners, random):
    """Plays two games that differ in who is who; in how many steps their boards differed."""
    one, two = Game(random), Mirrored(partners, random)
    hidden = 0
    while one.active and one.board.turn < 8:
        seat = random.choice(one.active)
        if seat == "us":
            assert one.legal(US) == two.legal(US)
        order = one.quiet(seat) if seat == "japan" else one.eager(seat)
        dice = one.dice()
        one.give(seat, order, dice)
        faces = [face for roll in dice.rolls for face in roll.faces]
        if tells(one, partners) or not follows(two, seat, order, faces):
            break
        if tells(two, partners):
            break
        for eyes in ("us", None):
            assert one.seen(eyes) == two.seen(eyes)
        hidden += one.board != two.board
    return hidden
