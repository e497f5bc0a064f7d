"""Flights, strikes and damage of the carriers for tests, and a twin of the strike by the page.

The twin knows nothing of the rules' code or tables: it throws every face.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from itertools import product

from chance import examples
from guncamera.rules.dealt import DealtDice
from guncamera.rules.odds import odds_of
from guncamera.rules.refusal import RollRequired
from guncamera.rulesets.carriers import cards as c
from guncamera.rulesets.carriers import facts as f
from guncamera.rulesets.carriers.book import load_book
from guncamera.rulesets.carriers.damage import rule_on_damage
from guncamera.rulesets.carriers.fire import rule_on_fire
from guncamera.rulesets.carriers.spot import rule_on_spot
from hypothesis import strategies as st

BOOK = load_book()
CHAPTERS = {"CAR-5", "CAR-6", "CAR-7", "CAR-8", "CAR-9"}
MINE = [s for s in BOOK.setting_specs.values() if s.rule_id.split(".")[0] in CHAPTERS]
ALTERNATIVES = [
    (spec.name, choice.value)
    for spec in MINE
    for choice in spec.choices
    if choice.value != spec.default
]
few = examples(40)
many = examples(100)

ALL = [c.Key.RUDDER, c.Key.LISTING, c.Key.DEAD_IN_WATER]
ON_CARRIER = [*ALL, c.Key.BRIDGE, c.Key.DECK_AIRCRAFT, c.Key.OUT_OF_COMMISSION]
ON_OTHERS = [*ALL, c.Key.CONNING, c.Key.GUNNERY, c.Key.TURRET]
BY_NATION = {
    c.Side.US: ["f4f", "sbd", "tbm", "pby"],
    c.Side.JAPAN: ["zeke", "kate", "val", "betty"],
}


# ---- Facts


def ship(nation="japan", kind="carrier", line="medium", keys=(), belts=0, name=""):
    keys = tuple(c.Key(key) for key in keys)
    kind, line = c.ShipClass(kind), c.Line(line)
    return c.Ship(c.Side(nation), kind, line, f"{nation}-{kind}", name, keys, belts)


def strike(type_="sbd", weapon="bomb", target=None, interceptor="", **more):
    flyer = f.Flyer(type_, at_carrier=True)
    return f.Strike(flyer, c.Weapon(weapon), target or ship(), interceptor=interceptor, **more)


def fire(procedure, faces=(), book=BOOK):
    return rule_on_fire(f.FireFacts(procedure), book, DealtDice(faces))


def damage(procedure, faces=(), book=BOOK):
    return rule_on_damage(f.DamageFacts(procedure), book, DealtDice(faces))


def rule_of(procedure):
    """The rule of facts of any verb with dice: `(book, dice) -> ruling`."""
    if isinstance(procedure, f.Reconnaissance):
        return lambda book, dice: rule_on_spot(f.SpotFacts(procedure), book, dice)
    if isinstance(procedure, f.Strike):
        return lambda book, dice: rule_on_fire(f.FireFacts(procedure), book, dice)
    return lambda book, dice: rule_on_damage(f.DamageFacts(procedure), book, dice)


def odds(procedure, book=BOOK):
    found = odds_of(lambda dice: rule_of(procedure)(book, dice).outcome)
    return found.by(lambda outcome: outcome.procedure)


@st.composite
def ships(draw, nation, line, *, hurt=True):
    kind = draw(st.sampled_from(c.ShipClass))
    can = ON_CARRIER if kind == "carrier" else ON_OTHERS
    keys = draw(st.lists(st.sampled_from(can), unique=True)) if hurt else []
    return ship(nation, kind, line, keys, draw(st.integers(0, 3)) if hurt else 0)


@st.composite
def strikes(draw):
    nation = draw(st.sampled_from(c.Side))
    type_ = draw(st.sampled_from(BY_NATION[nation]))
    card = BOOK.aircraft[type_]
    weapons = [w for w in c.Weapon if card.torpedo or w == "bomb"]
    target = draw(ships(nation.other, card.range))
    met = draw(st.sampled_from(["", "f4f" if nation == "japan" else "zeke"]))
    return strike(type_, draw(st.sampled_from(weapons)), target, met, revealed=True)


@st.composite
def scoutings(draw):
    nation = draw(st.sampled_from(c.Side))
    type_ = draw(st.sampled_from(BY_NATION[nation]))
    met = draw(st.sampled_from(["", *BY_NATION[nation.other]]))
    flyer = f.Flyer(type_)
    return f.Reconnaissance(flyer, BOOK.aircraft[type_].range, interceptor=met)


@st.composite
def hits(draw):
    target = draw(ships(draw(st.sampled_from(c.Side)), c.Line.SHORT))
    return draw(st.sampled_from([f.BombHit, f.TorpedoHit]))(target)


tapes = st.lists(st.integers(1, 6), min_size=6, max_size=6)
chosen = st.lists(st.sampled_from(ALTERNATIVES), max_size=4)


class Tape:
    """Faces in order, as many as are asked for."""

    def __init__(self, faces):
        self.left, self.asks = list(faces), []

    def roll(self, ask):
        self.asks.append(ask)
        return DealtDice([self.left.pop(0) for _ in ask.dice]).roll(ask)


def by_every_face(procedure, book=BOOK):
    """The distribution of an outcome, found by trying every face of every die asked for."""
    found = defaultdict(Fraction)
    throws = [((), Fraction(1))]
    while throws:
        faces, p = throws.pop()
        try:
            found[rule_of(procedure)(book, DealtDice(faces)).outcome.procedure] += p
        except RollRequired as required:
            more = list(product(*(range(1, n + 1) for n in required.ask.dice)))
            throws += [(faces + one, p / len(more)) for one in more]
    return dict(found)


# ---- The twin

NUMBERS = {  # combat, bomb, torpedo, reconnaissance
    "zeke": (5, 1, 0, 1),
    "f4f": (5, 1, 0, 1),
    "kate": (2, 4, 2, 3),
    "sbd": (3, 4, 2, 2),
    "val": (2, 2, 2, 1),
    "tbm": (2, 3, 4, 3),
    "pby": (2, 4, 2, 3),
    "betty": (2, 4, 2, 3),
}
D6 = range(1, 7)


def strike_by_page(procedure):
    """What a strike comes to, with its chance: `turned back`, `missed`, `void`, or an effect.

    Under the default readings, by every throw of five dice.
    """
    target, weapon = procedure.target, procedure.weapon
    counted = Counter()
    number = NUMBERS[procedure.flyer.type][1 if weapon == "bomb" else 2]
    combat = NUMBERS[procedure.interceptor][0] if procedure.interceptor else 0
    for met, aimed, *dice in product(D6, repeat=5):
        if met <= combat:
            counted["turned back"] += 1
        elif max(aimed - _off(target.keys, weapon), 1) > number:
            counted["missed"] += 1
        else:
            counted[_effect(target, weapon, dice)] += 1
    return {what: Fraction(n, 6**5) for what, n in counted.items()}


def _off(keys, weapon):
    """What counts against the target, by the page's list of effects."""
    bombs = {"deck_aircraft", "gunnery", "listing"}
    torpedoes = {"bridge", "deck_aircraft", "conning", "listing"}
    return len((bombs if weapon == "bomb" else torpedoes) & {key.value for key in keys})


def _effect(target, weapon, dice):
    if weapon == "torpedo":
        return _torpedo_by_page(target, *dice)
    if target.ship_class == "carrier":
        return _carrier_by_page(*dice)
    return _ship_by_page(target, *dice)


def _carrier_by_page(first, second, third):
    if first <= 2:
        return "bridge"
    if first >= 5:
        return "nothing"
    if second <= 3:
        return "deck_aircraft"
    return "out_of_commission" if third <= 4 else "nothing"


def _ship_by_page(target, first, second, _third):
    smaller = {"battleship": 0, "cruiser": 1, "destroyer": 2}[target.ship_class]
    if first in (1, 3):
        second = max(second - smaller, 1)
    us_on = {1: {5, 6}, 2: {1, 2}, 3: {1, 2}}.get(first, {1, 2, 3, 4})
    if (second in us_on) != (target.nation == "us"):
        return "void"
    return {1: "exploded", 2: "rudder", 3: "gunnery", 4: "conning"}.get(first, "turret")


def _torpedo_by_page(target, first, second, _third):
    if first == 6:
        return "rudder"
    if (first <= 2) != (target.nation == "japan"):
        return "void"
    return "listing" if second <= 2 and c.Key.LISTING not in target.keys else "belt"


def named(struck, target):
    """An outcome of the rules in the twin's words."""
    if struck.turned_back or not struck.hit:
        return "turned back" if struck.turned_back else "missed"
    harm = struck.harm
    if harm.void:
        return "void"
    rows = {"fuel_burns": "out_of_commission", "magazine": "exploded", "fire_out": "nothing"}
    if harm.result == "belt":
        return "listing" if c.Key.LISTING in harm.keys else "belt"
    row = rows.get(harm.result.value, harm.result.value)
    assert row == "nothing" or c.Key(row) in (*harm.keys, *target.keys)
    return row
