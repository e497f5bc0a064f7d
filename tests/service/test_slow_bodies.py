"""A whole service, and callers who announce a body and do not send it."""

from __future__ import annotations

import contextlib
import socket
from functools import partial

import httpx
from conftest import Service
from servers import wait_until

SLOW = 150
ORDINARY = (
    ("GET", "/v1/rulesets", None, 200),
    ("POST", "/v1/sessions", {"setup": {"kettering": {"aircraft_type": "fokker-d7"}}}, 201),
    ("GET", "/readyz", None, 200),
)


def test_a_hundred_and_fifty_slow_bodies_leave_the_service_answering(service: Service) -> None:
    host, _, port = service.rest.rpartition(":")
    head = (
        "POST /v1:resolveFire HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        "Content-Length: 1000\r\n\r\n{"
    )
    with contextlib.ExitStack() as stack:
        callers = [
            stack.enter_context(socket.create_connection((host, int(port)))) for _ in range(SLOW)
        ]
        for caller in callers:
            caller.sendall(head.encode())
        client = stack.enter_context(httpx.Client(base_url=service.url, timeout=10))

        def is_answered(method: str, path: str, body: object, status: int) -> bool:
            try:
                return client.request(method, path, json=body).status_code == status
            except httpx.TimeoutException:  # the machine is busy; without places it always ends so
                return False

        for _ in range(20):  # some before, and some after, all of the bodies are waited for
            for method, path, body, status in ORDINARY:
                wait_until(partial(is_answered, method, path, body, status), path, 60)
        # They were no callers who had been refused: what they send late is read, and answered.
        caller = callers[0]
        caller.settimeout(60)
        caller.sendall(b" " * 998 + b"}")
        assert caller.recv(12) == b"HTTP/1.1 400"
