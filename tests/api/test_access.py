"""Who may act: every role at every call about every kind of session, over every transport."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NoReturn

import grpc
import guarded
import pytest
from guarded import (
    BAD_KEYS,
    BAD_SEATS,
    GONE,
    KEYS,
    MINE,
    OTHERS,
    RPCS,
    SEAT,
    TRANSPORTS,
    Guarded,
    Heard,
)
from guncamera.api.access import Access
from guncamera.api.needs import NEEDS
from guncamera.host.wiring import now_micros
from guncamera.rules.refusal import Refusal
from guncamera.sessions import entropy, key_ring, watch
from guncamera.sessions.key_ring import KeyRing
from guncamera.sessions.keys import Scope, create_key, list_keys, revoke_key
from guncamera.sessions.redis_keys import KNOWN
from guncamera.sessions.store import StoreUnavailable
from guncamera.v1 import session_service_pb2 as pb
from orders import DEPLOY, FIRE, LAUNCH, who
from prometheus import Counts
from servers import wait_until
from store_calls import ask as ask_server

# Twice on purpose: a slip in the table of needs must not pass.
LEAST = {
    **dict.fromkeys(["ListRulesets", "GetRuleset", "ListTables", "GetTable"], "read"),
    **dict.fromkeys(["ListAircraft", "GetSession", "ListSessions", "GetAction"], "read"),
    **dict.fromkeys(["ListActions", "WatchSession", "ExportSession", "DrawBoard"], "read"),
    **dict.fromkeys(["ResolveMove", "ResolveWind", "ResolveSpot", "ResolveFire"], "play"),
    **dict.fromkeys(["ResolveDamage", "ComputeOdds", "BatchResolve", "CreateSession"], "play"),
    **dict.fromkeys(["DeleteSession", "ClaimSeat", "Move", "Wind", "Spot", "Fire"], "play"),
    **dict.fromkeys(["Damage", "SealOrder", "RevealOrders", "Undo", "ListLegalOrders"], "play"),
    **dict.fromkeys(["GetReceipt", "ListSigningKeys", "GetQuota"], "read"),
    **dict.fromkeys(["ImportSession", "BatchPlay"], "play"),
    "ReleaseSeat": "referee",
}
KEYS_ONLY = {"CreateSession", "ListSessions", "ClaimSeat", "ImportSession", "BatchPlay"}
WITHOUT_SESSION = {name for name in LEAST if "Resolve" in name or "Odds" in name} | {
    "ListRulesets", "GetRuleset", "ListTables", "GetTable", "ListAircraft",
    "ListSigningKeys", "GetQuota",
}  # fmt: skip
ABOUT_ONE = sorted(set(LEAST) - WITHOUT_SESSION - KEYS_ONLY)
REFUSED = {"CALLER_UNKNOWN", "SCOPE_MISSING"}
DESTROYS = ("DeleteSession", "ReleaseSeat")


@pytest.fixture(scope="module")
def service() -> Iterator[Guarded]:
    with guarded.guarded() as running:
        yield guarded.with_roles(running)


@pytest.fixture(scope="module")
def fresh() -> Iterator[Guarded]:
    """A service with keys for each scope, whose sessions a test may spoil."""
    with guarded.guarded() as running:
        for scope in Scope:
            running.tokens[scope.name.lower()] = running.key(scope)[1]
        yield running


def test_every_call_states_what_it_needs() -> None:
    assert list(NEEDS) == list(RPCS), "in the order of the protos"
    assert {name: need.scope.name.lower() for name, need in NEEDS.items()} == LEAST
    assert {name for name, need in NEEDS.items() if not need.by_seat} == KEYS_ONLY
    assert {name for name, need in NEEDS.items() if not need.in_session} == WITHOUT_SESSION


@pytest.mark.parametrize("over", TRANSPORTS)
@pytest.mark.parametrize("call", list(LEAST))
def test_whoever_is_not_known_hears_the_same_whatever_is_wrong(
    service: Guarded, call: str, over: str
) -> None:
    for session_id in (MINE, OTHERS, GONE, "never"):
        request = guarded.request_of(call, session_id)
        heard = {
            role: service.ask(over, call, request, service.tokens[role])
            for role in (*BAD_KEYS, *BAD_SEATS)
            # The token of another session is no foreign one there.
            if (role, session_id) != ("foreign seat", OTHERS)
            and not (role == "foreign seat" and call in WITHOUT_SESSION)
        }
        first = heard["nobody"]
        assert first.reason == "CALLER_UNKNOWN"
        assert str(first.status) in ("401", "StatusCode.UNAUTHENTICATED")
        for role, other in heard.items():
            assert (other.status, other.told) == (first.status, first.told), role


@pytest.mark.parametrize("over", TRANSPORTS)
@pytest.mark.parametrize("call", [name for name in LEAST if name not in DESTROYS])
def test_a_key_goes_as_far_as_its_scope(service: Guarded, call: str, over: str) -> None:
    request = guarded.request_of(call, MINE)
    needed = KEYS.index(LEAST[call])
    for place, role in enumerate(KEYS):
        heard = service.ask(over, call, request, service.tokens[role])
        if place < needed:
            assert heard.reason == "SCOPE_MISSING", role
            assert str(heard.status) in ("403", "StatusCode.PERMISSION_DENIED")
        else:
            assert heard.reason not in REFUSED, role


@pytest.mark.parametrize("over", TRANSPORTS)
@pytest.mark.parametrize("call", [name for name in LEAST if name not in DESTROYS])
def test_a_seat_acts_in_its_session_and_nowhere_else(
    service: Guarded, call: str, over: str
) -> None:
    token = service.tokens["seat"]
    heard = service.ask(over, call, guarded.request_of(call, MINE), token)
    assert (heard.reason in REFUSED) == (call in KEYS_ONLY)
    if call in ABOUT_ONE:
        others, never = (
            service.ask(over, call, guarded.request_of(call, session_id), token)
            for session_id in (OTHERS, "nevers")  # as long as the other, for the paths' sake
        )
        assert others.reason == never.reason == "CALLER_UNKNOWN"
        assert others.text.replace(OTHERS, "nevers") == never.text, "it shows what exists"


@pytest.mark.parametrize("over", TRANSPORTS)
@pytest.mark.parametrize("call", list(LEAST))
def test_what_is_wrong_cannot_be_told_by_a_clock(
    service: Guarded, call: str, over: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The work is the same: one hash in memory for a key; for a token one reading of a head."""
    hashes: list[str] = []
    plain_hash = entropy.token_hash

    def counted(text: str) -> str:
        hashes.append(text)
        return plain_hash(text)

    monkeypatch.setattr(entropy, "token_hash", counted)
    work = {}
    for role in (*BAD_KEYS, *BAD_SEATS):
        if role == "foreign seat" and call in WITHOUT_SESSION:
            continue
        service.store.loads, hashes[:] = 0, []
        heard = service.ask(over, call, guarded.request_of(call, MINE), service.tokens[role])
        assert heard.reason == "CALLER_UNKNOWN"
        work[role] = (service.store.loads, len(hashes))
    assert {work[role] for role in BAD_KEYS} == {(0, 1)}
    loads = {work[role][0] for role in BAD_SEATS if role in work}
    assert loads == {0 if call in KEYS_ONLY else 1}


@pytest.mark.parametrize("over", TRANSPORTS)
def test_a_preflight_and_a_probe_need_no_key(service: Guarded, over: str) -> None:
    if over != "rest":
        return
    for path in ("/v1/sessions", "/v1/sessions/mine:move", "/v1:resolveFire"):
        answer = service.rest.options(path, headers={"Origin": "https://table.example"})
        assert answer.status_code == 204
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
    pages = ("/openapi.json", "/docs", "/docs/page.js", "/problems", "/")
    for path in ("/healthz", "/readyz", "/metrics", *pages):
        assert service.rest.get(path).status_code == 200
    refused = service.rest.get("/v1/sessions")
    assert refused.headers["WWW-Authenticate"] == "Bearer"
    assert refused.headers["Access-Control-Allow-Origin"] == "*"


def failing() -> NoReturn:
    raise StoreUnavailable("gone", retry_after_seconds=1)


def leak(secrets: object) -> NoReturn:
    raise RuntimeError(f"a leak of {secrets}")


# What a scope may do beyond the call's own need.


def ask(service: Guarded, call: str, session_id: str, role: str, over: str = "rest") -> Any:
    request: Any = guarded.request_of(call, session_id)
    if "seat" in RPCS[call].request_type.fields_by_name:
        request.seat = SEAT
    return service.ask(over, call, request, service.tokens.get(role, role)).reason


@pytest.mark.parametrize("over", TRANSPORTS)
def test_a_referee_acts_and_looks_for_any_seat_and_a_player_for_free_ones(
    fresh: Guarded, over: str
) -> None:
    name = f"acts-{over.replace(' ', '-')}"
    token = fresh.session(name)
    for call in ("GetSession", "ListActions", "DrawBoard", "ListLegalOrders", "Move"):
        assert ask(fresh, call, name, "play", over) == "SEAT_FORBIDDEN"
    assert ask(fresh, "ListLegalOrders", name, "referee", over) == "OK"
    assert ask(fresh, "Move", name, "referee", over) == "OK"
    for call in ("GetSession", "ListActions", "DrawBoard", "GetAction", "ExportSession"):
        assert ask(fresh, call, name, "read", over) == "SEAT_FORBIDDEN"
        assert ask(fresh, call, name, "referee", over) == "OK"
        assert ask(fresh, call, name, token, over) == "OK"
    free = f"free-{over.replace(' ', '-')}"
    fresh.session(free, claimed=False)
    assert ask(fresh, "GetSession", free, "play", over) == "OK"
    assert ask(fresh, "GetSession", free, "read", over) == "SEAT_FORBIDDEN"
    assert ask(fresh, "Move", free, "play", over) == "OK"


def test_what_is_played_at_is_deleted_by_its_seats_or_an_admin(fresh: Guarded) -> None:
    fresh.session("empty", claimed=False)
    assert ask(fresh, "DeleteSession", "empty", "read") == "SCOPE_MISSING"
    assert ask(fresh, "DeleteSession", "empty", f"gcs_empty_{'A' * 43}") == "CALLER_UNKNOWN"
    assert ask(fresh, "DeleteSession", "empty", "play") == "OK"
    fresh.session("held")
    for role in ("play", "referee"):
        assert ask(fresh, "DeleteSession", "held", role) == "SEAT_FORBIDDEN"
    assert ask(fresh, "DeleteSession", "held", "admin") == "OK"
    assert ask(fresh, "DeleteSession", "own", fresh.session("own")) == "OK"


@pytest.mark.parametrize("over", TRANSPORTS)
def test_a_released_seat_can_be_claimed_again_and_its_token_is_dead(
    fresh: Guarded, over: str
) -> None:
    name = f"release-{over.replace(' ', '-')}"
    first = fresh.session(name)
    assert ask(fresh, "ReleaseSeat", name, "play", over) == "SCOPE_MISSING"
    assert ask(fresh, "ReleaseSeat", name, first, over) == "OK"
    assert ask(fresh, "GetSession", name, first, over) == "CALLER_UNKNOWN"
    assert ask(fresh, "ResolveFire", name, first, over) == "CALLER_UNKNOWN"
    assert ask(fresh, "ReleaseSeat", name, "referee", over) == "OK", "it is free already"
    second = fresh.claim(name)
    assert ask(fresh, "GetSession", name, second, over) == "OK"
    assert ask(fresh, "ResolveFire", name, second, over) == "OK"
    assert ask(fresh, "ReleaseSeat", name, "referee", over) == "OK"
    assert ask(fresh, "GetSession", name, second, over) == "CALLER_UNKNOWN"


def test_a_referee_says_which_seat_to_release(fresh: Guarded) -> None:
    fresh.session("which")
    request = pb.ReleaseSeatRequest(name="sessions/which")
    heard = fresh.ask("rest", "ReleaseSeat", request, fresh.tokens["referee"])
    assert heard.reason == "INPUT_INVALID"


def test_an_answer_once_given_is_not_given_again_to_a_released_seat(fresh: Guarded) -> None:
    token = fresh.session("again")
    request = pb.MoveRequest(name="sessions/again", order=DEPLOY, request_id="the-first-order")
    assert fresh.ask("rest", "Move", request, token).reason == "OK"
    assert fresh.ask("rest", "Move", request, token).reason == "OK"
    assert ask(fresh, "ReleaseSeat", "again", token) == "OK"
    for over in TRANSPORTS:
        assert fresh.ask(over, "Move", request, token).reason == "CALLER_UNKNOWN"


def test_a_request_id_belongs_to_the_key_that_used_it(fresh: Guarded) -> None:
    fresh.session("ids", claimed=False)
    request = pb.MoveRequest(name="sessions/ids", order=DEPLOY, request_id="the-first-order")
    one, other = fresh.tokens["play"], fresh.key(Scope.PLAY)[1]
    first = fresh.ask("rest", "Move", request, one)
    again = fresh.ask("rest", "Move", request, one)
    assert first.told[1] == again.told[1]
    assert ("Idempotent-Replayed", "true") in again.told[0]
    assert fresh.ask("rest", "Move", request, other).reason == "REQUEST_ID_REUSED"


# Keys that go while a call lasts.


@pytest.mark.parametrize("over", ["rest", "grpc fast"])
@pytest.mark.parametrize("how", ["a key", "a seat"])
def test_a_watch_ends_when_what_opened_it_is_revoked(
    fresh: Guarded, over: str, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told by the news, as its next heartbeat never comes."""
    monkeypatch.setattr(watch.watch, "__kwdefaults__", {"heartbeat_seconds": 10**6})
    name = f"watch-{over[:4]}-{how[2:]}"
    seat = fresh.session(name)
    key_id, key = fresh.key(Scope.READ)
    credential = key if how == "a key" else seat
    headers = {"Authorization": f"Bearer {credential}"}
    request = pb.WatchSessionRequest(name=f"sessions/{name}", start_revision=1)
    if over == "rest":
        answer = fresh.rest.get(
            f"/v1/sessions/{name}:watch?start_revision=1", headers=headers, buffered=False
        )
        items: Iterator[Any] = iter(answer.iter_encoded())
    else:
        items = fresh.channels[over].unary_stream("/guncamera.v1.SessionService/WatchSession")(
            request.SerializeToString(),
            metadata=(("authorization", f"Bearer {credential}"),),
            timeout=guarded.SOON,
        )
    next(items)
    if how == "a key":
        fresh.revoke(key_id)
        move = pb.MoveRequest(name=request.name, order=DEPLOY)
        assert fresh.ask("rest", "Move", move, seat).reason == "OK"
    else:
        assert ask(fresh, "ReleaseSeat", name, seat) == "OK"
    if over == "rest":
        assert list(items) == [], "it shows nothing more"
    else:
        with pytest.raises(grpc.RpcError) as ended:
            next(items)
        assert ended.value.code() is grpc.StatusCode.UNAUTHENTICATED


def test_a_poll_shows_nothing_to_a_key_that_was_revoked_while_it_waited(fresh: Guarded) -> None:
    seat = fresh.session("poll")
    key_id, key = fresh.key(Scope.READ)
    request = pb.ListActionsRequest(parent="sessions/poll", wait_seconds=10)

    def open_now() -> float:
        told = Counts.of(fresh.telemetry.render()[0].decode())
        return told.total("guncamera_streams_open")

    wait_until(lambda: open_now() == 0, "no watch of another test is left")
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(fresh.ask, "grpc fast", "ListActions", request, key)
        wait_until(lambda: open_now() == 1, "it waits")
        fresh.revoke(key_id)
        move = pb.MoveRequest(name="sessions/poll", order=DEPLOY)
        assert fresh.ask("rest", "Move", move, seat).reason == "OK"
        assert waiting.result(guarded.SOON).reason == "CALLER_UNKNOWN"


# Open, and not open.


def test_a_service_stands_open_until_its_first_key_and_never_after() -> None:
    with guarded.guarded(may_be_open=True) as service:
        token = service.session("open")
        for over in TRANSPORTS:
            assert ask(service, "ListSessions", "open", "nobody", over) == "OK"
            assert service.ask(over, "ListSessions", pb.ListSessionsRequest(), None).reason == "OK"
            wrong = service.ask(over, "GetSession", guarded.request_of("GetSession", "open"), "x")
            assert wrong.reason == "SEAT_UNKNOWN", "as ever"
        key_id, key = service.key(Scope.READ)
        for over in TRANSPORTS:
            listed = pb.ListSessionsRequest()
            assert service.ask(over, "ListSessions", listed, None).reason == "CALLER_UNKNOWN"
            assert service.ask(over, "ListSessions", listed, key).reason == "OK"
            assert ask(service, "GetSession", "open", token, over) == "OK", "seats sit on"
        service.revoke(key_id)
        listed = pb.ListSessionsRequest()
        assert service.ask("rest", "ListSessions", listed, None).reason == "CALLER_UNKNOWN"
        ask_server(service.store, KNOWN, "DEL", KNOWN)
        service.ring.refresh()
        assert service.ask("rest", "ListSessions", listed, None).reason == "CALLER_UNKNOWN"


def test_a_service_that_may_not_stand_open_lets_nobody_in_without_keys() -> None:
    with guarded.guarded() as service:
        for over in TRANSPORTS:
            listed = pb.ListSessionsRequest()
            assert service.ask(over, "ListSessions", listed, None).reason == "CALLER_UNKNOWN"


@pytest.mark.parametrize("may_be_open", [False, True])
def test_keys_that_cannot_be_read_open_nothing_about_sessions(may_be_open: bool) -> None:
    """Before the store has answered once: rules may be open, sessions are not."""
    with guarded.guarded(may_be_open=may_be_open) as service:
        ring = KeyRing(service.store, clock=now_micros)
        access = Access(ring, service.store, may_be_open=may_be_open)
        found = {}
        for call in ("ListRulesets", "ResolveFire", "GetSession", "CreateSession"):
            try:
                access.judge(call, who())
                found[call] = "OK"
            except Refusal as refusal:
                found[call] = refusal.reason
        rules = "OK" if may_be_open else "STORE_UNAVAILABLE"
        assert found == {
            "ListRulesets": rules,
            "ResolveFire": rules,
            "GetSession": "STORE_UNAVAILABLE",
            "CreateSession": "STORE_UNAVAILABLE",
        }


def test_keys_read_too_long_ago_open_rules_and_no_session(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with guarded.guarded() as service:
        _, key = service.key(Scope.PLAY)
        service.session("stale", claimed=False)
        seat = service.claim("stale")
        monkeypatch.setattr(service.store, "keys", failing)
        service.ring.refresh()
        assert ask(service, "GetAction", "stale", key) != "STORE_UNAVAILABLE", "for a while"
        monkeypatch.setattr(key_ring, "STALE_SECONDS", -1.0)
        service.ring.refresh()
        assert ask(service, "ListSessions", "stale", key) == "STORE_UNAVAILABLE"
        assert ask(service, "ResolveFire", "stale", key) == "OK"
        assert ask(service, "GetSession", "stale", seat) == "OK", "a seat needs no key"


def test_a_key_is_read_by_a_thread_that_never_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(key_ring, "REFRESH_SECONDS", 0.02)
    with guarded.guarded() as service:
        ring = KeyRing(service.store, clock=now_micros).start()
        try:
            with monkeypatch.context() as broken:
                broken.setattr(service.store, "keys", lambda: 1 / 0)
                wait_until(lambda: not ring.is_fresh, "a fault shuts the door")
            key, text = create_key(service.store, now_micros(), scope=Scope.READ, label="", days=1)
            wait_until(lambda: ring.holder(text) is not None, "a new key is known")
            revoke_key(service.store, now_micros(), key.id)
            wait_until(lambda: ring.holder(text) is None, "a revoked key is known")
        finally:
            ring.stop()


# Secrets stay secret.


@pytest.mark.parametrize("over", TRANSPORTS)
def test_no_key_and_no_token_reaches_a_log_a_metric_or_an_error(
    over: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with guarded.guarded() as service:
        good = guarded.with_roles(service).tokens["admin"]
        texts = [text for text in service.tokens.values() if text and text.startswith("gc")]
        assert len(texts) > 10
        heard = [one for text in texts for one in misplace(service, over, text, good)]
        with monkeypatch.context() as broken:  # a fault of ours, whose traceback is logged
            broken.setattr(service.store, "list_ids", lambda **_: leak(texts))
            heard.append(service.ask(over, "ListSessions", pb.ListSessionsRequest(), good))
        assert heard[-1].reason == "INTERNAL"
        wait_until(lambda: b"a leak of" in service.log.getvalue(), "the fault is logged")
        told = [service.log.getvalue().decode(), service.telemetry.render()[0].decode()]
        told += [one.text for one in heard]
    assert "[redacted]" in told[0]
    for text in texts:
        assert [one for one in told if text[-43:][:12] in one] == []


def misplace(service: Guarded, over: str, text: str, good: str | None) -> Iterator[Heard]:
    """Send a credential where it belongs, and in every place where it does not."""
    for call in ("GetSession", "Move", "Fire", "ListSessions", "ResolveFire"):
        yield service.ask(over, call, guarded.request_of(call, MINE), text)
    name, request_id = f"sessions/{MINE}", text[:64]
    for request in (
        pb.FireRequest(name=f"sessions/{text}", order=FIRE),
        pb.FireRequest(name=name, order=FIRE, seat=text),
        pb.FireRequest(name=name, order=FIRE, etag=text, seat=SEAT),
        pb.FireRequest(name=name, order=FIRE, request_id=request_id, seat=SEAT),
    ):
        yield service.ask(over, "Fire", request, good)
    for order in (DEPLOY, LAUNCH):
        move = pb.MoveRequest(name=name, order=order, request_id=request_id, seat=SEAT)
        yield service.ask(over, "Move", move, good)
    asked = guarded.request_of("GetSession", MINE)
    yield service.ask(over, "GetSession", asked, good, **{"X-Request-Id": request_id})
    if over == "rest":
        for path in (f"/v1/{text}", f"/v1/sessions?token={text}", f"/problems/{text}"):
            answer = service.rest.get(path, headers={"Authorization": f"Bearer {good}"})
            assert answer.status_code >= 400
            yield Heard(answer.status_code, "", "", str(answer.headers) + answer.text)


def test_what_is_kept_of_keys_and_seats_holds_none_of_them(service: Guarded) -> None:
    kept = str(service.store.keys()) + str(service.store.load(MINE))
    for text in service.tokens.values():
        if text and text.startswith("gc") and "A" * 43 not in text:
            assert text[-43:] not in kept
    assert "gck_" not in repr(list_keys(service.store))
    assert service.tokens["admin"] not in repr(who(service.tokens["admin"]))
