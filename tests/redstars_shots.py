"""Shots and damage of Rising Suns and Red Stars for tests, and a twin of the shot by the page.

The twin knows nothing of the rules' code.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from itertools import product

from chance import examples
from guncamera.rules.dealt import DealtDice
from guncamera.rules.odds import odds_of
from guncamera.rules.refusal import Refusal, RollRequired
from guncamera.rules.trace import RollLine
from guncamera.rulesets.redstars import aircraft as air
from guncamera.rulesets.redstars import facts as f
from guncamera.rulesets.redstars.book import load_book
from guncamera.rulesets.redstars.condition import with_effects
from guncamera.rulesets.redstars.damage import rule_on_damage
from guncamera.rulesets.redstars.fire import rule_on_fire
from guncamera.rulesets.redstars.outcomes import Effect, End, Harm
from hypothesis import strategies as st

BOOK = load_book()
CHAPTERS = {"RED-5", "RED-6", "RED-7", "RED-8"}
MINE = [s for s in BOOK.setting_specs.values() if s.rule_id.split(".")[0] in CHAPTERS]
TYPES = sorted(BOOK.aircraft)
few = examples(40)
many = examples(100)

ALTERNATIVES = [
    (spec.name, choice.value)
    for spec in MINE
    for choice in spec.choices
    if choice.value != spec.default
]


# ---- Facts


def at(altitude=6, x=0, y=0, heading=0):
    return air.Position(x, y, heading, altitude)


def craft(name="B1", kind="i15", altitude=6, rating=0, traits=(), condition=None, **more):
    pilot = air.Pilot(rating, tuple(traits))
    return air.Aircraft(name, kind, at(altitude), 3, pilot, condition, **more)


def firing(shooter=None, target=None, weapons=(0,), mils=6000, **more):
    shooter, target = shooter or craft("A1", "a5m2"), target or craft()
    apart = target.position.altitude - shooter.position.altitude
    seen = {name: more.pop(name) for name in ("in_arc", "behind", "crossing") if name in more}
    return f.Firing(shooter, target, weapons, f.Aim(mils, apart, **seen), **more)


def fire(shot, faces=(), book=BOOK):
    return rule_on_fire(f.FireFacts(shot), book, DealtDice(faces))


def fired(shot, faces=(), book=BOOK):
    return fire(shot, faces, book).outcome.procedure


def odds(shot, book=BOOK):
    found = odds_of(lambda dice: rule_on_fire(f.FireFacts(shot), book, dice).outcome)
    return found.by(lambda outcome: outcome.procedure)


def damage(procedure, faces=(), book=BOOK):
    return rule_on_damage(f.DamageFacts(procedure), book, DealtDice(faces))


def chance(procedure, book=BOOK):
    found = odds_of(lambda dice: rule_on_damage(f.DamageFacts(procedure), book, dice).outcome)
    return found.of(lambda outcome: outcome.procedure.passed)


def by_every_face(rule):
    """The distribution of an outcome, found by trying every face of every die asked for."""
    found = defaultdict(Fraction)
    throws = [((), Fraction(1))]
    while throws:
        faces, p = throws.pop()
        try:
            found[rule(DealtDice(faces)).outcome] += p
        except RollRequired as required:
            sides = required.ask.dice
            more = list(product(*(range(1, n + 1) for n in sides)))
            throws += [(faces + one, p / len(more)) for one in more]
    return dict(found)


class Tape:
    """Dice that read their faces off a tape of numbers, whatever their sides."""

    def __init__(self, numbers):
        self.numbers, self.faces = numbers, []

    def roll(self, ask):
        first = len(self.faces)
        numbers = [self.numbers[at % len(self.numbers)] for at in range(first, first + 99)]
        faces = tuple(n % sides + 1 for n, sides in zip(numbers, ask.dice))
        self.faces += faces
        return DealtDice(faces).roll(ask)


tapes = st.lists(st.integers(0, 839), min_size=24, max_size=24)


@st.composite
def conditions(draw, kind, *, fit=True):
    """What may have happened to an aircraft that still flies."""
    book = BOOK.aircraft[kind]
    wounds = draw(st.integers(0, 2))
    severe = draw(st.integers(0, wounds))
    mans = book.observer and draw(st.booleans())
    observer_wounds = draw(st.integers(0, 2)) if book.observer else 0
    guns = [at for at, weapon in enumerate(book.weapons) for _ in range(weapon.guns)]
    lost = draw(st.lists(st.sampled_from(guns), max_size=2)) if guns else []
    lost = [one for at, one in enumerate(lost) if lost[:at].count(one) < guns.count(one)]
    return air.Condition(
        damage=draw(st.integers(0, book.damage_points - 1)),
        engine_marks=tuple(draw(st.integers(0, boxes)) for boxes in book.engines),
        accelerate_barred=draw(st.booleans()),
        oil_leak=draw(st.booleans()),
        fires_d6=draw(st.integers(0, 2)),
        fires_d8=draw(st.integers(0, 2)),
        lost_dice=tuple(lost),
        camera_wrecked=draw(st.booleans()),
        engine_shot=draw(st.booleans()),
        pilot_wounds=wounds,
        pilot_severe=severe,
        pilot_tough_spared=severe > 0 and draw(st.booleans()),
        pilot_killed=bool(mans) and draw(st.booleans()),
        observer_wounds=observer_wounds,
        observer_severe=draw(st.integers(0, observer_wounds)) if mans else 0,
        observer_killed=book.observer and not mans and draw(st.booleans()),
        observer_flies=bool(mans),
    )


@st.composite
def planes(draw, name, altitude=6):
    kind = draw(st.sampled_from(TYPES))
    return craft(
        name,
        kind,
        altitude,
        draw(st.integers(-1, 4)),
        draw(st.lists(st.sampled_from(air.PilotTrait), unique=True, max_size=2)),
        draw(conditions(kind)),
    )


@st.composite
def shots(draw):
    """A shot that is allowed, with anything that may modify it."""
    shooter = draw(planes("A1"))
    target = draw(planes("B1", 6 + draw(st.integers(-2, 2))))
    book, condition = BOOK.aircraft[shooter.type], shooter.condition
    left = [
        at for at, weapon in enumerate(book.weapons) if weapon.guns > condition.lost_dice.count(at)
    ]
    if not left:
        shooter, left = replace(shooter, condition=None), list(range(len(book.weapons)))
    first = draw(st.sampled_from(left))
    weapons = [first]
    if book.weapons[first].mounting == air.Mounting.FORWARD:
        others = [at for at in left if book.weapons[at].mounting == air.Mounting.FORWARD]
        weapons += [at for at in others if at != first and draw(st.booleans())]
    lies = draw(st.sampled_from([{}, {"behind": True}, {"crossing": True}]))
    return firing(
        shooter,
        target,
        tuple(weapons),
        draw(st.integers(0, 16_000)),
        tailing=draw(st.booleans()),
        extreme=draw(st.booleans()),
        target_extreme=draw(st.booleans()),
        **lies,
    )


@st.composite
def procedures(draw):
    """Anything about damage that can be ruled on."""
    plane = draw(planes("A1"))
    kind = draw(st.sampled_from([f.Testing, f.SpecialHit, f.RiskToPilot, f.TurnEnd]))
    if kind is f.SpecialHit:
        book = BOOK.aircraft[plane.type]
        flammable = air.AircraftTrait.FLAMMABLE in book.traits
        return kind(plane, flammable and draw(st.booleans()))
    if kind is f.RiskToPilot:
        return kind(plane, draw(st.booleans()))
    if kind is f.TurnEnd:
        spinning = replace(draw(planes("A2")), flight=air.Flight.SPINNING)
        return kind((spinning, plane))
    test = draw(st.sampled_from(f.Test))
    if test == "spin_recovery":
        plane = replace(plane, flight=air.Flight.SPINNING)
    if test == "blow_out":
        plane = replace(plane, condition=replace(plane.condition, fires_d8=1))
    if test == "engine":
        plane = replace(plane, condition=replace(plane.condition, engine_marks=()))
    card = draw(st.sampled_from([air.AltitudeCard.DIVE_3, air.AltitudeCard.DIVE_4]))
    return kind(plane, test, card)


# ---- At the table: real dice, one throw at a time


def thrown_at_a_table(rule, tape):
    """Repeat the call with one throw more each time, as a player with real dice does."""
    faces, asks = [], []
    while True:
        try:
            dice = DealtDice(faces)
            ruling = rule(dice)
        except RollRequired as required:
            asks.append(required.ask)
            at = len(faces)
            faces += [tape[(at + n) % len(tape)] % s + 1 for n, s in enumerate(required.ask.dice)]
        else:
            dice.close()
            return ruling, asks


def assert_playable(rule, tape):
    ruling, asks = thrown_at_a_table(rule, tape)
    straight = rule(Tape(tape))
    assert ruling == straight
    rolls = [line for line in ruling.trace if isinstance(line, RollLine)]
    assert [(ask.purpose, ask.dice) for ask in asks] == [(r.purpose, r.sides) for r in rolls]
    for ask in asks:
        assert ask.rule_id.startswith("RED-")
        assert ask.read.describe()


def refused_by(chosen, rule, tape):
    """The refusal of facts that cannot be so by settings; it is under the rule of one of them."""
    try:
        rule(Tape(tape))
    except Refusal as refused:
        fault = refused
    else:
        return None
    assert fault.rule_id in {BOOK.setting_specs[name].rule_id for name in chosen}
    return fault


# ---- A twin of the shot, by the page

REACH = {"lmg": 16_000, "hmg": 20_000, "cannon": 24_000, "rocket": 40_000}
SIDES = {"lmg": (4,), "hmg": (6,), "cannon": (8,), "rocket": (6,) * 4}
SPECIAL = {
    1: "engine accelerate_barred",
    2: "oil_leak",
    3: "fire_d6",
    4: "gun",
    5: "extreme_barred",
    6: "camera_wrecked",
    7: "gear_wrecked",
    8: "engine",
    9: "fire_d8",
    10: "engine top_speed_barred",
}
# Who is hit on the risk to pilot table: pilot and observer, with an observer, and the pilot alone.
RISK = {
    1: ("kk", "k"),
    2: ("kw", "k"),
    3: ("k-", "k"),
    4: ("w-", "w"),
    5: ("w-", "w"),
    6: ("either", "w"),
    7: ("s-", "s"),
    8: ("?w", "?"),
    9: ("-w", "?"),
    10: ("-w", "-"),
}


class Twin:
    """A shot by the page, over faces given; `harms` are those of the target, as pairs."""

    def __init__(self, shot, faces):
        self.shot, self.faces = shot, list(faces)
        self.book = BOOK.aircraft[shot.shooter.type]
        self.victim = BOOK.aircraft[shot.target.type]
        self.now = shot.target.condition or air.Condition()
        self.harms, self.end, self.hit, self.points, self.special = [], None, [], 0, False

    def die(self):
        return self.faces.pop(0)

    def does(self, harm, amount=1, which=0):
        self.harms.append((harm, amount, which))
        self.now = with_effects(self.now, (Effect(Harm(harm), amount, which),))

    def resolve(self):
        thrown = self.die()
        for at in self.shot.weapons:
            if thrown >= 4 - self.modifier(at):
                self.hit.append(at)
        if self.hit:
            self.roll_pool()
            self.after_damage()
        assert not self.faces, "every die has a use"
        return self

    def modifier(self, at):
        shot, own = self.shot, self.shot.shooter.condition or air.Condition()
        apart = abs(shot.aim.altitude_difference)
        gunner = self.book.weapons[at].mounting != air.Mounting.FORWARD
        reach = REACH[self.book.weapons[at].kind]
        return (
            rating_by_the_page(shot.shooter)
            + (1 if shot.tailing else 0)
            + (2 if shot.aim.behind or apart else 0)
            + (2 if gunner else 0)
            - (1 if apart == 2 else 0)
            - (2 if shot.extreme else 0)
            - (1 if shot.aim.range_mils > reach // 2 + 5 else 0)
            - (2 if shot.aim.crossing else 0)
            - (2 if own.fires_d6 or own.fires_d8 or own.engine_shot else 0)
            - (1 if own.oil_leak else 0)
        )

    def roll_pool(self):
        own = self.shot.shooter.condition or air.Condition()
        count = 0
        for at in self.hit:
            guns = self.book.weapons[at].guns - own.lost_dice.count(at)
            count += guns * len(SIDES[self.book.weapons[at].kind])
        gunner = self.book.weapons[self.hit[0]].mounting != air.Mounting.FORWARD
        sniper = air.PilotTrait.SNIPER in self.shot.shooter.pilot.traits
        self.sniper = sniper and not gunner and not own.observer_flies
        count += self.sniper
        rugged = air.AircraftTrait.RUGGED in self.victim.traits
        thrown = sorted(self.die() for _ in range(count + rugged))
        self.points = sum(thrown[:count])
        self.special = thrown.count(1) >= 2

    def after_damage(self):
        self.does("damage", self.points)
        if self.now.damage >= self.victim.damage_points:
            self.end = End.SHOT_DOWN
            return
        if self.special:
            self.special_hit(SPECIAL[self.die()])
        if air.AircraftTrait.FLAMMABLE in self.victim.traits:
            found = SPECIAL[self.die()]
            if found.startswith("fire"):
                self.does(found)
        if self.special:
            self.risk()

    def special_hit(self, found):
        for word in found.split():
            if word == "engine":
                self.engine()
            elif word == "gun":
                self.gun()
            elif word.startswith("fire") or not getattr(self.now, word):
                self.does(word)

    def engine(self):
        boxes = self.victim.engines
        marks = [*self.now.engine_marks, 0, 0, 0, 0][: len(boxes)]
        left = [(marks[at], at) for at in range(len(boxes)) if marks[at] < boxes[at]]
        if left:
            self.does("engine_box", 1, min(left)[1])
            if not self.now.engine_shot:
                self.does("engine_shot")

    def gun(self):
        guns = [
            at
            for at, weapon in enumerate(self.victim.weapons)
            for _ in range(weapon.guns - self.now.lost_dice.count(at))
        ]
        if guns:
            self.does("die_lost", 1, guns[self.die() - 1] if len(guns) > 1 else guns[0])

    def risk(self):
        # Who gave the controls up sits behind now, and is struck as the observer was.
        flier, other = ("observer", "pilot") if self.now.observer_flies else ("pilot", "observer")
        second = self.victim.observer and not getattr(self.now, f"{other}_killed")
        row = max(1, self.die() - (2 if self.sniper else 0))
        found = RISK[row][0 if second else 1]
        if found == "either":
            found = "w-" if self.die() <= 3 else "-w"
        if found[0] == "?":
            found = ("w" if self.die() >= 6 else "-") + found[1:]
        self.strike(flier, found[0])
        if second:
            self.strike(other, found[1])
        if not getattr(self.now, f"{flier}_killed"):
            return
        alive = self.victim.observer and not getattr(self.now, f"{other}_killed")
        if alive and self.die() >= 7:
            self.does(f"{other}_flies")
        else:
            self.end = End.CREW_LOST

    def strike(self, man, how):
        if how == "-":
            return
        if how == "k" or getattr(self.now, f"{man}_wounds") == 2:
            self.does(f"{man}_killed")
            return
        self.does(f"{man}_wounded")
        if how == "s":
            self.does(f"{man}_severe")


def rating_by_the_page(plane):
    now = plane.condition or air.Condition()
    if now.observer_flies:
        return -1 - (0, 1, 3)[now.observer_wounds] - now.observer_severe
    wounds, severe = now.pilot_wounds, now.pilot_severe
    if air.PilotTrait.TOUGH in plane.pilot.traits:
        if wounds < 2:
            return plane.pilot.rating
        severe -= now.pilot_tough_spared
    return plane.pilot.rating - (0, 1, 3)[wounds] - severe
