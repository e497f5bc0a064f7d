"""The panel of the picture: aircraft, the ways they flew, their shots, and their words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from guncamera.rules.hexes import Hex, HexDirection
from guncamera.rules.svg import Point, number, text
from guncamera.rules.words import LEAST, cut, width_of
from guncamera.rulesets.circus.aircraft import Pose
from guncamera.rulesets.circus.book import CircusBook
from guncamera.rulesets.circus.orders import Craft, View
from guncamera.rulesets.circus.picture_map import (
    Window,
    edge_lines,
    ground,
    hex_of,
    labels,
    window_around,
)
from guncamera.rulesets.circus.picture_place import (
    CHIP_COST,
    COUNT_COST,
    PIECE_COST,
    Box,
    Room,
    apart,
    aside,
    dots_between,
    spread,
    toward,
)
from guncamera.rulesets.circus.picture_words import flight, state_of

SMALLEST_PIECE, PIECE_SHARE, SHARED_SHARE = 20.0, 0.96, 0.68
NEAREST_SHARE, CROSS_SIZE = 0.66, 16.0
CHIP_ROOM, CHIP_HEIGHT, MARK_WIDTH = 92, 28.0, 12.0
DOT_EVERY = 12.0
CLOUD_WORDS_HEX = 38
SHOT_ASIDE, COUNT_RADIUS = 6.0, 9.0
SUN_FROM_SIDE, SUN_HALF = 15.0, 12.0


@dataclass(frozen=True, slots=True)
class Actor:
    """An aircraft, and where it is drawn."""

    craft: Craft
    at: Point
    size: float

    @property
    def side(self) -> str:
        """Its side, which is its style."""
        return self.craft.side.value


def marks_of(craft: Craft) -> list[str]:
    """The signs that an aircraft bears beside its name."""
    condition = state_of(craft)
    signs = {
        "fire": condition.fire_points > 0,
        "broken": craft.broken,
        "damage": condition.damage_points > 0 or condition.structure_marks > 0,
        "leak": condition.oil_leak_turns is not None and not condition.engine_seized,
        "hanging": craft.aircraft.hanging,
        "plunging": craft.dive in (Pose.STEEP_DIVE, Pose.POWER_DIVE),
    }
    return [name for name, borne in signs.items() if borne]


def panel(view: View, top: float, book: CircusBook) -> tuple[str, Window]:
    """The panel with everything in it, and which part of the map it shows."""
    window = window_around(_of_interest(view, book), top, book)
    actors = _actors(view, window, book)
    room = Room(window)
    sun = _sun_place(view, window)
    if sun is not None:
        room.take(Box(sun, SUN_HALF, SUN_HALF), CHIP_COST)
    for actor in actors:
        room.take(Box(actor.at, actor.size / 2, actor.size / 2), PIECE_COST)
    ways = [_way(actor, window, room, book) for actor in actors if actor.craft.end is None]
    shots = _shots(view, actors, room)
    tied = [_chip(actor, room) for actor in actors]
    heights = [_start_height(actor, window, room, book) for actor in actors]
    x, y = number(window.corner.x), number(window.corner.y)
    wide, high = number(window.width), number(window.height)
    drawn = [
        ground(window, view.clouds, book),
        edge_lines(window, view, book),
        *_names(view, window, room, book),
        *ways,
        _bearings(view, actors),
        *(piece(actor) for actor in sorted(actors, key=lambda a: a.craft.end is None)),
        shots,
        *heights,
        "" if sun is None else _sun(sun),
        *(tie for tie, _ in tied),
        *(chip for _, chip in tied),
        f'<rect class="rim" x="{x}" y="{y}" width="{wide}" height="{high}"/>',
    ]
    return "".join(drawn), window


def _of_interest(view: View, book: CircusBook) -> list[Hex]:
    """The hexes that must be seen: aircraft and their ways, and what was just shot at."""
    at_last = {id_ for shot in view.shots for id_ in (shot.shooter, shot.target)}
    flying = [craft for craft in view.craft if craft.end is None]
    shown = [c for c in view.craft if c.end is None or c.aircraft.id in at_last or not flying]
    found = [hex_of(craft.aircraft.hex, book) for craft in shown]
    found += [hex_of(step.hex, book) for craft in flying for step in craft.path]
    return found


def _actors(view: View, window: Window, book: CircusBook) -> list[Actor]:
    """The aircraft in the panel; lost ones where they were last."""
    size = max(SMALLEST_PIECE, PIECE_SHARE * window.hex_width)
    flying = [craft for craft in view.craft if craft.end is None]
    lost = [craft for craft in view.craft if craft.end is not None]
    hexes = [hex_of(craft.aircraft.hex, book) for craft in flying]
    shared = Counter(hexes)
    found = [
        Actor(craft, window.kept(at, size / 2, size / 2), size * _share(shared[hex_]))
        for craft, hex_, at in zip(flying, hexes, spread(hexes, window, size * NEAREST_SHARE))
    ]
    crosses = (window.centre(hex_of(craft.aircraft.hex, book)) for craft in lost)
    found += [Actor(craft, at, CROSS_SIZE) for craft, at in zip(lost, crosses)]
    return [actor for actor in found if _is_shown(actor, window)]


def _share(in_hex: int) -> float:
    """How much smaller an aircraft is drawn in a hex with others."""
    return SHARED_SHARE if in_hex > 1 else 1.0


def _is_shown(actor: Actor, window: Window) -> bool:
    """Every aircraft that flies is; a cross may lie outside the panel."""
    half = actor.size / 2
    return actor.craft.end is None or window.holds(actor.at, half, half)


# ---- Pieces and ways


def piece(actor: Actor) -> str:
    """An aircraft turned the way it faces, or a cross where it was lost."""
    if actor.craft.end is not None:
        return _used("cross", f"lost {actor.side}", actor.at, actor.size / 9)
    condition = state_of(actor.craft)
    body = aircraft_shape(actor.side, actor.at, actor.craft.aircraft.facing, actor.size)
    if not condition.fire_points:
        return body
    tail = _step(actor.at, actor.craft.aircraft.facing.opposite(), actor.size * 0.3)
    return body + _used("fire-mark", "blaze", tail, actor.size / 22)


def aircraft_shape(side: str, at: Point, facing: HexDirection, size: float) -> str:
    """The first side's aircraft is solid, the second's an outline."""
    width = 5.0 if side == "first" else 9.0
    return (
        f'<use href="#cir-aircraft" class="piece {side}" stroke-width="{number(width)}" '
        f'transform="translate({number(at.x)} {number(at.y)}) rotate({-60 * facing.facing}) '
        f'scale({number(size / 100)})"/>'
    )


def _used(name: str, style: str, at: Point, scale: float) -> str:
    return (
        f'<use href="#cir-{name}" class="{style}" transform="translate({number(at.x)} '
        f'{number(at.y)}) scale({number(scale)})"/>'
    )


def _step(at: Point, direction: HexDirection, length: float) -> Point:
    """A place so far away in a direction of the map."""
    ahead = Hex(0, 0).step(direction)
    return Point(at.x + (ahead.q + ahead.r / 2) * length, at.y + ahead.r * 0.866 * length)


def _way(actor: Actor, window: Window, room: Room, book: CircusBook) -> str:
    """The way of the last move, with a sign at each hex for how it was flown there."""
    stands = _stands(actor, window, book)
    if len(stands) < 2:
        return ""
    points = [at for at, _ in stands[:-1]] + [actor.at]
    line = "L".join(f"{number(at.x)} {number(at.y)}" for at in points)
    drawn = [f'<path class="way {actor.side}" d="M{line}"/>']
    for start, end in pairwise(points):
        for dot in dots_between(start, end, DOT_EVERY):
            room.dot(dot)
    drawn += [step_sign(pose, actor.side, at) for at, pose in stands[:-1]]
    return "".join(drawn)


def _stands(actor: Actor, window: Window, book: CircusBook) -> list[tuple[Point, Pose]]:
    """The hexes of the last move, each once in a row, with the last pose in it."""
    found: list[tuple[str, Pose]] = []
    for step in actor.craft.path:
        if found and found[-1][0] == step.hex:
            found.pop()
        found.append((step.hex, step.pose))
    return [(window.centre(hex_of(name, book)), pose) for name, pose in found]


def step_sign(pose: Pose, side: str, at: Point) -> str:
    """The sign of a pose; those of shallow dives and hangs are open."""
    hollow = " open" if pose in (Pose.SHALLOW_DIVE, Pose.HANGING) else ""
    return _used(pose.value, f"step{hollow} {side}", at, 1)


def _start_height(actor: Actor, window: Window, room: Room, book: CircusBook) -> str:
    """The height at which the last move began, where there is room and it was another."""
    path = actor.craft.path
    if actor.craft.end is not None or not path:
        return ""
    if path[0].altitude_feet == actor.craft.aircraft.altitude_feet:
        return ""
    words = f"{path[0].altitude_feet:,}"
    half = width_of(words, LEAST) / 2
    at = room.beside(window.centre(hex_of(path[0].hex, book)), 4, half, 6)
    box = Box(at, half, 6)
    if not room.is_free(box):
        return ""
    room.take(box, CHIP_COST)
    return text(Point(at.x, at.y + 4), words, "ruler", "middle")


# ---- Words


def _chip(actor: Actor, room: Room) -> tuple[str, str]:
    """Id, signs, height and speed, with the line to them; of a lost aircraft the id only."""
    craft = actor.craft
    if craft.end is not None:
        return "", _lost_name(actor, room)
    marks = marks_of(craft)
    name = cut(craft.aircraft.id, CHIP_ROOM - MARK_WIDTH * len(marks), LEAST, bold=True)
    below = flight(craft)
    named = width_of(name, LEAST, bold=True)
    half = max(named + MARK_WIDTH * len(marks), width_of(below, LEAST)) / 2 + 5
    at = room.beside(actor.at, actor.size / 2, half, CHIP_HEIGHT / 2)
    room.take(Box(at, half, CHIP_HEIGHT / 2), CHIP_COST)
    left, top = at.x - half, at.y - CHIP_HEIGHT / 2
    drawn = [
        f'<rect class="chip {actor.side}" x="{number(left)}" y="{number(top)}" rx="4" '
        f'width="{number(2 * half)}" height="{number(CHIP_HEIGHT)}"/>',
        text(Point(left + 5, top + 12), name, f"tag {actor.side} strong"),
        text(Point(left + 5, top + 24), below, f"tag {actor.side}"),
    ]
    for nth, mark in enumerate(marks):
        spot = Point(left + 11 + named + MARK_WIDTH * nth, top + 8)
        drawn.append(_used(f"{mark}-mark", f"mark {actor.side}", spot, 0.8))
    return _tie(actor, at, half), "".join(drawn)


def _lost_name(actor: Actor, room: Room) -> str:
    words = cut(actor.craft.aircraft.id, CHIP_ROOM, LEAST)
    half = width_of(words, LEAST) / 2
    at = room.beside(actor.at, actor.size / 2, half, 6)
    room.take(Box(at, half, 6), CHIP_COST)
    return text(Point(at.x, at.y + 4), words, f"ruler {actor.side}-words", "middle")


def _tie(actor: Actor, chip: Point, half: float) -> str:
    """A line from an aircraft to its words, where they stand apart."""
    dx, dy = abs(chip.x - actor.at.x), abs(chip.y - actor.at.y)
    if dx < half + actor.size * 0.75 and dy < CHIP_HEIGHT / 2 + actor.size * 0.75:
        return ""
    start = toward(actor.at, chip, actor.size / 2)
    return (
        f'<path class="tie" d="M{number(start.x)} {number(start.y)}'
        f'L{number(chip.x)} {number(chip.y)}"/>'
    )


def _names(view: View, window: Window, room: Room, book: CircusBook) -> Iterator[str]:
    """The labels of hexes and the heights of clouds, where nothing hides them."""
    for at, drawn in labels(window, book):
        box = Box(Point(at.x, at.y - 4), 12, 4)
        if sum(box.overlap(other) for other, cost in room.taken if cost > COUNT_COST) < 20:
            yield drawn
    if window.hex_width < CLOUD_WORDS_HEX:
        return
    for cloud in view.clouds:
        at = window.centre(hex_of(cloud.hex, book))
        at = Point(at.x, at.y + 0.32 * window.hex_width)
        if window.holds(at, 16, 8) and room.is_free(Box(at, 14, 5)):
            words = f"{cloud.base_feet // 100}–{cloud.top_feet // 100}"
            yield text(Point(at.x, at.y + 4), words, "haze", "middle")


# ---- Shots


def _shots(view: View, actors: list[Actor], room: Room) -> str:
    """Each shot of the last fire phase: an arrow with its hits, in a star if one was critical."""
    by_id = {actor.craft.aircraft.id: actor for actor in actors}
    drawn = []
    fired: Counter[frozenset[str]] = Counter()
    for shot in view.shots:
        shooter, target = by_id.get(shot.shooter), by_id.get(shot.target)
        if shooter is None or target is None:
            continue
        pair = frozenset((shot.shooter, shot.target))
        fired[pair] += 1
        nth = fired[pair]
        start, end = aside(shooter.at, target.at, SHOT_ASIDE * (nth + 1) // 2)
        start = toward(start, end, shooter.size * 0.35)
        end = toward(end, start, min(target.size * 0.35, apart(start, end) / 2))
        drawn.append(arrow(start, end))
        middle = toward(start, end, apart(start, end) * 0.45)
        spot = room.beside(middle, 0, COUNT_RADIUS, COUNT_RADIUS)
        if apart(middle, spot) > 26:
            spot = middle
        room.take(Box(spot, COUNT_RADIUS + 1, COUNT_RADIUS + 1), COUNT_COST)
        drawn.append(_count(spot, shot.hits, critical=shot.critical))
    return "".join(drawn)


def arrow(start: Point, end: Point) -> str:
    """A line with a head."""
    neck = toward(end, start, min(8.0, apart(start, end)))
    left, right = aside(neck, end, 4)[0], aside(neck, end, -4)[0]
    head = "L".join(f"{number(at.x)} {number(at.y)}" for at in (end, left, right))
    return (
        f'<path class="shot" d="M{number(start.x)} {number(start.y)}'
        f'L{number(neck.x)} {number(neck.y)}"/><path class="dart" d="M{head}Z"/>'
    )


def _count(at: Point, hits: int, *, critical: bool) -> str:
    """How many hits there were, on a disc or on a star."""
    words = Point(at.x, at.y + 4)
    if critical:
        return _used("star", "critical", at, 1.3) + text(
            words, str(hits), "count critical", "middle"
        )
    return (
        f'<circle class="hit" cx="{number(at.x)}" cy="{number(at.y)}" r="{COUNT_RADIUS - 1}"/>'
        + text(words, str(hits), "count", "middle")
    )


def _bearings(view: View, actors: list[Actor]) -> str:
    """The shots that may still be fired, each pair once."""
    by_id = {actor.craft.aircraft.id: actor for actor in actors}
    drawn = []
    for one, other in dict.fromkeys((o.shooter, o.target) for o in view.opportunities):
        shooter, target = by_id.get(one), by_id.get(other)
        if shooter is None or target is None:
            continue
        start = toward(shooter.at, target.at, shooter.size * 0.5)
        end = toward(target.at, shooter.at, target.size * 0.3)
        drawn.append(
            f'<path class="bears" d="M{number(start.x)} {number(start.y)}'
            f'L{number(end.x)} {number(end.y)}"/>'
        )
    return "".join(drawn)


def _sun_place(view: View, window: Window) -> Point | None:
    """The side of the panel on which the sun stands."""
    if view.sun is None:
        return None
    middle = Point(window.corner.x + window.width / 2, window.corner.y + window.height / 2)
    far = _step(middle, view.sun, window.width)
    return window.kept(far, SUN_FROM_SIDE, SUN_FROM_SIDE)


def _sun(at: Point) -> str:
    disc = f'<circle class="sun" cx="{number(at.x)}" cy="{number(at.y)}" r="6"/>'
    return _used("star", "sun", at, 1.2) + disc
