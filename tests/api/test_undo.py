"""Undo over the wire: REST and gRPC alike, in films, receipts, watches and pictures."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import Any

import duel
import pytest
from conftest import Clock
from flask.testing import FlaskClient
from google.protobuf.json_format import MessageToDict
from guncamera.api.config import Config
from guncamera.api.endpoints import Endpoints
from guncamera.api.film_check import check_receipts, check_writing
from guncamera.api.films import read_film
from guncamera.api.grpc_server import build_server
from guncamera.api.rest import create_app
from guncamera.rules.refusal import Malformed
from guncamera.sessions import film as films
from guncamera.sessions import refusals
from guncamera.v1 import session_service_pb2 as pb
from guncamera_client import Client, errors
from orders import DEPLOY, INSPECT, LAUNCH, SETUP, who
from paired import BLUE, PAIRED, RED
from wire_play import play_step

NAMES = itertools.count(1)


@pytest.fixture(scope="module")
def endpoints() -> Iterator[Endpoints]:
    with duel.registered(PAIRED), duel.own_store() as (_, shelf):
        yield Endpoints(shelf, clock=Clock(), page_key=b"a key for tests")


@pytest.fixture(scope="module")
def rest(endpoints: Endpoints) -> FlaskClient:
    return create_app(endpoints, config=Config()).test_client()


@pytest.fixture(scope="module")
def client(endpoints: Endpoints) -> Iterator[Client]:
    server = build_server(endpoints, address="127.0.0.1:0", config=Config())
    server.start()
    with Client(f"127.0.0.1:{server.port}") as client:
        yield client
    server.stop(0).wait(20)


@pytest.fixture
def session(endpoints: Endpoints) -> pb.Session:
    """Both have deployed, and it is red's turn."""
    name = f"undo-{next(NAMES)}"
    request = pb.CreateSessionRequest(setup=SETUP, session_id=name, dice_seed=name)
    created = endpoints.CreateSession(request, who())
    for seat in (RED, BLUE):
        sealed = pb.SealOrderRequest(name=created.name, seat=seat, move=DEPLOY)
        endpoints.SealOrder(sealed, who())
    return now(endpoints, created)


def now(endpoints: Endpoints, session: pb.Session, **fields: Any) -> pb.Session:
    return endpoints.GetSession(pb.GetSessionRequest(name=session.name, **fields), who())


def inspect(endpoints: Endpoints, session: pb.Session) -> pb.Action:
    """Red's action without dice."""
    return endpoints.Damage(pb.DamageRequest(name=session.name, seat=RED, order=INSPECT), who())


def launch(endpoints: Endpoints, session: pb.Session) -> pb.Action:
    """Red's action with dice."""
    return endpoints.Move(pb.MoveRequest(name=session.name, seat=RED, order=LAUNCH), who())


def undo(endpoints: Endpoints, session: pb.Session, **fields: Any) -> pb.UndoResponse:
    return endpoints.Undo(pb.UndoRequest(name=session.name, **fields), who())


def test_an_undo_is_an_action_like_any_other(
    endpoints: Endpoints, rest: FlaskClient, session: pb.Session
) -> None:
    inspect(endpoints, session)
    response = rest.post(f"/v1/{session.name}:undo", json={"seat": RED})
    assert (response.status_code, response.headers["ETag"]) == (200, '"4"')
    plain = json.loads(response.data)
    assert plain["to_revision"] == 2
    assert (plain["agreed_seats"], plain["waiting_seats"]) == ([RED], [])
    assert (plain["revision"], plain["etag"]) == (4, '"4"')
    action = plain["action"]
    assert action["name"] == f"{session.name}/actions/00000004"
    assert action["undo"] == {"to_revision": 2}
    assert action["undo_outcome"] == {"agreed_seats": [RED]}
    assert (action["rolls"], action["trace"], action["events"]) == ([], [], [])
    assert action["dice_source"] == "DICE_SOURCE_UNSPECIFIED"
    read = rest.get(f"/v1/{session.name}/actions/4")
    assert json.loads(read.data) == action
    listed = json.loads(rest.get(f"/v1/{session.name}/actions").data)["actions"]
    assert [one.get("undo") for one in listed] == [None, None, None, {"to_revision": 2}]
    assert now(endpoints, session).board == session.board


def test_a_picture_is_that_of_the_board_again(
    endpoints: Endpoints, rest: FlaskClient, session: pb.Session
) -> None:
    before = rest.get(f"/v1/{session.name}/board.svg?seat={RED}").data
    launch(endpoints, session)
    assert rest.get(f"/v1/{session.name}/board.svg?seat={RED}").data != before
    for seat in (RED, BLUE):
        undo(endpoints, session, seat=seat, to_revision=2, by_agreement=True)
    assert rest.get(f"/v1/{session.name}/board.svg?seat={RED}").data == before


@pytest.mark.parametrize(
    ("fields", "status", "reason", "cause"),
    [
        ({}, 409, "UNDO_NEEDS_AGREEMENT", "dice"),
        ({"to_revision": 0}, 409, "UNDO_NEEDS_AGREEMENT", "reveal"),
        ({"to_revision": 1}, 409, "UNDO_IMPOSSIBLE", "amid-reveal"),
        ({"to_revision": 3}, 400, "INPUT_INVALID", None),
        ({"to_revision": -1}, 400, "INPUT_INVALID", None),
    ],
)
def test_refusals_are_typed_on_both_transports(
    endpoints: Endpoints,
    rest: FlaskClient,
    client: Client,
    session: pb.Session,
    fields: dict[str, Any],
    status: int,
    reason: str,
    cause: str | None,
) -> None:
    launch(endpoints, session)
    seat = BLUE if cause == "reveal" else RED  # who was revealed first
    response = rest.post(f"/v1/{session.name}:undo", json={"seat": seat, **fields})
    problem = json.loads(response.data)
    assert (response.status_code, problem["reason"]) == (status, reason)
    assert problem["metadata"].get("cause") == cause
    with pytest.raises(errors.GuncameraError) as caught:
        client.undo(session, seat=seat, **fields)
    assert caught.value.reason == reason
    assert caught.value.facts.get("cause") == cause
    kinds = {
        "UNDO_NEEDS_AGREEMENT": errors.UndoNeedsAgreement,
        "UNDO_IMPOSSIBLE": errors.UndoImpossible,
        "INPUT_INVALID": errors.InputInvalid,
    }
    assert type(caught.value) is kinds[reason]
    assert now(endpoints, session).revision == 3


def test_offers_are_shown_to_everyone_and_answered_over_any_transport(
    endpoints: Endpoints, rest: FlaskClient, client: Client, session: pb.Session
) -> None:
    launch(endpoints, session)
    answer = client.undo(session, seat=RED, by_agreement=True)
    assert (list(answer.agreed_seats), list(answer.waiting_seats)) == ([RED], [BLUE])
    assert (answer.etag, answer.HasField("action")) == ('"3"', False)
    seen = json.loads(rest.get(f"/v1/{session.name}").data)
    assert seen["undo_offers"] == {"offers": [{"seat": RED, "to_revision": 2}]}
    assert (seen["revision"], seen["etag"]) == (3, '"3"')
    response = rest.post(
        f"/v1/{session.name}:undo",
        json={"seat": BLUE, "to_revision": 2, "by_agreement": True},
        headers={"If-Match": '"3"'},
    )
    plain = json.loads(response.data)
    assert plain["action"]["undo_outcome"]["agreed_seats"] == [RED, BLUE]
    assert "undo_offers" not in json.loads(rest.get(f"/v1/{session.name}").data)


def test_an_etag_that_is_stale_takes_nothing_back(
    endpoints: Endpoints, session: pb.Session
) -> None:
    inspect(endpoints, session)
    with pytest.raises(refusals.EtagMismatch):
        undo(endpoints, session, seat=RED, etag='"2"')
    answer = undo(endpoints, session, seat=RED, etag='"3"', validate_only=True)
    assert (answer.revision, answer.etag, answer.HasField("action")) == (3, '"3"', False)
    assert now(endpoints, session).revision == 3
    with pytest.raises(Malformed):
        undo(endpoints, session, seat="nobody")


def test_a_stream_tells_offers_and_undos(
    endpoints: Endpoints, rest: FlaskClient, client: Client, session: pb.Session
) -> None:
    with client.watch_session(session, start_revision=1) as watch:
        assert [next(watch).revision for _ in range(2)] == [1, 2]
        inspect(endpoints, session)
        assert next(watch).revision == 3
        undo(endpoints, session, seat=BLUE, to_revision=2, by_agreement=True)
        polled = client.poll_session(session, cursor=watch.cursor)
        assert polled.undo_offers.offers == [pb.UndoOffer(seat=BLUE, to_revision=2)]
        undo(endpoints, session, seat=RED, to_revision=2, by_agreement=True)
        told = next(watch)
        assert (told.revision, told.undo.to_revision) == (4, 2)
        assert watch.undo_offers == ()
    events = rest.get(
        f"/v1/{session.name}:watch?cursor={polled.cursor}",
        headers={"Accept": "text/event-stream"},
        buffered=False,
    )
    text = b""
    for chunk in events.iter_encoded():
        text += chunk
        if b"event: action" in text:
            break
    events.close()
    assert b'"undo"' in text


def test_a_stream_holds_an_offer_until_it_is_over(
    endpoints: Endpoints, client: Client, session: pb.Session
) -> None:
    inspect(endpoints, session)
    undo(endpoints, session, seat=BLUE, to_revision=2, by_agreement=True)
    with client.watch_session(session, start_revision=4) as watch:
        # The offer is told first, and then what a third party does.
        inspect(endpoints, session)
        assert next(watch).revision == 4
    polled = client.poll_session(session, cursor=watch.cursor, wait_seconds=0)
    assert not polled.HasField("undo_offers")


def test_a_film_with_undos_goes_round_and_its_receipts_hold(
    endpoints: Endpoints, session: pb.Session
) -> None:
    inspect(endpoints, session)
    undo(endpoints, session, seat=RED)
    launch(endpoints, session)
    for seat in (BLUE, RED):
        undo(endpoints, session, seat=seat, by_agreement=True)
    current = now(endpoints, session)
    for number in range(4):
        current = play_step(endpoints, current, PAIRED, "stock", number)
    export = pb.ExportSessionRequest(name=session.name, with_receipts=True)
    film = endpoints.ExportSession(export, who())
    values = read_film(film)
    replayed = films.replay(values)
    assert replayed.differences == ()
    assert check_writing(film, values, replayed.state) == ()
    checked = check_receipts(film)
    assert (checked.checked, checked.differences) == (len(film.actions), ())
    receipt = endpoints.GetReceipt(
        pb.GetReceiptRequest(name=f"{session.name}/actions/00000004"), who()
    )
    assert receipt == film.receipts[3]
    del film.receipts[:]
    imported = endpoints.ImportSession(
        pb.ImportSessionRequest(film=film, request_id="import-undos"), who()
    )
    assert imported.board == current.board
    inspect_again = endpoints.Undo(
        pb.UndoRequest(name=imported.name, seat=RED, to_revision=4, by_agreement=True), who()
    )
    assert list(inspect_again.waiting_seats) == [BLUE]
    again = endpoints.ExportSession(pb.ExportSessionRequest(name=imported.name), who())
    assert [MessageToDict(one.undo) for one in again.actions] == [
        MessageToDict(one.undo) for one in film.actions
    ]
    for spoil in (_one_agreed, _further, _another_oneof, _other_name):
        wrong = pb.Film.FromString(film.SerializeToString())
        spoil(wrong)
        spoiled = _differences(wrong)
        assert spoiled, spoil


def _differences(film: pb.Film) -> Any:
    try:
        values = read_film(film)
    except Malformed as refusal:
        return refusal
    replayed = films.replay(values)
    return replayed.differences or check_writing(film, values, replayed.state)


def _one_agreed(film: pb.Film) -> None:
    film.actions[5].undo_outcome.agreed_seats.pop()


def _further(film: pb.Film) -> None:
    film.actions[3].undo.to_revision = 0


def _another_oneof(film: pb.Film) -> None:
    film.actions[3].move_outcome.SetInParent()


def _other_name(film: pb.Film) -> None:
    film.actions[3].name = "sessions/other/actions/00000004"


def test_an_undo_by_a_seats_token_alone_needs_no_name(
    endpoints: Endpoints, session: pb.Session
) -> None:
    inspect(endpoints, session)
    claimed = endpoints.ClaimSeat(pb.ClaimSeatRequest(name=session.name, seat=RED), who())
    with pytest.raises(refusals.SeatForbidden):
        undo(endpoints, session, seat=RED)
    with pytest.raises(Malformed) as caught:
        undo(endpoints, session)
    assert caught.value.field == "seat"
    request = pb.UndoRequest(name=session.name)
    assert endpoints.Undo(request, who(claimed.token)).action.seat == RED


def test_left_out_the_revision_is_that_before_the_whole_reveal(
    endpoints: Endpoints, session: pb.Session
) -> None:
    answer = undo(endpoints, session, seat=RED, by_agreement=True)
    assert (answer.to_revision, list(answer.waiting_seats)) == (0, [BLUE])
