"""A refusal tells legal orders instead, the same over every transport, to be sent as they are."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import duel
import guarded
import pytest
from bending import refused, tried
from games import refereed_setup
from google.protobuf.json_format import ParseDict
from google.protobuf.message import Message
from google.rpc import status_pb2
from guarded import TRANSPORTS, Guarded, Heard
from guncamera.api.problems import MAX_DETAIL_BYTES, problem_message, status_of
from guncamera.api.rulings import fill_outcome
from guncamera.rules.nearest import Nearest
from guncamera.rules.refusal import Illegal, PhaseClosed, Refusal
from guncamera.rules.ruleset import LegalOrder, Ruleset, Verb, rulesets
from guncamera.sessions.listing import MOST_COMPARED, MOST_NEAREST, nearest_orders
from guncamera.v1 import problem_pb2
from guncamera.v1 import session_service_pb2 as pb
from orders import DEPLOY, FIRE, SETUP, who
from paired import PAIRED
from wire_play import play_step, request_for

STEPS = 60
EACH = 4
"""Refusals of each kind that are looked at."""
ASKED = {"nearest_count": MOST_NEAREST}


@pytest.fixture(scope="module")
def service() -> Iterator[Guarded]:
    with guarded.guarded(may_be_open=True) as made:
        yield made


def nearest_in(heard: Heard) -> problem_pb2.NearestOrders | None:
    """What a refusal offers, from either transport."""
    found = problem_pb2.NearestOrders()
    if isinstance(heard.told[0], list):
        offered = json.loads(heard.told[1]).get("nearest")
        return None if offered is None else ParseDict(offered, found)
    status = status_pb2.Status.FromString(dict(heard.told[1])[guarded.DETAILS])
    return found if any(detail.Unpack(found) for detail in status.details) else None


def in_batch(service: Guarded, call: str, request: Any) -> problem_pb2.Problem:
    asked = type(request)()
    asked.CopyFrom(request)
    asked.validate_only = False
    item = pb.BatchPlayItem(**{"seal_order" if call == "SealOrder" else call.lower(): asked})
    batch = pb.BatchPlayRequest(items=[item])
    return service.endpoints.BatchPlay(batch, who()).results[0].problem


def board_of(service: Guarded, session: pb.Session) -> Any:
    return service.endpoints.shelf.load(session.name.partition("/")[2]).state.board


def scenes(service: Guarded, found: Ruleset) -> Iterator[tuple[pb.Session, str, LegalOrder]]:
    """Refused orders of a game as a stock pilot flies it, some of each kind."""
    request = pb.CreateSessionRequest(dice_seed="nearest")
    fill_outcome(request.setup, found.slug, refereed_setup(found))
    session = service.endpoints.CreateSession(request, who())
    opening = board_of(service, session)
    first = next(found.legal_orders(opening, found.active_seats(opening)[0], found.book))
    kinds: dict[type[Refusal], int] = {}
    for number in range(STEPS):
        board, sealed = board_of(service, session), session.sealed_verb
        for seat in session.active_seats:
            left = 2
            for order in tried(found, board, seat, first):
                refusal = refused(found, board, seat, order)
                kind = type(refusal)
                is_asked = not sealed or order.verb == sealed
                if left and is_asked and isinstance(refusal, Illegal) and kinds.get(kind, 0) < EACH:
                    kinds[kind] = kinds.get(kind, 0) + 1
                    left -= 1
                    yield session, seat, order
        if not session.active_seats:
            break
        session = play_step(service.endpoints, session, found, "stock", number)
    assert kinds == {Illegal: EACH, PhaseClosed: EACH}


@pytest.mark.parametrize("slug", rulesets())
def test_what_is_offered_is_the_same_everywhere_and_taken_as_it_is(
    service: Guarded, slug: str
) -> None:
    found = rulesets()[slug]
    for session, seat, order in scenes(service, found):
        fields = {"validate_only": True, **ASKED}
        call, request = request_for(session, slug, order, seat, **fields)
        told = [service.ask(over, call, request, None) for over in TRANSPORTS]
        assert {one.reason for one in told} <= {"ACTION_ILLEGAL", "PHASE_CLOSED"}
        offers = [nearest_in(one) for one in told]
        assert offers[0] is not None
        assert offers == [offers[0]] * len(offers), order
        batched = in_batch(service, call, request)
        assert batched.nearest == offers[0]
        assert 1 <= len(offers[0].orders) <= MOST_NEAREST
        assert len(offers[0].orders) <= offers[0].compared <= MOST_COMPARED
        for over, offered in zip((*TRANSPORTS, "rest"), offers[0].orders):
            again, sent = sent_as_it_is(session, offered, seat)
            heard = service.ask(over, again, sent, None)
            assert heard.reason == "OK", (order, offered, heard)


def sent_as_it_is(
    session: pb.Session, offered: problem_pb2.NearestOrder, seat: str
) -> tuple[str, Message]:
    verb = str(offered.WhichOneof("order"))
    order = getattr(offered, verb)
    fields: dict[str, Any] = {"name": session.name, "seat": seat, "validate_only": True}
    if verb == session.sealed_verb:
        return "SealOrder", pb.SealOrderRequest(**fields, **{verb: order})
    return verb.title(), getattr(pb, f"{verb.title()}Request")(**fields, order=order)


@pytest.mark.parametrize("over", TRANSPORTS)
def test_nothing_is_looked_for_unless_it_is_asked_for(service: Guarded, over: str) -> None:
    session = service.endpoints.CreateSession(pb.CreateSessionRequest(setup=SETUP), who())
    wanted = pb.FireRequest(name=session.name, order=FIRE)
    heard = service.ask(over, "Fire", wanted, None)
    assert (heard.reason, nearest_in(heard)) == ("PHASE_CLOSED", None)
    for count in range(1, MOST_NEAREST + 1):
        wanted.nearest_count = count
        offered = nearest_in(service.ask(over, "Fire", wanted, None))
        assert offered is not None
        assert len(offered.orders) == count
    late = pb.FireRequest(name=session.name, order=FIRE, etag='"9"', **ASKED)
    assert nearest_in(service.ask(over, "Fire", late, None)) is None, "no rule has refused it"


@pytest.mark.parametrize("over", TRANSPORTS)
def test_what_is_legal_is_done_whatever_else_is_asked(service: Guarded, over: str) -> None:
    session = service.endpoints.CreateSession(pb.CreateSessionRequest(setup=SETUP), who())
    request = pb.MoveRequest(name=session.name, order=DEPLOY, **ASKED)
    assert service.ask(over, "Move", request, None).reason == "OK"
    refused_now = service.ask(over, "Move", request, None)
    assert refused_now.reason == "PHASE_CLOSED"
    assert nearest_in(refused_now) is not None


@pytest.mark.parametrize("over", TRANSPORTS)
def test_a_fault_in_a_list_is_a_fault_of_ours(
    service: Guarded, over: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> Iterator[LegalOrder]:
        raise RuntimeError("a secret")

    session = service.endpoints.CreateSession(pb.CreateSessionRequest(setup=SETUP), who())
    monkeypatch.setattr("guncamera.sessions.listing.nearest", broken)
    request = pb.FireRequest(name=session.name, order=FIRE, **ASKED)
    heard = service.ask(over, "Fire", request, None)
    assert heard.reason == "INTERNAL"
    assert "secret" not in heard.text


# ---- Bounds


class Endless:
    """A rule set with no end of legal orders, which counts those that are taken."""

    slug = "peregrine"
    orders_near = None

    def __init__(self) -> None:
        self.taken = 0

    def legal_orders(self, _board: object, _seat: str, _book: object) -> Iterator[LegalOrder]:
        while True:
            self.taken += 1
            yield LegalOrder(Verb.FIRE, self.taken, "One more.")


def session_of(found: Endless, *, finished: bool = False) -> Any:
    state = SimpleNamespace(board=None, active_seats=("red",))
    record = SimpleNamespace(ruleset=found, book=None)
    return SimpleNamespace(record=record, state=state, finished=finished)


def test_no_more_orders_are_looked_at_than_the_bound() -> None:
    found = Endless()
    offered = nearest_orders(session_of(found), "red", Verb.FIRE, 0, 3)
    assert offered is not None
    assert [one.order for one in offered.orders] == [1, 2, 3]
    assert (offered.compared, found.taken) == (MOST_COMPARED, MOST_COMPARED)


def test_who_may_not_act_is_offered_nothing() -> None:
    found = Endless()
    for session, seat in ((session_of(found), "blue"), (session_of(found, finished=True), "red")):
        offered = nearest_orders(session, seat, Verb.FIRE, 0, 3)
        assert offered == Nearest("peregrine", (), 0)
    assert nearest_orders(session_of(found), "red", Verb.FIRE, 0, 0) is None
    assert found.taken == 0


@pytest.mark.parametrize(("letters", "orders"), [(20, 3), (1000, 1), (4000, 0)])
def test_what_is_offered_fits_into_a_status(letters: int, orders: int) -> None:
    """The longest orders of a rule set, beside everything else that a refusal may say."""
    setup = refereed_setup(PAIRED)
    with duel.registered(PAIRED):
        board = PAIRED.open_board(setup, PAIRED.book)
        seat = PAIRED.active_seats(board)[0]
        one = next(iter(PAIRED.legal_orders(board, seat, PAIRED.book)))
        deploy = one.order.procedure
        long = replace(one, order=replace(one.order, procedure=replace(deploy, hex="A" * letters)))
        refusal = Illegal("KET-7.1", "ü" * 900, **{f"f{n}": "x" * 90 for n in range(9)})
        refusal.nearest = Nearest(PAIRED.slug, (long, long, long), 3)
        status = status_of(refusal, request_id="r" * 36)
        told = problem_message(refusal)
    found = problem_pb2.NearestOrders()
    assert any(detail.Unpack(found) for detail in status.details)
    assert status.ByteSize() <= MAX_DETAIL_BYTES + 64
    assert (len(found.orders), found.compared) == (orders, 3)
    assert len(told.nearest.orders) == 3, "in a batch there is room"
