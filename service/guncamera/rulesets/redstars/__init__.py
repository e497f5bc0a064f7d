"""Rising Suns and Red Stars: the air over Khalkhin Gol, 1939, with discs and hidden cards."""

from __future__ import annotations

from guncamera.rules.ruleset import Procedure, Ruleset, Verb
from guncamera.rulesets.redstars.board import Board
from guncamera.rulesets.redstars.book import load_book
from guncamera.rulesets.redstars.books import faults_of
from guncamera.rulesets.redstars.damage import rule_on_damage
from guncamera.rulesets.redstars.events import Change
from guncamera.rulesets.redstars.facts import DamageFacts, FireFacts, MoveFacts, SpotFacts
from guncamera.rulesets.redstars.fire import rule_on_fire
from guncamera.rulesets.redstars.legal import default_order, legal_orders
from guncamera.rulesets.redstars.move import rule_on_move
from guncamera.rulesets.redstars.near import orders_near
from guncamera.rulesets.redstars.orders import (
    DamageOrder,
    FireOrder,
    MoveOrder,
    Phase,
    Setup,
    Side,
    SpotOrder,
    View,
)
from guncamera.rulesets.redstars.outcomes import (
    DamageOutcome,
    FireOutcome,
    MoveOutcome,
    SpotOutcome,
)
from guncamera.rulesets.redstars.picture import picture
from guncamera.rulesets.redstars.pilot import PILOTS
from guncamera.rulesets.redstars.published import published
from guncamera.rulesets.redstars.secrecy import deed_for, keeps_secrets, view_for
from guncamera.rulesets.redstars.setup import seats
from guncamera.rulesets.redstars.spot import rule_on_spot
from guncamera.rulesets.redstars.survey import survey
from guncamera.rulesets.redstars.turn import active_seats, apply, open_board, result

__all__ = ["RULESET"]


def _sealed_verb(board: Board) -> Verb | None:
    """Cards are sealed while they are chosen (RED-2.1)."""
    return Verb.MOVE if board.phase == Phase.CHOOSE else None


def _reveal_order(_board: Board, seats: tuple[str, ...], _book: object) -> tuple[str, ...]:
    """One side's cards are put down before the other's; it makes no difference to either."""
    return tuple(side.value for side in Side if side.value in seats)


RULESET = Ruleset(
    slug="redstars",
    title="Rising Suns and Red Stars",
    prefix="RED",
    book=load_book(),
    setup=Setup,
    board=Board,
    view=View,
    event=Change,
    procedures={
        Verb.MOVE: Procedure(Verb.MOVE, MoveFacts, MoveOutcome, MoveOrder, rule_on_move),
        Verb.SPOT: Procedure(Verb.SPOT, SpotFacts, SpotOutcome, SpotOrder, rule_on_spot),
        Verb.FIRE: Procedure(Verb.FIRE, FireFacts, FireOutcome, FireOrder, rule_on_fire),
        Verb.DAMAGE: Procedure(
            Verb.DAMAGE, DamageFacts, DamageOutcome, DamageOrder, rule_on_damage
        ),
    },
    open_board=open_board,
    seats=seats,
    active_seats=active_seats,
    survey=survey,
    apply=apply,
    view_for=view_for,
    legal_orders=legal_orders,
    picture=picture,
    result=result,
    pilots=PILOTS,
    published=published,
    type_faults=faults_of,
    sealed_verb=_sealed_verb,
    reveal_order=_reveal_order,
    default_order=default_order,
    deed_for=deed_for,
    keeps_secrets=keeps_secrets,
    orders_near=orders_near,
)
