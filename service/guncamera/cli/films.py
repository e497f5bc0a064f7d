"""What `guncamera replay` and `guncamera verify` share: films ruled on again, and told. Offline."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from guncamera.cli.console import (
    REFUSED,
    Failure,
    console,
    count,
    error_console,
)

if TYPE_CHECKING:
    from guncamera.rules.variant import Variants
    from guncamera.sessions.film import Difference, Film, Replay

MOST_SHOWN = 70


def check_played_by(film: Film, file: Path, variants: Variants) -> None:
    """Refuse to rule on a film by any other tables than it was played by."""
    given = next(iter(variants), None)
    pin, here = film.record.variant, given.pin if given else None
    if pin == here == film.record.book.variant:
        return
    if pin is None:
        raise Failure(f"{file}: played by the rules as printed; leave --variant out.")
    other = f", not by {here.name!r}, {here.hash}" if here else ""
    raise Failure(
        f"{file}: played by the variant {pin.name!r}, {pin.hash}{other}; give its file: "
        "--variant FILE."
    )


def replayed(film: Film) -> Replay:
    """A replay; a film so wrong that the rules cannot even read it is a difference too."""
    from guncamera.sessions.film import Difference, Replay, replay

    try:
        return replay(film)
    except (AssertionError, LookupError, TypeError, ValueError, AttributeError) as fault:
        what = Difference(0, "ledger", f"one that cannot be ruled on ({fault})", "none")
        return Replay(None, (what,))  # type: ignore[arg-type]  # it ends in no state


def end_with(differences: Sequence[Difference], *, json: bool) -> None:
    """End with the first difference and exit code 1, or go on where there is none."""
    if not differences:
        return
    if not json:
        error_console().print(f"DIFFERENT: {told(differences[0])}", style="red")
    raise typer.Exit(REFUSED)


def told(one: Difference) -> str:
    """A difference on one line: both sides from where they part, and no more than that."""
    start = _parting(one.filmed, one.recomputed)
    filmed, recomputed = (_cut(side, start) for side in (one.filmed, one.recomputed))
    return f"action {one.revision}: {one.what} is {filmed} in the film and {recomputed or '–'} here"


def _parting(one: str, other: str) -> int:
    """Where the first word begins in which two texts differ."""
    pairs = enumerate(zip(one, other))
    common = next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))
    return max(one.rfind(mark, 0, common) for mark in (" ", "(")) + 1


def _cut(text: str, start: int) -> str:
    shown = text[start : start + MOST_SHOWN]
    before = "…" if start else ""
    return f"{before}{shown}{'…' if start + MOST_SHOWN < len(text) else ''}" if shown else ""


def show_replay(film: Film, differences: Sequence[Difference]) -> None:
    """Say what a film is of, how it ended, and whether its rulings come out again."""
    out = console()
    record = film.record
    out.print(
        f"{record.ruleset.title}, rules version {record.rules_version}, "
        f"{record.rules_hash[:12]}; session {record.id}."
    )
    if record.variant is not None:
        out.print(f"Variant {record.variant.name}, {record.variant.hash[:12]}.")
    out.print(f"Result: {film.result or 'the game is not over'}")
    rulings = count(len(film.actions), "ruling")
    if differences:
        out.print(f"{rulings} filmed; {count(len(differences), 'difference')} found.")
    else:
        out.print(f"{rulings} recomputed from their faces: all agree.")


def film_to_plain(film: Film) -> dict[str, Any]:
    """What a film is of and how it ended, for machines."""
    record = film.record
    return {
        "ruleset": record.ruleset.slug,
        "rules_version": record.rules_version,
        "rules_hash": record.rules_hash,
        "variant": record.variant.name if record.variant else None,
        "variant_hash": record.variant.hash if record.variant else None,
        "session": record.id,
        "actions": len(film.actions),
        "result": film.result,
    }


def differences_to_plain(differences: Sequence[Difference]) -> dict[str, Any]:
    """Each difference, for machines."""
    return {
        "differences": [
            {
                "revision": one.revision,
                "what": one.what,
                "filmed": one.filmed,
                "recomputed": one.recomputed,
            }
            for one in differences
        ]
    }
