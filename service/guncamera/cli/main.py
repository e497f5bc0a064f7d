"""The command line's root: one typer application, and errors as one line."""

from __future__ import annotations

import atexit
import gc
import sys
from collections.abc import Sequence

import typer
from guncamera_tournament import cli as tournament
from typer.exceptions import Abort, TyperException

from guncamera.cli import (
    conforming,
    keys,
    odds,
    play,
    replaying,
    reproducing,
    rule,
    rules_aid,
    rules_check,
    rules_diff,
    rules_export,
    rules_pack,
    rules_show,
    serving,
    sessions,
    signing,
    verifying,
    version,
)
from guncamera.cli.console import DONE, error_console, print_json
from guncamera.cli.faults import fault_of

INTERRUPTED = 130

app = typer.Typer(
    name="guncamera",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    # Help is plain text, so that square brackets in it are not taken for markup.
    rich_markup_mode=None,
)


@app.callback()
def root() -> None:
    """Rules on air combat at the table, and keeps the film.

    Exit codes: 0 done, 1 refused or different, 2 wrong usage.
    """


app.command("serve", short_help="Run the service: REST, gRPC and a store.")(serving.serve_command)
app.add_typer(rule.app, name="rule")
app.add_typer(odds.app, name="odds")
app.command("play")(play.play_command)
app.command("replay")(replaying.replay_command)
app.command("verify")(verifying.verify_command)
app.command("reproduce")(reproducing.reproduce_command)
rules_app = typer.Typer(
    help="Read, check, export, compare or pack a rule set's rules.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
rules_app.command("show")(rules_show.show_command)
rules_app.command("check")(rules_check.check_command)
rules_app.command("diff")(rules_diff.diff_command)
rules_app.command("export")(rules_export.export_command)
rules_app.command("aid")(rules_aid.aid_command)
rules_app.command("pack")(rules_pack.pack_command)
app.add_typer(rules_app, name="rules")
app.add_typer(keys.app, name="keys")
app.add_typer(signing.app, name="signing")
app.add_typer(sessions.app, name="sessions")
app.add_typer(tournament.app, name="tournament")
app.command("conform")(conforming.conform_command)
app.command("version")(version.version_command)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        arguments: Without the program's name; None, those of this process.

    Returns:
        The exit code: 0 done, 1 refused or different, 2 wrong usage.
    """
    if arguments is None:
        atexit.register(gc.freeze)  # the interpreter would look through all that goes with it
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        code = app(args=given, prog_name="guncamera", standalone_mode=False)
        return code if isinstance(code, int) else DONE
    except (KeyboardInterrupt, Abort):
        return INTERRUPTED
    except Exception as error:
        if isinstance(error, TyperException) and type(error).__name__ == "NoArgsIsHelpError":
            sys.stdout.write(error.format_message() + "\n")
            return error.exit_code
        if sys.flags.dev_mode and not isinstance(error, TyperException):
            raise
        fault = fault_of(error)
        error_console().print(fault.line, style="red")
        if "--json" in given:
            print_json({"refused": fault.plain})
        return fault.exit_code


if __name__ == "__main__":
    sys.exit(main())
