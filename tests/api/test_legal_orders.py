"""Legal orders over both transports: listed, drawn, and told code by code."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from guncamera.v1 import session_service_pb2 as pb
from guncamera.v1.ruleset_circus_pb2 import (
    CircusMoveOrder,
    CircusPlots,
    CircusSearch,
    CircusSetup,
    CircusSpotOrder,
)
from guncamera.v1.ruleset_kettering_pb2 import KetteringSetup
from guncamera_client import Client, GuncameraError, RestClient, errors

Caller = Client | RestClient
COUNT = 20
SEATS = ("first", "second")


@pytest.fixture(scope="module")
def callers(service: Any) -> Iterator[tuple[Client, RestClient]]:
    with Client(service.grpc) as one, RestClient(service.url) as other:
        yield one, other


@pytest.fixture
def session(callers: tuple[Client, RestClient]) -> pb.Session:
    """A duel whose aircraft are to be plotted."""
    client, _ = callers
    made = client.create_session(CircusSetup(), dice_seed="legal orders")
    client.spot(made, CircusSpotOrder(search=CircusSearch()), seat="first")
    return client.get_session(made)


def test_orders_are_drawn_alike_over_every_transport_and_each_can_be_sealed(
    callers: tuple[Client, RestClient], session: pb.Session
) -> None:
    client, _ = callers
    assert session.sealed_verb == "move"
    for seat in SEATS:
        drawn = client.draw_legal_orders(session, COUNT, seed="a text", seat=seat)
        assert len(drawn) == COUNT
        assert len({order.summary for order in drawn}) > COUNT // 2
        for caller in callers:
            assert caller.draw_legal_orders(session, COUNT, seed="a text", seat=seat) == drawn
            fewer = caller.draw_legal_orders(session, 3, seed="a text", seat=seat)
            assert fewer == drawn[:3]
            assert caller.draw_legal_orders(session, 3, seed="another", seat=seat) != fewer
        for order in drawn:
            assert order.move.circus.plots.plots[0].aircraft == f"{seat}-1"
            client.seal_order(session, order, seat=seat, validate_only=True)


def test_a_draw_from_a_long_list_is_from_the_first_thousand_and_says_so(
    callers: tuple[Client, RestClient],
) -> None:
    client, _ = callers
    session = client.create_session(KetteringSetup(aircraft_type="fokker-d7"), dice_seed="long")
    asked = pb.ListLegalOrdersRequest(name=session.name, sample_count=100, sample_seed="a seed")
    page = pb.ListLegalOrdersRequest(name=session.name, page_size=1000)
    (drawn, listed) = (one.legal_orders for one in client.batch_play([asked, page]).results)
    assert listed.next_page_token, "there are more than a page"
    assert drawn.drawn_from == "1000"
    assert len({order.summary for order in drawn.orders}) > 80
    first = {order.summary for order in listed.orders}
    assert all(order.summary in first for order in drawn.orders)


def test_what_may_follow_is_told_alike_over_every_transport(
    callers: tuple[Client, RestClient], session: pb.Session
) -> None:
    client, other = callers
    so_far, whole = "", False
    while not whole:
        answer = client.begin_order(session, so_far, seat="first")
        assert other.begin_order(session, so_far, seat="first") == answer
        assert answer.revision == session.revision
        whole = answer.begun.whole
        assert len(answer.orders) == whole
        if not whole:
            code = answer.begun.next_codes[-1]
            assert code.points_left == answer.begun.points_left - code.points or not so_far[7:]
            assert code.summary.endswith(".")
            so_far = f"{answer.begun.so_far} {code.code}".lstrip()
    (order,) = answer.orders
    client.seal_order(session, order, seat="first", validate_only=True)
    plot = order.move.circus.plots.plots[0]
    assert f"{plot.aircraft} {plot.speed_mp} {plot.codes}" == answer.begun.so_far


def test_another_seats_seal_changes_nothing_of_what_may_be_done(
    callers: tuple[Client, RestClient], session: pb.Session
) -> None:
    client, _ = callers

    def told() -> list[bytes]:
        begun = client.begin_order(session, "second-1 8", seat="second")
        drawn = client.draw_legal_orders(session, COUNT, seed="s", seat="second")
        return [one.SerializeToString(deterministic=True) for one in (begun, *drawn)]

    before = told()
    (order,) = client.draw_legal_orders(session, 1, seed="s", seat="first")
    client.seal_order(session, order, seat="first")
    assert told() == before


def test_where_orders_are_listed_the_draw_is_from_the_list(
    callers: tuple[Client, RestClient],
) -> None:
    client, other = callers
    session = client.create_session(CircusSetup(), dice_seed="legal orders")
    listed = list(client.list_legal_orders(session, seat="first"))
    drawn = other.draw_legal_orders(session, 5, seed="s", seat="first")
    assert drawn == listed * 5
    for caller in callers:
        with pytest.raises(errors.InputInvalid, match="all that may be given now are listed"):
            caller.begin_order(session, "first-1", seat="first")


def test_a_seat_that_may_not_act_draws_nothing_and_begins_nothing(
    callers: tuple[Client, RestClient],
) -> None:
    setup = CircusSetup(turn_order="CIRCUS_TURN_ORDER_ALTERNATE")
    client, _ = callers
    session = client.create_session(setup, dice_seed="legal orders")
    for caller in callers:
        assert caller.draw_legal_orders(session, 5, seed="s", seat="second") == []
        with pytest.raises(errors.SeatNotActive):
            caller.begin_order(session, seat="second")


@pytest.mark.parametrize(
    ("so_far", "kind", "rule_id", "words"),
    [
        ("second-1 9 1", errors.InputInvalid, "CIR-2.1", "Begin with one of first-1"),
        ("first-1 9 R X", errors.InputInvalid, "CIR-2.1", "Token 2, 'X', at character 3"),
        ("first-1 30 1", errors.IllegalOrder, "CIR-3.4", "speed of 30"),
        ("first-1 9 1 R R R R", errors.IllegalOrder, "CIR-2.3", "Token 5, R, at character 9"),
    ],
)
def test_what_cannot_be_begun_is_refused_with_its_place(
    callers: tuple[Client, RestClient],
    session: pb.Session,
    so_far: str,
    kind: type[GuncameraError],
    rule_id: str,
    words: str,
) -> None:
    for caller in callers:
        with pytest.raises(kind, match=words) as refused:
            caller.begin_order(session, so_far, seat="first")
        assert refused.value.rule_id == rule_id
        assert [one.field for one in refused.value.violations] in (["so_far"], [])


def test_what_is_begun_ends_as_the_order_that_was_meant(
    callers: tuple[Client, RestClient], session: pb.Session
) -> None:
    client, _ = callers
    listed = next(iter(client.list_legal_orders(session, seat="first", page_size=1)))
    (plot,) = listed.move.circus.plots.plots
    so_far = f"{plot.aircraft} {plot.speed_mp} {plot.codes}"
    answer = client.begin_order(session, so_far, seat="first")
    wanted = CircusMoveOrder(plots=CircusPlots(plots=[plot]))
    assert answer.orders[0].move.circus == wanted
