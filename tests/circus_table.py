"""A game of Flying Circus Plus at a table, for tests: give orders and faces, look at the board."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

from guncamera.rules.dealt import DealtDice
from guncamera.rules.dice import Ask, Throw
from guncamera.rules.hexes import HexDirection
from guncamera.rules.plain import from_plain, restore_member, to_plain, union_to_plain
from guncamera.rules.ruleset import LegalOrder, Verb
from guncamera.rules.trace import SettingLine, audit
from guncamera.rulesets.circus import RULESET
from guncamera.rulesets.circus.aircraft import Mount, Side
from guncamera.rulesets.circus.board import Board
from guncamera.rulesets.circus.changes import fold
from guncamera.rulesets.circus.events import Change, PhaseChanged
from guncamera.rulesets.circus.facts import Looking, Plot
from guncamera.rulesets.circus.flight import flight_of
from guncamera.rulesets.circus.map import hex_at
from guncamera.rulesets.circus.orders import (
    ChangeDrum,
    Check,
    DamageOrder,
    EndTurn,
    Entrant,
    FireOrder,
    Fly,
    HoldFire,
    MoveOrder,
    Phase,
    Plots,
    Search,
    Setup,
    Shoot,
    SpotOrder,
    TurnOrder,
    View,
)
from guncamera.rulesets.circus.volley import figures_of

BOOK = RULESET.book
EAST, WEST = HexDirection.EAST, HexDirection.WEST
VERBS = {SpotOrder: Verb.SPOT, MoveOrder: Verb.MOVE, FireOrder: Verb.FIRE, DamageOrder: Verb.DAMAGE}
D_VII = "fokker_d_vii"


class RandomDice:
    """Dice from a seeded generator; remembers the faces."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.faces: list[int] = []

    def roll(self, ask: Ask) -> Throw:
        faces = tuple(self.random.randint(1, sides) for sides in ask.dice)
        self.faces += faces
        return Throw(ask.read(faces), faces)


class Sixes:
    """Dice that show their highest face: everyone is spotted who can be."""

    def roll(self, ask: Ask) -> Throw:
        return Throw(ask.read(ask.dice), ask.dice)


def entrant(id_, side, hex_, facing, **changes) -> Entrant:
    given = {"aeroplane": D_VII, "altitude_feet": 6000, "speed_mp": 4, **changes}
    return Entrant(id=id_, side=Side(side), hex=hex_, facing=facing, **given)


def head_on(apart=9, **changes) -> tuple[Entrant, ...]:
    """Two aircraft nose to nose, slow enough to bear on each other for half of their moves."""
    return (
        entrant("a", "first", "1013", EAST, **changes),
        entrant("b", "second", f"{10 + apart}13", WEST, **changes),
    )


class Table:
    """A game at a table."""

    def __init__(self, aircraft=None, *, setup=None, **settings):
        self.book = BOOK.with_settings(settings)
        setup = setup or Setup()
        if aircraft is not None:
            setup = replace(setup, aircraft=tuple(aircraft))
        self.board: Board = RULESET.open_board(setup, self.book)
        self.events: list[Change] = []
        self.told: tuple[Change, ...] = ()
        self.ruling: Any = None

    # ---- Orders

    def give(self, seat, order, dice):
        verb = VERBS[type(order)]
        facts = RULESET.survey(self.board, str(seat), verb, order, self.book)
        ruling = RULESET.procedure(verb).rule(facts, self.book, dice)
        if isinstance(dice, DealtDice):
            dice.close()
        applied = RULESET.apply(self.board, verb, order, ruling, self.book)
        self.board, self.ruling, self.told = applied.board, ruling, applied.events
        self.events += applied.events
        return ruling.outcome.procedure

    def search(self, seat="first", *, dice=None):
        return self.give(seat, SpotOrder(Search()), dice or Sixes())

    def check(self, seat, shooter, target, mount=Mount.FRONT):
        return self.give(seat, SpotOrder(Check(shooter, target, mount)), DealtDice(()))

    def plot(self, seat, *faces, **codes):
        """Plots by id: `a="4"` at the speed of the last turn, or `a=(5, "5")`."""
        plots = tuple(self._plot(id_, wanted) for id_, wanted in codes.items())
        return self.give(seat, MoveOrder(Plots(plots)), DealtDice(faces))

    def _plot(self, id_, wanted) -> Plot:
        if isinstance(wanted, str):
            wanted = (self.aircraft(id_).speed_mp, wanted)
        return Plot(id_, *wanted)

    def fly(self, *faces, seat="first"):
        return self.give(seat, MoveOrder(Fly()), DealtDice(faces))

    def shoot(self, shooter, target, *faces, mount=Mount.FRONT, long_burst=False):
        seat = self.craft(shooter).side
        order = Shoot(shooter, target, mount, long_burst)
        return self.give(seat, FireOrder(order), DealtDice(faces))

    def change_drum(self, aircraft, weapon):
        seat = self.craft(aircraft).side
        return self.give(seat, FireOrder(ChangeDrum(aircraft, weapon)), DealtDice(()))

    def hold(self, *seats):
        for seat in seats:
            self.give(seat, FireOrder(HoldFire()), DealtDice(()))

    def end_turn(self, *faces):
        return self.give("first", DamageOrder(EndTurn()), DealtDice(faces))

    # ---- The board

    def craft(self, id_):
        return self.board.craft_of(id_)

    def aircraft(self, id_):
        return self.craft(id_).aircraft

    def change(self, id_, *, craft=None, condition=None, **aircraft):
        """Put something about an aircraft on the board by hand."""
        old = self.craft(id_)
        if condition:
            aircraft["condition"] = replace(old.aircraft.condition, **condition)
        new = replace(old, aircraft=replace(old.aircraft, **aircraft), **(craft or {}))
        crafts = tuple(new if one is old else one for one in self.board.craft)
        self.board = fold(replace(self.board, craft=crafts), (), self.book)

    def phases(self):
        """The phases that the last order led through."""
        return [event.phase for event in self.told if isinstance(event, PhaseChanged)]

    def until_fire(self, **codes):
        """Everyone sees everyone, and flies straight ahead unless it is said otherwise."""
        self.search()
        for side in Side:
            mine = {
                craft.aircraft.id: codes.get(craft.aircraft.id, str(craft.aircraft.speed_mp))
                for craft in self.board.flying
                if craft.side == side and not craft.aircraft.condition.pilot_killed
            }
            if mine:
                self.plot(side, **mine)
        self.fly()
        return self


# ---- Usual games


FIRST, SECOND = Side.FIRST, Side.SECOND
AT_ONCE = {"gunfire_structure": "at-once"}
BREAKS_UP = (3, 1, 6)
"""At range 1, twin belt: four hits; 1 is critical; 3 and 1 are the structure; 6 breaks it up."""
ALTERNATE = Setup(turn_order=TurnOrder.ALTERNATE)


CLOSE = BOOK.aircraft[D_VII]

TRIO = (
    entrant("a", "first", "1013", EAST),
    entrant("c", "first", "1013", EAST, altitude_feet=6200),
    entrant("b", "second", "1913", WEST),
)
PAIR = (
    entrant("a", "first", "1010", EAST),
    entrant("b", "first", "1014", EAST),
    entrant("c", "second", "3010", WEST),
)


def facing_off(**settings):
    return Table(head_on(), **settings).until_fire()


def legal(table, seat):
    return RULESET.legal_orders(table.board, seat, table.book)


def view(table, seat=None):
    return RULESET.view_for(table.board, seat, table.book)


def looks(table):
    facts = RULESET.survey(table.board, "first", Verb.SPOT, SpotOrder(Search()), table.book)
    assert isinstance(facts.procedure, Looking)
    return facts.procedure.looks


# ---- Whole games


class Game(Table):
    """A game that is played out by a policy, and checked at every step."""

    def __init__(self, random, setup, policy, **settings):
        super().__init__(setup=setup, **settings)
        self.random, self.policy = random, policy
        self.orders: list[tuple[str, Any, tuple[int, ...]]] = []
        self.seen: set[str] = set()

    def play(self, most=4000):
        while self.board.active:
            seat = self.random.choice(self.board.active)
            self.act(seat, self.policy(self, seat))
            assert len(self.orders) < most, "the game does not end"
        return self

    def legal(self, seat, most=120) -> list[LegalOrder]:
        return list(islice(self.every(seat), most))

    def every(self, seat) -> Iterator[LegalOrder]:
        return RULESET.legal_orders(self.board, seat, self.book)

    def act(self, seat, order):
        before, dice = self.board, RandomDice(self.random)
        self.give(seat, order, dice)
        self.orders.append((str(seat), order, tuple(dice.faces)))
        self.seen.add(type(order.procedure).__name__)
        self.checked(before)

    def checked(self, before):
        """What must hold after every order, whatever it is about."""
        book, board = self.book, self.board
        assert audit(self.ruling.trace, book.tables) == []
        assert all(line.rule_id in book.index for line in self.ruling.trace)
        assert all(event.rule_id in book.index for event in self.told)
        assert all(
            line.name in book.setting_specs
            for line in self.ruling.trace
            if isinstance(line, SettingLine)
        )
        folded = fold(before, self.told, book)
        assert fold(replace(folded, pending=board.pending), (), book) == board
        for event in self.told:
            assert restore_member(Change, union_to_plain(event)) == event
            assert from_plain(type(event), to_plain(event)) == event
        assert from_plain(Board, to_plain(board)) == board
        view = RULESET.view_for(board, None, book)
        assert from_plain(View, to_plain(view)) == view
        assert bool(board.active) == (RULESET.result(board) is None)
        assert (board.phase == Phase.FINISHED) == (not board.active)
        assert board.turn <= board.turns


def at_random(game, seat):
    return game.random.choice(game.legal(seat)).order


def hunter(game, seat):
    """Fires whatever bears, and else flies nearest to where the enemy will be."""
    orders = game.legal(seat, 60)
    if game.board.phase not in (Phase.PLOT, Phase.MOVE):
        return orders[0].order
    return min(orders, key=lambda order: _apart(game, seat, order.order)).order


def _apart(game, seat, order):
    """Hexes and heights between plots and the enemy one move ahead, all told."""
    plots = order.procedure.plots
    if not plots:
        return 0
    facts = RULESET.survey(game.board, seat, Verb.MOVE, order, game.book)
    flights = facts.procedure.flights
    apart = 0
    for flight in flights:
        if flight.plot is None:
            continue
        led = _led(flight, game)
        apart += min(
            led[0].distance(_ahead(craft, game)) * 200 + abs(led[1] - craft.aircraft.altitude_feet)
            for craft in game.board.flying
            if craft.side != seat
        )
    return apart


def _led(flight, game):
    aeroplane = figures_of(flight.aircraft, game.board, game.book)
    last = flight_of(flight.aircraft, aeroplane, flight.plot, game.book).last
    return hex_at(last.hex, game.book, "", anywhere=True), last.altitude_feet


def _ahead(craft, game):
    at = hex_at(craft.aircraft.hex, game.book, "")
    return at.step(craft.aircraft.facing, craft.aircraft.speed_mp)
