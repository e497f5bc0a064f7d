"""Which calls are repeated, when, and that a repeated write is made once."""

from __future__ import annotations

import threading
import time
import uuid
from typing import Any

import pytest
from clients.fake_service import (
    Drop,
    FakeService,
    Refuse,
    fields_of,
    unavailable,
)
from clients.scene import KETTERING, NAME, PATIENCE_SECONDS
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc import code_pb2, error_details_pb2
from guncamera.v1.actions_pb2 import SessionSetup
from guncamera.v1.ruleset_kettering_pb2 import (
    KetteringFireFacts,
)
from guncamera.v1.session_service_pb2 import (
    BatchPlayItem,
    BatchPlayRequest,
    Film,
    FireRequest,
    GetSessionRequest,
    MoveRequest,
    SealOrderRequest,
)
from guncamera_client import Client, RetryPolicy, errors
from guncamera_client._methods import METHODS
from guncamera_client._wrap import wrap
from guncamera_client.retry import Attempts


def test_a_lost_answer_is_asked_for_again_with_the_same_request_id(
    fake: FakeService, client: Client
) -> None:
    fake.answers("Fire", Drop(), Drop())
    fired = client.fire(KETTERING)
    sent = [call.request.request_id for call in fake.calls_of("Fire")]
    assert len(sent) == 3
    assert str(uuid.UUID(sent[0])) == sent[0]
    assert len(set(sent)) == 1
    assert (len(fake.ledger), fired.revision) == (1, 1)


@pytest.mark.parametrize("verb", ["move", "wind", "spot", "fire", "damage"])
def test_every_verb_gets_a_request_id_and_a_new_one_each_time(
    fake: FakeService, client: Client, verb: str
) -> None:
    for _ in range(2):
        getattr(client, verb)(KETTERING)
    assert len({call.request.request_id for call in fake.calls}) == 2
    assert len(fake.ledger) == 2


def test_a_request_id_of_the_callers_own_is_kept(fake: FakeService, client: Client) -> None:
    fake.answers("CreateSession", unavailable())
    client.create_session(SessionSetup(), request_id="mine")
    assert [call.request.request_id for call in fake.calls] == ["mine", "mine"]


def test_reads_and_stateless_rulings_are_repeated(fake: FakeService, client: Client) -> None:
    fake.answers("GetSession", unavailable())
    fake.answers("ResolveFire", unavailable())
    client.get_session(NAME)
    client.resolve_fire(KetteringFireFacts())
    assert len(fake.calls_of("GetSession")) == len(fake.calls_of("ResolveFire")) == 2


def test_every_write_is_repeated_under_the_same_id(fake: FakeService, client: Client) -> None:
    calls = {
        "DeleteSession": lambda: client.delete_session(NAME),
        "ClaimSeat": lambda: client.claim_seat(NAME, "pilot"),
        "ImportSession": lambda: client.import_session(Film()),
        "ReleaseSeat": lambda: client.release_seat(NAME, "pilot"),
        "Undo": lambda: client.undo(NAME),
    }
    for method, call in calls.items():
        fake.answers(method, unavailable())
        call()
        first, again = (one.request for one in fake.calls_of(method))
        assert first == again
        assert str(uuid.UUID(first.request_id)) == first.request_id
    without = {
        name
        for name, method in METHODS.items()
        if not method.writes_nothing and "request_id" not in fields_of(name)
    }
    assert without == {"BatchPlay"}, "whose items have request ids"


def test_a_batch_is_repeated_whole_with_the_ids_its_orders_were_given(
    fake: FakeService, client: Client
) -> None:
    fake.answers("BatchPlay", unavailable())
    kept = FireRequest(name=NAME, request_id="of-my-own")
    client.batch_play([MoveRequest(name=NAME), kept, GetSessionRequest(name=NAME)])
    first, again = (call.request for call in fake.calls_of("BatchPlay"))
    assert first == again
    assert len(first.items[0].move.request_id) >= 32
    assert first.items[1].fire == kept
    assert first.items[2].get_session == GetSessionRequest(name=NAME)


@pytest.mark.parametrize("order", [MoveRequest(name=NAME), SealOrderRequest(name=NAME)])
def test_a_batch_with_an_order_that_could_not_be_known_again_is_not_safe(order: Message) -> None:
    method = METHODS["BatchPlay"]
    look = BatchPlayItem(get_session=GetSessionRequest(name=NAME))
    assert method.is_safe(BatchPlayRequest(items=[look]))
    assert not method.is_safe(BatchPlayRequest(items=[look, wrap(order, BatchPlayItem)]))
    order.request_id = "known-again"  # type: ignore[attr-defined]
    assert method.is_safe(BatchPlayRequest(items=[look, wrap(order, BatchPlayItem)]))


def test_the_last_refusal_comes_through_when_attempts_run_out(fake: FakeService) -> None:
    fake.answers("GetSession", *[unavailable(0.001)] * 5)
    policy = RetryPolicy(max_attempts=3, first_pause_seconds=0.001)
    with Client(fake.target, retry=policy) as client, pytest.raises(errors.Unavailable) as caught:
        client.get_session(NAME)
    assert (len(fake.calls), caught.value.reason) == (3, "STORE_UNAVAILABLE")
    assert caught.value.retry_after_seconds == pytest.approx(0.001)


def test_the_client_waits_as_long_as_it_is_told(fake: FakeService, client: Client) -> None:
    fake.answers("GetSession", unavailable(0.3))
    start = time.monotonic()
    client.get_session(NAME)
    assert time.monotonic() - start >= 0.3


def test_a_rate_limit_is_waited_out_only_with_a_date(fake: FakeService, client: Client) -> None:
    limit = error_details_pb2.RetryInfo(retry_delay=Duration(nanos=1_000_000))
    fake.answers("Fire", Refuse(code_pb2.RESOURCE_EXHAUSTED, "RATE_LIMITED", details=[limit]))
    client.fire(KETTERING)
    assert len(fake.calls) == 2
    fake.answers("Fire", Refuse(code_pb2.RESOURCE_EXHAUSTED, "RATE_LIMITED"))
    with pytest.raises(errors.RateLimited):
        client.fire(KETTERING)
    assert len(fake.calls) == 3


def test_pauses_double_up_to_a_limit_less_a_random_part() -> None:
    policy = RetryPolicy(max_attempts=6, first_pause_seconds=1, longest_pause_seconds=4)
    down = errors.Unavailable("down")
    longest = Attempts(policy, clock=lambda: 0.0, draw=lambda: 0.0)
    shortest = Attempts(policy, clock=lambda: 0.0, draw=lambda: 1.0)
    assert [longest.pause_after(down) for _ in range(6)] == [1, 2, 4, 4, 4, None]
    assert [shortest.pause_after(down) for _ in range(6)] == [0.5, 1, 2, 2, 2, None]


def test_a_told_pause_is_never_cut_short_and_never_outlasts_the_total() -> None:
    policy = RetryPolicy(first_pause_seconds=1, longest_pause_seconds=2, total_seconds=10)
    told = errors.Unavailable("down", retry_after_seconds=5)
    assert Attempts(policy, clock=lambda: 0.0, draw=lambda: 0.0).pause_after(told) == 5
    assert Attempts(policy, clock=lambda: 0.0, draw=lambda: 1.0).pause_after(told) == 5.5
    late = errors.Unavailable("down", retry_after_seconds=11)
    assert Attempts(policy, clock=lambda: 0.0).pause_after(late) is None


def test_the_total_counts_from_the_first_failure() -> None:
    now = 100.0
    policy = RetryPolicy(first_pause_seconds=1, longest_pause_seconds=1, total_seconds=3)
    attempts = Attempts(policy, clock=lambda: now, draw=lambda: 0.0)
    down = errors.Unavailable("down")
    now = 1000.0  # it went well until now
    assert attempts.pause_after(down) == 1
    now = 1002.0
    assert attempts.pause_after(down) == 1
    now = 1002.5
    assert attempts.pause_after(down) is None
    attempts.start_again()
    assert attempts.pause_after(down) == 1


@pytest.mark.parametrize(
    "wrong", [{"max_attempts": 0}, {"first_pause_seconds": -1}, {"total_seconds": -1}]
)
def test_an_impossible_policy_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        RetryPolicy(**wrong)


def test_a_service_that_is_not_there_is_unavailable() -> None:
    with FakeService() as gone:
        target = gone.target
    once = RetryPolicy(max_attempts=1)
    with Client(target, retry=once) as client, pytest.raises(errors.Unavailable) as caught:
        client.get_session(NAME)
    assert caught.value.message.startswith(f"The service at {target} cannot be reached: ")
    assert caught.value.reason == "UNAVAILABLE"


def test_a_service_that_comes_back_is_found_again() -> None:
    with FakeService() as first:
        pass
    with Client(first.target) as client:
        thread = threading.Thread(target=client.get_session, args=(NAME,))
        thread.start()
        with FakeService(first.target) as second:
            thread.join(PATIENCE_SECONDS)
            assert not thread.is_alive()
            assert len(second.calls) == 1
