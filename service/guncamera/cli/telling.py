"""A rule set's own tale of a game that is played: actions, and the boards between them."""

from __future__ import annotations

from textwrap import wrap
from typing import Any

from guncamera.api import wire
from guncamera.cli.console import console
from guncamera.cli.playing import Game, view_of
from guncamera.rules.dice import Roll
from guncamera.rules.ruleset import Deed, Ruleset, Verb
from guncamera.v1 import session_service_pb2

COLUMN = 9
"""Where what is told begins, after the word for what is done."""


class Teller:
    """Hears actions, and tells them when it sees what the board has become."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._before: Any = None
        self._heard: list[Deed] = []

    def heard(self, action: session_service_pb2.Action) -> None:
        """An action was ruled on."""
        self._heard.append(_deed(action, self._game.ruleset))

    def stand(self, session: session_service_pb2.Session) -> None:
        """The board stands so after all that was heard."""
        view = view_of(session, self._game.ruleset)
        if self._before is None:
            self._tell(None, view, view)
        for deed in self._heard:
            # What several actions did that came at once is seen after the last of them.
            self._tell(deed, self._before, view if deed is self._heard[-1] else self._before)
        self._heard.clear()
        self._before = view

    def _tell(self, deed: Deed | None, before: Any, after: Any) -> None:
        found = self._game.ruleset
        if found.tell is None:
            raise AssertionError(f"{found.slug} tells no tale")
        out = console()
        for line in found.tell(deed, before, after, self._game.book):
            indent = " " * (COLUMN if line.startswith(" ") else 0)
            for part in wrap(line, out.width, subsequent_indent=indent) or [""]:
                out.print(part, style=None if line.startswith(" ") else "bold")


def _deed(action: session_service_pb2.Action, found: Ruleset) -> Deed:
    """An action as the core knows it; a tale wants neither trace nor events."""
    verb = Verb(str(action.WhichOneof("order")))
    procedure = found.procedure(verb)
    order = getattr(getattr(action, verb.value), found.slug)
    outcome = getattr(getattr(action, f"{verb}_outcome"), found.slug)
    return Deed(
        seat=action.seat,
        verb=verb,
        order=wire.read(order, procedure.order, "order"),
        outcome=wire.read(outcome, procedure.outcome, "outcome"),
        trace=(),
        events=(),
        summary=action.summary,
        rolls=tuple(
            Roll(roll.purpose, tuple(roll.sides), tuple(roll.faces)) for roll in action.rolls
        ),
    )
