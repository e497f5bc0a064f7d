"""A game of the carriers at a table, for tests: give orders and faces, look at it."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

from guncamera.rules.dealt import DealtDice
from guncamera.rules.dice import Ask, Roll, Throw
from guncamera.rules.plain import from_plain, restore_member, to_plain, union_to_plain
from guncamera.rules.ruleset import Deed, LegalOrder, Verb
from guncamera.rules.trace import SettingLine, audit
from guncamera.rulesets.carriers.board import Board, fold
from guncamera.rulesets.carriers.book import load_book
from guncamera.rulesets.carriers.cards import Line, ShipClass, Side, Station, Weapon
from guncamera.rulesets.carriers.damage import rule_on_damage
from guncamera.rulesets.carriers.events import Change, PhaseChanged
from guncamera.rulesets.carriers.facts import Berth, Placement
from guncamera.rulesets.carriers.fire import rule_on_fire
from guncamera.rulesets.carriers.fleets import berths_of
from guncamera.rulesets.carriers.legal import legal_orders
from guncamera.rulesets.carriers.move import rule_on_move
from guncamera.rulesets.carriers.orders import (
    DamageOrder,
    Deploy,
    Entrant,
    FireOrder,
    Force,
    Intercept,
    MoveOrder,
    MoveShips,
    PassFlight,
    Phase,
    Place,
    PlaceCards,
    Reconnoiter,
    RollOff,
    SendStrike,
    Setup,
    SpotOrder,
    View,
)
from guncamera.rulesets.carriers.secrecy import deed_for, keeps_secrets, view_for
from guncamera.rulesets.carriers.spot import rule_on_spot
from guncamera.rulesets.carriers.survey import survey
from guncamera.rulesets.carriers.turn import active_seats, apply, open_board, result

BOOK = load_book()
RULES = {
    Verb.MOVE: rule_on_move,
    Verb.SPOT: rule_on_spot,
    Verb.FIRE: rule_on_fire,
    Verb.DAMAGE: rule_on_damage,
}
VERBS = {MoveOrder: Verb.MOVE, SpotOrder: Verb.SPOT, FireOrder: Verb.FIRE, DamageOrder: Verb.DAMAGE}
RULE_IDS = frozenset(rule.id for rule in BOOK.index)
US, JAPAN = Side.US, Side.JAPAN
SHORT, MEDIUM, LONG = Line.SHORT, Line.MEDIUM, Line.LONG
FRONT, ADJACENT = Station.FRONT, Station.ADJACENT
BOMB, TORPEDO = Weapon.BOMB, Weapon.TORPEDO


class RandomDice:
    """Dice from a seeded generator; remembers what fell."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.rolls: list[Roll] = []

    def roll(self, ask: Ask) -> Throw:
        faces = tuple(self.random.randint(1, sides) for sides in ask.dice)
        self.rolls.append(Roll(ask.purpose, ask.dice, faces))
        return Throw(ask.read(faces), faces)


def ships(side, *lines) -> tuple[Entrant, ...]:
    """Entrants named by side, class and number: `("carrier", "medium"), ...`."""
    return tuple(
        Entrant(f"{side}-{kind}-{at}", ShipClass(kind), Line(line))
        for at, (kind, line) in enumerate(lines, start=1)
    )


US_SHIPS = ships(
    "us",
    ("carrier", "short"),
    ("battleship", "short"),
    ("carrier", "medium"),
    ("cruiser", "medium"),
    ("destroyer", "long"),
)
JAPAN_SHIPS = ships(
    "japan",
    ("carrier", "short"),
    ("cruiser", "short"),
    ("carrier", "medium"),
    ("battleship", "medium"),
    ("destroyer", "medium"),
)
SMALL = Setup(
    us=Force(US_SHIPS, ("f4f", "f4f", "sbd", "sbd", "tbm", "pby")),
    japan=Force(JAPAN_SHIPS, ("zeke", "zeke", "val", "kate", "betty")),
)
"""Five ships a side, so that each class stands on a line that something reaches."""
FREE = {"fleet_rule": "free"}


class Table:
    """A board and what has happened on it. `first_player` is us unless a test says otherwise."""

    def __init__(self, setup=SMALL, **settings) -> None:
        settings = {**FREE, "first_player": "us", **settings}
        self.book = BOOK.with_settings(settings)
        self.board: Board = open_board(setup, self.book)
        self.events: list[Change] = []
        self.told: tuple[Change, ...] = ()
        self.deeds: list[Deed] = []
        self.ruling: Any = None

    # ---- Orders

    def give(self, seat, order, dice=None):
        """Survey, rule, apply; what came of it."""
        dice, seat = dice or DealtDice(()), str(seat)
        verb = VERBS[type(order)]
        facts = survey(self.board, seat, verb, order, self.book)
        ruling = RULES[verb](facts, self.book, dice)
        if isinstance(dice, DealtDice):
            dice.close()
        applied = apply(self.board, verb, order, ruling, self.book)
        self.board, self.ruling, self.told = applied.board, ruling, applied.events
        self.events += applied.events
        rolls = tuple(dice.rolls)
        self.deeds.append(
            Deed(
                seat,
                verb,
                order,
                ruling.outcome,
                ruling.trace,
                applied.events,
                ruling.summary,
                rolls,
            )
        )
        return ruling.outcome.procedure

    def deploy(self, side, *berths):
        """Berths as `(ship, line)`."""
        return self.give(side, MoveOrder(Deploy(tuple(Berth(*one) for one in berths))))

    def roll_off(self, *faces, seat=US):
        return self.give(seat, MoveOrder(RollOff()), DealtDice(faces))

    def move(self, side, *moves):
        return self.give(side, MoveOrder(MoveShips(moves)))

    def place(self, side, *placements):
        """Placements as `(card, ship, station)`, or `(card,)` for back in hand."""
        placed = tuple(Placement(*one) for one in placements)
        return self.give(side, MoveOrder(PlaceCards(placed)))

    def recon(self, side, card, line, slot):
        return self.give(side, SpotOrder(Reconnoiter(card, Place(line, slot))))

    def send(self, side, card, weapon, line, slot):
        return self.give(side, FireOrder(SendStrike(card, weapon, Place(line, slot))))

    def scout(self, side, card, line, slot, *faces):
        """A reconnaissance that is let through."""
        self.recon(side, card, line, slot)
        return self.answer(Side(side).other, "", *faces)

    def strike(self, side, card, weapon, line, slot, *faces):
        """A strike, met by the one card that can meet it, if there is one."""
        self.send(side, card, weapon, line, slot)
        return self.answer(Side(side).other, "", *faces)

    def answer(self, side, card="", *faces):
        verb = SpotOrder if self.board.phase == Phase.RECON else FireOrder
        return self.give(side, verb(Intercept(card)), DealtDice(faces))

    def passes(self, side):
        verb = SpotOrder if self.board.phase == Phase.RECON else FireOrder
        return self.give(side, verb(PassFlight()))

    def assess(self, seat=US):
        return self.give(seat, DamageOrder())

    def go_to(self, phase, turn=1):
        """Everybody does as little as possible until a segment is reached."""
        while (self.board.turn, self.board.phase) != (turn, phase):
            seat = self.active[0]
            match self.board.phase:
                case Phase.INITIATIVE:
                    self.roll_off(6, 1)
                case Phase.ASSESS:
                    self.assess()
                case Phase.FINISHED:
                    raise AssertionError(f"the game is over: {self.result}")
                case Phase.RECON | Phase.STRIKE:
                    self.passes(seat)
                case Phase.DEPLOY:
                    self.deploy(seat)
                case Phase.MOVE:
                    self.move(seat)
                case _:
                    self.place(seat)
        return self

    @staticmethod
    def trial(table):
        """A table with the same board, to try an order at."""
        new = copy(table)
        new.events, new.deeds = [], []
        return new

    # ---- The board

    @property
    def active(self):
        return active_seats(self.board)

    @property
    def phase(self):
        return self.board.phase

    @property
    def result(self):
        return result(self.board)

    def navy(self, side):
        return self.board.navy(Side(side))

    def ship(self, side, number):
        return self.navy(side).ship(f"{side}-ship-{number}")

    def card(self, card):
        return self.navy(card.partition("-")[0]).card(card)

    def hurt(self, side, number, *keys, belts=0):
        """Put damage on a ship by hand."""
        ship = self.ship(side, number)
        new = replace(ship, keys=(*ship.keys, *keys), belts=belts)
        navy = self.navy(side)
        fleet = tuple(new if one.id == ship.id else one for one in navy.ships)
        self.board = replace(self.board, **{str(side): replace(navy, ships=fleet)})
        return self

    def phases(self):
        """The segments that the last order led through."""
        return [event.phase for event in self.told if isinstance(event, PhaseChanged)]

    def legal(self, seat, most=400) -> list[LegalOrder]:
        return list(islice(legal_orders(self.board, str(seat), self.book), most))

    def view(self, seat=None) -> View:
        return view_for(self.board, None if seat is None else str(seat), self.book)

    def fleet(self, side, seat=None):
        """A side as a seat sees it."""
        return next(one for one in self.view(seat).fleets if one.side == side)

    def line(self, side, line, seat=None):
        """The slots of a line as a seat sees them."""
        lines = {one.line: one.slots for one in self.fleet(side, seat).lines}
        return lines[Line(line)]

    def slot(self, side, line, slot, seat=None):
        return self.line(side, line, seat)[slot]

    def names(self, side, line):
        """The ships on a line, by slot, as they stand."""
        return [one.ship.name for one in self.line(side, line, side)]

    def all_berths(self, side):
        """Where all ships of a side stand."""
        return berths_of(self.navy(side).ships)

    def deed(self, seat=None, at=-1) -> Deed:
        """An action as a seat sees it, the last one if nothing else is said."""
        return deed_for(self.deeds[at], self.board, None if seat is None else str(seat))

    def seen(self, seat=None):
        """Everything that a seat, or a spectator, can know of the game."""
        deeds = [self.deed(seat, at) for at in range(len(self.deeds))]
        return (self.view(seat), deeds, self.active, keeps_secrets(self.board, seat), self.result)


class Game(Table):
    """A game that is played out by a policy, and checked at every step."""

    def __init__(self, random, setup=SMALL, **settings):
        super().__init__(setup, **settings)
        self.random = random
        self.orders: list[tuple[str, Any, tuple[Roll, ...]]] = []
        self.kinds: set[str] = set()

    def play(self, most=5000, policy=None):
        policy = policy or Game.at_random
        while self.active:
            seat = self.random.choice(self.active)
            before, dice = self.board, RandomDice(self.random)
            order = policy(self, seat)
            self.give(seat, order, dice)
            self.orders.append((seat, order, tuple(dice.rolls)))
            self.kinds.add(type(order.procedure).__name__)
            self.checked(before)
            assert len(self.orders) < most, "the game does not end"
        return self

    def dice(self):
        return RandomDice(self.random)

    def quiet(self, seat):
        """As at random, but no card of the seat flies or intercepts."""
        orders = [one.order for one in self.legal(seat)]
        shown = (Reconnoiter, SendStrike)
        held = [one for one in orders if not isinstance(one.procedure, shown)]
        if any(isinstance(one.procedure, Intercept) for one in held):
            return next((one for one in held if one.procedure == Intercept()), held[0])
        return self.random.choice(held)

    def at_random(self, seat):
        """Any legal order, each as likely."""
        return self.random.choice(self.legal(seat)).order

    def eager(self, seat):
        """As at random, but it passes only where nothing else is open."""
        orders = [one.order for one in self.legal(seat)]
        busy = [one for one in orders if not isinstance(one.procedure, PassFlight)]
        return self.random.choice(busy or orders)

    def brisk(self, seat):
        """As at random, but it passes half the time where it may."""
        orders = [one.order for one in self.legal(seat)]
        if isinstance(orders[0].procedure, PassFlight) and self.random.random() < 0.5:
            return orders[0]
        return self.random.choice(orders)

    def checked(self, before):
        """What must hold after every order, whatever it is about."""
        book, board = self.book, self.board
        assert audit(self.ruling.trace, book.tables) == []
        assert {line.rule_id for line in self.ruling.trace} <= RULE_IDS
        assert {event.rule_id for event in self.told} <= RULE_IDS
        named = {line.name for line in self.ruling.trace if isinstance(line, SettingLine)}
        assert named <= set(book.setting_specs)
        assert fold(before, self.told, book) == board
        for event in self.told:
            assert restore_member(Change, union_to_plain(event)) == event
            assert from_plain(type(event), to_plain(event)) == event
        assert from_plain(Board, to_plain(board)) == board
        for seat in (None, US, JAPAN, "referee"):
            view = self.view(seat)
            assert from_plain(View, to_plain(view)) == view
        assert bool(self.active) == (self.result is None)
        assert (board.phase == Phase.FINISHED) == (not self.active)
        assert board.turn <= board.turns
        for side in Side:
            self.checked_navy(board.navy(side), before.navy(side))

    def checked_navy(self, navy, before):
        """Nothing is lost or made but by the rules."""
        assert {ship.id for ship in navy.ships} == {ship.id for ship in before.ships}
        assert {card.id for card in navy.cards} == {card.id for card in before.cards}
        gone = {card.id for card in before.cards if card.lost}
        assert gone <= {card.id for card in navy.cards if card.lost}
        afloat = {ship.id for ship in navy.ships if ship.afloat}
        for card in navy.cards:
            assert (card.station is None) == (not card.ship)
            assert not card.ship or card.ship in afloat
            assert not (card.lost and card.ship)
