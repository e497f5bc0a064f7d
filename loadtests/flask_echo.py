"""A bare Flask echo on granian, the yardstick of REST: `python loadtests/flask_echo.py ADDRESS`."""

from __future__ import annotations

import sys

from flask import Flask, Response, request
from granian import Granian
from granian.constants import Interfaces

THREADS = 4


def make_app() -> Flask:
    """Echo what is posted to /echo."""
    app = Flask(__name__)

    @app.post("/echo")
    def echo() -> Response:
        return Response(request.get_data(), content_type="application/json")

    return app


if __name__ == "__main__":
    host, _, port = sys.argv[1].rpartition(":")
    Granian(
        "flask_echo:make_app",
        factory=True,
        address=host,
        port=int(port),
        interface=Interfaces.WSGI,
        blocking_threads=THREADS,
        log_enabled=False,
    ).serve()
