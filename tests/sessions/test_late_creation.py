"""A request creates one session: its retry creates no other, also when that one is gone."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from typing import Any

import duel
import guarded
import pytest
from google.protobuf.message import Message
from guarded import TRANSPORTS, Guarded, Heard
from guncamera.sessions.keys import Scope
from guncamera.sessions.redis_store import RedisStore
from guncamera.sessions.request_store import CREATIONS_KEPT_SECONDS
from guncamera.sessions.store import Created, Exists, Gone, RequestKey
from guncamera.v1 import session_service_pb2 as pb
from orders import SETUP, who
from paired import PAIRED
from store_calls import NAMES, ask, create, keys_of

PLAY, ADMIN = "play", "admin"


@pytest.fixture(scope="module")
def service() -> Iterator[Guarded]:
    with duel.registered(PAIRED), guarded.guarded() as running:
        for role, scope in ((PLAY, Scope.PLAY), (ADMIN, Scope.ADMIN)):
            running.tokens[role] = running.key(scope)[1]
        yield running


def creation(session_id: str) -> tuple[str, Message]:
    request = pb.CreateSessionRequest(
        session_id=session_id, setup=SETUP, dice_seed="late", request_id=str(uuid.uuid4())
    )
    return "CreateSession", request


def an_import(service: Guarded, session_id: str) -> tuple[str, Message]:
    made = pb.CreateSessionRequest(setup=SETUP, dice_seed="late")
    session = service.endpoints.CreateSession(made, who())
    film = service.endpoints.ExportSession(pb.ExportSessionRequest(name=session.name), who())
    request = pb.ImportSessionRequest(
        session_id=session_id, film=film, request_id=str(uuid.uuid4())
    )
    return "ImportSession", request


def drop(service: Guarded, name: str) -> None:
    request = pb.DeleteSessionRequest(name=name)
    assert (
        service.ask("grpc standard", "DeleteSession", request, service.tokens[ADMIN]).reason == "OK"
    )


def names_of(service: Guarded) -> list[str]:
    return list(service.store.list_ids(after=None, limit=1000).ids)


def refused(heard: Heard, session_id: str) -> None:
    """It was refused, with what happened and the way out."""
    assert heard.reason == "SESSION_NOT_FOUND", heard
    assert str(heard.status) in ("404", "StatusCode.NOT_FOUND")
    assert "This request created session" in heard.text
    assert "Send a new request id" in heard.text
    assert session_id in heard.text


@pytest.mark.parametrize("over", TRANSPORTS)
@pytest.mark.parametrize("named", [True, False])
@pytest.mark.parametrize("call", ["CreateSession", "ImportSession"])
def test_a_retry_after_the_deletion_creates_nothing(
    service: Guarded, call: str, named: bool, over: str
) -> None:
    wanted = f"late-{uuid.uuid4().hex[:8]}" if named else ""
    _, request = creation(wanted) if call == "CreateSession" else an_import(service, wanted)
    key = service.tokens[PLAY]
    before = names_of(service)
    assert service.ask(over, call, request, key).reason == "OK"
    (session_id,) = set(names_of(service)) - set(before)
    drop(service, f"sessions/{session_id}")
    for again in TRANSPORTS:
        refused(service.ask(again, call, request, key), session_id)
    assert service.store.load(session_id) is None
    assert names_of(service) == before


@pytest.mark.parametrize("over", TRANSPORTS)
def test_another_request_may_have_the_name_and_the_retry_leaves_it_alone(
    service: Guarded, over: str
) -> None:
    name = f"late-{uuid.uuid4().hex[:8]}"
    key = service.tokens[PLAY]
    call, first = creation(name)
    _, second = creation(name)
    assert service.ask(over, call, first, key).reason == "OK"
    drop(service, f"sessions/{name}")
    assert service.ask(over, call, second, key).reason == "OK"
    refused(service.ask(over, call, first, key), name)
    assert service.ask(over, call, second, key).reason == "OK", "that is a retry of what is there"


def test_the_refusal_names_the_field(service: Guarded) -> None:
    name = f"late-{uuid.uuid4().hex[:8]}"
    call, request = creation(name)
    key = service.tokens[PLAY]
    assert service.ask("rest", call, request, key).reason == "OK"
    drop(service, f"sessions/{name}")
    heard: Any = service.ask("rest", call, request, key)
    problem = json.loads(heard.told[1])
    assert problem["metadata"]["session_id"] == name
    assert problem["violations"][0]["field"] == "request_id", problem


# ---- The store


@pytest.fixture(params=["single", "cluster"])
def store(request: pytest.FixtureRequest) -> Iterator[RedisStore]:
    fixture = "store_url" if request.param == "single" else "cluster_url"
    made = RedisStore(request.getfixturevalue(fixture))
    yield made
    made.close()


def test_a_request_is_known_beyond_its_session_whatever_ended_that(store: RedisStore) -> None:
    deleted, expired = next(NAMES), next(NAMES)
    for name in (deleted, expired):
        assert create(store, name, RequestKey("creation", "print")) == Created(0)
    store.delete(deleted)
    ask(store, keys_of(expired)[0], "PEXPIRE", keys_of(expired)[0], 0)
    for name in (deleted, expired):
        assert create(store, name, RequestKey("creation", "print")) == Gone("print")
        assert create(store, name, RequestKey("creation", "another")) == Gone("print")
        assert store.load(name) is None
        assert create(store, name, RequestKey("other", "print")) == Created(0)
        assert create(store, name, RequestKey("creation", "print")) == Gone("print")
        assert create(store, name, RequestKey("other", "print")) == Exists(
            RequestKey("other", "print")
        )
        store.delete(name)
        assert create(store, name) == Created(0), "who gives no request id is no retry"


@pytest.mark.parametrize("ttl_seconds", [60, 2 * CREATIONS_KEPT_SECONDS])
def test_a_request_is_known_for_a_day_or_for_the_life_of_its_session(
    store: RedisStore, ttl_seconds: int
) -> None:
    name = next(NAMES)
    create(store, name, RequestKey("creation", "print"), ttl_seconds=ttl_seconds)
    done = f"guncamera:{{{name}}}:created:creation"
    left = ask(store, done, "TTL", done)
    wanted = max(ttl_seconds, CREATIONS_KEPT_SECONDS)
    assert wanted - 60 < left <= wanted
    store.delete(name)
    assert ask(store, done, "DEL", done) == 1
    assert create(store, name, RequestKey("creation", "print")) == Created(0), "it is forgotten"
