"""Flying Circus Plus: combat in the air of 1914 to 1918, in three dimensions, by plotted codes."""

from __future__ import annotations

from guncamera.rules.ruleset import Procedure, Ruleset, Verb
from guncamera.rulesets.circus.aeroplanes import faults_of
from guncamera.rulesets.circus.board import (
    Board,
    active_seats,
    open_board,
    result,
    seats,
)
from guncamera.rulesets.circus.book import load_book
from guncamera.rulesets.circus.damage import rule_on_damage
from guncamera.rulesets.circus.events import Change
from guncamera.rulesets.circus.facts import DamageFacts, FireFacts, MoveFacts, SpotFacts
from guncamera.rulesets.circus.fire import rule_on_fire
from guncamera.rulesets.circus.legal import legal_orders
from guncamera.rulesets.circus.move import rule_on_move
from guncamera.rulesets.circus.near import orders_near
from guncamera.rulesets.circus.order_space import order_space
from guncamera.rulesets.circus.orders import (
    DamageOrder,
    FireOrder,
    MoveOrder,
    Setup,
    SpotOrder,
    View,
)
from guncamera.rulesets.circus.outcomes import DamageOutcome, FireOutcome, MoveOutcome, SpotOutcome
from guncamera.rulesets.circus.picture import picture
from guncamera.rulesets.circus.pilot import PILOTS
from guncamera.rulesets.circus.plot_notation import CODES
from guncamera.rulesets.circus.published import published
from guncamera.rulesets.circus.sealing import default_order, reveal_order, sealed_verb
from guncamera.rulesets.circus.spot import rule_on_spot
from guncamera.rulesets.circus.survey import survey
from guncamera.rulesets.circus.tale import tell
from guncamera.rulesets.circus.turn import apply
from guncamera.rulesets.circus.view import view_for

__all__ = ["RULESET"]

RULESET = Ruleset(
    slug="circus",
    title="Flying Circus Plus",
    prefix="CIR",
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
    codes={"Plot.codes": CODES},
    sealed_verb=sealed_verb,
    reveal_order=reveal_order,
    default_order=default_order,
    tell=tell,
    order_space=order_space,
    orders_near=orders_near,
)
