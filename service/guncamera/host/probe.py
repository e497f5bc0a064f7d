"""`python -m guncamera.host.probe`: asks the health service whether sessions can be played."""

from __future__ import annotations

import sys

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from guncamera.host.settings import current

TIMEOUT_SECONDS = 2


def main() -> int:
    """0 when serving, 1 when not."""
    host, _, port = current().grpc_address.rpartition(":")
    host = "127.0.0.1" if host in ("0.0.0.0", "[::]") else host  # noqa: S104  # compared, not bound
    with grpc.insecure_channel(f"{host}:{port}") as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        try:
            answer = stub.Check(health_pb2.HealthCheckRequest(), timeout=TIMEOUT_SECONDS)
        except grpc.RpcError as down:
            print(f"not serving: {down}", file=sys.stderr)
            return 1
    return 0 if answer.status == health_pb2.HealthCheckResponse.SERVING else 1


if __name__ == "__main__":
    sys.exit(main())
