"""Sealing and revealing by every client: what is sent, what comes back, what is repeated."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx
import orjson
import pytest
from clients.fake_service import Drop, FakeService, Refuse
from clients.scene import KETTERING, NAME, SWIFT
from google.protobuf.duration_pb2 import Duration
from google.rpc import code_pb2, error_details_pb2
from guncamera.v1.actions_pb2 import MoveOrder
from guncamera.v1.ruleset_kettering_pb2 import (
    KetteringFireOrder,
    KetteringLaunch,
    KetteringMoveOrder,
    KetteringSetup,
)
from guncamera.v1.session_service_pb2 import (
    LegalOrder,
    RevealOrdersResponse,
    SealedOrder,
    SealOrderResponse,
)
from guncamera_client import AsyncClient, Client, RestClient, errors

LAUNCH = KetteringMoveOrder(launch=KetteringLaunch())
WAITING = SealOrderResponse(seat="red", revision=3, waiting_seats=["blue"])


@pytest.mark.parametrize(
    "order",
    [
        MoveOrder(kettering=LAUNCH),
        LAUNCH,
        LAUNCH.launch,
        LegalOrder(move=MoveOrder(kettering=LAUNCH), summary="Launch."),
        SealedOrder(move=MoveOrder(kettering=LAUNCH)),
    ],
    ids=lambda order: type(order).__name__,
)
def test_an_order_is_sealed_whatever_it_comes_in(
    fake: FakeService, client: Client, order: Any
) -> None:
    fake.answers("SealOrder", WAITING)
    answer = client.seal_order(KETTERING, order, seat="red", etag='"3"', validate_only=True)
    assert answer == WAITING
    [call] = fake.calls
    assert (call.request.name, call.request.seat, call.request.etag) == (NAME, "red", '"3"')
    assert call.request.WhichOneof("order") == "move"
    assert call.request.move.kettering == LAUNCH
    assert call.request.validate_only


def test_an_empty_order_is_an_order_and_none_is_refused_here(
    fake: FakeService, client: Client
) -> None:
    client.seal_order(NAME, KetteringFireOrder())
    assert fake.calls[0].request.fire.HasField("kettering")
    with pytest.raises(ValueError, match="no order"):
        client.seal_order(NAME, LegalOrder())
    with pytest.raises(TypeError, match="no place"):
        client.seal_order(NAME, WAITING)
    assert len(fake.calls) == 1


def test_a_lost_answer_is_asked_for_again_with_the_same_request_id(
    fake: FakeService, client: Client
) -> None:
    fake.answers("SealOrder", Drop(), WAITING)
    fake.answers("RevealOrders", Drop(), RevealOrdersResponse(revision=2))
    client.seal_order(NAME, LAUNCH)
    client.reveal_orders(NAME, seat="red")
    for method in ("SealOrder", "RevealOrders"):
        ids = [call.request.request_id for call in fake.calls_of(method)]
        assert len(ids) == 2
        assert ids[0]
        assert len(set(ids)) == 1
    client.seal_order(NAME, LAUNCH, request_id="mine")
    assert fake.calls[-1].request.request_id == "mine"


def test_a_reveal_that_is_not_due_is_raised_at_once(fake: FakeService, client: Client) -> None:
    retry = error_details_pb2.RetryInfo(retry_delay=Duration(seconds=1))
    fake.answers(
        "RevealOrders",
        Refuse(
            code_pb2.FAILED_PRECONDITION,
            "REVEAL_NOT_DUE",
            metadata={"seconds_left": "1"},
            details=[retry],
        ),
    )
    with pytest.raises(errors.RevealNotDue) as caught:
        client.reveal_orders(NAME)
    assert (caught.value.retry_after_seconds, caught.value.facts) == (1, {"seconds_left": "1"})
    assert len(fake.calls) == 1


def test_a_deadline_is_sent_with_the_session_it_is_for(fake: FakeService, client: Client) -> None:
    client.create_session(KetteringSetup(), seal_seconds=60)
    assert fake.calls[0].request.seal_seconds == 60


def test_the_asyncio_client_seals_and_reveals(fake: FakeService) -> None:
    fake.answers("SealOrder", WAITING)
    fake.answers("RevealOrders", RevealOrdersResponse(late_seats=["blue"]))

    async def play() -> tuple[SealOrderResponse, RevealOrdersResponse]:
        async with AsyncClient(fake.target, retry=SWIFT) as client:
            return await client.seal_order(NAME, LAUNCH), await client.reveal_orders(NAME)

    sealed, revealed = asyncio.run(play())
    assert (sealed, list(revealed.late_seats)) == (WAITING, ["blue"])


def test_over_http_the_name_stands_in_the_path_only() -> None:
    sent: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request)
        if request.url.path.endswith(":sealOrder"):
            body = {"seat": "red", "revision": 3, "waiting_seats": ["blue"], "revealed": False}
        else:
            body = {"first_revision": 4, "revision": 5, "late_seats": ["blue"]}
        return httpx.Response(200, json=body)

    with RestClient("http://test", transport=httpx.MockTransport(answer)) as client:
        assert client.seal_order(NAME, LAUNCH, seat="red", request_id="mine") == WAITING
        assert client.reveal_orders(NAME).first_revision == 4
    assert [one.url.path for one in sent] == [
        "/v1/sessions/night:sealOrder",
        "/v1/sessions/night:revealOrders",
    ]
    assert orjson.loads(sent[0].content) == {
        "seat": "red",
        "move": {"kettering": {"launch": {}}},
        "request_id": "mine",
    }
