"""What a variant does in play: the same event by other rules, with the same dice, bout by bout.

The dice of a bout are the same under both, so that what differs is the rules' doing as far as the
games go alike. Bouts that share their dice count as one: that many the intervals are of.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from guncamera_tournament.event import Event, PlayedVariant, Rules
from guncamera_tournament.event_file import read_event
from guncamera_tournament.faults import TournamentError
from guncamera_tournament.journal import EVENT, read_results
from guncamera_tournament.paired import Estimate, estimate
from guncamera_tournament.record import GameRecord
from guncamera_tournament.variant_file import with_variant

VARIANTS = "variants"
Pair: TypeAlias = tuple[GameRecord, GameRecord]
_Value: TypeAlias = Callable[[GameRecord], float | None]


@dataclass(frozen=True, slots=True)
class Shift:
    """A figure of a bout under both rules.

    Attributes:
        what: What is counted, for people.
        before, after: Its mean by the event's rules, and by the variant.
        difference: After less before, over groups of bouts with the same dice.
    """

    what: str
    before: float
    after: float
    difference: Estimate


@dataclass(frozen=True, slots=True)
class Compared:
    """An event by its rules and by a variant.

    Attributes:
        bouts: So many were compared; of the others a pilot forfeited one, they have other pilots,
            or they were not played under both.
        left_out: So many were not.
        otherwise: Of those compared, how many another pilot won, or nobody.
    """

    variant: str
    bouts: int
    left_out: int
    otherwise: int
    shifts: tuple[Shift, ...]

    def to_plain(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def twin_of(folder: Path, file: Path) -> tuple[Path, Event, str]:
    """The event of a folder as it is played by a variant.

    Args:
        file: Of the variant.

    Returns:
        Its own folder, within the event's; the event; and the text of the variant's file.

    Raises:
        TournamentError: There is no event, or the file is no variant of its rule set.
    """
    event = read_event(folder / EVENT)
    asked = replace(event, variant=PlayedVariant(str(file.absolute())), rules=Rules())
    pinned, text = with_variant(folder, asked)
    if pinned.variant.hash == with_variant(folder, event)[0].variant.hash:
        raise TournamentError(
            f"{file}: the event is played by it; give another one.", field="variant"
        )
    return folder / VARIANTS / pinned.variant.name, asked, text


def compared(folder: Path, other: Path) -> Compared:
    """What came of an event by its own rules, and by a variant.

    Args:
        folder, other: Both folders.

    Raises:
        TournamentError: No bout was played under both.
    """
    event, before = read_results(folder)
    twin, after = read_results(other)
    pairs = list(_pairs(before, after))
    if not pairs:
        raise TournamentError(f"no bout of {folder} was played to its end in {other} as well.")
    values = {name: value for name, value in _values(event).items() if _is_told(value, pairs)}
    return Compared(
        variant=twin.variant.name,
        bouts=len(pairs),
        left_out=len({one.bout for one in (*before, *after)}) - len(pairs),
        otherwise=sum(one.winner != other.winner for one, other in pairs),
        shifts=tuple(_shift(name, value, pairs) for name, value in values.items()),
    )


def _pairs(before: Iterable[GameRecord], after: Iterable[GameRecord]) -> Iterable[Pair]:
    there = {one.bout: one for one in after}
    for one in before:
        other = there.get(one.bout)
        if other and one.pilots == other.pilots and not one.is_forfeit and not other.is_forfeit:
            yield one, other


def _values(event: Event) -> dict[str, _Value]:
    """What is counted of a bout; None where the bout does not tell it."""
    found: dict[str, _Value] = {}
    for name in event.names:
        found[f"points of {name}"] = partial(_points_of, name)
        found[f"score of {name}"] = partial(_score_of, name)
    found["points of the first side"] = _first_sides
    found["turns"] = _turns
    return found


def _points_of(name: str, record: GameRecord) -> float | None:
    return record.points.get(name)


def _score_of(name: str, record: GameRecord) -> float | None:
    return record.scores.get(name)


def _turns(record: GameRecord) -> float:
    return record.turns / len(record.boards)


def _first_sides(record: GameRecord) -> float | None:
    """Where each pilot has a board of its own there are no sides."""
    return record.points[record.pilots[0]] if len(record.boards) == 1 else None


def _is_told(value: _Value, pairs: Iterable[Pair]) -> bool:
    return any(_both(value, pair) for pair in pairs)


def _both(value: _Value, pair: Pair) -> tuple[float, float] | None:
    before, after = value(pair[0]), value(pair[1])
    return None if before is None or after is None else (before, after)


def _shift(what: str, value: _Value, pairs: Iterable[Pair]) -> Shift:
    groups: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
    for pair in pairs:
        both = _both(value, pair)
        if both is not None:
            groups[pair[0].dice_group].append(both)
    every = [both for group in groups.values() for both in group]
    return Shift(
        what,
        statistics.fmean(before for before, _ in every),
        statistics.fmean(after for _, after in every),
        estimate([statistics.fmean(b - a for a, b in group) for group in groups.values()]),
    )
