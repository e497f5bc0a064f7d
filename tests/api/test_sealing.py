"""Sealing over the wire: what each seat is shown, the refusals, headers, films and streams."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import duel
import pytest
import secrecy
from flask.testing import FlaskClient
from guncamera.api.config import Config
from guncamera.api.endpoints import Endpoints
from guncamera.api.films import FILM_FORMAT, action_message, read_film, session_message
from guncamera.api.grpc_server import build_server
from guncamera.api.rest import create_app
from guncamera.api.rulings import fill_outcome
from guncamera.rules.refusal import Malformed
from guncamera.rules.ruleset import LegalOrder, Ruleset
from guncamera.sessions import film as films
from guncamera.sessions import refusals
from guncamera.sessions.refusals import FilmInvalid
from guncamera.sessions.session import Session
from guncamera.sessions.shelf import Shelf
from guncamera.v1 import session_service_pb2 as pb
from guncamera_client import Client, errors
from guncamera_client._methods import METHODS
from orders import who
from wire_play import order_of_pilot, request_for, seat_to_act

HOUR_MICROS = 3600 * 1_000_000


class Scene:
    """A session in which several seats are to seal, reached by stock pilots."""

    def __init__(self, endpoints: Endpoints, found: Ruleset) -> None:
        self.endpoints, self.found = endpoints, found
        self.now = 1_790_000_000_000_000
        endpoints.clock = lambda: self.now
        start = secrecy.sealing_start(found)
        assert start is not None
        self.create = pb.CreateSessionRequest(
            dice_seed="sealing", seal_seconds=3600 if found.default_order else 0
        )
        fill_outcome(self.create.setup, found.slug, start.setup)
        if start.settings:
            settings = found.book.with_settings(start.settings).settings
            fill_outcome(self.create.settings, found.slug, settings)
        session = endpoints.CreateSession(self.create, who())
        for number in range(secrecy.MOST_ACTIONS):
            if session.sealed_verb and len(session.active_seats) > 1:
                break
            seat = seat_to_act(session)
            order = order_of_pilot(endpoints, session, found, "stock", number, seat)
            self.send(*request_for(session, found.slug, order, seat))
            session = self.read(session.name)
        self.name = session.name
        self.start = session
        self.seats = list(session.active_seats)

    def read(self, name: str = "", seat: str = "", token: str | None = None) -> pb.Session:
        request = pb.GetSessionRequest(name=name or self.name, seat=seat)
        found: pb.Session = self.endpoints.GetSession(request, who(token))
        return found

    def send(self, call: str, request: Any, token: str | None = None) -> Any:
        return getattr(self.endpoints, call)(request, who(token))

    @property
    def stored(self) -> Session:
        return self.endpoints.shelf.load(self.name.partition("/")[2])

    def orders(self, seat: str) -> list[LegalOrder]:
        board, book = self.stored.state.board, self.stored.record.book
        listed = self.found.legal_orders(board, seat, book)
        return [one for one, _ in zip(listed, range(40)) if one.verb == self.start.sealed_verb]

    def request(self, seat: str, order: LegalOrder | None = None, **fields: Any) -> Any:
        made = request_for(
            self.start, self.found.slug, order or self.orders(seat)[0], seat, **fields
        )
        return made[1]

    def seal(self, seat: str, order: LegalOrder | None = None, **fields: Any) -> Any:
        return self.send("SealOrder", self.request(seat, order, **fields))

    def openly(self, seat: str) -> tuple[str, Any]:
        """The same order, given to the verb itself."""
        in_the_open = pb.Session(name=self.name)
        return request_for(in_the_open, self.found.slug, self.orders(seat)[0], seat)


@pytest.fixture
def shelf(sealing_ruleset: Ruleset) -> Iterator[Shelf]:
    with duel.own_store() as (_, shelf):
        yield shelf


@pytest.fixture
def scene(endpoints: Endpoints, sealing_ruleset: Ruleset) -> Scene:
    return Scene(endpoints, sealing_ruleset)


@pytest.fixture
def rest(scene: Scene) -> FlaskClient:
    return create_app(scene.endpoints, config=Config()).test_client()


@pytest.fixture
def client(scene: Scene) -> Iterator[Client]:
    server = build_server(scene.endpoints, address="127.0.0.1:0", config=Config())
    server.start()
    with Client(f"127.0.0.1:{server.port}") as client:
        yield client
    server.stop(0).wait(10)


def test_a_seat_is_shown_its_own_order_and_nobody_elses(scene: Scene) -> None:
    holder, other = scene.seats[:2]
    order = scene.orders(holder)[-1]
    scene.seal(holder, order)
    mine, theirs, anyone = scene.read(seat=holder), scene.read(seat=other), scene.read()
    for session in (mine, theirs, anyone):
        assert list(session.sealed_seats) == [holder]
        assert session.sealed_verb == scene.start.sealed_verb
        assert list(session.active_seats) == scene.seats
        assert (session.revision, session.etag) == (scene.start.revision, scene.start.etag)
        assert session.expire_time == scene.start.expire_time
    verb = scene.start.sealed_verb
    assert mine.sealed_order.WhichOneof("order") == verb
    request = scene.request(holder, order)
    assert getattr(mine.sealed_order, verb) == getattr(request, verb)
    assert not theirs.HasField("sealed_order")
    assert not anyone.HasField("sealed_order")
    listed = scene.endpoints.ListSessions(pb.ListSessionsRequest(page_size=100), who())
    assert not any(session.HasField("sealed_order") for session in listed.sessions)


def test_a_claimed_seats_order_needs_its_token(scene: Scene) -> None:
    holder = scene.seats[0]
    scene.seal(holder)
    claim = pb.ClaimSeatRequest(name=scene.name, seat=holder)
    token = scene.endpoints.ClaimSeat(claim, who()).token
    with pytest.raises(refusals.SeatForbidden):
        scene.read(seat=holder)
    assert scene.read(token=token).HasField("sealed_order")


def test_the_last_seal_makes_one_action_of_each_order(scene: Scene) -> None:
    answers = [scene.seal(seat) for seat in scene.seats]
    assert [answer.revealed for answer in answers] == [False] * (len(answers) - 1) + [True]
    assert {answer.revision for answer in answers} == {scene.start.revision}
    assert [len(answer.waiting_seats) for answer in answers] == [*reversed(range(len(answers)))]
    page = scene.endpoints.ListActions(
        pb.ListActionsRequest(parent=scene.name, after_revision=scene.start.revision), who()
    )
    assert sorted(action.seat for action in page.actions) == sorted(scene.seats)
    assert {action.WhichOneof("order") for action in page.actions} == {scene.start.sealed_verb}
    assert not any(action.rolls for action in page.actions)
    session = scene.read()
    assert session.revision == scene.start.revision + len(scene.seats)
    assert not session.sealed_seats


def test_legal_orders_are_listed_before_and_after_a_seal(scene: Scene) -> None:
    seat = scene.seats[0]
    request = pb.ListLegalOrdersRequest(name=scene.name, seat=seat, page_size=20)
    before = scene.endpoints.ListLegalOrders(request, who())
    assert before.orders
    assert {order.WhichOneof("order") for order in before.orders} == {scene.start.sealed_verb}
    scene.seal(seat)
    assert scene.endpoints.ListLegalOrders(request, who()) == before


def test_validate_only_checks_and_seals_nothing(scene: Scene) -> None:
    *_, last = scene.seats
    for seat in scene.seats[:-1]:
        scene.seal(seat)
    answer = scene.seal(last, validate_only=True)
    assert (list(answer.waiting_seats), answer.revealed) == ([], False)
    assert scene.read().revision == scene.start.revision
    with pytest.raises(refusals.EtagMismatch):
        scene.seal(last, validate_only=True, etag='"999"')


def test_an_order_that_is_missing_or_half_is_malformed(scene: Scene) -> None:
    request = pb.SealOrderRequest(name=scene.name, seat=scene.seats[0])
    with pytest.raises(Malformed) as caught:
        scene.send("SealOrder", request)
    assert caught.value.field == "order"
    assert (
        caught.value.message == "order: missing; set exactly one of move, wind, spot, fire, damage."
    )
    getattr(request, scene.start.sealed_verb).SetInParent()
    with pytest.raises(Malformed) as caught:
        scene.send("SealOrder", request)
    assert caught.value.field == scene.start.sealed_verb


def test_a_film_holds_no_seals_and_says_the_deadline(scene: Scene) -> None:
    holder = scene.seats[0]
    request = pb.ExportSessionRequest(name=scene.name, seat=holder)
    before = scene.endpoints.ExportSession(request, who())
    scene.seal(holder)
    film = scene.endpoints.ExportSession(request, who())
    assert film == before
    assert film.session.seal_seconds == scene.create.seal_seconds
    assert not film.session.sealed_verb
    assert not film.session.sealed_seats
    assert not film.session.HasField("reveal_time")
    again = scene.endpoints.ImportSession(pb.ImportSessionRequest(film=film), who())
    assert again.seal_seconds == scene.create.seal_seconds
    assert (again.revision, list(again.sealed_seats)) == (film.session.revision, [])
    assert again.sealed_verb == scene.start.sealed_verb


def test_the_film_of_a_reveal_holds(scene: Scene) -> None:
    for seat in scene.seats:
        scene.seal(seat)
    request = pb.ExportSessionRequest(name=scene.name)
    film = read_film(scene.endpoints.ExportSession(request, who()))
    assert films.replay(film).differences == ()


# Refusals, as both transports tell them.


def test_the_open_verb_is_refused_with_the_way_out(
    scene: Scene, rest: FlaskClient, client: Client
) -> None:
    seat = scene.seats[0]
    call, request = scene.openly(seat)
    with pytest.raises(refusals.SealRequired):
        scene.send(call, request)
    problem = problem_of(post(rest, call, request), 409, "SEAL_REQUIRED")
    assert "SealOrder" in problem["detail"]
    with pytest.raises(errors.SealRequired):
        client.give_order(scene.name, legal_order(scene, seat), seat=seat)


def test_what_is_not_sealed_now_is_refused(scene: Scene, rest: FlaskClient, client: Client) -> None:
    seat = scene.seats[0]
    given = legal_order(scene, seat)
    for verb in scene.found.procedures:
        request = pb.SealOrderRequest(name=scene.name, seat=seat)
        getattr(getattr(request, verb), scene.found.slug).SetInParent()
        answer = post(rest, "SealOrder", request)
        # An empty order may be nonsense to begin with, which is told first.
        if verb != scene.start.sealed_verb and answer.status_code != 400:
            problem_of(answer, 409, "NOTHING_TO_SEAL")
    for one in scene.seats:
        scene.seal(one)
    session = scene.read()
    if session.sealed_verb:
        pytest.skip("the next phase seals again")
    with pytest.raises(errors.NothingToSeal):
        client.seal_order(scene.name, given, seat=session.active_seats[0])


def test_a_reveal_before_its_time_says_when_to_come_back(
    scene: Scene, rest: FlaskClient, client: Client
) -> None:
    if not scene.create.seal_seconds:
        pytest.skip("the rule set states no order for a seat that is late")
    session = scene.read()
    due = session.reveal_time.ToMicroseconds()
    assert due == scene.now + HOUR_MICROS
    scene.now += 1000 * 1_000_000
    request = pb.RevealOrdersRequest(name=scene.name)
    answer = post(rest, "RevealOrders", request)
    problem = problem_of(answer, 409, "REVEAL_NOT_DUE")
    assert problem["metadata"] == {"seconds_left": "2600"}
    assert answer.headers["Retry-After"] == "2600"
    with pytest.raises(errors.RevealNotDue) as caught:
        client.reveal_orders(scene.name)
    assert caught.value.retry_after_seconds == 2600
    scene.now = due
    seat = scene.seats[-1]
    scene.seal(seat)
    revealed = client.reveal_orders(scene.name)
    assert list(revealed.late_seats) == scene.seats[:-1]
    assert revealed.first_revision == scene.start.revision + 1
    assert revealed.revision == scene.read().revision


def test_whoever_sees_an_order_is_told_whether_its_seat_was_late(scene: Scene) -> None:
    late = reveal_late(scene)
    stored = scene.endpoints.shelf.actions(
        scene.stored, after_revision=scene.start.revision, limit=len(scene.seats)
    )
    assert {one.seat: one.by_default for one in stored} == {
        seat: seat in late for seat in scene.seats
    }
    for viewer in (*scene.seats, ""):
        actions = actions_for(scene, viewer)
        assert len(actions) == len(scene.seats)
        assert all(one.WhichOneof("order") for one in actions if one.seat == viewer)
        for action in actions:
            # A default can be guessed: who is told of it is told the order.
            assert action.by_default == (bool(action.WhichOneof("order")) and action.seat in late)


def test_nobody_is_late_who_has_sealed(scene: Scene) -> None:
    for seat in scene.seats:
        scene.seal(seat)
    actions = [one for viewer in scene.seats for one in actions_for(scene, viewer)]
    assert len(actions) == len(scene.seats) ** 2
    assert not any(one.HasField("by_default") for one in actions), "as it was before there was one"


def test_a_film_says_whose_seats_were_late_where_there_was_a_deadline(scene: Scene) -> None:
    late = reveal_late(scene)
    session, ledger = scene.stored, scene.endpoints.shelf
    actions = tuple(ledger.actions(session, after_revision=0, limit=500))
    film = pb.Film(
        format=FILM_FORMAT,
        session=session_message(session, None, with_seals=False),
        actions=[action_message(session.record, one) for one in actions],
    )
    fill_outcome(film.session.setup, scene.found.slug, session.record.setup)
    read = read_film(film)
    assert read.actions == actions
    assert {one.seat for one in read.actions if one.by_default} == set(late)
    assert films.replay(read).differences == ()
    again = [step.again for step in films.steps_of(read)]
    assert [one.by_default for one in again] == [one.by_default for one in actions]
    film.session.seal_seconds = 0
    with pytest.raises(FilmInvalid) as caught:
        read_film(film)
    place = next(at for at, one in enumerate(actions) if one.by_default)
    assert caught.value.field == f"film.actions[{place}].by_default"


def test_a_film_that_wrongly_says_who_was_late_is_found_out(scene: Scene) -> None:
    default_order = scene.found.default_order
    if default_order is None:
        pytest.skip("the rule set states no order for a seat that is late")
    session, last = scene.stored, scene.seats[-1]
    stated = default_order(session.state.board, last, session.record.book)
    scene.seal(last, next(one for one in scene.orders(last) if one.order != stated))
    scene.now = scene.read().reveal_time.ToMicroseconds()
    scene.send("RevealOrders", pb.RevealOrdersRequest(name=scene.name))
    first, started = scene.start.revision, session.state.changed_micros
    actions = tuple(scene.endpoints.shelf.actions(session, after_revision=0, limit=500))

    def found(*entries: Any) -> list[tuple[int, str]]:
        again = films.replay(films.Film(session.record, entries, scene.stored.state.result))
        assert {one.what for one in again.differences} <= {"by_default"}
        return [(one.revision, one.recomputed) for one in again.differences]

    assert found(*actions) == []
    early = [
        replace(one, create_micros=started + HOUR_MICROS - 1_500_000) for one in actions[first:]
    ]
    said = "false, for there were 1.5 seconds left to seal"
    late = [one.revision for one in early if one.by_default]
    assert found(*actions[:first], *early) == [(number, said) for number in late]
    for at, one in enumerate(actions):
        marked = [*actions[:at], replace(one, by_default=True), *actions[at + 1 :]]
        if at < first:
            assert found(*marked) == [(at + 1, "false, for nothing was sealed there")]
        elif one.seat == last:
            assert found(*marked) == [(at + 1, "false, for the rule set states another order")]
        else:
            assert found(*marked) == []


def test_without_a_deadline_nothing_is_revealed(scene: Scene, rest: FlaskClient) -> None:
    scene.create.seal_seconds = 0
    other = scene.endpoints.CreateSession(scene.create, who())
    assert other.seal_seconds == 0
    assert not other.HasField("reveal_time")
    expected = "NO_SEAL_DEADLINE" if other.sealed_verb else "NOTHING_TO_SEAL"
    problem_of(post(rest, "RevealOrders", pb.RevealOrdersRequest(name=other.name)), 409, expected)


@pytest.mark.parametrize("seconds", [-1, 604_801])
def test_a_deadline_out_of_range_is_malformed(
    scene: Scene, rest: FlaskClient, seconds: int
) -> None:
    scene.create.seal_seconds = seconds
    problem = problem_of(post(rest, "CreateSession", scene.create), 400, "INPUT_INVALID")
    assert [one["field"] for one in problem["violations"]] == ["seal_seconds"]


# Headers and streams.


def test_headers_stand_for_etag_and_request_id(scene: Scene, rest: FlaskClient) -> None:
    seat = scene.seats[0]
    request = scene.request(seat)
    stale = post(rest, "SealOrder", request, {"If-Match": '"999"'})
    problem_of(stale, 412, "ETAG_MISMATCH")
    headers = {"If-Match": scene.start.etag, "Idempotency-Key": str(uuid.uuid4())}
    first, again = (post(rest, "SealOrder", request, headers) for _ in range(2))
    assert first.data == again.data
    assert "Idempotent-Replayed" not in first.headers
    assert again.headers["Idempotent-Replayed"] == "true"
    other = scene.request(seat, scene.orders(seat)[-1])
    problem_of(post(rest, "SealOrder", other, headers), 422, "REQUEST_ID_REUSED")


def test_a_retry_of_the_seal_that_revealed_gets_the_same_answer(
    scene: Scene, client: Client
) -> None:
    *early, last = scene.seats
    for seat in early:
        scene.seal(seat)
    order = legal_order(scene, last)
    answers = [
        client.seal_order(scene.name, order, seat=last, request_id="the-last-of-all")
        for _ in range(3)
    ]
    assert answers[0].revealed
    assert answers == [answers[0]] * 3
    assert scene.read().revision == scene.start.revision + len(scene.seats)
    with pytest.raises(errors.RequestIdReused):
        client.reveal_orders(scene.name, request_id="the-last-of-all")


def test_a_watch_says_who_has_sealed(scene: Scene, rest: FlaskClient, client: Client) -> None:
    path = f"/v1/{scene.name}:watch"
    lines = iter(rest.get(path, buffered=False).iter_encoded())
    stream = client._channels[0].unary_stream(
        "/guncamera.v1.SessionService/WatchSession",
        request_serializer=pb.WatchSessionRequest.SerializeToString,
        response_deserializer=pb.WatchSessionResponse.FromString,
    )(pb.WatchSessionRequest(name=scene.name))
    assert "heartbeat" in json.loads(next(lines))
    assert next(stream).HasField("heartbeat")
    scene.seal(scene.seats[0])
    line, told = json.loads(next(lines)), next(stream)
    assert line == {"sealed": {"seats": [scene.seats[0]]}, "cursor": told.cursor}
    assert list(told.sealed.seats) == [scene.seats[0]]
    stream.cancel()


def test_the_clients_watch_passes_over_what_is_no_action(scene: Scene, client: Client) -> None:
    revision = scene.start.revision
    with client.watch_session(scene.name, start_revision=revision + 1) as watching:
        for seat in scene.seats:
            scene.seal(seat)
        seen = [next(watching).revision for _ in scene.seats]
    assert seen == [revision + 1 + n for n in range(len(scene.seats))]


def test_a_waiting_poll_gets_the_whole_reveal(scene: Scene) -> None:
    for seat in scene.seats:
        scene.seal(seat)
    page = scene.endpoints.ListActions(
        pb.ListActionsRequest(
            parent=scene.name, after_revision=scene.start.revision, wait_seconds=5
        ),
        who(),
    )
    assert len(page.actions) == len(scene.seats)


def reveal_late(scene: Scene) -> list[str]:
    """Reveal when only the last seat has sealed; the seats that were late."""
    if not scene.create.seal_seconds:
        pytest.skip("the rule set states no order for a seat that is late")
    scene.seal(scene.seats[-1])
    scene.now += HOUR_MICROS
    revealed = scene.send("RevealOrders", pb.RevealOrdersRequest(name=scene.name))
    assert list(revealed.late_seats) == scene.seats[:-1] != []
    return scene.seats[:-1]


def actions_for(scene: Scene, viewer: str) -> list[pb.Action]:
    """What the scene's reveal has added to the ledger, as a seat reads it."""
    request = pb.ListActionsRequest(
        parent=scene.name, after_revision=scene.start.revision, seat=viewer
    )
    return list(scene.endpoints.ListActions(request, who()).actions)


def legal_order(scene: Scene, seat: str) -> pb.LegalOrder:
    """The first order that the API lists for a seat."""
    request = pb.ListLegalOrdersRequest(name=scene.name, seat=seat, page_size=1)
    order: pb.LegalOrder = scene.endpoints.ListLegalOrders(request, who()).orders[0]
    return order


def post(rest: FlaskClient, call: str, request: Any, headers: dict[str, str] | None = None) -> Any:
    http = METHODS[call].as_http(request)
    return rest.open(http.path, method=http.verb, json=http.body, headers=headers or {})


def problem_of(answer: Any, status: int, reason: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(answer.data)
    assert (answer.status_code, document["reason"]) == (status, reason), document
    return document
