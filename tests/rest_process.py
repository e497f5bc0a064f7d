"""REST over a stand-in on granian, in a process of its own: `python rest_process.py PORT`."""

from __future__ import annotations

import sys

from fakes import FakeEndpoints
from flask import Flask
from granian import Granian
from granian.constants import Interfaces
from guncamera.api.config import Config
from guncamera.api.rest import create_app

THREADS = 2
CAP = 3
BODIES = 5


def make_app() -> Flask:
    endpoints = FakeEndpoints()
    app = create_app(
        endpoints, config=Config(max_streams=CAP, max_body_bytes=100_000, max_bodies=BODIES)
    )

    @app.get("/watches-open")
    def watches_open() -> str:
        return str(endpoints.watches_open)

    return app


if __name__ == "__main__":
    Granian(
        "rest_process:make_app",
        factory=True,
        address="127.0.0.1",
        port=int(sys.argv[1]),
        interface=Interfaces.WSGI,
        blocking_threads=THREADS + CAP + BODIES,
        log_enabled=False,
    ).serve()
