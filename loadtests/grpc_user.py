"""Players and onlookers over gRPC, under gevent."""

import grpc.experimental.gevent as grpc_gevent

grpc_gevent.init_gevent()

from guncamera_client import Client  # noqa: E402
from mix import Player, Watcher  # noqa: E402  # gRPC must know of gevent first


class GrpcUser(Player):
    """One player with a gRPC client."""

    make_client = Client


class GrpcWatcher(Watcher):
    """One onlooker with a gRPC client."""

    make_client = Client
