"""From a board and an order to the facts of a ruling: geometry and look-ups, no dice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from guncamera.rules.refusal import Illegal, Malformed, PhaseClosed
from guncamera.rules.ruleset import Verb
from guncamera.rulesets.redstars.aim import aim_of
from guncamera.rulesets.redstars.aircraft import Flight
from guncamera.rulesets.redstars.board import Board, book_for
from guncamera.rulesets.redstars.book import RedstarsBook
from guncamera.rulesets.redstars.condition import (
    condition_of,
    current_rating,
    is_damaged,
    is_gliding,
)
from guncamera.rulesets.redstars.facts import (
    Choosing,
    ChoosingAll,
    Colliding,
    Contender,
    DamageFacts,
    Declaring,
    FireFacts,
    Firing,
    Handover,
    Holding,
    Looking,
    Measuring,
    MoveFacts,
    Moving,
    Ordering,
    Pair,
    Ramming,
    SpotFacts,
    TurnEnd,
)
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
    Look,
    Measure,
    Meeting,
    MoveOrder,
    Phase,
    RollOrder,
    Shoot,
    SpotOrder,
)
from guncamera.rulesets.redstars.shots import has_shot, spent

Facts = MoveFacts | SpotFacts | FireFacts | DamageFacts
Order = MoveOrder | SpotOrder | FireOrder | DamageOrder

_OPEN = (Phase.RAM, Phase.ORDER, Phase.MOVE, Phase.COLLIDE, Phase.FIRE, Phase.END)
_PHASES: Mapping[type, tuple[Phase, ...]] = {
    Choose: (Phase.CHOOSE,),
    DeclareRam: (Phase.RAM,),
    RollOrder: (Phase.ORDER,),
    Fly: (Phase.MOVE,),
    Collide: (Phase.COLLIDE,),
    Measure: _OPEN,
    Look: _OPEN,
    Shoot: (Phase.FIRE,),
    HoldFire: (Phase.FIRE,),
    EndTurn: (Phase.END,),
    HandOver: (Phase.MOVE, Phase.END),
}
_MAY_BE_DONE: Mapping[Phase, str] = {
    Phase.CHOOSE: "choose cards (SealOrder with Move choose)",
    Phase.RAM: "declare a ram, or none more (Move declare_ram)",
    Phase.ORDER: "roll off the ties (Move roll_order)",
    Phase.MOVE: "move the next aircraft (Move fly), or first hand it over (Damage hand_over)",
    Phase.COLLIDE: "work out the next meeting (Move collide)",
    Phase.FIRE: "fire or hold the fire of the next aircraft (Fire)",
    Phase.END: "end the turn (Damage end_turn), or hand the controls over (Damage hand_over)",
    Phase.FINISHED: "nothing: the game is over",
}


def survey(board: Board, seat: str, _verb: Verb, order: Order, book: RedstarsBook) -> Facts:
    """The facts that an order's ruling needs.

    Raises:
        PhaseClosed: RED-10.4, the order belongs to another phase.
        Malformed, Illegal: RED-10.4, RED-6.13: an aircraft is unknown, gone, another side's, or
            not the next one; a weapon has fired.
    """
    wanted: Any = order.procedure
    _check_phase(board, wanted)
    match wanted:
        case Choose() | DeclareRam() | RollOrder() | Fly() | Collide():
            return MoveFacts(_move(board, seat, wanted, book), board.own_books)
        case Measure() | Look():
            return _spot(board, seat, wanted, book)
        case Shoot():
            return FireFacts(_shoot(board, seat, wanted, book), board.own_books)
        case HoldFire():
            check_turn(board, seat, wanted.aircraft, "hold_fire.aircraft")
            return FireFacts(Holding(wanted.aircraft), board.own_books)
        case EndTurn():
            flying = tuple(one.aircraft for one in board.flying())
            return DamageFacts(TurnEnd(flying), board.own_books)
        case HandOver():
            may = check_turn if board.phase == Phase.MOVE else own_craft
            one = may(board, seat, wanted.aircraft, "hand_over.aircraft")
            return DamageFacts(Handover(one.aircraft), board.own_books)
    raise AssertionError(f"no facts for {wanted!r}")


def _check_phase(board: Board, wanted: Any) -> None:
    if board.phase not in _PHASES[type(wanted)]:
        raise PhaseClosed(
            "RED-10.4",
            f"This is the phase {board.phase}; now one may {_MAY_BE_DONE[board.phase]}.",
            phase=board.phase.value,
            may=_MAY_BE_DONE[board.phase],
        )


# ---- Who may act with what


def craft_named(board: Board, aircraft: str, field: str) -> Craft:
    """An aircraft that flies.

    Raises:
        Malformed: There is none of this id.
        Illegal: RED-10.4, it has left the game.
    """
    for one in board.craft:
        if one.aircraft.id == aircraft:
            if one.end is not None:
                _refuse(f"{aircraft} has left the game ({one.end}).", field, aircraft)
            return one
    flying = ", ".join(one.aircraft.id for one in board.flying())
    raise Malformed(
        f"There is no aircraft {aircraft!r}; these fly: {flying}.",
        rule_id="RED-10.4",
        field=field,
        aircraft=aircraft,
    )


def own_craft(board: Board, seat: str, aircraft: str, field: str) -> Craft:
    """An aircraft of the seat's side that flies."""
    one = craft_named(board, aircraft, field)
    if one.side != seat:
        _refuse(f"{aircraft} is not yours; the {one.side} side steers it.", field, aircraft)
    return one


def check_turn(board: Board, seat: str, aircraft: str, field: str) -> Craft:
    """The seat's aircraft whose turn it is."""
    one = own_craft(board, seat, aircraft, field)
    if board.order[:1] != (aircraft,):
        _refuse(f"It is the turn of {board.order[0]}, not of {aircraft}.", field, aircraft)
    return one


def _refuse(why: str, field: str, aircraft: str) -> NoReturn:
    raise Illegal("RED-10.4", why, field=field, aircraft=aircraft)


# ---- Movement


def _move(
    board: Board, seat: str, wanted: Any, book: RedstarsBook
) -> ChoosingAll | Declaring | Ordering | Moving | Colliding | Ramming:
    match wanted:
        case Choose():
            return _choosing(board, seat, wanted)
        case DeclareRam():
            return _declaring(board, seat, wanted)
        case RollOrder():
            return ordering(board, book, firing=board.firing)
        case Fly():
            return _moving(board, seat, wanted)
        case Collide():
            return _meeting(board)
    raise AssertionError(f"no facts for {wanted!r}")


def choosing_of(board: Board, seat: str) -> tuple[str, ...]:
    """The seat's aircraft that choose now."""
    return tuple(one for one in board.choosing if board.craft_of(one).side == seat)


def _choosing(board: Board, seat: str, order: Choose) -> ChoosingAll:
    wanted = choosing_of(board, seat)
    named = [choice.aircraft for choice in order.choices]
    for at, name in enumerate(named):
        own_craft(board, seat, name, f"choose.choices[{at}].aircraft")
    if sorted(named) != sorted(wanted):
        raise Illegal(
            "RED-2.2",
            f"Choose for each of {', '.join(wanted)} once, and for no other: a tailer waits for "
            "his target.",
            field="choose.choices",
            choosing=", ".join(wanted),
        )
    return ChoosingAll(
        tuple(
            Choosing(board.craft_of(choice.aircraft).aircraft, choice)
            for choice in sorted(order.choices, key=lambda choice: choice.aircraft)
        )
    )


def _declaring(board: Board, seat: str, order: DeclareRam) -> Declaring:
    if not order.rammer and not order.target:
        return Declaring()
    rammer = own_craft(board, seat, order.rammer, "declare_ram.rammer")
    if any(ram.rammer == order.rammer for ram in board.rams):
        raise Illegal(
            "RED-9.3",
            f"{order.rammer} has declared its ram. Name another aircraft, or declare none more.",
            field="declare_ram.rammer",
            rammer=order.rammer,
        )
    target = craft_named(board, order.target, "declare_ram.target")
    if target.side == rammer.side:
        _refuse(f"{order.target} is on your side.", "declare_ram.target", order.target)
    return Declaring(rammer.aircraft, target.aircraft, order.target in rammer.tailed)


def ordering(
    board: Board, book: RedstarsBook, *, firing: bool, standing: tuple[str, ...] = ()
) -> Ordering:
    """Who takes part in an order of moving or firing, and with what rating.

    All that fly move; of firing, only those that have a shot as the step opens: nobody moves in
    it, so nobody else ever has one.

    Args:
        standing: Those still to fire, once the step is open.
    """
    contenders = []
    for one in board.flying():
        name = one.aircraft.id
        if firing and (name not in standing if standing else not has_shot(board, name, book)):
            continue
        rating = max(-10, current_rating(one.aircraft, book))
        group = 1 if firing else _group(one, board, book)
        contenders.append(Contender(name, rating, group, one.tails, one.also_tails))
    return Ordering(tuple(contenders), firing, standing)


def _group(one: Craft, board: Board, book: RedstarsBook) -> int:
    """Gliders move first, rammers last (RED-3.8)."""
    aircraft = one.aircraft
    if aircraft.flight != Flight.SPINNING and is_gliding(aircraft, book_for(aircraft, board, book)):
        return 0
    return 2 if any(ram.rammer == aircraft.id for ram in board.rams) else 1


def _moving(board: Board, seat: str, order: Fly) -> Moving:
    one = check_turn(board, seat, order.aircraft, "fly.aircraft")
    card = board.card_of(order.aircraft)
    return Moving(
        one.aircraft,
        card.choice if card else None,
        bool(one.tails),
        order.tweaks,
        order.altitude_trades,
    )


def _pair(one: Craft, other: Craft) -> Pair:
    return Pair(one.aircraft, one.extreme, other.aircraft.id in one.tailed, one.discs)


def _meeting(board: Board) -> Colliding | Ramming:
    meeting: Meeting = board.meetings[0]
    first, second = board.craft_of(meeting.first), board.craft_of(meeting.second)
    pairs = (_pair(first, second), _pair(second, first))
    return Ramming(*pairs) if meeting.ram else Colliding(*pairs)


# ---- Sight and fire


def _spot(board: Board, seat: str, wanted: Measure | Look, book: RedstarsBook) -> SpotFacts:
    if isinstance(wanted, Measure):
        one = craft_named(board, wanted.aircraft, "measure.aircraft")
        other = craft_named(board, wanted.other, "measure.other")
        return SpotFacts(Measuring(one.aircraft.position, other.aircraft.position))
    aircraft = own_craft(board, seat, wanted.aircraft, "look.aircraft").aircraft
    damaged = is_damaged(condition_of(aircraft), book_for(aircraft, board, book), book)
    return SpotFacts(Looking(aircraft.pilot, aircraft.condition, damaged, wanted.up_sun))


def _shoot(board: Board, seat: str, order: Shoot, book: RedstarsBook) -> Firing:
    one = check_turn(board, seat, order.shooter, "shoot.shooter")
    target = craft_named(board, order.target, "shoot.target")
    data_book = book_for(one.aircraft, board, book)
    for weapon in order.weapons:
        if weapon in spent(board, order.shooter, data_book, book):
            raise Illegal(
                "RED-6.16",
                f"Weapon {weapon} of {order.shooter} fires no more this turn: each fires once, and "
                "forward weapons together, but by setting. Fire another, or hold.",
                field="shoot.weapons",
                weapon=weapon,
            )
    first = min(order.weapons, default=0)
    if not order.weapons or max(order.weapons) >= len(data_book.weapons):
        first = 0  # the rule on fire refuses what is no weapon
    mounting = data_book.weapons[first].mounting
    return Firing(
        shooter=one.aircraft,
        target=board.struck(order.target),
        weapons=order.weapons,
        aim=aim_of(one.aircraft.position, target.aircraft.position, mounting, book),
        tailing=order.target in one.tailed,
        extreme=one.extreme,
        target_extreme=target.extreme,
        own_side=target.side == one.side,
    )
