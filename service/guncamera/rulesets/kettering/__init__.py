"""Kettering Aerial Torpedo (1975): one aircraft against twelve flying bombs in a day's wind."""

from __future__ import annotations

from guncamera.rules.ruleset import Procedure, Ruleset, Seat, Verb
from guncamera.rulesets.kettering.board import Board, open_board, result, view_for
from guncamera.rulesets.kettering.book import KetteringBook, load_book
from guncamera.rulesets.kettering.campaign import apply
from guncamera.rulesets.kettering.damage import rule_on_damage
from guncamera.rulesets.kettering.events import Change
from guncamera.rulesets.kettering.facts import (
    DamageFacts,
    DamageOutcome,
    FireFacts,
    FireOutcome,
    MoveFacts,
    MoveOutcome,
    SpotFacts,
    SpotOutcome,
    WindFacts,
    WindOutcome,
)
from guncamera.rulesets.kettering.fire import rule_on_fire
from guncamera.rulesets.kettering.legal import legal_orders
from guncamera.rulesets.kettering.move import rule_on_move
from guncamera.rulesets.kettering.near import orders_near
from guncamera.rulesets.kettering.orders import (
    DamageOrder,
    FireOrder,
    MoveOrder,
    Phase,
    Setup,
    SpotOrder,
    View,
    WindOrder,
)
from guncamera.rulesets.kettering.path import CODES
from guncamera.rulesets.kettering.picture import picture
from guncamera.rulesets.kettering.pilot import PILOTS
from guncamera.rulesets.kettering.profiles import faults_of
from guncamera.rulesets.kettering.published import published
from guncamera.rulesets.kettering.spot import rule_on_spot
from guncamera.rulesets.kettering.survey import survey
from guncamera.rulesets.kettering.wind import rule_on_wind

__all__ = ["RULESET"]

PILOT = Seat(id="pilot", side="german", title="The pilot")


def _seats(_setup: Setup, _book: KetteringBook) -> tuple[Seat, ...]:
    return (PILOT,)


def _active_seats(board: Board) -> tuple[str, ...]:
    return () if board.phase == Phase.FINISHED else (PILOT.id,)


RULESET = Ruleset(
    slug="kettering",
    title="Kettering Aerial Torpedo",
    prefix="KET",
    book=load_book(),
    setup=Setup,
    board=Board,
    view=View,
    event=Change,
    procedures={
        Verb.MOVE: Procedure(Verb.MOVE, MoveFacts, MoveOutcome, MoveOrder, rule_on_move),
        Verb.WIND: Procedure(Verb.WIND, WindFacts, WindOutcome, WindOrder, rule_on_wind),
        Verb.SPOT: Procedure(Verb.SPOT, SpotFacts, SpotOutcome, SpotOrder, rule_on_spot),
        Verb.FIRE: Procedure(Verb.FIRE, FireFacts, FireOutcome, FireOrder, rule_on_fire),
        Verb.DAMAGE: Procedure(
            Verb.DAMAGE, DamageFacts, DamageOutcome, DamageOrder, rule_on_damage
        ),
    },
    open_board=open_board,
    seats=_seats,
    active_seats=_active_seats,
    survey=survey,
    apply=apply,
    view_for=view_for,
    legal_orders=legal_orders,
    picture=picture,
    result=result,
    pilots=PILOTS,
    published=published,
    type_faults=faults_of,
    codes={"Plot.path": CODES},
    orders_near=orders_near,
)
