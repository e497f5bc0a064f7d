"""`guncamera verify`: films replayed, their dice drawn again, their receipts checked. Offline."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from guncamera.cli.console import REFUSED, Failure, console, count, print_json
from guncamera.cli.films import (
    check_played_by,
    differences_to_plain,
    end_with,
    film_to_plain,
    replayed,
    show_replay,
    told,
)
from guncamera.cli.options import JsonOption
from guncamera.cli.packed import VariantOption, variants_at

if TYPE_CHECKING:
    from guncamera.api.film_check import ReceiptCheck
    from guncamera.rules.variant import Variants
    from guncamera.sessions.film import DiceCheck, Difference, Film, Replay
    from guncamera.v1.session_service_pb2 import Receipt, SigningKey


@dataclass(frozen=True, slots=True)
class Verified:
    """What became of a film.

    Attributes:
        differences: All that were found, by the actions that they are in.
    """

    film: Film
    again: Replay
    dice: DiceCheck
    receipts: ReceiptCheck
    differences: Sequence[Difference]


def verify_command(
    films: Annotated[
        list[Path],
        typer.Argument(metavar="FILM...", help="Films, JSON files, or folders of them."),
    ],
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
    """Replay films, draw their dice again, and check their receipts.

    The dice come from the seeds that the games were committed to. Offline: no service is asked. Of
    several films, or a folder of them, those that differ are named. Exit code 1 if any differs, or
    one of several cannot be checked.
    """
    from guncamera.cli.film_files import films_at, load_message
    from guncamera.v1 import session_service_pb2 as pb

    variants, published = variants_at(variant), _published(keys)
    kept = [load_message(file, pb.Receipt, "a receipt") for file in receipt or ()]
    files = list(dict.fromkeys(films_at(films)))
    if files == films and len(files) == 1:
        _tell_one(_verify(files[0], variants, published, kept), published=bool(keys), json=json)
        return
    if kept:
        raise Failure("--receipt is of one game: name its film alone.")
    found = ((file, _verify_or_why_not(file, variants, published)) for file in files)
    tell = _print_all if json else _tell_all
    if not tell(found, published=bool(keys)):
        raise typer.Exit(REFUSED)


def _verify(
    file: Path, variants: Variants, published: Sequence[SigningKey], kept: Sequence[Receipt] = ()
) -> Verified:
    from guncamera.api.film_check import check_receipts, check_writing
    from guncamera.cli.film_files import load_bundle
    from guncamera.sessions.film import check_dice

    message, film = load_bundle(file, variants)
    check_played_by(film, file, variants)
    again, dice = replayed(film), check_dice(film)
    receipts = check_receipts(message, keys=published, kept=kept)
    differences = [*dice.differences, *again.differences, *receipts.differences]
    if not differences:
        differences += check_writing(message, film, again.state)
    differences.sort(key=lambda one: one.revision)
    return Verified(film, again, dice, receipts, differences)


def _verify_or_why_not(
    file: Path, variants: Variants, published: Sequence[SigningKey]
) -> Verified | str:
    """A text says why a film cannot be checked."""
    try:
        return _verify(file, variants, published)
    except Failure as fault:
        return str(fault).removeprefix(f"{file}: ")


# ---- one film


def _tell_one(one: Verified, *, published: bool, json: bool) -> None:
    if json:
        print_json(_to_plain(one, published=published))
    else:
        show_replay(one.film, one.again.differences)
        _show_dice(one.film, one.dice)
        _show_late(one.film, one.receipts, published=published)
        _show_receipts(one.receipts, published=published)
    end_with(one.differences, json=json)


def _to_plain(one: Verified, *, published: bool) -> dict[str, Any]:
    return {
        **film_to_plain(one.film),
        "agrees": not one.differences,
        "rolls": _dice_to_plain(one.dice),
        "late": _late_to_plain(one.film, one.receipts, published=published),
        "receipts": {
            "checked": one.receipts.checked,
            "keys": list(one.receipts.key_ids),
            "keys_published": published,
        },
        **differences_to_plain(one.differences),
    }


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


def _dice_to_plain(dice: DiceCheck) -> dict[str, int]:
    return {
        "checked": dice.checked,
        "unrevealed": dice.unrevealed,
        "supplied": dice.supplied,
    }


# ---- several films, of which only counts are kept, and for machines what differs


def _tell_all(found: Iterable[tuple[Path, Verified | str]], *, published: bool) -> bool:
    """Name those that do not agree, and count; whether all do."""
    out = console()
    verdicts: Counter[str] = Counter()
    sums: Counter[str] = Counter()
    for file, one in found:
        if isinstance(one, str):
            verdicts["not checked"] += 1
            out.print(f"{file}: not checked: {one}", soft_wrap=True)
            continue
        sums.update(_counts(one, published=published))
        verdicts["different" if one.differences else "all right"] += 1
        if one.differences:
            out.print(f"{file}: DIFFERENT: {told(one.differences[0])}", soft_wrap=True)
    ordered = ("all right", "different", "not checked")
    line = ", ".join(f"{verdicts[what]} {what}" for what in ordered if verdicts[what])
    out.print(f"{count(verdicts.total(), 'film')}: {line}.")
    if verdicts.total() > verdicts["not checked"]:
        _show_sums(sums, published=published)
    return verdicts.total() == verdicts["all right"]


def _counts(one: Verified, *, published: bool) -> dict[str, int]:
    """What was gone through in a film, and what nobody can check."""
    is_signed = _are_signed(one.receipts, published=published)
    return {
        "ruling": len(one.film.actions),
        "drawn": one.dice.checked,
        "hidden": one.dice.unrevealed,
        "thrown": one.dice.supplied,
        "receipt": one.receipts.checked,
        "chosen": any(seed.supplied for seed in one.film.record.seeds),
        "late": 0 if is_signed else _said_late(one.film),
    }


def _show_sums(sums: Counter[str], *, published: bool) -> None:
    out = console()
    out.print(
        f"{count(sums['ruling'], 'ruling')} recomputed, {count(sums['drawn'], 'roll')} drawn "
        f"again, {count(sums['receipt'], 'receipt')} checked."
    )
    for what, noun, said in (
        ("hidden", "roll", "not checked: of games that are not over"),
        ("thrown", "roll", "thrown by the players: nobody can check them"),
        ("chosen", "film", "with a seed that the creator chose, and so could know every die"),
        ("late", "order", "said to be for seats that were late: nobody has signed for it"),
    ):
        if sums[what]:
            out.print(f"{count(sums[what], noun)} {said}.")
    if sums["receipt"] and not published:
        out.print("Their keys are the films' own: compare them with the published ones, --keys.")


def _print_all(found: Iterable[tuple[Path, Verified | str]], *, published: bool) -> bool:
    """Every film for machines; whether all agree."""
    films = [
        {"file": str(file), "fault": one}
        if isinstance(one, str)
        else {"file": str(file), "fault": None, **_to_plain(one, published=published)}
        for file, one in found
    ]
    agrees = all(film.get("agrees", False) for film in films)
    print_json({"agrees": agrees, "films": films})
    return agrees
