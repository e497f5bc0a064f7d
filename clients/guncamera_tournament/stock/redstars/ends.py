"""Where aircraft may end in a turn of `redstars`, and what they could do to each other there.

Ends are those of the rule set's options for cards; the damage to hope for is by the numbers that
the rule on fire needs, on a board where everyone has come to an end.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from heapq import nlargest
from math import cos, hypot, radians, sin

from guncamera.rules.trace import Trace
from guncamera.rulesets.redstars.aim import aim_of
from guncamera.rulesets.redstars.aircraft import Aircraft, AltitudeCard, Flight, Position
from guncamera.rulesets.redstars.board import Board, book_for
from guncamera.rulesets.redstars.book import RedstarsBook
from guncamera.rulesets.redstars.condition import condition_of
from guncamera.rulesets.redstars.facts import Choice, Firing
from guncamera.rulesets.redstars.orders import Craft, Shoot
from guncamera.rulesets.redstars.pilot_flight import place_of
from guncamera.rulesets.redstars.pilot_guns import mean_damage
from guncamera.rulesets.redstars.pilot_options import Option, options_of
from guncamera.rulesets.redstars.shots import open_shots
from guncamera.rulesets.redstars.specials import D10
from guncamera.rulesets.redstars.to_hit import numbers_needed

MILS = 1_000
ROOM_DISCS = 1.5
"""So much of the table should lie ahead of who ends his move."""
SLACK_MILS, SLACK_DEGREES, HIGHEST_APART = 1_000, 2, 3
"""By how much a cheap look sees more than the rules."""
NEARER = 1e-9
"""What a thousandth of an inch nearer is worth, in lives: it tells ends apart."""
STRAINING = frozenset({AltitudeCard.DIVE_4})
"""Cards that may take the wings off."""


@dataclass(frozen=True, slots=True)
class End:
    """Where legal cards lead, and how fast."""

    choice: Choice
    position: Position
    speed: int


def ends_of(one: Craft, board: Board, book: RedstarsBook) -> list[End]:
    """The ends that are safe: on the table with room ahead, above ground, without a stall.

    All, where none is safe.
    """
    aircraft = one.aircraft
    options = options_of(aircraft, book_for(aircraft, board, book), book)
    every = [(option, _end(aircraft, option)) for option in options]
    safe = [end for option, end in every if _is_safe(option, end, board, book)]
    return safe or [end for _, end in every]


def _end(aircraft: Aircraft, option: Option) -> End:
    at = aircraft.position
    east, north = sin(radians(at.heading_degrees)), cos(radians(at.heading_degrees))
    position = Position(
        at.x_mils + round(option.x * north + option.y * east),
        at.y_mils + round(option.y * north - option.x * east),
        (at.heading_degrees + option.turn) % 360,
        max(at.altitude + option.level, 0),
    )
    return End(replace(option.choice, aircraft=aircraft.id), position, option.speed)


def _is_safe(option: Option, end: End, board: Board, book: RedstarsBook) -> bool:
    strains = option.choice.altitude_card in STRAINING
    if option.stalls or strains or end.position.altitude <= 0:
        return False
    if book.settings.table_edge != "out":
        return True
    ahead = straight_on(end.position, ROOM_DISCS, book)
    edge = board.table_inches * MILS
    return all(0 <= mils <= edge for at in (end.position, ahead) for mils in (at.x_mils, at.y_mils))


def straight_on(at: Position, discs: float, book: RedstarsBook) -> Position:
    """So many discs ahead, as high."""
    long = discs * book.settings.disc_mils
    turned = radians(at.heading_degrees)
    return replace(
        at,
        x_mils=at.x_mils + round(long * sin(turned)),
        y_mils=at.y_mils + round(long * cos(turned)),
    )


def goes_on(one: Craft, book: RedstarsBook) -> Position:
    """Where an aircraft ends that goes straight on."""
    aircraft = one.aircraft
    discs = 0 if aircraft.flight == Flight.SPINNING else aircraft.speed
    return straight_on(aircraft.position, discs, book)


def enemies_of(one: Craft, board: Board, most: int) -> list[Craft]:
    """The nearest enemies that fly."""
    at = one.aircraft.position
    enemies = (other for other in board.flying() if other.side != one.side)
    return sorted(
        enemies, key=lambda other: (apart(at, other.aircraft.position), other.aircraft.id)
    )[:most]


def apart(one: Position, other: Position) -> float:
    """Mils between two places, on the table."""
    return hypot(one.x_mils - other.x_mils, one.y_mils - other.y_mils)


@dataclass(slots=True)
class Fight:
    """What aircraft could do to each other from wherever they may come to, remembered.

    Attributes:
        board: As it is now.
    """

    board: Board
    book: RedstarsBook
    _known: dict[tuple[str, Position, str, Position], float] = field(default_factory=dict)
    _reaches: dict[str, tuple[int, bool]] = field(default_factory=dict)

    def gain(self, one: Craft, at: Position, other: Craft, there: Position) -> float:
        """What one may hope to do to another, less what he may do to it; shares of a life."""
        return self.harm(one, at, other, there) - self.harm(other, there, one, at)

    def harm(self, shooter: Craft, at: Position, target: Craft, there: Position) -> float:
        """What the best shot from one place at another promises: a share of the target's life."""
        if not self._bears(shooter, at, there):
            return 0.0
        key = shooter.aircraft.id, at, target.aircraft.id, there
        if key not in self._known:
            self._known[key] = self._harm(*key)
        return self._known[key]

    def best(
        self, one: Craft, others: Mapping[str, Position], count: int, nearer: float = NEARER
    ) -> list[End]:
        """The ends from which an aircraft gains most on others who come to some places.

        Those that promise the same, by how near they come.
        """
        enemies = [(self.board.craft_of(name), at) for name, at in others.items()]

        def worth(end: End) -> float:
            gains = (self.gain(one, end.position, *enemy) for enemy in enemies)
            away = min((apart(end.position, at) for _, at in enemies), default=0.0)
            return sum(gains) - nearer * away

        return nlargest(count, ends_of(one, self.board, self.book), key=worth)

    def _bears(self, shooter: Craft, at: Position, there: Position) -> bool:
        """Whether there can be a shot at all: a cheap look before the rules are asked."""
        name = shooter.aircraft.id
        if name not in self._reaches:
            place = place_of(shooter, self.board, self.book)
            self._reaches[name] = max(place.reach, place.rear_reach), place.rear_reach > 0
        reach, turns_back = self._reaches[name]
        dx, dy = there.x_mils - at.x_mils, there.y_mils - at.y_mils
        away = hypot(dx, dy)
        if away > reach + SLACK_MILS or abs(there.altitude - at.altitude) > HIGHEST_APART:
            return False
        if turns_back or not away:
            return True
        turned = radians(at.heading_degrees)
        nose = (dx * sin(turned) + dy * cos(turned)) / away
        return nose >= cos(radians(self.book.settings.gun_half_arc + SLACK_DEGREES))

    def _harm(self, shooter: str, at: Position, target: str, there: Position) -> float:
        places = {shooter: at, target: there}
        craft = tuple(
            replace(one, aircraft=replace(one.aircraft, position=places[one.aircraft.id]))
            for one in self.board.craft
            if one.aircraft.id in places
        )
        board = replace(self.board, craft=craft, shots=())
        shares = (
            _share(shot, board, self.book)
            for shot in open_shots(board, shooter, self.book)
            if shot.target == target
        )
        return max(shares, default=0.0)


def _share(shot: Shoot, board: Board, book: RedstarsBook) -> float:
    """The damage to hope for, by the numbers that the rule needs, of what the target bears yet."""
    one, other = board.craft_of(shot.shooter), board.craft_of(shot.target)
    data_book = book_for(one.aircraft, board, book)
    mounting = data_book.weapons[shot.weapons[0]].mounting
    aim = aim_of(one.aircraft.position, other.aircraft.position, mounting, book)
    tailing = shot.target in one.tailed
    firing = Firing(
        one.aircraft, other.aircraft, shot.weapons, aim, tailing, one.extreme, other.extreme
    )
    damage = 0.0
    for at, number in numbers_needed(firing, shot.weapons, data_book, book, Trace()):
        chance = min(max(D10 + 1 - number, 0), D10) / D10
        damage += chance * mean_damage(at, condition_of(one.aircraft), data_book, book)
    life = book_for(other.aircraft, board, book).damage_points
    left = max(life - condition_of(other.aircraft).damage, 1)
    return min(damage / left, 1.0)
