"""The tweaks of a move: how many a pilot has, and what he may do with them. RED-3.6, RED-3.7."""

from __future__ import annotations

from collections.abc import Sequence

from guncamera.rules.refusal import Illegal
from guncamera.rules.trace import Trace
from guncamera.rulesets.redstars.aircraft import Aircraft, DataBook
from guncamera.rulesets.redstars.book import RedstarsBook, figure
from guncamera.rulesets.redstars.cards import DEEPEST, Played, level_of
from guncamera.rulesets.redstars.condition import current_rating, is_gliding
from guncamera.rulesets.redstars.discs import EXTREME
from guncamera.rulesets.redstars.facts import Choice, Moving, Tweak
from guncamera.rulesets.redstars.legality import ceiling_fault


def tweaks_of(
    aircraft: Aircraft, choice: Choice, data_book: DataBook, book: RedstarsBook, *, tailing: bool
) -> int:
    """How many tweaks the pilot has in a move, surplus included (RED-3.6)."""
    if _barred(aircraft, choice, data_book, book) is not None:
        return 0
    extra = figure(book, "tailing_tweaks") if tailing else 0
    rating = current_rating(aircraft, book)
    if book.settings.tail_tweaks == "on-rating":
        return max(rating + extra, 0)
    return max(rating, 0) + extra


def _barred(
    aircraft: Aircraft, choice: Choice, data_book: DataBook, book: RedstarsBook
) -> tuple[str, str] | None:
    """The rule that leaves no tweaks at all, and what it says; a stall is the caller's matter."""
    if choice.maneuver in EXTREME:
        return "RED-3.10", "an extreme maneuver is flown as it stands"
    if is_gliding(aircraft, data_book) and book.settings.glide_tweaks == "none":
        return "RED-4.11", "a glider has none"
    return None


def tweak_fault(
    move: Moving, choice: Choice, played: Played, data_book: DataBook, book: RedstarsBook
) -> Illegal | None:
    """Why the tweaks and trades of a move are not legal; None if they are.

    Args:
        choice: The move's.
    """
    if not move.tweaks and not move.altitude_trades:
        return None
    aircraft = move.aircraft
    field = "moving.tweaks" if move.tweaks else "moving.altitude_trades"
    barred = _barred(aircraft, choice, data_book, book)
    if played.recovering:
        barred = "RED-4.8", "whoever comes out of a stall has none"
    if barred is not None:
        return Illegal(
            barred[0], f"{aircraft.id} has no tweaks: {barred[1]}. Leave them out.", field=field
        )
    return (
        _disc_fault(move.tweaks, len(played.codes))
        or _count_fault(move, choice, played, data_book, book, field)
        or _trade_fault(move, choice, data_book, book)
    )


def _disc_fault(tweaks: Sequence[Tweak], discs: int) -> Illegal | None:
    """One tweak for a disc at most, and for no disc that is not there (RED-3.6)."""
    for at, tweak in enumerate(tweaks):
        field = f"moving.tweaks[{at}].disc"
        if tweak.disc > discs:
            return Illegal(
                "RED-3.6",
                f"There is no disc {tweak.disc}; the move has {discs}. Tweak one of them.",
                field=field,
                disc=tweak.disc,
                discs=discs,
            )
        if any(other.disc == tweak.disc for other in tweaks[:at]):
            return Illegal(
                "RED-3.6",
                f"Disc {tweak.disc} is tweaked twice; a disc is tweaked once at most. Take "
                "another disc.",
                field=field,
                disc=tweak.disc,
            )
    return None


def used_by(move: Moving, book: RedstarsBook) -> int:
    """How many tweaks a move uses up, those for altitude included."""
    return len(move.tweaks) + figure(book, "trade_tweaks") * abs(move.altitude_trades)


def _count_fault(
    move: Moving,
    choice: Choice,
    played: Played,
    data_book: DataBook,
    book: RedstarsBook,
    field: str,
) -> Illegal | None:
    has = tweaks_of(move.aircraft, choice, data_book, book, tailing=move.tailing)
    used, discs = used_by(move, book), len(played.codes)
    if used > has:
        return Illegal(
            "RED-3.7" if move.altitude_trades else "RED-3.6",
            f"{move.aircraft.id} has {has} tweaks and would use {used}; an altitude takes two. "
            "Use fewer.",
            field=field,
            tweaks=has,
            used=used,
        )
    if book.settings.trade_needs_disc and used > discs:
        return Illegal(
            "RED-3.7",
            f"{used} tweaks need a disc each, those for altitude too, and the move has {discs}. "
            "Use fewer.",
            field=field,
            used=used,
            discs=discs,
        )
    return None


def _trade_fault(
    move: Moving, choice: Choice, data_book: DataBook, book: RedstarsBook
) -> Illegal | None:
    """The bands that card and tweaks come to lie within what the type can do (RED-3.7)."""
    trades, field = move.altitude_trades, "moving.altitude_trades"
    if trades and is_gliding(move.aircraft, data_book):
        return Illegal(
            "RED-4.11",
            f"{move.aircraft.id} glides, and its dive is prescribed; tweak discs alone.",
            field=field,
            altitude_trades=trades,
        )
    if abs(trades) > 1 and book.settings.trades_a_move == "one":
        return Illegal(
            "RED-3.7",
            f"{move.aircraft.id} would have {abs(trades)} bands for tweaks; in this game a move "
            "has one at most. Trade for one.",
            field=field,
            altitude_trades=trades,
        )
    level = level_of(choice.altitude_card) + trades
    too_deep = level < DEEPEST and book.settings.trade_depth == "refused"
    if trades and (too_deep or level > data_book.climb):
        return Illegal(
            "RED-3.7",
            f"{move.aircraft.id} would change {level:+d} bands, tweaks included; the "
            f"{data_book.title} goes from {DEEPEST} to +{data_book.climb}. Trade fewer.",
            field=field,
            level=level,
            climb_limit=data_book.climb,
        )
    return ceiling_fault(move.aircraft, level, book, field) if trades > 0 else None


def record_tweaks(
    move: Moving, played: Played, data_book: DataBook, book: RedstarsBook, trace: Trace
) -> None:
    """The tweaks that are used, line by line."""
    if move.tweaks and is_gliding(move.aircraft, data_book):
        trace.setting("RED-4.11", "glide_tweaks", book.settings.glide_tweaks)
    for tweak in move.tweaks:
        trace.finding("RED-3.6", f"disc_{tweak.disc}", tweak.side.value)
    if move.tweaks:
        trace.setting("RED-3.6", "tweak_degrees", book.settings.tweak_degrees)
    if used_by(move, book) and move.tailing and current_rating(move.aircraft, book) < 0:
        trace.setting("RED-3.6", "tail_tweaks", book.settings.tail_tweaks)
    if move.choice and level_of(move.choice.altitude_card) + move.altitude_trades < DEEPEST:
        trace.setting("RED-3.7", "trade_depth", book.settings.trade_depth)
    if abs(move.altitude_trades) > 1:
        trace.setting("RED-3.7", "trades_a_move", book.settings.trades_a_move)
    if move.altitude_trades and used_by(move, book) > len(played.codes):
        trace.setting("RED-3.7", "trade_needs_disc", book.settings.trade_needs_disc)
