"""Bodies of REST as they are taken in, and the threads that answer afterwards."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest
from guncamera.api.config import MIB
from guncamera.api.refusals import BodiesFull, BodySlow, BodyTooLarge
from guncamera.host import rest_threads
from guncamera.host.rest_bodies import SMALL_BYTES, Bodies, GoneAwayError
from guncamera.host.rest_threads import FIRST, Threads
from sending import Sent, in_no_time
from servers import wait_until

SECONDS, SOON = 10.0, 10.0
LARGE = bytes(SMALL_BYTES + 1)
FULL = 4 * MIB


def read(
    sent: Sent, *, seconds: float = SECONDS, limit: int = FULL, declared: int | None = None
) -> tuple[Any, int]:
    """What comes of a body, the refusal if it is refused, and what is held afterwards."""
    bodies = Bodies(seconds=seconds, most_bytes=FULL)

    async def outcome() -> Any:
        try:
            return await bodies.read(sent, limit, declared)
        except (BodySlow, BodiesFull, BodyTooLarge, GoneAwayError) as fault:
            return type(fault)

    return in_no_time(outcome()), bodies.held_bytes


@pytest.mark.parametrize("declared", [None, 6])
def test_a_body_is_its_pieces(declared: int | None) -> None:
    assert read(Sent([b"abc", 1, b"def"]), declared=declared) == (b"abcdef", 0)


@pytest.mark.parametrize("before", [b"", b"a", LARGE])
@pytest.mark.parametrize("is_declared", [True, False])
def test_what_does_not_come_is_given_up_and_leaves_nothing(
    before: bytes, is_declared: bool
) -> None:
    declared = len(before) + 9 if is_declared else None
    assert read(Sent([before, None]), declared=declared) == (BodySlow, 0)


def test_what_drips_is_given_up_however_much_of_it_there_is() -> None:
    drips: list[bytes | float | None] = [LARGE, *([0.1, b"x"] * 1000)]
    assert read(Sent(drips), seconds=10) == (BodySlow, 0)
    assert read(Sent(drips), seconds=101)[0] == LARGE + b"x" * 1000


def test_each_mib_has_a_time_of_its_own() -> None:
    assert read(Sent([bytes(MIB), 9.9] * 3), seconds=10) == (bytes(3 * MIB), 3 * MIB)
    assert read(Sent([bytes(MIB), 9.9, b"x", 0.2] * 2), seconds=10) == (BodySlow, 0)
    assert read(Sent([bytes(MIB - 1), 9.9, b"x", 9.9]), seconds=10)[0] == bytes(MIB - 1) + b"x"


@pytest.mark.parametrize("limit", [10, SMALL_BYTES + 10])
def test_a_body_beyond_its_limit_is_not_read(limit: int) -> None:
    assert read(Sent([None]), limit=limit, declared=limit + 1) == (BodyTooLarge, 0)
    endless: list[bytes | float | None] = [bytes(limit), b"x", None]
    assert read(Sent(endless), limit=limit) == (BodyTooLarge, 0)
    assert read(Sent([bytes(limit)]), limit=limit, declared=limit)[0] == bytes(limit)


def test_a_large_body_that_ends_early_is_none() -> None:
    assert read(Sent([LARGE]), declared=len(LARGE) + 1) == (GoneAwayError, 0)


def test_what_is_held_of_large_bodies_is_forgotten() -> None:
    bodies = Bodies(seconds=SECONDS, most_bytes=FULL)

    async def send(size: int) -> None:
        bodies.forget(len(await bodies.read(Sent([bytes(size)]), FULL, size)))

    for size in (1, SMALL_BYTES, SMALL_BYTES + 1, MIB):
        in_no_time(send(size))
        assert bodies.held_bytes == 0


class Desk:
    """Threads, and work that lasts until `end` is set."""

    def __init__(self, loop: asyncio.AbstractEventLoop, most: int) -> None:
        self.threads = Threads(loop, most=most)
        self.end = threading.Event()
        self.at_work: set[int] = set()
        self.done = 0

    def work(self) -> None:
        self.at_work.add(threading.get_ident())
        self.end.wait(SOON)
        self.done += 1


def in_loop(steps: Callable[[asyncio.AbstractEventLoop], Any]) -> None:
    """Run steps in an event loop that goes on until they have ended."""

    async def main() -> None:
        await asyncio.get_running_loop().run_in_executor(None, steps, asyncio.get_running_loop())

    asyncio.run(main())


def test_work_that_waits_gets_threads_up_to_the_cap() -> None:
    most = FIRST + 3

    def steps(loop: asyncio.AbstractEventLoop) -> None:
        desk = Desk(loop, most)
        for _ in range(most + 5):
            loop.call_soon_threadsafe(desk.threads.do, desk.work)
        wait_until(lambda: len(desk.at_work) == most, "as many as may be are at work")
        desk.end.set()
        wait_until(lambda: desk.done == most + 5, "all is done")
        assert (len(desk.at_work), desk.threads.count) == (most, most)

    in_loop(steps)


def test_work_that_is_short_gets_no_more_threads() -> None:
    def steps(loop: asyncio.AbstractEventLoop) -> None:
        desk = Desk(loop, 50)
        desk.end.set()
        for number in range(200):
            loop.call_soon_threadsafe(desk.threads.do, desk.work)
            wait_until(lambda number=number: desk.done == number + 1, "it is done")
        assert desk.threads.count == FIRST

    in_loop(steps)


def test_a_machine_without_a_thread_to_give_is_asked_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    refusals = 3
    start = threading.Thread.start

    def refused(thread: threading.Thread) -> None:
        nonlocal refusals
        if refusals and thread.name == f"rest-{FIRST + 1}":
            refusals -= 1
            raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", refused)

    def steps(loop: asyncio.AbstractEventLoop) -> None:
        loop.set_exception_handler(lambda *_: None)
        desk = Desk(loop, FIRST + 1)
        for _ in range(FIRST + 1):
            loop.call_soon_threadsafe(desk.threads.do, desk.work)
        wait_until(lambda: len(desk.at_work) == FIRST + 1, "all are at work")
        assert (refusals, desk.threads.count) == (0, FIRST + 1)
        desk.end.set()

    in_loop(steps)


def living() -> int:
    """How many threads of this kind there are."""
    return sum(one.name.startswith("rest-") for one in threading.enumerate())


def test_threads_with_nothing_to_do_end_but_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rest_threads, "IDLE_SECONDS", 0.05)
    before = living()

    def steps(loop: asyncio.AbstractEventLoop) -> None:
        desk = Desk(loop, FIRST + 3)
        for times in (1, 2):
            desk.end.clear()
            desk.at_work.clear()
            for _ in range(FIRST + 3):
                loop.call_soon_threadsafe(desk.threads.do, desk.work)
            wait_until(lambda: len(desk.at_work) == FIRST + 3, "all are at work")
            desk.end.set()
            wait_until(lambda: desk.threads.count == FIRST, "the others have ended")
            wait_until(lambda: living() - before == FIRST, "they are gone")
            assert desk.done == times * (FIRST + 3)

    in_loop(steps)


def test_threads_end_though_each_has_something_to_do_now_and_then(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rest_threads, "IDLE_SECONDS", 0.5)

    def steps(loop: asyncio.AbstractEventLoop) -> None:
        desk = Desk(loop, FIRST + 8)
        for _ in range(FIRST + 8):
            loop.call_soon_threadsafe(desk.threads.do, desk.work)
        wait_until(lambda: len(desk.at_work) == FIRST + 8, "all are at work")
        desk.end.set()

        def one_more() -> bool:
            # They take turns: in half a second each of a dozen has had its own, many times over.
            loop.call_soon_threadsafe(desk.threads.do, desk.work)
            return desk.threads.count == FIRST

        wait_until(one_more, "no more are left than were needed at once")

    in_loop(steps)
