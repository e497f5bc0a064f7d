"""Our answers to the figures printed in `published.toml`, a method for each of its sheets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from statistics import fmean
from typing import NamedTuple

from guncamera.rules.hexes import HexDirection
from guncamera.rulesets.kettering.book import KetteringBook
from guncamera.rulesets.kettering.facts import Aspect
from guncamera.rulesets.kettering.published_board import Crossing
from guncamera.rulesets.kettering.published_chase import PICKS, Chase, Next, Settled
from guncamera.rulesets.kettering.published_drift import Drift
from guncamera.rulesets.kettering.published_shots import (
    Shot,
    chance_of_any,
    mean_chance,
    shots_until,
    tail_shot,
)
from guncamera.rulesets.kettering.published_turn import given

FOKKER, ALBATROS = "fokker-d7", "albatros-d3"
HEADINGS = (HexDirection.SOUTHEAST, HexDirection.SOUTHWEST)
FIRST_SHOT = 3
"""The turn on which the Fokker shoots first, and the Albatros at low torpedoes."""
FIRST_TAIL_SHOT = 4
"""The turn from which the Albatros shoots from behind."""
SAMPLE_SPEEDS = range(4, 10)
SAMPLE_TRACK = 4


@dataclass(frozen=True, slots=True)
class Cell:
    """A printed figure, and what its sheet's computation needs to know of it."""

    cell: str
    published: str
    estimate: bool = False
    notation: str = ""
    altitudes: str = ""
    heading: str = ""
    turns: tuple[int, ...] = ()
    aircraft: str = ""
    aspect: str = ""
    follow_up_percent: int = 0
    modifier: int = 0
    shots: int = 0
    wind: str = ""
    track: int = 0
    speeds: tuple[int, ...] = ()


class Span(NamedTuple):
    """Our figure; a range where the source leaves something to the pilot."""

    low: float | Fraction
    high: float | Fraction


Answer = Span | frozenset[int] | None
"""None where the book leaves nothing to measure, such as a start that is no longer on its chart."""


def number(value: float | Fraction | None) -> Span | None:
    """A figure that is no range."""
    return None if value is None else Span(value, value)


class Study:
    """The figures under one book. What several sheets need is worked out once."""

    def __init__(self, book: KetteringBook, sheets: Mapping[str, tuple[Cell, ...]]) -> None:
        self._book = book
        self._sheets = sheets
        self._drift = Drift(book)
        self._chase = Chase(book)
        self._crossings = {heading: Crossing(heading, book) for heading in HEADINGS}
        self._settled: dict[tuple[str, HexDirection, str], Settled] = {}

    def answer(self, sheet: str, cell: Cell) -> Answer:
        """Our figure for a cell of a sheet."""
        methods: Mapping[str, Callable[[Cell], Answer]] = {
            "displacement": self._displacement,
            "drop": self._drop,
            "turns": lambda cell: number(self._turns(cell)),
            "turns-by-edges": self._turns_by_edges,
            "follow-up": self._follow_up,
            "shots": self._shots,
            "shots-followed-up": self._shots_followed_up,
            "chance": lambda _: number(self._chance),
            "split": self._split,
            "kill": lambda cell: self._any_of(number(cell.shots)),
            "mean-shots": self._mean_shots,
            "expectation": lambda cell: _scaled(self._any_of(self._mean_shots(cell)), 100),
            "of-twelve": lambda cell: _scaled(self._any_of(self._mean_shots(cell)), 12),
            "sample-probability": self._sample_probability,
            "sample-altitude": self._sample_altitude,
            "sample-speeds": self._sample_speeds,
        }
        return methods[sheet](cell)

    # ---- The torpedo's course

    def _displacement(self, cell: Cell) -> Answer:
        first, last = cell.turns
        mean = self._drift.mean(cell.heading, cell.altitudes, range(first, last + 1))
        return number(mean.south if mean else None)

    def _drop(self, cell: Cell) -> Answer:
        first, last = cell.turns
        turns = range(first, last + 1)
        means = [self._drift.mean(cell.heading, group, turns) for group in ("low", "high")]
        drops = [mean.drop for mean in means if mean]
        return Span(min(drops), max(drops)) if drops else None

    def _turns(self, cell: Cell) -> Fraction | None:
        return self._drift.turns_on_board(cell.notation, cell.altitudes)

    def _turns_by_edges(self, cell: Cell) -> Answer:
        starts = given(self._drift.starts, notation=cell.notation, altitudes=cell.altitudes)
        if not starts:
            return None
        heading = next(iter(starts)).heading
        return number(self._crossings[heading].mean_turns(starts))

    # ---- The chase

    def _follow_ups(self, kind: str, heading: HexDirection) -> dict[str, float]:
        """The share of turns with a shot from behind, by how the pilot picks his speeds."""
        return {pick: self._chased(kind, heading, pick).share for pick in PICKS}

    def _chased(self, kind: str, heading: HexDirection, pick: str) -> Settled:
        key = kind, heading, pick
        if key not in self._settled:
            self._settled[key] = self._chase.settled(kind, heading, PICKS[pick])
        return self._settled[key]

    def _follow_up(self, cell: Cell) -> Answer:
        headings = [HexDirection(cell.heading)] if cell.heading else HEADINGS
        if cell.aspect == Aspect.HEAD_ON:
            shares = [self._chase.head_on_share(cell.aircraft, heading) for heading in headings]
            return number(100 * fmean(shares))
        by_heading = [self._follow_ups(cell.aircraft, heading) for heading in headings]
        means = [fmean(shares[pick] for shares in by_heading) for pick in PICKS]
        return Span(100 * min(means), 100 * max(means))

    def _shots(self, cell: Cell) -> Answer:
        turns = self._turns(cell)
        if turns is None:
            return None
        return number(shots_until(float(turns), FIRST_SHOT, cell.follow_up_percent / 100))

    def _shots_followed_up(self, cell: Cell) -> Answer:
        turns = self._turns(cell)
        if turns is None:
            return None
        shares = self._follow_ups(FOKKER, HexDirection(cell.heading)).values()
        shots = [shots_until(float(turns), FIRST_SHOT, share) for share in shares]
        return Span(min(shots), max(shots))

    def _mean_shots(self, cell: Cell) -> Span | None:
        """Over the cells of the Fokker's table; of the Albatros, over the same torpedoes."""
        if cell.aircraft == FOKKER:
            shots = [self._shots(one) for one in self._sheets["shots"]]
        else:
            shots = [self._albatros_shots(one) for one in self._sheets["shots-followed-up"]]
        spans = [one for one in shots if isinstance(one, Span)]
        if len(spans) < len(shots):
            return None
        lows, highs = zip(*spans)
        return Span(fmean(lows), fmean(highs))

    def _albatros_shots(self, cell: Cell) -> Answer:
        """Low torpedoes are met head-on on the third turn, high ones from behind on the fourth."""
        turns = self._turns(cell)
        if turns is None:
            return None
        heading = HexDirection(cell.heading)
        head_on = self._chase.head_on_share(ALBATROS, heading) if cell.altitudes == "low" else 0.0
        shares = self._follow_ups(ALBATROS, heading).values()
        shots = [head_on + shots_until(float(turns), FIRST_TAIL_SHOT, share) for share in shares]
        return Span(min(shots), max(shots))

    # ---- Shots

    @cached_property
    def _tail_shots(self) -> dict[tuple[str, int, int], Shot]:
        """By type, the torpedo's speed and its own."""
        return {
            (kind, track, speed): tail_shot(kind, track, speed, self._book)
            for kind in (FOKKER, ALBATROS)
            for track in self._chase.tracks
            for speed in self._chase.speeds(kind)
        }

    @cached_property
    def _chance(self) -> Fraction | None:
        """The mean chance of a Fokker's shot under the printed split of subtractions."""
        shots = [shot for (kind, _, _), shot in self._tail_shots.items() if kind == FOKKER]
        split = {cell.modifier: int(cell.published) for cell in self._sheets["split"]}
        return mean_chance(shots, split)

    def _split(self, cell: Cell) -> Answer:
        shares = [
            fmean(
                self._share_of(cell.modifier, kind, heading, pick)
                for kind in (FOKKER, ALBATROS)
                for heading in HEADINGS
            )
            for pick in PICKS
        ]
        return Span(100 * min(shares), 100 * max(shares))

    def _share_of(self, modifier: int, kind: str, heading: HexDirection, pick: str) -> float:
        places = self._chased(kind, heading, pick).places
        return sum(
            p
            for place, p in places.items()
            if self._tail_shots[(kind, *place)].modifier == modifier
        )

    def _any_of(self, shots: Span | None) -> Span | None:
        if shots is None or self._chance is None:
            return None
        low, high = (chance_of_any(self._chance, float(end)) for end in shots)
        return Span(low, high)

    # ---- The sample table

    def _sample(self, cell: Cell, aspect: Aspect) -> Iterator[tuple[int, Next]]:
        """The next turns a row of the table speaks of, by their place among all."""
        turns = self._chase.turns(HexDirection.SOUTHWEST, aspect, SAMPLE_TRACK)
        for at, one in enumerate(turns):
            if one.wind == cell.wind and one.torpedo.speed_mp == cell.track:
                yield at, one

    def _sample_probability(self, cell: Cell) -> Answer:
        return number(sum((one.p for _, one in self._sample(cell, Aspect.TAIL)), Fraction(0)))

    def _sample_altitude(self, cell: Cell) -> Answer:
        changes = [one.change_metres for _, one in self._sample(cell, Aspect.TAIL)]
        return Span(min(changes), max(changes)) if changes else None

    def _sample_speeds(self, cell: Cell) -> Answer:
        aspect = Aspect(cell.aspect)
        rows = [at for at, _ in self._sample(cell, aspect)]
        if not rows:
            return None
        heading = HexDirection.SOUTHWEST
        return frozenset(
            speed
            for speed in SAMPLE_SPEEDS
            if all(
                self._chase.follow(ALBATROS, heading, aspect, (SAMPLE_TRACK, speed))[at][1]
                for at in rows
            )
        )


def _scaled(span: Span | None, factor: int) -> Span | None:
    return Span(span.low * factor, span.high * factor) if span else None
