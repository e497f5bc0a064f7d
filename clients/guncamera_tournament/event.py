"""What an event is asked to be: pilots, format, dice, clocks. Equal events come out equal."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Self

from guncamera_tournament.faults import TournamentError
from guncamera_tournament.formats import FORMATS

NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,39}")
KINDS = ("stock", "program", "remote")
SEEDED, DUPLICATE = "seeded", "duplicate"


@dataclass(frozen=True, slots=True)
class Entry:
    """A pilot in an event: the name it is listed under, and what it is.

    Attributes:
        name: 1 to 40 lower-case letters, digits, dots, dashes and underscores.
        spec: `module:function`, `file.py:function`, `stock:NAME`, `program:COMMAND` or
            `remote:NAME`.
    """

    name: str
    spec: str

    @property
    def kind(self) -> str:
        """`stock`, `program`, `remote`, or `python`."""
        kind = self.spec.partition(":")[0]
        return kind if kind in KINDS else "python"

    @property
    def what(self) -> str:
        """What comes after the kind; all of it, for a Python function."""
        return self.spec if self.kind == "python" else self.spec.partition(":")[2]


@dataclass(frozen=True, slots=True)
class Setup:
    """What is played: a name, and a `SessionSetup` as JSON, `{}` for the rule set's own."""

    name: str = "default"
    json: str = "{}"


@dataclass(frozen=True, slots=True)
class ClockRules:
    """The clocks of every pilot; see `pilot.Clock`. All in seconds, above 0.

    Attributes:
        start_seconds: How long a pilot may take to be ready for a game.
    """

    soft_seconds: float = 10.0
    hard_seconds: float = 30.0
    most_strikes: int = 3
    start_seconds: float = 60.0


@dataclass(frozen=True, slots=True)
class Limits:
    """What a pilot's process may use.

    Attributes:
        memory_mb: Address space, 64 and more.
        cpu_seconds: Of processor, in one game.
        file_mb: Of any file it writes.
        open_files: At once.
        line_bytes: Of one line it says.
    """

    memory_mb: int = 2048
    cpu_seconds: int = 3600
    file_mb: int = 16
    open_files: int = 128
    line_bytes: int = 1_000_000


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules that an event is pinned to when it begins; empty before."""

    rules_version: int = 0
    rules_hash: str = ""


@dataclass(frozen=True, slots=True)
class PlayedVariant:
    """The variant that an event is played by; all empty for the rules as printed.

    Attributes:
        file: Its file, seen from the event's folder; the copy there once the event has begun.
        name, hash: What it is pinned to when the event begins; empty before.
    """

    file: str = ""
    name: str = ""
    hash: str = ""


@dataclass(frozen=True, slots=True)
class Event:
    """Everything that decides how an event comes out, but for what pilots do.

    Attributes:
        ruleset: The rule set's slug.
        format: `single`, `round-robin`, `swiss`, `knockout` or `gauntlet`.
        pilots: Two or more, the best first where that is known; in a gauntlet the first meets all
            others.
        seed: What all dice and pairings come from. Keep it to yourself until the event is over.
        games: How often each pairing meets in a round, 1 to 1,000. With `swap_sides` each is
            played twice.
        swap_sides: Each game is played from both sides.
        dice: `seeded`, each bout from a seed of its own; or `duplicate`, the bouts of a game with
            the same faces for the same purpose of the same seat.
        rounds: In a Swiss; 0 for as many as tell the best from the others.
        most_actions: A bout that is longer is a draw by length.
        keep_films: Whether films are written; their digests are told anyway.
        setups: What is played, in turn by game.
        settings: House readings that differ from the defaults.
        variant: What tables, aircraft and defaults are those of.
    """

    ruleset: str
    pilots: tuple[Entry, ...]
    seed: str
    format: str = "round-robin"
    games: int = 1
    swap_sides: bool = True
    dice: str = SEEDED
    rounds: int = 0
    most_actions: int = 5000
    keep_films: bool = True
    setups: tuple[Setup, ...] = (Setup(),)
    settings: Mapping[str, Any] = field(default_factory=dict)
    clock: ClockRules = ClockRules()
    limits: Limits = Limits()
    rules: Rules = Rules()
    variant: PlayedVariant = PlayedVariant()

    def __post_init__(self) -> None:
        for fault in self._faults():
            raise fault

    @property
    def names(self) -> tuple[str, ...]:
        """The pilots' names, as they were entered."""
        return tuple(entry.name for entry in self.pilots)

    def entry(self, name: str) -> Entry:
        """The pilot of a name."""
        return next(entry for entry in self.pilots if entry.name == name)

    def to_plain(self) -> dict[str, Any]:
        """For TOML and JSON; `variant` only where there is one."""
        plain = asdict(self)
        if not self.variant.file:
            del plain["variant"]
        plain["settings"] = dict(sorted(self.settings.items()))
        return plain

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> Self:
        """From `to_plain`, or from what somebody wrote.

        Raises:
            TournamentError: A field is unknown, missing, or not what it should be.
        """
        made = dict(plain)
        for name, kind in _PARTS.items():
            if name in made:
                made[name] = _record(kind, made[name], name)
        for name, one in (("pilots", Entry), ("setups", Setup)):
            if name in made:
                made[name] = _records(one, made[name], name)
        event: Self = _record(cls, made, "")
        return event

    def _faults(self) -> Iterator[TournamentError]:
        names = [entry.name for entry in self.pilots]
        if len(names) < 2:
            yield _fault("pilots", f"{len(names)} given; it takes two or more")
        for at, entry in enumerate(self.pilots):
            yield from _entry_faults(entry, names, f"pilots[{at}]")
        if self.format not in FORMATS:
            yield _fault("format", f"{self.format!r} is none; take one of {', '.join(FORMATS)}")
        else:
            yield from FORMATS[self.format].faults(self)
        if self.dice not in (SEEDED, DUPLICATE):
            yield _fault("dice", f"{self.dice!r} is none; take {SEEDED} or {DUPLICATE}")
        if self.dice == DUPLICATE and any(one.kind == "remote" for one in self.pilots):
            yield _fault("dice", "a remote pilot throws with its own orders; take seeded dice")
        if not 1 <= len(self.seed) <= 200:
            yield _fault("seed", "give a text of 1 to 200 characters")
        for name, least, most in (
            ("games", 1, 1000),
            ("most_actions", 1, 20_000),
            ("rounds", 0, 99),
        ):
            if not least <= getattr(self, name) <= most:
                yield _fault(name, f"{getattr(self, name)} is not {least} to {most}")
        if self.variant.name and not self.variant.file:
            yield _fault("variant.file", "missing; name the file that guncamera rules pack wrote")
        yield from _setup_faults(self.setups)
        yield from _clock_faults(self.clock)
        yield from _limit_faults(self.limits)


_PARTS = {"clock": ClockRules, "limits": Limits, "rules": Rules, "variant": PlayedVariant}


def _entry_faults(entry: Entry, names: list[str], path: str) -> Iterator[TournamentError]:
    if not NAME.fullmatch(entry.name):
        yield _fault(f"{path}.name", f"{entry.name!r} is no name; take 1 to 40 of a-z 0-9 . _ -")
    elif names.count(entry.name) > 1:
        yield _fault(f"{path}.name", f"{entry.name!r} is taken; write NAME=SPEC to tell them apart")
    if ":" not in entry.spec or not entry.what.strip(": "):
        known = "module:function, file.py:function, stock:NAME, program:COMMAND or remote:NAME"
        yield _fault(f"{path}.spec", f"{entry.spec!r} names no pilot; write {known}")


def _setup_faults(setups: tuple[Setup, ...]) -> Iterator[TournamentError]:
    names = [setup.name for setup in setups]
    if not names:
        yield _fault("setups", "none given; leave them out for the rule set's own")
    for at, name in enumerate(names):
        if not NAME.fullmatch(name) or names.count(name) > 1:
            yield _fault(f"setups[{at}].name", f"{name!r} is taken, or no name: a-z 0-9 . _ -")


def _clock_faults(clock: ClockRules) -> Iterator[TournamentError]:
    for name in ("soft_seconds", "hard_seconds", "start_seconds"):
        if not 0 < getattr(clock, name) <= 86_400:
            yield _fault(f"clock.{name}", f"{getattr(clock, name)} is not above 0, to a day")
    if clock.soft_seconds > clock.hard_seconds:
        yield _fault("clock.soft_seconds", "it is more than hard_seconds; make it less")
    if not 1 <= clock.most_strikes <= 1000:
        yield _fault("clock.most_strikes", f"{clock.most_strikes} is not 1 to 1000")


def _limit_faults(limits: Limits) -> Iterator[TournamentError]:
    least = {"memory_mb": 64, "open_files": 16, "line_bytes": 1000}
    for one in fields(Limits):
        low = least.get(one.name, 1)
        if getattr(limits, one.name) < low:
            yield _fault(f"limits.{one.name}", f"{getattr(limits, one.name)} is below {low}")


def _fault(name: str, message: str) -> TournamentError:
    return TournamentError(f"{message}.", field=name)


_WRITTEN = {"str": str, "int": int, "bool": bool, "float": (int, float)}


def _records(kind: type, given: Any, path: str) -> tuple[Any, ...]:
    if not isinstance(given, list | tuple):
        raise _fault(path, "write a list of tables")
    return tuple(_record(kind, one, f"{path}[{at}]") for at, one in enumerate(given))


def _record(kind: type, given: Any, path: str) -> Any:
    """A dataclass from a table, or the fault that says where it is none."""
    before = f"{path}." if path else ""
    if not isinstance(given, Mapping):
        raise _fault(path, "write a table")
    known = {one.name: one for one in fields(kind)}
    for name, value in given.items():
        if name not in known:
            raise _fault(before + name, f"there is no such field; there are {', '.join(known)}")
        wanted: Any = _WRITTEN.get(str(known[name].type))
        if wanted and (not isinstance(value, wanted) or (wanted is not bool and value is True)):
            raise _fault(before + name, f"{value!r} is no {known[name].type}")
    try:
        return kind(**given)
    except TypeError as missing:
        names = ", ".join(re.findall(r"'(\w+)'", str(missing)))
        raise _fault(before + names.split(", ")[0], f"missing: {names}") from None
