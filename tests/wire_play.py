"""Pilots at the endpoints: each order given as its phase wants it, openly or sealed."""

from __future__ import annotations

from typing import Any

from guncamera.api import wire
from guncamera.api.endpoints import Endpoints
from guncamera.api.rulings import fill_outcome
from guncamera.rules.ruleset import LegalOrder, Ruleset
from guncamera.v1 import session_service_pb2 as pb
from orders import who


def seat_to_act(session: pb.Session) -> str:
    """The first seat that has to give an order, and has sealed none."""
    return next(seat for seat in session.active_seats if seat not in session.sealed_seats)


def order_of_pilot(
    endpoints: Endpoints, session: pb.Session, found: Ruleset, pilot: str, number: int, seat: str
) -> LegalOrder:
    """What a stock pilot orders from what its seat sees."""
    seen = endpoints.GetSession(pb.GetSessionRequest(name=session.name, seat=seat), who())
    view: Any = wire.read(getattr(seen.board, found.slug), found.view, "board")
    return found.pilots[pilot](view, seat, found.book, number)


def request_for(session: pb.Session, slug: str, order: LegalOrder, seat: str, **fields: Any) -> Any:
    """The request that gives an order, with the name of its call."""
    verb = order.verb.value
    if verb == session.sealed_verb:
        sealed = pb.SealOrderRequest(name=session.name, seat=seat, **fields)
        fill_outcome(getattr(sealed, verb), slug, order.order)
        return "SealOrder", sealed
    call = verb.capitalize()
    request = getattr(pb, f"{call}Request")(name=session.name, seat=seat, **fields)
    fill_outcome(request.order, slug, order.order)
    return call, request


def play_step(
    endpoints: Endpoints, session: pb.Session, found: Ruleset, pilot: str, number: int
) -> pb.Session:
    """One order of one stock pilot; returns the session after it."""
    seat = seat_to_act(session)
    order = order_of_pilot(endpoints, session, found, pilot, number, seat)
    call, request = request_for(session, found.slug, order, seat)
    getattr(endpoints, call)(request, who())
    after: pb.Session = endpoints.GetSession(pb.GetSessionRequest(name=session.name), who())
    return after
