"""Damage of every kind, one procedure each: a bomb that hit, a torpedo that hit, assessment."""

from __future__ import annotations

from guncamera.rules.dice import Dice
from guncamera.rules.ruling import Ruling
from guncamera.rules.trace import Trace
from guncamera.rulesets.carriers.assessing import rule_on_assessing
from guncamera.rulesets.carriers.book import CarriersBook
from guncamera.rulesets.carriers.cards import Ship, Weapon
from guncamera.rulesets.carriers.facts import Assessing, BombHit, DamageFacts, TorpedoHit
from guncamera.rulesets.carriers.hits import hit_by
from guncamera.rulesets.carriers.outcomes import DamageOutcome
from guncamera.rulesets.carriers.standing import check_target
from guncamera.rulesets.carriers.told import harm_told, ship_told


def rule_on_damage(facts: DamageFacts, book: CarriersBook, dice: Dice) -> Ruling[DamageOutcome]:
    """Rules on damage of any kind; see the rule of each for what it refuses."""
    match facts.procedure:
        case BombHit() as hit:
            return rule_on_hit(hit.target, Weapon.BOMB, "bomb_hit.target", book, dice)
        case TorpedoHit() as hit:
            return rule_on_hit(hit.target, Weapon.TORPEDO, "torpedo_hit.target", book, dice)
        case Assessing() as assessing:
            return rule_on_assessing(assessing, book)


def rule_on_hit(
    target: Ship, weapon: Weapon, field: str, book: CarriersBook, dice: Dice
) -> Ruling[DamageOutcome]:
    """Rules on a strike that has gone through already: the tables of damage.

    Raises:
        Malformed: CAR-8.13, the target has effects that it cannot have; CAR-8.10, or too often.
        Illegal: CAR-8.13, the target is gone.

    Source: seed 003, dive bombing attacks and torpedo strikes; register 4.6 to 4.8.
    """
    check_target(target, book, field)
    trace = Trace.of(dice)
    harm = hit_by(weapon, target, book, dice, trace)
    kind = "Bombs" if weapon == Weapon.BOMB else "A torpedo"
    verb = "hit" if weapon == Weapon.BOMB else "hits"
    summary = f"{kind} {verb} {ship_told(target)}: {harm_told(harm, target, weapon, book)}."
    return Ruling(DamageOutcome(harm), tuple(trace.lines), (), summary)
