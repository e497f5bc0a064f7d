"""Peregrine: a falcon after a messenger pigeon, over three bands of air."""

from __future__ import annotations

from guncamera.rules.ruleset import Procedure, Ruleset, Verb
from guncamera.rulesets.peregrine.board import (
    Board,
    active_seats,
    apply,
    default_order,
    open_board,
    result,
    sealed_verb,
    seats,
    view_for,
)
from guncamera.rulesets.peregrine.book import load_book
from guncamera.rulesets.peregrine.events import Change
from guncamera.rulesets.peregrine.facts import FireFacts, FireOutcome, MoveFacts, MoveOutcome
from guncamera.rulesets.peregrine.fire import rule_on_fire
from guncamera.rulesets.peregrine.move import rule_on_move
from guncamera.rulesets.peregrine.orders import FireOrder, MoveOrder, Setup, View
from guncamera.rulesets.peregrine.picture import picture
from guncamera.rulesets.peregrine.pilot import PILOTS
from guncamera.rulesets.peregrine.survey import legal_orders, survey

__all__ = ["RULESET"]

RULESET = Ruleset(
    slug="peregrine",
    title="Peregrine",
    prefix="PER",
    book=load_book(),
    setup=Setup,
    board=Board,
    view=View,
    event=Change,
    procedures={
        Verb.MOVE: Procedure(Verb.MOVE, MoveFacts, MoveOutcome, MoveOrder, rule_on_move),
        Verb.FIRE: Procedure(Verb.FIRE, FireFacts, FireOutcome, FireOrder, rule_on_fire),
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
    published=lambda _book: (),
    sealed_verb=sealed_verb,
    default_order=default_order,
)
