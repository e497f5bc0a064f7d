"""Connections to the store are freed as they are closed, without a garbage collector."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest
from guncamera.sessions.embedded import EmbeddedStore
from guncamera.sessions.redis_lines import SingleTransport, Wire, make_wire, wire_settings
from guncamera.sessions.redis_watch import RedisWatch


@pytest.fixture
def transport(tmp_path) -> Iterator[SingleTransport]:
    with EmbeddedStore(tmp_path) as embedded:
        settings = wire_settings(embedded.url)
        transport = SingleTransport(lambda: make_wire(settings))
        yield transport
        transport.close()


@pytest.fixture
def no_collector() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("no_collector")
def test_a_watch_leaves_no_connection_behind(transport: SingleTransport) -> None:
    parsers: list[weakref.ref[object]] = []

    def opened() -> Wire:
        wire = transport.open_wire()
        parsers.append(weakref.ref(wire._parser))  # it holds what is read into
        return wire

    for _ in range(3):
        with RedisWatch(opened, "news") as watch:
            assert not watch.wait(0)
    assert [parser() for parser in parsers] == [None] * 3


@pytest.mark.usefixtures("no_collector")
def test_a_thread_leaves_no_connection_behind(transport: SingleTransport) -> None:
    line = transport.line()
    assert transport.ask("k", ("PING",), is_repeatable=True) == [b"PONG"]
    parser = weakref.ref(line._wire._parser)
    transport._threads.__dict__.clear()  # as when a thread ends
    line.close()
    del line
    assert parser() is None
