# Derived from _aio by tests/clients/twin.py. Edit that one, and run it.
"""The verbs: orders in a session. Each appends one action to the ledger and returns it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from google.protobuf.message import Message
from guncamera.v1.actions_pb2 import DamageOrder, FireOrder, MoveOrder, SpotOrder, WindOrder
from guncamera.v1.session_service_pb2 import (
    Action,
    DamageRequest,
    FireRequest,
    LegalOrder,
    ListLegalOrdersRequest,
    ListLegalOrdersResponse,
    MoveRequest,
    Session,
    SpotRequest,
    WindRequest,
)

from guncamera_client._blocking.calls import new_request_id
from guncamera_client._blocking.sessions import SessionCalls
from guncamera_client._names import session_name
from guncamera_client._wrap import empty_of_ruleset, wrap
from guncamera_client.dice import Dice, policy_of

Order = TypeVar("Order", MoveOrder, WindOrder, SpotOrder, FireOrder, DamageOrder)


class VerbCalls(SessionCalls):
    """The verbs of `SessionService`, and what a seat may do with them."""

    def move(
        self,
        session: str | Session,
        order: MoveOrder | Message | None = None,
        *,
        seat: str = "",
        dice: Dice = None,
        etag: str = "",
        request_id: str | None = None,
        validate_only: bool = False,
        client_nonce: str = "",
        nearest_count: int = 0,
    ) -> Action:
        """Gives an order about movement: it is ruled on and appended to the ledger.

        Args:
            session: `sessions/x`, `x`, or a `Session`.
            order: A `MoveOrder`, or the rule set's own message. None: the rule set's order with
                nothing in it; the session is read for its rule set first if only its name is given.
            seat: Who acts, where neither the token nor the phase leaves only one.
            dice: None: from the session's seed. A list: faces that were thrown, in the order asked.
            etag: The session's etag, if the order is meant for that revision only.
            request_id: A UUID; a repeated call with the same one returns the same action. None
                makes one, so that this call repeats itself safely.
            validate_only: Check everything, draw and append nothing.
            client_nonce: 8 to 64 random characters that enter the draws, such as a UUID.
            nearest_count: 0 to 3 legal orders to come with `IllegalOrder`, as its `nearest`.

        Returns:
            The action. With `validate_only` it has no name, and `would_ask` says what would be
            thrown.

        Raises:
            IllegalOrder: a rule forbids it; `rule_id` says which. `PhaseClosed` is one of them.
            RollRequired: more dice are to be thrown than were given.
            StaleState: the session has moved on since `etag`.
            SeatNotActive, SeatForbidden, SeatUnknown: it is not this seat's turn, or not this seat.
            SessionFinished, SessionNotFound: there is nothing to play.
            InputInvalid: the order is malformed; see `violations`.
            Unavailable: given up; the action may have been appended. Repeat the call with the same
                `request_id` to find out.

        Example:
            ```python
            action = client.move(session, KetteringProceed(), seat="pilot")
            print(action.summary)
            ```
        """
        request = MoveRequest(
            name=session_name(session),
            seat=seat,
            order=self._order(MoveOrder, order, session),
            dice=policy_of(dice),
            etag=etag,
            request_id=request_id or new_request_id(),
            validate_only=validate_only,
            client_nonce=client_nonce,
            nearest_count=nearest_count,
        )
        return self._call("Move", request, Action)

    def wind(
        self,
        session: str | Session,
        order: WindOrder | Message | None = None,
        *,
        seat: str = "",
        dice: Dice = None,
        etag: str = "",
        request_id: str | None = None,
        validate_only: bool = False,
        client_nonce: str = "",
        nearest_count: int = 0,
    ) -> Action:
        """Gives an order about the wind: it is ruled on and appended to the ledger.

        Args:
            session: `sessions/x`, `x`, or a `Session`.
            order: A `WindOrder`, or the rule set's own message. None: the rule set's order with
                nothing in it; the session is read for its rule set first if only its name is given.
            seat: Who acts, where neither the token nor the phase leaves only one.
            dice: None: from the session's seed. A list: faces that were thrown, in the order asked.
            etag: The session's etag, if the order is meant for that revision only.
            request_id: A UUID; a repeated call with the same one returns the same action. None
                makes one, so that this call repeats itself safely.
            validate_only: Check everything, draw and append nothing.
            client_nonce: 8 to 64 random characters that enter the draws, such as a UUID.
            nearest_count: 0 to 3 legal orders to come with `IllegalOrder`, as its `nearest`.

        Returns:
            The action. With `validate_only` it has no name, and `would_ask` says what would be
            thrown.

        Raises:
            IllegalOrder: a rule forbids it; `rule_id` says which. `PhaseClosed` is one of them.
            RollRequired: more dice are to be thrown than were given.
            StaleState: the session has moved on since `etag`.
            SeatNotActive, SeatForbidden, SeatUnknown: it is not this seat's turn, or not this seat.
            SessionFinished, SessionNotFound: there is nothing to play.
            InputInvalid: the order is malformed; see `violations`.
            Unavailable: given up; the action may have been appended. Repeat the call with the same
                `request_id` to find out.

        Example:
            ```python
            action = client.wind(session, KetteringWindOrder(), seat="pilot")
            print(action.summary)
            ```
        """
        request = WindRequest(
            name=session_name(session),
            seat=seat,
            order=self._order(WindOrder, order, session),
            dice=policy_of(dice),
            etag=etag,
            request_id=request_id or new_request_id(),
            validate_only=validate_only,
            client_nonce=client_nonce,
            nearest_count=nearest_count,
        )
        return self._call("Wind", request, Action)

    def spot(
        self,
        session: str | Session,
        order: SpotOrder | Message | None = None,
        *,
        seat: str = "",
        dice: Dice = None,
        etag: str = "",
        request_id: str | None = None,
        validate_only: bool = False,
        client_nonce: str = "",
        nearest_count: int = 0,
    ) -> Action:
        """Gives an order about spotting: it is ruled on and appended to the ledger.

        Args:
            session: `sessions/x`, `x`, or a `Session`.
            order: A `SpotOrder`, or the rule set's own message. None: the rule set's order with
                nothing in it; the session is read for its rule set first if only its name is given.
            seat: Who acts, where neither the token nor the phase leaves only one.
            dice: None: from the session's seed. A list: faces that were thrown, in the order asked.
            etag: The session's etag, if the order is meant for that revision only.
            request_id: A UUID; a repeated call with the same one returns the same action. None
                makes one, so that this call repeats itself safely.
            validate_only: Check everything, draw and append nothing.
            client_nonce: 8 to 64 random characters that enter the draws, such as a UUID.
            nearest_count: 0 to 3 legal orders to come with `IllegalOrder`, as its `nearest`.

        Returns:
            The action. With `validate_only` it has no name, and `would_ask` says what would be
            thrown.

        Raises:
            IllegalOrder: a rule forbids it; `rule_id` says which. `PhaseClosed` is one of them.
            RollRequired: more dice are to be thrown than were given.
            StaleState: the session has moved on since `etag`.
            SeatNotActive, SeatForbidden, SeatUnknown: it is not this seat's turn, or not this seat.
            SessionFinished, SessionNotFound: there is nothing to play.
            InputInvalid: the order is malformed; see `violations`.
            Unavailable: given up; the action may have been appended. Repeat the call with the same
                `request_id` to find out.

        Example:
            ```python
            action = client.spot(session, KetteringSpotOrder(), seat="pilot")
            print(action.summary)
            ```
        """
        request = SpotRequest(
            name=session_name(session),
            seat=seat,
            order=self._order(SpotOrder, order, session),
            dice=policy_of(dice),
            etag=etag,
            request_id=request_id or new_request_id(),
            validate_only=validate_only,
            client_nonce=client_nonce,
            nearest_count=nearest_count,
        )
        return self._call("Spot", request, Action)

    def fire(
        self,
        session: str | Session,
        order: FireOrder | Message | None = None,
        *,
        seat: str = "",
        dice: Dice = None,
        etag: str = "",
        request_id: str | None = None,
        validate_only: bool = False,
        client_nonce: str = "",
        nearest_count: int = 0,
    ) -> Action:
        """Gives an order about fire: it is ruled on and appended to the ledger.

        Args:
            session: `sessions/x`, `x`, or a `Session`.
            order: A `FireOrder`, or the rule set's own message. None: the rule set's order with
                nothing in it; the session is read for its rule set first if only its name is given.
            seat: Who acts, where neither the token nor the phase leaves only one.
            dice: None: from the session's seed. A list: faces that were thrown, in the order asked.
            etag: The session's etag, if the order is meant for that revision only.
            request_id: A UUID; a repeated call with the same one returns the same action. None
                makes one, so that this call repeats itself safely.
            validate_only: Check everything, draw and append nothing.
            client_nonce: 8 to 64 random characters that enter the draws, such as a UUID.
            nearest_count: 0 to 3 legal orders to come with `IllegalOrder`, as its `nearest`.

        Returns:
            The action. With `validate_only` it has no name, and `would_ask` says what would be
            thrown.

        Raises:
            IllegalOrder: a rule forbids it; `rule_id` says which. `PhaseClosed` is one of them.
            RollRequired: more dice are to be thrown than were given.
            StaleState: the session has moved on since `etag`.
            SeatNotActive, SeatForbidden, SeatUnknown: it is not this seat's turn, or not this seat.
            SessionFinished, SessionNotFound: there is nothing to play.
            InputInvalid: the order is malformed; see `violations`.
            Unavailable: given up; the action may have been appended. Repeat the call with the same
                `request_id` to find out.

        Example:
            ```python
            action = client.fire(session, dice=[4, 6], etag=session.etag)
            print(action.summary)
            ```
        """
        request = FireRequest(
            name=session_name(session),
            seat=seat,
            order=self._order(FireOrder, order, session),
            dice=policy_of(dice),
            etag=etag,
            request_id=request_id or new_request_id(),
            validate_only=validate_only,
            client_nonce=client_nonce,
            nearest_count=nearest_count,
        )
        return self._call("Fire", request, Action)

    def damage(
        self,
        session: str | Session,
        order: DamageOrder | Message | None = None,
        *,
        seat: str = "",
        dice: Dice = None,
        etag: str = "",
        request_id: str | None = None,
        validate_only: bool = False,
        client_nonce: str = "",
        nearest_count: int = 0,
    ) -> Action:
        """Gives an order about damage: it is ruled on and appended to the ledger.

        Args:
            session: `sessions/x`, `x`, or a `Session`.
            order: A `DamageOrder`, or the rule set's own message. None: the rule set's order with
                nothing in it; the session is read for its rule set first if only its name is given.
            seat: Who acts, where neither the token nor the phase leaves only one.
            dice: None: from the session's seed. A list: faces that were thrown, in the order asked.
            etag: The session's etag, if the order is meant for that revision only.
            request_id: A UUID; a repeated call with the same one returns the same action. None
                makes one, so that this call repeats itself safely.
            validate_only: Check everything, draw and append nothing.
            client_nonce: 8 to 64 random characters that enter the draws, such as a UUID.
            nearest_count: 0 to 3 legal orders to come with `IllegalOrder`, as its `nearest`.

        Returns:
            The action. With `validate_only` it has no name, and `would_ask` says what would be
            thrown.

        Raises:
            IllegalOrder: a rule forbids it; `rule_id` says which. `PhaseClosed` is one of them.
            RollRequired: more dice are to be thrown than were given.
            StaleState: the session has moved on since `etag`.
            SeatNotActive, SeatForbidden, SeatUnknown: it is not this seat's turn, or not this seat.
            SessionFinished, SessionNotFound: there is nothing to play.
            InputInvalid: the order is malformed; see `violations`.
            Unavailable: given up; the action may have been appended. Repeat the call with the same
                `request_id` to find out.

        Example:
            ```python
            action = client.damage(session, KetteringInspect(), seat="pilot")
            print(action.summary)
            ```
        """
        request = DamageRequest(
            name=session_name(session),
            seat=seat,
            order=self._order(DamageOrder, order, session),
            dice=policy_of(dice),
            etag=etag,
            request_id=request_id or new_request_id(),
            validate_only=validate_only,
            client_nonce=client_nonce,
            nearest_count=nearest_count,
        )
        return self._call("Damage", request, Action)

    def give_order(
        self,
        session: str | Session,
        order: LegalOrder,
        *,
        seat: str = "",
        dice: Dice = None,
        etag: str = "",
        request_id: str | None = None,
        validate_only: bool = False,
        client_nonce: str = "",
        nearest_count: int = 0,
    ) -> Action:
        """Gives an order from `list_legal_orders`, by the verb that it belongs to.

        Args:
            session: `sessions/x`, `x`, or a `Session`.
            order: One of the list; the arguments after it are those of the verbs.
            seat: Who acts, where neither the token nor the phase leaves only one.
            dice: None: from the session's seed. A list: faces that were thrown, in the order asked.
            etag: The session's etag, if the order is meant for that revision only.
            request_id: A UUID; a repeated call with the same one returns the same action.
            validate_only: Check everything, draw and append nothing.
            client_nonce: 8 to 64 random characters that enter the draws, such as a UUID.
            nearest_count: 0 to 3 legal orders to come with `IllegalOrder`, as its `nearest`.

        Returns:
            The action.

        Raises:
            ValueError: no order is set.
            GuncameraError: whatever the verb raises.

        Example:
            ```python
            orders = [order for order in client.list_legal_orders(session)]
            action = client.give_order(session, random.choice(orders))
            ```
        """
        verbs = {
            "move": self.move,
            "wind": self.wind,
            "spot": self.spot,
            "fire": self.fire,
            "damage": self.damage,
        }
        verb = order.WhichOneof("order")
        if verb is None:
            raise ValueError("The LegalOrder holds no order that this client knows.")
        return verbs[verb](
            session,
            getattr(order, verb),
            seat=seat,
            dice=dice,
            etag=etag,
            request_id=request_id,
            validate_only=validate_only,
            client_nonce=client_nonce,
            nearest_count=nearest_count,
        )

    def list_legal_orders(
        self, session: str | Session, *, seat: str = "", page_size: int = 0
    ) -> Iterator[LegalOrder]:
        """Everything a seat may do now, page by page, in an order that never changes.

        Args:
            session: `sessions/x`, `x`, or a `Session`.
            seat: Which seat, where neither the token nor the phase leaves only one.
            page_size: Most to fetch at once, 1 to 1,000; 0 leaves it to the service, 100.

        Returns:
            An iterator that fetches the next page when it gets there. It is empty when the seat
            has nothing to do.

        Raises:
            SessionNotFound: there is no such session.
            SeatForbidden: the seat is claimed, and this client does not hold its token.

        Example:
            ```python
            for order in client.list_legal_orders(session, seat="pilot"):
                print(order.summary)
            ```
        """
        request = ListLegalOrdersRequest(name=session_name(session), seat=seat, page_size=page_size)
        for page in self._pages("ListLegalOrders", request, ListLegalOrdersResponse):
            yield from page.orders

    def draw_legal_orders(
        self, session: str | Session, count: int, *, seed: str, seat: str = ""
    ) -> list[LegalOrder]:
        """Orders drawn from all that a seat may give, each of them exactly as likely.

        Args:
            session: `sessions/x`, `x`, or a `Session`.
            count: How many, 1 to 100. One may come twice.
            seed: A text of 1 to 64 characters; the same one draws the same at a revision.
            seat: Which seat, where neither the token nor the phase leaves only one.

        Returns:
            The orders, in the order they were drawn. None when the seat has nothing to do.

        Raises:
            InputInvalid: the count or the seed is out of bounds.
            IllegalOrder: there are more than can be counted.

        Example:
            ```python
            (order,) = client.draw_legal_orders(session, 1, seed="game 7, turn 3")
            ```
        """
        request = ListLegalOrdersRequest(
            name=session_name(session), seat=seat, sample_count=count, sample_seed=seed
        )
        drawn = self._call("ListLegalOrders", request, ListLegalOrdersResponse)
        return list(drawn.orders)

    def begin_order(
        self, session: str | Session, so_far: str = "", *, seat: str = ""
    ) -> ListLegalOrdersResponse:
        """What may follow an order that is begun, in the rule set's own notation.

        Args:
            session: `sessions/x`, `x`, or a `Session`.
            so_far: What is written; in `circus` an aircraft, its speed, codes of its plot.
            seat: Which seat, where neither the token nor the phase leaves only one.

        Returns:
            In `begun` the codes that may follow; in `orders` the order itself, once it is whole.

        Raises:
            InputInvalid: here all orders are listed; or a code is none.
            IllegalOrder: no legal order begins so; the message names the first code at fault.
            SeatNotActive: the seat may not act now.

        Example:
            ```python
            answer = client.begin_order(session, "first-1 9 3 R", seat="first")
            print([code.code for code in answer.begun.next_codes])
            ```
        """
        request = ListLegalOrdersRequest(name=session_name(session), seat=seat, so_far=so_far)
        return self._call("ListLegalOrders", request, ListLegalOrdersResponse)

    def _order(self, kind: type[Order], order: Message | None, session: str | Session) -> Order:
        if order is not None:
            return wrap(order, kind)
        ruleset = session.ruleset if isinstance(session, Session) else ""
        if not ruleset:
            ruleset = self.get_session(session).ruleset
        return empty_of_ruleset(kind, ruleset)
