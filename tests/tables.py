"""The real service in this process, over a store of its own: both transports and their clients."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import grpc
from flask.testing import FlaskClient
from guncamera.api.config import Config
from guncamera.api.endpoints import Endpoints
from guncamera.api.grpc_server import build_server
from guncamera.api.rest import create_app
from guncamera.host.wiring import now_micros
from guncamera.rules.variant import NO_VARIANTS, Variants
from guncamera.sessions.redis_store import RedisStore
from guncamera.sessions.shelf import Shelf
from servers import Server, valkey_program


@dataclass(frozen=True)
class RealTable:
    """Two ways in to one service."""

    endpoints: Endpoints
    app: Any
    rest: FlaskClient
    channel: grpc.Channel


@contextlib.contextmanager
def real_table(variants: Variants = NO_VARIANTS) -> Iterator[RealTable]:
    """Run the service."""
    with Server(valkey_program()) as valkey:
        store = RedisStore(valkey.url)
        shelf = Shelf(store, variants=variants)
        endpoints = Endpoints(shelf, clock=now_micros, page_key=b"k" * 32)
        config = Config(max_streams=4)
        app = create_app(endpoints, config=config)
        server = build_server(endpoints, address="127.0.0.1:0", config=config, threads=4)
        server.start()
        with grpc.insecure_channel(f"127.0.0.1:{server.port}") as channel:
            yield RealTable(endpoints, app, app.test_client(), channel)
        server.stop(0).wait(10)
        store.close()
