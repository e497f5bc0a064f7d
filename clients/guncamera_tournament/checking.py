"""What a pilot has to be able to do, tried before an event: one line for each."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any

from guncamera_tournament.bouts import Bout, Pairing, bouts_of
from guncamera_tournament.event import ClockRules, Entry, Event, Limits, Setup
from guncamera_tournament.executor import play_stubbornly
from guncamera_tournament.faults import TournamentError
from guncamera_tournament.finding import check_spec
from guncamera_tournament.playing import Job, Played
from guncamera_tournament.pool import Pool
from guncamera_tournament.record import LENGTH
from guncamera_tournament.terms import terms_of
from guncamera_tournament.variant_file import read_pinned

OPPONENT = Entry("opponent", "stock:random")
CHECKED = "checked"
SETUP, CLOCK, LIMITS = Setup(), ClockRules(), Limits()


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was tried.

    Attributes:
        what: In words.
        detail: What went wrong; empty if nothing did.
    """

    ruleset: str
    what: str
    detail: str

    @property
    def passed(self) -> bool:
        """Nothing went wrong."""
        return not self.detail

    def to_plain(self) -> dict[str, str]:
        """For JSON."""
        return asdict(self)


def check_pilot(
    spec: str,
    ruleset: str,
    client: Any,
    *,
    setup: Setup = SETUP,
    clock: ClockRules = CLOCK,
    limits: Limits = LIMITS,
    most_actions: int = 2000,
    variant: Path | None = None,
) -> Iterator[Check]:
    """Play a pilot from every side of a rule set, twice with the same dice.

    Args:
        spec: The pilot.
        ruleset: The rule set's slug.
        client: A client of a service.
        setup: What is played.
        clock, limits: Those of the event it is meant for.
        most_actions: A longer game is broken off.
        variant: The file of the variant that is played by; the service has to offer it.

    Raises:
        TournamentError: The pilot, the setup or the variant is none.
    """
    event = Event(
        ruleset=ruleset,
        pilots=(Entry(CHECKED, spec), OPPONENT),
        seed=f"check {ruleset}",
        format="single",
        most_actions=most_actions,
        setups=(setup,),
        clock=clock,
        limits=limits,
    )
    if event.pilots[0].kind == "remote":
        raise TournamentError("a remote pilot is checked where it runs.", field="spec")
    check_spec(event.pilots[0], "spec")
    if event.pilots[0].kind == "python":
        _check_written(spec)
    text = ""
    if variant is not None:
        played_by, text = read_pinned(variant, ruleset)
        event = replace(event, variant=played_by)
    terms, pool = replace(terms_of(client, event), variant=text), Pool(client)
    event = replace(event, rules=terms.rules)
    for bout in bouts_of(event, Pairing(1, 1, CHECKED, OPPONENT.name), solo=terms.is_solo):
        job = Job(event, terms, bout)
        first = play_stubbornly(job, pool)
        yield from _checks(ruleset, _side(job, bout), first, clock)
        if first.record.losers:
            continue
        again = play_stubbornly(job, pool)
        same = first.record == again.record
        detail = "" if same else "with the same dice and the same chance it played otherwise"
        yield Check(ruleset, f"{_side(job, bout)}: plays the same game again alike", detail)


def _check_written(spec: str) -> None:
    """See by its text alone that a Python pilot is there: its code runs where it plays.

    Raises:
        TournamentError: There is no such module, or no such name in it.
    """
    where, _, name = spec.rpartition(":")
    text = _text_of(where)
    if text is None:
        return
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return  # playing tells it, with the line
    bound = {found for node in ast.walk(tree) for found in _bound(node)}
    if not bound & {name, "*", "__getattr__"}:
        raise TournamentError(f"{where} has no function {name!r}.", field="spec")


def _text_of(where: str) -> bytes | None:
    """The source of a module or file; None where it has none to be read."""
    if where.endswith(".py"):
        return Path(where).read_bytes()
    path: list[str] | None = None
    found = None
    parts = where.split(".")
    for at in range(1, len(parts) + 1):
        full = ".".join(parts[:at])
        found = sys.modules[full].__spec__ if full in sys.modules else None
        if found is None:
            tried = (finder.find_spec(full, path) for finder in sys.meta_path)
            found = next(filter(None, tried), None) or PathFinder.find_spec(full, path or [""])
        if found is None:
            raise TournamentError(f"there is no module {full!r}.", field="spec")
        path = found.submodule_search_locations and list(found.submodule_search_locations)
    origin = Path(found.origin) if found is not None and found.origin else None
    return origin.read_bytes() if origin is not None and origin.suffix == ".py" else None


def _bound(node: ast.AST) -> Iterator[str]:
    """The names that a statement may give to something; `*` for any."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Name(id=name, ctx=ast.Store()):
            yield name
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            yield from (one.asname or one.name.partition(".")[0] for one in names)


def _side(job: Job, bout: Bout) -> str:
    at = 0 if job.terms.is_solo else bout.pilots.index(CHECKED)
    return f"as {list(job.terms.sides)[at]}"


def _checks(ruleset: str, side: str, played: Played, clock: ClockRules) -> Iterator[Check]:
    record = played.record
    lost = record.detail if CHECKED in record.losers else ""
    end = "is broken off, longer than allowed" if record.reason == LENGTH else "ends"
    yield Check(ruleset, f"{side}: plays until the game {end}", lost and f"{record.reason}: {lost}")
    own = played.timing["pilots"][CHECKED]
    slowest, strikes = own["slowest_seconds"], own["strikes"]
    detail = f"{strikes} of {own['orders']} orders took longer" if strikes else ""
    yield Check(
        ruleset,
        f"{side}: answers within {clock.soft_seconds:g} s (slowest {slowest:.3f} s)",
        detail,
    )
