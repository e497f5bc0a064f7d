"""The firing clock of Flying Circus Plus: a slow twin of it, and what must hold for any two paths.

The twin is written from the register (2.1, HR-11, section 9) with times as fractions of the turn,
places in plain geometry, and nothing of the rules' own code.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import floor

import pytest
from chance import examples
from circus_plain import (
    MIDDLE,
    angle_off,
    around,
    at_most,
    crosses_slowly,
    moved_cloud,
    plus,
    touches,
    true_range,
)
from guncamera.rules.dealt import DealtDice
from guncamera.rules.hexes import DIRECTIONS, Hex
from guncamera.rules.refusal import Illegal
from guncamera.rules.trace import Trace, audit
from guncamera.rulesets.circus.aim import range_of
from guncamera.rulesets.circus.aircraft import (
    Aircraft,
    Condition,
    Manoeuvre,
    Mount,
    PathStep,
    Pose,
    Side,
)
from guncamera.rulesets.circus.book import load_book
from guncamera.rulesets.circus.clock import aimed, half_met, opportunities
from guncamera.rulesets.circus.facts import Aim, Aiming, Cloud, Firing, SpotFacts, Target, Track
from guncamera.rulesets.circus.map import hex_at, label
from guncamera.rulesets.circus.orders import Craft
from guncamera.rulesets.circus.outcomes import Aimed, End
from guncamera.rulesets.circus.spot import rule_on_spot
from hypothesis import event, given
from hypothesis import strategies as st

BOOK = load_book()
HANGS = (Pose.HAMMERHEAD, Pose.HANGING)
GUNS = (
    ("fokker_d_vii", Mount.FRONT),
    ("se5a", Mount.FRONT),
    ("bristol_f2b", Mount.FRONT),
    ("bristol_f2b", Mount.RING),
    ("fe2b", Mount.PIN),
    ("fe2b", Mount.PILLAR),
)
READINGS = {
    "front_arc": ("wedge", "row-and-yaw", "row", "wedge-touched"),
    "front_arc_alternate": ("row", "row-and-yaw", "wedge", "wedge-touched"),
    "ring_arc": ("not-ahead", "all-round"),
    "pin_arc": ("rear-half", "rear-sector"),
    "firing_clock": ("both-paths", "own-path"),
    "flexible_gun_vertical": ("no", "yes"),
    "blind_spots": ("by-crew", "none"),
    "front_pin_arc": ("front-half", "front-sector"),
    "between_rows": ("worked-out", "next-row"),
    "shot_moment": ("last", "nearest"),
    "vertical_nose": ("bear", "straight-only"),
    "hanging_target": ("any-point", "at-the-shot"),
}

CLOUDY = {
    "cloud_heights": ("base-to-top", "all"),
    "cloud_sides": ("hide", "clear"),
}
"""Beside them: the settings of the clouds, of which the twin knows the defaults only."""


# ---- Paths


class Flier:
    """Flies acts at random: a path like those of a move, without its limits."""

    def __init__(self, hex_, facing, feet):
        self.hex, self.facing, self.feet, self.mp = hex_, facing, feet, 0
        self.steps = [self._step(Pose.LEVEL)]

    def _step(self, pose):
        return PathStep(self.mp, label(self.hex), self.facing, self.feet, pose)

    def act(self, cost, pose, *, forward=0, turn=0, feet=0):
        self.hex = self.hex.step(self.facing, forward)
        self.facing = self.facing.turned(turn)
        self.feet += feet
        self.mp += cost
        self.steps.append(self._step(pose))

    def hang(self, pose, way_out, *, in_one):
        """Six points in the hex ahead, noted one by one or as one act; then perhaps out."""
        self.hex = self.hex.step(self.facing)
        for cost in (6,) if in_one else (1,) * 6:
            self.act(cost, pose)
        if way_out is not None:
            self.facing = self.facing.turned(way_out)
            self.act(0, Pose.MANOEUVRING, forward=1)

    def power_dive(self, points):
        self.act(1, Pose.POWER_DIVE, forward=1)
        for _ in range(points):
            self.act(1, Pose.POWER_DIVE, feet=-200)


ACTS = {
    "ahead": lambda one, n: [one.act(1, Pose.LEVEL, forward=1) for _ in range(1 + n)],
    "climb": lambda one, n: one.act(1, Pose.CLIMBING, forward=1, feet=50 * (n % 3)),
    "turn": lambda one, n: one.act(n % 4, Pose.LEVEL, turn=1 if n % 2 else -1),
    "slip": lambda one, n: one.act(2, Pose.MANOEUVRING, forward=1, feet=-50),
    "loop": lambda one, n: one.act(2 + 2 * (n % 3), Pose.MANOEUVRING, forward=-(n % 3)),
    "reversal": lambda one, n: one.act(6, Pose.MANOEUVRING, forward=1, turn=3, feet=100),
    "hammerhead": lambda one, n: one.hang(Pose.HAMMERHEAD, n, in_one=n % 2),
    "hang": lambda one, n: one.hang(Pose.HANGING, None, in_one=n % 2),
    "power dive": lambda one, n: one.power_dive(1 + n),
    "steep dive": lambda one, n: one.act(2, Pose.STEEP_DIVE, forward=1, feet=-150),
}
acts = st.tuples(st.sampled_from(sorted(ACTS)), st.integers(0, 5))
wide = st.tuples(
    st.integers(-5, 5), st.integers(-5, 5), st.sampled_from(DIRECTIONS), st.integers(60, 80)
)
close = st.tuples(
    st.integers(-1, 1), st.integers(-1, 1), st.sampled_from(DIRECTIONS[:2]), st.integers(60, 66)
)
starts = wide | close


def flown(start, plot):
    q, r, facing, height = start
    flier = Flier(plus(MIDDLE, Hex(q, r)), facing, 50 * height)
    for act, number in plot:
        before = flier.mp, len(flier.steps)
        ACTS[act](flier, number)
        if flier.mp > 20:
            flier.steps = flier.steps[: before[1]]
            break
    return tuple(flier.steps)


flights = st.builds(flown, starts, st.lists(acts, min_size=1, max_size=7))
clouds = st.builds(
    lambda q, r, base, deep: Cloud(label(plus(MIDDLE, Hex(q, r))), 50 * base, 50 * (base + deep)),
    st.integers(-3, 3),
    st.integers(-3, 3),
    st.integers(50, 75),
    st.integers(1, 12),
)
layers = st.just(()) | st.lists(clouds, max_size=3).map(tuple)
readings = st.fixed_dictionaries(
    {name: st.sampled_from(choices) for name, choices in READINGS.items()}
)


when = st.sampled_from(("together", "together", "shooter moves", "target moves"))


def aiming(gun, shooter, target, layer, simultaneous, killed):
    """Facts; in alternate turns the one or the other stands where its path ends."""
    if simultaneous == "target moves":
        shooter = (replace(shooter[-1], mp=0),)
    if simultaneous == "shooter moves":
        target = (replace(target[-1], mp=0),)
    return Aiming(
        aeroplane=gun[0],
        mount=gun[1],
        shooter=Track(shooter),
        target=Track(target),
        simultaneous=simultaneous == "together",
        gunner_killed=killed,
        clouds=layer,
    )


aims = st.builds(
    aiming,
    st.sampled_from(GUNS),
    flights,
    flights,
    layers,
    when,
    st.booleans(),
)


def stacked(gun, act, more, higher, layer, simultaneous):
    """One goes up or down, or past, in a hex where the other flies or stands above or below."""
    shooter = flown((-1, 0, DIRECTIONS[0], 70), [act, *more])
    target = flown((-1, 0, DIRECTIONS[0], 70 + higher), [("ahead", 0)])
    return aiming(gun, shooter, target, layer, simultaneous, killed=False)


over_and_under = st.builds(
    stacked,
    st.sampled_from((*GUNS[:1] * 3, *GUNS[1:4])),
    st.tuples(st.sampled_from(("hang", "hammerhead", "power dive", "ahead")), st.integers(0, 5)),
    st.lists(acts, max_size=1),
    st.integers(-22, 22),
    layers,
    when,
)


def chased(gun, behind, aside, lower, killed):
    """A two-seater with an enemy behind it, who flies as it does."""
    shooter = flown((0, 0, DIRECTIONS[0], 70), [("ahead", 3), ("ahead", 1)])
    start = (-behind, aside, DIRECTIONS[0], 70 - lower)
    return aiming(
        gun, shooter, flown(start, [("ahead", 3), ("climb", 1)]), (), "together", killed=killed
    )


chases = st.builds(
    chased,
    st.sampled_from((GUNS[3], GUNS[5])),
    st.integers(0, 6),
    st.integers(-2, 2),
    st.integers(0, 6),
    st.booleans(),
)


# ---- The twin


def place(step):
    return hex_at(step.hex, BOOK, "hex", anywhere=True)


def seen_after(path, points):
    """Where an aircraft is seen once it has completed so many points, and its pose."""
    for before, step in pairwise(path):
        if step.pose in HANGS and before.mp < points <= step.mp:
            return step
    last = [step for step in path if step.mp <= points][-1]
    return last if last.mp == points else replace(last, pose=Pose.MANOEUVRING)


def bears(facts, book, one, other):
    """Whether the guns bear, by angles."""
    here, there = place(one), place(other)
    hexes, mount, chosen = here.distance(there), facts.mount, book.settings
    higher = other.altitude_feet - one.altitude_feet
    if hexes == 0 and mount != Mount.FRONT:
        return chosen.flexible_gun_vertical == "yes"
    if hexes == 0:
        can = book.aircraft[facts.aeroplane].manoeuvres
        up = one.pose == Pose.HANGING and Manoeuvre.PROPELLER_HANG in can
        down = one.pose == Pose.POWER_DIVE and Manoeuvre.POWER_DIVE in can
        return facts.shooter.path[-1].mp > 0 and (up if higher > 0 else down)
    off = angle_off(one.facing, here, there)
    upright = one.pose in (Pose.HANGING, Pose.POWER_DIVE)
    if mount == Mount.FRONT and upright and chosen.vertical_nose == "straight-only":
        return False
    if mount == Mount.FRONT:
        arc = chosen.front_arc if facts.simultaneous else chosen.front_arc_alternate
        yaws = hexes >= 6 and here.step(one.facing, hexes).distance(there) == 1
        if arc == "row-and-yaw":
            return at_most(off, 0) or yaws
        if arc == "wedge-touched":
            return touches(one.facing, here, there, 15)
        return at_most(off, {"row": 0, "wedge": 15}[arc])
    if mount == Mount.RING:
        return chosen.ring_arc == "all-round" or not at_most(off, 45)
    if mount == Mount.PIN and chosen.front_pin_arc == "front-sector":
        return at_most(off, 60)
    if mount == Mount.PIN:
        return not at_most(180 - off, 90)
    return at_most(180 - off, 60) if chosen.pin_arc == "rear-sector" else not at_most(off, 90)


def range_between(facts, book, one, other):
    """The range, 0 where the target does not count."""
    here, there = place(one), place(other)
    hexes, feet = here.distance(there), abs(other.altitude_feet - one.altitude_feet)
    row = -(-feet // 200) * 200 if book.settings.between_rows == "next-row" else feet
    found = true_range(hexes, row)
    if feet > 1000 or not 1 <= found <= 8 or hexes > 8 or not bears(facts, book, one, other):
        return 0
    line = (here, one.altitude_feet, there, other.altitude_feet)
    return 0 if any(crosses_slowly(*line, cloud) for cloud in facts.clouds) else found


def is_blind(facts, book, one, other):
    here, there = place(one), place(other)
    hexes, behind = here.distance(there), 180 - angle_off(one.facing, here, there)
    if book.settings.blind_spots == "none" or other.altitude_feet >= one.altitude_feet:
        return False
    if hexes == 0:
        return facts.mount != Mount.FRONT  # front guns bear there in a power dive only
    if book.aircraft[facts.aeroplane].crew == 2 and not facts.gunner_killed:
        return at_most(behind, 0) and hexes <= 3
    return at_most(behind, 30)


def hangs_held(path, whole, counted):
    """Counted points of each hang of a move, the most first; a hang is six points in its hex."""
    ends, before = [], path[0]
    for step in path[1:]:
        if step.pose in HANGS:
            begins = not ends or step.hex != ends[-1][0] or before.mp >= ends[-1][1]
            if begins:
                ends.append((step.hex, before.mp + 6))
        before = step
    held = [0] * len(ends)
    for time, one, _, _ in counted:
        if one.pose in HANGS:
            point = time * whole
            held[next(at for at, (_, end) in enumerate(ends) if point <= end)] += 1
    return sorted((points for points in held if points), reverse=True)


def aimed_slowly(facts, book):
    """As the register counts: each point at its time, and both where they are at that time."""
    mine, theirs = facts.shooter.path, facts.target.path
    spent = mine[-1].mp, theirs[-1].mp
    flies = facts.simultaneous and book.settings.firing_clock == "both-paths"

    def seen(path, whole, time, own):
        if not own and not flies:
            return path[-1]
        return seen_after(path, floor(time * whole))

    counted = {"own": [], "target": []}
    for clock, whole in zip(counted, spent):
        for i in range(1, whole + 1):
            time = Fraction(i, whole)
            one = seen(mine, spent[0], time, clock == "own")
            other = seen(theirs, spent[1], time, clock == "target")
            found = range_between(facts, book, one, other)
            if found:
                counted[clock].append((time, one, other, found))
    own, target = counted["own"], counted["target"]
    of_each = hangs_held(mine, spent[0], own)
    hangs, others = (of_each[0], of_each[1:]) if of_each else (0, ())
    idle = sum(points - 3 for points in others if points > 3)
    may_count = len(own) - sum(of_each) + sum(min(points, 3) for points in of_each)
    half = spent[0] > 0 and 2 * may_count >= spent[0]
    half = half or (spent[1] > 0 and 2 * len(target) >= spent[1])
    if not own and not target:
        return Aimed(False, spent[0], 0, 0, spent[1], 0, 0, 0, 0)
    shots = target + own
    if book.settings.shot_moment == "nearest":
        nearest = min(seen[3] for seen in shots)
        shots = [seen for seen in shots if seen[3] == nearest]
    _, one, other, found = max(shots, key=lambda seen: (seen[0], seen in own))
    at_any_point = book.settings.hanging_target == "any-point"
    targets = [seen[2] for seen in own + target] if at_any_point else [other]
    hexes = place(one).distance(place(other))
    blind = is_blind(facts, book, one, other)
    return Aimed(
        may_fire=half and not blind,
        own_mp=spent[0],
        own_mp_in_arc=len(own) - idle,
        own_hang_mp_in_arc=hangs,
        target_mp=spent[1],
        target_mp_in_arc=len(target),
        hexes=hexes,
        height_difference_feet=other.altitude_feet - one.altitude_feet,
        range_hexes=found,
        vertical=hexes == 0 and facts.mount == Mount.FRONT,
        target_hanging=any(seen.pose in HANGS for seen in targets),
        target_in_blind_spot=blind,
    )


# ---- One pair


@given(aims | chases, readings)
@examples(200)
def test_the_clock_counts_as_its_slow_twin_does(facts, chosen):
    book = BOOK.with_settings(chosen)
    found = aimed(facts, (), book)
    event(f"may fire: {found.may_fire}")
    event(f"counted: {found.range_hexes > 0}, in a blind spot: {found.target_in_blind_spot}")
    assert found == aimed_slowly(facts, book)


@given(over_and_under, readings)
@examples(100)
def test_it_counts_so_in_one_hex_too(facts, chosen):
    book = BOOK.with_settings(chosen)
    found = aimed(facts, (), book)
    event(f"counted: {found.range_hexes > 0}, vertical: {found.vertical}")
    event(f"hangs: {found.own_hang_mp_in_arc}, in a blind spot: {found.target_in_blind_spot}")
    assert found == aimed_slowly(facts, book)


@given(aims, readings, st.integers(0, 5), st.booleans())
@examples(60)
def test_turning_or_mirroring_the_map_changes_nothing(facts, chosen, sixths, mirror):
    book = BOOK.with_settings(chosen)
    moved, faced = around(sixths, mirror=mirror)

    def turned(track):
        return Track(
            tuple(
                replace(step, hex=label(moved(place(step))), facing=faced(step.facing))
                for step in track.path
            )
        )

    other = replace(
        facts,
        shooter=turned(facts.shooter),
        target=turned(facts.target),
        clouds=tuple(moved_cloud(cloud, moved) for cloud in facts.clouds),
    )
    assert aimed(other, (), book) == aimed(facts, (), book)


@given(aims, layers)
@examples(60)
def test_more_clouds_and_narrower_arcs_never_count_more(facts, more):
    def counts(facts, book):
        found = aimed(facts, (), book)
        return found.own_mp_in_arc, found.target_mp_in_arc

    def holds(fewer, more):
        return all(one <= other for one, other in zip(fewer, more))

    clear = counts(replace(facts, clouds=()), BOOK)
    here = counts(facts, BOOK)
    assert holds(counts(replace(facts, clouds=facts.clouds + more), BOOK), here)
    assert holds(here, clear)
    for name in ("front_arc", "front_arc_alternate"):
        row, yaw, wedge = (
            counts(facts, BOOK.with_settings({name: arc}))
            for arc in ("row", "row-and-yaw", "wedge")
        )
        assert holds(row, yaw)
        assert holds(yaw, wedge)
    assert holds(here, counts(facts, BOOK.with_settings({"ring_arc": "all-round"})))
    assert holds(counts(facts, BOOK.with_settings({"pin_arc": "rear-sector"})), here)


@given(aims | over_and_under, readings)
@examples(60)
def test_what_the_clock_allows_the_shot_allows_at_the_same_range(facts, chosen):
    book = BOOK.with_settings(chosen)
    found = aimed(facts, (), book)
    shot = Firing(
        shooter="a1",
        aeroplane=facts.aeroplane,
        mount=facts.mount,
        aim=Aim(
            own_mp=found.own_mp,
            own_mp_in_arc=found.own_mp_in_arc,
            target_mp=found.target_mp,
            target_mp_in_arc=found.target_mp_in_arc,
            hexes=found.hexes,
            height_difference_feet=found.height_difference_feet,
            own_hang_mp_in_arc=found.own_hang_mp_in_arc,
            vertical=found.vertical,
        ),
        target=Target("b1", "se5a"),
        in_blind_spot=found.target_in_blind_spot,
    )
    if found.may_fire:
        assert range_of(shot, book, Trace()) == found.range_hexes
    else:
        with pytest.raises(Illegal):
            range_of(shot, book, Trace())


@given(aims | over_and_under, readings)
@examples(100)
def test_a_setting_is_named_where_another_choice_would_count_otherwise(facts, chosen):
    names_what_decides(facts, chosen, READINGS)


def cloudy(facts, at, sixths, feet):
    """The same, with a cloud over a hex of a path or beside it, high or low."""
    steps = facts.shooter.path + facts.target.path
    over = place(steps[at % len(steps)])
    hex_ = over.step(DIRECTIONS[sixths]) if sixths < len(DIRECTIONS) else over
    return replace(facts, clouds=(Cloud(label(hex_), feet, feet + 300),))


heights = st.integers(2800, 4200)


@given(st.builds(cloudy, aims | chases | chases, st.integers(0, 40), st.integers(0, 6), heights))
@examples(200)
def test_a_cloud_is_named_where_it_decides_however_near_it_is(facts):
    names_what_decides(facts, {}, CLOUDY)


@pytest.mark.parametrize("act", ["hang", "power dive"])
@pytest.mark.parametrize("reading", READINGS["vertical_nose"])
def test_a_nose_that_points_up_or_down_is_named_where_it_decides(act, reading):
    shooter = flown((-1, 0, DIRECTIONS[0], 70), [(act, 3)])
    target = flown((1, 0, DIRECTIONS[0], 68), [("ahead", 0)])
    facts = aiming(GUNS[0], shooter, target, (), "together", killed=False)
    others = [BOOK.with_settings({"vertical_nose": one}) for one in READINGS["vertical_nose"]]
    assert len({aimed(facts, (), other) for other in others}) == 2
    names_what_decides(facts, {"vertical_nose": reading}, READINGS)


def names_what_decides(facts, chosen, settings):
    """Of some settings the trace names those under whose other choices the clock finds else."""
    book = BOOK.with_settings(chosen)
    ruling = rule_on_spot(SpotFacts(facts), book, DealtDice(()))
    assert ruling.outcome.procedure == aimed(facts, (), book)
    assert audit(ruling.trace, book.tables) == []
    named = {line.name for line in ruling.trace if type(line).__name__ == "SettingLine"}
    for name, choices in settings.items():
        others = [BOOK.with_settings({**chosen, name: choice}) for choice in choices]
        decides = len({aimed(facts, (), other) for other in others}) > 1
        assert (name in named) == decides, name


@pytest.mark.parametrize(
    ("spent", "in_arc", "hanging", "may"),
    [
        (10, 5, 0, True), (10, 4, 0, False), (9, 5, 0, True), (9, 4, 0, False), (6, 6, 6, True),
        (7, 6, 6, False), (7, 7, 6, True), (0, 0, 0, False), (6, 3, 3, True), (8, 5, 4, True),
    ],
)  # fmt: skip
def test_half_of_the_points(spent, in_arc, hanging, may):
    """T18, and that at most three points of a hang count for who hangs."""
    assert half_met(spent, in_arc, hanging, 0, 0, BOOK) is may
    assert half_met(0, 0, 0, spent, in_arc, BOOK) is (2 * in_arc >= spent > 0)


# ---- A whole phase


TYPES = ("fokker_d_vii", "bristol_f2b", "fe2b", "se5a", "halberstadt_cl_ii")


def craft_of(type_, path, end, killed):
    last = path[-1]
    aircraft = Aircraft(
        id="",
        aeroplane=type_,
        hex=last.hex,
        facing=last.facing,
        altitude_feet=last.altitude_feet,
        speed_mp=8,
        condition=Condition(gunner_killed=killed),
    )
    return Craft(Side.FIRST, aircraft, path, end=End.LANDED if end else None)


crafts = st.builds(
    craft_of,
    st.sampled_from(TYPES),
    flights,
    st.integers(0, 9).map(lambda n: n == 0),
    st.booleans(),
)
fields = st.lists(crafts, min_size=2, max_size=6)


def named(field, names, sides):
    return [
        replace(one, side=side, aircraft=replace(one.aircraft, id=name))
        for one, name, side in zip(field, names, sides)
    ]


def all_slowly(field, layer, acting_side):
    """Every shot, one pair after the other."""
    found = []
    flying = [craft for craft in field if craft.end is None]
    for one in flying:
        aeroplane = BOOK.aircraft[one.aircraft.aeroplane]
        for mount in dict.fromkeys(weapon.mount for weapon in aeroplane.weapons):
            for other in flying:
                if other.side == one.side:
                    continue
                facts = Aiming(
                    aeroplane=aeroplane.type,
                    mount=mount,
                    shooter=track(one, acting_side),
                    target=track(other, acting_side),
                    simultaneous=acting_side is None,
                    gunner_killed=one.aircraft.condition.gunner_killed,
                    clouds=layer,
                )
                aim = aimed_slowly(facts, BOOK)
                if aim.may_fire:
                    found.append((one.aircraft.id, other.aircraft.id, mount, aim))
    return found


def track(craft, acting_side):
    if acting_side in (None, craft.side):
        return Track(craft.path)
    last = craft.path[-1]
    return Track((replace(last, mp=0),))


def as_found(one):
    aim = Aimed(
        may_fire=True,
        own_mp=one.own_mp,
        own_mp_in_arc=one.own_mp_in_arc,
        own_hang_mp_in_arc=one.own_hang_mp_in_arc,
        target_mp=one.target_mp,
        target_mp_in_arc=one.target_mp_in_arc,
        hexes=one.hexes,
        height_difference_feet=one.height_difference_feet,
        range_hexes=one.range_hexes,
        vertical=one.vertical,
        target_hanging=one.target_hanging,
    )
    return one.shooter, one.target, one.mount, aim


@given(fields, layers, st.sampled_from((None, Side.FIRST, Side.SECOND)))
@examples(60)
def test_the_shots_of_a_phase_are_those_of_all_pairs(field, layer, acting_side):
    sides = [Side.FIRST if at % 2 else Side.SECOND for at in range(len(field))]
    ready = named(field, "abcdef", sides)
    found = opportunities(ready, layer, BOOK, acting_side=acting_side)
    event(f"shots: {min(len(found), 3)}")
    assert [as_found(one) for one in found] == all_slowly(ready, layer, acting_side)


@given(fields, layers, st.randoms(use_true_random=False), st.booleans())
@examples(60)
def test_names_sides_and_order_decide_nothing(field, layer, random, together):
    sides = [Side.FIRST if at % 2 else Side.SECOND for at in range(len(field))]
    swapped = [Side.SECOND if side == Side.FIRST else Side.FIRST for side in sides]
    one = named(field, "abcdef", sides)
    other = named(field, "uvwxyz", swapped)
    random.shuffle(other)
    acting, opposite = (None, None) if together else (Side.FIRST, Side.SECOND)
    names = dict(zip("uvwxyz", "abcdef"))
    found = opportunities(one, layer, BOOK, acting_side=acting)
    renamed = [
        replace(shot, shooter=names[shot.shooter], target=names[shot.target])
        for shot in opportunities(other, layer, BOOK, acting_side=opposite)
    ]
    assert sorted(renamed, key=str) == sorted(found, key=str)
