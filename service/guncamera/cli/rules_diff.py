"""`guncamera rules diff`: which games that were played would be ruled otherwise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from guncamera.cli.connecting import TargetOption, client_of
from guncamera.cli.console import REFUSED, Failure, console, count, one_line, print_json
from guncamera.cli.options import JsonOption, SettingOption, settings_of
from guncamera.cli.variant_files import TablesOption, load_variant
from guncamera.rules.plain import to_plain
from guncamera.rules.refusal import Refusal, RollRequired
from guncamera.rules.ruleset import ruleset
from guncamera.rules.ruling import Ruling

if TYPE_CHECKING:
    from guncamera.rules.book import AnyBook
    from guncamera.sessions.divergence import Divergence, Parting
    from guncamera.sessions.film import Film
    from guncamera.sessions.session import Entry

UNREAD = "unread"
_TOLD = {
    "alike": "ruled alike",
    "told": "only told otherwise",
    "ruled": "ruled otherwise",
    UNREAD: "not compared",
}
FilmsArgument = Annotated[
    list[Path] | None,
    typer.Argument(metavar="FILM...", help="Films, JSON files, or folders of them."),
]


@dataclass(frozen=True, slots=True)
class Compared:
    """A game, and what became of it.

    Attributes:
        found: None where it could not be compared; then `fault` says why.
    """

    name: str
    film: Film | None
    found: Divergence | None
    fault: str = ""

    @property
    def verdict(self) -> str:
        """One of the keys of the report's last line."""
        return self.found.verdict.value if self.found else UNREAD


def diff_command(
    films: FilmsArgument = None,
    tables: TablesOption = None,
    setting: SettingOption = None,
    ruleset_slug: Annotated[
        str | None,
        typer.Option("--ruleset", metavar="RULESET", help="Leave out games of any other."),
    ] = None,
    target: TargetOption = None,
    json: JsonOption = False,
) -> None:
    """Rule on games that were played by other rules, and name the first step that differs.

    The rules are those installed here: with your tables and settings, or as they are, for films of
    an earlier version. Films come from files, or with --target from a service: every game that
    your key may see whole. Exit code 1 if any game differs.
    """
    if bool(films) == bool(target):
        raise Failure("Name films or folders of films, or a service by --target: one of the two.")
    slug = ruleset(ruleset_slug).slug if ruleset_slug else ""
    games = _of_a_service(target) if target else _of_files(films or ())
    rules = _Rules(tables, setting)
    compared = [_compare(name, film, rules) for name, film in games if _is_of(film, slug)]
    if json:
        print_json(_plain(compared))
    else:
        _show(compared)
    if any(one.verdict != "alike" for one in compared):
        raise typer.Exit(REFUSED)


def _is_of(film: Film | str, slug: str) -> bool:
    """What could not be read may be of any rule set."""
    return not slug or isinstance(film, str) or film.record.ruleset.slug == slug


class _Rules:
    """The book that a film is ruled on by: its own settings, and what the command line changes."""

    def __init__(self, tables: str | None, setting: Sequence[str] | None) -> None:
        self._tables = tables
        self._setting = setting
        self._slug = ""

    @property
    def has_tables(self) -> bool:
        """Whether tables are given in place of a film's own."""
        return self._tables is not None

    def book_for(self, film: Film) -> AnyBook:
        record = film.record
        found, book = record.ruleset, record.book
        if not self._tables and not self._setting:
            return book
        if self._slug not in ("", found.slug):
            raise Failure(
                f"There are games of {self._slug} and of {found.slug}; tables and settings are of "
                "one rule set: say which, by --ruleset."
            )
        self._slug = found.slug
        if self._tables and record.variant is not None:  # its own tables need not be here
            book = found.book.with_settings(to_plain(book.settings))
        book = book.with_settings(settings_of(found, self._setting))
        return load_variant(self._tables, book) if self._tables else book


# ---- where games come from


def _of_files(paths: Iterable[Path]) -> Iterator[tuple[str, Film | str]]:
    """Each film by its file's name; a text says why it cannot be read."""
    from guncamera.cli.film_files import films_at, load_film

    for file in films_at(paths):
        try:
            yield str(file), load_film(file)
        except Failure as fault:
            yield str(file), str(fault).removeprefix(f"{file}: ")


def _of_a_service(target: str) -> Iterator[tuple[str, Film | str]]:
    """Each game of a service by its name; a text says why it is not to be had."""
    from guncamera_client import GuncameraError

    from guncamera.api.films import read_film

    with client_of(target) as client:
        for session in client.list_sessions(page_size=100):
            try:
                yield session.name, read_film(client.export_session(session.name))
            except GuncameraError as fault:
                yield session.name, f"{fault.reason}: {one_line(fault.message)}"
            except Refusal as refusal:
                yield session.name, one_line(refusal.message)


def _compare(name: str, film: Film | str, rules: _Rules) -> Compared:
    from guncamera.sessions.divergence import diverge
    from guncamera.sessions.history import check_variant

    if isinstance(film, str):
        return Compared(name, None, None, film)
    book = rules.book_for(film)
    try:
        if not rules.has_tables:
            check_variant(film.record)
        return Compared(name, film, diverge(film, book))
    except Refusal as refusal:
        return Compared(name, film, None, f"it cannot be set up: {one_line(refusal.message)}")
    except (AssertionError, LookupError, TypeError, ValueError, AttributeError) as fault:
        return Compared(name, film, None, f"the rules cannot rule on it ({one_line(str(fault))})")


# ---- for the eyes


def _show(compared: Sequence[Compared]) -> None:
    out = console()
    for one in compared:
        if one.verdict == "alike":
            continue
        out.print(f"{one.name}: {_headline(one)}", soft_wrap=True)
        parting = one.found and one.found.worst
        for line in _lines(parting) if parting else ():
            out.print(f"    {line}", soft_wrap=True)
    verdicts = Counter(one.verdict for one in compared)
    told = ", ".join(f"{verdicts[key]} {text}" for key, text in _TOLD.items() if verdicts[key])
    out.print(f"{count(len(compared), 'game')}: {told or 'nothing to compare'}.")


def _headline(one: Compared) -> str:
    if one.film is None or one.found is None:
        return f"{_TOLD[UNREAD]}: {one.fault}"
    parting = one.found.worst
    where = f" at action {parting.revision} of {len(one.film.actions)}" if parting else ""
    return f"{_TOLD[one.verdict]}{where}"


def _lines(parting: Parting) -> Iterator[str]:
    """What was, what is now, and the first line of the trace where the two part."""
    filmed, again = parting.filmed, parting.again
    if _said(again) == filmed.summary:
        yield filmed.summary
    else:
        yield f"was  {filmed.summary}"
        yield f"now  {_said(again)}"
    before, after = _first_difference(filmed, again)
    if before:
        yield f"was  {before}"
    if after:
        yield f"now  {after}"


def _said(again: Entry | Ruling[Any] | Refusal) -> str:
    if isinstance(again, RollRequired):
        ask = again.ask
        return f"more dice are wanted: {ask.notation()} for {ask.purpose} ({ask.rule_id})"
    if isinstance(again, Refusal):
        by_rule = f" ({again.rule_id})" if again.rule_id else ""
        return f"refused: {again.reason}{by_rule}: {one_line(again.message)}"
    return again.summary


def _first_difference(filmed: Entry, again: Entry | Ruling[Any] | Refusal) -> tuple[str, str]:
    """The first line of the traces, as `guncamera rule` prints it, that is not the same."""
    from guncamera.cli.trace_view import rows_of
    from guncamera.sessions.session import Action

    if not isinstance(filmed, Action) or not isinstance(again, Action | Ruling):
        return "", ""
    sides = (rows_of(one.trace, type(one.outcome)) for one in (filmed, again))
    for before, after in zip_longest(*sides, fillvalue=None):
        if before != after:
            return "  ".join(before or ()), "  ".join(after or ())
    return "", ""


# ---- for machines


def _plain(compared: Sequence[Compared]) -> dict[str, Any]:
    verdicts = Counter(one.verdict for one in compared)
    return {
        "verdicts": {key: verdicts[key] for key in _TOLD},
        "games": [
            {
                "name": one.name,
                "verdict": one.verdict,
                "fault": one.fault or None,
                "actions": len(one.film.actions) if one.film else None,
                "told": _parting_to_plain(one.found.told) if one.found else None,
                "ruled": _parting_to_plain(one.found.ruled) if one.found else None,
            }
            for one in compared
        ],
    }


def _parting_to_plain(parting: Parting | None) -> dict[str, Any] | None:
    if parting is None:
        return None
    again = parting.again
    before, after = _first_difference(parting.filmed, again)
    return {
        "revision": parting.revision,
        "what": parting.what,
        "filmed": parting.filmed.summary,
        "now": None if isinstance(again, Refusal) else again.summary,
        "refused": {"reason": again.reason, "rule_id": again.rule_id, "message": again.message}
        if isinstance(again, Refusal)
        else None,
        "trace_filmed": before or None,
        "trace_now": after or None,
    }
