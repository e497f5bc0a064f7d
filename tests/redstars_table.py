"""A game of Rising Suns and Red Stars at a table, for tests: give orders and faces, look at it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import replace
from importlib import resources
from itertools import islice
from random import Random
from typing import Any

from guncamera.rules.dealt import DealtDice
from guncamera.rules.dice import Ask, Throw
from guncamera.rules.plain import from_plain, restore_member, to_plain, union_to_plain
from guncamera.rules.ruleset import Deed, LegalOrder, Verb
from guncamera.rules.trace import SettingLine, audit
from guncamera.rulesets.redstars.aircraft import Condition, Maneuver, Pilot, Position, TweakSide
from guncamera.rulesets.redstars.board import Board, fold
from guncamera.rulesets.redstars.book import PACKAGE, load_book
from guncamera.rulesets.redstars.damage import rule_on_damage
from guncamera.rulesets.redstars.events import Change, PhaseChanged
from guncamera.rulesets.redstars.facts import Choice, Tweak
from guncamera.rulesets.redstars.fire import rule_on_fire
from guncamera.rulesets.redstars.legal import default_order, legal_orders
from guncamera.rulesets.redstars.move import rule_on_move
from guncamera.rulesets.redstars.orders import (
    Choose,
    Collide,
    DamageOrder,
    DeclareRam,
    EndTurn,
    Entrant,
    FireOrder,
    Fly,
    HandOver,
    HoldFire,
    MoveOrder,
    Phase,
    RollOrder,
    Setup,
    Shoot,
    Side,
    SpotOrder,
    View,
)
from guncamera.rulesets.redstars.secrecy import deed_for, keeps_secrets, view_for
from guncamera.rulesets.redstars.spot import rule_on_spot
from guncamera.rulesets.redstars.survey import survey
from guncamera.rulesets.redstars.turn import active_seats, apply, open_board, result

BOOK = load_book()
RULES = {
    Verb.MOVE: rule_on_move,
    Verb.SPOT: rule_on_spot,
    Verb.FIRE: rule_on_fire,
    Verb.DAMAGE: rule_on_damage,
}
VERBS = {MoveOrder: Verb.MOVE, SpotOrder: Verb.SPOT, FireOrder: Verb.FIRE, DamageOrder: Verb.DAMAGE}
SOVIET, JAPANESE = "soviet", "japanese"
LEFT, RIGHT = TweakSide.LEFT, TweakSide.RIGHT


def _rule_ids() -> frozenset[str]:
    """The ids of every chapter, whether or not they stand in one file already."""
    files = [one for one in resources.files(PACKAGE).iterdir() if one.name.startswith("rules")]
    read = [tomllib.loads(one.read_text("utf-8")) for one in files if one.name.endswith(".toml")]
    return frozenset(rule["id"] for document in read for rule in document.get("rule", ()))


RULE_IDS = _rule_ids()


class RandomDice:
    """Dice from a seeded generator; remembers the faces."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.faces: list[int] = []

    def roll(self, ask: Ask) -> Throw:
        faces = tuple(self.random.randint(1, sides) for sides in ask.dice)
        self.faces += faces
        return Throw(ask.read(faces), faces)


def entrant(id_, side, x, y, heading=0, altitude=6, *, type_="i15", speed=None, rating=0, **pilot):
    """An aircraft at so many inches east and north."""
    at = Position(round(x * 1000), round(y * 1000), heading, altitude)
    return Entrant(id_, Side(side), type_, at, speed, Pilot(rating, **pilot))


def choice(aircraft, maneuver="straight", altitude=None, speed=None, *, take=False) -> Choice:
    return Choice(aircraft, Maneuver(maneuver), altitude, speed, take)


class Table:
    """A board and what has happened on it."""

    def __init__(self, entrants=(), *, setup=None, **settings) -> None:
        self.book = BOOK.with_settings(settings)
        setup = setup or Setup()
        if entrants:
            setup = replace(setup, aircraft=tuple(entrants))
        self.board: Board = open_board(setup, self.book)
        self.events: list[Change] = []
        self.told: tuple[Change, ...] = ()
        self.deeds: list[Deed] = []
        self.ruling: Any = None

    # ---- Orders

    def give(self, seat, order, dice=None):
        """Survey, rule, apply; what came of it."""
        dice = dice or DealtDice(())
        seat = str(seat)
        verb = VERBS[type(order)]
        facts = survey(self.board, seat, verb, order, self.book)
        ruling = RULES[verb](facts, self.book, dice)
        if isinstance(dice, DealtDice):
            dice.close()
        applied = apply(self.board, verb, order, ruling, self.book)
        self.board, self.ruling, self.told = applied.board, ruling, applied.events
        self.events += applied.events
        self.deeds.append(
            Deed(
                seat, verb, order, ruling.outcome, ruling.trace, applied.events, ruling.summary, ()
            )
        )
        return ruling.outcome.procedure

    def choose(self, *choices):
        """Cards for aircraft of one side."""
        seat = self.craft(choices[0].aircraft).side
        return self.give(seat, MoveOrder(Choose(tuple(choices))))

    def choose_rest(self, *choices):
        """The cards given, each in its wave; for everybody else, straight and level."""
        given = {one.aircraft: one for one in choices}
        while self.board.phase == Phase.CHOOSE:
            seat = self.active[0]
            order = default_order(self.board, seat, self.book)
            hand = [given.get(one.aircraft, one) for one in order.procedure.choices]
            self.choose(*hand)
        return self

    def declare(self, seat, rammer="", target=""):
        return self.give(seat, MoveOrder(DeclareRam(rammer, target)))

    def roll_order(self, *faces):
        return self.give(SOVIET, MoveOrder(RollOrder()), DealtDice(faces))

    def fly(self, aircraft, *tweaks, faces=(), trades=0):
        """Tweaks as `(disc, side)`."""
        order = Fly(aircraft, tuple(Tweak(*one) for one in tweaks), trades)
        return self.give(self.craft(aircraft).side, MoveOrder(order), DealtDice(faces))

    def fly_all(self):
        """Everybody moves without a tweak or a die, nobody rams; of equals the lower id first."""
        while self.board.phase in (Phase.RAM, Phase.ORDER, Phase.MOVE):
            match self.board.phase:
                case Phase.RAM:
                    self.declare(self.active[0])
                case Phase.ORDER:
                    self.give(SOVIET, MoveOrder(RollOrder()), Rising())
                case Phase.MOVE:
                    self.fly(self.board.order[0])
        return self

    def collide(self, *faces):
        return self.give(SOVIET, MoveOrder(Collide()), DealtDice(faces))

    def shoot(self, shooter, target, *faces, weapons=(0,)):
        order = FireOrder(Shoot(shooter, target, weapons))
        return self.give(self.craft(shooter).side, order, DealtDice(faces))

    def hold(self, aircraft):
        return self.give(self.craft(aircraft).side, FireOrder(HoldFire(aircraft)))

    def hold_all(self):
        while self.board.phase in (Phase.ORDER, Phase.FIRE):
            if self.board.phase == Phase.ORDER:
                self.give(SOVIET, MoveOrder(RollOrder()), Rising())
            else:
                self.hold(self.board.order[0])
        return self

    def hand_over(self, aircraft, seat=None):
        seat = seat or self.craft(aircraft).side
        return self.give(seat, DamageOrder(HandOver(aircraft)))

    def end_turn(self, *faces, seat=SOVIET):
        return self.give(seat, DamageOrder(EndTurn()), DealtDice(faces))

    def turn(self, *choices):
        """A turn in which nobody meets or fires."""
        self.choose_rest(*choices).fly_all().hold_all()
        self.end_turn()
        return self

    # ---- The board

    @property
    def active(self):
        return active_seats(self.board)

    @property
    def result(self):
        return result(self.board)

    def craft(self, id_):
        return self.board.craft_of(id_)

    def aircraft(self, id_):
        return self.craft(id_).aircraft

    def at(self, id_):
        """Position and heading, in mils and degrees."""
        where = self.aircraft(id_).position
        return where.x_mils, where.y_mils, where.heading_degrees

    def change(self, id_, *, condition=None, **aircraft):
        """Put something about an aircraft on the board by hand."""
        old = self.craft(id_)
        if condition:
            old_condition = old.aircraft.condition or Condition()
            aircraft["condition"] = replace(old_condition, **condition)
        new = replace(old, aircraft=replace(old.aircraft, **aircraft))
        crafts = tuple(new if one is old else one for one in self.board.craft)
        self.board = replace(self.board, craft=crafts)

    def phases(self):
        """The phases that the last order led through."""
        return [event.phase for event in self.told if isinstance(event, PhaseChanged)]

    def of(self, kind):
        """Everything of one kind that has happened."""
        return [event for event in self.events if isinstance(event, kind)]

    def legal(self, seat, most=400) -> list[LegalOrder]:
        return list(islice(legal_orders(self.board, str(seat), self.book), most))

    def view(self, seat=None) -> View:
        return view_for(self.board, seat, self.book)

    def seen(self, seat=None):
        """Everything that a seat, or a spectator, can know of the game."""
        deeds = [deed_for(deed, self.board, seat) for deed in self.deeds]
        return (self.view(seat), deeds, self.active, keeps_secrets(self.board, seat))


class Rising:
    """Tied dice that rise from one to six, so that nothing ties."""

    def roll(self, ask: Ask) -> Throw:
        faces = tuple(range(1, len(ask.dice) + 1))
        return Throw(ask.read(faces), faces)


# ---- Usual games


BEHIND = (
    entrant("t", JAPANESE, 70, 60, type_="a5m2", speed=3),
    entrant("c", SOVIET, 70, 50, type_="i153", speed=4, rating=2),
)
"""A chaser two discs astern of his target."""
HEAD_ON = (
    entrant("a", SOVIET, 70, 50, speed=1, rating=1),
    entrant("b", JAPANESE, 70, 65, 180, speed=1),
)
"""They end five inches apart, nose to nose."""
APART = (
    entrant("a", SOVIET, 20, 20, 0, rating=1),
    entrant("b", JAPANESE, 120, 120, 180),
)

FAR = entrant("far", JAPANESE, 120, 120, 180, rating=1)


# ---- Whole games


class Game(Table):
    """A game that is played out by a policy, and checked at every step."""

    def __init__(self, random, setup, policy, **settings):
        super().__init__(setup=setup, **settings)
        self.random, self.policy = random, policy
        self.orders: list[tuple[str, Any, tuple[int, ...]]] = []
        self.kinds: set[str] = set()

    def play(self, most=5000):
        while self.active:
            seat = self.random.choice(self.active)
            before, dice = self.board, RandomDice(self.random)
            order = self.policy(self, seat)
            self.give(seat, order, dice)
            self.orders.append((seat, order, tuple(dice.faces)))
            self.kinds.add(type(order.procedure).__name__)
            self.checked(before)
            assert len(self.orders) < most, "the game does not end"
        return self

    def every(self, seat) -> Iterator[LegalOrder]:
        return legal_orders(self.board, seat, self.book)

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
        for seat in (None, SOVIET, JAPANESE):
            view = self.view(seat)
            assert from_plain(View, to_plain(view)) == view
        assert bool(self.active) == (self.result is None)
        assert (board.phase == Phase.FINISHED) == (not self.active)
        assert board.turn <= board.turns
        if before.phase == Phase.CHOOSE and board.phase == Phase.CHOOSE:
            chosen = set(board.choosing) & {card.aircraft for card in board.cards}
            assert not chosen, "nobody chooses twice"


def at_random(game, seat):
    return game.random.choice(list(islice(game.every(seat), 150))).order


def bold(game, seat):
    """Rams, fires and swaps the controls wherever that is offered, and flies at random else."""
    orders = [one.order for one in islice(game.every(seat), 150)]
    match game.board.phase:
        case Phase.RAM | Phase.END | Phase.MOVE:
            handing = [one for one in orders if isinstance(one.procedure, HandOver)]
            return (handing or orders[-1:])[0]
        case Phase.FIRE:
            return orders[0]
    return game.random.choice(orders)


def timid(game, seat):
    """Straight and level, and what is offered first."""
    return next(game.every(seat)).order
