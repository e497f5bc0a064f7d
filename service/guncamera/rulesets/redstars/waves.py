"""Who tails whom in a turn, and in which order aircraft choose. Rules RED-2.2 to RED-2.5."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from guncamera.rulesets.redstars.aircraft import Aircraft, Flight
from guncamera.rulesets.redstars.board import Board
from guncamera.rulesets.redstars.book import RedstarsBook
from guncamera.rulesets.redstars.condition import current_rating
from guncamera.rulesets.redstars.geometry import squared_distance
from guncamera.rulesets.redstars.orders import Craft
from guncamera.rulesets.redstars.tail import can_tail


def tails_of(craft: Sequence[Craft], book: RedstarsBook) -> dict[str, tuple[str, ...]]:
    """The enemy that each aircraft tails, for those that tail one: the nearest, then by id.

    By setting all that lie so, in that order.
    """
    most = 1 if book.settings.tail_targets == "nearest" else None
    found: dict[str, tuple[str, ...]] = {}
    flying = [one for one in craft if one.end is None]
    for one in flying:
        here = one.aircraft.position
        enemies = [
            other.aircraft
            for other in flying
            if other.side != one.side and can_tail(here, other.aircraft.position, book)
        ]
        if enemies and one.aircraft.flight != Flight.SPINNING:
            enemies.sort(key=lambda e: (squared_distance(here, e.position), e.id))
            found[one.aircraft.id] = tuple(enemy.id for enemy in enemies[:most])
    return found


def chooses(aircraft: Aircraft) -> bool:
    """Whether cards are chosen for an aircraft: nobody chooses how it spins."""
    return aircraft.flight != Flight.SPINNING


def next_wave(craft: Iterable[Craft], made: Iterable[str], book: RedstarsBook) -> tuple[str, ...]:
    """The aircraft that choose next, in the order of their ids; none: all have chosen.

    Those choose first whom nobody flies ahead of; a tailer waits for his targets. In a ring the
    one of the lowest rating is read first.
    """
    done = set(made)
    waiting: dict[str, Craft] = {
        one.aircraft.id: one
        for one in craft
        if one.end is None and chooses(one.aircraft) and one.aircraft.id not in done
    }
    free = [name for name, one in waiting.items() if waiting.keys().isdisjoint(one.tailed)]
    if free or not waiting:
        return tuple(sorted(free))
    return (_first_of_ring(waiting, book),)


def _first_of_ring(waiting: Mapping[str, Craft], book: RedstarsBook) -> str:
    """Where all that wait tail another, some fly in rings; who is read first there (RED-2.5)."""
    name = min(waiting)
    seen: list[str] = []
    while name not in seen:
        seen.append(name)
        name = next(one for one in waiting[name].tailed if one in waiting)
    ring = seen[seen.index(name) :]
    if book.settings.ring_break == "lowest-id":
        return min(ring)
    return min(ring, key=lambda one: (current_rating(waiting[one].aircraft, book), one))


def tailers_told(board: Board, aircraft: str) -> tuple[str, ...]:
    """The tailers whom a pilot tells his intent: those that choose after him (RED-2.4).

    In a ring the one that chose first has nothing more to hear.
    """
    chosen = [card.aircraft for card in board.cards]
    before = chosen[: chosen.index(aircraft)] if aircraft in chosen else chosen
    return tuple(
        one.aircraft.id
        for one in board.flying()
        if aircraft in one.tailed and one.aircraft.id not in before
    )
