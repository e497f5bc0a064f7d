"""REST on the real server: streams as they come, callers who go away, bodies in chunks."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import asking
import httpx
import pytest
from guncamera.api.rest_streams import MOST_OCTETS
from guncamera.host.rest_bridge import PLAIN_THREADS
from rest_process import BODY_SECONDS, CAP, LARGE_BYTES
from servers import free_port, wait_until

HERE = Path(__file__).parents[1]
WATCH = "/v1/sessions/s1:watch"
KIND = {"Content-Type": "application/json"}
BEAT = '{"heartbeat":{"revision":7},"cursor":"7.0.0123456789ab"}'


@pytest.fixture(scope="module", params=["fast", "standard"])
def url(request: pytest.FixtureRequest) -> Iterator[str]:
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "rest_process.py", str(port), request.param],
        cwd=HERE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    base = f"http://127.0.0.1:{port}"

    def answers() -> bool:
        with contextlib.suppress(httpx.TransportError):
            return asking.get(f"{base}/healthz").is_success
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
    wait_until(lambda: asking.get(f"{url}/watches-open").text == "0", "every watch is freed")


@contextlib.contextmanager
def watch(client: httpx.Client) -> Iterator[tuple[httpx.Response, Iterator[str]]]:
    with client.stream("GET", WATCH) as response:
        yield response, response.iter_lines()


def test_each_line_of_a_watch_arrives_when_it_is_sent(client: httpx.Client) -> None:
    with watch(client) as (response, lines):
        assert response.headers["content-type"] == "application/x-ndjson"
        # The stand-in waits for ever: lines that were gathered up would never come.
        assert [next(lines) for _ in range(4)] == [BEAT, ""] * 2


@pytest.mark.parametrize("path", ["/v1/sessions/s1", "/v1/rulesets", "/openapi.json", "/table"])
def test_what_is_known_comes_without_a_body(client: httpx.Client, path: str) -> None:
    first = client.get(path)
    again = client.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    for name in ("ETag", "Cache-Control"):
        assert again.headers[name] == first.headers[name]
    # The connection goes on: nothing more than the headers was sent, and nothing less.
    assert client.get(path).content == first.content


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


def test_a_stream_ends_before_it_fills_the_memory(client: httpx.Client) -> None:
    with client.stream("GET", "/v1/sessions/s1-flood:watch") as response:
        lines = [json.loads(line) for line in response.iter_lines() if line]
    sent = sum(len(json.dumps(line)) for line in lines)
    assert MOST_OCTETS <= sent < MOST_OCTETS + 200_000
    assert "end" not in lines[-1], "it is not over"
    assert lines[-1]["cursor"], "and can be resumed"


def calls_seen(url: str) -> int:
    return int(asking.get(f"{url}/calls-seen").text)


def test_a_watcher_who_stops_reading_keeps_no_place(client: httpx.Client, url: str) -> None:
    before = calls_seen(url)
    idle = [connected(url) for _ in range(CAP)]
    with contextlib.ExitStack() as stack:
        for caller in idle:
            stack.enter_context(caller)
            caller.sendall(b"GET /v1/sessions/s1-flood:watch HTTP/1.1\r\nHost: here\r\n\r\n")
        wait_until(lambda: calls_seen(url) == before + CAP, "every place is taken")
        wait_until(lambda: asking.get(f"{url}/watches-open").text == "0", "the places are free")
        with watch(client) as (_, lines):
            assert next(lines) == BEAT


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


JSON = "Content-Type: application/json\r\n"
RULING = {"dice": {"server": {}}}
SLOW = {
    "declared": "POST /v1:resolveFire HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n",
    "large": "POST /v1:resolveFire HTTP/1.1\r\nHost: x\r\nContent-Length: 99999\r\n",
    "chunked": "POST /v1:resolveFire HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n",
    "long call": "POST /v1/sessions HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n",
    "no body taken": "GET /v1/sessions/s1 HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n",
}
"""Heads of requests whose body is late."""
MANY = PLAIN_THREADS + CAP + 20
"""More than there are threads."""


def connected(url: str) -> socket.socket:
    caller = socket.create_connection(("127.0.0.1", int(url.rpartition(":")[2])))
    caller.settimeout(20)
    return caller


def heard(caller: socket.socket) -> httpx.Response:
    """All that a caller is told until the connection is closed."""
    told = b""
    with contextlib.suppress(ConnectionResetError):
        while part := caller.recv(65536):
            told += part
    head, _, body = told.partition(b"\r\n\r\n")
    status, *lines = head.decode().split("\r\n")
    headers = [tuple(line.split(": ", 1)) for line in lines]
    return httpx.Response(int(status.split()[1]), headers=headers, content=body)


@pytest.mark.parametrize("head", SLOW.values(), ids=SLOW)
def test_bodies_that_do_not_come_keep_nobody_waiting_and_are_given_up(
    client: httpx.Client, url: str, head: str
) -> None:
    with contextlib.ExitStack() as stack:
        callers = [stack.enter_context(connected(url)) for _ in range(MANY)]
        for caller in callers:
            caller.sendall(f"{head}{JSON}\r\n".encode())
        for _ in range(20):
            assert client.post("/v1:resolveFire", json=RULING).status_code == 200
            assert client.post("/v1/sessions/s1:move", json={}).status_code == 200
            assert client.get("/v1/sessions/s1").is_success
        for caller in callers:
            refused = heard(caller)
            assert (refused.status_code, refused.json()["reason"]) == (408, "BODY_SLOW")
            assert refused.json()["metadata"] == {"body_seconds": str(BODY_SECONDS)}
            assert refused.json()["request_id"] == refused.headers["x-request-id"]
            assert refused.headers["access-control-allow-origin"] == "*"


@pytest.mark.parametrize("head", [SLOW["declared"], SLOW["large"]])
def test_a_body_that_comes_by_drips_is_given_up(client: httpx.Client, url: str, head: str) -> None:
    with connected(url) as caller:
        caller.sendall(f"{head}{JSON}\r\n".encode())
        caller.settimeout(0.1)
        told = b""

        def is_told() -> bool:
            nonlocal told
            with contextlib.suppress(TimeoutError):
                told = caller.recv(12)
                return True
            caller.sendall(b" ")
            return False

        wait_until(is_told, "it is told")
        assert told == b"HTTP/1.1 408"


def test_large_bodies_share_what_is_held_of_them(client: httpx.Client, url: str) -> None:
    size = LARGE_BYTES * 2 // 3 - 1000

    def late() -> socket.socket:
        caller = connected(url)
        head = f"POST /v1:resolveFire HTTP/1.1\r\nHost: x\r\nContent-Length: {size}\r\n"
        caller.sendall(f"{head}{JSON}\r\n".encode() + b" " * (size - 2))
        return caller

    def is_refused() -> bool:
        refused = client.post("/v1:resolveFire", content=b" " * size, headers=KIND)
        if refused.status_code == 400:  # what was sent before has not all been taken in
            return False
        assert (refused.status_code, refused.json()["reason"]) == (429, "BODIES_FULL")
        assert refused.headers["retry-after"] == "1"
        return True

    with late() as caller:
        wait_until(is_refused, "no more of large bodies is held")
        assert client.post("/v1:resolveFire", json=RULING).is_success, "small ones are read"
        caller.sendall(b"{}")
        assert caller.recv(12) == b"HTTP/1.1 200"
    whole = b"{" + b" " * (size - 2) + b"}"
    for _ in range(3):
        assert client.post("/v1:resolveFire", content=whole, headers=KIND).is_success


def test_a_call_whose_body_is_cut_off_is_not_made(client: httpx.Client, url: str) -> None:
    seen = client.get("/calls-seen").text
    for head in (SLOW["declared"], SLOW["large"]):
        with connected(url) as caller:
            caller.sendall(f"{head}{JSON}\r\n{{}}".encode())
            caller.shutdown(socket.SHUT_WR)
            caller.recv(1)
    assert client.get("/calls-seen").text == seen


def test_strange_paths_are_problems(client: httpx.Client) -> None:
    for path in ("/v1/sessions/s1%00", "/v1/sessions/s1%0d%0aX: y"):
        response = client.get(path)
        assert response.headers["content-type"] == "application/problem+json"
        assert response.status_code in (400, 404), path
