"""Conditional reads: 304 for who has it, and nothing but a refusal for who may not have it."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from typing import Any

import pytest
from fakes import FakeEndpoints
from flask.testing import FlaskClient
from google.protobuf.message import Message
from guarded import MINE, SEAT, Guarded, guarded, request_of, with_roles
from guncamera.api.config import Config
from guncamera.api.rest import create_app
from guncamera.api.rest_answers import EXPOSED_HEADERS
from guncamera.api.routes import rpcs
from guncamera.v1 import session_service_pb2 as pb
from guncamera_client._methods import METHODS
from orders import DEPLOY, LAUNCH, who
from werkzeug.test import TestResponse

READS = [rpc.name for rpc in rpcs() if rpc.routes[0].is_read and not rpc.streams]
PAGES = (
    "/", "/problems", "/problems/seat-not-active", "/openapi.json", "/docs", "/docs/page.js",
    "/table", "/table/form.js", "/aid/circus", "/.well-known/guncamera-signing-keys",
)  # fmt: skip
SESSION = f"/v1/sessions/{MINE}"
ORIGIN = {"Origin": "https://elsewhere.example"}


@pytest.fixture(scope="module")
def service() -> Iterator[Guarded]:
    with guarded(may_be_open=True) as running:
        running.session(MINE, claimed=False)
        running.endpoints.Move(pb.MoveRequest(name=f"sessions/{MINE}", order=DEPLOY), who())
        yield running


@pytest.fixture(scope="module")
def closed() -> Iterator[Guarded]:
    with guarded() as running:
        yield with_roles(running)


def ask(client: FlaskClient, request: Message, **headers: str) -> TestResponse:
    call = type(request).__name__.removesuffix("Request")
    http = METHODS[call].as_http(request)
    return client.open(
        http.path, method=http.verb, query_string=http.query, json=http.body,
        headers={name.replace("_", "-"): value for name, value in headers.items()} | ORIGIN,
    )  # fmt: skip


def kept_of(answer: TestResponse) -> dict[str, str]:
    """The headers that a cache goes by, and those that pages elsewhere need to see them."""
    names = ("ETag", "Cache-Control", "Vary", "Access-Control-Allow-Origin", "X-Request-Id")
    exposed = answer.headers["Access-Control-Expose-Headers"].split(", ")
    assert sorted(exposed) == sorted(EXPOSED_HEADERS)
    assert "ETag" in exposed
    return {name: answer.headers[name] for name in names if name in answer.headers}


def check_known(first: TestResponse, again: TestResponse) -> None:
    assert (first.status_code, again.status_code, again.data) == (200, 304, b"")
    assert kept_of(again) == kept_of(first)
    assert not {"Content-Type", "Content-Length"} & {*again.headers.keys()}


@pytest.mark.parametrize("call", READS)
def test_whoever_has_an_answer_is_told_so(service: Guarded, call: str) -> None:
    request = request_of(call, MINE)
    own: dict[str, str] = {"X_Request_Id": "the-same-call"}
    first = ask(service.rest, request, **own)
    tag = first.headers["ETag"]
    assert first.headers["Vary"] == "Authorization"
    for told in (tag, f"W/{tag}", f'"another", {tag}', "*"):
        check_known(first, ask(service.rest, request, If_None_Match=told, **own))
    for told in ('"another"', "nonsense", "", tag.replace('"', "'")):
        other = ask(service.rest, request, If_None_Match=told, **own)
        assert (other.status_code, other.data) == (200, first.data)


def test_what_is_printed_may_be_kept_and_what_a_seat_sees_may_not(service: Guarded) -> None:
    said = {
        call: ask(service.rest, request_of(call, MINE)).headers["Cache-Control"] for call in READS
    }
    printed = {"ListRulesets", "GetRuleset", "ListTables", "GetTable", "ListAircraft"}
    assert {call for call, told in said.items() if told == "no-cache"} == printed
    assert {told for call, told in said.items() if call not in printed} == {"no-store"}


@pytest.mark.parametrize("path", PAGES)
def test_a_page_that_is_known_is_not_sent_again(service: Guarded, path: str) -> None:
    own = {"X-Request-Id": "the-same-call", **ORIGIN}
    first = service.rest.get(path, headers=own)
    assert first.headers["Cache-Control"] == "no-cache"
    tag = first.headers["ETag"]
    check_known(first, service.rest.get(path, headers={"If-None-Match": tag, **own}))
    other = service.rest.get(path, headers={"If-None-Match": '"another"', **own})
    assert (other.status_code, other.data) == (200, first.data)


@pytest.mark.parametrize("path", ["/openapi.json", "/table/page.js", "/docs/swagger-ui-bundle.js"])
def test_a_large_page_comes_packed_to_who_takes_it_so(service: Guarded, path: str) -> None:
    plain = service.rest.get(path, headers={"Accept-Encoding": "gzip;q=0"})
    packed = service.rest.get(path, headers={"Accept-Encoding": "br, gzip"})
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == plain.data
    assert len(packed.data) * 2 < len(plain.data)
    assert int(packed.headers["Content-Length"]) == len(packed.data)
    assert plain.headers["Vary"] == packed.headers["Vary"] == "Accept-Encoding"
    assert plain.headers["ETag"] != packed.headers["ETag"], "other octets have another tag"
    known = {"If-None-Match": packed.headers["ETag"]}
    again = service.rest.get(path, headers={"Accept-Encoding": "gzip", **known})
    assert (again.status_code, again.data) == (304, b"")
    assert "Content-Encoding" not in again.headers


def test_what_a_seat_sees_is_never_packed(service: Guarded) -> None:
    """How well a board packs would tell of it."""
    headers = {"Accept-Encoding": "gzip"}
    for path in (SESSION, f"{SESSION}/actions", f"{SESSION}/board.svg", "/v1/rulesets/circus"):
        answer = service.rest.get(path, headers=headers)
        assert answer.status_code == 200
        assert "Content-Encoding" not in answer.headers


def test_a_head_is_conditional_too(service: Guarded) -> None:
    first = service.rest.head(SESSION)
    assert (first.status_code, first.data) == (200, b"")
    again = service.rest.head(SESSION, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


def test_a_tag_tells_what_changes_without_the_revision(service: Guarded) -> None:
    """A claim leaves the revision: whoever asks by the tag must hear of it."""
    service.session("claimed-soon", claimed=False)
    read = pb.GetSessionRequest(name="sessions/claimed-soon")
    before = ask(service.rest, read)
    service.claim("claimed-soon")
    after = ask(service.rest, read, If_None_Match=before.headers["ETag"])
    assert (after.status_code, after.json["etag"]) == (200, before.json["etag"])
    assert after.headers["ETag"] != before.headers["ETag"]


def test_a_tag_that_was_read_stands_for_the_etag_of_an_order(service: Guarded) -> None:
    service.session("by-a-tag", claimed=False)
    read = pb.GetSessionRequest(name="sessions/by-a-tag")
    tags = [ask(service.rest, read).headers["ETag"]]
    for order in (DEPLOY, LAUNCH):
        request = pb.MoveRequest(name="sessions/by-a-tag", order=order)
        assert ask(service.rest, request, If_Match=tags[-1]).status_code == 200
        stale = ask(service.rest, request, If_Match=tags[-1])
        assert (stale.status_code, stale.json["reason"]) == (412, "ETAG_MISMATCH")
        tags.append(ask(service.rest, read).headers["ETag"])
    assert len({*tags}) == 3


@pytest.mark.parametrize("call", ["GetSession", "DrawBoard", "GetAction", "GetRuleset"])
def test_who_may_not_read_is_refused_whatever_tag_he_knows(closed: Guarded, call: str) -> None:
    name = f"sessions/{MINE}"
    if call == "GetAction" and not closed.endpoints.shelf.load(MINE).revision:
        token = closed.tokens["seat"]
        closed.endpoints.Move(pb.MoveRequest(name=name, order=DEPLOY), who(token))
    request: Any = request_of(call, MINE)
    if "seat" in request.DESCRIPTOR.fields_by_name:
        request.seat = SEAT
    mine = closed.ask("rest", call, request, closed.tokens["seat"])
    assert mine.status == 200
    tag = dict(mine.told[0])["ETag"]
    reasons = set()
    for role in closed.tokens:
        plain = closed.ask("rest", call, request, closed.tokens[role])
        for told in (tag, "*"):
            heard = closed.ask("rest", call, request, closed.tokens[role], If_None_Match=told)
            if plain.status == 200:
                assert heard.status == 304, role
            else:
                assert (heard.status, heard.reason) == (plain.status, plain.reason), role
                assert "ETag" not in dict(heard.told[0])
                reasons.add(plain.reason)
    assert "CALLER_UNKNOWN" in reasons


def test_a_refusal_is_never_known(service: Guarded) -> None:
    for tag in ("*", '"1"'):
        gone = ask(service.rest, pb.GetSessionRequest(name="sessions/none"), If_None_Match=tag)
        assert (gone.status_code, gone.json["reason"]) == (404, "SESSION_NOT_FOUND")
        assert "ETag" not in gone.headers


@pytest.mark.parametrize("is_fast", [True, False])
def test_the_short_cut_makes_no_difference(is_fast: bool) -> None:
    client = create_app(FakeEndpoints(), config=Config(rest_is_fast=is_fast)).test_client()
    first = client.get("/v1/sessions/s1")
    again = client.get("/v1/sessions/s1", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    for path in ("/v1/sessions/s1:move", "/v1:resolveFire"):
        refused = client.post(path, headers={"If-None-Match": first.headers["ETag"]})
        assert refused.json["violations"][0]["field"] == "If-None-Match"
