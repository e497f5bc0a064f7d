"""What pilots fly, and how they answer what flies at them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from guncamera.rules.ruleset import LegalOrder, Verb
from guncamera.rulesets.carriers.board import lies_open
from guncamera.rulesets.carriers.cards import Card, Ship, Station, Weapon
from guncamera.rulesets.carriers.cover import able, may_refuse
from guncamera.rulesets.carriers.facts import Flyer, Reconnaissance
from guncamera.rulesets.carriers.fleets import in_commission
from guncamera.rulesets.carriers.flights import combat_number, strike_number
from guncamera.rulesets.carriers.orders import (
    FireOrder,
    Intercept,
    PassFlight,
    Phase,
    Reconnoiter,
    SendStrike,
    SpotOrder,
)
from guncamera.rulesets.carriers.pilot_manner import Scene
from guncamera.rulesets.carriers.pilot_worth import (
    Judge,
    Target,
    chance_to_see,
    fleet_of,
    targets_of,
)

FEEBLE = 1
"""A strike with such a number, or less, is met with the poorest card."""
MOST_LOOKS = 2
"""In a turn: what is seen is forgotten when ships move, and every look costs a strike."""


def _order(wanted: Intercept | PassFlight, told: str, scene: Scene) -> LegalOrder:
    """An order that reconnaissance and strikes both have."""
    if scene.view.phase == Phase.RECON:
        return LegalOrder(Verb.SPOT, SpotOrder(wanted), told)
    return LegalOrder(Verb.FIRE, FireOrder(wanted), told)


def _passed(scene: Scene) -> LegalOrder:
    return _order(PassFlight(), "Fly no card now.", scene)


def _judge(scene: Scene) -> Judge:
    return Judge.of(scene.view, scene.side, scene.navy.flown, scene.book)


def _targets(scene: Scene) -> list[Target]:
    return targets_of(fleet_of(scene.view, scene.side.other), scene.book)


def _where(target: Target) -> str:
    return f"slot {target.place.slot} of the {target.place.line} line"


# ---- Who flies


def _fliers(scene: Scene) -> list[Card]:
    """Cards that may leave: not those on guard."""
    return [card for card in scene.unspent() if not _guards(card, scene)]


def _guards(card: Card, scene: Scene) -> bool:
    return card.station == Station.FRONT and scene.is_fighter(card)


def _kinds(cards: Iterable[Card], scene: Scene) -> dict[Flyer, Card]:
    """A card of each kind that lies alike."""
    found: dict[Flyer, Card] = {}
    for card in cards:
        found.setdefault(scene.flyer(card), card)
    return found


# ---- Strikes


def struck(scene: Scene) -> LegalOrder:
    """The strike that promises most; at no promise, none."""
    judge, targets = _judge(scene), _targets(scene)
    best = 0.0
    found: list[tuple[Card, Weapon, Target]] = []
    for flyer, card in _kinds(_fliers(scene), scene).items():
        for target in targets:
            load = judge.best_load(flyer, target)
            if load is None or load[0] < best or load[0] <= 0:
                continue
            if load[0] > best:
                best, found = load[0], []
            found.append((card, load[1], target))
    if not found:
        return _passed(scene)
    card, weapon, target = scene.chance.pick(found)
    what = "bombs" if weapon == Weapon.BOMB else "a torpedo"
    told = f"{card.type} with {what} to {_where(target)}."
    return LegalOrder(Verb.FIRE, FireOrder(SendStrike(card.id, weapon, target.place)), told)


# ---- Looks


def scouted(scene: Scene) -> LegalOrder:
    """The look that gains the others most, if it is more than the card's own strike."""
    looks = [one for one in scene.view.flights if one.side == scene.side and one.weapon is None]
    if len(looks) >= MOST_LOOKS:
        return _passed(scene)
    judge, targets = _judge(scene), _targets(scene)
    kinds = _kinds(_fliers(scene), scene)
    counts = Counter(scene.flyer(card) for card in _fliers(scene))
    else_ = {flyer: _best(flyer, targets, judge) for flyer in counts}
    best = 0.0
    found: list[tuple[Card, Target]] = []
    for flyer, card in kinds.items():
        others = counts - Counter({flyer: 1})
        for target in targets:
            gain = _gain(flyer, target, others, else_, judge, scene)
            if gain > best:
                best, found = gain, []
            if gain == best and gain > 0:
                found.append((card, target))
    if not found:
        return _passed(scene)
    card, target = scene.chance.pick(found)
    told = f"{card.type} reconnoiters {_where(target)}."
    return LegalOrder(Verb.SPOT, SpotOrder(Reconnoiter(card.id, target.place)), told)


def _best(flyer: Flyer, targets: Sequence[Target], judge: Judge) -> float:
    loads = (judge.best_load(flyer, target) for target in targets)
    return max((load[0] for load in loads if load), default=0.0)


def _gain(
    flyer: Flyer,
    target: Target,
    others: Counter[Flyer],
    else_: dict[Flyer, float],
    judge: Judge,
    scene: Scene,
) -> float:
    """What a look adds to the strikes of the others, less the strike that it costs."""
    if target.ship is not None:
        return 0.0
    looking = Reconnaissance(flyer, target.place.line)
    chance = chance_to_see(looking, scene.view.own_cards, scene.book)
    if not chance:
        return 0.0
    gain, ships = 0.0, sum(times for _, times in judge.roster)
    for ship, times in judge.roster:
        seen = replace(target, ship=replace(ship, line=target.place.line), revealed=True)
        for other, count in others.items():
            load = judge.best_load(other, seen)
            more = max((load[0] if load else 0.0) - else_[other], 0.0)
            gain += times / ships * count * more
    return scene.manner.curiosity * chance * gain - else_[flyer]


# ---- Answers


def answered(scene: Scene) -> LegalOrder:
    """Meet a strike with what suits it; a look only where it may find a carrier."""
    inbound, flight = scene.board.inbound, scene.view.flights[-1]
    if inbound is None:
        raise AssertionError("no flight waits")
    cards = able(scene.board, scene.side, inbound.ship, scene.book)
    ship = scene.navy.ship(inbound.ship)
    strike = flight.weapon is not None
    if not cards or (may_refuse(scene.book, strike=strike) and not _meets(ship, cards, scene)):
        return _order(Intercept(), "Let the flight through.", scene)
    ranked = sorted(cards, key=lambda card: combat_number(scene.profile(card), scene.book))
    feeble = _is_feeble(scene)
    best, *others = ranked if feeble else reversed(ranked)
    if not others or not _all_meet(ship, scene, feeble=feeble):
        return _order(Intercept(best.id), f"{best.type} intercepts.", scene)
    told = f"{' and '.join(card.type for card in (best, *others))} intercept."
    return _order(Intercept(best.id, tuple(card.id for card in others)), told, scene)


def _all_meet(ship: Ship, scene: Scene, *, feeble: bool) -> bool:
    """Whether all cards that can meet the flight (CAR-5.9).

    So they do where it costs nothing; else where a strike that may do harm goes for a carrier.
    """
    settings = scene.book.settings
    if settings.interceptors != "together":
        return False
    if settings.cap_use == "unlimited":
        return True
    strike = scene.view.flights[-1].weapon is not None
    return strike and not feeble and in_commission(ship)


def _meets(ship: Ship, cards: Sequence[Card], scene: Scene) -> bool:
    """Whether a flight is met that need not be: strikes always, looks at hidden carriers."""
    if scene.view.flights[-1].weapon is not None:
        return True
    hides = not lies_open(scene.navy, ship.id, scene.book) and in_commission(ship)
    return hides and (len(cards) > 1 or not scene.manner.all_fighters_guard)


def _is_feeble(scene: Scene) -> bool:
    flight = scene.view.flights[-1]
    profile = scene.profile(Card("", flight.type))
    return flight.weapon is not None and strike_number(profile, flight.weapon, scene.book) <= FEEBLE
