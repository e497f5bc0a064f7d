"""Every call that writes is safe to repeat, on every transport; an answer is its own caller's."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import duel
import guarded
import pytest
from google.protobuf.message import Message
from guarded import RPCS, TRANSPORTS, Guarded, Heard
from guncamera.api.routes import rpcs
from guncamera.sessions.keys import Scope
from guncamera.v1 import session_service_pb2 as pb
from guncamera_client._methods import METHODS
from orders import DEPLOY, INSPECT, SETUP, who
from paired import BLUE, PAIRED, RED
from wire_play import play_step

MARK = "idempotent-replayed"
PLAY, OTHER_PLAY, REFEREE, ADMIN = "play", "other play", "referee", "admin"
OTHER_CREDENTIALS = {PLAY: OTHER_PLAY}


@pytest.fixture(scope="module")
def service() -> Iterator[Guarded]:
    with duel.registered(PAIRED), guarded.guarded() as running:
        for role, scope in (
            (PLAY, Scope.PLAY), (OTHER_PLAY, Scope.PLAY),
            (REFEREE, Scope.REFEREE), (ADMIN, Scope.ADMIN),
        ):  # fmt: skip
            running.tokens[role] = running.key(scope)[1]
        yield running


@dataclass
class Scene:
    """A call that will go through, and who makes it.

    Attributes:
        credential: Of who calls.
        other: Somebody else's, who might make the same call.
        changed: Makes it another request; None for a call whose request is nothing but a name.
        session: The session it is about; empty where it makes one.
    """

    request: Any
    credential: str | None
    other: str | None
    changed: Callable[[Any], Any] | None
    session: str = ""


def new_session(service: Guarded, **fields: Any) -> pb.Session:
    request = pb.CreateSessionRequest(setup=SETUP, dice_seed="repeats", **fields)
    return service.endpoints.CreateSession(request, who())


def claim(service: Guarded, session: pb.Session, seat: str) -> str:
    request = pb.ClaimSeatRequest(name=session.name, seat=seat)
    return service.endpoints.ClaimSeat(request, who()).token


def sealed(session: pb.Session, seat: str, **fields: Any) -> pb.SealOrderRequest:
    return pb.SealOrderRequest(name=session.name, seat=seat, move=DEPLOY, **fields)


def opened(service: Guarded) -> pb.Session:
    """A session in which all orders are given openly, and it is red's turn."""
    session = new_session(service)
    for seat in (RED, BLUE):
        service.endpoints.SealOrder(sealed(session, seat), who())
    return session


def setting(field: str, value: Any) -> Callable[[Any], Any]:
    def change(request: Any) -> Any:
        changed = type(request)()
        changed.CopyFrom(request)
        setattr(changed, field, value)
        return changed

    return change


def creating(service: Guarded) -> Scene:
    request = pb.CreateSessionRequest(setup=SETUP)
    tokens = service.tokens
    return Scene(request, tokens[PLAY], tokens[OTHER_PLAY], setting("dice_seed", "another"))


def importing(service: Guarded) -> Scene:
    session = opened(service)
    for number in range(3):
        play_step(service.endpoints, session_now(service, session.name), PAIRED, "stock", number)
    export = pb.ExportSessionRequest(name=session.name)
    request = pb.ImportSessionRequest(film=service.endpoints.ExportSession(export, who()))
    tokens = service.tokens
    fresh = f"import-{uuid.uuid4().hex[:8]}"
    return Scene(request, tokens[PLAY], tokens[OTHER_PLAY], setting("session_id", fresh))


def claiming(service: Guarded) -> Scene:
    session = new_session(service)
    request = pb.ClaimSeatRequest(name=session.name, seat=RED)
    tokens = service.tokens
    other = setting("seat", BLUE)
    return Scene(request, tokens[PLAY], tokens[OTHER_PLAY], other, session.name)


def held(service: Guarded, session: pb.Session, request: Any, changed: Any) -> Scene:
    """A call by who holds a seat; a referee might make the same one."""
    token = claim(service, session, RED)
    return Scene(request, token, service.tokens[REFEREE], changed, session.name)


def releasing(service: Guarded) -> Scene:
    session = new_session(service)
    request = pb.ReleaseSeatRequest(name=session.name, seat=RED)
    return held(service, session, request, setting("seat", BLUE))


def deleting(service: Guarded) -> Scene:
    session = new_session(service)
    request = pb.DeleteSessionRequest(name=session.name)
    scene = held(service, session, request, None)
    scene.other = service.tokens[ADMIN]
    return scene


def sealing(service: Guarded) -> Scene:
    session = new_session(service)
    return held(service, session, sealed(session, RED), setting("etag", session.etag))


def revealing(service: Guarded) -> Scene:
    session = new_session(service, seal_seconds=1)
    service.endpoints.SealOrder(sealed(session, RED), who())
    request = pb.RevealOrdersRequest(name=session.name, seat=RED)
    return held(service, session, request, setting("seat", ""))


def undoing(service: Guarded) -> Scene:
    session = opened(service)
    inspect = pb.DamageRequest(name=session.name, seat=RED, order=INSPECT)
    service.endpoints.Damage(inspect, who())
    request = pb.UndoRequest(name=session.name, seat=RED)
    return held(service, session, request, setting("by_agreement", True))


def acting(verb: str) -> Callable[[Guarded], Scene]:
    """A game that has come to where a stock pilot gives an order of the verb."""

    def make(service: Guarded) -> Scene:
        session = opened(service)
        endpoints = service.endpoints
        for number in range(400):
            session = session_now(service, session.name)
            seat = session.active_seats[0]
            legal = pb.ListLegalOrdersRequest(name=session.name, seat=seat)
            listed = endpoints.ListLegalOrders(legal, who()).orders
            found = [one for one in listed if one.WhichOneof("order") == verb]
            if found:
                request = getattr(pb, f"{verb.title()}Request")(name=session.name, seat=seat)
                request.order.CopyFrom(getattr(found[0], verb))
                token = claim(service, session, seat)
                changed = setting("client_nonce", "another-nonce")
                return Scene(request, token, service.tokens[REFEREE], changed, session.name)
            play_step(endpoints, session, PAIRED, "stock", number)
        raise AssertionError(f"no order of {verb} in 400 actions")

    return make


SCENES: dict[str, Callable[[Guarded], Scene]] = {
    "CreateSession": creating,
    "ImportSession": importing,
    "ClaimSeat": claiming,
    "ReleaseSeat": releasing,
    "DeleteSession": deleting,
    "SealOrder": sealing,
    "RevealOrders": revealing,
    "Undo": undoing,
    **{verb.title(): acting(verb) for verb in ("move", "wind", "spot", "fire", "damage")},
}


def test_no_call_that_writes_is_left_out() -> None:
    """Read off the descriptors: a new call must come here, with a request id."""
    writing = {rpc.name: rpc for rpc in rpcs() if rpc.writes}
    batches = {"BatchPlay"}  # whose items are the calls themselves, with request ids of their own
    assert set(SCENES) == set(writing) - batches
    for name in SCENES:
        assert "request_id" in writing[name].request_type.fields_by_name, name
    items = writing["BatchPlay"].request_type.fields_by_name["items"].message_type
    written = {"move", "wind", "spot", "fire", "damage", "seal_order"}
    assert written | {"get_session", "list_legal_orders"} == set(items.fields_by_name)
    for name in written:
        assert "request_id" in items.fields_by_name[name].message_type.fields_by_name, name


def session_now(service: Guarded, name: str) -> pb.Session:
    return service.endpoints.GetSession(pb.GetSessionRequest(name=name), who())


def named(request: Any, request_id: str) -> Any:
    return setting("request_id", request_id)(request)


def unmarked(heard: Heard) -> Any:
    """What was heard but for the mark of a replay, and whether that was there."""
    if isinstance(heard.told[0], list):
        headers, body = heard.told
        rest = [one for one in headers if one[0].lower() != MARK]
        return (heard.status, rest, body), len(rest) < len(headers)
    body, trailers = heard.told
    rest = [one for one in trailers if one[0] != MARK]
    return (heard.status, rest, body), len(rest) < len(trailers)


def go_on(service: Guarded, scene: Scene) -> None:
    """Let something else happen in the session, if it is there and anything may."""
    name = scene.session
    if not name or service.store.load(name.removeprefix("sessions/")) is None:
        return
    session = session_now(service, name)
    if not session.sealed_verb and session.active_seats:
        inspect = pb.DamageRequest(name=name, seat=session.active_seats[0], order=INSPECT)
        ask = service.ask("grpc standard", "Damage", inspect, service.tokens[REFEREE])
        assert ask.reason == "OK", ask


@pytest.mark.parametrize("over", TRANSPORTS)
@pytest.mark.parametrize("call", SCENES)
def test_a_repeated_call_gets_the_same_answer_and_it_is_marked(
    service: Guarded, call: str, over: str
) -> None:
    scene = SCENES[call](service)
    request = named(scene.request, str(uuid.uuid4()))
    first, is_marked = unmarked(service.ask(over, call, request, scene.credential))
    assert first[0] in (200, 201, 204) or str(first[0]) == "StatusCode.OK", first
    assert not is_marked
    go_on(service, scene)
    before = counted(service, scene)
    again, is_marked = unmarked(service.ask(over, call, request, scene.credential))
    assert again == first, "status, body, ETag, Location and every other header or trailer"
    assert is_marked
    for another in TRANSPORTS:
        heard = service.ask(another, call, request, scene.credential)
        told, is_marked = unmarked(heard)
        assert is_marked, another
        if over != "rest" and another != "rest":  # fields may come in another order
            answer = RPCS[call].response
            assert answer.FromString(told[2]) == answer.FromString(first[2]), another
    assert counted(service, scene) == before, "nothing was done twice"


def counted(service: Guarded, scene: Scene) -> Any:
    """Whatever a call could change."""
    sessions = len(service.store.list_ids(after=None, limit=1000).ids)
    found = service.store.load(scene.session.removeprefix("sessions/")) if scene.session else None
    return sessions, found


@pytest.mark.parametrize("over", TRANSPORTS)
@pytest.mark.parametrize("call", SCENES)
def test_a_request_id_is_bound_to_caller_call_and_content(
    service: Guarded, call: str, over: str
) -> None:
    scene = SCENES[call](service)
    request_id = str(uuid.uuid4())
    request = named(scene.request, request_id)
    if call == "ReleaseSeat":  # a seat's token is nobody's after it
        scene.credential, scene.other = scene.other, service.tokens[ADMIN]
    first = service.ask(over, call, request, scene.credential)
    assert first.reason == "OK"
    before = counted(service, scene)
    wrong: list[tuple[str, str, Any, str | None]] = [
        ("another caller", call, request, scene.other),
    ]
    if scene.changed is not None:
        changed = named(scene.changed(scene.request), request_id)
        wrong.append(("another content", call, changed, scene.credential))
    if call == "CreateSession":
        film = importing(service).request
        wrong.append(("another call", "ImportSession", named(film, request_id), scene.credential))
        before = counted(service, scene)
    elif call == "ImportSession":
        create = named(pb.CreateSessionRequest(setup=SETUP), request_id)
        wrong.append(("another call", "CreateSession", create, scene.credential))
    elif call != "DeleteSession":
        seat = getattr(scene.request, "seat", "") or RED
        inspect = pb.DamageRequest(name=scene.session, seat=seat, order=INSPECT)
        referee = service.tokens[REFEREE]
        wrong.append(("another call", "Damage", named(inspect, request_id), referee))
        delete = named(pb.DeleteSessionRequest(name=scene.session), request_id)
        wrong.append(("another call", "DeleteSession", delete, service.tokens[ADMIN]))
    for why, other, asked, credential in wrong:
        heard = service.ask(over, other, asked, credential)
        if call == "DeleteSession":
            assert heard.reason == "SESSION_NOT_FOUND", why
            continue
        assert heard.reason == "REQUEST_ID_REUSED", (why, heard.reason, heard.text)
        assert str(heard.status) in ("422", "StatusCode.INVALID_ARGUMENT")
        assert not shown_in(first, heard), why
        if over == "rest":
            assert json.loads(heard.told[1])["metadata"] == {"request_id": request_id}
    assert counted(service, scene) == before


def shown_in(first: Heard, heard: Heard) -> bool:
    """Whether a refusal holds anything of the answer that was not for its caller."""
    body = first.told[1] if isinstance(first.told[0], list) else first.told[0]
    text = body.decode("utf-8", "replace")
    words = {word.strip("\"',:{}[]()") for word in text.split()}
    secrets = {word for word in words if word.startswith("gcs_") or "/actions/" in word}
    return any(secret in heard.text for secret in secrets)


@pytest.mark.parametrize("over", TRANSPORTS)
def test_a_deletion_that_is_repeated_leaves_another_session_of_the_name_alone(
    service: Guarded, over: str
) -> None:
    scene = deleting(service)
    request = named(scene.request, str(uuid.uuid4()))
    assert service.ask(over, "DeleteSession", request, scene.credential).reason == "OK"
    new_session(service, session_id=scene.session.removeprefix("sessions/"))
    again, is_marked = unmarked(service.ask(over, "DeleteSession", request, scene.credential))
    assert is_marked, again
    heard = service.ask(over, "DeleteSession", request, service.tokens[ADMIN])
    assert heard.reason == "REQUEST_ID_REUSED"
    assert session_now(service, scene.session).revision == 0
    other = named(scene.request, str(uuid.uuid4()))
    assert service.ask(over, "DeleteSession", other, service.tokens[ADMIN]).reason == "OK"


@pytest.mark.parametrize("over", TRANSPORTS)
def test_a_release_that_is_repeated_takes_the_seat_from_nobody_else(
    service: Guarded, over: str
) -> None:
    scene = releasing(service)
    by_referee = named(scene.request, str(uuid.uuid4()))
    referee = service.tokens[REFEREE]
    assert service.ask(over, "ReleaseSeat", by_referee, referee).reason == "OK"
    # Also where nobody held the seat at the first call.
    of_nobody = named(scene.request, str(uuid.uuid4()))
    assert service.ask(over, "ReleaseSeat", of_nobody, referee).reason == "OK"
    token = claim(service, session_now(service, scene.session), RED)
    for request in (by_referee, of_nobody):
        told, is_marked = unmarked(service.ask(over, "ReleaseSeat", request, referee))
        assert is_marked, told
    look = pb.GetSessionRequest(name=scene.session, seat=RED)
    assert service.ask(over, "GetSession", look, token).reason == "OK", "the new token still acts"


def test_a_token_that_was_released_opens_nothing_but_the_answer_to_its_release(
    service: Guarded,
) -> None:
    scene, request_id = releasing(service), str(uuid.uuid4())
    request = named(scene.request, request_id)
    assert service.ask("rest", "ReleaseSeat", request, scene.credential).reason == "OK"
    assert service.ask("rest", "ReleaseSeat", request, scene.credential).reason == "OK"
    for other in (setting("seat", "")(request), named(scene.request, str(uuid.uuid4()))):
        heard = service.ask("rest", "ReleaseSeat", other, scene.credential)
        assert heard.reason == "CALLER_UNKNOWN"


def test_a_claim_that_is_repeated_after_a_release_claims_nothing_again(service: Guarded) -> None:
    scene = claiming(service)
    request = named(scene.request, str(uuid.uuid4()))
    answer = service.endpoints.ClaimSeat(request, who())
    release = pb.ReleaseSeatRequest(name=scene.session)
    service.endpoints.ReleaseSeat(release, who(answer.token))
    assert service.endpoints.ClaimSeat(request, who()) == answer
    assert not session_now(service, scene.session).seats[0].claimed
    look = pb.GetSessionRequest(name=scene.session, seat=RED)
    assert service.ask("rest", "GetSession", look, answer.token).reason == "CALLER_UNKNOWN"
    fresh = service.endpoints.ClaimSeat(named(scene.request, str(uuid.uuid4())), who())
    assert fresh.token != answer.token


def test_the_tokens_of_two_claims_have_nothing_in_common(service: Guarded) -> None:
    """They follow from what was asked, of which every part counts."""
    tokens = set()
    request_id = str(uuid.uuid4())
    for _ in range(2):
        session = new_session(service)
        for seat in (RED, BLUE):
            request = pb.ClaimSeatRequest(name=session.name, seat=seat)
            request.request_id = f"{request_id}-{seat}"
            tokens.add(service.endpoints.ClaimSeat(request, who()).token.split("_", 2)[2])
    assert len(tokens) == 4
    assert {len(token) for token in tokens} == {43}


@pytest.mark.parametrize("call", ["CreateSession", "ImportSession"])
def test_one_request_id_makes_one_session_whatever_it_is_called(
    service: Guarded, call: str
) -> None:
    scene = SCENES[call](service)
    request_id, names = str(uuid.uuid4()), [f"one-{uuid.uuid4().hex[:8]}" for _ in range(2)]
    credential = scene.credential
    first = named(setting("session_id", names[0])(scene.request), request_id)
    assert service.ask("rest", call, first, credential).reason == "OK"
    for session_id in (names[1], ""):
        other = named(setting("session_id", session_id)(scene.request), request_id)
        assert service.ask("rest", call, other, credential).reason == "REQUEST_ID_REUSED"
    assert service.store.load(names[1]) is None
    assert service.ask("rest", call, first, credential).reason == "OK"


def test_the_header_forms_are_the_fields(service: Guarded) -> None:
    scene, request_id = undoing(service), str(uuid.uuid4())
    session = session_now(service, scene.session)
    headers = {"Idempotency-Key": request_id, "If-Match": session.etag}
    stale = {**headers, "If-Match": '"1"'}
    heard = service.ask("rest", "Undo", scene.request, scene.credential, **stale)
    assert (heard.status, heard.reason) == (412, "ETAG_MISMATCH")
    first = service.ask("rest", "Undo", scene.request, scene.credential, **headers)
    again = service.ask("rest", "Undo", scene.request, scene.credential, **headers)
    assert unmarked(again) == (unmarked(first)[0], True)
    in_fields = named(setting("etag", session.etag)(scene.request), request_id)
    assert unmarked(service.ask("rest", "Undo", in_fields, scene.credential))[1]
    # A DELETE has no body: the header, or the query.
    scene = deleting(service)
    heard = service.ask("rest", "DeleteSession", scene.request, scene.credential, **{
        "Idempotency-Key": request_id
    })  # fmt: skip
    assert (heard.status, unmarked(heard)[1]) == (204, False)
    heard = service.ask("rest", "DeleteSession", named(scene.request, request_id), scene.credential)
    assert (heard.status, unmarked(heard)[1]) == (204, True)


def test_a_key_that_would_not_be_kept_is_refused_where_something_is_written(
    service: Guarded,
) -> None:
    key = {"Idempotency-Key": str(uuid.uuid4())}
    look = pb.GetSessionRequest(name=new_session(service).name)
    batch = pb.BatchPlayRequest(items=[pb.BatchPlayItem(get_session=look)])
    heard = service.ask("rest", "BatchPlay", batch, service.tokens[PLAY], **key)
    assert (heard.status, heard.reason) == (400, "INPUT_INVALID")
    assert "Idempotency-Key" in heard.text
    assert service.ask("rest", "GetSession", look, service.tokens[PLAY], **key).reason == "OK"


def test_methods_of_the_client_know_the_same(service: Guarded) -> None:
    for name in SCENES:
        message: Message = RPCS[name].request()
        assert not METHODS[name].is_safe(message)
        assert METHODS[name].is_safe(named(message, "12345678"))
