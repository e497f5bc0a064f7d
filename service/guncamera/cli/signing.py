"""`guncamera signing`: lists the keys that receipts are signed with, and makes a new one."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import typer

from guncamera.cli.console import REFUSED, Failure, console, grid, print_json
from guncamera.cli.keys import DataOption, StoreOption, service_store
from guncamera.cli.options import JsonOption
from guncamera.sessions.signing import SigningKey, kept_keys, rotate

app = typer.Typer(
    help="List and rotate the keys that sign receipts.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command("list")
def list_command(
    store_url: StoreOption = None, data_dir: DataOption = None, json: JsonOption = False
) -> None:
    """List every key there ever was. The private halves are not shown."""
    with service_store(store_url, data_dir) as store:
        rows = [_plain(key) for key in kept_keys(store)]
    if json:
        print_json(rows)
    elif rows:
        console().print(grid(list(rows[0]), [list(row.values()) for row in rows], wide="key"))
    else:
        console().print("There is no key yet; the service makes one at its start.")


@app.command("rotate")
def rotate_command(store_url: StoreOption = None, data_dir: DataOption = None) -> None:
    """Make a new key, which signs from now on. The old one stays published."""
    with service_store(store_url, data_dir) as store:
        try:
            key = rotate(store, time.time_ns() // 1000)
        except ValueError:
            raise Failure(
                "The key in force lies in a file, GUNCAMERA_SIGNING_KEY. Put another one there "
                "and start the service anew.",
                exit_code=REFUSED,
            ) from None
    console().print(f"key {key.id} signs from now on")


def _plain(key: SigningKey) -> dict[str, str]:
    return {
        "id": key.id,
        "created": _moment(key.create_micros),
        "retired": _moment(key.retire_micros) if key.retire_micros else "no",
        "key": key.public.hex(),
    }


def _moment(micros: int) -> str:
    return datetime.fromtimestamp(micros / 1_000_000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
