"""Every order a seat may give now, made lazily and in a fixed order.

Nothing here decides a rule: cards and tweaks are those that the rules of flight let pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from guncamera.rules.ruleset import LegalOrder, Verb
from guncamera.rulesets.redstars.aircraft import (
    Aircraft,
    AltitudeCard,
    DataBook,
    Flight,
    Maneuver,
    SpeedCard,
    TweakSide,
)
from guncamera.rulesets.redstars.board import Board, book_for
from guncamera.rulesets.redstars.book import RedstarsBook
from guncamera.rulesets.redstars.cards import play
from guncamera.rulesets.redstars.condition import condition_of, has_observer, pilot_flies
from guncamera.rulesets.redstars.encounters import open_rams
from guncamera.rulesets.redstars.facts import Choice, Moving, Tweak
from guncamera.rulesets.redstars.legality import choice_fault
from guncamera.rulesets.redstars.orders import (
    Choose,
    Collide,
    Craft,
    DamageOrder,
    DeclareRam,
    EndTurn,
    FireOrder,
    Fly,
    HandOver,
    HoldFire,
    MoveOrder,
    Phase,
    RollOrder,
    Side,
)
from guncamera.rulesets.redstars.shots import open_shots
from guncamera.rulesets.redstars.survey import choosing_of
from guncamera.rulesets.redstars.turn import active_seats
from guncamera.rulesets.redstars.tweaks import tweak_fault

MOST_CHOICES = 400
"""Orders of a phase of choosing: shared among the aircraft that choose together."""

_ALTITUDES: tuple[AltitudeCard | None, ...] = (None, *AltitudeCard)
_STEERED = (Flight.NORMAL, Flight.GLIDING)
_SPEEDS: tuple[SpeedCard | None, ...] = (None, *SpeedCard)


def legal_orders(board: Board, seat: str, book: RedstarsBook) -> Iterator[LegalOrder]:
    """The orders of the phase.

    All of them but for cards of several aircraft, where each is varied with the others at their
    default, and for tweaks, of which a selection is given.
    """
    if seat not in active_seats(board):
        return
    match board.phase:
        case Phase.CHOOSE:
            yield from _choose(board, seat, book)
        case Phase.RAM:
            yield from _rams(board, seat)
        case Phase.ORDER:
            yield LegalOrder(Verb.MOVE, MoveOrder(RollOrder()), "Roll off the ties.")
        case Phase.MOVE:
            yield from _fly(board, book)
            yield from _hand_over(board, (board.craft_of(board.order[0]),), book)
        case Phase.COLLIDE:
            text = f"Work out how {board.meetings[0].first} and {board.meetings[0].second} meet."
            yield LegalOrder(Verb.MOVE, MoveOrder(Collide()), text)
        case Phase.FIRE:
            yield from _fire(board, book)
        case Phase.END:
            yield from _end(board, seat, book)
        case Phase.FINISHED:
            return


# ---- Cards


def legal_choices(aircraft: Aircraft, data_book: DataBook, book: RedstarsBook) -> Iterator[Choice]:
    """Every legal choice of cards for one aircraft, straight and level first."""
    for maneuver in Maneuver:
        for altitude in _ALTITUDES:
            for speed in _SPEEDS:
                for take in _offers(altitude):
                    choice = Choice(aircraft.id, maneuver, altitude, speed, take)
                    if choice_fault(aircraft, choice, data_book, book, "choice") is None:
                        yield choice


def _offers(altitude: AltitudeCard | None) -> tuple[bool, ...]:
    offered = altitude in (AltitudeCard.DIVE_1, AltitudeCard.DIVE_2)
    return (False, True) if offered else (False,)


def _choose(board: Board, seat: str, book: RedstarsBook) -> Iterator[LegalOrder]:
    """All at their default first; then one aircraft's second choice, the next one's, and so on."""
    choices = hands(board, seat, book)
    default = [next(hand) for hand in choices]
    yield chosen(default)
    yield from islice(varied(default, choices), MOST_CHOICES - 1)


def hands(board: Board, seat: str, book: RedstarsBook) -> list[Iterator[Choice]]:
    """The legal choices of each aircraft of a seat that chooses now."""
    crafts = [board.craft_of(name).aircraft for name in choosing_of(board, seat)]
    return [legal_choices(one, book_for(one, board, book), book) for one in crafts]


def default_order(board: Board, seat: str, book: RedstarsBook) -> MoveOrder:
    """The first legal choice for each aircraft: straight and level wherever that is allowed."""
    return MoveOrder(Choose(tuple(next(hand) for hand in hands(board, seat, book))))


def varied(default: list[Choice], choices: Sequence[Iterator[Choice]]) -> Iterator[LegalOrder]:
    """The default with another choice for one aircraft, for each of them in turn."""
    left = dict(enumerate(choices))
    while left:
        for at, hand in tuple(left.items()):
            choice = next(hand, None)
            if choice is None:
                del left[at]
            else:
                yield chosen([*default[:at], choice, *default[at + 1 :]])


def chosen(choices: Sequence[Choice]) -> LegalOrder:
    """The order that gives some choices."""
    told = "; ".join(_in_words(choice) for choice in choices)
    return LegalOrder(Verb.MOVE, MoveOrder(Choose(tuple(choices))), f"Choose {told}.")


def _in_words(choice: Choice) -> str:
    cards = [choice.maneuver.value, choice.altitude_card, choice.speed_card]
    text = ", ".join(card.replace("_", " ") for card in cards if card)
    return f"{choice.aircraft} {text}{' taking speed' if choice.take_speed else ''}"


# ---- Rams, moves, fire


def _rams(board: Board, seat: str) -> Iterator[LegalOrder]:
    yield LegalOrder(Verb.MOVE, MoveOrder(DeclareRam()), "Ram nobody, or nobody more.")
    for ram in open_rams(board, Side(seat)):
        order = MoveOrder(DeclareRam(ram.rammer, ram.target))
        yield LegalOrder(Verb.MOVE, order, f"{ram.rammer} rams {ram.target}.")


def _fly(board: Board, book: RedstarsBook) -> Iterator[LegalOrder]:
    one = board.craft_of(board.order[0])
    for tweaks, trades in legal_tweaks(one, board, book):
        order = MoveOrder(Fly(one.aircraft.id, tweaks, trades))
        told = ", ".join(f"disc {tweak.disc} {tweak.side}" for tweak in tweaks)
        more = f", {trades:+d} altitude" if trades else ""
        yield LegalOrder(Verb.MOVE, order, f"Move {one.aircraft.id}, {told or 'no tweak'}{more}.")


def legal_tweaks(
    one: Craft, board: Board, book: RedstarsBook
) -> Iterator[tuple[tuple[Tweak, ...], int]]:
    """Tweaks and trades of one move: none, each disc, the last ones together, and trades."""
    yield (), 0
    card = board.card_of(one.aircraft.id)
    if card is None or card.choice is None or one.aircraft.flight not in _STEERED:
        return
    data_book = book_for(one.aircraft, board, book)
    played = play(one.aircraft, card.choice, data_book, book)
    for tweaks, trades in _tweaks_to_try(len(played.codes)):
        move = Moving(one.aircraft, card.choice, bool(one.tails), tweaks, trades)
        if tweak_fault(move, card.choice, played, data_book, book) is None:
            yield tweaks, trades


def _tweaks_to_try(discs: int) -> Iterator[tuple[tuple[Tweak, ...], int]]:
    for side in TweakSide:
        for disc in range(1, discs + 1):
            yield (Tweak(disc, side),), 0
        for count in range(2, discs + 1):
            last = range(discs - count + 1, discs + 1)
            yield tuple(Tweak(disc, side) for disc in last), 0
    for trades in (1, -1, 2, -2):
        yield (), trades
        for side in TweakSide:
            yield (Tweak(discs, side),), trades


def _fire(board: Board, book: RedstarsBook) -> Iterator[LegalOrder]:
    shooter = board.order[0]
    for shot in open_shots(board, shooter, book):
        weapons = " and ".join(str(at) for at in shot.weapons)
        text = f"{shooter} fires weapon {weapons} at {shot.target}."
        yield LegalOrder(Verb.FIRE, FireOrder(shot), text)
    yield LegalOrder(Verb.FIRE, FireOrder(HoldFire(shooter)), f"{shooter} holds its fire.")


def _end(board: Board, seat: str, book: RedstarsBook) -> Iterator[LegalOrder]:
    yield LegalOrder(Verb.DAMAGE, DamageOrder(EndTurn()), "End the turn.")
    yield from _hand_over(board, (one for one in board.flying() if one.side == seat), book)


def _hand_over(board: Board, craft: Iterable[Craft], book: RedstarsBook) -> Iterator[LegalOrder]:
    for one in craft:
        hurt = condition_of(one.aircraft).pilot_wounds > 0 and pilot_flies(one.aircraft)
        data_book = book_for(one.aircraft, board, book)
        if hurt and has_observer(one.aircraft, data_book):
            order = DamageOrder(HandOver(one.aircraft.id))
            yield LegalOrder(Verb.DAMAGE, order, f"The observer of {one.aircraft.id} takes over.")
