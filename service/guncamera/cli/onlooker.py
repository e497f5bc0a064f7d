"""Looking on at a game as one seat: the log it reads, and the boards it sees."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from guncamera.api import wire
from guncamera.api.rulings import read_event
from guncamera.cli.console import Failure, console, said, words
from guncamera.cli.film_files import save
from guncamera.cli.playing import view_of
from guncamera.rules.book import AnyBook
from guncamera.rules.plain import flat
from guncamera.rules.ruleset import Ruleset, Verb
from guncamera.rules.shape import shape_of, snake
from guncamera.rules.spelling import meant

MOST_LETTERS = 30
SPECTATOR = "spectator"
REFEREE = "referee"


def with_referee(found: Ruleset, setup: Any, viewer: str | None) -> Any:
    """The setup, with a referee's seat if it is wanted and the rule set has one."""
    has_one = any(field.name == REFEREE for field in shape_of(found.setup))
    return replace(setup, referee=True) if viewer == REFEREE and has_one else setup


def seat_of(viewer: str, found: Ruleset, setup: Any, book: AnyBook) -> str:
    """The seat to look on as; empty, a spectator.

    Raises:
        Failure: The game has no such seat.
    """
    if viewer == SPECTATOR:
        return ""
    seats = [seat.id for seat in found.seats(setup, book)]
    if viewer not in seats:
        known = [*seats, SPECTATOR]
        raise Failure(
            f"{found.title} has no seat {viewer!r} to look on as{meant(viewer, known)}; take "
            f"{', '.join(known)}."
        )
    return viewer


@dataclass(slots=True)
class Onlooker:
    """Prints a heading for each phase of a turn, and draws the board there.

    Attributes:
        draw: Draws the board of a session as the viewer sees it.
        folder: Where pictures are kept; None: none are drawn.
        prints: Whether headings are printed.
        width: Of the longest name of a seat.
    """

    ruleset: Ruleset
    draw: Callable[[Any], str]
    folder: Path | None
    prints: bool
    width: int
    heading: tuple[str, ...] = ()

    def look(self, session: Any) -> None:
        """See the board; where another phase has begun, say so."""
        view = view_of(session, self.ruleset)
        heading = tuple(
            f"{name} {words(str(value))}" if name == "turn" else words(str(value))
            for name in ("turn", "phase")
            if (value := getattr(view, name, None)) is not None
        )
        if heading == self.heading:
            return
        self.heading = heading
        if self.prints:
            console().print()
            console().print(", ".join(heading).capitalize(), style="bold")
        if self.folder is not None:
            name = "-".join((f"{session.revision:04}", *heading)).replace(" ", "-")
            save(self.folder / f"{name}.svg", self.draw(session).encode())

    def tell(self, action: Any) -> None:
        """Print an action: its revision, whose it is, what came of it."""
        if not self.prints:
            return
        came_to = said(action.summary, by_default=action.by_default)
        line = f"{action.revision:>4}  {action.seat:<{self.width}}  {came_to}"
        console().print(line + self._ordered(action), soft_wrap=True)
        for event in action.events:
            told = self._named(event)
            if told:
                console().print(f"{'':>{8 + self.width}}{told}", soft_wrap=True)

    def _ordered(self, action: Any) -> str:
        """What the order named, as far as it is short and not hidden."""
        verb = action.WhichOneof("order")
        if verb in (None, "undo"):
            return ""
        message = getattr(getattr(action, verb), self.ruleset.slug)
        order: Any = wire.read(message, self.ruleset.procedure(Verb(verb)).order, "order")
        told = listed(order)
        return f" ({told})" if told else ""

    def _named(self, message: Any) -> str:
        """An event that gives something its name: what was found out."""
        event = read_event(message, self.ruleset, "event")
        if not getattr(event, "name", ""):
            return ""
        kind = words(snake(type(event).__name__)).capitalize()
        return f"{kind}: {listed(event)}."


def listed(value: Any) -> str:
    """The fields of an order or event that are short, without the rule."""
    return ", ".join(
        f"{words(name.rpartition('.')[2])} {words(text)}"
        for name, text in flat(value).items()
        if text and len(text) <= MOST_LETTERS and name != "rule_id"
    )
