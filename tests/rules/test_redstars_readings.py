"""Readings of who follows whom, who fires when, and who serves a gun, as games show them."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from guncamera.rules.dice import Throw
from guncamera.rules.refusal import Illegal
from guncamera.rulesets.redstars.aircraft import AltitudeCard
from guncamera.rulesets.redstars.events import (
    AircraftLeft,
    Harmed,
    IntentTold,
    OrderSet,
    RamMissed,
    TailingFound,
)
from guncamera.rulesets.redstars.facts import Contender, Ordering
from guncamera.rulesets.redstars.harms import in_words
from guncamera.rulesets.redstars.ordering import by_id, placed_in_order
from guncamera.rulesets.redstars.orders import FireOrder, Meeting, Phase, Shoot
from guncamera.rulesets.redstars.outcomes import Effect, End, Intent, Rising, Turning
from guncamera.rulesets.redstars.picture import picture
from guncamera.rulesets.redstars.pilot import PILOTS
from guncamera.rulesets.redstars.pilot_board import board_of
from guncamera.rulesets.redstars.waves import next_wave, tails_of
from redstars_table import BEHIND, BOOK, FAR, JAPANESE, LEFT, SOVIET, Table, choice, entrant

ANEW = {"firing_order": "anew"}
ALL = {"tail_targets": "all"}

# ---- The order of fire

DUEL = (
    entrant("a", SOVIET, 70, 50, speed=1, rating=3),
    entrant("b", JAPANESE, 70, 68, 180, speed=1, rating=2),
    entrant("c", SOVIET, 73, 50, speed=1, rating=1),
)
"""All can fire once they have moved: a, then b, then c."""
SEVERE = (5, 1, 1, 2, 2, 6, 7)
"""A hit for 6, a special hit on the camera, and a severe wound."""


class Sixes:
    """Dice that hit, and wound nobody."""

    def roll(self, ask):
        faces = tuple(min(6, sides) for sides in ask.dice)
        return Throw(ask.read(faces), faces)


def opened(*entrants, **settings):
    table = Table(entrants, **settings).choose_rest().fly_all()
    assert table.board.phase == Phase.FIRE
    return table


def test_a_wounded_pilot_keeps_his_place_in_the_order_of_fire():  # RED-6.18
    table = opened(*DUEL)
    assert table.board.order == ("a", "b", "c")
    table.shoot("a", "b", *SEVERE)
    assert table.board.order == ("b", "c")
    assert table.active == (JAPANESE,)


def test_by_setting_he_fires_where_his_rating_now_puts_him():
    table = opened(*DUEL, **ANEW)
    table.shoot("a", "b", *SEVERE)
    assert table.board.order == ("c", "b")
    assert OrderSet("RED-6.18", Phase.FIRE, ("a", "c", "b")) in table.told
    assert table.active == (SOVIET,)
    assert table.view(JAPANESE).order == ("c", "b")
    assert {one.order.procedure.shooter for one in table.legal(SOVIET)
            if isinstance(one.order.procedure, Shoot)} == {"c"}  # fmt: skip
    with pytest.raises(Illegal) as refused:
        table.shoot("b", "a", 5)
    assert refused.value.rule_id == "RED-10.4"
    order = PILOTS["stock"](table.view(SOVIET), SOVIET, table.book, 1).order
    assert isinstance(order, FireOrder)
    assert order.procedure.shooter == "c"


def test_by_setting_equals_stay_as_they_stood_without_a_die():
    table = opened(*DUEL, **ANEW)
    table.shoot("a", "b", *SEVERE[:-1], 4)
    assert table.board.order == ("b", "c"), "both are of rating 1 now"
    assert table.board.phase == Phase.FIRE
    assert not [event for event in table.told if isinstance(event, OrderSet)]


def test_an_order_taken_anew_is_the_same_while_nobody_is_wounded():
    random = Random(3)
    book = BOOK.with_settings({**ANEW, **ALL})
    for _ in range(2000):
        names = [f"n{nth}" for nth in range(random.randint(2, 6))]
        tails = {name: random.sample([x for x in names if x != name], random.randint(0, 1))
                 for name in names}  # fmt: skip
        crafts = tuple(
            Contender(name, random.randint(0, 2), tails=(tails[name] or [""])[0]) for name in names
        )
        facts = Ordering(crafts, firing=True)
        drawn = {name: random.random() for name in names}
        order = placed_in_order(
            facts, book, lambda tied, drawn=drawn: tuple(sorted(tied, key=lambda o: drawn[o.id]))
        )
        for taken in range(len(order)):
            left = order[taken:]
            still = tuple(one for one in crafts if one.id in left)
            again = Ordering(still, firing=True, standing=left)
            assert placed_in_order(again, book, by_id) == left


# ---- Several tailed

PAIR = (
    BEHIND[0],
    entrant("u", JAPANESE, 70, 66, type_="a5m2", speed=3, rating=1),
    BEHIND[1],
)
"""A chaser behind two, t the nearer."""


def test_of_two_in_front_the_nearest_alone_is_tailed():  # RED-2.3
    table = Table(PAIR)
    assert (table.craft("c").tails, table.craft("c").also_tails) == ("t", ())
    assert tails_of(table.board.craft, table.book) == {"c": ("t",)}


def test_by_setting_both_are_tailed_and_tell_him():
    table = Table(PAIR, **ALL)
    assert table.craft("c").tailed == ("t", "u")
    assert table.board.choosing == ("t", "u"), "he waits for both"
    table.choose(choice("t", "left"), choice("u", "right"))
    told = {(one.aircraft, one.tailer): one.intent for one in table.told
            if isinstance(one, IntentTold)}  # fmt: skip
    assert told == {
        ("t", "c"): Intent(Turning.LEFT, Rising.LEVEL),
        ("u", "c"): Intent(Turning.RIGHT, Rising.LEVEL),
    }
    seen = {card.aircraft: card.intent for card in table.view(SOVIET).cards}
    assert all(seen[name] is not None for name in "tu")
    table.choose_rest()
    assert {(ram.rammer, ram.target) for ram in table.board.possible_rams} >= {
        ("c", "t"),
        ("c", "u"),
    }
    table.declare(SOVIET, "c", "u")
    assert table.ruling.outcome.procedure.target == "u"


def test_he_moves_after_both_with_one_tweak_more_and_not_two():
    table = Table(PAIR, **ALL).choose_rest(choice("t", "left"), choice("c", "shift_left"))
    while table.board.phase == Phase.RAM:
        table.declare(table.active[0])
    assert table.board.order == ("t", "u", "c")
    table.fly("t")
    table.fly("u")
    with pytest.raises(Illegal) as refused:
        table.fly("c", (1, LEFT), (2, LEFT), (3, LEFT), (4, LEFT))
    assert refused.value.rule_id == "RED-3.6"
    table.fly("c", (2, LEFT), (3, LEFT), (4, LEFT))


@pytest.mark.parametrize("target", ["t", "u"])
def test_tailing_counts_against_each_of_them(target):  # RED-6.4
    table = Table(PAIR, **ALL).choose_rest().fly_all()
    table.give(SOVIET, FireOrder(Shoot("c", target, (0,))), Sixes())
    tailing = [line.amount for line in table.ruling.trace if getattr(line, "name", "") == "tailing"]
    assert tailing == [1]


def test_both_are_in_the_view_and_in_the_picture_and_are_looked_for_anew():
    table = Table(PAIR, **ALL)
    view = table.view(SOVIET)
    assert board_of(view).craft_of("c").also_tails == ("u",)
    assert "tails t, u" in picture(view, table.book)
    assert picture(view, table.book).count('class="tail"') == 2
    found = table.choose_rest().fly_all().hold_all()
    found.end_turn()
    anew = tails_of(found.board.craft, found.book)
    events = [one for one in found.told if isinstance(one, TailingFound)]
    assert [(one.tailer, one.target) for one in events] == [
        (name, target) for name, targets in anew.items() for target in targets
    ]
    assert {one.aircraft.id: one.tailed for one in found.board.craft if one.tails} == anew


def test_a_ring_is_found_among_several_that_are_tailed():  # RED-2.5
    crafts = {one.aircraft.id: one for one in Table(PAIR).board.craft}
    ring = (
        replace(crafts["c"], tails="t", also_tails=("u",)),
        replace(crafts["t"], tails="u", also_tails=()),
        replace(crafts["u"], tails="c", also_tails=("t",)),
    )
    assert next_wave(ring, (), BOOK) == ("t",), "the lowest rating in the ring"
    assert next_wave(ring, ("t",), BOOK) == ("u",)
    assert next_wave(ring, ("t", "u"), BOOK) == ("c",)


# ---- Who serves a gun

HUNTED = (
    entrant("k", JAPANESE, 70, 60, type_="ki30", speed=2),
    entrant("e", SOVIET, 74, 58, 60, speed=1, rating=1),
)
"""The hunter turns away behind the tail, where the gunner alone has a shot."""


@pytest.mark.parametrize(
    ("condition", "settings", "fires"),
    [
        ({"observer_killed": True}, {}, True),
        ({"observer_killed": True}, {"gunner_lost": "silent"}, False),
        ({"pilot_wounds": 1, "observer_flies": True}, {"gunner_lost": "silent"}, False),
        ({"observer_wounds": 2}, {"gunner_lost": "silent"}, True),
    ],
)
def test_a_mount_without_its_gunner_has_a_shot_or_none_by_setting(condition, settings, fires):
    table = Table(HUNTED, **settings)  # RED-6.6
    table.change("k", condition=condition)
    table.choose_rest().fly_all()
    assert (table.board.phase == Phase.FIRE) == fires
    if fires:
        assert table.board.order == ("k",)
        offered = [one.order.procedure for one in table.legal(JAPANESE)]
        assert offered[0] == Shoot("k", "e", (1,))
        table.give(JAPANESE, FireOrder(offered[0]), Sixes())


# ---- A man who has just taken the controls

BOMBED = (
    entrant("a", SOVIET, 70, 50, speed=1, rating=3),
    entrant("k", JAPANESE, 70, 72, 180, type_="ki30", speed=2, rating=2),
    entrant("c", SOVIET, 73, 50, speed=1, rating=0),
)
TAKEN = (5, 1, 1, 2, 2, 6, 3, 7)
"""A hit for 6, a special hit on the camera, the pilot dead, and the observer flies."""


def test_whoever_has_just_taken_the_controls_waits():  # RED-6.17
    table = opened(*BOMBED)
    assert table.board.order == ("a", "k", "c")
    table.shoot("a", "k", *TAKEN)
    assert table.board.order == ("c",)


@pytest.mark.parametrize(("more", "order"), [({}, ("k", "c")), (ANEW, ("c", "k"))])
def test_by_setting_he_fires_at_his_own_rating(more, order):
    table = opened(*BOMBED, takeover_fire="fires", **more)
    table.shoot("a", "k", *TAKEN)
    assert table.board.order == order
    while table.board.order[0] != "k":
        table.hold(table.board.order[0])
    table.give(JAPANESE, FireOrder(Shoot("k", "a", (0,))), Sixes())
    rating = [line.amount for line in table.ruling.trace if getattr(line, "name", "") == "rating"]
    assert rating == [-1]


# ---- What a tailer has against his target

ASTERN = (
    entrant("c", SOVIET, 70, 50, speed=3, rating=0),
    entrant("t", JAPANESE, 70, 60, type_="ki30", speed=2, rating=1),
)
"""A chaser who comes to lie ten inches behind a bomber, and in range of its gunner."""


def test_a_tailer_has_one_more_rating_where_he_runs_into_his_target():  # RED-9.2
    slow = replace(ASTERN[1], type="i15", speed=1)
    table = Table((ASTERN[0], slow, entrant("u", JAPANESE, 20, 20, 180))).choose_rest().fly_all()
    assert table.board.phase == Phase.COLLIDE
    table.collide(2, 2)
    assert not table.ruling.outcome.procedure.struck
    added = {line.name: line.amount for line in table.ruling.trace if hasattr(line, "amount")}
    assert added == {"tailing_c": 1, "rating_t": 1}


@pytest.mark.parametrize(("setting", "order"), [("plain", ("t", "c")), ("leads", ("c", "t"))])
def test_by_setting_a_tailer_one_below_his_target_fires_before_it(setting, order):  # RED-6.18
    assert opened(*ASTERN, tail_fire_order=setting).board.order == order


# ---- Over the edge in a spin

LOW = tuple(
    entrant(name, side, 70, 8, 180, speed=1, rating=rating)
    for name, side, rating in (("a", SOVIET, -1), ("b", JAPANESE, 0), ("c", JAPANESE, 1))
)
"""Three that meet three inches off the edge of the table."""
UNHURT = (1, 1, 1, 6, 6, 6, 6)
SPINS_SOUTH = (1, 1, 1, 6, 6, 1, 1, 1, 6)


@pytest.mark.parametrize("edge", ["out", "endless"])
def test_a_spin_after_a_collision_may_carry_an_aircraft_over_the_edge(edge):  # RED-10.6
    far = entrant("d", SOVIET, 20, 100)
    table = Table((*LOW, far), spin_drift="one-disc", table_edge=edge).choose_rest().fly_all()
    table.collide(1, 1, *SPINS_SOUTH, *UNHURT)
    assert table.aircraft("a").position.y_mils == -2000
    out = AircraftLeft("RED-10.6", "a", End.LEFT_TABLE)
    assert (out in table.told) == (edge == "out")
    assert (table.craft("a").end is None) == (edge == "endless")
    assert [(one.first, one.second) for one in table.board.meetings] == [("b", "c")]


def test_a_ram_misses_whose_target_a_spin_carried_over_the_edge():  # RED-9.6
    three = (
        entrant("a", SOVIET, 2, 20, 180, speed=1, rating=1),
        entrant("c", SOVIET, 3, 20, 180, speed=1, rating=2),
        entrant("b", JAPANESE, 2, 12, speed=1, rating=0),
        entrant("d", JAPANESE, 20, 100, rating=-1),
    )
    table = Table(three, spin_drift="one-disc").choose_rest()
    table.declare(SOVIET, "a", "b")
    table.declare(SOVIET, "c", "b")
    table.declare(JAPANESE)
    for name in table.board.order:
        table.fly(name)
    spins_west = (1, 1, 1, 6, 6, 1, 1, 1, 9)
    table.collide(6, 6, *UNHURT, *spins_west)
    assert table.craft("b").end == End.LEFT_TABLE
    assert RamMissed("RED-9.6", "c") in table.told
    assert table.board.meetings == (Meeting("a", "c", ram=False),)


# ---- Fires and tweaks


@pytest.mark.parametrize(
    ("fires_out", "burning", "told"),
    [("all", (0, 0), "the fire is out"), ("one", (2, 0), "a fire is out, of d8 a turn")],
)
def test_a_dive_blows_out_all_fires_or_by_setting_the_worst(fires_out, burning, told):  # RED-8.4
    table = Table((entrant("a", SOVIET, 20, 20), FAR), fires_out=fires_out)
    table.change("a", condition={"fires_d6": 2, "fires_d8": 1})
    table.choose_rest(choice("a", altitude=AltitudeCard.DIVE_3))
    table.fly("a", faces=(5, 5))
    condition = table.aircraft("a").condition
    assert (condition.fires_d6, condition.fires_d8) == burning
    (harm,) = table.of(Harmed)
    assert in_words(Effect(harm.harm, harm.amount, harm.which)) == told


def test_bands_below_the_deepest_dive_are_open_by_setting_only():  # RED-3.7
    for trade_depth, trades in (("refused", {1, 2, 0}), ("flown", {2, 1, 0, -1, -2})):
        table = Table((entrant("a", SOVIET, 20, 20, rating=4), FAR), trade_depth=trade_depth)
        table.choose_rest(choice("a", altitude=AltitudeCard.DIVE_4))
        while table.board.order[0] != "a":
            table.fly(table.board.order[0])
        open_ = {one.order.procedure.altitude_trades for one in table.legal(SOVIET)}
        assert open_ == trades
