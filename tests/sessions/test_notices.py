"""What is noticed: each action once, however it landed, and rulings that come out otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
import servers
from guncamera.api.endpoints import Endpoints
from guncamera.rules.refusal import Refusal
from guncamera.sessions.codec import encode_action
from guncamera.sessions.redis_store import RedisStore
from guncamera.sessions.session import Action, Session
from guncamera.sessions.shelf import Shelf
from guncamera.v1 import actions_pb2
from guncamera.v1 import session_service_pb2 as pb
from orders import DEPLOY, INSPECT, LAUNCH, SETUP, move, who
from store_calls import keys_of

REQUESTS = {
    actions_pb2.MoveOrder: ("move", pb.MoveRequest),
    actions_pb2.DamageOrder: ("damage", pb.DamageRequest),
}
SECOND = 1_000_000
DELAY = 100


class Noticed:
    def __init__(self) -> None:
        self.landed_at: list[tuple[str, int, int]] = []
        self.parted_at: list[tuple[str, str]] = []

    def landed(self, session: Session, action: Action) -> None:
        self.landed_at.append((session.record.id, session.revision, action.revision))

    def parted(self, slug: str, where: str) -> None:
        self.parted_at.append((slug, where))


class Desk:
    """Endpoints over a store of their own, with a clock that is set by hand."""

    def __init__(self, server: servers.Server) -> None:
        self.server = server
        self.noticed = Noticed()
        self.store = RedisStore(server.url)
        self.now = 1_790_000_000 * SECOND
        shelf = Shelf(self.store, self.noticed)
        self.endpoints = Endpoints(shelf, clock=lambda: self.now, page_key=b"k")

    def create(self, **fields: Any) -> pb.Session:
        return self.endpoints.CreateSession(pb.CreateSessionRequest(setup=SETUP, **fields), who())


@pytest.fixture
def desk() -> Iterator[Desk]:
    with servers.Server(servers.valkey_program()) as server:
        made = Desk(server)
        yield made
        made.store.close()


def test_an_action_is_noticed_once_and_what_did_not_land_is_not(desk: Desk) -> None:
    session = desk.create(session_id="one")
    move(desk.endpoints, session, DEPLOY, request_id="request-1")
    move(desk.endpoints, session, DEPLOY, request_id="request-1")
    move(desk.endpoints, session, LAUNCH, validate_only=True)
    with pytest.raises(Refusal):
        move(desk.endpoints, session, DEPLOY)
    with pytest.raises(Refusal):
        move(desk.endpoints, session, LAUNCH, etag='"7"')
    move(desk.endpoints, session, LAUNCH)
    assert desk.noticed.landed_at == [("one", 0, 1), ("one", 1, 2)]


def test_actions_of_a_batch_are_noticed_like_others(desk: Desk) -> None:
    sessions = [desk.create(session_id=name) for name in ("one", "two")]

    def play(*orders: tuple[Any, str]) -> None:
        items = [
            pb.BatchPlayItem(**{verb: request(name=session.name, order=order, request_id=own)})
            for session in sessions
            for order, own in orders
            for verb, request in [REQUESTS[type(order)]]
        ]
        desk.endpoints.BatchPlay(pb.BatchPlayRequest(items=items), who())

    first = (DEPLOY, "request-1"), (LAUNCH, "request-2"), (DEPLOY, "")
    play(*first)  # the last is refused
    play(*first)  # all are told again
    play(first[0], (INSPECT, "request-3"))  # one is told again, one lands
    for name in ("one", "two"):
        landed = [places for session, *places in desk.noticed.landed_at if session == name]
        assert landed == [[0, 1], [1, 2], [2, 3]]


def test_a_film_that_comes_out_otherwise_is_noticed_and_an_honest_one_is_not(desk: Desk) -> None:
    session = desk.create()
    move(desk.endpoints, session, DEPLOY)
    film = desk.endpoints.ExportSession(pb.ExportSessionRequest(name=session.name), who())
    desk.endpoints.ImportSession(pb.ImportSessionRequest(film=film, session_id="copy"), who())
    assert desk.noticed.parted_at == []
    film.actions[0].summary = "It flew away."
    with pytest.raises(Refusal):
        desk.endpoints.ImportSession(pb.ImportSessionRequest(film=film), who())
    assert desk.noticed.parted_at == [("kettering", "import")]


def test_an_action_of_our_own_that_comes_out_otherwise_is_noticed(desk: Desk) -> None:
    names = ["honest", "tampered"]
    for name in names:
        session = desk.create(session_id=name, spectator_delay_seconds=DELAY)
        move(desk.endpoints, session, DEPLOY)
    loaded = desk.endpoints.shelf.load("tampered")
    action = desk.endpoints.shelf.action(loaded, 1)
    assert isinstance(action, Action)
    with desk.server.client() as client:
        ledger = keys_of("tampered")[1]
        client.lset(ledger, 0, encode_action(replace(action, summary="It flew away.")))
    desk.now += 2 * DELAY * SECOND
    for name in names:
        session = desk.endpoints.GetSession(pb.GetSessionRequest(name=f"sessions/{name}"), who())
        desk.endpoints.Damage(
            pb.DamageRequest(name=session.name, order=INSPECT, seat="pilot"), who()
        )
        # The board of a while ago is made by ruling on the first action again.
        seen = desk.endpoints.GetSession(pb.GetSessionRequest(name=session.name), who())
        assert seen.revision == 1
    assert desk.noticed.parted_at == [("kettering", "ledger")]
