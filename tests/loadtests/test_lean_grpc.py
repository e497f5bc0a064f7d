"""The client of the bench that costs next to nothing: every call is made, and refusals are seen."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest
from lean_grpc import call_many


class Heard:
    """A server of one method, which writes down what it was asked."""

    def __init__(self) -> None:
        self.asked: list[bytes] = []
        handlers = {"Say": grpc.unary_unary_rpc_method_handler(self._say)}
        self._server = grpc.server(ThreadPoolExecutor(4))
        self._server.add_generic_rpc_handlers(
            (grpc.method_handlers_generic_handler("t.Talk", handlers),)
        )
        self.address = f"127.0.0.1:{self._server.add_insecure_port('127.0.0.1:0')}"
        self._server.start()

    def _say(self, data: bytes, context: grpc.ServicerContext) -> bytes:
        self.asked.append(data)
        if data == b"no":
            context.abort(grpc.StatusCode.INVALID_ARGUMENT, "not that")
        return data * 2

    def stop(self) -> None:
        self._server.stop(None).wait()


@pytest.fixture
def heard() -> Iterator[Heard]:
    server = Heard()
    yield server
    server.stop()


def test_each_call_is_made_once_and_timed_on_each_connection(heard: Heard) -> None:
    # So much that the windows of HTTP/2 have to be moved on.
    messages = [[b"%d %d" % (n, at) + b"x" * 3000 for at in range(40)] for n in range(5)]
    took = call_many(heard.address, "/t.Talk/Say", messages)
    assert sorted(heard.asked) == sorted(one for each in messages for one in each)
    assert len(took.times) == 200
    assert 0 < max(took.times) <= took.wall


def test_the_calls_of_a_connection_are_made_in_their_order(heard: Heard) -> None:
    call_many(heard.address, "/t.Talk/Say", [[b"1", b"2", b"3"]])
    assert heard.asked == [b"1", b"2", b"3"]


def test_so_many_calls_in_all_are_shared_by_the_connections(heard: Heard) -> None:
    took = call_many(heard.address, "/t.Talk/Say", [[b"1", b"2"], [b"3"]], in_all=25)
    assert len(took.times) == len(heard.asked) == 25
    assert set(heard.asked) == {b"1", b"2", b"3"}


def test_a_refusal_is_told(heard: Heard) -> None:
    with pytest.raises(ConnectionError, match="refused"):
        call_many(heard.address, "/t.Talk/Say", [[b"no"]])


def test_a_method_that_is_not_there_is_told(heard: Heard) -> None:
    with pytest.raises(ConnectionError, match="refused"):
        call_many(heard.address, "/t.Talk/Shout", [[b"yes"]])
