"""Parts that are kept apart: no list of all outcomes, and the same odds as with one."""

from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import islice
from random import Random

import pytest
from guncamera.api.resolution_calls import ResolutionCalls
from guncamera.api.rulings import fill_outcome
from guncamera.rules.apart import Apart, Together
from guncamera.rules.dealt import DealtDice
from guncamera.rules.dice import D6, Ask, AtLeast, Total
from guncamera.rules.odds import odds_of
from guncamera.rules.plain import flat
from guncamera.rules.trace import Trace
from guncamera.rulesets.redstars.aircraft import Aircraft, Condition, Position
from guncamera.rulesets.redstars.book import load_book
from guncamera.rulesets.redstars.facts import Colliding, MoveFacts, Pair, Ramming
from guncamera.rulesets.redstars.move import rule_on_move
from guncamera.v1 import resolution_service_pb2 as pb
from orders import who
from redstars_table import RandomDice

BOOK = load_book()


class Undivided:
    """The dice of the odds, of which a rule does not know that it could ask them for a part."""

    def __init__(self, dice):
        self.roll = dice.roll


def both(rule):
    return odds_of(rule), odds_of(lambda dice: rule(Undivided(dice)))


# ---- A rule of our own


@dataclass(frozen=True, slots=True)
class Hurt:
    name: str
    points: int
    out: str | None = None


@dataclass(frozen=True, slots=True)
class Brawl:
    met: bool
    fates: tuple[Hurt, ...] = ()
    weather: Hurt | None = None


def hurt(name, dice_each, trace, dice):
    points = trace.roll(dice, Ask((D6,) * dice_each, Total(), "hurt", "X-1"))
    out = trace.roll(dice, Ask((D6,), AtLeast(5), "out", "X-1"))
    return Hurt(name, points, "out" if out else None)


ONE, TWO = partial(hurt, "one", 1), partial(hurt, "two", 2)


def brawl(dice, rules=(ONE, TWO)):
    trace = Trace.of(dice)
    if not trace.roll(dice, Ask((D6,), AtLeast(3), "met", "X-1")):
        return Brawl(met=False)
    return Brawl(True, trace.apart(dice, rules))


def test_parts_apart_have_the_odds_of_the_whole():
    apart, whole = both(brawl)
    assert isinstance(apart.outcomes, Together)
    assert apart.outcomes == whole.outcomes
    assert len(apart.outcomes) == len(whole.outcomes) == 1 + 12 * 22
    assert sum(apart.outcomes.values()) == 1
    assert apart.of(lambda one: one.met) == Fraction(2, 3)
    assert apart.by(lambda one: one.met).outcomes == {False: Fraction(1, 3), True: Fraction(2, 3)}
    assert apart.runs == 2


def test_at_the_table_they_are_thrown_one_after_the_other():
    found = brawl(DealtDice((3, 4, 5, 1, 2, 1)))
    assert found == Brawl(True, (Hurt("one", 4, "out"), Hurt("two", 3)))


def test_an_outcome_is_found_by_what_it_is():
    apart, whole = both(brawl)
    for outcome, p in whole.outcomes.items():
        assert apart.outcomes[outcome] == p
    for other in (
        Brawl(met=True),
        Brawl(True, (Hurt("one", 7), Hurt("two", 3))),
        Brawl(True, (Hurt("one", 4),)),
        Brawl(False, (Hurt("one", 4), Hurt("two", 3))),
        "a text",
    ):
        assert other not in apart.outcomes
        with pytest.raises(KeyError):
            apart.outcomes[other]


@pytest.mark.parametrize("most", [1, 7, 265, 1000])
def test_the_likeliest_are_those_of_the_whole(most):
    apart, whole = both(brawl)
    found = apart.likeliest(most)
    assert [p for _, p in found] == [p for _, p in whole.likeliest(most)]
    assert len({one for one, _ in found}) == len(found) == min(most, 265)
    assert all(whole.outcomes[one] == p for one, p in found)
    assert found == apart.likeliest(most)


def test_fields_of_a_place_stand_by_themselves():
    apart, whole = both(brawl)
    found = apart.by_field(flat)
    assert found["met"] == {"no": Fraction(1, 3), "yes": Fraction(2, 3)}
    assert "fates" not in found
    for at in range(2):
        of_one = whole.by(lambda one, at=at: one.fates[at] if one.fates else None)
        for name in ("name", "points", "out"):
            by_hand = of_one.by(lambda one, name=name: str(getattr(one, name, None) or ""))
            assert found[f"fates[{at}].{name}"] == by_hand.outcomes


def test_a_place_need_not_be_one_of_several():
    def rule(dice):
        trace = Trace.of(dice)
        return Brawl(True, (), trace.apart(dice, (ONE,))[0])

    apart, whole = both(rule)
    assert apart.outcomes == whole.outcomes
    assert apart.by_field(flat)["weather.points"]["3"] == Fraction(1, 6)


def test_equal_parts_are_places_of_their_own():
    apart, whole = both(partial(brawl, rules=(ONE, ONE)))
    assert apart.outcomes == whole.outcomes


def test_a_rule_that_comes_to_one_outcome_by_other_parts_is_a_fault():
    def twice(dice):
        trace = Trace.of(dice)
        first = trace.roll(dice, Ask((D6,), AtLeast(3), "met", "X-1"))
        return Brawl(True, trace.apart(dice, (ONE if first else TWO,)))

    with pytest.raises(AssertionError, match="parts that differ"):
        odds_of(twice)

    def listed(dice):
        trace = Trace.of(dice)
        first = trace.roll(dice, Ask((D6,), AtLeast(3), "met", "X-1"))
        return Brawl(True, trace.apart(dice, (ONE,)) if first else (Hurt("one", 3),))

    with pytest.raises(AssertionError, match="parts that differ"):
        odds_of(listed)


def test_the_values_of_a_place_stand_likeliest_first():
    place = Apart([("rare", Fraction(1, 4)), ("usual", Fraction(3, 4))])
    assert [value for value, _ in place.chances] == ["usual", "rare"]


# ---- Collisions of Rising Suns and Red Stars


def plane(id_, kind, x=0, heading=0, altitude=6, damage=0):
    at = Position(x, 0, heading, altitude)
    return Aircraft(id_, kind, at, 3, condition=Condition(damage=damage))


def collision(altitude, damage=(0, 0), **settings):
    first = Pair(plane("A1", "i15", 0, 0, altitude, damage[0]))
    second = Pair(plane("B1", "i153", 2400, 90, altitude, damage[1]))
    facts, book = MoveFacts(Colliding(first, second)), BOOK.with_settings(settings)
    return lambda dice: rule_on_move(facts, book, dice).outcome


def ram(altitude, damage=(0, 0)):
    first = Pair(
        plane("A1", "i15", 0, 0, altitude, damage[0]), discs=(Position(0, 0, 0, altitude),)
    )
    second = Pair(plane("B1", "a5m2", 0, 180, altitude, damage[1]))
    facts = MoveFacts(Ramming(first, second))
    return lambda dice: rule_on_move(facts, BOOK, dice).outcome


SMALL = {
    "near the ground": collision(1),
    "low and shot up": collision(2, (10, 11)),
    "high, and nearly down": collision(7, (11, 12)),
    "one die each": collision(2, collision_damage_dice=1, spin_scatter=6),
    "both lost": collision(6, crash_outcome="both-lost"),
    "a ram": ram(1),
    "a ram high up": ram(6, (12, 11)),
}


@pytest.mark.parametrize("name", SMALL)
def test_the_odds_of_a_collision_are_those_of_every_way_it_can_go(name):
    apart, whole = both(SMALL[name])
    assert apart.outcomes == whole.outcomes
    assert 2 == apart.runs <= whole.runs
    assert [p for _, p in apart.likeliest(50)] == [p for _, p in whole.likeliest(50)]
    fates = whole.by(lambda one: one.procedure.fates)
    for at, fate in enumerate(("A1", "B1")):
        ends = fates.by(lambda two, at=at: str(two[at].end or "") if two else "")
        found = apart.by_field(flat)
        assert found[f"procedure.met.fates[{at}].aircraft"][fate] == fates.of(bool)
        if set(ends.outcomes) != {""}:
            assert found[f"procedure.met.fates[{at}].end"] == ends.outcomes


@pytest.mark.parametrize("rule", [collision(6), collision(12), ram(12)], ids=["6", "12", "ram"])
def test_no_collision_has_too_many_outcomes(rule):
    found = odds_of(rule, limit=1000)
    assert len(found.outcomes) > 500_000
    fields = found.by_field(flat)
    assert all(sum(texts.values()) == 1 for texts in fields.values())
    struck = fields["procedure.met.struck"]["yes"]
    assert 0 < fields["procedure.met.fates[0].end"]["collided"] < struck
    best = found.likeliest(20)
    assert [p for _, p in best] == sorted((p for _, p in best), reverse=True)
    for outcome, p in islice(found.outcomes.items(), 300):
        assert found.outcomes[outcome] == p
    random = Random(7)
    for _ in range(40):
        assert rule(RandomDice(random)) in found.outcomes


def test_a_caller_gets_the_odds_of_a_collision_at_an_ordinary_altitude():
    planes = [plane("A1", "i15"), plane("B1", "i153", 2400, 90)]
    request = pb.ComputeOddsRequest(max_outcomes=5)
    fill_outcome(request.move, "redstars", MoveFacts(Colliding(*map(Pair, planes))))
    answer = ResolutionCalls().ComputeOdds(request, who())
    assert (answer.outcome_count, answer.runs, len(answer.outcomes)) == (1_869_601, 2, 5)
    fields = {
        one.field: {v.value: v.likelihood.fraction for v in one.values} for one in answer.fields
    }
    assert fields["procedure.met.struck"] == {"no": "13/18", "yes": "5/18"}
    assert set(fields["procedure.met.fates[1].end"]) == {"", "collided", "crashed"}
    assert answer.outcomes[0].likelihood.fraction == "13/18"
    met = answer.outcomes[1].move.redstars.met
    assert [fate.aircraft for fate in met.fates] == ["A1", "B1"]
