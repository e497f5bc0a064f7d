"""Swiss: those with about as many points meet, nobody twice; who rests gets a win for it once."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from guncamera_tournament.bouts import Pairing
from guncamera_tournament.faults import TournamentError
from guncamera_tournament.formats.format import Points, numbered

if TYPE_CHECKING:
    from guncamera_tournament.event import Event

BYE = ""


class Swiss:
    """As many rounds as tell the best from the others, or as the event says.

    With no more than half as many rounds as pilots there is always a round without a rematch: each
    has then yet to meet at least half of the others.
    """

    def faults(self, event: Event) -> Iterator[TournamentError]:
        """More rounds than can be sure to have no rematch."""
        most = math.ceil(len(event.pilots) / 2)
        if event.rounds > most:
            yield TournamentError(
                f"{event.rounds} rounds of {len(event.pilots)} pilots may come to a rematch; give "
                f"up to {most}, or take round-robin.",
                field="rounds",
            )

    def next_round(
        self, event: Event, before: Sequence[Pairing], points: Points
    ) -> tuple[Pairing, ...]:
        """From the top down, each with the next whom it has not met; byes from the bottom up."""
        played = max((pairing.round for pairing in before), default=0)
        if played == _rounds(event):
            return ()
        met = {frozenset((one.first, one.second)) for one in before}
        ranked = ranking(event.names, before, points)
        if len(ranked) % 2:
            ranked.append(BYE)
        pairs = _paired(ranked, met)
        if pairs is None:
            raise AssertionError("a round of a Swiss without a rematch is there, and was not found")
        firsts = Counter(one.first for one in before if not one.is_bye)
        games = [_sided(pair, firsts) for pair in pairs if BYE not in pair]
        byes = [(one or other, BYE) for one, other in pairs if BYE in (one, other)]
        return numbered(played + 1, games + byes)

    def pairings(self, event: Event) -> int:
        """Half the pilots in each round."""
        return _rounds(event) * (len(event.pilots) // 2)


def _rounds(event: Event) -> int:
    return event.rounds or math.ceil(math.log2(len(event.pilots)))


def ranking(names: Sequence[str], before: Sequence[Pairing], points: Points) -> list[str]:
    """Names from the top: by wins of pairings, then those of who was met, then as entered.

    A pairing won counts 1, drawn 1/2, a bye 1.
    """
    won = dict.fromkeys(names, 0.0)
    met: dict[str, list[str]] = {name: [] for name in names}
    for pairing in before:
        for name, other in ((pairing.first, pairing.second), (pairing.second, pairing.first)):
            if name:
                won[name] += share(pairing, name, points)
                met[name] += [other] if other else []
    place = {name: at for at, name in enumerate(names)}
    return sorted(
        names, key=lambda name: (-won[name], -sum(won[other] for other in met[name]), place[name])
    )


def share(pairing: Pairing, name: str, points: Points) -> float:
    """What a pairing counts for one of its pilots: 1, 1/2 or 0."""
    if pairing.is_bye:
        return 1.0
    other = pairing.second if name == pairing.first else pairing.first
    made = points[pairing.round, pairing.number]
    own, theirs = made.get(name, 0.0), made.get(other, 0.0)
    return 0.5 if own == theirs else float(own > theirs)


def _paired(ranked: list[str], met: set[frozenset[str]]) -> list[tuple[str, str]] | None:
    """The first way to pair everyone with nobody twice, preferring who stands next.

    Who rests is settled first, from the bottom up, so that the best play on.
    """
    if ranked and ranked[-1] == BYE:
        for name in reversed(ranked[:-1]):
            if frozenset((name, BYE)) in met:
                continue
            rest = _paired([one for one in ranked[:-1] if one != name], met)
            if rest is not None:
                return [*rest, (name, BYE)]
        return None
    if not ranked:
        return []
    top, *others = ranked
    for at, other in enumerate(others):
        if frozenset((top, other)) in met:
            continue
        rest = _paired(others[:at] + others[at + 1 :], met)
        if rest is not None:
            return [(top, other), *rest]
    return None


def _sided(pair: tuple[str, str], firsts: Counter[str]) -> tuple[str, str]:
    """Who has had the first side less often has it; at the same, who stands higher."""
    one, other = pair
    return (other, one) if firsts[other] < firsts[one] else (one, other)
