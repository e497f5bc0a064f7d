"""Films: a session with its whole ledger, replayed from its faces and checked against its seeds.

Nothing here touches a store or a network: `guncamera replay` and `guncamera verify` run offline.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from guncamera.rules.refusal import Refusal
from guncamera.rules.trace import audit
from guncamera.sessions import entropy
from guncamera.sessions.history import again_after, opening
from guncamera.sessions.lateness import Lateness
from guncamera.sessions.request_store import is_kept
from guncamera.sessions.retaking import Retaken
from guncamera.sessions.session import Action, DiceSource, Entry, Record, State, Undone


@dataclass(frozen=True, slots=True)
class Film:
    """A session as exported: what it is pinned to, and what was played."""

    record: Record
    actions: tuple[Entry, ...]
    result: str | None


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a film and its recomputation part: the action, what differs, and both sides."""

    revision: int
    what: str
    filmed: str
    recomputed: str

    def __str__(self) -> str:
        return (
            f"action {self.revision}: {self.what} is {self.filmed} in the film "
            f"and {self.recomputed} here"
        )


@dataclass(frozen=True, slots=True)
class Replay:
    """A film run again: the state it ends in, and every difference (none: it is right).

    `states` are those on the way that are kept, by revision; see `is_kept`.
    """

    state: State
    differences: tuple[Difference, ...]
    states: tuple[tuple[int, State], ...] = ()


@dataclass(frozen=True, slots=True)
class DiceCheck:
    """A film's dice against its seeds.

    Attributes:
        checked: Rolls recomputed from a revealed seed.
        unrevealed: Rolls drawn from a seed that has not been revealed.
        supplied: Rolls thrown by the players, which nobody can check.
    """

    checked: int
    unrevealed: int
    supplied: int
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class Step:
    """An entry of a film, and the same one ruled on again.

    Attributes:
        number: Its revision, by its place in the film.
        again: A refusal where the rules do not allow it; nothing comes after that.
        state: After it; before it where it is refused.
    """

    number: int
    entry: Entry
    again: Entry | Refusal
    state: State


def steps_of(film: Film) -> Iterator[Step]:
    """Rule on every order again, under the record's book and with the faces of the ledger."""
    record = film.record
    state = opening(record)
    retaken = Retaken(record, state, film.actions)
    for number, entry in enumerate(film.actions, start=1):
        again: Entry
        before = state
        try:
            if isinstance(entry, Undone):
                again, state = retaken.undo(entry, number, before)
            else:
                again, state = again_after(record, before, entry, number)
        except Refusal as refusal:
            yield Step(number, entry, refusal, before)
            return
        retaken.keep(again, before, state)
        yield Step(number, entry, again, state)


def replay(film: Film) -> Replay:
    """Rule on every order again, with the faces of the ledger, and compare everything.

    Stops at the first action that cannot be ruled on at all.
    """
    record = film.record
    differences: list[Difference] = []
    kept: list[tuple[int, State]] = []
    if record.book.digest != record.rules_hash:
        differences.append(Difference(0, "rules_hash", record.rules_hash, record.book.digest))
    state, lateness = opening(record), Lateness(record)
    for step in steps_of(film):
        stood, entry, again, state = state, step.entry, step.again, step.state
        if isinstance(again, Refusal):
            differences.append(Difference(step.number, "ruling", entry.summary, again.message))
            break
        before = entry.to_revision if isinstance(entry, Undone) else step.number - 1
        if is_kept(before, step.number):
            kept.append((step.number, state))
        differences += compare(entry, again)
        if isinstance(entry, Action):
            differences += [
                Difference(step.number, "trace", fault, "")
                for fault in audit(entry.trace, record.book.tables)
            ]
            late = lateness.fault(stood, entry)
            if late:
                differences.append(Difference(step.number, "by_default", *late))
    if state.result != film.result:
        differences.append(
            Difference(len(film.actions), "result", str(film.result), str(state.result))
        )
    return Replay(state, tuple(differences), tuple(kept))


_COMPARED = ("revision", "outcome", "trace", "events", "summary", "rolls", "rules_version")
_UNDONE_COMPARED = ("revision", "to_revision", "agreed_seats", "summary", "rules_version")


def compare(filmed: Entry, again: Entry) -> list[Difference]:
    """Where an action and the same one ruled on again part."""
    return [
        Difference(
            again.revision, what, str(getattr(filmed, what))[:300], str(getattr(again, what))[:300]
        )
        for what in (_COMPARED if isinstance(filmed, Action) else _UNDONE_COMPARED)
        if getattr(filmed, what) != getattr(again, what)
    ]


def _source_fault(action: Action) -> tuple[str, str] | None:
    """What is wrong with where an action's dice came from: what it says, and what it may."""
    source = action.dice_source
    if not action.rolls:
        return (source, "none, for no dice fell") if source else None
    if source in (DiceSource.SEEDED, DiceSource.SUPPLIED):
        return None
    return source or "none", "seeded or supplied, as in every session"


def check_dice(film: Film) -> DiceCheck:
    """Draw every seeded roll again from the revealed seeds, and check the commitments."""
    differences = [
        Difference(
            seed.from_revision, "commitment", seed.commitment, entropy.commitment_of(seed.seed)
        )
        for seed in film.record.seeds
        if seed.seed and entropy.commitment_of(seed.seed) != seed.commitment
    ]
    checked = unrevealed = supplied = 0
    for action in (one for one in film.actions if isinstance(one, Action)):
        fault = _source_fault(action)
        if fault:
            differences.append(Difference(action.revision, "dice_source", *fault))
            continue
        if action.dice_source is DiceSource.SUPPLIED:
            supplied += len(action.rolls)
            continue
        seed = film.record.seed_for(action.revision)
        if not seed.seed:
            unrevealed += len(action.rolls)
            continue
        thrown: dict[str, int] = {}
        for roll in action.rolls:
            nth = thrown.get(roll.purpose, 0)
            thrown[roll.purpose] = nth + 1
            faces = entropy.faces_from(
                seed.seed,
                seed.commitment,
                action.revision,
                roll.purpose,
                nth,
                roll.sides,
                action.client_nonce,
            )
            checked += 1
            if faces != roll.faces:
                differences.append(
                    Difference(action.revision, roll.purpose, str(roll.faces), str(faces))
                )
    return DiceCheck(checked, unrevealed, supplied, tuple(differences))
