"""A bare grpcio echo server, the yardstick: `python loadtests/echo_server.py ADDRESS`."""

from __future__ import annotations

import signal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import grpc

THREADS = 8


def main(address: str) -> None:
    """Echo bytes on /bench.Echo/Echo until SIGTERM."""
    handler = grpc.method_handlers_generic_handler(
        "bench.Echo", {"Echo": grpc.unary_unary_rpc_method_handler(lambda data, _context: data)}
    )
    server = grpc.server(ThreadPoolExecutor(THREADS))
    server.add_generic_rpc_handlers((handler,))
    server.add_insecure_port(address)
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    server.start()
    stop.wait()
    server.stop(None).wait()


if __name__ == "__main__":
    main(sys.argv[1])
