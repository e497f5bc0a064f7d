"""Twin games: two that differ only in an order that one seat hides, and how to find them.

An order is hidden if another could stand in its place and nobody else's board, nor whose turn it
is, would change: so a twin is found without a word from the rule set. Both games then go on with
the same orders for as long as that holds. What others are told of the two - every answer, error,
list, stream, picture, log line and count - must be equal byte for byte (see `secrecy`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, fields, replace
from itertools import islice, zip_longest
from random import Random
from typing import Any

from games import example_setup
from guncamera.rules.refusal import Refusal
from guncamera.rules.ruleset import Deed, LegalOrder, Ruleset
from guncamera.sessions.entropy import SeededDice, commitment_of, seed_from
from guncamera.sessions.shelf import Shelf
from guncamera.v1 import session_service_pb2 as pb
from orders import who
from secrecy import (
    SEED,
    SESSION,
    Heard,
    Start,
    Table,
    ask_to_undo,
    list_actions,
    look_at,
    open_game,
    table,
    without_times,
)
from wire_play import request_for

GAMES = 12
MOST_STEPS = 90
INSTEAD = 24
"""Orders that are tried in the place of one."""
NEXT = 8
"""Orders that are tried to go on with."""
OCCASIONS = 6
"""Of so many orders of a kind, each game looks at another one."""
ENOUGH, LONGEST = 8, 24
"""Steps for which twins are followed: the more where nothing has rested on the secret yet."""
PAIRS = 3
"""Twins that are followed for one order."""
LOOKED_AT = 300


@dataclass(frozen=True)
class Step:
    """An order of a seat."""

    seat: str
    order: LegalOrder

    @property
    def kind(self) -> str:
        """What sort of order it is: the name of its dataclass."""
        order = self.order.order
        return type(getattr(order, "procedure", order)).__name__


@dataclass(frozen=True)
class Twins:
    """Two games, as orders.

    Attributes:
        before: Given in both.
        secrets: The hidden order of the one game, and of the other.
        after: Given in both; nobody else sees a difference.
        touched: Kinds of order among them that others see, ruled on by what they may not see.
    """

    start: Start
    before: tuple[Step, ...]
    secrets: tuple[Step, Step]
    after: tuple[Step, ...]
    touched: frozenset[str]

    @property
    def holder(self) -> str:
        """The seat that hides something."""
        return self.secrets[0].seat

    @property
    def worth(self) -> tuple[int, int]:
        """Which of several twins tests most."""
        return len(self.touched), min(len(self.after), ENOUGH)


def keeps_secrets(found: Ruleset) -> bool:
    """Whether a rule set hides anything without a seal."""
    default = next(one.default for one in fields(Ruleset) if one.name == "keeps_secrets")
    return found.keeps_secrets is not default


# ---- Finding twins, without a service


@dataclass(frozen=True)
class Ruled:
    """A board after an order, and the facts it was ruled on."""

    board: Any
    facts: Any
    deed: Deed


class Search:
    """Random games of a rule set, and twins of them."""

    def __init__(self, found: Ruleset, start: Start, number: int) -> None:
        self.found = replace(found, book=found.book.with_settings(start.settings))
        self.start, self.random = start, Random(f"hidden {number}")
        self.occasion = number % OCCASIONS
        self.seed = seed_from(SEED)
        sides = self.found.seats(start.setup, self.found.book)
        self.sides = tuple(seat.id for seat in sides if seat.side)

    def rule(self, board: Any, step: Step, revision: int) -> Ruled | None:
        """Rule as the service will, with the dice that will fall; None if it is refused."""
        found, order = self.found, step.order
        dice = SeededDice(self.seed, commitment_of(self.seed), revision)
        try:
            facts = found.survey(board, step.seat, order.verb, order.order, found.book)
            ruling = found.procedure(order.verb).rule(facts, found.book, dice)
        except Refusal:
            return None
        applied = found.apply(board, order.verb, order.order, ruling, found.book)
        deed = Deed(
            step.seat,
            order.verb,
            order.order,
            ruling.outcome,
            ruling.trace,
            applied.events,
            ruling.summary,
            tuple(dice.rolls),
        )
        return Ruled(applied.board, facts, deed)

    def seen(self, board: Any, holder: str) -> tuple[Any, ...]:
        """What everybody but one seat can see of a board. A seat without a side may see all."""
        found = self.found
        eyes = [seat for seat in (*self.sides, None) if seat != holder]
        views = [found.view_for(board, seat, found.book) for seat in eyes]
        return (*views, found.active_seats(board), found.result(board))

    def rests(self, first: Ruled, second: Ruled) -> bool:
        """Whether an order that a spectator is told was ruled on by what he may not know."""
        told = self.found.deed_for(first.deed, first.board, None)
        return first.facts != second.facts and told.order is not None

    def open_to(self, board: Any, seat: str) -> list[Step]:
        """Orders of a seat in an order of chance, its kinds of order in turn."""
        orders = list(islice(self.found.legal_orders(board, seat, self.found.book), LOOKED_AT))
        self.random.shuffle(orders)
        kinds: dict[str, list[Step]] = {}
        for order in orders:
            step = Step(seat, order)
            kinds.setdefault(step.kind, []).append(step)
        rows = zip_longest(*self.random.sample(list(kinds.values()), len(kinds)))
        return [step for row in rows for step in row if step is not None]

    def twins(self) -> Iterator[Twins]:
        """Twins of one random game, wherever one of its orders is hidden."""
        board = self.found.open_board(self.start.setup, self.found.book)
        before: tuple[Step, ...] = ()
        occasions: Counter[str] = Counter()
        for revision in range(1, MOST_STEPS):
            seats = self.found.active_seats(board)
            if not seats:
                return
            step, *others = self.open_to(board, self.random.choice(seats))
            ruled = self.rule(board, step, revision)
            if ruled is None:
                return
            if self.found.keeps_secrets(board, None) and occasions[step.kind] == self.occasion:
                yield from self._twins_of(board, before, step, others)
            occasions[step.kind] += 1
            board, before = ruled.board, (*before, step)

    def _twins_of(
        self, board: Any, before: tuple[Step, ...], step: Step, others: list[Step]
    ) -> Iterator[Twins]:
        revision = len(before) + 1
        one = self.rule(board, step, revision)
        alike = [other for other in others if other.kind == step.kind][:INSTEAD]
        pairs = 0
        for other in alike:
            two = self.rule(board, other, revision)
            if one is None or two is None or one.board == two.board:
                continue
            if self.seen(one.board, step.seat) == self.seen(two.board, step.seat):
                yield self._followed(before, (step, other), one.board, two.board)
                pairs += 1
            if pairs == PAIRS:
                return

    def _followed(
        self, before: tuple[Step, ...], secrets: tuple[Step, Step], one: Any, two: Any
    ) -> Twins:
        """Twins as far as they go on alike."""
        holder, after, touched = secrets[0].seat, [], set()
        while len(after) < (ENOUGH if touched else LONGEST) and self.found.active_seats(one):
            found = self._next(one, two, holder, len(before) + len(after) + 2)
            if found is None:
                break
            step, first, second = found
            if self.seen(first.board, holder) != self.seen(second.board, holder):
                break
            if self.rests(first, second):
                touched.add(step.kind)
            after.append(step)
            one, two = first.board, second.board
        return Twins(self.start, before, secrets, tuple(after), frozenset(touched))

    def _next(
        self, one: Any, two: Any, holder: str, revision: int
    ) -> tuple[Step, Ruled, Ruled] | None:
        """An order for both games: one that rests on what is hidden, and shows nothing, if it can.

        None where the holder has no order that is legal in both.

        Raises:
            AssertionError: An order of another seat is legal in one of the games alone, which
                tells that seat what it may not know.
        """
        seat = self.random.choice(self.found.active_seats(one))
        found: list[tuple[int, Step, Ruled, Ruled]] = []
        for step in self.open_to(one, seat)[:NEXT]:
            first, second = self.rule(one, step, revision), self.rule(two, step, revision)
            if first is None or second is None:
                tells_nothing = first is second or seat == holder
                assert tells_nothing, f"what {holder} hides makes {step.order} illegal"
                continue
            alike = self.seen(first.board, holder) == self.seen(second.board, holder)
            if alike and self.rests(first, second):
                return step, first, second
            promising = alike and self._leads_on(first.board, second.board, revision + 1)
            found.append((alike + promising, step, first, second))
        return max(found, key=lambda each: each[0])[1:] if found else None

    def _leads_on(self, one: Any, two: Any, revision: int) -> bool:
        """Whether the next order, as it is listed first, will rest on what is hidden."""
        for seat in self.found.active_seats(one)[:1]:
            for order in islice(self.found.legal_orders(one, seat, self.found.book), 1):
                step = Step(seat, order)
                first, second = self.rule(one, step, revision), self.rule(two, step, revision)
                return bool(first and second and self.rests(first, second))
        return False


def hiding_starts(found: Ruleset) -> Iterator[Start]:
    """The example setup, and the same with what it may have besides."""
    setup = example_setup(found)
    yield Start(setup, {})
    for one in fields(found.setup):
        if one.default is False:
            yield Start(replace(setup, **{one.name: True}), {})


def best_twins(found: Ruleset) -> dict[str, Twins]:
    """For each kind of order that can be hidden, the twins that test most."""
    best: dict[str, Twins] = {}
    starts = list(hiding_starts(found))
    for number in range(GAMES):
        for twins in Search(found, starts[number % len(starts)], number).twins():
            kind = twins.secrets[0].kind
            if kind not in best or twins.worth > best[kind].worth:
                best[kind] = twins
    return best


# ---- Playing one of the two, with everybody else looking on


@dataclass(frozen=True)
class Told:
    """What everyone but the holder was told of one game.

    Attributes:
        heard: Every answer and every message of a stream.
        log: The request log of the same time.
        metrics: How often each call was answered how.
        own: The game as the holder itself sees it, before all agree to take it back.
    """

    heard: list[Heard]
    log: list[dict[str, Any]]
    metrics: list[str]
    own: list[Heard]


def play_twin(shelf: Shelf, found: Ruleset, twins: Twins, which: int) -> Told:
    """Play one of two twins, 0 or 1; its shelf must be empty."""
    with table(shelf) as at, ExitStack() as stack:
        session = open_game(at, found, twins.start, seal_seconds=0)
        for step in twins.before:
            session = _given(at, found, session, step)
        at.log.truncate(0)
        at.log.seek(0)
        for seat in (one.id for one in session.seats):
            claimed = at.endpoints.ClaimSeat(pb.ClaimSeatRequest(name=SESSION, seat=seat), who())
            at.tokens[seat] = claimed.token
        sides = [one.id for one in session.seats if one.side and one.id != twins.holder]
        watches = [stack.enter_context(at.watch(seat)) for seat in (*sides, None)]
        # Where nothing was played yet, a watch begins with a heartbeat, if it is there in time.
        look_at(watches * (session.revision or 1))
        for step in (twins.secrets[which], *twins.after):
            session = _told(at, found, session, step, twins.holder)
            look_at(watches)
            for seat in (*sides, None):
                _ask(at, found, session, twins, seat)
        heard, at.heard = at.heard, []
        at.tell("GetSession", pb.GetSessionRequest(name=SESSION), twins.holder)
        at.tell("ListActions", list_actions(), twins.holder)
        own, at.heard = at.heard, heard
        if session.state != pb.SESSION_STATE_FINISHED:
            _take_back(at, session, twins, watches)
            for seat in (*sides, None):
                _ask(at, found, _session(at), twins, seat)
        at.settle()
        return Told(at.heard, without_times(at.logged()), at.metrics(), own)


def _session(at: Table) -> pb.Session:
    return at.endpoints.GetSession(pb.GetSessionRequest(name=SESSION), who())


def _given(at: Table, found: Ruleset, session: pb.Session, step: Step) -> pb.Session:
    """An order while no seat is claimed."""
    call, request = request_for(session, found.slug, step.order, step.seat)
    getattr(at.endpoints, call)(request, who())
    return _session(at)


def _told(at: Table, found: Ruleset, session: pb.Session, step: Step, holder: str) -> pb.Session:
    """An order over the wire; over the second transport it is the same one again.

    What the holder is told of its own order is forgotten: it may be told everything.
    """
    call, request = request_for(
        session, found.slug, step.order, step.seat, request_id=f"order-{session.revision + 1:04}"
    )
    heard = len(at.heard)
    at.tell(call, request, step.seat)
    if step.seat == holder:
        del at.heard[heard:]
    after = _session(at)
    assert after.revision == session.revision + 1, f"{step.order} was refused: {at.heard[-1:]}"
    return after


def _take_back(
    at: Table, session: pb.Session, twins: Twins, watches: list[Callable[[], None]]
) -> None:
    """Everyone agrees to take back what was hidden. It must stay as hidden as it was."""
    for seat in (one.id for one in session.seats):
        heard = len(at.heard)
        request = pb.UndoRequest(
            name=SESSION,
            seat=seat,
            to_revision=len(twins.before),
            by_agreement=True,
            request_id=f"undo-by-{seat}",
        )
        at.tell("Undo", request, seat)
        if seat == twins.holder:
            del at.heard[heard:]
        look_at(watches)
    assert _session(at).revision == session.revision + 1, at.heard[-1:]


def _ask(at: Table, found: Ruleset, session: pb.Session, twins: Twins, seat: str | None) -> None:
    """Every call that could tell a seat, or a spectator, what the holder hides."""
    name, revision, holder = SESSION, session.revision, twins.holder
    at.tell("GetSession", pb.GetSessionRequest(name=name), seat)
    at.tell("GetSession", pb.GetSessionRequest(name=name, seat=holder), seat)
    at.tell("ListSessions", pb.ListSessionsRequest(), seat)
    at.tell("ListActions", list_actions(), seat)
    at.tell("ListActions", list_actions(seat=holder), seat)
    at.tell("ExportSession", pb.ExportSessionRequest(name=name), seat)
    at.tell("DrawBoard", pb.DrawBoardRequest(name=name), seat)
    for number in (1, len(twins.before) + 1, revision, revision + 1):
        at.tell("GetAction", pb.GetActionRequest(name=f"{name}/actions/{number:08d}"), seat)
    for asked in (seat, holder):
        if asked is not None:
            at.tell("ListLegalOrders", pb.ListLegalOrdersRequest(name=name, seat=asked), seat)
    ask_to_undo(at, revision, seat or holder, seat)
    for order in _tries(at, found, twins, seat):
        _try(at, found, session, order, seat or holder, seat)
    for verb in found.procedures:
        empty = getattr(pb, f"{verb.capitalize()}Request")(
            name=name, seat=seat or holder, validate_only=True
        )
        getattr(empty.order, found.slug).SetInParent()
        at.tell(verb.capitalize(), empty, seat)


def _tries(at: Table, found: Ruleset, twins: Twins, seat: str | None) -> list[LegalOrder]:
    """Orders that a seat might try out: some of its own, and what the holder ordered."""
    board = at.endpoints.shelf.load(SESSION.partition("/")[2]).state.board
    own: list[LegalOrder] = []
    if seat is not None and seat in found.active_seats(board):
        own = list(islice(found.legal_orders(board, seat, found.book), LOOKED_AT))
    steps = (*twins.secrets, *twins.after)
    theirs = [one.order for one in steps if one.seat == twins.holder]
    return [*own[:1], *own[-1:], *theirs[:3]]


def _try(
    at: Table,
    found: Ruleset,
    session: pb.Session,
    order: LegalOrder,
    asked: str,
    seat: str | None,
) -> None:
    """A preview, with dice and without, and one that comes too late."""
    call, request = request_for(
        session, found.slug, order, asked, validate_only=True, nearest_count=3
    )
    at.tell(call, request, seat)
    request.dice.supplied.faces.append(1)
    at.tell(call, request, seat)
    request.etag = '"999999"'
    at.tell(call, request, seat)
