"""Rate limits: what is counted against whom, what is never refused, and what a refusal says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from math import inf
from typing import Any

import grpc
import pytest
from google.protobuf.json_format import Parse, ParseDict
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2
from guarded import (
    DETAILS,
    GONE,
    MINE,
    RPCS,
    SEAT,
    TRANSPORTS,
    Guarded,
    Heard,
    guarded,
    request_of,
    with_roles,
)
from guncamera.api.openapi_examples import examples
from guncamera.api.rate_limits import (
    GAME,
    HEAVY,
    HEAVY_COST,
    MOST_WHOSE_TURN_IT_IS,
    UNCOUNTED,
    RateLimits,
    policy_from,
)
from guncamera.sessions.keys import Scope
from guncamera.sessions.rate_windows import SharedWindow
from guncamera.sessions.store import SessionStore
from guncamera.sessions.tallies import Tallies
from guncamera.v1 import access_service_pb2, ruleset_service_pb2
from guncamera.v1 import session_service_pb2 as pb
from guncamera_client.errors import RateLimited
from guncamera_client.retry import Attempts, RetryPolicy
from orders import DEPLOY, who

PER_KEY, PER_SESSION, CREATES = 3 * HEAVY_COST, 8, 3
LISTING = ruleset_service_pb2.ListRulesetsRequest()
SECOND, MINUTE = 1.0, 60.0


class Hand:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


class Limited:
    """A service with limits, its clock, and what it counts with."""

    def __init__(self, *, counts_open: bool = True, may_be_open: bool = False) -> None:
        self.clock = Hand()
        self.counts_open = counts_open
        self.running = guarded(may_be_open=may_be_open, limited=self.limits)

    def limits(self, store: SessionStore) -> RateLimits:
        self.tallies = Tallies(SharedWindow(store), clock=self.clock)
        notation = {"key": f"{PER_KEY}/minute", "session": f"{PER_SESSION}/minute"}
        notation["creates"] = f"{CREATES}/minute"
        policies = {
            name: policy_from(name, text, counts_open=self.counts_open)
            for name, text in notation.items()
        }
        self.made = RateLimits(policies, self.tallies, store)
        return self.made

    def __enter__(self) -> Limited:
        self.service: Guarded = self.running.__enter__()
        return self

    def __exit__(self, *fault: Any) -> None:
        self.running.__exit__(*fault)

    def new_window(self) -> None:
        self.clock.seconds += 61

    def key(self, scope: Scope = Scope.ADMIN) -> str:
        return self.service.key(scope)[1]


@pytest.fixture(scope="module")
def running() -> Iterator[Limited]:
    with Limited() as limited:
        with_roles(limited.service)
        yield limited


@pytest.fixture
def limited(running: Limited) -> Limited:
    running.new_window()
    return running


over_each = pytest.mark.parametrize("over", TRANSPORTS)


def ask(
    limited: Limited, over: str, call: str, credential: str | None, request: Message | None = None
) -> Heard:
    asked = request_of(call, MINE) if request is None else request
    return limited.service.ask(over, call, asked, credential)


def asked_until_refused(limited: Limited, over: str, call: str, credential: str | None) -> int:
    """How often a call is let through."""
    for count in range(1000):
        if ask(limited, over, call, credential).reason == "RATE_LIMITED":
            return count
    raise AssertionError("it is never refused")


def headers_of(heard: Heard) -> dict[str, str]:
    return dict(heard.told[0])


@over_each
def test_a_key_is_let_through_so_often_and_again_when_the_window_is_over(
    limited: Limited, over: str
) -> None:
    key, other = limited.key(), limited.key()
    assert asked_until_refused(limited, over, "ListRulesets", key) == PER_KEY
    assert ask(limited, over, "ListRulesets", other).reason == "OK", "each key has its own"
    limited.clock.seconds += 59
    assert ask(limited, over, "ListRulesets", key).reason == "RATE_LIMITED"
    limited.clock.seconds += 2
    assert ask(limited, over, "ListRulesets", key).reason == "OK"


@over_each
def test_a_refusal_says_which_limit_and_exactly_when_to_come_back(
    limited: Limited, over: str
) -> None:
    key = limited.key()
    asked_until_refused(limited, over, "ListRulesets", key)
    limited.clock.seconds += 17.5
    heard = ask(limited, over, "ListRulesets", key)
    facts = {"policy": "key", "limit": str(PER_KEY), "window_seconds": "60", "remaining": "0"}
    facts["reset_seconds"] = "43"
    if over == "rest":
        problem = json.loads(heard.told[1])
        assert heard.status == problem["status"] == 429
        assert headers_of(heard)["Content-Type"] == "application/problem+json"
        assert problem["metadata"] == facts
        assert headers_of(heard)["Retry-After"] == "43"
        assert headers_of(heard)["RateLimit-Policy"] == f'"key";q={PER_KEY};w=60'
        assert headers_of(heard)["RateLimit"] == '"key";r=0;t=43'
        return
    assert heard.status is grpc.StatusCode.RESOURCE_EXHAUSTED
    status = status_pb2.Status.FromString(dict(heard.told[1])[DETAILS])
    info = error_details_pb2.ErrorInfo()
    retry = error_details_pb2.RetryInfo()
    quota = error_details_pb2.QuotaFailure()
    for kind in (info, retry, quota):
        assert any(detail.Unpack(kind) for detail in status.details), kind.DESCRIPTOR.name
    assert (info.reason, dict(info.metadata)) == ("RATE_LIMITED", facts)
    assert retry.retry_delay.seconds == 43
    (violation,) = quota.violations
    assert (violation.quota_id, violation.quota_value) == ("key", PER_KEY)
    assert violation.subject.startswith("key/")


def test_an_answer_tells_how_the_limits_stand_and_never_when_to_come_back(
    limited: Limited,
) -> None:
    key = limited.key()
    heard = ask(limited, "rest", "GetSession", key)
    told = headers_of(heard)
    policy = f'"session";q={PER_SESSION};w=60, "key";q={PER_KEY};w=60'
    assert told["RateLimit-Policy"] == policy
    assert told["RateLimit"] == f'"session";r={PER_SESSION - 1};t=60, "key";r={PER_KEY - 1};t=60'
    assert "Retry-After" not in told
    assert {"RateLimit", "RateLimit-Policy", "Retry-After"} <= set(
        told["Access-Control-Expose-Headers"].split(", ")
    )


@over_each
def test_a_session_has_a_limit_for_all_who_ask_about_it(limited: Limited, over: str) -> None:
    tokens = limited.service.tokens
    for _ in range(PER_SESSION // 2):
        assert ask(limited, over, "DrawBoard", tokens["seat"]).reason == "OK"
        assert ask(limited, over, "GetSession", limited.key()).reason == "OK"
    assert ask(limited, over, "GetSession", limited.key()).reason == "RATE_LIMITED"
    assert ask(limited, over, "DrawBoard", tokens["seat"]).reason == "RATE_LIMITED"
    elsewhere = request_of("GetSession", "others")
    assert ask(limited, over, "GetSession", limited.key(), elsewhere).reason == "OK"


def new_game(limited: Limited, session_id: str) -> dict[str, str]:
    """A session with a seat that may act, `us`, and one that may not, `referee`; their tokens."""
    request = pb.CreateSessionRequest()
    ParseDict(examples()["CreateSession"]["carriers"], request)
    request.session_id = session_id
    made = limited.service.endpoints.CreateSession(request, who())
    assert "us" in made.active_seats
    assert "referee" not in made.active_seats
    claim = partial(pb.ClaimSeatRequest, name=made.name)
    claimed = limited.service.endpoints.ClaimSeat
    return {seat: claimed(claim(seat=seat), who()).token for seat in ("us", "referee")}


def use_up(limited: Limited, over: str, name: str, key: str) -> None:
    drawn = pb.DrawBoardRequest(name=name)
    while ask(limited, over, "DrawBoard", key, drawn).reason != "RATE_LIMITED":
        pass


@over_each
@pytest.mark.parametrize("call", sorted(GAME & set(RPCS)))
def test_a_seat_whose_turn_it_is_plays_on_whatever_others_have_used(
    limited: Limited, over: str, call: str
) -> None:
    session_id = f"game-{call.lower()}-{over.replace(' ', '-')}"
    tokens = new_game(limited, session_id)
    use_up(limited, over, f"sessions/{session_id}", limited.key())
    request = request_of(call, session_id)
    heard = ask(limited, over, call, tokens["us"], request)
    assert heard.reason not in ("RATE_LIMITED", "CALLER_UNKNOWN")
    assert ask(limited, over, call, tokens["referee"], request).reason == "RATE_LIMITED"
    assert ask(limited, over, call, limited.key(), request).reason == "RATE_LIMITED"


@over_each
def test_a_whole_turn_is_played_with_nothing_left(limited: Limited, over: str) -> None:
    session_id = f"turn-{over.replace(' ', '-')}"
    token = limited.service.session(session_id)
    use_up(limited, over, f"sessions/{session_id}", limited.key())
    request = pb.MoveRequest(name=f"sessions/{session_id}", order=DEPLOY)
    assert ask(limited, over, "Move", token, request).reason == "OK"
    for call in sorted(set(RPCS) - GAME - UNCOUNTED):
        if RPCS[call].session_of(request_of(call, session_id)) and call != "ClaimSeat":
            heard = ask(limited, over, call, token, request_of(call, session_id))
            assert heard.reason == "RATE_LIMITED", call


def test_turns_are_no_way_to_flood_the_service(limited: Limited) -> None:
    tokens = new_game(limited, "flood")
    use_up(limited, "rest", "sessions/flood", limited.key())
    flood = limited.made._flood
    use = partial(limited.tallies.take, [limited.made._use_of_flood("flood")])
    for _ in range(MOST_WHOSE_TURN_IT_IS - 1):
        assert use() is None
    looking = pb.GetSessionRequest(name="sessions/flood", seat="us")
    assert ask(limited, "rest", "GetSession", tokens["us"], looking).reason == "OK"
    heard = ask(limited, "grpc fast", "GetSession", tokens["us"], looking)
    assert heard.reason == "RATE_LIMITED"
    assert (flood.amount, flood.get_expiry()) == (MOST_WHOSE_TURN_IT_IS, 1)
    limited.clock.seconds += 1.5
    assert ask(limited, "rest", "GetSession", tokens["us"], looking).reason == "OK"


@over_each
@pytest.mark.parametrize("role", ["forged seat", "foreign seat", "released seat"])
def test_strangers_use_nothing_of_a_session_and_learn_nothing_by_its_limit(
    limited: Limited, over: str, role: str
) -> None:
    tokens = limited.service.tokens
    for call in ("GetSession", "Move", "DrawBoard"):
        for _ in range(PER_SESSION + 1):
            assert ask(limited, over, call, tokens[role]).reason == "CALLER_UNKNOWN"
    used = ask(limited, over, "GetSession", tokens["seat"])
    assert used.reason == "OK"
    use_up(limited, over, f"sessions/{MINE}", limited.key())
    missing = request_of("DrawBoard", GONE)
    there, gone = (
        ask(limited, over, "DrawBoard", tokens[role], request) for request in (None, missing)
    )
    assert there.reason == gone.reason == "CALLER_UNKNOWN"


@over_each
def test_sessions_that_are_not_there_have_no_limit_to_use_up(limited: Limited, over: str) -> None:
    missing = request_of("GetSession", "nowhere")
    for _ in range(PER_SESSION + 1):
        assert ask(limited, over, "GetSession", limited.key(), missing).reason == (
            "SESSION_NOT_FOUND"
        )


@over_each
def test_creating_has_a_limit_of_its_own(limited: Limited, over: str) -> None:
    key = limited.key()
    for _ in range(CREATES):
        assert ask(limited, over, "CreateSession", key).reason == "OK"
    heard = ask(limited, over, "CreateSession", key)
    assert heard.reason == "RATE_LIMITED"
    assert "creates" in heard.text
    assert ask(limited, over, "ListSessions", key).reason == "OK"


@over_each
@pytest.mark.parametrize("call", sorted(HEAVY - {"ImportSession", "ExportSession"}))
def test_what_takes_long_uses_more(limited: Limited, over: str, call: str) -> None:
    assert asked_until_refused(limited, over, call, limited.key()) == PER_KEY // HEAVY_COST


def test_nonsense_is_counted_too(limited: Limited) -> None:
    key = limited.key()
    channel = limited.service.channels["grpc fast"]
    path = "/guncamera.v1.ResolutionService/ResolveFire"
    seen = []
    for _ in range(PER_KEY + 1):
        with pytest.raises(grpc.RpcError) as raised:
            channel.unary_unary(path)(
                b"\xff", metadata=(("authorization", f"Bearer {key}"),), timeout=20
            )
        failed: Any = raised.value
        seen.append(failed.code())
    assert seen[-2:] == [grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.RESOURCE_EXHAUSTED]
    other = {"Authorization": f"Bearer {limited.key()}"}
    answers = [
        limited.service.rest.post("/v1:resolveFire", data=b"[", headers=other).status_code
        for _ in range(PER_KEY + 1)
    ]
    assert answers == [415] * PER_KEY + [429]


@over_each
def test_a_seats_rulings_count_for_its_session(limited: Limited, over: str) -> None:
    token = limited.service.tokens["seat"]
    assert asked_until_refused(limited, over, "ListRulesets", token) == PER_SESSION
    assert ask(limited, over, "ListRulesets", limited.service.tokens["forged seat"]).reason == (
        "CALLER_UNKNOWN"
    )


@over_each
def test_who_is_let_in_without_asking_shares_one_limit(over: str) -> None:
    with Limited(may_be_open=True) as limited:
        assert asked_until_refused(limited, over, "ListRulesets", None) == PER_KEY
        token = limited.service.session("open")
        limited.new_window()
        asked_until_refused(limited, over, "ListRulesets", None)
        request = pb.MoveRequest(name="sessions/open", order=DEPLOY)
        assert ask(limited, over, "Move", "not a token", request).reason == "RATE_LIMITED"
        assert ask(limited, over, "Move", token, request).reason == "OK", "it is its turn"


def test_who_has_the_machine_to_himself_is_not_counted() -> None:
    with Limited(may_be_open=True, counts_open=False) as limited:
        for _ in range(2 * PER_KEY):
            heard = ask(limited, "rest", "ListRulesets", None)
            assert heard.reason == "OK"
            assert "RateLimit" not in headers_of(heard)
        assert asked_until_refused(limited, "rest", "ListRulesets", limited.key()) == PER_KEY


def quota(limited: Limited, over: str, credential: str | None, session: str = "") -> Any:
    request = access_service_pb2.GetQuotaRequest(name=session and f"{session}/quota")
    heard = limited.service.ask(over, "GetQuota", request, credential)
    assert heard.reason == "OK", heard
    if over == "rest":
        return Parse(heard.told[1], access_service_pb2.Quota())
    return access_service_pb2.Quota.FromString(heard.told[0])


@over_each
def test_quotas_are_read_and_reading_them_uses_nothing(limited: Limited, over: str) -> None:
    key, session_id = limited.key(), f"quota-{over.replace(' ', '-')}"
    limited.service.session(session_id)
    for _ in range(3):
        ask(limited, over, "GetSession", key, request_of("GetSession", session_id))
    for _ in range(PER_KEY + 1):
        found = quota(limited, over, key, f"sessions/{session_id}")
    assert found.caller == "key"
    rows = {one.policy: (one.limit, one.window_seconds, one.used, one.remaining) for one in
            found.limits}  # fmt: skip
    assert rows == {
        "session": (PER_SESSION, 60, 3, PER_SESSION - 3),
        "key": (PER_KEY, 60, 3, PER_KEY - 3),
        "creates": (CREATES, 60, 0, CREATES),
    }
    assert all(one.reset_time.seconds for one in found.limits)


@over_each
def test_a_seat_reads_the_limit_of_its_session_and_of_no_other(limited: Limited, over: str) -> None:
    token = limited.service.tokens["seat"]
    for session in ("", f"sessions/{MINE}"):
        found = quota(limited, over, token, session)
        assert found.caller == "seat"
        assert [one.subject for one in found.limits] == [f"sessions/{MINE}"]
    request = access_service_pb2.GetQuotaRequest(name="sessions/others/quota")
    assert ask(limited, over, "GetQuota", token, request).reason == "CALLER_UNKNOWN"
    request.name = "sessions/others"
    assert ask(limited, over, "GetQuota", token, request).reason == "INPUT_INVALID"
    forged = limited.service.tokens["forged seat"]
    request.name = ""
    assert ask(limited, over, "GetQuota", forged, request).reason == "CALLER_UNKNOWN"


def test_an_open_service_without_limits_says_that_there_are_none() -> None:
    with guarded(may_be_open=True) as service:
        heard = service.ask("rest", "GetQuota", access_service_pb2.GetQuotaRequest(), None)
        assert json.loads(heard.told[1]) == {"name": "quota", "caller": "open", "limits": []}
        assert "RateLimit" not in headers_of(heard)


@over_each
def test_no_call_that_is_let_through_asks_the_store_for_its_limits(
    limited: Limited, over: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, token = limited.service.store, limited.service.tokens["seat"]
    counts: list[str] = []
    monkeypatch.setattr(store, "count", lambda name, *_, **__: counts.append(name))
    with guarded() as plain:
        plain.tokens["seat"] = plain.session(MINE)
        before = plain.store.loads
        plain.ask(over, "GetSession", request_of("GetSession", MINE), plain.tokens["seat"])
        needed = plain.store.loads - before
    before = store.loads
    assert ask(limited, over, "GetSession", token).reason == "OK"
    assert store.loads - before == needed
    assert counts == []
    before = store.loads
    use_up(limited, over, f"sessions/{MINE}", limited.key())
    refused = store.loads
    for _ in range(5):
        assert ask(limited, over, "GetSession", limited.key()).reason == "RATE_LIMITED"
    assert store.loads == refused, "a key is refused from memory"


@over_each
def test_limits_hold_when_the_store_is_gone(over: str) -> None:
    with Limited() as limited:
        key = limited.key()
        limited.service.store.close()
        assert asked_until_refused(limited, over, "ListRulesets", key) == PER_KEY
        limited.new_window()
        assert ask(limited, over, "ListRulesets", key).reason == "OK"
        used = {one.policy: one.used for one in quota(limited, over, key).limits}
        assert used == {"key": 1, "creates": 0}


def test_the_client_waits_as_long_as_it_is_told_if_it_may() -> None:
    refused = RateLimited("Come back.", retry_after_seconds=43, facts={"policy": "key",
                          "limit": "60", "remaining": "0"})  # fmt: skip
    assert (refused.policy, refused.limit, refused.remaining) == ("key", 60, 0)
    patient = RetryPolicy(total_seconds=inf)
    pause = Attempts(patient, draw=lambda: 1.0).pause_after(refused)
    assert pause is not None
    assert 43 <= pause < 44
    assert Attempts(RetryPolicy(total_seconds=20)).pause_after(refused) is None


@pytest.mark.parametrize(
    "notation", ["", "many", "0/minute", "5", "5/fortnight", "1/second; 5/minute", "-1/second"]
)
def test_what_is_no_limit_is_not_taken_for_one(notation: str) -> None:
    with pytest.raises(ValueError, match=r"limit|granularity"):
        policy_from("key", notation, counts_open=True)


def test_the_limits_are_about_calls_that_there_are() -> None:
    assert set(RPCS) >= HEAVY | UNCOUNTED | (GAME - {"Undo"})
    assert SEAT
