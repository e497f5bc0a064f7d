"""`guncamera serve`."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from guncamera.cli.console import Failure, error_console


def serve_command(
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
    grpc_workers: Annotated[
        int | None, typer.Option(help="gRPC processes, one core each. [default: 1]")
    ] = None,
    rest_workers: Annotated[int | None, typer.Option(help="REST processes. [default: 1]")] = None,
    grpc_lane: Annotated[
        str | None,
        typer.Option(help="fast, or standard: gRPC without our own loop. [default: fast]"),
    ] = None,
    max_streams: Annotated[
        int | None, typer.Option(help="Streams open at once, per process. [default: 64]")
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
    drain_seconds: Annotated[
        int | None, typer.Option(help="How long calls may take to finish at a stop. [default: 10]")
    ] = None,
    exit_with_parent: Annotated[
        bool, typer.Option("--exit-with-parent", help="Stop when the starting process is gone.")
    ] = False,
) -> None:
    """Run the service: REST, gRPC and, unless --store-url is given, its own store.

    Each option can be set by an environment variable as well: GUNCAMERA_REST_ADDRESS and so on.
    """
    from guncamera.host.entrance import ServiceError
    from guncamera.host.settings import SettingsError, settings_from
    from guncamera.host.supervisor import serve
    from guncamera.sessions.embedded import EmbeddedStoreError

    out = error_console()
    flags = {
        "rest_address": rest_address,
        "grpc_address": grpc_address,
        "data_dir": data_dir,
        "store_url": store_url,
        "grpc_workers": grpc_workers,
        "rest_workers": rest_workers,
        "grpc_lane": grpc_lane,
        "max_streams": max_streams,
        "public_base_url": public_base_url,
        "open": None if let_in is None else "yes" if let_in else "no",
        "drain_seconds": drain_seconds,
    }
    try:
        serve(
            settings_from(os.environ, flags),
            say=lambda line: out.print(f"guncamera: {line}", markup=False),
            exit_with_parent=exit_with_parent,
        )
    except (SettingsError, ServiceError, EmbeddedStoreError) as wrong:
        raise Failure(f"guncamera: {wrong}") from None
