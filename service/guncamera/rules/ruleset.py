"""What a rule set must offer, and how rule sets are found.

A rule set is a folder under `guncamera.rulesets` that exports `RULESET`. There is no list to
edit. The service, the case runner, the conformance suite and the command line know rule sets
only through this module.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from typing import Any, Protocol

from guncamera.rules.book import AnyBook
from guncamera.rules.dice import Dice, Roll
from guncamera.rules.refusal import RulesetUnknown, VerbNotInRuleset, Violation
from guncamera.rules.ruling import Ruling
from guncamera.rules.straight_line import quick
from guncamera.rules.trace import TraceLine


class Verb(StrEnum):
    """The five verbs of the API."""

    MOVE = "move"
    WIND = "wind"
    SPOT = "spot"
    FIRE = "fire"
    DAMAGE = "damage"


@quick
@dataclass(frozen=True, slots=True)
class Seat:
    """A place with the right to act, and the side it wins with."""

    id: str
    side: str
    title: str


@dataclass(frozen=True, slots=True)
class Procedure:
    """One verb as a rule set rules on it.

    Attributes:
        facts: The dataclass a stateless call brings.
        outcome: The dataclass at the heart of the ruling.
        order: The dataclass a seat sends in a session.
        rule: `(facts, book, dice) -> Ruling[outcome]`, the one rule body of play, supplied
            dice, replay and odds.
    """

    verb: Verb
    facts: type
    outcome: type
    order: type
    rule: Callable[[Any, AnyBook, Dice], Ruling[Any]]


@dataclass(frozen=True, slots=True)
class LegalOrder:
    """An order a seat may give now, and one line that says what it does."""

    verb: Verb
    order: Any
    summary: str


@dataclass(frozen=True, slots=True)
class NextCode:
    """A code that may follow in an order that is begun.

    Attributes:
        code: As it is written, after a space.
        summary: What it does, in one line.
        points: What it spends, in the rule set's points.
        points_left: What is to be spent after it.
        may_end: What is written with it is whole.
    """

    code: str
    summary: str
    points: int
    points_left: int
    may_end: bool


@dataclass(frozen=True, slots=True)
class Begun:
    """What became of an order that is begun.

    Attributes:
        so_far: What was read, in the rule set's spelling.
        points_left: What is to be spent yet.
        next: The codes that may follow, in a fixed order.
        order: The order, if what is written is whole; None if it is not.
    """

    so_far: str
    points_left: int
    next: tuple[NextCode, ...]
    order: LegalOrder | None = None


class OrderSpace(Protocol):
    """The orders of one seat where they are too many to list."""

    @property
    def size(self) -> int:
        """How many there are, in the set that the rule set documents."""

    def nth(self, number: int) -> LegalOrder:
        """One of them, each number from 0 to the size less one another one."""

    def begun(self, text: str) -> Begun:
        """What may follow an order that is begun, in the notation that the rule set documents.

        Raises:
            Refusal: No legal order begins so. It names the field `so_far` and the place in it.
        """


@quick
@dataclass(frozen=True, slots=True)
class Applied:
    """A board after a ruling, and everything that changed, in order."""

    board: Any
    events: tuple[Any, ...]


@quick
@dataclass(frozen=True, slots=True)
class Deed:
    """What an action tells of the game: an order of a seat, and the ruling on it.

    Attributes:
        order, outcome: None where they are hidden.
    """

    seat: str
    verb: Verb
    order: Any | None
    outcome: Any | None
    trace: tuple[TraceLine, ...]
    events: tuple[Any, ...]
    summary: str
    rolls: tuple[Roll, ...]


Pilot = Callable[[Any, str, AnyBook, int], LegalOrder]
"""A stock pilot: `(view, seat, book, nth)` to an order of that seat, which sees so and may act.

It is pure, so that equal games are flown alike.
"""


def _openly(_board: Any) -> Verb | None:
    return None


def _listed(_board: Any, _seat: str, _book: AnyBook) -> OrderSpace | None:
    return None


def _all_of_it(deed: Deed, _board: Any, _seat: str | None) -> Deed:
    return deed


def _nothing(_board: Any, _seat: str | None) -> bool:
    return False


def _holds_together(_profile: Any, _book: AnyBook, _path: str) -> Iterable[Violation]:
    return ()


def _whole_setup(setup: Any, _board: Any, _seat: str | None) -> Any:
    return setup


def _in_order_of_seats(_board: Any, seats: tuple[str, ...], _book: AnyBook) -> tuple[str, ...]:
    return seats


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One published game as we implement it.

    Attributes:
        slug: One lower-case word, spelt alike in URLs, Python and proto.
        prefix: The letters of its rule ids.
        book: The shipped rules, tables, default settings and aircraft.
        setup: Dataclass of what a session may choose at creation.
        board: Dataclass of the state of one game.
        view: Dataclass of what one seat may see of it.
        event: The union of its events.
        procedures: The verbs it has; a verb it lacks is refused.
        open_board: `(setup, book) -> board`.
        seats: `(setup, book) -> seats`.
        active_seats: `board -> ids` of the seats that may act now; empty when it is over.
        survey: `(board, seat, verb, order, book) -> facts`: geometry and look-ups, no dice.
        apply: `(board, verb, order, ruling, book) -> Applied`: bookkeeping, no decisions.
        view_for: `(board, seat or None, book) -> view`; None is a spectator.
        deed_for: `(deed, board, seat or None)` to the deed as that seat may see it now, by the
            board of now; None is a spectator. By default nothing of a deed is hidden. Once the
            game is over it is not asked: then everything lies open.
        setup_for: `(setup, board, seat or None)` to the set-up as that seat may see it now; asked
            like `deed_for`.
        keeps_secrets: `(board, seat or None) ->` whether a film would show that seat anything that
            is hidden from it now. Where secrets last as long as the game, the set-up offers a
            seat that sees everything, `referee: bool`.
        legal_orders: `(board, seat, book)` to orders in a fixed order, made lazily.
        order_space: `(board, seat, book)` to all orders of a seat where `legal_orders` lists a
            selection of them; None where it lists them all.
        orders_near: `(board, seat, order, book)` to legal orders made lazily, those first that are
            like an order which was refused; what they are made of is known to the seat. None where
            the first few hundred of `legal_orders` do.
        picture: `(view, book) -> SVG`.
        result: `board ->` one sentence once the game is over, else None.
        pilots: Stock pilots by name.
        published: Rows of published figures beside ours; see `Figure`.
        sealed_verb: `board ->` the verb whose orders are sealed now, one from each active seat,
            until all are in; None where orders are given openly. Under a seal a rule asks for no
            dice: it checks the order and costs it, and what needs dice is carried out by an
            ordinary action afterwards. Whether an order is legal depends on nothing that
            another seat seals in the same phase, for all are ruled on whatever they are.
        reveal_order: `(board, seats, book)` to the same seats in the order in which their
            orders are ruled on once all are in. It sees no order, and never who came first.
        default_order: `(board, seat, book)` to the order of a seat that has sealed none when
            the deadline is over; None where the rules state no such order.
        type_faults: `(aircraft, book, path)` to what of a type's figures does not hold together,
            beyond the limits of each; a type of a variant is held to it.
        tell: `(deed, view before it, view after it, book)` to lines that tell a player of it,
            where nobody's view hides anything; the deed is None at the beginning of a game. None
            where the summaries of actions tell enough.
        codes: The codes that a text in orders is written in, and what each does, by where it
            stands: `Plot.path`.
    """

    slug: str
    title: str
    prefix: str
    book: AnyBook
    setup: type
    board: type
    view: type
    event: Any
    procedures: Mapping[Verb, Procedure]
    open_board: Callable[[Any, AnyBook], Any]
    seats: Callable[[Any, AnyBook], tuple[Seat, ...]]
    active_seats: Callable[[Any], tuple[str, ...]]
    survey: Callable[[Any, str, Verb, Any, AnyBook], Any]
    apply: Callable[[Any, Verb, Any, Ruling[Any], AnyBook], Applied]
    view_for: Callable[[Any, str | None, AnyBook], Any]
    legal_orders: Callable[[Any, str, AnyBook], Iterator[LegalOrder]]
    picture: Callable[[Any, AnyBook], str]
    result: Callable[[Any], str | None]
    pilots: Mapping[str, Pilot]
    published: Callable[[AnyBook], Iterable[Figure]]
    sealed_verb: Callable[[Any], Verb | None] = _openly
    reveal_order: Callable[[Any, tuple[str, ...], AnyBook], tuple[str, ...]] = _in_order_of_seats
    default_order: Callable[[Any, str, AnyBook], Any] | None = None
    order_space: Callable[[Any, str, AnyBook], OrderSpace | None] = _listed
    orders_near: Callable[[Any, str, Any, AnyBook], Iterator[LegalOrder]] | None = None
    deed_for: Callable[[Deed, Any, str | None], Deed] = _all_of_it
    setup_for: Callable[[Any, Any, str | None], Any] = _whole_setup
    keeps_secrets: Callable[[Any, str | None], bool] = _nothing
    type_faults: Callable[[Any, AnyBook, str], Iterable[Violation]] = _holds_together
    tell: Callable[[Deed | None, Any, Any, AnyBook], tuple[str, ...]] | None = None
    codes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def procedure(self, verb: Verb) -> Procedure:
        """The procedure of a verb.

        Raises:
            VerbNotInRuleset: The rule set has no such verb.
        """
        try:
            return self.procedures[verb]
        except KeyError:
            raise VerbNotInRuleset(
                f"{self.title} has no {verb}; it has {', '.join(self.procedures)}.",
                verb=verb.value,
                ruleset=self.slug,
            ) from None


@dataclass(frozen=True, slots=True)
class Figure:
    """One published figure beside ours.

    Attributes:
        table: The published table it stands in.
        cell: Where in that table.
        published, ours: As printed; `difference` is empty where they are not numbers.
        agrees: None where the source calls its figure an estimate: shown, not judged.
        method: exact, or the seed and size of a simulation.
    """

    table: str
    cell: str
    published: str
    ours: str
    difference: str
    tolerance: str
    agrees: bool | None
    method: str


@cache
def rulesets() -> Mapping[str, Ruleset]:
    """Every rule set found, by slug, in alphabetical order."""
    package = importlib.import_module("guncamera.rulesets")
    found = {}
    for module in sorted(pkgutil.iter_modules(package.__path__), key=lambda m: m.name):
        exported = importlib.import_module(f"guncamera.rulesets.{module.name}")
        found[exported.RULESET.slug] = exported.RULESET
    return found


def ruleset(slug: str) -> Ruleset:
    """The rule set with a slug.

    Raises:
        RulesetUnknown: There is none.
    """
    try:
        return rulesets()[slug]
    except KeyError:
        raise RulesetUnknown(
            f"There is no rule set {slug!r}; there are {', '.join(rulesets())}.",
            field="ruleset",
            ruleset=slug[:63],
        ) from None
