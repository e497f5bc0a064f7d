"""`guncamera sessions`: frees a seat, or deletes a session, whose players have lost their tokens.

Like `guncamera keys` it works in the store itself: whoever can reach the store runs the service. So
a game gets unstuck also where the service stands open, and no key could be shown to it.
"""

from __future__ import annotations

from typing import Annotated

import typer

from guncamera.api.names import session_id_of
from guncamera.cli.console import console
from guncamera.cli.keys import DataOption, StoreOption, service_store
from guncamera.sessions import claiming
from guncamera.sessions.keys import Scope
from guncamera.sessions.shelf import Shelf

app = typer.Typer(
    help="Free seats and delete games whose tokens are lost.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
SessionArgument = Annotated[
    str, typer.Argument(metavar="SESSION", help="Its id, or `sessions/` and its id.")
]


@app.command("release")
def release_command(
    session: SessionArgument,
    seat: Annotated[str, typer.Argument(metavar="SEAT", help="As the session names it.")],
    store_url: StoreOption = None,
    data_dir: DataOption = None,
) -> None:
    """Make a seat's token worthless and the seat free; what it had sealed is dropped.

    The game goes on where it was, and the seat can be claimed again.
    """
    with service_store(store_url, data_dir) as store:
        found, released, _ = claiming.release(
            Shelf(store), _id_of(session), seat, None, Scope.REFEREE
        )
    console().print(f"seat {released} of session {found.record.id} is free")


@app.command("delete")
def delete_command(
    session: SessionArgument, store_url: StoreOption = None, data_dir: DataOption = None
) -> None:
    """Delete a session and its ledger, for good. Who watches it is told."""
    with service_store(store_url, data_dir) as store:
        claiming.delete(Shelf(store), _id_of(session), None, Scope.ADMIN)
    console().print(f"session {_id_of(session)} is deleted")


def _id_of(session: str) -> str:
    return session_id_of(f"sessions/{session.removeprefix('sessions/')}")
