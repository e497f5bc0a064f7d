"""What shots are worth to the stock pilot, and which he fires."""

from __future__ import annotations

from dataclasses import dataclass, replace

from guncamera.rules.ruleset import LegalOrder, Verb
from guncamera.rules.trace import Trace
from guncamera.rulesets.redstars.aim import aim_of
from guncamera.rulesets.redstars.aircraft import Condition, DataBook, WeaponKind
from guncamera.rulesets.redstars.board import Board, book_for
from guncamera.rulesets.redstars.book import RedstarsBook
from guncamera.rulesets.redstars.condition import condition_of
from guncamera.rulesets.redstars.facts import Firing
from guncamera.rulesets.redstars.fire import boxes_of
from guncamera.rulesets.redstars.orders import FireOrder, HoldFire, Shoot
from guncamera.rulesets.redstars.shots import open_shots
from guncamera.rulesets.redstars.specials import D10, guns_left
from guncamera.rulesets.redstars.to_hit import numbers_needed

LEAST_CHANCE, LEAST_CHANCE_OF_FEW = 3, 5
"""Faces of the die that must hit, with boxes to spare and with few left."""
FEW_BOXES = 3
LEAST_CHANCE_OF_ROCKETS = 4


@dataclass(frozen=True, slots=True)
class Chance:
    """A shot, with the faces of ten that hit, by weapon."""

    shot: Shoot
    faces: tuple[int, ...]


def fire(board: Board, book: RedstarsBook) -> LegalOrder:
    """The best shot whose chance is fair, with the weapons that are worth it; else none."""
    shooter = board.order[0]
    data_book = book_for(board.craft_of(shooter).aircraft, board, book)
    best: tuple[float, int, Shoot] | None = None
    side = board.craft_of(shooter).side
    for nth, shot in enumerate(open_shots(board, shooter, book)):
        if board.craft_of(shot.target).side == side:
            continue
        weapons, worth = _worth(_chance(shot, board, data_book, book), board, data_book, book)
        if weapons and (best is None or (worth, -nth) > best[:2]):
            best = worth, -nth, replace(shot, weapons=weapons)
    if best is None:
        return held(shooter)
    return fired(best[2])


def fired(shot: Shoot) -> LegalOrder:
    """The order to fire."""
    weapons = " and ".join(str(at) for at in shot.weapons)
    words = f"{shot.shooter} fires weapon {weapons} at {shot.target}."
    return LegalOrder(Verb.FIRE, FireOrder(shot), words)


def held(shooter: str) -> LegalOrder:
    """The order to fire no more."""
    return LegalOrder(Verb.FIRE, FireOrder(HoldFire(shooter)), f"{shooter} holds its fire.")


def _chance(shot: Shoot, board: Board, data_book: DataBook, book: RedstarsBook) -> Chance:
    one, target = board.craft_of(shot.shooter), board.craft_of(shot.target)
    mounting = data_book.weapons[shot.weapons[0]].mounting
    firing = Firing(
        one.aircraft,
        board.struck(shot.target),
        shot.weapons,
        aim_of(one.aircraft.position, target.aircraft.position, mounting, book),
        shot.target in one.tailed,
        one.extreme,
        target.extreme,
    )
    needed = numbers_needed(firing, shot.weapons, data_book, book, Trace())
    faces = tuple(min(max(D10 + 1 - number, 0), D10) for _, number in needed)
    return Chance(shot, faces)


def _worth(
    chance: Chance, board: Board, data_book: DataBook, book: RedstarsBook
) -> tuple[tuple[int, ...], float]:
    """The weapons of a shot that are worth a box, and the damage to hope for."""
    one, target = board.craft_of(chance.shot.shooter), board.struck(chance.shot.target)
    boxes = boxes_of(one.aircraft, data_book)
    weapons, worth = [], 0.0
    for at, faces in zip(chance.shot.weapons, chance.faces):
        if faces >= _least(data_book.weapons[at].kind, boxes[at]):
            weapons.append(at)
            worth += faces / D10 * mean_damage(at, condition_of(one.aircraft), data_book, book)
    sturdy = book_for(target, board, book).damage_points
    left = max(sturdy - condition_of(target).damage, 1)
    return tuple(weapons), min(worth / left, 1.0)


def _least(kind: WeaponKind, boxes: int) -> int:
    if kind == WeaponKind.ROCKET:
        return LEAST_CHANCE_OF_ROCKETS
    return LEAST_CHANCE if boxes > FEW_BOXES else LEAST_CHANCE_OF_FEW


def mean_damage(at: int, condition: Condition, data_book: DataBook, book: RedstarsBook) -> float:
    """The mean damage of a weapon that hits."""
    kind, table = data_book.weapons[at].kind.value, book.tables["weapons"]
    one = table.number(kind, "dice") * (table.number(kind, "sides") + 1) / 2
    return guns_left(at, data_book, condition) * one
