"""How the stock pilot chooses cards and tweaks: by what he could shoot at, and who at him."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, hypot, radians, sin

from guncamera.rulesets.redstars.aircraft import (
    AircraftTrait,
    AltitudeCard,
    DataBook,
    Flight,
    Mounting,
    Position,
)
from guncamera.rulesets.redstars.board import Board, book_for
from guncamera.rulesets.redstars.book import RedstarsBook
from guncamera.rulesets.redstars.condition import (
    condition_of,
    current_rating,
    is_burning,
    is_damaged,
    is_gliding,
    is_served,
)
from guncamera.rulesets.redstars.discs import EXTREME
from guncamera.rulesets.redstars.facts import Choice, Tweak
from guncamera.rulesets.redstars.fire import boxes_of
from guncamera.rulesets.redstars.flown import Flown, altitude_after, flown
from guncamera.rulesets.redstars.geometry import MILS
from guncamera.rulesets.redstars.legal import legal_tweaks
from guncamera.rulesets.redstars.orders import Craft
from guncamera.rulesets.redstars.pilot_guns import mean_damage
from guncamera.rulesets.redstars.pilot_options import Option, options_of
from guncamera.rulesets.redstars.to_hit import reach_mils

NEAREST = 3
"""Enemies that count."""
OFF_TABLE, CRASH, STALL, COLLISION = -500.0, -400.0, -8.0, -12.0
HOPELESS = 50.0
WINGS_OFF, BAD_STRAIN, ENGINE_BOX = 25.0, 2.0, 4.0
FIRE_OUT = 6.0
LOW, LOW_COST = 3, 0.5
HIT, THREAT, TAIL = 1.0, 0.8, 2.0
NEAR_ARC, NEARLY_IN_ARC = 0.35, 0.3
"""What a shot is worth that tweaks or the next turn may bring, of one in the arc."""
FAR_COST, NOSE_WORTH, SPEED_WORTH = 0.06, 1.2, 0.1
LEVEL_COSTS = tuple(0.25 * max(apart - 1, 0) ** 1.5 for apart in range(41))
"""By bands of altitude apart."""
TWO_DICE_PASSES = {
    2: 36, 3: 35, 4: 33, 5: 30, 6: 26, 7: 21, 8: 15, 9: 10, 10: 6, 11: 3, 12: 1,
}  # fmt: skip
"""Of 36, for each number to reach on two dice."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where an aircraft is, or may come to be, and what it can do from there.

    Attributes:
        east, north: Of its heading, as parts of one.
        reach: Of its best forward weapon, in mils; 0 without one.
        sting: The mean damage of its forward weapons.
        rear_reach: Of flexible weapons.
        bonus: What its pilot adds to shots.
        part: How much this place counts among others that it may come to.
    """

    x: float
    y: float
    east: float
    north: float
    altitude: int
    reach: int
    sting: float
    rear_reach: int
    bonus: int
    part: float = 1.0

    def moved(self, x: float, y: float, heading: int, altitude: int, part: float) -> Place:
        """The same aircraft elsewhere."""
        turned = radians(heading)
        return Place(
            x, y, sin(turned), cos(turned), altitude, self.reach, self.sting, self.rear_reach,
            self.bonus, part,
        )  # fmt: skip


def place_of(one: Craft, board: Board, book: RedstarsBook) -> Place:
    """Where an aircraft is."""
    data_book, at = book_for(one.aircraft, board, book), one.aircraft.position
    boxes, condition = boxes_of(one.aircraft, data_book), condition_of(one.aircraft)
    reach = rear = 0
    sting = 0.0
    for nth, weapon in enumerate(data_book.weapons):
        damage = mean_damage(nth, condition, data_book, book) if boxes[nth] else 0.0
        far = reach_mils(nth, data_book, book) if damage else 0
        if weapon.mounting == Mounting.FORWARD:
            reach, sting = max(reach, far), sting + damage
        elif is_served(one.aircraft, book):
            rear = max(rear, far)
    turned = radians(at.heading_degrees)
    rating = current_rating(one.aircraft, book)
    return Place(
        at.x_mils, at.y_mils, sin(turned), cos(turned), at.altitude, reach, sting, rear, rating
    )


# ---- What a place is worth


Look = tuple[float, float, float]
"""How another lies: mils away; 1 where he is dead ahead; 1 where one is dead astern of him."""


def look(me: Place, other: Place) -> Look:
    """How another lies to a place."""
    dx, dy = other.x - me.x, other.y - me.y
    away = hypot(dx, dy)
    if away < 1:
        return away, 1.0, -1.0
    nose = (dx * me.east + dy * me.north) / away
    return away, nose, (dx * other.east + dy * other.north) / away


def shot_worth(
    shooter: Place, away: float, nose: float, tail: float, apart: int, arc: float, *, sure: bool
) -> float:
    """The damage to hope for from a shot.

    Args:
        nose, tail: As in a look.
        apart: Bands of altitude.
        arc: Cosine of half the forward arc.
        sure: Both places are known, so that what is not in the arc counts nothing.
    """
    if away > shooter.reach or apart > 2 + (not sure):
        return 0.0
    part = 1.0
    if nose < arc - 1e-6:
        if sure or nose < NEARLY_IN_ARC:
            return 0.0
        part = NEAR_ARC
    if apart > 2:
        part *= NEAR_ARC
    faces = 7 + shooter.bonus - (2 * away > shooter.reach) - (apart == 2)
    if apart or tail >= arc:
        faces += 2
    if -arc < tail < arc:
        faces -= 2
    return part * min(max(faces, 0), 10) / 10 * shooter.sting


def standing(me: Place, others: list[Place], looks: list[Look], arc: float, *, sure: bool) -> float:
    """What it is worth to end at a place, with enemies there."""
    total = 0.0
    for other, (away, nose, tail) in zip(others, looks):
        apart = abs(other.altitude - me.altitude)
        worth = _pursuit(me, other, away, nose, tail, arc) - LEVEL_COSTS[apart]
        if away <= me.reach or away <= other.reach:
            worth += HIT * shot_worth(me, away, nose, tail, apart, arc, sure=sure)
            worth -= THREAT * shot_worth(other, away, -tail, -nose, apart, arc, sure=sure)
        total += other.part * worth
    return total


def _pursuit(me: Place, other: Place, away: float, nose: float, tail: float, arc: float) -> float:
    """What brings a shot in a later turn: near, behind him, nose to him."""
    worth = NOSE_WORTH * nose + TAIL * tail * (1.0 if away < 2 * me.reach else 0.3)
    worth -= FAR_COST * max(away - me.reach / 2, 0.0) / MILS
    if nose >= arc and tail >= arc:
        worth += TAIL
    if other.rear_reach >= away and tail > 0.5 and me.altitude == other.altitude:
        worth -= TAIL / 2
    return worth


# ---- Cards


def choose(one: Craft, board: Board, book: RedstarsBook) -> Choice:
    """The best cards for an aircraft that chooses."""
    data_book, aircraft = book_for(one.aircraft, board, book), one.aircraft
    here = place_of(one, board, book)
    others = _guesses(one, board, book)
    arc = cos(radians(book.settings.gun_half_arc))
    looks: dict[tuple[int, int, int], list[Look]] = {}
    best, most = None, 0.0
    for option in options_of(aircraft, data_book, book):
        end = _ended(here, option, aircraft.position, book)
        worth = _cost(one, option, end, board, data_book, book)
        if best is not None and worth < most - HOPELESS:
            continue
        key = option.x, option.y, option.turn
        if key not in looks:
            looks[key] = [look(end, other) for other in others]
        worth += standing(end, others, looks[key], arc, sure=False)
        if best is None or worth > most:
            best, most = option, worth
    if best is None:
        raise AssertionError(f"{aircraft.id} has no legal cards")
    return Choice(
        aircraft.id,
        best.choice.maneuver,
        best.choice.altitude_card,
        best.choice.speed_card,
        best.choice.take_speed,
    )


def _ended(here: Place, option: Option, start: Position, book: RedstarsBook) -> Place:
    x = here.x + option.x * here.north + option.y * here.east
    y = here.y + option.y * here.north - option.x * here.east
    heading = start.heading_degrees + option.turn
    altitude = altitude_after(start.altitude, option.level, book)
    return here.moved(x, y, heading, altitude, 1.0)


def _cost(
    one: Craft, option: Option, end: Place, board: Board, data_book: DataBook, book: RedstarsBook
) -> float:
    """What a move costs by itself: the edge, the ground, a stall, strain on the airframe."""
    worth = SPEED_WORTH * option.speed + _edge(end, option.speed, board, book)
    if end.altitude <= 0 and not is_gliding(one.aircraft, data_book):
        return CRASH
    if option.stalls:
        worth += STALL + (CRASH if end.altitude <= 1 else 0)
    worth -= LOW_COST * max(LOW - end.altitude, 0) ** 2
    return worth - _strain(one, option.choice, data_book, book)


def _edge(end: Place, speed: int, board: Board, book: RedstarsBook) -> float:
    """The table's edge, now and straight on in the next turn."""
    if book.settings.table_edge != "out":
        return 0.0
    edge, mils = board.table_inches * MILS, book.settings.disc_mils
    if not (0 <= end.x <= edge and 0 <= end.y <= edge):
        return OFF_TABLE
    worth = 0.0
    for discs, cost in ((1.5, -30.0), (speed + 0.5, -6.0)):
        x, y = end.x + discs * mils * end.east, end.y + discs * mils * end.north
        if not (0 <= x <= edge and 0 <= y <= edge):
            worth += cost
    return worth


def _strain(one: Craft, choice: Choice, data_book: DataBook, book: RedstarsBook) -> float:
    """What the tests of a move may cost; less than nothing where it may blow a fire out."""
    aircraft, card = one.aircraft, choice.altitude_card
    condition = condition_of(aircraft)
    hurt = is_damaged(condition, data_book, book)
    rating = current_rating(aircraft, book) - hurt
    cost = 0.0
    fragile = AircraftTrait.FRAGILE_DIVE in data_book.traits
    if card == AltitudeCard.DIVE_4:
        cost += WINGS_OFF * _fails(7 - rating) * (2 if fragile else 1)
    elif card == AltitudeCard.DIVE_3 and (hurt or fragile):
        cost += BAD_STRAIN * (2 if hurt else 1) * _fails(7 - rating)
    elif choice.maneuver in EXTREME:
        cost += 0.5 + BAD_STRAIN * 2 * hurt * _fails(7 - rating)
    if card == AltitudeCard.CLIMB_3 and data_book.climb_test:
        cost += ENGINE_BOX * _fails(6 - rating)
    if is_burning(condition) and card in (AltitudeCard.DIVE_3, AltitudeCard.DIVE_4):
        cost -= FIRE_OUT if card == AltitudeCard.DIVE_3 or not fragile else FIRE_OUT / 2
    return cost


def _fails(number: int) -> float:
    """The chance to fail a test of two dice."""
    return 1 - TWO_DICE_PASSES[min(max(number, 2), 12)] / 36


# ---- Where enemies may be


def _enemies(one: Craft, board: Board) -> list[Craft]:
    """The nearest enemies that fly."""
    at = one.aircraft.position

    def distance(other: Craft) -> tuple[float, str]:
        there = other.aircraft.position
        return hypot(there.x_mils - at.x_mils, there.y_mils - at.y_mils), other.aircraft.id

    enemies = (other for other in board.flying() if other.side != one.side)
    return sorted(enemies, key=distance)[:NEAREST]


_TOLD = {
    "straight": (0,),
    "shift_left": (0,),
    "shift_right": (0,),
    "left": (-1,),
    "right": (1,),
    "extreme": (3,),
}
_RISES = {"climb": 1, "level": 0, "dive": -2}


def _guesses(one: Craft, board: Board, book: RedstarsBook) -> list[Place]:
    """Where enemies may end: straight on mostly, or as they have told."""
    found = []
    for other in _enemies(one, board):
        there = place_of(other, board, book)
        card = board.card_of(other.aircraft.id)
        turns: tuple[int, ...] = (0, -1, 1)
        rise = 0
        if card is not None and card.intent is not None:
            turns, rise = _TOLD[card.intent.turning.value], _RISES[card.intent.rising.value]
        if other.aircraft.flight != Flight.NORMAL:
            turns = (0,)
        for turn in turns:
            part = 1.0 if len(turns) == 1 else (0.25 if turn else 0.5)
            found.append(_guess(other, there, turn, rise, part, book))
    return found


def _guess(
    other: Craft, there: Place, turn: int, rise: int, part: float, book: RedstarsBook
) -> Place:
    """Where an enemy ends if he turns by so many steps at his first disc."""
    at, step = other.aircraft.position, 360 // book.settings.points
    altitude = max(at.altitude + rise, 1)
    if other.aircraft.flight == Flight.SPINNING:
        return there.moved(there.x, there.y, at.heading_degrees, altitude, part)
    discs = 1 if turn == 3 else other.aircraft.speed
    turned = radians(at.heading_degrees + (0 if turn == 3 else turn * step))
    long = discs * book.settings.disc_mils
    x, y = there.x + long * sin(turned), there.y + long * cos(turned)
    return there.moved(x, y, at.heading_degrees + turn * step, altitude, part)


# ---- Tweaks


def tweak(one: Craft, board: Board, book: RedstarsBook) -> tuple[tuple[Tweak, ...], int]:
    """The best tweaks and trades for the aircraft that moves."""
    card = board.card_of(one.aircraft.id)
    hands = list(legal_tweaks(one, board, book))
    if card is None or card.choice is None or len(hands) == 1:
        return hands[0]
    data_book = book_for(one.aircraft, board, book)
    here = place_of(one, board, book)
    others = [_known(other, board, book) for other in _enemies(one, board)]
    arc = cos(radians(book.settings.gun_half_arc))
    all_others = [
        _known(other, board, book)
        for other in board.flying()
        if other.aircraft.id != one.aircraft.id
    ]
    best, most = hands[0], float("-inf")
    for tweaks, trades in hands:
        end = flown(one.aircraft, card.choice, tweaks, trades, data_book, book)
        at = end.position
        place = here.moved(at.x_mils, at.y_mils, at.heading_degrees, at.altitude, 1.0)
        looks = [look(place, other) for other in others]
        worth = 2 * standing(place, others, looks, arc, sure=True) - 0.01 * len(tweaks)
        worth += _tweak_cost(end, place, trades, all_others, data_book, board, book)
        if worth > most:
            best, most = (tweaks, trades), worth
    return best


def _tweak_cost(
    end: Flown,
    place: Place,
    trades: int,
    others: list[Place],
    data_book: DataBook,
    board: Board,
    book: RedstarsBook,
) -> float:
    """What a move costs by itself, or by those it may run into."""
    worth = _edge(place, end.speed, board, book)
    if place.altitude <= 0:
        worth += CRASH
    if end.speed < data_book.min_speed:
        worth += STALL
    if trades and end.level <= -3:
        worth -= WINGS_OFF / 2
    near = book.settings.disc_mils / (2 if book.settings.collision_distance == "half-disc" else 1)
    for there in others:
        touching = hypot(there.x - place.x, there.y - place.y) <= near
        if touching and there.altitude == place.altitude:
            worth += COLLISION
    return worth


def _known(other: Craft, board: Board, book: RedstarsBook) -> Place:
    """Where an aircraft is once it has moved, by the cards that lie open."""
    there, aircraft = place_of(other, board, book), other.aircraft
    card = board.card_of(aircraft.id)
    still = aircraft.id not in board.order or aircraft.flight == Flight.SPINNING
    if still or card is None or card.choice is None:
        return there
    data_book = book_for(aircraft, board, book)
    at = flown(aircraft, card.choice, (), 0, data_book, book).position
    return there.moved(at.x_mils, at.y_mils, at.heading_degrees, at.altitude, 1.0)
