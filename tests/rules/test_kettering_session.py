"""Campaigns of Kettering Aerial Torpedo on a board: phases, endings, and play to the end."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from guncamera.rules.dealt import DealtDice
from guncamera.rules.hexes import HexDirection
from guncamera.rules.plain import from_plain, restore_member, to_plain, union_to_plain
from guncamera.rules.refusal import Illegal, Malformed, PhaseClosed, RollRequired
from guncamera.rules.ruleset import Verb
from guncamera.rules.shape import shape_of
from guncamera.rules.trace import FindingLine, ModifierLine, SettingLine, Trace, audit, text_of
from guncamera.rulesets.kettering import RULESET
from guncamera.rulesets.kettering.board import Board, fold
from guncamera.rulesets.kettering.events import CampaignEnded, Change, PhaseChanged
from guncamera.rulesets.kettering.facts import (
    Condition,
    Critical,
    End,
    Fate,
    Plot,
    Territory,
    Winner,
)
from guncamera.rulesets.kettering.map import all_hexes, label
from guncamera.rulesets.kettering.move import deployment_speeds
from guncamera.rulesets.kettering.orders import (
    DamageOrder,
    Deploy,
    FireOrder,
    Inspect,
    Launch,
    Mend,
    MoveOrder,
    Phase,
    Proceed,
    Setup,
    SpotOrder,
    View,
    WindOrder,
)
from guncamera.rulesets.kettering.performance import assess
from kettering_flying import BOOK, RandomDice, hunting_plots, random_plot

ORDERS = {
    "deploy": (Verb.MOVE, MoveOrder(Deploy("A-21", HexDirection.NORTHWEST, 1000, 4))),
    "launch": (Verb.MOVE, MoveOrder(Launch())),
    "proceed": (Verb.MOVE, MoveOrder(Proceed())),
    "plot": (Verb.MOVE, MoveOrder(Plot(5, 0, 0, "F F F F F"))),
    "wind": (Verb.WIND, WindOrder()),
    "spot": (Verb.SPOT, SpotOrder()),
    "fire": (Verb.FIRE, FireOrder()),
    "mend": (Verb.DAMAGE, DamageOrder(Mend(Critical.FUEL_LINE_SEVERED))),
    "inspect": (Verb.DAMAGE, DamageOrder(Inspect())),
}
OPEN = {
    Phase.DEPLOY: {"deploy", "mend", "inspect"},
    Phase.LAUNCH: {"launch", "inspect"},
    Phase.TORPEDO: {"proceed", "inspect"},
    Phase.AIRCRAFT: {"plot", "inspect"},
    Phase.FIRE: {"spot", "fire", "wind", "inspect"},
    Phase.WIND: {"wind", "inspect"},
    Phase.FINISHED: set(),
}


class Table:
    """A campaign at a table: give orders and faces, look at the board."""

    def __init__(self, aircraft="fokker-d7", torpedoes=3, **settings):
        self.book = BOOK.with_settings(settings)
        self.board = RULESET.open_board(Setup(aircraft, torpedoes), self.book)
        self.start = self.board
        self.events: list[Change] = []
        self.ruling = None

    def order(self, name, *faces):
        return self.give(*ORDERS[name], DealtDice(faces))

    def give(self, verb, order, dice):
        facts = RULESET.survey(self.board, "pilot", verb, order, self.book)
        ruling = RULESET.procedure(verb).rule(facts, self.book, dice)
        if isinstance(dice, DealtDice):
            dice.close()
        applied = RULESET.apply(self.board, verb, order, ruling, self.book)
        self.board, self.ruling = applied.board, ruling
        self.events += applied.events
        return ruling.outcome

    def change(self, **changes):
        """Put something on the board by hand."""
        self.board = replace(self.board, **changes)

    def hurt(self, *criticals, points=0):
        condition = Condition(points, criticals)
        self.change(aircraft=replace(self.board.aircraft, condition=condition))

    def until_fire(self, torpedo_hex="K-21"):
        """The aircraft on A-21 flies at a torpedo put on K-21, and stands head-on before it."""
        self.order("deploy")
        self.order("launch", 1, 1, 2)
        self.change(torpedo=replace(self.board.torpedo, hex=torpedo_hex))
        self.order("proceed")
        self.order("plot")
        return self


def test_an_encounter_from_deployment_to_the_explosion():
    table = Table()
    phases = [table.board.phase]
    for name, faces in (
        ("deploy", ()),
        ("launch", (1, 1, 2)),
    ):
        table.order(name, *faces)
        phases.append(table.board.phase)
    assert table.board.torpedo.hex == "PP-21"
    table.change(torpedo=replace(table.board.torpedo, hex="K-21"))
    for name, faces in (("proceed", ()), ("plot", ()), ("spot", ()), ("fire", (5, 6, 4, 3))):
        table.order(name, *faces)
        phases.append(table.board.phase)
    assert phases == [
        Phase.DEPLOY,
        Phase.LAUNCH,
        Phase.TORPEDO,
        Phase.AIRCRAFT,
        Phase.FIRE,
        Phase.FIRE,
        Phase.DEPLOY,
    ]
    board = table.board
    assert board.encounters[0].fate == Fate(End.SHOT_DOWN, None, Winner.GERMAN)
    assert (board.encounters[0].turns, board.encounters[0].shots) == (1, 1)
    assert board.condition.damage_points == 2
    assert (board.torpedo, board.aircraft.hex, board.ammunition) == (None, "", 12)
    assert (board.encounter, board.torpedoes_left, board.score) == (1, 2, None)
    assert board.last_shot.from_hex == "F-21"
    assert board.last_shot.at_hex == "G-21"


def test_a_miss_leaves_the_wind_and_a_second_turn():
    table = Table().until_fire()
    table.order("fire", 1, 1)
    assert table.board.phase == Phase.WIND
    assert table.board.ammunition == 11
    with pytest.raises(PhaseClosed) as second:
        table.order("fire", 6, 6)
    assert second.value.rule_id == "KET-7.1"
    table.order("wind", 2)
    assert (table.board.phase, table.board.turn) == (Phase.TORPEDO, 2)
    assert table.board.wind_toward == HexDirection.SOUTHEAST
    assert table.board.torpedo.hex == "E-21"
    assert table.board.torpedo.altitude_metres == 950
    table.order("proceed", 2)
    assert table.board.encounters[0].fate == Fate(End.EXITED, Territory.GERMAN, Winner.ALLIED)


def test_the_wind_of_a_turn_is_flown_in_it_and_no_longer():
    table = Table().until_fire("Z-21")
    table.order("wind", 2)
    table.order("proceed", 2)
    assert table.ruling.outcome.procedure.spent_mp == 6
    table.give(Verb.MOVE, MoveOrder(Plot(5, 0, 0, "F F F F F")), DealtDice(()))
    table.order("wind", 4)
    table.order("proceed", 2)
    assert table.ruling.outcome.procedure.spent_mp == 5


def test_nobody_fires_from_where_there_is_no_shot():
    table = Table().until_fire("Z-21")
    with pytest.raises(Illegal) as refused:
        table.order("fire", 6, 6)
    assert refused.value.rule_id == "KET-6.3"
    assert table.board.phase == Phase.FIRE


def boards():
    table = Table()
    yield table.board
    table.order("deploy")
    yield table.board
    table.order("launch", 1, 1, 2)
    yield table.board
    table.order("proceed")
    yield table.board
    table.order("plot")
    yield table.board
    yield replace(table.board, phase=Phase.WIND)
    yield replace(table.board, phase=Phase.FINISHED)


@pytest.mark.parametrize("board", list(boards()), ids=lambda board: board.phase.value)
@pytest.mark.parametrize("name", ORDERS)
def test_an_order_belongs_to_its_phase(board, name):
    verb, order = ORDERS[name]
    if name in OPEN[board.phase]:
        RULESET.survey(board, "pilot", verb, order, BOOK)
        return
    with pytest.raises(PhaseClosed) as closed:
        RULESET.survey(board, "pilot", verb, order, BOOK)
    assert closed.value.facts["phase"] == board.phase.value
    assert str(closed.value.facts["may"]) in closed.value.message


def test_a_lost_pilot_ends_the_campaign_with_nothing():
    table = Table().until_fire()
    table.order("fire", 5, 6, 6, 6, 1, 1)
    assert table.board.phase == Phase.FINISHED
    assert table.board.lost
    assert (table.board.score.stopped, table.board.score.score) == (1, 0)
    assert RULESET.active_seats(table.board) == ()
    assert "lost" in RULESET.result(table.board)


def test_an_aircraft_in_the_ground_ends_the_campaign():
    table = Table()
    table.order("deploy")
    table.order("launch", 1, 1, 2)
    table.order("proceed")
    aircraft = replace(
        table.board.aircraft,
        altitude_metres=50,
        condition=Condition(criticals=(Critical.FUEL_LINE_SEVERED,)),
    )
    table.change(aircraft=aircraft)
    table.give(Verb.MOVE, MoveOrder(Plot(4, -50, 0, "F F F F")), DealtDice(()))
    assert table.board.phase == Phase.FINISHED
    assert table.board.encounters[0].fate.end == End.AIRCRAFT_LOST


def test_a_torpedo_that_crashes_ends_its_encounter():
    table = Table().until_fire("Z-21")
    table.change(torpedo=replace(table.board.torpedo, altitude_metres=50))
    table.order("wind", 2)
    assert table.board.encounters[0].fate == Fate(
        End.CRASHED, Territory.NO_MANS_LAND, Winner.GERMAN
    )
    assert table.board.phase == Phase.DEPLOY


def leave(table):
    table.order("deploy")
    table.order("launch", 6, 1, 2)
    table.order("proceed")
    table.change(aircraft=replace(table.board.aircraft, facing=HexDirection.SOUTHWEST))
    table.order("plot")
    return table


def test_an_aircraft_that_leaves_lets_the_torpedo_pass():
    table = leave(Table())
    assert table.board.encounters[0].fate == Fate(End.PASSED, None, Winner.ALLIED)
    assert table.board.phase == Phase.DEPLOY


def test_by_setting_the_torpedo_flies_on_alone():
    table = leave(Table(aircraft_gone="flies-on"))
    assert (table.board.phase, table.board.aircraft.hex) == (Phase.WIND, "")
    random, turns = Random(3), 0
    while not table.board.encounters:
        turns += 1
        table.give(*ORDERS["wind"], RandomDice(random))
        if not table.board.encounters:
            assert table.board.phase == Phase.TORPEDO
            table.give(*ORDERS["proceed"], RandomDice(random))
    assert turns > 5
    assert table.board.encounters[0].fate.end == End.EXITED


def fly_with_a_punctured_tank(table, flights):
    """Turns flown before the encounter is over, the torpedo kept in the north."""
    table.hurt(Critical.GAS_TANK_PUNCTURED)
    table.order("deploy")
    table.order("launch", 1, 4, 2)
    turns = 0
    while table.board.phase == Phase.TORPEDO and turns < flights:
        faces = () if table.board.turn == 1 else (1,)
        table.order("proceed", *faces)
        table.change(torpedo=replace(table.board.torpedo, hex="PP-21"))
        table.change(
            aircraft=replace(table.board.aircraft, hex="T-25", facing=HexDirection.EAST, speed_mp=5)
        )
        table.order("plot")
        turns += 1
        table.order("wind", 4)
    return turns


@pytest.mark.parametrize("fuel", [1, 3, 5])
def test_a_punctured_tank_lasts_as_many_turns_as_the_setting_says(fuel):
    table = Table(fuel_turns=fuel)
    assert fly_with_a_punctured_tank(table, 20) == fuel
    assert table.board.encounters[0].fate.end == End.PASSED
    assert table.board.fuel_turns is None


def test_with_a_dry_tank_the_torpedo_may_fly_on():
    table = Table(fuel_turns=2, aircraft_gone="flies-on")
    fly_with_a_punctured_tank(table, 2)
    assert (table.board.phase, table.board.aircraft.hex) == (Phase.TORPEDO, "")
    assert not table.board.encounters


def test_jammed_controls_free_themselves_before_the_torpedo_moves():
    table = Table()
    table.hurt(Critical.CONTROLS_JAMMED)
    table.order("deploy")
    assert table.board.condition.jammed
    table.order("launch", 1, 1, 2)
    table.order("proceed", 5)
    assert not table.board.condition.jammed
    assert table.board.condition.criticals == ()


def test_by_setting_a_freed_jam_returns_in_the_next_encounter():
    table = Table(freed_jam="returns")
    table.hurt(Critical.CONTROLS_JAMMED)
    table.order("deploy")
    table.order("launch", 6, 1, 2)
    table.order("proceed", 5)
    assert not table.board.condition.jammed
    assert table.board.condition.criticals == (Critical.CONTROLS_JAMMED,)
    table.change(aircraft=replace(table.board.aircraft, facing=HexDirection.SOUTHWEST))
    table.order("plot")
    table.order("deploy")
    assert table.board.condition.jammed


def test_a_jam_that_holds_is_thrown_for_again_before_the_wind():
    table = Table()
    table.hurt(Critical.CONTROLS_JAMMED)
    table.order("deploy")
    table.order("launch", 6, 1, 2)
    table.order("proceed", 4)
    table.order("plot")
    table.order("wind", 6, 4)
    assert not table.board.condition.jammed


def test_repairs_let_torpedoes_pass_and_those_count():
    table = Table(torpedoes=4)
    table.hurt(Critical.ELEVATOR_CABLES_SEVERED, Critical.FUEL_LINE_SEVERED)
    table.give(Verb.DAMAGE, DamageOrder(Mend(Critical.ELEVATOR_CABLES_SEVERED)), DealtDice(()))
    assert (table.board.passed, table.board.torpedoes_left) == (2, 2)
    assert table.board.condition.criticals == (Critical.FUEL_LINE_SEVERED,)
    table.order("mend")
    assert (table.board.passed, table.board.torpedoes_left) == (3, 1)
    assert table.board.phase == Phase.DEPLOY
    with pytest.raises(Illegal) as refused:
        table.order("mend")
    assert refused.value.rule_id == "KET-9.1"


def test_by_setting_one_torpedo_pays_for_all_repairs_that_cost_one():
    fuel, tank, elevator = (
        Critical.FUEL_LINE_SEVERED,
        Critical.GAS_TANK_PUNCTURED,
        Critical.ELEVATOR_CABLES_SEVERED,
    )
    table = Table(torpedoes=4, repair_price="together")
    table.hurt(tank, elevator, fuel, fuel)
    table.order("mend")
    assert (table.board.passed, table.board.torpedoes_left) == (1, 3)
    assert table.board.condition.criticals == (elevator,)


def test_a_repair_that_takes_the_last_torpedo_ends_the_campaign():
    table = Table(torpedoes=1)
    table.hurt(Critical.FUEL_LINE_SEVERED)
    table.order("mend")
    assert table.board.phase == Phase.FINISHED
    assert table.board.score.score == 0


def test_looking_changes_nothing():
    table = Table().until_fire()
    before = table.board
    assert table.order("spot").sighted
    table.order("inspect")
    assert table.board == before


def test_jammed_guns_stay_jammed_until_the_next_encounter():
    table = Table(gun_jams="on-two").until_fire("Z-21")
    table.change(torpedo=replace(table.board.torpedo, hex="G-21"))
    table.order("fire", 1, 1)
    assert table.board.guns_jammed
    table.change(phase=Phase.FIRE)
    with pytest.raises(Illegal) as refused:
        table.order("fire", 6, 6)
    assert refused.value.rule_id == "KET-7.10"


def test_the_overdives_struts_are_remembered_apart():
    table = Table()
    table.order("deploy")
    table.order("launch", 1, 1, 2)
    table.order("proceed")
    table.give(Verb.MOVE, MoveOrder(Plot(4, -550, 0, "F F F F")), DealtDice((1, 1)))
    assert table.board.condition.criticals == (Critical.STRUTS_SHATTERED,)
    assert table.board.condition.overdive_struts == 1


@pytest.mark.parametrize(
    ("setup", "field"),
    [(Setup("camel"), "setup.aircraft_type"), (Setup("fokker-d7", 13), "setup.torpedoes")],
)
def test_a_campaign_that_cannot_be_opened(setup, field):
    with pytest.raises(Malformed) as refused:
        RULESET.open_board(setup, BOOK)
    assert refused.value.field == field


def test_twelve_torpedoes_unless_fewer_are_wanted():
    assert RULESET.open_board(Setup("fokker-d7"), BOOK).torpedoes == 12


# ---- Play to the end


def check(table: Table, verb, ruling, facts, faces):
    """What must hold of every ruling, whatever it is about."""
    book = table.book
    assert audit(ruling.trace, book.tables) == []
    names = Counter(line.name for line in ruling.trace if isinstance(line, ModifierLine))
    assert not names or max(names.values()) == 1
    assert all(
        line.name in book.setting_specs for line in ruling.trace if isinstance(line, SettingLine)
    )
    assert all(line.rule_id in book.index for line in ruling.trace)
    assert all(event.rule_id in book.index for event in ruling.events)
    found = {line.name: line.value for line in ruling.trace if isinstance(line, FindingLine)}
    for name, value in _scalars(to_plain(ruling.outcome)):
        assert found[name] == text_of(value)
    again = RULESET.procedure(verb).rule(facts, book, DealtDice(faces))
    assert again == ruling
    assert from_plain(type(facts), to_plain(facts)) == facts
    assert from_plain(type(ruling.outcome), to_plain(ruling.outcome)) == ruling.outcome
    hash(ruling.outcome)


def _scalars(plain, path=""):
    for name, value in plain.items():
        if isinstance(value, dict):
            yield from _scalars(value, f"{path}{name}.")
        elif not isinstance(value, list):
            yield path + name, value


class Campaign(Table):
    """A campaign flown by a seeded pilot, checked at every step."""

    def __init__(self, random, *, hunting, hurt, **setup):
        super().__init__(**setup)
        self.random, self.hunting, self.hurting = random, hunting, hurt
        self.seen = Counter()

    def act(self, verb, order):
        facts = RULESET.survey(self.board, "pilot", verb, order, self.book)
        dice = RandomDice(self.random)
        ruling = RULESET.procedure(verb).rule(facts, self.book, dice)
        check(self, verb, ruling, facts, dice.faces)
        applied = RULESET.apply(self.board, verb, order, ruling, self.book)
        assert fold(self.board, applied.events, self.book) == applied.board
        for event in applied.events:
            assert restore_member(Change, union_to_plain(event)) == event
            assert from_plain(type(event), to_plain(event)) == event
        self.board = applied.board
        assert from_plain(Board, to_plain(self.board)) == self.board
        view = RULESET.view_for(self.board, None, self.book)
        assert from_plain(View, to_plain(view)) == view
        assert 0 <= self.board.torpedoes_left <= self.board.torpedoes
        self.seen[verb] += 1

    def try_act(self, verb, order):
        try:
            self.act(verb, order)
        except PhaseClosed:
            raise
        except Illegal:
            return False
        return True

    def play(self):
        steps = {
            Phase.DEPLOY: self.deploy,
            Phase.LAUNCH: lambda: self.act(*ORDERS["launch"]),
            Phase.TORPEDO: lambda: self.act(*ORDERS["proceed"]),
            Phase.AIRCRAFT: self.fly,
            Phase.FIRE: self.fire,
            Phase.WIND: lambda: self.act(*ORDERS["wind"]),
        }
        for _ in range(3000):
            if not RULESET.active_seats(self.board):
                return self
            assert RULESET.result(self.board) is None
            steps[self.board.phase]()
        raise AssertionError("the campaign does not end")

    def deploy(self):
        if self.hurting and self.random.random() < 0.5:
            capacity = self.book.aircraft[self.board.aircraft.type].damage_capacity
            hits = self.random.choices(list(Critical)[:7], k=self.random.randint(0, 4))
            self.hurt(*hits, points=self.random.randrange(capacity))
        hits = self.board.condition.criticals
        if hits and self.random.random() < 0.3:
            mended = self.try_act(Verb.DAMAGE, DamageOrder(Mend(self.random.choice(hits))))
            self.seen["mended"] += mended
            if self.board.phase != Phase.DEPLOY:
                return
        profile = self.book.aircraft[self.board.aircraft.type]
        able = assess(profile, self.board.condition, self.book, Trace())
        row = all_hexes(self.book)[: self.book.settings.map_width_hexes]
        where = row[len(row) // 2] if self.hunting else self.random.choice(row)
        facing = HexDirection.NORTHWEST if self.hunting else self.random.choice(list(HexDirection))
        altitude = 1000 if self.hunting else 50 * self.random.randint(1, 80)
        speed = deployment_speeds(able)[-1]
        self.act(Verb.MOVE, MoveOrder(Deploy(label(where), facing, altitude, speed)))

    def fly(self):
        if self.hunting:
            for _, plot in hunting_plots(self.board, self.book)[:3]:
                if self.try_act(Verb.MOVE, MoveOrder(plot)):
                    return
        for _ in range(300):
            plot = random_plot(self.board.aircraft, self.book, self.random)
            if self.try_act(Verb.MOVE, MoveOrder(plot)):
                return
        raise AssertionError(f"a dead end: {self.board}")

    def fire(self):
        if self.random.random() < 0.2:
            self.act(*ORDERS["spot"])
        if not self.try_act(*ORDERS["fire"]):
            self.act(*ORDERS["wind"])


def random_settings(random):
    chosen = {}
    for name, spec in BOOK.setting_specs.items():
        if name != "unpublished_aircraft" and random.random() < 0.4:
            values = [choice.value for choice in spec.choices]
            chosen[name] = random.choice(values) if values else random.randint(spec.low, spec.high)
    return chosen


@pytest.mark.parametrize("seed", range(24))
def test_every_random_campaign_ends(seed):
    random = Random(seed)
    campaign = Campaign(
        random,
        hunting=False,
        hurt=seed % 2 == 1,
        aircraft=random.choice(sorted(BOOK.aircraft)),
        torpedoes=random.randint(1, 12),
        **(random_settings(random) if seed % 3 else {}),
    ).play()
    assert isinstance(campaign.board.score.score, int)
    assert RULESET.result(campaign.board)


@pytest.mark.parametrize("aircraft", sorted(BOOK.aircraft))
def test_a_hunting_pilot_plays_to_the_end(aircraft):
    campaign = Campaign(
        Random(aircraft), hunting=True, hurt=False, aircraft=aircraft, torpedoes=6
    ).play()
    assert len(campaign.board.encounters) == 6 or campaign.board.lost
    if BOOK.aircraft[aircraft].schedule in "CDE":
        assert campaign.seen[Verb.FIRE] > 0


def test_hunters_shoot_torpedoes_down_and_are_hit_in_turn():
    ends, hit = Counter(), 0
    for seed in range(2):
        campaign = Campaign(Random(seed), hunting=True, hurt=False, torpedoes=12).play()
        ends.update(encounter.fate.end for encounter in campaign.board.encounters)
        hit += campaign.board.condition.damage_points
    assert ends[End.SHOT_DOWN] >= 4, ends
    assert ends[End.EXITED] >= 4, ends
    assert hit > 0


def test_events_alone_rebuild_the_board():
    table = Table().until_fire()
    start = table.board
    table.events.clear()
    table.order("fire", 1, 2)
    table.order("wind", 4)
    table.order("proceed", 2)
    assert fold(start, table.events, table.book) == table.board


def test_the_last_events_of_a_campaign_say_so():
    table = Table(torpedoes=1).until_fire()
    table.order("fire", 5, 6, 1, 1)
    assert isinstance(table.events[-2], CampaignEnded)
    assert isinstance(table.events[-1], PhaseChanged)
    assert table.events[-1].phase == Phase.FINISHED
    assert table.board.score.score == 1


def test_missing_dice_are_asked_for_by_purpose():
    table = Table().until_fire()
    with pytest.raises(RollRequired) as wanted:
        table.order("fire", 5, 6)
    assert wanted.value.ask.purpose == "blast"
    assert table.board.phase == Phase.FIRE


def test_the_board_holds_what_the_view_shows():
    shown = {shape.name for shape in shape_of(View)} - {"torpedoes_left"}
    assert shown <= {shape.name for shape in shape_of(Board)}
