"""A whole service, and callers who announce a body and do not send it."""

from __future__ import annotations

import contextlib
import socket
from functools import partial

import httpx
from conftest import Service
from servers import wait_until

SLOW = 400
"""More than there are threads, and than there were places when each held one."""
HEAD = (
    b"POST /v1:resolveFire HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    b"Content-Length: 1000\r\n\r\n{"
)
ORDINARY: tuple[tuple[str, str, object, int], ...] = (
    ("GET", "/v1/rulesets", None, 200),
    ("POST", "/v1/sessions", {"setup": {"kettering": {"aircraft_type": "fokker-d7"}}}, 201),
    ("GET", "/readyz", None, 200),
)


def test_four_hundred_slow_bodies_keep_nobody_waiting_and_are_given_up(service: Service) -> None:
    with contextlib.ExitStack() as stack:

        def late() -> socket.socket:
            caller = stack.enter_context(socket.create_connection(address_of(service), timeout=60))
            caller.sendall(HEAD)
            return caller

        callers = [late() for _ in range(SLOW)]
        client = stack.enter_context(httpx.Client(base_url=service.url, timeout=10))

        def is_answered(method: str, path: str, body: object, status: int) -> bool:
            try:
                return client.request(method, path, json=body).status_code == status
            except httpx.TimeoutException:  # the machine is busy
                return False

        for _ in range(20):  # some before, and some after, all of the bodies are waited for
            for method, path, body, status in ORDINARY:
                wait_until(partial(is_answered, method, path, body, status), path, 60)
        for caller in callers:
            assert caller.recv(12) == b"HTTP/1.1 408"
        # Who is late, and not too late, is read, and answered.
        caller = late()
        wait_until(partial(is_answered, *ORDINARY[0]), "others are", 60)
        caller.sendall(b" " * 998 + b"}")
        assert caller.recv(12) == b"HTTP/1.1 400"


def address_of(service: Service) -> tuple[str, int]:
    host, _, port = service.rest.rpartition(":")
    return host, int(port)
