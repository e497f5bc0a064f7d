"""`guncamera keys`: makes, lists and revokes keys, in the store itself.

Whoever can reach the store runs the service. So no call makes a key, and the first one needs none.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from guncamera.cli.console import REFUSED, Failure, console, error_console, grid, print_json
from guncamera.cli.options import JsonOption
from guncamera.sessions.keys import (
    MAX_DAYS,
    Key,
    KeyUnknown,
    Scope,
    create_key,
    list_keys,
    revoke_key,
)

if TYPE_CHECKING:
    from guncamera.sessions.redis_store import RedisStore

SCOPES = [scope.name.lower() for scope in Scope]
DEFAULT_DAYS = 365

app = typer.Typer(
    help="Make, list and revoke the keys of a service.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
StoreOption = Annotated[
    str | None,
    typer.Option("--store-url", help="The service's store, if it is not the embedded one."),
]
DataOption = Annotated[
    str | None,
    typer.Option("--data-dir", help="Where the embedded store is. [default: guncamera-data]"),
]


@app.command("create")
def create_command(
    scope: Annotated[
        str,
        typer.Option(
            metavar="|".join(SCOPES), help="How far it goes; each scope holds those before it."
        ),
    ],
    label: Annotated[str, typer.Option(help="Who has it, for the list.")] = "",
    days: Annotated[
        int, typer.Option(min=0, max=MAX_DAYS, help="How long it lives; 0 for ever.")
    ] = DEFAULT_DAYS,
    store_url: StoreOption = None,
    data_dir: DataOption = None,
    json: JsonOption = False,
) -> None:
    """Make a key and print it, this once.

    The key alone goes to standard output, so that it can be sent straight to where it is kept; with
    --json, what `list` tells of it stands beside it, as `key`. A running service knows it within a
    second.
    """
    if scope not in SCOPES:
        raise Failure(f"{scope!r} is no scope; take {', '.join(SCOPES)}.")
    now = _now_micros()
    with service_store(store_url, data_dir) as store:
        try:
            key, text = create_key(store, now, scope=Scope[scope.upper()], label=label, days=days)
        except ValueError as wrong:
            raise Failure(f"--label: {wrong}.") from None
    if json:
        print_json({**_plain(key, now), "key": text})
        return
    lives = f"until {_day(key.expire_micros)}" if key.expire_micros else "for ever"
    error_console().print(f"key {key.id}, scope {scope}, {lives}; it is not shown again:")
    sys.stdout.write(text + "\n")


@app.command("list")
def list_command(
    store_url: StoreOption = None, data_dir: DataOption = None, json: JsonOption = False
) -> None:
    """List every key there ever was. The keys themselves are not kept, and so not shown."""
    with service_store(store_url, data_dir) as store:
        keys = list_keys(store)
    now = _now_micros()
    if json:
        print_json([_plain(key, now) for key in keys])
    elif keys:
        rows = [list(_plain(key, now).values()) for key in keys]
        console().print(grid(list(_plain(keys[0], now)), rows, wide="label"))
    else:
        console().print("There is no key.")


@app.command("revoke")
def revoke_command(
    key_id: Annotated[str, typer.Argument(metavar="ID", help="As `list` shows it.")],
    store_url: StoreOption = None,
    data_dir: DataOption = None,
) -> None:
    """Revoke a key for good. A running service refuses it within a second."""
    with service_store(store_url, data_dir) as store:
        try:
            key = revoke_key(store, _now_micros(), key_id)
        except KeyUnknown:
            raise Failure(
                "No key has this id; `guncamera keys list` shows them.", exit_code=REFUSED
            ) from None
    console().print(f"key {key.id} was revoked on {_day(key.revoke_micros)}")


@contextmanager
def service_store(store_url: str | None, data_dir: str | None) -> Iterator[RedisStore]:
    """The store that the service would use, with the same settings."""
    from guncamera.host.settings import SettingsError, settings_from
    from guncamera.sessions.embedded import EmbeddedStoreError, store_in
    from guncamera.sessions.redis_store import RedisStore
    from guncamera.sessions.store import StoreError

    try:
        settings = settings_from(os.environ, {"store_url": store_url, "data_dir": data_dir})
        if settings.store_url:
            with closing(RedisStore(settings.store_url, replicas=settings.replicas)) as store:
                yield store
        else:
            with store_in(settings.data_path) as url, closing(RedisStore(url)) as store:
                yield store
    except (SettingsError, EmbeddedStoreError) as wrong:
        raise Failure(f"guncamera: {wrong}") from None
    except StoreError as wrong:
        raise Failure(f"The store does not answer: {wrong}", exit_code=REFUSED) from None


def _plain(key: Key, now_micros: int) -> dict[str, str]:
    state = "alive" if key.is_alive(now_micros) else "revoked" if key.revoke_micros else "expired"
    return {
        "id": key.id,
        "scope": key.scope.name.lower(),
        "state": state,
        "created": _day(key.create_micros),
        "expires": _day(key.expire_micros) if key.expire_micros else "never",
        "label": key.label,
    }


def _day(micros: int) -> str:
    return datetime.fromtimestamp(micros / 1_000_000, UTC).strftime("%Y-%m-%d")


def _now_micros() -> int:
    return time.time_ns() // 1000
