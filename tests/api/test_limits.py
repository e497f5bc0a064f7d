"""The caps of `docs/limits.md`: the table is read, and each is gone to, and one beyond."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.json_format import ParseDict
from google.protobuf.message import Message
from guarded import MINE, RPCS, SOON, TRANSPORTS, Guarded, guarded, request_of
from guncamera.api import receipt_book, resolution_calls
from guncamera.api.config import MAX_LARGE_BYTES, Config
from guncamera.api.grpc_server import MAX_RECEIVE_BYTES
from guncamera.api.openapi_examples import examples
from guncamera.api.receipt_book import ReceiptBook
from guncamera.api.refusals import BodiesFull
from guncamera.host.rest_bodies import SMALL_BYTES, Bodies
from guncamera.host.settings import ServiceSettings
from guncamera.rules.refusal import Malformed
from guncamera.rules.shape import check
from guncamera.sessions import play
from guncamera.sessions.session import MAX_ACTIONS
from guncamera.sessions.signing import Signer
from guncamera.v1 import session_service_pb2 as pb
from guncamera_client._methods import METHODS
from orders import DEPLOY, FIRE, INSPECT, LAUNCH, who
from sending import Sent

PAGE = (Path(__file__).parents[2] / "docs" / "limits.md").read_text()
ROWS = re.findall(r"^\| ([^|]+) \| (\d+) \| (\w+) \| (.+) \|$", PAGE, re.MULTILINE)
CAPS = {name: (int(value), refused.strip("`")) for name, value, _, refused in ROWS}

Ask = Callable[[Guarded, str, int], str]


@pytest.fixture(scope="module")
def service() -> Iterator[Guarded]:
    with guarded(may_be_open=True) as running:
        running.session(MINE, claimed=False)
        running.endpoints.Move(pb.MoveRequest(name=f"sessions/{MINE}", order=DEPLOY), who())
        yield running


def field_of(call: str, path: str, make: Callable[[int], Any], **others: Any) -> Ask:
    """A call with something in a field of its request."""

    def ask(service: Guarded, over: str, size: int) -> str:
        request: Any = request_of(call, MINE)
        for name, value in others.items():
            setattr(request, name, value)
        place = request
        *outer, last = path.split(".")
        for name in outer:
            place = getattr(place, name)
        made = make(size)
        if isinstance(made, list):
            place.ClearField(last)
            getattr(place, last).extend(made)
        else:
            setattr(place, last, made)
        return service.ask(over, call, request, None).reason

    return ask


def number(size: int) -> int:
    return size


def text(size: int) -> str:
    return "x" * size


def page(call: str) -> Ask:
    return field_of(call, "page_size", number)


def questions(size: int) -> list[Message]:
    asked = RPCS["BatchResolve"].request()
    ParseDict(next(iter(examples()["BatchResolve"].values())), asked)
    return [asked.items[0]] * size  # type: ignore[attr-defined]  # it has items


def looks(size: int) -> list[Message]:
    look = pb.BatchPlayItem(get_session=pb.GetSessionRequest(name=f"sessions/{MINE}"))
    return [look] * size


def asking(size: int) -> list[Message]:
    fire = pb.FireRequest(name=f"sessions/{MINE}", order=FIRE, nearest_count=1)
    return [pb.BatchPlayItem(fire=fire)] * size


def created(field: str, make: Callable[[int], Any], **others: Any) -> Ask:
    def ask(service: Guarded, over: str, size: int) -> str:
        request: Any = pb.CreateSessionRequest()
        # The rule set that states an order for who is late, so that seals may have a deadline.
        slug = "redstars" if field == "seal_seconds" else "kettering"
        ParseDict(examples()["CreateSession"][slug], request)
        request.session_id = ""
        for name, value in {**others, field: make(size)}.items():
            setattr(request, name, value)
        heard = service.ask(over, "CreateSession", request, None)
        if heard.reason == "OK" and field == "session_id":
            service.drop(request.session_id)
        return heard.reason

    return ask


LONG = 31_536_000
FIELDS: dict[str, Ask] = {
    "questions of `BatchResolve`": field_of("BatchResolve", "items", questions),
    "calls of `BatchPlay`": field_of("BatchPlay", "items", looks),
    "calls of `BatchPlay` with a `nearest_count`": field_of("BatchPlay", "items", asking),
    "supplied faces": field_of("ResolveFire", "dice.supplied.faces", lambda size: [1] * size),
    "outcomes of odds in an answer": field_of("ComputeOdds", "max_outcomes", number),
    "page of rule sets": page("ListRulesets"),
    "page of tables": page("ListTables"),
    "page of aircraft": page("ListAircraft"),
    "page of sessions": page("ListSessions"),
    "page of actions": page("ListActions"),
    "page of legal orders": page("ListLegalOrders"),
    "page of signing keys": page("ListSigningKeys"),
    "orders drawn": field_of("ListLegalOrders", "sample_count", number, sample_seed="a seed"),
    "seed of a draw": field_of("ListLegalOrders", "sample_seed", text, sample_count=1),
    "order that is begun": field_of("ListLegalOrders", "so_far", text),
    "session id": created("session_id", text),
    "request id": created("request_id", text),
    "client nonce": field_of("Move", "client_nonce", text),
    "orders told with a refusal": field_of("Move", "nearest_count", number),
    "dice seed": created("dice_seed", text),
    "life of a session": created("ttl_seconds", number),
    "time to seal": created("seal_seconds", number, ttl_seconds=LONG),
    "spectators' delay": created("spectator_delay_seconds", number, ttl_seconds=LONG),
    "wait of a poll": field_of("ListActions", "wait_seconds", number),
}
"""Caps of one field each, that both transports refuse by its name."""

OTHERS = {
    "REST body": "test_a_body_is_refused_by_its_size",
    "REST body with a film": "test_a_body_is_refused_by_its_size",
    "gRPC message in": "test_a_message_is_refused_by_its_size",
    "large REST bodies in hand, each process": "test_large_bodies_are_held_so_far",
    "streams and waiting polls, each process": "test_one_stream_too_many_is_refused",
    "text in facts, orders and set-ups": "test_texts_and_lists_have_a_length",
    "list in facts, orders and set-ups": "test_texts_and_lists_have_a_length",
    "runs of a rule for odds": "test_odds_are_worked_out_so_far",
    "actions of a session": "test_a_ledger_is_full",
    "actions of a film": "test_a_film_has_no_more_actions_than_a_session",
    "statements made for one receipt, each call": "test_a_receipt_is_made_by_as_many_calls",
}
"""Caps of their own kind, and the test of each."""


def test_every_cap_of_the_page_is_gone_to() -> None:
    assert set(CAPS) == {*FIELDS, *OTHERS}
    assert len(ROWS) == len(CAPS), "no cap twice"
    for test in OTHERS.values():
        assert callable(globals()[test])


@pytest.mark.parametrize("over", TRANSPORTS)
@pytest.mark.parametrize("name", FIELDS)
def test_a_field_goes_up_to_its_cap_and_no_further(service: Guarded, name: str, over: str) -> None:
    most, refused = CAPS[name]
    if name == "wait of a poll":  # there is something to tell, so that none of these waits
        assert service.endpoints.shelf.load(MINE).revision
    ask = FIELDS[name]
    reasons = [ask(service, over, size) for size in (most - 1, most)]
    if name in REFUSED_OTHERWISE:
        assert set(reasons) == {REFUSED_OTHERWISE[name]}
    else:
        assert set(reasons) == {"OK"}
    assert ask(service, over, most + 1) == refused


REFUSED_OTHERWISE = {
    # What is within the caps, and nonsense all the same.
    "supplied faces": "ROLL_INVALID",
    "order that is begun": "INPUT_INVALID",
    "client nonce": "PHASE_CLOSED",
    "orders told with a refusal": "PHASE_CLOSED",
}


def test_a_begun_order_is_refused_for_its_length_only_beyond_the_cap(service: Guarded) -> None:
    most, _ = CAPS["order that is begun"]
    for over in TRANSPORTS:
        said = [
            service.ask(
                over,
                "ListLegalOrders",
                pb.ListLegalOrdersRequest(name=f"sessions/{MINE}", so_far=text(size)),
                None,
            ).text
            for size in (most, most + 1)
        ]
        assert [str(most) in one for one in said] == [False, True]


@pytest.mark.parametrize(
    ("name", "path"), [("REST body", "/v1:resolveFire"),
                       ("REST body with a film", "/v1/sessions:import")]
)  # fmt: skip
def test_a_body_is_refused_by_its_size(service: Guarded, name: str, path: str) -> None:
    most, refused = CAPS[name]
    assert most == Config().body_limit("ImportSession" if "film" in name else "ResolveFire")
    for size, is_refused in ((most - 1, False), (most, False), (most + 1, True)):
        body = b"{" + b" " * (size - 2) + b"}"
        answer = service.rest.post(path, data=body, content_type="application/json")
        assert (answer.get_json()["reason"] == refused) == is_refused, size


@pytest.mark.parametrize("over", TRANSPORTS[1:])
def test_a_message_is_refused_by_its_size(service: Guarded, over: str) -> None:
    most, _ = CAPS["gRPC message in"]
    assert most == MAX_RECEIVE_BYTES
    call = service.channels[over].unary_unary(METHODS["ImportSession"].grpc_path)
    for size, is_refused in ((most - 1, False), (most, False), (most + 1, True)):
        with pytest.raises(grpc.RpcError) as raised:
            call(b"\xff" * size, timeout=SOON)
        failed: Any = raised.value
        assert (failed.code() is grpc.StatusCode.RESOURCE_EXHAUSTED) == is_refused, size


def test_large_bodies_are_held_so_far() -> None:
    most, refused = CAPS["large REST bodies in hand, each process"]
    assert most == MAX_LARGE_BYTES == Config().max_large_bytes
    bodies, most_of_one = (
        Bodies(seconds=SOON, most_bytes=most),
        Config().body_limit("ImportSession"),
    )

    async def send(size: int) -> bytes:
        return await bodies.read(Sent([bytes(size)]), most_of_one, None)

    async def send_all() -> None:
        for _ in range(most // most_of_one - 1):
            await send(most_of_one)
        await send(most_of_one - SMALL_BYTES - 1)
        for size, is_refused in ((SMALL_BYTES, False), (SMALL_BYTES + 2, True)):
            if is_refused:
                with pytest.raises(BodiesFull) as full:
                    await send(size)
                assert (full.value.reason, full.value.facts["limit_bytes"]) == (refused, most)
            else:
                await send(size)
        await send(SMALL_BYTES + 1)
        assert bodies.held_bytes == most
        bodies.forget(most_of_one)
        await send(most_of_one)

    asyncio.run(send_all())


@pytest.mark.parametrize("over", TRANSPORTS[1:2])
def test_one_stream_too_many_is_refused(service: Guarded, over: str) -> None:
    most, refused = CAPS["streams and waiting polls, each process"]
    assert most == Config().max_streams == ServiceSettings().max_streams
    watch = service.channels[over].unary_stream(METHODS["WatchSession"].grpc_path)
    request = pb.WatchSessionRequest(name=f"sessions/{MINE}", start_revision=1)
    with contextlib.ExitStack() as stack:
        for _ in range(most):
            stream = watch(request.SerializeToString(), timeout=60)
            stack.callback(stream.cancel)
            next(stream)
        assert service.ask(over, "WatchSession", request, None).reason == refused
        polled = pb.ListActionsRequest(parent=f"sessions/{MINE}", wait_seconds=1)
        assert service.ask(over, "ListActions", polled, None).reason == refused
        assert service.ask(over, "GetSession", request_of("GetSession", MINE), None).reason == "OK"


@dataclass(frozen=True, slots=True)
class Plain:
    """Facts with no limits of their own."""

    text: str
    items: tuple[int, ...]


def test_texts_and_lists_have_a_length() -> None:
    longest, refused = CAPS["text in facts, orders and set-ups"]
    most, _ = CAPS["list in facts, orders and set-ups"]
    check(Plain("x" * longest, (1,) * most))
    for field, wrong in (
        ("text", Plain("x" * (longest + 1), ())),
        ("items", Plain("", (1,) * (most + 1))),
    ):
        with pytest.raises(Malformed) as raised:
            check(wrong)
        assert (raised.value.reason, raised.value.violations[0].field) == (refused, field)


@pytest.mark.parametrize("over", TRANSPORTS)
def test_odds_are_worked_out_so_far(
    service: Guarded, over: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    most, refused = CAPS["runs of a rule for odds"]
    assert most == resolution_calls.MAX_ODDS_RUNS
    request = request_of("ComputeOdds", MINE)

    def is_refused(runs: int) -> bool:
        monkeypatch.setattr(resolution_calls, "MAX_ODDS_RUNS", runs)
        reason = service.ask(over, "ComputeOdds", request, None).reason
        assert reason in ("OK", refused)
        return reason == refused

    needed = next(runs for runs in range(1, 2000) if not is_refused(runs))
    assert needed > 1
    assert [is_refused(runs) for runs in (needed - 1, needed, needed + 1)] == [True, False, False]


@pytest.mark.parametrize("over", TRANSPORTS)
def test_a_ledger_is_full(service: Guarded, over: str, monkeypatch: pytest.MonkeyPatch) -> None:
    most, refused = CAPS["actions of a session"]
    assert most == MAX_ACTIONS == play.MAX_ACTIONS
    monkeypatch.setattr(play, "MAX_ACTIONS", 2)
    session_id = f"full-{over.replace(' ', '-')}"
    service.session(session_id, claimed=False)
    reasons = [
        service.ask(
            over, "Move", pb.MoveRequest(name=f"sessions/{session_id}", order=order), None
        ).reason
        for order in (DEPLOY, LAUNCH, LAUNCH)
    ]
    assert reasons == ["OK", "OK", refused]


def test_a_film_has_no_more_actions_than_a_session(service: Guarded) -> None:
    most, refused = CAPS["actions of a film"]
    film = service.endpoints.ExportSession(pb.ExportSessionRequest(name=f"sessions/{MINE}"), who())
    for count, is_refused in ((most, False), (most + 1, True)):
        del film.actions[:]
        film.actions.extend([pb.Action()] * count)
        request = pb.ImportSessionRequest(film=film)
        heard = [service.ask(over, "ImportSession", request, None) for over in TRANSPORTS]
        assert {one.reason for one in heard} <= {refused, "FILM_INVALID"}
        assert [f"at most {most}" in one.text for one in heard] == [is_refused] * len(TRANSPORTS)


@pytest.mark.parametrize("over", TRANSPORTS)
def test_a_receipt_is_made_by_as_many_calls(
    service: Guarded, over: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    most, refused = CAPS["statements made for one receipt, each call"]
    assert most == receipt_book.MOST_A_CALL
    endpoints, session_id = service.endpoints, f"long-{over.replace(' ', '-')}"
    service.session(session_id, claimed=False)
    name = f"sessions/{session_id}"
    for order in (DEPLOY, LAUNCH):
        endpoints.Move(pb.MoveRequest(name=name, order=order), who())
    for _ in range(10):
        endpoints.Damage(pb.DamageRequest(name=name, order=INSPECT), who())
    request = pb.GetReceiptRequest(name=f"{name}/actions/00000012")
    whole = ReceiptBook(endpoints.shelf, Signer(endpoints.shelf.store, clock=endpoints.clock))
    session = endpoints.shelf.load(session_id)
    monkeypatch.setattr(receipt_book, "MOST_A_CALL", 5)
    assert [service.ask(over, "GetReceipt", request, None).reason for _ in range(4)] == [
        refused, refused, "OK", "OK"
    ]  # fmt: skip
    made = endpoints.GetReceipt(request, who())
    monkeypatch.setattr(receipt_book, "MOST_A_CALL", most)
    assert made.statement == whole.receipt(session, 12, None).statement


def test_what_nests_without_end_is_refused(service: Guarded) -> None:
    for opening, closing in ((b'{"facts":', b"}"), (b"[", b"]")):
        body = opening * 50_000 + b"1" + closing * 50_000
        answer = service.rest.post("/v1:resolveFire", data=body, content_type="application/json")
        assert answer.get_json()["reason"] == "INPUT_INVALID"


def texts_of(call: str) -> Iterator[str]:
    for field in RPCS[call].request_type.fields:
        if field.type == field.TYPE_STRING and not field.is_repeated:
            yield field.name


@pytest.mark.parametrize(
    ("call", "name"), [(call, name) for call in sorted(RPCS) for name in texts_of(call)]
)
def test_no_text_is_as_long_as_a_caller_likes(service: Guarded, call: str, name: str) -> None:
    request = request_of(call, MINE)
    setattr(request, name, "x" * 20_000)
    for over in TRANSPORTS[1:]:
        heard = service.ask(over, call, request, None)
        assert heard.reason not in ("OK", "INTERNAL")
        assert len(heard.text) < 8000, "and is not sent back"
