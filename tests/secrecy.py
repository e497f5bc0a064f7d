"""Two games that differ only in what one seat has sealed, and everything that anyone else is told.

The games are played one after the other under one session id, with one seed, in an empty store, by
a clock that starts anew; calls carry a request id of their own in the header. So nothing has to be
normalized: what the others get must be equal byte for byte, trailers and headers included. Left
out are a log line's `ms` and `timestamp`, and seats' tokens, which nobody else is told.
"""

from __future__ import annotations

import io
import json
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, fields, replace
from itertools import islice
from typing import Any

import grpc
import structlog
from conftest import Clock
from flask.testing import FlaskClient
from games import example_setup, steps_of
from google.protobuf.message import Message
from guncamera.api.config import Config
from guncamera.api.endpoints import Endpoints
from guncamera.api.grpc_server import build_server
from guncamera.api.rest import create_app
from guncamera.api.rulings import fill_outcome
from guncamera.api.telemetry import Telemetry, configure_log
from guncamera.rules.ruleset import LegalOrder, Ruleset, Verb
from guncamera.rules.shape import shape_of
from guncamera.sessions.shelf import Shelf
from guncamera.v1 import actions_pb2
from guncamera.v1 import session_service_pb2 as pb
from guncamera_client._methods import METHODS
from orders import who
from wire_play import order_of_pilot, request_for, seat_to_act

SESSION = "sessions/secrets"
SEED = "secrecy"
MOST_ACTIONS = 400
CHOICES = 60
SOON = 20.0
REQUESTS = "guncamera_requests_total"
TRANSPORTS = ("rest", "grpc")

Heard = tuple[str, Any]


# Finding what there is to keep secret.


@dataclass(frozen=True)
class Start:
    """How a game begins in which orders are sealed."""

    setup: Any
    settings: dict[str, Any]


def sealing_start(found: Ruleset) -> Start | None:
    """A setup and settings with which a stock playthrough reaches a phase of several seals."""
    if found.sealed_verb is next(f.default for f in fields(Ruleset) if f.name == "sealed_verb"):
        return None
    for start in _starts(found):
        changed = replace(found, book=found.book.with_settings(start.settings))
        steps = steps_of(changed, "stock", SEED, most=MOST_ACTIONS, setup=start.setup)
        if any(_is_scene(changed, board) for _, board in steps):
            return start
    return None


def _is_scene(found: Ruleset, board: Any) -> bool:
    return found.sealed_verb(board) is not None and len(found.active_seats(board)) > 1


def _starts(found: Ruleset) -> Iterator[Start]:
    """The example setup, then each with one choice or one setting changed."""
    setup = example_setup(found)
    yield Start(setup, {})
    for field in shape_of(found.setup):
        if field.kind in ("bool", "enum") and not field.repeated:
            for value in (True, False) if field.kind == "bool" else tuple(field.type):
                yield Start(replace(setup, **{field.name: value}), {})
    for name, spec in found.book.setting_specs.items():
        for choice in spec.choices:
            yield Start(setup, {name: choice.value})


# Playing a game and listening.


@dataclass
class Table:
    """A service in this process, on both transports, and a log that is read."""

    endpoints: Endpoints
    rest: FlaskClient
    channel: grpc.Channel
    telemetry: Telemetry
    log: io.BytesIO
    heard: list[Heard]
    tokens: dict[str | None, str]
    calls: int = 0
    sent: int = 0

    def metrics(self) -> list[str]:
        """What is counted, but for how long it took, and but for watches.

        A watch that its reader gave up is counted whenever its thread next looks.
        """
        lines = self.telemetry.render()[0].decode().splitlines()
        names = (REQUESTS, "guncamera_dice_faces_total", "guncamera_replay_mismatches_total")
        counts = [line for line in lines if line.startswith(names)]
        return [line for line in counts if "WatchSession" not in line]

    def logged(self) -> list[dict[str, Any]]:
        """The request log, but for watches."""
        events = [json.loads(line) for line in self.log.getvalue().splitlines()]
        return [event for event in events if event.get("method") != "WatchSession"]

    def settle(self) -> None:
        """Wait for every request to be logged and counted, which happens after its answer."""
        for _ in range(500):
            calls = [line for line in self.metrics() if line.startswith(REQUESTS)]
            counted = sum(float(line.rpartition(" ")[2]) for line in calls)
            if min(len(self.logged()), counted) >= self.sent:
                return
            time.sleep(0.01)
        raise AssertionError(f"{self.sent} requests, of which {counted:.0f} are counted")

    def tell(
        self, call: str, request: Message, seat: str | None, over: tuple[str, ...] = TRANSPORTS
    ) -> None:
        """Send one request over the transports, and keep everything that comes back."""
        self.calls += 1
        for transport in over:
            send = self._over_rest if transport == "rest" else self._over_grpc
            name = f"{transport}: {self.calls} {call} for {seat or 'a spectator'}"
            self.heard.append((name, send(call, request, seat)))
            self.sent += 1

    def _over_rest(self, call: str, request: Message, seat: str | None) -> Any:
        http = METHODS[call].as_http(request)
        answer = self.rest.open(
            http.path,
            method=http.verb,
            query_string=http.query,
            json=http.body,
            headers=dict(self._headers(seat)),
        )
        if http.verb == "GET" and answer.status_code == 200:
            assert "ETag" in answer.headers, "tags are compared with all the rest"
        return answer.status_code, sorted(answer.headers.items()), answer.data

    def _over_grpc(self, call: str, request: Message, seat: str | None) -> Any:
        send = self.channel.unary_unary(METHODS[call].grpc_path)
        metadata = tuple((key.lower(), value) for key, value in self._headers(seat))
        try:
            data, done = send.with_call(
                request.SerializeToString(), metadata=metadata, timeout=SOON
            )
        except grpc.RpcError as error:
            failed: Any = error
            return failed.code(), failed.details(), sorted(failed.trailing_metadata() or ())
        return data, sorted(done.trailing_metadata() or ())

    def _headers(self, seat: str | None) -> Iterator[tuple[str, str]]:
        yield "X-Request-Id", f"call-{self.calls}"
        if seat in self.tokens:
            yield "Authorization", f"Bearer {self.tokens[seat]}"

    @contextmanager
    def watch(self, seat: str | None) -> Iterator[Callable[[], None]]:
        """Watch over both transports; each look keeps one message of each."""
        request = pb.WatchSessionRequest(name=SESSION, start_revision=1)
        http = METHODS["WatchSession"].as_http(request)
        headers = tuple(self._headers(seat))
        lines = self.rest.open(
            http.path, method="GET", query_string=http.query, headers=dict(headers), buffered=False
        )
        stream = self.channel.unary_stream(METHODS["WatchSession"].grpc_path)(
            request.SerializeToString(),
            metadata=tuple((key.lower(), value) for key, value in headers),
        )
        chunks = iter(lines.iter_encoded())

        def look() -> None:
            who_watches = f"a watch by {seat or 'a spectator'}"
            self.heard.append((f"rest: {who_watches}", next(chunks)))
            self.heard.append((f"grpc: {who_watches}", next(stream)))

        try:
            yield look
        finally:
            stream.cancel()
            lines.close()


@contextmanager
def table(shelf: Shelf) -> Iterator[Table]:
    """A service over an empty store."""
    config = Config(telemetry=Telemetry())
    counted = Shelf(shelf.store, config.telemetry.metrics)
    endpoints = Endpoints(counted, clock=Clock(), page_key=b"a key for tests")
    log = io.BytesIO()
    with ExitStack() as stack:
        configure_log(stream=log)
        stack.callback(structlog.reset_defaults)
        server = build_server(endpoints, address="127.0.0.1:0", config=config)
        server.start()
        stack.callback(lambda: server.stop(0).wait(SOON))
        channel = stack.enter_context(grpc.insecure_channel(f"127.0.0.1:{server.port}"))
        rest = create_app(endpoints, config=config).test_client()
        yield Table(endpoints, rest, channel, config.telemetry, log, [], {})


def open_game(at: Table, found: Ruleset, start: Start, *, seal_seconds: int) -> pb.Session:
    """Create the session and claim every seat."""
    request = pb.CreateSessionRequest(
        session_id=SESSION.partition("/")[2], dice_seed=SEED, seal_seconds=seal_seconds
    )
    fill_outcome(request.setup, found.slug, start.setup)
    settings = actions_pb2.RulesetSettings()
    if start.settings:
        book = found.book.with_settings(start.settings)
        fill_outcome(settings, found.slug, book.settings)
        request.settings.CopyFrom(settings)
    return at.endpoints.CreateSession(request, who())


def play_to_scene(at: Table, found: Ruleset, session: pb.Session, scenes: int) -> pb.Session | None:
    """Play stock orders to the nth phase that several seats seal in; None if there is none."""
    for number in range(MOST_ACTIONS):
        if not session.active_seats:
            return None
        is_scene = session.sealed_verb and len(session.active_seats) > 1
        if is_scene and not session.sealed_seats:
            scenes -= 1
            if scenes < 0:
                return session
        seat = seat_to_act(session)
        order = order_of_pilot(at.endpoints, session, found, "stock", number, seat)
        call, request = request_for(session, found.slug, order, seat)
        getattr(at.endpoints, call)(request, who())
        session = at.endpoints.GetSession(pb.GetSessionRequest(name=SESSION), who())
    return None


def legal(at: Table, found: Ruleset, seat: str, verb: str) -> list[LegalOrder]:
    """Some orders that the seat may seal, the first and the last of them unlike."""
    session = at.endpoints.shelf.load(SESSION.partition("/")[2])
    board, book = session.state.board, session.record.book
    orders = list(islice(found.legal_orders(board, seat, book), CHOICES))
    return [order for order in orders if order.verb is Verb(verb)]


@dataclass(frozen=True)
class Game:
    """What one game looked like to everyone but the seat with a secret.

    Attributes:
        heard: Every answer, up to that to the last seat that sealed.
        log: The request log of the same time.
        metrics: How often each call was answered how.
        revealed: The ledger as a spectator reads it after the reveal.
    """

    heard: list[Heard]
    log: list[dict[str, Any]]
    metrics: list[str]
    revealed: list[Heard]


def play_game(
    shelf: Shelf, found: Ruleset, start: Start, *, scene: int, turned: bool, last_over: str
) -> Game | None:
    """Play to a scene, seal a secret and amend it, with everyone else looking on all the time.

    Args:
        scene: Which phase of several seals, from 0; None is returned where there is none.
        turned: Exchange the two secrets, of which the second takes the place of the first.
        last_over: The transport of the seal that reveals.
    """
    with table(shelf) as at:
        deadline = 3600 if found.default_order is not None else 0
        session = open_game(at, found, start, seal_seconds=deadline)
        session = play_to_scene(at, found, session, scene)
        if session is None:
            return None
        at.log.truncate(0)
        at.log.seek(0)
        holder, *others = session.active_seats
        for seat in (one.id for one in session.seats):
            claimed = at.endpoints.ClaimSeat(pb.ClaimSeatRequest(name=SESSION, seat=seat), who())
            at.tokens[seat] = claimed.token
        orders = legal(at, found, holder, session.sealed_verb)
        assert orders[0].order != orders[-1].order, "there is nothing to keep secret"
        secrets = (orders[0], orders[-1])
        onlookers = [*(one.id for one in session.seats if one.id != holder), None]
        with ExitStack() as stack:
            watches = [stack.enter_context(at.watch(seat)) for seat in onlookers]
            look_at(watches * (session.revision or 1))
            for order in reversed(secrets) if turned else secrets:
                _seal(at, found, session, order, holder)
                for seat in onlookers:
                    ask_everything(at, found, session, holder, seat)
            look_at(watches)  # one message says that the seat has sealed, and none that it amended
            for seat in others[:-1]:
                _seal(at, found, session, legal(at, found, seat, session.sealed_verb)[0], seat)
                look_at(watches)
                for onlooker in onlookers:
                    ask_everything(at, found, session, holder, onlooker)
        at.settle()
        log = at.logged()
        last = legal(at, found, others[-1], session.sealed_verb)[0]
        _seal(at, found, session, last, others[-1], over=(last_over,))
        heard, at.heard = at.heard, []
        at.tell("ListActions", list_actions(after_revision=session.revision), None)
        at.settle()
        return Game(heard, without_times(log), at.metrics(), at.heard)


def look_at(watches: list[Callable[[], None]]) -> None:
    for look in watches:
        look()


def _seal(
    at: Table,
    found: Ruleset,
    session: pb.Session,
    order: LegalOrder,
    seat: str,
    over: tuple[str, ...] = TRANSPORTS,
) -> None:
    """Seal; over the second transport it is an amendment that changes nothing."""
    _, request = request_for(session, found.slug, order, seat)
    at.tell("SealOrder", request, seat, over)


def list_actions(**fields: Any) -> pb.ListActionsRequest:
    return pb.ListActionsRequest(parent=SESSION, **fields)


def ask_everything(
    at: Table, found: Ruleset, session: pb.Session, holder: str, seat: str | None
) -> None:
    """Every call that could tell a seat, or a spectator, what the holder has sealed."""
    name, revision = SESSION, session.revision
    at.tell("GetSession", pb.GetSessionRequest(name=name), seat)
    at.tell("GetSession", pb.GetSessionRequest(name=name, seat=holder), seat)
    at.tell("ListSessions", pb.ListSessionsRequest(), seat)
    at.tell("ListActions", list_actions(), seat)
    at.tell("ListActions", list_actions(seat=holder), seat)
    at.tell("ExportSession", pb.ExportSessionRequest(name=name), seat)
    at.tell("DrawBoard", pb.DrawBoardRequest(name=name), seat)
    for number in {1, revision, revision + 1} - {0}:
        action = f"{name}/actions/{number:08d}"
        at.tell("GetAction", pb.GetActionRequest(name=action), seat)
    at.tell("RevealOrders", pb.RevealOrdersRequest(name=name), seat)
    ask_to_undo(at, revision, seat or holder, seat)
    for asked in {seat, holder} - {None}:
        page = pb.ListLegalOrdersRequest(name=name, seat=asked, page_size=7)
        at.tell("ListLegalOrders", page, seat)
        drawn = pb.ListLegalOrdersRequest(
            name=name, seat=asked, sample_count=3, sample_seed="secrecy"
        )
        at.tell("ListLegalOrders", drawn, seat)
        begun = pb.ListLegalOrdersRequest(name=name, seat=asked, so_far="")
        at.tell("ListLegalOrders", begun, seat)
        for order in legal(at, found, asked, session.sealed_verb)[:2]:
            _, request = request_for(session, found.slug, order, asked, validate_only=True)
            at.tell("SealOrder", request, seat)
            request.etag = '"999999"'
            at.tell("SealOrder", request, seat)
        for one in session.active_seats:
            # Another seat's order is refused, and what is offered instead is told.
            theirs = legal(at, found, one, session.sealed_verb)[0]
            _, request = request_for(
                session, found.slug, theirs, asked, validate_only=True, nearest_count=3
            )
            at.tell("SealOrder", request, seat)
    for verb in found.procedures:
        empty = getattr(pb, f"{verb.capitalize()}Request")(name=name, validate_only=True)
        getattr(empty.order, found.slug).SetInParent()
        at.tell(verb.capitalize(), empty, seat)


def ask_to_undo(at: Table, revision: int, asked: str, seat: str | None) -> None:
    """What a seat is told that asks whether something could be taken back; nothing is."""
    for back in {0, revision - 1, revision} - {-1}:
        for by_agreement in (False, True):
            request = pb.UndoRequest(
                name=SESSION,
                seat=asked,
                to_revision=back,
                by_agreement=by_agreement,
                validate_only=True,
            )
            at.tell("Undo", request, seat)


def without_times(log: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Which calls ended first where two transports are asked at once does not matter."""
    for event in log:
        del event["ms"], event["timestamp"]
    return sorted(log, key=lambda event: json.dumps(event, sort_keys=True))
