"""The asyncio client: what differs from the blocking one, and a proof that nothing else does."""

from __future__ import annotations

import asyncio
import inspect
import re
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from clients.fake_service import (
    Drop,
    FakeService,
    Hang,
    Refuse,
    action,
    end,
    heartbeat,
    unavailable,
)
from clients.scene import KETTERING, NAME, PATIENCE_SECONDS, SWIFT
from google.rpc import code_pb2
from guncamera.v1.ruleset_kettering_pb2 import KetteringFireFacts, KetteringPlot, KetteringSetup
from guncamera.v1.session_service_pb2 import LegalOrder, ListSessionsResponse, Session
from guncamera_client import AsyncClient, Client, RestClient, errors

from clients import twin

T = TypeVar("T")


def run(fake: FakeService, script: Callable[[AsyncClient], Awaitable[T]], **settings: Any) -> T:
    """Run a script with a client, in a loop of its own."""

    async def whole() -> T:
        client = AsyncClient(fake.target, **{"retry": SWIFT, **settings})
        async with client, asyncio.timeout(PATIENCE_SECONDS):
            return await script(client)

    return asyncio.run(whole())


# The twin


@pytest.mark.parametrize("source", twin.sources(), ids=lambda path: path.name)
def test_the_blocking_calls_are_derived_from_the_asyncio_ones(source: Path) -> None:
    # Run `python tests/clients/twin.py` after a change to clients/guncamera_client/_aio.
    assert twin.twin_of(source).read_text("utf-8") == twin.derived(source)


def test_there_is_no_twin_without_a_source() -> None:
    wanted = {twin.twin_of(source).name for source in twin.sources()} | {"__init__.py"}
    assert {path.name for path in (twin.CLIENT / "_blocking").glob("*.py")} == wanted


def test_the_clients_have_the_same_methods_with_the_same_arguments() -> None:
    def methods(kind: type) -> dict[str, inspect.Signature]:
        found = inspect.getmembers(kind, inspect.isfunction)
        own = {name: inspect.signature(one) for name, one in found if not name.startswith("_")}
        own.pop("close", None)
        own.pop("aclose", None)
        return {name: one.replace(return_annotation=None) for name, one in own.items()}

    assert methods(AsyncClient) == methods(Client) == methods(RestClient)
    assert len(methods(Client)) == 42


def test_the_clients_return_the_same_and_describe_themselves_alike() -> None:
    for name, method in inspect.getmembers(Client, inspect.isfunction):
        if name.startswith("_") or name == "close":
            continue
        other = getattr(AsyncClient, name)
        mine, theirs = (inspect.signature(one).return_annotation for one in (method, other))
        assert theirs.replace("Async", "") == mine, name
        plain = re.sub(r"\b(await|async) |[()]", "", inspect.getdoc(other) or "")
        assert plain == re.sub(r"[()]", "", inspect.getdoc(method) or ""), name


# The transport


def test_calls_are_awaited_and_lists_iterated(fake: FakeService) -> None:
    fake.answers(
        "ListSessions",
        ListSessionsResponse(sessions=[Session(name="a")], next_page_token="2"),
        ListSessionsResponse(sessions=[Session(name="b")]),
    )

    async def script(client: AsyncClient) -> list[str]:
        session = await client.create_session(KetteringSetup(), session_id="night")
        assert session.name == NAME
        assert (await client.fire(KETTERING)).revision == 1
        assert (await client.move(KETTERING, KetteringPlot())).revision == 2
        order = LegalOrder()
        order.wind.kettering.SetInParent()
        assert (await client.give_order(NAME, order)).revision == 3
        pilot = client.with_token("secret")
        await pilot.resolve_fire(KetteringFireFacts(), dice=[4])
        await pilot.aclose()
        return [session.name async for session in client.list_sessions()]

    assert run(fake, script) == ["a", "b"]
    assert fake.calls_of("ResolveFire")[0].metadata["authorization"] == "Bearer secret"
    assert "authorization" not in fake.calls_of("ListSessions")[0].metadata


def test_many_calls_run_at_once_over_several_connections(fake: FakeService) -> None:
    async def script(client: AsyncClient) -> None:
        await asyncio.gather(*[client.get_session(NAME) for _ in range(12)])

    run(fake, script, channels=3)
    assert len({call.peer for call in fake.calls}) == 3


def test_a_client_may_be_made_before_there_is_a_loop(fake: FakeService) -> None:
    client = AsyncClient(fake.target)

    async def script() -> None:
        async with client:
            await client.get_session(NAME)

    asyncio.run(script())
    assert len(fake.calls) == 1


def test_a_lost_answer_is_asked_for_again_with_the_same_request_id(fake: FakeService) -> None:
    fake.answers("Fire", Drop(), unavailable(0.001))
    fired = run(fake, lambda client: client.fire(KETTERING))
    sent = [call.request.request_id for call in fake.calls_of("Fire")]
    assert (len(sent), len(set(sent))) == (3, 1)
    assert (len(fake.ledger), fired.revision) == (1, 1)


def test_refusals_are_the_same_exceptions(fake: FakeService) -> None:
    fake.answers("Fire", Refuse(code_pb2.ABORTED, "ETAG_MISMATCH", metadata={"etag": '"5"'}))
    with pytest.raises(errors.StaleState) as caught:
        run(fake, lambda client: client.fire(KETTERING))
    assert caught.value.etag == '"5"'
    assert len(fake.calls) == 1


def test_every_call_has_a_deadline(fake: FakeService) -> None:
    fake.answers("Fire", Hang())
    with pytest.raises(errors.DeadlineExceeded):
        run(fake, lambda client: client.fire(KETTERING), timeout_seconds=0.1)
    assert len(fake.calls) == 1


def test_a_service_that_is_not_there_is_unavailable() -> None:
    with FakeService() as gone:
        pass
    with pytest.raises(errors.Unavailable, match=gone.target):
        run(gone, lambda client: client.delete_session(NAME))


# Watching


async def followed(client: AsyncClient, start_revision: int | None = 1) -> tuple[list[int], str]:
    async with client.watch_session(NAME, start_revision=start_revision) as watch:
        return [seen.revision async for seen in watch], watch.cause


@pytest.mark.parametrize("broken_by", [None, unavailable(0.001), end("draining"), Hang()])
def test_a_stream_that_breaks_off_is_resumed(fake: FakeService, broken_by: Any) -> None:
    first = [action(4)] if broken_by is None else [action(4), broken_by]
    fake.streams(first, [action(5), end("finished")])
    fake.answers("GetSession", KETTERING)
    assert run(fake, lambda client: followed(client, None), heartbeat_seconds=1) == (
        [4, 5],
        "finished",
    )
    starts = [call.request.start_revision for call in fake.calls_of("WatchSession")]
    assert starts == [4, 5]


def test_heartbeats_keep_a_quiet_stream_alive() -> None:
    for scale in (1, 5):  # on a busy machine, everything takes longer
        lines: list[Any] = []
        for _ in range(10):
            lines += [heartbeat(), lambda scale=scale: time.sleep(0.1 * scale)]
        with FakeService() as fake:
            fake.streams([*lines, action(1), end("finished")], [action(1), end("finished")])
            assert run(fake, followed, heartbeat_seconds=0.7 * scale) == ([1], "finished")
        if len(fake.calls) == 1:
            break
    assert len(fake.calls) == 1


def test_a_watch_of_nothing_is_refused(fake: FakeService) -> None:
    fake.streams([Refuse(code_pb2.NOT_FOUND, "SESSION_NOT_FOUND")])
    with pytest.raises(errors.SessionNotFound):
        run(fake, followed)


def test_a_client_that_is_closed_says_so(fake: FakeService) -> None:
    fake.streams([action(1), Hang()])
    fake.answers("DeleteSession", Hang())

    async def script(client: AsyncClient) -> list[str]:
        watch = client.watch_session(NAME, start_revision=1)
        await anext(watch)
        waiting = [
            asyncio.ensure_future(anext(watch)),
            asyncio.ensure_future(client.delete_session(NAME)),
        ]
        while not fake.calls_of("DeleteSession"):
            await asyncio.sleep(0.001)
        await client.aclose()
        found = await asyncio.gather(*waiting, return_exceptions=True)
        return [error.reason for error in found if isinstance(error, errors.GuncameraError)]

    assert run(fake, script) == ["CLIENT_CLOSED"] * 2
    assert len(fake.calls) == 2


def test_a_watch_that_is_cancelled_or_closed_ends_its_stream(fake: FakeService) -> None:
    fake.streams([action(1), Hang()], [action(1), Hang()])

    async def script(client: AsyncClient) -> None:
        for end_it in ("cancel", "close"):
            watch = client.watch_session(NAME, start_revision=1)
            assert (await anext(watch)).revision == 1
            waiting = asyncio.ensure_future(anext(watch, None))
            await asyncio.sleep(0)
            if end_it == "cancel":
                waiting.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await waiting
                await watch.aclose()
            else:
                await watch.aclose()
                assert await waiting is None
            assert watch.cause == "closed"

    run(fake, script)
    for _ in range(2):
        assert fake.ended_streams.acquire(timeout=PATIENCE_SECONDS)
    assert len(fake.calls) == 2
