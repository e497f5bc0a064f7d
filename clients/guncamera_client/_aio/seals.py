"""Secret simultaneous orders: sealed one by one, revealed all at once."""

from __future__ import annotations

from google.protobuf.message import Message
from guncamera.v1.session_service_pb2 import (
    LegalOrder,
    RevealOrdersRequest,
    RevealOrdersResponse,
    SealedOrder,
    SealOrderRequest,
    SealOrderResponse,
    Session,
)

from guncamera_client._aio.calls import new_request_id
from guncamera_client._aio.verbs import AsyncVerbCalls
from guncamera_client._names import session_name
from guncamera_client._wrap import wrap


class AsyncSealCalls(AsyncVerbCalls):
    """The calls of `SessionService` that hide orders until all are in."""

    async def seal_order(
        self,
        session: str | Session,
        order: Message,
        *,
        seat: str = "",
        etag: str = "",
        request_id: str | None = None,
        validate_only: bool = False,
        nearest_count: int = 0,
    ) -> SealOrderResponse:
        """Seals an order: nobody but its seat can read it until every active seat has sealed one.

        The last one reveals all: each is ruled on and becomes an action. Until then a seat may
        seal another order in place of its own. A session says in `sealed_verb` whether orders are
        sealed now, and in `sealed_seats` who has.

        Args:
            session: `sessions/x`, `x`, or a `Session`.
            order: A `LegalOrder`, a `MoveOrder` and its like, or the rule set's own message.
            seat: Who acts, where neither the token nor the phase leaves only one.
            etag: The session's etag, if the order is meant for that revision only. Sealing does
                not change it; without it, an order that comes late may be sealed for the next
                phase.
            request_id: A UUID; a repeated call with the same one returns the same answer. None
                makes one, so that this call repeats itself safely.
            validate_only: Check everything, seal and reveal nothing.
            nearest_count: 0 to 3 legal orders to come with `IllegalOrder`, as its `nearest`.

        Returns:
            The revision it was sealed at, who had still to seal, and whether all were revealed:
            then the actions after that revision are the reveal.

        Raises:
            ValueError: no order is set.
            NothingToSeal: orders are given openly now, or those of another verb are sealed.
            IllegalOrder: a rule forbids it; `rule_id` says which.
            StaleState: the session has moved on since `etag`, or while the call was on its way.
            SeatNotActive, SeatForbidden, SeatUnknown: it is not this seat's turn, or not this seat.
            SessionFinished, SessionNotFound: there is nothing to play.
            InputInvalid: the order is malformed; see `violations`.
            Unavailable: given up; the order may have been sealed. Repeat the call with the same
                `request_id` to find out.

        Example:
            ```python
            answer = await client.seal_order(session, order, seat="red", etag=session.etag)
            print("all are in" if answer.revealed else list(answer.waiting_seats))
            ```
        """
        verb, inner = _order_of(order)
        request = SealOrderRequest(
            name=session_name(session),
            seat=seat,
            etag=etag,
            request_id=request_id or new_request_id(),
            validate_only=validate_only,
            nearest_count=nearest_count,
        )
        getattr(request, verb).CopyFrom(inner)
        return await self._call("SealOrder", request, SealOrderResponse)

    async def reveal_orders(
        self, session: str | Session, *, seat: str = "", request_id: str | None = None
    ) -> RevealOrdersResponse:
        """Reveals the sealed orders once the session's `seal_seconds` have passed.

        A seat that has sealed none gets the order that the rule set states for it.

        Args:
            session: `sessions/x`, `x`, or a `Session`.
            seat: Who asks, where the token does not say; empty, anyone where no seat is claimed.
            request_id: A UUID; a repeated call with the same one returns the same answer. None
                makes one, so that this call repeats itself safely.

        Returns:
            The revisions of the reveal, and the seats that were late.

        Raises:
            RevealNotDue: there is time left; see `retry_after_seconds`. The client does not wait.
            NoSealDeadline: the session has no deadline.
            NothingToSeal: orders are given openly now.
            SeatForbidden, SeatUnknown: seats are claimed, and this client holds none of them.
            SessionFinished, SessionNotFound: there is nothing to play.
            Unavailable: given up; repeat the call with the same `request_id`.

        Example:
            ```python
            answer = await client.reveal_orders(session)
            print(list(answer.late_seats))
            ```
        """
        request = RevealOrdersRequest(
            name=session_name(session), seat=seat, request_id=request_id or new_request_id()
        )
        return await self._call("RevealOrders", request, RevealOrdersResponse)


def _order_of(order: Message) -> tuple[str, Message]:
    """The verb of an order, and the order as that verb takes it."""
    whole = order if isinstance(order, LegalOrder) else wrap(order, SealedOrder)
    verb = whole.WhichOneof("order")
    if verb is None:
        raise ValueError(f"The {type(whole).__name__} holds no order that this client knows.")
    inner: Message = getattr(whole, verb)
    return verb, inner
