"""Laws of fire in Flying Circus Plus: shots, guns, critical hits, fires, leaks, resolution."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from chance import examples
from guncamera.rules.dealt import DealtDice
from guncamera.rules.hexes import HexDirection
from guncamera.rules.odds import odds_of
from guncamera.rules.refusal import Illegal, Malformed, RollRequired
from guncamera.rules.trace import LookUpLine, RollLine, SumLine, Trace, audit
from guncamera.rulesets.circus import guns
from guncamera.rulesets.circus.aboard import leak, leak_begins
from guncamera.rulesets.circus.aircraft import Aircraft, Condition, Load, Mount, Pose
from guncamera.rulesets.circus.book import load_book
from guncamera.rulesets.circus.condition import with_effects
from guncamera.rulesets.circus.damage import rule_on_damage
from guncamera.rulesets.circus.destruction import borne
from guncamera.rulesets.circus.events import (
    AircraftLeft,
    GunChanged,
    Harmed,
    PilotBroken,
    ResolutionChanged,
    ShotFired,
)
from guncamera.rulesets.circus.facts import (
    Aim,
    CriticalHit,
    CriticalTest,
    DamageFacts,
    DrumChange,
    Ending,
    FireAboard,
    FireFacts,
    Firing,
    JamClearing,
    OilLeak,
    Part,
    PilotRecord,
    Reckoning,
    Target,
    TurnEnd,
)
from guncamera.rulesets.circus.fire import rule_on_fire
from guncamera.rulesets.circus.outcomes import Harm
from guncamera.rulesets.circus.performance import is_destroyed
from hypothesis import given
from hypothesis import strategies as st

BOOK = load_book()
RANGES = range(1, 9)
DICE = range(1, 7)
ARMED = {
    1: ("fokker_d_vii", Mount.FRONT),
    2: ("breguet_14", Mount.RING),
    3: ("sopwith_pup", Mount.FRONT),
    4: ("airco_dh2", Mount.FRONT),
}
"""A shooter for each combat table; the Breguet's gunner has 1 less."""

# Typed from the page once more, a row for each die: the tests' own copy.
HITS = {
    1: ("10000000", "21100000", "42111000", "43211100", "54221110", "65322221"),
    2: ("10000000", "21000000", "32110000", "42111000", "43211110", "54322211"),
    3: ("10000000", "11000000", "21100000", "22110000", "32211110", "33222111"),
    4: ("00000000", "10000000", "11000000", "11100000", "21111100", "32211111"),
}
SIXTHS = {
    1: (22, 15, 9, 6, 5, 4, 3, 1),
    2: (19, 12, 7, 5, 4, 3, 2, 1),
    3: (12, 9, 6, 4, 3, 2, 2, 1),
    4: (8, 5, 4, 2, 2, 2, 1, 1),
}
"""Mean hits in sixths, by range, as the register gives them; over 36 the critical hits."""


def hits_on(table, die, rng):
    return int(HITS[table][die - 1][rng - 1])


def part_at(total):
    if total in (2, 12):
        return Part.CREW
    if total in (3, 11):
        return Part.ENGINE
    return Part.CONTROL if 6 <= total <= 8 else Part.STRUCTURE


def shot(table=1, rng=3, *, target="se5a", hanging=False, resolution=10, **more):
    aeroplane, mount = ARMED[table]
    aim = Aim(10, 5, 10, 0, rng, 0)
    aimed_at = Target("target", target, hanging=hanging, resolution=resolution)
    return Firing("shooter", aeroplane, mount, aim, aimed_at, **more)


def fire(firing, faces=(), book=BOOK):
    return rule_on_fire(FireFacts(firing), book, DealtDice(faces))


def fired(firing, faces=(), book=BOOK):
    return fire(firing, faces, book).outcome.procedure


def odds(firing, book=BOOK):
    found = odds_of(lambda dice: rule_on_fire(FireFacts(firing), book, dice).outcome)
    return found.by(lambda outcome: outcome.procedure)


def damage(procedure, faces=(), book=BOOK):
    return rule_on_damage(DamageFacts(procedure), book, DealtDice(faces))


def worked(procedure, faces=(), book=BOOK):
    return damage(procedure, faces, book).outcome.procedure


def of_kind(kind, ruling):
    return [event for event in ruling.events if isinstance(event, kind)]


def lost_by(aircraft, *rulings):
    """The resolution that some rulings take from a pilot."""
    changes = [event for ruling in rulings for event in of_kind(ResolutionChanged, ruling)]
    return -sum(event.amount for event in changes if event.aircraft == aircraft)


def part_of(outcome):
    return outcome.critical.part if outcome.critical else None


def by_every_face(rule):
    """The distribution of an outcome, found by trying every face of every die that is asked for.

    It knows nothing of how a rule reads its dice, and so holds the readings to account.
    """
    found = defaultdict(Fraction)
    throws = [((), Fraction(1))]
    while throws:
        faces, p = throws.pop()
        try:
            found[rule(DealtDice(faces)).outcome] += p
        except RollRequired as wanted:
            sides = wanted.ask.dice
            more = list(product(*(range(1, n + 1) for n in sides)))
            throws += [(faces + one, p / len(more)) for one in more]
    return dict(found)


# ---- The tables, by brute force


@pytest.mark.parametrize("table", HITS)
def test_the_combat_tables_are_those_of_the_page(table):
    printed = BOOK.tables[f"crt-{table}"]
    for die, rng in product(DICE, RANGES):
        assert printed.number(die, str(rng)) == hits_on(table, die, rng)


@pytest.mark.parametrize(("table", "rng"), list(product(HITS, RANGES)))
def test_mean_hits_and_critical_hits_are_those_of_the_register(table, rng):
    found = odds(shot(table, rng, hanging=table == 2))
    sixths = SIXTHS[table][rng - 1]
    assert found.mean(lambda one: one.hits) == Fraction(sixths, 6)
    assert found.of(lambda one: one.critical is not None) == Fraction(sixths, 36)


@pytest.mark.parametrize("table", HITS)
def test_a_shorter_range_and_a_higher_die_never_score_less(table):
    for die, rng in product(DICE, RANGES):
        here = fired_hits(table, die, rng)
        assert rng == 8 or here >= fired_hits(table, die, rng + 1)
        assert die == 6 or here <= fired_hits(table, die + 1, rng)


def fired_hits(table, die, rng):
    """The hits of a die; what follows it is thrown so that it does nothing."""
    return fired(shot(table, rng, hanging=table == 2), needed(table, die, rng)).hits


def needed(table, die, rng):
    """The dice of a shot with a first die, whatever they strike."""
    hits = hits_on(table, die, rng)
    if not hits:
        return (die,)
    return (die, 6) if hits < 6 else (die, 6, 3)


def test_more_barrels_and_belts_never_score_less():
    for die, rng in product(DICE, RANGES):
        scored = [fired_hits(table, die, rng) for table in (1, 2, 3, 4)]
        assert scored == sorted(scored, reverse=True)


def test_a_higher_modifier_never_makes_a_shot_worse():
    for rng in RANGES:
        plain, helped = odds(shot(1, rng)), odds(shot(1, rng, hanging=True))
        for least in range(1, 7):
            reaches = lambda one, least=least: one.hits >= least  # noqa: E731
            assert plain.of(reaches) <= helped.of(reaches)


def twin(table, rng, modifier, book):
    """A shot's hits and the part that it strikes, over 6 x 6 (x 6) faces."""
    chosen = book.settings
    found = defaultdict(Fraction)
    for first, second, third in product(DICE, repeat=3):
        die = first + modifier
        held = min(max(die, 1), 6)
        hits = hits_on(table, held, rng)
        if die < 1 and chosen.die_limits == "natural-floor":
            hits = 0
        most = hits if chosen.critical_test == "equal-or-lower" else hits - 1
        added = third if chosen.critical_dice == "two" else second
        summed = (held if chosen.critical_sum == "modified" else first) + added
        part = part_at(summed) if hits and second <= most else None
        found[hits, part] += Fraction(1, 216)
    return dict(found)


READINGS = [
    dict(zip(("critical_test", "critical_dice", "critical_sum", "die_limits"), values))
    for values in product(
        ("equal-or-lower", "lower"),
        ("one", "two"),
        ("natural", "modified"),
        ("clamp", "natural-floor"),
    )
]


@pytest.mark.parametrize("chosen", READINGS, ids=lambda chosen: "-".join(chosen.values()))
def test_hits_and_parts_are_those_of_the_faces_under_every_reading(chosen):
    book = BOOK.with_settings(chosen)
    for rng in (1, 2, 3, 6):
        for modifier, firing in (
            (0, shot(1, rng)),
            (1, shot(1, rng, hanging=True)),
            (2, shot(1, rng, hanging=True, long_burst=True)),
            (-1, shot(2, rng)),
        ):
            table = 1 if modifier >= 0 else 2
            found = odds(firing, book).by(lambda one: (one.hits, part_of(one)))
            assert found.outcomes == twin(table, rng, modifier, book)


@pytest.mark.parametrize("target", ["se5a", "bristol_f2b"])
def test_the_odds_of_a_whole_shot_are_those_of_every_face(target):
    firing = shot(1, 1, target=target, long_burst=True)
    rule = lambda dice: rule_on_fire(FireFacts(firing), BOOK, dice)  # noqa: E731
    found = odds_of(lambda dice: rule(dice).outcome)
    assert found.outcomes == by_every_face(rule)
    assert found.runs <= 140, "a reading tells too much apart"


def test_the_odds_of_a_shot_branch_on_what_matters_and_on_nothing_else():
    # Five dice without a hit are one branch, and so are the five of a test that fails; a control
    # hit has eleven results.
    assert odds(shot(1, 8)).runs == 13


@pytest.mark.parametrize(
    "procedure",
    [
        CriticalTest(Target("target", "bristol_f2b"), 4, 5),
        CriticalHit(Target("target", "bristol_f2b"), Part.CREW),
        CriticalHit(Target("target", "se5a"), Part.ENGINE),
        CriticalHit(Target("target", "se5a"), Part.CONTROL),
        FireAboard("target", "se5a", Condition(fire_points=2), dive=Pose.POWER_DIVE),
        OilLeak("target", Condition(oil_leak_turns=2)),
        JamClearing("target", "se5a", 0, (Load(3, jammed=True), Load(2, 3))),
    ],
    ids=lambda procedure: type(procedure).__name__,
)
@pytest.mark.parametrize(
    "chosen",
    [{}, {"gunfire_structure": "at-once", "oil_leak": "one-die", "fire_order": "damage-first"}],
    ids=["default", "other"],
)
def test_the_odds_of_damage_are_those_of_every_face(procedure, chosen):
    book = BOOK.with_settings(chosen)
    rule = lambda dice: rule_on_damage(DamageFacts(procedure), book, dice)  # noqa: E731
    assert odds_of(lambda dice: rule(dice).outcome).outcomes == by_every_face(rule)


# ---- The trace, and the events


def test_the_worked_example_can_be_followed_step_by_step():
    ruling = fire(shot(1, 3), (5, 2, 1))
    thrown = [line.faces for line in ruling.trace if isinstance(line, RollLine)]
    read = {line.table: line.cell for line in ruling.trace if isinstance(line, LookUpLine)}
    assert thrown == [(5,), (2,), (1,)]
    assert read == {
        "range": "3",
        "crt-1": "2",
        "critical": "control",
        "control": "turn_code_worse",
    }
    sums = {
        line.name: (line.base, line.total) for line in ruling.trace if isinstance(line, SumLine)
    }
    assert sums["die"] == (5, 5)
    assert sums["critical_sum"] == (2, 7)
    assert sums["resolution"] == (10, 8)
    assert ruling.summary == (
        "shooter scores 2 hits on target at range 3; a critical hit on the controls: "
        "it turns worse."
    )


def test_a_shot_changes_guns_first_and_then_the_target():
    firing = shot(1, 1, resolution=7, long_burst=True)
    ruling = fire(firing, (6, 6, 3, 1))
    kinds = [type(event) for event in ruling.events]
    assert kinds == [
        ShotFired,
        GunChanged,
        ResolutionChanged,
        Harmed,
        ResolutionChanged,
        ResolutionChanged,
        PilotBroken,
    ]
    shot_fired, gun, jam, wound, hits, lost, broken = ruling.events
    assert (shot_fired.hits, shot_fired.critical) == (6, True)
    assert gun.load == Load(8, jammed=True, jammed_before=True, fired_this_phase=True)
    assert (jam.aircraft, jam.amount) == ("shooter", -1)
    assert (wound.harm, wound.aircraft) == (Harm.PILOT_WOUNDED, "target")
    assert (hits.amount, lost.amount, broken.aircraft) == (-6, -2, "target")
    assert {event.rule_id for event in ruling.events} <= set(BOOK.index.rules)


@pytest.mark.parametrize(
    ("resolution", "breaks"), [(6, False), (5, True), (1, True), (0, False), (-4, False)]
)
def test_a_pilot_breaks_once(resolution, breaks):
    ruling = fire(shot(1, 1, resolution=resolution), (5, 6))
    assert bool(of_kind(PilotBroken, ruling)) == breaks


def test_a_dead_pilot_does_not_break():
    ruling = fire(shot(1, 1, resolution=6), (6, 6, 1))
    assert [event.harm for event in of_kind(Harmed, ruling)] == [Harm.PILOT_KILLED]
    assert of_kind(PilotBroken, ruling) == []


def test_without_hits_only_the_guns_change():
    kinds = [type(event) for event in fire(shot(1, 8), (3,)).events]
    assert kinds == [ShotFired, GunChanged]


CHOICES = {
    name: [choice.value for choice in spec.choices] or [spec.low, spec.high]
    for name, spec in BOOK.setting_specs.items()
    if spec.rule_id.split(".")[0] in ("CIR-9", "CIR-10", "CIR-11")
}
SHOTS = st.builds(
    shot,
    st.sampled_from(sorted(ARMED)),
    st.integers(1, 8),
    target=st.sampled_from(["se5a", "bristol_f2b", "fokker_dr_i"]),
    hanging=st.booleans(),
    resolution=st.integers(-3, 12),
    long_burst=st.booleans(),
    condition=st.builds(Condition, gunner_wounds=st.integers(0, 2)),
)
CHOSEN = st.fixed_dictionaries({name: st.sampled_from(values) for name, values in CHOICES.items()})
FACES = st.lists(st.integers(1, 6), min_size=8, max_size=8)


@given(SHOTS, CHOSEN, FACES)
@examples(100)
def test_the_trace_of_any_shot_adds_up(firing, chosen, faces):
    book = BOOK.with_settings(chosen)
    ruling = fire(firing, faces, book)
    assert audit(ruling.trace, book.tables) == []
    assert all(line.rule_id in book.index for line in ruling.trace)
    assert fire(firing, faces, book) == ruling
    one = ruling.outcome.procedure
    assert one.resolution == firing.target.resolution - lost_by("target", ruling)
    assert one.shooter_resolution_loss == lost_by("shooter", ruling)
    assert one.broken == (one.resolution <= 0)


# ---- Guns

WEAPONS = st.sampled_from(["fokker_d_vii", "se5a", "airco_dh2", "bristol_f2b", "fe2b", "dfw_c_v"])


@st.composite
def loaded(draw):
    """An aeroplane with some of its ammunition gone, and perhaps jams and changes."""
    aeroplane = BOOK.aircraft[draw(WEAPONS)]
    loads = tuple(
        Load(
            points=draw(st.integers(0, weapon.load_points)),
            spare=draw(st.integers(0, weapon.loads - 1)),
            reload_phases=draw(st.sampled_from([0, 0, 0, 1, 2])),
            jammed=draw(st.sampled_from([False, False, True])),
            fired_this_phase=draw(st.sampled_from([False, False, True])),
        )
        for weapon in aeroplane.weapons
    )
    condition = Condition(
        pilot_killed=draw(st.sampled_from([False, False, True])),
        gunner_killed=draw(st.sampled_from([False, False, True])),
    )
    return aeroplane, loads, condition


@given(loaded(), st.sampled_from(list(Mount)), st.booleans(), FACES)
@examples(100)
def test_what_can_fire_is_what_the_rule_lets_fire(armed, mount, long_burst, faces):
    aeroplane, loads, condition = armed
    firing = Firing(
        "shooter", aeroplane.type, mount, Aim(10, 5, 10, 0, 3, 0), Target("target", "se5a"),
        long_burst=long_burst, loads=loads, condition=condition,
    )  # fmt: skip
    may = guns.can_fire(aeroplane, loads, mount, condition, BOOK, long_burst=long_burst)
    try:
        fire(firing, faces)
    except Illegal:
        assert not may
    else:
        assert may


@given(loaded(), st.integers(0, 1))
@examples(100)
def test_what_can_be_changed_is_what_the_rule_lets_be_changed(armed, weapon):
    aeroplane, loads, condition = armed
    if weapon >= len(loads):
        return
    may = guns.can_change(aeroplane, loads, weapon, condition, BOOK)
    change = DrumChange("shooter", aeroplane.type, weapon, loads, condition)
    try:
        fire(change)
    except Illegal:
        assert not may
    else:
        assert may


@pytest.mark.parametrize("simultaneous", [True, False])
@pytest.mark.parametrize("missed", [1, 2])
def test_a_drum_gun_fires_all_its_drums_and_misses_the_phases_of_each_change(simultaneous, missed):
    name = "drum_change_phases" if simultaneous else "drum_change_phases_alternate"
    book = BOOK.with_settings({name: missed})
    aeroplane = BOOK.aircraft["airco_dh2"]
    loads = guns.loads_of(aeroplane, (), "loads")
    told = ""
    for _ in range(20):
        if guns.can_fire(aeroplane, loads, Mount.FRONT, None, book):
            loads = guns.fired(loads, (0,), book, long_burst=False, simultaneous=simultaneous)
            assert not guns.can_fire(aeroplane, loads, Mount.FRONT, None, book), "once a phase"
            told += "x"
        else:
            told += "-"
        loads = guns.reloaded(aeroplane, loads)
    change = "-" * missed
    assert told.rstrip("-") == change.join(["xx"] * 4)


def test_a_belt_has_ten_firing_turns_or_five_long_bursts():
    aeroplane = BOOK.aircraft["fokker_d_vii"]
    for long_burst, turns in ((False, 10), (True, 5)):
        loads = guns.loads_of(aeroplane, (), "loads")
        fired_turns = 0
        while guns.can_fire(aeroplane, loads, Mount.FRONT, None, BOOK, long_burst=long_burst):
            loads = guns.fired(loads, (0,), BOOK, long_burst=long_burst, simultaneous=True)
            loads = guns.reloaded(aeroplane, loads)
            fired_turns += 1
        assert fired_turns == turns


def test_a_gun_that_rests_fires_in_every_other_phase():
    book = BOOK.with_settings({"gun_rest": "one-phase"})
    aeroplane = BOOK.aircraft["fokker_d_vii"]
    loads = guns.loads_of(aeroplane, (), "loads")
    told = []
    for _ in range(6):
        may = guns.can_fire(aeroplane, loads, Mount.FRONT, None, book)
        told.append(may)
        if may:
            loads = guns.fired(loads, (0,), book, long_burst=False, simultaneous=True)
        loads = guns.reloaded(aeroplane, loads)
    assert told == [True, False] * 3


@pytest.mark.parametrize(("simultaneous", "missed"), [(True, 0), (False, 1)])
def test_a_drum_that_is_changed_early_counts_the_phase_in_which_it_is(simultaneous, missed):
    aeroplane = BOOK.aircraft["airco_dh2"]
    loads = guns.changed((Load(1, 3),), 0, BOOK, simultaneous=simultaneous)
    assert not guns.can_fire(aeroplane, loads, Mount.FRONT, None, BOOK)
    for _ in range(missed + 1):
        assert not guns.is_ready(loads[0])
        loads = guns.reloaded(aeroplane, loads)
    assert loads == (Load(2, 2),)


def test_a_lewis_is_changed_while_the_vickers_fires_on():
    aeroplane = BOOK.aircraft["se5a"]
    loads = guns.loads_of(aeroplane, (), "loads")
    tables = []
    for _ in range(8):
        ready = guns.ready_on(aeroplane, loads, Mount.FRONT)
        tables.append(guns.combat_table(aeroplane.weapons[at] for at in ready))
        loads = guns.fired(loads, ready, BOOK, long_burst=False, simultaneous=True)
        loads = guns.reloaded(aeroplane, loads)
    assert tables == [1, 1, 3, 1, 1, 3, 1, 1]
    assert guns.ready_on(aeroplane, loads, Mount.FRONT) == ()
    assert loads == (Load(0), Load(0, 1, reload_phases=1))
    loads = guns.reloaded(aeroplane, loads)
    ready = guns.ready_on(aeroplane, loads, Mount.FRONT)
    assert guns.combat_table(aeroplane.weapons[at] for at in ready) == 4


@given(loaded())
def test_ammunition_is_neither_made_nor_lost_by_a_change(armed):
    aeroplane, loads, _ = armed
    after = guns.reloaded(aeroplane, loads)
    for weapon, old, new in zip(aeroplane.weapons, loads, after):
        held = [one.points + one.spare * weapon.load_points for one in (old, new)]
        assert held[0] == held[1]
        assert not new.fired_this_phase
        assert new.jammed == old.jammed


def test_nothing_is_refused_after_the_first_die():
    class NoDice:
        def roll(self, _ask):
            raise AssertionError("a die before the last guard")

    far = replace(shot(), aim=Aim(10, 5, 10, 0, 9, 0))
    with pytest.raises(Illegal):
        rule_on_fire(FireFacts(far), BOOK, NoDice())
    with pytest.raises(Malformed):
        rule_on_fire(FireFacts(replace(shot(), loads=(Load(1), Load(1)))), BOOK, NoDice())
    for refused in (
        replace(shot(), spotted=False),
        replace(shot(), in_blind_spot=True),
        replace(shot(), aim=Aim(10, 4, 10, 4, 3, 0)),
        replace(shot(), aim=Aim(10, 5, 10, 0, 0, 300)),
        replace(shot(), aim=Aim(10, 5, 10, 0, 3, 1050)),
        replace(shot(), loads=(Load(0),)),
        replace(shot(), loads=(Load(4, jammed=True),)),
        replace(shot(), loads=(Load(1),), long_burst=True),
        replace(shot(), condition=Condition(pilot_killed=True)),
    ):
        with pytest.raises(Illegal) as refusal:
            rule_on_fire(FireFacts(refused), BOOK, NoDice())
        assert refusal.value.rule_id
        assert refusal.value.field.startswith("firing.")


# ---- Jams


def test_a_long_burst_jams_once_in_six_whatever_it_hits():
    found = odds(shot(1, 2, long_burst=True))
    jammed = lambda one: bool(one.weapons_jammed)  # noqa: E731
    assert found.of(jammed) == Fraction(1, 6)
    for hits in range(6):
        p = found.of(lambda one, hits=hits: one.hits == hits)
        assert found.of(lambda one, hits=hits: one.hits == hits and jammed(one)) == p / 6


@pytest.mark.parametrize(
    ("penalty", "lost"), [("permanent", 1), ("each-jam", 1), ("until-cleared", 0)]
)
def test_what_a_jam_takes_comes_back_only_by_setting(penalty, lost):
    book = BOOK.with_settings({"jam_penalty": penalty})
    ruling = fire(shot(1, 8, long_burst=True), (1, 1), book)
    (gun,) = of_kind(GunChanged, ruling)
    turn = JamClearing("shooter", "fokker_d_vii", 0, (replace(gun.load, fired_this_phase=False),))
    cleared = damage(turn, (6,), book)
    assert lost_by("shooter", ruling, cleared) == lost
    (gun,) = of_kind(GunChanged, cleared)
    assert gun.load == Load(8, jammed_before=True)
    assert damage(turn, (5,), book).events == ()


# ---- Fires and leaks


@pytest.mark.parametrize(
    ("dive", "sixths"),
    [(Pose.LEVEL, 0), (Pose.SHALLOW_DIVE, 0), (Pose.STEEP_DIVE, 1), (Pose.POWER_DIVE, 2)],
)
def test_a_dive_puts_a_fire_out_as_often_as_the_page_says(dive, sixths):
    burning = FireAboard("target", "se5a", Condition(fire_points=2), dive=dive)
    found = odds_of(lambda dice: rule_on_damage(DamageFacts(burning), BOOK, dice).outcome)
    out = found.of(lambda one: Harm.FIRE_OUT in {e.harm for e in one.procedure.effects})
    assert out == Fraction(sixths, 6)


def leaking_turns(book):
    """In which turn a leaking engine seizes, as a distribution."""

    def leaks(dice):
        condition = with_effects(Condition(), leak_begins(Condition(), book, Trace(), dice))
        for turn in range(1, 8):
            condition = with_effects(condition, leak(condition, book, Trace(), dice))
            if condition.engine_seized:
                return turn
        return None

    return odds_of(leaks).outcomes


def test_a_leak_seizes_the_engine_by_the_sixth_turn():
    found = leaking_turns(BOOK)
    running = Fraction(1)
    for turn in range(1, 7):
        assert found[turn] == running * Fraction(turn, 6)
        running -= found[turn]
    assert running == 0
    assert 1 - found[1] - found[2] - found[3] == Fraction(60, 216), "register T21"


def test_by_setting_every_turn_of_a_leak_is_alike():
    book = BOOK.with_settings({"oil_leak": "one-die"})
    assert leaking_turns(book) == dict.fromkeys(range(1, 7), Fraction(1, 6))


def flying(id_="a", aeroplane="se5a", **more):
    return Aircraft(id_, aeroplane, "2012", HexDirection.EAST, 5000, 8, **more)


@given(
    st.sampled_from(["se5a", "fokker_dr_i", "sopwith_camel"]),
    st.integers(0, 8),
    st.integers(-10, 10),
)
def test_kinetic_energy_stays_between_nothing_and_the_allowance(aeroplane, ke, change):
    figures = BOOK.aircraft[aeroplane]
    ending = Ending(flying(aeroplane=aeroplane, ke=ke), ke_change=change)
    (one,) = worked(TurnEnd((ending,))).aircraft
    allowance = figures.over_speed_mp - figures.top_mp
    if change:
        assert one.ke == min(max(ke + change, 0), allowance)
    else:
        assert one.ke == ke


def test_the_end_of_a_turn_takes_each_step_for_all_before_the_next():
    burning = Condition(fire_points=1, oil_leak_turns=0)
    endings = tuple(
        Ending(flying(name, condition=burning), dive=Pose.STEEP_DIVE, ke_change=1) for name in "ab"
    )
    asked = []

    class Watched(DealtDice):
        def roll(self, ask):
            asked.append(ask.purpose)
            return super().roll(ask)

    rule_on_damage(DamageFacts(TurnEnd(endings)), BOOK, Watched((6, 5, 1, 6)))
    assert asked == ["fire-out", "fire-out", "oil-leak", "oil-leak"]


def test_who_burns_to_destruction_leaves_the_game():
    doomed = Condition(fire_points=2, damage_points=2)
    ending = Ending(flying(aeroplane="fokker_dr_i", condition=doomed, resolution=2))
    events = damage(TurnEnd((ending,))).events
    kinds = [type(event) for event in events]
    assert kinds == [Harmed, ResolutionChanged, PilotBroken, AircraftLeft]
    assert events[0].rule_id == "CIR-10.8"


@pytest.mark.parametrize("reading", ["offset", "plain"])
def test_what_a_trace_says_that_a_type_bears_is_what_it_bears(reading):
    book = BOOK.with_settings({"damage_limit": reading})
    for aeroplane in BOOK.aircraft.values():
        most = borne(aeroplane, book)
        assert not is_destroyed(aeroplane, Condition(damage_points=most), book)
        assert is_destroyed(aeroplane, Condition(damage_points=most + 1), book)


# ---- A campaign


@given(st.integers(-20, 30), st.integers(0, 6), st.integers(0, 5))
def test_a_pilot_begins_a_game_within_the_limits(resolution, kills, friends):
    record = PilotRecord("a", resolution, kills)
    (one,) = worked(Reckoning((record,), friends)).pilots
    assert one.resolution == min(max(resolution + kills + 1 - friends, 6), 18)
    assert one.change == one.resolution - resolution
