"""One session, played out: whose turn it is, what its pilot says, what the service makes of it."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from guncamera.v1.session_service_pb2 import (
    SESSION_STATE_FINISHED,
    Action,
    Film,
    LegalOrder,
    Session,
)
from guncamera_client import (
    GuncameraError,
    IllegalOrder,
    InputInvalid,
    NothingToSeal,
    RollInvalid,
    SealRequired,
    SecretsKept,
    SessionFinished,
    StaleState,
    VerbNotInRuleset,
)

from guncamera_tournament.calls import SeatOrders, Timed
from guncamera_tournament.faces import Dice
from guncamera_tournament.outcome import Ending, ending_of
from guncamera_tournament.pilot import Situation
from guncamera_tournament.pool import seat_after_seal
from guncamera_tournament.sitting import Acted, Misconduct, OutOfTime, Sitter
from guncamera_tournament.timing import GameTime, PilotTime, Stopwatch

_PILOTS_DOING = (IllegalOrder, InputInvalid, NothingToSeal, SealRequired, VerbNotInRuleset)
_MOST_CLOSING = 100


@dataclass(slots=True)
class Chair:
    """A seat that is taken.

    Attributes:
        client: Acts for this seat, and for no other.
    """

    seat: str
    pilot: str
    sitter: Sitter
    client: Any
    time: PilotTime
    random: random.Random
    orders: int = 0


@dataclass(frozen=True, slots=True)
class Forfeit:
    """Who lost a game by misconduct, and by which."""

    pilot: str
    cause: str
    detail: str


@dataclass(frozen=True, slots=True)
class Board:
    """A session that is over.

    Attributes:
        forfeit: None if nobody lost it by misconduct.
    """

    ending: Ending
    forfeit: Forfeit | None
    film: Film


@dataclass(slots=True)
class Table:
    """A session with its chairs.

    Attributes:
        session: As it was created.
        onlooker: A client that may see everything, as far as there is one.
        most_actions: After so many the game is given up.
        variant: The text of the variant's file that is played by; empty without one.
    """

    session: Session
    chairs: Mapping[str, Chair]
    onlooker: Any
    dice: Dice
    most_actions: int
    game_time: GameTime
    variant: str = ""
    _acting: str = field(init=False, default="")

    def play(self) -> Board:
        """Play it to its end, its length, or a forfeit.

        Raises:
            GuncameraError: The service cannot go on.
        """
        forfeit = None
        self._acting = next(iter(self.chairs))
        try:
            for chair in self.chairs.values():
                self._acting = chair.seat
                chair.sitter.begin(chair.seat)
            while self._take_turn():
                pass
        except Misconduct as fault:
            pilot = self.chairs[self._acting].pilot
            forfeit = Forfeit(pilot, fault.cause, fault.detail)
        finally:
            for chair in self.chairs.values():
                chair.sitter.end()
        ending = ending_of(self._see(self.onlooker))
        film = self._export()
        return Board(ending, forfeit or self._cheat(film), film)

    def _take_turn(self) -> bool:
        """One order of whoever has to give one; False once there is nobody, or for too long."""
        chair = self.chairs[self._acting]
        session = self._see(chair.client)
        if session.state == SESSION_STATE_FINISHED or session.revision >= self.most_actions:
            return False
        seat = _seat_to_act(session, self.chairs)
        if seat != chair.seat:
            self._acting, chair = seat, self.chairs[seat]
            session = self._see(chair.client)
            if seat not in session.active_seats or seat in session.sealed_seats:
                return True  # a remote pilot was faster
        order = self._choice(chair, session)
        if order is not None:
            with contextlib.suppress(StaleState, SessionFinished):  # as above: look again
                self._give(chair, session, order)
                chair.orders += 1
        return True

    def _choice(self, chair: Chair, session: Session) -> LegalOrder | None:
        """What a pilot orders, or the default order if it takes too long; None: it has acted."""
        stopwatch = Stopwatch()
        source = SeatOrders(chair.client, session, stopwatch, self.game_time)
        clock = chair.time.clock
        situation = Situation(
            ruleset=session.ruleset.rpartition("/")[2],
            seat=chair.seat,
            session=session,
            nth=chair.orders,
            clock=clock,
            random=chair.random,
            _source=source,
            variant=self.variant,
        )
        order: LegalOrder | Acted | None
        try:
            order = chair.sitter.choose(situation, stopwatch)
            seconds = stopwatch.seconds
        except OutOfTime:
            order, seconds = None, max(stopwatch.seconds, clock.hard_seconds)
        except Misconduct:
            if self._see(chair.client).revision != session.revision:
                return None  # a remote pilot has moved, and left it with what is no more
            raise
        chair.time.note(seconds)
        if chair.time.is_lost:
            raise Misconduct("timeout", f"it thought too long {chair.time.strikes} times")
        if isinstance(order, Acted):
            chair.orders += 1
            return None
        return order or next(iter(source.first(1)), None)

    def _give(self, chair: Chair, session: Session, order: LegalOrder) -> None:
        """Give an order, openly or sealed.

        Raises:
            Misconduct: The service refuses it.
        """

        def give(faces: Sequence[int] | None) -> Action:
            with Timed(self.game_time):
                action: Action = chair.client.give_order(
                    session, order, dice=faces, etag=session.etag
                )
            return action

        try:
            if order.WhichOneof("order") == session.sealed_verb:
                with Timed(self.game_time):
                    chair.client.seal_order(session, order, etag=session.etag)
                self._acting = seat_after_seal(session, chair.seat)
            else:
                self.dice.give(chair.seat, give)
        except RollInvalid:
            raise
        except _PILOTS_DOING as refused:
            raise Misconduct("illegal", _told(refused)) from refused

    def _export(self) -> Film:
        """The film. Where secrets last until a phase is over, default orders end it."""
        for _ in range(_MOST_CLOSING):
            try:
                with Timed(self.game_time):
                    film: Film = self.onlooker.export_session(self.session)
            except SecretsKept:
                chair = self.chairs[_seat_to_act(self._see(self.onlooker), self.chairs)]
                session = self._see(chair.client)
                order = SeatOrders(chair.client, session, Stopwatch(), self.game_time).first(1)[0]
                self._give(chair, session, order)
            else:
                return film
        raise AssertionError(f"{self.session.ruleset} keeps its secrets for ever")

    def _cheat(self, film: Film) -> Forfeit | None:
        """Whoever meddled with the dice."""
        for action in film.actions:
            fault = self.dice.fault(action)
            if fault:
                return Forfeit(self.chairs[action.seat].pilot, "cheat", fault)
        return None

    def _see(self, client: Any) -> Session:
        with Timed(self.game_time):
            session: Session = client.get_session(self.session)
        return session


def _seat_to_act(session: Session, chairs: Mapping[str, Chair]) -> str:
    """The first seat that has to give an order, and has sealed none."""
    for seat in session.active_seats:
        if seat in chairs and seat not in session.sealed_seats:
            return seat
    raise AssertionError(f"{session.name} goes on, and nobody may act")


def _told(refused: GuncameraError) -> str:
    by_rule = f"{refused.rule_id}: " if refused.rule_id else ""
    return f"{by_rule}{refused.message}"
