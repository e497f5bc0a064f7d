"""`guncamera replay` and `guncamera verify`: what a film says, ruled on again. Offline."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from guncamera.cli.console import (
    REFUSED,
    Failure,
    console,
    count,
    error_console,
    print_json,
    said,
)
from guncamera.cli.options import JsonOption
from guncamera.cli.packed import VariantOption, variants_at

if TYPE_CHECKING:
    from guncamera.api.film_check import ReceiptCheck
    from guncamera.rules.variant import Variants
    from guncamera.sessions.film import DiceCheck, Difference, Film, Replay
    from guncamera.v1.session_service_pb2 import SigningKey

MOST_SHOWN = 70
FilmArgument = Annotated[Path, typer.Argument(metavar="FILM", help="The film, a JSON file.")]


def replay_command(
    film_file: FilmArgument,
    variant: VariantOption = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print only whether all agree.")] = False,
    json: JsonOption = False,
) -> None:
    """Rule on every order of a film again and compare.

    The dice are the faces that fell; nothing is drawn.
    """
    from guncamera.cli.film_files import load_film

    variants = variants_at(variant)
    film = load_film(film_file, variants)
    _check_variant(film, film_file, variants)
    again = _replayed(film)
    differences = list(again.differences) if again else []
    if json:
        print_json({**_film_to_plain(film), "agrees": not differences, **_to_plain(differences)})
    else:
        if not quiet:
            _show_actions(film)
        _show_replay(film, differences)
    _end(differences, json=json)


def verify_command(
    film_file: FilmArgument,
    keys: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The keys that the service has published."),
    ] = None,
    receipt: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="A receipt kept from the game; may be repeated."),
    ] = None,
    variant: VariantOption = None,
    json: JsonOption = False,
) -> None:
    """Replay a film, draw its dice again, and check its receipts.

    The dice come from the seeds that the game was committed to. Offline: no service is asked.
    """
    from guncamera.api.film_check import check_receipts, check_writing
    from guncamera.cli.film_files import load_bundle, load_message
    from guncamera.sessions.film import check_dice
    from guncamera.v1 import session_service_pb2 as pb

    variants = variants_at(variant)
    message, film = load_bundle(film_file, variants)
    _check_variant(film, film_file, variants)
    published, kept = (
        _published(keys),
        [load_message(file, pb.Receipt, "a receipt") for file in receipt or ()],
    )
    again = _replayed(film)
    dice = check_dice(film)
    receipts = check_receipts(message, keys=published, kept=kept)
    differences = [*dice.differences, *again.differences, *receipts.differences]
    if not differences:
        differences += check_writing(message, film, again.state)
    differences.sort(key=lambda one: one.revision)
    if json:
        print_json(
            {
                **_film_to_plain(film),
                "agrees": not differences,
                "rolls": _dice_to_plain(dice),
                "late": _late_to_plain(film, receipts, published=keys is not None),
                "receipts": {
                    "checked": receipts.checked,
                    "keys": list(receipts.key_ids),
                    "keys_published": keys is not None,
                },
                **_to_plain(differences),
            }
        )
    else:
        _show_replay(film, list(again.differences))
        _show_dice(film, dice)
        _show_late(film, receipts, published=keys is not None)
        _show_receipts(receipts, published=keys is not None)
    _end(differences, json=json)


def _check_variant(film: Film, file: Path, variants: Variants) -> None:
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


def _replayed(film: Film) -> Replay:
    """A replay; a film so wrong that the rules cannot even read it is a difference too."""
    from guncamera.sessions.film import Difference, Replay, replay

    try:
        return replay(film)
    except (AssertionError, LookupError, TypeError, ValueError, AttributeError) as fault:
        what = Difference(0, "ledger", f"one that cannot be ruled on ({fault})", "none")
        return Replay(None, (what,))  # type: ignore[arg-type]  # it ends in no state


def _end(differences: list[Difference], *, json: bool) -> None:
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


def _show_actions(film: Film) -> None:
    from guncamera.sessions.session import Undone

    out = console()
    width = len(str(len(film.actions)))
    for action in film.actions:
        verb, rolls, by_default = (
            ("undo", (), False)
            if isinstance(action, Undone)
            else (action.verb, action.rolls, action.by_default)
        )
        dice = ", ".join(" ".join(str(face) for face in roll.faces) for roll in rolls)
        thrown = f" [{dice}]" if dice else ""
        came_to = said(action.summary, by_default=by_default)
        out.print(f"{action.revision:>{width}}  {verb:<6}  {came_to}{thrown}", soft_wrap=True)
    out.print()


def _show_replay(film: Film, differences: list[Difference]) -> None:
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


def _show_dice(film: Film, dice: DiceCheck) -> None:
    out = console()
    if dice.differences:
        out.print(f"Dice: {count(len(dice.differences), 'difference')} from the seeds.")
    out.print(f"{count(dice.checked, 'roll')} drawn again from the revealed seeds.")
    if dice.unrevealed:
        out.print(
            f"{count(dice.unrevealed, 'roll')} not checked: their seed is revealed when the "
            "game is over."
        )
    if dice.supplied:
        out.print(f"{count(dice.supplied, 'roll')} thrown by the players: nobody can check them.")
    if any(seed.supplied for seed in film.record.seeds):
        out.print("The creator chose the seed, and so could know every die beforehand.")


def _said_late(film: Film) -> int:
    """How many orders are said to stand for those of seats that were late."""
    return sum(getattr(one, "by_default", False) for one in film.actions)


def _are_signed(receipts: ReceiptCheck, *, published: bool) -> bool:
    """Whether the service has signed each action of a film, and so who was late."""
    return published and receipts.are_open and not receipts.differences


def _late_to_plain(film: Film, receipts: ReceiptCheck, *, published: bool) -> dict[str, int | bool]:
    return {"said": _said_late(film), "signed": _are_signed(receipts, published=published)}


def _show_late(film: Film, receipts: ReceiptCheck, *, published: bool) -> None:
    number = _said_late(film)
    if not number or _are_signed(receipts, published=published):
        return
    console().print(
        f"{count(number, 'order')} said to be for seats that were late: as the rule set states, "
        "and after the deadline. That nothing else was sealed only receipts can show, by --keys."
    )


def _published(file: Path | None) -> list[SigningKey]:
    """The keys in a file."""
    from guncamera.cli.film_files import load_message
    from guncamera.v1.session_service_pb2 import ListSigningKeysResponse

    if file is None:
        return []
    keys = list(load_message(file, ListSigningKeysResponse, "a list of keys").signing_keys)
    if not keys:
        raise Failure(f"{file}: holds no keys.")
    return keys


def _show_receipts(receipts: ReceiptCheck, *, published: bool) -> None:
    out = console()
    if not receipts.checked:
        out.print("No receipts: that the service has ruled so, nobody has signed.")
        return
    signers = ", ".join(receipts.key_ids)
    if receipts.differences:
        out.print(f"{count(receipts.checked, 'receipt')}; they do not all hold.")
    else:
        out.print(f"{count(receipts.checked, 'receipt')} signed by {signers}: all hold.")
    if not published:
        out.print("Their keys are the film's own: compare them with the published ones, --keys.")


def _film_to_plain(film: Film) -> dict[str, Any]:
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


def _dice_to_plain(dice: DiceCheck) -> dict[str, int]:
    return {
        "checked": dice.checked,
        "unrevealed": dice.unrevealed,
        "supplied": dice.supplied,
    }


def _to_plain(differences: list[Difference]) -> dict[str, Any]:
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
