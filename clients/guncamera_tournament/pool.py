"""Calls of many games in few: orders, looks and lists of all games in flight go by BatchPlay.

Whoever has something to ask while no call is under way makes one, of all that is asked by then;
what the others ask meanwhile goes with the next one. So a call is as large as there are games that
wait, nobody waits for anybody who thinks, and one game alone asks as it would without.

A batch has one token for all its calls. So this is for seats that are not claimed: of pilots that
play in the runner, where there is no stranger to keep from them.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Sequence
from typing import Any

from guncamera.v1.dice_pb2 import DicePolicy, SuppliedDice
from guncamera.v1.session_service_pb2 import (
    Action,
    BatchPlayItem,
    BatchPlayResult,
    Film,
    GetSessionRequest,
    LegalOrder,
    ListLegalOrdersRequest,
    SealOrderRequest,
    SealOrderResponse,
    Session,
)
from guncamera_client import GuncameraError, error_from

MOST_ITEMS = 256


class _Question:
    """What one game asks, and where it waits for the answer."""

    __slots__ = ("answer", "fault", "gate", "items")

    def __init__(self, items: Sequence[BatchPlayItem]) -> None:
        self.items = items
        self.answer: Sequence[BatchPlayResult] | None = None
        self.fault: GuncameraError | None = None
        self.gate = threading.Lock()
        self.gate.acquire()


class Pool:
    """A client whose calls many games share. Threads ask it; a thread a game.

    Args:
        client: Makes the calls.
    """

    def __init__(self, client: Any) -> None:
        self.client = client
        self._lock = threading.Lock()
        self._waiting: deque[_Question] = deque()
        self._is_calling = False

    @property
    def target(self) -> str:
        """Of the service."""
        return str(self.client.target)

    def close(self) -> None:
        """Hang up."""
        self.client.close()

    def ask(self, *items: BatchPlayItem) -> Sequence[BatchPlayResult]:
        """Make some calls, in their order; what came of each.

        Raises:
            GuncameraError: None of them was answered.
        """
        question = _Question(items)
        with self._lock:
            self._waiting.append(question)
            must_wait = self._is_calling
            self._is_calling = True
        if must_wait:
            question.gate.acquire()
        if question.answer is None and question.fault is None:
            self._call()
        if question.fault is not None:
            raise question.fault
        assert question.answer is not None, "a call answers whoever makes it"
        return question.answer

    def _call(self) -> None:
        """Make one call of what is asked, and let somebody else make the next one."""
        with self._lock:
            taken = self._taken()
        try:
            items = [item for question in taken for item in question.items]
            results = iter(self.client.batch_play(items).results)
            for question in taken:
                question.answer = [next(results) for _ in question.items]
        except GuncameraError as fault:
            for question in taken:
                question.fault = fault
        finally:
            with self._lock:
                following = self._waiting[0] if self._waiting else None
                self._is_calling = following is not None
            if following is not None:
                following.gate.release()
            for question in taken[1:]:
                question.gate.release()

    def _taken(self) -> list[_Question]:
        taken = [self._waiting.popleft()]
        room = MOST_ITEMS - len(taken[0].items)
        while self._waiting and len(self._waiting[0].items) <= room:
            taken.append(self._waiting.popleft())
            room -= len(taken[-1].items)
        return taken


class Seated:
    """What a seat does in one session, through a pool: the calls of a client that a game needs.

    Args:
        pool: Asks for many games.
        seat: The seat's id.
        ahead: The session as whoever acts next sees it after the last order; one for all seats of a
            session. With every order it is asked for again.
    """

    def __init__(self, pool: Pool, seat: str, ahead: dict[str, Session]) -> None:
        self._pool = pool
        self._seat = seat
        self._ahead = ahead

    def get_session(self, session: Session) -> Session:
        """The session as the seat sees it."""
        seen = self._ahead.pop(self._seat, None)
        return self._asked(_look(session, self._seat)).session if seen is None else seen

    def list_legal_orders(self, session: Session, *, page_size: int) -> Sequence[LegalOrder]:
        """The first page of the list."""
        asked = ListLegalOrdersRequest(name=session.name, seat=self._seat, page_size=page_size)
        return self._asked(BatchPlayItem(list_legal_orders=asked)).legal_orders.orders

    def draw_legal_orders(self, session: Session, count: int, *, seed: str) -> list[LegalOrder]:
        """Orders drawn from all."""
        asked = ListLegalOrdersRequest(
            name=session.name, seat=self._seat, sample_count=count, sample_seed=seed
        )
        return list(self._asked(BatchPlayItem(list_legal_orders=asked)).legal_orders.orders)

    def give_order(
        self, session: Session, order: LegalOrder, *, dice: Sequence[int] | None, etag: str
    ) -> Action:
        """Give an order openly."""
        verb = order.WhichOneof("order")
        if verb is None:
            raise ValueError("The LegalOrder holds no order that this client knows.")
        item = BatchPlayItem()
        request = getattr(item, verb)
        request.name, request.seat, request.etag = session.name, self._seat, etag
        request.order.CopyFrom(getattr(order, verb))
        if dice is not None:
            request.dice.CopyFrom(DicePolicy(supplied=SuppliedDice(faces=dice)))
        return self._acted(item, _look(session, self._seat)).action

    def seal_order(self, session: Session, order: LegalOrder, *, etag: str) -> SealOrderResponse:
        """Give an order under its seal."""
        request = SealOrderRequest(name=session.name, seat=self._seat, etag=etag)
        verb = order.WhichOneof("order") or ""
        getattr(request, verb).CopyFrom(getattr(order, verb))
        look = _look(session, seat_after_seal(session, self._seat))
        return self._acted(BatchPlayItem(seal_order=request), look).seal_order

    def export_session(self, session: Session) -> Film:
        """The film, as far as the seat may have it."""
        film: Film = self._pool.client.export_session(session, seat=self._seat)
        return film

    def delete_session(self, session: Session) -> None:
        """Delete it."""
        self._pool.client.delete_session(session)

    def _acted(self, order: BatchPlayItem, look: BatchPlayItem) -> BatchPlayResult:
        """What came of an order; how the session looks then is kept for whoever looks."""
        self._ahead.clear()
        result, then = self._pool.ask(order, look)
        if then.HasField("session"):
            self._ahead[look.get_session.seat] = then.session
        return _unrefused(result)

    def _asked(self, item: BatchPlayItem) -> BatchPlayResult:
        (result,) = self._pool.ask(item)
        return _unrefused(result)


def seat_after_seal(session: Session, seat: str) -> str:
    """Who has to act when a seat has sealed: the first that has not, or whoever it was if all have.

    Args:
        session: As the seat saw it before.
    """
    done = {seat, *session.sealed_seats}
    return next((one for one in session.active_seats if one not in done), seat)


def _look(session: Session, seat: str) -> BatchPlayItem:
    return BatchPlayItem(get_session=GetSessionRequest(name=session.name, seat=seat))


def _unrefused(result: BatchPlayResult) -> BatchPlayResult:
    """A result that is none of a refusal.

    Raises:
        GuncameraError: It is.
    """
    if result.HasField("problem"):
        raise error_from(result.problem)
    return result
