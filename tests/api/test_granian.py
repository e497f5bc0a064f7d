"""REST on the real server: streams as they come, callers who go away, bodies in chunks."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from rest_process import CAP
from servers import wait_until

HERE = Path(__file__).parents[1]
WATCH = "/v1/sessions/s1:watch"
BEAT = '{"heartbeat":{"revision":7},"cursor":"7.0.0123456789ab"}'


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen(
        [sys.executable, "rest_process.py", str(port)],
        cwd=HERE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    base = f"http://127.0.0.1:{port}"

    def answers() -> bool:
        with contextlib.suppress(httpx.TransportError):
            return httpx.get(f"{base}/healthz").is_success
        return False

    try:
        wait_until(answers, "granian answers")
        yield base
    finally:
        os.kill(process.pid, signal.SIGTERM)
        process.wait(20)


@pytest.fixture
def client(url: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=url, timeout=10) as made:
        yield made
    # By a connection of its own: the server ends one whose body it has refused.
    wait_until(lambda: httpx.get(f"{url}/watches-open").text == "0", "every watch is freed")


@contextlib.contextmanager
def watch(client: httpx.Client) -> Iterator[tuple[httpx.Response, Iterator[str]]]:
    with client.stream("GET", WATCH) as response:
        yield response, response.iter_lines()


def test_each_line_of_a_watch_arrives_when_it_is_sent(client: httpx.Client) -> None:
    with watch(client) as (response, lines):
        assert response.headers["content-type"] == "application/x-ndjson"
        # The stand-in waits for ever: lines that were gathered up would never come.
        assert [next(lines) for _ in range(4)] == [BEAT, ""] * 2


def test_open_streams_never_starve_a_call(client: httpx.Client) -> None:
    with contextlib.ExitStack() as stack:
        for _ in range(CAP):
            _, lines = stack.enter_context(watch(client))
            next(lines)
        refused = client.get(WATCH)
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "5")
        assert refused.json()["reason"] == "STREAMS_FULL"
        for _ in range(20):
            assert client.get("/v1/sessions/s1").is_success


def test_callers_who_go_away_leave_nothing_behind(client: httpx.Client, url: str) -> None:
    port = int(url.rpartition(":")[2])
    for _ in range(20):
        with socket.create_connection(("127.0.0.1", port)) as caller:
            caller.sendall(f"GET {WATCH} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            assert caller.recv(12)
    wait_until(lambda: client.get("/watches-open").text == "0", "dropped watches are noticed")


def test_a_body_in_chunks_is_read_whole_or_refused(client: httpx.Client) -> None:
    headers = {"Content-Type": "application/json"}

    def chunks(size: int) -> Iterator[bytes]:
        yield b'{"dice": {"server": {}}'
        for _ in range(size // 1000):
            yield b" " * 1000
        yield b"}"

    whole = client.post("/v1:resolveFire", content=chunks(90_000), headers=headers)
    assert whole.status_code == 200
    large = client.post("/v1:resolveFire", content=chunks(200_000), headers=headers)
    assert (large.status_code, large.json()["reason"]) == (413, "BODY_TOO_LARGE")


SLOW_HEADS = (
    "POST /v1:resolveFire HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n",
    "POST /v1:resolveFire HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n",
    "GET /v1/sessions/s1 HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n",
)


@pytest.mark.parametrize("head", SLOW_HEADS)
def test_bodies_that_do_not_come_keep_nobody_waiting(
    client: httpx.Client, url: str, head: str
) -> None:
    port, body = int(url.rpartition(":")[2]), {"dice": {"server": {}}}

    def rule() -> httpx.Response:
        return client.post("/v1:resolveFire", json=body)

    with contextlib.ExitStack() as stack:

        def are_all_waited_for() -> bool:
            if not rule().is_success:
                return True
            caller = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
            caller.sendall(f"{head}Content-Type: application/json\r\n\r\n".encode())
            return False

        wait_until(are_all_waited_for, "as many are waited for as may be")
        refused = rule()
        assert (refused.status_code, refused.json()["reason"]) == (429, "BODIES_FULL")
        assert refused.headers["retry-after"] == "1"
        for _ in range(20):
            assert client.get("/v1/sessions/s1").is_success
    wait_until(lambda: rule().is_success, "who has gone away is not waited for any more")


def test_strange_paths_are_problems(client: httpx.Client) -> None:
    for path in ("/v1/sessions/s1%00", "/v1/sessions/s1%0d%0aX: y"):
        response = client.get(path)
        assert response.headers["content-type"] == "application/problem+json"
        assert response.status_code in (400, 404), path
