"""Aviation cards for naval games: carriers, face-down aircraft cards, and range lines."""

from __future__ import annotations

from guncamera.rules.ruleset import Procedure, Ruleset, Verb
from guncamera.rulesets.carriers.board import Board
from guncamera.rulesets.carriers.book import load_book
from guncamera.rulesets.carriers.damage import rule_on_damage
from guncamera.rulesets.carriers.events import Change
from guncamera.rulesets.carriers.facts import DamageFacts, FireFacts, MoveFacts, SpotFacts
from guncamera.rulesets.carriers.fire import rule_on_fire
from guncamera.rulesets.carriers.legal import legal_orders
from guncamera.rulesets.carriers.move import rule_on_move
from guncamera.rulesets.carriers.orders import (
    DamageOrder,
    FireOrder,
    MoveOrder,
    Setup,
    SpotOrder,
    View,
)
from guncamera.rulesets.carriers.outcomes import (
    DamageOutcome,
    FireOutcome,
    MoveOutcome,
    SpotOutcome,
)
from guncamera.rulesets.carriers.own import faults_of
from guncamera.rulesets.carriers.picture import picture
from guncamera.rulesets.carriers.pilot import PILOTS
from guncamera.rulesets.carriers.published import published
from guncamera.rulesets.carriers.secrecy import deed_for, keeps_secrets, setup_for, view_for
from guncamera.rulesets.carriers.setup import seats
from guncamera.rulesets.carriers.spot import rule_on_spot
from guncamera.rulesets.carriers.survey import survey
from guncamera.rulesets.carriers.turn import active_seats, apply, open_board, result

__all__ = ["RULESET"]

RULESET = Ruleset(
    slug="carriers",
    title="Aviation Cards for Naval Games",
    prefix="CAR",
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
    type_faults=lambda card, _book, path: faults_of(card, path),
    deed_for=deed_for,
    keeps_secrets=keeps_secrets,
    setup_for=setup_for,
)
