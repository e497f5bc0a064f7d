"""A watch as server-sent events: what a browser's `EventSource` reads, and how it resumes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest
from fakes import FakeEndpoints, action, cursor, heartbeat
from flask.testing import FlaskClient
from guncamera.api.config import Config
from guncamera.api.rest import create_app
from guncamera.v1 import session_service_pb2 as pb

WATCH = "/v1/sessions/s1:watch"
EVENTS = {"Accept": "text/event-stream"}


@pytest.fixture
def endpoints() -> FakeEndpoints:
    fake = FakeEndpoints()
    fake.watch_ends.set()
    return fake


@pytest.fixture
def client(endpoints: FakeEndpoints) -> FlaskClient:
    return create_app(endpoints, config=Config(max_streams=2)).test_client()


@dataclass
class Event:
    """One event, as a browser dispatches it."""

    kind: str
    id: str
    data: str


def dispatched(text: str) -> tuple[list[Event], int | None]:
    """The events of a stream and the time to reconnect, by the standard's own steps."""
    events, retry, last_id = [], None, ""
    kind, data = "", []
    for line in text.split("\n"):
        if not line:
            if data:
                events.append(Event(kind or "message", last_id, "\n".join(data)))
            kind, data = "", []
            continue
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "event":
            kind = value
        elif name == "data":
            data.append(value)
        elif name == "id" and "\0" not in value:
            last_id = value
        elif name == "retry":
            retry = int(value)
        else:
            assert not name, f"{line!r} is no field of an event"
    return events, retry


def asked(endpoints: FakeEndpoints) -> Any:
    return endpoints.seen[-1][1]


def test_every_event_has_its_type_its_cursor_and_the_line_of_json(
    client: FlaskClient, endpoints: FakeEndpoints
) -> None:
    endpoints.watch_items = [
        pb.WatchSessionResponse(action=action(8), cursor=cursor(8)),
        pb.WatchSessionResponse(sealed=pb.SealsChanged(seats=["ä\n"]), cursor="8.1.0123456789ab"),
        heartbeat(8),
        pb.WatchSessionResponse(resync=pb.Resync(cause="ahead"), cursor=cursor(7)),
    ]
    response = client.get(WATCH, headers=EVENTS)
    events, retry = dispatched(response.text)
    assert retry == 2000
    kinds = ["action", "sealed", "heartbeat", "resync", "end"]
    assert [event.kind for event in events] == kinds
    lines = client.get(WATCH).text.split("\n")
    assert [event.data for event in events] == [line for line in lines if line]
    for event in events:
        assert event.id == json.loads(event.data)["cursor"]
    assert json.loads(events[1].data)["sealed"] == {"seats": ["ä\n"]}


def test_nothing_on_the_way_may_gather_compress_or_keep_events(client: FlaskClient) -> None:
    for headers, kind in ((EVENTS, "text/event-stream"), ({}, "application/x-ndjson")):
        response = client.get(WATCH, headers=headers)
        assert response.mimetype == kind
        assert response.headers["Cache-Control"] == "no-store, no-transform"
        assert response.headers["X-Accel-Buffering"] == "no"
        assert response.headers["Vary"] == "Accept"
        assert "Content-Length" not in response.headers


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("*/*", "application/x-ndjson"),
        ("application/json", "application/x-ndjson"),
        ("text/event-stream, */*;q=0.1", "text/event-stream"),
        ("text/event-stream;q=0.5, application/x-ndjson", "application/x-ndjson"),
    ],
)
def test_the_form_is_what_the_caller_likes_best(
    client: FlaskClient, accept: str, kind: str
) -> None:
    assert client.get(WATCH, headers={"Accept": accept}).mimetype == kind


@pytest.mark.parametrize("query", ["", "?start_revision=1", "?cursor=1.0.0123456789ab"])
def test_the_last_event_id_goes_before_the_address(
    client: FlaskClient, endpoints: FakeEndpoints, query: str
) -> None:
    client.get(WATCH + query, headers={**EVENTS, "Last-Event-ID": cursor(9)})
    assert asked(endpoints).cursor == cursor(9)
    assert not asked(endpoints).HasField("start_revision")
    client.get(WATCH + query, headers={**EVENTS, "Last-Event-ID": ""})
    assert asked(endpoints).cursor != cursor(9), "an empty id is none"


def test_a_browser_that_opens_again_after_the_end_is_told_that_there_is_no_more(
    client: FlaskClient, endpoints: FakeEndpoints
) -> None:
    endpoints.watch_items = []
    again = {**EVENTS, "Last-Event-ID": cursor(7)}
    response = client.get(WATCH, headers=again)
    assert (response.status_code, response.data) == (204, b"")
    assert endpoints.watches_open == 0
    assert dispatched(client.get(WATCH, headers=EVENTS).text)[0][-1].kind == "end"
    draining = pb.WatchSessionResponse(end=pb.WatchEnd(cause="draining"), cursor=cursor(7))
    endpoints.watch_items = [draining]
    assert client.get(WATCH, headers=again).status_code == 200, "it goes on elsewhere"


def test_a_refusal_is_a_problem_also_to_a_browser(client: FlaskClient) -> None:
    streams = [client.get(WATCH, headers=EVENTS, buffered=False) for _ in range(2)]
    refused = client.get(WATCH, headers=EVENTS)
    assert (refused.status_code, refused.mimetype) == (429, "application/problem+json")
    assert refused.headers["Retry-After"] == "5"
    for stream in streams:
        stream.close()
