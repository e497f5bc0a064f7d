"""Hand-written stand-ins, for tests of what stands in front of them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

from google.protobuf.message import Message
from guncamera.api.caller import Caller
from guncamera.api.routes import Rpc, rpcs
from guncamera.v1 import session_service_pb2

ETAG = '"7"'


class FakeEndpoints:
    """Answers every call with an empty message, or with what a test puts in `answers`.

    `answers[name]` is a message, an exception to raise, or a function of request and caller.
    `seen` holds every request with its caller. A watch sends what is in `watch_items`, then
    waits until `watch_ends` is set; of a session whose name ends with `-flood` it sends without
    end. `watches_open` counts those that have not been freed.
    """

    def __init__(self) -> None:
        self.answers: dict[str, Any] = {}
        self.seen: list[tuple[str, Message, Caller]] = []
        self.watch_items: list[Message] = [heartbeat(7)]
        self.watch_ends = threading.Event()
        self.watches_open = 0
        for rpc in rpcs():
            if not rpc.streams:
                setattr(self, rpc.name, self._method(rpc))

    def _method(self, rpc: Rpc) -> Callable[[Message, Caller], Message]:
        def answer(request: Message, caller: Caller) -> Message:
            self.seen.append((rpc.name, request, caller))
            made = self.answers.get(rpc.name, rpc.response())
            if callable(made):
                made = made(request, caller)
            if isinstance(made, BaseException):
                raise made
            assert isinstance(made, rpc.response)
            return made

        return answer

    def WatchSession(self, request: Message, caller: Caller) -> Iterator[Message]:
        self.seen.append(("WatchSession", request, caller))
        made = self.answers.get("WatchSession")
        if isinstance(made, BaseException):
            raise made
        self.watches_open += 1
        try:
            yield from self.watch_items
            while request.name.endswith("-flood"):  # type: ignore[attr-defined]
                yield session_service_pb2.WatchSessionResponse(
                    action=session_service_pb2.Action(summary="x" * 100_000), cursor=cursor(7)
                )
            # A beat ten times a second, so that a reader who has gone away is noticed soon.
            while not self.watch_ends.wait(0.1):
                yield heartbeat(7)
            yield session_service_pb2.WatchSessionResponse(
                end=session_service_pb2.WatchEnd(revision=7, cause="finished"), cursor=cursor(7)
            )
        finally:
            self.watches_open -= 1


def heartbeat(revision: int) -> session_service_pb2.WatchSessionResponse:
    """A watch's sign of life."""
    return session_service_pb2.WatchSessionResponse(
        heartbeat=session_service_pb2.Heartbeat(revision=revision), cursor=cursor(revision)
    )


def cursor(revision: int) -> str:
    """A cursor, in form."""
    return f"{revision}.0.0123456789ab"


def action(revision: int) -> session_service_pb2.Action:
    """An action, with what the transports look at."""
    return session_service_pb2.Action(
        name=f"sessions/s1/actions/{revision:08}", revision=revision, etag=f'"{revision}"'
    )
