"""`python -m guncamera.host.probe`: asks a service on this machine whether games can be played."""

from __future__ import annotations

import sys

import grpc
import httpx
from grpc_health.v1 import health_pb2, health_pb2_grpc

from guncamera.host.settings import current

TIMEOUT_SECONDS = 2


def main() -> int:
    """0 when they can, 1 when not. Asks gRPC, or REST where that is all there is."""
    settings = current()
    if settings.grpc_workers:
        problem = _problem_by_grpc(_reached(settings.grpc_address))
    else:
        problem = _problem_by_rest(_reached(settings.rest_address))
    if problem:
        print(f"not serving: {problem}", file=sys.stderr)
    return 1 if problem else 0


def _reached(address: str) -> str:
    """Where this machine reaches what listens on an address."""
    host, _, port = address.rpartition(":")
    host = "127.0.0.1" if host in ("0.0.0.0", "[::]") else host  # noqa: S104  # compared, not bound
    return f"{host}:{port}"


def _problem_by_grpc(address: str) -> str:
    with grpc.insecure_channel(address) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        try:
            answer = stub.Check(health_pb2.HealthCheckRequest(), timeout=TIMEOUT_SECONDS)
        except grpc.RpcError as down:
            return str(down)
    is_serving = answer.status == health_pb2.HealthCheckResponse.SERVING
    return "" if is_serving else "games cannot be played now"


def _problem_by_rest(address: str) -> str:
    try:
        answer = httpx.get(f"http://{address}/readyz", timeout=TIMEOUT_SECONDS, trust_env=False)
    except httpx.TransportError as down:
        return str(down)
    return "" if answer.status_code == 200 else answer.text


if __name__ == "__main__":
    sys.exit(main())
