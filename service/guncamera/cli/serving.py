"""`guncamera serve`."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import Annotated

import typer

from guncamera.cli.console import REFUSED, Failure


def serve_command(
    config: Annotated[
        str | None, typer.Option(metavar="FILE", help="A TOML file with settings, one a line.")
    ] = None,
    rest_address: Annotated[
        str | None, typer.Option(help="Where REST listens. [default: 127.0.0.1:8080]")
    ] = None,
    grpc_address: Annotated[
        str | None, typer.Option(help="Where gRPC listens. [default: 127.0.0.1:50051]")
    ] = None,
    data_dir: Annotated[
        str | None,
        typer.Option(help="Where the embedded store keeps sessions. [default: guncamera-data]"),
    ] = None,
    store_url: Annotated[
        str | None, typer.Option(help="A Redis or Valkey to use instead of the embedded one.")
    ] = None,
    store_replicas: Annotated[
        int | None,
        typer.Option(help="Replicas that must have what was written. [default: 0]"),
    ] = None,
    store_replica_millis: Annotated[
        int | None, typer.Option(help="How long they may take for it. [default: 500]")
    ] = None,
    grpc_workers: Annotated[
        int | None, typer.Option(help="gRPC processes. [default: one for each core]")
    ] = None,
    rest_workers: Annotated[
        int | None, typer.Option(help="REST processes. [default: one for two cores]")
    ] = None,
    grpc_lane: Annotated[
        str | None,
        typer.Option(help="fast, or standard: gRPC without our own loop. [default: fast]"),
    ] = None,
    rest_lane: Annotated[
        str | None,
        typer.Option(help="fast, or standard: all of REST through Flask. [default: fast]"),
    ] = None,
    max_streams: Annotated[
        int | None, typer.Option(help="Streams open at once, per process. [default: 64]")
    ] = None,
    body_seconds: Annotated[
        int | None,
        typer.Option(help="Time for each MiB of a REST body to come. [default: 10]"),
    ] = None,
    public_base_url: Annotated[
        str | None, typer.Option(help="The address callers see, for links in answers.")
    ] = None,
    let_in: Annotated[
        bool | None,
        typer.Option(
            "--open/--no-open",
            help="Let everyone in while there is no key. [default: only on this machine]",
        ),
    ] = None,
    signing_key: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="The key that signs receipts. [default: in the store]"),
    ] = None,
    variants: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Variants that may be played. [default: none]"),
    ] = None,
    rate_per_key: Annotated[
        str | None, typer.Option(help="Calls a key may make: 600/minute, 0. [default: auto]")
    ] = None,
    rate_per_session: Annotated[
        str | None, typer.Option(help="Calls about one session, likewise. [default: auto]")
    ] = None,
    creates_per_key: Annotated[
        str | None, typer.Option(help="Sessions a key may create, likewise. [default: auto]")
    ] = None,
    unready_seconds: Annotated[
        int | None,
        typer.Option(help="How long to serve on at a stop, while readiness is red. [default: 0]"),
    ] = None,
    drain_seconds: Annotated[
        int | None, typer.Option(help="How long calls may then take to finish. [default: 10]")
    ] = None,
    check: Annotated[
        bool,
        typer.Option(
            "--check", help="Only say what is unsafe about it, and fail if there is anything."
        ),
    ] = False,
    exit_with_parent: Annotated[
        bool, typer.Option("--exit-with-parent", help="Stop when the starting process is gone.")
    ] = False,
) -> None:
    """Run the service: REST, gRPC and, unless --store-url is given, its own store.

    Each option can be set by an environment variable as well, GUNCAMERA_REST_ADDRESS and so on, or
    in the file that --config or GUNCAMERA_CONFIG names: rest_address = "127.0.0.1:8080". A flag
    wins over the environment, and the environment over the file.
    """
    from guncamera.host.entrance import ServiceError
    from guncamera.host.settings import SettingsError, settings_from
    from guncamera.host.startup_report import is_safe
    from guncamera.host.supervisor import serve
    from guncamera.sessions.embedded import EmbeddedStoreError

    flags = {
        "config": config,
        "rest_address": rest_address,
        "grpc_address": grpc_address,
        "data_dir": data_dir,
        "store_url": store_url,
        "store_replicas": store_replicas,
        "store_replica_millis": store_replica_millis,
        "grpc_workers": grpc_workers,
        "rest_workers": rest_workers,
        "grpc_lane": grpc_lane,
        "rest_lane": rest_lane,
        "max_streams": max_streams,
        "body_seconds": body_seconds,
        "public_base_url": public_base_url,
        "open": None if let_in is None else "yes" if let_in else "no",
        "signing_key": signing_key,
        "variants": variants,
        "rate_per_key": rate_per_key,
        "rate_per_session": rate_per_session,
        "creates_per_key": creates_per_key,
        "unready_seconds": unready_seconds,
        "drain_seconds": drain_seconds,
    }
    try:
        settings = settings_from(os.environ, flags)
        if not check:
            serve(settings, say=_say, exit_with_parent=exit_with_parent)
        elif not is_safe(settings, _say):
            raise typer.Exit(REFUSED)
    except (SettingsError, ServiceError, EmbeddedStoreError) as wrong:
        raise Failure(f"guncamera: {wrong}") from None


def _say(line: str) -> None:
    """Tell whoever started the service. It runs on when nobody reads that any more."""
    with suppress(OSError):
        print(f"guncamera: {line}", file=sys.stderr, flush=True)
