"""Undo by every client: what is sent, what comes back, what a watch has heard of offers."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import pytest
from clients.fake_service import FakeService, Refuse
from clients.scene import KETTERING, NAME, SWIFT
from google.rpc import code_pb2
from guncamera.v1.session_service_pb2 import (
    Action,
    UndoOffer,
    UndoOffers,
    UndoOrder,
    UndoResponse,
    WatchEnd,
    WatchSessionResponse,
)
from guncamera_client import AsyncClient, Client, RestClient, errors

WAITING = UndoResponse(to_revision=2, agreed_seats=["red"], waiting_seats=["blue"], revision=3)
CURSOR = "3.0.0123456789ab"


@pytest.mark.parametrize("back", [None, 0, 2])
def test_what_is_left_out_and_the_opening_are_told_apart(
    fake: FakeService, client: Client, back: int | None
) -> None:
    fake.answers("Undo", WAITING)
    assert client.undo(KETTERING, to_revision=back, by_agreement=True, seat="red") == WAITING
    [call] = fake.calls
    request = call.request
    assert (request.name, request.seat, request.by_agreement) == (NAME, "red", True)
    assert request.HasField("to_revision") == (back is not None)
    assert request.to_revision == (back or 0)


def test_over_http_it_is_a_post_of_the_same() -> None:
    asked: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        return httpx.Response(200, json={"to_revision": 0, "waiting_seats": ["blue"]})

    transport = httpx.MockTransport(answer)
    with RestClient("http://guns.test", transport=transport, retry=SWIFT) as client:
        found = client.undo(NAME, to_revision=0, request_id="undo-1234", validate_only=True)
    assert list(found.waiting_seats) == ["blue"]
    assert asked[0].url.path == "/v1/sessions/night:undo"
    assert asked[0].read() == (
        b'{"to_revision":0,"request_id":"undo-1234","validate_only":true}'
    ), asked[0].content


@pytest.mark.parametrize(
    ("reason", "kind"),
    [
        ("UNDO_NEEDS_AGREEMENT", errors.UndoNeedsAgreement),
        ("UNDO_IMPOSSIBLE", errors.UndoImpossible),
    ],
)
def test_refusals_are_exceptions_of_their_own_and_are_not_repeated(
    fake: FakeService, client: Client, reason: str, kind: type[errors.GuncameraError]
) -> None:
    fake.answers("Undo", Refuse(code_pb2.FAILED_PRECONDITION, reason, metadata={"cause": "dice"}))
    with pytest.raises(kind) as caught:
        client.undo(NAME)
    assert caught.value.facts["cause"] == "dice"
    assert len(fake.calls) == 1


def messages() -> list[Any]:
    offers = UndoOffers(offers=[UndoOffer(seat="red", to_revision=2)])
    undone = Action(revision=4, undo=UndoOrder(to_revision=2))
    return [
        WatchSessionResponse(undo_offers=offers, cursor=f"{CURSOR}.01234567"),
        WatchSessionResponse(action=Action(revision=3), cursor=CURSOR),
        WatchSessionResponse(undo_offers=offers, cursor=f"{CURSOR}.01234567"),
        WatchSessionResponse(action=undone, cursor=CURSOR),
        WatchSessionResponse(end=WatchEnd(cause="finished"), cursor=CURSOR),
    ]


def test_a_watch_keeps_the_offers_until_the_next_action(fake: FakeService, client: Client) -> None:
    fake.streams(messages()[2:])
    with client.watch_session(NAME, start_revision=4) as watch:
        action = next(watch)
        assert (action.undo.to_revision, watch.undo_offers) == (2, ())
        assert list(watch) == []


def test_what_was_offered_is_there_while_one_waits(fake: FakeService) -> None:
    fake.streams([*messages()[1:3], messages()[4]])

    async def follow() -> tuple[list[int], Any]:
        async with AsyncClient(fake.target, retry=SWIFT) as client:
            watch = client.watch_session(NAME, start_revision=3)
            return [action.revision async for action in watch], watch.undo_offers

    assert asyncio.run(follow()) == ([3], (("red", 2),))
