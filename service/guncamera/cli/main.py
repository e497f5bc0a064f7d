"""The command line's root: one typer application, and errors as one line."""

from __future__ import annotations

import sys

import typer

from guncamera.cli import serving
from guncamera.cli.console import Failure, error_console
from guncamera.rules.refusal import Refusal

REFUSED = 1
USAGE = 2

app = typer.Typer(
    name="guncamera",
    help="Rules on air combat at the table, and keeps the film.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("serve")(serving.serve_command)


def main() -> int:
    """Run the command line. Exit codes: 0 done, 1 refused or different, 2 wrong usage."""
    try:
        app(standalone_mode=True)
    except Refusal as refusal:
        error_console().print(f"{refusal.reason}: {refusal.message}", style="red", markup=False)
        return REFUSED
    except Failure as failure:
        error_console().print(str(failure), style="red", markup=False)
        return failure.exit_code
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
