"""A client of the service that a command talks to: named, found, or started.

A service that asks for a key gets the one in `GUNCAMERA_KEY`. There is no option for it: what
stands on a command line is kept in the shell's history, and shown to everyone on the machine.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import Annotated, Any

import typer

from guncamera.host.settings import KEY_VARIABLE

TargetOption = Annotated[
    str | None,
    typer.Option(
        metavar="HOST:PORT",
        help="A service: HOST:PORT for gRPC, http://HOST:PORT for REST.",
    ),
]


@contextlib.contextmanager
def client_of(target: str) -> Iterator[Any]:
    """A client of a service that is there.

    Args:
        target: `host:port` for gRPC, a URL for REST.

    Raises:
        Unavailable: It is not, and that is said at once.
    """
    from guncamera_client import Client, RestClient, RetryPolicy

    kind: Any = RestClient if "://" in target else Client
    key = os.environ.get(KEY_VARIABLE) or None
    with kind(target, token=key, retry=RetryPolicy(max_attempts=1)) as probe:
        next(probe.list_rulesets(), None)
    with kind(target, token=key) as client:
        yield client


@contextlib.contextmanager
def local_client(data_dir: str | None) -> Iterator[Any]:
    """A client of the service on this machine; one that is started ends with it."""
    from guncamera_client import Client

    with Client.local(data_dir, token=os.environ.get(KEY_VARIABLE) or None) as client:
        yield client
