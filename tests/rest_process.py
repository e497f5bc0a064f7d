"""REST over a stand-in on granian, in a process of its own: `python rest_process.py PORT LANE`."""

from __future__ import annotations

import sys

from fakes import FakeEndpoints
from granian import Granian
from granian.constants import Interfaces
from guncamera.api.config import Config
from guncamera.api.rest import create_app
from guncamera.host.rest_bridge import Bridge

CAP = 3
BODY_SECONDS = 2
LARGE_BYTES = 150_000


def make_app() -> Bridge:
    endpoints = FakeEndpoints()
    config = Config(
        max_streams=CAP,
        max_body_bytes=100_000,
        max_large_bytes=LARGE_BYTES,
        body_seconds=BODY_SECONDS,
        rest_is_fast=sys.argv[2] == "fast",
    )
    app = create_app(endpoints, config=config)

    @app.get("/watches-open")
    def watches_open() -> str:
        return str(endpoints.watches_open)

    @app.get("/calls-seen")
    def calls_seen() -> str:
        return str(len(endpoints.seen))

    return Bridge(app, config)


if __name__ == "__main__":
    Granian(
        "rest_process:make_app",
        factory=True,
        address="127.0.0.1",
        port=int(sys.argv[1]),
        interface=Interfaces.RSGI,
        log_enabled=False,
    ).serve()
